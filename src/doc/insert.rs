//! One document at the end of another: a part of a message on the message's page.

use super::document::LinkEntry;
use super::{Anchor, Block, BlockKind, Builder, Document, Field, FieldKind, Fold, LinkId, Span};
use crate::doc::index;
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

/// How far the numbers of an inner document move when it stands at the end of an outer one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offsets {
    /// Octets of text.
    pub text: u32,
    pub blocks: u32,
    pub spans: u32,
    pub links: u32,
    pub forms: u32,
    /// `None` when there are too many tables: those of the inner document are left out then, and their cells follow each other.
    pub tables: Option<u16>,
    /// Levels of indent.
    pub indent: u8,
    /// The block past the last one.
    pub end: u32,
}

/// What holds numbers of a document's text, blocks, links and so on. It names all its fields, so that one that is added does
/// not compile before it is said here whether it moves.
pub(super) trait Shifted {
    /// The same in the outer document.
    fn shifted(self, by: &Offsets) -> Self;
}

impl Offsets {
    /// How far an inner document moves when it is put at the end of an outer one.
    fn new(outer: &Document, inner: &Document, indent: u8) -> Offsets {
        let tables = u16::try_from(outer.tables.len()).ok();
        let last = outer.tables.len() + inner.tables.len().saturating_sub(1);
        Offsets {
            text: index(outer.text.len()),
            blocks: index(outer.blocks.len()),
            spans: index(outer.spans.len()),
            links: index(outer.links.len()),
            forms: index(outer.forms.len()),
            tables: tables.filter(|_| u16::try_from(last).is_ok()),
            indent,
            end: index(outer.blocks.len() + inner.blocks.len()),
        }
    }
}

impl Shifted for LinkId {
    fn shifted(self, by: &Offsets) -> LinkId {
        LinkId(self.0 + by.links)
    }
}

impl Shifted for Anchor {
    fn shifted(self, by: &Offsets) -> Anchor {
        let Anchor { block, offset } = self;
        Anchor { block: block + by.blocks, offset }
    }
}

impl Shifted for BlockKind {
    fn shifted(self, by: &Offsets) -> BlockKind {
        match self {
            BlockKind::Caption(table) => match by.tables.and_then(|tables| table.checked_add(tables)) {
                Some(table) => BlockKind::Caption(table),
                None => BlockKind::Paragraph,
            },
            BlockKind::Line
            | BlockKind::Preformatted
            | BlockKind::Paragraph
            | BlockKind::Heading(_)
            | BlockKind::Entry
            | BlockKind::Row
            | BlockKind::Item(_)
            | BlockKind::Labelled(_)
            | BlockKind::Rule => self,
            // nobody puts a document into another that pictures were put into
            BlockKind::Figure(_) => BlockKind::Paragraph,
        }
    }
}

impl Shifted for Block {
    fn shifted(self, by: &Offsets) -> Block {
        let Block { start, kind, indent, marker, role, sides } = self;
        let (start, kind, indent) = (start + by.text, kind.shifted(by), indent.saturating_add(by.indent));
        Block { start, kind, indent, marker, role, sides: sides.shifted(by.indent) }
    }
}

impl Shifted for Span {
    fn shifted(self, by: &Offsets) -> Span {
        let Span { start, end, role, link } = self;
        Span { start: start + by.text, end: end + by.text, role, link: link.map(|link| link.shifted(by)) }
    }
}

impl Shifted for Fold {
    fn shifted(self, by: &Offsets) -> Fold {
        let Fold { kind, head, first, end, open } = self;
        // one without an end has the largest number
        let (first, end) = (first + by.blocks, end.saturating_add(by.blocks));
        Fold { kind, head: head.shifted(by), first, end, open }
    }
}

impl Shifted for Inset {
    fn shifted(self, by: &Offsets) -> Inset {
        let Inset { links, written, bases } = self;
        Inset { links: links.start + by.links..links.end + by.links, written, bases }
    }
}

