//! What messages and effects are made of, in JSON and back, and what of it is left out.

use super::secrets::{Secrets, stars};
use crate::app::{App, JobId, Msg, PromptKind};
use crate::url::{Url, redact, redact_typed};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;

/// In the place of a secret.
const MASK: &str = "***";

/// How things are written in this recording.
#[derive(Debug)]
pub(super) struct Ink {
    /// With octets.
    pub octets: bool,
    /// A password was typed into a form: queries and what is sent may hold it from now on.
    pub tainted: bool,
    /// How many octets of each page are written.
    pub written: BTreeMap<JobId, usize>,
    /// The secrets of the run, as far as they are known.
    pub secrets: Secrets,
}

impl Ink {
    pub(super) fn new(octets: bool) -> Ink {
        Ink { octets, tainted: false, written: BTreeMap::new(), secrets: Secrets::default() }
    }

    /// A message comes.
    pub(super) fn begin(&mut self, app: &App, message: &Msg) {
        let login = app.hands.is_at_login();
        self.tainted |= app.hands.is_at_secret() && !login && matches!(message, Msg::Key(_) | Msg::Paste(_));
    }

    /// A URL without password, and without what may hold one.
    pub(super) fn url(&self, url: &Url) -> String {
        self.address(url.as_str())
    }

    /// The same of a reference or an address that may be none.
    pub(super) fn address(&self, text: &str) -> String {
        let text = redact_typed(text);
        let mark = |mark: &str| text.find(mark).map(|at| (at, at + mark.len()));
        let first = ["?", "%09", "%3F", "%3f"].into_iter().filter_map(mark).min();
        match first.filter(|_| self.tainted) {
            // A program is given the known fields of a letter only (RFC 6068, section 4): a mask there would be left out.
            Some((at, _)) if text.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:")) => {
                text[..at].into()
            }
            // An empty query has nothing to hide, and may ask for words.
            Some((_, end)) if end < text.len() => format!("{}{MASK}", &text[..end]),
            _ => text,
        }
    }

    /// Octets: all of them, each as the character of its number, or how many and their digest.
    pub(super) fn octets(&self, octets: &[u8]) -> Value {
        // Of a few octets that hold a secret the digest would tell it, too.
        let octets = self.secrets.hide_octets(octets);
        match self.octets {
            true => latin(&octets).into(),
            false => json!({ "length": octets.len(), "digest": digest(&octets) }),
        }
    }

    /// What is sent.
    pub(super) fn sent(&self, octets: &[u8]) -> Value {
        if self.tainted { MASK.into() } else { self.octets(octets) }
    }
}

/// Hides what a line typed of a secret: a letter, or what was pasted of it.
pub(super) fn mask(line: &mut Value, of: &str) {
    if let Some(key) = line.get_mut("key") {
        *key = "*".into();
    } else if let Some(text) = line.get_mut("paste") {
        let pasted = text.as_str().unwrap_or_default();
        *text = if pasted.contains(of) { pasted.replace(of, &stars(of)) } else { stars(pasted) }.into();
    }
}

/// SHA-256, as much of it as tells octets apart.
pub(super) fn digest(octets: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, octets);
    digest.as_ref().iter().take(12).map(|octet| format!("{octet:02x}")).collect()
}

/// Octets as text, each as the character of its number.
pub(super) fn latin(octets: &[u8]) -> String {
    octets.iter().map(|octet| char::from(*octet)).collect()
}

/// The prompts, by the names they have here.
pub(super) const PROMPTS: &[(PromptKind, &str)] = &[
    (PromptKind::Open, "open"),
    (PromptKind::Find, "find"),
    (PromptKind::Filter, "filter"),
    (PromptKind::FindLink, "find-link"),
    (PromptKind::Search, "search"),
    (PromptKind::Answer, "answer"),
    (PromptKind::Name, "name"),
    (PromptKind::Command, "command"),
    (PromptKind::Save, "save"),
    (PromptKind::Program, "program"),
    (PromptKind::Number, "number"),
    (PromptKind::Hint, "hint"),
    (PromptKind::SetMark, "set-mark"),
    (PromptKind::GoMark, "go-mark"),
    (PromptKind::Field, "field"),
    (PromptKind::Password, "password"),
    (PromptKind::Upload, "upload"),
    (PromptKind::Setting, "setting"),
];

