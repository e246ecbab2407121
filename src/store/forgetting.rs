//! Forgetting: what the reader wants to be gone is found no more at once, and is overwritten a step at a time.
//!
//! A mark in the database says what is being forgotten. Whoever opens it next finishes what was cut short: what came since stays.
//! What cannot be done, since another program holds the database or the disk is full, is tried again by itself, and at the end.

use super::base::Base;
use super::led;
use super::opening::PATIENCE;
use super::page::place;
use super::rewriting::Rewriting;
use super::room::{Forgotten, drop_item, drop_page};
use super::sources::forget_missing;
use crate::url::Url;
use crate::visits::Forget;
use jiff::Timestamp;
use rusqlite::{Connection, params};
use std::collections::VecDeque;
use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Rows that go in one step.
const BATCH: usize = 256;
/// How often what could not be forgotten is tried again.
const AGAIN: Duration = Duration::from_secs(10);
/// How long another program is waited for then: whoever asks something meanwhile does not notice.
const SHORTLY: Duration = Duration::from_millis(100);
/// What came up to a time: so is what is yet to come, which came while the clock went wrong, or has the noon of its day.
pub(super) const CAME_BEFORE: &str = "(time <= ?1 OR time > unixepoch())";

/// What is to be forgotten.
#[derive(Default)]
pub(super) struct Forgetting {
    /// How much of what the reader has asked for is not done; whoever asks counts it.
    pub(super) owed: Arc<AtomicUsize>,
    /// How much of that waits only for being overwritten.
    gone: usize,
    /// What could not be forgotten, and when it was asked for.
    failed: VecDeque<(Forget, i64)>,
    /// Why the last was not, or not overwritten.
    wrong: Option<String>,
    /// That was told.
    told: bool,
    /// When it is tried again.
    again: Option<Instant>,
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
            // One that is damaged keeps none of the others from being found.
            let words = |at| row.get::<_, String>(at).unwrap_or_default();
            match read(&words(1), &words(2)).zip(row.get(3).ok()) {
                Some(left) => self.left.push(left),
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
        self.left.is_empty() && self.overwriting.is_none() && self.askers.is_empty() && !self.is_due()
    }

    /// How long it is until something is tried again; nothing where nothing is to be.
    pub(super) fn due_in(&self) -> Option<Duration> {
        self.again.map(|again| again.saturating_duration_since(Instant::now()))
    }

    fn is_due(&self) -> bool {
        self.due_in().is_some_and(|left| left.is_zero())
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
        let asked = Timestamp::now().as_second();
        match self.take_out(what, i64::MAX, asked) {
            Ok(gone) => {
                self.forgetting.gone += 1;
                Some(gone)
            }
            Err(sentence) => {
                self.forgetting.failed.push_back((what.clone(), asked));
                // Who asks is told each time.
                self.forgetting.told = false;
                self.is_not_forgotten(sentence);
                None
            }
        }
    }

    /// Tries again what could not be forgotten, and says when nothing is left to do what still cannot.
    pub(super) fn tell_what_is_owed(&mut self, asker: Sender<Vec<String>>) {
        self.try_again_to_forget();
        self.forgetting.askers.push(asker);
    }

    /// Tries again what could not be forgotten, in order: what came since it was asked for stays.
    pub(super) fn try_again_to_forget(&mut self) {
        self.forgetting.again = None;
        if self.forgetting.wrong.is_none() {
            return;
        }
        self.forgetting.overwriting.get_or_insert_default();
        while let Some((what, asked)) = self.forgetting.failed.pop_front() {
            match self.hastily(|base| base.take_out(&what, asked, asked)) {
                Ok(_) => self.forgetting.gone += 1,
                Err(sentence) => {
                    self.forgetting.failed.push_front((what, asked));
                    return self.is_not_forgotten(sentence);
                }
            }
        }
    }

