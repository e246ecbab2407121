//! The prompt line: what is asked, what the text so far would mean, what Enter does with it.

use super::opening::{self, Opening};
use super::saving::Purpose;
use super::{App, COMMANDS, Effect, Prompt, PromptKind, focus, inspect, journey, outside, saving, searching};
use crate::keys::{Code, Key, Mode};
use crate::url::{Reference, Resolved, Url, UrlError, complete::complete};
use tui_input::{Input, InputRequest};

/// Completions shown at once.
const OFFERED: usize = 8;
/// Words kept per prompt.
const REMEMBERED: usize = 200;

/// Opens a prompt; an older one gives way.
pub(super) fn ask(app: &mut App, kind: PromptKind, label: &str, text: &str, about: Option<Url>) {
    app.pending_keys.clear();
    app.recalled = None;
    app.prompt = Some(Prompt {
        kind,
        label: label.into(),
        input: Input::new(text.into()),
        completions: Vec::new(),
        selected: None,
        remark: String::new(),
        about,
    });
    changed(app);
}

/// The text typed so far.
fn typed(app: &App) -> String {
    app.prompt.as_ref().map(|prompt| prompt.input.value().to_owned()).unwrap_or_default()
}

/// Looks at the text again after every change.
pub(super) fn changed(app: &mut App) {
    let Some(kind) = app.prompt.as_ref().map(|prompt| prompt.kind) else { return };
    let text = typed(app);
    let (completions, remark) = match kind {
        PromptKind::Open => (addresses(app, &text), address_remark(app, &text)),
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
        PromptKind::Hint => (Vec::new(), String::new()),
    };
    if let Some(prompt) = &mut app.prompt {
        (prompt.completions, prompt.remark, prompt.selected) = (completions, remark, None);
    }
}

fn recent(app: &App, kind: PromptKind, text: &str) -> Vec<String> {
    let words = app.words.get(&kind).map_or(&[][..], Vec::as_slice).iter().rev();
    words.filter(|w| w.as_str() != text && w.contains(text)).take(OFFERED).cloned().collect()
}

/// Addresses of this session and of earlier ones that hold the text, the newest first, beginnings before insides.
fn addresses(app: &App, text: &str) -> Vec<String> {
    let lower = text.trim().to_lowercase();
    let session = app.history.iter().rev().map(|entry| inspect::shareable(&entry.url));
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
    found
}

/// What a typed address means: relative to the page where it is plainly relative, else completed (ABBR-02).
fn address(app: &App, text: &str) -> Result<(Resolved, Option<String>), UrlError> {
    let text = text.trim();
    let relative = ["./", "../", "#", "?"].iter().any(|mark| text.starts_with(mark)) || text == "..";
    match app.entry() {
        Some(entry) if relative && Reference::new(text).parts().scheme.is_none() => {
            entry.bases.resolve(text).map(|resolved| (resolved, None))
        }
        _ => complete(text, None, app.choices.home_folder.as_deref())
            .map(|completed| (Resolved::Url(completed.url), completed.note)),
    }
}

