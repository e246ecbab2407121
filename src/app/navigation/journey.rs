//! The path of the session: arriving at places, going back and forward, up and to the root, reloading.

use super::{arrival, destination, sending, siblings};
use crate::app::forms::web;
use crate::app::motion::{search, window};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::Errand;
use crate::app::tab::Arriving;
use crate::app::{
    Aim, Consent, Effect, Entry, JobId, Opening, Overlay, Page, PageState, Place, PromptKind, Sent, Sight, Way,
    internal, navigation, news,
};
use crate::doc::Anchor;
use crate::proto::{KeptCopy, Verdict, Within};
use crate::url::{BaseStack, Url, UrlError};

/// Puts a page in its place and the reader before it.
pub(in crate::app) fn arrive(
    cx: &mut Cx<'_>,
    opening: &Opening,
    base: Url,
    page: Page,
    id: Option<JobId>,
) -> Vec<Effect> {
    if opening.way != Way::Reload {
        note_place(cx);
    }
    let url = opening.public().clone();
    let bases = bases(cx.sight(), base, page.head.within.as_deref());
    let fragment = url.fragment().filter(|f| !f.is_empty()).map(Into::into);
    let failed = page.is_error();
    let known = match opening.way {
        Way::New | Way::Instead => None,
        Way::Reload => Some(cx.tab.at),
        Way::Place(at) => Some(at),
    }
    .filter(|at| cx.tab.history.get(*at).is_some_and(|entry| entry.url == url));
    let old = known.map(|at| cx.tab.history[at].given_place());
    if let Some(at) = known {
        news::keep_focus(cx, at);
    }
    let (wanted, lost) = if failed { (None, old) } else { (old.or(opening.place), None) };
    let (at, mut effects) = match known {
        None if opening.way == Way::Instead => {
            let at = news::first_step(cx.sight(), &url);
            let mut effects = forget_after(cx, at);
            effects.extend(abandon(cx, at));
            (at, effects)
        }
        Some(at) => (at, abandon(cx, at)),
        None => {
            let effects = forget_after(cx, cx.tab.at);
            (cx.tab.history.len(), effects)
        }
    };
    let (sent, hops) = (opening.sent.clone().filter(Sent::goes_with_the_page), opening.hops.clone());
    let origin = opening.origin.clone().or_else(|| cx.tab.history[known?].origin.clone());
    let (led, veil) = (opening.led.clone(), opening.veil.clone());
    let filled = known.map(|at| std::mem::take(&mut cx.tab.history[at].filled)).unwrap_or_default();
    let marked = known.map(|at| cx.tab.history[at].carry_marks()).unwrap_or_default();
    let known_as = known.and_then(|at| cx.tab.history[at].titled.take());
    let before = || cx.library.visits.of(&url).map(|visit| visit.title.to_owned()).filter(|title| !title.is_empty());
    let titled = opening.named.clone().or(known_as).or_else(before);
    let listed = opening.listed.clone().or_else(|| cx.tab.history[known?].listed.clone());
    let page = Some(Box::new(page));
    let ahead = Entry::ahead(url.clone(), None);
    let entry =
        Entry { bases, sent, hops, veil, filled, origin, led, titled, listed, marked, wanted: lost, page, ..ahead };
    let mut octets = None;
    match cx.tab.history.get_mut(at) {
        Some(place) => {
            let old = std::mem::replace(place, entry);
            let page = old.page.as_deref();
            let whole = page.filter(|page| opening.way == Way::Reload && page.state == PageState::Complete);
            octets = whole.and_then(|page| page.source.clone());
            if opening.way != Way::Instead {
                place.arrange_as(old);
            }
        }
        None => cx.tab.history.push(entry),
    }
    match &opening.media {
        Some(media) => cx.tab.media.insert(at, media.clone()),
        None => cx.tab.media.remove(&at),
    };
    if let Some(id) = id {
        let fragment = fragment.filter(|_| wanted.is_none());
        let before = at.checked_sub(1).filter(|_| known.is_none() && wanted.is_none() && fragment.is_none());
        let before = before.and_then(|before| cx.tab.history.get(before)).map(|entry| entry.url.clone());
        let below =
            before.filter(|before| crate::url::scheme::up(before).is_some_and(|up| up == cx.tab.history[at].url));
        let (ended, stopped) = (false, false);
        cx.tab.arriving.push(Arriving { id, at, wanted, fragment, below, ended, stopped, octets });
        effects.extend(internal::history::visited(cx, opening));
    }
    enter(cx, at);
    if matches!(opening.way, Way::New | Way::Instead) {
        siblings::arrived(cx, opening.item.filter(|_| opening.way == Way::Instead));
    }
    if let Some(path) = opening.draft.clone().filter(|_| !failed) {
        effects.push(Effect::Remove { id: cx.job(Errand::Removal(path.clone())), path });
    }
    cx.intend(Intent::Trim);
    effects
}

