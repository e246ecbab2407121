//! Lists to choose from, narrowed by typing: links, headings, places of the session, tabs, charsets, downloads.

use crate::app::forms::web;
use crate::app::hands::line::{insert, request};
use crate::app::motion::{focus, window};
use crate::app::navigation::{follow, journey, reread};
use crate::app::{App, Effect, Label, ListItem, ListKind, Overlay, letters, tabs, transfer};
use crate::doc::{Anchor, LinkId, index};
use crate::format::charset::charsets;
use crate::keys::Key;

/// The links of the page.
pub(in crate::app) fn links(app: &mut App, _: &str) -> Vec<Effect> {
    let Some((entry, document)) = app.entry().and_then(|entry| Some((entry, entry.document()?))) else {
        return Vec::new();
    };
    if document.link_count() == 0 {
        app.say("no links here");
        return Vec::new();
    }
    let fields = web::by_link(document);
    let item = |i: u32| {
        if let Some(number) = fields.get(&LinkId(i)) {
            let text = document.link_text(LinkId(i)).trim().to_owned();
            return ListItem { text, detail: web::label(document, *number), key: i };
        }
        let target = document.link(LinkId(i), &entry.bases).map(|link| match link.target {
            Ok(resolved) => resolved.url_in(&entry.url).redacted(),
            Err(error) => error.to_string(),
        });
        let text = document.link_text(LinkId(i)).trim().to_owned();
        ListItem { text, detail: target.unwrap_or_default(), key: i }
    };
    let items = (0..document.link_count()).map(item).collect();
    let selected = entry.focus.map_or(0, |link| link.0 as usize);
    app.hands.list(ListKind::Links, "Links", items, selected);
    Vec::new()
}

/// The headings of the page.
pub(in crate::app) fn headings(app: &mut App, _: &str) -> Vec<Effect> {
    let Some((entry, document)) = app.entry().and_then(|entry| Some((entry, entry.document()?))) else {
        return Vec::new();
    };
    let item = |(block, level): (u32, u8)| ListItem {
        text: format!("{}{}", "  ".repeat(usize::from(level.saturating_sub(1))), document.block_text(block).trim()),
        detail: String::new(),
        key: block,
    };
    let items: Vec<ListItem> = document.headings().map(item).collect();
    if items.is_empty() {
        app.say("no headings here");
        return Vec::new();
    }
    let here = items.iter().rposition(|item| item.key <= entry.top.block).unwrap_or(0);
    app.hands.list(ListKind::Headings, "Headings", items, here);
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

/// The charsets to read the page by; `charset NAME` chooses at once.
pub(in crate::app) fn charset(app: &mut App, name: &str) -> Vec<Effect> {
    if !name.trim().is_empty() {
        return reread::read_by(&mut app.cx(), name.trim());
    }
    let row = |(i, choice): (usize, &crate::format::charset::Choice)| ListItem {
        text: choice.name.into(),
        detail: choice.label.into(),
        key: index(i),
    };
    let items = charsets().iter().enumerate().map(row).collect();
    let host = app.entry().and_then(|entry| entry.url.host()).unwrap_or_default().to_ascii_lowercase();
    let chosen = app.desk.charsets.get(&host).or_else(|| app.desk.settings.charset.hosts.get(&host));
    let at = charsets().iter().position(|choice| chosen.is_some_and(|name| name.eq_ignore_ascii_case(choice.name)));
    app.hands.list(ListKind::Charsets, "Read this host's pages as", items, at.unwrap_or(0));
    Vec::new()
}

/// Moves the selection by rows; stops at the ends.
pub(in crate::app) fn step(app: &mut App, rows: isize) {
    let Some(overlay) = app.hands.top_mut() else { return };
    let last = overlay.passing().len().saturating_sub(1);
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
    }
    Vec::new()
}

pub(in crate::app) fn paste(app: &mut App, text: &str) {
    if let Some(Overlay::List { filter, selected, .. }) = app.hands.top_mut() {
        insert(filter, text);
        *selected = 0;
    }
}

/// Enter on a row.
pub(in crate::app) fn accept(app: &mut App) -> Vec<Effect> {
    if matches!(app.hands.top(), Some(Overlay::List { stale: true, .. })) {
        app.hands.drop_top();
        app.complain("that list was of the page before");
        return Vec::new();
    }
    if let Some(number) = web::is_choosing(app.sight()) {
        return web::chosen(&mut app.cx(), number);
    }
    let Some(Overlay::List { kind, .. }) = app.hands.top() else { return Vec::new() };
    let chosen = app.hands.top().and_then(Overlay::chosen).map(|item| (item.key, item.text.clone()));
    let (kind, Some((key, text))) = (*kind, chosen) else { return Vec::new() };
    app.hands.drop_top();
    match kind {
        ListKind::Links => {
            focus::go_to(&mut app.cx(), LinkId(key));
            follow::follow_link(&mut app.cx(), LinkId(key))
        }
        ListKind::Headings => {
            let top = Anchor { block: key, offset: 0 }.min(window::bottom(app.sight()));
            window::look_at(&mut app.cx(), top);
            window::settle(&mut app.cx());
            Vec::new()
        }
        ListKind::History => journey::visit(&mut app.cx(), key as usize),
        ListKind::Tabs => tabs::show(app, key as usize),
        ListKind::Charsets => match charsets().get(key as usize) {
            Some(choice) => reread::read_by(&mut app.cx(), choice.name),
            None => Vec::new(),
        },
        ListKind::Downloads => transfer::act_on(&mut app.cx(), key as usize),
        // Taken above.
        ListKind::Options(_) => Vec::new(),
        ListKind::Drafts => letters::take_up(&mut app.cx(), &text),
    }
}
