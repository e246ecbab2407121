//! The one sanitiser between remote text and anything shown or stored (SEC-09).
//!
//! | found | becomes |
//! |---|---|
//! | a whole escape sequence (CSI, OSC, DCS, SOS, PM, APC, ECMA-48 5.6 and ECMA-35 13; with ESC or in its C1 form) | nothing |
//! | ESC that begins no whole sequence, other C0 except TAB, DEL | its control picture: `␛`, `␍`, `␡` |
//! | C1 controls U+0080–9F, and octets that a name carries (U+10FF80 to U+10FFFF) | `‹9B›` |
//! | other bidi controls | their names: `‹RLO›` |
//! | U+2028, U+2029, the empty Braille pattern U+2800 | a space |
//! | marks beyond the thirtieth that one letter bears (UAX #15, 13) | nothing |
//! | a joiner after thirty that join what would be one letter or one emoji | nothing, so that another one begins |
//! | soft hyphen, BOM, tags, fillers and other characters that have no look and could hide text | nothing |
//! | the marks of direction LRM and RLM, which turn nothing round | nothing |
//!
//! A control string ends at ST or BEL; one that meets another control first, or is longer than 4 KiB, is not whole, so it
//! never swallows the text that follows. Joiners (U+200C, U+200D), U+200B and variation selectors stay: scripts need them.

use std::borrow::Cow;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// The longest control string that is taken for one, in octets.
const LONGEST_STRING: usize = 4096;
/// Marks on one letter that stay, and joiners in one: more than any language writes (UAX #15, 13). A screen of letters with
/// hundreds each would take longer to set than a key may wait.
const MOST_MARKS: usize = 30;
/// U+200D, which makes one of two emoji.
const JOINER: &str = "\u{200d}";
/// The most parameter and intermediate octets of a control sequence.
const LONGEST_SEQUENCE: usize = 256;

/// Text safe to show: whole escape sequences dropped, other controls and bidi controls made visible; TAB is kept, LF is not
/// expected (formats cut lines first) and made visible. Borrowed when nothing had to change.
pub fn sanitise(text: &str) -> Cow<'_, str> {
    match (next_unsafe(text, 0), excess(text, 0).or_else(|| chained(text, 0))) {
        (None, None) => Cow::Borrowed(text),
        (unsafe_at, _) => {
            let mut out = String::with_capacity(text.len());
            clean(text, unsafe_at.unwrap_or(text.len()), &mut out);
            bound(&mut out, 0);
            Cow::Owned(out)
        }
    }
}

/// As [`sanitise`], appended to `out`.
pub fn sanitise_into(text: &str, out: &mut String) {
    let from = out.len();
    clean(text, next_unsafe(text, 0).unwrap_or(text.len()), out);
    bound(out, from);
}

