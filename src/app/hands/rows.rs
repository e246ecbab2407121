//! The rows of a text that the reader goes through one by one: what each copies, and what Enter does on it.

use crate::app::PageId;
use crate::doc::LinkId;
use crate::url::Url;

/// The rows of a text, and the one that is chosen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextRows {
    /// In the order of the text.
    pub(in crate::app) all: Vec<Row>,
    /// Index of the chosen one.
    pub(in crate::app) at: usize,
    /// The reader has chosen it.
    pub(in crate::app) moved: bool,
    /// What is long is there as a whole.
    pub(in crate::app) unfolded: bool,
    /// What it was written of.
    pub(in crate::app) of: RowsOf,
    /// Another page has come since the reader did something with a row: what they press may be meant for a row that was there before.
    pub(in crate::app) anew: bool,
}

/// What there was of a page when its rows were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::app) struct RowsOf {
    /// The page.
    pub page: Option<PageId>,
    /// The link under focus.
    pub focus: Option<LinkId>,
    /// Octets that had come, and whether more were to come.
    pub came: (u64, bool),
    /// Lines of what was said between this machine and others.
    pub sent: usize,
    /// Pages that link to it.
    pub linked: usize,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct Row {
    /// The block of the text that it is.
    pub block: u32,
    /// The block of the heading that it stands under.
    pub under: u32,
    /// What is copied of it.
    pub copies: String,
    /// What Enter does on it.
    pub act: RowAct,
}

/// What Enter does on a row.
#[derive(Debug, Clone, PartialEq)]
pub enum RowAct {
    /// Nothing of its own: the link under focus is followed.
    Follow,
    /// Opens an address.
    Open(Url),
    /// Opens the copy that is kept of the page.
    Kept,
    /// Shows the rest of what is long.
    Unfold,
}

impl TextRows {
    /// The block of the chosen row.
    pub fn block(&self) -> Option<u32> {
        self.chosen().map(|row| row.block)
    }

    pub(in crate::app) fn chosen(&self) -> Option<&Row> {
        self.all.get(self.at)
    }

    /// What Enter does on the chosen row.
    pub fn act(&self) -> Option<&RowAct> {
        self.chosen().map(|row| &row.act)
    }

    /// Whether there are rows under several headings.
    pub fn has_halves(&self) -> bool {
        self.all.first().zip(self.all.last()).is_some_and(|(first, last)| first.under != last.under)
    }

    /// Goes so many rows on or back, and stays within.
    pub(in crate::app) fn step(&mut self, rows: isize) {
        self.moved = true;
        self.at = self.at.saturating_add_signed(rows).min(self.all.len().saturating_sub(1));
    }

    /// Goes to the first row under the next heading, or the one before; round and round.
    pub(in crate::app) fn other_half(&mut self, step: isize) {
        let Some(here) = self.chosen().map(|row| row.under) else { return };
        let mut heads: Vec<u32> = self.all.iter().map(|row| row.under).collect();
        heads.dedup();
        let at = heads.iter().position(|head| *head == here).unwrap_or_default();
        let to = if step < 0 { at.checked_sub(1).unwrap_or(heads.len() - 1) } else { (at + 1) % heads.len() };
        self.moved = true;
        self.at = self.all.iter().position(|row| row.under == heads[to]).unwrap_or_default();
    }
}
