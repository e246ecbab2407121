//! `Arranged`: a document in another order, with parts left out, and the way back to the document it was made of.
//!
//! Sorting, filtering and folding are one mechanism for all formats: blocks are copied, never written anew, and every shown
//! block and link knows which one it was. So the reader's place and focus survive every re-arrangement. A page that is
//! shown as it was written has none of this and pays nothing.

use super::document::LinkEntry;
use super::{Anchor, Block, Document, FoldKind, LinkId, Search, Shift, Span, Table};
use crate::role::Role;
use std::collections::BTreeSet;
use std::ops::Range;

/// A link that is not shown.
const ABSENT: u32 = u32::MAX;

/// Blocks of a document in another order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arranged {
    document: Document,
    /// The given block of each shown one.
    blocks: Vec<u32>,
    /// The given link of each shown one.
    links: Vec<LinkId>,
    /// The shown link of each given one.
    shown: Vec<u32>,
    /// The first span of each given block: looking for it would cost more than copying the block.
    spans: Vec<u32>,
}

impl Arranged {
    /// A page that was written anew, not copied: the given block and link that each of its blocks and links stands for.
    pub fn written(given: &Document, document: Document, blocks: Vec<u32>, links: Vec<LinkId>) -> Arranged {
        let mut shown = vec![ABSENT; given.links.len()];
        for (number, link) in links.iter().enumerate() {
            if let Some(shown) = shown.get_mut(link.0 as usize) {
                *shown = number as u32;
            }
        }
        let mut written = Arranged { document, blocks, links, shown, spans: Vec::new() };
        written.facts(given);
        written
    }

    /// Nothing yet, with room for a number of blocks: moving a large text while it grows would be felt.
    pub fn with_room(given: &Document, blocks: usize) -> Arranged {
        let mut arranged = Arranged::default();
        let part = |count: usize| (count as u128 * blocks as u128 / given.blocks.len().max(1) as u128) as usize;
        arranged.document.text.reserve(part(given.text.len()));
        arranged.document.targets.reserve(part(given.targets.len()));
        arranged.document.blocks.reserve(blocks);
        arranged.document.spans.reserve(part(given.spans.len()));
        arranged.document.links.reserve(part(given.links.len()));
        arranged.blocks.reserve(blocks);
        arranged.links.reserve(part(given.links.len()));
        arranged.spans.reserve(given.blocks.len());
        arranged
    }

    /// Adds blocks of the given document, in this order. The closed folds' heads say how much is out of sight; `key` is
    /// what the reader presses to open one.
    pub fn extend(&mut self, given: &Document, blocks: &[u32], folded: &Folded, key: &str) {
        self.shown.resize(given.links.len(), ABSENT);
        self.prepare(given, usize::MAX);
        for block in blocks.iter().copied().filter(|block| !folded.hides(*block)) {
            self.copy(given, block);
            self.tell(folded, block, key);
        }
    }

    /// A page that was written anew without what closed folds put out of sight.
    pub fn folded(self, given: &Document, folded: &Folded, key: &str) -> Arranged {
        if folded.is_empty() {
            return self;
        }
        let mut kept = Arranged::with_room(&self.document, self.blocks.len());
        kept.shown = vec![ABSENT; self.links.len()];
        kept.prepare(&self.document, usize::MAX);
        for (at, block) in self.blocks.iter().enumerate().filter(|(_, block)| !folded.hides(**block)) {
            kept.copy(&self.document, at as u32);
            kept.tell(folded, *block, key);
        }
        let blocks = kept.blocks.iter().map(|at| self.blocks[*at as usize]).collect();
        let links = kept.links.iter().map(|link| self.links[link.0 as usize]).collect();
        Arranged::written(given, kept.document, blocks, links)
    }

    /// Says at a closed fold's head how much it holds.
    fn tell(&mut self, folded: &Folded, block: u32, key: &str) {
        match folded.under(block) {
            Some(Under::Lines(lines)) => {
                self.say(&format!(" ({lines} more line{}: {key})", if lines == 1 { "" } else { "s" }));
            }
            Some(Under::Said) => self.say(&format!(" ({key})")),
            None => {}
        }
    }

    /// Looks up where the spans of the next so many blocks begin; true when that is known of all. Otherwise the first
    /// [`Arranged::extend`] does it at once, which takes its time on a long page.
    pub fn prepare(&mut self, given: &Document, blocks: usize) -> bool {
        let mut span = self.spans.last().map_or(0, |span| *span as usize);
        for block in given.blocks.iter().skip(self.spans.len()).take(blocks) {
            while given.spans.get(span).is_some_and(|span| span.start < block.start) {
                span += 1;
            }
            self.spans.push(span as u32);
        }
        self.spans.len() >= given.blocks.len()
    }

