//! Tabs: opened, closed, opened again, moved, gone to. The one in view is [`App::tab`]; the others wait behind it.

pub(super) mod opening;

use crate::app::hands::Raised;
use crate::app::motion::scroll;
use crate::app::navigation::{journey, sending};
use crate::app::{
    App, Effect, FormOwner, Label, LastTabs, ListItem, ListKind, Overlay, Pending, Purpose, Tab, TabId, TabState,
    Wants, background, errands, handed, internal, leaving, split, transfer,
};
use crate::doc::index;
use crate::url::Url;
use crate::visits::Forget;

/// Closed tabs that can be opened again.
const CLOSED: usize = 50;

/// The tabs beside the one in view.
#[derive(Debug, Default)]
pub struct Tabs {
    /// Those behind, in order.
    pub(super) behind: Vec<Tab>,
    /// How many of them stand before the one in view.
    pub(super) at: usize,
    /// Those that were closed, the last one last, with their places in the order.
    closed: Vec<(usize, Tab)>,
    steps: u64,
    /// The last number given to a tab.
    last: u64,
    /// How much memory all pages hold at most, in octets.
    pub(super) held: usize,
}

/// The reader wants to forget where they have been: in what is kept of the tabs, too.
pub(super) fn forget(app: &mut App, what: &Forget) {
    let urls: Vec<Url> = places(app).map(|entry| entry.url.clone()).collect();
    let times: Vec<Option<i64>> = urls.iter().map(|url| internal::history::last(app.sight(), url)).collect();
    for (entry, time) in places(app).zip(times) {
        entry.forgotten |= what.concerns(entry.url.as_str(), time);
    }
    for tab in app.library.last.iter_mut().flat_map(|last| &mut last.session.tabs) {
        let at = tab.at.min(tab.places.len().saturating_sub(1));
        let before = tab.places.iter().take(at).filter(|place| what.concerns(place.url.as_str(), None)).count();
        tab.places.retain(|place| !what.concerns(place.url.as_str(), None));
        tab.at = at - before;
    }
    for last in &mut app.library.last {
        last.session.tabs.retain(|tab| !tab.places.is_empty());
    }
    app.library.last.retain(|last| !last.session.tabs.is_empty());
}

/// The places of all tabs, also of those that were closed.
fn places(app: &mut App) -> impl Iterator<Item = &mut crate::app::Entry> {
    let closed = app.tabs.closed.iter_mut().map(|(_, tab)| tab);
    let tabs = app.tabs.behind.iter_mut().chain([&mut app.tab]).chain(closed);
    tabs.flat_map(|tab| tab.history.iter_mut())
}

impl App {
    /// The tabs, in order.
    pub fn tabs(&self) -> impl Iterator<Item = &Tab> {
        let (before, after) = self.tabs.behind.split_at(self.tabs.at);
        before.iter().chain([&self.tab]).chain(after)
    }

    /// How many tabs there are; one at least.
    pub fn tab_count(&self) -> usize {
        self.tabs.behind.len() + 1
    }

    /// The place of the tab in view, from 0.
    pub fn tab_at(&self) -> usize {
        self.tabs.at
    }
}

impl Tabs {
    fn step(&mut self) -> u64 {
        self.steps += 1;
        self.steps
    }
}

/// Begins with tabs of an earlier run, one at least, that of the number `front` in view.
pub(super) fn begin(app: &mut App, mut tabs: Vec<Tab>, front: usize) {
    let front = front.min(tabs.len().saturating_sub(1));
    let mut last = 0;
    for tab in &mut tabs {
        tab.id = TabId(last);
        last += 1;
    }
    app.desk.split = None;
    app.tab = tabs.remove(front);
    app.tabs = Tabs { behind: tabs, at: front, last, ..Tabs::default() };
}

/// Puts a tab among those behind, at a place in the order of all.
pub(super) fn insert(app: &mut App, at: usize, tab: Tab) {
    app.tabs.last += 1;
    let mut tab = Tab { id: TabId(app.tabs.last), touched: app.tabs.step(), ..tab };
    // What may be opened in it is of the page in view.
    tab.veil.join(&app.tab.veil);
    if at <= app.tabs.at {
        app.tabs.behind.insert(at, tab);
        app.tabs.at += 1;
    } else {
        app.tabs.behind.insert(at - 1, tab);
    }
    // The line of tabs may have taken a row.
    scroll::keep_in_view(&mut app.cx());
}

