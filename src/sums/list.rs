//! What a file of sums says of one file: the forms of coreutils (`sum  name`, `sum *name`, `\` before names that are escaped), of the
//! BSDs and OpenSSL (`SHA256 (name) = sum`), of GnuPG (`name: SU MS`), and a sum alone, where the file is about no other.
//!
//! One pass, a line at a time; lines that are no entry are passed over, so that what is signed in clear can be read. What is asked of one
//! file ([`said_of`]) refuses names that lead elsewhere (`../name`, `folder/name`), however like they are; of all that a list names
//! ([`each`]) every name is passed on as it stands: where it leads is for who takes it to judge ([`super::Tree`]).

use super::{Kind, Sum};
use std::borrow::Cow;

/// Longer lines hold no entry.
const LONGEST: usize = 16 * 1024;
/// Digits of a sum that GnuPG wraps, with the spaces between, at most.
const WRAPPED: usize = 512;

/// An entry: of which file, and the digits of its sum, which are made one only where it is wanted: a list may have many.
struct Entry<'a> {
    name: Name<'a>,
    digits: &'a [u8],
}

/// Whose an entry is.
enum Name<'a> {
    /// Nobody's by name.
    None,
    Plain(&'a [u8]),
    /// With `\n`, `\r` and `\\` for what they stand for.
    Escaped(&'a [u8]),
}

/// All sums that `text` says of the file `name`, of one kind two at most: no file has both. `own` when the text stands for that file
/// alone, so that a sum needs no name, and may have a folder before it that it was made in.
pub fn said_of(name: &[u8], text: &[u8], own: bool) -> Vec<Sum> {
    let (mut named, mut bare) = (Vec::new(), Vec::new());
    read(text, &mut |of, digits| match of {
        Name::None if own && bare.len() < 2 => bare.extend(Sum::of(digits)),
        Name::None => {}
        of if of.is(name, own) => {
            let sum = Sum::of(digits).filter(|sum| is_news(named.iter(), sum));
            named.extend(sum);
        }
        Name::Plain(_) | Name::Escaped(_) => {}
    });
    if named.is_empty() && bare.len() == 1 { bare } else { named }
}

/// Whether a sum says more than these, of which two of a kind say enough.
pub(super) fn is_news<'a>(known: impl Iterator<Item = &'a Sum> + Clone, sum: &Sum) -> bool {
    known.clone().all(|other| other != sum) && known.filter(|other| other.kind == sum.kind).count() < 2
}

/// Every file that `text` names and has a sum of, by the name as it stands there, which may lead anywhere, without `./` before it.
pub fn each(text: &[u8], take: &mut dyn FnMut(Cow<'_, [u8]>, Sum)) {
    read(text, &mut |of, digits| {
        let name: Cow<'_, [u8]> = match of {
            Name::None => return,
            Name::Plain(said) => last(said, false).into(),
            Name::Escaped(said) => unescaped(last(said, false)).collect::<Vec<_>>().into(),
        };
        if let Some(sum) = Sum::of(digits) {
            take(name, sum);
        }
    });
}

/// Goes through the entries of a text: whose each is, and its digits.
fn read(text: &[u8], take: &mut dyn FnMut(Name<'_>, &[u8])) {
    let mut wrapped: Option<(&[u8], Vec<u8>)> = None;
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    for line in text.split(|octet| *octet == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LONGEST {
            continue;
        }
        if let Some((_, digits)) = &mut wrapped
            && line.starts_with(b" ")
            && digits.len() <= WRAPPED
            && gather(digits, line)
        {
            continue;
        }
        if let Some((name, digits)) = wrapped.take() {
            take(Name::Plain(name), &digits);
        }
        if let Some(entry) = entry(line) {
            take(entry.name, entry.digits);
            continue;
        }
        // name: SU MS
        let mut digits = Vec::new();
        wrapped = memchr::memrchr(b':', line)
            .filter(|at| gather(&mut digits, &line[at + 1..]))
            .map(|at| (&line[..at], digits));
    }
    if let Some((name, digits)) = wrapped {
        take(Name::Plain(name), &digits);
    }
}

/// Adds the digits of a part of a sum; whether it was nothing else.
fn gather(digits: &mut Vec<u8>, part: &[u8]) -> bool {
    let part = part.iter().filter(|octet| !octet.is_ascii_whitespace());
    let before = digits.len();
    digits.extend(part.take(WRAPPED));
    digits[before..].iter().all(u8::is_ascii_hexdigit)
}

fn entry(line: &[u8]) -> Option<Entry<'_>> {
    let (escaped, line) = match line.strip_prefix(b"\\") {
        Some(line) => (true, line),
        None => (false, line),
    };
    let named = |name| if escaped { Name::Escaped(name) } else { Name::Plain(name) };
    let digits = line.iter().take_while(|octet| octet.is_ascii_hexdigit()).count();
    if Kind::of(&line[..digits]).is_some() {
        let (digits, rest) = line.split_at(digits);
        let name = match rest.strip_prefix(b" ").and_then(|rest| rest.strip_prefix(b" ").or(rest.strip_prefix(b"*"))) {
            Some(name) => name,
            None => rest.trim_ascii_start(),
        };
        return match (rest, name) {
            (_, b"" | b"-") => Some(Entry { name: Name::None, digits }),
            ([b' ' | b'\t', ..], name) => Some(Entry { name: named(name), digits }),
            _ => None,
        };
    }
    // SHA256 (name) = sum; OpenSSL leaves spaces out
    let open = line.iter().position(|octet| *octet == b'(')?;
    let kind = Kind::named(line[..open].trim_ascii())?;
    let sum = line.rsplit(|octet| *octet == b'=').next().map(<[u8]>::trim_ascii)?;
    let end = line[..line.len() - sum.len()].iter().rposition(|octet| *octet == b')').filter(|end| *end > open)?;
    let equals = line[end + 1..].trim_ascii_start().starts_with(b"=");
    let agrees = equals && Kind::of(sum) == Some(kind);
    agrees.then(|| Entry { name: named(&line[open + 1..end]), digits: sum })
}

impl Name<'_> {
    /// Whether it is this file's.
    fn is(&self, name: &[u8], own: bool) -> bool {
        match self {
            Name::None => false,
            // some write more than two spaces, or one and no star
            Name::Plain(said) => last(said, own) == name || last(said.trim_ascii(), own) == name,
            Name::Escaped(said) => unescaped(last(said, own)).eq(name.iter().copied()),
        }
    }
}

/// A name without `./` before it; without any folder where the text is about one file alone.
fn last(said: &[u8], own: bool) -> &[u8] {
    let said = said.strip_prefix(b"./").unwrap_or(said);
    if own { said.rsplit(|octet| *octet == b'/').next().unwrap_or_default() } else { said }
}

fn unescaped(name: &[u8]) -> impl Iterator<Item = u8> {
    let mut octets = name.iter();
    std::iter::from_fn(move || {
        let octet = octets.next()?;
        let behind = if *octet == b'\\' { octets.next() } else { None };
        Some(match behind {
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(other) => *other,
            None => *octet,
        })
    })
}
