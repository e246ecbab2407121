//! Tables: which blocks of a document are the cells of which rows, and what columns they need.
//!
//! What stands in a cell are blocks like all others: paragraphs, headings, lists, rules, preformatted lines, tables. A table
//! only says where its rows and cells begin among them, so that they are found, followed and named like the rest of the page.
//! Its columns are measured row by row while it arrives (`measure`, CSS 2.1, 17.5.2.2: what a column needs at least, and
//! what it needs for lines that do not break), which no width of a screen changes. Everything else is a pure function of the
//! table and a width: the columns on the screen (`grid`), and the lines of rows that stand beside each other (`rows`).
//!
//! Only rows near the screen are set. Rows that a cell spans are set together, so how many those are is bounded; what is too
//! much for one row is shown as if there were no table, block by block.
//! Refuses: borders, and heights and widths that pages ask for.

mod grid;
mod measure;
mod order;
mod records;
mod rows;

pub use order::TableRow;
pub use records::Separated;
pub(super) use rows::{Known, Rows};

use super::document::{Align, Document};
use super::insert::{Offsets, Shifted};
use super::layout::Wrap;
use crate::doc::{cells, index};
use grid::Grid;
use std::ops::Range;

/// The most columns of a table, and of those that come after very many: a column costs memory whether something stands in it
/// or not.
const MOST_COLUMNS: usize = 1024;
const MOST_COLUMNS_OF_MANY: usize = 64;
/// How many tables may have the most.
const MANY: u16 = 1000;
/// How deep tables stand in cells of tables.
const DEEPEST: u8 = 8;
/// The most rows that are set together because cells span them.
const MOST_JOINED: u32 = 64;
/// The most that is set together: octets of text, and what blocks weigh besides.
const MOST_WEIGHT: usize = 128 << 10;
/// What a block weighs besides its text.
const BLOCK_WEIGHT: usize = 16;
/// The most blocks of a table whose end has not come that are held back.
const MOST_UNSETTLED: u32 = 4096;
/// The end of a table whose end has not come.
const OPEN: u32 = u32::MAX;

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What its columns need, from the rows so far.
    pub columns: Vec<TableColumn>,
    /// Where it stands between the edges of the page.
    pub align: Align,
    /// The indent of its blocks, in levels; what they have more is theirs within their cells.
    pub indent: u8,
    /// Whether a line stands between rows that are parted, or nothing.
    pub lines: bool,
    /// The table in one of whose cells it stands.
    outer: Option<u16>,
    /// How many tables it stands in.
    depth: u8,
    /// The block before which it began; the block past its last one.
    first: u32,
    end: u32,
    rows: Vec<Row>,
    cells: Vec<Cell>,
    /// Rows that are set together, ordered and apart from each other.
    joined: Vec<Range<u32>>,
    /// The row past the last one that a cell of the rows above spans.
    reach: u32,
    /// What cells need that stand in several columns, as long as the table grows: in few columns first.
    spanning: Vec<Spanning>,
    /// In how many columns those stand, all in all.
    spanned: usize,
}

/// What a column of a table needs, in columns of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableColumn {
    /// The tables in it; nothing stands for that.
    pub whole: u16,
    /// Its longest word.
    pub word: u16,
    /// Its longest word, or line that should not break.
    pub least: u16,
    /// Its longest text.
    pub most: u16,
}

/// A row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    /// Its first block; it ends where the next row begins.
    first: u32,
    /// Its first cell.
    cells: u32,
    /// It stands at the foot: it sums up the others.
    foot: bool,
}

/// A cell of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Its first block; it ends where the next cell begins.
    pub first: u32,
    /// Its first column.
    pub column: u16,
    /// In how many columns it stands; at least 1.
    pub columns: u16,
    /// In how many rows it stands; at least 1.
    pub rows: u8,
    /// It is the title of others.
    pub title: bool,
}

/// What cells in the same several columns need together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spanning {
    column: u16,
    columns: u16,
    need: TableColumn,
}

/// Rows of a table that are set together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The table's number.
    pub table: u16,
    pub rows: Range<usize>,
    pub blocks: Range<u32>,
}

/// The most columns of the table with a number.
pub fn most_columns(table: u16) -> usize {
    if table < MANY { MOST_COLUMNS } else { MOST_COLUMNS_OF_MANY }
}

