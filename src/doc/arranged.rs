//! `Arranged`: a document in another order, with parts left out, and the way back to the document it was made of.
//!
//! Sorting, filtering and folding are one mechanism for all formats: blocks are copied, never written anew, and every shown
//! block and link knows which one it was. So the reader's place and focus survive every re-arrangement. A page that is
//! shown as it was written has none of this and pays nothing.

use super::document::LinkEntry;
use super::figure::{self, Figure, Inserted, Insertion};
use super::{
    Anchor, Aside, Block, BlockKind, Document, Fold, FoldKind, LinkId, Marker, Search, Shift, Sides, Span, Table,
};
use crate::doc::index;
use crate::role::Role;
use crate::stop::Stop;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A link that is not shown.
const ABSENT: u32 = u32::MAX;

/// Blocks of a document in another order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arranged {
    document: Arc<Document>,
    origin: Origin,
}

/// Where the blocks and links of an arranged document come from.
#[derive(Debug, Clone, PartialEq, Default)]
struct Origin {
    /// The given block of each shown one.
    blocks: Vec<u32>,
    /// The given link of each shown one.
    links: Vec<LinkId>,
    /// The shown link of each given one.
    shown: Vec<u32>,
    /// Lines that were not given and stand for a closed fold, in order: the shown block, and the given link in whose place
    /// its link is.
    stands: Vec<(u32, LinkId)>,
    /// Blocks that were not given and stand below links, in order: the shown block, and the given link.
    inserted: Vec<(u32, LinkId)>,
}

impl Arranged {
    /// A page that was written anew, not copied: the given block and link that each of its blocks and links stands for.
    pub fn written(given: &Document, mut document: Document, blocks: Vec<u32>, links: Vec<LinkId>) -> Arranged {
        let mut shown = vec![ABSENT; given.links.len()];
        for (number, link) in links.iter().enumerate() {
            if let Some(shown) = shown.get_mut(link.0 as usize) {
                *shown = index(number);
            }
        }
        let origin = Origin { blocks, links, shown, stands: Vec::new(), inserted: Vec::new() };
        origin.facts(given, &mut document);
        Arranged { document: Arc::new(document), origin }
    }

    /// Blocks of the given document, in this order. The closed folds' heads say how much is out of sight; `key` is what the
    /// reader presses to open one. `None` when it was given up.
    pub fn of(given: &Document, blocks: &[u32], folded: &Folded, key: &str, stop: &Stop) -> Option<Arranged> {
        Arranged::with(given, blocks, folded, &[], key, stop)
    }

    /// The same, with something below links.
    pub fn with(
        given: &Document,
        blocks: &[u32],
        folded: &Folded,
        insertions: &[Insertion],
        key: &str,
        stop: &Stop,
    ) -> Option<Arranged> {
        let place = |insertion: &Insertion| given.link_anchor(insertion.link).map(|anchor| anchor.block);
        let below = insertions.iter().filter_map(|insertion| Some((place(insertion)?, insertion)));
        let mut below: Vec<(u32, &Insertion)> = below.collect();
        below.sort_by_key(|(block, insertion)| (*block, insertion.link));
        let mut copier = Copier::new(given, blocks.len());
        for block in blocks.iter().copied() {
            stop.go_on()?;
            if folded.hides(block) {
                copier.stand(folded, block, key);
            } else {
                copier.copy(block);
                copier.tell(folded, block, key);
                let from = below.partition_point(|(above, _)| *above < block);
                let here = below[from..].iter().take_while(|(above, _)| *above == block);
                here.for_each(|(_, insertion)| copier.insert(block, insertion));
            }
        }
        let Copier { mut document, mut origin, .. } = copier;
        origin.facts(given, &mut document);
        document.shrink();
        origin.blocks.shrink_to_fit();
        origin.links.shrink_to_fit();
        Some(Arranged { document: Arc::new(document), origin })
    }

