//! TOML cut into rows. Refuses: knowing where a table comes from; any other part of the program, since what builds the program
//! (`build.rs`) cuts the built-in tables by these very lines.

use std::borrow::Cow;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A mistake in a file of the reader's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConfigError {
    /// The file, as a path or the name of a built-in table.
    pub file: String,
    /// The line, from 1; 0 when the mistake is in no line (a file that cannot be read, an option).
    pub line: usize,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl ConfigError {
    /// What is wrong, of which a file that is damaged may quote a megabyte, as much of it as anybody reads.
    pub fn shorten(&mut self) {
        if let Some((end, _)) = self.message.char_indices().nth(LONGEST) {
            self.message.truncate(end);
            self.message.push('…');
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}

/// What stands at the right of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A string.
    Text(String),
    /// An integer.
    Number(i64),
    /// `true` or `false`.
    Switch(bool),
    /// An array.
    List(Vec<Value>),
    /// Anything that no setting is made of (fractions, dates, tables within arrays), by TOML's name.
    Other(&'static str),
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

/// As it is written in a file.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => {
                f.write_str("\"")?;
                for c in text.chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        c if c.is_control() => write!(f, "\\u{:04X}", u32::from(c))?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"")
            }
            Value::Number(number) => write!(f, "{number}"),
            Value::Switch(switch) => write!(f, "{switch}"),
            Value::List(list) => {
                let list: Vec<String> = list.iter().map(Value::to_string).collect();
                write!(f, "[{}]", list.join(", "))
            }
            Value::Other(kind) => f.write_str(kind),
        }
    }
}

/// One `key = value`, its tables' names before the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The names, outermost first.
    pub path: Vec<Cow<'static, str>>,
    /// The line of the key, from 1.
    pub line: usize,
    /// The value.
    pub value: Value,
}

/// Letters of a mistake that are told, and of a name that is compared.
pub(super) const LONGEST: usize = 300;
/// Lines of a file that are left out because TOML cannot read them; a file with more of them is no TOML at all.
const MOST_BAD_LINES: usize = 100;

/// The rows of a file in the file's order. A line that TOML cannot read is reported and left out.
pub fn rows(file: &str, text: &str, errors: &mut Vec<ConfigError>) -> Vec<Row> {
    let mut text = Cow::Borrowed(text);
    let mut bad = 0;
    loop {
        let fault = match DeTable::parse(&text) {
            Ok(table) => {
                let mut found = Vec::new();
                collect(table.get_ref(), &mut Vec::new(), &mut found);
                found.sort_by_key(|(at, _)| *at);
                return numbered(&text, found);
            }
            Err(fault) => fault,
        };
        let at = fault.span().map_or(0, |span| span.start.min(text.len()));
        let message = fault.message().trim().replace('\n', ", ");
        errors.push(ConfigError { file: file.into(), line: line_of(&text, at), message });
        bad += 1;
        match without_line(&text, at).filter(|_| bad < MOST_BAD_LINES) {
            Some(rest) => text = rest.into(),
            None => {
                let message = "so much of it cannot be read that all of it is left out".into();
                errors.push(ConfigError { file: file.into(), line: 0, message });
                return Vec::new();
            }
        }
    }
}

/// The text with blanks for the line around an offset; `None` when it was blank already.
fn without_line(text: &str, at: usize) -> Option<String> {
    let octets = text.as_bytes();
    let start = octets[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let end = octets[at..].iter().position(|b| *b == b'\n').map_or(text.len(), |i| at + i);
    let line = text.get(start..end).filter(|line| !line.trim().is_empty())?;
    Some(format!("{}{}{}", &text[..start], " ".repeat(line.len()), &text[end..]))
}

/// The value written after `KEY=` on the command line: TOML where it is TOML, else plain text.
pub fn value(text: &str) -> Value {
    match DeValue::parse(text) {
        Ok(parsed) => convert(parsed.get_ref()),
        Err(_) => Value::Text(text.into()),
    }
}

/// The rows, which stand at rising offsets, with the lines of those offsets.
fn numbered(text: &str, found: Vec<(usize, Row)>) -> Vec<Row> {
    let (mut line, mut counted) = (1, 0);
    let number = |(at, row): (usize, Row)| {
        line += breaks(&text[counted..at]);
        counted = at;
        Row { line, ..row }
    };
    found.into_iter().map(number).collect()
}

/// Every row and the offset where its key stands; the line is not counted yet.
fn collect(table: &DeTable<'_>, path: &mut Vec<Cow<'static, str>>, found: &mut Vec<(usize, Row)>) {
    for (key, value) in table {
        path.push(key.get_ref().to_string().into());
        match value.get_ref() {
            DeValue::Table(inner) => collect(inner, path, found),
            leaf => found.push((key.span().start, Row { path: path.clone(), line: 0, value: convert(leaf) })),
        }
        path.pop();
    }
}

fn convert(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Boolean(switch) => Value::Switch(*switch),
        DeValue::Array(list) => Value::List(list.iter().map(Spanned::get_ref).map(convert).collect()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Number(number),
            Err(_) => Value::Other("integer out of range"),
        },
        other => Value::Other(other.type_str()),
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + breaks(&text[..text.floor_char_boundary(at)])
}

fn breaks(text: &str) -> usize {
    text.bytes().filter(|octet| *octet == b'\n').count()
}
