//! Charsets that the reader chooses, for how much, and what is sent in them; compressed files.

use super::journey::Journey;
use super::web_forms::Forms;
use wayfarer::app::{Effect, Kept, ListKind, Msg, Overlay, PageState, Remembered, Scope, SiteChoice};
use wayfarer::format::media;
use wayfarer::proto::Again;

fn cp437() -> SiteChoice {
    SiteChoice::Charset("cp437".into())
}

fn list(j: &Journey) -> (ListKind, Vec<String>) {
    match j.app.hands.overlays().last() {
        Some(over @ Overlay::List { kind, .. }) => {
            let rows = (0..over.passing()).filter_map(|at| over.passing_row(at));
            (*kind, rows.map(|item| item.text).collect())
        }
        other => panic!("expected a list, there is {other:?}"),
    }
}

#[test]
fn a_charset_is_chosen_for_a_page_a_path_or_a_host_and_taken_back() {
    let kept = |host: &str, name: &str| {
        Effect::Keep(Kept::Site { host: host.into(), choice: SiteChoice::Charset(name.into()) })
    };
    let open = |j: Journey, url: &str| j.open(url).answer(media::PLAIN, b"caf\x82\n");
    let j = open(Journey::new(), "gopher://h/0/a/b").run("charset cp437 page");
    let j = j.expect(kept("gopher://h/0/a/b", "cp437")).quiet().shows("café");
    let j = open(j, "gopher://h/0/a/c").shows("caf‚").run("charset cp850 path");
    let j = j.expect(kept("gopher://h/0/a/*", "cp850")).quiet().shows("café");
    let j = open(open(j, "gopher://h/0/a/d").shows("café"), "gopher://h/0/e").shows("caf‚");
    let j = open(j, "gopher://h/0/a/b").shows("café").run("charset automatic");
    let j = j.expect(kept("gopher://h/0/a/b", "automatic")).expect(kept("gopher://h/0/a/*", "automatic"));
    j.expect(kept("h", "automatic")).quiet().shows("caf‚").notes("as it says");
}

#[test]
fn the_list_of_charsets_begins_with_none_and_ends_with_other_places() {
    let j = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, b"caf\x82\n").keys("C");
    let (_, rows) = list(&j);
    assert_eq!((rows[0].as_str(), rows[1].as_str()), ("automatic", "utf-8"));
    assert!(rows.iter().any(|row| row.contains("pages below gopher://h/0/")), "{rows:?}");
    let j = j.text("alone").keys("Enter");
    assert_eq!(list(&j).0, ListKind::Charsets(Scope::Page));
    let host = "gopher://h/0/a".into();
    let j = j.text("cp437").keys("Enter").expect(Effect::Keep(Kept::Site { host, choice: cp437() })).quiet();
    j.shows("café").open("gopher://h/0/b").answer(media::PLAIN, b"caf\x82\n").shows("caf‚");
}

/// Files have no host: what is chosen for one holds for it, or for its folder where that is asked for.
#[test]
fn a_charset_of_a_file_does_not_hold_for_all_files() {
    let kept = |host: &str| Effect::Keep(Kept::Site { host: host.into(), choice: cp437() });
    let open = |j: Journey, url: &str| j.open(url).answer(media::PLAIN, b"caf\x82\n");
    let j = open(Journey::new(), "file:///a/b.txt").keys("C");
    assert_eq!(list(&j).0, ListKind::Charsets(Scope::Page));
    let (_, rows) = list(&j);
    assert!(rows.iter().any(|row| row.contains("pages below file:///a/")), "{rows:?}");
    assert!(!rows.iter().any(|row| row.contains("host")), "{rows:?}");
    let j = j.text("cp437").keys("Enter").expect(kept("file:///a/b.txt")).quiet().shows("café");
    let j = open(open(j, "file:///a/c.txt").shows("caf‚"), "file:///a/b.txt").shows("café");
    let j = open(j, "file:///c/d.txt").run("charset cp437").expect(kept("file:///c/d.txt")).quiet();
    let j = open(j, "file:///c/e.txt").shows("caf‚").run("charset cp437 path").expect(kept("file:///c/*")).quiet();
    let j = open(open(j, "file:///c/f.txt").shows("café"), "file:///d.txt").shows("caf‚");
    j.run("charset cp437 host").notes("of no host");
}

/// What an earlier run kept for all files does not come back.
#[test]
fn a_charset_kept_for_no_host_holds_for_nothing() {
    let mut j = Journey::new();
    j.remember(Remembered { charsets: [(String::new(), "cp437".into())].into(), ..Remembered::default() });
    j.open("file:///a").answer(media::PLAIN, b"caf\x82\n").shows("caf‚");
}

#[test]
fn the_measure_and_the_reader_view_of_files_are_of_their_folder() {
    let folder = |choice| Effect::Keep(Kept::Site { host: "file:///a/".into(), choice });
    let links: String = (0..9).map(|n| format!("<li><a href={n}>around {n}</a>")).collect();
    let page = format!("<nav><ul>{links}</ul></nav><main>{}</main>", "<p>The content of it.".repeat(50));
    let open = |j: Journey, url: &str| j.open(url).answer(media::HTML, page.as_bytes());
    let j = open(Journey::new(), "file:///a/b.html").shows("around").run("reader");
    let j = j.expect(folder(SiteChoice::Reader(true))).notes("this folder");
    let j = open(j, "file:///a/c.html").shows("navigation (");
    let j = open(j, "file:///b/c.html").look(|j| assert!(!j.page().contains("navigation (")));
    j.run("measure").expect(Effect::Keep(Kept::Site { host: "file:///b/".into(), choice: SiteChoice::Measure(false) }));
}

