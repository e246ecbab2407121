//! Parts of messages: `mid:` and `cid:` URLs opened inside the messages of this session (RFC 2392, RFC 2557; BASE-04, BASE-05).
//!
//! Both are looked for in the message in view and in what that is a part of, then in the other messages of history, and in the
//! messages that stand within them. Nothing is sent for a `cid:`; an article whose `mid:` is not there is fetched by its id.
//! A part without a Content-ID is named by its place, which says something in its own message only. What is found is handed
//! to a fetch of its own, so that it is shown, asked about, saved and opened outside like anything else.

use super::{arrival, sending};
use crate::app::news::parts;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Gathered, Otherwise, Taking};
use crate::app::{Aim, Effect, Entry, JobId, Loading, Opening, PageState, Sight, Way, navigation};
use crate::format::message;
use crate::proto::{FetchError, FetchEvent, Head, Held, Kind, Request, Verdict, Within};
use crate::url::scheme::{self, Family, mid::Mid, news};
use crate::url::{Url, UrlError};
use crate::work::{Message, Take, Taken, Work};
use message::{Part, PartName};
use std::sync::Arc;

/// Octets of a message that are kept as received, so that its parts can be opened.
pub(in crate::app) const KEEP: usize = 32 << 20;
/// Said where a message is there.
const NO_PART: &str = "The message has no such part.";

/// Whether a URL names a message or a part of one.
pub(in crate::app) fn is_name(url: &Url) -> bool {
    scheme::family(url) == Family::Message
}

/// What the content that a head announces is resolved by, when it is a message: where it came from, or the base that the
/// message around it gives.
pub(in crate::app) fn outermost(head: &Head) -> &Url {
    match head.within.as_deref() {
        Some(Within { base: Some(base), .. }) => &base.url,
        Some(within) => &within.url,
        None => &head.url,
    }
}

/// How many octets of a page are kept as received.
pub(in crate::app) fn keep(head: &Head) -> usize {
    if message::is_message(&head.media) { KEEP } else { arrival::KEEP }
}

/// What a URL names is looked for in the messages of the tab in view, for a tab that has none.
pub(in crate::app) fn sought(sight: Sight<'_>, opening: Opening) -> Opening {
    let mid = Mid::of(&opening.url).ok().filter(|_| is_name(&opening.url));
    let take = mid.map(|mid| Arc::new(take(sight, &opening, mid)));
    Opening { sought: take.filter(|take| !take.messages.is_empty()), ..opening }
}

/// Opens what a `mid:` or `cid:` URL names.
pub(in crate::app) fn open(cx: &mut Cx<'_>, mut opening: Opening) -> Vec<Effect> {
    if opening.held.is_some() {
        return navigation::begin(cx, opening);
    }
    if opening.aim == Aim::Page
        && let Some(effects) = sending::ask(cx, &opening)
    {
        return effects;
    }
    let mid = match Mid::of(&opening.url) {
        Ok(mid) => mid,
        Err(error) => return navigation::refuse(cx, &opening, error),
    };
    if let (Some(id), Some(PartName::Joined)) = (&mid.message, mid.content.as_deref().map(PartName::parse)) {
        return match parts::join(cx, opening, id) {
            Ok(opening) => navigation::go(cx, opening),
            Err(why) => {
                cx.complain(why);
                Vec::new()
            }
        };
    }
    let otherwise = otherwise(cx.sight(), &opening, &mid);
    let take = opening.sought.take().map_or_else(|| take(cx.sight(), &opening, mid), Arc::unwrap_or_clone);
    match take.messages.is_empty() {
        true => go_on(cx, opening, otherwise),
        false => look(cx, take, Taking { opening, otherwise, remark: None }),
    }
}

/// Has what a URL names looked for. A page is waited for; whoever goes elsewhere meanwhile gives it up.
fn look(cx: &mut Cx<'_>, take: Take, taking: Taking) -> Vec<Effect> {
    let opening = taking.opening.clone();
    let waits = opening.aim == Aim::Page;
    let mut effects = if waits { arrival::drop_loading(cx) } else { Vec::new() };
    let id = cx.job(Errand::Take(Box::new(taking)));
    if waits {
        let request = Request::new(opening.url.clone());
        cx.tab.loading = Some(Loading { id, opening, request, stage: None, head: None });
    }
    effects.push(Effect::Work { id, work: Work::Take(Box::new(take)) });
    effects
}

