//! What the text typed so far could become, and what it would mean: completions, the meaning of an address, the remark.

use crate::app::forms::web;
use crate::app::look::glossary;
use crate::app::motion::{focus, links, search};
use crate::app::navigation::{caution, follow, programs};
use crate::app::page::address::shareable;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::state::library::Suggestions;
use crate::app::{
    App, COMMANDS, Completion, Effect, Entry, JobId, Label, Meaning, Origin, Prompt, PromptKind, Purpose, Sight,
    internal, marks, split, transfer,
};
use crate::config::{Kind, When};
use crate::format::charset::charsets;
use crate::keys::{Keymap, Mode};
use crate::stop::Stop;
use crate::url::{Reference, Resolved, Url, UrlError, scheme};
use crate::work::{Candidate, Offer, Offered, Work};
use std::sync::Arc;

/// Addresses offered at once.
const OFFERED: usize = 8;
/// Addresses that are compared within the key.
const AT_ONCE: usize = 512;
/// Places of the tab in view that are near; older ones are in the history.
const PLACES: usize = 256;

/// Said of words that narrow the page.
const KEEPS: &str = "Enter keeps it, Esc shows everything";

/// Looks at the text again after every change.
pub(super) fn changed(app: &mut App) {
    app.hands.refused = false;
    let Some(kind) = app.hands.prompt().map(|prompt| prompt.kind) else { return };
    let text = app.hands.prompt().map(|prompt| prompt.input.value().to_owned()).unwrap_or_default();
    let (completions, remark) = match kind {
        PromptKind::Open => (Vec::new(), String::new()),
        PromptKind::Command => (commands(app.sight(), &text), command_remark(app.sight(), &text)),
        PromptKind::Number => (Vec::new(), number_remark(app, &text)),
        PromptKind::FindLink => (Vec::new(), links::preview(&mut app.cx(), &text)),
        PromptKind::Save => (Vec::new(), transfer::remark(app.sight())),
        PromptKind::Program => (Vec::new(), programs::remark(app.sight(), &text)),
        PromptKind::Search | PromptKind::Answer | PromptKind::Name => (recent(app, kind, &text), String::new()),
        PromptKind::Find => match app.hands.prompt().map(|prompt| prompt.purpose.clone()) {
            Some(Purpose::FindTyping(from)) => {
                search::as_typed(&mut app.cx(), &text, from);
                (Vec::new(), String::from(if text.is_empty() { "Enter stays there, Esc goes back" } else { "" }))
            }
            _ => {
                search::preview(&mut app.cx(), &text);
                (Vec::new(), String::new())
            }
        },
        PromptKind::Filter => {
            internal::narrow(&mut app.cx(), &text);
            let stands = app.hands.prompt().is_some_and(|prompt| prompt.gives_way);
            let remark = if stands { "type others, Enter keeps it, Esc shows everything" } else { KEEPS };
            (Vec::new(), remark.into())
        }
        PromptKind::Hint => (Vec::new(), String::new()),
        PromptKind::SetMark => (Vec::new(), "a letter from a to z".into()),
        PromptKind::GoMark => (Vec::new(), "its letter; ' goes to the place before the last jump".into()),
        PromptKind::Field => (web::suggestions(app.sight(), &text), web::remark(app.sight(), &text)),
        PromptKind::Setting => {
            let purpose = app.hands.prompt().map(|prompt| prompt.purpose.clone());
            let Some(Purpose::Setting(name)) = purpose else { return };
            (Vec::new(), internal::settings::fits(app.sight(), name, &text).err().unwrap_or_default())
        }
        PromptKind::Password | PromptKind::Upload => (Vec::new(), web::remark(app.sight(), &text)),
    };
    let marked = marks::completions(app.sight());
    if let Some(prompt) = app.hands.prompt_mut() {
        prompt.completions = completions.into_iter().map(Completion::from).collect();
        if matches!(kind, PromptKind::SetMark | PromptKind::GoMark) {
            prompt.completions = marked;
        }
        (prompt.remark, prompt.selected, prompt.draft) = (remark, None, None);
    }
    match address_in(&app.desk.keymap, kind, &text) {
        Some((before, address)) => seek(app, before, address),
        None => app.library.seeking = None,
    }
    explain(&mut app.cx());
}

/// A completion was chosen.
pub(super) fn chosen(app: &mut App) {
    let Some((kind, text)) = app.hands.prompt().map(|prompt| (prompt.kind, prompt.input.value().to_owned())) else {
        return;
    };
    let remark = match kind {
        PromptKind::Command => command_remark(app.sight(), &text),
        PromptKind::Field | PromptKind::Upload => web::remark(app.sight(), &text),
        _ => String::new(),
    };
    if let Some(prompt) = app.hands.prompt_mut() {
        prompt.remark = remark;
    }
    explain(&mut app.cx());
}

