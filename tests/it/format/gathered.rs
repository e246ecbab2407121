//! What a page hides within lines, in tables and in links; and the words of drawings: no word of them is lost.

use super::{input, parse};
use wayfarer::doc::{Document, FoldKind, LinkId};
use wayfarer::format::media;

fn read(html: &str) -> Document {
    parse(&input(media::HTML, "http://home.example/folder/page.html"), html.as_bytes())
}

/// The blocks of the page; those in a fold stand behind `> `.
fn blocks(html: &str) -> Vec<String> {
    let document = read(html);
    let folded = |block: u32| {
        let mut folds = document.folds.iter().filter(|fold| fold.kind == FoldKind::Details);
        folds.any(|fold| (fold.first..fold.end).contains(&block))
    };
    let count = document.blocks().len() as u32;
    let text = |block| (document.block_text(block).to_owned(), folded(block));
    let shown = (0..count).map(text).filter(|(text, _)| !text.is_empty());
    shown.map(|(text, folded)| if folded { format!("> {text}") } else { text }).collect()
}

#[test]
fn what_is_hidden_within_a_line_is_gathered_after_it() {
    for (html, shown) in [
        ("a <span hidden>one</span> b", vec!["a b", "hidden here (hidden)", "> one"]),
        (
            "<p>a <span style='display:none'>two</span> b <var hidden>x</var> <h style='display:none'>y</h> c<p>d",
            vec!["a b c", "hidden here (display:none, hidden)", "> two", "> x", "> y", "d"],
        ),
        ("<h2>A <q2 hidden>1</q2> b</h2>c", vec!["A b", "hidden here (hidden)", "> 1", "c"]),
        ("a<q2 hidden>1</q2><div>c</div>", vec!["a", "hidden here (hidden)", "> 1", "c"]),
        ("a<q2 hidden>1</q2><hr>c", vec!["a", "hidden here (hidden)", "> 1", "c"]),
        ("<ul><li>a<q2 hidden>1</q2><li>c</ul>", vec!["a", "hidden here (hidden)", "> 1", "c"]),
        ("<a href=x>a <q2 hidden>1</q2></a>c", vec!["a c", "hidden here (hidden)", "> 1"]),
        (
            "a<q2 hidden>1 <var hidden>2</var> 3</q2><q2 hidden>4</q2>",
            vec!["a", "hidden here (hidden)", "> 1 3", "> 4", "> 2"],
        ),
        (
            "a<q2 hidden>1<p>2<var hidden>3</var></p>4</q2><p>c",
            vec!["a", "hidden here (hidden)", "> 1", "> 2", "> 4", "> 3", "c"],
        ),
        ("<label hidden>a</label>b", vec!["b", "hidden here (hidden)", "> a"]),
        (
            "<table border><tr><td>a <q2 hidden>1</q2><td>b<tr hidden><td>c<td>d</table>e",
            vec!["a", "b", "hidden here (hidden)", "> 1", "> c", "> d", "e"],
        ),
        (
            "<details><summary hidden>a</summary>b</details>c",
            vec!["Details", "> b", "> hidden here (hidden)", "> a", "c"],
        ),
        ("<details><summary>a</summary><summary>b</summary>c</details>d", vec!["a", "> b", "> c", "d"]),
        ("a <span hidden> <img src=x alt=y> </span><q2 hidden><script>1</script></q2>", vec!["a"]),
    ] {
        let found = blocks(html);
        assert_eq!(found, shown, "{html}");
    }
}

#[test]
fn what_was_gathered_keeps_its_links_and_names() {
    let document = read("<p>a <a id=here hidden href=x>one</a> <q2 hidden id=there>two</q2> b<p id=next>c");
    let block = |name: &str| document.anchor(name).map(|place| document.block_text(place.block).to_owned());
    assert_eq!([block("here"), block("there"), block("next")], ["one", "two", "c"].map(|text| Some(text.into())));
    assert!((0..document.link_count()).any(|link| document.reference(LinkId(link)) == Some("x")));
}

#[test]
fn drawings_are_shown_whole() {
    let words: Vec<String> = (0..80).map(|n| format!("word{n}")).collect();
    let texts: String = words.iter().map(|word| format!("<text>{word}</text>")).collect();
    assert_eq!(blocks(&format!("<svg>{texts}</svg>")), [format!("[{}]", words.join(", "))]);
    let parts = "<svg><title>Name</title><desc>what it is</desc><g><title>tip</title></g>\
                 <foreignObject><p>one</p><p>two</p></foreignObject><text>a<tspan>b</tspan></text></svg>";
    assert_eq!(blocks(parts), ["[Name: what it is, tip, one two, ab]"]);
    assert_eq!(blocks("<svg aria-label=Label><title>Name</title></svg>"), ["[Label: Name]"]);
}

#[test]
fn a_picture_without_an_address_keeps_its_words() {
    for html in ["<img alt=one>", "<picture><source srcset=y><img alt=one srcset=x></picture>", "<img title=one>"] {
        assert_eq!(blocks(html), ["[one]"], "{html}");
    }
    assert!(blocks("<img>").is_empty());
}

#[test]
fn the_content_begins_past_what_leads_in() {
    for html in [
        "<main><nav><a href=x>n</a></nav><h1>Head</h1></main>",
        "<main><div><div hidden><a href=x>n</a></div><nav><a href=y>m</a></nav></div><article><h1>Head</h1></article></main>",
        "<nav><a href=x>n</a></nav><main><aside role=navigation>n</aside><p>Head</main>",
    ] {
        let document = read(html);
        let content = document.content.map(|place| document.block_text(place.block));
        assert_eq!(content, Some("Head"), "{html}");
    }
}

#[test]
fn a_table_of_too_many_columns_is_taken_apart() {
    for columns in [1000, 1200, 1500] {
        let row = format!("<tr>{}", (0..columns).map(|n| format!("<td>{n}")).collect::<String>());
        let document = read(&format!("<table border>{}</table>", row.repeat(5)));
        assert_eq!(document.tables.len(), usize::from(columns <= 1024), "{columns}");
    }
}
