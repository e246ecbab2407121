//! What the browser asks the shell to do.

use crate::bookmarks::Change;
use crate::config::CookieRule;
use crate::news::Newsrc;
use crate::proto::{Request, Verdict};
use crate::url::Url;
use crate::visits::Forget;
use jiff::Timestamp;
use std::sync::Arc;

/// A fetch's number; never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FetchId(pub u64);

/// An act that update itself may not do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Start a fetch; its events come back with the id.
    Fetch {
        /// Its number.
        id: FetchId,
        /// What.
        request: Request,
    },
    /// Answer a head.
    Verdict {
        /// Which fetch.
        id: FetchId,
        /// The answer.
        verdict: Verdict,
    },
    /// Answer a head: accept, and write the body to this file. Where the file's beginning is there already and can be gone
    /// on from, [`super::Transfer::Partial`] comes back instead.
    Save {
        /// Which fetch.
        id: FetchId,
        /// Where to.
        into: Destination,
    },
    /// Start a fetch whose body goes into a file, from the end of what is there of it; its events come back with the id,
    /// and its head is not waited for.
    Download {
        /// Its number.
        id: FetchId,
        /// What.
        request: Request,
        /// Where to.
        into: Destination,
    },
    /// Stop a fetch; nothing more comes from it.
    Cancel(FetchId),
    /// Write text to a file (the page as text, its source), never over an existing one unless `replace`.
    Write {
        /// The path, `~` allowed at its beginning.
        path: String,
        /// The content; `None` removes a file that was written this way and has served, and nothing comes back.
        content: Option<Vec<u8>>,
        /// The reader agreed to replace an existing file.
        replace: bool,
    },
    /// Read a short file that the reader named (`~` allowed at its beginning); its content comes back as `Msg::Read`. Of a
    /// folder the names in it come, each a line, the one changed last first, those of folders with a slash at their end.
    Read(String),
    /// Put text on the clipboard (OSC 52).
    Copy(String),
    /// Run a program with an argument vector; the terminal is its own until it ends.
    Run(Vec<String>),
    /// Run a program in the background with a text as its input; what it says comes back as a fetch's events.
    Pipe {
        /// Its number.
        id: FetchId,
        /// What the page is called.
        request: Request,
        /// The argument vector.
        program: Vec<String>,
        /// What it is given.
        input: Vec<u8>,
    },
    /// Send `Msg::Slice` when nothing else is waiting.
    Slice,
    /// Keep something for the next time.
    Keep(Kept),
    /// Clear and draw everything again.
    Redraw,
    /// Suspend the program (C-z).
    Suspend,
    /// End.
    Quit,
}

/// A file that a body goes into.
#[derive(Debug, Clone, PartialEq)]
pub struct Destination {
    /// The path, `~` allowed at its beginning; with `within`, safe components below that folder.
    pub path: String,
    /// The folder that the reader chose; nothing is written outside it, and no link below it is followed.
    pub within: Option<String>,
    /// From where, as it may be written beside an unfinished file; `None` when it may not.
    pub origin: Option<Url>,
    /// What becomes of a file of this name.
    pub existing: Existing,
    /// What becomes of an unfinished file.
    pub beginning: Beginning,
}

/// What becomes of a file that has the name already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and the reader is asked.
    Ask,
    /// The reader agreed to replace it.
    Replace,
    /// It stays; when size and time are these, as far as they are known, it is what would have come.
    Compare {
        /// Octets.
        size: Option<u64>,
        /// The last change.
        modified: Option<Timestamp>,
    },
}

/// What becomes of an unfinished file of the same URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    /// It is gone on from, if the server can.
    Keep,
    /// It is begun anew.
    Drop,
}

/// What is kept for the next time.
#[derive(Debug, Clone, PartialEq)]
pub enum Kept {
    /// Words typed at prompts (never passwords).
    Words {
        /// Which prompt's history.
        prompt: super::PromptKind,
        /// The words.
        words: String,
    },
    /// How a download stands; a later word on the same file replaces the earlier one.
    Download(Box<super::KeptDownload>),
    /// What the reader chose for a host.
    Site {
        /// The host, lower case, for news with an odd port; empty for files of this machine.
        host: String,
        /// What they chose.
        choice: SiteChoice,
    },
    /// A page was visited, or one that was visited at this time turned out to have a title.
    Visit {
        /// Its address, without a password.
        url: String,
        /// Its title; empty when it has none.
        title: String,
        /// In seconds since 1970.
        time: i64,
    },
    /// What other running copies have added to the history is to be looked for; it comes back as [`super::Known::Others`].
    Others,
    /// Where the reader has been is to be forgotten, in all that is kept but bookmarks, certificates and marks of articles;
    /// what is left of words comes back as [`super::Known::Words`].
    Forget(Forget),
    /// A change of bookmarks is to be made on their file as it is now; what it holds then comes back as
    /// [`super::Known::Bookmarks`].
    Bookmarks(Change),
    /// Which tabs are open and where the reader is in them: [`super::App::session`] is not any more what it was.
    Session,
}

/// What the reader may choose for a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteChoice {
    /// The charset of its pages, by name.
    Charset(String),
    /// The certificate of this fingerprint, of a host of the web; never written anywhere.
    Trust(String),
    /// What becomes of its cookies; for this run, or remembered where they are kept or denied.
    Cookies(CookieRule),
    /// The order of its directories: `name`, or `name reverse`.
    Order(String),
    /// The time by a news server's clock when all its groups were listed.
    Visit(Timestamp),
    /// Which articles of a news server they have read and which groups they take. What has changed is done again on the file
    /// as it is now; that comes back as [`super::Known::Newsrc`]. Where nothing has changed the file is only read.
    News {
        /// As it is now.
        ours: Arc<Newsrc>,
        /// As it was when the shell was told of it last, or as the shell has told it since.
        base: Arc<Newsrc>,
    },
}
