//! Which of the kept pages link to one: an index by what they link to (FTS5 of SQLite, one word for each address).
//!
//! The word is a part of the sum of the address, so that none of what is forgotten can be read there, and of a long address there is no
//! more than of a short one. It is asked on the store's thread and takes the newest first, however many there are.

use super::base::Base;
use super::page::{host, place};
use super::search::Row;
use crate::url::Url;
use ring::digest::{SHA256, digest};
use rusqlite::{Connection, params};

/// Of so many that link to a page, the newest, those of other hosts come first.
const LOOKED_AT: usize = 200;

/// The word of a place.
pub(super) fn word(place: &str) -> String {
    let sum = digest(&SHA256, place.as_bytes());
    sum.as_ref().iter().take(8).map(|octet| format!("{octet:02x}")).collect()
}

/// A page is kept, which links to these.
pub(super) fn keep(change: &Connection, id: i64, words: &str) -> rusqlite::Result<()> {
    let mut row = change.prepare_cached("INSERT INTO links(rowid, targets) VALUES(?1, ?2)")?;
    row.execute(params![id, words]).map(drop)
}

impl Base {
    /// The pages that link to one: those of other hosts first, of each the newest first.
    pub(super) fn linking(&mut self, url: &Url, most: usize) -> Result<Vec<Row>, String> {
        let place = place(url);
        let mut rows = self.read(|open| {
            let mut rows = open.prepare_cached(&format!(
                "SELECT pages.url, pages.title, pages.time, pages.place FROM links JOIN pages ON pages.id = links.rowid \
                 WHERE links MATCH ?1 ORDER BY links.rowid DESC LIMIT {LOOKED_AT}"
            ))?;
            let row = |row: &rusqlite::Row<'_>| {
                let found = Row { url: row.get(0)?, title: row.get(1)?, time: row.get(2)?, context: String::new() };
                Ok((found, row.get::<_, String>(3)?))
            };
            rows.query_map([word(&place)], row)?.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        rows.retain(|(_, from)| *from != place);
        let own = host(url);
        rows.sort_by_key(|(row, _)| Url::parse(row.url.as_str()).is_ok_and(|from| host(&from) == own));
        Ok(rows.into_iter().map(|(row, _)| row).take(most).collect())
    }
}
