//! What stands on the page for the value of a field: as written at first, and again when the reader has filled it in.

use super::submission::Value;
use crate::doc::{FieldKind, LineKind, beginning, columns, ending, sanitise};

/// The widest a line is shown.
pub(super) const WIDEST: u16 = 38;
/// The widest that choices are shown.
const WIDEST_CHOICE: usize = 33;
/// The choices that are named of those that are on.
const NAMED: usize = 8;

/// The text for a value; `None` for fields that show none, and for values of another kind.
pub fn standing(kind: &FieldKind, value: &Value) -> Option<String> {
    let text = match (kind, value) {
        (FieldKind::Line { kind: LineKind::Password, size, .. }, Value::Text(text)) => {
            line(&"*".repeat(text.chars().take(usize::from(WIDEST)).count()), *size)
        }
        (FieldKind::Line { size, .. }, Value::Text(text)) => line(text, *size),
        (FieldKind::Text(_), Value::Text(text)) => {
            let first = text.lines().next().unwrap_or_default();
            let more = text.lines().count().saturating_sub(1);
            // as wide as without the remark
            let remark = if more > 0 { format!(" (+{more})") } else { String::new() };
            let first = beginning(first, usize::from(WIDEST).saturating_sub(columns(&remark)));
            line(&format!("{first}{remark}"), WIDEST)
        }
        (FieldKind::Check { .. }, Value::On(on)) => if *on { "[x]" } else { "[ ]" }.into(),
        (FieldKind::Radio { .. }, Value::On(on)) => if *on { "(*)" } else { "( )" }.into(),
        (FieldKind::Select { options, .. }, Value::Chosen(chosen)) => {
            let on = chosen.iter().filter_map(|at| options.get(*at)).take(NAMED).map(|option| option.label.as_str());
            let words = plain(&on.collect::<Vec<_>>().join(", "));
            let shown = beginning(&words, WIDEST_CHOICE);
            format!("[ {shown}{} ▾]", if shown.len() < words.len() { "…" } else { "" })
        }
        (FieldKind::File { .. }, Value::Files(files)) if files.is_empty() => "[ Choose file ]".into(),
        (FieldKind::File { .. }, Value::Files(files)) => {
            let names: Vec<&str> = files.iter().map(|file| file.name.rsplit('/').next().unwrap_or_default()).collect();
            format!("[ {} ]", plain(&names.join(", ")))
        }
        _ => return None,
    };
    Some(whole(&text))
}

/// A field's text such that no line ends within it, unless it is as wide as some screens are.
pub(super) fn whole(text: &str) -> String {
    if columns(text) <= usize::from(WIDEST) + 2 { text.replace(' ', "\u{a0}") } else { text.into() }
}

/// On one line, in one cell, with nothing that a terminal would obey.
fn plain(text: &str) -> String {
    sanitise(text).replace(['\r', '\n', '\t'], " ")
}

/// `[value____]`; the end of a long value is what the reader has typed last.
fn line(value: &str, size: u16) -> String {
    let size = usize::from(size);
    let value = plain(value);
    let shown = ending(&value, size);
    format!("[{shown}{}]", "_".repeat(size - columns(shown)))
}
