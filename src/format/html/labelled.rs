//! Names that stand elsewhere on the page (WAI-ARIA, `aria-labelledby`): of links and buttons that say nothing themselves.
//!
//! Elements are looked up as far as the page has come; one that comes after what it names is not waited for.

use super::dom::{Dom, Id};
use super::media::words;
use super::name::Attr;
use super::walk::Walk;
use crate::format::index;
use std::collections::HashMap;

/// The most elements that are known by their ids, the longest id, and the most that make one name.
const MOST_IDS: usize = 20_000;
const LONGEST_ID: usize = 100;
const MOST_PARTS: usize = 4;
/// The longest name, in octets.
const LONGEST: usize = 400;

/// Elements by their ids.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// The nodes that were looked at.
    seen: Id,
    known: HashMap<String, Id>,
}

impl Ids {
    fn find(&mut self, dom: &Dom, name: &str) -> Option<Id> {
        let end = index(dom.len());
        for id in self.seen..end {
            if let Some(name) = dom.attr(id, Attr::Id).filter(|name| name.len() <= LONGEST_ID)
                && self.known.len() < MOST_IDS
            {
                self.known.entry(name.to_owned()).or_insert(id);
            }
        }
        self.seen = end;
        self.known.get(name).copied()
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.known.len() * (LONGEST_ID + size_of::<(String, Id)>())
    }
}

impl Walk {
    /// The words of the elements that name one.
    pub(super) fn labelled(&mut self, dom: &Dom, id: Id) -> Option<String> {
        let parts = dom.attr(id, Attr::AriaLabelledby)?.split_ascii_whitespace().take(MOST_PARTS);
        let mut text = String::new();
        for part in parts.filter_map(|name| self.ids.find(dom, name)) {
            text.push_str(&dom.some_text(part, LONGEST));
            text.push(' ');
        }
        words(Some(&text))
    }
}