/// The address in a text, and what stands before it.
pub(super) fn address_in<'t>(keymap: &Keymap, kind: PromptKind, text: &'t str) -> Option<(&'t str, &'t str)> {
    match kind {
        PromptKind::Open => Some(("", text)),
        PromptKind::Command => {
            let rest = text.trim_start().strip_prefix(command_name(text)).filter(|rest| !rest.is_empty())?;
            let address = rest.trim_start();
            opens(keymap, command_name(text)).then_some(())?;
            Some((&text[..text.len() - address.len()], address))
        }
        _ => None,
    }
}

/// Whether a command opens an address that is typed after it: such a command of the reader's own is another name for one.
fn opens(keymap: &Keymap, name: &str) -> bool {
    let is_one = |name: &str| ["open", "new-tab", "private"].contains(&name);
    let own = keymap.own_named(name).map(|own| own.steps.as_slice());
    is_one(name) || matches!(own, Some([step]) if is_one(step.strip_suffix(" {}").unwrap_or(step)))
}

/// Says what the address means.
pub(super) fn explain(cx: &mut Cx<'_>) {
    let Some(prompt) = cx.hands.prompt() else { return };
    let meaning = match address_in(&cx.desk.keymap, prompt.kind, prompt.input.value()) {
        Some((_, address)) if !address.trim().is_empty() => Some(meaning(cx.sight(), address)),
        _ => None,
    };
    if let Some(prompt) = cx.hands.prompt_mut() {
        prompt.meaning = meaning;
    }
}

/// Every address that is known beside bookmarks and the history, each source with the newest first. What was opened in private
/// is known only where it was.
fn near(app: &App) -> Vec<Candidate<'static>> {
    let tabs = app.tabs().enumerate().filter(|(at, tab)| *at != app.tab_at() && !tab.private);
    let tabs = tabs.filter_map(|(_, tab)| Some(candidate(tab.entry()?, Origin::Tab)));
    let path = app.tab.history.iter().rev().take(PLACES).map(|entry| candidate(entry, Origin::Visited));
    let typed = app.desk.words.get(&PromptKind::Open).into_iter().flatten().rev();
    let typed = typed.map(|words| Candidate { text: words.clone().into(), title: "".into(), origin: Origin::Typed });
    tabs.chain(path).chain(typed).collect()
}

fn candidate(entry: &Entry, origin: Origin) -> Candidate<'static> {
    let title = match entry.label() {
        Label::Title(title) => title,
        Label::Url(_) => String::new(),
    };
    Candidate { text: shareable(&entry.url).into(), title: title.into(), origin }
}

/// Compares the first addresses with what is typed: what is near and new is there at once.
fn seek(app: &mut App, before: &str, text: &str) {
    let near = match app.library.seeking.take() {
        Some(seeking) => seeking.near,
        None => near(app).into(),
    };
    let offer = Offer {
        text: text.into(),
        near: Arc::clone(&near),
        bookmarks: app.library.bookmarks.clone(),
        pages: app.library.visits.pages().clone(),
        most: OFFERED,
        after: Offered::nothing(),
        compared: AT_ONCE,
    };
    let offered = offer.run(&Stop::new()).unwrap_or_else(Offered::nothing);
    let begun = Offer { after: offered, compared: usize::MAX, ..offer };
    app.library.seeking = Some(Suggestions { before: before.into(), near, offer: Box::new(begun), job: None });
    show(&mut app.cx());
}

/// Has the rest of all addresses compared, as long as the reader has chosen none.
pub(super) fn tend(app: &mut App) -> Vec<Effect> {
    let waits = app.hands.prompt().is_some_and(|prompt| prompt.selected.is_none());
    let keymap = &app.desk.keymap;
    let asks = |prompt: &Prompt| address_in(keymap, prompt.kind, prompt.input.value()).is_some();
    let asks = app.hands.prompt().is_some_and(asks);
    app.library.seeking.take_if(|_| !asks);
    let job = app.library.seeking.as_ref().and_then(|seeking| seeking.job).filter(|_| waits);
    let under = app.jobs.find_any(|errand| matches!(errand, Errand::Addresses));
    let mut effects: Vec<Effect> = under.filter(|id| Some(*id) != job).map(Effect::Cancel).into_iter().collect();
    let more =
        app.library.seeking.as_ref().filter(|seeking| seeking.offer.after.rest.is_some() && seeking.job.is_none());
    if let Some(offer) = more.filter(|_| waits).map(|seeking| seeking.offer.clone()) {
        let id = app.cx().job(Errand::Addresses);
        app.library.seeking.iter_mut().for_each(|seeking| seeking.job = Some(id));
        effects.push(Effect::Work { id, work: Work::Offer(offer) });
    }
    effects
}