    fn copy(&mut self, given: &Document, block: u32) {
        let Some(original) = given.blocks.get(block as usize) else { return };
        let range = given.block_range(block);
        let start = self.document.text.len();
        // What is copied once at most cannot outgrow what was given; the words at folds' heads may.
        if u32::try_from(start + range.len()).is_err() {
            return;
        }
        let moved = |at: u32| (at as usize - range.start + start) as u32;
        self.document.blocks.push(Block { start: start as u32, ..*original });
        self.blocks.push(block);
        self.document.text.push_str(&given.text[range.clone()]);
        let first = self.spans[block as usize] as usize;
        for span in given.spans.iter().skip(first).take_while(|span| (span.start as usize) < range.end) {
            let link = span.link.map(|link| self.link(given, link));
            self.document.spans.push(Span { start: moved(span.start), end: moved(span.end), role: span.role, link });
        }
    }

    /// The shown link of a given one, whose first span is the next one.
    fn link(&mut self, given: &Document, link: LinkId) -> LinkId {
        let Some(known) = self.shown.get_mut(link.0 as usize) else { return link };
        if *known == ABSENT {
            *known = self.links.len() as u32;
            self.links.push(link);
            let target = self.document.targets.len() as u32;
            self.document.targets.push_str(given.reference(link).unwrap_or_default());
            self.document.links.push(LinkEntry { target, span: self.document.spans.len() as u32 });
        }
        LinkId(*known)
    }

    fn say(&mut self, words: &str) {
        let start = self.document.text.len() as u32;
        self.document.text.push_str(words);
        let end = self.document.text.len() as u32;
        self.document.spans.push(Span { start, end, role: Role::Dim, link: None });
    }

    /// Takes over what the given document says besides its text. To be called when all blocks so far are added.
    pub fn facts(&mut self, given: &Document) {
        self.document.anchors = self.anchors(given);
        let mut mirrors: Vec<(LinkId, String)> =
            given.mirrors.iter().filter_map(|(link, to)| Some((self.shown_link(*link)?, to.clone()))).collect();
        mirrors.sort_by_key(|(link, _)| *link);
        let mut attributed: Vec<LinkId> = given.attributed.iter().filter_map(|link| self.shown_link(*link)).collect();
        attributed.sort();
        (self.document.mirrors, self.document.attributed) = (mirrors, attributed);
        self.document.title.clone_from(&given.title);
        self.document.columns.clone_from(&given.columns);
        self.document.notes.clone_from(&given.notes);
        self.document.base.clone_from(&given.base);
        self.document.entity.clone_from(&given.entity);
        self.document.tables = self.tables(given);
        self.document.related.clone_from(&given.related);
        self.document.forms.clone_from(&given.forms);
        self.document.fields.clone_from(&given.fields);
        for number in 0..given.fields.len() {
            self.document.fields[number].link = given.fields[number].link.and_then(|link| self.shown_link(link));
        }
    }

    /// Tables, their cells where they are shown.
    fn tables(&self, given: &Document) -> Vec<Table> {
        let mut tables = given.tables.clone();
        if tables.iter().all(|table| table.merged.is_empty() && table.rows.is_empty()) {
            return tables;
        }
        let mut places = vec![ABSENT; given.blocks.len()];
        for (at, block) in (0..).zip(&self.blocks) {
            places[*block as usize] = at;
        }
        for table in &mut tables {
            table
                .merged
                .iter_mut()
                .for_each(|cell| cell.block = places.get(cell.block as usize).copied().unwrap_or(ABSENT));
            table.merged.sort_by_key(|cell| (cell.block, cell.column));
            table.rows.iter_mut().for_each(|row| *row = places.get(*row as usize).copied().unwrap_or(ABSENT));
            // it is set as it is read, or not as a whole
            if !table.rows.is_sorted_by(|one, next| one < next) || table.rows.last() == Some(&ABSENT) {
                table.structure = None;
            }
        }
        tables
    }

    /// Named places. One that is out of sight is where the last line before it is shown: at the head of its fold.
    fn anchors(&self, given: &Document) -> Vec<(String, Anchor)> {
        if given.anchors.is_empty() {
            return Vec::new();
        }
        let mut places = vec![ABSENT; given.blocks.len()];
        for (at, block) in (0..).zip(&self.blocks) {
            places[*block as usize] = at;
        }
        let place = |anchor: &Anchor| {
            let before = places.get(..=anchor.block as usize)?;
            let at = before.iter().rposition(|at| *at != ABSENT)?;
            let offset = if at == anchor.block as usize { anchor.offset } else { 0 };
            Some(Anchor { block: before[at], offset })
        };
        given.anchors.iter().filter_map(|(name, anchor)| Some((name.clone(), place(anchor)?))).collect()
    }

