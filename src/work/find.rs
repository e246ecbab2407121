//! Find in page and find link, where the page is long.

use crate::doc::{Document, LinkId, Search};
use crate::stop::Stop;
use crate::url::scheme::fits_wildmat;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Octets of text that are looked through in a millisecond or two, whatever is sought.
const WINDOW: usize = 1 << 18;

/// Which way to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Towards the end.
    Down,
    /// Towards the beginning.
    Up,
}

/// A match to be found.
#[derive(Debug, Clone, PartialEq)]
pub struct Find {
    /// Where.
    pub document: Arc<Document>,
    /// What.
    pub search: Search,
    /// From this text offset on, and around: downwards the first that starts there or later, upwards the last that starts
    /// before.
    pub from: usize,
    /// Which way.
    pub way: Way,
}

/// A match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its text range.
    pub range: Range<usize>,
    /// Whether it was found only after going on from the other end of the page.
    pub wrapped: bool,
}

impl Find {
    /// Finds it; `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Option<Hit>> {
        let length = self.document.text().len();
        let from = self.document.text().floor_char_boundary(self.from);
        let ways = match self.way {
            Way::Down => [(from..length, false), (0..from, true)],
            Way::Up => [(0..from, false), (from..length, true)],
        };
        for (range, wrapped) in ways {
            if let Some(range) = self.first(range, stop)? {
                return Some(Some(Hit { range, wrapped }));
            }
        }
        Some(None)
    }

    /// The first match within a range, the way it is looked through.
    fn first(&self, range: Range<usize>, stop: &Stop) -> Option<Option<Range<usize>>> {
        let windows = range.len().div_ceil(WINDOW);
        for number in 0..windows {
            stop.go_on()?;
            let found = match self.way {
                Way::Down => {
                    let start = range.start + number * WINDOW;
                    self.search.first_in(&self.document, start..range.end.min(start + WINDOW))
                }
                Way::Up => {
                    let end = range.end - number * WINDOW;
                    self.search.last_in(&self.document, range.start.max(end.saturating_sub(WINDOW))..end)
                }
            };
            if found.is_some() {
                return Some(found);
            }
        }
        Some(None)
    }

    pub(super) fn is_small(&self) -> bool {
        self.document.text().len() <= WINDOW
    }
}

/// Matches to be counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// Where.
    pub document: Arc<Document>,
    /// What.
    pub search: Search,
    /// From this text offset on.
    pub from: usize,
    /// At most so many.
    pub most: usize,
}

impl Count {
    /// Where they start; `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Vec<u32>> {
        self.search.starts(&self.document, self.from, self.most, stop)
    }

    pub(super) fn is_small(&self) -> bool {
        self.document.text().len().saturating_sub(self.from) <= WINDOW
    }
}

/// What tells the links that are sought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkPattern {
    /// Their text holds this, in either case.
    Words(String),
    /// Their text, without a slash at its end, fits this: patterns with `*` and `?`, joined by commas, the last that fits
    /// decides, `!` before one decides against. Small letters alone fit capitals, too.
    Glob(String),
    /// They are written so.
    References(Arc<BTreeSet<String>>),
}

/// Links to be found.
#[derive(Debug, Clone, PartialEq)]
pub struct FindLinks {
    /// Where.
    pub document: Arc<Document>,
    /// Which.
    pub pattern: LinkPattern,
    /// From the link of this number on, and around.
    pub from: u32,
    /// At most so many.
    pub most: usize,
}

impl FindLinks {
    /// Finds them; `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Vec<LinkId>> {
        /// Links between two looks at whether they are still wanted.
        const PIECE: u32 = 256;
        let mut found = Vec::new();
        let document = &self.document;
        let fits: Box<dyn Fn(LinkId) -> bool + '_> = match &self.pattern {
            LinkPattern::Words(words) => {
                // In lower case they are found in either.
                let Some(search) = Search::new(&words.to_lowercase()) else { return stop.go_on().map(|()| found) };
                Box::new(move |link| search.is_in(document, document.link_range(link)))
            }
            LinkPattern::Glob(glob) => {
                let folds = !glob.chars().any(char::is_uppercase);
                Box::new(move |link| {
                    let name = document.link_text(link);
                    let name = name.strip_suffix('/').unwrap_or(name);
                    match folds {
                        true => fits_wildmat(glob.as_bytes(), name.to_lowercase().as_bytes()),
                        false => fits_wildmat(glob.as_bytes(), name.as_bytes()),
                    }
                })
            }
            LinkPattern::References(known) => {
                Box::new(move |link| document.reference(link).is_some_and(|reference| known.contains(reference)))
            }
        };
        let count = document.link_count();
        for link in (self.from..count).chain(0..self.from.min(count)) {
            if link % PIECE == 0 || link == self.from {
                stop.go_on()?;
            }
            if found.len() >= self.most {
                break;
            }
            if fits(LinkId(link)) {
                found.push(LinkId(link));
            }
        }
        Some(found)
    }

    pub(super) fn is_small(&self) -> bool {
        /// Octets that a link takes at least, whatever it says.
        const LINK: usize = 128;
        self.document.text().len().saturating_add(self.document.link_count() as usize * LINK) <= WINDOW
    }
}
