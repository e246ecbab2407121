//! The prompt line: one line of typed text with completions and a history, and what the text is for.

use crate::app::{JobId, Opening, PageId, Place, Sending, Target};
use crate::proto::Request;
use crate::url::Url;
use crate::url::scheme::Part;
use crate::work::{Origin, Print};
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
    /// An answer to a question of a server (Gemini, Spartan).
    Answer,
    /// What the reader is called on a certificate, and other words for the program itself.
    Name,
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
    /// The letter of a mark that is to be set.
    SetMark,
    /// The letter of a mark to go to.
    GoMark,
    /// What stands in a field of the page.
    Field,
    /// The same, unseen.
    Password,
    /// A file that a form of the page sends.
    Upload,
    /// The value of a setting.
    Setting,
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
    /// What was typed before one was chosen.
    pub draft: Option<Input>,
    /// What stands there is from before, and gives way to the first letter that is typed, as what is marked does elsewhere.
    pub gives_way: bool,
    /// What the text so far means as an address, where one is asked for; shown above the completions.
    pub meaning: Option<Meaning>,
    /// A remark on the text so far, at the right of the line.
    pub remark: String,
    /// The URL it is about, for searches and saves.
    pub about: Option<Url>,
    /// What the text is for.
    pub purpose: Purpose,
}

impl Prompt {
    /// The completion that Enter takes: the one that was chosen, else the best where what is typed means nothing by itself.
    pub fn taken(&self) -> Option<usize> {
        let text = self.input.value().trim();
        let best = self.completions.first().filter(|_| self.selected.is_none() && !text.is_empty());
        let takes = best.is_some_and(|best| match self.kind {
            PromptKind::Open => matches!(self.meaning, Some(Meaning::Nothing(_))) && !best.is_search(),
            // An address behind a command is one as far as it was typed.
            PromptKind::Command => best.text.starts_with(text) && best.origin.is_none(),
            _ => false,
        });
        self.selected.or(takes.then_some(0))
    }

    /// A prompt with a text in it, for what its kind says.
    pub fn new(kind: PromptKind, label: &str, text: &str) -> Prompt {
        Prompt {
            kind,
            label: label.into(),
            input: Input::new(text.into()),
            completions: Vec::new(),
            selected: None,
            draft: None,
            gives_way: kind == PromptKind::Filter && !text.is_empty(),
            meaning: None,
            remark: String::new(),
            about: None,
            purpose: Purpose::Kind,
        }
    }
}

/// Words of a prompt that are longer are not remembered, in octets: what was pasted by mistake would be offered again and again.
pub const LONGEST_WORDS: usize = 4096;

/// What the text of a prompt is for.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Purpose {
    /// What its kind says, on the page in view.
    #[default]
    Kind,
    /// Words for a search.
    Search(Box<Opening>),
    /// A file for a place.
    File(Box<Opening>),
    /// What lets the reader change the place.
    Token(Box<Sending>),
    /// A name for a body.
    Body(JobId),
    /// A name for a body whose turn has not come, and what it can be checked with.
    Later(Box<(Url, Request, Vec<Url>)>),
    /// A name for a text.
    Text(Text),
    /// A program.
    Program(Target),
    /// A program for a text.
    Pipe(Text, Option<Url>),
    /// What stands in a field.
    Field(Box<FieldPlace>),
    /// The value of the setting of this name.
    Setting(&'static str),
    /// Words that are found upwards.
    FindBack,
    /// Words that are found as they are typed, from where the reader was.
    FindTyping(Place),
    /// A link for a new tab.
    NewTab,
    /// A link of a page that is not there any more.
    Gone,
}

/// A text for a file or a program.
#[derive(Debug, Clone, PartialEq)]
pub enum Text {
    /// As it is.
    Octets(Vec<u8>),
    /// A page as it reads on paper, or one of its tables, which is written when it is known what for.
    Page(Print),
}

/// A field of a page in the reader's path, such that it is known again when the page is fetched again.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldPlace {
    /// Its page.
    pub page: PageId,
    /// The page's URL.
    pub url: Url,
    /// Which field.
    pub number: usize,
    /// The field's name.
    pub name: String,
    /// What is typed into it.
    pub takes: Takes,
}

/// What is typed into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A line.
    Line,
    /// A password.
    Secret,
    /// Lines.
    Lines,
    /// Names of files.
    Files,
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

impl Completion {
    /// Whether it is words for a search.
    pub fn is_search(&self) -> bool {
        self.origin == Some(Origin::Search)
    }
}

impl From<String> for Completion {
    fn from(text: String) -> Completion {
        Completion { text, ..Completion::default() }
    }
}
