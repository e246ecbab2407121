//! Records of the files of kept news: a line that says what follows, then its octets, each with a sum of its own.
//!
//! `over FIRST LAST LENGTH SUM SUM`: overview lines of those numbers, all that the server had of them, in ascending order.
//! `low NUMBER 0 0 SUM SUM`: the server's first number, as it was heard last. `named` and `article` say whose file it is and
//! what is in it. The last sum is of the line itself, so that a file is walked through without its octets being read.
//! Whatever ends too early at the end of a file was being written when its program ended.

use flate2::Crc;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The longest line before a record's octets, its end included.
const LONGEST: usize = 110;

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Whose file it is.
    Named,
    /// Overview lines.
    Over,
    /// The server's first number.
    Low,
    /// An article.
    Article,
}

const WORDS: &[(&str, What)] =
    &[("named", What::Named), ("over", What::Over), ("low", What::Low), ("article", What::Article)];

/// A record, without its octets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record {
    pub what: What,
    /// The numbers that it is about.
    pub first: u64,
    pub last: u64,
    /// Where its octets begin in the file, and how many there are.
    pub at: u64,
    pub length: u64,
    sum: u32,
}

/// What was found where a file is walked through.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub records: Vec<Record>,
    /// Where what makes sense ends.
    pub end: u64,
    /// Something stands there that no run of the program has written.
    pub damaged: bool,
}

fn sum(octets: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(octets);
    crc.sum()
}

/// A record as it is written.
pub(super) fn written(what: What, (first, last): (u64, u64), octets: &[u8]) -> Vec<u8> {
    let word = WORDS.iter().find(|(_, known)| *known == what).map_or("", |(word, _)| word);
    let line = format!("{word} {first} {last} {} {:08x}", octets.len(), sum(octets));
    let mut out = format!("{line} {:08x}\n", sum(line.as_bytes())).into_bytes();
    out.extend_from_slice(octets);
    out
}

/// A line before a record's octets; `None` for what is none.
fn line(octets: &[u8], at: u64) -> Option<Record> {
    let text = std::str::from_utf8(octets).ok()?;
    let (text, own) = text.rsplit_once(' ')?;
    if own.len() != 8 || u32::from_str_radix(own, 16).ok()? != sum(text.as_bytes()) {
        return None;
    }
    let mut words = text.split(' ');
    let word = words.next()?;
    let what = WORDS.iter().find(|(known, _)| *known == word).map(|(_, what)| *what)?;
    let mut number = || words.next()?.parse::<u64>().ok();
    let (first, last, length) = (number()?, number()?, number()?);
    let sum = u32::from_str_radix(words.next()?, 16).ok()?;
    Some(Record { what, first, last, at, length, sum })
}

/// Walks through a file from where its records begin.
pub(super) fn walk(file: &File, begin: u64) -> io::Result<Walk> {
    let length = file.metadata()?.len();
    let mut walk = Walk { records: Vec::new(), end: begin, damaged: false };
    let mut buffer = [0; LONGEST];
    while walk.end < length {
        let count = read_some(file, &mut buffer, walk.end)?;
        let Some(lf) = buffer[..count].iter().position(|octet| *octet == b'\n') else {
            // Half a line is what a kill leaves; a long one, or other signs, it does not.
            walk.damaged = count == LONGEST || !buffer[..count].iter().all(|octet| matches!(octet, b' '..=b'~'));
            break;
        };
        let at = walk.end + lf as u64 + 1;
        let Some(record) = line(&buffer[..lf], at) else {
            walk.damaged = true;
            break;
        };
        let Some(end) = at.checked_add(record.length).filter(|end| *end <= length) else { break };
        walk.records.push(record);
        walk.end = end;
    }
    Ok(walk)
}

/// A record's octets; `None` where they are not those that were written.
pub(super) fn octets(file: &File, record: &Record, most: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(length) = usize::try_from(record.length).ok().filter(|_| record.length <= most) else { return Ok(None) };
    let mut octets = vec![0; length];
    file.read_exact_at(&mut octets, record.at)?;
    Ok((sum(&octets) == record.sum).then_some(octets))
}

/// Reads what there is, up to the length of the buffer.
pub(super) fn read_some(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match file.read_at(&mut buffer[count..], at + count as u64)? {
            0 => break,
            more => count += more,
        }
    }
    Ok(count)
}
