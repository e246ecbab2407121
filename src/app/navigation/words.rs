//! Words that a place needs before it can be shown: a search of gopher space, a question of a Gemini server. Those that nobody
//! else should see are typed unseen, and what is shown and kept of the address has stars in their place.

use super::{explain, go, refuse, tab_pieces};
use crate::app::state::Cx;
use crate::app::{Consent, Effect, Opening, PromptKind, Purpose, Sent, Sight, Way};
use crate::format::charset;
use crate::proto::{FetchError, Kind};
use crate::url::scheme::{self, Family};
use crate::url::{Url, UrlError, escape};

/// Asks for the words of a search, or those that are to be sent.
pub(super) fn ask(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    let label = if scheme::family(&opening.url) == Family::Spartan { "send" } else { "search for" };
    prompt(cx, opening, label)
}

/// Asks for what is looked up in a phone book.
pub(super) fn look_up(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    prompt(cx, opening, "look up")
}

fn prompt(cx: &mut Cx<'_>, opening: Opening, label: &str) -> Vec<Effect> {
    let about = opening.url.clone();
    cx.hands.ask_for(Purpose::Search(Box::new(opening)), PromptKind::Search, label, "", Some(about));
    Vec::new()
}

/// Whether a failure is a server's question.
pub(super) fn are_wanted(error: &FetchError) -> bool {
    matches!(error.kind, Kind::NeedsWords | Kind::NeedsSecret)
}

/// A server has a question. The page in view stays; where there is none the question is the page.
pub(super) fn wanted(cx: &mut Cx<'_>, mut opening: Opening, error: FetchError) -> Vec<Effect> {
    let kind = if error.kind == Kind::NeedsSecret { PromptKind::Password } else { PromptKind::Search };
    let label = opening.veil.over(error.detail.clone());
    let mut effects = Vec::new();
    if cx.entry().is_none_or(|entry| entry.page.is_none()) {
        effects = explain(cx, &opening, error);
        opening.way = Way::Instead;
    }
    let about = opening.public().clone();
    cx.hands.ask_for(Purpose::Search(Box::new(opening)), kind, &label, "", Some(about));
    effects
}

/// The reader has answered.
pub(in crate::app) fn given(cx: &mut Cx<'_>, opening: Opening, kind: PromptKind, words: &str) -> Vec<Effect> {
    if scheme::family(&opening.url) == Family::Gopher {
        return search(cx, opening, words);
    }
    let answered = scheme::answering(&opening.url, words.as_bytes());
    let starred = scheme::answering(opening.public(), b"***");
    let (url, starred) = match (answered, starred) {
        (Ok(url), Ok(starred)) => (url, starred),
        (Err(error), _) | (_, Err(error)) => return refuse(cx, &opening, error),
    };
    let mut veil = opening.veil.clone();
    let shown = if kind == PromptKind::Password {
        veil.add(words);
        Some(starred)
    } else {
        veil.url(&url)
    };
    let sent = shown.is_some().then(|| Sent::Secret(url.clone()));
    // What the program itself does with the words is asked about.
    let consent = if scheme::family(&url) == Family::About { Consent::Followed } else { opening.consent };
    let (hops, dispatched) = (Vec::new(), Vec::new());
    go(cx, Opening { url, told: shown.clone(), shown, sent, veil, consent, hops, dispatched, ..opening })
}

/// The reader gave the words that a search lacks: they become part of the URL (GOP-07, GOP-08), so it can be kept and
/// opened again.
fn search(cx: &mut Cx<'_>, opening: Opening, words: &str) -> Vec<Effect> {
    let words = words_for(cx.sight(), &opening.url, words.trim());
    match with_search(&opening.url, &words) {
        Ok(url) => go(cx, Opening { url, ..opening }),
        Err(error) => refuse(cx, &opening, error),
    }
}

/// Words as a server takes them: in the charset of its page that asks for them, or that the reader chose for it; in UTF-8
/// where nothing is known or that charset lacks one of their characters (D32).
fn words_for(sight: Sight<'_>, url: &Url, words: &str) -> Vec<u8> {
    let here = sight.entry().and_then(|entry| entry.page.as_deref()).filter(|page| page.head.url.host() == url.host());
    let read = here.and_then(|page| page.given().charset.as_ref()).map(|read| read.name.clone());
    let chosen = || sight.said_of(url, None).map(|said| said.name);
    let name = read.filter(|name| charset::known(name).is_some()).or_else(chosen);
    let octets = name.and_then(|name| charset::known(&name)?.encode(words));
    octets.unwrap_or_else(|| words.as_bytes().to_vec())
}

/// The URL with its search part set; selector and Gopher+ part stay exactly as written.
fn with_search(url: &Url, words: &[u8]) -> Result<Url, UrlError> {
    let text = url.without_fragment();
    let mut pieces = tab_pieces(text.as_str());
    let selector = pieces.next().unwrap_or_default();
    let plus = pieces.nth(1).map(|plus| format!("%09{plus}")).unwrap_or_default();
    Url::parse(format!("{selector}%09{}{plus}", escape::encode(words, b"")))
}
