//! Newsrc files: brought together with what the browser knows, whatever other newsreaders wrote into them meanwhile.
//!
//! A thread of its own does the work in order, since a disk may be slow; the program ends when it has done all of it. Under a
//! lock a file is read again, what was done here is done on it, and the whole takes its place in one step: two copies of the
//! browser lose none of each other's marks. A file that cannot be read is never written.

use crate::app::{Known, Msg};
use crate::news::{Flaw, Newsrc};
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long another copy may hold a file: it takes as long as writing it.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether it is free.
const AGAIN: Duration = Duration::from_millis(10);

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

/// The keeper of the newsrc files. Dropped, it waits until all is written.
pub(super) struct Newsrcs {
    jobs: Option<mpsc::Sender<Job>>,
    keeper: Option<JoinHandle<()>>,
}

impl Newsrcs {
    /// With `safe`, files are read and never written.
    ///
    /// # Errors
    /// No thread.
    pub(super) fn new(safe: bool, messages: tokio::sync::mpsc::Sender<Msg>) -> io::Result<Newsrcs> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let keeper = thread::Builder::new().name("newsrc".into()).spawn(move || {
            let mut files = Files::new(safe);
            for Job { server, path, ours, base } in inbox {
                let (newsrc, remark) = files.sync(&path, &ours, &base);
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Known { known: Known::Newsrc { server, newsrc }, remark });
            }
        })?;
        Ok(Newsrcs { jobs: Some(jobs), keeper: Some(keeper) })
    }

    /// Does it when what was asked before is done; [`Known::Newsrc`] tells of it.
    pub(super) fn sync(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The keeper lives as long as this sender.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Newsrcs {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(keeper) = self.keeper.take() {
            // One that panicked has said so.
            let _ = keeper.join();
        }
    }
}

/// The newsrc files of this run.
struct Files {
    /// What each file held when it was last read or written.
    known: BTreeMap<PathBuf, Held>,
    safe: bool,
}

#[derive(Default)]
struct Held {
    octets: Vec<u8>,
    newsrc: Arc<Newsrc>,
    /// What was not written since, is what has changed since this.
    owed: Option<Arc<Newsrc>>,
}

impl Files {
    fn new(safe: bool) -> Files {
        Files { known: BTreeMap::new(), safe }
    }

    /// Does on a file what `ours` changed since `base`. Gives what holds now, and a sentence if something is wrong with the
    /// file.
    fn sync(&mut self, path: &Path, ours: &Arc<Newsrc>, base: &Arc<Newsrc>) -> (Arc<Newsrc>, Option<String>) {
        let fresh = !self.known.contains_key(path);
        let known = self.known.entry(path.to_path_buf()).or_default();
        let base = known.owed.take().unwrap_or_else(|| Arc::clone(base));
        let changed = *ours != base;
        let locked = if changed && !self.safe { lock(path).map(Some) } else { Ok(None) };
        let octets = match fs::read(path) {
            Ok(octets) => octets,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                known.owed = Some(base);
                let what = "it is not written, and what you read now is forgotten at the end";
                return (Arc::clone(ours), Some(format!("{} cannot be read: {error}; {what}", path.display())));
            }
        };
        let mut remark = None;
        if fresh || octets != known.octets {
            let (newsrc, flaws) = Newsrc::parse(&octets);
            remark = fresh.then(|| told(path, &flaws)).flatten();
            *known = Held { octets, newsrc: Arc::new(newsrc), owed: None };
        }
        if !changed {
            return (Arc::clone(&known.newsrc), remark);
        }
        let merged = match base == known.newsrc {
            true => Arc::clone(ours),
            false => Arc::new(Newsrc::merge(ours, &base, &known.newsrc)),
        };
        let octets = merged.write();
        if octets == known.octets {
            return (merged, remark);
        }
        if self.safe {
            known.owed = Some(base);
            return (merged, remark);
        }
        match locked.and_then(|_lock| replace(path, &octets)) {
            Ok(()) => *known = Held { octets, newsrc: Arc::clone(&merged), owed: None },
            Err(error) => {
                known.owed = Some(base);
                remark = Some(format!("{} cannot be written: {error}", path.display()));
            }
        }
        (merged, remark)
    }
}

/// Locks a file as long as what it gives lives; one that is not there is made, and its folder. Each write puts another file in its place, so
/// that the lock counts only while the name still means the file that was locked.
fn lock(path: &Path) -> io::Result<File> {
    let begun = Instant::now();
    loop {
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::OpenOptions::new().append(true).create(true).open(path)?
            }
            opened => opened?,
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, path) => return Ok(file),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(AGAIN),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(
                    ErrorKind::TimedOut,
                    "another program has locked it; it is tried again later",
                ));
            }
            // Some file systems have no locks: there it is as without them.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let place = |data: io::Result<fs::Metadata>| data.map(|data| (data.dev(), data.ino())).ok();
    place(file.metadata()) == place(fs::metadata(path))
}

