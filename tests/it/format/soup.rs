//! HTML as people wrote it: misnested, misplaced, never closed. No word of it is lost, whatever the parser moves where.

use super::{input, parse_in};
use crate::random::search;
use proptest::prelude::*;
use wayfarer::format::media;

/// What stands in tables, and what does not.
const TABLE: &[&str] = &["table", "tr", "td", "th", "tbody", "thead", "caption", "col"];
const TAGS: &[&str] = &[
    "center",
    "div",
    "p",
    "h3",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "form",
    "b",
    "i",
    "span",
    "font",
    "hr",
    "address",
    "fieldset",
    "details",
    "summary",
    "section",
    "article",
    "nav",
    "label",
    "a href=l",
    "sup",
    "sub",
    "del",
    "q",
    "small",
    "br",
    "code",
    "legend",
    "button",
];
/// More nodes than the walk waits for before it goes into a table that has no end yet.
const MANY_ROWS: usize = 2500;

fn words(text: &str) -> Vec<String> {
    text.split("Wd").skip(1).map(|rest| rest.chars().take_while(char::is_ascii_digit).collect()).collect()
}

/// The words of a page in the order of the screen, read in pieces of so many octets.
fn read(html: &str, size: usize) -> Vec<String> {
    words(parse_in(&input(media::HTML, "http://home.example/"), html.as_bytes(), size).text())
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words
}

/// lynx, w3m, links2 and elinks show all of this.
#[test]
fn what_cannot_stand_in_a_table_is_kept() {
    let rows = "<tr><td>c<td>d</tr>".repeat(MANY_ROWS);
    for (before, size) in [("", 1), ("", 16 << 10), (rows.as_str(), 16 << 10)] {
        for tag in TAGS.iter().filter(|tag| !matches!(**tag, "hr" | "br")) {
            let name = tag.split(' ').next().unwrap_or(tag);
            let stray = format!("<{tag}>Wd1 <a href=l>Wd2</a></{name}>");
            for page in [
                format!("<p>Wd0</p><table>{before}{stray}<tr><td>Wd3<td>y</tr></table>Wd4"),
                format!("<p>Wd0</p><table>{before}<tr>{stray}<td>Wd3<td>y</tr></table>Wd4"),
                format!("Wd0<table>{before}Wd1{stray}<tr>Wd2<td>Wd3<tbody></table>Wd4"),
                format!("<!doctype html><p>Wd0<table>{before}<tr><td>Wd3<td>y{stray}<tr><td>x</table>Wd4"),
                format!("<div><table>{before}{stray}{stray}<tr><td>Wd3<td><table>{stray}Wd0</table></table>Wd4</div>"),
            ] {
                assert_eq!(sorted(read(&page, size)), sorted(words(&page)), "{tag}: {}", &page[..300.min(page.len())]);
            }
        }
    }
}

#[test]
fn what_cannot_stand_in_a_table_comes_before_it() {
    assert_eq!(read("Wd0<table>Wd1<center>Wd2</center>Wd3<tr><td>Wd5</tr><p>Wd4</table>Wd6", 1), list(7));
}

fn list(many: usize) -> Vec<String> {
    (0..many).map(|number| number.to_string()).collect()
}

#[derive(Debug, Clone)]
enum Bit {
    Word,
    Start(&'static str),
    End(&'static str),
}

fn bits(tags: &'static [&'static str]) -> impl Strategy<Value = Vec<Bit>> {
    let tag = || prop::sample::select(tags);
    let bit = prop_oneof![4 => Just(Bit::Word), 4 => tag().prop_map(Bit::Start), 2 => tag().prop_map(Bit::End)];
    prop::collection::vec(bit, 0..60)
}

fn page(bits: &[Bit], rows: usize) -> String {
    let (mut page, mut number) = (String::new(), 0);
    for bit in bits {
        match bit {
            Bit::Word => {
                page.push_str(&format!(" Wd{number} "));
                number += 1;
            }
            Bit::Start(tag) => {
                page.push_str(&format!("<{tag}>"));
                if *tag == "table" {
                    page.push_str(&"<tr><td>c<td>d</tr>".repeat(rows));
                }
            }
            Bit::End(tag) => page.push_str(&format!("</{}>", tag.split(' ').next().unwrap_or(tag))),
        }
    }
    page
}

fn all() -> &'static [&'static str] {
    static ALL: std::sync::LazyLock<Vec<&'static str>> = std::sync::LazyLock::new(|| [TABLE, TABLE, TAGS].concat());
    &ALL
}

proptest! {
    #![proptest_config(search(500))]

    #[test]
    fn no_word_of_a_tag_soup_is_lost(bits in bits(all()), size in 1usize..200) {
        let page = page(&bits, 0);
        prop_assert_eq!(sorted(read(&page, size)), sorted(words(&page)), "{}", page);
    }

    /// Only tables have what stands in them moved.
    #[test]
    fn without_tables_words_keep_their_order(bits in bits(TAGS), size in 1usize..200) {
        let page = page(&bits, 0);
        prop_assert_eq!(read(&page, size), words(&page), "{}", page);
    }
}

proptest! {
    #![proptest_config(search(12))]

    #[test]
    fn no_word_is_lost_where_tables_are_shown_before_their_end(bits in bits(all())) {
        let page = page(&bits, MANY_ROWS);
        prop_assert_eq!(sorted(read(&page, 16 << 10)), sorted(words(&page)), "{}", page.replace("<tr><td>c<td>d</tr>", ""));
    }
}
