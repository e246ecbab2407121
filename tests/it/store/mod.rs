//! Pages that were read: copies, words in them, what is not kept, how much, and what a damaged file costs.

mod sources;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use wayfarer::format::{Input, media, parse};
use wayfarer::proto::{Content, Head, Login, Request, Resume};
use wayfarer::store::{Later, Most, Seen, Sought, Store, may_be_kept};
use wayfarer::url::Url;
use wayfarer::visits::Forget;

const PLENTY: Most = Most { octets: 64 << 20, days: 365 };
const NOW: i64 = 1_700_000_000;

/// A running copy, and what it has said.
struct Copy {
    store: Store,
    said: Arc<Mutex<Vec<String>>>,
    runtime: tokio::runtime::Runtime,
}

impl Copy {
    fn of(file: &Path, most: Most) -> Copy {
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = Arc::clone(&said);
        let store = Store::new(file.to_path_buf(), most, move |sentence| told.lock().unwrap().push(sentence));
        store.wake();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        Copy { store, said, runtime }
    }

    fn keep(&self, page: Seen) -> &Copy {
        self.store.keep(page, |_| {});
        self
    }

    /// The octets of the copy of a page.
    fn copy(&self, address: &str) -> Option<Vec<u8>> {
        self.runtime.block_on(self.store.copy(&url(address))).unwrap().map(|copy| copy.octets)
    }

    fn find(&self, words: &str) -> (Vec<String>, Vec<String>) {
        let found = self.runtime.block_on(self.store.find(Sought { words: words.into(), most: 50, now: NOW })).unwrap();
        let urls = |rows: Vec<wayfarer::store::Row>| rows.into_iter().map(|row| row.url).collect();
        (urls(found.pages), urls(found.items))
    }

    fn put_by(&self, address: &str, time: i64, gone: bool) {
        let later = Later { url: url(address), title: format!("title of {address}"), time, here: false, gone };
        let (told, answer) = std::sync::mpsc::channel();
        self.store.put_by(later, move |done| told.send(done).unwrap());
        answer.recv_timeout(Duration::from_secs(60)).unwrap().unwrap();
    }

    fn later(&self) -> Vec<String> {
        let all = self.runtime.block_on(self.store.later()).unwrap();
        all.into_iter().map(|later| later.url.as_str().to_owned()).collect()
    }

    /// What was said until all is written.
    fn said(&self) -> Vec<String> {
        self.store.finish_within(Duration::from_secs(60));
        self.said.lock().unwrap().clone()
    }
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn seen(address: &str, kind: &str, octets: impl AsRef<[u8]>, time: i64) -> Seen {
    let (url, octets) = (url(address), octets.as_ref());
    let (groups, notices) = (Default::default(), Vec::new());
    let input = Input { media: kind.into(), charset: None, url: url.clone(), groups, notices };
    Seen {
        head: Head { lines: vec!["as it was said".into()], ..Head::new(url.clone(), kind) },
        url,
        octets: octets.into(),
        document: Arc::new(parse(&input, octets).unwrap()),
        sent: vec!["/asked".into()],
        time: jiff::Timestamp::from_second(time).unwrap(),
        unread: false,
    }
}

fn text(address: &str, octets: impl AsRef<[u8]>, time: i64) -> Seen {
    seen(address, media::PLAIN, octets, time)
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("below/pages.db");
    (folder, file)
}

#[test]
fn a_copy_has_every_octet_and_says_when_it_came() {
    let ((_folder, file), octets) = (place(), (0..=u8::MAX).cycle().take(100_000).collect::<Vec<u8>>());
    let copy = Copy::of(&file, PLENTY);
    let page = text("gopher://h/0/a", &octets, NOW);
    let head = Head { charset: Some("koi8-r".into()), validator: Some("\"tag\"".into()), ..page.head.clone() };
    copy.keep(Seen { head, ..page });
    assert_eq!(copy.said(), [""; 0]);
    drop(copy);

    let copy = Copy::of(&file, PLENTY);
    let found = copy.runtime.block_on(copy.store.copy(&url("gopher://H:70/0/a#part"))).unwrap().unwrap();
    assert!(found.octets == octets);
    assert_eq!(found.head.kept.unwrap().as_second(), NOW);
    assert_eq!(found.head.url, url("gopher://h/0/a"));
    assert_eq!((found.head.charset.as_deref(), found.head.validator.as_deref()), (Some("koi8-r"), Some("\"tag\"")));
    assert!(found.head.lines.iter().any(|line| line == "as it was said"), "{:?}", found.head.lines);
    assert!(found.head.lines.iter().any(|line| line == "sent then: /asked"), "{:?}", found.head.lines);
    assert_eq!(copy.runtime.block_on(copy.store.when(&url("gopher://h/0/a"))).unwrap().as_second(), NOW);
    assert_eq!(copy.copy("gopher://h/0/b"), None);
}

#[test]
fn the_newest_copy_counts() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "old words", NOW)).keep(text("http://h/a", "new ones", NOW + 5));
    copy.keep(text("http://h/a", "new ones", NOW + 9));
    assert_eq!(copy.copy("http://h/a").unwrap(), b"new ones");
    assert_eq!(copy.runtime.block_on(copy.store.when(&url("http://h/a"))).unwrap().as_second(), NOW + 9);
    assert_eq!((copy.find("old").0.len(), copy.find("new").0.len()), (0, 1));
}

