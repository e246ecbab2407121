//! Instructions and memory of all rows, counted under valgrind: as many processes as there are processors, each with the rows
//! that nobody has yet, a handful at a time.
//!
//! Within a process callgrind counts only while [`counted`] runs, and writes down what it has counted when [`ended`] is called. It
//! knows them by their names, so the program must have them: the profile `named`, or that of the tests.

use super::{MEMORY, Row};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How much the growth may grow when the input doubles: two, and what sorting and the doubling of memory may add.
const GROWTH: f64 = 2.35;
/// Rows that seem out of proportion are taken once more with inputs so many times as large: a limit that is reached, or a piece that
/// is full, is a step at one size only.
const LARGER: usize = 8;
/// Instructions that are noise: hash tables have other keys in each run.
const NOISE: f64 = 60_000.0;
/// Octets of memory that are noise: buffers that all documents have.
const SMALL: f64 = 96.0 * 1024.0;
/// Rows of a process.
const HANDFUL: usize = 24;

/// What an input took, of each of the three sizes.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    instructions: [f64; 3],
    memory: [f64; 3],
}

/// Runs some of the rows, each on three inputs; prints the memory that each held.
pub fn run(rows: &[Row], from: usize, larger: usize) {
    for row in rows.iter().skip(from).take(if larger > 1 { 1 } else { HANDFUL }) {
        for times in [larger, 2 * larger, 4 * larger] {
            let work = (row.make)(row.octets * times);
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            counted(&*work);
            println!("{}", MEMORY.peak_usage().saturating_sub(before));
            ended();
        }
    }
}

/// Does the work that is counted.
#[inline(never)]
fn counted(work: &dyn Fn()) {
    work();
    black_box(());
}

/// Where what was counted is written down.
#[inline(never)]
fn ended() {
    black_box(());
}

/// Counts the rows and prints what is not in proportion.
pub fn check(rows: &[Row], words: &[&str]) -> Result<(), String> {
    let mut taken = take_all(rows, words)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut steep = vec![false; rows.len()];
    for (at, taken) in taken.iter_mut().enumerate() {
        if is_steep(taken.instructions, NOISE) || is_steep(taken.memory, SMALL) {
            let larger = take(folder.path(), at, 1, LARGER, words)?;
            *taken = larger.first().copied().unwrap_or_default();
            steep[at] = true;
        }
    }
    println!("{:<60}{:>12}{:>8}{:>8}{:>12}{:>8}{:>8}", "", "n", "2n", "4n", "octets", "2n", "4n");
    let mut beyond = 0;
    for ((row, taken), steep) in rows.iter().zip(&taken).zip(steep) {
        // What a row takes whatever its input is does not count for much with a large one.
        let (time, memory) = (steep && is_twice(taken.instructions), steep && is_twice(taken.memory));
        beyond += usize::from(time || memory);
        let mark = match (time, memory) {
            (false, false) if words.is_empty() => continue,
            (false, false) => "",
            (true, false) => "  TIME",
            (false, true) => "  MEMORY",
            (true, true) => "  TIME, MEMORY",
        };
        let ([a, b, c], [d, e, f]) = (taken.instructions, taken.memory);
        println!(
            "{:<60}{a:>12.0}{:>8.2}{:>8.2}{d:>12.0}{:>8.2}{:>8.2}{mark}",
            row.name,
            b / a,
            c / a,
            e / d.max(1.0),
            f / d.max(1.0)
        );
    }
    let all: f64 = taken.iter().map(|taken| taken.instructions.iter().sum::<f64>()).sum();
    println!("{} rows, {:.1} milliards of instructions, {beyond} of the rows not in proportion", rows.len(), all / 1e9);
    if beyond == 0 { Ok(()) } else { Err(format!("{beyond} of {} rows grow faster than their input.", rows.len())) }
}

/// Whether what is needed for the last doubling is out of proportion to what the first one needed.
fn is_steep([one, two, four]: [f64; 3], noise: f64) -> bool {
    four - two > GROWTH * (two - one).max(0.0) + noise
}

/// Whether twice a large input takes more than twice as much, each time.
fn is_twice([one, two, four]: [f64; 3]) -> bool {
    four > GROWTH * two && four > GROWTH * GROWTH * one
}

/// Counts all, on all processors.
fn take_all(rows: &[Row], words: &[&str]) -> Result<Vec<Taken>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (next, taken) = (AtomicUsize::new(0), Mutex::new(vec![None; rows.len()]));
    let wrong = Mutex::new(None);
    let keep = |from: usize, handful: Vec<Taken>| {
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        handful.into_iter().enumerate().for_each(|(at, one)| taken[from + at] = Some(one));
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let from = next.fetch_add(HANDFUL, Ordering::Relaxed);
                    if from >= rows.len() {
                        return;
                    }
                    match take(folder.path(), from, rows.len().min(from + HANDFUL) - from, 1, words) {
                        Ok(handful) => keep(from, handful),
                        Err(error) => *wrong.lock().unwrap_or_else(PoisonError::into_inner) = Some(error),
                    }
                }
            });
        }
    });
    match wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(wrong) => Err(wrong),
        None => Ok(taken.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()),
    }
}

/// Counts so many rows, with inputs so many times as large.
fn take(folder: &Path, from: usize, count: usize, larger: usize, words: &[&str]) -> Result<Vec<Taken>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let (place, counter) = (folder.join(from.to_string()), "doubling::valgrind::");
    std::fs::create_dir(&place).map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    // What stands in the environment must not matter.
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.args(["--tool=callgrind", "--collect-atstart=no", "--dump-line=no"]);
    command.arg(format!("--callgrind-out-file={}", place.join("out").display()));
    command.arg(format!("--toggle-collect={counter}counted*")).arg(format!("--dump-after={counter}ended*"));
    command.arg(program).args(["run", &from.to_string(), &larger.to_string()]).args(words);
    let output =
        command.output().map_err(|error| format!("valgrind cannot be started (apt-get install valgrind): {error}"))?;
    let memory: Vec<f64> =
        String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| line.parse().ok()).collect();
    let counts: Option<Vec<f64>> = (1..=3 * count).map(|number| total(&place.join(format!("out.{number}")))).collect();
    let _ = std::fs::remove_dir_all(&place);
    match (output.status.success(), counts) {
        (true, Some(counts)) if memory.len() == 3 * count => Ok((0..count)
            .map(|row| {
                let of = |all: &[f64]| [all[3 * row], all[3 * row + 1], all[3 * row + 2]];
                Taken { instructions: of(&counts), memory: of(&memory) }
            })
            .collect()),
        _ => Err(format!(
            "valgrind could not count {count} rows from {from}:\n{}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// The instructions that a file of callgrind's tells of.
fn total(file: &Path) -> Option<f64> {
    let text = std::fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&text);
    text.lines().find_map(|line| line.strip_prefix("summary:")?.trim().parse().ok())
}
