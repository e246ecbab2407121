//! Promise 1, nothing of a server reaches a terminal but text: every place that is shown × every sequence, printed and
//! on a screen.

use crate::host::Host;
use crate::octets::{self, Sink};
use crate::place::{self, BUNDLE, DICT, FINGER, FTP, GOPHER, NEWS, WEB, WHOIS};
use crate::tally::Tally;
use crate::terminal::{Terminal, piped};
use crate::vector::vectors;
use std::collections::BTreeSet;

const PROMISE: &str = "1 text";
/// The screen, on which a bundle of vectors has room.
const WIDTH: u16 = 200;
const HEIGHT: u16 = 60;
/// Every so many vectors are tried at a place where there is little time.
const STEP: usize = 6;
/// So many bundles are tried at a place where there is little time.
const AT_ONCE: usize = 2;
/// So many addresses are printed on a terminal by one run.
const AT_A_TIME: usize = 300;
/// Places that are shown nowhere.
const UNSHOWN: [&str; 4] = ["reply to SYST", "owner", "status", "Location to nowhere"];
/// Places where text that is not of the right form is not shown.
const PARTLY: [&str; 5] = ["date", "target of a link", "cookie", "realm", "markdown link"];

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
            "finger" => (place::finger(), FINGER.iter().map(|place| (place.name, place.path)).collect()),
            "whois" => (place::whois(), WHOIS.iter().map(|place| (place.name, place.path)).collect()),
            "dict" => (place::dict(), DICT.iter().map(|place| (place.name, place.path)).collect()),
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

    /// The addresses of all places with vectors by themselves, and how many they are.
    fn single(&self) -> Vec<String> {
        let tried = |place: usize| tried(place).map(move |vector| (place, vector));
        (0..self.places.len()).flat_map(tried).map(|(place, vector)| self.url(place, &format!("v{vector}"))).collect()
    }
}

/// The vectors that are tried at a place: all, or some of them, others at each place.
fn tried(place: usize) -> impl Iterator<Item = usize> {
    let step = if crate::whole() { 1 } else { STEP };
    (place % step..vectors().len()).step_by(step)
}

pub fn printed_gopher(tally: &Tally) {
    let wrong = octets::tried(&vectors().iter().map(|vector| vector.octets.clone()).collect::<Vec<_>>());
    assert_eq!(wrong, [""; 0], "the judge lets attacks through");
    printed(tally, "gopher");
}

pub fn printed_ftp(tally: &Tally) {
    printed(tally, "ftp");
}

pub fn printed_news(tally: &Tally) {
    printed(tally, "news");
    greeted(tally);
}

pub fn printed_web(tally: &Tally) {
    printed(tally, "http");
}

pub fn printed_small(tally: &Tally) {
    ["finger", "whois", "dict"].into_iter().for_each(|protocol| printed(tally, protocol));
}

pub fn screen_of_small(tally: &Tally) {
    ["finger", "whois", "dict"].into_iter().for_each(|protocol| screen(tally, protocol));
}

/// A server that says no before it is asked, each time with another vector.
fn greeted(tally: &Tally) {
    let (host, home) = (place::greeting(), tempfile::tempdir().unwrap());
    let url = format!("news://127.0.0.1:{}/g", host.port);
    let run = piped(home.path()).arg("--dump").args(vec![url; vectors().len()]).output().unwrap();
    let row = (PROMISE, "news", "greeting");
    for (_, why) in octets::foreign(&run.stderr, Sink::Piped) {
        tally.fail(row, why);
    }
    let seen: BTreeSet<_> = marks(&run.stderr).collect();
    tally.hold(row, seen.len() > vectors().len() / 2, || format!("shown are {seen:?}"));
}

/// Every place with vectors by themselves, printed in every way.
fn printed(tally: &Tally, protocol: &'static str) {
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
        // As many at a time as any machine prints before somebody thinks that it hangs.
        for urls in stage.single().chunks(AT_A_TIME) {
            let arguments: Vec<&str> = options.iter().copied().chain(urls.iter().map(String::as_str)).collect();
            let mut terminal = Terminal::start(&arguments);
            terminal.end();
            let raw = terminal.drained().raw();
            judge(tally, &stage, &raw, Sink::Printed);
            seen.extend(marks(&raw));
        }
    }
    for (at, (name, _)) in stage.places.iter().enumerate() {
        let whole = |vector: &usize| vectors()[*vector].class != "short";
        let (shown, wanted): (Vec<usize>, Vec<usize>) = tried(at).filter(whole).partition(|v| seen.contains(&(at, *v)));
        let row = (PROMISE, stage.protocol, "text behind the sequence");
        // A field of some meaning may have to be refused for one octet, or for a space; not for most.
        let few = if PARTLY.contains(name) { shown.is_empty() } else { wanted.len() > 1.max(shown.len() / 16) };
        tally.hold(row, UNSHOWN.contains(name) || !few, || format!("{name}: shown {shown:?}, not {wanted:?}"));
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
    for place in 0..stage.places.len() {
        for vector in tried(place).filter(|vector| !failed.contains(&(place * all.len() + vector))) {
            tally.harmless((PROMISE, stage.protocol, all[vector].class));
        }
    }
}

