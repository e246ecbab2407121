//! Find in page.

use super::Document;
use std::ops::Range;

/// What is sought: case-insensitive unless it holds an upper-case letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    needle: String,
}

impl Search {
    /// A search for words as typed; `None` when nothing was typed.
    pub fn new(words: &str) -> Option<Search> {
        (!words.is_empty()).then(|| Search { needle: words.into() })
    }

    /// The words as typed.
    pub fn words(&self) -> &str {
        &self.needle
    }

    /// The first match that starts at or after a text offset.
    pub fn next(&self, document: &Document, from: usize) -> Option<Range<usize>> {
        let at = document.text().get(from..)?.find(&self.needle)? + from;
        Some(at..at + self.needle.len())
    }

    /// The last match that starts before a text offset.
    pub fn previous(&self, document: &Document, before: usize) -> Option<Range<usize>> {
        let at = document.text().get(..before)?.rfind(&self.needle)?;
        Some(at..at + self.needle.len())
    }

    /// The matches within a text range, for highlights.
    pub fn within(&self, document: &Document, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut from = range.start;
        while let Some(hit) = self.next(document, from).filter(|hit| hit.start < range.end) {
            from = hit.end;
            found.push(hit);
        }
        found
    }
}
