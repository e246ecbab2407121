//! The screen, drawn into cells.
#![allow(clippy::unwrap_used)] // also in what the tests share

mod commonest;
mod heard;
mod kept;
mod looks;
mod overlays;
mod panes;
mod picture;
mod prompts;
mod screens;
mod sizes;
mod stage;
mod tabs;

pub use stage::commands;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use std::fmt::Write;
use wayfarer::app::App;
use wayfarer::theme::Theme;
use wayfarer::view::draw;

fn themed(unicode: bool) -> Theme {
    let mut theme = Theme::default();
    theme.unicode = unicode;
    theme
}

/// What a terminal of the browser's own size shows, and where its cursor stands.
fn drawn(app: &App, theme: &Theme) -> (Buffer, Option<Position>) {
    let mut terminal = Terminal::new(TestBackend::new(app.desk.screen.columns, app.desk.screen.rows)).unwrap();
    // A hidden cursor stands nowhere.
    let mut cursor = None;
    let buffer = terminal.draw(|frame| drop(draw(frame, app, theme))).unwrap().buffer.clone();
    if terminal.backend().cursor_visible() {
        cursor = Some(terminal.get_cursor_position().unwrap());
    }
    (buffer, cursor)
}

/// The text of the cells, one line a row; the cell covered by a wide character left out, the cursor noted below.
fn text(app: &App, theme: &Theme) -> String {
    let (cells, cursor) = drawn(app, theme);
    let mut out = String::new();
    for y in 0..cells.area.height {
        let mut x = 0;
        let mut line = String::new();
        while x < cells.area.width {
            let symbol = cells[(x, y)].symbol();
            line.push_str(symbol);
            x += wayfarer::doc::columns(symbol).max(1) as u16;
        }
        let _ = writeln!(out, "|{line}|");
    }
    if let Some(cursor) = cursor {
        let _ = writeln!(out, "cursor {},{}", cursor.x, cursor.y);
    }
    out
}

/// A row as runs of one style each: `colours and attributes: text`.
fn styles(app: &App, theme: &Theme, y: u16) -> String {
    let (cells, _) = drawn(app, theme);
    let mut out = String::new();
    let mut last = None;
    for x in 0..cells.area.width {
        let cell = &cells[(x, y)];
        let style = (cell.fg, cell.bg, cell.modifier);
        if last != Some(style) {
            let _ = write!(out, "\n{} on {} {:?}: ", cell.fg, cell.bg, cell.modifier);
            last = Some(style);
        }
        out.push_str(cell.symbol());
    }
    out.trim_start().to_string()
}
