//! Two panes: the tab in view and another beside it, made for that. The focus goes from one to the other as from tab to tab; what
//! comes in the one that has it not is served as in any tab behind, and drawn as it comes.
//!
//! Beside a list stands what it names. The page that is read there has a likeness of the list behind it, as if the reader had gone
//! on from that: so one step back is the list, and all that goes along lists (the next item, the next unread article) finds it. A
//! link to another list opens in the pane of the list, and so does what is no page.

use crate::app::internal::{self, Which};
use crate::app::look::{anatomy, related};
use crate::app::motion::{focus, scroll, window};
use crate::app::navigation::{follow, journey, reread, siblings};
use crate::app::state::split::Tie;
use crate::app::{
    App, Effect, Entry, Opening, PageState, Sight, Split, Tab, TabId, Way, background, describe_field, navigation,
    news, tabs,
};
use crate::doc::LinkId;
use crate::format::media;
use crate::url::scheme::{self, Act, Family};
use crate::url::{Resolved, Url};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the words after `split` ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// What the list names.
    List,
    /// The same page.
    Page,
    /// The page that the link under focus leads to.
    Link,
    /// The page as it was received.
    Source,
    /// The anatomy of link and page.
    Anatomy,
}

/// Where an anatomy is, as a page. Nothing is fetched from there, and it is not kept.
const ANATOMY: &str = "about:anatomy";

/// The words.
pub(super) const BESIDE: &[&str] = &["list", "link", "page", "source", "anatomy"];

impl App {
    /// The tab in the pane that has not the focus, where both are drawn.
    pub fn beside(&self) -> Option<Sight<'_>> {
        self.sight().panes()?;
        let tab = &self.tabs.behind[place(self)?];
        Some(Sight { tab, hands: &tab.hands, ..self.sight() })
    }
}

/// The other tab of the pair in view, by its place among those behind.
pub(super) fn place(app: &App) -> Option<usize> {
    let split = app.sight().split()?;
    let other = split.panes[1 - split.at(app.tab.id)?];
    app.tabs.behind.iter().position(|tab| tab.id == other)
}

/// Whether a tab is in the pane that has not the focus, for the reader to see.
pub(super) fn is_beside(app: &App, tab: TabId) -> bool {
    app.beside().is_some_and(|beside| beside.tab.id == tab)
}

/// `split`, or `split source`: two panes; without words, where there are two, one again.
pub(super) fn split(app: &mut App, words: &str) -> Vec<Effect> {
    if app.desk.settings.speech {
        app.say("one pane only: two pages cannot be listened to at once");
        return Vec::new();
    }
    let list = app.entry().is_some_and(|entry| entry.is_list());
    let leads = window::focus(app.sight()).and_then(|link| target(app.sight(), link)).is_some();
    let is =
        |media: &str| app.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media);
    let (plain, own) = (is(media::PLAIN), is(media::OWN));
    let beside = match words.trim() {
        "" if app.sight().split().is_some() => return only(app, ""),
        "" if list => Beside::List,
        "" if leads => Beside::Link,
        "" if plain || own => Beside::Page,
        "" => Beside::Source,
        "list" => Beside::List,
        "page" => Beside::Page,
        "link" => Beside::Link,
        "source" => Beside::Source,
        "anatomy" => Beside::Anatomy,
        words => {
            app.complain(format!("nothing called {words} is put beside a page: {}", BESIDE.join(", ")));
            return Vec::new();
        }
    };
    if app.entry().is_none_or(|entry| entry.page.is_none()) {
        app.say("no page is here to put another one beside");
        return Vec::new();
    }
    if beside == Beside::Source && plain {
        app.say("this page is its own source");
        return Vec::new();
    }
    let mut effects = end(app, false);
    effects.extend(match beside {
        Beside::List => part(app, empty(app), Tie::List { twin: None, read: None }),
        Beside::Anatomy => part(app, empty(app), Tie::Anatomy(None)),
        Beside::Link => match tabs::behind(app) {
            Ok((tab, opening)) => {
                part(app, tab, Tie::None);
                there(app, |cx| navigation::go(cx, opening))
            }
            Err(effects) => effects,
        },
        Beside::Page | Beside::Source => again(app, beside == Beside::Source),
    });
    if app.sight().split().is_some() && app.sight().panes().is_none() {
        say_alone(app);
    }
    effects
}

