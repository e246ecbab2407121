//! What is new in sources of every kind, found over a restart; and when nobody is asked.

use crate::archive;
use crate::server::{Server, whole};
use crate::terminal::{Terminal, piped};
use rustix::process::Signal;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the servers have now.
#[derive(Default)]
struct Has {
    /// Pages of the web, by path: a media type and a text.
    web: HashMap<&'static str, (&'static str, String)>,
    /// Where one of them leads.
    moved: Option<String>,
    /// Rows of the directory, as MLSD lists them.
    directory: String,
    /// A page of gemtext.
    gemlog: String,
    /// The numbers of the group's articles.
    articles: Vec<u32>,
    /// Requests of the web with their heads.
    asked: Vec<String>,
}

type Shared = Arc<Mutex<Has>>;

/// Serves whoever comes to a port of its own.
fn open(shared: &Shared, serve: fn(&TcpStream, &Shared) -> std::io::Result<()>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, shared) = (listener.local_addr().unwrap().port(), Arc::clone(shared));
    std::thread::spawn(move || {
        while let Ok((visitor, _)) = listener.accept() {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || serve(&visitor, &shared));
        }
    });
    port
}

fn web(visitor: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let (mut lines, mut out) = (BufReader::new(visitor).lines(), visitor);
    let head: Vec<String> = lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let head = head.join("\n").to_lowercase();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut has = shared.lock().unwrap();
    has.asked.push(head.clone());
    if let Some(to) = has.moved.as_ref().filter(|_| path == "/moved") {
        let answer = format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return out.write_all(answer.as_bytes());
    }
    let Some((media, text)) = has.web.get(path.as_str()) else {
        return out.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let tag = format!("\"{}-{}\"", text.len(), path.len());
    if head.contains(&format!("if-none-match: {tag}")) {
        return out.write_all(b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n");
    }
    let length = text.len();
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nETag: {tag}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
    );
    out.write_all(answer.as_bytes())
}

fn ftp(visitor: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    archive::answer(visitor, |verb, rest| {
        let mut has = shared.lock().unwrap();
        has.asked.push(format!("{verb} {rest}"));
        has.directory.clone().into_bytes()
    })
}

fn spartan(visitor: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    BufReader::new(visitor).read_line(&mut String::new())?;
    let (mut out, page) = (visitor, shared.lock().unwrap().gemlog.clone());
    out.write_all(format!("2 text/gemini\r\n{page}").as_bytes())
}

fn news(visitor: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut out = visitor;
    out.write_all(b"200 ready\r\n")?;
    for line in BufReader::new(visitor).lines() {
        let line = line?;
        let articles = shared.lock().unwrap().articles.clone();
        let last = articles.last().copied().unwrap_or_default();
        let reply = match line.split(' ').next().unwrap_or_default() {
            "GROUP" => format!("211 {} 1 {last} g.one", articles.len()),
            "OVER" | "XOVER" => {
                let row =
                    |n: &u32| format!("{n}\tSubject {n}\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<{n}@h>\t\t100\t3\r\n");
                format!("224 here\r\n{}.", articles.iter().map(row).collect::<String>())
            }
            "MODE" => "200 go on".into(),
            "DATE" => "111 20250102030405".into(),
            "QUIT" => "205 bye".into(),
            _ => "500 what?".into(),
        };
        out.write_all(format!("{reply}\r\n").as_bytes())?;
    }
    Ok(())
}

fn feed(items: &[&str]) -> (&'static str, String) {
    let item = |name: &&str| {
        let text = format!("<p>Words <a href='/x'>of</a> {name}</p>{}", "<p>and more</p>".repeat(20));
        let text = text.replace('<', "&lt;");
        format!(
            "<item><title>{name}</title><link>/{name}</link><guid>{name}</guid><description>{text}</description></item>"
        )
    };
    channel(items.iter().map(item).collect())
}

/// A feed of names alone: of thousands, texts would be megabytes.
fn names_alone(items: &[&str]) -> (&'static str, String) {
    channel(items.iter().map(|name| format!("<item><title>{name}</title><link>/{name}</link></item>")).collect())
}

fn channel(items: String) -> (&'static str, String) {
    ("application/rss+xml", format!("<rss version='2.0'><channel><title>A blog</title>{items}</channel></rss>"))
}

fn menu(names: &[&str]) -> String {
    let row = |name: &&str| format!("0{name}\t/{name}\t127.0.0.1\t{{port}}\r\n");
    names.iter().map(row).collect::<String>() + ".\r\n"
}

fn row(name: &str, size: u32) -> String {
    format!("type=file;size={size};modify=20250102030405; {name}\r\n")
}

fn start(home: &Path, size: (u16, u16), arguments: &[&str]) -> Terminal {
    std::fs::create_dir_all(home.join(".local/state/wayfarer")).unwrap();
    let own = ["--no-session", "-o", "subscriptions.every=0"];
    let arguments: Vec<&str> = own.iter().chain(arguments).copied().collect();
    Terminal::start_with(&arguments, size.0, size.1, &[("HOME", home.to_str().unwrap()), ("TZ", "UTC")])
}

/// Takes a list by the command line; what it says.
fn import(home: &Path, text: &str) -> String {
    let list = home.join("list.opml");
    std::fs::write(&list, text).unwrap();
    let mut command = piped(home);
    let out = command.args(["subscriptions", "--import"]).arg(&list).output().unwrap();
    String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap()
}

fn opml(urls: &[(&str, String)]) -> String {
    let row = |(name, url): &(&str, String)| format!("<outline text=\"{name}\" xmlUrl=\"{url}\"/>");
    format!("<opml version='2.0'><body>{}</body></opml>", urls.iter().map(row).collect::<String>())
}

#[test]
fn sources_of_seven_kinds_find_exactly_what_changed_over_a_restart() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    let gopher = Server::start(vec![("/map", whole(menu(&["one", "two"])))]);
    {
        let mut has = shared.lock().unwrap();
        has.web.insert("/feed", feed(&["First"]));
        has.web.insert("/page", ("text/html", "<title>Page</title><h1>Old heading</h1>".into()));
        has.web.insert("/log.txt", ("text/plain", "A log\n\nThe first line\n".into()));
        has.web.insert("/same", feed(&["Same"]));
        has.moved = Some(gopher.url("1/map"));
        has.directory = row("a.txt", 10) + &row("b.txt", 20);
        has.articles = vec![1, 2];
        has.gemlog = "# A log\n=> a 2026-01-01 Alpha\n".into();
    }
    let (http, files, groups) = (open(&shared, web), open(&shared, ftp), open(&shared, news));
    let log = open(&shared, spartan);
    let sources = [
        ("A feed", format!("http://127.0.0.1:{http}/feed")),
        ("A page", format!("http://127.0.0.1:{http}/page")),
        ("A text", format!("http://127.0.0.1:{http}/log.txt")),
        ("As it was", format!("http://127.0.0.1:{http}/same")),
        ("A menu", gopher.url("1/map")),
        ("A gemlog", format!("spartan://127.0.0.1:{log}/log")),
        ("Files", format!("ftp://127.0.0.1:{files}/pub/")),
        ("A group", format!("news://127.0.0.1:{groups}/g.one")),
        ("Gone", format!("http://127.0.0.1:{http}/gone")),
        ("Moved", format!("http://127.0.0.1:{http}/moved")),
        ("Mine", "file:///etc/passwd".into()),
    ];
    assert_eq!(import(home.path(), &opml(&sources)), "10 taken; 1 left out, which are no addresses of the network\n");

    let mut terminal = start(home.path(), (80, 24), &["about:new"]);
    terminal.see("Look at all of them now").keys("r").see("9 items are new; 2 cannot be had");
    terminal
        .keys("c")
        .see("Nothing is new")
        .see("Gone")
        .see("cannot be had since")
        .see("404 Not Found")
        .see_no("A feed");
    terminal.see("It leads to gopher://").see("is not followed");
    terminal.signal(Signal::KILL).end();

    gopher.answer("/map", whole(menu(&["one", "three", "two"])));
    {
        let mut has = shared.lock().unwrap();
        has.web.insert("/feed", feed(&["Second", "First"]));
        has.web.insert("/page", ("text/html", "<title>Page</title><h1>New heading</h1><h1>Old heading</h1>".into()));
        has.web.insert("/log.txt", ("text/plain", "A log\n\nThe first line\nTwo more\nLines\n".into()));
        has.directory = row("a.txt", 10) + &row("b.txt", 21) + &row("c.txt", 5);
        has.articles = vec![1, 2, 3];
        has.gemlog = "=> b 2026-02-02 Beta\n=> a 2026-01-01 Alpha\n=> c About\n".into();
    }
    let mut terminal = start(home.path(), (80, 38), &["about:new"]);
    terminal.see("Look at all of them now").keys("r").see("9 items are new; 2 cannot be had").see("New since");
    let screen = terminal.screen();
    let news: Vec<&str> = screen.lines().map(str::trim).filter_map(|line| line.strip_prefix("• ")).collect();
    let mut news: Vec<&str> = news.iter().map(|line| line.split("  ").next().unwrap()).collect();
    news.sort_unstable();
    assert_eq!(
        news,
        ["Beta", "Lines", "New heading", "Second", "Subject 3", "Two more", "b.txt", "c.txt", "three"],
        "{screen}"
    );
    for name in ["A feed", "A page", "A menu", "A gemlog", "Files", "A group", "A text"] {
        assert!(screen.contains(name), "{name}: {screen}");
    }
    assert!(!screen.contains("As it was"), "{screen}");
    // The web was asked whether it is as it was.
    let asked = shared.lock().unwrap().asked.clone();
    assert!(asked.iter().any(|head| head.contains("get /same") && head.contains("if-none-match")), "{asked:#?}");

    // What was read is read, also by its address, and all of it at once; nothing is told twice.
    gopher.answer("/three", whole("the third\r\n"));
    terminal.keys(&format!("g{}\r", gopher.url("0/three"))).see("the third").keys("h").see("New since").see("8 items");
    terminal.see_no("• three").keys("c").see("Nothing is new").see("all is marked read; u takes it back").see("Gone");
    terminal.keys("u").see("8 items are unread again").see("• Beta").keys("c").see("Nothing is new");
    terminal.keys("r").see("nothing new; 2 cannot be had").keys("q").end();

    // On a small screen, too; and given to other programs.
    shared.lock().unwrap().articles.push(4);
    let mut terminal = start(home.path(), (40, 10), &["about:new"]);
    terminal.see("Gone").keys("r").see("1 item is new").see("A group").see("• Subject 4").keys("q").end();
    let out = piped(home.path()).args(["subscriptions", "--export", "urls"]).output().unwrap();
    let urls = String::from_utf8(out.stdout).unwrap();
    assert!(urls.starts_with(&format!("http://127.0.0.1:{http}/feed \"~A feed\"\n")), "{urls}");
}

