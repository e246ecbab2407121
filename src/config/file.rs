//! The reader's file of settings as a text: what it says, and how one row of it changes while every comment, every other row
//! and their order stay. Refuses: reading and writing it.

use super::table::{self, set};
use super::{DEFAULTS, Settings, load};
use crate::table::{ConfigError, Row, Value, rows};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A setting that does not come from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// Its dotted name.
    pub name: String,
    /// Its value, as `-o` takes it.
    pub value: String,
    /// Where it is from: `-o`, `WWW_HOME`.
    pub by: String,
}

/// What the reader's files say of settings, and what else does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettingsFile {
    /// The name of the file, for the reader; empty where there is no place for one.
    pub name: String,
    /// Its text, with U+FFFD for what is not UTF-8; empty when there is no file.
    pub text: String,
    /// What comes over it.
    pub fixed: Vec<Fixed>,
    /// The name and the text of the file of keys.
    pub keys: Option<(String, String)>,
    /// The names of the reader's own themes.
    pub themes: Vec<String>,
}

impl SettingsFile {
    /// The settings that all this comes to, and what is wrong.
    pub fn settings(&self) -> (Settings, Vec<ConfigError>) {
        let (mut settings, mut errors) = super::read(&self.name, &self.text);
        for Fixed { name, value, .. } in &self.fixed {
            table::set_option(&mut settings, &format!("{name}={value}"), &mut errors);
        }
        (settings, errors)
    }

    /// The rows of the file.
    pub fn rows(&self) -> Vec<Row> {
        let text = load::readable(&self.text, &self.name, &mut Vec::new());
        rows(&self.name, &text, &mut Vec::new())
    }

    /// The names of settings in whose rows there are mistakes, or may be: the file does not say what they are to be.
    pub fn mistaken(&self, errors: &[ConfigError]) -> Vec<&'static str> {
        let lines = named(&self.text);
        let about = errors.iter().filter(|error| error.file == self.name);
        let about = about.map(|error| error.line.checked_sub(1).and_then(|at| name_of(*lines.get(at)?)));
        let all = || table::settings().iter().map(|setting| setting.name);
        // Without a name all was given up, or the head of a table is lost.
        let Some(mistakes) = about.collect::<Option<BTreeSet<String>>>() else { return all().collect() };
        let within = |inner: &str, table: &str| inner.strip_prefix(table).is_some_and(|key| key.starts_with('.'));
        let is_about = |name: &&str| {
            let name = name.trim_end_matches('.');
            mistakes.iter().any(|mistake| mistake == name || within(mistake, name) || within(name, mistake))
        };
        all().filter(is_about).collect()
    }

    /// What has the last word over the file's, if anything.
    pub fn fixed(&self, name: &str) -> Option<&Fixed> {
        self.fixed.iter().rfind(|fixed| fixed.name == name)
    }
}

/// Every line with the head of the table that it stands in.
fn named(text: &str) -> Vec<(&str, &str)> {
    let mut head = "";
    let lines = text.lines().map(|line| {
        if let Some(rest) = line.trim_start().strip_prefix('[') {
            head = rest.split(']').next().unwrap_or(rest);
        }
        (head, line)
    });
    lines.collect()
}

/// The dotted name that a line sets, be it damaged; `None` where none is to be seen.
fn name_of((head, line): (&str, &str)) -> Option<String> {
    let plain = |name: &str| name.replace(['"', '\'', ' ', '\t'], "");
    let (key, _) = line.split_once('=').filter(|(key, _)| !key.trim_start().starts_with('['))?;
    Some(if head.is_empty() { plain(key) } else { format!("{}.{}", plain(head), plain(key)) })
}

/// What the embedded file says of each setting, in one line each.
pub fn helps() -> Vec<(String, String)> {
    let (mut above, mut table, mut helps) = (Vec::new(), String::new(), Vec::<(String, String)>::new());
    for line in DEFAULTS.lines() {
        if let Some(comment) = line.strip_prefix("# ").or(line.strip_prefix('#').filter(|rest| rest.is_empty())) {
            above.push(comment.trim());
        } else if let Some(name) = line.strip_prefix('[') {
            table = format!("{}.", name.trim_end_matches(']'));
            // Of a table whose rows are the reader's own it is all there is to say.
            helps.push((table.clone(), above.join(" ")));
            above.clear();
        } else if line.starts_with(' ') {
            // The row before goes on.
            if let Some((_, help)) = helps.last_mut() {
                help.push_str(&format!(" {}", line.trim_start_matches([' ', '#'])));
            }
        } else if let Some((key, rest)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
            let beside = rest.split_once("  #").map_or("", |(_, beside)| beside.trim());
            let help = above.drain(..).chain([beside]).filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ");
            helps.push((format!("{table}{key}"), help));
        } else if line.is_empty() {
            above.clear();
        }
    }
    helps
}

/// Where a row stands in a text.
struct Place {
    /// From the beginning of its key's last part to the end of its value.
    row: Range<usize>,
    /// Its value alone.
    value: Range<usize>,
}

/// Where the row of a name is; `None` where there is none.
fn place(text: &str, path: &[&str]) -> Result<Option<Place>, String> {
    let table = DeTable::parse(text).map_err(|fault| {
        let at = fault.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
        format!("line {line}: {}; nothing is written into it until that is mended", fault.message().trim())
    })?;
    let mut table = table.get_ref();
    let [above @ .., last] = path else { return Ok(None) };
    for name in above {
        match table.get(*name).map(|value| value.get_ref()) {
            Some(DeValue::Table(inner)) => table = inner,
            Some(_) => return Err(format!("{name} is no table there")),
            None => return Ok(None),
        }
    }
    let row = table.get_key_value(*last);
    Ok(row.map(|(key, value)| Place { row: key.span().start..value.span().end, value: value.span() }))
}

