//! How fast files may come, all together (`limits.rate`). Whoever has taken octets waits until they were due; the server is held
//! back by what it cannot send meanwhile. Refuses: to hold pages back.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Octets per second for all files that come.
#[derive(Debug)]
pub(super) struct Rate {
    /// 0 is no limit.
    octets: u64,
    /// When all that was taken so far was due.
    due: Mutex<Option<Instant>>,
}

impl Rate {
    /// So many octets per second; 0 for as many as come.
    pub(super) fn new(octets: u64) -> Rate {
        Rate { octets, due: Mutex::new(None) }
    }

    /// These octets have come; waits until the next may.
    pub(super) async fn took(&self, octets: usize) {
        if self.octets > 0 {
            sleep_until(self.due(Instant::now(), octets)).await;
        }
    }

    /// When these octets are due that have come now. What nobody took is not saved up.
    fn due(&self, now: Instant, octets: usize) -> Instant {
        // Whoever panicked left a point in time.
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let span = u128::try_from(octets).unwrap_or_default() * 1_000_000 / u128::from(self.octets.max(1));
        let from = due.map_or(now, |due| due.max(now));
        let until = from + Duration::from_micros(u64::try_from(span).unwrap_or(u64::MAX));
        *due = Some(until);
        until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_share_the_rate_and_what_nobody_took_is_not_saved_up() {
        let (rate, begun) = (Rate::new(1000), Instant::now());
        let at = |ms| begun + Duration::from_millis(ms);
        assert_eq!(rate.due(begun, 500), at(500));
        assert_eq!(rate.due(begun, 1000), at(1500), "another file, at the same time");
        assert_eq!(rate.due(at(1500), 100), at(1600));
        assert_eq!(rate.due(at(9000), 2000), at(11_000), "after a pause");
    }
}
