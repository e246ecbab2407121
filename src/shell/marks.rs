//! Marks as the file of them has them: the address, the place on its page, the title. What a mark is called is the line's name.

use crate::app::KeptMark;
use crate::doc::{Anchor, sanitise};
use crate::url::Url;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Marks by their letters.
pub(super) type Marks = BTreeMap<char, KeptMark>;

/// A mark as the value of its line. No address holds a space.
pub(super) fn value(mark: &KeptMark) -> String {
    format!("{} {} {} {}", mark.url, mark.top.block, mark.top.offset, mark.title).trim_end().into()
}

/// Takes a line over: the last one of a letter counts, and one without a value says that the mark is gone.
///
/// # Errors
/// The line makes no sense.
pub(super) fn take(marks: &mut Marks, name: &str, value: &str, time: Option<i64>) -> Result<(), String> {
    let mut letters = name.chars();
    let letter = letters.next().filter(|letter| letter.is_ascii_lowercase() && letters.next().is_none());
    let letter = letter.ok_or_else(|| format!("\"{}\" is no letter of a mark", sanitise(name)))?;
    if value.is_empty() {
        marks.remove(&letter);
        return Ok(());
    }
    let mark = read(value, time).ok_or_else(|| format!("the mark {letter} is no address with a place"))?;
    marks.insert(letter, mark);
    Ok(())
}

fn read(value: &str, time: Option<i64>) -> Option<KeptMark> {
    let mut words = value.splitn(4, ' ');
    let url = Url::parse(words.next()?).ok()?;
    let top = Anchor { block: words.next()?.parse().ok()?, offset: words.next()?.parse().ok()? };
    let title = sanitise(words.next().unwrap_or_default()).into_owned();
    Some(KeptMark { url: url.as_str().into(), top, title, time: time.unwrap_or_default() })
}

/// Marks in a recording.
pub(super) fn written(marks: &Marks) -> Value {
    marks.iter().map(|(letter, mark)| json!([letter.to_string(), value(mark), mark.time.max(0)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_a_letter_counts_and_what_makes_no_sense_costs_only_itself() {
        let mut marks = Marks::new();
        take(&mut marks, "a", "gopher://h/0/x 12 3 Of lanterns", Some(7)).unwrap();
        take(&mut marks, "b", "http://h/ 0 0", None).unwrap();
        take(&mut marks, "b", "", Some(9)).unwrap();
        for (name, value) in [("ab", "http://h/ 0 0"), ("A", "http://h/ 0 0"), ("c", "http://h/"), ("c", "x y z")] {
            assert!(take(&mut marks, name, value, None).is_err(), "{name} {value}");
        }
        assert_eq!(marks.len(), 1);
        let mark = &marks[&'a'];
        assert_eq!((mark.top, mark.time), (Anchor { block: 12, offset: 3 }, 7));
        assert_eq!(value(mark), "gopher://h/0/x 12 3 Of lanterns");
    }
}
