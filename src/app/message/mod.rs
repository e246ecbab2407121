//! What happens to the browser.

pub(super) mod choices;
pub(super) mod effect;
pub(super) mod kept;
pub(super) mod pointer;
pub(super) mod remembered;
pub(super) mod session;

pub use choices::{Choices, Mouse};
pub use effect::{
    Beginning, Compared, Destination, Effect, Existing, Expected, Kept, ListSignature, ListedFile, Preparation,
    SiteChoice, There,
};
pub use kept::{KeptDownload, KeptMark, Links, Manner, Standing, Verified};
pub use pointer::{Gesture, Spot};
pub use remembered::Remembered;
pub use session::{KeptPlace, KeptTab, LastTabs, Parting, Session};

use crate::app::JobId;
use crate::bookmarks::Bookmarks;
use crate::config::SettingsFile;
use crate::format::{Grown, Whole};
use crate::keys::Key;
use crate::news::Newsrc;
use crate::news::score::Scores;
use crate::picture::Protocol;
use crate::proto::{End, FetchError, FetchEvent};
use crate::sums::Sum;
use crate::url::Url;
use crate::visits::Visits;
use crate::work::Product;
use jiff::Zoned;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A message from the shell.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// What the shell has done by itself that the reader had asked for.
    Said(String),
    /// What this machine and the command line say, beside the settings.
    Choices(Box<Choices>),
    /// What earlier runs have left.
    Remembered(Box<Remembered>),
    /// Places are to be opened as if the reader had typed them, each in a tab, the first one in front; tabs of an earlier run
    /// stay behind.
    Open {
        /// The places.
        places: Vec<Url>,
        /// The media type that they are to be taken for.
        media: Option<String>,
        /// The charset that they are to be read in.
        charset: Option<String>,
    },
    /// Another program wants these places to be opened. Whoever named them, it was not the reader.
    Handed(Vec<Url>),
    /// The tabs of an earlier run are to be gone on with.
    Resume {
        /// What is opened when there are none.
        home: Url,
    },
    /// A place is to be opened in the tab in view as if the reader had typed it.
    Go(Url),
    /// A command line is to be run as if a key were bound to it.
    Command(String),
    /// The time, in the reader's zone. It comes before a message when the second is another than before the last one.
    Clock(Zoned),
    /// The servers of the tour listen on these ports of 127.0.0.1.
    Tour(Vec<u16>),
    /// A key was pressed.
    Key(Key),
    /// The mouse did something over a spot of the screen.
    Mouse(Gesture, Spot),
    /// Text was pasted.
    Paste(String),
    /// The reader has pressed nothing for as long as [`crate::app::App::rest`] said.
    Rest,
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    /// The terminal can show pictures by this, and its cells have so many pixels, where anybody knows.
    Graphics(Protocol, Option<(u16, u16)>),
    /// A fetch says something.
    Fetch {
        /// Which; a stale id falls on the floor.
        id: JobId,
        /// Since the fetch was started.
        elapsed: Duration,
        /// What it says.
        event: FetchEvent,
    },
    /// A page that is being read has more to show.
    Grown {
        /// Which fetch.
        id: JobId,
        /// Since the fetch was started.
        elapsed: Duration,
        /// The page so far.
        page: Box<Grown>,
    },
    /// A page was read to its end.
    Whole {
        /// Which fetch.
        id: JobId,
        /// Since the fetch was started.
        elapsed: Duration,
        /// The page.
        page: Box<Whole>,
        /// How its body ended.
        end: Result<End, FetchError>,
    },
    /// Work is done.
    Worked {
        /// Which.
        id: JobId,
        /// What came of it.
        product: Product,
    },
    /// A body that goes into a file has come this far.
    Transfer {
        /// Which fetch.
        id: JobId,
        /// Since the fetch was started.
        elapsed: Duration,
        /// How far.
        transfer: Transfer,
    },
    /// A program that was run has ended.
    Ran {
        /// Which.
        id: JobId,
        /// A sentence when it failed.
        result: Result<(), String>,
    },
    /// A file was written, or not.
    Wrote {
        /// Which.
        id: JobId,
        /// The path, or what kept it from being written.
        result: Result<String, NotWritten>,
    },
    /// A folder is prepared for a directory.
    Prepared {
        /// Which.
        id: JobId,
        /// What is there.
        there: There,
    },
    /// Folders of a directory have their times.
    Dated {
        /// Which.
        id: JobId,
        /// Of which they could not be given, and why.
        remarks: Vec<String>,
    },
    /// What the files of settings, keys and themes say.
    Settings {
        /// The number under which it was asked.
        id: JobId,
        /// All that they say; nothing where they cannot be read.
        file: Box<SettingsFile>,
        /// Why they cannot.
        remark: Option<String>,
    },
    /// A file's checksums are reckoned, or not.
    Summed {
        /// Which.
        id: JobId,
        /// They, or a sentence.
        result: Result<Vec<Sum>, String>,
    },
    /// All files of a folder are compared with the lists of checksums in it, or not.
    SummedTree {
        /// Which.
        id: JobId,
        /// What came of it, or a sentence.
        result: Result<Compared, String>,
    },
    /// A file was removed, or not.
    Removed {
        /// Which.
        id: JobId,
        /// A sentence when it is still there.
        result: Result<(), String>,
    },
    /// A file has been read, or not.
    Read {
        /// Which.
        id: JobId,
        /// The content, or a sentence.
        content: Result<Vec<u8>, String>,
    },
    /// A host wants to set cookies, and the settings leave it to the reader.
    Cookies {
        /// The host.
        host: String,
        /// The names of the cookies.
        names: Vec<String>,
    },
    /// Something that nobody waits for did not work, in a sentence.
    Complaint(String),
    /// What a file of the reader's holds now.
    Known {
        /// What.
        known: Known,
        /// What is wrong with the file, or kept it from being read or written.
        remark: Option<String>,
    },
    /// The system asks the program to end (SIGTERM, hang-up): quit without asking.
    Terminate,
}

