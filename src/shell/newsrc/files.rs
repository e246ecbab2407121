//! The files themselves: under a lock one is read again, what was done here is done on it, and the whole takes its place in one
//! step. Two copies of the browser lose none of each other's marks, and other programs, which write when they end what they
//! read when they began, make nothing unread that they never saw (`news::Journal`). A file that cannot be read is never written.

use super::journals::{Journals, holder, sum};
use crate::disk;
use crate::news::{Flaw, Newsrc};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What has become of a file.
#[derive(Debug)]
pub(super) struct Synced {
    /// What holds now.
    pub(super) newsrc: Arc<Newsrc>,
    /// What is wrong in it.
    pub(super) remark: Option<String>,
    /// Why it could not be written.
    pub(super) written: Result<(), String>,
}

/// The newsrc files of this run.
pub(super) struct Files {
    /// What each file held when it was last read or written.
    known: BTreeMap<PathBuf, Held>,
    /// Which file stands for another one.
    places: BTreeMap<PathBuf, PathBuf>,
    safe: bool,
    journals: Journals,
}

#[derive(Default)]
struct Held {
    octets: Vec<u8>,
    newsrc: Arc<Newsrc>,
    /// What was not written since, is what has changed since this.
    owed: Option<Arc<Newsrc>>,
}

impl Files {
    pub(super) fn new(safe: bool, journals: Journals) -> Files {
        Files { known: BTreeMap::new(), places: BTreeMap::new(), safe, journals }
    }

    /// Where a file is, for as long as the program runs.
    fn place(&mut self, asked: &Path) -> PathBuf {
        let place = || slrns(asked).unwrap_or_else(|| asked.to_path_buf());
        self.places.entry(asked.to_path_buf()).or_insert_with(place).clone()
    }

    /// Does on a file what `ours` changed since `base`.
    pub(super) fn sync(&mut self, asked: &Path, ours: &Arc<Newsrc>, base: &Arc<Newsrc>) -> Synced {
        let path = &self.place(asked);
        let journals = &mut self.journals;
        let fresh = !self.known.contains_key(path);
        let known = self.known.entry(path.to_path_buf()).or_default();
        let base = known.owed.take().unwrap_or_else(|| Arc::clone(base));
        let changed = *ours != base;
        let others = || match fresh {
            true => path.exists() && journals.has(path),
            false => disk::read(path).is_ok_and(|octets| octets != known.octets),
        };
        let locked = if !self.safe && (changed || others()) { disk::lock(path).map(Some) } else { Ok(None) };
        let octets = match disk::read(path) {
            Ok(octets) => octets,
            Err(error) => {
                known.owed = Some(base);
                let what = "it cannot be read, and what you read now is not kept yet";
                let written = Err(format!("{}; {what}", disk::wrong(path, &error)));
                return Synced { newsrc: Arc::clone(ours), remark: None, written };
            }
        };
        let (mut remark, mut regained) = (None, None);
        let foreign = fresh || octets != known.octets;
        if !foreign && !changed {
            return Synced { newsrc: Arc::clone(&known.newsrc), remark, written: Ok(()) };
        }
        let before = journals.read(path);
        let mut journal = before.clone();
        if foreign {
            let (theirs, flaws) = Newsrc::parse(&octets);
            if fresh {
                let elsewhere = (path != asked).then(|| instead(asked, path));
                let said: Vec<String> = elsewhere.into_iter().chain(told(path, &flaws)).collect();
                remark = Some(said.join("; ")).filter(|said| !said.is_empty());
            }
            regained = journal.regain(&theirs, disk::has_ended, sum).map(Arc::new);
            *known = Held { octets, newsrc: Arc::new(theirs), owed: None };
        } else {
            journal.release(disk::has_ended);
        }
        let there = regained.as_ref().unwrap_or(&known.newsrc);
        let merged = match base == *there {
            _ if !changed => Arc::clone(there),
            true => Arc::clone(ours),
            false => Arc::new(Newsrc::merge(ours, &base, there)),
        };
        let octets = merged.write();
        let mut written = Ok(());
        if octets != known.octets {
            // Held until the journal has it, too: another copy reads both.
            let replaced = match &locked {
                _ if self.safe => Ok(()),
                Ok(_) => disk::replace(path, &octets),
                Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
            };
            match replaced {
                Ok(()) if self.safe => known.owed = Some(base),
                Ok(()) => {
                    journal.wrote(&known.newsrc, &merged, holder(path).as_deref(), sum(&merged));
                    *known = Held { octets, newsrc: Arc::clone(&merged), owed: None };
                }
                Err(error) => {
                    known.owed = Some(base);
                    written = Err(format!("{}; what you read is not kept yet", disk::wrong(path, &error)));
                }
            }
        }
        if !self.safe && journal != before {
            remark = remark.or(journals.write(path, journal).err());
        }
        drop(locked);
        Synced { newsrc: merged, remark, written }
    }
}

/// slrn's own file, where there is none that all newsreaders read.
fn slrns(path: &Path) -> Option<PathBuf> {
    let own = path.with_file_name(".jnewsrc");
    (path.file_name()? == ".newsrc" && !path.exists() && own.is_file()).then_some(own)
}

/// That another file is used than the settings name.
fn instead(asked: &Path, path: &Path) -> String {
    format!("there is no {}: groups and marks are those of slrn, in {}", disk::shown(asked), disk::shown(path))
}

/// The flaws of a file in one line.
fn told(path: &Path, flaws: &[Flaw]) -> Option<String> {
    let first = flaws.first()?;
    let more = match flaws.len() {
        1 => String::new(),
        n => format!(" (and {} more lines)", n - 1),
    };
    Some(format!("{}:{}: {}; the line is kept{more}", disk::shown(path), first.line, first.what))
}