/// The flaws of a file in one line.
fn told(path: &Path, flaws: &[Flaw]) -> Option<String> {
    let first = flaws.first()?;
    let more = match flaws.len() {
        1 => String::new(),
        n => format!(" (and {} more lines)", n - 1),
    };
    Some(format!("{}:{}: {}; the line is kept{more}", path.display(), first.line, first.what))
}

/// Puts octets in a file's place in one step. A link stays a link; who may read the file stays as it was.
pub(super) fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?.to_string_lossy().into_owned();
    let fresh = folder.join(format!("{name}.new-{}", std::process::id()));
    let written = write(&fresh, &path, octets).and_then(|()| fs::rename(&fresh, &path));
    if written.is_err() {
        // What is half written is of no use; if it cannot be removed either, that is no second failure.
        let _ = fs::remove_file(&fresh);
    }
    written
}

fn write(fresh: &Path, old: &Path, octets: &[u8]) -> io::Result<()> {
    // What an earlier run of our number left there is nobody's, and no link of it is followed.
    match fs::remove_file(fresh) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(fresh)?;
    if let Ok(old) = fs::metadata(old) {
        file.set_permissions(old.permissions())?;
    }
    file.write_all(octets)?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::news::Subscription;

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
        let (newsrc, remark) = files.sync(&path, &Arc::default(), &Arc::default());
        assert!(remark.unwrap().contains(".newsrc:3: neither"));
        assert!(newsrc.read(b"g").unwrap().contains(3));
        let (newsrc, remark) = files.sync(&path, &reading(&newsrc, 5), &newsrc);
        assert_eq!(remark, None, "told once");
        assert_eq!(fs::read_to_string(&path).unwrap(), "options -x\ng: 1-3,5\nbroken line\nh! 7\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        // Another program reads and subscribes; nothing of either is lost.
        fs::write(&path, "options -x\ng: 1-3,5,9\nbroken line\nh: 7-8\n").unwrap();
        let (newsrc, _) = files.sync(&path, &reading(&newsrc, 6), &newsrc);
        assert_eq!(fs::read_to_string(&path).unwrap(), "options -x\ng: 1-3,5-6,9\nbroken line\nh: 7-8\n");
        assert_eq!(newsrc.subscription(b"h"), Some(Subscription::Subscribed));
        assert!(newsrc.read(b"g").unwrap().contains(9));
    }

    #[test]
    fn marks_that_come_before_the_file_was_read_are_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::write(&path, "g: 1-3\n").unwrap();
        let mut files = Files::new(false);
        let (newsrc, _) = files.sync(&path, &reading(&Arc::default(), 9), &Arc::default());
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,9\n");
        assert!(newsrc.read(b"g").unwrap().contains(2));
    }

    #[test]
    fn a_file_that_is_not_there_is_made_when_something_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("of this run").join("n");
        let mut files = Files::new(false);
        let (newsrc, remark) = files.sync(&path, &Arc::default(), &Arc::default());
        assert_eq!((remark, path.exists()), (None, false));
        files.sync(&path, &reading(&newsrc, 1), &newsrc);
        assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1\n");
    }

    #[test]
    fn safe_reads_and_never_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::write(&path, "g: 1\n").unwrap();
        let mut files = Files::new(true);
        let (newsrc, _) = files.sync(&path, &Arc::default(), &Arc::default());
        let (newsrc, _) = files.sync(&path, &reading(&newsrc, 2), &newsrc);
        let (newsrc, _) = files.sync(&path, &reading(&newsrc, 3), &newsrc);
        assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3", "within the run it is known");
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1\n");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::create_dir(&path).unwrap();
        let mut files = Files::new(false);
        let (newsrc, remark) = files.sync(&path, &reading(&Arc::default(), 2), &Arc::default());
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
        let (newsrc, _) = files.sync(&link, &Arc::default(), &Arc::default());
        files.sync(&link, &reading(&newsrc, 2), &newsrc);
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-2\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    /// Reads every other number, each as a job of its own, as fast as the jobs are taken.
    fn reads(path: &Path, first: u64, last: u64) {
        let (messages, _inbox) = tokio::sync::mpsc::channel(1000);
        let files = Newsrcs::new(false, messages).unwrap();
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
        let files = Newsrcs::new(false, messages).unwrap();
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
        let mut files = Files::new(false);
        let first = reading(&Arc::default(), 1);
        let (newsrc, remark) = files.sync(&path, &first, &Arc::default());
        assert!(remark.unwrap().contains("cannot be written"));
        fs::create_dir(folder.path().join("below")).unwrap();
        files.sync(&path, &reading(&newsrc, 3), &newsrc);
        assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1,3\n");
    }
}
