//! XHTML that says so: read as the XML that it is, and as HTML where it is none.

use super::{dump::dump, input, parse, parse_in};
use crate::random::search;
use proptest::prelude::*;
use wayfarer::doc::{Builder, Document};
use wayfarer::format::{Intake, Reader, media, parser};

const ROOT: &str = "<html xmlns='http://www.w3.org/1999/xhtml'>";
const URL: &str = "http://home.example/folder/page.xhtml";

/// A page with this body.
fn page(body: &str) -> String {
    format!("{ROOT}<head><title>T</title></head><body>{body}</body></html>")
}

/// However it is cut.
fn read(text: &str) -> Document {
    parse(&input(media::XHTML, URL), text.as_bytes())
}

fn body(text: &str) -> Document {
    let document = read(&page(text));
    assert_eq!(document.notes, [""; 0], "{text}");
    document
}

fn reader(keep: usize) -> Reader {
    Reader::new(Intake { input: input(media::XHTML, URL), title: None, keep, memory: 64 << 20 }).unwrap()
}

fn no_xml(document: &Document) -> Option<&str> {
    document.notes.iter().find_map(|note| note.strip_prefix("no XML, so it is read as HTML: "))
}

#[test]
fn elements_that_close_themselves_hold_nothing() {
    for tag in ["div", "script", "style", "title", "a id='x'", "iframe", "textarea", "p", "b", "noscript", "template"] {
        let document = body(&format!("<p>one</p><{tag}/><p>two</p>"));
        assert!(document.text().starts_with("one") && document.text().ends_with("two"), "{tag}: {}", document.text());
        assert_eq!(document.block_text(0), "one", "{tag}");
    }
    let document = read(&format!("{ROOT}<head><title/><script src='x'/></head><body><p>one</p></body></html>"));
    assert_eq!((document.text(), &document.title), ("one", &None));
    // what HTML would make of it
    assert_eq!(parse(&input(media::HTML, URL), page("<script/><p>one</p>").as_bytes()).text(), "");
}

/// As HTML such a page would show nothing.
#[test]
fn what_closes_itself_holds_nothing_where_the_page_is_no_xml_either() {
    for tag in
        ["script src='x'", "title", "textarea", "style", "iframe", "a name='x'", "div", "b", "p", "noframes", "h1"]
    {
        for text in [
            page(&format!("<p>&nbsp;&oops<br></p><{tag}/><p>one <b>two</b></p>")),
            format!("{ROOT}<body><{tag}/><p>one <b>two</b><p>three</p></body></html>"),
        ] {
            let document = read(&text);
            assert!(no_xml(&document).is_some(), "{text}");
            assert!(document.text().contains("one two"), "{text}: {}", document.text());
            let mut reader = reader(1 << 20);
            reader.take(text.as_bytes());
            let whole = reader.finish().page.document;
            assert!(whole.text().contains("one two"), "{text}: {}", whole.text());
        }
    }
    let drawn = read(&page("<svg><g><path/><text>in</text></g></svg><br>after"));
    assert!(drawn.text().contains("in") && drawn.text().ends_with("after"), "{}", drawn.text());
}

#[test]
fn sections_of_characters_are_text() {
    assert_eq!(body("<pre>a<![CDATA[ <b> && ]]>c</pre>").text(), "a <b> && c");
    let document = body(
        "<script><![CDATA[ if (a < b && c) x('</p>') ]]></script><style><![CDATA[.x{display:none}]]></style><p class='x'>one</p>y",
    );
    assert!(document.text().ends_with('y'), "{}", document.text());
    assert!(!document.text().contains("if (a"), "{}", document.text());
    // one that never ends is shown as far as it came
    assert!(read(&format!("{ROOT}<body><p>one <![CDATA[two")).text().contains("one two"));
}

#[test]
fn references_are_html_s_and_the_page_s_own() {
    let doctype = "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/x.dtd' [\n\
        <!ENTITY who \"Ada > all\"> <!ENTITY bold '<b>x</b>'> <!ENTITY far SYSTEM 'file:///etc/passwd'> ]>";
    let document =
        read(&format!("<?xml version='1.0'?>{doctype}{}", page("<p>&lt;&eacute;&#8212;&who;|&bold;|&far;|&what;</p>")));
    assert_eq!(document.text(), "<é—Ada > all|&bold;|&far;|&what;");
    assert_eq!(body("<p><a href='?a=1&amp;b=&#50;'>x</a></p>").reference(wayfarer::doc::LinkId(0)), Some("?a=1&b=2"));
}

