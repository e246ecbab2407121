//! Large zips that stay on their servers: the table and one member at a time are fetched, and whatever else a server sends is never
//! taken for them.

use super::client::{Outcome, context, fetch};
use super::ftp_server::{Do, Ftp, say};
use crate::archive::made::{Zipped, zip, zipped};
use crate::door::Door;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use wayfarer::proto::{Context, Kind, Request};
use wayfarer::url::Url;
use wayfarer::url::scheme::archive::Archive as Named;

fn inside(file: &str, member: &str) -> Request {
    Request::new(Named::url(&Url::parse(file).unwrap(), member.as_bytes()).unwrap())
}

/// A member that is stored as it is.
fn stored(name: &str, octets: Vec<u8>) -> Zipped {
    Zipped { octets: octets.clone(), method: 0, ..zipped(name, &octets) }
}

/// A zip whose middle is long.
fn large(word: &str, length: usize) -> Vec<u8> {
    let link = Zipped { mode: 0o120_777, ..stored("link", b"a.txt".to_vec()) };
    zip(&[zipped("a.txt", word.as_bytes()), stored("long", vec![7; length]), link, zipped("d/z.txt", b"z\n")])
}

/// What a server of the web does with a part.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Right,
    /// Says that it sends parts, and sends all.
    Whole,
    /// Sends another part, and says which.
    Another,
    /// Sends another part as if it were the one.
    Lies,
}

/// A server of one file, which may be changed.
struct Web {
    port: u16,
    file: Arc<Mutex<(Vec<u8>, String)>>,
    asked: Arc<Mutex<Vec<String>>>,
    _door: Door,
}

fn web(file: Vec<u8>, way: Way) -> Web {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (file, asked) = (Arc::new(Mutex::new((file, "\"1\"".to_owned()))), Arc::new(Mutex::new(Vec::new())));
    let (door, visitors) = Door::open(listener);
    let (theirs, noted) = (Arc::clone(&file), Arc::clone(&asked));
    std::thread::spawn(move || {
        for visitor in visitors {
            let (theirs, noted) = (Arc::clone(&theirs), Arc::clone(&noted));
            std::thread::spawn(move || drop(serve(&visitor, &theirs, &noted, way)));
        }
    });
    Web { port, file, asked, _door: door }
}

fn serve(
    visitor: &TcpStream,
    file: &Mutex<(Vec<u8>, String)>,
    asked: &Mutex<Vec<String>>,
    way: Way,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(visitor).lines();
    loop {
        let (mut range, mut known) = (None, None);
        loop {
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            range = line.strip_prefix("range: bytes=").map(str::to_owned).or(range);
            known = line.strip_prefix("if-range: ").map(str::to_owned).or(known);
        }
        asked.lock().unwrap().push(range.clone().unwrap_or_else(|| "all".into()));
        let (octets, tag) = file.lock().unwrap().clone();
        let part = range.filter(|_| known.as_deref() == Some(tag.as_str()) && way != Way::Whole);
        let common = format!("Content-Type: application/zip\r\nAccept-Ranges: bytes\r\nETag: {tag}\r\n");
        let (head, body) = match part {
            None => (format!("HTTP/1.1 200 OK\r\n{common}Content-Length: {}\r\n\r\n", octets.len()), &octets[..]),
            Some(range) => {
                let (from, last) = range.split_once('-').unwrap();
                let from: usize = from.parse().unwrap();
                let until = last.parse().map_or(octets.len(), |last: usize| (last + 1).min(octets.len()));
                let count = until - from;
                let sent = if matches!(way, Way::Another | Way::Lies) { from / 2 } else { from };
                let said = if way == Way::Lies { from } else { sent };
                let whole = octets.len();
                let range = format!("Content-Range: bytes {said}-{}/{whole}\r\n", said + count - 1);
                let head = format!("HTTP/1.1 206 Partial\r\n{common}{range}Content-Length: {count}\r\n\r\n");
                (head, &octets[sent..sent + count])
            }
        };
        let mut out = visitor;
        out.write_all(head.as_bytes())?;
        out.write_all(body)?;
    }
}

