//! Asking for the value of a field: a line, a file's name, a choice.

use super::super::asking::ask;
use super::super::saving::Purpose;
use super::super::{App, Effect, ListItem, ListKind, Overlay, Prompt, PromptKind};
use super::{field, label, page, sending, set};
use crate::doc::{Field, FieldKind, LineKind, sanitise};
use crate::format::guess;
use crate::format::html::{File, Value};
use tui_input::Input;

/// Suggestions shown at once.
const SUGGESTED: usize = 8;

/// A line of text; a password is typed unseen.
pub(super) fn ask_line(app: &mut App, number: usize, field: &Field, kind: LineKind) {
    let Some((entry, page)) = page(app) else { return };
    let text = text(entry.value(number, field));
    let label = label(page.given(), number);
    let prompt = if kind == LineKind::Password { PromptKind::Password } else { PromptKind::Field };
    app.purpose = Some(Purpose::Field(number));
    ask(app, prompt, &label, &sanitise(&text), None);
}

fn text(value: Value) -> String {
    if let Value::Text(text) = value { text } else { String::new() }
}

/// A file's name. One that is there already is replaced; where several are taken, the next one is added.
pub(super) fn ask_file(app: &mut App, number: usize, field: &Field) {
    let Some((entry, page)) = page(app) else { return };
    let several = matches!(field.kind, FieldKind::File { multiple: true });
    let path = match entry.value(number, field) {
        Value::Files(files) if !several => files.first().map(|file| file.name.clone()).unwrap_or_default(),
        _ => String::new(),
    };
    let label = label(page.given(), number);
    app.purpose = Some(Purpose::Field(number));
    ask(app, PromptKind::Upload, &format!("{label} (a file)"), &path, None);
}

