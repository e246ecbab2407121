//! A file of lines to which all running copies add. Its first line says what it is and of which version; those that begin with
//! `#` are remarks. A file of a newer version is left alone.

use super::{LONGEST, append, lock, open, or_none, put_aside, read_up_to, replace, shown};
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A file of lines.
#[derive(Debug, Clone)]
pub struct Lines {
    path: PathBuf,
    what: &'static str,
    /// The version that is written.
    version: u32,
    most: u64,
}

/// What a file is to hold from now on.
#[derive(Debug, Default)]
pub struct Fresh {
    /// Its lines, each with its end, without the first one.
    pub lines: String,
    /// The numbers, from 1, of lines that made no sense; they are put aside.
    pub bad: Vec<usize>,
}

impl Lines {
    /// A file of that kind, in a word.
    pub fn new(path: PathBuf, what: &'static str) -> Lines {
        Lines { path, what, version: 1, most: LONGEST }
    }

    /// One that may have so many octets.
    pub fn up_to(self, most: u64) -> Lines {
        Lines { most, ..self }
    }

    /// One of another version than the first.
    pub fn of_version(self, version: u32) -> Lines {
        Lines { version, ..self }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line with which such a file begins, with its end.
    pub fn first(&self) -> String {
        format!("# wayfarer {} {}\n", self.what, self.version)
    }

    /// The version of a file that is newer than this program.
    pub fn newer(&self, octets: &[u8]) -> Option<u32> {
        self.version_of(octets).filter(|version| *version > self.version)
    }

    /// The version that a file says it is of.
    fn version_of(&self, octets: &[u8]) -> Option<u32> {
        let line = octets.split(|b| *b == b'\n').next()?;
        let version = std::str::from_utf8(line).ok()?.strip_prefix("# wayfarer ")?.strip_prefix(self.what)?;
        version.trim().parse().ok()
    }

    /// A sentence about a file of a newer version.
    pub fn newer_sentence(&self, version: u32) -> String {
        let path = shown(&self.path);
        format!("{path}:1: from a newer Wayfarer (version {version}); it is left alone and nothing is added")
    }

    /// What the file holds while nobody writes it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        // Where nothing may be written there is nobody to wait for.
        let _lock = self.path.exists().then(|| lock(&self.path));
        self.octets()
    }

    /// What the file holds, whoever writes it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn octets(&self) -> io::Result<Vec<u8>> {
        or_none(read_up_to(&self.path, self.most))
    }

    /// Adds lines, each with its end, to what is there.
    ///
    /// # Errors
    /// The file is as it was.
    pub fn add(&self, lines: &str) -> io::Result<()> {
        let _lock = lock(&self.path)?;
        let (begins, last) = edges(&self.path)?;
        if self.newer(&begins).is_some() {
            // It was said when it was read.
            return Ok(());
        }
        if self.version_of(&begins).is_some_and(|version| version < self.version) {
            self.renew()?;
        }
        let before = match last {
            None => self.first(),
            Some(b'\n') => String::new(),
            // A line that was cut off stays a line of its own.
            Some(_) => "\n".into(),
        };
        append(&self.path, format!("{before}{lines}").as_bytes())
    }

    /// A file of an older version is one of this: its lines stay, and programs of that time leave alone what they cannot read.
    fn renew(&self) -> io::Result<()> {
        let octets = self.octets()?;
        let rest = octets.iter().position(|b| *b == b'\n').map_or(octets.len(), |end| end + 1);
        let text = [self.first().as_bytes(), &octets[rest..]].concat();
        replace(&self.path, &text)
    }

    /// Writes the file anew from what it holds now; `None` leaves it as it is.
    ///
    /// # Errors
    /// The file is as it was.
    pub fn anew(&self, change: impl FnOnce(&[u8]) -> Option<Fresh>) -> io::Result<()> {
        if !self.path.exists() {
            return Ok(());
        }
        let _lock = lock(&self.path)?;
        let octets = self.octets()?;
        if self.newer(&octets).is_some() {
            return Ok(());
        }
        let Some(fresh) = change(&octets) else { return Ok(()) };
        if !fresh.bad.is_empty() {
            let lines: Vec<&[u8]> = octets.split(|b| *b == b'\n').collect();
            put_aside(&self.path, fresh.bad.iter().filter_map(|number| lines.get(number - 1).copied()))?;
        }
        let text = self.first() + &fresh.lines;
        if text.as_bytes() == octets { Ok(()) } else { replace(&self.path, text.as_bytes()) }
    }
}

/// The first octets of a file, and the last one.
fn edges(path: &Path) -> io::Result<(Vec<u8>, Option<u8>)> {
    let mut file = open(path, OpenOptions::new().read(true))?;
    let mut begins = Vec::new();
    file.by_ref().take(64).read_to_end(&mut begins)?;
    let mut last = [0];
    if begins.is_empty() {
        return Ok((begins, None));
    }
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok((begins, Some(last[0])))
}
