//! The database: what is asked of it, and what becomes of one that is damaged.
//!
//! SQLite with a log beside the file (WAL): running copies share it, and what was committed outlives a kill. One that cannot be
//! read is put aside under another name (`aside`) and begun anew; where single rows are damaged those alone go (`mending`); one that a
//! newer program, or another, wrote is left alone.

use super::aside;
use super::forgetting::Forgetting;
use super::given_up::GivenUp;
use super::keep;
use super::later::List;
use super::mending;
use super::opening;
use super::page::{Copy, Seen, pack, place, read_head, unpack};
use super::room::{Most, Sweep, drop_page};
use super::sources;
use super::work::Work;
use crate::disk::shown;
use crate::url::Url;
use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The part of what there may be, in so many parts, that may come between two looks whether there is too much.
const PART: u64 = 16;

/// The database; opened when it is first asked for something.
pub(super) struct Base {
    file: PathBuf,
    /// What is put by to be read later.
    pub(super) list: List,
    /// What was known of sources that are none any more.
    pub(super) given_up: GivenUp,
    pub(super) forgetting: Forgetting,
    pub(super) most: Most,
    /// Room is being made.
    pub(super) sweep: Option<Box<Sweep>>,
    pub(super) work: Work,
    tell: Box<dyn Fn(String) + Send>,
    open: Option<Open>,
    /// What was wrong when a page was to be kept, told once, until one can be.
    failing: Option<String>,
    /// It is left alone.
    others: Option<Others>,
    /// A row is damaged, and it was not found which.
    stays_odd: bool,
    /// Octets that were kept since it was looked whether there is too much.
    unswept: u64,
    /// Nothing is done but that this is said.
    #[cfg(test)]
    pub(super) disk_is_full: bool,
}

/// The connection, and which file it is of: another copy may put that aside, and a write into it would be lost.
struct Open {
    connection: Connection,
    of: Option<u64>,
}

impl Base {
    pub(super) fn new(file: PathBuf, most: Most, tell: Box<dyn Fn(String) + Send>) -> Base {
        let list = List::beside(&file);
        let (given_up, unswept) = (GivenUp::default(), u64::MAX / 2);
        let (forgetting, work) = Default::default();
        Base {
            file,
            list,
            given_up,
            forgetting,
            most,
            sweep: None,
            work,
            tell,
            open: None,
            failing: None,
            others: None,
            stays_odd: false,
            unswept,
            #[cfg(test)]
            disk_is_full: false,
        }
    }

    pub(super) fn tell(&self, sentence: String) {
        (self.tell)(sentence);
    }

    /// Closes it; it is opened again when it is wanted.
    pub(super) fn close(&mut self) {
        self.let_go(false);
    }

    /// Keeps a page, and gives the blocks of it that were not in the copy before. What cannot be kept is told of once, until
    /// something can.
    pub(super) fn keep(&mut self, page: &Seen) -> Vec<u32> {
        let (octets, words, targets, items) = (pack(&page.octets), page.text(), page.targets(), page.items());
        let mut fresh = Vec::new();
        let kept = self.write(|open| keep::keep(open, page, &octets, (&words, &targets, &items)));
        match kept {
            Err(why) => self.is_failing(why),
            Ok((before, takes)) => {
                self.failing = None;
                fresh = page.fresh(&before);
                let listed: usize = items.iter().map(|(url, title)| url.as_str().len() + title.len()).sum();
                self.has_grown(takes + listed);
            }
        }
        fresh
    }

    /// So many octets came: it is looked whether there is too much, each time that a good part has come.
    pub(super) fn has_grown(&mut self, octets: usize) {
        self.unswept = self.unswept.saturating_add(octets as u64);
        if self.unswept > self.most.octets / PART {
            self.unswept = 0;
            self.sweep_soon();
        }
    }

    /// A page cannot be kept, or no room be made for others: told once, until one can be kept.
    pub(super) fn is_failing(&mut self, why: String) {
        if self.failing.is_none() {
            self.tell(format!("pages that are read are not kept: {why}"));
        }
        self.failing = Some(why);
    }

    /// Whether the database is left alone.
    pub(super) fn is_others(&self) -> bool {
        self.others.is_some()
    }

    /// Why the last page that was to be kept is not.
    pub(super) fn failing(&self) -> Option<String> {
        self.failing.clone()
    }

