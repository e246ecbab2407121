//! The index of words: what of a page it is given and how much that takes, and how it is made anew where there is no room to tidy it.
//!
//! The list of all places of one word is tidied in one step, which no bound divides: what a page may add to such a list is bounded here.

use super::letters::apart;
use super::page::unpack;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;

/// How often one word of a page is given to the index; of the rest of it nobody asks where it stands.
const TIMES: u32 = 256;
/// Octets in the index for a word of a page beside its letters, and for each further time that it is there.
const WORD: usize = 8;
const AGAIN: usize = 2;
/// Pages that are read again in one step.
const BATCH: i64 = 16;

/// What of a text is given to the index, and how many octets that takes there, reckoned.
pub(super) fn given(text: &str) -> (String, usize) {
    let text = apart(text);
    let (mut out, mut octets) = (String::with_capacity(text.len()), 0);
    let mut times: HashMap<String, u32> = HashMap::new();
    let is_between = |letter: char| !letter.is_alphanumeric();
    for piece in text.split_inclusive(is_between) {
        let word = piece.trim_end_matches(is_between);
        if word.is_empty() {
            out.push_str(piece);
            continue;
        }
        let known = times.entry(word.to_lowercase()).or_default();
        *known += 1;
        if *known > TIMES {
            out.push_str(&piece[word.len()..]);
            continue;
        }
        octets += if *known == 1 { word.len() + WORD } else { AGAIN };
        out.push_str(piece);
    }
    (out, octets)
}

/// Begins it anew: it is empty then, and pages that are there are read again.
pub(super) fn clear(open: &mut Connection) -> rusqlite::Result<()> {
    let change = open.transaction()?;
    change.execute_batch(
        "INSERT INTO words(words) VALUES('delete-all');
         DELETE FROM indexing;
         INSERT INTO indexing(upto) SELECT max(id) FROM pages HAVING max(id) IS NOT NULL;",
    )?;
    change.commit()
}

/// Reads some of the pages again, the newest first; false where none is left.
pub(super) fn read_again(open: &mut Connection) -> rusqlite::Result<bool> {
    let upto: Option<i64> =
        open.prepare_cached("SELECT upto FROM indexing")?.query_row([], |row| row.get(0)).optional()?;
    let Some(upto) = upto else { return Ok(false) };
    let change = open.transaction()?;
    let some: Vec<(i64, String, Vec<u8>)> = change
        .prepare_cached(
            "SELECT pages.id, title, words FROM pages JOIN bodies USING (id) WHERE pages.id <= ?1 \
             ORDER BY pages.id DESC LIMIT ?2",
        )?
        .query_map([upto, BATCH], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (id, title, words) in &some {
        let words = unpack(words).and_then(|words| String::from_utf8(words).ok()).unwrap_or_default();
        // The number may be that of a page that came since.
        change.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([id])?;
        change.prepare_cached("INSERT INTO words(rowid, title, text) VALUES(?1, ?2, ?3)")?.execute(params![
            id,
            given(title).0,
            given(&words).0
        ])?;
    }
    match some.last() {
        Some((last, ..)) => change.execute("UPDATE indexing SET upto = ?1", [last - 1])?,
        None => change.execute("DELETE FROM indexing", [])?,
    };
    change.commit()?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mebibyte of one letter was packed in a thousand octets, counted as that, and half a mebibyte in the index.
    #[test]
    fn a_page_of_one_word_a_hundred_thousand_times_adds_little_to_the_index_and_one_of_many_words_all() {
        let (out, octets) = given(&"a A ".repeat(100_000));
        assert_eq!(out.split_whitespace().count(), 256);
        assert!(octets < 1_000, "{octets}");
        let words: Vec<String> = (0..5_000).map(|n| format!("word{n}")).collect();
        let text = words.join(", ");
        let (out, octets) = given(&text);
        assert_eq!(out, text);
        assert!(octets > text.len(), "{octets}");
        assert_eq!(given("Plain, \u{6F22}\u{5B57}.").0, "Plain,  \u{6F22}  \u{5B57} .");
    }
}
