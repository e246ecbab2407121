//! Gopher+ forms: fetched, filled in over the page, sent as a URL that can be kept (GPP-03, GPP-08, GPP-14, D14).

use super::begun;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::Errand;
use crate::app::{Aim, Consent, Effect, FieldValue, Form, FormField, FormId, FormOwner, JobId, Opening, Overlay};
use crate::doc::sanitise;
use crate::format::ask::{self, Field, Kind};
use crate::proto::{FetchError, FetchEvent, Verdict};
use crate::url::scheme::gopher::{Gopher, plus::Answer};
use crate::url::{Url, UrlError, scheme};
use tui_input::Input;

/// Octets of a form's description; no honest one comes near.
const MOST: usize = 1 << 20;
/// Octets of a file that may become part of a form's URL.
const LONGEST_FILE: usize = 64 * 1024;

/// The body that follows is a form's description.
pub(in crate::app) fn gather(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    if let Some(errand) = cx.jobs.errand_mut(id) {
        *errand = Errand::Form(Default::default());
    }
    vec![Effect::Verdict { id, verdict: Verdict::Accept }]
}

/// Takes what the fetch of a form says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Body(octets) => {
            if let Some(Errand::Form(gathered)) = cx.jobs.errand_mut(id) {
                gathered.take(&octets, MOST);
            }
            Vec::new()
        }
        FetchEvent::End(_) => show(cx, id),
        FetchEvent::Failed(error) => {
            if let Some(loading) = cx.tab.loading.take_if(|loading| loading.id == id) {
                cx.intend(Intent::Explain(Box::new(loading.opening), Box::new(error)));
            }
            Vec::new()
        }
        FetchEvent::Stage(_)
        | FetchEvent::Sent(_)
        | FetchEvent::Head(_)
        | FetchEvent::Moved(_)
        | FetchEvent::Unchanged => Vec::new(),
    }
}

fn show(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let loading = cx.tab.loading.take_if(|loading| loading.id == id);
    let (Some(loading), Some(Errand::Form(gathered))) = (loading, cx.jobs.end(id)) else { return Vec::new() };
    let opening = loading.opening;
    let text = crate::format::charset::known("utf-8").map(|charset| charset.decode(&gathered.octets).into_owned());
    let Some(form) = text.as_deref().and_then(ask::Form::of) else {
        let error = FetchError::new(crate::proto::Kind::Malformed, "The server sent no form for this item.")
            .tried(opening.public().redacted());
        cx.intend(Intent::Explain(Box::new(opening), Box::new(error)));
        return Vec::new();
    };
    let fields = form.fields.iter().map(field).collect();
    let selector = Gopher::of(&opening.url).map(|gopher| String::from_utf8_lossy(&gopher.selector).into_owned());
    let title = format!("Form {}", sanitise(&selector.unwrap_or_default()));
    let url = opening.public().clone();
    let item = opening.url.clone();
    let owner = FormOwner::Gopher(Box::new((opening, form)));
    let kept = cx.entry_mut().and_then(|entry| entry.filled.asked.take_if(|kept| kept.url == item));
    let id = cx.form_id();
    let mut form = Form { id, owner, touched: false, url, title, fields, focus: 0, button: "Send".into() }.begun();
    if begun::put_back(kept, &mut form) {
        cx.say("what you had filled in is there again");
    }
    cx.hands.raise(Overlay::Form(form));
    Vec::new()
}

fn field(asked: &Field) -> FormField {
    FormField { label: sanitise(&asked.question).into_owned(), value: value(&asked.kind) }
}

/// What stands in a field at first. The server's word for a file of the reader's is never taken: they name it themselves.
pub(super) fn value(kind: &Kind) -> FieldValue {
    let line = |text: &String| Input::new(sanitise(text).into_owned());
    match kind {
        Kind::Note => FieldValue::Note,
        Kind::File(_) => FieldValue::File { input: Input::default(), sends: true },
        Kind::Line(text) => FieldValue::Line { input: line(text), secret: false },
        Kind::Secret(text) => FieldValue::Line { input: line(text), secret: true },
        Kind::Text(text) => FieldValue::Lines { lines: vec![line(text)], at: 0 },
        Kind::NewFile(text) => FieldValue::File { input: proposed(line(text)), sends: false },
        Kind::Check(on) => FieldValue::Check(*on),
        Kind::Choice(options) => {
            FieldValue::Choose { options: options.iter().map(|o| sanitise(o).into_owned()).collect(), chosen: 0 }
        }
    }
}

