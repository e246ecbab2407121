//! What lies over the page: lists, texts, questions, forms; each knows what it is for.

use super::form::{Form, FormId};
use super::rows::Rows;
use crate::app::{DownloadId, JobId, Letter, Opening, Uploading};
use crate::doc::{Anchor, Document};
use crate::url::Url;
use crate::visits::Forget;
use tui_input::Input;

/// An overlay.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// A text to read: anatomy, help, messages.
    Text {
        /// What it is.
        owner: TextOwner,
        /// Its title.
        title: String,
        /// What it says.
        document: Box<Document>,
        /// The first line shown.
        top: Anchor,
        /// What its keys do, for its lower border ("y copy · Enter follow · Esc close").
        hint: String,
    },
    /// A list to choose from, narrowed by typing.
    List {
        /// Which list.
        kind: ListKind,
        /// Its title.
        title: String,
        /// Everything in it.
        items: Vec<ListItem>,
        /// What narrows it.
        filter: Input,
        /// Index into the items that pass the filter.
        selected: usize,
        /// It is about a page that is not below it any more.
        stale: bool,
    },
    /// A question with a few answers.
    Question {
        /// One or more lines.
        text: Vec<String>,
        /// The answers.
        choices: Vec<Choice>,
        /// What it is about.
        pending: Pending,
    },
    /// A form to fill in.
    Form(Form),
}

/// What a text over the page is.
#[derive(Debug, Clone, PartialEq)]
pub enum TextOwner {
    /// To be read, and no more.
    Notice,
    /// The help.
    Help,
    /// The anatomy of page and link, whose rows can be gone through.
    Anatomy(Box<Rows>),
    /// The plan of a directory's download.
    Plan,
    /// The last look at an article before it is sent.
    LastLook(Box<Letter>),
}

impl TextOwner {
    /// Whether it is the anatomy.
    pub fn is_anatomy(&self) -> bool {
        matches!(self, TextOwner::Anatomy(_))
    }
}

/// What a list holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// The page's links.
    Links,
    /// The page's headings.
    Headings,
    /// Charsets to read the page by.
    Charsets,
    /// The places of this session.
    History,
    /// Tabs.
    Tabs,
    /// Downloads.
    Downloads,
    /// Drafts.
    Drafts,
    /// What can be chosen in the field of this number.
    Options(u32),
}

impl ListKind {
    /// Whether its rows are those of one page, and it goes with that.
    pub(in crate::app) fn is_of_page(self) -> bool {
        match self {
            ListKind::Links | ListKind::Headings | ListKind::Charsets | ListKind::History | ListKind::Options(_) => {
                true
            }
            ListKind::Tabs | ListKind::Downloads | ListKind::Drafts => false,
        }
    }
}

/// A row of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListItem {
    /// What it says.
    pub text: String,
    /// Dimmer, at the right or below.
    pub detail: String,
    /// What it stands for: a link's number, a block, a place in history.
    pub key: u32,
}

/// An answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The key.
    pub key: char,
    /// What it does, in a word or two.
    pub label: String,
}

/// What a question will do when it is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Pending {
    /// Open a URL in spite of a warning.
    Open(Box<Opening>),
    /// Save or open a body that waits for a verdict.
    Body(JobId),
    /// Replace a file by a waiting body.
    Replace(JobId, String),
    /// Replace a file by written text.
    Overwrite(String, Vec<u8>),
    /// Run a program.
    Run(Vec<String>),
    /// Run a program for a session whose address advises a password, or show that first; nothing runs without arguments.
    Advised(Vec<String>, Url),
    /// Stop a download.
    Stop(DownloadId),
    /// Read files and send them with a form.
    Upload(Box<Uploading>),
    /// Throw the draft away that lies below.
    Discard,
    /// Throw away what was typed into the form that lies below.
    Abandon(FormId),
    /// Go on with a download that broke off, or begin it anew.
    Resume(DownloadId),
    /// Mark all articles of a group read, up to a number: server, group, number.
    CatchUp(String, Vec<u8>, u64),
    /// What becomes of the cookies of a host.
    Cookies(String),
    /// Forget where the reader has been.
    Forget(Forget),
    /// Open many places in tabs.
    Tabs {
        /// Which.
        urls: Vec<Url>,
        /// Whether the first of them comes to the front.
        front: bool,
    },
    /// Trust a certificate.
    Trust {
        /// A host; `host:port` where another certificate was pinned.
        server: String,
        /// SHA-256, hex.
        fingerprint: String,
        /// It takes the place of another one for good.
        pinned: bool,
    },
    /// Quit in spite of open work.
    Quit,
}

impl Overlay {
    /// The rows of a list that hold every word of its filter; `selected` counts among them.
    pub fn passing(&self) -> Vec<&ListItem> {
        match self {
            Overlay::List { items, filter, .. } => {
                let words: Vec<String> = filter.value().split_whitespace().map(str::to_lowercase).collect();
                let holds = |item: &ListItem, word: &String| {
                    item.text.to_lowercase().contains(word) || item.detail.to_lowercase().contains(word)
                };
                items.iter().filter(|item| words.iter().all(|word| holds(item, word))).collect()
            }
            Overlay::Text { .. } | Overlay::Question { .. } | Overlay::Form(_) => Vec::new(),
        }
    }

    /// The row that is selected.
    pub fn chosen(&self) -> Option<&ListItem> {
        match self {
            Overlay::List { selected, .. } => self.passing().get(*selected).copied(),
            Overlay::Text { .. } | Overlay::Question { .. } | Overlay::Form(_) => None,
        }
    }
}
