//! What of an offer was not there before.

use super::source::{Item, Kind, Offered};
use std::collections::HashSet;

/// Keys that are remembered of a source; more of an offer are not looked at.
pub(super) const MOST: usize = 20_000;
/// Stands before the keys where lines were looked at: of a page whose lines never were, none is new.
const LINES: u64 = 0;

/// What is remembered of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// What it was.
    pub kind: Kind,
    /// What it offered by now, the latest first. Of a newsgroup one: its last number.
    keys: Vec<u64>,
}

impl Memory {
    /// As it is kept, with what the kind says.
    pub fn octets(&self) -> Vec<u8> {
        self.keys.iter().flat_map(|key| key.to_le_bytes()).collect()
    }

    /// What was kept; octets that are no whole key are left out.
    pub fn read(kind: Kind, octets: &[u8]) -> Memory {
        let keys = octets.chunks_exact(8).filter_map(|key| key.try_into().ok()).map(u64::from_le_bytes);
        Memory { kind, keys: keys.take(MOST).collect() }
    }
}

/// What is new of an offer, in its order, and what is remembered from now on. Where nothing was remembered, nothing is new.
///
/// # Errors
/// It was something else before, in a sentence.
pub fn difference(before: Option<&Memory>, offer: Offered) -> Result<(Vec<Item>, Memory), String> {
    let Offered { kind, keys, items, lines, .. } = offer;
    if let Some(before) = before.filter(|before| before.kind != kind) {
        return Err(format!("it was {} when you subscribed, and is {} now", before.kind.said(), kind.said()));
    }
    if kind == Kind::Group {
        return Ok(numbers(before, &keys, items));
    }
    let mut known: HashSet<u64> = before.iter().flat_map(|before| before.keys.iter().copied()).collect();
    let first = before.is_none() || lines && !known.contains(&LINES);
    let mut fresh = Vec::new();
    // What is offered twice is new once.
    for item in items {
        if known.insert(item.key) && !first {
            fresh.push(item);
        }
    }
    let mut told = HashSet::new();
    let old = before.map(|before| before.keys.as_slice()).unwrap_or_default();
    let keys = lines
        .then_some(LINES)
        .into_iter()
        .chain(keys)
        .chain(old.iter().copied())
        .filter(|key| told.insert(*key))
        .take(MOST)
        .collect();
    Ok((fresh, Memory { kind, keys }))
}

/// The same of articles, by their numbers. A group that begins anew with lower ones is as on the first day.
fn numbers(before: Option<&Memory>, keys: &[u64], items: Vec<Item>) -> (Vec<Item>, Memory) {
    let last = keys.iter().copied().max();
    let known = before.and_then(|before| before.keys.first().copied());
    let fresh = match (known, last) {
        (Some(known), Some(last)) if known <= last => items.into_iter().filter(|item| item.key > known).collect(),
        _ => Vec::new(),
    };
    (fresh, Memory { kind: Kind::Group, keys: last.or(known).into_iter().collect() })
}