/// A tab with nothing in it, for the pane beside the one in view.
fn empty(app: &App) -> Tab {
    Tab { private: app.tab.private, ..Tab::default() }
}

/// Puts a tab beside the one in view.
fn part(app: &mut App, tab: Tab, tie: Tie) -> Vec<Effect> {
    let at = app.tab_at();
    tabs::insert(app, at + 1, Tab { fresh: false, ..tab });
    let panes = [app.tab.id, app.tabs.behind[at].id];
    app.desk.split = Some(Split { panes, tie, seen: false, laid: [None, None] });
    Vec::new()
}

/// Does something in the other pane.
fn there(app: &mut App, act: impl FnOnce(&mut crate::app::state::Cx<'_>) -> Vec<Effect>) -> Vec<Effect> {
    let Some(place) = place(app) else { return Vec::new() };
    let effects = background::run(app, place, act);
    attend(app, effects)
}

/// What the other pane has to ask, the reader has to answer there; and where there is room for one pane they go to what they asked
/// for.
fn attend(app: &mut App, mut effects: Vec<Effect>) -> Vec<Effect> {
    let Some(place) = place(app) else { return effects };
    let asks = app.tabs.behind[place].hands.waiting().next().is_some();
    if asks || app.sight().panes().is_none() {
        effects.extend(other(app, ""));
    }
    effects
}

/// The same page in both panes, or its source in the other one.
fn again(app: &mut App, source: bool) -> Vec<Effect> {
    let id = app.cx().page_id();
    let whole = app.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|p| p.state != PageState::Arriving);
    let twin = app.entry().filter(|_| whole).and_then(|entry| entry.twin(id));
    let media = app.tab.media.get(&app.tab.at).cloned();
    let Some(twin) = twin else {
        let Some(opening) = journey::anew(app.sight(), source.then_some(media::PLAIN)) else { return Vec::new() };
        part(app, empty(app), Tie::None);
        return there(app, |cx| navigation::go(cx, opening));
    };
    let media: BTreeMap<usize, String> = media.into_iter().map(|media| (0, media)).collect();
    part(app, Tab { history: vec![twin], media, ..empty(app) }, Tie::None);
    if source { there(app, |cx| reread::source(cx, "")) } else { Vec::new() }
}

/// `other-pane`: the focus goes to the other one.
pub(super) fn other(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(place) = place(app) else {
        let key = app.key_for("split").map(|key| format!("; {key} makes two")).unwrap_or_default();
        app.say(format!("there is one pane{key}"));
        return Vec::new();
    };
    let to = if place < app.tab_at() { place } else { place + 1 };
    let effects = tabs::show(app, to);
    if app.sight().panes().is_none() {
        say_alone(app);
    }
    effects
}

/// Says that the other pane is there, though nobody sees it.
fn say_alone(app: &mut App) {
    if app.hands.note.is_none() {
        let key = app.key_for("other-pane").map(|key| format!("{key} shows the other pane; ")).unwrap_or_default();
        app.say(format!("{key}there is no room for two"));
    }
}

/// `only`: one pane again, that which has the focus.
pub(super) fn only(app: &mut App, _: &str) -> Vec<Effect> {
    if app.sight().split().is_none() {
        app.say("there is one pane");
        return Vec::new();
    }
    end(app, true)
}

/// The pair is no pair any more. What was opened beside a page and never entered closes; all else stays as a tab.
fn end(app: &mut App, says: bool) -> Vec<Effect> {
    let Some(split) = app.desk.split.take() else { return Vec::new() };
    let there = |app: &App, tab: TabId| app.tabs.behind.iter().position(|behind| behind.id == tab);
    let untouched =
        |tab: &Tab| tab.hands.waiting().next().is_none() && tab.history.iter().all(|entry| entry.filled.is_empty());
    let spare = there(app, split.panes[1]).filter(|at| !split.seen && untouched(&app.tabs.behind[*at]));
    let mut effects = Vec::new();
    let said = match spare {
        Some(at) => {
            let kept = !app.tabs.behind[at].private && !app.tabs.behind[at].history.is_empty();
            effects.extend(tabs::end_behind(app, at));
            let key = app.key_for("reopen-tab").filter(|_| kept);
            key.map(|key| format!("; {key} opens what was in the other as a tab")).unwrap_or_default()
        }
        None => {
            let other = split.panes.iter().find_map(|tab| there(app, *tab));
            let number = other.map(|at| if at < app.tab_at() { at + 1 } else { at + 2 });
            number.map(|number| format!("; the other is tab {number}")).unwrap_or_default()
        }
    };
    if says {
        app.say(format!("one pane{said}"));
    }
    scroll::keep_in_view(&mut app.cx());
    effects
}