    /// [`Document::rewrite`] by the number of the given link.
    pub fn rewrite(&mut self, given: LinkId, text: &str) -> Option<Shift> {
        let link = self.shown_link(given)?;
        self.document.rewrite(link, text)
    }

    /// What is shown. Its folds are the given document's business.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What is shown, on its own.
    pub fn into_document(self) -> Document {
        self.document
    }

    /// The given block of each shown one.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// The given place of a shown one.
    pub fn given_anchor(&self, shown: Anchor) -> Anchor {
        match self.blocks.get(shown.block as usize).or(self.blocks.last()) {
            Some(block) => Anchor { block: *block, ..shown },
            None => Anchor::default(),
        }
    }

    /// Where a given place is shown; `None` when it is not.
    pub fn shown_anchor(&self, given: Anchor) -> Option<Anchor> {
        let at = self.blocks.iter().position(|block| *block == given.block)?;
        Some(Anchor { block: at as u32, ..given })
    }

    /// The given link of a shown one.
    pub fn given_link(&self, shown: LinkId) -> Option<LinkId> {
        self.links.get(shown.0 as usize).copied()
    }

    /// The number by which a given link is shown; `None` when it is not.
    pub fn shown_link(&self, given: LinkId) -> Option<LinkId> {
        self.shown.get(given.0 as usize).filter(|shown| **shown != ABSENT).map(|shown| LinkId(*shown))
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        self.document.memory()
            + 4 * (self.blocks.capacity() + self.links.capacity())
            + 4 * (self.shown.capacity() + self.spans.capacity())
    }

    /// Gives back what growing left over.
    pub fn shrink(&mut self) {
        self.document.shrink();
        self.blocks.shrink_to_fit();
        self.links.shrink_to_fit();
        self.spans = Vec::new();
    }
}

/// What closed folds put out of sight.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Folded {
    /// Blocks out of sight: ordered, apart from each other.
    hidden: Vec<Range<u32>>,
    /// Blocks with a closed fold's head, in order, and what it has to say.
    heads: Vec<(u32, Under)>,
}

/// What is under a fold's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Under {
    /// So many lines.
    Lines(u32),
    /// The head itself counts them.
    Said,
}

impl Folded {
    /// The folds that are closed when those with these numbers are not as they were written.
    pub fn of(given: &Document, toggled: &BTreeSet<u32>) -> Folded {
        let last = given.blocks().len() as u32;
        let closed = (0..).zip(&given.folds).filter(|(number, fold)| fold.open == toggled.contains(number));
        let mut folded = Folded::default();
        for (_, fold) in closed {
            let blocks = fold.first..fold.end.min(last);
            let head = given.link_anchor(fold.head).map(|anchor| anchor.block);
            // A fold whose head is within it could never be opened again.
            if let Some(head) = head.filter(|head| !blocks.is_empty() && !blocks.contains(head)) {
                let counts = matches!(fold.kind, FoldKind::Headers | FoldKind::Quote);
                folded.heads.push((head, if counts { Under::Said } else { Under::Lines(blocks.len() as u32) }));
                folded.hidden.push(blocks);
            }
        }
        folded.heads.sort_unstable();
        folded.hidden.sort_unstable_by_key(|blocks| blocks.start);
        folded.hidden.dedup_by(|next, kept| {
            let within = next.start <= kept.end;
            kept.end = if within { kept.end.max(next.end) } else { kept.end };
            within
        });
        folded
    }

    /// Whether every fold is open.
    pub fn is_empty(&self) -> bool {
        self.hidden.is_empty()
    }

    fn hides(&self, block: u32) -> bool {
        let at = self.hidden.partition_point(|hidden| hidden.end <= block);
        self.hidden.get(at).is_some_and(|hidden| hidden.start <= block)
    }

    /// The lines of the closed fold whose head is in a block.
    fn under(&self, block: u32) -> Option<Under> {
        let at = self.heads.binary_search_by_key(&block, |(head, _)| *head).ok()?;
        Some(self.heads[at].1)
    }
}

/// Words that narrow a page: all of them must stand in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter(Vec<Search>);

impl Filter {
    /// The filter of words as typed; without any, everything passes.
    pub fn new(words: &str) -> Filter {
        Filter(words.split_whitespace().filter_map(Search::new).collect())
    }

    /// Whether everything passes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a piece of a document's text passes.
    pub fn passes(&self, document: &Document, range: Range<usize>) -> bool {
        self.passes_in(&[(document, range)])
    }

    /// Whether each of the words stands in one of several pieces that belong together.
    pub fn passes_in(&self, pieces: &[(&Document, Range<usize>)]) -> bool {
        self.0.iter().all(|search| pieces.iter().any(|(document, range)| search.is_in(document, range.clone())))
    }
}
