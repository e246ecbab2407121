//! The history's file: a line for each visit is added at its end; when it has grown long, and when something is to be
//! forgotten, it is written anew. What other running copies have added meanwhile is noticed by its size.

use crate::disk::{self, Fresh, Lines};
use crate::visits::{Flaw, Forget, Newer, Pages, VERSION, Visit, Visits, line};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Lines beyond one for each page that a file may have before it is written anew.
const SPARE: usize = 1000;
/// Octets that it may have: some millions of pages.
const LONGEST: u64 = 512 << 20;

/// The file. Clones share what they know of it.
#[derive(Debug, Clone)]
pub(super) struct VisitFile {
    lines: Lines,
    /// Pages that are kept.
    most: usize,
    /// Which file it was, and how long, when it was last read or written here.
    seen: Arc<Mutex<Option<(u64, u64)>>>,
}

/// All pages of the history in the folder of the reader's state, as far as it can be read.
pub(super) fn pages(folder: &Path) -> Pages {
    VisitFile::new(folder.join("history"), u64::MAX).load().0.pages().clone()
}

impl VisitFile {
    pub(super) fn new(path: PathBuf, most: u64) -> VisitFile {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        VisitFile { lines: Lines::new(path, "history").of_version(VERSION).up_to(LONGEST), most, seen: Arc::default() }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        self.lines.path()
    }

    /// What the file holds, and what is wrong with it.
    pub(super) fn load(&self) -> (Visits, Option<String>) {
        self.note();
        let octets = match self.lines.read() {
            Ok(octets) => octets,
            Err(error) => {
                return (Visits::default(), Some(format!("{}; it cannot be read", disk::wrong(self.path(), &error))));
            }
        };
        let (mut visits, flaws) = match Visits::read(octets) {
            Ok(read) => read,
            Err(Newer(version)) => return (Visits::default(), Some(self.lines.newer_sentence(version))),
        };
        let remark = self.told(&flaws);
        visits.keep_newest(self.most);
        (visits, remark)
    }

    /// What others have added since the file was last looked at; all of it, when they have written it anew.
    pub(super) fn news(&self) -> Option<Visits> {
        let seen = *self.seen();
        let facts = self.facts().filter(|facts| Some(*facts) != seen)?;
        let begins =
            seen.filter(|(file, length)| *file == facts.0 && *length < facts.1).map_or(0, |(_, length)| length);
        let octets = self.lines.read().ok()?;
        let octets = octets.get(usize::try_from(begins).ok()?..)?.to_vec();
        *self.seen() = Some((facts.0, begins + octets.len() as u64));
        // What is wrong with it is told at the start.
        Some(Visits::read(octets).ok()?.0).filter(|visits| !visits.is_empty())
    }

    /// Adds a line.
    pub(super) fn append(&self, url: &str, title: &str, time: i64, led: &str) -> Result<(), String> {
        let line = line(Visit { url, title, time, count: 1 }, led);
        self.lines.add(&line).map_err(|error| self.cannot(&error))?;
        let mut seen = self.seen();
        let first = self.lines.first().len() as u64;
        let own = |(file, length): (u64, u64)| {
            let before = seen.map_or(first, |(_, length)| length);
            seen.is_none_or(|(before, _)| before == file) && length == before + line.len() as u64
        };
        // What is longer has lines of others, which are still to be read.
        *seen = self.facts().filter(|facts| own(*facts)).or(*seen);
        Ok(())
    }

    /// Forgets in the file as it is now, whoever wrote it.
    pub(super) fn forget(&self, what: &Forget) -> Result<(), String> {
        self.anew(|visits, _| visits.forget(what) > 0)
    }

    /// Whether the file, which has so many pages, has grown too long.
    pub(super) fn is_long(&self, pages: usize) -> bool {
        self.lines.octets().is_ok_and(|octets| is_long(&octets, pages))
    }

    /// A file that has grown too long is written anew.
    pub(super) fn shorten(&self) -> Result<(), String> {
        self.anew(|visits, octets| {
            visits.keep_newest(self.most);
            is_long(octets, visits.len())
        })
    }

    /// Writes the file anew, if a change wants it so.
    fn anew(&self, change: impl FnOnce(&mut Visits, &[u8]) -> bool) -> Result<(), String> {
        let mut known = false;
        let done = self.lines.anew(|octets| {
            known = self.facts() == *self.seen();
            let (mut visits, flaws) = Visits::read(octets.to_vec()).ok()?;
            let bad = flaws.iter().map(|flaw| flaw.line).collect();
            change(&mut visits, octets).then(|| Fresh { lines: visits.write(), bad })
        });
        if known {
            self.note();
        }
        done.map_err(|error| self.cannot(&error))
    }

