//! What stands below links: lines without text, and places in them.

use super::layout;
use crate::random::search;
use proptest::prelude::*;
use wayfarer::doc::{
    Anchor, Arranged, BlockKind, Builder, Canvas, Document, Folded, Inserted, Insertion, Layout, LinkId, Marks, Wrap,
};
use wayfarer::format::{Input, parse};
use wayfarer::role::Role;
use wayfarer::stop::Stop;
use wayfarer::url::Url;

fn shown(given: &Document, insertions: &[Insertion]) -> Arranged {
    let blocks: Vec<u32> = (0..given.blocks().len() as u32).collect();
    Arranged::with(given, &blocks, &Folded::default(), insertions, "x", &Stop::new()).unwrap()
}

fn picture(link: u32, size: (u32, u32)) -> Insertion {
    Insertion { link: LinkId(link), what: Inserted::Picture(Canvas { size, cell: (1, 2), rows: 20 }) }
}

fn lines() -> Document {
    let mut out = Builder::new();
    for name in ["one", "two", "three"] {
        out.block(BlockKind::Paragraph, Role::Text);
        out.text("before ");
        out.link(name, Role::Link, name);
        out.text(" after");
    }
    out.finish()
}

fn html(source: &str) -> Document {
    let url = Url::parse("http://h/").unwrap();
    let input =
        Input { media: "text/html".into(), charset: None, groups: Default::default(), url, notices: Vec::new() };
    parse(&input, source.as_bytes()).unwrap()
}

/// The lines as they read, a row of a picture as its columns and its number.
fn read(layout: &Layout, document: &Document) -> Vec<String> {
    let lines = layout.lines(document, Anchor::default(), 200);
    let segment = |segment: &wayfarer::doc::Segment<'_>| match segment.row {
        Some(row) => format!("<{}:{row}>", segment.text.len()),
        None => segment.text.to_string(),
    };
    lines.iter().map(|line| line.segments.iter().map(segment).collect::<String>().trim_end().to_string()).collect()
}

#[test]
fn rows_stand_below_the_line_that_names_them() {
    let given = lines();
    let words = Insertion { link: LinkId(0), what: Inserted::Words("it comes".into(), Role::Dim) };
    let arranged = shown(&given, &[picture(1, (8, 6)), words]);
    let read = read(&layout(40), arranged.document());
    assert_eq!(
        read,
        ["before one after", "it comes", "before two after", "<8:0>", "<8:1>", "<8:2>", "before three after"]
    );
    assert_eq!(arranged.document().text().matches("two").count(), 1, "nothing of it is text");
    for plain in [Layout { marks: Marks::Plain, ..layout(40) }, Layout { wrap: Wrap::WholeUrls, ..layout(40) }] {
        assert_eq!(self::read(&plain, arranged.document()).len(), 4, "who listens, and who prints, hears of the words");
    }
}

#[test]
fn a_place_in_a_picture_outlives_another_arrangement() {
    let given = lines();
    let one = shown(&given, &[picture(1, (40, 40))]);
    let row = Anchor { block: 2, offset: 128 };
    assert_eq!(layout(40).line_start(one.document(), row).block, 2);
    let place = one.given_anchor(row);
    assert_eq!(place.block, 1);
    let both = shown(&given, &[picture(0, (4, 4)), picture(1, (40, 40))]);
    assert_eq!(both.shown_anchor(place), Some(Anchor { block: 3, offset: 128 }));
    // Without it, the reader is at the line that named it.
    let none = shown(&given, &[]);
    let left = none.shown_anchor(place).unwrap();
    assert_eq!((left.block, layout(40).line_start(none.document(), left).block), (1, 1));
}

#[test]
fn a_picture_in_a_cell_stands_in_the_columns_of_the_cell() {
    let given = html(
        "<table><tr><td>menu<td><p>Words of the page that need some room. <img src=a.png alt=a><p>More of them.</table>",
    );
    let arranged = shown(&given, &[picture(0, (10, 8))]);
    let read = read(&layout(60), arranged.document());
    let rows: Vec<&String> = read.iter().filter(|line| line.contains("<10:")).collect();
    assert_eq!(rows.len(), 4, "{read:#?}");
    assert!(read[0].starts_with("menu") && rows[0].starts_with("     "), "{read:#?}");
    assert!(read.last().unwrap().contains("More of them."), "{read:#?}");
}

#[test]
fn a_picture_between_rows_leaves_them_their_columns() {
    let rows: String = (0..4).map(|n| format!("<tr><td>name {n}<td><img src={n}.png alt=p{n}><td>{n}0")).collect();
    let given = html(&format!("<table>{rows}</table><p>End."));
    let before = read(&layout(60), shown(&given, &[]).document());
    let arranged = shown(&given, &[picture(1, (2, 6)), picture(3, (2, 2))]);
    let after = read(&layout(60), arranged.document());
    for line in before.iter().filter(|line| line.contains("name")) {
        assert!(after.contains(line), "{line:?} in {after:#?}");
    }
    assert_eq!(after.iter().filter(|line| line.contains("<2:")).count(), 4, "{after:#?}");
    assert_eq!(after.last().unwrap(), "End.");
}

proptest! {
    #![proptest_config(search(200))]
    /// Down and up are each other's way back, line by line, through whatever stands below links.
    #[test]
    fn lines_of_pictures_are_lines_like_others(width in 1u16..90, sizes in proptest::collection::vec((1u32..200, 1u32..400), 3)) {
        let given = lines();
        let insertions: Vec<Insertion> = (0..).zip(sizes).map(|(link, size)| picture(link, size)).collect();
        let arranged = shown(&given, &insertions);
        let (layout, document) = (layout(width), arranged.document());
        let all: Vec<Anchor> = layout.lines(document, Anchor::default(), 1000).iter().map(|line| line.anchor).collect();
        for pair in all.windows(2) {
            prop_assert!(pair[0] < pair[1]);
            prop_assert_eq!(layout.down(document, pair[0], 1), pair[1]);
            prop_assert_eq!(layout.up(document, pair[1], 1), pair[0]);
        }
        for (row, place) in all.iter().enumerate() {
            prop_assert_eq!(layout.line_start(document, *place), *place);
            prop_assert_eq!(layout.up(document, *place, row), Anchor::default());
            let given = arranged.given_anchor(*place);
            prop_assert_eq!(arranged.shown_anchor(given), Some(*place));
        }
        let figures = document.blocks().iter().filter(|block| matches!(block.kind, BlockKind::Figure(_))).count();
        prop_assert_eq!(figures, 3);
    }
}
