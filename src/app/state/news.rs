//! What is known of what the reader has read of the news.

use crate::news::Newsrc;
use crate::url::Url;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of what the reader has read.
#[derive(Debug, Default)]
pub struct News {
    /// When the groups of news servers were listed in an earlier run, by their own clocks; by the servers' names.
    pub(in crate::app) listed: BTreeMap<String, Timestamp>,
    /// By the servers' names.
    pub(in crate::app) servers: BTreeMap<String, Server>,
    /// The article that was read last: the focus goes to it on its group's page.
    pub(in crate::app) last: Option<Url>,
    /// An article that the reader has posted and not seen on its group's page.
    pub(in crate::app) posted: Option<Posted>,
    /// The group's page whose numbers were looked at: its place in history, its URL, and how many articles it has.
    pub(in crate::app) counted: Option<(usize, Url, usize)>,
}

/// An article of the reader's own.
#[derive(Debug)]
pub(in crate::app) struct Posted {
    /// The place of its group's page in history.
    pub(in crate::app) at: usize,
    pub(in crate::app) url: Url,
    /// Its id, if the server told it.
    pub(in crate::app) id: Option<Vec<u8>>,
    /// The page was asked for again.
    pub(in crate::app) asked: bool,
}

/// What was read of a server.
#[derive(Debug)]
pub(in crate::app) struct Server {
    pub(in crate::app) newsrc: Arc<Newsrc>,
    /// Whether the file has been read.
    pub(in crate::app) known: bool,
    /// Whether the shell must be asked to bring newsrc and file together.
    pub(in crate::app) stale: bool,
    /// What the shell knows of: it is told only of what has changed since.
    pub(in crate::app) handed: Arc<Newsrc>,
    /// Requests to the shell that were not answered.
    pub(in crate::app) asked: u32,
}
