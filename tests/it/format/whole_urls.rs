//! What is printed for programs holds every URL whole, at every width (TXT-05).

use super::{input, parse};
use proptest::prelude::*;
use wayfarer::doc::{Anchor, Document, Layout, Marks, Wrap};
use wayfarer::format::media;
use wayfarer::url::find::find;

fn printed(document: &Document, width: u16) -> String {
    let layout = Layout { width, wrap: Wrap::WholeUrls, marks: Marks::Words };
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_holds_every_url_whole(
        urls in proptest::collection::vec(
            ("[a-z ]{0,30}", "(http|ftp|gopher)://[a-z]{1,9}\\.example(/[a-z]{1,8}(-[a-z]{1,9}){0,4}){1,12}"), 1..6),
        width in 20u16..200,
    ) {
        let words: String = urls.iter().map(|(before, url)| format!("{before} {url} ")).collect();
        for (media, page) in pages(words.trim()) {
            let text = printed(&parse(&input(media, "http://home.example/"), page.as_bytes()), width);
            let found: Vec<String> = find(&text).into_iter().map(|found| found.url).collect();
            for (_, url) in &urls {
                prop_assert!(found.contains(url), "{media} at {width}: {url} is not in\n{text}");
            }
        }
    }
}
