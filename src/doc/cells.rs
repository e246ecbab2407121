//! `Cells` blocks: one row of a table each, its cells separated by TAB and set in the table's columns at a width. Cells wrap
//! within their columns; a table that stays wider than the screen runs on to the right, as lines that do not wrap do.
//!
//! So are tables set that are still arriving or beyond the bounds of [`super::table`], and plain ones that need more columns
//! than there are. html2text sets all others.

use super::columns::columns;
use super::document::{Align, Document};
use super::layout::Segment;
use super::segments::{blank, fold};
use super::table::{Laid, Needs, Placed, Structure};
use super::wrap::{Space, break_line};
use crate::role::Role;
use std::ops::Range;
use std::sync::Arc;

/// Columns between two cells.
const GAP: usize = 2;
/// Cells do not become narrower than this, unless their words are.
const LEAST: usize = 12;

/// How far a cell that stands in several columns can widen them.
const WIDEST_MERGED: usize = 60;

/// What is known of a table's columns from the rows so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// Cells that stand in more than one column, in document order.
    pub merged: Vec<Merged>,
    /// The blocks of its rows.
    pub(super) rows: Vec<u32>,
    /// What it is made of, while it is read.
    pub(super) parts: Vec<Placed>,
    /// The same when it is complete and not too large.
    pub(super) structure: Option<Arc<Structure>>,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableColumn {
    /// The columns of its longest word.
    pub least: u16,
    /// The columns of its longest cell.
    pub most: u16,
}

/// A cell that says more of itself than its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merged {
    /// The row's block.
    pub block: u32,
    /// The first column.
    pub column: u16,
    /// In how many columns it stands; at least 1.
    pub span: u16,
    /// Which edge its text keeps to.
    pub align: Align,
}

impl Table {
    /// How much memory it holds beside itself, in octets.
    pub(super) fn memory(&self) -> usize {
        size_of::<Table>()
            + self.columns.capacity() * size_of::<TableColumn>()
            + self.merged.capacity() * size_of::<Merged>()
            + self.rows.capacity() * 4
            + self.structure.as_ref().map_or(0, |structure| structure.memory())
    }

    /// Its layout by html2text, and which of its rows a block is; `None` when it has none.
    pub(super) fn laid(&self, document: &Document, block: u32, room: usize) -> Option<(Arc<Laid>, usize)> {
        let structure = self.structure.as_ref()?;
        let row = self.rows.binary_search(&block).ok()?;
        // as long as words may be if all columns had as much
        let most = (room / self.columns.len().max(1)).saturating_sub(GAP).max(LEAST);
        let word = self.columns.iter().map(|column| usize::from(column.least)).max().unwrap_or(0).clamp(3, most);
        let least: usize = self.columns.iter().map(|column| usize::from(column.least).min(word).max(1)).sum();
        let needs = Needs { width: least + self.columns.len().saturating_sub(1), word };
        Some((structure.laid(document, &self.rows, needs, room)?, row))
    }

    /// How many columns it takes of those there are.
    pub(super) fn width(&self, document: &Document, room: usize) -> usize {
        let laid = self.rows.first().and_then(|row| self.laid(document, *row, room));
        laid.map_or_else(|| self.widths(room).iter().map(|width| width + GAP).sum(), |(laid, _)| laid.width).min(room)
    }

    /// Takes the widths of a row.
    pub(super) fn measure(&mut self, block: u32, text: &str) {
        for (number, cell) in text.split('\t').enumerate() {
            if self.columns.len() <= number {
                self.columns.push(TableColumn::default());
            }
            let span = usize::from(self.merged(block, number).span);
            if span == 1 {
                let column = &mut self.columns[number];
                let word = cell.split(' ').map(columns).max().unwrap_or(0);
                column.least = column.least.max(word.min(1000) as u16);
                column.most = column.most.max(columns(cell).min(1000) as u16);
            } else if !cell.is_empty() {
                let end = number + span;
                self.columns.resize(self.columns.len().max(end), TableColumn::default());
                let over = &self.columns[number..end];
                let has = over.iter().map(|c| usize::from(c.most)).sum::<usize>() + GAP * (span - 1);
                let last = &mut self.columns[end - 1];
                last.most += columns(cell).min(WIDEST_MERGED).saturating_sub(has) as u16;
            }
        }
    }

    fn merged(&self, block: u32, column: usize) -> Merged {
        let at = self.merged.binary_search_by_key(&(block, column), |m| (m.block, usize::from(m.column)));
        let plain = Merged { block, column: column as u16, span: 1, align: Align::Left };
        at.map_or(plain, |at| self.merged[at])
    }

