//! What `ls -l` writes, on every system that has one or imitates it, and its relatives with other modes.
//!
//! The columns between mode and date differ beyond counting (no group, users with blanks, resource forks), so the date is
//! looked for, and the size stands before it. Exactly one blank stands between date and name.

use super::date::{self, Dates, clock};
use super::words::{Words, blank, digits, number, size};
use super::{Access, Entry, Kind, Precision, Time};
use crate::date::month;
use memchr::memmem;

/// Words that are looked through for the date.
const COLUMNS: usize = 16;

/// `-rw-r--r--   1 root     other        531 Jan 29 03:26 notes.txt`
pub(super) fn unix<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let (kind, mode, words) = mode_of(line)?;
    let access = access(mode, words);
    let (size, time, words) = dated(dates, words).or_else(|| dateless(words))?;
    // What writes a date of one word and no time of day aligns the name after it.
    let aligned = time.is_some_and(|time| time.precision == Precision::Day) && is_one_word(line, words.rest());
    let entry = entry(kind, size, time, if aligned { words.after_blanks() } else { words.after_one_blank() })?;
    Some(Entry { access, ..entry })
}

/// Mode, owner and group, where the columns are those of `ls -l`: the count of links, the owner, the group where there is one,
/// the size.
fn access<'a>(mode: &[u8], mut words: Words<'a>) -> Access<'a> {
    let links = words.next().filter(|word| digits(word));
    let next: [Option<&[u8]>; 3] = std::array::from_fn(|_| words.next());
    let (owner, group) = match (links, next) {
        (Some(_), [Some(owner), Some(group), Some(size)]) if digits(size) => (Some(owner), Some(group)),
        (Some(_), [Some(owner), Some(size), _]) if digits(size) => (Some(owner), None),
        _ => (None, None),
    };
    Access { mode: bits(mode), owner, group }
}

/// The twelve bits of `-rwsr-xr-t`.
fn bits(mode: &[u8]) -> Option<u16> {
    let flags = mode.get(1..10)?;
    let mut bits = 0;
    for (at, flag) in flags.iter().enumerate() {
        let (bit, of) = (0o400 >> at, at % 3);
        bits |= match (flag, of) {
            (b'-', _) => 0,
            (b'r', 0) | (b'w', 1) | (b'x', 2) => bit,
            (b's' | b't', 2) => bit | 0o4000 >> (at / 3),
            (b'S' | b'T' | b'l' | b'L', 2) => 0o4000 >> (at / 3),
            _ => return None,
        };
    }
    Some(bits)
}

/// Whether the date that stands before the rest of a line is one word: `2004.07.15`.
fn is_one_word(line: &[u8], rest: &[u8]) -> bool {
    let before = &line[..line.len() - rest.len()];
    before.rsplit(|b| *b == b' ').next().is_some_and(|word| word.iter().filter(|b| **b == b'.').count() == 2)
}

/// `0100644   500  101   12345    123456789       file`: mode and time as the system has them.
pub(super) fn numeric<'a>(_: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let mode = words.next().filter(|mode| mode.len() >= 6 && mode.iter().all(|b| (b'0'..=b'7').contains(b)))?;
    let kind = match mode.iter().fold(0u64, |sum, digit| ((sum << 3) | u64::from(digit - b'0')) & 0o177_777) >> 12 {
        0o04 => Kind::Directory,
        0o10 => Kind::File,
        0o12 => Kind::Link,
        0o01 | 0o02 | 0o06 | 0o14 => Kind::Other,
        _ => return None,
    };
    words.by_ref().take(2).all(digits).then_some(())?;
    let size = number(words.next()?)?;
    let time = date::epoch(words.next()?)?;
    entry(kind, Some(size), Some(time), words.after_blanks())
}

/// `d [R----F--] supervisor            512       Jan 16 18:53    login`: NetWare's rights in place of a mode, and names
/// that are aligned.
pub(super) fn netware<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let (first, rest) = line.split_first()?;
    let kind = match first {
        b'd' => Kind::Directory,
        b'-' => Kind::File,
        _ => return None,
    };
    let mut words = Words::new(rest);
    let rights = words.next()?.strip_prefix(b"[")?.strip_suffix(b"]")?;
    rights.iter().all(|b| b.is_ascii_uppercase() || *b == b'-').then_some(())?;
    let (size, time, words) = dated(dates, words)?;
    entry(kind, size, time, words.after_blanks())
}

/// The kind that a mode tells, the mode, and what follows it. Numbers before it are blocks or inodes (`ls -s`, `ls -i`).
fn mode_of(line: &[u8]) -> Option<(Kind, &[u8], Words<'_>)> {
    let mut words = Words::new(line);
    for _ in 0..3 {
        let word = words.next()?;
        if let Some(kind) = mode(word) {
            return Some((kind, word, words));
        }
        digits(word).then_some(())?;
    }
    None
}

