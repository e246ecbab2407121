//! What a field is, in words: its label, a line for the status, and how a button's request comes about.

use super::{page, submission};
use crate::app::Sight;
use crate::app::page::Sender;
use crate::app::page::fields::{Secrets, is_secret};
use crate::doc::{Encoding, Field, FieldKind, LinkId, Method, in_short, sanitise};
use crate::format::count;
use crate::format::html::Value;
use crate::url::{Step, UrlError};

/// Octets of a body that are shown.
const SHOWN: usize = 2000;
/// Octets of a value that are told in passing, and how many of several are named.
const TOLD: usize = 200;
const NAMED: usize = 5;

/// What is to be known of a field besides its kind.
fn rules(field: &Field) -> Vec<String> {
    let mut rules = Vec::new();
    if field.readonly {
        rules.push("read only".into());
    }
    if field.required {
        rules.push("must be filled in".into());
    }
    rules.extend(field.longest.map(|most| format!("at most {most} characters")));
    rules.extend(super::checks::bounds(field));
    rules
}

/// A line on the field that a link of the page in view is; `None` when it is none.
pub fn describe(sight: Sight<'_>, link: LinkId) -> Option<String> {
    let (_, page) = page(sight)?;
    let document = page.document();
    let number = document.field_at(link)?;
    let field = document.fields.get(number)?;
    let label = document.field_label(number);
    let mut words = vec![label.clone()];
    match sends(field) {
        Some(sender) => words.push(goal(sight, sender)),
        None => {
            words.extend(super::live::hint(sight, link, field).map(str::to_owned));
            words.push(field.kind.name().into());
            words.extend(rules(field));
            let hint = in_short(&sanitise(&field.hint));
            words.extend(Some(hint).filter(|hint| !hint.is_empty() && *hint != label));
        }
    }
    words.dedup();
    Some(words.join(" · "))
}

/// What stands in the field that a link of the page in view is, for who does not see it; `None` where nothing can.
pub fn holds(sight: Sight<'_>, link: LinkId) -> Option<String> {
    let (entry, page) = page(sight)?;
    let number = page.document().field_at(link)?;
    let field = page.given().fields.get(number)?;
    let named = |names: Vec<String>, none: &str| if names.is_empty() { none.to_owned() } else { names.join(" and ") };
    Some(match (&field.kind, entry.value(number, field)) {
        (FieldKind::Line { .. } | FieldKind::Text(_), Value::Text(text)) if text.is_empty() => "empty".into(),
        (FieldKind::Line { .. }, Value::Text(_)) if is_secret(field) => "filled in".into(),
        (FieldKind::Line { .. }, Value::Text(text)) => format!("holds {}", beginning(&text)),
        (FieldKind::Text(_), Value::Text(text)) => {
            let first = beginning(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
            match text.lines().count() {
                0 | 1 => format!("holds {first}"),
                lines => format!("holds {lines} lines from {first}"),
            }
        }
        (FieldKind::Check { .. }, Value::On(on)) => if on { "checked" } else { "not checked" }.into(),
        (FieldKind::Radio { .. }, Value::On(on)) => if on { "chosen" } else { "not chosen" }.into(),
        (FieldKind::Select { options, .. }, Value::Chosen(chosen)) => {
            let names = chosen.iter().filter_map(|at| options.get(*at)).take(NAMED);
            let names = named(names.map(|option| beginning(&option.label)).collect(), "nothing");
            format!("{names} chosen of {}", count(options.len()))
        }
        (FieldKind::File { .. }, Value::Files(files)) => {
            named(files.iter().take(NAMED).map(|file| beginning(&file.name)).collect(), "no file")
        }
        _ => return None,
    })
}

/// As much of a value as is told in passing.
fn beginning(text: &str) -> String {
    let text = sanitise(&text[..text.floor_char_boundary(TOLD)]).trim().to_owned();
    if text.len() < TOLD { text } else { format!("{text} and so on") }
}

/// The form that a button sends.
fn sends(field: &Field) -> Option<Sender> {
    let form = field.form.filter(|_| matches!(field.kind, FieldKind::Submit { .. } | FieldKind::Image(_)))?;
    Some(Sender { form, button: None })
}

/// How and where a form is sent.
fn goal(sight: Sight<'_>, sender: Sender) -> String {
    let Some((entry, page)) = page(sight) else { return String::new() };
    let Some(form) = page.given().forms.get(sender.form as usize) else { return String::new() };
    match entry.bases.resolve_action(&form.action) {
        Ok(url) => format!("{} {}", verb(form.method), sanitise(&sight.told(&url))),
        Err(error) => error.to_string(),
    }
}

fn verb(method: Method) -> &'static str {
    match method {
        Method::Get => "GET",
        Method::Post => "POST",
        Method::Dialog => "closes a dialogue of a script",
    }
}

