//! The state of the browser and its one update function.

use super::{Effect, Entry, FetchId, Msg, Overlay, Prompt};
use crate::config::Settings;
use crate::doc::{Layout, LinkId};
use crate::keys::{Key, Keymap};
use crate::proto::{Head, Request, Stage};
use crate::url::Url;
use std::ops::Range;
use std::time::Duration;

/// The browser.
#[derive(Debug)]
pub struct App {
    /// The reader's settings.
    pub settings: Settings,
    /// The reader's keys.
    pub keymap: Keymap,
    /// The terminal's size.
    pub screen: Screen,
    /// The path of this session; `at` is the place in view.
    pub history: Vec<Entry>,
    /// Index into `history`.
    pub at: usize,
    /// What is being fetched for the page.
    pub loading: Option<Loading>,
    /// What lies over the page, the topmost last.
    pub overlays: Vec<Overlay>,
    /// The prompt line, while something is asked.
    pub prompt: Option<Prompt>,
    /// Keys of an unfinished sequence.
    pub pending_keys: Vec<Key>,
    /// A message for the line below.
    pub note: Option<Note>,
    /// Downloads, the oldest first.
    pub downloads: Vec<Download>,
    /// What is sought in the page.
    pub search: Option<crate::doc::Search>,
    /// The match the reader stands on, as a text range of the page in view.
    pub found: Option<Range<usize>>,
    /// The matches counted so far.
    pub matches: Option<Matches>,
    /// The letters that lead to links, while [`super::PromptKind::Hint`] asks for them.
    pub hints: Vec<(String, LinkId)>,
}

/// The matches of the search, counted in slices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matches {
    /// Text offsets at which matches start, in order; at most a hundred thousand.
    pub starts: Vec<u32>,
    /// The text before this offset is counted.
    pub scanned: usize,
    /// Counting has reached the end of the text (or the most it counts).
    pub complete: bool,
}

/// The terminal's size in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Columns.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

/// A fetch for the page that has no document yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// Its number.
    pub id: FetchId,
    /// What.
    pub request: Request,
    /// How far.
    pub stage: Option<Stage>,
    /// The head, once it was accepted or while a question about it is open.
    pub head: Option<Head>,
}

/// A message for the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its kind.
    pub kind: NoteKind,
    /// One line.
    pub text: String,
}

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// A remark.
    Info,
    /// Something did not work.
    Error,
}

/// A body that goes into a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Download {
    /// Its fetch.
    pub id: FetchId,
    /// From where.
    pub url: Url,
    /// To where.
    pub path: String,
    /// Octets written.
    pub received: u64,
    /// Octets in all, when known.
    pub length: Option<u64>,
    /// Since it was asked for.
    pub elapsed: Duration,
    /// How it stands.
    pub state: DownloadState,
}

/// How a download stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DownloadState {
    /// Octets are coming.
    Running,
    /// All is there.
    Done,
    /// It may not be whole, with a remark.
    Cut(String),
    /// The reader stopped it.
    Cancelled,
    /// It failed, with a sentence.
    Failed(String),
}

impl App {
    /// A browser with nothing open.
    pub fn new(settings: Settings, keymap: Keymap, screen: Screen) -> App {
        App {
            settings,
            keymap,
            screen,
            history: Vec::new(),
            at: 0,
            loading: None,
            overlays: Vec::new(),
            prompt: None,
            pending_keys: Vec::new(),
            note: None,
            downloads: Vec::new(),
            search: None,
            found: None,
            matches: None,
            hints: Vec::new(),
        }
    }

    /// Opens a URL as if the reader had typed it.
    pub fn open(&mut self, url: Url) -> Vec<Effect> {
        let _ = url;
        Vec::new()
    }

    /// The place in view.
    pub fn entry(&self) -> Option<&Entry> {
        self.history.get(self.at)
    }

    /// Rows of the page: the screen less the status bar and the line below.
    pub fn page_rows(&self) -> usize {
        usize::from(self.screen.rows.saturating_sub(2))
    }

    /// The layout of the page.
    pub fn layout(&self) -> Layout {
        Layout { width: self.screen.columns, wrap: crate::doc::Wrap::On, marks: crate::doc::Marks::Words }
    }
}

/// The one way in which the browser changes.
pub fn update(app: &mut App, message: Msg) -> Vec<Effect> {
    let _ = (app, message);
    Vec::new()
}
