//! The errands that the shell runs: each under its number, with what it is for. An answer is looked up here and nowhere else;
//! under a number that is not here it falls on the floor.

use crate::app::page;
use crate::app::page::veil::Veil;
use crate::app::{
    DownloadId, FieldPlace, FormId, JobId, Letter, ListSignature, Opening, PageId, Sending, TabId, Uploading, Verified,
};
use crate::doc::Document;
use crate::proto::Head;
use crate::sums::Sum;
use crate::url::{Url, UrlError};
use crate::work::ListItem;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Something that was asked of the shell.
#[derive(Debug)]
pub(in crate::app) struct Job {
    /// The tab that it is for.
    pub tab: TabId,
    /// What its answer is for.
    pub errand: Errand,
}

/// What the answer to something that was asked of the shell is for.
#[derive(Debug)]
pub(in crate::app) enum Errand {
    /// A page: the one that loads, or one that grows.
    Page,
    /// The description of a Gopher+ form, for the item that loads.
    Form(Gathered),
    /// A message, for a part of it that loads.
    Part(Gathered),
    /// The README of a directory.
    Readme(Box<Readme>),
    /// What a download is checked with.
    Verify(Box<Verifying>),
    /// The folder of this download is being checked.
    VerifyTree(DownloadId),
    /// The signatures of the lists of such a folder are looked at.
    SignTree(Box<SignedLists>),
    /// An article whose signature is checked: the reader is asked, it is written, `gpg` looks at it.
    Signed(Box<SignedText>),
    /// Articles that are to be kept for later.
    Later(Box<Later>),
    /// A page is put by, to be read later, or taken out again.
    PutBy(bool),
    /// Which of the kept pages link to the page.
    Linked(PageId),
    /// Something is done with what the reader is subscribed to; and what the key that takes it back does.
    Subscription(&'static str),
    /// A directory that is to be saved with all below.
    Listing,
    /// A folder that is made ready for it.
    Prepare,
    /// The folders of this download are given their times.
    Date(DownloadId),
    /// A file of such a directory.
    Leaf,
    /// A body for a file.
    File,
    /// An article on its way to the server.
    Post(Box<Post>),
    /// A file for a Gopher+ form.
    FormFile(FormId),
    /// The files of a form of a page.
    Upload(Box<Uploading>),
    /// What the reader writes for a place of Gemini space is put into a file, or is in the editor.
    Compose(Box<Sending>),
    /// A file for a place.
    Send(Box<Sending>),
    /// The names in a folder, as it was typed, for the prompt.
    Names(String),
    /// Bookmarks of another program, from the file of this name.
    Import(String),
    /// A text for a file of this name.
    Text(String, Vec<u8>),
    /// A page as it reads on paper, for a file or a program.
    Print(Printing),
    /// A draft: its file is written, in the editor, read.
    Draft(Box<Letter>),
    /// A draft whose file is to hold its id before it goes.
    Named(Box<Letter>),
    /// An article for a mailbox, with those that have come.
    Collect(Box<Collecting>),
    /// The names of all drafts, then each of them.
    Drafts(Drafts),
    /// A copy of a page's source: its file is written, in the editor.
    SourceCopy,
    /// A page's own file, in the editor.
    SourceFile,
    /// The text of a field: its file is written, in the editor, read. The name of the file once it is there.
    Area(Box<FieldPlace>, Option<String>),
    /// A program of the reader's.
    Program,
    /// The mail program, and what for.
    MailProgram(Url),
    /// A file that has served, by its path.
    Removal(String),
    /// The page of the tab whose arrangement has this number, to be put in order.
    Arrangement,
    /// What is seen of a picture, to be drawn.
    Picture,
    /// A picture for the text of a page.
    Illustration(Gathered),
    /// The same, to be read.
    Decode,
    /// The match that the tab seeks.
    Match,
    /// The matches that the tab counts.
    Count,
    /// The links that the tab seeks by their words.
    Links,
    /// The rows of this document that are to be marked.
    Marking(Arc<Document>, MarkRows),
    /// The matches that may be in closed folds.
    Folded,
    /// The rows of a list that pass its filter.
    Rows,
    /// Addresses like the one that is being typed.
    Addresses,
    /// The pages of the history that are listed.
    Visits,
    /// The trail to a page: shown, or to be written to that file.
    Trail(Option<String>),
    /// What the files of settings say.
    Settings,
    /// A page that is read again in another way.
    Reread(Box<Reread>),
    /// A part of a message, to be opened.
    Take(Box<Taking>),
    /// The page with this number, to be answered.
    Quote(PageId, Answer),
    /// A README below the listing that this is, and what is said when it is there; nothing where it was there before.
    Below(Arc<Document>, Arc<page::Readme>, Option<String>),
}

/// What becomes of rows that were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum MarkRows {
    /// They are marked.
    Add,
    /// They are marked where they are not, and no longer where they are.
    Turn,
    /// They are those that were marked before the page was fetched again.
    Again,
}