/// A hotel's page in the place of a feed, and what is there of one that was never read.
#[test]
fn an_imported_feed_shows_what_it_has_whatever_stood_in_its_place_at_first() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    let portal = || ("text/html", "<title>Hotel</title><h1>Welcome</h1><a href=/in>Sign in</a>".to_owned());
    shared.lock().unwrap().web.insert("/feed", portal());
    shared.lock().unwrap().web.insert("/well", feed(&["third", "second", "first"]));
    let http = open(&shared, web);
    let url = |path: &str| format!("http://127.0.0.1:{http}{path}");
    import(home.path(), &opml(&[("A feed", url("/feed")), ("Well", url("/well"))]));
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new"]);
    terminal.see("Look at all of them now").keys("r").see("3 items are new").see("• third").see("• first");
    terminal.see_no("Sign in").keys("r").see("nothing new");
    shared.lock().unwrap().web.insert("/feed", feed(&["Second", "First"]));
    terminal.keys("r").see("2 items are new").see("• Second").see("• First").see("A feed");
    shared.lock().unwrap().web.insert("/feed", portal());
    terminal.keys("r").see("it was a feed before, and is a page now");
    shared.lock().unwrap().web.insert("/feed", feed(&["Third", "Second", "First"]));
    terminal.keys("r").see("1 item is new").see("• Third").see_no("cannot be had").keys("q").end();
}

