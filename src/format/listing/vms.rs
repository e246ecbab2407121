//! VMS: `README.TXT;4  2  18-APR-2000 10:40:39.90`. Fields follow the name in any order, on the next line where a name is
//! long.

use super::date::{Dates, with_clock};
use super::words::{Words, digits, number, size};
use super::{Entry, Kind};

/// Octets in a block.
const BLOCK: u64 = 512;

/// An entry: name with version, blocks used (`2`, or `2/8` used and allocated), date.
pub(super) fn vms<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let (name, version) = versioned(words.next()?)?;
    let (mut octets, mut time) = (None, None);
    while let Some(word) = words.next() {
        if time.is_none()
            && let Some(date) = written_out(dates, word)
        {
            let (found, after) = with_clock(date, words);
            (time, words) = (Some(found), after);
        } else if octets.is_none() {
            octets = used(word);
        }
    }
    let entry = entry(name, version);
    Some(entry.sized(octets).dated(Some(time?)))
}

/// A name alone, of a line that has nothing else.
pub(super) fn alone(word: &[u8]) -> Option<Entry<'_>> {
    let (name, version) = versioned(word)?;
    Some(entry(name, version))
}

fn entry<'a>(name: &'a [u8], version: &'a [u8]) -> Entry<'a> {
    let stem = name.len().checked_sub(4).and_then(|at| name.split_at_checked(at));
    match stem {
        Some((stem, end)) if end.eq_ignore_ascii_case(b".dir") && !stem.is_empty() => Entry::new(Kind::Directory, stem),
        _ => Entry { version: Some(version), ..Entry::new(Kind::File, name) },
    }
}

/// `NAME.TYPE;4`, without the directory that some servers put before it.
fn versioned(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memrchr(b';', word)?;
    let (name, version) = (&word[..at], &word[at + 1..]);
    let name = memchr::memrchr(b']', name).map_or(name, |at| &name[at + 1..]);
    (digits(version) && !name.is_empty()).then_some((name, version))
}

/// A date with a month in letters; any other is none of VMS's.
fn written_out(dates: &Dates, word: &[u8]) -> Option<jiff::civil::Date> {
    let day = word.split(|b| *b == b'-').next().filter(|day| (1..=2).contains(&day.len()) && digits(day))?;
    word.get(day.len() + 1).filter(|b| !b.is_ascii_digit())?;
    dates.day(word)
}

fn used(word: &[u8]) -> Option<u64> {
    let mut parts = word.split(|b| *b == b'/');
    let used = parts.next()?;
    match number(used) {
        Some(blocks) => {
            parts.next().is_none_or(digits).then_some(())?;
            blocks.checked_mul(BLOCK)
        }
        // `2KB`
        None => size(used).filter(|_| used.first().is_some_and(u8::is_ascii_digit)),
    }
}