#[test]
fn nothing_is_there_before_something_is_kept() {
    let (folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    assert_eq!((copy.copy("http://h/"), copy.find("words").0.len(), copy.later().len()), (None, 0, 0));
    copy.store.forget(&Forget::All);
    assert_eq!(copy.said(), [""; 0]);
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "looking makes no file");
    let off = Copy::of(&file, Most { octets: 0, days: 0 });
    off.keep(text("http://h/a", "words", NOW));
    off.said();
    assert!(!file.exists() && !off.store.is_there());
}

#[test]
fn nobody_else_can_read_it() {
    let (_folder, file) = place();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, b"").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW));
    assert!(copy.copy("http://h/a").is_some());
    let all: Vec<_> = fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(all.len() >= 3, "{all:?}");
    for path in all {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{path:?}");
    }
}

#[test]
fn what_is_the_readers_alone_is_not_kept() {
    let request = || Request::new(url("http://h/a"));
    let head = || Head::new(url("http://h/a"), media::HTML);
    assert!(may_be_kept(&request(), &head()));
    let body = Content { media: "text/plain".into(), octets: b"x".to_vec() };
    let resume = Resume { from: 1, validator: "x".into() };
    for (why, request) in [
        ("private", Request { private: true, ..request() }),
        ("a form's answer", Request { body: Some(body), ..request() }),
        ("told in secret", Request { told: Some(url("http://h/***")), ..request() }),
        ("behind a secret", Request { unkept: true, ..request() }),
        ("a login", Request { login: Some(Login::default()), ..request() }),
        ("a part", Request { resume: Some(resume), ..request() }),
        ("another type", Request { media: Some(media::PLAIN.into()), ..request() }),
        ("a password", Request::new(url("ftp://me:word@h/a"))),
        ("a user", Request::new(url("http://me@h/a"))),
        ("a file", Request::new(url("file:///etc/passwd"))),
        ("in an archive", Request::new(url("archive:file:///a.tar!/b"))),
        ("by ssh", Request::new(url("sftp://h/a"))),
        ("own", Request::new(url("about:home"))),
        ("a text of its own", Request::new(url("data:,x"))),
        ("a message", Request::new(url("mid:a@b"))),
    ] {
        assert!(!may_be_kept(&request, &head()), "{why}");
    }
    for (why, head) in [
        ("no-store, a cookie, a certificate", Head { unkept: true, ..head() }),
        ("an error's page", Head { status: Some("404 Not Found".into()), ..head() }),
        ("a copy", Head { kept: Some(jiff::Timestamp::UNIX_EPOCH), ..head() }),
        ("a form", Head::new(url("gopher://h/1"), media::FORM)),
    ] {
        assert!(!may_be_kept(&request(), &head), "{why}");
    }
}

