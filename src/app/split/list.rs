//! A list and what is read of it. The page that is read has a likeness of the list behind it, as if the reader had gone on from that:
//! so one step back is the list, and all that goes along lists (the next item, the next unread article) finds it. A link to another
//! list opens in the pane of the list, and so does what is no page.

use super::{empty, other, place, stand, target, there};
use crate::app::internal::{self, Which};
use crate::app::look::related;
use crate::app::motion::{focus, window};
use crate::app::navigation::{arrival, follow, journey, siblings};
use crate::app::state::split::{Stood, Tie};
use crate::app::{
    App, Effect, Entry, Opening, Page, PageId, Sight, Split, Tab, Way, background, navigation, news, tabs,
};
use crate::doc::LinkId;
use crate::url::Url;
use crate::url::scheme::{self, Family};

/// Whether the list of a pair is in view, whose items open in the other pane.
fn leads(sight: Sight<'_>) -> bool {
    sight.split().is_some_and(|split| split.is_list() && split.panes[0] == sight.tab.id)
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
        Family::File | Family::Ftp | Family::Sftp | Family::Archive => url.path().ends_with('/'),
        Family::About => internal::of(&url).is_some(),
        family => family.is_news() && !news::is_article(&url),
    };
    (!list).then_some(url)
}

/// `follow`: the link under focus.
pub(in crate::app) fn follow(app: &mut App, words: &str) -> Vec<Effect> {
    match window::focus(app.sight()) {
        Some(link) => follow_link(app, link),
        None => follow::follow(&mut app.cx(), words),
    }
}

