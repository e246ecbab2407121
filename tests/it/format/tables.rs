//! Tables as they are set: no word is lost at any width, links and finds are where they are shown, hostile ones stay small.

use super::{input, parse_in};
use crate::random::search;
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;
use wayfarer::doc::{Anchor, Builder, Document, Layout, Line, LinkId, Marks, Wrap};
use wayfarer::format::{Arrange, Learnt, Wishes, media, parser};
use wayfarer::stop::Stop;

const WIDTHS: [u16; 5] = [7, 20, 40, 80, 132];

fn page(html: &str) -> Document {
    parse_in(&input(media::HTML, "http://home.example/"), html.as_bytes(), 16 * 1024)
}

fn layout(width: u16) -> Layout {
    Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words }
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
    let spans: String =
        (0..2000).map(|n| format!("<tr><td colspan={}>words of<td colspan={}>a row", n % 90, n / 90)).collect();
    let spans = format!("<table>{spans}</table>");
    let pages = [
        golden,
        "<table><tr><th>a<td>b<tr><td rowspan=3><p>one<p>two<p>three<ul><li>four</ul><td>x<tr><td><tr><td>z<tr><td>y</table>",
        "<table><tr><th>a<th>b<tr><td>日本語日本語日本語日本語 e\u{301}\u{301}x 👩‍👩‍👧‍👧 नमस्ते<td>Верхний регистр</table>",
        "<table><caption>c</caption><tr><td><table><tr><td>1<td>2<tr><td><table><tr><td>3<td>4</table><td>5</table><td>6</table>",
        "<table><tr><th>/////<th>│──┼<tr><td>* star<td>──────<tr><td>\u{f0000}\u{f0001}<td>\u{20000}\u{10ffff}</table>",
        "<table><tr><td colspan=16000 rowspan=60000>a<td>b<tr><td>c<td>d</table>",
        "<table><tr><th>a<th>b<tr><td><tr><td>x<td><a href=q>a link that goes on for long enough to wrap</a><tr></table>",
        &wide,
        &spans,
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
            "Lynx    1992  • old",
            "              • kept",
            "",
            "Links   1999  One.",
            "",
            "              Two.",
            "           7  Three.",
            "",
            "in         both",
            "more   0      1  2",
            "              3  4",
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
    let lines = ["Name            What", "a cell beside   one", "two             two", "", "end"];
    assert_eq!(shown(out.document(), 20), lines);
}

fn scrolled(document: &Document, width: u16, left: u16) -> Vec<String> {
    layout(width).lines_scrolled(document, Anchor::default(), 100, left).iter().map(text).collect()
}

const WIDE: &str = "<p>Some words<table><tr><th>Operator<th>Trait<th>For assignment<tr><td>*<td>std::ops::Mul\
    <td><a href=m>std::ops::MulAssign</a><tr><td>/<td>std::ops::Div<td>std::ops::DivAssign</table>";

#[test]
fn a_table_wider_than_the_screen_is_scrolled_by_itself() {
    let document = page(WIDE);
    assert_eq!(
        shown(&document, 30)[2..],
        [
            "Operator  Trait          For assignment",
            "*         std::ops::Mul  std::ops::MulAssign",
            "/         std::ops::Div  std::ops::DivAssign",
        ]
    );
    let lines = |left| scrolled(&document, 30, left);
    assert_eq!(
        lines(0),
        [
            "Some words",
            "",
            "Operator  Trait          For ›",
            "*         std::ops::Mul  std:›",
            "/         std::ops::Div  std:›",
        ]
    );
    assert_eq!(
        lines(8),
        [
            "Some words",
            "",
            "‹ Trait          For assignme›",
            "‹ std::ops::Mul  std::ops::Mu›",
            "‹ std::ops::Div  std::ops::Di›",
        ]
    );
    // no farther than there is something to see
    assert_eq!(lines(900), lines(14));
    assert_eq!(lines(14)[3], "‹ops::Mul  std::ops::MulAssign");
    let link = document.link_anchor(LinkId(0)).unwrap();
    assert_eq!((layout(30).column_of(&document, link), layout(30).is_wide_at(&document, link)), (25, true));
    assert!(!layout(30).is_wide_at(&document, Anchor::default()) && !layout(80).is_wide_at(&document, link));
}