#[test]
fn words_are_found_in_pages_and_in_the_names_of_items() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let menu = "0The lantern of gopher\t/l\tother.example\t70\r\n1Caf\u{e9} menus\t/m\th\t70\r\n.\r\n";
    copy.keep(seen("gopher://h/1", media::MENU, menu, NOW));
    copy.keep(seen("http://h/a", media::HTML, "<title>Lantern</title><p>first<p>of a long night in Köln", NOW));
    copy.keep(text("gemini://g.example/b", "a lantern burns\nall night long\n", NOW));
    let (pages, items) = copy.find("lantern");
    assert_eq!(pages[0], "http://h/a", "a title counts for more");
    assert_eq!((pages.len(), items.as_slice()), (3, ["gopher://other.example/0/l".to_owned()].as_slice()));
    assert_eq!(copy.find("night lantern").0.len(), 2);
    assert_eq!(copy.find("night lantern host:G.example").0, ["gemini://g.example/b"]);
    assert_eq!(copy.find("\"long night\"").0, ["http://h/a"]);
    assert_eq!(copy.find("lantern kind:web").0, ["http://h/a"]);
    assert_eq!(copy.find("lantern kind:gopher").1, ["gopher://other.example/0/l"]);
    assert_eq!(copy.find("kind:gemini"), (vec!["gemini://g.example/b".to_owned()], vec![]));
    assert_eq!((copy.find("lantern since:7d").0.len(), copy.find("lantern before:2000").0.len()), (3, 0));
    copy.keep(text("gemini://g.example/old", "a lantern of old\n", NOW - 400 * 86_400));
    assert_eq!(copy.find("lantern kind:gemini before:100d").0, ["gemini://g.example/old"]);
    assert_eq!(copy.find("host:g.example").0, ["gemini://g.example/b", "gemini://g.example/old"]);
    assert_eq!((copy.find("koln").0.len(), copy.find("cafe").1.len(), copy.find("lant").1.len()), (1, 1, 1));
    let found =
        copy.runtime.block_on(copy.store.find(Sought { words: "LONG night köln".into(), most: 50, now: NOW })).unwrap();
    assert_eq!(found.pages[0].context, "of a long night in Köln");
    for hostile in ["\"", "a AND", "(", "title:", "*", "-", "NEAR(", "\" OR \"", "' OR 1=1 --", "\0", "{x}:y", "^"] {
        assert_eq!(copy.find(&format!("lantern {hostile}")).0.len() / 5, 0, "{hostile}");
    }
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn a_host_is_meant_with_the_port_that_is_said_and_with_any_where_none_is() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let menu = "0Lantern shop\t/s\texample.org\t7070\r\n.\r\n";
    copy.keep(seen("gopher://h/1", media::MENU, menu, NOW));
    for (n, address) in
        ["gopher://example.org:7070/0/a", "gopher://example.org/0/b", "http://example.org:707/c", "http://o:7070/d"]
            .into_iter()
            .enumerate()
    {
        copy.keep(text(address, "a lantern\n", NOW - i64::try_from(n).unwrap()));
    }
    let (pages, items) = copy.find("lantern host:Example.org:7070");
    assert_eq!(pages, ["gopher://example.org:7070/0/a"]);
    assert_eq!(items, ["gopher://example.org:7070/0/s"]);
    assert_eq!(copy.find("host:example.org:7070").0.len(), 1, "also without a word");
    assert_eq!(copy.find("lantern host:example.org:707").0, ["http://example.org:707/c"]);
    assert_eq!(copy.find("lantern host:example.org").0.len(), 3);
    // The port of the scheme need not be written.
    assert_eq!(copy.find("lantern host:example.org:70").0, ["gopher://example.org/0/b"]);
    assert_eq!(copy.find("lantern host:example.org:80").0, [""; 0]);
    assert_eq!(copy.find("lantern host:h:70").0, ["gopher://h/1"]);
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn of_very_many_that_have_a_word_the_newest_are_put_in_order() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let many: String = (0..2_100).map(|n| format!("0A lantern of number {n}\t/{n}\th\t70\r\n")).collect();
    // The first has the word and nothing else, and would be the best of all.
    let (first, last) = ("0Lantern\t/first\told.example\t70\r\n", "0Lanterns\t/last\th\t70\r\n");
    copy.keep(seen("gopher://h/1", media::MENU, format!("{first}{many}{last}.\r\n"), NOW));
    let found = copy.find("lantern").1;
    assert_eq!(found.len(), 50);
    assert!(!found.contains(&"gopher://old.example/0/first".into()), "{found:?}");
    assert_eq!(copy.find("lantern host:old.example").1, ["gopher://old.example/0/first"]);
    assert_eq!(copy.find("number 77 lantern").1, ["gopher://h/0/77"]);
    // Of a word that is everywhere there are no longer ones; of another there are.
    assert_eq!(copy.find("lantern host:h").1.iter().filter(|url| url.ends_with("/last")).count(), 0);
    assert_eq!(copy.find("lanterns").1, ["gopher://h/0/last"]);
    assert_eq!((copy.find("lanter").1.len(), copy.find("la").1.len()), (50, 0));
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn what_links_to_a_page_is_found_by_any_form_of_its_address() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let linking = |to: &str| -> Vec<String> {
        let rows = copy.runtime.block_on(copy.store.linking(url(to), 50)).unwrap();
        rows.into_iter().map(|row| row.url).collect()
    };
    assert_eq!(linking("http://to.example/"), [""; 0]);
    let to = "<title>x</title><base href=http://to.example/dir/><a href=../page#part>a</a><a href=../page>twice</a>";
    copy.keep(seen("http://to.example/", media::HTML, to, NOW));
    copy.keep(seen("gemini://far.example/", media::GEMTEXT, "=> http://TO.example:80/page words\n=> / self\n", NOW));
    let menu = "hpage\tURL:http://to.example/page\tx\t70\r\n1dir\t/page\tto.example\t70\r\n.\r\n";
    copy.keep(seen("gopher://menu.example/1", media::MENU, menu, NOW));
    copy.keep(text("http://no.example/", "no links", NOW));
    let all = ["gopher://menu.example/1", "gemini://far.example/", "http://to.example/"];
    assert_eq!(linking("http://to.example/page#other"), all, "other hosts first, then the newest");
    assert_eq!(linking("gopher://to.example/1/page"), ["gopher://menu.example/1"]);
    assert_eq!(linking("gemini://far.example/"), [""; 0], "a page that links to itself says nothing new");
    // What a page has lost is found no more, and what is forgotten neither.
    copy.keep(seen("gopher://menu.example/1", media::MENU, "1dir\t/page\tto.example\t70\r\n.\r\n", NOW));
    assert_eq!(linking("http://to.example/page"), all[1..]);
    copy.store.forget(&Forget::Host("far.example".into()));
    assert_eq!(linking("http://to.example/page"), all[2..]);
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn what_is_new_in_a_page_is_told_against_its_copy_of_before() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let fresh = |address: &str, octets: &str| {
        let told: Arc<Mutex<Vec<u32>>> = Arc::default();
        let into = Arc::clone(&told);
        copy.store.keep(text(address, octets, NOW), move |blocks| *into.lock().unwrap() = blocks);
        copy.copy(address);
        std::mem::take(&mut *told.lock().unwrap())
    };
    assert_eq!(fresh("http://h/a", "one\ntwo\nthree\n"), [0; 0], "of the first time nothing is new");
    assert_eq!(fresh("http://h/a", "one\ntwo\nthree\n"), [0; 0]);
    assert_eq!(fresh("http://h/a#part", "one\nnew\nthree\n\n  two\nlast\n"), [1, 5], "what has moved is not new");
    assert_eq!(fresh("http://h/a", "one\n"), [0; 0], "what has gone is not there to be shown");
    let (long, other) = ("x\n".repeat(200_000), format!("new\n{}new\n", "y\n".repeat(200_000)));
    assert_eq!((fresh("http://h/l", &long), fresh("http://h/l", &other).len()), (vec![], 10_000));
    // What may have stood behind the end of what is kept is not called new, however it comes nearer.
    let lines: String = (0..100_000).map(|n| format!("line {n} of many\n")).collect();
    let without = lines.split_once("line 50 of").unwrap().1;
    assert_eq!(
        (fresh("http://h/n", &lines), fresh("http://h/n", &lines.replace("line 99999 ", "new "))),
        (vec![], vec![])
    );
    assert_eq!(fresh("http://h/n", without), [0], "the rest of its line");
}

