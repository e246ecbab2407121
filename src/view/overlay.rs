//! What lies over the page: texts, lists, questions; forms are in [`super::form`].

use super::canvas::{Canvas, DOT, ELLIPSIS, POINTER, shortened};
use super::{Cursor, form, frame};
use crate::app::{App, Choice, FieldValue, FormOwner, Overlay, RowAct, Spot, TextOwner, TextRows};
use crate::doc::{Anchor, Document, Layout, Marks, ScrollPosition, Wrap, beginning, cells, columns, sanitise};
use crate::format::count;
use crate::keys::{Code, Key, Mode, shown};
use crate::role::Role;
use ratatui::layout::Rect;
use tui_input::Input;

/// Draws an overlay; gives the cursor where the reader types.
pub fn draw(canvas: &mut Canvas<'_>, page: Rect, app: &App, overlay: &Overlay) -> Cursor {
    if page.width == 0 || page.height == 0 {
        return None;
    }
    match overlay {
        Overlay::Text { title, document, top, hint: own, owner } => {
            let (hint, chosen) = match owner {
                TextOwner::Anatomy(rows) => (of_rows(canvas, app, rows), rows.block()),
                _ => (own.clone(), None),
            };
            text(canvas, page, (title, &hint), document, (*top, chosen));
            None
        }
        Overlay::List { title, items, filter, selected, .. } => {
            let hint = hint(canvas, app, &[("accept", "choose"), ("cancel", "close")]);
            let all = count(items.len());
            let title = match filter.value().is_empty() {
                true => format!("{title}  {all}"),
                false if overlay.is_narrowing() => format!("{title}  {} of {all}", canvas.glyph(ELLIPSIS)),
                false => format!("{title}  {} of {all}", count(overlay.passing())),
            };
            list(canvas, page, (&title, &hint), overlay, filter, *selected);
            None
        }
        Overlay::Question { text, choices, .. } => {
            let key = go_on_key(app, choices);
            question(canvas, page, text, choices, (app.hands.part, key.as_deref()));
            None
        }
        Overlay::Form(state) => {
            let (next, closes) = app.form_keys_say();
            let next = hint(canvas, app, &[("next-link", next)]);
            let tries = state.owner == FormOwner::Playground;
            let copies = if tries { free_hint(app, "copy-link-url", "copy") } else { String::new() };
            let rest = hint(canvas, app, &[("accept", app.enter_says()), ("cancel", closes)]);
            let value = state.fields.get(state.focus).map(|field| &field.value);
            let chooses = matches!(value, Some(FieldValue::Check(_) | FieldValue::Choose { .. }));
            let chooses = if chooses { "Space choose".to_owned() } else { String::new() };
            let pieces: Vec<String> =
                [next, chooses, copies, rest].into_iter().filter(|piece| !piece.is_empty()).collect();
            form::draw(canvas, page, &pieces.join(&format!(" {} ", canvas.glyph(DOT))), state)
        }
    }
}

/// What keys do, as they are bound now: `Enter choose · Esc close`.
fn hint(canvas: &Canvas<'_>, app: &App, commands: &[(&str, &str)]) -> String {
    let words = commands.iter().filter_map(|(command, what)| {
        app.desk.keymap.keys_for(Mode::Overlay, command).first().map(|keys| format!("{} {what}", shown(keys)))
    });
    words.collect::<Vec<_>>().join(&format!(" {} ", canvas.glyph(DOT)))
}

/// What the key of a command does where letters are text.
fn free_hint(app: &App, command: &str, what: &str) -> String {
    let keys = app.desk.keymap.keys_for(Mode::Overlay, command);
    let free = keys.into_iter().find(|keys| keys.first().is_some_and(|key| key.control || key.meta));
    free.map(|keys| format!("{} {what}", shown(keys))).unwrap_or_default()
}

