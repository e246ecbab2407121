//! Killed at any moment: whatever was said to be kept, and whatever was in a file, is kept, every file is whole, and nothing half
//! written stays behind.

use crate::home::{DATA, Draw, STATE, asked, files, start};
use crate::server::{Server, whole};
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Only a test that fails waits so long.
const LATEST: Duration = Duration::from_secs(30);
/// Turns that a moment may be away.
const MOMENTS: usize = 30_000;

/// What was said to be kept, or was in its file.
#[derive(Default)]
struct Promised {
    bookmarks: Vec<String>,
    subscriptions: Vec<String>,
    saved: Vec<String>,
    /// Lines that the history has had.
    history: Vec<String>,
}

/// What the reader may be at.
#[derive(Debug, Clone, Copy)]
enum Act {
    Visit,
    Bookmark,
    Subscribe,
    Download,
}

fn draw_act(draw: &mut Draw) -> Act {
    [Act::Visit, Act::Bookmark, Act::Subscribe, Act::Download][draw.below(4)]
}

fn bookmarks(home: &Path) -> String {
    fs::read_to_string(home.join(DATA).join("bookmarks.toml")).unwrap_or_default()
}

fn content(number: usize) -> Vec<u8> {
    format!("\0file {number} ").repeat(20_000).into_bytes()
}

/// A server with a text and a file of every number.
fn server(most: usize) -> Server {
    let server = Server::start(vec![]);
    for number in 0..most {
        server.answer(&format!("/p{number}"), whole(format!("text {number} of many\r\n")));
        server.answer(&format!("/f{number}"), whole(content(number)));
    }
    server
}

/// Does it up to the last key, which may be the last of all.
fn begin(terminal: &mut Terminal, act: Act, number: usize, server: &Server) {
    match act {
        Act::Visit => {
            terminal.keys(&format!("g{}\r", server.url(&format!("0/p{number}"))));
        }
        Act::Bookmark => {
            begin(terminal, Act::Visit, number, server);
            terminal.see(&format!("text {number} of many")).keys("a").see("A new bookmark");
            terminal.keys(&format!("bookmark {number}\r"));
        }
        Act::Subscribe => {
            begin(terminal, Act::Visit, number, server);
            terminal.see(&format!("text {number} of many")).keys("A");
        }
        Act::Download => {
            terminal.keys(&format!("g{}\r", server.url(&format!("9/f{number}"))));
            terminal.see("This is no page").keys("s").see("save as: ").keys("\r");
        }
    }
}

/// Waits until it is said that it is done.
fn promised(home: &Path, terminal: &mut Terminal, act: Act, number: usize, promised: &mut Promised) {
    match act {
        Act::Visit => drop(terminal.see(&format!("text {number} of many"))),
        Act::Bookmark => {
            let mut kept = false;
            terminal.see_that("a bookmark", |screen| {
                kept = screen.contains("kept among");
                kept || screen.contains("put among")
            });
            let (deadline, title) = (Instant::now() + LATEST, format!("\"bookmark {number}\""));
            let is_there = || bookmarks(home).contains(&title);
            assert!(!kept || is_there(), "{title} is said to be kept and is not: {}", bookmarks(home));
            // Another thread writes it, which is not to wait for a quiet moment or for the end; until then nothing is promised.
            while !is_there() {
                assert!(Instant::now() < deadline, "{title} is never written: {}", bookmarks(home));
                std::thread::yield_now();
            }
            promised.bookmarks.push(title);
        }
        Act::Subscribe => {
            // One of an earlier turn may have been kept though that was not said.
            terminal.see_that("a subscription", |screen| screen.contains("subscribed to gopher"));
            promised.subscriptions.push(format!("/p{number}\""));
        }
        Act::Download => {
            terminal.see("saved").see(&format!("f{number}"));
            promised.saved.push(format!("f{number}"));
        }
    }
}

