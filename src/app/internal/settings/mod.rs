//! `about:settings`: every setting with its value, its default, what the file says, and what it is for. What is changed here counts
//! at once, where it can, and is written into the reader's file; `:set` and `:theme` change things for the run, `:keep` keeps
//! them. Refuses: reading and writing the file, which the shell does.

mod page;
pub(in crate::app) mod themes;

use super::asked;
use crate::app::motion::{focus, scroll};
use crate::app::state::Cx;
use crate::app::state::desk::Change;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, Kept, Mouse, PromptKind, Purpose, Sight};
use crate::config::{self, Kind, MarkStyle, Setting, SettingsFile, When};
use crate::doc::{Marks, Wrap, sanitise};
use crate::table::{self, Value};
use crate::url::{Url, redact};
use page::told;

/// `settings`.
pub(in crate::app) fn open(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    super::go(cx, "about:settings")
}

/// Whether they are in view.
pub(in crate::app) fn is_open(sight: Sight<'_>) -> bool {
    super::open_one(sight) == Some(super::Which::Settings)
}

/// Makes the page in view anew when it shows something else.
pub(super) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    page::tend(cx);
    ask(cx)
}

/// Asks the shell for the file, once.
fn ask(cx: &mut Cx<'_>) -> Vec<Effect> {
    match std::mem::replace(&mut cx.desk.own.asked, true) {
        true => Vec::new(),
        false => vec![read(cx)],
    }
}

fn read(cx: &mut Cx<'_>) -> Effect {
    Effect::ReadSettings { id: cx.job(Errand::Settings) }
}

/// The file has been read, or written with what was changed; one that could not be read says nothing to be taken over, and what was
/// known before stays.
pub(in crate::app) fn known(cx: &mut Cx<'_>, file: Box<SettingsFile>, readable: bool) {
    keep_known(cx, file, readable, false);
}

/// The same of a look at the files under a number: what was asked for by `reload-settings` is taken over.
pub(in crate::app) fn looked(cx: &mut Cx<'_>, id: JobId, file: Box<SettingsFile>, remark: Option<String>) {
    let reload = cx.desk.own.reload.take_if(|wanted| *wanted == id).is_some();
    keep_known(cx, file, remark.is_none(), reload);
    if let Some(remark) = remark {
        cx.complain(remark);
    }
}

fn keep_known(cx: &mut Cx<'_>, file: Box<SettingsFile>, readable: bool, reload: bool) {
    let first = cx.desk.own.file.is_none();
    if readable || first {
        cx.desk.own.file = Some(file);
    }
    themes::refill(cx);
    if reload && readable {
        take_over(cx);
    } else if first && cx.desk.own.changed.contains("keys") {
        cx.intend(Intent::Rekey);
    }
}

