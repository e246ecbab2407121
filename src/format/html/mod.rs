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
mod references;
mod sink;
mod standing;
mod structure;
mod submission;
mod table;
mod walk;

pub use references::{Purpose, Reference, References, references};
pub use standing::standing;
pub use submission::{File, Submission, Value, initial, search_query, submission};

use super::charset::{Decoder, Judge, Said};
use super::{Input, Parser};
use crate::doc::Builder;
use encoding_rs::Encoding;
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

/// Whether a media type is read here.
pub fn is_html(kind: &str) -> bool {
    kind == super::media::HTML || kind == "application/xhtml+xml"
}

/// Reads HTML.
///
/// The charset is looked for as browsers do it, but nothing waits for it that needs none: ASCII is read at once, and an element
/// that declares a charset counts as long as nothing else has come. From the first octet that is not ASCII on, octets are held
/// until the first 1024 are there to be searched (HTML, 13.2.3.2); then the text decides, see `charset::judge`, and asks before
/// it guesses what the page says of itself among the octets that it guesses from. What is declared after that is told
/// ([`Parser::says_late`]).
pub struct Html {
    /// The first octets, to be searched.
    first: Vec<u8>,
    /// Octets that wait for the first ones to be whole.
    held: Vec<u8>,
    /// The first octets were searched.
    searched: bool,
    decoder: Decoder,
    /// What the page declared when it was too late.
    late: Option<String>,
    text: String,
    lexer: Lexer,
}

impl Html {
    /// A parser; what is said of `input`'s charset outweighs the page's own word.
    pub fn new(input: &Input) -> Html {
        let judge = Judge::new(input.charset.as_ref(), input.url.host()).asking(prescan::declared_within);
        Html {
            first: Vec::new(),
            held: Vec::new(),
            searched: false,
            decoder: Decoder::by(judge),
            late: None,
            text: String::new(),
            lexer: Lexer::new(Guard::new(Head::announced(&input.notices, &input.url))),
        }
    }

    /// Takes octets that need not wait.
    fn decode(&mut self, octets: &[u8]) {
        for piece in octets.chunks(PIECE) {
            self.decoder.feed(piece, &mut self.text);
            self.parse();
        }
    }

    /// Searches the first octets for the page's own word, and takes what waited for that.
    fn search(&mut self) {
        self.searched = true;
        if let Some(name) = prescan::declared(&self.first) {
            self.decoder.declare(&name);
        }
        let held = std::mem::take(&mut self.held);
        self.first = Vec::new();
        self.decode(&held);
    }

    /// Parses the text that was decoded.
    fn parse(&mut self) {
        self.lexer.read(&self.text);
        self.text.clear();
        let declared = self.lexer.guard().declared.take();
        if let Some(name) = declared.map(prescan::readable).filter(|name| !self.decoder.declare(name)) {
            self.late.get_or_insert(name);
        }
    }

    /// Takes octets, or the end, with the document in the walk's hands.
    fn with(&mut self, out: &mut Builder, work: impl FnOnce(&mut Html)) {
        self.lexer.guard().out.replace(std::mem::take(out));
        work(self);
        *out = self.lexer.guard().out.take();
    }

    fn take(&mut self, octets: &[u8]) {
        if self.searched {
            return self.decode(octets);
        }
        let room = prescan::WINDOW - self.first.len();
        self.first.extend_from_slice(&octets[..octets.len().min(room)]);
        if !self.held.is_empty() {
            self.held.extend_from_slice(octets);
        } else {
            let ascii = Encoding::ascii_valid_up_to(octets);
            self.decode(&octets[..ascii]);
            self.held.extend_from_slice(&octets[ascii..]);
        }
        if !self.held.is_empty() && self.first.len() >= prescan::WINDOW {
            self.search();
        }
    }

    fn end(&mut self) {
        self.search();
        self.decoder.finish(&mut self.text);
        self.parse();
        self.lexer.end();
        self.lexer.guard().walk(End::Last);
    }

    /// What the reader should know of how the page was read.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
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
        if out.document().charset.is_none() {
            // A form may be sent before the page has ended.
            out.document_mut().charset = self.decoder.used();
        }
    }

    /// A charset that the page did not declare so far is found by what has come.
    fn settle(&mut self, out: &mut Builder) {
        self.with(out, |html| {
            if !html.held.is_empty() {
                html.search();
            }
            html.decoder.settle(&mut html.text);
            html.parse();
        });
    }

    fn finish(&mut self, out: &mut Builder) {
        self.with(out, Html::end);
        self.lexer.guard().walk.borrow_mut().finish(out);
        out.document_mut().charset = None;
        self.decoder.tell(out.document_mut());
        out.document_mut().notes.append(&mut self.notes());
    }

    fn memory(&self) -> usize {
        self.held.capacity() + self.lexer.memory()
    }

    fn says_late(&self) -> Option<Said> {
        self.late.as_ref().map(Said::from)
    }

    fn holds_back(&self) -> bool {
        true
    }
}
