//! How much is kept, by octets and by age, and how room is made, a step at a time; and what there is.
//!
//! Where there is too much, what came by itself, the items of menus and what was found new give way first, as far as they have more than
//! their share: a source that is looked at every hour does not take the place of what was read. What is counted is what it takes on
//! the disk, not what it was packed in.

use super::base::Base;
use super::calendar;
use super::index;
use super::led;
use super::rewriting::Rewriting;
use rusqlite::{Connection, ErrorCode, Transaction};
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

/// How much was forgotten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Copies of pages.
    pub copies: usize,
    /// Pages that were put by to be read later.
    pub later: usize,
    /// Items that were found new.
    pub found: usize,
}

/// What there is, by scheme.
const SUMS: &str = "SELECT scheme, count(*), sum(size), min(time) FROM pages GROUP BY scheme ORDER BY scheme";
/// Pages that go in one step.
const BATCH: i64 = 64;
/// Items that go in one step.
const ITEMS: i64 = 2_000;
/// Of the whole the part that copies may have that came by themselves and were not read since; another one is for items.
const SHARE: u64 = 4;
/// Of the whole the part that items may have that nobody has seen, where items have more than theirs.
const UNSEEN_SHARE: u64 = 16;
/// And of the whole the part for what was found new.
const FOUND_SHARE: u64 = 8;
/// And of the whole the part for addresses that led to copies.
const LED_SHARE: u64 = 16;
/// Items found that go in one step: of all that were read, or of one source.
const FOUND: i64 = 100;
/// Octets that one of them takes on the disk, with the indexes.
const FOUND_TAKES: &str = "2 * octet_length(place) + octet_length(url) + octet_length(title) + octet_length(detail) \
                           + 2 * octet_length(source) + 100";
/// Octets that an item takes on the disk for each of its own, with the indexes; and beside those.
const ITEM: (i64, i64) = (4, 200);
/// What was done where nothing else makes room.
const INDEX_ANEW: &str = "the index of kept pages was too large to be tidied in the room there is: it is being made anew, and until that is \
                          done a search finds less";
/// Octets by which the file may grow while room is being made.
const GROWS: u64 = 16 << 20;

/// Octets on the disk that are in use.
pub(super) fn used(open: &Connection) -> rusqlite::Result<u64> {
    let value = |name: &str| open.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = value("page_count")?.saturating_sub(value("freelist_count")?);
    Ok(u64::try_from(pages.saturating_mul(value("page_size")?)).unwrap_or(0))
}

/// Room being made where there is too much, or what is there is too old; what was put by to be read later goes last.
pub(super) struct Sweep {
    /// What was put by.
    later: HashSet<String>,
    at: At,
    /// Something has gone, and is in the indexes yet.
    dropped: bool,
    /// There was too much: room is made for a while.
    long: bool,
    /// The last step found no room for itself.
    was_full: bool,
    /// The index of words was begun anew, since there was none.
    anew: bool,
}

/// How far that is.
enum At {
    /// What is too old.
    Old,
    /// Whether there is too much.
    Look,
    /// What has more than its share.
    Shares,
    /// So many of the oldest pages.
    Oldest { left: i64, gone: bool },
    /// Until that is done, indexes hold what has gone.
    Rewriting(Rewriting),
    /// The index of words is being made anew.
    Indexing,
}

impl Sweep {
    fn new(later: HashSet<String>) -> Sweep {
        Sweep { later, at: At::Old, dropped: false, long: false, was_full: false, anew: false }
    }

    /// One step; false where all is as it is to be.
    fn step(&mut self, open: &mut Connection, most: &Most) -> rusqlite::Result<bool> {
        let done = self.go_on(open, most);
        let full = matches!(&done, Err(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull));
        if full && self.makes_anew(open, most)? {
            return Ok(true);
        }
        self.was_full = full;
        done
    }