/// It was looked for.
pub(in crate::app) fn taken(cx: &mut Cx<'_>, id: JobId, taking: Taking, taken: Taken) -> Vec<Effect> {
    let Taking { opening, otherwise, remark } = taking;
    if opening.aim == Aim::Page && cx.tab.loading.take_if(|loading| loading.id == id).is_none() {
        return Vec::new();
    }
    match taken {
        Taken::Part { url, part } => {
            let Part { media, charset, filename, octets, base, siblings } = *part;
            let within = Arc::new(Within { url, base, siblings: siblings.map(Arc::new) });
            let held = Held { media, charset, filename, octets, within };
            let effects = navigation::begin(cx, Opening { held: Some(Arc::new(held)), ..opening });
            if let Some(remark) = remark {
                cx.complain(remark);
            }
            effects
        }
        Taken::Missing => go_on(cx, opening, Ok(Otherwise::Nowhere(NO_PART))),
        Taken::Nowhere => go_on(cx, opening, otherwise),
    }
}

/// What a URL names is not here.
fn go_on(cx: &mut Cx<'_>, opening: Opening, otherwise: Result<Otherwise, UrlError>) -> Vec<Effect> {
    match otherwise {
        Ok(Otherwise::Fetch(url)) => gather(cx, opening, url),
        Ok(Otherwise::Article(url)) => navigation::go(cx, Opening { url, ..opening }),
        Ok(Otherwise::Nowhere(why)) => {
            let tried = format!("nothing was sent: {} names what is inside a message", opening.public().redacted());
            navigation::explain(cx, &opening, FetchError::new(Kind::NotFound, why).tried(tried))
        }
        Err(error) => navigation::refuse(cx, &opening, error),
    }
}

/// The messages that what a URL names may be in.
fn take(sight: Sight<'_>, opening: &Opening, mid: Mid) -> Take {
    let near = around(sight, opening);
    let own = near.iter().filter_map(|entry| message(entry, true));
    let by_id = matches!(mid.content.as_deref().map(PartName::parse), Some(PartName::Id(_)));
    let all = mid.message.is_some() || by_id;
    let others = sight.tab.history.iter().rev().filter(|_| all).filter_map(|entry| message(entry, false));
    Take { url: opening.url.clone(), messages: own.chain(others).collect(), id: mid.message }
}

/// Where a URL leads when the message that it names is not here.
fn otherwise(sight: Sight<'_>, opening: &Opening, mid: &Mid) -> Result<Otherwise, UrlError> {
    let near = around(sight, opening);
    // the message that leads there is not kept whole
    let lost = near.last().filter(|entry| message(entry, true).is_none());
    Ok(match (&mid.message, lost) {
        (_, Some(entry)) if is_arriving(entry) => Otherwise::Nowhere("The message is still coming: wait for its end."),
        (_, Some(entry)) if entry.url.is("file") => Otherwise::Fetch(entry.url.clone()),
        (Some(id), _) if mid.content.is_none() => Otherwise::Article(news::article_url(id)?),
        (Some(_), Some(entry)) if !is_name(&entry.url) => Otherwise::Fetch(entry.url.clone()),
        (Some(id), _) => Otherwise::Fetch(news::article_url(id)?),
        (None, Some(_)) => Otherwise::Nowhere("The message is not kept any more: open it again, then its part."),
        (None, None) if near.is_empty() => Otherwise::Nowhere(
            "This names a part of the message that it stands in, and the page in view is no message.",
        ),
        (None, None) => Otherwise::Nowhere(NO_PART),
    })
}

/// The message that an opening starts from and those that it is a part of, from the inside outward.
fn around<'a>(sight: Sight<'a>, opening: &Opening) -> Vec<&'a Entry> {
    // a part that is opened again was reached from the pages before it
    let last = match opening.way {
        Way::New | Way::Instead => sight.tab.at + 1,
        Way::Reload => sight.tab.at,
        Way::Place(at) => at,
    };
    let mut found = Vec::new();
    let before = sight.tab.history.get(..last.min(sight.tab.history.len())).unwrap_or_default();
    for entry in before.iter().rev() {
        let part = is_name(&entry.url);
        let shown = entry.page.as_deref().is_none_or(|page| is_message(&page.head.media));
        if shown {
            found.push(entry);
        }
        // the first that is no part of another is the outermost
        if !part {
            break;
        }
    }
    found.retain(|entry| entry.page.is_some() || !is_name(&entry.url));
    found
}