/// The list of what is under way keeps up with what is being sent from tabs.
pub(super) fn note_outgoing(app: &mut App) {
    let outgoing: Vec<_> =
        app.tabs().enumerate().filter_map(|(at, tab)| tab.outgoing().map(|outgoing| (at, outgoing))).collect();
    if outgoing != app.transfers.outgoing {
        app.transfers.outgoing = outgoing;
        transfer::refresh_list(&mut app.cx());
    }
}

/// Puts a tab behind all others.
pub(super) fn put_behind(app: &mut App, tab: Tab) {
    insert(app, app.tab_count(), tab);
}

/// The tabs that show, or are about to show, the place that another one shows, by their places in the order.
pub(super) fn showing(app: &App, other: &Tab) -> impl Iterator<Item = usize> {
    let url = other.entry().map(|entry| &entry.url);
    let shows = |tab: &Tab| {
        let loading = tab.loading.as_ref().map(|loading| loading.opening.public()).filter(|_| tab.history.is_empty());
        !tab.private && url.is_some() && tab.entry().map(|entry| &entry.url).or(loading) == url
    };
    let all: Vec<usize> = app.tabs().enumerate().filter(|(_, tab)| shows(tab)).map(|(at, _)| at).collect();
    all.into_iter()
}

/// Gives a tab that has been nowhere else the path of another one that shows the same place; that one is given back where it would
/// lose something so.
pub(super) fn join(app: &mut App, at: usize, other: Tab) -> Option<Tab> {
    let tab = match at.checked_sub(app.tabs.at) {
        Some(0) => Some(&mut app.tab),
        Some(_) => app.tabs.behind.get_mut(at - 1),
        None => app.tabs.behind.get_mut(at),
    };
    let filled = other.entry().is_some_and(|entry| !entry.filled.is_empty());
    let rests = |tab: &&mut Tab| {
        tab.loading.is_none() && tab.arriving.is_empty() && tab.media.is_empty() && tab.history.len() == 1
    };
    match tab.filter(rests) {
        _ if filled => Some(other),
        // It has no path.
        None => Some(other).filter(|other| other.history.len() > 1),
        Some(tab) => {
            let mut path = other.history;
            if let (Some(place), Some(own)) = (path.get_mut(other.at), tab.history.pop()) {
                *place = own;
                (tab.history, tab.at, tab.media) = (path, other.at, other.media);
            }
            None
        }
    }
}

/// Brings a tab to the front, by its place in the order.
pub(super) fn show(app: &mut App, to: usize) -> Vec<Effect> {
    if to == app.tabs.at || to >= app.tab_count() {
        return Vec::new();
    }
    app.tab.touched = app.tabs.step();
    leave(app);
    let left = std::mem::take(&mut app.tab);
    app.tabs.behind.insert(app.tabs.at, left);
    come(app, to)
}

/// Leaves the tab in view: what is about it waits in it; what is not goes along with the reader.
fn leave(app: &mut App) {
    app.hands.hints.clear();
    // Until it is in view again others may have read on.
    app.tab.looked = None;
    let own = app.hands.part_waiting(is_of_tab);
    app.tab.hands.wait_too(own);
}

/// Whether something is about what a tab opens, and not about files, programs and the like.
fn is_of_tab(raised: &Raised) -> bool {
    match raised {
        Raised::Overlay(Overlay::Question { pending, .. }) => {
            matches!(
                pending,
                Pending::Open(_)
                    | Pending::GoOn(_)
                    | Pending::Leave(_)
                    | Pending::Body(_)
                    | Pending::Upload(_)
                    | Pending::Send(_)
            )
        }
        Raised::Overlay(Overlay::Text { owner, .. }) => owner.is_anatomy(),
        Raised::Overlay(Overlay::Form(form)) => match &form.owner {
            FormOwner::Login(wants) => matches!(**wants, Wants::Place(_)),
            FormOwner::Gopher(_) | FormOwner::Area(_) | FormOwner::Playground => true,
            FormOwner::Bookmark(_) => false,
        },
        Raised::Overlay(Overlay::List { kind, .. }) => kind.is_of_page(),
        Raised::Prompt(prompt) => matches!(
            prompt.purpose,
            Purpose::Search(_)
                | Purpose::File(_)
                | Purpose::Token(_)
                | Purpose::Field(_)
                | Purpose::FindBack
                | Purpose::Kind
        ),
    }
}

