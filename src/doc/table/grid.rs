//! The columns of a table on the screen (CSS 2.1, 17.5.2.2): as wide as their texts if there is room; else the room is shared
//! out, and narrow columns keep all they want. Where there is not even room for every word, preformatted lines are broken if
//! that leaves enough of them; else the table is wider than the screen, which is scrolled along it. Only a single row wraps
//! then: its last columns stand below the first ones, for nothing above or below them has to keep in line.

use super::measure::{GAP, shares};
use super::{Table, TableColumn};
use crate::doc::layout::Wrap;
use std::ops::Range;

/// Columns by which a row that wraps is set in, from the second line of columns on.
const INSET: usize = 2;
/// The narrowest room in which it is.
const INSET_ROOM: usize = 20;
/// No table is wider, nor one that has fewer cells in a row than take so much: words are broken first. Whoever scrolls
/// sideways counts in sixteen bits, and a table as text must not be much larger than what it was made of.
const WIDEST: usize = 60_000;
const WIDEST_OF_FEW: usize = 1000;
/// The columns of the screen that a cell may make a table wider.
const WIDEST_CELL: usize = 64;

/// The columns of a table within some room.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::doc) struct Grid {
    columns: Vec<Placed>,
    /// How many lines of columns there are; one, unless its row wraps.
    pub bands: usize,
    /// The columns of the screen that it takes, which may be more than there are.
    pub width: usize,
}

/// A column on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Placed {
    left: usize,
    width: usize,
    band: usize,
}

/// Columns beside each other.
struct Fitted {
    widths: Vec<usize>,
    /// The columns of the screen between them.
    gap: usize,
}

impl Grid {
    /// The columns of a table within some room, at least one column.
    pub fn new(table: &Table, room: usize, wrap: Wrap) -> Grid {
        let needs = table.needs();
        let shown: Vec<usize> = (0..needs.len()).filter(|at| needs[*at].most > 0).collect();
        let wanted: Vec<TableColumn> = shown.iter().map(|at| needs[*at]).collect();
        let mut grid = Grid { columns: vec![Placed::default(); needs.len()], bands: 0, width: 0 };
        for band in bands(&wanted, room, table.rows.len(), wrap) {
            let inset = if grid.bands > 0 { inset(room) } else { 0 };
            let Fitted { widths, gap } = fitted(&wanted[band.clone()], room - inset, wrap)
                .unwrap_or_else(|| wide(&wanted[band.clone()], room - inset, widest(table), wrap));
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
        let last = over.iter().rev().find(|other| other.band == first.band && other.width > 0);
        let right = last.map(|other| other.left + other.width);
        (first.band, first.left, right.unwrap_or(0).saturating_sub(first.left).max(1))
    }
}

fn inset(room: usize) -> usize {
    if room >= INSET_ROOM { INSET } else { 0 }
}

/// Which columns stand beside each other: all, or of a single row as many as there is room for.
fn bands(needs: &[TableColumn], room: usize, rows: usize, wrap: Wrap) -> Vec<Range<usize>> {
    let (mut bands, mut from, mut taken) = (Vec::new(), 0, 0);
    let wraps = rows <= 1 && fitted(needs, room, wrap).is_none();
    for (at, need) in needs.iter().enumerate().filter(|_| wraps) {
        let room = if bands.is_empty() { room } else { room - inset(room) };
        let least = kept(need, room, wrap);
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

/// The narrowest that a column may be: words that fit the screen are kept whole, and all words where no screen is.
fn kept(need: &TableColumn, room: usize, wrap: Wrap) -> usize {
    let word = usize::from(need.word);
    let word = if wrap == Wrap::WholeUrls { word } else { word.min(room) };
    word.max(need.whole.into()).max(1)
}

/// The widths of columns within some room; `None` when there is too little.
fn fitted(needs: &[TableColumn], room: usize, wrap: Wrap) -> Option<Fitted> {
    let of = |what: fn(&TableColumn) -> u16| -> Vec<usize> {
        needs.iter().map(|need| usize::from(what(need)).max(1)).collect()
    };
    let most = of(|need| need.most);
    // what should stay whole, and what must; words that do not fit the screen are broken anyway
    let least = of(|need| need.least.max(need.whole));
    let breaks = |need: &TableColumn| wrap != Wrap::WholeUrls && usize::from(need.word) > room;
    let must = |need: &TableColumn| if breaks(need) { room / 2 } else { need.word.into() };
    let word: Vec<usize> = needs.iter().map(|need| must(need).max(need.whole.into()).max(1)).collect();
    for gap in [GAP, 1] {
        let Some(free) = room.checked_sub(gap * needs.len().saturating_sub(1)) else { continue };
        if most.iter().sum::<usize>() <= free {
            return Some(Fitted { widths: most, gap });
        }
        if least.iter().sum::<usize>() <= free {
            return Some(Fitted { widths: distribute(&least, &most, free), gap });
        }
        let cut = |level: usize| word.iter().zip(&least).map(move |(word, least)| (*least).min(level).max(*word));
        let level = highest(free, |level| cut(level).sum());
        if wrap != Wrap::Off && level >= room / 2 && cut(level).sum::<usize>() <= free {
            let least: Vec<usize> = cut(level).collect();
            return Some(Fitted { widths: distribute(&least, &most, free), gap });
        }
    }
    None
}

/// The columns of the screen that a table may take at most.
fn widest(table: &Table) -> usize {
    let cells = table.cells.len() / table.rows.len().max(1);
    (WIDEST_CELL * cells).clamp(WIDEST_OF_FEW, WIDEST)
}

/// The widths of columns that are wider together than the screen: wide enough to be read, and for their words.
fn wide(needs: &[TableColumn], room: usize, widest: usize, wrap: Wrap) -> Fitted {
    let comfortable = (room / 4).clamp(16, 24).min(room);
    let least: Vec<usize> = (needs.iter())
        .map(|need| {
            let lines = if wrap == Wrap::Off { need.least.into() } else { usize::from(need.least).min(room) };
            kept(need, room, wrap).max(lines).max(comfortable.min(need.most.into()))
        })
        .collect();
    let free = widest.saturating_sub(GAP * needs.len().saturating_sub(1));
    let longest = highest(free, |longest| least.iter().map(|least| (*least).min(longest)).sum()).max(1);
    Fitted { widths: least.into_iter().map(|least| least.min(longest)).collect(), gap: GAP }
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
