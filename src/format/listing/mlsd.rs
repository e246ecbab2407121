//! Lines of MLSD (RFC 3659, 7): `fact=value;fact=value; name`, with facts of Wayfarer's own for what other listings tell
//! that MLSD cannot.
//!
//! | fact | meaning |
//! |---|---|
//! | `x.modify-local=YYYYMMDD[HHMM[SS]]` | when it was changed, in the server's zone, as exactly as the digits |
//! | `x.version=4` | a VMS file, fetched by `name;4` |
//! | `type=x.text` | no entry: the name is a line of text |
//! | `x.place=URL` | of the listed directory itself: its rows that are no directories stand below this URL |
//! | `x.inside=1` | of a link: it leads to a directory below the listed one's own URL |

use super::date::Dates;
use super::words::number;
use super::{Entry, Kind, Line, Precision, Time};
use jiff::civil::{Date, DateTime};
use memchr::{memchr, memchr2, memmem};

/// The value of `type` for a line of text.
pub(super) const TEXT: &[u8] = b"x.text";
/// The fact of a time in the server's zone.
pub(super) const LOCAL: &[u8] = b"x.modify-local";
/// The fact of where the rows are.
const PLACE: &[u8] = b"x.place";
/// The fact of a link to a directory of the page's own.
const INSIDE: &[u8] = b"x.inside";
/// The fact of a VMS version.
pub(super) const VERSION: &[u8] = b"x.version";

/// Reads a line without its end; `None` when it is not of this form or has no name.
pub fn line(line: &[u8]) -> Option<Line<'_>> {
    let (facts, name) = line.split_at(fact_end(line)?);
    let name = name.get(1..).filter(|name| !name.is_empty())?;
    let mut entry = Entry::new(Kind::Unknown, name);
    for fact in facts.split(|b| *b == b';').filter(|fact| !fact.is_empty()) {
        let (key, value) = fact.split_at(memchr(b'=', fact)?);
        let value = &value[1..];
        match () {
            () if key.eq_ignore_ascii_case(b"type") && value.eq_ignore_ascii_case(TEXT) => {
                return Some(Line::Text(name));
            }
            () if key.eq_ignore_ascii_case(b"type") && entry.kind != Kind::Dots => {
                (entry.kind, entry.target) = kind_of(value);
            }
            () if key.eq_ignore_ascii_case(b"size") => entry.size = number(value),
            () if key.eq_ignore_ascii_case(b"modify") => entry.modified = time(value, true).or(entry.modified),
            () if key.eq_ignore_ascii_case(LOCAL) => entry.modified = entry.modified.or_else(|| time(value, false)),
            () if key.eq_ignore_ascii_case(b"unique") => entry.unique = Some(value).filter(|value| !value.is_empty()),
            () if key.eq_ignore_ascii_case(PLACE) => entry.place = Some(value),
            () if key.eq_ignore_ascii_case(INSIDE) => entry.inside = true,
            () if key.eq_ignore_ascii_case(VERSION) => entry.version = number(value).map(|_| value),
            () if key.eq_ignore_ascii_case(b"unix.mode") => entry.access.mode = mode(value),
            () if is_any(key, &[b"unix.ownername", b"unix.owner", b"unix.uid"]) => {
                entry.access.owner = better(entry.access.owner, value);
            }
            () if is_any(key, &[b"unix.groupname", b"unix.group", b"unix.gid"]) => {
                entry.access.group = better(entry.access.group, value);
            }
            () => {}
        }
    }
    let size = entry.size;
    Some(Line::Entry(entry.sized(size)))
}

/// `0644`, `100644`: the twelve bits of a mode, in octal.
fn mode(value: &[u8]) -> Option<u16> {
    let octal = (1..=7).contains(&value.len()) && value.iter().all(|digit| (b'0'..=b'7').contains(digit));
    let bits = value.iter().fold(0_u32, |bits, digit| bits << 3 | u32::from(digit & 7));
    u16::try_from(bits & 0o7777).ok().filter(|_| octal)
}

fn is_any(key: &[u8], known: &[&[u8]]) -> bool {
    known.iter().any(|known| key.eq_ignore_ascii_case(known))
}

/// A name rather than a number, whichever stands first.
fn better<'a>(known: Option<&'a [u8]>, value: &'a [u8]) -> Option<&'a [u8]> {
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    known.filter(|known| !is_number(known)).or(Some(value).filter(|value| !value.is_empty())).or(known)
}

/// A line of MLSD among the lines of a listing: one that certainly has facts.
pub(super) fn listed<'a>(_: &Dates, octets: &'a [u8]) -> Option<Entry<'a>> {
    let word = octets.iter().position(|b| !b.is_ascii_alphanumeric() && !matches!(b, b'.' | b'-'))?;
    match line(octets).filter(|_| word > 0 && octets[word] == b'=')? {
        // Text may have an `=` in it; a fact that is known is no accident.
        Line::Entry(entry) => {
            Some(entry).filter(|entry| entry.kind != Kind::Unknown || entry.size.is_some() || entry.modified.is_some())
        }
        Line::Text(_) => None,
    }
}

/// Where the facts end. Each ends with `;` (RFC 3659, 7.2), though some servers forget the last one, others put link
/// targets with spaces into theirs, and others a TAB before the name.
fn fact_end(line: &[u8]) -> Option<usize> {
    if line.first() == Some(&b' ') {
        return Some(0);
    }
    let strict = memmem::find(line, b"; ").or_else(|| memmem::find(line, b";\t")).map(|at| at + 1);
    strict.or_else(|| memchr2(b' ', b'\t', line)).filter(|at| memchr(b'=', &line[..*at]).is_some())
}

fn kind_of(value: &[u8]) -> (Kind, Option<&[u8]>) {
    let lower = value.to_ascii_lowercase();
    match lower.as_slice() {
        b"dir" => (Kind::Directory, None),
        b"cdir" | b"pdir" => (Kind::Dots, None),
        b"file" => (Kind::File, None),
        _ if lower.starts_with(b"os.unix=slink") || lower.starts_with(b"os.unix=symlink") => {
            let target = memchr(b':', value).map(|at| &value[at + 1..]).filter(|target| !target.is_empty());
            (Kind::Link, target)
        }
        _ if lower.starts_with(b"os.unix=") => (Kind::Other, None),
        _ => (Kind::File, None),
    }
}

/// `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`; what follows does not count.
pub fn time(value: &[u8], utc: bool) -> Option<Time> {
    let digits = value.iter().take_while(|b| b.is_ascii_digit()).count();
    let part = |from, to| number(&value[from..to]).and_then(|part| i16::try_from(part).ok());
    let small = |from, to| part(from, to).and_then(|part| i8::try_from(part).ok());
    let date = if digits < 8 { None } else { Date::new(part(0, 4)?, small(4, 6)?, small(6, 8)?).ok() }?;
    let of = |hour, minute, second, precision| {
        let at = DateTime::new(date.year(), date.month(), date.day(), hour, minute, second, 0).ok()?;
        Some(Time { at, precision, utc })
    };
    match digits {
        ..12 => of(0, 0, 0, Precision::Day),
        12..14 => of(small(8, 10)?, small(10, 12)?, 0, Precision::Minute),
        // Leap seconds are as good as the one before.
        _ => of(small(8, 10)?, small(10, 12)?, small(12, 14)?.min(59), Precision::Second),
    }
}
