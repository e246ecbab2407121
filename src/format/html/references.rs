//! Every reference in the source of a page, with its line: what a reader can follow, what a browser would fetch beside it, and where
//! its forms lead. For whoever checks them all; what a page shows of them is the walk's.
//!
//! html5ever reads the tags; text between them is passed over, so that a reference in a comment, in a script or in words is none.
//! Refuses: `<template>`, which is no page yet, references within style sheets, and tags that go on without end.

use super::flow::clean_reference;
use super::head::refresh;
use super::lexer::{CLOSE, MOST_SEPARATORS, separates};
use super::linked::links;
use super::{GOES_ON, LINKED, prescan};
use crate::format::Input;
use crate::format::charset::{Decoder, Judge};
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{StartTag, Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use memchr::{memchr, memchr_iter};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// The most references of a page.
const MOST: usize = 100_000;
/// Relations of `<link>` that name what browsers fetch for the page itself.
const PARTS: &[&str] =
    &["stylesheet", "icon", "apple-touch-icon", "manifest", "modulepreload", "prefetch", "preload", "mask-icon"];
/// Relations that name a server, not a page on it.
const SERVERS: &[&str] = &["dns-prefetch", "preconnect"];

/// What a reference is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Another page, or a place: it can be followed.
    Place,
    /// A part of the page, or where a form asks: it is fetched.
    Part,
    /// Where a form sends its answers.
    Sent,
}

/// A reference in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The line in which its tag begins, from 1; `None` for one that the server said.
    pub line: Option<usize>,
    /// As it is written.
    pub reference: String,
    /// What it is there for.
    pub purpose: Purpose,
}

/// What the source of a page refers to.
#[derive(Debug, Default)]
pub struct References {
    /// In the order of the source.
    pub all: Vec<Reference>,
    /// The places in the page that have names.
    pub names: HashSet<String>,
    /// There are more than are kept.
    pub full: bool,
}

/// Reads the references of a page that is all here.
pub fn references(input: &Input, octets: &[u8]) -> References {
    let judge = Judge::new(input.charset.as_ref(), input.url.host()).asking(prescan::declared_within);
    let (mut decoder, mut text) = (Decoder::by(judge), String::new());
    if let Some(name) = prescan::declared(octets) {
        decoder.declare(&name);
    }
    decoder.feed(octets, &mut text);
    decoder.finish(&mut text);
    let mut scan = Scan::default();
    for notice in &input.notices {
        let (linked, next) = (notice.strip_prefix(LINKED), notice.strip_prefix(GOES_ON));
        linked.map(links).unwrap_or_default().iter().for_each(|link| {
            let purpose = of_relation(&link.relation);
            purpose.into_iter().for_each(|purpose| scan.add(&link.reference, purpose));
        });
        next.and_then(refresh).into_iter().for_each(|(_, next)| scan.add(&next, Purpose::Place));
    }
    scan.read(&text, Some(1));
    scan.out
}

/// Takes tokens: only the last tag matters.
#[derive(Default)]
struct Taker {
    tag: RefCell<Option<Tag>>,
    ended: Cell<bool>,
    /// Names stand for what they mean in drawings and formulas.
    foreign: Cell<bool>,
}

impl TokenSink for Taker {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let tag = match token {
            Token::TagToken(tag) => tag,
            Token::CommentToken(_) | Token::DoctypeToken(_) => {
                self.ended.set(true);
                return TokenSinkResult::Continue;
            }
            _ => return TokenSinkResult::Continue,
        };
        let raw = (tag.kind == StartTag && !self.foreign.get()).then(|| raw(&tag.name)).flatten();
        self.ended.set(true);
        self.tag.replace(Some(tag));
        raw.map_or(TokenSinkResult::Continue, TokenSinkResult::RawData)
    }
}

/// How the text within an element is read that holds no tags. What stands in
/// `<noframes>`, `<noembed>` and `<iframe>` is a page for whoever shows no frames.
fn raw(name: &str) -> Option<RawKind> {
    match name {
        "title" | "textarea" => Some(RawKind::Rcdata),
        "style" | "xmp" => Some(RawKind::Rawtext),
        "script" => Some(RawKind::ScriptData),
        _ => None,
    }
}

/// The reading of a source.
#[derive(Default)]
struct Scan {
    out: References,
    /// Where the tag stands that is read.
    line: Option<usize>,
    /// How deep within templates, and within drawings and formulas.
    template: usize,
    foreign: usize,
    /// What the form is for that is open.
    form: Option<Purpose>,
    /// It stands within another page.
    inner: bool,
}