/// The setting that a URL stands for on this page.
fn at(sight: Sight<'_>, url: &Url) -> Option<&'static Setting> {
    super::open_one(sight).filter(|which| *which == super::Which::Settings)?;
    super::of(url).filter(|which| *which == super::Which::Settings)?;
    config::find(&asked(url, "name")?)
}

/// The setting under focus.
fn under_focus(cx: &mut Cx<'_>) -> Option<&'static Setting> {
    let url = focus::target(cx)?;
    let setting = at(cx.sight(), &url);
    if setting.is_none() {
        cx.say("no setting under focus");
    }
    setting
}

/// Enter on a row: a switch is turned, a choice goes on, all else is asked for.
pub(super) fn act(cx: &mut Cx<'_>, url: &Url) -> Option<Vec<Effect>> {
    let setting = at(cx.sight(), url)?;
    Some(match setting.kind {
        Kind::Switch | Kind::Choice(_) => step(cx, setting, true),
        Kind::Number { .. } | Kind::Text | Kind::Table(_) => ask_value(cx, setting),
    })
}

/// `edit` on this page.
pub(super) fn edit(cx: &mut Cx<'_>) -> Vec<Effect> {
    under_focus(cx).map(|setting| ask_value(cx, setting)).unwrap_or_default()
}

/// `next-value`.
pub(in crate::app) fn next(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    under_focus(cx).map(|setting| step(cx, setting, true)).unwrap_or_default()
}

/// `previous-value`.
pub(in crate::app) fn previous(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    under_focus(cx).map(|setting| step(cx, setting, false)).unwrap_or_default()
}

fn step(cx: &mut Cx<'_>, setting: &'static Setting, forward: bool) -> Vec<Effect> {
    let now = wanted(cx.sight(), setting);
    let also = if setting.name == "theme" { themes::own(cx.sight()) } else { Vec::new() };
    match setting.step(&now, forward, &also) {
        Some(value) => change(cx, setting, Some(value)),
        None => {
            let key = cx.key_on_own("edit").unwrap_or_else(|| "Enter".into());
            cx.say(format!("{} is written out: Enter or {key} changes it", shown(setting.name)));
            Vec::new()
        }
    }
}

/// What a setting is to be: what counts now, or from the next start on.
fn wanted(sight: Sight<'_>, setting: &Setting) -> Value {
    let counts = setting.value(&sight.desk.settings);
    let file = sight.desk.own.file.as_deref().filter(|_| setting.when == When::AtStart);
    file.map_or(counts, |file| setting.value(&file.settings().0))
}

fn ask_value(cx: &mut Cx<'_>, setting: &'static Setting) -> Vec<Effect> {
    if matches!(setting.kind, Kind::Table(_)) {
        cx.say(format!("{} has rows of its own, which are written into the file", shown(setting.name)));
        return Vec::new();
    }
    let text = match wanted(cx.sight(), setting) {
        // What is hidden cannot be gone on with: it is typed anew.
        Value::Text(text) if redact(&text) != text => String::new(),
        Value::Text(text) => text,
        value => value.to_string(),
    };
    cx.hands.ask_for(Purpose::Setting(setting.name), PromptKind::Setting, setting.name, &sanitise(&text), None);
    Vec::new()
}

/// A typed value, as `:set` and the prompt take it: a text needs no quotation marks.
fn value_of(setting: &Setting, text: &str) -> Value {
    let text = text.trim();
    match (setting.kind, table::value(text)) {
        (Kind::Switch, _) if matches!(text, "on" | "yes") => Value::Switch(true),
        (Kind::Switch, _) if matches!(text, "off" | "no") => Value::Switch(false),
        (Kind::Text | Kind::Choice(_), Value::Text(text)) => Value::Text(text),
        (Kind::Text | Kind::Choice(_), _) => Value::Text(text.into()),
        (_, value) => value,
    }
}

/// Whether a typed value makes sense.
///
/// # Errors
/// Why not, in a few words.
pub(in crate::app) fn fits(sight: Sight<'_>, name: &str, text: &str) -> Result<(), String> {
    let Some(setting) = config::find(name) else { return Ok(()) };
    check(sight, setting, &value_of(setting, text))
}

fn check(sight: Sight<'_>, setting: &Setting, value: &Value) -> Result<(), String> {
    config::check(&sight.desk.settings, setting.name, value)?;
    match (setting.kind, value) {
        // A name is none until there is something of it.
        (Kind::Choice(words), Value::Text(word)) => {
            let own = if setting.name == "theme" { themes::own(sight) } else { Vec::new() };
            let mut all: Vec<&str> = words();
            all.extend(own.iter().map(String::as_str));
            match all.contains(&word.as_str()) {
                true => Ok(()),
                false => Err(format!("{}: there are {}", setting.name, all.join(", "))),
            }
        }
        _ => Ok(()),
    }
}

/// A value was typed at the prompt of a row.
pub(in crate::app) fn typed(cx: &mut Cx<'_>, name: &str, text: &str) -> Vec<Effect> {
    let Some(setting) = config::find(name) else { return Vec::new() };
    let value = value_of(setting, text);
    change(cx, setting, Some(value))
}

/// `remove` on this page: the file says nothing of it any more.
pub(super) fn remove(cx: &mut Cx<'_>) -> Vec<Effect> {
    under_focus(cx).map(|setting| change(cx, setting, None)).unwrap_or_default()
}

/// What the file says of a setting.
fn said(file: &SettingsFile, name: &str) -> Option<Value> {
    file.rows().into_iter().find(|row| row.path.join(".") == name).map(|row| row.value)
}

/// Changes a setting for good: at once, where it can, and in the file.
fn change(cx: &mut Cx<'_>, setting: &'static Setting, value: Option<Value>) -> Vec<Effect> {
    let Some(file) = cx.desk.own.file.as_deref() else {
        cx.say("settings.toml is being read; once more");
        return ask(cx);
    };
    let before = said(file, setting.name);
    if matches!(setting.kind, Kind::Table(_)) {
        cx.say(format!("{} has rows of its own, which are changed in the file", shown(setting.name)));
        return Vec::new();
    }
    let counted = setting.value(&cx.desk.settings);
    let counts = value.clone().unwrap_or_else(|| setting.value(&Default::default()));
    if before == value && (counted == counts || setting.when == When::AtStart) {
        cx.say(format!("{} is so already", setting.name));
        return Vec::new();
    }
    if let Err(wrong) = check(cx.sight(), setting, &counts) {
        cx.complain(wrong);
        return Vec::new();
    }
    let mut effects = take(cx, setting, &counts);
    match write(cx, setting.name, value) {
        Ok(effect) => effects.push(effect),
        Err(wrong) => {
            cx.complain(wrong);
            return effects;
        }
    }
    let was_changed = cx.desk.own.changed.remove(setting.name);
    cx.desk.own.undo.push(Change { name: setting.name, said: Some(before), was_changed, counted });
    let when = if setting.when == When::AtStart { ", from the next start on" } else { "" };
    let undo = cx.key_on_own("undo").map(|key| format!("; {key} takes it back")).unwrap_or_default();
    cx.say(format!("{} is {}{when}{undo}", setting.name, sanitise(&told(&counts))));
    effects
}

/// What is to be kept of a change; it is in what is known of the file already.
fn write(cx: &mut Cx<'_>, name: &str, value: Option<Value>) -> Result<Effect, String> {
    if let Some(file) = &mut cx.desk.own.file {
        let text = match &value {
            Some(value) => config::written(&file.text, name, value),
            None => config::remove(&file.text, name),
        };
        file.text = text.map_err(|wrong| format!("{}: {wrong}", file.name))?;
    }
    Ok(Effect::Keep(Kept::Setting { name: name.into(), value }))
}

/// `undo` on this page.
pub(super) fn undo(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(change) = cx.desk.own.undo.pop() else {
        cx.say("nothing was changed here that could be taken back");
        return Vec::new();
    };
    let Some(setting) = config::find(change.name) else { return Vec::new() };
    let kept = match change.said.clone().map(|said| write(cx, change.name, said)).transpose() {
        Ok(effect) => effect,
        Err(wrong) => {
            cx.complain(wrong);
            cx.desk.own.undo.push(change);
            return Vec::new();
        }
    };
    let Change { name, counted, was_changed, .. } = change;
    let mut effects = take(cx, setting, &counted);
    effects.extend(kept);
    match was_changed {
        true => cx.desk.own.changed.insert(name),
        false => cx.desk.own.changed.remove(name),
    };
    cx.say(format!("{name} is {} again", sanitise(&told(&counted))));
    effects
}

/// Lets a value count that was checked, as far as that can be now.
fn take(cx: &mut Cx<'_>, setting: &Setting, value: &Value) -> Vec<Effect> {
    if setting.when == When::AtStart {
        return Vec::new();
    }
    if let Err(wrong) = config::set(&mut cx.desk.settings, setting.name, value) {
        cx.complain(wrong);
        return Vec::new();
    }
    follow(cx, setting.name)
}

/// What stands beside the settings follows them.
fn follow(cx: &mut Cx<'_>, name: &str) -> Vec<Effect> {
    let settings = &cx.desk.settings;
    let (wrap, marks, mouse) = (settings.wrap, settings.marks, settings.mouse);
    match name {
        "wrap" => cx.desk.choices.wrap = if wrap { Wrap::On } else { Wrap::Off },
        "marks" => {
            cx.desk.choices.marks = if marks == MarkStyle::Glyphs { Marks::Glyphs } else { Marks::Words };
        }
        "mouse" => cx.desk.choices.mouse = if mouse { Mouse::On } else { Mouse::Off },
        "theme" => cx.desk.own.before = None,
        "keys" if cx.desk.own.file.is_some() => cx.intend(Intent::Rekey),
        // They lie below a file of the reader's, which is to be read first.
        "keys" => {
            cx.desk.own.changed.insert("keys");
            return ask(cx);
        }
        _ => {}
    }
    scroll::keep_in_view(cx);
    Vec::new()
}

/// What `set` is given, as vi spells switches, too: `wrap`, `nowrap`, `invwrap` or `wrap!`, and `wrap?` to be told.
fn spelled<'t>(sight: Sight<'_>, name: &'t str, text: &'t str) -> (&'t str, &'t str) {
    let switch = |name: &str| {
        let setting = config::find(name).filter(|setting| matches!(setting.kind, Kind::Switch))?;
        Some((setting.value(&sight.desk.settings) == Value::Switch(true), setting.when == When::Now))
    };
    if !text.is_empty() {
        return (name, text);
    }
    if let Some((on, now)) = switch(name) {
        return (name, if now && !on { "on" } else { "" });
    }
    let turned = name.strip_prefix("inv").or_else(|| name.strip_suffix('!'));
    match (name.strip_suffix('?'), name.strip_prefix("no"), turned) {
        (Some(asked), ..) => (asked, ""),
        (_, Some(off), _) if switch(off).is_some() => (off, "off"),
        (.., Some(turned)) => match switch(turned) {
            Some((on, _)) => (turned, if on { "off" } else { "on" }),
            None => (name, text),
        },
        _ => (name, text),
    }
}

/// `set NAME VALUE`, `set NAME`.
pub(in crate::app) fn set(cx: &mut Cx<'_>, name: &str, text: &str) -> Vec<Effect> {
    let (name, text) = spelled(cx.sight(), name, text);
    let Some(setting) = config::find(name) else {
        let near = table::suggestion(name, config::names());
        let page = cx.key_for("settings").unwrap_or_else(|| ":settings".into());
        if name.is_empty() {
            cx.complain(format!("set wants the name of a setting, as in :set wrap; {page} shows all"));
            return Vec::new();
        }
        cx.complain(format!("there is no setting \"{}\"{near}; {page} shows all", sanitise(name)));
        return Vec::new();
    };
    let now = setting.value(&cx.desk.settings);
    if text.is_empty() {
        cx.say(format!("{name} is {}", sanitise(&told(&now))));
        return Vec::new();
    }
    let value = value_of(setting, text);
    if let Err(wrong) = check(cx.sight(), setting, &value) {
        cx.complain(wrong);
        return Vec::new();
    }
    if setting.when == When::AtStart {
        let page = cx.key_for("settings").unwrap_or_else(|| ":settings".into());
        cx.complain(format!("{name} counts from the start on: {page} writes it into your file"));
        return Vec::new();
    }
    let effects = take(cx, setting, &value);
    let was_changed = !cx.desk.own.changed.insert(setting.name);
    if now != value {
        cx.desk.own.undo.push(Change { name: setting.name, said: None, was_changed, counted: now });
    }
    cx.say(format!("{name} is {} until the end; :keep keeps it", sanitise(&told(&value))));
    effects
}

/// `keep`: what was changed for this run is written into the file.
pub(in crate::app) fn keep(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let (mut effects, mut kept, mut wrong) = (Vec::new(), Vec::new(), None);
    for name in std::mem::take(&mut cx.desk.own.changed) {
        let Some(setting) = config::find(name) else { continue };
        match write(cx, name, Some(setting.value(&cx.desk.settings))) {
            Ok(effect) => {
                effects.push(effect);
                kept.push(name);
            }
            Err(sentence) => {
                cx.desk.own.changed.insert(name);
                wrong = Some(sentence);
            }
        }
    }
    let told = (!kept.is_empty()).then(|| format!("kept for the next time: {}", kept.join(", ")));
    match (wrong, told) {
        (Some(wrong), Some(told)) => cx.complain(format!("{wrong} · {told}")),
        (Some(wrong), None) => cx.complain(wrong),
        (None, told) => cx.say(told.unwrap_or_else(|| "nothing was changed by :set or :theme".into())),
    }
    effects
}

/// `reload-settings`.
pub(in crate::app) fn reload(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let effect = read(cx);
    if let Effect::ReadSettings { id } = effect {
        (cx.desk.own.reload, cx.desk.own.asked) = (Some(id), true);
    }
    vec![effect]
}

/// Takes over what the files say, and tells what that changed. What a mistake is about stays as it is.
fn take_over(cx: &mut Cx<'_>) {
    let Some(file) = cx.desk.own.file.as_deref() else { return };
    let (new, errors) = file.settings();
    let mistaken = file.mistaken(&errors);
    let (mut now, mut later, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for setting in config::settings().iter() {
        if setting.when == When::Now && mistaken.contains(&setting.name) {
            continue;
        }
        if let Kind::Table(copy) = setting.kind {
            match setting.when {
                When::Now if copy(&mut cx.desk.settings, &new) => now.push(shown(setting.name)),
                When::AtStart if copy(&mut cx.desk.settings.clone(), &new) => later.push(shown(setting.name)),
                When::Now | When::AtStart => {}
            }
            continue;
        }
        let value = setting.value(&new);
        if value == setting.value(&cx.desk.settings) {
            continue;
        }
        match setting.when {
            When::AtStart => later.push(setting.name),
            When::Now => match check(cx.sight(), setting, &value) {
                Ok(()) => {
                    // Keys are read anew below.
                    take(cx, setting, &value);
                    now.push(setting.name);
                }
                Err(sentence) => wrong.push(sentence),
            },
        }
    }
    cx.desk.own.changed.clear();
    cx.intend(Intent::Rekey);
    let told =
        [("taken over", now), ("from the next start on", later)].into_iter().filter(|(_, names)| !names.is_empty());
    let told: Vec<String> = told.map(|(when, names)| format!("{when}: {}", names.join(", "))).collect();
    let told = told.join(" · ");
    wrong.extend(errors.iter().map(ToString::to_string));
    match (wrong.split_first(), told.is_empty()) {
        (Some((first, rest)), no_more) => {
            let more = if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
            let gap = if no_more { "" } else { " · " };
            cx.complain(format!("{first}{more}{gap}{told}"));
        }
        (None, true) => cx.say("no setting has changed; keys and themes are read again"),
        (None, false) => cx.say(told),
    }
}

/// The name of a setting, for the reader.
fn shown(name: &str) -> &str {
    name.trim_end_matches('.')
}
