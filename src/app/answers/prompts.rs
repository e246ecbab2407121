//! The prompt line: what is asked, how its text is edited, what Enter does with it.

use crate::app::forms::web::{self, live};
use crate::app::hands::line::{insert, request};
use crate::app::motion::{focus, links, search};
use crate::app::navigation::{journey, programs, upload, words};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::{
    App, Effect, Kept, LONGEST_WORDS, Opening, Origin, Prompt, PromptKind, Purpose, Tab, again, commands, completion,
    internal, marks, names, navigation, sequence, split, tabs, transfer,
};
use crate::keys::{Code, Key};
use crate::url::complete::pasted;
use crate::url::{Resolved, says_password};
use tui_input::Input;

/// Words kept per prompt.
const REMEMBERED: usize = 200;

/// Gives free hands what waits for them.
pub(in crate::app) fn next(app: &mut App) {
    app.hands.take_next();
    if app.hands.take_changed() {
        completion::changed(app);
    }
}

/// The text typed so far.
fn typed(app: &App) -> String {
    app.hands.prompt().map(|prompt| prompt.input.value().to_owned()).unwrap_or_default()
}

/// Enter.
pub(in crate::app) fn accept(app: &mut App, _: &str) -> Vec<Effect> {
    accepted(app, true)
}

/// The same; `sends`: what was typed into the only line of a form sends it.
fn accepted(app: &mut App, sends: bool) -> Vec<Effect> {
    let Some(prompt) = app.hands.take_prompt() else { return Vec::new() };
    let taken =
        prompt.taken().filter(|_| prompt.selected.is_none()).map(|taken| prompt.completions[taken].text.clone());
    let text = taken.unwrap_or_else(|| prompt.input.value().to_owned());
    if let Err(error) = leads(app, &prompt, &text) {
        app.hands.put_back(Prompt { remark: error, ..prompt });
        app.hands.refused = true;
        return Vec::new();
    }
    let mut effects = remember(app, &prompt, &text);
    let wanted = matches!(prompt.purpose, Purpose::Search(_) | Purpose::File(_) | Purpose::Token(_));
    if !wanted && matches!(prompt.kind, PromptKind::Field | PromptKind::Password | PromptKind::Upload) {
        effects.extend(web::typed(&mut app.cx(), prompt, sends));
        return effects;
    }
    effects.extend(match prompt.kind {
        PromptKind::Open => match chosen_tab(app, &prompt, &text) {
            Some(tab) => tabs::show(app, tab),
            None => open_typed(app, &text),
        },
        PromptKind::Command => {
            again::typed(app, &text);
            crate::app::commands::run(app, &text)
        }
        PromptKind::SetMark | PromptKind::GoMark => marked(app, prompt.kind, text.trim()),
        PromptKind::Find => match prompt.purpose {
            Purpose::FindTyping(_) => search::stay(&mut app.cx(), &text),
            Purpose::FindBack => search::start_back(&mut app.cx(), &text),
            _ if text.is_empty() => search::on(&mut app.cx()),
            _ => search::start(&mut app.cx(), &text),
        },
        PromptKind::FindLink => links::go(&mut app.cx(), &text),
        // Typing has done it already.
        PromptKind::Filter => {
            again::done(app, &format!("filter {text}"));
            Vec::new()
        }
        PromptKind::Number | PromptKind::Hint => follow_numbered(app, &prompt, &text),
        PromptKind::Search | PromptKind::Answer | PromptKind::Name | PromptKind::Password => match prompt.purpose {
            Purpose::Search(opening) if !text.trim().is_empty() || words::may_be_none(&opening) => {
                words::given(&mut app.cx(), *opening, prompt.kind, &text)
            }
            Purpose::Token(sending) => upload::told(&mut app.cx(), *sending, &text),
            _ => Vec::new(),
        },
        PromptKind::Save => transfer::named(&mut app.cx(), prompt.purpose, &text),
        PromptKind::Program => programs::named(&mut app.cx(), prompt.purpose, &text),
        PromptKind::Setting => match prompt.purpose {
            Purpose::Setting(name) => internal::settings::typed(&mut app.cx(), name, &text),
            _ => Vec::new(),
        },
        PromptKind::Upload => match prompt.purpose {
            Purpose::File(opening) => upload::named(&mut app.cx(), *opening, &text),
            _ => Vec::new(),
        },
        // Taken above.
        PromptKind::Field => Vec::new(),
    });
    effects
}

