//! Bookmarks: addresses that the reader keeps, with title, folder, tags and a note; changed one by one, so that a change can
//! be made again on a file that somebody else has written meanwhile. Subscriptions are the same in a file of their own.
//!
//! `file` is the reader's own file, `exchange` are the formats of others. Refuses: I/O, knowing what a page is.

mod entry;
mod exchange;
mod file;
mod gophermap;
mod html;
mod list;
mod outlines;
mod urls;

pub use entry::folder;
pub use exchange::{Found, Kind};
pub use file::{Flaw, Newer};
pub use gophermap::menu_item;

use crate::url::{Url, equal};
use entry::Entry;
use std::sync::Arc;

/// A bookmark.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bookmark {
    /// The address, absolute (PART-08).
    pub url: String,
    /// The title; empty when it has none.
    pub title: String,
    /// The folder it is in, the outermost name first; empty for none.
    pub folder: Vec<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What the reader says of it, in one line.
    pub note: String,
}

/// What the addresses of a file are kept for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum For {
    /// To be found again: bookmarks.
    #[default]
    Going,
    /// To be looked at for what is new: subscriptions.
    News,
}

impl For {
    /// The name of a row of its file.
    pub fn row(self) -> &'static str {
        match self {
            For::Going => "bookmark",
            For::News => "subscription",
        }
    }

    /// Octets that its file may have: of subscriptions no more are looked at than a few megabytes hold.
    pub fn most(self) -> u64 {
        match self {
            For::Going => 32 << 20,
            For::News => 4 << 20,
        }
    }

    /// The name of its file.
    pub fn file(self) -> &'static str {
        match self {
            For::Going => "bookmarks.toml",
            For::News => "subscriptions.toml",
        }
    }
}

/// The bookmarks, in the order of their file. Copies cost nothing until they are changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bookmarks {
    /// What for.
    of: For,
    /// What stands in the file before the first.
    head: String,
    /// Shared with whoever looks through them.
    entries: Arc<Vec<Entry>>,
    /// What stands in the file behind the last.
    tail: String,
}

/// A change that can be made again on other bookmarks than those it was made on.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Puts bookmarks before another, or at the end. What is in the same folder already is left out.
    Insert {
        /// What.
        bookmarks: Vec<Bookmark>,
        /// Before which.
        before: Option<Bookmark>,
    },
    /// Puts a bookmark in the place of another.
    Replace {
        /// The old one.
        old: Bookmark,
        /// The new one.
        new: Bookmark,
    },
    /// Takes one away.
    Remove(Bookmark),
    /// Puts one back before another, or at the end, as it was written in the file.
    Restore {
        /// Its text there, with the comments.
        text: String,
        /// Before which.
        before: Option<Bookmark>,
        /// What stood behind all bookmarks.
        tail: String,
    },
    /// Moves one before another, or to the end.
    Move {
        /// Which.
        bookmark: Bookmark,
        /// Before which.
        before: Option<Bookmark>,
    },
}

impl Bookmarks {
    /// All that could be read, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Bookmark> {
        self.entries.iter().filter_map(Entry::bookmark)
    }

    /// The bookmark of an address, whatever its folder.
    pub fn of(&self, url: &Url) -> Option<&Bookmark> {
        let form = equal::normal(url);
        self.iter().find(|bookmark| normal(bookmark) == form)
    }

    /// What puts a bookmark back where it is now, as it is written in the file, once it was taken away.
    pub fn restoring(&self, bookmark: &Bookmark) -> Change {
        let text = self.find(bookmark).map(|at| self.entries[at].text().to_owned()).unwrap_or_default();
        let before = self.iter().skip_while(|other| *other != bookmark).nth(1).cloned();
        Change::Restore { text, before, tail: self.tail.clone() }
    }

    /// Makes a change; says how many bookmarks it concerned.
    pub fn apply(&mut self, change: &Change) -> usize {
        match change {
            Change::Insert { bookmarks, before } => self.insert(bookmarks, before.as_ref()),
            Change::Replace { old, new } => self.find(old).map_or(0, |at| {
                self.entries_mut()[at].rewrite(new);
                1
            }),
            Change::Remove(bookmark) => self.find(bookmark).map_or(0, |at| {
                self.entries_mut().remove(at);
                1
            }),
            Change::Restore { text, before, tail } => {
                // In a file without bookmarks everything stands before the first.
                if self.entries.is_empty()
                    && let Some(head) = self.head.strip_suffix(tail.as_str())
                {
                    (self.head, self.tail) = (head.to_owned(), tail.clone());
                }
                let at = before.as_ref().and_then(|before| self.find(before)).unwrap_or(self.entries.len());
                let entry = Entry::read(text, self.of);
                self.entries_mut().insert(at, entry);
                1
            }
            Change::Move { bookmark, before } => self.find(bookmark).map_or(0, |at| {
                let entry = self.entries_mut().remove(at);
                let to = before.as_ref().and_then(|before| self.find(before)).unwrap_or(self.entries.len());
                self.entries_mut().insert(to, entry);
                1
            }),
        }
    }

    fn entries_mut(&mut self) -> &mut Vec<Entry> {
        Arc::make_mut(&mut self.entries)
    }

    fn insert(&mut self, bookmarks: &[Bookmark], before: Option<&Bookmark>) -> usize {
        let key = |bookmark: &Bookmark| (bookmark.folder.clone(), normal(bookmark));
        let mut known: std::collections::HashSet<_> = self.iter().map(key).collect();
        let fresh = bookmarks.iter().filter(|bookmark| known.insert(key(bookmark)));
        let fresh: Vec<Entry> = fresh.map(|bookmark| Entry::new(bookmark, self.of)).collect();
        let (count, at) = (fresh.len(), before.and_then(|before| self.find(before)).unwrap_or(self.entries.len()));
        self.entries_mut().splice(at..at, fresh);
        count
    }

    /// The very bookmark, else what has become of it: the one of this address in this folder, or in any.
    fn find(&self, bookmark: &Bookmark) -> Option<usize> {
        let place =
            |fits: &dyn Fn(&Bookmark) -> bool| self.entries.iter().position(|entry| entry.bookmark().is_some_and(fits));
        place(&|other| other == bookmark)
            .or_else(|| place(&|other| other.url == bookmark.url && other.folder == bookmark.folder))
            .or_else(|| place(&|other| other.url == bookmark.url))
    }
}

impl Bookmark {
    /// Whether address, title, folder, tags or note hold a word that is in lower case.
    pub fn holds(&self, word: &str) -> bool {
        let texts = [&self.url, &self.title, &self.note].into_iter().chain(&self.folder);
        texts.into_iter().any(|text| text.to_lowercase().contains(word))
            || self.tags.iter().any(|tag| format!("#{}", tag.to_lowercase()).contains(word))
    }
}

/// The normal form of a bookmark's address.
fn normal(bookmark: &Bookmark) -> String {
    Url::parse(&*bookmark.url).map_or_else(|_| bookmark.url.clone(), |url| equal::normal(&url).into_owned())
}

/// An address without a password; `None` for what is none.
fn address(text: &str) -> Option<String> {
    let url = Url::parse(text.trim()).ok()?;
    let kept = url.without_secrets();
    (!kept.contains(char::is_control)).then_some(kept)
}

/// Words of others, on one line.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
