//! What the browser asks the shell to do.

use crate::app::{JobId, Verified};
use crate::bookmarks::Change;
use crate::config::CookieRule;
use crate::format::Intake;
use crate::format::listing::Time;
use crate::news::Newsrc;
use crate::proto::{Certificate, Request, Verdict};
use crate::table::Value;
use crate::url::Url;
use crate::visits::Forget;
use crate::work::Work;
use jiff::Timestamp;
use std::sync::Arc;

/// An act that update itself may not do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Start a fetch; its events come back with the id.
    Fetch {
        /// Its number.
        id: JobId,
        /// What.
        request: Request,
    },
    /// Answer a head.
    Verdict {
        /// Which fetch.
        id: JobId,
        /// The answer.
        verdict: Verdict,
    },
    /// Answer a head: accept, and read the body as a page; what is read comes back as [`crate::app::Msg::Grown`], at the end as
    /// [`crate::app::Msg::Whole`]. Said again while the body comes: all that has come and will come is read this way.
    Parse {
        /// Which fetch.
        id: JobId,
        /// In which way.
        intake: Box<Intake>,
    },
    /// No more of a page is wanted: what has come is the page, and comes back as [`crate::app::Msg::Whole`].
    Enough(JobId),
    /// Answer a head: accept, and write the body to this file. Where the file's beginning is there already and can be gone
    /// on from, [`crate::app::Transfer::Partial`] comes back instead.
    Save {
        /// Which fetch.
        id: JobId,
        /// Where to.
        into: Destination,
    },
    /// Start a fetch whose body goes into a file, from the end of what is there of it; its events come back with the id,
    /// and its head is not waited for.
    Download {
        /// Its number.
        id: JobId,
        /// What.
        request: Request,
        /// Where to.
        into: Destination,
    },
    /// Stop a fetch, or give up work; nothing more comes from it.
    Cancel(JobId),
    /// Do what takes long on another thread; [`crate::app::Msg::Worked`] brings what came of it.
    Work {
        /// Its number.
        id: JobId,
        /// What.
        work: Work,
    },
    /// Write text to a file (the page as text, its source), never over an existing one unless `replace`; how it went comes
    /// back as [`crate::app::Msg::Wrote`].
    Write {
        /// Its number.
        id: JobId,
        /// The path, `~` allowed at its beginning.
        path: String,
        /// The content.
        content: Vec<u8>,
        /// The reader agreed to replace an existing file.
        replace: bool,
    },
    /// Remove a file that was written this way and has served; [`crate::app::Msg::Removed`] tells of it.
    Remove {
        /// Its number.
        id: JobId,
        /// The path, `~` allowed at its beginning.
        path: String,
    },
    /// Read a short file that the reader named; its content comes back as [`crate::app::Msg::Read`]. Of a folder the names in it
    /// come, each a line, the one changed last first, those of folders with a slash at their end.
    Read {
        /// Its number.
        id: JobId,
        /// The path, `~` allowed at its beginning.
        path: String,
    },
    /// Reckon checksums of a file, of any length; they come back as [`crate::app::Msg::Summed`]. [`Effect::Cancel`] ends it.
    Sum {
        /// Its number.
        id: JobId,
        /// The path, `~` allowed at its beginning.
        path: String,
        /// Which checksums.
        kinds: Vec<crate::sums::Kind>,
    },
    /// Compare all files of a folder with the lists of checksums in it; comes back as [`crate::app::Msg::SummedTree`].
    /// [`Effect::Cancel`] ends it.
    SumTree {
        /// Its number.
        id: JobId,
        /// The folder, `~` allowed at its beginning.
        path: String,
        /// Names that its files have instead of those that they had, as [`crate::app::Manner`] has them.
        names: Vec<(String, String)>,
    },
    /// Put text on the clipboard (OSC 52).
    Copy(String),
    /// Run a program; the terminal is its own until it ends, and then [`crate::app::Msg::Ran`] comes.
    Run {
        /// Its number.
        id: JobId,
        /// The argument vector; never empty.
        arguments: Vec<String>,
    },
    /// Run a program in the background with a text as its input; what it says comes back as a fetch's events.
    Pipe {
        /// Its number.
        id: JobId,
        /// What the page is called.
        request: Request,
        /// The argument vector.
        program: Vec<String>,
        /// What it is given.
        input: Vec<u8>,
    },
    /// Prepare a folder for a directory that is to be saved; comes back as [`crate::app::Msg::Prepared`].
    Prepare {
        /// Its number.
        id: JobId,
        /// What is made there, and what will come.
        plan: Box<Preparation>,
    },
    /// Give folders below one that the reader chose the times that the server's have, when what is in them has come; comes back as
    /// [`crate::app::Msg::Dated`].
    Date {
        /// Its number.
        id: JobId,
        /// The folder that the reader chose.
        within: String,
        /// Folders below it, and when each was changed, as exactly as it is known.
        folders: Vec<(String, Time)>,
    },
    /// Keep something for the next time.
    Keep(Kept),
    /// Look what the files of settings, keys and themes say now; comes back as [`crate::app::Msg::Settings`].
    ReadSettings {
        /// Its number.
        id: JobId,
    },
    /// Keep which articles of a news server the reader has read and which groups they take. What has changed is done again on
    /// the file as it is now; that comes back as [`crate::app::Known::Newsrc`]. Where nothing has changed the file is only read.
    SyncNewsrc {
        /// The server, as in [`Kept::Site`].
        server: String,
        /// As it is now.
        ours: Arc<Newsrc>,
        /// As it was when the shell was told of it last, or as the shell has told it since.
        base: Arc<Newsrc>,
    },
    /// Trust the certificate of this fingerprint.
    Trust {
        /// A host of the web; `host:port` of a server whose certificate is pinned.
        server: String,
        /// It, as the failure told of it.
        certificate: Certificate,
        /// Whether it takes the place of the one that was pinned; else it is trusted until the program ends, and never written
        /// anywhere.
        pinned: bool,
        /// A private tab asks: it is trusted in private tabs until the program ends.
        private: bool,
    },
    /// What becomes of a host's cookies; for this run, or remembered where they are kept or denied.
    RuleCookies {
        /// The host.
        host: String,
        /// What the reader chose.
        rule: CookieRule,
    },
    /// Clear and draw everything again.
    Redraw,
    /// Suspend the program (C-z).
    Suspend,
    /// End, when the reader has heard what could not be kept of what they asked to be kept.
    Quit,
    /// End, whatever is not kept.
    QuitNow,
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
    /// What a listing says of it.
    pub listed: ListedFile,
    /// What becomes of an unfinished file.
    pub beginning: Beginning,
    /// Whether it is one to run: whoever may read it here may run it then.
    pub runs: bool,
}

