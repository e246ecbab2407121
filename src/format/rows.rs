//! Pages whose rows can be shown in another order than they came in: what their parsers hand out, and arranging it.
//!
//! Rows are plain values that any thread may read: a parser hands out what it has so far, and copies it only when more comes
//! while somebody still reads that. Arranging is a plain function of them, of the document as it was written, and of what the
//! reader wishes.

use super::directory::Entries;
use super::newsgroup::{Articles, Seen};
use super::newsgroups::Groups;
use super::{Kin, Order, Reading, Roll, Wishes, by_column};
use crate::doc::{Arranged, Document, Filter, Folded, Insertion, LinkId};
use crate::format::index;
use crate::news::score::{Facts, Scoring, Why};
use crate::stop::Stop;
use jiff::civil::Date;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The rows of a page, as far as they have come.
#[derive(Debug, Clone)]
pub enum PageRows {
    /// Of a directory.
    Directory(Arc<Entries>),
    /// Of a newsgroup.
    Group(Arc<Articles>),
    /// Of a list of newsgroups.
    Groups(Arc<Groups>),
}

/// The same rows, not others like them.
impl PartialEq for PageRows {
    fn eq(&self, other: &PageRows) -> bool {
        match (self, other) {
            (PageRows::Directory(one), PageRows::Directory(other)) => Arc::ptr_eq(one, other),
            (PageRows::Group(one), PageRows::Group(other)) => Arc::ptr_eq(one, other),
            (PageRows::Groups(one), PageRows::Groups(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl PageRows {
    /// The orders in which they can be shown, besides the given one.
    pub fn orders(&self) -> &'static [Order] {
        match self {
            PageRows::Directory(_) => &[Order::Name, Order::Size, Order::Date, Order::Kind],
            PageRows::Group(_) => &[Order::Thread, Order::Date, Order::Score],
            PageRows::Groups(_) => &[Order::Name, Order::Size],
        }
    }

    /// How many there are and the octets they stand for, when that means something.
    pub fn totals(&self) -> Option<(usize, u64)> {
        match self {
            PageRows::Directory(entries) => Some(entries.totals()),
            PageRows::Group(_) | PageRows::Groups(_) => None,
        }
    }

    /// Of a directory: the size of the file of a block, where that is known; `None` for a block that is no entry.
    pub fn size_at(&self, block: u32) -> Option<Option<u64>> {
        match self {
            PageRows::Directory(entries) => entries.size_at(block),
            PageRows::Group(_) | PageRows::Groups(_) => None,
        }
    }

    /// Of a directory: whether the entry of a block is a link.
    pub fn is_link_at(&self, block: u32) -> bool {
        matches!(self, PageRows::Directory(entries) if entries.is_link_at(block))
    }

    /// Of a directory: the blocks of entries that were changed on a day or later, `most` of them at most.
    pub fn since(&self, day: Date, most: usize) -> Vec<u32> {
        match self {
            PageRows::Directory(entries) => entries.since(day, most),
            PageRows::Group(_) | PageRows::Groups(_) => Vec::new(),
        }
    }

    /// Of a directory: the blocks of entries, `most` of them at most, each with a number that is another one as soon as its name or its
    /// time is, and how late it is.
    pub fn stamps(&self, given: &Document, most: usize) -> Vec<(u32, u32, u64)> {
        match self {
            PageRows::Directory(entries) => entries.stamps(given, most),
            PageRows::Group(_) | PageRows::Groups(_) => Vec::new(),
        }
    }

    /// What a page of news holds, in the order in which it is read; `None` for other pages. Where threads were never made,
    /// each article is one.
    pub fn roll(&self, wishes: &Wishes, learnt: &Learnt) -> Option<Roll> {
        match self {
            PageRows::Directory(_) => None,
            PageRows::Group(articles) => articles.roll(wishes, learnt.seen()),
            PageRows::Groups(groups) => Some(groups.roll(wishes)),
        }
    }

    /// The numbers of a group's articles, in the order in which they came.
    pub fn numbers(&self) -> Vec<u64> {
        match self {
            PageRows::Group(articles) => articles.numbers(),
            PageRows::Directory(_) | PageRows::Groups(_) => Vec::new(),
        }
    }

    /// Of a group's articles as they came: the link that leads to one, its number, and when it was written, in seconds since 1970.
    pub fn dated(&self) -> Vec<(LinkId, u64, Option<i64>)> {
        match self {
            PageRows::Group(articles) => articles.dated(),
            PageRows::Directory(_) | PageRows::Groups(_) => Vec::new(),
        }
    }

    /// Of a group's page: what is known of an article, by the page as it was written.
    pub fn facts<'a>(&'a self, given: &'a Document, article: LinkId) -> Option<Facts<'a>> {
        match self {
            PageRows::Group(articles) => articles.facts(given, article.0),
            PageRows::Directory(_) | PageRows::Groups(_) => None,
        }
    }

    /// Of a group's page: an article's score by the reader's rules.
    pub fn why(&self, given: &Document, article: LinkId, reading: &Reading) -> Option<Why> {
        match self {
            PageRows::Group(articles) => articles.why(given, article.0, reading),
            PageRows::Directory(_) | PageRows::Groups(_) => None,
        }
    }

    /// Of a group's page: what stands near an article by its id, be it on the page or only referred to there.
    pub fn kin(&self, id: &[u8], learnt: &Learnt) -> Option<Kin> {
        match self {
            PageRows::Group(articles) => articles.kin(id, learnt.seen()?),
            PageRows::Directory(_) | PageRows::Groups(_) => None,
        }
    }

    /// How much memory they hold, in octets.
    pub fn memory(&self) -> usize {
        match self {
            PageRows::Directory(entries) => entries.memory(),
            PageRows::Group(articles) => articles.memory(),
            PageRows::Groups(groups) => groups.memory(),
        }
    }
}

/// What arranging a page found out, so that arranging it again need not.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Learnt {
    /// Nothing of use.
    #[default]
    Nothing,
    /// All rows of a directory in an order.
    Sorted(Arc<Sorted>),
    /// The threads of a group, and what had been read of it when it was first shown.
    Threads(Seen),
}

/// Rows in an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorted {
    /// The order.
    pub(super) order: Order,
    /// Whether it is turned round.
    pub(super) reverse: bool,
    /// The rows, by their numbers.
    pub(super) rows: Vec<u32>,
}

impl Learnt {
    fn seen(&self) -> Option<&Seen> {
        match self {
            Learnt::Threads(seen) => Some(seen),
            Learnt::Nothing | Learnt::Sorted(_) => None,
        }
    }

    /// Of a group: how many articles met each of the reader's rules, and which rules those are.
    pub fn met(&self) -> Option<(&Scoring, &[u32])> {
        self.seen()?.met()
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        match self {
            Learnt::Nothing => 0,
            Learnt::Sorted(sorted) => sorted.rows.capacity() * 4,
            Learnt::Threads(seen) => seen.memory(),
        }
    }
}

/// A page to be arranged.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrange {
    /// The document as it was written.
    pub given: Arc<Document>,
    /// Its rows, if it has any.
    pub rows: Option<PageRows>,
    /// How the reader wishes to see it.
    pub wishes: Wishes,
    /// Folds that are not as they were written, by number.
    pub toggled: BTreeSet<u32>,
    /// What stands below links, by these.
    pub below: Vec<Insertion>,
    /// What the reader presses to open a fold.
    pub key: String,
    /// What was learnt when it was arranged before.
    pub learnt: Learnt,
}

/// A page that was arranged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// What is shown; `None` where that is the document as it was written.
    pub shown: Option<Arranged>,
    /// Rows that pass the filter.
    pub passed: usize,
    /// Rows in all.
    pub rows: usize,
    /// How many of them the reader has not read, where that is known.
    pub unread: Option<usize>,
    /// What a page of news holds.
    pub roll: Option<Roll>,
    /// What was learnt.
    pub learnt: Learnt,
}

