//! Names of groups in score files: `*` stands for any letters, `?` for one; capitals are small letters.

/// Whether a name fits a pattern, in time proportional to both.
pub(super) fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    // The last star, and how far the name had come there.
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == b'?' || c.eq_ignore_ascii_case(&name[n]) => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn groups() {
        for (pattern, name, wanted) in [
            ("*", "a.b", true),
            ("a.*", "a.b.c", true),
            ("a.*", "A.B", true),
            ("a.*", "ab", false),
            ("a.b", "a.b.c", false),
            ("*.b*", "a.b.c.b", true),
            ("a.?", "a.bc", false),
            ("", "", true),
            ("**a**", "bab", true),
            ("*a*b", "aab-a", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), wanted, "{pattern} {name}");
        }
    }
}
