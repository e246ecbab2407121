//! The history's file: lines are added at its end, one write each, under a lock that all running copies take; now and then,
//! and when something is to be forgotten, it is written anew beside itself and takes the old one's place in one step.
//!
//! The lock is a file of its own, because the history's is replaced. Lines that make no sense are put aside before they go.

use crate::visits::{Flaw, Forget, Newer, Visit, Visits, line};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Lines beyond one for each page that a file may have before it is written anew.
const SPARE: usize = 1000;

/// The file.
#[derive(Debug, Clone)]
pub(super) struct VisitFile {
    path: PathBuf,
    /// Pages that are kept.
    most: usize,
}

impl VisitFile {
    pub(super) fn new(path: PathBuf, most: u64) -> VisitFile {
        VisitFile { path, most: usize::try_from(most).unwrap_or(usize::MAX) }
    }

    /// What the file holds, and what is wrong with it. A file that has grown too long is written anew.
    pub(super) fn load(&self) -> (Visits, Option<String>) {
        let read = self.locked(|| read(&self.path));
        let octets = match read {
            Ok(octets) => octets,
            Err(error) => return (Visits::default(), Some(format!("{} cannot be read: {error}", self.path.display()))),
        };
        let lines = memchr::memchr_iter(b'\n', &octets).count();
        let (mut visits, flaws) = match Visits::read(octets) {
            Ok(read) => read,
            Err(newer) => return (Visits::default(), Some(self.newer(newer))),
        };
        let mut remark = self.told(&flaws);
        visits.keep_newest(self.most);
        if lines > 2 * visits.len() + SPARE
            && let Err(sentence) = self.anew(|visits| visits.keep_newest(self.most))
        {
            remark = Some(sentence);
        }
        (visits, remark)
    }

    /// Adds a line.
    pub(super) fn append(&self, url: &str, title: &str, time: i64) -> Result<(), String> {
        let line = line(Visit { url, title, time, count: 1 });
        self.locked(|| self.add(&line)).map_err(|error| self.cannot(&error))
    }

    fn add(&self, line: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).read(true).append(true).mode(0o600).open(&self.path)?;
        let mut text = String::new();
        if file.metadata()?.len() == 0 {
            text = Visits::first_line();
        } else {
            if is_newer(&mut file)? {
                // It was said when it was read.
                return Ok(());
            }
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                // A line that was cut off stays a line of its own.
                text.push('\n');
            }
        }
        text.push_str(line);
        file.write_all(text.as_bytes())
    }

    /// Forgets in the file as it is now, whoever wrote it.
    pub(super) fn forget(&self, what: &Forget) -> Result<(), String> {
        self.anew(|visits| {
            visits.forget(what);
        })
    }

    /// Writes the file anew, changed.
    fn anew(&self, change: impl FnOnce(&mut Visits)) -> Result<(), String> {
        self.locked(|| {
            let octets = read(&self.path)?;
            let bad = octets.clone();
            let Ok((mut visits, flaws)) = Visits::read(octets) else { return Ok(()) };
            self.put_aside(&bad, &flaws)?;
            change(&mut visits);
            let fresh = self.path.with_extension("new");
            remove(&fresh)?;
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
            file.write_all(visits.write().as_bytes())?;
            file.sync_data()?;
            fs::rename(&fresh, &self.path)
        })
        .map_err(|error| self.cannot(&error))
    }

    /// Lines that would be lost go into a file beside this one.
    fn put_aside(&self, octets: &[u8], flaws: &[Flaw]) -> io::Result<()> {
        if flaws.is_empty() {
            return Ok(());
        }
        let lines: Vec<&[u8]> = octets.split(|b| *b == b'\n').collect();
        let mut aside = Vec::new();
        for line in flaws.iter().filter_map(|flaw| lines.get(flaw.line - 1)) {
            aside.extend_from_slice(line);
            aside.push(b'\n');
        }
        let path = self.path.with_extension("bad");
        OpenOptions::new().create(true).append(true).mode(0o600).open(path)?.write_all(&aside)
    }

    /// Does something while no other copy does.
    fn locked<T>(&self, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let path = self.path.with_extension("lock");
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let lock = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
        lock.lock()?;
        work()
    }

    fn cannot(&self, error: &io::Error) -> String {
        format!("where you have been cannot be kept in {}: {error}", self.path.display())
    }

    fn newer(&self, Newer(version): Newer) -> String {
        let path = self.path.display();
        format!(
            "{path}:1: written by a newer Wayfarer (version {version}); it is left alone and nothing is added to it"
        )
    }

    /// What is wrong with the file in one line.
    fn told(&self, flaws: &[Flaw]) -> Option<String> {
        let first = flaws.first()?;
        let more = match flaws.len() {
            1 => String::new(),
            n => format!(" (and {} more lines)", n - 1),
        };
        Some(format!("{}:{}: {}; the line is left out{more}", self.path.display(), first.line, first.what))
    }
}

