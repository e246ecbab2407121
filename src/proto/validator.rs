//! The words that servers have for a content, which are the same as long as it is ([`super::Head::validator`]), beside each other.

/// Whether two of them may be of the same content: they are equal, or facts of a file (`size=203;modify=20250102030405`) that do not
/// contradict each other. A server may tell the time of a file once, and not the next time.
pub fn agree(one: &str, other: &str) -> bool {
    one == other || facts(one).zip(facts(other)).is_some_and(|(one, other)| may_be_same(one, other))
}

/// Whether it has the time of a file's last change.
pub fn is_dated(words: &str) -> bool {
    facts(words).is_some_and(|[_, time]| time.is_some())
}

/// The one of two that agree which says more.
pub fn fuller(one: String, other: &str) -> String {
    if one.len() >= other.len() { one } else { other.into() }
}

/// Length and time, as servers of files have them; `None` for what is written otherwise.
fn facts(words: &str) -> Option<[Option<&str>; 2]> {
    let mut facts = [None; 2];
    for fact in words.split(';') {
        let (at, value) = match fact.split_once('=')? {
            ("size", size) => (0, size),
            ("modify", time) => (1, time),
            _ => return None,
        };
        facts[at] = Some(value);
    }
    Some(facts)
}

fn may_be_same(one: [Option<&str>; 2], other: [Option<&str>; 2]) -> bool {
    let mut both = one.into_iter().zip(other).filter_map(|(one, other)| one.zip(other)).peekable();
    both.peek().is_some() && both.all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::agree;

    #[test]
    fn what_both_have_tells() {
        for (one, other, may_be_same) in [
            ("size=8;modify=1", "size=8;modify=1", true),
            ("size=8", "size=8;modify=1", true),
            ("modify=1", "size=8;modify=1", true),
            ("size=8;modify=1", "size=8;modify=2", false),
            ("size=9", "size=8;modify=1", false),
            ("size=8", "modify=1", false),
            ("", "size=8", false),
            ("\"size=8\"", "size=8;modify=1", false),
            ("\"one\"", "\"two\"", false),
            ("\"one\"", "\"one\"", true),
        ] {
            assert_eq!((agree(one, other), agree(other, one)), (may_be_same, may_be_same), "{one} {other}");
        }
    }
}
