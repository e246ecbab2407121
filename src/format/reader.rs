//! A page being read: octets in, documents out that have grown, at the end the whole of it.
//!
//! What is handed out is a copy, so that the page can be looked at on one thread while it is read on another. Copies are made
//! each time the page has grown by a half, so that all of them together cost no more than three of the last one.
//!
//! How much memory a page holds is counted after every piece, its parser's with it; at [`Intake::memory`] it ends. What is
//! written at the end has as much room once more.
//! Refuses: threads and the clock, they are whoever's who owns it.

use super::{Again, Input, PageRows, Parser, human, media, parser};
use crate::doc::{Builder, Document, sanitise};
use std::sync::Arc;

/// How a body is read as a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intake {
    /// What the parser must know.
    pub input: Input,
    /// The title, as far as the head of the answer knows one; as remote text.
    pub title: Option<String>,
    /// How many octets are kept as they came. Of what is longer none are.
    pub keep: usize,
    /// How much memory the page may hold, in octets: the document, its rows, what the parser holds. What is written at the end
    /// may hold as much again, while the parser still holds what it is written from.
    pub memory: usize,
}

/// A page, as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Grown {
    /// The document.
    pub document: Arc<Document>,
    /// Its rows, if they have an order of their own.
    pub rows: Option<PageRows>,
    /// Octets received.
    pub received: u64,
    /// The first of them, as they came: 16 KiB at most.
    pub beginning: Arc<[u8]>,
    /// More is expected, and this is what there would be without it.
    pub tentative: bool,
}

/// How much of its octets a page that arrives shows.
pub const BEGINNING: usize = 16 * 1024;

/// A page that has come to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    /// The page.
    pub page: Grown,
    /// The octets as received, when they are few enough.
    pub source: Option<Arc<[u8]>>,
    /// Why it is not whole: its format reads no more of it, or it would hold more memory than it may.
    pub cut: Option<String>,
}

/// Reads a page.
pub struct Reader {
    intake: Intake,
    /// Why it is not read as what it was said to be.
    remark: Option<String>,
    parser: Box<dyn Parser>,
    builder: Builder,
    source: Option<Vec<u8>>,
    beginning: Arc<[u8]>,
    received: u64,
    /// The size of the document that was handed out last.
    shown: usize,
    /// The size of the document that was handed out as what there would be if nothing more came.
    tentative: usize,
    /// Octets have come since.
    fresh: bool,
    /// How many octets had been read, and at how many all of its memory is looked at again.
    read: u64,
    due: u64,
    /// It holds more than it may.
    over: bool,
}

/// What is read between two looks at the memory, in octets.
const PIECE: usize = 16 * 1024;
/// All of it is looked at after so many octets, and a part of what there is, so that looking is a part of reading.
const WEIGHED: u64 = 256 * 1024;
/// What may be written at the end whatever there is: the last line.
const SPARE: usize = 256 << 10;

/// Growth that is too little to be handed out by itself.
const LEAST: usize = 2048;

impl Reader {
    /// A page of which nothing has come yet; `None` for types that are not shown.
    pub fn new(intake: Intake) -> Option<Reader> {
        let parser = parser(&intake.input)?;
        let (mut builder, source, beginning) = (Builder::new(), Some(Vec::new()), Arc::default());
        *builder.document_mut() = begun(&intake);
        Some(Reader {
            intake,
            remark: None,
            parser,
            builder,
            source,
            beginning,
            received: 0,
            shown: 0,
            tentative: 0,
            fresh: false,
            read: 0,
            due: WEIGHED,
            over: false,
        })
    }

    /// Takes the next octets; gives the page when it has grown enough to be looked at again.
    pub fn feed(&mut self, octets: &[u8]) -> Option<Grown> {
        self.take(octets);
        self.is_due().then(|| self.grown())
    }

    /// About how much of the page there is to copy, in octets.
    pub fn size(&self) -> usize {
        size(self.builder.document())
    }

    /// Whether the page has grown enough to be looked at again.
    pub fn is_due(&self) -> bool {
        let size = size(self.builder.document());
        self.is_fresh() && size >= if self.shown == 0 { 1 } else { self.shown + LEAST.max(self.shown / 2) }
    }

    /// Takes the next octets; those that there is no memory for are left out.
    pub fn take(&mut self, octets: &[u8]) {
        octets.chunks(PIECE).for_each(|piece| self.take_piece(piece));
    }

    fn take_piece(&mut self, octets: &[u8]) {
        if self.over {
            return;
        }
        self.received += octets.len() as u64;
        let room = BEGINNING - self.beginning.len();
        if room > 0 {
            self.beginning = [&self.beginning, &octets[..octets.len().min(room)]].concat().into();
        }
        match &mut self.source {
            Some(source) if source.len() + octets.len() <= self.intake.keep => source.extend_from_slice(octets),
            source => *source = None,
        }
        self.read(octets);
        self.reconsider();
    }

    /// Reads the page again as it should have been read: by another charset, as another type, or both; says whether it did. What
    /// is not kept any more stays as it was read.
    fn reconsider(&mut self) -> bool {
        let mut again = false;
        for _ in 0..2 {
            let mut input = self.intake.input.clone();
            let remark = match self.parser.again() {
                None => break,
                Some(Again::Charset(said)) => {
                    input.charset = Some(said);
                    self.remark.clone()
                }
                Some(Again::Html(why)) => {
                    input.media = media::LIKE_XHTML.into();
                    Some(why)
                }
            };
            again |= self.restart(Intake { input, ..self.intake.clone() }, remark);
        }
        again
    }

