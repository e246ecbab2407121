//! What is kept of titles, labels and names that nobody could read, and of what a page has many copies of.

use super::{input, parse_in};
use wayfarer::doc::{Document, FieldKind};
use wayfarer::format::media;

fn page(media: &str, text: &str) -> Document {
    parse_in(&input(media, "http://h/x"), text.as_bytes(), 64 * 1024)
}

/// Words of a megabyte.
fn long() -> String {
    "words and ".repeat(100_000)
}

#[test]
fn a_title_is_as_long_as_can_be_read() {
    let long = long();
    for (media, text) in [
        (media::HTML, format!("<title>{long}</title>x")),
        (media::HTML, format!("<title>{}", "x".repeat(1 << 20))),
        (media::HTML, format!("<title>{}", "<b>".repeat(1 << 18))),
        ("text/markdown", format!("# {long}\n")),
        (media::GEMTEXT, format!("# {long}\n")),
        (media::MENU, format!("i{}\tTITLE\t\t\r\n", "x".repeat(30_000))),
        (media::ATTRIBUTES, format!("+INFO: 0{}\tx\th\t70\t+\r\n", "x".repeat(30_000))),
        (media::MESSAGE, format!("From: a@b\r\nSubject: {}\r\n\r\nx", &long[..500_000])),
        (media::NEWSGROUP, format!("{}\t1\t2\t2\t\r\n", "x".repeat(30_000))),
        ("application/rss+xml", format!("<rss version='2.0'><channel><title>{long}</title></channel></rss>")),
    ] {
        let title = page(media, &text).title.unwrap_or_default();
        assert!(title.ends_with('…') && title.chars().count() == 1025, "{media}: {} characters", title.chars().count());
    }
}

#[test]
fn a_title_that_can_be_read_is_whole() {
    let words = "x".repeat(1024);
    assert_eq!(page(media::HTML, &format!("<title>\n {words}\n</title>")).title, Some(words));
    assert_eq!(page(media::HTML, "<title> \n </title>x").title, None);
}

/// What is called so stands on the page as far as it can be read.
#[test]
fn labels_and_formulas_end_somewhere() {
    let long = long();
    for html in [
        format!("<img src=x alt='{long}'>"),
        format!("<img src=x title='{long}'>"),
        format!("<form><button>{long}</button>"),
        format!("<form><input type=submit value='{long}'>"),
        format!("<svg><title>{long}</title></svg>"),
        format!("<svg><text>{long}</text></svg>"),
        format!("<math><mi>{long}</mi></math>"),
        format!("<math>{}</math>", "<mi>words of it, and more</mi>".repeat(100_000)),
        format!("<math>{}{long}</math>", "<msqrt>".repeat(100)),
        format!("<math>{}{long}</math>", "<mrow><mfrac><mi>x</mi>".repeat(30)),
    ] {
        let document = page(media::HTML, &html);
        assert!(document.text().len() < 40_000, "{} of {}…", document.text().len(), &html[..20]);
        assert!(document.text().contains('…'), "{}…: {}", &html[..20], document.text().len());
    }
}

#[test]
fn what_a_page_has_many_copies_of_is_short() {
    let (name, options) = ("x".repeat(500_000), "<option>y".repeat(50_000));
    let document = page(media::HTML, &format!("<form><select><optgroup label='{name}'>{options}</select>"));
    let FieldKind::Select { options, .. } = &document.fields[0].kind else { panic!("{:?}", document.fields[0].kind) };
    assert_eq!(options.len(), 50_000);
    assert!(options.iter().all(|option| option.group.len() == 200));
    let fields = "<input list=d>".repeat(1000);
    let document =
        page(media::HTML, &format!("<form><datalist id=d><option value={name}><option value=z></datalist>{fields}"));
    assert!(document.fields.iter().all(|field| field.suggestions.len() <= 1), "the long one is left out");
    assert_eq!(document.fields[0].suggestions, ["z"]);
}

/// What is read of Markdown does not depend on how it was cut.
#[test]
fn markdown_ends_at_the_same_octet_however_it_comes() {
    let text = "a line of it\n".repeat(400_000);
    let [whole, pieces] =
        [text.len(), 70_000].map(|size| parse_in(&input("text/markdown", "http://h/x"), text.as_bytes(), size));
    assert_eq!(whole.text().len(), pieces.text().len());
    assert_eq!(whole.cut.as_deref(), Some("only the first 4.2 MB of Markdown are read"));
}
