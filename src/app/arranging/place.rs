//! The reader's place: it is kept in the document as it was written, whatever is shown of it.

use super::Arrangement;
use crate::app::arrival::Place;
use crate::app::{App, Entry, Page, reading};
use crate::doc::{Anchor, LinkId};

impl Page {
    /// Where a place of the document as it was written is shown.
    pub(in crate::app) fn shown(&self, given: Place) -> Place {
        let Some(shown) = self.arrangement.shown.as_ref().filter(|_| given.top != Anchor::default()) else {
            return given;
        };
        let top = shown.shown_anchor(given.top).unwrap_or_default();
        Place { top, focus: given.focus.and_then(|link| shown.shown_link(link)), ..given }
    }
}

impl Entry {
    /// Where the reader looks, in the document as it was written. The start stays the start.
    pub(in crate::app) fn given_place(&self) -> Place {
        if let Some(place) = self.wanted.filter(|_| self.page.as_deref().is_none_or(Page::is_error)) {
            return place;
        }
        let place = Place { top: self.top, focus: self.focus, left: self.left };
        match self.page.as_deref().and_then(|page| page.arrangement.shown.as_ref()) {
            Some(shown) => Place {
                top: if self.top == Anchor::default() { self.top } else { shown.given_anchor(self.top) },
                focus: self.focus.and_then(|link| shown.given_link(link)),
                ..place
            },
            None => place,
        }
    }

    /// The link under focus, in the document as it was written.
    pub(in crate::app) fn given_focus(&self) -> Option<LinkId> {
        let (focus, page) = (self.focus?, self.page.as_deref()?);
        page.arrangement.shown.as_ref().map_or(Some(focus), |shown| shown.given_link(focus))
    }

    /// The page goes or is read again: the place outlives its arrangement.
    pub(in crate::app) fn as_given(&mut self) {
        let place = self.given_place();
        (self.top, self.focus) = (place.top, place.focus);
    }

    /// The page was fetched again: it is shown as it was before.
    pub(in crate::app) fn arrange_as(&mut self, old: Option<Box<Page>>) {
        if let (Some(old), Some(page)) = (old, &mut self.page)
            && old.head.media == page.head.media
        {
            let mut wishes = old.arrangement.wishes;
            // Rows may have other numbers now.
            wishes.reading.folds.clear();
            page.arrangement = Arrangement::by(wishes);
        }
    }
}

/// Where the reader is, in the document as it was written.
pub(super) struct Hold {
    top: Anchor,
    focus: Option<LinkId>,
    /// The row of the screen where the link under focus begins.
    row: usize,
    /// All links on the screen, and where they begin: what is under focus or at the top may not be shown any more.
    seen: Vec<(LinkId, usize)>,
    /// They stand where they came in and have not moved.
    at_start: bool,
}

impl Hold {
    pub fn of(app: &App) -> Option<Hold> {
        let entry = app.entry()?;
        let page = entry.page.as_deref()?;
        let seen = reading::on_screen(app);
        let row = seen.iter().find(|seen| Some(seen.link) == entry.focus).map_or(0, |seen| seen.row);
        let shown = page.arrangement.shown.as_ref();
        let given = |link: LinkId| shown.map_or(Some(link), |shown| shown.given_link(link));
        Some(Hold {
            top: shown.map_or(entry.top, |shown| shown.given_anchor(entry.top)),
            focus: entry.given_focus(),
            row,
            seen: seen.iter().filter_map(|seen| Some((given(seen.link)?, seen.row))).collect(),
            at_start: entry.top == Anchor::default()
                && entry.focus == seen.first().map(|seen| seen.link)
                && app.tab.found.is_none(),
        })
    }

    /// Brings the same link to the same row, else the same line to the top, else any that was on the screen to where it was.
    pub fn restore(self, app: &mut App) {
        let layout = app.layout();
        let arriving = app.is_arriving();
        let Some(page) = app.entry().and_then(|entry| entry.page.as_deref()) else { return };
        let document = page.document();
        if document.blocks().is_empty() || self.at_start && arriving {
            if let Some(entry) = app.entry_mut() {
                (entry.top, entry.focus) = (Anchor::default(), None);
            }
            return;
        }
        let shown = page.arrangement.shown.as_ref();
        let link_now = |link: LinkId| shown.map_or(Some(link), |shown| shown.shown_link(link));
        let focus = self.focus.and_then(link_now);
        let place = focus.and_then(|link| document.link_anchor(link));
        let top = shown.map_or(Some(self.top), |shown| shown.shown_anchor(self.top));
        let other = || self.seen.iter().find_map(|(link, row)| Some((document.link_anchor(link_now(*link)?)?, *row)));
        let top = match (place, top) {
            (Some(place), _) => layout.up(document, place, self.row),
            (None, Some(top)) => top,
            (None, None) => other().map_or_else(Anchor::default, |(place, row)| layout.up(document, place, row)),
        };
        let top = layout.line_start(document, top).min(reading::bottom(app));
        if let Some(entry) = app.entry_mut() {
            (entry.top, entry.focus) = (top, focus);
        }
    }
}
