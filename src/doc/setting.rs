//! `Setting`: one block at a width. Where its lines start, and what stands on each.

use super::Marks;
use super::cells::{RowSetting, clip};
use super::columns::columns;
use super::document::{Align, Anchor, Block, BlockKind, Document};
use super::layout::{Layout, Line, Segment, Wrap};
use super::segments::{blank, fold, runs, skip, slice, tabbed_cluster, tabbed_columns};
use super::table::{Bit, Ink, Laid, Row};
use super::wrap::{self, Space, UNWRAPPED_CHUNK, WRAPPED_CHUNK, tab_columns};
use crate::role::Role;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Columns that are kept for text however deep the indent.
const LEAST_TEXT: usize = 10;

/// How a block's text becomes lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// It wraps.
    Wrapped(Space),
    /// It runs on past the right edge.
    Clipped,
    /// It is one line of its own making.
    Single,
    /// It is a row of a table, set cell by cell.
    Cells(u16),
    /// It is this row of a table that is set as a whole.
    Laid(usize),
}

/// One block at a width.
#[derive(Debug, Clone)]
pub(super) struct Setting<'a> {
    document: &'a Document,
    number: u32,
    block: Block,
    text: &'a str,
    /// Octet offset of the block's text in the document's.
    base: usize,
    flow: Flow,
    width: usize,
    indent: usize,
    margin: usize,
    marks: Marks,
    /// The table that it is a row of.
    laid: Option<Arc<Laid>>,
}

/// The range of one line in its block.
pub(super) type Piece = Range<usize>;

/// The lines of a block from a line start on.
pub(super) struct Pieces<'s, 'a> {
    setting: &'s Setting<'a>,
    at: Option<usize>,
    chunk_end: usize,
}

