//! Lists to choose from, narrowed by typing: links, headings, places of the session, tabs, charsets, downloads.

use crate::app::forms::web;
use crate::app::hands::line::{insert, request};
use crate::app::motion::{focus, window};
use crate::app::navigation::{journey, reread};
use crate::app::state::Cx;
use crate::app::state::charset::AUTOMATIC;
use crate::app::state::jobs::Errand;
use crate::app::{
    App, Effect, JobId, Label, ListItem, ListKind, Overlay, Scope, internal, letters, split, tabs, transfer,
};
use crate::doc::{Anchor, LinkId, index};
use crate::format::charset::{By, Choice, charsets};
use crate::keys::Key;
use crate::work::{Links, ListRows, Work};
use std::sync::Arc;

/// The links of the page.
pub(in crate::app) fn links(app: &mut App, _: &str) -> Vec<Effect> {
    let Some((entry, page)) = app.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))) else {
        return Vec::new();
    };
    let document = page.document();
    if document.link_count() == 0 {
        app.say("no links here");
        return Vec::new();
    }
    let links = Links::new(Arc::clone(document), entry.bases.clone(), entry.url.clone());
    let links = links.hiding(app.sight().veil().secrets());
    let selected = entry.focus.map_or(0, |link| link.0 as usize);
    app.hands.list(ListKind::Links, "Links", ListRows::Links(Arc::new(links)), selected);
    Vec::new()
}

/// The headings of the page.
pub(in crate::app) fn headings(app: &mut App, _: &str) -> Vec<Effect> {
    let Some((entry, page)) = app.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))) else {
        return Vec::new();
    };
    let headings: Vec<(u32, u8)> = page.document().headings().collect();
    if headings.is_empty() {
        app.say("no headings here");
        return Vec::new();
    }
    let here = headings.partition_point(|(block, _)| *block <= entry.top.block).saturating_sub(1);
    let rows = ListRows::Headings(Arc::clone(page.document()), Arc::new(headings));
    app.hands.list(ListKind::Headings, "Headings", rows, here);
    Vec::new()
}

/// The places of the session.
pub(in crate::app) fn history(app: &mut App, _: &str) -> Vec<Effect> {
    let item = |(i, entry): (usize, &crate::app::Entry)| {
        let here = if i == app.tab.at { "* " } else { "  " };
        let (title, detail) = match entry.label() {
            Label::Title(title) => (title, entry.url.redacted()),
            Label::Url(url) => (url, String::new()),
        };
        ListItem { text: format!("{here}{title}"), detail, key: index(i) }
    };
    let items: Vec<ListItem> = app.tab.history.iter().enumerate().map(item).collect();
    if items.is_empty() {
        app.say("nothing was opened yet");
        return Vec::new();
    }
    let at = app.tab.at;
    app.hands.list(ListKind::History, "History of this session", items, at);
    Vec::new()
}

/// The charsets to read the page by; `charset NAME` chooses at once, `charset NAME page` for the page alone. Without a word it
/// is for the group, where the page is of one, else for the host, for what has none (files) for the page.
pub(in crate::app) fn charset(app: &mut App, words: &str) -> Vec<Effect> {
    let places = reread::charset_places(app.sight());
    let is_there = |scope: &Scope| places.iter().any(|(other, _)| other == scope);
    let usual = [Scope::Group, Scope::Host, Scope::Page].into_iter().find(is_there).unwrap_or(Scope::Host);
    if words.trim().is_empty() {
        return charset_for(app, usual);
    }
    let (name, scope) = match words.trim().split_once(' ') {
        Some((name, scope)) => (name, Scope::ALL.into_iter().find(|(_, word)| *word == scope.trim())),
        None => (words.trim(), Some((usual, ""))),
    };
    match scope {
        Some((scope, _)) => reread::read_by(&mut app.cx(), name, scope),
        None => {
            app.complain("a charset is chosen for the host, the path, the group, the groups or the page");
            Vec::new()
        }
    }
}

/// The list, for so much. Its last rows are lists for more and for less.
fn charset_for(app: &mut App, scope: Scope) -> Vec<Effect> {
    let row = |(i, choice): (usize, &crate::format::charset::Choice)| ListItem {
        text: choice.name.into(),
        detail: choice.label.into(),
        key: index(i) + 1,
    };
    let places = reread::charset_places(app.sight());
    let said = app.entry().and_then(|entry| app.sight().said_of(&entry.url, None));
    let said = said.filter(|said| matches!(said.by, By::Asked | By::Chosen));
    let is_said = |choice: &Choice| said.as_ref().is_some_and(|said| said.name.eq_ignore_ascii_case(choice.name));
    let at = 1 + charsets().iter().position(is_said).unwrap_or(0);
    let automatic = ListItem { text: AUTOMATIC.into(), detail: "as it says, or as it looks".into(), key: 0 };
    let names = charsets().iter().enumerate().map(row);
    let others = places.iter().filter(|(other, _)| *other != scope).map(|(other, what)| ListItem {
        text: format!("for {what} …"),
        detail: String::new(),
        key: u32::MAX - *other as u32,
    });
    let items: Vec<ListItem> = std::iter::once(automatic).chain(names).chain(others).collect();
    let title = match scope {
        Scope::Host => "Read this host's pages as".into(),
        _ => places.iter().find(|(own, _)| *own == scope).map_or(String::new(), |(_, what)| format!("Read {what} as")),
    };
    app.hands.list(ListKind::Charsets(scope), &title, items, if said.is_some() { at } else { 0 });
    Vec::new()
}

