//! Opening the database, or making it where there is none.

use super::aside;
use super::base::Wrong;
use super::later::{self, List};
use super::room::{self, Most};
use super::schema;
use crate::disk;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How long another copy that writes is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// How long it is before it is tried again where the library does not wait by itself.
const PAUSE: Duration = Duration::from_millis(5);

/// Opens the database and makes what is not there; nobody else can read it.
pub(super) fn open(file: &Path, most: &Most, list: &List) -> Result<Connection, Wrong> {
    let mut left = PATIENCE.as_millis() / (2 * PAUSE.as_millis());
    loop {
        let begun = {
            // Another copy may have put it aside meanwhile, and may not in the midst of this.
            make_folder(file).map_err(|error| Wrong::Disk(disk::wrong(file, &error)))?;
            let _turn = aside::turn(file);
            make(file).map_err(|error| Wrong::Disk(disk::wrong(file, &error)))?;
            begin(file, most)
        };
        match begun {
            // Whoever makes the log is refused at once where another copy makes it: nobody waits there for anybody.
            Err(wrong) if wrong.is_busy() && left > 0 => left -= 1,
            Err(wrong) => return Err(wrong),
            Ok(open) => {
                open.busy_timeout(PATIENCE)?;
                later::moved_out(&open, list)?;
                return Ok(open);
            }
        }
        thread::sleep(PAUSE);
    }
}

fn make_folder(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), disk::folder)
}

/// Makes the file where there is none, for the reader alone; the files beside it get the same.
///
/// One that is there is not opened here: to close it again would give up what the library has locked in it.
fn make(file: &Path) -> io::Result<()> {
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

fn begin(file: &Path, most: &Most) -> Result<Connection, Wrong> {
    let mut open = Connection::open_with_flags(file, OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE)?;
    // Whatever is found to be wrong with it, the log stays as it is.
    open.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // It is tried again as a whole.
    open.busy_timeout(PAUSE)?;
    // A change that began by reading could not wait for another copy that writes.
    open.set_transaction_behavior(TransactionBehavior::Immediate);
    open.set_prepared_statement_cache_capacity(32);
    let version = schema::version(&mut open)?.map_err(Wrong::Others)?;
    if version == 0 {
        open.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
    open.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    open.pragma_update(None, "synchronous", "NORMAL")?;
    // What goes is overwritten; whole pages of the file of which nothing is needed are cut off when something is forgotten.
    open.query_row("PRAGMA secure_delete = FAST", [], |_| Ok(()))?;
    open.pragma_update(None, "temp_store", "MEMORY")?;
    open.query_row("PRAGMA journal_size_limit = 4194304", [], |_| Ok(()))?;
    if !schema::bring_up(&mut open)? {
        return Err(Wrong::Damaged(None));
    }
    room::bound(&open, most)?;
    open.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(open)
}