/// Follows a link of the page in view: an item of the list beside an article in the other pane.
pub(in crate::app) fn follow_link(app: &mut App, link: LinkId) -> Vec<Effect> {
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
pub(in crate::app) fn opens(app: &mut App, opening: Box<Opening>) -> Result<Vec<Effect>, Box<Opening>> {
    let focus = window::focus(app.sight()).filter(|_| opening.way == Way::New);
    match focus.filter(|link| item(app.sight(), *link).is_some_and(|url| url == opening.url)) {
        Some(link) => Ok(open(app, link, *opening)),
        None => Err(opening),
    }
}

/// What is on its way to the list in view comes in the other pane, if it is an item.
pub(super) fn take_over(app: &mut App) -> Vec<Effect> {
    let loading = app.tab.loading.as_ref().filter(|loading| loading.outgoing().is_none());
    let Some(opening) = loading.map(|loading| &loading.opening) else { return Vec::new() };
    let asked = opening.hops.first().map_or(&opening.url, |hop| &hop.from);
    let is_asked = |link: &LinkId| {
        let url = item(app.sight(), *link).map(|url| news::here(app.sight(), &url).unwrap_or(url));
        url.is_some_and(|url| url == *asked)
    };
    let link = window::focus(app.sight()).filter(|_| opening.way == Way::New).filter(is_asked);
    let Some((link, opening)) = link.map(|link| (link, opening.clone())) else { return Vec::new() };
    let mut effects = arrival::drop_loading(&mut app.cx());
    effects.extend(open(app, link, opening));
    effects
}

/// The list that led to the page in view comes back, in a pane of its own; the page stays where it is.
pub(super) fn bring(app: &mut App, read: LinkId) -> Vec<Effect> {
    let (id, place, at) = (app.cx().page_id(), app.tab_at(), app.tab.at.saturating_sub(1));
    let list = app.tab.history.get(at).and_then(|list| Some((list.twin(id)?, list.page.as_deref()?.id)));
    let Some((twin, behind)) = list else { return Vec::new() };
    let media = app.tab.media.get(&at).map(|media| (0, media.clone())).into_iter().collect();
    let stood = stand(app.sight()).map(|(page, before)| Stood { page, before, since: before });
    tabs::insert(app, place, Tab { history: vec![twin], media, ..empty(app) });
    let panes = [app.tabs.behind[place].id, app.tab.id];
    let tie = Tie::List { twin: Some((id, behind)), read: Some(read) };
    app.desk.split = Some(Split { panes, made: 0, tie, seen: false, laid: [None, None], stood });
    Vec::new()
}

/// Opens an item of the list in view in the other pane.
fn open(app: &mut App, link: LinkId, mut opening: Opening) -> Vec<Effect> {
    if let Some(outgoing) = app.beside().and_then(|beside| beside.tab.outgoing()) {
        app.say(format!("{}, from the other pane: that is to end first", outgoing.far()));
        return Vec::new();
    }
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
pub(in crate::app) fn stop(app: &mut App, words: &str) -> Vec<Effect> {
    let beside =
        place(app).filter(|at| leads(app.sight()) && !app.tab.is_loading() && app.tabs.behind[*at].is_loading());
    let Some(beside) = beside else { return journey::stop(&mut app.cx(), words) };
    app.say("stopped in the other pane");
    let effects = background::run(app, beside, |cx| journey::stop(cx, words));
    // What did not come is not what is read.
    let shown = app.tabs.behind[beside].entry().and_then(|entry| entry.among).map(|among| among.link);
    if let Some(Split { tie: Tie::List { twin: Some((_, twin)), read }, .. }) = &mut app.desk.split {
        let is_twin = |entry: &&mut Entry| entry.page.as_deref().is_some_and(|page| page.id == *twin);
        if let Some(list) = app.tabs.behind[beside].history.iter_mut().find(is_twin) {
            list.focus = shown.and_then(|link| list.page.as_deref()?.shown_link(link));
        }
        *read = shown;
    }
    effects
}

/// Whether a place in the path of the tab in view is the likeness of the list that stands in the other pane.
fn is_likeness(app: &App, at: usize) -> bool {
    let Some(Split { panes, tie: Tie::List { twin: Some((list, twin)), .. }, .. }) = app.sight().split() else {
        return false;
    };
    let shows = |entry: Option<&Entry>, id: PageId| entry.and_then(|e| e.page.as_deref()).is_some_and(|p| p.id == id);
    let beside = place(app).and_then(|place| app.tabs.behind[place].entry());
    panes[1] == app.tab.id && shows(app.tab.history.get(at), *twin) && shows(beside, *list)
}

/// `back`: one page back; where that is the list of the other pane, the focus goes there.
pub(in crate::app) fn back(app: &mut App, words: &str) -> Vec<Effect> {
    match app.tab.at.checked_sub(1).filter(|to| is_likeness(app, *to)) {
        Some(_) => other(app, ""),
        None => journey::back(&mut app.cx(), words),
    }
}

/// Goes to a place in the path of the tab in view, as [`back`] does.
pub(in crate::app) fn visit(app: &mut App, to: usize) -> Vec<Effect> {
    if is_likeness(app, to) { other(app, "") } else { journey::visit(&mut app.cx(), to) }
}

/// `go-on`: beside a list what is read of it goes on, and at its end the next item comes; as long as nothing is read there, the item
/// under focus.
pub(in crate::app) fn go_on(app: &mut App, words: &str) -> Vec<Effect> {
    let beside = app.beside().filter(|_| leads(app.sight()));
    let (Some(beside), Some(place)) = (beside, place(app)) else { return related::go_on(&mut app.cx(), words) };
    if beside.awaits_an_item() {
        let (loads, link) = (beside.tab.is_loading(), window::focus(app.sight()));
        return match link.filter(|link| item(app.sight(), *link).is_some()) {
            Some(_) if loads => Vec::new(),
            Some(link) => follow_link(app, link),
            None => related::go_on(&mut app.cx(), words),
        };
    }
    let article = beside.entry().and_then(|entry| entry.page.as_deref()).is_some_and(Page::is_article);
    if article && related::is_at_end(beside) {
        // The unread ones are sought from the one that is read.
        if let Some(link) = app.sight().read_beside() {
            focus::go_to(&mut app.cx(), link);
        }
        return news::go_on(&mut app.cx());
    }
    // What it has to say is said where the reader is.
    let before = app.tabs.behind[place].hands.note.take();
    let effects = background::run(app, place, |cx| related::go_on(cx, words));
    let said = std::mem::replace(&mut app.tabs.behind[place].hands.note, before);
    app.hands.note = said.or(app.hands.note.take());
    effects
}

/// `next-page`: beside a list its next item, else the page that this one names.
pub(in crate::app) fn next_page(app: &mut App, words: &str) -> Vec<Effect> {
    if leads(app.sight()) { step(app, true) } else { related::next(&mut app.cx(), words) }
}

/// `previous-page`: the one before.
pub(in crate::app) fn previous_page(app: &mut App, words: &str) -> Vec<Effect> {
    if leads(app.sight()) { step(app, false) } else { related::previous(&mut app.cx(), words) }
}

/// Opens the item after the one in the other pane, or the one before it; that under focus, as long as nothing was opened.
fn step(app: &mut App, next: bool) -> Vec<Effect> {
    let read = app.sight().read_beside();
    let Some(link) = read.or(window::focus(app.sight())) else {
        app.say("no link under focus");
        return Vec::new();
    };
    let to = match read.is_none() && item(app.sight(), link).is_some() {
        true => Some(link),
        false => siblings::after(app.sight(), link, next, |link| item(app.sight(), link).is_some()),
    };
    match to {
        Some(link) => {
            focus::go_to(&mut app.cx(), link);
            follow_link(app, link)
        }
        None => {
            app.say(if next {
                "this is the last item of its kind in the list"
            } else {
                "this is the first item of its kind in the list"
            });
            Vec::new()
        }
    }
}

/// Marks what is read in both panes: in a list only when the article beside it is.
pub(in crate::app) fn tend_news(app: &mut App) -> Vec<Effect> {
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

/// The reader goes along the list where its items are shown: in the pane of the list the focus follows.
pub(super) fn show_what_is_read(app: &mut App, place: usize) {
    let behind = &app.tabs.behind[place];
    let Some(Split { panes, tie: Tie::List { twin: Some((list, twin)), read }, .. }) = &mut app.desk.split else {
        return;
    };
    let in_list = panes[0] == app.tab.id;
    let (lists, reads) = if in_list { (&app.tab, behind) } else { (behind, &app.tab) };
    let page = |tab: &Tab, at: usize, id: PageId| {
        tab.history.get(at).is_some_and(|entry| entry.page.as_deref().is_some_and(|page| page.id == id))
    };
    let Some(under) = reads.at.checked_sub(1).filter(|under| page(reads, *under, *twin)) else { return };
    let Some(now) = reads.history[under].given_focus() else { return };
    if Some(now) == *read || !page(lists, lists.at, *list) {
        return;
    }
    *read = Some(now);
    let shown = lists.entry().and_then(|entry| entry.page.as_deref()?.shown_link(now));
    let Some(link) = shown else { return };
    if in_list {
        focus::go_to(&mut app.cx(), link);
    } else {
        background::run(app, place, |cx| {
            focus::go_to(cx, link);
            Vec::new()
        });
    }
}
