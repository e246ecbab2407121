//! `Row` blocks: cells set in the document's columns. What does not fit ends in `…`, on the screen only.

use super::columns::{columns, fitting};
use super::document::{Align, Column, Document, LinkId};
use super::layout::Segment;
use super::segments::{blank, runs, slice};
use crate::role::Role;
use std::borrow::Cow;
use std::ops::Range;

/// Columns between two cells.
const GAP: usize = 2;
/// What a column without a width of its own shall have; fixed columns are dropped from the right until it has.
const LEAST: usize = 8;

/// A column on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shown {
    /// The number of the cell it shows.
    cell: usize,
    width: usize,
    align: Align,
    role: Role,
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
        columns => fitted(columns, room, screen),
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
        pen = set_cell(document, cell, (pen, edge), column, out);
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
        out.push(Segment { text: Cow::Borrowed("…"), role: last.0, link: last.1, at: None });
    }
    edge + lead + inked
}

/// The columns of a document on a screen: those the screen is wide enough for, sharing what is left.
fn fitted(columns: &[Column], room: usize, screen: usize) -> Vec<Shown> {
    let mut shown: Vec<Shown> = (columns.iter().enumerate())
        .filter(|(_, column)| screen >= usize::from(column.needs))
        .map(|(cell, c)| Shown { cell, width: usize::from(c.width), align: c.align, role: c.role })
        .collect();
    loop {
        let fixed: usize = shown.iter().map(|c| c.width).sum::<usize>() + GAP * shown.len().saturating_sub(1);
        let open = shown.iter().filter(|c| c.width == 0).count();
        let last = shown.iter().rposition(|c| c.width > 0);
        match last {
            Some(last) if shown.len() > 1 && fixed + LEAST * open > room => {
                shown.remove(last);
            }
            _ => {
                share(&mut shown, room.saturating_sub(fixed), open);
                // a sole column may still be wider than the screen
                shown.iter_mut().for_each(|c| c.width = c.width.min(room));
                return shown;
            }
        }
    }
}

/// Gives the columns without a width of their own what is left.
fn share(shown: &mut [Shown], rest: usize, open: usize) {
    let mut extra = rest.checked_rem(open).unwrap_or(0);
    for column in shown.iter_mut().filter(|c| c.width == 0) {
        column.width = rest / open + extra;
        extra = 0;
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