#[test]
fn a_charset_for_a_host_does_not_overrule_utf8() {
    let mut j = Journey::new();
    j.app.desk.settings.charset.hosts.insert("h".into(), "koi8-r".into());
    let j = j.open("gopher://h/0a").answer(media::PLAIN, "Größe\n".as_bytes()).shows("Größe");
    // asked for here and now, it does
    let kept = Kept::Site { host: "h".into(), choice: SiteChoice::Charset("koi8-r".into()) };
    j.run("charset koi8-r").expect(Effect::Keep(kept)).quiet().shows("Grц╤ц÷e");
}

#[test]
fn a_charset_holds_for_groups_of_a_kind() {
    let j = Journey::new().open("nntp://h/fido7.su.chainik/5").answer(media::PLAIN, b"\xEB\xCF\xD4\n");
    let kept = Kept::Site { host: "news:fido7.su.*".into(), choice: SiteChoice::Charset("koi8-r".into()) };
    let j = j.run("charset koi8-r groups").expect(Effect::Keep(kept)).quiet();
    let j = j.open("nntp://other/fido7.su.books/7").answer(media::PLAIN, b"\xEB\xCF\xD4\n").shows("Кот");
    j.open("nntp://other/comp.lang.c/7").answer(media::PLAIN, b"caf\xE9\n").shows("café");
}

/// One host carries all hierarchies: what is right for one group breaks the others.
#[test]
fn a_charset_chosen_in_a_group_holds_for_that_group_and_no_other_of_its_server() {
    let kept = Kept::Site { host: "news:fido7.su.chainik".into(), choice: SiteChoice::Charset("koi8-r".into()) };
    let j = Journey::new();
    let j = j.open("news://h/fido7.su.chainik").answer(media::NEWSGROUP, b"fido7.su.chainik\t1\t0\n");
    let j = j.open("news://h/a@x").answer(media::MESSAGE, b"Subject: s\n\n\xEB\xCF\xD4\n").keys("C");
    assert_eq!(list(&j).0, ListKind::Charsets(Scope::Group));
    let j = j.text("koi8-r").keys("Enter").expect(Effect::Keep(kept)).quiet().shows("Кот");
    let j = j.open("news://h/de.test").answer(media::NEWSGROUP, b"de.test\t1\t0\n");
    j.open("news://h/b@x").answer(media::MESSAGE, b"Subject: s\n\nGr\xFC\xDFe\n").shows("Grüße");
}

#[test]
fn words_for_a_search_leave_in_the_charset_of_the_page() {
    let menu = b"7\xF0\xCF\xC9\xD3\xCB \xD0\xCF \xC1\xD2\xC8\xC9\xD7\xD5\t/find\th\t70\r\n.\r\n";
    let j = Journey::new().open("gopher://h/").answer(media::MENU, menu).shows("Поиск");
    let j = j.keys("Enter").text("кот").keys("Enter");
    j.expect_fetch("gopher://h/7/find%09%CB%CF%D4");
    let j = Journey::new().open("gopher://h/").answer(media::MENU, b"7Find\t/find\th\t70\r\n.\r\n");
    j.keys("Enter").text("кот").keys("Enter").expect_fetch("gopher://h/7/find%09%D0%BA%D0%BE%D1%82");
}

#[test]
fn a_compressed_text_is_shown_and_its_octets_kept() {
    let octets = include_bytes!("../../data/unpack/small.gz");
    let j = Journey::new().open("ftp://h/README.gz").answer("application/gzip", octets);
    let j = j.shows("gopher").state(PageState::Complete);
    let page = j.app.entry().unwrap().page.as_deref().unwrap();
    assert_eq!((page.source.as_deref(), page.head.media.as_str()), (Some(&octets[..]), "application/gzip"));
    // the source of it is what is inside
    j.keys("\\").quiet().shows("gopher");
    let j = Journey::new().open("ftp://h/x.tar.gz").head("application/gzip");
    j.expect_fetch("archive://ftp%3A%2F%2Fh%2Fx.tar.gz/");
}

/// Opened from the command line, read in this charset.
fn begun(places: &[&str], charset: &str) -> Journey {
    let places = places.iter().map(|place| super::journey::url(place)).collect();
    Journey::new().send(Msg::Open { places, media: None, charset: Some(charset.into()) })
}

#[test]
fn the_charset_of_the_command_line_counts_more_than_what_a_page_says() {
    let page = b"<meta charset=koi8-r><title>t</title><p>caf\x82";
    let j = begun(&["http://h/a#x"], "cp437").moved("/b#x", Again::Get).answer("text/html", page);
    let read = |j: &Journey| {
        let read = j.app.entry().unwrap().document().unwrap().charset.clone().unwrap();
        (read.name, read.why)
    };
    assert_eq!(read(&j), ("cp437".into(), "chosen".into()));
    let j = j.shows("café").keys("R").answer("text/html", page).shows("café");
    // It holds for what was given, not for where that leads, and is taken back as any choice.
    let j = j.open("http://h/d").answer("text/html", page);
    assert_eq!(read(&j), ("koi8-r".into(), "declared".into()));
    let j = j.keys("Left").run("charset automatic").shows("caf┌");
    assert!(!format!("{:?}", j.effects).contains("cp437"), "nothing of it is kept");
}
