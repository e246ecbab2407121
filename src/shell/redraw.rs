//! When the screen is drawn: in the long run at most sixty times a second, but at once after a rest.
//!
//! Every frame uses up its time, and some of it may be owed: a page that has just begun to arrive and a key that was just
//! pressed are shown at once, though a frame was drawn a moment ago, while progress waits until nothing is owed.

use crate::app::Msg;
use crate::proto::FetchEvent;
use std::time::{Duration, Instant};

/// The time that a frame uses up.
const FRAME: Duration = Duration::from_millis(16);

/// Why the screen is to be drawn; what comes later may owe more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    /// How far something has come.
    Progress,
    /// The page has more to show.
    Page,
    /// The reader did something.
    Reader,
}

impl Cause {
    /// Why a message changes the screen.
    pub(super) fn of(message: &Msg) -> Cause {
        match message {
            Msg::Fetch { event: FetchEvent::Body(_) | FetchEvent::End(_) | FetchEvent::Failed(_), .. } => Cause::Page,
            Msg::Grown { .. } | Msg::Whole { .. } | Msg::Worked { .. } => Cause::Page,
            Msg::Fetch { .. } | Msg::Transfer { .. } => Cause::Progress,
            _ => Cause::Reader,
        }
    }

    /// The frames that may be owed.
    fn credit(self) -> u32 {
        match self {
            Cause::Progress => 0,
            Cause::Page => 4,
            Cause::Reader => 6,
        }
    }
}

/// The frames drawn, and the one that is due.
#[derive(Debug)]
pub(super) struct Throttle {
    /// When the time of all frames drawn will have passed.
    used: Instant,
    due: Option<Cause>,
}

impl Throttle {
    /// Nothing is drawn yet, so a frame is due.
    pub(super) fn new(now: Instant) -> Throttle {
        Throttle { used: now, due: Some(Cause::Reader) }
    }

    /// The screen has to change.
    pub(super) fn ask(&mut self, cause: Cause) {
        self.due = self.due.max(Some(cause));
    }

    /// How long until the frame that is due; `None` when none is.
    pub(super) fn wait(&self, now: Instant) -> Option<Duration> {
        let owed = self.used.saturating_duration_since(now);
        self.due.map(|cause| owed.saturating_sub(FRAME * cause.credit()))
    }

    /// Whether it is time to draw.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.wait(now).is_some_and(|wait| wait.is_zero())
    }

    /// The frame was drawn.
    pub(super) fn drawn(&mut self, now: Instant) {
        self.used = self.used.max(now) + FRAME;
        self.due = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws as often as a cause allows for a while, from a rest on; says how often and how many at once.
    fn draw(cause: Cause, time: Duration) -> (u32, u32) {
        let start = Instant::now();
        let mut frames = Throttle::new(start);
        frames.drawn(start);
        let (mut now, mut count, mut at_once) = (start, 0, 0);
        while now < start + time {
            frames.ask(cause);
            now += frames.wait(now).unwrap_or_default();
            frames.drawn(now);
            count += 1;
            at_once += u32::from(now == start);
        }
        (count, at_once)
    }

    #[test]
    fn what_matters_is_drawn_at_once_and_nothing_more_than_sixty_times_a_second() {
        let second = FRAME * 60;
        assert_eq!(draw(Cause::Progress, second), (60, 0));
        assert_eq!(draw(Cause::Page, second), (64, 4));
        assert_eq!(draw(Cause::Reader, second), (66, 6));
    }

    #[test]
    fn a_page_that_arrives_leaves_a_key_its_frame() {
        let start = Instant::now();
        let mut frames = Throttle::new(start);
        for _ in 0..100 {
            frames.ask(Cause::Page);
            let now = start + frames.wait(start).unwrap_or_default();
            frames.drawn(now);
            frames.ask(Cause::Reader);
            assert_eq!(frames.wait(now), Some(Duration::ZERO));
            frames.due = None;
        }
        assert_eq!(frames.wait(start), None);
    }
}