/// What keys do in a text whose rows can be gone through.
fn of_rows(canvas: &Canvas<'_>, app: &App, rows: &TextRows) -> String {
    let enter = match rows.act() {
        Some(RowAct::Open(_)) => "open",
        Some(RowAct::Unfold) => "all of it",
        Some(RowAct::Kept) => "open the copy",
        Some(RowAct::Follow) | None => "follow",
    };
    let follows = rows.act() != Some(&RowAct::Follow) || app.entry().is_some_and(|entry| entry.focus.is_some());
    let commands =
        [("copy-link-url", "copy", true), ("accept", enter, follows), ("next-link", "other half", rows.has_halves())];
    let commands = commands.iter().filter(|(.., serves)| *serves).map(|(command, what, _)| (*command, *what));
    hint(canvas, app, &commands.chain([("cancel", "close")]).collect::<Vec<_>>())
}

/// Draws a text from `top` on, with the block that is chosen.
fn text(
    canvas: &mut Canvas<'_>,
    page: Rect,
    (title, hint): (&str, &str),
    document: &Document,
    (top, chosen): (Anchor, Option<u32>),
) {
    let (width, height) = frame::most(page);
    let marks = if canvas.plain { Marks::Plain } else { Marks::Words };
    let layout = Layout { width: width.max(1), measure: None, wrap: Wrap::On, marks };
    let rows = usize::from(height);
    let lines = layout.lines(document, top, rows);
    // A text that scrolls keeps the height of its box.
    let needs = if top == Anchor::default() { cells(lines.len()) } else { height };
    let place = layout.percent(document, top, rows);
    // What is hidden below the edge says so: beside what keys do, else beside the title.
    let (mut title, mut hint) = (title.to_owned(), hint.to_owned());
    let more = format!(" {} more below", canvas.glyph(DOT));
    let fits = columns(&hint) + columns(&more) <= usize::from(width.saturating_sub(2));
    match place {
        ScrollPosition::All => {}
        ScrollPosition::Bottom => title.push_str(&format!("  {place}")),
        _ if fits => {
            title.push_str(&format!("  {place}"));
            hint.push_str(&more);
        }
        ScrollPosition::Top => title.push_str("  more below"),
        ScrollPosition::Percent(_) => title.push_str(&format!("  {place}, more below")),
    }
    let area = frame::draw(canvas, page, (width, needs), &title, &hint);
    canvas.spots.focus_at(area.x, area.y);
    for (y, line) in (area.top()..area.bottom()).zip(&lines).rev() {
        let chosen = chosen == Some(line.anchor.block);
        if chosen {
            canvas.spots.focus_at(area.x, y);
            canvas.fill(Rect { y, height: 1, ..area }, Role::OverlayFocus);
        }
        let mut x = area.x;
        for segment in &line.segments {
            let role = if segment.role == Role::Text { Role::Overlay } else { segment.role };
            let role = if chosen { Role::OverlayFocus } else { role };
            x = canvas.put(x, y, area.right(), &segment.text, role);
        }
    }
}

fn list(
    canvas: &mut Canvas<'_>,
    page: Rect,
    (title, hint): (&str, &str),
    overlay: &Overlay,
    filter: &Input,
    selected: usize,
) {
    let (width, highest) = frame::most(page);
    let passing = overlay.passing();
    // On the smallest screens the row for the filter is there only when it says something.
    let narrows = u16::from(highest > 3 || !filter.value().is_empty());
    let needs = u16::try_from(passing.max(1)).unwrap_or(u16::MAX).saturating_add(narrows);
    let mut area = frame::draw(canvas, page, (width, needs), title, hint);
    canvas.spots.focus_at(area.x, area.y);
    if narrows > 0 && area.height > 1 {
        let x = canvas.put(area.x, area.y, area.right(), "/ ", Role::OverlayKey);
        let field = Rect { x, width: area.right() - x, height: 1, ..area };
        if filter.value().is_empty() {
            canvas.put(x, area.y, area.right(), "type to narrow the list", Role::OverlayDim);
        }
        // The terminal's cursor is at the row that is chosen.
        if let Some(at) = form::input(canvas, field, filter, form::Shown::Plain, Role::Overlay) {
            canvas.caret(at.x, at.y);
        }
        area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    }
    if passing == 0 {
        canvas.put((area.x + 2).min(area.right()), area.y, area.right(), "nothing here", Role::OverlayDim);
        return;
    }
    let rows = usize::from(area.height);
    let selected = selected.min(passing - 1);
    let first = selected.saturating_sub(rows / 2).min(passing.saturating_sub(rows));
    for (y, i) in (area.top()..area.bottom()).zip(first..passing) {
        let Some(item) = overlay.passing_row(i) else { break };
        let place = Rect { y, height: 1, ..area };
        row(canvas, place, (&item.text, &item.detail), i == selected);
        canvas.spots.mark(place, Spot::Row(i));
        if i == selected {
            let x = if canvas.plain { area.x } else { area.x + 2 };
            canvas.spots.focus_at(x.min(area.right().saturating_sub(1)), y);
        }
    }
}

