//! What a feature sees: its tab, the reader's hands, the desk with all that the reader chose, what the browser knows, and places
//! for what it asks of the shell and of the whole browser. A tab behind is served by another such view, never by being
//! swapped into sight.

pub(super) mod charset;
pub(super) mod desk;
mod greeting;
mod illustration;
pub(super) mod intent;
pub(super) mod jobs;
pub(super) mod library;
mod link;
pub(super) mod listing;
pub(super) mod logins;
pub(super) mod news;
mod picture;
pub(super) mod split;
pub(super) mod transfers;
pub(super) mod undo;

pub use desk::{Desk, Screen};
pub use illustration::Placed;
pub use library::Library;
pub use split::{Pane, Split};
pub use transfers::{Download, DownloadState, Leaf, Pace, Transfers, Tree};

use crate::app::page::address;
use crate::app::{DownloadId, Entry, FormId, Hands, JobId, Opening, Page, PageId, PageState, Tab, TabId};
use crate::doc::{Document, Layout};
use crate::url::complete::Completed;
use crate::url::scheme::{default_port, is_for_hosts};
use crate::url::{Url, UrlError};
use intent::Intent;
use jobs::{Errand, Jobs};
use news::News;

/// What is said to whoever wants something of a page that is not here yet.
pub(super) const COMING: &str = "wait a moment: it is still coming";

/// What a feature may change.
#[derive(Debug)]
pub(super) struct Cx<'a> {
    /// The tab it happens in.
    pub tab: &'a mut Tab,
    /// The reader's hands; of a tab behind its own, which wait.
    pub hands: &'a mut Hands,
    /// What was asked of the shell and is not answered.
    pub jobs: &'a mut Jobs,
    /// What the reader chose, and the screen.
    pub desk: &'a mut Desk,
    /// Where the reader has been and what they keep.
    pub library: &'a mut Library,
    /// What is on its way into files.
    pub transfers: &'a mut Transfers,
    /// What the reader has read of the news.
    pub news: &'a mut News,
    /// What the whole browser is to do.
    pub intents: &'a mut Vec<(TabId, Intent)>,
    /// How many tabs there are.
    pub tab_count: usize,
}

/// What a feature may look at.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// The tab.
    pub tab: &'a Tab,
    /// The reader's hands.
    pub hands: &'a Hands,
    /// What was asked of the shell and is not answered.
    pub(super) jobs: &'a Jobs,
    /// What the reader chose, and the screen.
    pub desk: &'a Desk,
    /// Where the reader has been and what they keep.
    pub library: &'a Library,
    /// What is on its way into files.
    pub transfers: &'a Transfers,
    /// What the reader has read of the news.
    pub(super) news: &'a News,
    /// How many tabs there are.
    pub tab_count: usize,
}

impl Cx<'_> {
    /// All of it, to be looked at.
    pub(super) fn sight(&self) -> Sight<'_> {
        Sight {
            tab: self.tab,
            hands: self.hands,
            jobs: self.jobs,
            desk: self.desk,
            library: self.library,
            transfers: self.transfers,
            news: self.news,
            tab_count: self.tab_count,
        }
    }

    /// The place in view.
    pub(super) fn entry(&self) -> Option<&Entry> {
        self.tab.entry()
    }

    pub(super) fn entry_mut(&mut self) -> Option<&mut Entry> {
        self.tab.history.get_mut(self.tab.at)
    }

    /// A number for something that is about to be asked of the shell, for this tab.
    pub(super) fn job(&mut self, errand: Errand) -> JobId {
        self.jobs.begin(self.tab.id, errand)
    }

    /// A number for a download.
    pub(in crate::app) fn download_id(&mut self) -> DownloadId {
        DownloadId(self.jobs.number())
    }

    /// A number for a page.
    pub(in crate::app) fn page_id(&mut self) -> PageId {
        PageId(self.jobs.number())
    }

    /// A number for a form.
    pub(super) fn form_id(&mut self) -> FormId {
        FormId(self.jobs.number())
    }

    /// Says what is to be done in this tab when the feature has ended.
    pub(super) fn intend(&mut self, intent: Intent) {
        self.intents.push((self.tab.id, intent));
    }

    /// Wants to open a place.
    pub(super) fn open(&mut self, opening: Opening) {
        self.intend(Intent::Open(Box::new(opening)));
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.hands.say(text);
    }

    /// Says that something did not work, in one line, behind what is still there to be read.
    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.hands.complain(text);
    }

    /// Rows of the page.
    pub(super) fn page_rows(&self) -> usize {
        self.sight().page_rows()
    }

    /// The layout of the page.
    pub(super) fn layout(&self) -> Layout {
        self.sight().layout()
    }

    /// The first key sequence of a command on a page, by name.
    pub(super) fn key_for(&self, command: &str) -> Option<String> {
        self.desk.key_for(command)
    }

    /// The same on a page of the reader's own.
    pub(super) fn key_on_own(&self, command: &str) -> Option<String> {
        self.desk.key_on_own(command)
    }
}

