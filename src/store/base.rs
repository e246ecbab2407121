//! The database: opening it, what is in it, what becomes of one that is damaged.
//!
//! SQLite with a log beside the file (WAL): running copies share it, and what was committed outlives a kill. One that cannot be
//! read is put aside under another name and begun anew; one that a newer program wrote is left alone.

use super::forgetting::{self, Forgetting};
use super::given_up::GivenUp;
use super::keep;
use super::later::{self, List};
use super::links;
use super::page::{Copy, Seen, pack, place, read_head, unpack};
use super::room::{self, Most, Sweep, drop_page};
use super::search;
use super::work::Work;
use crate::disk::{self, shown};
use crate::url::Url;
use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How long another copy that writes is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long it is before it is tried again where the library does not wait by itself.
const PAUSE: Duration = Duration::from_millis(5);
/// What it is, for whoever finds the file: "WayF".
const APPLICATION: i64 = 0x5761_7946;
/// The version of what is in it.
const VERSION: i64 = 1;
/// The part of what there may be, in so many parts, that may come between two looks whether there is too much.
const PART: u64 = 16;

const TABLES: &str = "
    CREATE TABLE pages(
        id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, url TEXT NOT NULL, scheme TEXT NOT NULL, host TEXT NOT NULL,
        time INTEGER NOT NULL, title TEXT NOT NULL, head TEXT NOT NULL, size INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX pages_by_time ON pages(time);
    CREATE INDEX pages_by_host ON pages(host);
    CREATE TABLE bodies(id INTEGER PRIMARY KEY, octets BLOB NOT NULL, words BLOB NOT NULL) STRICT;
    CREATE VIRTUAL TABLE words USING fts5(
        title, text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
    );
    INSERT INTO words(words, rank) VALUES('rank', 'bm25(8.0, 1.0)');
    CREATE TABLE items(
        id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT NOT NULL, title TEXT NOT NULL,
        time INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX items_by_time ON items(time);
    CREATE VIRTUAL TABLE names USING fts5(
        title, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
    );
";

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
    /// It is of a newer program.
    newer: bool,
    /// Octets that were kept since it was looked whether there is too much.
    unswept: u64,
    /// When something was kept last, in seconds since 1970.
    pub(super) now: i64,
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
            newer: false,
            unswept,
            now: 0,
        }
    }

    pub(super) fn tell(&self, sentence: String) {
        (self.tell)(sentence);
    }

    /// Closes it; it is opened again when it is wanted.
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    /// Keeps a page, and gives the blocks of it that were not in the copy before. What cannot be kept is told of once, until
    /// something can.
    pub(super) fn keep(&mut self, page: &Seen) -> Vec<u32> {
        let (octets, words, targets, items) = (pack(&page.octets), page.text(), page.targets(), page.items());
        self.now = page.time.as_second();
        let mut fresh = Vec::new();
        let kept = self.write(|open| keep::keep(open, page, &octets, (&words, &targets, &items)));
        match kept {
            Err(why) => self.is_failing(why),
            Ok(before) => {
                self.failing = None;
                fresh = page.fresh(&before);
                let listed: usize = items.iter().map(|(url, title)| url.as_str().len() + title.len()).sum();
                self.unswept = self.unswept.saturating_add((octets.len() + words.len() + listed) as u64);
                if self.unswept > self.most.octets / PART {
                    self.unswept = 0;
                    self.sweep_soon();
                }
            }
        }
        fresh
    }

    /// A page cannot be kept, or no room be made for others: told once, until one can be kept.
    pub(super) fn is_failing(&mut self, why: String) {
        if self.failing.is_none() {
            self.tell(format!("pages that are read are not kept: {why}"));
        }
        self.failing = Some(why);
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

    /// When it came.
    pub(super) fn when(&mut self, url: &Url) -> Result<Option<Timestamp>, String> {
        let place = place(url);
        let time = self.read(|open| {
            let mut row = open.prepare_cached("SELECT time FROM pages WHERE place = ?1")?;
            row.query_row([&place], |row| row.get::<_, i64>(0)).optional()
        })?;
        Ok(time.and_then(|time| Timestamp::from_second(time).ok()))
    }

    /// Takes away what was put aside damaged: nobody can take a part out of it.
    pub(super) fn forget_aside(&self) -> Result<(), String> {
        remove_aside(&self.file)
    }

    /// Looks into it; where there is none there is nothing, and none is made.
    pub(super) fn read<T: Default>(
        &mut self,
        mut work: impl FnMut(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, String> {
        self.change_what_is_there(|open| work(open))
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

    /// Changes it; one that is damaged is put aside, in one that is full room is made, and it is tried once more.
    pub(super) fn write<T>(
        &mut self,
        mut work: impl FnMut(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, String> {
        match self.attempt(&mut work) {
            Err(Wrong::Damaged(of)) => {
                self.put_aside(of)?;
                self.attempt(&mut work).map_err(|wrong| wrong.words(&self.file))
            }
            Err(wrong) if wrong.is_full() => {
                self.widen();
                self.attempt(&mut work).map_err(|wrong| wrong.words(&self.file))
            }
            done => done.map_err(|wrong| wrong.words(&self.file)),
        }
    }

    pub(super) fn attempt<T>(
        &mut self,
        work: &mut impl FnMut(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Wrong> {
        if self.newer {
            return Err(Wrong::Newer);
        }
        let before = inode(&self.file);
        // Another copy may have put it aside and begun anew.
        if self.open.as_ref().is_some_and(|open| open.of != before) {
            self.open = None;
        }
        if self.open.is_none() {
            match open(&self.file, &self.most, &self.list) {
                Ok(connection) => {
                    // A mark that cannot be read is looked at when it is opened next.
                    let _ = self.forgetting.look(&connection);
                    self.open = Some(Open { connection, of: inode(&self.file) });
                }
                Err(Wrong::Newer) => {
                    self.newer = true;
                    return Err(Wrong::Newer);
                }
                Err(wrong) => return Err(wrong.of(before)),
            }
        }
        match &mut self.open {
            Some(Open { connection, .. }) => work(connection).map_err(|error| Wrong::from(error).of(before)),
            None => Err(Wrong::Newer),
        }
    }

    /// Puts a damaged one aside, unless another copy has done so.
    fn put_aside(&mut self, of: Option<u64>) -> Result<(), String> {
        self.open = None;
        if inode(&self.file) != of {
            return Ok(());
        }
        let aside = self.file.with_extension("bad");
        let moved = fs::rename(&self.file, &aside).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        });
        moved.map_err(|error| disk::wrong(&self.file, &error))?;
        // Without its file the log says nothing to anybody, and beside a new one it would be wrong.
        for beside in ["-wal", "-shm"] {
            let _ = fs::remove_file(beside_of(&self.file, beside));
        }
        self.tell(format!("{} was damaged: it is {} now, and kept pages begin anew", shown(&self.file), shown(&aside)));
        Ok(())
    }
}

/// Takes away what was put aside of a file.
pub(super) fn remove_aside(file: &Path) -> Result<(), String> {
    let aside = file.with_extension("bad");
    match fs::remove_file(&aside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(disk::wrong(&aside, &error)),
        _ => Ok(()),
    }
}

/// Which file it is that has the name now.
fn inode(file: &Path) -> Option<u64> {
    fs::metadata(file).ok().map(|facts| facts.ino())
}

/// The name of a file that the library has beside the database.
fn beside_of(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Opens the database and makes what is not there; nobody else can read it.
fn open(file: &Path, most: &Most, list: &List) -> Result<Connection, Wrong> {
    let mut left = PATIENCE.as_millis() / (2 * PAUSE.as_millis());
    loop {
        // Another copy may have put it aside meanwhile.
        make(file).map_err(|error| Wrong::Disk(disk::wrong(file, &error)))?;
        match begin(file, most, list) {
            // Whoever makes the log is refused at once where another copy makes it: nobody waits there for anybody.
            Err(wrong) if wrong.is_busy() && left > 0 => left -= 1,
            done => return done,
        }
        thread::sleep(PAUSE);
    }
}

/// Makes the file where there is none, for the reader alone; the files beside it get the same.
///
/// One that is there is not opened here: to close it again would give up what the library has locked in it.
fn make(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), disk::folder)?;
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(file) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let facts = fs::metadata(file)?;
    if !facts.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mode = facts.permissions().mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(file, fs::Permissions::from_mode(mode & 0o700))?;
    }
    Ok(())
}

fn begin(file: &Path, most: &Most, list: &List) -> Result<Connection, Wrong> {
    let mut open = Connection::open_with_flags(file, OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE)?;
    // It is tried again as a whole.
    open.busy_timeout(PAUSE)?;
    // A change that began by reading could not wait for another copy that writes.
    open.set_transaction_behavior(TransactionBehavior::Immediate);
    open.set_prepared_statement_cache_capacity(32);
    let version: i64 = open.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > VERSION {
        return Err(Wrong::Newer);
    }
    if version == 0 {
        open.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
    open.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    open.pragma_update(None, "synchronous", "NORMAL")?;
    // What goes is overwritten; whole pages of the file of which nothing is needed are cut off when something is forgotten.
    open.query_row("PRAGMA secure_delete = FAST", [], |_| Ok(()))?;
    open.pragma_update(None, "temp_store", "MEMORY")?;
    open.query_row("PRAGMA journal_size_limit = 4194304", [], |_| Ok(()))?;
    room::bound(&open, most)?;
    if version == 0 {
        let make = open.transaction()?;
        // Another copy may have come first.
        let now: i64 = make.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if now == 0 {
            make.execute_batch(TABLES)?;
            make.pragma_update(None, "application_id", APPLICATION)?;
            make.pragma_update(None, "user_version", VERSION)?;
        }
        make.commit()?;
    }
    open.execute_batch(super::sources::TABLES)?;
    open.execute_batch(links::TABLES)?;
    open.execute_batch(keep::TABLES)?;
    open.execute_batch(forgetting::TABLES)?;
    index(&open)?;
    open.busy_timeout(PATIENCE)?;
    later::moved_out(&open, list)?;
    Ok(open)
}

/// Makes what only makes answers come sooner; a file that has no room for it, or cannot be written, does without.
fn index(open: &Connection) -> rusqlite::Result<()> {
    let made = [search::INDEXES, room::INDEXES].into_iter().try_for_each(|index| open.execute_batch(index));
    match made.as_ref().err().and_then(rusqlite::Error::sqlite_error_code) {
        Some(ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::SystemIoFailure) => Ok(()),
        _ => made,
    }
}

/// What is wrong.
pub(super) enum Wrong {
    /// The file is no database, or not a whole one; which file that was.
    Damaged(Option<u64>),
    /// A newer program wrote it.
    Newer,
    /// A sentence.
    Disk(String),
    /// What the library says.
    Said(rusqlite::Error),
}

impl From<rusqlite::Error> for Wrong {
    fn from(error: rusqlite::Error) -> Wrong {
        let code = error.sqlite_error_code();
        let missing = error.to_string().contains("no such table");
        match code {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Wrong::Damaged(None),
            _ if missing => Wrong::Damaged(None),
            _ => Wrong::Said(error),
        }
    }
}

impl Wrong {
    fn is_busy(&self) -> bool {
        matches!(self, Wrong::Said(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy))
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
            Wrong::Newer => format!("{file}: a newer Wayfarer wrote it, which keeps pages in another way"),
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
