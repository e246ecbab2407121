//! Moving about in a document, at every width.

use super::{document, layout, screen, shown};
use crate::random::search;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;
use wayfarer::doc::{Anchor, BlockKind, Builder, Document, Layout, Line, Marker, Marks, ScrollPosition, Wrap, columns};
use wayfarer::role::Role;

/// Text with everything in it that makes wrapping hard.
fn awkward() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        "word",
        " ",
        "  ",
        "     ",
        "\t",
        "-",
        "/",
        "http://a.example/b/c?d=e&f",
        "日",
        "本語。",
        "「",
        "e\u{301}",
        "\u{301}",
        "👩\u{200d}👩\u{200d}👧",
        "🇩🇪",
        "☎\u{fe0f}",
        "\u{200b}",
        "\u{a0}",
        "я",
        "ﾞ",
        "क्षि",
        "ﷺ",
        "averyverylongwordindeed",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

fn kind() -> impl Strategy<Value = BlockKind> {
    prop::sample::select(vec![
        BlockKind::Line,
        BlockKind::Line,
        BlockKind::Paragraph,
        BlockKind::Heading(2),
        BlockKind::Entry,
        BlockKind::Row,
        BlockKind::Rule,
    ])
}

prop_compose! {
    fn documents()(blocks in prop::collection::vec(
        (kind(), prop::collection::vec((awkward(), any::<bool>()), 0..3), any::<bool>(), 0u8..4), 1..8,
    )) -> Document {
        let mut builder = Builder::new();
        for (kind, pieces, marked, indent) in blocks {
            let marker = if marked { Marker::Text } else { Marker::None };
            builder.marked(kind, Role::Text, marker, indent);
            for (text, link) in pieces {
                if link { builder.link(&text, Role::Link, "x"); } else { builder.text(&text); }
            }
        }
        builder.finish()
    }
}

prop_compose! {
    fn layouts()(width in prop_oneof![1u16..4, 1u16..30, 30u16..90], off in any::<bool>(), glyphs in any::<bool>()) -> Layout {
        Layout {
            measure: None,
            width,
            wrap: if off { Wrap::Off } else { Wrap::On },
            marks: if glyphs { Marks::Glyphs } else { Marks::Words },
        }
    }
}

fn all(layout: Layout, document: &Document) -> Vec<Line<'_>> {
    layout.lines(document, Anchor::default(), usize::MAX)
}

proptest! {
    #![proptest_config(search(400))]

    #[test]
    fn no_line_is_wider_than_the_page(document in documents(), layout in layouts(), column in 0u16..40) {
        for line in layout.lines_scrolled(&document, Anchor::default(), usize::MAX, column) {
            // one grapheme that is wider than the page has a line of its own
let own: String = line.segments.iter().filter(|s| s.at.is_some()).map(|s| &*s.text).collect();
            let lone = own.graphemes(true).filter(|g| columns(g) > 0).count() == 1;
            prop_assert!(line.width() <= usize::from(layout.width) || lone, "{line:?}");
            prop_assert_eq!(line.width(), columns(&shown(&line)));
        }
    }

    #[test]
    fn segments_are_slices_in_their_own_look(document in documents(), layout in layouts()) {
        let mut reached = 0;
        for segment in all(layout, &document).iter().flat_map(|line| &line.segments) {
            prop_assert!(!segment.text.is_empty());
            prop_assert!(!segment.text.contains('\t'));
            if let Some(range) = segment.range() {
                prop_assert_eq!(&document.text()[range.clone()], segment.text.as_ref());
                prop_assert!(range.start >= reached);
                reached = range.end;
            }
        }
    }

    #[test]
    fn lines_say_all_of_their_block(text in awkward(), width in 1u16..40) {
        let document = document(BlockKind::Line, &[&text]);
        let lines = all(layout(width), &document);
        let mut at = 0;
        for range in lines.iter().flat_map(|line| &line.segments).filter_map(|segment| segment.range()) {
            // only white space at a line's end is not shown; TABs are spaces
            prop_assert!(text[at..range.start].chars().all(|c| c == ' ' || c == '\t'), "{:?}", &text[at..range.start]);
            at = range.end;
        }
        prop_assert!(text[at..].chars().all(|c| c == ' ' || c == '\t'));
    }

    #[test]
    fn paragraphs_say_the_same_words_at_every_width(text in awkward(), width in 1u16..40) {
        let document = document(BlockKind::Paragraph, &[&text]);
        let squeezed = |s: &str| s.replace([' ', '\t'], "");
        prop_assert_eq!(squeezed(&screen(layout(width), &document).concat()), squeezed(&text));
        for line in screen(layout(width), &document) {
            // a space with a mark upon it is a letter
            let letters: Vec<&str> = line.graphemes(true).collect();
            prop_assert!(letters.first() != Some(&" ") && letters.last() != Some(&" "), "{line:?}");
            prop_assert!(letters.windows(2).all(|pair| pair != [" ", " "]), "{line:?}");
        }
    }

    #[test]
    fn going_down_and_up_returns(document in documents(), layout in layouts(), count in 0usize..30, at in 0usize..100) {
        let lines = all(layout, &document);
        let at = at % lines.len();
        let from = lines[at].anchor;
        let down = layout.down(&document, from, count);
        prop_assert_eq!(down, lines[(at + count).min(lines.len() - 1)].anchor);
        let up = layout.up(&document, from, count);
        prop_assert_eq!(up, lines[at.saturating_sub(count)].anchor);
        if at + count < lines.len() {
            prop_assert_eq!(layout.up(&document, down, count), from);
        }
        prop_assert_eq!(layout.bottom(&document, count), lines[lines.len() - count.clamp(1, lines.len())].anchor);
    }

    #[test]
    fn any_place_shows_the_same_lines(document in documents(), layout in layouts(), block in 0u32..8, offset in 0u32..300) {
        let lines = all(layout, &document);
        let place = Anchor { block, offset };
        let from = layout.line_start(&document, place);
        let at = lines.iter().position(|line| line.anchor == from);
        prop_assert!(at.is_some());
        prop_assert_eq!(&layout.lines(&document, place, usize::MAX)[..], &lines[at.unwrap()..]);
        if document.block_range(block).len() > offset as usize {
            prop_assert!(from <= place);
            prop_assert!(lines.get(at.unwrap() + 1).is_none_or(|next| next.anchor > place));
        }
    }

    #[test]
    fn a_place_survives_a_change_of_width(document in documents(), layout in layouts(), width in 1u16..90, at in 0usize..100) {
        let lines = all(layout, &document);
        let place = lines[at % lines.len()].anchor;
        let other = Layout { width, ..layout };
        let from = other.line_start(&document, place);
        let shown = other.lines(&document, place, 2);
        prop_assert_eq!(shown[0].anchor, from);
        prop_assert!(from <= place && shown.get(1).is_none_or(|next| next.anchor > place));
    }
}

