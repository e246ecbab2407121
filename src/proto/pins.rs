//! The certificates seen before: one line each, `host:port sha256 date`, in a plain text file that may be edited by hand.
//!
//! The file is read each time a certificate is judged, so that an edit counts at once. A line that cannot be read is
//! reported, kept and costs nothing else. Refuses: deciding whom to trust.

use super::net::words;
use std::fs;
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The pins, in a file or in memory only.
#[derive(Debug, Default)]
pub struct Pins {
    file: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Pins that have no file, or could not be written to it.
    memory: Vec<(String, Known)>,
    complaints: Vec<String>,
    /// Complaints are said once, however often the file is read.
    said: Vec<String>,
}

/// A pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The certificate's fingerprint, lower-case hex.
    pub sha256: String,
    /// The day it was first seen, as written.
    pub since: String,
}

impl Pins {
    /// Pins in that file.
    pub fn new(file: Option<PathBuf>) -> Pins {
        Pins { file, state: Mutex::default() }
    }

    /// The file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The pin of `host:port`.
    ///
    /// # Errors
    /// The file is there but cannot be read, so nobody can say what is known.
    pub fn known(&self, who: &str) -> Result<Option<Known>, Error> {
        let mut state = self.state();
        let text = self.text()?;
        let mut found = None;
        for (number, line) in text.lines().enumerate() {
            match entry(line) {
                Ok(Some((name, known))) if name.eq_ignore_ascii_case(who) => found = Some(known),
                Ok(_) => {}
                Err(why) => state.complain(&self.file, &format!("line {}: {why}", number + 1)),
            }
        }
        let in_memory = || state.memory.iter().find(|(name, _)| name == who).map(|(_, known)| known.clone());
        Ok(found.or_else(in_memory))
    }

    /// Pins a certificate to `host:port`, in place of an older one.
    pub fn remember(&self, who: &str, sha256: &str) {
        let known = Known { sha256: sha256.into(), since: jiff::Zoned::now().date().to_string() };
        let mut state = self.state();
        if let Some(file) = &self.file {
            let written = self.text().and_then(|text| replace(file, &with(&text, who, &known)));
            match written {
                Ok(()) => return,
                Err(error) => state.complain(
                    &self.file,
                    &format!("the certificate of {who} is remembered for this run only ({})", words(&error)),
                ),
            }
        }
        state.memory.retain(|(name, _)| name != who);
        state.memory.push((who.into(), known));
    }

    /// Takes what there is to complain about.
    pub fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut self.state().complaints)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves plain lists behind, which stay right.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn text(&self) -> Result<String, Error> {
        let Some(file) = &self.file else { return Ok(String::new()) };
        match fs::read(file) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(error),
        }
    }
}

impl State {
    fn complain(&mut self, file: &Option<PathBuf>, what: &str) {
        let name = file.as_deref().map(|f| f.display().to_string()).unwrap_or_default();
        let complaint = format!("{name}: {what}");
        if !self.said.contains(&complaint) {
            self.said.push(complaint.clone());
            self.complaints.push(complaint);
        }
    }
}

/// Reads a line; `None` for empty ones and comments.
fn entry(line: &str) -> Result<Option<(&str, Known)>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (Some(who), Some(sha256)) = (words.next(), words.next()) else {
        return Err("a line is \"host:port sha256 date\"".into());
    };
    if !who.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok()) {
        return Err(format!("\"{who}\" is not host:port"));
    }
    if sha256.len() != 64 || !sha256.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err("the fingerprint is not 64 hexadecimal digits".into());
    }
    let since = words.next().unwrap_or("an unknown day").into();
    Ok(Some((who, Known { sha256: sha256.to_ascii_lowercase(), since })))
}

/// The lines with another pin for `who`; all others stay as they are, the bad ones too.
fn with(text: &str, who: &str, known: &Known) -> String {
    let others =
        text.lines().filter(|line| !matches!(entry(line), Ok(Some((name, _))) if name.eq_ignore_ascii_case(who)));
    let mut new: String = others.flat_map(|line| [line, "\n"]).collect();
    new.push_str(&format!("{who} {} {}\n", known.sha256, known.since));
    new
}

/// Writes beside the file, then renames: a crash leaves the old or the new one, never half.
fn replace(file: &Path, text: &str) -> Result<(), Error> {
    // Where the file is a link into somebody's collection of settings, the link stays.
    let real = fs::canonicalize(file).ok();
    let file = real.as_deref().unwrap_or(file);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut beside = file.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = fs::File::create(&beside).and_then(|mut new| {
        new.write_all(text.as_bytes())?;
        new.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&beside, file));
    if done.is_err() {
        let _ = fs::remove_file(&beside);
    }
    done
}
