//! One `[[bookmark]]` or `[[subscription]]` of the file: its text with the reader's comments, and what it says.

use super::{Bookmark, For};
use crate::table::suggestion;
use crate::url::Url;
use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// What a bookmark may say.
const KEYS: &[&str] = &["url", "title", "folder", "tags", "note"];
/// Octets of a piece that are understood: to be told what a longer one says takes many times its length.
const LONGEST: usize = 64 << 10;
/// Folders within each other.
const DEPTH: usize = 32;

/// A piece of the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    of: For,
    text: String,
    read: Result<Bookmark, Mistake>,
}

/// Why a piece is no bookmark, and in which of its lines, from 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mistake {
    pub line: usize,
    pub what: String,
}

impl Entry {
    /// Reads a piece.
    pub(super) fn read(text: &str, of: For) -> Entry {
        Entry { of, read: read(text, of), text: text.into() }
    }

    /// Writes one.
    pub(super) fn new(bookmark: &Bookmark, of: For) -> Entry {
        let mut entry = Entry { of, text: format!("\n[[{}]]\n", of.row()), read: Ok(Bookmark::default()) };
        entry.rewrite(bookmark);
        entry
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn bookmark(&self) -> Option<&Bookmark> {
        self.read.as_ref().ok()
    }

    pub(super) fn mistake(&self) -> Option<&Mistake> {
        self.read.as_ref().err()
    }

    /// Rows that say nothing to this program, and what they may be meant for.
    pub(super) fn unknown(&self) -> Vec<Mistake> {
        let Some(mut document) = self.read.as_ref().ok().and_then(|_| self.text.parse::<DocumentMut>().ok()) else {
            return Vec::new();
        };
        let keys =
            table(&mut document, self.of).map(|table| table.iter().map(|(key, _)| key.to_owned()).collect::<Vec<_>>());
        let unknown = keys.unwrap_or_default().into_iter().filter(|key| !KEYS.contains(&key.as_str()));
        let mistake = |key: String| {
            let line = self.text.lines().position(|line| line.trim_start().starts_with(&key)).unwrap_or(0);
            let near = suggestion(&key, KEYS.iter().copied());
            Mistake { line, what: format!("\"{key}\" is nothing that a {} has{near}", self.of.row()) }
        };
        unknown.map(mistake).collect()
    }

    /// Says something else. What is not said otherwise stays as it is written, and so do comments.
    pub(super) fn rewrite(&mut self, new: &Bookmark) {
        let Ok(mut document) = self.text.parse::<DocumentMut>() else { return };
        let (Some(table), Ok(old)) = (table(&mut document, self.of), &self.read) else { return };
        let list = |words: &[String]| Value::from(words.iter().map(|word| string(word)).collect::<Array>());
        let text = string;
        let empty = |text: &str| text.is_empty();
        set(table, "url", (old.url != new.url).then(|| (empty(&new.url), text(&new.url))));
        set(table, "title", (old.title != new.title).then(|| (empty(&new.title), text(&new.title))));
        // Names that a path would not give back are a list.
        let path = new.folder.join("/");
        let names = if folder(&path) == new.folder { text(&path) } else { list(&new.folder) };
        set(table, "folder", (old.folder != new.folder).then_some((new.folder.is_empty(), names)));
        set(table, "tags", (old.tags != new.tags).then(|| (new.tags.is_empty(), list(&new.tags))));
        set(table, "note", (old.note != new.note).then(|| (empty(&new.note), text(&new.note))));
        self.text = document.to_string();
        self.read = Ok(new.clone());
    }
}

/// A text as the file has it: what a terminal would obey, or what would turn the order of letters round where the file is looked at,
/// by its number.
fn string(text: &str) -> Value {
    let is_odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_odd) {
        return text.into();
    }
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            c if is_odd(c) => written.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => written.push(c),
        }
    }
    written.push('"');
    written.parse().unwrap_or_else(|_| text.into())
}

/// Sets a key, or takes it away when there is nothing to say.
fn set(table: &mut Table, key: &str, change: Option<(bool, Value)>) {
    match change {
        None => {}
        Some((true, _)) => {
            table.remove(key);
        }
        Some((false, mut value)) => match table.get_mut(key).and_then(Item::as_value_mut) {
            Some(old) => {
                *value.decor_mut() = old.decor().clone();
                *old = value;
            }
            None => {
                table.insert(key, Item::Value(value));
            }
        },
    }
}

fn table(document: &mut DocumentMut, of: For) -> Option<&mut Table> {
    document.get_mut(of.row())?.as_array_of_tables_mut()?.get_mut(0)
}

pub(super) fn read_toml(text: &str) -> Result<DocumentMut, Mistake> {
    if text.len() > LONGEST {
        return Err(Mistake { line: begins(text), what: format!("this has more than {} KiB", LONGEST >> 10) });
    }
    let line = |at: usize| text[..text.floor_char_boundary(at)].matches('\n').count();
    text.parse().map_err(|error: toml_edit::TomlError| Mistake {
        line: line(error.span().map_or(0, |span| span.start)),
        what: error.message().trim().replace('\n', ", "),
    })
}

/// The line of a piece with its header.
fn begins(text: &str) -> usize {
    text.lines().position(|line| line.trim_start().starts_with('[')).unwrap_or(0)
}

fn read(text: &str, of: For) -> Result<Bookmark, Mistake> {
    let mut document = read_toml(text)?;
    let wrong = |what: String| Mistake { line: begins(text), what };
    let table = table(&mut document, of).ok_or_else(|| wrong(format!("[[{}]] is wanted", of.row())))?;
    let text = |key: &str| match table.get(key) {
        None => Ok(String::new()),
        Some(item) => item.as_str().map(Into::into).ok_or_else(|| wrong(format!("{key}: a text in quotes is wanted"))),
    };
    let words = |key: &str, item: &Item| {
        let list: Option<Option<Vec<String>>> =
            item.as_array().map(|list| list.iter().map(|word| word.as_str().map(String::from)).collect());
        list.flatten().ok_or_else(|| wrong(format!("{key}: a list of texts is wanted")))
    };
    let url = text("url")?;
    if url.is_empty() {
        return Err(wrong("url = \"…\" is wanted".into()));
    }
    Url::check(&url).map_err(|error| wrong(format!("url: {error}")))?;
    let folder = match table.get("folder") {
        Some(item) if item.is_array() => words("folder", item)?.into_iter().take(DEPTH).collect(),
        _ => folder(&text("folder")?),
    };
    let tags = table.get("tags").map_or(Ok(Vec::new()), |item| words("tags", item))?;
    Ok(Bookmark { url, title: text("title")?, folder, tags, note: text("note")? })
}

/// The names in a folder's path (`News/Servers`), the outermost first; at most 32.
pub fn folder(path: &str) -> Vec<String> {
    path.split('/').map(str::trim).filter(|name| !name.is_empty()).take(DEPTH).map(Into::into).collect()
}
