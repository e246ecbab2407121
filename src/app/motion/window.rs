//! What is on the screen: its lines, its links, and the rule that the link under focus is one the reader can see.

use crate::app::state::Cx;
use crate::app::{PageState, Sight};
use crate::doc::{Anchor, Document, Line, LinkId, Wrap};
use crate::format::media;
use crate::format::message::is_message;
use crate::url::Resolved;
use crate::url::scheme;
use std::ops::Range;

/// A link on the screen and the row where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct Seen {
    /// The link.
    pub link: LinkId,
    /// The row, from 0.
    pub row: usize,
    /// Its words are above the screen: what is seen first is its picture.
    pub pictured: bool,
}

/// The document in view.
pub(in crate::app) fn document(sight: Sight<'_>) -> Option<&Document> {
    sight.entry()?.document()
}

/// Rows to lay a page out on; a screen too small for any still has one.
pub(in crate::app) fn rows(sight: Sight<'_>) -> usize {
    sight.page_rows().max(1)
}

/// The links in a window of lines, each once, in order; those too that stand behind the edges.
pub(in crate::app) fn links(sight: Sight<'_>, top: Anchor, rows: usize) -> Vec<Seen> {
    document(sight).map_or_else(Vec::new, |document| links_on(&sight.layout().lines(document, top, rows)))
}

fn links_on(lines: &[Line<'_>]) -> Vec<Seen> {
    let mut seen: Vec<Seen> = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        for (link, pictured) in line.segments.iter().filter_map(|segment| Some((segment.link?, segment.row.is_some())))
        {
            if !seen.iter().rev().any(|s| s.link == link) {
                seen.push(Seen { link, row, pictured });
            }
        }
    }
    seen
}

/// The links on the screen.
pub(in crate::app) fn on_screen(sight: Sight<'_>) -> Vec<Seen> {
    let (Some(entry), Some(document)) = (sight.entry(), document(sight)) else { return Vec::new() };
    links_on(&sight.layout().lines_scrolled(document, entry.top, rows(sight), entry.left))
}

/// Those that may get the focus: a link of which only the picture is seen has no name on the screen, and gets it where there is no
/// other.
pub(in crate::app) fn named(sight: Sight<'_>) -> Vec<Seen> {
    let mut seen = on_screen(sight);
    if seen.iter().any(|s| !s.pictured) {
        seen.retain(|s| !s.pictured);
    }
    seen
}

/// The link under focus, on the screen or not.
pub(in crate::app) fn focus(sight: Sight<'_>) -> Option<LinkId> {
    sight.entry()?.focus
}

/// The first link that gets the focus by itself: of a message the first one of its body, for those of its header are for writing
/// to people; of a directory of which only some rows are shown the first of those, and not the way up.
pub(in crate::app) fn first(sight: Sight<'_>) -> LinkId {
    if narrowed_below_a_way_up(sight) {
        return LinkId(1);
    }
    let of_message = sight.entry().and_then(|entry| entry.page.as_deref()).filter(|page| is_message(&page.head.media));
    let document = of_message.map(|page| page.document());
    let content = document.and_then(|document| Some((document, document.content?)));
    content.map_or(LinkId(0), |(document, content)| document.link_from(document.offset_of(content)))
}

fn narrowed_below_a_way_up(sight: Sight<'_>) -> bool {
    let Some((entry, page)) = sight.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))) else {
        return false;
    };
    let narrowed = page.head.media == media::DIRECTORY && !page.arrangement.wishes.filter.trim().is_empty();
    let way_up = || page.document().link(LinkId(0), &entry.bases)?.target.ok().zip(scheme::up(&page.head.url));
    narrowed
        && way_up().is_some_and(|(target, up)| target == Resolved::Url(up))
        && page.document().reference(LinkId(1)).is_some()
}

/// Gives the focus to the first link on the screen, unless one there has it already.
pub(in crate::app) fn settle(cx: &mut Cx<'_>) {
    let first = first(cx.sight());
    settle_at(cx, |seen| seen.iter().copied().find(|s| s.link >= first));
}

/// As [`settle`], for moves upwards: the last link.
pub(in crate::app) fn settle_last(cx: &mut Cx<'_>) {
    settle_at(cx, |seen| seen.last().copied());
}

fn settle_at(cx: &mut Cx<'_>, choose: impl Fn(&[Seen]) -> Option<Seen>) {
    let seen = named(cx.sight());
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
    cx.news.last.take_if(|last| last.opens);
    cx.tab
        .arriving
        .iter_mut()
        .filter(|a| a.at == at)
        .for_each(|a| (a.wanted, a.fragment, a.below) = (None, None, None));
}

/// Sets the first line. Who has come past a wide table looks from the left edge again; where lines run on they stay aside.
pub(in crate::app) fn look_at(cx: &mut Cx<'_>, top: Anchor) {
    forgo(cx);
    let aside = cx.entry().is_some_and(|entry| entry.left > 0) && cx.desk.choices.wrap != Wrap::Off;
    if let Some(entry) = cx.entry_mut() {
        entry.top = top;
    }
    if aside
        && beyond(cx.sight()) == 0
        && let Some(entry) = cx.entry_mut()
    {
        entry.left = 0;
    }
}

/// How many columns of the longest line on the screen, or of the widest table there, do not fit.
pub(in crate::app) fn beyond(sight: Sight<'_>) -> u16 {
    let (Some(entry), Some(document)) = (sight.entry(), document(sight)) else { return 0 };
    let layout = sight.layout();
    let widest = layout.widest(document, entry.top, rows(sight));
    u16::try_from(widest).unwrap_or(u16::MAX).saturating_sub(layout.width)
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

/// Where lines or tables run on past the edge: looks far enough to the right, or left, for a piece of text to stand on the
/// screen, and not behind a mark at an edge.
pub(in crate::app) fn reveal_sideways(cx: &mut Cx<'_>, text: Range<usize>) {
    const MARK: usize = 1;
    let layout = cx.layout();
    let width = usize::from(layout.width);
    let Some(document) = document(cx.sight()) else { return };
    if !layout.is_wide_at(document, document.anchor_at(text.start)) {
        return;
    }
    // its end may be the place where another cell begins
    let last = document.text().floor_char_boundary(text.end.saturating_sub(1).max(text.start));
    let [start, last] = [text.start, last].map(|at| layout.column_of(document, document.anchor_at(at)));
    let end = last.max(start) + 1;
    let Some(entry) = cx.entry_mut() else { return };
    let left = usize::from(entry.left);
    if (left > 0 && start < left + MARK) || end + MARK > left + width {
        let aside = if end + MARK <= width { 0 } else { start.saturating_sub(width / 3) };
        entry.left = u16::try_from(aside).unwrap_or(u16::MAX);
    }
}

/// What is in view, and what has the focus.
pub(super) fn stand(sight: Sight<'_>) -> Option<(Anchor, Option<LinkId>)> {
    sight.entry().map(|entry| (entry.top, entry.focus))
}
