//! The box of an overlay: a border with the title above and what its keys do below; none where the screen is too small.

use super::canvas::{BORDERS, CORNERS, Canvas, DOT, ELLIPSIS, shortened};
use crate::app::Spot;
use crate::doc::columns;
use crate::role::Role;
use ratatui::layout::Rect;

/// The size of content that a box on `page` could hold at most.
pub fn most(page: Rect) -> (u16, u16) {
    let (x, y) = border(page);
    (page.width.saturating_sub(2 * x), page.height.saturating_sub(2 * y))
}

/// Columns of border and padding at each side, rows above and below.
fn border(page: Rect) -> (u16, u16) {
    (if page.width < 24 { 0 } else { 2 }, if page.height < 6 { 0 } else { 1 })
}

/// A box without a border, at the lower edge, for who listens: title, content, what keys do, one a row.
fn plain(canvas: &mut Canvas<'_>, page: Rect, rows: u16, title: &str, hint: &str) -> Rect {
    let above = u16::from(columns(title) > 0);
    let below = u16::from(columns(hint) > 0);
    let height = rows.saturating_add(above + below).min(page.height);
    let area = Rect { y: page.bottom() - height, height, ..page };
    canvas.fill(area, Role::Overlay);
    canvas.spots.mark(area, Spot::Overlay);
    let room = usize::from(area.width);
    let words = |words: &str| {
        let words = words.replace(" · ", ", ").replace(" , ", ", ");
        shortened(&words, room, ELLIPSIS, canvas.theme.unicode)
    };
    let (title, hint) = (words(title), words(hint));
    let (above, below) = (above.min(height), below.min(height.saturating_sub(above)));
    if above > 0 {
        canvas.put(area.x, area.y, area.right(), &title, Role::OverlayTitle);
    }
    if below > 0 {
        canvas.put(area.x, area.bottom() - 1, area.right(), &hint, Role::OverlayDim);
    }
    Rect { y: area.y + above, height: height - above - below, ..area }
}

/// Draws a box for content of that size in the middle of the page; gives the area of the content.
pub fn draw(canvas: &mut Canvas<'_>, page: Rect, size: (u16, u16), title: &str, hint: &str) -> Rect {
    if canvas.plain {
        return plain(canvas, page, size.1, title, hint);
    }
    let (across, down) = border(page);
    let (widest, highest) = most(page);
    let width = size.0.min(widest) + 2 * across;
    let height = size.1.min(highest) + 2 * down;
    let x = page.x + (page.width - width) / 2;
    let y = page.y + (page.height - height) / 2;
    let area = Rect { x, y, width, height };
    canvas.fill(area, Role::Overlay);
    canvas.spots.mark(area, Spot::Overlay);
    if down > 0 {
        rule(canvas, area, area.y, [0, 1], title, Role::OverlayTitle);
        rule(canvas, area, area.bottom() - 1, [3, 2], hint, Role::OverlayDim);
    }
    if across > 0 {
        let side = canvas.glyph(BORDERS[1]);
        for y in area.y + down..area.bottom() - down {
            canvas.put(area.x, y, area.right(), side, Role::OverlayBorder);
            canvas.put(area.right() - 1, y, area.right(), side, Role::OverlayBorder);
        }
    }
    Rect { x: x + across, y: y + down, width: width - 2 * across, height: height - 2 * down }
}

/// As [`draw`], without a border, as wide as the page; for so many rows.
pub fn bare(canvas: &mut Canvas<'_>, page: Rect, rows: u16) -> Rect {
    let height = rows.min(page.height);
    let area = Rect { y: page.y + (page.height - height) / 2, height, ..page };
    canvas.fill(area, Role::Overlay);
    canvas.spots.mark(area, Spot::Overlay);
    let side = u16::from(page.width >= 24);
    Rect { x: area.x + side, width: area.width - 2 * side, ..area }
}

/// A horizontal border with words in it.
fn rule(canvas: &mut Canvas<'_>, area: Rect, y: u16, corners: [usize; 2], words: &str, role: Role) {
    let line = canvas.glyph(BORDERS[0]);
    for x in area.left()..area.right() {
        canvas.put(x, y, area.right(), line, Role::OverlayBorder);
    }
    canvas.put(area.x, y, area.right(), canvas.glyph(CORNERS[corners[0]]), Role::OverlayBorder);
    canvas.put(area.right().saturating_sub(1), y, area.right(), canvas.glyph(CORNERS[corners[1]]), Role::OverlayBorder);
    let room = usize::from(area.width.saturating_sub(6));
    // Of what keys do, the last says how to leave.
    let dot = format!(" {} ", canvas.glyph(DOT));
    let mut words = words;
    while columns(words) > room
        && let Some((_, rest)) = words.split_once(&dot)
    {
        words = rest;
    }
    let words = shortened(words, room, ELLIPSIS, canvas.theme.unicode);
    if columns(&words) > 0 {
        canvas.put(area.x + 2, y, area.right(), &format!(" {words} "), role);
    }
}
