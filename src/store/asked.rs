//! What the library is asked for the words that were typed: for those that are in few rows longer ones that begin with them as well, and
//! by those alone it is weighed what comes first.
//!
//! To weigh a word, the library goes through all rows that have it, and to find what begins with one it puts the rows of all of those
//! together before it gives the first. Both are worth it only where that is little, so it is looked first how many there are, and never
//! further than it matters.

use super::letters::apart;
use super::terms::Terms;
use super::tokens;
use rusqlite::Connection;
use std::borrow::Cow;
use std::cmp::Reverse;

/// A word in more rows takes no part in the weighing: what very many have tells hardly any from another.
const WEIGHED: usize = 5_000;
/// Of a word alone that is in more rows, longer ones are not looked for; and of those of another that are in more places of the text
/// together, each is asked for by itself.
const EVERYWHERE: usize = 2_000;
/// How often it is looked which longer words there are, of all words of a search together, and how far each time (places in the text).
const LOOKS: usize = 32;
const PIECE: usize = 1_000;
/// Longer words of one that are asked for one by one, those that are used most.
const LONGER: usize = 48;

/// Words of one that is written together (`a-b`, letters of scripts without blanks) of which it is looked in how many rows they are.
const PARTS: usize = 4;

/// What an index is asked.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The query: every word in quotation marks, so that none of it is taken for more. Empty where nothing can be found.
    pub(super) all: String,
    /// The part of it that is weighed: those words that are in few rows; empty where there is none.
    pub(super) weighed: String,
    /// Words of which longer ones were not looked for, or not all: there are too many.
    pub(super) alone: Vec<String>,
}

/// What is asked for a word.
struct Word {
    query: String,
    is_weighed: bool,
    is_alone: bool,
}

/// Words of the index that begin with one, and it itself.
#[derive(Debug, Default)]
struct Longer {
    /// Each, and in how many places of the text; where it is in very many, in how many rows, as far as that was counted.
    words: Vec<(String, usize)>,
    /// There are no others.
    whole: bool,
}

/// An index, and how often it may be looked there for the longer ones of a word.
struct Index<'a> {
    open: &'a Connection,
    name: &'a str,
    looks: usize,
}

impl Asked {
    /// What the index `name` is asked.
    pub(super) fn of(open: &Connection, name: &str, terms: &Terms) -> rusqlite::Result<Asked> {
        // A table of this connection, in memory: the words of the index.
        open.execute_batch(&format!(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.{name}_seen USING fts5vocab(main, {name}, instance);"
        ))?;
        tokens::prepare(open)?;
        let beginning = terms.words.iter().filter(|(_, begins)| *begins).count();
        let index = Index { open, name, looks: LOOKS / beginning.max(1) };
        let (mut all, mut weighed, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        for (typed, begins) in &terms.words {
            let Some(word) = index.word(typed, *begins)? else { continue };
            weighed.extend(word.is_weighed.then(|| word.query.clone()));
            alone.extend(word.is_alone.then(|| typed.clone()));
            all.push(word.query);
        }
        Ok(Asked { all: all.join(" AND "), weighed: weighed.join(" AND "), alone })
    }
}

impl Index<'_> {
    /// What is asked for a word; nothing where it has no letters to the index.
    fn word(&self, typed: &str, begins: bool) -> rusqlite::Result<Option<Word>> {
        // What the index would take for a letter, and no page was given it as one.
        if !typed.contains(char::is_alphanumeric) {
            return Ok(None);
        }
        let text = apart(typed);
        let parts = self.parts(&text)?;
        let Some(last) = parts.last() else { return Ok(None) };
        let (query, mut is_weighed) = (format!("\"{}\"", text.trim()), false);
        for part in parts.iter().take(PARTS) {
            is_weighed = is_weighed || self.rows(part)? <= WEIGHED;
        }
        let alone = |is_alone| Word { query: query.clone(), is_weighed, is_alone };
        if matches!(text, Cow::Owned(_)) {
            // What was kept before letters were put apart has a run of them as one word.
            let mut old = self.parts(typed)?.pop().map(|old| self.longer(&old)).transpose()?.unwrap_or_default();
            old.words.retain(|(word, _)| !parts.contains(word));
            return Ok(Some(match old.words.is_empty() {
                true => alone(false),
                false if old.is_little() => Word { query: format!("({query} OR \"{typed}\" *)"), ..alone(false) },
                false => Word { query: format!("({query} OR \"{typed}\")"), ..alone(true) },
            }));
        }
        if !begins || parts.len() == 1 && self.rows(last)? > EVERYWHERE {
            return Ok(Some(alone(begins)));
        }
        let longer = self.longer(last)?;
        Ok(Some(match longer {
            longer if longer.is_little() => Word { query: query + " *", is_weighed: true, is_alone: false },
            longer if parts.len() == 1 => longer.each(last),
            _ => alone(true),
        }))
    }

