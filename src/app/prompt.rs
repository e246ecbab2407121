//! The prompt line: one line of typed text with completions and a history.

use crate::url::Url;
use crate::url::scheme::Part;
use tui_input::Input;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PromptKind {
    /// An address.
    Open,
    /// Words to find in the page.
    Find,
    /// Words that narrow the page.
    Filter,
    /// Words to find among the links.
    FindLink,
    /// Words for a search (gopher type 7, CSO).
    Search,
    /// A command.
    Command,
    /// Where to save.
    Save,
    /// A program to open something with.
    Program,
    /// A link's number, or its hint.
    Number,
    /// A hint's letters.
    Hint,
    /// What stands in a field of the page.
    Field,
    /// The same, unseen.
    Password,
    /// A file that a form of the page sends.
    Upload,
}

/// A prompt.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// What is asked for.
    pub kind: PromptKind,
    /// The label before the text.
    pub label: String,
    /// The text and its cursor.
    pub input: Input,
    /// What the text could become, best first; shown above the line.
    pub completions: Vec<Completion>,
    /// The completion chosen with TAB or the arrows.
    pub selected: Option<usize>,
    /// What the text so far means as an address, where one is asked for; shown above the completions.
    pub meaning: Option<Meaning>,
    /// A remark on the text so far, at the right of the line.
    pub remark: String,
    /// The URL it is about, for searches and saves.
    pub about: Option<Url>,
}

/// What a typed address means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A URL.
    Url {
        /// Its parts; never a password.
        parts: Vec<Part>,
        /// What was made of an abbreviation or a shortcut, and why.
        note: Option<String>,
    },
    /// A place on this page.
    Here(String),
    /// Nothing that can be opened, and why.
    Nothing(String),
}

/// Something that the text could become.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// What takes the place of the text.
    pub text: String,
    /// The title of the page it leads to; empty when it has none, or none is known.
    pub title: String,
    /// Where it is from, for addresses.
    pub origin: Option<Origin>,
    /// Which of the text's characters were typed, counted from 0, in order.
    pub matched: Vec<usize>,
    /// The same of the title.
    pub matched_title: Vec<usize>,
}

impl From<String> for Completion {
    fn from(text: String) -> Completion {
        Completion { text, ..Completion::default() }
    }
}

/// Where a known address is from. Of one address from two places the first of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A page of an open tab.
    Tab,
    /// A bookmark.
    Bookmark,
    /// A page that was visited.
    Visited,
    /// Words that were typed before.
    Typed,
    /// Nowhere: what is typed may mean this as well.
    Reading,
}

impl Origin {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Origin::Tab => "tab",
            Origin::Bookmark => "bookmark",
            Origin::Visited => "visited",
            Origin::Typed => "typed",
            Origin::Reading => "or this",
        }
    }
}
