//! Figures: what stands below the block of a link and is not of the page's text: a picture, or words about one.
//!
//! A figure of a picture is a block without text, whose lines are rows of cells that whoever draws pictures fills. Its places are
//! parts of its height, so that the reader stays at the same part of it in every width. Refuses: pixels.

use super::{Anchor, Document, LinkId};
use crate::doc::cells;
use crate::picture::Frame;
use crate::role::Role;
use std::ops::Range;

/// What the height of a figure is parted into.
const PARTS: u32 = 1 << 8;
/// The most rows of a figure.
const MOST_ROWS: u16 = 100;
/// Marks the place within a figure, in a document that has none.
const INSIDE: u32 = 1 << 31;
/// The number of the figure's link in such a place.
const LINK: u32 = (INSIDE >> 8) - 1;

/// What is to stand below a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// The link, in the document as it was written.
    pub link: LinkId,
    /// What.
    pub what: Inserted,
}

/// What stands below a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inserted {
    /// Words, in a look.
    Words(String, Role),
    /// A picture.
    Picture(Canvas),
}

/// The room of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canvas {
    /// Its pixels: columns, rows.
    pub size: (u32, u32),
    /// How large a cell of the screen is, in pixels.
    pub cell: (u16, u16),
    /// The most rows that it may take.
    pub rows: u16,
}

/// A picture that stands in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figure {
    /// The link that names it.
    pub link: LinkId,
    /// How large it is.
    pub canvas: Canvas,
}

impl Canvas {
    /// The pixels of the screen that the picture takes where there are so many columns: all of it is seen, and it is not enlarged.
    pub fn pixels(&self, columns: usize) -> (u32, u32) {
        let (width, height) = (u64::from(self.size.0).max(1), u64::from(self.size.1).max(1));
        let room = (columns as u64).max(1).saturating_mul(self.cell.0.max(1).into());
        let most = u64::from(self.rows.clamp(1, MOST_ROWS)) * u64::from(self.cell.1.max(1));
        let wide = width.min(room);
        let high = (wide * height / width).max(1);
        let (wide, high) = if high > most { ((most * width / height).max(1), most) } else { (wide, high) };
        let narrow = |pixels: u64| u32::try_from(pixels).unwrap_or(u32::MAX);
        (narrow(wide), narrow(high))
    }

    /// What is drawn of it in so many columns: some of its rows.
    pub fn frame(&self, columns: u16, rows: Range<u16>) -> Frame {
        let (wide, high) = self.pixels(columns.into());
        let edge = |row: u16| (u32::from(row) * u32::from(self.cell.1)).min(high);
        let (from, to) = (edge(rows.start), edge(rows.end));
        let part = |pixels: u32| u64::from(pixels) * u64::from(self.size.1) / u64::from(high.max(1));
        let narrow = |pixels: u64| u32::try_from(pixels).unwrap_or(u32::MAX);
        let top = narrow(part(from)).min(self.size.1.saturating_sub(1));
        let height = narrow(part(to)).saturating_sub(top).max(1);
        let cells = (columns, rows.end.saturating_sub(rows.start));
        Frame { cells, pixels: (wide, (to - from.min(to)).max(1)), part: [0, top, self.size.0, height] }
    }

    /// The columns and rows that it takes of so many columns.
    pub fn cells(&self, columns: usize) -> (u16, u16) {
        let (wide, high) = self.pixels(columns);
        let needs = |pixels: u32, cell: u16| cells(pixels.div_ceil(u32::from(cell.max(1))) as usize);
        (needs(wide, self.cell.0), needs(high, self.cell.1).min(MOST_ROWS))
    }
}

/// The row of a figure of so many in which a place of it stands.
pub(super) fn row_at(offset: usize, rows: u16) -> u16 {
    let part = u32::try_from(offset).unwrap_or(u32::MAX).min(PARTS - 1);
    cells((part * u32::from(rows) / PARTS) as usize)
}

/// The place of a row of so many.
pub(super) fn place_of(row: u16, rows: u16) -> usize {
    (u32::from(row) * PARTS).div_ceil(u32::from(rows.max(1))) as usize
}

/// A place in what stands below a link, as a place of the block above it.
pub(super) fn enclosed(block: u32, link: LinkId, offset: u32) -> Anchor {
    Anchor { block, offset: INSIDE | (link.0 & LINK) << 8 | offset.min(PARTS - 1) }
}

/// The way back: whether it is of a link, and the place in what stands below that.
pub(super) fn within(given: Anchor, link: LinkId) -> Option<u32> {
    let is_it = given.offset & INSIDE != 0 && given.offset != u32::MAX && given.offset >> 8 & LINK == link.0 & LINK;
    is_it.then_some(given.offset & (PARTS - 1))
}

impl Document {
    /// The pictures that stand in it, by their numbers.
    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_where_its_place_is() {
        for rows in 1..=MOST_ROWS {
            for row in 0..rows {
                assert_eq!(row_at(place_of(row, rows), rows), row, "{row} of {rows}");
            }
        }
        assert_eq!(row_at(usize::MAX, 7), 6);
    }

    #[test]
    fn a_picture_is_seen_whole_and_never_enlarged() {
        let of = |size, columns| Canvas { size, cell: (10, 20), rows: 20 }.cells(columns);
        assert_eq!(of((100, 100), 80), (10, 5));
        assert_eq!(of((1600, 400), 80), (80, 10));
        assert_eq!(of((400, 800), 80), (20, 20));
        assert_eq!(of((100_000, 1), 80), (80, 1));
        assert_eq!(of((1, 100_000), 80), (1, 20));
        assert_eq!(of((u32::MAX, u32::MAX), 1), (1, 1));
    }

    #[test]
    fn a_place_within_is_found_again() {
        let place = enclosed(7, LinkId(300), 44);
        assert_eq!((place.block, within(place, LinkId(300)), within(place, LinkId(301))), (7, Some(44), None));
        assert_eq!(within(Anchor { block: 7, offset: u32::MAX }, LinkId(LINK)), None);
    }
}
