//! What another process may hand to the copy that runs (`--remote`): addresses that lead to this machine, that hold what a
//! terminal obeys, or that are none, and lines without end.

use crate::doors::{SECRET, Secret};
use crate::octets::{Sink, foreign};
use crate::tally::Tally;
use crate::terminal::{Terminal, piped};
use crate::vector::vectors;
use serde_json::json;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// A copy that runs, and the socket on which it listens.
fn running() -> (Terminal, PathBuf) {
    let mut terminal = Terminal::start(&["about:help"]);
    terminal.see("Following links");
    let folder = terminal.home().join(".local/state/wayfarer/remote");
    let socket = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    (terminal, socket)
}

/// What is answered to octets.
fn answer(socket: &PathBuf, octets: &[u8]) -> String {
    let mut stream = UnixStream::connect(socket).unwrap();
    // It may be refused before all of it was said.
    let _ = stream.write_all(octets);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn open(socket: &PathBuf, place: &str) -> String {
    answer(socket, format!("{}\n", json!({ "open": [place] })).as_bytes())
}

/// Nothing of this machine is shown, started or changed before a yes.
pub fn doors(tally: &Tally) {
    let secret = Secret::hidden();
    let path = secret.targets[0].trim_start_matches("file://").to_owned();
    let acts = [
        "about:tour",
        "about:cookies?forget=h",
        "telnet://h/",
        "mailto:a@b",
        "gopher://127.0.0.1:25/",
        "javascript:alert(1)",
        "x-unknown:y",
        "gopher://127.0.0.1:7/",
    ];
    for place in secret.targets.iter().map(String::as_str).chain([&*path]).chain(acts) {
        let (mut terminal, socket) = running();
        let said = open(&socket, place);
        let row = ("3 doors", "remote", "handed over");
        if said.contains("refused") {
            tally.refused(row);
            continue;
        }
        terminal.frame_that(place, |screen| {
            let screen = screen.contents();
            // A service is told of by a page; what starts it asks.
            screen.contains('┌') || screen.contains("tried ") || screen.contains("Start it") || screen.contains(SECRET)
        });
        let screen = terminal.screen();
        let shown = screen.contains(SECRET) || screen.contains("Tour of");
        tally.hold(row, !shown, || format!("{place:?}: {screen}"));
    }
}

/// Nothing that a terminal obeys comes through an address, nor through the file that is named on the command line.
pub fn text(tally: &Tally) {
    let (mut terminal, socket) = running();
    for vector in vectors().iter().step_by(if crate::whole() { 1 } else { 5 }) {
        let Ok(text) = std::str::from_utf8(&vector.octets) else { continue };
        open(&socket, &format!("gopher://127.0.0.1:1/0/{text}x"));
        open(&socket, &format!("gopher://{text}.invalid/"));
        tally.harmless(("1 text", "remote", vector.class));
    }
    assert!(open(&socket, "about:urls").contains("opened"));
    let home = terminal.home().to_path_buf();
    let named =
        piped(&home).args(["--remote", "gopher://127.0.0.1:1/0/\u{202e}\u{9b}31m\u{e0041}", "--\u{202e}"]).output();
    let said = named.unwrap().stderr;
    tally.judge(("1 text", "remote", "printed"), foreign(&said, Sink::Piped).pop().map(|(_, why)| why));
    terminal.see_that("all of them", |screen| screen.contains("What can be typed")).keys("Q").end();
    let raw = terminal.drained().raw();
    tally.judge(("1 text", "remote", "on the screen"), foreign(&raw, Sink::Screen(80, 24)).pop().map(|(_, why)| why));
}

/// What is too long, too much or nothing is refused, and the copy goes on.
pub fn limits(tally: &Tally) {
    let (mut terminal, socket) = running();
    let long = |octets: usize| format!("{}\n", json!({ "open": [format!("http://h/{}", "x".repeat(octets))] }));
    let many = format!("{}\n", json!({ "open": vec!["about:help"; 21] }));
    let deep = format!("{}\n", "[".repeat(60_000));
    let cases = [
        ("a long address", long(65_536)),
        ("a line without end", "x".repeat(16 << 20)),
        ("many addresses", many),
        ("deep JSON", deep),
        ("a command", "{\"quit\":true}\n".into()),
        ("a setting", "{\"open\":[],\"set\":{\"safe\":false}}\n".into()),
        ("no address", "{\"open\":[{\"url\":\"about:urls\"}]}\n".into()),
        ("nothing", String::new()),
        ("half a line", "{\"open\":[\"about:urls\"]}".into()),
    ];
    for (name, line) in cases {
        let said = answer(&socket, line.as_bytes());
        tally.hold(("7 limits", "remote", "handed over"), !said.contains("\"opened\""), || format!("{name}: {said}"));
    }
    let crowd: Vec<_> = (0..200).map(|_| UnixStream::connect(&socket)).collect();
    drop(crowd);
    let said = open(&socket, "about:urls");
    tally.hold(("7 limits", "remote", "handed over"), said.contains("\"opened\""), || format!("it goes on: {said}"));
    terminal.see("What can be typed").keys("Q").end();
}