    /// The width of each column, in `room` columns if that can be.
    fn widths(&self, room: usize) -> Vec<usize> {
        let most: Vec<usize> = self.columns.iter().map(|c| usize::from(c.most).max(1)).collect();
        let gaps = GAP * most.len().saturating_sub(1);
        let wanted: usize = most.iter().sum::<usize>() + gaps;
        if wanted <= room {
            return most;
        }
        let least = |c: &TableColumn| usize::from(c.least).min(LEAST).max(usize::from(c.most).min(LEAST / 2));
        let mut widths: Vec<usize> = self.columns.iter().map(|c| least(c).max(1)).collect();
        // the room that is left goes to columns by turns, so that narrow ones get all they want
        let mut left = room.saturating_sub(gaps + widths.iter().sum::<usize>());
        while left > 0 {
            let open: Vec<usize> = (0..widths.len()).filter(|at| widths[*at] < most[*at]).collect();
            if open.is_empty() {
                break;
            }
            let share = (left / open.len()).max(1);
            for at in open {
                let more = share.min(most[at] - widths[at]).min(left);
                widths[at] += more;
                left -= more;
            }
        }
        widths
    }
}

/// A cell on the screen: its text, its column and width.
struct Cell {
    text: Range<usize>,
    column: usize,
    width: usize,
    align: Align,
    /// The first octet of each line, and where it ends.
    lines: Vec<Range<usize>>,
}

/// A row at a width.
pub(super) struct RowSetting {
    cells: Vec<Cell>,
}

impl RowSetting {
    /// Sets the row that is a block, whose text begins at `base` in the document's.
    pub fn new(document: &Document, table: u16, block: u32, base: usize, text: &str, room: usize) -> RowSetting {
        let none = Table::default();
        let table = document.tables.get(table as usize).unwrap_or(&none);
        let widths = table.widths(room);
        let (mut cells, mut at, mut column) = (Vec::new(), base, 0);
        for (number, cell) in text.split('\t').enumerate() {
            let merged = table.merged(block, number);
            let span = usize::from(merged.span).max(1);
            let over = widths.get(number..(number + span).min(widths.len())).unwrap_or_default();
            let width = (over.iter().sum::<usize>() + GAP * over.len().saturating_sub(1)).max(1);
            if !cell.is_empty() {
                let lines = wrap(cell, at, width);
                cells.push(Cell { text: at..at + cell.len(), column, width, align: merged.align, lines });
            }
            column += widths.get(number).map_or(0, |width| width + GAP);
            at += cell.len() + 1;
        }
        RowSetting { cells }
    }

    /// The first octets of its lines, relative to the row: those of the cell with the most lines, so that they are places
    /// in its text. The first is 0.
    pub fn starts(&self, base: usize) -> Vec<usize> {
        // the first of the longest
        let tallest = self.cells.iter().rev().max_by_key(|cell| cell.lines.len());
        let mut starts: Vec<usize> =
            tallest.map_or_else(Vec::new, |cell| cell.lines.iter().map(|line| line.start - base).collect());
        match starts.first_mut() {
            Some(first) => *first = 0,
            None => starts.push(0),
        }
        starts
    }

    /// Writes one of its lines.
    pub fn line<'a>(&self, document: &'a Document, number: usize, role: Role, out: &mut Vec<Segment<'a>>) {
        let mut pen = 0;
        for cell in &self.cells {
            let Some(line) = cell.lines.get(number) else { continue };
            let ink = columns(document.text()[line.clone()].trim_end());
            let lead = cell.align.lead(cell.width.saturating_sub(ink));
            blank((cell.column + lead).saturating_sub(pen), role, None, out);
            fold(document, role, line.clone(), out);
            pen = cell.column + lead + ink;
        }
        debug_assert!(self.cells.iter().all(|cell| cell.lines.iter().all(|line| line.end <= cell.text.end)));
    }
}

/// The lines of a cell.
fn wrap(text: &str, base: usize, width: usize) -> Vec<Range<usize>> {
    let (mut lines, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let line = break_line(&text[at..], width, Space::Fold);
        lines.push(base + at..base + at + line.end);
        at += line.next;
    }
    lines
}

/// What of a line can be seen from a column on, within a width.
pub(super) fn clip<'a>(segments: Vec<Segment<'a>>, left: usize, width: usize) -> Vec<Segment<'a>> {
    let right = left + width;
    let (mut out, mut column) = (Vec::with_capacity(segments.len()), 0);
    for segment in segments {
        let start = column;
        column += segment.width();
        if column <= left || start >= right {
            continue;
        }
        if start >= left && column <= right {
            out.push(segment);
            continue;
        }
        let (mut at, mut reached) = (0, start);
        let mut shown: Option<Range<usize>> = None;
        while at < segment.text.len() {
            let (len, cols) = super::columns::cluster(&segment.text[at..]);
            if reached >= left && reached + cols <= right {
                let from = shown.map_or(at, |range| range.start);
                shown = Some(from..at + len);
            } else if reached < left && reached + cols > left {
                blank(reached + cols - left, segment.role, segment.link, &mut out);
            }
            at += len;
            reached += cols;
        }
        if let Some(range) = shown {
            let at = segment.at.map(|at| at + range.start as u32);
            let text = match segment.text {
                std::borrow::Cow::Borrowed(text) => std::borrow::Cow::Borrowed(&text[range]),
                std::borrow::Cow::Owned(text) => std::borrow::Cow::Owned(text[range].to_string()),
            };
            out.push(Segment { text, at, ..segment });
        }
    }
    out
}
