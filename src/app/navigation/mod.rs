//! Opening a URL: policy first, then a question, a prompt, a program or a fetch. Nothing is sent before the policy has spoken.

pub(super) mod answer;
pub(super) mod arrival;
pub(super) mod catalogue;
pub(super) mod caution;
pub(super) mod cookies;
pub(super) mod destination;
pub(super) mod failure;
pub(super) mod follow;
pub(super) mod fresh;
pub(super) mod hidden;
mod intake;
pub(super) mod journey;
pub(super) mod kept;
pub(super) mod owners;
pub(super) mod part;
pub(super) mod pipe;
pub(super) mod programs;
pub(super) mod readme;
pub mod redirect;
pub(super) mod reread;
pub(super) mod sending;
pub(super) mod service;
pub(super) mod siblings;
pub(super) mod subscriptions;
pub(super) mod trust;
pub(super) mod upload;
pub(super) mod words;

use crate::app::forms::gopher as gopher_form;
use crate::app::hands::question::choice;
use crate::app::page::address::is_filled_form;
use crate::app::state::Cx;
use crate::app::state::desk::{is_of_tour, is_tour};
use crate::app::state::jobs::Errand;
use crate::app::transfer::recursive;
use crate::app::{
    Aim, Consent, Effect, JobId, Loading, Opening, Overlay, Pending, Sent, Sight, Way, internal, news, transfer,
};
use crate::config::Settings;
use crate::proto::{FetchError, Request};
use crate::url::scheme::{self, Act, Ask, Family, Plan, about, gopher};
use crate::url::{Url, UrlError};
use std::sync::Arc;

/// URLs that lead to other URLs without a fetch are followed this often.
const HOPS: usize = 5;

/// Opens a URL as far as it goes without an answer from the reader or a server.
pub(super) fn go(cx: &mut Cx<'_>, mut opening: Opening) -> Vec<Effect> {
    upload::veil(&mut opening);
    veil(cx.sight(), &mut opening);
    if let Some(effects) = journey::within(cx, &opening) {
        return effects;
    }
    if let Some(effects) = internal::act(cx, &opening.url)
        .or_else(|| kept::act(cx, &opening.url))
        .or_else(|| subscriptions::act(cx, &opening.url))
        .or_else(|| service::act(cx, &opening.url))
    {
        return effects;
    }
    // A place of the history is what it was, wherever one comes from.
    if !matches!(opening.way, Way::Place(_))
        && let Some(here) = news::here(cx.sight(), &opening.url)
    {
        opening.url = here;
    }
    let mut from = from(cx.sight(), &opening);
    let is_step = matches!(opening.way, Way::New | Way::Instead) && opening.hops.is_empty();
    if opening.consent == Consent::Followed && opening.led.is_none() && is_step {
        opening.led = led(from.clone());
    }
    for _ in 0..HOPS {
        let plan = match plan(cx.sight(), &opening) {
            Ok(plan) => plan,
            Err(error) => return refuse(cx, &opening, error),
        };
        if let Some(why) = doubt(from.as_ref(), &opening, &plan) {
            return hesitate(cx, opening, why);
        }
        if let Some(gateway) = gateway(&cx.desk.settings, &opening.url) {
            match Url::parse(gateway) {
                Ok(url) => opening = Opening { shown: Some(opening.public().clone()), url, ..opening },
                Err(error) => return refuse(cx, &opening, error),
            }
            continue;
        }
        match plan.act {
            Act::Open(url) => {
                // A typed path of this machine is the reader's own word in either spelling.
                let consent = if scheme::is_here(&opening.url) { opening.consent } else { Consent::Followed };
                from = Some(opening.url).filter(is_foreign).or(from);
                opening = Opening { url, consent, doubt: None, mirrors: Vec::new(), ..opening };
            }
            Act::Ask(Ask::File) if matches!(opening.sent, Some(Sent::Body(_))) => return begin(cx, opening),
            Act::Ask(Ask::File) => return upload::ask(cx, opening),
            Act::Ask(Ask::Search) => return words::ask(cx, opening),
            Act::Ask(Ask::PhoneBook) => return words::look_up(cx, opening),
            Act::Handler(_) if part::is_name(&opening.url) => return part::open(cx, opening),
            Act::Handler(_) if opening.aim == Aim::Page && service::is_service(&opening.url) => {
                return service::open(cx, opening);
            }
            Act::Handler(_) => return programs::hand_over(cx, &opening),
            Act::Http { .. } | Act::Commands { .. } if belongs_outside(cx.sight(), &opening.url) => {
                return programs::hand_over(cx, &opening);
            }
            Act::Octets { .. }
            | Act::Commands { .. }
            | Act::Http { .. }
            | Act::Ssh { .. }
            | Act::File(_)
            | Act::Internal => {
                return begin(cx, opening);
            }
        }
    }
    refuse(cx, &opening, UrlError::Refused("it leads to itself without end".into()))
}

