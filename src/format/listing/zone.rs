//! The zone of a server, which listings do not tell, seen from many of its files at once: those that are here with the times that it told
//! in UTC are all as far from the listed ones as its zone is from UTC, and whatever is further or nearer has changed.
//!
//! Refuses: to learn from one file, which might have changed by as much as a zone is wide; and where more than half of all files have
//! changed, to guess which have not.

use super::changed::{QUARTER, ROUNDED};
use super::{Precision, Time};
use jiff::Timestamp;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

/// From which Sunday of a month to which clocks are an hour ahead: in Europe, North America, New Zealand, Australia.
const SUMMERS: [Summer; 4] = [[(3, -1), (10, -1)], [(3, 2), (11, 1)], [(9, -1), (4, 1)], [(10, 1), (4, 1)]];
/// An hour, in quarters.
const HOUR: i64 = 4;

/// Months, and which Sunday of them.
type Summer = [(i8, i8); 2];

/// How much later a file here is than listed.
#[derive(Debug, Clone, Copy)]
struct Shift {
    quarters: i64,
    /// And so many seconds.
    seconds: i64,
    date: Date,
}

impl Shift {
    fn of(listed: Time, here: Timestamp) -> Option<Shift> {
        let tells = !listed.utc && listed.precision != Precision::Day && here.subsec_nanosecond() == 0;
        let at = TimeZone::UTC.to_timestamp(listed.at).ok().filter(|_| tells && listed.may_be(here))?;
        let later = here.as_second() - at.as_second();
        let quarters = (later + ROUNDED).div_euclid(QUARTER);
        Some(Shift { quarters, seconds: later - quarters * QUARTER, date: listed.at.date() })
    }

    /// What it would be in winter; on the day on which the clocks change, both.
    fn in_winter(self, summer: Option<Summer>) -> impl Iterator<Item = i64> {
        let ahead: &[i64] = summer.map_or(&[0], |summer| ahead(summer, self.date));
        ahead.iter().map(move |ahead| self.quarters + ahead)
    }
}

fn ahead([from, to]: Summer, date: Date) -> &'static [i64] {
    let sunday = |(month, nth)| Date::new(date.year(), month, 1)?.nth_weekday_of_month(nth, Weekday::Sunday);
    let (Ok(from), Ok(to)) = (sunday(from), sunday(to)) else { return &[0] };
    let is_between = from.min(to) < date && date < from.max(to);
    match is_between == (from < to) {
        _ if date == from || date == to => &[0, HOUR],
        true => &[HOUR],
        false => &[0],
    }
}

/// A zone, and how many files are as they are in it.
#[derive(Debug, Clone, Copy, Default)]
struct Zone {
    summer: Option<Summer>,
    quarters: i64,
    files: usize,
}

impl Zone {
    /// The one in which the most files are; one without a summer time, if it is as good.
    fn of(files: &[Shift]) -> Zone {
        let mut best = Zone::default();
        for summer in std::iter::once(None).chain(SUMMERS.map(Some)) {
            let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
            for quarters in files.iter().flat_map(|file| file.in_winter(summer)) {
                *counts.entry(quarters).or_default() += 1;
            }
            let most = counts.into_iter().max_by_key(|(_, files)| *files);
            if let Some((quarters, files)) = most.filter(|(_, files)| *files > best.files) {
                best = Zone { summer, quarters, files };
            }
        }
        best
    }

    fn has(&self, file: Shift) -> bool {
        file.in_winter(self.summer).any(|quarters| quarters == self.quarters)
    }
}