    /// A page that was written anew without what closed folds put out of sight. Such pages have nothing that stands around
    /// their content.
    pub fn folded(self, given: &Document, folded: &Folded, key: &str) -> Arranged {
        if folded.is_empty() {
            return self;
        }
        let mut copier = Copier::new(&self.document, self.origin.blocks.len());
        for (at, block) in self.origin.blocks.iter().enumerate().filter(|(_, block)| !folded.hides(**block)) {
            copier.copy(index(at));
            copier.tell(folded, *block, key);
        }
        let Copier { document, origin, .. } = copier;
        let blocks = origin.blocks.iter().map(|at| self.origin.blocks[*at as usize]).collect();
        let links = origin.links.iter().map(|link| self.origin.links[link.0 as usize]).collect();
        Arranged::written(given, document, blocks, links)
    }

    /// [`Document::rewrite`] by the number of the given link.
    pub fn rewrite(&mut self, given: LinkId, text: &str) -> Option<Shift> {
        let link = self.origin.copied(given)?;
        Arc::make_mut(&mut self.document).rewrite(link, text)
    }

    /// What is shown. Its folds are the given document's business.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// The given block of each shown one.
    pub fn blocks(&self) -> &[u32] {
        &self.origin.blocks
    }

    /// The given place of a shown one.
    pub fn given_anchor(&self, shown: Anchor) -> Anchor {
        match self.origin.blocks.get(shown.block as usize).or(self.origin.blocks.last()) {
            Some(block) => match self.origin.inserted_at(shown.block) {
                Some(link) => figure::enclosed(*block, link, shown.offset),
                None => Anchor { block: *block, ..shown },
            },
            None => Anchor::default(),
        }
    }

    /// Where a given place is shown; `None` when it is not.
    pub fn shown_anchor(&self, given: Anchor) -> Option<Anchor> {
        let inside = |(at, link): &(u32, LinkId)| Some(Anchor { block: *at, offset: figure::within(given, *link)? });
        let found = self.origin.inserted.iter().find_map(inside);
        if let Some(place) = found.filter(|place| self.origin.blocks.get(place.block as usize) == Some(&given.block)) {
            return Some(place);
        }
        let at = self.origin.blocks.iter().position(|block| *block == given.block)?;
        Some(Anchor { block: index(at), ..given })
    }

    /// The given link of a shown one.
    pub fn given_link(&self, shown: LinkId) -> Option<LinkId> {
        self.origin.links.get(shown.0 as usize).copied()
    }

    /// The number by which a given link is shown; `None` when it is not.
    pub fn shown_link(&self, given: LinkId) -> Option<LinkId> {
        self.origin.shown_link(given)
    }

    /// The shown block that was put below a given link.
    pub fn inserted_below(&self, given: LinkId) -> Option<u32> {
        self.origin.inserted.iter().find(|(_, link)| *link == given).map(|(at, _)| *at)
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        let Origin { blocks, links, shown, stands, inserted } = &self.origin;
        let pairs = 2 * (stands.capacity() + inserted.capacity());
        self.document.memory() + 4 * (blocks.capacity() + links.capacity() + shown.capacity() + pairs)
    }
}

impl Origin {
    fn shown_link(&self, given: LinkId) -> Option<LinkId> {
        self.shown.get(given.0 as usize).filter(|shown| **shown != ABSENT).map(|shown| LinkId(*shown))
    }

    /// The given link below which a shown block was put.
    fn inserted_at(&self, shown: u32) -> Option<LinkId> {
        let at = self.inserted.binary_search_by_key(&shown, |(at, _)| *at).ok()?;
        Some(self.inserted[at].1)
    }

    /// The same, unless only a line stands there for it.
    fn copied(&self, given: LinkId) -> Option<LinkId> {
        let shown = self.shown_link(given)?;
        self.stands.binary_search_by_key(&given, |(_, link)| *link).is_err().then_some(shown)
    }