#[test]
fn what_cannot_be_had_is_passed_over_once_round_and_stays_unread() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    shared.lock().unwrap().web.insert("/feed", feed(&["Old"]));
    let http = open(&shared, web);
    import(home.path(), &opml(&[("A feed", format!("http://127.0.0.1:{http}/feed"))]));
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new"]);
    terminal.see("Look at all of them now").keys("r").see("1 item is new").keys("c").see("Nothing is new");
    {
        let mut has = shared.lock().unwrap();
        has.web.insert("/feed", feed(&["gone", "here", "lost", "Old"]));
        has.web.insert("/here", ("text/html", "<p>words that are here".into()));
    }
    terminal.keys("r").see("3 items are new").see("• gone").keys("n").see("404").see("/gone");
    terminal.keys("\x1bj").see("words that are here").keys("\x1bj").see("404").see("/lost");
    terminal.keys("\x1bj").see("nothing else is new; 2 could not be had").see("• gone").see("• lost").see_no("• here");
    // Then all of it again.
    terminal.keys("n").see("/gone").keys("\x1bj").see("/lost").keys("\x1bj").see("2 could not be had");
    terminal.keys("q").end();

    // With nobody asked either; of a feed its entry stands there instead.
    let offline = ["--offline", "-o", "subscriptions.start=false", "about:new"];
    let mut terminal = start(home.path(), (80, 24), &offline);
    terminal.see("• gone").keys("n").see("this is its entry in the kept feed").see("of gone").keys("\x1bj");
    terminal.see("of lost").see_no("of gone").keys(":new\r").see("Nothing is new").keys("q").end();
}