    /// A step found no room for itself. It is tried once more in a file that may be larger; where that is not enough the index of words has
    /// lists that are too large to be tidied, and it is made anew.
    fn makes_anew(&mut self, open: &mut Connection, most: &Most) -> rusqlite::Result<bool> {
        if !self.was_full || self.anew || size(open)? <= most.octets || is_disk_full(open)? {
            return Ok(false);
        }
        index::clear(open)?;
        (self.anew, self.at, self.dropped, self.was_full) = (true, At::Look, true, false);
        Ok(true)
    }

    fn go_on(&mut self, open: &mut Connection, most: &Most) -> rusqlite::Result<bool> {
        match &mut self.at {
            At::Old => {
                let days = i64::from(most.days).saturating_mul(86_400);
                let change = open.transaction()?;
                calendar::stamp_others(&change)?;
                let now = calendar::now(&change)?;
                let oldest = if days > 0 { now.saturating_sub(days) } else { i64::MIN };
                let some = drop_oldest(&change, &self.later, BATCH, oldest)?.0 + drop_items(&change, oldest)?;
                if some == 0 {
                    led::drop_lost(&change)?;
                }
                change.commit()?;
                self.dropped |= some > 0;
                if some == 0 {
                    self.at = At::Look;
                }
            }
            At::Look => {
                let used = used(open)?;
                if used > if self.long { most.octets / 4 * 3 } else { most.octets } {
                    (self.long, self.at) = (true, At::Shares);
                } else if self.dropped {
                    self.at = At::Rewriting(Rewriting::default());
                } else {
                    self.at = At::Indexing;
                }
            }
            At::Indexing => {
                if !index::read_again(open)? {
                    // Which may have taken too much again.
                    self.at = At::Look;
                    return Ok(used(open)? > most.octets);
                }
            }
            At::Shares => {
                let share = |part: u64| i64::try_from(most.octets / part).unwrap_or(i64::MAX);
                let room = share(SHARE);
                let change = open.transaction()?;
                let some = drop_unread(&change, &self.later, room)?
                    + drop_surplus(&change, room, share(UNSEEN_SHARE))?
                    + drop_found(&change, share(FOUND_SHARE))?
                    + led::drop_surplus(&change, share(LED_SHARE))?;
                change.commit()?;
                self.dropped |= some > 0;
                self.at = match (some, self.dropped) {
                    (1.., _) => At::Shares,
                    (0, true) => At::Rewriting(Rewriting::default()),
                    (0, false) => {
                        // So large a part of the pages as there is too much: indexes are written anew each time.
                        let all: i64 = open.query_row("SELECT count(*) FROM pages", [], |row| row.get(0))?;
                        let used = used(open)?;
                        let over = used.saturating_sub(most.octets / 4 * 3);
                        let part = u64::try_from(all).unwrap_or(0).saturating_mul(over) / used.max(1);
                        At::Oldest { left: i64::try_from(part).unwrap_or(all) + 1, gone: false }
                    }
                };
            }
            At::Oldest { left, gone } => {
                let change = open.transaction()?;
                let mut some = drop_old(&change, &self.later, BATCH.min(*left))?;
                if some == 0 && !*gone {
                    some = drop_old(&change, &HashSet::new(), BATCH.min(*left))?;
                }
                let ends = some == 0 || *left <= BATCH;
                if ends {
                    led::drop_lost(&change)?;
                }
                change.commit()?;
                (*gone, *left) = (*gone || some > 0, *left - BATCH);
                if some == 0 && !*gone {
                    return Ok(false);
                }
                if ends {
                    self.at = At::Rewriting(Rewriting::default());
                }
            }
            At::Rewriting(rewriting) => {
                if !rewriting.step(open)? {
                    (self.at, self.dropped) = (At::Look, false);
                }
            }
        }
        Ok(true)
    }
}

/// The file grows no further than this, however fast pages come between two sweeps.
pub(super) fn bound(open: &Connection, most: &Most) -> rusqlite::Result<()> {
    pages_at_most(open, most.octets.saturating_add(GROWS))
}

