//! One place in the reader's path: where it is, how they came, what it shows, where they looked.

use super::arrangement::Arrangement;
use super::fields::{Filled, Sent};
use super::listed::Listed;
use super::marked::Marked;
use super::veil::Veil;
use crate::app::PageId;
use crate::doc::{Anchor, Document, LinkId, index};
use crate::format::{PageRows, media};
use crate::proto::{Dispatch, FetchError, Head};
use crate::url::{BaseStack, Url};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// A history entry. Its bases belong to it, so going back restores them.
#[derive(Debug)]
pub struct Entry {
    /// The URL as opened, fragment included.
    pub url: Url,
    /// The bases for its references.
    pub bases: BaseStack,
    /// The first line on the screen.
    pub top: Anchor,
    /// The link under focus.
    pub focus: Option<LinkId>,
    /// Columns scrolled to the right when wrap is off.
    pub left: u16,
    /// How it was asked for, where the URL does not tell.
    pub sent: Option<Sent>,
    /// The redirects that led here, the first one first.
    pub hops: Vec<Hop>,
    /// What servers were told in secret on the way here: it is hidden in where the page leads.
    pub veil: Veil,
    /// What the reader filled into its fields.
    pub filled: Filled,
    /// Whose words it shows, where its URL does not tell.
    pub origin: Option<Url>,
    /// The page that led there; `None` where the reader named it.
    pub led: Option<Url>,
    /// Its title, from when its page was here; before that the words of the link that led there.
    pub titled: Option<String>,
    /// Which item of the list it is that led there.
    pub among: Option<Among>,
    /// That list, where it is not the place before.
    pub listed: Option<Arc<Listed>>,
    /// The rows that the reader has marked.
    pub marked: Marked,
    /// The rows of a directory that it did not have when the reader saw it last, by the links of the page as it was written.
    pub fresh: BTreeSet<LinkId>,
    /// Where the reader was on the page, when it could not be fetched again.
    pub wanted: Option<Place>,
    /// The reader has forgotten that they were here: it is not kept for the next time.
    pub forgotten: bool,
    /// It is of an earlier run and was not shown in this one.
    pub restored: bool,
    /// What it shows; `None` when memory was needed elsewhere, then coming back fetches it again.
    pub page: Option<Box<Page>>,
}

impl Entry {
    /// A place to which the reader has not come yet.
    pub(in crate::app) fn ahead(url: Url, base: Option<&Url>) -> Entry {
        Entry {
            bases: BaseStack::retrieved(url.without_fragment(), base.cloned()),
            url,
            top: Anchor::default(),
            focus: None,
            left: 0,
            sent: None,
            hops: Vec::new(),
            veil: Veil::default(),
            origin: None,
            led: None,
            among: None,
            listed: None,
            filled: Filled::default(),
            titled: None,
            marked: Marked::default(),
            fresh: BTreeSet::new(),
            wanted: None,
            forgotten: false,
            restored: false,
            page: None,
        }
    }
}

/// The place of an item in its list, counted from one, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Among {
    /// The item's number.
    pub at: u32,
    /// How many there are.
    pub of: u32,
    /// The link in the list, as that was written.
    pub link: LinkId,
}

/// A redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// Who said so.
    pub from: Url,
    /// The server's words: "302 Found".
    pub status: String,
    /// What left this machine until it said so.
    pub dispatched: Vec<Dispatch>,
    /// That was an address of the network alone, and what it said may be kept.
    pub by_address: bool,
}

/// A page, complete or arriving.
pub struct Page {
    /// Its number.
    pub id: PageId,
    /// What the response said of itself.
    pub head: Head,
    /// The document so far, as it was written.
    pub given: Arc<Document>,
    /// Its rows, where they have an order of their own.
    pub rows: Option<PageRows>,
    /// How it stands.
    pub state: PageState,
    /// Octets received.
    pub received: u64,
    /// From request to end (or to now).
    pub elapsed: Duration,
    /// The octets as received, kept when they are few enough (source view, charset change); of a page that arrives the first
    /// of them.
    pub source: Option<Arc<[u8]>>,
    /// How it is shown.
    pub arrangement: Arrangement,
    /// Of which state of what the reader keeps it was made, when it is a page of their own: that it is told anew from.
    pub made_of: Option<String>,
    /// What left this machine for it; nothing where nobody was asked.
    pub dispatched: Vec<Dispatch>,
    /// Which of the kept pages link to it, once somebody has asked.
    pub linked: Vec<Linking>,
    /// The blocks that are new since it was read the last time, in their order.
    pub fresh: Vec<u32>,
}

