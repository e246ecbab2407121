//! What pages of news hold, for whoever goes from article to article and from group to group. Clones cost nothing.

use crate::doc::LinkId;
use std::sync::Arc;

/// The contents of a page of news.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roll {
    /// A group's articles, in the order in which they are read.
    Articles {
        /// The group.
        group: Vec<u8>,
        /// The number of its last article, as far as is known.
        last: u64,
        /// Its articles.
        articles: Arc<[Listed]>,
    },
    /// Groups, in the order of the page.
    Groups(Arc<[GroupRow]>),
}

/// An article on a group's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its link in the given document.
    pub link: LinkId,
    /// Its number in the group.
    pub number: Option<u64>,
    /// Its thread: the place of the thread's first article in the list.
    pub thread: usize,
    /// How many articles it stands under.
    pub depth: u32,
    /// Whether the reader's rules kill it. All of those are the last thread.
    pub killed: bool,
}

/// A group in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRow {
    /// Its link in the given document.
    pub link: LinkId,
    /// Its name.
    pub name: Vec<u8>,
    /// The numbers of its first and its last article; none where the server does not say.
    pub span: Option<(u64, u64)>,
}

/// What stands near an article on its group's page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kin {
    /// The article that it answers, or the nearest one above that is on the page: its link in the given document.
    pub parent: Option<LinkId>,
    /// The other articles of its thread, in the order of the page.
    pub thread: Vec<LinkId>,
}
