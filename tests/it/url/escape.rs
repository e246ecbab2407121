//! Octets and URL characters.

use crate::random::search;
use proptest::prelude::*;
use wayfarer::url::escape::{
    FTP_SEGMENT, NEWS_ID, PATH, QUERY, decode, display, encode, is_printable, is_reserved, is_unreserved, make_safe,
    make_safe_typed,
};
use wayfarer::url::{Url, equal, split};

const SETS: [(&str, &[u8]); 4] = [("query", QUERY), ("path", PATH), ("ftp segment", FTP_SEGMENT), ("news id", NEWS_ID)];

/// D24: the sets of RFC 3986.
#[test]
fn the_sets_are_those_of_the_specification() {
    let unreserved: String = (0..=255).filter(|&b| is_unreserved(b)).map(char::from).collect();
    assert_eq!(unreserved, "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");
    let reserved: String = (0..=255).filter(|&b| is_reserved(b)).map(char::from).collect();
    assert_eq!(reserved, "!#$&'()*+,/:;=?@[]");
    for (name, set) in SETS {
        assert!(set.iter().all(|&b| is_reserved(b) && !b"#[]".contains(&b)), "{name}");
    }
}

#[test]
fn decoding_happens_once() {
    let rows: &[(&str, &[u8])] = &[
        ("%2509", b"%09"),
        ("a%2Fb%2fc", b"a/b/c"),
        ("%7e%7E", b"~~"),
        ("%", b"%"),
        ("%4", b"%4"),
        ("%zz%4g", b"%zz%4g"),
        ("%%41", b"%A"),
        ("%+1%-1", b"%+1%-1"),
        ("%00%ff", b"\0\xFF"),
        ("é%C3%A9", "éé".as_bytes()),
        ("%4é", "%4é".as_bytes()),
        ("", b""),
    ];
    for (text, octets) in rows {
        assert_eq!(decode(text), *octets, "{text}");
    }
}

#[test]
fn each_component_keeps_its_own() {
    let data = b"a/b;c?d:e@f=g#h%i j\t[k]~+";
    let rows = [
        (QUERY, "a/b;c?d:e@f=g%23h%25i%20j%09%5Bk%5D~+"),
        (PATH, "a/b;c%3Fd:e@f=g%23h%25i%20j%09%5Bk%5D~+"),
        (FTP_SEGMENT, "a%2Fb%3Bc%3Fd:e@f=g%23h%25i%20j%09%5Bk%5D~+"),
        (NEWS_ID, "a%2Fb;c%3Fd:e@f=g%23h%25i%20j%09%5Bk%5D~+"),
    ];
    for (keep, text) in rows {
        assert_eq!(encode(data, keep), text);
    }
    assert_eq!(encode(b"\x0d\x0a\xe9", PATH), "%0D%0A%E9");
}

#[test]
fn making_safe_leaves_escapes_and_delimiters_alone() {
    let rows = [
        ("a b%20c", "a%20b%20c"),
        ("http://h/a b?c d#e f", "http://h/a%20b?c%20d#e%20f"),
        ("http://h/%7e%2F%2f;x=1&y:@!$'()*+,", "http://h/%7e%2F%2f;x=1&y:@!$'()*+,"),
        ("http://[::1]:80/a[b]", "http://[::1]:80/a%5Bb%5D"),
        ("http://h/é{|}\\^`<>\"", "http://h/%C3%A9%7B%7C%7D%5C%5E%60%3C%3E%22"),
        ("http://bücher.example/ü", "http://bücher.example/%C3%BC"),
        ("http://h/\r\n\t\u{7f}\u{9b}", "http://h/%0D%0A%09%7F%C2%9B"),
        ("http://h/a#b#c", "http://h/a#b%23c"),
        ("http://h/100%/%zz", "http://h/100%/%zz"),
    ];
    for (text, safe) in rows {
        assert_eq!(make_safe(text), safe);
    }
    // ESC-16: typed, a lone percent sign is meant as one
    assert_eq!(make_safe_typed("http://h/100%/%zz%20%2"), "http://h/100%25/%25zz%20%252");
}

