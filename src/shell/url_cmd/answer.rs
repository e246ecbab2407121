//! The answer to each item of a `wayfarer url` command, as lines of text.

use super::json::{Object, hidden, line};
use super::{RuleSet, Surroundings};
use crate::bookmarks::Bookmarks;
use crate::stop::Stop;
use crate::url::complete::{Completed, complete};
use crate::url::equal::equivalent;
use crate::url::escape::is_printable;
use crate::url::{BaseStack, Fault, Layer, Resolved, Rules, Url, UrlError, locate, resolve, whatwg};
use crate::work::{Offer, Offered};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::ops::Range;
use std::str::Utf8Error;

/// An answer to an item: what to print, and whether it counts as a failure.
pub(super) struct Answer {
    pub(super) lines: Vec<String>,
    pub(super) failed: bool,
}

impl Answer {
    pub(super) fn line(text: impl Into<String>) -> Answer {
        Answer { lines: vec![text.into()], failed: false }
    }

    pub(super) fn json(value: &Value, failed: bool) -> Answer {
        Answer { lines: vec![line(value)], failed }
    }

    /// A failure whose sentence is itself the answer, on standard output.
    pub(super) fn failure(error: &dyn std::fmt::Display) -> Answer {
        Answer { lines: vec![format!("error: {}", visible(&error.to_string()))], failed: true }
    }
}

/// A text for lines of plain output: hidden characters become visible escapes.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if is_printable(text.as_bytes()) || !text.contains(hidden) {
        return text.into();
    }
    let shown = text.chars().fold(String::with_capacity(text.len() + 8), |mut out, c| {
        match c {
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() && c.is_ascii() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
        out
    });
    shown.into()
}

/// A text that is no URL of its scheme: what is wrong, where, and by which rule.
pub(super) fn refusal(text: &str, error: &UrlError) -> Answer {
    let Fault { at, rule, .. } = locate(text, error);
    Answer::failure(&format!("{error} ({}; {rule})", octets(&at)))
}

/// Octets as people count them, from one.
fn octets(at: &Range<usize>) -> String {
    match at.len() {
        0 => format!("before octet {}", at.start + 1),
        1 => format!("octet {}", at.end),
        _ => format!("octets {} to {}", at.start + 1, at.end),
    }
}

/// The same for programs; `name` is what the text is, empty where that is not said.
pub(super) fn refusal_json(name: &'static str, text: &str, error: &UrlError) -> Answer {
    let Fault { kind, at, rule } = locate(text, error);
    let mut out = Object::new();
    if !name.is_empty() {
        out.text(name, text);
    }
    out.text("error", &error.to_string());
    out.text("kind", kind);
    out.range("at", &at);
    out.text("rule", rule);
    Answer { lines: vec![out.done()], failed: true }
}

/// A line that is no text: which of its octets, counted from one for people, are no UTF-8.
pub(super) fn broken(line: &[u8], error: &Utf8Error, json: bool) -> Answer {
    let from = error.valid_up_to();
    let at = from..error.error_len().map_or(line.len(), |length| from + length);
    if !json {
        return Answer::failure(&format!("the line is not UTF-8 ({}; RFC 3629, 3)", octets(&at)));
    }
    no_text("the line is not UTF-8", "not-utf-8", &at, "RFC 3629, 3")
}

/// A line of which only so many octets were read.
pub(super) fn overlong(most: usize, json: bool) -> Answer {
    let sentence = format!("a line of more than {most} octets is too long");
    match json {
        true => no_text(&sentence, "too-long", &(most..most), "at most 64 MiB"),
        false => Answer::failure(&sentence),
    }
}

/// An error object about a line that cannot be repeated in it.
fn no_text(sentence: &str, kind: &str, at: &Range<usize>, rule: &str) -> Answer {
    let mut out = Object::new();
    out.text("error", sentence);
    out.text("kind", kind);
    out.range("at", at);
    out.text("rule", rule);
    Answer { lines: vec![out.done()], failed: true }
}

pub(super) fn aligned(name: &str, value: &str) -> String {
    let mut line = String::with_capacity(16 + value.len());
    push_column(&mut line, name, 14);
    line.push_str(&visible(value));
    line.truncate(line.trim_end().len());
    line
}

