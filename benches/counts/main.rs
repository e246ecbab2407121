//! How many instructions the hot paths take: a check that other load does not disturb.
//!
//! `cargo bench --profile dist --bench counts` runs each path of `paths.rs` under valgrind, once and three times, and takes half
//! the difference: what the path itself takes, without preparations. It compares with `benches/counts.tsv` and fails when a path
//! takes more than [`TOLERANCE`] more. `-- --accept` writes that table anew, to be committed with the change that it is the price
//! of. `-- NAME…` counts only these.
//!
//! Counts depend on the sources, on Cargo.lock, on the compiler and its settings, which are those of the packages, and a little on
//! the system's C library and on the random keys of hash tables (below 0.1 %). They do not depend on the processor: valgrind shows
//! programs one and the same on all machines with AVX2. On others nothing is compared, and it says so.
#![allow(clippy::expect_used)]

mod paths;

use paths::PATHS;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How much more than the table says is too much, in hundredths.
const TOLERANCE: f64 = 5.0;

/// The profile of the packages, and the folder below the target's that is named for it.
const PROFILE: &str = "dist";

/// The table: names and instructions.
type Table = BTreeMap<String, u64>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run", name, times] => {
            paths::run(name, times.parse().unwrap_or(0));
            ExitCode::SUCCESS
        }
        words if words.contains(&"--bench") => match check(words) {
            Ok(()) => ExitCode::SUCCESS,
            Err(sentence) => {
                eprintln!("{sentence}");
                ExitCode::FAILURE
            }
        },
        _ => {
            println!("counted only by `cargo bench --profile dist --bench counts`");
            ExitCode::SUCCESS
        }
    }
}

fn check(words: &[&str]) -> Result<(), String> {
    let accept = words.contains(&"--accept");
    let chosen: Vec<&str> = PATHS.iter().map(|(name, _)| *name).filter(|name| words.contains(name)).collect();
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    if !program.iter().any(|folder| folder == PROFILE) {
        return Err(format!("counted only as packages have it: cargo bench --profile {PROFILE} --bench counts"));
    }
    let names = if chosen.is_empty() { PATHS.iter().map(|(name, _)| *name).collect() } else { chosen };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/counts.tsv");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let (mut table, compiler) = (read(&text), compiler());
    let counted = count_all(&program, &names)?;
    println!("{:<12}{:>14}{:>12}{:>14}{:>10}", "", "instructions", "per octet", "table", "");
    let mut exceeded = 0;
    for (name, (instructions, octets)) in names.iter().zip(&counted) {
        let known = table.insert((*name).into(), *instructions);
        let more = known.map(|known| (*instructions as f64 / known as f64 - 1.0) * 100.0);
        let verdict = match more {
            None => "not in the table",
            Some(more) if more > TOLERANCE => "TOO MANY",
            Some(more) if more < -TOLERANCE => "fewer: worth accepting",
            Some(_) => "",
        };
        exceeded += usize::from(more.is_none_or(|more| more > TOLERANCE));
        println!(
            "{name:<12}{instructions:>14}{:>12.1}{:>14}{:>10}  {verdict}",
            *instructions as f64 / *octets as f64,
            known.map_or("–".into(), |known| known.to_string()),
            more.map_or(String::new(), |more| format!("{more:+.2} %")),
        );
    }
    if accept {
        std::fs::write(&file, written(&table, &compiler)).map_err(|error| format!("{}: {error}", file.display()))?;
        println!("accepted into {}", file.display());
        return Ok(());
    }
    if !comparable() {
        println!("nothing was compared: the table is of x86-64 with AVX2, which this processor is not");
        return Ok(());
    }
    if exceeded == 0 {
        return Ok(());
    }
    if !text.contains(&compiler) {
        eprintln!("benches/counts.tsv was made with another compiler than {compiler}.");
    }
    Err(format!(
        "{exceeded} of {} paths take over {TOLERANCE} % more instructions than benches/counts.tsv says, or are not in it.\n\
         If that is the price of something good: cargo bench --profile dist --bench counts -- --accept",
        names.len()
    ))
}

/// Whether the table is of processors like this one.
fn comparable() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output();
    output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn read(text: &str) -> Table {
    let rows = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    rows.filter_map(|(name, count)| Some((name.to_owned(), count.parse().ok()?))).collect()
}

fn written(table: &Table, compiler: &str) -> String {
    let mut text = format!(
        "# Instructions of the hot paths in the program of the packages, x86-64 with AVX2, {compiler}.\n\
         # Written by: cargo bench --profile dist --bench counts -- --accept\n"
    );
    for (name, _) in PATHS {
        let _ = table.get(*name).map(|count| writeln!(text, "{name}\t{count}"));
    }
    text
}

/// The instructions and the octets of each, on all processors at once: load changes no count.
fn count_all(program: &Path, names: &[&str]) -> Result<Vec<(u64, usize)>, String> {
    let (next, counted) = (AtomicUsize::new(0), Mutex::new(vec![None; names.len()]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let at = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(name) = names.get(at)
                {
                    let count = count(program, name);
                    counted.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(count);
                }
            });
        }
    });
    let counted = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
    counted.into_iter().map(|count| count.unwrap_or(Err("not counted".into()))).collect()
}

fn count(program: &Path, name: &str) -> Result<(u64, usize), String> {
    let (once, octets) = collected(program, name, 1)?;
    let (thrice, _) = collected(program, name, 3)?;
    Ok(((thrice - once) / 2, octets))
}

/// What valgrind counts in a whole process, and the octets that the path says it goes through.
fn collected(program: &Path, name: &str, times: u32) -> Result<(u64, usize), String> {
    let mut command = Command::new("valgrind");
    // What stands in the environment must not matter.
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.args(["run", name, &times.to_string()]);
    let output =
        command.output().map_err(|error| format!("valgrind cannot be started (apt-get install valgrind): {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    let octets = String::from_utf8_lossy(&output.stdout).trim().parse();
    match (output.status.success(), count, octets) {
        (true, Some(count), Ok(octets)) => Ok((count, octets)),
        _ => Err(format!("valgrind could not count {name}:\n{said}")),
    }
}
