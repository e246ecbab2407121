//! The articles of a group that the reader's rules kill: in one row that counts them, to be opened; none goes unsaid.

use super::block_of;
use super::threads::Writer;
use crate::doc::{BlockKind, LinkId};
use crate::format::size;
use crate::role::Role;

impl Writer<'_> {
    /// `▸ 12 killed by score`, or each of them under that.
    pub fn killed(&mut self, killed: &[u32]) {
        let Some(first) = killed.first().copied() else { return };
        // Closed even where the reader stands on one: they may have killed it just now.
        let open = self.reading.folds.get(&block_of(first)) == Some(&true);
        let words = format!("{} killed by score", size::count(killed.len()));
        self.writer.block(block_of(first), BlockKind::Row, Role::Text);
        self.writer.out.styled(if open { "▾   " } else { "▸   " }, Role::Marker);
        if open {
            // Each has a row with its own link.
            self.writer.out.styled(&words, Role::Dim);
            self.writer.out.text("\t\t\t\t");
            killed.iter().for_each(|article| self.row(*article));
            return;
        }
        // A closed one could not be reached without a link.
        self.writer.link(&words, Role::Dim, LinkId(first));
        let count = if killed.len() == 1 { String::new() } else { size::count(killed.len()) };
        self.writer.out.text(&format!("\t\t{count}\t\t"));
    }
}
