//! The panes: the page in view, and where the screen is parted the page beside it. Each of two has a head, which says what it shows
//! and how far one is in it; that with the focus has a pointer there, which needs no colour. A mouse button on the other one moves
//! the focus, whatever it is pressed on.

use super::canvas::{BORDERS, COMING, Canvas, DOT, ELLIPSIS, POINTER, PRIVATE, both_ends, shortened};
use super::page;
use crate::app::{App, Label, Pane, Sight, Spot, TabState};
use crate::doc::{columns, sanitise};
use crate::role::Role;
use ratatui::layout::Rect;

/// Columns of a head below which there is no line before its words, but for its beginning.
const NARROW: u16 = 24;
/// Fewest columns of an address behind a title.
const LEAST: usize = 16;

/// Draws what is in view.
pub fn draw(canvas: &mut Canvas<'_>, room: Rect, app: &App) {
    if let Some(beside) = app.beside() {
        let area = one(canvas, room, beside, false);
        canvas.spots.mark(area, Spot::Beside);
    }
    one(canvas, room, app.sight(), true);
}

/// Draws a pane, and gives its area.
fn one(canvas: &mut Canvas<'_>, room: Rect, sight: Sight<'_>, focused: bool) -> Rect {
    let Pane { x, y, columns, rows, head, parted } = sight.pane();
    let area = Rect { x: room.x + x, y: room.y + y, width: columns, height: rows }.intersection(room);
    if parted {
        let (rule, x) = (canvas.glyph(BORDERS[1]), area.right().saturating_sub(1));
        for y in area.top()..area.bottom() {
            canvas.put(x, y, area.right(), rule, Role::Rule);
        }
    }
    let head = head.min(area.height);
    if head > 0 {
        let width = area.width.saturating_sub(u16::from(parted));
        self::head(canvas, Rect { width, height: head, ..area }, sight, focused);
    }
    page::draw(canvas, Rect { y: area.y + head, height: area.height - head, ..area }, sight, focused);
    area
}

/// The head: pointer, title and address, how the page stands and how far one is in it. With the focus it looks as the status bar
/// does, which tells of the same page; without it is a line.
fn head(canvas: &mut Canvas<'_>, row: Rect, sight: Sight<'_>, focused: bool) {
    let (ground, role) = if focused { (Role::Bar, Role::Bar) } else { (Role::Text, Role::Dim) };
    canvas.fill(row, ground);
    let (unicode, rule) = (canvas.theme.unicode, canvas.glyph(BORDERS[0]));
    for x in row.left()..row.right() {
        canvas.put(x, row.y, row.right(), if focused { " " } else { rule }, if focused { role } else { Role::Rule });
    }
    let x = match focused {
        true => canvas.put(row.x, row.y, row.right(), canvas.glyph(POINTER), role),
        false if row.width < NARROW => row.x + row.width.min(1),
        false => canvas.put(row.x + 2, row.y, row.right(), " ", role),
    };
    let alone = sight.panes().is_none().then(|| sight.split()?.at(sight.tab.id)).flatten();
    let alone = alone.map(|at| format!("{} of 2 ", at + 1)).unwrap_or_default();
    let x = canvas.put(x, row.y, row.right(), &alone, role);
    let private = if sight.tab.private { format!("{} ", canvas.glyph(PRIVATE)) } else { String::new() };
    let x = canvas.put(x, row.y, row.right(), &private, role);
    let right = standing(canvas, sight);
    let room = usize::from(row.right().saturating_sub(x));
    let taken = if columns(&right) + LEAST <= room { columns(&right) + 2 } else { 0 };
    let words = words(sight, room.saturating_sub(taken), unicode, canvas.glyph(DOT));
    let x = canvas.put(x, row.y, row.right(), &words, role);
    canvas.put(x, row.y, row.right(), " ", role);
    if taken > 0 && !right.is_empty() {
        canvas.put_right(x, row.y, row.right(), &format!(" {right} "), role);
    }
}

/// The title, and the address where there is room for both.
fn words(sight: Sight<'_>, room: usize, unicode: bool, dot: &str) -> String {
    let url = sight.entry().map(|entry| sanitise(&entry.url.redacted()).into_owned());
    match sight.tab.label() {
        Some(Label::Title(title)) => {
            let title = shortened(&sanitise(&title), room, ELLIPSIS, unicode);
            let left = room.saturating_sub(columns(&title) + columns(dot) + 2);
            match url.filter(|_| left >= LEAST) {
                Some(url) => format!("{title} {dot} {}", both_ends(&url, left, ELLIPSIS, unicode)),
                None => title,
            }
        }
        Some(Label::Url(url)) => both_ends(&sanitise(&url), room, ELLIPSIS, unicode),
        None => shortened("nothing opened yet", room, ELLIPSIS, unicode),
    }
}

/// What is under way or waits for the reader, and how far one is in the page.
fn standing(canvas: &Canvas<'_>, sight: Sight<'_>) -> String {
    let state = match sight.tab.state() {
        TabState::Asks => "? asks".to_owned(),
        TabState::Loading => canvas.glyph(COMING).to_owned(),
        TabState::Failed => "! failed".to_owned(),
        TabState::Seen | TabState::Arrived => String::new(),
    };
    let place = if sight.awaits_an_item() { None } else { sight.position().map(|place| place.to_string()) };
    let words: Vec<String> = [state].into_iter().filter(|word| !word.is_empty()).chain(place).collect();
    words.join(" ")
}
