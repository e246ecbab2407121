//! Journeys through servers that nobody here wrote, with the real program in a pseudo-terminal.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod books;
mod ftp;
mod gemini;
mod gopher;
mod guard;
#[path = "../it/archive/made.rs"]
#[expect(dead_code, reason = "only some archives lie on servers")]
mod made;
mod news;
#[path = "../fault/pem.rs"]
mod pem;
mod printed;
mod servers;
mod sftp;
mod small;
#[path = "../pty/terminal.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod terminal;
mod web;

use terminal::Terminal;

/// Where the servers' packages are. A journey is asked for by name, and without them it fails.
fn packages() -> std::path::PathBuf {
    servers::packages("this journey").expect("WAYFARER_SERVERS is set by tests/real/run")
}

/// Waits until the page, seen from its top, has come as a whole: in the bar its progress stands no more between base and place.
fn arrived(screen: &mut Terminal) -> &mut Terminal {
    // Which item of its list it is may stand in the place of the base, where there is no room for both.
    let whole = |said: &str| ["  All", "  Top"].iter().any(|place| said.starts_with(place));
    let item = |line: &str| {
        line.split(" of ").skip(1).any(|rest| whole(rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',')))
    };
    screen.see_that("a page that has come as a whole", |now| {
        now.split("base: retrieval").skip(1).any(whole) || now.lines().any(item)
    })
}

/// Finds a menu's item by its words and follows it.
fn follow(screen: &mut Terminal, item: &str) {
    focus(screen, item);
    screen.keys("\r");
}

/// Finds a menu's item by its words; it has the focus then.
fn focus(screen: &mut Terminal, item: &str) {
    screen.keys(&format!("/{item}\r")).focused(item);
}

/// Quits; the program ends well and leaves the terminal as it was.
fn quit(screen: &mut Terminal) {
    assert_eq!(screen.keys("Q").end(), 0);
    assert_eq!(screen.drained().modes(), (false, false), "the terminal is as it was");
}