/// The name of something in a table; every value is there.
pub(super) fn name<T: Copy + PartialEq>(table: &[(T, &'static str)], value: T) -> &'static str {
    table.iter().find(|(known, _)| *known == value).map_or("", |(_, name)| name)
}

/// A value that is being read, and what it is called.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub value: &'a Value,
    pub of: &'a str,
    /// How many octets may still stand in for those that are not there.
    pub spare: &'a Cell<usize>,
}

/// What is wrong with a line.
pub(super) type Wrong = String;

impl<'a> At<'a> {
    /// A part of it; `null` when it is not there.
    pub(super) fn at(self, of: &'a str) -> At<'a> {
        At { value: &self.value[of], of, ..self }
    }

    /// One of a list.
    pub(super) fn nth(self, n: usize) -> At<'a> {
        At { value: &self.value[n], ..self }
    }

    /// What an object says first, by its name.
    pub(super) fn first(self) -> Option<At<'a>> {
        self.value.as_object()?.iter().next().map(|(of, value)| At { value, of, ..self })
    }

    pub(super) fn wrong(self, wanted: &str) -> Wrong {
        format!("{} is no {wanted}", self.of)
    }

    /// A part that may be missing.
    pub(super) fn maybe<T>(
        self,
        of: &'a str,
        read: impl FnOnce(At<'a>) -> Result<T, Wrong>,
    ) -> Result<Option<T>, Wrong> {
        let part = self.at(of);
        if part.value.is_null() { Ok(None) } else { read(part).map(Some) }
    }

    /// What came, by its name, or why it did not.
    pub(super) fn result<T>(
        self,
        of: &'a str,
        read: impl FnOnce(At<'a>) -> Result<T, Wrong>,
    ) -> Result<Result<T, String>, Wrong> {
        match self.maybe(of, read)? {
            Some(came) => Ok(Ok(came)),
            None => self.at("failed").text().map(Err),
        }
    }

    pub(super) fn text(self) -> Result<String, Wrong> {
        self.value.as_str().map(Into::into).ok_or_else(|| self.wrong("text"))
    }

    pub(super) fn number(self) -> Result<u64, Wrong> {
        self.value.as_u64().ok_or_else(|| self.wrong("number"))
    }

    pub(super) fn small<T: TryFrom<u64>>(self) -> Result<T, Wrong> {
        T::try_from(self.number()?).map_err(|_| self.wrong("small number"))
    }

    pub(super) fn flag(self) -> bool {
        self.value.as_bool().unwrap_or_default()
    }

    pub(super) fn list<T>(self, read: impl Fn(At<'a>) -> Result<T, Wrong>) -> Result<Vec<T>, Wrong> {
        let items = self.value.as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().map(|value| read(At { value, ..self })).collect()
    }

    /// Pairs under their names.
    pub(super) fn pairs<K: Ord, T>(
        self,
        key: impl Fn(&str) -> Result<K, Wrong>,
        read: impl Fn(At<'a>) -> Result<T, Wrong>,
    ) -> Result<BTreeMap<K, T>, Wrong> {
        let pairs = self.value.as_object().into_iter().flatten();
        pairs.map(|(name, value)| Ok((key(name)?, read(At { value, of: name, ..self })?))).collect()
    }

    pub(super) fn url(self) -> Result<Url, Wrong> {
        Url::parse(self.text()?).map_err(|error| format!("{}: {error}", self.of))
    }

    pub(super) fn time(self) -> Result<Timestamp, Wrong> {
        self.text()?.parse().map_err(|_| self.wrong("time"))
    }

    /// One of a table.
    pub(super) fn one<T: Copy>(self, table: &[(T, &str)]) -> Result<T, Wrong> {
        let word = self.text()?;
        let found = table.iter().find(|(_, name)| *name == word);
        found.map(|(value, _)| *value).ok_or_else(|| format!("{}: {word} is not known", self.of))
    }

    /// Octets; as many others in lines where only their length is there, while there are any to spare.
    pub(super) fn octets(self) -> Result<Vec<u8>, Wrong> {
        if let Some(text) = self.value.as_str() {
            return text.chars().map(|c| u8::try_from(u32::from(c)).map_err(|_| self.wrong("octets"))).collect();
        }
        let length = self.spare.get().min(self.at("length").small()?);
        self.spare.set(self.spare.get() - length);
        Ok(missing(length))
    }
}

/// As many octets as are not in a recording.
pub(super) fn missing(length: usize) -> Vec<u8> {
    const LINE: &[u8] = b"what stood here is not in the recording\n";
    LINE.iter().copied().cycle().take(length).collect()
}

/// A text that TOML is written in, without the passwords of addresses between its quotation marks.
pub(super) fn redacted(text: &str) -> String {
    text.split('"').map(redact).collect::<Vec<_>>().join("\"")
}