impl Scan {
    /// Reads a text that begins in a line; without one all of it stands where it is found.
    fn read(&mut self, text: &str, line: Option<usize>) {
        let opts = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
        let (tokenizer, queue) = (Tokenizer::new(Taker::default(), opts), BufferQueue::default());
        let mut source = Source { text, at: 0, counted: 0, line: line.unwrap_or_default(), tokenizer, queue };
        while let Some(tag) = source.tag() {
            if line.is_some() {
                self.line = Some(source.line);
            }
            let raw = tag.kind == StartTag && self.foreign == 0 && self::raw(&tag.name).is_some();
            self.take(&tag);
            source.tokenizer.sink.foreign.set(self.foreign > 0);
            match &*tag.name {
                // It has no end.
                "plaintext" if tag.kind == StartTag && self.foreign == 0 => return,
                _ if raw => source.pass_raw(),
                _ => {}
            }
        }
    }

    fn take(&mut self, tag: &Tag) {
        let (start, name) = (tag.kind == StartTag, &*tag.name);
        match name {
            "template" if start => self.template += 1,
            "template" => self.template = self.template.saturating_sub(1),
            "svg" | "math" if start && !tag.self_closing => self.foreign += 1,
            "svg" | "math" if !start => self.foreign = self.foreign.saturating_sub(1),
            "form" if !start => self.form = None,
            _ => {}
        }
        if start && self.template == 0 {
            let value = |name: &str| tag.attrs.iter().find(|attr| &*attr.name.local == name).map(|attr| &*attr.value);
            let named = [value("id"), value("name").filter(|_| name == "a")];
            self.out.names.extend(named.into_iter().flatten().map(str::to_owned));
            self.element(name, value);
        }
    }

    /// Takes an element's references.
    fn element<'a>(&mut self, name: &str, value: impl Fn(&str) -> Option<&'a str>) {
        let place = |name: &str| value(name).map(|reference| (reference, Purpose::Place));
        let part =
            |name: &str| value(name).filter(|value| !value.trim().is_empty()).map(|found| (found, Purpose::Part));
        let method = |name: &str| value(name).map(of_method);
        let found = match name {
            "a" | "area" => [place("href").or_else(|| place("xlink:href")), None],
            "link" => [value("href").zip(of_relation(value("rel").unwrap_or_default())), None],
            "frame" | "iframe" => [place("src"), place("longdesc")],
            "img" => [part("src").or_else(|| part("data-src")), place("longdesc")],
            "video" => [part("src"), part("poster")],
            "audio" | "source" | "track" | "embed" | "script" | "bgsound" => [part("src"), None],
            "object" => [part("data"), None],
            "blockquote" | "q" | "ins" | "del" => [place("cite"), None],
            "form" => {
                self.form = Some(method("method").unwrap_or(Purpose::Part));
                [value("action").filter(|action| !action.trim().is_empty()).zip(self.form), None]
            }
            "input" | "button" => {
                let form = self.form.filter(|_| value("form").is_none());
                let purpose = method("formmethod").or(form).unwrap_or(Purpose::Sent);
                [part("src").filter(|_| name == "input"), part("formaction").map(|(action, _)| (action, purpose))]
            }
            "meta" if value("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh")) => {
                let next = value("content").and_then(refresh);
                next.into_iter().for_each(|(_, reference)| self.add(&reference, Purpose::Place));
                [None, None]
            }
            "body" | "table" | "tr" | "td" | "th" => [part("background"), None],
            _ if self.foreign > 0 => [part("href"), None],
            _ => [None, None],
        };
        let linked = part("xlink:href").filter(|_| value("href").is_none());
        let linked = linked.map(|(to, part)| (to, if name == "a" { Purpose::Place } else { part }));
        found.into_iter().flatten().chain(linked).for_each(|(reference, purpose)| self.add(reference, purpose));
        for set in [value("srcset"), value("imagesrcset")].into_iter().flatten() {
            candidates(set).for_each(|reference| self.add(reference, Purpose::Part));
        }
        if let Some(page) = value("srcdoc").filter(|_| name == "iframe" && !self.inner) {
            let around = (self.template, self.foreign, self.form.take());
            self.inner = true;
            self.read(page, None);
            (self.template, self.foreign, self.form) = around;
            self.inner = false;
        }
    }

    fn add(&mut self, reference: &str, purpose: Purpose) {
        self.out.full |= self.out.all.len() >= MOST;
        if !self.out.full {
            self.out.all.push(Reference { line: self.line, reference: clean_reference(reference), purpose });
        }
    }
}

