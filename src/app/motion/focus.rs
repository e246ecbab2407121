//! The link under focus: next, previous, by number, by hint, by words; where it leads.

use super::scroll::{scroll_down, scroll_up};
use super::window;
use super::window::{Seen, document, rows};
use crate::app::state::Cx;
use crate::app::{Effect, Opening, PromptKind, Sight};
use crate::doc::{Document, Link, LinkId};
use crate::keys::Code;
use crate::url::{Resolved, Url, scheme};

/// A link this many lines beyond the screen is still "next": scrolling to it skips nothing.
const NEAR: usize = 2;
/// Hint letters, the home row first.
const LETTERS: &[u8] = b"asdfghjklqwertyuiopzxcvbnm";

fn set(cx: &mut Cx<'_>, link: LinkId) {
    window::take_over(cx);
    if let Some(entry) = cx.entry_mut() {
        entry.focus = Some(link);
    }
}

/// Gives a link the focus and brings it on the screen.
pub(in crate::app) fn go_to(cx: &mut Cx<'_>, link: LinkId) {
    if let Some(place) = document(cx.sight()).and_then(|document| document.link_anchor(link)) {
        window::reveal(cx, place);
    }
    settle_on(cx, link);
}

/// Gives a link the focus that is on the screen already, or behind one of its edges.
fn settle_on(cx: &mut Cx<'_>, link: LinkId) {
    if let Some(text) = document(cx.sight()).map(|document| document.link_range(link)) {
        window::reveal_sideways(cx, text);
    }
    set(cx, link);
}

/// The next link when it is on the screen or just below it, else one line down: nothing unread is skipped.
pub(in crate::app) fn down(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let focus = window::focus(cx.sight());
    let Some(top) = cx.entry().map(|entry| entry.top) else { return Vec::new() };
    let first = window::first(cx.sight());
    let next = |seen: &[Seen]| seen.iter().copied().find(|s| focus.map_or(s.link >= first, |f| s.link > f));
    let Some(Seen { link, row, .. }) = next(&window::links(cx.sight(), top, rows(cx.sight()) + NEAR)) else {
        scroll_down(cx, 1);
        return Vec::new();
    };
    let beyond = (row + 1).saturating_sub(rows(cx.sight()));
    if beyond > 0 {
        scroll_down(cx, beyond);
    }
    settle_on(cx, link);
    Vec::new()
}

/// The previous link when it is on the screen or just above it, else one line up.
pub(in crate::app) fn up(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let focus = window::focus(cx.sight());
    let (Some(entry), Some(document)) = (cx.entry(), document(cx.sight())) else { return Vec::new() };
    let higher = cx.layout().up(document, entry.top, NEAR);
    let above = window::links(cx.sight(), higher, rows(cx.sight()) + NEAR);
    let visible = window::links(cx.sight(), entry.top, rows(cx.sight()));
    let Some(found) = above.iter().rev().copied().find(|s| focus.is_none_or(|f| s.link < f)) else {
        scroll_up(cx, 1);
        return Vec::new();
    };
    if !visible.iter().any(|s| s.link == found.link) {
        match document.link_anchor(found.link) {
            Some(place) => window::reveal(cx, place),
            None => return Vec::new(),
        }
    }
    settle_on(cx, found.link);
    Vec::new()
}

/// The next link, wherever it is; after the last comes the first.
pub(in crate::app) fn next(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let (Some(entry), Some(document)) = (cx.entry(), document(cx.sight())) else { return Vec::new() };
    let count = document.link_count();
    let next = match entry.focus {
        Some(link) => link.0 + 1,
        None => document.link_from(document.offset_of(entry.top)).0,
    };
    step(cx, count, next, 0, "last link; on from the top")
}

/// The previous link, wherever it is; before the first comes the last.
pub(in crate::app) fn previous(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let (Some(entry), Some(document)) = (cx.entry(), document(cx.sight())) else { return Vec::new() };
    let count = document.link_count();
    let at = match entry.focus {
        Some(link) => link.0,
        None => document.link_from(document.offset_of(entry.top)).0,
    };
    step(cx, count, at.wrapping_sub(1), count.wrapping_sub(1), "first link; on from the bottom")
}

fn step(cx: &mut Cx<'_>, count: u32, to: u32, around: u32, note: &str) -> Vec<Effect> {
    if count == 0 {
        cx.say("no links here");
    } else if to < count {
        go_to(cx, LinkId(to));
    } else {
        cx.hands.say_moved(note);
        go_to(cx, LinkId(around));
    }
    Vec::new()
}

