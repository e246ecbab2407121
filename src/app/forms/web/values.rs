//! Asking for the value of a field: a line, a file's name, a choice.

use super::{Found, GONE, find, page, place, set, set_at, submission};
use crate::app::state::Cx;
use crate::app::{Effect, FieldPlace, ListKind, Overlay, Prompt, PromptKind, Purpose, Sight, Takes};
use crate::doc::{Field, FieldKind, LineKind, index, sanitise};
use crate::format::guess;
use crate::format::html::{File, Value};
use crate::work::{ListRows, Options};
use std::sync::Arc;

/// Suggestions shown at once.
const SUGGESTED: usize = 8;

/// A line of text; a password is typed unseen.
pub(super) fn ask_line(cx: &mut Cx<'_>, number: usize, field: &Field, kind: LineKind) {
    let Some((entry, page)) = page(cx.sight()) else { return };
    let text = text(entry.value(number, field));
    let label = page.given().field_label(number);
    let prompt = if kind == LineKind::Password { PromptKind::Password } else { PromptKind::Field };
    let Some(place) = place(cx.sight(), number) else { return };
    cx.hands.ask_for(Purpose::Field(Box::new(place)), prompt, &label, &sanitise(&text), None);
}

fn text(value: Value) -> String {
    if let Value::Text(text) = value { text } else { String::new() }
}

/// A file's name. One that is there already is replaced; where several are taken, the next one is added.
pub(super) fn ask_file(cx: &mut Cx<'_>, number: usize, field: &Field) {
    let Some((entry, page)) = page(cx.sight()) else { return };
    let several = matches!(field.kind, FieldKind::File { multiple: true });
    let path = match entry.value(number, field) {
        Value::Files(files) if !several => files.first().map(|file| file.name.clone()).unwrap_or_default(),
        _ => String::new(),
    };
    let label = page.given().field_label(number);
    let Some(place) = place(cx.sight(), number) else { return };
    cx.hands.ask_for(Purpose::Field(Box::new(place)), PromptKind::Upload, &format!("{label} (a file)"), &path, None);
}

/// The field that the prompt asks for.
fn asked(sight: Sight<'_>) -> Option<Field> {
    let Purpose::Field(place) = &sight.hands.prompt()?.purpose else { return None };
    match find(sight, place) {
        Found::Here(_, field) | Found::Again(_, field) => Some(*field),
        Found::Ahead(_) | Found::Gone => None,
    }
}

