//! The answer to each item of a `wayfarer url` command, as lines of text.

use super::{RuleSet, Surroundings};
use crate::url::complete::{Completed, complete};
use crate::url::equal::equivalent;
use crate::url::{BaseStack, Layer, Resolved, Rules, Url, UrlError, escape, resolve, scheme};
use serde_json::{Map, Value, json};

/// An answer to an item: what to print, and whether it counts as a failure.
pub(super) struct Answer {
    pub(super) lines: Vec<String>,
    pub(super) failed: bool,
}

impl Answer {
    fn line(text: impl Into<String>) -> Answer {
        Answer { lines: vec![text.into()], failed: false }
    }

    fn json(value: &Value, failed: bool) -> Answer {
        Answer { lines: vec![json_line(value)], failed }
    }

    /// A failure whose sentence is itself the answer, on standard output.
    pub(super) fn failure(error: &dyn std::fmt::Display) -> Answer {
        Answer { lines: vec![format!("error: {}", visible(&error.to_string()))], failed: true }
    }
}

/// Characters that a terminal obeys instead of showing: controls, bidi controls, invisible ones.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
}

/// One line of JSON; hidden characters, which stand in strings only, are written as JSON's own escapes.
pub(super) fn json_line(value: &Value) -> String {
    let line = value.to_string();
    if !line.contains(hidden) {
        return line;
    }
    let escaped = |c: char| if hidden(c) { format!("\\u{:04x}", u32::from(c)) } else { c.into() };
    line.chars().map(escaped).collect()
}

