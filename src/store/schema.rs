//! What is in the database, and the steps by which one of before becomes one of now.
//!
//! A step that a release had is never changed: what is to be otherwise is a step more, and `user_version` says how many were taken.
//! Stores of the first version may have some of what later steps make.

use super::base::Others;
use super::calendar;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};

/// What it is, for whoever finds the file: "WayF".
const APPLICATION: i64 = 0x5761_7946;

type Step = fn(&Connection) -> rusqlite::Result<()>;

const STEPS: &[Step] = &[first, second, third, fourth, fifth];
/// The tables that there are now, and what they have.
pub(super) const TABLES: &[(&str, &str)] = &[
    ("pages", "id, place, url, scheme, host, time, title, head, size, stamp"),
    ("bodies", "id, octets, words"),
    ("words", "title, text"),
    ("items", "id, place, url, host, title, time, stamp"),
    ("names", "title"),
    ("links", "targets"),
    ("unread", "id, words, takes"),
    ("forgetting", "id, what, word, time"),
    ("sources", "place, title, kind, checked, due, since, tries, why, validator, known, more"),
    ("found", "id, source, key, place, url, title, detail, time, read"),
    ("looked_at", "place, items"),
    ("begun", "place, older"),
    ("missing", "place, since, stamp"),
    ("indexing", "upto"),
    ("led", "place, url, target, target_url, said, time"),
    ("anew", "since, noted"),
    ("calendar", "id, now, clock"),
    ("unseen", "id, source, takes"),
];

/// Pages as they came, items of menus, and indexes of words.
fn first(open: &Connection) -> rusqlite::Result<()> {
    open.execute_batch(
        "CREATE TABLE pages(
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
    );",
    )
}

