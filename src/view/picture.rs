//! Pictures on the screen: half blocks as cells in the colours that there are; what a terminal paints itself, where nothing lies over it.

use super::canvas::{Canvas, colour_of};
use crate::app::{App, Pane, Placed, Sight};
use crate::picture::{Drawing, Protocol};
use crate::role::Role;
use crate::theme::{Colour, Depth};
use ratatui::layout::Rect;
use ratatui::style::Color;

/// Draws the picture that is the page, below its words.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, sight: Sight<'_>) {
    let Some(drawing) = sight.pictured().and_then(|pictured| pictured.drawing.as_ref()) else { return };
    let depth = canvas.theme.depth;
    // What is no cells goes out with the first frame that has it, and only there.
    let covered = drawing.graphics.protocol != Protocol::Blocks && canvas.covered;
    if depth == Depth::Mono || !canvas.theme.unicode || covered {
        return;
    }
    let top = sight.picture_top().min(area.height);
    let area = Rect { y: area.y + top, height: area.height - top, width: area.width.min(sight.page_columns()), ..area };
    let free = area.width.saturating_sub(drawing.frame.cells.0) / 2;
    let area = Rect { x: area.x + free, width: area.width - free, ..area };
    drawing.put(area, canvas.cells);
    let [width, height] = [area.width.min(drawing.frame.cells.0), area.height.min(drawing.frame.cells.1)];
    tone(canvas, drawing, Rect { width, height, ..area });
}

/// Draws the pictures in the text of the page.
pub fn illustrate(canvas: &mut Canvas<'_>, text: Rect, sight: Sight<'_>) {
    for placed in sight.illustrations() {
        let area = area_of(&placed, text);
        if canvas.theme.depth == Depth::Mono || !canvas.theme.unicode {
            canvas.put(area.x, area.y, area.right(), "(a picture; no colours here)", Role::Dim);
            continue;
        }
        let Some(drawing) = placed.drawing.as_ref().filter(|drawing| placed.is_drawn(drawing)) else { continue };
        if drawing.graphics.protocol != Protocol::Blocks && canvas.covered {
            continue;
        }
        match drawing.is_past_cells() {
            true => drawing.put(area, canvas.cells),
            false => drawing.put_below(placed.above, area, canvas.cells),
        }
        tone(canvas, drawing, area);
    }
}

/// Where on the screen it stands.
fn area_of(placed: &Placed, text: Rect) -> Rect {
    let ((x, y), (width, height)) = (placed.at, placed.cells);
    Rect { x: text.x.saturating_add(x), y: text.y.saturating_add(y), width, height }.intersection(text)
}

/// Half blocks in the colours that there are.
fn tone(canvas: &mut Canvas<'_>, drawing: &Drawing, area: Rect) {
    let depth = canvas.theme.depth;
    if drawing.graphics.protocol != Protocol::Blocks || depth == Depth::True {
        return;
    }
    for position in area.positions() {
        if let Some(cell) = canvas.cells.cell_mut(position) {
            (cell.fg, cell.bg) = (nearest(cell.fg, depth), nearest(cell.bg, depth));
        }
    }
}

/// The colour of a pixel on a terminal that has fewer.
fn nearest(pixel: Color, depth: Depth) -> Color {
    match pixel {
        Color::Rgb(red, green, blue) => colour_of(Colour::Rgb(red, green, blue).at(depth)).unwrap_or(pixel),
        other => other,
    }
}

/// Whether something lies over the page, or may.
pub fn is_covered(app: &App, line_rows: u16) -> bool {
    let hands = &app.hands;
    line_rows > 1 || !hands.overlays().is_empty() || hands.prompt().is_some() || !hands.pending_keys.is_empty()
}

/// What the terminal paints past the cells, and where: when that changes, the screen has to be cleared before.
pub fn painted(app: &App, line_rows: u16) -> Vec<(u32, Pane, (u16, u16))> {
    let of = |sight: Sight<'_>| {
        let page = sight.pictured().and_then(|pictured| pictured.drawing.clone()).map(|drawing| ((0, 0), drawing));
        let drawn = |placed: Placed| {
            let drawing = placed.drawing.clone().filter(|drawing| placed.is_drawn(drawing));
            Some((placed.at, drawing?))
        };
        let all = page.into_iter().chain(sight.illustrations().into_iter().filter_map(drawn));
        let past = all.filter(|(_, drawing)| drawing.is_past_cells());
        past.map(|(at, drawing)| (drawing.number(), sight.pane(), at)).collect::<Vec<_>>()
    };
    match is_covered(app, line_rows) {
        true => Vec::new(),
        false => [app.beside(), Some(app.sight())].into_iter().flatten().flat_map(of).collect(),
    }
}
