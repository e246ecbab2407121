//! Dates in the cells of a table, whoever wrote them: `2021-03-03`, `3 Mar 2021`, `March 3, 2021`, `3.3.2021`, `03/03/2021`.
//!
//! Which of two numbers between slashes is the month is told by all cells of a column, if by any. Refuses: years of two digits,
//! zones, and to guess.

use crate::date::month;

/// How many words of a cell are looked at.
const MOST_WORDS: usize = 12;
/// The longest text that is taken for a date, in octets.
const LONGEST: usize = 60;

/// How the dates of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Dates {
    /// Between slashes, whether the day comes first; `None` where nothing tells.
    day_first: Option<bool>,
}

impl Dates {
    /// Looks at all cells of a column.
    pub fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Dates {
        let (mut day, mut month) = (false, false);
        for (first, second) in texts.filter_map(slashed).map(|(first, second, ..)| (first, second)) {
            (day, month) = (day | (first > 12), month | (second > 12));
        }
        Dates { day_first: (day != month).then_some(day) }
    }

    /// A number by which dates compare; `None` for what is none, or has two readings.
    pub fn moment(self, text: &str) -> Option<i64> {
        if let Some((first, second, year, rest)) = slashed(text) {
            let (day, month) = match self.day_first {
                _ if first == second => (first, second),
                Some(true) => (first, second),
                Some(false) => (second, first),
                None => return None,
            };
            return number(year, month, day, clock(rest)?);
        }
        if text.len() > LONGEST {
            return None;
        }
        let text = text.trim();
        let numbered = |sign: char| {
            let mut parts = text.splitn(3, sign);
            let (one, two) = (parts.next()?, parts.next()?);
            let (three, rest) = digits(parts.next()?)?;
            match (whole(one)?, whole(two)?, three) {
                (year @ 1000.., month, day) => number(year, month, day, clock(rest)?),
                // the order of those who write points
                (day, month, year @ 1000..) if sign == '.' => number(year, month, day, clock(rest)?),
                _ => None,
            }
        };
        ['-', '/', '.'].into_iter().find_map(numbered).or_else(|| named(text))
    }
}

/// The two numbers before a year, between slashes, the year, and what follows.
fn slashed(text: &str) -> Option<(i64, i64, i64, &str)> {
    let mut parts = text.trim().splitn(3, '/');
    let (first, second) = (whole(parts.next()?)?, whole(parts.next()?)?);
    let (year, rest) = digits(parts.next()?)?;
    (first < 32 && second < 32 && (1000..10_000).contains(&year)).then_some((first, second, year, rest))
}

/// A date with the name of its month.
fn named(text: &str) -> Option<i64> {
    let (mut day, mut found, mut year, mut seconds) = (None, None, None, 0);
    for word in text.split([' ', ',', '-', '/', '\u{a0}']).filter(|word| !word.is_empty()).take(MOST_WORDS) {
        let bare = word.trim_end_matches(['.', ')']).trim_start_matches('(');
        let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
        match whole(ordinal) {
            Some(number @ 1..=31) if day.is_none() && ordinal.len() <= 2 => day = Some(number),
            Some(number @ 1000..=9999) if year.is_none() => year = Some(number),
            Some(_) => return None,
            None if found.is_none() && month(bare.as_bytes()).is_some() => found = month(bare.as_bytes()),
            None if word.contains(':') => seconds = clock(word)?,
            // the day of the week comes first, a zone last
            None if day.is_none() && found.is_none() || year.is_some() => {}
            None => return None,
        }
    }
    number(year?, found?.into(), day.unwrap_or(0), seconds)
}

/// A clock, which may be missing, in seconds.
fn clock(text: &str) -> Option<i64> {
    let text = text.trim_start_matches(['T', ' ', ',', '\u{a0}']);
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(text.len());
    let parts: Vec<i64> = text[..end].split(':').filter_map(whole).collect();
    match parts[..] {
        [] if text.is_empty() => Some(0),
        [hours, minutes] => Some((hours * 60 + minutes) * 60),
        [hours, minutes, seconds] => Some((hours * 60 + minutes) * 60 + seconds),
        _ => None,
    }
}

fn number(year: i64, month: i64, day: i64, seconds: i64) -> Option<i64> {
    ((1..=12).contains(&month) && (0..=31).contains(&day)).then(|| ((year * 12 + month) * 32 + day) * 86_400 + seconds)
}

/// A number of a few digits and nothing else.
fn whole(text: &str) -> Option<i64> {
    digits(text).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}

fn digits(text: &str) -> Option<(i64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    ((1..=4).contains(&end)).then_some(())?;
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::Dates;

    #[test]
    fn dates_compare_however_they_are_written() {
        let any = Dates::default();
        let third = any.moment("2021-03-03");
        assert!(third.is_some());
        for text in ["3 Mar 2021", "Mar 3, 2021", "March 3rd, 2021", "3. März 2021", "03-Mar-2021", "Wed, 3 Mar 2021"]
            .into_iter()
            .chain(["03/03/2021", "3.3.2021", "2021/03/03", "2021.3.3", "3 Mar 2021 00:00 GMT", "2021-03-03T00:00:00Z"])
        {
            assert_eq!(any.moment(text), third, "{text}");
        }
        assert!(any.moment("2021-03-03 10:00") > third && any.moment("Mar 2021") < third);
        for text in
            ["", "2021", "3", "may be 2021 apples", "04/03/2021", "1.2.3", "2021-13-01", "12-34", "3 of 2021", "Mar"]
        {
            assert_eq!(any.moment(text), None, "{text}");
        }
        assert_eq!(Dates::of(["13/02/2021", "04/03/2021"].into_iter()).moment("04/03/2021"), any.moment("2021-03-04"));
        assert_eq!(Dates::of(["02/13/2021", "04/03/2021"].into_iter()).moment("04/03/2021"), any.moment("2021-04-03"));
        assert_eq!(Dates::of(["02/13/2021", "13/03/2021"].into_iter()).moment("04/03/2021"), None);
    }
}