/// All addresses were compared. Who has chosen one of the first keeps them.
pub(super) fn offered(cx: &mut Cx<'_>, id: JobId, offered: Offered) {
    let waits = cx.hands.prompt().is_some_and(|prompt| prompt.selected.is_none());
    if let Some(seeking) = cx.library.seeking.as_mut().filter(|seeking| waits && seeking.job == Some(id)) {
        seeking.offer.after = offered;
        show(cx);
    }
}

/// Shows what was found so far.
fn show(cx: &mut Cx<'_>) {
    let readings = readings(cx.sight());
    let Some(seeking) = &cx.library.seeking else { return };
    let found = seeking.offer.after.found.iter().take(OFFERED.saturating_sub(readings.len()));
    let before = seeking.before.chars().count();
    let completions: Vec<Completion> = found
        .map(|found| Completion {
            text: format!("{}{}", seeking.before, found.text),
            title: found.title.clone(),
            origin: Some(found.origin),
            matched: found.matched.iter().map(|at| at + before).collect(),
            matched_title: found.matched_title.clone(),
        })
        .chain(readings)
        .collect();
    if let Some(prompt) = cx.hands.prompt_mut() {
        prompt.completions = completions;
    }
}

/// What else the address might have meant.
fn readings(sight: Sight<'_>) -> Vec<Completion> {
    let keymap = &sight.desk.keymap;
    let typed = sight.hands.prompt().and_then(|prompt| address_in(keymap, prompt.kind, prompt.input.value()));
    let Some((before, address)) = typed else {
        return Vec::new();
    };
    let completed = match address.trim() {
        "" => return Vec::new(),
        address => sight.complete(address),
    };
    let row = |text: &str| Completion { origin: Some(Origin::Reading), ..Completion::from(format!("{before}{text}")) };
    match completed {
        Ok(completed) => completed.alternatives.iter().map(|url| row(url.as_str())).collect(),
        Err(_) if before.is_empty() && !address.contains([':', '/', '.', '#']) => searches(sight, address.trim()),
        Err(_) => Vec::new(),
    }
}

/// What is no address may be words for any of the reader's shortcuts.
fn searches(sight: Sight<'_>, words: &str) -> Vec<Completion> {
    /// Rows of these.
    const MOST: usize = 4;
    let searching = sight.desk.settings.shortcuts.iter().filter(|(_, template)| template.contains("%s"));
    // Those that search the space of the page in view come first.
    let here = sight.entry().map(|entry| scheme::family(&entry.url));
    let elsewhere =
        |template: &str| Url::parse(template.replace("%s", "")).ok().map(|url| scheme::family(&url)) != here;
    let mut searching: Vec<(&String, &String)> = searching.collect();
    searching.sort_by_key(|(_, template)| elsewhere(template));
    let row = |(name, template): (&String, &String)| {
        let place = Url::parse(template.replace("%s", "")).ok()?.host()?.to_owned();
        let title = format!("ask {place} for \"{words}\"");
        let row = Completion::from(format!("{name} {words}"));
        Some(Completion { title, origin: Some(Origin::Search), ..row })
    };
    let read = Completion {
        title: format!("look for \"{words}\" in what you have read"),
        origin: Some(Origin::Search),
        ..Completion::from(format!("? {words}"))
    };
    searching.into_iter().filter_map(row).take(MOST).chain([read]).collect()
}

fn recent(app: &App, kind: PromptKind, text: &str) -> Vec<String> {
    let words = app.desk.words.get(&kind).map_or(&[][..], Vec::as_slice).iter().rev();
    words.filter(|w| w.as_str() != text && w.contains(text)).take(OFFERED).cloned().collect()
}

/// What a typed address means: words for a shortcut; relative to the page where it is plainly relative; else completed
/// (ABBR-02). With it goes why, when it was not typed as it is.
pub(super) fn address(sight: Sight<'_>, text: &str) -> Result<(Resolved, Option<String>), UrlError> {
    let text = text.trim();
    let settings = &sight.desk.settings;
    let relative = ["./", "../", "#", "?"].iter().any(|mark| text.starts_with(mark)) || text == "..";
    match sight.entry() {
        Some(entry)
            if relative
                && settings.through_shortcut(text).is_none()
                && Reference::new(text).parts().scheme.is_none() =>
        {
            entry.bases.resolve(text).map(|resolved| (resolved, None))
        }
        _ => sight.complete(text).map(|completed| (Resolved::Url(completed.url), completed.note)),
    }
}

