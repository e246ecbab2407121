//! Forgetting: what the reader wants to be gone is found no more at once, and is overwritten a step at a time.
//!
//! A mark in the database says what is being forgotten. Whoever opens it next finishes what was cut short: what came since stays.

use super::base::Base;
use super::led;
use super::page::place;
use super::rewriting::Rewriting;
use super::room::{Forgotten, drop_item, drop_page};
use super::sources::forget_missing;
use crate::url::Url;
use crate::visits::Forget;
use jiff::Timestamp;
use rusqlite::{Connection, params};
use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

/// Rows that go in one step.
const BATCH: usize = 256;

/// What is to be forgotten.
#[derive(Default)]
pub(super) struct Forgetting {
    /// How much of what the reader has asked for is not done; whoever asks counts it.
    pub(super) owed: Arc<AtomicUsize>,
    /// How much of that waits only for being overwritten.
    gone: usize,
    /// What could not be forgotten.
    failed: Vec<Forget>,
    /// Why the last was not, or not overwritten.
    wrong: Option<String>,
    /// What an earlier run has begun, and when.
    left: Vec<(Forget, i64)>,
    /// What has gone is being overwritten: of all marks up to this.
    overwriting: Option<Rewriting>,
    upto: i64,
    /// Who waits until nothing is owed.
    askers: Vec<Sender<Vec<String>>>,
}

impl Forgetting {
    /// What an earlier run has begun.
    pub(super) fn look(&mut self, open: &Connection) -> rusqlite::Result<()> {
        let mut rows = open.prepare("SELECT id, what, word, time FROM forgetting")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            match read(&row.get::<_, String>(1)?, &row.get::<_, String>(2)?) {
                Some(what) => self.left.push((what, row.get(3)?)),
                None => {
                    self.upto = self.upto.max(row.get(0)?);
                    self.overwriting = Some(Rewriting::default());
                }
            }
        }
        Ok(())
    }

    /// There is nothing to be done now.
    pub(super) fn rests(&self) -> bool {
        self.left.is_empty() && self.overwriting.is_none() && self.askers.is_empty()
    }

    /// What was being done broke.
    pub(super) fn broke(&mut self) {
        self.left.clear();
        self.overwriting = None;
        if self.owed.load(Ordering::Relaxed) > 0 {
            self.wrong = Some("not all is forgotten: the store broke over it".into());
        }
    }
}

impl Base {
    /// Forgets; all that is to be seen of it has gone when this returns. How much that was, where all of it has.
    pub(super) fn forget(&mut self, what: &Forget) -> Option<Forgotten> {
        self.given_up.clear();
        match self.take_out(what, i64::MAX) {
            Ok(gone) => {
                self.forgetting.gone += 1;
                Some(gone)
            }
            Err(sentence) => {
                self.forgetting.failed.push(what.clone());
                self.is_not_forgotten(sentence);
                None
            }
        }
    }

    /// Tries again what could not be forgotten, and says when nothing is left to do what still cannot.
    pub(super) fn tell_what_is_owed(&mut self, asker: Sender<Vec<String>>) {
        if self.forgetting.wrong.take().is_some() {
            self.forgetting.overwriting = Some(Rewriting::default());
        }
        for what in take(&mut self.forgetting.failed) {
            self.forget(&what);
        }
        self.forgetting.askers.push(asker);
    }

    /// One step; false where there was nothing to do.
    pub(super) fn forget_a_step(&mut self) -> bool {
        if let Some((what, time)) = self.forgetting.left.pop() {
            if let Err(sentence) = self.take_out(&what, time) {
                self.is_not_forgotten(sentence);
            }
            return true;
        }
        if let Some(mut overwriting) = self.forgetting.overwriting.take() {
            match self.change_what_is_there(|open| overwriting.step(open)) {
                Ok(true) => self.forgetting.overwriting = Some(overwriting),
                Ok(false) => self.is_overwritten(),
                Err(sentence) => self.is_not_forgotten(sentence),
            }
            return true;
        }
        let wrong: Vec<String> = self.forgetting.wrong.clone().into_iter().collect();
        for asker in take(&mut self.forgetting.askers) {
            // Who asked may have waited long enough.
            let _ = asker.send(wrong.clone());
        }
        false
    }

    fn is_overwritten(&mut self) {
        let upto = self.forgetting.upto;
        let unmark =
            |open: &mut Connection| open.execute("DELETE FROM forgetting WHERE what = '' AND id <= ?1", [upto]);
        match self.change_what_is_there(unmark) {
            Ok(_) => {
                self.forgetting.owed.fetch_sub(take(&mut self.forgetting.gone), Ordering::Relaxed);
            }
            Err(sentence) => self.is_not_forgotten(sentence),
        }
    }

