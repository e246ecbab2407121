//! The tables that are built in (`assets/settings.toml`, `assets/keys`, `themes`), as rows: `build.rs` cuts them when the program is built, so that no
//! start reads TOML. Refuses: reading files.

use super::{Row, Value};
use std::borrow::Cow;

/// Each file, named below its folder: `keys/vi.toml`, `themes/dark.toml`; and its rows as `build.rs` writes them.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The rows of a built-in table in the order of its file; `None` when there is none of that name.
pub fn embedded(file: &str) -> Option<Vec<Row>> {
    let (_, rows) = FILES.iter().find(|(name, _)| *name == file)?;
    Some(rows.split_terminator('\n').filter_map(row).collect())
}

/// What each word of a list begins with.
const PART: char = '\u{1f}';

/// `LINE TAB VALUE TAB NAME TAB NAME …`; a value is a switch, a number, text behind a quote, or the words of a list. No name and no value of a built-in
/// table has a TAB or a line end in it: one that had would not be built.
fn row(text: &'static str) -> Option<Row> {
    let (line, rest) = text.split_once('\t')?;
    let (value, names) = rest.split_once('\t')?;
    let value = match (value.strip_prefix('"'), value) {
        (Some(text), _) => Value::Text(text.into()),
        (None, list) if list.is_empty() || list.starts_with(PART) => {
            Value::List(list.split(PART).skip(1).map(Value::from).collect())
        }
        (None, "true") => Value::Switch(true),
        (None, "false") => Value::Switch(false),
        (None, number) => Value::Number(number.parse().ok()?),
    };
    Some(Row { path: names.split('\t').map(Cow::Borrowed).collect(), line: line.parse().ok()?, value })
}
