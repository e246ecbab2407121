//! What HTML says in ways that a terminal has not: nothing of it is lost, and nothing changes its meaning.

use super::{input, parse};
use wayfarer::doc::{Anchor, Document, Layout, Marks, Wrap};
use wayfarer::format::media;

fn read(html: &str) -> Document {
    parse(&input(media::HTML, "http://home.example/folder/page.html"), html.as_bytes())
}

fn lines(html: &str) -> Vec<String> {
    let layout = Layout { width: 78, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let document = read(html);
    let lines = layout.lines(&document, Anchor::default(), 100);
    lines
        .iter()
        .map(|line| line.segments.iter().map(|s| s.text.replace('\u{a0}', " ")).collect::<String>().trim_end().into())
        .collect()
}

/// `2<sup>32</sup>` without a sign is another number.
#[test]
fn what_stands_above_and_below_the_line_keeps_its_meaning() {
    for (html, shown) in [
        ("2<sup>32</sup>", "2³²"),
        ("2<sup><small>32</small></sup>", "2³²"),
        ("10<sup><b>6</b></sup>", "10⁶"),
        ("10<sup>−3</sup>", "10⁻³"),
        ("x<sup><i>n</i></sup>", "xⁿ"),
        ("x<sup>n+1</sup>", "xⁿ⁺¹"),
        ("2<sup>2<sup>n</sup></sup>", "2^(2ⁿ)"),
        ("e<sup>-x</sup>", "e^-x"),
        ("e<sup>a+b</sup>", "e^(a+b)"),
        ("5<sup><a href=#f>2</a></sup>", "5^2"),
        ("<a href=u>m<sup>2</sup></a>", "m²"),
        ("word<a href=#b><sup>3</sup></a>", "word³"),
        ("word<sup><a href=#a>[1]</a></sup>", "word[1]"),
        ("word<sup>*</sup>", "word*"),
        ("H<sub>2</sub>O", "H₂O"),
        ("a<sub>i,j</sub>", "a[i,j]"),
        ("x<sub><var>max</var></sub>", "x[max]"),
        ("x<sub><a href=n>a</a></sub>", "x[a]"),
        ("1<sup>st</sup>, the 2<sup>nd</sup>", "1st, the 2nd"),
        ("Name<sup>TM</sup>", "Name™"),
        ("<sup>a</sup> note", "^a note"),
        ("a<sup></sup>b<sub> </sub>c", "ab c"),
    ] {
        assert_eq!(lines(html), [shown], "{html}");
        let cell = lines(&format!("<table><caption>t<tr><td>{html}<td>y</table>"));
        assert!(cell.iter().any(|line| line.trim_end_matches(['y', ' ']) == shown), "{html}: {cell:?}");
    }
    let long = "small words that are no exponent at all, for sure";
    assert_eq!(lines(&format!("a<sup>{long}</sup>")), [format!("a{long}")]);
}

#[test]
fn links_without_words_have_the_name_of_something() {
    for (html, shown) in [
        ("<a class=test-arrow title='Run code' href=r></a>", "[Run code]"),
        ("<a aria-label=Home href=r></a>", "[Home]"),
        ("<a href=/icon><i class=icon></i></a>", "[icon]"),
        ("<a href=/thumb><span></span></a> <a href=/thumb>Title</a>", "Title"),
        ("<a href=/there></a>x", "x"),
        ("<a href=#top><i></i></a>x", "x"),
        ("<img data-src=lazy.png alt=Lazy>", "[Lazy]"),
        ("<button>Menu</button>", "[ Menu ]"),
        ("<del>10</del> 20", "~~10~~ 20"),
    ] {
        assert_eq!(lines(html), [shown], "{html}");
    }
}

#[test]
fn what_a_page_hides_stands_behind_a_fold_that_says_why() {
    for (html, why) in [
        ("<div hidden>one</div>", "hidden"),
        ("<p style='color:red; DISPLAY: none'>one</p>", "display:none"),
        ("<ul style=visibility:hidden><li>one</ul>", "visibility:hidden"),
        ("<dialog>one</dialog>", "a closed dialog"),
        ("<style>.x, b { display:none }</style><div class='w x'>one</div>", "style sheet: .x"),
        ("<style>div#x{display:none!important}</style><div id=x>one</div>", "style sheet: div#x"),
    ] {
        let document = read(&format!("<p>before</p>{html}<p>after"));
        assert_eq!(document.folds.len(), 1, "{html}");
        let fold = document.folds[0];
        assert!(!fold.open);
        let text: String = (fold.first..fold.end).map(|block| document.block_text(block)).collect();
        assert!(text.contains("one") && !text.contains("after"), "{html}: {text}");
        assert!(document.text().contains(&format!("hidden here ({why})")), "{html}: {}", document.text());
    }
    // Where there is nothing to read.
    for html in [
        "<div hidden> <img src=x></div>a",
        "<style>@media print{.x{display:none}} .x .y{display:none} .z{display:none} .z{display:block}</style>a",
    ] {
        let document = read(html);
        assert_eq!((document.text().trim(), document.folds.len()), ("a", 0), "{html}");
    }
    let shown = read("<style>.x{display:none}</style><div class=x style='display: block'>one</div>");
    assert_eq!((shown.text(), shown.folds.len()), ("one", 0));
}

#[test]
fn pages_within_the_page_are_read() {
    let frames = lines(
        "<title>t</title><frameset cols='1,2'><frame src=a.html name=nav><noframes><title>no</title><base href=//x/>\
         <body><h1>No frames</h1>See <a href=toc.html>this</a>.</noframes></frameset>",
    );
    assert_eq!(frames, ["[frame: nav]", "No frames", "", "See this."]);
    let source = "<p>a<iframe src=f srcdoc=\"<p>In <a href='x'>it</a><iframe srcdoc='deep'></iframe>\"></iframe>b";
    assert_eq!(lines(source), ["a", "In it", "", "b"]);
    let document = read(source);
    assert_eq!(document.reference(wayfarer::doc::LinkId(0)), Some("x"));
    assert_eq!((document.base.as_deref(), read("<noframes><base href=//x/></noframes>").base), (None, None));
    let many = format!("<iframe srcdoc='{}'></iframe>", "word ".repeat(100_000)).repeat(40);
    assert!(read(&many).text().len() <= 2 << 20);
}

/// Search, author, copyright and the like stand in the anatomy of the page, not in three lines above each.
#[test]
fn above_a_page_stand_the_ways_on() {
    let head = "<link rel=index title=Index href=i><link rel=search title='Search within' href=s><link rel=author href=a>\
                <link rel=next title='Two' href=2><link rel=prev title=previous href=0><p>x";
    assert_eq!(lines(head)[0], "Next: Two · Previous");
    assert_eq!(read(head).related.len(), 5);
}