/// What the anatomy says of the field that a link of the page in view is: rows of a label and what it stands for. `None`
/// when it is none.
pub fn anatomy(sight: Sight<'_>, link: LinkId) -> Option<Vec<(&'static str, String)>> {
    let (entry, page) = page(sight)?;
    let number = page.document().field_at(link)?;
    let field = page.given().fields.get(number)?;
    let mut rows = vec![("field", page.document().field_label(number)), ("kind", field.kind.name().into())];
    let button = sends(field).map(|sender| Sender { button: Some(number), ..sender });
    rows.extend(button.map(|sender| would_send(sight, sender)).unwrap_or_default());
    rows.push(("name", if field.name.is_empty() { "none: it is not sent".into() } else { field.name.clone() }));
    rows.extend(rules(field).into_iter().map(|rule| ("rule", rule)));
    rows.extend(Some(("hint", field.hint.clone())).filter(|(_, hint)| !hint.is_empty()));
    let Some(sender) = button else { return Some(rows) };
    let form = page.given().forms.get(sender.form as usize)?;
    let sending = match &field.kind {
        FieldKind::Submit { sending, .. } | FieldKind::Image(sending) => sending.clone(),
        _ => Default::default(),
    };
    let action = sending.action.unwrap_or_else(|| form.action.clone());
    let method = sending.method.unwrap_or(form.method);
    rows.push(("method", verb(method).into()));
    if method == Method::Post {
        rows.push(("as", shape(sending.encoding.unwrap_or(form.encoding)).into()));
    }
    rows.push(("action", if action.is_empty() { "empty: this page's base".into() } else { action.clone() }));
    rows.extend(resolved(
        entry.bases.resolve_action(&action).map(|url| url.redacted()),
        entry.bases.explain(&action).1,
    ));
    let relative = crate::url::split(&action).scheme.is_none();
    rows.extend(entry.bases.effective().filter(|_| relative).map(|(layer, _)| ("base", layer.name().into())));
    Some(rows)
}

fn resolved(url: Result<String, UrlError>, steps: Vec<Step>) -> Vec<(&'static str, String)> {
    let said = steps
        .into_iter()
        .enumerate()
        .map(|(at, step)| (if at == 0 { "steps" } else { "" }, format!("{}  {}", step.number, step.did)));
    std::iter::once(("resolved", url.unwrap_or_else(|error| error.to_string()))).chain(said).collect()
}

fn shape(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Urlencoded => "application/x-www-form-urlencoded",
        Encoding::Multipart => "multipart/form-data",
        Encoding::Plain => "text/plain",
    }
}

/// The request and what it carries, passwords as stars.
fn would_send(sight: Sight<'_>, sender: Sender) -> Vec<(&'static str, String)> {
    let Some((entry, page)) = page(sight) else { return Vec::new() };
    let values = entry.values(page.given(), Secrets::Hidden);
    let asked = match submission::asked(sight, sender, &values) {
        None => return vec![("would send", "nothing".into())],
        Some(Err(error)) => return vec![("would send", format!("nothing: {error}"))],
        Some(Ok(asked)) => asked,
    };
    let verb = if asked.content.is_some() { "POST" } else { "GET" };
    let mut rows = match crate::url::scheme::plan(&asked.url) {
        Ok(plan) => crate::url::scheme::would_send(&plan)
            .into_iter()
            .enumerate()
            .map(|(at, line)| {
                let line = line.strip_prefix("GET ").map_or(line.clone(), |rest| format!("{verb} {rest}"));
                (if at == 0 { "would send" } else { "" }, line)
            })
            .collect(),
        Err(error) => vec![("would send", format!("nothing: {error}"))],
    };
    if let Some(content) = asked.content {
        let octets = &content.octets[..content.octets.len().min(SHOWN)];
        let text = String::from_utf8_lossy(octets).into_owned();
        let lines = text.split("\r\n").map(str::to_owned).filter(|line| !line.is_empty());
        rows.extend(lines.enumerate().map(|(at, line)| (if at == 0 { "body" } else { "" }, line)));
        if octets.len() < content.octets.len() {
            rows.push(("", format!("… {} octets in all", content.octets.len())));
        }
    }
    rows
}