/// The text with a setting set, in the row that it has, else in a new one.
///
/// # Errors
/// Why that cannot be, in a sentence: it is then to be done by hand.
pub fn written(text: &str, name: &str, value: &Value) -> Result<String, String> {
    let path: Vec<&str> = name.split('.').collect();
    let new = match place(text, &path)? {
        Some(Place { value: at, .. }) => format!("{}{value}{}", &text[..at.start], &text[at.end..]),
        None => revived(text, &path, value).unwrap_or_else(|| with_row(text, &path, value)),
    };
    let said = |row: &Row| row.path == path && row.value == *value;
    let mut errors = Vec::new();
    match rows("", &new, &mut errors).iter().any(said) && errors.is_empty() {
        true => Ok(new),
        false => Err(format!("{name} cannot be put into it; write it there by hand")),
    }
}

/// The text with a row that was made a comment as a row again, where there is one that says just this.
fn revived(text: &str, path: &[&str], value: &Value) -> Option<String> {
    let (key, table) = path.split_last()?;
    let table = table.join(".");
    let mut at = 0;
    let lines = text.split_inclusive('\n').zip(named(text)).map(|(line, (head, _))| {
        let start = at;
        at += line.len();
        (start, head, line)
    });
    let of_it = lines.filter(|(_, head, _)| *head == table).filter_map(|(start, _, line)| {
        let row = line.trim_start().strip_prefix('#')?.trim_start();
        row.starts_with(key).then_some((start..start + line.len(), row))
    });
    let says = |row: &str| matches!(rows("", row, &mut Vec::new()).as_slice(), [said] if said.path == [*key] && said.value == *value);
    let (place, row) = of_it.filter(|(_, row)| says(row)).last()?;
    Some(format!("{}{row}{}", &text[..place.start], &text[place.end..]))
}

/// The text with one row more: below those of its table, with that where there is none.
fn with_row(text: &str, path: &[&str], value: &Value) -> String {
    let (table, key) = match path {
        [table, key] => (Some(*table), *key),
        _ => (None, *path.last().unwrap_or(&"")),
    };
    let row = format!("{key} = {value}\n");
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        starts.push((at, line));
        at += line.len();
    }
    let is_head = |line: &str| line.trim_start().starts_with('[');
    let heads = |line: &str, name: &str| {
        let head = line.trim_start().split('#').next().unwrap_or_default().trim();
        head.strip_prefix('[').and_then(|head| head.strip_suffix(']')).is_some_and(|head| head.trim() == name)
    };
    // Where the part of the table begins: the file itself, or the line after its head.
    let begin = match table {
        None => Some(0),
        Some(name) => starts.iter().position(|(_, line)| heads(line, name)).map(|at| at + 1),
    };
    let Some(begin) = begin else {
        let gap = if text.is_empty() { "" } else { "\n" };
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return format!("{text}{end}{gap}[{}]\n{row}", table.unwrap_or_default());
    };
    let end = starts[begin..].iter().position(|(_, line)| is_head(line)).map_or(starts.len(), |at| begin + at);
    // Comments and blank lines before the next head belong to that; a file of comments alone keeps them at its head.
    let part = &starts[begin..end];
    let last = part.iter().rposition(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let to = match last {
        Some(last) => begin + last + 1,
        None if end == starts.len() => end,
        None if table.is_none() => {
            // Before the comment of the first head, after the one of the file.
            part.iter().rposition(|(_, line)| line.trim().is_empty()).map_or(begin, |blank| begin + blank)
        }
        None => begin,
    };
    let at = starts.get(to).map_or(text.len(), |(at, _)| *at);
    let before = &text[..at];
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{end}{row}{}", &text[at..])
}

/// The text without the row of a setting, so that its default counts. One with a comment beside it becomes a comment itself.
///
/// # Errors
/// As [`written`].
pub fn remove(text: &str, name: &str) -> Result<String, String> {
    let path: Vec<&str> = name.split('.').collect();
    let Some(Place { row, .. }) = place(text, &path)? else { return Ok(text.into()) };
    let start = text[..row.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[row.end..].find('\n').map_or(text.len(), |at| row.end + at + 1);
    let beside = text[row.end..end].trim_start().starts_with('#');
    let rest: String = match beside {
        true => text[start..end].split_inclusive('\n').map(|line| format!("# {line}")).collect(),
        false => String::new(),
    };
    let new = format!("{}{rest}{}", &text[..start], &text[end..]);
    let paths = |text: &str| -> Vec<_> {
        rows("", text, &mut Vec::new()).into_iter().map(|row| row.path).filter(|other| *other != path).collect()
    };
    match place(&new, &path)?.is_none() && paths(&new) == paths(text) {
        true => Ok(new),
        false => Err(format!("{name} cannot be taken out of it alone; do it by hand")),
    }
}

/// Whether a value would be taken for a setting.
///
/// # Errors
/// Why not, in a sentence.
pub fn check(settings: &Settings, name: &str, value: &Value) -> Result<Settings, String> {
    let mut tried = settings.clone();
    set(&mut tried, name, value).map(|()| tried)
}
