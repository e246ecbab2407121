//! What html2text made of a table, read back: for each row of the table its lines, and where in its text each line begins.

use super::written::{Grapheme, Letter, Written};
use std::ops::Range;

/// Columns between two cells.
const GAP: usize = 2;

/// A table at a width.
#[derive(Debug, Default)]
pub(in crate::doc) struct Laid {
    /// The columns of its longest line.
    pub width: usize,
    pub rows: Vec<Row>,
}

/// A row of a table: a block of the document.
#[derive(Debug, Default, Clone)]
pub(in crate::doc) struct Row {
    pub lines: Vec<Vec<Bit>>,
    /// The place in the row's text that stands for each line, ascending; the first is 0.
    pub starts: Vec<u32>,
    /// Where the pieces of its text are: offset, row, line. A cell may reach into the rows below its own.
    places: Vec<(u32, u32, u32)>,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::doc) struct Bit {
    pub column: u32,
    pub ink: Ink,
}

/// What a piece shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::doc) enum Ink {
    /// Text of a row: the row, and octets of its text.
    Text(u32, Range<u32>),
    /// The mark of an item.
    Mark(String),
}

/// Why lines are no layout of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// Cells stand one below the other.
    Stacked,
    /// Something is missing.
    Incomplete,
}

/// A line of html2text on its way to bits. Columns are html2text's until the slot that they are in has ended.
struct Slots<'a> {
    written: &'a Written,
    /// Where lines between cells stand in any line of the table.
    bars: &'a [usize],
    bits: Vec<Bit>,
    column: usize,
    /// Past the last thing written.
    reached: usize,
    /// How many of the bits are in slots that have ended, and where the slot that has not began.
    done: usize,
    slot: usize,
    cell: Option<u32>,
    ruled: bool,
    seen: usize,
}

impl Laid {
    /// Reads the lines of a table.
    pub(super) fn read(lines: &[String], written: &Written, texts: &[&str]) -> Result<Laid, Unread> {
        let mut laid = Laid { width: 0, rows: vec![Row::default(); texts.len()] };
        let bars = bars(lines);
        let across = lines.iter().map(|line| line.chars().map(width).sum()).max().unwrap_or(0);
        let (mut row, mut seen) = (0, 0);
        for line in lines {
            let slots = Slots::read(line, written, &bars, across)?;
            seen += slots.seen;
            if slots.bits.is_empty() && slots.ruled {
                continue;
            }
            let lowest = slots.bits.iter().filter_map(|bit| match bit.ink {
                Ink::Text(row, _) => Some(row as usize),
                Ink::Mark(_) => None,
            });
            row = lowest.max().unwrap_or(row).max(row);
            if let Some(row) = laid.rows.get_mut(row) {
                row.lines.push(slots.bits);
            }
        }
        if seen != written.graphemes.len() {
            return Err(Unread::Incomplete);
        }
        laid.finish(texts).ok_or(Unread::Incomplete)
    }

    fn finish(mut self, texts: &[&str]) -> Option<Laid> {
        for ((number, row), text) in (0..).zip(&mut self.rows).zip(texts) {
            while row.lines.last().is_some_and(Vec::is_empty) {
                row.lines.pop();
            }
            row.starts = starts(number, &row.lines, text)?;
        }
        for number in 0..self.rows.len() {
            for line in 0..self.rows[number].lines.len() {
                for at in 0..self.rows[number].lines[line].len() {
                    let bit = &self.rows[number].lines[line][at];
                    let width = match &bit.ink {
                        Ink::Mark(mark) => mark.chars().count(),
                        Ink::Text(row, range) => {
                            let text = texts.get(*row as usize)?.get(range.start as usize..range.end as usize)?;
                            crate::doc::columns(text)
                        }
                    };
                    self.width = self.width.max(bit.column as usize + width);
                    if let Ink::Text(row, range) = &bit.ink {
                        let (row, start) = (*row as usize, range.start);
                        self.rows[row].places.push((start, number as u32, line as u32));
                    }
                }
            }
        }
        self.rows.iter_mut().for_each(|row| row.places.sort_unstable());
        Some(self)
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        let row = |row: &Row| {
            let bits: usize =
                row.lines.iter().map(|line| line.capacity() * size_of::<Bit>() + size_of::<Vec<Bit>>()).sum();
            bits + row.starts.capacity() * 4 + row.places.capacity() * 12 + size_of::<Row>()
        };
        size_of::<Laid>() + self.rows.iter().map(row).sum::<usize>()
    }
}

impl Row {
    /// The row and the line where an offset of this row's text is shown.
    pub fn place(&self, offset: u32) -> Option<(u32, u32)> {
        let at = self.places.partition_point(|(start, ..)| *start <= offset);
        self.places.get(at.saturating_sub(1)).map(|(_, row, line)| (*row, *line))
    }
}

