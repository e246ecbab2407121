//! The rows of a page that the reader has marked, for what is done with all of them at once.
//!
//! They are known by the links of the document as it was written, so that order and filter do not touch them. When the page
//! goes, what is kept is how the links are written: by that they are found again when it is fetched again. Refuses: links of
//! any other page.

use crate::doc::{Document, LinkId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Marked rows of a page.
#[derive(Debug, Clone, Default)]
pub struct Marked {
    /// Their links, and the octets that each stands for, where that is known.
    rows: BTreeMap<LinkId, Option<u64>>,
    /// The one that was marked last.
    last: Option<LinkId>,
    /// How the links were written of what was marked before the page was given up.
    carried: Option<Arc<BTreeSet<String>>>,
}

impl Marked {
    /// Rows that can be marked at once.
    pub const MOST: usize = 20_000;

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a link of the document as it was written is among them.
    pub fn contains(&self, given: LinkId) -> bool {
        self.rows.contains_key(&given)
    }

    /// The octets that they stand for, and of how many rows that is not known.
    pub fn sum(&self) -> (u64, usize) {
        let octets = self.rows.values().flatten().fold(0, |sum: u64, octets| sum.saturating_add(*octets));
        (octets, self.rows.values().filter(|octets| octets.is_none()).count())
    }

    /// Their links, in the order in which they were written.
    pub(in crate::app) fn links(&self) -> impl Iterator<Item = LinkId> + '_ {
        self.rows.keys().copied()
    }

    /// The row that was marked last.
    pub(in crate::app) fn last(&self) -> Option<LinkId> {
        self.last
    }

    /// Marks a row; `false` when there are too many.
    pub(in crate::app) fn add(&mut self, given: LinkId, octets: Option<u64>) -> bool {
        if self.rows.len() >= Marked::MOST && !self.contains(given) {
            return false;
        }
        self.rows.insert(given, octets);
        self.last = Some(given);
        true
    }

    /// Takes a mark away; says whether there was one.
    pub(in crate::app) fn remove(&mut self, given: LinkId) -> bool {
        self.rows.remove(&given).is_some()
    }

    /// The page goes: what is marked is known by how its links are written there.
    pub(in crate::app) fn carry(&mut self, given: &Document) {
        let mut written = self.carried.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        written.extend(self.rows.keys().filter_map(|link| given.reference(*link)).map(str::to_owned));
        *self = Marked { carried: (!written.is_empty()).then(|| Arc::new(written)), ..Marked::default() };
    }

    /// How links are written that are to be found again.
    pub(in crate::app) fn carried(&self) -> Option<&Arc<BTreeSet<String>>> {
        self.carried.as_ref()
    }

    /// They were found, as far as they are there.
    pub(in crate::app) fn found(&mut self) {
        self.carried = None;
    }
}