fn address_remark(app: &App, text: &str) -> String {
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

fn commands(text: &str) -> Vec<String> {
    let name = command_name(text);
    if text.trim_start().len() > name.len() {
        return Vec::new();
    }
    let page = COMMANDS.iter().filter(|c| c.modes.contains(&Mode::Page)).map(|c| c.name);
    let (mut begin, inside): (Vec<&str>, Vec<&str>) =
        page.filter(|n| n.contains(name)).partition(|n| n.starts_with(name));
    begin.extend(inside);
    begin.into_iter().map(Into::into).collect()
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
    match found.first() {
        Some(link) => format!("{} of the links: {}", found.len(), focus::describe(app, *link)),
        None => "no link says that".into(),
    }
}

/// Enter.
pub(super) fn accept(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(prompt) = app.prompt.take() else { return Vec::new() };
    app.recalled = None;
    let text = prompt.input.value().to_owned();
    let mut effects = remember(app, &prompt, &text);
    effects.extend(match prompt.kind {
        PromptKind::Open => open_typed(app, &text),
        PromptKind::Command => super::commands::run(app, &text),
        PromptKind::Find => searching::start(app, &text),
        PromptKind::FindLink => find_link(app, &text),
        PromptKind::Number | PromptKind::Hint => follow_numbered(app, prompt.kind, &text),
        PromptKind::Search => match app.purpose.take() {
            Some(Purpose::Search(opening)) if !text.trim().is_empty() => opening::search(app, opening, &text),
            _ => Vec::new(),
        },
        PromptKind::Save => saving::named(app, &text),
        PromptKind::Program => outside::named(app, &text),
    });
    effects
}

/// Words worth finding again; addresses with passwords are not kept (SEC-04).
fn remember(app: &mut App, prompt: &Prompt, text: &str) -> Vec<Effect> {
    let text = text.trim();
    let kept = match prompt.kind {
        PromptKind::Open => {
            Url::parse(text).map_or(true, |url| url.password().is_none() && !opening::is_filled_form(&url))
        }
        PromptKind::Find | PromptKind::FindLink | PromptKind::Search | PromptKind::Command => true,
        PromptKind::Save | PromptKind::Program | PromptKind::Number | PromptKind::Hint => false,
    };
    if !kept || text.is_empty() {
        return Vec::new();
    }
    let words = app.words.entry(prompt.kind).or_default();
    words.retain(|word| word != text);
    words.push(text.into());
    let excess = words.len().saturating_sub(REMEMBERED);
    words.drain(..excess);
    vec![Effect::Remember { prompt: prompt.kind, words: text.into() }]
}

fn open_typed(app: &mut App, text: &str) -> Vec<Effect> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    match address(app, text) {
        Ok((Resolved::Url(url), _)) => opening::go(app, Opening::typed(url)),
        Ok((Resolved::SameDocument { fragment }, _)) => journey::jump_to(app, fragment.as_deref()),
        Err(error) => {
            app.complain(error.to_string());
            Vec::new()
        }
    }
}

fn find_link(app: &mut App, text: &str) -> Vec<Effect> {
    match focus::with_words(app, text).first() {
        Some(link) if !text.is_empty() => focus::go_to(app, *link),
        _ => app.complain(format!("no link says \"{text}\"")),
    }
    Vec::new()
}

fn follow_numbered(app: &mut App, kind: PromptKind, text: &str) -> Vec<Effect> {
    let hints = std::mem::take(&mut app.hints);
    let link = match kind {
        PromptKind::Hint => hints.iter().find(|(name, _)| name == text).map(|(_, link)| *link),
        _ => focus::numbered(app, text),
    };
    match link {
        Some(link) => {
            focus::go_to(app, link);
            focus::follow_link(app, link)
        }
        None => {
            app.complain(format!("no link {text}"));
            Vec::new()
        }
    }
}

