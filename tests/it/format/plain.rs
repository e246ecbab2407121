//! Plain text: what the golden pairs do not show.

use super::{input, parse, parse_in};
use wayfarer::doc::{BlockKind, Builder, LinkId};
use wayfarer::format::{media, parser};

fn plain() -> wayfarer::format::Input {
    input(media::PLAIN, "gopher://home.example/0")
}

#[test]
fn lines_appear_at_once_and_links_with_their_paragraph() {
    let mut out = Builder::new();
    let mut text = parser(&plain()).unwrap();
    text.feed(b"one\ntwo <URL:http://x.example/\n", &mut out);
    assert_eq!(out.document().text(), "one");
    text.feed(b"a>\n\n", &mut out);
    assert_eq!(out.document().text(), "onetwo <URL:http://x.example/a>");
    assert_eq!(out.document().reference(LinkId(0)), Some("http://x.example/a"));
}

#[test]
fn text_without_empty_lines_does_not_wait_for_its_end() {
    let mut out = Builder::new();
    let mut text = parser(&plain()).unwrap();
    for _ in 0..1000 {
        text.feed(b"a line of 40 octets: x:y\n", &mut out);
    }
    assert!(out.document().blocks().len() > 500);
}

#[test]
fn long_lines_are_cut_between_characters() {
    let line = "ä".repeat(100_001);
    let document = parse_in(&plain(), line.as_bytes(), 8192);
    assert_eq!(document.text(), line);
    assert_eq!(document.blocks().len(), 4);
    assert!((0..4).all(|block| document.block_text(block).len() <= 64 * 1024));
    assert_eq!(document, parse_in(&plain(), line.as_bytes(), line.len()));
    // A line of exactly the limit, and its end.
    let line = format!("{}\nnext", "x".repeat(64 * 1024));
    assert_eq!(parse_in(&plain(), line.as_bytes(), 1000).blocks().len(), 2);
}

#[test]
fn a_link_over_three_quoted_lines_is_one_link() {
    let document = parse(&plain(), b"> see <http://www.example.org/a/\n> b/\n> c>, he said\n");
    assert_eq!(document.link_count(), 1);
    assert_eq!(document.reference(LinkId(0)), Some("http://www.example.org/a/b/c"));
    assert_eq!(document.text(), "> see <http://www.example.org/a/> b/> c>, he said");
    let linked: Vec<&str> = document
        .spans_in(0..document.text().len())
        .iter()
        .map(|s| &document.text()[s.start as usize..s.end as usize])
        .collect();
    assert_eq!(linked, ["http://www.example.org/a/", "b/", "c"]);
}

#[test]
fn a_page_of_form_feeds_is_rules() {
    let document = parse(&plain(), b"a\n\x0C\nb\x0Cc");
    let kinds: Vec<BlockKind> = document.blocks().iter().map(|b| b.kind).collect();
    assert_eq!(kinds, [BlockKind::Line, BlockKind::Rule, BlockKind::Line, BlockKind::Rule, BlockKind::Line]);
}
