//! Looking for words in the text of kept pages and in the titles of all items of menus that were ever seen (FTS5 of SQLite).
//!
//! What the reader types are words, never a query: each goes to the library in quotation marks (`asked`). With 100,000 pages most
//! searches are answered within a frame (`docs/speed.md` says which are not). For that, of very many pages the newest are put in order ([`RANKED`]), words that are in
//! very many rows take no part in it (where all are, titles that have them come first), and where only some pages are meant (`host:`
//! and the like) it depends on how many those are which way they are told from the others ([`FEW`]).

use super::asked::Asked;
use super::base::Base;
use super::page::unpack_up_to;
use super::terms::Terms;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

/// Letters of the line round a match.
const CONTEXT: usize = 200;
/// Rows of each kind that are given.
const MOST: usize = 500;
/// Of so many that have the words, the newest, the best come first.
const RANKED: usize = 2_000;
/// So many pages or items, of those that are meant, are put together before the index is gone through. Of more, each that has the words
/// is looked at by itself: the newest that are wanted are soon met.
const FEW: usize = 20_000;
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
    /// Words of which longer ones that begin with them were not looked for, or not all: there are too many.
    pub alone: Vec<String>,
    /// What begins as one that says of which pages (`since:`, `before:`, `kind:`), and says nothing that makes sense; it counts as a word.
    pub unclear: Vec<String>,
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
        let (short, unclear) = (terms.short(), terms.unclear.clone());
        let found: Result<Found, String> = self.read(|open| {
            let (mut pages, mut left) = (Vec::new(), READ);
            let (ids, mut alone) = ids(open, "words", "pages", &terms, most)?;
            let (items, of_items) = self::ids(open, "names", "items", &terms, most)?;
            alone.extend(of_items);
            alone.sort_unstable();
            alone.dedup();
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
            Ok(Found { pages, items: items.into_iter().flatten().collect(), more, alone, ..Found::default() })
        });
        found.map(|found| Found { short, unclear, ..found })
    }
}

/// The rows that match, the best first, one more than wanted where there are more; and words of which longer ones were not looked for.
fn ids(
    open: &Connection,
    index: &str,
    of: &str,
    terms: &Terms,
    most: usize,
) -> rusqlite::Result<(Vec<i64>, Vec<String>)> {
    let asked = Asked::of(open, index, terms)?;
    let Some((sql, given)) = question(open, index, of, terms, &asked, most + 1)? else {
        return Ok((Vec::new(), asked.alone));
    };
    let mut rows = open.prepare_cached(&sql)?;
    let mut ids = rows.query_map(params_from_iter(given), |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    if index == "words" && !terms.words.is_empty() && asked.weighed.is_empty() {
        ids = titles_first(open, terms, ids)?;
        ids.truncate(most + 1);
    }
    Ok((ids, asked.alone))
}

/// What the library is asked for them; nothing where none can be among them.
fn question(
    open: &Connection,
    index: &str,
    of: &str,
    terms: &Terms,
    asked: &Asked,
    most: usize,
) -> rusqlite::Result<Option<(String, Vec<Value>)>> {
    let are_more_than = |some: usize, (only, given): &(String, Vec<Value>)| {
        let mut row = open.prepare_cached(&format!("SELECT 1 FROM {of} WHERE {only} LIMIT 1 OFFSET {some}"))?;
        row.exists(params_from_iter(given))
    };
    let of_kind = terms.of_kind().only(false);
    let many_of_kind = !of_kind.0.is_empty() && are_more_than(FEW, &of_kind)?;
    let only = terms.only(many_of_kind);
    if terms.words.is_empty() {
        let sql = format!("SELECT id FROM {of} WHERE {} ORDER BY time DESC, id DESC LIMIT {most}", only.0);
        return Ok(Some((sql, only.1)));
    }
    let meant = if only.0.is_empty() {
        String::new()
    } else if many_of_kind && only.1 == of_kind.1 || are_more_than(FEW, &only)? {
        // Those that came last of all may all be too new. The plus: the index of times says which is the last, not the rows one by one.
        let last = terms.before().map(|time| format!(" AND rowid <= (SELECT max(+id) FROM {of} WHERE time < {time})"));
        let last = last.unwrap_or_default();
        format!(" AND EXISTS (SELECT 1 FROM {of} WHERE id = {index}.rowid AND {}){last}", only.0)
    } else if are_more_than(0, &only)? {
        // The index is gone through once, not once for each page of a host, as the plus says; and not where none of them is.
        let some = format!("FROM {of} WHERE {}", only.0);
        format!(
            " AND +rowid IN (SELECT id {some}) AND rowid BETWEEN (SELECT min(+id) {some}) AND (SELECT max(+id) {some})"
        )
    } else {
        return Ok(None);
    };
    if asked.all.is_empty() {
        return Ok(None);
    }
    let mut given = only.1;
    let mut matches = |query: &str| {
        given.push(query.to_owned().into());
        format!("{index} WHERE {index} MATCH ?{}", given.len())
    };
    let all = format!("{}{meant} ORDER BY rowid DESC LIMIT", matches(&asked.all));
    if asked.weighed == asked.all {
        let sql = format!(
            "SELECT id FROM (SELECT rowid AS id, rank AS good FROM {all} {RANKED}) ORDER BY good, id DESC LIMIT {most}"
        );
        return Ok(Some((sql, given)));
    }
    if asked.weighed.is_empty() {
        // Of items there is nothing but the title.
        let most = if index == "words" { RANKED } else { most };
        return Ok(Some((format!("SELECT rowid FROM {all} {most}"), given)));
    }
    // Each is gone through once, not the one for each row of the other: that is what "materialized" says.
    let sql = format!(
        "WITH newest AS MATERIALIZED (SELECT rowid AS id FROM {all} {RANKED}), \
         better AS MATERIALIZED (SELECT rowid AS id, rank AS good FROM {} AND rowid >= (SELECT min(id) FROM newest)) \
         SELECT id FROM newest LEFT JOIN better USING (id) ORDER BY good, id DESC LIMIT {most}",
        matches(&asked.weighed)
    );
    Ok(Some((sql, given)))
}

/// Those with the words in their title first, where nothing else tells which is better.
fn titles_first(open: &Connection, terms: &Terms, ids: Vec<i64>) -> rusqlite::Result<Vec<i64>> {
    let words: Vec<String> = terms.bare().into_iter().map(str::to_lowercase).collect();
    let mut title = open.prepare_cached("SELECT title FROM pages WHERE id = ?1")?;
    let (mut titled, mut others) = (Vec::new(), Vec::new());
    for id in ids {
        let title = title.query_row([id], |row| row.get::<_, String>(0)).optional()?.unwrap_or_default().to_lowercase();
        match words.iter().all(|word| title.contains(word)) {
            true => titled.push(id),
            false => others.push(id),
        }
    }
    titled.append(&mut others);
    Ok(titled)
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
        Ok(Row { url, title, time, context: context(&String::from_utf8_lossy(&text), &terms.bare()) })
    });
    found.optional()
}

