//! The `.newsrc` file: which groups the reader takes, and which of their articles have been read.
//!
//! The file is shared with slrn, tin and trn. So everything that is not changed is written again octet for octet: `options`
//! lines, lines nobody understands, the order, the spaces. When another program has changed the file meanwhile, what was done
//! here is done again on what it wrote ([`Newsrc::merge`]).

use super::articles::ArticleSet;
use memchr::memchr;
use std::collections::HashMap;

/// Whether the reader takes a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subscription {
    /// `group: 1-10`.
    Subscribed,
    /// `group! 1-10`.
    Unsubscribed,
}

/// A line that could not be read, or not all of it. It is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// The contents of a `.newsrc`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Newsrc {
    lines: Vec<Line>,
    /// Where each group's line is. Of several lines for one group the first counts.
    groups: HashMap<Vec<u8>, usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    /// As it was read, with its end; empty once it was changed.
    raw: Vec<u8>,
    group: Option<Group>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    name: Vec<u8>,
    subscription: Subscription,
    read: ArticleSet,
    /// The line of which not all could be read; with the first change it becomes a remark, so that nothing is lost.
    spoiled: Option<Vec<u8>>,
}

impl Newsrc {
    /// Reads a file's octets; also gives what could not be read.
    pub fn parse(octets: &[u8]) -> (Newsrc, Vec<Flaw>) {
        let mut newsrc = Newsrc::default();
        let mut flaws = Vec::new();
        let mut flaw = |line: usize, what: String| flaws.push(Flaw { line: line + 1, what });
        for (at, raw) in octets.split_inclusive(|b| *b == b'\n').enumerate() {
            let text = raw.trim_ascii_end();
            let mut group = group(text);
            match &group {
                None if !is_silent(raw) => flaw(at, "neither \":\" nor \"!\" after the name of a group".into()),
                Some((group, false)) => flaw(at, format!("{}: not a list of articles", group.name.escape_ascii())),
                _ => {}
            }
            if let Some((known, _)) = &group {
                if newsrc.groups.contains_key(&known.name) {
                    flaw(
                        at,
                        format!("{}: a second line for this group; the first one counts", known.name.escape_ascii()),
                    );
                    group = None;
                } else {
                    newsrc.groups.insert(known.name.clone(), at);
                }
            }
            newsrc.lines.push(Line { raw: raw.into(), group: group.map(|(group, _)| group) });
        }
        (newsrc, flaws)
    }

    /// The file's octets.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for line in &self.lines {
            // What the last line of a file lacks, if something comes after it now.
            if out.last().is_some_and(|b| *b != b'\n') {
                out.push(b'\n');
            }
            match &line.group {
                Some(group) if line.raw.is_empty() => group.write(&mut out),
                _ => out.extend_from_slice(&line.raw),
            }
        }
        out
    }

    /// The groups, in the order of the file.
    pub fn groups(&self) -> impl Iterator<Item = (&[u8], Subscription)> {
        self.lines
            .iter()
            .filter_map(|line| line.group.as_ref())
            .map(|group| (group.name.as_slice(), group.subscription))
    }

    /// The articles of a group that have been read; `None` for a group that is not in the file.
    pub fn read(&self, group: &[u8]) -> Option<&ArticleSet> {
        self.group(group).map(|group| &group.read)
    }

    /// Whether the reader takes a group; `None` for a group that is not in the file.
    pub fn subscription(&self, group: &[u8]) -> Option<Subscription> {
        self.group(group).map(|group| group.subscription)
    }

    /// Changes what has been read of a group. A group that is not in the file comes in, as one that the reader does not
    /// take, at the end.
    pub fn change(&mut self, group: &[u8], change: impl FnOnce(&mut ArticleSet)) {
        let mut read = self.read(group).cloned().unwrap_or_default();
        change(&mut read);
        self.set(group, self.subscription(group).unwrap_or(Subscription::Unsubscribed), read);
    }

    /// Takes a group, or takes it no longer.
    pub fn subscribe(&mut self, group: &[u8], subscription: Subscription) {
        let read = self.read(group).cloned().unwrap_or_default();
        self.set(group, subscription, read);
    }

    /// What `ours` changed since `base`, done again on `theirs`: nothing that either did is lost, but that an article that
    /// was marked unread here stays so.
    pub fn merge(ours: &Newsrc, base: &Newsrc, theirs: &Newsrc) -> Newsrc {
        let mut merged = theirs.clone();
        for group in ours.lines.iter().filter_map(|line| line.group.as_ref()) {
            let before = base.group(&group.name);
            if before == Some(group) {
                continue;
            }
            let nothing = ArticleSet::new();
            let was = before.map_or(&nothing, |before| &before.read);
            let now = theirs.read(&group.name).unwrap_or(&nothing);
            let read = now.union(&group.read.difference(was)).difference(&was.difference(&group.read));
            let resubscribed = before.is_none_or(|before| before.subscription != group.subscription);
            // A line that only came in because something was read does not end a subscription made elsewhere.
            let subscription = match theirs.subscription(&group.name) {
                Some(theirs) if !resubscribed || before.is_none() && theirs == Subscription::Subscribed => theirs,
                _ => group.subscription,
            };
            merged.set(&group.name, subscription, read);
        }
        merged
    }

    fn group(&self, name: &[u8]) -> Option<&Group> {
        self.lines[*self.groups.get(name)?].group.as_ref()
    }

    fn set(&mut self, name: &[u8], subscription: Subscription, read: ArticleSet) {
        let spoiled = self.group(name).and_then(|group| group.spoiled.clone());
        let group = Group { name: name.into(), subscription, read, spoiled };
        match self.groups.get(name) {
            Some(_) if self.group(name) == Some(&group) => {}
            Some(at) => self.lines[*at] = Line { raw: Vec::new(), group: Some(group) },
            // A name that would break the file is no group's.
            None if name.is_empty() || name.iter().any(|b| *b <= b' ' || b":!".contains(b)) => {}
            None => {
                self.groups.insert(name.into(), self.lines.len());
                self.lines.push(Line { raw: Vec::new(), group: Some(group) });
            }
        }
    }
}

impl Group {
    fn write(&self, out: &mut Vec<u8>) {
        if let Some(spoiled) = &self.spoiled {
            out.extend_from_slice(b"# ");
            out.extend_from_slice(spoiled);
            out.push(b'\n');
        }
        out.extend_from_slice(&self.name);
        out.extend_from_slice(match self.subscription {
            Subscription::Subscribed => b":",
            Subscription::Unsubscribed => b"!",
        });
        if !self.read.is_empty() {
            out.push(b' ');
            out.extend_from_slice(self.read.to_string().as_bytes());
        }
        out.push(b'\n');
    }
}

/// Lines that are no groups by intent: rn's options and what continues them, comments, nothing.
fn is_silent(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    text.is_empty() || text.starts_with(b"options ") || matches!(line[0], b' ' | b'\t' | b'#')
}

/// A group's line, and whether all of it could be read.
fn group(text: &[u8]) -> Option<(Group, bool)> {
    if text.is_empty() || is_silent(text) {
        return None;
    }
    let end = text.iter().position(|b| b":!".contains(b))?;
    let (name, rest) = text.split_at(end);
    if name.is_empty() || memchr(b' ', name).is_some() {
        return None;
    }
    let subscription = if rest[0] == b':' { Subscription::Subscribed } else { Subscription::Unsubscribed };
    let (read, whole) = ArticleSet::parse(&rest[1..]);
    let spoiled = (!whole).then(|| text.to_vec());
    Some((Group { name: name.into(), subscription, read, spoiled }, whole))
}
