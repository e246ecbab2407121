//! The secrets of a run, and how they are hidden wherever they are said again: in what a server answers, in what failed, in what
//! is copied.
//!
//! Each letter of one becomes a star, so that what is hidden is as long as what stood there. A secret of less than [`LEAST`]
//! letters stands in every other sentence by chance; it is hidden where it is typed and in addresses, and not looked for.

use super::told;
use crate::doc::secrets_in;
use crate::url::{Url, escape, scheme};
use serde_json::Value;
use std::cell::Cell;
use std::ops::Range;

/// The least letters of a secret that is looked for.
const LEAST: usize = 3;
/// The longest that is, in octets; nobody types that many.
const LONGEST: usize = 4096;
/// How many that somebody else may have written, in links and redirects, are looked for.
const SAID: usize = 256;

/// Names of what is said in words of our own, in numbers or times: a secret stands there by chance, and without them nothing could be
/// told again. What is typed is hidden before.
const OWN: &[&str] = &[
    "key", "mouse", "stage", "kind", "again", "security", "clock", "modified", "since", "prompt", "digest", "standing",
];

/// What is looked for.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    /// All ways in which they may be written, the longest first: one may be the beginning of another.
    words: Vec<String>,
    said: usize,
}

impl Secrets {
    /// The reader typed one.
    pub(super) fn learn(&mut self, secret: &str) {
        let decoded = escape::decode(secret);
        let written = String::from_utf8_lossy(&decoded);
        let escaped = escape::encode(&decoded, b"");
        let marked = written.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        let ways = [secret, &escape::encode(secret.as_bytes(), b""), &escaped, &escaped.replace("%20", "+"), &marked]
            .map(str::to_owned);
        for word in ways.into_iter().chain([written.into_owned()]) {
            let fits = word.chars().nth(LEAST - 1).is_some() && word.len() <= LONGEST;
            // In a run that is told again they are stars already.
            if fits && word.bytes().any(|b| b != b'*') && !self.words.contains(&word) {
                let at = self.words.partition_point(|other| other.len() >= word.len());
                self.words.insert(at, word);
            }
        }
    }

    /// One stands in a URL, whoever wrote it.
    pub(super) fn learn_of(&mut self, url: &Url) {
        for password in [url.password(), url.token()].into_iter().flatten().filter(|password| !password.is_empty()) {
            if self.said < SAID && !self.words.iter().any(|word| word == password) {
                self.said += 1;
                self.learn(password);
            }
        }
    }

    /// A text without them.
    fn hidden(&self, text: &str) -> Option<String> {
        let mut hidden = None;
        for word in &self.words {
            let now = hidden.as_deref().unwrap_or(text);
            if now.contains(word.as_str()) {
                hidden = Some(now.replace(word.as_str(), &stars(word)));
            }
        }
        let whole = hidden.as_deref().unwrap_or(text);
        let (mut torn, mut done) = (String::new(), 0);
        for place in self.torn(whole) {
            torn.push_str(&whole[done..place.start]);
            torn.push_str(&stars(&whole[place.clone()]));
            done = place.end;
        }
        if done > 0 {
            torn.push_str(&whole[done..]);
            hidden = Some(torn);
        }
        let hidden = hidden?;
        // An address stays one: the scheme is no secret, and neither is a site that could not be read any more.
        let url = Url::parse(text).ok().filter(|url| scheme::default_port(url.scheme()).is_some());
        let Some(url) = url else { return Some(hidden) };
        let scheme = url.scheme().len();
        let rest = hidden.get(scheme..)?;
        let whole = format!("{}{rest}", url.scheme());
        if Url::check(&whole).is_ok() {
            return Some(whole);
        }
        let site = url.authority().map_or(scheme + 1, |authority| scheme + 3 + authority.len());
        let (site, rest) = text.split_at(site);
        Some(format!("{site}{}", self.hidden(rest).unwrap_or_else(|| rest.into())))
    }

    /// Where a text has those that have something between their letters that nobody sees.
    fn torn(&self, text: &str) -> Vec<Range<usize>> {
        let whole = |place: &Range<usize>| self.words.iter().any(|word| word.len() >= place.len());
        secrets_in(text, &self.words).into_iter().filter(|place| !whole(place)).collect()
    }

    /// Octets without them.
    pub(super) fn hide_octets(&self, octets: &[u8]) -> Vec<u8> {
        let mut hidden = octets.to_vec();
        for word in self.words.iter().map(String::as_bytes) {
            let found: Vec<usize> = memchr::memmem::find_iter(&hidden, word).collect();
            found.into_iter().for_each(|at| hidden[at..at + word.len()].fill(b'*'));
        }
        let torn = std::str::from_utf8(&hidden).map(|text| self.torn(text)).unwrap_or_default();
        torn.into_iter().for_each(|place| hidden[place].fill(b'*'));
        hidden
    }

    /// How many octets at the end may be the beginning of one that goes on in those that come next.
    pub(super) fn begun(&self, octets: &[u8]) -> usize {
        let begins = |word: &String| {
            let most = octets.len().min(word.len() - 1);
            (1..=most).rev().find(|count| octets.ends_with(&word.as_bytes()[..*count]))
        };
        self.words.iter().filter_map(begins).max().unwrap_or_default()
    }

    /// Hides them in all that a line says. What could not be read any more without them is said by nobody.
    pub(super) fn hide(&self, line: &mut Value) {
        let has_hidden = self.hide_in("", line);
        if has_hidden && told::of_line(line, &Cell::new(0)).is_err() {
            *line = serde_json::json!({ "worked": u64::MAX, "effects": line["effects"].take() });
        }
    }

    /// Whether there were any.
    fn hide_in(&self, name: &str, value: &mut Value) -> bool {
        match value {
            _ if OWN.contains(&name) => false,
            Value::String(media) if name == "media" && crate::format::is_listed(media) => false,
            Value::String(text) => match self.hidden(text) {
                Some(hidden) => {
                    *text = hidden;
                    true
                }
                None => false,
            },
            Value::Array(values) => values.iter_mut().fold(false, |any, value| self.hide_in(name, value) | any),
            Value::Object(parts) => parts.iter_mut().fold(false, |any, (name, value)| self.hide_in(name, value) | any),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

/// As many stars as there are characters.
pub(super) fn stars(text: &str) -> String {
    "*".repeat(text.chars().count())
}
