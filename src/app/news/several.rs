//! Many articles marked at once: a thread, what answers an article, all down to here, all from the marked line to here. `undo` takes
//! each of these back.

use super::held::{Held, held};
use super::walk::{end_of_group, look_at, open, unread};
use super::{Sight, undo};
use crate::app::Effect;
use crate::app::motion::window;
use crate::app::state::Cx;
use crate::format::count;
use crate::news::ArticleSet;

/// What becomes of articles that are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// They are read; or unread, where all of them are read.
    Turned,
    /// They are unread.
    Unread,
}

/// Marks articles of a group.
pub(super) fn turn(cx: &mut Cx<'_>, held: &Held, places: impl IntoIterator<Item = usize>, mark: Mark) -> Vec<Effect> {
    let numbers = numbers(held, places);
    let unread = numbers.iter().filter(|number| !is_read(cx.sight(), held, **number)).count();
    if mark == Mark::Unread && unread == numbers.len() && held.server.is_some() {
        cx.say(if numbers.len() == 1 { "it is unread" } else { "all of it is unread" });
        return Vec::new();
    }
    let any_unread = mark == Mark::Turned && unread > 0;
    let what = match (numbers.len(), any_unread) {
        (1, true) => "marked read".into(),
        (1, false) => "marked unread".into(),
        (many, true) => format!("{} articles marked read", count(many)),
        (many, false) => format!("{} articles marked unread", count(many)),
    };
    let many = numbers.len() > 1;
    if change(cx, held, &numbers, any_unread, what.clone()) {
        cx.say(if many { undo::told(cx.sight(), what) } else { what });
    }
    Vec::new()
}

/// Marks articles of a group read, and says how many that were, after some words.
pub(super) fn read(cx: &mut Cx<'_>, held: &Held, places: impl IntoIterator<Item = usize>, words: &str) {
    let mut numbers = numbers(held, places);
    numbers.retain(|number| !is_read(cx.sight(), held, *number));
    // Short: it stands on one line of a narrow screen, with the key that takes it back.
    let what = format!("{words}: {} read", count(numbers.len()));
    if numbers.is_empty() {
        cx.say(format!("{words}: nothing was unread"));
    } else if change(cx, held, &numbers, true, what.clone()) {
        cx.say(undo::told(cx.sight(), what));
    }
}

/// The numbers of articles.
fn numbers(held: &Held, places: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut numbers: Vec<u64> =
        places.into_iter().filter_map(|at| held.articles.get(at).and_then(|article| article.number)).collect();
    numbers.sort_unstable();
    numbers
}

fn is_read(sight: Sight<'_>, held: &Held, number: u64) -> bool {
    let newsrc = held.server.as_deref().and_then(|server| sight.news.newsrc(server));
    newsrc.and_then(|newsrc| newsrc.read(&held.group)).is_some_and(|read| read.contains(number))
}

fn change(cx: &mut Cx<'_>, held: &Held, numbers: &[u64], to_read: bool, what: String) -> bool {
    let Some(server) = held.server.as_ref().filter(|_| !numbers.is_empty()) else {
        cx.say("nothing is known of what was read here");
        return false;
    };
    let mut set = ArticleSet::new();
    numbers.iter().for_each(|number| set.insert(*number));
    let group = held.group.clone();
    undo::change(cx, server, what, std::slice::from_ref(&group), |newsrc| {
        newsrc.change(&group, |read| *read = if to_read { read.union(&set) } else { read.difference(&set) });
    })
}

/// The group whose page is here, and the article in view or under focus in it.
fn here(cx: &mut Cx<'_>) -> Option<(Held, usize)> {
    let held = held(cx).and_then(|held| held.here.map(|here| (held, here)));
    if held.is_none() {
        cx.say("no article of a group is in view or under focus");
    }
    held
}

/// `mark-thread`: the whole thread is read, and the reader goes on to the next one with something unread.
pub(in crate::app) fn mark_thread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some((held, here)) = here(cx) else { return Vec::new() };
    let thread = held.thread(here);
    let after = thread.end;
    read(cx, &held, thread, "thread");
    on_from(cx, &held, after)
}

/// `mark-on`: the article is read, and what is folded away under its row, and the reader goes on to the next unread one; on the group's
/// own page that is not opened.
pub(in crate::app) fn mark_on(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some((held, here)) = here(cx) else { return Vec::new() };
    let row = if held.is_in_view(cx.sight()) { held.row(cx.sight(), here) } else { here..here + 1 };
    let after = row.end;
    read(cx, &held, row, "article");
    on_from(cx, &held, after)
}

/// On to the next unread article, from a place and around; what was said stays to be read.
fn on_from(cx: &mut Cx<'_>, held: &Held, after: usize) -> Vec<Effect> {
    let next = unread(cx.sight(), held, (after..held.articles.len()).chain(0..after)).next();
    let said = cx.hands.note.clone();
    let effects = match next {
        Some(next) if held.is_in_view(cx.sight()) => look_at(cx, held, next),
        Some(next) => open(cx, held, next),
        None if held.is_in_view(cx.sight()) => Vec::new(),
        None => end_of_group(cx, held),
    };
    cx.hands.note = said;
    effects
}

/// `mark-below`: the article and all that answers it, and their answers; unread again where all of that is read.
pub(in crate::app) fn mark_below(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some((held, here)) = here(cx) else { return Vec::new() };
    let below = held.below(here);
    turn(cx, &held, below, Mark::Turned)
}

/// `mark-to-here`: all articles of the page down to this one are read, and what is folded away under it.
pub(in crate::app) fn mark_to_here(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some((held, here)) = here(cx) else { return Vec::new() };
    let end = if held.is_in_view(cx.sight()) { held.row(cx.sight(), here).end } else { here + 1 };
    let places = passing(cx.sight(), &held, 0..end);
    read(cx, &held, places, "down to here");
    Vec::new()
}

/// `mark-range`: all articles from the marked line to this one are read.
pub(in crate::app) fn mark_range(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(marked) = cx.tab.marked else {
        let key = cx.key_for("mark-line").map(|key| format!("; {key} marks this one")).unwrap_or_default();
        cx.say(format!("no line is marked{key}"));
        return Vec::new();
    };
    let Some((held, here)) = here(cx) else { return Vec::new() };
    let sight = cx.sight();
    let on_line = |link| {
        let anchor =
            held.shown(sight, link).zip(window::document(sight)).and_then(|(l, document)| document.link_anchor(l));
        anchor.is_some_and(|anchor| anchor.block == marked.block)
    };
    let from = held.articles.iter().position(|article| on_line(article.link));
    let Some(from) = from.filter(|_| held.is_in_view(sight)) else {
        cx.say("the marked line is no article of this group");
        return Vec::new();
    };
    let (first, last) = (from.min(here), held.row(sight, from.max(here)).end);
    let places = passing(sight, &held, first..last);
    cx.tab.marked = None;
    read(cx, &held, places, "from the mark to here");
    Vec::new()
}

/// Those of some articles that pass the filter of their page.
fn passing(sight: Sight<'_>, held: &Held, places: std::ops::Range<usize>) -> Vec<usize> {
    let page = sight.tab.history.get(held.at).and_then(|entry| entry.page.as_deref());
    let filters = page.is_some_and(|page| !page.arrangement.wishes.filter.trim().is_empty());
    places.filter(|at| !filters || held.shown(sight, held.articles[*at].link).is_some()).collect()
}
