//! The rows of a table by what stands in a column: numbers by their value, then words as people order them, then what is empty,
//! whichever way round. Rows that are alike stay as they were.

use super::order::{ByColumn, natural};
use crate::doc::{Document, TableRow};
use crate::stop::Stop;
use std::cmp::Ordering;
use std::ops::Range;

/// What a row is ordered by.
#[derive(Debug, Clone, PartialEq)]
enum Key {
    Number(f64),
    Words(String),
    Empty,
}

impl Key {
    fn of(text: String) -> Key {
        match number(&text) {
            _ if text.is_empty() => Key::Empty,
            Some(number) => Key::Number(number),
            None => Key::Words(text),
        }
    }

    fn compare(&self, other: &Key, reverse: bool) -> Ordering {
        let turned = |order: Ordering| if reverse { order.reverse() } else { order };
        match (self, other) {
            (Key::Empty, Key::Empty) => Ordering::Equal,
            (Key::Empty, _) => Ordering::Greater,
            (_, Key::Empty) => Ordering::Less,
            (Key::Number(one), Key::Number(other)) => turned(one.total_cmp(other)),
            (Key::Words(one), Key::Words(other)) => turned(natural(one).cmp(natural(other))),
            (Key::Number(_), Key::Words(_)) => turned(Ordering::Less),
            (Key::Words(_), Key::Number(_)) => turned(Ordering::Greater),
        }
    }
}

/// The rows of a table in that order, and the blocks that they take all together; `None` when it was given up. Rows of titles stay
/// where they are, and no row passes them.
pub(super) fn rows(document: &Document, by: ByColumn, stop: &Stop) -> Option<(Range<u32>, Vec<TableRow>)> {
    let rows = document.table_rows(by.table);
    let all = rows.first().map_or(0, |row| row.blocks.start)..rows.last().map_or(0, |row| row.blocks.end);
    let mut keyed = Vec::with_capacity(rows.len());
    for (at, row) in rows.into_iter().enumerate() {
        stop.go_on()?;
        let text = if row.titles { String::new() } else { document.cell_text(by.table, at, by.column) };
        keyed.push((Key::of(text), row));
    }
    for part in keyed.split_mut(|(_, row)| row.titles) {
        part.sort_by(|(one, _), (other, _)| one.compare(other, by.reverse));
        stop.go_on()?;
    }
    Some((all, keyed.into_iter().map(|(_, row)| row).collect()))
}

/// The number that a text is: with signs of currency or percent, digits in groups, and the letters of sizes.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '$' | '€' | '£' | '¥' | '%' | '≈' | '~'));
    let (sign, text) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits =
        text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}' | ' ' | '\''));
    let (digits, unit) = text.split_at(digits.unwrap_or(text.len()));
    let factor = match unit.trim_end_matches(['i', 'B', 'b']) {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        _ => return None,
    };
    let digits = digits.trim();
    let groups = digits.split([',', '\u{a0}', '\u{202f}', ' ', '\'']);
    let grouped = groups.clone().skip(1).all(|group| group.split('.').next().is_some_and(|group| group.len() == 3));
    let plain = match (grouped, digits.matches(',').count()) {
        (true, _) => groups.collect::<String>(),
        // a comma before a fraction
        (false, 1) => digits.replace(',', "."),
        (false, _) => return None,
    };
    let number: f64 = plain.parse().ok()?;
    number.is_finite().then_some(sign * number * factor)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_what_people_write() {
        for (text, value) in [
            ("12", Some(12.0)),
            ("-3.5", Some(-3.5)),
            ("−1", Some(-1.0)),
            ("1,234", Some(1234.0)),
            ("1 234 567", Some(1_234_567.0)),
            ("1'234.5", Some(1234.5)),
            ("3,5", Some(3.5)),
            ("12 %", Some(12.0)),
            ("$1,200.50", Some(1200.5)),
            ("4.5K", Some(4500.0)),
            ("2 MiB", Some(2e6)),
            ("", None),
            ("-", None),
            (".", None),
            ("1.2.3", None),
            ("2024-01-05", None),
            ("10 apples", None),
            ("1,2,3", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }
}
