//! What the text typed so far could become, and what it would mean: completions and the remark beside the prompt.

use super::{App, COMMANDS, PromptKind, arranging, focus, inspect, outside, searching, web_form};
use crate::format::charset::charsets;
use crate::keys::Mode;
use crate::url::complete::{Completed, complete};
use crate::url::{Reference, Resolved, UrlError};

/// Completions shown at once.
const OFFERED: usize = 8;

/// Looks at the text again after every change.
pub(super) fn changed(app: &mut App) {
    let Some(kind) = app.prompt.as_ref().map(|prompt| prompt.kind) else { return };
    let text = app.prompt.as_ref().map(|prompt| prompt.input.value().to_owned()).unwrap_or_default();
    let (completions, remark) = match kind {
        PromptKind::Open => (addresses(app, &text), address_remark(app, &text)),
        PromptKind::Command => (commands(app, &text), command_remark(&text)),
        PromptKind::Number => (Vec::new(), number_remark(app, &text)),
        PromptKind::FindLink => (Vec::new(), find_link_remark(app, &text)),
        PromptKind::Save => (Vec::new(), "Enter saves; a file that exists is never replaced without a question".into()),
        PromptKind::Program => (Vec::new(), outside::remark(app, &text)),
        PromptKind::Search => (recent(app, kind, &text), String::new()),
        PromptKind::Find => {
            searching::preview(app, &text);
            (Vec::new(), String::new())
        }
        PromptKind::Filter => {
            arranging::narrow(app, &text);
            (Vec::new(), "Enter keeps it, Esc shows everything".into())
        }
        PromptKind::Hint => (Vec::new(), String::new()),
        PromptKind::Field => (web_form::suggestions(app, &text), web_form::remark(app, &text)),
        PromptKind::Password | PromptKind::Upload => (Vec::new(), web_form::remark(app, &text)),
    };
    if let Some(prompt) = &mut app.prompt {
        (prompt.completions, prompt.remark, prompt.selected) = (completions, remark, None);
    }
}

fn recent(app: &App, kind: PromptKind, text: &str) -> Vec<String> {
    let words = app.words.get(&kind).map_or(&[][..], Vec::as_slice).iter().rev();
    words.filter(|w| w.as_str() != text && w.contains(text)).take(OFFERED).cloned().collect()
}

/// Addresses of this session and of earlier ones that hold the text, the newest first, beginnings before insides; then
/// what else the text itself might have meant.
fn addresses(app: &App, text: &str) -> Vec<String> {
    let lower = text.trim().to_lowercase();
    let session = app.tab.history.iter().rev().map(|entry| inspect::shareable(&entry.url));
    let earlier = app.words.get(&PromptKind::Open).into_iter().flatten().rev().cloned();
    let mut found: Vec<String> = Vec::new();
    for address in session.chain(earlier) {
        if address != text && address.to_lowercase().contains(&lower) && !found.contains(&address) {
            found.push(address);
        }
    }
    let begins = |address: &String| {
        let address = address.to_lowercase();
        address.starts_with(&lower) || address.split_once("://").is_some_and(|(_, rest)| rest.starts_with(&lower))
    };
    found.sort_by_key(|address| !begins(address));
    found.truncate(OFFERED);
    if !lower.is_empty()
        && let Ok(completed) = complete(text, None, app.choices.home_folder.as_deref())
    {
        found.extend(completed.alternatives.iter().map(|url| url.as_str().to_owned()));
    }
    found
}

/// What a typed address means: relative to the page where it is plainly relative, else completed (ABBR-02).
pub(super) fn address(app: &App, text: &str) -> Result<(Resolved, Option<String>), UrlError> {
    let text = text.trim();
    let relative = ["./", "../", "#", "?"].iter().any(|mark| text.starts_with(mark)) || text == "..";
    match app.entry() {
        Some(entry) if relative && Reference::new(text).parts().scheme.is_none() => {
            entry.bases.resolve(text).map(|resolved| (resolved, None))
        }
        _ => complete(text, None, app.choices.home_folder.as_deref())
            .map(Completed::preferring_tls)
            .map(|completed| (Resolved::Url(completed.url), completed.note)),
    }
}

pub(super) fn address_remark(app: &App, text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    match address(app, text) {
        Ok((Resolved::Url(url), note)) => {
            let parts = crate::url::scheme::parts(&url);
            let said = parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(" ");
            note.map_or(said.clone(), |note| format!("{said}  ({note})"))
        }
        Ok((Resolved::SameDocument { fragment }, _)) => format!("this page #{}", fragment.unwrap_or_default()),
        Err(error) => error.to_string(),
    }
}

fn command_name(text: &str) -> &str {
    text.trim_start().split(char::is_whitespace).next().unwrap_or_default()
}

/// What may stand after a command's name.
const ARGUMENTS: &[(&str, &[&str])] = &[
    (
        "set",
        &["wrap on", "wrap off", "marks words", "marks glyphs", "numbers on", "numbers off", "mouse on", "mouse off"],
    ),
    ("goto", &["top", "bottom"]),
    ("save", &["text", "source"]),
    ("outside", &["page"]),
];

fn commands(app: &App, text: &str) -> Vec<String> {
    let name = command_name(text);
    if let Some(begun) = text.trim_start().strip_prefix(name).filter(|rest| !rest.is_empty()) {
        return arguments(app, name, begun.trim_start());
    }
    let page =
        COMMANDS.iter().filter(|c| c.modes.contains(&Mode::Page) || c.modes.contains(&Mode::News)).map(|c| c.name);
    let (mut begin, inside): (Vec<&str>, Vec<&str>) =
        page.filter(|n| n.contains(name)).partition(|n| n.starts_with(name));
    begin.extend(inside);
    begin.into_iter().map(Into::into).collect()
}

fn arguments(app: &App, name: &str, begun: &str) -> Vec<String> {
    let known = |words: &[&str]| words.iter().filter(|word| word.contains(begun)).map(|word| (*word).into()).collect();
    let words: Vec<String> = match name {
        "open" => addresses(app, begun),
        "charset" => known(&charsets().iter().map(|choice| choice.name).collect::<Vec<_>>()),
        _ => ARGUMENTS.iter().find(|(command, _)| *command == name).map(|(_, words)| known(words)).unwrap_or_default(),
    };
    words.into_iter().map(|word| format!("{name} {word}")).collect()
}

pub(super) fn command_remark(text: &str) -> String {
    let name = command_name(text);
    COMMANDS.iter().find(|c| c.name == name).map_or_else(String::new, |c| c.help.into())
}

fn number_remark(app: &App, text: &str) -> String {
    match focus::numbered(app, text) {
        Some(link) => focus::describe(app, link),
        None if text.is_empty() => String::new(),
        None => "no link has this number".into(),
    }
}

fn find_link_remark(app: &App, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let found = focus::with_words(app, text);
    match (found.first(), app.entry().and_then(|entry| entry.document())) {
        (Some(link), Some(document)) => {
            format!("{} link{}: {}", found.len(), plural(found.len()), document.link_text(*link).trim())
        }
        _ => "no link says that".into(),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