impl Table {
    /// A table that begins before a block, in a cell of another one or in none; `None` when it would stand too deep.
    pub(super) fn new(first: u32, outer: Option<(u16, &Table)>, align: Align, indent: u8) -> Option<Table> {
        let depth = outer.map_or(0, |(_, outer)| outer.depth + 1);
        (depth < DEEPEST).then(|| Table {
            columns: Vec::new(),
            align,
            indent,
            lines: false,
            outer: outer.map(|(number, _)| number),
            depth,
            first,
            end: OPEN,
            rows: Vec::new(),
            cells: Vec::new(),
            joined: Vec::new(),
            reach: 0,
            spanning: Vec::new(),
            spanned: 0,
        })
    }

    /// How many columns of the screen it takes of those there are.
    pub(super) fn width(&self, room: usize, wrap: Wrap) -> usize {
        Grid::new(self, room, wrap).width.min(room)
    }

    /// The cells of its rows, row by row.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        (0..self.rows.len()).map(|row| &self.cells[self.cells_of(row)])
    }

    /// How much memory it holds, in octets.
    pub(super) fn memory(&self) -> usize {
        size_of::<Table>()
            + self.columns.capacity() * size_of::<TableColumn>()
            + self.rows.capacity() * size_of::<Row>()
            + self.cells.capacity() * size_of::<Cell>()
            + self.joined.capacity() * size_of::<Range<u32>>()
            + self.spanning.capacity() * size_of::<Spanning>()
    }

    /// Begins a row before a block; one at the `foot` sums up the others.
    pub(super) fn begin_row(&mut self, block: u32, foot: bool) {
        self.rows.push(Row { first: block, cells: index(self.cells.len()), foot });
    }

    /// Begins a cell of the row that has begun, before a block.
    pub(super) fn begin_cell(&mut self, block: u32, column: usize, columns: usize, rows: usize, title: bool) {
        let column = column.min(MOST_COLUMNS - 1);
        let columns = cells(columns.clamp(1, MOST_COLUMNS - column));
        let rows = u8::try_from(rows.clamp(1, MOST_JOINED as usize)).unwrap_or(u8::MAX);
        self.cells.push(Cell { first: block, column: cells(column), columns, rows, title });
    }

    /// The rows that would be set together with the one that has ended last, because a cell above spans it.
    fn joins(&self) -> Option<Range<u32>> {
        let row = index(self.rows.len()).checked_sub(1).filter(|row| *row < self.reach)?;
        let from = self.joined.last().filter(|joined| joined.end == row).map_or(row - 1, |joined| joined.start);
        (row + 1 - from <= MOST_JOINED).then_some(from..row + 1)
    }

    /// Joins these rows, the last of which has just ended.
    fn join(&mut self, rows: Option<Range<u32>>) {
        let Some(last) = self.rows.len().checked_sub(1) else { return };
        match rows {
            None => self.reach = 0,
            Some(rows) => match self.joined.last_mut().filter(|joined| joined.start == rows.start) {
                Some(joined) => joined.end = rows.end,
                None => self.joined.push(rows),
            },
        }
        let spans = self.cells[self.cells_of(last)].iter().map(|cell| index(last) + u32::from(cell.rows)).max();
        self.reach = self.reach.max(spans.unwrap_or(0));
    }

    /// Ends it before a block: nothing is added any more.
    pub(super) fn finish(&mut self, end: u32) {
        self.end = end;
        self.settle_spans();
        self.rows.shrink_to_fit();
        self.cells.shrink_to_fit();
    }

    fn cells_of(&self, row: usize) -> Range<usize> {
        let edge = |row: usize| self.rows.get(row).map_or(self.cells.len(), |row| row.cells as usize);
        edge(row)..edge(row + 1)
    }

    /// The blocks of some rows, or of a cell: they end where the next one begins.
    fn blocks_of(&self, rows: Range<usize>) -> Range<u32> {
        let edge = |row: usize| self.rows.get(row).map_or(self.end, |row| row.first);
        edge(rows.start)..edge(rows.end)
    }

    fn blocks_of_cell(&self, cell: usize) -> Range<u32> {
        let edge = |cell: usize| self.cells.get(cell).map_or(self.end, |cell| cell.first);
        edge(cell)..edge(cell + 1)
    }

    /// The row that a block stands in; `None` when it stands in none.
    fn row_of(&self, block: u32) -> Option<usize> {
        let row = self.rows.partition_point(|row| row.first <= block).checked_sub(1)?;
        (block < self.end).then_some(row)
    }

    /// The rows that are set together with one.
    fn joined_with(&self, row: usize) -> Range<usize> {
        let at = self.joined.partition_point(|joined| joined.end as usize <= row);
        match self.joined.get(at).filter(|joined| joined.start as usize <= row) {
            Some(joined) => joined.start as usize..joined.end as usize,
            None => row..row + 1,
        }
    }

    /// The same table where some blocks are shown in other places or not at all; its blocks or its rows stay together, or it has
    /// no rows any more. `places` says of each block of the document where it is, `next` where the next one is that is shown; between
    /// them stand blocks that were `inserted` below others.
    pub(super) fn moved(mut self, places: &[Option<u32>], next: &[u32], inserted: &[u32]) -> Table {
        let moved = |block: u32| next.get(block as usize).or(next.last()).copied().unwrap_or_default();
        let all = self.blocks_of(0..self.rows.len());
        let all = all.start.min(index(places.len())) as usize..all.end.min(index(places.len())) as usize;
        let mut shown = places[all.clone()].iter().flatten();
        let begins = shown.next().copied();
        let last =
            begins.and_then(|begins| shown.try_fold(begins, |last, at| (*at == behind(inserted, last)).then_some(*at)));
        self.first = moved(self.first);
        let Some(last) = last else {
            if self.reorder(places, inserted) {
                // another row may stand first now, where no caption does
                self.first = self.first.min(self.rows.first().map_or(self.first, |row| row.first));
                return self;
            }
            (self.rows, self.cells, self.joined) = (Vec::new(), Vec::new(), Vec::new());
            self.end = self.first;
            return self;
        };
        // hidden rows at the end begin where the table ends
        let end = behind(inserted, last);
        let moved = |block: u32| moved(block).min(end);
        self.rows.iter_mut().for_each(|row| row.first = moved(row.first));
        self.cells.iter_mut().for_each(|cell| cell.first = moved(cell.first));
        self.end = end;
        self
    }
}

