//! HTML beyond the golden pairs: pages that arrive slowly, hostile pages, what forms send.

use super::{input, parse, parse_in};
use wayfarer::doc::{Anchor, BlockKind, Builder, Document, FieldKind, Layout, Marks, Method, Wrap};
use wayfarer::format::html::{File, Value, initial, submission};
use wayfarer::format::{media, parser};

fn page(html: &str) -> Document {
    let input = input(media::HTML, "http://home.example/folder/page.html");
    parse_in(&input, html.as_bytes(), 16 * 1024)
}

fn small(html: &str) -> Document {
    parse(&input(media::HTML, "http://home.example/folder/page.html"), html.as_bytes())
}

fn shown(document: &Document, width: u16) -> Vec<String> {
    let layout = Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let lines = layout.lines(document, Anchor::default(), 1000);
    lines
        .iter()
        .map(|line| line.segments.iter().map(|s| s.text.replace('\u{a0}', " ")).collect::<String>().trim_end().into())
        .collect()
}

#[test]
fn the_first_screen_does_not_wait_for_the_rest() {
    let input = input(media::HTML, "http://home.example/");
    let mut parser = parser(&input).unwrap();
    let mut out = Builder::new();
    let filler = "<p>words and words".repeat(100);
    parser.feed(format!("<body><div><main><h1>Head</h1>{filler}<p>last<ul><li>item<li>open").as_bytes(), &mut out);
    assert!(out.document().text().starts_with("Headwords"));
    assert!(out.document().text().ends_with("lastitem"), "only what may still grow is held back");
    parser.feed(b" end</ul>", &mut out);
    parser.finish(&mut out);
    assert!(out.document().text().ends_with("lastitemopen end"));
}

#[test]
fn a_table_without_end_is_shown_while_it_grows() {
    let input = input(media::HTML, "http://home.example/");
    let mut parser = parser(&input).unwrap();
    let mut out = Builder::new();
    parser.feed("<table>".as_bytes(), &mut out);
    (0..4000).for_each(|n| parser.feed(format!("<tr><td>{n}<td>words").as_bytes(), &mut out));
    assert!(out.document().text().contains("3000words"));
    // what does not belong into a table comes before it, unless that is written already
    parser.feed(b"<p>stray</p><tr><td>end</table>", &mut out);
    parser.finish(&mut out);
    assert!(out.document().text().contains("stray"));
    assert!(out.document().text().ends_with("end"));
}

#[test]
fn formatting_that_closes_in_the_wrong_order_loses_no_word() {
    let filler = "<i>x</i>".repeat(5000);
    let document = page(&format!("<div><b>1<p>2{filler}3</b>4</p>5</div><a href=u>6<div>7{filler}</a>8</div>9"));
    let ink = document.text().replace('x', "");
    assert_eq!(ink, "123456789");
    assert_eq!(document.text().len(), 9 + 10_000);
}

#[test]
fn nesting_without_end_is_cut() {
    const OTHERS: [&str; 7] = ["font", "span", "a href=x", "details", "q", "li", "select"];
    let most = ["div", "b", "table", "ul", "blockquote"].map(|name| (name, 100_000));
    for (name, deep) in most.into_iter().chain(OTHERS.map(|name| (name, 5_000))) {
        let document = page(&format!("{}deep", format!("<{name}>").repeat(deep)));
        assert!(document.text().contains("deep"), "{name}");
        for block in document.blocks() {
            assert!(block.indent <= 101, "{name}");
        }
    }
    let document = page(&"<div>".repeat(1000));
    assert_eq!(document.notes, ["elements nested more than 512 deep were left out"]);
}

#[test]
fn hostile_tables_stay_small() {
    let document = page("<table><tr><td colspan=16000 rowspan=60000>a<td>b<td>c<tr><td>d<tr><td colspan=-1>e</table>");
    assert!(document.tables[0].columns.len() <= 1024);
    assert!(document.text().len() < 1000);
    let wide = format!("<table>{}</table>", format!("<tr>{}", "<td>x".repeat(1600)).repeat(3));
    assert_eq!(page(&wide).tables.len(), 0);
    let late = format!("<table>{}<tr>{}</table>", "<tr><td>x<td>y".repeat(3000), "<td>x".repeat(1600));
    assert_eq!(page(&late).tables[0].columns.len(), 1024);
    let many = page(&"<table><tr><td>a<td colspan=9999>b<td>x<tr><td>c<td>d</table>".repeat(70_000));
    assert_eq!(many.tables.len(), 65_536);
    assert_eq!(many.text().matches('d').count(), 70_000);
    // a column that nothing stands in costs memory as well
    let columns: usize = many.tables.iter().map(|table| table.columns.len()).sum();
    assert!(columns <= 1000 * 1024 + 65_536 * 64, "{columns}");
}

