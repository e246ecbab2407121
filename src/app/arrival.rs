//! What fetches say: stage, head, body, end. A stale id falls on the floor.

use super::opening::{self, Aim, Opening, Way, is_loading};
use super::question::{self, choice};
use super::{
    App, Arrangement, Effect, FetchId, Overlay, Page, PageState, Pending, Sent, arranging, composing, elsewhere,
    filling, harvest, journey, login, memory, news, own, part, reading, readme, saving,
};
use crate::doc::{Anchor, Builder, Layout, LinkId, sanitise};
use crate::format::{Input, Parser, Wishes, media, message};
use crate::proto::{End, FetchError, FetchEvent, Head, Kind, Trust, Verdict};
use crate::url::Url;
use std::time::Duration;

/// Octets of a page that are kept as received.
pub(super) const KEEP: usize = 1 << 20;

/// A fetch whose body grows a page.
#[derive(Debug)]
pub(super) struct Arriving {
    /// Its number.
    pub id: FetchId,
    /// The page's place in history.
    pub at: usize,
    /// Where the reader was when they asked for the page again.
    pub wanted: Option<Place>,
    /// The fragment to go to, once it has come.
    pub fragment: Option<String>,
}

/// Where a reader looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The first line.
    pub top: Anchor,
    /// The link under focus.
    pub focus: Option<LinkId>,
    /// Columns to the right.
    pub left: u16,
}

/// Takes an event.
pub(super) fn event(app: &mut App, id: FetchId, elapsed: Duration, event: FetchEvent) -> Vec<Effect> {
    if composing::is_sending(app, id) {
        return composing::event(app, event);
    }
    if filling::is_gathering(&app.tab, id) {
        return filling::event(app, event);
    }
    if readme::is_coming(&app.tab, id) {
        return readme::event(app, id, event);
    }
    if part::is_coming(&app.tab, id) {
        return part::event(app, event);
    }
    if is_loading(app, id) {
        return loading(app, id, elapsed, event);
    }
    if harvest::is_reading(app, id) {
        return harvest::event(app, id, event);
    }
    if harvest::owns(app, id) {
        return harvest::tree_event(app, id, elapsed, event);
    }
    if app.waiting.iter().any(|w| w.id == id) || app.downloads.iter().any(|d| d.id == id) {
        return saving::event(app, id, elapsed, event);
    }
    let Some(at) = app.tab.arriving.iter().position(|a| a.id == id) else { return Vec::new() };
    let mut effects = match event {
        FetchEvent::Body(octets) => body(app, at, elapsed, &octets),
        FetchEvent::End(End { cut: None }) => end(app, at, elapsed, PageState::Complete),
        FetchEvent::End(End { cut: Some(remark) }) => end(app, at, elapsed, PageState::Cut(remark)),
        FetchEvent::Failed(error) => end(app, at, elapsed, PageState::Cut(error.detail)),
        FetchEvent::Stage(_) | FetchEvent::Head(_) | FetchEvent::Moved(_) | FetchEvent::Unchanged => return Vec::new(),
    };
    effects.extend(memory::trim(app));
    effects
}

/// The fetch for the page has no document yet.
fn loading(app: &mut App, id: FetchId, elapsed: Duration, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Stage(stage) => {
            if let Some(loading) = &mut app.tab.loading {
                loading.stage = Some(stage);
            }
            Vec::new()
        }
        FetchEvent::Head(head) => decide(app, id, *head, elapsed),
        FetchEvent::Failed(error) => fail(app, error),
        FetchEvent::Moved(moved) => {
            app.tab.loading = None;
            app.tab.opening.take().map_or_else(Vec::new, |opening| elsewhere::go(app, opening, &moved))
        }
        FetchEvent::Unchanged => {
            (app.tab.loading, app.tab.opening) = (None, None);
            app.say("not changed since it was fetched");
            Vec::new()
        }
        FetchEvent::Body(_) => Vec::new(),
        FetchEvent::End(_) => fail(app, FetchError::new(Kind::Malformed, "The answer ended before it began.")),
    }
}

fn fail(app: &mut App, error: FetchError) -> Vec<Effect> {
    question::withdraw_body(app);
    app.tab.loading = None;
    let Some(opening) = app.tab.opening.take() else { return Vec::new() };
    let mut error = error;
    if error.tried.is_empty() {
        error.tried = opening.public().redacted();
    }
    let wants = error.kind == Kind::NeedsLogin;
    let said: Vec<String> = [Some(error.detail.clone()), error.hint.clone()].into_iter().flatten().collect();
    let effects = opening::explain(app, &opening, error);
    if wants {
        login::ask(app, opening, &said);
    }
    effects
}