/// The bases of a place; those of a part are its message's (BASE-04).
fn bases(sight: Sight<'_>, retrieved: Url, within: Option<&Within>) -> BaseStack {
    let default = sight.desk.choices.base.clone();
    match within {
        Some(within) => within.bases(default),
        None => BaseStack::retrieved(retrieved.without_fragment(), default),
    }
}

/// The reader jumps from where they are.
pub(in crate::app) fn note_place(cx: &mut Cx<'_>) {
    let from = cx.entry().filter(|entry| entry.page.is_some()).map(|entry| (entry.url.clone(), entry.given_place()));
    cx.tab.before = from.or(cx.tab.before.take());
}

/// The page in view changes: what was laid over the old one goes.
fn enter(cx: &mut Cx<'_>, at: usize) {
    cx.tab.at = at;
    cx.tab.found = None;
    cx.tab.matches = None;
    cx.tab.search = None;
    cx.tab.at_end = false;
    (cx.tab.sought, cx.tab.linked) = (None, None);
    (cx.tab.awaited, cx.tab.unfolding, cx.tab.opened) = (false, None, None);
    cx.tab.marked = None;
    cx.hands.hints.clear();
    if !cx.hands.are_acting() {
        // A key that was meant for what lies over the page must not act on the new one.
        cx.hands.outlive_the_page();
        return window::settle(cx);
    }
    arrival::forget_waiting(cx);
    cx.hands.retain(|overlay| match overlay {
        Overlay::Text { owner, .. } => !owner.is_anatomy(),
        Overlay::List { kind, .. } => !kind.is_of_page(),
        Overlay::Question { .. } | Overlay::Form(_) => true,
    });
    cx.hands.retain_prompts(|prompt| prompt.kind != PromptKind::Hint);
    window::settle(cx);
}

/// Stops what still arrives for a place.
fn abandon(cx: &mut Cx<'_>, at: usize) -> Vec<Effect> {
    let (gone, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut cx.tab.arriving).into_iter().partition(|a| a.at == at);
    cx.tab.arriving = kept;
    gone.into_iter().map(|a| Effect::Cancel(a.id)).collect()
}

/// Forgets the places after one, as any new step does.
fn forget_after(cx: &mut Cx<'_>, at: usize) -> Vec<Effect> {
    let keep = (at + 1).min(cx.tab.history.len());
    let effects = (keep..cx.tab.history.len()).flat_map(|i| abandon(cx, i)).collect();
    cx.tab.history.truncate(keep);
    cx.tab.media.retain(|i, _| *i < keep);
    effects
}

/// A step within the document in view makes a place without a fetch (FRAG-04, FRAG-07). `None` for any other URL.
pub(in crate::app) fn within(cx: &mut Cx<'_>, opening: &Opening) -> Option<Vec<Effect>> {
    let same = cx.entry()?.url.without_fragment() == opening.url.without_fragment();
    let jump = opening.url.fragment().is_some() && opening.way == Way::New && opening.aim == Aim::Page;
    let plain = opening.media == cx.tab.media.get(&cx.tab.at).cloned() && opening.sent.is_none();
    (same && jump && plain && cx.entry()?.page.is_some()).then(|| jump_to(cx, opening.url.fragment()))
}

/// Goes to a fragment of the document in view; the start for none or an empty one (D29).
pub(in crate::app) fn jump_to(cx: &mut Cx<'_>, fragment: Option<&str>) -> Vec<Effect> {
    let layout = cx.layout();
    let Some(entry) = cx.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let name = fragment.unwrap_or_default();
    let given = destination::fragment(page.given(), name).filter(|_| !name.is_empty());
    let hidden = given.filter(|anchor| !page.shows(*anchor));
    let found = if name.is_empty() { Some(Anchor::default()) } else { destination::fragment(page.document(), name) };
    let found = found.or(hidden.map(|_| entry.top));
    let arriving = cx.tab.arriving.iter().any(|a| a.at == cx.tab.at);
    let Some(anchor) = found else {
        let wait = if arriving { ", it may still come" } else { "" };
        let said = cx.sight().veiled(format!("this page has no place named \"{name}\"{wait}"));
        cx.complain(said);
        return Vec::new();
    };
    let top = layout.line_start(page.document(), anchor);
    note_place(cx);
    let Some(entry) = cx.entry() else { return Vec::new() };
    let folded = hidden.map(|anchor| (anchor.block, name.to_owned()));
    let url = entry.url.with_fragment(fragment);
    let effects = step_ahead(cx, url, top);
    if let Some((block, name)) = folded
        && cx.page_mut().is_some_and(|page| page.unfold(&[block]))
    {
        cx.tab.opened = Some(name);
    }
    cx.intend(Intent::Trim);
    effects
}

