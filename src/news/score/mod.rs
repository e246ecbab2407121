//! Scores of articles, by the rules of a score file as slrn has them (slrn's `score.txt`): which articles the reader wants to see
//! first, and which not at all.
//!
//! `read` cuts the lines of a file into rules and says of each line that makes no sense why; `pattern` turns the expressions of
//! S-Lang into those of the `regex` crate, which takes time in proportion to the text whatever is asked; `judge` applies the rules
//! to what an overview tells of an article; `write` makes a rule from what an article says, none of which is an expression then.
//! Refuses: files (whoever reads them hands their texts over, those that they include too), the clock, headers that no overview
//! has.

mod glob;
mod judge;
mod pattern;
mod read;
mod rule;
mod write;

pub use judge::{Facts, Judge, Moment, Why};
pub use read::{MOST_OCTETS, included};
pub use rule::Rule;
pub use write::{About, Named, NewRule};

/// A score file, and what became of those that it includes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScoreText {
    /// Its name, as the reader knows it.
    pub name: String,
    /// What it says.
    pub text: String,
    /// For each of its `include` lines, in order ([`included`]), which of the files it is, or why it was not read.
    pub includes: Vec<Result<usize, String>>,
}

/// A line that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreFlaw {
    /// Its file's name.
    pub file: String,
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong, and what becomes of its rule.
    pub what: String,
}

impl std::fmt::Display for ScoreFlaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// The rules of a score file.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    files: Vec<ScoreText>,
    rules: Vec<Rule>,
    flaws: Vec<ScoreFlaw>,
}

/// Rules are what their files say.
impl PartialEq for Scores {
    fn eq(&self, other: &Scores) -> bool {
        self.files == other.files
    }
}

impl Eq for Scores {}

/// Rules, and what is done by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scoring {
    /// The rules.
    pub scores: std::sync::Arc<Scores>,
    /// An article of this score or less is killed.
    pub kill: i32,
}

impl Scores {
    /// The rules of some files, the first of which is the reader's own and includes the others. Lines that make no sense cost
    /// their rule and no other.
    pub fn read(files: Vec<ScoreText>) -> Scores {
        let (rules, flaws) = read::read(&files);
        Scores { files, rules, flaws }
    }

    /// The files that they were read from.
    pub fn files(&self) -> &[ScoreText] {
        &self.files
    }

    /// The rules, in the order in which they count.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The lines that make no sense.
    pub fn flaws(&self) -> &[ScoreFlaw] {
        &self.flaws
    }

    /// Where a rule stands: `scores:12`.
    pub fn place(&self, rule: &Rule) -> String {
        format!("{}:{}", self.files.get(rule.file).map_or("", |file| file.name.as_str()), rule.line)
    }
}