fn meaning(sight: Sight<'_>, text: &str) -> Meaning {
    match address(sight, text) {
        Ok((Resolved::Url(url), note)) => {
            Meaning::Url { parts: sight.parts(&sight.starred(&url)), note: caution::of(&url).or(note) }
        }
        Ok((Resolved::SameDocument { fragment }, _)) => match fragment {
            Some(fragment) => Meaning::Here(sight.veiled(format!("#{fragment} on this page"))),
            None => Meaning::Here("this page".into()),
        },
        Err(error) => Meaning::Nothing(sight.veiled(error.to_string())),
    }
}

fn command_name(text: &str) -> &str {
    text.trim_start().split(char::is_whitespace).next().unwrap_or_default()
}

/// What may stand after a command's name.
const ARGUMENTS: &[(&str, &[&str])] = &[
    ("goto", &["top", "bottom"]),
    ("as", &["text", "html", "feed", "markdown", "gemtext", "menu", "message", "catalogue"]),
    ("save", &["text", "source"]),
    ("pipe", &["source", "csv", "tsv"]),
    ("outside", &["page"]),
    ("bookmark", &["link"]),
    ("bookmarks", &["import", "export"]),
    ("forget", &["hour", "today", "week", "host", "all"]),
    ("move-tab", &["left", "right"]),
    ("left", &["all"]),
    ("right", &["all"]),
    ("close-tab", &["quit"]),
    ("trail", &["save", "name", "note"]),
    ("split", split::BESIDE),
];

fn commands(sight: Sight<'_>, text: &str) -> Vec<String> {
    let name = command_name(text);
    if let Some(begun) = text.trim_start().strip_prefix(name).filter(|rest| !rest.is_empty()) {
        return arguments(sight, name, begun.trim_start());
    }
    let page =
        COMMANDS.iter().filter(|c| c.modes.contains(&Mode::Page) || c.modes.contains(&Mode::News)).map(|c| c.name);
    let page = sight.desk.keymap.own().iter().map(|own| own.name.as_str()).chain(page);
    let (mut begin, inside): (Vec<&str>, Vec<&str>) =
        page.filter(|n| n.contains(name)).partition(|n| n.starts_with(name));
    // Whoever wrote a name out means it.
    begin.sort_by_key(|found| *found != name);
    begin.extend(inside);
    begin.into_iter().map(Into::into).collect()
}

/// Names of settings that may change at once, each with its values where there are only a few.
fn settings() -> Vec<String> {
    let now = crate::config::settings().iter().filter(|setting| setting.when == When::Now);
    let words = now.flat_map(|setting| match setting.kind {
        Kind::Switch => ["on", "off"].map(|word| format!("{} {word}", setting.name)).to_vec(),
        Kind::Choice(words) => words().into_iter().map(|word| format!("{} {word}", setting.name)).collect(),
        Kind::Number { .. } | Kind::Text => vec![setting.name.to_owned()],
        Kind::Table(_) => Vec::new(),
    });
    words.collect()
}

fn arguments(sight: Sight<'_>, name: &str, begun: &str) -> Vec<String> {
    let known = |words: &[&str]| words.iter().filter(|word| word.contains(begun)).map(|word| (*word).into()).collect();
    let mut words: Vec<String> = match name {
        "charset" => known(&charsets().iter().map(|choice| choice.name).collect::<Vec<_>>()),
        "what" => {
            let words = glossary::words().chain(scheme::all());
            let words = words.filter(|word| word.to_lowercase().contains(&begun.to_lowercase()));
            words.map(Into::into).collect()
        }
        "set" => settings().into_iter().filter(|words| words.contains(begun)).collect(),
        "theme" => internal::settings::themes::names(sight).into_iter().filter(|name| name.contains(begun)).collect(),
        _ => ARGUMENTS.iter().find(|(command, _)| *command == name).map(|(_, words)| known(words)).unwrap_or_default(),
    };
    // What goes on from the letters comes before what only has them.
    words.sort_by_key(|word| !word.to_lowercase().starts_with(&begun.to_lowercase()));
    words.into_iter().map(|word| format!("{name} {word}")).collect()
}

fn command_remark(sight: Sight<'_>, text: &str) -> String {
    let name = command_name(text);
    if let Some(own) = sight.desk.keymap.own_named(name) {
        return own.line();
    }
    COMMANDS.iter().find(|c| c.name == name).map_or_else(String::new, |c| c.help.into())
}

fn number_remark(app: &App, text: &str) -> String {
    match focus::numbered(app.sight(), text) {
        Some(link) => follow::describe(app.sight(), link),
        None if text.is_empty() => String::new(),
        None => "no link has this number".into(),
    }
}
