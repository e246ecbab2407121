//! Pages whose rows depend on more than what the server sent: on the day, on what was read, on what came later.

use crate::doc::{Arranged, BlockKind, Builder, Document, LinkId, Marker};
use crate::news::score::Scoring;
use crate::news::{ArticleSet, Newsrc};
use crate::role::Role;
use jiff::Zoned;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a reader brings to a page of news.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// The time, in the reader's zone; without it dates are told in numbers.
    pub now: Option<Zoned>,
    /// The articles of the group that have been read; without it none is marked.
    pub read: Option<ArticleSet>,
    /// What the reader opened (true) or closed: threads, by the given blocks of their first articles, and what stands under
    /// an article, by its given block.
    pub folds: BTreeMap<u32, bool>,
    /// The link of the given page that the reader stands on: it stays in sight.
    pub here: Option<LinkId>,
    /// For a list of groups: what has been read of them, and which the reader takes.
    pub newsrc: Option<Arc<Newsrc>>,
    /// Which articles or groups are shown.
    pub show: Show,
    /// For a group: the rules by which articles are valued, or killed.
    pub scoring: Option<Scoring>,
    /// For a group: the reader's own address, by which their articles and the answers to these are known.
    pub own: Option<Arc<str>>,
    /// What had been read of the group when it was narrowed to what is unread: what is read since stays in sight.
    pub narrowed: Option<ArticleSet>,
    /// How threads stand that are not among the folds.
    pub threads: Threads,
    /// The list of groups is whole: what the reader takes and it has not, the server has no more.
    pub whole: bool,
}

/// How the threads of a group stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Threads {
    /// Open where something was unread when they were first shown.
    #[default]
    Unread,
    /// Closed: a row for each.
    Closed,
    /// Open.
    Open,
}

/// Which articles of a group, or groups of a list, are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    /// All.
    #[default]
    All,
    /// Threads, or groups that the reader takes, with something unread in them.
    Unread,
    /// Groups that the reader takes.
    Subscribed,
}

/// Writes a page anew.
pub(super) struct Rewriter<'a> {
    pub given: &'a Document,
    pub out: Builder,
    /// The given block and link that each block and link stands for.
    blocks: Vec<u32>,
    links: Vec<LinkId>,
}

impl<'a> Rewriter<'a> {
    /// An empty page with room for all of a given one.
    pub fn new(given: &'a Document) -> Rewriter<'a> {
        let mut out = Builder::new();
        out.reserve_for(given);
        let (blocks, links) = (given.blocks().len(), given.link_count() as usize);
        Rewriter { given, out, blocks: Vec::with_capacity(blocks), links: Vec::with_capacity(links) }
    }

    /// Begins a block that stands for a given one.
    pub fn block(&mut self, given: u32, kind: BlockKind, role: Role) {
        self.out.marked(kind, role, Marker::None, 0);
        self.blocks.push(given);
    }

    /// Writes a given link, by other words perhaps.
    pub fn link(&mut self, text: &str, role: Role, given: LinkId) {
        self.out.link(text, role, self.given.reference(given).unwrap_or_default());
        self.links.push(given);
    }

    /// Writes a link that was not given, under a number that no given one has.
    pub fn added(&mut self, text: &str, role: Role, reference: &str, number: LinkId) {
        self.out.link(text, role, reference);
        self.links.push(number);
    }

    /// Copies what a given block says.
    pub fn copy(&mut self, block: u32) {
        let range = self.given.block_range(block);
        let mut at = range.start;
        for span in self.given.spans_in(range.clone()) {
            let (start, end) = (span.start as usize, span.end as usize);
            self.out.text(&self.given.text()[at..start]);
            let piece = &self.given.text()[start..end];
            match span.link {
                Some(link) => self.link(piece, span.role, link),
                None => self.out.styled(piece, span.role),
            }
            at = end;
        }
        self.out.text(&self.given.text()[at..range.end]);
    }

    /// The page; `None` if it has no room for all of it.
    pub fn finish(self) -> Option<Arranged> {
        let whole = !self.out.is_full();
        whole.then(|| Arranged::written(self.given, self.out.finish(), self.blocks, self.links))
    }
}
