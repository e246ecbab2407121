//! What is on its way into files, and which files are on their way out.

use super::listing::{Found, Reader};
use crate::app::page::veil::Veil;
use crate::app::{Beginning, DownloadId, Existing, JobId, Manner, Outgoing, Standing, Verified};
use crate::config::SavedNames;
use crate::format::listing::Time;
use crate::proto::{Head, Request};
use crate::url::Url;
use std::collections::BTreeMap;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// What is on its way into files.
#[derive(Debug, Default)]
pub struct Transfers {
    /// Downloads, the oldest first.
    pub downloads: Vec<Download>,
    /// Files of the reader's that are being sent, with the places of their tabs in the order, from 0.
    pub outgoing: Vec<(usize, Outgoing)>,
    /// Fetches that will go into files and lack a head or a name.
    pub(in crate::app) waiting: Vec<Waiting>,
    /// Directories that are being read, before their files are saved.
    pub(in crate::app) crawl: Option<Crawl>,
    /// Programs to run when a download is done.
    pub(in crate::app) afterwards: BTreeMap<JobId, Vec<String>>,
}

/// A fetch that will go into a file and lacks its head or its name.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct Waiting {
    /// Its number.
    pub id: JobId,
    /// From where, as it may be shown and kept.
    pub url: Url,
    /// What is fetched.
    pub request: Request,
    /// Its head, when it has come.
    pub head: Option<Head>,
    /// The name, when it is given.
    pub path: Option<String>,
    /// Redirects followed so far.
    pub hops: u8,
    /// What servers were told in secret on the way to it.
    pub veil: Veil,
    /// Files beside it that it can be checked with.
    pub beside: Vec<Url>,
}

/// A body that goes into a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Download {
    /// Its number.
    pub number: DownloadId,
    /// Its fetch, or the number under which it waits for one.
    pub id: JobId,
    /// From where, as it may be shown and kept.
    pub url: Url,
    /// To where.
    pub path: String,
    /// Octets in the file, those of earlier times too.
    pub received: u64,
    /// Octets in all, when known.
    pub length: Option<u64>,
    /// Since its fetch was begun.
    pub elapsed: Duration,
    /// How it stands.
    pub state: DownloadState,
    /// How fast it came lately.
    pub pace: Pace,
    /// Its files, when it is a directory.
    pub tree: Option<Box<Tree>>,
    /// What is fetched, again and again if need be.
    pub(in crate::app) request: Request,
    /// What becomes of a file of this name.
    pub(in crate::app) existing: Existing,
    /// What becomes of an unfinished file.
    pub(in crate::app) beginning: Beginning,
    /// Where its fetch comes from.
    pub(in crate::app) call: Call,
    /// Redirects followed since it was begun.
    pub(in crate::app) hops: u8,
    /// What servers were told in secret on the way to it: it is hidden in what they say, and in where they lead.
    pub(in crate::app) veil: Veil,
    /// Whether it can go on in the middle, by the server and by what came of it; `None` until the server answered.
    pub(in crate::app) resumes: Option<bool>,
    /// Whether its URL is all that it takes to begin it again, as far as an earlier run could tell.
    pub(in crate::app) again: bool,
    /// Whether an earlier run saved a directory under this name.
    pub(in crate::app) folder: bool,
    /// How it stood, under which path, and what came of checking it, when it was last kept.
    pub(in crate::app) noted: Option<(Standing, String, Option<Verified>)>,
    /// Files of checksums and signatures that stood beside it on the page it was begun from, the best first.
    pub(in crate::app) beside: Vec<Url>,
    /// What came of checking it.
    pub verified: Option<Verified>,
    /// What an earlier run had to say of single files of a directory.
    pub(in crate::app) remarks: Vec<String>,
    /// How a directory was saved, in this run or an earlier one.
    pub(in crate::app) manner: Manner,
    /// Whether a private tab asked for it: then it is not listed another time.
    pub(in crate::app) private: bool,
}

/// How a download stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DownloadState {
    /// It waits for its turn.
    Queued,
    /// It waits for the reader's answer.
    Asking,
    /// Octets are coming.
    Running,
    /// All is there.
    Done,
    /// It broke off, with a remark; what came is kept.
    Cut(String),
    /// The reader stopped it.
    Cancelled,
    /// It failed, with a sentence.
    Failed(String),
}

