//! Threads without some of their articles, and threads in another order.

use super::tree::{Forest, ThreadRow};
use std::cmp::Reverse;

impl Forest {
    /// The threads without the articles that are gone. One that others answer that stay leaves its place, as one does that never
    /// came.
    pub fn without(&self, gone: impl Fn(u32) -> bool) -> Forest {
        let stays = |row: &ThreadRow| row.article.filter(|article| !gone(*article));
        // How many articles that stay stand before each row, and before the end.
        let mut before = Vec::with_capacity(self.rows.len() + 1);
        before.push(0u32);
        for row in &self.rows {
            before.push(before.last().copied().unwrap_or_default() + u32::from(stays(row).is_some()));
        }
        let has_any = |at: usize, row: &ThreadRow| before.get(row.end as usize) > before.get(at);
        // Where each row, and the end, comes to stand.
        let mut places = Vec::with_capacity(self.rows.len() + 1);
        let mut rows: Vec<ThreadRow> = Vec::with_capacity(self.rows.len());
        for (at, row) in self.rows.iter().enumerate() {
            places.push(u32::try_from(rows.len()).unwrap_or(u32::MAX));
            if has_any(at, row) {
                rows.push(ThreadRow { article: stays(row), ..*row });
            }
        }
        places.push(u32::try_from(rows.len()).unwrap_or(u32::MAX));
        for row in &mut rows {
            row.end = places.get(row.end as usize).copied().unwrap_or_default();
        }
        Forest { rows, articles: self.articles }
    }

    /// The threads with the most valued first, by the best of their articles, or last; of equals the order stays.
    pub fn best_first(&self, value: impl Fn(u32) -> i32, reverse: bool) -> Forest {
        let best = |root: u32| {
            let rows = &self.rows[root as usize..self.rows[root as usize].end as usize];
            rows.iter().filter_map(|row| row.article).map(&value).max().unwrap_or_default()
        };
        let mut roots: Vec<(i32, u32)> = self.roots().map(|root| (best(root), root)).collect();
        match reverse {
            true => roots.sort_by_key(|(best, _)| *best),
            false => roots.sort_by_key(|(best, _)| Reverse(*best)),
        }
        let mut rows = Vec::with_capacity(self.rows.len());
        for (_, root) in roots {
            let to = u32::try_from(rows.len()).unwrap_or(u32::MAX);
            let thread = &self.rows[root as usize..self.rows[root as usize].end as usize];
            rows.extend(thread.iter().map(|row| ThreadRow { end: row.end - root + to, ..*row }));
        }
        Forest { rows, articles: self.articles }
    }
}
