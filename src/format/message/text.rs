//! A text body on the page: transfer encoding undone, files found, charset read, format=flowed (RFC 3676), quotes and
//! signature in their looks and folds, URLs and ids linked.
//!
//! Unquoted flowed lines become one line each paragraph, which the page wraps. Quoted ones stay as they were sent: a block
//! has no prefix of its own, so a quote that the page wrapped would lose its marks.

use super::fields::Fields;
use super::files::{File, Files, Piece as Found};
use super::frames::{Framed, Frames};
use super::head::Head;
use super::parameters::Parameters;
use super::rot13;
use super::transfer::Transfer;
use crate::doc::{BlockKind, Builder, FoldKind, Marker, sanitise};
use crate::format::charset::{self, Said};
use crate::format::count;
use crate::format::plain::{Articles, Piece, TextLines};
use crate::news::MOST_PARTS;
use crate::role::Role;
use std::sync::Arc;

/// Whether letters are shown as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    AsTheyAre,
    Rotated,
}

/// A quote of this many lines has a line of its own by which it is folded.
const LONG_QUOTE: usize = 8;
/// A quote is held up to this many lines, to say how many there are.
const LONGEST_QUOTE: usize = 2000;
/// The longest flowed paragraph, in octets.
const LONGEST: usize = 64 * 1024;

/// What a text part says of itself.
pub(super) struct Says {
    pub transfer: Transfer,
    /// The charset: the reader's choice, else the part's.
    pub charset: Option<Said>,
    pub flow: Flow,
    pub indent: u8,
    pub letters: Letters,
    /// The articles that the header names.
    pub articles: Arc<Articles>,
    /// On the page of a thread: whose words a quote repeats.
    pub whose: Option<Whose>,
    /// How many parts the subject says there are of a file.
    pub parts: Option<u64>,
}

/// Tells from quoted lines and their depths whose words they are: a name, and the reference that leads there. Where there is such
/// knowledge, quotes and signatures begin folded.
pub(super) type Whose = Arc<dyn Fn(&[(String, usize)]) -> Option<(String, String)> + Send + Sync>;

/// What trailing spaces mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Nothing.
    Fixed,
    /// The paragraph goes on.
    Flowed,
    /// The paragraph goes on, and the space is no part of it.
    DelSp,
}

impl Flow {
    /// As the content type of a text says.
    pub fn of(content: &Parameters) -> Flow {
        let is = |name, value: &str| content.get(name).is_some_and(|v| v.trim().eq_ignore_ascii_case(value));
        match (is("format", "flowed"), is("delsp", "yes")) {
            (false, _) => Flow::Fixed,
            (true, false) => Flow::Flowed,
            (true, true) => Flow::DelSp,
        }
    }
}

/// A text body as it comes.
pub(super) struct Text {
    transfer: Transfer,
    files: Files,
    charset: Option<Said>,
    lines: TextLines,
    writer: Writer,
}

impl Text {
    /// A body that says this of itself. `name_of` gives the URL of its n-th file.
    pub fn new(says: Says, name_of: FileUrl) -> Text {
        let charset = says.charset.filter(|said| charset::in_mail(&said.name).is_some() || !is_ascii(&said.name));
        let lines = TextLines::in_mail(charset.as_ref());
        let (whose, parts) = (says.whose, says.parts);
        let writer =
            Writer { whose, parts, ..Writer::new(says.flow, says.indent, says.letters, says.articles, name_of) };
        Text { transfer: says.transfer, files: Files::new(0), charset, lines, writer }
    }

    /// Writes what the next octets complete.
    pub fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        let mut transfer = std::mem::replace(&mut self.transfer, Transfer::Identity);
        transfer.feed(octets, &mut |decoded| self.decoded(decoded, out));
        self.transfer = transfer;
    }

    /// Writes the rest.
    pub fn finish(&mut self, out: &mut Builder) {
        let mut transfer = std::mem::replace(&mut self.transfer, Transfer::Identity);
        transfer.finish(&mut |decoded| self.decoded(decoded, out));
        let mut files = std::mem::replace(&mut self.files, Files::new(0));
        files.finish(&mut |found| self.found(found, out));
        self.end_text(out);
        self.writer.finish(out);
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.lines.memory()
    }

    fn decoded(&mut self, octets: &[u8], out: &mut Builder) {
        let mut files = std::mem::replace(&mut self.files, Files::new(0));
        files.feed(octets, &mut |found| self.found(found, out));
        self.files = files;
    }

    fn found(&mut self, found: Found, out: &mut Builder) {
        match found {
            Found::Text(octets) => {
                let Text { lines, writer, .. } = self;
                lines.feed(octets, &mut |line| writer.line(line, out));
            }
            Found::File(file) => {
                self.end_text(out);
                self.writer.file(&file, out);
            }
        }
    }

    /// Writes what the charset still held: a file or the end follows.
    fn end_text(&mut self, out: &mut Builder) {
        let fresh = TextLines::in_mail(self.charset.as_ref());
        let mut lines = std::mem::replace(&mut self.lines, fresh);
        lines.finish(&mut |line| self.writer.line(line, out));
        lines.tell(out.document_mut());
    }
}

