//! The indexes of words written anew, and room that is not needed given back to the disk, a step at a time: until then both hold what
//! has gone.

use rusqlite::{Connection, Error, ErrorCode, ffi};

const INDEXES: &[&str] = &["words", "names", "links"];
/// Pages of the database (4 KiB) that a step writes of an index, or gives back.
const STEP: i64 = 200;

/// How far that is.
#[derive(Debug, Default)]
pub(super) struct Rewriting {
    /// Which index is next.
    index: usize,
    begun: bool,
    /// The room that could be given back was.
    given_back: bool,
}

impl Rewriting {
    /// One step; false where there is no more to be done. Nothing of what is not needed is in the file then, nor in the log beside it.
    pub(super) fn step(&mut self, open: &Connection) -> rusqlite::Result<bool> {
        if let Some(index) = INDEXES.get(self.index) {
            let before = open.total_changes();
            let mut merge = open.prepare_cached(&format!("INSERT INTO {index}({index}, rank) VALUES('merge', ?1)"))?;
            // Less than nothing begins with all of it, the rest goes on with that.
            merge.execute([if self.begun { STEP } else { -STEP }])?;
            // The line that asks is one change itself.
            self.begun = open.total_changes() - before > 1;
            self.index += usize::from(!self.begun);
            return Ok(true);
        }
        if !self.given_back {
            let before = free(open)?;
            // It goes on a page at a time, for as long as it is asked.
            let mut vacuum = open.prepare(&format!("PRAGMA incremental_vacuum({STEP})"))?;
            let mut rows = vacuum.query([])?;
            while rows.next()?.is_some() {}
            let left = free(open)?;
            self.given_back = left == 0 || left >= before;
            return Ok(true);
        }
        let busy: i64 = open.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        match busy {
            0 => Ok(false),
            _ => Err(Error::SqliteFailure(
                ffi::Error { code: ErrorCode::DatabaseBusy, extended_code: ffi::SQLITE_BUSY },
                None,
            )),
        }
    }
}

/// Pages of the database that hold nothing.
fn free(open: &Connection) -> rusqlite::Result<i64> {
    open.pragma_query_value(None, "freelist_count", |row| row.get(0))
}