/// A tab has ended: nothing is beside the other one of its pair.
pub(super) fn lose(app: &mut App, tab: TabId) {
    if app.desk.split.as_ref().is_some_and(|split| split.at(tab).is_some()) {
        app.desk.split = None;
    }
}

/// Whether the list of a pair is in view, whose items open in the other pane.
fn leads(sight: Sight<'_>) -> bool {
    sight.split().is_some_and(|split| split.is_list() && split.panes[0] == sight.tab.id)
}

/// Where a link leads, if to a page of its own.
fn target(sight: Sight<'_>, link: LinkId) -> Option<Url> {
    let entry = sight.entry()?;
    let page = entry.page.as_deref()?;
    if page.is_fold(link) || describe_field(sight, link).is_some() {
        return None;
    }
    let Ok(Resolved::Url(url)) = sight.link(link)?.target else { return None };
    let plan = scheme::plan(&news::here(sight, &url).unwrap_or_else(|| url.clone())).ok()?;
    let asks = matches!(plan.act, Act::Ask(_) | Act::Handler(_));
    (!asks && url.without_fragment() != entry.url.without_fragment()).then_some(url)
}

/// What a link of the list in view names, if that opens in the other pane: neither another list nor a page of the reader's own.
fn item(sight: Sight<'_>, link: LinkId) -> Option<Url> {
    let does = sight.entry().and_then(|entry| internal::of(&entry.url));
    if !leads(sight) || matches!(does, Some(Which::Downloads | Which::Last | Which::Settings)) {
        return None;
    }
    let url = target(sight, link)?;
    let list = match scheme::family(&url) {
        Family::Gopher => {
            let item = scheme::gopher::Gopher::of(&url).map(|gopher| gopher.item);
            matches!(item, Ok(b'1' | b'7'))
        }
        Family::File | Family::Ftp => url.path().ends_with('/'),
        Family::About => internal::of(&url).is_some(),
        family => family.is_news() && !news::is_article(&url),
    };
    (!list).then_some(url)
}

/// `follow`: the link under focus.
pub(super) fn follow(app: &mut App, words: &str) -> Vec<Effect> {
    match window::focus(app.sight()) {
        Some(link) => follow_link(app, link),
        None => follow::follow(&mut app.cx(), words),
    }
}

/// Follows a link of the page in view: an item of the list beside an article in the other pane.
pub(super) fn follow_link(app: &mut App, link: LinkId) -> Vec<Effect> {
    match item(app.sight(), link) {
        Some(url) => {
            let url = news::here(app.sight(), &url).unwrap_or(url);
            let opening = focus::opening(app.sight(), link, url);
            open(app, link, opening)
        }
        None => follow::follow_link(&mut app.cx(), link),
    }
}

/// A feature wants to open a place from the tab in view.
///
/// # Errors
/// It is no item of a list whose items open in the other pane.
pub(super) fn opens(app: &mut App, opening: Box<Opening>) -> Result<Vec<Effect>, Box<Opening>> {
    let focus = window::focus(app.sight()).filter(|_| opening.way == Way::New);
    match focus.filter(|link| item(app.sight(), *link).is_some_and(|url| url == opening.url)) {
        Some(link) => Ok(open(app, link, *opening)),
        None => Err(opening),
    }
}

