//! The reader's desk: settings, keys, the screen, and what they chose while browsing.

use super::logins::Whose;
use super::undo::Undo;
use crate::app::page::Folding;
use crate::app::{Choices, JobId, PromptKind, Split};
use crate::config::{Settings, SettingsFile};
use crate::doc::{Layout, Marks};
use crate::keys::{Keymap, Mode};
use crate::picture::Protocol;
use crate::proto::Login;
use crate::table::Value;
use crate::url::Url;
use jiff::Zoned;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Columns beside the measure from which on a page stands in the middle of the screen.
const WIDE: u16 = 24;
/// Columns of a page without which it has no margin.
const NARROW: u16 = 40;

/// What the reader chose.
#[derive(Debug)]
pub struct Desk {
    /// The reader's settings.
    pub settings: Settings,
    /// The reader's keys.
    pub keymap: Keymap,
    /// The terminal's size.
    pub screen: Screen,
    /// What the terminal says that it can show pictures by, and how many pixels its cells have.
    pub(in crate::app) graphics: (Protocol, Option<(u16, u16)>),
    /// Two tabs that are in view together.
    pub split: Option<Split>,
    /// What the reader chose and may change while browsing.
    pub(in crate::app) choices: Choices,
    /// Charsets the reader chose, by host.
    pub(in crate::app) charsets: BTreeMap<String, String>,
    /// Orders of directories the reader chose, by host: `name`, or `name reverse`.
    pub(in crate::app) orders: BTreeMap<String, String>,
    /// What directories listed when they were seen last, by their URLs.
    pub(in crate::app) listings: BTreeMap<String, String>,
    /// Those of them that were looked at in this run, the latest last: all others are older.
    pub(in crate::app) listed: VecDeque<String>,
    /// Hosts of whose pages the reader wants only the content.
    pub(in crate::app) reader: BTreeSet<String>,
    /// Hosts whose prose the reader wants as wide as the screen.
    pub(in crate::app) unmeasured: BTreeSet<String>,
    /// Hosts whose hidden files the reader wants listed.
    pub(in crate::app) hidden: BTreeSet<String>,
    /// Hosts in whose directories permissions and owners are shown.
    pub(in crate::app) owners: BTreeSet<String>,
    /// How the reader wants messages folded in this session.
    pub(in crate::app) folding: Folding,
    /// Words typed at prompts, the oldest first.
    pub(in crate::app) words: BTreeMap<PromptKind, Vec<String>>,
    /// Logins given in this session, by server; never written anywhere.
    pub(in crate::app) logins: BTreeMap<Whose, Login>,
    /// The time, in the reader's zone, as the shell has it.
    pub(in crate::app) now: Option<Zoned>,
    /// The ports of 127.0.0.1 on which the servers of the tour listen, or did in this run.
    pub(in crate::app) tour: Vec<u16>,
    /// The reader has never been here, and has pressed no key yet that does something.
    pub(in crate::app) greets: bool,
    /// What goes on with the settings.
    pub(in crate::app) own: SettingsDesk,
    /// The host whose name was not found last, when none has answered since.
    pub(in crate::app) unfound: Option<String>,
}

impl Desk {
    /// A desk on which nothing was chosen.
    pub(in crate::app) fn new(settings: Settings, keymap: Keymap, screen: Screen) -> Desk {
        Desk {
            choices: Choices::of(&settings),
            settings,
            keymap,
            screen,
            graphics: Default::default(),
            split: None,
            charsets: BTreeMap::new(),
            orders: BTreeMap::new(),
            listings: BTreeMap::new(),
            listed: VecDeque::new(),
            reader: BTreeSet::new(),
            unmeasured: BTreeSet::new(),
            hidden: BTreeSet::new(),
            owners: BTreeSet::new(),
            folding: Folding::default(),
            words: BTreeMap::new(),
            logins: BTreeMap::new(),
            now: None,
            tour: Vec::new(),
            greets: false,
            own: SettingsDesk::default(),
            unfound: None,
        }
    }