/// Appends a word and as many spaces as fill a column of that width, and one more.
pub(super) fn push_column(line: &mut String, word: &str, width: usize) {
    line.push_str(word);
    for _ in word.chars().count()..=width.max(word.chars().count()) {
        line.push(' ');
    }
}

/// A JSON value without quotes where it is plain text.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// A base to resolve against, read once.
pub(super) struct Base {
    text: String,
    url: Result<Url, UrlError>,
    by: By,
}

/// Whose rules resolve.
enum By {
    Rfc(Rules),
    Browsers(whatwg::Base),
}

impl Base {
    pub(super) fn of(text: &str, rules: RuleSet) -> Base {
        let by = match rules {
            RuleSet::Rfc3986 => By::Rfc(Rules::Rfc3986),
            RuleSet::Rfc2396 => By::Rfc(Rules::Rfc2396),
            RuleSet::Whatwg => By::Browsers(whatwg::Base::of(text)),
        };
        Base { text: text.into(), url: Url::parse(text), by }
    }

    pub(super) fn resolve(&self, reference: &str) -> Answer {
        let rules = match &self.by {
            By::Rfc(rules) => *rules,
            By::Browsers(base) => {
                return match base.resolve(reference) {
                    Ok(url) => Answer::line(visible(&url)),
                    Err(why) => Answer::failure(&why),
                };
            }
        };
        let resolved = match &self.url {
            Ok(base) => resolve(base, reference, rules),
            // no base is needed for what is absolute already
            Err(error) => match Url::parse(reference) {
                Ok(url) => Ok(Resolved::Url(url)),
                Err(_) => return refusal(&self.text, error),
            },
        };
        match resolved {
            Ok(Resolved::Url(url)) => Answer::line(visible(url.as_str())),
            // Its own words are those of the drafts (RFC 2396, C.2); by RFC 3986, 5.2.2, it is a URL like any other.
            Ok(same) => match &self.url {
                Ok(base) if rules == Rules::Rfc3986 => Answer::line(visible(same.url_in(base).as_str())),
                _ => current(&same),
            },
            Err(error) => refusal(reference, &error),
        }
    }
}

/// A place in the document that a reference stands in, in words.
fn current(resolved: &Resolved) -> Answer {
    let fragment = match resolved {
        Resolved::SameDocument { fragment: Some(fragment) } => format!("#{fragment}"),
        _ => String::new(),
    };
    Answer::line(visible(&format!("(current document){fragment}")))
}

/// The layers that were given, and what is wrong with those that are no bases.
pub(super) struct Bases {
    stack: BaseStack,
    passed_over: Vec<(Layer, String)>,
}

/// The four layers, each resolved against those outside it (D40). What a document or its envelope says of its base is
/// remote text: one that cannot be used is passed over, as a browser does, and that is said.
pub(super) fn bases(given: [Option<String>; 4]) -> Result<Bases, UrlError> {
    let mut bases = Bases { stack: BaseStack::default(), passed_over: Vec::new() };
    for (layer, base) in Layer::ALL.into_iter().zip(given).rev() {
        let Some(base) = base else { continue };
        let why = match (bases.stack.resolve(&base), layer) {
            (Ok(Resolved::Url(url)), Layer::Document | Layer::Entity) if !url.has_hierarchy() => {
                format!("{}: URLs have no hierarchy", url.scheme())
            }
            (Ok(Resolved::Url(url)), _) => {
                bases.stack.set(layer, Some(url));
                continue;
            }
            // the empty reference: the base outside of it, which answers anyway
            (Ok(Resolved::SameDocument { .. }), Layer::Document | Layer::Entity) => continue,
            (Err(error), Layer::Document | Layer::Entity) => error.to_string(),
            (Err(error), _) => return Err(error),
            (Ok(Resolved::SameDocument { .. }), _) => return Err(UrlError::NoScheme(base)),
        };
        bases.passed_over.push((layer, why));
    }
    Ok(bases)
}

impl Bases {
    /// What was passed over, for people; nothing where nothing was.
    fn remarks(&self) -> String {
        self.passed_over.iter().map(|(layer, why)| format!("; not by {}: {why}", layer.name())).collect()
    }
}

