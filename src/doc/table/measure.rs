//! What cells need, and so the columns that they stand in (CSS 2.1, 17.5.2.2, steps 1 to 3): at least their longest word, or
//! line that should not break; at most what their texts take on one line.

use super::small;
use super::{MOST_COLUMNS, OPEN, Spanning, Table, TableColumn};
use crate::doc::columns::{cluster, columns};
use crate::doc::document::{BlockKind, Document};
use crate::doc::marker::{BESIDE_MARGIN, Marks};
use crate::doc::segments::tabbed_columns;
use crate::doc::{cells, index};
use std::ops::Range;

/// Columns between two cells.
pub(super) const GAP: usize = 2;
/// No need is larger.
const MOST: usize = 1000;
/// How far a cell that stands in several columns can widen them.
const WIDEST_SPANNING: usize = 60;
/// Columns of the screen on which margins are reckoned with.
const SCREEN: usize = 80;
/// What a rule needs.
const RULE: usize = 3;

impl TableColumn {
    pub(super) fn new(least: usize, most: usize) -> TableColumn {
        TableColumn { least: cells(least.min(MOST)), most: cells(most.max(least).min(MOST)) }
    }

    fn grow(&mut self, need: TableColumn) {
        (self.least, self.most) = (self.least.max(need.least), self.most.max(need.most));
    }

    fn further_in(self, columns: usize) -> TableColumn {
        TableColumn::new(usize::from(self.least) + columns, usize::from(self.most) + columns)
    }
}

impl Table {
    /// What its columns need, those included that cells in several of them do.
    pub(super) fn needs(&self) -> Vec<TableColumn> {
        let mut columns = self.columns.clone();
        self.spanning.iter().for_each(|spanning| share(&mut columns, *spanning));
        columns
    }

    /// Takes for good what cells in several columns need.
    pub(super) fn settle_spans(&mut self) {
        // the fewer the columns, the less choice there is
        self.spanning.sort_by_key(|spanning| (spanning.columns, spanning.column));
        self.columns = self.needs();
        self.columns.shrink_to_fit();
        self.spanning = Vec::new();
    }

    /// What it needs as a whole.
    fn need(&self) -> TableColumn {
        let needs = self.needs();
        let gaps = GAP * needs.iter().filter(|need| need.most > 0).count().saturating_sub(1);
        let sum = |of: fn(&TableColumn) -> u16| needs.iter().map(|need| usize::from(of(need))).sum::<usize>() + gaps;
        TableColumn::new(sum(|need| need.least), sum(|need| need.most))
    }

    fn take(&mut self, column: usize, columns: usize, need: TableColumn) {
        if self.columns.len() < (column + columns).min(MOST_COLUMNS) {
            self.columns.resize((column + columns).min(MOST_COLUMNS), TableColumn::default());
        }
        if columns == 1 {
            return self.columns[column].grow(need);
        }
        let most = usize::from(need.most).min(WIDEST_SPANNING.max(usize::from(need.least)));
        let need = TableColumn::new(usize::from(need.least), most);
        let (column, columns) = (small(column), small(columns));
        let same = |spanning: &&mut Spanning| (spanning.column, spanning.columns) == (column, columns);
        match self.spanning.iter_mut().find(same) {
            Some(spanning) => spanning.need.grow(need),
            None => self.spanning.push(Spanning { column, columns, need }),
        }
    }
}

/// Shares out what a cell in several columns needs more than they do: among those in which something else stands, by how
/// much that is.
fn share(columns: &mut [TableColumn], spanning: Spanning) {
    let (from, count) = (usize::from(spanning.column), usize::from(spanning.columns));
    let Some(over) = columns.get_mut(from..(from + count).min(columns.len())).filter(|over| !over.is_empty()) else {
        return;
    };
    if over.iter().all(|column| column.most == 0) {
        return over[0].grow(spanning.need);
    }
    let gaps = GAP * over.iter().filter(|column| column.most > 0).count().saturating_sub(1);
    let weights: Vec<usize> = over.iter().map(|column| usize::from(column.most)).collect();
    let has =
        |of: fn(&TableColumn) -> u16, over: &[TableColumn]| over.iter().map(|c| usize::from(of(c))).sum::<usize>();
    let lacks = |need: u16, has: usize| usize::from(need).saturating_sub(has + gaps);
    let least = shares(lacks(spanning.need.least, has(|c| c.least, over)), &weights);
    for (column, more) in over.iter_mut().zip(least) {
        *column = TableColumn::new(usize::from(column.least) + more, usize::from(column.most));
    }
    let most = shares(lacks(spanning.need.most, has(|c| c.most, over)), &weights);
    for (column, more) in over.iter_mut().zip(most) {
        *column = TableColumn::new(usize::from(column.least), usize::from(column.most) + more);
    }
}

