//! Ten thousand broken menus and texts: no panic, no control character in the text, nothing lost but the broken.

use super::{input, parse_in};
use wayfarer::doc::{Anchor, Layout, Marks, Wrap};
use wayfarer::format::media;

/// xorshift64: the same broken pages on every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

const PAGES: &[(&str, &[u8])] = &[
    (media::MENU, include_bytes!("../../data/format/menu.kinds.in")),
    (media::MENU, include_bytes!("../../data/format/menu.broken.in")),
    (media::PLAIN, include_bytes!("../../data/format/plain.endings.in")),
    (media::PLAIN, include_bytes!("../../data/format/plain.overstrike.in")),
    (media::PLAIN, include_bytes!("../../data/format/plain.links.in")),
    (media::ATTRIBUTES, include_bytes!("../../data/format/attributes.item.in")),
    (media::DIRECTORY, include_bytes!("../../data/format/directory.names.in")),
    (media::PHONE_BOOK, include_bytes!("../../data/format/phone.found.in")),
    (media::HTML, include_bytes!("../../data/format/html.elements.in")),
    (media::HTML, include_bytes!("../../data/format/html.old.in")),
    (media::HTML, include_bytes!("../../data/format/html.form.in")),
    (media::HTML, include_bytes!("../../data/format/html.edges.in")),
    (media::XHTML, include_bytes!("../../data/format/xhtml.page.in")),
    (media::NEWSGROUP, include_bytes!("../../data/format/newsgroup.threads.in")),
    (media::NEWSGROUP, include_bytes!("../../data/format/newsgroup.broken.in")),
    (media::NEWSGROUPS, include_bytes!("../../data/format/newsgroups.list.in")),
    (media::OWN, include_bytes!("../../data/format/own.error.in")),
    (media::MESSAGE, include_bytes!("../../data/format/message.article.in")),
    (media::MESSAGE, include_bytes!("../../data/format/message.raw.in")),
    (media::MESSAGE, include_bytes!("../../data/format/message.flowed.in")),
    (media::MESSAGE, include_bytes!("../../data/format/message.files.in")),
    (media::MESSAGE, include_bytes!("../../data/format/message.related.in")),
    (media::MESSAGE, include_bytes!("../../data/format/message.mixed.in")),
];

fn mutate(page: &[u8], random: &mut Random) -> Vec<u8> {
    const ODD: &[&[u8]] = &[
        b"\x1b]0;x\x07",
        b"\x1b[31m",
        b"\0",
        b"\t",
        b"\r",
        b"\n",
        b"\x9b2J",
        b"\xC2\x9B",
        b"\xE2\x80\xAE",
        b"\x08",
        b"\xFF",
        b"\x0c",
        b".",
        b"<table>",
        b"<b>",
        b"</p>",
        b"<a href=x>",
        b"</table>",
        b"<svg>",
        b"<select>",
        b"<form>",
        b"<!--",
        b"&#x9b;",
        b"<details>",
    ];
    let mut page = page.to_vec();
    for _ in 0..=random.next(12) {
        let at = random.next(page.len() + 1);
        match random.next(5) {
            0 => page.truncate(at),
            1 => drop(page.drain(at..(at + random.next(30)).min(page.len()))),
            2 => drop(page.splice(at..at, ODD[random.next(ODD.len())].iter().copied())),
            3 if at < page.len() => page[at] = random.next(256) as u8,
            _ => {
                let piece: Vec<u8> = page[at..(at + random.next(60)).min(page.len())].to_vec();
                drop(page.splice(at..at, piece));
            }
        }
    }
    page
}

#[test]
fn broken_pages_do_no_harm() {
    let mut random = Random(0x5EED_0F60_F4E5);
    for round in 0..10_000 {
        let (media, page) = PAGES[round % PAGES.len()];
        let page = mutate(page, &mut random);
        let input = input(media, "gopher://home.example/1/dir");
        let document = parse_in(&input, &page, page.len());
        let raw = |c: char| c != '\t' && (c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c));
        let texts = document.notes.iter().chain(&document.title).map(String::as_str).chain([document.text()]);
        for text in texts {
            assert!(!text.contains(raw), "round {round}: {text:?} from {page:?}");
        }
        let shown = Layout { width: 1 + (round % 90) as u16, measure: None, wrap: Wrap::On, marks: Marks::Words };
        for line in shown.lines(&document, Anchor::default(), 2000) {
            let words: String = line.segments.iter().map(|segment| segment.text.as_ref()).collect();
            assert!(!words.contains(|c| raw(c) || c == '\t'), "round {round}: {words:?} from {page:?}");
        }
        if round % 10 == 0 {
            let pieces = parse_in(&input, &page, 1 + random.next(40));
            assert_eq!(pieces, document, "round {round}: {page:?}");
        }
    }
}

#[test]
fn answers_to_broken_messages_are_whole_drafts() {
    use wayfarer::format::message::original;
    use wayfarer::news::{Draft, Manner};
    let mut random = Random(0x5EED_0F60_F4E5);
    let pages: Vec<&[u8]> = PAGES.iter().filter(|(media, _)| *media == media::MESSAGE).map(|(_, page)| *page).collect();
    let url = wayfarer::url::Url::parse("news:1@h").unwrap();
    let manner =
        Manner { from: "Me <me@h>", attribution: "{name} <{address}>, {date}, {subject}:", ..Manner::default() };
    for round in 0..2_000 {
        let page = mutate(pages[round % pages.len()], &mut random);
        let Some(found) = original(&page, None, &url) else { continue };
        for draft in [found.followup(&manner), found.mail(&manner)] {
            assert!(!draft.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "round {round}: {draft:?}");
            let read = Draft::read(&draft);
            const KNOWN: &[&str] = &["From", "Newsgroups", "To", "Subject", "In-Reply-To", "References"];
            let strange = |(name, _): &&(String, String)| !KNOWN.contains(&name.as_str());
            assert_eq!(read.fields.iter().find(strange), None, "round {round}: {page:?}");
            assert_eq!(read.broken, [""; 0], "round {round}: {page:?}");
            let above = read.lines.iter().take_while(|line| *line != "-- ").skip(1);
            assert!(above.clone().all(|line| line.is_empty() || line.starts_with('>')), "round {round}: {draft}");
        }
    }
}