impl<'a> Setting<'a> {
    /// A block, which must exist, of a document.
    pub fn new(layout: &Layout, document: &'a Document, number: u32) -> Setting<'a> {
        let block = document.blocks()[number as usize];
        let range = document.block_range(number);
        let width = usize::from(layout.width).max(1);
        let margin = match block.kind {
            BlockKind::Item(hang) if width >= usize::from(hang) + 4 => usize::from(hang),
            BlockKind::Item(_) => 0,
            BlockKind::Labelled(hang) => usize::from(hang).min(width / 4),
            _ => block.marker.margin(layout.marks, width),
        };
        let indent = (usize::from(block.indent) * 2).min(width.saturating_sub(margin + LEAST_TEXT));
        let mut laid = None;
        let flow = match block.kind {
            BlockKind::Line if layout.wrap == Wrap::Off => Flow::Clipped,
            BlockKind::Line | BlockKind::Entry | BlockKind::Labelled(_) => Flow::Wrapped(Space::Keep),
            BlockKind::Paragraph | BlockKind::Heading(_) | BlockKind::Item(_) => Flow::Wrapped(Space::Fold),
            BlockKind::Caption(_) => Flow::Wrapped(Space::Fold),
            BlockKind::Row | BlockKind::Rule => Flow::Single,
            BlockKind::Cells(table) => {
                let room = (width - indent - margin).max(1);
                let set = document.tables.get(table as usize).and_then(|table| table.laid(document, number, room));
                set.map_or(Flow::Cells(table), |(table, row)| {
                    laid = Some(table);
                    Flow::Laid(row)
                })
            }
        };
        let (text, base) = (&document.text()[range.clone()], range.start);
        Setting { document, number, block, text, base, flow, width, indent, margin, marks: layout.marks, laid }
    }

    /// The place of an offset into the block.
    pub fn anchor(&self, offset: usize) -> Anchor {
        Anchor { block: self.number, offset: offset as u32 }
    }

    /// The columns before a line of a block that does not keep to the left edge.
    fn lead(&self, start: usize) -> usize {
        let taken = match (self.block.align, self.block.kind) {
            (Align::Left, _) => return 0,
            (_, BlockKind::Cells(table)) => {
                let table = self.document.tables.get(table as usize);
                return table.map_or(0, |table| {
                    self.block.align.lead(self.room().saturating_sub(table.width(self.document, self.room())))
                });
            }
            _ => self.pieces(start).next().map_or(0, |line| columns(self.text[line].trim_end())),
        };
        self.block.align.lead(self.room_at(start).saturating_sub(taken))
    }

    /// Columns for text.
    fn room(&self) -> usize {
        (self.width - self.indent - self.margin).max(1)
    }

    /// Columns for the text of the line that starts at an offset: an item's number and a label stand in the margin.
    fn room_at(&self, start: usize) -> usize {
        let hanging = if start == 0 { self.label().min(self.margin) } else { 0 };
        self.room() + hanging
    }

    /// The columns of an item's number and the space after it, or of a label.
    fn label(&self) -> usize {
        match self.block.kind {
            BlockKind::Item(_) => self.text.find(' ').map_or(0, |end| columns(&self.text[..end]) + 1),
            BlockKind::Labelled(_) => self.margin,
            _ => 0,
        }
    }

    fn row(&self, table: u16) -> RowSetting {
        RowSetting::new(self.document, table, self.number, self.base, self.text, self.room())
    }

    /// Where the line of a row of a table starts that comes after a line start.
    fn next_start(&self, start: usize) -> Option<usize> {
        match self.flow {
            Flow::Cells(table) => self.row(table).starts(self.base).into_iter().find(|at| *at > start),
            _ => {
                let starts = &self.laid_row()?.starts;
                starts.get(starts.partition_point(|at| *at as usize <= start)).map(|at| *at as usize)
            }
        }
    }

    fn laid_row(&self) -> Option<&Row> {
        let Flow::Laid(row) = self.flow else { return None };
        self.laid.as_ref()?.rows.get(row)
    }

    /// A line of a row of a table, as wide as it is.
    fn row_line(&self, start: usize) -> Vec<Segment<'a>> {
        let mut segments = Vec::new();
        if let Flow::Cells(table) = self.flow {
            let row = self.row(table);
            let number = row.starts(self.base).partition_point(|at| *at <= start).saturating_sub(1);
            row.line(self.document, number, self.block.role, &mut segments);
        } else if let Some(row) = self.laid_row() {
            let number = row.starts.partition_point(|at| *at as usize <= start).saturating_sub(1);
            self.bits(row.lines.get(number).map_or(&[][..], Vec::as_slice), &mut segments);
        }
        segments
    }

    fn bits(&self, bits: &[Bit], out: &mut Vec<Segment<'a>>) {
        let mut pen = 0;
        for bit in bits {
            let column = bit.column as usize;
            blank(column.saturating_sub(pen), self.block.role, None, out);
            match &bit.ink {
                Ink::Mark(mark) => {
                    pen = column + columns(mark);
                    let text = Cow::Owned(mark.clone());
                    out.push(Segment { text, role: Role::Marker, link: None, at: None });
                }
                Ink::Text(row, range) => {
                    let base = self.document.block_range(self.block_of(*row)).start;
                    let range = base + range.start as usize..base + range.end as usize;
                    pen = column + self.document.text().get(range.clone()).map_or(0, columns);
                    fold(self.document, self.block.role, range, out);
                }
            }
        }
    }

    /// The place of the line that shows an offset of this block, if that is not the line whose start comes before it.
    pub fn shown_at(&self, offset: usize) -> Option<Anchor> {
        let row = self.laid_row().filter(|_| offset < self.text.len())?;
        if row.starts.binary_search(&(offset as u32)).is_ok() {
            return None;
        }
        let (place, line) = row.place(offset as u32)?;
        let start = self.laid.as_ref()?.rows.get(place as usize)?.starts.get(line as usize)?;
        Some(Anchor { block: self.block_of(place), offset: *start })
    }

    /// The block of a row of this row's table.
    fn block_of(&self, row: u32) -> u32 {
        let BlockKind::Cells(table) = self.block.kind else { return self.number };
        let rows = self.document.tables.get(table as usize).map(|table| &table.rows);
        rows.and_then(|rows| rows.get(row as usize)).copied().unwrap_or(self.number)
    }

