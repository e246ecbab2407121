//! Newsrc files: brought together with what the browser knows, whatever other newsreaders wrote into them meanwhile.
//!
//! Under a lock a file is read again, what was done here is done on it, and the whole takes its place in one step: two copies
//! of the browser lose none of each other's marks, and other programs, which write when they end what they read when they began,
//! make nothing unread again. A file that cannot be read is never written.

use crate::app::{Known, Msg};
use crate::disk::{self, Asked, Writer};
use crate::news::{Flaw, Newsrc};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc::Sender;

/// What is to be brought together.
pub(super) struct Job {
    /// The server, as the answer will name it.
    pub server: String,
    /// Its file.
    pub path: PathBuf,
    /// What the browser knows now.
    pub ours: Arc<Newsrc>,
    /// What it knew before.
    pub base: Arc<Newsrc>,
}

/// The store of the newsrc files.
pub(super) struct Newsrcs {
    files: Arc<Mutex<Files>>,
    writer: Arc<Writer>,
    messages: Sender<Msg>,
}

impl Newsrcs {
    /// With `safe`, files are read and never written.
    pub(super) fn new(safe: bool, writer: Arc<Writer>, messages: Sender<Msg>) -> Newsrcs {
        Newsrcs { files: Arc::new(Mutex::new(Files::new(safe))), writer, messages }
    }

    /// Does it when what was asked before is done; [`Known::Newsrc`] tells of it, once.
    pub(super) fn sync(&self, job: Job) {
        let (files, messages) = (Arc::clone(&self.files), self.messages.clone());
        let Job { server, path, ours, base } = job;
        let mut server = Some(server);
        // What was not written goes with what is to be written next.
        self.writer.write(&path.clone(), Asked::ForAll, move || {
            let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
            let Synced { newsrc, remark, written } = files.sync(&path, &ours, &base);
            if let Some(server) = server.take() {
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Known { known: Known::Newsrc { server, newsrc }, remark });
            }
            written
        });
    }
}

/// What has become of a file.
#[derive(Debug)]
struct Synced {
    /// What holds now.
    newsrc: Arc<Newsrc>,
    /// What is wrong in it.
    remark: Option<String>,
    /// Why it could not be written.
    written: Result<(), String>,
}

/// The newsrc files of this run.
struct Files {
    /// What each file held when it was last read or written.
    known: BTreeMap<PathBuf, Held>,
    /// Which file stands for another one.
    places: BTreeMap<PathBuf, PathBuf>,
    safe: bool,
}

#[derive(Default)]
struct Held {
    octets: Vec<u8>,
    newsrc: Arc<Newsrc>,
    /// What it held when it was read first.
    first: Arc<Newsrc>,
    /// What was not written since, is what has changed since this.
    owed: Option<Arc<Newsrc>>,
}

impl Files {
    fn new(safe: bool) -> Files {
        Files { known: BTreeMap::new(), places: BTreeMap::new(), safe }
    }

    /// Where a file is, for as long as the program runs.
    fn place(&mut self, asked: &Path) -> PathBuf {
        let place = || slrns(asked).unwrap_or_else(|| asked.to_path_buf());
        self.places.entry(asked.to_path_buf()).or_insert_with(place).clone()
    }

