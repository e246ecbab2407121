//! Promise 7 on the screen: whatever a server overdoes, keys are answered meanwhile, and a signal ends the program.
//!
//! How long that takes is printed and not judged: it depends on the machine, and on the build. With
//! `WAYFARER_PROGRAM=target/dist/wayfarer cargo test --test attack keys::overdone` it is what a reader meets.

use crate::limits::{Case, cases};
use crate::tally::Tally;
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// How often keys are pressed once a page has come to its end.
const ROUNDS: usize = 6;
/// How often at most before that.
const MOST_ROUNDS: usize = 1000;

/// What was seen of a case.
struct Seen {
    name: &'static str,
    /// Each wait of a key.
    keys: Vec<Duration>,
    /// How long the program lived on after the signal.
    end: Duration,
}

/// Every case, with a program of its own: it is opened, keys are pressed, and the program is told to end.
pub fn overdone(tally: &Tally) {
    let all: Vec<Seen> = cases().iter().map(|case| meet(case, tally)).collect();
    let mut keys: Vec<Duration> = all.iter().flat_map(|seen| seen.keys.iter().copied()).collect();
    keys.sort_unstable();
    let longest = all.iter().max_by_key(|seen| seen.keys.iter().max()).unwrap();
    let last = all.iter().max_by_key(|seen| seen.end).unwrap();
    println!(
        "of {} waits of keys half took {} ms, the longest {} ms ({}); {} ms until the end ({})",
        keys.len(),
        keys[keys.len() / 2].as_millis(),
        keys[keys.len() - 1].as_millis(),
        longest.name,
        last.end.as_millis(),
        last.name
    );
}

fn meet(case: &Case, tally: &Tally) -> Seen {
    let options = ["-o", "limits.connect=1s", "-o", "limits.silence=1s", "-o", "limits.page=1 MiB"];
    let arguments = [&options[..], &["-o", "http.proxy=none", "-o", "session.restore=never", "about:safety"]].concat();
    let mut terminal = Terminal::start_with(&arguments, 100, 30, &[]);
    terminal.see("What you can rely on").burst(&format!("g{}\r", case.url()));
    let (mut keys, mut over) = (Vec::new(), false);
    let mut press = |terminal: &mut Terminal| {
        for (key, box_of, open) in
            [("=", "─ Anatomy", true), ("\x1b", "─ Anatomy", false), ("?", "─ Help", true), ("\x1b", "─ Help", false)]
        {
            let began = Instant::now();
            terminal.burst(key).see_that("an answer to a key", |screen| {
                over = has_ended(screen, case);
                // Where all of it is drawn anew, what is not there yet has not gone.
                let is_whole = screen.lines().count() >= 29;
                is_whole && screen.contains(box_of) == open
            });
            keys.push(began.elapsed());
        }
        over
    };
    let before = (0..MOST_ROUNDS).take_while(|_| !press(&mut terminal)).count();
    tally.hold(case.row("comes to an end"), before < MOST_ROUNDS, || format!("{}: {}", case.name, terminal.screen()));
    terminal.burst("\x1b[F");
    (0..ROUNDS).for_each(|_| {
        press(&mut terminal);
    });
    let began = Instant::now();
    terminal.signal(Signal::TERM).end();
    let end = began.elapsed();
    let raw = String::from_utf8_lossy(&terminal.drained().raw()).into_owned();
    tally.hold(case.row("on the screen"), !raw.contains("panicked"), || format!("{}: {raw}", case.name));
    Seen { name: case.name, keys, end }
}

/// Whether the page in view is the case's and nothing more of it comes: the bar ends with how long it took, or says that
/// it failed.
fn has_ended(screen: &str, case: &Case) -> bool {
    let port = format!(":{}", case.port());
    let is_time = |line: &str| {
        let mut words = line.split_whitespace().rev();
        let unit = words.next().is_some_and(|unit| unit == "ms" || unit == "s");
        unit && words.next().is_some_and(|number| number.parse::<f32>().is_ok())
    };
    screen
        .lines()
        .filter(|line| line.contains(&port))
        .any(|bar| is_time(bar) || bar.contains("  failed") || bar.contains("  cut short"))
}
