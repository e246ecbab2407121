//! Pieces of lines: text in its looks, white space folded or kept, TABs as wide as they are.

use super::columns::cluster;
use super::document::{Document, LinkId};
use super::layout::Segment;
use super::wrap::{is_white, tab_columns};
use crate::doc::index;
use crate::role::Role;
use std::borrow::Cow;
use std::ops::Range;

/// A line whose white space is folded.
pub(super) fn fold<'a>(document: &'a Document, role: Role, line: Range<usize>, out: &mut Vec<Segment<'a>>) {
    let mut after_white = true;
    for (range, role, link) in runs(document, role, line) {
        let text = &document.text()[range.clone()];
        let bytes = text.as_bytes();
        let doubled = after_white && bytes.first() == Some(&b' ') || bytes.windows(2).any(|pair| pair == b"  ");
        if !doubled && memchr::memchr(b'\t', bytes).is_none() {
            slice(text, range.start, role, link, out);
            after_white = bytes.last() == Some(&b' ');
            continue;
        }
        let mut from = 0;
        for at in 0..=bytes.len() {
            let white = bytes.get(at).copied().filter(|_| is_white(text, at));
            let verbatim = at < bytes.len() && (white.is_none() || (white == Some(b' ') && !after_white));
            if !verbatim {
                slice(&text[from..at], range.start + from, role, link, out);
                from = at + 1;
                if white == Some(b'\t') && !after_white {
                    blank(1, role, link, out);
                }
            }
            after_white = if at < bytes.len() { white.is_some() } else { after_white };
        }
    }
}

/// The pieces of a text range in one look each. A grapheme has the look of its first octet.
pub(super) fn runs(document: &Document, role: Role, range: Range<usize>) -> Vec<(Range<usize>, Role, Option<LinkId>)> {
    let mut runs = Vec::new();
    let mut at = range.start;
    for span in document.spans_in(range.clone()) {
        let start = grapheme_edge(document.text(), &range, (span.start as usize).max(range.start));
        let end = grapheme_edge(document.text(), &range, (span.end as usize).min(range.end));
        if at < start {
            runs.push((at..start, role, None));
        }
        if start.max(at) < end {
            runs.push((start.max(at)..end, span.role, span.link));
        }
        at = at.max(end);
    }
    if at < range.end {
        runs.push((at..range.end, role, None));
    }
    runs
}

/// The first grapheme boundary at or after an offset of a line.
fn grapheme_edge(text: &str, line: &Range<usize>, at: usize) -> usize {
    let bytes = text.as_bytes();
    if at == line.start || at >= line.end || (bytes[at].is_ascii() && bytes[at - 1].is_ascii()) {
        return at;
    }
    let line_text = &text[line.clone()];
    let mut cursor = unicode_segmentation::GraphemeCursor::new(at - line.start, line_text.len(), true);
    match cursor.is_boundary(line_text, 0) {
        Ok(false) => cursor.next_boundary(line_text, 0).ok().flatten().map_or(line.end, |edge| line.start + edge),
        _ => at,
    }
}

/// Adds what stands between two columns of a line, and says how many columns that takes. A wide character that the left edge
/// cuts is a space; one that the right edge would cut is not shown.
pub(super) fn window<'a>(line: Vec<Segment<'a>>, columns: Range<usize>, out: &mut Vec<Segment<'a>>) -> usize {
    let (mut at, mut taken) = (0, 0);
    for Segment { text, role, link, at: from, row } in line {
        if at >= columns.end {
            break;
        }
        let (mut cut, mut first) = (0..0, true);
        while cut.end < text.len() {
            let (len, cols) = cluster(&text[cut.end..]);
            if at + cols > columns.end {
                at = columns.end;
                break;
            }
            if first && at < columns.start {
                // it is left out, but for the half of it that would stand in sight
                cut = cut.end + len..cut.end + len;
                if at + cols > columns.start {
                    blank(at + cols - columns.start, role, link, out);
                    taken += at + cols - columns.start;
                }
            } else {
                (first, taken) = (false, taken + cols);
                cut.end += len;
            }
            at += cols;
        }
        if !cut.is_empty() {
            let from = from.map(|from| from + index(cut.start));
            let text = match text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[cut]),
                Cow::Owned(text) => Cow::Owned(text[cut].to_owned()),
            };
            out.push(Segment { text, role, link, at: from, row });
        }
    }
    taken
}

/// Adds a verbatim slice of the document's text.
pub(super) fn slice<'a>(text: &'a str, at: usize, role: Role, link: Option<LinkId>, out: &mut Vec<Segment<'a>>) {
    if !text.is_empty() {
        out.push(Segment { text: Cow::Borrowed(text), role, link, at: Some(index(at)), row: None });
    }
}

/// Adds spaces.
pub(super) fn blank(cols: usize, role: Role, link: Option<LinkId>, out: &mut Vec<Segment<'_>>) {
    const SPACES: &str = "                                                                                ";
    if cols > 0 {
        let text = SPACES.get(..cols).map_or_else(|| Cow::Owned(" ".repeat(cols)), Cow::Borrowed);
        out.push(Segment { text, role, link, at: None, row: None });
    }
}

/// As [`cluster`], with a TAB as wide as it is at a column.
pub(super) fn tabbed_cluster(text: &str, column: usize) -> (usize, usize) {
    if text.as_bytes().first() == Some(&b'\t') { (1, tab_columns(column)) } else { cluster(text) }
}

/// The columns of a text with its TABs.
pub(super) fn tabbed_columns(text: &str) -> usize {
    skip(text, usize::MAX).1
}

/// The octets before the first grapheme that starts at or after a column, and the column where it starts.
pub(super) fn skip(text: &str, column: usize) -> (usize, usize) {
    let (mut at, mut reached) = (0, 0);
    while at < text.len() {
        let (len, cols) = tabbed_cluster(&text[at..], reached);
        // what has no column goes with what stands before it
        if reached >= column && (cols > 0 || reached == 0) {
            break;
        }
        at += len;
        reached += cols;
    }
    (at, reached)
}
