//! Names of what is in one directory: what can stay as it is has its own, whatever the order of the listing, and what a name was
//! given when the directory was saved before holds; else contents would change places. Refuses: one name for two.

use crate::app::state::transfers::Names;
use crate::app::transfer::name::{is_given, numbered};
use std::collections::BTreeMap;

/// Names given that are kept with a download, and the octets of each path.
const MOST: usize = 1000;
const LONGEST: usize = 1024;

impl Names {
    /// None is taken, but those that were given before.
    pub(super) fn new(folds: bool, given: BTreeMap<String, String>) -> Names {
        let mut names = Names { folds, ..Names::default() };
        for (own, name) in given {
            if names.taken.insert(names.key(&name), 1).is_none() {
                names.given.insert(own, name);
            }
        }
        names
    }

    fn key(&self, name: &str) -> String {
        if self.folds { name.to_lowercase() } else { name.to_owned() }
    }

    /// The name that this entry was given before.
    pub(super) fn given(&mut self, own: &str) -> Option<String> {
        self.given.remove(own)
    }

    /// Takes a name, if it is free.
    pub(super) fn take(&mut self, name: &str) -> bool {
        let key = self.key(name);
        let free = !self.taken.contains_key(&key);
        if free {
            self.taken.insert(key, 1);
        }
        free
    }

    /// All have been seen: names for which nobody came are free again.
    pub(super) fn release(&mut self) {
        for name in std::mem::take(&mut self.given).into_values() {
            let key = self.key(&name);
            self.taken.remove(&key);
        }
    }

    /// The name, or the next one that is free, which is taken.
    pub(super) fn free(&mut self, name: String) -> String {
        if self.take(&name) {
            return name;
        }
        let first = self.key(&name);
        let mut number = self.taken.get(&first).copied().unwrap_or(1);
        let free = loop {
            number += 1;
            let other = numbered(&name, number);
            if self.take(&other) {
                break other;
            }
        };
        self.taken.insert(first, number);
        free
    }
}

/// Whether a name that was given is kept, where so many are.
pub(super) fn is_kept(path: &str, names: usize) -> bool {
    names < MOST && path.len() <= LONGEST
}

/// Whether so many names are kept.
pub(super) fn are_kept(names: &[String]) -> bool {
    names.len() <= MOST && names.iter().all(|name| name.len() <= LONGEST)
}

/// Names that were given, by directories. What a file of ours says may be anything: what is no name counts for nothing.
pub(super) fn by_directory(names: &[(String, String)]) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut out: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, name) in names {
        let (directory, own) = path.rfind('/').map_or(("", &**path), |at| path.split_at(at + 1));
        if is_given(name) {
            out.entry(directory.into()).or_default().insert(own.into(), name.clone());
        }
    }
    out
}
