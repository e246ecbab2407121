//! `Builder`: how formats write a document, block by block, while it arrives.

use super::document::LinkEntry;
use super::table::Table;
use super::{Align, Aside, Block, BlockKind, Document, Fold, FoldKind, LinkId, Marker, Sides, Span};
use crate::doc::index;
use crate::role::Role;

/// The most pictures of a document that are known as such.
const MOST_IMAGES: usize = 1000;
/// The longest reference of a picture within a link, in octets.
const LONGEST_IMAGE: usize = 16 << 10;

/// Appends to a document. Text given to it must be sanitised and free of line breaks.
///
/// Offsets have 32 bits. What would pass 4 GiB of text or of references is left out, and the builder is full from then on.
#[derive(Debug, Clone, PartialEq)]
pub struct Builder {
    document: Document,
    room: usize,
    /// How much memory the document may hold, in octets.
    most: usize,
    full: bool,
    /// The folds that have begun and not ended, the innermost last, as indices.
    unended: Vec<usize>,
    /// The tables that have begun and not ended, the innermost last.
    unended_tables: Vec<u16>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder {
            document: Document::default(),
            room: u32::MAX as usize,
            most: usize::MAX,
            full: false,
            unended: Vec::new(),
            unended_tables: Vec::new(),
        }
    }
}

