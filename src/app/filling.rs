//! Gopher+ forms: fetched, filled in over the page, sent as a URL that can be kept (GPP-03, GPP-08, GPP-14, D14).

use super::asking::{insert, request};
use super::composing;
use super::login;
use super::opening::{self, Aim, Consent, Opening};
use super::own;
use super::web_form;
use super::{App, Effect, FetchId, FieldValue, FormField, FormState, Overlay, Tab};
use crate::doc::sanitise;
use crate::format::ask::{Field, Form, Kind};
use crate::keys::{Code, Key};
use crate::proto::{FetchError, FetchEvent, Verdict};
use crate::url::scheme::gopher::{Gopher, plus::Answer};
use crate::url::{Url, UrlError};
use tui_input::Input;

/// Octets of a form's description; no honest one comes near.
const MOST: usize = 1 << 20;
/// Octets of a file that may become part of a form's URL.
const LONGEST_FILE: usize = 64 * 1024;

/// A form on its way.
#[derive(Debug)]
pub(super) struct Gathering {
    id: FetchId,
    opening: Opening,
    octets: Vec<u8>,
}

/// The body that follows is a form's description.
pub(super) fn gather(app: &mut App, id: FetchId) -> Vec<Effect> {
    let Some(opening) = app.tab.opening.take() else { return Vec::new() };
    app.tab.gathering = Some(Gathering { id, opening, octets: Vec::new() });
    vec![Effect::Verdict { id, verdict: Verdict::Accept }]
}

/// Whether a tab waits for a form by this fetch.
pub(super) fn is_gathering(tab: &Tab, id: FetchId) -> bool {
    tab.gathering.as_ref().is_some_and(|gathering| gathering.id == id)
}

/// The reader does not want to wait for it.
pub(super) fn give_up(app: &mut App) -> Option<Vec<Effect>> {
    let gathering = app.tab.gathering.take()?;
    app.tab.loading = None;
    Some(vec![Effect::Cancel(gathering.id)])
}

/// Takes what the fetch of a form says.
pub(super) fn event(app: &mut App, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Body(octets) => {
            if let Some(gathering) = &mut app.tab.gathering {
                let room = MOST.saturating_sub(gathering.octets.len());
                gathering.octets.extend_from_slice(&octets[..octets.len().min(room)]);
            }
            Vec::new()
        }
        FetchEvent::End(_) => show(app),
        FetchEvent::Failed(error) => {
            app.tab.loading = None;
            match app.tab.gathering.take() {
                Some(gathering) => opening::explain(app, &gathering.opening, error),
                None => Vec::new(),
            }
        }
        FetchEvent::Stage(_) | FetchEvent::Head(_) | FetchEvent::Moved(_) | FetchEvent::Unchanged => Vec::new(),
    }
}

fn show(app: &mut App) -> Vec<Effect> {
    app.tab.loading = None;
    let Some(Gathering { opening, octets, .. }) = app.tab.gathering.take() else { return Vec::new() };
    let text = crate::format::charset::known("utf-8").map(|charset| charset.decode(&octets).into_owned());
    let Some(form) = text.as_deref().and_then(Form::of) else {
        let error = FetchError::new(crate::proto::Kind::Malformed, "The server sent no form for this item.")
            .tried(opening.public().redacted());
        return opening::explain(app, &opening, error);
    };
    let fields = form.fields.iter().map(field).collect();
    let selector = Gopher::of(&opening.url).map(|gopher| String::from_utf8_lossy(&gopher.selector).into_owned());
    let title = format!("Form {}", sanitise(&selector.unwrap_or_default()));
    let mut state = FormState { url: opening.public().clone(), title, fields, focus: 0, button: "Send".into() };
    step(&mut state, |at, _| at, |at, count| (at + 1) % count);
    app.overlays.retain(|overlay| !matches!(overlay, Overlay::Form(_)));
    app.overlays.push(Overlay::Form(state));
    app.tab.form = Some((opening, form));
    Vec::new()
}

fn field(asked: &Field) -> FormField {
    FormField { label: sanitise(&asked.question).into_owned(), value: value(&asked.kind) }
}

