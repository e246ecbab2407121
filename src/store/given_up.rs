//! What was known of sources that the reader has given up, for as long as the program runs, so that a slip costs nothing.
//! Refuses: what was forgotten since.

use super::base::Base;
use super::page::place;
use crate::url::Url;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// Sources that can come back.
const MOST: usize = 20;
/// What is remembered of one.
const SOURCE: &str = "place, title, kind, checked, due, since, tries, why, validator, known, more";
/// What is remembered of what was found; another row may have its number by then.
const FOUND: &str = "source, key, place, url, title, detail, time, read";

/// Rows of the tables, as they stood.
#[derive(Default)]
pub(super) struct GivenUp(Vec<Rows>);

struct Rows {
    place: String,
    source: Vec<Vec<Value>>,
    begun: Vec<Vec<Value>>,
    found: Vec<Vec<Value>>,
}

impl GivenUp {
    /// Remembers a source before it goes.
    pub(super) fn add(&mut self, open: &Connection, place: &str) -> rusqlite::Result<()> {
        let rows = |text: &str| {
            let mut all = open.prepare_cached(text)?;
            let columns = all.column_count();
            let row = |row: &rusqlite::Row<'_>| (0..columns).map(|at| row.get(at)).collect();
            all.query_map([place], row)?.collect::<rusqlite::Result<Vec<_>>>()
        };
        let source = rows(&format!("SELECT {SOURCE} FROM sources WHERE place = ?1"))?;
        let begun = rows("SELECT place, older FROM begun WHERE place = ?1")?;
        let found = rows(&format!("SELECT {FOUND} FROM found WHERE source = ?1 ORDER BY id"))?;
        self.0.retain(|known| known.place != place);
        self.0.push(Rows { place: place.to_owned(), source, begun, found });
        if self.0.len() > MOST {
            self.0.remove(0);
        }
        Ok(())
    }

    /// Nothing comes back any more.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Base {
    /// What was known of a source that was given up is known again.
    pub(super) fn put_back(&mut self, url: &Url) -> Result<(), String> {
        let own = place(url);
        let Some(at) = self.given_up.0.iter().position(|rows| rows.place == own) else { return Ok(()) };
        let Rows { source, begun, found, .. } = self.given_up.0.remove(at);
        self.write(|open| {
            let change = open.transaction()?;
            for row in &source {
                change
                    .prepare_cached(&format!(
                        "INSERT OR REPLACE INTO sources({SOURCE}) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
                    ))?
                    .execute(params_from_iter(row))?;
            }
            for row in &begun {
                change
                    .prepare_cached("INSERT OR REPLACE INTO begun(place, older) VALUES(?1, ?2)")?
                    .execute(params_from_iter(row))?;
            }
            for row in &found {
                change
                    .prepare_cached(&format!(
                        "INSERT INTO found({FOUND}) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
                         ON CONFLICT(source, key) DO NOTHING"
                    ))?
                    .execute(params_from_iter(row))?;
            }
            change.commit()
        })
    }
}