    /// The column where a place of a line stands, were there no right edge.
    pub fn column_at(&self, start: usize, offset: usize) -> usize {
        if !matches!(self.flow, Flow::Cells(_) | Flow::Laid(_)) {
            return self.unclipped_width(start, offset);
        }
        let mut column = self.indent + self.lead(start);
        for segment in self.row_line(start) {
            if let Some(range) = segment.range()
                && range.contains(&(self.base + offset))
            {
                return column + columns(&self.document.text()[range.start..self.base + offset]);
            }
            column += segment.width();
        }
        self.indent
    }

    fn chunk(&self, offset: usize) -> Range<usize> {
        match self.flow {
            Flow::Wrapped(_) => wrap::chunk(self.text, offset, WRAPPED_CHUNK),
            Flow::Clipped => wrap::chunk(self.text, offset, UNWRAPPED_CHUNK),
            Flow::Single | Flow::Cells(_) | Flow::Laid(_) => 0..self.text.len(),
        }
    }

    /// The lines from a line start on.
    pub fn pieces(&self, from: usize) -> Pieces<'_, 'a> {
        Pieces { setting: self, at: Some(from), chunk_end: self.chunk(from).end }
    }

    /// Fills `starts` with the line starts of the chunk that holds an offset, up to the line that holds it; says where the
    /// chunk starts.
    pub fn starts_until(&self, offset: usize, starts: &mut Vec<u32>) -> usize {
        starts.clear();
        let chunk = self.chunk(offset);
        let mut pieces = self.pieces(chunk.start);
        while let Some(start) = pieces.at.filter(|at| *at <= offset && (*at < chunk.end || *at == chunk.start)) {
            starts.push(start as u32);
            pieces.next();
        }
        chunk.start
    }

    /// The columns of a line, were there no right edge.
    pub fn unclipped_width(&self, start: usize, end: usize) -> usize {
        match self.flow {
            Flow::Clipped => self.indent + self.margin + tabbed_columns(&self.text[start..end]),
            Flow::Cells(_) | Flow::Laid(_) => {
                self.indent + self.lead(start) + self.row_line(start).iter().map(Segment::width).sum::<usize>()
            }
            _ => self.line(start, end, Some(0)).width(),
        }
    }