fn numbered(count: usize) -> Document {
    let mut builder = Builder::new();
    for number in 0..count {
        builder.block(BlockKind::Line, Role::Text);
        builder.text(&number.to_string());
    }
    builder.finish()
}

fn line(block: u32) -> Anchor {
    Anchor { block, offset: 0 }
}

#[test]
fn the_place_is_told_as_editors_tell_it() {
    let document = numbered(101);
    let place = |top, rows| layout(40).percent(&document, line(top), rows).to_string();
    assert_eq!(place(0, 200), "All");
    assert_eq!(place(0, 101), "All");
    assert_eq!(place(0, 100), "Top");
    assert_eq!(place(1, 100), "Bot");
    assert_eq!(place(45, 10), "47%");
    assert_eq!(layout(40).percent(&Document::default(), line(0), 5), ScrollPosition::All);
    // blank lines count too
    let blank = super::document(BlockKind::Line, &[""; 100]);
    assert_eq!(layout(40).percent(&blank, line(45), 10), ScrollPosition::Percent(50));
}

#[test]
fn an_empty_document_has_no_lines() {
    let document = Document::default();
    let layout = layout(80);
    assert!(layout.lines(&document, line(3), 10).is_empty());
    assert_eq!(layout.down(&document, line(3), 10), line(0));
    assert_eq!(layout.up(&document, line(3), 10), line(0));
    assert_eq!(layout.bottom(&document, 10), line(0));
}

#[test]
fn any_number_is_a_number_of_lines() {
    let document = numbered(5);
    assert_eq!(layout(0).up(&document, line(3), usize::MAX), line(0));
    assert_eq!(layout(0).down(&document, line(3), usize::MAX), line(4));
    assert_eq!(layout(u16::MAX).bottom(&document, usize::MAX), line(0));
    assert_eq!(layout(9).bottom(&document, 0), line(4));
    assert!(layout(9).lines(&document, line(0), 0).is_empty());
}

/// One block of ten megabytes without a space is set chunk by chunk.
#[test]
fn a_line_without_end_is_set_where_it_is_looked_at() {
    for text in ["x".repeat(10 << 20), "я日".repeat(2 << 20), "e\u{301}".repeat(3 << 20)] {
        let document = document(BlockKind::Line, &[&text]);
        for layout in [layout(80), layout(3), Layout { wrap: Wrap::Off, ..layout(80) }] {
            for part in 0..20 {
                let middle = Anchor { block: 0, offset: (text.len() / 20 * part) as u32 };
                let lines = layout.lines(&document, middle, 500);
                assert!(lines.windows(2).all(|pair| pair[0].anchor < pair[1].anchor));
                assert!(lines.iter().all(|line| line.width() <= usize::from(layout.width)));
                let below = layout.down(&document, middle, 4);
                assert_eq!(layout.up(&document, below, 4), layout.line_start(&document, middle));
                if layout.wrap == Wrap::On {
                    let range = |line: &Line<'_>| line.range().unwrap();
                    assert!(lines.windows(2).all(|pair| range(&pair[0]).end == range(&pair[1]).start));
                }
            }
        }
    }
}

/// Chunks are cut at spaces, so that no word is.
#[test]
fn a_chunk_ends_between_words() {
    let text = "wayfarer ".repeat(10_000);
    for kind in [BlockKind::Line, BlockKind::Paragraph] {
        let document = document(kind, &[&text]);
        for line in screen(layout(61), &document) {
            assert!(line.split(' ').all(|word| word.is_empty() || word == "wayfarer"), "{line:?}");
        }
    }
}

/// The work of a question does not grow with the document: every place of a million and a half lines is asked for.
#[test]
fn a_million_lines_are_not_looked_at() {
    let document = numbered(1_500_000);
    let layout = layout(80);
    for part in 0..3000 {
        let top = line(part * 500);
        assert_eq!(layout.lines(&document, top, 50).len(), 50);
        assert_eq!(layout.down(&document, top, 50), line(part * 500 + 50));
        assert_eq!(layout.up(&document, top, 50), line((part * 500).saturating_sub(50)));
        assert_eq!(layout.bottom(&document, 50), line(1_499_950));
        let _ = layout.percent(&document, top, 50);
    }
}
