//! Forms, and lines of typed text with their cursor.

use super::canvas::{CHOSEN, Canvas, ELLIPSIS, OPEN, POINTER, shortened};
use super::{Cursor, frame};
use crate::app::{FieldValue, Form, FormField, FormOwner, Spot};
use crate::doc::{beginning, carries, cells, columns, ending, sanitise};
use crate::role::Role;
use ratatui::layout::{Position, Rect};
use std::borrow::Cow;
use std::ops::Range;
use tui_input::Input;

/// Whether what is typed may be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// As it is.
    Plain,
    /// As it is, but for what servers were told in secret: it is an address.
    Veiled,
    /// As stars.
    Secret,
}

/// Draws typed text in one row, scrolled so that the cursor is in sight; gives the cursor.
pub fn input(canvas: &mut Canvas<'_>, area: Rect, input: &Input, shown: Shown, role: Role) -> Cursor {
    let shown = match shown {
        Shown::Plain => Cow::Borrowed(input.value()),
        Shown::Veiled => canvas.veil.masked(input.value()),
        Shown::Secret => Cow::Owned("*".repeat(input.value().chars().count())),
    };
    let cursor = shown.char_indices().nth(input.cursor()).map_or(shown.len(), |(at, _)| at);
    // What carries an octet has no look of its own.
    let (cursor, shown) = match shown.contains(carries) {
        true => (octets_shown(&shown[..cursor]).len(), Cow::Owned(octets_shown(&shown))),
        false => (cursor, shown),
    };
    // Of a long line no more is looked at than finds room before the cursor.
    let near = ending(&shown[..cursor], usize::from(area.width));
    let (text, before) = (&shown[cursor - near.len()..], columns(near));
    if area.width == 0 || area.height == 0 {
        return None;
    }
    let skip = (before + 1).saturating_sub(usize::from(area.width));
    canvas.put_from(area.x, area.y, area.right(), text, skip, role);
    Some(Position { x: area.x + cells(before - skip), y: area.y })
}

/// A text with the octets that it carries as a page shows those.
fn octets_shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match carries(c) {
            true => out.push_str(&sanitise(c.encode_utf8(&mut [0; 4]))),
            false => out.push(c),
        }
    }
    out
}

/// A row of a form before it is placed.
struct Row<'a> {
    /// The field it belongs to.
    field: usize,
    /// Which of its options or lines it is.
    part: Option<usize>,
    content: Content<'a>,
}

enum Content<'a> {
    Text(String, Role),
    Input { label: String, input: &'a Input, shown: Shown, cursor: bool },
    Blank,
}

/// Draws a form; gives the cursor of the field that has the focus.
pub fn draw(canvas: &mut Canvas<'_>, page: Rect, hint: &str, form: &Form) -> Cursor {
    let (width, _) = frame::most(page);
    let rows = rows(canvas, form, (usize::from(width), usize::from(page.height)));
    let title = sanitise(&form.title);
    let area = frame::draw(canvas, page, (width, cells(rows.len())), &title, hint);
    let height = usize::from(area.height);
    // The focused field's last row, and then its first, are in sight.
    let last = rows.iter().rposition(|row| row.field == form.focus).unwrap_or(0);
    let first = rows.iter().position(|row| row.field == form.focus).unwrap_or(0);
    let cursor_row = rows.iter().position(|row| matches!(row.content, Content::Input { cursor: true, .. }));
    let mut top = (last + 1).saturating_sub(height).min(first);
    if let Some(at) = cursor_row {
        top = top.max((at + 1).saturating_sub(height)).min(at);
    }
    let mut cursor = None;
    for (y, row) in (area.top()..area.bottom()).zip(rows.iter().skip(top)) {
        // Of a field of several rows, the one where a key would act.
        let acts = matches!(row.content, Content::Input { cursor: true, .. } | Content::Text(_, Role::OverlayFocus));
        if row.field == form.focus && acts {
            let pointer = canvas.glyph(POINTER);
            canvas.put(area.x, y, area.right(), pointer, Role::OverlayKey);
            canvas.spots.focus_at((area.x + 2).min(area.right().saturating_sub(1)), y);
        }
        let spot = row.part.map_or(Spot::Row(row.field), |part| Spot::Part(row.field, part));
        canvas.spots.mark(Rect { y, height: 1, ..area }, spot);
        let x = (area.x + 2).min(area.right());
        match &row.content {
            Content::Blank => {}
            Content::Text(text, role) => {
                canvas.put(x, y, area.right(), text, *role);
            }
            Content::Input { label, input: typed, shown, cursor: here } => {
                let x = canvas.put(x, y, area.right(), label, Role::OverlayDim);
                let field = Rect { x, y, width: area.right() - x, height: 1 };
                let role = if *here { Role::OverlayFocus } else { Role::Overlay };
                canvas.fill(field, role);
                let at = input(canvas, field, typed, *shown, role);
                cursor = cursor.or(at.filter(|_| *here));
            }
        }
    }
    cursor
}

