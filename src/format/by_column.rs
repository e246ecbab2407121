//! The rows of a table by what stands in a column: numbers by their value, then dates, then words as people order them, then
//! what is empty, whichever way round. Rows that are alike stay as they were.

use super::moment::Dates;
use super::order::{ByColumn, natural};
use crate::doc::{Document, TableRow};
use crate::stop::Stop;
use std::cmp::Ordering;
use std::ops::Range;

/// What a row is ordered by.
#[derive(Debug, Clone, PartialEq)]
enum Key {
    Number(f64),
    Date(i64),
    Words(String),
    Empty,
}

impl Key {
    fn of(text: String, column: &Column) -> Key {
        if text.is_empty() {
            return Key::Empty;
        }
        match (column.versions, number(&text), column.dates.moment(&text)) {
            (false, Some(number), _) => Key::Number(number),
            (_, _, Some(moment)) => Key::Date(moment),
            _ => Key::Words(text),
        }
    }

    fn compare(&self, other: &Key, reverse: bool) -> Ordering {
        let turned = |order: Ordering| if reverse { order.reverse() } else { order };
        match (self, other) {
            (Key::Empty, Key::Empty) => Ordering::Equal,
            (Key::Empty, _) => Ordering::Greater,
            (_, Key::Empty) => Ordering::Less,
            (Key::Number(one), Key::Number(other)) => turned(one.total_cmp(other)),
            (Key::Date(one), Key::Date(other)) => turned(one.cmp(other)),
            (Key::Words(one), Key::Words(other)) => turned(natural(one).cmp(natural(other))),
            _ => turned(self.rank().cmp(&other.rank())),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Key::Number(_) => 0,
            Key::Date(_) => 1,
            Key::Words(_) => 2,
            Key::Empty => 3,
        }
    }
}

/// What is seen of a column only by all that stands in it.
#[derive(Debug, Default)]
struct Column {
    /// Its numbers with points are versions: 1.10 comes after 1.9.
    versions: bool,
    dates: Dates,
}

impl Column {
    /// Looks at what stands below a title.
    fn of<'a>(title: &str, texts: impl Iterator<Item = &'a str> + Clone) -> Column {
        let title = title.to_lowercase();
        let named = ["version", "release"].iter().any(|word| title.contains(word));
        let parts =
            |text: &str| text.trim().trim_start_matches(['v', 'V']).split('.').map(str::len).collect::<Vec<_>>();
        let pointed = |text: &&str| {
            text.contains('.') && text.trim().trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit())
        };
        let figures = |text: &&str| text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let dates = Dates::of(texts.clone());
        let is_version = |text: &str| parts(text).len() > 2 && number(text).is_none() && dates.moment(text).is_none();
        let several = || texts.clone().filter(pointed).any(is_version);
        // 1.10 beside 1.9: nobody writes the zero of a number beside one that has no room for it
        let two = || texts.clone().filter(pointed).filter(figures).filter(|text| parts(text).len() == 2);
        let zero = || two().filter(|text| text.ends_with('0')).map(|text| parts(text)[1]).max();
        let uneven = || zero().is_some_and(|most| two().any(|text| (1..most).contains(&parts(text)[1])));
        Column { versions: named || several() || uneven(), dates }
    }
}

/// The rows of a table in that order, and the blocks that they take all together; `None` when it was given up. Rows of titles stay
/// where they are, and no row passes them.
pub(super) fn rows(document: &Document, by: ByColumn, stop: &Stop) -> Option<(Range<u32>, Vec<TableRow>)> {
    let rows = document.table_rows(by.table);
    let all = rows.first().map_or(0, |row| row.blocks.start)..rows.last().map_or(0, |row| row.blocks.end);
    let title = document.column_titles(by.table).get(usize::from(by.column)).cloned().unwrap_or_default();
    let mut texts = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        stop.go_on()?;
        texts.push(if row.fixed { String::new() } else { document.cell_text(by.table, at, by.column) });
    }
    let column = Column::of(&title, texts.iter().map(String::as_str));
    let mut keyed: Vec<(Key, TableRow)> = Vec::with_capacity(rows.len());
    for (text, row) in texts.into_iter().zip(rows) {
        stop.go_on()?;
        keyed.push((Key::of(text, &column), row));
    }
    for part in keyed.split_mut(|(_, row)| row.fixed) {
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
        "" | "bytes" | "byte" => 1.0,
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
        // points between groups, and more than one
        _ if digits.matches('.').count() > 1 => {
            digits.split('.').enumerate().try_fold(String::new(), grouped_by_points)?
        }
        (true, _) => groups.collect::<String>(),
        // a comma before a fraction
        (false, 1) => digits.replace(',', "."),
        (false, _) => return None,
    };
    let number: f64 = plain.parse().ok()?;
    number.is_finite().then_some(sign * number * factor)
}

/// Adds the next group of digits between points; a comma may follow the last one.
fn grouped_by_points(so_far: String, (at, group): (usize, &str)) -> Option<String> {
    let whole = group.split(',').next().unwrap_or_default();
    let fits = if at == 0 { (1..=3).contains(&whole.len()) } else { whole.len() == 3 };
    fits.then(|| so_far + &group.replace(',', "."))
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
            ("1.234.567", Some(1_234_567.0)),
            ("1.234.567,5", Some(1_234_567.5)),
            ("12.3.2021", None),
            ("512 bytes", Some(512.0)),
            ("10 apples", None),
            ("1,2,3", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }
}
