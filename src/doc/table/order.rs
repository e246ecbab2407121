//! A table's rows one by one, and the table that they are in another order.
//!
//! Titles stay where they are, and rows at the foot: what is put in order is what stands between them. Refuses: what rows are ordered by.

use super::{Cell, Row, Table, behind};
use crate::doc::document::Document;
use crate::doc::index;
use std::ops::Range;

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// Its blocks.
    pub blocks: Range<u32>,
    /// It holds nothing but titles, or stands at the foot: it stays where it is.
    pub fixed: bool,
}

impl Document {
    /// The rows of a table.
    pub fn table_rows(&self, table: u16) -> Vec<TableRow> {
        let Some(table) = self.tables.get(usize::from(table)) else { return Vec::new() };
        let end = index(self.blocks.len());
        let row = |row: usize| {
            let blocks = table.blocks_of(row..row + 1);
            TableRow {
                blocks: blocks.start.min(end)..blocks.end.min(end),
                fixed: table.rows[row].foot || table.is_titles(row),
            }
        };
        (0..table.rows.len()).map(row).collect()
    }

    /// Whether a block stands in a row of titles of an outermost table, and which table that is.
    pub fn titled_table(&self, block: u32) -> Option<(u16, bool)> {
        let number = self.table_numbers(block).last()?;
        let table = &self.tables[usize::from(number)];
        Some((number, table.is_titles(table.row_of(block)?)))
    }

    /// The titles of a table's columns, by its first row; empty ones where that is no row of titles.
    pub fn column_titles(&self, number: u16) -> Vec<String> {
        let Some(table) = self.tables.get(usize::from(number)) else { return Vec::new() };
        let mut titles = vec![String::new(); table.columns.len()];
        if !table.rows.is_empty() && table.is_titles(0) {
            for cell in &table.cells[table.cells_of(0)] {
                if let Some(title) = titles.get_mut(usize::from(cell.column)) {
                    *title = self.cell_text(number, 0, cell.column);
                }
            }
        }
        titles
    }

    /// What stands in a row of a table in a column: nothing where no cell begins there.
    pub fn cell_text(&self, table: u16, row: usize, column: u16) -> String {
        let Some(table) = self.tables.get(usize::from(table)).filter(|table| row < table.rows.len()) else {
            return String::new();
        };
        let cell = table.cells_of(row).find(|cell| table.cells[*cell].column == column);
        let blocks = cell.map_or(0..0, |cell| table.blocks_of_cell(cell));
        let words = (blocks.start..blocks.end.min(index(self.blocks.len())))
            .flat_map(|block| self.block_text(block).split_whitespace());
        words.collect::<Vec<_>>().join(" ")
    }

    /// The column of a table that a block stands in.
    pub fn column_of(&self, table: u16, block: u32) -> Option<u16> {
        let table = self.tables.get(usize::from(table))?;
        let cells = table.cells_of(table.row_of(block)?);
        let cells = &table.cells[cells];
        let at = cells.partition_point(|cell| cell.first <= block).checked_sub(1)?;
        Some(cells[at].column)
    }

    /// Why the rows of a table cannot stand in another order, if they cannot.
    pub fn holds_together(&self, number: u16) -> Option<&'static str> {
        let table = self.tables.get(usize::from(number))?;
        if self.tables.iter().any(|inner| inner.outer == Some(number)) {
            return Some("tables stand in its cells");
        }
        let spans = |row: usize, cell: &Cell| row..(row + usize::from(cell.rows)).min(table.rows.len());
        let mut rows = table.rows().enumerate().flat_map(|(row, cells)| cells.iter().map(move |cell| spans(row, cell)));
        let parts = rows.any(|mut rows| rows.len() > 1 && rows.any(|row| !table.is_titles(row)));
        parts.then_some("some of its cells stand in several rows")
    }
}

impl Table {
    fn is_titles(&self, row: usize) -> bool {
        let cells = &self.cells[self.cells_of(row)];
        !cells.is_empty() && cells.iter().all(|cell| cell.title)
    }

    /// Puts its rows where their blocks are; false when a row, or all of them, are no longer in one piece. Rows that are not shown
    /// are left out.
    pub(super) fn reorder(&mut self, places: &[Option<u32>], inserted: &[u32]) -> bool {
        let mut order: Vec<(Range<u32>, usize)> = Vec::new();
        for row in 0..self.rows.len() {
            let blocks = self.blocks_of(row..row + 1);
            let mut shown = (blocks.start..blocks.end).map_while(|block| places.get(block as usize).copied()).flatten();
            let Some(first) = shown.next() else { continue };
            let Some(last) = shown.try_fold(first, |last, at| (at == behind(inserted, last)).then_some(at)) else {
                return false;
            };
            order.push((first..behind(inserted, last), row));
        }
        order.sort_by_key(|(blocks, _)| blocks.start);
        let apart = order.windows(2).any(|pair| pair[0].0.end != pair[1].0.start);
        let (false, Some(end)) = (apart, order.last().map(|(blocks, _)| blocks.end)) else { return false };
        let (mut rows, mut cells, mut now) = (Vec::new(), Vec::new(), vec![usize::MAX; self.rows.len()]);
        for (blocks, row) in &order {
            now[*row] = rows.len();
            let by = blocks.start;
            let before = self.rows[*row].first;
            rows.push(Row { first: by, cells: index(cells.len()), ..self.rows[*row] });
            let from = inserted.partition_point(|at| *at < by);
            let passed = |place: u32| inserted[from..].iter().fold(place, |place, at| place + u32::from(*at <= place));
            let moved = |cell: &Cell| Cell { first: passed(cell.first - before + by).min(blocks.end), ..*cell };
            cells.extend(self.cells[self.cells_of(*row)].iter().map(moved));
        }
        let joined = self.joined.iter().filter_map(|joined| {
            let at = &now[joined.start as usize..joined.end as usize];
            let together = at[0] != usize::MAX && at.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
            together.then(|| index(at[0])..index(at[0] + at.len()))
        });
        let mut joined: Vec<Range<u32>> = joined.collect();
        joined.sort_by_key(|rows| rows.start);
        (self.rows, self.cells, self.joined, self.end) = (rows, cells, joined, end);
        true
    }
}