/// The octets of a file; none when there is no file.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether a file says in its first line that it is of a newer version.
fn is_newer(file: &mut File) -> io::Result<bool> {
    let mut octets = [0; 64];
    file.seek(SeekFrom::Start(0))?;
    let count = file.read(&mut octets)?;
    let line = octets[..count].split_inclusive(|b| *b == b'\n').next();
    Ok(line.is_some_and(|line| Visits::read(line.to_vec()).is_err()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Url;

    fn file(folder: &Path) -> VisitFile {
        VisitFile::new(folder.join("state/history"), 100)
    }

    fn text(file: &VisitFile) -> String {
        fs::read_to_string(&file.path).unwrap()
    }

    fn urls(visits: &Visits) -> Vec<&str> {
        visits.newest().map(|visit| visit.url).collect()
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        assert_eq!(file.load().1, None);
        file.append("http://h/a", "A", 1).unwrap();
        file.append("http://h/b", "", 2).unwrap();
        assert_eq!(text(&file), "# wayfarer history 1\n1\thttp://h/a\tA\n2\thttp://h/b\t\n");
        assert_eq!(urls(&file.load().0), ["http://h/b", "http://h/a"]);
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file.path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_line_that_was_cut_off_is_told_and_stays_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        file.append("http://h/a", "A", 1).unwrap();
        fs::OpenOptions::new().append(true).open(&file.path).unwrap().write_all(b"2\thttp://h/cu").unwrap();
        let (visits, remark) = file.load();
        assert!(remark.unwrap().contains("history:3: a line needs"));
        assert_eq!(urls(&visits), ["http://h/a"]);
        file.append("http://h/b", "", 3).unwrap();
        assert_eq!(urls(&file.load().0), ["http://h/b", "http://h/a"]);
    }

    #[test]
    fn forgetting_takes_it_out_of_the_file_and_puts_bad_lines_aside() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (file(folder.path()), file(folder.path()));
        file.append("http://h/a", "A", 1).unwrap();
        fs::OpenOptions::new().append(true).open(&file.path).unwrap().write_all(b"odd \xFF\n").unwrap();
        other.append("http://secret.example/", "S", 2).unwrap();
        other.append("http://h/b", "B", 3).unwrap();
        file.forget(&Forget::Host("secret.example".into())).unwrap();
        assert_eq!(text(&file), "# wayfarer history 1\n1\thttp://h/a\tA\n3\thttp://h/b\tB\n");
        assert_eq!(fs::read(file.path.with_extension("bad")).unwrap(), b"odd \xFF\n");
        other.append("http://h/c", "", 4).unwrap();
        assert_eq!(urls(&file.load().0), ["http://h/c", "http://h/b", "http://h/a"]);
        file.forget(&Forget::All).unwrap();
        assert_eq!(text(&file), "# wayfarer history 1\n");
        file.forget(&Forget::Page(Url::parse("http://h/a").unwrap())).unwrap();
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        fs::create_dir_all(file.path.parent().unwrap()).unwrap();
        let newer = "# wayfarer history 7\nwhatever it is\n";
        fs::write(&file.path, newer).unwrap();
        let (visits, remark) = file.load();
        assert!(visits.is_empty() && remark.unwrap().contains("history:1: written by a newer Wayfarer (version 7)"));
        file.append("http://h/a", "", 1).unwrap();
        file.forget(&Forget::All).unwrap();
        assert_eq!(text(&file), newer);
    }

    #[test]
    fn a_long_file_is_written_anew_with_the_newest_pages_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        fs::create_dir_all(file.path.parent().unwrap()).unwrap();
        let lines: String = (0..3000).map(|n| format!("{n}\thttp://h/{}\tT\n", n % 200)).collect();
        fs::write(&file.path, lines).unwrap();
        assert_eq!(file.load().0.len(), 100);
        let text = text(&file);
        assert_eq!(text.lines().count(), 101);
        assert!(text.ends_with("2999\thttp://h/199\tT\t15\n"), "{text}");
        assert_eq!(file.load().0.newest().next().unwrap().count, 15);
    }

    #[test]
    fn copies_that_write_at_the_same_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for copy in 0..4 {
                let file = file(folder.path());
                scope.spawn(move || {
                    for n in 0..20 {
                        file.append(&format!("http://h/{copy}/{n}"), "a title", n).unwrap();
                        if n % 5 == copy {
                            file.forget(&Forget::Host("nobody".into())).unwrap();
                        }
                    }
                });
            }
        });
        let (visits, remark) = file(folder.path()).load();
        assert_eq!((visits.len(), remark), (80, None));
    }

    #[test]
    fn a_file_that_cannot_be_written_is_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        fs::create_dir_all(&file.path).unwrap();
        assert!(file.load().1.unwrap().contains("cannot be read"));
        assert!(file.append("http://h/", "", 1).unwrap_err().contains("cannot be kept in"));
    }
}
