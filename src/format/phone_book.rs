//! A CSO (Ph) server's answer → `Document` (RFC 2378): `-200:1:  name: X` lines, entry by entry.

use super::charset::Charset;
use super::gemtext::labelled;
use super::lines::{Endings, Lines};
use super::{Input, Parser};
use crate::doc::{BlockKind, Builder, sanitise};
use crate::role::Role;
use std::borrow::Cow;

/// Reads a phone book's answer.
pub struct PhoneBook {
    lines: Lines,
    state: State,
}

#[derive(Default)]
struct State {
    /// The number of the entry that is being read.
    entry: Option<u32>,
    entries: u32,
    strays: bool,
}

/// A line of the answer.
struct Reply<'a> {
    /// 200 is done, 1xx information, 4xx and 5xx errors.
    code: u16,
    entry: Option<u32>,
    text: &'a str,
}

impl PhoneBook {
    /// A parser for an answer.
    pub fn new(input: &Input) -> PhoneBook {
        PhoneBook { lines: Lines::new(input, Endings::Lf), state: State::default() }
    }
}

impl Parser for PhoneBook {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        match self.state.entries {
            0 => {}
            1 => out.document_mut().notes.push("1 entry".into()),
            n => out.document_mut().notes.push(format!("{n} entries")),
        }
        self.lines.tell(self.state.strays, out);
    }

    fn holds_back(&self) -> bool {
        self.lines.is_judging()
    }

    fn memory(&self) -> usize {
        self.lines.memory()
    }
}

impl<'a> Reply<'a> {
    /// `[-]code:[entry:]text`
    fn of(line: &'a str) -> Option<Reply<'a>> {
        let (code, rest) = line.strip_prefix('-').unwrap_or(line).split_once(':')?;
        let code = code.trim().parse().ok()?;
        match rest.split_once(':').and_then(|(entry, text)| Some((entry.trim().parse().ok()?, text))) {
            Some((entry, text)) => Some(Reply { code, entry: Some(entry), text }),
            None => Some(Reply { code, entry: None, text: rest }),
        }
    }
}

impl State {
    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        let line = charset.decode(line);
        self.strays |= matches!((charset, &line), (Charset::Utf8, Cow::Owned(_)));
        match Reply::of(&line) {
            None if line.trim().is_empty() => {}
            None => {
                out.block(BlockKind::Line, Role::Text);
                out.text(&sanitise(&line));
            }
            Some(Reply { code: 200, entry: Some(entry), text }) => self.field(entry, text, out),
            // "Ok.", "Database ready", "Bye!": for programs.
            Some(Reply { code: 200..=299, entry: None, .. }) => {}
            Some(Reply { code: 100..=199, text, .. }) => say(text, Role::Info, out),
            // 508: the entry has no such field; that is no failure of the question.
            Some(Reply { code: 508, entry: Some(entry), text }) => self.field(entry, text, out),
            Some(reply) => say(reply.text, Role::Error, out),
        }
    }

    fn field(&mut self, entry: u32, text: &str, out: &mut Builder) {
        if self.entry != Some(entry) {
            if self.entry.is_some() {
                out.block(BlockKind::Rule, Role::Rule);
            }
            self.entry = Some(entry);
            self.entries += 1;
        }
        let (label, value) = text.split_once(':').unwrap_or(("", text));
        let (label, value) = (label.trim(), value.trim());
        labelled(label, out);
        let mail = label.eq_ignore_ascii_case("email") && value.contains('@') && !value.contains(char::is_whitespace);
        if mail {
            out.link(&sanitise(value), Role::Link, &format!("mailto:{value}"));
        } else {
            out.styled(&sanitise(value), if label == "name" { Role::Strong } else { Role::Text });
        }
    }
}

fn say(text: &str, role: Role, out: &mut Builder) {
    out.block(BlockKind::Paragraph, role);
    out.text(&sanitise(text.trim()));
}
