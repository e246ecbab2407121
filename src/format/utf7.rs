//! UTF-7 → text (RFC 2152), in pieces of any size.
//!
//! Only a message may declare it ([`super::charset::in_mail`]): on the web it was a way to hide markup, and no browser reads
//! it. What is no UTF-7 is shown as it was written; half of a surrogate pair is U+FFFD. Octets beyond ASCII have no
//! place in it, and are read as Windows-1252.

use super::message::value;
use encoding_rs::WINDOWS_1252;

/// Decodes UTF-7.
#[derive(Debug, Clone, Default)]
pub(super) struct Utf7 {
    /// The run of Base64 that a `+` began.
    run: Option<Run>,
}

/// A run of Base64: UTF-16, the high octet first.
#[derive(Debug, Clone, Default)]
struct Run {
    /// Bits that are no whole unit yet, and how many of them there are.
    bits: u32,
    count: u8,
    /// The first half of a surrogate pair.
    high: Option<u16>,
    /// The letters so far, as long as they made no unit: what is too short for one was no run.
    written: String,
    /// It has made a unit.
    made: bool,
}

impl Utf7 {
    /// Decodes the next octets, appending to `out`.
    pub fn feed(&mut self, octets: &[u8], out: &mut String) {
        for octet in octets {
            match (&mut self.run, sextet(*octet)) {
                (Some(run), Some(bits)) => run.take(*octet, bits, out),
                (None, _) if *octet == b'+' => self.run = Some(Run::default()),
                _ => {
                    let ended = self.run.take().map(|run| run.end(out));
                    match (ended, octet) {
                        // the hyphen that ends a run is no text, and `+-` is a plus
                        (Some(Ended::Run), b'-') => {}
                        (Some(Ended::Nothing), b'-') => out.push('+'),
                        (Some(Ended::Nothing), other) => {
                            out.push('+');
                            push(*other, out);
                        }
                        (_, other) => push(*other, out),
                    }
                }
            }
        }
    }

    /// Decodes what was held.
    pub fn finish(&mut self, out: &mut String) {
        if let Some(Ended::Nothing) = self.run.take().map(|run| run.end(out)) {
            out.push('+');
        }
    }
}

/// What a run was.
enum Ended {
    /// One that made text.
    Run,
    /// A plus, and letters too few to be one; they are written.
    Letters,
    /// A plus with nothing after it, which is not written yet.
    Nothing,
}

impl Run {
    fn take(&mut self, letter: u8, sextet: u32, out: &mut String) {
        self.bits = self.bits << 6 | sextet;
        self.count += 6;
        if !self.made {
            self.written.push(char::from(letter));
        }
        if self.count >= 16 {
            self.count -= 16;
            let [.., high, low] = (self.bits >> self.count).to_be_bytes();
            let unit = u16::from_be_bytes([high, low]);
            self.bits &= (1 << self.count) - 1;
            self.made = true;
            self.unit(unit, out);
        }
    }

    fn unit(&mut self, unit: u16, out: &mut String) {
        let before = self.high.take();
        if (0xD800..0xDC00).contains(&unit) {
            out.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
            self.high = Some(unit);
            return;
        }
        let units = before.into_iter().chain([unit]);
        out.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    }

    fn end(self, out: &mut String) -> Ended {
        if self.high.is_some() {
            out.push(char::REPLACEMENT_CHARACTER);
        }
        match (self.made, self.written.is_empty()) {
            (true, _) => Ended::Run,
            (false, true) => Ended::Nothing,
            (false, false) => {
                out.push('+');
                out.push_str(&self.written);
                Ended::Letters
            }
        }
    }
}

fn sextet(octet: u8) -> Option<u32> {
    value(octet).map(u32::from)
}

fn push(octet: u8, out: &mut String) {
    match octet.is_ascii() {
        true => out.push(char::from(octet)),
        false => out.push_str(&WINDOWS_1252.decode_without_bom_handling(&[octet]).0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], size: usize) -> String {
        let (mut utf7, mut out) = (Utf7::default(), String::new());
        text.chunks(size).for_each(|piece| utf7.feed(piece, &mut out));
        utf7.finish(&mut out);
        out
    }

    #[test]
    fn the_examples_of_the_rfc_and_what_is_none() {
        let rows: &[(&[u8], &str)] = &[
            // RFC 2152, examples
            (b"A+ImIDkQ.", "A\u{2262}\u{391}."),
            (b"Hi Mom -+Jjo--!", "Hi Mom -\u{263A}-!"),
            (b"+ZeVnLIqe-", "\u{65E5}\u{672C}\u{8A9E}"),
            (b"Item 3 is +AKM-1.", "Item 3 is \u{A3}1."),
            // a plus; one that begins nothing; runs that end without a hyphen
            (b"1 +- 1", "1 + 1"),
            (b"1 + 1, C++ x, +a-b, +", "1 + 1, C++ x, +a-b, +"),
            (b"caf+AOk au lait", "caf\u{E9} au lait"),
            (b"+AOk-+AOk", "\u{E9}\u{E9}"),
            // beyond the first plane; halves of it
            (b"+2D3eAA-", "\u{1F600}"),
            (b"+2D0-x +3gA-x +2D3YPQ-", "\u{FFFD}x \u{FFFD}x \u{FFFD}\u{FFFD}"),
            (b"caf\xE9 +AOk\xE9", "caf\u{E9} \u{E9}\u{E9}"),
        ];
        for (text, expected) in rows {
            for size in [1, 3, 1000] {
                assert_eq!(read(text, size), *expected, "{:?}", String::from_utf8_lossy(text));
            }
        }
    }
}