    /// Takes over what the given document says besides its text.
    fn facts(&self, given: &Document, document: &mut Document) {
        (document.anchors, document.content) = self.places(given);
        let mut mirrors: Vec<(LinkId, String)> =
            given.mirrors.iter().filter_map(|(link, to)| Some((self.shown_link(*link)?, to.clone()))).collect();
        mirrors.sort_by_key(|(link, _)| *link);
        let mut attributed: Vec<LinkId> = given.attributed.iter().filter_map(|link| self.shown_link(*link)).collect();
        attributed.sort();
        (document.mirrors, document.attributed) = (mirrors, attributed);
        document.title.clone_from(&given.title);
        document.guessed_title.clone_from(&given.guessed_title);
        document.columns.clone_from(&given.columns);
        // What is written anew knows its own.
        if document.widest.is_empty() {
            document.widest.clone_from(&given.widest);
        }
        document.notes.clone_from(&given.notes);
        document.base.clone_from(&given.base);
        document.entity.clone_from(&given.entity);
        document.tables = self.tables(given);
        document.related.clone_from(&given.related);
        document.forms.clone_from(&given.forms);
        document.fields.clone_from(&given.fields);
        for number in 0..given.fields.len() {
            document.fields[number].link = given.fields[number].link.and_then(|link| self.copied(link));
        }
    }

    /// Tables, their cells where they are shown.
    fn tables(&self, given: &Document) -> Vec<Table> {
        if given.tables.is_empty() {
            return Vec::new();
        }
        let mut places = vec![None; given.blocks.len()];
        for (at, block) in (0..).zip(&self.blocks) {
            // a line for a fold is no part of a table that begins in it, and what was put in has no place of its own
            if self.inserted_at(at).is_none() && self.stands.binary_search_by_key(&at, |(stand, _)| *stand).is_err() {
                places[*block as usize] = Some(at);
            }
        }
        let mut next: Vec<u32> = vec![index(self.blocks.len()); places.len() + 1];
        for block in (0..places.len()).rev() {
            next[block] = places[block].unwrap_or(next[block + 1]);
        }
        let inserted: Vec<u32> = self.inserted.iter().map(|(at, _)| *at).collect();
        given.tables.iter().map(|table| table.clone().moved(&places, &next, &inserted)).collect()
    }

    /// Named places, and where the content begins. What is out of sight is where the last line before it is shown: at the
    /// head of its fold.
    fn places(&self, given: &Document) -> (Vec<(String, Anchor)>, Option<Anchor>) {
        if given.anchors.is_empty() && given.content.is_none() {
            return (Vec::new(), None);
        }
        // The last block at or before each given one that is shown, and where.
        let mut places = vec![None; given.blocks.len()];
        for (at, block) in (0..).zip(&self.blocks).filter(|(at, _)| self.inserted_at(*at).is_none()) {
            places[*block as usize] = Some((*block, at));
        }
        let mut last = None;
        for place in &mut places {
            last = place.or(last);
            *place = last;
        }
        let place = |anchor: &Anchor| {
            let (block, at) = (*places.get(anchor.block as usize)?)?;
            Some(Anchor { block: at, offset: if block == anchor.block { anchor.offset } else { 0 } })
        };
        let anchors = given.anchors.iter().filter_map(|(name, anchor)| Some((name.clone(), place(anchor)?))).collect();
        (anchors, given.content.as_ref().and_then(place))
    }
}

/// Copies blocks.
struct Copier<'a> {
    given: &'a Document,
    /// The first span of each given block: looking for it would cost more than copying the block.
    spans: Vec<u32>,
    document: Document,
    origin: Origin,
    /// The fold around the content for which a line was written last.
    stood: Option<usize>,
}