#[test]
fn what_a_look_has_fetched_is_read_offline() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    let gopher = Server::start(vec![("/map", whole(menu(&["one", "two"])))]);
    {
        let mut has = shared.lock().unwrap();
        has.web.insert("/feed", feed(&["Firstborn"]));
        has.directory = row("a.txt", 10);
        has.articles = vec![1, 2];
        has.gemlog = "# A log\n=> a 2026-01-01 Alpha\n".into();
    }
    let (http, files, groups) = (open(&shared, web), open(&shared, ftp), open(&shared, news));
    let log = open(&shared, spartan);
    let sources = [
        ("A feed", format!("http://127.0.0.1:{http}/feed"), "Firstborn"),
        ("A menu", gopher.url("1/map"), "one"),
        ("A gemlog", format!("spartan://127.0.0.1:{log}/log"), "Alpha"),
        ("Files", format!("ftp://127.0.0.1:{files}/pub/"), "a.txt"),
        ("A group", format!("news://127.0.0.1:{groups}/g.one"), "Subject 2"),
    ];
    import(home.path(), &opml(&sources.clone().map(|(name, url, _)| (name, url))));
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new"]);
    terminal.see("Look at all of them now").keys("r").see("7 items are new").see_no("cannot be had").keys("q").end();

    let asked = shared.lock().unwrap().asked.len();
    let mut terminal = start(home.path(), (80, 24), &["--offline", "about:new?by=list"]);
    terminal.see("Your subscriptions");
    for (_, url, words) in &sources {
        terminal.keys(&format!("g{url}\r")).see(words).see("kept just now").see("offline");
    }
    // What can be read comes first: of seven items it is the feed's alone.
    terminal.keys(":new\r").see("· 7 items").keys("\x1bj").see("Words of Firstborn");
    // Items were not fetched.
    terminal.keys(&format!("g{}\r", gopher.url("0/one"))).see("No copy of this page is kept").keys("q").end();
    assert_eq!(shared.lock().unwrap().asked.len(), asked);
}

