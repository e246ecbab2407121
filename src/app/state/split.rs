//! Two tabs in view at once, beside each other or one above the other: which they are, and the room that each has.
//!
//! A pair is of two tabs like any others. While one of them is in view the other is drawn with it; while a third is, neither knows
//! of the other. Refuses: opening, closing and going to tabs (`app::split`), which need the whole browser.

use super::{Desk, Sight};
use crate::app::{Mouse, PageId, Place, TabId};
use crate::doc::{Layout, LinkId};

/// The widest screen on which the panes stand above each other: of two halves of it neither has room for a line of prose.
const NARROW: u16 = 80;
/// Rows of a pane, its head among them, with which it is worth being drawn beside the other, and above it.
const LEAST: u16 = 3;

/// Two tabs of which both are drawn while one of them is in view.
#[derive(Debug)]
pub struct Split {
    /// The tab at the left or above, and the other.
    pub panes: [TabId; 2],
    /// The place among them of the one that was made for it when the reader parted the screen.
    pub(in crate::app) made: usize,
    /// What the one is to the other.
    pub(in crate::app) tie: Tie,
    /// The reader has been in that one.
    pub(in crate::app) seen: bool,
    /// The room that each page was brought into view for.
    pub(in crate::app) laid: [Option<(Pane, Layout)>; 2],
    /// Where the reader stood on the first page when it had the room alone.
    pub(in crate::app) stood: Option<Stood>,
}

/// Where the reader stood on a page before its room became smaller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::app) struct Stood {
    /// The page.
    pub page: PageId,
    /// The place there.
    pub before: Place,
    /// Where the smaller room has brought them: who stands elsewhere has moved.
    pub since: Place,
}

/// What the second pane is to the first.
#[derive(Debug, PartialEq)]
pub(in crate::app) enum Tie {
    /// Nothing: they are two pages.
    None,
    /// What the list in the first names opens in the second.
    List {
        /// The list's page, and its likeness behind what the second pane shows.
        twin: Option<(PageId, PageId)>,
        /// The item that was opened last, in the document as it was written.
        read: Option<LinkId>,
    },
    /// The second takes apart what is under focus in the first: it says what it says for this page, this link and so many octets.
    Anatomy(Option<(PageId, Option<LinkId>, u64)>),
}

/// The part of the room for pages that a tab has, in cells from the upper left corner of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    /// Columns at its left.
    pub x: u16,
    /// Rows above it.
    pub y: u16,
    /// Columns.
    pub columns: u16,
    /// Rows, its head among them.
    pub rows: u16,
    /// Rows of its head, which says what it shows.
    pub head: u16,
    /// The other pane begins at its right: its last column is between the two.
    pub parted: bool,
}

/// How two panes share a room, the first at the left or above; `None` where it is too small for two.
fn shared(columns: u16, rows: u16, list: bool) -> Option<[Pane; 2]> {
    // A list needs less than what is read.
    let first = |of: u16| if list { of / 5 * 2 + of % 5 * 2 / 5 } else { of / 2 };
    let head = 1;
    if columns > NARROW && rows >= LEAST {
        let left = Pane { x: 0, y: 0, columns: first(columns), rows, head, parted: true };
        return Some([left, Pane { x: left.columns, columns: columns - left.columns, parted: false, ..left }]);
    }
    let above = first(rows).max(LEAST);
    let below = rows.checked_sub(above).filter(|below| *below >= LEAST)?;
    let upper = Pane { x: 0, y: 0, columns, rows: above, head, parted: false };
    Some([upper, Pane { y: above, rows: below, ..upper }])
}

impl Split {
    /// The place of a tab among the two.
    pub fn at(&self, tab: TabId) -> Option<usize> {
        self.panes.iter().position(|pane| *pane == tab)
    }

    /// Whether what the first names opens in the second.
    pub(in crate::app) fn is_list(&self) -> bool {
        matches!(self.tie, Tie::List { .. })
    }
}

