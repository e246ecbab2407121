//! Twice the input, twice the work: whether every reader of what others wrote takes time and memory in proportion.
//!
//! `cargo bench --profile named --bench doubling` runs each row of the tables on n, 2n and 4n octets, in two processes under
//! valgrind, which counts instructions. From 2n to 4n there may be at most [`GROWTH`] times as much more as from n to 2n, of
//! instructions and of the memory that is held at a time; what a row takes whatever its input is thus leaves no trace.
//! A row that fails is taken again on eight times as much, where it fails if each doubling takes more than that many times as much.
//! `-- NAME…` runs only the rows with these in their names. `-- seconds` shows times on larger inputs instead, without
//! valgrind, and judges nothing.
#![allow(clippy::expect_used)]

mod archives;
mod html;
mod kept;
mod lines;
mod news;
mod page;
mod seconds;
mod urls;
mod valgrind;

use peak_alloc::PeakAlloc;
use std::process::ExitCode;

/// Counts what is held, and the most that was.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Makes work of so many octets.
type Make = Box<dyn Fn(usize) -> Work + Send + Sync>;
/// The work.
type Work = Box<dyn Fn()>;

/// A kind of input, and what is done with it.
struct Row {
    name: String,
    /// The smallest of its inputs, in octets.
    octets: usize,
    make: Make,
}

fn row(name: impl Into<String>, octets: usize, make: impl Fn(usize) -> Work + Send + Sync + 'static) -> Row {
    Row { name: name.into(), octets, make: Box::new(make) }
}

/// All rows, those that were asked for by a part of their name.
fn rows(words: &[&str]) -> Vec<Row> {
    let mut rows = [archives::rows(), html::rows(), lines::rows(), news::rows(), urls::rows(), kept::rows()]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
    rows.retain(|row| words.is_empty() || words.iter().any(|word| row.name.contains(word)));
    rows
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run", from, larger, words @ ..] => {
            valgrind::run(&rows(words), from.parse().unwrap_or(0), larger.parse().unwrap_or(1));
            ExitCode::SUCCESS
        }
        ["seconds", words @ ..] => {
            seconds::show(&rows(words));
            ExitCode::SUCCESS
        }
        words => match valgrind::check(&rows(words), words) {
            Ok(()) => ExitCode::SUCCESS,
            Err(sentence) => {
                eprintln!("{sentence}");
                ExitCode::FAILURE
            }
        },
    }
}

/// A text of so many octets: a beginning, one piece again and again (`{}` in it is its number), an end for each piece.
fn text(octets: usize, before: &str, piece: &str, after: &str) -> String {
    let (mut text, mut number) = (String::with_capacity(octets + 2 * piece.len()), 0);
    text.push_str(before);
    while text.len() + number * after.len() < octets {
        match piece.split_once("{}") {
            Some((left, right)) => text.extend([left, &number.to_string(), &right.replace("{}", &number.to_string())]),
            None => text.push_str(piece),
        }
        number += 1;
    }
    text.push_str(&after.repeat(number));
    text
}