/// Text as one line that may be shown.
pub fn line(text: &str) -> String {
    sanitise(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text on one line and otherwise as it is, for what is sanitised when it is shown.
pub fn flat(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Leaves out, from an offset on, what is too much for one letter.
fn bound(text: &mut String, from: usize) {
    thin(text, from, excess);
    thin(text, from, chained);
}

/// Leaves out, from an offset on, what is found from there on.
fn thin(text: &mut String, from: usize, find: fn(&str, usize) -> Option<Range<usize>>) {
    let Some(first) = find(text, from) else { return };
    let all = text.split_off(first.start);
    let (mut done, mut next) = (0, Some(0..first.len()));
    while let Some(more) = next {
        text.push_str(&all[done..more.start]);
        done = more.end;
        next = find(&all, done);
    }
    text.push_str(&all[done..]);
}

/// The next marks, from an offset on, that are too many for one letter. So many in a row are found by looking here and there.
fn excess(text: &str, from: usize) -> Option<Range<usize>> {
    /// Fewer octets than marks have that are one too many.
    const STRIDE: usize = 2 * MOST_MARKS;
    let mut at = from + STRIDE;
    while at < text.len() {
        if text.as_bytes()[at] < 0x80 {
            at += STRIDE;
            continue;
        }
        let here = text.floor_char_boundary(at);
        let before = text[from..here].chars().rev().take_while(|c| is_mark(*c)).map(char::len_utf8).sum::<usize>();
        let mut marks = text[here - before..].char_indices().take_while(|(_, c)| is_mark(*c));
        let surplus = marks.by_ref().nth(MOST_MARKS).map(|(at, _)| here - before + at);
        if let Some(start) = surplus {
            let len: usize = text[start..].chars().take_while(|c| is_mark(*c)).map(char::len_utf8).sum();
            return Some(start..start + len);
        }
        at += STRIDE;
    }
    None
}

/// Whether a character is part of the letter before it: a mark, a joiner, the skin of an emoji.
fn is_mark(c: char) -> bool {
    c >= '\u{300}' && (c.width() == Some(0) || matches!(c, '\u{1f3fb}'..='\u{1f3ff}'))
}

/// The next joiner, from an offset on, that is one too many in a chain: one letter with its marks between each two. With the marks
/// behind it, which have no other letter.
fn chained(text: &str, from: usize) -> Option<Range<usize>> {
    let (mut count, mut end) = (0, from);
    // Its last octet is rare, and looking for one costs less than for three.
    let octets = text.as_bytes();
    let lasts = memchr::memchr_iter(JOINER.as_bytes()[2], &octets[from..]).map(|at| from + at);
    let joiners =
        lasts.filter(|last| octets[from..=*last].ends_with(JOINER.as_bytes())).map(|last| last + 1 - JOINER.len());
    for at in joiners {
        let mut between = text[end..at].chars();
        between.next();
        count = if between.all(is_mark) { count + 1 } else { 1 };
        end = at + JOINER.len();
        if count > MOST_MARKS {
            let marks: usize = text[end..].chars().take_while(|c| is_mark(*c)).map(char::len_utf8).sum();
            return Some(at..end + marks);
        }
    }
    None
}

/// Cleans a text whose first unsafe character is at an offset.
fn clean(text: &str, first: usize, out: &mut String) {
    let mut done = 0;
    let mut next = Some(first);
    while let Some(at) = next {
        out.push_str(&text[done..at]);
        let rest = &text[at..];
        done = at + sequence(rest).unwrap_or_else(|| replace(rest, out));
        next = next_unsafe(text, done);
    }
    out.push_str(&text[done..]);
}

/// Where the next character stands that may not stay as it is.
fn next_unsafe(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        // 64 octets of plain ASCII at a stride; written so that the compiler makes it wide
        while let Some(block) = bytes.get(at..at + 64) {
            if block.iter().fold(false, |odd, b| odd | (b.wrapping_sub(0x20) >= 0x5f)) {
                break;
            }
            at += 64;
        }
        let end = bytes.len().min(at + 64);
        while at < end {
            let octet = bytes[at];
            let suspect = match octet {
                b'\t' | 0x20..=0x7e => false,
                0x00..=0x1f | 0x7f => return Some(at),
                // the leading octets of everything that `judge` does not keep
                _ => matches!(octet, 0xc2 | 0xcd | 0xd8 | 0xe1..=0xe3 | 0xef | 0xf0 | 0xf3 | 0xf4),
            };
            if suspect && text[at..].chars().next().is_some_and(|c| judge(c) != Verdict::Keep) {
                return Some(at);
            }
            at += 1;
        }
    }
    None
}

/// What becomes of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Keep,
    Drop,
    Space,
    Picture(char),
    Octet(u8),
    Name(&'static str),
}

fn judge(c: char) -> Verdict {
    match c {
        '\t' => Verdict::Keep,
        '\0'..='\x1f' => Verdict::Picture(char::from_u32(0x2400 + u32::from(c)).unwrap_or('␛')),
        '\x7f' => Verdict::Picture('␡'),
        '\u{80}'..='\u{9f}' => u8::try_from(c).map_or(Verdict::Drop, Verdict::Octet),
        '\u{2028}' | '\u{2029}' | '\u{2800}' => Verdict::Space,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}' => Verdict::Drop,
        '\u{ad}' | '\u{feff}' | '\u{180e}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' => Verdict::Drop,
        '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => Verdict::Drop,
        '\u{e0000}'..='\u{e0fff}' => Verdict::Drop,
        '\u{10ff80}'..='\u{10ffff}' => super::octets::octet(c).map_or(Verdict::Drop, Verdict::Octet),
        // They only say on which side of a sign a script goes on, and stand in every page of some; they turn nothing round.
        '\u{200e}' | '\u{200f}' => Verdict::Drop,
        _ => bidi(c).map_or(Verdict::Keep, Verdict::Name),
    }
}

/// The name of a bidi control (UAX #9, 2) that can turn text round, or end that.
fn bidi(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{61c}' => "‹ALM›",
        '\u{202a}' => "‹LRE›",
        '\u{202b}' => "‹RLE›",
        '\u{202c}' => "‹PDF›",
        '\u{202d}' => "‹LRO›",
        '\u{202e}' => "‹RLO›",
        '\u{2066}' => "‹LRI›",
        '\u{2067}' => "‹RLI›",
        '\u{2068}' => "‹FSI›",
        '\u{2069}' => "‹PDI›",
        _ => return None,
    })
}

