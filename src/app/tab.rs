//! A tab: one path through the spaces, with the page in view, what is on its way to it, and what waits for an answer.

use super::arrival::Arriving;
use super::filling::Gathering;
use super::opening::Opening;
use super::saving::Purpose;
use super::{
    Effect, Entry, FetchId, Label, Loading, Matches, Note, NoteKind, Overlay, Page, PageState, Prompt, Uploading,
    filling, part, readme,
};
use crate::doc::Anchor;
use crate::format::ask::Form;
use crate::url::Url;
use std::collections::BTreeMap;
use std::ops::Range;

/// A tab.
#[derive(Debug, Default)]
pub struct Tab {
    /// The reader's path; `at` is the place in view.
    pub history: Vec<Entry>,
    /// Index into `history`.
    pub at: usize,
    /// What is being fetched for the page.
    pub loading: Option<Loading>,
    /// The line from which text will be copied.
    pub(super) marked: Option<Anchor>,
    /// What is sought in the page.
    pub search: Option<crate::doc::Search>,
    /// The match the reader stands on, as a text range of the page in view.
    pub found: Option<Range<usize>>,
    /// The matches counted so far.
    pub matches: Option<Matches>,
    /// What is sought has not come yet; the reader goes to the first match when it does, unless they move before.
    pub(super) awaited: bool,
    /// How the fetch in `loading` came about.
    pub(super) opening: Option<Opening>,
    /// What goes on when a question about opening is answered with yes.
    pub(super) held: Vec<Opening>,
    /// A form that is being fetched.
    pub(super) gathering: Option<Gathering>,
    /// A message that is being fetched for a part of it.
    pub(super) part: Option<super::part::Coming>,
    /// A README that is being fetched for the directory in view.
    pub(super) readme: Option<super::readme::Coming>,
    /// The form that is being filled.
    pub(super) form: Option<(Opening, Form)>,
    /// A field of several lines that is being written.
    pub(super) area: Option<super::web_form::Area>,
    /// A form of a page that waits for its files.
    pub(super) uploading: Option<Uploading>,
    /// What the open login form is for.
    pub(super) login: Option<Opening>,
    /// Bodies that grow pages.
    pub(super) arriving: Vec<Arriving>,
    /// Questions that wait until the reader's hands are free.
    pub(super) questions: Vec<Overlay>,
    /// The media type the reader asked for, by place in history.
    pub(super) media: BTreeMap<usize, String>,
    /// The article in view, once it was marked as read.
    pub(super) noted: Option<super::news::Noted>,
    /// Nothing of it is kept: no words, no visits, no place in the session.
    pub private: bool,
    /// The page whose link opened it.
    pub(super) opener: Option<Url>,
    /// It has never been in view.
    pub(super) fresh: bool,
    /// Something has come to its end since it was in view.
    pub(super) unseen: bool,
    /// When it was opened or left, in steps of [`super::Tabs`].
    pub(super) touched: u64,
    /// What was to be said while it was behind.
    pub(super) said: Option<Note>,
    /// What was asked for while it was behind.
    pub(super) asked: Option<(Prompt, Option<Purpose>)>,
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
    /// How it stands.
    pub fn state(&self) -> TabState {
        let page = self.entry().and_then(|entry| entry.page.as_deref());
        let cut = |page: &Page| matches!(page.state, PageState::Failed(_) | PageState::Cut(_));
        let failed = page.is_some_and(cut) || self.said.as_ref().is_some_and(|note| note.kind == NoteKind::Error);
        match (self.unseen, failed) {
            _ if !self.questions.is_empty() || self.asked.is_some() => TabState::Asks,
            _ if self.is_loading() => TabState::Loading,
            (true, true) => TabState::Failed,
            (true, false) => TabState::Arrived,
            (false, _) => TabState::Seen,
        }
    }

    /// What tells it from others: its page's title; else the URL that it shows or waits for, as it may be shown. `None`
    /// while nothing was opened in it.
    pub fn label(&self) -> Option<Label> {
        match (self.entry(), &self.opening, &self.loading) {
            (Some(entry), ..) => Some(entry.label()),
            (None, Some(opening), _) => Some(Label::Url(opening.public().redacted())),
            (None, None, Some(loading)) => Some(Label::Url(loading.request.url.redacted())),
            (None, None, None) => None,
        }
    }

    /// The place in view.
    pub fn entry(&self) -> Option<&Entry> {
        self.history.get(self.at)
    }

    /// Whether its page, or what comes next, is on its way.
    pub(super) fn is_loading(&self) -> bool {
        self.loading.is_some() || self.arriving.iter().any(|arriving| arriving.at == self.at)
    }

    /// Whether what a fetch says is for it.
    pub(super) fn awaits(&self, id: FetchId) -> bool {
        self.loading.as_ref().is_some_and(|loading| loading.id == id)
            || self.arriving.iter().any(|arriving| arriving.id == id)
            || filling::is_gathering(self, id)
            || readme::is_coming(self, id)
            || part::is_coming(self, id)
    }

    /// Whether nothing was ever opened in it and nothing is on its way to it.
    pub(super) fn is_empty(&self) -> bool {
        let asks = !self.questions.is_empty() || self.asked.is_some();
        self.history.is_empty() && self.loading.is_none() && !asks
    }

    /// Ends it: what is on its way is given up, and of its places only the way stays.
    pub(super) fn end(self) -> (Tab, Vec<Effect>) {
        let loading = self.loading.map(|loading| loading.id);
        let readme = self.readme.as_ref().map(readme::Coming::id);
        let arriving = self.arriving.iter().map(|arriving| arriving.id);
        let effects = loading.into_iter().chain(readme).chain(arriving).map(Effect::Cancel).collect();
        let mut history = self.history;
        history.iter_mut().for_each(|entry| drop(entry.lose()));
        let (at, media, opener) = (self.at, self.media, self.opener);
        (Tab { history, at, media, opener, ..Tab::default() }, effects)
    }
}
