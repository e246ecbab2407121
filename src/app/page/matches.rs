//! What a search has found in a page.

use crate::app::JobId;
use crate::doc::{Anchor, LinkId};
use crate::work::{Find, FindLinks, Way};

/// The matches of the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matches {
    /// Text offsets at which matches start, in order; at most [`Matches::MOST`].
    pub starts: Vec<u32>,
    /// The text before this offset is counted.
    pub scanned: usize,
    /// Counting has reached the end of the text (or the most it counts).
    pub complete: bool,
    /// The number under which more are being counted.
    pub job: Option<JobId>,
}

impl Matches {
    /// Matches beyond this many are not counted.
    pub const MOST: usize = 100_000;
}

/// A match that is being sought.
#[derive(Debug)]
pub(in crate::app) struct OngoingSearch {
    pub(in crate::app) id: JobId,
    pub(in crate::app) find: Find,
    /// What the reader had in view, and what had the focus, when they asked: who went on since is not carried away.
    pub(in crate::app) stood: (Anchor, Option<LinkId>),
    /// The keys that came meanwhile, each for one match more.
    pub(in crate::app) then: Vec<Way>,
}

/// Links that are being sought by their words.
#[derive(Debug)]
pub(in crate::app) struct OngoingLinkSearch {
    pub(in crate::app) find: FindLinks,
    pub(in crate::app) job: Option<JobId>,
    /// The reader goes to the first one; else it is told of them.
    pub(in crate::app) goes: bool,
    /// What the reader had in view, and what had the focus, when they asked.
    pub(in crate::app) stood: Option<(Anchor, Option<LinkId>)>,
}

impl Matches {
    pub(in crate::app) fn add(&mut self, starts: &[u32]) {
        self.starts.extend(starts);
        self.complete = true;
    }
}