/// A text for lines of plain output: hidden characters become visible escapes.
pub(super) fn visible(text: &str) -> String {
    if !text.contains(hidden) {
        return text.into();
    }
    text.chars().fold(String::with_capacity(text.len() + 8), |mut out, c| {
        match c {
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() && c.is_ascii() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
        out
    })
}

/// Components by name, in the order of the JSON object, raw as written; `None` is undefined.
type Components = [(&'static str, Option<String>); 9];

/// The components of a URL or of a reference.
fn components(text: &str) -> Result<(Url, Components), UrlError> {
    // a reference without scheme has the same components as a URL with one; only the scheme is then undefined
    let has_scheme = crate::url::split(text).scheme.is_some();
    let url = Url::parse(if has_scheme { text.into() } else { format!("relative:{text}") })?;
    let own = |part: Option<&str>| part.map(String::from);
    let rows = [
        ("scheme", has_scheme.then(|| url.scheme().into())),
        ("authority", own(url.authority())),
        ("user", own(url.user())),
        ("password", own(url.password())),
        ("host", own(url.host())),
        ("port", own(url.port_text())),
        ("path", own(Some(url.path()))),
        ("query", own(url.query())),
        ("fragment", own(url.fragment())),
    ];
    Ok((url, rows))
}

pub(super) fn parse_json(text: &str) -> Answer {
    match parsed(text) {
        Ok(value) => Answer::json(&value, false),
        Err(error) => Answer::json(&json!({ "url": text, "error": error.to_string() }), true),
    }
}

fn parsed(text: &str) -> Result<Value, UrlError> {
    let (url, rows) = components(text)?;
    let relative = rows[0].1.is_none();
    let fields = if relative { json!({}) } else { scheme::fields(&url)? };
    let mut object = Map::new();
    object.insert("url".into(), text.into());
    for (name, component) in rows {
        object.insert(name.into(), component.map_or(Value::Null, Value::String));
    }
    object.insert("effective_port".into(), url.port().map_or(Value::Null, Value::from));
    object.insert("fields".into(), fields);
    Ok(Value::Object(object))
}

/// For people: one component or field a line, aligned; undefined ones left out, decoded ones beside the raw.
pub(super) fn parse_lines(text: &str) -> Answer {
    let result = components(text).and_then(|(url, rows)| {
        let fields = if rows[0].1.is_none() { json!({}) } else { scheme::fields(&url)? };
        let mut lines = vec![aligned("url", text)];
        for (name, component) in rows {
            let Some(raw) = component else { continue };
            let decoded = escape::display(&raw);
            let mut line = aligned(name, &raw);
            if decoded != raw {
                line.push_str(&format!("  ({})", visible(&decoded)));
            }
            if name == "port" && url.port_text().is_some_and(str::is_empty) {
                line.push_str("  (empty)");
            }
            lines.push(line);
        }
        lines.extend(url.port().map(|port| aligned("effective port", &port.to_string())));
        for (name, value) in fields.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
            lines.push(aligned(&format!(". {name}"), &plain(value)));
        }
        Ok(lines)
    });
    match result {
        Ok(lines) => Answer { lines, failed: false },
        Err(error) => Answer::failure(&error),
    }
}

fn aligned(name: &str, value: &str) -> String {
    format!("{name:<14} {}", visible(value)).trim_end().into()
}

/// A JSON value without quotes where it is plain text.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

pub(super) fn resolve_line(base: &str, rules: RuleSet, reference: &str) -> Answer {
    let rules = match rules {
        RuleSet::Rfc3986 => Rules::Rfc3986,
        RuleSet::Rfc2396 => Rules::Rfc2396,
    };
    let resolved = match Url::parse(base) {
        Ok(base) => resolve(&base, reference, rules),
        // no base is needed for what is absolute already
        Err(error) => Url::parse(reference).map(Resolved::Url).map_err(|_| error),
    };
    match resolved {
        Ok(Resolved::Url(url)) => Answer::line(visible(url.as_str())),
        Ok(Resolved::SameDocument { fragment }) => {
            let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
            Answer::line(visible(&format!("(current document){fragment}")))
        }
        Err(error) => Answer::failure(&error),
    }
}

/// The four layers, each resolved against those outside it (D40). What a document or its envelope says of its base is
/// remote text: one that cannot be used is passed over, as a browser does.
pub(super) fn bases(given: [Option<String>; 4]) -> Result<BaseStack, UrlError> {
    let mut stack = BaseStack::default();
    for (layer, base) in Layer::ALL.into_iter().zip(given).rev() {
        let Some(base) = base else { continue };
        match (stack.resolve(&base), layer) {
            (Ok(Resolved::Url(url)), _) => stack.set(layer, Some(url)),
            (_, Layer::Document | Layer::Entity) => {}
            (Err(error), _) => return Err(error),
            (Ok(Resolved::SameDocument { .. }), _) => return Err(UrlError::NoScheme(base)),
        }
    }
    Ok(stack)
}

pub(super) fn bases_line(stack: &Result<BaseStack, UrlError>, reference: &str, json: bool) -> Answer {
    let answer = stack.as_ref().map_err(Clone::clone).and_then(|stack| {
        let resolved = stack.resolve(reference)?;
        Ok((stack.effective().map(|(layer, base)| (layer.name(), base.as_str())), resolved))
    });
    let layer = |base: Option<(&'static str, &str)>| match base {
        Some((layer, base)) => (json!(layer), json!(base)),
        None => (Value::Null, Value::Null),
    };
    match (answer, json) {
        (Ok((base, Resolved::Url(url))), true) => {
            let (layer, base) = layer(base);
            Answer::json(&json!({ "layer": layer, "base": base, "url": url.as_str() }), false)
        }
        (Ok((base, Resolved::SameDocument { fragment })), true) => {
            let (layer, base) = layer(base);
            Answer::json(&json!({ "same_document": true, "fragment": fragment, "layer": layer, "base": base }), false)
        }
        (Ok((base, Resolved::Url(url))), false) => {
            let why = base.map_or_else(|| "no base".into(), |(layer, base)| format!("{layer} {base}"));
            Answer::line(visible(&format!("{url}  ({why})")))
        }
        (Ok((_, Resolved::SameDocument { fragment })), false) => {
            let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
            Answer::line(visible(&format!("(current document){fragment}")))
        }
        (Err(error), true) => Answer::json(&json!({ "error": error.to_string() }), true),
        (Err(error), false) => Answer::failure(&error),
    }
}

pub(super) fn complete_line(surroundings: &Surroundings, typed: &str, json: bool) -> Answer {
    let home = surroundings.home.as_deref();
    let completed = match complete(typed, None, home) {
        // "./x": the folder the command was started in is the only base there can be
        Err(UrlError::NoBase(_)) if typed.starts_with('.') => complete(typed, surroundings.folder.as_ref(), home),
        other => other,
    };
    match completed {
        Ok(Completed { url, alternatives, note }) if json => {
            let alternatives: Vec<&str> = alternatives.iter().map(Url::as_str).collect();
            Answer::json(&json!({ "url": url.as_str(), "alternatives": alternatives, "note": note }), false)
        }
        Ok(completed) => Answer::line(visible(completed.url.as_str())),
        Err(error) if json => Answer::json(&json!({ "typed": typed, "error": error.to_string() }), true),
        Err(error) => Answer::failure(&error),
    }
}

pub(super) fn equal_line(a: &str, b: &str) -> Answer {
    match Url::parse(a).and_then(|a| Ok(equivalent(&a, &Url::parse(b)?))) {
        Ok(equal) => Answer { lines: vec![if equal { "yes" } else { "no" }.into()], failed: !equal },
        Err(error) => Answer::failure(&error),
    }
}

pub(super) fn request_lines(surroundings: &Surroundings, text: &str, json: bool) -> Answer {
    let answer = match Url::parse(text) {
        Ok(url) => {
            scheme::plan_json(&url, surroundings.proxies.plan(&url)).map(|value| with_news_server(value, surroundings))
        }
        Err(error) => Err(json!({ "error": error.to_string() })),
    };
    match answer {
        Ok(value) if json => Answer::json(&value, false),
        Err(value) if json => Answer::json(&value, true),
        Ok(value) => Answer { lines: request_for_people(&value), failed: false },
        Err(value) => match (value["refused"].as_str(), value["error"].as_str()) {
            (Some(why), _) => Answer::failure(&format!("refused: {}", why.trim_start_matches("refused: "))),
            (None, why) => Answer::failure(&why.unwrap_or("no request")),
        },
    }
}

/// Puts the configured news server where the URL leaves the server to the reader (NEWS-05).
fn with_news_server(mut value: Value, surroundings: &Surroundings) -> Value {
    let Some(server) = &surroundings.news_server else { return value };
    if value["host"] != "<configured>" {
        return value;
    }
    let after_bracket = server.rfind(']').map_or(0, |i| i + 1);
    let (host, port) = match server[after_bracket..].rsplit_once(':') {
        Some((host, port)) => (&server[..after_bracket + host.len()], port.parse::<u16>().ok()),
        None => (server.as_str(), None),
    };
    value["host"] = host.into();
    if let Some(port) = port {
        value["port"] = port.into();
    }
    value
}

/// One line for where, then one for each thing that would be sent or done.
fn request_for_people(value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            (_, Value::Null) | ("tls", Value::Bool(false)) => {}
            ("tls", _) => lines.push("over TLS".into()),
            ("commands", Value::Array(commands)) => {
                lines.extend(commands.iter().map(|command| visible(&plain(command))))
            }
            (name, value) => lines.push(aligned(name, &plain(value))),
        }
    }
    lines
}
