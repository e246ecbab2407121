//! What a directory remembers of its rows, and their order.

use super::super::listing::{Entry, Kind};
use super::super::order::{Key, Order, Plan, Step, Wishes, natural, prefix};
use crate::doc::{Document, Filter};
use crate::sorter::Sorter;

/// A row, as numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
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
}

/// The bits of a key's first number that come after its class.
const VALUE: u64 = (1 << 56) - 1;

impl Row {
    pub(super) fn of(entry: &Entry<'_>, name: &str, block: u32) -> Row {
        let rank = match entry.kind {
            Kind::Directory => 0,
            Kind::File | Kind::Unknown => 1,
            Kind::Link => 2,
            Kind::Other | Kind::Dots => 3,
        };
        let time = entry.modified.map_or(0, |time| {
            let (day, clock) = (time.at.date(), time.at.time());
            let days = (day.year().max(0) as u64 * 16 + day.month() as u64) * 32 + day.day() as u64;
            ((days * 24 + clock.hour() as u64) * 60 + clock.minute() as u64) * 60 + clock.second() as u64
        });
        let size = entry.size.unwrap_or(u64::MAX);
        // A longer name is ordered by its beginning.
        let length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        Row { prefix: prefix(name), size, time, block, name: length, rank }
    }

    fn name<'a>(&self, given: &'a Document) -> &'a str {
        let text = given.block_text(self.block);
        &text[..text.floor_char_boundary(usize::from(self.name))]
    }

    fn key(&self, wishes: &Wishes, given: &Document, row: u32) -> Key {
        let turned = |value: u64, falls: bool| if falls != wishes.reverse { VALUE - value } else { value };
        let directory = self.rank == 0;
        let (class, value) = match wishes.order {
            Order::Given | Order::Name | Order::Thread => (u64::from(!directory), 0),
            Order::Size if self.size == u64::MAX => (if directory { 0 } else { 2 }, 0),
            Order::Size => (1, turned(self.size.min(VALUE), true)),
            Order::Date if self.time == 0 => (1, 0),
            Order::Date => (0, turned(self.time.min(VALUE), true)),
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

/// All rows, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// The order that was made last, so that filtering needs no sorting.
    sorted: Option<Sorted>,
    work: Option<Work>,
}

#[derive(Debug)]
struct Sorted {
    order: Order,
    reverse: bool,
    rows: Vec<u32>,
}

/// A plan in the making.
#[derive(Debug)]
struct Work {
    wishes: Wishes,
    filter: Filter,
    /// The rows and blocks that were there when it began.
    rows: std::ops::Range<usize>,
    blocks: std::ops::Range<u32>,
    stage: Stage,
    /// The rows that pass, in order.
    passed: Vec<u32>,
    plan: Plan,
}

/// What is being done, and at which row.
#[derive(Debug)]
enum Stage {
    /// Rows are looked at.
    Looking {
        at: usize,
        keys: Vec<Key>,
    },
    Sorting(Sorter<Key>),
    /// What was sorted is taken down.
    Taking {
        keys: Vec<Key>,
        at: usize,
    },
    /// The rows' blocks go into the plan.
    Placing {
        at: usize,
    },
    /// What stood between rows comes after them.
    Between {
        at: usize,
        next: u32,
    },
    Done,
}

impl Rows {
    pub(super) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn memory(&self) -> usize {
        let sorted = self.sorted.as_ref().map_or(0, |sorted| sorted.rows.capacity() * 4);
        self.rows.capacity() * size_of::<Row>() + sorted
    }

    pub(super) fn arrange(&mut self, wishes: &Wishes, given: &Document, from: u32, budget: usize) -> Step {
        if from > 0 {
            // What has just come: it is little, and must not disturb the work on the whole.
            let mut work = self.begin(wishes, given, from);
            while !self.step(&mut work, given, &mut usize::MAX.clone()) {}
            return Step::Ready(self.plan(work));
        }
        let known = self.work.take().filter(|work| work.wishes == *wishes);
        let mut work = known.unwrap_or_else(|| self.begin(wishes, given, 0));
        let mut left = budget;
        while left > 0 {
            if self.step(&mut work, given, &mut left) {
                return Step::Ready(self.plan(work));
            }
        }
        self.work = Some(work);
        Step::More
    }

    fn begin(&self, wishes: &Wishes, given: &Document, from: u32) -> Work {
        let first = self.rows.partition_point(|row| row.block < from);
        Work {
            wishes: wishes.clone(),
            filter: Filter::new(&wishes.filter),
            rows: first..self.rows.len(),
            blocks: from..given.blocks().len() as u32,
            stage: Stage::Looking { at: 0, keys: Vec::new() },
            passed: Vec::new(),
            plan: Plan::default(),
        }
    }

    /// The rows in the order that is wished for, when it is known already.
    fn known(&self, work: &Work) -> Option<&[u32]> {
        let sorted = self.sorted.as_ref()?;
        let same = sorted.order == work.wishes.order && sorted.reverse == work.wishes.reverse;
        (same && work.rows == (0..sorted.rows.len())).then_some(&sorted.rows)
    }

    /// Goes on for about as many rows as `left` says and takes them off it; true when the plan's blocks are complete.
    fn step(&self, work: &mut Work, given: &Document, left: &mut usize) -> bool {
        let mut stage = std::mem::replace(&mut work.stage, Stage::Done);
        let next = match &mut stage {
            Stage::Looking { at, keys } => self.look(work, given, (at, keys), left),
            Stage::Sorting(sorter) => self.sort(work, given, sorter, left),
            Stage::Taking { keys, at } => {
                let to = keys.len().min(at.saturating_add(*left));
                work.passed.extend(keys[*at..to].iter().map(|key| key.row));
                *left -= to - *at;
                *at = to;
                (to == keys.len()).then_some(Stage::Placing { at: 0 })
            }
            Stage::Placing { at } => self.put(work, at, left),
            Stage::Between { at, next } => {
                let to = work.rows.len().min(at.saturating_add(*left));
                *left -= to - *at;
                for row in &self.rows[work.rows.clone()][*at..to] {
                    work.plan.blocks.extend(*next..row.block);
                    *next = row.block + 1;
                }
                *at = to;
                (to == work.rows.len()).then(|| {
                    work.plan.blocks.extend(*next..work.blocks.end);
                    Stage::Done
                })
            }
            Stage::Done => Some(Stage::Done),
        };
        work.stage = next.unwrap_or(stage);
        matches!(work.stage, Stage::Done)
    }

    fn look(
        &self,
        work: &mut Work,
        given: &Document,
        (seen, keys): (&mut usize, &mut Vec<Key>),
        left: &mut usize,
    ) -> Option<Stage> {
        let known = self.known(work);
        // Without a sort, looking costs little.
        let plain = work.wishes.order == Order::Given || known.is_some();
        let to = work.rows.len().min(seen.saturating_add(*left));
        *left -= to - *seen;
        if *seen == 0 {
            // Moving them while they grow would be felt.
            let rows = work.rows.len();
            work.passed.reserve(rows);
            keys.reserve(if plain { 0 } else { rows });
        }
        for at in *seen..to {
            let turned = plain && known.is_none() && work.wishes.reverse;
            let row = if turned { work.rows.end - 1 - at } else { work.rows.start + at };
            let row = known.map_or(row as u32, |known| known[at]);
            let facts = &self.rows[row as usize];
            if !work.filter.is_empty() && !work.filter.passes(given, range(facts, given)) {
                continue;
            }
            if plain {
                work.passed.push(row);
            } else {
                keys.push(facts.key(&work.wishes, given, row));
            }
        }
        *seen = to;
        (to == work.rows.len()).then(|| match plain {
            true => Stage::Placing { at: 0 },
            false => Stage::Sorting(Sorter::new(std::mem::take(keys))),
        })
    }

    fn sort(&self, work: &Work, given: &Document, sorter: &mut Sorter<Key>, left: &mut usize) -> Option<Stage> {
        let turned = by_name_reversed(&work.wishes);
        let keys = sorter.step(left, |a, b| {
            (a.major, a.minor).cmp(&(b.major, b.minor)).then_with(|| {
                let names = [a, b].map(|key| self.rows[key.row as usize].name(given));
                let order = natural(names[0]).cmp(natural(names[1])).then_with(|| names[0].cmp(names[1]));
                if turned { order.reverse() } else { order }.then(a.row.cmp(&b.row))
            })
        });
        keys.map(|keys| Stage::Taking { keys, at: 0 })
    }

    /// What stood before the first row stays there.
    fn put(&self, work: &mut Work, at: &mut usize, left: &mut usize) -> Option<Stage> {
        let first = self.rows[work.rows.clone()].first().map_or(work.blocks.end, |row| row.block);
        if *at == 0 {
            work.plan.blocks.reserve(work.blocks.len());
            work.plan.blocks.extend(work.blocks.start..first);
        }
        let to = work.passed.len().min(at.saturating_add(*left));
        work.plan.blocks.extend(work.passed[*at..to].iter().map(|row| self.rows[*row as usize].block));
        *left -= to - *at;
        *at = to;
        (to == work.passed.len()).then_some(Stage::Between { at: 0, next: first })
    }

    fn plan(&mut self, work: Work) -> Plan {
        let Work { wishes, filter, rows, blocks, passed, plan, .. } = work;
        let plan = Plan { covers: blocks.end, passed: passed.len(), rows: rows.len(), ..plan };
        let whole = filter.is_empty() && rows.start == 0 && wishes.order != Order::Given;
        if whole {
            self.sorted = Some(Sorted { order: wishes.order, reverse: wishes.reverse, rows: passed });
        }
        plan
    }
}

/// Where a row's name stands in the text.
fn range(row: &Row, given: &Document) -> std::ops::Range<usize> {
    let start = given.block_range(row.block).start;
    start..start + row.name(given).len()
}