/// Who leads somewhere: the last server that says where it is; else a page. An item of a list is opened from there, whatever is
/// shown in the place that it takes.
fn from(sight: Sight<'_>, opening: &Opening) -> Option<Url> {
    let server = opening.hops.last().map(|hop| hop.from.clone()).filter(is_foreign);
    server.or_else(|| opening.item.and(opening.led.clone())).or_else(|| sight.tab.origin())
}

/// What a link that leads there would ask about.
pub(super) fn warned(sight: Sight<'_>, opening: &Opening) -> Option<String> {
    let plan = plan(sight, opening).ok()?;
    doubt(from(sight, opening).as_ref(), opening, &plan)
}

/// The page that leads somewhere. The browser's own pages show what the reader keeps.
pub(super) fn led(from: Option<Url>) -> Option<Url> {
    from.filter(|page| scheme::family(page) != Family::About || is_foreign(page))
}

/// Whether a page may say again what was told in secret on the way to it: it holds that in its address, or comes from the server of a
/// page before it in a tab where something was told.
fn may_be_told(sight: Sight<'_>, opening: &Opening, url: &Url) -> bool {
    let before = opening.led.iter().chain(sight.entry().map(|entry| &entry.url));
    let of_one_host = |other: &Url| other.host().zip(url.host()).is_some_and(|(a, b)| a.eq_ignore_ascii_case(b));
    url.password().is_some()
        || !opening.veil.is_empty() && (opening.veil.url(url).is_some() || before.into_iter().any(of_one_host))
}

/// A page that answers what was told in secret may repeat it in its links, and so may those to which it leads: whatever is opened
/// keeps it hidden, however it came about.
pub(super) fn veil(sight: Sight<'_>, opening: &mut Opening) {
    opening.veil.join(&sight.veil());
    let is_step = matches!(opening.way, Way::New | Way::Instead) && opening.hops.is_empty();
    if !is_step || opening.shown.is_some() {
        return;
    }
    if let Some(shown) = opening.veil.url(&opening.url) {
        let sent = opening.sent.take().or_else(|| Some(Sent::Secret(opening.url.clone())));
        (opening.shown, opening.told, opening.sent) = (Some(shown.clone()), Some(shown), sent);
    }
}

/// What the scheme would do. A filled form may go back to the very server that asked (D14).
fn plan(sight: Sight<'_>, opening: &Opening) -> Result<Plan, UrlError> {
    match &opening.form {
        Some(form) if scheme::family(form) == Family::Gopher => gopher::plan_filled(&opening.url, Some(form)),
        _ => sight.desk.settings.http.proxies.plan(&opening.url),
    }
}

/// The URL of the gateway that the settings name for a protocol spoken by nobody here (GATE-01, GATE-04). The page keeps
/// the URL that was asked for (GATE-05).
pub fn gateway(settings: &Settings, url: &Url) -> Option<String> {
    let foreign = !scheme::is_spoken(url.scheme());
    foreign.then(|| settings.through_gateway(url)).flatten()
}

/// Whether a protocol is spoken by nobody here and by no proxy, but by a program that the settings list.
fn belongs_outside(sight: Sight<'_>, url: &Url) -> bool {
    let scheme = url.scheme();
    let served = crate::proto::find(scheme).is_some() || sight.desk.settings.http.proxies.of(url).is_some();
    !served && sight.desk.settings.handler(scheme).is_some()
}