/// Rows that were put in order.
pub(super) struct Ordered {
    /// The blocks that are shown, by their numbers in the document as it was written.
    pub blocks: Vec<u32>,
    pub passed: usize,
    pub rows: usize,
    pub learnt: Learnt,
}

impl Arrange {
    /// Arranges it; `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Plan> {
        // of what a filter lets through nothing is folded away
        let filters = self.rows.is_none() && !self.wishes.filter.trim().is_empty();
        let folded = if filters { Folded::default() } else { Folded::of(&self.given, &self.toggled) };
        let plan = match &self.rows {
            None => self.copied(self.filtered(stop)?, &folded, stop)?,
            Some(PageRows::Directory(entries)) => {
                self.copied(entries.ordered(&self.wishes, &self.given, &self.learnt, stop)?, &folded, stop)?
            }
            Some(PageRows::Group(articles)) => articles.written(&self.wishes, &self.given, self.learnt.seen(), stop)?,
            Some(PageRows::Groups(groups)) => groups.written(&self.wishes, &self.given, stop)?,
        };
        let shown = match (plan.shown, &self.rows) {
            // Rows that were written anew; what else the page says may be folded away.
            (Some(shown), Some(PageRows::Group(_) | PageRows::Groups(_))) => {
                Some(shown.folded(&self.given, &folded, &self.key))
            }
            (shown, _) => shown,
        };
        let roll = self.rows.as_ref().and_then(|rows| rows.roll(&self.wishes, &plan.learnt));
        stop.go_on()?;
        Some(Plan { shown, roll, ..plan })
    }

    /// Whether that takes a millisecond or two.
    pub fn is_small(&self) -> bool {
        self.given.blocks().len() <= 1 << 12 && self.given.text().len() <= 1 << 19
    }

    /// The blocks that pass the filter, in the order in which they were written but for a table that is sorted. Rows of tables pass
    /// as a whole, and rows of titles with any after them.
    fn filtered(&self, stop: &Stop) -> Option<Ordered> {
        let filter = Filter::new(&self.wishes.filter);
        let sorted = match self.wishes.table {
            Some(by) => Some(by_column::rows(&self.given, by, stop)?).filter(|(all, _)| !all.is_empty()),
            None => None,
        };
        let all = index(self.given.blocks().len());
        let mut passing =
            Passing { given: &self.given, filter, blocks: Vec::new(), titles: Vec::new(), counts: (0, 0) };
        let mut block = 0;
        while block < all {
            stop.go_on()?;
            let row = self.given.row_of(block);
            match &sorted {
                Some((table, rows)) if row.start >= table.start && row.start < table.end => {
                    rows.iter().filter(|row| !row.blocks.is_empty()).for_each(|row| passing.take(row.blocks.clone()));
                    block = table.end.max(row.end);
                }
                _ => {
                    block = row.end;
                    passing.take(row);
                }
            }
        }
        let Passing { blocks, counts: (passed, rows), .. } = passing;
        Some(Ordered { passed, rows, blocks, learnt: Learnt::Nothing })
    }

    fn copied(&self, ordered: Ordered, folded: &Folded, stop: &Stop) -> Option<Plan> {
        let Ordered { blocks, passed, rows, learnt } = ordered;
        let as_given = folded.is_empty()
            && self.below.is_empty()
            && blocks.len() == self.given.blocks().len()
            && blocks.is_sorted();
        let shown = match as_given {
            true => None,
            false => Some(Arranged::with(&self.given, &blocks, folded, &self.below, &self.key, stop)?),
        };
        Some(Plan { shown, passed, rows, learnt, ..Plan::default() })
    }
}

/// What passes a filter.
struct Passing<'a> {
    given: &'a Document,
    filter: Filter,
    blocks: Vec<u32>,
    /// Rows of titles that pass if a row of their table does, and their table.
    titles: Vec<(u16, Range<u32>)>,
    counts: (usize, usize),
}

impl Passing<'_> {
    /// Takes what is shown together, if it passes.
    fn take(&mut self, row: Range<u32>) {
        let text = self.given.block_range(row.start).start..self.given.block_range(row.end - 1).end;
        let passes = self.filter.is_empty() || self.filter.passes(self.given, text);
        self.counts.1 += 1;
        let table = if self.filter.is_empty() { None } else { self.given.titled_table(row.start) };
        match table {
            Some((table, true)) if !passes => return self.titles.push((table, row)),
            Some((table, _)) if passes => {
                let titles = self.titles.drain(..).filter(|(of, _)| *of == table);
                self.blocks.extend(titles.flat_map(|(_, row)| row));
            }
            Some(_) => {}
            None => self.titles.clear(),
        }
        if passes {
            self.blocks.extend(row);
            self.counts.0 += 1;
        }
    }
}
