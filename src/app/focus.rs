//! The link under focus: next, previous, by number, by hint, by words; and following it.

use super::asking::ask;
use super::opening::{self, Opening};
use super::reading::{self, Seen, document, rows};
use super::scroll::{scroll_down, scroll_up};
use super::{App, Effect, PromptKind, arranging, journey, news, web_form};
use crate::doc::{Link, LinkId};
use crate::keys::Code;
use crate::url::{Resolved, Url, scheme};

/// A link this many lines beyond the screen is still "next": scrolling to it skips nothing.
const NEAR: usize = 2;
/// Hint letters, the home row first.
const LETTERS: &[u8] = b"asdfghjklqwertyuiopzxcvbnm";

fn set(app: &mut App, link: LinkId) {
    reading::take_over(app);
    if let Some(entry) = app.entry_mut() {
        entry.focus = Some(link);
    }
}

/// Gives a link the focus and brings it on the screen.
pub(super) fn go_to(app: &mut App, link: LinkId) {
    let place = document(app).and_then(|d| Some((d.link_anchor(link)?, d.offset_of(d.link_anchor(link)?))));
    if let Some((place, at)) = place {
        reading::reveal(app, place);
        reading::reveal_sideways(app, at..at);
    }
    set(app, link);
}

/// The next link when it is on the screen or just below it, else one line down: nothing unread is skipped.
pub(super) fn down(app: &mut App, _: &str) -> Vec<Effect> {
    let focus = reading::focus(app);
    let Some(top) = app.entry().map(|entry| entry.top) else { return Vec::new() };
    let next = |seen: &[Seen]| seen.iter().copied().find(|s| focus.is_none_or(|f| s.link > f));
    let Some(Seen { link, row }) = next(&reading::links(app, top, rows(app) + NEAR)) else {
        scroll_down(app, 1);
        return Vec::new();
    };
    let beyond = (row + 1).saturating_sub(rows(app));
    if beyond > 0 {
        scroll_down(app, beyond);
    }
    set(app, link);
    Vec::new()
}

/// The previous link when it is on the screen or just above it, else one line up.
pub(super) fn up(app: &mut App, _: &str) -> Vec<Effect> {
    let focus = reading::focus(app);
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return Vec::new() };
    let higher = app.layout().up(document, entry.top, NEAR);
    let above = reading::links(app, higher, rows(app) + NEAR);
    let visible = reading::on_screen(app);
    let Some(found) = above.iter().rev().copied().find(|s| focus.is_none_or(|f| s.link < f)) else {
        scroll_up(app, 1);
        return Vec::new();
    };
    if !visible.iter().any(|s| s.link == found.link) {
        match document.link_anchor(found.link) {
            Some(place) => reading::reveal(app, place),
            None => return Vec::new(),
        }
    }
    set(app, found.link);
    Vec::new()
}

/// The next link, wherever it is; after the last comes the first.
pub(super) fn next(app: &mut App, _: &str) -> Vec<Effect> {
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return Vec::new() };
    let count = document.link_count();
    let next = match entry.focus {
        Some(link) => link.0 + 1,
        None => document.link_from(document.offset_of(entry.top)).0,
    };
    step(app, count, next, 0, "last link; on from the top")
}

/// The previous link, wherever it is; before the first comes the last.
pub(super) fn previous(app: &mut App, _: &str) -> Vec<Effect> {
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return Vec::new() };
    let count = document.link_count();
    let at = match entry.focus {
        Some(link) => link.0,
        None => document.link_from(document.offset_of(entry.top)).0,
    };
    step(app, count, at.wrapping_sub(1), count.wrapping_sub(1), "first link; on from the bottom")
}

fn step(app: &mut App, count: u32, to: u32, around: u32, note: &str) -> Vec<Effect> {
    if count == 0 {
        app.say("no links here");
    } else if to < count {
        go_to(app, LinkId(to));
    } else {
        app.say(note);
        go_to(app, LinkId(around));
    }
    Vec::new()
}

/// The link under focus, resolved by the bases of its place.
pub(super) fn link(app: &App) -> Option<Link> {
    app.link(app.entry()?.focus?)
}

impl App {
    /// A link of the page in view, resolved; what looks like an address and is the id of an article leads to the article.
    pub fn link(&self, link: LinkId) -> Option<Link> {
        let entry = self.entry()?;
        let mut found = entry.document()?.link(link, &entry.bases)?;
        if let Ok(Resolved::Url(url)) = &found.target
            && let Some(article) = news::meant(self, url)
        {
            found.target = Ok(Resolved::Url(article));
        }
        Some(found)
    }
}

/// Follows the link under focus.
pub(super) fn follow(app: &mut App, _: &str) -> Vec<Effect> {
    match reading::focus(app) {
        Some(focus) => follow_link(app, focus),
        None => {
            app.say("no link under focus");
            Vec::new()
        }
    }
}