#[test]
fn a_billion_laughs_are_not_laughed() {
    let laughs: String = (1..10).map(|n| format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10))).collect();
    let document = read(&format!("<!DOCTYPE html [<!ENTITY l0 'lol'>{laughs}]>{}", page("<p>&l9; &l0;</p>")));
    assert_eq!(document.text(), "&l9; lol");
    let many = format!("<!DOCTYPE html [<!ENTITY x '{}'>]>{}", "x".repeat(1000), page(&"&x;".repeat(100_000)));
    let document = parse_in(&input(media::XHTML, URL), many.as_bytes(), 1 << 16);
    assert!(document.text().len() < 2 << 20, "{}", document.text().len());
}

#[test]
fn names_mean_something_in_their_namespace_only() {
    let prefixed = "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:head><h:title>T</h:title></h:head>\
        <h:body><h:h1>one</h:h1><h:p>two <h:a href='x'>three</h:a></h:p></h:body></h:html>";
    let document = read(prefixed);
    assert_eq!((document.title.as_deref(), document.text(), document.link_count()), (Some("T"), "onetwo three", 1));
    let document = body("<p>a <x:a xmlns:x='urn:x' href='y'>b</x:a> <title xmlns='urn:x'>c</title> <P>d</P></p>");
    assert_eq!((document.text(), document.link_count(), document.blocks().len()), ("a b c d", 0, 1));
    let formula = "<p><m:math xmlns:m='http://www.w3.org/1998/Math/MathML'><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac></m:math></p>";
    assert_eq!(body(formula).text(), "a/b");
    let drawing = "<p><svg xmlns='http://www.w3.org/2000/svg'><title>a drawing</title><text>words</text></svg></p>";
    assert!(body(drawing).text().contains("a drawing"));
}

#[test]
fn the_declaration_s_charset_counts() {
    let koi8 = |declaration: &str| {
        [
            declaration.as_bytes(),
            page("<p>").split("</p>").next().unwrap().split("</body>").next().unwrap().as_bytes(),
            b"\xEB\xCF\xD4</p></body></html>",
        ]
        .concat()
    };
    assert_eq!(parse(&input(media::XHTML, URL), &koi8("<?xml version='1.0' encoding='koi8-r'?>")).text(), "Кот");
    let wide: Vec<u8> = format!("\u{feff}<?xml version='1.0' encoding='utf-16'?>{}", page("<p>Кот</p>"))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let document = parse(&input(media::XHTML, URL), &wide);
    assert_eq!((document.text(), no_xml(&document)), ("Кот", None));
}

/// All of it, when its octets are kept; else from where it was seen.
#[test]
fn what_is_no_xml_is_read_as_html_and_says_why() {
    for (text, why) in [
        ("<p>one<br>two</p>\n<p>three</p>", "line 1 has </p> where </br> is due"),
        ("\n\n<p>one</p></div><p>two</p>", "line 3 has </div> where </body> is due"),
        ("<p>one & two</p>", "line 1 has a “&” that begins no reference"),
        ("<p>one <a href='?a=1&b=2'>two</a></p>", "line 1 has a “&” that begins no reference in <a>"),
        ("<p class=x>one</p>", "line 1 has an attribute without a quoted value in <p>"),
        ("<p hidden>one</p>two", "line 1 has an attribute without a quoted value in <p>"),
        ("<p id='a' id='b'>one</p>", "line 1 has an attribute that stands there twice in <p>"),
        ("<p title='<b>'>one</p>", "line 1 has a “<” within a value in <p>"),
        ("<p>one &lt 2 < 3</p>", "line 1 has a “&” that begins no reference"),
        ("<p>1 < 3</p>", "line 1 has a “<” that begins no tag"),
        ("<p>one &#0; two</p>", "line 1 has the character &#0;, which there is not"),
        ("<script>\nif (a < b) x()</script><p>one</p>", "line 2 has a “<” that begins no tag"),
        ("<!x><p>one</p>", "line 1 has a “<” that begins no tag"),
    ] {
        let text = page(text);
        let html = parse(&input(media::HTML, URL), text.as_bytes());
        for piece in [1, 7, 1 << 16] {
            let mut reader = reader(1 << 20);
            text.as_bytes().chunks(piece).for_each(|piece| reader.take(piece));
            let whole = reader.finish().page.document;
            assert_eq!(no_xml(&whole), Some(why), "{text}");
            let mut whole = (*whole).clone();
            whole.notes.clear();
            assert_eq!(dump(&whole), dump(&html), "{text}");
        }
        let document = read(&text);
        assert_eq!(no_xml(&document), Some(why), "{text}");
        let words = |document: &Document| document.text().split_whitespace().collect::<String>();
        assert_eq!(words(&document), words(&html), "{text}");
        assert_eq!(document.title.as_deref(), Some("T"));
    }
}

