//! What of a page is new since it was read the last time: which blocks, and going from one to the next.
//!
//! Blocks are those of the document as it came: where its rows have another order, nothing is called new.

use super::content::step;
use super::{focus, window};
use crate::app::state::Cx;
use crate::app::{Effect, Entry, Page, Sight};
use crate::doc::{Anchor, LinkId};
use crate::url::Url;

/// The store has compared a page with its copy of before.
pub(in crate::app) fn known<'a>(entries: impl Iterator<Item = &'a mut Entry>, url: &Url, octets: u64, blocks: &[u32]) {
    let of_it = entries.filter(|entry| entry.url.without_fragment() == url.without_fragment());
    for page in of_it.filter_map(|entry| entry.page.as_deref_mut()).filter(|page| page.received == octets) {
        page.fresh = blocks.to_vec();
    }
}

/// The blocks in view that are new.
fn fresh(sight: Sight<'_>) -> &[u32] {
    sight.entry().and_then(|entry| entry.page.as_deref()).map_or(&[], Page::fresh_in_view)
}

/// `next-change`: to what is new below.
pub(in crate::app) fn next(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if let Some(rows) = rows(cx.sight()) {
        let here = window::focus(cx.sight());
        return go_to(cx, rows.into_iter().find(|row| here.is_none_or(|here| *row > here)), "below");
    }
    let sight = cx.sight();
    let Some((top, bottom)) = ends(sight) else { return Vec::new() };
    if bottom <= top && starts(sight).any(|(_, start)| start > top) {
        cx.say("what is new below is on the screen already, and marked");
        return Vec::new();
    }
    let place = starts(sight).find(|(_, start)| *start > top).map(|(place, _)| place);
    go(cx, place, "below")
}

/// `previous-change`: to what is new above.
pub(in crate::app) fn previous(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if let Some(rows) = rows(cx.sight()) {
        let here = window::focus(cx.sight());
        return go_to(cx, rows.into_iter().rev().find(|row| here.is_none_or(|here| *row < here)), "above");
    }
    let sight = cx.sight();
    let Some((top, _)) = ends(sight) else { return Vec::new() };
    let place = starts(sight).take_while(|(_, start)| *start < top).last().map(|(place, _)| place);
    go(cx, place, "above")
}

/// The new rows of a directory, as they stand in it: one has the focus, and not a line the screen.
fn rows(sight: Sight<'_>) -> Option<Vec<LinkId>> {
    let entry = sight.entry().filter(|entry| !entry.fresh.is_empty())?;
    let page = entry.page.as_deref()?;
    let mut rows: Vec<LinkId> = entry.fresh.iter().filter_map(|given| page.shown_link(*given)).collect();
    rows.sort_unstable();
    Some(rows)
}

fn go_to(cx: &mut Cx<'_>, row: Option<LinkId>, way: &str) -> Vec<Effect> {
    match row {
        Some(row) => focus::go_to(cx, row),
        None => cx.say(format!("nothing more that is new {way}")),
    }
    Vec::new()
}

/// Where the screen begins, and where it could begin at most.
fn ends(sight: Sight<'_>) -> Option<(Anchor, Anchor)> {
    let (entry, document) = (sight.entry()?, window::document(sight)?);
    Some((sight.layout().line_start(document, entry.top), window::bottom(sight)))
}

/// The first block of each run of new ones, and its line.
fn starts(sight: Sight<'_>) -> impl Iterator<Item = (Anchor, Anchor)> {
    let (fresh, layout) = (fresh(sight), sight.layout());
    let before = [None].into_iter().chain(fresh.iter().copied().map(Some));
    let firsts =
        fresh.iter().copied().zip(before).filter(|(block, before)| before.is_none_or(|before| before + 1 < *block));
    firsts.filter_map(move |(block, _)| {
        let place = Anchor { block, offset: 0 };
        Some((place, layout.line_start(window::document(sight)?, place)))
    })
}

fn go(cx: &mut Cx<'_>, place: Option<Anchor>, way: &str) -> Vec<Effect> {
    if fresh(cx.sight()).is_empty() {
        cx.say("nothing here is known to be new since you read it the last time");
        return Vec::new();
    }
    match place {
        Some(place) => step(cx, Some(place), true, way),
        None => cx.say(format!("nothing more that is new {way}")),
    }
    Vec::new()
}