/// The tab in view has gone among those behind, or away; another comes to the front.
fn come(app: &mut App, to: usize) -> Vec<Effect> {
    app.tab = app.tabs.behind.remove(to);
    app.tabs.at = to;
    (app.tab.unseen, app.tab.fresh) = (false, false);
    if let Some(split) = app.desk.split.as_mut() {
        split.seen |= split.panes[split.made] == app.tab.id;
    }
    let mut waited = std::mem::take(&mut app.tab.hands);
    if let Some(note) = waited.note.take() {
        app.hands.note = Some(note);
    }
    app.hands.wait_too(waited.part_waiting(|_| true));
    scroll::keep_in_view(&mut app.cx());
    let mut effects = journey::bring_back(&mut app.cx());
    if let Some(beside) = split::place(app) {
        effects.extend(background::run(app, beside, journey::bring_back));
    }
    effects
}

/// Closes the tab in view; the one that was in view before it comes to the front. `close-tab quit` leaves the program by the last.
pub(super) fn close(app: &mut App, word: &str) -> Vec<Effect> {
    let Some(last) = last_seen(app) else {
        if word == "quit" {
            return leaving::quit(app, "");
        }
        let quit = app.key_for("quit").map(|key| format!("; {key} quits")).unwrap_or_default();
        app.say(format!("this is the only tab{quit}"));
        return Vec::new();
    };
    if let Some(effects) = sending::refuse(&mut app.cx()) {
        return effects;
    }
    let mut effects = away(app);
    effects.extend(come(app, last));
    effects
}

/// The tab in view ends; another is to come.
fn away(app: &mut App) -> Vec<Effect> {
    leave(app);
    let (at, tab) = (app.tabs.at, std::mem::take(&mut app.tab));
    end(app, at, tab)
}

/// Ends a tab that stood at a place in the order.
fn end(app: &mut App, at: usize, tab: Tab) -> Vec<Effect> {
    let keeps = !tab.private;
    split::lose(app, tab.id);
    let effects = errands::give_up(app, &tab);
    if !keeps && !app.tabs().any(|tab| tab.private) {
        app.desk.logins.retain(|whose, _| !whose.private);
    }
    let closed = tab.end(app.desk.choices.base.as_ref());
    if keeps && !closed.history.is_empty() {
        app.tabs.closed.push((at, closed));
        let excess = app.tabs.closed.len().saturating_sub(CLOSED);
        app.tabs.closed.drain(..excess);
    }
    effects
}

/// Ends a tab behind, by its place among those.
pub(super) fn end_behind(app: &mut App, behind: usize) -> Vec<Effect> {
    let at = if behind < app.tabs.at { behind } else { behind + 1 };
    let tab = app.tabs.behind.remove(behind);
    app.tabs.at -= usize::from(behind < app.tabs.at);
    end(app, at, tab)
}

/// `close-restored`: the tabs that came back go again; each can be opened again as any that was closed.
pub(super) fn close_restored(app: &mut App, _: &str) -> Vec<Effect> {
    let goes: fn(&Tab) -> bool = |tab| tab.restored && tab.outgoing().is_none();
    let count = app.tabs().filter(|tab| goes(tab)).count();
    if count == 0 {
        app.say("no tab here came back from an earlier time");
        return Vec::new();
    }
    let mut effects = Vec::new();
    // They were the tabs of the last time, and are again.
    let ended = app.desk.now.as_ref().map(|now| now.timestamp());
    let last = LastTabs { session: app.session_of(goes), ended };
    if !last.session.tabs.is_empty() {
        app.library.last.insert(0, last);
    }
    // One stays in any case.
    if count == app.tab_count() {
        effects.extend(opening::front(app, Tab::default()));
        effects.extend(journey::home(&mut app.cx(), ""));
    }
    while let Some(behind) = app.tabs.behind.iter().position(goes) {
        effects.extend(end_behind(app, behind));
    }
    if goes(&app.tab)
        && let Some(last) = last_seen(app)
    {
        effects.extend(away(app));
        effects.extend(come(app, last));
    }
    scroll::keep_in_view(&mut app.cx());
    let key = app.key_for("reopen-tab").map(|key| format!(" ({key} opens them again)")).unwrap_or_default();
    app.say(format!("{count} tab{} closed{key}", if count == 1 { " is" } else { "s are" }));
    effects
}