/// Goes to a place of the document in view by a step of its own: going back undoes it.
pub(in crate::app) fn step_to(cx: &mut Cx<'_>, place: Place) -> Vec<Effect> {
    note_place(cx);
    let Some(entry) = cx.entry() else { return Vec::new() };
    let (url, top) = (entry.url.clone(), entry.top);
    let effects = step_ahead(cx, url, top);
    look_at(cx, place);
    cx.intend(Intent::Trim);
    effects
}

/// Brings the reader of the page in view to a place of it.
pub(in crate::app) fn look_at(cx: &mut Cx<'_>, place: Place) {
    let (layout, at) = (cx.layout(), cx.tab.at);
    let end = window::bottom(cx.sight());
    let Some(page) = cx.tab.history.get_mut(at).and_then(|entry| entry.page.as_deref_mut()) else { return };
    if !page.shows(place.top) {
        page.unfold(&[place.top.block]);
    }
    let shown = page.shown(place);
    let top = layout.line_start(page.document(), shown.top).min(end);
    window::look_at(cx, top);
    if let Some(entry) = cx.entry_mut() {
        (entry.focus, entry.left) = (shown.focus.or(entry.focus), shown.left);
        entry.stay_within();
    }
    window::settle(cx);
}

/// A new place that shows the document in view.
fn step_ahead(cx: &mut Cx<'_>, url: Url, top: Anchor) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let (bases, url) = (entry.bases.clone(), cx.sight().veil().url(&url).unwrap_or(url));
    let (sent, hops, origin) = (entry.sent.clone(), entry.hops.clone(), entry.origin.clone());
    let (led, veil, among) = (entry.led.clone(), entry.veil.clone(), entry.among);
    // The place before is no list now.
    let listed = among.and_then(|_| siblings::list_of(cx.sight()));
    let effects = forget_after(cx, cx.tab.at);
    let at = cx.tab.at;
    // One document, two places: the page moves on with the reader and back again with them.
    let page = cx.tab.history[at].page.take();
    let filled = std::mem::take(&mut cx.tab.history[at].filled);
    let marked = std::mem::take(&mut cx.tab.history[at].marked);
    cx.tab.arriving.iter_mut().filter(|a| a.at == at).for_each(|a| (a.at, a.wanted) = (at + 1, None));
    if let Some(media) = cx.tab.media.get(&at).cloned() {
        cx.tab.media.insert(at + 1, media);
    }
    let ahead = Entry::ahead(url, None);
    cx.tab.history.push(Entry {
        bases,
        top,
        sent,
        hops,
        veil,
        filled,
        origin,
        led,
        among,
        listed,
        marked,
        page,
        ..ahead
    });
    enter(cx, at + 1);
    effects
}

/// Goes to a place of history: at once when its page is kept, else by fetching it again.
pub(in crate::app) fn visit(cx: &mut Cx<'_>, to: usize) -> Vec<Effect> {
    if to == cx.tab.at || to >= cx.tab.history.len() {
        return Vec::new();
    }
    let opening = Opening { way: Way::Place(to), ..Opening::followed(cx.tab.history[to].url.clone()) };
    if let Some(effects) = sending::ask(cx, &opening) {
        return effects;
    }
    note_place(cx);
    if cx.tab.history[to].page.is_none() {
        share(cx, to);
    }
    if cx.tab.history[to].page.is_some() {
        let effects = arrival::drop_loading(cx);
        come_to(cx, to);
        return effects;
    }
    fetch(cx, to)
}