impl DownloadState {
    /// Whether it will end by itself or by an answer.
    pub fn is_open(&self) -> bool {
        matches!(self, DownloadState::Queued | DownloadState::Asking | DownloadState::Running)
    }
}

impl Download {
    /// How many fetches it runs.
    pub(in crate::app) fn fetches(&self) -> usize {
        self.tree.as_ref().map_or(usize::from(self.state == DownloadState::Running), |tree| tree.fetches())
    }

    /// Whether it is a directory that runs and has files left to begin.
    pub(in crate::app) fn is_pending(&self) -> bool {
        self.state == DownloadState::Running && self.tree.as_ref().is_some_and(|tree| tree.is_pending())
    }

    /// It has come this far.
    pub(in crate::app) fn advance(&mut self, elapsed: Duration, octets: u64) {
        (self.elapsed, self.received) = (elapsed, octets);
        self.pace.note(elapsed, octets);
    }
}

/// How a download's fetch was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Call {
    /// Before it had a file: its head waits until the file is open.
    Open,
    /// For its file, all in one.
    Bound,
}

/// How far something had come at times of the last seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pace {
    pub(in crate::app) samples: VecDeque<(Duration, u64)>,
}

impl Pace {
    /// How far back the rate looks.
    pub(in crate::app) const WINDOW: Duration = Duration::from_secs(5);
    /// Samples are at least this far apart.
    pub(in crate::app) const STEP: Duration = Duration::from_millis(100);

    /// Nothing has come yet but what was there.
    pub fn new(octets: u64) -> Pace {
        Pace::since(Duration::ZERO, octets)
    }

    /// From now on, with what is there by now.
    pub(in crate::app) fn since(at: Duration, octets: u64) -> Pace {
        Pace { samples: VecDeque::from([(at, octets)]) }
    }

    /// It had come so far by then.
    pub fn note(&mut self, at: Duration, octets: u64) {
        if self.samples.len() > 1 && self.samples.iter().nth_back(1).is_some_and(|(last, _)| *last + Pace::STEP > at) {
            self.samples.pop_back();
        }
        self.samples.push_back((at, octets));
        // One that is older stays, so that there is always something to compare with.
        while self.samples.get(1).is_some_and(|(next, _)| *next + Pace::WINDOW <= at) {
            self.samples.pop_front();
        }
    }

    /// Octets per second; `None` while nothing can be said.
    pub fn rate(&self) -> Option<u64> {
        let (first, last) = (self.samples.front()?, self.samples.back()?);
        let milliseconds = u64::try_from(last.0.checked_sub(first.0)?.as_millis()).ok().filter(|ms| *ms > 0)?;
        let octets = last.1.checked_sub(first.1).filter(|octets| *octets > 0)?;
        Some(octets.saturating_mul(1000) / milliseconds)
    }
}

/// A file of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// From where.
    pub url: Url,
    /// To where, below the chosen folder: safe components.
    pub path: String,
    /// Octets, as the listing says.
    pub size: Option<u64>,
    /// The last change, as exactly as the listing says.
    pub modified: Option<Time>,
    /// Whether somebody may run it where it comes from, as the listing says.
    pub runs: bool,
    /// Whether it is a link, which may lead to no file.
    pub link: bool,
    /// Whether what came of it earlier may be given up.
    pub anew: bool,
    /// Whether it takes the place of another of its name.
    pub replaces: bool,
    /// What the server calls it, wherever it is listed; of what is in an archive, in the order in which it is read best.
    pub mark: Option<Vec<u8>>,
}

/// A directory that will be read, or is.
#[derive(Debug)]
pub(in crate::app) struct Branch {
    pub(in crate::app) url: Url,
    /// Below the chosen folder; empty, or with a slash at its end.
    pub(in crate::app) path: String,
    pub(in crate::app) depth: usize,
    /// What the server calls it and those above, by the fact `unique`: below itself it would never end.
    pub(in crate::app) marks: Vec<Vec<u8>>,
}

/// A link of the plan.
#[derive(Debug)]
pub(in crate::app) struct Linked {
    /// What it would be as a file.
    pub(in crate::app) leaf: Leaf,
    /// Where it leads, in names as they are saved; `None` where the listing does not say.
    pub(in crate::app) target: Option<String>,
    /// Whether that is inside the folder.
    pub(in crate::app) inside: bool,
    /// Whether it is a folder of the plan.
    pub(in crate::app) folder: bool,
}

