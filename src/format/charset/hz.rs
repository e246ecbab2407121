//! HZ (RFC 1843): Chinese in seven bits, as Chinese newsgroups wrote it. `~{` begins characters of GB 2312, two octets each,
//! `~}` ends them, `~~` is a tilde, and a tilde at the end of a line joins the next.

use super::Tail;
use encoding_rs::GBK;

/// Octets that are looked at for an end.
const LONGEST: usize = 160;

/// Whether what follows `~{` are characters up to `~}` on the same line; `None` while that cannot be seen.
pub(super) fn begins(octets: &[u8], tail: Tail) -> Option<bool> {
    for pair in octets[..octets.len().min(LONGEST)].chunks(2) {
        match pair {
            b"~}" => return Some(octets.len() > 2 && !octets.starts_with(b"~}")),
            [0x21..=0x77, 0x21..=0x7E] => {}
            [0x21..=0x7E] => break,
            _ => return Some(false),
        }
    }
    (tail == Tail::Last || octets.len() >= LONGEST).then_some(false)
}

/// Decodes a stream.
#[derive(Default)]
pub(super) struct Hz {
    /// Between `~{` and `~}`.
    chinese: bool,
    /// Half of a pair.
    half: Option<u8>,
}

impl Hz {
    /// Decodes the next octets.
    pub(super) fn feed(&mut self, octets: &[u8], out: &mut String) {
        for &octet in octets {
            match (self.half.take(), octet) {
                (None, b'\n') => {
                    self.chinese = false;
                    out.push('\n');
                }
                (None, b'~') => self.half = Some(b'~'),
                (None, 0x21..=0x7D) if self.chinese => self.half = Some(octet),
                (None, _) => other(octet, out),
                (Some(b'~'), b'{') => self.chinese = true,
                (Some(b'~'), b'}') => self.chinese = false,
                (Some(b'~'), b'~') => out.push('~'),
                (Some(b'~'), b'\n') => {}
                (Some(half @ 0x21..=0x7D), 0x21..=0x7E) if self.chinese => {
                    out.push_str(&GBK.decode_without_bom_handling(&[half | 0x80, octet | 0x80]).0);
                }
                (Some(half), _) => {
                    other(half, out);
                    other(octet, out);
                }
            }
        }
    }

    /// Nothing more comes.
    pub(super) fn finish(&mut self, out: &mut String) {
        self.half.take().into_iter().for_each(|half| other(half, out));
    }
}

/// An octet that is no part of a pair.
fn other(octet: u8, out: &mut String) {
    out.push(if octet.is_ascii() { char::from(octet) } else { char::REPLACEMENT_CHARACTER });
}