/// What is written comes after what is there.
impl From<Document> for Builder {
    fn from(document: Document) -> Builder {
        Builder { document, ..Builder::default() }
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

    /// About how much memory the document holds, in octets, without looking at anything but counters.
    pub fn weight(&self) -> usize {
        self.document.bulk()
    }

    /// How much memory the document may hold, in octets: what would pass it is left out, and the builder is full from then on.
    pub fn bound(&mut self, most: usize) {
        self.most = most;
    }

    /// How much more memory the document may hold, in octets.
    pub fn room(&self) -> usize {
        self.most.saturating_sub(self.weight())
    }

    /// Whether a text finds room; if not, the builder is full.
    fn fits(&mut self, text: &str) -> bool {
        if self.most < usize::MAX {
            // A text that has to be moved is there twice, and has as much room again.
            let all = &self.document.text;
            let moved = if text.len() > all.capacity() - all.len() { 2 * all.capacity() } else { 0 };
            self.full |= self.weight() + moved + text.len() > self.most;
        }
        !self.full
    }

    /// Begins a block; what is written next belongs to it.
    pub fn block(&mut self, kind: BlockKind, role: Role) {
        self.marked(kind, role, Marker::None, 0);
    }

    /// Begins a block with a marker and an indent.
    pub fn marked(&mut self, kind: BlockKind, role: Role, marker: Marker, indent: u8) {
        self.document.measure_row();
        self.full |= self.document.blocks.len() >= self.room;
        if !self.fits("") {
            return;
        }
        let start = index(self.document.text.len());
        self.document.blocks.push(Block { start, kind, indent, marker, role, sides: Sides::default() });
    }

    /// Says which edge of the page the block that began last keeps to.
    pub fn align(&mut self, align: Align) {
        if let Some(block) = self.document.blocks.last_mut().filter(|_| !self.full) {
            block.sides = block.sides.with(align);
        }
    }

    /// Gives the block that began last the bars of the quotes it stands in.
    pub fn bars(&mut self, bars: Sides) {
        if let Some(block) = self.document.blocks.last_mut().filter(|_| !self.full) {
            block.sides = bars.with(block.sides.align());
        }
    }

    /// Writes text in the block's own look. Text before the first block begins a paragraph.
    pub fn text(&mut self, text: &str) {
        if self.document.blocks.is_empty() {
            self.block(BlockKind::Paragraph, Role::Text);
        }
        if self.fits(text) {
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
        let id = LinkId(index(self.document.links.len()));
        let target = self.document.targets.len();
        let fits =
            self.fits(reference) && reference.len() <= self.room - target && self.document.links.len() < self.room;
        if fits {
            self.document.targets.push_str(reference);
            self.document.links.push(LinkEntry { target: index(target), span: index(self.document.spans.len()) });
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

    /// A link that has been written stands for a picture: one with a reference of its own, or that of the link. Of several in one link
    /// the first one counts.
    pub fn image(&mut self, link: LinkId, reference: &str) {
        let images = &self.document.images;
        let is_next = images.last().is_none_or(|(last, _)| *last < link);
        if is_next && images.len() < MOST_IMAGES && reference.len() <= LONGEST_IMAGE && self.fits(reference) {
            self.document.images.push((link, reference.into()));
        }
    }

    /// Whether another document can be appended; if not, the builder is full.
    pub(super) fn has_room_for(&mut self, inner: &Document) -> bool {
        let document = &self.document;
        self.full |= inner.text.len() > self.room.saturating_sub(document.text.len())
            || inner.blocks.len() > self.room.saturating_sub(document.blocks.len());
        self.full |= self.most < usize::MAX && inner.bulk() > self.room();
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
        let start = index(self.document.text.len());
        self.text(text);
        self.document.spans.push(Span { start, end: index(self.document.text.len()), role, link });
    }

    /// Names the place where the next text goes.
    pub fn anchor(&mut self, name: &str) {
        let anchor = self.document.anchor_at(self.document.text.len());
        self.document.anchors.push((name.into(), anchor));
    }

    /// Begins a table, which stands at an edge, whose blocks have an indent, and which has lines between its rows or not; gives
    /// its number. `None` when there are too many, or it would stand in too many others.
    pub fn table(&mut self, align: Align, indent: u8, lines: bool) -> Option<u16> {
        let number = u16::try_from(self.document.tables.len()).ok()?;
        let outer =
            self.unended_tables.last().and_then(|outer| Some((*outer, self.document.tables.get(usize::from(*outer))?)));
        let mut table = Table::new(self.next_block(), outer, align, indent)?;
        table.lines = lines;
        self.document.tables.push(table);
        self.unended_tables.push(number);
        Some(number)
    }

    /// Begins a row of a table, before the next block.
    pub fn begin_row(&mut self, table: u16, foot: bool) {
        let block = self.next_block();
        if let Some(table) = self.document.tables.get_mut(usize::from(table)) {
            table.begin_row(block, foot);
        }
    }

    /// Begins a cell of the row that has begun last, before the next block: from a column on in so many columns and rows;
    /// a title of others or not.
    pub fn begin_cell(&mut self, table: u16, column: usize, columns: usize, rows: usize, title: bool) {
        let block = self.next_block();
        if let Some(table) = self.document.tables.get_mut(usize::from(table)) {
            table.begin_cell(block, column, columns, rows, title);
        }
    }

    /// Ends a row: its cells are measured.
    pub fn end_row(&mut self, table: u16) {
        self.document.end_row(table);
    }

    /// Ends a table and those within it.
    pub fn end_table(&mut self, table: u16) {
        let end = self.next_block();
        while let Some(number) = self.unended_tables.pop_if(|number| *number >= table) {
            if let Some(table) = self.document.tables.get_mut(usize::from(number)) {
                table.finish(end);
            }
        }
    }

    /// The number of the block that begins next.
    fn next_block(&self) -> u32 {
        index(self.document.blocks.len())
    }

    /// Begins a fold: the blocks from the next one until [`Builder::end_fold`] can be put out of sight. Its head is a link in
    /// the block before them, written with an empty reference.
    pub fn begin_fold(&mut self, kind: FoldKind, head: LinkId, open: bool) {
        let first = index(self.document.blocks.len());
        self.unended.push(self.document.folds.len());
        self.document.folds.push(Fold { kind, head, first, end: u32::MAX, open });
    }

    /// Ends the innermost fold with the block before the next one.
    pub fn end_fold(&mut self) {
        let end = index(self.document.blocks.len());
        if let Some(fold) = self.unended.pop().and_then(|fold| self.document.folds.get_mut(fold)) {
            fold.end = end;
        }
    }

    /// Begins a fold that is open and has no line of its own, until [`Builder::end_aside`] gets the number that this gives.
    pub fn begin_aside(&mut self, aside: Aside) -> usize {
        let number = self.document.folds.len();
        self.begin_fold(FoldKind::Aside(aside), LinkId(self.document.link_count()), true);
        number
    }

    /// Ends such a fold, and those within it. One without any link is empty: there is nothing in it that is in the way.
    pub fn end_aside(&mut self, number: usize) {
        while self.unended.last().is_some_and(|fold| *fold >= number) {
            self.end_fold();
        }
        let links = self.document.link_count();
        if let Some(fold) = self.document.folds.get_mut(number).filter(|fold| fold.head.0 >= links) {
            fold.end = fold.first;
        }
    }

    /// The content begins where the next text goes.
    pub fn begin_content(&mut self) {
        self.document.content = Some(self.document.anchor_at(self.document.text.len()));
    }

    /// Gives back the memory that growing left over: nothing more will be written.
    pub fn shrink(&mut self) {
        self.document.shrink();
    }

    /// The whole document, with no more memory than it needs.
    pub fn finish(mut self) -> Document {
        self.document.measure_row();
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
