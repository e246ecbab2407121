//! What happens to the browser.

use super::{FetchId, Gesture, Spot};
use crate::bookmarks::Bookmarks;
use crate::keys::Key;
use crate::news::Newsrc;
use crate::proto::FetchEvent;
use crate::visits::Visits;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A message from the shell.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// A key was pressed.
    Key(Key),
    /// The mouse did something over a spot of the screen.
    Mouse(Gesture, Spot),
    /// Text was pasted.
    Paste(String),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    /// A fetch says something.
    Fetch {
        /// Which; a stale id falls on the floor.
        id: FetchId,
        /// Since the fetch was started.
        elapsed: Duration,
        /// What it says.
        event: FetchEvent,
    },
    /// A body that goes into a file has come this far.
    Transfer {
        /// Which fetch.
        id: FetchId,
        /// Since the fetch was started.
        elapsed: Duration,
        /// How far.
        transfer: Transfer,
    },
    /// A program that was run has ended, with a sentence if it failed.
    Ran(Result<(), String>),
    /// A file write that an effect asked for has ended, with the path or what kept it from being written.
    Wrote(Result<String, Transfer>),
    /// A file that an effect asked for has been read, or why it could not be.
    Read(Result<Vec<u8>, String>),
    /// What a file of the reader's holds now.
    Known {
        /// What.
        known: Known,
        /// What is wrong with the file, or kept it from being read or written.
        remark: Option<String>,
    },
    /// Go on with work that was cut into slices.
    Slice,
    /// The system asks the program to end (SIGTERM, hang-up): quit without asking.
    Terminate,
}

/// What a file of the reader's holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// What was read of a news server.
    Newsrc {
        /// The server, as the effect named it.
        server: String,
        /// Which articles and groups.
        newsrc: Arc<Newsrc>,
    },
    /// Where the reader has been.
    Visits(Box<Visits>),
    /// Where the reader has been in another running copy.
    Others(Box<Visits>),
    /// Words typed at prompts that are left when others are forgotten, the oldest first.
    Words(BTreeMap<super::PromptKind, Vec<String>>),
    /// Bookmarks.
    Bookmarks(Box<Bookmarks>),
    /// Nothing new: only the remark counts.
    Nothing,
}

/// How far a download has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transfer {
    /// The file's beginning is there from an earlier time, and the server can go on; the fetch waits for a decision.
    Partial,
    /// Writing begins after so many octets that are there already; a remark when others were there and are given up.
    Begun(u64, Option<String>),
    /// Octets in the file.
    Progress(u64),
    /// Complete, at this path; a remark when it may not be what it should be.
    Done(String, Option<String>),
    /// It was there already, at this path; nothing was fetched.
    Present(String),
    /// There is another file of that name; nothing was written.
    Exists(String),
    /// It broke off, with a sentence; what came is kept at the partial path named in it.
    Cut(String),
    /// It failed, with a sentence; what came is kept at the partial path named in it.
    Failed(String),
}
