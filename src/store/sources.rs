//! What was found new in what the reader is subscribed to, and what is known of each source.
//!
//! Running copies share it: whichever takes a source to look at it ([`Base::take_due`]) has it for a while, and the others leave it alone.

use super::base::Base;
use super::calendar;
use super::page::{line, place};
use crate::subscriptions::{Item, Kind, Memory};
use crate::url::Url;
use crate::visits::Forget;
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};
use std::collections::HashSet;
use std::mem::take;

/// Seconds.
const DAY: i64 = 86_400;
/// Items that are kept of a source.
const ITEMS: i64 = 200;
/// Items that are shown of all.
const SHOWN: i64 = 5_000;
/// How long a source that was taken is left to whoever took it, in seconds; they hold it for longer where it takes longer.
pub const LEASE: i64 = 600;
/// How long what is known of a source that is missing from the list is kept, in seconds: a slip in a row is mended some day.
const MISSING: i64 = 30 * 86_400;
/// How long it is told that what was known of sources was lost, in seconds.
const TOLD: i64 = 7 * 86_400;
/// How long one that fails waits at most, in seconds.
const LONGEST: i64 = 7 * 86_400;
/// One that failed is asked no sooner than this, in seconds.
const SOONEST: i64 = 900;

/// How a source stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// What it calls itself; empty where it does not, or was never had.
    pub title: String,
    /// When it was had last, in seconds since 1970; zero for never.
    pub checked: i64,
    /// Since when it cannot be had, and why.
    pub failing: Option<(i64, String)>,
    /// How many items were new and are not kept.
    pub more: u64,
    /// Of how many items it was looked whether they are new, the first, where it has more.
    pub looked_at: Option<u64>,
    /// How many items were there at the first look, older than those that were told.
    pub older: u64,
}

/// An item that was new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundItem {
    /// Its source, by [`of_source`].
    pub source: String,
    /// Where it leads.
    pub url: Url,
    /// What it is called.
    pub title: String,
    /// What else is known of it.
    pub detail: String,
    /// When it was made or found, in seconds since 1970.
    pub time: i64,
    /// Of that time the day alone is known.
    pub day: bool,
    /// The reader was there.
    pub read: bool,
}

/// What came of looking at a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// It is as it was.
    Unchanged,
    /// It was had.
    Had {
        /// What it calls itself.
        title: String,
        /// What is new.
        fresh: Vec<Item>,
        /// What is remembered of it.
        memory: Memory,
        /// How many items of a first look are older than what is new.
        older: usize,
        /// How many items were looked at, the first, where it has more.
        looked_at: Option<usize>,
        /// As what it would send the same again.
        validator: Option<String>,
    },
    /// It was not, in a sentence.
    Failed(String),
}

/// What the reader has marked, as it can be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marked {
    /// Read, or else unread.
    pub read: bool,
    /// Items that were not that before, by number and key.
    items: Vec<(i64, i64)>,
    /// What was counted of sources, and is not any more.
    more: Vec<(String, i64)>,
    older: Vec<(String, i64)>,
}

impl Marked {
    /// How many items became what they are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Nothing did, and nothing is counted no more.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.more.is_empty() && self.older.is_empty()
    }
}

/// By what a source is known.
pub fn of_source(url: &Url) -> String {
    place(url)
}

/// It stands for one that was damaged.
pub(super) fn was_begun_anew(open: &Connection, now: i64) -> rusqlite::Result<()> {
    open.execute("INSERT INTO anew(since, noted) VALUES(?1, 0)", [now]).map(drop)
}

/// Where it stands for one that was damaged, what the sources offer at their next look is no news to the reader, who had them before.
fn note_all(change: &Connection, places: &[String], now: i64) -> rusqlite::Result<()> {
    let noted = "UPDATE anew SET noted = 1 WHERE noted = 0 AND since > ?1";
    if change.prepare_cached(noted)?.execute([now - MISSING])? == 0 {
        return Ok(());
    }
    let begin = "INSERT OR IGNORE INTO begun(place, older) SELECT ?1, 0 \
                 WHERE NOT EXISTS (SELECT 1 FROM sources WHERE place = ?1)";
    places.iter().try_for_each(|place| change.prepare_cached(begin)?.execute([place]).map(drop))
}