    fn is_not_forgotten(&mut self, sentence: String) {
        let sentence = format!("not all is forgotten: {sentence}");
        self.tell(sentence.clone());
        self.forgetting.wrong = Some(sentence);
    }

    /// Takes out what came up to a time; it is to be overwritten yet.
    fn take_out(&mut self, what: &Forget, until: i64) -> Result<Forgotten, String> {
        let (upto, gone) = self.change_what_is_there(|open| {
            let (kind, word) = written(what);
            let time = until.min(Timestamp::now().as_second());
            open.execute("INSERT INTO forgetting(what, word, time) VALUES(?1, ?2, ?3)", params![kind, word, time])?;
            let gone = match what {
                Forget::All if until == i64::MAX => clear(open)?,
                _ => drop_rows(open, what, until)?,
            };
            // What the mark says is no more to be found, either.
            open.execute(
                "UPDATE forgetting SET what = '', word = '' WHERE what = ?1 AND word = ?2 AND time <= ?3",
                params![kind, word, time],
            )?;
            let upto =
                open.query_row("SELECT coalesce(max(id), 0) FROM forgetting WHERE what = ''", [], |row| row.get(0))?;
            Ok((upto, gone))
        })?;
        self.forgetting.upto = upto;
        self.forgetting.overwriting = Some(Rewriting::default());
        self.forget_aside().map(|()| gone)
    }
}

/// All of it.
fn clear(open: &mut Connection) -> rusqlite::Result<Forgotten> {
    let change = open.transaction()?;
    let count =
        |table: &str| change.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
    let count = |table: &str| count(table).map(|many| usize::try_from(many).unwrap_or(0));
    let gone = Forgotten { copies: count("pages")?, found: count("found")?, later: 0 };
    change.execute_batch(
        "DELETE FROM pages; DELETE FROM bodies; DELETE FROM unread; DELETE FROM items; DELETE FROM unseen; DELETE FROM found;
         DELETE FROM calendar; DELETE FROM led;
         INSERT INTO words(words) VALUES('delete-all');
         INSERT INTO names(names) VALUES('delete-all');
         INSERT INTO links(links) VALUES('delete-all');",
    )?;
    forget_missing(&change, &Forget::All)?;
    change.commit()?;
    // The little that is left is soon copied; where that fails, room is given back a page at a time.
    let _ = open.execute_batch("VACUUM");
    Ok(gone)
}

/// What is meant; so much at a time that the log beside the file stays short.
fn drop_rows(open: &mut Connection, what: &Forget, until: i64) -> rusqlite::Result<Forgotten> {
    let mut gone = Forgotten::default();
    for table in ["pages", "items", "found"] {
        let all = rows(open, table, what, until)?;
        match table {
            "pages" => gone.copies = all.len(),
            "found" => gone.found = all.len(),
            _ => {}
        }
        for some in all.chunks(BATCH) {
            let change = open.transaction()?;
            for id in some {
                match table {
                    "pages" => drop_page(&change, *id)?,
                    "items" => drop_item(&change, *id)?,
                    _ => drop(change.prepare_cached("DELETE FROM found WHERE id = ?1")?.execute([id])?),
                }
            }
            change.commit()?;
        }
    }
    let change = open.transaction()?;
    led::forget(&change, what, until)?;
    forget_missing(&change, what)?;
    change.commit()?;
    Ok(gone)
}

