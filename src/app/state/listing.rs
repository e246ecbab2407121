//! Lines of a listing → what they name.

use super::transfers::Why;
use crate::doc::sanitise;
use crate::format::charset::{Charset, Said};
use crate::format::lines::{self, Endings, Lines};
use crate::format::listing::{Entry, Kind, Line, Time, mlsd};
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};
use std::sync::Arc;

/// Octets of a line; a longer one names nothing that a disk could hold.
const LONGEST: usize = 16 * 1024;

/// An entry.
#[derive(Debug)]
pub(in crate::app) struct Found {
    /// Its name as the server has it.
    pub octets: Vec<u8>,
    /// Its name alone, without the version that VMS asks for.
    pub name: Vec<u8>,
    /// Its name in characters.
    pub shown: String,
    /// What its line is read by.
    pub charset: Charset,
    pub directory: bool,
    pub size: Option<u64>,
    /// The last change, as exactly as it is told.
    pub modified: Option<Time>,
    /// Whether somebody may run it where it comes from.
    pub runs: bool,
    /// Where a link leads, when it is said.
    pub target: Option<Vec<u8>>,
    /// What the server calls it, wherever it is listed.
    pub mark: Option<Vec<u8>>,
    /// The directory in which it really lies, where that is not the one that is listed.
    pub place: Option<Arc<str>>,
    /// Why it is not saved.
    pub left: Option<Why>,
}

/// Reads a listing, each line in the charset in which its page would show it: names come when that is known.
#[derive(Debug)]
pub(in crate::app) struct Reader {
    lines: Lines,
    state: State,
}

#[derive(Debug, Default)]
struct State {
    /// The rest of a line that is too long is being skipped.
    skipping: bool,
    /// Where the files that follow really lie: those that a listing of a server names.
    place: Option<Arc<str>>,
    modified: Option<Time>,
}

impl Reader {
    /// Of a listing of which this is said, from this host.
    pub(in crate::app) fn new(said: Option<&Said>, host: Option<&str>) -> Reader {
        Reader { lines: Lines::of(said, host, Endings::Lf), state: State::default() }
    }

    /// Takes the next octets.
    pub(in crate::app) fn feed(&mut self, octets: &[u8]) -> Vec<Found> {
        let (Reader { lines, state }, mut found) = (self, Vec::new());
        lines.feed(octets, &mut |line, charset| found.extend(state.line(line, charset)));
        found
    }

    /// Takes the end.
    pub(in crate::app) fn finish(&mut self) -> Vec<Found> {
        let (Reader { lines, state }, mut found) = (self, Vec::new());
        lines.finish(&mut |line, charset| found.extend(state.line(line, charset)));
        found
    }

    /// The last change of the directory that is listed, where the listing says it.
    pub(in crate::app) fn modified(&self) -> Option<Time> {
        self.state.modified
    }
}

impl State {
    fn line(&mut self, line: &[u8], charset: Charset) -> Option<Found> {
        let skipped = std::mem::replace(&mut self.skipping, line.len() >= lines::LONGEST);
        if skipped {
            return None;
        }
        if line.len() > LONGEST {
            return Some(left("a name without end".into(), Why::Name, charset));
        }
        let unread = |text: &[u8]| {
            let text = sanitise(&charset.decode(text)).trim().to_owned();
            (!text.is_empty()).then(|| left(text, Why::Line, charset))
        };
        match mlsd::line(line) {
            Some(Line::Entry(Entry { kind: Kind::Dots, place: Some(place), .. })) => {
                self.place = Some(String::from_utf8_lossy(place).into());
                None
            }
            Some(Line::Entry(Entry { kind: Kind::Dots, name, modified: Some(time), .. })) if *name == *b"." => {
                self.modified = Some(time);
                None
            }
            Some(Line::Entry(entry)) => Some(Found { place: self.place.clone(), ..found(&entry, charset)? }),
            // Who wrote it may have meant a file.
            Some(Line::Text(text)) => unread(text),
            None => unread(line),
        }
    }
}

/// What is no entry, in words.
fn left(shown: String, why: Why, charset: Charset) -> Found {
    Found {
        octets: Vec::new(),
        name: Vec::new(),
        shown,
        charset,
        directory: false,
        size: None,
        modified: None,
        runs: false,
        target: None,
        mark: None,
        place: None,
        left: Some(why),
    }
}

fn found(entry: &Entry<'_>, charset: Charset) -> Option<Found> {
    let left = match entry.kind {
        Kind::Dots => return None,
        Kind::Link => Some(Why::Link),
        Kind::Other => Some(Why::Device),
        Kind::Directory | Kind::File | Kind::Unknown => None,
    };
    let mut octets = entry.name.to_vec();
    if let Some(version) = entry.version {
        octets.push(b';');
        octets.extend_from_slice(version);
    }
    // What is shown here goes into file names too, which are cleaned once more.
    let shown = sanitise(&charset.decode(&entry.name)).into_owned();
    let directory = entry.kind == Kind::Directory;
    let name = entry.name.to_vec();
    let (target, mark) = (entry.target.map(<[u8]>::to_vec), entry.unique.map(<[u8]>::to_vec));
    let (size, modified) = (entry.size, entry.modified);
    let runs = entry.access.mode.is_some_and(|mode| mode & 0o111 != 0);
    Some(Found { octets, name, shown, charset, directory, size, modified, runs, target, mark, place: None, left })
}

/// The URL of an entry.
pub(in crate::app) fn child(directory: &Url, found: &Found) -> Option<Url> {
    let slash = if found.directory { "/" } else { "" };
    if scheme::family(directory) == Family::Ftp {
        return scheme::ftp::entry(directory, &found.octets, found.directory).ok();
    }
    // Only a listing of the program's own says such a thing, and of that server alone.
    if let Some(place) =
        found.place.as_deref().filter(|_| scheme::family(directory) == Family::Archive && !found.directory)
    {
        let url = Url::parse(format!("{place}{}", escape::encode(&found.octets, escape::FTP_SEGMENT))).ok()?;
        return (scheme::is_of_one_server(directory, &url) && scheme::plan(&url).is_ok()).then_some(url);
    }
    let text = directory.without_fragment();
    let base = text.as_str().split('?').next().unwrap_or_default().trim_end_matches('/');
    let url = Url::parse(format!("{base}/{}{slash}", escape::encode(&found.octets, escape::FTP_SEGMENT))).ok()?;
    scheme::plan(&url).is_ok().then_some(url)
}