/// What stands in a field at first. The server's word for a file of the reader's is never taken: they name it themselves.
fn value(kind: &Kind) -> FieldValue {
    let line = |text: &String| Input::new(sanitise(text).into_owned());
    match kind {
        Kind::Note => FieldValue::Note,
        Kind::File(_) => FieldValue::File { input: Input::default(), sends: true },
        Kind::Line(text) => FieldValue::Line { input: line(text), secret: false },
        Kind::Secret(text) => FieldValue::Line { input: line(text), secret: true },
        Kind::Text(text) => FieldValue::Lines { lines: vec![line(text)], at: 0 },
        Kind::NewFile(text) => FieldValue::File { input: line(text), sends: false },
        Kind::Check(on) => FieldValue::Check(*on),
        Kind::Choice(options) => {
            FieldValue::Choose { options: options.iter().map(|o| sanitise(o).into_owned()).collect(), chosen: 0 }
        }
    }
}

fn state(app: &mut App) -> Option<&mut FormState> {
    match app.overlays.last_mut() {
        Some(Overlay::Form(state)) => Some(state),
        _ => None,
    }
}

/// Moves the focus on to something that can be filled in; past the last field is the send button.
fn step(state: &mut FormState, first: fn(usize, usize) -> usize, onward: fn(usize, usize) -> usize) {
    let count = state.fields.len() + 1;
    let mut at = first(state.focus, count);
    while state.fields.get(at).is_some_and(|field| matches!(field.value, FieldValue::Note)) {
        at = onward(at, count);
    }
    state.focus = at;
}

pub(super) fn next_field(app: &mut App) {
    if let Some(state) = state(app) {
        step(state, |at, count| (at + 1) % count, |at, count| (at + 1) % count);
    }
}

pub(super) fn previous_field(app: &mut App) {
    if let Some(state) = state(app) {
        step(state, |at, count| (at + count - 1) % count, |at, count| (at + count - 1) % count);
    }
}

/// Down and up move between the lines of a field before they leave it.
pub(super) fn down(app: &mut App) {
    if let Some(FieldValue::Lines { lines, at }) = focused(app)
        && *at + 1 < lines.len()
    {
        *at += 1;
        return;
    }
    next_field(app);
}

pub(super) fn up(app: &mut App) {
    if let Some(FieldValue::Lines { at, .. }) = focused(app)
        && *at > 0
    {
        *at -= 1;
        return;
    }
    previous_field(app);
}

fn focused(app: &mut App) -> Option<&mut FieldValue> {
    let state = state(app)?;
    state.fields.get_mut(state.focus).map(|field| &mut field.value)
}

/// The mouse was pressed on a field, or on the button after the last one.
pub(super) fn point_at(app: &mut App, field: usize) -> Vec<Effect> {
    let Some(state) = state(app) else { return Vec::new() };
    if state.fields.get(field).is_some_and(|field| matches!(field.value, FieldValue::Note)) {
        return Vec::new();
    }
    state.focus = field.min(state.fields.len());
    if state.focus == state.fields.len() { accept(app) } else { toggle(app) }
}

/// The mouse was pressed on an option, or on a line, of a field.
pub(super) fn point_at_part(app: &mut App, field: usize, part: usize) -> Vec<Effect> {
    let Some(state) = state(app).filter(|state| field < state.fields.len()) else { return Vec::new() };
    state.focus = field;
    match focused(app) {
        Some(FieldValue::Choose { options, chosen }) => *chosen = part.min(options.len().saturating_sub(1)),
        Some(FieldValue::Lines { lines, at }) => *at = part.min(lines.len().saturating_sub(1)),
        _ => {}
    }
    Vec::new()
}

/// Space on a box or a choice.
pub(super) fn toggle(app: &mut App) -> Vec<Effect> {
    match focused(app) {
        Some(FieldValue::Check(on)) => *on = !*on,
        Some(FieldValue::Choose { options, chosen }) => *chosen = (*chosen + 1) % options.len().max(1),
        _ => {}
    }
    Vec::new()
}

