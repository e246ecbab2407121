//! Systems of the middle size: AS/400, HP 3000 and NonStop.

use super::date::{self, Dates, clock};
use super::words::{Words, digits, number};
use super::{Entry, Kind};

/// `QSYS            77824 02/23/00 15:09:55 *DIR dir1/`: AS/400, with the owner first; members and libraries may have
/// nothing but a type: `PEP *MEM SOURCE.FILE/MEMBER.MBR`.
pub(super) fn as400<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    words.next()?;
    if let Some(kind) = words.peek().and_then(kind_of) {
        words.next();
        return named(kind, words);
    }
    let size = number(words.next()?)?;
    let date = dates.day(words.next()?)?;
    let time = date::at(date, clock(words.next()?)?);
    let kind = kind_of(words.next()?)?;
    Some(named(kind, words)?.sized(Some(size)).dated(time))
}

/// `*DIR`, `*FILE`
fn kind_of(word: &[u8]) -> Option<Kind> {
    let kind = word.strip_prefix(b"*").filter(|kind| !kind.is_empty() && kind.iter().all(u8::is_ascii_alphanumeric))?;
    Some(if matches!(kind, b"DIR" | b"DDIR" | b"LIB" | b"FLR") { Kind::Directory } else { Kind::File })
}

fn named(kind: Kind, words: Words<'_>) -> Option<Entry<'_>> {
    let name = words.after_blanks();
    let name = if kind == Kind::Directory { name.strip_suffix(b"/").unwrap_or(name) } else { name };
    (!name.is_empty()).then(|| Entry::new(kind, name))
}

/// `CATALOG            80B  FA        1234       1234   3      400  1  1`: HP 3000 (MPE), with perhaps a file code, the length
/// of a record in octets or words of two, how records are made, how many there are and may be.
pub(super) fn hp3000<'a>(_: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let name = words.next()?;
    let name = name.strip_suffix(b"*").unwrap_or(name);
    let sign = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    (name.len() <= 8 && name.first().is_some_and(u8::is_ascii_uppercase) && name.iter().all(sign)).then_some(())?;
    let record = |word: &[u8]| -> Option<u64> {
        let (unit, length) = word.split_last()?;
        let octets = match unit {
            b'B' => 1,
            b'W' => 2,
            _ => return None,
        };
        number(length)?.checked_mul(octets)
    };
    let word = words.next()?;
    let length = record(word).or_else(|| {
        let code = word.len() <= 5 && word.iter().all(sign);
        words.next().filter(|_| code).and_then(record)
    })?;
    let made = words.next().filter(|made| (2..=4).contains(&made.len()) && made.iter().all(u8::is_ascii_uppercase))?;
    let records = number(words.next()?)?;
    number(words.next()?)?;
    words.next().filter(|blocked| digits(blocked))?;
    // Exact for fixed records.
    let size = length.checked_mul(records).filter(|_| made.starts_with(b"F"));
    Some(Entry::new(Kind::File, name).sized(size))
}

/// `HPFILE 101 528 6-Apr-07 14:21:18 255,255 "oooo"`: NonStop (Guardian), with file code, size, owner, rights.
pub(super) fn nonstop<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let name = words.next()?;
    // An `O` marks a file that is open; a `+` behind the code one that is licensed.
    let code = words.next().and_then(|word| if word == b"O" { words.next() } else { Some(word) })?;
    digits(code.strip_suffix(b"+").unwrap_or(code)).then_some(())?;
    let size = number(words.next()?)?;
    let date = dates.day(words.next()?)?;
    let time = date::at(date, clock(words.next()?)?);
    let rights = words.last()?;
    (rights.len() == 6 && rights.starts_with(b"\"") && rights.ends_with(b"\"")).then_some(())?;
    Some(Entry::new(Kind::File, name).sized(Some(size)).dated(time))
}
