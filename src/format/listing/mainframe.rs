//! IBM's large systems: MVS data sets and members of partitioned ones, z/VM and CMS.

use super::date::{self, Dates, clock};
use super::words::{Words, blank, digits, number};
use super::{Entry, Kind};

/// How data sets are organised.
const ORGANISATIONS: &[&str] = &[
    "PS", "PO", "PO-E", "PS-E", "PS-L", "DA", "IS", "VS", "VSAM", "PSU", "POU", "DAU", "ISU", "GDG", "HFS", "ZFS", "U",
];

/// `WPTA01 3290   2004/03/04  1    3  FB      80  3125  PO  DATA.SET`: a data set of MVS. What follows how it is organised is its
/// name, blanks in it or not. A member with a short name has the same words before, but for the point in its version.
fn organised<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let (volume, unit, referred) = (words.next()?, words.next()?, words.next()?);
    let is_date = b"**NONE**" == referred || year_first(referred);
    (capitals(volume) && unit.len() <= 5 && !unit.contains(&b'.') && is_date).then_some(())?;
    // Columns run into one another where numbers are large, and so there may be fewer.
    let at = words.take(8).skip(2).position(|word| ORGANISATIONS.iter().any(|known| known.as_bytes() == word));
    let organisation = words.nth(at? + 2)?;
    let name = words.after_blanks().trim_ascii_end();
    // Each member of a partitioned data set is a file.
    let kind = if matches!(organisation, b"PO" | b"PO-E") { Kind::Directory } else { Kind::File };
    (!name.is_empty()).then(|| Entry::new(kind, name).dated(dates.day(referred).map(date::on)))
}

/// A data set of MVS, in whatever words its place is told.
pub(super) fn data_set<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    if let Some(entry) = organised(dates, line) {
        return Some(entry);
    }
    let words: Vec<&[u8]> = Words::new(line).take(12).collect();
    match *words.as_slice() {
        [volume, unit, b"VSAM", name] if capitals(volume) && digits(unit) => Some(Entry::new(Kind::File, name)),
        [volume, b"Tape", name] if capitals(volume) => Some(Entry::new(Kind::File, name)),
        [b"Migrated" | b"MIGRATED", name] => Some(Entry::new(Kind::File, name)),
        [b"Pseudo", b"Directory", name] => Some(Entry::new(Kind::Directory, name)),
        [_, b"Not", b"Direct", b"Access", b"Device", name] => Some(Entry::new(Kind::File, name)),
        _ => None,
    }
}

/// `MEMBER1   01.03 2002/09/12 2002/10/11 09:37    11    11     0 KIL001`: a member with what ISPF knows of it: version,
/// created, changed. Its size is in lines, so it tells no octets.
pub(super) fn member<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let name = words.next()?;
    let mut version = words.next()?.split(|b| *b == b'.');
    (version.next().is_some_and(digits) && version.next().is_some_and(digits) && version.next().is_none())
        .then_some(())?;
    words.next().filter(|created| year_first(created))?;
    let changed = dates.day(words.next().filter(|changed| year_first(changed))?)?;
    let time = date::at(changed, clock(words.next()?)?);
    (words.count() >= 3).then(|| Entry::new(Kind::File, name).dated(time))
}

/// `MEMBER2 00B308 000411  00 FO                31    ANY`: a load module with its size and place, both hexadecimal.
pub(super) fn load_module<'a>(_: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let name = words.next()?;
    let hexadecimal = |word: &[u8]| -> Option<u64> {
        let word = std::str::from_utf8(word).ok().filter(|word| word.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u64::from_str_radix(word, 16).ok()
    };
    let size = words.next().filter(|size| size.len() == 6).and_then(hexadecimal)?;
    words.next().filter(|place| place.len() == 6).and_then(hexadecimal)?;
    // An alias has the name of its module before the code.
    let code = |word: &&[u8]| word.len() == 2;
    let word = words.next()?;
    let word = if code(&word) { word } else { words.next().filter(code)? };
    hexadecimal(word)?;
    (words.count() >= 2).then(|| Entry::new(Kind::File, name).sized(Some(size)))
}

/// `AUTHORS           DIR        -          -          - 1999-09-20 10:31:11 -`,
/// `README   ANONYMOU V         71         26          1 1997-04-02 12:33:20 TCP291` and, with the mode of the disk,
/// `LASTING  GLOBALV   A1 V         41         21          1  9/16/91 15:10:32`: z/VM and CMS, with name, type, format,
/// length of the longest record, count of records, blocks.
pub(super) fn zvm<'a>(dates: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    let mut words = Words::new(line);
    let (name, kind) = (words.next()?, words.next()?);
    let mode = |word: &&[u8]| matches!(word, [b'A'..=b'Z', b'0'..=b'6']);
    let format = words.next().and_then(|word| if mode(&word) { words.next() } else { Some(word) })?;
    let (length, records) = (words.next()?, words.next()?);
    let is_directory = kind == b"DIR" && format == b"-";
    // A directory has no word for its blocks.
    (is_directory || matches!(format, b"V" | b"F") && words.next().is_some_and(digits)).then_some(())?;
    let date = dates.day(words.next()?)?;
    let time = date::at(date, clock(words.next()?)?);
    words.next();
    blank(words.rest()).then_some(())?;
    if is_directory {
        return Some(Entry::new(Kind::Directory, name).dated(time));
    }
    // Records of variable length tell nothing of all of them together.
    let size = number(length)?.checked_mul(number(records)?).filter(|_| format == b"F");
    Some(Entry::new(Kind::File, [name, b".", kind].concat()).sized(size).dated(time))
}

/// `IBMUSER1  JOB01906  OUTPUT    3 Spool Files`, or with owner, class and return code: a job of JES, fetched by its id.
pub(super) fn job<'a>(_: &Dates, line: &'a [u8]) -> Option<Entry<'a>> {
    const STATES: [&[u8]; 4] = [b"OUTPUT", b"INPUT", b"ACTIVE", b"HELD"];
    let mut words = Words::new(line);
    words.next()?;
    let id = words.next()?;
    let count = id.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let class = &id[..id.len() - count];
    (matches!(class, b"JOB" | b"STC" | b"TSU" | b"J" | b"S" | b"T") && (4..=8).contains(&count)).then_some(())?;
    words.take(2).any(|word| STATES.contains(&word)).then(|| Entry::new(Kind::File, id))
}

/// Whether a word is of six capitals and digits at most: a volume.
fn capitals(word: &[u8]) -> bool {
    let sign =
        |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b'-' | b'$' | b'#' | b'@' | b'?' | b'*');
    word.len() <= 6 && word.iter().all(sign)
}

/// `2004/03/04`
fn year_first(word: &[u8]) -> bool {
    word.len() == 10 && word[4] == b'/' && digits(&word[..4])
}
