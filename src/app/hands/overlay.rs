//! What lies over the page: lists, texts, questions, forms; each knows what it is for.

use super::form::{Form, FormId};
use super::rows::TextRows;
use crate::app::{DownloadId, JobId, Letter, Opening, PageId, Scope, Sending, Uploading};
use crate::doc::{Anchor, Document, LinkId};
use crate::news::score::{About, Named};
use crate::proto::Certificate;
use crate::stop::Stop;
use crate::url::Url;
use crate::visits::Forget;
use crate::work::{ListItem, ListRows, Narrow};
use std::sync::Arc;
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
        items: ListRows,
        /// What narrows it.
        filter: Input,
        /// What passes that.
        narrowed: Narrowed,
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
    Anatomy(Box<TextRows>),
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
    /// Charsets to read the page by, and for how much that is to hold.
    Charsets(Scope),
    /// The places of this session.
    History,
    /// Tabs.
    Tabs,
    /// Downloads.
    Downloads,
    /// Drafts.
    Drafts,
    /// Themes; the one that is selected is shown.
    Themes,
    /// What can be chosen in the field of this number.
    Options(u32),
}

impl ListKind {
    /// Whether its rows are those of one page, and it goes with that.
    pub(in crate::app) fn is_of_page(self) -> bool {
        match self {
            ListKind::Links | ListKind::Headings | ListKind::Charsets(_) | ListKind::History | ListKind::Options(_) => {
                true
            }
            ListKind::Tabs | ListKind::Downloads | ListKind::Drafts | ListKind::Themes => false,
        }
    }
}

/// The rows of a list that hold every word of its filter.
#[derive(Debug, Clone, Default)]
pub struct Narrowed {
    /// Which; all where nothing narrows it.
    pub rows: Option<Arc<[u32]>>,
    /// The filter that they are for.
    words: String,
    /// The filter that the list is being narrowed by elsewhere, and under which number.
    ongoing: Option<(JobId, String)>,
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
    /// Go on to where the reader's reading leads: nothing warns of it.
    GoOn(Box<Opening>),
    /// Open it in the place of a page from which a file is being sent: that ends.
    Leave(Box<Opening>),
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
    /// Run the mail program for a `mailto:` URL.
    Mail(Vec<String>, Url),
    /// Write a mail to a `mailto:` URL in the editor.
    WriteMail(Url),
    /// Stop a download.
    Stop(DownloadId),
    /// Read files and send them with a form.
    Upload(Box<Uploading>),
    /// Read a file and send it to a place.
    Send(Box<Sending>),
    /// Throw the draft away that lies below.
    Discard,
    /// Send the draft that lies below, though it says nothing of its own.
    Post,
    /// Throw away what was typed into the form that lies below.
    Abandon(FormId),
    /// Go on with a download that broke off, or begin it anew.
    Resume(DownloadId),
    /// Have `gpg` look at the signature of a download.
    Signature(JobId),
    /// The same of an article.
    SignedText(JobId),
    /// Replace the files of a saved directory that are others than those of the server.
    Changed(DownloadId),
    /// Make a rule of an article, about this or what is asked next.
    Score(Box<Named>, Option<About>),
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
        /// It.
        certificate: Certificate,
        /// It takes the place of another one for good.
        pinned: bool,
        /// A private tab asks.
        private: bool,
    },
    /// Show a picture in the text of this page, below this link.
    Picture(PageId, LinkId, Box<Url>),
    /// Quit in spite of open work.
    Quit,
}

impl Pending {
    /// Whether the key that asked says yes when it is pressed again: only where yes is a step like others, or can be taken back.
    pub(in crate::app) fn is_a_step(&self) -> bool {
        matches!(self, Pending::GoOn(_))
    }
}

impl Overlay {
    /// A list.
    pub fn list(kind: ListKind, title: &str, items: ListRows, selected: usize) -> Overlay {
        let selected = selected.min(items.len().saturating_sub(1));
        let (title, filter, narrowed) = (title.into(), Input::default(), Narrowed::default());
        Overlay::List { kind, title, items, filter, narrowed, selected, stale: false }
    }