    /// The words of a text, as the index has them.
    fn parts(&self, text: &str) -> rusqlite::Result<Vec<String>> {
        let mut parts = Vec::new();
        tokens::of(self.open, text, |part| parts.push(part))?;
        Ok(parts)
    }

    /// In how many rows a word is, as far as that matters.
    fn rows(&self, word: &str) -> rusqlite::Result<usize> {
        let name = self.name;
        let mut rows = self.open.prepare_cached(&format!(
            "SELECT count(*) FROM (SELECT 1 FROM {name} WHERE {name} MATCH ?1 ORDER BY rowid DESC LIMIT {WEIGHED} + 1)"
        ))?;
        rows.query_row([format!("\"{word}\"")], |row| row.get(0))
    }

    /// The words that begin with one. Those that are in few places are looked at together, one that is in very many is leapt over.
    fn longer(&self, word: &str) -> rusqlite::Result<Longer> {
        let mut look = self.open.prepare_cached(&format!(
            "SELECT term, count(*) FROM (SELECT term FROM temp.{}_seen WHERE term >= ?1 AND term < ?2 LIMIT {PIECE}) GROUP BY term",
            self.name
        ))?;
        let (mut longer, mut from, end) = (Longer::default(), word.to_owned(), format!("{word}\u{10FFFF}"));
        for _ in 0..self.looks {
            let mut piece = look
                .query_map([&from, &end], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<Vec<(String, usize)>>>()?;
            if piece.iter().map(|(_, places)| places).sum::<usize>() < PIECE {
                longer.words.append(&mut piece);
                longer.whole = true;
                break;
            }
            let Some((last, _)) = piece.pop() else { break };
            from = match piece.is_empty() {
                true => {
                    let next = format!("{last}\0");
                    longer.words.push((last.clone(), self.rows(&last)?));
                    next
                }
                // The rest of its places comes next.
                false => last,
            };
            longer.words.append(&mut piece);
        }
        Ok(longer)
    }
}

impl Longer {
    /// Whether they are soon put together.
    fn is_little(&self) -> bool {
        self.whole && self.words.iter().map(|(_, rows)| rows).sum::<usize>() <= EVERYWHERE
    }