/// Whether a key belongs to the field under focus before the key map sees it.
pub(super) fn takes(app: &mut App, key: Key) -> bool {
    let plain = !key.control && !key.meta;
    match focused(app) {
        Some(FieldValue::Line { .. } | FieldValue::File { .. } | FieldValue::Lines { .. }) => request(key).is_some(),
        Some(FieldValue::Check(_)) => plain && key.code == Code::Char(' '),
        Some(FieldValue::Choose { .. }) => plain && matches!(key.code, Code::Char(' ') | Code::Left | Code::Right),
        Some(FieldValue::Note) | None => false,
    }
}

/// A key that edits the field under focus.
pub(super) fn edit(app: &mut App, key: Key) -> Vec<Effect> {
    match focused(app) {
        Some(FieldValue::Line { input, .. } | FieldValue::File { input, .. }) => {
            if let Some(request) = request(key) {
                input.handle(request);
            }
        }
        Some(FieldValue::Lines { lines, at }) => edit_lines(lines, at, key),
        Some(FieldValue::Choose { options, chosen }) if key.code == Code::Left => {
            *chosen = (*chosen + options.len().max(1) - 1) % options.len().max(1);
        }
        Some(FieldValue::Check(_) | FieldValue::Choose { .. }) => return toggle(app),
        Some(FieldValue::Note) | None => {}
    }
    Vec::new()
}

fn edit_lines(lines: &mut Vec<Input>, at: &mut usize, key: Key) {
    let joins = key.code == Code::Backspace && *at > 0 && lines.get(*at).is_some_and(|line| line.cursor() == 0);
    if joins {
        let rest = lines.remove(*at).value().to_owned();
        *at -= 1;
        if let Some(line) = lines.get_mut(*at) {
            let cursor = line.value().chars().count();
            *line = Input::new(format!("{}{rest}", line.value())).with_cursor(cursor);
        }
    } else if let (Some(request), Some(line)) = (request(key), lines.get_mut(*at)) {
        line.handle(request);
    }
}

pub(super) fn paste(app: &mut App, text: &str) {
    match focused(app) {
        Some(FieldValue::Line { input, .. } | FieldValue::File { input, .. }) => insert(input, text),
        Some(FieldValue::Lines { lines, at }) => {
            for (i, line) in text.lines().enumerate() {
                if i > 0 {
                    *at += 1;
                    lines.insert(*at, Input::default());
                }
                if let Some(input) = lines.get_mut(*at) {
                    insert(input, line);
                }
            }
        }
        _ => {}
    }
}

/// Enter: a new line in a field of lines, the next field, or send, which a password does as well.
pub(super) fn accept(app: &mut App) -> Vec<Effect> {
    let logs_in = app.tab.login.is_some();
    let keeps = own::bookmarks::is_form(app);
    match focused(app) {
        Some(FieldValue::Line { .. }) if keeps => send(app),
        Some(FieldValue::Line { secret: true, .. }) if logs_in => send(app),
        Some(FieldValue::Lines { lines, at }) => {
            let tail = lines.get_mut(*at).map(|line| {
                let cut = line.value().char_indices().nth(line.cursor()).map_or(line.value().len(), |(i, _)| i);
                let (before, after) = line.value().split_at(cut);
                let (before, after) = (before.to_owned(), after.to_owned());
                *line = Input::new(before);
                after
            });
            *at += 1;
            lines.insert(*at, Input::new(tail.unwrap_or_default()).with_cursor(0));
            Vec::new()
        }
        Some(_) => {
            next_field(app);
            Vec::new()
        }
        None => send(app),
    }
}

/// A file that the reader named is read first; then the answers go.
fn send(app: &mut App) -> Vec<Effect> {
    if web_form::keep_area(app) {
        return Vec::new();
    }
    if own::bookmarks::is_form(app) {
        return own::bookmarks::keep(app);
    }
    if let Some(opening) = app.tab.login.take() {
        return login::send(app, opening);
    }
    let Some(Overlay::Form(state)) = app.overlays.last() else { return Vec::new() };
    let named = state.fields.iter().find_map(|field| match &field.value {
        FieldValue::File { input, sends: true } => Some(input.value().trim()).filter(|path| !path.is_empty()),
        _ => None,
    });
    match named {
        Some(path) => vec![Effect::Read(path.into())],
        None => send_with(app, None),
    }
}