/// What the reader must agree to first: odd ports and filled forms (SEC-01, D14), files reached from the network.
fn doubt(from: Option<&Url>, opening: &Opening, plan: &Plan) -> Option<String> {
    if opening.consent == Consent::Agreed {
        return None;
    }
    if opening.consent == Consent::Typed && !is_filled_form(opening.url.as_str()) {
        return None;
    }
    let steps = matches!(opening.way, Way::New | Way::Instead) || !opening.hops.is_empty();
    let leads = from.is_some_and(|from| is_foreign(from) && !is_beside(from, &opening.url));
    if scheme::is_here(&opening.url) && leads && steps {
        let who = who(from, opening);
        let file = format!("{who} leads to a file of this machine.");
        return Some(opening.doubt.iter().map(|doubt| format!("{doubt} ")).collect::<String>() + &file);
    }
    if is_tour(&opening.url) && from.is_some_and(is_foreign) && steps {
        let who = who(from, opening);
        return Some(format!("{who} leads to the tour, which starts small servers on this machine."));
    }
    if names_a_trail(&opening.url) && from.is_some_and(is_foreign) && steps {
        let who = who(from, opening);
        return Some(format!("{who} leads to a trail of yours, with a name and notes that you have not written."));
    }
    if let Some(words) = starts_ssh(from, opening).filter(|_| steps) {
        let before = opening.doubt.iter().chain(&plan.confirm).map(|doubt| format!("{doubt} ")).collect::<String>();
        return Some(before + &words);
    }
    let says = says_words(from, opening);
    let words: Vec<&str> = opening.doubt.iter().chain(&plan.confirm).chain(&says).map(String::as_str).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Whether an address is a trail's with words in it: they stand there as the reader's own.
fn names_a_trail(url: &Url) -> bool {
    let has_words = url.query().is_some_and(|query| query.split('&').any(|pair| !pair.starts_with("of=")));
    url.is("about") && has_words && about::page(url).is_ok_and(|name| name == "trail")
}

/// What to ask before a server of Spartan is sent words that somebody else has written: a link of another place, or a redirect.
fn says_words(from: Option<&Url>, opening: &Opening) -> Option<String> {
    let url = &scheme::place(&opening.url);
    if scheme::family(url) != Family::Spartan || url.query().is_none_or(str::is_empty) {
        return None;
    }
    let server = |url: &Url| {
        let url = scheme::place(url);
        (scheme::family(&url), url.authority().map(str::to_ascii_lowercase))
    };
    let elsewhere =
        matches!(opening.way, Way::New | Way::Instead) && from.is_none_or(|from| server(from) != server(url));
    let host = crate::doc::sanitise(url.host().unwrap_or_default());
    let asks = !opening.hops.is_empty() || elsewhere;
    asks.then(|| format!("Words that you have not typed, those behind the question mark, would be sent to {host}."))
}

/// What to ask before a page has `ssh` log in anywhere with the reader's keys: once for each server, on the way to it.
fn starts_ssh(from: Option<&Url>, opening: &Opening) -> Option<String> {
    let url = &scheme::place(&opening.url);
    if scheme::family(url) != Family::Sftp {
        return None;
    }
    let server = |url: &Url| {
        let url = scheme::place(url);
        (url.authority().map(str::to_ascii_lowercase), scheme::family(&url))
    };
    let from = from.filter(|from| is_foreign(from) && server(from) != server(url))?;
    let who = who(Some(from), opening);
    let authority = crate::doc::sanitise(url.authority().unwrap_or_default());
    Some(format!("{who} leads to {authority}, where ssh would log in with your keys. Connect?"))
}

/// Whether somebody else may have written what a URL shows: a `data:` URL says what the page says that holds it.
fn is_foreign(url: &Url) -> bool {
    match scheme::family(url) {
        // Whoever made an archive may have written what is in it, wherever it lies.
        Family::Archive => true,
        Family::File => false,
        // What comes through a pipe is mostly somebody else's.
        Family::About => url.path().eq_ignore_ascii_case("stdin") || is_handed(url),
        _ => !scheme::is_spelling(url),
    }
}

/// Whether a step stays within one archive, or goes up from it.
fn is_beside(from: &Url, to: &Url) -> bool {
    let is_archive = |url| scheme::family(url) == Family::Archive;
    is_archive(from)
        && (is_archive(to) && scheme::place(from) == scheme::place(to)
            || scheme::up(from).as_ref() == Some(to)
            || catalogue::is_listed(from, to))
}

/// In the place of a page that led there, where another program did.
pub(super) const HANDED: &str = "about:remote";

fn is_handed(url: &Url) -> bool {
    url.as_str() == HANDED
}

/// Who leads somewhere, in words.
fn who(from: Option<&Url>, opening: &Opening) -> &'static str {
    match from {
        Some(from) if is_handed(from) => "Another program",
        _ if !opening.hops.is_empty() => "A server of the network",
        _ => "A page from the network",
    }
}

fn hesitate(cx: &mut Cx<'_>, opening: Opening, why: String) -> Vec<Effect> {
    let (yes, no) = match (&opening.form, &opening.sent) {
        (Some(_), _) => ("send them", "keep them"),
        (None, Some(_)) => ("send it", "leave it"),
        (None, None) if scheme::family(&opening.url) == Family::About => ("do it", "leave it"),
        (None, None) if says_words(None, &opening).is_some() => ("send them", "leave them"),
        (None, None) => ("open it", "leave it"),
    };
    let mut text = vec![opening.veil.over(why)];
    // What a page of the program's own does has been said in words.
    if scheme::family(&opening.url) != Family::About {
        text.push(opening.public().redacted());
    }
    let question = Overlay::Question {
        text,
        choices: vec![choice('y', yes), choice('n', no)],
        pending: Pending::Open(Box::new(opening)),
    };
    cx.hands.ask_over_form(question);
    Vec::new()
}