/// A page that links to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linking {
    /// Its address.
    pub url: Url,
    /// What it is called; empty where it has no title.
    pub title: String,
}

/// How a page stands.
#[derive(Debug, Clone, PartialEq)]
pub enum PageState {
    /// More is coming.
    Arriving,
    /// All is here.
    Complete,
    /// The reader stopped it.
    Stopped,
    /// It ends early, with a remark.
    Cut(String),
    /// It is the error page of this failure.
    Failed(FetchError),
}

impl Page {
    /// The document so far, as it is shown.
    pub fn document(&self) -> &Arc<Document> {
        self.arrangement.shown.as_ref().map_or(&self.given, |shown| shown.document())
    }

    /// The blocks that are new since the last time, as far as they are shown in the order in which they came.
    pub fn fresh_in_view(&self) -> &[u32] {
        if Arc::ptr_eq(self.document(), &self.given) { &self.fresh } else { &[] }
    }

    /// All octets as received, once the page has come to its end, when they are kept.
    pub(in crate::app) fn whole_source(&self) -> Option<&Arc<[u8]>> {
        self.source.as_ref().filter(|_| self.state != PageState::Arriving)
    }
}

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page").field("head", &self.head).field("state", &self.state).finish_non_exhaustive()
    }
}

/// What a place is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// Its title.
    Title(String),
    /// Its URL, without a password.
    Url(String),
}

impl Entry {
    /// The title: the document's, else the URL.
    pub fn title(&self) -> String {
        match self.label() {
            Label::Title(text) | Label::Url(text) => text,
        }
    }

    /// The title of the document, or what it was when it was last here; else what the link was called that led there, or what may
    /// be a title; else the URL. What a failure is called does not count.
    pub fn label(&self) -> Label {
        let document = self.page.as_deref().filter(|page| !page.is_error()).map(Page::document);
        let said = [document.and_then(|document| document.title.as_ref()), self.titled.as_ref()];
        let title = said.into_iter().flatten().find(|title| !title.trim().is_empty()).cloned();
        let title = title.or_else(|| document.and_then(|document| document.guess_title()));
        // Titles stand in tabs, and are kept: what was told in secret on the way is not.
        let title = title.map(|title| Label::Title(self.veil.over(title)));
        title.unwrap_or_else(|| Label::Url(self.url.redacted()))
    }

    /// The same place with a page of its own that says the same; `None` where no page is here, or the reader has filled in some of
    /// it. Nothing more will come of it, and nothing of it is sent.
    pub(in crate::app) fn twin(&self, id: PageId) -> Option<Entry> {
        let page = self.page.as_deref().filter(|_| self.filled.is_empty())?;
        let state = if page.state == PageState::Arriving { PageState::Complete } else { page.state.clone() };
        let page = Page {
            id,
            head: page.head.clone(),
            given: Arc::clone(&page.given),
            rows: page.rows.clone(),
            state,
            received: page.received,
            elapsed: page.elapsed,
            source: page.source.clone(),
            arrangement: page.arrangement.twin(),
            made_of: page.made_of.clone(),
            dispatched: page.dispatched.clone(),
            linked: page.linked.clone(),
            fresh: page.fresh.clone(),
        };
        Some(Entry {
            bases: self.bases.clone(),
            top: self.top,
            focus: self.focus,
            left: self.left,
            sent: self.sent.clone(),
            hops: self.hops.clone(),
            veil: self.veil.clone(),
            origin: self.origin.clone(),
            led: self.led.clone(),
            titled: self.titled.clone(),
            among: self.among,
            listed: self.listed.clone(),
            forgotten: self.forgotten,
            page: Some(Box::new(page)),
            ..Entry::ahead(self.url.clone(), None)
        })
    }

