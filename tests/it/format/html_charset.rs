//! The charset of pages: declared late, not at all, or wrongly; small ones that stall.

use super::{input, parse, parse_in};
use wayfarer::format::charset::{By, Said, known};
use wayfarer::format::{Input, Intake, Reader, media};

/// Octets beyond ASCII first, then the charset, a little and far after the first 1,024 octets.
#[test]
fn a_charset_that_is_declared_late_is_still_heard() {
    for (name, octets) in
        [("windows-1251", &b"\xCA\xEE\xF2"[..]), ("koi8-r", b"\xEB\xCF\xD4"), ("iso-8859-2", b"\xA3\xF3d\xBC")]
    {
        let words = known(name).unwrap().decode(octets).into_owned();
        for far in [0, 2000, 6000] {
            let comment = format!("<!-- {} -->", "x".repeat(far));
            let meta = format!("<meta http-equiv=content-type content='text/html; charset={name}'>");
            let ascii = [b"<head>", comment.as_bytes(), meta.as_bytes(), b"<title>", octets, b"</title><p>x"].concat();
            assert_eq!(parse(&input(media::HTML, "http://h/"), &ascii).title.as_deref(), Some(&*words), "{name} {far}");
            // what stands before it is read again, where the octets are kept
            let after = [b"<title>", octets, b"</title>\n", comment.as_bytes(), meta.as_bytes(), b"<p>x"].concat();
            let intake = Intake { input: input(media::HTML, "http://h/"), title: None, keep: 1 << 20, memory: 1 << 24 };
            let mut reader = Reader::new(intake).unwrap();
            after.chunks(100).for_each(|piece| reader.take(piece));
            assert_eq!(reader.finish().page.document.title.as_deref(), Some(&*words), "{name} {far} after");
        }
    }
    let xml = b"<?xml version='1.0' encoding='koi8-r'?><html><body><p>\xEB\xCF\xD4</p></body></html>";
    assert_eq!(parse(&input(media::HTML, "http://h/"), xml).block_text(0), "Кот");
}

/// ASCII needs no decision, and a page that stalls is shown as it is.
#[test]
fn a_small_page_does_not_wait_for_its_charset() {
    let mut reader = reader(media::HTML);
    reader.take(b"<p>one</p><p>two</p>");
    assert!(reader.document().text().contains("one"));
    reader.take(b"<p>caf\xE9</p><p>x</p>");
    assert!(!reader.document().text().contains("caf"));
    let so_far = reader.tentative().unwrap().document;
    assert!(so_far.text().contains("café"), "{}", so_far.text());
    for media in [media::PLAIN, media::MENU] {
        let mut reader = self::reader(media);
        reader.take(b"i\xEB\xCF\xD4\xC9\xCB \xC9 \xD3\xCF\xC2\xC1\xCB\xC1\tx\th\t70\n");
        assert_eq!(reader.document().text(), "");
        let so_far = reader.tentative().unwrap().document;
        assert!(so_far.text().contains("отик и собака"), "{}", so_far.text());
    }
}

/// What a pause has shown of a page decides nothing: with more octets a charset is guessed better.
#[test]
fn a_page_that_stalls_is_read_in_the_end_as_if_it_had_come_at_once() {
    let encoded = |label: &str, text: &str| {
        encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
    };
    let japanese = "日本語の文章です。これは長い文章ですから、文字の種類が分かります。\n".repeat(4);
    let russian = "Привет, это обычный текст на русском языке, и он довольно длинный.\n".repeat(4);
    for (label, text) in [("euc-jp", &japanese), ("shift_jis", &japanese), ("koi8-r", &russian)] {
        let octets = encoded(label, text);
        for media in [media::PLAIN, media::HTML, media::GEMTEXT, media::MENU] {
            let mut reader = reader(media);
            for octet in octets.chunks(1) {
                reader.take(octet);
                // No cut letter is read as others.
                let so_far = reader.tentative();
                assert!(so_far.is_none_or(|page| !page.document.text().contains('\u{fffd}')), "{label} as {media}");
            }
            let whole = reader.finish().page.document;
            let mut at_once = self::reader(media);
            at_once.take(&octets);
            assert_eq!(whole.text(), at_once.finish().page.document.text(), "{label} as {media}");
        }
    }
}

fn reader(media: &str) -> Reader {
    Reader::new(Intake { input: input(media, "http://h/"), title: None, keep: 1 << 20, memory: 1 << 24 }).unwrap()
}

#[test]
fn a_page_says_by_what_it_was_read() {
    let by = |charset: Option<Said>, octets: &[u8]| {
        let input = Input { charset, ..input(media::HTML, "http://h/") };
        let read = parse(&input, octets).charset.unwrap();
        format!("{}: {}", read.name, read.why)
    };
    let said = |name: &str, by| Some(Said { name: name.into(), by });
    assert_eq!(by(None, b"<p>x"), "us-ascii: nothing else has come");
    assert_eq!(by(None, b"<meta charset=koi8-r><p>x"), "koi8-r: declared");
    assert_eq!(by(Some("iso-8859-2".into()), b"<p>\xE9"), "iso-8859-2: declared");
    assert_eq!(by(Some("iso-8859-2".into()), "<p>é".as_bytes()), "utf-8: it is valid; iso-8859-2 was said");
    assert_eq!(by(said("koi8-r", By::Chosen), b"<p>\xE9"), "koi8-r: chosen");
    assert_eq!(by(said("koi8-r", By::Chosen), "<p>é".as_bytes()), "utf-8: it is valid; koi8-r was said");
    assert_eq!(by(said("koi8-r", By::Asked), "<p>é".as_bytes()), "koi8-r: chosen");
    assert_eq!(by(said("koi8-r", By::Default), b"<meta charset=cp1251><p>\xE9"), "windows-1251: declared");
    assert_eq!(by(said("koi8-r", By::Default), b"<p>\xE9"), "koi8-r: set for texts that do not say");
    assert_eq!(by(None, b"\xEF\xBB\xBF<p>x"), "utf-8: byte order mark");
    assert_eq!(by(None, b"<p>caf\xE9 cr\xE8me"), "windows-1252: guessed");
}

/// A page's own word comes before the escapes after it, however much comes at a time.
#[test]
fn escapes_after_a_declaration_mean_nothing() {
    let input = input(media::HTML, "http://home.example/");
    for word in ["utf-8", "iso-8859-1", "iso-2022-jp"] {
        let page = format!("<meta charset={word}><p>~{{ a ~{{<:Ky~}} \u{1b}$B$\"\u{1b}(B b");
        let long =
            format!("<title>~{{ x</title>{}<meta charset={word}><p>c \u{1b}$B$\"\u{1b}(B d", "<b></b>".repeat(300));
        for page in [page, long] {
            let whole = parse_in(&input, page.as_bytes(), usize::MAX >> 1);
            let pieces = parse_in(&input, page.as_bytes(), 1);
            assert_eq!((whole.text(), &whole.charset), (pieces.text(), &pieces.charset), "{page}");
            assert_eq!(whole.text().contains('あ'), word == "iso-2022-jp", "{page}: {}", whole.text());
        }
    }
}