/// Why a file was not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotWritten {
    /// There is one at this path already.
    Exists(String),
    /// It failed, with a sentence.
    Failed(String),
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
    Words(BTreeMap<crate::app::PromptKind, Vec<String>>),
    /// Bookmarks.
    Bookmarks(Box<Bookmarks>),
    /// The rules by which articles are scored.
    Scores(Arc<Scores>),
    /// Settings, and what else says them.
    Settings(Box<SettingsFile>),
    /// What is new in what the reader is subscribed to.
    New {
        /// Items that are unread.
        unread: u64,
        /// How many of them were found just now.
        fresh: u64,
    },
    /// What of a page is new since it was read the last time.
    Fresh {
        /// Its address, as it was asked for.
        url: Url,
        /// How many octets it has.
        octets: u64,
        /// Blocks of its document.
        blocks: Vec<u32>,
    },
    /// What the store of pages has forgotten.
    Forgotten(Gone),
}

/// How much of what was kept is gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gone {
    /// Copies of pages.
    pub copies: usize,
    /// Pages that were to be read later.
    pub later: usize,
    /// Items of what is subscribed to.
    pub fresh: usize,
}

/// How far a download has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transfer {
    /// The file's beginning is there from an earlier time, and the server can go on; the fetch waits for a decision.
    Partial,
    /// Writing begins after so many octets that are there already; a remark when others were there and are given up.
    Begun(u64, Option<String>),
    /// The server does not say of what time the file is that comes.
    Undated,
    /// Octets in the file.
    Progress(u64),
    /// Complete, at this path; a remark when it may not be what it should be.
    Done(String, Option<String>),
    /// It was there already, at this path; nothing was fetched.
    Present(String),
    /// There is another file of that name; nothing was written.
    Exists(String),
    /// What is here of it is of a file that has changed since, in a sentence; it is kept, and nothing was written.
    Stale(String),
    /// It broke off, with a sentence; what came is kept at the partial path named in it.
    Cut(String),
    /// It failed, with a sentence; what came is kept at the partial path named in it.
    Failed(String),
    /// The disk takes no more, with a sentence; what came is kept, and what else is to be written will hardly find room.
    Full(String),
}
