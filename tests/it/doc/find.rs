//! Find in page.

use super::document;
use crate::random::search;
use proptest::prelude::*;
use std::ops::Range;
use wayfarer::doc::{BlockKind, Document, Search};
use wayfarer::stop::Stop;

fn all(words: &str, texts: &[&str]) -> Vec<Range<usize>> {
    let document = document(BlockKind::Line, texts);
    Search::new(words).unwrap().within(&document, 0..document.text().len())
}

#[test]
fn case_counts_only_when_typed() {
    assert_eq!(all("gopher", &["Gopher gopher GOPHER"]), [0..6, 7..13, 14..20]);
    assert_eq!(all("Gopher", &["Gopher gopher GOPHER"]), [0..6]);
    assert_eq!(all("übung", &["Übung ÜBUNG übung ubung"]), [0..6, 7..13, 14..20]);
    assert_eq!(all("привет", &["Привет, ПРИВЕТ"]).len(), 2);
    assert_eq!(all("straße", &["Straße"]), [0..7]);
    // one case has more octets than the other
    assert_eq!(all("ⱥb", &["Ⱥb ⱥb"]), [0..3, 4..8]);
    assert_eq!(all("日本", &["東京、日本、日本"]).len(), 2);
    assert!(Search::new("").is_none());
    assert_eq!(Search::new("Abc").unwrap().words(), "Abc");
}

#[test]
fn a_space_is_any_white_space() {
    assert_eq!(all("a b", &["a b a\tb a\u{a0}b a\u{3000}b ab"]).len(), 4);
    assert_eq!(all(" b", &["a b\tb"]), [1..3, 3..5]);
    assert_eq!(all(" ", &["a b\u{3000}c"]), [1..2, 3..6]);
    assert_eq!(all("  ", &["a  b"]), [1..3]);
}

#[test]
fn a_match_lies_in_one_block() {
    assert_eq!(all("ab", &["xa", "bx", "ab"]), [4..6]);
    assert_eq!(all("aa", &["a", "aa", "aaaa"]), [1..3, 3..5, 5..7]);
}

#[test]
fn searching_goes_both_ways() {
    let document = document(BlockKind::Line, &["one two one", "two one"]);
    let search = Search::new("one").unwrap();
    assert_eq!(search.next(&document, 0), Some(0..3));
    assert_eq!(search.next(&document, 1), Some(8..11));
    assert_eq!(search.next(&document, 9), Some(15..18));
    assert_eq!(search.next(&document, 16), None);
    assert_eq!(search.next(&document, usize::MAX), None);
    assert_eq!(search.previous(&document, 0), None);
    assert_eq!(search.previous(&document, 1), Some(0..3));
    assert_eq!(search.previous(&document, 8), Some(0..3));
    assert_eq!(search.previous(&document, 9), Some(8..11));
    assert_eq!(search.previous(&document, usize::MAX), Some(15..18));
    assert_eq!(search.within(&document, 1..15), [8..11]);
}

#[test]
fn matches_are_counted() {
    let starts = |words: &str, document: &Document, from: usize, most: usize| {
        Search::new(words).unwrap().starts(document, from, most, &Stop::new()).unwrap()
    };
    // Some reach from one window of the search into the next.
    let text = "abcab".repeat(200_000);
    let document = document(BlockKind::Line, &[&text]);
    let all = starts("cab", &document, 0, usize::MAX);
    assert!(all.iter().zip(0..).all(|(start, n)| *start == 5 * n + 2) && all.len() == 200_000);
    assert_eq!(starts("cab", &document, 3, 2), [7, 12]);
    let overlapping = starts("abcababcab", &document, 0, usize::MAX);
    assert!(overlapping.iter().zip(0..).all(|(start, n)| *start == 10 * n) && overlapping.len() == 100_000);
    assert!(starts("cab", &Document::default(), 0, 10).is_empty());
    let stop = Stop::new();
    stop.give_up();
    assert_eq!(Search::new("cab").unwrap().starts(&document, 0, 10, &stop), None);
}

/// The plain way to look for something, to compare with.
fn plainly(words: &str, text: &str) -> Vec<usize> {
    let sensitive = words.chars().any(char::is_uppercase);
    let fold = |c: char| {
        if c.is_whitespace() {
            ' '
        } else if sensitive {
            c
        } else {
            c.to_lowercase().next().unwrap()
        }
    };
    let needle: Vec<char> = words.chars().map(fold).collect();
    text.char_indices()
        .map(|(at, _)| at)
        .filter(|at| {
            let here: Vec<char> = text[*at..].chars().take(needle.len()).map(fold).collect();
            here == needle
        })
        .collect()
}

proptest! {
    #![proptest_config(search(1000))]

    #[test]
    fn everything_is_found(text in "[abABéÉяЯ日 \t]{0,60}", words in "[abAéя日 ]{1,4}", from in 0usize..80) {
        let document = document(BlockKind::Line, &[&text]);
        let search = Search::new(&words).unwrap();
        let plain = plainly(&words, &text);
        prop_assert_eq!(search.next(&document, from).map(|hit| hit.start), plain.iter().copied().find(|at| *at >= from));
        prop_assert_eq!(search.previous(&document, from).map(|hit| hit.start), plain.iter().copied().rfind(|at| *at < from));
        let end = (from / 2..80).find(|at| text.is_char_boundary((*at).min(text.len()))).unwrap_or(80);
        for range in [0..end, end..from.max(end)] {
            let inside = || plain.iter().copied().filter(|at| range.contains(at));
            prop_assert_eq!(search.first_in(&document, range.clone()).map(|hit| hit.start), inside().next());
            prop_assert_eq!(search.last_in(&document, range.clone()).map(|hit| hit.start), inside().next_back());
        }
    }
}
