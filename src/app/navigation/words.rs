//! Words that a place needs before it can be shown: a search of gopher space, a question of a Gemini server. Those that nobody
//! else should see are typed unseen, and what is shown and kept of the address has stars in their place.

use super::{explain, go, refuse};
use crate::app::state::Cx;
use crate::app::{Consent, Effect, Opening, PromptKind, Purpose, Sent, Sight, Way};
use crate::doc::sanitise;
use crate::format::charset;
use crate::proto::{FetchError, Kind};
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};

/// Asks for the words of a search, or those that are to be sent.
pub(super) fn ask(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    let label = match (scheme::family(&opening.url), &opening.named) {
        // Its line says what is wanted.
        (Family::Spartan, Some(named)) => format!("send ({})", sanitise(named.trim())),
        (Family::Spartan, None) => "send".into(),
        _ => "search for".into(),
    };
    prompt(cx, opening, &label)
}

/// Asks for what is looked up in a phone book.
pub(super) fn look_up(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    prompt(cx, opening, "look up")
}

fn prompt(cx: &mut Cx<'_>, mut opening: Opening, label: &str) -> Vec<Effect> {
    // As on the web, which is how some write their links: words behind a question mark are offered.
    let (selector, words) = match opening.url.as_str().split_once('?') {
        Some((selector, words)) if opening.shown.is_none() && is_of_gopher(&opening.url) => {
            (Url::parse(selector).ok(), words)
        }
        _ => (None, ""),
    };
    let words = words.split('#').next().unwrap_or_default().replace('+', " ");
    let words = selector.as_ref().map(|_| String::from_utf8_lossy(&escape::decode(&words)).into_owned());
    opening.url = selector.unwrap_or(opening.url);
    let about = opening.url.clone();
    // Where nothing else says who is asked.
    let here = cx.entry().and_then(|entry| entry.url.host());
    let label = match about.host() {
        Some(host) if here.is_none_or(|here| !here.eq_ignore_ascii_case(host)) => format!("{label} (at {host})"),
        _ => label.to_owned(),
    };
    let words = sanitise(&words.unwrap_or_default()).into_owned();
    let kind = kind_of(&about);
    cx.hands.ask_for(Purpose::Search(Box::new(opening)), kind, &label, &words, Some(about));
    Vec::new()
}

/// What sort of words a place asks for: each has a history of its own.
fn kind_of(url: &Url) -> PromptKind {
    match scheme::family(url) {
        Family::Gemini | Family::Spartan | Family::Guppy => PromptKind::Answer,
        Family::About => PromptKind::Name,
        _ => PromptKind::Search,
    }
}

fn is_of_gopher(url: &Url) -> bool {
    scheme::family(url) == Family::Gopher
}

/// Whether a failure is a server's question.
pub(super) fn are_wanted(error: &FetchError) -> bool {
    matches!(error.kind, Kind::NeedsWords | Kind::NeedsSecret)
}

/// A server has a question. The page in view stays; where there is none the question is the page.
pub(super) fn wanted(cx: &mut Cx<'_>, mut opening: Opening, error: FetchError) -> Vec<Effect> {
    let kind = if error.kind == Kind::NeedsSecret { PromptKind::Password } else { kind_of(&opening.url) };
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

/// Whether nothing is an answer, too: to the question of a Gemini server an empty query may be one (3.2.1).
pub(in crate::app) fn may_be_none(opening: &Opening) -> bool {
    scheme::family(&opening.url) == Family::Gemini
}

/// The reader has answered.
pub(in crate::app) fn given(cx: &mut Cx<'_>, opening: Opening, kind: PromptKind, words: &str) -> Vec<Effect> {
    let is_query =
        matches!(scheme::family(&opening.url), Family::Gemini | Family::Spartan | Family::Guppy | Family::About);
    if !is_query {
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
    let consent = match scheme::family(&url) {
        Family::About => Consent::Followed,
        // That words are sent there is what the reader was asked for them.
        Family::Spartan => Consent::Agreed,
        _ => opening.consent,
    };
    let (hops, dispatched) = (Vec::new(), Vec::new());
    go(cx, Opening { url, told: shown.clone(), shown, sent, veil, consent, hops, dispatched, ..opening })
}

/// The reader gave the words that a search lacks: they become part of the URL (GOP-07, GOP-08), so it can be kept and
/// opened again.
fn search(cx: &mut Cx<'_>, opening: Opening, words: &str) -> Vec<Effect> {
    let words = words_for(cx.sight(), &opening.url, words.trim());
    match scheme::with_words(&opening.url, &words) {
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
