//! The store's own calendar, by which it is reckoned how old a copy is: a wrong clock, which jumps, deletes nothing.
//!
//! The calendar goes as the clock does while the clock goes on, with pauses of up to [`PAUSE`]. A longer one may be the clock's mistake
//! and counts as a day, so what was not used for long has what is too old for a while yet. A clock that goes back makes it wait, for
//! [`PAUSE`] at most. Each time that something comes it is later than before: what came last is the newest, whatever the clock said then.

use rusqlite::{Connection, OptionalExtension, params};

/// Seconds: who reads once a week has a calendar that goes right.
const PAUSE: i64 = 8 * DAY;
const BACK: i64 = -PAUSE;
const DAY: i64 = 86_400;

/// Something comes, and the clock says so: the time by the calendar.
pub(super) fn advance(change: &Connection, clock: i64) -> rusqlite::Result<i64> {
    let known = change
        .prepare_cached("SELECT now, clock FROM calendar WHERE id = 1")?
        .query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))
        .optional()?;
    let before = match known {
        Some(known) => known,
        // One of before knows when the last page came; one that came in the future makes none of the others too old.
        None => {
            let last = "SELECT max(stamp) FROM pages WHERE stamp <= ?1";
            let last = change.query_row(last, [clock], |row| row.get::<_, Option<i64>>(0))?.unwrap_or(clock);
            (last, last)
        }
    };
    let (now, clock) = next(before, clock);
    change
        .prepare_cached("INSERT OR REPLACE INTO calendar(id, now, clock) VALUES(1, ?1, ?2)")?
        .execute(params![now, clock])?;
    Ok(now)
}

/// What came while there was no calendar has the time that it would have said, had it gone along; the clock of now has no part in it.
pub(super) fn begin(open: &Connection) -> rusqlite::Result<()> {
    let (mut last, mut of_pages, mut of_items) = (None, None, None);
    for (table, stamped) in [("pages", &mut of_pages), ("items", &mut of_items)] {
        *stamped = Some(open.prepare(&format!("UPDATE {table} SET stamp = ?2 WHERE id = ?1"))?);
    }
    // What is damaged there is taken out later, and is as old then as what comes now.
    let mut rows = open.prepare(
        "SELECT 0, id, time FROM pages WHERE typeof(time) = 'integer' UNION ALL \
         SELECT 1, id, time FROM items WHERE typeof(time) = 'integer' ORDER BY 3, 1, 2",
    )?;
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    for (is_item, id, time) in rows.collect::<Result<Vec<(bool, i64, i64)>, _>>()? {
        let said = match last {
            None => (time, time),
            // What came at once is of one age.
            Some((now, clock)) if clock == time => (now, clock),
            Some(before) => next(before, time),
        };
        let stamp = if is_item { &mut of_items } else { &mut of_pages };
        stamp.as_mut().map_or(Ok(0), |stamp| stamp.execute([id, said.0]))?;
        last = Some(said);
    }
    if let Some((now, clock)) = last {
        open.execute("INSERT OR REPLACE INTO calendar(id, now, clock) VALUES(1, ?1, ?2)", [now, clock])?;
    }
    // What is missing in lists is so by a calendar that may be behind.
    open.execute("UPDATE missing SET stamp = min(since, coalesce((SELECT now FROM calendar), since))", []).map(drop)
}

/// What it says next, and by what the clock is told then.
fn next((now, before): (i64, i64), clock: i64) -> (i64, i64) {
    let (passed, told) = match clock.saturating_sub(before) {
        passed @ 0..=PAUSE => (passed, clock),
        BACK..0 => (0, before),
        ..BACK => (0, clock),
        _ => (DAY, clock),
    };
    (now.saturating_add(passed.max(1)), told)
}

/// The time by the calendar when something came last.
pub(super) fn now(open: &Connection) -> rusqlite::Result<i64> {
    let now =
        open.prepare_cached("SELECT now FROM calendar WHERE id = 1")?.query_row([], |row| row.get(0)).optional()?;
    // Where nothing has come by this calendar nothing is too old by it.
    Ok(now.unwrap_or(i64::MIN))
}