/// A name for a file that will be written, as far as a server may propose one: not where, and not a hidden one.
fn proposed(named: Input) -> Input {
    let goes_elsewhere = named.value().contains(['/', '\\']) || named.value().trim_start().starts_with(['.', '~']);
    if goes_elsewhere { Input::default() } else { named }
}

/// A file that the reader named is read first; then the answers go.
pub(in crate::app) fn send(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(Overlay::Form(form)) = cx.hands.top() else { return Vec::new() };
    let (id, named) = (form.id, named(form));
    match named {
        Some(path) => vec![Effect::Read { id: cx.job(Errand::FormFile(id)), path }],
        None => send_with(cx, id, None),
    }
}

/// The file that the reader wants to send.
fn named(form: &Form) -> Option<String> {
    form.fields.iter().find_map(|field| match &field.value {
        FieldValue::File { input, sends: true } => {
            Some(input.value().trim().to_owned()).filter(|path| !path.is_empty())
        }
        _ => None,
    })
}

/// The file for the form has been read; what is no text cannot be the lines of an answer.
pub(in crate::app) fn read(cx: &mut Cx<'_>, form: FormId, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    match content {
        Ok(content) if content.len() > LONGEST_FILE => {
            cx.complain("That file has more than 64 kB; a form takes short texts only.");
            Vec::new()
        }
        Ok(content) => send_with(cx, form, Some(&content)),
        Err(sentence) => {
            cx.complain(sentence);
            Vec::new()
        }
    }
}

/// The answers become a URL; the reader confirms it before it goes (D14). A form that was closed meanwhile sends nothing.
fn send_with(cx: &mut Cx<'_>, id: FormId, content: Option<&[u8]>) -> Vec<Effect> {
    let Some(form) = cx.hands.form(id) else { return Vec::new() };
    let FormOwner::Gopher(item) = &form.owner else { return Vec::new() };
    let (opening, asked) = (&item.0, &item.1);
    let fields = form.fields.iter().zip(&asked.fields);
    let given = |(field, asked): (&FormField, &Field)| {
        let answer = answer(&field.value, &asked.kind, content)?;
        Some((is_secret(&field.value), answer))
    };
    let given: Vec<(bool, Answer)> = fields.filter_map(given).collect();
    let path = form.fields.iter().find_map(|field| file(&field.value));
    let tells = given.iter().any(|(secret, _)| *secret) && !scheme::is_secure(&opening.url);
    let doubt = tells.then(|| "The password goes in clear text, readable on the way.".to_owned());
    // Neither passwords nor a file's content are kept in history.
    let secret = content.is_some() || given.iter().any(|(secret, _)| *secret);
    let told = given.iter().map(|(secret, answer)| told(*secret, answer)).collect::<Vec<_>>();
    let answers = given.into_iter().map(|(_, answer)| answer).collect::<Vec<_>>();
    match url(&opening.url, &answers) {
        Ok(url) => {
            let opening = opening.clone();
            let shown = secret.then(|| opening.public().clone());
            let told = if secret { self::url(&opening.url, &told).ok() } else { None };
            let aim = if path.is_some() { Aim::File } else { Aim::Page };
            let form = Some(opening.url.clone());
            cx.open(Opening { url, shown, told, aim, path, form, doubt, consent: Consent::Followed, ..opening });
            Vec::new()
        }
        Err(error) => {
            cx.complain(error.to_string());
            Vec::new()
        }
    }
}

/// The answers are on their way: the form that they were given in goes. Until then it stays, for the reader may keep them.
pub(in crate::app) fn gone(cx: &mut Cx<'_>, opening: &Opening) {
    let Some(item) = &opening.form else { return };
    let is_it = |overlay: &Overlay| matches!(overlay, Overlay::Form(Form { owner: FormOwner::Gopher(of), .. }) if of.0.url == *item);
    cx.hands.drop_last(is_it);
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

/// An answer as it may be told: stars for a password, and for each line of a file.
fn told(secret: bool, answer: &Answer) -> Answer {
    let stars = || b"***".to_vec();
    match answer {
        Answer::Line(_) if secret => Answer::Line(stars()),
        Answer::File(lines) => Answer::File(lines.iter().map(|_| stars()).collect()),
        plain => plain.clone(),
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
    gopher.url(item.host().unwrap_or_default(), item.port().unwrap_or(70), scheme::is_secure(item))
}
