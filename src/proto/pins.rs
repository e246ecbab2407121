//! The certificates seen before: one line each, `host:port sha256 date what-it-says`, in a plain text file that may be edited by hand.
//!
//! The file is read each time a certificate is judged, so that an edit counts at once. A line that cannot be read is
//! reported, kept and costs nothing else. It is written by the thread that writes all files, so that those who talk to servers need
//! not be let at the disk. Refuses: deciding
//! whom to trust.

use super::Certificate;
use super::net::words;
use crate::disk::{self, Asked, Kept, Lines, Writer};
use std::collections::HashSet;
use std::io::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bad lines that are told one by one; the others are counted.
const TOLD: usize = 10;

/// The pins, in a file or in memory only.
#[derive(Debug, Default)]
pub struct Pins {
    file: Option<PathBuf>,
    /// Who writes the file; `None` when nothing is written into it.
    writer: Option<Arc<Writer>>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Pins that have no file, or could not be written to it.
    memory: Vec<(String, Known)>,
    complaints: Vec<String>,
    /// Complaints are said once, however often the file is read.
    said: HashSet<String>,
}

/// A pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The certificate, as far as it was written down.
    pub certificate: Certificate,
    /// The day it was first seen, as written.
    pub since: String,
}

/// Why nobody can say what is known of a server.
#[derive(Debug)]
pub enum Unreadable {
    /// The file cannot be read.
    File(Error),
    /// The line that names it cannot.
    Line(String),
    /// No line names it, but of one that cannot be read nobody knows which server it names.
    Nameless(String),
}

impl Pins {
    /// Pins in that file; without one they last until the program ends.
    pub fn new(kept: Option<Kept>) -> Pins {
        let (file, writer) = kept.map(|Kept { file, writer }| (file, writer)).unzip();
        Pins { file, writer, state: Arc::default() }
    }

    /// The pins of that file, and others until the program ends: nothing is written.
    pub fn reading(file: Option<PathBuf>) -> Pins {
        Pins { file, ..Pins::default() }
    }

    /// The file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The pin of `host:port`.
    ///
    /// # Errors
    /// The file is there but cannot be read, or a line that names the server or may do so, so nobody can say what is known.
    pub fn known(&self, who: &str) -> Result<Option<Known>, Unreadable> {
        // What is in memory is newer than the file, and is looked at first, for it may go there meanwhile.
        let in_memory = self.state().memory.iter().find(|(name, _)| name == who).map(|(_, known)| known.clone());
        if in_memory.is_some() {
            return Ok(in_memory);
        }
        let octets = self.octets().map_err(Unreadable::File)?;
        let (mut found, mut damaged, mut nameless, mut bad) = (None, None, None, Vec::new());
        for (number, line) in numbered(&octets) {
            match entry(&String::from_utf8_lossy(line)) {
                Ok(Some((name, known))) if name.eq_ignore_ascii_case(who) => found = Some(known),
                Ok(of) => {
                    let behind = match of {
                        Some((_, known)) => format!("{} {}", known.since, known.certificate.described),
                        None => beside_a_remark(line),
                    };
                    if holds_a_pin(&behind, who) {
                        damaged = Some(format!("line {number}: a pin of another server stands behind its beginning"));
                        bad.extend(damaged.clone());
                    }
                }
                Err(why) => {
                    let why = format!("line {number}: {why}");
                    if names(line, who) {
                        damaged = Some(why.clone());
                    } else if !names_one(line) {
                        nameless = Some(why.clone());
                    }
                    bad.push(why);
                }
            }
        }
        if octets.contains(&0) {
            nameless.get_or_insert_with(|| "it is no text".into());
        }
        self.state().complain_of(&self.file, &bad);
        match (found, damaged, nameless) {
            (None, Some(damaged), _) => Err(Unreadable::Line(damaged)),
            (None, None, Some(nameless)) => Err(Unreadable::Nameless(nameless)),
            (known, ..) => Ok(known),
        }
    }

    /// Reads the file once, so that what is wrong with it is told before a server is asked.
    pub fn look(&self) {
        match self.octets() {
            Ok(octets) => {
                let wrong = |(number, line): (usize, &[u8])| {
                    entry(&String::from_utf8_lossy(line)).err().map(|why| format!("line {number}: {why}"))
                };
                let bad: Vec<String> = numbered(&octets).filter_map(wrong).collect();
                self.state().complain_of(&self.file, &bad);
            }
            Err(error) => self.state().complain(&self.file, &words(&error)),
        }
    }

    /// What the file holds.
    fn octets(&self) -> Result<Vec<u8>, Error> {
        Ok(self.file.as_deref().map(octets).transpose()?.unwrap_or_default())
    }

    /// Pins a certificate to `host:port`, in place of an older one; it is written down soon. Never waits for a disk.
    pub fn remember(&self, who: &str, certificate: &Certificate) {
        let known = Known { certificate: certificate.clone(), since: jiff::Zoned::now().date().to_string() };
        let mut state = self.state();
        state.memory.retain(|(name, _)| name != who);
        state.memory.push((who.into(), known));
        drop(state);
        if let Some(writer) = &self.writer
            && let Some(file) = self.file.clone()
        {
            let state = Arc::clone(&self.state);
            writer.write(&file.clone(), Asked::ForAll, move || {
                write(&file, &state).map_err(|error| {
                    format!("{}; certificates are remembered for this run only", disk::wrong(&file, &error))
                })
            });
        }
    }

