//! What octets say for themselves: how much of them is UTF-8, whether that is enough against another word, and whether what is
//! not is too little to know a charset by.

use super::Charset;

/// So many octets of UTF-8 are no accident in a charset of two octets a character, of which every seventh pair looks so.
const BEYOND_DOUBT: usize = 12;
/// So many characters of UTF-8 are no accident among drawings.
const UNDRAWN: usize = 4;

/// Octets, cut within a character at most, as UTF-8.
fn as_utf8(octets: &[u8], may_be_cut: bool) -> Option<&str> {
    match std::str::from_utf8(octets) {
        Ok(text) => Some(text),
        Err(error) if may_be_cut && error.error_len().is_none() && error.valid_up_to() > 0 => {
            std::str::from_utf8(&octets[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    }
}

/// Whether octets are UTF-8, if need be cut within a character by the window itself.
pub(super) fn is_utf8(octets: &[u8], may_be_cut: bool) -> bool {
    as_utf8(octets, may_be_cut).is_some()
}

/// How many characters are no ASCII and tell of UTF-8. A capital with an accent and what stands after a word (`»`, a space that
/// does not break, …) make such a character by accident.
pub(super) fn telling(text: &str) -> usize {
    const CLOSING: &[u32] = &[0x85, 0x92, 0x94, 0x96, 0x97, 0x99, 0xA0, 0xAD, 0xAE, 0xBB];
    // Of ÃÂ, which begin all of Latin-1 in UTF-8, no text has many.
    let accident = |c: char| ('\u{100}'..'\u{800}').contains(&c) && CLOSING.contains(&(c as u32 & 0x3F | 0x80));
    text.chars().filter(|c| !c.is_ascii() && !accident(*c)).count()
}

/// How many characters tell of UTF-8, and how many octets are none of it.
pub(super) fn weigh(octets: &[u8]) -> (usize, usize) {
    let chunks = octets.utf8_chunks();
    chunks.fold((0, 0), |(good, bad), chunk| (good + telling(chunk.valid()), bad + chunk.invalid().len()))
}

/// The octets without the characters that are UTF-8.
pub(super) fn without_utf8(octets: &[u8]) -> Vec<u8> {
    let mut rest = Vec::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        rest.extend(chunk.valid().chars().map(|c| u8::try_from(c).ok().filter(u8::is_ascii).unwrap_or(b' ')));
        rest.extend_from_slice(chunk.invalid());
    }
    rest
}

/// Whether octets are UTF-8 although another charset was said: line by line, until there is enough of it or one is none; `None`
/// while more must be seen.
pub(super) fn overrules(octets: &[u8], whole: bool, said: Charset) -> Option<bool> {
    let mut seen = 0;
    for line in octets.split_inclusive(|b| *b == b'\n') {
        let cut = !line.ends_with(b"\n");
        if cut && !whole {
            return None;
        }
        let Some(text) = as_utf8(line, cut) else { return Some(false) };
        let enough = match said {
            Charset::Web(_) if said.is_of_octets() => {
                seen += telling(text);
                seen > 0
            }
            Charset::Web(web) => {
                seen += text.bytes().filter(|b| !b.is_ascii()).count();
                let broken = || web.decode_without_bom_handling(text.as_bytes()).1;
                seen >= BEYOND_DOUBT || !text.is_ascii() && broken()
            }
            _ => {
                seen += text.chars().filter(|c| !c.is_ascii()).count();
                seen >= UNDRAWN
            }
        };
        if enough {
            return Some(true);
        }
    }
    whole.then_some(false)
}

/// Whether so little is not ASCII, and stands so among it, that a detector would only see in it what it is not: single letters
/// of words, single signs where signs of Windows-1252 stand.
pub(super) fn is_thin(octets: &[u8]) -> bool {
    let (mut high, mut letters, mut fit) = (0_usize, 0_usize, true);
    let mut at = 0;
    while let Some(from) = octets[at..].iter().position(|b| !b.is_ascii()).map(|next| at + next) {
        let run = octets[from..].iter().take_while(|b| !b.is_ascii()).take(3).count();
        at = from + run;
        let is_letter = |at: usize| octets.get(at).is_some_and(|b| b.is_ascii_alphabetic() || is_western_letter(*b));
        let before = |at: usize| at.checked_sub(1).is_some_and(is_letter);
        let of_word = before(from) || is_letter(at);
        if run > 2 || run == 2 && !of_word {
            return false;
        }
        high += run;
        for (place, octet) in (from..).zip(&octets[from..at]) {
            letters += usize::from(is_western_letter(*octet));
            fit &= is_fit(*octet, before(place), is_letter(place + 1));
        }
    }
    // No language writes its letters in so few words.
    high * 100 <= octets.len() || fit && letters <= 2
}

fn is_western_letter(octet: u8) -> bool {
    matches!(octet, 0x8A | 0x8C | 0x8E | 0x9A | 0x9C | 0x9E | 0x9F | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..)
}

/// Whether a sign of Windows-1252 stands so beside letters, before and after it; letters stand everywhere.
fn is_fit(octet: u8, before: bool, after: bool) -> bool {
    match octet {
        _ if is_western_letter(octet) => true,
        0x81 | 0x8D | 0x8F | 0x90 | 0x9D => false,
        // quotes, dashes, spaces, accents
        0x82 | 0x84..=0x87 | 0x89 | 0x8B | 0x91..=0x97 | 0x99 | 0x9B | 0xA0 | 0xA8 | 0xAD | 0xB4 | 0xB7 => true,
        // ° as in 20 °C and in N° 5
        0xB0 => !(before && after),
        // ¡ § « µ ¿
        0xA1 | 0xA7 | 0xAB | 0xB5 | 0xBF => !before,
        // ª ® ² ³ ¹ º »
        0xAA | 0xAE | 0xB2 | 0xB3 | 0xB9..=0xBB => !after,
        _ => !before && !after,
    }
}