    fn read(&mut self, octets: &[u8]) {
        self.parser.feed(octets, &mut self.builder);
        self.fresh = true;
        self.read += octets.len() as u64;
        let document = match self.read >= self.due {
            true => {
                self.due = self.read + WEIGHED + self.read / 8;
                self.builder.document().memory()
            }
            false => self.builder.weight(),
        };
        self.over = self.parser.memory() + document > self.intake.memory;
    }

    /// The document so far.
    pub fn document(&self) -> &Document {
        self.builder.document()
    }

    /// Its rows so far, if they have an order of their own.
    pub fn rows(&self) -> Option<PageRows> {
        self.parser.rows()
    }

    /// Whether the page holds more memory than it may, so that it should end here.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// What was known of the page before its octets came.
    pub fn input(&self) -> &Input {
        &self.intake.input
    }

    /// Why a page ends that would hold more memory than it may.
    fn too_much(&self) -> String {
        format!("a page may hold {} of memory (limits.memory)", human(self.intake.memory as u64))
    }

    /// The page so far, whether it has grown enough or not.
    pub fn grown(&mut self) -> Grown {
        (self.shown, self.fresh) = (size(self.builder.document()), false);
        let document = Arc::new(self.builder.document().clone());
        let (received, beginning) = (self.received, Arc::clone(&self.beginning));
        Grown { document, rows: self.parser.rows(), received, beginning, tentative: false }
    }

    /// Nothing more has come for long: the page as it would be if nothing more came, where that is more than is written of it and
    /// its octets are kept. All that has come is read for that once more.
    pub fn tentative(&mut self) -> Option<Grown> {
        let octets = self.source.as_deref().filter(|_| self.parser.holds_back() && !self.over)?;
        let (mut parser, mut builder) = (parser(&self.intake.input)?, Builder::new());
        *builder.document_mut() = self.begun();
        let whole = read_within(&mut *parser, without_cut_letter(octets), &mut builder, self.intake.memory);
        let document = builder.finish();
        if !whole || size(&document) <= size(self.builder.document()) {
            return None;
        }
        self.tentative = size(&document);
        let (rows, received, beginning) = (parser.rows(), self.received, Arc::clone(&self.beginning));
        Some(Grown { document: Arc::new(document), rows, received, beginning, tentative: true })
    }

    /// Octets taken.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Whether octets have come since the page was handed out, and all that was is written now.
    pub fn is_fresh(&self) -> bool {
        self.fresh && size(self.builder.document()) >= self.tentative
    }

    /// Reads what has come in another way, from its beginning; what comes is read that way, too. False when what has come is
    /// not kept, or is not shown that way: then all stays as it is.
    pub fn begin_again(&mut self, intake: Intake) -> bool {
        let began = self.restart(intake, None);
        self.reconsider();
        began
    }

    /// A document that knows what is known of its head, and of how it is read.
    fn begun(&self) -> Document {
        let mut document = begun(&self.intake);
        document.notes.extend(self.remark.clone());
        document
    }

    fn restart(&mut self, intake: Intake, remark: Option<String>) -> bool {
        if self.source.is_none() {
            return false;
        }
        let Some(parser) = parser(&intake.input) else { return false };
        (self.intake, self.parser, self.builder, self.remark) = (intake, parser, Builder::new(), remark);
        *self.builder.document_mut() = self.begun();
        (self.shown, self.tentative, self.fresh, self.over) = (0, 0, true, false);
        (self.read, self.due) = (0, WEIGHED);
        let source = self.source.take();
        for piece in source.as_deref().unwrap_or_default().chunks(PIECE) {
            if !self.over {
                self.read(piece);
            }
        }
        self.source = source;
        true
    }

    fn end(&mut self) {
        // Rows that are there have their blocks; what is written of a whole message, feed or tree has no end of its own.
        self.builder.bound(self.intake.memory.max(self.builder.weight()).saturating_add(SPARE));
        self.parser.finish(&mut self.builder);
    }

    /// Nothing more will come.
    pub fn finish(mut self) -> Whole {
        self.end();
        if self.reconsider() {
            self.end();
        }
        let said = self.builder.document().cut.clone();
        let cut = if self.over || self.builder.is_full() { Some(self.too_much()) } else { said };
        let (rows, received, beginning) = (self.parser.rows(), self.received, self.beginning);
        let page = Grown { document: Arc::new(self.builder.finish()), rows, received, beginning, tentative: false };
        Whole { page, source: self.source.map(Into::into), cut }
    }
}

/// Octets without those at their end that may be the beginning of a letter whose rest comes.
fn without_cut_letter(octets: &[u8]) -> &[u8] {
    /// All but the last octet of the longest letter.
    const MOST: usize = 3;
    let others = octets.iter().rev().take(MOST).take_while(|octet| !octet.is_ascii()).count();
    let start = octets.len() - octets.iter().rev().take(MOST + 1).take_while(|octet| !octet.is_ascii()).count();
    match std::str::from_utf8(&octets[start..]) {
        Ok(_) => octets,
        Err(_) => &octets[..octets.len() - others],
    }
}

/// Reads octets that are all here, as far as parser and document hold no more memory than they may; whether that was all.
pub(super) fn read_within(parser: &mut dyn Parser, octets: &[u8], out: &mut Builder, most: usize) -> bool {
    out.bound(most);
    let mut pieces = octets.chunks(PIECE);
    let all = pieces.all(|piece| {
        parser.feed(piece, out);
        parser.memory().saturating_add(out.weight()) <= most
    });
    parser.finish(out);
    all && !out.is_full()
}

/// A document that knows no more than its head does.
pub fn begun(intake: &Intake) -> Document {
    let mut document = Document::default();
    document.entitle(&sanitise(intake.title.as_deref().unwrap_or_default()));
    document
}

/// About how much of a document there is to copy, in octets.
fn size(document: &Document) -> usize {
    document.text().len() + 32 * document.blocks().len()
}
