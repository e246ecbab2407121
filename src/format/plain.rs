//! `text/plain` → `Document`: lines as they are, URLs linked (TXT-01 … 16), overstrike made bold or underlined.
//!
//! Lines are written as they come. Only a line in which a URL may begin is kept, with those after it, until the next empty
//! line (or until the piece grows large), because a URL may run over line breaks but never over an empty line.

use super::charset::{self, By, Decoder, Judge, Said};
use super::colours::{self, Paint};
use super::message::Place;
use super::overstrike::{self, Styled};
use super::{Input, Parser};
use crate::doc::Document;
use crate::doc::{BlockKind, Builder, LinkId, Marker, sanitise, sanitise_into};
use crate::role::Role;
use crate::url::find::{self, Found};
use crate::url::split;
use memchr::{memchr, memchr2, memchr2_iter, memmem};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The longest line in octets of UTF-8; a longer one is cut into several.
const LONGEST: usize = 64 * 1024;

/// How large a piece may grow before it is taken without an empty line.
const PIECE: usize = 8 * 1024;

/// Reads plain text.
pub struct Plain {
    lines: TextLines,
    piece: Piece,
    /// It asks for colours that are not shown.
    colourless: bool,
}

impl Plain {
    /// A parser for text of the charset of `input`.
    pub fn new(input: &Input) -> Plain {
        Plain { lines: TextLines::named(input), piece: Piece::new(), colourless: false }
    }

    /// The same in the colours that the text asks for.
    pub fn coloured(input: &Input) -> Plain {
        let piece = Piece { paint: Some(Paint::new(is_drawing(input))), ..Piece::new() };
        Plain { piece, ..Plain::new(input) }
    }

    fn line(piece: &mut Piece, colourless: &mut bool, line: &str, out: &mut Builder) {
        *colourless = *colourless || piece.paint.is_none() && colours::asked(line);
        piece.page_line(line, out);
    }
}

/// Whether its name says that it is a drawing of DOS.
fn is_drawing(input: &Input) -> bool {
    let path = input.url.path();
    let name = path.split(';').next().unwrap_or(path);
    name.len() > 4 && name.as_bytes()[name.len() - 4..].eq_ignore_ascii_case(b".ans")
}

impl Parser for Plain {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        let Plain { lines, piece, colourless } = self;
        lines.feed(octets, &mut |line| Plain::line(piece, colourless, line, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        let Plain { lines, piece, colourless } = self;
        lines.finish(&mut |line| Plain::line(piece, colourless, line, out));
        piece.take(out);
        lines.tell(out.document_mut());
        if *colourless {
            out.document_mut().notes.push("colours are left out; :colours shows them".into());
        }
    }

    fn memory(&self) -> usize {
        self.lines.memory()
    }

    fn holds_back(&self) -> bool {
        true
    }
}

/// Octets → decoded lines without their ends: LF, CR LF, CR alone.
pub(super) struct TextLines {
    decoder: Decoder,
    /// Decoded text whose line end has not come.
    held: String,
    /// The last line ended with CR: an LF that follows belongs to it.
    after_cr: bool,
}

impl TextLines {
    /// Lines of a text that came from somewhere.
    pub fn of(input: &Input) -> TextLines {
        TextLines::by(Judge::new(input.charset.as_ref(), input.url.host()))
    }

    /// The same, where the name of a drawing of DOS says more than the settings do: it is in the PC's code page.
    fn named(input: &Input) -> TextLines {
        let silent = input.charset.as_ref().is_none_or(|said| said.by == By::Default);
        match charset::known("cp437").filter(|_| is_drawing(input) && silent) {
            Some(pc) => TextLines::by(Judge::otherwise(pc)),
            None => TextLines::of(input),
        }
    }

    /// Lines of a text in a message, of which this is said.
    pub fn in_mail(said: Option<&Said>) -> TextLines {
        TextLines::by(Judge::in_mail(said))
    }

    fn by(judge: Judge) -> TextLines {
        TextLines { decoder: Decoder::by(judge), held: String::new(), after_cr: false }
    }

    /// Gives every complete line.
    pub fn feed(&mut self, octets: &[u8], each: &mut dyn FnMut(&str)) {
        self.decoder.feed(octets, &mut self.held);
        self.cut(false, each);
    }

    /// Gives the line without an end, if there is one.
    pub fn finish(&mut self, each: &mut dyn FnMut(&str)) {
        self.decoder.finish(&mut self.held);
        self.cut(true, each);
    }

