//! Marks as the file of them has them: the address, the place on its page, the link there and its words, the title. What a mark is
//! called is the line's name.

use crate::app::KeptMark;
use crate::doc::{Anchor, LinkId, sanitise};
use crate::url::{Url, escape};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Marks by their letters.
pub(super) type Marks = BTreeMap<char, KeptMark>;

/// A mark as the value of its line. No address holds a space.
pub(super) fn value(mark: &KeptMark) -> String {
    let link = mark.link.map(|link| link.0.to_string()).unwrap_or_default();
    let words = escape::encode(mark.words.as_bytes(), b"");
    let stands = if link.is_empty() && words.is_empty() { String::new() } else { format!(" {STANDS}{link}:{words}") };
    format!("{} {} {}{stands} {}", mark.url, mark.top.block, mark.top.offset, mark.title).trim_end().into()
}

/// The sign of the word that has the number of the link, and the words there; marks of older files have none.
const STANDS: char = '@';

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
    let rest = words.next().unwrap_or_default();
    let (stands, title) = stands(rest).unwrap_or(((None, String::new()), rest));
    let (link, words) = stands;
    let title = sanitise(title).into_owned();
    Some(KeptMark { url: url.as_str().into(), top, link, words, title, time: time.unwrap_or_default() })
}

/// The link and the words at a mark's place, and what stands behind them.
fn stands(rest: &str) -> Option<((Option<LinkId>, String), &str)> {
    let (word, title) = rest.split_once(' ').unwrap_or((rest, ""));
    let (link, words) = word.strip_prefix(STANDS)?.split_once(':')?;
    let link = if link.is_empty() { None } else { Some(LinkId(link.parse().ok()?)) };
    let words = String::from_utf8_lossy(&escape::decode(words)).into_owned();
    Some(((link, sanitise(&words).into_owned()), title))
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
        let line = "gopher://h/0/x 0 0 @5:A%20link Of lanterns";
        take(&mut marks, "d", line, None).unwrap();
        let mark = &marks[&'d'];
        assert_eq!((mark.link, mark.words.as_str(), mark.title.as_str()), (Some(LinkId(5)), "A link", "Of lanterns"));
        assert_eq!(value(mark), line);
        take(&mut marks, "d", "gopher://h/0/x 0 0 @home or away", None).unwrap();
        assert_eq!((marks[&'d'].link, marks[&'d'].title.as_str()), (None, "@home or away"));
    }
}
