//! What the reader has put by to read later: a file of lines beside the database, `TIME`, address and title with tabs between them,
//! so that a database that is damaged costs none of them.
//!
//! All running copies write it, one at a time (`disk::Lines`), and never behind the database (`disk::Writer`); lines that make no sense are put aside when it is written anew.

use super::aside::remove_file;
use super::base::Base;
use super::page::{line, place};
use crate::disk::{self, Fresh, Lines};
use crate::url::Url;
use crate::visits::Forget;
use rusqlite::Connection;
use std::collections::HashSet;
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
    /// It was read, or is not wanted any more.
    pub gone: bool,
}

/// Pages that may be put by.
const MOST: usize = 10_000;
/// Octets of the file.
const ROOM: u64 = 16 << 20;

impl Later {
    fn read(line: &[u8]) -> Option<Later> {
        let mut words = std::str::from_utf8(line).ok()?.splitn(3, '\t');
        let (time, url, title) = (words.next()?.parse().ok()?, words.next()?, words.next()?.into());
        Some(Later { url: Url::parse(url).ok()?, title, time, here: false, gone: false })
    }

    fn line(&self) -> String {
        format!("{}\t{}\t{}\n", self.time, self.url.as_str(), line(&self.title))
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
        all.retain(|later| known.insert(place(&later.url)));
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
            return self.put(later);
        }
        let own = place(&later.url);
        self.take_out(|known| place(&known.url) == own).map(drop)
    }

    /// Puts one by; when this returns without an error that is on the disk.
    fn put(&self, later: &Later) -> Result<(), String> {
        let ((all, octets), own, row) = (self.read()?, place(&later.url), later.line());
        if all.iter().any(|known| place(&known.url) == own) {
            return Ok(());
        }
        if all.len() >= MOST || octets + row.len() as u64 > ROOM {
            return Err(format!("{} pages are put by already; read or drop some of them", all.len()));
        }
        self.0.add(&row).map_err(|error| self.wrong(&error))
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
    open.prepare_cached("SELECT 1 FROM pages WHERE place = ?1")?.exists([place])
}

/// The list as it stood in the database once goes into the file.
pub(super) fn moved_out(open: &Connection, list: &List) -> rusqlite::Result<()> {
    if !open.table_exists(None, "later")? {
        return Ok(());
    }
    let mut rows = open.prepare("SELECT url, title, time FROM later ORDER BY time, rowid")?;
    let all = rows.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?)))?;
    for (url, title, time) in all.collect::<rusqlite::Result<Vec<_>>>()? {
        let Ok(url) = Url::parse(url) else { continue };
        if list.put(&Later { url, title, time, here: false, gone: false }).is_err() {
            // It stays where it is until there is room.
            return Ok(());
        }
    }
    drop(rows);
    open.execute_batch("DROP TABLE later")
}
