//! Moving over the page by lines, screens and shares of the whole.

use super::reading::{self, bottom, document, look_at, rows};
use super::{App, Effect};
use crate::doc::{Anchor, Document, Wrap};

/// Columns per step sideways.
const SIDE: u16 = 8;
/// Lines of the old screen that stay in view after a page move.
const OVERLAP: usize = 2;

/// Scrolls down, at most to the bottom. False when it stood there already.
pub(super) fn scroll_down(app: &mut App, count: usize) -> bool {
    reading::take_over(app);
    let layout = app.layout();
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return false };
    if document.blocks().is_empty() {
        return false;
    }
    let from = layout.line_start(document, entry.top);
    let to = layout.down(document, from, count).min(bottom(app)).max(from);
    if to == from {
        return false;
    }
    look_at(app, to);
    reading::settle(app);
    true
}

/// Scrolls up. False when it stood at the top already.
pub(super) fn scroll_up(app: &mut App, count: usize) -> bool {
    reading::take_over(app);
    let layout = app.layout();
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return false };
    let from = layout.line_start(document, entry.top);
    let to = layout.up(document, from, count);
    if to == from {
        return false;
    }
    look_at(app, to);
    reading::settle_last(app);
    true
}

pub(super) fn line_down(app: &mut App, _: &str) -> Vec<Effect> {
    scroll_down(app, 1);
    Vec::new()
}

pub(super) fn line_up(app: &mut App, _: &str) -> Vec<Effect> {
    scroll_up(app, 1);
    Vec::new()
}

pub(super) fn page_down(app: &mut App, _: &str) -> Vec<Effect> {
    down_by(app, page(app))
}

pub(super) fn page_up(app: &mut App, _: &str) -> Vec<Effect> {
    up_by(app, page(app))
}

pub(super) fn half_down(app: &mut App, _: &str) -> Vec<Effect> {
    down_by(app, (rows(app) / 2).max(1))
}

pub(super) fn half_up(app: &mut App, _: &str) -> Vec<Effect> {
    up_by(app, (rows(app) / 2).max(1))
}

fn page(app: &App) -> usize {
    let rows = rows(app);
    if rows > 2 * OVERLAP { rows - OVERLAP } else { rows }
}

/// A long move down: the focus goes to the first link on the new screen, to the last one at the very end.
fn down_by(app: &mut App, count: usize) -> Vec<Effect> {
    if scroll_down(app, count) {
        refocus(app, false);
    } else {
        refocus(app, true);
    }
    Vec::new()
}

fn up_by(app: &mut App, count: usize) -> Vec<Effect> {
    scroll_up(app, count);
    refocus(app, false);
    Vec::new()
}

fn refocus(app: &mut App, last: bool) {
    let seen = reading::on_screen(app);
    let link = if last { seen.last() } else { seen.first() }.map(|s| s.link);
    if let Some(entry) = app.entry_mut() {
        entry.focus = link;
    }
}

pub(super) fn top(app: &mut App, _: &str) -> Vec<Effect> {
    look_at(app, Anchor::default());
    refocus(app, false);
    Vec::new()
}

pub(super) fn bottom_of_page(app: &mut App, _: &str) -> Vec<Effect> {
    let end = bottom(app);
    look_at(app, end);
    refocus(app, true);
    Vec::new()
}

pub(super) fn left(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(entry) = app.entry_mut() {
        entry.left = entry.left.saturating_sub(SIDE);
    }
    reading::settle(app);
    Vec::new()
}

/// To the right, until the longest line on the screen ends there.
pub(super) fn right(app: &mut App, _: &str) -> Vec<Effect> {
    if app.choices.wrap == Wrap::On {
        app.say("lines wrap here; turn wrap off to look to the right");
        return Vec::new();
    }
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return Vec::new() };
    let widest = app.layout().widest(document, entry.top, rows(app));
    let beyond = u16::try_from(widest).unwrap_or(u16::MAX).saturating_sub(app.page_columns());
    if let Some(entry) = app.entry_mut().filter(|entry| entry.left < beyond) {
        entry.left = entry.left.saturating_add(SIDE);
        reading::settle(app);
    }
    Vec::new()
}

/// The line so many thousandths from the top, of what can be scrolled, as the status bar counts it.
fn at_share(app: &App, document: &Document, share: u64) -> Anchor {
    let offset = document.offset_of(bottom(app)) as u64 * share / 1000;
    app.layout().line_start(document, document.anchor_at(offset as usize))
}

/// To so many thousandths of the page.
pub(super) fn to_share(app: &mut App, share: u16) {
    reading::take_over(app);
    if let Some(document) = document(app) {
        let place = at_share(app, document, u64::from(share.min(1000))).min(bottom(app));
        look_at(app, place);
        refocus(app, false);
    }
}

/// `goto 34%`, `goto 120` (a line of text), `goto top`, `goto bottom`.
pub(super) fn goto(app: &mut App, to: &str) -> Vec<Effect> {
    let to = to.trim();
    let place = match (document(app), to.strip_suffix('%')) {
        (None, _) => return Vec::new(),
        (Some(_), _) if to == "top" => Some(Anchor::default()),
        (Some(_), _) if to == "bottom" => Some(bottom(app)),
        (Some(document), Some(share)) => {
            share.trim().parse::<usize>().ok().map(|share| at_share(app, document, share.min(100) as u64 * 10))
        }
        (Some(_), None) => to.parse::<u32>().ok().map(|line| Anchor { block: line.saturating_sub(1), offset: 0 }),
    };
    match place {
        Some(place) => {
            let place = place.min(bottom(app));
            look_at(app, place);
            refocus(app, false);
        }
        None => app.complain("goto needs a share of the page (34%) or a line (120)"),
    }
    Vec::new()
}

/// Wraps long lines, or lets them run on.
pub(super) fn wrap(app: &mut App, _: &str) -> Vec<Effect> {
    app.choices.wrap = match app.choices.wrap {
        Wrap::On => Wrap::Off,
        Wrap::Off => Wrap::On,
    };
    app.say(if app.choices.wrap == Wrap::On { "long lines wrap" } else { "long lines run on" });
    app.tab.history.iter_mut().for_each(|entry| entry.left = 0);
    keep_in_view(app);
    Vec::new()
}

/// After the lines have changed (resize, wrap): the same text on top, the same link in sight.
pub(super) fn keep_in_view(app: &mut App) {
    let layout = app.layout();
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return };
    if document.blocks().is_empty() {
        return;
    }
    let top = layout.line_start(document, entry.top).min(bottom(app));
    let link = entry.focus.and_then(|link| document.link_anchor(link));
    if let Some(entry) = app.entry_mut() {
        entry.top = top;
    }
    if let Some(place) = link {
        reading::reveal(app, place);
    }
    reading::settle(app);
}
