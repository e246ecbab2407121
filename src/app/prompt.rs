//! The prompt line: one line of typed text with completions and a history.

use crate::url::Url;
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
    pub completions: Vec<String>,
    /// The completion chosen with TAB or the arrows.
    pub selected: Option<usize>,
    /// A remark on the text so far, below the line ("gopher  example.org :70  menu").
    pub remark: String,
    /// The URL it is about, for searches and saves.
    pub about: Option<Url>,
}