/// Holds every file to what it must be, however the program ended.
fn check(home: &Path, promised: &mut Promised, when: &str) {
    let state = home.join(STATE);
    for name in ["history", "words", "downloads"] {
        let text = fs::read_to_string(state.join(name)).unwrap_or_default();
        assert!(text.is_empty() || text.ends_with('\n'), "{when}: {name} ends in the middle of a line: {text:?}");
        assert!(text.is_empty() || text.starts_with(['#', '{']), "{when}: {name}: {text:?}");
    }
    let history = fs::read_to_string(state.join("history")).unwrap_or_default();
    for line in &promised.history {
        assert!(history.lines().any(|kept| kept == line), "{when}: {line} has gone from the history");
    }
    promised.history = history.lines().map(str::to_owned).collect();
    assert!(history.lines().skip(1).all(|line| line.split('\t').count() >= 3), "{when}: {history}");
    let session = fs::read_to_string(state.join("sessions/default.jsonl")).unwrap_or_default();
    assert!(session.is_empty() || session.lines().last().unwrap().contains("\"end\""), "{when}: {session}");
    let bookmarks = bookmarks(home);
    bookmarks.parse::<toml::Table>().unwrap_or_else(|error| panic!("{when}: {error}: {bookmarks}"));
    let subscriptions = fs::read_to_string(home.join(DATA).join("subscriptions.toml")).unwrap_or_default();
    subscriptions.parse::<toml::Table>().unwrap_or_else(|error| panic!("{when}: {error}: {subscriptions}"));
    for url in &promised.subscriptions {
        assert!(subscriptions.contains(url), "{when}: {url} has gone: {subscriptions}");
    }
    for title in &promised.bookmarks {
        assert!(bookmarks.contains(title), "{when}: {title} has gone: {bookmarks}");
    }
    for name in &promised.saved {
        let octets = fs::read(home.join("Downloads").join(name)).unwrap_or_default();
        assert!(octets == content(name[1..].parse().unwrap()), "{when}: {name} is not whole: {}", octets.len());
    }
    let bad: Vec<_> = files(home).into_iter().filter(|path| path.to_string_lossy().contains(".bad")).collect();
    assert!(bad.is_empty(), "{when}: taken for damaged: {bad:?}");
}

#[test]
fn what_was_said_to_be_kept_outlives_a_kill_at_any_moment() {
    let kills = asked("WAYFARER_KILLS", 8);
    let seed = asked("WAYFARER_SEED", 14);
    let (server, home) = (server(kills * 3 + 2), tempfile::tempdir().unwrap());
    let (mut draw, mut kept, mut number) = (Draw::new(seed as u64), Promised::default(), 0);
    let (mut last, mut left) = (0, 0);
    for kill in 0..kills {
        let mut terminal = start(home.path(), &[]);
        terminal.see("base: ");
        for _ in 0..draw.below(3) {
            let act = draw_act(&mut draw);
            begin(&mut terminal, act, number, &server);
            promised(home.path(), &mut terminal, act, number, &mut kept);
            number += 1;
        }
        let act = draw_act(&mut draw);
        begin(&mut terminal, act, number, &server);
        number += 1;
        let moments = draw.below(MOMENTS);
        (0..moments).for_each(|_| std::thread::yield_now());
        last = terminal.id();
        terminal.signal(Signal::KILL).end();
        check(home.path(), &mut kept, &format!("kill {kill} of seed {seed}, at {act:?} and {moments} moments"));
        left += files(home.path()).iter().filter(|path| is_left(path)).count();
    }
    // What a kill leaves in the middle of writing, whether it was hit or not.
    for name in [".local/state/wayfarer/sessions/default.jsonl", ".local/share/wayfarer/bookmarks.toml"] {
        fs::create_dir_all(home.path().join(name).parent().unwrap()).unwrap();
        fs::write(home.path().join(format!("{name}.wayfarer-new-{last}")), "half of").unwrap();
    }
    let mut terminal = start(home.path(), &[]);
    terminal.see("base: ");
    for act in [Act::Bookmark, Act::Download] {
        begin(&mut terminal, act, number, &server);
        promised(home.path(), &mut terminal, act, number, &mut kept);
        number += 1;
    }
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
    check(home.path(), &mut kept, "at the end");
    let behind: Vec<_> = files(home.path()).into_iter().filter(|path| is_left(path)).collect();
    assert!(behind.is_empty(), "left behind by runs that were killed: {behind:?}");
    println!(
        "{kills} kills of seed {seed}: {} bookmarks, {} files, {} lines of history kept; {left} times something half written lay there",
        kept.bookmarks.len(),
        kept.saved.len(),
        kept.history.len(),
    );
}

fn is_left(path: &Path) -> bool {
    path.to_string_lossy().contains(".wayfarer-new-")
}
