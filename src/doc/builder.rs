//! `Builder`: how formats write a document, block by block, while it arrives.

use super::document::LinkEntry;
use super::{Anchor, Block, BlockKind, Document, LinkId, Marker, Span};
use crate::role::Role;

/// Appends to a document. Text given to it must be sanitised and free of line breaks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Builder {
    document: Document,
}

impl Builder {
    /// An empty document.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The document so far.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document's own facts (title, columns, notes, base) to be set.
    pub fn document_mut(&mut self) -> &mut Document {
        &mut self.document
    }

    /// Begins a block; what is written next belongs to it.
    pub fn block(&mut self, kind: BlockKind, role: Role) {
        self.marked(kind, role, Marker::None, 0);
    }

    /// Begins a block with a marker and an indent.
    pub fn marked(&mut self, kind: BlockKind, role: Role, marker: Marker, indent: u8) {
        let start = self.document.text.len() as u32;
        self.document.blocks.push(Block { start, kind, indent, marker, role });
    }

    /// Writes text in the block's own look.
    pub fn text(&mut self, text: &str) {
        self.document.text.push_str(text);
    }

    /// Writes text with a look of its own.
    pub fn styled(&mut self, text: &str, role: Role) {
        self.span(text, role, None);
    }

    /// Writes a link: its text, its look, and the reference exactly as the document has it.
    pub fn link(&mut self, text: &str, role: Role, reference: &str) -> LinkId {
        let id = LinkId(self.document.links.len() as u32);
        let target = self.document.targets.len() as u32;
        self.document.targets.push_str(reference);
        self.document.links.push(LinkEntry { target, span: self.document.spans.len() as u32 });
        self.span(text, role, Some(id));
        id
    }

    /// Writes more text of an earlier link (its text goes on after a styled piece or in the next block).
    pub fn link_more(&mut self, text: &str, role: Role, link: LinkId) {
        self.span(text, role, Some(link));
    }

    fn span(&mut self, text: &str, role: Role, link: Option<LinkId>) {
        let start = self.document.text.len() as u32;
        self.document.text.push_str(text);
        self.document.spans.push(Span { start, end: self.document.text.len() as u32, role, link });
    }

    /// Names the place where the next text goes.
    pub fn anchor(&mut self, name: &str) {
        let block = self.document.blocks.len().saturating_sub(1) as u32;
        let offset = (self.document.text.len() - self.document.block_range(block).start) as u32;
        self.document.anchors.push((name.into(), Anchor { block, offset }));
    }

    /// The whole document.
    pub fn finish(self) -> Document {
        self.document
    }
}