/// What is made in a folder before the files of a saved directory come, and what is looked for there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preparation {
    /// The folder that the reader chose; nothing is made outside it, and no link below it is followed.
    pub within: String,
    /// Folders below it: safe components, with or without anything in them.
    pub folders: Vec<String>,
    /// Links below it, and where each leads.
    pub links: Vec<(String, String)>,
    /// Whether a link that is there and leads elsewhere gives way to one of these.
    pub replaces: bool,
    /// Files that will come.
    pub files: Vec<Expected>,
    /// What the server has and the plan leaves out, so that it has not gone.
    pub apart: Vec<String>,
    /// Whether to tell of files and folders that are there and will not come.
    pub others: bool,
}

/// A file that will come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// Below the folder.
    pub path: String,
    /// Octets, when known.
    pub size: Option<u64>,
    /// The last change, as exactly as it is known.
    pub modified: Option<Time>,
}

/// What a folder holds of what will come, by places in [`Preparation::files`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct There {
    /// They are there as they would come, as far as size and time tell.
    pub same: Vec<usize>,
    /// Others of their names are there.
    pub changed: Vec<usize>,
    /// Links of their names are there and lead elsewhere, by places in [`Preparation::links`].
    pub elsewhere: Vec<usize>,
    /// Files that are there and will not come, by their paths, and folders, with a slash at their end.
    pub others: Vec<String>,
    /// What could not be made, in words.
    pub remarks: Vec<String>,
}

