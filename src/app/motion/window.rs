//! What is on the screen: its lines, its links, and the rule that the link under focus is one the reader can see.

use crate::app::state::Cx;
use crate::app::{PageState, Sight};
use crate::doc::{Anchor, Document, LinkId, Wrap};
use std::ops::Range;

/// A link on the screen and the row where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct Seen {
    /// The link.
    pub link: LinkId,
    /// The row, from 0.
    pub row: usize,
}

/// The document in view.
pub(in crate::app) fn document(sight: Sight<'_>) -> Option<&Document> {
    sight.entry()?.document()
}

/// Rows to lay a page out on; a screen too small for any still has one.
pub(in crate::app) fn rows(sight: Sight<'_>) -> usize {
    sight.page_rows().max(1)
}

/// The links in a window of lines, each once, in order.
pub(in crate::app) fn links(sight: Sight<'_>, top: Anchor, rows: usize) -> Vec<Seen> {
    let (Some(entry), Some(document)) = (sight.entry(), document(sight)) else { return Vec::new() };
    let mut seen: Vec<Seen> = Vec::new();
    for (row, line) in sight.layout().lines_scrolled(document, top, rows, entry.left).iter().enumerate() {
        for link in line.segments.iter().filter_map(|segment| segment.link) {
            if !seen.iter().rev().any(|s| s.link == link) {
                seen.push(Seen { link, row });
            }
        }
    }
    seen
}

/// The links on the screen.
pub(in crate::app) fn on_screen(sight: Sight<'_>) -> Vec<Seen> {
    sight.entry().map_or_else(Vec::new, |entry| links(sight, entry.top, rows(sight)))
}

/// The link under focus, on the screen or not.
pub(in crate::app) fn focus(sight: Sight<'_>) -> Option<LinkId> {
    sight.entry()?.focus
}

/// Gives the focus to the first link on the screen, unless one there has it already.
pub(in crate::app) fn settle(cx: &mut Cx<'_>) {
    settle_at(cx, |seen| seen.first().copied());
}

/// As [`settle`], for moves upwards: the last link.
pub(in crate::app) fn settle_last(cx: &mut Cx<'_>) {
    settle_at(cx, |seen| seen.last().copied());
}

fn settle_at(cx: &mut Cx<'_>, choose: fn(&[Seen]) -> Option<Seen>) {
    let seen = on_screen(cx.sight());
    let chosen = choose(&seen).map(|s| s.link);
    if let Some(entry) = cx.entry_mut() {
        entry.focus = entry.focus.filter(|focus| seen.iter().any(|s| s.link == *focus)).or(chosen);
    }
}

/// The farthest top: the last line of the document on the last row.
pub(in crate::app) fn bottom(sight: Sight<'_>) -> Anchor {
    match document(sight) {
        Some(document) if !document.blocks().is_empty() => {
            sight.layout().bottom(document, rows(sight).saturating_sub(note_rows(sight)).max(1))
        }
        _ => Anchor::default(),
    }
}

/// Rows below the last line for the word that the page is not whole, and why.
fn note_rows(sight: Sight<'_>) -> usize {
    let state = sight.entry().and_then(|entry| entry.page.as_deref()).map(|page| &page.state);
    usize::from(matches!(state, Some(PageState::Stopped | PageState::Cut(_))))
}

/// The reader moves by themselves: the place they once wanted is forgotten, and so is a match that has not come yet; neither
/// may pull them back.
pub(in crate::app) fn take_over(cx: &mut Cx<'_>) {
    cx.tab.opened = None;
    forgo(cx);
}

/// The same, where a fold that opens may be what moves them.
fn forgo(cx: &mut Cx<'_>) {
    let at = cx.tab.at;
    cx.tab.awaited = false;
    cx.tab.arriving.iter_mut().filter(|a| a.at == at).for_each(|a| (a.wanted, a.fragment) = (None, None));
}

/// Sets the first line.
pub(in crate::app) fn look_at(cx: &mut Cx<'_>, top: Anchor) {
    forgo(cx);
    if let Some(entry) = cx.entry_mut() {
        entry.top = top;
    }
}

/// Puts a place on the screen: stays where it is when it is there already, else moves as little as reads well.
pub(in crate::app) fn reveal(cx: &mut Cx<'_>, place: Anchor) {
    let (layout, rows) = (cx.layout(), rows(cx.sight()));
    let (Some(entry), Some(document)) = (cx.entry(), document(cx.sight())) else { return };
    let line = layout.line_start(document, place);
    let top = layout.line_start(document, entry.top);
    let last = layout.lines(document, top, rows).last().map_or(top, |line| line.anchor);
    if (top..=last).contains(&line) {
        return;
    }
    let near = layout.lines(document, last, rows).last().map_or(last, |line| line.anchor);
    let top = if line > last && line <= near {
        layout.up(document, line, rows - 1)
    } else if line > last {
        layout.up(document, line, rows / 3).min(layout.bottom(document, rows))
    } else if layout.up(document, top, rows) <= line {
        line
    } else {
        layout.up(document, line, rows / 3)
    };
    look_at(cx, top);
}

/// Where lines run on past the edge: looks far enough to the right, or left, for a piece of text to stand on the screen.
pub(in crate::app) fn reveal_sideways(cx: &mut Cx<'_>, text: Range<usize>) {
    let (layout, width) = (cx.layout(), usize::from(cx.desk.screen.columns));
    let Some(document) = document(cx.sight()).filter(|_| layout.wrap == Wrap::Off) else { return };
    let [start, end] = [text.start, text.end].map(|at| layout.column_of(document, document.anchor_at(at)));
    let Some(entry) = cx.entry_mut() else { return };
    let left = usize::from(entry.left);
    if start < left || end.max(start + 1) > left + width {
        let aside = if end <= width { 0 } else { start.saturating_sub(width / 3) };
        entry.left = u16::try_from(aside).unwrap_or(u16::MAX);
    }
}

/// What is in view, and what has the focus.
pub(super) fn stand(sight: Sight<'_>) -> Option<(Anchor, Option<LinkId>)> {
    sight.entry().map(|entry| (entry.top, entry.focus))
}
