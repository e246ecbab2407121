//! The columns of a table on the screen (CSS 2.1, 17.5.2.2): as wide as their texts if there is room; else the room is shared
//! out, and narrow columns keep all they want. Where there is not even room for every word, columns stand closer, then the
//! longest words are broken; where that would break most of them, rows wrap: their last columns stand below the first ones.

use super::measure::{GAP, shares};
use super::{Table, TableColumn};
use std::ops::Range;

/// Columns by which rows that wrap are set in, from the second line of columns on.
const INSET: usize = 2;
/// The narrowest room in which they are.
const INSET_ROOM: usize = 20;

/// The columns of a table within some room.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::doc) struct Grid {
    columns: Vec<Placed>,
    /// How many lines of columns there are; one, unless rows wrap.
    pub bands: usize,
    /// The columns of the screen that it takes.
    pub width: usize,
}

/// A column on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Placed {
    left: usize,
    width: usize,
    band: usize,
}

impl Grid {
    /// The columns of a table within some room, at least one column.
    pub fn new(table: &Table, room: usize) -> Grid {
        let needs = table.needs();
        let shown: Vec<usize> = (0..needs.len()).filter(|at| needs[*at].most > 0).collect();
        let wanted: Vec<TableColumn> = shown.iter().map(|at| needs[*at]).collect();
        let mut grid = Grid { columns: vec![Placed::default(); needs.len()], bands: 0, width: 0 };
        for band in bands(&wanted, room) {
            let inset = if grid.bands > 0 { inset(room) } else { 0 };
            let (widths, gap) = fitted(&wanted[band.clone()], room - inset)
                .unwrap_or_else(|| forced(&wanted[band.clone()], room - inset));
            let mut left = inset;
            for (at, width) in shown[band].iter().zip(widths) {
                grid.columns[*at] = Placed { left, width, band: grid.bands };
                grid.width = grid.width.max(left + width);
                left += width + gap;
            }
            grid.bands += 1;
        }
        grid.fill();
        grid
    }

    /// Columns without a text of their own take no room: a cell that begins in one begins with the next that has some.
    fn fill(&mut self) {
        let mut next = self.columns.iter().rev().find(|column| column.width > 0).copied().unwrap_or_default();
        for column in self.columns.iter_mut().rev() {
            match column.width {
                0 => *column = Placed { width: 0, ..next },
                _ => next = *column,
            }
        }
    }

    /// The line of columns in which a cell stands that begins in a column, and where there: its left edge and its width.
    pub fn place(&self, column: usize, columns: usize) -> (usize, usize, usize) {
        let Some(first) = self.columns.get(column) else { return (0, 0, 1) };
        let over = &self.columns[column..(column + columns).min(self.columns.len())];
        let over = over.iter().filter(|other| other.band == first.band && other.width > 0);
        let right = over.map(|other| other.left + other.width).max();
        (first.band, first.left, right.unwrap_or(0).saturating_sub(first.left).max(1))
    }
}

fn inset(room: usize) -> usize {
    if room >= INSET_ROOM { INSET } else { 0 }
}

/// The shortest length at which words are broken so that columns stand beside each other.
fn shortest_broken(room: usize) -> usize {
    (room / 4).clamp(6, 12)
}

/// Which columns stand beside each other: all, or as many as there is room for.
fn bands(needs: &[TableColumn], room: usize) -> Vec<Range<usize>> {
    let (mut bands, mut from, mut taken) = (Vec::new(), 0, 0);
    let wraps = fitted(needs, room).is_none();
    for (at, need) in needs.iter().enumerate().filter(|_| wraps) {
        let room = if bands.is_empty() { room } else { room - inset(room) };
        let least = usize::from(need.least).clamp(1, room);
        if at > from && taken + GAP + least > room {
            bands.push(from..at);
            (from, taken) = (at, least);
        } else {
            taken += least + if at > from { GAP } else { 0 };
        }
    }
    bands.extend(Some(from..needs.len()).filter(|last| !last.is_empty()));
    bands
}

/// The widths of columns within some room, and the columns between them; `None` when too much would have to be broken.
fn fitted(needs: &[TableColumn], room: usize) -> Option<(Vec<usize>, usize)> {
    let (least, most) = (of(needs, |need| need.least), of(needs, |need| need.most));
    for gap in [GAP, 1] {
        let Some(free) = room.checked_sub(gap * needs.len().saturating_sub(1)) else { continue };
        if most.iter().sum::<usize>() <= free {
            return Some((most, gap));
        }
        if least.iter().sum::<usize>() <= free {
            return Some((distribute(&least, &most, free), gap));
        }
    }
    let longest = longest_within(&least, room);
    (longest >= shortest_broken(room)).then(|| cut(&least, &most, longest, room))
}

/// The widths of columns of which words are broken, whatever is left of them.
fn forced(needs: &[TableColumn], room: usize) -> (Vec<usize>, usize) {
    let (least, most) = (of(needs, |need| need.least), of(needs, |need| need.most));
    cut(&least, &most, longest_within(&least, room).max(1), room)
}

/// The length at which words are to be broken so that columns get along with some room.
fn longest_within(least: &[usize], room: usize) -> usize {
    let free = room.saturating_sub(GAP * least.len().saturating_sub(1));
    highest(free, |longest| least.iter().map(|least| (*least).min(longest)).sum())
}

fn cut(least: &[usize], most: &[usize], longest: usize, room: usize) -> (Vec<usize>, usize) {
    let least: Vec<usize> = least.iter().map(|least| (*least).min(longest)).collect();
    (distribute(&least, most, room.saturating_sub(GAP * least.len().saturating_sub(1))), GAP)
}

fn of(needs: &[TableColumn], what: fn(&TableColumn) -> u16) -> Vec<usize> {
    needs.iter().map(|need| usize::from(what(need)).max(1)).collect()
}

/// The highest level up to some room at which what is asked for is no more than there is.
fn highest(room: usize, asked: impl Fn(usize) -> usize) -> usize {
    let (mut low, mut high) = (0, room);
    while low < high {
        let middle = (low + high).div_ceil(2);
        match asked(middle) <= room {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    low
}

/// Widths between what columns need and what they want. Those that want no more than a fair share get it; the others share
/// what is left: half of it evenly, the rest by how much they want.
fn distribute(least: &[usize], most: &[usize], room: usize) -> Vec<usize> {
    let fair = highest(room, |level| least.iter().zip(most).map(|(least, most)| level.min(*most).max(*least)).sum());
    let base = least.iter().zip(most).map(|(least, most)| if *most <= fair { *most } else { (fair / 2).max(*least) });
    let mut widths: Vec<usize> = base.collect();
    let left = room.saturating_sub(widths.iter().sum());
    let wants: Vec<usize> = widths.iter().zip(most).map(|(width, most)| most.saturating_sub(*width)).collect();
    for (width, (more, want)) in widths.iter_mut().zip(shares(left, &wants).into_iter().zip(wants)) {
        *width += more.min(want);
    }
    widths
}
