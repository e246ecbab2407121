//! The state of the browser: plain data that the view reads and only [`crate::app::update()`] changes.

use crate::app::ahead::Ahead;
use crate::app::forms::web;
use crate::app::sequence::Sequence;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::Jobs;
use crate::app::state::news::News;
use crate::app::{
    Choices, Desk, Entry, Hands, JobId, Library, Parting, PromptKind, Screen, Sight, Tab, TabId, Tabs, Transfers,
};
use crate::config::Settings;
use crate::doc::Layout;
use crate::keys::{Keymap, Mode};
use crate::url::Url;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::time::Duration;

/// The browser.
#[derive(Debug)]
pub struct App {
    /// The tab in view.
    pub tab: Tab,
    /// The others.
    pub(super) tabs: Tabs,
    /// What the reader is at: prompt, overlays, notes.
    pub hands: Hands,
    /// What was asked of the shell and is not answered.
    pub(super) jobs: Jobs,
    /// What the reader chose, and the screen.
    pub desk: Desk,
    /// Where the reader has been and what they keep.
    pub library: Library,
    /// What is on its way into files.
    pub transfers: Transfers,
    /// What the reader has read of the news.
    pub news: News,
    /// What features want of the whole browser.
    pub(super) intents: Vec<(TabId, Intent)>,
    /// A command of the reader's own that is being run.
    pub(super) sequence: Option<Sequence>,
    /// What was typed ahead of what comes.
    pub(super) ahead: Ahead,
    /// What was kept last of the tabs, to tell when there is something new to keep.
    pub(super) kept: u64,
    /// What the reader wants to become of the tabs, when they leave.
    pub(super) parting: Parting,
}

impl App {
    /// A browser with nothing open.
    pub fn new(settings: Settings, keymap: Keymap, screen: Screen) -> App {
        App {
            tab: Tab::default(),
            tabs: Tabs::default(),
            hands: Hands::default(),
            jobs: Jobs::default(),
            desk: Desk::new(settings, keymap, screen),
            library: Library::default(),
            transfers: Transfers::default(),
            news: News::default(),
            intents: Vec::new(),
            sequence: None,
            ahead: Ahead::default(),
            kept: 0,
            parting: Parting::Quit,
        }
    }

    /// What features see of it from the tab in view, to change it.
    pub(super) fn cx(&mut self) -> Cx<'_> {
        Cx {
            tab_count: self.tab_count(),
            tab: &mut self.tab,
            hands: &mut self.hands,
            jobs: &mut self.jobs,
            desk: &mut self.desk,
            library: &mut self.library,
            transfers: &mut self.transfers,
            news: &mut self.news,
            intents: &mut self.intents,
        }
    }

    /// The same of a tab behind, by its place among those, with hands that nobody has.
    pub(super) fn cx_behind<'a>(&'a mut self, place: usize, hands: &'a mut Hands) -> Option<Cx<'a>> {
        Some(Cx {
            tab_count: self.tab_count(),
            tab: self.tabs.behind.get_mut(place)?,
            hands,
            jobs: &mut self.jobs,
            desk: &mut self.desk,
            library: &mut self.library,
            transfers: &mut self.transfers,
            news: &mut self.news,
            intents: &mut self.intents,
        })
    }

    /// What can be seen from the tab in view.
    pub fn sight(&self) -> Sight<'_> {
        Sight {
            tab: &self.tab,
            hands: &self.hands,
            jobs: &self.jobs,
            desk: &self.desk,
            library: &self.library,
            transfers: &self.transfers,
            news: &self.news,
            tab_count: self.tab_count(),
        }
    }

    /// Opens a URL as if the reader had typed it.
    pub fn open(&mut self, url: Url) -> Vec<crate::app::Effect> {
        crate::app::update(self, crate::app::Msg::Go(url))
    }

    /// Runs a command line as if a key were bound to it.
    pub fn run(&mut self, line: &str) -> Vec<crate::app::Effect> {
        crate::app::update(self, crate::app::Msg::Command(line.into()))
    }

    /// For how long nothing is to be pressed before [`crate::app::Msg::Rest`] is wanted; `None` while nothing waits for that.
    ///
    /// What came by itself cannot have been read in less than the first, whatever is pressed meanwhile; whoever types pauses for less
    /// than the second, between two fields of a form for less than the third.
    pub fn rest(&self) -> Option<Duration> {
        const READ: Duration = Duration::from_millis(300);
        const PAUSE: Duration = Duration::from_millis(700);
        const BETWEEN_FIELDS: Duration = Duration::from_secs(4);
        match () {
            () if self.hands.is_unseen() => Some(READ),
            () if !self.hands.await_a_pause() => None,
            () if web::is_among_fields(self.sight()) => Some(BETWEEN_FIELDS),
            () => Some(PAUSE),
        }
    }

    /// What the reader chose.
    pub fn choices(&self) -> &Choices {
        &self.desk.choices
    }

    /// What is to become of the tabs when the program ends.
    pub fn parting(&self) -> Parting {
        self.parting
    }

    /// Words typed at prompts, the oldest first.
    pub fn words(&self) -> &BTreeMap<PromptKind, Vec<String>> {
        &self.desk.words
    }

    /// Charsets the reader chose, by host.
    pub fn charsets(&self) -> &BTreeMap<String, String> {
        &self.desk.charsets
    }

    /// When the groups of news servers were listed, by their own clocks; by the servers' names.
    pub fn listed(&self) -> &BTreeMap<String, Timestamp> {
        &self.news.listed
    }

    /// What was asked of the shell and is not answered, with what it is for.
    pub fn open_jobs(&self) -> impl Iterator<Item = (JobId, String)> {
        self.jobs.all().map(|(id, job)| (*id, format!("{job:?}")))
    }

    /// What directories listed when they were seen last, by their URLs.
    pub fn listings(&self) -> std::collections::BTreeMap<String, String> {
        self.desk.listings.clone()
    }

    /// The place in view.
    pub fn entry(&self) -> Option<&Entry> {
        self.tab.entry()
    }

    /// Whether a page was visited, now or in an earlier session.
    pub fn has_visited(&self, url: &Url) -> bool {
        self.library.visits.contains(url)
    }

    /// Rows of the line of tabs.
    pub fn tab_rows(&self) -> u16 {
        self.sight().tab_rows()
    }

    /// Rows of the page.
    pub fn page_rows(&self) -> usize {
        self.sight().page_rows()
    }

    /// The room of the tab in view.
    pub fn pane(&self) -> crate::app::Pane {
        self.sight().pane()
    }

    /// The layout of the page.
    pub fn layout(&self) -> Layout {
        self.sight().layout()
    }

    /// Columns that stay free before the page.
    pub fn page_left(&self) -> u16 {
        self.sight().page_left()
    }

    /// Which bindings hold now.
    pub fn mode(&self) -> Mode {
        self.hands.mode()
    }

    /// The bindings that hold now, those on top first.
    pub fn modes(&self) -> &'static [Mode] {
        self.sight().modes()
    }

    /// The first key sequence of a command on a page, by name ("g", "C-w x").
    pub fn key_for(&self, command: &str) -> Option<String> {
        self.desk.key_for(command)
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.hands.say(text);
    }

    /// Says that something did not work, in one line, behind what is still there to be read.
    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.hands.complain(text);
    }
}