/// The tab behind that was in view last, by its place among those behind.
fn last_seen(app: &App) -> Option<usize> {
    // What is beside the one in view comes first; one that was never seen is no place to return to.
    let beside = split::place(app).map(|at| app.tabs.behind[at].id);
    let seen = |tab: &Tab| (beside == Some(tab.id), !tab.fresh, tab.touched);
    (0..app.tabs.behind.len()).max_by_key(|at| seen(&app.tabs.behind[*at]))
}

/// Opens the tab that was closed last again, where it was.
pub(super) fn reopen(app: &mut App, _: &str) -> Vec<Effect> {
    let Some((at, tab)) = app.tabs.closed.pop() else {
        let last = app.library.last.first().and_then(|_| app.key_for("restore"));
        let last = last.map(|key| format!("; {key} brings the tabs of the last time back")).unwrap_or_default();
        app.say(format!("no tab was closed{last}"));
        return Vec::new();
    };
    let at = at.min(app.tab_count());
    insert(app, at, tab);
    show(app, at)
}

/// The next tab; after the last comes the first.
pub(super) fn next(app: &mut App, _: &str) -> Vec<Effect> {
    turn(app, 1)
}

/// The tab before.
pub(super) fn previous(app: &mut App, _: &str) -> Vec<Effect> {
    let count = app.tab_count();
    turn(app, count - 1)
}

fn turn(app: &mut App, by: usize) -> Vec<Effect> {
    if app.tab_count() == 1 {
        app.say("this is the only tab");
    }
    let to = (app.tabs.at + by) % app.tab_count();
    show(app, to)
}

/// `tab N`.
pub(super) fn number(app: &mut App, number: &str) -> Vec<Effect> {
    match number.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
        Some(to) if to < app.tab_count() => return show(app, to),
        Some(to) => app.complain(format!("there is no tab {}", to + 1)),
        None => app.complain("tab wants the number of a tab"),
    }
    Vec::new()
}

/// `move-tab left` or `right`.
pub(super) fn shift(app: &mut App, way: &str) -> Vec<Effect> {
    let at = app.tabs.at;
    match way.trim() {
        "left" => app.tabs.at = at.saturating_sub(1),
        "right" => app.tabs.at = (at + 1).min(app.tabs.behind.len()),
        _ => app.complain("move-tab left, or move-tab right"),
    }
    Vec::new()
}

/// The list of tabs.
pub(super) fn list(app: &mut App, _: &str) -> Vec<Effect> {
    let item = |(i, tab): (usize, &Tab)| {
        let state = match tab.state() {
            TabState::Seen => "",
            TabState::Loading => " (loading)",
            TabState::Asks => " (asks)",
            TabState::Arrived => " (new)",
            TabState::Failed => " (failed)",
        };
        let (title, url) = match tab.label() {
            Some(Label::Title(title)) => (title, tab.entry().map(|entry| entry.url.redacted())),
            Some(Label::Url(url)) => (url, None),
            None => ("nothing opened yet".into(), None),
        };
        let private = tab.private.then(|| "private".to_owned());
        let detail: Vec<String> = private.into_iter().chain(url).collect();
        ListItem { text: format!("{}{state} {title}", i + 1), detail: detail.join("  "), key: index(i) }
    };
    let items: Vec<ListItem> = app.tabs().enumerate().map(item).collect();
    let at = app.tabs.at;
    app.hands.list(ListKind::Tabs, "Tabs", items, at);
    Vec::new()
}

/// A tab that a link opened, and nothing came of it (a file was saved, a program was started, the reader said no), closes.
pub(super) fn tend(app: &mut App) -> Vec<Effect> {
    if app.hands.are_free()
        && app.hands.waiting().next().is_none()
        && app.tab.opener.is_some()
        && app.tab.is_empty()
        && app.tab_count() > 1
    {
        return close(app, "");
    }
    handed::tend(app)
}