#[test]
fn a_root_that_is_not_xhtml_s_is_read_as_html() {
    for text in [
        "<html><body><p>one<p>two",
        "words alone",
        "<HTML xmlns='http://www.w3.org/1999/xhtml'><p>one</p></HTML>",
        "<p xmlns='http://www.w3.org/1999/xhtml'>one</p>",
    ] {
        let document = read(text);
        assert!(no_xml(&document).is_some(), "{text}: {:?}", document.notes);
        assert_eq!(document.blocks().len(), parse(&input(media::HTML, URL), text.as_bytes()).blocks().len(), "{text}");
    }
    let document = read(&(page("<p>one</p>") + "<p>two</p>"));
    assert_eq!((document.text(), no_xml(&document)), ("onetwo", Some("line 1 has <p> after the end")));
}

/// What was shown of it as XML is shown anew.
#[test]
fn a_fault_that_comes_late_changes_what_is_shown_by_then() {
    let mut reader = reader(1 << 20);
    reader.take(page("<p>one <br>two</br> three</p><p>four</p>").split("</body>").next().unwrap().as_bytes());
    assert!(reader.grown().document.text().ends_with("three"));
    reader.take(b"<p>five</div>");
    let shown = reader.grown().document;
    assert_eq!(no_xml(&shown), Some("line 1 has </div> where </p> is due"));
    assert!(shown.text().starts_with("onetwothree"), "{}", shown.text());
    reader.take(b"<p>six");
    assert!(reader.finish().page.document.text().ends_with("fourfivesix"));
}

#[test]
fn another_charset_is_taken_for_what_is_no_xml_too() {
    let text = [page("<p>").split("</body>").next().unwrap().as_bytes(), b"\xEB\xCF\xD4 <br></p>"].concat();
    let mut reader = reader(1 << 20);
    reader.take(&text);
    let input = wayfarer::format::Input { charset: Some("koi8-r".into()), ..input(media::XHTML, URL) };
    assert!(reader.begin_again(Intake { input, title: None, keep: 1 << 20, memory: 64 << 20 }));
    let document = reader.finish().page.document;
    assert!(
        document.text().starts_with("Кот") && no_xml(&document).is_some(),
        "{} {:?}",
        document.text(),
        document.notes
    );
}

#[test]
fn a_page_is_shown_while_it_comes() {
    let (mut parser, mut out) = (parser(&input(media::XHTML, URL)).unwrap(), Builder::new());
    let filler = "<p>words and words</p>".repeat(100);
    parser.feed(format!("{ROOT}<body><div><h1>Head</h1>{filler}<p>last</p><p>op").as_bytes(), &mut out);
    assert!(out.document().text().starts_with("Headwords") && out.document().text().ends_with("last"));
    parser.feed(b"en</p></div></body></html>", &mut out);
    parser.finish(&mut out);
    assert!(out.document().text().ends_with("lastopen"));
}

