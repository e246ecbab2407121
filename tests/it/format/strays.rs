//! Texts of which little is not ASCII, or of which some octets are of another charset than the others.

use super::{input, parse};
use wayfarer::format::charset::{Decoder, known};
use wayfarer::format::media;

/// What plain text of these octets is, however they are cut.
fn text(charset: Option<&str>, octets: &[u8]) -> String {
    let in_pieces = |size: usize| {
        let mut decoder = Decoder::new(charset);
        let mut out = String::new();
        octets.chunks(size).for_each(|piece| decoder.feed(piece, &mut out));
        decoder.finish(&mut out);
        out
    };
    let whole = in_pieces(octets.len());
    for size in [1, 3, 1000] {
        assert!(in_pieces(size) == whole, "in pieces of {size}");
    }
    whole
}

fn after(lines: &str, octets: &[u8]) -> Vec<u8> {
    [lines.as_bytes(), octets].concat()
}

/// What a page, a text and a menu of these octets say of their charset.
fn read_by(media: &str, octets: &[u8]) -> String {
    parse(&input(media, "http://h/"), octets).charset.unwrap().name
}

#[test]
fn a_stray_octet_before_the_first_utf8_is_alone_in_what_it_is() {
    let name = "Jürgen Müller\n";
    let many = [&b"by Andr\xe9\n"[..], name.repeat(50).as_bytes()].concat();
    assert_eq!(text(None, &many), format!("by André\n{}", name.repeat(50)));
    // far behind what a judgement looks at, too
    let far = [&b"by Andr\xe9\n"[..], "All of this is ASCII.\n".repeat(3000).as_bytes(), name.as_bytes()].concat();
    assert!(text(None, &far).ends_with(name));
    let page = parse(&input(media::HTML, "http://h/"), &far);
    assert!(page.text().contains("by André") && page.text().contains("Jürgen Müller"));
    let (lines, both) = ("iJürgen\t\t\t1\n".repeat(9), b"iby Andr\xe9 M\xc3\xbcller\t\t\t1\n");
    let menu = [&b"iby Andr\xe9\t\t\t1\n"[..], lines.as_bytes(), both].concat();
    let menu = parse(&input(media::MENU, "gopher://h/"), &menu);
    assert!(menu.text().contains("by André Müller") && menu.text().contains("Jürgen"), "{}", menu.text());
    // one line with both
    assert_eq!(text(None, b"ok \xc3\xa4\xc3\xb6 stray \xe9 na\xc3\xafve\n"), "ok äö stray é naïve\n");
    assert_eq!(text(None, b"stray \xe9 ok \xc3\xa4\xc3\xb6 na\xc3\xafve\n"), "stray é ok äö naïve\n");
}

#[test]
fn what_is_read_by_says_which_of_both_it_is() {
    assert_eq!(read_by(media::PLAIN, b"by Andr\xe9\n"), "windows-1252");
    assert_eq!(read_by(media::MENU, b"iby Andr\xe9\t\t\t1\n"), "windows-1252");
    let both = [&b"by Andr\xe9\n"[..], &b"ASCII\n".repeat(1000), "Müller\n".as_bytes()].concat();
    assert_eq!(read_by(media::PLAIN, &both), "utf-8");
    assert_eq!(read_by(media::HTML, &both), "utf-8");
    let notes = parse(&input(media::PLAIN, "http://h/"), &both).notes;
    assert_eq!(notes, ["some octets are not utf-8; they were read as windows-1252"]);
    let ascii = b"iASCII\t\t\t1\n".repeat(1000);
    let both = [&b"iby Andr\xe9\t\t\t1\n"[..], &ascii, "iMüller\t\t\t1\n".as_bytes()].concat();
    assert_eq!(read_by(media::MENU, &both), "utf-8");
}

#[test]
fn lines_of_utf8_are_that_after_many_of_another_charset() {
    let russian = known("koi8-r").unwrap().encode("Гипертекст связывает документы между собой.\n").unwrap();
    let many = [&russian.repeat(200)[..], "Jürgen Müller, и другие\n".as_bytes(), &russian].concat();
    let read = text(None, &many);
    assert!(read.contains("\nJürgen Müller, и другие\nГипертекст связывает"), "{read}");
    // and those of another charset among UTF-8
    let many = ["Jürgen Müller, и другие\n".repeat(200).as_bytes(), &russian].concat();
    assert!(text(None, &many).starts_with("Jürgen"));
    let mixed = [&russian[..], "Jürgen Müller, и другие\n".repeat(200).as_bytes(), &russian].concat();
    let read = text(None, &mixed);
    assert!(read.starts_with("Гипертекст связывает документы") && read.contains("Jürgen Müller, и"), "{read}");
}

