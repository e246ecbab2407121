//! The reader's files on a bad day: a disk that is full and has room again, two copies that run at once, a tab of which nothing
//! may be kept, a host that is to be forgotten.

use crate::server::{Answer, Server, whole};
use crate::terminal::Terminal;
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A menu with two texts.
fn space() -> Server {
    let item = |kind: char, name: &str, to: &str| format!("{kind}{name}\t{to}\t127.0.0.1\t{{port}}\r\n");
    let menu = [item('0', "First", "/first"), item('0', "Second", "/second"), item('9', "Cut", "/cut")].concat();
    Server::start(vec![
        ("", whole(menu)),
        ("/first", whole("the first text\r\n")),
        ("/second", whole("the second text\r\n")),
        ("/third", whole("the third text\r\n")),
    ])
}

/// A page of the web whose server sets a cookie for years.
fn web(name: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://localhost:{}/{name}", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for visitor in listener.incoming() {
            let mut visitor = BufReader::new(visitor.unwrap());
            let mut line = String::new();
            while visitor.read_line(&mut line).unwrap_or(0) > 2 {
                line.clear();
            }
            let page = format!("<title>Page {name}</title><p>words of {name}, <a href=/{name}>again</a>");
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            let cookie = format!("Set-Cookie: {name}=hidden; Max-Age=1000000; Path=/");
            let length = page.len();
            let _ = write!(visitor.get_mut(), "{head}\r\n{cookie}\r\nContent-Length: {length}\r\n\r\n{page}");
        }
    });
    url
}

fn start(home: &Path, arguments: &[&str]) -> Terminal {
    let arguments = [&["-o", "http.cookies=keep"], arguments].concat();
    Terminal::start_with(&arguments, 400, 24, &[("HOME", home.to_str().unwrap()), ("TZ", "UTC")])
}

/// How long any file of a program may get: none is a disk without any room.
fn room(terminal: &Terminal, most: Option<u64>) {
    let id = Pid::from_raw(terminal.id().cast_signed()).unwrap();
    prlimit(Some(id), Resource::Fsize, Rlimit { current: most, maximum: None }).unwrap();
}

