//! The path of the session: arriving at places, going back and forward, up and to the root, reloading.

use super::arrival::{self, Arriving};
use super::opening::{self, Aim, Consent, Opening, Way};
use super::{
    App, Effect, Entry, FetchId, ListKind, Overlay, Page, PageState, PromptKind, Sent, news, own, reading, searching,
    web_form,
};
use crate::doc::Anchor;
use crate::proto::Within;
use crate::url::{BaseStack, Url};

/// Puts a page in its place and the reader before it.
pub(super) fn arrive(app: &mut App, opening: &Opening, base: Url, page: Page, id: Option<FetchId>) -> Vec<Effect> {
    let url = opening.public().clone();
    let bases = bases(app, base, page.head.within.as_deref());
    let fragment = url.fragment().filter(|f| !f.is_empty()).map(Into::into);
    let failed = page.is_error();
    let known = match opening.way {
        Way::New | Way::Instead => None,
        Way::Reload => Some(app.tab.at),
        Way::Place(at) => Some(at),
    }
    .filter(|at| app.tab.history.get(*at).is_some_and(|entry| entry.url == url));
    let old = known.map(|at| app.tab.history[at].given_place());
    let (wanted, lost) = if failed { (None, old) } else { (old, None) };
    let (at, mut effects) = match known {
        None if opening.way == Way::Instead => {
            let mut effects = forget_after(app, app.tab.at);
            effects.extend(abandon(app, app.tab.at));
            (app.tab.at, effects)
        }
        Some(at) => (at, abandon(app, at)),
        None => {
            let effects = forget_after(app, app.tab.at);
            (app.tab.history.len(), effects)
        }
    };
    let (sent, hops) = (opening.sent.clone(), opening.hops.clone());
    let filled = known.map(|at| std::mem::take(&mut app.tab.history[at].filled)).unwrap_or_default();
    let titled = known.and_then(|at| app.tab.history[at].titled.take());
    let (top, focus, left, page) = (Anchor::default(), None, 0, Some(Box::new(page)));
    let (url_kept, forgotten) = (url.clone(), false);
    let entry =
        Entry { url: url_kept, bases, top, focus, left, sent, hops, filled, titled, wanted: lost, forgotten, page };
    match app.tab.history.get_mut(at) {
        Some(place) => {
            let old = place.page.take();
            *place = entry;
            if opening.way != Way::Instead {
                place.arrange_as(old);
            }
        }
        None => app.tab.history.push(entry),
    }
    match &opening.media {
        Some(media) => app.tab.media.insert(at, media.clone()),
        None => app.tab.media.remove(&at),
    };
    if let Some(id) = id {
        let fragment = fragment.filter(|_| wanted.is_none());
        app.tab.arriving.push(Arriving { id, at, wanted, fragment });
        effects.extend(own::history::visited(app, opening));
    }
    enter(app, at);
    effects.extend(super::memory::trim(app));
    effects
}

/// The bases of a place; those of a part are its message's (BASE-04).
fn bases(app: &App, retrieved: Url, within: Option<&Within>) -> BaseStack {
    let retrieved = within.map_or(retrieved, |within| within.url.clone());
    let mut bases = BaseStack::retrieved(retrieved.without_fragment(), app.choices.base.clone());
    if let Some(within) = within {
        within.base.clone().into_iter().for_each(|base| bases.set_entity(base));
        within.siblings.clone().into_iter().for_each(|siblings| bases.set_siblings(siblings));
    }
    bases
}

/// The page in view changes: what was laid over the old one goes.
fn enter(app: &mut App, at: usize) {
    app.tab.at = at;
    app.tab.found = None;
    app.tab.matches = None;
    app.tab.search = None;
    app.tab.awaited = false;
    app.tab.marked = None;
    app.hints.clear();
    app.overlays.retain(|overlay| match overlay {
        Overlay::Text { title, .. } => title != super::anatomy::TITLE,
        Overlay::List { kind, .. } => *kind == ListKind::Downloads,
        Overlay::Question { .. } | Overlay::Form(_) => true,
    });
    let bound = [PromptKind::Find, PromptKind::FindLink, PromptKind::Number, PromptKind::Hint, PromptKind::Filter];
    let field = [PromptKind::Field, PromptKind::Password, PromptKind::Upload];
    if app.prompt.as_ref().is_some_and(|prompt| bound.contains(&prompt.kind) || field.contains(&prompt.kind)) {
        app.prompt = None;
    }
    reading::settle(app);
}