/// The block behind one and what was put below it.
fn behind(inserted: &[u32], block: u32) -> u32 {
    let from = inserted.partition_point(|at| *at <= block);
    let below = (block + 1..).zip(&inserted[from..]).take_while(|(next, at)| next == *at);
    block + 1 + index(below.count())
}

impl Shifted for Table {
    fn shifted(self, by: &Offsets) -> Table {
        let Table {
            columns,
            align,
            indent,
            lines,
            outer,
            depth,
            first,
            end,
            rows,
            cells,
            joined,
            reach,
            spanning,
            spanned,
        } = self;
        Table {
            columns,
            align,
            indent: indent.saturating_add(by.indent),
            lines,
            outer: outer.zip(by.tables).and_then(|(outer, tables)| outer.checked_add(tables)),
            depth,
            first: first + by.blocks,
            // one without an end ends with its document
            end: end.saturating_add(by.blocks).min(by.end),
            rows: rows.into_iter().map(|row| row.shifted(by)).collect(),
            cells: cells.into_iter().map(|cell| cell.shifted(by)).collect(),
            joined,
            reach,
            spanning,
            spanned,
        }
    }
}

impl Shifted for Row {
    fn shifted(self, by: &Offsets) -> Row {
        Row { first: self.first + by.blocks, ..self }
    }
}

impl Shifted for Cell {
    fn shifted(self, by: &Offsets) -> Cell {
        let Cell { first, column, columns, rows, title } = self;
        Cell { first: first + by.blocks, column, columns, rows, title }
    }
}

impl Document {
    /// The blocks that stand beside a block in the rows of a table that are set together; only the block itself elsewhere.
    pub fn row_of(&self, block: u32) -> Range<u32> {
        self.group_of(block).map_or(block..block.saturating_add(1), |group| group.blocks)
    }

