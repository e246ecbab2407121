//! A group's page in the making: it is written anew, in steps, as the reader wishes it.

use super::threads::{Rows, Tree};
use super::{State, block_of};
use crate::doc::{Document, Filter};
use crate::format::rewriter::Draft;
use crate::format::{Order, Plan, Reading, Show, Wishes};
use crate::news::Forest;
use crate::sorter::Sorter;
use std::cmp::Reverse;

/// What is taken off a step's budget for a row that is written; looking at an article costs one.
pub(super) const ROW: usize = 4;

/// A page in the making, of a forest's articles.
pub(super) struct Page {
    wishes: Wishes,
    filter: Filter,
    counts: Counts,
    draft: Draft,
    /// Articles that the reader wants to see.
    passed: usize,
    stage: Stage,
}

/// What is being written.
enum Stage {
    Heading,
    Threads(Tree),
    /// The articles that stand under no other are chosen.
    Choosing {
        at: usize,
        dated: Vec<Dated>,
    },
    Sorting(Sorter<Dated>),
    /// They are written.
    Alone {
        articles: Vec<Dated>,
        at: usize,
    },
}

/// An article among others by date.
#[derive(Debug, Clone, Copy)]
struct Dated {
    date: Option<i64>,
    number: Option<u64>,
    article: u32,
    /// Its place among the threads.
    at: u32,
}

/// What rows hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub articles: u32,
    pub unread: u32,
    /// Those that were unread when they were first shown.
    pub fresh: u32,
    /// Those that the reader stands on or has opened, so that they stay in sight.
    pub wanted: u32,
}

/// What the rows of a forest hold.
#[derive(Default)]
pub(super) struct Counts {
    /// What stands before each row, and before the end.
    before: Vec<Sum>,
    /// Threads in which nothing was read.
    new: usize,
    /// The row that begins the thread that is being counted.
    thread: usize,
}

impl Counts {
    /// What some rows hold.
    pub fn of(&self, rows: std::ops::Range<usize>) -> Sum {
        let at = |row: usize| self.before.get(row).copied().unwrap_or_default();
        let (from, to) = (at(rows.start), at(rows.end.max(rows.start)));
        Sum {
            articles: to.articles - from.articles,
            unread: to.unread - from.unread,
            fresh: to.fresh - from.fresh,
            wanted: to.wanted - from.wanted,
        }
    }

    pub fn all(&self) -> Sum {
        self.before.last().copied().unwrap_or_default()
    }

    pub fn new_threads(&self) -> usize {
        self.new
    }

    /// Goes on counting; true when all rows are.
    fn step(&mut self, state: &State, forest: &Forest, reading: &Reading, left: &mut usize) -> bool {
        if self.before.is_empty() {
            self.before.reserve(forest.rows.len() + 1);
            self.before.push(Sum::default());
        }
        while let Some(row) = forest.rows.get(self.before.len() - 1) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let mut sum = self.all();
            if let Some(article) = row.article {
                let fresh = !state.read_before.get(article as usize).copied().unwrap_or(false);
                let wanted = reading.here.is_some_and(|here| here.0 == article)
                    || reading.folds.get(&block_of(article)) == Some(&true);
                sum.articles += 1;
                sum.unread += u32::from(is_unread(state, reading, article));
                sum.fresh += u32::from(fresh);
                sum.wanted += u32::from(wanted);
            }
            self.before.push(sum);
            let rows = self.before.len() - 1;
            if forest.rows[self.thread].end as usize == rows {
                let thread = self.of(self.thread..rows);
                self.new += usize::from(thread.unread == thread.articles);
                self.thread = rows;
            }
        }
        true
    }
}

/// Whether an article is known to be unread.
pub(super) fn is_unread(state: &State, reading: &Reading, article: u32) -> bool {
    let number = state.threads.number(article);
    reading.read.as_ref().is_some_and(|read| !number.is_some_and(|number| read.contains(number)))
}