    fn seen(&self) -> MutexGuard<'_, Option<(u64, u64)>> {
        // A panic elsewhere leaves two numbers behind.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self) {
        *self.seen() = self.facts();
    }

    fn facts(&self) -> Option<(u64, u64)> {
        fs::metadata(self.path()).ok().map(|facts| (facts.ino(), facts.len()))
    }

    fn cannot(&self, error: &io::Error) -> String {
        format!("{}; where you have been is not kept yet", disk::wrong(self.path(), error))
    }

    /// What is wrong with the file in one line.
    fn told(&self, flaws: &[Flaw]) -> Option<String> {
        let first = flaws.first()?;
        let more = match flaws.len() {
            1 => String::new(),
            n => format!(" (and {} more lines)", n - 1),
        };
        Some(format!("{}:{}: {}; the line is left out{more}", disk::shown(self.path()), first.line, first.what))
    }
}

fn is_long(octets: &[u8], pages: usize) -> bool {
    memchr::memchr_iter(b'\n', octets).count() > 2 * pages + SPARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Url;
    use std::io::Write;

    fn file(folder: &Path) -> VisitFile {
        VisitFile::new(folder.join("state/history"), 100)
    }

    fn text(file: &VisitFile) -> String {
        fs::read_to_string(file.path()).unwrap()
    }

    fn urls(visits: &Visits) -> Vec<&str> {
        visits.newest().map(|visit| visit.url).collect()
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        assert_eq!(file.load().1, None);
        file.append("http://h/a", "A", 1, "").unwrap();
        file.append("http://h/b", "", 2, "").unwrap();
        assert_eq!(text(&file), "# wayfarer history 2\n1\thttp://h/a\tA\n2\thttp://h/b\t\n");
        assert_eq!(urls(&file.load().0), ["http://h/b", "http://h/a"]);
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(file.path()).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_line_that_was_cut_off_is_told_and_stays_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        file.append("http://h/a", "A", 1, "").unwrap();
        fs::OpenOptions::new().append(true).open(file.path()).unwrap().write_all(b"2\thttp://h/cu").unwrap();
        let (visits, remark) = file.load();
        assert!(remark.unwrap().contains("history:3: a line needs"));
        assert_eq!(urls(&visits), ["http://h/a"]);
        file.append("http://h/b", "", 3, "").unwrap();
        assert_eq!(urls(&file.load().0), ["http://h/b", "http://h/a"]);
    }

    #[test]
    fn forgetting_takes_it_out_of_the_file_and_puts_bad_lines_aside() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (file(folder.path()), file(folder.path()));
        file.append("http://h/a", "A", 1, "").unwrap();
        fs::OpenOptions::new().append(true).open(file.path()).unwrap().write_all(b"odd \xFF\n").unwrap();
        other.append("http://secret.example/", "S", 2, "").unwrap();
        other.append("http://h/b", "B", 3, "").unwrap();
        file.forget(&Forget::Host("secret.example".into())).unwrap();
        assert_eq!(text(&file), "# wayfarer history 2\n1\thttp://h/a\tA\n3\thttp://h/b\tB\n");
        assert_eq!(fs::read(file.path().with_extension("bad")).unwrap(), b"odd \xFF\n");
        other.append("http://h/c", "", 4, "").unwrap();
        assert_eq!(urls(&file.load().0), ["http://h/c", "http://h/b", "http://h/a"]);
        file.forget(&Forget::All).unwrap();
        assert_eq!(text(&file), "# wayfarer history 2\n");
        file.forget(&Forget::Page(Url::parse("http://h/a").unwrap())).unwrap();
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        fs::create_dir_all(file.path().parent().unwrap()).unwrap();
        let newer = "# wayfarer history 7\nwhatever it is\n";
        fs::write(file.path(), newer).unwrap();
        let (visits, remark) = file.load();
        assert!(visits.is_empty() && remark.unwrap().contains("history:1: from a newer Wayfarer (version 7)"));
        file.append("http://h/a", "", 1, "").unwrap();
        file.forget(&Forget::All).unwrap();
        assert_eq!(text(&file), newer);
    }

    #[test]
    fn a_long_file_is_written_anew_with_the_newest_pages_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        fs::create_dir_all(file.path().parent().unwrap()).unwrap();
        let lines: String = (0..3000).map(|n| format!("{n}\thttp://h/{}\tT\n", n % 200)).collect();
        fs::write(file.path(), lines).unwrap();
        assert_eq!(file.load().0.len(), 100);
        file.shorten().unwrap();
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
                        file.append(&format!("http://h/{copy}/{n}"), "a title", n, "").unwrap();
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
        fs::create_dir_all(file.path()).unwrap();
        assert!(file.load().1.unwrap().contains("cannot be read"));
        assert!(file.append("http://h/", "", 1, "").unwrap_err().contains("is not kept yet"));
    }

    #[test]
    fn what_another_copy_adds_is_seen_and_what_is_ones_own_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (file(folder.path()), file(folder.path()));
        one.append("http://h/a", "", 1, "").unwrap();
        assert!(one.news().is_none());
        other.append("http://h/b", "", 2, "").unwrap();
        one.append("http://h/c", "", 3, "").unwrap();
        assert_eq!(urls(&one.news().unwrap()), ["http://h/c", "http://h/b"], "what is new, one's own lines among it");
        assert!(one.news().is_none());
        other.forget(&Forget::Page(Url::parse("http://h/a").unwrap())).unwrap();
        assert_eq!(urls(&one.news().unwrap()), ["http://h/c", "http://h/b"], "all, when it was written anew");
    }
}