#[test]
fn what_is_seen_of_a_scrolled_table_is_the_text_that_stands_there() {
    let cells = "<td>日本語 text<td>e\u{301}e\u{301}<td>👩‍👩‍👧‍👧👩‍👩‍👧‍👧<td><a href=x>Верхний</a>";
    let document = page(&format!("<table><tr><th>a<th>b<th>c<th>d<tr>{cells}<tr>{cells}</table>"));
    for (width, left) in (1..24).flat_map(|width| (0..40).map(move |left| (width, left))) {
        for line in layout(width).lines_scrolled(&document, Anchor::default(), 9, left) {
            assert!(line.width() <= usize::from(width), "{line:?} at {width} from {left}");
            for segment in line.segments.iter().filter(|segment| segment.at.is_some()) {
                assert_eq!(document.text()[segment.range().unwrap()], segment.text, "at {width} from {left}");
            }
        }
    }
}

#[test]
fn preformatted_lines_in_a_cell_wrap_where_enough_of_them_stays() {
    let code = "<tr><td>1<td><pre>let answer = the_function(of, many, arguments);</pre>";
    let document = page(&format!("<table><tr><th>Nr<th>Code{code}</table>"));
    assert_eq!(shown(&document, 40), ["Nr  Code", "1   let answer = the_function(of, many,", "    arguments);"]);
    let off = Layout { wrap: Wrap::Off, ..layout(40) };
    let lines = off.lines_scrolled(&document, Anchor::default(), 9, 0);
    assert_eq!(text(&lines[1]), "1   let answer = the_function(of, many,›");
    let beside =
        page(&format!("<table><tr><th>Code<th>Says{}</table>", code.replace("<td>1", "<td>an_identifier_of_some")));
    assert_eq!(
        text(&layout(40).lines_scrolled(&beside, Anchor::default(), 9, 0)[1]),
        "an_identifier_of_some  let answer = the›"
    );
}

#[test]
fn rows_of_several_lines_are_parted() {
    let rows =
        "<tr><td>a<td>one two three<tr><td>b<td>x<tr><td>c<td>y<tr><td rowspan=2>d<td>1<tr><td>2<tr><td>e<td>z z z z z";
    assert_eq!(
        shown(&page(&format!("<table>{rows}</table>")), 10),
        ["a  one two", "   three", "", "b  x", "c  y", "d  1", "   2", "e  z z z z", "   z"]
    );
    let lined = shown(&page(&format!("<table border=1>{rows}</table>")), 10);
    assert_eq!(lined[1..4], ["   three", "──────────", "b  x"]);
    assert_eq!(shown(&page(&format!("<table border=0>{rows}</table>")), 10)[2], "");
}

#[test]
fn whole_urls_stay_whole_in_cells() {
    let url = format!("http://home.example/{}", "a-path/".repeat(20));
    let document =
        page(&format!("<table><tr><th>URL<th>Says<tr><td>{url}<td>nothing<tr><td>x<td><pre>at {url}</pre></table>"));
    let whole = Layout { wrap: Wrap::WholeUrls, ..layout(40) };
    let lines: Vec<String> = whole.lines(&document, Anchor::default(), 100).iter().map(text).collect();
    assert_eq!(lines.iter().filter(|line| line.contains(&url)).count(), 2, "{lines:?}");
    assert!(lines[1].ends_with("  nothing"), "{lines:?}");
}

#[test]
fn a_thousand_columns_keep_in_line() {
    let row = |what: &str| (0..1000).map(|n| format!("<td>{what}{n}")).collect::<String>();
    let document = page(&format!("<table><tr>{}<tr>{}</table>", row("title"), row("v")));
    let [titles, values] = ["title999", "v999"].map(|text| document.anchor_at(document.text().find(text).unwrap()));
    let layout = layout(80);
    assert_eq!(layout.column_of(&document, titles), layout.column_of(&document, values));
    assert!(layout.column_of(&document, values) > 9000);
    let left = (layout.column_of(&document, values) - 40) as u16;
    let line = &layout.lines_scrolled(&document, values, 1, left)[0];
    assert!(text(line).ends_with("v998      v999"), "{:?}", text(line));
    assert_whole(&document, 40);
}

#[test]
fn a_cell_over_more_columns_than_there_are_takes_those_there_are() {
    let document = page("<table><tr><td colspan=99>all of them<tr><td>a<td>b<td>c</table>");
    assert_eq!(shown(&document, 20), ["all of them", "a   b   c"]);
    let document = page("<table><tr><td colspan=16000>a<td>b<td>c<tr><td>d<td>e</table>");
    assert!(shown(&document, 20).iter().all(|line| !line.contains("bc")), "cells without a column do not run together");
}

