//! How the reader came to a page: the page of it, its name and notes, and the files for others.

use super::journey::{Journey, url};
use wayfarer::app::{Effect, Kept, Msg};
use wayfarer::format::media;
use wayfarer::visits::{Visit, Visits};
use wayfarer::work::Work;

fn clock(j: Journey, time: &str) -> Journey {
    j.send(Msg::Clock(format!("2026-11-21T{time}:00+00:00[UTC]").parse().unwrap()))
}

/// From a menu to a page, to the one it links to, back, and on to another.
fn walk() -> Journey {
    let j = clock(Journey::new(), "12:00").open("http://h.example/");
    let j = j.answer(media::HTML, b"<title>Start</title><a href=one>one</a> <a href=two>two</a>");
    let j = clock(j, "12:05").keys("Enter").answer(media::HTML, b"<title>One</title><a href=deep>deep</a>");
    let j = clock(j, "12:06").keys("Enter").answer(media::HTML, b"<title>Deep</title>x").keys("h h");
    let j = clock(j, "12:10").keys("Tab Enter").answer(media::HTML, b"<title>Two</title>x");
    j.keys("h").keys("S-Tab Enter").answer(media::HTML, b"<title>One</title><a href=deep>deep</a>")
}

/// The file that a command writes.
fn saved(j: Journey, name: &str) -> String {
    let j = j.run(&format!("trail save ~/{name}")).work();
    let write = j.effects.iter().find_map(|effect| match effect {
        Effect::Write { content, .. } => Some(String::from_utf8(content.clone()).unwrap()),
        _ => None,
    });
    write.unwrap_or_else(|| panic!("{:?}", j.effects))
}

#[test]
fn the_trail_shows_how_one_came_here_and_where_one_turned_off() {
    let j = walk().keys("M-T").at_url("about:trail?of=http%3A%2F%2Fh.example%2Fone").quiet();
    let j = j.shows("How you came here").shows("2 pages; none led to the first").shows("Today");
    let page = j.page();
    let places: Vec<usize> = ["Start", "also  Two", "One", "also  Deep"]
        .iter()
        .map(|words| page.find(words).unwrap_or_else(|| panic!("{words:?} is not in {page}")))
        .collect();
    assert!(places.is_sorted(), "{page}");
    j.keys("Enter").expect_fetch("http://h.example/");
}

#[test]
fn the_visit_says_what_led_to_it() {
    let j = walk();
    let led = |page: &str| j.app.library.visits.led(&url(page)).map(str::to_owned);
    assert_eq!(led("http://h.example/"), None);
    assert_eq!(led("http://h.example/deep").as_deref(), Some("http://h.example/one"));
    let j = j.keys("Enter").head(media::HTML);
    let kept = j.effects.iter().any(|effect| {
        matches!(effect, Effect::Keep(Kept::Visit { url, led, .. })
            if url == "http://h.example/deep" && led == "http://h.example/one")
    });
    assert!(kept, "{:?}", j.effects);
}

#[test]
fn a_trail_is_named_and_annotated_and_its_address_keeps_that() {
    let j = walk().keys("M-T").run("trail name To the deep").quiet().shows("To the deep");
    let j = j.run("trail note mind the step").quiet().shows("mind the step");
    let address = j.app.entry().unwrap().url.clone();
    // Another tab that opens that address has the same.
    let j = j.run("new-tab").keys("Esc").open(address.as_str()).quiet().shows("To the deep").shows("mind the step");
    let j = j.run("trail note").quiet();
    assert!(!j.page().contains("mind the step"), "no words take it away: {}", j.page());
    j.run("trail name").quiet().shows("How you came here");
}

#[test]
fn the_bookmark_of_a_trail_has_its_name_and_its_notes_whenever_they_were_written() {
    let j = walk().keys("M-T").shows("bookmarked, it stays").run("bookmark").keys("Enter");
    let j = j.run("trail name To the deep").run("trail note mind the step");
    let address = j.app.entry().unwrap().url.clone();
    let kept: Vec<_> = j.app.library.bookmarks.iter().map(|kept| (kept.title.clone(), kept.url.clone())).collect();
    assert_eq!(kept, [("To the deep".to_owned(), address.as_str().to_owned())]);
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Bookmarks(_)))), "{:?}", j.effects);
    // What the reader calls it stays.
    let j = j.keys("a C-e").text("!").keys("Enter").run("trail name Another");
    let kept: Vec<_> = j.app.library.bookmarks.iter().map(|kept| kept.title.as_str()).collect();
    assert_eq!(kept, ["To the deep!"]);
}

