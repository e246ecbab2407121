//! URLs in plain text: wrappers, `URL:`, line breaks, hyphens, quote prefixes, trailing punctuation (TXT-01 … 16).

use std::ops::Range;

/// A URL found in text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The bytes of the text that show it, wrappers and `URL:` excluded, line breaks included.
    pub range: Range<usize>,
    /// The URL with wrappers and white space removed.
    pub url: String,
    /// Other readings that the reader may be offered (hyphen dropped, white space kept).
    pub alternatives: Vec<String>,
    /// Whether it is a URL for sure, or only looks like one (bare `www.…`, addresses and message-ids in `<>`; D39).
    pub sure: bool,
}

/// Every URL in `text`, in order. `text` should be whole paragraphs: a wrapped URL is never sought across an empty line.
pub fn find(text: &str) -> Vec<Found> {
    let _ = text;
    Vec::new()
}
