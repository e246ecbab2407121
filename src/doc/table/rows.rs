//! Rows of a table at a width: the blocks of their cells are set in the columns, and what stands at the same height is one
//! line.
//!
//! A line of rows is named by a place in the text, as all lines are, and those places ascend. They are found by the cells
//! that the height depends on: the lowest cell of the last row, then the lowest of those that end where it begins, and so on
//! to the first row. These cells follow each other in the text, and every line shows a line of just one of them.
//!
//! Rows of several lines are parted from the next by a blank line or a thin one, or nobody could tell where that begins. Its
//! place is past the end of the text of the last block above it.
//!
//! Lines that are wider than the page are shown from a column on, with a mark at each edge behind which they go on.

use super::Group;
use super::grid::Grid;
use crate::doc::document::{Anchor, Document};
use crate::doc::layout::{Layout, Line, Segment, Wrap};
use crate::doc::segments::{blank, window};
use crate::doc::setting::{LEAST_TEXT, Setting, rule};
use crate::doc::{cells, index};
use crate::role::Role;
use std::ops::Range;

/// Rows that are set together, at a width.
#[derive(Debug, Clone)]
pub(in crate::doc) struct Rows<'a> {
    blocks: Range<u32>,
    settings: Vec<Setting<'a>>,
    /// What stands on the lines: by line, then from left to right.
    slots: Vec<Slot>,
    /// What parts rows, from top to bottom.
    rules: Vec<Rule>,
    /// The place of each line.
    lines: Vec<Anchor>,
    /// The columns that they take, and those of the page.
    width: usize,
    page: usize,
    /// Whether a URL may run over the edge of its column, which then must not touch what stands in the next.
    overruns: bool,
}

/// A line between rows, which is blank if it has no width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    line: u32,
    column: u32,
    width: u32,
    place: Anchor,
}

/// What goes on behind the edges of the page.
const BEHIND: [&str; 2] = ["‹", "›"];

/// A line of a block as part of a line of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    line: u32,
    column: u32,
    /// Its block, as an index into the settings.
    setting: u32,
    start: u32,
    end: u32,
}

/// A cell that is set.
struct Done {
    /// The row, or line of columns of a row, in which it begins.
    row: usize,
    /// The places of its lines.
    places: Vec<Anchor>,
}

/// Rows on their way.
struct Setter<'a> {
    layout: Layout,
    document: &'a Document,
    settings: Vec<Setting<'a>>,
    slots: Vec<Slot>,
    rules: Vec<Rule>,
}

/// The columns of a table that were found last: its number, the width of the page, and they.
pub(in crate::doc) type Known = Option<(u16, Grid)>;

