//! The words of a text as the index has them: the library itself is asked, since only it knows which letters it takes for one
//! another, and which for none.

use rusqlite::Connection;

/// Makes the tables in memory that it is asked by.
pub(super) fn prepare(open: &Connection) -> rusqlite::Result<()> {
    open.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.typed USING fts5(
             word, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
         );
         CREATE VIRTUAL TABLE IF NOT EXISTS temp.typed_seen USING fts5vocab(temp, typed, instance);",
    )
}

/// Each word, in order; the tables have been prepared.
pub(super) fn of(open: &Connection, text: &str, mut each: impl FnMut(String)) -> rusqlite::Result<()> {
    // What broke off left its text there.
    open.prepare_cached("INSERT INTO temp.typed(typed) VALUES('delete-all')")?.execute([])?;
    open.prepare_cached("INSERT INTO temp.typed(rowid, word) VALUES(1, ?1)")?.execute([text])?;
    let mut words = open.prepare_cached("SELECT term FROM temp.typed_seen ORDER BY offset")?;
    let mut rows = words.query([])?;
    while let Some(row) = rows.next()? {
        each(row.get(0)?);
    }
    drop(rows);
    open.prepare_cached("INSERT INTO temp.typed(typed) VALUES('delete-all')")?.execute([])?;
    Ok(())
}
