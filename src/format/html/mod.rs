//! `text/html` and `application/xhtml+xml` → `Document`.
//!
//! Text becomes tokens (`lexer`), which html5ever makes a tree of our own of (`dom`); a walk (`walk`) follows it and writes blocks, links, places,
//! tables and fields while the page is still arriving. Scripts are not run and styles not read, but for what hides.
//! What a hostile page can make us hold or do is bounded: depth and formatting elements in `guard`, nodes and text in
//! `dom`, names of places in `flow`, columns in `table`, fields in `field`.

mod dom;
mod element;
mod field;
mod flow;
mod guard;
mod head;
mod hidden;
mod inner;
mod landmark;
mod lexer;
mod linked;
mod list;
mod math;
mod media;
mod name;
mod prescan;
mod raised;
mod sink;
mod standing;
mod structure;
mod submission;
mod table;
mod walk;

pub use prescan::declared;
pub use standing::standing;
pub use submission::{File, Submission, Value, initial, search_query, submission};

use super::charset::Decoder;
use super::{Input, Parser};
use crate::doc::Builder;
use guard::Guard;
use head::Head;
use lexer::Lexer;
use walk::End;

/// How the notice of a `Refresh` header begins; what the header says follows.
pub const GOES_ON: &str = "This page would go on by itself: ";
/// How the notice of a `Link` header begins (RFC 8288); its value follows.
pub const LINKED: &str = "Related: ";
/// What is noted of a page that is not read to its end.
pub(super) const TOO_LARGE: &str = "the page is too large: its end is missing";
/// The most octets that are parsed at a time.
const PIECE: usize = 64 * 1024;

/// Reads HTML.
pub struct Html {
    charset: Option<String>,
    /// The first octets, while the charset is looked for in them.
    held: Vec<u8>,
    decoder: Option<Decoder>,
    text: String,
    lexer: Lexer,
}

impl Html {
    /// A parser; the charset of `input` outweighs the page's own word.
    pub fn new(input: &Input) -> Html {
        Html {
            charset: input.charset.clone(),
            held: Vec::new(),
            decoder: None,
            text: String::new(),
            lexer: Lexer::new(Guard::new(Head::announced(&input.notices, &input.url))),
        }
    }

    /// Takes octets whose charset is known.
    fn decode(&mut self, octets: &[u8]) {
        for piece in octets.chunks(PIECE) {
            if let Some(decoder) = &mut self.decoder {
                decoder.feed(piece, &mut self.text);
            }
            self.parse();
        }
    }

    fn begin(&mut self) {
        let charset = self.charset.take().or_else(|| prescan::declared(&self.held));
        self.decoder = Some(Decoder::new(charset.as_deref()));
        let held = std::mem::take(&mut self.held);
        self.decode(&held);
    }

    /// Parses the text that was decoded.
    fn parse(&mut self) {
        self.lexer.read(&self.text);
        self.text.clear();
    }

    /// Takes octets, or the end, with the document in the walk's hands.
    fn with(&mut self, out: &mut Builder, work: impl FnOnce(&mut Html)) {
        self.lexer.guard().out.replace(std::mem::take(out));
        work(self);
        *out = self.lexer.guard().out.take();
    }

    fn take(&mut self, octets: &[u8]) {
        if self.decoder.is_some() {
            return self.decode(octets);
        }
        self.held.extend_from_slice(octets);
        if self.charset.is_some() || self.held.len() >= prescan::WINDOW {
            self.begin();
        }
    }

    fn end(&mut self) {
        if self.decoder.is_none() {
            self.begin();
        }
        if let Some(decoder) = &mut self.decoder {
            decoder.finish(&mut self.text);
        }
        self.parse();
        self.lexer.end();
        self.lexer.guard().walk(End::Last);
    }

    /// What the reader should know of how the page was read.
    fn notes(&self) -> Vec<String> {
        let mut notes = self.decoder.as_ref().map(Decoder::notes).unwrap_or_default();
        let guard = &self.lexer.guard();
        let mut note = |when: bool, words: &str| notes.extend(when.then(|| words.into()));
        note(guard.deep.get(), "elements nested more than 512 deep were left out");
        note(self.lexer.cut, "a tag with too many attributes was cut");
        note(guard.is_full(), TOO_LARGE);
        note(guard.walk.borrow().fields.full, "some fields of its forms were left out");
        notes
    }
}

impl Parser for Html {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.with(out, |html| html.take(octets));
    }

    /// A charset that the page did not declare so far is guessed by what has come.
    fn settle(&mut self, out: &mut Builder) {
        if self.decoder.is_none() && !self.held.is_empty() {
            self.with(out, Html::begin);
        }
    }

    fn finish(&mut self, out: &mut Builder) {
        self.with(out, Html::end);
        self.lexer.guard().walk.borrow_mut().finish(out);
        out.document_mut().notes.append(&mut self.notes());
    }

    fn memory(&self) -> usize {
        self.held.capacity() + self.lexer.memory()
    }

    fn holds_back(&self) -> bool {
        true
    }
}
