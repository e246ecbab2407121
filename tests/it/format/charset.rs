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
    // Half of one is none.
    assert_eq!(text(None, b"\xEF\xBB").chars().count(), 2);
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

/// A text in a charset that this machine's library encodes.
fn encoded(text: &str, charset: &str) -> Vec<u8> {
    known(charset).unwrap().encode(text).unwrap_or_else(|| panic!("{charset} lacks a letter of {text}"))
}

#[test]
fn letters_of_koi8_are_no_drawing() {
    let text = "привет, мир\n";
    let (read, notes) = decode(None, &encoded(text, "koi8-r"));
    assert_eq!((read.as_str(), &notes[0][..20]), (text, "charset guessed: koi"));
    // Russian PCs drew beside their letters.
    let table = "╔════════════╗\n║ содержание ║\n╚════════════╝\n";
    assert_eq!(decode(None, &encoded(table, "ibm866")).0, table);
    let tree = "├── docs\n│   └── größe\n└── src\n";
    assert_eq!(decode(None, &encoded(tree, "cp437")).0, tree);
}

#[test]
fn what_was_said_of_another_charset_does_not_overrule_utf8() {
    let text = "Größe und Übung\nnoch mehr\n";
    assert_eq!(decode(Some("iso-8859-1"), text.as_bytes()), (text.into(), vec![]));
    assert_eq!(decode(Some("koi8-r"), "Привет\n".as_bytes()).0, "Привет\n");
    // Octets of the charset that was said may stand beside it.
    let (mixed, notes) = decode(Some("windows-1251"), b"\xD0\x9C\xD0\xB8\xD1\x80\n\xCC\xE8\xF0\n");
    assert_eq!((mixed.as_str(), notes.len()), ("Мир\nМир\n", 1));
    // One character may be an accident where each takes two octets.
    assert_eq!(text_of("euc-kr", "타"), "타");
    assert_eq!(text_of("gb18030", "中文网页"), "中文网页");
}

fn text_of(charset: &str, words: &str) -> String {
    text(Some(charset), &encoded(words, charset))
}

#[test]
fn what_is_declared_to_be_utf8_and_is_not_is_guessed() {
    let russian = "Гипертекст связывает документы между собой.\n";
    let (read, notes) = decode(Some("utf-8"), &encoded(russian, "windows-1251"));
    assert_eq!((read.as_str(), notes.as_slice()), (russian, &["charset guessed: windows-1251".to_owned()][..]));
    let (read, notes) = decode(Some("utf-8"), b"\xC3\xA4\n\xE4\n");
    assert_eq!((read.as_str(), notes.len()), ("ä\nä\n", 1));
}

#[test]
fn charsets_of_seven_bits_are_known_by_their_escapes() {
    let japanese = encoded("日本語 text\n", "iso-2022-jp");
    assert_eq!(decode(None, &japanese), ("日本語 text\n".into(), vec!["charset guessed: iso-2022-jp".into()]));
    assert_eq!(decode(None, b"\x1B[1mbold\x1B[0m ~{x ~}\n").0, "\x1B[1mbold\x1B[0m ~{x ~}\n");
    let hz = b"This sentence is in ASCII.\nThe next sentence is in GB.~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.\n";
    assert_eq!(decode(None, hz).0, "This sentence is in ASCII.\nThe next sentence is in GB.己所不欲，勿施於人。Bye.\n");
    assert_eq!(text(Some("hz-gb-2312"), b"~{1>~}~\nx~~y"), "本x~y");
}