/// The rows of a table that are meant.
fn rows(open: &Connection, table: &str, what: &Forget, until: i64) -> rusqlite::Result<Vec<i64>> {
    if let Forget::Page(url) = what {
        let mut rows = open.prepare(&format!("SELECT id FROM {table} WHERE place = ?1 AND time <= ?2"))?;
        return rows.query_map(params![place(url), until], |row| row.get(0))?.collect();
    }
    let mut rows = open.prepare(&format!("SELECT id, url, time FROM {table} WHERE time <= ?1"))?;
    let meant = |row: &rusqlite::Row<'_>| {
        let (id, url, time) = (row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get(2)?);
        Ok(what.concerns(&url, Some(time)).then_some(id))
    };
    Ok(rows.query_map([until], meant)?.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// As a mark says it.
fn written(what: &Forget) -> (&'static str, String) {
    match what {
        Forget::Page(url) => ("page", url.as_str().into()),
        Forget::Host(host) => ("host", host.clone()),
        Forget::Since(since) => ("since", since.to_string()),
        Forget::All => ("all", String::new()),
    }
}

/// What a mark says; nothing where it is only to be overwritten.
fn read(kind: &str, word: &str) -> Option<Forget> {
    match kind {
        "page" => Url::parse(word).ok().map(Forget::Page),
        "host" => Some(Forget::Host(word.into())),
        "since" => word.parse().ok().map(Forget::Since),
        "all" => Some(Forget::All),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::room::{Most, filled};
    use super::*;
    use std::path::Path;

    const PLENTY: Most = Most { octets: 1 << 30, days: 0 };

    fn base(folder: &Path) -> Base {
        Base::new(folder.join("pages.db"), PLENTY, Box::new(|said| panic!("{said}")))
    }

    fn count(base: &mut Base, table: &str) -> i64 {
        base.read(|open| open.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))).unwrap()
    }

    /// Whether a word stands in the database, or beside it.
    fn is_there(folder: &Path, word: &str) -> bool {
        let octets = std::fs::read_dir(folder).unwrap().flat_map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
        String::from_utf8_lossy(&octets.collect::<Vec<_>>()).contains(word)
    }

    #[test]
    fn what_is_forgotten_and_not_overwritten_when_the_program_ends_is_overwritten_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = base(folder.path());
        first.write(|open| open.execute_batch(&filled(2_000))).unwrap();
        // No other word begins so: of those that do the index has only the ends.
        let word = "DELETE FROM words WHERE rowid = 777;
            INSERT INTO words(rowid, title, text) VALUES(777, '', 'unmistakable');
            INSERT INTO words(words) VALUES('optimize')";
        first.write(|open| open.execute_batch(word)).unwrap();
        first.forget(&Forget::Host("h777".into()));
        drop(first);
        assert!(is_there(folder.path(), "unmistakable"), "its index is not written anew yet");
        let mut next = base(folder.path());
        assert_eq!((count(&mut next, "pages"), count(&mut next, "forgetting")), (1_999, 1));
        while next.forget_a_step() {}
        assert_eq!(count(&mut next, "forgetting"), 0);
        assert!(!is_there(folder.path(), "unmistakable") && !is_there(folder.path(), "h777"));
    }

    #[test]
    fn what_was_being_forgotten_when_the_program_ended_is_forgotten_by_the_next_and_nothing_that_came_since() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = base(folder.path());
        first.write(|open| open.execute_batch(&filled(2_000))).unwrap();
        let mark = "INSERT INTO forgetting(what, word, time) VALUES('all', '', 1990), ('host', 'h1995', 5000)";
        first.write(|open| open.execute_batch(mark)).unwrap();
        drop(first);
        let mut next = base(folder.path());
        next.read(|_| Ok(())).unwrap();
        while next.forget_a_step() {}
        let left = ["pages", "bodies", "items", "forgetting"].map(|table| count(&mut next, table));
        assert_eq!(left, [9, 9, 10, 0]);
        assert!(!is_there(folder.path(), "secret77") && !is_there(folder.path(), "SECRET77"));
    }

    #[test]
    fn all_goes_at_once_and_gives_its_room_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = base(folder.path());
        base.write(|open| open.execute_batch(&filled(2_000))).unwrap();
        base.forget(&Forget::All);
        let left = ["pages", "bodies", "items", "words", "names"].map(|table| count(&mut base, table));
        assert_eq!(left, [0; 5]);
        while base.forget_a_step() {}
        base.close();
        assert!(std::fs::metadata(folder.path().join("pages.db")).unwrap().len() < 1 << 20);
        assert!(!is_there(folder.path(), "secret") && !is_there(folder.path(), "http://h"));
    }

    /// The address and the title of a feed stood in the database for a month after all was forgotten.
    #[test]
    fn sources_that_are_on_the_list_no_more_are_forgotten_too() {
        let source = |place: &str| {
            format!(
                "INSERT INTO sources VALUES('{place}', 'A blog', 'feed', 1, 1, 1, 0, '', NULL, NULL, 0);
                 INSERT INTO begun VALUES('{place}', 1); INSERT INTO looked_at VALUES('{place}', 1);"
            )
        };
        for (what, left) in [(Forget::All, 1), (Forget::Host("gone.example".into()), 2)] {
            let folder = tempfile::tempdir().unwrap();
            let mut base = base(folder.path());
            let all = ["http://there.example/", "http://gone.example/", "http://other.example/"].map(source).concat();
            let missing = "INSERT INTO missing VALUES('http://gone.example/', 5, 5), ('http://other.example/', 5, 5)";
            base.write(|open| open.execute_batch(&format!("{all}{missing}"))).unwrap();
            base.forget(&what);
            while base.forget_a_step() {}
            let tables = ["sources", "begun", "looked_at"].map(|table| count(&mut base, table));
            assert_eq!((tables, count(&mut base, "missing")), ([left; 3], left - 1), "{what:?}");
        }
    }

    #[test]
    fn of_one_page_only_its_rows_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = base(folder.path());
        base.write(|open| open.execute_batch(&filled(3))).unwrap();
        let page = Forget::Page(Url::parse("http://H2:80/#part").unwrap());
        assert_eq!(base.read(|open| rows(open, "pages", &page, i64::MAX)), Ok(vec![2]));
        base.forget(&page);
        assert_eq!((count(&mut base, "pages"), count(&mut base, "bodies")), (2, 2));
    }
}
