//! What the reader has put by to read later: a file of lines beside the database, `TIME`, address and title with tabs between them,
//! so that a database that is damaged costs none of them. Behind a fourth tab stands what is yet to be done of it: `links` where what
//! it links to is to be put on the list, `with URL` where no more is wanted than a copy, because that page links there. Of several
//! lines of one page the last counts.
//!
//! All running copies write it, one at a time (`disk::Lines`), and never behind the database (`disk::Writer`); lines that make no sense
//! are put aside when it is written anew.

use super::aside::remove_file;
use super::base::Base;
use super::page::{line, place};
use crate::disk::{self, Fresh, Lines};
use crate::url::Url;
use crate::visits::Forget;
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

/// A page that is to be read later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Later {
    /// Its address.
    pub url: Url,
    /// What it is called.
    pub title: String,
    /// When it was put by, in seconds since 1970.
    pub time: i64,
    /// Whether a copy of it is kept.
    pub here: bool,
    /// What of it.
    pub wanted: Wanted,
    /// It was read, or is not wanted any more: with [`Wanted::Links`] neither are those that it links to, with [`Wanted::Beside`]
    /// it goes only where no more than a copy was wanted.
    pub gone: bool,
}

/// What is wanted of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Wanted {
    /// To read it.
    #[default]
    Page,
    /// That, and copies of what it links to on its host, which do not stand on the list yet.
    Links,
    /// A copy alone, as this page links to it; it goes when that has come.
    Beside(Url),
}

/// Pages that may be put by.
const MOST: usize = 10_000;
/// Octets of the file.
const ROOM: u64 = 16 << 20;

impl Later {
    fn read(line: &[u8]) -> Option<Later> {
        let mut words = std::str::from_utf8(line).ok()?.splitn(4, '\t');
        let (time, url, title) = (words.next()?.parse().ok()?, words.next()?, words.next()?.into());
        let wanted = match words.next() {
            None => Wanted::Page,
            Some("links") => Wanted::Links,
            Some(with) => Wanted::Beside(Url::parse(with.strip_prefix("with ")?).ok()?),
        };
        Some(Later { url: Url::parse(url).ok()?, title, time, here: false, wanted, gone: false })
    }

    fn line(&self) -> String {
        let wanted = match &self.wanted {
            Wanted::Page => String::new(),
            Wanted::Links => "\tlinks".into(),
            Wanted::Beside(page) => format!("\twith {}", page.as_str()),
        };
        format!("{}\t{}\t{}{wanted}\n", self.time, self.url.as_str(), line(&self.title))
    }

    /// Whether more is wanted of a page than the list says.
    fn adds_to(&self, known: &Later) -> bool {
        let much = |later: &Later| match later.wanted {
            Wanted::Beside(_) => 0,
            Wanted::Page => 1,
            Wanted::Links => 2,
        };
        much(self) > much(known)
    }

    /// Whether a row goes, when this one is gone.
    fn takes(&self, row: &Later) -> bool {
        let same = place(&self.url) == place(&row.url);
        match (&self.wanted, &row.wanted) {
            (Wanted::Links, Wanted::Beside(page)) => same || place(&self.url) == place(page),
            (Wanted::Beside(_), Wanted::Page | Wanted::Links) => false,
            _ => same,
        }
    }
}

/// The list.
#[derive(Clone)]
pub(super) struct List(Lines);