/// What is expected of the text typed into a field.
pub(in crate::app) fn remark(app: &App, typed: &str) -> String {
    let Some(Purpose::Field(number)) = &app.purpose else { return String::new() };
    let Some(field) = field(app, *number) else { return String::new() };
    let kind = match &field.kind {
        FieldKind::File { multiple: true } => "Tab completes; adds a file, an empty line takes all away",
        FieldKind::File { .. } => "Tab completes; nothing is read before the form is sent",
        FieldKind::Line { kind: LineKind::Email, .. } => "a mail address",
        FieldKind::Line { kind: LineKind::Url, .. } => "a URL",
        FieldKind::Line { kind: LineKind::Telephone, .. } => "a telephone number",
        FieldKind::Line { kind: LineKind::Number, .. } => "a number",
        FieldKind::Line { kind: LineKind::Date, .. } => "a date or time, as 2026-11-21",
        _ => "",
    };
    let most = field.longest.map(|most| format!("{} of {most}", typed.chars().count())).unwrap_or_default();
    let hint = sanitise(&field.hint).into_owned();
    let known = [most, hint, kind.to_owned()];
    known.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// What the page suggests for a field that goes on from what was typed.
pub(in crate::app) fn suggestions(app: &App, typed: &str) -> Vec<String> {
    let Some(Purpose::Field(number)) = &app.purpose else { return Vec::new() };
    let suggested = field(app, *number).map_or(&[][..], |field| field.suggestions.as_slice());
    let lower = typed.to_lowercase();
    let fits = suggested.iter().map(|words| sanitise(words).into_owned());
    fits.filter(|words| words != typed && words.to_lowercase().contains(&lower)).take(SUGGESTED).collect()
}

/// Enter in the prompt of a field.
pub(in crate::app) fn typed(app: &mut App, prompt: Prompt) -> Vec<Effect> {
    let Some(Purpose::Field(number)) = app.purpose.take() else { return Vec::new() };
    let Some(field) = field(app, number).cloned() else { return Vec::new() };
    let typed = prompt.input.value().to_owned();
    if let FieldKind::File { multiple } = field.kind {
        if typed.trim().ends_with('/') {
            app.complain("this is a folder; a form sends files");
            app.purpose = Some(Purpose::Field(number));
            app.prompt = Some(prompt);
            return Vec::new();
        }
        name_file(app, (number, &field), multiple, typed.trim());
        return Vec::new();
    }
    let before = app.entry().map(|entry| text(entry.value(number, &field))).unwrap_or_default();
    // What cannot be shown was not typed: a value that was only looked at stays, octet for octet.
    if typed != sanitise(&before) {
        let most = field.longest.map_or(usize::MAX, |most| most as usize);
        if typed.chars().count() > most {
            app.complain(format!("at most {most} characters fit in here"));
            app.purpose = Some(Purpose::Field(number));
            app.prompt = Some(prompt);
            return Vec::new();
        }
        set(app, number, Value::Text(typed));
    }
    sending::implicitly(app, number, &field)
}

fn name_file(app: &mut App, (number, field): (usize, &Field), several: bool, path: &str) {
    let mut files = match app.entry().map(|entry| entry.value(number, field)) {
        Some(Value::Files(files)) if several => files,
        _ => Vec::new(),
    };
    if path.is_empty() {
        files.clear();
    } else {
        files.push(File {
            name: path.into(),
            media: guess::by_name(path).unwrap_or_else(|| guess::OCTETS.into()),
            octets: Vec::new(),
        });
    }
    set(app, number, Value::Files(files));
}

/// The list of what can be chosen.
pub(super) fn open_choices(app: &mut App, number: usize, field: &Field) {
    let Some((entry, page)) = page(app) else { return };
    let FieldKind::Select { options, .. } = &field.kind else { return };
    if options.is_empty() {
        app.say("there is nothing to choose from");
        return;
    }
    let value = entry.value(number, field);
    let selected = if let Value::Chosen(chosen) = &value { chosen.first().copied().unwrap_or(0) } else { 0 };
    let (title, items) = (label(page.given(), number), items(field, &value));
    let kind = ListKind::Options(number as u32);
    app.overlays.push(Overlay::List { kind, title, items, filter: Input::default(), selected });
}

fn items(field: &Field, value: &Value) -> Vec<ListItem> {
    let FieldKind::Select { options, multiple } = &field.kind else { return Vec::new() };
    let chosen = if let Value::Chosen(chosen) = value { chosen.as_slice() } else { &[] };
    let item = |(key, option): (u32, &crate::doc::FieldOption)| {
        let mark = match (chosen.contains(&(key as usize)), multiple) {
            (true, true) => "[x]",
            (false, true) => "[ ]",
            (true, false) => "(*)",
            (false, false) => "( )",
        };
        let group = sanitise(&option.group).into_owned();
        let detail = if option.disabled { "cannot be chosen".into() } else { group };
        ListItem { text: format!("{mark} {}", sanitise(&option.label)), detail, key }
    };
    (0..).zip(options).map(item).collect()
}

/// The field of the open list of choices.
pub(in crate::app) fn is_choosing(app: &App) -> Option<usize> {
    match app.overlays.last() {
        Some(Overlay::List { kind: ListKind::Options(number), .. }) => Some(*number as usize),
        _ => None,
    }
}

/// Enter on a row: of one choice that is the end of it, of several each goes on or off.
pub(in crate::app) fn chosen(app: &mut App, number: usize) -> Vec<Effect> {
    let Some(key) = app.overlays.last().and_then(Overlay::chosen).map(|item| item.key as usize) else {
        return Vec::new();
    };
    let Some(field) = field(app, number).cloned() else { return Vec::new() };
    let FieldKind::Select { options, multiple } = &field.kind else { return Vec::new() };
    if options.get(key).is_none_or(|option| option.disabled) {
        app.say("this one cannot be chosen");
        return Vec::new();
    }
    if !multiple {
        app.overlays.pop();
        set(app, number, Value::Chosen(vec![key]));
        return Vec::new();
    }
    let mut on = match app.entry().map(|entry| entry.value(number, &field)) {
        Some(Value::Chosen(chosen)) => chosen,
        _ => Vec::new(),
    };
    match on.iter().position(|at| *at == key) {
        Some(at) => {
            on.remove(at);
        }
        None => on.insert(on.partition_point(|at| *at < key), key),
    }
    let value = Value::Chosen(on);
    if let Some(Overlay::List { items: rows, .. }) = app.overlays.last_mut() {
        *rows = items(&field, &value);
    }
    set(app, number, value);
    Vec::new()
}