    /// Rows below the page: the bar and the line; for who listens two lines, since what is said there is said in full.
    pub fn foot_rows(&self) -> u16 {
        const ENOUGH: u16 = 8;
        2 + u16::from(self.settings.speech && self.screen.rows >= ENOUGH)
    }

    /// The layout of a page of so many columns, and those that stay free before it. Prose is `measured`, or as wide as the page. Rows
    /// that need `wide` columns are not cut for the sake of the middle.
    pub(in crate::app) fn layout(&self, columns: u16, measured: bool, wide: usize) -> (u16, Layout) {
        let settings = &self.settings;
        if settings.speech {
            let width = columns.max(1);
            return (0, Layout { width, measure: None, wrap: self.choices.wrap, marks: Marks::Plain });
        }
        let measure = settings.width.filter(|_| measured);
        let centred = measure.filter(|measure| settings.centre && columns >= measure.saturating_add(WIDE));
        let margin = if columns >= NARROW.saturating_add(2 * settings.margin) { settings.margin } else { 0 };
        let left = centred.map_or(0, |measure| (columns - measure) / 2).max(margin);
        let left = if wide > usize::from(columns.saturating_sub(left + margin)) { margin } else { left };
        let width = columns.saturating_sub(left + margin).max(1);
        (left, Layout { width, measure, wrap: self.choices.wrap, marks: self.choices.marks })
    }

    /// The first key sequence of a command on a page, by name ("g", "C-w x").
    pub fn key_for(&self, command: &str) -> Option<String> {
        let keys = self.keymap.keys_for(Mode::Page, command);
        keys.first().map(|keys| crate::keys::shown(keys))
    }

    /// The same on the page of settings.
    pub(in crate::app) fn key_for_settings(&self, command: &str) -> Option<String> {
        let keys = self.keymap.keys_for(Mode::Settings, command);
        keys.first().map(|keys| crate::keys::shown(keys))
    }

    /// The same on the page of what is new.
    pub(in crate::app) fn key_on_new(&self, command: &str) -> Option<String> {
        let keys = self.keymap.keys_for(Mode::New, command);
        keys.first().map(|keys| crate::keys::shown(keys))
    }

    /// The same on a page of the reader's own.
    pub(in crate::app) fn key_on_own(&self, command: &str) -> Option<String> {
        let keys = self.keymap.keys_for(Mode::Own, command);
        keys.first().map(|keys| crate::keys::shown(keys)).or_else(|| self.key_for(command))
    }
}

/// What goes on with the settings besides their values.
#[derive(Debug, Default)]
pub(in crate::app) struct SettingsDesk {
    /// What the files say, as the shell told last.
    pub(in crate::app) file: Option<Box<SettingsFile>>,
    /// The shell was asked for it.
    pub(in crate::app) asked: bool,
    /// What it says under this number is to be taken over.
    pub(in crate::app) reload: Option<JobId>,
    /// What takes changes back.
    pub(in crate::app) undo: Undo<Change>,
    /// What was changed for this run alone.
    pub(in crate::app) changed: BTreeSet<&'static str>,
    /// The theme that there was before others were tried.
    pub(in crate::app) before: Option<String>,
}

/// What a setting was before it was changed.
#[derive(Debug)]
pub(in crate::app) struct Change {
    /// Its name.
    pub(in crate::app) name: &'static str,
    /// What the file said; `None` where it was changed for the run alone.
    pub(in crate::app) said: Option<Option<Value>>,
    /// It had been changed for the run alone before.
    pub(in crate::app) was_changed: bool,
    /// What counted.
    pub(in crate::app) counted: Value,
}

/// The terminal's size in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Columns.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

pub(in crate::app) const HOST: &str = "127.0.0.1";

/// Whether a URL is on one of the servers of the tour, by their ports.
pub(in crate::app) fn is_of_tour(ports: &[u16], url: &Url) -> bool {
    !ports.is_empty() && url.host() == Some(HOST) && url.port().is_some_and(|port| ports.contains(&port))
}

/// Whether a URL is the page that opens the tour.
pub fn is_tour(url: &Url) -> bool {
    url.is("about") && url.path().eq_ignore_ascii_case("tour")
}
