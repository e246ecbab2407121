//! Which charset, and the same one however the octets are cut.

use wayfarer::format::charset::{Decoder, charsets, known};

fn decode_in(charset: Option<&str>, octets: &[u8], size: usize) -> (String, Vec<String>) {
    let mut decoder = Decoder::new(charset);
    let mut out = String::new();
    octets.chunks(size.max(1)).for_each(|piece| decoder.feed(piece, &mut out));
    decoder.finish(&mut out);
    (out, decoder.notes())
}

fn decode(charset: Option<&str>, octets: &[u8]) -> (String, Vec<String>) {
    let whole = decode_in(charset, octets, octets.len());
    for size in [1, 2, 7, 1000] {
        assert_eq!(decode_in(charset, octets, size), whole, "in pieces of {size}");
    }
    whole
}

fn text(charset: Option<&str>, octets: &[u8]) -> String {
    decode(charset, octets).0
}

#[test]
fn every_choice_is_known() {
    for choice in charsets() {
        let charset = known(choice.name).unwrap_or_else(|| panic!("{}", choice.name));
        assert_eq!(charset.name(), choice.name);
    }
    assert!(known("klingon").is_none());
}

#[test]
fn the_mark_wins_over_what_was_said() {
    assert_eq!(text(Some("cp437"), b"\xEF\xBB\xBF\xC3\xA4"), "ä");
    assert_eq!(text(None, b"\xFE\xFF\0A\0\xE4"), "Aä");
    assert_eq!(text(None, b"\xFF\xFEA\0\xE4\0"), "Aä");
    assert_eq!(text(None, b"\xEF\xBB"), "ï»");
}

#[test]
fn what_was_said_wins_over_the_guess() {
    assert_eq!(text(Some("ibm437"), b"\x81ber"), "über");
    assert_eq!(text(Some("cp850"), b"\xC6\xFF"), "ã\u{A0}");
    assert_eq!(text(Some("koi8-r"), b"\xCD\xC9\xD2"), "мир");
    assert_eq!(text(Some("Shift_JIS"), b"\x93\xFA\x96\x7B"), "日本");
    assert_eq!(text(Some("iso-2022-jp"), b"\x1B$BF|K\\\x1B(B\n"), "日本\n");
    assert_eq!(text(Some("us-ascii"), b"\xC3\xA4"), "ä");
}

#[test]
fn unknown_names_are_told_and_guessed_for() {
    let (text, notes) = decode(Some("x-\x1b[31m"), b"caf\xE9");
    assert_eq!(text, "café");
    assert_eq!(notes, ["unknown charset \"x-\"".to_string(), "charset guessed: windows-1252".into()]);
}

#[test]
fn guesses() {
    assert_eq!(decode(None, b"plain\n"), ("plain\n".into(), vec![]));
    assert_eq!(decode(None, "größer ist 日本".as_bytes()), ("größer ist 日本".into(), vec![]));
    assert_eq!(text(None, b"\xC9\xCD\xCD\xBB\n\xBA\x81 \xBA\n\xC8\xCD\xCD\xBC"), "╔══╗\n║ü ║\n╚══╝");
    // Capitals with accents have the octets of box lines.
    assert_eq!(text(None, b"\xDCBERGR\xD6SSEN \xC4NDERN \xC9T\xC9"), "ÜBERGRÖSSEN ÄNDERN ÉTÉ");
    assert_eq!(text(None, b"\x93quoted\x94 \x80 5"), "“quoted” € 5");
}

#[test]
fn strays_in_utf8_are_read_one_by_one() {
    let (text, notes) = decode(None, "ä\nAdr\u{E9}sse\n".as_bytes());
    assert_eq!((text.as_str(), notes.len()), ("ä\nAdrésse\n", 0));
    let (text, notes) = decode(None, b"\xC3\xA4\n\xE4 \xF0\x9F\x98\x80 \xF0\x9F\n\xC3");
    assert_eq!(text, "ä\nä 😀 ðŸ\nÃ");
    assert_eq!(notes, ["some octets are not utf-8; they were read as windows-1252"]);
}

#[test]
fn ascii_never_waits_and_lines_of_utf8_hardly() {
    let mut decoder = Decoder::new(None);
    let mut out = String::new();
    decoder.feed(b"first line\nsecond \xC3\xA4 ", &mut out);
    assert_eq!(out, "first line\nsecond ");
    decoder.feed(b"end\nthird", &mut out);
    assert_eq!(out, "first line\nsecond ä end\nthird");
}

#[test]
fn a_guess_looks_no_further_than_its_window() {
    let mut octets = b"\xE9".to_vec();
    octets.resize(4095, b'x');
    let mut decoder = Decoder::new(None);
    let mut out = String::new();
    decoder.feed(&octets, &mut out);
    assert_eq!(out, "");
    decoder.feed(b"x", &mut out);
    assert_eq!(out.chars().count(), 4096);
    let drawn: Vec<u8> = octets.iter().copied().chain(b"\xCD".repeat(9000)).collect();
    assert!(text(None, &drawn).ends_with('Í'));
}
