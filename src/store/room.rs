//! How much is kept, by octets and by age; and what there is.

use super::base::Base;
use crate::visits::Forget;
use rusqlite::{Connection, Transaction, params};
use std::collections::HashSet;

/// How much is kept at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Octets on the disk; 0 keeps nothing.
    pub octets: u64,
    /// Days since a page came; 0 for as long as there is room.
    pub days: u32,
}

/// What there is of a scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The scheme.
    pub scheme: String,
    /// How many pages.
    pub pages: u64,
    /// Their octets, as they came.
    pub octets: u64,
    /// When the oldest of them came, in seconds since 1970.
    pub oldest: i64,
}

/// What there is, by scheme.
const SUMS: &str = "SELECT scheme, count(*), sum(size), min(time) FROM pages GROUP BY scheme ORDER BY scheme";
/// Pages that go in one step.
const BATCH: i64 = 128;

/// Added to the tables of the first version: what there is of each scheme is known without reading the pages.
pub(super) const INDEXES: &str = "CREATE INDEX IF NOT EXISTS pages_by_scheme ON pages(scheme, size, time);";

/// Octets on the disk that are in use.
pub(super) fn used(open: &Connection) -> rusqlite::Result<u64> {
    let value = |name: &str| open.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = value("page_count")?.saturating_sub(value("freelist_count")?);
    Ok(u64::try_from(pages.saturating_mul(value("page_size")?)).unwrap_or(0))
}

/// Makes room where there is too much, or what is there is too old; what was put by to be read later goes last.
pub(super) fn sweep(open: &mut Connection, most: &Most, now: i64, later: &HashSet<String>) -> rusqlite::Result<()> {
    let before = used(open)?;
    if most.days > 0 {
        let oldest = now.saturating_sub(i64::from(most.days).saturating_mul(86_400));
        let change = open.transaction()?;
        drop_oldest(&change, later, i64::MAX, oldest)?;
        drop_items(&change, oldest)?;
        change.commit()?;
    }
    // An eighth of the pages at a time, until there is room for a while: indexes are written anew each time.
    let enough = most.octets / 4 * 3;
    let mut goes_on = used(open)? > most.octets;
    while goes_on {
        let mut left = open.query_row("SELECT count(*) FROM pages", [], |row| row.get::<_, i64>(0))? / 8 + 1;
        let mut gone = 0;
        while left > 0 {
            let change = open.transaction()?;
            let mut some = drop_old(&change, later, left.min(BATCH))?;
            if some == 0 && gone == 0 {
                some = drop_old(&change, &HashSet::new(), left.min(BATCH))?;
            }
            change.commit()?;
            left = if some == 0 { 0 } else { left - BATCH };
            gone += some;
        }
        optimise(open)?;
        goes_on = gone > 0 && used(open)? > enough;
    }
    if used(open)? < before {
        tidy(open)?;
    }
    Ok(())
}

/// Writes the indexes anew: until then they hold the words of what has gone.
fn optimise(open: &Connection) -> rusqlite::Result<()> {
    ["words", "names", "links"]
        .iter()
        .try_for_each(|index| open.execute_batch(&format!("INSERT INTO {index}({index}) VALUES('optimize');")))
}