/// What is full, be it since there may be less than before, may grow while room is being made: to take something out, too, needs some.
fn widen(open: &Connection) -> rusqlite::Result<()> {
    let octets = size(open)?;
    pages_at_most(open, octets.saturating_add(GROWS.max(octets / 8)))
}

/// Octets of the file.
fn size(open: &Connection) -> rusqlite::Result<u64> {
    let value = |name: &str| open.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    Ok(u64::try_from(value("page_count")?.saturating_mul(value("page_size")?)).unwrap_or(0))
}

/// Whether it is the disk that takes no more, and not the file that may not grow.
fn is_disk_full(open: &Connection) -> rusqlite::Result<bool> {
    let octets = size(open)?;
    let disk = open.path().and_then(|path| rustix::fs::statvfs(path).ok());
    Ok(disk.is_some_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < GROWS.max(octets / 8)))
}

fn pages_at_most(open: &Connection, octets: u64) -> rusqlite::Result<()> {
    let size: i64 = open.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let pages = i64::try_from(octets).unwrap_or(i64::MAX) / size.max(512);
    open.query_row(&format!("PRAGMA max_page_count = {}", pages.min(i64::from(u32::MAX) - 1)), [], |_| Ok(()))
}

/// The oldest pages, and the items of menus that were seen no later; how many went.
fn drop_old(change: &Transaction<'_>, but: &HashSet<String>, most: i64) -> rusqlite::Result<usize> {
    let (pages, last) = drop_oldest(change, but, most, i64::MAX)?;
    let items = drop_items(change, last.map_or(i64::MAX, |stamp| stamp.saturating_add(1)))?;
    Ok(pages + items)
}

/// So many of the oldest pages that came before a time of the calendar, but for some places; how many went, and when the last of them came.
fn drop_oldest(
    change: &Transaction<'_>,
    but: &HashSet<String>,
    most: i64,
    before: i64,
) -> rusqlite::Result<(usize, Option<i64>)> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut rows = change.prepare_cached("SELECT id, stamp, place FROM pages WHERE stamp < ?1 ORDER BY stamp, id")?;
    let all = rows.query_map([before], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
    let goes = all.filter(|row| row.as_ref().map_or(true, |(_, _, place)| !but.contains(place))).take(most);
    let all: Vec<(i64, i64)> =
        goes.map(|row| row.map(|(id, stamp, _)| (id, stamp))).collect::<rusqlite::Result<_>>()?;
    for (id, _) in &all {
        drop_page(change, *id)?;
    }
    Ok((all.len(), all.last().map(|(_, stamp)| *stamp)))
}

/// Some of the oldest copies that came by themselves, as far as these have more than so many octets; how many went. Those of some places
/// go when no other is left.
fn drop_unread(change: &Transaction<'_>, last: &HashSet<String>, room: i64) -> rusqlite::Result<usize> {
    let sum = |row: &rusqlite::Row<'_>| row.get::<_, Option<i64>>(0);
    let all: Option<i64> = change.prepare_cached("SELECT sum(takes) FROM unread")?.query_row([], sum)?;
    let mut over = all.unwrap_or(0).saturating_sub(room);
    if over <= 0 {
        return Ok(0);
    }
    let mut rows = change.prepare_cached(
        "SELECT unread.id, takes, place FROM unread JOIN pages ON pages.id = unread.id ORDER BY stamp, pages.id",
    )?;
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
    let mut all: Vec<(bool, i64, i64)> = rows
        .map(|row| row.map(|(id, takes, place)| (last.contains(&place), id, takes)))
        .collect::<rusqlite::Result<_>>()?;
    // Of the same the oldest stay the first.
    all.sort_by_key(|(last, ..)| *last);
    let mut gone = 0;
    for (_, id, takes) in all.into_iter().take(usize::try_from(BATCH).unwrap_or(usize::MAX)) {
        if over <= 0 {
            break;
        }
        drop_page(change, id)?;
        (over, gone) = (over - takes, gone + 1);
    }
    Ok(gone)
}

