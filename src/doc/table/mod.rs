//! Tables as html2text sets them. While a table is read, its structure is kept as parts beside the text of its rows; when
//! it is complete and not too large, its layout at a width is html2text's, asked once per width and remembered.
//!
//! html2text never sees the text: each grapheme goes in as one letter of the same width that stands for it (`written`), and
//! what comes out is read back letter by letter (`laid`). So every piece on the screen is a piece of the document, with its
//! look, its link and its place, and a layout in which a letter is missing is not used.
//! Refuses: tables beyond its bounds and those that html2text cannot set; they are left to [`super::cells`].

mod laid;
mod written;

pub(super) use laid::{Bit, Ink, Laid, Row};

use super::document::{Align, Document};
use html2text::config;
use laid::Unread;
use std::sync::{Arc, Mutex, PoisonError};
use written::Written;

/// The most parts of a table: some six thousand plain cells.
const MOST_PARTS: usize = 16_384;
/// The most graphemes.
const MOST_GRAPHEMES: usize = 60_000;
/// The most columns in which a cell can stand; the format has no more.
const MOST_COLUMNS: usize = 64;
/// The most rows in which a cell can stand.
const MOST_ROWS: u16 = 200;
/// How deep tables and lists nest.
const DEEPEST: usize = 24;
/// The widest layout that is tried before a table is left to others.
const WIDEST: usize = 1000;

/// What begins or ends at a place of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A row begins. In the table itself it is a block of the document.
    Row,
    /// A cell begins.
    Cell {
        /// In how many columns it stands.
        columns: u16,
        /// In how many rows it stands.
        rows: u16,
        /// Which edge its text keeps to.
        align: Align,
    },
    /// A line ends.
    Break,
    /// A block begins.
    Block,
    /// A block with blank lines around it begins.
    Apart,
    /// A list with bullets begins.
    Bullets,
    /// A list with numbers begins, with this one.
    Numbers(i32),
    /// An item of a list begins.
    Item,
    /// A table within a cell begins.
    Table,
    /// What began last and has not ended ends.
    End,
}

/// A part, and where in the text of its row it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    pub part: Part,
    pub at: u32,
}

/// A guess of what columns a table needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    /// Of all its columns.
    pub width: usize,
    /// Of its words; columns do not become narrower, unless all they hold is.
    pub word: usize,
}

/// A table's structure, and its layout at the width that was asked for last.
#[derive(Debug, Default)]
pub(super) struct Structure {
    parts: Vec<Placed>,
    last: Mutex<Option<(usize, Option<Arc<Laid>>)>>,
}

impl PartialEq for Structure {
    fn eq(&self, other: &Structure) -> bool {
        self.parts == other.parts
    }
}

impl Eq for Structure {}

impl Structure {
    /// The structure of a table that is complete; `None` when it is too large or too deep.
    pub fn new(mut parts: Vec<Placed>, columns: usize) -> Option<Structure> {
        let (mut depth, mut deepest) = (0usize, 0);
        let mut nested: Option<usize> = None;
        for placed in &mut parts {
            match &mut placed.part {
                Part::End => {
                    depth = depth.saturating_sub(1);
                    nested = nested.filter(|outer| *outer < depth);
                    continue;
                }
                Part::Break => continue,
                Part::Table => nested = nested.or(Some(depth)),
                Part::Cell { columns: own, .. } => {
                    let most = if nested.is_none() { columns.min(MOST_COLUMNS) } else { MOST_COLUMNS };
                    *own = (*own).clamp(1, most.max(1) as u16);
                }
                _ => {}
            }
            depth += 1;
            deepest = deepest.max(depth);
        }
        parts.shrink_to_fit();
        let bounded = !parts.is_empty() && parts.len() <= MOST_PARTS && deepest <= DEEPEST;
        bounded.then(|| Structure { parts, last: Mutex::default() })
    }

    /// Whether a table with this many parts so far is too large already.
    pub fn is_beyond(parts: usize) -> bool {
        parts > MOST_PARTS
    }

    /// How much memory it holds beside itself, in octets.
    pub fn memory(&self) -> usize {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let laid = last.as_ref().and_then(|(_, laid)| laid.as_ref()).map_or(0, |laid| laid.memory());
        self.parts.capacity() * size_of::<Placed>() + laid
    }

    /// The layout within some columns, the rows being blocks of the document. `None` when html2text has none.
    pub fn laid(&self, document: &Document, rows: &[u32], needs: Needs, room: usize) -> Option<Arc<Laid>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((width, laid)) = last.as_ref()
            && *width == room
        {
            return laid.clone();
        }
        let texts: Vec<&str> = rows.iter().map(|block| document.block_text(*block)).collect();
        let laid = lay_out(&self.parts, &texts, needs, room).map(Arc::new);
        *last = Some((room, laid.clone()));
        laid
    }
}

/// Sets a table within some columns, or in as many as it needs. A plain one that needs more is left to others: they know
/// its words better, and html2text would put its cells one below the other.
fn lay_out(parts: &[Placed], texts: &[&str], needs: Needs, room: usize) -> Option<Laid> {
    let written = Written::new(parts, texts)?;
    let plain = parts.iter().all(|placed| match placed.part {
        Part::Cell { rows, .. } => rows == 1,
        part => matches!(part, Part::Row | Part::End),
    });
    if plain && needs.width > room {
        return None;
    }
    let mut width = room.max(needs.width);
    while width <= WIDEST {
        match Laid::read(&ask(&written.html, width, needs.word)?, &written, texts) {
            // cells one below the other: it is too narrow for columns
            Err(Unread::Stacked) if plain => return None,
            Err(Unread::Stacked) => width += width / 4 + 4,
            Err(Unread::Incomplete) => return None,
            // gaps are wider than html2text makes them
            Ok(laid) if laid.width > room && width == room => {
                let less = (laid.width - room).min(room - 1);
                let lines = ask(&written.html, room - less, needs.word)?;
                return Some(Laid::read(&lines, &written, texts).unwrap_or(laid));
            }
            Ok(laid) => return Some(laid),
        }
    }
    None
}

/// The lines of html2text. The tree that it sets is built anew for each width: copying one recurses.
fn ask(html: &str, width: usize, word: usize) -> Option<Vec<String>> {
    let config = config::rich().allow_width_overflow().unicode_strikeout(false).min_wrap_width(word);
    let dom = config.parse_html(html.as_bytes()).ok()?;
    let tree = config.dom_to_render_tree(&dom).ok()?;
    let lines = config.render_to_lines(tree, width).ok()?;
    Some(lines.iter().map(|line| line.tagged_strings().map(|piece| piece.s.as_str()).collect()).collect())
}