/// Page, form or question: the head says which.
fn decide(app: &mut App, id: FetchId, head: Head, elapsed: Duration) -> Vec<Effect> {
    let asked = app.tab.opening.as_ref().and_then(|o| o.media.clone());
    if asked.is_none() && head.media == media::FORM {
        return filling::gather(app, id);
    }
    let wanted = asked.unwrap_or_else(|| head.media.clone());
    match parser(app, &wanted, &head) {
        Some(parser) => accept(app, id, head, parser, elapsed),
        None => {
            let question = body_question(&head, id);
            if let Some(loading) = &mut app.tab.loading {
                loading.head = Some(head);
            }
            question::raise(app, question);
            Vec::new()
        }
    }
}

/// The parser of a media type, by the charset the reader chose for the host, else the declared one.
pub(super) fn parser(app: &App, wanted: &str, head: &Head) -> Option<Box<dyn Parser>> {
    let host = head.url.host().unwrap_or_default().to_ascii_lowercase();
    let chosen = app.charsets.get(&host).or_else(|| app.settings.charset.hosts.get(&host)).cloned();
    let declared = chosen.or_else(|| head.charset.clone());
    let charset = declared.or_else(|| app.settings.charset_of(&host).map(Into::into));
    let input =
        Input { media: wanted.into(), charset, url: part::outermost(head).clone(), notices: head.notices.clone() };
    crate::format::parser(&input)
}

fn body_question(head: &Head, id: FetchId) -> Overlay {
    let size = head.length.map(|n| format!(", {}", crate::format::human(n))).unwrap_or_default();
    Overlay::Question {
        text: vec![format!("This is no page: {}{size}", head.media), head.url.redacted()],
        choices: vec![
            choice('s', "save"),
            choice('o', "open with a program"),
            choice('t', "show as text"),
            choice('c', "cancel"),
        ],
        pending: Pending::Body(id),
    }
}

/// The reader wants the body that waits for a verdict as text.
pub(super) fn as_text(app: &mut App, id: FetchId) -> Vec<Effect> {
    let Some(head) = app.tab.loading.as_mut().filter(|l| l.id == id).and_then(|l| l.head.take()) else {
        return Vec::new();
    };
    let elapsed = Duration::ZERO;
    match parser(app, media::PLAIN, &head) {
        Some(parser) => {
            if let Some(opening) = &mut app.tab.opening {
                opening.media = Some(media::PLAIN.into());
            }
            accept(app, id, head, parser, elapsed)
        }
        None => refuse_body(app, id),
    }
}

/// The reader does not want the body.
pub(super) fn refuse_body(app: &mut App, id: FetchId) -> Vec<Effect> {
    if !is_loading(app, id) {
        return Vec::new();
    }
    app.tab.loading = None;
    app.tab.opening = None;
    vec![Effect::Verdict { id, verdict: Verdict::Refuse }]
}

/// The old page goes, the new one begins.
fn accept(app: &mut App, id: FetchId, head: Head, parser: Box<dyn Parser>, elapsed: Duration) -> Vec<Effect> {
    app.tab.loading = None;
    let Some(mut opening) = app.tab.opening.take() else { return Vec::new() };
    slash(app, &mut opening, &head);
    let retrieved = if opening.shown.is_some() { opening.public().clone() } else { head.url.clone() };
    let builder = begun(&head);
    let arrangement = Arrangement::by(arranging::wishes(app, head.url.host().unwrap_or_default(), &head.media));
    let secret = matches!(opening.sent, Some(Sent::Secret(_)));
    let head = if secret { Head { url: retrieved.clone(), ..head } } else { head };
    let page = Page {
        head,
        builder,
        parser: Some(parser),
        state: PageState::Arriving,
        received: 0,
        elapsed,
        source: Some(Vec::new()),
        arrangement,
    };
    let remark = remark(&opening, &page.head);
    let mut effects = journey::arrive(app, &opening, retrieved, page, Some(id));
    if let Some(remark) = remark {
        app.say(remark);
    }
    effects.push(Effect::Verdict { id, verdict: Verdict::Accept });
    effects.extend(memory::trim(app));
    effects
}

/// A name without a slash turned out to be a directory's: the page's URL gets its slash, and the next visit asks for no
/// file of that name.
fn slash(app: &mut App, opening: &mut Opening, head: &Head) {
    let answered = &head.url;
    if head.media != media::DIRECTORY || answered.as_str().strip_suffix('/') != Some(opening.url.as_str()) {
        return;
    }
    let before = std::mem::replace(&mut opening.url, answered.clone());
    if !app.tab.private {
        app.visits.see(&before);
    }
    let at = match opening.way {
        Way::New | Way::Instead => return,
        Way::Reload => app.tab.at,
        Way::Place(at) => at,
    };
    if let Some(entry) = app.tab.history.get_mut(at).filter(|entry| entry.url == before) {
        entry.url = answered.clone();
    }
}