/// All that is old was new: the whole menu, each article, every entry.
#[test]
fn after_a_damaged_database_what_was_there_before_is_not_called_new() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    let gopher = Server::start(vec![("/map", whole(menu(&["one", "two"])))]);
    shared.lock().unwrap().web.insert("/feed", feed(&["Firstborn"]));
    let feed_url = format!("http://127.0.0.1:{}/feed", open(&shared, web));
    import(home.path(), &opml(&[("A feed", feed_url), ("A menu", gopher.url("1/map"))]));
    let new = ["-o", "subscriptions.start=false", "about:new"];
    let mut terminal = start(home.path(), (80, 24), &new);
    terminal.see("Look at all of them now").keys("r").see("3 items are new").see_no("damaged").keys("q").end();

    let file = home.path().join(".local/share/wayfarer/pages.db");
    std::fs::write(&file, b"this is no database\n".repeat(1000)).unwrap();
    let mut terminal = start(home.path(), (80, 24), &new);
    terminal.see("Look at all of them now").keys("r").see("nothing new").see("damaged and begun anew");
    shared.lock().unwrap().web.insert("/feed", feed(&["Second", "Firstborn"]));
    terminal.keys("r").see("1 item is new").see("Second").see_no("Firstborn").keys("q").end();
}

/// "2 items are new", and none was listed.
#[test]
fn what_was_found_and_cannot_be_kept_is_not_called_new() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    shared.lock().unwrap().web.insert("/feed", feed(&["Old"]));
    let http = open(&shared, web);
    import(home.path(), &opml(&[("A feed", format!("http://127.0.0.1:{http}/feed"))]));
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new"]);
    terminal.see("Look at all of them now").keys("r").see("1 item is new").keys("c").see("Nothing is new");
    shared.lock().unwrap().web.insert("/feed", feed(&["One", "Two", "Old"]));
    let database = rusqlite::Connection::open(home.path().join(".local/share/wayfarer/pages.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON found BEGIN SELECT RAISE(ABORT, 'no room'); END";
    database.execute_batch(full).unwrap();
    terminal.keys("r").see("what was found cannot be kept").see("no room").see("Nothing is new");
    database.execute_batch("DROP TRIGGER full").unwrap();
    terminal.keys("r").see("2 items are new").see("• One").keys("q").end();
}

/// Nothing else was looked at any more as long as one source went on and on.
#[test]
fn a_source_that_never_ends_does_not_hold_up_the_others() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    shared.lock().unwrap().web.insert("/feed", feed(&["Old"]));
    let http = open(&shared, web);
    let drips = open(&shared, |visitor, _| {
        let (mut out, mut more) = (visitor, [0]);
        BufReader::new(visitor).lines().map_while(Result::ok).find(String::is_empty);
        out.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")?;
        visitor.set_read_timeout(Some(Duration::from_millis(50)))?;
        // Until the other side closes.
        while out.write_all(b"x").is_ok() && !matches!(out.read(&mut more), Ok(0)) {}
        Ok(())
    });
    let all = [("Drips", format!("http://127.0.0.1:{drips}/")), ("A feed", format!("http://127.0.0.1:{http}/feed"))];
    import(home.path(), &opml(&all));
    let calm = ["-o", "subscriptions.start=false", "-o", "limits.silence=1 s", "about:new"];
    let mut terminal = start(home.path(), (80, 24), &calm);
    terminal.see("Look at all of them now").keys("r").see("1 item is new; 1 cannot be had").see("• Old");
    terminal.see("did not come whole within 5 seconds").keys("q").end();
}

