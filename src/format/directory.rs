//! `application/x-directory` → `Document`: a directory in MLSD lines (RFC 3659, 7), `fact=value;fact=value; name`.
//!
//! Entries are shown as they come, so that the first screen does not wait for the last one: who writes them sorts them.
//! Names are octets, and so are the references made of them.

use super::charset::Charset;
use super::lines::{Endings, Lines};
use super::size;
use super::{Input, Parser};
use crate::doc::{Align, BlockKind, Builder, Column, Marker, sanitise};
use crate::role::Role;
use crate::url::{Url, escape};
use memchr::memchr;
use std::borrow::Cow;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A directory.
    Directory,
    /// A file.
    File,
    /// A symbolic link.
    Link,
    /// A device, socket or pipe: something that is not read.
    Device,
    /// The directory itself, or its parent: not shown.
    Dots,
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry<'a> {
    /// What it is.
    kind: Kind,
    /// Its name, as octets, without any slash.
    name: &'a [u8],
    /// Its size in octets, when known.
    size: Option<u64>,
    /// When it was changed, UTC: `YYYYMMDDHHMMSS`.
    modified: Option<&'a [u8]>,
    /// What a symbolic link points to, when known.
    target: Option<&'a [u8]>,
}

impl<'a> Entry<'a> {
    /// Reads an MLSD line without its end; `None` when it has no facts or no name.
    fn of(line: &'a [u8]) -> Option<Entry<'a>> {
        let (facts, name) = line.split_at(fact_end(line)?);
        let name = name.strip_prefix(b" ").filter(|name| !name.is_empty())?;
        let (mut kind, mut size, mut modified, mut target) = (Kind::File, None, None, None);
        for fact in facts.split(|b| *b == b';').filter(|fact| !fact.is_empty()) {
            let (key, value) = fact.split_at(memchr(b'=', fact)?);
            let value = &value[1..];
            match key.to_ascii_lowercase().as_slice() {
                b"type" => (kind, target) = kind_of(value),
                b"size" => size = std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok()),
                b"modify" if value.len() >= 8 => modified = Some(value),
                _ => {}
            }
        }
        if name == b"." || name == b".." {
            kind = Kind::Dots;
        }
        Some(Entry { kind, name, size, modified, target })
    }
}

/// Where the facts end. Each ends with `;` (RFC 3659, 7.2), though some servers forget the last one, and others put
/// link targets with spaces into theirs.
fn fact_end(line: &[u8]) -> Option<usize> {
    let strict = memchr::memmem::find(line, b"; ").map(|at| at + 1);
    strict.or_else(|| memchr(b' ', line).filter(|at| *at == 0 || memchr(b'=', &line[..*at]).is_some()))
}

fn kind_of(value: &[u8]) -> (Kind, Option<&[u8]>) {
    let lower = value.to_ascii_lowercase();
    match lower.as_slice() {
        b"dir" => (Kind::Directory, None),
        b"cdir" | b"pdir" => (Kind::Dots, None),
        b"file" => (Kind::File, None),
        _ if lower.starts_with(b"os.unix=slink") || lower.starts_with(b"os.unix=symlink") => {
            let target = memchr(b':', value).map(|at| &value[at + 1..]).filter(|target| !target.is_empty());
            (Kind::Link, target)
        }
        _ if lower.starts_with(b"os.unix=") => (Kind::Device, None),
        _ => (Kind::File, None),
    }
}

/// Reads a directory.
pub struct Directory {
    lines: Lines,
    state: State,
}

struct State {
    /// Whether there is a directory above this one.
    parent: bool,
    begun: bool,
    strays: bool,
    entries: usize,
    total: u64,
}

impl Directory {
    /// A parser for the directory of `input.url`.
    pub fn new(input: &Input) -> Directory {
        let parent = has_parent(&input.url);
        let state = State { parent, begun: false, strays: false, entries: 0, total: 0 };
        Directory { lines: Lines::new(input.charset.as_deref(), Endings::Lf), state }
    }
}