/// What is looked at by itself is no reading: it would hide what is new.
#[test]
fn what_came_by_itself_is_kept_and_its_news_are_told_when_it_is_read() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let fresh = |octets: &str, unread: bool| {
        let told: Arc<Mutex<Vec<u32>>> = Arc::default();
        let into = Arc::clone(&told);
        let page = Seen { unread, ..text("http://h/a", octets, NOW) };
        copy.store.keep(page, move |blocks| *into.lock().unwrap() = blocks);
        assert_eq!(copy.copy("http://h/a").unwrap(), octets.as_bytes());
        std::mem::take(&mut *told.lock().unwrap())
    };
    let nothing: [u32; 0] = [];
    assert_eq!(fresh("one\n", true), nothing);
    assert_eq!(fresh("two\none\n", true), nothing);
    assert_eq!(fresh("three\ntwo\none\n", false), nothing, "of the first time that it is read nothing is new");
    assert_eq!(fresh("four\nthree\ntwo\none\n", true), nothing);
    assert_eq!(fresh("five\nfour\nthree\ntwo\none\n", true), nothing);
    assert_eq!(fresh("five\nfour\nthree\ntwo\none\n", false), [0, 1]);
    assert_eq!(fresh("five\nfour\nthree\ntwo\none\n", false), nothing, "told once");
    assert_eq!(fresh("six\nfive\n", true), nothing);
    assert_eq!(fresh("seven\nsix\nfive\n", false), [0, 1]);
    assert_eq!(copy.find("seven").0, ["http://h/a"]);
}