    /// Tells the reader what they should know of the charset.
    pub fn tell(&self, document: &mut Document) {
        self.decoder.tell(document);
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.held.capacity()
    }

    /// Takes every complete line; with `last`, also the one without an end.
    fn cut(&mut self, last: bool, each: &mut dyn FnMut(&str)) {
        let mut held = std::mem::take(&mut self.held);
        let mut taken = 0;
        while taken < held.len() {
            let rest = &held[taken..];
            if std::mem::take(&mut self.after_cr) && rest.starts_with('\n') {
                taken += 1;
                continue;
            }
            let within = rest.len().min(LONGEST + 1);
            let (end, next) = match memchr2(b'\r', b'\n', &rest.as_bytes()[..within]) {
                Some(end) => {
                    self.after_cr = rest.as_bytes()[end] == b'\r';
                    (end, end + 1)
                }
                None if rest.len() > LONGEST => {
                    let end = rest.floor_char_boundary(LONGEST);
                    (end, end)
                }
                None if last => (rest.len(), rest.len()),
                None => break,
            };
            each(&rest[..end]);
            taken += next;
        }
        held.drain(..taken);
        self.held = held;
    }
}

/// Lines that are searched for URLs together.
///
/// Whoever writes to the document between lines calls [`Piece::take`] first.
pub(super) struct Piece {
    /// The lines, safe to show, each with an LF after it.
    text: String,
    /// Pieces of `text` with a look of their own, in order.
    styled: Vec<Styled>,
    www: memmem::Finder<'static>,
    /// The look of the lines.
    role: Role,
    indent: u8,
    articles: Arc<Articles>,
    /// Reads the colours that the lines ask for.
    paint: Option<Paint>,
}

/// What a text knows of the articles that it may name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Articles {
    /// URLs of those that are known to be some, among addresses that look like ids.
    pub known: BTreeSet<String>,
    /// Where their ids lead.
    pub place: Place,
}

impl Articles {
    /// The reference of a URL that was found in a text as it is written there.
    fn reference(&self, found: &Found, written: &str) -> String {
        let whole = || written.trim_start_matches(['<', ' ']).get(..5).is_some_and(|s| s.eq_ignore_ascii_case("news:"));
        match found.url.starts_with("news:") && !whole() {
            true => self.place.of_url(&found.url),
            false => reference(found),
        }
    }
}

impl Piece {
    /// No lines yet.
    pub fn new() -> Piece {
        Piece::among(Arc::default())
    }

    /// No lines yet, of a text that may name these articles.
    pub fn among(articles: Arc<Articles>) -> Piece {
        let (text, styled, www) = (String::new(), Vec::new(), memmem::Finder::new("www."));
        Piece { text, styled, www, role: Role::Text, indent: 0, articles, paint: None }
    }

    /// Gives the lines that follow another look and indent. Lines of two looks are not searched together.
    pub fn look(&mut self, role: Role, indent: u8, out: &mut Builder) {
        if (role, indent) != (self.role, self.indent) {
            self.take(out);
            (self.role, self.indent) = (role, indent);
        }
    }

    /// Adds a line in which form feeds end pages.
    pub fn page_line(&mut self, line: &str, out: &mut Builder) {
        if memchr(b'\x0C', line.as_bytes()).is_none() {
            return self.line(line, out);
        }
        // A form feed ends a page; on a line of its own it is nothing but that.
        for (i, part) in line.split('\x0C').enumerate() {
            if i > 0 {
                self.take(out);
                out.marked(BlockKind::Rule, Role::Rule, Marker::None, self.indent);
            }
            if !part.trim().is_empty() {
                self.line(part, out);
            }
        }
    }

    /// Adds a line; writes what there is when a paragraph ends.
    pub fn line(&mut self, line: &str, out: &mut Builder) {
        if line.trim_ascii().is_empty() {
            self.take(out);
            return self.begin(out);
        }
        let struck = memchr(b'\x08', line.as_bytes()).is_some();
        if let Some(paint) = self.paint.as_mut().filter(|_| !struck) {
            paint.line(line, &mut self.text, &mut self.styled);
        } else if struck {
            overstrike::read_into(line, &mut self.text, &mut self.styled);
        } else if self.text.is_empty() && !self.may_hold_urls(line) {
            self.begin(out);
            return out.text(&sanitise(line));
        } else {
            sanitise_into(line, &mut self.text);
        }
        self.text.push('\n');
        if self.text.len() >= PIECE {
            self.take(out);
        }
    }

