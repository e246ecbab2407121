//! Patterns of group names (RFC 3977, 4): `*`, `?`, a comma between patterns, `!` before one that takes names away.

/// Whether a name is meant: the last pattern that fits it decides.
pub(super) fn fits(patterns: &str, name: &str) -> bool {
    let decides = patterns.split(',').rev().find_map(|pattern| match pattern.strip_prefix('!') {
        Some(taken) => one(taken.as_bytes(), name.as_bytes()).then_some(false),
        None => one(pattern.as_bytes(), name.as_bytes()).then_some(true),
    });
    decides.unwrap_or(false)
}

/// One pattern. Of several stars only the last needs another try, so that no pattern takes long.
fn one(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(b'?') => (p, n) = (p + 1, n + 1),
            Some(octet) if *octet == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, taken)) => {
                    (p, n) = (at + 1, taken + 1);
                    star = Some((at, taken + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|octet| *octet == b'*')
}