#[test]
fn a_trail_is_written_for_others_as_the_name_of_the_file_says() {
    let j = || walk().keys("M-T").run("trail name Way").run("trail note a *note*");
    assert_eq!(
        saved(j(), "way.gmi"),
        "# Way\n\n=> http://h.example/ Start\n> a *note*\n\n=> http://h.example/one One\n"
    );
    assert_eq!(
        saved(j(), "way.md"),
        "# Way\n\n1. [Start](<http://h.example/>)\n\n   a \\*note\\*\n1. [One](<http://h.example/one>)\n"
    );
    let html = saved(j(), "way.html");
    assert!(html.contains("<li><a href=\"http://h.example/\">Start</a><br>a *note*</li>\n"), "{html}");
    assert_eq!(
        saved(j(), "gophermap"),
        "iWay\t\terror.invalid\t70\r\ni\t\terror.invalid\t70\r\nhStart\tURL:http://h.example/\terror.invalid\t70\r\n\
         ia *note*\t\terror.invalid\t70\r\nhOne\tURL:http://h.example/one\terror.invalid\t70\r\n.\r\n"
    );
    j().run("trail save way.pdf").notes("The file's name says the kind").quiet();
}

#[test]
fn a_page_that_is_not_in_the_history_has_no_trail() {
    Journey::new().keys("M-T").notes("no trail leads to this page");
    let j = Journey::new()
        .open("http://h.example/")
        .fail(wayfarer::proto::FetchError::new(wayfarer::proto::Kind::Refused, "no"));
    j.keys("M-T").notes("no trail leads to this page");
    let j = Journey::new().open("about:trail?of=http%3A%2F%2Fnever.example%2F").quiet();
    let j = j.shows("The history knows nothing of that page.").run("trail save a.md").notes("no trail leads").quiet();
    j.open("about:trail").shows("Before this page there is none in this tab.");
}

#[test]
fn nothing_of_a_private_tab_is_on_a_trail() {
    let j = Journey::new()
        .keys("C-w p")
        .text("http://secret.example/")
        .keys("Enter")
        .answer(media::HTML, b"<a href=http://b/>b</a>");
    let j = j.keys("Enter").answer(media::PLAIN, b"x").keys("M-T");
    assert!(!j.page().contains("secret"), "{}", j.page());
    // A page that was opened from there by another tab names nobody.
    assert!(j.app.library.visits.is_empty());
}

#[test]
fn the_trail_in_a_long_history_is_found_and_laid_out_elsewhere() {
    let mut visits = Visits::default();
    for n in 0..3_000 {
        visits.add(Visit { url: &format!("http://h.example/{n}"), title: "", time: n, count: 1 });
    }
    let mut j = Journey::new();
    j.app.library.visits = visits;
    let j = j.hold().open("about:trail?of=http%3A%2F%2Fh.example%2F7");
    assert!(matches!(j.works[..], [(_, Work::Track(_))]));
    let j = j.work().shows("No page led to this one").quiet();
    // Who has gone on does not wait.
    let j = j.hold().open("about:trail?of=http%3A%2F%2Fh.example%2F8").open("about:history");
    assert!(!j.works.iter().any(|(_, work)| matches!(work, Work::Track(_))));
}

/// A title that would be more than words in one kind of file or another.
const HOSTILE: &str = "a\n=> gopher://evil/ x\r\n1evil\t/\tevil.example\t70\r\n.\r\n](http://evil/) <script>alert(1)</script> \
                       \u{202e}drawkcab\u{2066} \u{1b}[31mred\u{1b}]0;t\u{7} \u{9b}2J &lt;b> \"'` ![i](x) \u{2028}# h";

#[test]
fn a_hostile_title_is_words_in_every_kind_of_file() {
    let text = String::from("https://h.example/\u{202e}?a=<b>&quot;\\)\u{2028}");
    let mut v = Visits::default();
    v.add(Visit { url: "file:///home/reader/secret/diary.txt", title: "Diary", time: 1, count: 1 });
    let diary = url("file:///home/reader/secret/diary.txt");
    // The file of visits cannot say it with line breaks; a title that comes another way can.
    let title = HOSTILE.replace(['\n', '\r', '\t'], " ");
    v.add_led(Visit { url: &text, title: &title, time: 2, count: 1 }, Some(&diary));
    let mut j = Journey::new();
    j.app.library.visits = v;
    let of = wayfarer::url::escape::encode(text.as_bytes(), b"");
    let note = wayfarer::url::escape::encode(format!("{text} {HOSTILE}").as_bytes(), b"");
    let name = wayfarer::url::escape::encode(HOSTILE.as_bytes(), b"");
    let address = format!("about:trail?of={of}&name={name}&note={note}");
    for kind in ["a.gmi", "a.md", "a.html", "gophermap"] {
        let mut other = Journey::new();
        other.app.library.visits = j.app.library.visits.clone();
        let file = saved(other.open(&address), kind);
        let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        assert!(
            !file
                .chars()
                .any(|c| odd(c) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}')),
            "{file:?}"
        );
        assert!(!file.contains("/home/reader"), "{file}");
        let lines: Vec<&str> = file.lines().collect();
        match kind {
            "a.gmi" => {
                assert_eq!(lines.iter().filter(|line| line.starts_with("=>")).count(), 1, "{file}");
                assert_eq!(lines.iter().filter(|line| line.starts_with('#')).count(), 1, "{file}");
            }
            "a.md" => {
                // Without what is escaped there is the one link, and no picture or element.
                let plain: Vec<&str> =
                    file.split('\\').enumerate().map(|(n, part)| part.get(n.min(1)..).unwrap_or("")).collect();
                let plain = plain.concat();
                for sign in ["](h", "<s", "![", "&l"] {
                    assert!(!plain.contains(sign), "{sign} in {plain}");
                }
                assert_eq!(file.matches("](<").count(), 1, "{file}");
            }
            "a.html" => {
                assert_eq!(file.matches('<').count(), file.matches('>').count(), "{file}");
                assert!(!file.contains("<script") && !file.contains("<b>") && file.contains("&amp;lt;b&gt;"), "{file}");
                assert_eq!(file.matches("href=").count(), 1, "{file}");
            }
            _ => {
                for line in &lines[..lines.len() - 1] {
                    assert_eq!(line.matches('\t').count(), 3, "{line:?} in {file:?}");
                    assert!(line.ends_with("\terror.invalid\t70"), "{line:?}");
                }
                assert_eq!((lines.last(), lines.iter().filter(|line| line.starts_with('h')).count()), (Some(&"."), 1));
            }
        }
    }
    j = j.open(&address);
    assert!(!j.page().chars().any(|c| c.is_control() && c != '\n'), "{:?}", j.page());
}