    /// Writes the lines, URLs linked.
    pub fn take(&mut self, out: &mut Builder) {
        let mut found = if self.may_hold_urls(&self.text) { find::find(&self.text) } else { Vec::new() };
        for found in found.iter_mut().filter(|found| !found.sure) {
            if let Some(article) = found.alternatives.iter().find(|other| self.articles.known.contains(*other)) {
                found.url.clone_from(article);
            }
        }
        let mut brush =
            Brush { text: &self.text, found: &found, styled: &self.styled, link: None, articles: &self.articles };
        let mut from = 0;
        while let Some(end) = memchr(b'\n', &self.text.as_bytes()[from..]) {
            self.begin(out);
            brush.line(from, from + end, out);
            from += end + 1;
        }
        self.text.clear();
        self.styled.clear();
    }

    /// Begins a line's block.
    fn begin(&self, out: &mut Builder) {
        out.marked(BlockKind::Line, self.role, Marker::None, self.indent);
    }

    /// A quick look, so that prose is not searched: a URL has a colon between non-blanks, a `<` around it, or begins with
    /// `www.`.
    fn may_hold_urls(&self, text: &str) -> bool {
        let octets = text.as_bytes();
        memchr2_iter(b':', b'<', octets).any(|at| {
            octets[at] == b'<'
                || (at > 0
                    && octets[at - 1].is_ascii_alphanumeric()
                    && octets.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace()))
        }) || self.www.find(octets).is_some()
    }
}

/// Writes one line into the block that has begun, URLs linked.
pub(super) fn write_linked(line: &str, out: &mut Builder) {
    write_linked_among(line, &Articles::default(), out);
}

/// The same where articles may be named.
pub(super) fn write_linked_among(line: &str, articles: &Articles, out: &mut Builder) {
    let found = find::find(line);
    Brush { text: line, found: &found, styled: &[], link: None, articles }.line(0, line.len(), out);
}

/// Writes lines with links and looks.
struct Brush<'a> {
    text: &'a str,
    found: &'a [Found],
    styled: &'a [Styled],
    /// The link that is being written, when it has begun on an earlier line.
    link: Option<LinkId>,
    articles: &'a Articles,
}

impl Brush<'_> {
    fn line(&mut self, mut at: usize, end: usize, out: &mut Builder) {
        while at < end {
            while self.found.first().is_some_and(|f| f.range.end <= at) {
                self.found = &self.found[1..];
                self.link = None;
            }
            match self.found.first().filter(|f| f.range.start < end) {
                Some(found) if found.range.start > at => {
                    self.plain(at, found.range.start, out);
                    at = found.range.start;
                }
                Some(found) => {
                    let stop = found.range.end.min(end);
                    self.linked(found, at, stop, out);
                    at = stop;
                }
                None => {
                    self.plain(at, end, out);
                    at = end;
                }
            }
        }
    }

    /// Writes the piece of a link that is on this line.
    fn linked(&mut self, found: &Found, at: usize, stop: usize, out: &mut Builder) {
        let role = if found.sure { Role::Link } else { Role::LinkWeak };
        match self.link {
            None => {
                let reference = self.articles.reference(found, &self.text[found.range.clone()]);
                self.link = Some(out.link(&self.text[at..stop], role, &reference));
            }
            Some(link) => {
                // Indents and quote marks before the rest of a link are not part of it.
                let rest = self.text[at..stop].trim_start_matches([' ', '\t', '>', '|']);
                out.text(&self.text[at..stop - rest.len()]);
                if !rest.is_empty() {
                    out.link_more(rest, role, link);
                }
            }
        }
    }

    fn plain(&mut self, mut at: usize, end: usize, out: &mut Builder) {
        while at < end {
            while self.styled.first().is_some_and(|s| s.end <= at) {
                self.styled = &self.styled[1..];
            }
            match self.styled.first().filter(|s| s.start < end) {
                Some(styled) => {
                    let (start, stop) = (styled.start.max(at), styled.end.min(end));
                    out.text(&self.text[at..start]);
                    out.styled(&self.text[start..stop], styled.role);
                    at = stop;
                }
                None => {
                    out.text(&self.text[at..end]);
                    at = end;
                }
            }
        }
    }
}

/// The reference of a found URL; what only looks like one gets its scheme (D39).
fn reference(found: &Found) -> String {
    let url = found.url.as_str();
    if found.sure || split(url).scheme.is_some() {
        return url.into();
    }
    match url {
        _ if url.starts_with("ftp.") => format!("ftp://{url}"),
        _ if url.contains('@') && !url.contains('/') => format!("mailto:{url}"),
        _ => format!("http://{url}"),
    }
}
