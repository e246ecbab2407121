//! A table as records of fields: comma-separated (RFC 4180) or TAB-separated values (IANA, text/tab-separated-values).
//!
//! A cell in several columns or rows is the field of its first; the others are empty, so that every field has the number of its
//! column. Nested tables are text of the cell that they stand in.

use super::Table;
use crate::doc::document::Document;
use crate::doc::{cells, index};
use crate::stop::Stop;

/// How many columns a record always has fields for, if its table has them.
const MOST_FILLED: usize = 64;

/// What parts the fields of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separated {
    /// Commas; fields are quoted where they must be.
    Comma,
    /// TABs, which fields do not hold.
    Tab,
}

impl Document {
    /// The number of the table that a block stands in, of the outermost; else of the next one, else of the last.
    pub fn table_near(&self, block: u32) -> Option<u16> {
        let next = || self.outermost_tables().find(|number| self.tables[usize::from(*number)].first >= block);
        self.table_around(block).or_else(next).or_else(|| self.outermost_tables().last())
    }

    /// The outermost table that a block stands in.
    pub fn table_around(&self, block: u32) -> Option<u16> {
        self.table_numbers(block).last()
    }

    /// The tables that stand in no other.
    pub fn outermost_tables(&self) -> impl Iterator<Item = u16> {
        let outer = |table: &Table| table.outer.is_none() && !table.rows.is_empty();
        (0..cells(self.tables.len())).filter(move |number| outer(&self.tables[usize::from(*number)]))
    }

    /// The rows of one of its tables as records; `None` when it was given up.
    pub fn records(&self, table: u16, separated: Separated, stop: &Stop) -> Option<String> {
        let table = self.tables.get(usize::from(table))?;
        let mut text = String::new();
        for row in 0..table.rows.len() {
            stop.go_on()?;
            let mut fields = 0;
            for cell in table.cells_of(row) {
                // of cells that share the last column there is one field
                let column = usize::from(table.cells[cell].column).max(fields);
                while fields <= column {
                    separate(&mut text, fields, separated);
                    fields += 1;
                }
                self.field(table, cell, separated, &mut text);
            }
            for field in fields..table.columns.len().min(MOST_FILLED) {
                separate(&mut text, field, separated);
            }
            text.push_str(if separated == Separated::Comma { "\r\n" } else { "\n" });
        }
        Some(text)
    }

    fn field(&self, table: &Table, cell: usize, separated: Separated, out: &mut String) {
        let blocks = table.blocks_of_cell(cell);
        let words = (blocks.start..blocks.end.min(index(self.blocks.len())))
            .flat_map(|block| self.block_text(block).split_ascii_whitespace());
        let mut field = String::new();
        for word in words {
            if !field.is_empty() {
                field.push(' ');
            }
            field.push_str(word);
        }
        match separated {
            Separated::Comma if field.contains([',', '"']) => out.extend(["\"", &field.replace('"', "\"\""), "\""]),
            _ => out.push_str(&field),
        }
    }
}

fn separate(text: &mut String, before: usize, separated: Separated) {
    if before > 0 {
        text.push(if separated == Separated::Comma { ',' } else { '\t' });
    }
}