    /// One line, of which lines that run on are shown from `column` on; of tables the whole line without one.
    pub fn line(&self, start: usize, end: usize, column: Option<u16>) -> Line<'a> {
        let mut segments = Vec::with_capacity(2);
        self.left(start == 0, &mut segments);
        match (self.block.kind, self.flow) {
            (BlockKind::Row, _) => {
                let room = (self.room(), self.width);
                super::row::set(self.document, self.base, self.text, room, self.block.role, &mut segments);
            }
            (BlockKind::Rule, _) => {
                segments.push(Segment { text: rule(self.room()), role: Role::Rule, link: None, at: None });
            }
            (_, Flow::Cells(_) | Flow::Laid(_)) => {
                let line = self.row_line(start);
                blank(self.lead(start), self.block.role, None, &mut segments);
                segments.append(&mut match column {
                    Some(column) => clip(line, usize::from(column), self.room()),
                    None => line,
                });
            }
            (BlockKind::Caption(table), _) => {
                let table = self.document.tables.get(table as usize);
                let width = table.map_or(0, |table| table.width(self.document, self.room()));
                let lead = width.saturating_sub(columns(self.text[start..end].trim_end())) / 2;
                let lead = lead + self.block.align.lead(self.room().saturating_sub(width));
                blank(lead, self.block.role, None, &mut segments);
                fold(self.document, self.block.role, self.base + start..self.base + end, &mut segments);
            }
            (_, Flow::Wrapped(Space::Fold)) => {
                blank(self.lead(start), self.block.role, None, &mut segments);
                fold(self.document, self.block.role, self.base + start..self.base + end, &mut segments);
            }
            (_, Flow::Clipped) => self.clip(start, end, usize::from(column.unwrap_or(0)), &mut segments),
            (BlockKind::Entry, _) => {
                // a link is underlined, which blanks at its end would show
                let inked = self.text[start..end].trim_end_matches([' ', '\t']).len();
                self.keep(start..start + inked, 0, self.room(), &mut segments);
            }
            _ => self.keep(start..end, 0, self.room(), &mut segments),
        }
        Line { anchor: self.anchor(start), segments }
    }

    /// Indent and margin.
    fn left(&self, first: bool, out: &mut Vec<Segment<'a>>) {
        if let BlockKind::Item(_) | BlockKind::Labelled(_) = self.block.kind {
            let hanging = if first { self.label().min(self.margin) } else { 0 };
            return blank(self.indent + self.margin - hanging, self.block.role, None, out);
        }
        let word = if first { self.block.marker.text(self.marks, self.margin) } else { Cow::Borrowed("") };
        let ink = word.trim_end();
        if ink.is_empty() {
            blank(self.indent + self.margin, self.block.role, None, out);
            return;
        }
        // right-aligned, with one space before the text
        let cols = columns(ink);
        blank(self.indent + self.margin.saturating_sub(cols + 1), self.block.role, None, out);
        out.push(Segment { text: Cow::Owned(ink.to_owned()), role: Role::Marker, link: None, at: None });
        blank(self.margin.saturating_sub(cols).min(1), self.block.role, None, out);
    }

    /// A line whose white space counts: its text starts at a column and must end before another; only TABs care.
    fn keep(&self, piece: Piece, column: usize, limit: usize, out: &mut Vec<Segment<'a>>) {
        let tabbed = memchr::memchr(b'\t', &self.text.as_bytes()[piece.clone()]).is_some();
        let mut column = column;
        for (range, role, link) in runs(self.document, self.block.role, self.base + piece.start..self.base + piece.end)
        {
            let text = &self.document.text()[range.clone()];
            if !tabbed {
                slice(text, range.start, role, link, out);
                continue;
            }
            let mut at = range.start;
            for (number, part) in text.split('\t').enumerate() {
                if number > 0 {
                    let cols = tab_columns(column).min(limit.saturating_sub(column));
                    blank(cols, role, link, out);
                    column += cols;
                    at += 1;
                }
                slice(part, at, role, link, out);
                column += columns(part);
                at += part.len();
            }
        }
    }

    /// The part of a line that runs on which stands on the screen.
    fn clip(&self, start: usize, end: usize, left: usize, out: &mut Vec<Segment<'a>>) {
        let text = &self.text[start..end];
        let (skipped, mut column) = skip(text, left);
        let role = self.block.role;
        if column > left {
            blank((column - left).min(self.room()), role, None, out);
        }
        let right = left + self.room();
        let from = column;
        let mut at = skipped;
        while at < text.len() && column < right {
            let (len, cols) = tabbed_cluster(&text[at..], column);
            let tab = text.as_bytes()[at] == b'\t';
            if column + cols > right && !tab {
                break;
            }
            at += len;
            column += cols;
        }
        // marks without a column of their own that follow the last character are part of its grapheme already
        self.keep(start + skipped..start + at, from, right, out);
    }
}

impl Iterator for Pieces<'_, '_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let start = self.at?;
        let text = self.setting.text;
        if start >= self.chunk_end && start < text.len() {
            self.chunk_end = self.setting.chunk(start).end;
        }
        let rest = &text[start..self.chunk_end];
        let (end, next) = match self.setting.flow {
            Flow::Wrapped(space) if !rest.is_empty() => {
                let line = wrap::break_line(rest, self.setting.room_at(start), space);
                (start + line.end, start + line.next)
            }
            Flow::Cells(_) | Flow::Laid(_) => {
                let next = self.setting.next_start(start).unwrap_or(text.len());
                (next, next)
            }
            _ => (self.chunk_end, self.chunk_end),
        };
        self.at = (next < text.len()).then_some(next);
        Some(start..end)
    }
}

fn rule(cols: usize) -> Cow<'static, str> {
    Cow::Owned("─".repeat(cols))
}
