//! Addresses that led elsewhere when a copy was kept: whoever asks for one is led to that copy again.
//!
//! There is one row for each address that was asked for, however many lay between it and the page; where the same address leads to another
//! copy later, that counts. A row goes with the copy, and a copy of the address itself goes before it.

use super::base::Base;
use super::forgetting::CAME_BEFORE;
use super::page::{HEAD_WORD, place};
use crate::proto::Redirected;
use crate::url::Url;
use crate::visits::Forget;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

/// Rows that go in one step.
const BATCH: i64 = 500;
/// Octets that a row takes on the disk, with the indexes.
const TAKES: &str = "2 * octet_length(place) + octet_length(url) + 2 * octet_length(target) + octet_length(target_url) \
                     + octet_length(said) + 100";

/// Where an address led.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Led {
    /// Where to: a copy of that is kept.
    pub to: Url,
    /// What was said of it.
    pub said: String,
    /// When that copy came.
    pub time: Timestamp,
}

/// A copy of a page is kept, to which an address led, or none; octets that the row takes on the disk, reckoned.
pub(super) fn keep(change: &Connection, page: &Url, led: Option<&Redirected>, time: i64) -> rusqlite::Result<usize> {
    let target = place(page);
    change.prepare_cached("DELETE FROM led WHERE place = ?1")?.execute([&target])?;
    let Some(Redirected { from, said }) = led else { return Ok(0) };
    let (from, to) = (from.without_fragment(), page.without_fragment());
    let place = place(&from);
    if place == target {
        return Ok(0);
    }
    let said = if said.len() > HEAD_WORD { "" } else { said };
    change
        .prepare_cached(
            "INSERT OR REPLACE INTO led(place, url, target, target_url, said, time) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![place, from.as_str(), target, to.as_str(), said, time])?;
    Ok(2 * (place.len() + target.len()) + from.as_str().len() + to.as_str().len() + said.len() + 100)
}

/// Those that lead to no copy any more; how many went.
pub(super) fn drop_lost(change: &Connection) -> rusqlite::Result<usize> {
    let lost = "DELETE FROM led WHERE NOT EXISTS (SELECT 1 FROM pages WHERE pages.place = led.target)";
    change.prepare_cached(lost)?.execute([])
}

/// Some of the oldest, as far as all take more than so many octets; how many went.
pub(super) fn drop_surplus(change: &Connection, room: i64) -> rusqlite::Result<usize> {
    let sum = format!("SELECT sum({TAKES}) FROM led");
    let all: Option<i64> = change.prepare_cached(&sum)?.query_row([], |row| row.get(0))?;
    let mut over = all.unwrap_or(0).saturating_sub(room);
    if over <= 0 {
        return Ok(0);
    }
    let oldest = format!("SELECT place, {TAKES} FROM led ORDER BY time LIMIT {BATCH}");
    let mut rows = change.prepare_cached(&oldest)?;
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut gone = 0;
    for (place, takes) in rows.collect::<rusqlite::Result<Vec<(String, i64)>>>()? {
        if over <= 0 {
            break;
        }
        change.prepare_cached("DELETE FROM led WHERE place = ?1")?.execute([place])?;
        (over, gone) = (over - takes, gone + 1);
    }
    Ok(gone)
}

/// Those that came up to a time and begin or end with what is to be forgotten.
pub(super) fn forget(change: &Connection, what: &Forget, until: i64) -> rusqlite::Result<()> {
    let mut rows = change.prepare(&format!("SELECT place, url, target_url, time FROM led WHERE {CAME_BEFORE}"))?;
    let meant = |row: &rusqlite::Row<'_>| {
        let (place, time) = (row.get::<_, String>(0)?, row.get(3)?);
        let concerns = |url: String| match what {
            Forget::Page(page) => Url::parse(url).is_ok_and(|url| self::place(&url) == self::place(page)),
            _ => what.concerns(&url, Some(time)),
        };
        Ok((concerns(row.get(1)?) || concerns(row.get(2)?)).then_some(place))
    };
    let gone = rows.query_map([until], meant)?.collect::<rusqlite::Result<Vec<_>>>()?;
    for place in gone.into_iter().flatten() {
        change.prepare_cached("DELETE FROM led WHERE place = ?1")?.execute([place])?;
    }
    drop_lost(change).map(drop)
}

/// Which pages are opened by some addresses that led to them.
pub(super) fn targets<'a>(
    open: &Connection,
    places: impl Iterator<Item = &'a String>,
) -> rusqlite::Result<Vec<String>> {
    let mut row = open.prepare_cached("SELECT target FROM led WHERE place = ?1")?;
    let found = places.map(|place| row.query_row([place], |row| row.get(0)).optional());
    Ok(found.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
}

impl Base {
    /// Where an address led, where a copy of that is kept.
    pub(super) fn led(&mut self, url: &Url) -> Result<Option<Led>, String> {
        let found = self.read(|open| {
            let mut row = open.prepare_cached(
                "SELECT target_url, said, pages.time FROM led JOIN pages ON pages.place = led.target WHERE led.place = ?1",
            )?;
            let row = row.query_row([place(url)], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
            });
            row.optional()
        })?;
        // What is no address any more is damaged, and leads nowhere.
        Ok(found.and_then(|(to, said, time)| {
            Some(Led { to: Url::parse(to).ok()?, said, time: Timestamp::from_second(time).ok()? })
        }))
    }
}
