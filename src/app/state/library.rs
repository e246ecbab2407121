//! Where the reader has been and what they keep, as the files say that were read and as it has changed since.

use super::undo::Undo;
use crate::app::ids::PageId;
use crate::app::{JobId, KeptMark, LastTabs};
use crate::bookmarks::Bookmarks;
use crate::bookmarks::{Bookmark, Change};
use crate::url::Url;
use crate::visits::{Forget, Visits};
use crate::work::{Candidate, Offer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the reader keeps.
#[derive(Debug, Default)]
pub struct Library {
    /// Where the reader has been.
    pub visits: Visits,
    /// The rest of it is being read from disk.
    pub(in crate::app) visits_coming: bool,
    /// Bookmarks.
    pub bookmarks: Bookmarks,
    /// Tabs of earlier runs that did not come back by themselves, the last first.
    pub last: Vec<LastTabs>,
    /// Marks, by their letters.
    pub marks: BTreeMap<char, KeptMark>,
    /// The marks that were deleted, to take that back.
    pub(in crate::app) mark_undo: Undo<(char, KeptMark)>,
    /// What is new in what they are subscribed to.
    pub new: NewItems,
    /// The page of their own that is being made.
    pub(in crate::app) own: InternalPages,
    /// Addresses like the one being typed.
    pub(in crate::app) seeking: Option<Suggestions>,
}

/// What is new in what the reader is subscribed to.
#[derive(Debug, Default)]
pub struct NewItems {
    /// Items that are unread, as far as that was told.
    pub unread: u64,
    /// Grows with whatever is told.
    pub(in crate::app) revision: u64,
    /// Which of these it was when the page about it that comes was asked for.
    pub(in crate::app) coming: Option<u64>,
    /// The page about it that was in view last, and which of these it shows.
    pub(in crate::app) shown: Option<(PageId, u64)>,
}

/// What goes on with the pages that are made of what is kept.
#[derive(Debug, Default)]
pub(in crate::app) struct InternalPages {
    /// What was taken off the list of what is to be read later in this run, and its title; the last one last.
    pub(in crate::app) dropped: Vec<(Url, String)>,
    pub(in crate::app) history: Option<HistoryPage>,
    pub(in crate::app) trail: Option<HistoryPage>,
    /// The addresses of the stations that the page of a trail shows.
    pub(in crate::app) stations: BTreeSet<String>,
    /// Other running copies were asked of already.
    pub(in crate::app) looked: bool,
    /// What the reader wants forgotten, in their words too, while their history is being read.
    pub(in crate::app) forgetting: Option<(Forget, String)>,
    /// How many pages were forgotten last; what the store has forgotten with them is told later.
    pub(in crate::app) forgotten: usize,
    pub(in crate::app) bookmarks: BookmarksPage,
}

/// What goes on with bookmarks besides the page.
#[derive(Debug, Default)]
pub(in crate::app) struct BookmarksPage {
    /// Grows with every change.
    pub(in crate::app) revision: u64,
    /// What each link of the page stands for, and of which page they are.
    pub(in crate::app) rows: (String, Vec<BookmarkRow>),
    /// What takes removals back.
    pub(in crate::app) undo: Undo<Change>,
}

/// What a link of the page stands for.
#[derive(Debug, Clone)]
pub(in crate::app) enum BookmarkRow {
    /// A bookmark.
    Bookmark(Bookmark),
    /// The head of the folder of this path.
    Folder(Vec<String>),
}

/// A page in the making.
#[derive(Debug)]
pub(in crate::app) struct HistoryPage {
    pub(in crate::app) url: Url,
    /// Of what.
    pub(in crate::app) revision: String,
    /// The number under which its pages are listed.
    pub(in crate::app) job: JobId,
}

/// Addresses like the one that is being typed.
#[derive(Debug)]
pub(in crate::app) struct Suggestions {
    /// What stands before the address, as in `:open gopher://…`.
    pub(in crate::app) before: String,
    pub(in crate::app) near: Arc<[Candidate<'static>]>,
    /// What is still to be compared, and what was found.
    pub(in crate::app) offer: Box<Offer>,
    /// The number under which the rest is being compared, or was.
    pub(in crate::app) job: Option<JobId>,
}