    /// How many blocks stay as they are, whatever may still come: the last one may grow, and so may its row. Of a table whose
    /// end has not come none do, unless it is large.
    pub fn settled(&self) -> u32 {
        let count = index(self.blocks.len());
        let Some(last) = count.checked_sub(1) else { return 0 };
        match self.tables_of(last).last().filter(|table| table.end == OPEN) {
            Some(table) if count - table.first <= MOST_UNSETTLED => table.first,
            // its last row may join the one before it
            Some(table) => {
                let before = table.rows.len().saturating_sub(2);
                table.blocks_of(table.joined_with(before)).start
            }
            None => self.row_of(last).start,
        }
    }

    /// The tables that a block stands in, the innermost first.
    fn tables_of(&self, block: u32) -> impl Iterator<Item = &Table> {
        self.table_numbers(block).map(|number| &self.tables[number as usize])
    }

    fn table_numbers(&self, block: u32) -> impl Iterator<Item = u16> {
        let last = self.tables.partition_point(|table| table.first <= block).checked_sub(1);
        // what ended before the block stands in tables that may not have
        let outer = |number: &u16| self.tables.get(usize::from(*number)).and_then(|table| table.outer);
        let chain = std::iter::successors(last.map(cells), outer);
        chain.filter(move |number| self.tables[usize::from(*number)].row_of(block).is_some())
    }

    /// Whether a block stands in a cell of a table.
    pub fn is_in_table(&self, block: u32) -> bool {
        !self.tables.is_empty() && self.table_numbers(block).next().is_some()
    }

    /// The rows that a block is set with: of the outermost table whose rows are not too much to be set together.
    pub(super) fn group_of(&self, block: u32) -> Option<Group> {
        if self.tables.is_empty() {
            return None;
        }
        let groups = self.table_numbers(block).filter_map(|number| {
            let table = &self.tables[usize::from(number)];
            let rows = table.joined_with(table.row_of(block)?);
            let blocks = table.blocks_of(rows.clone());
            let blocks = blocks.start..blocks.end.min(index(self.blocks.len()));
            Some(Group { table: number, rows, blocks })
        });
        groups.filter(|group| self.weight(group.blocks.clone()) <= MOST_WEIGHT).last()
    }

    /// How much work it is to set some blocks.
    fn weight(&self, blocks: Range<u32>) -> usize {
        let end = blocks.end.min(index(self.blocks.len()));
        let text = self.block_range(end).start - self.block_range(blocks.start.min(end)).start;
        text + BLOCK_WEIGHT * end.saturating_sub(blocks.start) as usize
    }

    /// The first table of those that stand in cells of one and begin at a block or after it.
    fn inner_from(&self, table: u16, block: u32) -> usize {
        self.tables.partition_point(|inner| inner.first < block).max(usize::from(table) + 1)
    }

    /// The table that begins with a block in a cell of one; `inner` is the number of the next that may.
    fn inner_at(&self, table: u16, inner: &mut usize, block: u32) -> Option<&Table> {
        loop {
            let next = self.tables.get(*inner).filter(|next| next.first <= block)?;
            let begins = next.rows.first().map(|row| row.first).filter(|_| next.outer == Some(table));
            if begins.is_some_and(|begins| begins > block) {
                return None;
            }
            if begins == Some(block) && next.end > block {
                return Some(next);
            }
            *inner += 1;
        }
    }

    /// Takes what the row needs that has ended last.
    pub(super) fn end_row(&mut self, number: u16) {
        let Some(table) = self.tables.get(usize::from(number)) else { return };
        let cells = table.cells_of(table.rows.len().saturating_sub(1));
        cells.for_each(|cell| self.measure_cell(number, cell));
        let table = &self.tables[usize::from(number)];
        let joins =
            table.joins().filter(|rows| self.weight(table.rows[rows.start as usize].first..OPEN) <= MOST_WEIGHT);
        self.tables[usize::from(number)].join(joins);
    }

    /// Takes what a block needs now that its text is another.
    pub(super) fn remeasure(&mut self, block: u32) {
        let numbers: Vec<u16> = self.table_numbers(block).collect();
        for number in numbers {
            let table = &self.tables[usize::from(number)];
            let cell = table.cells.partition_point(|cell| cell.first <= block).checked_sub(1);
            if let Some(cell) = cell {
                self.measure_cell(number, cell);
            }
            let table = &mut self.tables[usize::from(number)];
            if table.end != OPEN {
                table.settle_spans();
            }
        }
    }
}
