//! A page being read: what is handed out grows, and comes to what reading it at once gives.

use super::{input, parse_in};
use std::fs;
use wayfarer::doc::{Anchor, BlockKind, Builder, Document, Layout, Marks, Wrap};
use wayfarer::format::{Grown, Intake, Reader, begun, is_page, media, parser};

fn intake(media: &str, keep: usize) -> Intake {
    Intake { input: input(media, "http://h/x"), title: None, keep, memory: usize::MAX }
}

/// Reads octets in pieces; what was handed out on the way, and the whole.
fn read(media: &str, octets: &[u8], piece: usize) -> (Vec<Grown>, Grown) {
    let mut reader = Reader::new(intake(media, usize::MAX)).unwrap();
    let grown = octets.chunks(piece).filter_map(|piece| reader.feed(piece)).collect();
    let whole = reader.finish();
    assert_eq!(whole.source.as_deref(), Some(octets));
    (grown, whole.page)
}

/// Every page of the golden ones, with its media type.
fn pages() -> Vec<(&'static str, Vec<u8>)> {
    const MEDIA: &[(&str, &str)] = &[
        ("html", media::HTML),
        ("xhtml", media::XHTML),
        ("plain", media::PLAIN),
        ("gemtext", media::GEMTEXT),
        ("menu", media::MENU),
        ("message", media::MESSAGE),
        ("directory", media::DIRECTORY),
        ("newsgroup", media::NEWSGROUP),
        ("newsgroups", media::NEWSGROUPS),
    ];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format");
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let media = |name: &str| {
        let kind = name.strip_suffix(".in")?.split('.').next()?;
        MEDIA.iter().find(|(known, _)| *known == kind).map(|(_, media)| *media)
    };
    let read = |name: &String| Some((media(name)?, fs::read(format!("{folder}/{name}")).unwrap()));
    names.iter().filter_map(read).collect()
}

fn lines(document: &Document) -> usize {
    let layout = Layout { width: 80, measure: None, wrap: Wrap::On, marks: Marks::Words };
    layout.lines(document, Anchor::default(), usize::MAX).len()
}

#[test]
fn a_page_read_in_pieces_is_the_page_read_at_once() {
    let pages = pages();
    assert!(pages.len() > 20, "{} pages", pages.len());
    for (media, octets) in pages {
        let at_once = parse_in(&input(media, "http://h/x"), &octets, octets.len());
        for piece in [1, 100, 4096] {
            let (grown, whole) = read(media, &octets, piece);
            assert_eq!(*whole.document, at_once, "{media}");
            assert_eq!(whole.received, octets.len() as u64);
            for page in grown {
                // It can be set like any other.
                lines(&page.document);
                assert!(page.document.blocks().len() <= at_once.blocks().len(), "{media}");
                assert!(octets.starts_with(&page.beginning) && page.received <= whole.received);
            }
        }
    }
}

#[test]
fn all_copies_of_a_page_are_no_more_than_three_of_the_last_one() {
    let octets = "A line of a text that has no end.\n".repeat(100_000).into_bytes();
    let (grown, whole) = read(media::PLAIN, &octets, 16 * 1024);
    let copied: usize = grown.iter().map(|page| page.document.text().len()).sum();
    assert!(copied <= 3 * whole.document.text().len(), "{copied}");
    // The first of them comes with the first octets, the others not much later.
    assert!(grown[0].received <= 16 * 1024);
    assert!(grown.windows(2).all(|pair| pair[1].received <= 2 * pair[0].received), "{}", grown.len());
}

#[test]
fn rows_that_were_handed_out_stay_as_they_were() {
    let mut reader = Reader::new(intake(media::DIRECTORY, 0)).unwrap();
    let first = reader.feed(b"type=file;size=5; one\r\n").unwrap();
    reader.take(b"type=file;size=7; two\r\n");
    assert_eq!(first.rows.as_ref().unwrap().totals(), Some((1, 5)));
    assert_eq!(reader.grown().rows.unwrap().totals(), Some((2, 12)));
    let whole = reader.finish();
    assert_eq!((whole.page.rows.unwrap().totals(), whole.source), (Some((2, 12)), None));
}

