//! The lines of a tree before a row: as many generations of them as a screen has room for.
//!
//! A lead is two columns, then two for each generation, of which the last is `├ ` or `└ `, then the row's own mark. Where
//! generations are left out, the row's depth stands in place of the first two columns. They are left out in steps, so that what
//! stands side by side in a tree does so on the screen, and an answer never stands right below what it answers.

use super::document::Document;
use crate::role::Role;
use std::ops::Range;

/// So many generations are written at most; of deeper rows this many or fewer, but more than half.
const MOST: usize = 64;
/// Columns of a lead beside those of its generations: the depth, the mark.
const BESIDE: usize = 6;
/// The fewest generations that are drawn.
const LEAST: usize = 3;

/// How many of the first generations are left out of a row of a depth where so many have room, in steps of so many.
fn left_out(depth: usize, most: usize, step: usize) -> usize {
    depth.saturating_sub(most).div_ceil(step) * step
}

/// What stands in place of the first two columns.
fn label(depth: usize, out: usize) -> String {
    if out == 0 { "  ".into() } else { format!("{depth:<3} ") }
}

/// Writes the lead of a row of a depth, without its mark. `more` says of a generation, from 0 for the first under the thread's head to
/// the row's own, whether siblings follow; it is asked of those that are written.
pub fn lead(depth: usize, more: impl Fn(usize) -> bool) -> String {
    let out = left_out(depth, MOST, MOST / 2);
    let mut lead = label(depth, out);
    for at in out..depth {
        lead += match (at + 1 == depth, more(at)) {
            (false, true) => "│ ",
            (false, false) => "  ",
            (true, true) => "├ ",
            (true, false) => "└ ",
        };
    }
    lead
}

/// A cell that begins with a lead for which a screen is too narrow: what stands in place of its beginning, and the rest of the cell. Leads have
/// two fifths of the screen.
pub(super) fn shifted(document: &Document, cell: Range<usize>, screen: usize) -> Option<(String, Range<usize>)> {
    let span = document.spans_in(cell.clone()).first().filter(|span| span.role == Role::Marker)?;
    let text = document.text().get(cell.start..(span.end as usize).min(cell.end))?;
    let own = text.rfind(['├', '└']).filter(|_| span.start as usize == cell.start)?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    // After the label, however wide it is.
    let lines = if digits > 0 { digits.max(3) + 1 } else { 2 };
    let columns = text.get(lines..own)?.chars().count() / 2 + 1;
    let depth = text[..digits].parse().unwrap_or(columns);
    let room = (screen * 2 / 5).saturating_sub(BESIDE) / 2;
    if room >= MOST {
        return None;
    }
    let most = room.clamp(LEAST, MOST / 2);
    let out = left_out(depth, most, most - 1);
    let cut = (columns + out).checked_sub(depth).filter(|_| out > 0)?;
    let from = text[lines..].char_indices().nth(2 * cut).map_or(0, |(at, _)| lines + at);
    Some((label(depth, out), cell.start + from..cell.end))
}
