//! The newsrc and the score file are shared with slrn and tin: each of them goes on where the others stopped.

use super::servers::{Server, inn};
use crate::terminal::Terminal;
use crate::{packages, quit};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// What slrn is told; it asks nothing that is no matter of news.
const SLRN: &str = "set username \"ann\"\nset hostname \"example.invalid\"\nset query_read_group_cutoff 0\n\
    set confirm_actions 0\nset scorefile \"Score\"\n";
/// What somebody wrote for slrn.
const SCORE: &str = "% my own rules\n[wf.*]\nScore: 50\n  From: ada@example.invalid\n";
const GROUP: &str = "wf.mime";
/// How many articles it has.
const ALL: usize = 671;

/// The articles of the group that the newsrc has as read.
fn read(home: &Path) -> BTreeSet<u64> {
    let text = fs::read_to_string(home.join(".newsrc")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(GROUP)).unwrap_or_else(|| panic!("no group in {text:?}"));
    let ranges = line.trim_start_matches([':', '!']).trim().split(',').filter(|range| !range.is_empty());
    let ends = ranges.map(|range| range.split_once('-').unwrap_or((range, range)));
    ends.flat_map(|(first, last)| first.trim().parse::<u64>().unwrap()..=last.trim().parse().unwrap()).collect()
}

/// One of the programs has ended: what was read is read, and more is.
fn more_than(before: &BTreeSet<u64>, home: &Path, whose: &str) -> BTreeSet<u64> {
    let now = read(home);
    let lost: Vec<_> = before.difference(&now).collect();
    assert!(lost.is_empty(), "lost after {whose}: {lost:?}");
    assert!(now.len() > before.len(), "{whose} has marked nothing");
    now
}

fn slrn(server: &Server, home: &Path) -> Terminal {
    let (host, port) = (server.address.ip().to_string(), server.address.port().to_string());
    let rc = home.join("slrnrc");
    let arguments = ["--nntp", "-h", &host, "-p", &port, "-n", "-f", ".newsrc", "-i", rc.to_str().unwrap()];
    other("/usr/bin/slrn", &arguments, home)
}

fn tin(server: &Server, home: &Path) -> Terminal {
    let (host, port) = (server.address.ip().to_string(), server.address.port().to_string());
    let said = "/usr/bin/tin \"$@\"; echo tin has ended";
    other("/bin/sh", &["-c", said, "sh", "-r", "-Q", "-x", "-g", &host, "-p", &port, GROUP], home)
}

/// While it still reads an article tin asks whether to go at once, and then it keeps nothing: so it is asked again.
fn leave_tin(tin: &mut Terminal) {
    let (asks, ended) = ("(y/N)", "tin has ended");
    loop {
        tin.keys("Q").see_that("the end, or a question", |screen| screen.contains(ended) || screen.contains(asks));
        if tin.screen().contains(ended) {
            break;
        }
        tin.keys("n").see_no(asks);
    }
    tin.end();
}

fn other(program: &str, arguments: &[&str], home: &Path) -> Terminal {
    let script = format!("cd '{}' && exec \"$@\"", home.display());
    let arguments = [&["-c", &script, "sh", program], arguments].concat();
    Terminal::start_program("/bin/sh", &arguments, 80, 24, &[("HOME", home.to_str().unwrap()), ("USER", "ann")])
}

fn wayfarer(server: &Server, home: &Path) -> Terminal {
    let (address, scores) = (server.address.to_string(), format!("news.scores={}", home.join("Score").display()));
    let environment = [("HOME", home.to_str().unwrap()), ("NNTPSERVER", &*address)];
    Terminal::start_with(&["--no-session", "-o", &scores, &format!("news:{GROUP}")], 80, 24, &environment)
}

fn unread(read: &BTreeSet<u64>) -> String {
    format!(" {} unread", ALL - read.len())
}

/// Whether slrn and tin are here. They are no servers: nobody need have them.
fn both_are_here() -> bool {
    let missing: Vec<&str> =
        ["slrn", "tin"].into_iter().filter(|name| !Path::new("/usr/bin").join(name).exists()).collect();
    if !missing.is_empty() {
        eprintln!("NOT RUN: {} is not on this machine", missing.join(" and "));
    }
    missing.is_empty()
}

/// slrn reads the newsrc when it begins, and writes all of it when it ends.
#[test]
#[ignore = "needs the servers of tests/real/run"]
fn what_is_read_while_slrn_runs_stays_read_when_it_ends() {
    if !both_are_here() {
        return;
    }
    let packages = packages();
    let (server, folder) = (inn(&packages), tempfile::tempdir().unwrap());
    let home = folder.path();
    fs::create_dir_all(home.join(".local/state/wayfarer")).unwrap();
    for (name, text) in [(".newsrc", "wf.mime:\nwf.test: 1-3\n"), ("slrnrc", SLRN), ("Score", SCORE)] {
        fs::write(home.join(name), text).unwrap();
    }
    // What was read here before it began it knows of.
    let mut first = wayfarer(&server, home);
    first.see(&unread(&BTreeSet::new())).keys("n").see("This is article").keys("h").see(" articles");
    quit(&mut first);
    let before = more_than(&BTreeSet::new(), home, "wayfarer");
    let mut slrn = slrn(&server, home);
    slrn.see("wf.mime").keys("\r").see("670 unread").keys("\r").see("[669/670 unread]");
    let mut second = wayfarer(&server, home);
    second.see(&unread(&before)).keys("n").see("This is article").keys("n").keys("n").keys("h").see(" articles");
    quit(&mut second);
    let by_us = more_than(&before, home, "wayfarer beside slrn");
    slrn.keys("n").see("[668/670 unread]").keys("q").see("wf.test").keys("q").end();
    let by_slrn = read(home);
    assert!(!by_us.is_subset(&by_slrn) && before.is_subset(&by_slrn), "it wrote what it had read: {by_slrn:?}");
    let all: BTreeSet<u64> = by_us.union(&by_slrn).copied().collect();
    let mut third = wayfarer(&server, home);
    third.see(&unread(&all));
    quit(&mut third);
    assert_eq!(read(home), all);
}

