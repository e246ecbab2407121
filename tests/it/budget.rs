//! What the program may weigh: its size, how many libraries it is made of, why, and under which licences.
//!
//! Whoever needs more raises the number here, and says in the commit what it buys.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Octets of the program as packages have it, on x86-64: its size in November 2026 (27.6 million, of which SQLite is 1.5 for the
/// store of pages, and pictures are 1.0), and a hundredth. More is a library taken in without looking, or tables compiled in twice.
const PROGRAM: u64 = 27_750_000;

/// Libraries in the program or run while it is compiled (`cargo tree -e normal`), this one among them: the 248 that they were in
/// November 2026 and a few; six are x509-cert's, eight are rusqlite's, 48 are those of pictures: 15 of them decode, the rest come with
/// ratatui-image, most for Sixel. Half of them are four choices: reqwest, ratatui, suppaftp and clap.
const CRATES: usize = 310;

/// Licences under which a program may be given away as a whole, sources or not. MPL-2.0 asks that changes to its own files
/// are published, CDLA-Permissive-2.0 is that of the list of certificate authorities.
const LICENCES: &[&str] =
    &["MIT", "Apache-2.0", "BSD-3-Clause", "ISC", "Zlib", "Unicode-3.0", "MPL-2.0", "CDLA-Permissive-2.0"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The libraries with their versions, and the licence of each.
fn crates() -> BTreeMap<String, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "tree",
        "--locked",
        "--offline",
        "-e",
        "normal",
        "--prefix",
        "none",
        "--no-dedupe",
        "--format",
        "{p}|{l}",
    ]);
    let tree = cargo.current_dir(root()).output().unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let name = |package: &str| package.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let lines = std::str::from_utf8(&tree.stdout).unwrap().lines().filter_map(|line| line.split_once('|'));
    lines.map(|(package, licence)| (name(package), licence.to_owned())).collect()
}

#[test]
fn the_libraries_are_no_more_than_were_budgeted() {
    let crates = crates();
    assert!(crates.len() > 100, "{crates:?}");
    assert!(crates.len() <= CRATES, "{} libraries, {CRATES} are budgeted: {:?}", crates.len(), crates.keys());
}

#[test]
fn every_library_has_a_licence_that_is_allowed() {
    let foreign: Vec<_> = crates().into_iter().filter(|(_, licence)| !allowed(licence)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn the_debian_package_names_every_licence() {
    let copyright = std::fs::read_to_string(root().join("assets/debian/copyright")).unwrap();
    LICENCES.iter().for_each(|licence| assert!(copyright.contains(licence), "{licence}"));
}

/// Whether an SPDX expression leaves a choice that is allowed: one licence of each part between `AND`s.
fn allowed(expression: &str) -> bool {
    let one = |choice: &str| LICENCES.contains(&choice.trim_matches([' ', '(', ')']));
    // The slash is how it was written once.
    expression.replace('/', " OR ").split(" AND ").all(|part| part.split(" OR ").any(one))
}

#[test]
fn a_licence_is_allowed_by_one_choice_of_each_part() {
    let yes = ["MIT", "MIT/Apache-2.0", "Unlicense OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"];
    let no = ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-3.0", "AGPL-3.0-only OR GPL-3.0"];
    assert!(yes.iter().all(|expression| allowed(expression)));
    assert!(!no.iter().any(|expression| allowed(expression)));
}

#[test]
fn every_dependency_says_why_it_is_there() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (mut section, mut before, mut seen) = ("", "", 0);
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section.ends_with("dependencies]") && !line.is_empty() && !line.starts_with('#') {
            seen += 1;
            assert!(before.starts_with('#'), "no line above says why it is there: {line}");
        }
        before = line;
    }
    assert!(seen > 40, "{seen}");
}

/// Run by name after `.ci/package` has built it.
#[test]
#[ignore = "measures the program of the packages"]
fn the_program_is_no_bigger_than_was_budgeted() {
    let octets = std::fs::metadata(root().join("target/dist/wayfarer")).unwrap().len();
    println!("the program has {octets} octets of {PROGRAM}");
    assert!(octets <= PROGRAM, "{octets} octets, {PROGRAM} are budgeted");
}
