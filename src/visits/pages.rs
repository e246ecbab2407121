//! The pages themselves, in pieces that are shared: whoever searches them on another thread holds what there was when they
//! began, and a visit meanwhile costs the copy of one piece at most.

use super::Visit;
use super::index;
use std::sync::Arc;

/// Rows of a piece.
const PIECE: usize = 1 << 12;
/// No row.
const NONE: u32 = u32::MAX;
/// The first number of a row's state that names a row, and one more than there may be.
const NAMES: u32 = 1 << 31;

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
    /// Rows keep their numbers, whatever becomes of their pages.
    rows: Vec<Row>,
}

/// A visit of a page, and where it stands in its piece's text.
#[derive(Debug, Clone, Copy)]
struct Row {
    time: i64,
    /// Where the URL begins; the title stands one octet behind it.
    start: u32,
    url: u16,
    title: u16,
    /// The row of the visit that led there; [`NONE`] where the reader named the page.
    led: u32,
    /// 0 of a page that was forgotten. From [`NAMES`] on the page was visited again, in the row that the rest of the number
    /// names. Else it is the last visit, and this is how many there were.
    state: u32,
}

impl Row {
    fn is_last(&self) -> bool {
        (1..NAMES).contains(&self.state)
    }
}

impl Pages {
    /// The pages of the rows before one, with their rows' numbers, the one that was visited last first; from the end for a
    /// number that is too large. Rows keep their numbers whatever is added or forgotten.
    pub fn older(&self, than: usize) -> impl Iterator<Item = (usize, Visit<'_>)> {
        self.pieces.iter().enumerate().take(than.div_ceil(PIECE)).rev().flat_map(move |(at, piece)| {
            let first = at * PIECE;
            let rows = piece.rows.iter().enumerate().take(than - first).rev().filter(|(_, row)| row.is_last());
            rows.map(move |(number, row)| (first + number, piece.visit(row)))
        })
    }

    /// Every page with its row's number, the one that was visited first first.
    pub(super) fn oldest(&self) -> impl Iterator<Item = (usize, Visit<'_>)> {
        let rows = self.pieces.iter().flat_map(|piece| piece.rows.iter().map(move |row| (piece, row)));
        rows.enumerate().filter(|(_, (_, row))| row.is_last()).map(|(number, (piece, row))| (number, piece.visit(row)))
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
        self.visit(number).filter(|(row, _)| row.is_last()).map(|(_, visit)| visit)
    }

    /// A row, and what it says.
    fn visit(&self, number: usize) -> Option<(&Row, Visit<'_>)> {
        let piece = self.pieces.get(number / PIECE)?;
        piece.rows.get(number % PIECE).map(|row| (row, piece.visit(row)))
    }