fn rows<'a>(canvas: &Canvas<'_>, form: &'a Form, (width, height): (usize, usize)) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for (field, FormField { label, value }) in form.fields.iter().enumerate() {
        let focused = field == form.focus;
        let near = near(value, height);
        let label = match form.owner {
            FormOwner::Playground => canvas.veil.reference(&canvas.veil.over(label.clone())),
            _ => label.clone(),
        };
        let line = if form.owner == FormOwner::Playground { Shown::Veiled } else { Shown::Plain };
        let contents = of_field(canvas, &label, (value, line), focused, (width.saturating_sub(2), near.clone()));
        // Below its label.
        let parts = matches!(value, FieldValue::Choose { .. } | FieldValue::Lines { .. });
        let part = |row: usize| row.checked_sub(1).filter(|_| parts).map(|part| near.start + part);
        rows.extend(contents.into_iter().enumerate().map(|(row, content)| Row { field, part: part(row), content }));
    }
    let field = form.fields.len();
    let role = if form.focus == field { Role::OverlayFocus } else { Role::OverlayKey };
    rows.push(Row { field, part: None, content: Content::Blank });
    rows.push(Row { field, part: None, content: Content::Text(format!("[ {} ]", sanitise(&form.button)), role) });
    rows
}

/// The lines of a field of many that can come on a screen of some height with the cursor.
fn near(value: &FieldValue, height: usize) -> Range<usize> {
    match value {
        FieldValue::Lines { lines, at } => {
            let from = at.saturating_sub(height);
            from..lines.len().min(from + 2 * height + 1)
        }
        _ => 0..0,
    }
}

fn of_field<'a>(
    canvas: &Canvas<'_>,
    label: &str,
    (value, line): (&'a FieldValue, Shown),
    focused: bool,
    (width, near): (usize, Range<usize>),
) -> Vec<Content<'a>> {
    let unicode = canvas.theme.unicode;
    let whole = sanitise(label);
    let label = shortened(&whole, width, ELLIPSIS, unicode);
    let plain = if focused { Role::OverlayFocus } else { Role::Overlay };
    let typed = |input, shown| {
        // Question and answer share a row where that leaves the answer half of it.
        let question = format!("{} ", beginning(&label, width / 2));
        match columns(&label) <= width / 2 {
            true => vec![Content::Input { label: question, input, shown, cursor: focused }],
            false => vec![
                Content::Text(label.clone(), Role::OverlayDim),
                Content::Input { label: String::new(), input, shown, cursor: focused },
            ],
        }
    };
    match value {
        FieldValue::Note => super::overlay::wrapped(&whole, width.max(1))
            .into_iter()
            .map(|line| Content::Text(line, Role::OverlayDim))
            .collect(),
        FieldValue::Line { input, secret } => typed(input, if *secret { Shown::Secret } else { line }),
        FieldValue::File { input, sends } => {
            let mut contents = typed(input, Shown::Plain);
            let what = if *sends { "the file's content will be sent" } else { "the answer will be put into this file" };
            contents.push(Content::Text(shortened(what, width, ELLIPSIS, unicode), Role::OverlayForce));
            contents
        }
        FieldValue::Lines { lines, at } => {
            let mut contents = vec![Content::Text(label, Role::OverlayDim)];
            let shown = lines.iter().enumerate().take(near.end).skip(near.start);
            contents.extend(shown.map(|(i, input)| Content::Input {
                label: String::new(),
                input,
                shown: Shown::Plain,
                cursor: focused && i == *at,
            }));
            contents
        }
        FieldValue::Check(on) => vec![Content::Text(format!("[{}] {label}", if *on { "x" } else { " " }), plain)],
        FieldValue::Choose { options, chosen } => {
            let mut contents = vec![Content::Text(label, Role::OverlayDim)];
            contents.extend(options.iter().enumerate().map(|(i, option)| {
                let (mark, role) = if i == *chosen { (CHOSEN, plain) } else { (OPEN, Role::Overlay) };
                let option = format!("{} {}", canvas.glyph(mark), sanitise(option));
                Content::Text(shortened(&option, width, ELLIPSIS, unicode), role)
            }));
            contents
        }
    }
}
