//! Killed at any moment while news is read and written: no mark is lost that the newsrc had, no draft that the editor wrote, no row of
//! the group that stood on the screen.

use crate::home::{DATA, Draw, STATE, asked, files};
use crate::news::server;
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// Only a test that fails waits so long.
const LATEST: Duration = Duration::from_secs(30);
/// Turns that a moment may be away.
const MOMENTS: usize = 30_000;
/// Articles of the group.
const ARTICLES: u64 = 2000;

/// What stands for an editor: it writes what a file holds.
const EDITOR: &str = "#!/bin/sh\ncat \"$HOME/words\" >> \"$1\"\n";

/// What was in its file, or said to be kept.
#[derive(Default)]
struct Promised {
    read: BTreeSet<u64>,
    drafts: Vec<String>,
}

fn begin(home: &Path, port: u16) -> Terminal {
    let (server, editor) = (format!("news.server=127.0.0.1:{port}"), home.join("editor"));
    let arguments = ["--no-session", "-o", &server, "-o", "news.from=Me <me@h>", "news:g"];
    let editor = editor.to_str().unwrap();
    Terminal::start_with(&arguments, 100, 24, &[("HOME", home.to_str().unwrap()), ("TZ", "UTC"), ("EDITOR", editor)])
}

/// The articles of the group that the newsrc has as read.
fn read(home: &Path) -> BTreeSet<u64> {
    let text = fs::read_to_string(home.join(".newsrc")).unwrap_or_default();
    assert!(text.ends_with('\n'), "the newsrc ends in the middle of a line: {text:?}");
    let line = text.lines().find_map(|line| line.strip_prefix("g:")).unwrap_or_else(|| panic!("no group in {text:?}"));
    let ranges = line.trim().split(',').filter(|range| !range.is_empty());
    let ends = ranges.map(|range| range.split_once('-').unwrap_or((range, range)));
    ends.flat_map(|(first, last)| first.parse::<u64>().unwrap()..=last.parse().unwrap()).collect()
}

fn drafts(home: &Path) -> Vec<String> {
    files(&home.join(DATA).join("drafts")).iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Marks some articles one after the other, and waits until the newsrc has them, which another thread writes.
fn mark(terminal: &mut Terminal, home: &Path, count: usize, promised: &mut Promised) {
    let wanted = promised.read.len() + count;
    terminal.keys(&"J".repeat(count)).see(&unread(wanted));
    let deadline = Instant::now() + LATEST;
    while read(home).len() < wanted {
        assert!(Instant::now() < deadline, "{wanted} are never written: {:?}", read(home).len());
        std::thread::yield_now();
    }
    promised.read = read(home);
}

fn unread(read: usize) -> String {
    let left = usize::try_from(ARTICLES).unwrap() - read;
    if left < 1000 { format!(" {left} unread") } else { format!(" {},{:03} unread", left / 1000, left % 1000) }
}

/// Holds every file to what it must be, however the program ended.
fn check(home: &Path, promised: &Promised, when: &str) {
    let read = read(home);
    assert!(promised.read.is_subset(&read), "{when}: {:?} were read, {:?} are", promised.read.len(), read.len());
    let drafts = drafts(home);
    for words in &promised.drafts {
        assert!(drafts.iter().any(|draft| draft.contains(words)), "{when}: {words} has gone: {drafts:?}");
    }
    let bad: Vec<_> = files(home).into_iter().filter(|path| path.to_string_lossy().contains(".bad")).collect();
    assert!(bad.is_empty(), "{when}: taken for damaged: {bad:?}");
}

#[test]
fn marks_drafts_and_rows_outlive_a_kill_at_any_moment() {
    let kills = asked("WAYFARER_KILLS", 8);
    let seed = asked("WAYFARER_SEED", 14);
    let (home, most) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU64::new(ARTICLES)));
    let (port, _door) = server(&most);
    let home = home.path();
    fs::create_dir_all(home.join(STATE)).unwrap();
    fs::write(home.join(".newsrc"), "g:\nother! 1-7\n").unwrap();
    fs::write(home.join("editor"), EDITOR).unwrap();
    fs::set_permissions(home.join("editor"), fs::Permissions::from_mode(0o700)).unwrap();
    let (mut draw, mut kept) = (Draw::new(seed as u64), Promised::default());
    for kill in 0..kills {
        let mut terminal = begin(home, port);
        // What stood there the last time stands there before anything else.
        terminal.see(&unread(kept.read.len())).see("subject ");
        mark(&mut terminal, home, draw.below(6), &mut kept);
        let words = format!("words of kill {kill}");
        fs::write(home.join("words"), &words).unwrap();
        let writes = draw.below(2) == 0;
        if writes {
            terminal.keys("Wp").see("Subject").keys("About lamps\r").see("Post this article?").see(&words);
            kept.drafts.push(words);
            terminal.keys(["p", "\x1b", "s"][draw.below(3)]);
        } else {
            terminal.keys(&"J".repeat(draw.below(9) + 1));
        }
        let moments = draw.below(MOMENTS);
        (0..moments).for_each(|_| std::thread::yield_now());
        terminal.signal(Signal::KILL).end();
        check(home, &kept, &format!("kill {kill} of seed {seed}, writing: {writes}, {moments} moments"));
        kept.read = read(home);
    }
    let mut terminal = begin(home, port);
    terminal.see(&unread(kept.read.len())).keys("Q").end();
    check(home, &kept, "at the end");
    let text = fs::read_to_string(home.join(".newsrc")).unwrap();
    assert!(text.ends_with("other! 1-7\n"), "{text}");
    println!("{kills} kills of seed {seed}: {} marks, {} drafts kept", kept.read.len(), kept.drafts.len());
}
