//! Numbers that are given once in a run and never again: an answer that comes under a number finds who asked for it, or nobody.

/// The number of something that was asked of the shell; its answers bring it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// The number of a tab; it stays with the tab wherever that is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TabId(pub(super) u64);

/// The number of a page as it was read: read or fetched again it is another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageId(pub u64);

/// The number of a download; it stays with the download, whatever fetches are made for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DownloadId(pub u64);