/// tin does the same, and no lock says that it runs.
#[test]
#[ignore = "needs the servers of tests/real/run"]
fn what_is_read_while_tin_runs_stays_read_when_it_ends() {
    if !both_are_here() {
        return;
    }
    let packages = packages();
    let (server, folder) = (inn(&packages), tempfile::tempdir().unwrap());
    let home = folder.path();
    fs::create_dir_all(home.join(".local/state/wayfarer")).unwrap();
    fs::write(home.join(".newsrc"), "wf.mime:\nwf.test: 1-3\n").unwrap();
    fs::write(home.join("Score"), SCORE).unwrap();
    let mut first = wayfarer(&server, home);
    first.see(&unread(&BTreeSet::new())).keys("n").see("This is article").keys("h").see(" articles");
    quit(&mut first);
    let before = more_than(&BTreeSet::new(), home, "wayfarer");
    let mut tin = tin(&server, home);
    tin.see("to continue").keys("\r").see("wf.mime").keys("\r").see("Thread").keys("$\r").see("This is article");
    let mut second = wayfarer(&server, home);
    second.see(&unread(&before));
    for _ in 0..2 {
        second.keys("n").see("This is article").keys("h").see(" articles");
    }
    quit(&mut second);
    let by_us = more_than(&before, home, "wayfarer beside tin");
    leave_tin(&mut tin);
    let by_tin = read(home);
    assert!(!by_us.is_subset(&by_tin) && before.is_subset(&by_tin), "it wrote what it had read: {by_tin:?}");
    let all: BTreeSet<u64> = by_us.union(&by_tin).copied().collect();
    let mut third = wayfarer(&server, home);
    third.see(&unread(&all));
    quit(&mut third);
    assert_eq!(read(home), all);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn newsrc_and_scores_alternate_with_slrn_and_tin() {
    if !both_are_here() {
        return;
    }
    let packages = packages();
    let (server, folder) = (inn(&packages), tempfile::tempdir().unwrap());
    let home = folder.path();
    fs::create_dir_all(home.join(".local/state/wayfarer")).unwrap();
    for (name, text) in [(".newsrc", "wf.mime:\nwf.test: 1-3\ngone.group! 5\n"), ("slrnrc", SLRN), ("Score", SCORE)] {
        fs::write(home.join(name), text).unwrap();
    }

    let mut first = slrn(&server, home);
    first.see("wf.mime").keys("\r").see("671 unread").keys("\r").see("[670/671 unread]");
    first.keys("n").see("[669/671 unread]").keys("n").see("[668/671 unread]").keys("q").see("wf.test").keys("q").end();
    let by_slrn = more_than(&BTreeSet::new(), home, "slrn");

    let mut second = wayfarer(&server, home);
    second.see(&unread(&by_slrn)).keys("n").see("This is article").keys("n").keys("h").see(" articles");
    second.keys("/Thread 1706\r").focused("Thread 1706").keys("A").see("Which articles are to be scored?");
    second.keys("s").see("ignore, 30 days").keys("I").see("ignored for ever");
    // What is killed counts as read, as soon as the rule has been read from its file.
    let (killed, deadline) = (8, Instant::now() + Duration::from_secs(30));
    while read(home).len() <= by_slrn.len() + killed {
        assert!(Instant::now() < deadline, "what is killed stays unread: {:?}", read(home));
        std::thread::yield_now();
    }
    quit(&mut second);
    let by_us = more_than(&by_slrn, home, "wayfarer");
    let scores = fs::read_to_string(home.join("Score")).unwrap();
    assert!(scores.starts_with(SCORE) && scores.contains("Thread 1706"), "{scores}");

    let mut third = tin(&server, home);
    third.see("to continue").keys("\r").see("wf.mime").keys("\r").see("Thread").keys("$\r").see("This is article");
    for _ in 0..3 {
        let before = third.screen();
        third.keys("P").see_that("another article", |screen| screen != before && screen.contains("This is article"));
    }
    leave_tin(&mut third);
    let by_tin = more_than(&by_us, home, "tin");

    let mut fourth = wayfarer(&server, home);
    fourth.see(&unread(&by_tin)).keys("n").see("This is article").keys("h").see(" articles");
    quit(&mut fourth);
    let by_us = more_than(&by_tin, home, "wayfarer again");

    let mut fifth = slrn(&server, home);
    let left = ALL - by_us.len();
    fifth
        .see("wf.mime")
        .keys("\r")
        .see(&format!("[{left}/"))
        .see_no("rror in")
        .keys("\r")
        .see(&format!("[{}/", left - 1));
    fifth.keys("q").see("wf.test").keys("q").end();
    more_than(&by_us, home, "slrn again");
    let newsrc = fs::read_to_string(home.join(".newsrc")).unwrap();
    assert!(newsrc.contains("wf.test: 1-3") && newsrc.contains("gone.group! 5"), "{newsrc}");
    assert_eq!(fs::read_to_string(home.join("Score")).unwrap(), scores, "slrn leaves the rules as they are");
}
