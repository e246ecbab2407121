//! Running checks beside one another, as the usual harness of tests does, and the table at the end.

use crate::Check;
use crate::tally::Tally;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// How many checks run at once: they mostly wait for the program.
const AT_ONCE: usize = 5;
/// Options of the usual harness that are followed by a value.
const VALUED: [&str; 5] = ["--test-threads", "--skip", "--format", "--color", "--logfile"];

/// What the command line asks for.
#[derive(Debug, Default)]
pub struct Asked {
    /// Words that names have; none asks for all.
    pub words: Vec<String>,
    /// Only names are wanted.
    list: bool,
    /// The breaks are wanted.
    pub breaks: bool,
}

impl Asked {
    /// Reads the usual harness's command line as far as it means something here.
    pub fn of(mut arguments: impl Iterator<Item = String>) -> Asked {
        let mut asked = Asked::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--ignored" => asked.breaks = true,
                "--list" => asked.list = true,
                valued if VALUED.contains(&valued) => drop(arguments.next()),
                option if option.starts_with('-') => {}
                _ => asked.words.push(argument),
            }
        }
        asked
    }

    fn wants(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }
}

/// Runs the checks that are asked for and prints what came of them.
pub fn run(checks: &[Check], asked: &Asked) -> ExitCode {
    let chosen: Vec<Check> = checks.iter().copied().filter(|(name, _)| asked.wants(name)).collect();
    if asked.list {
        chosen.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let tally = Tally::default();
    // What a check saw says more than where it stood.
    std::panic::set_hook(Box::new(|panic| eprintln!("\n{panic}")));
    println!("\nrunning {} checks", chosen.len());
    let (waiting, broken) = (Mutex::new(VecDeque::from(chosen)), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some((name, check)) = waiting.lock().unwrap().pop_front() else { return };
                    let began = Instant::now();
                    let ended = catch_unwind(AssertUnwindSafe(|| check(&tally)));
                    let word = if ended.is_ok() { "ended" } else { "FAILED" };
                    println!("test {name} ... {word} ({:.1} s)", began.elapsed().as_secs_f32());
                    *broken.lock().unwrap() += usize::from(ended.is_err());
                }
            });
        }
    });
    print!("{tally}");
    let (broken, failed) = (broken.into_inner().unwrap(), tally.failed());
    match broken + failed {
        0 => ExitCode::SUCCESS,
        _ => {
            println!("test result: FAILED. {broken} checks broke off, {failed} cases failed\n");
            ExitCode::FAILURE
        }
    }
}