/// The line with most of the words, cut round the first of them.
fn context(text: &str, words: &[&str]) -> String {
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
    use super::super::room::Most;
    use super::*;

    /// Items that were seen, a host of each: `many` has every one but for the first.
    fn base(file: &std::path::Path, items: usize) -> Base {
        let mut base = Base::new(file.join("pages.db"), Most { octets: 1 << 30, days: 0 }, Box::new(drop));
        let all = format!(
            "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT {items})
             INSERT INTO items(id, place, url, host, title, time)
                 SELECT n, 'gopher://' || n, 'gopher://' || n, iif(n = 1, 'few', 'many'), 'lantern', n FROM n;
             INSERT INTO names(rowid, title) SELECT id, title FROM items;"
        );
        base.write(|open| open.execute_batch(&all)).unwrap();
        base
    }

    fn found(base: &mut Base, words: &str) -> Vec<String> {
        let found = base.find(&Sought { words: words.into(), now: 0, most: 3 }).unwrap();
        found.items.into_iter().map(|row| row.url).collect()
    }

    /// How the library goes about a question.
    fn plan(base: &mut Base, words: &str) -> Option<String> {
        plan_of(base, "names", "items", words)
    }

    fn plan_of(base: &mut Base, index: &str, of: &str, words: &str) -> Option<String> {
        let plan = base.read(|open| {
            let terms = Terms::of(words, 0);
            let asked = Asked::of(open, index, &terms)?;
            let Some((sql, given)) = question(open, index, of, &terms, &asked, 3)? else {
                return Ok(None);
            };
            let mut rows = open.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let rows = rows.query_map(params_from_iter(given), |row| row.get::<_, String>(3))?;
            Ok(Some(rows.collect::<rusqlite::Result<Vec<_>>>()?.join("; ")))
        });
        plan.unwrap()
    }

    /// Pages that have a word, the newest with the largest number; two of them have it in the title, and two have a rare one.
    fn pages(file: &std::path::Path, pages: usize) -> Base {
        let mut base = Base::new(file.join("pages.db"), Most { octets: 1 << 30, days: 0 }, Box::new(drop));
        let all = format!(
            "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT {pages})
             INSERT INTO pages(id, place, url, scheme, host, time, title, head, size)
                 SELECT n, 'http://h/' || n, 'http://h/' || n, 'http', 'h', n, iif(n IN (9, {pages} - 7), 'lantern', 'page'), '{{}}', 9 FROM n;
             INSERT INTO bodies(id, octets, words) SELECT id, x'', x'' FROM pages;
             INSERT INTO words(rowid, title, text)
                 SELECT id, title,
                     'a lantern of gopher' || iif(id IN (5, 6), ' and wicks', '') || iif(id = 5, ' more wicks', '') FROM pages;"
        );
        base.write(|open| open.execute_batch(&all)).unwrap();
        base
    }

    #[test]
    fn of_words_that_very_many_have_titles_come_first_and_then_the_newest() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = pages(folder.path(), 6_000);
        let found = |base: &mut Base, words: &str| -> Vec<String> {
            let found = base.find(&Sought { words: words.into(), now: 0, most: 3 }).unwrap();
            found.pages.into_iter().map(|row| row.url).collect()
        };
        assert_eq!(found(&mut base, "lantern"), [5_993, 6_000, 5_999].map(|n| format!("http://h/{n}")));
        assert_eq!(found(&mut base, "lantern gopher"), [6_000, 5_999, 5_998].map(|n| format!("http://h/{n}")));
        // The rare one says which is better, be the others where they will.
        assert_eq!(found(&mut base, "gopher lantern wicks"), [5, 6].map(|n| format!("http://h/{n}")));
        assert_eq!(found(&mut base, "lantern before:1970-01-01"), [""; 0]);
    }

    #[test]
    fn words_that_very_many_have_are_gone_through_no_further_than_to_the_newest() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = pages(folder.path(), 6_000);
        let lantern = plan_of(&mut base, "words", "pages", "lantern").unwrap();
        assert!(lantern.starts_with("SCAN words VIRTUAL TABLE") && !lantern.contains(';'), "{lantern}");
        let wicks = plan_of(&mut base, "words", "pages", "lantern wicks").unwrap();
        // Each list is had once and in its order, and stops by itself.
        assert_eq!(wicks.matches("VIRTUAL TABLE").count(), 2, "{wicks}");
        assert!(wicks.starts_with("MATERIALIZE newest; SCAN words VIRTUAL TABLE"), "{wicks}");
        assert!(wicks.contains("MATERIALIZE better; SCAN words VIRTUAL TABLE"), "{wicks}");
        assert_eq!(wicks.matches("USE TEMP B-TREE").count(), 1, "{wicks}");
        let mut items = self::base(folder.path().join("items").as_path(), 6_000);
        let of_items = plan(&mut items, "lantern").unwrap();
        assert!(of_items.starts_with("SCAN names VIRTUAL TABLE") && !of_items.contains(';'), "{of_items}");
    }

    #[test]
    fn items_of_other_hosts_are_not_gone_through() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = base(folder.path(), 10);
        let by_host = "SEARCH items USING COVERING INDEX items_by_host (host=?)";
        let of_few = plan(&mut base, "lantern host:few").unwrap();
        assert!(of_few.contains(by_host) && !of_few.contains("SCAN items"), "{of_few}");
        assert_eq!(plan(&mut base, "host:few").as_deref(), Some(by_host), "the newest are known without sorting");
        assert_eq!(plan(&mut base, "lantern host:none"), None, "nothing is there to be found");
        assert_eq!(found(&mut base, "lantern host:few"), ["gopher://1"]);
        assert_eq!(found(&mut base, "lantern host:none"), [""; 0]);
    }

    #[test]
    fn where_very_many_are_meant_they_are_not_put_together_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = base(folder.path(), FEW + 3_000);
        let each = "SEARCH items USING INTEGER PRIMARY KEY (rowid=?)";
        for words in ["host:many", "kind:gopher", "since:1970", "before:9999"] {
            let plan = plan(&mut base, &format!("lantern {words}")).unwrap();
            assert!(plan.contains(each) && !plan.contains("LIST SUBQUERY"), "{words}: {plan}");
        }
        let before = plan(&mut base, "lantern before:9999").unwrap();
        assert!(before.contains("COVERING INDEX items_by_time (time<?)"), "{before}");
        for words in ["kind:gopher", "kind:gopher since:1970", "host:many kind:gopher since:1970"] {
            let plan = plan(&mut base, words).unwrap();
            assert!(!plan.contains("autoindex") && !plan.contains("TEMP B-TREE"), "{words}: {plan}");
        }
        let of_few = plan(&mut base, "kind:finger").unwrap();
        assert!(of_few.contains("autoindex") && !of_few.contains("SCAN"), "{of_few}");
        let newest = [FEW + 3_000, FEW + 2_999, FEW + 2_998].map(|n| format!("gopher://{n}"));
        assert_eq!(found(&mut base, "lantern host:many"), newest);
        assert_eq!(found(&mut base, "lantern kind:gopher since:1970"), newest);
        assert_eq!(found(&mut base, "lantern host:few"), ["gopher://1"]);
        base.write(|open| open.execute("UPDATE items SET time = 86400 WHERE id > 22000", [])).unwrap();
        let newest = [22_000, 21_999, 21_998].map(|n| format!("gopher://{n}"));
        assert_eq!(found(&mut base, "lantern before:1970-01-02"), newest);
        base.write(|open| open.execute("UPDATE items SET time = 7 WHERE id = 22500", [])).unwrap();
        assert_eq!(found(&mut base, "lantern before:1970-01-02")[0], "gopher://22500", "also one that was seen again");
    }

    #[test]
    fn the_line_round_a_match_is_short() {
        let words = ["needle", "hay"];
        assert_eq!(context("first\n  some hay\nhay and a Needle here\n", &words), "hay and a Needle here");
        let long = context(&format!("{}İ needle {}", "ä ".repeat(5_000), "ö ".repeat(5_000)), &words);
        assert!(long.contains("needle") && long.chars().count() <= CONTEXT + 2, "{long}");
    }
}
