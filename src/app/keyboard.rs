//! A key press: a letter of a text, an answer, or a step in the key map.

use crate::app::answers::{forms, lists, prompts, questions};
use crate::app::forms::web::live;
use crate::app::motion::scroll;
use crate::app::{App, Effect, Overlay, again, ahead, commands, counts, letters, sequence, split};
use crate::keys::{Code, Key, Lookup, Mode};

/// Takes a key.
pub(super) fn press(app: &mut App, mut key: Key) -> Vec<Effect> {
    let mode = app.mode();
    let escape = app.desk.keymap.is_meta(app.modes(), key);
    if app.hands.pending_keys.is_empty() {
        app.hands.note = None;
        app.tab.new_line = None;
        if let Some(effects) = questions::again(app, key).or_else(|| questions::undone(app, key)) {
            return effects;
        }
        if let Some(effects) = letter(app, key) {
            return effects;
        }
        if !app.hands.describes
            && let Some(effects) = field(app, key)
        {
            return effects;
        }
        if !app.hands.describes && counts::takes(app, key) {
            return Vec::new();
        }
        if let Some(effects) = (escape && !app.hands.describes).then(|| ended(app, key)).flatten() {
            return effects;
        }
    } else if app.hands.pending_keys.last().is_some_and(|last| app.desk.keymap.is_meta(app.modes(), *last)) && !escape {
        app.hands.pending_keys.pop();
        key.meta = true;
    }
    app.hands.pending_keys.push(key);
    match app.desk.keymap.lookup_in(app.modes(), &app.hands.pending_keys) {
        Lookup::Command(line) if std::mem::take(&mut app.hands.describes) => {
            told(app, &line);
            Vec::new()
        }
        Lookup::Command(line) => {
            app.hands.pending_keys.clear();
            scroll::end_greeting(&mut app.cx());
            app.hands.pressed = Some(key);
            if line != "go-on" {
                app.tab.at_end = false;
                split::place(app).into_iter().for_each(|beside| app.tabs.behind[beside].at_end = false);
            }
            let count = app.hands.count.take();
            app.hands.counts = false;
            let effects = run(app, mode, &line, count);
            app.hands.pressed = None;
            effects
        }
        Lookup::Prefix(_) => Vec::new(),
        Lookup::Unbound if key.code == Code::Esc && app.hands.pending_keys.len() > 1 => {
            app.hands.pending_keys.clear();
            (app.hands.count, app.hands.describes) = (None, false);
            Vec::new()
        }
        Lookup::Unbound => unbound(app, mode),
    }
}

/// What Esc alone does, where that ends anything; elsewhere it begins a key with Meta.
fn ended(app: &mut App, key: Key) -> Option<Vec<Effect>> {
    let alone = app.modes().iter().find_map(|mode| match app.desk.keymap.lookup(*mode, &[key]) {
        Lookup::Command(line) => Some(line),
        Lookup::Prefix(_) | Lookup::Unbound => None,
    })?;
    let had = app.tab.search.is_some() || app.desk.greets;
    scroll::end_greeting(&mut app.cx());
    let effects = run(app, Mode::Page, &alone, None);
    let ends = matches!(commands::named(&alone), "stop" | "cancel");
    (had || !ends || !effects.is_empty() || app.hands.note.is_some()).then_some(effects)
}

/// Runs the line of a key. What it does that can be done again is known; a command of several steps that still runs ends where the
/// reader goes on by themselves.
fn run(app: &mut App, mode: Mode, line: &str, count: Option<u16>) -> Vec<Effect> {
    let name = commands::named(line);
    if mode == Mode::Page {
        again::pressed(app, line);
        if name == "stop" {
            live::leave(&mut app.cx());
            let effects = commands::run(app, line);
            sequence::end(app);
            ahead::forget(app);
            return effects;
        }
        sequence::overtaken(app, name);
        ahead::overtaken(app, name);
        return counts::run(app, line, count);
    }
    let mut effects = commands::run(app, line);
    if name == "cancel" {
        effects.extend(sequence::cancelled(app));
    }
    effects
}

