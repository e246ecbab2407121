//! `Document`: text, blocks, spans, links, anchors.

use super::Marker;
use super::field::{Field, Form};
use super::figure::Figure;
use super::fold::Fold;
use super::insert::Inset;
use super::sides::Sides;
use super::table::Table;
use crate::doc::index;
use crate::picture::Picture;
use crate::role::Role;
use crate::url::{BaseStack, EntityBase, Resolved, Url, UrlError};

/// The longest title, in characters.
const LONGEST_TITLE: usize = 1024;
/// Blocks among which a heading may be the title.
const BEGINNING: usize = 50;

/// Octets of an address, and of its base, that are looked at for each frame and each key.
const LONG: usize = 16 << 10;

/// A link's number in its document, from 0 in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkId(pub u32);

/// The reader's place: a block and an octet offset into the block's text. It survives resize, reload and restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Anchor {
    /// Number of the block.
    pub block: u32,
    /// Octets into the block's text; always a character boundary.
    pub offset: u32,
}

/// What shape a block has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// One line whose white space counts, as in plain text. Wraps only when the reader wants it.
    Line,
    /// The same in a text that is set by hand for sure: program text, drawings.
    Preformatted,
    /// Flowing text; white space runs are one space, always wrapped.
    Paragraph,
    /// A heading of level 1 to 6, flowing.
    Heading(u8),
    /// One entry of a menu or list: a marker in the margin, text that always wraps, under itself. White space within it
    /// counts, for menus set columns with it.
    Entry,
    /// Cells separated by TAB, set in the document's columns; never wrapped.
    Row,
    /// Flowing text that begins with a number and a space, which stand in a margin of this many columns.
    Item(u8),
    /// One line whose white space counts and which always wraps, below this many of its columns: a label and what it says.
    Labelled(u8),
    /// Flowing text above the table of this number, in the middle of its columns.
    Caption(u16),
    /// A horizontal rule.
    Rule,
    /// The picture of this number that was put into the document: it has no text.
    Figure(u16),
}

/// One block. Its text runs from `start` to the next block's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Octet offset into the document's text.
    pub start: u32,
    /// Its shape.
    pub kind: BlockKind,
    /// Left indent in levels of two columns.
    pub indent: u8,
    /// What stands in the margin of its first line.
    pub marker: Marker,
    /// The look of text that no span covers.
    pub role: Role,
    /// Which edge its lines keep to, and the bars of quotes.
    pub sides: Sides,
}

/// A piece of text with a look and perhaps a link. Spans are ordered by start and do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Octet offset of the first octet in the document's text.
    pub start: u32,
    /// Octet offset past the last octet.
    pub end: u32,
    /// The look.
    pub role: Role,
    /// The link, if it is one.
    pub link: Option<LinkId>,
}

/// A column of `Row` blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its title, for the reader ("size").
    pub title: String,
    /// Width in columns; 0 takes what is left.
    pub width: u16,
    /// Which edge its text keeps to.
    pub align: Align,
    /// Its cells' look.
    pub role: Role,
    /// Dropped on screens narrower than this many columns.
    pub needs: u16,
}

/// Which edge of a column the text keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// The left one.
    #[default]
    Left,
    /// The right one.
    Right,
    /// Neither: as much is left free on one side as on the other.
    Center,
}

impl Align {
    /// How much of the columns that are free stands before the text.
    pub(super) fn lead(self, free: usize) -> usize {
        match self {
            Align::Left => 0,
            Align::Right => free,
            Align::Center => free / 2,
        }
    }
}

/// A link as the document wrote it, and what it resolves to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The reference as written.
    pub reference: String,
    /// Where it leads, by the bases in force.
    pub target: Result<Resolved, UrlError>,
}

