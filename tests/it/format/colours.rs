//! The colours that texts ask for: roles of the theme, never sequences.

use super::{dump::dump, input, parse, parse_in};
use wayfarer::format::media;
use wayfarer::role::Role;

fn looks(text: &str) -> Vec<(String, Role)> {
    let document = parse(&input(media::COLOURED, "gopher://home.example/0/text"), text.as_bytes());
    assert!(document.text().chars().all(|c| !c.is_control()), "{:?}", document.text());
    let spans = document.spans_in(0..document.text().len());
    spans.iter().map(|s| (document.text()[s.start as usize..s.end as usize].to_owned(), s.role)).collect()
}

#[test]
fn sixteen_colours_are_roles() {
    let one = |code: &str| looks(&format!("\x1b[{code}mx")).first().map(|(_, role)| *role);
    for (code, role) in [
        ("31", Role::Red),
        ("0;31", Role::Red),
        ("91", Role::RedBright),
        ("1;34", Role::BlueBright),
        ("30", Role::Dim),
        ("97", Role::Strong),
        ("1", Role::Strong),
        ("3", Role::Emphasis),
        ("4", Role::Underlined),
        ("42", Role::Green),
        ("30;46", Role::Cyan),
        ("33;44", Role::Yellow),
        ("7;35", Role::Magenta),
        ("38;5;196", Role::RedBright),
        ("38;5;22", Role::Green),
        ("38;5;240", Role::Dim),
        ("38;2;0;0;250", Role::BlueBright),
        ("48;5;3", Role::Yellow),
    ] {
        assert_eq!(one(code), Some(role), "{code}");
    }
    for code in ["", "0", "37", "39", "38", "38;5", "99", "31;0", "31;39", "1;22", "38:5:1", "?31", "31;999999"] {
        assert_eq!(one(code), None, "{code}");
    }
}

#[test]
fn a_colour_goes_on_until_it_ends_and_links_stay_links() {
    let text = "\x1b[32mone http://h.example/x\ntwo\x1b[0m three\n";
    let words: Vec<(String, Role)> = looks(text);
    let words: Vec<(&str, Role)> = words.iter().map(|(text, role)| (text.as_str(), *role)).collect();
    assert_eq!(words, [("one ", Role::Green), ("http://h.example/x", Role::Link), ("two", Role::Green)]);
}

#[test]
fn all_other_sequences_are_left_out() {
    let text = "a\x1b[31m\x1b[2Jb\x1b]0;title\x07c\x1b[6nd\u{9b}32me\x1b[5Cf\x1b(0g \x1b[31";
    let document = parse(&input(media::COLOURED, "gopher://home.example/0/text"), text.as_bytes());
    assert_eq!(document.text(), "abcdefg ␛[31");
    let plain = parse(&input(media::PLAIN, "gopher://home.example/0/text"), text.as_bytes());
    assert_eq!(document.text(), plain.text());
    assert_eq!(plain.notes.join(""), "colours are left out; :colours shows them");
    assert!(document.notes.is_empty());
}

#[test]
fn colours_between_marks_do_not_make_letters_without_end() {
    let text = format!("a{}\n", "\u{301}\u{302}\x1b[31m".repeat(500));
    let document = parse(&input(media::COLOURED, "gopher://home.example/0/text"), text.as_bytes());
    let plain = parse(&input(media::PLAIN, "gopher://home.example/0/text"), text.as_bytes());
    assert_eq!(document.text(), plain.text());
    assert_eq!(document.text().chars().count(), 31);
}

#[test]
fn drawings_of_dos_are_in_its_code_page_and_end_behind_column_80() {
    let drawing =
        [b"\x1b[1;31m\xDB\xB0\x1b[3C\x94".as_slice(), &[b'\xCD'; 80], b"\r\n\x1b[0mx\r\n\x1aSAUCE00who"].concat();
    for url in ["gopher://home.example/0/art.ans", "ftp://home.example/ART.ANS;type=i"] {
        let document = parse_in(&input(media::COLOURED, url), &drawing, 7);
        let lines: Vec<&str> = (0..3).map(|block| document.block_text(block)).collect();
        assert_eq!(lines[0].chars().take(6).collect::<String>(), "█░   ö");
        assert_eq!((lines[0].chars().count(), lines[1].chars().count(), lines[2]), (80, 6, "x"), "{url}");
        assert!(!document.text().contains("SAUCE"));
        assert_eq!(document.charset.as_ref().unwrap().name, "cp437");
        let plain = parse(&input(media::PLAIN, url), &drawing);
        assert!(plain.text().starts_with("█░ö═"), "{}", dump(&plain));
    }
    let utf8 = parse(&input(media::PLAIN, "gopher://home.example/0/art.ans"), "\u{e9}t\u{e9} \u{2588}".as_bytes());
    assert_eq!(utf8.text(), "\u{e9}t\u{e9} \u{2588}");
}
