//! What fetches for pages say before their body is read, and what the reading of it says: how a page is under way, grows, fails, ends. What
//! a head makes of it is [`super::answer`]'s.

use super::{answer, catalogue, destination, fresh, intake, is_loading, kept, readme, redirect, upload, words};
use crate::app::FormOwner;
use crate::app::forms::{login, web};
use crate::app::hands::Raised;
use crate::app::motion::{arrangement, window};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::state::desk::is_of_tour;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::{Errand, Reread};
use crate::app::tab::Arriving;
use crate::app::transfer::mailbox;
use crate::app::{
    Aim, Arrangement, Effect, JobId, Loading, Opening, Overlay, Page, PageState, Pending, Purpose, Sight, Target,
    Wants, Way, internal, letters, navigation, news, transfer,
};
use crate::doc::Anchor;
use crate::format::charset::Said;
use crate::format::{Grown, Whole, Wishes, is_feed, media};
use crate::proto::{End, FetchError, FetchEvent, Head, KeptCopy, Kind};
use crate::url::Url;
use crate::url::scheme::{self, Family};
use crate::work::{Read, Work};
use std::sync::Arc;
use std::time::Duration;

/// Octets of a page that are kept as received.
pub const KEEP: usize = 1 << 20;

/// Takes an event of a page's fetch.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, event: FetchEvent) -> Vec<Effect> {
    if is_loading(cx.sight(), id) {
        let mut event = event;
        if let Some(loading) = &cx.tab.loading {
            event.conceal(loading.opening.veil.secrets());
        }
        return loading(cx, id, elapsed, event);
    }
    // What comes of a page once its head is accepted is read before it gets here; what is asked for it meanwhile is not.
    let Some(at) = cx.tab.arriving.iter().find(|arriving| arriving.id == id).map(|arriving| arriving.at) else {
        return Vec::new();
    };
    let mut event = event;
    event.conceal(cx.tab.veil.secrets());
    let Some(page) = cx.tab.history.get_mut(at).and_then(|entry| entry.page.as_deref_mut()) else { return Vec::new() };
    match event {
        FetchEvent::Sent(sent) => page.dispatched = sent,
        FetchEvent::Head(head) if page.head.ahead.is_some() => page.head = Head { url: page.head.url.clone(), ..*head },
        _ => {}
    }
    Vec::new()
}

/// Notes how far the fetch for the page is, and what has left this machine for it.
pub(super) fn under_way(cx: &mut Cx<'_>, event: FetchEvent) -> Vec<Effect> {
    match (&mut cx.tab.loading, event) {
        (Some(loading), FetchEvent::Stage(stage)) => loading.stage = Some(stage),
        (Some(loading), FetchEvent::Sent(sent)) => loading.opening.dispatched = sent,
        _ => {}
    }
    Vec::new()
}

/// The fetch for the page has no document yet.
fn loading(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Stage(_) | FetchEvent::Sent(_) => under_way(cx, event),
        FetchEvent::Head(head) => answer::decide(cx, id, *head, elapsed),
        FetchEvent::Failed(error) => fail(cx, error),
        FetchEvent::Moved(moved) => {
            web::answered(cx);
            let loading = cx.tab.loading.take();
            loading.map_or_else(Vec::new, |loading| redirect::go(cx, loading, &moved))
        }
        FetchEvent::Unchanged => {
            let sent = cx.tab.loading.take().map(|loading| loading.opening.dispatched).unwrap_or_default();
            if let Some(page) = cx.entry_mut().and_then(|entry| entry.page.as_deref_mut()) {
                page.dispatched = sent;
                // A copy that is still right is the page.
                page.head.kept = None;
            }
            cx.say("not changed since it was fetched");
            Vec::new()
        }
        FetchEvent::Body(_) => Vec::new(),
        FetchEvent::End(_) => fail(cx, FetchError::new(Kind::Malformed, "The answer ended before it began.")),
    }
}