#[test]
fn the_anatomy_says_which_pages_that_were_read_link_here() {
    let mut j = Journey::new().open("http://h.example/").answer(media::HTML, b"x").quiet();
    j.linked =
        ["http://a.example/", "gemini://b.example/x A title", "no address", "http://c/", "http://d/", "http://e/ E"]
            .map(str::to_owned)
            .to_vec();
    let j = j.keys("=");
    let over = j.over();
    assert!(
        over.contains("links here   http://a.example/") && over.contains("A title  gemini://b.example/x"),
        "{over}"
    );
    assert!(over.contains("2 more pages that you read link here") && !over.contains("http://e/"), "{over}");
    // Nobody is asked of a page of this machine, nor of the program's own.
    let mut j = Journey::new().open("about:home").answer(media::OWN, b"# x");
    j.linked = vec!["http://a.example/".into()];
    assert!(!j.keys("=").over().contains("links here"));
}

#[test]
fn where_a_page_is_asked_of_no_secret_of_its_address_is_told() {
    let mut j = Journey::new().open("http://me:geheim@h.example/").answer(media::HTML, b"x");
    j.linked = vec!["http://a.example/ \u{1b}[31m\u{202e}x".into()];
    let j = j.keys("=");
    let over = j.over();
    assert!(over.contains("links here") && !over.contains(['\u{1b}', '\u{202e}']), "{over:?}");
    assert!(!format!("{:?}", j.fetches).contains("about:linked"));
}

#[test]
fn of_a_page_in_a_private_tab_it_is_asked_in_private() {
    let mut j = Journey::new().keys("C-w p").text("http://secret.example/").keys("Enter").answer(media::HTML, b"x");
    j.linked = vec!["http://a.example/".into()];
    assert!(j.keys("=").over().contains("links here"));
}

/// Titles of directories and of files without a title are their places.
#[test]
fn of_what_lies_on_this_machine_others_are_told_the_name_alone() {
    let mut v = Visits::default();
    let places = [
        ("file:///home/reader/divorce/", "/home/reader/divorce/"),
        ("file:///home/reader/divorce/letter.txt", ""),
        ("archive://files/home/reader/all.zip/a/b.txt", "all.zip: a/b.txt"),
        ("gopher://h.example/", "Far"),
    ];
    let mut led: Option<wayfarer::url::Url> = None;
    for (time, (place, title)) in (1..).zip(places) {
        v.add_led(Visit { url: place, title, time, count: 1 }, led.as_ref());
        led = Some(url(place));
    }
    for kind in ["a.gmi", "a.md", "a.html", "gophermap"] {
        let mut j = Journey::new();
        j.app.library.visits = v.clone();
        let file = saved(j.open("about:trail?of=gopher://h.example/"), kind);
        assert!(!file.contains("home") && !file.contains("reader"), "{file}");
        assert!(file.contains("divorce") && file.contains("letter") && file.contains("Far"), "{file}");
    }
    let mut j = Journey::new();
    j.app.library.visits = v.clone();
    let file = saved(j.open("about:trail?of=file:///home/reader/divorce/"), "a.gmi");
    assert!(!file.contains("home"), "{file}");
}

#[test]
fn a_page_gives_no_trail_a_name_or_notes_unasked() {
    let link = "about:trail?of=gopher://h.example/&name=Your%20bank";
    let page = format!("<a href='{link}'>x</a> <a href='about:trail?of=gopher://h.example/'>y</a>");
    let j = Journey::new().open("http://h.example/").answer(media::HTML, page.as_bytes());
    let j = j.keys("Enter").asks("a trail of yours, with a name and notes that you have not written");
    j.text("n").keys("Tab Enter").free();
}