    /// What a row says, also of an earlier visit.
    pub(super) fn any(&self, number: usize) -> Option<Visit<'_>> {
        self.visit(number).map(|(_, visit)| visit)
    }

    /// The row of the visit that led to one: to the page as it was visited then.
    pub(super) fn led(&self, number: usize) -> Option<usize> {
        self.visit(number).map(|(row, _)| row.led).filter(|led| *led != NONE).map(|led| led as usize)
    }

    /// For every row the one of its page's last visit; none where that was forgotten.
    pub(super) fn last_visits(&self) -> Vec<Option<u32>> {
        let mut last = vec![None; self.rows()];
        for (at, piece) in self.pieces.iter().enumerate().rev() {
            for (number, row) in piece.rows.iter().enumerate().rev() {
                let number = at * PIECE + number;
                last[number] = match row.state {
                    0 => None,
                    // It is a later one, of which this is known already.
                    state => match state.checked_sub(NAMES) {
                        Some(next) => last.get(next as usize).copied().flatten(),
                        None => Some(index(number)),
                    },
                };
            }
        }
        last
    }

    /// The rows of earlier visits over which the way to a page's last visit leads, in their order, the newest and no more than so
    /// many. `last` is what [`Pages::last_visits`] says.
    pub(super) fn earlier(&self, last: &[Option<u32>], most: usize) -> Vec<usize> {
        let (mut on_a_way, settled) = (vec![false; last.len()], self.settled());
        for (row, _) in self.oldest() {
            let mut at = row;
            // Who comes where somebody was goes on as they did.
            while let Some(led) = self.led(at).and_then(|led| settled.get(led).copied()) {
                match on_a_way.get_mut(led) {
                    Some(seen) if !*seen && last[led].is_some() => *seen = true,
                    _ => break,
                }
                at = led;
            }
        }
        let is_last = |row: usize| last[row].is_some_and(|last| last as usize == row);
        let rows = (0..last.len()).rev().filter(|row| on_a_way[*row] && !is_last(*row)).take(most);
        let mut rows: Vec<usize> = rows.collect();
        rows.reverse();
        rows
    }

    /// For every row the one in which its visit came to stand: several lines of one time are one visit.
    fn settled(&self) -> Vec<usize> {
        let mut settled: Vec<usize> = (0..self.rows()).collect();
        for row in (0..settled.len()).rev() {
            if let Some((now, visit)) = self.visit(row)
                && let Some(next) = now.state.checked_sub(NAMES).map(|next| next as usize)
                && self.visit(next).is_some_and(|(_, later)| later.time == visit.time)
            {
                settled[row] = settled.get(next).copied().unwrap_or(row);
            }
        }
        settled
    }

    /// The time of the last row.
    pub(super) fn last(&self) -> Option<i64> {
        self.pieces.last()?.rows.last().map(|row| row.time)
    }

    /// Adds a row; gives its number. What is longer than a row can be is left out, of a title the rest.
    pub(super) fn push(&mut self, visit: Visit<'_>, led: Option<usize>) -> Option<usize> {
        let number = self.rows();
        if index(number) >= NAMES {
            return None;
        }
        let url = u16::try_from(visit.url.len()).ok()?;
        let (visit, title) = fitting(visit);
        if number.is_multiple_of(PIECE) {
            self.pieces.push(Arc::default());
        }
        let piece = Arc::make_mut(self.pieces.last_mut()?);
        let start = piece.write(visit)?;
        let (led, state) = (led.map_or(NONE, index), visit.count.clamp(1, NAMES - 1));
        piece.rows.push(Row { time: visit.time, start, url, title, led, state });
        Some(number)
    }

    /// A page has another title.
    pub(super) fn entitle(&mut self, number: usize, title: &str) {
        let Some(piece) = self.pieces.get_mut(number / PIECE).map(Arc::make_mut) else { return };
        let Some(row) = piece.rows.get(number % PIECE).copied() else { return };
        let url = piece.visit(&row).url.to_owned();
        let (visit, title) = fitting(Visit { url: &url, title, time: row.time, count: 1 });
        if let Some(start) = piece.write(visit) {
            piece.rows[number % PIECE] = Row { start, title, ..row };
        }
    }

    /// Another visit led to one.
    pub(super) fn lead(&mut self, number: usize, led: usize) {
        if let Some(row) = self.row(number) {
            row.led = index(led);
        }
    }

    /// A page was visited again, in a later row.
    pub(super) fn pass(&mut self, number: usize, next: usize) {
        if let Some(row) = self.row(number) {
            row.state = NAMES + index(next).min(NAMES - 1);
        }
    }

    /// A page is forgotten.
    pub(super) fn drop(&mut self, number: usize) {
        if let Some(row) = self.row(number) {
            row.state = 0;
        }
    }

    fn row(&mut self, number: usize) -> Option<&mut Row> {
        self.pieces.get_mut(number / PIECE).map(Arc::make_mut)?.rows.get_mut(number % PIECE)
    }
}

/// A visit whose title has no more octets than a row can name, and how many those are.
fn fitting(visit: Visit<'_>) -> (Visit<'_>, u16) {
    let title = &visit.title[..visit.title.floor_char_boundary(usize::from(u16::MAX))];
    (Visit { title, ..visit }, u16::try_from(title.len()).unwrap_or_default())
}

impl Piece {
    fn visit(&self, row: &Row) -> Visit<'_> {
        let start = row.start as usize;
        let url = start..start + usize::from(row.url);
        let title = url.end + 1..url.end + 1 + usize::from(row.title);
        let title = self.text.get(title).unwrap_or_default();
        let count = if row.is_last() { row.state } else { 1 };
        Visit { url: &self.text[url], title, time: row.time, count }
    }

    /// Puts what a row says at the end of the text; says where.
    fn write(&mut self, visit: Visit<'_>) -> Option<u32> {
        let start = self.text.len();
        u32::try_from(start + visit.url.len() + visit.title.len() + 1).ok()?;
        self.text.extend([visit.url, "\t", visit.title]);
        Some(index(start))
    }
}
