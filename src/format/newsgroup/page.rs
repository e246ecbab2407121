//! A group's page, written anew as the reader wishes it.

use super::articles::{Articles, Seen};
use super::block_of;
use super::own::Mine;
use super::threads::Writer;
use crate::doc::{Document, Filter};
use crate::format::rewriter::Rewriter;
use crate::format::{Order, Plan, Reading, Show, Wishes};
use crate::news::ArticleSet;
use crate::stop::Stop;
use std::cmp::Reverse;
use std::ops::Range;

/// What rows hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub articles: u32,
    pub unread: u32,
    /// Those that were unread when they were first shown.
    pub fresh: u32,
    /// Those that the reader stands on or has opened, so that they stay in sight.
    pub wanted: u32,
    /// Those that the reader's rules value.
    pub valued: u32,
    /// Those that the reader wrote.
    pub own: u32,
    /// Those that answer one of these.
    pub answers: u32,
    /// Those that stay when the page is narrowed to what is unread.
    pub kept: u32,
}

/// What the rows of all threads hold.
pub(super) struct Counts {
    /// What stands before each row, and before the end.
    before: Vec<Sum>,
    /// Threads in which nothing was read.
    new: usize,
}

impl Counts {
    fn of(articles: &Articles, seen: &Seen, reading: &Reading) -> Counts {
        let rows = &seen.shown.rows;
        let mut before = Vec::with_capacity(rows.len() + 1);
        let mut sum = Sum::default();
        before.push(sum);
        for row in rows {
            if let Some(article) = row.article {
                let fresh = !seen.read_before.get(article as usize).copied().unwrap_or(false);
                let wanted = reading.here.is_some_and(|here| here.0 == article)
                    || reading.folds.get(&block_of(article)) == Some(&true);
                sum.articles += 1;
                sum.unread += u32::from(is_unread(articles, reading, article));
                sum.kept += u32::from(is_kept(articles, reading, article));
                sum.fresh += u32::from(fresh);
                sum.wanted += u32::from(wanted);
                let mine = seen.own.as_ref().and_then(|own| own.get(article));
                sum.own += u32::from(mine == Some(Mine::Own));
                sum.answers += u32::from(mine == Some(Mine::Answer));
                sum.valued += u32::from(seen.scored.as_ref().is_some_and(|scored| scored.points(article) > 0));
            }
            before.push(sum);
        }
        let mut counts = Counts { before, new: 0 };
        let threads = seen.shown.roots().map(|root| counts.within(root as usize..rows[root as usize].end as usize));
        counts.new = threads.filter(|thread| thread.unread == thread.articles).count();
        counts
    }

    /// What some rows hold.
    pub fn within(&self, rows: Range<usize>) -> Sum {
        let at = |row: usize| self.before.get(row).copied().unwrap_or_default();
        let (from, to) = (at(rows.start), at(rows.end.max(rows.start)));
        Sum {
            articles: to.articles - from.articles,
            unread: to.unread - from.unread,
            fresh: to.fresh - from.fresh,
            wanted: to.wanted - from.wanted,
            valued: to.valued - from.valued,
            own: to.own - from.own,
            answers: to.answers - from.answers,
            kept: to.kept - from.kept,
        }
    }

    pub fn all(&self) -> Sum {
        self.before.last().copied().unwrap_or_default()
    }

    pub fn new_threads(&self) -> usize {
        self.new
    }
}

/// Whether an article is known to be unread.
pub(super) fn is_unread(articles: &Articles, reading: &Reading, article: u32) -> bool {
    let number = articles.threads.number(article);
    reading.read.as_ref().is_some_and(|read| !number.is_some_and(|number| read.contains(number)))
}

/// Whether an article is unread, or was when the page was narrowed to what is.
fn is_kept(articles: &Articles, reading: &Reading, article: u32) -> bool {
    let was_read = |read: &ArticleSet| articles.threads.number(article).is_some_and(|number| read.contains(number));
    is_unread(articles, reading, article) || reading.narrowed.as_ref().is_some_and(|read| !was_read(read))
}

/// Writes the page; `None` when that was given up.
pub(super) fn written(
    articles: &Articles,
    seen: &Seen,
    wishes: &Wishes,
    given: &Document,
    stop: &Stop,
) -> Option<Plan> {
    let filter = Filter::new(&wishes.filter);
    let counts = Counts::of(articles, seen, &wishes.reading);
    // Where nothing is unread an empty page would be of no use.
    let show = if counts.all().kept == 0 { Show::All } else { wishes.reading.show };
    let wishes = &Wishes { reading: Reading { show, ..wishes.reading.clone() }, ..wishes.clone() };
    let reading = &wishes.reading;
    stop.go_on()?;
    let writer = Rewriter::new(given);
    let mut page = Writer { articles, seen, forest: &seen.shown, reading, counts: &counts, writer, passed: 0 };
    page.heading();
    match is_by_date(wishes) || !filter.is_empty() {
        true => {
            for article in alone(articles, seen, wishes) {
                stop.go_on()?;
                page.alone(article, &filter);
            }
        }
        false => page.threads(stop)?,
    }
    page.killed(&seen.killed);
    if filter.is_empty() {
        page.passed += seen.killed.len();
    }
    page.rest();
    let unread = reading.read.is_some().then(|| counts.all().unread as usize);
    let (passed, shown) = (page.passed, page.writer.finish());
    Some(Plan { shown, passed, rows: articles.there(), unread, ..Plan::default() })
}

/// Whether articles stand by date or number, and not in threads.
fn is_by_date(wishes: &Wishes) -> bool {
    matches!(wishes.order, Order::Date | Order::Given)
}

/// The articles that stand under no other, where those that the reader wants to see do; of equals the first in its thread.
fn alone(articles: &Articles, seen: &Seen, wishes: &Wishes) -> Vec<u32> {
    let wanted = |article: &u32| wishes.reading.show == Show::All || is_kept(articles, &wishes.reading, *article);
    let all = seen.shown.rows.iter().filter_map(|row| row.article);
    if !is_by_date(wishes) {
        return all.collect();
    }
    let date = |article: u32| (wishes.order == Order::Date).then(|| articles.threads.date(article)).flatten();
    let dated = all.filter(wanted).map(|article| (date(article), articles.threads.number(article), article));
    let mut dated: Vec<(Option<i64>, Option<u64>, u32)> = dated.collect();
    dated.sort_by_key(|(date, number, _)| Reverse((*date, *number)));
    if wishes.reverse {
        dated.reverse();
    }
    dated.into_iter().map(|(.., article)| article).collect()
}
