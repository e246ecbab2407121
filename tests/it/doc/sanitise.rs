//! The one sanitiser, against what hostile servers send.

use crate::random::search;
use proptest::prelude::*;
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use wayfarer::doc::{sanitise, sanitise_into};

/// What is sent, and what is shown of it.
const HOSTILE: &[(&str, &str)] = &[
    // colours, cursor moves, clearing, modes
    ("\x1b[31mred\x1b[0m", "red"),
    ("a\x1b[2J\x1b[Hb", "ab"),
    ("\x1b[?1049h\x1b[>4;2mx\x1b[1 q", "x"),
    ("\x1b[38:2::255:0:0mx", "x"),
    // titles, links, the clipboard, the palette, notifications
    ("\x1b]0;owned\x07after", "after"),
    ("\x1b]8;;http://evil.example\x1b\\text\x1b]8;;\x1b\\", "text"),
    ("\x1b]52;c;cm0gLXJmIC8=\x07x", "x"),
    ("\x1b]4;1;#ff0000\u{9c}x", "x"),
    // device control, privacy, application, start of string
    ("\x1bP$q\"p\x1b\\x", "x"),
    ("\x1bPq#0;2;0;0;0~~@@vv\x1b\\x", "x"),
    ("\x1b^secret\x1b\\x\x1b_apc\x1b\\y\x1bXsos\x1b\\z", "xyz"),
    // charsets, reset, keypad, single shifts
    ("\x1b(0lqk\x1b(B", "lqk"),
    ("\x1bca\x1b7b\x1b8c\x1b=d\x1b>e\x1bMf", "abcdef"),
    ("\x1b#8x\x1b%Gy\x1b$(Dz", "xyz"),
    // what never ends eats nothing
    ("\x1b]0;title without an end, then text", "␛]0;title without an end, then text"),
    ("\x1bPdevice\x1b[31mred", "␛Pdevicered"),
    ("\x1b]0;a\rb\x07c", "␛]0;a␍b␇c"),
    ("\x1b[31", "␛[31"),
    ("\x1b[12é", "␛[12é"),
    ("x\x1b", "x␛"),
    ("\x1b\x1b[31mx", "␛x"),
    ("\x1bé", "␛é"),
    ("\x1b    text", "␛    text"),
    ("\u{9d}0;title, then text", "‹9D›0;title, then text"),
    // C1 in their own form
    ("\u{9b}31mred\u{9b}0m", "red"),
    ("\u{9d}0;owned\u{9c}x\u{90}q\u{9c}y\u{9f}z\x07!", "xy!"),
    ("\u{85}\u{9b}", "‹85›‹9B›"),
    ("\u{9c}x", "‹9C›x"),
    ("\u{8e}\u{80}", "‹8E›‹80›"),
    // single controls
    ("a\0b\x08c\x07d\x0ce", "a␀b␈c␇d␌e"),
    ("50%\r100%\n", "50%␍100%␊"),
    ("\x7f", "␡"),
    ("a\tb", "a\tb"),
    // text that runs backwards
    ("invoice\u{202e}fdp.exe", "invoice‹RLO›fdp.exe"),
    ("\u{2066}a\u{2069}\u{200f}\u{61c}", "‹LRI›a‹PDI›‹ALM›"),
    // text that hides
    ("pass\u{ad}word\u{feff}", "password"),
    ("a\u{e0041}\u{e0042}\u{e007f}b\u{e0100}", "ab"),
    ("a\u{2060}\u{2063}\u{180e}b\u{206a}", "ab"),
    ("one\u{2028}two\u{2029}", "one two "),
    ("a\u{115f}\u{1160}b\u{17b4}\u{34f}c\u{3164}\u{ffa0}d", "abcd"),
    ("\u{2801}\u{2800}\u{2802}", "\u{2801} \u{2802}"),
    // what scripts need stays
    (
        "👩\u{200d}👧 نامه\u{200c}ها ไทย\u{200b}ไทย ☎\u{fe0f} “—” ½ 日本",
        "👩\u{200d}👧 نامه\u{200c}ها ไทย\u{200b}ไทย ☎\u{fe0f} “—” ½ 日本",
    ),
];

#[test]
fn hostile_text_is_harmless() {
    for (sent, seen) in HOSTILE {
        assert_eq!(sanitise(sent), *seen, "{sent:?}");
        // wherever the wide strides begin and end
        for before in [1, 63, 64, 65, 130] {
            let fill = "x".repeat(before);
            let mut out = String::from(">");
            sanitise_into(&format!("{fill}{sent}{fill}"), &mut out);
            let open = sanitise(&format!("{sent}{fill}")).into_owned();
            assert_eq!(out, format!(">{fill}{open}"), "{sent:?}");
        }
    }
}

#[test]
fn long_strings_are_text() {
    let short = format!("\x1b]52;c;{}\x07x", "A".repeat(4000));
    assert_eq!(sanitise(&short), "x");
    let long = format!("\x1b]52;c;{}\x07x", "A".repeat(5000));
    assert_eq!(sanitise(&long), format!("␛]52;c;{}␇x", "A".repeat(5000)));
    let digits = format!("\x1b[{}m", "1".repeat(1000));
    assert_eq!(sanitise(&digits), format!("␛[{}m", "1".repeat(1000)));
}

