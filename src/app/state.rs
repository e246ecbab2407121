//! The state of the browser: plain data that the view reads and only [`super::update()`] changes.

use super::arranging::Folding;
use super::choices::Choices;
use super::composing::Composing;
use super::news::News;
use super::opening::Opening;
use super::own::Own;
use super::saving::{Purpose, Waiting};
use super::{Download, Entry, FetchId, Mouse, Overlay, Prompt, PromptKind, Tab, Tabs};
use crate::bookmarks::Bookmarks;
use crate::config::Settings;
use crate::doc::{Layout, LinkId};
use crate::keys::{Key, Keymap, Mode};
use crate::proto::{Head, Login, Request, Stage};
use crate::url::Url;
use crate::visits::Visits;
use jiff::{Timestamp, Zoned};
use std::collections::BTreeMap;

/// The browser.
#[derive(Debug)]
pub struct App {
    /// The reader's settings.
    pub settings: Settings,
    /// The reader's keys.
    pub keymap: Keymap,
    /// The terminal's size.
    pub screen: Screen,
    /// The tab in view.
    pub tab: Tab,
    /// The others.
    pub(super) tabs: Tabs,
    /// What was kept last of the tabs, to tell when there is something new to keep.
    pub(super) kept: u64,
    /// What lies over the page, the topmost last.
    pub overlays: Vec<Overlay>,
    /// The prompt line, while something is asked.
    pub prompt: Option<Prompt>,
    /// Keys of an unfinished sequence.
    pub pending_keys: Vec<Key>,
    /// A message for the line below.
    pub note: Option<Note>,
    /// The reader has never been here, and has pressed no key yet that does something.
    pub(super) greets: bool,
    /// Downloads, the oldest first.
    pub downloads: Vec<Download>,
    /// The letters that lead to links, while [`PromptKind::Hint`] asks for them.
    pub hints: Vec<(String, LinkId)>,
    /// What the reader chose and may change while browsing.
    pub choices: Choices,
    /// Where the reader has been.
    pub visits: Visits,
    /// The rest of it is being read from disk.
    pub visits_coming: bool,
    /// Bookmarks.
    pub bookmarks: Bookmarks,
    /// Charsets the reader chose, by host.
    pub charsets: BTreeMap<String, String>,
    /// Orders of directories the reader chose, by host: `name`, or `name reverse`.
    pub orders: BTreeMap<String, String>,
    /// When the groups of news servers were listed in an earlier run, by their own clocks; by the servers' names.
    pub listed: BTreeMap<String, Timestamp>,
    /// How the reader wants messages folded in this session.
    pub(super) folding: Folding,
    /// Words typed at prompts, the oldest first.
    pub words: BTreeMap<PromptKind, Vec<String>>,
    /// The last fetch number given.
    pub(super) last_fetch: u64,
    /// Logins given in this session, by server; never written anywhere.
    pub(super) logins: BTreeMap<String, Login>,
    /// Fetches that will go into files and lack a head or a name.
    pub(super) waiting: Vec<Waiting>,
    /// Directories that are being read, before their files are saved.
    pub(super) harvest: Option<super::harvest::Harvest>,
    /// What the open save or program prompt is for.
    pub(super) purpose: Option<Purpose>,
    /// Programs to run when a download is done.
    pub(super) afterwards: BTreeMap<FetchId, Vec<String>>,
    /// A source on its way to the editor.
    pub(super) editing: Option<super::editing::Editing>,
    /// A text being written to a file.
    pub(super) writing: Option<(String, Vec<u8>)>,
    /// The folder whose names are on their way to the prompt, as it was typed.
    pub(super) listing: Option<String>,
    /// The draft at hand.
    pub(super) composing: Option<Composing>,
    /// The key that ran the command.
    pub(super) pressed: Option<Key>,
    /// Where in the prompt's history the reader is, and what they had typed before.
    pub(super) recalled: Option<(usize, String)>,
    /// Addresses like the one being typed.
    pub(super) seeking: Option<super::candidates::Seeking>,
    /// A slice of work was asked for and has not come.
    pub(super) slicing: bool,
    /// The time, in the reader's zone, as the shell has it.
    pub now: Option<Zoned>,
    /// The ports of 127.0.0.1 on which the servers of the tour listen, or did in this run.
    pub(super) tour: Vec<u16>,
    /// What the reader has read of the news.
    pub(super) news: News,
    /// The page of their own that is being made.
    pub(super) own: Own,
}

/// The matches of the search, counted in slices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matches {
    /// Text offsets at which matches start, in order; at most [`Matches::MOST`].
    pub starts: Vec<u32>,
    /// The text before this offset is counted.
    pub scanned: usize,
    /// Counting has reached the end of the text (or the most it counts).
    pub complete: bool,
}

