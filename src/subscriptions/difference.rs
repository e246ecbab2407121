//! What of an offer was not there before.

use super::source::{Item, Kind, Offered};
use std::collections::HashSet;

/// Keys that are remembered of a source; more of an offer are not looked at.
pub(super) const MOST: usize = 20_000;
/// Stands before the keys where lines were looked at: of a page whose lines never were, none is new.
const LINES: u64 = 0;
/// Items that are told of a source that the reader never saw.
const FIRST: usize = 20;

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

/// What came of an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What is new, in its order.
    pub fresh: Vec<Item>,
    /// What is remembered from now on.
    pub memory: Memory,
    /// How many items of a first offer are older than what is told of it.
    pub older: usize,
}

/// What is new of an offer. Where nothing was remembered the reader knows what is there, and nothing is new. A page that became something
/// of a kind is as on the first day of that: what stood in its place was a gateway's, or no feed yet.
///
/// # Errors
/// It was something else before, in a sentence.
pub fn difference(before: Option<&Memory>, offer: Offered) -> Result<Difference, String> {
    if let Some(before) = before.filter(|before| before.kind != offer.kind) {
        return match before.kind.may_become(offer.kind) {
            true => Ok(first(offer)),
            false => Err(format!("it was {} before, and is {} now", before.kind.said(), offer.kind.said())),
        };
    }
    let Offered { kind, keys, items, lines, .. } = offer;
    if kind == Kind::Group {
        let (fresh, memory) = numbers(before, &keys, items);
        return Ok(Difference { fresh, memory, older: 0 });
    }
    let mut known: HashSet<u64> = before.iter().flat_map(|before| before.keys.iter().copied()).collect();
    let is_first = before.is_none() || lines && !known.contains(&LINES);
    // What is offered twice is new once.
    let fresh = items.into_iter().filter(|item| known.insert(item.key) && !is_first).collect();
    let mut told = HashSet::new();
    let old = before.map(|before| before.keys.as_slice()).unwrap_or_default();
    let keys = marked(lines, keys).chain(old.iter().copied()).filter(|key| told.insert(*key)).take(MOST).collect();
    Ok(Difference { fresh, memory: Memory { kind, keys }, older: 0 })
}

/// What is remembered of an offer: that its lines were looked at, too.
fn marked(lines: bool, keys: Vec<u64>) -> impl Iterator<Item = u64> {
    lines.then_some(LINES).into_iter().chain(keys)
}

/// The first offer of a source that the reader never saw, as of a list of another program: the newest of its items are new. Headings,
/// links and lines of a page are none.
pub fn first(offer: Offered) -> Difference {
    let Offered { kind, keys, items, lines, .. } = offer;
    let mut known = HashSet::new();
    let mut fresh: Vec<Item> = items.into_iter().filter(|item| kind != Kind::Page && known.insert(item.key)).collect();
    // Where not all have a time they stand as they are listed, by custom the newest first.
    if fresh.iter().all(|item| item.time.is_some()) {
        fresh.sort_by_key(|item| std::cmp::Reverse(item.time));
    }
    let older = fresh.len().saturating_sub(FIRST);
    fresh.truncate(FIRST);
    let keys = match kind {
        Kind::Group => keys.into_iter().max().into_iter().collect(),
        _ => marked(lines, keys).collect(),
    };
    Difference { fresh, memory: Memory { kind, keys }, older }
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
