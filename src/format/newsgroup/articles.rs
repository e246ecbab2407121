//! The articles of a group: what its page is made of, and what stands where on it.

use super::own::Known;
use super::page;
use super::scored::{self, Scored};
use super::sought::Search;
use super::told::Told;
use super::{Group, Older};
use crate::doc::{Document, LinkId};
use crate::format::index;
use crate::format::rows::Learnt;
use crate::format::{Kin, Listed, Order, Plan, Reading, Roll, Wishes};
use crate::news::score::Scoring;
use crate::news::{Article, Forest, Threads};
use crate::stop::Stop;
use std::cmp::Reverse;
use std::sync::Arc;

/// The articles of a group, by the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Articles {
    pub(super) group: Option<Group>,
    pub(super) threads: Threads,
    /// What judges them.
    pub(super) told: Told,
    /// The numbers of the first and the last article that came.
    pub(super) came: Option<(u64, u64)>,
    /// Where they are what was sought, how.
    pub(super) search: Option<Search>,
    /// How many came that the server has no more.
    gone: usize,
}

/// What a group was when it was shown last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its threads.
    pub(super) forest: Arc<Forest>,
    /// How many articles were not among them, since the server has them no more.
    gone: usize,
    /// For each article, whether it had been read when it was first shown: threads do not close while they are being read.
    pub(super) read_before: Arc<Vec<bool>>,
    /// What the reader's rules give its articles; none where none is about the group.
    pub(super) scored: Option<Arc<Scored>>,
    /// Which of its articles are the reader's own, and which answer these; none where nobody has said who the reader is.
    pub(super) own: Option<Arc<Known>>,
    /// The threads as they were shown.
    pub(super) shown: Arc<Forest>,
    /// The articles that were not, but for one row.
    pub(super) killed: Arc<[u32]>,
}

impl Seen {
    /// How many articles met each of the reader's rules, and which rules those are.
    pub(in super::super) fn met(&self) -> Option<(&Scoring, &[u32])> {
        self.scored.as_ref().map(|scored| scored.met())
    }

    /// How much memory it holds, in octets.
    pub(in super::super) fn memory(&self) -> usize {
        let shown = if Arc::ptr_eq(&self.forest, &self.shown) { 0 } else { size_of_val(self.shown.rows.as_slice()) };
        let scored = self.scored.as_ref().map_or(0, |scored| scored.memory());
        let own = self.own.as_ref().map_or(0, |own| own.memory());
        size_of_val(self.forest.rows.as_slice()) + self.read_before.capacity() + shown + scored + own
    }
}

impl Articles {
    /// Takes an article; false if it was here already.
    pub(super) fn add(&mut self, article: &Article<'_>) -> bool {
        if self.threads.add(article).is_none() {
            return false;
        }
        if let Some(number) = article.number {
            let (first, last) = self.came.unwrap_or((number, number));
            self.came = Some((first.min(number), last.max(number)));
        }
        true
    }