/// Opens an item of the list in view in the other pane.
fn open(app: &mut App, link: LinkId, mut opening: Opening) -> Vec<Effect> {
    let Some(mut effects) = lay(app) else { return navigation::go(&mut app.cx(), opening) };
    navigation::veil(app.sight(), &mut opening);
    let led = navigation::led(app.tab.origin());
    let read = app.entry().and_then(|entry| entry.given_link(link));
    let Some(Split { tie: Tie::List { twin: Some((_, twin)), read: last }, .. }) = &mut app.desk.split else {
        return effects;
    };
    *last = read;
    let twin = *twin;
    effects.extend(there(app, |cx| {
        let is_twin = |at: usize| cx.tab.history.get(at).and_then(|e| e.page.as_deref()).is_some_and(|p| p.id == twin);
        let (at, under) = (cx.tab.at, cx.tab.at.checked_sub(1).filter(|under| is_twin(*under)));
        if let Some(list) = cx.tab.history.get_mut(under.unwrap_or(at)) {
            list.focus = Some(link);
        }
        // One item makes room for the next, but for what the reader has filled in.
        let stays = cx.entry().is_some_and(|entry| !entry.filled.is_empty());
        match under {
            Some(_) if !stays => navigation::go(cx, Opening { way: Way::Instead, item: Some(link), led, ..opening }),
            Some(_) => navigation::go(cx, Opening { item: Some(link), led, ..opening }),
            None => navigation::go(cx, opening),
        }
    }));
    effects
}

/// Lays a likeness of the list in view behind what the other pane shows, in the place of an older one; `None` where there is none.
fn lay(app: &mut App) -> Option<Vec<Effect>> {
    let place = place(app)?;
    let list = app.entry()?.page.as_deref()?.id;
    let id = app.cx().page_id();
    let twin = app.entry()?.twin(id)?;
    let media = app.tab.media.get(&app.tab.at).cloned();
    let Some(Split { tie: Tie::List { twin: known, .. }, .. }) = &mut app.desk.split else { return None };
    let known = known.replace((list, id)).filter(|(of, _)| *of == list).map(|(_, twin)| twin);
    let tab = &mut app.tabs.behind[place];
    let is_known = |at: &usize| {
        let page = tab.history.get(*at).and_then(|entry| entry.page.as_deref());
        known.is_some() && page.map(|page| page.id) == known
    };
    match [Some(tab.at), tab.at.checked_sub(1)].into_iter().flatten().find(is_known) {
        Some(at) => {
            tab.history[at] = twin;
            Some(Vec::new())
        }
        None => Some(background::run(app, place, |cx| journey::lay(cx, twin, media))),
    }
}

/// `stop`: from the list also what it has opened in the other pane.
pub(super) fn stop(app: &mut App, words: &str) -> Vec<Effect> {
    let beside =
        place(app).filter(|at| leads(app.sight()) && !app.tab.is_loading() && app.tabs.behind[*at].is_loading());
    let Some(beside) = beside else { return journey::stop(&mut app.cx(), words) };
    app.say("stopped in the other pane");
    background::run(app, beside, |cx| journey::stop(cx, words))
}

/// `next-page`: beside a list its next item, else the page that this one names.
pub(super) fn next_page(app: &mut App, words: &str) -> Vec<Effect> {
    if leads(app.sight()) { step(app, true) } else { related::next(&mut app.cx(), words) }
}

/// `previous-page`: the one before.
pub(super) fn previous_page(app: &mut App, words: &str) -> Vec<Effect> {
    if leads(app.sight()) { step(app, false) } else { related::previous(&mut app.cx(), words) }
}

/// Opens the item after the one under focus, or the one before it; that itself, as long as nothing was opened.
fn step(app: &mut App, next: bool) -> Vec<Effect> {
    let Some(link) = window::focus(app.sight()) else {
        app.say("no link under focus");
        return Vec::new();
    };
    let fresh = app.sight().split().is_some_and(|split| matches!(split.tie, Tie::List { read: None, .. }));
    let to = match fresh && item(app.sight(), link).is_some() {
        true => Some(link),
        false => siblings::after(app.sight(), link, next, |link| item(app.sight(), link).is_some()),
    };
    match to {
        Some(link) => {
            focus::go_to(&mut app.cx(), link);
            follow_link(app, link)
        }
        None => {
            app.say(if next { "this is the last item of the list" } else { "this is the first item of the list" });
            Vec::new()
        }
    }
}

