//! The reader's place: it is kept in the document as it was written, whatever is shown of it.

use crate::app::Sight;
use crate::app::motion::window;
use crate::app::state::Cx;
use crate::doc::{Anchor, LinkId};

/// Where the reader is, in the document as it was written.
pub(super) struct Hold {
    top: Anchor,
    focus: Option<LinkId>,
    /// The row of the screen where the link under focus begins.
    row: usize,
    /// What is at the top is a part of a picture.
    in_picture: bool,
    /// It is the head of lines that are not shown.
    hides: bool,
    /// All links on the screen, and where they begin: what is under focus or at the top may not be shown any more.
    seen: Vec<(LinkId, usize)>,
    /// They stand where they came in and have not moved, or nothing has the focus yet: at the start they stay, whatever comes
    /// there.
    at_start: bool,
}

/// The lowest row of the screen for a link at a place: where it opens lines, they are to be seen below it, as many as there is room
/// for.
fn opens_within(sight: Sight<'_>, place: Anchor, link: Option<LinkId>) -> usize {
    let rows = sight.page_rows();
    let lines = || {
        let (page, link) = (sight.entry()?.page.as_deref()?, link?);
        let last = page.given().folds.get(page.fold(link)? as usize)?.end.checked_sub(1)?;
        let last = Anchor { block: last, offset: 0 };
        let shown = page.arrangement.shown.as_ref();
        let last = shown.map_or(Some(last), |shown| shown.shown_anchor(last))?;
        let lines = sight.layout().lines(page.document(), place, rows);
        Some(lines.iter().take_while(|line| line.anchor.block <= last.block).count())
    };
    rows.saturating_sub(lines().unwrap_or(1).max(1))
}

impl Hold {
    pub fn of(sight: Sight<'_>) -> Option<Hold> {
        let entry = sight.entry()?;
        let page = entry.page.as_deref()?;
        let mut seen = window::on_screen(sight);
        // Who is in the middle of a picture stays there, wherever the words are that it belongs to.
        let in_picture = seen.first().is_some_and(|seen| seen.pictured && seen.row == 0);
        seen.retain(|seen| !seen.pictured);
        let row = seen.iter().find(|seen| Some(seen.link) == entry.focus).map_or(0, |seen| seen.row);
        let shown = page.arrangement.shown.as_ref();
        let given = |link: LinkId| shown.map_or(Some(link), |shown| shown.given_link(link));
        let first = entry.focus.and_then(|focus| Some(page.given().folds.get(page.fold(focus)? as usize)?.first));
        let hides = |first: u32| shown.is_some_and(|s| s.shown_anchor(Anchor { block: first, offset: 0 }).is_none());
        Some(Hold {
            hides: first.is_some_and(hides),
            top: shown.map_or(entry.top, |shown| shown.given_anchor(entry.top)),
            focus: entry.given_focus(),
            row,
            in_picture,
            seen: seen.iter().filter_map(|seen| Some((given(seen.link)?, seen.row))).collect(),
            at_start: entry.top == Anchor::default()
                && entry.focus.is_none_or(|focus| seen.first().is_some_and(|seen| seen.link == focus))
                && sight.tab.found.is_none(),
        })
    }

    /// Brings the same link to the same row, else the same line to the top, else any that was on the screen to where it was.
    pub fn restore(self, cx: &mut Cx<'_>) {
        let layout = cx.layout();
        let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return };
        let document = page.document();
        let shown = page.arrangement.shown.as_ref();
        let link_now = |link: LinkId| shown.map_or(Some(link), |shown| shown.shown_link(link));
        let focus = self.focus.and_then(link_now);
        let place = focus.and_then(|link| document.link_anchor(link));
        let lowest = place.filter(|_| self.hides).map(|place| opens_within(cx.sight(), place, focus));
        let row = lowest.map_or(self.row, |lowest| self.row.min(lowest));
        if document.blocks().is_empty() || self.at_start && row == self.row {
            if let Some(entry) = cx.entry_mut() {
                (entry.top, entry.focus) = (Anchor::default(), None);
            }
            return;
        }
        let top = shown.map_or(Some(self.top), |shown| shown.shown_anchor(self.top));
        let other = || self.seen.iter().find_map(|(link, row)| Some((document.link_anchor(link_now(*link)?)?, *row)));
        let top = match (place, top) {
            (Some(place), _) if !(self.in_picture && top.is_some()) => layout.up(document, place, row),
            (_, Some(top)) => top,
            (_, None) => other().map_or_else(Anchor::default, |(place, row)| layout.up(document, place, row)),
        };
        let top = layout.line_start(document, top).min(window::bottom(cx.sight()));
        if let Some(entry) = cx.entry_mut() {
            (entry.top, entry.focus) = (top, focus);
        }
    }
}