    /// Each by itself, first the one that was typed, then those that are used most: the first row is had without putting all together.
    fn each(mut self, typed: &str) -> Word {
        let is_alone = !self.whole || self.words.len() > LONGER;
        self.words.sort_by_key(|(word, rows)| (word != typed, Reverse(*rows)));
        let words: Vec<String> = self.words.iter().take(LONGER).map(|(word, _)| format!("\"{word}\"")).collect();
        Word { query: format!("({})", words.join(" OR ")), is_weighed: false, is_alone }
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema;
    use super::*;

    /// An index of names, each of a title and how many have it.
    fn index(titles: &[(&str, usize)]) -> Connection {
        let mut open = Connection::open_in_memory().unwrap();
        schema::bring_up(&mut open).unwrap();
        let change = open.transaction().unwrap();
        for title in titles.iter().flat_map(|(title, many)| std::iter::repeat_n(title, *many)) {
            change.prepare_cached("INSERT INTO names(title) VALUES(?1)").unwrap().execute([title]).unwrap();
        }
        change.commit().unwrap();
        open
    }

    fn asked(open: &Connection, typed: &str) -> Asked {
        Asked::of(open, "names", &Terms::of(typed, 0)).unwrap()
    }

    #[test]
    fn what_is_typed_is_never_a_query() {
        let open = index(&[]);
        for (typed, query) in [
            ("gopher menus", "\"gopher\" * AND \"menus\" *"),
            ("\"gopher menu\" wxyz", "\"gopher menu\" AND \"wxyz\" *"),
            ("title:x OR NEAR(a b)", "\"title:x\" * AND \"OR\" AND \"NEAR(a\" * AND \"b)\""),
            ("a* -b ^c {d}: \"e", "\"a*\" AND \"-b\" AND \"^c\" AND \"{d}:\" * AND \"e\""),
            ("*** \" \" ()", ""),
            ("Köln \u{24b6} go", "\"Köln\" * AND \"go\""),
        ] {
            let asked = asked(&open, typed);
            assert_eq!((asked.all.as_str(), asked.alone), (query, vec![]), "{typed}");
            assert_eq!(asked.weighed, asked.all, "{typed}");
        }
    }

    #[test]
    fn what_very_many_have_takes_no_part_in_the_weighing() {
        let open =
            index(&[("common lamp", WEIGHED + 1), ("rare lamp", 10), ("middling", EVERYWHERE + 1), ("middlings", 1)]);
        let weighed = |typed: &str| asked(&open, typed).weighed;
        assert_eq!(weighed("common lamp"), "");
        assert_eq!(weighed("common rare"), "\"rare\" *");
        assert_eq!(weighed("\"rare lamp\" common"), "\"rare lamp\"", "one word of it is rare");
        assert_eq!(weighed("\"common lamp\""), "");
        // Of what is everywhere longer words are not looked for, and that is said.
        let middling = asked(&open, "middling");
        assert_eq!((middling.weighed.as_str(), middling.alone), ("\"middling\"", vec!["middling".to_owned()]));
        assert_eq!(asked(&open, "middlin").all, "(\"middling\" OR \"middlings\")");
    }

    #[test]
    fn of_what_begins_very_many_words_those_are_asked_for_that_are_used_most() {
        let names: Vec<String> = (0..LONGER + 20).map(|n| format!("lant{n:03}")).collect();
        let mut titles: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 150)).collect();
        titles.extend([("lant", 1), ("lantern", 1_400), ("lanterns", 1), ("other", 9)]);
        let open = index(&titles);
        let lant = asked(&open, "lant other");
        let words: Vec<&str> = lant.all.split(" OR ").collect();
        assert_eq!((words[0], words[1], words.len()), ("(\"lant\"", "\"lantern\"", LONGER));
        assert_eq!((lant.weighed.as_str(), lant.alone), ("\"other\" *", vec!["lant".to_owned()]));
        // Of so few all are asked for, and nothing is to be said.
        let lantern = asked(&open, "lanter");
        assert_eq!((lantern.all.as_str(), lantern.alone), ("\"lanter\" *", vec![]));
        // However many there are, it is looked a bounded number of times.
        let index = Index { open: &open, name: "names", looks: 3 };
        let longer = index.longer("lant").unwrap();
        assert!(!longer.whole && longer.words.len() <= 3 * PIECE / 150, "{longer:?}");
    }

    #[test]
    fn letters_of_scripts_without_blanks_are_asked_for_one_after_the_other() {
        let open = index(&[("東 京 都", 3)]);
        assert_eq!(asked(&open, "東京").all, "\"東  京\"");
        assert_eq!(asked(&open, "\"東京 都\" x").all, "\"東  京   都\" AND \"x\"");
        let old = index(&[("東 京 都", 3), ("東京都庁", 1)]);
        assert_eq!(asked(&old, "東京").all, "(\"東  京\" OR \"東京\" *)", "as one of before has it");
    }
}