/// The tab in view has come back to the front: its page is fetched again if memory was needed elsewhere.
pub(in crate::app) fn bring_back(cx: &mut Cx<'_>) -> Vec<Effect> {
    let at = cx.tab.at;
    let asks = cx.hands.waiting().next().is_some() || cx.tab.hands.waiting().next().is_some();
    let under_way = cx.tab.loading.is_some() || asks;
    // What was coming back when the program was killed waits for the reader.
    if !under_way
        && !cx.tab.coming
        && let Some(effects) = copy_of_stopped(cx)
    {
        return effects;
    }
    if under_way || cx.entry().is_none_or(|entry| entry.page.is_some()) {
        return Vec::new();
    }
    share(cx, at);
    match cx.tab.history[at].page {
        Some(_) => {
            come_to(cx, at);
            Vec::new()
        }
        None => fetch(cx, at),
    }
}

/// In the place of a page that is not fetched by itself, since the program was killed with it in view, comes the copy of it.
fn copy_of_stopped(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let (at, entry) = (cx.tab.at, cx.entry_mut().filter(|entry| entry.page.is_some() && entry.restored)?);
    entry.restored = false;
    cx.tab.coming = true;
    let entry = cx.entry()?;
    let (url, led) = (entry.url.clone(), entry.led.clone());
    let media = cx.tab.media.get(&at).cloned();
    let opening = Opening { way: Way::Place(at), media, led, kept: KeptCopy::Only, ..Opening::followed(url) };
    Some(navigation::go(cx, Opening { consent: Consent::Agreed, ..opening }))
}

/// Fetches the page of a place again; of an earlier run the copy that is kept of it will do.
fn fetch(cx: &mut Cx<'_>, to: usize) -> Vec<Effect> {
    let (url, media) = (cx.tab.history[to].url.clone(), cx.tab.media.get(&to).cloned());
    let led = cx.tab.history[to].led.clone();
    cx.tab.coming = cx.tab.history[to].restored;
    let kept = if cx.tab.coming { KeptCopy::Rather } else { KeptCopy::Unwanted };
    let opening = Opening { way: Way::Place(to), media, led, kept, consent: Consent::Agreed, ..Opening::followed(url) };
    let opening = web::resent(&cx.tab.history[to], opening);
    navigation::go(cx, opening)
}

/// Steps within one document share its page: it goes to the place that is visited.
fn share(cx: &mut Cx<'_>, to: usize) {
    let document = |i: &usize| document_at(cx.sight(), *i) == document_at(cx.sight(), to);
    let before = (0..to).rev().take_while(document);
    let after = (to + 1..cx.tab.history.len()).take_while(document);
    let Some(from) = before.chain(after).find(|i| cx.tab.history[*i].page.is_some()) else { return };
    let place = cx.tab.history[to].given_place();
    cx.tab.history[to].page = cx.tab.history[from].page.take();
    cx.tab.history[to].bases = cx.tab.history[from].bases.clone();
    let filled = std::mem::take(&mut cx.tab.history[from].filled);
    let marked = std::mem::take(&mut cx.tab.history[from].marked);
    let entry = &mut cx.tab.history[to];
    entry.marked = marked;
    if filled.is_empty() {
        entry.refill();
    } else {
        entry.filled = filled;
    }
    match cx.tab.arriving.iter_mut().find(|arriving| arriving.at == from) {
        // It may not have come as far.
        Some(arriving) => {
            (arriving.at, arriving.wanted) = (to, Some(place));
            (entry.top, entry.focus, entry.left) = (Anchor::default(), None, 0);
        }
        None => entry.stay_within(),
    }
}

/// The page of a place is there: the reader is where they were, as soon as that has come.
fn come_to(cx: &mut Cx<'_>, at: usize) {
    enter(cx, at);
    destination::settle_in(cx);
    window::settle(cx);
}

fn document_at(sight: Sight<'_>, at: usize) -> Option<(Url, Option<&String>, Option<&Sent>)> {
    sight.tab.history.get(at).map(|entry| (entry.url.without_fragment(), sight.tab.media.get(&at), entry.sent.as_ref()))
}

/// Puts a page behind what is opened next, as if the reader had gone on from there.
pub(in crate::app) fn lay(cx: &mut Cx<'_>, entry: Entry, media: Option<String>) -> Vec<Effect> {
    let mut effects = arrival::drop_loading(cx);
    effects.extend(forget_after(cx, cx.tab.at));
    let at = cx.tab.history.len();
    cx.tab.history.push(entry);
    media.into_iter().for_each(|media| drop(cx.tab.media.insert(at, media)));
    enter(cx, at);
    cx.intend(Intent::Trim);
    effects
}