/// A row of a list: the text at the left, the detail at the right when both find room.
fn row(canvas: &mut Canvas<'_>, area: Rect, (text, detail): (&str, &str), chosen: bool) {
    let (role, dim) = if chosen { (Role::OverlayFocus, Role::OverlayFocus) } else { (Role::Overlay, Role::OverlayDim) };
    if chosen {
        canvas.fill(area, role);
        let pointer = canvas.glyph(POINTER);
        canvas.put(area.x, area.y, area.right(), pointer, role);
    }
    let x = (area.x + 2).min(area.right());
    let room = usize::from(area.right() - x);
    let (detail, text) = (sanitise(detail), sanitise(text));
    if canvas.plain {
        // One after the other, as they are said.
        let text = [&*text, &*detail].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", ");
        canvas.put(area.x, area.y, area.right(), &shortened(&text, room, ELLIPSIS, canvas.theme.unicode), role);
        return;
    }
    // The detail gets what the text leaves, if that is worth showing.
    let left = room.saturating_sub(columns(&text) + 2);
    let worth = left >= columns(&detail).min(10);
    let detail = if worth { shortened(&detail, left, ELLIPSIS, canvas.theme.unicode) } else { String::new() };
    let taken = if detail.is_empty() { 0 } else { columns(&detail) + 2 };
    let text = shortened(&text, room.saturating_sub(taken), ELLIPSIS, canvas.theme.unicode);
    canvas.put(x, area.y, area.right(), &text, role);
    canvas.put_right(x, area.y, area.right(), &detail, dim);
}

/// A question, laid out.
struct Asked<'a> {
    width: u16,
    lines: Vec<String>,
    /// The answers, as many to a row as it holds.
    rows: Vec<Vec<&'a Choice>>,
}