/// A list that cannot be read read "you are subscribed to nothing".
#[test]
fn a_list_that_cannot_be_read_is_not_called_empty() {
    let home = tempfile::tempdir().unwrap();
    let list = home.path().join(".local/share/wayfarer/subscriptions.toml");
    std::fs::create_dir_all(list.parent().unwrap()).unwrap();
    std::fs::write(&list, b"[[subscription]]\nurl = \"gopher://127.0.0.1:1/\xff\"\n").unwrap();
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new"]);
    terminal.see("cannot be read").see("subscriptions.toml").see_no("subscribed to nothing");
    terminal.keys(":check-new\r").see_no("subscribed to nothing").see("subscriptions.toml:2").keys("q").end();
}

/// What is as it was has no copy otherwise, until it changes.
#[test]
fn a_source_whose_copy_was_forgotten_is_asked_for_all_of_it() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    shared.lock().unwrap().web.insert("/feed", feed(&["Firstborn"]));
    let http = open(&shared, web);
    let url = format!("http://127.0.0.1:{http}/feed");
    import(home.path(), &opml(&[("A feed", url.clone())]));
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new"]);
    terminal.see("Look at all of them now").keys("r").see("1 item is new");
    terminal.keys(":forget all\r").see("Forget all").keys("y").see("1 kept copy, 1 item that was new are forgotten");
    // Not because of being offline.
    terminal
        .keys(&format!(":open {url}\r"))
        .see("Words of Firstborn")
        .loaded()
        .keys(":forget all\r")
        .see("Forget all")
        .keys("y");
    terminal.see("1 page, 1 kept copy are forgotten").keys(":kept\r").see("No copy of this page").see_no(":offline");
    terminal.keys(":check-new\r").see("nothing new").keys(":kept\r").see("kept just now").keys("q").end();
    let asked = shared.lock().unwrap().asked.clone();
    assert!(!asked.last().unwrap().contains("if-none-match"), "{asked:#?}");
}

/// The tag went to whoever had led there.
#[test]
fn what_tells_whether_a_page_has_changed_goes_to_nobody_but_who_gave_it() {
    let (shared, other, home) = (Shared::default(), Shared::default(), tempfile::tempdir().unwrap());
    other.lock().unwrap().web.insert("/page", feed(&["Firstborn"]));
    let (first, second) = (open(&shared, web), open(&other, web));
    shared.lock().unwrap().moved = Some(format!("http://127.0.0.1:{second}/page"));
    import(home.path(), &opml(&[("A feed", format!("http://127.0.0.1:{first}/moved"))]));
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new"]);
    terminal.see("Look at all of them now").keys("r").see("1 item is new");
    terminal.keys(":check-new\r").see("nothing new").keys("q").end();
    let told = |shared: &Shared| -> Vec<bool> {
        shared.lock().unwrap().asked.iter().map(|head| head.contains("if-none-match")).collect()
    };
    assert_eq!((told(&shared), told(&other)), (vec![false; 2], vec![false, true]));
}

