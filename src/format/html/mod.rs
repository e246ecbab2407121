//! `text/html` and `application/xhtml+xml` → `Document`.
//!
//! Text becomes tokens (`lexer`), which html5ever makes a tree of our own of (`dom`); of XHTML that tree is made by the rules of XML
//! (`xml`). A walk (`walk`) follows it and writes blocks, links, places, tables and fields while the page is still arriving. Scripts are not run and styles not read, but for what hides.
//! What a hostile page can make us hold or do is bounded: depth and formatting elements in `guard`, nodes and text in
//! `dom`, names of places in `flow`, columns in `table`, fields in `field`.

mod dom;
mod drawing;
mod element;
mod entity;
mod field;
mod flow;
mod gathered;
mod guard;
mod head;
mod hidden;
mod inner;
mod label;
mod labelled;
mod landmark;
mod lexer;
mod linked;
mod list;
mod math;
mod media;
mod name;
mod page;
mod prescan;
mod raised;
mod references;
mod sink;
mod standing;
mod structure;
mod submission;
mod syntax;
mod table;
mod walk;
mod xml;

pub use references::{Purpose, Reference, References, references};
pub use standing::standing;
pub use submission::{File, Submission, Value, initial, search_query, submission};

use super::charset::{Decoder, Judge};
use super::{Again, Input, Parser};
use crate::doc::Builder;
use encoding_rs::Encoding;
use guard::Guard;
use head::Head;
use lexer::Lexer;
use syntax::Syntax;
use xml::Xml;

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
/// ([`Parser::again`]). XHTML that is no XML is told of in the same way; from where that was seen on it is read as HTML.
pub struct Html {
    /// The first octets, to be searched.
    first: Vec<u8>,
    /// Octets that wait for the first ones to be whole.
    held: Vec<u8>,
    /// The first octets were searched.
    searched: bool,
    decoder: Decoder,
    /// Why the page should be read again.
    again: Option<Again>,
    /// Why it was no XML.
    fault: Option<String>,
    text: String,
    syntax: Box<dyn Syntax>,
}

impl Html {
    /// A parser; what is said of `input`'s charset outweighs the page's own word.
    pub fn new(input: &Input) -> Html {
        Html::by(input, |head| Box::new(Lexer::new(Guard::new(head))))
    }

    /// A parser of XHTML.
    pub fn xml(input: &Input) -> Html {
        Html::by(input, |head| Box::new(Xml::new(head)))
    }

    /// A parser of HTML that was meant to be XHTML.
    pub fn like_xml(input: &Input) -> Html {
        Html::by(input, |head| Box::new(Lexer::new(Guard::like_xml(head))))
    }

    fn by(input: &Input, syntax: impl FnOnce(Head) -> Box<dyn Syntax>) -> Html {
        let judge = Judge::new(input.charset.as_ref(), input.url.host()).asking(prescan::declared_within);
        Html {
            first: Vec::new(),
            held: Vec::new(),
            searched: false,
            decoder: Decoder::by(judge),
            again: None,
            fault: None,
            text: String::new(),
            syntax: syntax(Head::announced(&input.notices, &input.url)),
        }
    }

    /// Takes octets that need not wait.
    fn decode(&mut self, octets: &[u8]) {
        for mut piece in octets.chunks(PIECE) {
            // what the page says of its charset before an escape decides whether that is one
            while let Some(escape) = self.decoder.next_escape(piece) {
                let (before, rest) = piece.split_at(escape);
                self.decoder.feed(before, &mut self.text);
                self.parse();
                if !self.decoder.may_be_escaped() {
                    piece = rest;
                    break;
                }
                let (sign, rest) = rest.split_at(2);
                self.decoder.feed(sign, &mut self.text);
                piece = rest;
            }
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
        self.syntax.read(&self.text);
        self.text.clear();
        let declared = self.syntax.page().declared.take();
        if let Some(name) = declared.map(prescan::readable).filter(|name| !self.decoder.declare(name)) {
            self.again.get_or_insert_with(|| Again::Charset((&name).into()));
        }
        self.go_on_as_html();
    }

    /// Ends what was read as XML and is none, and reads what follows as HTML; says whether that was so.
    fn go_on_as_html(&mut self) -> bool {
        let Some((fault, rest)) = self.syntax.refused() else { return false };
        self.again = Some(Again::Html(fault.clone()));
        self.fault = Some(fault);
        let mut out = Builder::new();
        self.syntax.page().exchange(&mut out);
        self.syntax.page().finish(&mut out);
        let head = std::mem::take(&mut self.syntax.page().walk.borrow_mut().head);
        self.syntax = Box::new(Lexer::new(Guard::like_xml(head)));
        self.syntax.page().exchange(&mut out);
        self.syntax.read(&rest);
        true
    }

    /// Takes octets, or the end, with the document in the walk's hands.
    fn with(&mut self, out: &mut Builder, work: impl FnOnce(&mut Html)) {
        self.syntax.page().exchange(out);
        work(self);
        self.syntax.page().exchange(out);
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
        self.syntax.end();
        if self.go_on_as_html() {
            self.syntax.end();
        }
    }

    /// What the reader should know of how the page was read.
    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.fault.iter().cloned().collect();
        let page = self.syntax.page();
        let mut note = |when: bool, words: &str| notes.extend(when.then(|| words.into()));
        note(page.deep.get(), "elements nested more than 512 deep were left out");
        note(self.syntax.is_cut(), "a tag with too many attributes was cut");
        note(self.syntax.dom().full, TOO_LARGE);
        note(page.walk.borrow().fields.full, "some fields of its forms were left out");
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

    fn finish(&mut self, out: &mut Builder) {
        self.with(out, Html::end);
        self.syntax.page().finish(out);
        out.document_mut().charset = None;
        self.decoder.tell(out.document_mut());
        if self.syntax.dom().full {
            out.document_mut().cut = Some(TOO_LARGE.into());
        }
        out.document_mut().notes.append(&mut self.notes());
    }

    fn memory(&self) -> usize {
        self.held.capacity() + self.syntax.memory()
    }

    fn again(&self) -> Option<Again> {
        self.again.clone()
    }

    fn holds_back(&self) -> bool {
        true
    }
}