#[test]
fn octets_are_kept_while_they_are_few() {
    let mut reader = Reader::new(intake(media::PLAIN, 10)).unwrap();
    reader.take(b"12345");
    reader.take(b"67890");
    assert!(reader.begin_again(Intake { input: input(media::GEMTEXT, "http://h/x"), ..intake(media::PLAIN, 10) }));
    assert!(reader.is_fresh());
    reader.take(b"!");
    assert!(!reader.begin_again(intake(media::PLAIN, 10)), "what has come is not kept");
    let page = reader.grown();
    assert!(!reader.is_fresh() && !reader.is_due());
    assert_eq!((&*page.beginning, page.received), (&b"1234567890!"[..], 11));
    assert_eq!(reader.finish().source, None);
}

#[test]
fn a_page_of_which_nothing_has_come_has_the_title_of_its_head() {
    let intake = Intake { title: Some("A \u{1b}[1mtitle".into()), ..intake(media::PLAIN, 0) };
    assert_eq!(begun(&intake).title.as_deref(), Some("A title"));
    let mut reader = Reader::new(intake).unwrap();
    assert_eq!(reader.feed(b""), None);
    assert_eq!(reader.finish().page.document.title.as_deref(), Some("A title"));
}

#[test]
fn what_is_a_page_has_a_parser_and_nothing_else() {
    let known = [media::MENU, media::HTML, media::FORM, "application/rss+xml", "multipart/mixed", "text/x-odd"];
    for media in known.into_iter().chain(["image/gif", "application/zip", "audio/basic", ""]) {
        assert_eq!(is_page(media), parser(&input(media, "http://h/x")).is_some(), "{media}");
        assert_eq!(Reader::new(intake(media, 0)).is_some(), is_page(media), "{media}");
    }
}

#[test]
fn a_page_that_is_read_in_another_way_holds_no_more_memory_than_it_may() {
    let mut reader = Reader::new(Intake { memory: 1 << 20, ..intake(media::PLAIN, usize::MAX) }).unwrap();
    let octets = b"<b>x</b>".repeat(64 << 10);
    reader.take(&octets);
    assert!(!reader.is_over());
    assert!(reader.begin_again(Intake { memory: 1 << 20, ..intake(media::HTML, usize::MAX) }));
    assert!(reader.is_over());
    let whole = reader.finish();
    assert!(whole.cut.is_some() && whole.page.document.memory() < 2 << 20, "{}", whole.page.document.memory());
}

#[test]
fn what_is_written_at_the_end_has_a_bound_too() {
    let message = [&b"Content-Type: text/html\n\n"[..], &b"<b>x</b>".repeat(100_000)].concat();
    let mut reader = Reader::new(Intake { memory: 2 << 20, ..intake(media::MESSAGE, 0) }).unwrap();
    reader.take(&message);
    assert!(!reader.is_over());
    let whole = reader.finish();
    assert!(whole.page.document.notes.iter().any(|note| note.contains("too large")), "{:?}", whole.page.document.notes);
    lines(&whole.page.document);
}

#[test]
fn pages_that_are_cut_anywhere_for_want_of_memory_can_be_set() {
    for (media, octets) in pages() {
        let all = parse_in(&input(media, "http://h/x"), &octets, octets.len()).memory();
        for part in 1..8 {
            let mut out = Builder::new();
            let mut parser = parser(&input(media, "http://h/x")).unwrap();
            parser.feed(&octets, &mut out);
            out.bound(out.weight().max(all * part / 8));
            parser.finish(&mut out);
            lines(&out.finish());
        }
    }
}

#[test]
fn gemtext_in_sixteen_bits_has_its_headings_and_links() {
    type Wide = ([u8; 2], fn(u16) -> [u8; 2]);
    let ways: [Wide; 2] = [([0xFF, 0xFE], u16::to_le_bytes), ([0xFE, 0xFF], u16::to_be_bytes)];
    for (mark, wide) in ways {
        let words = "# Ügh\r\n=> /x on\n* last".encode_utf16().flat_map(wide);
        let octets: Vec<u8> = mark.into_iter().chain(words).collect();
        for piece in [1, 3, 100] {
            let page = read(media::GEMTEXT, &octets, piece).1;
            let document = &page.document;
            assert_eq!(document.blocks()[0].kind, BlockKind::Heading(1), "in pieces of {piece}");
            assert_eq!((document.link_count(), lines(document)), (1, 3));
            assert!(document.charset.as_ref().is_some_and(|read| read.name.starts_with("utf-16")));
        }
    }
}