/// Moves the selection by rows; stops at the ends.
pub(in crate::app) fn step(app: &mut App, rows: isize) {
    let Some(overlay) = app.hands.top_mut() else { return };
    let last = overlay.passing().saturating_sub(1);
    if let Overlay::List { selected, .. } = overlay {
        *selected = selected.saturating_add_signed(rows).min(last);
    }
}

/// Selects a row among those that pass the filter.
pub(in crate::app) fn select(app: &mut App, row: usize) {
    if let Some(Overlay::List { selected, .. }) = app.hands.top_mut() {
        *selected = row;
    }
}

/// A key that edits the filter.
pub(in crate::app) fn edit(app: &mut App, key: Key) -> Vec<Effect> {
    if let Some(Overlay::List { filter, selected, .. }) = app.hands.top_mut()
        && let Some(request) = request(key)
        && filter.handle(request).is_some_and(|change| change.value)
    {
        *selected = 0;
        return narrow(app);
    }
    Vec::new()
}

pub(in crate::app) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    if let Some(Overlay::List { filter, selected, .. }) = app.hands.top_mut() {
        insert(filter, text);
        *selected = 0;
        return narrow(app);
    }
    Vec::new()
}

/// The filter has changed: what passes it is sought, in a long list on another thread.
fn narrow(app: &mut App) -> Vec<Effect> {
    let Some(list) = app.hands.top_mut() else { return Vec::new() };
    let mut effects: Vec<Effect> = list.await_rows(None).map(Effect::Cancel).into_iter().collect();
    if let Some(narrow) = list.narrow() {
        let id = app.cx().job(Errand::Rows);
        if let Some(list) = app.hands.top_mut() {
            list.await_rows(Some((id, narrow.words.clone())));
        }
        effects.push(Effect::Work { id, work: Work::Narrow(narrow) });
    }
    effects
}

/// What passes the filter of a long list was found.
pub(in crate::app) fn narrowed(cx: &mut Cx<'_>, id: JobId, rows: &Arc<[u32]>) {
    cx.hands.all_mut().for_each(|overlay| overlay.take_rows(id, rows));
}

/// Enter on a row.
pub(in crate::app) fn accept(app: &mut App) -> Vec<Effect> {
    if matches!(app.hands.top(), Some(Overlay::List { stale: true, .. })) {
        app.hands.drop_top();
        app.complain("that list was of the page before");
        return Vec::new();
    }
    if app.hands.top().is_some_and(Overlay::is_narrowing) {
        app.say("the list is still being narrowed; once more");
        return Vec::new();
    }
    if let Some(number) = web::is_choosing(app.sight()) {
        return web::chosen(&mut app.cx(), number);
    }
    let Some(Overlay::List { kind, .. }) = app.hands.top() else { return Vec::new() };
    let chosen = app.hands.top().and_then(Overlay::chosen).map(|item| (item.key, item.text, item.detail));
    let (kind, Some((key, text, detail))) = (*kind, chosen) else { return Vec::new() };
    app.hands.drop_top();
    match kind {
        ListKind::Links => {
            focus::go_to(&mut app.cx(), LinkId(key));
            split::follow_link(app, LinkId(key))
        }
        ListKind::Headings => {
            let top = Anchor { block: key, offset: 0 }.min(window::bottom(app.sight()));
            window::look_at(&mut app.cx(), top);
            window::settle(&mut app.cx());
            Vec::new()
        }
        ListKind::History => journey::visit(&mut app.cx(), key as usize),
        ListKind::Tabs => tabs::show(app, key as usize),
        ListKind::Charsets(scope) => match Scope::ALL.iter().find(|(other, _)| key == u32::MAX - *other as u32) {
            Some((other, _)) => charset_for(app, *other),
            None => reread::read_by(&mut app.cx(), &text, scope),
        },
        ListKind::Downloads => transfer::act_on(&mut app.cx(), key as usize),
        // Taken above.
        ListKind::Options(_) => Vec::new(),
        ListKind::Themes => internal::settings::themes::choose(&mut app.cx(), &text),
        ListKind::Drafts => letters::drafts::take_up(&mut app.cx(), &detail),
    }
}
