//! Dates as articles write them (RFC 5322, 3.3 and 4.3), in one form: `Fri, 21 Nov 2025 14:02 (+0100)`.
//!
//! The clock and the zone are the writer's: a page does not change when the reader travels. The weekday is reckoned, not
//! believed. What is no date is shown as it came.

use jiff::civil::{Date, Time, Weekday};

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A date as the page shows it; `None` for what is none.
pub(super) fn shown(text: &str) -> Option<String> {
    let spaced = text.replace([',', '-'], " ").replace("  ", " ");
    // a hyphen joins the old `21-Nov-93`, and begins a zone
    let hyphens = text.split_whitespace().any(|word| word.matches('-').count() == 2);
    let text = if hyphens { spaced } else { text.replace(',', " ") };
    let mut words = text.split_whitespace().peekable();
    words.next_if(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let first = words.next()?;
    let day: i8 = first.parse().ok()?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| month.get(..3).is_some_and(|m| m.eq_ignore_ascii_case(name)))?;
    let date = Date::new(year(words.next()?)?, month as i8 + 1, day).ok()?;
    let clock = words.next().and_then(clock);
    let zone = words.next().filter(|word| is_zone(word));
    let weekday = match date.weekday() {
        Weekday::Monday => "Mon",
        Weekday::Tuesday => "Tue",
        Weekday::Wednesday => "Wed",
        Weekday::Thursday => "Thu",
        Weekday::Friday => "Fri",
        Weekday::Saturday => "Sat",
        Weekday::Sunday => "Sun",
    };
    let mut out = format!("{weekday}, {} {} {:04}", date.day(), MONTHS[month], date.year());
    if let Some(clock) = clock {
        out.push_str(&format!(" {:02}:{:02}", clock.hour(), clock.minute()));
        if let Some(zone) = zone {
            out.push_str(&format!(" ({zone})"));
        }
    }
    Some(out)
}

/// RFC 5322, 4.3: two digits are of 1950 to 2049, three count from 1900.
fn year(word: &str) -> Option<i16> {
    let year: i16 = word.parse().ok()?;
    Some(match (word.len(), year) {
        (2, 0..=49) => year + 2000,
        (2 | 3, 0..) => year + 1900,
        (4, 1000..) => year,
        _ => return None,
    })
}

fn clock(word: &str) -> Option<Time> {
    let mut parts = word.splitn(3, ':').map(|part| part.get(..2).unwrap_or(part).parse::<i8>());
    let (hour, minute) = (parts.next()?.ok()?, parts.next()?.ok()?);
    Time::new(hour, minute, 0, 0).ok()
}

fn is_zone(word: &str) -> bool {
    let number = |n: &str| n.len() == 4 && n.bytes().all(|b| b.is_ascii_digit());
    match word.strip_prefix(['+', '-']) {
        Some(digits) => number(digits),
        None => word.len() <= 5 && word.bytes().all(|b| b.is_ascii_alphabetic()),
    }
}
