//! Gopher+ attribute blocks → `Document`: what a server tells of an item (`!`; Gopher+, 2.5 … 2.9; GPP-04 … 07). What it tells
//! of each item of a menu (`$`) is read by `items`.
//!
//! A block is a line `+NAME: …` and lines that begin with a space; `+INFO` begins an item. Unknown blocks are shown as
//! they are. Real servers end lines with CR, LF or both and forget colons.

use super::charset::Charset;
use super::gemtext::labelled;
use super::items::Items;
use super::language;
use super::lines::{Endings, Lines};
use super::listing::{Time, mlsd};
use super::menu_item::{Item, PATH, Plus, Server, escape_into, look};
use super::plain::Piece;
use super::{Input, Parser, ask, directory, size};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::role::Role;
use crate::url::scheme::gopher::Gopher;
use crate::url::scheme::gopher::plus::{Wish, wish};
use crate::url::scheme::{self, Family};
use std::borrow::Cow;

/// The parser for the attributes that `input.url` asked for: all items of a menu are a directory.
pub fn parser(input: &Input) -> Box<dyn Parser> {
    let gopher = if scheme::family(&input.url) == Family::Gopher { Gopher::of(&input.url).ok() } else { None };
    let plus = gopher.and_then(|gopher| gopher.plus);
    match plus.as_deref().map(wish) {
        Some(Wish::AllAttributes(_)) => Box::new(Items::new(input)),
        _ => Box::new(Attributes::new(input)),
    }
}

/// Reads attribute blocks.
pub struct Attributes {
    lines: Lines,
    state: State,
}

/// The block that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// None: stray lines.
    None,
    Info,
    Admin,
    Views,
    Ask,
    /// Running text: an abstract, or a block that nobody knows.
    Text,
}

struct State {
    server: Server,
    block: Block,
    items: u32,
    /// The item's URL up to where a Gopher+ string goes: `gopher://host/0selector%09%09`.
    stem: String,
    piece: Piece,
    strays: bool,
}

impl Attributes {
    /// A parser for the attributes that `input.url` asked for.
    pub fn new(input: &Input) -> Attributes {
        let server = Server::of(&input.url);
        let state = State {
            stem: stem(input.url.without_fragment().as_str()),
            server,
            block: Block::None,
            items: 0,
            piece: Piece::new(),
            strays: false,
        };
        Attributes { lines: Lines::new(input, Endings::Any), state }
    }
}

impl Parser for Attributes {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.piece.take(out);
        self.lines.tell(self.state.strays, out);
    }

    fn holds_back(&self) -> bool {
        self.lines.is_judging()
    }

    fn memory(&self) -> usize {
        self.lines.memory()
    }
}

/// The page's own URL as a stem, for answers that do not say what they are about.
fn stem(url: &str) -> String {
    let mut fields = url.split("%09");
    let selector = fields.next().unwrap_or_default();
    format!("{selector}%09{}%09", fields.next().unwrap_or_default())
}

impl State {
    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        match line.split_first() {
            Some((b'+', head)) => self.head(head, charset, out),
            Some((b' ', rest)) => self.body(rest, charset, out),
            None | Some((b'.', [])) => {}
            _ => self.body(line, charset, out),
        }
    }

    fn decode<'a>(&mut self, octets: &'a [u8], charset: Charset) -> Cow<'a, str> {
        let text = charset.decode(octets);
        self.strays |= matches!((charset, &text), (Charset::Utf8, Cow::Owned(_)));
        text
    }

    /// `NAME: descriptor`, the colon and the descriptor perhaps missing.
    fn head(&mut self, head: &[u8], charset: Charset, out: &mut Builder) {
        self.piece.take(out);
        let end = head.iter().position(|b| matches!(b, b':' | b' ' | b'\t')).unwrap_or(head.len());
        let (name, rest) = head.split_at(end);
        let descriptor = rest.strip_prefix(b":").unwrap_or(rest).trim_ascii();
        let known = |block, title: &str, out: &mut Builder| {
            section(3, out);
            out.text(title);
            block
        };
        self.block = match name {
            b"INFO" => {
                self.info(descriptor, charset, out);
                Block::Info
            }
            b"ADMIN" => known(Block::Admin, "Who and when", out),
            b"VIEWS" => known(Block::Views, "Views", out),
            b"ABSTRACT" => known(Block::Text, "Abstract", out),
            b"ASK" => {
                let block = known(Block::Ask, "Form", out);
                out.marked(BlockKind::Entry, Role::Text, Marker::Form, 0);
                out.link("Fill in the form", Role::Link, &format!("{}%3F", self.stem));
                block
            }
            name => {
                let title = self.decode(name, charset);
                known(Block::Text, &sanitise(&title), out)
            }
        };
        if name != b"INFO" && !descriptor.is_empty() {
            match Item::of(descriptor) {
                Some(item) => self.reference(&item, charset, out),
                None => self.body(descriptor, charset, out),
            }
        }
    }

    /// A new item: its menu line.
    fn info(&mut self, descriptor: &[u8], charset: Charset, out: &mut Builder) {
        self.items += 1;
        let Some(item) = Item::of(descriptor) else {
            let text = self.decode(descriptor, charset);
            section(2, out);
            return out.text(&sanitise(&text));
        };
        // With the mark for a form the URL ends in an empty search and `%3F`, whatever its type and selector.
        self.server.reference(&Item { plus: Plus::Form, ..item }, item.kind, charset, &mut self.stem);
        self.stem.truncate(self.stem.trim_end_matches("%3F").len());
        let mut reference = String::new();
        self.server.reference(&item, item.kind, charset, &mut reference);
        let words = if item.display.trim_ascii().is_empty() { item.selector } else { item.display };
        let text = self.decode(words, charset);
        let text = sanitise(&text);
        // One item is what the page is about; a directory's items are not.
        out.document_mut().entitle(if self.items == 1 { &text } else { "" });
        section(2, out);
        out.link(&text, Role::Link, &reference);
    }

    /// A descriptor that points to another item.
    fn reference(&mut self, item: &Item, charset: Charset, out: &mut Builder) {
        let mut reference = String::new();
        self.server.reference(item, item.kind, charset, &mut reference);
        let text = self.decode(item.display, charset);
        out.marked(BlockKind::Entry, Role::Text, look(item.kind).0, 0);
        out.link(&sanitise(&text), Role::Link, &reference);
    }

    fn body(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        let text = self.decode(line, charset);
        match self.block {
            Block::Admin => admin(&text, out),
            Block::Views => self.view(&text, out),
            Block::Ask => question(&text, out),
            Block::Info | Block::None | Block::Text => self.piece.line(&text, out),
        }
    }

    /// ` Text/plain En_US: <10k>`
    fn view(&self, line: &str, out: &mut Builder) {
        let (view, size) = line.split_once(':').unwrap_or((line, ""));
        let view = view.trim();
        if view.is_empty() {
            return;
        }
        let (media, language) = view.split_once(' ').unwrap_or((view, ""));
        let mut words = media.to_string();
        if !language.trim().is_empty() {
            words.push_str(&format!(", {}", language::name(language.trim())));
        }
        if !size.trim().is_empty() {
            words.push_str(&format!(", {}", view_size(size)));
        }
        let mut reference = format!("{}+", self.stem);
        escape_into(view.as_bytes(), &PATH, &mut reference);
        out.marked(BlockKind::Entry, Role::Text, Marker::Document, 0);
        out.link(&sanitise(&words), Role::Link, &reference);
    }
}

