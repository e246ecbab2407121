//! What is typed ahead: keys of news that are pressed while an article, or a group, is on its way mean what comes, and not what is
//! still in view. They wait, each counts once, and they are done one by one, each on what the one before has brought. Refuses: to
//! go on where the reader does something else, where something is to be answered, and where nothing came but a failure.

use crate::app::motion::window;
use crate::app::{App, Page, PageState, Sight, Tab, TabId, commands, news, split};
use crate::keys::Key;
use std::collections::VecDeque;

/// More keys than anybody means.
const MOST: usize = 64;
/// Commands that are about the article in view, or in a group under focus.
pub(super) const ABOUT_IT: &[&str] = &[
    "mark",
    "mark-on",
    "mark-unread",
    "mark-thread",
    "mark-below",
    "mark-to-here",
    "score",
    "watch-thread",
    "ignore-thread",
    "ignore-subject",
];
/// Commands that lead on from it.
const ON: &[&str] = &[
    "go-on",
    "next-unread",
    "previous-unread",
    "next-in-thread",
    "previous-in-thread",
    "next-thread",
    "next-group",
    "parent-article",
];
/// Commands that need all of it.
const ANSWERS: &[&str] = &["followup", "reply-mail", "forward-mail", "cancel-article", "supersede"];

/// What of a page has not come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coming {
    Nothing,
    Article,
    /// A group of which there is no article yet.
    Group,
}

/// A command line that waits, with the key that was pressed for it.
#[derive(Debug)]
pub(super) struct Waiting {
    line: String,
    key: Option<Key>,
    tab: TabId,
}

/// What waits.
#[derive(Debug, Default)]
pub(super) struct Ahead(VecDeque<Waiting>);

/// Takes a command line that must wait; false where it can be run now.
pub(super) fn takes(app: &mut App, line: &str) -> bool {
    let name = commands::named(line);
    let (on, answers) = (ON.contains(&name), ANSWERS.contains(&name));
    if !(on || answers || ABOUT_IT.contains(&name)) || !news::is_news(app.sight()) {
        return false;
    }
    let waits = match coming(&app.tab) {
        _ if comes(app) || !app.ahead.0.is_empty() => true,
        // What is at hand of it may be read, and left, before the rest comes.
        Coming::Article => answers || name == "go-on" && is_at_bottom(app.sight()),
        Coming::Group => on,
        Coming::Nothing => false,
    };
    if !waits {
        return false;
    }
    if app.ahead.0.len() < MOST {
        let (key, tab) = (app.hands.pressed, app.tab.id);
        app.ahead.0.push_back(Waiting { line: line.to_owned(), key, tab });
    }
    true
}

/// Whether an article or a group is on its way that will take the place of what is in view.
fn comes(app: &App) -> bool {
    let beside = split::place(app).map(|at| &app.tabs.behind[at]);
    let loads = |tab: &Tab| tab.loading.as_ref().is_some_and(|loading| news::is_place(&loading.opening.url));
    [Some(&app.tab), beside].into_iter().flatten().any(loads)
}

/// What of the page in view has not come.
fn coming(tab: &Tab) -> Coming {
    let arriving = |page: &&Page| page.state == PageState::Arriving;
    match tab.entry().and_then(|entry| entry.page.as_deref()).filter(arriving) {
        Some(page) if page.is_article() => Coming::Article,
        Some(page) if page.given().link_count() == 0 => Coming::Group,
        _ => Coming::Nothing,
    }
}

fn is_at_bottom(sight: Sight<'_>) -> bool {
    sight.entry().is_some_and(|entry| entry.top >= window::bottom(sight))
}

/// What is to be done now; nothing while what it waits for has not come.
pub(super) fn due(app: &mut App) -> Option<(String, Option<Key>)> {
    let first = app.ahead.0.front()?;
    let page = app.entry().and_then(|entry| entry.page.as_deref());
    let failed = page.is_some_and(Page::is_error) && !news::is_gone(app.sight());
    if first.tab != app.tab.id || failed || !app.hands.overlays().is_empty() || app.hands.prompt().is_some() {
        forget(app);
        return None;
    }
    let settles = page.is_some_and(|page| page.state != PageState::Arriving && !page.is_arranged());
    let beside = split::place(app).is_some_and(|at| coming(&app.tabs.behind[at]) != Coming::Nothing);
    if comes(app) || coming(&app.tab) != Coming::Nothing || beside || settles || app.sequence.is_some() {
        return None;
    }
    app.ahead.0.pop_front().map(|waiting| (waiting.line, waiting.key))
}

/// The reader does something else: what waits is not done. Who only moves on the page goes on waiting.
pub(super) fn overtaken(app: &mut App, name: &str) {
    let known = ON.contains(&name) || ANSWERS.contains(&name) || ABOUT_IT.contains(&name);
    if !known && !commands::moves(name) {
        forget(app);
    }
}

/// Nothing waits any more.
pub(super) fn forget(app: &mut App) {
    app.ahead.0.clear();
}