pub(super) fn bases_line(bases: &Result<Bases, UrlError>, reference: &str, json: bool) -> Answer {
    let answer = bases.as_ref().map_err(Clone::clone).and_then(|bases| {
        let resolved = bases.stack.resolve(reference)?;
        Ok((bases.stack.effective().map(|(layer, base)| (layer.name(), base)), resolved))
    });
    let passed_over = |mut answer: Value| {
        let rows = bases.iter().flat_map(|bases| &bases.passed_over);
        let rows: Vec<_> = rows.map(|(layer, why)| json!({ "layer": layer.name(), "why": why })).collect();
        if !rows.is_empty() {
            answer["passed_over"] = rows.into();
        }
        answer
    };
    let layer = |base: Option<(&'static str, &Url)>| match base {
        Some((layer, base)) => (json!(layer), json!(base.as_str())),
        None => (Value::Null, Value::Null),
    };
    match (answer, json) {
        (Ok((base, Resolved::Url(url))), true) => {
            let (layer, base) = layer(base);
            Answer::json(&passed_over(json!({ "layer": layer, "base": base, "url": url.as_str() })), false)
        }
        (Ok((base, Resolved::SameDocument { fragment })), true) => {
            let (layer, base) = layer(base);
            let same = json!({ "same_document": true, "fragment": fragment, "layer": layer, "base": base });
            Answer::json(&passed_over(same), false)
        }
        (Ok((base, Resolved::Url(url))), false) => {
            let why = base.map_or_else(|| "no base".into(), |(layer, base)| format!("{layer} {}", base.redacted()));
            let remarks = bases.as_ref().map(Bases::remarks).unwrap_or_default();
            Answer::line(visible(&format!("{url}  ({why}{remarks})")))
        }
        (Ok((_, same)), false) => current(&same),
        (Err(error), true) => refusal_json("", reference, &error),
        (Err(error), false) => Answer::failure(&error),
    }
}

/// Addresses of the history that are named.
const FROM_HISTORY: usize = 8;

pub(super) fn complete_line(surroundings: &Surroundings, typed: &str, json: bool, history: bool) -> Answer {
    let home = surroundings.home.as_deref();
    let seen = |host: &str, port| surroundings.history.scheme_at(host, port);
    let completed = match surroundings.settings.address(typed, home, None, &seen) {
        // "./x": the folder the command was started in is the only base there can be
        Err(UrlError::NoBase(_)) if typed.starts_with('.') => complete(typed, surroundings.folder.as_ref(), home),
        other => other,
    };
    let mut pages = if history { visited(surroundings, typed) } else { Vec::new() };
    let completed = completed.or_else(|error| {
        // What is no address may be the beginning of one that is known, as at the prompt.
        let best = (!pages.is_empty()).then(|| pages.remove(0)).and_then(|best| Url::parse(best).ok());
        best.map(|url| Completed { url, alternatives: Vec::new(), note: Some("visited".into()) }).ok_or(error)
    });
    match completed {
        Ok(Completed { url, alternatives, note }) if json => {
            let mut readings: Vec<String> = alternatives.iter().map(|url| url.as_str().into()).collect();
            readings.extend(pages);
            Answer::json(&json!({ "url": url.as_str(), "alternatives": readings, "note": note }), false)
        }
        Ok(completed) => Answer::line(visible(completed.url.as_str())),
        Err(error) if json => refusal_json("typed", typed, &error),
        // words are no URL: there is no octet of them to point at
        Err(error @ UrlError::Malformed(_)) => Answer::failure(&error),
        Err(error) => refusal(typed, &error),
    }
}

/// Pages of the history that are like what was typed, as the prompt offers them.
fn visited(surroundings: &Surroundings, typed: &str) -> Vec<String> {
    let offer = Offer {
        text: typed.into(),
        near: Vec::new().into(),
        bookmarks: Bookmarks::default(),
        pages: surroundings.history.clone(),
        most: FROM_HISTORY,
        after: Offered::nothing(),
        compared: usize::MAX,
    };
    offer.run(&Stop::new()).into_iter().flat_map(|offered| offered.found).map(|found| found.text).collect()
}

pub(super) fn equal_line(a: &str, b: &str) -> Answer {
    match (Url::parse(a), Url::parse(b)) {
        (Ok(a), Ok(b)) => {
            let equal = equivalent(&a, &b);
            Answer { lines: vec![if equal { "yes" } else { "no" }.into()], failed: !equal }
        }
        (Err(error), _) => refusal(a, &error),
        (_, Err(error)) => refusal(b, &error),
    }
}
