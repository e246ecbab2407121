//! The matrix: every space with every fault.

use crate::fault::{Ending, Fault};
use crate::host::{Host, Identity, is_possible};
use crate::reader::{Patience, Seen, look, start};
use crate::space::{Case, Kind, Space};
use crate::table::table;
use crate::terminal::Terminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs that run at once; one, where the waits of keys are to mean something: `WAYFARER_AT_ONCE=1`.
fn at_once() -> usize {
    std::env::var("WAYFARER_AT_ONCE").ok().and_then(|number| number.parse().ok()).unwrap_or(8)
}

/// What is tried in a space.
pub fn cases(space: Space) -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in [Kind::List, Kind::Text, Kind::File] {
        for fault in Fault::ALL {
            let tried = match kind {
                Kind::List => true,
                // How a proxy passes pages on does not depend on what they hold.
                Kind::Text => !fault.is_early() && space.proxy().is_none(),
                // Garbage is a file as good as any, and has no lines.
                Kind::File => space.has_files() && fault.gives(),
            };
            cases.extend(tried.then_some(Case { space, kind, fault }));
        }
    }
    cases
}

/// Tries all that can be tried in one run of the program.
fn run(space: Space, cases: &[Case], identity: &Identity, seen: &dyn Fn((Case, Seen))) {
    let proxy = space.proxy().map(|_| Host::start(cases[0], identity));
    let mut terminal =
        start(space, Patience::Short, proxy.as_ref().map(|host| (host.name.clone(), host.port)), identity);
    for (number, case) in cases.iter().enumerate() {
        let name = format!("c{number}c");
        let own = proxy.is_none().then(|| Host::start(*case, identity));
        let host = own.as_ref().or(proxy.as_ref()).unwrap();
        host.turn(*case);
        let url = space.url(case.kind, &host.name, host.port, &name);
        seen((*case, look(&mut terminal, *case, &url, &name)));
    }
    ends(&mut terminal);
}

/// The program is alive, and ends as it is told.
fn ends(terminal: &mut Terminal) {
    assert_eq!(terminal.keys("Q").end(), 0);
    let raw = String::from_utf8_lossy(&terminal.drained().raw()).into_owned();
    assert!(!raw.contains("panicked"), "{raw}");
}

/// The runs: a proxy that cannot be reached has one of its own, since the program knows a single one.
fn runs() -> Vec<(Space, Vec<Case>)> {
    let asked = std::env::var("WAYFARER_SPACE").ok();
    let mut runs = Vec::new();
    let wanted = |space: &Space| asked.as_ref().is_none_or(|asked| asked == space.name()) && is_possible(*space);
    for space in Space::ALL.into_iter().filter(wanted) {
        let apart = |case: &Case| matches!(case.fault, Fault::NoHost | Fault::Refused | Fault::NoAccept);
        let (apart, together): (Vec<Case>, Vec<Case>) =
            cases(space).into_iter().partition(|case| space.proxy().is_some() && apart(case));
        runs.push((space, together));
        runs.extend(apart.into_iter().map(|case| (space, vec![case])));
    }
    runs
}

/// What is not as it should be.
fn complaints(case: Case, seen: &Seen) -> Vec<String> {
    let mut wrong = Vec::new();
    let Case { space, kind, fault } = case;
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{} {kind:?} {}: {what}: {seen:?}", space.name(), fault.name()));
        }
    };
    let words = fault.words();
    let sentence = seen.sentence.to_lowercase();
    let said = words.iter().any(|words| sentence.contains(&words.to_lowercase()));
    match fault {
        Fault::None => must(seen.ending == Ending::Whole, "whole"),
        // Where the end of the connection is the end of the text, nobody can tell.
        Fault::ClosedMidway if !space.knows_its_end(kind) => must(seen.ending == Ending::Whole, "taken for whole"),
        Fault::Endless if kind == Kind::File => must(seen.ending == Ending::Cut, "stopped"),
        Fault::Closed if seen.ending == Ending::Cut => must(said, "said"),
        fault if fault.gives() => must(said && seen.ending == Ending::Cut, "cut, and why"),
        Fault::Garbage | Fault::HugeLine => {}
        _ => must(said && seen.ending == Ending::Failed, "failed, and why"),
    }
    must(!fault.gives() || seen.kept, "what came is there");
    let stopped = fault == Fault::Endless && kind == Kind::File;
    must(seen.ending == Ending::Whole || stopped || !seen.sentence.is_empty(), "a sentence");
    must(is_for_people(&seen.sentence), "words for people");
    // How long a key waits is printed: it depends on the machine. In which order things happen does not.
    must(!fault.hangs() || seen.before != Some(false), "a key is answered before what hangs has come to its end");
    wrong
}

/// Whether a sentence has nothing in it of the program's own inside.
fn is_for_people(sentence: &str) -> bool {
    let inside =
        ["Some(", "Kind(", "Error", "Os {", "os error", "rustls", "hyper", "reqwest", "docs.rs", "::", "\u{fffd}"];
    // A name with its values, as a programmer prints them.
    let glued = |at: usize| sentence[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    let printed = sentence.match_indices('(').any(|(at, _)| glued(at));
    !printed && !sentence.contains('{') && !inside.iter().any(|word| sentence.contains(word))
}

#[test]
fn every_fault_in_every_space_is_told_and_holds_no_key() {
    let identity = Identity::new();
    let runs = runs();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let fell = std::thread::scope(|scope| {
        let one = || {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((space, cases)) = runs.get(at) else { return };
                    run(*space, cases, &identity, &|row| done.lock().unwrap().push((at, row)));
                }
            })
        };
        let all: Vec<_> = (0..at_once()).map(|_| one()).collect();
        // The table has what was seen before.
        all.into_iter().filter_map(|one| one.join().err()).count()
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(at, _)| *at);
    let rows: Vec<(Case, Seen)> = done.into_iter().map(|(_, row)| row).collect();
    println!("{}", table(&rows));
    let wrong: Vec<String> = rows.iter().flat_map(|(case, seen)| complaints(*case, seen)).collect();
    assert!(wrong.is_empty() && fell == 0, "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn words_of_the_inside_are_seen() {
    for inside in
        ["broke off (Kind(UnexpectedEof))", "InvalidContentType(3)", "Custom { kind: Other }", "x (os error 5)"]
    {
        assert!(!is_for_people(inside), "{inside}");
    }
    assert!(is_for_people("127.0.0.1 port 70 broke the connection (connection reset by peer)."));
}

/// For other tests of the same program.
pub fn gone(terminal: &mut Terminal) {
    ends(terminal);
}
