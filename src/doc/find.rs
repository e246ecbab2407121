//! Find in page.
//!
//! Each character of the needle matches one character of the text: itself and, unless the needle has an upper-case letter
//! (smart case), its simple upper case; a space matches any white space. Matches lie within one block. The rarest character
//! of the needle is looked for with memchr, the others are compared only where it stands, so a miss runs at memory speed.

use super::Document;
use crate::doc::index;
use crate::stop::Stop;
use std::ops::Range;

/// What is sought: case-insensitive unless it holds an upper-case letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    words: String,
    needle: Vec<Letter>,
    rarest: Option<Rarest>,
}

/// A character of the needle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Letter {
    lower: char,
    upper: char,
}

/// The character by which candidates are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rarest {
    /// Its number in the needle.
    letter: usize,
    /// An octet of each of its two forms.
    octets: [u8; 2],
    /// Where in the character's encoding the octet stands.
    within: usize,
}

impl Letter {
    fn new(c: char, sensitive: bool) -> Letter {
        if c.is_whitespace() {
            return Letter { lower: ' ', upper: ' ' };
        }
        let mut upper = c.to_uppercase();
        match (upper.next(), upper.next()) {
            (Some(upper), None) if !sensitive => Letter { lower: c, upper },
            _ => Letter { lower: c, upper: c },
        }
    }

    fn matches(self, c: char) -> bool {
        c == self.lower || c == self.upper || (self.lower == ' ' && c.is_whitespace())
    }

    /// The octets to look for, where in the encoding they stand, and how common they are.
    fn rarity(self) -> Option<([u8; 2], usize, u8)> {
        let (mut low, mut up) = ([0; 4], [0; 4]);
        let low = self.lower.encode_utf8(&mut low).as_bytes();
        let up = self.upper.encode_utf8(&mut up).as_bytes();
        // the last octet tells more than the first, which a whole alphabet shares
        let within = if low.len() == up.len() { low.len() - 1 } else { 0 };
        (self.lower != ' ').then(|| ([low[within], up[within]], within, commonness(self.lower)))
    }
}

/// How common a character is in text; only the order counts.
fn commonness(c: char) -> u8 {
    const BY_FREQUENCY: &[u8] = b"zqxj;kvbpygfw0123456789,.-/mucdlhrnisoate";
    match u8::try_from(c.to_ascii_lowercase()) {
        Ok(octet) if octet.is_ascii() => {
            BY_FREQUENCY.iter().zip(1..).find(|(known, _)| **known == octet).map_or(0, |(_, rank)| rank)
        }
        _ => 12,
    }
}

impl Search {
    /// A search for words as typed; `None` when nothing was typed.
    pub fn new(words: &str) -> Option<Search> {
        let sensitive = words.chars().any(char::is_uppercase);
        let needle: Vec<Letter> = words.chars().map(|c| Letter::new(c, sensitive)).collect();
        let rarest = (needle.iter().enumerate())
            .filter_map(|(letter, l)| {
                l.rarity().map(|(octets, within, common)| (common, Rarest { letter, octets, within }))
            })
            .min_by_key(|(common, _)| *common)
            .map(|(_, rarest)| rarest);
        (!needle.is_empty()).then(|| Search { words: words.into(), needle, rarest })
    }

    /// The words as typed.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The first match that starts at or after a text offset.
    pub fn next(&self, document: &Document, from: usize) -> Option<Range<usize>> {
        self.next_before(document, from, usize::MAX)
    }

    /// The last match that starts before a text offset.
    pub fn previous(&self, document: &Document, before: usize) -> Option<Range<usize>> {
        self.previous_from(document, before, 0)
    }

    /// The last match that starts in `from..before`.
    fn previous_from(&self, document: &Document, before: usize, from: usize) -> Option<Range<usize>> {
        let text = document.text();
        let mut end = self.reach(text, before);
        while end > from {
            let (at, start) = self.candidate_back(text, from, end)?;
            let hit =
                start.filter(|start| (from..before).contains(start)).and_then(|start| self.match_at(document, start));
            if hit.is_some() {
                return hit;
            }
            end = at;
        }
        None
    }

    /// The matches that start within a text range, for highlights.
    pub fn within(&self, document: &Document, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut from = range.start;
        while let Some(hit) = self.next_before(document, from, range.end) {
            from = hit.end;
            found.push(hit);
        }
        found
    }

    /// Whether there is a match within a text range.
    pub fn is_in(&self, document: &Document, range: Range<usize>) -> bool {
        self.next_before(document, range.start, range.end).is_some_and(|hit| hit.end <= range.end)
    }