impl<'a> Asked<'a> {
    fn laid(text: &[String], choices: &'a [Choice], widest: u16, plain: bool) -> Asked<'a> {
        let answers = |choice: &Choice| columns(&choice.label) + 5;
        let wanted = text.iter().map(|line| columns(line)).chain([choices.iter().map(answers).sum::<usize>()]).max();
        let width = cells(wanted.unwrap_or(0)).clamp(0, widest.min(72)).max(widest.min(30));
        let lines = text.iter().flat_map(|line| wrapped(&sanitise(line), usize::from(width))).collect();
        let mut rows: Vec<Vec<&Choice>> = Vec::new();
        let mut taken = usize::MAX;
        for choice in choices {
            if plain || taken.saturating_add(answers(choice)) > usize::from(width) + 2 {
                rows.push(Vec::new());
                taken = 0;
            }
            taken += answers(choice);
            if let Some(row) = rows.last_mut() {
                row.push(choice);
            }
        }
        Asked { width, lines, rows }
    }

    fn height(&self) -> u16 {
        cells(self.lines.len() + self.rows.len())
    }
}

/// The key that shows the next part of a question: no letter of an answer.
fn go_on_key(app: &App, choices: &[Choice]) -> Option<String> {
    let keys = app.desk.keymap.keys_for(Mode::Overlay, "page-down");
    let is_free = |keys: &&[Key]| match keys {
        [key] => key.control || key.meta || choices.iter().all(|choice| key.code != Code::Char(choice.key)),
        _ => true,
    };
    keys.into_iter().find(is_free).map(shown)
}

/// Draws a question; where its words are more than there is room for, a part of them, and by which key the next one comes.
fn question(
    canvas: &mut Canvas<'_>,
    page: Rect,
    text: &[String],
    choices: &[Choice],
    (part, key): (isize, Option<&str>),
) {
    let (widest, highest) = frame::most(page);
    let mut asked = Asked::laid(text, choices, widest, canvas.plain);
    let area = if asked.height() <= highest {
        let gap = u16::from(highest > asked.height());
        frame::draw(canvas, page, (asked.width, asked.height() + gap), "", "")
    } else {
        // What is asked needs the border's room.
        let area = frame::bare(canvas, page, asked.height());
        asked = Asked::laid(text, choices, area.width, canvas.plain);
        let cut = |row: &Vec<&Choice>| row.iter().any(|choice| columns(&choice.label) + 2 > usize::from(area.width));
        if asked.rows.len() >= usize::from(area.height) || asked.rows.iter().any(cut) {
            // Too little for them all: the answers come in parts as well, behind what is asked.
            let told = |choice: &Choice| wrapped(&format!("{} {}", choice.key, choice.label), usize::from(area.width));
            asked.lines.extend(choices.iter().flat_map(told));
            asked.rows.clear();
        }
        area
    };
    // Whatever must give way, the answers stay.
    let answers_at = area.bottom().saturating_sub(cells(asked.rows.len())).max(area.y);
    let room = usize::from(answers_at - area.y);
    if room > 0 && asked.lines.len() > room {
        // The part says in a row of its own that it is one, where that leaves two for words.
        let (held, says) = if room > 2 { (room - 1, true) } else { (room, false) };
        let parts = asked.lines.len().div_ceil(held);
        let at = part.rem_euclid(isize::try_from(parts).unwrap_or(1)).unsigned_abs();
        asked.lines = asked.lines.into_iter().skip(at * held).take(held).collect();
        if says {
            let key = key.unwrap_or_default();
            let (said, short) =
                (format!("part {} of {parts}, {key} goes on", at + 1), format!("{}/{parts} {key}", at + 1));
            let said = if columns(&said) > usize::from(area.width) { short } else { said };
            canvas.put(area.x, answers_at - 1, area.right(), &said, Role::OverlayDim);
        } else if let Some(last) = asked.lines.last_mut() {
            let more = canvas.glyph(ELLIPSIS);
            *last = format!("{}{more}", beginning(last, usize::from(area.width).saturating_sub(1)));
        }
    }
    canvas.spots.focus_at(area.x, area.y);
    for (y, line) in (area.y..answers_at).zip(&asked.lines) {
        canvas.put(area.x, y, area.right(), line, Role::Overlay);
    }
    for (y, row) in (answers_at..area.bottom()).zip(asked.rows) {
        let mut x = area.x;
        for choice in row {
            x = canvas.put(x, y, area.right(), &choice.key.to_string(), Role::OverlayKey);
            let start = x;
            x = canvas.put((x + 1).min(area.right()), y, area.right(), &choice.label, Role::Overlay);
            let place = Rect { x: start.saturating_sub(1), y, width: x + 1 - start, height: 1 };
            canvas.spots.mark(place, Spot::Answer(choice.key));
            x = (x + 3).min(area.right());
        }
    }
}

/// A text in lines of at most `width` columns, parted between words where that is possible.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line, mut taken) = (Vec::new(), String::new(), 0);
    for mut word in text.split(' ') {
        let room = width.saturating_sub(taken + usize::from(!line.is_empty()));
        if !line.is_empty() && beginning(word, room).len() < word.len() {
            lines.push(std::mem::take(&mut line));
            taken = 0;
        }
        // A word that is longer than a line fills lines of its own.
        while line.is_empty() {
            let head = beginning(word, width);
            if head.is_empty() || head.len() == word.len() {
                break;
            }
            lines.push(head.to_owned());
            word = &word[head.len()..];
        }
        if !line.is_empty() {
            line.push(' ');
            taken += 1;
        }
        line.push_str(word);
        taken += columns(word);
    }
    lines.push(line);
    lines
}
