//! A download as it is shown and kept: where from, where to, how far, how fast.

use super::super::{Existing, FetchId, Tree};
use super::kept::Standing;
use crate::proto::Request;
use crate::url::Url;
use std::collections::VecDeque;
use std::time::Duration;

/// A body that goes into a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Download {
    /// Its fetch, or the number under which it waits for one.
    pub id: FetchId,
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
    pub(in crate::app) beginning: super::super::Beginning,
    /// Where its fetch comes from.
    pub(in crate::app) call: Call,
    /// Redirects followed since it was begun.
    pub(in crate::app) hops: u8,
    /// Whether the server can go on in the middle; `None` until it answered.
    pub(in crate::app) resumes: Option<bool>,
    /// Whether its URL is all that it takes to begin it again, as far as an earlier run could tell.
    pub(in crate::app) again: bool,
    /// Whether an earlier run saved a directory under this name.
    pub(in crate::app) folder: bool,
    /// How it stood, and under which path, when it was last kept.
    pub(in crate::app) noted: Option<(Standing, String)>,
    /// Whether a private tab asked for it: then it is not listed another time.
    pub(in crate::app) private: bool,
}

/// How a download's fetch was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Call {
    /// Before it had a file: its head waits until the file is open.
    Open,
    /// For its file, all in one.
    Bound,
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

/// How far something had come at times of the last seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pace {
    samples: VecDeque<(Duration, u64)>,
}

impl Pace {
    /// How far back the rate looks.
    const WINDOW: Duration = Duration::from_secs(5);
    /// Samples are at least this far apart.
    const STEP: Duration = Duration::from_millis(100);

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
