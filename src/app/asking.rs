//! The prompt line: what is asked, how its text is edited, what Enter does with it.

use super::opening::{self, Opening};
use super::saving::Purpose;
use super::{
    App, Effect, Kept, Origin, Prompt, PromptKind, Tab, arranging, focus, inspect, journey, outside, saving, searching,
    suggest, tabs, web_form,
};
use crate::keys::{Code, Key};
use crate::url::complete::pasted;
use crate::url::{Resolved, Url, redact};
use tui_input::{Input, InputRequest};

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
        meaning: None,
        remark: String::new(),
        about,
    });
    suggest::changed(app);
}

/// The text typed so far.
fn typed(app: &App) -> String {
    app.prompt.as_ref().map(|prompt| prompt.input.value().to_owned()).unwrap_or_default()
}

/// Enter.
pub(super) fn accept(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(prompt) = app.prompt.take() else { return Vec::new() };
    app.recalled = None;
    let text = prompt.input.value().to_owned();
    let mut effects = remember(app, &prompt, &text);
    if matches!(prompt.kind, PromptKind::Field | PromptKind::Password | PromptKind::Upload) {
        effects.extend(web_form::typed(app, prompt));
        effects.extend(searching::more(app));
        return effects;
    }
    effects.extend(match prompt.kind {
        PromptKind::Open => match chosen_tab(app, &prompt, &text) {
            Some(tab) => tabs::show(app, tab),
            None => open_typed(app, &text),
        },
        PromptKind::Command => super::commands::run(app, &text),
        PromptKind::Find => searching::start(app, &text),
        PromptKind::FindLink => find_link(app, &text),
        // Typing has done it already.
        PromptKind::Filter => Vec::new(),
        PromptKind::Number | PromptKind::Hint => follow_numbered(app, prompt.kind, &text),
        PromptKind::Search => match app.purpose.take() {
            Some(Purpose::Search(opening)) if !text.trim().is_empty() => opening::search(app, *opening, &text),
            _ => Vec::new(),
        },
        PromptKind::Save => saving::named(app, &text),
        PromptKind::Program => outside::named(app, &text),
        // Taken above.
        PromptKind::Field | PromptKind::Password | PromptKind::Upload => Vec::new(),
    });
    effects
}

/// Words worth finding again; addresses with passwords are not kept (SEC-04).
fn remember(app: &mut App, prompt: &Prompt, text: &str) -> Vec<Effect> {
    let text = text.trim();
    let kept = match prompt.kind {
        PromptKind::Open => tells_nothing(app, text),
        PromptKind::Command => {
            // Where a private tab goes is not for the next time.
            let harmless = |(name, rest): (&str, &str)| name != "private" && tells_nothing(app, rest.trim());
            text.split_once(char::is_whitespace).is_none_or(harmless)
        }
        PromptKind::Find | PromptKind::FindLink | PromptKind::Search | PromptKind::Filter => true,
        PromptKind::Save | PromptKind::Program | PromptKind::Number | PromptKind::Hint => false,
        PromptKind::Field | PromptKind::Password | PromptKind::Upload => false,
    };
    if !kept || text.is_empty() || app.tab.private {
        return Vec::new();
    }
    let words = app.words.entry(prompt.kind).or_default();
    words.retain(|word| word != text);
    words.push(text.into());
    let excess = words.len().saturating_sub(REMEMBERED);
    words.drain(..excess);
    vec![Effect::Keep(Kept::Words { prompt: prompt.kind, words: text.into() })]
}

/// Whether a text, taken for an address, gives neither a password nor the answers of a form away.
fn tells_nothing(app: &App, address: &str) -> bool {
    let completed = suggest::address(app, address);
    let secret = matches!(completed, Ok((Resolved::Url(url), _)) if url.password().is_some());
    !secret && redact(address) == address && !opening::is_filled_form(address)
}

/// The open tab that was chosen. A tab that waits for its first page gets it instead.
fn chosen_tab(app: &App, prompt: &Prompt, text: &str) -> Option<usize> {
    let row = prompt.completions.get(prompt.selected?)?;
    if row.origin != Some(Origin::Tab) || row.text != text || app.tab.is_empty() {
        return None;
    }
    let shows = |tab: &Tab| !tab.private && tab.entry().is_some_and(|entry| inspect::shareable(&entry.url) == text);
    app.tabs().enumerate().find(|(at, tab)| *at != app.tab_at() && shows(tab)).map(|(at, _)| at)
}

fn open_typed(app: &mut App, text: &str) -> Vec<Effect> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    match suggest::address(app, text) {
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
    let elsewhere = app.purpose.take_if(|purpose| *purpose == Purpose::NewTab).is_some();
    let link = match kind {
        PromptKind::Hint => hints.iter().find(|(name, _)| name == text).map(|(_, link)| *link),
        _ => focus::numbered(app, text),
    };
    match link {
        Some(link) => {
            focus::go_to(app, link);
            if elsewhere { tabs::follow(app, "") } else { focus::follow_link(app, link) }
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
        Some(PromptKind::Search | PromptKind::Hint | PromptKind::Field | PromptKind::Password | PromptKind::Upload) => {
            app.purpose = None;
            Vec::new()
        }
        Some(PromptKind::Filter) => {
            arranging::narrow(app, "");
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
    if let Some(effects) = web_form::complete(app) {
        return effects;
    }
    choose(app, |at, count| at.map_or(0, |at| (at + 1) % count))
}

pub(super) fn complete_previous(app: &mut App, _: &str) -> Vec<Effect> {
    choose(app, |at, count| at.map_or(count - 1, |at| (at + count - 1) % count))
}

/// The wheel was turned: the next of what is offered, or the previous one, as far as there are any.
pub(super) fn turn(app: &mut App, down: bool) -> Vec<Effect> {
    match down {
        true => choose(app, |at, count| at.map_or(0, |at| (at + 1).min(count - 1))),
        false => choose(app, |at, _| at.unwrap_or(0).saturating_sub(1)),
    }
}

/// A row of what is offered was pressed. An address or words of a search are what the reader wants; what stands in the place
/// of other text may want more of it.
pub(super) fn take_row(app: &mut App, row: usize) -> Vec<Effect> {
    let Some(prompt) = app.prompt.as_mut().filter(|prompt| row < prompt.completions.len()) else { return Vec::new() };
    prompt.selected = Some(row);
    prompt.input = Input::new(prompt.completions[row].text.clone());
    let whole = matches!(prompt.kind, PromptKind::Open | PromptKind::Search);
    suggest::chosen(app);
    if whole { accept(app, "") } else { Vec::new() }
}

fn choose(app: &mut App, step: fn(Option<usize>, usize) -> usize) -> Vec<Effect> {
    if let Some(prompt) = app.prompt.as_mut().filter(|prompt| !prompt.completions.is_empty()) {
        let at = step(prompt.selected, prompt.completions.len());
        prompt.selected = Some(at);
        prompt.input = Input::new(prompt.completions[at].text.clone());
        suggest::chosen(app);
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
    suggest::changed(app);
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
        suggest::changed(app);
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

/// Pasted text, on one line. An address loses what it was wrapped in (TXT-09): one that stands alone at the prompt, or one
/// that is in a wrapper.
pub(super) fn paste(app: &mut App, text: &str) {
    if let Some(prompt) = &mut app.prompt {
        let alone = prompt.input.value().trim().is_empty();
        let address = if prompt.kind == PromptKind::Open { pasted(text, alone) } else { None };
        insert(&mut prompt.input, address.as_deref().unwrap_or(text));
        suggest::changed(app);
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
