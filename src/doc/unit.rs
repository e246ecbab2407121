//! `Unit`: what a page is made of from top to bottom: blocks, and rows of tables in which blocks stand beside each other.

use super::Marks;
use super::document::{Anchor, Document};
use super::layout::{Layout, Line};
use super::setting::{Pieces, Setting};
use super::table::{Known, Rows};
use std::ops::Range;

/// A block, or rows of a table, at a width.
pub(super) enum Unit<'a> {
    Block(Setting<'a>),
    Rows(Rows<'a>),
}

/// One of its lines.
pub(super) enum Shown<'u, 'a> {
    /// A line of a block, by its octets.
    Piece(&'u Setting<'a>, Range<usize>),
    /// A line of rows, by its number.
    Row(&'u Rows<'a>, usize),
}

/// The lines of a unit from one of them on.
enum Lines<'u, 'a> {
    Block(&'u Setting<'a>, Pieces<'u, 'a>),
    Rows(&'u Rows<'a>, Range<usize>),
}

impl<'a> Unit<'a> {
    /// The unit that a block, which must exist, stands in. `known` are the columns of the table before it.
    pub fn new(layout: &Layout, document: &'a Document, block: u32, known: &mut Known) -> Unit<'a> {
        match document.group_of(block).filter(|_| layout.marks != Marks::Plain) {
            Some(group) => Unit::Rows(Rows::new(layout, document, group, known)),
            None => Unit::Block(Setting::new(layout, document, block)),
        }
    }

    /// The blocks that it shows.
    pub fn blocks(&self) -> Range<u32> {
        match self {
            Unit::Block(setting) => setting.number()..setting.number() + 1,
            Unit::Rows(rows) => rows.blocks(),
        }
    }

    /// The lines from a line start on.
    pub fn from<'u>(&'u self, start: Anchor) -> impl Iterator<Item = Shown<'u, 'a>> {
        match self {
            Unit::Block(setting) => Lines::Block(setting, setting.pieces(start.offset as usize)),
            Unit::Rows(rows) => Lines::Rows(rows, rows.line_of(start)..rows.lines().len()),
        }
    }

    /// Fills `starts` with the line starts up to the line that holds a place; of long blocks with the last of them only: then
    /// says up to which place to ask for more.
    pub fn starts_until(&self, place: Anchor, starts: &mut Vec<Anchor>) -> Option<Anchor> {
        starts.clear();
        match self {
            Unit::Block(setting) => {
                let begins = setting.starts_until(place.offset as usize, starts);
                begins.checked_sub(1).map(|before| setting.anchor(before))
            }
            Unit::Rows(rows) => {
                // rows whose cells are empty have no lines
                let lines = rows.lines();
                let end = if place.block < rows.blocks().end { rows.line_of(place) + 1 } else { lines.len() };
                starts.extend(&lines[..end.min(lines.len())]);
                None
            }
        }
    }

    /// Whether its lines may run on past the edge of the page.
    pub fn is_wide(&self) -> bool {
        match self {
            Unit::Block(setting) => setting.is_clipped(),
            Unit::Rows(rows) => rows.is_wide(),
        }
    }

    /// The column where a place stands, which is on the line that starts at another.
    pub fn column_of(&self, start: Anchor, place: Anchor) -> usize {
        match self {
            Unit::Block(setting) => setting.unclipped_width(start.offset as usize, place.offset as usize),
            Unit::Rows(rows) => rows.column_of(place),
        }
    }
}

impl<'a> Shown<'_, 'a> {
    /// The place of its first character.
    pub fn anchor(&self) -> Anchor {
        match self {
            Shown::Piece(setting, piece) => setting.anchor(piece.start),
            Shown::Row(rows, number) => rows.lines()[*number],
        }
    }

    /// What stands on it; of a line that runs on, or of rows wider than the page, only from a column on, if one is given.
    pub fn line(&self, column: Option<u16>) -> Line<'a> {
        match self {
            Shown::Piece(setting, piece) => setting.line(piece.start, piece.end, column),
            Shown::Row(rows, number) => rows.line(*number, column),
        }
    }

    /// Its columns, were there no right edge.
    pub fn width(&self) -> usize {
        match self {
            Shown::Piece(setting, piece) => setting.unclipped_width(piece.start, piece.end),
            Shown::Row(rows, number) => rows.line(*number, None).width(),
        }
    }
}

impl<'u, 'a> Iterator for Lines<'u, 'a> {
    type Item = Shown<'u, 'a>;

    fn next(&mut self) -> Option<Shown<'u, 'a>> {
        match self {
            Lines::Block(setting, pieces) => Some(Shown::Piece(setting, pieces.next()?)),
            Lines::Rows(rows, numbers) => Some(Shown::Row(rows, numbers.next()?)),
        }
    }
}
