//! What pops up above the bar while keys are typed: what the typed address means, completions of the
//! prompt, and how a key sequence may go on; and what a reader is told at the very first.

use super::bar;
use super::canvas::{Canvas, ELLIPSIS, POINTER, shortened};
use super::line;
use crate::app::{App, Completion, Meaning, Prompt, Spot, means};
use crate::doc::{cells, columns, sanitise};
use crate::keys::Lookup;
use crate::role::Role;
use crate::url::redact;
use ratatui::layout::Rect;

/// Most completions shown at once.
const MOST: usize = 8;

/// Draws what belongs to the keys typed so far.
pub fn draw(canvas: &mut Canvas<'_>, page: Rect, app: &App) {
    match app.hands.prompt() {
        Some(prompt) => completions(canvas, page, prompt, app.hands.refused),
        None if !app.hands.pending_keys.is_empty() => continuations(canvas, page, app),
        None => {}
    }
}

/// Draws what a reader who has never been here is told.
pub fn greeting(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    canvas.fill(area, Role::Overlay);
    let room = area.width.saturating_sub(1);
    for (y, line) in (area.top()..area.bottom()).zip(app.desk.greeting(room.into())) {
        let line = shortened(&line, room.into(), ELLIPSIS, canvas.theme.unicode);
        canvas.put(area.x + 1, y, area.right(), &line, Role::Overlay);
    }
}

/// The lowest rows of the page, emptied for `rows` rows.
fn room(canvas: &mut Canvas<'_>, page: Rect, rows: usize) -> Rect {
    let height = page.height.min(cells(rows));
    let area = Rect { y: page.bottom() - height, height, ..page };
    canvas.fill(area, Role::Overlay);
    area
}

fn completions(canvas: &mut Canvas<'_>, page: Rect, prompt: &Prompt, refused: bool) {
    let all = &prompt.completions;
    let mut asked = line::question(prompt, page.width);
    let nothing = line::nothing(prompt, refused, page.width);
    let meaning =
        prompt.meaning.as_ref().filter(|meaning| nothing.is_empty() || !matches!(meaning, Meaning::Nothing(_)));
    asked.extend(nothing);
    let says = usize::from(meaning.is_some()) + asked.len();
    if all.len() + says == 0 {
        return;
    }
    // Who listens hears the best and how many there are, not all of them again at every letter.
    let most = if canvas.plain { 1 } else { MOST };
    let mut area = room(canvas, page, (all.len().min(most) + says).min(usize::from(page.height / 2).max(1)));
    for words in asked.iter().take(usize::from(area.height)) {
        canvas.put(area.x + 1, area.y, area.right(), words, Role::Overlay);
        area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    }
    if let Some(meaning) = meaning {
        bar::meaning(canvas, Rect { height: area.height.min(1), ..area }, meaning);
        area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    }
    if canvas.plain {
        return super::speech::completions(canvas, area, prompt);
    }
    let rows = usize::from(area.height);
    let chosen = prompt.selected.unwrap_or(0).min(all.len().saturating_sub(1));
    let first = (chosen + 1).saturating_sub(rows);
    // The best stands at the top, under the reader's eyes when they read on downwards.
    for (y, (i, completion)) in (area.top()..area.bottom()).zip(all.iter().enumerate().skip(first)) {
        let place = Rect { y, height: 1, ..area };
        row(canvas, place, completion, prompt.selected == Some(i));
        if prompt.taken() == Some(i) {
            let (pointer, role) =
                (canvas.glyph(POINTER), if prompt.selected.is_some() { Role::OverlayFocus } else { Role::OverlayKey });
            canvas.put(place.x, y, place.right(), pointer, role);
        }
        canvas.spots.mark(place, Spot::Row(i));
    }
}

/// Least columns for a title.
const TITLE: u16 = 12;