impl<'a> Copier<'a> {
    /// Nothing yet, with room for a number of blocks.
    fn new(given: &'a Document, blocks: usize) -> Copier<'a> {
        let mut document = Document::default();
        let mut origin = Origin { shown: vec![ABSENT; given.links.len()], ..Origin::default() };
        let part = |count: usize| (count as u128 * blocks as u128 / given.blocks.len().max(1) as u128) as usize;
        document.text.reserve(part(given.text.len()));
        document.targets.reserve(part(given.targets.len()));
        document.blocks.reserve(blocks);
        document.spans.reserve(part(given.spans.len()));
        document.links.reserve(part(given.links.len()));
        origin.blocks.reserve(blocks);
        origin.links.reserve(part(given.links.len()));
        let mut span = 0;
        let spans = given.blocks.iter().map(|block| {
            while given.spans.get(span).is_some_and(|span| span.start < block.start) {
                span += 1;
            }
            index(span)
        });
        Copier { spans: spans.collect(), given, document, origin, stood: None }
    }

    fn copy(&mut self, block: u32) {
        let Some(original) = self.given.blocks.get(block as usize) else { return };
        let range = self.given.block_range(block);
        let start = self.document.text.len();
        // What is copied once at most cannot outgrow what was given; the words at folds' heads may.
        if u32::try_from(start + range.len()).is_err() {
            return;
        }
        let moved = |at: u32| index(at as usize - range.start + start);
        self.document.blocks.push(Block { start: index(start), ..*original });
        self.origin.blocks.push(block);
        self.document.text.push_str(&self.given.text[range.clone()]);
        let spans = &self.given.spans[self.spans[block as usize] as usize..];
        for span in spans.iter().take_while(|span| (span.start as usize) < range.end) {
            let link = span.link.map(|link| self.link(link));
            self.document.spans.push(Span { start: moved(span.start), end: moved(span.end), role: span.role, link });
        }
    }

    /// Puts something below a block that was copied.
    fn insert(&mut self, block: u32, insertion: &Insertion) {
        let Some(above) = self.given.blocks.get(block as usize).filter(|_| self.shown(insertion.link)) else { return };
        let (start, at) = (index(self.document.text.len()), index(self.document.blocks.len()));
        let (kind, role) = match &insertion.what {
            Inserted::Words(_, role) => (BlockKind::Paragraph, *role),
            Inserted::Picture(_) => {
                let Ok(number) = u16::try_from(self.document.figures.len()) else { return };
                (BlockKind::Figure(number), Role::Text)
            }
        };
        let block_of = Block { start, kind, indent: above.indent, marker: Marker::None, role, sides: above.sides };
        self.document.blocks.push(block_of);
        self.origin.blocks.push(block);
        self.origin.inserted.push((at, insertion.link));
        match &insertion.what {
            Inserted::Words(words, _) => self.document.text.push_str(words),
            Inserted::Picture(canvas) => {
                let link = self.link(insertion.link);
                self.document.figures.push(Figure { link, canvas: *canvas });
            }
        }
    }

    /// Writes a line for the closed fold around the content that a block is in, once.
    fn stand(&mut self, folded: &Folded, block: u32, key: &str) {
        let Some((number, ClosedAside { blocks, head, what })) = folded.aside(block) else { return };
        if self.stood.replace(number) == Some(number) || self.shown(*head) {
            return;
        }
        let start = index(self.document.text.len());
        let lines = blocks.clone().filter(|block| !self.given.block_range(*block).is_empty()).count();
        let stand = (index(self.document.blocks.len()), *head);
        let (kind, marker, role, sides) = (BlockKind::Paragraph, Marker::None, Role::Text, Sides::default());
        self.document.blocks.push(Block { start, kind, indent: 0, marker, role, sides });
        self.origin.blocks.push(block);
        self.origin.stands.push(stand);
        let link = self.enter(*head, "");
        self.document.text.push_str(what.word());
        let end = index(self.document.text.len());
        self.document.spans.push(Span { start, end, role: Role::Link, link: Some(link) });
        self.say(&format!(" ({lines} line{}: {key})", if lines == 1 { "" } else { "s" }));
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

    fn say(&mut self, words: &str) {
        let start = index(self.document.text.len());
        self.document.text.push_str(words);
        let end = index(self.document.text.len());
        self.document.spans.push(Span { start, end, role: Role::Dim, link: None });
    }

    /// The shown link of a given one, whose first span is the next one.
    fn link(&mut self, link: LinkId) -> LinkId {
        match self.origin.shown.get(link.0 as usize) {
            None => link,
            Some(&ABSENT) => self.enter(link, self.given.reference(link).unwrap_or_default()),
            Some(known) => LinkId(*known),
        }
    }

    /// Whether a given link is shown.
    fn shown(&self, link: LinkId) -> bool {
        self.origin.shown.get(link.0 as usize).is_some_and(|shown| *shown != ABSENT)
    }

    /// Adds a link in the place of a given one, with another reference.
    fn enter(&mut self, given: LinkId, reference: &str) -> LinkId {
        let link = LinkId(index(self.origin.links.len()));
        if let Some(shown) = self.origin.shown.get_mut(given.0 as usize) {
            *shown = link.0;
        }
        self.origin.links.push(given);
        let target = index(self.document.targets.len());
        self.document.targets.push_str(reference);
        self.document.links.push(LinkEntry { target, span: index(self.document.spans.len()) });
        link
    }
}

impl Document {
    /// The block of a fold's head that is in sight only while the fold is closed.
    pub fn idle_head(&self, fold: &Fold) -> Option<Range<u32>> {
        let head = self.link_anchor(fold.head).filter(|_| fold.kind == FoldKind::ShortQuote)?.block;
        Some(head..head + 1)
    }
}

/// What closed folds put out of sight.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Folded {
    /// Blocks out of sight: ordered, apart from each other.
    hidden: Vec<Range<u32>>,
    /// Blocks with a closed fold's head, in order, and what it has to say.
    heads: Vec<(u32, Under)>,
    /// Closed folds around the content, in order.
    asides: Vec<ClosedAside>,
}

/// A closed fold around the content.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ClosedAside {
    blocks: Range<u32>,
    /// The link in whose place the link that opens it stands.
    head: LinkId,
    what: Aside,
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
        let last = index(given.blocks().len());
        let is_closed = |number: &u32, fold: &Fold| fold.open == toggled.contains(number);
        let closed = (0..).zip(&given.folds).filter(|(number, fold)| is_closed(number, fold));
        let mut folded = Folded::default();
        let open = (0..).zip(&given.folds).filter(|(number, fold)| !is_closed(number, fold));
        folded.hidden.extend(open.filter_map(|(_, fold)| given.idle_head(fold)));
        for (_, fold) in closed {
            let blocks = fold.first..fold.end.min(last);
            let head = given.link_anchor(fold.head).map(|anchor| anchor.block);
            if let (FoldKind::Aside(aside), Some(head)) = (fold.kind, head) {
                if blocks.contains(&head) {
                    folded.asides.push(ClosedAside { blocks, head: fold.head, what: aside });
                }
                continue;
            }
            // A fold whose head is within it could never be opened again.
            if let Some(head) = head.filter(|head| !blocks.is_empty() && !blocks.contains(head)) {
                let counts = matches!(
                    fold.kind,
                    FoldKind::Headers | FoldKind::Thread | FoldKind::Quote | FoldKind::ShortQuote | FoldKind::Repeated
                );
                folded.heads.push((head, if counts { Under::Said } else { Under::Lines(index(blocks.len())) }));
                folded.hidden.push(blocks);
            }
        }
        folded.heads.sort_unstable();
        folded.unite();
        let mut asides = std::mem::take(&mut folded.asides);
        asides.retain(|aside| !folded.hides(aside.blocks.start));
        asides.sort_unstable_by_key(|aside| aside.blocks.start);
        folded.hidden.extend(asides.iter().map(|aside| aside.blocks.clone()));
        folded.asides = asides;
        folded.unite();
        folded
    }

    /// Orders what is out of sight, and makes one of what touches.
    fn unite(&mut self) {
        self.hidden.sort_unstable_by_key(|blocks| blocks.start);
        self.hidden.dedup_by(|next, kept| {
            let within = next.start <= kept.end;
            kept.end = if within { kept.end.max(next.end) } else { kept.end };
            within
        });
    }

    /// The closed fold around the content that a block is in, and its number.
    fn aside(&self, block: u32) -> Option<(usize, &ClosedAside)> {
        let number = self.asides.partition_point(|aside| aside.blocks.end <= block);
        let aside = self.asides.get(number).filter(|aside| aside.blocks.contains(&block))?;
        Some((number, aside))
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
