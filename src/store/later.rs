//! What the reader has put by to read later.

use super::base::Base;
use super::page::{line, place};
use crate::url::Url;
use rusqlite::{Connection, params};

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
const MOST: i64 = 10_000;

impl Base {
    /// All, the oldest first.
    pub(super) fn later(&mut self) -> Result<Vec<Later>, String> {
        self.read(|open| {
            let mut rows = open.prepare_cached(
                "SELECT later.url, later.title, later.time, pages.id IS NOT NULL FROM later \
                 LEFT JOIN pages ON pages.place = later.place ORDER BY later.time, later.rowid",
            )?;
            let all = rows.query_map([], |row| {
                let (url, title, time, here) =
                    (row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get::<_, bool>(3)?);
                Ok(Url::parse(url).ok().map(|url| Later { url, title, time, here, gone: false }))
            })?;
            Ok(all.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
        })
    }

    /// Puts one by or takes it out; when this returns without an error that is on the disk.
    pub(super) fn put_by(&mut self, later: &Later) -> Result<(), String> {
        self.write(|open| {
            // This is a promise, also for when the machine has no power in the next moment.
            open.pragma_update(None, "synchronous", "FULL")?;
            let put = change(open, later);
            open.pragma_update(None, "synchronous", "NORMAL")?;
            put
        })
        .and_then(|rows| match rows {
            0 if !later.gone => Err(format!("{MOST} pages are put by already; read or drop some of them")),
            _ => Ok(()),
        })
    }
}

/// How many rows that concerns.
fn change(open: &Connection, later: &Later) -> rusqlite::Result<usize> {
    let place = place(&later.url);
    if later.gone {
        return open.execute("DELETE FROM later WHERE place = ?1", [place]);
    }
    open.execute(
        "INSERT INTO later(place, url, title, time) SELECT ?1, ?2, ?3, ?4 WHERE (SELECT count(*) FROM later) < ?5 \
         OR EXISTS (SELECT 1 FROM later WHERE place = ?1) \
         ON CONFLICT(place) DO UPDATE SET title = excluded.title",
        params![place, later.url.as_str(), line(&later.title), later.time, MOST],
    )
}