/// Follows any link of the page in view.
pub(super) fn follow_link(app: &mut App, link: LinkId) -> Vec<Effect> {
    if arranging::toggle(app, link) {
        return Vec::new();
    }
    if let Some(effects) = web_form::follow(app, link) {
        return effects;
    }
    match app.link(link).map(|link| link.target) {
        Some(Ok(Resolved::Url(url))) => {
            let opening = Opening { mirrors: mirrors(app, link), ..Opening::followed(url) };
            opening::go(app, opening)
        }
        Some(Ok(Resolved::SameDocument { fragment })) => journey::jump_to(app, fragment.as_deref()),
        Some(Err(error)) => {
            app.complain(error.to_string());
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Other places with the content of a link.
pub(super) fn mirrors(app: &App, link: LinkId) -> Vec<Url> {
    let Some((entry, document)) = app.entry().and_then(|entry| Some((entry, entry.document()?))) else {
        return Vec::new();
    };
    // One that would be refused, or would need a question of its own, is no mirror.
    let safe = |url: &Url| scheme::plan(url).is_ok_and(|plan| plan.confirm.is_none());
    let resolved = document.mirrors_of(link).map(|reference| entry.bases.resolve(reference));
    resolved
        .filter_map(|target| if let Ok(Resolved::Url(url)) = target { Some(url) } else { None })
        .filter(safe)
        .collect()
}

/// The URL of the link under focus, for commands that need one; says so when there is none.
pub(super) fn target(app: &mut App) -> Option<Url> {
    let field = reading::focus(app).and_then(|link| web_form::describe(app, link));
    if let Some(field) = field {
        app.complain(format!("this is a field of a form, no link: {field}"));
        return None;
    }
    let target = link(app).map(|link| link.target);
    let said = match target {
        Some(Ok(Resolved::Url(url))) => return Some(url),
        Some(Ok(Resolved::SameDocument { fragment })) => {
            return app.entry().map(|entry| entry.url.with_fragment(fragment.as_deref()));
        }
        Some(Err(error)) => error.to_string(),
        None => "no link under focus".to_owned(),
    };
    app.complain(said);
    None
}

/// A digit begins a link's number.
pub(super) fn number(app: &mut App, digits: &str) -> Vec<Effect> {
    let pressed = match app.pressed.map(|key| key.code) {
        Some(Code::Char(c)) if c.is_ascii_digit() => c.to_string(),
        _ => String::new(),
    };
    let digits = if digits.trim().is_empty() { pressed } else { digits.trim().to_owned() };
    ask(app, PromptKind::Number, "link", &digits, None);
    Vec::new()
}

/// The link with a number as shown, from 1.
pub(super) fn numbered(app: &App, typed: &str) -> Option<LinkId> {
    let number: u32 = typed.trim().parse().ok()?;
    let link = LinkId(number.checked_sub(1)?);
    (link.0 < document(app)?.link_count()).then_some(link)
}

/// What the line says of a link before it is followed.
pub(super) fn describe(app: &App, link: LinkId) -> String {
    let Some(document) = document(app) else { return String::new() };
    if let Some(words) = web_form::describe(app, link) {
        return words;
    }
    let text = document.link_text(link).trim();
    match app.link(link).map(|link| link.target) {
        Some(Ok(Resolved::Url(url))) => format!("{text} → {}", url.redacted()),
        Some(Ok(Resolved::SameDocument { fragment })) => format!("{text} → #{}", fragment.unwrap_or_default()),
        Some(Err(error)) => format!("{text}: {error}"),
        None => String::new(),
    }
}

/// Letters on every link of the screen.
pub(super) fn hints(app: &mut App, _: &str) -> Vec<Effect> {
    let seen = reading::on_screen(app);
    if seen.is_empty() {
        app.say("no links on this screen");
        return Vec::new();
    }
    let names = letters(seen.len());
    ask(app, PromptKind::Hint, "hint", "", None);
    app.hints = names.into_iter().zip(seen).map(|(name, seen)| (name, seen.link)).collect();
    Vec::new()
}

/// Names of one length, so that none begins another.
fn letters(count: usize) -> Vec<String> {
    let base = LETTERS.len();
    let length = if count <= base { 1 } else { 2 };
    let name = |i: usize| match length {
        1 => char::from(LETTERS[i]).to_string(),
        _ => [LETTERS[i / base % base], LETTERS[i % base]].map(char::from).iter().collect(),
    };
    (0..count.min(base * base)).map(name).collect()
}

/// The next link after the focus whose text holds the words; around the end.
pub(super) fn with_words(app: &App, words: &str) -> Vec<LinkId> {
    let Some(document) = document(app) else { return Vec::new() };
    let words = words.to_lowercase();
    let from = reading::focus(app).map_or(0, |link| link.0 + 1);
    let count = document.link_count();
    let all = (from..count).chain(0..from.min(count)).map(LinkId);
    all.filter(|link| document.link_text(*link).to_lowercase().contains(&words)).collect()
}
