//! What charset octets look like, where nobody says it.
//!
//! Drawings come first: the library knows nothing of the PC's code page, and its lines would pass for letters.

use super::{Charset, Tail};
use crate::format::codepage::CP437;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GB18030, GBK, IBM866, ISO_2022_JP, WINDOWS_1252};
use memchr::memchr2_iter;

/// The charset of octets that are not UTF-8.
pub(super) fn detect(seen: &[u8], tail: Tail, tld: Option<&str>) -> Charset {
    if !is_drawn(seen) {
        // Lines of UTF-8 among others (names in a listing, from many hands) say nothing of those.
        let is_other = |line: &&[u8]| line.is_ascii() || std::str::from_utf8(line).is_err();
        let others = seen.split_inclusive(|b| *b == b'\n').filter(is_other).collect::<Vec<_>>().concat();
        return named(library(&others, tail, tld), &others);
    }
    // Russian PCs drew with the same octets.
    let letters: Vec<u8> = seen.iter().map(|b| if draws(*b) { b' ' } else { *b }).collect();
    match !letters.is_ascii() && library(&letters, tail, tld) == IBM866 {
        true => Charset::Web(IBM866),
        false => Charset::Page("cp437", &CP437),
    }
}

/// Whether a country, or whoever has a name of no country, writes in Windows-1252.
pub(super) fn is_western(tld: Option<&str>) -> bool {
    library(b"", Tail::Last, tld) == WINDOWS_1252
}

fn library(seen: &[u8], tail: Tail, tld: Option<&str>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(seen, tail == Tail::Last);
    detector.guess(tld.map(str::as_bytes), Utf8Detection::Deny)
}

/// The usual name of what was found: the larger of two charsets of which one holds the other, Windows-1252 where it makes no
/// difference.
fn named(found: &'static Encoding, seen: &[u8]) -> Charset {
    let text = |charset: &'static Encoding| charset.decode_without_bom_handling(seen).0;
    Charset::Web(match found {
        found if found == GBK => GB18030,
        found if text(found) == text(WINDOWS_1252) => WINDOWS_1252,
        found => found,
    })
}

/// Whether CP437 and its kin draw with this octet: shades, box lines, blocks.
fn draws(octet: u8) -> bool {
    (0xB0..=0xDF).contains(&octet)
}

/// Whether most of what is not ASCII draws. Capitals with accents have the same octets, but seldom stand side by side; Russian
/// letters of KOI8-R do, but are rarely those that most of any drawing is made of: shades, straight lines, blocks.
pub(super) fn is_drawn(seen: &[u8]) -> bool {
    const STRAIGHT: &[u8] = &[0xB0, 0xB1, 0xB2, 0xB3, 0xBA, 0xC4, 0xCD, 0xDB, 0xDC, 0xDF];
    // A word may look so.
    const FEW: usize = 4;
    let high = seen.iter().filter(|b| !b.is_ascii()).count();
    let beside = |at: usize| at.checked_sub(1).and_then(|at| seen.get(at)).is_some_and(|b| draws(*b));
    let together = (0..seen.len()).filter(|at| draws(seen[*at]) && (beside(*at) || beside(at + 2))).count();
    let drawing = seen.iter().filter(|b| draws(**b)).count();
    let straight = seen.iter().filter(|b| STRAIGHT.contains(b)).count();
    together >= FEW && together * 2 > high && straight * 5 >= drawing * 2
}

/// Where escape sequences of a charset of ASCII octets begin, and which it is; `None` for the charset where more must be seen.
pub(in crate::format) fn escapes(ascii: &[u8], tail: Tail) -> Option<(usize, Option<Charset>)> {
    for at in memchr2_iter(0x1B, b'~', ascii) {
        let rest = &ascii[at..];
        match rest {
            [0x1B, b'$', b'@' | b'B', ..] | [0x1B, b'(', b'J', ..] => {
                return Some((at, Some(Charset::Web(ISO_2022_JP))));
            }
            [0x1B] | [0x1B, b'$' | b'('] if tail == Tail::More => return Some((at, None)),
            [b'~', b'{', more @ ..] => match super::hz::begins(more, tail) {
                Some(true) => return Some((at, Some(Charset::Hz))),
                Some(false) => {}
                None => return Some((at, None)),
            },
            [b'~'] if tail == Tail::More => return Some((at, None)),
            _ => {}
        }
    }
    None
}