/// What is expected of the text typed into a field.
pub(in crate::app) fn remark(sight: Sight<'_>, typed: &str) -> String {
    let Some(field) = asked(sight) else { return String::new() };
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
    let leaves = if super::live::is_open(sight) { "Tab or Down leaves it" } else { "" };
    let known = [most, hint, kind.to_owned(), leaves.to_owned()];
    known.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// What the page suggests for a field that goes on from what was typed.
pub(in crate::app) fn suggestions(sight: Sight<'_>, typed: &str) -> Vec<String> {
    let suggested = asked(sight).map(|field| field.suggestions).unwrap_or_default();
    let lower = typed.to_lowercase();
    let fits = suggested.iter().map(|words| sanitise(words).into_owned());
    fits.filter(|words| words != typed && words.to_lowercase().contains(&lower)).take(SUGGESTED).collect()
}

/// What was typed in the prompt of a field goes into it. `sends`: Enter, which sends a form that has no other line to go on to.
pub(in crate::app) fn typed(cx: &mut Cx<'_>, prompt: Prompt, sends: bool) -> Vec<Effect> {
    let Purpose::Field(place) = prompt.purpose.clone() else { return Vec::new() };
    let typed = prompt.input.value().to_owned();
    let found = find(cx.sight(), &place);
    let again = matches!(found, Found::Again(..));
    let (at, field) = match found {
        Found::Here(at, field) | Found::Again(at, field) => (at, *field),
        Found::Ahead(at) => return ahead(cx, (at, &place), typed),
        Found::Gone => {
            cx.complain(GONE);
            cx.hands.put_back(prompt);
            return Vec::new();
        }
    };
    if let FieldKind::File { multiple } = field.kind {
        if typed.trim().ends_with('/') {
            cx.complain("this is a folder; a form sends files");
            cx.hands.put_back(prompt);
            return Vec::new();
        }
        name_file(cx, (at, place.number, &field), multiple, typed.trim());
        return Vec::new();
    }
    let entry = cx.tab.history.get(at);
    let before = entry.map(|entry| text(entry.value(place.number, &field))).unwrap_or_default();
    // What cannot be shown was not typed: a value that was only looked at stays, octet for octet.
    if typed != sanitise(&before) {
        let most = field.longest.map_or(usize::MAX, |most| most as usize);
        if typed.chars().count() > most {
            cx.complain(format!("at most {most} characters fit in here"));
            cx.hands.put_back(prompt);
            return Vec::new();
        }
        set_at(cx, at, place.number, Value::Text(typed));
    }
    if at != cx.tab.at {
        cx.say("kept in the field; its page is not in view any more");
        return Vec::new();
    }
    if again {
        cx.say("kept in the field; the page has changed meanwhile, and nothing was sent");
        return Vec::new();
    }
    if sends { submission::implicitly(cx, place.number, &field) } else { Vec::new() }
}

/// The prompt of a field was left: what was typed stays in the field, as far as it fits, and nothing is sent.
pub(in crate::app) fn left(cx: &mut Cx<'_>, mut prompt: Prompt) -> Vec<Effect> {
    let Purpose::Field(place) = &prompt.purpose else { return Vec::new() };
    match find(cx.sight(), place) {
        Found::Here(_, field) | Found::Again(_, field) => {
            let most = field.longest.map_or(usize::MAX, |most| most as usize);
            if prompt.input.value().chars().count() > most {
                prompt.input = prompt.input.value().chars().take(most).collect::<String>().into();
                cx.say(format!("only {most} characters fit in here; they are kept"));
            }
        }
        Found::Ahead(_) => {}
        Found::Gone => {
            cx.complain(GONE);
            return Vec::new();
        }
    }
    typed(cx, prompt, false)
}

/// The field has not come yet: it gets the value when it does.
fn ahead(cx: &mut Cx<'_>, (at, place): (usize, &FieldPlace), typed: String) -> Vec<Effect> {
    let value = match place.takes {
        Takes::Files => Value::Files(file(typed.trim()).into_iter().collect()),
        Takes::Line | Takes::Secret | Takes::Lines => Value::Text(typed),
    };
    if let Some(entry) = cx.tab.history.get_mut(at) {
        entry.fill_ahead(place.number, place.name.clone(), value);
    }
    cx.say("kept for the field, which is still to come");
    Vec::new()
}

/// A file that is to be sent, unread; none without a name.
fn file(path: &str) -> Option<File> {
    let media = guess::by_name(path).unwrap_or_else(|| guess::OCTETS.into());
    (!path.is_empty()).then(|| File { name: path.into(), media, octets: Vec::new() })
}

fn name_file(cx: &mut Cx<'_>, (at, number, field): (usize, usize, &Field), several: bool, path: &str) {
    let mut files = match cx.tab.history.get(at).map(|entry| entry.value(number, field)) {
        Some(Value::Files(files)) if several => files,
        _ => Vec::new(),
    };
    match file(path) {
        Some(file) => files.push(file),
        None => files.clear(),
    }
    set_at(cx, at, number, Value::Files(files));
}

/// The list of what can be chosen.
pub(super) fn open_choices(cx: &mut Cx<'_>, number: usize) {
    let rows = choices(cx.sight(), number);
    let ListRows::Options(options) = &rows else { return };
    if rows.is_empty() {
        cx.say("there is nothing to choose from");
        return;
    }
    let selected = options.first_chosen().unwrap_or(0);
    let title = page(cx.sight()).map(|(_, page)| page.given().field_label(number)).unwrap_or_default();
    cx.hands.list(ListKind::Options(index(number)), &title, rows, selected);
}

/// What there is to choose from, and what is chosen.
fn choices(sight: Sight<'_>, number: usize) -> ListRows {
    let Some((entry, page)) = page(sight) else { return ListRows::default() };
    let chosen = match page.given().fields.get(number).map(|field| entry.value(number, field)) {
        Some(Value::Chosen(chosen)) => chosen,
        _ => Vec::new(),
    };
    ListRows::Options(Arc::new(Options::new(Arc::clone(page.document()), number, chosen)))
}

/// The field of the open list of choices.
pub(in crate::app) fn is_choosing(sight: Sight<'_>) -> Option<usize> {
    match sight.hands.top() {
        Some(Overlay::List { kind: ListKind::Options(number), .. }) => Some(*number as usize),
        _ => None,
    }
}

/// Enter on a row: of one choice that is the end of it, of several each goes on or off.
pub(in crate::app) fn chosen(cx: &mut Cx<'_>, number: usize) -> Vec<Effect> {
    let Some(key) = cx.hands.top().and_then(Overlay::chosen).map(|item| item.key as usize) else {
        return Vec::new();
    };
    let Some((entry, page)) = page(cx.sight()) else { return Vec::new() };
    let Some(field) = page.given().fields.get(number) else { return Vec::new() };
    let FieldKind::Select { options, multiple } = &field.kind else { return Vec::new() };
    if options.get(key).is_none_or(|option| option.disabled) {
        cx.say("this one cannot be chosen");
        return Vec::new();
    }
    if !multiple {
        cx.hands.drop_top();
        set(cx, number, Value::Chosen(vec![key]));
        return Vec::new();
    }
    let mut on = match entry.value(number, field) {
        Value::Chosen(chosen) => chosen,
        _ => Vec::new(),
    };
    match on.iter().position(|at| *at == key) {
        Some(at) => {
            on.remove(at);
        }
        None => on.insert(on.partition_point(|at| *at < key), key),
    }
    let value = Value::Chosen(on);
    // The page is changed where it is, as long as no list is of it.
    if let Some(Overlay::List { items, .. }) = cx.hands.top_mut() {
        *items = ListRows::default();
    }
    set(cx, number, value);
    let rows = choices(cx.sight(), number);
    if let Some(Overlay::List { items, .. }) = cx.hands.top_mut() {
        *items = rows;
    }
    Vec::new()
}
