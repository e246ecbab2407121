//! Threads as rows, in the order in which they are read. `threading` makes them.

/// All threads, one after the other, each article before its answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forest {
    /// The rows. The thread with the newest article comes first; answers to one article stand by date, oldest first.
    pub rows: Vec<ThreadRow>,
    /// How many articles there are: those that arrived first.
    pub articles: usize,
}

/// An article's place, or that of an article which is not here and has several answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadRow {
    /// The article, by its number of arrival.
    pub article: Option<u32>,
    /// How many articles it stands under.
    pub depth: u32,
    /// The row past the last one that stands under it.
    pub end: u32,
}

impl Forest {
    /// The rows that begin a thread.
    pub fn roots(&self) -> impl Iterator<Item = u32> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let root = self.rows.get(next as usize)?;
            Some(std::mem::replace(&mut next, root.end))
        })
    }
}
