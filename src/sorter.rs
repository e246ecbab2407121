//! Sorting in steps, so that no key ever waits for a long page.

use std::cmp::Ordering;

/// Keys sorted at once.
const RUN: usize = 1 << 12;
/// How much more than its length a run costs.
const COST: usize = 4;

/// A merge sort that can rest at any time.
#[derive(Debug, Clone)]
pub struct Sorter<K> {
    keys: Vec<K>,
    merged: Vec<K>,
    /// Keys before this are in sorted runs of [`RUN`].
    sorted: usize,
    /// The length of the sorted runs.
    run: usize,
    /// Where in the two runs that are being merged it stands.
    heads: [usize; 2],
}

impl<K: Copy> Sorter<K> {
    /// Nothing is sorted yet.
    pub fn new(keys: Vec<K>) -> Sorter<K> {
        Sorter { merged: Vec::with_capacity(keys.len()), keys, sorted: 0, run: RUN, heads: [0, RUN] }
    }

    /// Goes on for about as many merged keys as `left` says and takes them off it; gives them when all are sorted.
    /// `order` must be total, and the same each time.
    pub fn step(&mut self, left: &mut usize, order: impl Fn(&K, &K) -> Ordering) -> Option<Vec<K>> {
        while self.sorted < self.keys.len() && *left > 0 {
            let end = (self.sorted + RUN).min(self.keys.len());
            self.keys[self.sorted..end].sort_unstable_by(&order);
            *left = left.saturating_sub((end - self.sorted) * COST);
            self.sorted = end;
        }
        while *left > 0 && self.sorted == self.keys.len() && self.run < self.keys.len() {
            self.merge(left, &order);
        }
        let done = self.sorted == self.keys.len() && self.run >= self.keys.len();
        done.then(|| std::mem::take(&mut self.keys))
    }

    /// Merges two runs as far as `left` goes.
    fn merge(&mut self, left: &mut usize, order: &impl Fn(&K, &K) -> Ordering) {
        let count = self.keys.len();
        let first = self.merged.len() - (self.merged.len() % (2 * self.run));
        let ends = [(first + self.run).min(count), (first + 2 * self.run).min(count)];
        let [mut a, mut b] = self.heads;
        while *left > 0 && (a < ends[0] || b < ends[1]) {
            let takes_a = b >= ends[1] || a < ends[0] && order(&self.keys[a], &self.keys[b]) != Ordering::Greater;
            let from = if takes_a { &mut a } else { &mut b };
            self.merged.push(self.keys[*from]);
            *from += 1;
            *left -= 1;
        }
        self.heads = [a, b];
        if self.merged.len() == count {
            std::mem::swap(&mut self.keys, &mut self.merged);
            self.merged.clear();
            self.run *= 2;
            self.heads = [0, self.run.min(count)];
        } else if self.merged.len() == ends[1] {
            self.heads = [ends[1], (ends[1] + self.run).min(count)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sort_that_rests_sorts_the_same() {
        for count in [0, 1, 2, RUN - 1, RUN, RUN + 1, 2 * RUN, 3 * RUN + 5, 5 * RUN] {
            let mut seed = 1u64;
            let keys: Vec<(u64, usize)> = (0..count)
                .map(|row| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (seed >> 50, row)
                })
                .collect();
            let mut expected = keys.clone();
            expected.sort();
            let mut sorter = Sorter::new(keys);
            let mut steps = 0;
            let sorted = loop {
                match sorter.step(&mut 1000, Ord::cmp) {
                    Some(sorted) => break sorted,
                    None => steps += 1,
                }
            };
            assert!(count <= RUN || steps > 2, "{count}");
            assert_eq!(sorted, expected, "{count}");
        }
    }
}
