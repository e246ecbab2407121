//! Breaking each rule on purpose: a copy of the source, one change at a time, and the check that has to see it.
//!
//! `cargo test --test attack -- --ignored` does so for all rows of [`BREAKS`], or for those whose names have a word
//! that stands behind it. The copy is built anew for each, which takes half a minute or more. A break that nobody sees
//! has survived, and is a failure.

use crate::breaks::{BREAKS, Break};
use crate::copy::Copy;
use crate::tally::Tally;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

const SOURCE: &str = env!("CARGO_MANIFEST_DIR");

/// What came of a break.
enum End {
    /// With what was printed.
    Seen(String),
    Survived,
    /// It could not be tried.
    Useless(String),
}

/// Each break has its place in the source as it is: a row that means nothing any more is found without building
/// anything.
pub fn places(tally: &Tally) {
    let row = ("breaks", "source", "places");
    for one in BREAKS {
        for (file, text, _) in one.changes {
            let source = fs::read_to_string(Path::new(SOURCE).join(file)).unwrap_or_default();
            let times = source.matches(text).count();
            tally.hold(row, times == 1, || format!("{}: {file} has {text:?} {times} times", one.name));
        }
        for check in one.seen_by {
            tally.hold(row, is_known(check), || format!("{}: there is no check {check}", one.name));
        }
    }
}

/// Whether there is such a check: one of these, or `PROGRAM/TEST` of another program of tests.
fn is_known(check: &str) -> bool {
    let Some((program, test)) = check.split_once('/') else {
        return crate::CHECKS.iter().any(|(name, _)| *name == check);
    };
    let function = format!("fn {}(", test.rsplit("::").next().unwrap_or(test));
    // Those of the library stand in it.
    let folder = if program == "lib" { "src".into() } else { format!("tests/{program}") };
    let (mut folders, mut found) = (vec![Path::new(SOURCE).join(folder)], false);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found |= fs::read_to_string(path).is_ok_and(|source| source.contains(&function));
            }
        }
    }
    found
}

/// Breaks what is asked for, or everything.
pub fn run(words: &[String]) -> ExitCode {
    let wanted = |one: &&Break| words.is_empty() || words.iter().any(|word| one.name.contains(word.as_str()));
    let breaks: Vec<&Break> = BREAKS.iter().filter(wanted).collect();
    println!("\nbreaking {} rules, one at a time", breaks.len());
    let copy = Copy::of(Path::new(SOURCE), "broken");
    let mut failed = 0;
    // Whatever is red before anything is broken says nothing.
    let mut checks: Vec<&str> = breaks.iter().flat_map(|one| one.seen_by).copied().collect();
    checks.sort_unstable();
    checks.dedup();
    match tried(&copy, &checks) {
        End::Survived => println!("nothing broken: green"),
        End::Seen(why) | End::Useless(why) => {
            println!("nothing is broken, and a check fails all the same\n{why}");
            return ExitCode::FAILURE;
        }
    }
    for one in breaks {
        let began = Instant::now();
        let (word, why) = match broken(&copy, one) {
            End::Seen(_) => ("seen", String::new()),
            End::Survived => ("SURVIVED", String::new()),
            End::Useless(why) => ("USELESS", format!("\n{why}")),
        };
        failed += usize::from(word != "seen");
        println!(
            "{word:<9} {}, by {} ({:.0} s){why}",
            one.name,
            one.seen_by.join(" and "),
            began.elapsed().as_secs_f32()
        );
    }
    println!("\n{failed} breaks were not seen");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Breaks one rule, tries its check, and mends it again.
fn broken(copy: &Copy, one: &Break) -> End {
    let mut before = Vec::new();
    for (file, text, instead) in one.changes {
        let path = copy.path(file);
        let source = fs::read_to_string(&path).unwrap();
        if source.matches(text).count() != 1 {
            return End::Useless(format!("{file} does not have {text:?} once"));
        }
        fs::write(&path, source.replacen(text, instead, 1)).unwrap();
        before.push((path, source));
    }
    let mut end = End::Survived;
    for check in one.seen_by {
        end = tried(copy, &[check]);
        if !matches!(end, End::Seen(_)) {
            break;
        }
    }
    for (path, source) in before.into_iter().rev() {
        fs::write(path, source).unwrap();
    }
    end
}

/// Builds the copy and runs checks there, of whatever program of tests they are.
fn tried(copy: &Copy, checks: &[&str]) -> End {
    let mut programs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for check in checks {
        let (program, test) = check.split_once('/').unwrap_or(("attack", check));
        programs.entry(program).or_default().push(test);
    }
    let seen = |(program, tests): (&&str, &Vec<&str>)| match tried_in(copy, program, tests) {
        End::Survived => None,
        end => Some(end),
    };
    programs.iter().find_map(seen).unwrap_or(End::Survived)
}

fn tried_in(copy: &Copy, program: &str, checks: &[&str]) -> End {
    let cargo = |words: &[&str]| {
        let of: &[&str] = if program == "lib" { &["--lib"] } else { &["--test", program] };
        let arguments = [&["test", "--offline", "--locked", "--jobs", "2"], of].concat();
        copy.command("cargo").args(arguments).args(words).env("WAYFARER_ATTACK", "first").output().unwrap()
    };
    // A break may leave something without use.
    let built = cargo(&["--no-run"]);
    if !built.status.success() {
        return End::Useless(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let ran = cargo(&[&["--"], checks].concat());
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    if ran.status.success() { End::Survived } else { End::Seen(said) }
}
