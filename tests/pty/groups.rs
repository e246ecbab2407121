//! Groups that are known: their rows stand before the server has answered, and what it says completes them.

use crate::door::Door;
use crate::terminal::Terminal;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

/// A news server with one group, which says nothing of it while it is held.
#[derive(Default)]
struct Server {
    now: Mutex<Now>,
    changed: Condvar,
}

#[derive(Default, Clone)]
struct Now {
    low: u64,
    high: u64,
    /// What the ids of its articles end in: another one is other articles.
    host: &'static str,
    held: bool,
    /// The answer to GROUP, where it is another.
    refusal: Option<&'static str>,
    asked: Vec<String>,
}

impl Server {
    fn start(low: u64, high: u64) -> (Arc<Server>, u16, Door) {
        let server = Arc::new(Server::default());
        server.set(|now| (now.low, now.high, now.host) = (low, high, "h"));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (door, visitors) = Door::open(listener);
        let serving = Arc::clone(&server);
        std::thread::spawn(move || {
            for visitor in visitors {
                let server = Arc::clone(&serving);
                std::thread::spawn(move || server.talk(&visitor));
            }
        });
        (server, port, door)
    }

    fn set(&self, change: impl FnOnce(&mut Now)) {
        change(&mut self.now.lock().unwrap());
        self.changed.notify_all();
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.now.lock().unwrap().asked)
    }

    fn talk(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut out = stream;
        out.write_all(b"200 ready\r\n")?;
        for line in BufReader::new(stream).lines() {
            let line = line?;
            let (verb, word) = line.split_once(' ').unwrap_or((&line, ""));
            let mut now = self.now.lock().unwrap();
            now.asked.push(line.clone());
            if verb == "GROUP" {
                now = self.changed.wait_while(now, |now| now.held).unwrap();
            }
            let Now { low, high, host, refusal, .. } = *now;
            drop(now);
            let answer = match (verb, refusal) {
                ("MODE", _) => "200 posting allowed".into(),
                ("GROUP", Some(refusal)) => refusal.into(),
                ("GROUP", None) => format!("211 {} {low} {high} {word}", (high + 1).saturating_sub(low)),
                ("STAT", _) => format!("223 {word} <{word}@{host}>"),
                ("OVER", _) => over(word, low, high, host),
                ("ARTICLE", _) => {
                    format!("220 0 {word}\r\nSubject: x\r\nMessage-ID: {word}\r\n\r\nText of {word}.\r\n.")
                }
                _ => "500 unknown".into(),
            };
            out.write_all(format!("{answer}\r\n").as_bytes())?;
        }
        Ok(())
    }
}

fn over(range: &str, low: u64, high: u64, host: &str) -> String {
    let (first, last) = range.split_once('-').unwrap();
    let (first, last): (u64, u64) = (first.parse().unwrap(), last.parse().unwrap_or(high));
    let line = |number| format!("{number}\tSubject {number}\ta@x\t\t<{number}@{host}>\t\t9\t1\r\n");
    let lines: String = (first.max(low)..=last.min(high)).map(line).collect();
    format!("224 these\r\n{lines}.")
}

/// A reader's home in which the group is known.
fn known(server: &Server, port: u16) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(&home, port);
    terminal.see("Subject 12").see("12 unread").keys("Q").end();
    server.asked();
    home
}

fn start(home: &tempfile::TempDir, port: u16) -> Terminal {
    fs::create_dir_all(home.path().join(".local/state/wayfarer")).unwrap();
    let url = format!("news://127.0.0.1:{port}/g");
    Terminal::start_with(&["--no-session", &url], 80, 24, &[("HOME", home.path().to_str().unwrap())])
}

#[test]
fn a_known_group_stands_before_its_server_answers_and_is_completed_by_the_difference() {
    let (server, port, _door) = Server::start(1, 12);
    let home = known(&server, port);
    server.set(|now| (now.held, now.low, now.high) = (true, 3, 15));
    let mut terminal = start(&home, port);
    terminal.see("Subject 12").see("Subject 1 ").see("12 articles").see("kept just now, being asked for");
    // All of it can be read meanwhile, but for what needs the server.
    terminal.keys("m").see("11 unread");
    assert!(!terminal.screen().contains("Subject 15"), "{}", terminal.screen());
    server.set(|now| now.held = false);
    terminal.see("Subject 15").see("13 articles").see_no("being asked for").see_no("Subject 1 ");
    let asked = server.asked();
    let of = |verb: &str| asked.iter().filter(|line| line.starts_with(verb)).cloned().collect::<Vec<_>>();
    assert_eq!((of("GROUP"), of("OVER")), (vec!["GROUP g".into()], vec!["OVER 13-".to_string()]), "{asked:?}");
    // What was sent is written down, though the page was there before.
    terminal.keys("=").see("Anatomy").keys("\x1b[6~\x1b[6~").see("OVER 13-").keys("\x1b").see_no("OVER 13-");
    terminal.keys("Q").end();
}

