//! `application/x-directory` → `Document`: a directory in MLSD lines (RFC 3659, 7), `fact=value;fact=value; name`.
//!
//! Entries are written as they come, so that the first screen does not wait for the last one; the order in which they are
//! shown is the reader's ([`Entries`]). Names are octets, and so are the references made of them.

mod rows;

use super::charset::Charset;
use super::lines::{Endings, Lines};
use super::listing::{Entry, Kind, Line, Precision, Time, mlsd};
use super::{Input, PageRows, Parser, media};
use super::{notices, size};
use crate::doc::{Align, BlockKind, Builder, Column, Marker, sanitise};
use crate::format::index;
use crate::role::Role;
use crate::url::scheme::{self, Family};
use crate::url::{Resolved, Rules, Url, escape, resolve};
pub use rows::Entries;
pub(super) use rows::Row;
use std::borrow::Cow;
use std::sync::Arc;

/// Reads a directory.
pub struct Directory {
    lines: Lines,
    state: State,
}

struct State {
    /// The way to the directory above this one, if there is one.
    parent: Option<String>,
    /// What the server says to people.
    notices: Vec<String>,
    begun: bool,
    strays: bool,
    /// Whether permissions and owners are shown.
    long: bool,
    /// Whether facts of archives are believed: what is in one is listed here, by nobody else.
    archive: bool,
    /// Whether names are paths: all that is below a folder of an archive.
    tree: bool,
    /// The URL below which rows are that are no directories, where that is not the page's own.
    place: Option<String>,
    rows: Arc<Entries>,
}

impl Directory {
    /// A parser for the directory of `input.url`.
    pub fn new(input: &Input) -> Directory {
        let archive = scheme::family(&input.url) == Family::Archive;
        let state = State {
            archive,
            tree: archive && scheme::archive::words(&input.url).is_some(),
            place: None,
            parent: parent(&input.url),
            notices: input.notices.clone(),
            begun: false,
            strays: false,
            long: input.media == media::DIRECTORY_LONG,
            rows: Arc::default(),
        };
        Directory { lines: Lines::new(input, Endings::Lf), state }
    }
}

impl Parser for Directory {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.begin(out);
        self.lines.tell(self.state.strays, out);
    }

    fn rows(&self) -> Option<PageRows> {
        Some(PageRows::Directory(Arc::clone(&self.state.rows)))
    }

    fn holds_back(&self) -> bool {
        self.lines.is_judging()
    }

    fn memory(&self) -> usize {
        self.lines.memory() + self.state.rows.memory()
    }
}