#[test]
fn links_without_end_are_bounded_and_of_many_pages_the_newest_are_looked_at() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let many: String = (0..5_000).map(|n| format!("=> http://h/{n}\n")).collect();
    copy.keep(seen("gemini://many.example/", media::GEMTEXT, many, NOW));
    for n in 0..300 {
        copy.keep(seen(&format!("gemini://g/{n}"), media::GEMTEXT, "=> http://h/1999 x\n=> http://u:p@h/1998\n", NOW));
    }
    let linking = |to: &str| copy.runtime.block_on(copy.store.linking(url(to), 1_000)).unwrap();
    assert_eq!((linking("http://h/7").len(), linking("http://h/2000").len()), (1, 0));
    let rows = linking("http://h/1999");
    assert_eq!((rows.len(), rows[0].url.as_str()), (200, "gemini://g/299"));
    assert_eq!(linking("http://h/1998").len(), 1, "an address with a user in it is nobody else's");
}

#[test]
fn no_more_is_kept_than_there_is_room_for() {
    let ((_folder, file), most) = (place(), Most { octets: 2 << 20, days: 0 });
    let copy = Copy::of(&file, most);
    copy.put_by("http://h/0", NOW, false);
    let mut state = 1_u32;
    // Octets that cannot be packed.
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    for number in 0..160 {
        let octets: Vec<u8> = std::iter::repeat_with(&mut draw).take(40_000).collect();
        copy.keep(text(&format!("http://h/{number}"), &octets, NOW + number));
        // Not more than waits for the disk.
        assert!(copy.copy(&format!("http://h/{number}")).is_some(), "{number}");
    }
    let length = fs::metadata(&file).unwrap().len();
    assert!(length < 5 << 20, "{length}");
    assert!(copy.copy("http://h/159").is_some() && copy.copy("http://h/1").is_none());
    assert!(copy.copy("http://h/0").is_some(), "what was put by goes last");
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn what_is_too_old_goes() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, Most { octets: 64 << 20, days: 10 });
    copy.keep(text("http://h/old", "words", NOW - 11 * 86_400));
    copy.said();
    drop(copy);
    let copy = Copy::of(&file, Most { octets: 64 << 20, days: 10 });
    copy.keep(text("http://h/new", "words", NOW));
    assert_eq!(copy.find("words").0, ["http://h/new"]);
}

#[test]
fn running_copies_share_it() {
    let (_folder, file) = place();
    let copies = [Copy::of(&file, PLENTY), Copy::of(&file, PLENTY)];
    for number in 0..100 {
        for (which, copy) in copies.iter().enumerate() {
            copy.keep(text(&format!("http://h/{which}/{number}"), format!("words of {number}"), NOW));
        }
    }
    for copy in &copies {
        assert_eq!(copy.said(), [""; 0]);
    }
    for (which, copy) in copies.iter().enumerate() {
        for number in 0..100 {
            assert!(copy.copy(&format!("http://h/{}/{number}", 1 - which)).is_some(), "{which} {number}");
        }
    }
    copies[0].put_by("http://h/1/1", NOW, false);
    assert_eq!(copies[1].later(), ["http://h/1/1"]);
    copies[1].store.forget(&Forget::All);
    assert_eq!(copies[1].said(), [""; 0]);
    assert_eq!((copies[0].copy("http://h/1/1"), copies[0].later().len()), (None, 0));
}

