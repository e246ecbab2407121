//! Where links lead, of servers whose MLSD does not say it (ProFTPD, Pure-FTPd): lines of such links are held until the listing has
//! ended, and one LIST of the same directory tells. Who is not told there either stays without. A link that leads nowhere stands in
//! that LIST alone.
//!
//! Refuses: to ask anything where no link is in doubt and none has been, or where nobody wants to know.

use super::data::Data;
use super::session::Session;
use crate::format::listing::{Converter, Entry, Kind, Line, mlsd};
use std::collections::{BTreeMap, BTreeSet};

/// Octets of a line; a longer one is no link's.
const LONGEST: usize = 16 * 1024;
/// Read at once.
const CHUNK: usize = 32 * 1024;
/// Names that are held of a directory, as many as are taken of a tree: what comes after them is passed on as it is, and nothing is added.
const MOST: usize = 100_000;

/// A listing by MLSD on its way, without its links in doubt.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    rest: Vec<u8>,
    /// The rest of a line that is too long is being passed on.
    passing: bool,
    /// Lines of links without a target.
    held: Vec<Vec<u8>>,
    /// The names of all else.
    names: BTreeSet<Vec<u8>>,
}

impl Doubts {
    /// Takes the next octets; appends what is in no doubt.
    pub(super) fn feed(&mut self, octets: &[u8], out: &mut Vec<u8>) {
        for piece in octets.split_inclusive(|octet| *octet == b'\n') {
            self.rest.extend_from_slice(piece);
            let ends = piece.ends_with(b"\n");
            match self.passing || self.rest.len() > LONGEST {
                true => out.append(&mut self.rest),
                false if ends => self.line(out),
                false => continue,
            }
            self.passing = !ends;
        }
    }

    /// Takes the end.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.line(out);
    }

    fn line(&mut self, out: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.rest);
        match mlsd::line(ended(&line)) {
            Some(Line::Entry(Entry { kind: Kind::Link, target: None, .. })) if self.held.len() < MOST => {
                return self.held.push(line);
            }
            Some(Line::Entry(Entry { name, .. })) if self.names.len() < MOST => {
                self.names.insert(name.into_owned());
            }
            _ => {}
        }
        out.extend_from_slice(&line);
    }

    /// Appends the lines that were held, with the targets that a listing tells over a data connection, if there is one.
    pub(super) async fn settle(
        &mut self,
        told: Option<(&mut Session, Data, Converter)>,
        limit: u64,
        out: &mut Vec<u8>,
    ) {
        let wanted = self.held.iter().filter_map(|line| link(line)).collect();
        let names = std::mem::take(&mut self.names);
        let mut targets = Targets { wanted, names, known: BTreeMap::new(), unlisted: Vec::new() };
        if let Some((session, data, converter)) = told {
            targets.read(session, data, converter, limit).await;
        }
        let Targets { known, unlisted, .. } = targets;
        for line in std::mem::take(&mut self.held) {
            match link(&line).and_then(|name| Some((name, known.get(name)?))) {
                Some((name, target)) => with_target(&line, name, target, out),
                None => out.extend_from_slice(&line),
            }
        }
        out.extend_from_slice(&unlisted);
    }

    /// Whether any link is in doubt.
    pub(super) fn is_any(&self) -> bool {
        !self.held.is_empty()
    }
}

fn ended(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The name in a line of a link without a target.
fn link(line: &[u8]) -> Option<&[u8]> {
    let line = ended(line);
    match mlsd::line(line)? {
        Line::Entry(Entry { kind: Kind::Link, target: None, name, .. }) => Some(&line[line.len() - name.len()..]),
        _ => None,
    }
}

/// A line of a link, with its target in place of what its type was.
fn with_target(line: &[u8], name: &[u8], target: &[u8], out: &mut Vec<u8>) {
    let line = ended(line);
    let facts = &line[..line.len() - name.len() - 1];
    let is_type = |fact: &&[u8]| fact.get(..5).is_some_and(|key| key.eq_ignore_ascii_case(b"type="));
    out.extend_from_slice(&[b"type=OS.unix=slink:", target, b";"].concat());
    for fact in facts.split(|octet| *octet == b';').filter(|fact| !fact.is_empty() && !is_type(fact)) {
        out.extend_from_slice(&[fact, b";"].concat());
    }
    out.extend_from_slice(&[b" ", name, b"\r\n"].concat());
}

/// Where links lead, by their names.
struct Targets<'a> {
    wanted: BTreeSet<&'a [u8]>,
    /// What is in no doubt.
    names: BTreeSet<Vec<u8>>,
    known: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Lines of links that MLSD has left out.
    unlisted: Vec<u8>,
}

impl Targets<'_> {
    /// Reads a listing as far as it comes.
    async fn read(&mut self, session: &mut Session, mut data: Data, mut converter: Converter, limit: u64) {
        let (mut buffer, mut out, mut octets) = (vec![0; CHUNK], Vec::new(), 0);
        while let Ok(count @ 1..) = data.read(&mut buffer).await {
            octets += count as u64;
            converter.feed(&buffer[..count], &mut out);
            self.take(&mut out);
            if octets > limit {
                return session.leave(data).await;
            }
        }
        converter.finish(&mut out);
        self.take(&mut out);
        // What has come of it is good, whatever is said of the rest.
        let _ = session.finish(data).await;
    }

    fn take(&mut self, lines: &mut Vec<u8>) {
        for line in lines.split_inclusive(|octet| *octet == b'\n') {
            let Some(Line::Entry(Entry { kind: Kind::Link, target: Some(target), name, .. })) = mlsd::line(ended(line))
            else {
                continue;
            };
            if self.wanted.contains(&*name) {
                self.known.insert(name.into_owned(), target.to_vec());
            } else if self.names.len() < MOST && self.names.insert(name.into_owned()) {
                self.unlisted.extend_from_slice(line);
            }
        }
        lines.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A listing without end was held until it had one.
    #[test]
    fn so_many_names_are_held_and_all_are_passed_on() {
        let rows: String = (0..MOST + 5).map(|n| format!("type=file; {n}\r\ntype=OS.unix=symlink; l{n}\r\n")).collect();
        let (mut doubts, mut out) = (Doubts::default(), Vec::new());
        doubts.feed(rows.as_bytes(), &mut out);
        assert_eq!((doubts.names.len(), doubts.held.len()), (MOST, MOST));
        let held: usize = doubts.held.iter().map(Vec::len).sum();
        assert_eq!(out.len() + held, rows.len());
    }
}
