//! Tabs: opened, closed, opened again, moved, gone to. The one in view is [`App::tab`]; the others wait behind it.

use super::asking::ask;
use super::opening::{self, Opening};
use super::saving::Purpose;
use super::{
    App, Effect, Label, ListItem, ListKind, Overlay, Pending, PromptKind, Tab, TabState, asking, behind, focus,
    journey, lists, news, own, part, scroll, searching,
};
use crate::url::Url;

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
    /// While something happens in a tab behind: where the one in view stands meanwhile.
    pub(super) away: Option<usize>,
    steps: u64,
}

/// The places of all tabs, also of those that were closed.
pub(super) fn places(app: &mut App) -> impl Iterator<Item = &mut super::Entry> {
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
    app.tab = tabs.remove(front);
    app.tabs = Tabs { behind: tabs, at: front, ..Tabs::default() };
}

/// Puts a tab among those behind, at a place in the order of all.
fn insert(app: &mut App, at: usize, tab: Tab) {
    let tab = Tab { touched: app.tabs.step(), ..tab };
    if at <= app.tabs.at {
        app.tabs.behind.insert(at, tab);
        app.tabs.at += 1;
    } else {
        app.tabs.behind.insert(at - 1, tab);
    }
    // The line of tabs may have taken a row.
    scroll::keep_in_view(app);
}

/// Brings a tab to the front, by its place in the order.
pub(super) fn show(app: &mut App, to: usize) -> Vec<Effect> {
    if to == app.tabs.at || to >= app.tab_count() {
        return Vec::new();
    }
    app.tab.touched = app.tabs.step();
    let carried = leave(app);
    let left = std::mem::take(&mut app.tab);
    app.tabs.behind.insert(app.tabs.at, left);
    come(app, to, carried)
}

/// Leaves the tab in view; gives the questions that go along with the reader.
fn leave(app: &mut App) -> Vec<Overlay> {
    app.hints.clear();
    let questions = std::mem::take(&mut app.tab.questions);
    let (own, carried) = questions.into_iter().partition(is_of_tab);
    app.tab.questions = own;
    carried
}

/// Whether a question is about what a tab opens, and not about files, programs and the like.
fn is_of_tab(question: &Overlay) -> bool {
    match question {
        Overlay::Question { pending, .. } => matches!(pending, Pending::Open(_) | Pending::Body(_) | Pending::Upload),
        Overlay::Form(_) | Overlay::Text { .. } | Overlay::List { .. } => true,
    }
}

/// The tab in view has gone among those behind, or away; another comes to the front.
fn come(app: &mut App, to: usize, carried: Vec<Overlay>) -> Vec<Effect> {
    app.tab = app.tabs.behind.remove(to);
    app.tabs.at = to;
    app.tab.questions.extend(carried);
    (app.tab.unseen, app.tab.fresh) = (false, false);
    if let Some(note) = app.tab.said.take() {
        app.note = Some(note);
    }
    if let Some((prompt, purpose)) = app.tab.asked.take_if(|_| app.prompt.is_none()) {
        (app.prompt, app.purpose) = (Some(prompt), purpose);
    }
    scroll::keep_in_view(app);
    let mut effects = journey::bring_back(app);
    effects.extend(searching::more(app));
    effects
}

/// A tab of its own for a link, which closes by itself when nothing comes of it.
fn of_link(app: &App) -> Tab {
    let opener = app.entry().map(|entry| entry.url.clone());
    Tab { opener, private: app.tab.private, fresh: true, ..Tab::default() }
}

/// What the link under focus opens elsewhere than here; says so when it opens nothing.
fn link(app: &mut App) -> Option<Opening> {
    let link = super::reading::focus(app);
    let fold = |link| app.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.is_fold(link));
    if link.is_some_and(fold) {
        app.say("this opens and closes lines of the page, and no other page");
        return None;
    }
    let url = focus::target(app)?;
    let url = news::here(app, &url).unwrap_or(url);
    let mirrors = link.map(|link| focus::mirrors(app, link)).unwrap_or_default();
    Some(part::taken(app, Opening { mirrors, ..Opening::followed(url) }))
}

/// The link under focus in a new tab, in front.
pub(super) fn follow(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = own::bookmarks::open_folder(app, true) {
        return effects;
    }
    let Some(opening) = link(app) else { return Vec::new() };
    let tab = of_link(app);
    let mut effects = front(app, tab);
    effects.extend(opening::go(app, opening));
    effects
}

/// The link under focus in a new tab behind.
pub(super) fn follow_behind(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = own::bookmarks::open_folder(app, false) {
        return effects;
    }
    let Some(opening) = link(app) else { return Vec::new() };
    let at = next_behind(app);
    app.say(format!("opened behind, tab {}", at + 2));
    open_behind(app, opening)
}

/// The place among the tabs behind of the next one that is opened from here: after those that were already.
fn next_behind(app: &App) -> usize {
    app.tabs.at + app.tabs.behind[app.tabs.at..].iter().take_while(|tab| tab.fresh).count()
}

fn open_behind(app: &mut App, opening: Opening) -> Vec<Effect> {
    let (at, tab) = (next_behind(app), of_link(app));
    insert(app, at + 1, tab);
    behind::run(app, at, |app| opening::go(app, opening))
}