    /// Does on a file what `ours` changed since `base`.
    fn sync(&mut self, asked: &Path, ours: &Arc<Newsrc>, base: &Arc<Newsrc>) -> Synced {
        let path = &self.place(asked);
        let fresh = !self.known.contains_key(path);
        let known = self.known.entry(path.to_path_buf()).or_default();
        let base = known.owed.take().unwrap_or_else(|| Arc::clone(base));
        let changed = *ours != base;
        let others = || !fresh && disk::read(path).is_ok_and(|octets| octets != known.octets);
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
        let (mut remark, mut regained) = (None, false);
        if fresh || octets != known.octets {
            let (newsrc, flaws) = Newsrc::parse(&octets);
            let (theirs, mut newsrc) = (Arc::new(newsrc), None);
            if fresh {
                let elsewhere = (path != asked).then(|| instead(asked, path));
                let said: Vec<String> = elsewhere.into_iter().chain(told(path, &flaws)).collect();
                remark = Some(said.join("; ")).filter(|said| !said.is_empty());
            } else {
                newsrc = theirs.regaining(&known.newsrc, &known.first).map(Arc::new);
            }
            regained = newsrc.is_some();
            let first = if fresh { Arc::clone(&theirs) } else { Arc::clone(&known.first) };
            *known = Held { octets, newsrc: newsrc.unwrap_or(theirs), first, owed: None };
        }
        if !changed && !regained {
            return Synced { newsrc: Arc::clone(&known.newsrc), remark, written: Ok(()) };
        }
        let merged = match base == known.newsrc {
            _ if !changed => Arc::clone(&known.newsrc),
            true => Arc::clone(ours),
            false => Arc::new(Newsrc::merge(ours, &base, &known.newsrc)),
        };
        let octets = merged.write();
        let mut written = Ok(());
        if octets != known.octets {
            match locked.and_then(|_lock| if self.safe { Ok(()) } else { disk::replace(path, &octets) }) {
                Ok(()) if self.safe => known.owed = Some(base),
                Ok(()) => {
                    let first = Arc::clone(&known.first);
                    *known = Held { octets, newsrc: Arc::clone(&merged), first, owed: None };
                }
                Err(error) => {
                    known.owed = Some(base);
                    written = Err(format!("{}; what you read is not kept yet", disk::wrong(path, &error)));
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::news::Subscription;
    use std::{fs, thread};

    fn sync(files: &mut Files, path: &Path, ours: &Arc<Newsrc>, base: &Arc<Newsrc>) -> (Arc<Newsrc>, Option<String>) {
        let Synced { newsrc, remark, written } = files.sync(path, ours, base);
        (newsrc, remark.or(written.err()))
    }

    fn newsrcs(messages: Sender<Msg>) -> Newsrcs {
        Newsrcs::new(false, Arc::new(Writer::new(|_| {}).unwrap()), messages)
    }

    /// What is read of `g`, after `read` was read here.
    fn reading(newsrc: &Arc<Newsrc>, number: u64) -> Arc<Newsrc> {
        let mut newsrc = Newsrc::clone(newsrc);
        newsrc.change(b"g", |read| read.insert(number));
        Arc::new(newsrc)
    }

    #[test]
    fn what_is_read_goes_into_the_file_and_nothing_else_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".newsrc");
        fs::write(&path, "options -x\ng: 1-3\nbroken line\nh! 7\n").unwrap();
        let mut files = Files::new(false);
        let (newsrc, remark) = sync(&mut files, &path, &Arc::default(), &Arc::default());
        assert!(remark.unwrap().contains(".newsrc:3: neither"));
        assert!(newsrc.read(b"g").unwrap().contains(3));
        let (newsrc, remark) = sync(&mut files, &path, &reading(&newsrc, 5), &newsrc);
        assert_eq!(remark, None, "told once");
        assert_eq!(fs::read_to_string(&path).unwrap(), "options -x\ng: 1-3,5\nbroken line\nh! 7\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        // Another program reads and subscribes; nothing of either is lost.
        fs::write(&path, "options -x\ng: 1-3,5,9\nbroken line\nh: 7-8\n").unwrap();
        let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 6), &newsrc);
        assert_eq!(fs::read_to_string(&path).unwrap(), "options -x\ng: 1-3,5-6,9\nbroken line\nh: 7-8\n");
        assert_eq!(newsrc.subscription(b"h"), Some(Subscription::Subscribed));
        assert!(newsrc.read(b"g").unwrap().contains(9));
    }

    #[test]
    fn what_another_program_writes_that_read_the_file_before_makes_nothing_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::write(&path, "g: 1-3\nh: 1\n").unwrap();
        let mut files = Files::new(false);
        let (newsrc, _) = sync(&mut files, &path, &Arc::default(), &Arc::default());
        let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 5), &newsrc);
        let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 6), &newsrc);
        // It began before 5 and 6 were read, read 9, let h go, and ends.
        fs::write(&path, "g: 1-3,9\nh! 1-2\n").unwrap();
        let (newsrc, _) = sync(&mut files, &path, &newsrc, &newsrc);
        assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3,5-6,9");
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,5-6,9\nh! 1-2\n");
        // One that knows of them may well make one unread again; so does the reader here, and it stays so.
        fs::write(&path, "g: 1-3,5,9\nh! 1-2\n").unwrap();
        let (newsrc, _) = sync(&mut files, &path, &newsrc, &newsrc);
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,5,9\nh! 1-2\n");
        let mut unread = Newsrc::clone(&newsrc);
        unread.change(b"g", |read| read.remove(2));
        sync(&mut files, &path, &Arc::new(unread), &newsrc);
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1,3,5,9\nh! 1-2\n");
    }

    #[test]
    fn slrns_file_serves_where_there_is_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (path, own) = (folder.path().join(".newsrc"), folder.path().join(".jnewsrc"));
        fs::write(&own, "g: 1-3\n").unwrap();
        let mut files = Files::new(false);
        let (newsrc, remark) = sync(&mut files, &path, &Arc::default(), &Arc::default());
        let said = remark.unwrap();
        assert!(said.starts_with("there is no ") && said.contains("those of slrn, in ") && said.ends_with(".jnewsrc"));
        let (newsrc, remark) = sync(&mut files, &path, &reading(&newsrc, 5), &newsrc);
        assert_eq!((remark, fs::read_to_string(&own).unwrap().as_str(), path.exists()), (None, "g: 1-3,5\n", false));
        // For as long as it runs; then the other one, if somebody has made it.
        fs::write(&path, "h: 1\n").unwrap();
        sync(&mut files, &path, &reading(&newsrc, 6), &newsrc);
        assert_eq!(fs::read_to_string(&own).unwrap(), "g: 1-3,5-6\n");
        let (newsrc, remark) = sync(&mut Files::new(false), &path, &Arc::default(), &Arc::default());
        assert_eq!((remark, newsrc.subscription(b"h")), (None, Some(Subscription::Subscribed)));
    }

    #[test]
    fn marks_that_come_before_the_file_was_read_are_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::write(&path, "g: 1-3\n").unwrap();
        let mut files = Files::new(false);
        let (newsrc, _) = sync(&mut files, &path, &reading(&Arc::default(), 9), &Arc::default());
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,9\n");
        assert!(newsrc.read(b"g").unwrap().contains(2));
    }

    #[test]
    fn a_file_that_is_not_there_is_made_when_something_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("of this run").join("n");
        let mut files = Files::new(false);
        let (newsrc, remark) = sync(&mut files, &path, &Arc::default(), &Arc::default());
        assert_eq!((remark, path.exists()), (None, false));
        sync(&mut files, &path, &reading(&newsrc, 1), &newsrc);
        assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1\n");
    }

    #[test]
    fn safe_reads_and_never_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::write(&path, "g: 1\n").unwrap();
        let mut files = Files::new(true);
        let (newsrc, _) = sync(&mut files, &path, &Arc::default(), &Arc::default());
        let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 2), &newsrc);
        let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 3), &newsrc);
        assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3", "within the run it is known");
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1\n");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::create_dir(&path).unwrap();
        let mut files = Files::new(false);
        let (newsrc, remark) = sync(&mut files, &path, &reading(&Arc::default(), 2), &Arc::default());
        assert!(remark.unwrap().contains("cannot be read"));
        assert!(newsrc.read(b"g").unwrap().contains(2) && path.is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("n"), folder.path().join("l"));
        fs::write(&path, "g: 1\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&path, &link).unwrap();
        let mut files = Files::new(false);
        let (newsrc, _) = sync(&mut files, &link, &Arc::default(), &Arc::default());
        sync(&mut files, &link, &reading(&newsrc, 2), &newsrc);
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-2\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    /// Reads every other number, each as a job of its own, as fast as the jobs are taken.
    fn reads(path: &Path, first: u64, last: u64) {
        let (messages, _inbox) = tokio::sync::mpsc::channel(1000);
        let files = newsrcs(messages);
        let mut known: Arc<Newsrc> = Arc::default();
        for number in (first..=last).step_by(2) {
            let ours = reading(&known, number);
            let base = std::mem::replace(&mut known, ours);
            files.sync(Job { server: "s".into(), path: path.into(), ours: Arc::clone(&known), base });
        }
    }

    #[test]
    fn what_was_read_is_written_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        reads(&path, 1, 99);
        let (newsrc, _) = Newsrc::parse(&fs::read(&path).unwrap());
        assert_eq!(newsrc.read(b"g").unwrap().unread_within(1, 99), 49, "every odd number is read");
    }

    #[test]
    fn nobody_hears_of_it_and_the_end_comes_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        let (messages, inbox) = tokio::sync::mpsc::channel(1);
        let files = newsrcs(messages);
        for number in 1..9 {
            let ours = reading(&Arc::default(), number);
            files.sync(Job { server: "s".into(), path: path.clone(), ours, base: Arc::default() });
        }
        drop(inbox);
        drop(files);
        assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1-8\n");
    }

    #[test]
    fn two_copies_lose_none_of_each_others_marks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        thread::scope(|scope| {
            scope.spawn(|| reads(&path, 1, 200));
            scope.spawn(|| reads(&path, 2, 200));
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1-200\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn what_could_not_be_written_is_written_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below").join("n");
        fs::write(folder.path().join("below"), "no folder").unwrap();
        let mut files = Files::new(false);
        let first = reading(&Arc::default(), 1);
        let (newsrc, remark) = sync(&mut files, &path, &first, &Arc::default());
        assert!(remark.unwrap().contains("cannot be read"));
        fs::remove_file(folder.path().join("below")).unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        sync(&mut files, &path, &reading(&newsrc, 3), &newsrc);
        assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1,3\n");
    }
}