#[test]
fn a_damaged_one_is_put_aside_with_a_sentence() {
    for damage in ["garbage", "half", "middle", "empty"] {
        let (_folder, file) = place();
        let copy = Copy::of(&file, PLENTY);
        for number in 0..50 {
            copy.keep(text(&format!("http://h/{number}"), "many words ".repeat(500), NOW));
        }
        copy.said();
        drop(copy);
        let mut octets = fs::read(&file).unwrap();
        match damage {
            "garbage" => octets = b"this is no database\n".repeat(1000),
            "half" => octets.truncate(octets.len() / 3),
            "middle" => octets[5_000..20_000].fill(b'x'),
            _ => octets.clear(),
        }
        fs::write(&file, octets).unwrap();
        for beside in ["pages.db-wal", "pages.db-shm"] {
            let _ = fs::remove_file(file.with_file_name(beside));
        }
        let copy = Copy::of(&file, PLENTY);
        for number in 0..50 {
            let _ = copy.runtime.block_on(copy.store.copy(&url(&format!("http://h/{number}"))));
        }
        copy.keep(text("http://h/new", "words", NOW));
        let said = copy.said();
        assert_eq!(copy.copy("http://h/new").unwrap(), b"words", "{damage}: {said:?}");
        if damage != "empty" {
            assert!(
                said.iter().any(|said| said.contains("was damaged") && said.contains("pages.bad")),
                "{damage}: {said:?}"
            );
            assert!(file.with_extension("bad").exists());
        }
    }
}

#[test]
fn damage_to_what_is_kept_costs_nothing_of_what_was_put_by() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW));
    copy.put_by("http://h/a", NOW, false);
    copy.put_by("gopher://h/0/b", NOW + 1, false);
    assert_eq!(copy.said(), [""; 0]);
    drop(copy);
    fs::write(&file, b"this is no database\n".repeat(1000)).unwrap();
    let copy = Copy::of(&file, PLENTY);
    let all = copy.runtime.block_on(copy.store.later()).unwrap();
    assert_eq!(all.iter().map(|later| later.url.as_str()).collect::<Vec<_>>(), ["http://h/a", "gopher://h/0/b"]);
    assert!(all.iter().all(|later| !later.here), "{all:?}");
    assert_eq!(copy.said().len(), 1);

    // A line that makes no sense costs itself, and is put aside when the file is written anew.
    let list = file.with_file_name("later");
    let mut octets = fs::read(&list).unwrap();
    octets.extend_from_slice(b"no time at all\n7\t:no address\ttitle\n\xFF");
    fs::write(&list, octets).unwrap();
    copy.put_by("gemini://h/c", NOW + 2, false);
    copy.put_by("http://h/a", NOW, true);
    assert_eq!(copy.later(), ["gopher://h/0/b", "gemini://h/c"]);
    assert_eq!(fs::read(list.with_extension("bad")).unwrap(), b"no time at all\n7\t:no address\ttitle\n\xFF\n");
    assert_eq!(fs::metadata(&list).unwrap().permissions().mode() & 0o077, 0);

    copy.store.forget(&Forget::All);
    assert_eq!((copy.later().len(), list.with_extension("bad").exists()), (0, false));

    // One of a newer program is left alone.
    fs::write(&list, "# wayfarer later 2\nin another way\n").unwrap();
    assert!(copy.runtime.block_on(copy.store.later()).unwrap_err().contains("newer Wayfarer"));
    assert_eq!(fs::read(&list).unwrap(), b"# wayfarer later 2\nin another way\n");
}

