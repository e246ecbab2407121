//! Tables that the reader writes (settings, keys, themes): TOML cut into rows with their lines, so that every mistake is
//! reported at once and costs only its own row; those that are built in, cut already. Refuses: knowing what the rows mean, I/O.

mod embedded;
mod rows;

pub use embedded::embedded;
pub use rows::{ConfigError, Row, Value, rows, value};

use rows::LONGEST;

/// Puts the errors from `from` on in the order of their lines, file by file.
pub fn in_order(errors: &mut [ConfigError], from: usize) {
    if let Some(new) = errors.get_mut(from..) {
        new.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    }
}

/// "did you mean …" for a name that is none, when one of `names` is close; else nothing.
pub fn suggestion<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> String {
    // Nothing is called anything so long, and to compare takes long.
    if wrong.len() > LONGEST {
        return String::new();
    }
    let best = names.map(|name| (distance(wrong, name), name)).min();
    match best {
        Some((far, name)) if far <= 1 + wrong.chars().count() / 4 => format!("; did you mean \"{name}\"?"),
        _ => String::new(),
    }
}

/// Letters to change, drop or add to get from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
