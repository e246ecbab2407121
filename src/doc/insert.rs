//! One document at the end of another: a part of a message on the message's page.

use super::document::LinkEntry;
use super::{Anchor, Block, BlockKind, Builder, Document, FieldKind, LinkId, Span};
use crate::role::Role;
use crate::url::BaseStack;
use std::ops::Range;

/// What becomes of a reference of the inner document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What the outer document has in its place.
    pub written: String,
    /// Whether it leads somewhere.
    pub leads: bool,
}

/// The links of a document that stands within another: what they said there, and by which bases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inset {
    /// Numbers of the links.
    links: Range<u32>,
    /// Their references as written, in that order.
    written: Vec<Box<str>>,
    /// The bases of the inner document.
    bases: BaseStack,
}

impl Document {
    /// The reference of a link as it is written in a document that stands within this one, and its bases there.
    pub fn inset(&self, link: LinkId) -> Option<(&str, &BaseStack)> {
        let inset = self.insets.iter().find(|inset| inset.links.contains(&link.0))?;
        Some((inset.written.get((link.0 - inset.links.start) as usize)?, &inset.bases))
    }
}

impl Builder {
    /// Appends a document with all that its text needs: links, places, folds, tables, forms. Title, base and notes stay out.
    /// References are what `lead` makes of them, since they had other bases, which are kept to be shown.
    pub fn insert(&mut self, inner: Document, indent: u8, bases: BaseStack, mut lead: impl FnMut(&str) -> Reference) {
        if !self.has_room_for(&inner) {
            return;
        }
        let leads: Vec<Reference> =
            (0..inner.links.len() as u32).map(|link| lead(inner.reference(LinkId(link)).unwrap_or_default())).collect();
        if leads.iter().map(|reference| reference.written.len()).sum::<usize>() > self.room_for_references() {
            return self.fill();
        }
        let written =
            (0..inner.links.len() as u32).map(|link| inner.reference(LinkId(link)).unwrap_or_default().into());
        let written: Vec<Box<str>> = written.collect();
        let outer = self.document_mut();
        if !written.is_empty() {
            let first = outer.links.len() as u32;
            outer.insets.push(Inset { links: first..first + written.len() as u32, written, bases });
        }
        let (text, blocks, spans) = (outer.text.len() as u32, outer.blocks.len() as u32, outer.spans.len() as u32);
        let (links, tables, forms) = (outer.links.len() as u32, outer.tables.len(), outer.forms.len() as u32);
        let linked = |link: LinkId| LinkId(link.0 + links);
        let kind = |kind: BlockKind| match kind {
            BlockKind::Cells(table) => {
                u16::try_from(table as usize + tables).map_or(BlockKind::Paragraph, BlockKind::Cells)
            }
            kind => kind,
        };
        outer.blocks.extend(inner.blocks.iter().map(|block| Block {
            start: block.start + text,
            kind: kind(block.kind),
            indent: block.indent.saturating_add(indent),
            ..*block
        }));
        outer.spans.extend(inner.spans.iter().map(|span| {
            let broken = span.link.is_some_and(|link| leads.get(link.0 as usize).is_some_and(|lead| !lead.leads));
            let role = if broken && span.role == Role::Link { Role::LinkBroken } else { span.role };
            Span { start: span.start + text, end: span.end + text, role, link: span.link.map(linked) }
        }));
        for (link, lead) in inner.links.iter().zip(&leads) {
            let target = outer.targets.len() as u32;
            outer.targets.push_str(&lead.written);
            outer.links.push(LinkEntry { target, span: link.span + spans });
        }
        let place = |anchor: Anchor| Anchor { block: anchor.block + blocks, ..anchor };
        outer.anchors.extend(inner.anchors.into_iter().map(|(name, anchor)| (name, place(anchor))));
        outer.folds.extend(inner.folds.into_iter().map(|mut fold| {
            fold.head = linked(fold.head);
            fold.first += blocks;
            fold.end = fold.end.saturating_add(blocks);
            fold
        }));
        for mut table in inner.tables {
            table.merged.iter_mut().for_each(|cell| cell.block += blocks);
            outer.tables.push(table);
        }
        for mut form in inner.forms {
            form.action = if form.action.is_empty() { form.action } else { lead(&form.action).written };
            outer.forms.push(form);
        }
        for mut field in inner.fields {
            field.link = field.link.map(linked);
            field.form = field.form.map(|form| form + forms);
            if let FieldKind::Submit { sending, .. } | FieldKind::Image(sending) = &mut field.kind
                && let Some(action) = &mut sending.action
                && !action.is_empty()
            {
                *action = lead(action).written;
            }
            outer.fields.push(field);
        }
        outer.text.push_str(&inner.text);
    }
}