impl<'a> Rows<'a> {
    /// Sets rows of a table. `known` spares looking for the columns when they are of the same table.
    pub fn new(layout: &Layout, document: &'a Document, group: Group, known: &mut Known) -> Rows<'a> {
        let Group { table: number, rows, blocks } = group;
        let table = &document.tables[usize::from(number)];
        let width = usize::from(layout.width).max(1);
        let indent = (usize::from(table.indent) * 2).min(width.saturating_sub(LEAST_TEXT));
        let room = width - indent;
        let grid = match known.take().filter(|(known, _)| *known == number) {
            Some((_, grid)) => grid,
            None => Grid::new(table, room, layout.wrap),
        };
        let mut setter =
            Setter { layout: *layout, document, settings: Vec::new(), slots: Vec::new(), rules: Vec::new() };
        let lead = indent + table.align.lead(room.saturating_sub(grid.width));
        let mut lines = setter.rows(number, rows, &grid, (0, lead));
        if let Some(first) = lines.first_mut() {
            *first = Anchor { block: blocks.start, offset: 0 };
        }
        let Setter { settings, mut slots, mut rules, .. } = setter;
        slots.sort_unstable();
        rules.sort_unstable();
        let taken = lead + grid.width;
        *known = Some((number, grid));
        let overruns = layout.wrap == Wrap::WholeUrls;
        Rows { blocks, settings, slots, rules, lines, width: taken, page: width, overruns }
    }

    /// The blocks that stand in them.
    pub fn blocks(&self) -> Range<u32> {
        self.blocks.clone()
    }

    /// The places of their lines.
    pub fn lines(&self) -> &[Anchor] {
        &self.lines
    }

    /// The number of the line that shows a place of their text.
    pub fn line_of(&self, place: Anchor) -> usize {
        match self.rules.iter().find(|rule| rule.place == place) {
            Some(rule) => rule.line as usize,
            None => self.slot_of(place).map_or(0, |slot| slot.line as usize),
        }
    }

    /// Whether they are wider than the page.
    pub fn is_wide(&self) -> bool {
        self.width > self.page
    }

    fn slot_of(&self, place: Anchor) -> Option<&Slot> {
        let here = |slot: &&Slot| {
            let of = self.settings[slot.setting as usize].anchor(slot.start as usize);
            of.block == place.block && of.offset <= place.offset
        };
        self.slots.iter().filter(here).max_by_key(|slot| slot.start)
    }

    /// The column of the screen where a place of their text stands.
    pub fn column_of(&self, place: Anchor) -> usize {
        self.slot_of(place).map_or(0, |slot| {
            let setting = &self.settings[slot.setting as usize];
            slot.column as usize + setting.unclipped_width(slot.start as usize, place.offset as usize)
        })
    }

    /// One of their lines; if a column is given, what of it stands on the page that is scrolled so far along it.
    pub fn line(&self, number: usize, column: Option<u16>) -> Line<'a> {
        let (mut segments, mut pen, mut inked) = (Vec::new(), 0, 0);
        for slot in self.on(number) {
            let setting = &self.settings[slot.setting as usize];
            let mut line = setting.line(slot.start as usize, slot.end as usize, None);
            let touches = self.overruns && inked > 0 && inked >= slot.column as usize && line.width() > 0;
            let column = if touches { inked + 1 } else { slot.column as usize };
            blank(column.saturating_sub(pen), Role::Text, None, &mut segments);
            pen = pen.max(column) + line.width();
            inked = if line.width() > 0 { pen } else { inked };
            segments.append(&mut line.segments);
        }
        let from = self.rules.partition_point(|rule| (rule.line as usize) < number);
        let between = self.rules[from..].iter().take_while(|rule| rule.line as usize == number);
        for between in between.filter(|rule| rule.width > 0) {
            blank((between.column as usize).saturating_sub(pen), Role::Text, None, &mut segments);
            segments.push(Segment {
                text: rule(between.width as usize),
                role: Role::Rule,
                link: None,
                at: None,
                row: None,
            });
            pen = pen.max(between.column as usize) + between.width as usize;
        }
        if let Some(column) = column.filter(|_| self.is_wide() || pen > self.page) {
            segments = self.shown(segments, pen, usize::from(column).min(self.width.saturating_sub(self.page)));
        }
        Line { anchor: self.lines.get(number).copied().unwrap_or_default(), segments }
    }

    /// What of a line that ends at a column is shown of it from a column on.
    fn shown(&self, line: Vec<Segment<'a>>, end: usize, left: usize) -> Vec<Segment<'a>> {
        let right = left + self.page;
        let behind = [left > 0, end > right];
        let [before, after] = behind.map(|goes_on| usize::from(goes_on && self.page > 2));
        let mark = |at: usize| Segment { text: BEHIND[at].into(), role: Role::Marker, link: None, at: None, row: None };
        let mut shown = Vec::with_capacity(line.len().min(self.page) + 2);
        shown.extend((before > 0).then(|| mark(0)));
        let taken = window(line, left + before..right - after, &mut shown);
        if after > 0 {
            blank((self.page - before - after).saturating_sub(taken), Role::Text, None, &mut shown);
            shown.push(mark(1));
        }
        shown
    }

    fn on(&self, line: usize) -> &[Slot] {
        let edge = |line: usize| self.slots.partition_point(|slot| (slot.line as usize) < line);
        &self.slots[edge(line)..edge(line + 1)]
    }
}

impl<'a> Setter<'a> {
    /// Sets rows below a line, right of a column; gives the places of their lines.
    fn rows(&mut self, number: u16, rows: Range<usize>, grid: &Grid, (top, left): (usize, usize)) -> Vec<Anchor> {
        let table = &self.document.tables[usize::from(number)];
        // where rows wrap, each line of columns is like a row of its own, and no cell spans rows
        let bands = grid.bands.max(1);
        let (count, after) = (rows.len(), rows.end);
        let heights = count * bands;
        let mut tops = vec![top; heights + 1];
        let mut lowest: Vec<(usize, Option<usize>)> = vec![(top, None); heights + 1];
        let mut done: Vec<Done> = Vec::new();
        let mut settled = 0;
        for (at, row) in rows.enumerate() {
            for cell in table.cells_of(row) {
                let facts = table.cells[cell];
                let (band, column, width) = grid.place(facts.column.into(), facts.columns.into());
                let begins = at * bands + band;
                let spans = if bands > 1 { 1 } else { usize::from(facts.rows) };
                let ends = (begins + spans).min(heights);
                settle(&mut tops, &lowest, &mut settled, begins);
                let places = self.cell(number, cell, (tops[begins], left + column), width);
                let bottom = tops[begins] + places.len();
                if bottom > lowest[ends].0 {
                    lowest[ends] = (bottom, Some(done.len()));
                }
                done.push(Done { row: begins, places });
            }
        }
        settle(&mut tops, &lowest, &mut settled, heights);
        let mut places = chain(&tops, &lowest, done);
        if places.len() > count
            && let Some(place) = self.between(number, after)
        {
            let width = if self.document.tables[usize::from(number)].lines { grid.width } else { 0 };
            let [line, column, width] = [top + places.len(), left, width].map(index);
            self.rules.push(Rule { line, column, width, place });
            places.push(place);
        }
        places
    }