impl Base {
    /// How sources stand, in the order in which they are named.
    pub(super) fn sources(&mut self, all: &[Url]) -> Result<Vec<Source>, String> {
        self.read(|open| {
            let mut row = open.prepare_cached(
                "SELECT title, checked, since, why, more, items, older FROM sources LEFT JOIN looked_at USING (place) \
                 LEFT JOIN begun USING (place) WHERE place = ?1",
            )?;
            let mut standing = |url: &Url| {
                let found = row.query_row([place(url)], |row| {
                    let since: i64 = row.get(2)?;
                    Ok(Source {
                        title: row.get(0)?,
                        checked: row.get(1)?,
                        failing: if since > 0 { Some((since, row.get(3)?)) } else { None },
                        more: u64::try_from(row.get::<_, i64>(4)?).unwrap_or(0),
                        looked_at: row.get::<_, Option<i64>>(5)?.and_then(|items| u64::try_from(items).ok()),
                        older: row.get::<_, Option<i64>>(6)?.and_then(|older| u64::try_from(older).ok()).unwrap_or(0),
                    })
                });
                found.optional().map(Option::unwrap_or_default)
            };
            all.iter().map(&mut standing).collect()
        })
        .map(|found: Vec<Source>| if found.is_empty() { vec![Source::default(); all.len()] } else { found })
    }

    /// What is remembered of a source, and as what it would send the same again.
    pub(super) fn memory(&mut self, url: &Url) -> Result<Option<(Memory, Option<String>)>, String> {
        self.read(|open| {
            let mut row = open.prepare_cached("SELECT kind, known, validator FROM sources WHERE place = ?1")?;
            let found = row.query_row([place(url)], |row| {
                let (kind, known) = (Kind::named(&row.get::<_, String>(0)?), row.get::<_, Option<Vec<u8>>>(1)?);
                let memory = kind.zip(known).map(|(kind, known)| Memory::read(kind, &known));
                Ok(memory.zip(Some(row.get(2)?)))
            });
            Ok(found.optional()?.flatten())
        })
    }

    /// The reader has seen what a source offers now: of its first look nothing is new.
    pub(super) fn begin(&mut self, url: &Url) -> Result<(), String> {
        let begin = "INSERT OR IGNORE INTO begun(place, older) VALUES(?1, 0)";
        self.write(|open| open.execute(begin, [place(url)]).map(drop))
    }

    /// Whether that is so.
    pub(super) fn has_begun(&mut self, url: &Url) -> Result<bool, String> {
        self.read(|open| open.prepare_cached("SELECT 1 FROM begun WHERE place = ?1")?.exists([place(url)]))
    }

    /// Takes those that are due, of `all` that there are; with `now_all` every one. What is known of others is neither shown nor counted,
    /// and goes when they have been missing for long.
    pub(super) fn take_due(&mut self, all: &[Url], now: i64, now_all: bool) -> Result<Vec<Url>, String> {
        self.write(|open| {
            let change = open.transaction()?;
            let (stamp, places) = (calendar::advance(&change, now)?, all.iter().map(place).collect::<Vec<_>>());
            for gone in others(&change, &places)? {
                change
                    .prepare_cached("INSERT OR IGNORE INTO missing(place, since, stamp) VALUES(?1, ?2, ?3)")?
                    .execute(params![gone, now, stamp])?;
                let mut row = change.prepare_cached("SELECT stamp FROM missing WHERE place = ?1")?;
                let since: i64 = row.query_row([&gone], |row| row.get(0))?;
                if since < stamp - MISSING {
                    forget(&change, &gone)?;
                }
            }
            note_all(&change, &places, now)?;
            let mut taken = Vec::new();
            for (url, place) in all.iter().zip(&places) {
                change.prepare_cached("DELETE FROM missing WHERE place = ?1")?.execute([place])?;
                change
                    .prepare_cached(
                        "INSERT OR IGNORE INTO sources(place, title, kind, checked, due, since, tries, why, more) \
                         VALUES(?1, '', '', 0, 0, 0, 0, '', 0)",
                    )?
                    .execute([place])?;
                // A clock that was set back makes nothing wait for years.
                let rows = change
                    .prepare_cached("UPDATE sources SET due = ?2 WHERE place = ?1 AND (due <= ?3 OR due > ?4 OR ?5)")?
                    .execute(params![place, now + LEASE, now, now + 2 * LONGEST, now_all])?;
                if rows > 0 {
                    taken.push(url.clone());
                }
            }
            change.commit()?;
            Ok(taken)
        })
    }

    /// Since when there is this one, where it stands for one that was damaged, and the sources there were then are noted.
    pub(super) fn begun_anew(&mut self, now: i64) -> Result<Option<i64>, String> {
        self.read(|open| {
            let since = "SELECT max(since) FROM anew WHERE noted = 1 AND since > ?1";
            open.query_row(since, [now - TOLD], |row| row.get(0))
        })
    }