/// Whether a charset is that of which no octet needs one.
pub(super) fn is_ascii(name: &str) -> bool {
    matches!(name.trim().to_ascii_lowercase().as_str(), "" | "ascii" | "us-ascii")
}

/// The URL of a body's n-th file; 0 is the one of which the body has a part.
pub(super) type FileUrl = Box<dyn Fn(u32) -> String + Send>;

/// Writes the lines of a text.
struct Writer {
    piece: Piece,
    flow: Flow,
    indent: u8,
    letters: Letters,
    /// The flowed paragraph so far.
    paragraph: String,
    /// The quoted lines so far, and their depths.
    quoted: Vec<(String, usize)>,
    frames: Frames,
    /// Messages of a digest so far.
    messages: u32,
    articles: Arc<Articles>,
    signed: bool,
    files: u32,
    url_of: FileUrl,
    whose: Option<Whose>,
    /// How many parts the subject says there are of a file.
    parts: Option<u64>,
}

impl Writer {
    fn new(flow: Flow, indent: u8, letters: Letters, articles: Arc<Articles>, url_of: FileUrl) -> Writer {
        let (paragraph, quoted) = (String::new(), Vec::new());
        Writer {
            piece: Piece::among(Arc::clone(&articles)),
            frames: Frames::default(),
            messages: 0,
            articles,
            flow,
            indent,
            letters,
            paragraph,
            quoted,
            signed: false,
            files: 0,
            url_of,
            whose: None,
            parts: None,
        }
    }

    fn line(&mut self, line: &str, out: &mut Builder) {
        let rotated;
        let line = match self.letters {
            Letters::AsTheyAre => line,
            Letters::Rotated => {
                rotated = rot13(line);
                &rotated
            }
        };
        for framed in self.frames.take(line) {
            self.framed(framed, out);
        }
    }

    fn framed(&mut self, framed: Framed, out: &mut Builder) {
        match framed {
            Framed::Held => {}
            Framed::Text(lines) => lines.iter().for_each(|line| match self.flow {
                Flow::Fixed => self.logical(line, quote_depth(line), out),
                _ => self.flowed(line, out),
            }),
            Framed::Armour(what, lines) => self.armour(what, &lines, out),
            Framed::Message(head) => self.message(&head, out),
        }
    }

    /// What surrounds a text and is not for people, in a fold of its own.
    fn armour(&mut self, what: &str, lines: &[String], out: &mut Builder) {
        self.end_paragraph(out);
        self.end_quote(out);
        self.piece.take(out);
        out.marked(BlockKind::Line, Role::Dim, Marker::None, self.indent);
        let head = out.link(&format!("┄ {what}"), Role::Control, "");
        out.begin_fold(FoldKind::Details, head, false);
        for line in lines {
            out.marked(BlockKind::Line, Role::Dim, Marker::None, self.indent);
            out.text(&sanitise(line));
        }
        out.end_fold();
    }

    /// The head of a message in a digest, which a fragment leads to.
    fn message(&mut self, head: &str, out: &mut Builder) {
        self.end_paragraph(out);
        self.end_quote(out);
        self.piece.take(out);
        if std::mem::take(&mut self.signed) {
            out.end_fold();
        }
        self.messages += 1;
        out.marked(BlockKind::Rule, Role::Rule, Marker::None, self.indent);
        out.anchor(&format!("message-{}", self.messages));
        let head = Head::read(head.as_bytes());
        Fields { head: &head, hint: None, articles: &self.articles, indent: self.indent }.write(2, out);
    }

    /// RFC 3676, 4.5: quote marks, then a stuffed space, then perhaps a space that joins the next line.
    fn flowed(&mut self, line: &str, out: &mut Builder) {
        let depth = line.bytes().take_while(|b| *b == b'>').count();
        let text = &line[depth..];
        let text = text.strip_prefix(' ').unwrap_or(text);
        if depth > 0 {
            self.end_paragraph(out);
            let text = if self.flow == Flow::DelSp { text.strip_suffix(' ').unwrap_or(text) } else { text };
            return self.logical(&format!("{} {text}", ">".repeat(depth)), depth, out);
        }
        if text == "-- " {
            self.end_paragraph(out);
            return self.logical(text, 0, out);
        }
        let goes_on = text.ends_with(' ');
        let text = if goes_on && self.flow == Flow::DelSp { &text[..text.len() - 1] } else { text };
        if goes_on && self.paragraph.len() + text.len() < LONGEST {
            self.paragraph.push_str(text);
            return;
        }
        let mut whole = std::mem::take(&mut self.paragraph);
        whole.push_str(text);
        self.logical(&whole, 0, out);
    }

