//! Two panes: the tab in view and another beside it, made for that. The focus goes from one to the other as from tab to tab; what
//! comes in the one that has it not is served as in any tab behind, and drawn as it comes. What stands beside a list is in `list`.

mod list;

pub(super) use list::{back, follow, follow_link, go_on, next_page, opens, previous_page, stop, tend_news, visit};

use crate::app::internal;
use crate::app::look::anatomy;
use crate::app::motion::{scroll, window};
use crate::app::navigation::{journey, reread, siblings};
use crate::app::state::Cx;
use crate::app::state::split::{Stood, Tie};
use crate::app::{
    App, Effect, Entry, Opening, PageId, PageState, Place, Sight, Split, Tab, TabId, background, describe_field,
    navigation, news, tabs,
};
use crate::doc::LinkId;
use crate::format::media;
use crate::url::scheme::{self, Act};
use crate::url::{Resolved, Url};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the words after `split` ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// What the list names.
    List,
    /// The list that led to the page, with this item.
    Article(LinkId),
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
pub(in crate::app) const BESIDE: &[&str] = &["list", "link", "page", "source", "anatomy"];

impl App {
    /// The tab in the pane that has not the focus, where both are drawn.
    pub fn beside(&self) -> Option<Sight<'_>> {
        self.sight().panes()?;
        let tab = &self.tabs.behind[place(self)?];
        Some(Sight { tab, hands: &tab.hands, ..self.sight() })
    }
}

/// The other tab of the pair in view, by its place among those behind.
pub(in crate::app) fn place(app: &App) -> Option<usize> {
    let split = app.sight().split()?;
    let other = split.panes[1 - split.at(app.tab.id)?];
    app.tabs.behind.iter().position(|tab| tab.id == other)
}

/// Whether a tab is in the pane that has not the focus, for the reader to see.
pub(in crate::app) fn is_beside(app: &App, tab: TabId) -> bool {
    app.beside().is_some_and(|beside| beside.tab.id == tab)
}

/// `split`, or `split source`: two panes; without words, where there are two, one again.
pub(in crate::app) fn split(app: &mut App, words: &str) -> Vec<Effect> {
    if app.desk.settings.speech {
        app.say("one pane only: two pages cannot be listened to at once");
        return Vec::new();
    }
    let list = app.entry().is_some_and(|entry| entry.is_list());
    let came = siblings::came(app.sight());
    let leads = window::focus(app.sight()).and_then(|link| target(app.sight(), link)).is_some();
    let is =
        |media: &str| app.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media);
    let (plain, own) = (is(media::PLAIN), is(media::OWN));
    let beside = match words.trim() {
        "" if app.sight().split().is_some() => return only(app, ""),
        "" | "list" if list => Beside::List,
        "" | "list" if came.is_some() => came.map_or(Beside::List, Beside::Article),
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
    if !app.sight().has_room_for_two(matches!(beside, Beside::List | Beside::Article(_))) {
        app.say("there is no room for two panes here");
        return Vec::new();
    }
    let mut effects = end(app, false);
    effects.extend(match beside {
        Beside::List => {
            part(app, empty(app), Tie::List { twin: None, read: None });
            list::take_over(app)
        }
        Beside::Article(item) => list::bring(app, item),
        Beside::Anatomy => part(app, empty(app), Tie::Anatomy(None)),
        Beside::Link => match tabs::opening::behind(app) {
            Ok((tab, opening)) => {
                part(app, tab, Tie::None);
                there(app, |cx| navigation::go(cx, opening))
            }
            Err(effects) => effects,
        },
        Beside::Page | Beside::Source => again(app, beside == Beside::Source),
    });
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
    let stood = stand(app.sight()).map(|(page, before)| Stood { page, before, since: before });
    app.desk.split = Some(Split { panes, made: 1, tie, seen: false, laid: [None, None], stood });
    Vec::new()
}

/// The page in view, and where the reader stands there.
fn stand(sight: Sight<'_>) -> Option<(PageId, Place)> {
    let entry = sight.entry()?;
    Some((entry.page.as_deref()?.id, entry.given_place()))
}

