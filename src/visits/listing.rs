//! The newest visits that hold some words.

use super::{Pages, Visit};
use crate::stop::Stop;
use memchr::memchr2_iter;

/// Pages that were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listing {
    pages: Pages,
    /// Their rows, the newest first.
    rows: Vec<usize>,
    /// Whether older pages were not looked at.
    pub has_older: bool,
}

impl Listing {
    /// What was found, the newest first.
    pub fn visits(&self) -> Vec<Visit<'_>> {
        self.rows.iter().filter_map(|number| self.pages.get(*number)).collect()
    }
}

impl Pages {
    /// The pages that hold every one of the words in address or title, whatever their case, and were visited before a time:
    /// `most` of them, or some more if those were visited in the same second. `None` when it was given up.
    pub fn listing(&self, words: &str, before: Option<i64>, most: usize, stop: &Stop) -> Option<Listing> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let (mut rows, mut last, mut has_older) = (Vec::new(), None, false);
        for (number, visit) in self.older(before.map_or(self.rows(), |time| self.since(time))) {
            stop.go_on()?;
            if rows.len() >= most && last != Some(visit.time) {
                has_older = true;
                break;
            }
            if words.iter().all(|word| holds(visit.url, word) || holds(visit.title, word)) {
                last = Some(visit.time);
                rows.push(number);
            }
        }
        Some(Listing { pages: self.clone(), rows, has_older })
    }
}

/// Whether a text holds a word that is in lower case.
pub fn holds(text: &str, word: &str) -> bool {
    if !text.is_ascii() || !word.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some((first, rest)) = word.split_first() else { return true };
    let Some(starts) = text.get(..(text.len() + 1).saturating_sub(word.len())) else { return false };
    let mut places = memchr2_iter(*first, first.to_ascii_uppercase(), starts);
    places.any(|at| text[at + 1..at + word.len()].eq_ignore_ascii_case(rest))
}
