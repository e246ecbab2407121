//! What is kept of the reader from one run to the next: where they have been.

use crate::server::{Server, whole};
use crate::terminal::{Terminal, colour_of};
use std::path::Path;

/// A menu, a text and a page with a title.
fn space() -> Server {
    let mut menu = String::from("0A text\t/text\t127.0.0.1\t{port}\r\n0Another\t/other\t127.0.0.1\t{port}\r\n");
    menu += "hA page\t/page\t127.0.0.1\t{port}\r\n.\r\n";
    let page = "<title>A page with a title</title><p>words of the page";
    Server::start(vec![("", whole(menu)), ("/text", whole("all of the text\r\n")), ("/page", whole(page))])
}

/// Started with a home folder that outlives it.
fn start(home: &Path, arguments: &[&str]) -> Terminal {
    Terminal::start_with(arguments, 80, 24, &[("HOME", home.to_str().unwrap()), ("TZ", "UTC")])
}

#[test]
fn history_outlives_the_program() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let url = server.url("1");
    let mut terminal = start(home.path(), &[&url]);
    terminal.see("A text").keys("1\r").see("all of the text").keys("h").see("A text");
    terminal.keys("3\r").see("words of the page").keys("q");
    terminal.end();
    let file = home.path().join(".local/state/wayfarer/history");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("/0/text\t") && kept.contains("\tA page with a title\t1\tgopher://"), "{kept}");

    // A second time: the links look visited at once, and the page of the history has them.
    let before = kept.lines().count();
    let mut terminal = start(home.path(), &["about:history"]);
    terminal.see("3 pages").see("Today").see("127.0.0.1").see("A page with a title").see("A text");
    terminal.keys("&page with").see("among 3 pages").see_no("A text").keys("\r").see_no("only:").keys("\r");
    terminal.see("words of the page").keys("h").see("among 3 pages").keys("x").see("Forget that").keys("y");
    terminal.see("None of 2 pages").keys(":forget all\r").see("all of your history, 2 pages?").keys("y");
    terminal.see("Nothing was visited yet").keys("q");
    terminal.end();
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(kept, "# wayfarer history 2\n", "of {before} lines");
}

#[test]
fn links_look_visited_after_a_restart() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let url = server.url("1");
    let look = |terminal: &mut Terminal| {
        // The second link, so that none of the two is under focus.
        terminal.see("▸A text").keys("\t").see("▸Another").keys("\t").see("▸A page");
        let (first, second) = (terminal.colour_of("A text"), terminal.colour_of("Another"));
        terminal.keys("q").end();
        first == second
    };
    assert!(look(&mut start(home.path(), &[&url])), "nothing was visited yet");
    let mut terminal = start(home.path(), &[&url]);
    terminal.see("▸A text").keys("\r").see("all of the text").keys("q").end();
    let mut terminal = start(home.path(), &[&url]);
    terminal.see("▸A text").keys("\t").see("▸Another").keys("\t").see("▸A page");
    // What was read in earlier times comes when the page stands.
    terminal.cells_that("a visited link that looks like one", |screen| {
        colour_of(screen, "A text") != colour_of(screen, "Another")
    });
    terminal.keys("q").end();
    assert!(look(&mut start(home.path(), &["--safe", &url])), "--safe knows nothing of earlier times");
}

#[test]
fn a_history_with_mistakes_is_told_and_the_rest_of_it_counts() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".local/state/wayfarer");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("history"),
        b"# wayfarer history 1\n1700000000\tgopher://h/\tGood\n\xFF\n17000\thttp://cut",
    )
    .unwrap();
    let mut terminal = start(home.path(), &["about:history"]);
    terminal.see("history:3: this is not UTF-8").see("1 page ·").see("Good");
    terminal.keys("q").end();
}

#[test]
fn bookmarks_are_kept_and_go_to_every_format_and_back() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let url = server.url("0/text");
    let mut terminal = start(home.path(), &[&url]);
    terminal.see("all of the text").keys("a").see("A new bookmark").keys("The text\t\tTexts/Short\t\tone, two\r");
    terminal.see("put in Texts/Short").keys("B").see("1 bookmark ·").see("Texts").see("Short").see("The text");
    for name in ["b.html", "lynx_b.html", "b.txt", "gophermap"] {
        let path = home.path().join(name);
        terminal.keys(&format!(":bookmarks export {}\r", path.display())).see(&format!("saved {}", path.display()));
    }
    terminal.keys("q").end();
    let file = home.path().join(".local/share/wayfarer/bookmarks.toml");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("folder = \"Texts/Short\"") && kept.contains(&format!("url = \"{url}\"")), "{kept}");

    // Each format comes back, into a file that the reader writes as well.
    for (name, kind) in [
        ("b.html", "1 of 1 taken from a browser's bookmarks"),
        ("lynx_b.html", "1 of 1 taken from bookmarks of lynx"),
        ("b.txt", "1 of 1 taken from a list of addresses"),
        ("gophermap", "1 of 1 taken from a gophermap"),
    ] {
        std::fs::write(&file, "# mine\nversion = 1\n\n# broken\n[[bookmark]]\nurl = 7\n").unwrap();
        let mut terminal = start(home.path(), &["about:bookmarks"]);
        terminal.see("bookmarks.toml:5: url: a text").see("There are none yet");
        terminal.keys(&format!(":bookmarks import {}\r", home.path().join(name).display())).see(kind);
        terminal.see("1 bookmark ·").keys(if name == "b.html" { "\t\t\r" } else { "\r" }).see("all of the text");
        terminal.keys("q").end();
        let kept = std::fs::read_to_string(&file).unwrap();
        assert!(kept.starts_with("# mine\nversion = 1\n\n# broken\n[[bookmark]]\nurl = 7\n"), "{kept}");
        assert!(kept.contains(&url), "{kept}");
    }
}

#[test]
fn two_copies_keep_each_other_s_bookmarks() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let mut one = start(home.path(), &[&server.url("0/text")]);
    let mut two = start(home.path(), &[&server.url("h/page")]);
    one.see("all of the text").keys("a").see("A new bookmark").keys("First\r").see("put among");
    two.see("words of the page").keys("a").see("A new bookmark").keys("\r").see("put among");
    two.keys("B").see("A page with a title").see("First").keys("q").end();
    one.keys("q").end();
    let kept = std::fs::read_to_string(home.path().join(".local/share/wayfarer/bookmarks.toml")).unwrap();
    assert_eq!(kept.matches("[[bookmark]]").count(), 2, "{kept}");
}

#[test]
fn hosts_that_want_tls_alone_are_forgotten_with_the_rest() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".local/share/wayfarer/hsts");
    let hosts = |terminal: &mut Terminal| {
        terminal.keys("q").end();
        let text = std::fs::read_to_string(&file).unwrap();
        text.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let until = "2999-01-01T00:00:00Z";
    std::fs::write(&file, format!("# wayfarer hsts 1\na.example\t{until}\nb.example\t{until}\n")).unwrap();
    let mut terminal = start(home.path(), &["about:safety"]);
    terminal
        .see("What you can rely on")
        .keys(":forget host a.example\r")
        .see("hosts that want")
        .keys("y")
        .see("forgotten");
    assert_eq!(hosts(&mut terminal), ["b.example"]);
    let mut terminal = start(home.path(), &["about:safety"]);
    terminal
        .see("What you can rely on")
        .keys("\x05")
        .see("hosts that want")
        .keys(":forget all\r")
        .see("all of your history")
        .keys("y")
        .see("forgotten");
    assert!(hosts(&mut terminal).is_empty());
}
