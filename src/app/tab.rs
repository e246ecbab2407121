//! A tab: one path through the spaces, with the page in view, what is on its way to it, and what waits for an answer.

use super::arrival::Arriving;
use super::filling::Gathering;
use super::opening::Opening;
use super::{Entry, Loading, Matches, Overlay, Uploading};
use crate::doc::Anchor;
use crate::format::ask::Form;
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
}
