//! `Row` blocks: cells set in the document's columns. What does not fit ends in `…`, on the screen only.

use super::BlockKind;
use super::columns::{columns, fitting};
use super::document::{Align, Document, LinkId};
use super::layout::Segment;
use super::lead;
use super::segments::{blank, runs, slice};
use crate::doc::{cells, index};
use crate::role::Role;
use std::borrow::Cow;
use std::ops::Range;

/// Columns between two cells.
const GAP: usize = 2;
/// Columns more between the first column and the next, where there is room.
const MORE: usize = 2;
/// What a column without a width of its own shall have; fixed columns are dropped from the right until it has.
const LEAST: usize = 8;

/// Cells of a row that are looked at.
const MOST_CELLS: usize = 16;

/// A column on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shown {
    /// The number of the cell it shows.
    cell: usize,
    width: usize,
    align: Align,
    role: Role,
}

impl Document {
    /// The columns that rows need to be shown without a cut; none where columns have no names.
    pub fn row_columns(&self) -> usize {
        let widths =
            self.widest.iter().take(self.columns.len()).map(|width| usize::from(*width)).filter(|width| *width > 0);
        widths.map(|width| width + GAP).sum()
    }

    /// Takes the last block, if it is a row, into account where columns are given their widths.
    pub(super) fn measure_row(&mut self) {
        let last = index(self.blocks.len()).saturating_sub(1);
        if self.blocks.last().is_none_or(|block| block.kind != BlockKind::Row) {
            return;
        }
        let text = &self.text[self.block_range(last)];
        for (cell, part) in text.split('\t').take(MOST_CELLS).enumerate() {
            if self.widest.len() <= cell {
                self.widest.push(0);
            }
            self.widest[cell] = self.widest[cell].max(cells(columns(part)));
        }
    }
}

/// Sets the cells of one row within `room` columns of a screen of `screen` columns. `base` is the offset of the row's text in
/// the document's, `role` its look where no columns say otherwise.
pub(super) fn set<'a>(
    document: &'a Document,
    base: usize,
    text: &'a str,
    (room, screen): (usize, usize),
    role: Role,
    out: &mut Vec<Segment<'a>>,
) {
    let shown = match document.columns.as_slice() {
        [] => natural(text, room, role),
        _ => fitted(document, room, screen),
    };
    let mut cells = text.split('\t').scan(base, |at, cell| {
        let range = *at..*at + cell.len();
        *at = range.end + 1;
        Some(range)
    });
    let (mut pen, mut edge, mut passed) = (0, 0, 0);
    for column in shown {
        let Some(cell) = cells.nth(column.cell - passed) else { return };
        passed = column.cell + 1;
        pen = match lead::shifted(document, cell.clone(), room).filter(|_| edge == 0) {
            Some((label, rest)) => {
                let taken = columns(&label).min(column.width);
                out.push(Segment { text: Cow::Owned(label), role: Role::Marker, link: None, at: None, row: None });
                taken + set_cell(document, rest, (0, 0), Shown { width: column.width - taken, ..column }, out)
            }
            None => set_cell(document, cell, (pen, edge), column, out),
        };
        edge += column.width + GAP;
    }
}

/// Writes a cell into its column, which begins at `edge`, when `pen` columns are written; says how many are then.
fn set_cell<'a>(
    document: &'a Document,
    cell: Range<usize>,
    (pen, edge): (usize, usize),
    column: Shown,
    out: &mut Vec<Segment<'a>>,
) -> usize {
    let text = &document.text()[cell.clone()];
    let (mut len, mut cols) = fitting(text, column.width);
    let cut = len < text.len();
    if cut {
        (len, cols) = fitting(text, column.width.saturating_sub(1));
    }
    let inked = cols + usize::from(cut);
    if inked == 0 {
        return pen;
    }
    let lead = column.align.lead(column.width.saturating_sub(inked));
    blank((edge + lead).saturating_sub(pen), column.role, None, out);
    let mut last: (Role, Option<LinkId>) = (column.role, None);
    for (range, role, link) in runs(document, column.role, cell.start..cell.start + len) {
        slice(&document.text()[range.clone()], range.start, role, link, out);
        last = (role, link);
    }
    if cut {
        out.push(Segment { text: Cow::Borrowed("…"), role: last.0, link: last.1, at: None, row: None });
    }
    edge + lead + inked
}

