//! The header of a message or of a part: fields, unfolded (RFC 5322, 2.2; RFC 2045, 3). Lines that are no fields are kept.

use super::place::Place;
use super::words;
use crate::format::charset::Charset;
use crate::format::plain::Articles;
use crate::news::Series;
use crate::url::Url;
use crate::url::scheme::news;
use memchr::memchr;
use std::ops::Range;

/// The longest header, in octets; what follows is taken for the body.
pub(super) const LONGEST: usize = 1024 * 1024;

/// How many ids of a header are known in its text.
const MOST_ARTICLES: usize = 1000;

/// A field as it came.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    /// The name; empty for a line that has none.
    pub name: &'a [u8],
    /// What follows the colon, folds included.
    pub value: &'a [u8],
}

impl Field<'_> {
    /// Whether it has a name, in any case of letters.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }
}

/// The fields of a header, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Head<'a> {
    /// All of them, duplicates and broken lines included.
    pub fields: Vec<Field<'a>>,
}

impl Head<'_> {
    /// How many parts the subject says there are of the file that the message has a part of.
    pub fn parts(&self) -> Option<u64> {
        let subject = self.text("subject", None)?;
        Series::of(&subject).map(|series| series.total)
    }
}

impl<'a> Head<'a> {
    /// Reads a header without the empty line after it.
    pub fn read(octets: &'a [u8]) -> Head<'a> {
        let mut fields: Vec<Field<'a>> = Vec::new();
        let mut at = 0;
        while at < octets.len() {
            let start = at;
            at = next_line(octets, at);
            while at < octets.len() && matches!(octets[at], b' ' | b'\t') {
                at = next_line(octets, at);
            }
            let lines = &octets[start..at];
            // what mailboxes put before a message
            if start == 0 && (lines.starts_with(b"From ") || lines.starts_with(b">From ")) {
                continue;
            }
            let lines = lines.trim_ascii_end();
            if !lines.is_empty() {
                fields.push(field(lines));
            }
        }
        Head { fields }
    }

    /// The value of the first field of a name.
    pub fn get(&self, name: &str) -> Option<&'a [u8]> {
        self.fields.iter().find(|field| field.is(name)).map(|field| field.value)
    }

    /// The text of the first field of a name: unfolded, encoded words decoded.
    pub fn text(&self, name: &str, hint: Option<Charset>) -> Option<String> {
        self.get(name).map(|value| words::decode(value, hint))
    }

    /// The articles that it names, its own among them: where the text says `<id@host>`, it is no address. The message came from
    /// this URL.
    pub fn articles(&self, url: &Url) -> Articles {
        const NAMED: &[&str] =
            &["references", "in-reply-to", "message-id", "supersedes", "see-also", "original-message-id"];
        let fields = self.fields.iter().filter(|field| NAMED.iter().any(|name| field.is(name)));
        let ids = fields.flat_map(|field| ids(field.value)).take(MOST_ARTICLES);
        let known = ids.filter_map(|id| Some(news::article_url(id).ok()?.to_string())).collect();
        Articles { known, place: Place::of(url, self) }
    }

    /// The first `<id>` of a field, without the brackets.
    pub fn id(&self, name: &str) -> Option<Vec<u8>> {
        ids(self.get(name)?).into_iter().next().map(<[u8]>::to_vec)
    }
}

fn field(lines: &[u8]) -> Field<'_> {
    let colon = memchr(b':', lines).filter(|colon| {
        // RFC 822 allowed white space before the colon
        let name = lines[..*colon].trim_ascii_end();
        !name.is_empty() && name.iter().all(u8::is_ascii_graphic)
    });
    match colon {
        Some(colon) => Field { name: lines[..colon].trim_ascii_end(), value: lines[colon + 1..].trim_ascii() },
        None => Field { name: b"", value: lines },
    }
}

fn next_line(octets: &[u8], from: usize) -> usize {
    memchr(b'\n', &octets[from..]).map_or(octets.len(), |end| from + end + 1)
}

/// Where a header ends and where the body after it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// Past the header's last line.
    pub head: usize,
    /// The body's first octet.
    pub body: usize,
}

/// Looks for the empty line that ends a header, from `scanned` on, the start of a line; moves it past the lines that were
/// seen. A header that is too long ends where it is [`LONGEST`].
pub(super) fn end(octets: &[u8], scanned: &mut usize) -> Option<End> {
    loop {
        let rest = &octets[*scanned..];
        match (rest.starts_with(b"\n"), rest.starts_with(b"\r\n")) {
            (true, _) => return Some(End { head: *scanned, body: *scanned + 1 }),
            (_, true) => return Some(End { head: *scanned, body: *scanned + 2 }),
            _ => {}
        }
        if *scanned > LONGEST {
            return Some(End { head: LONGEST, body: LONGEST });
        }
        match memchr(b'\n', rest) {
            Some(line) => *scanned += line + 1,
            None if octets.len() > LONGEST + 2 => return Some(End { head: LONGEST, body: LONGEST }),
            None => return None,
        }
    }
}

/// The value on one line: line ends dropped, the white space of folds kept.
pub(super) fn unfold(value: &[u8]) -> Vec<u8> {
    value.trim_ascii().iter().copied().filter(|b| !matches!(b, b'\r' | b'\n')).collect()
}

/// Every `<id>` in a value, without the brackets.
pub(super) fn ids(value: &[u8]) -> Vec<&[u8]> {
    id_ranges(value).into_iter().map(|range| &value[range]).collect()
}

/// Where every `<id>` in a value stands, without the brackets; ids have no white space in them.
pub(super) fn id_ranges(value: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr(b'<', &value[at..]).map(|open| at + open + 1) {
        let end = value[open..].iter().position(|b| b.is_ascii_whitespace() || b"<>".contains(b));
        let Some(end) = end.map(|end| open + end) else { break };
        if value[end] == b'>' && end > open {
            found.push(open..end);
        }
        at = end;
    }
    found
}
