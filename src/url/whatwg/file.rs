//! `file:` as the URL Standard reads it (4.4, file state to path state): empty segments stay, and a drive letter is no host and
//! nothing to go up from.

use std::borrow::Cow;
use std::fmt;

/// A URL of a file, in the standard's normal form.
#[derive(Debug, Clone)]
pub(super) struct File {
    host: String,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "file://{}{}", self.host, self.path)?;
        self.query.iter().try_for_each(|query| write!(f, "?{query}"))?;
        self.fragment.iter().try_for_each(|fragment| write!(f, "#{fragment}"))
    }
}

impl File {
    /// Reads what follows the scheme, or a reference on a base that is a file too.
    pub(super) fn read(text: &str, base: Option<&File>) -> Result<File, String> {
        let (written, tail) = text.split_at(text.find(['?', '#']).unwrap_or(text.len()));
        let written = written.replace('\\', "/");
        let (host, path) = match (written.strip_prefix("//"), base) {
            (Some(site), _) => match site.split_at(site.find('/').unwrap_or(site.len())) {
                (drive, _) if is_drive(drive) => (String::new(), format!("/{site}")),
                (host, path) => (host_of(host)?, path.into()),
            },
            (None, Some(base)) => (base.host.clone(), base.merged(&written)),
            (None, None) => (String::new(), written.clone()),
        };
        let path = normal(path.strip_prefix('/').unwrap_or(&path));
        // The library escapes as the standard does; the mark keeps it from trimming the path.
        let made = library(&format!("http://h/{path}{}", if tail.is_empty() { "?" } else { tail }))?;
        let inherited = base.filter(|_| written.is_empty() && !tail.starts_with('?')).map(|base| base.query.clone());
        let query = tail.starts_with('?').then(|| made.query().map(String::from)).flatten();
        Ok(File {
            host,
            path: made.path().into(),
            query: inherited.unwrap_or(query),
            fragment: made.fragment().map(String::from),
        })
    }

    /// A path on this one.
    fn merged(&self, written: &str) -> String {
        let drive = self.path.get(1..3).filter(|_| begins_with_drive(&self.path[1..]));
        let folder = &self.path[..self.path.rfind('/').unwrap_or_default()];
        match (written.strip_prefix('/'), drive) {
            _ if written.is_empty() => self.path.clone(),
            (Some(rest), Some(drive)) if !begins_with_drive(rest) => format!("/{drive}{written}"),
            (Some(_), _) => written.into(),
            _ if begins_with_drive(written) => format!("/{written}"),
            (None, Some(drive)) if folder.is_empty() => format!("/{drive}/{written}"),
            _ => format!("{folder}/{written}"),
        }
    }
}

fn library(text: &str) -> Result<::url::Url, String> {
    ::url::Url::parse(text).map_err(|error| error.to_string())
}

fn host_of(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    let host = ::url::Host::parse(text).map_err(|error| error.to_string())?.to_string();
    Ok(if host == "localhost" { String::new() } else { host })
}

/// `C:` and `C|`.
fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn begins_with_drive(path: &str) -> bool {
    is_drive(path.split('/').next().unwrap_or_default())
}

/// How many dots a segment consists of, be they escaped; none where it holds anything else.
fn dots(segment: &str) -> usize {
    let plain = segment.replace("%2e", ".").replace("%2E", ".");
    if plain.bytes().all(|b| b == b'.') { plain.len() } else { 0 }
}

/// A path without its first slash, without dot segments.
fn normal(path: &str) -> String {
    let mut kept: Vec<Cow<'_, str>> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        match dots(segment) {
            dots @ (1 | 2) => {
                if dots == 2 && !(kept.len() == 1 && is_drive(&kept[0])) {
                    kept.pop();
                }
                if segments.peek().is_none() {
                    kept.push("".into());
                }
            }
            _ if kept.is_empty() && is_drive(segment) => kept.push(segment.replace('|', ":").into()),
            _ => kept.push(segment.into()),
        }
    }
    kept.join("/")
}