/// What a form's method makes of its action; that of a dialog sends nothing.
fn of_method(method: &str) -> Purpose {
    if method.eq_ignore_ascii_case("post") || method.eq_ignore_ascii_case("dialog") {
        return Purpose::Sent;
    }
    Purpose::Part
}

/// What a relation refers to; `None` where it is no more than a server.
fn of_relation(relation: &str) -> Option<Purpose> {
    let is_of = |rows: &[&str]| {
        let mut words = relation.split_ascii_whitespace();
        words.any(|word| rows.iter().any(|row| row.eq_ignore_ascii_case(word)))
    };
    match () {
        () if is_of(PARTS) => Some(Purpose::Part),
        () if is_of(SERVERS) => None,
        () => Some(Purpose::Place),
    }
}

/// The references of a list of pictures (HTML, 4.8.4.3.10).
fn candidates(set: &str) -> impl Iterator<Item = &str> {
    let mut rest = set;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let (reference, after) = rest.split_at(rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len()));
        let bare = reference.trim_end_matches(',');
        let mut within = 0_usize;
        let end = |c: char| {
            match c {
                '(' => within += 1,
                ')' => within = within.saturating_sub(1),
                _ => {}
            }
            c == ',' && within == 0
        };
        rest = if bare.len() < reference.len() { after } else { &after[after.find(end).unwrap_or(after.len())..] };
        (!bare.is_empty()).then_some(bare)
    })
}

/// A text that tags are read from.
struct Source<'a> {
    text: &'a str,
    at: usize,
    /// How far lines are counted, and the line there.
    counted: usize,
    line: usize,
    tokenizer: Tokenizer<Taker>,
    queue: BufferQueue,
}

impl Source<'_> {
    /// The next tag. The line is that in which it begins.
    fn tag(&mut self) -> Option<Tag> {
        let octets = self.text.as_bytes();
        loop {
            self.at += memchr(b'<', &octets[self.at..])?;
            if !octets.get(self.at + 1)?.is_ascii_alphabetic() && !b"/!?".contains(&octets[self.at + 1]) {
                self.at += 1;
                continue;
            }
            self.count();
            self.read();
            if let Some(tag) = self.tokenizer.sink.tag.take() {
                return Some(tag);
            }
        }
    }

    /// Counts the lines up to here: each end of one is CR LF, LF or CR.
    fn count(&mut self) {
        let octets = &self.text.as_bytes()[..=self.at];
        let passed = self.counted..self.at;
        let alone = |at: &usize| octets[self.counted + at + 1] != b'\n';
        self.line += memchr_iter(b'\n', &octets[passed.clone()]).count();
        self.line += memchr_iter(b'\r', &octets[passed]).filter(alone).count();
        self.counted = self.at;
    }

    /// Gives html5ever what begins here, a tag or a comment, up to its end.
    fn read(&mut self) {
        let octets = self.text.as_bytes();
        // Each attribute is compared with all before it.
        let counts = !matches!(octets.get(self.at + 1), Some(b'!' | b'?'));
        let mut separators = 0;
        while self.at < octets.len() && !self.tokenizer.sink.ended.get() {
            let piece = self.piece();
            separators += if counts { piece.bytes().filter(separates).count() } else { 0 };
            self.feed(if separators > MOST_SEPARATORS { CLOSE } else { piece });
        }
        self.tokenizer.sink.ended.set(false);
    }

    /// Passes over the text within an element that holds no tags, its end tag included.
    fn pass_raw(&mut self) {
        while self.at < self.text.len() && !self.tokenizer.sink.ended.get() {
            let piece = self.piece();
            self.feed(piece);
        }
        self.tokenizer.sink.ended.set(false);
        self.tokenizer.sink.tag.take();
    }

    fn feed(&self, text: &str) {
        self.queue.push_back(StrTendril::from_slice(text));
        while !self.queue.is_empty() {
            let _ = self.tokenizer.feed(&self.queue);
        }
    }
}

impl<'a> Source<'a> {
    /// The text from here to the next end of a tag.
    fn piece(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let len = memchr(b'>', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
        self.at += len;
        &rest[..len]
    }
}