impl<'a> Sight<'a> {
    /// The place in view.
    pub fn entry(self) -> Option<&'a Entry> {
        self.tab.entry()
    }

    /// The layout of the page.
    pub fn layout(self) -> Layout {
        self.room().1
    }

    /// Columns that stay free before the page.
    pub fn page_left(self) -> u16 {
        self.room().0
    }

    fn room(self) -> (u16, Layout) {
        let wide = self.entry().and_then(Entry::document).map_or(0, Document::row_columns);
        self.desk.layout(self.page_columns(), self.is_measured(), wide)
    }

    /// Whether prose is set by the measure on pages of this place.
    pub(in crate::app) fn is_measured(self) -> bool {
        let chosen = &self.desk.unmeasured;
        chosen.is_empty() || !self.entry().is_some_and(|entry| chosen.contains(&address::place(&entry.url)))
    }

    /// The first key sequence of a command on a page, by name.
    pub fn key_for(self, command: &str) -> Option<String> {
        self.desk.key_for(command)
    }

    /// The same on a page of the reader's own.
    pub(super) fn key_on_own(self, command: &str) -> Option<String> {
        self.desk.key_on_own(command)
    }

    /// What a typed address is completed to, by where the reader is and was.
    ///
    /// # Errors
    /// Nothing usable was typed, or what cannot be opened.
    pub(in crate::app) fn complete(self, typed: &str) -> Result<Completed, UrlError> {
        let here = |host: &str, port: Option<u16>| {
            let is_it = |url: &&Url| {
                let named = url.host().is_some_and(|name| name.eq_ignore_ascii_case(host));
                named && url.port() == port.or(default_port(url.scheme())) && is_for_hosts(url.scheme())
            };
            // what was opened in private is known only where it was
            let mut path = self.tab.history.iter().rev().map(|entry| &entry.url);
            path.find(is_it).map(|url| url.scheme().to_ascii_lowercase())
        };
        let visited = |host: &str, port| here(host, port).or_else(|| self.library.visits.pages().scheme_at(host, port));
        let (home, page) = (self.desk.choices.home_folder.as_deref(), self.entry().map(|entry| &entry.url));
        self.desk.settings.address(typed, home, page, &visited)
    }

    /// Whether a page was visited, now or in an earlier session.
    pub fn has_visited(self, url: &Url) -> bool {
        self.library.visits.contains(url)
    }
}

impl Cx<'_> {
    pub(in crate::app) fn page_mut(&mut self) -> Option<&mut Page> {
        self.entry_mut()?.page.as_deref_mut()
    }

    /// Whether more of the page in view is coming.
    pub(in crate::app) fn is_arriving(&self) -> bool {
        let state = self.entry().and_then(|entry| entry.page.as_deref()).map(|page| &page.state);
        state == Some(&PageState::Arriving)
    }
}
