//! `Builder`: how formats write a document, block by block, while it arrives.

use super::cells::{Merged, Table};
use super::document::LinkEntry;
use super::table::{Part, Placed, Structure};
use super::{Align, Block, BlockKind, Document, Fold, FoldKind, LinkId, Marker, Span};
use crate::role::Role;
use std::sync::Arc;

/// Appends to a document. Text given to it must be sanitised and free of line breaks.
///
/// Offsets have 32 bits. What would pass 4 GiB of text or of references is left out, and the builder is full from then on.
#[derive(Debug, Clone, PartialEq)]
pub struct Builder {
    document: Document,
    room: usize,
    full: bool,
    /// The folds that have begun and not ended, the innermost last, as indices.
    unended: Vec<usize>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder { document: Document::default(), room: u32::MAX as usize, full: false, unended: Vec::new() }
    }
}

impl Builder {
    /// An empty document.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Makes room for about as much as another document holds, and half of its text more: moving a large text while it grows
    /// would be felt. What is not used is given back when the document is finished.
    pub fn reserve_for(&mut self, other: &Document) {
        self.document.text.reserve(other.text.len() / 2 * 3);
        self.document.blocks.reserve(other.blocks.len() + other.blocks.len() / 8);
        self.document.spans.reserve(other.spans.len() + 2 * other.blocks.len());
        self.document.targets.reserve(other.targets.len());
        self.document.links.reserve(other.links.len());
    }

    /// The document so far.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document's own facts (title, columns, notes, base) to be set.
    pub fn document_mut(&mut self) -> &mut Document {
        &mut self.document
    }

    /// Whether something was left out because the document has no room for it.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Begins a block; what is written next belongs to it.
    pub fn block(&mut self, kind: BlockKind, role: Role) {
        self.marked(kind, role, Marker::None, 0);
    }

    /// Begins a block with a marker and an indent.
    pub fn marked(&mut self, kind: BlockKind, role: Role, marker: Marker, indent: u8) {
        self.full |= self.document.blocks.len() >= self.room;
        if self.full {
            return;
        }
        let start = self.document.text.len() as u32;
        self.document.blocks.push(Block { start, kind, indent, marker, role, align: Align::Left });
    }

    /// Says which edge of the page the block that began last keeps to.
    pub fn align(&mut self, align: Align) {
        if let Some(block) = self.document.blocks.last_mut().filter(|_| !self.full) {
            block.align = align;
        }
    }

    /// Writes text in the block's own look. Text before the first block begins a paragraph.
    pub fn text(&mut self, text: &str) {
        if self.document.blocks.is_empty() {
            self.block(BlockKind::Paragraph, Role::Text);
        }
        if !self.full {
            self.full = !append(&mut self.document.text, text, self.room);
        }
    }

    /// Writes text with a look of its own.
    pub fn styled(&mut self, text: &str, role: Role) {
        self.span(text, role, None);
    }

    /// Writes a link: its text, its look, and the reference exactly as the document has it.
    ///
    /// A reference that finds no room is left out with its text; the number that is returned then names none.
    pub fn link(&mut self, text: &str, role: Role, reference: &str) -> LinkId {
        let id = LinkId(self.document.links.len() as u32);
        let target = self.document.targets.len();
        let fits = !self.full && reference.len() <= self.room - target && self.document.links.len() < self.room;
        if fits {
            self.document.targets.push_str(reference);
            self.document.links.push(LinkEntry { target: target as u32, span: self.document.spans.len() as u32 });
        }
        self.full |= !fits;
        self.span(text, role, fits.then_some(id));
        id
    }

    /// Writes more text of an earlier link (its text goes on after a styled piece or in the next block).
    pub fn link_more(&mut self, text: &str, role: Role, link: LinkId) {
        let known = (link.0 as usize) < self.document.links.len();
        self.span(text, role, known.then_some(link));
    }

    /// Whether another document can be appended; if not, the builder is full.
    pub(super) fn has_room_for(&mut self, inner: &Document) -> bool {
        let document = &self.document;
        self.full |= inner.text.len() > self.room.saturating_sub(document.text.len())
            || inner.blocks.len() > self.room.saturating_sub(document.blocks.len());
        !self.full
    }

    /// Octets left for references.
    pub(super) fn room_for_references(&self) -> usize {
        self.room.saturating_sub(self.document.targets.len())
    }

    /// Nothing more is written.
    pub(super) fn fill(&mut self) {
        self.full = true;
    }

