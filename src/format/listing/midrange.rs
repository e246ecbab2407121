//! Systems of the middle size: AS/400 and NonStop.

use super::date::{self, Dates, clock};
use super::words::{Words, digits, number};
use super::{Entry, Kind};

/// `QSYS            77824 02/23/00 15:09:55 *DIR dir1/`: AS/400, with the owner first; members have nothing but a type:
/// `PEP *MEM SOURCE.FILE/MEMBER.MBR`.
pub(super) fn as400<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    words.next()?;
    if words.peek() == Some(b"*MEM") {
        words.next();
        let name = words.after_blanks();
        return (!name.is_empty()).then(|| Entry::new(Kind::File, name));
    }
    let size = number(words.next()?)?;
    let date = dates.day(words.next()?)?;
    let time = date::at(date, clock(words.next()?)?);
    let kind = words.next()?.strip_prefix(b"*")?;
    kind.iter().all(u8::is_ascii_alphanumeric).then_some(())?;
    let kind = if matches!(kind, b"DIR" | b"DDIR" | b"LIB" | b"FLR") { Kind::Directory } else { Kind::File };
    let name = words.after_blanks();
    let name = if kind == Kind::Directory { name.strip_suffix(b"/").unwrap_or(name) } else { name };
    (!name.is_empty()).then(|| Entry::new(kind, name).sized(Some(size)).dated(time))
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
