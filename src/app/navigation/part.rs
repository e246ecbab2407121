//! Parts of messages: `mid:` and `cid:` URLs opened inside the messages of this session (RFC 2392, RFC 2557; BASE-04, BASE-05).
//!
//! Both are looked for in the message in view and in what that is a part of, then in the other messages of history, and in the
//! messages that stand within them. Nothing is sent for a `cid:`; an article whose `mid:` is not there is fetched by its id.
//! A part without a Content-ID is named by its place, which says something in its own message only. What is found is handed
//! to a fetch of its own, so that it is shown, asked about, saved and opened outside like anything else.

use super::arrival;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Gathered};
use crate::app::{Effect, Entry, JobId, Loading, Opening, PageState, Sight, Way, navigation};
use crate::format::{media, message};
use crate::proto::{FetchError, FetchEvent, Head, Held, Kind, Request, Verdict, Within};
use crate::url::scheme::{self, Family, mid::Mid, news};
use crate::url::{EntityBase, Url, UrlError};
use message::PartName;
use std::sync::Arc;

/// Octets of a message that are kept as received, so that its parts can be opened.
pub(in crate::app) const KEEP: usize = 32 << 20;

/// A message whose octets are here.
#[derive(Clone, Copy)]
struct Source<'a> {
    octets: &'a [u8],
    /// Where it came from; for one within another, that one.
    url: &'a Url,
    /// What a relative base in its header is resolved by.
    outermost: &'a Url,
    /// The base that the message around it gives.
    base: Option<&'a EntityBase>,
}