#[test]
fn columns_without_a_text_take_no_room() {
    let document = page("<table><tr><td>first<td><td>last<tr><td>a<td colspan=2>spans<tr><td colspan=2>b<td>c</table>");
    assert_eq!(shown(&document, 20), ["first  last", "a      spans", "b      c"]);
    let document = page("<table><tr><td><td>x<td><tr><td><td>y<td></table>");
    assert_eq!(shown(&document, 20), ["x", "y"]);
}

#[test]
fn tables_that_place_things_are_taken_apart() {
    let document =
        page("<table><tr><td><ul><li>Home<li>News</ul><td><table><tr><td><h2>Welcome</h2><p>Words</table></table>");
    assert!(document.tables.is_empty());
    assert!(document.headings().count() == 1);
}

#[test]
fn what_a_table_says_of_itself_makes_it_data() {
    let row = format!("<tr><td>term<td>{}<ul><li>one<li>two</ul>", "words of the meaning ".repeat(40));
    let rows = |count: usize| format!("<table>{}</table>", row.repeat(count));
    // a border says so, or row after row of several cells
    let data = |html: &str| page(html).tables.len();
    assert_eq!((data(&rows(4)), data(&rows(5))), (0, 1));
    assert_eq!(data(&rows(2).replace("<table", "<table border=1")), 1);
    assert_eq!(data(&rows(2).replace("<table", "<table border=0")), 0);
    assert_eq!(data(&rows(2).replace("<td>term", "<th>term")), 1);
}

#[test]
fn tables_beyond_the_bounds_lose_nothing() {
    let many = format!("<table><tr><th>a<th>b{}</table>", "<tr><td><p>words<td rowspan=2>more words".repeat(500));
    let heavy = format!("<table><tr><th>a<th>b<tr>{}</table>", format!("<td>{}", "words ".repeat(1500)).repeat(20));
    let deep = format!("<table><tr><th>a<td>{}deep", "<table><tr><td>".repeat(60));
    let long = format!("<table><tr><th>a<th>b{}</table>", format!("<tr><td>{}<td>x", "y".repeat(500)).repeat(200));
    for html in [many, heavy, deep, long] {
        let document = page(&html);
        assert_whole(&document, 40);
    }
}

#[test]
fn any_block_may_stand_in_a_cell() {
    let long = "long runs of words ".repeat(60);
    let document = page(&format!(
        "<table><tr><th>What<th>How<tr><td><h3>Heading</h3><p>words<td><pre>fn main() {{\n    x();\n}}</pre>\
         <tr><td>a<hr>b<td><blockquote>said</blockquote><dl><dt>term<dd>meaning</dl><tr><td>run<td>{long}</table>",
    ));
    assert_eq!(document.tables.len(), 1);
    assert_eq!(document.headings().count(), 1);
    let lines = shown(&document, 40);
    assert_eq!(
        lines[..15],
        [
            "What     How",
            "Heading  fn main() {",
            "             x();",
            "words    }",
            "",
            "a          │ said",
            "",
            "───────  term",
            "             meaning",
            "b",
            "",
            "run      long runs of words long runs of",
            "         words long runs of words long",
            "         runs of words long runs of",
            "         words long runs of words long",
        ]
    );
    WIDTHS.into_iter().for_each(|width| assert_whole(&document, width));
}

#[test]
fn the_line_numbers_of_code_stand_beside_it() {
    let document = page("<table><tr><td class=linenos><pre>1\n2</pre><td><pre>fn main() {\n}</pre></table><p>outside");
    assert_eq!(shown(&document, 40), ["1  fn main() {", "2  }", "", "outside"]);
}

#[test]
fn rows_are_shown_while_a_table_arrives() {
    let mut parser = parser(&input(media::HTML, "http://home.example/")).unwrap();
    let mut out = Builder::new();
    parser.feed(b"<p>before<table><tr><th>Name<th>What", &mut out);
    (0..3000).for_each(|n| parser.feed(format!("<tr><td>row {n}<td>words").as_bytes(), &mut out));
    let lines = shown(out.document(), 40);
    assert_eq!(lines[..4], ["before", "", "Name      What", "row 0     words"]);
    assert!(lines.len() > 2000, "{}", lines.len());
    // none of it is settled before the columns are
    assert!(out.document().settled() <= 2 || out.document().blocks().len() > 4096);
    parser.feed(b"</table><p>after", &mut out);
    parser.finish(&mut out);
    assert_eq!(shown(out.document(), 40).len(), 3000 + 5);
    assert_eq!(out.document().settled() as usize, out.document().blocks().len() - 1);
}

