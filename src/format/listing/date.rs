//! Dates and times as listings write them.
//!
//! `03/04/05` has three readings. Which one a listing means is found from all its lines: each line takes away the orders
//! in which it would be no date or one to come, and the first that is left of month-day-year, day-month-year, year-month-day is meant
//! (day before month where full stops part the numbers).

use super::words::{Words, digits, number};
use super::{Precision, Time};
use crate::date::month;
use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp, tz};
use std::cell::Cell;

/// The orders of the numbers in a date, a bit for each.
type Orders = u8;
const MDY: Orders = 1;
const DMY: Orders = 2;
const YMD: Orders = 4;
const ALL: Orders = MDY | DMY | YMD;

/// Reads dates, and finds the order of their numbers.
#[derive(Debug, Clone)]
pub(super) struct Dates {
    /// Nothing is newer than this: a day from now, since clocks and zones differ.
    newest: DateTime,
    /// The orders that fit every date so far.
    orders: Cell<Orders>,
    /// Whether any date was in doubt.
    seen: Cell<bool>,
    /// Whether new dates still change that.
    learning: bool,
}

/// A time of day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    hour: i8,
    minute: i8,
    second: i8,
    precision: Precision,
}

impl Dates {
    /// Dates seen from a moment, UTC.
    pub fn new(now: DateTime) -> Dates {
        let newest = now.checked_add(SignedDuration::from_hours(24)).unwrap_or(DateTime::MAX);
        Dates { newest, orders: Cell::new(ALL), seen: Cell::new(false), learning: false }
    }

    /// The same, not knowing any order yet, and learning it or not.
    pub fn afresh(&self, learning: bool) -> Dates {
        Dates { orders: Cell::new(ALL), seen: Cell::new(false), learning, ..*self }
    }

    /// The same, with the order that is known by now.
    pub fn settled(&self) -> Dates {
        Dates { learning: false, ..self.clone() }
    }

    /// Whether another line could still change how dates are read: some were ambiguous, and none has decided.
    pub fn in_doubt(&self) -> bool {
        self.seen.get() && !self.orders.get().is_power_of_two()
    }

