//! What a Gopher+ server tells of all items of a menu (`$`: Gopher+, 2.7) → `Document`: a directory, with the table and the
//! orders of FTP's. A row has an item's name, the size of its first view, when it was changed, and its views' languages.
//! Refuses: all other blocks; what a server tells of one item is another page (`attributes`).

use super::attributes::{bracketed_date, view_octets};
use super::charset::Charset;
use super::directory::{Entries, Row, written};
use super::language;
use super::lines::{Endings, Lines};
use super::listing::{Access, Entry, Kind, Time};
use super::menu_item::{Item, Server, Shape, look};
use super::size;
use super::{Input, PageRows, Parser, index};
use crate::doc::{Align, BlockKind, Builder, Column, sanitise};
use crate::role::Role;
use std::borrow::Cow;
use std::sync::Arc;

/// Languages of one item that are told.
const LANGUAGES: usize = 6;

/// Reads the attributes of a menu's items.
pub(super) struct Items {
    lines: Lines,
    state: State,
}

struct State {
    server: Server,
    block: Block,
    /// The item that is being read: its row is written when the next one begins.
    held: Option<Held>,
    rows: Arc<Entries>,
    strays: bool,
}

/// The block that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    None,
    Admin,
    Views,
    Other,
}

struct Held {
    name: String,
    reference: String,
    kind: u8,
    size: Option<u64>,
    made: Option<Time>,
    changed: Option<Time>,
    languages: Vec<String>,
}

impl Items {
    /// A parser for the attributes that `input.url` asked for.
    pub fn new(input: &Input) -> Items {
        let server = Server::of(&input.url);
        let state = State { server, block: Block::None, held: None, rows: Arc::default(), strays: false };
        Items { lines: Lines::new(input, Endings::Any), state }
    }
}

impl Parser for Items {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.flush(out);
        self.lines.tell(self.state.strays, out);
    }

    fn rows(&self) -> Option<PageRows> {
        Some(PageRows::Directory(Arc::clone(&self.state.rows)))
    }

    fn memory(&self) -> usize {
        let held = self.state.held.as_ref().map_or(0, |held| held.name.capacity() + held.reference.capacity());
        self.lines.memory() + self.state.rows.memory() + held
    }

    fn holds_back(&self) -> bool {
        true
    }
}

impl State {
    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        match line.split_first() {
            Some((b'+', head)) => self.head(head, charset, out),
            None | Some((b'.', [])) => {}
            _ => self.body(line, charset, out),
        }
    }

    fn decode<'a>(&mut self, octets: &'a [u8], charset: Charset) -> Cow<'a, str> {
        let text = charset.decode(octets);
        self.strays |= matches!((charset, &text), (Charset::Utf8, Cow::Owned(_)));
        text
    }

    fn head(&mut self, head: &[u8], charset: Charset, out: &mut Builder) {
        let end = head.iter().position(|b| matches!(b, b':' | b' ' | b'\t')).unwrap_or(head.len());
        let (name, rest) = head.split_at(end);
        let descriptor = rest.strip_prefix(b":").unwrap_or(rest).trim_ascii();
        self.block = match name {
            b"INFO" => {
                self.flush(out);
                self.info(descriptor, charset, out);
                Block::Other
            }
            b"ADMIN" => Block::Admin,
            b"VIEWS" => Block::Views,
            _ => Block::Other,
        };
        if name != b"INFO" && !descriptor.is_empty() {
            self.body(descriptor, charset, out);
        }
    }

    fn info(&mut self, descriptor: &[u8], charset: Charset, out: &mut Builder) {
        let item = Item::of(descriptor).filter(|item| !matches!(look(item.kind).1, Shape::Info | Shape::Error));
        let Some(item) = item else {
            let words = Item::of(descriptor).map_or(descriptor, |item| item.display);
            return self.text(words, charset, out);
        };
        let mut reference = String::new();
        self.server.reference(&item, item.kind, charset, &mut reference);
        let words = if item.display.trim_ascii().is_empty() { item.selector } else { item.display };
        let name = self.decode(words, charset);
        // A TAB would begin the next cell.
        let name = sanitise(name.trim()).replace('\t', "␉");
        let kind = item.kind;
        self.held = Some(Held { name, reference, kind, size: None, made: None, changed: None, languages: Vec::new() });
    }

    /// Words that are no item.
    fn text(&mut self, words: &[u8], charset: Charset, out: &mut Builder) {
        begin(out);
        let words = self.decode(words, charset);
        out.block(BlockKind::Line, Role::Info);
        out.text(&sanitise(words.trim()));
    }

    fn body(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        if self.block == Block::None {
            return self.text(line, charset, out);
        }
        let text = charset.decode(line);
        let Some(held) = &mut self.held else { return };
        match self.block {
            Block::Admin => held.admin(&text),
            Block::Views => held.view(&text),
            Block::Other | Block::None => {}
        }
    }

    /// Writes the row of the item that was read.
    fn flush(&mut self, out: &mut Builder) {
        let Some(held) = self.held.take() else { return };
        begin(out);
        let kind = match held.kind {
            b'1' => Kind::Directory,
            b'2' | b'7' | b'8' | b'T' => Kind::Other,
            _ => Kind::File,
        };
        let size = held.size.filter(|_| kind == Kind::File);
        let modified = held.changed.or(held.made);
        let name = Cow::Borrowed(held.name.as_bytes());
        let access = Access::default();
        let (target, version, unique, place) = (None, None, None, None);
        let entry = Entry { kind, name, size, modified, target, version, unique, access, place, inside: false };
        let row = Row::of(&entry, &held.name, index(out.document().blocks().len()));
        let rows = Arc::make_mut(&mut self.rows);
        rows.push(row);
        out.marked(BlockKind::Row, Role::Text, look(held.kind).0, 1);
        out.link(&held.name, Role::Link, &held.reference);
        out.text("\t");
        match size {
            Some(octets) => {
                rows.add(octets);
                out.text(&size::human(octets));
            }
            None if kind == Kind::Directory => out.text("menu"),
            None => {}
        }
        out.text("\t");
        if let Some(modified) = modified {
            out.text(&written(modified));
        }
        out.text("\t");
        out.text(&sanitise(&held.languages.join(", ")));
    }
}

impl Held {
    /// ` Mod-Date: words <YYYYMMDDhhmmss>`
    fn admin(&mut self, line: &str) {
        let Some((label, value)) = line.split_once(':') else { return };
        match label.trim() {
            "Mod-Date" => self.changed = bracketed_date(value),
            "Creation-Date" => self.made = bracketed_date(value),
            _ => {}
        }
    }

    /// ` Text/plain En_US: <10k>`
    fn view(&mut self, line: &str) {
        let (view, size) = line.split_once(':').unwrap_or((line, ""));
        self.size = self.size.or_else(|| view_octets(size));
        let Some((_, code)) = view.trim().split_once(' ') else { return };
        let word = language::name(code.trim()).replace('\t', " ");
        if !word.is_empty() && self.languages.len() < LANGUAGES && !self.languages.contains(&word) {
            self.languages.push(word);
        }
    }
}

/// Says which columns there are, before the first row.
fn begin(out: &mut Builder) {
    if !out.document().columns.is_empty() {
        return;
    }
    let column = |title: &str, width, align, role, needs| Column { title: title.into(), width, align, role, needs };
    out.document_mut().columns = vec![
        column("name", 0, Align::Left, Role::Text, 0),
        column("size", 9, Align::Right, Role::Size, 30),
        column("date", 16, Align::Left, Role::Date, 50),
        column("language", 16, Align::Left, Role::Dim, 70),
    ];
}
