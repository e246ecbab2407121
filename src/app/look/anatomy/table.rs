//! The table that the anatomy is: headings, rows of a label and what it stands for, and what can be done with each row.

use crate::app::hands::{Row, RowAct, TextRows};
use crate::app::page::veil::Veil;
use crate::doc::{BlockKind, Builder, Document, sanitise};
use crate::role::Role;
use crate::url::Url;

/// Columns for the labels.
const LABEL: u8 = 12;

/// A table that is being written.
#[derive(Default)]
pub(super) struct Table {
    /// What is hidden in all that is shown.
    veil: Veil,
    out: Builder,
    rows: TextRows,
    under: u32,
}

impl Table {
    /// One that shows nothing of what was told in secret.
    pub fn over(veil: Veil) -> Table {
        Table { veil, ..Table::default() }
    }

    fn block(&self) -> u32 {
        crate::doc::index(self.out.document().blocks().len().saturating_sub(1))
    }

    /// A heading; what is written next stands under it.
    pub fn heading(&mut self, words: &str) {
        if !self.out.document().blocks().is_empty() {
            self.out.block(BlockKind::Rule, Role::OverlayBorder);
        }
        self.out.block(BlockKind::Line, Role::OverlayTitle);
        self.out.text(words);
        self.under = self.block();
    }

    /// A label and what it stands for; the label of a row that goes on is empty.
    pub fn row(&mut self, label: &str, value: &str, role: Role) {
        self.pieces(label, value, &[(value.to_owned(), role)]);
    }

    /// A row of several pieces, of which `copies` is copied.
    pub fn pieces(&mut self, label: &str, copies: &str, pieces: &[(String, Role)]) {
        self.out.block(BlockKind::Labelled(LABEL + 1), Role::Overlay);
        self.out.styled(&format!("{label:<width$}", width = LABEL.into()), Role::OverlayDim);
        self.out.text(" ");
        for (text, role) in pieces {
            self.out.styled(&sanitise(&self.veil.over(text.clone())), *role);
        }
        let copies = sanitise(copies).into_owned();
        self.rows.all.push(Row { block: self.block(), under: self.under, copies, act: RowAct::Follow });
    }

    /// What Enter does on the row that was written last.
    pub fn acts(&mut self, act: RowAct) {
        if let Some(row) = self.rows.all.last_mut() {
            row.act = act;
        }
    }

    /// The row that was written last opens an address.
    pub fn opens(&mut self, url: &Url) {
        self.acts(RowAct::Open(url.clone()));
    }

    /// The reader stands on the row that was written last.
    pub fn choose(&mut self) {
        self.rows.at = self.rows.all.len().saturating_sub(1);
    }

    /// The text and its rows.
    pub fn finish(self) -> (Document, TextRows) {
        (self.out.finish(), self.rows)
    }
}
