//! Newsrc files: brought together with what the browser knows, whatever other newsreaders wrote into them meanwhile.
//!
//! A file is read again each time, what was done here since the last time is done again on it, and the whole takes its place
//! in one step. A file that cannot be read is never written.

use crate::news::{Flaw, Newsrc};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The newsrc files of this run.
pub(super) struct Newsrcs {
    /// What each file held when it was last read or written.
    known: BTreeMap<PathBuf, Known>,
    safe: bool,
}

#[derive(Default)]
struct Known {
    octets: Vec<u8>,
    newsrc: Arc<Newsrc>,
}

impl Newsrcs {
    /// With `safe`, files are read and never written.
    pub(super) fn new(safe: bool) -> Newsrcs {
        Newsrcs { known: BTreeMap::new(), safe }
    }

    /// Does again on a file what was done here since it was last seen. Gives what holds now, and a sentence if something is
    /// wrong with the file.
    pub(super) fn sync(&mut self, path: &Path, ours: &Arc<Newsrc>) -> (Arc<Newsrc>, Option<String>) {
        let octets = match fs::read(path) {
            Ok(octets) => octets,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                let what = "it is not written, and what you read now is forgotten at the end";
                return (Arc::clone(ours), Some(format!("{} cannot be read: {error}; {what}", path.display())));
            }
        };
        let fresh = !self.known.contains_key(path);
        let known = self.known.entry(path.to_path_buf()).or_default();
        let base = Arc::clone(&known.newsrc);
        let mut remark = None;
        if fresh || octets != known.octets {
            let (newsrc, flaws) = Newsrc::parse(&octets);
            remark = fresh.then(|| told(path, &flaws)).flatten();
            *known = Known { octets, newsrc: Arc::new(newsrc) };
        }
        let merged = match (Arc::ptr_eq(&base, &known.newsrc) || base == known.newsrc, *ours == base) {
            (_, true) => return (Arc::clone(&known.newsrc), remark),
            (true, false) => Arc::clone(ours),
            (false, false) => Arc::new(Newsrc::merge(ours, &base, &known.newsrc)),
        };
        let octets = merged.write();
        if self.safe || octets == known.octets {
            return (merged, remark);
        }
        match replace(path, &octets) {
            Ok(()) => *known = Known { octets, newsrc: Arc::clone(&merged) },
            Err(error) => remark = Some(format!("{} cannot be written: {error}", path.display())),
        }
        (merged, remark)
    }
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
        let mut files = Newsrcs::new(false);
        let (newsrc, remark) = files.sync(&path, &Arc::default());
        assert!(remark.unwrap().contains(".newsrc:3: neither"));
        assert!(newsrc.read(b"g").unwrap().contains(3));
        let (newsrc, remark) = files.sync(&path, &reading(&newsrc, 5));
        assert_eq!(remark, None, "told once");
        assert_eq!(fs::read_to_string(&path).unwrap(), "options -x\ng: 1-3,5\nbroken line\nh! 7\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        // Another program reads and subscribes; nothing of either is lost.
        fs::write(&path, "options -x\ng: 1-3,5,9\nbroken line\nh: 7-8\n").unwrap();
        let (newsrc, _) = files.sync(&path, &reading(&newsrc, 6));
        assert_eq!(fs::read_to_string(&path).unwrap(), "options -x\ng: 1-3,5-6,9\nbroken line\nh: 7-8\n");
        assert_eq!(newsrc.subscription(b"h"), Some(Subscription::Subscribed));
        assert!(newsrc.read(b"g").unwrap().contains(9));
    }

    #[test]
    fn marks_that_come_before_the_file_was_read_are_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::write(&path, "g: 1-3\n").unwrap();
        let mut files = Newsrcs::new(false);
        let (newsrc, _) = files.sync(&path, &reading(&Arc::default(), 9));
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,9\n");
        assert!(newsrc.read(b"g").unwrap().contains(2));
    }

    #[test]
    fn a_file_that_is_not_there_is_made_when_something_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        let mut files = Newsrcs::new(false);
        let (newsrc, remark) = files.sync(&path, &Arc::default());
        assert_eq!((remark, path.exists()), (None, false));
        files.sync(&path, &reading(&newsrc, 1));
        assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1\n");
    }

    #[test]
    fn safe_reads_and_never_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::write(&path, "g: 1\n").unwrap();
        let mut files = Newsrcs::new(true);
        let (newsrc, _) = files.sync(&path, &Arc::default());
        let (newsrc, _) = files.sync(&path, &reading(&newsrc, 2));
        let (newsrc, _) = files.sync(&path, &reading(&newsrc, 3));
        assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3", "within the run it is known");
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1\n");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n");
        fs::create_dir(&path).unwrap();
        let mut files = Newsrcs::new(false);
        let (newsrc, remark) = files.sync(&path, &reading(&Arc::default(), 2));
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
        let mut files = Newsrcs::new(false);
        let (newsrc, _) = files.sync(&link, &Arc::default());
        files.sync(&link, &reading(&newsrc, 2));
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-2\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
