//! Files that were cut into several articles: `photo.jpg (2/7)`, `[2/7]`. The subject is all that tells in an overview which articles
//! belong together.

/// The most parts of one file that are joined.
pub const MOST_PARTS: u64 = 2_000;

/// What a subject says of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series<'a> {
    /// The part's number, from 1.
    pub number: u64,
    /// How many there are: 2 or more, and as many as the subject claims.
    pub total: u64,
    /// What stands before the number.
    before: &'a str,
    /// What stands after the number.
    after: &'a str,
}

impl<'a> Series<'a> {
    /// Reads a subject. Its last `(2/7)` counts: a number in square brackets before that tells which of several files it is. Without
    /// one the last `[2/7]` does. A part 0 is a description of the file, and no part.
    pub fn of(subject: &'a str) -> Option<Series<'a>> {
        counter(subject, ['(', ')']).or_else(|| counter(subject, ['[', ']']))
    }

    /// Whether another part is of the same file.
    pub fn is_with(&self, other: &Series<'_>) -> bool {
        (self.total, self.before, self.after) == (other.total, other.before, other.after)
    }
}

/// The last counter of a subject in such brackets.
fn counter(subject: &str, [open, close]: [char; 2]) -> Option<Series<'_>> {
    let mut end = subject.len();
    while let Some(at) = subject[..end].rfind(open) {
        let inner = &subject[at + 1..];
        if let Some(inner) = inner.find(close).map(|close| &inner[..close])
            && let Some((number, total)) = inner.split_once('/')
            && let (Some(number_), Some(total_)) = (digits(number), digits(total))
            && (1..=total_).contains(&number_)
            && total_ > 1
        {
            let after = &subject[at + 1 + number.len()..];
            return Some(Series { number: number_, total: total_, before: &subject[..at], after });
        }
        end = at;
    }
    None
}

fn digits(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().filter(|_| text.bytes().all(|octet| octet.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_tells_which_part_of_how_many_it_is() {
        const ROWS: &[(&str, Option<(u64, u64)>)] = &[
            ("photo.jpg (2/7)", Some((2, 7))),
            ("photo.jpg [02/07]", Some((2, 7))),
            ("[3/12] - \"a.rar\" yEnc (2/7) 1 MB", Some((2, 7))),
            ("(2/7) of [1/2] (see below)", Some((2, 7))),
            ("photo.jpg (0/7)", None),
            ("photo.jpg (8/7)", None),
            ("photo.jpg (1/1)", None),
            ("either (and/or)", None),
            ("(2/99999999999999999999)", None),
            ("(2/1000000000)", Some((2, 1_000_000_000))),
            ("((((", None),
            ("(+1/2)", None),
        ];
        for (subject, wanted) in ROWS {
            assert_eq!(Series::of(subject).map(|series| (series.number, series.total)), *wanted, "{subject}");
        }
        let with = |one, other| Series::of(one).zip(Series::of(other)).is_some_and(|(one, other)| one.is_with(&other));
        assert!(with("a.jpg (1/7)", "a.jpg (7/7)") && with("[1/3] a (01/10)", "[1/3] a (10/10)"));
        assert!(!with("a.jpg (1/7)", "b.jpg (2/7)") && !with("a.jpg (1/7)", "a.jpg (2/8)"));
        assert!(!with("[1/3] a (1/9)", "[2/3] a (2/9)"));
    }
}