/// Some of what was found new, as far as all takes more than so many octets: the oldest that was read, and where nothing was, the oldest
/// of the source that takes most, which is counted there; how many went.
fn drop_found(change: &Transaction<'_>, room: i64) -> rusqlite::Result<usize> {
    let sum = format!("SELECT sum({FOUND_TAKES}) FROM found");
    let all: Option<i64> = change.prepare_cached(&sum)?.query_row([], |row| row.get(0))?;
    let mut over = all.unwrap_or(0).saturating_sub(room);
    if over <= 0 {
        return Ok(0);
    }
    let of_most = format!(
        "SELECT id, {FOUND_TAKES}, source, read FROM found WHERE read = 1 OR source = \
         (SELECT source FROM found GROUP BY source ORDER BY sum({FOUND_TAKES}) DESC LIMIT 1) \
         ORDER BY read DESC, time, id LIMIT {FOUND}"
    );
    let mut rows = change.prepare_cached(&of_most)?;
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    let all: Vec<(i64, i64, String, bool)> = rows.query_map([], row)?.collect::<rusqlite::Result<_>>()?;
    let mut gone = 0;
    for (id, takes, source, read) in all {
        if over <= 0 {
            break;
        }
        change.prepare_cached("DELETE FROM found WHERE id = ?1")?.execute([id])?;
        if !read {
            change.prepare_cached("UPDATE sources SET more = more + 1 WHERE place = ?1")?.execute([source])?;
        }
        (over, gone) = (over - takes, gone + 1);
    }
    Ok(gone)
}

