//! Looking for words in the text of kept pages and in the titles of all items of menus that were ever seen (FTS5 of SQLite).
//!
//! What the reader types are words, never a query: each goes to the library in quotation marks. An answer takes no longer than a frame,
//! however much is kept: of very many pages the newest are put in order ([`RANKED`]), and where a word alone is in as many, longer words
//! that begin with it are not looked for.

use super::base::Base;
use super::page::unpack_up_to;
use super::terms::Terms;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

/// Letters of the line round a match.
const CONTEXT: usize = 200;
/// Rows of each kind that are given.
const MOST: usize = 500;
/// Of so many that have the words, the newest, the best come first: to weigh all of 100,000 takes a tenth of a second.
const RANKED: usize = 2_000;
/// Octets of text in which the lines round the matches are looked for, of all pages of an answer; the best come first.
const READ: u64 = 1 << 20;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sought {
    /// The words, as typed: all of them, in quotation marks in that order; with `host:NAME` or `host:NAME:PORT`, `kind:NAME`, `since:WHEN` and
    /// `before:WHEN` only of what is so.
    pub words: String,
    /// The time, in seconds since 1970.
    pub now: i64,
    /// How many of each kind are wanted.
    pub most: usize,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Pages, the best first.
    pub pages: Vec<Row>,
    /// Items of menus.
    pub items: Vec<Row>,
    /// There are more.
    pub more: bool,
    /// Words that are too short for longer ones that begin with them to count.
    pub short: Vec<String>,
}

/// A page or an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its address.
    pub url: String,
    /// What it is called.
    pub title: String,
    /// When it came or was seen, in seconds since 1970.
    pub time: i64,
    /// The line round the match; empty of items.
    pub context: String,
}

impl Base {
    pub(super) fn find(&mut self, sought: &Sought) -> Result<Found, String> {
        let (terms, most) = (Terms::of(&sought.words, sought.now), sought.most.min(MOST));
        if terms.says_nothing() {
            return Ok(Found::default());
        }
        let short = terms.short();
        let found: Result<Found, String> = self.read(|open| {
            let (mut pages, mut left) = (Vec::new(), READ);
            let ids = ids(open, "words", "pages", &terms, most)?;
            let items = self::ids(open, "names", "items", &terms, most)?;
            let more = ids.len() > most || items.len() > most;
            for id in ids.into_iter().take(most) {
                pages.extend(page(open, id, &terms, &mut left)?);
            }
            let item = |id: i64| {
                let mut row = open.prepare_cached("SELECT url, title, time FROM items WHERE id = ?1")?;
                row.query_row([id], |row| {
                    Ok(Row { url: row.get(0)?, title: row.get(1)?, time: row.get(2)?, context: String::new() })
                })
                .optional()
            };
            let items = items.into_iter().take(most).map(item).collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(Found { pages, items: items.into_iter().flatten().collect(), more, short: Vec::new() })
        });
        found.map(|found| Found { short, ..found })
    }
}

/// The rows that match, the best first; one more than wanted where there are more.
fn ids(open: &Connection, index: &str, of: &str, terms: &Terms, most: usize) -> rusqlite::Result<Vec<i64>> {
    let is_everywhere = |word: &str| {
        let mut row = open.prepare_cached(&format!(
            "SELECT 1 FROM {index} WHERE {index} MATCH ?1 ORDER BY rowid DESC LIMIT 1 OFFSET {RANKED}"
        ))?;
        row.exists([word])
    };
    let (only, mut given) = terms.only();
    let most = most + 1;
    let query = terms.query(is_everywhere)?;
    let sql = match (query.is_empty(), only.is_empty()) {
        (true, _) => format!("SELECT id FROM {of} WHERE {only} ORDER BY time DESC, id DESC LIMIT {most}"),
        (false, is_any) => {
            given.push(query.into());
            // The index is gone through once, not once for each page of a host: that is what the plus says.
            let only =
                if is_any { String::new() } else { format!(" AND +rowid IN (SELECT id FROM {of} WHERE {only})") };
            format!(
                "SELECT id FROM (SELECT rowid AS id, rank AS good FROM {index} WHERE {index} MATCH ?{}{only} \
                 ORDER BY rowid DESC LIMIT {RANKED}) ORDER BY good, id DESC LIMIT {most}",
                given.len()
            )
        }
    };
    open.prepare_cached(&sql)?.query_map(params_from_iter(given), |row| row.get(0))?.collect()
}

/// One that matches; the line round that is looked for in so many octets as are left for that.
fn page(open: &Connection, id: i64, terms: &Terms, left: &mut u64) -> rusqlite::Result<Option<Row>> {
    let mut row = open.prepare_cached(
        "SELECT url, title, time, words FROM pages JOIN bodies ON bodies.id = pages.id WHERE pages.id = ?1",
    )?;
    let found = row.query_row([id], |row| {
        let (url, title, time) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let text = unpack_up_to(&row.get::<_, Vec<u8>>(3)?, *left).unwrap_or_default();
        *left = left.saturating_sub(text.len() as u64);
        Ok(Row { url, title, time, context: context(&String::from_utf8_lossy(&text), &terms.words) })
    });
    found.optional()
}

/// The line with most of the words, cut round the first of them.
fn context(text: &str, words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut best: (usize, String) = (0, String::new());
    for line in text.lines() {
        let lower = line.to_lowercase();
        let count = words.iter().filter(|word| lower.contains(*word)).count();
        if count > best.0 {
            let first = words.iter().filter_map(|word| lower.find(word)).min().unwrap_or_default();
            let before = lower[..first].chars().count();
            best = (count, cut(line.trim(), before));
        }
        if count == words.len() {
            break;
        }
    }
    best.1
}

fn cut(line: &str, at: usize) -> String {
    let letters: Vec<char> = line.chars().collect();
    let from = if letters.len() <= CONTEXT { 0 } else { at.saturating_sub(CONTEXT / 3) };
    let to = (from + CONTEXT).min(letters.len());
    let middle: String = letters.get(from..to).unwrap_or_default().iter().collect();
    let (before, after) = (if from > 0 { "…" } else { "" }, if to < letters.len() { "…" } else { "" });
    format!("{before}{middle}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_round_a_match_is_short() {
        let words = ["needle".to_owned(), "hay".to_owned()];
        assert_eq!(context("first\n  some hay\nhay and a Needle here\n", &words), "hay and a Needle here");
        let long = context(&format!("{}İ needle {}", "ä ".repeat(5_000), "ö ".repeat(5_000)), &words);
        assert!(long.contains("needle") && long.chars().count() <= CONTEXT + 2, "{long}");
    }
}
