//! Pages whose rows depend on more than what the server sent: on the day, on what was read, on what came later.

use crate::doc::{Arranged, BlockKind, Builder, Document, LinkId, Marker};
use crate::news::{ArticleSet, Newsrc};
use crate::role::Role;
use jiff::Zoned;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a reader brings to a page of news.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// The time, in the reader's zone; without it dates are told in numbers.
    pub now: Option<Zoned>,
    /// The articles of the group that have been read; without it none is marked.
    pub read: Option<ArticleSet>,
    /// The given blocks of the heads of threads that the reader opened or closed. Threads are open at first if something in
    /// them is unread.
    pub toggled: BTreeSet<u32>,
    /// For a list of groups: what has been read of them, and which the reader takes.
    pub newsrc: Option<Arc<Newsrc>>,
    /// Which articles or groups are shown.
    pub show: Show,
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
    pub fn new(given: &'a Document) -> Rewriter<'a> {
        Rewriter { given, out: Builder::new(), blocks: Vec::new(), links: Vec::new() }
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
    pub fn finish(self) -> Option<Box<Arranged>> {
        let whole = !self.out.is_full();
        whole.then(|| Box::new(Arranged::written(self.given, self.out.finish(), self.blocks, self.links)))
    }
}