/// Closes the prompt; what waited for its answer ends.
pub(super) fn dismiss(app: &mut App) -> Vec<Effect> {
    app.hints.clear();
    app.recalled = None;
    match app.prompt.take().map(|prompt| prompt.kind) {
        Some(PromptKind::Save | PromptKind::Program) => saving::dismissed(app),
        Some(PromptKind::Search) => {
            app.purpose = None;
            Vec::new()
        }
        Some(PromptKind::Find) => {
            searching::clear(app);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// The next completion, or the previous one.
pub(super) fn complete_next(app: &mut App, _: &str) -> Vec<Effect> {
    choose(app, |at, count| at.map_or(0, |at| (at + 1) % count))
}

pub(super) fn complete_previous(app: &mut App, _: &str) -> Vec<Effect> {
    choose(app, |at, count| at.map_or(count - 1, |at| (at + count - 1) % count))
}

fn choose(app: &mut App, step: fn(Option<usize>, usize) -> usize) -> Vec<Effect> {
    if let Some(prompt) = app.prompt.as_mut().filter(|prompt| !prompt.completions.is_empty()) {
        let at = step(prompt.selected, prompt.completions.len());
        prompt.selected = Some(at);
        prompt.input = Input::new(prompt.completions[at].clone());
        let text = prompt.completions[at].clone();
        let remark = match prompt.kind {
            PromptKind::Command => command_remark(&text),
            PromptKind::Open => address_remark(app, &text),
            _ => String::new(),
        };
        if let Some(prompt) = &mut app.prompt {
            prompt.remark = remark;
        }
    }
    Vec::new()
}

/// Older words.
pub(super) fn recall_previous(app: &mut App, _: &str) -> Vec<Effect> {
    recall(app, true)
}

/// Newer words, and at last what was typed before.
pub(super) fn recall_next(app: &mut App, _: &str) -> Vec<Effect> {
    recall(app, false)
}

fn recall(app: &mut App, older: bool) -> Vec<Effect> {
    let Some(kind) = app.prompt.as_ref().map(|prompt| prompt.kind) else { return Vec::new() };
    let text = typed(app);
    let words = app.words.get(&kind).map_or(&[][..], Vec::as_slice);
    let (at, draft) = app.recalled.clone().unwrap_or((words.len(), text));
    let to = if older { at.checked_sub(1) } else { Some(at + 1).filter(|to| *to <= words.len()) };
    let Some(to) = to else { return Vec::new() };
    let text = words.get(to).cloned().unwrap_or_else(|| draft.clone());
    if let Some(prompt) = &mut app.prompt {
        prompt.input = Input::new(text);
    }
    changed(app);
    app.recalled = Some((to, draft));
    Vec::new()
}

/// A key without a command edits the text; letters of a hint act at once.
pub(super) fn edit(app: &mut App, key: Key) -> Vec<Effect> {
    let Some(prompt) = &mut app.prompt else { return Vec::new() };
    if prompt.kind == PromptKind::Number
        && matches!(key.code, Code::Char(c) if !key.control && !key.meta && !c.is_ascii_digit())
    {
        return Vec::new();
    }
    let emptied = prompt.input.value().is_empty() && key.code == Code::Backspace;
    if emptied && matches!(prompt.kind, PromptKind::Number | PromptKind::Hint) {
        return dismiss(app);
    }
    if let Some(request) = request(key)
        && prompt.input.handle(request).is_some_and(|change| change.value)
    {
        changed(app);
        app.recalled = None;
    }
    hinted(app)
}

fn hinted(app: &mut App) -> Vec<Effect> {
    if app.prompt.as_ref().is_none_or(|prompt| prompt.kind != PromptKind::Hint) {
        return Vec::new();
    }
    let text = typed(app);
    if app.hints.iter().any(|(name, _)| *name == text) {
        return accept(app, "");
    }
    if !app.hints.iter().any(|(name, _)| name.starts_with(&text)) {
        app.complain(format!("no link {text}"));
        return dismiss(app);
    }
    Vec::new()
}

/// Pasted text, on one line.
pub(super) fn paste(app: &mut App, text: &str) {
    if let Some(prompt) = &mut app.prompt {
        insert(&mut prompt.input, text);
        changed(app);
    }
}

/// Inserts text without its line breaks and controls.
pub(super) fn insert(input: &mut Input, text: &str) {
    for c in text.trim_matches(['\r', '\n']).chars() {
        let c = if c == '\n' || c == '\t' { ' ' } else { c };
        if !c.is_control() {
            input.handle(InputRequest::InsertChar(c));
        }
    }
}

/// What a key does to a line of text, as in readline.
pub(super) fn request(key: Key) -> Option<InputRequest> {
    use InputRequest::*;
    Some(match (key.code, key.control, key.meta) {
        (Code::Char(c), false, false) => InsertChar(c),
        (Code::Char('a') | Code::Home, _, _) => GoToStart,
        (Code::Char('e') | Code::End, _, _) => GoToEnd,
        (Code::Char('b'), false, true) | (Code::Left, true, _) | (Code::Left, _, true) => GoToPrevWord,
        (Code::Char('f'), false, true) | (Code::Right, true, _) | (Code::Right, _, true) => GoToNextWord,
        (Code::Char('b'), true, false) | (Code::Left, false, false) => GoToPrevChar,
        (Code::Char('f'), true, false) | (Code::Right, false, false) => GoToNextChar,
        (Code::Char('w'), true, false) | (Code::Backspace, _, true) => DeletePrevWord,
        (Code::Char('d'), false, true) => DeleteNextWord,
        (Code::Char('h'), true, false) | (Code::Backspace, _, false) => DeletePrevChar,
        (Code::Char('d'), true, false) | (Code::Delete, _, _) => DeleteNextChar,
        (Code::Char('u'), true, false) => DeleteFromStart,
        (Code::Char('k'), true, false) => DeleteTillEnd,
        (Code::Char('y'), true, false) => Yank,
        _ => return None,
    })
}