fn fail(cx: &mut Cx<'_>, error: FetchError) -> Vec<Effect> {
    withdraw_question(cx);
    let Some(Loading { opening, .. }) = cx.tab.loading.take() else { return Vec::new() };
    if opening.kept == KeptCopy::Only
        && opening.way == Way::Place(cx.tab.at)
        && cx.entry().is_some_and(|entry| entry.page.is_some())
    {
        // There is no copy of what is not to be asked for: what says so stays.
        return Vec::new();
    }
    if words::are_wanted(&error) {
        return words::wanted(cx, opening, error);
    }
    let mut error = error;
    if let Some(found) = error.found.take() {
        return upload::found(cx, opening, &found);
    }
    if let Some(text) = catalogue::no_tree(cx, &opening, &error) {
        return navigation::go(cx, text);
    }
    if error.tried.is_empty() {
        error.tried = opening.public().redacted();
    }
    let attributes = opening.public().as_str().contains("%09!") && scheme::family(opening.public()) == Family::Gopher;
    if attributes && error.kind == Kind::Unsupported && cx.entry().is_some() && opening.way == Way::New {
        // Who looks at an item stays with it.
        cx.complain(error.detail);
        return Vec::new();
    }
    let wants = matches!(error.kind, Kind::NeedsLogin | Kind::NeedsAccount);
    let account = error.kind == Kind::NeedsAccount;
    let said: Vec<String> = [Some(error.detail.clone()), error.hint.clone()].into_iter().flatten().collect();
    let effects = navigation::explain(cx, &opening, error);
    if wants {
        login::ask(cx, Wants::Place(Box::new(opening)), &said, account);
    }
    effects
}

/// A page that is being read has more to show.
pub(in crate::app) fn grown(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, grown: Grown) -> Vec<Effect> {
    let Some(at) = cx.tab.arriving.iter().find(|a| a.id == id).map(|arriving| arriving.at) else { return Vec::new() };
    take(cx, at, elapsed, grown);
    show(cx, at)
}

/// A page was read to its end.
pub(in crate::app) fn whole(
    cx: &mut Cx<'_>,
    id: JobId,
    elapsed: Duration,
    whole: Whole,
    end: Result<End, FetchError>,
) -> Vec<Effect> {
    let Some(arriving) = cx.tab.arriving.iter_mut().find(|a| a.id == id) else { return Vec::new() };
    arriving.ended = true;
    let (at, stopped, octets) = (arriving.at, arriving.stopped, arriving.octets.take());
    let fails = if let (Err(error), false) = (&end, stopped) { Some(error.detail.clone()) } else { None };
    let state = match end {
        _ if stopped => PageState::Stopped,
        Ok(End { cut: None }) => PageState::Complete,
        Ok(End { cut: Some(remark) }) => PageState::Cut(remark),
        Err(error) => PageState::Cut(error.detail),
    };
    // Who stands at the end of what came sees that it ends there, and why: the word takes a row below the last line.
    let lines = |cx: &Cx<'_>| window::document(cx.sight()).map(|document| document.blocks().len());
    let (before, end) = (lines(cx), window::bottom(cx.sight()));
    let at_end = at == cx.tab.at && end > Anchor::default() && cx.entry().is_some_and(|entry| entry.top >= end);
    take(cx, at, elapsed, whole.page);
    // That of what is new is fetched by itself, and says nothing of that.
    let by_itself = super::subscriptions::is_open(cx.sight());
    let again = !by_itself && state == PageState::Complete && octets.is_some();
    let same = again && octets == whole.source;
    let effects = ended(cx, at, whole.source, state);
    unanswered(cx, at, fails);
    if again && at == cx.tab.at && cx.hands.note.is_none() {
        match unasked(cx.sight()) {
            Some(said) => cx.say(said),
            None if same => cx.say("not changed since it was fetched"),
            None => {}
        }
    }
    if at_end && lines(cx) == before {
        let end = window::bottom(cx.sight());
        if let Some(entry) = cx.entry_mut() {
            entry.top = entry.top.max(end);
        }
        window::settle_last(cx);
    }
    effects
}