/// Articles that are to be kept for later.
#[derive(Debug)]
pub(in crate::app) struct Later {
    /// Their group, as it is shown.
    pub group: String,
    /// The beginning of a line of what the fetch says.
    pub line: String,
    /// How many were looked for, of how many; how many are kept, were here, and are missing.
    pub sum: [usize; 5],
}

/// A page that is read again in another way, from what is kept of it.
#[derive(Debug)]
pub(in crate::app) struct Reread {
    /// Its place in history.
    pub at: usize,
    /// Its URL, by which the place is known.
    pub url: Url,
    /// What the reader is told when it is done; nothing where it is shown as its own source, at a place of its own.
    pub said: Option<String>,
    /// The media type by which it is read.
    pub media: String,
}

/// What a page as it reads on paper is for.
#[derive(Debug)]
pub(in crate::app) enum Printing {
    /// The file of this name.
    File(String),
    /// This program, from which the page comes that loads.
    Program(Vec<String>),
}

/// A part of a message that is looked for.
#[derive(Debug)]
pub(in crate::app) struct Taking {
    /// How it is opened.
    pub opening: Opening,
    /// What is done when its message is not there.
    pub otherwise: Result<Otherwise, UrlError>,
    /// What the reader is told beside it.
    pub remark: Option<String>,
}

/// Where a URL leads that names what is not here.
#[derive(Debug)]
pub(in crate::app) enum Otherwise {
    /// Into a message that has to be fetched.
    Fetch(Url),
    /// To an article, which is a page by itself.
    Article(Url),
    /// Nowhere, for this reason.
    Nowhere(&'static str),
}

/// How an article is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Answer {
    /// In its groups, or where its author wants it.
    Followup,
    /// By mail.
    Mail,
    /// Somebody else gets it by mail.
    Forward,
    /// Its author takes it back.
    Cancel,
    /// Its author puts another in its place.
    Supersede,
}

/// Articles on their way into a mailbox.
#[derive(Debug, Default)]
pub(in crate::app) struct Collecting {
    /// The addresses of those that are still to be fetched, the next one last.
    pub left: Vec<Url>,
    /// How many there were.
    pub all: usize,
    /// The one that is coming.
    pub article: Gathered,
    /// The mailbox so far.
    pub octets: Vec<u8>,
    /// How many could not be fetched.
    pub missing: usize,
    /// Its file.
    pub path: String,
}

/// Drafts on their way into a list.
#[derive(Debug, Default)]
pub(in crate::app) struct Drafts {
    /// The names of those that are still to be read, the next one last.
    pub left: Vec<String>,
    /// What is known of the others.
    pub rows: Vec<ListItem>,
}

/// A body that is wanted whole before anything is made of it.
#[derive(Debug, Default)]
pub(in crate::app) struct Gathered {
    /// What was said of it.
    pub head: Option<Head>,
    /// What came of it.
    pub octets: Vec<u8>,
    /// More came than is taken.
    pub cut: bool,
}

/// A README on its way.
#[derive(Debug)]
pub(in crate::app) struct Readme {
    /// The directory it belongs to.
    pub directory: Url,
    /// Its name.
    pub name: String,
    /// What came of it.
    pub body: Gathered,
    /// Whether it was shown before the directory was fetched again.
    pub again: bool,
}

/// A download that is being checked.
#[derive(Debug)]
pub(in crate::app) struct Verifying {
    /// Which.
    pub number: DownloadId,
    /// From where it came.
    pub url: Url,
    /// Its file, whole.
    pub path: String,
    /// Whether a private tab asked for it.
    pub private: bool,
    /// Whether a signature has been judged.
    pub signed: bool,
    /// What stands beside it and may hold sums, the best first.
    pub left: VecDeque<Url>,
    /// Signatures beside it, and those of lists.
    pub signatures: VecDeque<Url>,
    /// What it should be, and who says so, of what is not compared yet.
    pub wanted: Vec<(Sum, Word)>,
    /// The lists of sums that named it: their names, and what they say.
    pub lists: Vec<(Vec<u8>, Vec<u8>)>,
    /// What was signed in clear of the sums: names, and all of it, with the signatures that nobody has looked at yet.
    pub clear: VecDeque<(String, Vec<u8>)>,
    /// Redirects followed to the one that comes.
    pub hops: u8,
    /// The other host to which they led.
    pub host: Option<String>,
    /// What servers were told in secret on the way.
    pub veil: Veil,
    /// What came of that one.
    pub body: Gathered,
    /// What came of all of it so far.
    pub agrees: Option<bool>,
    /// The same in words.
    pub said: Vec<String>,
    /// What is being done.
    pub step: CheckStep,
}