/// Whether a page of this type can have been read from a message; its source in view counts too.
fn is_message(media: &str) -> bool {
    message::is_message(media)
}

fn is_arriving(entry: &Entry) -> bool {
    entry.page.as_deref().is_some_and(|page| page.state == PageState::Arriving)
}

/// The message that a place shows, if all of it is here.
fn message(entry: &Entry, near: bool) -> Option<Message> {
    let page = entry.page.as_deref().filter(|page| is_message(&page.head.media))?;
    let octets = page.source.as_ref().filter(|_| page.state != PageState::Arriving)?;
    let url = page.head.within.as_deref().map_or(&page.head.url, |within| &within.url);
    Some(Message { octets: Arc::clone(octets), url: url.clone(), outermost: outermost(&page.head).clone(), near })
}

/// Fetches a message for what is in it.
fn gather(cx: &mut Cx<'_>, opening: Opening, url: Url) -> Vec<Effect> {
    let mut effects = arrival::drop_loading(cx);
    let id = cx.job(Errand::Part(Gathered::default()));
    let request = Request { login: cx.sight().login_for(&url), private: cx.tab.private, ..Request::new(url) };
    effects.push(Effect::Fetch { id, request: request.clone() });
    cx.tab.loading = Some(Loading { id, opening, request, stage: None, head: None });
    effects
}

/// Takes what the fetch of a message says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let Some(Errand::Part(gathered)) = cx.jobs.errand_mut(id) else { return Vec::new() };
    match event {
        FetchEvent::Stage(_) | FetchEvent::Sent(_) => arrival::under_way(cx, event),
        FetchEvent::Head(head) if is_message(&head.media) => {
            gathered.head = Some(*head);
            vec![Effect::Verdict { id, verdict: Verdict::Accept }]
        }
        FetchEvent::Head(_) => {
            let mut effects = fail(cx, FetchError::new(Kind::Malformed, "What came is no message."));
            effects.push(Effect::Verdict { id, verdict: Verdict::Refuse });
            effects
        }
        FetchEvent::Body(octets) => {
            gathered.take(&octets, message::LONGEST);
            Vec::new()
        }
        FetchEvent::End(end) => arrived(cx, id, end.cut),
        FetchEvent::Failed(error) => fail(cx, error),
        FetchEvent::Moved(moved) => {
            let detail = format!("The message is elsewhere now ({}): open it there first.", moved.status);
            fail(cx, FetchError::new(Kind::NotFound, detail))
        }
        FetchEvent::Unchanged => fail(cx, FetchError::new(Kind::Malformed, "The server sent nothing.")),
    }
}

/// The message is here.
fn arrived(cx: &mut Cx<'_>, id: JobId, cut: Option<String>) -> Vec<Effect> {
    let loading = cx.tab.loading.take_if(|loading| loading.id == id);
    let (Some(Loading { opening, .. }), Some(Errand::Part(gathered))) = (loading, cx.jobs.end(id)) else {
        return Vec::new();
    };
    let Gathered { head: Some(head), octets, cut: too_long } = gathered else { return Vec::new() };
    // Whatever it names, it is in what came for it.
    let message = Message { octets: octets.into(), url: head.url.clone(), outermost: head.url, near: true };
    let take = Take { url: opening.url.clone(), id: None, messages: vec![message] };
    let remark = cut.or(too_long.then(|| "the message is longer than 128 MiB".into()));
    look(cx, take, Taking { opening, otherwise: Ok(Otherwise::Nowhere(NO_PART)), remark })
}

fn fail(cx: &mut Cx<'_>, error: FetchError) -> Vec<Effect> {
    match cx.tab.loading.take() {
        Some(loading) => navigation::explain(cx, &loading.opening, error),
        None => Vec::new(),
    }
}
