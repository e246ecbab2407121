//! The time of a file on a server, as its listing tells it, beside the time of a file on the disk.

use super::{Precision, Time};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// No zone is further ahead of UTC.
const AHEAD: i64 = 14 * 3600;
/// No zone is further behind it.
const BEHIND: i64 = 12 * 3600;
/// Zones differ by whole quarters of an hour.
pub(super) const QUARTER: i64 = 15 * 60;
/// A time may have been rounded up.
pub(super) const ROUNDED: i64 = 30;

impl Time {
    /// The point in time, where it is one.
    pub fn exactly(self) -> Option<Timestamp> {
        let exact = self.utc && self.precision == Precision::Second;
        TimeZone::UTC.to_timestamp(self.at).ok().filter(|_| exact)
    }

    /// Whether a file that has this time on the disk can be the one that was listed with that, in whatever zone the server is; which
    /// that is many files tell ([`super::have_changed`]).
    ///
    /// A time with a fraction of a second is no server's word: it is when the file was written here, and all that it tells is
    /// whether the file was changed on the server since.
    pub fn may_be(self, here: Timestamp) -> bool {
        let Ok(at) = TimeZone::UTC.to_timestamp(self.at) else { return true };
        let later = here.as_second() - at.as_second();
        if let Some(exact) = self.exactly() {
            return here.as_second() == exact.as_second();
        }
        let (step, rounded) = match self.precision {
            // What stands in a zip is even.
            Precision::Second => (2, 0),
            Precision::Minute => (60, ROUNDED),
            Precision::Day => (24 * 3600, 0),
        };
        let (ahead, behind) = if self.utc { (0, 0) } else { (AHEAD, BEHIND) };
        if later < -ahead - rounded || here.subsec_nanosecond() != 0 {
            return later >= -ahead - rounded;
        }
        let past = later.rem_euclid(QUARTER);
        later < step + behind && (step > QUARTER || past < step || past >= QUARTER - rounded)
    }

    /// It, for whoever compares recordings.
    pub fn written(self) -> String {
        let exactly = self.exactly().map(|time| time.to_string());
        exactly.unwrap_or_else(|| format!("{} ({:?}{})", self.at, self.precision, if self.utc { ", UTC" } else { "" }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_another_one_where_its_time_cannot_be_the_one_that_is_listed() {
        use Precision::{Day, Minute, Second};
        for (listed, precision, utc, here, same) in [
            ("2026-03-01T10:20:30", Second, true, "2026-03-01T10:20:30.5Z", true),
            ("2026-03-01T10:20:30", Second, true, "2026-03-01T10:20:31Z", false),
            ("2026-03-01T10:20", Minute, true, "2026-03-01T10:20:59Z", true),
            ("2026-03-01T10:20", Minute, true, "2026-03-01T10:35:00Z", false),
            // In any zone, also one of quarters.
            ("2026-03-01T10:20", Minute, false, "2026-03-01T10:20:59Z", true),
            ("2026-03-01T10:20", Minute, false, "2026-02-28T20:20:00Z", true),
            ("2026-03-01T10:20", Minute, false, "2026-03-01T04:35:07Z", true),
            ("2026-03-01T10:20", Minute, false, "2026-03-01T10:19:31Z", true),
            ("2026-03-01T10:20", Minute, false, "2026-03-01T10:27:00Z", false),
            // In no zone.
            ("2026-03-01T10:20", Minute, false, "2026-02-28T10:20:00Z", false),
            ("2026-03-01T10:20", Minute, false, "2026-03-02T10:20:00Z", false),
            ("2026-03-01T10:20", Minute, false, "2026-02-01T10:20:00Z", false),
            ("2026-03-01T10:20", Minute, false, "2026-04-01T10:20:00Z", false),
            ("2026-03-01T00:00", Day, false, "2026-03-01T23:59:59Z", true),
            ("2026-03-01T00:00", Day, false, "2026-03-02T11:12:00Z", true),
            ("2026-03-01T00:00", Day, false, "2026-03-05T00:00:00Z", false),
            ("2026-03-01T00:00", Day, false, "2026-02-26T00:00:00Z", false),
            // Written here, and nobody knows how old it was: only what is newer there has changed.
            ("2026-03-01T10:20", Minute, false, "2026-09-01T11:11:11.123Z", true),
            ("2026-03-01T10:20", Minute, false, "2026-02-01T11:11:11.123Z", false),
            ("2026-03-01T00:00", Day, false, "2026-09-01T11:11:11.123Z", true),
        ] {
            let time = Time { at: listed.parse().unwrap(), precision, utc };
            assert_eq!(time.may_be(here.parse().unwrap()), same, "{listed} {precision:?} {utc}: {here}");
        }
    }
}
