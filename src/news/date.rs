//! Dates of articles (RFC 5322, 3.3 and 4.3; RFC 850; `asctime`), and how they are said to a reader.
//!
//! Forty years of programs wrote them, so all that counts is: a day, a month by its name, a year, a clock, and a zone if
//! there is one. What has no zone, or one that nobody knows, is taken as UTC (RFC 5322, 4.3).

use jiff::civil::{Date, Time};
use jiff::{Timestamp, Unit, Zoned};

/// The most words of a date that are looked at.
const WORDS: usize = 12;

/// When an article says it was written; `None` if that is no date.
pub fn timestamp(text: &[u8]) -> Option<Timestamp> {
    let mut parts = Parts::default();
    // RFC 850 has `03-Nov-94`: hyphens part words there, but begin a zone (`-0500`) elsewhere.
    for word in without_comments(text).split(|b| b" \t,".contains(b)).filter(|word| !word.is_empty()).take(WORDS) {
        match word.iter().skip(1).filter(|b| **b == b'-').count() {
            2 => word.split(|b| *b == b'-').for_each(|word| parts.take(word)),
            _ => parts.take(word),
        }
    }
    parts.timestamp()
}

/// A date as a reader says it, seen from `now` and its zone: `09:12` today, `yesterday`, `Mon` within a week, `3 Mar` within
/// the year, else `2019-03-01`. What is yet to come is said with its year.
pub fn said(then: Timestamp, now: &Zoned) -> String {
    let then = then.to_zoned(now.time_zone().clone());
    let (day, today) = (then.date(), now.date());
    let ago = day.until((Unit::Day, today)).map_or(i32::MAX, |span| span.get_days());
    match ago {
        0 => format!("{:02}:{:02}", then.hour(), then.minute()),
        1 => "yesterday".into(),
        2..=6 => day.strftime("%a").to_string(),
        7.. if day.year() == today.year() => format!("{} {}", day.day(), day.strftime("%b")),
        _ => day.to_string(),
    }
}

#[derive(Default)]
struct Parts {
    day: Option<i8>,
    month: Option<i8>,
    year: Option<i16>,
    clock: Option<Time>,
    /// Seconds east of Greenwich.
    zone: Option<i64>,
}

impl Parts {
    fn take(&mut self, word: &[u8]) {
        if word.contains(&b':') {
            self.clock = self.clock.or_else(|| clock(word));
        } else if let Some(number) = number(word) {
            self.number(word.len(), number);
        } else if let Some(month) = month(word).filter(|_| self.month.is_none()) {
            self.month = Some(month);
        } else if self.clock.is_some() || word.first().is_some_and(|first| !first.is_ascii_alphabetic()) {
            self.zone = self.zone.or_else(|| zone(word));
        }
    }

    /// The first small number is the day; the next number, or one of four digits, the year.
    fn number(&mut self, digits: usize, number: i16) {
        if self.day.is_none() && digits <= 2 && (1..=31).contains(&number) {
            self.day = i8::try_from(number).ok();
        } else if self.year.is_none() {
            // RFC 5322, 4.3.
            self.year = Some(match (digits, number) {
                (..=2, 0..=49) => number + 2000,
                (..=3, _) => number.saturating_add(1900),
                _ => number,
            });
        }
    }

    fn timestamp(self) -> Option<Timestamp> {
        let date = Date::new(self.year?, self.month?, self.day?).ok()?;
        let at = date.to_datetime(self.clock.unwrap_or(Time::midnight()));
        let utc = at.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
        utc.checked_sub(jiff::SignedDuration::from_secs(self.zone.unwrap_or(0))).ok()
    }
}

/// `(comments)` nest; what is never closed is none.
fn without_comments(text: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if !text.contains(&b'(') {
        return text.into();
    }
    let mut out = Vec::with_capacity(text.len());
    let mut depth = 0usize;
    for &b in text {
        match b {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b if depth == 0 => out.push(b),
            _ => {}
        }
    }
    out.into()
}

fn number(digits: &[u8]) -> Option<i16> {
    let fits = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    fits.then(|| digits.iter().fold(0, |number, digit| number * 10 + i16::from(digit - b'0')))
}

/// `9:12`, `09:12:05`, `09:12:60` (a leap second).
fn clock(word: &[u8]) -> Option<Time> {
    let mut parts = word.split(|b| *b == b':').map(|part| number(part).and_then(|n| i8::try_from(n).ok()));
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().flatten().unwrap_or(0).min(59);
    Time::new(hour, minute, second, 0).ok()
}

fn month(word: &[u8]) -> Option<i8> {
    const MONTHS: [&[u8; 3]; 12] =
        [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
    let begins = word.get(..3)?.to_ascii_lowercase();
    let at = MONTHS.iter().position(|month| **month == begins[..])?;
    i8::try_from(at + 1).ok()
}

/// A zone by its number (`+0100`, `+01`, `GMT+1`), by one of the names of RFC 5322, 4.3, or by one that was common on the
/// net; in seconds.
fn zone(word: &[u8]) -> Option<i64> {
    const NAMES: &[(&str, i64)] = &[
        ("ut", 0),
        ("utc", 0),
        ("gmt", 0),
        ("z", 0),
        ("wet", 0),
        ("bst", 1),
        ("met", 1),
        ("mez", 1),
        ("cet", 1),
        ("mest", 2),
        ("mesz", 2),
        ("cest", 2),
        ("eet", 2),
        ("eest", 3),
        ("msk", 3),
        ("jst", 9),
        ("est", -5),
        ("edt", -4),
        ("cst", -6),
        ("cdt", -5),
        ("mst", -7),
        ("mdt", -6),
        ("pst", -8),
        ("pdt", -7),
    ];
    let sign = word.iter().position(|b| b"+-".contains(b));
    if let Some(at) = sign {
        let digits = &word[at + 1..];
        let value = i64::from(number(digits)?);
        let (hours, minutes) = if digits.len() > 2 { (value / 100, value % 100) } else { (value, 0) };
        let seconds = (hours * 60 + minutes) * 60;
        // RFC 5322 allows zones nobody lives in; beyond a day they would move the date out of reason.
        return (hours <= 24).then_some(if word[at] == b'-' { -seconds } else { seconds });
    }
    let name = NAMES.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word))?;
    Some(name.1 * 3600)
}
