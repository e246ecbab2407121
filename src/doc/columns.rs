//! Columns: how many cells of the terminal a piece of text takes, grapheme by grapheme, exactly as ratatui counts them.
//!
//! Graphemes are those of UAX #29; their width is `unicode-width`'s, with the halfwidth sound marks counted as terminals
//! show them. Controls take no column, for the screen drops them.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How many columns a text takes.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(|b| !b.is_ascii_control()).count();
    }
    let mut at = 0;
    let mut total = 0;
    while at < text.len() {
        let (len, cols) = cluster(&text[at..]);
        at += len;
        total += cols;
    }
    total
}

/// The first grapheme of a text that is not empty: its octets and its columns.
pub(super) fn cluster(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let second = bytes.get(1).copied().unwrap_or(b' ');
    match bytes.first() {
        None => (0, 0),
        Some(&first) if first.is_ascii() && second.is_ascii() && (first, second) != (b'\r', b'\n') => {
            (1, usize::from(!first.is_ascii_control()))
        }
        Some(_) => plain_cluster(text).unwrap_or_else(|| {
            let grapheme = text.graphemes(true).next().unwrap_or(text);
            (grapheme.len(), grapheme_columns(grapheme))
        }),
    }
}

/// The shortcut for letters that stand alone: both this one and the next are known never to join a neighbour.
fn plain_cluster(text: &str) -> Option<(usize, usize)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let cols = plain(first)?;
    chars.next().is_none_or(|next| plain(next).is_some()).then_some((first.len_utf8(), cols))
}

/// The columns of a character that no rule of UAX #29 joins with another plain one; `None` for all others.
fn plain(c: char) -> Option<usize> {
    match c {
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' => Some(1),
        '\u{370}'..='\u{482}' | '\u{48a}'..='\u{52f}' | '\u{2010}'..='\u{2027}' | '\u{2500}'..='\u{259f}' => Some(1),
        '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' => Some(2),
        '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ff60}' => Some(2),
        _ => None,
    }
}

/// The columns of one grapheme.
fn grapheme_columns(grapheme: &str) -> usize {
    if grapheme.contains(char::is_control) {
        return 0;
    }
    let marks = grapheme.chars().filter(|c| matches!(c, '\u{ff9e}' | '\u{ff9f}')).count();
    grapheme.width() + marks
}

/// The longest beginning of a text that fits into a width, cut between graphemes: its octets and its columns.
pub(super) fn fitting(text: &str, width: usize) -> (usize, usize) {
    let (mut at, mut total) = (0, 0);
    while at < text.len() {
        let (len, cols) = cluster(&text[at..]);
        if total + cols > width {
            break;
        }
        at += len;
        total += cols;
    }
    (at, total)
}

/// The longest beginning of a text that takes at most `width` columns, cut between graphemes. No more of a long text is looked
/// at than fits.
pub fn beginning(text: &str, width: usize) -> &str {
    &text[..fitting(text, width).0]
}

/// The longest end of a text that takes at most `width` columns, cut between graphemes. No more of a long text is looked at than
/// fits.
pub fn ending(text: &str, width: usize) -> &str {
    let mut taken = 0;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        taken += columns(grapheme);
        if taken > width {
            return &text[at + grapheme.len()..];
        }
    }
    text
}