    /// One step; false where there was nothing to do.
    pub(super) fn forget_a_step(&mut self) -> bool {
        if self.forgetting.is_due() {
            self.try_again_to_forget();
            return true;
        }
        if let Some((what, time)) = self.forgetting.left.pop() {
            if let Err(sentence) = self.hastily(|base| base.take_out(&what, time, time)) {
                self.forgetting.owed.fetch_add(1, Ordering::Relaxed);
                self.forgetting.failed.push_back((what, time));
                self.is_not_forgotten(sentence);
            }
            return true;
        }
        if let Some(mut overwriting) = self.forgetting.overwriting.take() {
            match self.hastily(|base| base.change_what_is_there(|open| overwriting.step(open))) {
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

    /// Does something for which others are not waited for long where that was in vain before.
    fn hastily<T>(&mut self, work: impl FnOnce(&mut Base) -> T) -> T {
        let patience = if self.forgetting.wrong.is_some() { SHORTLY } else { PATIENCE };
        self.glance(|open| open.busy_timeout(patience));
        let done = work(self);
        self.glance(|open| open.busy_timeout(PATIENCE));
        done
    }

    fn is_overwritten(&mut self) {
        let upto = self.forgetting.upto;
        let unmark =
            |open: &mut Connection| open.execute("DELETE FROM forgetting WHERE what = '' AND id <= ?1", [upto]);
        match self.hastily(|base| base.change_what_is_there(unmark)) {
            Ok(_) => {
                self.forgetting.owed.fetch_sub(take(&mut self.forgetting.gone), Ordering::Relaxed);
                self.is_well_again();
            }
            Err(sentence) => self.is_not_forgotten(sentence),
        }
    }

    /// Where nothing else has failed there is nothing wrong any more.
    fn is_well_again(&mut self) {
        if self.forgetting.failed.is_empty() && self.forgetting.wrong.take().is_some() {
            self.forgetting.again = None;
            if take(&mut self.forgetting.told) {
                self.tell("what could not be forgotten is forgotten now".into());
            }
        }
    }

    /// Told once, until it is forgotten.
    fn is_not_forgotten(&mut self, sentence: String) {
        let sentence = format!("not all is forgotten: {sentence}");
        // What another program's database has is not this one's to forget.
        let again = !self.is_others();
        if !self.forgetting.told {
            self.forgetting.told = true;
            let then =
                if again { format!("; it is tried again every {} seconds", AGAIN.as_secs()) } else { String::new() };
            self.tell(format!("{sentence}{then}"));
        }
        self.forgetting.wrong = Some(sentence);
        self.forgetting.again = again.then(|| Instant::now() + AGAIN);
    }

    /// Takes out what came up to a time, as it was asked for at another; it is to be overwritten yet.
    fn take_out(&mut self, what: &Forget, until: i64, asked: i64) -> Result<Forgotten, String> {
        let (upto, gone) = self.change_what_is_there(|open| {
            let (kind, word) = written(what);
            // One try may have made the mark, and gone no further.
            open.execute(
                "INSERT INTO forgetting(what, word, time) SELECT ?1, ?2, ?3 \
                 WHERE NOT EXISTS (SELECT 1 FROM forgetting WHERE what = ?1 AND word = ?2 AND time = ?3)",
                params![kind, word, asked],
            )?;
            let gone = match what {
                Forget::All if !has_come(open, until)? => clear(open)?,
                _ => drop_rows(open, what, until)?,
            };
            // What the mark says is no more to be found, either.
            open.execute(
                "UPDATE forgetting SET what = '', word = '' WHERE what = ?1 AND word = ?2 AND time <= ?3",
                params![kind, word, asked],
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

/// Whether something came after a time.
fn has_come(open: &Connection, until: i64) -> rusqlite::Result<bool> {
    for table in ["pages", "items", "found", "led"] {
        if open.prepare(&format!("SELECT 1 FROM {table} WHERE NOT {CAME_BEFORE}"))?.exists([until])? {
            return Ok(true);
        }
    }
    Ok(false)
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
        let mut rows = open.prepare(&format!("SELECT id FROM {table} WHERE place = ?2 AND {CAME_BEFORE}"))?;
        return rows.query_map(params![until, place(url)], |row| row.get(0))?.collect();
    }
    let mut rows = open.prepare(&format!("SELECT id, url, time FROM {table} WHERE {CAME_BEFORE}"))?;
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
    use std::sync::Mutex;

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

    /// It was tried again by nobody but `q`, and what had come meanwhile went, too.
    #[test]
    fn what_cannot_be_forgotten_is_tried_again_by_itself_and_told_once_and_what_came_since_stays() {
        let folder = tempfile::tempdir().unwrap();
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = Arc::clone(&said);
        let tell = Box::new(move |sentence| told.lock().unwrap().push(sentence));
        let mut base = Base::new(folder.path().join("pages.db"), PLENTY, tell);
        base.write(|open| open.execute_batch(&filled(20))).unwrap();
        assert!(base.forgetting.rests() && base.forgetting.due_in().is_none(), "it sleeps");

        let other = Connection::open(folder.path().join("pages.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        base.glance(|open| open.busy_timeout(Duration::ZERO));
        base.forgetting.owed.fetch_add(1, Ordering::Relaxed);
        assert_eq!(base.forget(&Forget::All), None);
        base.try_again_to_forget();
        while base.forget_a_step() {}
        let once = said.lock().unwrap().clone();
        assert!(once.len() == 1 && once[0].contains("another program uses it; it is tried again"), "{once:?}");
        // One of an earlier run fares no better, and counts from now on.
        base.forgetting.left.push((Forget::Host("h3".into()), 1));
        while base.forget_a_step() {}
        assert_eq!((count(&mut base, "pages"), base.forgetting.owed.load(Ordering::Relaxed)), (20, 2));
        assert!(base.forgetting.rests() && base.forgetting.due_in().is_some(), "it sleeps for a while");

        other.execute_batch("COMMIT").unwrap();
        base.forgetting.failed[0].1 -= 100;
        let since = "UPDATE pages SET time = unixepoch() - 50 WHERE id = 7; UPDATE pages SET time = 9e15 WHERE id = 8";
        base.write(|open| open.execute_batch(since)).unwrap();
        base.forgetting.again = Some(Instant::now());
        assert!(!base.forgetting.rests());
        while base.forget_a_step() {}
        assert_eq!((count(&mut base, "pages"), count(&mut base, "pages WHERE id = 7")), (1, 1));
        assert_eq!((count(&mut base, "forgetting"), base.forgetting.owed.load(Ordering::Relaxed)), (0, 0));
        assert_eq!(said.lock().unwrap()[1..], ["what could not be forgotten is forgotten now"]);
        assert!(base.forgetting.rests() && base.forgetting.due_in().is_none());
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
