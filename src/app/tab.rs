//! A tab: one path through the spaces, with the page in view, what is on its way to it, and what waits for an answer.

use crate::app::page::address;
use crate::app::page::outgoing::Outgoing;
use crate::app::page::veil::Veil;
use crate::app::{
    Effect, Entry, Hands, JobId, Label, Loading, Matches, NoteKind, Opening, Page, PageId, PageState, Place, TabId,
};
use crate::doc::Anchor;
use crate::proto::Verdict;
use crate::url::Url;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A tab.
#[derive(Debug, Default)]
pub struct Tab {
    /// Its number.
    pub id: TabId,
    /// The reader's path; `at` is the place in view.
    pub history: Vec<Entry>,
    /// Index into `history`.
    pub at: usize,
    /// What is being fetched for the page.
    pub loading: Option<Loading>,
    /// What was being fetched for it when the reader stopped that, from the place in `history` with this index.
    pub(super) given_up: Option<(usize, Url)>,
    /// Where the reader was before they jumped.
    pub(super) before: Option<(Url, Place)>,
    /// The line from which text will be copied.
    pub(super) marked: Option<Anchor>,
    /// What is sought in the page.
    pub search: Option<crate::doc::Search>,
    /// It is sought upwards: the next match is the one before.
    pub(super) back: bool,
    /// The match the reader stands on, as a text range of the page in view.
    pub found: Option<Range<usize>>,
    /// The matches counted so far.
    pub matches: Option<Matches>,
    /// The match that is being sought in a long page.
    pub(super) sought: Option<crate::app::page::matches::OngoingSearch>,
    /// The links that are being sought in a long page.
    pub(super) linked: Option<crate::app::page::matches::OngoingLinkSearch>,
    /// What is sought has not come yet; the reader goes to the first match when it does, unless they move before.
    pub(super) awaited: bool,
    /// What is sought is being looked for in folds too, under this number.
    pub(super) unfolding: Option<JobId>,
    /// Where in the page of a group, as it was written, stands what is sought, until threads have opened for it.
    pub(super) threaded: Option<Vec<u32>>,
    /// A place of the page in view, by name, whose fold opens; the reader goes there when it has.
    pub(super) opened: Option<String>,
    /// Bodies that grow pages.
    pub(super) arriving: Vec<Arriving>,
    /// The media type the reader asked for, by place in history.
    pub(super) media: BTreeMap<usize, String>,
    /// The article in view, once it was marked as read.
    pub(super) noted: Option<Noted>,
    /// The page in view, where it is one of a group or of groups, once the newsrc was read for it.
    pub(super) looked: Option<PageId>,
    /// Nothing of it is kept: no words, no visits, no place in the session.
    pub private: bool,
    /// What servers were told in secret in it, and before in the one it was opened from.
    pub(super) veil: Veil,
    /// The page whose link opened it.
    pub(super) opener: Option<Url>,
    /// It is of an earlier run.
    pub(super) restored: bool,
    /// Its page comes back by itself, or did when the program was killed; until it has been seen whole.
    pub(super) coming: bool,
    /// Another program had it opened, and the reader has done nothing in it yet.
    pub handed: bool,
    /// The first line that a jump by a screen brought, until the next key.
    pub new_line: Option<Anchor>,
    /// The reader has come to the end of the page by the key that goes on from there, and pressed no other since.
    pub(super) at_end: bool,
    /// It has never been in view.
    pub(super) fresh: bool,
    /// Something has come to its end since it was in view.
    pub(super) unseen: bool,
    /// What waits in it for the reader's hands, and what is to be said, while it is behind.
    pub(super) hands: Hands,
    /// When it was opened or left, in steps of [`crate::app::Tabs`].
    pub(super) touched: u64,
}

/// How a tab behind stands, for its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TabState {
    /// As the reader left it.
    Seen,
    /// Something is on its way.
    Loading,
    /// It has an answer to wait for from the reader.
    Asks,
    /// Its page has come.
    Arrived,
    /// Its page did not come, or not whole.
    Failed,
}

impl Tab {
    /// Whether its page comes back by itself, and is not whole and in its order.
    pub(in crate::app) fn is_coming_back(&self) -> bool {
        let entry = self.history.get(self.at);
        let is_whole = |page: &Page| page.state != PageState::Arriving && page.arrangement.job().is_none();
        let is_seen = |entry: &Entry| !entry.restored && entry.page.as_deref().is_some_and(is_whole);
        self.coming && (self.loading.is_some() || !entry.is_some_and(is_seen))
    }