#[test]
fn a_feed_that_has_more_than_is_looked_at_says_so() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    let names: Vec<String> = (0..5_200).map(|n| format!("n{n}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    shared.lock().unwrap().web.insert("/feed", names_alone(&all[200..]));
    let http = open(&shared, web);
    import(home.path(), &opml(&[("A feed", format!("http://127.0.0.1:{http}/feed"))]));
    let said = "Only its first 5,000 items are looked at";
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new?by=list"]);
    terminal.see("Your subscriptions").keys(":check-new\r").see("20 items are new").see("4,980 older ones were there");
    terminal.see_no(said);
    terminal.keys(":new\r").see("· 20 items").keys("c").see("Nothing is new");
    terminal.keys(":new list\r").see("Your subscriptions");
    shared.lock().unwrap().web.insert("/feed", names_alone(&all[199..]));
    terminal.keys(":check-new\r").see("1 item is new").see(said);
    terminal.keys(":new\r").see("n199").see(said);
    shared.lock().unwrap().web.insert("/feed", names_alone(&all[5_000..]));
    terminal.keys(":check-new\r").see("nothing new").see_no(said).keys("q").end();
}

#[test]
fn a_directory_is_saved_without_the_one_above_it() {
    let (shared, home) = (Shared::default(), tempfile::tempdir().unwrap());
    shared.lock().unwrap().directory = "type=dir;modify=20250102030405; below\r\n".into();
    let url = format!("ftp://127.0.0.1:{}/pub/", open(&shared, ftp));
    let out = home.path().join("x.warc");
    let saved = piped(home.path()).args(["save", "--depth", "1", &url, "-o"]).arg(&out).output().unwrap();
    let said = String::from_utf8(saved.stdout).unwrap() + &String::from_utf8(saved.stderr).unwrap();
    let asked = shared.lock().unwrap().asked.clone();
    assert_eq!(asked.iter().filter(|line| line.starts_with("MLSD")).count(), 2, "{said} {asked:?}");
    assert!(said.contains("2 pages and files"), "{said}");
}

#[test]
fn what_an_import_takes_and_leaves_is_said() {
    let home = tempfile::tempdir().unwrap();
    let urls = "http://127.0.0.1:1/feed \"~A feed\" tech\nhttp://me:sesame@127.0.0.1:1/own\n";
    assert_eq!(import(home.path(), urls), "2 taken; the passwords in 1 are left out\n");
    let said = import(home.path(), "http://127.0.0.1:1/feed\nhttp://127.0.0.1:1/more\n");
    assert_eq!(said, "1 taken; 1 there already\n");
    let out = piped(home.path()).args(["subscriptions", "--export", "opml"]).output().unwrap();
    let opml = String::from_utf8(out.stdout).unwrap();
    assert!(opml.contains("category=\"tech\"") && !opml.contains("sesame"), "{opml}");
    // What is no list is none.
    let said = import(home.path(), "news:x:9:9:news:/var/spool/news:/bin/sh\nroot:x:0:0:root:/root:/bin/bash\n");
    assert!(said.contains("line 2 is no address") && said.contains("nothing was taken"), "{said}");
    let list = piped(home.path()).arg("subscriptions").output().unwrap();
    assert_eq!(String::from_utf8(list.stdout).unwrap().lines().count(), 3);
}

/// Newsboat's lines may name programs, which it runs.
#[test]
fn a_list_of_another_program_brings_and_takes_no_programs() {
    let home = tempfile::tempdir().unwrap();
    let urls = "http://127.0.0.1:1/feed\n\"query:Unread:unread = \\\"yes\\\"\"\nexec:~/bin/x.sh\nfilter:~/x.sh:http://127.0.0.1:1/f\n";
    let left = "left out, which are no addresses of the network\n";
    assert_eq!(import(home.path(), urls), format!("1 taken; 3 {left}"));
    assert_eq!(import(home.path(), &opml(&[("Evil", "exec:/tmp/evil.sh".into())])), format!("0 taken; 1 {left}"));
    let list = home.path().join(".local/share/wayfarer/subscriptions.toml");
    let rows = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, rows + "\n[[subscription]]\nurl = \"exec:/tmp/evil.sh\"\n").unwrap();
    for format in ["urls", "opml"] {
        let out = piped(home.path()).args(["subscriptions", "--export", format]).output().unwrap();
        let (given, said) = (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
        assert!(given.contains("http://127.0.0.1:1/feed") && !given.contains("evil"), "{given}");
        assert!(said.contains(&format!("1 {left}")), "{said}");
    }
}

#[test]
fn a_page_is_subscribed_to_by_one_key_and_nobody_is_asked_unseen() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![("", whole(menu(&["one"])))]);
    let url = server.url("1");
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", &url]);
    terminal.see("one").keys("A").see("subscribed to gopher://").keys("A").see("already");
    // What is there now is looked at, so that what comes is new.
    terminal.keys(":open about:new?by=list\r").see("Your subscriptions · 1").keys("r").see("nothing new");
    let looked = server.asked().len();
    server.answer("", whole(menu(&["one", "two"])));
    terminal.keys(":offline\r").see("offline: ").keys("r").see("nobody is asked").keys("q").end();

    // Neither offline, nor by a run that prints, nor where nothing may be written.
    let mut terminal = start(home.path(), (80, 24), &["--offline", "about:new"]);
    terminal.see("Nothing is new").keys("r").see("nobody is asked").keys("q").end();
    let mut terminal = start(home.path(), (80, 24), &["--safe", "about:new"]);
    terminal.see("You are subscribed to nothing").keys("q").end();
    for page in ["about:new", "about:new?check", "about:new?add=gopher%3A%2F%2Funasked%2F"] {
        piped(home.path()).args(["--dump", page]).output().unwrap();
    }
    let list = piped(home.path()).arg("subscriptions").output().unwrap();
    assert_eq!(String::from_utf8(list.stdout).unwrap(), format!("{url}\n"));
    assert_eq!(server.asked().len(), looked, "{:?}", server.asked());

    // At the start, where the settings say so, and it is due.
    let database = home.path().join(".local/share/wayfarer/pages.db");
    std::fs::remove_file(database).unwrap();
    let mut terminal = start(home.path(), (80, 24), &["about:home"]);
    terminal.see_that("the server is asked", |_| server.asked().len() > looked);
    // What was known is lost, so that it is as the list of another program.
    terminal.keys(":new\r").see("• two").keys(&format!(":unsubscribe {url}\r")).see("any more");
    terminal.keys(":new list\r").see("You are subscribed to nothing").keys("q").end();
    let list = home.path().join(".local/share/wayfarer/subscriptions.toml");
    assert!(!std::fs::read_to_string(list).unwrap().contains("gopher:"));
}

