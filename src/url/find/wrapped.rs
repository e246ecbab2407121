//! URLs in `<…>`, `<URL:…>` and `"…"`: white space, line breaks and quote prefixes inside do not count (TXT-02 … 06).

use super::{Found, Look, known, usable};
use std::ops::Range;

/// Spaces within lines that a wrapped URL may hold; with more of them it is prose between two brackets.
const MOST_SPACES: usize = 16;
/// The longest scheme that is believed.
const LONGEST_SCHEME: usize = 32;

/// A URL between `<` at `open` and the next `>`. Any scheme will do there.
pub(super) fn angle(text: &str, open: usize) -> Option<Look> {
    let known = scheme_within(text.as_bytes(), open + 1)?;
    let joined = Joined::read(text, open + 1, Some('>'), MOST_SPACES)?;
    if !known && (joined.has_spaces() || !is_plausible(&joined.text)) {
        return None;
    }
    joined.into_look()
}

/// A URL between double quotes whose scheme begins at `start`. Spaces within a line make it prose, not a URL.
pub(super) fn quoted(text: &str, start: usize) -> Option<Look> {
    let bytes = text.as_bytes();
    let mut open = start;
    while open > 0 && start - open < 8 && b" \t".contains(&bytes[open - 1]) {
        open -= 1;
    }
    if open >= 4 && bytes[open - 4..open].eq_ignore_ascii_case(b"url:") {
        open -= 4;
    } else if open != start {
        return None;
    }
    if open == 0 || bytes[open - 1] != b'"' {
        return None;
    }
    Joined::read(text, start, Some('"'), 0)?.into_look()
}

/// Whether a scheme follows the `<`, and if so whether it is a known one. Nothing is allocated for what is no URL.
fn scheme_within(bytes: &[u8], from: usize) -> Option<bool> {
    let mut name = [0u8; LONGEST_SCHEME];
    let mut length = 0;
    let mut line_begins = false;
    for &b in &bytes[from..] {
        match b {
            b':' if length == 3 && name[..3].eq_ignore_ascii_case(b"url") => length = 0,
            b':' => {
                let name = std::str::from_utf8(&name[..length]).ok()?;
                return (length > 1 && name.as_bytes()[0].is_ascii_alphabetic()).then(|| known::is_known(name));
            }
            b'\n' => line_begins = true,
            b' ' | b'\t' | b'\r' => {}
            b'>' | b'|' if line_begins => {}
            _ if (b.is_ascii_alphanumeric() || b"+.-".contains(&b)) && length < LONGEST_SCHEME => {
                name[length] = b;
                length += 1;
                line_begins = false;
            }
            _ => return None,
        }
    }
    None
}

/// An unknown scheme in brackets is a URL (X020), but `<std::vector>` is not.
fn is_plausible(url: &str) -> bool {
    url.split_once(':').is_some_and(|(_, rest)| !rest.starts_with(':'))
}

/// How many marks of news quoting (`>`, `|`) stand at the beginning of the line of `at`.
pub(super) fn quote_depth(bytes: &[u8], at: usize) -> usize {
    let line = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |n| n + 1);
    let marks = bytes[line..at].iter().take_while(|b| b" \t>|".contains(b));
    marks.filter(|b| b">|".contains(b)).count()
}

/// Where the text of the line that begins at `at` begins, `depth` quote marks and white space passed over.
pub(super) fn after_prefix(bytes: &[u8], mut at: usize, depth: usize) -> usize {
    let mut marks = 0;
    while let Some(b) = bytes.get(at) {
        match b {
            b' ' | b'\t' => {}
            b'>' | b'|' if marks < depth => marks += 1,
            _ => break,
        }
        at += 1;
    }
    at
}

/// White space that was left out of a wrapped URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// That many spaces in a line.
    Spaces(usize),
    /// A line break, with the white space and quote marks around it.
    Break,
}

/// A text put together again from what a wrapper holds.
pub(in crate::url) struct Joined {
    /// Without any white space and without `URL:`.
    pub(in crate::url) text: String,
    /// Where in `text` something was left out.
    gaps: Vec<(usize, Gap)>,
    range: Range<usize>,
    after: usize,
}