/// Letters and signs that English has from its neighbours.
const SEEN: &[(&[u8], &str)] = &[
    (b"delay is 10 \xb5s, costs \xa35, \xb12 percent\n", "delay is 10 µs, costs £5, ±2 percent\n"),
    (b"10 \xb5s\n", "10 µs\n"),
    (b"Fran\xe7ois\n", "François\n"),
    (b"\xabx\xbb\n", "«x»\n"),
    (b"Pokorn\xfd\n", "Pokorný\n"),
    (b"(Jan Pokorn\xfd),\n", "(Jan Pokorný),\n"),
    (b"caf\xe9 cr\xe8me\n", "café crème\n"),
    (b"20 \xb0C, 5 m\xb2\n", "20 °C, 5 m²\n"),
    (b"\xa9 1999 A. N. Other\n", "© 1999 A. N. Other\n"),
    (b"Foo\xae\n", "Foo®\n"),
    (b"page 12, \xa7 3\n", "page 12, § 3\n"),
    (b"\xbfqu\xe9?\n", "¿qué?\n"),
    (b"the 21\xba of May\n", "the 21º of May\n"),
    (b"na\xefve\n", "naïve\n"),
    (b"Sm\xf8rrebr\xf8d\n", "Smørrebrød\n"),
];

#[test]
fn few_letters_among_ascii_are_western() {
    for (octets, seen) in SEEN {
        assert_eq!(text(None, octets), *seen);
        for lines in [1, 8, 400] {
            let before = "The quick brown fox jumps over the lazy dog.\n".repeat(lines);
            assert!(text(None, &after(&before, octets)).ends_with(seen), "{seen} after {lines} lines");
            let around = [before.as_bytes(), octets, before.as_bytes()].concat();
            assert_eq!(text(None, &around), format!("{before}{seen}{before}"), "{seen} within {lines} lines");
        }
        let page = parse(&input(media::HTML, "http://h/"), &[b"<p>", *octets, b"</p>"].concat());
        assert!(page.text().contains(seen.trim_end()), "{seen}: {}", page.text());
    }
}

/// Where a host's country writes otherwise, few letters are of that.
#[test]
fn few_letters_are_what_the_host_s_country_writes() {
    let of = |host: &str, octets: &[u8]| {
        let url = format!("http://{host}/");
        parse(&input(media::PLAIN, &url), octets).text().trim_end().to_owned()
    };
    assert_eq!(of("h.pl", b"\xa3\xf3d\xbc\n"), "Łódź");
    assert_eq!(of("h.cz", b"Pokorn\xfd\n"), "Pokorný");
    assert_eq!(of("h.fr", b"10 \xb5s\n"), "10 µs");
    assert_eq!(of("h.com", b"10 \xb5s\n"), "10 µs");
}

#[test]
fn few_characters_of_utf8_do_not_beat_a_declaration_of_two_octets_a_character() {
    let chinese = b"English text about \xc4\xa3\xca\xbd and \xca\xb5\xca\xb1 .\n";
    assert_eq!(text(Some("gb2312"), chinese), "English text about 模式 and 实时 .\n");
    // A page that is UTF-8 all the same shows so soon, whatever its first line is.
    let page = "中文\n超文本把文档互相连接起来。\n";
    assert_eq!(text(Some("gb2312"), page.as_bytes()), page);
    assert_eq!(text(Some("big5"), page.as_bytes()), page);
}

#[test]
fn a_capital_before_a_closing_mark_is_no_utf8() {
    assert_eq!(text(Some("iso-8859-1"), b"CAF\xc9\xa0: x\n"), "CAFÉ\u{a0}: x\n");
    assert_eq!(text(Some("windows-1252"), b"\xabMARCH\xc9\xbb\n\xabMARCH\xc9\xbb\n"), "«MARCHÉ»\n«MARCHÉ»\n");
    assert_eq!(text(Some("iso-8859-1"), "Größe\n".as_bytes()), "Größe\n");
    assert_eq!(text(Some("iso-8859-1"), "Привет\n".as_bytes()), "Привет\n");
}

/// Every line of a menu may have escapes of its own.
#[test]
fn lines_of_seven_bits_stay_what_they_are() {
    let octets = known("iso-2022-jp").unwrap().encode("日本語").unwrap();
    let line = [b"i", &octets[..], b"\t\t\t1\n"].concat();
    let menu = parse(&input(media::MENU, "gopher://h/"), &line.repeat(3));
    assert_eq!(menu.text().matches("日本語").count(), 3, "{}", menu.text());
}