/// Starts the fetch; an older one for the page ends.
pub(super) fn begin(cx: &mut Cx<'_>, mut opening: Opening) -> Vec<Effect> {
    if opening.aim == Aim::Page
        && let Some(effects) = sending::ask(cx, &opening)
    {
        return effects;
    }
    gopher_form::gone(cx, &opening);
    // Who is there already has been told.
    let told = cx.entry().is_some_and(|entry| entry.url.authority() == opening.public().authority());
    if matches!(opening.way, Way::New | Way::Instead)
        && !told
        && let Some(words) = caution::of(opening.public())
    {
        cx.say(words);
    }
    let (url, media, mirrors) = (opening.url.clone(), opening.media.clone(), opening.mirrors.clone());
    let login = cx.sight().login_for(&url);
    opening.veil.add_login_of(&url);
    if let Some(login) = &login {
        opening.veil.add_login(&url, &login.user, &login.password);
    }
    cx.tab.veil.join(&opening.veil);
    let unless = journey::copy_here(cx.sight(), &opening);
    let (held, since) = (opening.held.clone(), news::since(cx.sight(), &url));
    let body = match &opening.sent {
        Some(Sent::Body(content)) => Some(content.clone()),
        Some(Sent::Secret(_) | Sent::Thread(_) | Sent::Parts(_) | Sent::File(_)) | None => None,
    };
    let put = match &opening.sent {
        Some(Sent::File(put)) => Some(put.clone()),
        _ => None,
    };
    let conversation = match &opening.sent {
        Some(Sent::Thread(articles)) => Some(Arc::clone(articles)),
        _ => None,
    };
    let parts = match &opening.sent {
        Some(Sent::Parts(articles)) => Some(Arc::clone(articles)),
        _ => None,
    };
    let (private, hidden) = (cx.tab.private, hidden::is_listed(cx.sight(), &url));
    let (told, led) = (opening.told.clone(), opening.led.clone());
    let (anew, kept) = (opening.way == Way::Reload, opening.kept);
    let secret = opening.form.is_some() || opening.sent.is_some() || may_be_told(cx.sight(), &opening, &url);
    let unkept = secret || is_filled_form(url.as_str()) || is_of_tour(&cx.desk.tour, &url);
    let named = Request { media, mirrors, login, unless, held, since, body, told, led, private, ..Request::new(url) };
    let ahead = !anew && opening.aim == Aim::Page;
    let redirected = redirect::redirected(&opening);
    let request = Request { conversation, parts, put, hidden, anew, kept, unkept, ahead, redirected, ..named };
    match opening.aim {
        Aim::File => transfer::expect(cx, opening, request),
        Aim::Tree | Aim::Rows => recursive::begin(cx, opening, request),
        Aim::Page if internal::of(&opening.url).is_some() => {
            let mut effects = arrival::drop_loading(cx);
            let plain = Opening { media: None, ..opening };
            let (url, page) = (plain.public().clone(), internal::blank(cx, &plain));
            effects.extend(journey::arrive(cx, &plain, url, page, None));
            // Nothing else may happen for a while.
            effects.extend(internal::tend(cx));
            effects
        }
        Aim::Page => {
            let mut effects = arrival::drop_loading(cx);
            let id = cx.job(Errand::Page);
            effects.push(Effect::Fetch { id, request: request.clone() });
            cx.tab.loading = Some(Loading { id, opening, request, stage: None, head: None });
            effects
        }
    }
}

/// Nothing was sent, and the reader learns why.
pub(super) fn refuse(cx: &mut Cx<'_>, opening: &Opening, error: UrlError) -> Vec<Effect> {
    let error = FetchError::from(error).tried(format!("nothing: {}", opening.public().redacted()));
    explain(cx, opening, error)
}

/// Shows a failure that came before any document: as a page, or as a note when no page was asked for.
pub(super) fn explain(cx: &mut Cx<'_>, opening: &Opening, mut error: FetchError) -> Vec<Effect> {
    if matches!(opening.sent, Some(Sent::Secret(_))) {
        // The request line holds the password.
        error.tried = opening.public().redacted();
    }
    error.conceal(opening.veil.secrets());
    let readable = cx.entry().is_some_and(|entry| entry.page.as_deref().is_some_and(|page| !page.is_error()));
    // Another key than was known is told as loudly as on a first visit.
    let loud = error.certificate.is_some();
    if opening.aim != Aim::Page || opening.way == Way::Reload && readable && !loud {
        cx.complain(error.in_one());
        return Vec::new();
    }
    let page = failure::page(cx, opening, error);
    journey::arrive(cx, opening, opening.public().clone(), page, None)
}

/// Whether a fetch number is the page's.
pub(super) fn is_loading(sight: Sight<'_>, id: JobId) -> bool {
    sight.tab.loading.as_ref().is_some_and(|loading| loading.id == id)
}