/// Marks what is read in both panes: in a list only when the article beside it is.
pub(super) fn tend_news(app: &mut App) -> Vec<Effect> {
    let beside = |app: &mut App| place(app).map_or_else(Vec::new, |place| background::run(app, place, news::tend));
    if !leads(app.sight()) {
        let mut effects = news::tend(&mut app.cx());
        effects.extend(beside(app));
        return effects;
    }
    // The reader is in the list: what has come beside it does not call them back to its line.
    let last = app.news.last.take();
    let mut effects = beside(app);
    app.news.last = last;
    effects.extend(news::tend(&mut app.cx()));
    effects
}

/// What follows from whatever happened: both pages stand in the room that they have, the list shows what is read, the anatomy says
/// what it takes apart.
pub(super) fn tend(app: &mut App) {
    let Some(place) = place(app) else { return };
    show_anatomy(app, place);
    show_what_is_read(app, place);
    let Some(split) = app.sight().split() else { return };
    let (at, before) = (split.at(app.tab.id).unwrap_or(0), split.laid);
    let room = |sight: Sight<'_>| Some((sight.pane(), sight.layout()));
    let tab = &app.tabs.behind[place];
    let beside = room(Sight { tab, hands: &tab.hands, ..app.sight() });
    let mut laid = [beside; 2];
    laid[at] = room(app.sight());
    if laid[at] != before[at] {
        scroll::keep_in_view(&mut app.cx());
    }
    if laid[1 - at] != before[1 - at] {
        background::run(app, place, |cx| {
            scroll::keep_in_view(cx);
            Vec::new()
        });
    }
    if let Some(split) = &mut app.desk.split {
        split.laid = laid;
    }
}

/// The reader goes along the list where its items are shown: in the pane of the list the focus follows.
fn show_what_is_read(app: &mut App, place: usize) {
    let Some(Split { panes, tie: Tie::List { twin: Some((list, twin)), read }, .. }) = &mut app.desk.split else {
        return;
    };
    let behind = &app.tabs.behind[place];
    let (before, list, twin) = (app.tab.at.checked_sub(1), *list, *twin);
    let is = |tab: &Tab, at: usize, id| {
        tab.history.get(at).filter(|entry| entry.page.as_deref().is_some_and(|page| page.id == id)).is_some()
    };
    let Some(under) = before.filter(|under| panes[1] == app.tab.id && is(&app.tab, *under, twin)) else { return };
    let now = app.tab.history[under].given_focus();
    if now == *read || !is(behind, behind.at, list) {
        return;
    }
    *read = now;
    let page = behind.entry().and_then(|entry| entry.page.as_deref());
    if let Some(link) = now.and_then(|link| page?.shown_link(link)) {
        background::run(app, place, |cx| {
            focus::go_to(cx, link);
            Vec::new()
        });
    }
}

/// Writes the anatomy of what is under focus in the first pane into the second, where it says something else.
fn show_anatomy(app: &mut App, place: usize) {
    let Some(Split { panes, tie: Tie::Anatomy(said), .. }) = &app.desk.split else { return };
    let is_first = panes[0] == app.tab.id;
    let of = app.entry().and_then(|entry| Some((entry.focus, entry.page.as_deref()?)));
    let now = of.map(|(focus, page)| (page.id, focus, page.received));
    if !is_first || now == *said {
        return;
    }
    let Some(document) = anatomy::document(app.sight()) else { return };
    if let Some(Split { tie: Tie::Anatomy(said), .. }) = &mut app.desk.split {
        *said = now;
    }
    let Ok(url) = Url::parse(ANATOMY) else { return };
    background::run(app, place, |cx| {
        if cx.tab.history.is_empty() {
            cx.tab.history.push(Entry { forgotten: true, ..Entry::ahead(url.clone(), None) });
        }
        let mut page = internal::blank(cx, &Opening::followed(url.clone()));
        page.given = Arc::new(document);
        // The reader may have gone on from there.
        if let Some(entry) = cx.entry_mut().filter(|entry| entry.url == url) {
            entry.page = Some(Box::new(page));
            entry.stay_within();
        }
        Vec::new()
    });
}