/// What the reader would not expect of an answer.
fn remark(opening: &Opening, head: &Head) -> Option<String> {
    let place = |url: &Url| (url.host().map(str::to_ascii_lowercase), url.port());
    let host = head.url.host().unwrap_or_default();
    if place(&head.url) != place(&opening.url) && place(&head.url) != place(opening.public()) {
        let port = head.url.port().map(|port| format!(" port {port}")).unwrap_or_default();
        return Some(format!("{host}{port} answered in its place"));
    }
    let first = head.security.as_ref().is_some_and(|security| security.trust == Trust::FirstUse);
    first.then(|| format!("first visit: the TLS key of {host} is remembered"))
}

/// A document that knows no more than its head does.
fn begun(head: &Head) -> Builder {
    let mut builder = Builder::new();
    builder.document_mut().title = head.title.as_deref().map(|title| sanitise(title).into_owned());
    builder
}

fn body(app: &mut App, arriving: usize, elapsed: Duration, octets: &[u8]) -> Vec<Effect> {
    let at = app.tab.arriving[arriving].at;
    let Some(page) = app.tab.history.get_mut(at).and_then(|entry| entry.page.as_deref_mut()) else { return Vec::new() };
    page.elapsed = elapsed;
    page.received += octets.len() as u64;
    match &mut page.source {
        Some(source) if source.len() + octets.len() <= part::keep(&page.head) => source.extend_from_slice(octets),
        source => *source = None,
    }
    if let Some(parser) = &mut page.parser {
        parser.feed(octets, &mut page.builder);
    }
    grown(app, arriving)
}

/// The document has more to show: bases it names, the place that was asked for, the first focus.
fn grown(app: &mut App, arriving: usize) -> Vec<Effect> {
    let at = app.tab.arriving[arriving].at;
    embed_base(app, at);
    let layout = app.layout();
    let rows = app.page_rows().max(1);
    let key = app.key_for("follow").unwrap_or_default();
    let folding = app.folding;
    if let Some(page) = app.tab.history.get_mut(at).and_then(|entry| entry.page.as_deref_mut()) {
        if message::is_message(&page.head.media) {
            page.fold_by(folding);
        }
        page.append(&key);
    }
    let (Some(entry), wait) = (app.tab.history.get_mut(at), &mut app.tab.arriving[arriving]) else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let document = page.document();
    if let Some(place) = wait.wanted.and_then(|place| reached(&layout, page, place, rows)) {
        (entry.top, entry.left) = (place.top, place.left);
        entry.focus = place.focus.filter(|link| link.0 < document.link_count());
        wait.wanted = None;
    }
    if let Some(anchor) = wait.fragment.as_deref().and_then(|name| fragment(document, name)) {
        entry.top = layout.line_start(document, anchor);
        wait.fragment = None;
    }
    if at == app.tab.at {
        reading::settle(app);
        return super::searching::more(app);
    }
    Vec::new()
}

/// The place itself once a screenful from it has come, or what is nearest to it when nothing more will come.
fn reached(layout: &Layout, page: &Page, place: Place, rows: usize) -> Option<Place> {
    let document = page.given();
    let blocks = document.blocks().len();
    let there = (place.top.block as usize) < blocks;
    let last = if blocks == 0 { Anchor::default() } else { layout.bottom(document, rows) };
    let top = if there { layout.line_start(document, place.top).min(last) } else { last };
    let whole = page.state != PageState::Arriving;
    let place = (whole || there && place.top <= last).then_some(Place { top, ..place })?;
    Some(page.shown(place))
}

/// The place that a fragment names, as written or decoded.
pub(super) fn fragment(document: &crate::doc::Document, name: &str) -> Option<Anchor> {
    let decoded = crate::url::escape::decode(name);
    document.anchor(name).or_else(|| document.anchor(std::str::from_utf8(&decoded).ok()?))
}

/// A base that the content gives takes force as soon as it is known (BASE-01, BASE-08, D40).
fn embed_base(app: &mut App, at: usize) {
    let Some(entry) = app.tab.history.get_mut(at) else { return };
    let Some(document) = entry.page.as_deref().map(Page::document) else { return };
    let (written, entity) = (document.base.clone(), document.entity.clone());
    if let Some(base) = entity {
        entry.bases.set_entity(base);
    }
    let Some(written) = written else { return };
    // One that is no base leaves the outer layers in force.
    let _ = entry.bases.set_document_base(&written);
}

