//! What is kept of tabs from one run to the next.

use crate::app::{KeptAnswers, KeptField, Place};
use crate::url::Url;
use jiff::Timestamp;

/// The tabs of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Session {
    /// The number of the one in view, from 0.
    pub front: usize,
    /// All of them, in order.
    pub tabs: Vec<KeptTab>,
    /// The run did not come to its end: it was killed, it crashed, the power failed.
    pub killed: bool,
    /// The page in view was coming back by itself, and had not been seen whole.
    pub coming: bool,
}

/// Tabs of an earlier run that did not come back by themselves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LastTabs {
    /// They.
    pub session: Session,
    /// When that run ended, as far as its file tells.
    pub ended: Option<Timestamp>,
}

/// What becomes of the tabs when the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parting {
    /// The settings decide whether they come back by themselves; the reader can bring them back in any case.
    #[default]
    Quit,
    /// They come back the next time.
    Back,
    /// Nothing is kept of them.
    Forget,
}

/// A tab.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeptTab {
    /// The number of the place in view, from 0.
    pub at: usize,
    /// The reader's path.
    pub places: Vec<KeptPlace>,
}

/// A place in the reader's path.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptPlace {
    /// Its URL, without a password.
    pub url: Url,
    /// The title of its page.
    pub title: Option<String>,
    /// The media type that the reader asked for.
    pub media: Option<String>,
    /// Where they looked.
    pub place: Place,
    /// What they filled into the forms of its page and did not send.
    pub fields: Vec<KeptField>,
    /// What they answered to an item of Gopher+, and did not send.
    pub asked: Option<KeptAnswers>,
}
