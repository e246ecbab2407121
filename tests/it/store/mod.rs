//! Pages that were read: copies, and what is not kept.

mod damage;
mod forgetting;
mod later;
mod led;
mod room;
mod search;
mod sources;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use wayfarer::disk::Writer;
use wayfarer::format::{Input, media, parse};
use wayfarer::proto::{Content, Head, Login, Request, Resume};
use wayfarer::store::{Forgotten, Later, Most, Seen, Sought, Store, Wanted, may_be_kept};
use wayfarer::url::Url;
use wayfarer::visits::Forget;

const PLENTY: Most = Most { octets: 64 << 20, days: 365 };
/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(60);
const NOW: i64 = 1_700_000_000;

/// A running copy, and what it has said.
struct Copy {
    store: Store,
    writer: Arc<Writer>,
    said: Arc<Mutex<Vec<String>>>,
    runtime: tokio::runtime::Runtime,
}

impl Copy {
    fn of(file: &Path, most: Most) -> Copy {
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = Arc::clone(&said);
        let also = Arc::clone(&said);
        let writer = Arc::new(Writer::new(move |sentence| also.lock().unwrap().push(sentence)).unwrap());
        let store = Store::new(file.to_path_buf(), most, &writer, move |sentence| told.lock().unwrap().push(sentence));
        store.wake();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        Copy { store, writer, said, runtime }
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
        let later = Later {
            url: url(address),
            title: format!("title of {address}"),
            time,
            here: false,
            wanted: Wanted::Page,
            gone,
        };
        let (told, answer) = std::sync::mpsc::channel();
        self.store.put_by(later, move |done| told.send(done).unwrap());
        answer.recv_timeout(PATIENCE).unwrap().unwrap();
    }

    fn later(&self) -> Vec<String> {
        self.writer.owed_to_reader(PATIENCE);
        let all = self.runtime.block_on(self.store.later()).unwrap();
        all.into_iter().map(|later| later.url.as_str().to_owned()).collect()
    }

    /// What was said until all is written.
    fn said(&self) -> Vec<String> {
        self.store.finish_within(PATIENCE);
        self.writer.owed_to_reader(PATIENCE);
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
        redirected: None,
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
    copy.store.forget(&Forget::All, drop);
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
    let resume = Resume { from: 1, validator: "x".into(), as_listed: false };
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
    copies[1].store.forget(&Forget::All, drop);
    assert_eq!(copies[1].said(), [""; 0]);
    assert_eq!((copies[0].copy("http://h/1/1"), copies[0].later().len()), (None, 0));
}

/// Of a page that is one long paragraph nothing was found, and of what followed nothing either.
#[test]
fn of_a_long_block_the_beginning_is_found_and_what_follows() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let long = |word: &str| {
        let words: String = (0..30_000).map(|n| format!("word {n} of it ")).collect();
        format!("<p>before<p>lantern {words}{word}<p>lighthouse {word}")
    };
    copy.keep(seen("http://h/a", media::HTML, long("one"), NOW));
    for word in ["before", "lantern", "lighthouse"] {
        assert_eq!(copy.find(word).0, ["http://h/a"], "{word}");
    }
    let (told, fresh) = std::sync::mpsc::channel();
    copy.store.keep(seen("http://h/a", media::HTML, long("two"), NOW), move |blocks| told.send(blocks).unwrap());
    assert_eq!(fresh.recv_timeout(PATIENCE).unwrap().len(), 1, "the last, and not the long one");
}
