//! What a document costs, and its own questions.

use wayfarer::doc::{Anchor, BlockKind, Builder, LinkId, Marker};
use wayfarer::role::Role;

/// A menu of 20,000 entries, as a server sends it and as a document.
#[test]
fn a_big_menu_costs_at_most_twice_its_source() {
    let mut source = 0;
    let mut builder = Builder::new();
    for number in 0..20_000 {
        let name = format!("Entry number {number} of the archive");
        let selector = format!("/archive/entries/{number}.txt");
        source += format!("0{name}\t{selector}\tgopher.example.org\t70\r\n").len();
        builder.marked(BlockKind::Entry, Role::Text, Marker::Text, 0);
        builder.link(&name, Role::Link, &format!("gopher://gopher.example.org/0{selector}"));
    }
    let document = builder.finish();
    assert_eq!(document.link_count(), 20_000);
    assert!(document.memory() <= 2 * source, "{} for {source}", document.memory());
}

/// A text of short lines: a block costs twelve octets.
#[test]
fn plain_lines_cost_their_text_and_little_more() {
    let mut builder = Builder::new();
    for _ in 0..10_000 {
        builder.block(BlockKind::Line, Role::Text);
        builder.text("forty columns of text are a short line..");
    }
    let document = builder.finish();
    assert!(document.memory() <= document.text().len() * 13 / 10 + 4096, "{}", document.memory());
}

#[test]
fn text_before_the_first_block_has_a_block() {
    let mut builder = Builder::new();
    builder.text("early");
    let link = builder.link("link", Role::Link, "x");
    builder.link_more("more", Role::Link, LinkId(7));
    let document = builder.finish();
    assert_eq!(document.blocks().len(), 1);
    assert_eq!(document.block_text(0), "earlylinkmore");
    assert_eq!(document.link_anchor(link), Some(Anchor { block: 0, offset: 5 }));
    assert_eq!(document.spans_in(9..13)[0].link, None);
}

#[test]
fn names_lead_to_their_places() {
    let mut builder = Builder::new();
    builder.anchor("top");
    builder.block(BlockKind::Line, Role::Text);
    builder.text("one");
    builder.block(BlockKind::Line, Role::Text);
    builder.text("two ");
    builder.anchor("here");
    builder.text("three");
    let document = builder.finish();
    assert_eq!(document.anchor("top"), Some(Anchor::default()));
    assert_eq!(document.anchor("here"), Some(Anchor { block: 1, offset: 4 }));
    assert_eq!(document.anchor("there"), None);
    assert_eq!(document.offset_of(Anchor { block: 1, offset: 4 }), 7);
    assert_eq!(document.anchor_at(7), Anchor { block: 1, offset: 4 });
}