    /// Where matches start from a text offset on, at most so many; `None` when it was given up.
    pub fn starts(&self, document: &Document, from: usize, most: usize, stop: &Stop) -> Option<Vec<u32>> {
        let mut starts = Vec::new();
        for window in windows(from..document.text().len()) {
            stop.go_on()?;
            // A match that reaches into the next window covers what would start there.
            let from = starts.last().map_or(window.start, |last: &Range<usize>| last.end.max(window.start));
            starts.extend(self.within(document, from..window.end));
            if starts.len() >= most {
                break;
            }
        }
        Some(starts.iter().take(most).map(|hit| index(hit.start)).collect())
    }

    /// The first match that starts within a text range.
    pub fn first_in(&self, document: &Document, range: Range<usize>) -> Option<Range<usize>> {
        self.next_before(document, range.start, range.end)
    }

    /// The last match that starts within a text range.
    pub fn last_in(&self, document: &Document, range: Range<usize>) -> Option<Range<usize>> {
        self.previous_from(document, range.end, range.start)
    }

    /// The first match that starts in `from..limit`.
    fn next_before(&self, document: &Document, from: usize, limit: usize) -> Option<Range<usize>> {
        let text = document.text();
        let end = self.reach(text, limit);
        let mut at = from;
        while at < end {
            let (octet, start) = self.candidate(text, at, end)?;
            if let Some(start) = start.filter(|start| *start >= from) {
                if start >= limit {
                    return None;
                }
                if let Some(hit) = self.match_at(document, start) {
                    return Some(hit);
                }
            }
            at = octet + 1;
        }
        None
    }

    /// How far the text must be read for matches that start before an offset.
    fn reach(&self, text: &str, before: usize) -> usize {
        before.saturating_add(self.needle.len() * 4).min(text.len())
    }

    /// The next octet at or after `at` by which a match may be known, and where that match would start.
    fn candidate(&self, text: &str, at: usize, end: usize) -> Option<(usize, Option<usize>)> {
        let hay = text.as_bytes().get(at..end)?;
        let Some(Rarest { octets: [low, up], .. }) = self.rarest else {
            let white = hay.iter().position(|b| is_white_lead(*b))? + at;
            return Some((white, Some(white)));
        };
        let found = if low == up { memchr::memchr(low, hay) } else { memchr::memchr2(low, up, hay) };
        found.map(|found| (at + found, self.start_of(text, at + found)))
    }

    /// As [`Search::candidate`], the last one.
    fn candidate_back(&self, text: &str, from: usize, end: usize) -> Option<(usize, Option<usize>)> {
        let hay = text.as_bytes().get(from..end)?;
        let Some(Rarest { octets: [low, up], .. }) = self.rarest else {
            let white = hay.iter().rposition(|b| is_white_lead(*b))? + from;
            return Some((white, Some(white)));
        };
        let found = if low == up { memchr::memrchr(low, hay) } else { memchr::memrchr2(low, up, hay) };
        found.map(|found| (from + found, self.start_of(text, from + found)))
    }

    /// Where a match would start whose rarest character has its octet at an offset.
    fn start_of(&self, text: &str, octet: usize) -> Option<usize> {
        let rarest = self.rarest?;
        let at = octet.checked_sub(rarest.within).filter(|at| text.is_char_boundary(*at))?;
        if rarest.letter == 0 {
            return Some(at);
        }
        text[..at].char_indices().rev().nth(rarest.letter - 1).map(|(start, _)| start)
    }

    /// The match that starts at an offset, if there is one within its block.
    fn match_at(&self, document: &Document, start: usize) -> Option<Range<usize>> {
        let mut rest = document.text().get(start..)?.chars();
        if !self.needle.iter().all(|letter| rest.next().is_some_and(|c| letter.matches(c))) {
            return None;
        }
        let end = document.text().len() - rest.as_str().len();
        let block = document.anchor_at(start).block;
        (end <= document.block_range(block).end).then_some(start..end)
    }
}

/// A text range in pieces, each looked through in a millisecond or two whatever is sought.
fn windows(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    const WINDOW: usize = 1 << 18;
    let end = range.end;
    range.step_by(WINDOW).map(move |start| start..(start + WINDOW).min(end))
}

/// Whether an octet begins a white space character, or may.
fn is_white_lead(octet: u8) -> bool {
    octet.is_ascii_whitespace() || matches!(octet, 0x0b | 0xc2 | 0xe1 | 0xe2 | 0xe3)
}
