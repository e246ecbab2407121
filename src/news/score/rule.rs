//! A rule: which articles it is about, and what it gives them.

use super::glob;
use jiff::civil::Date;
use std::sync::Arc;

/// What of an article is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Subject,
    From,
    Date,
    MessageId,
    References,
    Xref,
    Newsgroup,
}

/// What of an article is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    Lines,
    Bytes,
    /// Days: younger ones have more of it.
    Age,
}

/// How many of several things must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    All,
    Any,
}

/// Whether something must be so, or must not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    Is,
    IsNot,
}

impl Sense {
    pub fn of(self, holds: bool) -> bool {
        holds == (self == Sense::Is)
    }
}

/// What is asked of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Test {
    /// An expression, in the words of the `regex` crate.
    Text(Sense, Field, String),
    /// At least so many; of age at most so many days.
    Least(Sense, Amount, i64),
    /// Whether it has a body: articles of a server have.
    Body(Sense, bool),
    /// Several in one.
    Group(Sense, Need, Vec<Test>),
}

/// The groups of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub sense: Sense,
    pub patterns: Vec<String>,
}

impl Section {
    pub fn holds(&self, group: &[u8]) -> bool {
        self.sense.of(self.patterns.iter().any(|pattern| glob::fits(pattern.as_bytes(), group)))
    }
}

/// A rule of a score file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// In which of the files it stands.
    pub file: usize,
    /// The line of its `Score`, from 1.
    pub line: usize,
    /// What the reader calls it; empty if nothing.
    pub name: String,
    /// What it gives.
    pub score: i32,
    /// Its tests as they are written, in one line.
    pub says: String,
    /// Whether that is the score then, whatever other rules give.
    pub settles: bool,
    /// The day from which on it counts no more.
    pub expires: Option<Date>,
    pub(super) section: Arc<Section>,
    pub(super) need: Need,
    pub(super) tests: Vec<Test>,
}

impl Rule {
    /// The groups that it is about, as they are written.
    pub fn groups(&self) -> String {
        let not = if self.section.sense == Sense::IsNot { "~" } else { "" };
        format!("{not}{}", self.section.patterns.join(", "))
    }

    /// Whether it is of no use any more.
    pub fn is_expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|day| day <= today)
    }
}