/// The marks in what was written, in order.
fn marks(octets: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let number = |from: usize| {
        let digits = octets[from..].iter().take_while(|octet| octet.is_ascii_digit()).count();
        std::str::from_utf8(&octets[from..from + digits])
            .ok()?
            .parse()
            .ok()
            .map(|number: usize| (number, from + digits))
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

/// Bundles of vectors at every place, on the page, in the anatomy and as source, then all of them in the history.
fn screen(tally: &Tally, protocol: &'static str) {
    let stage = Stage::of(protocol);
    let mut terminal = Terminal::start_with(&["about:home"], WIDTH, HEIGHT, &[]);
    terminal.see("Where to go");
    let bundles = vectors().len().div_ceil(BUNDLE);
    let tried = if crate::whole() { bundles } else { AT_ONCE };
    for place in 0..stage.places.len() {
        for bundle in (0..tried).map(|at| (place + at * bundles / tried) % bundles) {
            let tag = format!("{place:02}c{bundle}");
            terminal.keys("g").see("open:").keys(&stage.url(place, &format!("c{bundle}"))).keys("\r").see_no("open:");
            let name = stage.places[place].0;
            terminal.frame_that(&format!("{name} with bundle {bundle}"), |screen| settled(&screen.contents(), &tag));
            if asks(&terminal.screen()) {
                terminal.keys("\x1b").see_that("no question", |screen| !asks(screen));
            }
            for keys in ["=", "\\="] {
                terminal.keys(keys).see("Anatomy").keys("\x1b");
                // A screen that is drawn anew is empty for a moment, and what is typed then goes on behind Esc.
                terminal.frame_that("no anatomy", |screen| !screen.contents().contains("Anatomy"));
            }
            // The source is left again, where it was shown.
            terminal.keys("\\");
        }
    }
    terminal.keys("\x08").see("History").keys("\x1b[F").keys("=").see("Anatomy").keys("\x1b").see_no("Anatomy");
    terminal.keys("Q").end();
    let raw = terminal.drained().raw();
    judge(tally, &stage, &raw, Sink::Screen(WIDTH, HEIGHT));
}

/// Whether something lies over the page; what fills the screen has no border.
fn asks(screen: &str) -> bool {
    screen.contains('┌') || screen.contains("n stay here")
}

/// Whether what was asked for has come, or is asked about: the bar has its tag and says how it ended.
fn settled(screen: &str, tag: &str) -> bool {
    let over = |line: &str| [" ms", " s", "failed", "All", "Top"].iter().any(|end| line.trim_end().ends_with(end));
    asks(screen) || screen.lines().any(|line| line.contains("127.0.0.1 ") && line.contains(tag) && over(line))
}

/// Thousands of marks on one letter: a cell holds thirty, and so does what goes to the terminal with every frame.
pub fn marks_on_a_letter(tally: &Tally) {
    const MARK: char = '\u{301}';
    let line = format!("ia{}z\t\t\t\r\n.\r\n", MARK.to_string().repeat(3000));
    let host = Host::gopher(move |_| line.clone().into_bytes());
    let mut terminal = Terminal::start_with(&[&format!("gopher://127.0.0.1:{}/", host.port)], WIDTH, HEIGHT, &[]);
    terminal
        .see("  menu")
        .loaded()
        .keys("\\")
        .see_that("the source", |screen| screen.trim_start().starts_with("ia"))
        .keys("Q")
        .end();
    let raw = String::from_utf8_lossy(&terminal.drained().raw()).into_owned();
    let runs = raw.split(|c| c != MARK).map(|run| run.chars().count());
    let most = runs.max().unwrap_or_default();
    let row = (PROMISE, "gopher", "marks on a letter");
    tally.hold(row, (1..=30).contains(&most), || format!("{most} marks stand on one character"));
}
