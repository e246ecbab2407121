//! Languages that are known by their few letters beyond ASCII, where there is too little for the library, or a code page that
//! it does not know.

use super::Charset;
use crate::format::codepage::CP437;
use encoding_rs::{ISO_8859_2, WINDOWS_1250};

/// The charset of octets that are not UTF-8, if their letters tell.
pub(super) fn by_letters(octets: &[u8]) -> Option<Charset> {
    if is_hungarian(octets) {
        let signs = octets.iter().any(|octet| matches!(octet, 0x80..=0x9F));
        return Some(Charset::Web(if signs { WINDOWS_1250 } else { ISO_8859_2 }));
    }
    is_german_of_pcs(octets).then_some(Charset::Page("cp437", &CP437))
}

/// Whether these are the letters of Hungarian in ISO 8859-2, or with quotes and dashes in Windows-1250. In Windows-1252 ő and ű are õ and û: of those who write õ the
/// Portuguese have no ö, nor ü without ã and ç, the Estonians no á; who writes û has è or à before long.
fn is_hungarian(octets: &[u8]) -> bool {
    let (mut own, mut acute, mut round) = (false, false, false);
    for octet in octets.iter().filter(|octet| !octet.is_ascii()) {
        match octet {
            0xD5 | 0xDB | 0xF5 | 0xFB => own = true,
            0xC1 | 0xCD | 0xD3 | 0xDA | 0xE1 | 0xED | 0xF3 | 0xFA => acute = true,
            0xD6 | 0xDC | 0xF6 | 0xFC => round = true,
            0xC9 | 0xE9 => {}
            // signs that stand in the same place in all of them
            0x84 | 0x85 | 0x91..=0x94 | 0x96 | 0x97 | 0xAB | 0xBB => {}
            0xA0 | 0xA7 | 0xA8 | 0xAD | 0xB0 | 0xB4 => {}
            _ => return false,
        }
    }
    own && acute && round
}

/// Whether these are the letters of German on a PC (code pages 437 and 850). In Windows-1252 ä and ö are quotes, which stand at
/// the ends of words, and ü is nothing.
fn is_german_of_pcs(octets: &[u8]) -> bool {
    // the first of them has been cut off from what stands before it
    let letter = |at: Option<usize>| at.is_none_or(|at| octets.get(at).is_some_and(u8::is_ascii_alphabetic));
    let (mut within, mut outside) = (0_usize, 0_usize);
    for (at, octet) in octets.iter().enumerate().filter(|(_, octet)| !octet.is_ascii()) {
        let sides = usize::from(letter(at.checked_sub(1))) + usize::from(letter(Some(at + 1)));
        match octet {
            0x81 | 0x84 | 0x94 if sides == 2 => within += 1,
            0x81 if sides == 1 => within += 1,
            0x84 | 0x94 => outside += 1,
            0x81 => return false,
            // Ä Ö Ü ß
            0x8E | 0x99 | 0x9A | 0xE1 => {}
            _ => return false,
        }
    }
    within > outside
}
