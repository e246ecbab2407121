//! Archives that were opened, with their tables: the last few stay at hand.

use super::octets::Octets;
use crate::archive::{Archive, Begins, Fault, Found, Member, Why};
use crate::proto::space;
use crate::stop::Stop;
use crate::url::scheme::archive::words;
use crate::url::{Siblings, Url, escape};
use jiff::Timestamp;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Archives that stay at hand.
const AT_HAND: usize = 4;
/// Octets of a text that is put by: what is longer comes once more, if anybody asks for it.
const SHORT: usize = 4 << 20;

/// Archives that were read and stay at hand. Clones are one.
#[derive(Clone, Default)]
pub struct Shelf {
    rows: Arc<Mutex<Vec<Row>>>,
    /// The last file that was taken for a listing by its name and is none, for whoever wants it as it is.
    text: Arc<Mutex<Option<(Url, Text)>>>,
}

/// A file that is no archive.
#[derive(Clone)]
pub(in crate::proto) struct Text {
    pub octets: Arc<[u8]>,
    pub modified: Option<Timestamp>,
}

/// The URL of an archive, and what was read of it; the one that was wanted last stands last.
type Row = (String, Arc<Opened>);

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Shelf({})", self.all().len())
    }
}

impl Shelf {
    fn all(&self) -> MutexGuard<'_, Vec<Row>> {
        // Whoever panicked left a list behind that is whole.
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts by what is no archive, if it is short.
    pub(super) fn put_by(&self, file: &Url, text: Text) {
        if text.octets.len() > SHORT {
            return;
        }
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = Some((file.clone(), text));
    }

    /// Takes it, if it is this file's.
    pub(super) fn take_text(&self, file: &Url) -> Option<Text> {
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        text.take_if(|(url, _)| url == file).map(|(_, text)| text)
    }

    pub(super) fn find(&self, file: &Url) -> Option<Arc<Opened>> {
        let mut all = self.all();
        let at = all.iter().position(|(url, _)| url == file.as_str())?;
        let found = all.remove(at);
        let opened = Arc::clone(&found.1);
        all.iter().for_each(|(_, other)| other.archive.rest());
        all.push(found);
        Some(opened)
    }

    pub(super) fn drop(&self, file: &Url) {
        self.all().retain(|(url, _)| url != file.as_str());
    }

    /// Keeps one, and no more of the others than there is room for.
    pub(super) fn keep(&self, file: &Url, opened: &Arc<Opened>, most: usize) {
        let mut all = self.all();
        all.retain(|(url, _)| url != file.as_str());
        all.iter().for_each(|(_, other)| other.archive.rest());
        all.push((file.as_str().into(), Arc::clone(opened)));
        let mut held = 0;
        let fits = |(_, opened): &&Row| {
            held += opened.memory();
            held <= most
        };
        let count = all.iter().rev().take(AT_HAND).take_while(fits).count().max(1);
        let gone = all.len() - count;
        all.drain(..gone);
    }
}

/// An archive whose table was read.
pub(super) struct Opened {
    pub archive: Archive,
    pub octets: Octets,
    /// What is to be known of how it came.
    pub remark: Option<String>,
    /// Of a recursive listing, the URL of the directory that its top is.
    pub place: Option<String>,
    /// Of what was kept of the web, which address is in it where.
    pub siblings: Option<Arc<Siblings>>,
}

/// What is in a folder, and what is to be known of the list.
type Rows = (Vec<u8>, Option<String>);

/// What a path in an archive leads to.
pub(super) enum Met {
    Folder(Vec<u8>),
    Member(Member),
    /// To a file of the server that a listing is of.
    Elsewhere(Url),
}

impl Opened {
    pub fn find(&self, path: &[u8], stop: &Stop) -> Result<Met, Fault> {
        if let Some(zim) = self.archive.zim() {
            let found = zim.find(path, &mut *self.octets.source()?, stop)?;
            return Ok(found.map_or_else(|| Met::Folder(path.strip_suffix(b"/").unwrap_or(path).to_vec()), Met::Member));
        }
        let elsewhere = |place: &str, path: &[u8]| {
            let url = Url::parse(format!("{place}{}", escape::encode(path, escape::FTP_PATH)));
            url.map(Met::Elsewhere).map_err(|error| Fault { why: Why::Broken, says: format!("{error}.") })
        };
        match (self.archive.find(path), &self.place) {
            (Ok(Found::Folder(path)), _) => Ok(Met::Folder(path)),
            (Ok(Found::Member(found)), _) if path.ends_with(b"/") => {
                let name = String::from_utf8_lossy(&found.path);
                Err(Fault { why: Why::Missing, says: format!("{name} is a file, no folder.") })
            }
            (Ok(Found::Member(found)), Some(place)) => elsewhere(place, &found.path),
            (Ok(Found::Member(found)), None) => Ok(Met::Member(found.clone())),
            // The server knows where its links lead.
            (Err(_), Some(place)) if self.archive.has(path) => elsewhere(place, path),
            (Err(fault), _) => Err(fault),
        }
    }

    /// What is in a folder; or all that is below it, where only what has these words is wanted.
    pub fn listing(&self, folder: &[u8], words: Option<&[Vec<u8>]>, stop: &Stop) -> Result<Rows, Fault> {
        if let Some(zim) = self.archive.zim() {
            return zim.listing(folder, words, &mut *self.octets.source()?, stop);
        }
        let rows = match words {
            Some(words) => self.archive.tree(folder, words),
            None => self.archive.listing(folder),
        };
        let Some(place) = &self.place else { return Ok((rows, None)) };
        let slash = if folder.is_empty() { "" } else { "/" };
        let folder = escape::encode(folder, escape::FTP_PATH);
        Ok(([format!("type=cdir;x.place={place}{folder}{slash}; .\n").as_bytes(), &rows].concat(), None))
    }

    /// What it opens with, where nothing but itself was asked for.
    pub fn begins(&self, member: &[u8], url: &Url) -> Option<Begins> {
        self.archive.begins().filter(|_| member.is_empty() && words(url).is_none())
    }

    fn memory(&self) -> usize {
        self.octets.memory() + self.archive.memory() + self.siblings.as_deref().map_or(0, space::memory)
    }
}
