//! Lists to choose from, narrowed by typing: links, headings, places of the session, tabs, charsets, downloads.

use super::asking::{insert, request};
use super::{
    App, Download, Effect, Label, ListItem, ListKind, Overlay, composing, focus, inspect, journey, reading, saving,
    searching, status, tabs, web_form,
};
use crate::doc::{Anchor, LinkId};
use crate::format::charset::charsets;
use crate::keys::Key;
use tui_input::Input;

pub(super) fn open(app: &mut App, kind: ListKind, title: &str, items: Vec<ListItem>, selected: usize) -> Vec<Effect> {
    let last = items.len().saturating_sub(1);
    let (title, filter) = (title.into(), Input::default());
    app.overlays.push(Overlay::List { kind, title, items, filter, selected: selected.min(last) });
    Vec::new()
}

/// The links of the page.
pub(super) fn links(app: &mut App, _: &str) -> Vec<Effect> {
    let Some((entry, document)) = app.entry().and_then(|entry| Some((entry, entry.document()?))) else {
        return Vec::new();
    };
    if document.link_count() == 0 {
        app.say("no links here");
        return Vec::new();
    }
    let fields = web_form::by_link(document);
    let item = |i: u32| {
        if let Some(number) = fields.get(&LinkId(i)) {
            let text = document.link_text(LinkId(i)).trim().to_owned();
            return ListItem { text, detail: web_form::label(document, *number), key: i };
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
    open(app, ListKind::Links, "Links", items, selected)
}

/// The headings of the page.
pub(super) fn headings(app: &mut App, _: &str) -> Vec<Effect> {
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
    open(app, ListKind::Headings, "Headings", items, here)
}

/// The places of the session.
pub(super) fn history(app: &mut App, _: &str) -> Vec<Effect> {
    let item = |(i, entry): (usize, &super::Entry)| {
        let here = if i == app.tab.at { "* " } else { "  " };
        let (title, detail) = match entry.label() {
            Label::Title(title) => (title, entry.url.redacted()),
            Label::Url(url) => (url, String::new()),
        };
        ListItem { text: format!("{here}{title}"), detail, key: i as u32 }
    };
    let items: Vec<ListItem> = app.tab.history.iter().enumerate().map(item).collect();
    if items.is_empty() {
        app.say("nothing was opened yet");
        return Vec::new();
    }
    let at = app.tab.at;
    open(app, ListKind::History, "History of this session", items, at)
}

/// The charsets to read the page by; `charset NAME` chooses at once.
pub(super) fn charset(app: &mut App, name: &str) -> Vec<Effect> {
    if !name.trim().is_empty() {
        return inspect::read_by(app, name.trim());
    }
    let row = |(i, choice): (usize, &crate::format::charset::Choice)| ListItem {
        text: choice.name.into(),
        detail: choice.label.into(),
        key: i as u32,
    };
    let items = charsets().iter().enumerate().map(row).collect();
    let host = app.entry().and_then(|entry| entry.url.host()).unwrap_or_default().to_ascii_lowercase();
    let chosen = app.charsets.get(&host).or_else(|| app.settings.charset.hosts.get(&host));
    let at = charsets().iter().position(|choice| chosen.is_some_and(|name| name.eq_ignore_ascii_case(choice.name)));
    open(app, ListKind::Charsets, "Read this host's pages as", items, at.unwrap_or(0))
}

/// The downloads, the newest first.
pub(super) fn downloads(app: &mut App, _: &str) -> Vec<Effect> {
    if app.downloads.is_empty() {
        app.say("no downloads");
        return Vec::new();
    }
    let items = download_items(app);
    open(app, ListKind::Downloads, "Downloads", items, 0)
}

fn download_items(app: &App) -> Vec<ListItem> {
    let folder = format!("{}/", app.settings.downloads.trim_end_matches('/'));
    let row = |(i, download): (usize, &Download)| ListItem {
        // Of most it is known which folder they are in.
        text: download.path.strip_prefix(&folder).unwrap_or(&download.path).into(),
        detail: status::in_list(app, download),
        key: i as u32,
    };
    app.downloads.iter().enumerate().rev().map(row).collect()
}

/// The open list of downloads keeps up with them.
pub(super) fn refresh_downloads(app: &mut App) {
    let fresh = download_items(app);
    for overlay in &mut app.overlays {
        if let Overlay::List { kind: ListKind::Downloads, items, .. } = overlay {
            items.clone_from(&fresh);
        }
    }
}

/// Moves the selection by rows; stops at the ends.
pub(super) fn step(app: &mut App, rows: isize) {
    let Some(overlay) = app.overlays.last_mut() else { return };
    let last = overlay.passing().len().saturating_sub(1);
    if let Overlay::List { selected, .. } = overlay {
        *selected = selected.saturating_add_signed(rows).min(last);
    }
}

/// Selects a row among those that pass the filter.
pub(super) fn select(app: &mut App, row: usize) {
    if let Some(Overlay::List { selected, .. }) = app.overlays.last_mut() {
        *selected = row;
    }
}

/// A key that edits the filter.
pub(super) fn edit(app: &mut App, key: Key) -> Vec<Effect> {
    if let Some(Overlay::List { filter, selected, .. }) = app.overlays.last_mut()
        && let Some(request) = request(key)
        && filter.handle(request).is_some_and(|change| change.value)
    {
        *selected = 0;
    }
    Vec::new()
}

pub(super) fn paste(app: &mut App, text: &str) {
    if let Some(Overlay::List { filter, selected, .. }) = app.overlays.last_mut() {
        insert(filter, text);
        *selected = 0;
    }
}

/// Enter on a row.
pub(super) fn accept(app: &mut App) -> Vec<Effect> {
    if let Some(number) = web_form::is_choosing(app) {
        let mut effects = web_form::chosen(app, number);
        effects.extend(searching::more(app));
        return effects;
    }
    let Some(Overlay::List { kind, .. }) = app.overlays.last() else { return Vec::new() };
    let chosen = app.overlays.last().and_then(Overlay::chosen).map(|item| (item.key, item.text.clone()));
    let (kind, Some((key, text))) = (*kind, chosen) else { return Vec::new() };
    app.overlays.pop();
    match kind {
        ListKind::Links => {
            focus::go_to(app, LinkId(key));
            focus::follow_link(app, LinkId(key))
        }
        ListKind::Headings => {
            let top = Anchor { block: key, offset: 0 }.min(reading::bottom(app));
            reading::look_at(app, top);
            reading::settle(app);
            Vec::new()
        }
        ListKind::History => journey::visit(app, key as usize),
        ListKind::Tabs => tabs::show(app, key as usize),
        ListKind::Charsets => match charsets().get(key as usize) {
            Some(choice) => inspect::read_by(app, choice.name),
            None => Vec::new(),
        },
        ListKind::Downloads => saving::act_on(app, key as usize),
        // Taken above.
        ListKind::Options(_) => Vec::new(),
        ListKind::Drafts => composing::take_up(app, &text),
    }
}
