//! Opening a URL: policy first, then a question, a prompt, a program or a fetch. Nothing is sent before the policy has spoken.

use super::asking::ask;
use super::question::{self, choice};
use super::saving::Purpose;
use super::{
    App, Effect, FetchId, Hop, Loading, Overlay, Pending, PromptKind, Sent, arrival, failure, harvest, journey, login,
    news, outside, own, part, saving, tabs,
};
use crate::proto::{FetchError, Held, Request};
use crate::url::scheme::{Act, Ask, Plan, gopher};
use crate::url::{Url, UrlError, escape};
use std::sync::Arc;

/// URLs that lead to other URLs without a fetch are followed this often.
const HOPS: usize = 5;

/// A URL on its way to be opened.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Opening {
    /// What is fetched.
    pub url: Url,
    /// What history shows and keeps, when `url` holds a secret.
    pub shown: Option<Url>,
    /// How far the reader has agreed.
    pub consent: Consent,
    /// Where the page goes.
    pub way: Way,
    /// Page or file.
    pub aim: Aim,
    /// The media type the reader wants.
    pub media: Option<String>,
    /// Other places with the same content.
    pub mirrors: Vec<Url>,
    /// The item whose form was filled, when `url` carries its answers.
    pub form: Option<Url>,
    /// What it sends, where the URL does not tell.
    pub sent: Option<Sent>,
    /// What the reader is told, and asked about, before it goes.
    pub doubt: Option<String>,
    /// The file it goes into, when the reader named it beforehand.
    pub path: Option<String>,
    /// The redirects followed so far.
    pub hops: Vec<Hop>,
    /// What it names, when that was taken out of a message.
    pub held: Option<Arc<Held>>,
}

/// How far the reader has agreed to open exactly this URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// They followed a link.
    Followed,
    /// They typed it.
    Typed,
    /// They said yes to a question about it.
    Agreed,
}

/// Where the page goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A new place after the one in view.
    New,
    /// The place in view, again.
    Reload,
    /// A place of history whose page was forgotten.
    Place(usize),
    /// In the place of the one in view: from article to article there are many steps, and one back leads to the group.
    Instead,
}

/// Page or file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// A page to read.
    Page,
    /// A file to keep.
    File,
    /// A directory to keep with all that is below it.
    Tree,
}

impl Opening {
    pub fn followed(url: Url) -> Opening {
        let (way, aim) = (Way::New, Aim::Page);
        let (shown, media, form, path, sent, doubt) = (None, None, None, None, None, None);
        let (consent, mirrors, hops, held) = (Consent::Followed, Vec::new(), Vec::new(), None);
        Opening { url, shown, consent, way, aim, media, mirrors, form, sent, doubt, path, hops, held }
    }

    pub fn typed(url: Url) -> Opening {
        Opening { consent: Consent::Typed, ..Opening::followed(url) }
    }

    /// The URL that may be shown and kept.
    pub fn public(&self) -> &Url {
        self.shown.as_ref().unwrap_or(&self.url)
    }
}

/// Opens a URL as far as it goes without an answer from the reader or a server.
pub(super) fn go(app: &mut App, mut opening: Opening) -> Vec<Effect> {
    if let Some(effects) = journey::within(app, &opening) {
        return effects;
    }
    if let Some(effects) = own::downloads::act(app, &opening.url) {
        return effects;
    }
    if let Some(here) = news::here(app, &opening.url) {
        opening.url = here;
    }
    let mut from = tabs::opener(app);
    for _ in 0..HOPS {
        let plan = match plan(app, &opening) {
            Ok(plan) => plan,
            Err(error) => return refuse(app, &opening, error),
        };
        if let Some(why) = doubt(from.as_ref(), &opening, &plan) {
            return hesitate(app, opening, why);
        }
        if let Some(gateway) = gateway(app, &opening.url) {
            match Url::parse(gateway) {
                Ok(url) => opening = Opening { shown: Some(opening.public().clone()), url, ..opening },
                Err(error) => return refuse(app, &opening, error),
            }
            continue;
        }
        match plan.act {
            Act::Open(url) => {
                from = Some(opening.url).filter(is_foreign).or(from);
                opening = Opening { url, consent: Consent::Followed, doubt: None, mirrors: Vec::new(), ..opening };
            }
            Act::Ask(Ask::Search) => return ask_words(app, opening, "search for"),
            Act::Ask(Ask::PhoneBook) => return ask_words(app, opening, "look up"),
            Act::Handler(_) if part::is_name(&opening.url) => return part::open(app, opening),
            Act::Handler(_) => return outside::hand_over(app, &opening),
            Act::Http { .. } | Act::Commands { .. } if belongs_outside(app, &opening.url) => {
                return outside::hand_over(app, &opening);
            }
            Act::Octets { .. } | Act::Commands { .. } | Act::Http { .. } | Act::File(_) | Act::Internal => {
                return begin(app, opening);
            }
        }
    }
    refuse(app, &opening, UrlError::Refused("it leads to itself without end".into()))
}

