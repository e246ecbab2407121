//! What is kept of downloads and of marks from one run to the next.

use crate::doc::{Anchor, LinkId};

/// What is kept of a download. The file it goes into tells it from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDownload {
    /// To where, `~` allowed at its beginning.
    pub path: String,
    /// From where, without any secret.
    pub url: String,
    /// How it stood.
    pub standing: Standing,
    /// Octets that were there.
    pub received: u64,
    /// Octets in all, when known.
    pub length: Option<u64>,
    /// Why it ended, when that was not as it should.
    pub said: String,
    /// Whether its URL is all that it takes to begin it again.
    pub again: bool,
    /// Whether it is a directory with all below it.
    pub folder: bool,
    /// Files of checksums and signatures beside it, where it came from.
    pub beside: Vec<String>,
    /// What came of checking it.
    pub verified: Option<Verified>,
    /// What of a directory could not be had, and what of it is not as it is on the server: a line each.
    pub remarks: Vec<String>,
    /// How a directory was saved.
    pub manner: Manner,
}

/// How a directory was saved, which holds when it is saved again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manner {
    /// What became of links.
    pub links: Links,
    /// What could not keep its name: its path below the folder as the server has its name, and the name that it got.
    pub names: Vec<(String, String)>,
    /// The rows that it was, as the server has their names, where it was not the whole directory; empty when they are not known.
    pub rows: Option<Vec<String>>,
}

/// What becomes of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Links {
    /// The files that they lead to are saved under their names.
    #[default]
    Followed,
    /// They are made again, as far as they stay inside the folder.
    Kept,
    /// They are made again, wherever they lead.
    KeptAll,
    /// They are not saved.
    Left,
}

/// What came of checking a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Whether it is what it should be; `None` when nothing could tell.
    pub agrees: Option<bool>,
    /// That, in words.
    pub said: String,
}

/// A mark: a place in a page, under a letter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeptMark {
    /// The address, without a password.
    pub url: String,
    /// The first line on the screen, in the document as it was written.
    pub top: Anchor,
    /// The link that had the focus there, if any did.
    pub link: Option<LinkId>,
    /// The words of that link, or of the first line; empty at the beginning of a page.
    pub words: String,
    /// The title of its page; empty when it has none.
    pub title: String,
    /// When it was set, in seconds since 1970; 0 where nobody knows.
    pub time: i64,
}

/// How a download stood when it was last kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It was on its way, or waited for its turn.
    Open,
    /// All was there.
    Done,
    /// It broke off.
    Cut,
    /// The reader stopped it.
    Stopped,
    /// It failed.
    Failed,
    /// The reader wants it out of the list.
    Forgotten,
    /// The same, and what came of it is to be deleted.
    Dropped,
}
