//! `application/x-newsgroups` → `Document`: the groups of a server.
//!
//! Groups come first, their descriptions later. So the parser keeps what belongs together, and writes a row for each group as
//! it comes, without a description: block `n` and link `n` are those of group `n`.

use super::charset::Charset;
use super::lines::{Endings, Lines};
use super::newsgroup::Place;
use super::rewritten::{Reading, Rewriter, Rewritten};
use super::{Input, Parser, size};
use crate::doc::{Align, BlockKind, Builder, Column, Document, Marker, sanitise};
use crate::role::Role;
use std::borrow::Cow;
use std::collections::HashMap;

/// Reads a list of groups.
pub struct Newsgroups {
    lines: Lines,
    state: State,
}

struct State {
    place: Place,
    begun: bool,
    /// Each group's number.
    numbers: HashMap<Vec<u8>, u32>,
    /// What is said of groups, sanitised.
    descriptions: HashMap<u32, String>,
    strays: bool,
}

impl Newsgroups {
    /// A parser for the list of `input.url`.
    pub fn new(input: &Input) -> Newsgroups {
        let place = Place::of(&input.url);
        let (numbers, descriptions) = (HashMap::new(), HashMap::new());
        let state = State { place, begun: false, numbers, descriptions, strays: false };
        Newsgroups { lines: Lines::new(input.charset.as_deref(), Endings::Lf), state }
    }
}

impl Parser for Newsgroups {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.begin(out);
        let groups = match self.state.numbers.len() {
            1 => "1 group".into(),
            n => format!("{} groups", size::count(n)),
        };
        out.document_mut().notes.push(groups);
        out.document_mut().notes.append(&mut self.lines.notes(self.state.strays));
    }

    fn rewrite(&mut self, _: &Reading, given: &Document) -> Option<Rewritten> {
        Some(self.state.rewrite(given))
    }
}

impl State {
    fn begin(&mut self, out: &mut Builder) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let column = |title: &str, width, align, role, needs| Column { title: title.into(), width, align, role, needs };
        out.document_mut().columns = vec![
            column("group", 0, Align::Left, Role::Text, 0),
            column("articles", 9, Align::Right, Role::Size, 36),
            column("description", 0, Align::Left, Role::Info, 60),
        ];
    }

    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        self.begin(out);
        let mut fields = line.splitn(6, |b| *b == b'\t').map(<[u8]>::trim_ascii);
        let mut field = || fields.next().unwrap_or_default();
        let (name, low, high, count, status, description) = (field(), field(), field(), field(), field(), field());
        if name.is_empty() {
            return;
        }
        let said = [low, high, count, status].iter().any(|field| !field.is_empty());
        let known = self.numbers.get(name).copied();
        let number = match known {
            Some(number) => number,
            // A description of a group that is not in the list.
            None if !said && !description.is_empty() => return,
            None => {
                let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
                self.numbers.insert(name.into(), number);
                self.group(name, articles(low, high, count), status, charset, out);
                number
            }
        };
        // Some servers write a mark for moderated groups into the description as well.
        if !description.is_empty() && description != b"?" {
            let description = self.cell(description, charset);
            if known.is_none() {
                out.text(&description);
            }
            self.descriptions.insert(number, description);
        }
    }

    fn group(&mut self, name: &[u8], articles: Option<u64>, status: &[u8], charset: Charset, out: &mut Builder) {
        let text = self.cell(name, charset);
        out.marked(BlockKind::Row, Role::Text, Marker::None, 0);
        out.link(&text, Role::Link, &self.place.group(name));
        out.text("\t");
        let count = articles.map(|articles| size::count(usize::try_from(articles).unwrap_or(usize::MAX)));
        out.text(&count.unwrap_or_default());
        out.text("\t");
        match (status.first(), status) {
            (Some(b'm'), _) => out.styled("(moderated) ", Role::Dim),
            (Some(b'n' | b'x' | b'j'), _) => out.styled("(no posting) ", Role::Dim),
            (Some(b'='), [_, other @ ..]) => {
                let other = self.cell(other, charset);
                out.styled(&format!("(now {other}) "), Role::Dim);
            }
            _ => {}
        }
    }

    /// The groups by name, with their descriptions.
    fn rewrite(&self, given: &Document) -> Rewritten {
        let mut groups: Vec<(&[u8], u32)> =
            self.numbers.iter().map(|(name, group)| (name.as_slice(), *group)).collect();
        groups.sort_unstable();
        let mut writer = Rewriter::new(given);
        for (_, group) in groups {
            writer.block(group, BlockKind::Row, Role::Text);
            writer.copy(group, 0);
            // One that came with the group stands there already.
            if let Some(description) = self.descriptions.get(&group)
                && !given.block_text(group).ends_with(description)
            {
                writer.out.text(description);
            }
        }
        writer.finish()
    }

    fn cell(&mut self, octets: &[u8], charset: Charset) -> String {
        let text = charset.decode(octets);
        self.strays |= matches!((charset, &text), (Charset::Utf8, Cow::Owned(_)));
        sanitise(text.trim()).replace('\t', " ")
    }
}

/// How many articles there are: as counted, else at most as many as there are numbers.
fn articles(low: &[u8], high: &[u8], count: &[u8]) -> Option<u64> {
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<u64>().ok();
    number(count).or_else(|| match (number(low)?, number(high)?) {
        (_, 0) => Some(0),
        (low, high) => Some((high + 1).saturating_sub(low.max(1))),
    })
}
