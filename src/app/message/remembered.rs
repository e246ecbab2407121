//! What earlier runs have left for this one. It comes before the first page is opened.

use super::kept::{KeptDownload, KeptMark};
use super::session::{LastTabs, Session};
use crate::app::PromptKind;
use crate::config::ConfigError;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What earlier runs have left, as far as it is read at the start.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Remembered {
    /// Words typed at prompts, the oldest first.
    pub words: BTreeMap<PromptKind, Vec<String>>,
    /// Charsets the reader chose, by host.
    pub charsets: BTreeMap<String, String>,
    /// Orders of directories the reader chose, by host: `name`, or `name reverse`.
    pub orders: BTreeMap<String, String>,
    /// Which threads of newsgroups the reader wants to see, by their URLs: `all` or `unread`.
    pub shows: BTreeMap<String, String>,
    /// What directories listed last, by their URLs.
    pub listings: BTreeMap<String, String>,
    /// Hosts of whose pages the reader wants only the content.
    pub reader: BTreeSet<String>,
    /// Hosts whose prose the reader wants as wide as the screen.
    pub unmeasured: BTreeSet<String>,
    /// Hosts whose hidden files the reader wants listed.
    pub hidden: BTreeSet<String>,
    /// Hosts in whose directories the reader wants permissions and owners.
    pub owners: BTreeSet<String>,
    /// When the groups of news servers were listed, by their own clocks; by the servers' names.
    pub listed: BTreeMap<String, Timestamp>,
    /// Marks, by their letters.
    pub marks: BTreeMap<char, KeptMark>,
    /// Downloads, the oldest first.
    pub downloads: Vec<KeptDownload>,
    /// The tabs.
    pub session: Session,
    /// Tabs of runs before that did not come back by themselves, the last first.
    pub last: Vec<LastTabs>,
    /// Where the reader has been will come, too.
    pub visits_coming: bool,
    /// There is nothing: the reader has never been here.
    pub greets: bool,
    /// What is wrong with the files of all this, a sentence each.
    pub remarks: Vec<String>,
    /// What is wrong with the file of the tabs.
    pub damage: Vec<ConfigError>,
    /// What is wrong with the reader's settings, keys and themes.
    pub mistakes: Vec<ConfigError>,
}