    /// The date and time that `ls` and its kin write, in any of their ways; and what follows.
    pub fn listed<'a>(&self, words: Words<'a>) -> Option<(Time, Words<'a>)> {
        let mut after = words;
        let first = after.next()?;
        match first[0] {
            b'0'..=b'9' => self.numbers_first(first, words, after),
            // Most words in question are users and groups, which no number follows.
            b'A'..=b'Z' | b'a'..=b'z' | 0x80.. if after.peek()?[0].is_ascii_digit() => {
                self.month_first(month(first)?, after)
            }
            _ => None,
        }
    }

    /// `Nov 19 08:15`, `Sep 18 2008`, `Oct 08, 2002 09:47`; month given.
    fn month_first<'a>(&self, month: i8, mut words: Words<'a>) -> Option<(Time, Words<'a>)> {
        let word = words.next()?;
        let Some(word) = word.strip_suffix(b",") else {
            return self.year_or_clock(month, day(word.strip_suffix(b".").unwrap_or(word))?, words);
        };
        let date = Date::new(year(words.next()?)?, month, day(word)?).ok()?;
        Some(with_clock(date, words))
    }

    /// `3 29 03:26`: the month as a number too. Columns of other numbers look like it, so it is thought of last.
    pub fn numbers_only<'a>(&self, mut words: Words<'a>) -> Option<(Time, Words<'a>)> {
        let (a, b) = (day(words.next()?)?, day(words.next()?)?);
        let (month, day) = if a > 12 { (b, a) } else { (a, b) };
        Some((self.recent(month, day, clock(words.next()?)?)?, words))
    }

    /// What follows month and day: a year, or a time of day within the last twelve months. `ls -T` writes both.
    fn year_or_clock<'a>(&self, month: i8, day: i8, mut words: Words<'a>) -> Option<(Time, Words<'a>)> {
        let word = words.next()?;
        if let Some(year) = year(word) {
            return Some((on(Date::new(year, month, day).ok()?), words));
        }
        let clock = clock(word)?;
        let mut after = words;
        if clock.precision == Precision::Second
            && let Some(date) = after.next().and_then(year).and_then(|year| Date::new(year, month, day).ok())
        {
            return Some((at(date, clock), after));
        }
        Some((self.recent(month, day, clock)?, words))
    }

    /// The newest such day that is not in the future.
    fn recent(&self, month: i8, day: i8, clock: Clock) -> Option<Time> {
        let newest = self.newest.year();
        // The 29th of February may be eight years away.
        (0..=8)
            .filter_map(|back| Some(at(Date::new(newest - back, month, day).ok()?, clock)))
            .find(|time| time.at <= self.newest)
    }

    /// Dates that begin with a digit.
    fn numbers_first<'a>(&self, first: &[u8], words: Words<'a>, after: Words<'a>) -> Option<(Time, Words<'a>)> {
        if let Some(date) = self.day(first) {
            return Some(with_clock(date, after));
        }
        let end = first.iter().position(|b| !b.is_ascii_digit()).unwrap_or(first.len());
        match &first[end..] {
            // `01 oct 2004`, `26. Juli, 20:10`
            b"" | b"." | b"," if end <= 2 => {
                let mut after = after;
                let month = month(after.next()?)?;
                self.year_or_clock(month, day(&first[..end])?, after)
            }
            b"" | [0x80..=0xFF, ..] => self.ideographs(words),
            // `09-26 2000`, `09-26 13:45`
            [b'-' | b'/', rest @ ..] if end <= 2 => {
                let (a, b) = (day(&first[..end])?, day(rest)?);
                let (month, day) = if a > 12 { (b, a) } else { (a, b) };
                self.year_or_clock(month, day, after)
            }
            _ => None,
        }
    }

    /// `6月 3日 2003年`, `8月 17 08:52`, `2005년  1월  6일`: numbers with something beyond ASCII after them, in whatever
    /// character set.
    fn ideographs<'a>(&self, mut words: Words<'a>) -> Option<(Time, Words<'a>)> {
        let (mut numbers, mut count, mut marked) = ([0u64; 3], 0, false);
        while count < 3 {
            let word = words.next()?;
            if count == 2
                && marked
                && let Some(clock) = clock(word)
            {
                let (month, day) = (i8::try_from(numbers[0]).ok()?, i8::try_from(numbers[1]).ok()?);
                return Some((self.recent(month, day, clock)?, words));
            }
            let mut rest = word;
            while !rest.is_empty() && count < 3 {
                let end = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
                numbers[count] = number(&rest[..end])?;
                count += 1;
                rest = &rest[end..];
                if !rest.is_empty() {
                    // The second octet of a double-octet character may be an ASCII letter.
                    marked |= rest[0] >= 0x80;
                    let end = rest.iter().position(u8::is_ascii_digit).unwrap_or(rest.len());
                    rest = &rest[end..];
                }
            }
        }
        let [year, month, day] = match numbers {
            [year, month, day] if year >= 1000 => [year, month, day],
            [month, day, year] if year >= 1000 => [year, month, day],
            _ => return None,
        };
        let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
        marked.then(|| (on(date), words))
    }

    /// A date in one word of three parts: `2005-06-07`, `11-02-09`, `04-23-103`, `2004.07.15`, `2-JUL-2003`,
    /// `Feb-28-1998`.
    pub fn day(&self, word: &[u8]) -> Option<Date> {
        let separator = *word.iter().find(|b| matches!(b, b'-' | b'/' | b'.'))?;
        let mut parts = word.split(|b| *b == separator);
        let parts = [parts.next()?, parts.next()?, parts.next().filter(|_| parts.next().is_none())?];
        let [a, b, c] = parts;
        if !digits(b) {
            return Date::new(short_year(c)?, month(b)?, day(a)?).ok();
        }
        if !digits(a) {
            return Date::new(short_year(c)?, month(a)?, day(b)?).ok();
        }
        if a.len() == 4 {
            return Date::new(year(a)?, day(b)?, day(c)?).ok();
        }
        let preferred = if separator == b'.' { [DMY, YMD, MDY] } else { [MDY, DMY, YMD] };
        self.ordered(parts, preferred)
    }

    fn ordered(&self, [a, b, c]: [&[u8]; 3], preferred: [Orders; 3]) -> Option<Date> {
        let read = |order| {
            let (y, m, d) = match order {
                MDY => (c, a, b),
                DMY => (c, b, a),
                _ => (a, b, c),
            };
            Date::new(short_year(y)?, day(m)?, day(d)?).ok()
        };
        let where_date = |fits: &dyn Fn(Date) -> bool| {
            preferred.into_iter().filter(|order| read(*order).is_some_and(fits)).fold(0, |all, order| all | order)
        };
        // Files of the future are rare, so a reading that makes one counts only when every reading does.
        let fitting = Some(where_date(&|date| date <= self.newest.date())).filter(|past| *past != 0);
        let fitting = fitting.unwrap_or_else(|| where_date(&|_| true));
        // A date that contradicts all the others is read by itself.
        let left = Some(self.orders.get() & fitting).filter(|left| *left != 0);
        if let Some(left) = left.filter(|_| self.learning) {
            self.orders.set(left);
            self.seen.set(true);
        }
        let left = left.unwrap_or(fitting);
        preferred.into_iter().find(|order| left & order != 0).and_then(read)
    }
}

