//! The order of a page's rows: what the reader wishes, and the keys by which names are ordered.

use super::Reading;

/// What rows are ordered by. Each format offers some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Order {
    /// As the server gave them.
    #[default]
    Given,
    /// By name: directories first, numbers by their value, capitals like small letters.
    Name,
    /// The largest first, by name where there is no size; directories before files.
    Size,
    /// The newest first; directories before files.
    Date,
    /// Answers under what they answer.
    Thread,
    /// Threads, the most valued first by the reader's rules.
    Score,
    /// By what they are: directories, files by the ends of their names, links, the rest.
    Kind,
}

impl Order {
    /// Every order and its name.
    pub const ALL: &[(&str, Order)] = &[
        ("given", Order::Given),
        ("name", Order::Name),
        ("size", Order::Size),
        ("date", Order::Date),
        ("kind", Order::Kind),
        ("thread", Order::Thread),
        ("score", Order::Score),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Order::ALL.iter().find(|(_, order)| *order == self).map_or("", |(name, _)| name)
    }
}

/// A table in the order of what stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByColumn {
    /// The table's number.
    pub table: u16,
    /// The column's, from 0.
    pub column: u16,
    /// The order turned round.
    pub reverse: bool,
}

/// How the reader wishes to see a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wishes {
    /// The order.
    pub order: Order,
    /// The order turned round.
    pub reverse: bool,
    /// Only rows with all of these words.
    pub filter: String,
    /// A table of the page by a column.
    pub table: Option<ByColumn>,
    /// What the reader brings to news.
    pub reading: Reading,
}

impl Wishes {
    /// Whether the page is wished for as it was written.
    pub fn is_plain(&self) -> bool {
        self.order == Order::Given && !self.reverse && self.filter.trim().is_empty() && self.table.is_none()
    }
}

/// A name as octets that compare as people order names: numbers by value, capitals like small letters.
pub(super) fn natural(name: &str) -> Natural<'_> {
    Natural { rest: name, queue: [0; 4], queued: 0..0, digits: &[] }
}

/// A letter without its marks: people look for ä beside a.
fn plain(c: char) -> char {
    nucleo_matcher::chars::normalize(c)
}

pub(super) struct Natural<'a> {
    rest: &'a str,
    queue: [u8; 4],
    queued: std::ops::Range<usize>,
    digits: &'a [u8],
}

impl Iterator for Natural<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if let Some(at) = self.queued.next() {
            return self.queue.get(at).copied();
        }
        if let Some((first, rest)) = self.digits.split_first() {
            self.digits = rest;
            return Some(*first);
        }
        let first = *self.rest.as_bytes().first()?;
        if first.is_ascii_digit() {
            let end = self.rest.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            self.rest = rest;
            self.digits = digits.trim_start_matches('0').as_bytes();
            // The longer number is the larger one.
            self.queue[0] = u8::try_from(self.digits.len()).unwrap_or(u8::MAX);
            self.queued = 0..1;
            return Some(b'0');
        }
        if first.is_ascii() {
            self.rest = &self.rest[1..];
            return Some(first.to_ascii_lowercase());
        }
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        let lower = plain(c.to_lowercase().next().unwrap_or(c));
        self.queued = 1..lower.encode_utf8(&mut self.queue).len();
        Some(self.queue[0])
    }
}

/// The first sixteen octets of [`natural`]: most names are told apart by them.
pub(super) fn prefix(name: &str) -> [u64; 2] {
    let mut octets = natural(name);
    std::array::from_fn(|_| (0..8).fold(0, |word, _| word << 8 | u64::from(octets.next().unwrap_or(0))))
}

/// What a row is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// First by this.
    pub major: u64,
    /// Then by this.
    pub minor: [u64; 2],
    /// Which row it is.
    pub row: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    #[test]
    fn names_are_ordered_as_people_do() {
        let ordered =
            ["-", "1", "02", "2b", "10", "A", "a1", "A2", "a10", "a10b", "Ägir", "B", "é", "É", "Über", "Zoo", "日"];
        for pair in ordered.windows(2) {
            let (a, b) = (natural(pair[0]), natural(pair[1]));
            assert!(a.cmp(b) != Ordering::Greater, "{pair:?}");
            assert!(prefix(pair[0]) <= prefix(pair[1]), "{pair:?}");
        }
        assert!(natural("É").eq(natural("é")) && natural("a007").eq(natural("A7")));
    }
}
