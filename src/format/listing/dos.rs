//! Listings whose lines begin with a date or a size, or have them after the name: DOS and its relatives, and small
//! systems.

use super::date::{Clock, Dates, at, clock, on, with_clock};
use super::words::{Words, blank, number, size};
use super::{Entry, Kind, Precision, Time};
use jiff::civil::Date;

/// `11-02-09  05:32PM       <DIR>          My Directory`: IIS, and what `dir` writes.
pub(super) fn dos<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let date = dates.day(words.next()?)?;
    let time = at(date, twelve(&mut words)?);
    let what = words.next()?;
    let name = trimmed(words)?;
    let entry = match what.to_ascii_uppercase().as_slice() {
        b"<DIR>" => Entry::new(Kind::Directory, name),
        b"<JUNCTION>" | b"<SYMLINK>" | b"<SYMLINKD>" => {
            let (name, target) = bracketed(name);
            Entry { target, ..Entry::new(Kind::Link, name) }
        }
        _ => {
            let size = size(what)?;
            Entry::new(Kind::File, name).sized(Some(size))
        }
    };
    Some(entry.dated(time))
}

/// A time of day with AM or PM, apart or not, or without.
fn twelve(words: &mut Words<'_>) -> Option<Clock> {
    let word = words.next()?;
    if let Some(plain) = clock(word) {
        let half = words.peek().and_then(afternoon);
        return match half {
            Some(half) => {
                words.next();
                plain.of_twelve(half)
            }
            None => Some(plain),
        };
    }
    let (time, half) = word.split_at_checked(word.len().checked_sub(2)?)?;
    clock(time)?.of_twelve(afternoon(half)?)
}

fn afternoon(word: &[u8]) -> Option<bool> {
    match word {
        [b'p' | b'P', b'm' | b'M'] => Some(true),
        [b'a' | b'A', b'm' | b'M'] => Some(false),
        _ => None,
    }
}

/// `data [D:\store]`, `data -> D:\store`, `data => D:\store`
fn bracketed(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    for arrow in [b" -> ", b" => "] {
        if let Some(at) = memchr::memmem::find(name, arrow) {
            return (name[..at].trim_ascii_end(), Some(&name[at + arrow.len()..]));
        }
    }
    let split = name.strip_suffix(b"]").and_then(|inner| {
        let at = memchr::memmem::find(inner, b" [")?;
        Some((&name[..at], Some(&inner[at + 2..])))
    });
    split.filter(|(name, _)| !blank(name)).unwrap_or((name, None))
}

/// Lines that begin with a size: `    0 DIR       02-11-103  16:15  dir` (OS/2), `206876  Apr 04, 2000 21:06 file`
/// (VShell), `2048    Feb-28-1998  05:23:30   dir <DIR>` (VxWorks).
pub(super) fn size_first<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let size = number(words.next()?)?;
    let mut kind = Kind::File;
    while let Some(word) = words.peek()
        && attributes(word)
    {
        if word == b"DIR" {
            kind = Kind::Directory;
        }
        words.next();
    }
    let (time, rest) = day_and_clock(dates, words)?;
    // VxWorks fills its lines up with blanks; none of these systems has names that end in one.
    let mut name = trimmed(rest)?.trim_ascii_end();
    if let Some(plain) = name.strip_suffix(b"<DIR>").or_else(|| name.strip_suffix(b"/")) {
        (kind, name) = (Kind::Directory, plain.trim_ascii_end());
    }
    (!name.is_empty()).then(|| Entry::new(kind, name).sized(Some(size)).dated(time))
}

/// A date of one word, or one with a comma, and a time of day: these systems write no other.
fn day_and_clock<'a>(dates: &Dates, words: Words<'a>) -> Option<(Time, Words<'a>)> {
    let mut after = words;
    let found = match dates.day(after.next()?) {
        Some(date) => with_clock(date, after),
        None => dates.listed(words).filter(|_| after.peek().is_some_and(|day| day.ends_with(b",")))?,
    };
    Some(found).filter(|(time, _)| time.precision != Precision::Day)
}

/// `DIR`, and the letters of OS/2's attributes.
fn attributes(word: &[u8]) -> bool {
    word == b"DIR" || word.len() <= 5 && word.iter().all(|b| matches!(b, b'A' | b'R' | b'H' | b'S' | b'D' | b'-'))
}

/// `router-file       1014196  06/03/04  Thur.   10:20:03`: Nortel's WFFTP, and others that have the name first.
pub(super) fn name_first<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let name = words.next()?;
    let what = words.next()?;
    let (kind, size) = match what {
        b"<DIR>" => (Kind::Directory, None),
        _ => (Kind::File, Some(number(what)?)),
    };
    let date = dates.day(words.next()?)?;
    if words.peek().is_some_and(weekday) {
        words.next();
    }
    let time = match words.next() {
        Some(word) => at(date, clock(word)?),
        None => on(date),
    };
    blank(words.rest()).then(|| Entry::new(kind, name).sized(size).dated(time))
}

/// `DESIGN1.DOC       11264 May 11 1995 14:20   A`: Chameleon, with the attributes of DOS at the end.
pub(super) fn chameleon<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let name = words.next()?;
    let (kind, size) = match words.next()? {
        b"<DIR>" => (Kind::Directory, None),
        size => (Kind::File, Some(number(size)?)),
    };
    words.peek().filter(|month| month.len() == 3 && month.iter().all(u8::is_ascii_alphabetic))?;
    let (day, mut rest) = dates.listed(words).filter(|(time, _)| time.precision == Precision::Day)?;
    let time = at(day.at.date(), clock(rest.next()?)?);
    let attributes = rest.next().is_none_or(|word| word.iter().all(|b| matches!(b, b'A' | b'R' | b'H' | b'S')));
    (attributes && blank(rest.rest())).then(|| Entry::new(kind, name).sized(size).dated(time))
}

fn weekday(word: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"];
    word.get(..3).is_some_and(|start| DAYS.iter().any(|day| day.eq_ignore_ascii_case(start)))
}

/// `20.20 07/03/29 1026 d-ewrewr 2650 85920 name`: OS-9, with owner, year first, attributes, sector, size.
pub(super) fn os9<'a>(_: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let mut owner = words.next()?.split(|b| *b == b'.');
    number(owner.next()?).and(number(owner.next()?)).filter(|_| owner.next().is_none())?;
    let mut date = words.next()?.split(|b| *b == b'/').map(|part| number(part).filter(|n| *n < 200));
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let year = if year < 70 { 2000 + year } else { 1900 + year };
    let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    let time = hours(date, words.next().filter(|word| word.len() == 4)?)?;
    let attributes = words.next().filter(|word| word.len() == 8)?;
    attributes.iter().all(|b| b"dsewr-".contains(b)).then_some(())?;
    words.next()?;
    let size = number(words.next()?)?;
    let kind = if attributes[0] == b'd' { Kind::Directory } else { Kind::File };
    Some(Entry::new(kind, trimmed(words)?).sized(Some(size)).dated(time))
}

/// `1026`
fn hours(date: Date, word: &[u8]) -> Option<Time> {
    let (hour, minute) = word.split_at_checked(2)?;
    Some(at(date, clock(&[hour, b":", minute].concat())?))
}

/// The name at the end of a line, where names are aligned.
fn trimmed(words: Words<'_>) -> Option<&[u8]> {
    let name = words.after_blanks();
    (!name.is_empty()).then_some(name)
}
