//! Tables as they are set: no word is lost at any width, links and finds are where they are shown, hostile ones stay small.

use super::{input, parse_in};
use std::collections::HashSet;
use wayfarer::doc::{Anchor, BlockKind, Builder, Document, Layout, Line, LinkId, Marks, Wrap};
use wayfarer::format::{media, parser};

const WIDTHS: [u16; 5] = [7, 20, 40, 80, 132];

fn page(html: &str) -> Document {
    parse_in(&input(media::HTML, "http://home.example/"), html.as_bytes(), 16 * 1024)
}

fn layout(width: u16) -> Layout {
    Layout { width, wrap: Wrap::On, marks: Marks::Words }
}

fn text(line: &Line<'_>) -> String {
    let text: String = line.segments.iter().map(|segment| segment.text.as_ref()).collect();
    text.trim_end().into()
}

fn shown(document: &Document, width: u16) -> Vec<String> {
    layout(width).lines(document, Anchor::default(), 100_000).iter().map(text).collect()
}

/// Every character that is no blank is shown once, each line is a place, and each place is on the line that shows it.
fn assert_whole(document: &Document, width: u16) {
    let layout = layout(width);
    let lines = layout.lines(document, Anchor::default(), 100_000);
    let mut seen = HashSet::new();
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(layout.line_start(document, line.anchor), line.anchor, "width {width}, line {number}");
        if let Some(next) = lines.get(number + 1) {
            assert!(next.anchor > line.anchor, "width {width}, line {number}");
            assert_eq!(layout.up(document, next.anchor, 1), line.anchor, "width {width}, line {number}");
            assert_eq!(layout.down(document, line.anchor, 1), next.anchor, "width {width}, line {number}");
        }
        for range in line.segments.iter().filter_map(|segment| segment.range()) {
            for (at, c) in document.text()[range.clone()].char_indices().filter(|(_, c)| !c.is_whitespace()) {
                assert!(seen.insert(range.start + at), "{c} twice at width {width}");
            }
        }
    }
    for (at, c) in document.text().char_indices().filter(|(_, c)| !c.is_whitespace() && !c.is_control()) {
        assert!(seen.contains(&at), "{c} at {at} is lost at width {width} in {:?}", shown(document, width));
    }
    for link in (0..document.link_count()).map(LinkId).filter(|link| !document.link_text(*link).is_empty()) {
        let place = layout.line_start(document, document.link_anchor(link).unwrap());
        let line = &layout.lines(document, place, 1)[0];
        assert!(line.segments.iter().any(|segment| segment.link == Some(link)), "link {} at width {width}", link.0);
    }
}

#[test]
fn no_word_of_a_table_is_lost() {
    let golden = include_str!("../../data/format/html.tables.in");
    let wide = format!("<table><tr>{}</table>", format!("<td rowspan=3>{}", "wörter ".repeat(9)).repeat(30));
    let pages = [
        golden,
        "<table><tr><th>a<td>b<tr><td rowspan=3><p>one<p>two<p>three<ul><li>four</ul><td>x<tr><td><tr><td>z<tr><td>y</table>",
        "<table><tr><th>a<th>b<tr><td>日本語日本語日本語日本語 e\u{301}\u{301}x 👩‍👩‍👧‍👧 नमस्ते<td>Верхний регистр</table>",
        "<table><caption>c</caption><tr><td><table><tr><td>1<td>2<tr><td><table><tr><td>3<td>4</table><td>5</table><td>6</table>",
        "<table><tr><th>/////<th>│──┼<tr><td>* star<td>──────<tr><td>\u{f0000}\u{f0001}<td>\u{20000}\u{10ffff}</table>",
        "<table><tr><td colspan=16000 rowspan=60000>a<td>b<tr><td>c<td>d</table>",
        "<table><tr><th>a<th>b<tr><td><tr><td>x<td><a href=q>a link that goes on for long enough to wrap</a><tr></table>",
        &wide,
    ];
    for html in pages {
        let document = page(html);
        WIDTHS.into_iter().for_each(|width| assert_whole(&document, width));
    }
}

/// Checked by eye beside w3m and links2.
#[test]
fn tables_as_they_are_shown() {
    let document = page(include_str!("../../data/format/html.tables.in"));
    for width in [40, 80] {
        let got = shown(&document, width).join("\n") + "\n";
        let file = format!("{}/tests/data/format/html.tables.{width}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, &got).unwrap();
        }
        assert_eq!(got, std::fs::read_to_string(&file).unwrap(), "width {width}");
    }
}

#[test]
fn a_comparison_is_set_in_columns() {
    let document = page(
        "<table><tr><th>Name<th align=right>Since<th>Notes<tr><td><a href=l>Lynx</a><td align=right>1992<td><ul><li>old<li>kept</ul>\
         <tr><td rowspan=2>Links<td align=right>1999<td><p>One.<p>Two.<tr><td style='text-align: right'>7<td>Three.\
         <tr><td>in<td colspan=2 align=center>both<tr><td>more<td>0<td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>",
    );
    assert_eq!(
        shown(&document, 40),
        [
            "Name   Since  Notes",
            "Lynx    1992  * old",
            "              * kept",
            "Links   1999  One.",
            "",
            "              Two.",
            "           7  Three.",
            "in            both",
            "more   0      1   2",
            "              3   4",
        ]
    );
    let found = document.text().find("Two.").unwrap();
    let place = layout(40).line_start(&document, document.anchor_at(found));
    assert_eq!(text(&layout(40).lines(&document, place, 1)[0]).trim(), "Two.");
    assert_eq!(layout(40).column_of(&document, document.anchor_at(found)), 14);
}

#[test]
fn a_table_is_set_as_a_whole_when_it_is_complete() {
    let mut parser = parser(&input(media::HTML, "http://home.example/")).unwrap();
    let mut out = Builder::new();
    parser.feed(b"<table><tr><th>Name<th>What<tr><td rowspan=2>a cell beside two<td>one<tr><td>two", &mut out);
    parser.feed(b"</table><p>end", &mut out);
    parser.finish(&mut out);
    let lines = ["Name            What", "a cell beside   one", "two", "                two", "", "end"];
    assert_eq!(shown(out.document(), 20), lines);
}

#[test]
fn a_cell_over_more_columns_than_there_are_takes_those_there_are() {
    let document = page("<table><tr><td colspan=99>all of them<tr><td>a<td>b<td>c</table>");
    assert_eq!(shown(&document, 20), ["all of them", "a    b    c"]);
    let document = page("<table><tr><td colspan=16000>a<td>b<td>c<tr><td>d<td>e</table>");
    assert!(document.text().contains("b c"), "cells without a column do not run together");
}

#[test]
fn tables_that_place_things_are_taken_apart() {
    let document =
        page("<table><tr><td><ul><li>Home<li>News</ul><td><table><tr><td><h2>Welcome</h2><p>Words</table></table>");
    assert!(document.blocks().iter().all(|block| !matches!(block.kind, BlockKind::Cells(_))));
    assert!(document.headings().count() == 1);
}

#[test]
fn tables_beyond_the_bounds_are_set_row_by_row() {
    let many = format!("<table><tr><th>a<th>b{}</table>", "<tr><td><p>words<td rowspan=2>more words".repeat(20_000));
    let deep = format!("<table><tr><th>a<td>{}deep", "<table><tr><td>".repeat(60));
    let long = format!("<table><tr><th>a<th>b{}</table>", format!("<tr><td>{}<td>x", "y".repeat(500)).repeat(200));
    for html in [many, deep, long] {
        let document = page(&html);
        assert_whole(&document, 40);
    }
}
