//! A rule from what an article says of itself. Its words are letters in the rule and no expressions, and whatever they hold, each
//! stays within its line: others wrote them.

use jiff::civil::Date;
use std::fmt::Write;

/// The longest line: slrn cuts lines at 1023 octets, and what follows would be a line of its own.
const LONGEST: usize = 900;
/// Letters of a subject that are compared, and of what a remark says.
const COMPARED: usize = 200;

/// What a new rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// A subject, without answer words.
    Subject(String),
    /// Who wrote it: an address, or what there is in its place.
    Author(String),
    /// An article and all that answer it: its id, without `< >`.
    Thread(String),
    /// An article: its id, without `< >`.
    Article(String),
}

/// A rule to be added to a score file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRule {
    /// The group that it is for; `None` for all.
    pub group: Option<Vec<u8>>,
    /// Which articles.
    pub about: About,
    /// What they get.
    pub score: i32,
    /// Whether that settles it.
    pub settles: bool,
    /// The day from which on it counts no more.
    pub expires: Option<Date>,
    /// What a remark says of it.
    pub remark: String,
}

impl NewRule {
    /// The lines, with their ends.
    ///
    /// # Errors
    /// Why there can be none.
    pub fn written(&self) -> Result<String, String> {
        let group = match &self.group {
            None => "*",
            Some(name) => plain(name).ok_or("the name of this group cannot stand in a score file")?,
        };
        let (need, tests) = match &self.about {
            About::Subject(subject) => (":", of_subject(subject)?),
            About::Author(author) => ("", vec![format!("From: {}", quoted(author)?)]),
            About::Thread(id) => {
                let id = quoted(&format!("<{id}>"))?;
                (":", vec![format!("Message-Id: {id}"), format!("References: {id}")])
            }
            About::Article(id) => ("", vec![format!("Message-Id: {}", quoted(&format!("<{id}>"))?)]),
        };
        let settles = if self.settles { "=" } else { "" };
        let mut out = format!("\n% {}\n[{group}]\nScore:{need} {settles}{}\n", remark(&self.remark), self.score);
        if let Some(day) = self.expires {
            // Nothing can go wrong in a text.
            let _ = writeln!(out, "Expires: {:02}-{:02}-{:04}", day.day(), day.month(), day.year());
        }
        for test in tests {
            if test.len() > LONGEST {
                return Err("what this article says of itself is too long for a score file".into());
            }
            out.push_str(&test);
            out.push('\n');
        }
        Ok(out)
    }
}

/// A subject by itself, or behind answer words.
fn of_subject(subject: &str) -> Result<Vec<String>, String> {
    let subject = subject.trim();
    if subject.chars().count() > COMPARED {
        let begin: String = subject.chars().take(COMPARED).collect();
        return Ok(vec![format!("Subject: {}", quoted(&begin)?)]);
    }
    let quoted = quoted(subject)?;
    Ok(vec![format!("Subject: ^{quoted}$"), format!("Subject: ^.*: {quoted}$")])
}

/// A text as an expression of S-Lang that is fulfilled by it alone. What would end the line, or could not be read back, is any
/// letter.
///
/// # Errors
/// There is no text.
fn quoted(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text == "<>" {
        return Err("the article does not say that of itself".into());
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if breaks(c) => out.push('.'),
            '\\' | '.' | '*' | '+' | '?' | '[' | ']' | '^' | '$' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    Ok(out)
}

/// What ends a line somewhere, or stands for what could not be decoded.
fn breaks(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FFFD}')
}

fn remark(text: &str) -> String {
    text.chars().take(COMPARED).map(|c| if breaks(c) { ' ' } else { c }).collect()
}

/// The name of a group in which nothing is special.
fn plain(name: &[u8]) -> Option<&str> {
    let special = |c: char| breaks(c) || c.is_whitespace() || matches!(c, '[' | ']' | ',' | '*' | '?' | '~');
    std::str::from_utf8(name).ok().filter(|name| !name.is_empty() && name.len() <= 250 && !name.contains(special))
}

/// What an article is known by, as far as rules can be made of it; from its overview or its header, and so in others' words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its group.
    pub group: Vec<u8>,
    /// Its subject, without answer words.
    pub subject: String,
    /// Its author's address, or what there is in its place.
    pub author: String,
    /// Its id, without `< >`; empty if it has none.
    pub id: String,
    /// That of the article that began its thread; its own where that is it.
    pub thread: String,
}

impl Named {
    /// From the fields of an article, decoded; ids are in `< >`.
    pub fn of(group: &[u8], subject: &str, from: &str, message_id: &str, references: &str) -> Named {
        let first = |field: &str| {
            let id = super::super::references(field.as_bytes()).next();
            id.map(|id| String::from_utf8_lossy(id).into_owned())
        };
        let id = first(message_id).unwrap_or_default();
        Named {
            group: group.into(),
            subject: super::super::subject(subject).base.into(),
            author: address(from).trim().into(),
            thread: first(references).unwrap_or_else(|| id.clone()),
            id,
        }
    }
}

/// The address in a `From` field; all of that where there is none.
fn address(from: &str) -> &str {
    let inside = from.rfind('<').and_then(|at| from[at + 1..].split('>').next());
    let before = from.split('(').next().unwrap_or_default();
    [inside, Some(before)].into_iter().flatten().find(|part| part.contains('@')).unwrap_or(from)
}
