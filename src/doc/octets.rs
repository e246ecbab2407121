//! Octets that are no text, carried in one: names of files that are on a disk as the server has them. Each stands as a character of
//! its own, U+10FF80 to U+10FFFF, which `sanitise` leaves in no text of a server, and is shown as `‹E9›`.

use std::borrow::Cow;

const FIRST: u32 = 0x10_ff00;

/// Octets as a text that gives them back.
pub fn carry(octets: &[u8]) -> String {
    let mut out = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().filter_map(|octet| char::from_u32(FIRST + u32::from(*octet))));
    }
    out
}

/// The octet that a character carries, if it does.
pub(super) fn octet(c: char) -> Option<u8> {
    u32::from(c).checked_sub(FIRST).and_then(|octet| u8::try_from(octet).ok()).filter(|octet| *octet >= 0x80)
}

/// Whether a character carries an octet.
pub fn carries(c: char) -> bool {
    octet(c).is_some()
}

/// What a text carries.
pub fn carried(text: &str) -> Cow<'_, [u8]> {
    if !text.contains(carries) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match octet(c) {
            Some(octet) => out.push(octet),
            None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_carried_comes_back_and_is_shown() {
        for octets in [&b"plain"[..], b"caf\xe9", b"\x93\xFA\x96\x7B", b"\xff\xfe\x80", "é日".as_bytes(), b""] {
            assert_eq!(*carried(&carry(octets)), *octets);
        }
        assert_eq!(super::super::sanitise(&carry(b"caf\xe9")), "caf‹E9›");
        assert_eq!(
            super::super::sanitise("a\u{10ffe9}"),
            "a‹E9›",
            "of a server's text it is shown, too, and so is no name"
        );
    }
}