/// Stops what still arrives for a place.
fn abandon(app: &mut App, at: usize) -> Vec<Effect> {
    let (gone, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut app.tab.arriving).into_iter().partition(|a| a.at == at);
    app.tab.arriving = kept;
    gone.into_iter().map(|a| Effect::Cancel(a.id)).collect()
}

/// Forgets the places after one, as any new step does.
fn forget_after(app: &mut App, at: usize) -> Vec<Effect> {
    let keep = (at + 1).min(app.tab.history.len());
    let effects = (keep..app.tab.history.len()).flat_map(|i| abandon(app, i)).collect();
    app.tab.history.truncate(keep);
    app.tab.media.retain(|i, _| *i < keep);
    effects
}

/// A step within the document in view makes a place without a fetch (FRAG-04, FRAG-07). `None` for any other URL.
pub(super) fn within(app: &mut App, opening: &Opening) -> Option<Vec<Effect>> {
    let same = app.entry()?.url.without_fragment() == opening.url.without_fragment();
    let jump = opening.url.fragment().is_some() && opening.way == Way::New && opening.aim == Aim::Page;
    let plain = opening.media == app.tab.media.get(&app.tab.at).cloned() && opening.sent.is_none();
    (same && jump && plain && app.entry()?.page.is_some()).then(|| jump_to(app, opening.url.fragment()))
}

/// Goes to a fragment of the document in view; the start for none or an empty one (D29).
pub(super) fn jump_to(app: &mut App, fragment: Option<&str>) -> Vec<Effect> {
    let layout = app.layout();
    let Some(entry) = app.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let name = fragment.unwrap_or_default();
    let found = if name.is_empty() { Some(Anchor::default()) } else { arrival::fragment(page.document(), name) };
    let arriving = app.tab.arriving.iter().any(|a| a.at == app.tab.at);
    let Some(anchor) = found else {
        let wait = if arriving { ", it may still come" } else { "" };
        app.complain(format!("this page has no place named \"{name}\"{wait}"));
        return Vec::new();
    };
    let top = layout.line_start(page.document(), anchor);
    let (url, bases) = (entry.url.with_fragment(fragment), entry.bases.clone());
    let (sent, hops) = (entry.sent.clone(), entry.hops.clone());
    let mut effects = forget_after(app, app.tab.at);
    let at = app.tab.at;
    // One document, two places: the page moves on with the reader and back again with them.
    let page = app.tab.history[at].page.take();
    let filled = std::mem::take(&mut app.tab.history[at].filled);
    app.tab.arriving.iter_mut().filter(|a| a.at == at).for_each(|a| (a.at, a.wanted) = (at + 1, None));
    if let Some(media) = app.tab.media.get(&at).cloned() {
        app.tab.media.insert(at + 1, media);
    }
    let (focus, left, titled, wanted) = (None, 0, None, None);
    let forgotten = false;
    app.tab.history.push(Entry { url, bases, top, focus, left, sent, hops, filled, titled, wanted, forgotten, page });
    enter(app, at + 1);
    effects.extend(super::memory::trim(app));
    effects
}

/// Goes to a place of history: at once when its page is kept, else by fetching it again.
pub(super) fn visit(app: &mut App, to: usize) -> Vec<Effect> {
    if to == app.tab.at || to >= app.tab.history.len() {
        return Vec::new();
    }
    if app.tab.history[to].page.is_none() {
        share(app, to);
    }
    if app.tab.history[to].page.is_some() {
        let effects = arrival::drop_loading(app);
        enter(app, to);
        return effects;
    }
    fetch(app, to)
}

/// The tab in view has come back to the front: its page is fetched again if memory was needed elsewhere.
pub(super) fn bring_back(app: &mut App) -> Vec<Effect> {
    let at = app.tab.at;
    let under_way = app.tab.loading.is_some() || !app.tab.held.is_empty();
    if under_way || app.entry().is_none_or(|entry| entry.page.is_some()) {
        return Vec::new();
    }
    share(app, at);
    match app.tab.history[at].page {
        Some(_) => {
            enter(app, at);
            Vec::new()
        }
        None => fetch(app, at),
    }
}

