//! A recording, read: line by line, with bounds for what somebody else may have written.

use super::FORM;
use super::replay::{NAME, SHOWN, words};
use super::told::{self, Told};
use super::words::At;
use crate::app::{JobId, Screen};
use serde_json::Value;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use std::sync::Arc;

/// Octets of a recording.
pub const MOST: u64 = 1 << 28;
/// Values of JSON in it: each takes far more memory than the two octets that one may be written with.
const PARTS: usize = 1 << 22;
/// Octets that stand in for those that are not in it, altogether.
const STAND_INS: usize = 1 << 24;

/// A recording, read.
#[derive(Debug, Clone)]
pub struct Tape {
    pub(super) screen: Screen,
    pub(super) settings: String,
    pub(super) octets: bool,
    pub(super) steps: Vec<Step>,
    /// All that is there of each page. A page may have shown more than stood in the recording by then.
    pub(super) pages: Arc<BTreeMap<JobId, Vec<u8>>>,
    /// Octets that may still stand in for those that are not there.
    pub(super) spare: usize,
}

/// What the browser was told, and what it asked for.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// Where in the file, from 1.
    pub(super) line: usize,
    pub(super) told: Told,
    /// The message as it is written.
    pub(super) name: String,
    /// The head in it is that of something that was handed over with the request.
    pub(super) within: bool,
    pub(super) effects: Vec<Value>,
}

impl Tape {
    /// Reads a recording of [`MOST`] octets at most.
    ///
    /// # Errors
    /// It cannot be read, or is too much; the first line that makes no sense, by its number.
    pub fn read(file: impl BufRead) -> Result<Tape, String> {
        Tape::read_lines(file).map_err(|wrong| words(&wrong, SHOWN))
    }

    fn read_lines(mut file: impl BufRead) -> Result<Tape, String> {
        let (mut left, mut parts, spare) = (MOST, PARTS, Cell::new(STAND_INS));
        let mut tape: Option<Tape> = None;
        let mut pages = BTreeMap::<_, Vec<u8>>::new();
        let mut octets = Vec::new();
        for at in 1.. {
            octets.clear();
            let read = file.by_ref().take(left + 1).read_until(b'\n', &mut octets);
            let count = read.map_err(|error| format!("line {at}: {error}"))? as u64;
            if count == 0 {
                break;
            }
            left = left.checked_sub(count).ok_or_else(|| format!("line {at}: {}", too_long()))?;
            let line = std::str::from_utf8(&octets).map_err(|_| format!("line {at}: this is no text"))?.trim();
            if line.is_empty() {
                continue;
            }
            parts = parts.checked_sub(parts_of(line)).ok_or_else(|| {
                format!("line {at}: the recording has more than {PARTS} parts, which is more than is shown again")
            })?;
            match &mut tape {
                None => tape = Some(Tape::begun(at, line)?),
                Some(tape) => {
                    let mut step = Step::read(at, line, &spare)?;
                    if let Told::Page { id, more, .. } = &mut step.told {
                        pages.entry(*id).or_default().append(more);
                    }
                    tape.steps.push(step);
                }
            }
        }
        let tape = tape.ok_or("line 1: the file is empty")?;
        Ok(Tape { pages: Arc::new(pages), spare: spare.get(), ..tape })
    }

    /// What the first line says.
    fn begun(at: usize, line: &str) -> Result<Tape, String> {
        let head: Value = parsed(at, line)?;
        let said = At { value: &head, of: "the first line", spare: &Cell::new(0) };
        match head["recording"].as_u64() {
            Some(FORM) => {}
            Some(newer) if newer > FORM => {
                return Err(format!("line {at}: a newer Wayfarer wrote this (form {newer})"));
            }
            _ => return Err(format!("line {at}: this is no recording")),
        }
        let screen = match said.at("screen").list(At::small) {
            Ok(size) if size.len() == 2 => Screen { columns: size[0], rows: size[1] },
            _ => return Err(format!("line {at}: there is no size of the screen")),
        };
        let settings = said.at("settings").text().map_err(|wrong| format!("line {at}: {wrong}"))?;
        Ok(Tape {
            screen,
            settings,
            octets: said.at("octets").flag(),
            steps: Vec::new(),
            pages: Arc::default(),
            spare: 0,
        })
    }
}

/// What is said of a recording that is longer than [`MOST`].
pub fn too_long() -> String {
    format!("the recording is longer than {} MiB, which is more than is shown again", MOST >> 20)
}

/// About how many values a line of JSON has.
fn parts_of(line: &str) -> usize {
    let (mut parts, mut quoted, mut escaped) = (0, false, false);
    for octet in line.bytes() {
        match octet {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b',' | b'[' | b'{' => parts += usize::from(!quoted),
            _ => {}
        }
    }
    parts
}

fn parsed(at: usize, line: &str) -> Result<Value, String> {
    serde_json::from_str(line).map_err(|wrong| format!("line {at}: this is no line of JSON ({wrong})"))
}

impl Step {
    fn read(at: usize, line: &str, spare: &Cell<usize>) -> Result<Step, String> {
        let mut value = parsed(at, line)?;
        let told = told::of_line(&value, spare).map_err(|wrong| format!("line {at}: {wrong}"))?;
        let effects = match value.get_mut("effects").map(Value::take) {
            Some(Value::Array(effects)) => effects,
            _ => Vec::new(),
        };
        let within = value["fetch"]["head"]["within"].as_bool().unwrap_or_default();
        let name = value.as_object().and_then(|line| line.iter().next()).map(|(name, said)| format!("{name} {said}"));
        let name = name.unwrap_or_default().chars().take(NAME).collect();
        Ok(Step { line: at, told, name, within, effects })
    }
}
