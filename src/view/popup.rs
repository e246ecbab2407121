//! What pops up above the bar while keys are typed: completions of the prompt, and how a key sequence may go on.

use super::canvas::{Canvas, ELLIPSIS, shortened};
use crate::app::{App, Prompt};
use crate::doc::{columns, sanitise};
use crate::keys::Lookup;
use crate::role::Role;
use ratatui::layout::Rect;

/// Most completions shown at once.
const MOST: usize = 8;

/// Draws what belongs to the keys typed so far.
pub fn draw(canvas: &mut Canvas<'_>, page: Rect, app: &App) {
    match &app.prompt {
        Some(prompt) => completions(canvas, page, prompt),
        None if !app.pending_keys.is_empty() => continuations(canvas, page, app),
        None => {}
    }
}

/// The lowest rows of the page, emptied for `rows` rows.
fn room(canvas: &mut Canvas<'_>, page: Rect, rows: usize) -> Rect {
    let height = page.height.min(rows as u16);
    let area = Rect { y: page.bottom() - height, height, ..page };
    canvas.fill(area, Role::Overlay);
    area
}

fn completions(canvas: &mut Canvas<'_>, page: Rect, prompt: &Prompt) {
    let all = &prompt.completions;
    if all.is_empty() {
        return;
    }
    let area = room(canvas, page, all.len().min(MOST).min(usize::from(page.height / 2).max(1)));
    let rows = usize::from(area.height);
    let chosen = prompt.selected.unwrap_or(0).min(all.len() - 1);
    let first = (chosen + 1).saturating_sub(rows);
    // The best stands nearest to the prompt's text: at the top, under the reader's eyes when they read on downwards.
    for (y, (i, text)) in (area.top()..area.bottom()).zip(all.iter().enumerate().skip(first)) {
        let role = if prompt.selected == Some(i) { Role::OverlayFocus } else { Role::Overlay };
        canvas.fill(Rect { y, height: 1, ..area }, role);
        let text =
            shortened(&sanitise(text), usize::from(area.width.saturating_sub(2)), ELLIPSIS, canvas.theme.unicode);
        canvas.put(area.x + 1, y, area.right(), &text, role);
    }
}

/// The keys that may come next and what they do, in columns.
fn continuations(canvas: &mut Canvas<'_>, page: Rect, app: &App) {
    let Lookup::Prefix(next) = app.keymap.lookup(app.mode(), &app.pending_keys) else { return };
    let texts: Vec<(String, String)> = next
        .into_iter()
        .map(|(key, command)| (key.to_string(), if command.is_empty() { "…".into() } else { command }))
        .collect();
    let keys = texts.iter().map(|(key, _)| columns(key)).max().unwrap_or(0);
    let words = texts.iter().map(|(_, command)| columns(command)).max().unwrap_or(0);
    let cell = (keys + words + 4).min(usize::from(page.width).max(1));
    let across = (usize::from(page.width.saturating_sub(1)) / cell).max(1);
    let area = room(canvas, page, texts.len().div_ceil(across));
    for (i, (key, command)) in texts.iter().enumerate() {
        let y = area.y + (i / across) as u16;
        if y >= area.bottom() {
            return;
        }
        let x = area.x + 1 + (i % across * cell) as u16;
        canvas.put_right(x, y, x + keys as u16, key, Role::OverlayKey);
        canvas.put(x + keys as u16 + 1, y, area.right(), command, Role::Overlay);
    }
}