impl Parser for Directory {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.begin(out);
        let State { entries, total, strays, .. } = self.state;
        let count = if entries == 1 { "1 entry".into() } else { format!("{} entries", size::count(entries)) };
        out.document_mut().notes.push(format!("{count}, {}", size::human(total)));
        out.document_mut().notes.append(&mut self.lines.notes(strays));
    }
}

/// The root has no parent; `/%2F` is FTP's way to write the root of the host.
fn has_parent(url: &Url) -> bool {
    let path = url.path().trim_matches('/');
    !path.is_empty() && !path.eq_ignore_ascii_case("%2F")
}

impl State {
    fn begin(&mut self, out: &mut Builder) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let column = |title: &str, width, align, role, needs| Column { title: title.into(), width, align, role, needs };
        out.document_mut().columns = vec![
            column("name", 0, Align::Left, Role::Text, 0),
            column("size", 9, Align::Right, Role::Size, 30),
            column("date", 16, Align::Left, Role::Date, 50),
        ];
        if self.parent {
            out.marked(BlockKind::Row, Role::Text, Marker::None, 1);
            out.link("../", Role::Link, "../");
        }
    }

    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        self.begin(out);
        match Entry::of(line) {
            Some(Entry { kind: Kind::Dots, .. }) => {}
            Some(entry) => self.entry(&entry, charset, out),
            None if line.is_empty() => {}
            None => {
                let text = self.decode(line, charset);
                out.block(BlockKind::Line, Role::Info);
                out.text(&sanitise(&text));
            }
        }
    }

    fn decode<'a>(&mut self, octets: &'a [u8], charset: Charset) -> Cow<'a, str> {
        let text = charset.decode(octets);
        self.strays |= matches!((charset, &text), (Charset::Utf8, Cow::Owned(_)));
        text
    }

    /// A name as one cell: a TAB would begin the next one.
    fn cell(&mut self, name: &[u8], charset: Charset) -> String {
        let text = self.decode(name, charset);
        sanitise(&text).replace('\t', "␉")
    }

    fn entry(&mut self, entry: &Entry, charset: Charset, out: &mut Builder) {
        self.entries += 1;
        let mut name = self.cell(entry.name, charset);
        out.marked(BlockKind::Row, Role::Text, Marker::None, 1);
        match entry.kind {
            Kind::Device => out.styled(&name, Role::Dim),
            kind => {
                if kind == Kind::Directory {
                    name.push('/');
                }
                out.link(&name, Role::Link, &reference(entry.name, kind));
            }
        }
        if let Some(target) = entry.target {
            let target = self.cell(target, charset);
            out.styled(&format!(" → {target}"), Role::Dim);
        }
        out.text("\t");
        match (entry.kind, entry.size) {
            (Kind::Directory, _) => out.text("dir"),
            (Kind::Link, _) => out.text("link"),
            (Kind::Device, _) => out.text("device"),
            (_, Some(octets)) => {
                self.total = self.total.saturating_add(octets);
                out.text(&size::human(octets));
            }
            _ => {}
        }
        out.text("\t");
        if let Some(modified) = entry.modified {
            out.text(&date(modified));
        }
    }
}

/// A reference to a name in this directory: exactly its octets, and never taken for a scheme or another directory.
fn reference(name: &[u8], kind: Kind) -> String {
    let escaped = escape::encode(name, escape::FTP_SEGMENT);
    let slash = if kind == Kind::Directory { "/" } else { "" };
    let here = if escaped.contains(':') { "./" } else { "" };
    format!("{here}{escaped}{slash}")
}

/// `YYYYMMDDHHMMSS` for people; midnight sharp is a date without a time.
pub(super) fn date(modified: &[u8]) -> String {
    let digits = modified.iter().take_while(|b| b.is_ascii_digit()).count();
    let part = |from: usize, to: usize| std::str::from_utf8(&modified[from..to]).unwrap_or_default();
    match digits {
        0..8 => String::new(),
        12.. if part(8, 12) != "0000" => {
            format!("{}-{}-{} {}:{}", part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12))
        }
        _ => format!("{}-{}-{}", part(0, 4), part(4, 6), part(6, 8)),
    }
}
