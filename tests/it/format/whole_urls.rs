//! What is printed for programs holds every URL whole, at every width (TXT-05).

use super::{input, parse};
use crate::random::search;
use proptest::prelude::*;
use wayfarer::doc::{Anchor, Document, Layout, Marks, Wrap};
use wayfarer::format::media;
use wayfarer::url::find::find;

fn printed(document: &Document, width: u16) -> String {
    let layout = Layout { width, measure: None, wrap: Wrap::WholeUrls, marks: Marks::Words };
    let lines = layout.lines(document, Anchor::default(), 100_000);
    let text =
        |segments: &[wayfarer::doc::Segment<'_>]| -> String { segments.iter().map(|s| s.text.as_ref()).collect() };
    lines.iter().map(|line| format!("{}\n", text(&line.segments).trim_end())).collect()
}

/// The page in each format, its words in one long paragraph.
fn pages(words: &str) -> Vec<(&'static str, String)> {
    vec![
        (media::PLAIN, format!("{words}\n")),
        (media::HTML, format!("<p>{words}<ul><li>{words}</ul><blockquote>{words}</blockquote><pre>{words}</pre>")),
        (media::MENU, format!("i{words}\t\t\t\r\n.\r\n")),
        (media::GEMTEXT, format!("{words}\n* {words}\n> {words}\n")),
        (media::MESSAGE, format!("Subject: x\n\n{words}\n")),
    ]
}

/// URLs with words before them: some longer than any line, some longer than what other programs look at.
fn urls() -> impl Strategy<Value = Vec<(String, String)>> {
    let url = "(http|ftp|gopher)://[a-z]{1,9}\\.example(/[a-z]{1,8}(-[a-z]{1,9}){0,4}){1,12}";
    let times = prop_oneof![8 => Just(0), 1 => 1usize..400];
    let one =
        ("[a-z ]{0,30}", url, times).prop_map(|(words, url, times)| (words, url + &"/a-long?way=on".repeat(times)));
    proptest::collection::vec(one, 1..6)
}

/// What is printed of a page at a width has each of the URLs whole.
fn holds(media: &str, page: &str, width: u16, urls: &[(String, String)]) -> Result<(), TestCaseError> {
    let text = printed(&parse(&input(media, "http://home.example/"), page.as_bytes()), width);
    let found: Vec<String> = find(&text).into_iter().map(|found| found.url).collect();
    for (_, url) in urls {
        prop_assert!(found.contains(url), "{media} at {width}: {url} is not in\n{text}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(search(60))]

    #[test]
    fn what_is_printed_holds_every_url_whole(urls in urls(), width in 20u16..=200) {
        let words: String = urls.iter().map(|(before, url)| format!("{before} {url} ")).collect();
        for (media, page) in pages(words.trim()) {
            holds(media, &page, width, &urls)?;
        }
    }

    #[test]
    fn what_is_printed_of_a_table_holds_every_url_whole(urls in urls(), width in 20u16..=200) {
        let row = |(before, url): &(String, String)| format!("<tr><td>{before}<td>{url} and more<td>another cell</tr>");
        let page = format!("<table><tr><th>a<th>b<th>c</tr>{}</table>", urls.iter().map(row).collect::<String>());
        holds(media::HTML, &page, width, &urls)?;
    }
}

#[test]
fn a_long_url_in_a_long_paragraph_is_whole_wherever_it_stands() {
    let url = format!("http://long.example{}", "/a-long?way=on".repeat(400));
    for before in [0, 100, 3_000, 12_000, 16_384, 30_000, 60_000] {
        let words = format!("{}{url} and {}", "word ".repeat(before / 5), "word ".repeat(4_000));
        holds(media::HTML, &words, 80, &[(String::new(), url.clone())]).expect("the URL");
    }
}
