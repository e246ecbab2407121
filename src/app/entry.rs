//! One place in the reader's path: where it is, how they came, what it shows, where they looked.

use super::{Arrangement, Filled, Place, Sent};
use crate::doc::{Anchor, Builder, Document, LinkId};
use crate::format::Parser;
use crate::proto::{FetchError, Head};
use crate::url::{BaseStack, Url};
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
    /// What the reader filled into its fields.
    pub filled: Filled,
    /// Its title, from when its page was here.
    pub titled: Option<String>,
    /// Where the reader was on the page, when it could not be fetched again.
    pub wanted: Option<Place>,
    /// The reader has forgotten that they were here: it is not kept for the next time.
    pub forgotten: bool,
    /// What it shows; `None` when memory was needed elsewhere, then coming back fetches it again.
    pub page: Option<Box<Page>>,
}

/// A redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// Who said so.
    pub from: Url,
    /// The server's words: "302 Found".
    pub status: String,
}

/// A page, complete or arriving.
pub struct Page {
    /// What the response said of itself.
    pub head: Head,
    /// The document so far.
    pub builder: Builder,
    /// What reads the rest; after the end it is kept when it knows how to order the rows.
    pub parser: Option<Box<dyn Parser>>,
    /// How it stands.
    pub state: PageState,
    /// Octets received.
    pub received: u64,
    /// From request to end (or to now).
    pub elapsed: Duration,
    /// The octets as received, kept while they are few enough (source view, charset change).
    pub source: Option<Vec<u8>>,
    /// How it is shown.
    pub arrangement: Arrangement,
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
    pub fn document(&self) -> &Document {
        self.arrangement.shown.as_ref().map_or(self.given(), |shown| shown.document())
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

    /// The title of the document, or what it was when it was last here; else the URL. What a failure is called does not count.
    pub fn label(&self) -> Label {
        let page = self.page.as_deref().filter(|page| !page.is_error());
        let own = page.and_then(|page| page.document().title.as_ref());
        let title = own.or(self.titled.as_ref()).filter(|title| !title.trim().is_empty());
        title.map_or_else(|| Label::Url(self.url.redacted()), |title| Label::Title(title.clone()))
    }

    /// Gives up the page; the place in it stays.
    pub(super) fn lose(&mut self) -> Option<Box<Page>> {
        if let Label::Title(title) = self.label() {
            self.titled = Some(title);
        }
        self.as_given();
        self.page.take()
    }
}
