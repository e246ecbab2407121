//! The pages themselves, in pieces that are shared: whoever searches them on another thread holds what there was when they
//! began, and a visit meanwhile costs the copy of one piece at most.

use super::Visit;
use super::index;
use std::sync::Arc;

/// Rows of a piece.
const PIECE: usize = 1 << 12;

/// Pages in the order of their times, the oldest first. A copy of a million costs as much as one of a few hundred numbers.
#[derive(Debug, Clone, Default)]
pub struct Pages {
    /// All are full but the last.
    pieces: Vec<Arc<Piece>>,
}

/// The same pages, not others like them.
impl PartialEq for Pages {
    fn eq(&self, other: &Pages) -> bool {
        let same = |(one, other): (&Arc<Piece>, &Arc<Piece>)| Arc::ptr_eq(one, other);
        self.pieces.len() == other.pieces.len() && self.pieces.iter().zip(&other.pieces).all(same)
    }
}

#[derive(Debug, Clone, Default)]
struct Piece {
    /// URL, TAB and title of every row, somewhere.
    text: String,
    /// A row without visits is a page that was forgotten, or visited again later: rows keep their numbers.
    rows: Vec<Row>,
}

/// A page, and where it stands in its piece's text.
#[derive(Debug, Clone, Copy)]
struct Row {
    time: i64,
    /// Where the URL begins; the title stands one octet behind it.
    start: u32,
    url: u32,
    title: u32,
    count: u32,
}

impl Pages {
    /// The pages of the rows before one, with their rows' numbers, the one that was visited last first; from the end for a
    /// number that is too large. Rows keep their numbers whatever is added or forgotten.
    pub fn older(&self, than: usize) -> impl Iterator<Item = (usize, Visit<'_>)> {
        self.pieces.iter().enumerate().take(than.div_ceil(PIECE)).rev().flat_map(move |(at, piece)| {
            let first = at * PIECE;
            let rows = piece.rows.iter().enumerate().take(than - first).rev().filter(|(_, row)| row.count > 0);
            rows.map(move |(number, row)| (first + number, piece.visit(row)))
        })
    }

    /// Every page with its row's number, the one that was visited first first.
    pub(super) fn oldest(&self) -> impl Iterator<Item = (usize, Visit<'_>)> {
        let rows = self.pieces.iter().flat_map(|piece| piece.rows.iter().map(move |row| (piece, row)));
        rows.enumerate().filter(|(_, (_, row))| row.count > 0).map(|(number, (piece, row))| (number, piece.visit(row)))
    }

    /// How many rows there are, those of forgotten pages among them.
    pub fn rows(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.rows.len())
    }

    /// The number of the first row of a time, or of a later one.
    pub(super) fn since(&self, time: i64) -> usize {
        let earlier = |piece: &Arc<Piece>| piece.rows.last().is_some_and(|row| row.time < time);
        let at = self.pieces.partition_point(earlier);
        let rows = self.pieces.get(at).map_or(0, |piece| piece.rows.partition_point(|row| row.time < time));
        at * PIECE + rows
    }

    /// A row; `None` where it is not there any more.
    pub(super) fn get(&self, number: usize) -> Option<Visit<'_>> {
        let piece = self.pieces.get(number / PIECE)?;
        piece.rows.get(number % PIECE).filter(|row| row.count > 0).map(|row| piece.visit(row))
    }

    /// The time of the last row.
    pub(super) fn last(&self) -> Option<i64> {
        self.pieces.last()?.rows.last().map(|row| row.time)
    }

    /// Adds a row; gives its number. What is longer than a row can be is left out.
    pub(super) fn push(&mut self, visit: Visit<'_>) -> Option<usize> {
        let number = self.rows();
        if number.is_multiple_of(PIECE) {
            self.pieces.push(Arc::default());
        }
        let piece = Arc::make_mut(self.pieces.last_mut()?);
        let start = piece.write(visit)?;
        let [url, title] = [visit.url, visit.title].map(|text| index(text.len()));
        piece.rows.push(Row { time: visit.time, start, url, title, count: visit.count });
        Some(number)
    }

    /// A page has another title.
    pub(super) fn entitle(&mut self, number: usize, title: &str) {
        let Some(piece) = self.pieces.get_mut(number / PIECE).map(Arc::make_mut) else { return };
        let Some(row) = piece.rows.get(number % PIECE).copied() else { return };
        let url = piece.visit(&row).url.to_owned();
        if let Some(start) = piece.write(Visit { url: &url, title, time: row.time, count: row.count }) {
            piece.rows[number % PIECE] = Row { start, title: index(title.len()), ..row };
        }
    }

    /// A page is forgotten, or was visited again.
    pub(super) fn drop(&mut self, number: usize) {
        let piece = self.pieces.get_mut(number / PIECE).map(Arc::make_mut);
        if let Some(row) = piece.and_then(|piece| piece.rows.get_mut(number % PIECE)) {
            row.count = 0;
        }
    }
}

impl Piece {
    fn visit(&self, row: &Row) -> Visit<'_> {
        let start = row.start as usize;
        let (url, title) = (start..start + row.url as usize, start + row.url as usize + 1);
        let title = self.text.get(title..title + row.title as usize).unwrap_or_default();
        Visit { url: &self.text[url], title, time: row.time, count: row.count }
    }

    /// Puts what a row says at the end of the text; says where.
    fn write(&mut self, visit: Visit<'_>) -> Option<u32> {
        let start = self.text.len();
        u32::try_from(start + visit.url.len() + visit.title.len() + 1).ok()?;
        self.text.extend([visit.url, "\t", visit.title]);
        Some(index(start))
    }
}
