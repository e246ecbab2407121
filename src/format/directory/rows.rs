//! What a directory remembers of its rows, and their order.

use super::super::listing::{Entry, Kind};
use super::super::order::{Key, Order, Wishes, natural, prefix};
use super::super::rows::{Learnt, Ordered, Sorted};
use crate::doc::{Document, Filter};
use crate::format::index;
use crate::stop::Stop;
use jiff::civil::{Date, DateTime};
use std::cmp::Ordering;
use std::sync::Arc;

/// A row, as numbers.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Row {
    /// The beginning of its name, as it is ordered.
    prefix: [u64; 2],
    /// Its size; the largest number when it is not known.
    size: u64,
    /// Its time, larger when it is later; zero when it is not known.
    time: u64,
    /// Its block.
    block: u32,
    /// Octets of its name at the beginning of the block.
    name: u16,
    /// Directories before files before links before the rest.
    rank: u8,
    /// Whether a filter looks at all of its first cell: what follows the name there says in which folder it is.
    whole: bool,
}

/// The rank of a link.
const LINK: u8 = 2;

/// The bits of a key's first number that come after its class.
const VALUE: u64 = (1 << 56) - 1;

/// A number that is larger for later times.
fn ordinal(at: DateTime) -> u64 {
    let (day, clock) = (at.date(), at.time());
    let whole = |part: i8| u64::from(part.unsigned_abs());
    let months = u64::from(day.year().max(0).unsigned_abs()) * 16 + whole(day.month());
    let hours = (months * 32 + whole(day.day())) * 24 + whole(clock.hour());
    (hours * 60 + whole(clock.minute())) * 60 + whole(clock.second())
}

impl Row {
    pub(in super::super) fn of(entry: &Entry<'_>, name: &str, block: u32) -> Row {
        let rank = match entry.kind {
            Kind::Directory => 0,
            Kind::File | Kind::Unknown => 1,
            Kind::Link => LINK,
            Kind::Other | Kind::Dots => 3,
        };
        let time = entry.modified.map_or(0, |time| ordinal(time.at));
        let size = entry.size.unwrap_or(u64::MAX);
        // A longer name is ordered by its beginning.
        let length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        Row { prefix: prefix(name), size, time, block, name: length, rank, whole: false }
    }

    /// The same, of a page on which rows say in which folder they are.
    pub(in super::super) fn with_folder(self) -> Row {
        Row { whole: true, ..self }
    }

    fn is_link(&self) -> bool {
        self.rank == LINK
    }

    fn name<'a>(&self, given: &'a Document) -> &'a str {
        let text = given.block_text(self.block);
        &text[..text.floor_char_boundary(usize::from(self.name))]
    }

    /// Where what a filter looks at stands in the text: its name, and the folder where that is said.
    fn range(&self, given: &Document) -> std::ops::Range<usize> {
        let start = given.block_range(self.block).start;
        let cell = || given.block_text(self.block).split('\t').next().map_or(0, str::len);
        start..start + if self.whole { cell() } else { self.name(given).len() }
    }

    fn key(&self, wishes: &Wishes, given: &Document, row: u32) -> Key {
        let turned = |value: u64, falls: bool| if falls != wishes.reverse { VALUE - value } else { value };
        let directory = self.rank == 0;
        let (class, value) = match wishes.order {
            Order::Given | Order::Name | Order::Thread | Order::Score => (u64::from(!directory), 0),
            // Directories first in every order: what is in them is not what a listing says of them.
            Order::Size if directory => (0, 0),
            Order::Size if self.size == u64::MAX => (2, 0),
            Order::Size => (1, turned(self.size.min(VALUE), true)),
            Order::Date if self.time == 0 => (if directory { 1 } else { 3 }, 0),
            Order::Date => (if directory { 0 } else { 2 }, turned(self.time.min(VALUE), true)),
            Order::Kind => {
                let rank = u64::from(if wishes.reverse { 3 - self.rank } else { self.rank });
                (rank, turned(end(self.name(given)), false))
            }
        };
        let minor = if by_name_reversed(wishes) { self.prefix.map(|word| !word) } else { self.prefix };
        Key { major: class << 56 | value, minor, row }
    }
}

fn by_name_reversed(wishes: &Wishes) -> bool {
    wishes.reverse && wishes.order == Order::Name
}

/// The beginning of what follows a name's last dot, as a number.
fn end(name: &str) -> u64 {
    match name.rfind('.') {
        Some(at) if at > 0 => prefix(&name[at + 1..])[0] >> 8,
        _ => 0,
    }
}

/// The entries of a directory, in the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Entries {
    rows: Vec<Row>,
    /// The octets of all files.
    total: u64,
}

impl Entries {
    pub(in super::super) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Counts the octets of a file.
    pub(in super::super) fn add(&mut self, octets: u64) {
        self.total = self.total.saturating_add(octets);
    }

    /// How many there are, and the octets of all files.
    pub(in super::super) fn totals(&self) -> (usize, u64) {
        (self.rows.len(), self.total)
    }

    /// The size of the file of a block, where that is known; `None` for a block that is no entry. A link's size is its own, and
    /// not that of the file that it leads to.
    pub(in super::super) fn size_at(&self, block: u32) -> Option<Option<u64>> {
        let row = self.at(block)?;
        Some(Some(row.size).filter(|size| *size != u64::MAX && !row.is_link()))
    }

