//! Single rows that are damaged in a database that is whole otherwise: a cell of another type than its table has, a text that is none.
//!
//! They go, with what belongs to them, so that one cell costs neither all that is kept nor every answer that would meet it.

use super::room::{drop_item, drop_page};
use super::schema::TABLES;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ffi};

/// What the library says where an index has not what the row has that is to go (SQLITE_CORRUPT_INDEX).
const OTHER_IN_INDEX: i32 = ffi::SQLITE_CORRUPT | 3 << 8;

/// Whether an error can only come from a row that is damaged, or from what an index says of it.
pub(super) fn is_odd(error: &Error) -> bool {
    use Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    match error {
        FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..) => true,
        Error::SqliteFailure(error, _) => error.extended_code == OTHER_IN_INDEX,
        _ => false,
    }
}

/// Takes out such rows; how many.
pub(super) fn mend(open: &mut Connection) -> rusqlite::Result<usize> {
    let change = open.transaction()?;
    // It may be the index that is damaged; and out of one that says something else a row cannot be taken.
    change.execute_batch("REINDEX")?;
    let mut gone = 0;
    for (table, _) in TABLES {
        for id in odd_rows(&change, table)? {
            match *table {
                "pages" | "bodies" => drop_page(&change, id)?,
                "items" => drop_item(&change, id)?,
                _ => drop(change.execute(&format!("DELETE FROM {table} WHERE rowid = ?1"), [id])?),
            }
            gone += 1;
        }
    }
    change.commit()?;
    Ok(gone)
}