/// The reference to the directory above, by the scheme's own rules: FTP's paths begin where the login leads to.
fn parent(url: &Url) -> Option<String> {
    let above = scheme::up(url)?;
    let plain = matches!(resolve(url, "../", Rules::Rfc3986), Ok(Resolved::Url(to)) if to == above);
    Some(if plain { "../".into() } else { above.as_str().into() })
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
        if self.long {
            out.document_mut().columns.extend([
                column("permissions", 9, Align::Left, Role::Dim, 60),
                column("owner", 20, Align::Left, Role::Info, 76),
            ]);
        }
        notices::write(&self.notices, out);
        if let Some(parent) = &self.parent {
            out.marked(BlockKind::Row, Role::Text, Marker::None, 1);
            out.link("../", Role::Link, parent);
        }
    }

    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        self.begin(out);
        match mlsd::line(line) {
            Some(Line::Entry(Entry { kind: Kind::Dots, place: Some(place), .. })) if self.archive => {
                self.place = Some(String::from_utf8_lossy(place).into_owned());
                if !self.tree {
                    out.marked(BlockKind::Row, Role::Text, Marker::None, 1);
                    out.link("all below, as one list", Role::Link, &format!("?{}", scheme::archive::TREE));
                }
            }
            Some(Line::Entry(Entry { kind: Kind::Dots, .. })) => {}
            Some(Line::Entry(entry)) => self.entry(&entry, charset, out),
            Some(Line::Text(text)) => self.text(text, charset, out),
            None if line.is_empty() => {}
            None => self.text(line, charset, out),
        }
    }

    fn text(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        let text = self.decode(line, charset);
        out.block(BlockKind::Line, Role::Info);
        out.text(&sanitise(&text));
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

    fn entry(&mut self, entry: &Entry<'_>, charset: Charset, out: &mut Builder) {
        // In a list of all below a folder names come first: they are what is looked for, and what a narrow screen has room for.
        let slash = memchr::memrchr(b'/', &entry.name).filter(|_| self.tree);
        let mut name = self.cell(slash.map_or(&entry.name, |slash| &entry.name[slash + 1..]), charset);
        let row = Row::of(entry, &name, index(out.document().blocks().len()));
        Arc::make_mut(&mut self.rows).push(if slash.is_some() { row.with_folder() } else { row });
        out.marked(BlockKind::Row, Role::Text, Marker::None, 1);
        match entry.kind {
            Kind::Other => out.styled(&name, Role::Dim),
            kind => {
                if kind == Kind::Directory {
                    name.push('/');
                }
                out.link(&name, Role::Link, &self.reference(entry));
            }
        }
        if let Some(slash) = slash {
            let folder = self.cell(&entry.name[..slash], charset);
            out.styled(&format!(" in {folder}"), Role::Dim);
        }
        if let Some(target) = entry.target {
            let target = self.cell(target, charset);
            out.styled(&format!(" → {target}"), Role::Dim);
        }
        out.text("\t");
        match (entry.kind, entry.size) {
            (Kind::Directory, _) => out.text("dir"),
            (Kind::Link, _) => out.text("link"),
            (Kind::Other, _) => out.text("device"),
            (_, Some(octets)) => {
                Arc::make_mut(&mut self.rows).add(octets);
                out.text(&size::human(octets));
            }
            _ => {}
        }
        out.text("\t");
        if let Some(modified) = entry.modified {
            out.text(&written(modified));
        }
        if self.long {
            self.access(entry, charset, out);
        }
    }

    /// A reference to a name in this directory: exactly its octets, and never taken for a scheme or another directory.
    fn reference(&self, entry: &Entry<'_>) -> String {
        let keep = if self.tree { escape::FTP_PATH } else { escape::FTP_SEGMENT };
        let mut escaped = escape::encode(&entry.name, keep);
        if let Some(version) = entry.version {
            escaped += &escape::encode(&[b";", version].concat(), b"");
        }
        let directory = entry.kind == Kind::Directory || entry.inside && self.archive;
        match &self.place {
            Some(place) if !directory => format!("{place}{escaped}"),
            _ => {
                let here = if escaped.contains(':') { "./" } else { "" };
                format!("{here}{escaped}{}", if directory { "/" } else { "" })
            }
        }
    }

    /// `rwxr-xr-x`, and `owner:group`.
    fn access(&mut self, entry: &Entry<'_>, charset: Charset, out: &mut Builder) {
        out.text("\t");
        if let Some(mode) = entry.access.mode {
            out.text(&permissions(mode));
        }
        out.text("\t");
        let names = [entry.access.owner, entry.access.group].map(|name| name.map(|name| self.cell(name, charset)));
        match names {
            [Some(owner), Some(group)] => out.text(&format!("{owner}:{group}")),
            [Some(name), None] => out.text(&name),
            [None, Some(group)] => out.text(&format!(":{group}")),
            [None, None] => {}
        }
    }
}

/// The twelve bits of a mode as `ls` writes them.
fn permissions(mode: u16) -> String {
    let flag = |at: u16| {
        let (set, special) = (mode & 0o400 >> at != 0, at % 3 == 2 && mode & 0o4000 >> (at / 3) != 0);
        match (at % 3, special, set) {
            (0, _, true) => 'r',
            (1, _, true) => 'w',
            (2, false, true) => 'x',
            (2, true, true) if at == 8 => 't',
            (2, true, false) if at == 8 => 'T',
            (2, true, true) => 's',
            (2, true, false) => 'S',
            _ => '-',
        }
    };
    (0..9).map(flag).collect()
}

/// `YYYYMMDDHHMMSS` for people.
pub(super) fn date(modified: &[u8]) -> String {
    mlsd::time(modified, true).map(written).unwrap_or_default()
}

/// A time for people, as exactly as it is known. Where a second is told, midnight sharp stands for a day without a time.
pub(super) fn written(Time { at, precision, .. }: Time) -> String {
    let (day, clock) = (at.date(), at.time());
    if precision == Precision::Day || precision == Precision::Second && clock == jiff::civil::Time::midnight() {
        return day.to_string();
    }
    format!("{day} {:02}:{:02}", clock.hour(), clock.minute())
}
