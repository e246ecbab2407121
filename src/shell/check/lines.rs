//! In which line of its source a link stands.

use crate::url::Url;
use crate::url::scheme::{self, Family, gopher::Gopher};

/// How far behind the last link the next one is looked for, in octets.
const WINDOW: usize = 64 << 10;

/// The lines of a source, found by the references in it, one after the other.
pub(in crate::shell) struct Lines<'a> {
    octets: &'a [u8],
    at: usize,
    line: usize,
    /// References that were not found; after so many nothing is looked for any more.
    missed: usize,
}

/// As many references may stand in a page in other words than they have in its links.
const MISSED: usize = 1000;

impl Lines<'_> {
    pub(in crate::shell) fn new(octets: &[u8]) -> Lines<'_> {
        Lines { octets, at: 0, line: 1, missed: 0 }
    }

    /// The line of the next place where a reference stands; `None` where it is not found nearby as written.
    pub(in crate::shell) fn of(&mut self, reference: &str) -> Option<usize> {
        if self.missed >= MISSED {
            return None;
        }
        self.missed += 1;
        let window = &self.octets[self.at..self.octets.len().min(self.at + WINDOW)];
        let find = |words: &[u8]| {
            let alone = |at: &usize| {
                let before = at.checked_sub(1).map_or(b' ', |before| window[before]);
                let after = window.get(at + words.len()).copied().unwrap_or(b' ');
                b"\"'=:(<>[| \t\n".contains(&before) && b"\"')<>]| \t\r\n".contains(&after)
            };
            if words.is_empty() { None } else { memchr::memmem::find_iter(window, words).find(alone) }
        };
        let selector = || {
            let url = Url::parse(reference).ok().filter(|url| scheme::family(url) == Family::Gopher)?;
            let selector = Gopher::of(&url).ok()?.selector;
            memchr::memmem::find(window, &[b"\t", selector.as_slice(), b"\t"].concat())
        };
        let found = find(reference.as_bytes())
            .or_else(|| find(reference.replace('&', "&amp;").as_bytes()).filter(|_| reference.contains('&')))
            .or_else(selector)?;
        self.missed -= 1;
        self.line += memchr::memchr_iter(b'\n', &window[..found]).count();
        // The same reference may follow.
        self.at += found + 1;
        Some(self.line)
    }
}
