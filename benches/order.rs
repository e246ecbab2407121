//! Which functions a start of the program runs, from exec to a small menu on the screen and its end: `.ci/linker` has them stand
//! together in the program of the packages.
//!
//! It runs under valgrind, which sees every function, and so on a program with names:
//!
//! ```sh
//! CARGO_PROFILE_DIST_STRIP=none RUSTFLAGS="-C symbol-mangling-version=v0" cargo bench --profile dist --bench order
//! ```
//!
//! writes `.ci/start.symbols` anew. That is due when a start takes more memory than is budgeted (`tests/pty/budget.rs`): functions
//! that were renamed or are new are not in the list.
#![allow(clippy::expect_used)]

#[path = "peers/pages.rs"]
#[expect(dead_code, reason = "one small menu is enough here")]
mod pages;
#[path = "peers/terminal.rs"]
#[expect(dead_code, reason = "nothing is timed here")]
mod terminal;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use terminal::Terminal;

/// Items of the largest menu of the server.
const HUGE: usize = 1;
const PROGRAM: &str = env!("CARGO_BIN_EXE_wayfarer");
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/start.symbols");

fn main() -> ExitCode {
    if !std::env::args().any(|word| word == "--bench") {
        println!("found only by `cargo bench --profile dist --bench order`");
        return ExitCode::SUCCESS;
    }
    let home = tempfile::tempdir().expect("temporary space");
    let calls = home.path().join("calls");
    run(home.path(), &calls);
    let names = readable(&functions(&std::fs::read_to_string(calls).expect("what valgrind has seen")));
    // Functions of thirty crates have sums for names where no others are left.
    if names.len() < 1000 {
        eprintln!("only {} functions have names: the program is stripped", names.len());
        return ExitCode::FAILURE;
    }
    let text: String = names.iter().map(|name| format!("{name}\n")).collect();
    std::fs::write(LIST, text).expect("the list can be written");
    println!("{} functions are in {LIST}", names.len());
    ExitCode::SUCCESS
}

/// Starts the program on a small menu, and ends it when it is there.
fn run(home: &Path, calls: &Path) {
    let server = pages::serve().expect("a port on loopback");
    let out = format!("--callgrind-out-file={}", calls.display());
    let url = format!("gopher://{server}/1/15");
    let words = ["--tool=callgrind", "--demangle=no", &out, PROGRAM, &url].map(String::from);
    let mut terminal = Terminal::start(Path::new("valgrind"), &words, home);
    terminal.until("item 00000007").expect("the menu is shown");
    terminal.key_until("q", "==").expect("the program ends");
    terminal.ended().expect("valgrind ends");
}

/// The functions of the program that were called, as the linker knows them.
fn functions(calls: &str) -> BTreeSet<String> {
    let (mut known, mut program, mut found) = (BTreeMap::new(), false, BTreeSet::new());
    for line in calls.lines() {
        let Some((kind, rest)) = line.split_once("=(") else { continue };
        let Some((number, name)) = rest.split_once(')') else { continue };
        let is_file = kind.ends_with("ob");
        let key = (is_file, number);
        // A name stands where its number is used first.
        if let Some(name) = name.strip_prefix(' ') {
            known.insert(key, name);
        }
        let Some(name) = known.get(&key) else { continue };
        match kind {
            "ob" => program = name.ends_with("/wayfarer"),
            // A function that calls itself has a number behind its name.
            "fn" if program => _ = found.insert(name.split('\'').next().unwrap_or(name).to_owned()),
            _ => {}
        }
    }
    found
}

/// Names as they are read, without the sums of their crates.
fn readable(names: &BTreeSet<String>) -> BTreeSet<String> {
    let mut reader = Command::new("c++filt").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("binutils");
    let mut input = reader.stdin.take().expect("a pipe");
    let bare: String = names.iter().map(|name| format!("{}\n", name.split(".llvm.").next().unwrap_or(name))).collect();
    let writer = std::thread::spawn(move || input.write_all(bare.as_bytes()));
    let output = reader.wait_with_output().expect("binutils");
    writer.join().expect("no panic").expect("a pipe");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}
