//! Which numbers of a group to ask for, from the newest to the oldest, so that what is read first comes first.

/// Numbers asked for first: more than any screen shows.
const FIRST: u64 = 500;
/// Then twice as many each time, from here …
const SECOND: u64 = 2_000;
/// … up to here.
pub(super) const MOST: u64 = 10_000;

/// The numbers that are still to be asked for.
#[derive(Debug)]
pub(super) struct Slices {
    low: u64,
    /// The highest that was not asked for; `None` when there is none.
    high: Option<u64>,
    width: u64,
    /// Articles that may still come.
    left: u64,
    /// Numbers asked for whose articles have not come.
    asked: u64,
    /// By how much more numbers than articles there are, as the last slices showed: groups where most articles have expired
    /// would else be asked for in thousands of empty slices.
    sparse: u64,
    /// The numbers that are still to be asked for, in order, where it is known which there are.
    known: Option<Vec<u64>>,
    /// Nothing but these, the next one last.
    given: Option<Vec<Slice>>,
}

/// The first and last number of a slice.
pub(super) type Slice = (u64, u64);

impl Slices {
    /// From `high` down to `low`, for no more articles than `limit`.
    pub fn new(low: u64, high: u64, limit: u64) -> Slices {
        let high = (high >= low && high > 0).then_some(high);
        Slices { low: low.max(1), high, width: FIRST, left: limit, asked: 0, sparse: 1, known: None, given: None }
    }

    /// The same where it is known which numbers there are.
    pub fn among(numbers: &[u64], low: u64, high: u64, limit: u64) -> Slices {
        let known = numbers.iter().copied().filter(|number| (low..=high).contains(number)).collect();
        Slices { known: Some(known), ..Slices::new(low, high, limit) }
    }

    /// These slices, from the last to the first.
    pub fn given(slices: Vec<Slice>) -> Slices {
        Slices { given: Some(slices), ..Slices::new(1, 0, 0) }
    }

    /// All of these numbers at once.
    pub fn whole((first, last): Slice) -> Slices {
        Slices { width: u64::MAX, ..Slices::new(first, last, u64::MAX) }
    }

    /// Whether there is no number left, however many articles may still be wanted.
    pub fn is_through(&self) -> bool {
        self.known.as_ref().map_or(self.high.is_none(), Vec::is_empty)
    }

    /// The next slice; nothing while those that were asked for may fill the limit, and at the end.
    pub fn next(&mut self) -> Option<Slice> {
        if let Some(given) = &mut self.given {
            return given.pop();
        }
        if let Some(known) = &mut self.known {
            let width = usize::try_from(self.width.min(self.left)).unwrap_or(usize::MAX).min(known.len());
            let slice = known.split_off(known.len() - width);
            self.left -= width as u64;
            self.width = self.width.saturating_mul(2).clamp(SECOND, MOST);
            return Some((*slice.first()?, *slice.last()?));
        }
        let high = self.high?;
        let left = self.left.saturating_sub(self.asked).saturating_mul(self.sparse);
        let width = self.width.saturating_mul(self.sparse).min(left);
        if width == 0 {
            return None;
        }
        let first = high.saturating_sub(width - 1).max(self.low);
        self.high = (first > self.low).then(|| first - 1);
        self.width = self.width.saturating_mul(2).clamp(SECOND, MOST);
        self.asked += high - first + 1;
        Some((first, high))
    }

    /// So many articles came for a slice.
    pub fn came(&mut self, (first, last): Slice, count: u64) {
        if self.known.is_some() || self.given.is_some() {
            return;
        }
        let span = last - first + 1;
        self.asked = self.asked.saturating_sub(span);
        self.left = self.left.saturating_sub(count);
        self.sparse = if count < span / 4 { self.sparse.saturating_mul(4) } else { 1 };
    }

    /// Whether more articles remain than a server can send in a moment.
    pub fn is_long(&self) -> bool {
        let left = match &self.known {
            Some(known) => known.len() as u64,
            None => self.high.map_or(0, |high| high - self.low + 1),
        };
        left > SECOND && self.left > SECOND
    }
}
