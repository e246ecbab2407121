//! `application/gopher-menu` → `Document` (RFC 1436, 3.8 and practice).
//!
//! Lines become entries as they come. What is no menu at all (a server answered with a text or an HTML page) is recognised
//! from its first lines, few of which have fields, and read as plain text.

use super::charset::Charset;
use super::lines::{Endings, Lines};
use super::menu_item::{Flaw, Item, Plus, Server, Shape, look};
use super::plain::{Plain, write_linked};
use super::{Input, Parser, guess};
use crate::doc::{BlockKind, Builder, LinkId, Marker, sanitise};
use crate::role::Role;

/// How many lines without a host there may be before it is clear that this is no menu.
const PATIENCE: usize = 8;

/// How many info lines before the first link may hold the title.
const TITLE_WITHIN: u32 = 6;

/// Reads a gopher menu.
pub struct Menu {
    lines: Lines,
    state: State,
    /// The last octet ended a line.
    ended: bool,
}

/// What the lines so far have shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// No line that is an item for sure.
    Nothing,
    /// An item: this is a menu.
    Item,
}

struct State {
    input: Input,
    server: Server,
    seen: Seen,
    /// Lines that may be no items, kept until it is clear what they are.
    waiting: Vec<(Vec<u8>, Charset)>,
    text: Option<Plain>,
    /// A line that is a lone dot: the end, unless more comes.
    dotted: bool,
    infos: u32,
    last: Option<(LinkId, u8)>,
    strays: bool,
    bad_ports: u32,
    errors: u32,
    /// The URL being written; kept for its memory.
    reference: String,
}

impl Menu {
    /// A parser for the menu of `input.url`.
    pub fn new(input: &Input) -> Menu {
        let state = State {
            server: Server::of(&input.url),
            input: input.clone(),
            seen: Seen::Nothing,
            waiting: Vec::new(),
            text: None,
            dotted: false,
            infos: 0,
            last: None,
            strays: false,
            bad_ports: 0,
            errors: 0,
            reference: String::new(),
        };
        Menu { lines: Lines::new(input, Endings::Lf), state, ended: true }
    }
}

impl Parser for Menu {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.ended = octets.last().map_or(self.ended, |last| b"\r\n".contains(last));
        self.lines.feed(octets, &mut |line, charset| self.state.lines(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        let mut last: Option<(Vec<u8>, Charset)> = None;
        self.lines.finish(&mut |line, charset| {
            if let Some((line, charset)) = last.replace((line.to_vec(), charset)) {
                self.state.lines(&line, charset, out);
            }
        });
        match last {
            Some((line, charset)) if !self.ended => self.state.last(&line, charset, out),
            Some((line, charset)) => self.state.lines(&line, charset, out),
            None => {}
        }
        self.state.finish(out);
        if self.state.text.is_some() {
            return;
        }
        self.lines.tell(self.state.strays, out);
        if self.state.errors > 0 && self.state.last.is_none() {
            out.document_mut().refusal = Some("the server answered with an error in place of a menu".into());
        }
        let notes = &mut out.document_mut().notes;
        match self.state.bad_ports {
            0 => {}
            1 => notes.push("one item has no usable port; the default was taken".into()),
            n => notes.push(format!("{n} items have no usable port; the default was taken")),
        }
    }

    fn holds_back(&self) -> bool {
        self.lines.is_judging()
    }

    fn memory(&self) -> usize {
        self.lines.memory() + self.state.text.as_ref().map_or(0, Plain::memory)
    }
}

impl State {
    /// A line; where CR alone ends lines, as on old Macintoshes, all of them.
    fn lines(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        match is_of_cr(line) {
            true => line.split(|b| *b == b'\r').for_each(|line| self.line(line, charset, out)),
            false => self.line(line, charset, out),
        }
    }

