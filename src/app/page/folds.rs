//! What the reader opened and closed of a page.

use super::entry::Page;
use crate::doc::{FoldKind, LinkId, index};
use std::ops::Range;

/// Which folds the reader wants otherwise than they are written: of messages from one to the next, around the content by host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::app) struct Folding {
    /// Quoted text is out of sight.
    pub quotes_hidden: bool,
    /// All headers are in sight.
    pub headers_shown: bool,
    /// What stands around the content is out of sight.
    pub asides_hidden: bool,
}

impl Folding {
    /// Whether folds of a kind are to be open; `None` where the reader has no wish.
    pub(in crate::app) fn opens(self, kind: FoldKind) -> Option<bool> {
        match kind {
            FoldKind::Quote | FoldKind::ShortQuote => Some(!self.quotes_hidden),
            FoldKind::Headers => Some(self.headers_shown),
            FoldKind::Aside(_) => Some(!self.asides_hidden),
            FoldKind::Thread | FoldKind::Repeated | FoldKind::Signature | FoldKind::Details | FoldKind::Notice => None,
        }
    }
}

impl Page {
    /// Opens and closes the folds that have come, and all of a kind whose wish has changed.
    pub(in crate::app) fn fold_by(&mut self, folding: Folding) {
        let (before, seen) = self.arrangement.folding;
        let folds = &self.given.folds;
        if (before, seen) == (folding, folds.len()) {
            return;
        }
        self.arrangement.folding = (folding, folds.len());
        let mut changed = false;
        for (number, fold) in folds.iter().enumerate() {
            let Some(opens) = folding.opens(fold.kind) else { continue };
            if number >= seen || before.opens(fold.kind) != Some(opens) {
                let number = index(number);
                let toggled = &mut self.arrangement.toggled;
                changed |= if fold.open == opens { toggled.remove(&number) } else { toggled.insert(number) };
            }
        }
        if changed {
            self.arrangement.anew();
        }
    }

    /// The number of the fold whose head is a shown link.
    pub(in crate::app) fn fold(&self, link: LinkId) -> Option<u32> {
        let shown = self.arrangement.shown.as_ref();
        self.fold_of(shown.map_or(Some(link), |shown| shown.given_link(link))?)
    }

    /// What stands around the content has a head only while it is closed; else that is a link as any other.
    pub(in crate::app) fn fold_of(&self, head: LinkId) -> Option<u32> {
        let toggled = &self.arrangement.toggled;
        let folds = (0..).zip(&self.given().folds).filter(|(_, fold)| fold.head == head);
        let mut folds = folds.filter(|(number, fold)| !fold.kind.is_aside() || toggled.contains(number));
        folds.next().map(|(number, _)| number)
    }

    /// The closed folds, by number, and the blocks in them.
    pub(in crate::app) fn closed_folds(&self) -> impl Iterator<Item = (u32, Range<u32>)> + '_ {
        let toggled = &self.arrangement.toggled;
        let closed = (0..).zip(&self.given.folds).filter(|(number, fold)| fold.open == toggled.contains(number));
        closed.map(|(number, fold)| (number, fold.first..fold.end))
    }

    /// Opens the closed folds that hold any of these blocks, which are in order; says whether there were any.
    pub(in crate::app) fn unfold(&mut self, blocks: &[u32]) -> bool {
        let holds = |fold: &Range<u32>| {
            let at = blocks.partition_point(|block| *block < fold.start);
            blocks.get(at).is_some_and(|block| fold.contains(block))
        };
        let holding: Vec<u32> = self.closed_folds().filter(|(_, fold)| holds(fold)).map(|(number, _)| number).collect();
        holding.iter().for_each(|fold| self.toggle(*fold));
        !holding.is_empty()
    }

    pub(in crate::app) fn toggle(&mut self, fold: u32) {
        if !self.arrangement.toggled.remove(&fold) {
            self.arrangement.toggled.insert(fold);
        }
        self.arrangement.anew();
    }

    /// Whether following a shown link opens or closes a fold.
    pub fn is_fold(&self, link: LinkId) -> bool {
        self.fold(link).is_some()
    }
}
