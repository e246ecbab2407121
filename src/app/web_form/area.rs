//! Fields of several lines: in a box over the page, or in the reader's editor.

use super::super::{App, Effect, FieldValue, FormField, FormState, Overlay, Tab, Transfer};
use super::{field, label, page, set};
use crate::doc::{Field, FieldKind, sanitise};
use crate::format::html::Value;
use tui_input::Input;

/// Octets that an editor may leave.
const MOST: usize = 1 << 20;

/// A field of several lines that is being written.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct Area {
    number: usize,
    /// The place in history it belongs to.
    at: usize,
    stage: Stage,
}

/// Where its text is.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// In the box.
    Box,
    /// On its way into a file.
    Writing,
    /// The editor has the terminal.
    Editing(String),
    /// On its way back.
    Reading(String),
}

fn lines(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n").replace('\r', "\n").split('\n').map(|line| sanitise(line).into_owned()).collect()
}

fn text_of(app: &App, number: usize, field: &Field) -> String {
    match app.entry().map(|entry| entry.value(number, field)) {
        Some(Value::Text(text)) => text,
        _ => String::new(),
    }
}

/// The box over the page.
pub(super) fn open(app: &mut App, number: usize, field: &Field) {
    let text = text_of(app, number, field);
    let Some((entry, page)) = page(app) else { return };
    let title = label(page.given(), number);
    let hint = app.key_for("edit-field").map(|key| format!("{key} on the page opens your editor")).unwrap_or_default();
    let inputs: Vec<Input> = lines(&text).into_iter().map(Input::new).collect();
    let label = sanitise(&field.hint).into_owned();
    let label = if label.is_empty() { hint } else { label };
    let fields = vec![FormField { label, value: FieldValue::Lines { lines: inputs, at: 0 } }];
    let state = FormState { url: entry.url.clone(), title, fields, focus: 0, button: "Keep".into() };
    app.overlays.push(Overlay::Form(state));
    app.tab.area = Some(Area { number, at: app.tab.at, stage: Stage::Box });
}

/// The box is closed with its text. False when the open form is none.
pub(in crate::app) fn keep(app: &mut App) -> bool {
    let Some(area) = app.tab.area.take_if(|area| area.stage == Stage::Box) else { return false };
    let Some(Overlay::Form(state)) = app.overlays.pop() else { return true };
    if let Some(FieldValue::Lines { lines, .. }) = state.fields.first().map(|field| &field.value) {
        let text = lines.iter().map(Input::value).collect::<Vec<_>>().join("\n");
        replace(app, &area, text);
    }
    true
}

/// Puts a text into the field, unless it says the same as before or the reader has gone elsewhere.
fn replace(app: &mut App, area: &Area, text: String) {
    let Some(field) = field(app, area.number).filter(|_| app.tab.at == area.at).cloned() else { return };
    if !matches!(field.kind, FieldKind::Text(_) | FieldKind::Line { .. }) {
        return;
    }
    let before = text_of(app, area.number, &field);
    if lines(&before).join("\n") == text {
        return;
    }
    let length = text.chars().count();
    set(app, area.number, Value::Text(text));
    if let Some(most) = field.longest.filter(|most| length > *most as usize) {
        app.complain(format!("it has {length} characters; the page takes {most}"));
    }
}

/// `edit-field`: the field under focus in the reader's editor.
pub(in crate::app) fn edit_field(app: &mut App, _: &str) -> Vec<Effect> {
    let focus = app.entry().and_then(|entry| entry.focus);
    let number = focus.and_then(|link| page(app)?.1.document().field_at(link));
    let Some((number, field)) = number.and_then(|number| Some((number, field(app, number)?.clone()))) else {
        app.say("no field under focus");
        return Vec::new();
    };
    if !matches!(field.kind, FieldKind::Text(_)) || field.readonly {
        app.say("only fields of several lines open in an editor");
        return Vec::new();
    }
    if app.tab.area.is_some() || app.writing.is_some() || app.composing.is_some() {
        app.complain("another text is still on its way; try again when it has arrived");
        return Vec::new();
    }
    let text = lines(&text_of(app, number, &field)).join("\n");
    app.tab.area = Some(Area { number, at: app.tab.at, stage: Stage::Writing });
    let path = format!("{}/field-{number}.txt", app.choices.scratch);
    vec![Effect::Write { path, content: Some(text.into_bytes()), replace: true }]
}

fn stage(tab: &Tab) -> Option<&Stage> {
    tab.area.as_ref().map(|area| &area.stage)
}

/// Whether a written file is that of a tab's field.
pub(in crate::app) fn is_written(tab: &Tab) -> bool {
    matches!(stage(tab), Some(Stage::Writing))
}

/// Whether an editor has a tab's field.
pub(in crate::app) fn is_editing(tab: &Tab) -> bool {
    matches!(stage(tab), Some(Stage::Editing(_)))
}

/// Whether a file that has been read is that of a tab's field.
pub(in crate::app) fn is_reading(tab: &Tab) -> bool {
    matches!(stage(tab), Some(Stage::Reading(_)))
}

/// The text is in its file: the editor's turn.
pub(in crate::app) fn wrote(app: &mut App, result: Result<String, Transfer>) -> Vec<Effect> {
    let Ok(path) = result else {
        app.tab.area = None;
        app.complain("no file can be written for the editor");
        return Vec::new();
    };
    let program = app.choices.editor_on(path.clone());
    if let Some(area) = &mut app.tab.area {
        area.stage = Stage::Editing(path);
    }
    vec![Effect::Run(program)]
}

/// The editor has ended, or what it left has been read.
pub(in crate::app) fn edited(app: &mut App, content: Result<Option<Vec<u8>>, String>) -> Vec<Effect> {
    let Some(mut area) = app.tab.area.take() else { return Vec::new() };
    let (Stage::Editing(path) | Stage::Reading(path)) = area.stage.clone() else { return Vec::new() };
    match content {
        Ok(None) => {
            area.stage = Stage::Reading(path.clone());
            app.tab.area = Some(area);
            return vec![Effect::Redraw, Effect::Read(path)];
        }
        Ok(Some(octets)) if octets.len() > MOST => app.complain("what the editor left is too long for a field"),
        Ok(Some(octets)) => {
            let text = String::from_utf8_lossy(&octets).into_owned();
            // Editors end the last line; the field's last line has no end.
            let text = text.strip_suffix('\n').unwrap_or(&text).replace("\r\n", "\n");
            replace(app, &area, text);
        }
        Err(sentence) => app.complain(sentence),
    }
    vec![Effect::Redraw, Effect::Write { path, content: None, replace: true }]
}