/// What is said of the page in view where nobody was asked for it: of what is elsewhere only a copy is shown while the reader is offline.
fn unasked(sight: Sight<'_>) -> Option<String> {
    let entry = sight.entry().filter(|entry| scheme::is_of_network(&entry.url))?;
    let kept = entry.page.as_deref()?.head.kept;
    let offline = sight.desk.choices.offline && !is_of_tour(&sight.desk.tour, &entry.url);
    let came = kept.map(|time| super::kept::ago(sight, time));
    match (offline, came) {
        (true, Some(came)) => Some(format!("you are offline: nobody was asked; this copy came {came}")),
        (true, None) => Some("you are offline: nobody was asked; this is what is kept".into()),
        (false, came) => came.map(|came| format!("nobody was asked; this copy came {came}")),
    }
}

/// What was shown of a place that has not answered ([`Head::ahead`]) stays where it cannot be reached; where it has something else it is
/// asked again, and shown then.
fn unanswered(cx: &mut Cx<'_>, at: usize, fails: Option<String>) {
    let here = at == cx.tab.at;
    let Some(entry) = cx.tab.history.get_mut(at) else { return };
    let Some(page) = entry.page.as_deref_mut().filter(|page| page.head.ahead.is_some()) else { return };
    let url = entry.url.clone();
    match (&page.state, fails) {
        (_, Some(why)) if here => {
            cx.complain(why);
            cx.intend(Intent::Again(url));
        }
        // Whoever goes back to it has it fetched.
        (_, Some(_)) => drop(entry.lose()),
        (PageState::Cut(why), None) if here => {
            let why = why.clone();
            cx.complain(why);
        }
        _ => {}
    }
}

/// Shows a page as far as it has come.
fn take(cx: &mut Cx<'_>, at: usize, elapsed: Duration, grown: Grown) {
    let Some(entry) = cx.tab.history.get_mut(at) else { return };
    let Some(page) = entry.page.as_deref_mut() else { return };
    let Grown { document, rows, received, beginning, .. } = grown;
    (page.given, page.rows, page.received, page.source) = (document, rows, received, Some(beginning));
    page.elapsed = elapsed;
    page.arrangement.grow();
    entry.show_filled();
}

/// The document has more to show: bases it names, the first focus.
fn show(cx: &mut Cx<'_>, at: usize) -> Vec<Effect> {
    embed_base(cx, at);
    let mut effects = Vec::new();
    if at == cx.tab.at {
        effects.extend(arrangement::tend(cx));
        destination::settle_in(cx);
        window::settle(cx);
    }
    cx.intend(Intent::Trim);
    effects
}