/// Whether a character stays as it is.
pub fn keeps(c: char) -> bool {
    judge(c) == Verdict::Keep
}

/// Whether a character stays and takes room, so that somebody can read it.
pub(super) fn shows(c: char) -> bool {
    keeps(c) && c.width() != Some(0)
}

/// Writes what the first character becomes; says how many octets it has.
fn replace(rest: &str, out: &mut String) -> usize {
    let Some(c) = rest.chars().next() else { return 0 };
    match judge(c) {
        Verdict::Keep => out.push(c),
        Verdict::Drop => {}
        Verdict::Space => out.push(' '),
        Verdict::Picture(picture) => out.push(picture),
        Verdict::Octet(octet) => out.push_str(&format!("‹{octet:02X}›")),
        Verdict::Name(name) => out.push_str(name),
    }
    c.len_utf8()
}

/// The octets of the whole escape sequence that begins a text, if one does.
pub fn sequence(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (introducer, body) = match bytes {
        [0x1b, fe @ 0x40..=0x5f, ..] => (*fe, 2),
        [0x1b, ..] => return short_sequence(bytes),
        // C1 in UTF-8; the same set as ESC and 0x40 to 0x5F
        [0xc2, c1 @ 0x80..=0x9f, ..] => (*c1 - 0x40, 2),
        _ => return None,
    };
    match introducer {
        b'[' => control_sequence(&bytes[body..]).map(|len| body + len),
        b'P' | b'X' | b']' | b'^' | b'_' => control_string(&rest[body..]).map(|len| body + len),
        _ => (bytes[0] == 0x1b).then_some(body),
    }
}

/// ESC, up to two intermediates, a final.
fn short_sequence(bytes: &[u8]) -> Option<usize> {
    let intermediates = bytes[1..].iter().take(3).take_while(|b| matches!(b, 0x20..=0x2f)).count();
    let last = bytes.get(1 + intermediates)?;
    (intermediates <= 2 && matches!(last, 0x30..=0x7e)).then_some(2 + intermediates)
}

/// Parameters, intermediates and the final of a control sequence.
fn control_sequence(bytes: &[u8]) -> Option<usize> {
    let parameters = bytes.iter().take(LONGEST_SEQUENCE).take_while(|b| matches!(b, 0x30..=0x3f)).count();
    let intermediates = bytes[parameters..].iter().take(8).take_while(|b| matches!(b, 0x20..=0x2f)).count();
    let last = parameters + intermediates;
    matches!(bytes.get(last)?, 0x40..=0x7e).then_some(last + 1)
}

/// A control string and its end. Any control but the ones that end it breaks it off.
fn control_string(text: &str) -> Option<usize> {
    for (at, c) in text.char_indices().take_while(|(at, _)| *at <= LONGEST_STRING) {
        match c {
            '\x07' | '\u{9c}' => return Some(at + c.len_utf8()),
            '\x1b' => return text[at..].starts_with("\x1b\\").then_some(at + 2),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' if c != '\t' => return None,
            _ => {}
        }
    }
    None
}