    fn span(&mut self, text: &str, role: Role, link: Option<LinkId>) {
        if self.full {
            return;
        }
        let start = self.document.text.len() as u32;
        self.text(text);
        self.document.spans.push(Span { start, end: self.document.text.len() as u32, role, link });
    }

    /// Names the place where the next text goes.
    pub fn anchor(&mut self, name: &str) {
        let anchor = self.document.anchor_at(self.document.text.len());
        self.document.anchors.push((name.into(), anchor));
    }

    /// Begins a table; gives its number for its rows. `None` when there are too many.
    pub fn table(&mut self) -> Option<u16> {
        let number = u16::try_from(self.document.tables.len()).ok()?;
        self.document.tables.push(Table::default());
        Some(number)
    }

    /// Says of the cell that begins in a column of the row being written that it stands in several, or keeps to an edge.
    pub fn cell(&mut self, table: u16, column: usize, span: usize, align: Option<Align>) {
        let block = self.document.blocks.len().saturating_sub(1) as u32;
        if let Some(table) = self.document.tables.get_mut(table as usize)
            && (span > 1 || align.is_some())
        {
            let align = align.unwrap_or(Align::Left);
            table.merged.push(Merged { block, column: column as u16, span: span as u16, align });
        }
    }

    /// Ends a row of a table: its cells are measured.
    pub fn end_row(&mut self, table: u16) {
        let block = self.document.blocks.len().saturating_sub(1) as u32;
        let range = self.document.block_range(block);
        if let Some(table) = self.document.tables.get_mut(table as usize) {
            table.measure(block, &self.document.text[range]);
            table.rows.push(block);
        }
    }

    /// Says what begins or ends at this place of a table.
    pub fn part(&mut self, table: u16, part: Part) {
        let block = self.document.blocks.len().saturating_sub(1) as u32;
        let at = (self.document.text.len() - self.document.block_range(block).start) as u32;
        if let Some(table) = self.document.tables.get_mut(table as usize)
            && !Structure::is_beyond(table.parts.len())
        {
            table.parts.push(Placed { part, at });
        }
    }

    /// Ends a table: from now on it is set as a whole. Cells begin in the first `columns` of its columns only; those that
    /// want to stand in more have no more.
    pub fn end_table(&mut self, table: u16, columns: usize) {
        if let Some(table) = self.document.tables.get_mut(table as usize) {
            table.columns.truncate(columns);
            table.structure = Structure::new(std::mem::take(&mut table.parts), columns).map(Arc::new);
        }
    }

    /// Begins a fold: the blocks from the next one until [`Builder::end_fold`] can be put out of sight. Its head is a link in
    /// the block before them, written with an empty reference.
    pub fn begin_fold(&mut self, kind: FoldKind, head: LinkId, open: bool) {
        let first = self.document.blocks.len() as u32;
        self.unended.push(self.document.folds.len());
        self.document.folds.push(Fold { kind, head, first, end: u32::MAX, open });
    }

    /// Ends the innermost fold with the block before the next one.
    pub fn end_fold(&mut self) {
        let end = self.document.blocks.len() as u32;
        if let Some(fold) = self.unended.pop().and_then(|fold| self.document.folds.get_mut(fold)) {
            fold.end = end;
        }
    }

    /// Gives back the memory that growing left over: nothing more will be written.
    pub fn shrink(&mut self) {
        self.document.shrink();
    }

    /// The whole document, with no more memory than it needs.
    pub fn finish(mut self) -> Document {
        self.shrink();
        self.document
    }
}

/// Appends what fits within `room` octets in all; says whether it was everything.
fn append(to: &mut String, text: &str, room: usize) -> bool {
    let fits = text.floor_char_boundary(room.saturating_sub(to.len()));
    to.push_str(&text[..fits]);
    fits == text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_the_room_is_left_out() {
        let mut builder = Builder { room: 10, ..Builder::default() };
        builder.block(BlockKind::Line, Role::Text);
        builder.text("12345678");
        assert!(!builder.is_full());
        builder.text("9é0");
        assert!(builder.is_full());
        let link = builder.link("x", Role::Link, "a-reference-too-long");
        builder.link_more("y", Role::Link, link);
        let document = builder.finish();
        assert_eq!(document.text(), "123456789");
        assert_eq!(document.link_count(), 0);
        assert_eq!(document.reference(link), None);
    }
}