/// The file for the form has been read; what is no text cannot be the lines of an answer.
pub(super) fn read(app: &mut App, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    match content {
        Ok(content) if content.len() > LONGEST_FILE => {
            app.complain("That file has more than 64 kB; a form takes short texts only.");
            Vec::new()
        }
        Ok(content) => send_with(app, Some(&content)),
        Err(sentence) => {
            app.complain(sentence);
            Vec::new()
        }
    }
}

/// The answers become a URL; the reader confirms it before it goes (D14).
fn send_with(app: &mut App, content: Option<&[u8]>) -> Vec<Effect> {
    let Some(Overlay::Form(state)) = app.overlays.last() else { return Vec::new() };
    let Some((opening, form)) = app.tab.form.take() else { return Vec::new() };
    let fields = state.fields.iter().zip(&form.fields);
    let answers: Vec<Answer> = fields.filter_map(|(field, asked)| answer(&field.value, &asked.kind, content)).collect();
    let path = state.fields.iter().find_map(|field| file(&field.value));
    // Neither passwords nor a file's content are kept in history.
    let secret = content.is_some() || state.fields.iter().any(|field| is_secret(&field.value));
    match url(&opening.url, &answers) {
        Ok(url) => {
            app.overlays.pop();
            let shown = secret.then(|| opening.public().clone());
            let aim = if path.is_some() { Aim::File } else { Aim::Page };
            let form = Some(opening.url.clone());
            opening::go(app, Opening { url, shown, aim, path, form, consent: Consent::Followed, ..opening })
        }
        Err(error) => {
            app.complain(error.to_string());
            app.tab.form = Some((opening, form));
            Vec::new()
        }
    }
}

/// The file that the reader wants the server's answer in.
fn file(value: &FieldValue) -> Option<String> {
    match value {
        FieldValue::File { input, sends: false } => {
            Some(input.value().trim().to_owned()).filter(|name| !name.is_empty())
        }
        _ => None,
    }
}

fn is_secret(value: &FieldValue) -> bool {
    matches!(value, FieldValue::Line { input, secret: true } if !input.value().is_empty())
}

/// What is sent for a field; `content` is that of the file to send. Nothing is sent for notes and for no file.
fn answer(value: &FieldValue, kind: &Kind, content: Option<&[u8]>) -> Option<Answer> {
    let octets = |input: &Input| input.value().as_bytes().to_vec();
    Some(match value {
        FieldValue::Note => return None,
        FieldValue::File { sends: true, .. } => {
            let lines = content?.strip_suffix(b"\n").or(content)?.split(|b| *b == b'\n');
            Answer::File(lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec()).collect())
        }
        FieldValue::Line { input, .. } | FieldValue::File { input, sends: false } => Answer::Line(octets(input)),
        FieldValue::Lines { lines, .. } => {
            let filled = lines.iter().rposition(|line| !line.value().is_empty()).map_or(0, |last| last + 1);
            Answer::Lines(lines[..filled].iter().map(octets).collect())
        }
        FieldValue::Check(on) => Answer::Check(*on),
        FieldValue::Choose { chosen, .. } => {
            let options = if let Kind::Choice(options) = kind { options.as_slice() } else { &[] };
            Answer::Line(options.get(*chosen).map(|option| option.as_bytes().to_vec()).unwrap_or_default())
        }
    })
}

fn url(item: &Url, answers: &[Answer]) -> Result<Url, UrlError> {
    let gopher = Gopher::of(item)?.filled("", "", answers)?;
    gopher.url(item.host().unwrap_or_default(), item.port().unwrap_or(70), item.is("gophers"))
}

/// The form is closed without being sent.
pub(super) fn dismiss(app: &mut App) -> Vec<Effect> {
    app.overlays.pop();
    if app.tab.area.take().is_some() {
        app.say("the field stays as it was");
        return Vec::new();
    }
    if own::bookmarks::is_form(app) {
        own::bookmarks::dismiss(app);
        return Vec::new();
    }
    app.tab.form = None;
    app.tab.login = None;
    app.say("the form was not sent");
    composing::no_login(app);
    Vec::new()
}
