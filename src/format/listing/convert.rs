//! Listings → lines of `application/x-directory`, on the fly.

use super::mlsd::{LOCAL, TEXT, VERSION};
use super::{Access, Entry, Kind, Line, Listing, Precision, Time};
use jiff::civil::DateTime;
use memchr::memchr;

/// Turns what a server answered to LIST or NLST into a directory page's octets.
///
/// Entries come out in the order of the listing, `.` and `..` left out. Times that tell no zone, VMS versions and lines
/// that tell of no entry become facts of Wayfarer's own, which its directory pages know: `x.modify-local`, `x.version`
/// and `type=x.text`.
pub struct Converter {
    listing: Listing,
}

impl Converter {
    /// For an answer to LIST. `now` is the time in UTC, from which years that a listing leaves out are inferred.
    pub fn new(now: DateTime) -> Converter {
        Converter { listing: Listing::new(now) }
    }

    /// For an answer to NLST.
    pub fn names() -> Converter {
        Converter { listing: Listing::names() }
    }

    /// Takes the next octets, and appends the lines that they settle.
    pub fn feed(&mut self, octets: &[u8], out: &mut Vec<u8>) {
        self.listing.feed(octets, &mut |line| write(&line, out));
    }

    /// The next line keeps one waiting: appends the lines that are held until the form is sure.
    pub fn settle(&mut self, out: &mut Vec<u8>) {
        self.listing.settle(&mut |line| write(&line, out));
    }

    /// Takes the end, and appends the rest.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.listing.finish(&mut |line| write(&line, out));
    }

    /// What form the listing has (`unix`, `VMS`, …), once that is known.
    pub fn dialect(&self) -> Option<&'static str> {
        self.listing.dialect()
    }
}

fn write(line: &Line<'_>, out: &mut Vec<u8>) {
    match line {
        Line::Entry(Entry { kind: Kind::Dots, .. }) => return,
        Line::Entry(entry) => {
            facts(entry, out);
            out.push(b' ');
            out.extend_from_slice(&entry.name);
        }
        Line::Text(text) => {
            fact(b"type", TEXT, out);
            out.push(b' ');
            out.extend_from_slice(text);
        }
    }
    out.extend_from_slice(b"\r\n");
}

fn fact(key: &[u8], value: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(key);
    out.push(b'=');
    out.extend_from_slice(value);
    out.push(b';');
}

fn facts(entry: &Entry<'_>, out: &mut Vec<u8>) {
    match (entry.kind, entry.target) {
        (Kind::Directory, _) => fact(b"type", b"dir", out),
        (Kind::File, _) => fact(b"type", b"file", out),
        (Kind::Other, _) => fact(b"type", b"OS.unix=special", out),
        // A target with the sign that ends facts would end this one.
        (Kind::Link, Some(target)) if memchr(b';', target).is_none() => {
            out.extend_from_slice(b"type=OS.unix=slink:");
            out.extend_from_slice(target);
            out.push(b';');
        }
        (Kind::Link, _) => fact(b"type", b"OS.unix=symlink", out),
        (Kind::Unknown | Kind::Dots, _) => {}
    }
    if let Some(size) = entry.size {
        out.extend_from_slice(b"size=");
        number(size, 1, out);
        out.push(b';');
    }
    if let Some(time) = entry.modified {
        modified(time, out);
    }
    if let Some(version) = entry.version {
        fact(VERSION, version, out);
    }
    let Access { mode, owner, group } = entry.access;
    if let Some(mode) = mode {
        out.extend_from_slice(b"UNIX.mode=");
        (0..4).rev().for_each(|digit| out.push(b'0' + (mode >> (3 * digit) & 7) as u8));
        out.push(b';');
    }
    for (key, name) in [(&b"UNIX.owner"[..], owner), (b"UNIX.group", group)] {
        if let Some(name) = name.filter(|name| memchr(b';', name).is_none()) {
            fact(key, name, out);
        }
    }
}

/// As many digits as are known.
fn modified(time: Time, out: &mut Vec<u8>) {
    let at = time.at;
    let part = |value: i8| u64::from(value.unsigned_abs());
    out.extend_from_slice(if time.utc { b"modify" } else { LOCAL });
    out.push(b'=');
    number(u64::from(at.year().unsigned_abs()), 4, out);
    number(part(at.month()), 2, out);
    number(part(at.day()), 2, out);
    if time.precision != Precision::Day {
        number(part(at.hour()), 2, out);
        number(part(at.minute()), 2, out);
    }
    if time.precision == Precision::Second {
        number(part(at.second()), 2, out);
    }
    out.push(b';');
}

/// Decimal digits, at least so many. Formatting by way of `write!` would take longer than reading the line did.
fn number(value: u64, width: usize, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = value;
    while rest > 0 || out.len() - start < width {
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
    }
    out[start..].reverse();
}