/// Where a URL leads.
enum Lead {
    /// To this.
    Held(Held),
    /// Into a message that has to be fetched.
    Fetch(Url),
    /// To an article, which is a page by itself.
    Article(Url),
    /// Nowhere, for this reason.
    Nowhere(&'static str),
}

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

/// What a URL names is taken out of the messages of the tab in view, for a tab that has none.
pub(in crate::app) fn taken(sight: Sight<'_>, opening: Opening) -> Opening {
    let lead = Mid::of(&opening.url).and_then(|mid| lead(sight, &opening, &mid));
    match lead {
        Ok(Lead::Held(held)) => Opening { held: Some(Arc::new(held)), ..opening },
        _ => opening,
    }
}

/// Opens what a `mid:` or `cid:` URL names.
pub(in crate::app) fn open(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    if opening.held.is_some() {
        return navigation::begin(cx, opening);
    }
    let lead = match Mid::of(&opening.url).and_then(|mid| lead(cx.sight(), &opening, &mid)) {
        Ok(lead) => lead,
        Err(error) => return navigation::refuse(cx, &opening, error),
    };
    match lead {
        Lead::Held(held) => navigation::begin(cx, Opening { held: Some(Arc::new(held)), ..opening }),
        Lead::Fetch(url) => gather(cx, opening, url),
        Lead::Article(url) => navigation::go(cx, Opening { url, ..opening }),
        Lead::Nowhere(why) => {
            let tried = format!("nothing was sent: {} names what is inside a message", opening.public().redacted());
            navigation::explain(cx, &opening, FetchError::new(Kind::NotFound, why).tried(tried))
        }
    }
}

fn lead(sight: Sight<'_>, opening: &Opening, mid: &Mid) -> Result<Lead, UrlError> {
    let near = around(sight, opening);
    let own = near.iter().filter_map(|entry| source(entry));
    let by_id = matches!(mid.content.as_deref().map(PartName::parse), Some(PartName::Id(_)));
    let others = sight.tab.history.iter().rev().filter_map(source).filter(|_| mid.message.is_some() || by_id);
    let mut known = false;
    for (source, near) in own.map(|own| (own, true)).chain(others.map(|other| (other, false))) {
        let (holds, found) = match &mid.message {
            Some(id) if message::message_id(source.octets).as_ref() != Some(id) => inside(source, id, &opening.url),
            Some(_) => (true, take(source, &opening.url)),
            None => (near, take(source, &opening.url)),
        };
        if let Some(held) = found {
            return Ok(Lead::Held(held));
        }
        known |= holds;
    }
    if known {
        return Ok(Lead::Nowhere("The message has no such part."));
    }
    // the message that leads there is not kept whole
    let lost = near.last().filter(|entry| source(entry).is_none());
    match (&mid.message, lost) {
        (_, Some(entry)) if is_arriving(entry) => Ok(Lead::Nowhere("The message is still coming: wait for its end.")),
        (_, Some(entry)) if entry.url.is("file") => Ok(Lead::Fetch(entry.url.clone())),
        (Some(id), _) if mid.content.is_none() => Ok(Lead::Article(news::article_url(id)?)),
        (Some(_), Some(entry)) if !is_name(&entry.url) => Ok(Lead::Fetch(entry.url.clone())),
        (Some(id), _) => Ok(Lead::Fetch(news::article_url(id)?)),
        (None, Some(_)) => Ok(Lead::Nowhere("The message is not kept any more: open it again, then its part.")),
        (None, None) if near.is_empty() => {
            Ok(Lead::Nowhere("This names a part of the message that it stands in, and the page in view is no message."))
        }
        (None, None) => Ok(Lead::Nowhere("The message has no such part.")),
    }
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

/// The octets of the message that a place shows, if they are all here.
fn source(entry: &Entry) -> Option<Source<'_>> {
    let page = entry.page.as_deref().filter(|page| is_message(&page.head.media))?;
    let octets = page.source.as_deref().filter(|_| page.state != PageState::Arriving)?;
    let url = page.head.within.as_deref().map_or(&page.head.url, |within| &within.url);
    Some(Source { octets, url, outermost: outermost(&page.head), base: None })
}

/// Whether the message of an id stands within a message, and what a URL names in it.
fn inside(source: Source, id: &[u8], url: &Url) -> (bool, Option<Held>) {
    let Some(inner) = message::inner(source.octets, id, source.outermost) else { return (false, None) };
    let outermost = inner.base.as_ref().map_or(source.outermost, |base| &base.url);
    (true, take(Source { octets: &inner.octets, url: source.url, outermost, base: inner.base.as_ref() }, url))
}

/// Takes what a URL names out of a message.
fn take(source: Source, url: &Url) -> Option<Held> {
    let name = PartName::of_url(url, message::message_id(source.octets).as_deref())?;
    if name == PartName::Number(Vec::new()) {
        let within = Within { url: source.url.clone(), base: source.base.cloned(), siblings: None };
        let (media, octets) = (media::MESSAGE.into(), source.octets.to_vec());
        return Some(Held { media, charset: None, filename: None, octets, within: Arc::new(within) });
    }
    let part = message::part(source.octets, &name, source.outermost)?;
    let within = Within { url: source.url.clone(), base: part.base, siblings: part.siblings.map(Arc::new) };
    let (charset, filename, octets) = (part.charset, part.filename, part.octets);
    Some(Held { media: part.media, charset, filename, octets, within: Arc::new(within) })
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
        FetchEvent::Stage(stage) => {
            if let Some(loading) = &mut cx.tab.loading {
                loading.stage = Some(stage);
            }
            Vec::new()
        }
        FetchEvent::Sent(sent) => {
            if let Some(loading) = &mut cx.tab.loading {
                loading.opening.dispatched = sent;
            }
            Vec::new()
        }
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
    let source = Source { octets: &octets, url: &head.url, outermost: &head.url, base: None };
    match take(source, &opening.url) {
        Some(held) => {
            let effects = navigation::begin(cx, Opening { held: Some(Arc::new(held)), ..opening });
            if let Some(remark) = cut.or(too_long.then(|| "the message is longer than 128 MiB".into())) {
                cx.complain(remark);
            }
            effects
        }
        None => {
            let detail = "The message came, but has no such part.";
            let error = FetchError::new(Kind::NotFound, detail).tried(head.url.redacted());
            navigation::explain(cx, &opening, error)
        }
    }
}

fn fail(cx: &mut Cx<'_>, error: FetchError) -> Vec<Effect> {
    match cx.tab.loading.take() {
        Some(loading) => navigation::explain(cx, &loading.opening, error),
        None => Vec::new(),
    }
}
