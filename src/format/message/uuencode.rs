//! uuencode (POSIX `uuencode`, historical algorithm).

use super::files::File;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Took {
    /// It was data.
    Data,
    /// It was the end.
    End,
    /// It is no part of the file.
    Nothing,
}

/// A file that has begun.
pub(super) struct Uu {
    name: Vec<u8>,
    size: u64,
    ended: bool,
}

/// Whether a line may begin a file: `begin 644 name`.
pub(super) fn begins(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"begin ") else { return false };
    let mode = rest.iter().take_while(|b| (b'0'..=b'7').contains(b)).count();
    (3..=4).contains(&mode) && rest.get(mode) == Some(&b' ') && !rest[mode..].trim_ascii().is_empty()
}

/// Whether a line is data: its first character tells how many octets it holds.
pub(super) fn is_data(line: &[u8]) -> bool {
    let line = without_end(line);
    let Some((first, data)) = line.split_first() else { return false };
    // white space at the end is lost on the way, and some add a checksum
    (0x20..=0x60).contains(first)
        && data.iter().all(|b| (0x20..=0x60).contains(b))
        && data.len() <= groups(count(*first)) * 4 + 2
        && (count(*first) == 0 || data.len() + 4 > groups(count(*first)) * 4)
}

/// Whether a line is one of those that a file consists of but for its last: 45 octets, in 60 characters.
pub(super) fn is_full(line: &[u8]) -> bool {
    line.first() == Some(&b'M') && is_data(line)
}

fn count(first: u8) -> usize {
    usize::from((first - 0x20) & 0x3F)
}

fn groups(octets: usize) -> usize {
    octets.div_ceil(3)
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Uu {
    /// The file that a line begins.
    pub fn new(line: &[u8]) -> Uu {
        let rest = line.get(6..).unwrap_or_default();
        let mode = rest.iter().take_while(|b| **b != b' ').count();
        Uu { name: rest[mode..].trim_ascii().to_vec(), size: 0, ended: false }
    }

    /// A file of which the beginning is in another article.
    pub fn further() -> Uu {
        Uu { name: Vec::new(), size: 0, ended: false }
    }

    /// The name of the file.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// Whether its end has come.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes a line; its octets go into `out`.
    pub fn line(&mut self, line: &[u8], out: Option<&mut Vec<u8>>) -> Took {
        if line.trim_ascii() == b"end" {
            self.ended = true;
            return Took::End;
        }
        if !is_data(line) {
            return Took::Nothing;
        }
        let line = without_end(line);
        let octets = count(line[0]);
        self.size += octets as u64;
        if let Some(out) = out {
            let end = out.len() + octets;
            for group in 0..groups(octets) {
                let six = |at: usize| u32::from(line.get(1 + group * 4 + at).map_or(0, |b| (b - 0x20) & 0x3F));
                let bits = six(0) << 18 | six(1) << 12 | six(2) << 6 | six(3);
                out.extend_from_slice(&bits.to_be_bytes()[1..]);
            }
            out.truncate(end);
        }
        Took::Data
    }

    /// What was found.
    pub fn file(self) -> File {
        let remarks = if self.ended { Vec::new() } else { vec!["its end is missing".into()] };
        File { name: self.name, encoding: "uuencoded", size: self.size, remarks, whole: None, parts: None }
    }
}