/// A base that the content gives takes force as soon as it is known (BASE-01, BASE-08, D40).
fn embed_base(cx: &mut Cx<'_>, at: usize) {
    let Some(entry) = cx.tab.history.get_mut(at) else { return };
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
fn ended(cx: &mut Cx<'_>, at: usize, source: Option<Arc<[u8]>>, state: PageState) -> Vec<Effect> {
    let whole = state == PageState::Complete;
    let mut lost = 0;
    if let Some(entry) = cx.tab.history.get_mut(at) {
        if let Some(page) = entry.page.as_deref_mut() {
            (page.source, page.state) = (source, state);
        }
        lost = entry.refill();
    }
    let mut effects = show(cx, at);
    if whole {
        effects.extend(news::listed(cx.sight(), at));
        effects.extend(fresh::look(cx, at));
        effects.extend(readme::again(cx, at));
    }
    effects.extend(internal::history::entitled(cx, at));
    if lost > 0 && at == cx.tab.at {
        cx.say("some of what you filled in has no field on this page any more");
    }
    let feed = cx
        .entry()
        .filter(|_| at == cx.tab.at)
        .and_then(|entry| entry.page.as_deref())
        .is_some_and(|page| page.head.media == media::PLAIN && page.source.as_deref().is_some_and(is_feed));
    if feed && cx.hands.note.is_none() && !cx.tab.media.contains_key(&at) {
        cx.say("this is a feed that came as a text; :as feed reads it");
    }
    // Beside a link under focus there is no room for how the page was read.
    let notes =
        cx.entry().filter(|_| at == cx.tab.at).and_then(|entry| Some(entry.page.as_deref()?.given().notes.join(" · ")));
    if let Some(notes) = notes.filter(|notes| !notes.is_empty() && cx.hands.note.is_none()) {
        cx.say(notes);
    }
    effects
}

/// Stops what the reader waits for in this tab: the next page, an article on its way out, else the rest of this page. `None` when
/// there is nothing to stop.
pub(in crate::app) fn stop(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    if cx.tab.loading.is_some() {
        let sent = cx.tab.outgoing().map(|outgoing| format!(": {}; {}", outgoing.far(), outgoing.rest()));
        let awaited = kept::awaited(cx.sight());
        let effects = drop_loading(cx);
        let key = awaited.as_ref().and_then(|_| cx.desk.key_for("kept"));
        let copy = key.map(|key| format!("; {key} shows its copy, if one was kept")).unwrap_or_default();
        cx.say(format!("stopped{}", sent.unwrap_or(copy)));
        cx.tab.given_up = awaited.map(|url| (cx.tab.at, url));
        return Some(effects);
    }
    if let Some(effects) = letters::stop(cx).or_else(|| mailbox::stop(cx)) {
        return Some(effects);
    }
    if let Some(effect) = readme::give_up(cx) {
        cx.say("stopped");
        return Some(vec![effect]);
    }
    let pictures = cx.page_mut().map(Page::give_up_pictures).unwrap_or_default();
    if !pictures.is_empty() {
        cx.say("stopped");
        return Some(pictures.into_iter().map(Effect::Cancel).collect());
    }
    if let Some(effects) = transfer::verify::give_up(cx) {
        return Some(effects);
    }
    if let Some(effect) = news::give_up(cx) {
        return Some(vec![effect]);
    }
    if let Some(id) = cx.jobs.find(cx.tab.id, |errand| matches!(errand, Errand::Reread(_))) {
        cx.say("stopped");
        return Some(vec![Effect::Cancel(id)]);
    }
    let at = cx.tab.at;
    let mut coming: Vec<&mut Arriving> = cx.tab.arriving.iter_mut().filter(|a| !a.ended && !a.stopped).collect();
    // The page in view, else those that were left while they came.
    if coming.iter().any(|arriving| arriving.at == at) {
        coming.retain(|arriving| arriving.at == at);
    }
    let ids: Vec<JobId> = coming.iter().map(|arriving| arriving.id).collect();
    let here = coming.iter().any(|arriving| arriving.at == at);
    coming.into_iter().for_each(|arriving| arriving.stopped = true);
    if ids.is_empty() {
        return None;
    }
    cx.say(if here { "stopped: what came is kept" } else { "stopped: a page that you left was still coming" });
    Some(ids.into_iter().map(Effect::Enough).collect())
}

/// What waits for the reader's hands to go on to a place is not wanted any more: they went to another one.
pub(super) fn forget_waiting(cx: &mut Cx<'_>) {
    let leads_on = |raised: &Raised| match raised {
        Raised::Overlay(Overlay::Form(form)) => match &form.owner {
            FormOwner::Login(wants) => matches!(**wants, Wants::Place(_)),
            FormOwner::Gopher(_) => true,
            FormOwner::Bookmark(_) | FormOwner::Area(_) | FormOwner::Playground => false,
        },
        Raised::Overlay(Overlay::Question { pending, .. }) => {
            matches!(pending, Pending::Open(_) | Pending::GoOn(_) | Pending::Leave(_))
        }
        Raised::Prompt(prompt) => matches!(prompt.purpose, Purpose::Search(_)),
        Raised::Overlay(_) => false,
    };
    cx.hands.part_waiting(leads_on);
}

/// Forgets the fetch for the next page.
pub(in crate::app) fn drop_loading(cx: &mut Cx<'_>) -> Vec<Effect> {
    forget_waiting(cx);
    withdraw_question(cx);
    cx.tab.given_up = None;
    cx.tab.loading.take().map(|loading| Effect::Cancel(loading.id)).into_iter().collect()
}

/// Reads the page in view again, by another charset or type, from the octets that are kept of it; `None` when they are not. The
/// reader is told when it is done; without words for that it is shown at a place of its own.
pub(in crate::app) fn reread(
    cx: &mut Cx<'_>,
    wanted: &str,
    said: Option<&str>,
    asked: Option<Said>,
) -> Option<Vec<Effect>> {
    let (at, entry) = (cx.tab.at, cx.entry()?);
    let page = entry.page.as_deref()?;
    let mut intake = intake::intake(cx.sight(), wanted, &page.head);
    intake.input.charset = asked.or(intake.input.charset);
    if let Some(octets) = page.whole_source() {
        let (octets, url) = (Arc::clone(octets), entry.url.clone());
        let reread = Reread { at, url, said: said.map(Into::into), media: wanted.into() };
        let below = (page.head.media == wanted).then(|| readme::below(cx.sight(), page)).flatten();
        let work = Work::Read(Box::new(Read { intake, octets, below }));
        return Some(vec![Effect::Work { id: cx.job(Errand::Reread(Box::new(reread))), work }]);
    }
    let kept = page.state == PageState::Arriving && page.received <= intake.keep as u64;
    let id = cx.tab.arriving.iter().find(|arriving| arriving.at == at && !arriving.ended && kept)?.id;
    let said = said?.to_owned();
    if let Some(entry) = cx.entry_mut() {
        entry.as_given();
        let same = entry.page.as_deref().is_some_and(|page| page.head.media == wanted);
        if let Some(page) = entry.page.as_deref_mut() {
            let wishes = if same { page.arrangement.wishes.clone() } else { Wishes::default() };
            page.arrangement = Arrangement::by(wishes);
        }
    }
    cx.say(said);
    Some(vec![Effect::Parse { id, intake: Box::new(intake) }])
}

/// An opening that asks for the page in view again.
pub(in crate::app) fn again(sight: Sight<'_>, url: Url) -> Opening {
    // What a mirror gave once it may give again.
    let answered = sight.entry().and_then(|entry| Some(&entry.page.as_deref()?.head.url));
    let mirror = answered.filter(|other| (other.host(), other.port()) != (url.host(), url.port())).cloned();
    Opening {
        mirrors: mirror.into_iter().collect(),
        way: Way::Reload,
        aim: Aim::Page,
        media: sight.tab.media.get(&sight.tab.at).cloned(),
        consent: navigation::Consent::Agreed,
        form: address::is_filled_form(url.as_str()).then(|| url.clone()),
        led: sight.entry().and_then(|entry| entry.led.clone()),
        ..Opening::followed(url)
    }
}

/// The body in question is no more.
fn withdraw_question(cx: &mut Cx<'_>) {
    let Some(id) = cx.tab.loading.as_ref().map(|loading| loading.id) else { return };
    let about = |overlay: &Overlay| matches!(overlay, Overlay::Question { pending: Pending::Body(b), .. } if *b == id);
    cx.hands.retain(|overlay| !about(overlay));
    cx.hands
        .retain_prompts(|prompt| !matches!(&prompt.purpose, Purpose::Program(Target::Body(body, _)) if *body == id));
}