    /// Has some for longer that were taken.
    pub(super) fn hold(&mut self, taken: &[Url], now: i64) -> Result<(), String> {
        self.change_what_is_there(|open| {
            let change = open.transaction()?;
            for url in taken {
                change
                    .prepare_cached("UPDATE sources SET due = ?2 WHERE place = ?1")?
                    .execute(params![place(url), now + LEASE])?;
            }
            change.commit()
        })
    }

    /// Forgets what is known of one; it can be put back.
    pub(super) fn give_up(&mut self, url: &Url) -> Result<(), String> {
        let (place, mut given_up) = (place(url), take(&mut self.given_up));
        let forgotten = self.change_what_is_there(|open| {
            let change = open.transaction()?;
            given_up.add(&change, &place)?;
            forget(&change, &place)?;
            change.commit()
        });
        self.given_up = given_up;
        forgotten
    }

    /// When the next is due, in seconds since 1970.
    pub(super) fn next_due(&mut self) -> Result<Option<i64>, String> {
        let due = "SELECT min(due) FROM sources WHERE place NOT IN (SELECT place FROM missing)";
        self.read(|open| open.query_row(due, [], |row| row.get(0)))
    }

    /// Keeps what came of looking at one; says whether it has failed for the first time.
    pub(super) fn looked(&mut self, url: &Url, looked: &Looked, now: i64, every: i64) -> Result<bool, String> {
        if let Looked::Had { fresh, .. } = looked {
            let takes = |item: &Item| 3 * item.url.as_str().len() + item.title.len() + item.detail.len();
            self.has_grown(fresh.iter().take(usize::try_from(ITEMS).unwrap_or(0)).map(takes).sum());
        }
        let place = place(url);
        self.change_what_is_there(|open| {
            let change = open.transaction()?;
            let before: Option<(i64, i64)> = change
                .prepare_cached("SELECT since, tries FROM sources WHERE place = ?1")?
                .query_row([&place], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            // It was given up meanwhile.
            let Some((since, tries)) = before else { return Ok(false) };
            let first = since == 0 && matches!(looked, Looked::Failed(_));
            match looked {
                Looked::Unchanged => {
                    change
                        .prepare_cached(
                            "UPDATE sources SET checked = ?2, due = ?3, since = 0, tries = 0 WHERE place = ?1",
                        )?
                        .execute(params![place, now, now + every])?;
                    // The copy is what it would send now.
                    change
                        .prepare_cached("UPDATE pages SET time = ?2, stamp = ?3 WHERE place = ?1")?
                        .execute(params![place, now, calendar::advance(&change, now)?])?;
                }
                Looked::Failed(why) => {
                    let wait = every.max(SOONEST).saturating_mul(1 << tries.clamp(0, 10)).min(LONGEST.max(every));
                    let since = if since > 0 { since } else { now };
                    change
                        .prepare_cached(
                            "UPDATE sources SET due = ?2, since = ?3, tries = ?4, why = ?5 WHERE place = ?1",
                        )?
                        .execute(params![place, now + wait, since, tries.saturating_add(1), line(why)])?;
                }
                Looked::Had { title, fresh, memory, older, looked_at, validator } => {
                    let left = add(&change, &place, fresh, now)?;
                    if *older > 0 {
                        change
                            .prepare_cached("INSERT OR REPLACE INTO begun VALUES(?1, ?2)")?
                            .execute(params![place, i64::try_from(*older).unwrap_or(i64::MAX)])?;
                    }
                    change
                        .prepare_cached(
                            "UPDATE sources SET title = ?2, kind = ?3, checked = ?4, due = ?5, since = 0, tries = 0, \
                             validator = ?6, known = ?7, more = more + ?8 WHERE place = ?1",
                        )?
                        .execute(params![
                            place,
                            title,
                            memory.kind.name(),
                            now,
                            now + every,
                            validator,
                            memory.octets(),
                            left
                        ])?;
                    change.prepare_cached("DELETE FROM looked_at WHERE place = ?1")?.execute([&place])?;
                    if let Some(items) = looked_at {
                        change
                            .prepare_cached("INSERT INTO looked_at(place, items) VALUES(?1, ?2)")?
                            .execute(params![place, i64::try_from(*items).unwrap_or(i64::MAX)])?;
                    }
                }
            }
            change.commit()?;
            Ok(first)
        })
    }

    /// What was found, the newest first; of one source, or of all.
    pub(super) fn found(&mut self, of: Option<&Url>) -> Result<Vec<FoundItem>, String> {
        let source = of.map(place);
        self.read(|open| {
            let (sql, given) = listing(source.as_ref());
            let mut rows = open.prepare_cached(&sql)?;
            let all = rows.query_map(params_from_iter(given), |row| {
                let (source, url, title) = (row.get(0)?, row.get::<_, String>(1)?, row.get(2)?);
                let (detail, time, read) = (row.get(3)?, row.get(4)?, row.get(5)?);
                let kind = row.get::<_, Option<String>>(6)?.and_then(|kind| Kind::named(&kind));
                let day = is_noon(time) && kind.is_some_and(Kind::has_days);
                // What is no address any more is damaged, and costs its row.
                Ok(Url::parse(url).ok().map(|url| FoundItem { source, url, title, detail, time, day, read }))
            })?;
            Ok(all.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
        })
    }

    /// The feed that has an item which leads to a place, where a copy of it is kept.
    pub(super) fn feed_of(&mut self, url: &Url) -> Result<Option<Url>, String> {
        self.read(|open| {
            let mut row = open.prepare_cached(
                "SELECT pages.url FROM found JOIN sources ON sources.place = found.source \
                 JOIN pages ON pages.place = found.source \
                 WHERE found.place = ?1 AND found.source <> ?1 AND kind = ?2 ORDER BY pages.time DESC LIMIT 1",
            )?;
            let url: Option<String> = row.query_row([&place(url), Kind::Feed.name()], |row| row.get(0)).optional()?;
            Ok(url.and_then(|url| Url::parse(url).ok()))
        })
    }

    /// How many items are unread.
    pub(super) fn unread(&mut self) -> Result<u64, String> {
        let unread = "SELECT count(*) FROM found WHERE read = 0 AND source NOT IN (SELECT place FROM missing)";
        let count = self.read(|open| open.query_row(unread, [], |row| row.get::<_, i64>(0)))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// The reader was at a place: items that lead there are read. Says how many that concerns.
    pub(super) fn was_read(&mut self, url: &Url) -> Result<usize, String> {
        let place = place(url);
        let there = self.read(|open| {
            let mut row = open.prepare_cached("SELECT 1 FROM found WHERE place = ?1 AND read = 0")?;
            row.exists([&place])
        })?;
        // Nothing is written where nothing changes.
        if !there {
            return Ok(0);
        }
        self.write(|open| open.execute("UPDATE found SET read = 1 WHERE place = ?1 AND read = 0", [&place]))
    }

    /// All items are read; of one source, or of all.
    pub(super) fn all_read(&mut self, of: Option<&Url>) -> Result<Marked, String> {
        let source = of.map(place);
        self.change_what_is_there(|open| {
            let change = open.transaction()?;
            let items = change
                .prepare_cached(
                    "UPDATE found SET read = 1 WHERE read = 0 AND (?1 IS NULL OR source = ?1) RETURNING id, key",
                )?
                .query_map([&source], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            let counts = |text: &str| {
                let mut rows = change.prepare_cached(text)?;
                rows.query_map([&source], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()
            };
            let more = counts("SELECT place, more FROM sources WHERE more > 0 AND (?1 IS NULL OR place = ?1)")?;
            let older = counts("SELECT place, older FROM begun WHERE older > 0 AND (?1 IS NULL OR place = ?1)")?;
            change.execute("UPDATE sources SET more = 0 WHERE ?1 IS NULL OR place = ?1", [&source])?;
            change.execute("UPDATE begun SET older = 0 WHERE ?1 IS NULL OR place = ?1", [&source])?;
            change.commit()?;
            Ok(Marked { read: true, items, more, older })
        })
    }

    /// The items that lead to a place are unread, or else read if one of them is not, unless they are to be unread whatever they are.
    pub(super) fn mark(&mut self, url: &Url, unread: bool) -> Result<Marked, String> {
        let place = place(url);
        self.change_what_is_there(|open| {
            let change = open.transaction()?;
            let is_unread =
                change.prepare_cached("SELECT 1 FROM found WHERE place = ?1 AND read = 0")?.exists([&place])?;
            let read = is_unread && !unread;
            let items = change
                .prepare_cached("UPDATE found SET read = ?2 WHERE place = ?1 AND read <> ?2 RETURNING id, key")?
                .query_map(params![place, read], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            change.commit()?;
            Ok(Marked { read, items, ..Marked::default() })
        })
    }

    /// What was marked is as it was before.
    pub(super) fn unmark(&mut self, marked: &Marked) -> Result<(), String> {
        self.change_what_is_there(|open| {
            let change = open.transaction()?;
            // Another item may have the number of one that has gone.
            let mut row = change.prepare_cached("UPDATE found SET read = ?3 WHERE id = ?1 AND key = ?2")?;
            for (id, key) in &marked.items {
                row.execute(params![id, key, !marked.read])?;
            }
            drop(row);
            for (place, more) in &marked.more {
                change.execute("UPDATE sources SET more = more + ?2 WHERE place = ?1", params![place, more])?;
            }
            for (place, older) in &marked.older {
                change.execute("UPDATE begun SET older = ?2 WHERE place = ?1", params![place, older])?;
            }
            change.commit()
        })
    }
}

/// What the library is asked for the items of one source, or of all.
fn listing(source: Option<&String>) -> (String, Option<&String>) {
    let of = if source.is_some() { "source = ?1 AND " } else { "" };
    let listed = "source NOT IN (SELECT place FROM missing)";
    let columns = "source, url, title, detail, time, read, (SELECT kind FROM sources WHERE place = source)";
    (format!("SELECT {columns} FROM found WHERE {of}{listed} ORDER BY read, time DESC, id LIMIT {SHOWN}"), source)
}

/// Whether a time stands for its day.
fn is_noon(time: i64) -> bool {
    time.rem_euclid(DAY) == DAY / 2
}

/// Adds items; says how many are not kept, since there are too many.
fn add(change: &Connection, source: &str, fresh: &[Item], now: i64) -> rusqlite::Result<i64> {
    let most = usize::try_from(ITEMS).unwrap_or(usize::MAX);
    for Item { key, url, title, detail, time } in fresh.iter().take(most) {
        // What is yet to come was found now; the noon of today is today all the same.
        let time = time.map_or(now, |time| time.as_second());
        let time = if is_noon(time) && time - now < DAY / 2 { time } else { time.min(now) };
        change
            .prepare_cached(
                "INSERT INTO found(source, key, place, url, title, detail, time, read) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, 0) \
                 ON CONFLICT(source, key) DO NOTHING",
            )?
            .execute(params![source, key.cast_signed(), place(url), url.as_str(), title, detail, time])?;
    }
    let gone = change
        .prepare_cached(
            "DELETE FROM found WHERE source = ?1 AND id NOT IN \
             (SELECT id FROM found WHERE source = ?1 ORDER BY read, time DESC, id LIMIT ?2) RETURNING read",
        )?
        .query_map(params![source, ITEMS], |row| row.get::<_, i64>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let unread = gone.iter().filter(|read| **read == 0).count();
    Ok(i64::try_from(fresh.len().saturating_sub(most) + unread).unwrap_or(i64::MAX))
}

/// The sources that are not among these.
fn others(change: &Connection, places: &[String]) -> rusqlite::Result<Vec<String>> {
    let known: Vec<String> = change
        .prepare_cached("SELECT place FROM sources")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let there: HashSet<&String> = places.iter().collect();
    Ok(known.into_iter().filter(|known| !there.contains(known)).collect())
}

/// Drops what is known of sources that are meant and are on the list no more; of those that are it is the reader's list that says so.
pub(super) fn forget_missing(change: &Connection, what: &Forget) -> rusqlite::Result<()> {
    let missing: Vec<(String, i64)> = change
        .prepare_cached("SELECT place, since FROM missing")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let meant = missing.iter().filter(|(place, since)| what.concerns(place, Some(*since)));
    meant.map(|(place, _)| place).try_for_each(|place| forget(change, place))
}

fn forget(change: &Connection, place: &str) -> rusqlite::Result<()> {
    change.execute("DELETE FROM sources WHERE place = ?1", [place])?;
    change.execute("DELETE FROM looked_at WHERE place = ?1", [place])?;
    change.execute("DELETE FROM missing WHERE place = ?1", [place])?;
    change.execute("DELETE FROM begun WHERE place = ?1", [place])?;
    change.execute("DELETE FROM found WHERE source = ?1", [place])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::room::Most;
    use super::*;

    #[test]
    fn what_was_found_is_listed_without_sorting_all_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = Base::new(folder.path().join("pages.db"), Most { octets: 1 << 20, days: 0 }, Box::new(drop));
        let mut plan = |source: Option<&String>| {
            let (sql, given) = listing(source);
            let plan = base.write(|open| {
                let mut rows = open.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                let rows = rows.query_map(params_from_iter(given), |row| row.get::<_, String>(3))?;
                rows.collect::<rusqlite::Result<Vec<_>>>()
            });
            plan.unwrap().join("; ")
        };
        let of_all = plan(None);
        assert!(of_all.starts_with("SCAN found USING INDEX found_by_time") && !of_all.contains("ORDER BY"), "{of_all}");
        let of_one = plan(Some(&"gopher://h".to_owned()));
        assert!(of_one.starts_with("SEARCH found USING INDEX"), "{of_one}");
    }
}