/// What an older program keeps, which runs beside this one, comes now.
pub(super) fn stamp_others(change: &Connection) -> rusqlite::Result<()> {
    for table in ["pages", "items"] {
        let stamp =
            format!("UPDATE {table} SET stamp = coalesce((SELECT now FROM calendar WHERE id = 1), 0) WHERE stamp = 0");
        change.prepare_cached(&stamp)?.execute([])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::base::Base;
    use super::super::room::{Most, filled};
    use super::*;

    /// The calendar after the clock has said these, in days.
    fn days(clock: &[i64]) -> i64 {
        let start = (0, clock[0] * DAY);
        clock.iter().fold(start, |before, day| next(before, day * DAY)).0 / DAY
    }

    #[test]
    fn a_clock_that_jumps_is_a_day_and_one_that_goes_on_is_believed() {
        for (clock, passed) in [
            (&[0, 1, 2, 3][..], 3),
            (&[0, 7, 14, 21, 28], 28),
            (&[0, 400], 1),
            (&[0, 400, 401, 408], 9),
            (&[0, 400, 0, 1], 2),
            (&[0, -2_000, 0, -2_000, 0, 1], 3),
            (&[0, 5, 0, 5, 0, 5, 6], 6),
            (&[0, -2_000, -1_999], 1),
        ] {
            assert_eq!(days(clock), passed, "{clock:?}");
        }
        assert_eq!(next((i64::MAX, i64::MAX), i64::MIN).0, i64::MAX);
        assert_eq!(next((5, 100), 100), (6, 100), "each comes after the one before");
    }

    /// A store was brought up while the clock stood in the year 2000, or held pages of a year ahead: what came afterwards gave way to all
    /// of them.
    #[test]
    fn what_came_before_there_was_a_calendar_is_older_than_what_comes_whatever_the_clock_says_or_said() {
        let folder = tempfile::tempdir().unwrap();
        let mut base = Base::new(folder.path().join("pages.db"), Most { octets: 1 << 30, days: 365 }, Box::new(drop));
        base.write(|open| open.execute_batch(&filled(20))).unwrap();
        let came = format!(
            "DELETE FROM calendar; UPDATE pages SET time = {DAY} * (20000 + id), stamp = 0;
             UPDATE pages SET time = {DAY} * 10 WHERE id = 1; UPDATE pages SET time = {DAY} * (30000 + id) WHERE id > 17;
             UPDATE items SET time = (SELECT time FROM pages WHERE pages.id = items.id), stamp = 0;"
        );
        base.write(|open| open.execute_batch(&came)).unwrap();
        base.write(|open| begin(open)).unwrap();
        for table in ["pages", "items"] {
            let stamps = base.read(|open| {
                let mut rows = open.prepare(&format!("SELECT stamp / 86400 FROM {table} ORDER BY id"))?;
                rows.query_map([], |row| row.get::<_, i64>(0))?.collect::<rusqlite::Result<Vec<_>>>()
            });
            assert_eq!(stamps, Ok((10..30).collect()), "a day for each, and for each leap: {table}");
        }
        for clock in [DAY, 20_021 * DAY, 40_000 * DAY] {
            assert!(base.write(|open| advance(open, clock)).unwrap() > 29 * DAY, "{clock}");
        }
    }

    /// All others were too old by it.
    #[test]
    fn a_calendar_that_begins_does_not_begin_with_a_page_that_came_in_the_future() {
        const NOW: i64 = 20_000 * DAY;
        let folder = tempfile::tempdir().unwrap();
        let mut base = Base::new(folder.path().join("pages.db"), Most { octets: 1 << 30, days: 365 }, Box::new(drop));
        base.write(|open| open.execute_batch(&filled(20))).unwrap();
        let came =
            format!("UPDATE pages SET stamp = {NOW} - id * {DAY}; UPDATE pages SET stamp = 2 * {NOW} WHERE id = 9");
        base.write(|open| open.execute_batch(&came)).unwrap();
        assert_eq!(base.write(|open| advance(open, NOW)), Ok(NOW));
        base.sweep_soon();
        while base.sweep_a_step() {}
        let left = base.read(|open| open.query_row("SELECT count(*) FROM pages", [], |row| row.get::<_, i64>(0)));
        assert_eq!(left, Ok(20));
    }
}
