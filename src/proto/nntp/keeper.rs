//! Overview lines on their way to the disk: what a server gives for a slice is all that it has of these numbers, as long as it is
//! in order.

use super::kept::{Group, number};
use super::slices::Slice;

/// Octets that are written at once.
const BATCH: usize = 256 << 10;

/// Collects the lines of slices, from the newest slice to the oldest.
pub(super) struct Keeper {
    group: Option<Group>,
    /// The first number of what is known above; `None` at the upper end of the group, where what has not come may still come.
    above: Option<u64>,
    /// The first number whose lines are not handed over.
    from: u64,
    /// The last number whose line has come.
    last: u64,
    lines: Vec<u8>,
    /// The lines of this slice have come in order so far.
    sound: bool,
}

impl Keeper {
    /// For a group, if anything of it is kept.
    pub fn new(group: Option<Group>, above: Option<u64>) -> Keeper {
        Keeper { group, above, from: 1, last: 0, lines: Vec::new(), sound: true }
    }

    /// A slice begins.
    pub fn begin(&mut self, (first, _): Slice) {
        (self.from, self.last, self.sound) = (first, first.saturating_sub(1), true);
        self.lines.clear();
    }

    /// A line of it, in our shape. What is out of order, or was not asked for, could be anything.
    pub fn line(&mut self, line: &[u8]) {
        if self.group.is_none() || !self.sound {
            return;
        }
        match number(line) {
            Some(number) if number > self.last && self.above.is_none_or(|above| number < above) => {
                self.last = number;
                self.lines.extend_from_slice(line);
                if self.lines.len() >= BATCH {
                    self.hand_over(number);
                }
            }
            _ => self.doubt(),
        }
    }

    /// A line of it made no sense: which article it was about is not known, so none of the rest of the slice is known to be missing.
    pub fn doubt(&mut self) {
        self.sound = false;
        self.lines.clear();
    }

    /// The slice is whole.
    pub fn end(&mut self, (first, _): Slice) {
        if self.sound {
            self.hand_over(self.above.map_or(self.last, |above| above - 1));
        }
        self.above = Some(first);
    }

    /// It broke off: what has come is known all the same.
    pub fn cut(&mut self) {
        if self.sound && !self.lines.is_empty() {
            self.hand_over(self.last);
        }
    }

    /// Waits while much waits for the disk.
    pub async fn rest(&self) {
        if let Some(group) = &self.group {
            group.rest().await;
        }
    }

    /// There is nothing from this number on that was not asked for.
    pub fn floor(&mut self, low: u64) {
        if let Some(above) = self.above.filter(|above| *above > low) {
            (self.from, self.sound) = (low, true);
            self.hand_over(above - 1);
        }
    }

    fn hand_over(&mut self, last: u64) {
        if let Some(group) = self.group.as_ref().filter(|_| self.from <= last) {
            group.add((self.from, last), std::mem::take(&mut self.lines));
            self.from = last.saturating_add(1);
        }
    }
}