/// The columns of a document on a screen: those the screen is wide enough for, each as wide as its longest cell needs, as far as
/// there is room.
fn fitted(document: &Document, room: usize, screen: usize) -> Vec<Shown> {
    let needs = |cell: usize, width: u16| match document.widest.get(cell) {
        Some(widest) => usize::from(*widest),
        None if document.widest.is_empty() => usize::from(width),
        None => 0,
    };
    let columns = document.columns.iter().enumerate().filter(|(_, column)| screen >= usize::from(column.needs));
    // A column in which nothing stands costs others no room.
    let mut wanted: Vec<Wanted> = columns
        .map(|(cell, c)| Wanted { cell, open: c.width == 0, width: usize::from(c.width), needs: needs(cell, c.width) })
        .filter(|column| column.cell == 0 || column.needs > 0)
        .collect();
    for column in wanted.iter_mut().filter(|column| !column.open) {
        column.width = column.width.min(column.needs);
        // A name may be cut where the screen is narrow; a number or a date says nothing then.
        if document.columns.get(column.cell).is_some_and(|of| of.role == Role::Info && of.align == Align::Left) {
            column.width = column.width.min((room / 3).max(LEAST));
        }
    }
    loop {
        let gaps = GAP * wanted.len().saturating_sub(1);
        let fixed: usize = wanted.iter().map(|c| c.width).sum::<usize>() + gaps;
        let open = wanted.iter().filter(|c| c.open).count();
        let last = wanted.iter().rposition(|c| !c.open);
        match last {
            Some(last) if wanted.len() > 1 && fixed + LEAST * open > room => {
                wanted.remove(last);
            }
            _ => {
                let mut rest = room.saturating_sub(fixed);
                grow(&mut wanted, &mut rest, |column| column.open);
                grow(&mut wanted, &mut rest, |column| !column.open);
                if let Some(first) = wanted.first_mut().filter(|first| first.open) {
                    first.width += rest.min(MORE);
                }
                let shown = wanted.into_iter().filter_map(|column| {
                    let Wanted { cell, width, .. } = column;
                    // a sole column may still be wider than the screen
                    let of = document.columns.get(cell)?;
                    Some(Shown { cell, width: width.min(room), align: of.align, role: of.role })
                });
                return shown.collect();
            }
        }
    }
}

/// A column before it has its width.
struct Wanted {
    cell: usize,
    /// It has no width of its own.
    open: bool,
    width: usize,
    /// The columns of its longest cell.
    needs: usize,
}

/// Gives some of the columns what they need of the rest; where that is not enough for all, none has more than another that wants
/// more.
fn grow(wanted: &mut [Wanted], rest: &mut usize, takes: impl Fn(&Wanted) -> bool) {
    loop {
        let short = |column: &Wanted| takes(column) && column.width < column.needs;
        let least = wanted.iter().filter(|column| short(column)).map(|column| column.needs - column.width).min();
        let count = wanted.iter().filter(|column| short(column)).count();
        let Some(step) = least.map(|least| least.min(*rest / count.max(1))).filter(|step| *step > 0) else { break };
        for column in wanted.iter_mut().filter(|column| short(column)) {
            column.width += step;
            *rest -= step;
        }
    }
    // Of what cannot be shared the first column has all.
    if let Some(column) = wanted.iter_mut().find(|column| takes(column) && column.width < column.needs) {
        let more = (*rest).min(column.needs - column.width);
        column.width += more;
        *rest -= more;
    }
}

/// Cells of a document that names no columns: as wide as they are.
fn natural(text: &str, room: usize, role: Role) -> Vec<Shown> {
    let mut left = room;
    let mut shown = Vec::new();
    for (number, cell) in text.split('\t').enumerate() {
        let width = columns(cell).min(left);
        shown.push(Shown { cell: number, width, align: Align::Left, role });
        left = left.saturating_sub(width + GAP);
        if left == 0 {
            break;
        }
    }
    shown
}
