//! The reader's file: a `[[bookmark]]`, or a `[[subscription]]`, after the other, in TOML. It is cut at those headers before anything is read, so that
//! a mistake costs the bookmark it is in and nothing else: what looks like a header that is none is a piece of its own, so that it is told and goes with
//! no other. Comments between two bookmarks belong to the one that follows, those behind the last to the file.

use super::entry::{Entry, Mistake, read_toml};
use super::{Bookmark, Bookmarks, For};
use std::fmt;
use std::sync::Arc;

/// The version that is written here.
const VERSION: i64 = 1;
/// How a new file begins.
const HEAD: &str = "# Your bookmarks. Change them here or in Wayfarer (about:bookmarks): comments and order stay.
# A bookmark has a url, and may have a title, a folder (\"News/Servers\"), tags ([\"one\", \"two\"]) and a note.
version = 1
";
/// The same of subscriptions.
const HEAD_OF_NEWS: &str =
    "# Your subscriptions. Change them here, or by :subscribe and :unsubscribe in Wayfarer: comments and order stay.
# A subscription has a url, and may have a title, a folder (\"News/Small\"), tags ([\"one\", \"two\"]) and a note.
version = 1
";

/// A bookmark that could not be read; it stays in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The line, from 1.
    pub line: usize,
    /// The bookmark can do without it.
    pub slight: bool,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.what)
    }
}

/// The file is of a newer version, which is not to be touched here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Newer(pub i64);

impl Bookmarks {
    /// Reads a file of bookmarks.
    ///
    /// # Errors
    /// The file says that it is of a newer version.
    pub fn read(text: &str) -> Result<Bookmarks, Newer> {
        Bookmarks::read_of(For::Going, text)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file says that it is of a newer version.
    pub fn read_of(of: For, text: &str) -> Result<Bookmarks, Newer> {
        let (pieces, tail) = pieces(text, of);
        let mut pieces = pieces.into_iter();
        let head = pieces.next().unwrap_or_default().to_owned();
        let version = read_toml(&head).ok().and_then(|head| head.get("version")?.as_integer());
        match version.filter(|version| *version > VERSION) {
            Some(version) => Err(Newer(version)),
            None => {
                let entries = pieces.map(|piece| Entry::read(piece, of)).collect();
                Ok(Bookmarks { of, head, entries: Arc::new(entries), tail: tail.into() })
            }
        }
    }

    /// The file.
    pub fn write(&self) -> String {
        let mut out = match (self.head.is_empty(), self.of) {
            (true, For::Going) => HEAD.to_owned(),
            (true, For::News) => HEAD_OF_NEWS.to_owned(),
            (false, _) => self.head.clone(),
        };
        for entry in self.entries.iter() {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(entry.text());
        }
        if !self.tail.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&self.tail);
        out
    }

    /// What could not be read.
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut line = 1 + self.head.matches('\n').count();
        let mut flaws = self.flaws_of_head();
        for entry in self.entries.iter() {
            if let Some(mistake) = entry.mistake() {
                flaws.push(Flaw { line: line + mistake.line, slight: false, what: mistake.what.clone() });
            }
            for mistake in entry.unknown() {
                flaws.push(Flaw { line: line + mistake.line, slight: true, what: mistake.what });
            }
            line += entry.text().matches('\n').count();
        }
        flaws
    }

    /// What stands before the first and says nothing: a bookmark whose header is missing, most likely.
    fn flaws_of_head(&self) -> Vec<Flaw> {
        let flaw = |line, what| Flaw { line: line + 1, slight: true, what };
        let head = match read_toml(&self.head) {
            Ok(head) => head,
            Err(Mistake { line, what }) => return vec![flaw(line, what)],
        };
        let odd = head.iter().filter_map(|(key, item)| {
            let line = self.head.lines().position(|line| line.trim_start().starts_with(key)).unwrap_or(0);
            match (key, item.is_integer()) {
                ("version", true) => None,
                ("version", false) => Some(flaw(line, "version: a number is wanted".into())),
                _ => Some(flaw(
                    line,
                    format!("\"{key}\" stands above the first [[{}]], and belongs below one", self.of.row()),
                )),
            }
        });
        odd.collect()
    }

    /// The same bookmarks, whatever the text around them.
    pub fn says_the_same(&self, other: &Bookmarks) -> bool {
        self.iter().eq(other.iter())
    }
}

impl FromIterator<Bookmark> for Bookmarks {
    fn from_iter<T: IntoIterator<Item = Bookmark>>(bookmarks: T) -> Bookmarks {
        Bookmarks {
            of: For::Going,
            head: String::new(),
            entries: Arc::new(bookmarks.into_iter().map(|b| Entry::new(&b, For::Going)).collect()),
            tail: String::new(),
        }
    }
}

/// The text before the first bookmark, and the text of each; and what stands behind them all.
fn pieces(text: &str, of: For) -> (Vec<&str>, &str) {
    let mut cuts = vec![0];
    let (mut at, mut comments) = (0, None);
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if is_header(words, of) {
            cuts.push(comments.take().unwrap_or(at));
        } else if words.starts_with('#') {
            comments = comments.or(Some(at));
        } else if !words.is_empty() {
            comments = None;
        }
        at += line.len();
    }
    // A file of comments alone is its own head.
    let end = comments.filter(|_| cuts.len() > 1).unwrap_or(text.len());
    cuts.push(end);
    (cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect(), &text[end..])
}

/// Whether a line is the header of a bookmark, or was meant for one.
fn is_header(line: &str, of: For) -> bool {
    let Some(inside) = line.strip_prefix('[') else { return false };
    let (name, row) = (inside.trim_start_matches(['[', ' ', '"', '\'']).to_ascii_lowercase(), of.row());
    match name.strip_prefix(row) {
        // A table within it.
        Some(rest) => !rest.starts_with('.'),
        None => {
            let name = name.split('#').next().unwrap_or_default().trim_end_matches([']', ' ', '"', '\'']);
            name.starts_with(&row[..4])
                || !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_ ".contains(c))
        }
    }
}
