//! Sets of article numbers, as `.newsrc` writes them: `1-10,12`.

use std::fmt;

/// A set of article numbers: ranges in order that neither meet nor touch. Numbers begin at 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArticleSet {
    ranges: Vec<(u64, u64)>,
}

impl ArticleSet {
    /// The empty set.
    pub fn new() -> ArticleSet {
        ArticleSet::default()
    }

    /// Reads a set, and says whether all of it could be read. Ranges that are empty (`1-0`, which some readers write for
    /// "nothing") and the number 0 say nothing; ranges may come in any order and overlap.
    pub fn parse(text: &[u8]) -> (ArticleSet, bool) {
        let mut ranges = Vec::new();
        let mut whole = true;
        for piece in text.split(|b| *b == b',').map(<[u8]>::trim_ascii).filter(|piece| !piece.is_empty()) {
            let mut ends = piece.splitn(2, |b| *b == b'-').map(|end| number(end.trim_ascii()));
            match (ends.next().flatten(), ends.next()) {
                (Some(one), None) => ranges.push((one, one)),
                (Some(first), Some(Some(last))) => ranges.push((first, last)),
                _ => whole = false,
            }
        }
        ranges.retain(|(first, last)| first <= last && *last > 0);
        ranges.iter_mut().for_each(|(first, _)| *first = (*first).max(1));
        (ArticleSet { ranges: united(ranges) }, whole)
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: u64) -> bool {
        self.at(number).is_ok()
    }

    /// Adds a number.
    pub fn insert(&mut self, number: u64) {
        self.insert_range(number, number);
    }

    /// Adds the numbers from `first` to `last`.
    pub fn insert_range(&mut self, first: u64, last: u64) {
        let first = first.max(1);
        if first > last {
            return;
        }
        // The ranges that meet or touch the new one become one with it.
        let from = self.ranges.partition_point(|(_, end)| end.saturating_add(1) < first);
        let to = self.ranges.partition_point(|(start, _)| *start <= last.saturating_add(1));
        let touched = &self.ranges[from..to];
        let first = touched.first().map_or(first, |(start, _)| first.min(*start));
        let last = touched.last().map_or(last, |(_, end)| last.max(*end));
        self.ranges.splice(from..to, [(first, last)]);
    }

    /// Takes a number out.
    pub fn remove(&mut self, number: u64) {
        self.remove_range(number, number);
    }

    /// Takes the numbers from `first` to `last` out.
    pub fn remove_range(&mut self, first: u64, last: u64) {
        if first > last {
            return;
        }
        let from = self.ranges.partition_point(|(_, end)| *end < first);
        let to = self.ranges.partition_point(|(start, _)| *start <= last);
        let touched = &self.ranges[from..to.max(from)];
        let left = touched.first().filter(|(start, _)| *start < first).map(|(start, _)| (*start, first - 1));
        let right = touched.last().filter(|(_, end)| *end > last).map(|(_, end)| (last + 1, *end));
        self.ranges.splice(from..to.max(from), left.into_iter().chain(right));
    }

    /// How many numbers of `low` to `high` are in it.
    pub fn count_within(&self, low: u64, high: u64) -> u64 {
        if low > high {
            return 0;
        }
        let from = self.ranges.partition_point(|(_, end)| *end < low);
        let within = self.ranges[from..].iter().take_while(|(start, _)| *start <= high);
        within.map(|(start, end)| (*end).min(high) - (*start).max(low) + 1).fold(0, u64::saturating_add)
    }

    /// How many of `low` to `high` are unread when these are the read ones: an upper bound, for servers' numbers have gaps.
    pub fn unread_within(&self, low: u64, high: u64) -> u64 {
        let low = low.max(1);
        match low <= high {
            true => (high - low + 1) - self.count_within(low, high),
            false => 0,
        }
    }

    /// The ranges, in order.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.ranges
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// What is in either.
    pub fn union(&self, other: &ArticleSet) -> ArticleSet {
        ArticleSet { ranges: united([self.ranges.as_slice(), &other.ranges].concat()) }
    }

    /// What is in this one and not in the other.
    pub fn difference(&self, other: &ArticleSet) -> ArticleSet {
        let mut ranges = Vec::with_capacity(self.ranges.len());
        let mut holes = other.ranges.as_slice();
        for &(first, last) in &self.ranges {
            holes = &holes[holes.partition_point(|(_, end)| *end < first)..];
            // What is left of the range; none once a hole reaches its end.
            let mut left = Some(first);
            for &(start, end) in holes.iter().take_while(|(start, _)| *start <= last) {
                if let Some(first) = left.filter(|first| *first < start) {
                    ranges.push((first, start - 1));
                }
                left = (end < last).then(|| end + 1);
            }
            ranges.extend(left.map(|first| (first, last)));
        }
        ArticleSet { ranges }
    }

    fn at(&self, number: u64) -> Result<usize, usize> {
        self.ranges.binary_search_by(|(first, last)| match (*first > number, *last < number) {
            (true, _) => std::cmp::Ordering::Greater,
            (_, true) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Equal,
        })
    }
}

impl fmt::Display for ArticleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (first, last)) in self.ranges.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// Ranges in order, those that meet or touch made one.
fn united(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut out: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match out.last_mut() {
            Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
            _ => out.push((first, last)),
        }
    }
    out
}

fn number(digits: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()))?;
    text.parse().ok()
}
