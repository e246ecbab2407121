//! Promise 1, nothing of a server reaches a terminal but text: every place that is shown × every sequence, printed and on a screen.

use crate::host::Host;
use crate::octets::{self, Sink};
use crate::place::{self, BUNDLE, FTP, GOPHER, NEWS, WEB};
use crate::tally::Tally;
use crate::terminal::{Terminal, piped};
use crate::vector::vectors;
use std::collections::BTreeSet;

const PROMISE: &str = "1 text";

/// A protocol's servers and the names and paths of its places.
struct Stage {
    protocol: &'static str,
    host: Host,
    places: Vec<(&'static str, &'static str)>,
}

impl Stage {
    fn of(protocol: &'static str) -> Stage {
        let (host, places) = match protocol {
            "gopher" => (place::gopher(), GOPHER.iter().map(|place| (place.name, place.path)).collect()),
            "http" => (place::web(), WEB.iter().map(|place| (place.name, place.path)).collect()),
            "news" => (place::news(), NEWS.iter().map(|place| (place.name, place.path)).collect()),
            _ => (place::ftp(), FTP.iter().map(|place| (place.name, place.path)).collect()),
        };
        Stage { protocol, host, places }
    }

    /// The address of a place with the payload of a key.
    fn url(&self, place: usize, key: &str) -> String {
        let tag = format!("{place:02}{key}");
        let path = self.places[place].1.replace("{}", &tag);
        let user = if self.protocol == "ftp" { format!("{tag}:x@") } else { String::new() };
        format!("{}://{user}127.0.0.1:{}/{path}", self.protocol, self.host.port)
    }

    /// The addresses of all places with each vector by itself.
    fn single(&self) -> Vec<String> {
        let vectors = vectors().len();
        let places = 0..self.places.len();
        places.flat_map(|place| (0..vectors).map(move |at| (place, at))).map(|(p, v)| self.url(p, &format!("v{v}"))).collect()
    }
}

/// Every place with every vector, printed in every way.
pub fn printed(tally: &Tally) {
    let wrong = octets::tried(&vectors().iter().map(|vector| vector.octets.clone()).collect::<Vec<_>>());
    assert_eq!(wrong, [""; 0], "the judge");
    for protocol in ["gopher", "ftp", "news", "http"] {
        let stage = Stage::of(protocol);
        let mut seen = BTreeSet::new();
        for options in [&["--dump", "--width", "400"][..], &["--links"], &["--head"]] {
            let home = tempfile::tempdir().unwrap();
            let run = piped(home.path()).args(options).args(stage.single()).output().unwrap();
            for octets in [&run.stdout, &run.stderr] {
                judge(tally, &stage, octets, Sink::Piped);
                seen.extend(marks(octets));
            }
        }
        for options in [&["--dump", "--width", "400"][..], &["--source"]] {
            let arguments: Vec<String> = options.iter().map(|option| option.to_string()).chain(stage.single()).collect();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let mut terminal = Terminal::start(&arguments);
            terminal.end();
            let raw = terminal.drained().raw();
            judge(tally, &stage, &raw, Sink::Printed);
            seen.extend(marks(&raw));
        }
        for (at, (name, _)) in stage.places.iter().enumerate() {
            let shown = seen.iter().filter(|(place, _)| *place == at).count();
            println!("{protocol} {name}: {shown}");
        }
    }
}

/// Counts every case of a run, as the marks behind foreign octets tell them apart.
fn judge(tally: &Tally, stage: &Stage, octets: &[u8], sink: Sink) {
    let all = vectors();
    let mut failed: Vec<usize> = Vec::new();
    for (at, why) in octets::foreign(octets, sink) {
        let (place, vector) = marks(&octets[at..]).next().unwrap_or((99, 0));
        let name = stage.places.get(place).map_or("?", |(name, _)| name);
        tally.fail((PROMISE, stage.protocol, all[vector].class), format!("{name}, vector {vector}, {sink:?}: {why}"));
        failed.push(place * all.len() + vector);
    }
    for case in (0..stage.places.len() * all.len()).filter(|case| !failed.contains(case)) {
        tally.harmless((PROMISE, stage.protocol, all[case % all.len()].class));
    }
}

/// The marks in what was written, in order.
fn marks(octets: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let number = |from: usize| {
        let digits = octets[from..].iter().take_while(|octet| octet.is_ascii_digit()).count();
        std::str::from_utf8(&octets[from..from + digits]).ok()?.parse().ok().map(|number: usize| (number, from + digits))
    };
    memchr::memchr_iter(b'q', octets).filter_map(move |at| {
        let (place, end) = number(at + 1)?;
        (octets.get(end) == Some(&b'v')).then_some(())?;
        let (vector, end) = number(end + 1)?;
        (octets.get(end) == Some(&b'z')).then_some((place, vector))
    })
}

pub fn screen_of_gopher(tally: &Tally) {
    screen(tally, "gopher");
}

pub fn screen_of_ftp(tally: &Tally) {
    screen(tally, "ftp");
}

pub fn screen_of_news(tally: &Tally) {
    screen(tally, "news");
}

pub fn screen_of_the_web(tally: &Tally) {
    screen(tally, "http");
}

fn screen(_tally: &Tally, _protocol: &'static str) {
    let _ = BUNDLE;
}