/// What is set with a row does not depend on how long its table is.
#[test]
fn rows_are_set_few_at_a_time() {
    let plain = page(&format!("<table><tr><th>a<th>b{}</table>", "<tr><td>1<td>2".repeat(20_000)));
    assert_eq!(plain.row_of(20_001), 20_000..20_002);
    let spanned = page(&format!("<table><tr><th>a<th>b<th>c{}</table>", "<tr><td rowspan=65000>1<td>2".repeat(500)));
    for block in 0..spanned.blocks().len() as u32 {
        assert!(spanned.row_of(block).len() <= 64 * 3, "{:?}", spanned.row_of(block));
    }
    let heavy = page(&format!(
        "<table><tr><th>a<th>b{}</table>",
        format!("<tr><td rowspan=60>{}<td>x", "y ".repeat(4000)).repeat(60)
    ));
    let weight = |block: u32| {
        let blocks = heavy.row_of(block);
        blocks.clone().map(|block| heavy.block_text(block).len()).sum::<usize>()
    };
    assert!((0..heavy.blocks().len() as u32).all(|block| weight(block) <= 128 << 10));
}

#[test]
fn a_filter_takes_whole_rows() {
    let document = page("<p>wire<table><tr><th>Name<th>What<tr><td>wire<td>thin<tr><td>rope<td>thick</table>");
    let wishes = Wishes { filter: "wire".into(), ..Wishes::default() };
    let (rows, toggled, key, learnt) = (None, Default::default(), String::new(), Learnt::Nothing);
    let job = Arrange { given: Arc::new(document), rows, wishes, toggled, below: Vec::new(), key, learnt };
    let plan = job.run(&Stop::default()).unwrap();
    assert_eq!((plan.passed, plan.rows), (2, 5));
    // with the titles of the table
    assert_eq!(shown(plan.shown.unwrap().document(), 40), ["wire", "Name  What", "wire  thin"]);
}

/// What may stand in a cell.
fn contents() -> impl Strategy<Value = String> {
    let plain = prop::sample::select(vec![
        "",
        "x",
        "one two three",
        "an_identifier_that_is_long",
        "日本語日本語",
        "<p>a<p>b",
        "<ul><li>one<li>two</ul>",
        "<ol start=9><li>nine<li>ten</ol>",
        "<pre>a  b\n  c</pre>",
        "<h2>head</h2>words",
        "a<hr>b",
        "<a href=u>a link to follow</a>",
        "<table><caption>c</caption><tr><th>p<td rowspan=2>q<tr><td>r</table>",
        "<div align=right>right</div>",
    ]);
    plain.prop_map(Into::into)
}

proptest! {
    #![proptest_config(search(96))]

    #[test]
    fn any_table_is_whole_at_any_width(
        rows in prop::collection::vec(prop::collection::vec((1usize..4, 1usize..4, contents()), 0..5), 1..6),
        width in 1u16..60,
    ) {
        let cell = |(columns, rows, content): &(usize, usize, String)| {
            format!("<td colspan={columns} rowspan={rows}>{content}")
        };
        let row = |cells: &Vec<_>| format!("<tr>{}", cells.iter().map(cell).collect::<String>());
        let table: String = rows.iter().map(row).collect();
        assert_whole(&page(&format!("before<table><caption>of it</caption>{table}</table>after")), width);
    }
}

/// Found by fuzzing: rows without a line, and what comes after them.
#[test]
fn rows_without_any_text_have_no_lines() {
    let document = page("<table><th><th><tr><caption>t");
    for width in WIDTHS {
        let layout = layout(width);
        assert_eq!(layout.bottom(&document, 10), Anchor::default());
        let lines = shown(&document, width);
        assert!(lines.len() <= 1, "{lines:?}");
    }
    let document = page("above<table><th><th><tr><caption>t</table>below");
    let lines = shown(&document, 40);
    assert_eq!((lines.first(), lines.last()), (Some(&"above".into()), Some(&"below".into())), "{lines:?}");
    assert_eq!(
        layout(40).bottom(&document, 1),
        layout(40).lines(&document, Anchor::default(), 99).last().unwrap().anchor
    );
}