/// A folder whose lists of checksums are signed.
#[derive(Debug)]
pub(in crate::app) struct SignedLists {
    /// Its download.
    pub number: DownloadId,
    /// What came of its files and of the signatures so far.
    pub verified: Verified,
    /// How many of its files are right, and those of them that lists with good signatures name.
    pub right: usize,
    pub vouched: BTreeSet<usize>,
    /// The names of those that are good, by the owners of their keys.
    pub good: BTreeMap<String, Vec<String>>,
    /// The signatures that are still to be looked at, the one that `gpg` has first.
    pub left: VecDeque<ListSignature>,
    /// What it has said.
    pub body: Gathered,
}

/// An article whose signature is being checked.
#[derive(Debug)]
pub(in crate::app) struct SignedText {
    /// Its page.
    pub page: PageId,
    /// What `gpg` is given: the signature, and with it what it signs, unless that stands apart.
    pub input: Vec<u8>,
    /// The file for what stands apart, and what that is.
    pub apart: Option<(String, Vec<u8>)>,
    /// What it has said.
    pub body: Gathered,
}

/// Whose word a checksum is.
#[derive(Debug)]
pub(in crate::app) enum Word {
    /// The reader's, or that of a file of sums.
    Of(String),
    /// That of the server which sent the file.
    Server,
}

/// Which step a check is at.
#[derive(Debug)]
pub(in crate::app) enum CheckStep {
    /// This file beside the download is fetched.
    Fetch(Url),
    /// The server that sent it is asked for its checksum.
    Ask,
    /// The download is reckoned.
    Reckon,
    /// `gpg` looks at the signature of this name.
    Sign(String, Signs),
}

/// What a signature covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app) enum Signs {
    /// The download.
    Download,
    /// The list of sums of this name, which is in this file for as long as `gpg` looks.
    List(String, Vec<u8>),
    /// Sums that stand within the signed text itself.
    Itself,
}

/// An article on its way to the server.
#[derive(Debug)]
pub(in crate::app) struct Post {
    /// What is sent.
    pub letter: Letter,
    /// The server may have it.
    pub offered: bool,
    /// What the server said to it.
    pub said: Vec<u8>,
    /// The server had it already.
    pub before: bool,
}

impl Gathered {
    /// Takes the next octets, `most` in all.
    pub(in crate::app) fn take(&mut self, octets: &[u8], most: usize) {
        let room = most.saturating_sub(self.octets.len());
        self.cut |= octets.len() > room;
        self.octets.extend_from_slice(&octets[..octets.len().min(room)]);
    }
}

/// All that was asked of the shell and is not answered.
#[derive(Debug, Default)]
pub(in crate::app) struct Jobs {
    last: u64,
    /// The last number of something that is not asked of the shell.
    thing: u64,
    open: BTreeMap<JobId, Job>,
}

impl Jobs {
    /// A number for something that is about to be asked, for a tab.
    pub(in crate::app) fn begin(&mut self, tab: TabId, errand: Errand) -> JobId {
        let id = self.reserve();
        self.open.insert(id, Job { tab, errand });
        id
    }

    /// A number under which nothing is asked yet.
    pub(in crate::app) fn reserve(&mut self) -> JobId {
        self.last += 1;
        JobId(self.last)
    }

    /// How many numbers were given.
    pub(in crate::app) fn given(&self) -> u64 {
        self.last
    }

    /// A number for something else: a page, a form, a download.
    pub(in crate::app) fn number(&mut self) -> u64 {
        self.thing += 1;
        self.thing
    }

    /// What is asked under a number.
    pub(in crate::app) fn get(&self, id: JobId) -> Option<&Job> {
        self.open.get(&id)
    }

    /// The same, to be changed: a body is gathered there, and an errand may become another one.
    pub(in crate::app) fn errand_mut(&mut self, id: JobId) -> Option<&mut Errand> {
        self.open.get_mut(&id).map(|job| &mut job.errand)
    }

    /// Nothing more is expected under a number.
    pub(in crate::app) fn end(&mut self, id: JobId) -> Option<Errand> {
        self.open.remove(&id).map(|job| job.errand)
    }

    /// All that is asked.
    pub(in crate::app) fn all(&self) -> impl Iterator<Item = (&JobId, &Job)> {
        self.open.iter()
    }

    /// What is asked for a tab and is so.
    pub(in crate::app) fn find(&self, tab: TabId, is_so: impl Fn(&Errand) -> bool) -> Option<JobId> {
        self.open.iter().find(|(_, job)| job.tab == tab && is_so(&job.errand)).map(|(id, _)| *id)
    }

    /// What is asked for any tab and is so.
    pub(in crate::app) fn find_any(&self, is_so: impl Fn(&Errand) -> bool) -> Option<JobId> {
        self.open.iter().find(|(_, job)| is_so(&job.errand)).map(|(id, _)| *id)
    }

    /// All that is asked for a tab and is so.
    pub(in crate::app) fn all_of(&self, tab: TabId, is_so: impl Fn(&Errand) -> bool) -> Vec<JobId> {
        self.open.iter().filter(|(_, job)| job.tab == tab && is_so(&job.errand)).map(|(id, _)| *id).collect()
    }
}
