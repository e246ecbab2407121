//! Where the time of a start goes: between the system calls by which its parts are known from outside. strace tells when they
//! come; it is asked for few, since each costs some microseconds more than without.

use crate::programs::Player;
use crate::start::Life;
use crate::{median, programs};
use std::path::Path;

/// The parts, each with the beginning of the call that ends it and what must stand in that call.
const PARTS: &[(&str, &str, &str)] = &[
    ("exec, linking", "openat", "/proc/self/maps"),
    ("command line, settings", "openat", "wayfarer/keys.toml"),
    ("keys, colours", "ioctl", "TCGETS"),
    ("threads, terminal", "write", "[?1049h"),
    ("state, tabs", "write", "[?2026h"),
    ("page", "write", "00000007"),
];

/// Long enough for a whole frame.
const STRING: &str = "8192";

/// Prints the median of each part.
pub fn measure(player: &Player, runs: usize, lives: &[Life]) {
    if programs::said("strace", &["--version"]).is_none() {
        return println!("\nNo strace, so nothing about where the time of a start goes.");
    }
    println!("\nWhere the time of a start goes, ms; median of {runs}, under strace, which makes it longer\n");
    let names: Vec<&str> = PARTS.iter().map(|(name, ..)| *name).collect();
    println!("| | {} | all |\n|---|{}--:|", names.join(" | "), "--:|".repeat(names.len()));
    for life in lives {
        let rounds: Vec<Option<Vec<f64>>> = (0..runs).map(|_| traced(player, life)).collect();
        let middle = |part: usize| median(rounds.iter().map(|round| Some(round.as_ref()?[part])));
        let cells = (0..=PARTS.len()).map(|part| middle(part).map_or("–".into(), |time| format!("{time:.2}")));
        println!("| {} | {} |", life.name, cells.collect::<Vec<_>>().join(" | "));
    }
}

/// The times of the parts of one start, and of all of it, in milliseconds.
fn traced(player: &Player, life: &Life) -> Option<Vec<f64>> {
    let log = tempfile::NamedTempFile::new().ok()?;
    let options = ["-f", "--seccomp-bpf", "-ttt", "-s", STRING, "-e", "trace=execve,openat,ioctl,write", "-o"];
    let mut words: Vec<String> = options.map(Into::into).into();
    words.extend([log.path().display().to_string(), player.path.display().to_string()]);
    let mut terminal = life.start(Path::new("strace"), &words);
    terminal.until("line 00000007")?;
    terminal.press("Q")?;
    terminal.ended()?;
    times(&std::fs::read_to_string(log.path()).ok()?)
}

fn times(log: &str) -> Option<Vec<f64>> {
    // Each line: the thread, the time in seconds, the call.
    let mut calls = log.lines().filter_map(|line| {
        let (_, rest) = line.split_once(' ')?;
        let (time, call) = rest.trim_start().split_once(' ')?;
        Some((time.parse::<f64>().ok()? * 1000.0, call))
    });
    let (began, _) = calls.next()?;
    let (mut since, mut times) = (began, Vec::new());
    for (_, name, word) in PARTS {
        let (at, _) = calls.find(|(_, call)| call.starts_with(name) && call.contains(word))?;
        times.push(at - since);
        since = at;
    }
    times.push(since - began);
    Some(times)
}
