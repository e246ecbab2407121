//! Find in page: to the next match and around, matches counted in slices so that no key ever waits.

use super::asking::ask;
use super::{App, Effect, Matches, PromptKind, reading};
use crate::doc::{Document, Search};
use std::ops::Range;

/// Octets of text counted at once.
const SLICE: usize = 1 << 18;

pub(super) fn find(app: &mut App, words: &str) -> Vec<Effect> {
    if words.trim().is_empty() {
        ask(app, PromptKind::Find, "find", "", None);
        return Vec::new();
    }
    start(app, words.trim())
}

/// The words are given; nothing typed means the last words again.
pub(super) fn start(app: &mut App, words: &str) -> Vec<Effect> {
    let last = app.words.get(&PromptKind::Find).and_then(|words| words.last().cloned()).unwrap_or_default();
    let Some(search) = Search::new(if words.is_empty() { &last } else { words }) else {
        app.say("nothing to find");
        return Vec::new();
    };
    app.tab.search = Some(search);
    app.tab.found = None;
    app.tab.awaited = false;
    app.tab.matches = Some(Matches::default());
    let Some(entry) = app.entry() else { return Vec::new() };
    let from = entry.document().map_or(0, |document| document.offset_of(entry.top));
    seek(app, from, Way::Down);
    vec![Effect::Slice]
}

/// What is being typed is highlighted where it stands on the screen already.
pub(super) fn preview(app: &mut App, words: &str) {
    app.tab.search = Search::new(words);
    app.tab.found = None;
    app.tab.awaited = false;
    app.tab.matches = None;
}

/// Which way to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Down,
    Up,
}

pub(super) fn next(app: &mut App, _: &str) -> Vec<Effect> {
    turn(app, Way::Down)
}

pub(super) fn previous(app: &mut App, _: &str) -> Vec<Effect> {
    turn(app, Way::Up)
}

fn turn(app: &mut App, way: Way) -> Vec<Effect> {
    let Some(entry) = app.entry() else { return Vec::new() };
    if app.tab.search.is_none() {
        // A new page, the old words.
        return start(app, "");
    }
    let here = entry.document().map_or(0, |document| document.offset_of(entry.top));
    let from = match (&app.tab.found, way) {
        (Some(found), Way::Down) => found.end.max(found.start + 1),
        (Some(found), Way::Up) => found.start,
        (None, _) => here,
    };
    seek(app, from, way);
    more(app)
}

fn hit(document: &Document, search: &Search, from: usize, way: Way) -> Option<Range<usize>> {
    let from = document.text().floor_char_boundary(from);
    match way {
        Way::Down => search.next(document, from),
        Way::Up => search.previous(document, from),
    }
}

fn seek(app: &mut App, from: usize, way: Way) {
    let (Some(document), Some(search)) = (reading::document(app), &app.tab.search) else { return };
    let around = if way == Way::Down { 0 } else { document.text().len() };
    let straight = hit(document, search, from, way);
    let wrapped = straight.is_none();
    let found = straight.or_else(|| hit(document, search, around, way));
    let words = search.words().to_owned();
    match found {
        None => {
            app.tab.found = None;
            let arriving = app.is_arriving();
            app.tab.awaited = arriving;
            let where_not = if arriving { "is not in what has come so far" } else { "is not on this page" };
            app.complain(format!("\"{words}\" {where_not}"));
        }
        Some(found) => {
            let place = document.anchor_at(found.start);
            reading::reveal(app, place);
            reading::reveal_sideways(app, found.clone());
            focus_match(app, &found);
            app.tab.found = Some(found);
            if wrapped {
                app.say(if way == Way::Down { "end reached; on from the top" } else { "top reached; on from the end" });
            }
        }
    }
}

/// A match within a link gives it the focus; elsewhere the focus stays if it can still be seen.
fn focus_match(app: &mut App, found: &Range<usize>) {
    let link =
        reading::document(app).and_then(|document| document.spans_in(found.clone()).iter().find_map(|span| span.link));
    if let (Some(link), Some(entry)) = (link, app.entry_mut()) {
        entry.focus = Some(link);
    }
    reading::settle(app);
}

/// Asks to go on counting, when the text has more to count.
pub(super) fn more(app: &mut App) -> Vec<Effect> {
    let length = reading::document(app).map_or(0, |document| document.text().len());
    match &mut app.tab.matches {
        Some(matches) if matches.starts.len() < Matches::MOST && matches.scanned < length => {
            matches.complete = false;
            vec![Effect::Slice]
        }
        _ => Vec::new(),
    }
}

/// Counts a slice.
pub(super) fn slice(app: &mut App) -> Vec<Effect> {
    app.slicing = false;
    let Some(mut matches) = app.tab.matches.take() else { return Vec::new() };
    let (Some(document), Some(search)) = (reading::document(app), &app.tab.search) else { return Vec::new() };
    let text = document.text();
    let from = text.floor_char_boundary(matches.scanned);
    let to = text.ceil_char_boundary((from + SLICE).min(text.len()));
    let past = matches.starts.last().map_or(0, |start| *start as usize + 1);
    let found = search.within(document, from..to);
    let fresh = found.iter().map(|hit| hit.start).filter(|start| *start >= past).map(|start| start as u32);
    matches.starts.extend(fresh);
    matches.starts.truncate(Matches::MOST);
    let arriving = app.is_arriving();
    // The end of a growing text may hold the beginning of a match.
    let sure = if arriving && to == text.len() { to.saturating_sub(search.words().len()).max(from) } else { to };
    matches.scanned = sure;
    matches.complete = to == text.len() || matches.starts.len() == Matches::MOST;
    let complete = matches.complete;
    let over = !matches.starts.is_empty() || complete && !arriving;
    app.tab.matches = Some(matches);
    if over && std::mem::take(&mut app.tab.awaited) {
        let from = app.entry().and_then(|entry| Some(entry.document()?.offset_of(entry.top))).unwrap_or_default();
        app.note = None;
        seek(app, from, Way::Down);
    }
    if complete { Vec::new() } else { vec![Effect::Slice] }
}

/// Esc on a page: the highlights go.
pub(super) fn clear(app: &mut App) -> bool {
    app.tab.found = None;
    app.tab.matches = None;
    app.tab.awaited = false;
    app.tab.search.take().is_some()
}