/// Places in new tabs behind, in order; with `front` the first of them comes to the front.
pub(super) fn open_all(app: &mut App, urls: Vec<Url>, front: bool) -> Vec<Effect> {
    let (first, count) = (next_behind(app), urls.len());
    let mut effects: Vec<Effect> = Vec::new();
    for url in urls {
        effects.extend(open_behind(app, Opening::followed(url)));
    }
    if front {
        effects.extend(show(app, first + 1));
    }
    let behind = if front { "" } else { " behind" };
    match count {
        0 => app.say("there is nothing in it to open"),
        1 => app.say(format!("opened{behind}, tab {}", first + 2)),
        _ => app.say(format!("{count} opened{behind}, tabs {} to {}", first + 2, first + 1 + count)),
    }
    effects
}

/// Puts a new tab after the one in view and brings it to the front.
fn front(app: &mut App, tab: Tab) -> Vec<Effect> {
    let at = app.tabs.at + 1;
    insert(app, at, tab);
    show(app, at)
}

/// An address from outside in a new tab behind the others.
pub(super) fn add_behind(app: &mut App, opening: Opening) -> Vec<Effect> {
    let at = app.tabs.behind.len();
    insert(app, at + 1, Tab { fresh: true, ..Tab::default() });
    behind::run(app, at, |app| opening::go(app, opening))
}

/// The same in front of all.
pub(super) fn add(app: &mut App, opening: Opening) -> Vec<Effect> {
    let at = app.tab_count();
    insert(app, at, Tab::default());
    let mut effects = show(app, at);
    effects.extend(opening::go(app, opening));
    effects
}

/// `new-tab`, or `new-tab ADDRESS`.
pub(super) fn new(app: &mut App, address: &str) -> Vec<Effect> {
    open(app, Tab::default(), "open", address)
}

/// `private`, or `private ADDRESS`: a tab of which nothing is kept.
pub(super) fn private(app: &mut App, address: &str) -> Vec<Effect> {
    open(app, Tab { private: true, ..Tab::default() }, "open in private", address)
}

fn open(app: &mut App, tab: Tab, label: &str, address: &str) -> Vec<Effect> {
    let mut effects = front(app, tab);
    ask(app, PromptKind::Open, label, address, None);
    if !address.is_empty() {
        effects.extend(asking::accept(app, ""));
    }
    effects
}

/// Closes the tab in view; the one that was in view before it comes to the front.
pub(super) fn close(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(last) = last_seen(app) else {
        let quit = app.key_for("quit").map(|key| format!("; {key} quits")).unwrap_or_default();
        app.say(format!("this is the only tab{quit}"));
        return Vec::new();
    };
    let carried = leave(app);
    let at = app.tabs.at;
    let tab = std::mem::take(&mut app.tab);
    let keeps = !tab.private;
    let (closed, mut effects) = tab.end();
    if keeps && !closed.history.is_empty() {
        app.tabs.closed.push((at, closed));
        let excess = app.tabs.closed.len().saturating_sub(CLOSED);
        app.tabs.closed.drain(..excess);
    }
    effects.extend(come(app, last, carried));
    effects
}

/// The tab behind that was in view last, by its place among those behind.
fn last_seen(app: &App) -> Option<usize> {
    // One that was never seen is no place to return to.
    let seen = |tab: &Tab| (!tab.fresh, tab.touched);
    (0..app.tabs.behind.len()).max_by_key(|at| seen(&app.tabs.behind[*at]))
}

/// Opens the tab that was closed last again, where it was.
pub(super) fn reopen(app: &mut App, _: &str) -> Vec<Effect> {
    let Some((at, tab)) = app.tabs.closed.pop() else {
        app.say("no tab was closed");
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

/// Letters on every link of the screen; the one they lead to opens in a new tab.
pub(super) fn hints(app: &mut App, _: &str) -> Vec<Effect> {
    let effects = focus::hints(app, "");
    if let Some(prompt) = app.prompt.as_mut().filter(|prompt| prompt.kind == PromptKind::Hint) {
        prompt.label = "hint, new tab".into();
        app.purpose = Some(Purpose::NewTab);
    }
    effects
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
        ListItem { text: format!("{}{state} {title}", i + 1), detail: detail.join("  "), key: i as u32 }
    };
    let items = app.tabs().enumerate().map(item).collect();
    let at = app.tabs.at;
    lists::open(app, ListKind::Tabs, "Tabs", items, at)
}

/// A tab that a link opened, and nothing came of it (a file was saved, a program was started, the reader said no), closes.
pub(super) fn tend(app: &mut App) -> Vec<Effect> {
    let free = app.prompt.is_none() && app.overlays.is_empty() && app.pending_keys.is_empty();
    if free && app.tab.opener.is_some() && app.tab.is_empty() && app.tab_count() > 1 {
        return close(app, "");
    }
    Vec::new()
}

/// Where something is opened from: the page in view, else the one whose link opened the tab.
pub(super) fn opener(app: &App) -> Option<Url> {
    app.entry().map(|entry| entry.url.clone()).or_else(|| app.tab.opener.clone())
}