/// A completion: the text, the title of its page where there is room, at the right where it is from.
fn row(canvas: &mut Canvas<'_>, area: Rect, completion: &Completion, chosen: bool) {
    let looks = |role| if chosen { Role::OverlayFocus } else { role };
    canvas.fill(area, looks(Role::Overlay));
    let (x, mut end) = (area.x + 1, area.right().saturating_sub(1));
    if let Some(origin) = completion.origin.filter(|origin| area.width >= 30 && !origin.word().is_empty()) {
        end = canvas.put_right(x, area.y, end, origin.word(), looks(Role::OverlayDim)) - 2;
    }
    let letters = looks(Role::OverlayMatch);
    let text = canvas.veil.reference(&redact(&completion.text));
    // A title tells more than the end of an address does.
    let title = cells(columns(&sanitise(&completion.title))).min(TITLE);
    let room = if title == 0 || 2 * (title + 2) > end.saturating_sub(x) { 0 } else { title + 2 };
    let x = put_matched(
        canvas,
        Rect { x, width: end.saturating_sub(x + room), ..area },
        &text,
        looks(Role::Overlay),
        letters,
        &completion.matched,
    );
    if title > 0 && x + 2 + title <= end {
        let room = Rect { x: x + 2, width: end - x - 2, ..area };
        put_matched(canvas, room, &completion.title, looks(Role::OverlayDim), letters, &completion.matched_title);
    }
}

/// Writes a text, shortened to the room there is, some of its characters in a look of their own; gives the column after it.
fn put_matched(canvas: &mut Canvas<'_>, room: Rect, text: &str, role: Role, letters: Role, matched: &[usize]) -> u16 {
    let shown = sanitise(text);
    // Where what is shown is not what was compared, nobody knows which letters they were.
    let matched = if shown == text { matched } else { &[] };
    let shown = shortened(&shown, usize::from(room.width), ELLIPSIS, canvas.theme.unicode);
    let is_matched = |at: usize| matched.binary_search(&at).is_ok();
    let (mut x, mut begin, mut begin_letter) = (room.x, 0, 0);
    for (letter, (at, _)) in shown.char_indices().enumerate().skip(1) {
        if is_matched(letter) != is_matched(begin_letter) {
            let look = if is_matched(begin_letter) { letters } else { role };
            x = canvas.put(x, room.y, room.right(), &shown[begin..at], look);
            (begin, begin_letter) = (at, letter);
        }
    }
    canvas.put(x, room.y, room.right(), &shown[begin..], if is_matched(begin_letter) { letters } else { role })
}

/// The keys that may come next and what they do, in columns.
fn continuations(canvas: &mut Canvas<'_>, page: Rect, app: &App) {
    let Lookup::Prefix(next) = app.desk.keymap.lookup_in(app.modes(), &app.hands.pending_keys) else { return };
    let mut texts: Vec<(String, String)> = next
        .into_iter()
        .filter(|(_, command)| means(app.sight(), command))
        .map(|(key, command)| (key.to_string(), if command.is_empty() { "…".into() } else { command }))
        .collect();
    if texts.is_empty() {
        texts.push((String::new(), "nothing on this page".into()));
    }
    let keys = texts.iter().map(|(key, _)| columns(key)).max().unwrap_or(0);
    let words = texts.iter().map(|(_, command)| columns(command)).max().unwrap_or(0);
    let cell = (keys + words + 4).min(usize::from(page.width).max(1));
    let across = if canvas.plain { 1 } else { (usize::from(page.width.saturating_sub(1)) / cell).max(1) };
    let area = room(canvas, page, texts.len().div_ceil(across));
    for (i, (key, command)) in texts.iter().enumerate() {
        let y = area.y + cells(i / across);
        if y >= area.bottom() {
            return;
        }
        let x = area.x + 1 + cells(i % across * cell);
        canvas.put_right(x, y, x + cells(keys), key, Role::OverlayKey);
        canvas.put(x + cells(keys) + 1, y, area.right(), command, Role::Overlay);
    }
}
