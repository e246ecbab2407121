//! Listings that were made to be read by programs (EPLF), and those that say little more than names.

use super::date::{self, Dates};
use super::words::{Words, blank, number};
use super::{Entry, Kind, unix, vms};

/// `+i8388621.50690,m824255907,/,\tdirectory`: EPLF (D. J. Bernstein).
pub(super) fn eplf<'a>(_: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let line = line.strip_prefix(b"+")?;
    let (facts, name) = line.split_at(memchr::memchr(b'\t', line)?);
    let name = &name[1..];
    if name.is_empty() {
        return None;
    }
    let (mut kind, mut size, mut time) = (Kind::Unknown, None, None);
    for fact in facts.split(|b| *b == b',') {
        match *fact {
            [b'/'] => kind = Kind::Directory,
            [b'r'] if kind == Kind::Unknown => kind = Kind::File,
            [b's', ref octets @ ..] => size = number(octets),
            [b'm', ref seconds @ ..] => time = date::epoch(seconds),
            _ => {}
        }
    }
    Some(Entry::new(kind, name).sized(size).dated(time))
}

/// `README              763  Information about this server`: /bin/dls, with name, size, perhaps a date, perhaps a
/// description or where a link leads.
pub(super) fn dls<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let name = words.next().filter(|name| unix::mode(name).is_none())?;
    let size = match words.next()? {
        b"-" | b"=" => None,
        size => Some(number(size)?),
    };
    let (time, words) = dates.listed(words).map_or((None, words), |(time, after)| (Some(time), after));
    let target = words.after_blanks().strip_prefix(b"-> ").filter(|target| !blank(target));
    let (name, kind) = match (name.strip_suffix(b"/"), target) {
        (Some(name), _) if !name.is_empty() => (name, Kind::Directory),
        (_, Some(_)) => (name, Kind::Link),
        _ => (name, Kind::File),
    };
    Some(Entry { target, ..Entry::new(kind, name).sized(size).dated(time) })
}

/// A line of one word in a listing that otherwise says more: the name of something.
pub(super) fn one_word(line: &[u8]) -> Option<Entry<'_>> {
    let mut words = Words::new(line);
    let word = words.next().filter(|_| blank(words.rest()))?;
    // The heading of a directory in a listing of several.
    if word.ends_with(b":") {
        return None;
    }
    vms::alone(word).or_else(|| name(word))
}

/// A line of NLST: a name, or a path that ends in it.
pub(super) fn name(line: &[u8]) -> Option<Entry<'_>> {
    let (line, kind) = match line.strip_suffix(b"/") {
        Some(line) => (line, Kind::Directory),
        None => (line, Kind::Unknown),
    };
    let name = memchr::memrchr(b'/', line).map_or(line, |at| &line[at + 1..]);
    (!name.is_empty()).then(|| Entry::new(kind, name))
}
