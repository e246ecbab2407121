//! The text of header fields: encoded words (RFC 2047, with the languages of RFC 2231), and raw octets by their charset.

use super::head::unfold;
use super::transfer::Transfer;
use crate::format::charset::{self, Charset};
use memchr::memmem;

/// The text of a value on one line, not yet sanitised. `hint` is the charset of the body, in which raw octets are likely.
pub(super) fn decode(value: &[u8], hint: Option<Charset>) -> String {
    words(&raw(&unfold(value), hint))
}

/// Octets as text: UTF-8 if they are, else in the charset of the body, else guessed.
pub(super) fn raw(octets: &[u8], hint: Option<Charset>) -> String {
    match (std::str::from_utf8(octets), hint) {
        (Ok(text), _) => charset::unescaped(octets).unwrap_or_else(|| text.into()),
        (Err(_), Some(charset @ (Charset::Web(_) | Charset::Page(..)))) => charset.decode(octets).into_owned(),
        _ => charset::guessed(octets).into_owned(),
    }
}

/// One encoded word, and where it ends.
struct Word<'a> {
    charset: &'a str,
    octets: Vec<u8>,
    /// It holds characters that are not ASCII.
    raw: bool,
    end: usize,
}

/// Replaces encoded words. What only looks like one stays as it is.
pub fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut seek = 0;
    while let Some(start) = memmem::find(&text.as_bytes()[seek..], b"=?").map(|start| seek + start) {
        let Some(mut word) = word(text, start) else {
            seek = start + 2;
            continue;
        };
        out.push_str(&text[at..start]);
        // White space between two words is no part of the text (RFC 2047, 6.2); a character may be cut between them.
        while let Some(next) = following(text, word.end) {
            // each word of UTF-7 begins anew: what one leaves open the next does not go on with
            let goes_on = !matches!(charset::in_mail(word.charset), Some(Charset::Utf7));
            if goes_on && next.charset.eq_ignore_ascii_case(word.charset) {
                word.octets.extend_from_slice(&next.octets);
            } else {
                push(&word, &mut out);
                (word.charset, word.octets, word.raw) = (next.charset, next.octets, false);
            }
            word.raw |= next.raw;
            word.end = next.end;
        }
        push(&word, &mut out);
        (at, seek) = (word.end, word.end);
    }
    out.push_str(&text[at..]);
    out
}

fn following(text: &str, from: usize) -> Option<Word<'_>> {
    let rest = text[from..].trim_start_matches([' ', '\t']);
    rest.starts_with("=?").then(|| word(text, text.len() - rest.len())).flatten()
}

/// Reads `=?charset*language?Q?text?=`.
fn word(text: &str, start: usize) -> Option<Word<'_>> {
    // RFC 2047 allows 75 characters; software in use writes longer ones.
    const REACH: usize = 4096;
    let rest = &text[start + 2..];
    let rest = &rest[..rest.floor_char_boundary(REACH)];
    let (charset, rest) = rest.split_once('?')?;
    if charset.is_empty() || charset.contains(|c: char| c.is_ascii_whitespace() || c == '=') {
        return None;
    }
    let (encoding, rest) = rest.split_once('?')?;
    let within = &rest[..memmem::find(rest.as_bytes(), b"?=")?];
    if within.contains(|c: char| c.is_ascii_whitespace()) {
        return None;
    }
    let octets = match encoding {
        "Q" | "q" => quoted(within),
        "B" | "b" => Transfer::base64(within.as_bytes()),
        _ => return None,
    };
    let end = start + 2 + charset.len() + 1 + encoding.len() + 1 + within.len() + 2;
    let charset = charset.split('*').next().unwrap_or_default();
    Some(Word { charset, octets, raw: !within.is_ascii(), end })
}

/// RFC 2047, 4.2: as quoted-printable, with `_` for a space.
fn quoted(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digit = |at: usize| bytes.get(at).and_then(|b| u8::try_from(char::from(*b).to_digit(16)?).ok());
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'=', Some(high), Some(low)) => {
                out.push(high * 16 + low);
                at += 2;
            }
            (b'_', ..) => out.push(b' '),
            (other, ..) => out.push(other),
        }
        at += 1;
    }
    out
}

fn push(word: &Word, out: &mut String) {
    let text = match charset::in_mail(word.charset) {
        // raw octets have no place in a word: whoever writes them has forgotten to encode, and they are UTF-8 already
        Some(charset) if !word.raw || std::str::from_utf8(&word.octets).is_err() => {
            charset.decode(&word.octets).into_owned()
        }
        _ => raw(&word.octets, None),
    };
    // an encoded line break is still no line break
    out.extend(text.chars().map(|c| if matches!(c, '\r' | '\n' | '\t') { ' ' } else { c }));
}