/// The kind that a word tells if it is a mode.
pub(super) fn mode(word: &[u8]) -> Option<Kind> {
    let (first, rest) = word.split_first()?;
    let kind = match first {
        b'-' | b'a' => Kind::File,
        b'd' => Kind::Directory,
        b'l' => Kind::Link,
        b'b' | b'c' | b'p' | b's' | b'D' | b'n' => Kind::Other,
        _ => return None,
    };
    // Capitals beside S, T and L are Connect:Enterprise's: `-C--E-----FTP`, `-AR--M----TCP`.
    let flag = |b: &u8| matches!(b, b'-' | b'r' | b'w' | b'x' | b's' | b't' | b'l' | b'A'..=b'Z');
    let flags = rest.iter().take(9).take_while(|b| flag(b)).count();
    let rest = &rest[flags..];
    // Plan 9 has one more: `d-rwxrwxr-x`, `--rw-rw-r--`, `al` of what is only appended to and of what one may have open.
    if rest.len() == 1 && matches!(word[1], b'-' | b'l') && flags == 9 && matches!(rest[0], b'-' | b'x') {
        return Some(kind);
    }
    let fits = match flags {
        // Access lists and the like leave a mark; some servers leave no blank before the count of links.
        9 => {
            let marks = rest.iter().take_while(|b| matches!(b, b'+' | b'.' | b'@' | b'*')).count();
            let rest = &rest[marks..];
            rest.iter().all(u8::is_ascii_digit) || (rest.len() == 3 && rest.iter().all(u8::is_ascii_uppercase))
        }
        // HylaFAX leaves out the rights of others.
        6..9 => rest.is_empty() && word[1..].iter().all(|b| matches!(b, b'-' | b'r' | b'w' | b'x')),
        _ => false,
    };
    fits.then_some(kind)
}

type Columns<'a> = (Option<u64>, Option<Time>, Words<'a>);

/// The size and the date, wherever they stand, and what follows them.
fn dated<'a>(dates: &Dates, words: Words<'a>) -> Option<Columns<'a>> {
    let after_number = |word: &[u8]| digits(word.strip_prefix(b"-").unwrap_or(word)) || word[0].is_ascii_digit();
    let find = |numbers_only: bool| {
        let mut after = words;
        for _ in 0..COLUMNS {
            let word = after.next()?;
            if (!numbers_only || after_number(word))
                && let Some((time, rest)) = dates.listed(after)
            {
                // A size that runs into the group before it could begin anywhere, so it is not known.
                return Some((size(word), Some(time), rest));
            }
        }
        None
    };
    find(true).or_else(|| find(false)).or_else(|| {
        let mut after = words;
        (0..COLUMNS).find_map(|_| {
            let size = number(after.next()?);
            let (time, rest) = size.and_then(|_| dates.numbers_only(after))?;
            Some((size, Some(time), rest))
        })
    })
}

/// What can be told of a line whose date is not understood, or not there: `drwxr-xr-x 3 user group 512 name`.
fn dateless(words: Words<'_>) -> Option<Columns<'_>> {
    let mut words = words;
    number(words.next()?)?;
    words.nth(1)?;
    let octets = number(words.next()?)?;
    let mut after = words;
    let first = after.next()?;
    // A date that is none: nothing of this line can be trusted.
    let numeric = first.iter().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'/' | b'.' | b':'));
    if numeric || month(first).is_some() {
        return None;
    }
    let (day, last) = (after.next(), after.next());
    // Or one in a language that nobody has told us of: a name is not made of it.
    let is_date = (!first.is_ascii() || first.len() >= 3 && first.iter().all(u8::is_ascii_alphabetic))
        && day.is_some_and(|day| digits(day) && day.len() <= 2)
        && last.is_some_and(|last| clock(last).is_some() || last.len() == 4 && digits(last));
    Some((Some(octets), None, if is_date { after } else { words }))
}

/// An entry with the name and link target that stand at the end of the line.
fn entry<'a>(kind: Kind, size: Option<u64>, time: Option<Time>, name: &'a [u8]) -> Option<Entry<'a>> {
    let (mut name, mut target) = (name, None);
    if kind == Kind::Link
        && let Some(at) = arrow(name, size)
    {
        (name, target) = (&name[..at], Some(&name[at + ARROW.len()..]));
    } else if kind == Kind::Link
        && let Some(at) = memmem::find(name, b" => ")
    {
        (name, target) = (&name[..at], Some(&name[at + ARROW.len()..]));
    }
    if kind == Kind::Directory && name.len() > 1 {
        name = name.strip_suffix(b"/").unwrap_or(name);
    }
    if blank(name) {
        return None;
    }
    Some(Entry { target, ..Entry::new(kind, name).sized(size).dated(time) })
}

const ARROW: &[u8] = b" -> ";

/// Where the arrow between name and target stands. Both may have arrows in them; a link is as long as its target.
fn arrow(name: &[u8], size: Option<u64>) -> Option<usize> {
    let first = memmem::find(name, ARROW)?;
    let fits = |at: &usize| Some((name.len() - at - ARROW.len()) as u64) == size;
    memmem::find_iter(name, ARROW).find(fits).or(Some(first))
}
