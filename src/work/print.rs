//! A page as it reads on paper, or one of its tables as records, for files and programs.

use crate::doc::{Document, Layout, Marks, Separated, Wrap};
use crate::stop::Stop;
use std::sync::Arc;

/// Columns of the paper.
const COLUMNS: u16 = 80;
/// What is written in a millisecond or two, in octets.
const SMALL: usize = 1 << 17;
/// Octets that a block takes at least, whatever it says.
const BLOCK: usize = 64;

/// A page to be written as it reads on paper, or one of its tables as records.
#[derive(Debug, Clone, PartialEq)]
pub struct Print {
    /// The page.
    pub document: Arc<Document>,
    /// The number of the table, if that is all, and what parts its fields.
    pub table: Option<(u16, Separated)>,
}

impl Print {
    /// Writes it; `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Vec<u8>> {
        if let Some((table, separated)) = self.table {
            return self.document.records(table, separated, stop).map(String::into_bytes);
        }
        let layout = Layout { width: COLUMNS, measure: None, wrap: Wrap::WholeUrls, marks: Marks::Words };
        layout.print(&self.document, stop).map(String::into_bytes)
    }

    pub(super) fn is_small(&self) -> bool {
        self.document.text().len() + self.document.blocks().len().saturating_mul(BLOCK) <= SMALL
    }
}