    /// The server has said what it has, of a group that was shown as it was kept: what came before the first number has expired.
    pub(super) fn said<'a>(&mut self, fields: &mut impl Iterator<Item = &'a [u8]>) {
        let Some(name) = self.group.take().map(|group| group.name) else { return };
        let group = Group::of(name, fields);
        self.came = self.came.map(|(first, last)| (first.max(group.low), last.max(group.low)));
        let expired = |article: &u32| self.threads.number(*article).is_some_and(|number| number < group.low);
        self.gone = (0..index(self.len())).filter(expired).count();
        self.group = Some(group);
    }

    /// Whether the server has an article no more.
    fn is_gone(&self, article: u32) -> bool {
        let low = self.group.as_ref().filter(|_| self.gone > 0).map_or(0, |group| group.low);
        self.threads.number(article).is_some_and(|number| number < low)
    }

    /// How many there are that the server has.
    pub(super) fn there(&self) -> usize {
        self.len() - self.gone
    }

    /// How many have come.
    pub(super) fn len(&self) -> usize {
        self.threads.len()
    }

    /// How many the group has, as the server counts, where the page has only the newest of them.
    pub(super) fn in_all(&self) -> Option<u64> {
        let group = self.group.as_ref()?;
        let (first, _) = self.came?;
        let lacks = match group.older {
            Older::Among(..) => true,
            Older::None => false,
            Older::Unknown => group.low.max(1) < first,
        };
        group.count.filter(|_| lacks)
    }

    /// How much memory they hold, in octets.
    pub(in super::super) fn memory(&self) -> usize {
        self.threads.memory() + self.told.memory()
    }

    /// The page as the reader wishes it; `None` when it was given up.
    pub(in super::super) fn written(
        &self,
        wishes: &Wishes,
        given: &Document,
        seen: Option<&Seen>,
        stop: &Stop,
    ) -> Option<Plan> {
        let forest = self.forest(seen, stop)?;
        let before = seen.and_then(|seen| seen.scored.as_ref());
        let scored = Scored::of(self, given, &wishes.reading, before, stop)?;
        let own = Known::of(self, &wishes.reading, seen.and_then(|seen| seen.own.as_ref()), stop)?;
        let (shown, killed) = scored::shown(&forest, scored.as_deref(), wishes);
        let read_before = self.read_before(&wishes.reading, seen);
        let seen = Seen { forest, gone: self.gone, read_before, scored, own, shown, killed };
        let plan = page::written(self, &seen, wishes, given, stop)?;
        Some(Plan { learnt: Learnt::Threads(seen), ..plan })
    }

    /// The threads; they are those that were made last, if no article has come since.
    fn forest(&self, seen: Option<&Seen>, stop: &Stop) -> Option<Arc<Forest>> {
        let same = |seen: &&Seen| seen.forest.articles == self.len() && seen.gone == self.gone;
        if let Some(seen) = seen.filter(same) {
            return Some(Arc::clone(&seen.forest));
        }
        let forest = self.threads.forest(stop)?;
        Some(Arc::new(if self.gone > 0 { forest.without(|article| self.is_gone(article)) } else { forest }))
    }

    fn read_before(&self, reading: &Reading, seen: Option<&Seen>) -> Arc<Vec<bool>> {
        let mut known = seen.map(|seen| Arc::clone(&seen.read_before)).unwrap_or_default();
        if let Some(read) = reading.read.as_ref().filter(|_| known.len() < self.len()) {
            let had = |article: u32| self.threads.number(article).is_some_and(|number| read.contains(number));
            let new = index(known.len())..index(self.len());
            Arc::make_mut(&mut known).extend(new.map(had));
        }
        known
    }

    /// The articles in the order in which the page has them; those of closed threads too. Those that have come since the
    /// threads were made are last.
    pub(in super::super) fn roll(&self, wishes: &Wishes, seen: Option<&Seen>) -> Option<Roll> {
        let group = self.group.as_ref()?;
        let mut articles: Vec<Listed> = Vec::with_capacity(self.len());
        let listed = |article: u32, thread: usize, depth: u32| {
            let (link, number) = (LinkId(article), self.threads.number(article));
            Listed { link, number, thread, depth, killed: false }
        };
        let forest = seen.map(|seen| &*seen.shown);
        for (forest, root) in forest.iter().flat_map(|forest| forest.roots().map(move |root| (forest, root as usize))) {
            let thread = articles.len();
            let rows = &forest.rows[root..forest.rows[root].end as usize];
            articles.extend(rows.iter().filter_map(|row| Some(listed(row.article?, thread, row.depth))));
        }
        let threaded = forest.map_or(0, |forest| forest.articles);
        for at in threaded..self.len() {
            articles.push(listed(index(at), articles.len(), 0));
        }
        if matches!(wishes.order, Order::Date | Order::Given) {
            let date = |article: &Listed| (wishes.order == Order::Date).then(|| self.threads.date(article.link.0));
            articles.sort_by_key(|article| Reverse((date(article), article.number)));
            if wishes.reverse {
                articles.reverse();
            }
            (0..).zip(&mut articles).for_each(|(at, article)| (article.thread, article.depth) = (at, 0));
        }
        let (first, killed) = (articles.len(), seen.map(|seen| &*seen.killed).unwrap_or_default());
        for (at, article) in killed.iter().enumerate() {
            articles.push(Listed { killed: true, ..listed(*article, first, u32::from(at > 0)) });
        }
        let last = self.came.map_or(0, |(_, last)| last).max(group.high);
        Some(Roll::Articles { group: group.name.clone(), last, articles: articles.into() })
    }

    /// The numbers of all articles that have one.
    pub(in super::super) fn numbers(&self) -> Vec<u64> {
        (0..index(self.len())).filter_map(|article| self.threads.number(article)).collect()
    }

    /// What may be new of them: for all that have a number the link that leads there, it, and when it was written, in seconds since 1970.
    pub(in super::super) fn dated(&self) -> Vec<(LinkId, u64, Option<i64>)> {
        let dated = |article| Some((LinkId(article), self.threads.number(article)?, self.threads.date(article)));
        (0..index(self.len())).filter_map(dated).collect()
    }

    /// What stands near an article.
    pub(in super::super) fn kin(&self, id: &[u8], Seen { forest, .. }: &Seen) -> Option<Kin> {
        let own = self.threads.with_id(id);
        let parent = self.threads.answered_by(id);
        // One that is only referred to has no row by which it could be known, but an answer or what it answers has.
        let near = own.or_else(|| self.threads.answer_to(id)).or(parent)?;
        let at = index(forest.rows.iter().position(|row| row.article == Some(near))?);
        let root = forest.roots().take_while(|root| *root <= at).last()?;
        let rows = &forest.rows[root as usize..forest.rows[root as usize].end as usize];
        let others = rows.iter().filter_map(|row| row.article).filter(|article| Some(*article) != own);
        Some(Kin { parent: parent.map(LinkId), thread: others.map(LinkId).collect() })
    }
}