    /// The copy of a page.
    pub(super) fn copy(&mut self, url: &Url) -> Result<Option<Copy>, String> {
        let place = place(url);
        let found = self.read(|open| {
            let mut row = open.prepare_cached(
                "SELECT pages.id, time, head, octets FROM pages JOIN bodies ON bodies.id = pages.id WHERE place = ?1",
            )?;
            let found = row.query_row([&place], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?, row.get::<_, Vec<u8>>(3)?))
            });
            found.optional()
        })?;
        let Some((id, time, head, packed)) = found else { return Ok(None) };
        let time = Timestamp::from_second(time).unwrap_or_default();
        match read_head(&head, time).zip(unpack(&packed)) {
            Some((head, octets)) => Ok(Some(Copy { head, octets })),
            None => {
                self.write(|open| {
                    let change = open.transaction()?;
                    drop_page(&change, id)?;
                    change.commit()
                })?;
                Err("the copy was damaged on the disk, and is gone".into())
            }
        }
    }

    /// When it came, or that to which it led.
    pub(super) fn when(&mut self, url: &Url) -> Result<Option<Timestamp>, String> {
        let place = place(url);
        let time = self.read(|open| {
            let mut row = open.prepare_cached("SELECT time FROM pages WHERE place = ?1")?;
            row.query_row([&place], |row| row.get::<_, i64>(0)).optional()
        })?;
        match time.and_then(|time| Timestamp::from_second(time).ok()) {
            None => Ok(self.led(url)?.map(|led| led.time)),
            time => Ok(time),
        }
    }

    /// Takes away what was put aside damaged: nobody can take a part out of it.
    pub(super) fn forget_aside(&self) -> Result<(), String> {
        aside::remove(&self.file)
    }

    /// Looks into it; where there is none there is nothing, and none is made.
    pub(super) fn read<T: Default>(
        &mut self,
        mut work: impl FnMut(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, String> {
        self.change_what_is_there(|open| work(open))
    }

    /// Looks into it where it is open: nothing is opened for that, put aside or made room in. Nothing where it cannot be read.
    pub(super) fn glance<T: Default>(&self, look: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> T {
        self.open.as_ref().and_then(|open| look(&open.connection).ok()).unwrap_or_default()
    }

    /// Changes what is in it; where there is none there is nothing to change.
    pub(super) fn change_what_is_there<T: Default>(
        &mut self,
        work: impl FnMut(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, String> {
        if self.open.is_none() && !self.file.exists() {
            return Ok(T::default());
        }
        self.write(work)
    }

    /// Changes it; what is damaged in it is taken out, all of one that is damaged itself is put aside, in one that is full room is made, and
    /// it is tried once more.
    pub(super) fn write<T>(
        &mut self,
        mut work: impl FnMut(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, String> {
        let mut done = self.attempt(&mut work);
        if done.as_ref().is_err_and(Wrong::is_odd) && !self.stays_odd {
            done = self.mend().and_then(|()| self.attempt(&mut work));
            self.stays_odd = done.as_ref().is_err_and(|wrong| !wrong.is_busy());
        }
        match done {
            Err(wrong) if wrong.is_damaged() => {
                self.put_aside(if let Wrong::Damaged(of) = wrong { of } else { inode(&self.file) })?;
                self.attempt(&mut work).map_err(|wrong| wrong.words(&self.file))
            }
            Err(wrong) if wrong.is_full() => {
                self.widen();
                self.attempt(&mut work).map_err(|wrong| wrong.words(&self.file))
            }
            done => done.map_err(|wrong| wrong.words(&self.file)),
        }
    }

    /// Takes out rows that are damaged.
    fn mend(&mut self) -> Result<(), Wrong> {
        let gone = self.attempt(&mut mending::mend)?;
        if gone > 0 {
            let what = if gone == 1 { "a damaged row is".into() } else { format!("{gone} damaged rows are") };
            self.tell(format!("{}: {what} taken out of it, and the rest stays", shown(&self.file)));
        }
        Ok(())
    }

    pub(super) fn attempt<T>(
        &mut self,
        work: &mut impl FnMut(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Wrong> {
        #[cfg(test)]
        if self.disk_is_full {
            let full = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL);
            return Err(Wrong::Said(rusqlite::Error::SqliteFailure(full, None)));
        }
        if let Some(others) = self.others {
            return Err(Wrong::Others(others));
        }
        let before = inode(&self.file);
        // Another copy may have put it aside and begun anew.
        if self.open.as_ref().is_some_and(|open| open.of != before) {
            self.let_go(false);
        }
        if self.open.is_none() {
            match opening::open(&self.file, &self.most, &self.list) {
                Ok(connection) => {
                    // A mark that cannot be read is looked at when it is opened next.
                    let _ = self.forgetting.look(&connection);
                    self.open = Some(Open { connection, of: inode(&self.file) });
                }
                Err(Wrong::Others(others)) => {
                    self.others = Some(others);
                    return Err(Wrong::Others(others));
                }
                Err(wrong) => return Err(wrong.of(before)),
            }
        }
        match &mut self.open {
            Some(Open { connection, .. }) => work(connection).map_err(|error| Wrong::from(error).of(before)),
            None => Err(Wrong::Disk(format!("{}: it is not open", shown(&self.file)))),
        }
    }

    /// Puts a damaged one aside, unless another copy has done so.
    fn put_aside(&mut self, of: Option<u64>) -> Result<(), String> {
        self.let_go(true);
        self.stays_odd = false;
        let aside = aside::put(&self.file, || inode(&self.file) == of)?;
        if let Some(aside) = aside {
            // Where not even that can be written nothing else is, either.
            let begun = self.file.clone();
            let _ = self.attempt(&mut |open| sources::was_begun_anew(open, made(&begun)));
            let (file, aside) = (shown(&self.file), shown(&aside));
            self.tell(format!("{file} was damaged: it is {aside} now, and kept pages begin anew"));
        }
        Ok(())
    }

    /// Closes it. Of one that is put aside the log stays as it is: under its name there may be that of another by now.
    fn let_go(&mut self, damaged: bool) {
        let Some(Open { connection, of }) = self.open.take() else { return };
        if damaged || inode(&self.file) != of {
            // Else the library would tidy what is not its own.
            let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }
}

/// When a file that was just made was, in seconds since 1970.
fn made(file: &Path) -> i64 {
    fs::metadata(file).map_or(0, |facts| facts.mtime())
}

/// Which file it is that has the name now.
fn inode(file: &Path) -> Option<u64> {
    fs::metadata(file).ok().map(|facts| facts.ino())
}

/// Whose it is, where it is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// A newer Wayfarer's.
    Newer,
    /// Another program's.
    Foreign,
}

/// What is wrong.
pub(super) enum Wrong {
    /// The file is no database, or not a whole one; which file that was.
    Damaged(Option<u64>),
    /// It is not ours to write.
    Others(Others),
    /// A sentence.
    Disk(String),
    /// What the library says.
    Said(rusqlite::Error),
}

impl From<rusqlite::Error> for Wrong {
    fn from(error: rusqlite::Error) -> Wrong {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) if !mending::is_odd(&error) => {
                Wrong::Damaged(None)
            }
            _ => Wrong::Said(error),
        }
    }
}

impl Wrong {
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Wrong::Said(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy))
    }

    fn is_damaged(&self) -> bool {
        matches!(self, Wrong::Damaged(_))
            || matches!(self, Wrong::Said(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt))
    }

    /// One of its rows is damaged.
    fn is_odd(&self) -> bool {
        matches!(self, Wrong::Said(error) if mending::is_odd(error))
    }

    fn is_full(&self) -> bool {
        matches!(self, Wrong::Said(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull))
    }

    fn of(self, file: Option<u64>) -> Wrong {
        match self {
            Wrong::Damaged(_) => Wrong::Damaged(file),
            other => other,
        }
    }

    fn words(self, file: &Path) -> String {
        let file = shown(file);
        match self {
            Wrong::Damaged(_) => format!("{file}: it is damaged"),
            Wrong::Others(Others::Newer) => {
                format!("{file}: a newer Wayfarer wrote it, which keeps pages in another way")
            }
            Wrong::Others(Others::Foreign) => {
                format!("{file}: it is the database of another program; moved elsewhere, it makes room for kept pages")
            }
            Wrong::Disk(sentence) => sentence,
            Wrong::Said(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => format!("{file}: there is no room left"),
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => format!("{file}: another program uses it"),
                Some(ErrorCode::ReadOnly) => format!("{file}: it cannot be written"),
                // What lies beside it is made by a call that cannot say that the disk is full.
                Some(ErrorCode::SystemIoFailure) => format!("{file}: the disk did not take it, or is full"),
                _ => format!("{file}: {error}"),
            },
        }
    }
}