    /// The last line, of which the end is missing: without a port the host may be half of one, and is none to be asked.
    fn last(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        let (before, line) = match line.iter().rposition(|b| *b == b'\r').filter(|_| is_of_cr(line)) {
            Some(at) => (Some(&line[..at]), &line[at + 1..]),
            None => (None, line),
        };
        if let Some(before) = before {
            self.lines(before, charset, out);
        }
        let is_torn = |item: &Item| {
            item.host.is_some() && item.port.is_none() && !matches!(look(item.kind).1, Shape::Info | Shape::Error)
        };
        match Item::of(line).filter(|item| self.text.is_none() && is_torn(item)) {
            Some(item) => {
                self.release(out);
                let text = self.decode(item.display, charset);
                out.marked(BlockKind::Entry, Role::Text, look(item.kind).0, 0);
                out.text(&sanitise(&text));
                out.styled(" (cut short: its address did not come)", Role::Warning);
            }
            None => self.line(line, charset, out),
        }
    }

    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        if self.dotted && !line.is_empty() {
            // More follows, so that dot was no end.
            self.dotted = false;
            self.any(b".", charset, out);
        }
        match line {
            b"." => self.dotted = true,
            b"" if self.dotted => {}
            line => self.any(line, charset, out),
        }
    }

    fn any(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        if let Some(text) = &mut self.text {
            text.feed(line, out);
            return text.feed(b"\n", out);
        }
        // A stuffed dot: there is no item type `.`; lines without TAB may well be drawings made of dots.
        let item = Item::of(if line.starts_with(b"..") { &line[1..] } else { line });
        match (self.seen, item) {
            (Seen::Nothing, Some(item)) if item.host.is_some() => {
                self.release(out);
                self.item(&item, charset, out);
            }
            (Seen::Nothing, _) => {
                self.waiting.push((line.to_vec(), charset));
                if self.waiting.len() == PATIENCE {
                    self.settle(out);
                }
            }
            (Seen::Item, Some(item)) => self.item(&item, charset, out),
            (Seen::Item, None) => self.info(line, charset, out),
        }
    }

    /// Enough lines without a host: decides by what they look like.
    fn settle(&mut self, out: &mut Builder) {
        let known = |line: &[u8]| Item::of(line).is_some_and(|item| look(item.kind).0 != Marker::Other);
        let items = self.waiting.iter().filter(|(line, _)| known(line)).count();
        match items * 2 >= self.waiting.len() {
            true => self.release(out),
            false => self.give_up(out),
        }
    }

    /// The lines that waited are part of a menu.
    fn release(&mut self, out: &mut Builder) {
        self.seen = Seen::Item;
        for (line, charset) in std::mem::take(&mut self.waiting) {
            self.any(&line, charset, out);
        }
    }

    /// This is no menu.
    fn give_up(&mut self, out: &mut Builder) {
        let html = self.waiting.iter().find(|(line, _)| !line.is_empty()).is_some_and(|(line, _)| guess::is_html(line));
        let what = if html { "an HTML page" } else { "a text" };
        out.document_mut().notes.push(format!("the server sent {what} in place of a menu"));
        let mut text = Plain::new(&self.input);
        for (line, _) in std::mem::take(&mut self.waiting) {
            text.feed(&line, out);
            text.feed(b"\n", out);
        }
        self.text = Some(text);
    }

    fn finish(&mut self, out: &mut Builder) {
        if !self.waiting.is_empty() {
            self.settle(out);
        }
        if let Some(text) = &mut self.text {
            text.finish(out);
        }
    }