    /// A text to read that is about nothing in particular.
    pub fn notice(title: impl Into<String>, document: Document) -> Overlay {
        let (title, document, hint) = (title.into(), Box::new(document), "Esc close".into());
        Overlay::Text { owner: TextOwner::Notice, title, document, top: Anchor::default(), hint }
    }

    /// How many rows of a list pass its filter; `selected` counts among them.
    pub fn passing(&self) -> usize {
        match self {
            Overlay::List { items, narrowed, .. } => narrowed.rows.as_ref().map_or(items.len(), |rows| rows.len()),
            Overlay::Text { .. } | Overlay::Question { .. } | Overlay::Form(_) => 0,
        }
    }

    /// One of them.
    pub fn passing_row(&self, at: usize) -> Option<ListItem> {
        match self {
            Overlay::List { items, narrowed, .. } => match &narrowed.rows {
                Some(rows) => items.row(*rows.get(at)? as usize),
                None => items.row(at),
            },
            Overlay::Text { .. } | Overlay::Question { .. } | Overlay::Form(_) => None,
        }
    }

    /// The row that is selected.
    pub fn chosen(&self) -> Option<ListItem> {
        match self {
            Overlay::List { selected, .. } => self.passing_row(*selected),
            Overlay::Text { .. } | Overlay::Question { .. } | Overlay::Form(_) => None,
        }
    }

    /// Whether the rows are those of an older filter, as long as the list is looked through elsewhere.
    pub fn is_narrowing(&self) -> bool {
        matches!(self, Overlay::List { narrowed: Narrowed { ongoing: Some(_), .. }, .. })
    }

    /// Narrows a list by what its filter says now. A long one is to be looked through elsewhere; what was found for a filter
    /// that this one begins with is enough to look through.
    pub fn narrow(&mut self) -> Option<Narrow> {
        let Overlay::List { items, filter, narrowed, .. } = self else { return None };
        let words = filter.value().to_owned();
        if words.trim().is_empty() {
            *narrowed = Narrowed::default();
            return None;
        }
        let goes_on = words.to_lowercase().starts_with(&narrowed.words.to_lowercase());
        let among = narrowed.rows.clone().filter(|_| goes_on);
        let narrow = Narrow { rows: items.clone(), among, words };
        if !narrow.is_small() {
            return Some(narrow);
        }
        *narrowed = Narrowed { rows: narrow.run(&Stop::new()), words: narrow.words, ongoing: None };
        None
    }

    /// A list is being narrowed elsewhere, or no more; gives the number under which it was.
    pub(in crate::app) fn await_rows(&mut self, ongoing: Option<(JobId, String)>) -> Option<JobId> {
        let Overlay::List { narrowed, .. } = self else { return None };
        std::mem::replace(&mut narrowed.ongoing, ongoing).map(|(id, _)| id)
    }

    /// It was looked through under a number.
    pub(in crate::app) fn take_rows(&mut self, id: JobId, rows: &Arc<[u32]>) {
        let Overlay::List { narrowed, selected, .. } = self else { return };
        if let Some((_, words)) = narrowed.ongoing.take_if(|(ongoing, _)| *ongoing == id) {
            *selected = (*selected).min(rows.len().saturating_sub(1));
            (narrowed.rows, narrowed.words) = (Some(Arc::clone(rows)), words);
        }
    }

    /// Other rows, few, take the place of those of a list.
    pub(in crate::app) fn refill(&mut self, rows: ListRows) {
        let Overlay::List { items, narrowed, .. } = self else { return };
        (*items, *narrowed) = (rows, Narrowed::default());
        if let (Some(narrow), Overlay::List { narrowed, .. }) = (self.narrow(), self) {
            *narrowed = Narrowed { rows: narrow.run(&Stop::new()), words: narrow.words, ongoing: None };
        }
    }
}
