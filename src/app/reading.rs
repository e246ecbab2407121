//! What is on the screen: its lines, its links, and the rule that the link under focus is one the reader can see.

use super::{App, Entry, PageState};
use crate::doc::{Anchor, Document, LinkId, Wrap};
use std::ops::Range;

/// A link on the screen and the row where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// The link.
    pub link: LinkId,
    /// The row, from 0.
    pub row: usize,
}

/// The document in view.
pub(super) fn document(app: &App) -> Option<&Document> {
    app.entry()?.page.as_ref().map(|page| page.document())
}

/// Rows to lay a page out on; a screen too small for any still has one.
pub(super) fn rows(app: &App) -> usize {
    app.page_rows().max(1)
}

/// The links in a window of lines, each once, in order.
pub(super) fn links(app: &App, top: Anchor, rows: usize) -> Vec<Seen> {
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return Vec::new() };
    let mut seen: Vec<Seen> = Vec::new();
    for (row, line) in app.layout().lines_scrolled(document, top, rows, entry.left).iter().enumerate() {
        for link in line.segments.iter().filter_map(|segment| segment.link) {
            if !seen.iter().rev().any(|s| s.link == link) {
                seen.push(Seen { link, row });
            }
        }
    }
    seen
}

/// The links on the screen.
pub(super) fn on_screen(app: &App) -> Vec<Seen> {
    app.entry().map_or_else(Vec::new, |entry| links(app, entry.top, rows(app)))
}

/// The link under focus, when it is on the screen.
pub(super) fn focus(app: &App) -> Option<LinkId> {
    app.entry()?.focus
}

/// Gives the focus to the first link on the screen, unless one there has it already.
pub(super) fn settle(app: &mut App) {
    settle_at(app, |seen| seen.first().copied());
}

/// As [`settle`], for moves upwards: the last link.
pub(super) fn settle_last(app: &mut App) {
    settle_at(app, |seen| seen.last().copied());
}

fn settle_at(app: &mut App, choose: fn(&[Seen]) -> Option<Seen>) {
    let seen = on_screen(app);
    let chosen = choose(&seen).map(|s| s.link);
    if let Some(entry) = app.entry_mut() {
        entry.focus = entry.focus.filter(|focus| seen.iter().any(|s| s.link == *focus)).or(chosen);
    }
}

/// The farthest top: the last line of the document on the last row.
pub(super) fn bottom(app: &App) -> Anchor {
    match document(app) {
        Some(document) if !document.blocks().is_empty() => {
            app.layout().bottom(document, rows(app).saturating_sub(note_rows(app)).max(1))
        }
        _ => Anchor::default(),
    }
}

/// Rows below the last line for the word that the page is not whole, and why.
fn note_rows(app: &App) -> usize {
    let state = app.entry().and_then(|entry| entry.page.as_deref()).map(|page| &page.state);
    usize::from(matches!(state, Some(PageState::Stopped | PageState::Cut(_))))
}

/// The reader moves by themselves: the place they once wanted is forgotten, and so is a match that has not come yet; neither
/// may pull them back.
pub(super) fn take_over(app: &mut App) {
    let at = app.tab.at;
    app.tab.awaited = false;
    app.tab.arriving.iter_mut().filter(|a| a.at == at).for_each(|a| (a.wanted, a.fragment) = (None, None));
}

/// Sets the first line.
pub(super) fn look_at(app: &mut App, top: Anchor) {
    take_over(app);
    if let Some(entry) = app.entry_mut() {
        entry.top = top;
    }
}

/// Puts a place on the screen: stays where it is when it is there already, else moves as little as reads well.
pub(super) fn reveal(app: &mut App, place: Anchor) {
    let (layout, rows) = (app.layout(), rows(app));
    let (Some(entry), Some(document)) = (app.entry(), document(app)) else { return };
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
    look_at(app, top);
}

/// Where lines run on past the edge: looks far enough to the right, or left, for a piece of text to stand on the screen.
pub(super) fn reveal_sideways(app: &mut App, text: Range<usize>) {
    let (layout, width) = (app.layout(), usize::from(app.screen.columns));
    let Some(document) = document(app).filter(|_| layout.wrap == Wrap::Off) else { return };
    let [start, end] = [text.start, text.end].map(|at| layout.column_of(document, document.anchor_at(at)));
    let Some(entry) = app.entry_mut() else { return };
    let left = usize::from(entry.left);
    if start < left || end.max(start + 1) > left + width {
        let aside = if end <= width { 0 } else { start.saturating_sub(width / 3) };
        entry.left = u16::try_from(aside).unwrap_or(u16::MAX);
    }
}

impl Entry {
    /// The document, when its page is kept.
    pub fn document(&self) -> Option<&Document> {
        self.page.as_deref().map(|page| page.document())
    }
}