/// Nothing more will come for a page.
pub(super) fn end(app: &mut App, arriving: usize, elapsed: Duration, state: PageState) -> Vec<Effect> {
    let at = app.tab.arriving[arriving].at;
    let whole = state == PageState::Complete;
    if let Some(page) = app.tab.history.get_mut(at).and_then(|entry| entry.page.as_deref_mut()) {
        page.elapsed = elapsed;
        page.finish(state);
    }
    if let Some(entry) = app.tab.history.get_mut(at) {
        entry.refill();
    }
    let mut effects = grown(app, arriving);
    if whole {
        effects.extend(news::listed(app, at));
    }
    effects.extend(own::history::entitled(app, at));
    if let Some(name) = app.tab.arriving.remove(arriving).fragment.filter(|_| at == app.tab.at) {
        app.complain(format!("this page has no place named \"{name}\""));
    }
    // Beside a link under focus there is no room for how the page was read.
    let notes = app
        .entry()
        .filter(|_| at == app.tab.at)
        .and_then(|entry| Some(entry.page.as_deref()?.given().notes.join(" · ")));
    if let Some(notes) = notes.filter(|notes| !notes.is_empty() && app.note.is_none()) {
        app.say(notes);
    }
    effects
}

/// Stops what the reader waits for: the next page, else the rest of this one. False when there was nothing to stop.
pub(super) fn stop(app: &mut App) -> Option<Vec<Effect>> {
    if app.tab.loading.is_some() {
        let effects = drop_loading(app);
        app.say("stopped");
        return Some(effects);
    }
    if let Some(effects) = composing::stop(app) {
        return Some(effects);
    }
    if let Some(effect) = readme::give_up(app) {
        app.say("stopped");
        return Some(vec![effect]);
    }
    let arriving = app.tab.arriving.iter().position(|a| a.at == app.tab.at)?;
    let mut effects = vec![Effect::Cancel(app.tab.arriving[arriving].id)];
    let elapsed = app.entry().and_then(|e| e.page.as_deref()).map_or(Duration::ZERO, |page| page.elapsed);
    effects.extend(end(app, arriving, elapsed, PageState::Stopped));
    app.say("stopped: what came is kept");
    Some(effects)
}

/// Forgets the fetch for the next page.
pub(super) fn drop_loading(app: &mut App) -> Vec<Effect> {
    let mut effects = filling::give_up(app).unwrap_or_default();
    (app.tab.opening, app.tab.part) = (None, None);
    question::withdraw_body(app);
    if let Some(loading) = app.tab.loading.take() {
        effects.push(Effect::Cancel(loading.id));
    }
    effects
}

/// Reads the kept octets of the page in view again, by another charset or type. `None` when they were not kept.
pub(super) fn reread(app: &mut App, wanted: &str) -> Option<(Page, Option<usize>)> {
    let at = app.tab.at;
    let page = app.entry()?.page.as_ref()?;
    let source = page.source.clone()?;
    let mut parser = parser(app, wanted, &page.head)?;
    let mut builder = begun(&page.head);
    parser.feed(&source, &mut builder);
    let (head, received, elapsed, state) = (page.head.clone(), page.received, page.elapsed, page.state.clone());
    let arriving = app.tab.arriving.iter().position(|a| a.at == at);
    let same = *wanted == head.media;
    let wishes = if same { page.arrangement.wishes.clone() } else { Wishes::default() };
    let mut again = Page {
        head,
        builder,
        parser: Some(parser),
        state: PageState::Arriving,
        received,
        elapsed,
        source: Some(source),
        arrangement: Arrangement::by(wishes),
    };
    if arriving.is_none() {
        again.finish(state);
    }
    Some((again, arriving))
}

impl Page {
    /// Ends the document.
    pub(super) fn finish(&mut self, state: PageState) {
        if let Some(parser) = &mut self.parser {
            parser.finish(&mut self.builder);
        }
        if !self.has_rows() {
            self.parser = None;
        }
        self.builder.shrink();
        self.source.iter_mut().for_each(Vec::shrink_to_fit);
        self.state = state;
        self.completed();
    }

    /// Whether it is the page of a failure.
    pub fn is_error(&self) -> bool {
        matches!(self.state, PageState::Failed(_))
    }
}

/// An opening that asks for the page in view again.
pub(super) fn again(app: &App, url: Url) -> Opening {
    // What a mirror gave once it may give again.
    let answered = app.entry().and_then(|entry| Some(&entry.page.as_deref()?.head.url));
    let mirror = answered.filter(|other| (other.host(), other.port()) != (url.host(), url.port())).cloned();
    Opening {
        mirrors: mirror.into_iter().collect(),
        way: Way::Reload,
        aim: Aim::Page,
        media: app.tab.media.get(&app.tab.at).cloned(),
        consent: opening::Consent::Agreed,
        form: opening::is_filled_form(url.as_str()).then(|| url.clone()),
        ..Opening::followed(url)
    }
}