impl Shifted for Field {
    fn shifted(self, by: &Offsets) -> Field {
        let (link, form) = (self.link.map(|link| link.shifted(by)), self.form.map(|form| form + by.forms));
        Field { link, form, ..self }
    }
}

/// What a form or a button sends goes where the document around it leads that.
fn led(action: &mut String, lead: &mut impl FnMut(&str) -> Reference) {
    if !action.is_empty() {
        *action = lead(action).written;
    }
}

impl Builder {
    /// Appends a document with all that its text needs: links, places, folds, tables, forms. Title, base, notes and the like
    /// stay out. References are what `lead` makes of them, since they had other bases, which are kept to be shown.
    pub fn insert(&mut self, inner: Document, indent: u8, bases: BaseStack, mut lead: impl FnMut(&str) -> Reference) {
        if !self.has_room_for(&inner) {
            return;
        }
        let written = (0..inner.link_count()).map(|link| inner.reference(LinkId(link)).unwrap_or_default().into());
        let written: Vec<Box<str>> = written.collect();
        let leads: Vec<Reference> = written.iter().map(|reference| lead(reference)).collect();
        if leads.iter().map(|reference| reference.written.len()).sum::<usize>() > self.room_for_references() {
            return self.fill();
        }
        let outer = self.document_mut();
        let by = Offsets::new(outer, &inner, indent);
        // all of it, as in `Shifted`: a vector that is added does not compile before it is said here what becomes of it
        let Document {
            charset: _,
            packed: _,
            picture: _,
            figures: _,
            cut: _,
            text,
            blocks,
            spans,
            links,
            insets,
            anchors,
            content: _,
            folds,
            mirrors,
            images,
            attributed,
            tables,
            forms,
            fields,
            targets: _,
            title: _,
            guessed_title: _,
            columns: _,
            widest: _,
            notes: _,
            base: _,
            entity: _,
            related: _,
            refusal: _,
        } = inner;
        outer.insets.extend(insets.into_iter().map(|inset| inset.shifted(&by)));
        if !written.is_empty() {
            let links = by.links..by.links + index(written.len());
            outer.insets.push(Inset { links, written, bases });
        }
        outer.blocks.extend(blocks.into_iter().map(|block| block.shifted(&by)));
        outer.spans.extend(spans.into_iter().map(|span| {
            let broken = span.link.is_some_and(|link| leads.get(link.0 as usize).is_some_and(|lead| !lead.leads));
            let role = if broken && span.role == Role::Link { Role::LinkBroken } else { span.role };
            Span { role, ..span.shifted(&by) }
        }));
        for (LinkEntry { target: _, span }, lead) in links.into_iter().zip(&leads) {
            let target = index(outer.targets.len());
            outer.targets.push_str(&lead.written);
            outer.links.push(LinkEntry { target, span: span + by.spans });
        }
        outer.anchors.extend(anchors.into_iter().map(|(name, anchor)| (name, anchor.shifted(&by))));
        outer.folds.extend(folds.into_iter().map(|fold| fold.shifted(&by)));
        outer.mirrors.extend(mirrors.into_iter().map(|(link, to)| (link.shifted(&by), lead(&to).written)));
        outer.images.extend(images.into_iter().map(|(link, to)| {
            let to = if to.is_empty() { to } else { lead(&to).written };
            (link.shifted(&by), to)
        }));
        outer.attributed.extend(attributed.into_iter().map(|link| link.shifted(&by)));
        if by.tables.is_some() {
            outer.tables.extend(tables.into_iter().map(|table| table.shifted(&by)));
        }
        outer.forms.extend(forms.into_iter().map(|mut form| {
            led(&mut form.action, &mut lead);
            form
        }));
        outer.fields.extend(fields.into_iter().map(|mut field| {
            if let FieldKind::Submit { sending, .. } | FieldKind::Image(sending) = &mut field.kind
                && let Some(action) = &mut sending.action
            {
                led(action, &mut lead);
            }
            field.shifted(&by)
        }));
        outer.text.push_str(&text);
    }
}