/// Why something is not in the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Why {
    Link,
    Device,
    Name,
    Deep,
    Many,
    Seen,
    Refused,
    Marked,
    /// A line of a listing that is none of its form.
    Line,
    /// What the same listing has named before.
    Twice,
}

/// A directory that is being read.
#[derive(Debug)]
pub(in crate::app) struct Reading {
    /// Its fetch.
    pub(in crate::app) id: JobId,
    pub(in crate::app) branch: Branch,
    pub(in crate::app) reader: Reader,
    pub(in crate::app) names: Names,
    /// What it has named, by the names that the server has.
    pub(in crate::app) named: BTreeSet<String>,
    /// Entries that cannot keep their names, or want one that is taken: they get theirs when all have been seen.
    pub(in crate::app) held: Vec<Found>,
}

/// The names of one directory.
#[derive(Debug, Default)]
pub(in crate::app) struct Names {
    /// Whether small and capital letters are the same.
    pub(in crate::app) folds: bool,
    /// Names that are taken, and the last number that was put behind each.
    pub(in crate::app) taken: BTreeMap<String, u32>,
    /// Names given when it was saved before, by those that the server has, as long as nobody has come for them.
    pub(in crate::app) given: BTreeMap<String, String>,
}

/// Directories being read, and what is in them.
#[derive(Debug)]
pub(in crate::app) struct Crawl {
    pub(in crate::app) root: Url,
    /// The folder that all goes into.
    pub(in crate::app) folder: String,
    pub(in crate::app) request: Request,
    /// Directories that are being read, in the order in which they were begun.
    pub(in crate::app) now: Vec<Reading>,
    pub(in crate::app) next: VecDeque<Branch>,
    pub(in crate::app) seen: BTreeSet<String>,
    pub(in crate::app) leaves: Vec<Leaf>,
    /// Octets of those of which the size is known, and how many there are of the others.
    pub(in crate::app) octets: u64,
    pub(in crate::app) unsized_files: usize,
    pub(in crate::app) links: Vec<Linked>,
    pub(in crate::app) manner: Manner,
    /// Names given when it was saved before, by directories; those of one that is read are with it.
    pub(in crate::app) given: BTreeMap<String, BTreeMap<String, String>>,
    /// Folders below, by their paths, and when they were changed.
    pub(in crate::app) folders: Vec<String>,
    pub(in crate::app) times: Vec<(String, Time)>,
    pub(in crate::app) scope: Scope,
    /// How names are written.
    pub(in crate::app) saved_names: SavedNames,
    /// Whether small and capital letters are the same in names there.
    pub(in crate::app) folds: bool,
    /// Whether the folder is the reader's home.
    pub(in crate::app) in_home: bool,
    /// What gets another name than it has there, in words.
    pub(in crate::app) changes: Vec<String>,
    pub(in crate::app) entries: usize,
    /// Octets of their paths and addresses.
    pub(in crate::app) named: usize,
    pub(in crate::app) directories: usize,
    pub(in crate::app) left_out: BTreeMap<Why, Vec<String>>,
    /// Entries beyond what is read at most that are counted alone.
    pub(in crate::app) beyond: usize,
    /// What an archive's listing says of all of it.
    pub(in crate::app) notes: Vec<String>,
}

/// What of a directory is meant.
#[derive(Debug)]
pub(in crate::app) enum Scope {
    /// All of it.
    Whole,
    /// All of it, and its folder has been saved from there before.
    Again,
    /// Rows that are marked, which have served when it is agreed to.
    Marked,
    /// Those that were marked the time before, as the server has their names, as far as they have not been met.
    MarkedAgain(BTreeSet<String>),
}

impl Scope {
    /// Whether some of it are meant: of the others nobody knows whether they have gone.
    pub(in crate::app) fn is_marked(&self) -> bool {
        matches!(self, Scope::Marked | Scope::MarkedAgain(_))
    }
}

/// Whether the folder of a tree is ready for its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::app) enum Ground {
    /// It is not.
    #[default]
    Bare,
    /// The shell is at it.
    Asked(JobId),
    /// It is.
    Ready,
}