#[test]
fn what_was_put_by_in_a_database_of_before_is_in_the_file() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW)).said();
    drop(copy);
    let open = rusqlite::Connection::open(&file).unwrap();
    open.execute_batch(
        "CREATE TABLE later(place TEXT PRIMARY KEY, url TEXT NOT NULL, title TEXT NOT NULL, time INTEGER NOT NULL);
         INSERT INTO later VALUES('http://h/b', 'http://h/b', 'B', 6), ('http://h/a', 'http://h/a', 'A', 5);",
    )
    .unwrap();
    drop(open);
    let copy = Copy::of(&file, PLENTY);
    assert!(copy.copy("http://h/a").is_some());
    assert_eq!(copy.later(), ["http://h/a", "http://h/b"]);
    copy.put_by("http://h/a", NOW, true);
    drop(copy);
    assert_eq!(Copy::of(&file, PLENTY).later(), ["http://h/b"]);
}

#[test]
fn one_of_a_newer_program_is_left_alone() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW));
    copy.said();
    drop(copy);
    // The version stands at octet 60 (SQLite's file format, 1.3).
    let mut octets = fs::read(&file).unwrap();
    octets[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&file, &octets).unwrap();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/b", "words", NOW)).keep(text("http://h/c", "words", NOW));
    let said = copy.said();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("a newer Wayfarer wrote it"), "{said:?}");
    assert!(fs::read(&file).unwrap() == octets);
}

#[test]
fn a_file_that_cannot_be_written_is_told_of_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pages.db");
    fs::create_dir(&file).unwrap();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/b", "words", NOW)).keep(text("http://h/c", "words", NOW));
    let said = copy.said();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("pages that are read are not kept: "), "{said:?}");
}

#[test]
fn what_is_forgotten_is_nowhere_in_the_file() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let menu = "0Secretitem\t/l\tgone.example\t70\r\n.\r\n";
    copy.keep(seen("gopher://stays.example/1", media::MENU, menu, NOW));
    copy.keep(text("http://gone.example/a", "words of Secretpage", NOW));
    copy.keep(text("http://stays.example/b", "words", NOW + 100));
    copy.put_by("http://gone.example/c", NOW, false);
    copy.store.forget(&Forget::Host("gone.example".into()));
    assert_eq!(copy.said(), [""; 0]);
    assert_eq!((copy.copy("http://gone.example/a"), copy.later().len()), (None, 0));
    assert_eq!((copy.find("secretpage").0.len(), copy.find("secretitem").1.len()), (0, 0));
    assert!(copy.copy("http://stays.example/b").is_some());
    let octets: Vec<u8> =
        fs::read_dir(file.parent().unwrap()).unwrap().flat_map(|e| fs::read(e.unwrap().path()).unwrap()).collect();
    let text = String::from_utf8_lossy(&octets).to_lowercase();
    assert!(!text.contains("gone.example/a") && !text.contains("secretpage"), "it is still in the file");
    copy.store.forget(&Forget::Since(NOW + 50));
    assert!(copy.copy("http://stays.example/b").is_none() && copy.copy("gopher://stays.example/1").is_some());
    copy.store.forget(&Forget::All);
    assert!(copy.copy("gopher://stays.example/1").is_none());
}

#[test]
fn what_is_put_by_is_read_in_order() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    for (number, address) in ["gopher://h/0/b", "http://h/a", "gemini://h/c"].into_iter().enumerate() {
        copy.put_by(address, NOW + i64::try_from(number).unwrap(), false);
    }
    copy.put_by("http://h/a", NOW + 50, false);
    assert_eq!(copy.later(), ["gopher://h/0/b", "http://h/a", "gemini://h/c"]);
    copy.put_by("http://H:80/a#x", NOW, true);
    drop(copy);
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("gemini://h/c", "words", NOW));
    let all = copy.runtime.block_on(copy.store.later()).unwrap();
    assert_eq!(all.iter().map(|later| later.here).collect::<Vec<_>>(), [false, true]);
    assert_eq!(all[0].title, "title of gopher://h/0/b");
}

