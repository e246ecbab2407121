//! Octets and raw components as text that is safe to show: no controls, no bidi controls, nothing invisible (ESC-18).

use crate::url::escape::is_printable;
use std::borrow::Cow;

/// Whether a character must never reach a screen as itself: C0, DEL, C1, bidi controls, line separators, fillers and
/// other characters that take no room or show nothing. Spaces are shown, and so is what joins the parts of an emoji.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}'
            | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// Decoded octets for the screen: UTF-8 where it is valid, `%XX` for everything that cannot be shown (D32).
pub(super) fn octets(octets: &[u8]) -> String {
    if is_printable(octets) {
        return ascii(octets);
    }
    let mut out = String::with_capacity(octets.len());
    for piece in pieces(octets) {
        match piece {
            Ok(c) => out.push(c),
            Err(bytes) => bytes.iter().for_each(|b| out.push_str(&format!("%{b:02X}"))),
        }
    }
    out
}

/// A raw component for the screen: unescaped where that is unambiguous, without anything hidden.
pub(super) fn component(raw: &str) -> String {
    if is_printable(raw.as_bytes()) && memchr::memchr2(b'%', b' ', raw.as_bytes()).is_none() {
        return raw.into();
    }
    octets(crate::url::escape::display(raw).as_bytes())
}

/// Octets that were seen to be ASCII.
fn ascii(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).unwrap_or_default()
}

/// Whether octets stand for themselves in the spelling of [`field`] and [`wire`].
fn is_plain(octets: &[u8]) -> bool {
    is_printable(octets) && memchr::memchr(b'\\', octets).is_none()
}

/// Decoded octets for `fields`: `\t \r \n \xNN`, a backslash as `\x5c`, so that every octet string has one spelling.
pub fn field(octets: &[u8]) -> String {
    if is_plain(octets) {
        return ascii(octets);
    }
    let mut out = String::with_capacity(octets.len());
    for piece in pieces(octets) {
        match piece {
            Ok('\\') => out.push_str("\\x5c"),
            Ok(c) => out.push(c),
            Err(bytes) => bytes.iter().for_each(|b| backslashed(*b, &mut out)),
        }
    }
    out
}

/// A raw component decoded, in the spelling of [`field`].
pub fn plain(raw: &str) -> Cow<'_, str> {
    if is_printable(raw.as_bytes()) && memchr::memchr2(b'%', b'\\', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    Cow::Owned(field(&crate::url::escape::decode(raw)))
}

/// Octets on the wire for `url request`: as [`field`], but every octet beyond ASCII as `\xNN`.
pub fn wire(octets: &[u8]) -> String {
    if is_plain(octets) {
        return ascii(octets);
    }
    let mut out = String::with_capacity(octets.len());
    for &b in octets {
        match b {
            b'\\' => out.push_str("\\x5c"),
            b' '..=b'~' => out.push(b as char),
            _ => backslashed(b, &mut out),
        }
    }
    out
}

fn backslashed(b: u8, out: &mut String) {
    match b {
        b'\t' => out.push_str("\\t"),
        b'\r' => out.push_str("\\r"),
        b'\n' => out.push_str("\\n"),
        _ => out.push_str(&format!("\\x{b:02x}")),
    }
}

/// The characters that can be shown, and the octets between them that cannot.
fn pieces(octets: &[u8]) -> impl Iterator<Item = Result<char, Vec<u8>>> + '_ {
    octets.utf8_chunks().flat_map(|chunk| {
        let seen = chunk
            .valid()
            .chars()
            .map(|c| if hidden(c) { Err(c.encode_utf8(&mut [0; 4]).as_bytes().to_vec()) } else { Ok(c) });
        let broken = (!chunk.invalid().is_empty()).then(|| Err(chunk.invalid().to_vec()));
        seen.chain(broken)
    })
}