    /// Takes what there is to complain about.
    pub fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut self.state().complaints)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        hold(&self.state)
    }
}

fn hold(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // A panic elsewhere leaves plain lists behind, which stay right.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the file holds; one of a newer version cannot be read.
fn octets(file: &Path) -> Result<Vec<u8>, Error> {
    let octets = disk::read(file)?;
    match lines(file).newer(&octets) {
        Some(version) => Err(Error::other(format!("a newer Wayfarer wrote it, version {version}"))),
        None => Ok(octets),
    }
}

/// Brings what is in memory into the file as it is now. The memory is not held while the disk works.
fn write(file: &Path, state: &Mutex<State>) -> Result<(), Error> {
    let owed = hold(state).memory.clone();
    if owed.is_empty() {
        return Ok(());
    }
    let _lock = disk::lock(file)?;
    let mut octets = octets(file)?;
    if octets.is_empty() {
        octets = lines(file).first().into_bytes();
    }
    for (who, known) in &owed {
        octets = with(&octets, who, known);
    }
    disk::replace(file, &octets)?;
    // What was learned meanwhile is still owed.
    hold(state).memory.retain(|learned| !owed.contains(learned));
    Ok(())
}

/// The file as one of lines.
fn lines(file: &Path) -> Lines {
    Lines::new(file.into(), "pins")
}

impl State {
    fn complain(&mut self, file: &Option<PathBuf>, what: &str) {
        let name = file.as_deref().map(|f| f.display().to_string()).unwrap_or_default();
        let complaint = format!("{name}: {what}");
        if self.said.insert(complaint.clone()) {
            self.complaints.push(complaint);
        }
    }

    /// Complains about lines that cannot be read.
    fn complain_of(&mut self, file: &Option<PathBuf>, bad: &[String]) {
        bad.iter().take(TOLD).for_each(|why| self.complain(file, why));
        if bad.len() > TOLD {
            self.complain(file, &format!("{} more lines cannot be read", bad.len() - TOLD));
        }
    }
}

/// The lines with their numbers, from 1.
fn numbered(octets: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    (1..).zip(octets.split(|b| *b == b'\n'))
}

/// Reads a line; `None` for empty ones and comments.
fn entry(line: &str) -> Result<Option<(&str, Known)>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let mut rest = line;
    let mut word = || {
        let (word, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        rest = after.trim_start();
        Some(word).filter(|word| !word.is_empty())
    };
    let (Some(who), Some(sha256)) = (word(), word()) else {
        return Err("a line is \"host:port sha256 date what-it-says\"".into());
    };
    if !is_server(who) {
        return Err(format!("\"{who}\" is not host:port"));
    }
    if sha256.len() != 64 || !sha256.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err("the fingerprint is not 64 hexadecimal digits".into());
    }
    let since = word().unwrap_or("an unknown day").into();
    let described = rest.into();
    Ok(Some((who, Known { certificate: Certificate { fingerprint: sha256.to_ascii_lowercase(), described }, since })))
}

/// Whether a word is `host:port`.
fn is_server(who: &str) -> bool {
    let is_host = |host: &str| !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic());
    who.rsplit_once(':').is_some_and(|(host, port)| is_host(host) && port.parse::<u16>().is_ok())
}

/// Whether a line that cannot be read says of which server it is.
fn names_one(line: &[u8]) -> bool {
    String::from_utf8_lossy(line).split_whitespace().next().is_some_and(is_server)
}

/// Whether a line that cannot be read may be about `who`: it was known, and must not pass for a first visit. Its port may be what
/// is damaged, and so may what stands before it.
fn names(line: &[u8], who: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let host = who.rsplit_once(':').map_or(who, |(host, _)| host).to_ascii_lowercase();
    memchr::memmem::find(&line, host.as_bytes()).is_some()
}

/// What stands in a remark behind its beginning: a pin that the reader has made one by a `#` before it is none any more.
fn beside_a_remark(line: &[u8]) -> String {
    let remark = String::from_utf8_lossy(line);
    let first = remark.trim_start_matches(['#', ' ', '\t']).split_whitespace().next().unwrap_or_default();
    if is_server(first) { String::new() } else { remark.into_owned() }
}

/// Whether a pin of `who` stands in what a line says, since the end of the line before it is lost.
fn holds_a_pin(line: &str, who: &str) -> bool {
    let (line, who) = (line.to_ascii_lowercase(), who.to_ascii_lowercase());
    line.match_indices(&who).any(|(at, _)| {
        let rest = &line.as_bytes()[at + who.len()..];
        let digits = rest.trim_ascii_start();
        digits.len() < rest.len() && digits.get(..64).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// The lines with another pin for `who`; all others stay as they are, the bad ones too.
fn with(octets: &[u8], who: &str, known: &Known) -> Vec<u8> {
    let other = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line);
        !matches!(entry(&text), Ok(Some((name, _))) if name.eq_ignore_ascii_case(who))
    };
    let mut new = Vec::with_capacity(octets.len() + 128);
    for line in octets.strip_suffix(b"\n").unwrap_or(octets).split(|b| *b == b'\n').filter(other) {
        new.extend_from_slice(line);
        new.push(b'\n');
    }
    let Known { certificate: Certificate { fingerprint, described }, since } = known;
    new.extend_from_slice(format!("{who} {fingerprint} {since} {described}").trim_end().as_bytes());
    new.push(b'\n');
    new
}