#[test]
fn names_and_fields_are_counted() {
    let document = page(&(0..250_000).map(|n| format!("<i id=n{n}>x")).collect::<String>());
    assert!(document.anchors().count() <= 200_001);
    let document = page(&format!("<i id={}>x", "n".repeat(5000)));
    assert_eq!(document.anchors().count(), 1);
    let document = page(&"<form><input name=a>".repeat(25_000));
    assert_eq!(document.fields.len(), 20_000);
    assert_eq!(document.notes, ["some fields of its forms were left out"]);
    let options = "<option>x".repeat(250_000);
    let document = page(&format!("<select>{options}</select>"));
    let FieldKind::Select { options, .. } = &document.fields[0].kind else { panic!("no select") };
    assert_eq!(options.len(), 200_000);
}

#[test]
fn no_control_gets_through() {
    let document =
        small("<title>a&#155;b\x1b]0;x\x07</title><p>&#x9b;2J &#27;[31m\u{9b}31m \u{202e}x<img alt='&#x1b;c' src=x>");
    let texts = [document.text(), document.title.as_deref().unwrap()];
    for text in texts {
        assert!(!text.contains(|c: char| c.is_control() || c == '\u{202e}'), "{text:?}");
    }
}

#[test]
fn rows_wrap_within_their_columns() {
    let document = small(
        "<table><tr><th>Name<th>What it is<tr><td>wire<td>a long thin thing that <a href=x>carries current</a> to places\
         <tr><td colspan=2>both columns are taken by this one<tr><td align=right>7<td>x</table>",
    );
    assert_eq!(
        shown(&document, 30),
        [
            "Name  What it is",
            "wire  a long thin thing that",
            "      carries current to",
            "      places",
            "",
            "both columns are taken by this",
            "one",
            "",
            "   7  x",
        ]
    );
    // each line of a row is a place, and up and down agree
    let layout = Layout { width: 30, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let mut at = Anchor::default();
    for step in 1..9 {
        let next = layout.down(&document, at, 1);
        assert!(next > at, "{step}");
        assert_eq!(layout.up(&document, next, 1), at, "{step}");
        at = next;
    }
    let link = document.link_anchor(wayfarer::doc::LinkId(0)).unwrap();
    assert_eq!(layout.line_start(&document, link), layout.down(&document, Anchor::default(), 2));
}

#[test]
fn only_a_single_row_wraps_between_columns() {
    let letters = "<td>abcdefgh".repeat(6);
    let document = small(&format!("<table><tr>{letters}</table>"));
    assert_eq!(shown(&document, 21), ["abcdefgh  abcdefgh", "  abcdefgh  abcdefgh", "  abcdefgh  abcdefgh"]);
    let layout = Layout { width: 21, measure: None, wrap: Wrap::On, marks: Marks::Words };
    assert_eq!(layout.widest(&document, Anchor::default(), 10), 20);
    let document = small(&format!("<table><tr>{letters}<tr>{}</table>", "<td>12345678".repeat(6)));
    assert_eq!(shown(&document, 21), [["abcdefgh"; 6].join("  "), ["12345678"; 6].join("  ")]);
    assert_eq!(layout.widest(&document, Anchor::default(), 10), 58);
}

#[test]
fn words_stay_whole_as_long_as_they_fit_the_screen() {
    let table = |long: &str| format!("<table><tr><th>Name<th>Meaning<tr><td>{long}<td>takes some words</table>");
    // room is made by wrapping first
    let document = small(&table("an_identifier_of_26_letters"));
    assert_eq!(
        shown(&document, 36),
        [
            "Name                         Meaning",
            "an_identifier_of_26_letters  takes",
            "                             some",
            "                             words"
        ]
    );
    // then with less between the columns
    assert_eq!(
        shown(&document, 35),
        [
            "Name                        Meaning",
            "an_identifier_of_26_letters takes",
            "                            some",
            "                            words"
        ]
    );
    // then the table is wider than the screen, and words need not be crowded
    assert_eq!(
        shown(&document, 30),
        ["Name                         Meaning", "an_identifier_of_26_letters  takes some words"]
    );
    // a word that is longer than the screen is broken
    assert_eq!(
        shown(&document, 24),
        ["Name             Meaning", "an_identifier_o  takes", "f_26_letters     some", "                 words"]
    );
}

#[test]
fn tables_and_fields_survive_a_closed_fold() {
    let document = small(
        "<details><summary>More</summary><a href=x>hidden</a></details>\
         <form><input name=q></form><table><tr><td colspan=2>both of them<tr><td align=right>1<td>x</table>",
    );
    let folded = wayfarer::doc::Folded::of(&document, &Default::default());
    let blocks: Vec<u32> = (0..document.blocks().len() as u32).collect();
    let stop = wayfarer::stop::Stop::new();
    let arranged = wayfarer::doc::Arranged::of(&document, &blocks, &folded, "Enter", &stop).unwrap();
    let shown_now = arranged.document();
    let lines = shown(shown_now, 40);
    assert_eq!(lines[lines.len() - 2..], ["both of them", "    1  x"]);
    let field = &shown_now.fields[0];
    assert_eq!(shown_now.link_text(field.link.unwrap()), "[____________________]");
}

#[test]
fn numbers_hang() {
    let document = small("<ol start=9><li>nine words wrap under themselves<li>ten</ol>");
    assert_eq!(shown(&document, 24), ["   9. nine words wrap", "      under themselves", "  10. ten"]);
    assert!(document.blocks().iter().all(|block| block.kind == BlockKind::Item(4)));
}

#[test]
fn references_are_kept_as_written_and_bases_without_blanks_around() {
    let document =
        small("<a href=' <URL:x> '>a</a><a href='a\n b'>b</a><a href=''>c</a><base href=' ../up/ '><base href=no>");
    let references: Vec<_> = (0..3).filter_map(|n| document.reference(wayfarer::doc::LinkId(n))).collect();
    assert_eq!(references, [" <URL:x> ", "a\n b", ""]);
    assert_eq!(document.base.as_deref(), Some("../up/"));
}

#[test]
fn charsets_in_their_order() {
    let say = |charset: Option<&str>, octets: &[u8]| {
        let mut input = input(media::HTML, "http://home.example/");
        input.charset = charset.map(Into::into);
        parse(&input, octets).text().to_string()
    };
    assert_eq!(say(None, b"<meta charset=koi8-r><p>\xf1"), "Я");
    assert_eq!(say(Some("windows-1251"), b"<meta charset=koi8-r><p>\xdf"), "Я");
    assert_eq!(say(None, b"\xef\xbb\xbf<meta charset=koi8-r><p>\xd0\xaf"), "Я");
    assert_eq!(say(None, b"<p>\xd0\xaf"), "Я");
    assert_eq!(say(None, b"<p>caf\xe9"), "café");
    assert_eq!(say(Some("utf-8"), b"\xff\xfe<\0p\0>\0A\0"), "A");
}

const FORM: &str = "<form action='find?old=1' method=get><input name=q value='a b&ü'><input type=checkbox name=c checked>\
    <input type=checkbox name=c value=2><input type=radio name=r value=x><input type=radio name=r value=y checked>\
    <select name=s><option value=1>one<option selected>two</select><select name=m multiple><option selected>a<option selected>b</select>\
    <textarea name=t>\nl1\nl2</textarea><input type=hidden name=h value=v><input name=d value=no disabled><input value=nameless>\
    <button name=b value=1>One</button><button name=b value=2 formmethod=post formenctype=multipart/form-data formaction=up>Two</button>\
    <input type=file name=f><input type=image name=i src=x>";

#[test]
fn fields_of_a_disabled_group_are_neither_reached_nor_sent() {
    let document = small(
        "<form><fieldset disabled> <legend><input name=first value=1></legend><legend><input name=second value=1></legend>\
         <div><input name=deep value=1></div><fieldset><select name=s><option>x</select></fieldset><button name=b>Go</button>\
         </fieldset><fieldset><input name=free value=1></fieldset></form>",
    );
    let reached: Vec<&str> =
        document.fields.iter().filter(|field| field.link.is_some()).map(|field| field.name.as_str()).collect();
    assert_eq!(reached, ["first", "free"]);
    let sent = submission(&document, 0, &[], None, ("utf-8", "XX")).unwrap();
    assert_eq!(sent.query.as_deref(), Some("first=1&free=1"));
}

#[test]
fn sliders_and_colours_always_have_a_value() {
    let document = small(
        "<form><input type=range name=a><input type=range name=b min=10 max=20 value=x><input type=range name=c max=5 value=9>\
         <input type=range name=d min=9 max=1><input type=range name=e value=07><input type=color name=f>\
         <input type=color name=g value='#AbCdEf'><input type=color name=h value=red></form>",
    );
    let sent = submission(&document, 0, &[], None, ("utf-8", "XX")).unwrap();
    assert_eq!(sent.query.as_deref(), Some("a=50&b=15&c=5&d=9&e=07&f=%23000000&g=%23abcdef&h=%23000000"));
}

#[test]
fn forms_send_what_browsers_send() {
    let document = small(FORM);
    let one = document.fields.iter().position(|field| field.name == "b").unwrap();
    let send = |values: &[Value], by| submission(&document, 0, values, by, ("utf-8", "XX")).unwrap();
    let sent = send(&[], Some(one));
    assert_eq!((sent.method, sent.action.as_str()), (Method::Get, "find?old=1"));
    let query = "q=a+b%26%C3%BC&c=on&r=y&s=two&m=a&m=b&t=l1%0D%0Al2&h=v&b=1&f=";
    assert_eq!(sent.query.as_deref(), Some(query));
    // Enter in a field: no button's name
    assert_eq!(send(&[], None).query.unwrap(), query.replace("&b=1", ""));
    let image = document.fields.len() - 1;
    assert!(send(&[], Some(image)).query.unwrap().ends_with("&f=&i.x=0&i.y=0"));
}

#[test]
fn forms_send_files_in_parts() {
    let document = small(FORM);
    let mut values: Vec<Value> = document.fields.iter().map(|field| initial(&field.kind)).collect();
    let at = |name: &str| document.fields.iter().position(|field| field.name == name).unwrap();
    let file = File { name: "/home/me/a\"\r\n.txt".into(), media: "text/plain".into(), octets: b"\0data".to_vec() };
    values[at("f")] = Value::Files(vec![file]);
    values[at("q")] = Value::Text("changed\r\nx".into());
    let sent = submission(&document, 0, &values, Some(at("b") + 1), ("utf-8", "XX")).unwrap();
    assert_eq!((sent.method, sent.action.as_str(), sent.query), (Method::Post, "up", None));
    assert_eq!(sent.content_type.as_deref(), Some("multipart/form-data; boundary=XX"));
    let body = String::from_utf8(sent.body).unwrap();
    assert!(
        body.starts_with("--XX\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\nchangedx\r\n--XX\r\n"),
        "{body}"
    );
    let part = "name=\"f\"; filename=\"a%22%0D%0A.txt\"\r\nContent-Type: text/plain\r\n\r\n\0data\r\n--XX--\r\n";
    assert!(body.ends_with(part), "{body}");
}

#[test]
fn forms_are_sent_in_their_charset() {
    for (form, expected) in [
        ("<form accept-charset='x-odd iso-8859-1'><input name=q value=ü>", "q=%FC"),
        ("<form accept-charset=utf-16><input name=q value=ü>", "q=%C3%BC"),
        ("<form><input name=q value=ü>", "q=%FC"),
        ("<form><input name=q value=本>", "q=%26%2326412%3B"),
        ("<form><input type=hidden name=_charset_>", "_charset_=windows-1252"),
    ] {
        let sent = submission(&small(form), 0, &[], None, ("windows-1252", "XX")).unwrap();
        assert_eq!(sent.query.as_deref(), Some(expected), "{form}");
    }
}

#[test]
fn fields_find_their_forms() {
    let document = small(
        "<table><form id=a><tr><td><input name=x></form></table><input form=b name=y><form id=b></form><input name=z>",
    );
    let forms: Vec<_> = document.fields.iter().map(|field| (field.name.as_str(), field.form)).collect();
    assert_eq!(forms, [("x", Some(0)), ("y", Some(1)), ("z", None)]);
}

fn noticed(notice: &str, html: &str) -> Document {
    let mut input = input(media::HTML, "http://home.example/folder/page.html");
    input.notices = notice.lines().map(|line| format!("{}{line}", wayfarer::format::html::LINKED)).collect();
    parse(&input, html.as_bytes())
}

#[test]
fn a_link_header_counts_as_the_pages_own_links() {
    let document = noticed(
        "<3.html>; rel=\"next\", <toc>; rel=contents; title=\"All\", <s.css>; rel=stylesheet\n</p>; rel=prev; anchor=\"#x\"",
        "<base href='http://home.example/other/'><link rel=next href=/folder/3.html><link rel=up href=..><p>text",
    );
    assert_eq!(document.block_text(0), "Next · Contents: All · Up");
    let references: Vec<_> = (0..3).filter_map(|n| document.reference(wayfarer::doc::LinkId(n))).collect();
    // of a header by the page's own URL, whatever base the page names
    assert_eq!(references, ["http://home.example/folder/3.html", "http://home.example/folder/toc", ".."]);
    let sources: Vec<_> = document.related.iter().map(|related| (related.label.as_str(), related.source)).collect();
    use wayfarer::doc::Source::{Header, Link};
    assert_eq!(sources, [("Next", Header), ("Contents", Header), ("Next", Link), ("Up", Link)]);
    assert_eq!(noticed("<a>; rel=next\n".repeat(500).as_str(), "<p>x").related.len(), 1);
    assert_eq!(
        noticed("<\u{1b}]0;x>; rel=next; title=\"\u{202e}\"", "<p>x").text().matches(['\u{1b}', '\u{202e}']).count(),
        0
    );
}

#[test]
fn a_field_never_breaks_across_lines() {
    let document = small(
        "<form><p>some words <select><option>Two words</select> <input value='a b c' size=8> <button>Press me now</button>",
    );
    for width in 19..60 {
        for line in shown(&document, width) {
            assert_eq!(line.matches('[').count(), line.matches(']').count(), "{width}: {line:?}");
        }
    }
    let document =
        small("<form><table><tr><th>Which<td><select><option>Two words</select><td>a long text in a cell</table>");
    for line in shown(&document, 30) {
        assert_eq!(line.matches('[').count(), line.matches(']').count(), "{line:?}");
    }
}

#[test]
fn fields_and_links_do_not_touch() {
    let page = small(
        "<form>Name:<input size=2><input type=checkbox>Yes<input size=2 disabled><button>Go</button>now<p>\
         <a href=1>one</a><a href=2>two</a>, (<a href=3>three</a>)<a href=4><b>fo</b>ur</a><p><img src=a.png alt=A>b",
    );
    let lines = shown(&page, 80);
    assert_eq!(lines[0], "Name: [__] [ ] Yes [__] [ Go ] now");
    assert_eq!(lines[2], "one two, (three)four");
    assert_eq!(lines[4], "[A] b");
    let signs =
        small("<a href=1>Result&lt;</a><a href=2>Self::</a><a href=3>Item</a>&gt;<a href=4>[1]</a><a href=5>[2]</a>");
    assert_eq!(shown(&signs, 80), ["Result<Self::Item>[1][2]"]);
    // where white space counts, nothing is added
    assert_eq!(shown(&small("<pre><a href=1>a</a><a href=2>b</a></pre>"), 80), ["  ab"]);
}

#[test]
fn a_button_that_is_never_closed_ends_with_its_words() {
    let unclosed =
        small("<form><p>x <button name=b>Save <i>it</i><p>para <a href=q>link</a> <input name=z> more</form><p>after");
    assert_eq!(shown(&unclosed, 80), ["x [ Save it ]", "", "para link [____________________] more", "", "after"]);
    assert_eq!(unclosed.fields.len(), 2);
    assert_eq!(unclosed.reference(wayfarer::doc::LinkId(1)), Some("q"));
    assert_eq!(shown(&small("<form><button><div>Go</div></button> on"), 80), ["[ Go ] on"]);
    assert_eq!(shown(&small("<button type=button>Script<h2>Head</h2>text"), 80)[..3], ["[ Script ]", "", "Head"]);
    let hostile = page(&"<form><button>x<object>".repeat(400));
    assert!(hostile.text().contains('x'));
}

#[test]
fn blocks_keep_to_their_edges_at_every_width() {
    let document =
        small("<center>in the middle</center><p align=right>at the right<h2 style='text-align: center'>a b</h2>");
    assert_eq!(shown(&document, 21), ["    in the middle", "", "         at the right", "", "         a b"]);
    assert_eq!(shown(&document, 10), ["  in the", "  middle", "", "    at the", "     right", "", "   a b"]);
    // what wraps is a line each; up and down agree, and a place is found where it stands
    let layout = Layout { width: 10, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let second = layout.down(&document, Anchor::default(), 1);
    assert_eq!(layout.up(&document, second, 1), Anchor::default());
    assert_eq!(layout.column_of(&document, second), 2);
    let table = small(
        "<center><table border><tr><th>a<th>b<tr><td>1<td>2</table></center><table><tr><td>x<td>y<tr><td>z<td>w</table>",
    );
    let lines = shown(&table, 24);
    assert!(lines[0].starts_with("         ") && lines[0].trim() == "a  b", "{lines:?}");
    assert_eq!(lines.last().unwrap(), "z  w");
}

#[test]
fn hostile_formulas_and_drawings_stay_small() {
    let deep = page(&format!("<math>{}<mi>x</mi>", "<mfrac><mi>a</mi><msqrt>".repeat(5000)));
    assert!(deep.text().len() < 100_000);
    let drawing = page(&format!("<svg>{}</svg>end", "<text>word</text>".repeat(100_000)));
    assert_eq!(drawing.text().matches("word").count(), 100_000);
    assert!(drawing.text().len() < 700_000 && drawing.text().ends_with("end"));
    let short = page(&(0..5000).map(|n| format!("<abbr title='a long word'>a{n}</abbr> ")).collect::<String>());
    assert_eq!(short.text().matches("(a long word)").count(), 1000);
}

#[test]
fn what_waits_for_a_script_can_be_read_and_is_no_link() {
    let page = small(
        "<input type=checkbox id=sidebar><ul><li><button type=button>Dark</button><li><button>Light</button></ul>\
         <h2><a href=#a id=a>\u{a7}</a>Head <a href=#a aria-hidden=true>x</a></h2><p>a<span aria-hidden=true>\u{2022}</span>b\
         <span aria-hidden=true>icon</span><ol><li><li>two</ol><input type=checkbox checked disabled> done\
         <dialog>closed</dialog><dialog open>open</dialog>",
    );
    let lines = shown(&page, 80);
    let items = ["  • [ Dark ]", "  • [ Light ]", "", "Head", "", "a\u{2022}b", "", "   1.", "   2. two", ""];
    assert_eq!(lines[..10], items);
    assert_eq!(lines[10..], ["[x] done", "hidden here (a closed dialog)", "closed", "open"]);
    assert_eq!((page.link_count(), page.folds.len()), (1, 1));
    assert_eq!(page.anchor("a"), page.headings().next().map(|(block, _)| Anchor { block, offset: 0 }));
}

/// Half an hour and more where each character that does not fit costs a look at all others.
#[test]
fn a_megabyte_in_a_field_is_shown_by_its_beginning_or_its_end() {
    let long = "x ".repeat(1 << 19);
    let cut = [
        format!("<form><textarea>{long}</textarea>"),
        format!("<form><select><option>{long}</select>"),
        format!("<form><input value='{long}'>"),
        format!("<form><label>{long}<input name=a></label>"),
    ];
    let whole = [format!("<form><button>{long}</button>"), format!("<form><input type=submit value='{long}'>")];
    for (html, most) in cut.iter().map(|html| (html, 100)).chain(whole.iter().map(|html| (html, 2 << 20))) {
        let document = page(html);
        let text = document.link_text(document.fields[0].link.unwrap());
        assert!(text.chars().count() < most, "{}", &html[..20]);
    }
}