/// A page's content. Built by [`super::Builder`], shown through [`super::Layout`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(super) text: String,
    pub(super) blocks: Vec<Block>,
    pub(super) spans: Vec<Span>,
    /// The references of all links, one after the other.
    pub(super) targets: String,
    pub(super) links: Vec<LinkEntry>,
    /// The links of documents that stand within this one, in document order.
    pub(super) insets: Vec<Inset>,
    /// Named places (fragments), in document order.
    pub(super) anchors: Vec<(String, Anchor)>,
    /// Where the content begins, if the page says so: behind the navigation.
    pub content: Option<Anchor>,
    /// Parts that can be put out of sight, ordered by their heads; they nest and do not overlap otherwise.
    pub folds: Vec<Fold>,
    /// The title, if the content gives one; sanitised.
    pub title: Option<String>,
    /// What may be its title, where neither the content gives one nor whatever led there; sanitised.
    pub guessed_title: Option<String>,
    /// The columns of `Row` blocks.
    pub columns: Vec<Column>,
    /// The columns of the longest cell of each of them, of all rows whose end has come.
    pub(super) widest: Vec<u16>,
    /// What the reader should know of how it was read ("charset guessed: windows-1252", "cut at 64 MiB"); sanitised.
    pub notes: Vec<String>,
    /// By which charset its octets were read, where that is known.
    pub charset: Option<ReadBy>,
    /// Why it is not whole, where its own octets tell; sanitised.
    pub cut: Option<String>,
    /// How it was packed, and how large it was and is: "gzip: 2.4 kB are 11 kB".
    pub packed: Option<String>,
    /// The base that the content itself gives (HTML `<base>`), as written.
    pub base: Option<String>,
    /// The base that a header of the content gives to all of it (a message's Content-Base or Content-Location).
    pub entity: Option<EntityBase>,
    /// Other places with the same content as a link's, in document order (gopher `+` items); references as for links.
    pub mirrors: Vec<(LinkId, String)>,
    /// Why it is not what was asked for, where it says no more than that.
    pub refusal: Option<String>,
    /// Links whose target can be asked for attributes (Gopher+), in document order.
    pub attributed: Vec<LinkId>,
    /// The tables, by where they begin.
    pub tables: Vec<Table>,
    /// The forms that can be filled in.
    pub forms: Vec<Form>,
    /// The fields of all forms, in document order.
    pub fields: Vec<Field>,
    /// The pages that it says it is related to, the server's word first.
    pub related: Vec<Related>,
    /// The picture that it is.
    pub picture: Option<Picture>,
    /// The links that stand for a picture, in document order, and the picture's reference where it is not the link's own.
    pub images: Vec<(LinkId, String)>,
    /// The pictures that were put into it.
    pub(super) figures: Vec<Figure>,
}

/// By what octets were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadBy {
    /// The charset, by name.
    pub name: String,
    /// Why, in words: "declared", "guessed".
    pub why: String,
    /// What a line was read by that cannot be in it, where lines were read one by one.
    pub otherwise: Option<String>,
}

/// A page that another one says it is related to (HTML, 4.6.7; RFC 8288).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// What it is to the page: "Next", "Contents", "Feed".
    pub label: String,
    /// Its title, in the words of whoever says so; not sanitised, empty for none.
    pub title: String,
    /// The reference as written; of a header it is absolute.
    pub reference: String,
    /// Who says so.
    pub source: Source,
}

/// Who says that pages are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The server, in the head of its answer.
    Header,
    /// The page, in its head.
    Link,
    /// A link in its text.
    Anchor,
}

impl Related {
    fn memory(&self) -> usize {
        size_of::<Related>() + self.label.capacity() + self.title.capacity() + self.reference.capacity()
    }
}

/// How places of a block moved when a piece of its text became longer or shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    /// The block.
    pub block: u32,
    /// The first offset that moved.
    pub from: u32,
    /// By how many octets.
    pub by: i64,
}

impl Shift {
    /// Where a place is now.
    pub fn of(self, place: Anchor) -> Anchor {
        if place.block != self.block || place.offset < self.from {
            return place;
        }
        Anchor { offset: moved(place.offset, self.by), ..place }
    }
}

/// An offset after so many octets more, or fewer, before it.
fn moved(offset: u32, by: i64) -> u32 {
    u32::try_from(i64::from(offset) + by).unwrap_or(if by < 0 { 0 } else { u32::MAX })
}

/// Where a link's reference and its first span are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LinkEntry {
    /// Octet offset of the reference in `targets`; it ends where the next one starts.
    pub target: u32,
    /// Index of its first span.
    pub span: u32,
}

impl Document {
    /// Takes words, sanitised, for its title.
    pub fn entitle(&mut self, words: &str) {
        self.title = (!words.is_empty()).then(|| Document::title_of(words));
    }

    /// Forgets its named places: it is to stand in a document that has names of its own.
    pub fn forget_anchors(&mut self) {
        self.anchors.clear();
    }