#[test]
fn one_that_is_fuller_than_it_may_be_now_makes_room_and_goes_on() {
    let (_folder, file) = place();
    let noise = |seed: u32| -> Vec<u8> {
        let mut at = seed.wrapping_mul(2_654_435_761).max(1);
        let next = || {
            at ^= at << 13;
            at ^= at >> 17;
            at ^= at << 5;
            at as u8
        };
        std::iter::repeat_with(next).take(400_000).collect()
    };
    let copy = Copy::of(&file, Most { octets: 64 << 20, days: 0 });
    for n in 0..70 {
        copy.keep(text(&format!("gopher://h/9/{n}"), noise(n), NOW));
    }
    assert_eq!(copy.said(), [""; 0]);
    drop(copy);
    // Of one of before: what makes answers come sooner finds no room either.
    let open = rusqlite::Connection::open(&file).unwrap();
    open.execute_batch("DROP INDEX items_by_host; DROP INDEX pages_by_scheme; VACUUM;").unwrap();
    drop(open);
    let copy = Copy::of(&file, Most { octets: 2 << 20, days: 0 });
    copy.keep(text("gopher://h/0/new", "a new page", NOW + 1)).put_by("gopher://h/0/later", NOW + 1, false);
    assert_eq!(copy.copy("gopher://h/0/new").as_deref(), Some(&b"a new page"[..]));
    assert_eq!((copy.later().len(), copy.said()), (1, Vec::new()));
    assert!(fs::metadata(&file).unwrap().len() < 8 << 20, "{}", fs::metadata(&file).unwrap().len());
}

#[test]
fn what_another_copy_has_put_aside_is_not_written_into_any_more() {
    let (_folder, file) = place();
    let one = Copy::of(&file, PLENTY);
    one.put_by("gopher://h/0/before", NOW, false);
    one.keep(text("gopher://h/0/before", "words", NOW));
    assert!(one.copy("gopher://h/0/before").is_some());
    // Another copy finds it damaged and begins anew.
    fs::rename(&file, file.with_extension("bad")).unwrap();
    for beside in ["db-wal", "db-shm"] {
        fs::remove_file(file.with_extension(beside)).unwrap_or_default();
    }
    let other = Copy::of(&file, PLENTY);
    other.put_by("gopher://h/0/theirs", NOW, false);
    one.put_by("gopher://h/0/ours", NOW + 1, false);
    one.keep(text("gopher://h/0/ours", "words", NOW));
    assert!(one.copy("gopher://h/0/ours").is_some());
    assert_eq!(other.later(), ["gopher://h/0/before", "gopher://h/0/theirs", "gopher://h/0/ours"]);
    assert!(other.copy("gopher://h/0/ours").is_some());
}

#[test]
fn forgetting_reaches_what_was_put_aside_and_what_is_kept_no_more() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("gopher://h/0/a", "words", NOW)).said();
    fs::write(file.with_extension("bad"), "words").unwrap();
    drop(copy);
    let none = Copy::of(&file, Most { octets: 0, ..PLENTY });
    none.keep(text("gopher://h/0/b", "others", NOW));
    assert_eq!((none.copy("gopher://h/0/a").is_some(), none.copy("gopher://h/0/b")), (true, None));
    none.store.forget(&Forget::All);
    assert_eq!((none.copy("gopher://h/0/a"), none.said()), (None, Vec::new()));
    assert!(!file.with_extension("bad").exists());
}

#[test]
fn copies_that_begin_at_the_same_moment_share_it() {
    for round in 0..40 {
        let (_folder, file) = place();
        let copies: Vec<_> = (0..3).map(|_| Copy::of(&file, PLENTY)).collect();
        for (which, copy) in copies.iter().enumerate() {
            copy.keep(text(&format!("http://h/{which}"), "words", NOW));
        }
        for copy in &copies {
            assert_eq!(copy.said(), [""; 0], "{round}");
        }
    }
}

#[test]
fn one_of_before_gets_what_makes_answers_come_sooner() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(seen("gopher://h/1", media::MENU, "0Lantern\t/l\tother.example\t70\r\n.\r\n", NOW)).said();
    drop(copy);
    let indexes = || -> Vec<String> {
        let open = rusqlite::Connection::open(&file).unwrap();
        let mut rows = open.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let all = indexes();
    let open = rusqlite::Connection::open(&file).unwrap();
    open.execute_batch("DROP INDEX items_by_host; DROP INDEX pages_by_scheme;").unwrap();
    drop(open);
    let copy = Copy::of(&file, PLENTY);
    assert_eq!(copy.find("lantern host:other.example").1, ["gopher://other.example/0/l"]);
    assert_eq!(copy.said(), [""; 0]);
    drop(copy);
    assert_eq!(indexes(), all);
}