/// An amount in shares by weight, with nothing left over.
pub(super) fn shares(amount: usize, weights: &[usize]) -> Vec<usize> {
    let (mut left, mut of) = (amount, weights.iter().sum::<usize>());
    let share = |weight: &usize| {
        let share = (left * weight).checked_div(of).unwrap_or(0);
        (left, of) = (left - share, of - weight);
        share
    };
    weights.iter().map(share).collect()
}

impl Document {
    /// Takes what a cell of a table needs.
    pub(super) fn measure_cell(&mut self, number: u16, cell: usize) {
        let Some(table) = self.tables.get(usize::from(number)) else { return };
        let Some(facts) = table.cells.get(cell).copied() else { return };
        let need = self.need(number, table.blocks_of_cell(cell));
        if let Some(table) = self.tables.get_mut(usize::from(number)) {
            table.take(usize::from(facts.column), usize::from(facts.columns), need);
        }
    }

    /// What blocks of a cell of a table need.
    fn need(&self, number: u16, blocks: Range<u32>) -> TableColumn {
        let indent = self.tables[usize::from(number)].indent;
        let (mut need, mut block) = (TableColumn::default(), blocks.start);
        let mut inner = self.inner_from(number, block);
        while block < blocks.end.min(index(self.blocks.len())) {
            match self.inner_at(number, &mut inner, block) {
                Some(table) if table.end != OPEN => {
                    need.grow(table.need().further_in(2 * usize::from(table.indent.saturating_sub(indent))));
                    block = table.end;
                }
                _ => {
                    need.grow(self.need_of(block, indent));
                    block += 1;
                }
            }
        }
        need
    }

    fn need_of(&self, number: u32, indent: u8) -> TableColumn {
        let (block, text) = (self.blocks[number as usize], self.block_text(number));
        let margin = match block.kind {
            BlockKind::Item(hang) => usize::from(hang).max(text.find(' ').map_or(0, |end| columns(&text[..end]) + 1)),
            _ => block.marker.margin(Marks::Words, SCREEN),
        };
        let inset = margin + 2 * usize::from(block.indent.saturating_sub(indent));
        let need = match block.kind {
            BlockKind::Rule => TableColumn::new(RULE, RULE),
            BlockKind::Line | BlockKind::Row | BlockKind::Labelled(_) => {
                let columns = tabbed_columns(text);
                TableColumn::new(columns, columns)
            }
            BlockKind::Paragraph | BlockKind::Heading(_) | BlockKind::Entry | BlockKind::Caption(_) => {
                TableColumn::new(longest_word(text), columns(text))
            }
            BlockKind::Item(_) => {
                let text = text.split_once(' ').map_or("", |(_, text)| text);
                TableColumn::new(longest_word(text), columns(text))
            }
        };
        let least = if margin > 0 { usize::from(need.least).max(BESIDE_MARGIN) } else { usize::from(need.least) };
        TableColumn::new(least, usize::from(need.most)).further_in(inset)
    }
}

/// The columns of the longest piece of a text within which lines do not end.
fn longest_word(text: &str) -> usize {
    if text.is_ascii() {
        return text.split([' ', '\t']).map(str::len).max().unwrap_or(0);
    }
    let (mut longest, mut word, mut at) = (0, 0, 0);
    while at < text.len() {
        let (len, cols) = cluster(&text[at..]);
        let ends = matches!(text.as_bytes()[at], b' ' | b'\t') || text[at..].starts_with('\u{200b}');
        word = match cols {
            _ if ends => 0,
            // lines end between wide letters
            2 => 2,
            _ => word + cols,
        };
        longest = longest.max(word);
        at += len;
    }
    longest
}
