//! Recordings (`--record`): all that the browser was told in a run and all that it asked for, a line of JSON each, so that the
//! run can be shown again without terminal, disk and network.
//!
//! What is typed where a password is expected, logins, passwords in URLs and cookies that are set are hidden; passwords also where
//! others say them again (`secrets.rs`). Octets of pages and files, and what is copied, are in it only if the reader wants them to
//! be. Where a password may still come of what is being typed, the lines wait until it is known. Everything else that was typed,
//! that came and that is kept of the reader is in it: a recording is a thing to be given away with thought.

mod answer;
mod effect;
mod file;
mod message;
mod replay;
mod secrets;
mod sent;
mod tape;
mod told;
mod words;

pub(super) use file::RecordFile;
pub use replay::{Difference, Replay, screen};
pub use tape::{MOST, Tape, too_long};

use crate::app::{App, Effect, FormId, Msg, Overlay, PromptKind, update};
use crate::config::Settings;
use crate::keys::{Code, Keymap};
use crate::url::{may_be_user, redact_typed};
use serde_json::{Value, json};
use std::ops::Range;
use words::{Ink, digest};

/// The form of the lines written here; a greater number is a form that is not known here.
const FORM: u64 = 1;

/// What writes a recording, line by line.
#[derive(Debug)]
pub struct Recorder {
    ink: Ink,
    /// Lines that wait until it is known what of them is a secret.
    held: Vec<Held>,
    /// The line being typed as it was after the last message; of each character, which of the held lines has typed it.
    line: Option<Vec<(char, Option<usize>)>>,
    /// An address or a command is being typed: a login may stand in it without a scheme.
    at_address: bool,
}

#[derive(Debug)]
struct Held {
    line: Value,
    /// It typed something that is written as it was typed.
    bare: bool,
}

impl Recorder {
    /// With the octets of pages and files, or only their length and digest.
    pub fn new(octets: bool) -> Recorder {
        Recorder { ink: Ink::new(octets), held: Vec::new(), line: None, at_address: false }
    }

    /// The first line.
    pub fn header(&self, app: &App) -> String {
        let head = json!({
            "recording": FORM,
            "wayfarer": env!("CARGO_PKG_VERSION"),
            "screen": [app.desk.screen.columns, app.desk.screen.rows],
            "settings": of_settings(&app.desk.settings, &app.desk.keymap),
            "octets": self.ink.octets,
        });
        format!("{head}\n")
    }

    /// Tells the browser something; the lines that can be written then are given to `write`.
    pub fn update(&mut self, app: &mut App, message: Msg, write: &mut impl FnMut(String)) -> Vec<Effect> {
        let secret = app.hands.is_at_secret();
        let bare = match &message {
            Msg::Key(key) => !secret && matches!(key.code, Code::Char(_)),
            Msg::Paste(text) => !secret && redact_typed(text) == *text,
            _ => false,
        };
        if !self.is_at(app) {
            // Another line is being typed than a moment ago.
            self.flush(write);
            self.line = app.hands.line().map(|input| input.value().chars().map(|c| (c, None)).collect());
        }
        self.at_address |= is_at_address(app);
        self.ink.begin(app, &message);
        let (name, told) = self.ink.message(&message, secret);
        let before = secret_line(app);
        let effects = update(app, message);
        if let Some((_, typed)) = before.filter(|(place, _)| secret_line(app).is_none_or(|(now, _)| now != *place)) {
            self.ink.secrets.learn(&typed);
        }
        effects.iter().for_each(|effect| self.ink.learn(effect));
        let asked: Vec<Value> = effects.iter().map(|effect| self.ink.effect(effect)).collect();
        let mut line = json!({ (name): told });
        if !asked.is_empty() {
            line["effects"] = asked.into();
        }
        self.held.push(Held { line, bare });
        match app.hands.line().map(|input| input.value()) {
            Some(text) => {
                self.follow(text);
                self.hide(false);
            }
            None => {
                self.hide(true);
                self.flush(write);
            }
        }
        effects
    }

    /// What is held is written: nothing more is typed into that line.
    pub fn flush(&mut self, write: &mut impl FnMut(String)) {
        self.hide(true);
        for mut held in self.held.drain(..) {
            self.ink.secrets.hide(&mut held.line);
            write(format!("{}\n", held.line));
        }
        (self.line, self.at_address) = (None, false);
    }

    /// Whether the line being typed is the one that was typed into last.
    fn is_at(&self, app: &App) -> bool {
        match (&self.line, app.hands.line()) {
            (Some(line), Some(input)) => input.value().chars().eq(line.iter().map(|(c, _)| *c)),
            (None, None) => true,
            _ => false,
        }
    }

    /// The last of the held lines has made another text of the line being typed.
    fn follow(&mut self, text: &str) {
        let (by, before) = (self.held.len() - 1, self.line.take().unwrap_or_default());
        let after: Vec<char> = text.chars().collect();
        let first = before.iter().zip(&after).take_while(|((old, _), new)| old == *new).count();
        let most = before.len().min(after.len()) - first;
        let backwards = before.iter().rev().zip(after.iter().rev());
        let last = backwards.take(most).take_while(|((old, _), new)| old == *new).count();
        let new = after[first..after.len() - last].iter().map(|c| (*c, Some(by)));
        let line = before[..first].iter().copied().chain(new).chain(before[before.len() - last..].iter().copied());
        self.line = Some(line.collect());
    }