/// Begins a heading, set off from what is above it.
fn section(level: u8, out: &mut Builder) {
    if !out.document().blocks().is_empty() {
        out.block(BlockKind::Paragraph, Role::Text);
    }
    out.block(BlockKind::Heading(level), Role::heading(level));
}

/// ` Admin: Name <mail>`, ` Mod-Date: words <YYYYMMDDhhmmss>`
fn admin(line: &str, out: &mut Builder) {
    let Some((label, value)) = line.split_once(':') else {
        out.block(BlockKind::Paragraph, Role::Text);
        return out.text(&sanitise(line));
    };
    let label = match label.trim() {
        "Mod-Date" => "changed".into(),
        "Creation-Date" => "created".into(),
        "Expiration-Date" => "expires".into(),
        label => label.to_lowercase(),
    };
    labelled(&label, out);
    let value = value.trim();
    let bracketed = value.strip_suffix('>').and_then(|v| v.rsplit_once('<'));
    match bracketed {
        Some((_, inside)) if inside.len() >= 8 && inside.bytes().all(|b| b.is_ascii_digit()) => {
            out.text(&directory::date(inside.as_bytes()));
        }
        Some((_, mail)) if mail.contains('@') && !mail.contains(char::is_whitespace) => {
            out.link(&sanitise(value), Role::Link, &format!("mailto:{mail}"));
        }
        _ => out.text(&sanitise(value)),
    }
}

/// A line of a form, to be read before it is filled in.
fn question(line: &str, out: &mut Builder) {
    let field = ask::field(line);
    out.marked(BlockKind::Entry, Role::Text, Marker::Bullet, 1);
    out.text(&sanitise(field.as_ref().map_or(line, |field| &field.question).trim()));
}

/// The time in `words <YYYYMMDDhhmmss>`.
pub(super) fn bracketed_date(value: &str) -> Option<Time> {
    let (_, inside) = value.trim().strip_suffix('>')?.rsplit_once('<')?;
    mlsd::time(inside.as_bytes(), false)
}

/// A size in words. What is none is shown as it is.
fn view_size(written: &str) -> String {
    let inside = || written.trim().trim_start_matches('<').trim_end_matches('>').trim().to_owned();
    view_octets(written).map_or_else(inside, size::human)
}

/// More octets than there are anywhere: whoever writes that knows nothing of the size.
const MOST: f64 = 1e18;

/// `<10k>`, `<.40k>`, `<1200b>`, `<.77KB>`: all seen in the wild.
pub(super) fn view_octets(written: &str) -> Option<u64> {
    let inside = written.trim().trim_start_matches('<').trim_end_matches('>').trim();
    let unit = inside.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(inside.len());
    let scale = match inside[unit..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1000.0,
        "m" | "mb" => 1e6,
        _ => return None,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "no sign is read, and it is in bounds")]
    let octets = |number: f64| (number * scale) as u64;
    inside[..unit].parse().ok().filter(|number| number * scale < MOST).map(octets)
}