/// The link under focus, resolved by the bases of its place.
pub(in crate::app) fn link(sight: Sight<'_>) -> Option<Link> {
    sight.link(sight.entry()?.focus?)
}

/// What opens a URL to which a link leads.
pub(in crate::app) fn opening(sight: Sight<'_>, link: LinkId, url: Url) -> Opening {
    let named = document(sight).and_then(|document| called(document, link));
    Opening { mirrors: mirrors(sight, link), named, ..Opening::followed(url) }
}

/// What a page is called to which a link leads, if it says nothing of that itself.
pub(in crate::app) fn called(document: &Document, link: LinkId) -> Option<String> {
    let words = document.link_text(link).split_whitespace().collect::<Vec<_>>().join(" ");
    // An address says nothing that the page's own does not.
    let is_address = || {
        let bare = |text: &str| text.split_once("://").map(|(_, rest)| rest.trim_end_matches('/').to_owned());
        let is_target = |to: String| to == words.trim_end_matches('/');
        bare(&words).is_some() && Url::parse(&words).is_ok()
            || document.reference(link).and_then(bare).is_some_and(is_target)
    };
    (words.contains(char::is_alphanumeric) && !is_address()).then(|| Document::title_of(&words))
}

/// Other places with the content of a link.
fn mirrors(sight: Sight<'_>, link: LinkId) -> Vec<Url> {
    let Some((entry, document)) = sight.entry().and_then(|entry| Some((entry, entry.document()?))) else {
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
pub(in crate::app) fn target(cx: &mut Cx<'_>) -> Option<Url> {
    let document = document(cx.sight());
    let field = window::focus(cx.sight()).filter(|link| document.is_some_and(|d| d.field_at(*link).is_some()));
    if let Some(words) = field.and_then(|link| Some(document?.link_text(link).trim().to_owned())) {
        cx.complain(format!("this is a field of a form, no link: {words}"));
        return None;
    }
    let target = link(cx.sight()).map(|link| link.target);
    let said = match target {
        Some(Ok(Resolved::Url(url))) => return Some(url),
        Some(Ok(Resolved::SameDocument { fragment })) => {
            return cx.entry().map(|entry| entry.url.with_fragment(fragment.as_deref()));
        }
        Some(Err(error)) => error.to_string(),
        None => "no link under focus".to_owned(),
    };
    let said = cx.sight().veiled(said);
    cx.complain(said);
    None
}

/// A digit begins a link's number.
pub(in crate::app) fn number(cx: &mut Cx<'_>, digits: &str) -> Vec<Effect> {
    let pressed = match cx.hands.pressed.map(|key| key.code) {
        Some(Code::Char(c)) if c.is_ascii_digit() => c.to_string(),
        _ => String::new(),
    };
    let digits = if digits.trim().is_empty() { pressed } else { digits.trim().to_owned() };
    if document(cx.sight()).is_some_and(|document| document.link_count() == 0) {
        cx.say("no links here");
        return Vec::new();
    }
    cx.hands.ask(PromptKind::Number, "link", &digits, None);
    Vec::new()
}

/// The link with a number as shown, from 1.
pub(in crate::app) fn numbered(sight: Sight<'_>, typed: &str) -> Option<LinkId> {
    let number: u32 = typed.trim().parse().ok()?;
    let link = LinkId(number.checked_sub(1)?);
    (link.0 < document(sight)?.link_count()).then_some(link)
}

/// `link-at top`, `middle`, `bottom`: the first, middle or last link of the screen has the focus.
pub(in crate::app) fn link_at(cx: &mut Cx<'_>, at: &str) -> Vec<Effect> {
    let seen = window::on_screen(cx.sight());
    let number = match at.trim() {
        "top" => 0,
        "middle" | "" => seen.len() / 2,
        "bottom" => seen.len().saturating_sub(1),
        _ => {
            cx.complain("link-at needs top, middle or bottom");
            return Vec::new();
        }
    };
    match seen.get(number) {
        Some(seen) => settle_on(cx, seen.link),
        None => cx.say("no links on this screen"),
    }
    Vec::new()
}

/// Letters on every link of the screen.
pub(in crate::app) fn hints(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let mut seen = window::on_screen(cx.sight());
    seen.retain(|seen| !seen.pictured);
    if seen.is_empty() {
        cx.say("no links on this screen");
        return Vec::new();
    }
    let names = letters(seen.len());
    cx.hands.ask(PromptKind::Hint, "hint", "", None);
    cx.hands.hints = names.into_iter().zip(seen).map(|(name, seen)| (name, seen.link)).collect();
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