/// All files below a folder and what is in them, but locks and what is downloaded.
fn files(home: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![home.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.is_file() && path.extension().is_none_or(|kind| kind != "lock") {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

fn state(home: &Path, name: &str) -> String {
    String::from_utf8(fs::read(home.join(".local/state/wayfarer").join(name)).unwrap_or_default()).unwrap()
}

/// Waits until a file fulfils a condition.
fn becomes(home: &Path, name: &str, holds: impl Fn(&str) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds(&state(home, name)) {
        assert!(Instant::now() < deadline, "{name}: {}", state(home, name));
        std::thread::yield_now();
    }
}

/// Waits until something has been complained of, whatever was on the last line since.
fn complained(terminal: &mut Terminal, words: &str) {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        terminal.keys(":complaints\r").see("What went wrong");
        let listed = terminal.screen().contains(words);
        terminal.keys("\x1b").see_no("What went wrong");
        if listed {
            return;
        }
        assert!(Instant::now() < deadline, "{words}: {}", terminal.screen());
    }
}

#[test]
fn a_full_disk_costs_nothing_and_is_told_and_all_is_written_when_there_is_room() {
    let (server, web, home) = (space(), web("long"), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &[&server.url("1")]);
    terminal.see("First").keys("d").see("save as").keys("\r").see("saved");
    terminal.keys("a").see("A new bookmark").keys("One\r").see("put among");
    terminal.keys("/Sec\r").see("▸Second");
    becomes(home.path(), "sessions/default.jsonl", |text| text.contains("\"end\""));
    becomes(home.path(), "downloads", |text| text.contains("done"));
    becomes(home.path(), "words", |text| text.contains("find\tSec"));
    let before = files(home.path());

    room(&terminal, Some(0));
    terminal.keys("d").see("save as").keys("\r").see("File too large");
    terminal.keys("g").see("open:").keys(&format!("{}\r", server.url("0/first"))).see("the first text");
    complained(&mut terminal, "wayfarer/history: File too large");
    terminal.keys("a").see("A new bookmark").keys("Two\r").see_no("A new bookmark");
    complained(&mut terminal, "bookmarks.toml: File too large");
    complained(&mut terminal, "sessions/default.jsonl: File too large");
    terminal.keys("g").see("open:").keys(&format!("{web}\r")).see("words of long");
    complained(&mut terminal, "wayfarer/cookies: File too large");
    let mut now = files(home.path());
    // A file that never was may have been begun, without anything in it.
    now.retain(|path, octets| before.contains_key(path) || !octets.is_empty());
    assert_eq!(now.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    assert_eq!(now, before, "every file is as it was, and none is half written");

    // Half a line fits: it is taken back.
    room(&terminal, Some(fs::metadata(home.path().join(".local/state/wayfarer/history")).unwrap().len() + 9));
    terminal.keys("g").see("open:").keys(&format!("{}\r", server.url("0/third"))).see("the third text");
    room(&terminal, None);
    terminal.keys("a").see("A new bookmark").keys("Three\r").see_no("A new bookmark");
    terminal.keys("q");
    terminal.end();

    let history = state(home.path(), "history");
    let lines: Vec<&str> = history.lines().collect();
    for page in ["/0/first", "/long", "/0/third"] {
        assert!(lines.iter().any(|line| line.contains(page)), "{page}: {history}");
    }
    assert!(lines[1..].iter().all(|line| line.split('\t').count() >= 3), "{history}");
    assert!(state(home.path(), "words").contains("/0/first") && state(home.path(), "words").contains("/long"));
    assert!(state(home.path(), "sessions/default.jsonl").contains("/0/third"));
    assert!(state(home.path(), "downloads").contains("Downloads/second"));
    let data = home.path().join(".local/share/wayfarer");
    let bookmarks = fs::read_to_string(data.join("bookmarks.toml")).unwrap();
    assert!(["One", "Two", "Three"].iter().all(|title| bookmarks.contains(&format!("\"{title}\""))), "{bookmarks}");
    assert!(fs::read_to_string(data.join("cookies")).unwrap().contains("long=hidden"));
}

#[test]
fn what_is_still_owed_at_the_end_is_said() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &[&server.url("1")]);
    terminal.see("First");
    becomes(home.path(), "history", |text| text.contains('\t'));
    let before = state(home.path(), "history");
    room(&terminal, Some(0));
    terminal.keys("\r").see("the first text").see("wayfarer/history: File too large").keys("q");
    assert_ne!(terminal.end(), 0);
    terminal.drained();
    let said = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let (_, after) = said.rsplit_once("\x1b[?1049l").unwrap();
    assert!(after.contains("wayfarer/history: File too large"), "{after}");
    assert_eq!(state(home.path(), "history"), before);
}

#[test]
fn two_copies_see_each_others_pages_and_keep_each_others_cookies_and_words() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let (left, right) = (web("left"), web("right"));
    let mut one = start(home.path(), &[&server.url("1")]);
    one.see("First");
    let mut two = start(home.path(), &["--session", "two", &server.url("1")]);
    two.see("First").keys("g").see("open:").keys(&format!("{left}\r")).see("words of left");
    becomes(home.path(), "history", |text| text.contains("Page left"));
    // What the other has opened is offered, and listed.
    one.keys("gpage le")
        .see("open: page le")
        .see("Page left")
        .keys("\x1b")
        .see_no("page le")
        .keys(":history\r")
        .see("2 pages")
        .see("Page left");
    two.keys("g").see("open:").keys(&format!("{}\r", server.url("0/second"))).see("the second text");
    becomes(home.path(), "history", |text| text.contains("/0/second"));
    one.keys("g").see("open:").keys(&format!("{right}\r")).see("words of right").keys("h").see("/0/second");
    two.keys("q").end();
    one.keys("q").end();
    let cookies = fs::read_to_string(home.path().join(".local/share/wayfarer/cookies")).unwrap();
    assert!(cookies.contains("left=hidden") && cookies.contains("right=hidden"), "{cookies}");
    let words = state(home.path(), "words");
    assert!(words.contains("/left") && words.contains("/right") && words.contains("/0/second"), "{words}");
}

