//! The newest visits that hold some words, found in steps so that no key ever waits for a million of them.

use super::{Visit, Visits};
use memchr::memchr2_iter;

/// Octets that are looked through at once.
const STEP: usize = 1 << 21;

/// A search under way. It holds for as long as nothing is forgotten; what is added meanwhile is not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The words, lower case.
    words: Vec<String>,
    most: usize,
    /// Rows from this number on have been looked at.
    at: usize,
    found: Vec<u32>,
}

/// How a search stands after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// There is more to look at.
    More,
    /// All is found, or as many as were wanted.
    Ready,
}

impl Listing {
    /// A search for pages that hold every one of the words in address or title, whatever their case, and were visited before
    /// a time. It ends when it has `most` of them, or some more if those were visited in the same second.
    pub fn new(visits: &Visits, words: &str, before: Option<i64>, most: usize) -> Listing {
        let words = words.split_whitespace().map(str::to_lowercase).collect();
        let rows = &visits.rows;
        let at = before.map_or(rows.len(), |time| rows.partition_point(|row| row.time < time));
        Listing { words, most, at, found: Vec::new() }
    }

    /// Goes on for one step.
    pub fn step(&mut self, visits: &Visits) -> Step {
        let mut octets = 0;
        while octets < STEP {
            let Some(number) = self.at.checked_sub(1) else { return Step::Ready };
            let row = &visits.rows[number];
            let full = self.found.len() >= self.most;
            if full && self.found.last().is_some_and(|last| visits.rows[*last as usize].time != row.time) {
                return Step::Ready;
            }
            self.at = number;
            if row.count > 0 {
                octets += (row.url + row.title) as usize + 16;
                let visit = visits.visit(row);
                if self.words.iter().all(|word| holds(visit.url, word) || holds(visit.title, word)) {
                    self.found.push(number as u32);
                }
            }
        }
        Step::More
    }

    /// What was found so far, the newest first.
    pub fn found<'a>(&self, visits: &'a Visits) -> Vec<Visit<'a>> {
        let rows = self.found.iter().filter_map(|number| visits.rows.get(*number as usize));
        rows.filter(|row| row.count > 0).map(|row| visits.visit(row)).collect()
    }

    /// Whether older pages were not looked at.
    pub fn has_older(&self) -> bool {
        self.at > 0
    }
}

/// Whether a text holds a word that is in lower case.
fn holds(text: &str, word: &str) -> bool {
    if !text.is_ascii() || !word.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some((first, rest)) = word.split_first() else { return true };
    let Some(starts) = text.get(..(text.len() + 1).saturating_sub(word.len())) else { return false };
    let mut places = memchr2_iter(*first, first.to_ascii_uppercase(), starts);
    places.any(|at| text[at + 1..at + word.len()].eq_ignore_ascii_case(rest))
}