    fn end_paragraph(&mut self, out: &mut Builder) {
        if !self.paragraph.is_empty() {
            let whole = std::mem::take(&mut self.paragraph);
            self.logical(&whole, 0, out);
        }
    }

    fn logical(&mut self, line: &str, depth: usize, out: &mut Builder) {
        if line == "-- " {
            self.end_quote(out);
            return self.sign(out);
        }
        if depth > 0 && !self.signed {
            self.quoted.push((line.into(), depth));
            if self.quoted.len() >= LONGEST_QUOTE {
                self.end_quote(out);
            }
            return;
        }
        self.end_quote(out);
        let role = if self.signed { Role::Dim } else { Role::Text };
        self.piece.look(role, self.indent, out);
        self.piece.page_line(line, out);
    }

    /// The line before a signature (RFC 3676, 4.3) is the head of its fold.
    fn sign(&mut self, out: &mut Builder) {
        self.piece.take(out);
        if self.signed {
            out.end_fold();
        }
        self.signed = true;
        out.marked(BlockKind::Line, Role::Dim, Marker::None, self.indent);
        let head = out.link("-- ", Role::Dim, "");
        out.begin_fold(FoldKind::Signature, head, self.whose.is_none());
    }

    fn end_quote(&mut self, out: &mut Builder) {
        let quoted = std::mem::take(&mut self.quoted);
        if quoted.is_empty() {
            return;
        }
        let kind = match quoted.len() {
            2.. if self.whose.is_some() => FoldKind::Repeated,
            LONG_QUOTE.. => FoldKind::Quote,
            _ => FoldKind::ShortQuote,
        };
        self.piece.take(out);
        out.marked(BlockKind::Line, Role::Dim, Marker::None, self.indent);
        let words = if quoted.len() == 1 { "quoted line" } else { "quoted lines" };
        let head = out.link(&format!("┄ {} {words}", count(quoted.len())), Role::Control, "");
        if let Some((name, reference)) = self.whose.as_ref().and_then(|whose| whose(&quoted)) {
            out.styled(" of ", Role::Dim);
            out.link(&name, Role::Link, &reference);
        }
        out.begin_fold(kind, head, kind != FoldKind::Repeated);
        for (line, depth) in &quoted {
            let role = match (depth - 1) % 3 {
                0 => Role::Quote,
                1 => Role::Quote2,
                _ => Role::Quote3,
            };
            self.piece.look(role, self.indent, out);
            self.piece.page_line(line, out);
        }
        self.piece.take(out);
        out.end_fold();
    }

    fn file(&mut self, file: &File, out: &mut Builder) {
        let held = self.frames.release();
        self.framed(held, out);
        self.end_paragraph(out);
        self.end_quote(out);
        self.piece.take(out);
        self.files += 1;
        let url = (self.url_of)(self.files);
        super::listed::file(file, &url, self.indent, out);
        // One article has the parts of one file.
        if let Some(parts) = file.parts.or(self.parts.filter(|_| file.encoding == "uuencoded"))
            && (2..=MOST_PARTS).contains(&parts)
            && self.files == 1
        {
            super::listed::joined(file, parts, &(self.url_of)(0), self.indent, out);
        }
    }

    fn finish(&mut self, out: &mut Builder) {
        let held = self.frames.release();
        self.framed(held, out);
        self.end_paragraph(out);
        self.end_quote(out);
        self.piece.take(out);
        if std::mem::take(&mut self.signed) {
            out.end_fold();
        }
    }
}

/// How deep a line is quoted: `> > `, `>>`, `AB> `, and `| ` or `: ` once.
pub(super) fn quote_depth(line: &str) -> usize {
    // mailboxes write a line that begins with "From " so
    if line.starts_with(">From ") {
        return 0;
    }
    let bytes = line.as_bytes();
    let initials = bytes.iter().take(4).take_while(|b| b.is_ascii_alphabetic()).count();
    let initials = if bytes.get(initials) == Some(&b'>') { initials } else { 0 };
    let mut depth = 0;
    let mut spaces = 0;
    for byte in &bytes[initials..] {
        match byte {
            b'>' => (depth, spaces) = (depth + 1, 0),
            b' ' if spaces == 0 => spaces = 1,
            _ => break,
        }
    }
    let bar = line.starts_with("| ") || line.starts_with(": ");
    // a table has a bar at the other end too
    if depth == 0 && bar && !line.trim_end().ends_with('|') { 1 } else { depth }
}