    /// How it stands.
    pub fn state(&self) -> TabState {
        let page = self.entry().and_then(|entry| entry.page.as_deref());
        let cut = |page: &Page| matches!(page.state, PageState::Failed(_) | PageState::Cut(_));
        let failed = page.is_some_and(cut) || self.hands.note.as_ref().is_some_and(|note| note.kind == NoteKind::Error);
        match (self.unseen, failed) {
            _ if self.hands.waiting().next().is_some() => TabState::Asks,
            _ if self.is_loading() => TabState::Loading,
            (true, true) => TabState::Failed,
            (true, false) => TabState::Arrived,
            (false, _) => TabState::Seen,
        }
    }

    /// What tells it from others: its page's title; else the URL that it shows or waits for, as it may be shown. `None`
    /// while nothing was opened in it.
    pub fn label(&self) -> Option<Label> {
        match (self.entry(), &self.loading) {
            (Some(entry), _) => Some(entry.label()),
            (None, Some(loading)) => Some(Label::Url(loading.opening.public().redacted())),
            (None, None) => None,
        }
    }

    /// The place in view.
    pub fn entry(&self) -> Option<&Entry> {
        self.history.get(self.at)
    }

    /// Where something is opened from: the page in view, else the one whose link opened the tab.
    pub(super) fn origin(&self) -> Option<Url> {
        let of = |entry: &Entry| entry.origin.clone().unwrap_or_else(|| entry.url.clone());
        self.entry().map(of).or_else(|| self.opener.clone())
    }

    /// Whether its page, or what comes next, is on its way.
    pub(super) fn is_loading(&self) -> bool {
        let arrives = |arriving: &Arriving| arriving.at == self.at && !arriving.ended;
        self.loading.is_some() || self.arriving.iter().any(arrives)
    }

    /// The file that is being sent from it.
    pub fn outgoing(&self) -> Option<Outgoing> {
        self.loading.as_ref()?.outgoing()
    }

    /// Whether nothing was ever opened in it and nothing is on its way to it.
    pub(super) fn is_empty(&self) -> bool {
        self.history.is_empty() && self.loading.is_none() && self.hands.waiting().next().is_none()
    }

    /// The body that waits for a verdict is not wanted.
    pub(super) fn refuse_loading(&mut self, id: JobId) -> Vec<Effect> {
        let refused = self.loading.take_if(|loading| loading.id == id);
        refused.map(|_| Effect::Verdict { id, verdict: Verdict::Refuse }).into_iter().collect()
    }

    /// Ends it: of its places only the way stays, and of a first page that has not come where it was to come from.
    pub(super) fn end(self, base: Option<&Url>) -> Tab {
        let mut history = self.history;
        if let (true, Some(loading)) = (history.is_empty(), self.loading) {
            let Opening { url, shown, sent, .. } = loading.opening;
            let opened = shown.as_ref().unwrap_or(&url);
            if !address::is_filled_form(opened.as_str()) {
                history.push(Entry { sent, ..Entry::ahead(opened.clone(), base) });
            }
        }
        history.iter_mut().for_each(|entry| drop(entry.lose()));
        let (at, media, opener, veil) = (self.at, self.media, self.opener, self.veil);
        Tab { history, at, media, opener, veil, ..Tab::default() }
    }
}

/// A fetch whose body grows a page.
#[derive(Debug)]
pub(in crate::app) struct Arriving {
    /// Its number.
    pub id: JobId,
    /// The page's place in history.
    pub at: usize,
    /// Where the reader was when they asked for the page again.
    pub wanted: Option<Place>,
    /// The fragment to go to, once it has come.
    pub fragment: Option<String>,
    /// What the reader went up from: its row is where they want to be.
    pub below: Option<Url>,
    /// Nothing more will come; the reader is not where they want to be before it is put in order.
    pub ended: bool,
    /// The reader wanted no more of it.
    pub stopped: bool,
    /// The octets of the page that was here before, where the reader has asked for it again.
    pub octets: Option<Arc<[u8]>>,
}

/// An article that was shown.
#[derive(Debug)]
pub(in crate::app) struct Noted {
    /// Its place in history.
    pub(in crate::app) at: usize,
    pub(in crate::app) url: Url,
    /// Its groups and numbers, once its header is here.
    pub(in crate::app) xref: Option<Xref>,
    /// Where it stands: server, group, number.
    pub(in crate::app) place: Option<(String, Vec<u8>, u64)>,
}

/// The groups of an article on its server, with its numbers there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::app) struct Xref {
    /// In the order of the header.
    pub places: Vec<(Vec<u8>, u64)>,
}