/// A page has another room: what the reader looks at stays in sight.
fn settle_in_room(cx: &mut Cx<'_>) {
    let still = |cx: &Cx<'_>| {
        let stood = cx.desk.split.as_ref()?.stood?;
        (stand(cx.sight()) == Some((stood.page, stood.since))).then_some(stood)
    };
    let stood = still(cx);
    scroll::keep_in_view(cx);
    if let (Some(stood), Some((_, since)), Some(split)) = (stood, stand(cx.sight()), cx.desk.split.as_mut()) {
        split.stood = Some(Stood { since, ..stood });
    }
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
pub(in crate::app) fn other(app: &mut App, _: &str) -> Vec<Effect> {
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

/// `only`: one pane again, that which has the focus; `only other`, the other one.
pub(in crate::app) fn only(app: &mut App, words: &str) -> Vec<Effect> {
    if app.sight().split().is_none() {
        app.say("there is one pane");
        return Vec::new();
    }
    let mut effects = if words.trim() == "other" { other(app, "") } else { Vec::new() };
    effects.extend(end(app, true));
    effects
}

/// The pair is no pair any more. What was opened beside a page and never entered closes, and so does a pane in which nothing was
/// opened; all else stays as a tab.
fn end(app: &mut App, says: bool) -> Vec<Effect> {
    let mut effects = Vec::new();
    let empty = |sight: Sight<'_>| {
        let opened = sight.tab.history.len() > usize::from(sight.awaits_an_item());
        !opened && !sight.tab.is_loading()
    };
    let second = |split: &Split| split.at(app.tab.id) == Some(1);
    let (in_second, in_view) = (app.sight().split().is_some_and(second), empty(app.sight()));
    let mut is_empty = in_second && in_view;
    if is_empty {
        effects.extend(other(app, ""));
    } else if let Some(place) = place(app).filter(|_| !in_second) {
        let tab = &app.tabs.behind[place];
        is_empty = empty(Sight { tab, hands: &tab.hands, ..app.sight() });
    }
    let Some(split) = app.desk.split.take() else { return effects };
    let there = |app: &App, tab: TabId| app.tabs.behind.iter().position(|behind| behind.id == tab);
    let untouched = |tab: &Tab| {
        let filled = tab.history.iter().any(|entry| !entry.filled.is_empty());
        tab.hands.waiting().next().is_none() && !filled && tab.outgoing().is_none()
    };
    let spare =
        there(app, split.panes[split.made]).filter(|at| (is_empty || !split.seen) && untouched(&app.tabs.behind[*at]));
    let said = match spare {
        Some(at) => {
            let kept = !is_empty && !app.tabs.behind[at].private && !app.tabs.behind[at].history.is_empty();
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
    // Who has not moved since is where they were.
    let moved = split.stood.filter(|stood| stood.before != stood.since);
    if let Some(stood) = moved.filter(|stood| stand(app.sight()) == Some((stood.page, stood.since))) {
        journey::look_at(&mut app.cx(), stood.before);
    }
    scroll::keep_in_view(&mut app.cx());
    effects
}

/// A tab has ended: nothing is beside the other one of its pair.
pub(in crate::app) fn lose(app: &mut App, tab: TabId) {
    if app.desk.split.as_ref().is_some_and(|split| split.at(tab).is_some()) {
        app.desk.split = None;
    }
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

/// What follows from whatever happened: both pages stand in the room that they have, the list shows what is read, the anatomy says
/// what it takes apart.
pub(in crate::app) fn tend(app: &mut App) {
    let Some(place) = place(app) else { return };
    show_anatomy(app, place);
    list::show_what_is_read(app, place);
    let Some(split) = app.sight().split() else { return };
    let (at, before) = (split.at(app.tab.id).unwrap_or(0), split.laid);
    let room = |sight: Sight<'_>| Some((sight.pane(), sight.layout()));
    let tab = &app.tabs.behind[place];
    let beside = room(Sight { tab, hands: &tab.hands, ..app.sight() });
    let mut laid = [beside; 2];
    laid[at] = room(app.sight());
    if laid[at] != before[at] {
        settle_in_room(&mut app.cx());
    }
    if laid[1 - at] != before[1 - at] {
        background::run(app, place, |cx| {
            settle_in_room(cx);
            Vec::new()
        });
    }
    if let Some(split) = &mut app.desk.split {
        split.laid = laid;
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
