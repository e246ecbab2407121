//! `url parse` and `url get`: the components of a URL, as written and decoded, for programs and for people.

use super::answer::{Answer, aligned, plain, refusal, refusal_json, visible};
use super::json::{Object, line, push_text};
use crate::url::component::Component;
use crate::url::{Url, UrlError, escape, redact, scheme};
use scheme::Family;
use serde_json::Value;
use std::borrow::Cow;

/// A URL, or a reference, whose components are those of a URL but for the scheme, which is undefined.
struct Taken {
    url: Url,
    relative: bool,
    fields: Value,
}

impl Taken {
    fn of(text: &str) -> Result<Taken, UrlError> {
        let relative = crate::url::split(text).scheme.is_none();
        let url = Url::parse(if relative { format!("relative:{text}") } else { text.into() })?;
        let fields = if relative { Value::Object(Default::default()) } else { scheme::fields(&url)? };
        Ok(Taken { url, relative, fields })
    }

    fn raw(&self, component: Component) -> Option<&str> {
        component.of(&self.url).filter(|_| component != Component::Scheme || !self.relative)
    }

    /// The segments of a path that is made of segments.
    fn segments(&self) -> Option<impl Iterator<Item = &str>> {
        let path = self.url.path();
        let inner = path.strip_prefix('/');
        let divided = (inner.is_some() || path.is_empty() || self.relative) && scheme::is_divided(&self.url);
        let count = if path.is_empty() { 0 } else { usize::MAX };
        divided.then(|| inner.unwrap_or(path).split('/').take(count))
    }

    /// The names and values of a query; a name without `=` has no value, which is an empty one here.
    fn pairs(&self) -> Option<impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)>> {
        let query = self.url.query().filter(|_| scheme::has_query(&self.url))?;
        // in forms of the web a plus is a space, in mail it is a plus (RFC 6068, 5)
        let form = self.relative || scheme::family(&self.url) == Family::Web;
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        Some(pairs.map(move |pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name, form), decoded(value, form))
        }))
    }
}

/// A name or a value of a query, where a plus may be a space.
fn decoded(raw: &str, form: bool) -> Cow<'_, str> {
    match form && raw.contains('+') {
        true => Cow::Owned(scheme::plain(&raw.replace('+', " ")).into_owned()),
        false => scheme::plain(raw),
    }
}

pub(super) fn json_answer(text: &str) -> Answer {
    match Taken::of(text) {
        Ok(taken) => Answer { lines: vec![object(text, &taken)], failed: false },
        Err(error) => refusal_json("url", text, &error),
    }
}

fn object(text: &str, taken: &Taken) -> String {
    let mut out = Object::with_capacity(320 + 3 * text.len());
    out.text("url", text);
    for component in Component::ALL {
        out.option(component.name(), taken.raw(component));
    }
    match taken.url.port() {
        Some(port) => out.number("effective_port", port.into()),
        None => out.raw("effective_port", "null"),
    }
    match taken.fields.as_object() {
        Some(fields) if fields.is_empty() => out.raw("fields", "{}"),
        _ => out.raw("fields", &line(&taken.fields)),
    }
    let mut decoded = Object::with_capacity(64 + text.len());
    decoded.option("user", taken.url.user().map(scheme::plain).as_deref());
    decoded.list("path_segments", taken.segments(), |out, segment| push_text(out, &scheme::plain(segment)));
    decoded.list("query_pairs", taken.pairs(), |out, (name, value)| {
        out.push('[');
        push_text(out, &name);
        out.push(',');
        push_text(out, &value);
        out.push(']');
    });
    decoded.option("fragment", taken.url.fragment().map(scheme::plain).as_deref());
    out.raw("decoded", &decoded.done());
    out.done()
}

/// For people: one component or field a line, aligned; undefined ones left out, decoded ones beside the raw.
pub(super) fn lines_answer(text: &str, secrets: bool) -> Answer {
    let whole = if secrets { text.to_owned() } else { redact(text) };
    // A token is a piece of the path.
    let tells = !secrets && Url::parse(text).is_ok_and(|url| url.token().is_some());
    let taken = match Taken::of(if tells { &whole } else { text }) {
        Ok(taken) => taken,
        Err(error) => return refusal(text, &error),
    };
    let mut lines = vec![aligned("url", &whole)];
    for component in Component::ALL {
        let Some(raw) = taken.raw(component) else { continue };
        let name = component.name();
        lines.push(match component {
            Component::Password if !secrets && !raw.is_empty() => aligned(name, "***"),
            Component::Authority if !secrets => aligned(name, &hidden_login(&taken.url, raw)),
            Component::Port if raw.is_empty() => aligned(name, "  (empty)"),
            _ => beside(name, raw),
        });
    }
    lines.extend(taken.url.port().map(|port| aligned("effective port", &port.to_string())));
    for (name, value) in taken.fields.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        lines.push(aligned(&format!(". {name}"), &plain(value)));
    }
    for (name, value) in taken.pairs().into_iter().flatten() {
        lines.push(aligned(". pair", &format!("{name} = {value}")));
    }
    Answer { lines, failed: false }
}

/// The raw text, and the decoded one in parentheses where it is another.
fn beside(name: &str, raw: &str) -> String {
    let decoded = scheme::plain(raw);
    let mut line = aligned(name, raw);
    if decoded != raw && escape::decode(raw) != raw.as_bytes() {
        line.push_str(&format!("  ({})", visible(&decoded)));
    }
    line
}

fn hidden_login(url: &Url, authority: &str) -> String {
    match url.password() {
        Some(password) if !password.is_empty() => {
            let user = url.user().unwrap_or_default();
            format!("{user}:***{}", &authority[user.len() + 1 + password.len()..])
        }
        _ => authority.into(),
    }
}

/// What `url get` is asked for: components by name, `url`, and `effective_port`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted(Vec<String>);

impl Wanted {
    /// Reads names with commas between them.
    pub(super) fn read(names: &str) -> Result<Wanted, String> {
        let known = |name: &str| matches!(name, "url" | "effective_port") || Component::named(name).is_some();
        match names.split(',').find(|name| !known(name)) {
            Some(name) => Err(format!(
                "no part is called \"{}\"; there are url, {}, effective_port",
                visible(name),
                Component::ALL.map(Component::name).join(", ")
            )),
            None => Ok(Wanted(names.split(',').map(Into::into).collect())),
        }
    }
}

/// The parts of a URL with tabs between them; undefined ones are empty.
pub(super) fn get_answer(wanted: &Wanted, decoded: bool, text: &str) -> Answer {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => return refusal(text, &error),
    };
    let part = |name: &String| {
        let raw = match name.as_str() {
            "url" => Some(text.to_owned()),
            "effective_port" => url.port().map(|port| port.to_string()),
            name => Component::named(name).and_then(|component| component.of(&url)).map(Into::into),
        };
        let raw = raw.unwrap_or_default();
        if decoded { scheme::plain(&raw).into_owned() } else { visible(&raw).into_owned() }
    };
    Answer { lines: vec![wanted.0.iter().map(part).collect::<Vec<_>>().join("\t")], failed: false }
}