impl Web {
    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/x.zip", self.port)
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

const LONG: usize = 3 << 20;

fn names(outcome: &Outcome) -> Vec<String> {
    outcome.text().lines().map(|line| line.split_once("; ").unwrap().1.to_owned()).collect()
}

fn word(server: &Web, context: &Context) -> Outcome {
    fetch(&inside(&server.url(), "a.txt"), context)
}

#[test]
fn of_a_large_zip_only_what_is_looked_at_is_fetched() {
    let file = large("a text\n", LONG);
    let (length, tail) = (file.len(), file.len() - (128 << 10));
    let (server, context) = (web(file, Way::Right), context());
    let root = fetch(&inside(&server.url(), ""), &context);
    assert_eq!(names(&root), ["d", "a.txt", "link", "long"]);
    assert!(root.head().notices[0].starts_with("Of this archive only the table"), "{:?}", root.head().notices);
    assert_eq!(server.asked(), ["all".to_owned(), format!("{tail}-{}", length - 1)]);
    let page = word(&server, &context);
    assert_eq!((page.text().as_str(), page.media(), page.cut()), ("a text\n", "text/plain", None));
    let asked = server.asked();
    assert!(asked.len() == 1 && asked[0].starts_with("0-"), "{asked:?}");
    // Links are followed, and what has no room in the tail comes whole as well.
    assert_eq!(fetch(&inside(&server.url(), "link"), &context).text(), "a text\n");
    assert_eq!(fetch(&inside(&server.url(), "d/z.txt"), &context).text(), "z\n");
    let long = fetch(&inside(&server.url(), "long"), &context);
    assert!(long.body == vec![7; LONG] && long.cut().is_none());
    assert_eq!(fetch(&inside(&server.url(), "none"), &context).failure().kind, Kind::NotFound);
    assert!(!server.asked().contains(&"all".into()));
}

#[test]
fn a_table_that_is_longer_than_the_tail_is_fetched_as_well() {
    let name = |at: usize| format!("{}{at:05}", "n".repeat(200));
    let few: Vec<Zipped> = (0..2000).map(|at| stored(&name(at), b"x".to_vec())).collect();
    let file = zip(&[few, vec![stored("long", vec![7; LONG])]].concat());
    let (server, context) = (web(file, Way::Right), context());
    assert_eq!(names(&fetch(&inside(&server.url(), ""), &context)).len(), 2001);
    assert_eq!(server.asked().len(), 3);
    assert_eq!(fetch(&inside(&server.url(), &name(1999)), &context).text(), "x");
}

#[test]
fn a_server_that_sends_something_else_is_asked_for_all_of_it() {
    for way in [Way::Whole, Way::Another] {
        let (server, context) = (web(large("a text\n", LONG), way), context());
        assert_eq!(word(&server, &context).text(), "a text\n");
        assert_eq!(server.asked().iter().filter(|range| *range == "all").count(), 2);
        assert_eq!(fetch(&inside(&server.url(), "d/z.txt"), &context).text(), "z\n");
        assert!(server.asked().is_empty(), "it is held");
    }
}

#[test]
fn what_a_server_lies_about_is_no_member() {
    let (server, context) = (web(large("a text\n", LONG), Way::Lies), context());
    // No table is found in what it sends, so that all of it is fetched.
    assert_eq!(word(&server, &context).text(), "a text\n");
    // The checksum tells of a member from another place.
    let mut wrong = large("a text\n", LONG);
    let at = wrong.windows(4).position(|four| four == [7; 4]).unwrap();
    wrong[at + 1000] = 8;
    let server = web(wrong, Way::Right);
    let outcome = fetch(&inside(&server.url(), "long"), &context);
    assert!(outcome.cut().is_some_and(|cut| cut.contains("checksum")), "{:?}", outcome.end);
}

#[test]
fn a_zip_that_changes_between_is_another_one() {
    let (server, context) = (web(large("old text\n", LONG), Way::Right), context());
    assert_eq!(names(&fetch(&inside(&server.url(), ""), &context)).len(), 4);
    *server.file.lock().unwrap() = (large("a newer text\n", LONG), "\"2\"".into());
    assert_eq!(word(&server, &context).text(), "a newer text\n");
    // The same tag and another length: no part of the one is put into the other.
    *server.file.lock().unwrap() = (large("short\n", LONG), "\"3\"".into());
    let again = Request { anew: true, ..inside(&server.url(), "") };
    assert_eq!(names(&fetch(&again, &context)).len(), 4);
    server.file.lock().unwrap().0 = large("a much longer text\n", LONG + 1);
    assert_eq!(word(&server, &context).text(), "a much longer text\n");
}

#[test]
fn a_table_that_lies_costs_a_sentence() {
    let text = "a text\n".repeat(10);
    // A member said to be where there is none, one over another, a table cut off.
    let nowhere = Zipped { at: Some(LONG as u32 / 2), ..zipped("nowhere", text.as_bytes()) };
    let file = zip(&[zipped("a.txt", b"a\n"), stored("long", vec![7; LONG]), nowhere]);
    let (server, context) = (web(file, Way::Right), context());
    let outcome = fetch(&inside(&server.url(), "nowhere"), &context);
    assert!(outcome.words().contains("shares octets with others"), "{}", outcome.words());
    let mut file = large("a text\n", LONG);
    file.truncate(file.len() - 30);
    let server = web(file, Way::Right);
    let outcome = fetch(&inside(&server.url(), ""), &context);
    assert!(outcome.words().contains("table of contents is missing"), "{}", outcome.words());
}

#[test]
fn whoever_reads_all_of_it_has_it_as_a_whole() {
    let many: Vec<Zipped> = (0..40).map(|at| stored(&format!("m{at}"), vec![7; 40_000])).collect();
    let (server, context) = (web(zip(&many), Way::Right), context());
    for at in 0..40 {
        assert_eq!(fetch(&inside(&server.url(), &format!("m{at}")), &context).body.len(), 40_000);
    }
    let asked = server.asked();
    assert_eq!(asked.iter().filter(|range| *range == "all").count(), 2, "{asked:?}");
    assert!(asked.len() < 30, "{asked:?}");
}

#[test]
fn an_ftp_server_is_asked_for_parts_by_rest() {
    let file = large("a text\n", 9 << 20);
    let (length, tail) = (file.len(), file.len() - (128 << 10));
    let common = || {
        let feat = ("FEAT", say("211-x\r\n MDTM\r\n SIZE\r\n REST STREAM\r\n211 End\r\n"));
        let size = ("SIZE", say(format!("213 {length}\r\n")));
        vec![feat, size, ("MDTM", say("213 20250102030405\r\n")), ("REST", say("350 go on\r\n"))]
    };
    let sends = |octets: &[u8]| {
        vec![Do::Say("150 here\r\n".into()), Do::Data(octets.to_vec()), Do::EndData, Do::Say("226 all\r\n".into())]
    };
    let all = [common(), vec![("RETR", sends(&file))]].concat();
    let end = [common(), vec![("RETR", sends(&file[tail..]))]].concat();
    let server = Ftp::several(&[&all, &end, &all]);
    let context = context();
    let url = server.url("x.zip");
    assert_eq!(names(&fetch(&inside(&url, ""), &context)), ["d", "a.txt", "link", "long"]);
    assert_eq!(fetch(&inside(&url, "a.txt"), &context).text(), "a text\n");
}
