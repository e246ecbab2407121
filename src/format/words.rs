//! Encoded words in header fields (RFC 2047, with the languages of RFC 2231), and who a `From` field names.
//!
//! Text comes decoded by the charset of its line; encoded words bring their own. What only looks like one stays as it is.

use super::charset::{self, Charset};
use memchr::memmem;
use std::borrow::Cow;

/// The longest encoded word. RFC 2047 allows 75 octets; software in use writes longer ones.
const LONGEST: usize = 4096;

/// An encoded word, and the offset past it.
struct Word<'a> {
    charset: &'a str,
    octets: Vec<u8>,
    end: usize,
}

/// A text with its encoded words decoded; not yet sanitised.
pub(super) fn words(text: &str) -> Cow<'_, str> {
    if memmem::find(text.as_bytes(), b"=?").is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let (mut done, mut from) = (0, 0);
    while let Some(start) = memmem::find(&text.as_bytes()[from..], b"=?").map(|at| from + at) {
        let Some(mut word) = word(text, start) else {
            from = start + 2;
            continue;
        };
        out.push_str(&text[done..start]);
        // White space between two words is no part of the text (RFC 2047, 6.2), and some programs cut within a character.
        while let Some(next) = following(text, word.end) {
            match next.charset.eq_ignore_ascii_case(word.charset) {
                true => word.octets.extend_from_slice(&next.octets),
                false => {
                    push(&word, &mut out);
                    (word.charset, word.octets) = (next.charset, next.octets);
                }
            }
            word.end = next.end;
        }
        push(&word, &mut out);
        (done, from) = (word.end, word.end);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Who wrote an article: the name in its `From` field, in any of `Name <address>`, `"Name" <address>`, `address (Name)`; the
/// address if there is none. Not yet sanitised.
pub(super) fn author(from: &str) -> Cow<'_, str> {
    let from = from.trim();
    let name = match (from.rfind('<'), from.find('(')) {
        (Some(at), _) if !from[..at].trim().is_empty() => from[..at].trim(),
        (Some(at), _) => return Cow::Borrowed(from[at + 1..].trim_end_matches('>').trim()),
        (None, Some(at)) => match from[at + 1..].rfind(')').map(|end| from[at + 1..at + 1 + end].trim()) {
            Some(name) if !name.is_empty() => name,
            _ => from[..at].trim(),
        },
        (None, None) => from,
    };
    let bare = name.strip_prefix('"').map(|name| name.strip_suffix('"').unwrap_or(name));
    match words(bare.unwrap_or(name)) {
        name if bare.is_some() && name.contains('\\') => Cow::Owned(unquoted(&name)),
        name => name,
    }
}

/// Takes the backslashes of a quoted string away (RFC 5322, 3.2.1).
fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

fn following(text: &str, from: usize) -> Option<Word<'_>> {
    let rest = text[from..].trim_start();
    rest.starts_with("=?").then(|| word(text, text.len() - rest.len())).flatten()
}

/// Reads `=?charset*language?Q?text?=`.
fn word(text: &str, start: usize) -> Option<Word<'_>> {
    let body = &text[start + 2..];
    let body = &body[..body.floor_char_boundary(LONGEST)];
    let (charset, rest) = body.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let within = &rest[..memmem::find(rest.as_bytes(), b"?=")?];
    if charset.is_empty() || charset.contains(char::is_whitespace) || within.contains('\t') {
        return None;
    }
    let octets = match encoding {
        "Q" | "q" => quoted(within.as_bytes()),
        "B" | "b" => base64(within.as_bytes()),
        _ => return None,
    };
    let end = start + 2 + charset.len() + 1 + encoding.len() + 1 + within.len() + 2;
    Some(Word { charset: charset.split('*').next().unwrap_or_default(), octets, end })
}

/// RFC 2047, 4.2: as quoted-printable, with `_` for a space.
fn quoted(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| text.get(at).and_then(|b| char::from(*b).to_digit(16));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'=', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'_', ..) => out.push(b' '),
            (octet, ..) => out.push(octet),
        }
        at += 1;
    }
    out
}

/// Base64, as much of it as can be read.
fn base64(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut held) = (0u32, 0u8);
    for b in text {
        let sextet = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(sextet);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

fn push(word: &Word<'_>, out: &mut String) {
    let text = charset::known(word.charset).unwrap_or(Charset::Utf8).decode(&word.octets);
    // An encoded line break or TAB breaks no line and begins no cell.
    out.extend(text.chars().map(|c| if matches!(c, '\r' | '\n' | '\t') { ' ' } else { c }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_words() {
        const ROWS: &[(&str, &str)] = &[
            ("plain", "plain"),
            ("=?iso-8859-1?Q?Andr=E9?= Pirard", "André Pirard"),
            ("=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=", "If you can read this yo"),
            ("=?US-ASCII*EN?Q?Keith_Moore?=", "Keith Moore"),
            ("(=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?= c)", "(ab c)"),
            ("=?utf-8?Q?=C3?= =?UTF-8?Q?=A9?=", "é"),
            ("=?utf-8?Q?a?= =?koi8-r?B?z9TXxdQ=?=", "aответ"),
            ("=?utf-8?Q?=41?=", "A"),
            ("=?utf-8?Q?two words?=", "two words"),
            ("=?nonsense?Q?=C3=A9?=", "é"),
            ("=?utf-8?Q?a=0D=0Ab=09c?=", "a  b c"),
            ("=?utf-8?B?w6k?=", "é"),
            ("=?utf-8?X?a?= =?utf-8?Q =? =?? =", "=?utf-8?X?a?= =?utf-8?Q =? =?? ="),
            ("=?utf-8?Q?caf=?= =zz", "caf= =zz"),
        ];
        for (text, wanted) in ROWS {
            assert_eq!(words(text), *wanted, "{text}");
        }
        let many = "=?a?Q?".repeat(20_000);
        assert_eq!(words(&many), many);
    }

    #[test]
    fn authors() {
        const ROWS: &[(&str, &str)] = &[
            ("Reader One <one@example.org>", "Reader One"),
            ("\"One, \\\"Reader\\\" \\\\\" <one@example.org>", "One, \"Reader\" \\"),
            ("one@example.org (Reader One)", "Reader One"),
            ("one@example.org (Reader (One))", "Reader (One)"),
            ("one@example.org ()", "one@example.org"),
            ("<one@example.org>", "one@example.org"),
            ("one@example.org", "one@example.org"),
            ("=?utf-8?Q?Andr=C3=A9?= <a@b>", "André"),
            ("\"=?utf-8?Q?Andr=C3=A9?=\" <a@b>", "André"),
            ("André", "André"),
            ("a <b <c@d>", "a <b"),
            ("(", ""),
            (")x(", ")x"),
            ("\" <a@b>", ""),
            ("", ""),
        ];
        for (from, wanted) in ROWS {
            assert_eq!(author(from), *wanted, "{from}");
        }
    }
}
