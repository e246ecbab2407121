//! A key press: a letter of a text, an answer, or a step in the key map.

use super::{App, Effect, Overlay, asking, commands, composing, filling, greeting, lists, question};
use crate::keys::{Code, Key, Lookup, Mode};

/// Takes a key.
pub(super) fn press(app: &mut App, key: Key) -> Vec<Effect> {
    let mode = app.mode();
    if app.pending_keys.is_empty() {
        app.note = None;
        if let Some(effects) = letter(app, key) {
            return effects;
        }
    }
    app.pending_keys.push(key);
    match app.keymap.lookup_in(app.modes(), &app.pending_keys) {
        Lookup::Command(line) => {
            app.pending_keys.clear();
            greeting::end(app);
            app.pressed = Some(key);
            let effects = commands::run(app, &line);
            app.pressed = None;
            effects
        }
        Lookup::Prefix(_) => Vec::new(),
        Lookup::Unbound if key.code == Code::Esc && app.pending_keys.len() > 1 => {
            app.pending_keys.clear();
            Vec::new()
        }
        Lookup::Unbound => unbound(app, mode),
    }
}

fn unbound(app: &mut App, mode: Mode) -> Vec<Effect> {
    let keys = std::mem::take(&mut app.pending_keys);
    let [key] = keys[..] else {
        app.complain(format!("{} has no command", crate::keys::shown(&keys)));
        return Vec::new();
    };
    match mode {
        Mode::Prompt => asking::edit(app, key),
        Mode::Overlay => edit_overlay(app, key),
        Mode::Page | Mode::News | Mode::Own => {
            let help = app.key_for("help").map(|help| format!("; {help} shows all keys")).unwrap_or_default();
            app.say(format!("{key} has no command{help}"));
            Vec::new()
        }
    }
}

/// Where text is typed, plain characters are text; where a question is open, they are its answers.
fn letter(app: &mut App, key: Key) -> Option<Vec<Effect>> {
    if app.prompt.is_none() && matches!(app.overlays.last(), Some(Overlay::Form(_))) {
        return filling::takes(app, key).then(|| filling::edit(app, key));
    }
    let Code::Char(c) = key.code else { return None };
    if key.control || key.meta {
        return None;
    }
    if app.prompt.is_some() {
        return Some(asking::edit(app, key));
    }
    match app.overlays.last()? {
        Overlay::Question { choices, .. } => {
            choices.iter().any(|choice| choice.key == c).then(|| question::answer(app, c))
        }
        Overlay::List { .. } => Some(lists::edit(app, key)),
        Overlay::Text { .. } => composing::page::letter(app, c),
        Overlay::Form(_) => None,
    }
}

fn edit_overlay(app: &mut App, key: Key) -> Vec<Effect> {
    match app.overlays.last() {
        Some(Overlay::Form(_)) => filling::edit(app, key),
        Some(Overlay::List { .. }) => lists::edit(app, key),
        _ => Vec::new(),
    }
}

/// Takes pasted text: into the text being typed, else it is an address to open.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    app.note = None;
    greeting::end(app);
    if app.prompt.is_some() {
        asking::paste(app, text);
        return Vec::new();
    }
    match app.overlays.last() {
        Some(Overlay::Form(_)) => filling::paste(app, text),
        Some(Overlay::List { .. }) => lists::paste(app, text),
        Some(_) => {}
        None => {
            asking::ask(app, super::PromptKind::Open, "open", "", None);
            asking::paste(app, text);
        }
    }
    Vec::new()
}