#[test]
fn a_row_by_hand_that_is_damaged_costs_itself() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![("", whole(menu(&["one"])))]);
    let list = home.path().join(".local/share/wayfarer/subscriptions.toml");
    std::fs::create_dir_all(list.parent().unwrap()).unwrap();
    let text = format!(
        "# mine\n[[subscription]]\nurl = 3\n\n[[subscription]]\nurl = \"{}\" # good\ntitle = \"A menu\"\n",
        server.url("1")
    );
    std::fs::write(&list, &text).unwrap();
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new?by=list"]);
    terminal.see("A menu").see("subscriptions.toml:2: url: a text in quotes");
    terminal.keys(":subscribe gopher://127.0.0.1:1/\r").see("subscribed to").keys("q").end();
    let now = std::fs::read_to_string(&list).unwrap();
    assert!(now.contains(&text) && now.contains("url = \"gopher://127.0.0.1:1/\""), "{now}");
}

#[test]
fn what_was_unsubscribed_from_comes_back_with_its_row_and_what_is_unread() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![("", whole(menu(&["one"]))), ("/other", whole(menu(&["x"])))]);
    let list = home.path().join(".local/share/wayfarer/subscriptions.toml");
    std::fs::create_dir_all(list.parent().unwrap()).unwrap();
    let row = |path: &str, words: &str| format!("\n[[subscription]]\nurl = \"{}\"{words}\n", server.url(path));
    let text = row("1", " # mine\ntitle = \"A menu\"") + &row("1/other", "\ntitle = \"Other\"");
    std::fs::write(&list, &text).unwrap();
    let mut terminal = start(home.path(), (80, 24), &["-o", "subscriptions.start=false", "about:new"]);
    terminal.see("Look at all of them now").keys("r").see("2 items are new").keys("c").see("Nothing is new");
    server.answer("", whole(menu(&["one", "two"])));
    terminal.keys("r").see("1 item is new").see("• two").keys("\x1b[Hx").see("any more; u on about:new");
    terminal.see("Nothing is new").see_no("• two").keys("u").see("subscribed to gopher://").see("again").see("• two");
    terminal
        .keys("u")
        .see("taken back: 2 items are unread again")
        .keys("u")
        .see("nothing to take back")
        .keys("q")
        .end();
    assert_eq!(std::fs::read_to_string(&list).unwrap(), text);
}