/// Which of these files, listed by one server and here, have changed though each of them might be as it was ([`Time::may_be`]).
pub fn have_changed(files: &[(Time, Timestamp)]) -> Vec<bool> {
    let shifts: Vec<Option<Shift>> = files.iter().map(|(listed, here)| Shift::of(*listed, *here)).collect();
    let known: Vec<Shift> = shifts.iter().flatten().copied().collect();
    if known.len() < 2 {
        return vec![false; files.len()];
    }
    let zone = Zone::of(&known);
    let is_known = zone.files * 2 > known.len();
    // Most servers leave the seconds away; whoever rounds times up has as many before the minute as after it.
    let count = |is: fn(i64) -> bool| known.iter().filter(|file| zone.has(**file) && is(file.seconds)).count();
    let rounds = count(|seconds| seconds < 0) >= count(|seconds| seconds >= ROUNDED);
    let has_changed = |file: Shift| !is_known || !zone.has(file) || file.seconds < 0 && !rounds;
    shifts.into_iter().map(|file| file.is_some_and(has_changed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files as they are listed, and here; and whether they have changed.
    fn check(files: &[(&str, &str, bool)]) {
        let minute = |at: &str| Time { at: at.parse().unwrap(), precision: Precision::Minute, utc: false };
        let pairs: Vec<_> = files.iter().map(|(listed, here, _)| (minute(listed), here.parse().unwrap())).collect();
        let changed: Vec<bool> = files.iter().map(|(.., changed)| *changed).collect();
        assert_eq!(have_changed(&pairs), changed, "{files:?}");
    }

    /// Whatever differed by whole quarters of an hour was taken for what it was.
    #[test]
    fn what_is_in_another_zone_than_most_files_has_changed() {
        check(&[
            ("2026-11-20T12:20", "2026-11-20T10:20:40Z", false),
            ("2026-11-21T12:20", "2026-11-21T10:20:31Z", false),
            ("2026-11-22T12:20", "2026-11-22T10:20:07Z", false),
            ("2026-11-23T12:20", "2026-11-23T10:20:00Z", false),
            ("2026-11-24T12:20", "2026-11-24T10:05:10Z", true),
            ("2026-11-24T12:20", "2026-11-24T09:20:10Z", true),
            // A minute later, which is no rounding where other seconds are left away.
            ("2026-11-24T12:20", "2026-11-24T10:19:40Z", true),
        ]);
        // There it is.
        check(&[
            ("2026-11-20T12:20", "2026-11-20T10:20:10Z", false),
            ("2026-11-21T12:20", "2026-11-21T10:19:40Z", false),
        ]);
    }

    #[test]
    fn summer_time_is_no_change_and_an_hour_within_a_season_is() {
        let berlin = [
            ("2026-03-28T12:00", "2026-03-28T11:00:00Z", false),
            ("2026-03-30T12:00", "2026-03-30T10:00:00Z", false),
            ("2026-07-01T12:00", "2026-07-01T10:00:00Z", false),
            ("2026-10-24T12:00", "2026-10-24T10:00:00Z", false),
            // The day on which the clocks change.
            ("2026-10-25T01:00", "2026-10-24T23:00:00Z", false),
            ("2026-10-25T12:00", "2026-10-25T11:00:00Z", false),
            ("2026-10-26T12:00", "2026-10-26T11:00:00Z", false),
        ];
        check(&berlin);
        check(&[&berlin[..], &[("2026-11-24T12:00", "2026-11-24T10:00:00Z", true)]].concat());
        check(&[
            ("2026-01-10T12:00", "2026-01-10T01:00:00Z", false),
            ("2026-02-10T12:00", "2026-02-10T01:00:00Z", false),
            ("2026-06-10T12:00", "2026-06-10T02:00:00Z", false),
        ]);
        // As listed with the clock of today.
        check(&[
            ("2026-01-10T12:00", "2026-01-10T10:00:00Z", false),
            ("2026-07-10T12:00", "2026-07-10T10:00:00Z", false),
        ]);
    }

    #[test]
    fn where_nothing_can_be_learnt_one_file_is_as_it_was_and_several_that_differ_are_not() {
        check(&[("2026-11-24T12:20", "2026-11-24T10:05:10Z", false)]);
        check(&[
            ("2026-11-24T12:20", "2026-11-24T10:20:10Z", true),
            ("2026-11-24T12:20", "2026-11-24T10:05:10Z", true),
        ]);
        // One that was written here, without the server's time, tells nothing of its zone.
        check(&[
            ("2026-11-24T12:20", "2026-11-24T10:20:10Z", false),
            ("2026-11-24T12:20", "2026-11-24T13:05:10.5Z", false),
        ]);
    }
}