impl Page {
    /// A page by the reader's wishes.
    pub fn new(wishes: &Wishes, given: &Document) -> Page {
        let filter = Filter::new(&wishes.filter);
        let (counts, draft) = (Counts::default(), Draft::of(given));
        Page { wishes: wishes.clone(), filter, counts, draft, passed: 0, stage: Stage::Heading }
    }

    /// Whether it is what is wished for.
    pub fn is_by(&self, wishes: &Wishes) -> bool {
        self.wishes == *wishes
    }

    /// Goes on with it until about as much was done as `left` says; the plan when it is done.
    pub fn step(&mut self, state: &State, forest: &Forest, given: &Document, left: &mut usize) -> Option<Plan> {
        let Page { wishes, filter, counts, draft, passed, stage } = self;
        if !counts.step(state, forest, &wishes.reading, left) {
            return None;
        }
        let writer = std::mem::take(draft).go_on(given);
        let mut rows = Rows { state, forest, reading: &wishes.reading, counts, writer, passed: *passed };
        if !stage.step(&mut rows, wishes, filter, left) {
            (*draft, *passed) = (rows.writer.rest(), rows.passed);
            return None;
        }
        // Articles that came meanwhile are for the next plan, and so is what follows them.
        let all = forest.articles == state.threads.len();
        if all {
            rows.rest();
        }
        let covers = if all { given.blocks().len() as u32 } else { block_of(forest.articles as u32) };
        let unread = wishes.reading.read.is_some().then(|| counts.all().unread as usize);
        let (passed, written) = (rows.passed, rows.writer.finish());
        Some(Plan { blocks: Vec::new(), covers, passed, rows: forest.articles, unread, written })
    }
}

impl Stage {
    /// True when the last row is written.
    fn step(&mut self, rows: &mut Rows<'_>, wishes: &Wishes, filter: &Filter, left: &mut usize) -> bool {
        while *left > 0 {
            let next = match self {
                Stage::Heading => {
                    rows.heading();
                    Some(match by_date(wishes) || !filter.is_empty() {
                        true => Stage::Choosing { at: 0, dated: Vec::with_capacity(rows.forest.articles) },
                        false => Stage::Threads(Tree::default()),
                    })
                }
                Stage::Threads(tree) => match tree.step(rows, left) {
                    true => return true,
                    false => None,
                },
                Stage::Choosing { at, dated } => choose(rows, wishes, (at, dated), left).then(|| {
                    let articles = std::mem::take(dated);
                    match by_date(wishes) {
                        true => Stage::Sorting(Sorter::new(articles)),
                        false => Stage::Alone { articles, at: 0 },
                    }
                }),
                Stage::Sorting(sorter) => {
                    let newest = |one: &Dated| (Reverse((one.date, one.number)), one.at);
                    let order = |a: &Dated, b: &Dated| newest(a).cmp(&newest(b));
                    let sorted = sorter.step(left, |a, b| if wishes.reverse { order(b, a) } else { order(a, b) });
                    sorted.map(|articles| Stage::Alone { articles, at: 0 })
                }
                Stage::Alone { articles, at } => {
                    let Some(dated) = articles.get(*at) else { return true };
                    *at += 1;
                    *left = left.saturating_sub(ROW);
                    rows.alone(dated.article, filter);
                    None
                }
            };
            if let Some(next) = next {
                *self = next;
            }
        }
        false
    }
}

/// Whether articles stand by date or number, and not in threads.
fn by_date(wishes: &Wishes) -> bool {
    matches!(wishes.order, Order::Date | Order::Given)
}

/// Takes the articles that the reader wants to see; true when all were looked at.
fn choose(rows: &Rows<'_>, wishes: &Wishes, (at, dated): (&mut usize, &mut Vec<Dated>), left: &mut usize) -> bool {
    let threads = &rows.state.threads;
    while let Some(row) = rows.forest.rows.get(*at) {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        *at += 1;
        let Some(article) = row.article else { continue };
        if !by_date(wishes) || wishes.reading.show == Show::All || is_unread(rows.state, &wishes.reading, article) {
            let date = (wishes.order == Order::Date).then(|| threads.date(article)).flatten();
            dated.push(Dated { date, number: threads.number(article), article, at: *at as u32 });
        }
    }
    true
}