#[test]
fn display_unescapes_only_what_is_safe_to_show() {
    let rows = [
        ("/%7Euser/%41%2d", "/~user/A-"),
        ("/caf%C3%A9/%E6%97%A5", "/café/日"),
        ("/a%2Fb%3F%23%25%26", "/a%2Fb%3F%23%25%26"),
        ("/a%20b%3C%22", "/a%20b%3C%22"),
        ("/a b", "/a%20b"),
        // no UTF-8: as written, case of the digits included
        ("/caf%e9/%C3/%c3%28", "/caf%e9/%C3/%c3%28"),
        ("%C3%A9%e9%C3%A9", "é%e9é"),
        // controls, escape sequences, bidi, invisible: never, written plainly neither
        ("%1b[31m\u{1b}[0m", "%1b[31m%1B[0m"),
        ("%0D%0A%00%7F%C2%9B", "%0D%0A%00%7F%C2%9B"),
        ("%E2%80%AEtxt\u{202e}gpj", "%E2%80%AEtxt%E2%80%AEgpj"),
        ("%E2%80%8B%EF%BB%BF%C2%A0%C2%AD", "%E2%80%8B%EF%BB%BF%C2%A0%C2%AD"),
        ("%F3%A0%81%81", "%F3%A0%81%81"),
        // a stray percent sign must not become the start of an escape
        ("%%341", "%%341"),
        ("%4%31", "%4%31"),
        ("%2541", "%2541"),
    ];
    for (text, shown) in rows {
        assert_eq!(display(text), shown);
    }
}

/// Text full of escapes, whole and broken.
fn escaped() -> impl Strategy<Value = String> {
    let pieces = [
        "%",
        "%4",
        "%41",
        "%34",
        "1",
        "a",
        "%C3",
        "%A9",
        "%c3%a9",
        "%20",
        "%00",
        "é",
        "\u{202e}",
        " ",
        "/",
        "%25",
        "%2F",
        "%E2%80%AE",
    ];
    proptest::collection::vec(prop::sample::select(pieces.to_vec()), 0..10).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(search(2000))]

    #[test]
    fn octets_come_back(octets in any::<Vec<u8>>(), set in 0..SETS.len()) {
        let text = encode(&octets, SETS[set].1);
        prop_assert!(text.is_ascii());
        prop_assert_eq!(decode(&text), octets);
    }

    #[test]
    fn display_means_the_same(text in escaped()) {
        prop_assert_eq!(decode(&display(&text)), decode(&text));
        prop_assert_eq!(display(&display(&text)), display(&text));
    }

    #[test]
    fn display_shows_no_control(text in any::<String>()) {
        prop_assert!(!display(&text).chars().any(|c| c.is_control() || c.is_whitespace()));
        prop_assert_eq!(decode(&display(&text)), decode(&text));
    }

    #[test]
    fn made_safe_is_legal_and_stays_so(text in any::<String>()) {
        let safe = make_safe_typed(&format!("http://h/{text}"));
        prop_assert!(fluent_uri::Uri::parse(safe.as_str()).is_ok(), "{}", safe);
        prop_assert_eq!(make_safe_typed(&safe), safe.clone());
        prop_assert_eq!(make_safe(&safe), safe);
    }

    #[test]
    fn made_safe_is_equivalent(text in escaped()) {
        let url = Url::parse(format!("http://h/{text}")).unwrap();
        let safe = Url::parse(make_safe(url.as_str())).unwrap();
        prop_assert!(equal::equivalent(&url, &safe), "{} {}", url, safe);
        prop_assert_eq!(split(safe.as_str()).to_string(), safe.as_str());
    }
}

#[test]
fn printable_is_what_a_screen_shows_wherever_it_stands() {
    for at in 0..20 {
        for b in 0..=255 {
            let mut octets = *b"the quick brown fox.";
            octets[at] = b;
            assert_eq!(is_printable(&octets), (b' '..=b'~').contains(&b), "{b} at {at}");
        }
    }
    assert!(is_printable(b""));
}
