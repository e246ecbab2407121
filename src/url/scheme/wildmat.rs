//! Wildmats (RFC 3977, 4): patterns of group names.

/// Whether a name fits a wildmat: of its patterns, joined by commas, the last that fits decides, and one that begins with
/// `!` decides against.
pub fn fits_wildmat(wildmat: &[u8], name: &[u8]) -> bool {
    for pattern in wildmat.split(|octet| *octet == b',').rev() {
        let (pattern, wanted) = match pattern.strip_prefix(b"!") {
            Some(pattern) => (pattern, false),
            None => (pattern, true),
        };
        if fits(pattern, name) {
            return wanted;
        }
    }
    false
}

/// `*` is any number of characters, `?` is one character, which may be several octets. Every star forgets the one before it,
/// so that the time is bounded by the product of the lengths.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(b'?') => {
                p += 1;
                n = after_character(name, n);
            }
            Some(octet) if *octet == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, n) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|octet| *octet == b'*')
}

fn after_character(name: &[u8], at: usize) -> usize {
    let more = name[at + 1..].iter().take(3).take_while(|octet| **octet & 0xC0 == 0x80).count();
    if name[at] < 0xC0 { at + 1 } else { at + 1 + more }
}