/// Gives room that is not needed any more back to the disk, and leaves nothing of it beside the file.
fn tidy(open: &Connection) -> rusqlite::Result<()> {
    // It goes on a page at a time, for as long as it is asked.
    let mut vacuum = open.prepare("PRAGMA incremental_vacuum")?;
    let mut rows = vacuum.query([])?;
    while rows.next()?.is_some() {}
    drop(rows);
    open.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

/// The oldest pages, and the items of menus that were seen no later; how many went.
fn drop_old(change: &Transaction<'_>, but: &HashSet<String>, most: i64) -> rusqlite::Result<usize> {
    let (pages, last) = drop_oldest(change, but, most, i64::MAX)?;
    let items = drop_items(change, last.map_or(i64::MAX, |time| time.saturating_add(1)))?;
    Ok(pages + items)
}

/// So many of the oldest pages that came before a time, but for some places; how many went, and when the last of them came.
fn drop_oldest(
    change: &Transaction<'_>,
    but: &HashSet<String>,
    most: i64,
    before: i64,
) -> rusqlite::Result<(usize, Option<i64>)> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut rows = change.prepare_cached("SELECT id, time, place FROM pages WHERE time < ?1 ORDER BY time, id")?;
    let all = rows.query_map([before], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
    let goes = all.filter(|row| row.as_ref().map_or(true, |(_, _, place)| !but.contains(place))).take(most);
    let all: Vec<(i64, i64)> = goes.map(|row| row.map(|(id, time, _)| (id, time))).collect::<rusqlite::Result<_>>()?;
    for (id, _) in &all {
        drop_page(change, *id)?;
    }
    Ok((all.len(), all.last().map(|(_, time)| *time)))
}

/// One page with all that is known of it.
pub(super) fn drop_page(change: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    for table in [
        "DELETE FROM pages WHERE id = ?1",
        "DELETE FROM bodies WHERE id = ?1",
        "DELETE FROM words WHERE rowid = ?1",
        "DELETE FROM links WHERE rowid = ?1",
        "DELETE FROM unread WHERE id = ?1",
    ] {
        change.prepare_cached(table)?.execute([id])?;
    }
    Ok(())
}

/// Items that were seen last before a time; how many went.
fn drop_items(change: &Transaction<'_>, before: i64) -> rusqlite::Result<usize> {
    change.execute("DELETE FROM names WHERE rowid IN (SELECT id FROM items WHERE time < ?1)", [before])?;
    change.execute("DELETE FROM items WHERE time < ?1", [before])
}

impl Base {
    /// What there is, by scheme.
    pub(super) fn sums(&mut self) -> Result<Vec<Sum>, String> {
        self.read(|open| {
            let mut rows = open.prepare_cached(SUMS)?;
            let sum = |row: &rusqlite::Row<'_>| {
                let count = |at: usize| row.get::<_, i64>(at).map(|number| u64::try_from(number).unwrap_or(0));
                Ok(Sum { scheme: row.get(0)?, pages: count(1)?, octets: count(2)?, oldest: row.get(3)? })
            };
            rows.query_map([], sum)?.collect()
        })
    }

    /// Forgets; what is forgotten is overwritten.
    pub(super) fn forget(&mut self, what: &Forget) {
        self.given_up.clear();
        let forgotten = self.change_what_is_there(|open| {
            let change = open.transaction()?;
            for (table, index) in [("pages", "words"), ("items", "names"), ("found", "")] {
                let mut rows = change.prepare(&format!("SELECT rowid, url, time FROM {table}"))?;
                let concerned = |row: &rusqlite::Row<'_>| {
                    let (id, url, time) = (row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get(2)?);
                    Ok(what.concerns(&url, Some(time)).then_some(id))
                };
                let ids = rows.query_map([], concerned)?.collect::<rusqlite::Result<Vec<_>>>()?;
                drop(rows);
                for id in ids.into_iter().flatten() {
                    match table {
                        "pages" => drop_page(&change, id)?,
                        _ => drop(change.execute(&format!("DELETE FROM {table} WHERE rowid = ?1"), params![id])?),
                    }
                    if table == "items" {
                        change.execute(&format!("DELETE FROM {index} WHERE rowid = ?1"), params![id])?;
                    }
                }
            }
            change.commit()?;
            optimise(open)?;
            tidy(open)
        });
        if let Err(sentence) = forgotten.and_then(|()| self.forget_aside()) {
            self.tell(format!("not all is forgotten: {sentence}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_is_known_without_reading_the_pages() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = Base::new(folder.path().join("pages.db"), Most { octets: 1 << 20, days: 0 }, Box::new(drop));
        let plan = base.write(|open| open.query_row(&format!("EXPLAIN QUERY PLAN {SUMS}"), [], |row| row.get(3)));
        assert_eq!(plan, Ok("SCAN pages USING COVERING INDEX pages_by_scheme".to_owned()));
    }
}