/// The rows of a table that are not as it says; an index of words has no types.
fn odd_rows(open: &Connection, table: &str) -> rusqlite::Result<Vec<i64>> {
    let mut columns =
        open.prepare("SELECT name, type, \"notnull\" OR pk FROM pragma_table_info(?1) WHERE type <> ''")?;
    let columns = columns.query_map([table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let columns = columns.collect::<rusqlite::Result<Vec<(String, String, bool)>>>()?;
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    // Of a text its letters are read, of all else the type alone.
    let each = columns.iter().map(|(name, kind, _)| match kind.as_str() {
        "TEXT" => format!(", {name}"),
        _ => format!(", typeof({name})"),
    });
    let mut rows = open.prepare(&format!("SELECT rowid{} FROM {table}", each.collect::<String>()))?;
    let (mut rows, mut odd) = (rows.query([])?, Vec::new());
    while let Some(row) = rows.next()? {
        for (at, (_, kind, is_needed)) in columns.iter().enumerate() {
            let is_right = match row.get_ref(at + 1)? {
                ValueRef::Null => !is_needed,
                ValueRef::Text(text) if kind == "TEXT" => std::str::from_utf8(text).is_ok(),
                ValueRef::Text(b"null") => !is_needed,
                ValueRef::Text(name) => name.eq_ignore_ascii_case(kind.as_bytes()),
                _ => false,
            };
            if !is_right {
                odd.push(row.get(0)?);
                break;
            }
        }
    }
    Ok(odd)
}

#[cfg(test)]
mod tests {
    use super::super::base::Base;
    use super::super::room::{Most, filled};
    use super::super::search::Sought;
    use super::*;
    use crate::url::Url;
    use crate::visits::Forget;
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    const MOST: Most = Most { octets: 1 << 30, days: 0 };

    /// A hundred pages and items, and what is said.
    fn base(folder: &Path) -> (Base, Arc<Mutex<Vec<String>>>) {
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = Arc::clone(&said);
        let tell = Box::new(move |sentence| told.lock().unwrap().push(sentence));
        let mut base = Base::new(folder.join("pages.db"), MOST, tell);
        base.write(|open| open.execute_batch(&filled(100))).unwrap();
        (base, said)
    }

    fn count(base: &mut Base, of: &str) -> i64 {
        base.read(|open| open.query_row(&format!("SELECT count(*) FROM {of}"), [], |row| row.get(0))).unwrap()
    }

    /// The database with the types of its tables taken away for a while, so that anything may stand there.
    fn damage(file: &Path, with: &str) {
        let open = Connection::open(file).unwrap();
        let types = |sql: &str| {
            let all = format!("PRAGMA writable_schema = ON; {sql}; PRAGMA writable_schema = RESET");
            open.execute_batch(&all).unwrap();
        };
        open.execute_batch("CREATE TEMP TABLE before AS SELECT name, sql FROM sqlite_schema WHERE sql LIKE '%STRICT%'")
            .unwrap();
        types(
            "UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '') WHERE sql LIKE '%STRICT%'",
        );
        open.execute_batch(with).unwrap();
        types(
            "UPDATE sqlite_schema SET sql = (SELECT sql FROM before WHERE before.name = sqlite_schema.name) \
             WHERE name IN (SELECT name FROM before)",
        );
    }

    fn ask(base: &mut Base, what: &str) -> Result<(), String> {
        match what {
            "copy" => base.copy(&Url::parse("http://h7/").unwrap()).map(drop),
            "find" => base.find(&Sought { words: "common".into(), now: 0, most: 100 }).map(drop),
            "items" => base.find(&Sought { words: "item7".into(), now: 0, most: 100 }).map(drop),
            "sums" => base.sums().map(drop),
            "found" => base.found(None).map(drop),
            _ => base.forget(&Forget::Host("h9".into())).map(drop).ok_or_else(|| "not forgotten".to_owned()),
        }
    }

    /// It was said that a column has another type, each time, and nothing else came of the question.
    #[test]
    fn a_damaged_row_costs_itself_and_is_told_once() {
        for (with, what, left) in [
            ("UPDATE pages SET title = CAST(x'ff' AS TEXT) WHERE id = 7", "find", [99, 99, 100]),
            ("UPDATE pages SET head = NULL WHERE id = 7", "copy", [99, 99, 100]),
            ("UPDATE pages SET time = 'now' WHERE id = 7", "copy", [99, 99, 100]),
            ("UPDATE pages SET size = x'00' WHERE id = 7", "sums", [99, 99, 100]),
            ("UPDATE pages SET url = x'00' WHERE id = 7", "forget", [98, 98, 100]),
            ("UPDATE bodies SET octets = 'none' WHERE id = 7", "copy", [99, 99, 100]),
            ("UPDATE bodies SET words = 7 WHERE id = 7", "find", [99, 99, 100]),
            ("UPDATE items SET title = x'00' WHERE id = 7", "items", [100, 100, 99]),
            (
                "INSERT INTO found VALUES(1, 'http://s/', 1, '', 'http://h/', CAST(x'80' AS TEXT), '', 1, 0)",
                "found",
                [100, 100, 100],
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let (mut base, said) = base(folder.path());
            base.close();
            damage(&folder.path().join("pages.db"), with);
            for _ in 0..2 {
                assert_eq!(ask(&mut base, what), Ok(()), "{with}");
            }
            assert_eq!(["pages", "bodies", "items"].map(|table| count(&mut base, table)), left, "{with}");
            let said = said.lock().unwrap();
            assert!(said.len() == 1 && said[0].contains("a damaged row is taken out"), "{with}: {said:?}");
            assert!(!folder.path().join("pages.bad").exists(), "{with}");
        }
    }

    /// A row whose index says something else cannot be taken out: that alone was damage, for which all was put aside.
    #[test]
    fn a_damaged_cell_of_an_index_costs_nothing_and_one_that_has_an_index_its_row() {
        for (which, letter, left) in [(0, 0xFF, 100), (1, 0xFF, 99), (0, b'x', 100), (1, b'x', 100)] {
            let folder = tempfile::tempdir().unwrap();
            let (mut base, said) = base(folder.path());
            base.write(|open| open.execute_batch("UPDATE pages SET scheme = 'unmistakable' WHERE id = 7; VACUUM"))
                .unwrap();
            base.close();
            let file = folder.path().join("pages.db");
            let mut octets = std::fs::read(&file).unwrap();
            let word = b"unmistakable";
            let at: Vec<usize> = (0..octets.len()).filter(|at| octets[*at..].starts_with(word)).collect();
            assert_eq!(at.len(), 2, "in the index and in its table");
            octets[at[which]] = letter;
            std::fs::write(&file, octets).unwrap();
            let odd = |base: &mut Base| {
                base.read(|open| {
                    let mut rows = open
                        .prepare("SELECT scheme, (SELECT scheme FROM pages WHERE id = 7) FROM pages ORDER BY scheme")?;
                    rows.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))?
                        .collect::<rusqlite::Result<Vec<_>>>()
                })
            };
            assert_eq!(odd(&mut base).unwrap().len(), left);
            assert_eq!(count(&mut base, "pages"), i64::try_from(left).unwrap());
            assert_eq!(said.lock().unwrap().len(), 100 - left);
            base.forget(&Forget::Host("h7".into()));
            assert_eq!(count(&mut base, "pages"), 99);
            let whole = base.read(|open| open.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0)));
            assert_eq!(whole.as_deref(), Ok("ok"));
            assert!(!folder.path().join("pages.bad").exists());
        }
    }
}
