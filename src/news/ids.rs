//! Octet strings, each kept once and known by a number.

use std::hash::{BuildHasher, RandomState};

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// A table of octet strings. Numbers count up from 0 in the order in which strings were first seen.
///
/// One text and one array of slots: a group has a million ids, and a map of owned strings would allocate each. The hash has a
/// key of its own in each table, so that nobody can write ids that all collide.
#[derive(Debug, Clone, Default)]
pub(super) struct Ids {
    text: Vec<u8>,
    ends: Vec<u32>,
    hashes: Vec<u32>,
    /// Open addressing, a power of two, at most half full.
    slots: Vec<u32>,
    keys: RandomState,
}

impl Ids {
    /// The number of a string; a new one if it was not there. `None` when the table is full (4 GiB).
    pub fn add(&mut self, id: &[u8]) -> Option<u32> {
        if (self.ends.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let hash = self.hash(id);
        let slot = self.slot(id, hash);
        if self.slots[slot] != NONE {
            return Some(self.slots[slot]);
        }
        let end = u32::try_from(self.text.len() + id.len()).ok()?;
        let number = u32::try_from(self.ends.len()).ok().filter(|n| *n < NONE)?;
        self.text.extend_from_slice(id);
        self.ends.push(end);
        self.hashes.push(hash);
        self.slots[slot] = number;
        Some(number)
    }

    /// The number of a string that is here.
    pub fn find(&self, id: &[u8]) -> Option<u32> {
        let slot = (!self.slots.is_empty()).then(|| self.slot(id, self.hash(id)))?;
        Some(self.slots[slot]).filter(|number| *number != NONE)
    }

    #[expect(clippy::cast_possible_truncation, reason = "half of a hash is one")]
    fn hash(&self, id: &[u8]) -> u32 {
        self.keys.hash_one(id) as u32
    }

    /// The slot that a string has, or would get. There is always a free one.
    fn slot(&self, id: &[u8], hash: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let number = self.slots[at]
            && number != NONE
            && !(self.hashes[number as usize] == hash && self.get(number) == id)
        {
            at = (at + 1) & mask;
        }
        at
    }

    /// The string of a number; empty for one that was never given.
    pub fn get(&self, number: u32) -> &[u8] {
        let at = number as usize;
        let Some(end) = self.ends.get(at) else { return b"" };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..*end as usize]
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        self.text.capacity() + 4 * (self.ends.capacity() + self.hashes.capacity() + self.slots.capacity())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let mut slots = vec![NONE; size];
        for (number, hash) in (0..).zip(&self.hashes) {
            let mut at = *hash as usize & (size - 1);
            while slots[at] != NONE {
                at = (at + 1) & (size - 1);
            }
            slots[at] = number;
        }
        self.slots = slots;
    }
}