impl Desk {
    /// The pair that a tab is of. Who listens has one page at a time.
    pub fn split_of(&self, tab: TabId) -> Option<&Split> {
        self.split.as_ref().filter(|split| split.at(tab).is_some() && !self.settings.speech)
    }

    /// Whether there is a scrollbar at the right of a page of so many columns.
    fn has_scrollbar(&self, columns: u16) -> bool {
        self.choices.mouse == Mouse::On && columns > 20 && !self.settings.speech
    }
}

impl<'a> Sight<'a> {
    /// The pair that the tab is of.
    pub fn split(self) -> Option<&'a Split> {
        self.desk.split_of(self.tab.id)
    }

    /// Rows of the line of tabs, which is there when there are several and the page has rows enough besides. Where both of two
    /// are in view it would say nothing.
    pub fn tab_rows(self) -> u16 {
        let both = self.tab_count == 2 && self.split().is_some();
        u16::from(self.tab_count > 1 && self.desk.screen.rows > 5 && !both)
    }

    /// Rows for pages: the screen less the line of tabs, the greeting, the status bar and the line below.
    pub fn room_rows(self) -> u16 {
        let desk = self.desk;
        desk.screen.rows.saturating_sub(desk.foot_rows() + self.tab_rows() + desk.greeting_rows())
    }

    /// The panes of the pair that the tab is of; `None` where it is of none, or there is no room for two.
    pub fn panes(self) -> Option<[Pane; 2]> {
        shared(self.desk.screen.columns, self.room_rows(), self.split()?.is_list())
    }

    /// Whether there is room for two panes, the first of them a list.
    pub(in crate::app) fn has_room_for_two(self, list: bool) -> bool {
        shared(self.desk.screen.columns, self.room_rows(), list).is_some()
    }

    /// The room of this tab.
    pub fn pane(self) -> Pane {
        let (columns, rows) = (self.desk.screen.columns, self.room_rows());
        // One that is alone says that it is not.
        let alone = Pane { x: 0, y: 0, columns, rows, head: 0, parted: false };
        match (self.split().and_then(|split| split.at(self.tab.id)), self.panes()) {
            (Some(at), Some(panes)) => panes[at],
            (Some(_), None) => Pane { head: u16::from(rows >= LEAST), ..alone },
            (None, _) => alone,
        }
    }

    /// Rows of the page.
    pub fn page_rows(self) -> usize {
        let pane = self.pane();
        usize::from(pane.rows.saturating_sub(pane.head))
    }

    /// Columns of the page, without the scrollbar, which is there for the mouse, or what parts it from the pane at its right.
    pub fn page_columns(self) -> u16 {
        let Pane { columns, parted, .. } = self.pane();
        columns.saturating_sub(u16::from(parted || self.has_scrollbar()))
    }

    /// Whether there is a scrollbar at the right.
    pub fn has_scrollbar(self) -> bool {
        self.desk.has_scrollbar(self.pane().columns)
    }

    /// The item of the list in this pane that is read in the other one, as it is shown.
    pub fn read_beside(self) -> Option<LinkId> {
        let Split { tie: Tie::List { twin: Some((list, _)), read: Some(read) }, panes, .. } = self.split()? else {
            return None;
        };
        let page = self.entry()?.page.as_deref().filter(|page| panes[0] == self.tab.id && page.id == *list)?;
        page.shown_link(*read)
    }

    /// Whether it is the pane for what the list beside it names, and nothing was opened there.
    pub fn awaits_an_item(self) -> bool {
        let Some(Split { tie: Tie::List { twin, .. }, panes, .. }) = self.split() else { return false };
        let here = self.entry().and_then(|entry| entry.page.as_deref()).map(|page| page.id);
        panes[1] == self.tab.id && (self.entry().is_none() || here.is_some() && here == twin.map(|(_, twin)| twin))
    }
}
