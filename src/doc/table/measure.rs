//! What cells need, and so the columns that they stand in (CSS 2.1, 17.5.2.2, steps 1 to 3): at least their longest word, better
//! the longest of their preformatted lines, which may break between words; at most what their texts take on one line. What
//! a cell in several columns needs more than they do is shared out among them.

use super::{Cell, OPEN, Spanning, Table, TableColumn};
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
const WIDEST_SPANNING: u16 = 60;
/// In how many columns, all in all, the places may stand of such cells that are reckoned with.
const MOST_SPANNED: usize = 1 << 14;
/// Columns of the screen on which margins are reckoned with.
const SCREEN: usize = 80;
/// What a rule needs.
const RULE: usize = 3;

impl TableColumn {
    /// What flowing text needs: its longest word, and all of it on one line.
    fn flowing(word: usize, most: usize) -> TableColumn {
        TableColumn::within(word, word, most)
    }

    /// What lines need that should not break, though they may between words.
    fn lines(word: usize, line: usize) -> TableColumn {
        TableColumn::within(word, line, line)
    }

    fn within(word: usize, least: usize, most: usize) -> TableColumn {
        let [word, least, most] = [word, least, most].map(|need| cells(need.min(MOST)));
        TableColumn { whole: 0, word, least: least.max(word), most: most.max(least).max(word) }
    }

    fn grow(&mut self, need: TableColumn) {
        self.whole = self.whole.max(need.whole);
        (self.word, self.least, self.most) =
            (self.word.max(need.word), self.least.max(need.least), self.most.max(need.most));
    }

    fn further_in(self, columns: usize) -> TableColumn {
        let further = |need: u16| need.saturating_add(cells(columns)).min(cells(MOST));
        let whole = if self.whole > 0 { further(self.whole) } else { 0 };
        TableColumn { whole, word: further(self.word), least: further(self.least), most: further(self.most) }
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
        self.columns = self.needs();
        self.columns.shrink_to_fit();
        self.spanning = Vec::new();
    }

    /// What it needs as a whole, which is not to be had for less.
    fn need(&self) -> TableColumn {
        let needs = self.needs();
        let gaps = GAP * needs.iter().filter(|need| need.most > 0).count().saturating_sub(1);
        let sum = |of: fn(&TableColumn) -> u16| needs.iter().map(|need| usize::from(of(need))).sum::<usize>() + gaps;
        let need = TableColumn::within(sum(|need| need.word), sum(|need| need.least), sum(|need| need.most));
        TableColumn { whole: need.least, ..need }
    }

    /// Takes what a cell needs. Of one in several columns only the first has to be there: it takes those there are.
    fn take(&mut self, cell: Cell, need: TableColumn) {
        let Cell { column, columns, .. } = cell;
        if self.columns.len() <= usize::from(column) {
            self.columns.resize(usize::from(column) + 1, TableColumn::default());
        }
        if columns == 1 {
            return self.columns[usize::from(column)].grow(need);
        }
        let need = TableColumn { most: need.most.min(WIDEST_SPANNING).max(need.least), ..need };
        // the fewer the columns, the less choice there is: they come first
        match self.spanning.binary_search_by_key(&(columns, column), |other| (other.columns, other.column)) {
            Ok(at) => self.spanning[at].need.grow(need),
            Err(at) if self.spanned + usize::from(columns) <= MOST_SPANNED => {
                self.spanned += usize::from(columns);
                self.spanning.insert(at, Spanning { column, columns, need });
            }
            Err(_) => {}
        }
    }
}

/// Shares out what a cell in several columns needs more than they do: among those in which something else stands, by how
/// much that is.
fn share(columns: &mut [TableColumn], spanning: Spanning) {
    let (from, count) = (usize::from(spanning.column), usize::from(spanning.columns));
    let end = (from + count).min(columns.len());
    let Some(over) = columns.get_mut(from..end).filter(|over| !over.is_empty()) else { return };
    if over.iter().all(|column| column.most == 0) {
        return over[0].grow(spanning.need);
    }
    let gaps = GAP * over.iter().filter(|column| column.most > 0).count().saturating_sub(1);
    let weights: Vec<usize> = over.iter().map(|column| usize::from(column.most)).collect();
    if spanning.need.whole > 0 {
        // words take that room as well
        over.iter_mut().for_each(|column| column.whole = column.whole.max(column.word));
    }
    let fields: [fn(&mut TableColumn) -> &mut u16; 4] =
        [|need| &mut need.whole, |need| &mut need.word, |need| &mut need.least, |need| &mut need.most];
    let mut need = spanning.need;
    for field in fields {
        let has: usize = over.iter_mut().map(|column| usize::from(*field(column))).sum();
        let lacks = usize::from(*field(&mut need)).saturating_sub(has + gaps);
        if lacks > 0 {
            for (column, more) in over.iter_mut().zip(shares(lacks, &weights)) {
                let field = field(column);
                *field = cells(usize::from(*field) + more);
            }
        }
    }
    for column in over {
        *column = TableColumn {
            whole: column.whole,
            ..TableColumn::within(column.word.into(), column.least.into(), column.most.into())
        };
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
            table.take(facts, need);
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
            BlockKind::Rule => TableColumn::flowing(RULE, RULE),
            BlockKind::Figure(_) => TableColumn::default(),
            BlockKind::Line | BlockKind::Preformatted => TableColumn::lines(longest_word(text), tabbed_columns(text)),
            BlockKind::Row | BlockKind::Labelled(_) => TableColumn::lines(tabbed_columns(text), tabbed_columns(text)),
            BlockKind::Paragraph | BlockKind::Heading(_) | BlockKind::Entry | BlockKind::Caption(_) => {
                TableColumn::flowing(longest_word(text), columns(text))
            }
            BlockKind::Item(_) => {
                let text = text.split_once(' ').map_or("", |(_, text)| text);
                TableColumn::flowing(longest_word(text), columns(text))
            }
        };
        let [word, least] = [need.word, need.least].map(|need| match margin {
            0 => need,
            _ => need.max(cells(BESIDE_MARGIN)),
        });
        TableColumn { word, least, most: need.most.max(least), ..need }.further_in(inset)
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