#[test]
fn clean_text_is_not_copied() {
    for text in ["", "plain", "a\tb", "Ünïcödé “quotes” – 日本語 🇩🇪", &"x".repeat(1000)] {
        assert!(matches!(sanitise(text), Cow::Borrowed(same) if same == text), "{text:?}");
    }
}

/// Many beginnings without an end take no longer than as many letters.
#[test]
fn many_beginnings_are_read_once() {
    for beginning in ["\x1b]", "\x1bP", "\u{9d}", "\x1b[", "\x1b[1", "\x1b ", "\u{9b}0"] {
        let text = beginning.repeat(200_000);
        assert!(sanitise(&text).len() >= 200_000);
    }
}

fn forbidden(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(
            c,
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
        )
        || matches!(c, '\u{ad}' | '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e0fff}' | '\u{10ff80}'..)
}

/// Every character of Unicode by itself.
#[test]
fn no_character_slips_through() {
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        let clean = sanitise(&text);
        assert!(!clean.contains(forbidden), "{c:?}");
        assert!(forbidden(c) || clean == text || clean.is_empty(), "{c:?} became {clean:?}");
    }
}

fn noisy() -> impl Strategy<Value = String> {
    let hostile = prop::sample::select(HOSTILE.iter().map(|(sent, _)| sent.to_string()).collect::<Vec<_>>());
    let odd =
        prop::sample::select(vec!["\x1b", "[", "]", "P", "\\", "\x07", "\u{9c}", "\u{9b}", "0;", "m", " ", "\u{202e}"]);
    prop::collection::vec(prop_oneof![hostile, odd.prop_map(String::from), any::<String>()], 0..12)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(search(500))]

    #[test]
    fn nothing_harmful_is_left(text in noisy()) {
        let clean = sanitise(&text);
        prop_assert!(!clean.contains(forbidden), "{clean:?}");
        let again = sanitise(&clean);
        prop_assert_eq!(again.as_ref(), clean.as_ref());
        if clean == text {
            prop_assert!(matches!(clean, Cow::Borrowed(_)));
        }
        let mut out = String::new();
        sanitise_into(&text, &mut out);
        prop_assert_eq!(out, sanitise(&text).into_owned());
    }

    #[test]
    fn text_after_a_beginning_without_end_is_kept(beginning in "\x1b[\\]PX^_]", text in "[a-zA-Z0-9 é日]{0,60}") {
        let clean = sanitise(&format!("{beginning}{text}")).into_owned();
        prop_assert!(clean.ends_with(&text), "{clean:?}");
    }
}

#[test]
fn a_letter_bears_no_more_marks_than_any_language_writes() {
    let marks = |count: usize| "\u{301}".repeat(count);
    for (given, kept) in [(0, 0), (29, 29), (30, 30), (31, 30), (200, 30), (1_000_000, 30)] {
        for before in
            ["", "x", "a long text before it, of no marks and of more than sixty octets as it happens, é", "日本語"]
        {
            let (text, wanted) =
                (format!("{before}{}e{}z", marks(given), marks(3)), format!("{before}{}e{}z", marks(kept), marks(3)));
            assert_eq!(sanitise(&text), wanted, "{given} {before}");
            let mut out = String::from("before");
            sanitise_into(&text, &mut out);
            assert_eq!(out, format!("before{wanted}"));
        }
    }
    // Joiners alone are marks like any; each letter has its own thirty.
    assert_eq!(sanitise(&"\u{200d}".repeat(10_000)).chars().count(), 30);
    assert_eq!(sanitise(&format!("e{}", marks(40)).repeat(1000)), format!("e{}", marks(30)).repeat(1000));
    let family = "👩\u{200d}👩\u{200d}👧".repeat(100);
    assert_eq!(sanitise(&family), family);
    // Skins of an emoji join it as marks do.
    assert_eq!(sanitise(&format!("👩{}z", "\u{1f3fd}".repeat(1000))), format!("👩{}z", "\u{1f3fd}".repeat(30)));
}

#[test]
fn no_more_emoji_are_one_than_thirty_joiners_join() {
    let chain = |links: usize, one: &str| vec![one; links].join("\u{200d}");
    for one in ["👩", "👩\u{1f3fd}", "❤\u{fe0f}", "क\u{94d}"] {
        for before in ["", "x", "a long text before it, of no marks and of more than sixty octets as it happens, é"] {
            for links in [1, 30, 31] {
                let text = format!("{before}{} {}", chain(links, one), chain(3, one));
                assert_eq!(sanitise(&text), text, "{links} {one}");
            }
            let text = format!("{before}{}z", chain(93, one));
            let wanted = format!("{before}{}z", [chain(31, one), chain(31, one), chain(31, one)].concat());
            assert_eq!(sanitise(&text), wanted, "{one}");
            let mut out = String::from("before👩\u{200d}");
            sanitise_into(&text, &mut out);
            assert_eq!(out, format!("before👩\u{200d}{wanted}"));
        }
    }
    let clean = sanitise(&chain(500_000, "👩")).into_owned();
    assert_eq!(clean.matches('👩').count(), 500_000, "no emoji is lost");
    assert_eq!(clean.graphemes(true).map(|one| one.chars().count()).max(), Some(61));
    assert_eq!(sanitise(&clean), clean);
}