impl<'a> Slots<'a> {
    fn read(line: &str, written: &'a Written, bars: &'a [usize], across: usize) -> Result<Slots<'a>, Unread> {
        let (bits, cell) = (Vec::new(), None);
        let mut slots =
            Slots { written, bars, bits, column: 0, reached: 0, done: 0, slot: 0, cell, ruled: false, seen: 0 };
        for c in line.chars() {
            match Letter::of(c) {
                Letter::Grapheme(number) => {
                    let grapheme = written.graphemes.get(number as usize).ok_or(Unread::Incomplete)?;
                    slots.grapheme(*grapheme);
                    slots.reached = slots.column + width(c);
                }
                Letter::Own('/') => return Err(Unread::Stacked),
                Letter::Own(own) if is_bar(own) => {
                    slots.ruled |= own != '│';
                    slots.end_slot(slots.column);
                    slots.slot = slots.column + 1;
                }
                Letter::Own('─' | '┌' | '┐' | '└' | '┘') => slots.ruled = true,
                Letter::Own(' ') => {}
                Letter::Own(own) => slots.mark(own),
                Letter::More => slots.reached += 1,
            }
            slots.column += width(c);
        }
        slots.end_slot(across);
        Ok(slots)
    }

    fn grapheme(&mut self, grapheme: Grapheme) {
        self.cell = Some(grapheme.cell);
        self.seen += 1;
        let (row, start, end) = (grapheme.row, grapheme.start, grapheme.end);
        let skipped = self.column - self.reached;
        match self.bits[self.done..].last_mut() {
            // what is one octet and one column is a space
            Some(Bit { ink: Ink::Text(of, range), .. })
                if *of == row && skipped <= 1 && range.end + skipped as u32 == start =>
            {
                range.end = end;
            }
            _ => self.bits.push(Bit { column: self.column as u32, ink: Ink::Text(row, start..end) }),
        }
    }

    /// A character of an item's mark.
    fn mark(&mut self, own: char) {
        match self.bits[self.done..].last_mut() {
            Some(Bit { ink: Ink::Mark(mark), .. }) if self.reached == self.column => mark.push(own),
            _ => self.bits.push(Bit { column: self.column as u32, ink: Ink::Mark(own.into()) }),
        }
        self.reached = self.column + 1;
    }

    /// Moves what is in a slot to where it stands on the screen, by its cell's edge.
    fn end_slot(&mut self, end: usize) {
        let (from, to) = (self.on_screen(self.slot), self.on_screen(end));
        let slack = (to - from).saturating_sub(self.reached.saturating_sub(self.slot));
        let facts = self.cell.take().and_then(|cell| self.written.cells.get(cell as usize)).filter(|cell| !cell.nests);
        let lead = facts.map_or(0, |facts| facts.align.lead(slack));
        for bit in &mut self.bits[self.done..] {
            bit.column = (from + lead + bit.column as usize - self.slot) as u32;
        }
        self.done = self.bits.len();
    }

    fn on_screen(&self, column: usize) -> usize {
        column + (GAP - 1) * self.bars.partition_point(|bar| *bar < column)
    }
}

fn is_bar(own: char) -> bool {
    matches!(own, '│' | '├' | '┤' | '┼' | '┬' | '┴')
}

/// The columns of a character that html2text wrote.
fn width(c: char) -> usize {
    match Letter::of(c) {
        Letter::Own('\u{200b}') => 0,
        Letter::Grapheme(_) if (c as u32) < 0x3_0000 => 2,
        _ => 1,
    }
}

/// Where lines between cells stand, ascending.
fn bars(lines: &[String]) -> Vec<usize> {
    let mut bars = std::collections::BTreeSet::new();
    for line in lines {
        let mut column = 0;
        for c in line.chars() {
            if c == '│' {
                bars.insert(column);
            }
            column += width(c);
        }
    }
    bars.into_iter().collect()
}

/// A place in a row's text for each of its lines: where possible one that the line shows, always ascending. `None` when the
/// text has fewer characters than the row lines.
fn starts(number: u32, lines: &[Vec<Bit>], text: &str) -> Option<Vec<u32>> {
    let chars: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
    let count = lines.len();
    if count <= 1 {
        return Some(vec![0]);
    }
    let spare = chars.len().checked_sub(count)?;
    // the longest run of places that leaves room for the lines between them: by how far each is ahead of its line
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut known: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for (line, bits) in lines.iter().enumerate() {
        let mut ahead: Vec<usize> = if line == 0 {
            vec![0]
        } else {
            bits.iter()
                .filter_map(|bit| match &bit.ink {
                    Ink::Text(row, range) if *row == number => {
                        let at = chars.partition_point(|at| *at < range.start);
                        at.checked_sub(line).filter(|ahead| *ahead <= spare)
                    }
                    _ => None,
                })
                .collect()
        };
        ahead.sort_unstable_by(|a, b| b.cmp(a));
        ahead.dedup();
        for ahead in ahead {
            let at = ends.partition_point(|(other, _)| *other <= ahead);
            known.push((line, ahead, at.checked_sub(1).map(|at| ends[at].1)));
            match ends.get_mut(at) {
                Some(end) => *end = (ahead, known.len() - 1),
                None => ends.push((ahead, known.len() - 1)),
            }
        }
    }
    let mut places: Vec<Option<usize>> = vec![None; count];
    let mut next = ends.last().map(|end| end.1);
    while let Some((line, ahead, before)) = next.map(|at| known[at]) {
        places[line] = Some(ahead);
        next = before;
    }
    let mut ahead = spare;
    for place in places.iter_mut().rev() {
        ahead = place.unwrap_or(ahead);
        *place = Some(ahead);
    }
    let starts: Vec<u32> = places.iter().enumerate().map(|(line, place)| chars[line + place.unwrap_or(0)]).collect();
    Some(starts)
}