impl Joined {
    /// Reads from `from` to the closing mark, or without one to the end of the text.
    /// `None`: it never closes, an empty line or another bracket comes first, or there are more spaces than `most`.
    pub(in crate::url) fn read(text: &str, from: usize, close: Option<char>, most: usize) -> Option<Joined> {
        let mut joined = Joined { text: String::new(), gaps: Vec::new(), range: from..from, after: text.len() };
        let mut spaces = 0;
        let mut depth = None;
        let mut at = from;
        while let Some(c) = text[at..].chars().next() {
            if Some(c) == close {
                joined.after = at + 1;
                return Some(joined.finished());
            } else if c.is_whitespace() {
                let (gap, next) = gap(text, at, close, &mut depth)?;
                spaces += usize::from(matches!(gap, Gap::Spaces(_)) && !joined.text.is_empty());
                joined.skip(gap);
                at = next;
            } else if c.is_control() || (close.is_some() && matches!(c, '<' | '>' | '"')) {
                return None;
            } else {
                at += c.len_utf8();
                joined.push(c, at);
            }
            // the space before the closing mark is not inside
            if spaces > most && close.is_some_and(|close| !text[at..].starts_with(close)) {
                return None;
            }
        }
        close.is_none().then(|| joined.finished())
    }

    fn push(&mut self, c: char, after: usize) {
        if self.text.is_empty() {
            self.range.start = after - c.len_utf8();
        }
        self.range.end = after;
        self.text.push(c);
        // TXT-10: the prefix may be broken across lines as anything else
        if self.text.len() == 4 && self.text.eq_ignore_ascii_case("url:") {
            self.text.clear();
            self.gaps.clear();
        }
    }

    fn skip(&mut self, gap: Gap) {
        if !self.text.is_empty() {
            self.gaps.push((self.text.len(), gap));
        }
    }

    fn finished(mut self) -> Joined {
        while self.gaps.last().is_some_and(|(at, _)| *at == self.text.len()) {
            self.gaps.pop();
        }
        self
    }

    fn has_spaces(&self) -> bool {
        self.gaps.iter().any(|(_, gap)| matches!(gap, Gap::Spaces(_)))
    }

    /// The reading that keeps white space: each space of a line as `space`, each line break as `line_break` (D35).
    pub(in crate::url) fn spaced(&self, space: &str, line_break: &str) -> Option<String> {
        if !self.has_spaces() {
            return None;
        }
        let mut out = String::with_capacity(self.text.len() + self.gaps.len() * space.len());
        let mut from = 0;
        for (at, gap) in &self.gaps {
            out.push_str(&self.text[from..*at]);
            match gap {
                Gap::Spaces(count) => out.push_str(&space.repeat(*count)),
                Gap::Break => out.push_str(line_break),
            }
            from = *at;
        }
        out.push_str(&self.text[from..]);
        Some(out)
    }

    /// The reading in which hyphens before a line break were put there by whoever broke the line (D36).
    pub(in crate::url) fn dehyphenated(&self) -> Option<String> {
        let is_hyphen = |at: usize| self.text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'-');
        let cuts = self.gaps.iter().filter(|(at, gap)| *gap == Gap::Break && is_hyphen(*at));
        let mut out = String::new();
        let mut from = 0;
        for (at, _) in cuts {
            out.push_str(&self.text[from..at - 1]);
            from = *at;
        }
        out.push_str(&self.text[from..]);
        (from > 0).then_some(out)
    }

    fn into_look(self) -> Option<Look> {
        if !usable(&self.text) {
            return None;
        }
        let alternatives = self.dehyphenated().into_iter().chain(self.spaced("%20", "%20")).collect();
        let found = Found { range: self.range, url: self.text, alternatives, sure: true };
        Some(Look { found: Some(found), resume: self.after })
    }
}

/// The white space at `at`, and the offset behind it. `None`: an empty line ends the paragraph.
fn gap(text: &str, at: usize, close: Option<char>, depth: &mut Option<usize>) -> Option<(Gap, usize)> {
    let bytes = text.as_bytes();
    let white = |from: usize| {
        let rest = &text[from..];
        from + rest.find(|c: char| !c.is_whitespace() || c == '\n').unwrap_or(rest.len())
    };
    let mut next = white(at);
    if bytes.get(next) != Some(&b'\n') {
        return Some((Gap::Spaces(text[at..next].chars().count()), next));
    }
    // only the last bracket of a line gets here, so looking for the line's beginning stays linear
    let depth = *depth.get_or_insert_with(|| quote_depth(bytes, at));
    while bytes.get(next) == Some(&b'\n') {
        let line = next + 1;
        next = white(after_prefix(bytes, line, depth));
        if bytes.get(next).is_none_or(|b| *b == b'\n') && close.is_some() {
            // a mark alone on its line closes the bracket rather than quoting nothing
            return match bytes[line..next].iter().rposition(|b| *b == b'>') {
                Some(mark) if close == Some('>') => Some((Gap::Break, line + mark)),
                _ => None,
            };
        }
    }
    Some((Gap::Break, next))
}
