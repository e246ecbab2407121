//! The way to a page, found and written: as a page, and as a file for others (`file`).
//!
//! Titles and addresses are what others wrote: each is one line that passed the sanitiser before it stands in either.

mod file;

pub use file::Kind;

use crate::date;
use crate::doc::{BlockKind, Builder, Document, Marker, sanitise};
use crate::format::count;
use crate::role::Role;
use crate::stop::Stop;
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape, redact};
use crate::visits::{Before, Pages, Station, Trail};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use std::collections::{BTreeMap, BTreeSet};

/// What the page of a trail is called where the reader has no name for it.
pub const TITLE: &str = "How you came here";
/// Octets of a name, a title or a note.
const LINE: usize = 500;
/// Rows of a history in which a trail is found in a millisecond or two.
const SMALL: usize = 1 << 11;

/// A page to which the trail is to be found.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Where the reader has been.
    pub pages: Pages,
    /// The row of its last visit.
    pub to: usize,
    /// What the reader calls the trail; empty for no name.
    pub name: String,
    /// Their words to stations, by address.
    pub notes: BTreeMap<String, String>,
    /// What day it is.
    pub now: Option<Zoned>,
    /// As which file it is wanted; `None` for the page.
    pub file: Option<Kind>,
}

/// A trail, written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tracked {
    /// The page; empty where a file is wanted.
    pub document: Document,
    /// The file; beside a page its source.
    pub text: String,
    /// The addresses of the stations.
    pub stations: BTreeSet<String>,
}

impl Track {
    /// Finds and writes it; `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Tracked> {
        let trail = self.pages.trail(self.to, stop)?;
        let stations = trail.stations.iter().map(|station| station.url.clone()).collect();
        let (document, text) = match self.file {
            Some(kind) => (Document::default(), kind.write(&self.title(&trail), &trail, &self.notes)),
            None => (self.page(&trail), Kind::Gemtext.write(&self.title(&trail), &trail, &self.notes)),
        };
        Some(Tracked { document, text, stations })
    }

    pub(super) fn is_small(&self) -> bool {
        self.pages.rows() <= SMALL
    }

    /// What it is called for others: as the reader says, or after the page to which it leads.
    fn title(&self, trail: &Trail) -> String {
        match (self.name.as_str(), trail.stations.last()) {
            ("", Some(last)) => format!("How I came to {}", told(&last.title, &last.url)),
            ("", None) => TITLE.into(),
            (name, _) => line(name),
        }
    }

    fn page(&self, trail: &Trail) -> Document {
        let mut out = Builder::new();
        let title = if self.name.is_empty() { TITLE.to_owned() } else { line(&self.name) };
        out.document_mut().title = Some(title.clone());
        out.block(BlockKind::Heading(1), Role::Heading);
        out.text(&title);
        out.block(BlockKind::Line, Role::Dim);
        out.text(&format!("{} · :trail name WORDS, note WORDS, save FILE; bookmarked, it stays", introduction(trail)));
        let zone = self.now.as_ref().map_or(TimeZone::UTC, |now| now.time_zone().clone());
        let (today, mut day) = (self.now.as_ref().map(Zoned::date), None);
        for station in &trail.stations {
            let time = Timestamp::from_second(station.time).unwrap_or_default().to_zoned(zone.clone());
            if day.replace(time.date()) != Some(time.date()) {
                out.block(BlockKind::Line, Role::Text);
                out.block(BlockKind::Heading(2), Role::Heading2);
                out.text(&date::day(time.date(), today));
            }
            out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
            out.styled(&time.strftime("%H:%M").to_string(), Role::Date);
            out.text("  ");
            out.link(&called(&station.title, &station.url), Role::Link, &station.url);
            if let Some(words) = self.notes.get(&station.url) {
                out.marked(BlockKind::Entry, Role::Quote, Marker::None, 8);
                out.text(&line(words));
            }
            write_offs(station, &mut out);
        }
        out.finish()
    }
}

/// Words of whoever wrote them, on one line.
pub fn line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = sanitise(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    text[..text.floor_char_boundary(LINE)].to_owned()
}

/// What a page is called.
fn called(title: &str, url: &str) -> String {
    let title = line(title);
    if title.is_empty() { line(&redact(url)) } else { title }
}

/// What a page is called for others: of what lies on this machine, or behind a login, no more than the last name, for titles of
/// directories and addresses say where that is.
fn told(title: &str, url: &str) -> String {
    let Ok(address) = Url::parse(url) else { return called(title, url) };
    let is_place = matches!(scheme::family(&address), Family::File | Family::Archive | Family::Sftp);
    if !is_place || !title.is_empty() && !title.contains(['/', ':', '\\']) {
        return called(title, url);
    }
    let path = String::from_utf8_lossy(&escape::decode(address.path())).into_owned();
    let name = line(path.rsplit(['/', '!']).find(|name| !name.is_empty()).unwrap_or_default());
    if name.is_empty() { address.scheme().to_owned() } else { name }
}

/// Where one turned off from a station.
fn write_offs(station: &Station, out: &mut Builder) {
    for off in &station.offs {
        out.marked(BlockKind::Entry, Role::Dim, Marker::None, 8);
        out.styled("also  ", Role::Dim);
        out.link(&called(&off.title, &off.url), Role::Link, &off.url);
    }
    if station.more > 0 {
        out.marked(BlockKind::Entry, Role::Dim, Marker::None, 8);
        out.text(&format!("and {} more", count(station.more)));
    }
}

fn introduction(trail: &Trail) -> String {
    let pages = trail.stations.len();
    match trail.before {
        Before::Nothing if pages == 1 => "No page led to this one".to_owned(),
        Before::Nothing => format!("{pages} pages; none led to the first"),
        Before::Forgotten => format!("{pages} pages; what led to the first is forgotten"),
        Before::Unknown => format!("{pages} pages; how you came to the first then is not known any more"),
        Before::More => format!("the last {pages} pages"),
    }
}