/// Some of the items, as far as all take more than so many octets: of what nobody has seen, as far as that takes more than `unseen`, the
/// oldest of what brought most; then those that were seen longest ago. How many went.
fn drop_surplus(change: &Transaction<'_>, room: i64, unseen: i64) -> rusqlite::Result<usize> {
    let (each, beside) = ITEM;
    let sum = |what: &str| -> rusqlite::Result<i64> {
        let all: Option<i64> = change.prepare_cached(what)?.query_row([], |row| row.get(0))?;
        Ok(all.unwrap_or(0))
    };
    let size = "octet_length(place) + octet_length(url) + octet_length(title)";
    let over = sum(&format!("SELECT sum(({size}) * {each} + {beside}) FROM items"))?.saturating_sub(room);
    if over <= 0 {
        return Ok(0);
    }
    let mut over_unseen = over.min(sum("SELECT sum(takes) FROM unseen")?.saturating_sub(unseen));
    if over_unseen > 0 {
        let of_most = "SELECT unseen.id, takes FROM unseen JOIN items ON items.id = unseen.id WHERE source = \
                       (SELECT source FROM unseen GROUP BY source ORDER BY sum(takes) DESC LIMIT 1) \
                       ORDER BY stamp, items.id LIMIT ?1";
        let mut rows = change.prepare_cached(of_most)?;
        let all: Vec<(i64, i64)> =
            rows.query_map([ITEMS], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
        let mut gone = 0;
        for (id, takes) in all {
            if over_unseen <= 0 {
                break;
            }
            drop_item(change, id)?;
            (over_unseen, gone) = (over_unseen - takes, gone + 1);
        }
        if gone > 0 {
            return Ok(gone);
        }
        // An older program that runs beside this one takes items away without these.
        change.execute("DELETE FROM unseen WHERE NOT EXISTS (SELECT 1 FROM items WHERE items.id = unseen.id)", [])?;
    }
    let oldest = "SELECT max(stamp) FROM (SELECT stamp FROM items ORDER BY stamp LIMIT ?1)";
    let stamp: i64 = change.prepare_cached(oldest)?.query_row([ITEMS], |row| row.get(0))?;
    drop_items(change, stamp.saturating_add(1))
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

/// Some of the items that were seen last before a time of the calendar; how many went.
fn drop_items(change: &Transaction<'_>, before: i64) -> rusqlite::Result<usize> {
    let mut rows = change.prepare_cached("SELECT id FROM items WHERE stamp < ?1 ORDER BY stamp LIMIT ?2")?;
    let all: Vec<i64> = rows.query_map([before, ITEMS], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    all.iter().try_for_each(|id| drop_item(change, *id))?;
    Ok(all.len())
}

/// One item with all that is known of it.
pub(super) fn drop_item(change: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    for table in
        ["DELETE FROM names WHERE rowid = ?1", "DELETE FROM items WHERE id = ?1", "DELETE FROM unseen WHERE id = ?1"]
    {
        change.prepare_cached(table)?.execute([id])?;
    }
    Ok(())
}

/// Octets that an item takes on the disk, reckoned.
pub(super) fn item_takes(place: &str, url: &str, title: &str) -> i64 {
    let (each, beside) = ITEM;
    let octets = i64::try_from(place.len() + url.len() + title.len()).unwrap_or(i64::MAX);
    octets.saturating_mul(each).saturating_add(beside)
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

    /// Has room made, unless that goes on already.
    pub(super) fn sweep_soon(&mut self) {
        if self.sweep.is_some() {
            return;
        }
        let mut later = self.list.places();
        // That it could not be opened for want of room may be why this is wanted.
        later.extend(self.glance(|open| led::targets(open, later.iter())));
        self.sweep = Some(Box::new(Sweep::new(later)));
    }

    /// Has room made in a file that is full, and lets it grow meanwhile. Where the disk is full and not the file, that is said when it is
    /// tried once more.
    pub(super) fn widen(&mut self) {
        let _ = self.attempt(&mut |open| widen(open));
        self.sweep_soon();
    }

    /// One step; false where there was nothing to do.
    pub(super) fn sweep_a_step(&mut self) -> bool {
        let (Some(mut sweep), most) = (self.sweep.take(), self.most) else { return false };
        let anew = sweep.anew;
        match self.change_what_is_there(|open| sweep.step(open, &most)) {
            Ok(true) => {
                if sweep.anew && !anew {
                    self.tell(INDEX_ANEW.into());
                }
                self.sweep = Some(sweep);
            }
            Ok(false) => {
                self.sweep = None;
                // Opened anew it is so as well.
                let _ = self.attempt(&mut |open| bound(open, &most));
            }
            Err(why) => {
                // What is full may have asked for another: it would fare no better.
                self.sweep = None;
                if self.failing().is_none() {
                    self.tell(format!("no room was made among kept pages: {why}"));
                }
            }
        }
        true
    }
}

/// Pages by the thousand for tests: the later have the larger numbers, of a host each, with a word of their own.
#[cfg(test)]
pub(super) fn filled(pages: usize) -> String {
    format!(
        "CREATE TEMP TABLE n AS WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT {pages}) SELECT n FROM n;
         INSERT INTO pages(id, place, url, scheme, host, time, title, head, size, stamp)
             SELECT n, 'http://h' || n || '/', 'http://h' || n || '/', 'http', 'h' || n, n, '', '{{}}', 9, n FROM n;
         INSERT INTO bodies(id, octets, words) SELECT n, randomblob(3000), x'00' FROM n;
         INSERT INTO words(rowid, title, text) SELECT n, '', 'common secret' || n || hex(randomblob(200)) FROM n;
         INSERT INTO links(rowid, targets) SELECT n, hex(randomblob(8)) FROM n;
         INSERT INTO items(id, place, url, host, title, time, stamp)
             SELECT n, 'gopher://i' || n, 'gopher://i' || n, 'i' || n, 'item' || n, n, n FROM n;
         INSERT INTO names(rowid, title) SELECT id, title FROM items;
         DROP TABLE n;"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It held the thread for as long as it took, and whoever asked something waited.
    #[test]
    fn room_is_made_in_short_steps_and_the_log_stays_short() {
        let folder = tempfile::tempdir().unwrap();
        let (file, most) = (folder.path().join("pages.db"), Most { octets: 4 << 20, days: 0 });
        let mut base = Base::new(file.clone(), Most { octets: 1 << 30, days: 0 }, Box::new(drop));
        base.write(|open| open.execute_batch(&filled(3_000))).unwrap();
        base.close();
        base.most = most;
        base.sweep_soon();
        let (mut steps, mut before) = (0, 0);
        while base.sweep_a_step() {
            let changes = base.read(|open| Ok(open.total_changes())).unwrap();
            assert!(changes - before < 20_000, "step {steps}: {}", changes - before);
            let log = std::fs::metadata(folder.path().join("pages.db-wal")).unwrap().len();
            assert!(log < 12 << 20, "step {steps}: {log}");
            (steps, before) = (steps + 1, changes);
        }
        let (pages, used) = base
            .read(|open| {
                Ok((open.query_row("SELECT count(*) FROM pages", [], |row| row.get::<_, i64>(0))?, used(open)?))
            })
            .unwrap();
        assert!(
            steps > 30 && pages > 300 && used <= most.octets / 4 * 3,
            "{steps} steps: {pages} pages, {used} octets"
        );
        assert!(base.read(|open| open.prepare("SELECT 1 FROM pages WHERE id = 3000")?.exists([])).unwrap());
        assert!(std::fs::metadata(&file).unwrap().len() <= most.octets);
    }

    fn count(base: &mut Base, of: &str) -> i64 {
        base.read(|open| open.query_row(&format!("SELECT count(*) FROM {of}"), [], |row| row.get(0))).unwrap()
    }

    /// What was found was counted by nobody: it stayed, and whatever the reader had read went, and whatever they read then.
    #[test]
    fn what_sources_list_makes_room_before_what_was_read_does_and_is_counted_there() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = Base::new(folder.path().join("pages.db"), Most { octets: 4 << 20, days: 0 }, Box::new(drop));
        base.write(|open| open.execute_batch(&filled(100))).unwrap();
        let found = "INSERT INTO sources(place, title, kind, checked, due, since, tries, why, more)
                VALUES('large', '', '', 0, 0, 0, 0, '', 0), ('small', '', '', 0, 0, 0, 0, '', 0);
            WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 500)
            INSERT INTO found(source, key, place, url, title, detail, time, read)
                SELECT iif(n > 20, 'large', 'small'), n, hex(randomblob(2000)), hex(randomblob(2000)), '', '', n, 0 FROM n";
        base.write(|open| open.execute_batch(found)).unwrap();
        base.sweep_soon();
        while base.sweep_a_step() {}
        assert_eq!(count(&mut base, "pages"), 100);
        assert_eq!(count(&mut base, "found WHERE source = 'small'"), 20);
        let left = count(&mut base, "found WHERE source = 'large'");
        assert!((1..60).contains(&left), "{left}");
        assert_eq!(count(&mut base, &format!("sources WHERE place = 'large' AND more = {}", 480 - left)), 1);
    }

    /// They were counted as what they were packed in, and what had been put by not at all.
    #[test]
    fn copies_that_came_by_themselves_have_a_share_by_what_they_take_even_if_they_were_put_by() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = Base::new(folder.path().join("pages.db"), Most { octets: 4 << 20, days: 0 }, Box::new(drop));
        base.write(|open| open.execute_batch(&filled(1_000))).unwrap();
        let unread = "INSERT INTO unread(id, words, takes) SELECT id, x'00', 4000 FROM pages WHERE id > 100";
        base.write(|open| open.execute_batch(unread)).unwrap();
        let later = (501..=1_000).map(|n| format!("http://h{n}/")).collect();
        base.sweep = Some(Box::new(Sweep::new(later)));
        while base.sweep_a_step() {}
        assert_eq!(count(&mut base, "pages WHERE id <= 100"), 100);
        let left = count(&mut base, "unread");
        assert!((200..=263).contains(&left), "{left}");
        assert_eq!(count(&mut base, "unread WHERE id < 700"), 0, "the oldest go first");
    }

    /// A list of one word's places that is larger than what the file may grow by was tidied never, and no room made any more.
    #[test]
    fn an_index_that_cannot_be_tidied_is_made_anew_and_what_was_read_stays_and_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let most = Most { octets: 1 << 20, days: 0 };
        let mut base = Base::new(folder.path().join("pages.db"), most, Box::new(drop));
        base.write(|open| open.execute_batch(&filled(300))).unwrap();
        base.write(|open| {
            let words = super::super::page::pack("common secret".as_bytes());
            open.execute("UPDATE bodies SET words = ?1", [words]).map(drop)
        })
        .unwrap();
        let mut sweep = Sweep::new(HashSet::new());
        sweep.long = true;
        let stuck = base.attempt(&mut |open| {
            let first = sweep.makes_anew(open, &most)?;
            sweep.was_full = true;
            Ok((first, sweep.makes_anew(open, &most)?))
        });
        assert_eq!(stuck.ok(), Some((false, true)));
        assert_eq!((count(&mut base, "indexing"), count(&mut base, "words WHERE words MATCH 'common'")), (1, 0));
        base.sweep = Some(Box::new(sweep));
        while base.sweep_a_step() {}
        let pages = count(&mut base, "pages");
        assert!((20..300).contains(&pages), "{pages}");
        assert_eq!(count(&mut base, "words WHERE words MATCH 'common'"), pages);
        assert_eq!(count(&mut base, "indexing"), 0);
    }

    /// To make room it was looked which pages are opened by addresses that led to them, for which room was to be made, without end.
    #[test]
    fn where_the_disk_is_full_that_is_said_and_room_is_asked_for_once() {
        let folder = tempfile::tempdir().unwrap();
        let (file, said) = (folder.path().join("pages.db"), std::sync::mpsc::channel());
        let tell = move |sentence| said.0.send(sentence).unwrap();
        let mut base = Base::new(file.clone(), Most { octets: 1 << 20, days: 0 }, Box::new(tell));
        base.write(|_| Ok(())).unwrap();
        base.close();
        base.disk_is_full = true;
        let full = Err(format!("{}: there is no room left", crate::disk::shown(&file)));
        assert_eq!(base.read(|_| Ok(())), full);
        while base.sweep_a_step() {}
        assert_eq!(base.read(|_| Ok(())), full);
        assert_eq!(said.1.try_iter().count(), 1);
        base.disk_is_full = false;
        while base.sweep_a_step() {}
        assert_eq!(base.read(|_| Ok(())), Ok(()));
    }

    /// Where the file is full and not the disk, what was to be written is, and room is made.
    #[test]
    fn a_file_that_is_as_large_as_it_may_be_grows_while_room_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = Base::new(folder.path().join("pages.db"), Most { octets: 1 << 20, days: 0 }, Box::new(drop));
        base.write(|open| open.execute_batch(&filled(300))).unwrap();
        base.write(|open| open.query_row("PRAGMA max_page_count = 1", [], |_| Ok(()))).unwrap();
        let more = "INSERT INTO bodies(id, octets, words) VALUES(1000, randomblob(100000), x'00')";
        assert_eq!(base.write(|open| open.execute_batch(more)), Ok(()));
        while base.sweep_a_step() {}
        assert!(base.read(used).unwrap() <= 1 << 20);
    }

    #[test]
    fn what_there_is_is_known_without_reading_the_pages() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = Base::new(folder.path().join("pages.db"), Most { octets: 1 << 20, days: 0 }, Box::new(drop));
        let plan = base.write(|open| open.query_row(&format!("EXPLAIN QUERY PLAN {SUMS}"), [], |row| row.get(3)));
        assert_eq!(plan, Ok("SCAN pages USING COVERING INDEX pages_by_scheme".to_owned()));
    }
}
