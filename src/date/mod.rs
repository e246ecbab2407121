//! Dates as the internet writes them (RFC 5322, 3.3 and 4.3; RFC 850; `asctime`), and how they are said to a reader.
//!
//! Forty years of programs wrote them, so all that counts is: a day, a month by its name, a year, a clock, and a zone if
//! there is one. What has no zone, or one that nobody knows, is taken as UTC (RFC 5322, 4.3). Refuses: dates of listings,
//! which are of their own kinds (`format::listing`), and to know what day it is.

mod month;

pub use month::month;

use jiff::civil::{Date, Time};
use jiff::{SignedDuration, Timestamp, Unit, Zoned, tz};
use std::fmt;

/// The most words of a date that are looked at.
const WORDS: usize = 12;

/// The longest zone that is shown as it is written.
const ZONE: usize = 8;

/// A date as somebody wrote it: day and clock are the writer's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written<'a> {
    /// The day.
    pub day: Date,
    /// The time of day, if one is given.
    pub clock: Option<Time>,
    /// The zone as written (`+0100`, `EST`), if there is one; whether it is known or not.
    pub zone: Option<&'a str>,
    /// Seconds east of Greenwich, where the zone is known.
    east: Option<i64>,
}

/// Reads a date; `None` for what is none.
pub fn read(text: &[u8]) -> Option<Written<'_>> {
    let mut parts = Parts::default();
    for word in words(text).take(WORDS) {
        // RFC 850 has `03-Nov-94`: hyphens part words there, but begin a zone (`-0500`) elsewhere.
        match word.iter().skip(1).filter(|b| **b == b'-').count() {
            2 => word.split(|b| *b == b'-').try_for_each(|word| parts.take(word))?,
            _ => parts.take(word)?,
        }
    }
    let day = Date::new(parts.year?, parts.month?, parts.day?).ok()?;
    Some(Written { day, clock: parts.clock, zone: parts.zone, east: parts.east })
}

/// The moment that a date names; `None` if it is no date, or past the end of time.
pub fn timestamp(text: &[u8]) -> Option<Timestamp> {
    read(text)?.timestamp()
}

impl Written<'_> {
    /// The moment that is meant; midnight where no time of day is given.
    pub fn timestamp(&self) -> Option<Timestamp> {
        let at = self.day.to_datetime(self.clock.unwrap_or(Time::midnight()));
        let utc = tz::Offset::UTC.to_timestamp(at).ok()?;
        utc.checked_sub(SignedDuration::from_secs(self.east.unwrap_or(0))).ok()
    }
}

/// In one form, by the writer's own clock: `Fri, 21 Nov 2025 14:02 (+0100)`. A page does not change when the reader travels.
impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.day.strftime("%a, %-d %b %Y"))?;
        let Some(clock) = self.clock else { return Ok(()) };
        write!(f, " {:02}:{:02}", clock.hour(), clock.minute())?;
        self.zone.map_or(Ok(()), |zone| write!(f, " ({zone})"))
    }
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

/// A day as a heading says it, seen from another: `Today`, `Yesterday, Friday 20 November 2026`, `Monday 12 October 2026`.
pub fn day(day: Date, today: Option<Date>) -> String {
    let written = day.strftime("%A %-d %B %Y").to_string();
    match today {
        Some(today) if today == day => "Today".into(),
        Some(today) if today.yesterday().is_ok_and(|before| before == day) => format!("Yesterday, {written}"),
        _ => written,
    }
}

/// The words of a date. Comments, in parentheses that nest, are none.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut depth = 0usize;
    let parts = text.split(move |b| {
        match b {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => return depth > 0 || b" \t\r\n,".contains(b),
        }
        true
    });
    parts.filter(|word| !word.is_empty())
}

/// What was read so far.
#[derive(Default)]
struct Parts<'a> {
    /// Whether a word was read that says nothing: the weekday, which is reckoned and not believed.
    weekday: bool,
    day: Option<i8>,
    month: Option<i8>,
    year: Option<i16>,
    clock: Option<Time>,
    /// Whether the clock was the last word.
    behind_clock: bool,
    zone: Option<&'a str>,
    east: Option<i64>,
}

impl<'a> Parts<'a> {
    /// Takes a word; `None` when it shows that this is no date.
    fn take(&mut self, word: &'a [u8]) -> Option<()> {
        if word.contains(&b':') {
            self.clock = self.clock.or_else(|| clock(word));
            self.behind_clock = true;
            return Some(());
        } else if let Some(number) = number(word) {
            self.number(word.len(), number);
        } else if let Some(month) = month::english(word).filter(|_| self.clock.is_none() || self.month.is_none()) {
            // A weekday may look like a month, as Tuesday does in French: the month comes after it.
            self.month = Some(month);
        } else if self.clock.is_some() || word.first().is_some_and(|first| !first.is_ascii_alphabetic()) {
            self.zone(word);
        } else if !self.is_whole() {
            // Something written in words, with numbers in it.
            return (!std::mem::replace(&mut self.weekday, true)).then_some(());
        }
        self.behind_clock = false;
        Some(())
    }

    fn is_whole(&self) -> bool {
        self.day.is_some() && self.month.is_some() && self.year.is_some()
    }

    /// The first small number is the day; the next number, or one of four digits, the year.
    fn number(&mut self, digits: usize, number: i16) {
        if self.day.is_none() && digits <= 2 && (1..=31).contains(&number) {
            self.day = i8::try_from(number).ok();
        } else if self.year.is_none() {
            // RFC 5322, 4.3: two digits are of 1950 to 2049, three count from 1900.
            self.year = match (digits, number) {
                (..=2, ..=49) => Some(number + 2000),
                (..=3, _) => Some(number + 1900),
                (_, 1000..) => Some(number),
                _ => None,
            };
        }
    }

    /// The first zone that is known counts; one that is not is at least shown, where it stands behind the clock.
    fn zone(&mut self, word: &'a [u8]) {
        if self.east.is_some() {
            return;
        }
        self.east = zone(word);
        let looks = self.behind_clock && word.len() <= 5 && word.iter().all(u8::is_ascii_alphabetic);
        if looks || self.east.is_some() {
            self.zone = std::str::from_utf8(word).ok().filter(|word| word.len() <= ZONE).or(self.zone);
        }
    }
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