/// The files of a directory that is being saved.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    pub(in crate::app) leaves: Vec<Leaf>,
    pub(in crate::app) pending: VecDeque<usize>,
    pub(in crate::app) running: BTreeMap<JobId, Run>,
    /// Files that were fetched.
    pub done: usize,
    /// Files that were there already.
    pub there: usize,
    /// Files that could not be had, and why.
    pub(in crate::app) failed: Vec<(usize, String)>,
    /// Links that led to no file, and why they were left.
    pub(in crate::app) left: Vec<(usize, String)>,
    /// What has another name than on the server, in words.
    pub(in crate::app) changes: Vec<String>,
    /// Whether the folder has been saved from there before.
    pub(in crate::app) again: bool,
    pub(in crate::app) ground: Ground,
    /// Folders and links that are made before the files come.
    pub(in crate::app) folders: Vec<String>,
    pub(in crate::app) links: Vec<(String, String)>,
    /// Links that are here and lead elsewhere, as places among those, until the reader says what becomes of them.
    pub(in crate::app) elsewhere: Vec<usize>,
    /// The links among them that the reader wants replaced; they are all that is left to be made ready.
    pub(in crate::app) relinked: Option<Vec<usize>>,
    /// Links that took the place of others.
    pub(in crate::app) relinks: usize,
    /// Links that were left as they are here, in words.
    pub(in crate::app) unlinked: Vec<String>,
    /// Links that are neither made nor saved, by their paths.
    pub(in crate::app) apart: Vec<String>,
    /// Folders that get the times that they have there, when all files have ended; the directory itself is the one without a name.
    pub(in crate::app) times: Vec<(String, Time)>,
    /// Whether they have been given those since.
    pub(in crate::app) dated: bool,
    /// Those that could not be, in words.
    pub(in crate::app) undated: Vec<String>,
    /// Files that have not the times that were listed of them, for their server did not tell those exactly.
    pub(in crate::app) timeless: Vec<usize>,
    /// Files of which others are there, until the reader says what becomes of those.
    pub(in crate::app) differ: Vec<usize>,
    /// Files that took the place of others.
    pub replaced: usize,
    /// Files that are there and not on the server.
    pub(in crate::app) others: Vec<String>,
    /// Whether all of the server was seen, so that what is not there is gone.
    pub(in crate::app) whole_sight: bool,
    /// What the plan left out, and what could not be made, in words.
    pub(in crate::app) remarks: Vec<String>,
    /// Octets of the files that are whole.
    pub(in crate::app) whole: u64,
    /// Octets that came over the wire for files that have ended.
    pub(in crate::app) fetched: u64,
    /// Failures in a row for which the server is to blame.
    pub(in crate::app) gone: usize,
}

impl Tree {
    /// Files in all.
    pub fn files(&self) -> usize {
        self.leaves.len()
    }

    /// Files that could not be had.
    pub fn failures(&self) -> usize {
        self.failed.len()
    }

    /// What is to be said of single files: those that could not be had, and why, and what is not as it is on the server.
    pub(in crate::app) fn lines(&self) -> impl Iterator<Item = String> {
        let leaf = |(at, why): &(usize, String)| format!("{}: {why}", self.leaves[*at].path);
        let others = self.others.iter().map(|path| format!("{path}: here, and not on the server any more"));
        let words = |at: &usize| format!("{}: without its time, which the server did not tell", self.leaves[*at].path);
        let timeless = self.timeless.iter().map(words);
        let (failed, left) = (self.failed.iter().map(leaf), self.left.iter().map(leaf));
        failed
            .chain(left)
            .chain(self.unlinked.iter().cloned())
            .chain(self.changes.iter().chain(&self.remarks).chain(&self.undated).cloned())
            .chain(timeless)
            .chain(others)
    }

    /// Fetches under way.
    pub fn fetches(&self) -> usize {
        self.running.len()
    }

    /// Whether files wait for their turn.
    pub(in crate::app) fn is_pending(&self) -> bool {
        self.ground == Ground::Ready && !self.pending.is_empty()
    }

    /// Files that are where they belong.
    pub fn present(&self) -> usize {
        self.done + self.there
    }

    pub(in crate::app) fn fail(&mut self, leaf: usize, why: String) {
        self.failed.push((leaf, why));
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) struct Run {
    pub(in crate::app) leaf: usize,
    pub(in crate::app) begun: u64,
    pub(in crate::app) octets: u64,
    pub(in crate::app) elapsed: Duration,
    /// Whether its time is not told.
    pub(in crate::app) undated: bool,
}