impl List {
    /// The one beside a database.
    pub(super) fn beside(database: &Path) -> List {
        List(Lines::new(database.with_file_name("later"), "later").up_to(ROOM))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    fn wrong(&self, error: &io::Error) -> String {
        disk::wrong(self.0.path(), error)
    }

    /// All, the oldest first; and the octets that the file has.
    fn read(&self) -> Result<(Vec<Later>, u64), String> {
        let octets = self.0.octets().map_err(|error| self.wrong(&error))?;
        if let Some(version) = self.0.newer(&octets) {
            return Err(self.0.newer_sentence(version));
        }
        let mut all: Vec<Later> = octets.split(|b| *b == b'\n').filter_map(Later::read).collect();
        let mut known = HashSet::new();
        all.reverse();
        all.retain(|later| known.insert(place(&later.url)));
        all.reverse();
        all.sort_by_key(|later| later.time);
        Ok((all, octets.len() as u64))
    }

    /// What tells these pages from others; of a list that cannot be read none.
    pub(super) fn places(&self) -> HashSet<String> {
        self.read().unwrap_or_default().0.iter().map(|later| place(&later.url)).collect()
    }

    /// Puts one by or takes it out; when this returns without an error that is on the disk.
    pub(super) fn change(&self, later: &Later) -> Result<(), String> {
        if !later.gone {
            return self.put(std::slice::from_ref(later), None);
        }
        self.take_out(|known| later.takes(known)).map(drop)
    }

    /// Puts some by, and with `linked` notes that what that page links to is among them; when this returns without an error that is
    /// on the disk.
    pub(super) fn put(&self, some: &[Later], linked: Option<&Url>) -> Result<(), String> {
        let (all, octets) = self.read()?;
        let known: HashMap<String, &Later> = all.iter().map(|later| (place(&later.url), later)).collect();
        let (mut rows, mut count) = (String::new(), all.len());
        for later in some {
            match known.get(&place(&later.url)) {
                Some(known) if !later.adds_to(known) => {}
                Some(Later { wanted: Wanted::Page, time, .. }) => {
                    rows += &Later { time: *time, ..later.clone() }.line()
                }
                Some(_) => rows += &later.line(),
                None => {
                    count += 1;
                    rows += &later.line();
                }
            }
        }
        let linked = linked.and_then(|page| known.get(&place(page))).filter(|known| known.wanted == Wanted::Links);
        rows.extend(linked.map(|page| Later { wanted: Wanted::Page, ..(*page).clone() }.line()));
        if rows.is_empty() {
            return Ok(());
        }
        if count > MOST || octets + rows.len() as u64 > ROOM {
            return Err(format!("{} pages are put by already; read or drop some of them", all.len()));
        }
        self.0.add(&rows).map_err(|error| self.wrong(&error))
    }

    /// Takes some out; how many.
    fn take_out(&self, goes: impl Fn(&Later) -> bool) -> Result<usize, String> {
        let mut gone = 0;
        let change = |octets: &[u8]| {
            let mut fresh = Fresh::default();
            for (at, text) in octets.split(|b| *b == b'\n').enumerate() {
                match Later::read(text) {
                    Some(later) if goes(&later) => gone += 1,
                    Some(later) => fresh.lines.push_str(&later.line()),
                    None if text.is_empty() || text.starts_with(b"#") => {}
                    None => fresh.bad.push(at + 1),
                }
            }
            Some(fresh)
        };
        self.0.anew(change).map_err(|error| self.wrong(&error))?;
        Ok(gone)
    }

    /// Forgets those, and what was put aside of the file: nobody can tell what that is of. How many of those there were.
    pub(super) fn forget(&self, what: &Forget) -> Result<usize, String> {
        let gone = self.take_out(|later| what.concerns(later.url.as_str(), Some(later.time)))?;
        remove_file(&self.0.path().with_extension("bad")).map(|()| gone)
    }
}

impl Base {
    /// All, the oldest first.
    pub(super) fn later(&mut self) -> Result<Vec<Later>, String> {
        // Opened, the database gives up what it had of it once; that copies cannot be read is told when one is wanted.
        let _ = self.read(|_| Ok(()));
        let mut all = self.list.read()?.0;
        let places: Vec<String> = all.iter().map(|later| place(&later.url)).collect();
        let here: Vec<bool> =
            self.read(|open| places.iter().map(|place| is_kept(open, place)).collect()).unwrap_or_default();
        all.iter_mut().zip(here).for_each(|(later, here)| later.here = here);
        Ok(all)
    }
}

fn is_kept(open: &Connection, place: &str) -> rusqlite::Result<bool> {
    let led = "SELECT 1 FROM pages WHERE place = ?1 OR place = (SELECT target FROM led WHERE place = ?1)";
    open.prepare_cached(led)?.exists([place])
}

/// The list as it stood in the database once goes into the file.
pub(super) fn moved_out(open: &Connection, list: &List) -> rusqlite::Result<()> {
    if !open.table_exists(None, "later")? {
        return Ok(());
    }
    let mut rows = open.prepare("SELECT url, title, time FROM later ORDER BY time, rowid")?;
    let all = rows.query_map([], |row| Ok((row.get::<_, String>(0).ok(), row.get(1).ok(), row.get(2).ok())))?;
    for (url, title, time) in all.collect::<rusqlite::Result<Vec<_>>>()? {
        // A row that is damaged costs itself.
        let Some(url) = url.and_then(|url| Url::parse(url).ok()) else { continue };
        let (title, time): (String, i64) = (title.unwrap_or_default(), time.unwrap_or_default());
        let later = Later { url, title, time, here: false, wanted: Wanted::Page, gone: false };
        if list.put(&[later], None).is_err() {
            // It stays where it is until there is room.
            return Ok(());
        }
    }
    drop(rows);
    open.execute_batch("DROP TABLE later")
}