/// `key`: the next key is told of, and does nothing.
pub(super) fn describe(app: &mut App, _: &str) -> Vec<Effect> {
    app.hands.describes = true;
    Vec::new()
}

/// Says what the keys do that were pressed.
fn told(app: &mut App, line: &str) {
    let keys = std::mem::take(&mut app.hands.pending_keys);
    let name = commands::named(line);
    let own = app.desk.keymap.own_named(name).map(crate::keys::OwnCommand::line);
    let serves = |command: &&commands::Command| app.modes().iter().any(|mode| command.modes.contains(mode));
    let all = || commands::COMMANDS.iter().filter(|command| command.name == name);
    let command = all().find(serves).or_else(|| all().next());
    let what = own.or_else(|| command.map(|command| command.help.to_owned())).unwrap_or_default();
    app.say(format!("{} runs {line}: {what}", crate::keys::shown(&keys)));
}

fn unbound(app: &mut App, mode: Mode) -> Vec<Effect> {
    (app.hands.count, app.hands.describes) = (None, false);
    let keys = std::mem::take(&mut app.hands.pending_keys);
    let [key] = keys[..] else {
        app.complain(format!("{} has no command", crate::keys::shown(&keys)));
        return Vec::new();
    };
    match mode {
        Mode::Prompt => prompts::edit(app, key),
        Mode::Overlay => edit_overlay(app, key),
        Mode::Page | Mode::News | Mode::Groups | Mode::Own | Mode::Settings | Mode::New | Mode::Picture => {
            let help = app.key_for("help").map(|help| format!("; {help} shows all keys")).unwrap_or_default();
            app.say(format!("{key} has no command{help}"));
            Vec::new()
        }
    }
}

/// Where text is typed, plain characters are text; where a question is open, they are its answers.
fn letter(app: &mut App, key: Key) -> Option<Vec<Effect>> {
    if app.hands.prompt().is_none() && matches!(app.hands.top(), Some(Overlay::Form(_))) {
        return forms::takes(&mut app.cx(), key).then(Vec::new);
    }
    let Code::Char(c) = key.code else { return None };
    if key.control || key.meta {
        return None;
    }
    if app.hands.prompt().is_some() {
        return Some(prompts::edit(app, key));
    }
    match app.hands.top()? {
        Overlay::Question { choices, pending, .. } => {
            let meant = questions::meant(choices, pending, c)?;
            Some(questions::answer(app, meant))
        }
        Overlay::List { .. } => Some(lists::edit(app, key)),
        Overlay::Text { .. } => letters::page::letter(&mut app.cx(), c),
        Overlay::Form(_) => None,
    }
}

/// Where typing fills fields in, what edits a line edits the field under focus.
fn field(app: &mut App, key: Key) -> Option<Vec<Effect>> {
    if app.hands.mode() != Mode::Page || !live::begins(&mut app.cx(), key) {
        return None;
    }
    scroll::end_greeting(&mut app.cx());
    Some(match app.hands.prompt() {
        Some(_) => prompts::edit(app, key),
        None => edit_overlay(app, key),
    })
}

fn edit_overlay(app: &mut App, key: Key) -> Vec<Effect> {
    match app.hands.top() {
        Some(Overlay::Form(_)) => forms::with(&mut app.cx(), |form| form.edit(key)),
        Some(Overlay::List { .. }) => lists::edit(app, key),
        _ => Vec::new(),
    }
}

/// Takes pasted text: into the text being typed, else it is an address to open.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    app.hands.note = None;
    scroll::end_greeting(&mut app.cx());
    if app.hands.mode() == Mode::Page {
        live::begins_pasted(&mut app.cx());
    }
    if app.hands.prompt().is_some() {
        prompts::paste(app, text);
        return Vec::new();
    }
    match app.hands.top() {
        Some(Overlay::Form(_)) => return forms::with(&mut app.cx(), |form| form.paste(text)),
        Some(Overlay::List { .. }) => return lists::paste(app, text),
        Some(_) => {}
        None => {
            app.hands.ask(crate::app::PromptKind::Open, "open", "", None);
            prompts::paste(app, text);
        }
    }
    Vec::new()
}