/// What fetches the page in view for another tab, or what it was received as.
pub(in crate::app) fn anew(sight: Sight<'_>, media: Option<&str>) -> Option<Opening> {
    let entry = sight.entry()?;
    let media = media.map(Into::into).or_else(|| sight.tab.media.get(&sight.tab.at).cloned());
    let resends = address::is_filled_form(entry.url.as_str());
    let consent = if resends { Consent::Followed } else { Consent::Agreed };
    let led = entry.led.clone();
    Some(web::resent(entry, Opening { media, consent, led, ..Opening::followed(entry.url.clone()) }))
}

/// One place back.
pub(in crate::app) fn back(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    match cx.tab.at.checked_sub(1) {
        Some(to) => visit(cx, to),
        None => {
            cx.say("this is the first page");
            Vec::new()
        }
    }
}

/// One place forward.
pub(in crate::app) fn forward(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if cx.tab.at + 1 >= cx.tab.history.len() {
        cx.say("this is the last page");
    }
    visit(cx, cx.tab.at + 1)
}

/// One level up in the space of the page.
///
/// `parent back`: from a group to the list that led to it, if there is one.
pub(in crate::app) fn parent(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if words.trim() == "back"
        && let Some(effects) = news::to_list(cx)
    {
        return effects;
    }
    // A message of a mailbox whose page is behind: back there, to one's place on it.
    if cx.entry().is_some_and(|entry| entry.url.is("file"))
        && let Some(effects) = news::up(cx)
    {
        return effects;
    }
    let leaves = cx.key_for("quit-now").filter(|_| words.trim() == "back").map(|key| format!("; {key} leaves"));
    climb(cx, crate::url::scheme::up, &format!("there is nothing above this page{}", leaves.unwrap_or_default()))
}

/// The root of the space of the page.
pub(in crate::app) fn root(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    climb(cx, crate::url::scheme::root, "this space has no root")
}

fn climb(cx: &mut Cx<'_>, way: fn(&Url) -> Option<Url>, none: &str) -> Vec<Effect> {
    let Some(url) = cx.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    if way(&url).is_none()
        && let Some(effects) = news::up(cx)
    {
        return effects;
    }
    match way(&url) {
        Some(above) if above != url => {
            navigation::go(cx, Opening { consent: Consent::Agreed, ..Opening::followed(above) })
        }
        Some(_) => {
            cx.say("this is the root already");
            Vec::new()
        }
        None => {
            cx.say(none);
            Vec::new()
        }
    }
}

/// The page again, from where it came; the place is kept.
pub(in crate::app) fn reload(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let mut opening = arrival::again(cx.sight(), entry.url.clone());
    if address::is_filled_form(entry.url.as_str()) {
        // Sending answers again is the reader's to decide (SEC-05).
        opening.consent = Consent::Followed;
    }
    let opening = web::resent(entry, opening);
    navigation::go(cx, opening)
}

/// What tells the copy of the page that is here from a newer one, when the page in view is asked for again.
pub(in crate::app) fn copy_here(sight: Sight<'_>, opening: &Opening) -> Option<String> {
    let again = opening.way == Way::Reload && opening.sent.is_none();
    let entry = sight.entry().filter(|entry| again && entry.url == opening.url)?;
    let page = entry.page.as_deref().filter(|page| page.state == PageState::Complete)?;
    page.head.validator.clone()
}

/// The server has answered with nothing to show: the page in view stays (RFC 9110, 15.3.5 and 15.3.6).
pub(in crate::app) fn stay(cx: &mut Cx<'_>, id: JobId, said: &str) -> Vec<Effect> {
    cx.tab.loading = None;
    cx.say(format!("the server has answered and shows nothing ({said}): this page stays"));
    vec![Effect::Verdict { id, verdict: Verdict::Refuse }]
}

/// Ends what is being fetched; when nothing is, the highlights of a search.
pub(in crate::app) fn stop(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    arrival::stop(cx).unwrap_or_else(|| {
        search::clear(cx);
        Vec::new()
    })
}

/// Where the home page is: the same, wherever the reader is and was.
pub(in crate::app) fn start(sight: Sight<'_>) -> Result<Url, UrlError> {
    let (settings, folder) = (&sight.desk.settings, sight.desk.choices.home_folder.as_deref());
    settings.address(&settings.home, folder, None, &|_, _| None).map(|completed| completed.url)
}

/// The home page.
pub(in crate::app) fn home(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    match start(cx.sight()) {
        Ok(url) => navigation::go(cx, Opening::typed(url)),
        Err(error) => {
            cx.complain(error.to_string());
            Vec::new()
        }
    }
}