/// A time of day: `08:15`, `9:39`, `10:40:39.90`.
pub(super) fn clock(word: &[u8]) -> Option<Clock> {
    let mut parts = word.split(|b| *b == b':');
    let hour = parts.next().filter(|hour| hour.len() <= 2)?;
    let minute = parts.next().filter(|minute| minute.len() == 2)?;
    let second = parts.next();
    if parts.next().is_some() {
        return None;
    }
    let second = second.map(|second| second.split(|b| *b == b'.').next().unwrap_or_default());
    let within = |part: &[u8], limit| number(part).filter(|n| *n < limit).and_then(|n| i8::try_from(n).ok());
    let precision = if second.is_some() { Precision::Second } else { Precision::Minute };
    let clock = Clock {
        hour: within(hour, 25)?,
        minute: within(minute, 60)?,
        second: second.map_or(Some(0), |second| within(second, 60))?,
        precision,
    };
    // `24:00` is the end of its day.
    Some(clock).filter(|clock| clock.hour < 24 || (clock.minute, clock.second) == (0, 0))
}

impl Clock {
    /// The time of day on a clock of twelve hours; 12 AM is midnight.
    pub fn of_twelve(self, afternoon: bool) -> Option<Clock> {
        let hour = if (1..=12).contains(&self.hour) { self.hour % 12 } else { return None };
        Some(Clock { hour: if afternoon { hour + 12 } else { hour }, ..self })
    }
}

/// A day and a time of day, in the server's zone.
pub(super) fn at(date: Date, clock: Clock) -> Time {
    let (date, hour) = if clock.hour == 24 { (date.tomorrow().unwrap_or(date), 0) } else { (date, clock.hour) };
    let time = date.at(hour, clock.minute, clock.second, 0);
    Time { at: time, precision: clock.precision, utc: false }
}

/// A day.
pub(super) fn on(date: Date) -> Time {
    Time { at: date.at(0, 0, 0, 0), precision: Precision::Day, utc: false }
}

/// Seconds since 1970.
pub(super) fn epoch(word: &[u8]) -> Option<Time> {
    let moment = Timestamp::from_second(i64::try_from(number(word)?).ok()?).ok()?;
    Some(Time { at: tz::Offset::UTC.to_datetime(moment), precision: Precision::Second, utc: true })
}

/// A day with the time of day that follows, if one does, and the zone if that follows (`ls --full-time`).
pub(super) fn with_clock(date: Date, words: Words<'_>) -> (Time, Words<'_>) {
    let mut after = words;
    let Some((word, clock)) = after.next().and_then(|word| Some((word, clock(word)?))) else {
        return (on(date), words);
    };
    let time = at(date, clock);
    let mut beyond = after;
    // A name may look like a zone, but only whole fractions of a second come before one.
    if word.len() > 15
        && let Some(time) = beyond.next().and_then(offset).and_then(|offset| offset.to_timestamp(time.at).ok())
    {
        let utc = tz::Offset::UTC.to_datetime(time);
        return (Time { at: utc, precision: Precision::Second, utc: true }, beyond);
    }
    (time, after)
}

/// `+0200`
fn offset(word: &[u8]) -> Option<tz::Offset> {
    let (sign, rest) = word.split_first()?;
    let sign = match sign {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let minutes = number(rest).filter(|_| rest.len() == 4).map(|hhmm| hhmm / 100 * 60 + hhmm % 100)?;
    tz::Offset::from_seconds(sign * 60 * i32::try_from(minutes).ok()?).ok()
}

/// A number of at most two digits: a day or a month, which [`Date`] will judge.
fn day(word: &[u8]) -> Option<i8> {
    number(word).filter(|_| word.len() <= 2).and_then(|day| i8::try_from(day).ok()).filter(|day| (1..=31).contains(day))
}

/// A year in four digits.
fn year(word: &[u8]) -> Option<i16> {
    let year = number(word).filter(|year| word.len() == 4 && *year >= 1900)?;
    i16::try_from(year).ok()
}

/// A year in four digits or fewer: two are of 1970 to 2069, and three are years since 1900 as servers write them that
/// were never told of 2000.
fn short_year(word: &[u8]) -> Option<i16> {
    let year = i16::try_from(number(word).filter(|_| (1..=4).contains(&word.len()))?).ok()?;
    match (word.len(), year) {
        (4, 1900..) => Some(year),
        (3, 100..=199) => Some(1900 + year),
        (1 | 2, 70..) => Some(1900 + year),
        (1 | 2, _) => Some(2000 + year),
        _ => None,
    }
}
