//! Recursive listings (`ls -lR`): blocks of rows, each below a heading that names its directory.
//!
//! A heading is a line that ends in `:` and follows an empty line, blanks in it or not (`My Games/old stuff:`). The first block
//! may have none; there, a line that reads as a row is a row. All other lines are rows of `ls -l`, counts of blocks, or strays.
//!
//! What `dir /s` of Windows writes is read as well: ` Directory of C:\pub\a`, in any language, names the directory of the rows that
//! follow; all else that is indented there are words and sums. Lists with a path in each line are told by their beginning (`flat`).

use super::cutter::Cutter;
use super::date::Dates;
use super::dialect::is_noise;
use super::flat::{self, Flat};
use super::words::{blank, is_blank};
use super::{Entry, dos, unix};
use jiff::civil::DateTime;

/// A line of a recursive listing.
#[derive(Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// What follows is in this directory, which is named as the listing has it, without the colon.
    Heading(&'a [u8]),
    /// A row.
    Entry(Entry<'a>),
    /// A count of blocks (`total 12`), or more words on the row before.
    Count,
    /// A line that says nothing of a file: a word of `ls` on what it could not read, the rest of a name with a line break.
    Stray(&'a [u8]),
}

/// Reads a recursive listing.
pub struct Recursive {
    cutter: Cutter,
    reader: Reader,
}

struct Reader {
    dates: Dates,
    /// Whether the line before was empty, or there was none.
    fresh: bool,
    begun: bool,
    /// Whether it is one of Windows.
    windows: bool,
    /// How it is read, where it has no blocks.
    flat: Option<&'static Flat>,
}

impl Recursive {
    /// A reader of the text that begins so. `now`, UTC, is what years are inferred from where the listing leaves them out: best the
    /// day it was made.
    pub fn new(now: DateTime, start: &[u8]) -> Recursive {
        let dates = Dates::new(now);
        let flat = flat::form(start, &dates);
        Recursive {
            cutter: Cutter::default(),
            reader: Reader { dates, fresh: true, begun: false, windows: false, flat },
        }
    }

    /// Takes the next octets, and gives what their lines say.
    pub fn feed(&mut self, octets: &[u8], each: &mut dyn FnMut(Part<'_>)) {
        let Recursive { cutter, reader } = self;
        cutter.feed(octets, &mut |line| reader.line(line, each));
    }

    /// Takes the end, and gives the last line.
    pub fn finish(&mut self, each: &mut dyn FnMut(Part<'_>)) {
        let Recursive { cutter, reader } = self;
        cutter.finish(&mut |line| reader.line(line, each));
    }
}

impl Reader {
    fn line(&mut self, line: &[u8], each: &mut dyn FnMut(Part<'_>)) {
        if blank(line) {
            self.fresh = true;
            return;
        }
        if let Some(flat) = self.flat {
            return each(match (flat.read)(&self.dates, line) {
                Some(entry) => Part::Entry(entry),
                None if flat.wraps && line.first().is_some_and(|b| is_blank(*b)) => Part::Count,
                None => Part::Stray(line),
            });
        }
        if let Some(name) = of_windows(line) {
            (self.windows, self.begun) = (true, true);
            return each(Part::Heading(name));
        }
        if self.windows {
            return each(match dos::dos(&self.dates, line) {
                Some(entry) => Part::Entry(entry),
                None if line.starts_with(b" ") => Part::Count,
                None => Part::Stray(line),
            });
        }
        let (fresh, first) = (std::mem::replace(&mut self.fresh, false), !std::mem::replace(&mut self.begun, true));
        let heading = line.strip_suffix(b":").filter(|name| fresh && !name.is_empty());
        match (heading, unix::unix(&self.dates, line)) {
            (Some(_), Some(entry)) if first => each(Part::Entry(entry)),
            (Some(name), _) => each(Part::Heading(name)),
            (None, Some(entry)) => each(Part::Entry(entry)),
            (None, None) if is_noise(line) => each(Part::Count),
            (None, None) => {
                // A word of `ls` on what it could not read stands before the heading that it was at.
                self.fresh = fresh;
                each(Part::Stray(line));
            }
        }
    }
}

/// The directory that a heading of Windows names: ` Directory of C:\pub\a`.
fn of_windows(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let at = memchr::memmem::find(line, b":\\").filter(|at| line.starts_with(b" ") && *at > 1)?;
    (line[at - 1].is_ascii_alphabetic() && line[at - 2] == b' ').then(|| &line[at - 1..])
}

/// Whether a text begins as a recursive listing does: it tells of files more often than of anything else, or of them alone.
pub fn begins(start: &[u8]) -> bool {
    if start.contains(&0) {
        return false;
    }
    let (mut headings, mut entries, mut counts, mut strays) = (0, 0, 0, 0);
    let mut reader = Recursive::new(DateTime::constant(2100, 1, 1, 0, 0, 0, 0), start);
    if reader.reader.flat.is_some() {
        return true;
    }
    // What has been cut has no last line.
    reader.feed(start, &mut |part| match part {
        Part::Heading(_) => headings += 1,
        Part::Entry(_) => entries += 1,
        Part::Count => counts += 1,
        Part::Stray(_) => strays += 1,
    });
    (entries > 0 || headings > 0 && counts > 0) && headings + entries + counts > strays
}