#[test]
fn what_has_no_end_is_bounded_and_counted() {
    let deep = page(&format!("{}words{}", "<div>".repeat(20_000), "</div>".repeat(20_000)));
    let document = parse_in(&input(media::XHTML, URL), deep.as_bytes(), 1 << 16);
    assert_eq!(document.text(), "words");
    assert_eq!(document.notes, ["elements nested more than 512 deep were left out"]);
    for endless in
        ["<!--", "<![CDATA[", "<?x ", "<p title='", "<p ", "<div>", "<x:y xmlns:x='urn:y'>", "<!DOCTYPE html ["]
    {
        let (mut parser, mut out) = (parser(&input(media::XHTML, URL)).unwrap(), Builder::new());
        parser.feed(format!("{ROOT}{endless}").as_bytes(), &mut out);
        let before = parser.memory();
        (0..64).for_each(|_| {
            parser.feed(
                endless
                    .repeat(1000)
                    .replace('<', if endless == "<div>" || endless.contains("urn") { "<" } else { "x" })
                    .as_bytes(),
                &mut out,
            )
        });
        assert!(parser.memory() >= before + 64 * 1000, "{endless} is not counted");
        parser.finish(&mut out);
    }
    let attributes: String = (0..100_000).map(|n| format!(" a{n}='x'")).collect();
    assert_eq!(body(&format!("<p{attributes}>one</p>")).text(), "one");
    let spaces: String = (0..1000).map(|n| format!(" xmlns:a{n}='urn:{n}'")).collect();
    assert_eq!(body(&format!("<p{spaces}>one</p>")).text(), "one");
}

/// Elements as pages have them.
const TAGS: &[&str] = &[
    "div",
    "p",
    "h2",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "form",
    "b",
    "em",
    "span",
    "section",
    "nav",
    "details",
    "summary",
    "table",
    "tr",
    "td",
    "th",
    "tbody",
    "thead",
    "caption",
    "a href='l'",
    "sup",
    "del",
    "q",
    "code",
    "label",
    "fieldset",
    "legend",
    "button",
    "x:odd xmlns:x='urn:x'",
];

proptest! {
    #![proptest_config(search(300))]

    /// However elements stand in each other.
    #[test]
    fn no_word_is_lost(steps in prop::collection::vec((any::<bool>(), 0..TAGS.len()), 1..60), size in 1_usize..9) {
        let (mut text, mut open) = (String::new(), Vec::new());
        for (at, (closes, tag)) in steps.iter().enumerate() {
            match open.pop() {
                Some(tag) if *closes => text += &format!("</{tag}>"),
                last => {
                    open.extend(last);
                    text += &format!("<{}>", TAGS[*tag]);
                    open.push(TAGS[*tag].split(' ').next().unwrap_or_default());
                }
            }
            text += &format!("W{at} ");
        }
        open.iter().rev().for_each(|tag| text += &format!("</{tag}>"));
        let text = page(&text);
        let document = parse_in(&input(media::XHTML, URL), text.as_bytes(), size);
        prop_assert_eq!(no_xml(&document), None);
        let shown = document.text();
        for at in 0..steps.len() {
            let word = format!("W{at}");
            let found = shown.match_indices(&word).any(|(at, _)| !shown[at + word.len()..].starts_with(|c: char| c.is_ascii_digit()));
            prop_assert!(found, "{word} of {text}: {shown}");
        }
    }
}

/// What is well-formed and means the same both ways is the same page.
#[test]
fn the_same_page_comes_of_both_readings() {
    let words = "<h1 id='a'>Head</h1><p>one <b>two</b> <a href='x'>three</a><br/>four</p><hr/>\
        <ul><li>a</li><li>b<ol start='3'><li>c</li></ol></li></ul><dl><dt>d</dt><dd>e</dd></dl>\
        <pre>one\n  two</pre><blockquote><p>q</p></blockquote><img src='i' alt='picture'/>\
        <form action='f'><input name='n' value='v'/><textarea name='t'>one &amp; two</textarea><select name='s'><option>o</option><option selected='selected'>p</option></select><button>go</button></form>";
    let table = "<table><caption>C</caption><thead><tr><th>h</th><th>i</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr>\
        <tr><td colspan='2'>3</td></tr></tbody></table>";
    let head = "<head><title>T</title><base href='b/'/><link rel='next' href='n'/><meta charset='utf-8'/></head>";
    for body in [words, table, &table.replace("<tbody>", "").replace("</tbody>", "")] {
        let text = format!("{ROOT}{head}<body>{body}</body></html>");
        assert_eq!(dump(&read(&text)), dump(&parse(&input(media::HTML, URL), text.as_bytes())), "{text}");
    }
}