    /// The place of the line above a row, if there is anything in it or below it.
    fn between(&self, number: u16, row: usize) -> Option<Anchor> {
        let table = &self.document.tables[usize::from(number)];
        let next = table.rows.get(row)?.first;
        let goes_on = next < table.end && (next as usize) < self.document.blocks.len();
        let block = next.checked_sub(1).filter(|_| goes_on)?;
        Some(Anchor { block, offset: index(self.document.block_range(block).len() + 1) })
    }

    /// Sets a cell within its columns; gives the places of its lines.
    fn cell(&mut self, number: u16, cell: usize, (top, left): (usize, usize), width: usize) -> Vec<Anchor> {
        let table = &self.document.tables[usize::from(number)];
        let blocks = table.blocks_of_cell(cell);
        let blocks = blocks.start..blocks.end.min(index(self.document.blocks.len()));
        let mut inner = self.document.inner_from(number, blocks.start);
        let mut places = Vec::new();
        let mut block = blocks.start;
        while block < blocks.end {
            let top = top + places.len();
            match self.document.inner_at(number, &mut inner, block) {
                Some(nested) => {
                    let inset = usize::from(nested.indent.saturating_sub(table.indent)) * 2;
                    let inset = inset.min(width.saturating_sub(LEAST_TEXT));
                    block = nested.end.min(blocks.end);
                    places.append(&mut self.table(cells(inner), (top, left + inset), width - inset));
                }
                None => {
                    self.block(block, table.indent, (top, left), width, &mut places);
                    block += 1;
                }
            }
        }
        places
    }

    /// Sets a table that stands in a cell.
    fn table(&mut self, number: u16, (top, left): (usize, usize), width: usize) -> Vec<Anchor> {
        let table = &self.document.tables[usize::from(number)];
        let grid = Grid::new(table, width, self.layout.wrap);
        let left = left + table.align.lead(width.saturating_sub(grid.width));
        let (mut places, mut row) = (Vec::new(), 0);
        while row < table.rows.len() {
            let rows = table.joined_with(row);
            row = rows.end;
            places.append(&mut self.rows(number, rows, &grid, (top + places.len(), left)));
        }
        places
    }

    fn block(&mut self, block: u32, indent: u8, (top, left): (usize, usize), width: usize, places: &mut Vec<Anchor>) {
        // columns are wide enough for what does not wrap
        let wrap = if self.layout.wrap == Wrap::WholeUrls { Wrap::WholeUrls } else { Wrap::On };
        let layout = Layout { width: cells(width), measure: None, wrap, ..self.layout };
        let setting = Setting::in_cell(&layout, self.document, block, indent);
        let (number, column) = (index(self.settings.len()), index(left));
        for (line, piece) in setting.pieces(0).enumerate() {
            let (start, end) = (index(piece.start), index(piece.end));
            self.slots.push(Slot { line: index(top + line), column, setting: number, start, end });
            places.push(setting.anchor(piece.start));
        }
        self.settings.push(setting);
    }
}

/// Finds the tops of rows up to one: a row begins below those above it, and below all cells that end with them.
fn settle(tops: &mut [usize], lowest: &[(usize, Option<usize>)], settled: &mut usize, row: usize) {
    while *settled < row {
        *settled += 1;
        tops[*settled] = tops[*settled - 1].max(lowest[*settled].0);
    }
}

/// The places of the lines of rows: those of the cells that the height depends on.
fn chain(tops: &[usize], lowest: &[(usize, Option<usize>)], mut done: Vec<Done>) -> Vec<Anchor> {
    let (mut cells, mut row) = (Vec::new(), tops.len() - 1);
    while row > 0 {
        match lowest[row] {
            (bottom, Some(cell)) if tops[row] > tops[row - 1] && bottom == tops[row] => {
                row = done[cell].row;
                cells.push(cell);
            }
            _ => row -= 1,
        }
    }
    cells.into_iter().rev().flat_map(|cell| std::mem::take(&mut done[cell].places)).collect()
}