    /// Whether the entry of a block is a link.
    pub(in super::super) fn is_link_at(&self, block: u32) -> bool {
        self.at(block).is_some_and(Row::is_link)
    }

    fn at(&self, block: u32) -> Option<&Row> {
        self.rows.get(self.rows.binary_search_by_key(&block, |row| row.block).ok()?)
    }

    /// The blocks of entries that were changed on a day or later, `most` of them at most.
    pub(in super::super) fn since(&self, day: Date, most: usize) -> Vec<u32> {
        let from = ordinal(day.to_datetime(jiff::civil::Time::midnight()));
        self.rows.iter().filter(|row| row.time >= from).map(|row| row.block).take(most).collect()
    }

    /// The blocks of entries, `most` of them at most, each with a number that is another one as soon as its name or its time is, and
    /// how late it is.
    pub(in super::super) fn stamps(&self, given: &Document, most: usize) -> Vec<(u32, u32, u64)> {
        // FNV-1a, the same in every run.
        let step = |hash: u64, octet: u8| (hash ^ u64::from(octet)).wrapping_mul(0x100_0000_01b3);
        let stamp = |row: &Row| {
            let name = row.name(given).bytes().fold(0xcbf2_9ce4_8422_2325, step);
            let hash = row.time.to_le_bytes().into_iter().fold(name, step);
            let [a, b, c, d, ..] = (hash ^ hash >> 32).to_le_bytes();
            u32::from_le_bytes([a, b, c, d])
        };
        self.rows.iter().take(most).map(|row| (row.block, stamp(row), row.time)).collect()
    }

    /// How much memory they hold, in octets.
    pub(in super::super) fn memory(&self) -> usize {
        self.rows.capacity() * size_of::<Row>()
    }

    /// The blocks of the page by the reader's wishes. What stands before the first row stays there, what stands between rows
    /// comes after them. `None` when it was given up.
    pub(in super::super) fn ordered(
        &self,
        wishes: &Wishes,
        given: &Document,
        learnt: &Learnt,
        stop: &Stop,
    ) -> Option<Ordered> {
        let filter = Filter::new(&wishes.filter);
        let wanted = self.wanted(wishes, learnt);
        let sorted = wanted.is_some();
        let mut passed = Vec::with_capacity(self.rows.len());
        for row in wanted.unwrap_or_else(|| (0..index(self.rows.len())).collect()) {
            stop.go_on()?;
            if filter.is_empty() || filter.passes(given, self.rows[row as usize].range(given)) {
                passed.push(row);
            }
        }
        let passed = if sorted { passed } else { self.sorted(&passed, wishes, given, stop)? };
        let blocks = self.blocks(&passed, given);
        let learnt = match filter.is_empty() && wishes.order != Order::Given {
            true => {
                Learnt::Sorted(Arc::new(Sorted { order: wishes.order, reverse: wishes.reverse, rows: passed.clone() }))
            }
            false => learnt.clone(),
        };
        Some(Ordered { blocks, passed: passed.len(), rows: self.rows.len(), learnt })
    }

    /// All rows in the order that is wished for, where that needs no sorting.
    fn wanted(&self, wishes: &Wishes, learnt: &Learnt) -> Option<Vec<u32>> {
        let all = 0..index(self.rows.len());
        match learnt {
            _ if wishes.order == Order::Given && wishes.reverse => Some(all.rev().collect()),
            _ if wishes.order == Order::Given => Some(all.collect()),
            Learnt::Sorted(known)
                if (known.order, known.reverse) == (wishes.order, wishes.reverse)
                    && known.rows.len() == self.rows.len() =>
            {
                Some(known.rows.clone())
            }
            _ => None,
        }
    }

    fn sorted(&self, rows: &[u32], wishes: &Wishes, given: &Document, stop: &Stop) -> Option<Vec<u32>> {
        let turned = by_name_reversed(wishes);
        let mut keys: Vec<Key> = rows.iter().map(|row| self.rows[*row as usize].key(wishes, given, *row)).collect();
        stop.go_on()?;
        let by_name = |a: &Key, b: &Key| {
            let names = [a, b].map(|key| self.rows[key.row as usize].name(given));
            let order = natural(names[0]).cmp(natural(names[1])).then_with(|| names[0].cmp(names[1]));
            if turned { order.reverse() } else { order }
        };
        let order = |a: &Key, b: &Key| (a.major, a.minor).cmp(&(b.major, b.minor));
        keys.sort_unstable_by(|a, b| match order(a, b) {
            Ordering::Equal => by_name(a, b).then(a.row.cmp(&b.row)),
            order => order,
        });
        Some(keys.into_iter().map(|key| key.row).collect())
    }

    fn blocks(&self, passed: &[u32], given: &Document) -> Vec<u32> {
        let end = index(given.blocks().len());
        let first = self.rows.first().map_or(end, |row| row.block);
        let mut blocks = Vec::with_capacity(given.blocks().len());
        blocks.extend(0..first);
        blocks.extend(passed.iter().map(|row| self.rows[*row as usize].block));
        let mut next = first;
        for row in &self.rows {
            blocks.extend(next..row.block);
            next = row.block + 1;
        }
        blocks.extend(next..end);
        blocks
    }
}
