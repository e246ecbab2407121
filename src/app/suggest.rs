//! What the text typed so far could become, and what it would mean: completions, the meaning of an address, the remark.

use super::candidates::{OFFERED, Seeking};
use super::{
    App, COMMANDS, Completion, Effect, Meaning, Origin, PromptKind, arranging, focus, outside, searching, web_form,
};
use crate::format::charset::charsets;
use crate::keys::Mode;
use crate::url::complete::{Completed, complete};
use crate::url::{Reference, Resolved, UrlError, scheme};

/// Looks at the text again after every change.
pub(super) fn changed(app: &mut App) {
    let Some(kind) = app.prompt.as_ref().map(|prompt| prompt.kind) else { return };
    let text = app.prompt.as_ref().map(|prompt| prompt.input.value().to_owned()).unwrap_or_default();
    let (completions, remark) = match kind {
        PromptKind::Open => (Vec::new(), String::new()),
        PromptKind::Command => (commands(&text), command_remark(&text)),
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
        prompt.completions = completions.into_iter().map(Completion::from).collect();
        (prompt.remark, prompt.selected) = (remark, None);
    }
    app.seeking = address_in(kind, &text).map(|(before, address)| Seeking::new(before, address));
    step(app);
    explain(app);
}

/// A completion was chosen.
pub(super) fn chosen(app: &mut App) {
    let Some((kind, text)) = app.prompt.as_ref().map(|prompt| (prompt.kind, prompt.input.value().to_owned())) else {
        return;
    };
    let remark = match kind {
        PromptKind::Command => command_remark(&text),
        PromptKind::Field | PromptKind::Upload => web_form::remark(app, &text),
        _ => String::new(),
    };
    if let Some(prompt) = &mut app.prompt {
        prompt.remark = remark;
    }
    explain(app);
}

/// The address in a text, and what stands before it.
fn address_in(kind: PromptKind, text: &str) -> Option<(&str, &str)> {
    match kind {
        PromptKind::Open => Some(("", text)),
        PromptKind::Command => {
            let rest = text.trim_start().strip_prefix(command_name(text)).filter(|rest| !rest.is_empty())?;
            let address = rest.trim_start();
            ["open", "new-tab", "private"].contains(&command_name(text)).then_some(())?;
            Some((&text[..text.len() - address.len()], address))
        }
        _ => None,
    }
}

/// Says what the address means.
fn explain(app: &mut App) {
    let Some(prompt) = &app.prompt else { return };
    let meaning = match address_in(prompt.kind, prompt.input.value()) {
        Some((_, address)) if !address.trim().is_empty() => Some(meaning(app, address)),
        _ => None,
    };
    if let Some(prompt) = &mut app.prompt {
        prompt.meaning = meaning;
    }
}

/// Looks through the next slice of all addresses, as long as the reader has chosen none.
pub(super) fn slice(app: &mut App) {
    if app.prompt.as_ref().is_some_and(|prompt| prompt.selected.is_none()) {
        step(app);
    }
}

/// Asks to go on looking.
pub(super) fn tend(app: &mut App) -> Option<Effect> {
    let waits = app.prompt.as_ref().is_some_and(|prompt| prompt.selected.is_none());
    app.seeking.take_if(|seeking| seeking.ended || !waits);
    app.seeking.is_some().then_some(Effect::Slice)
}

fn step(app: &mut App) {
    let Some(mut seeking) = app.seeking.take() else { return };
    if !seeking.ended {
        seeking.step(app);
    }
    let readings = readings(app);
    if let Some(prompt) = &mut app.prompt {
        prompt.completions = seeking.completions(OFFERED.saturating_sub(readings.len()));
        prompt.completions.extend(readings);
    }
    app.seeking = Some(seeking);
}

/// What else the address might have meant.
fn readings(app: &App) -> Vec<Completion> {
    let Some((before, address)) = app.prompt.as_ref().and_then(|prompt| address_in(prompt.kind, prompt.input.value()))
    else {
        return Vec::new();
    };
    let completed = match address.trim() {
        "" => return Vec::new(),
        _ if app.settings.through_shortcut(address).is_some() => return Vec::new(),
        address => complete(address, None, app.choices.home_folder.as_deref()).map(Completed::preferring_tls),
    };
    let row = |text: &str| Completion { origin: Some(Origin::Reading), ..Completion::from(format!("{before}{text}")) };
    completed.map(|completed| completed.alternatives.iter().map(|url| row(url.as_str())).collect()).unwrap_or_default()
}

fn recent(app: &App, kind: PromptKind, text: &str) -> Vec<String> {
    let words = app.words.get(&kind).map_or(&[][..], Vec::as_slice).iter().rev();
    words.filter(|w| w.as_str() != text && w.contains(text)).take(OFFERED).cloned().collect()
}

/// What a typed address means: words for a shortcut; relative to the page where it is plainly relative; else completed
/// (ABBR-02). With it goes why, when it was not typed as it is.
pub(super) fn address(app: &App, text: &str) -> Result<(Resolved, Option<String>), UrlError> {
    let text = text.trim();
    if let Some((name, url)) = app.settings.through_shortcut(text) {
        return url.map(|url| (Resolved::Url(url), Some(format!("shortcut {name}"))));
    }
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

fn meaning(app: &App, text: &str) -> Meaning {
    match address(app, text) {
        Ok((Resolved::Url(url), note)) => Meaning::Url { parts: scheme::parts(&url), note },
        Ok((Resolved::SameDocument { fragment }, _)) => match fragment {
            Some(fragment) => Meaning::Here(format!("#{fragment} on this page")),
            None => Meaning::Here("this page".into()),
        },
        Err(error) => Meaning::Nothing(error.to_string()),
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
    ("bookmark", &["link"]),
    ("bookmarks", &["import", "export"]),
    ("forget", &["hour", "today", "week", "host", "all"]),
    ("move-tab", &["left", "right"]),
];

fn commands(text: &str) -> Vec<String> {
    let name = command_name(text);
    if let Some(begun) = text.trim_start().strip_prefix(name).filter(|rest| !rest.is_empty()) {
        return arguments(name, begun.trim_start());
    }
    let page =
        COMMANDS.iter().filter(|c| c.modes.contains(&Mode::Page) || c.modes.contains(&Mode::News)).map(|c| c.name);
    let (mut begin, inside): (Vec<&str>, Vec<&str>) =
        page.filter(|n| n.contains(name)).partition(|n| n.starts_with(name));
    begin.extend(inside);
    begin.into_iter().map(Into::into).collect()
}

fn arguments(name: &str, begun: &str) -> Vec<String> {
    let known = |words: &[&str]| words.iter().filter(|word| word.contains(begun)).map(|word| (*word).into()).collect();
    let words: Vec<String> = match name {
        "charset" => known(&charsets().iter().map(|choice| choice.name).collect::<Vec<_>>()),
        _ => ARGUMENTS.iter().find(|(command, _)| *command == name).map(|(_, words)| known(words)).unwrap_or_default(),
    };
    words.into_iter().map(|word| format!("{name} {word}")).collect()
}

fn command_remark(text: &str) -> String {
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