#[test]
fn a_private_tab_leaves_no_trace() {
    let (server, web, home) = (space(), web("hidden"), tempfile::tempdir().unwrap());
    fs::write(home.path().join("page.txt"), "a text of this machine").unwrap();
    // As it is without one.
    let mut terminal = start(home.path(), &["about:safety"]);
    terminal.see("What you can rely on").keys("/server\r").see("server").keys("q").end();
    let before = files(home.path());
    server.answer("/cut", Answer::Stalled(vec![b'x'; 100_000], Vec::new()));
    let mut terminal = start(home.path(), &["about:safety"]);
    terminal.see("What you can rely on").keys(&format!(":private {}\r", server.url("1"))).see("First");
    terminal.keys("/Cut\r").see("▸Cut").keys("d").see("save as").keys("\r");
    let part = home.path().join("Downloads/cut.wayfarer-part");
    let deadline = Instant::now() + Duration::from_secs(30);
    while !part.exists() {
        assert!(Instant::now() < deadline, "{}", terminal.screen());
        std::thread::yield_now();
    }
    terminal.keys(":private\r").see("open in private").keys(&format!("{}\r", server.url("0/third")));
    terminal.see("the third text").keys("\x17x").see("▸Cut");
    assert!(!part.with_extension("wayfarer-part.toml").exists(), "from where it comes is not noted");
    terminal.keys("/Sec\r").see("▸Second").keys("\r").see("the second text").keys(":charset cp437\r");
    terminal.keys(&format!(":open {web}\r")).see("words of hidden").keys("gfile:///").see("file:///");
    terminal.keys(&format!("{}/\r", home.path().display())).see("page.txt").keys(":sort size\r");
    terminal.keys("\x17x").see_no("◆").see("What you can rely on").keys("q").see("1 download").keys("q");
    terminal.end();
    let after = files(home.path());
    let new: Vec<_> = after.keys().filter(|path| !before.contains_key(*path)).collect();
    assert!(new.iter().all(|path| path.starts_with(home.path().join("Downloads"))), "{new:?}");
    for (path, octets) in &before {
        let [old, new] = [octets, &after[path]].map(|octets| String::from_utf8_lossy(octets));
        assert_eq!(old, new, "{}", path.display());
    }
}

#[test]
fn a_host_that_is_forgotten_is_named_in_no_file() {
    let (server, web, home) = (space(), web("left"), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &[&server.url("1")]);
    terminal.see("First").keys("g").see("open:").keys(&format!("{web}\r")).see("words of left");
    terminal.keys(":charset iso-8859-2\r").see("words of left");
    terminal.keys("d").see("save as").keys("\r").see("saved");
    terminal.keys(":open about:safety\r").see("What you can rely on").keys("h").see("words of left");
    // What an earlier time has left: another session, lines that made no sense.
    let folder = home.path().join(".local/state/wayfarer");
    let place =
        "{\"session\":1,\"front\":0,\"ended\":true}\n{\"tab\":0}\n{\"url\":\"http://localhost/x\"}\n{\"end\":4}\n";
    fs::write(folder.join("sessions/work.jsonl"), place).unwrap();
    fs::write(folder.join("sessions/work.bad-1"), place).unwrap();
    fs::write(folder.join("history.bad"), "17\thttp://localhost/cut\n").unwrap();
    let everywhere = ["history", "words", "charsets", "downloads", "sessions/default.jsonl"];
    everywhere.iter().for_each(|name| becomes(home.path(), name, |text| text.contains("localhost")));
    terminal.keys(":forget host localhost\r").see("cookies").keys("y").see("forgotten").keys("q");
    terminal.end();
    for (path, octets) in files(home.path()) {
        let text = String::from_utf8_lossy(&octets);
        assert!(!text.contains("localhost"), "{}: {text}", path.display());
    }
    assert!(state(home.path(), "history").contains("gopher://127.0.0.1"));
    assert!(state(home.path(), "sessions/default.jsonl").contains("gopher://127.0.0.1"));
}

#[test]
fn who_leaves_hears_first_of_a_bookmark_that_could_not_be_kept() {
    for mended in [false, true] {
        let (server, home) = (space(), tempfile::tempdir().unwrap());
        let mut terminal = start(home.path(), &[&server.url("1")]);
        terminal.see("First").loaded();
        room(&terminal, Some(0));
        terminal.keys("a").see("A new bookmark").keys("One\r").see("bookmarks.toml: File too large");
        terminal.keys("q").see("not kept: ").see("once more leaves all the same");
        if mended {
            // What is owed is written at the end.
            room(&terminal, None);
        }
        terminal.keys("q");
        assert_eq!(terminal.end() == 0, mended);
        let kept = fs::read_to_string(home.path().join(".local/share/wayfarer/bookmarks.toml")).unwrap_or_default();
        assert_eq!(kept.contains("One"), mended);
    }
}

#[test]
fn an_interrupt_before_the_program_has_begun_to_wait_ends_it() {
    let home = tempfile::tempdir().unwrap();
    let words = home.path().join(".local/state/wayfarer/words");
    fs::create_dir_all(words.parent().unwrap()).unwrap();
    let held = fs::File::create(&words).unwrap();
    held.lock().unwrap();
    let mut terminal = start(home.path(), &["about:home"]);
    let status = format!("/proc/{}/status", terminal.id());
    // It takes the signal up, and waits for the file.
    let takes = |line: &str| {
        line.strip_prefix("SigCgt:").is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0)
    };
    while !fs::read_to_string(&status).unwrap().lines().any(takes) {
        std::thread::yield_now();
    }
    terminal.signal(Signal::INT).end();
    drop(held);
}
