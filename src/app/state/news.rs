//! What is known of what the reader has read of the news.

use super::undo::Undo;
use crate::app::PageId;
use crate::format::Listed;
use crate::news::score::Scores;
use crate::news::{ArticleSet, Newsrc, Subscription};
use crate::url::Url;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of what the reader has read.
#[derive(Debug, Default)]
pub struct News {
    /// When the groups of news servers were listed in an earlier run, by their own clocks; by the servers' names.
    pub(in crate::app) listed: BTreeMap<String, Timestamp>,
    /// Which threads of single groups the reader wants to see, by the names under which that is kept: `all` or `unread`.
    pub(in crate::app) shows: BTreeMap<String, String>,
    /// What takes the reader's marks back.
    pub(in crate::app) undo: Undo<Marked>,
    /// By the servers' names.
    pub(in crate::app) servers: BTreeMap<String, Server>,
    /// The article that was read last, or had the focus when its page was asked for again: the focus goes to it on its group's
    /// page.
    pub(in crate::app) last: Option<Last>,
    /// The article to which reading on has led.
    pub(in crate::app) onward: Option<Onward>,
    /// An article that the reader has posted and not seen on its group's page.
    pub(in crate::app) posted: Option<Posted>,
    /// The group's page whose numbers were looked at: its place in history, its URL, and how long it is.
    pub(in crate::app) counted: Option<(usize, Url, usize)>,
    /// The page of a thread whose articles were marked.
    pub(in crate::app) conversed: Option<PageId>,
    /// The rules by which articles are valued, or killed.
    pub(in crate::app) scores: Arc<Scores>,
    /// Rules that are on their way to the score file.
    pub(in crate::app) fresh: Vec<Arc<Scores>>,
    /// Where the reader stood when they made the last rule, or took one back.
    pub(in crate::app) stand: Option<Stand>,
    /// The group's page of which what is killed counts as read: its place in history, its URL, and how many articles that are.
    pub(in crate::app) killed: Option<(usize, Url, usize)>,
    /// What became read in this run because it was killed, by server and group: it is unread again when no rule kills it any more.
    pub(in crate::app) passed: BTreeMap<(String, Vec<u8>), ArticleSet>,
}

/// A place among the articles of a group's page, as they were.
#[derive(Debug, Clone)]
pub(in crate::app) struct Stand {
    pub(in crate::app) page: PageId,
    pub(in crate::app) articles: Arc<[Listed]>,
    pub(in crate::app) here: usize,
    /// The score file has said since what it holds.
    pub(in crate::app) come: bool,
}

/// An article to which reading on has led.
#[derive(Debug)]
pub(in crate::app) struct Onward {
    pub(in crate::app) url: Url,
    /// Whether the next group is offered at the end of this one, or gone to.
    pub(in crate::app) asks: bool,
    /// How many that are gone were passed over on the way to it.
    pub(in crate::app) passed: usize,
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

/// An article to which the focus is to go.
#[derive(Debug)]
pub(in crate::app) struct Last {
    pub(in crate::app) url: Url,
    /// It was in sight: the thread that it is in opens.
    pub(in crate::app) opens: bool,
}

/// Marks of the reader's, and what they changed; or a rule of theirs.
#[derive(Debug)]
pub(in crate::app) struct Marked {
    /// The server.
    pub(in crate::app) server: String,
    /// What was done, in words.
    pub(in crate::app) what: String,
    /// What changed of each group.
    pub(in crate::app) changes: Vec<Change>,
    /// The lines of the rule that was made, where it was none of the marks.
    pub(in crate::app) rule: Option<String>,
    /// Where the reader stood when they made it.
    pub(in crate::app) stand: Option<Stand>,
}

/// What changed of a group.
#[derive(Debug)]
pub(in crate::app) struct Change {
    pub(in crate::app) group: Vec<u8>,
    /// What became read.
    pub(in crate::app) added: ArticleSet,
    /// What became unread.
    pub(in crate::app) taken: ArticleSet,
    /// Whether the reader took the group, where that changed.
    pub(in crate::app) was: Option<Subscription>,
}