    /// The marks of its rows, for a page that takes the place of the one that is here.
    pub(in crate::app) fn carry_marks(&mut self) -> Marked {
        if let Some(page) = &self.page {
            self.marked.carry(page.given());
        }
        std::mem::take(&mut self.marked)
    }

    /// Gives up the page; the place in it stays.
    pub(in crate::app) fn lose(&mut self) -> Option<Box<Page>> {
        if let Label::Title(title) = self.label() {
            self.titled = Some(title);
        }
        self.as_given();
        self.marked = self.carry_marks();
        self.page.take()
    }
}

/// Where a reader looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The first line.
    pub top: Anchor,
    /// The link under focus.
    pub focus: Option<LinkId>,
    /// Columns to the right.
    pub left: u16,
}

impl Page {
    /// Whether it is an article or a mail.
    pub(in crate::app) fn is_article(&self) -> bool {
        self.head.media.starts_with("message/") && !self.is_error()
    }

    /// Whether it is the page of a failure.
    pub fn is_error(&self) -> bool {
        matches!(self.state, PageState::Failed(_))
    }

    /// Octets it holds.
    pub fn memory(&self) -> usize {
        let rows = self.rows.as_ref().map_or(0, |rows| rows.memory());
        self.given().memory() + self.arrangement.memory() + rows + self.source.as_ref().map_or(0, |source| source.len())
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
        self.given_link(self.focus?)
    }

    /// A link that is shown, in the document as it was written.
    pub fn given_link(&self, shown: LinkId) -> Option<LinkId> {
        let page = self.page.as_deref()?;
        page.arrangement.shown.as_ref().map_or(Some(shown), |arranged| arranged.given_link(shown))
    }

    /// The page goes or is read again: the place outlives its arrangement.
    pub(in crate::app) fn as_given(&mut self) {
        let place = self.given_place();
        (self.top, self.focus) = (place.top, place.focus);
    }

    /// The page is another one, which may have fewer lines and links: the reader is nowhere beyond them.
    pub(in crate::app) fn stay_within(&mut self) {
        let Some(document) = self.document() else { return };
        let links = document.link_count();
        let last = index(document.blocks().len().saturating_sub(1));
        self.focus = self.focus.filter(|link| link.0 < links);
        if self.top.block > last {
            self.top = Anchor { block: last, offset: 0 };
        }
    }

    /// The page was fetched again: it is shown as it was before.
    pub(in crate::app) fn arrange_as(&mut self, before: Entry) {
        if let (Some(old), Some(page)) = (before.page, &mut self.page)
            && old.head.media == page.head.media
        {
            if old.head.media == media::OWN && old.state == PageState::Complete && old.arrangement.shown.is_none() {
                // It is fetched again by itself, under the hands of its reader: until the new text is there they have the old one.
                (page.given, page.rows) = (old.given, old.rows);
                (self.top, self.focus, self.left) = (before.top, before.focus, before.left);
            }
            let mut wishes = old.arrangement.wishes;
            // Rows may have other numbers now.
            wishes.reading.folds.clear();
            if page.head.media == media::NEWSGROUP {
                // What is unread of it is another question now.
                (wishes.reading.read, wishes.reading.narrowed) = (None, None);
            }
            // Pictures in its text are not asked for again by themselves.
            page.arrangement = Arrangement { readme: old.arrangement.readme, ..Arrangement::by(wishes) };
        }
    }

    /// Whether it shows a menu, a directory, or a group or list of news: what one goes on along, and not through.
    pub(in crate::app) fn is_list(&self) -> bool {
        const LISTS: [&str; 4] = [media::MENU, media::DIRECTORY, media::NEWSGROUP, media::NEWSGROUPS];
        self.page.as_deref().is_some_and(|page| LISTS.contains(&page.head.media.as_str()))
    }

    /// The document, when its page is kept.
    pub fn document(&self) -> Option<&Document> {
        self.page.as_deref().map(|page| &**page.document())
    }
}