    /// Words, sanitised, as a title: of more than anybody can read at a glance the beginning.
    pub fn title_of(words: &str) -> String {
        match words.char_indices().nth(LONGEST_TITLE) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words.into(),
        }
    }

    /// What may be a title where nothing is one: what the reader of the format took for it, else the first heading, if that is near
    /// the beginning.
    pub fn guess_title(&self) -> Option<String> {
        let is_heading = |at: &u32| matches!(self.blocks[*at as usize].kind, BlockKind::Heading(_));
        let first = || (0..index(self.blocks.len().min(BEGINNING))).find(is_heading);
        let guessed = self.guessed_title.clone();
        let heading = || Some(Document::title_of(self.block_text(first()?).trim()));
        guessed.or_else(heading).filter(|title| !title.trim().is_empty())
    }

    /// All text, blocks one after the other without separators.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The text range of a block, as octet offsets.
    pub fn block_range(&self, block: u32) -> std::ops::Range<usize> {
        let at = block as usize;
        let start = self.blocks.get(at).map_or(self.text.len(), |b| b.start as usize);
        let end = self.blocks.get(at + 1).map_or(self.text.len(), |b| b.start as usize);
        start..end
    }

    /// The text of a block.
    pub fn block_text(&self, block: u32) -> &str {
        &self.text[self.block_range(block)]
    }

    /// The spans that touch a text range.
    pub fn spans_in(&self, range: std::ops::Range<usize>) -> &[Span] {
        let from = self.spans.partition_point(|s| (s.end as usize) <= range.start);
        let to = self.spans.partition_point(|s| (s.start as usize) < range.end);
        &self.spans[from..to.max(from)]
    }

    /// How many links there are.
    pub fn link_count(&self) -> u32 {
        index(self.links.len())
    }

    /// A link's reference as written.
    pub fn reference(&self, link: LinkId) -> Option<&str> {
        let at = link.0 as usize;
        let start = self.links.get(at)?.target as usize;
        let end = self.links.get(at + 1).map_or(self.targets.len(), |l| l.target as usize);
        self.targets.get(start..end)
    }

    /// The references of all links, one after the other.
    pub fn references(&self) -> &str {
        &self.targets
    }

    /// Whether a link's address is so long that it is not to be resolved for each frame.
    pub fn is_long(&self, link: LinkId, bases: &BaseStack) -> bool {
        let base = bases.effective().map_or(0, |(_, base)| base.as_str().len());
        self.reference(link).is_some_and(|reference| reference.len() + base > LONG)
    }

    /// A link resolved by a stack of bases.
    pub fn link(&self, link: LinkId, bases: &BaseStack) -> Option<Link> {
        let reference = self.reference(link)?;
        Some(Link { target: bases.resolve(reference), reference: reference.into() })
    }

    /// The references of the other places that hold what a link leads to, in the order they are to be tried.
    pub fn mirrors_of(&self, link: LinkId) -> impl Iterator<Item = &str> {
        let from = self.mirrors.partition_point(|(l, _)| *l < link);
        self.mirrors[from..].iter().take_while(move |(l, _)| *l == link).map(|(_, reference)| reference.as_str())
    }

    /// Whether a link's target can be asked for attributes.
    pub fn has_attributes(&self, link: LinkId) -> bool {
        self.attributed.binary_search(&link).is_ok()
    }

    /// The absolute URL of a link, if it leads to one.
    pub fn link_url(&self, link: LinkId, bases: &BaseStack) -> Option<Url> {
        match bases.resolve(self.reference(link)?) {
            Ok(Resolved::Url(url)) => Some(url),
            _ => None,
        }
    }

    /// The text of a link, as shown.
    pub fn link_text(&self, link: LinkId) -> &str {
        &self.text[self.link_range(link)]
    }

    /// Its range.
    pub fn link_range(&self, link: LinkId) -> std::ops::Range<usize> {
        let span = self.links.get(link.0 as usize).and_then(|l| self.spans.get(l.span as usize));
        span.map_or(0..0, |s| s.start as usize..s.end as usize)
    }

    /// Where a link's text begins.
    pub fn link_anchor(&self, link: LinkId) -> Option<Anchor> {
        let span = self.spans.get(self.links.get(link.0 as usize)?.span as usize)?;
        Some(self.anchor_at(span.start as usize))
    }

    /// The first link at or after a text offset; its number may equal `link_count`, when there is none.
    pub fn link_from(&self, offset: usize) -> LinkId {
        LinkId(index(self.links.partition_point(|l| (self.spans[l.span as usize].start as usize) < offset)))
    }

    /// The place of a text offset.
    pub fn anchor_at(&self, offset: usize) -> Anchor {
        let block = self.blocks.partition_point(|b| b.start as usize <= offset).saturating_sub(1);
        let start = self.blocks.get(block).map_or(0, |b| b.start as usize);
        Anchor { block: index(block), offset: index(offset.saturating_sub(start)) }
    }

    /// The text offset of a place, clamped to the block and to a character boundary.
    pub fn offset_of(&self, anchor: Anchor) -> usize {
        let range = self.block_range(anchor.block);
        let mut at = (range.start + anchor.offset as usize).min(range.end);
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// The place with a name (fragment).
    pub fn anchor(&self, name: &str) -> Option<Anchor> {
        self.anchors.iter().find(|(n, _)| n == name).map(|(_, anchor)| *anchor)
    }

    /// The named places, in document order.
    pub fn anchors(&self) -> impl Iterator<Item = (&str, Anchor)> {
        self.anchors.iter().map(|(name, anchor)| (name.as_str(), *anchor))
    }

    /// The headings: place and level, in order.
    pub fn headings(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.blocks.iter().enumerate().filter_map(|(i, b)| match b.kind {
            BlockKind::Heading(level) => Some((index(i), level)),
            _ => None,
        })
    }

    /// The field whose place a link is.
    pub fn field_of(&self, link: LinkId) -> Option<&Field> {
        self.fields.get(self.field_at(link)?)
    }

    /// The number of that field.
    pub fn field_at(&self, link: LinkId) -> Option<usize> {
        self.fields.iter().position(|field| field.link == Some(link))
    }

    /// Puts other text in the place of a link's first piece, which is how a field shows what was filled in. `text` must be
    /// sanitised, without line breaks and TAB. Says what moved; nothing when the link is none or there is no room.
    pub fn rewrite(&mut self, link: LinkId, text: &str) -> Option<Shift> {
        let at = self.links.get(link.0 as usize)?.span as usize;
        let span = *self.spans.get(at)?;
        let (start, end) = (span.start as usize, span.end as usize);
        if self.text.get(start..end)? == text || self.text.len() + text.len() > u32::MAX as usize {
            return None;
        }
        let by = i64::from(index(text.len())) - i64::from(span.end - span.start);
        let moved = |at: u32| moved(at, by);
        let Anchor { block, offset } = self.anchor_at(start);
        let from = offset + span.end - span.start;
        self.text.replace_range(start..end, text);
        self.spans[at].end = moved(span.end);
        if by == 0 {
            // Nothing behind it has moved.
            self.remeasure(block);
            return Some(Shift { block, from, by });
        }
        self.spans[at + 1..].iter_mut().for_each(|s| (s.start, s.end) = (moved(s.start), moved(s.end)));
        self.blocks[block as usize + 1..].iter_mut().for_each(|block| block.start = moved(block.start));
        let shift = Shift { block, from, by };
        self.anchors.iter_mut().for_each(|(_, anchor)| *anchor = shift.of(*anchor));
        self.content = self.content.map(|place| shift.of(place));
        self.remeasure(block);
        Some(shift)
    }

    /// How much memory the document holds, in octets, for cache bounds.
    pub fn memory(&self) -> usize {
        let strings = self.anchors.iter().map(|(name, _)| name).chain(&self.title).chain(&self.notes).chain(&self.base);
        self.bulk()
            + self.mirrors.iter().chain(&self.images).map(|(_, reference)| reference.capacity() + 32).sum::<usize>()
            + self.attributed.capacity() * size_of::<LinkId>()
            + self.tables.iter().map(Table::memory).sum::<usize>()
            + self.forms.iter().map(Form::memory).sum::<usize>()
            + self.fields.iter().map(Field::memory).sum::<usize>()
            + self.related.iter().map(Related::memory).sum::<usize>()
            + strings.map(String::capacity).sum::<usize>()
            + self.picture.as_ref().map_or(0, Picture::memory)
    }

    /// What of [`Document::memory`] is known without looking at anything: texts, blocks, spans and links.
    pub(super) fn bulk(&self) -> usize {
        size_of::<Document>()
            + self.text.capacity()
            + self.targets.capacity()
            + self.blocks.capacity() * size_of::<Block>()
            + self.spans.capacity() * size_of::<Span>()
            + self.links.capacity() * size_of::<LinkEntry>()
            + self.anchors.capacity() * size_of::<(String, Anchor)>()
            + self.folds.capacity() * size_of::<Fold>()
    }

    /// Gives back what growing left over.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.spans.shrink_to_fit();
        self.links.shrink_to_fit();
        self.anchors.shrink_to_fit();
    }
}