/// What came of all files of a folder by the lists of checksums in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// That.
    pub verified: Verified,
    /// How many of the files are right.
    pub right: usize,
    /// The signatures of those lists, which nobody has looked at.
    pub signatures: Vec<ListSignature>,
}

/// A signature of a list of checksums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListSignature {
    /// The file that it is in, below the folder.
    pub name: String,
    /// It; of a list that is signed in clear all of it.
    pub content: Vec<u8>,
    /// The list, where that is another file: its name below the folder, and what the files were compared with.
    pub list: Option<(String, Vec<u8>)>,
    /// Which files that are right the list names, by numbers below [`Compared::right`].
    pub right: Vec<usize>,
}

/// What a listing says of a file that is to come, as far as there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListedFile {
    /// Octets.
    pub size: Option<u64>,
    /// The last change, as exactly as it is known.
    pub modified: Option<Time>,
}

/// What becomes of a file that has the name already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and the reader is asked.
    Ask,
    /// The reader agreed to replace it.
    Replace,
    /// It stays; when size and time are those that are listed, as far as they are known, it is what would have come.
    Compare,
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
        prompt: crate::app::PromptKind,
        /// The words.
        words: String,
    },
    /// A mark was set, or is gone.
    Mark {
        /// Its letter.
        letter: char,
        /// Its place.
        mark: Option<crate::app::KeptMark>,
    },
    /// How a download stands; a later word on the same file replaces the earlier one.
    Download(Box<crate::app::KeptDownload>),
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
        /// The address of the page that led there; empty where the reader named it.
        led: String,
    },
    /// What other running copies have added to the history is to be looked for; it comes back as [`crate::app::Known::Others`].
    Others,
    /// Where the reader has been is to be forgotten, in all that is kept but bookmarks, certificates and marks of articles;
    /// what is left of words comes back as [`crate::app::Known::Words`].
    Forget(Forget),
    /// A change of bookmarks is to be made on their file as it is now; what it holds then comes back as
    /// [`crate::app::Known::Bookmarks`].
    Bookmarks(Change),
    /// Lines for the end of the score file; what that holds then comes back as [`crate::app::Known::Scores`].
    Score(String),
    /// Lines that were added to the score file are to be taken out again, where they stand last; what it holds then comes back
    /// the same way.
    Unscore(String),
    /// A setting of the reader's file: another value, or none, so that its default counts. Made on the file as it is now; what it
    /// says then comes back as [`crate::app::Known::Settings`].
    Setting {
        /// Its name.
        name: String,
        /// The value.
        value: Option<Value>,
    },
    /// Which tabs are open and where the reader is in them: [`crate::app::App::session`] is not any more what it was.
    Session,
}

/// What the reader may choose for a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteChoice {
    /// The charset of its pages, by name.
    Charset(String),
    /// The order of its directories: `name`, or `name reverse`.
    Order(String),
    /// Whether only the content of its pages is shown.
    Reader(bool),
    /// Whether its prose is set by the measure.
    Measure(bool),
    /// Whether its hidden files are listed.
    Hidden(bool),
    /// Whether permissions and owners are shown in its directories.
    Owners(bool),
    /// Which threads of a newsgroup are shown: `all` or `unread`. The group stands in the host's place, as a URL.
    Show(String),
    /// What a directory listed; in the place of the host stands its URL.
    Listing(String),
    /// The time by a news server's clock when all its groups were listed.
    Visit(Timestamp),
}