impl Matches {
    /// Matches beyond this many are not counted.
    pub const MOST: usize = 100_000;
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

impl App {
    /// A browser with nothing open.
    pub fn new(settings: Settings, keymap: Keymap, screen: Screen) -> App {
        App {
            choices: Choices::of(&settings),
            settings,
            keymap,
            screen,
            tab: Tab::default(),
            tabs: Tabs::default(),
            kept: 0,
            overlays: Vec::new(),
            prompt: None,
            pending_keys: Vec::new(),
            note: None,
            greets: false,
            downloads: Vec::new(),
            hints: Vec::new(),
            visits: Visits::default(),
            visits_coming: false,
            own: Own::default(),
            bookmarks: Bookmarks::default(),
            charsets: BTreeMap::new(),
            orders: BTreeMap::new(),
            listed: BTreeMap::new(),
            folding: Folding::default(),
            words: BTreeMap::new(),
            last_fetch: 0,
            logins: BTreeMap::new(),
            waiting: Vec::new(),
            harvest: None,
            purpose: None,
            afterwards: BTreeMap::new(),
            editing: None,
            writing: None,
            listing: None,
            composing: None,
            pressed: None,
            recalled: None,
            seeking: None,
            slicing: false,
            now: None,
            tour: Vec::new(),
            news: News::default(),
        }
    }

    /// Opens a URL as if the reader had typed it.
    pub fn open(&mut self, url: Url) -> Vec<super::Effect> {
        super::opening::go(self, Opening::typed(url))
    }

    /// Shows what is wrong in the reader's settings, keys and themes.
    pub fn show_mistakes(&mut self, mistakes: &[crate::config::ConfigError]) {
        let end = "Everything else in these files counts. --check-config shows this list again.";
        super::help::mistakes(self, "Mistakes in your files", mistakes, end);
    }

    /// Shows what is wrong with the file of the tabs of the last time.
    pub fn show_damage(&mut self, flaws: &[crate::config::ConfigError]) {
        let end = "Everything else of the tabs that was kept counts.";
        super::help::mistakes(self, "What was wrong with the tabs of the last time", flaws, end);
    }

    /// Runs a command line as if a key were bound to it.
    pub fn run(&mut self, line: &str) -> Vec<super::Effect> {
        super::commands::run(self, line)
    }

    /// The place in view.
    pub fn entry(&self) -> Option<&Entry> {
        self.tab.entry()
    }

    /// Whether a page was visited, now or in an earlier session.
    pub fn has_visited(&self, url: &Url) -> bool {
        self.visits.contains(url)
    }

    /// Rows of the line of tabs, which is there when there are several and the page has rows enough besides.
    pub fn tab_rows(&self) -> u16 {
        u16::from(self.tab_count() > 1 && self.screen.rows > 5)
    }

    /// Rows of the page: the screen less the line of tabs, the greeting, the status bar and the line below.
    pub fn page_rows(&self) -> usize {
        usize::from(self.screen.rows.saturating_sub(2 + self.tab_rows() + self.greeting_rows()))
    }

    /// Columns of the page: the screen less the scrollbar, which is there for the mouse.
    pub fn page_columns(&self) -> u16 {
        self.screen.columns.saturating_sub(u16::from(self.has_scrollbar()))
    }

    /// Whether there is a scrollbar at the right.
    pub fn has_scrollbar(&self) -> bool {
        self.choices.mouse == Mouse::On && self.screen.columns > 20
    }

    /// The layout of the page.
    pub fn layout(&self) -> Layout {
        Layout { width: self.page_columns().max(1), wrap: self.choices.wrap, marks: self.choices.marks }
    }

    /// Which bindings hold now.
    pub fn mode(&self) -> Mode {
        match (&self.prompt, self.overlays.last()) {
            (Some(_), _) => Mode::Prompt,
            (None, Some(_)) => Mode::Overlay,
            (None, None) => Mode::Page,
        }
    }

    /// The bindings that hold now, those on top first.
    pub fn modes(&self) -> &'static [Mode] {
        match self.mode() {
            Mode::Page if super::news::is_news(self) => &[Mode::News, Mode::Page],
            Mode::Page if super::own::is_open(self) => &[Mode::Own, Mode::Page],
            Mode::Page | Mode::News | Mode::Own => &[Mode::Page],
            Mode::Overlay => &[Mode::Overlay],
            Mode::Prompt => &[Mode::Prompt],
        }
    }

    /// Whether Enter in any line of the open form keeps what is filled in.
    pub fn enter_keeps(&self) -> bool {
        super::own::bookmarks::is_form(self)
    }

    /// The first key sequence of a command on a page, by name ("g", "C-w x").
    pub fn key_for(&self, command: &str) -> Option<String> {
        let keys = self.keymap.keys_for(Mode::Page, command);
        keys.first().map(|keys| crate::keys::shown(keys))
    }

    /// The same on a page of the reader's own.
    pub(super) fn key_on_own(&self, command: &str) -> Option<String> {
        let keys = self.keymap.keys_for(Mode::Own, command);
        keys.first().map(|keys| crate::keys::shown(keys)).or_else(|| self.key_for(command))
    }

    pub(super) fn entry_mut(&mut self) -> Option<&mut Entry> {
        self.tab.history.get_mut(self.tab.at)
    }

    pub(super) fn fresh(&mut self) -> FetchId {
        self.last_fetch += 1;
        FetchId(self.last_fetch)
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.note = Some(Note { kind: NoteKind::Info, text: crate::doc::sanitise(&text.into()).into_owned() });
    }

    /// Says that something did not work, in one line.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.note = Some(Note { kind: NoteKind::Error, text: crate::doc::sanitise(&text.into()).into_owned() });
    }
}