#[test]
fn a_known_group_whose_server_refuses_or_is_gone_stays_with_the_truth_in_the_bar() {
    let (server, port, door) = Server::start(1, 12);
    let home = known(&server, port);
    server.set(|now| now.refusal = Some("411 no such group"));
    let mut terminal = start(&home, port);
    terminal.see("has no group").see("Subject 12").see("kept just now, not brought up to date").keys("Q").end();
    drop(door);
    server.set(|now| now.refusal = None);
    let mut terminal = start(&home, port);
    terminal.see("refused the connection").see("Subject 12").see("kept just now, not brought up to date");
    terminal.keys("Q").end();
}

/// slrn and tin read the newsrc when they begin and write all of it when they end.
#[test]
fn what_another_newsreader_writes_at_its_end_makes_nothing_unread_that_it_never_saw() {
    let (server, port, _door) = Server::start(1, 12);
    let home = known(&server, port);
    let newsrc = home.path().join(format!(".newsrc-127.0.0.1:{port}"));
    let mut terminal = start(&home, port);
    terminal.see("12 unread").keys("J").see("11 unread").keys("Q").end();
    // It begins, and knows of the first mark.
    let known = fs::read_to_string(&newsrc).unwrap();
    let mut terminal = start(&home, port);
    terminal.see("11 unread").keys("JJ").see("10 unread").keys("J").see("9 unread").keys("Q").end();
    fs::write(&newsrc, format!("{known}read.there: 1-7\n")).unwrap();
    let mut terminal = start(&home, port);
    terminal.see("9 unread").keys("Q").end();
    let text = fs::read_to_string(&newsrc).unwrap();
    assert!(text.contains("g! 10-12\n") && text.contains("read.there: 1-7\n"), "{text}");
    // What it had seen and made unread stays so.
    fs::write(&newsrc, text.replace("10-12", "10,12")).unwrap();
    let mut terminal = start(&home, port);
    terminal.see("10 unread").keys("Q").end();
    assert!(fs::read_to_string(&newsrc).unwrap().contains("g! 10,12\n"));
}

/// Rows of other articles do not stay.
#[test]
fn a_known_group_that_the_server_has_numbered_anew_is_fetched_anew() {
    let (server, port, _door) = Server::start(1, 12);
    let home = known(&server, port);
    server.set(|now| (now.held, now.low, now.high, now.host) = (true, 1, 9, "other"));
    let mut terminal = start(&home, port);
    terminal.see("Subject 12").see("being asked for");
    server.set(|now| now.held = false);
    terminal
        .see("has numbered g anew")
        .see("9 articles")
        .see_no("Subject 12")
        .see_no("being asked for")
        .keys("Q")
        .end();
}

/// What was fetched for the train is there while nobody is to be asked.
#[test]
fn what_is_kept_of_news_is_read_offline_and_nobody_is_asked() {
    let (server, port, _door) = Server::start(1, 12);
    let home = known(&server, port);
    let mut terminal = start(&home, port);
    terminal.see("12 unread").keys(":fetch\r").see("12").see_that("all are kept", |screen| screen.contains("12 kept"));
    terminal.keys("Q").end();
    server.asked();
    let url = format!("news://127.0.0.1:{port}/g");
    let arguments = ["--no-session", "--offline", &url];
    let home = home.path().to_str().unwrap();
    let mut terminal = Terminal::start_with(&arguments, 80, 24, &[("HOME", home)]);
    terminal.see("Subject 12").see("12 unread").see("kept just now");
    terminal
        .keys("n")
        .see("Text of <")
        .see(" offline ")
        .see("kept just now")
        .keys("n")
        .see("Text of <")
        .keys("hh")
        .see("Subject 12");
    terminal.keys("R").see("Nobody was asked.").see("Subject 12").keys("Q").end();
    assert_eq!(server.asked(), Vec::<String>::new());
}

/// Nobody has said that they are gone.
#[test]
fn articles_that_are_not_kept_stay_unread_offline() {
    let (server, port, _door) = Server::start(1, 12);
    let home = known(&server, port);
    let url = format!("news://127.0.0.1:{port}/g");
    let arguments = ["--no-session", "--offline", &url];
    let home = home.path().to_str().unwrap();
    let mut terminal = Terminal::start_with(&arguments, 80, 24, &[("HOME", home)]);
    terminal.see("12 unread").keys("n").see("No copy of this page").keys("n").see("No copy of this page");
    terminal.keys("Q").end();
    let newsrc = fs::read_to_string(Path::new(home).join(format!(".newsrc-127.0.0.1:{port}"))).unwrap_or_default();
    assert_eq!((newsrc.as_str(), server.asked()), ("", Vec::new()));
}