/// Whether a text leads anywhere.
///
/// # Errors
/// Why it does not, in few words: what was typed stays, to be mended.
fn leads(app: &App, prompt: &Prompt, text: &str) -> Result<(), String> {
    match prompt.kind {
        PromptKind::Open if !text.trim().is_empty() => match completion::address(app.sight(), text) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        },
        PromptKind::Command => match crate::app::commands::named(text) {
            "" => Ok(()),
            name if commands::is_one(app, name) => Ok(()),
            name => Err(format!("no command is called {name}")),
        },
        PromptKind::Setting => match &prompt.purpose {
            Purpose::Setting(name) => internal::settings::fits(app.sight(), name, text),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Words worth finding again; addresses with passwords are not kept (SEC-04).
fn remember(app: &mut App, prompt: &Prompt, text: &str) -> Vec<Effect> {
    let text = text.trim();
    let kept = match prompt.kind {
        PromptKind::Open => tells_nothing(app, text),
        PromptKind::Command => {
            let (name, words) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            words.is_empty() || tells_nothing(app, words.trim()) && is_harmless(app, name, words)
        }
        PromptKind::Find | PromptKind::FindLink | PromptKind::Filter => true,
        PromptKind::Search | PromptKind::Answer | PromptKind::Name => true,
        PromptKind::Save | PromptKind::Program | PromptKind::Number | PromptKind::Hint | PromptKind::Setting => false,
        PromptKind::Field | PromptKind::Password | PromptKind::Upload => false,
        PromptKind::SetMark | PromptKind::GoMark => false,
    };
    if !kept || text.is_empty() || text.len() > LONGEST_WORDS || app.tab.private {
        return Vec::new();
    }
    // Whoever edits an address that says a secret again has not typed it.
    if app.sight().veil().reference(text) != text {
        return Vec::new();
    }
    let words = app.desk.words.entry(prompt.kind).or_default();
    words.retain(|word| word != text);
    words.push(text.into());
    let excess = words.len().saturating_sub(REMEMBERED);
    words.drain(..excess);
    vec![Effect::Keep(Kept::Words { prompt: prompt.kind, words: text.into() })]
}

/// Whether what was typed after a command may be kept, by whatever name it is run: where a private tab goes is not for the next
/// time, nor what becomes a password.
fn is_harmless(app: &App, name: &str, words: &str) -> bool {
    let harmless = |line: &String| {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        name != "private" && tells_nothing(app, rest.trim())
    };
    sequence::lines(app, name, words.trim()).is_ok_and(|lines| lines.iter().all(harmless))
}

/// The letter of a mark.
fn marked(app: &mut App, kind: PromptKind, letter: &str) -> Vec<Effect> {
    if letter.is_empty() {
        return Vec::new();
    }
    if kind == PromptKind::GoMark {
        return marks::go_mark(app, letter);
    }
    marks::set_mark(app, letter)
}

/// Whether a text, taken for an address, gives neither a password nor the answers of a form away.
fn tells_nothing(app: &App, address: &str) -> bool {
    let completed = completion::address(app.sight(), address);
    let secret = matches!(completed, Ok((Resolved::Url(url), _)) if url.password().or(url.token()).is_some());
    !secret && !says_password(address) && !address::is_filled_form(address)
}

/// The open tab that was chosen. A tab that waits for its first page gets it instead.
fn chosen_tab(app: &App, prompt: &Prompt, text: &str) -> Option<usize> {
    let row = prompt.completions.get(prompt.selected?)?;
    if row.origin != Some(Origin::Tab) || row.text != text || app.tab.is_empty() {
        return None;
    }
    let shows = |tab: &Tab| !tab.private && tab.entry().is_some_and(|entry| address::shareable(&entry.url) == text);
    app.tabs().enumerate().find(|(at, tab)| *at != app.tab_at() && shows(tab)).map(|(at, _)| at)
}

fn open_typed(app: &mut App, text: &str) -> Vec<Effect> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    match completion::address(app.sight(), text) {
        Ok((Resolved::Url(url), _)) => navigation::go(&mut app.cx(), Opening::typed(url)),
        Ok((Resolved::SameDocument { fragment }, _)) => journey::jump_to(&mut app.cx(), fragment.as_deref()),
        Err(error) => {
            app.complain(error.to_string());
            Vec::new()
        }
    }
}

fn follow_numbered(app: &mut App, prompt: &Prompt, text: &str) -> Vec<Effect> {
    let hints = std::mem::take(&mut app.hands.hints);
    if prompt.purpose == Purpose::Gone {
        app.complain("that was a link of the page before");
        return Vec::new();
    }
    let elsewhere = prompt.purpose == Purpose::NewTab;
    let link = match prompt.kind {
        PromptKind::Hint => hints.iter().find(|(name, _)| name == text).map(|(_, link)| *link),
        _ => focus::numbered(app.sight(), text),
    };
    match link {
        Some(link) => {
            focus::go_to(&mut app.cx(), link);
            if elsewhere { tabs::opening::follow(app, "") } else { split::follow_link(app, link) }
        }
        None => {
            app.complain(format!("no link {text}"));
            Vec::new()
        }
    }
}

/// Closes the prompt; what waited for its answer ends.
pub(in crate::app) fn dismiss(app: &mut App) -> Vec<Effect> {
    app.hands.hints.clear();
    let Some(prompt) = app.hands.take_prompt() else { return Vec::new() };
    match prompt.kind {
        PromptKind::Save | PromptKind::Program => transfer::dismissed(&mut app.cx(), &prompt.purpose),
        // Nothing typed is lost.
        PromptKind::Field | PromptKind::Password => {
            live::leave(&mut app.cx());
            web::left(&mut app.cx(), prompt)
        }
        PromptKind::Filter => {
            internal::narrow(&mut app.cx(), "");
            Vec::new()
        }
        PromptKind::Find => {
            if let Purpose::FindTyping(from) = prompt.purpose {
                search::return_to(&mut app.cx(), from);
            }
            search::clear(&mut app.cx());
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// While words to find are typed: the next match of them; before any was typed, of those that were sought last.
pub(in crate::app) fn find_next(app: &mut App, _: &str) -> Vec<Effect> {
    find_on(app, search::next)
}

/// The match before.
pub(in crate::app) fn find_previous(app: &mut App, _: &str) -> Vec<Effect> {
    find_on(app, search::previous)
}

fn find_on(app: &mut App, turn: fn(&mut Cx<'_>, &str) -> Vec<Effect>) -> Vec<Effect> {
    if app.hands.prompt().is_none_or(|prompt| prompt.kind != PromptKind::Find) {
        return Vec::new();
    }
    if typed(app).is_empty() {
        let effects = recall(app, true);
        if let (true, Some(prompt)) = (typed(app).is_empty(), app.hands.prompt_mut()) {
            prompt.remark = "no words were sought before: type some".into();
        }
        return effects;
    }
    turn(&mut app.cx(), "")
}

/// The next completion, or the previous one.
pub(in crate::app) fn complete_next(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = names::complete(&mut app.cx()) {
        return effects;
    }
    if let Some(effects) = leave_field(app, false) {
        return effects;
    }
    let leaves = |prompt: &Prompt| {
        prompt.completions.is_empty() && matches!(prompt.kind, PromptKind::Field | PromptKind::Password)
    };
    if app.hands.prompt().is_some_and(leaves) {
        // Whoever wants the next field has not asked for anything to be sent.
        let mut effects = accepted(app, false);
        if app.hands.prompt().is_none() {
            effects.extend(web::next_field(&mut app.cx()));
        }
        return effects;
    }
    choose(app, |at, count| at.map_or(0, |at| (at + 1) % count))
}

/// Where typing fills fields in, the arrows and Tab lead on from the one whose text stands in the prompt; that stays in it.
fn leave_field(app: &mut App, back: bool) -> Option<Vec<Effect>> {
    if !live::is_open(app.sight()) {
        return None;
    }
    let mut effects = accepted(app, false);
    if app.hands.prompt().is_none() {
        effects.extend(live::go_on(&mut app.cx(), back));
    }
    Some(effects)
}

pub(in crate::app) fn complete_previous(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = leave_field(app, true) {
        return effects;
    }
    choose(app, |at, count| at.map_or(count - 1, |at| (at + count - 1) % count))
}

/// The wheel was turned: the next of what is offered, or the previous one, as far as there are any.
pub(in crate::app) fn turn(app: &mut App, down: bool) -> Vec<Effect> {
    match down {
        true => choose(app, |at, count| at.map_or(0, |at| (at + 1).min(count - 1))),
        false => choose(app, |at, _| at.unwrap_or(0).saturating_sub(1)),
    }
}

/// A row of what is offered was pressed. An address or words of a search are what the reader wants; what stands in the place
/// of other text may want more of it.
pub(in crate::app) fn take_row(app: &mut App, row: usize) -> Vec<Effect> {
    let Some(prompt) = app.hands.prompt_mut().filter(|prompt| row < prompt.completions.len()) else {
        return Vec::new();
    };
    prompt.selected = Some(row);
    prompt.input = Input::new(prompt.completions[row].text.clone());
    let whole = is_list(prompt.kind) && prompt.kind != PromptKind::Command;
    completion::chosen(app);
    if whole { accept(app, "") } else { Vec::new() }
}

fn choose(app: &mut App, step: fn(Option<usize>, usize) -> usize) -> Vec<Effect> {
    if let Some(prompt) = app.hands.prompt_mut().filter(|prompt| !prompt.completions.is_empty()) {
        let at = step(prompt.selected, prompt.completions.len());
        prompt.draft.get_or_insert_with(|| prompt.input.clone());
        prompt.selected = Some(at);
        prompt.input = Input::new(prompt.completions[at].text.clone());
        completion::chosen(app);
    }
    Vec::new()
}

/// Up in what is offered, and at last to what was typed; from there to older words.
pub(in crate::app) fn recall_previous(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = leave_field(app, true) {
        return effects;
    }
    let listed = app.hands.prompt().filter(|prompt| is_list(prompt.kind));
    match listed.and_then(|prompt| prompt.selected) {
        Some(0) => {
            if let Some(prompt) = app.hands.prompt_mut() {
                prompt.input = prompt.draft.take().unwrap_or_default();
            }
            app.hands.change();
            Vec::new()
        }
        Some(_) => complete_previous(app, ""),
        None => recall(app, true),
    }
}

/// Down into what is offered; from older words to newer ones, and at last to what was typed before.
pub(in crate::app) fn recall_next(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = leave_field(app, false) {
        return effects;
    }
    let listed = app.hands.prompt().is_some_and(|prompt| is_list(prompt.kind) && !prompt.completions.is_empty());
    if listed && app.hands.recalled.is_none() {
        return turn(app, true);
    }
    recall(app, false)
}

/// Whether the arrows lead through what is offered.
fn is_list(kind: PromptKind) -> bool {
    matches!(
        kind,
        PromptKind::Open
            | PromptKind::Command
            | PromptKind::Search
            | PromptKind::Answer
            | PromptKind::Name
            | PromptKind::SetMark
            | PromptKind::GoMark
    )
}

fn recall(app: &mut App, older: bool) -> Vec<Effect> {
    let Some(kind) = app.hands.prompt().map(|prompt| prompt.kind) else { return Vec::new() };
    let text = typed(app);
    let words = app.desk.words.get(&kind).map_or(&[][..], Vec::as_slice);
    let (at, draft) = app.hands.recalled.clone().unwrap_or((words.len(), text));
    let to = if older { at.checked_sub(1) } else { Some(at + 1).filter(|to| *to <= words.len()) };
    let Some(to) = to else { return Vec::new() };
    let text = words.get(to).cloned().unwrap_or_else(|| draft.clone());
    if let Some(prompt) = app.hands.prompt_mut() {
        prompt.input = Input::new(text);
    }
    app.hands.change();
    app.hands.recalled = Some((to, draft));
    Vec::new()
}

/// A key without a command edits the text; letters of a hint act at once.
pub(in crate::app) fn edit(app: &mut App, key: Key) -> Vec<Effect> {
    let refused = std::mem::take(&mut app.hands.refused);
    if refused && begins_anew(app, key) {
        return Vec::new();
    }
    let Some(prompt) = app.hands.prompt_mut() else { return Vec::new() };
    if prompt.kind == PromptKind::Number
        && matches!(key.code, Code::Char(c) if !key.control && !key.meta && !c.is_ascii_digit())
    {
        return Vec::new();
    }
    if std::mem::take(&mut prompt.gives_way) && matches!(key.code, Code::Char(_)) && !key.control && !key.meta {
        prompt.input = Input::default();
    }
    let emptied = prompt.input.value().is_empty() && key.code == Code::Backspace;
    if emptied && matches!(prompt.kind, PromptKind::Number | PromptKind::Hint) {
        return dismiss(app);
    }
    let plain = matches!(key.code, Code::Char(_)) && !key.control && !key.meta;
    if let (true, PromptKind::SetMark | PromptKind::GoMark, Code::Char(letter)) = (plain, prompt.kind, key.code) {
        (prompt.input, prompt.selected) = (Input::new(letter.into()), None);
        return accept(app, "");
    }
    if let Some(request) = request(key)
        && prompt.input.handle(request).is_some_and(|change| change.value)
    {
        app.hands.change();
        app.hands.recalled = None;
    }
    hinted(app)
}

/// After a line that named no command, what opens the command line opens it anew: no command has a colon in its name, and who
/// presses that has left the wrong line behind.
fn begins_anew(app: &mut App, key: Key) -> bool {
    let opens =
        key == Key::plain(Code::Char(':')) || app.key_for("command").is_some_and(|opens| opens == key.to_string());
    match app.hands.prompt_mut() {
        Some(prompt) if opens && prompt.kind == PromptKind::Command => prompt.input = Input::default(),
        _ => return false,
    }
    app.hands.change();
    true
}

fn hinted(app: &mut App) -> Vec<Effect> {
    if app.hands.prompt().is_none_or(|prompt| prompt.kind != PromptKind::Hint) {
        return Vec::new();
    }
    let text = typed(app);
    if app.hands.hints.iter().any(|(name, _)| *name == text) {
        return accept(app, "");
    }
    if !app.hands.hints.iter().any(|(name, _)| name.starts_with(&text)) {
        app.complain(format!("no link {text}"));
        return dismiss(app);
    }
    Vec::new()
}

/// Pasted text, on one line. An address loses what it was wrapped in (TXT-09): one that stands alone at the prompt, or one
/// that is in a wrapper.
pub(in crate::app) fn paste(app: &mut App, text: &str) {
    if let Some(prompt) = app.hands.prompt_mut() {
        if std::mem::take(&mut prompt.gives_way) {
            prompt.input = Input::default();
        }
        let alone = prompt.input.value().trim().is_empty();
        let address = if prompt.kind == PromptKind::Open { pasted(text, alone) } else { None };
        insert(&mut prompt.input, address.as_deref().unwrap_or(text));
        app.hands.change();
    }
}
