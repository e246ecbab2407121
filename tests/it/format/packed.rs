//! Compressed files as pages.

use super::{input, parse};
use std::io::Write;
use wayfarer::doc::Document;
use wayfarer::format::{Intake, Reader, media, packed};

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(octets).unwrap();
    gzip.finish().unwrap()
}

fn read(url: &str, octets: &[u8]) -> Document {
    parse(&input(media::PACKED, url), octets)
}

#[test]
fn names_say_what_may_be_inside() {
    let of = |media, name| packed::of(media, name).is_some();
    for name in [
        "README.gz",
        "changelog.Debian.gz",
        "x.html.gz",
        "notes.txt.Z",
        "a.md.bz2",
        "a.xz",
        "b.txt.zst",
        "picture.png.gz",
    ] {
        assert!(of("application/octet-stream", name) && of("application/gzip", name), "{name}");
    }
    for name in ["x.tar.gz", "x.tgz", "x.tar.Z", "film.mpg.gz", "x.taz", "x.zip.gz"] {
        assert!(!of("application/gzip", name), "{name}");
    }
    assert!(!of("text/plain", "README") && !of("text/html", "x.html.gz") && !of("application/pdf", "x.pdf"));
    assert!(of("text/plain", "README.gz") && of("application/x-gzip", "download"));
}

#[test]
fn a_text_and_a_page_are_shown_as_what_they_are() {
    let text = read("ftp://h/README.gz", &gzip("Grüße\nsecond line\n".as_bytes()));
    assert_eq!((text.block_text(0), text.block_text(1)), ("Grüße", "second line"));
    assert_eq!(text.packed.as_deref(), Some("gzip: 40 B are 20 B"));
    let page = read("http://h/x.html.gz", &gzip(b"<title>T</title><p>one <a href=two>two</a>"));
    assert_eq!((page.title.as_deref(), page.link_count()), (Some("T"), 1));
    let russian = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2, \xFA\xC4\xD2\xC1\xD7\xD3\xD4\xD7\xD5\xCA\xD4\xC5\n";
    assert_eq!(read("ftp://h/a.txt.gz", &gzip(russian)).block_text(0), "Привет, мир, Здравствуйте");
}

#[test]
fn what_is_no_text_inside_is_said() {
    let document = read("ftp://h/data.gz", &gzip(&[0, 1, 2, 3, 4, 5, 6, 0, 0, 0]));
    assert!(document.text().contains("cannot be shown as text"), "{}", document.text());
}

#[test]
fn a_name_may_lie_and_an_end_may_be_missing() {
    let plain = read("ftp://h/README.gz", b"not packed at all\n");
    assert_eq!(plain.block_text(0), "not packed at all");
    assert!(plain.notes.iter().any(|note| note.contains("not compressed")), "{:?}", plain.notes);
    let words = "words that go on and on, ".repeat(400);
    let short = gzip(words.as_bytes());
    let cut = read("ftp://h/README.gz", &short[..short.len() - 12]);
    assert!(cut.notes.iter().any(|note| note.contains("missing")), "{:?}", cut.notes);
    assert_eq!(read("ftp://h/README.gz", b"").text(), "");
}

/// Some kilobytes that hold hundreds of megabytes: no more than may be is ever held.
#[test]
fn a_bomb_is_cut() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let line = [b"a line of text".repeat(6), b"\n".to_vec()].concat().repeat(1000);
    (0..600).for_each(|_| packed.write_all(&line).unwrap());
    let packed = packed.finish().unwrap();
    let most = 8 << 20;
    let intake = Intake { input: input(media::PACKED, "ftp://h/a.txt.gz"), title: None, keep: 0, memory: most };
    let mut reader = Reader::new(intake).unwrap();
    packed.chunks(16 << 10).for_each(|piece| reader.take(piece));
    let whole = reader.finish();
    assert!(whole.cut.is_some());
    let held = whole.page.document.memory();
    assert!(held < 3 * most, "{held}");
}