/// What the scheme would do. A filled form may go back to the very server that asked (D14).
fn plan(app: &App, opening: &Opening) -> Result<Plan, UrlError> {
    match &opening.form {
        Some(form) if form.is("gopher") || form.is("gophers") => gopher::plan_filled(&opening.url, Some(form)),
        _ => app.settings.http.proxies.plan(&opening.url),
    }
}

/// The URL of the gateway that the settings name for a protocol spoken by nobody here (GATE-01, GATE-04). The page keeps
/// the URL that was asked for (GATE-05).
fn gateway(app: &App, url: &Url) -> Option<String> {
    let foreign = crate::proto::find(url.scheme()).is_none();
    foreign.then(|| app.settings.through_gateway(url)).flatten()
}

/// Whether a protocol is spoken by nobody here and by no proxy, but by a program that the settings list.
fn belongs_outside(app: &App, url: &Url) -> bool {
    let scheme = url.scheme();
    let served = crate::proto::find(scheme).is_some() || app.settings.http.proxies.of(url).is_some();
    !served && app.settings.handler(scheme).is_some()
}

/// What the reader must agree to first: odd ports and filled forms (SEC-01, D14), files reached from the network.
fn doubt(from: Option<&Url>, opening: &Opening, plan: &Plan) -> Option<String> {
    if opening.consent == Consent::Agreed {
        return None;
    }
    if opening.consent == Consent::Typed && !is_filled_form(opening.url.as_str()) {
        return None;
    }
    if opening.url.is("file") && from.is_some_and(is_foreign) && opening.way == Way::New {
        let file = "A page from the network leads to a file of this machine.";
        return Some(opening.doubt.iter().map(|doubt| format!("{doubt} ")).collect::<String>() + file);
    }
    let words: Vec<&str> = opening.doubt.iter().chain(&plan.confirm).map(String::as_str).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Whether somebody else may have written what a URL shows: a `data:` URL says what the page says that holds it.
fn is_foreign(url: &Url) -> bool {
    !["file", "about", "url"].iter().any(|own| url.is(own))
}

/// Whether a URL carries the answers of a form (GPP-08): the only kind that holds coded line breaks.
pub(super) fn is_filled_form(url: &str) -> bool {
    url.to_ascii_lowercase().contains("%0d%0a")
}

fn hesitate(app: &mut App, opening: Opening, why: String) -> Vec<Effect> {
    let (yes, no) = match (&opening.form, &opening.sent) {
        (Some(_), _) => ("send them", "keep them"),
        (None, Some(_)) => ("send it", "leave it"),
        (None, None) => ("open it", "leave it"),
    };
    let question = Overlay::Question {
        text: vec![why, opening.public().redacted()],
        choices: vec![choice('y', yes), choice('n', no)],
        pending: Pending::Open(opening.public().clone()),
    };
    hold(app, opening);
    question::raise(app, question);
    Vec::new()
}

/// Keeps an opening until a question about its URL is answered.
pub(super) fn hold(app: &mut App, opening: Opening) {
    app.tab.held.push(opening);
}

fn ask_words(app: &mut App, opening: Opening, label: &str) -> Vec<Effect> {
    let about = opening.url.clone();
    app.purpose = Some(Purpose::Search(Box::new(opening)));
    ask(app, PromptKind::Search, label, "", Some(about));
    Vec::new()
}

/// The reader gave the words that a search lacks: they become part of the URL (GOP-07, GOP-08), so it can be kept and
/// opened again.
pub(super) fn search(app: &mut App, opening: Opening, words: &str) -> Vec<Effect> {
    match with_search(&opening.url, words) {
        Ok(url) => go(app, Opening { url, ..opening }),
        Err(error) => refuse(app, &opening, error),
    }
}

/// The URL with its search part set; selector and Gopher+ part stay exactly as written.
fn with_search(url: &Url, words: &str) -> Result<Url, UrlError> {
    let text = url.without_fragment();
    let mut pieces = tab_pieces(text.as_str());
    let selector = pieces.next().unwrap_or_default();
    let plus = pieces.nth(1).map(|plus| format!("%09{plus}")).unwrap_or_default();
    Url::parse(format!("{selector}%09{}{plus}", escape::encode(words.trim().as_bytes(), b"")))
}

/// The pieces of a gopher URL between its first two coded TABs (D15).
pub(super) fn tab_pieces(text: &str) -> impl Iterator<Item = &str> {
    text.splitn(3, "%09")
}

/// Starts the fetch; an older one for the page ends.
pub(super) fn begin(app: &mut App, opening: Opening) -> Vec<Effect> {
    let id = app.fresh();
    let (url, media, mirrors) = (opening.url.clone(), opening.media.clone(), opening.mirrors.clone());
    let login = login::of(app, &url);
    let unless = journey::copy_here(app, &opening);
    let (held, since) = (opening.held.clone(), news::since(app, &url));
    let body = match &opening.sent {
        Some(Sent::Body(content)) => Some(content.clone()),
        Some(Sent::Secret(_)) | None => None,
    };
    let private = app.tab.private;
    let request = Request { media, mirrors, login, unless, held, since, body, private, ..Request::new(url) };
    match opening.aim {
        Aim::File => saving::expect(app, id, opening, request),
        Aim::Tree => harvest::begin(app, opening, request),
        Aim::Page if own::of(&opening.url).is_some() => own::open(app, &opening),
        Aim::Page => {
            let mut effects = arrival::drop_loading(app);
            let fetch = Effect::Fetch { id, request: request.clone() };
            app.tab.loading = Some(Loading { id, request, stage: None, head: None });
            app.tab.opening = Some(opening);
            effects.push(fetch);
            effects
        }
    }
}

/// Nothing was sent, and the reader learns why.
pub(super) fn refuse(app: &mut App, opening: &Opening, error: UrlError) -> Vec<Effect> {
    let error = FetchError::from(error).tried(format!("nothing: {}", opening.public().redacted()));
    explain(app, opening, error)
}

/// Shows a failure that came before any document: as a page, or as a note when no page was asked for.
pub(super) fn explain(app: &mut App, opening: &Opening, mut error: FetchError) -> Vec<Effect> {
    if matches!(opening.sent, Some(Sent::Secret(_))) {
        // The request line holds the password.
        error.tried = opening.public().redacted();
    }
    let readable = app.entry().is_some_and(|entry| entry.page.as_deref().is_some_and(|page| !page.is_error()));
    if opening.aim != Aim::Page || opening.way == Way::Reload && readable {
        app.complain(error.detail);
        return Vec::new();
    }
    let page = failure::page(app, opening, error);
    journey::arrive(app, opening, opening.public().clone(), page, None)
}

/// The question about a URL was answered.
pub(super) fn answered(app: &mut App, url: &Url, yes: bool) -> Vec<Effect> {
    let Some(at) = app.tab.held.iter().position(|opening| opening.public() == url) else { return Vec::new() };
    let opening = app.tab.held.remove(at);
    if yes { go(app, Opening { consent: Consent::Agreed, ..opening }) } else { Vec::new() }
}

/// Whether a fetch number is the page's.
pub(super) fn is_loading(app: &App, id: FetchId) -> bool {
    app.tab.loading.as_ref().is_some_and(|loading| loading.id == id)
}
