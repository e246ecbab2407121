//! A table written for html2text: HTML of nothing but structure, each grapheme one letter that stands for it.

use super::{MOST_GRAPHEMES, MOST_ROWS, Part, Placed};
use crate::doc::columns::cluster;
use crate::doc::document::Align;
use std::fmt::Write;

/// Letters one column wide: plane 15, private use.
const NARROW: u32 = 0xf_0000;
/// Letters two columns wide: planes of ideographs.
const WIDE: u32 = 0x2_0000;
/// A column more for graphemes that take more than two.
const FILLER: char = '\u{10_0000}';

/// A grapheme of a table: its row, its octets in the row's text, its cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grapheme {
    pub row: u32,
    pub start: u32,
    pub end: u32,
    pub cell: u32,
}

/// A cell of the table itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellFacts {
    pub align: Align,
    /// It holds a table.
    pub nests: bool,
}

/// What html2text is given, and what its letters stand for.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub html: String,
    pub graphemes: Vec<Grapheme>,
    pub cells: Vec<CellFacts>,
    open: Vec<&'static str>,
    row: Option<u32>,
    /// How many tables are open.
    depth: usize,
}

/// What a character that html2text wrote stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    /// A grapheme, by number.
    Grapheme(u32),
    /// More of the grapheme before it.
    More,
    /// A character of html2text's own.
    Own(char),
}

impl Letter {
    pub fn of(c: char) -> Letter {
        match c as u32 {
            code @ NARROW..0xf_ffff => Letter::Grapheme(code - NARROW),
            code @ WIDE..0x2_ffff => Letter::Grapheme(code - WIDE),
            _ if c == FILLER => Letter::More,
            _ => Letter::Own(c),
        }
    }
}

impl Written {
    /// Writes a table; `None` when it has more text than letters.
    pub fn new(parts: &[Placed], texts: &[&str]) -> Option<Written> {
        let mut written = Written { html: "<table>".into(), depth: 1, ..Written::default() };
        for (number, placed) in parts.iter().enumerate() {
            written.part(placed.part);
            let row = written.row.and_then(|row| Some((row, texts.get(row as usize)?)));
            if let Some((row, text)) = row {
                let next = parts.get(number + 1).filter(|next| next.part != Part::Row || written.depth > 1);
                let end = next.map_or(text.len(), |next| next.at as usize);
                written.text(row, text, placed.at as usize, end);
            }
        }
        let fits =
            written.graphemes.len() <= MOST_GRAPHEMES && written.row.map_or(0, |row| row + 1) == texts.len() as u32;
        fits.then_some(written)
    }

    fn part(&mut self, part: Part) {
        let name = match part {
            Part::Row => {
                if self.depth == 1 {
                    self.row = Some(self.row.map_or(0, |row| row + 1));
                }
                "tr"
            }
            Part::Cell { columns, rows, align } => {
                if self.depth == 1 {
                    self.cells.push(CellFacts { align, nests: false });
                }
                let rows = rows.clamp(1, MOST_ROWS);
                let _ = write!(self.html, "<td colspan={columns} rowspan={rows}>");
                self.open.push("td");
                return;
            }
            Part::Break => return self.html.push_str("<br>"),
            Part::Block => "div",
            Part::Apart => "p",
            Part::Bullets => "ul",
            Part::Numbers(first) => {
                let _ = write!(self.html, "<ol start={first}>");
                self.open.push("ol");
                return;
            }
            Part::Item => "li",
            Part::Table => {
                self.depth += 1;
                if let Some(cell) = self.cells.last_mut() {
                    cell.nests = true;
                }
                "table"
            }
            Part::End => {
                if let Some(name) = self.open.pop() {
                    self.depth -= usize::from(name == "table");
                    let _ = write!(self.html, "</{name}>");
                }
                return;
            }
        };
        let _ = write!(self.html, "<{name}>");
        self.open.push(name);
    }

    fn text(&mut self, row: u32, text: &str, start: usize, end: usize) {
        let Some(text) = text.get(..end) else { return };
        let (mut at, mut joined) = (start, false);
        while at < text.len() && self.graphemes.len() <= MOST_GRAPHEMES {
            let (len, cols) = cluster(&text[at..]);
            let white = len == 1 && matches!(text.as_bytes()[at], b' ' | b'\t');
            let (from, to) = (at as u32, (at + len) as u32);
            at += len;
            if white {
                self.html.push(' ');
            } else if cols > 0 {
                self.letter(cols);
                let cell = self.cells.len().saturating_sub(1) as u32;
                self.graphemes.push(Grapheme { row, start: from, end: to, cell });
            } else if joined && let Some(last) = self.graphemes.last_mut() {
                last.end = to;
            }
            joined = !white && (joined || cols > 0);
        }
    }

    fn letter(&mut self, cols: usize) {
        let base = if cols == 1 { NARROW } else { WIDE };
        // lines may end before and after wide letters
        let edge = if cols == 1 { "" } else { "\u{200b}" };
        self.html.push_str(edge);
        self.html.extend(char::from_u32(base + self.graphemes.len() as u32));
        self.html.extend(std::iter::repeat_n(FILLER, cols.saturating_sub(2)));
        self.html.push_str(edge);
    }
}
