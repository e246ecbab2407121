//! Flat lists of a tree: a line for each file, with its way from the top. `find` prints paths (`./a/b.txt`, `a/b.txt`), `find -ls` all
//! that is known of each; in an INDEX words on the file stand behind blanks.
//!
//! A text is one where every line of its beginning is, and most could hardly be anything else: who mentions paths lists no files.
//! Refuses: bare paths from the root, addresses.

use super::date::Dates;
use super::words::{Words, blank, digits, is_blank};
use super::{Entry, Kind, unix};
use memchr::{memchr, memmem};
use std::borrow::Cow;

/// Entries that the beginning of a list has at least.
const LEAST: usize = 3;

/// How a flat list is read.
pub(super) struct Flat {
    /// Reads a line.
    pub read: for<'a> fn(&Dates, &'a [u8]) -> Option<Entry<'a>>,
    /// Whether a line that is read could hardly be anything else.
    sure: fn(&[u8]) -> bool,
    /// Whether words go on in lines that begin with a blank, and empty lines stand between entries.
    pub wraps: bool,
}

/// Every form, the ones that are surest to tell first.
const FLATS: &[Flat] = &[
    Flat { read: long, sure: |line| memchr(b'/', line).is_some(), wraps: false },
    Flat { read: described, sure: |line| has_slash(line) && gap(line).is_some(), wraps: true },
    Flat { read: path, sure: |line| line.starts_with(b"./") || has_slash(line), wraps: false },
];

/// The form of a flat list, where a text begins as one. A last line that is not whole says nothing.
pub(super) fn form(start: &[u8], dates: &Dates) -> Option<&'static Flat> {
    let end = memchr::memrchr(b'\n', start)?;
    FLATS.iter().find(|flat| {
        let (mut entries, mut sure, mut words) = (0, 0, 0);
        let mut lines = start[..end].split(|b| *b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let all = lines.all(|line| {
            if flat.wraps && line.first().is_none_or(|b| is_blank(*b)) {
                words += usize::from(!blank(line));
                return true;
            }
            let odd = line.iter().any(|b| b.is_ascii_control() && *b != b'\t');
            entries += 1;
            sure += usize::from((flat.sure)(line));
            !odd && (flat.read)(dates, line).is_some()
        });
        all && entries >= LEAST && sure * 2 >= entries && words <= entries
    })
}

/// ` 330680   12 -rw-r--r--   1 ftp   ftp    9764 Nov  3  1993 ./gnu/My\ Games`: inode and blocks, and what `ls -l` says.
fn long<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    words.by_ref().take(2).all(digits).then_some(())?;
    unix::mode(words.next()?)?;
    let entry = unix::unix(dates, line)?;
    let name = match entry.name {
        Cow::Borrowed(name) => unescaped(name),
        owned @ Cow::Owned(_) => owned,
    };
    // With its backslashes it would lead elsewhere.
    let target = entry.target.filter(|target| memchr(b'\\', target).is_none());
    Some(Entry { name, target, ..entry })
}

/// `apps/circuits/acs-0.19.tar.gz      A circuit simulator`: words behind a tab or two blanks, or one where the path took the room.
fn described<'a>(_: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let name = first(line);
    let apart = name.len() == line.len() || gap(line).is_some() || has_slash(line);
    entry(name).filter(|_| apart)
}

/// `./gnu/emacs/emacs-18.59.tar.gz`. Without the dot a path with blanks is known by a slash that comes before.
fn path<'a>(_: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let plain = line.starts_with(b"./")
        || first(line).len() == line.len()
        || has_slash(line) && memmem::find(line, b"  ").is_none();
    entry(line).filter(|_| plain)
}

/// What has this path; one with a slash at its end is a directory.
fn entry(path: &[u8]) -> Option<Entry<'_>> {
    if path.first().is_none_or(|b| is_blank(*b) || *b == b'/') || memmem::find(path, b"://").is_some() {
        return None;
    }
    Some(match path.strip_suffix(b"/") {
        Some(path) => Entry::new(Kind::Directory, path),
        None => Entry::new(Kind::Unknown, path),
    })
}

/// The first word of a line that begins with one.
fn first(line: &[u8]) -> &[u8] {
    &line[..line.iter().position(|b| is_blank(*b)).unwrap_or(line.len())]
}

/// Whether the first word is a way of several steps.
fn has_slash(line: &[u8]) -> bool {
    memchr(b'/', first(line)).is_some()
}

/// What follows the first word, where it stands well apart.
fn gap(line: &[u8]) -> Option<&[u8]> {
    let rest = &line[first(line).len()..];
    matches!(rest, [b'\t', ..] | [b' ', b' ' | b'\t', ..]).then_some(rest)
}

/// A name as `find -ls` writes it: `\ ` and `\\`, `\n` and its like, `\351`.
fn unescaped(name: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', name).is_none() {
        return name.into();
    }
    let (mut out, mut rest) = (Vec::with_capacity(name.len()), name);
    while let Some((octet, behind)) = rest.split_first() {
        let octal = || {
            let digits = behind.first_chunk::<3>().filter(|digits| digits.iter().all(|b| (b'0'..=b'7').contains(b)))?;
            u8::try_from(digits.iter().fold(0u16, |sum, digit| sum << 3 | u16::from(digit - b'0'))).ok()
        };
        let (octet, taken) = match (octet, behind.first()) {
            (b'\\', Some(_)) if octal().is_some() => (octal().unwrap_or_default(), 3),
            (b'\\', Some(b'n')) => (b'\n', 1),
            (b'\\', Some(b'r')) => (b'\r', 1),
            (b'\\', Some(b't')) => (b'\t', 1),
            (b'\\', Some(other)) => (*other, 1),
            (octet, _) => (*octet, 0),
        };
        out.push(octet);
        rest = &behind[taken..];
    }
    out.into()
}
