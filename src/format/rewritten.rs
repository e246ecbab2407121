//! Pages whose rows depend on more than what the server sent: on the day, on what was read, on what came later.

use crate::doc::{BlockKind, Builder, Document, LinkId, Marker};
use crate::news::ArticleSet;
use crate::role::Role;
use jiff::Zoned;
use std::collections::BTreeSet;

/// What a reader brings to a page of news.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The time, in the reader's zone; without it dates are told in numbers.
    pub now: Option<Zoned>,
    /// The articles of the group that have been read; without it none is marked.
    pub read: Option<ArticleSet>,
    /// The given blocks of the heads of threads that the reader opened or closed. Threads are open at first if something in
    /// them is unread.
    pub toggled: BTreeSet<u32>,
    /// How the articles stand.
    pub arrangement: Arrangement,
    /// Which are shown.
    pub show: Show,
}

/// How the articles of a group stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arrangement {
    /// Answers under what they answer, the thread with the newest article first.
    #[default]
    Threads,
    /// One after the other, the newest first.
    Dates,
}

/// Which articles of a group are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    /// All.
    #[default]
    All,
    /// Threads with something unread in them.
    Unread,
}

/// A page written anew, and the way back to the one that it was made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rewritten {
    /// The page.
    pub document: Document,
    /// The given block that each block stands for.
    pub blocks: Vec<u32>,
    /// The given link that each link stands for.
    pub links: Vec<LinkId>,
}

/// Writes a page anew.
pub(super) struct Rewriter<'a> {
    pub given: &'a Document,
    pub out: Builder,
    blocks: Vec<u32>,
    links: Vec<LinkId>,
}

impl<'a> Rewriter<'a> {
    /// Begins with what the given page says besides its text.
    pub fn new(given: &'a Document) -> Rewriter<'a> {
        let mut out = Builder::new();
        let document = out.document_mut();
        document.title.clone_from(&given.title);
        document.columns.clone_from(&given.columns);
        document.notes.clone_from(&given.notes);
        Rewriter { given, out, blocks: Vec::new(), links: Vec::new() }
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

    /// Copies what a given block says, from an octet on.
    pub fn copy(&mut self, block: u32, from: usize) {
        let range = self.given.block_range(block);
        let mut at = range.start + from;
        for span in self.given.spans_in(at..range.end) {
            let (start, end) = ((span.start as usize).max(at), (span.end as usize).min(range.end));
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

    /// The page.
    pub fn finish(self) -> Rewritten {
        Rewritten { document: self.out.finish(), blocks: self.blocks, links: self.links }
    }
}
