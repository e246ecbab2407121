//! The index of words: what of a page it is given and how much that takes, and how it is made anew where there is no room to tidy it.
//!
//! The list of all places of one word is tidied in one step, which no bound divides: what a page may add to such a list is bounded here.

use super::letters::{apart, is_alone};
use super::page::unpack;
use super::tokens;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;

/// How often one word of a page is given to the index; of the rest of it nobody asks where it stands.
const TIMES: u32 = 256;
/// Octets in the index for a word of a page beside its letters, and for each further time that it is there.
const WORD: usize = 8;
const AGAIN: usize = 2;
/// Pages that are read again in one step.
const BATCH: i64 = 16;

/// What of a text is given to the index, word for word, and how many octets that takes there, reckoned.
///
/// Counted and bounded are the words that the index makes of it. Letters that it takes for one another (with accents), or that are
/// none to it (vowel signs), are for the library to tell: only where there is nothing but plain ones it is not asked.
pub(super) fn given(open: &Connection, text: &str) -> rusqlite::Result<(String, usize)> {
    let text = apart(text);
    let mut given = Given::default();
    if !text.chars().any(is_doubtful) {
        text.split(|letter: char| !letter.is_alphanumeric()).for_each(|word| given.word(word.to_ascii_lowercase()));
    } else {
        tokens::prepare(open)?;
        let letter = |letter: char| if letter.is_alphanumeric() || is_mark(letter) { letter } else { ' ' };
        tokens::of(open, &text.chars().map(letter).collect::<String>(), |word| given.word(word))?;
    }
    Ok((given.text, given.octets))
}

/// Whether it may be another letter to the index than to us, or none.
fn is_doubtful(letter: char) -> bool {
    !letter.is_ascii() && (is_mark(letter) || letter.is_alphanumeric() && !is_alone(letter))
}

/// Whether it stands above or below the letter before it.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}')
}

/// What is given of a text so far.
#[derive(Default)]
struct Given {
    text: String,
    octets: usize,
    times: HashMap<String, u32>,
}

impl Given {
    fn word(&mut self, word: String) {
        if word.is_empty() {
            return;
        }
        let known = self.times.get_mut(&word);
        let times = known.as_ref().map_or(0, |times| **times);
        if times < TIMES {
            self.octets += if times == 0 { word.len() + WORD } else { AGAIN };
            self.text.push_str(&word);
            self.text.push(' ');
        }
        match known {
            Some(times) => *times = times.saturating_add(1),
            None => drop(self.times.insert(word, 1)),
        }
    }
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
            given(&change, title)?.0,
            given(&change, &words)?.0
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

    fn given(text: &str) -> (String, usize) {
        super::given(&Connection::open_in_memory().unwrap(), text).unwrap()
    }

    /// A mebibyte of one letter was packed in a thousand octets, counted as that, and half a mebibyte in the index.
    #[test]
    fn a_page_of_one_word_a_hundred_thousand_times_adds_little_to_the_index_and_one_of_many_words_all() {
        let (out, octets) = given(&"a A ".repeat(100_000));
        assert_eq!(out.split_whitespace().count(), 256);
        assert!(octets < 1_000, "{octets}");
        let words: Vec<String> = (0..5_000).map(|n| format!("word{n}")).collect();
        let (out, octets) = given(&words.join(", "));
        assert_eq!(out, words.join(" ") + " ");
        assert!(octets > out.len(), "{octets}");
        assert_eq!(given("Plain, \u{6F22}\u{5B57}.").0, "plain \u{6F22} \u{5B57} ");
    }

    /// Letters of private use were words to the index and none to what counted them; one with every accent is one word to it.
    #[test]
    fn what_is_a_word_to_the_index_alone_adds_as_little() {
        for word in
            ["\u{E000}", "a\u{301} \u{E1} \u{E0}", "\u{93F}\u{928}", "\u{1FAE0}", "x\u{2BBA}", "\u{16D40}", "\u{37F}"]
        {
            let text = format!("{word} ").repeat(100_000);
            for text in [text.clone(), text.replace(' ', "\u{E001}"), format!("{text} \u{E9}")] {
                let (out, octets) = given(&text);
                let open = Connection::open_in_memory().unwrap();
                tokens::prepare(&open).unwrap();
                let (mut times, mut takes) = (HashMap::<String, usize>::new(), 0);
                tokens::of(&open, &out, |word| {
                    takes += if times.contains_key(&word) { AGAIN } else { word.len() + WORD };
                    *times.entry(word).or_default() += 1;
                })
                .unwrap();
                assert!(times.values().all(|times| *times <= 256), "{word:?}");
                assert!(takes <= octets, "{word:?}: {takes} of {octets}");
            }
        }
    }

    #[test]
    fn words_with_marks_stay_whole_and_are_found_without() {
        assert_eq!(
            given("R\u{E9}sume\u{301}, \u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}!").0,
            "resume \u{43F}\u{440}\u{438}\u{432}\u{435}\u{442} "
        );
    }
}
