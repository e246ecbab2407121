//! What the FTP server has: a tree of names that are octets, read from `assets/tour/ftp/index.txt`. Links are followed here,
//! and nothing leads out of it.

use crate::tour::Doors;
use crate::tour::decoded;
use std::collections::BTreeMap;

/// The entries; its head says in what form.
const INDEX: &str = include_str!("../../../assets/tour/ftp/index.txt");

/// What the index calls by name.
const CONTENTS: &[(&str, Source)] = &[
    ("welcome.txt", Source::Text(include_str!("../../../assets/tour/ftp/welcome.txt"))),
    ("README", Source::Text(include_str!("../../../assets/tour/ftp/README"))),
    ("steps.txt", Source::Text(include_str!("../../../assets/tour/ftp/steps.txt"))),
    ("two.txt", Source::Text(include_str!("../../../assets/tour/ftp/two.txt"))),
    ("verse.txt", Source::Text(include_str!("../../../assets/tour/ftp/verse.txt"))),
    ("odd.txt", Source::Text(include_str!("../../../assets/tour/ftp/odd.txt"))),
    ("odd-readme.txt", Source::Text(include_str!("../../../assets/tour/ftp/odd-readme.txt"))),
    ("shelf.txt", Source::Text(include_str!("../../../assets/tour/ftp/shelf.txt"))),
    ("shelf-readme.txt", Source::Text(include_str!("../../../assets/tour/ftp/shelf-readme.txt"))),
    ("letters.txt", Source::Text(include_str!("../../../assets/tour/ftp/letters.txt"))),
    ("root.txt", Source::Text(include_str!("../../../assets/tour/ftp/root.txt"))),
    ("attic.txt", Source::Text(include_str!("../../../assets/tour/ftp/attic.txt"))),
    ("ada.txt", Source::Text(include_str!("../../../assets/tour/ftp/ada.txt"))),
    ("kite.tar.gz", Source::Octets(include_bytes!("../../../assets/tour/ftp/kite.tar.gz"))),
    ("kite.png", Source::Octets(include_bytes!("../../../assets/tour/ftp/kite.png"))),
    ("ruler", Source::Ruler),
];

/// Lines of the ruler.
const RULED: usize = 2048;
/// Links followed on one way.
const LINKS: usize = 8;

/// Where an entry's octets come from.
enum Source {
    /// A text that may name the servers.
    Text(&'static str),
    /// As they are.
    Octets(&'static [u8]),
    /// Lines of 64 octets that say where they begin, so that a resumed copy can be checked by eye.
    Ruler,
}

/// The way to an entry from the root, which is empty.
pub(super) type Path = Vec<Vec<u8>>;

/// How fast a file is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// At once.
    Quick,
    /// So that one can watch it, stop it and go on.
    Slow,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// A directory, and the text at its door.
    Directory(String),
    /// A file.
    File(Vec<u8>, Pace),
    /// A link, as it is written.
    Link(Vec<u8>),
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The last change, `YYYYMMDDhhmmss` in UTC.
    pub modified: &'static str,
    /// What it is.
    pub what: What,
}

/// All entries by their way from the root.
#[derive(Debug, Default)]
pub(super) struct Archive {
    entries: BTreeMap<Path, Entry>,
}

impl Archive {
    /// Reads the index; texts name the servers.
    pub fn new(doors: &Doors) -> Archive {
        let lines = INDEX.lines().filter(|line| line.starts_with('/'));
        Archive { entries: lines.filter_map(|line| row(line, doors)).collect() }
    }

    /// The entry that a name leads to from a directory, links followed, and where it is.
    pub fn find(&self, from: &[Vec<u8>], name: &[u8]) -> Option<(Path, &Entry)> {
        let mut links = LINKS;
        let path = self.walk(from, name, &mut links)?;
        let entry = self.entries.get(&path)?;
        Some((path, entry))
    }

    fn walk(&self, from: &[Vec<u8>], name: &[u8], links: &mut usize) -> Option<Path> {
        let mut path = if name.starts_with(b"/") { Path::new() } else { from.to_vec() };
        for segment in name.split(|octet| *octet == b'/') {
            match segment {
                b"" | b"." => continue,
                b".." => {
                    path.pop();
                    continue;
                }
                _ => {}
            }
            if !matches!(self.entries.get(&path)?.what, What::Directory(_)) {
                return None;
            }
            path.push(segment.to_vec());
            if let What::Link(target) = &self.entries.get(&path)?.what {
                *links = links.checked_sub(1)?;
                path.pop();
                path = self.walk(&path, target, links)?;
            }
        }
        Some(path)
    }

    /// What is in a directory, links not followed.
    pub fn children(&self, directory: &[Vec<u8>]) -> impl Iterator<Item = (&[u8], &Entry)> {
        let depth = directory.len() + 1;
        let within = self.entries.range(directory.to_vec()..).take_while(move |(path, _)| path.starts_with(directory));
        within.filter(move |(path, _)| path.len() == depth).filter_map(|(path, entry)| Some((&**path.last()?, entry)))
    }
}

/// A line of the index; `None` where it is none.
fn row(line: &'static str, doors: &Doors) -> Option<(Path, Entry)> {
    let mut words = line.splitn(4, ' ').map(str::trim_start);
    let (path, modified, sign, rest) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let content =
        |name: &str| CONTENTS.iter().find(|(known, _)| *known == name).map(|(_, source)| source.octets(doors));
    let file = |pace| Some(What::File(content(rest)?, pace));
    let what = match sign {
        "/" => What::Directory(String::from_utf8(content(rest)?).ok()?),
        "@" => file(Pace::Quick)?,
        "~" => file(Pace::Slow)?,
        "=" => What::File(doors.fill(&format!("{rest}\n")).into_bytes(), Pace::Quick),
        "->" => What::Link(decoded(rest)),
        _ => return None,
    };
    let path = path.split('/').filter(|segment| !segment.is_empty()).map(decoded).collect();
    Some((path, Entry { modified, what }))
}

impl Source {
    fn octets(&self, doors: &Doors) -> Vec<u8> {
        match self {
            Source::Text(text) => doors.fill(text).into_bytes(),
            Source::Octets(octets) => octets.to_vec(),
            Source::Ruler => (0..RULED).flat_map(|line| ruled(line).into_bytes()).collect(),
        }
    }
}

/// 64 octets.
fn ruled(line: usize) -> String {
    format!("{:>6} {}\n", line * 64, "----+----|".repeat(6).get(..56).unwrap_or_default())
}