/// What pages link to, the text that the reader knows of copies that came by themselves (empty where they were never there), what is
/// being forgotten (without words where it need only be overwritten), sources, what was found new in them, and since when
/// one is missing from the list; and indexes by which
/// answers come sooner.
fn second(open: &Connection) -> rusqlite::Result<()> {
    open.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS links USING fts5(
        targets, content='', contentless_delete=1, detail=none, tokenize='ascii'
    );
    CREATE TABLE IF NOT EXISTS unread(id INTEGER PRIMARY KEY, words BLOB NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS forgetting(
        id INTEGER PRIMARY KEY, what TEXT NOT NULL, word TEXT NOT NULL, time INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS sources(
        place TEXT PRIMARY KEY, title TEXT NOT NULL, kind TEXT NOT NULL, checked INTEGER NOT NULL, due INTEGER NOT NULL,
        since INTEGER NOT NULL, tries INTEGER NOT NULL, why TEXT NOT NULL, validator TEXT, known BLOB, more INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS found(
        id INTEGER PRIMARY KEY, source TEXT NOT NULL, key INTEGER NOT NULL, place TEXT NOT NULL, url TEXT NOT NULL,
        title TEXT NOT NULL, detail TEXT NOT NULL, time INTEGER NOT NULL, read INTEGER NOT NULL, UNIQUE(source, key)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS found_by_place ON found(place);
    CREATE TABLE IF NOT EXISTS looked_at(place TEXT PRIMARY KEY, items INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS begun(place TEXT PRIMARY KEY, older INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS missing(place TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS pages_by_scheme ON pages(scheme, size, time);
    CREATE INDEX IF NOT EXISTS items_by_host ON items(host, time);
    CREATE INDEX IF NOT EXISTS found_by_time ON found(read, time DESC, id);",
    )?;
    if !open.column_exists(None, "sources", "more")? {
        open.execute_batch("ALTER TABLE sources ADD COLUMN more INTEGER NOT NULL DEFAULT 0")?;
    }
    Ok(())
}

/// What each copy that came by itself takes on the disk, reckoned; up to which page the index of words is being made anew.
fn third(open: &Connection) -> rusqlite::Result<()> {
    if !open.column_exists(None, "unread", "takes")? {
        open.execute_batch(
            "ALTER TABLE unread ADD COLUMN takes INTEGER NOT NULL DEFAULT 0;
        UPDATE unread SET takes = length(words) + (
            SELECT length(head) + length(octets) + 50 * length(bodies.words) + 500 FROM pages JOIN bodies USING (id)
            WHERE pages.id = unread.id
        ) WHERE id IN (SELECT pages.id FROM pages JOIN bodies USING (id));",
        )?;
    }
    open.execute_batch("CREATE TABLE IF NOT EXISTS indexing(upto INTEGER NOT NULL) STRICT")
}

/// Where addresses led that are not those of the copies; since when there is this one, where it stands for one that was damaged, and
/// whether it was noted what sources there were then.
fn fourth(open: &Connection) -> rusqlite::Result<()> {
    open.execute_batch(
        "CREATE TABLE IF NOT EXISTS led(
        place TEXT PRIMARY KEY, url TEXT NOT NULL, target TEXT NOT NULL, target_url TEXT NOT NULL, said TEXT NOT NULL,
        time INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS led_by_time ON led(time);
    CREATE TABLE IF NOT EXISTS anew(since INTEGER NOT NULL, noted INTEGER NOT NULL) STRICT;",
    )
}

/// When what is there came by the calendar of the store (`calendar`), and which items nobody has seen, by what brought them.
fn fifth(open: &Connection) -> rusqlite::Result<()> {
    for table in ["pages", "items", "missing"] {
        if !open.column_exists(None, table, "stamp")? {
            open.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;"))?;
        }
    }
    open.execute_batch(
        "CREATE INDEX IF NOT EXISTS pages_by_stamp ON pages(stamp);
    CREATE INDEX IF NOT EXISTS items_by_stamp ON items(stamp);
    CREATE TABLE IF NOT EXISTS calendar(id INTEGER PRIMARY KEY, now INTEGER NOT NULL, clock INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS unseen(id INTEGER PRIMARY KEY, source TEXT NOT NULL, takes INTEGER NOT NULL) STRICT;",
    )?;
    calendar::begin(open)
}

/// The version of one of now.
fn latest() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

fn pragma(open: &Connection, name: &str) -> rusqlite::Result<i64> {
    open.pragma_query_value(None, name, |row| row.get(0))
}

/// Which version a database is of, 0 for one that is empty; or whose it is, where it is not ours.
pub(super) fn version(open: &mut Connection) -> rusqlite::Result<Result<i64, Others>> {
    // What is read together was written together.
    let look = open.transaction_with_behavior(TransactionBehavior::Deferred)?;
    let is_empty = look.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))? == 0;
    let (version, application) = (pragma(&look, "user_version")?, pragma(&look, "application_id")?);
    Ok(match version {
        0 if is_empty && application == 0 => Ok(0),
        _ if version <= 0 || application != APPLICATION => Err(Others::Foreign),
        _ if version > latest() => Err(Others::Newer),
        _ => Ok(version),
    })
}

/// Makes it one of now, all or nothing; false where something that it says to have is not there.
pub(super) fn bring_up(open: &mut Connection) -> rusqlite::Result<bool> {
    if pragma(open, "user_version")? < latest() {
        let change = open.transaction()?;
        // Another copy may have come first.
        let taken = usize::try_from(pragma(&change, "user_version")?).unwrap_or(0);
        for step in STEPS.iter().skip(taken) {
            step(&change)?;
        }
        if taken < STEPS.len() {
            change.pragma_update(None, "application_id", APPLICATION)?;
            change.pragma_update(None, "user_version", latest())?;
        }
        change.commit()?;
    }
    for (name, columns) in TABLES {
        if !open.table_exists(None, *name)? {
            return Ok(false);
        }
        match open.prepare(&format!("SELECT {columns} FROM {name}")) {
            // One of them is not there.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::Unknown) => return Ok(false),
            other => drop(other?),
        }
    }
    Ok(true)
}