    fn decode<'a>(&mut self, octets: &'a [u8], charset: Charset) -> std::borrow::Cow<'a, str> {
        let text = charset.decode(octets);
        self.strays |= matches!((charset, &text), (Charset::Utf8, std::borrow::Cow::Owned(_)));
        text
    }

    fn item(&mut self, item: &Item, charset: Charset, out: &mut Builder) {
        let (marker, shape) = look(item.kind);
        match shape {
            Shape::Info if item.selector == b"TITLE" => self.heading(item.display, charset, out),
            Shape::Info => self.info(item.display, charset, out),
            Shape::Error => {
                self.errors = self.errors.saturating_add(1);
                let text = self.decode(item.display, charset);
                out.marked(BlockKind::Entry, Role::Error, marker, 0);
                out.text(&sanitise(&text));
            }
            Shape::Mirror => self.mirror(item, charset, out),
            Shape::Link | Shape::Disguise | Shape::Session(_) => self.link(item, marker, charset, out),
        }
    }

    fn link(&mut self, item: &Item, marker: Marker, charset: Charset, out: &mut Builder) {
        let flaw = self.server.reference(item, item.kind, charset, &mut self.reference);
        // An item without words still has to be seen.
        let words = [item.display, item.selector, item.host.unwrap_or_default(), b"(no name)"];
        let shown = words.into_iter().find(|w| !w.trim_ascii().is_empty()).unwrap_or_default();
        let text = self.decode(shown, charset);
        let marker = match item.plus {
            Plus::Form => Marker::Form,
            Plus::Item | Plus::None if marker == Marker::Html => item.look_of_page(&self.reference),
            Plus::Item | Plus::None => marker,
        };
        out.marked(BlockKind::Entry, Role::Text, marker, 0);
        let link = out.link(&sanitise(&text), Role::Link, &self.reference);
        if item.plus == Plus::Item {
            out.document_mut().attributed.push(link);
            out.styled(" +", Role::Dim);
        }
        if flaw == Flaw::Port {
            self.bad_ports = self.bad_ports.saturating_add(1);
            let port = charset.decode(item.port.unwrap_or_default());
            out.styled(&format!(" (no port: \"{}\")", sanitise(&port)), Role::Warning);
        }
        self.last = Some((link, item.kind));
    }

    /// RFC 1436, 3.8: type `+` is another place of the item before it.
    fn mirror(&mut self, item: &Item, charset: Charset, out: &mut Builder) {
        let Some((link, kind)) = self.last else { return self.info(item.display, charset, out) };
        self.server.reference(item, kind, charset, &mut self.reference);
        out.document_mut().mirrors.push((link, self.reference.as_str().into()));
    }

    fn heading(&mut self, display: &[u8], charset: Charset, out: &mut Builder) {
        let text = self.decode(display, charset);
        let text = sanitise(text.trim());
        if out.document().title.is_none() && !text.is_empty() {
            out.document_mut().entitle(&text);
        }
        out.block(BlockKind::Heading(1), Role::Heading);
        out.text(&text);
    }

    fn info(&mut self, display: &[u8], charset: Charset, out: &mut Builder) {
        let text = self.decode(display, charset);
        let text = sanitise(&text);
        if self.infos < TITLE_WITHIN && self.last.is_none() && out.document().guessed_title.is_none() {
            self.infos += 1;
            out.document_mut().guessed_title = title(&text);
        }
        out.marked(BlockKind::Line, Role::Info, Marker::Blank, 0);
        // Most info lines are words and drawings, and are not searched.
        match text.contains("://") || text.contains("URL:") || text.contains("www.") || text.contains('@') {
            true => write_linked(&text, out),
            false => out.text(&text),
        }
    }
}

/// Whether CR alone ends lines in what came as one: whole rows stand before and behind the first. Within a field it is no end.
fn is_of_cr(line: &[u8]) -> bool {
    // In most lines there is none, or it is the last.
    if memchr::memchr(b'\r', line).is_none_or(|at| at + 1 == line.len()) {
        return false;
    }
    let is_row = |line: &[u8]| line.iter().filter(|b| **b == b'\t').count() >= 3;
    let mut lines = line.split(|b| *b == b'\r');
    lines.next().is_some_and(is_row) && lines.any(|line| line == b"." || line.contains(&b'\t'))
}

/// An info line as a title: mostly words, not a drawing.
fn title(line: &str) -> Option<String> {
    let words = line.trim_matches(|c: char| !c.is_alphanumeric() && !"()\"'?!".contains(c));
    let letters = words.chars().filter(|c| c.is_alphanumeric()).count();
    let others = words.chars().filter(|c| !c.is_alphanumeric() && *c != ' ').count();
    let length = letters + others;
    (letters >= 3 && others * 4 <= length && length <= 70 && !words.contains("   ")).then(|| words.into())
}