    /// Hides what has turned out to be a password. `ended`: nothing more is typed.
    fn hide(&mut self, ended: bool) {
        let Some(line) = &self.line else { return };
        let text: String = line.iter().map(|(c, _)| *c).collect();
        let secret = password(&text, ended, self.at_address).map(|range| &line[range]).unwrap_or_default();
        for part in secret.chunk_by(|(_, one), (_, other)| one == other) {
            let by = part.first().and_then(|(_, by)| *by);
            if let Some(held) = by.and_then(|by| self.held.get_mut(by)).filter(|held| held.bare) {
                words::mask(&mut held.line, &part.iter().map(|(c, _)| *c).collect::<String>());
            }
        }
        if ended {
            self.ink.secrets.learn(&secret.iter().map(|(c, _)| *c).collect::<String>());
        }
    }
}

/// What tells one reader's settings and keys from another's.
fn of_settings(settings: &Settings, keymap: &Keymap) -> String {
    digest(format!("{settings:?}{keymap:?}").as_bytes())
}

/// The secret that is being typed, and where: at the prompt, or in which field of which form. The user that an address names is
/// none.
fn secret_line(app: &App) -> Option<(Option<(FormId, usize)>, String)> {
    let hands = &app.hands;
    let line = hands.line().filter(|_| hands.is_at_secret())?.value();
    match (hands.prompt(), hands.top()) {
        (None, Some(Overlay::Form(form))) if form.url.user() != Some(line) => {
            Some((Some((form.id, form.focus)), line.into()))
        }
        (None, _) => None,
        (Some(_), _) => Some((None, line.into())),
    }
}

fn is_at_address(app: &App) -> bool {
    app.hands.prompt().is_some_and(|prompt| matches!(prompt.kind, PromptKind::Open | PromptKind::Command))
}

/// Where in a line a password stands, in characters: in an address, or in one that is a command's. `addressed`: the line is one
/// of these. What has `ended` may break off within a password.
fn password(line: &str, ended: bool, addressed: bool) -> Option<Range<usize>> {
    let starts = std::iter::once(0).chain(line.match_indices(char::is_whitespace).map(|(at, space)| at + space.len()));
    for start in starts {
        let text = &line[start..];
        let hidden = redact_typed(text);
        let (first, last) = if hidden != text {
            let same = |(one, other): &(char, char)| one == other;
            let first = text.chars().zip(hidden.chars()).take_while(same).count();
            let last = text.chars().rev().zip(hidden.chars().rev()).take_while(same).count();
            (first, text.chars().count().saturating_sub(last))
        } else if let Some(at) = unfinished(text, addressed).filter(|_| ended) {
            (at, text.chars().count())
        } else {
            continue;
        };
        let before = line[..start].chars().count();
        return Some(before + first..before + last.max(first));
    }
    None
}

/// Where in an address that breaks off a password may have begun: behind `//NAME:`, and it is no port; in one that may leave
/// its scheme out behind `NAME:`, too.
fn unfinished(text: &str, addressed: bool) -> Option<usize> {
    let (before, rest) = match text.split_once("//") {
        Some((before, rest)) => (before.chars().count() + 2, rest),
        None if addressed => (0, text),
        None => return None,
    };
    let (name, rest) = rest.split_once(':')?;
    let begun = match before {
        0 => may_be_user(name, rest),
        _ => {
            let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
            !name.contains(['/', '@']) && !rest.contains('@') && !authority.bytes().all(|b| b.is_ascii_digit())
        }
    };
    begun.then(|| before + name.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_found_where_it_stands() {
        for (line, ended, found) in [
            ("http://me:geheim@h/", false, Some(10..16)),
            ("open http://me:geheim@h/", false, Some(15..21)),
            ("http://me:geh", true, Some(10..13)),
            ("http://me:geh", false, None),
            ("http://h:8080/x", true, None),
            ("me:geheim@h", false, Some(3..9)),
            ("me:ge/heim@h", false, Some(3..10)),
            ("open me:geheim@h.example/x", false, Some(8..14)),
            ("\"me:geheim@h\"", false, Some(4..10)),
            ("me:12345@h", false, Some(3..8)),
            ("h:8080/x@y", true, None),
            ("C:\\x@y", true, None),
            ("mailto:me@h", true, None),
            ("news:12345@h", true, None),
            ("about:home", true, None),
            ("words: more", true, None),
        ] {
            assert_eq!(password(line, ended, false), found, "{line}");
        }
        for (line, found) in
            [("open me:geh", Some(8..11)), ("me:geh", Some(3..6)), ("h:80", None), ("about:h", None), ("open x", None)]
        {
            assert_eq!(password(line, true, true), found, "{line}");
        }
    }
}
