//! Parts of messages: `mid:` and `cid:` URLs opened inside the messages of this session (RFC 2392, RFC 2557; BASE-04, BASE-05).
//!
//! Both are looked for in the message in view and in what that is a part of, then in the other messages of history, and in the
//! messages that stand within them. Nothing is sent for a `cid:`; an article whose `mid:` is not there is fetched by its id.
//! A part without a Content-ID is named by its place, which says something in its own message only. What is found is handed
//! to a fetch of its own, so that it is shown, asked about, saved and opened outside like anything else.

use super::opening::{self, Opening, Way};
use super::{App, Effect, Entry, FetchId, Loading, PageState, Tab, arrival};
use crate::format::{media, message};
use crate::proto::{FetchError, FetchEvent, Head, Held, Kind, Request, Verdict, Within};
use crate::url::scheme::{mid::Mid, news};
use crate::url::{EntityBase, Url, UrlError};
use message::PartName;
use std::sync::Arc;

/// Octets of a message that are kept as received, so that its parts can be opened.
pub(super) const KEEP: usize = 32 << 20;

/// A message that is fetched for the sake of what is in it.
#[derive(Debug)]
pub(super) struct Coming {
    id: FetchId,
    opening: Opening,
    head: Option<Head>,
    octets: Vec<u8>,
    cut: bool,
}

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
pub(super) fn is_name(url: &Url) -> bool {
    url.is("mid") || url.is("cid")
}

/// What the content that a head announces is resolved by, when it is a message: where it came from, or the base that the
/// message around it gives.
pub(super) fn outermost(head: &Head) -> &Url {
    match head.within.as_deref() {
        Some(Within { base: Some(base), .. }) => &base.url,
        Some(within) => &within.url,
        None => &head.url,
    }
}

/// How many octets of a page are kept as received.
pub(super) fn keep(head: &Head) -> usize {
    if message::is_message(&head.media) { KEEP } else { arrival::KEEP }
}

/// What a URL names is taken out of the messages of the tab in view, for a tab that has none.
pub(super) fn taken(app: &App, opening: Opening) -> Opening {
    let lead = Mid::of(&opening.url).and_then(|mid| lead(app, &opening, &mid));
    match lead {
        Ok(Lead::Held(held)) => Opening { held: Some(Arc::new(held)), ..opening },
        _ => opening,
    }
}

/// Opens what a `mid:` or `cid:` URL names.
pub(super) fn open(app: &mut App, opening: Opening) -> Vec<Effect> {
    if opening.held.is_some() {
        return opening::begin(app, opening);
    }
    let lead = match Mid::of(&opening.url).and_then(|mid| lead(app, &opening, &mid)) {
        Ok(lead) => lead,
        Err(error) => return opening::refuse(app, &opening, error),
    };
    match lead {
        Lead::Held(held) => opening::begin(app, Opening { held: Some(Arc::new(held)), ..opening }),
        Lead::Fetch(url) => gather(app, opening, url),
        Lead::Article(url) => opening::go(app, Opening { url, ..opening }),
        Lead::Nowhere(why) => {
            let tried = format!("nothing was sent: {} names what is inside a message", opening.public().redacted());
            opening::explain(app, &opening, FetchError::new(Kind::NotFound, why).tried(tried))
        }
    }
}

fn lead(app: &App, opening: &Opening, mid: &Mid) -> Result<Lead, UrlError> {
    let near = around(app, opening);
    let own = near.iter().filter_map(|entry| source(entry));
    let by_id = matches!(mid.content.as_deref().map(PartName::parse), Some(PartName::Id(_)));
    let others = app.tab.history.iter().rev().filter_map(source).filter(|_| mid.message.is_some() || by_id);
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
fn around<'a>(app: &'a App, opening: &Opening) -> Vec<&'a Entry> {
    // a part that is opened again was reached from the pages before it
    let last = match opening.way {
        Way::New | Way::Instead => app.tab.at + 1,
        Way::Reload => app.tab.at,
        Way::Place(at) => at,
    };
    let mut found = Vec::new();
    let before = app.tab.history.get(..last.min(app.tab.history.len())).unwrap_or_default();
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
fn gather(app: &mut App, opening: Opening, url: Url) -> Vec<Effect> {
    let mut effects = arrival::drop_loading(app);
    let id = app.fresh();
    let request = Request::new(url);
    effects.push(Effect::Fetch { id, request: request.clone() });
    app.tab.loading = Some(Loading { id, request, stage: None, head: None });
    app.tab.part = Some(Coming { id, opening, head: None, octets: Vec::new(), cut: false });
    effects
}

/// Whether a tab waits for a message by this fetch.
pub(super) fn is_coming(tab: &Tab, id: FetchId) -> bool {
    tab.part.as_ref().is_some_and(|coming| coming.id == id)
}

/// Takes what the fetch of a message says.
pub(super) fn event(app: &mut App, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Stage(stage) => {
            if let Some(loading) = &mut app.tab.loading {
                loading.stage = Some(stage);
            }
            Vec::new()
        }
        FetchEvent::Head(head) => {
            let Some(coming) = &mut app.tab.part else { return Vec::new() };
            let id = coming.id;
            if is_message(&head.media) {
                coming.head = Some(*head);
                return vec![Effect::Verdict { id, verdict: Verdict::Accept }];
            }
            let mut effects = fail(app, FetchError::new(Kind::Malformed, "What came is no message."));
            effects.push(Effect::Verdict { id, verdict: Verdict::Refuse });
            effects
        }
        FetchEvent::Body(octets) => {
            if let Some(coming) = &mut app.tab.part {
                let room = message::LONGEST.saturating_sub(coming.octets.len());
                coming.cut |= octets.len() > room;
                coming.octets.extend_from_slice(&octets[..octets.len().min(room)]);
            }
            Vec::new()
        }
        FetchEvent::End(end) => arrived(app, end.cut),
        FetchEvent::Failed(error) => fail(app, error),
        FetchEvent::Moved(moved) => {
            let detail = format!("The message is elsewhere now ({}): open it there first.", moved.status);
            fail(app, FetchError::new(Kind::NotFound, detail))
        }
        FetchEvent::Unchanged => Vec::new(),
    }
}

/// The message is here.
fn arrived(app: &mut App, cut: Option<String>) -> Vec<Effect> {
    let Some(Coming { opening, head: Some(head), octets, cut: too_long, .. }) = app.tab.part.take() else {
        return Vec::new();
    };
    app.tab.loading = None;
    let source = Source { octets: &octets, url: &head.url, outermost: &head.url, base: None };
    match take(source, &opening.url) {
        Some(held) => {
            let effects = opening::begin(app, Opening { held: Some(Arc::new(held)), ..opening });
            if let Some(remark) = cut.or(too_long.then(|| "the message is longer than 128 MiB".into())) {
                app.complain(remark);
            }
            effects
        }
        None => {
            let detail = "The message came, but has no such part.";
            let error = FetchError::new(Kind::NotFound, detail).tried(head.url.redacted());
            opening::explain(app, &opening, error)
        }
    }
}

fn fail(app: &mut App, error: FetchError) -> Vec<Effect> {
    app.tab.loading = None;
    match app.tab.part.take() {
        Some(coming) => opening::explain(app, &coming.opening, error),
        None => Vec::new(),
    }
}