/// Fetches the page of a place again.
fn fetch(app: &mut App, to: usize) -> Vec<Effect> {
    let (url, media) = (app.tab.history[to].url.clone(), app.tab.media.get(&to).cloned());
    let opening = Opening { way: Way::Place(to), media, consent: Consent::Agreed, ..Opening::followed(url) };
    let opening = web_form::resent(&app.tab.history[to], opening);
    opening::go(app, opening)
}

/// Steps within one document share its page: it goes to the place that is visited.
fn share(app: &mut App, to: usize) {
    let document = |i: &usize| document_at(app, *i) == document_at(app, to);
    let before = (0..to).rev().take_while(document);
    let after = (to + 1..app.tab.history.len()).take_while(document);
    let Some(from) = before.chain(after).find(|i| app.tab.history[*i].page.is_some()) else { return };
    app.tab.history[to].page = app.tab.history[from].page.take();
    app.tab.history[to].bases = app.tab.history[from].bases.clone();
    app.tab.history[to].filled = std::mem::take(&mut app.tab.history[from].filled);
    app.tab.arriving.iter_mut().filter(|a| a.at == from).for_each(|a| (a.at, a.wanted) = (to, None));
}

fn document_at(app: &App, at: usize) -> Option<(Url, Option<&String>, Option<&Sent>)> {
    app.tab.history.get(at).map(|entry| (entry.url.without_fragment(), app.tab.media.get(&at), entry.sent.as_ref()))
}

/// One place back.
pub(super) fn back(app: &mut App, _: &str) -> Vec<Effect> {
    match app.tab.at.checked_sub(1) {
        Some(to) => visit(app, to),
        None => {
            app.say("this is the first page");
            Vec::new()
        }
    }
}

/// One place forward.
pub(super) fn forward(app: &mut App, _: &str) -> Vec<Effect> {
    if app.tab.at + 1 >= app.tab.history.len() {
        app.say("this is the last page");
    }
    visit(app, app.tab.at + 1)
}

/// One level up in the space of the page.
pub(super) fn parent(app: &mut App, _: &str) -> Vec<Effect> {
    climb(app, crate::url::scheme::up, "there is nothing above this page")
}

/// The root of the space of the page.
pub(super) fn root(app: &mut App, _: &str) -> Vec<Effect> {
    climb(app, crate::url::scheme::root, "this space has no root")
}

fn climb(app: &mut App, way: fn(&Url) -> Option<Url>, none: &str) -> Vec<Effect> {
    let Some(url) = app.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    if way(&url).is_none()
        && let Some(effects) = news::up(app)
    {
        return effects;
    }
    match way(&url) {
        Some(above) if above != url => {
            opening::go(app, Opening { consent: Consent::Agreed, ..Opening::followed(above) })
        }
        _ => {
            app.say(none);
            Vec::new()
        }
    }
}

/// The page again, from where it came; the place is kept.
pub(super) fn reload(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(entry) = app.entry() else { return Vec::new() };
    let mut opening = arrival::again(app, entry.url.clone());
    if opening::is_filled_form(entry.url.as_str()) {
        // Sending answers again is the reader's to decide (SEC-05).
        opening.consent = Consent::Followed;
    }
    let opening = web_form::resent(entry, opening);
    opening::go(app, opening)
}

/// What tells the copy of the page that is here from a newer one, when the page in view is asked for again.
pub(super) fn copy_here(app: &App, opening: &Opening) -> Option<String> {
    let again = opening.way == Way::Reload && opening.sent.is_none();
    let entry = app.entry().filter(|entry| again && entry.url == opening.url)?;
    let page = entry.page.as_deref().filter(|page| page.state == PageState::Complete)?;
    page.head.validator.clone()
}

/// Ends what is being fetched; when nothing is, the highlights of a search.
pub(super) fn stop(app: &mut App, _: &str) -> Vec<Effect> {
    arrival::stop(app).unwrap_or_else(|| {
        searching::clear(app);
        Vec::new()
    })
}

/// The home page.
pub(super) fn home(app: &mut App, _: &str) -> Vec<Effect> {
    match crate::url::complete::complete(&app.settings.home, None, app.choices.home_folder.as_deref()) {
        Ok(completed) => opening::go(app, Opening::typed(completed.url)),
        Err(error) => {
            app.complain(error.to_string());
            Vec::new()
        }
    }
}
