//! The file of bookmarks, or of subscriptions: read again before each change, which is made on what it holds then, and the whole takes its place
//! in one step, under a lock that all running copies take. What cannot be understood is never written over.

use crate::bookmarks::{Bookmarks, Change, Flaw, For, Newer};
use crate::disk;
use std::path::{Path, PathBuf};

/// The file.
#[derive(Debug, Clone)]
pub(super) struct BookmarkFile {
    path: PathBuf,
    of: For,
}

impl BookmarkFile {
    pub(super) fn new(path: PathBuf, of: For) -> BookmarkFile {
        BookmarkFile { path, of }
    }

    /// The reader's own, where there is a home for it.
    pub(super) fn of_reader(of: For) -> Option<BookmarkFile> {
        let folders = directories::ProjectDirs::from("", "", "wayfarer")?;
        Some(BookmarkFile::new(folders.data_dir().join(of.file()), of))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What the file holds, and what is wrong with it.
    pub(super) fn load(&self) -> (Bookmarks, Option<String>) {
        match self.read() {
            Ok(bookmarks) => {
                let remark = self.told(&bookmarks);
                (bookmarks, remark)
            }
            Err(sentence) => (Bookmarks::default(), Some(sentence)),
        }
    }

    /// Makes a change on the file as it is now; gives what it holds then.
    pub(super) fn change(&self, change: &Change) -> Result<Bookmarks, String> {
        let cannot = |error| format!("{}; the {} is not kept yet", disk::wrong(&self.path, &error), self.of.row());
        let _lock = disk::lock(&self.path).map_err(cannot)?;
        let mut bookmarks = self.read()?;
        let before = bookmarks.write();
        bookmarks.apply(change);
        let after = bookmarks.write();
        if after.len() as u64 > self.of.most() {
            let (path, most) = (disk::shown(&self.path), self.of.most() >> 20);
            return Err(format!(
                "{path}: it would have more than {most} MiB; nothing is added, and it is left as it is"
            ));
        }
        if after != before {
            disk::replace(&self.path, after.as_bytes()).map_err(cannot)?;
        }
        Ok(bookmarks)
    }

    fn read(&self) -> Result<Bookmarks, String> {
        let path = disk::shown(&self.path);
        let octets = disk::read_at_most(&self.path, self.of.most())
            .map_err(|error| format!("{}; it cannot be read, and is left alone", disk::wrong(&self.path, &error)))?;
        let text = String::from_utf8(octets).map_err(|wrong| {
            let good = wrong.utf8_error().valid_up_to();
            let line = 1 + memchr::memchr_iter(b'\n', &wrong.as_bytes()[..good]).count();
            format!("{path}:{line}: this is not UTF-8; the file is left alone until it is")
        })?;
        Bookmarks::read_of(self.of, &text).map_err(|Newer(version)| {
            format!("{path}: from a newer Wayfarer (version {version}); it is left alone and nothing is added")
        })
    }

    /// All that is wrong with it, in a line each.
    pub(super) fn mistakes(&self) -> Vec<String> {
        let told = |flaw: &Flaw| format!("{}:{flaw}", disk::shown(&self.path));
        self.read().map_or_else(|sentence| vec![sentence], |bookmarks| bookmarks.flaws().iter().map(told).collect())
    }

    /// The flaws in one line.
    fn told(&self, bookmarks: &Bookmarks) -> Option<String> {
        let flaws = bookmarks.flaws();
        let first = flaws.first()?;
        let more = match flaws.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        let what = if first.slight { "row" } else { self.of.row() };
        Some(format!("{}:{first}; the {what} is left out and stays in the file{more}", disk::shown(&self.path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bookmarks::{Bookmark, For};
    use std::fs;

    fn add(url: &str) -> Change {
        let bookmark = Bookmark { url: url.into(), ..Bookmark::default() };
        Change::Insert { bookmarks: vec![bookmark], before: None }
    }

    fn urls(bookmarks: &Bookmarks) -> Vec<&str> {
        bookmarks.iter().map(|bookmark| bookmark.url.as_str()).collect()
    }

    #[test]
    fn a_file_that_is_too_long_is_told_and_left_as_it_is_and_none_becomes_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = BookmarkFile::new(folder.path().join("subscriptions.toml"), For::News);
        let row = "[[subscription]]\nurl = \"http://h/a\"\n";
        let almost = format!("version = 1\n{}{row}", "# much\n".repeat((4 << 20) / 7 - 10));
        fs::write(&file.path, &almost).unwrap();
        let title = "y".repeat(1024);
        let bookmark = Bookmark { url: "http://h/b".into(), title, ..Bookmark::default() };
        let refused = file.change(&Change::Insert { bookmarks: vec![bookmark], before: None }).unwrap_err();
        assert!(refused.contains("it would have more than 4 MiB; nothing is added"), "{refused}");
        assert_eq!(fs::read_to_string(&file.path).unwrap(), almost);
        let long = format!("{almost}{}", row.repeat(100));
        fs::write(&file.path, &long).unwrap();
        let (list, remark) = file.load();
        assert_eq!(urls(&list), [""; 0]);
        assert!(remark.unwrap().contains("more than 4 MiB"), "it is told");
        assert!(file.change(&add("http://h/b")).unwrap_err().contains("left alone"));
        assert_eq!(fs::read_to_string(&file.path).unwrap(), long);
    }

    #[test]
    fn a_change_is_made_on_what_the_file_holds_then() {
        let folder = tempfile::tempdir().unwrap();
        let file = BookmarkFile::new(folder.path().join("data/bookmarks.toml"), For::Going);
        assert_eq!(file.load(), (Bookmarks::default(), None));
        file.change(&add("http://h/a")).unwrap();
        // The reader writes into it.
        let text = fs::read_to_string(&file.path).unwrap();
        assert!(text.starts_with("# Your bookmarks."), "{text}");
        let theirs = "# mine\n[[bookmark]]\nurl = \"http://h/b\" # good\n[[bookmark]]\nurl = 3\n";
        fs::write(&file.path, format!("{text}\n{theirs}")).unwrap();
        let (bookmarks, remark) = file.load();
        assert_eq!(urls(&bookmarks), ["http://h/a", "http://h/b"]);
        let line = text.lines().count() + 5;
        assert!(remark.unwrap().contains(&format!("bookmarks.toml:{line}: url: a text")), "line {line}");
        let held = file.change(&add("http://h/c")).unwrap();
        assert_eq!(urls(&held), ["http://h/a", "http://h/b", "http://h/c"]);
        assert!(fs::read_to_string(&file.path).unwrap().contains(theirs));
    }

    #[test]
    fn what_cannot_be_understood_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let file = BookmarkFile::new(folder.path().join("bookmarks.toml"), For::Going);
        for (octets, told) in [
            (&b"version = 1\n# \xFF\n"[..], "bookmarks.toml:2: this is not UTF-8"),
            (b"version = 2\n[[bookmark]]\nurl = \"http://h/\"\n", "newer Wayfarer (version 2)"),
        ] {
            fs::write(&file.path, octets).unwrap();
            assert!(file.load().1.unwrap().contains(told));
            assert!(file.change(&add("http://h/a")).unwrap_err().contains(told));
            assert_eq!(fs::read(&file.path).unwrap(), octets);
        }
        fs::remove_file(&file.path).unwrap();
        fs::create_dir(&file.path).unwrap();
        assert!(file.change(&add("http://h/a")).unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn copies_that_write_at_the_same_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bookmarks.toml");
        std::thread::scope(|scope| {
            for copy in 0..4 {
                let file = BookmarkFile::new(path.clone(), For::Going);
                scope.spawn(move || {
                    (0..10).for_each(|n| drop(file.change(&add(&format!("http://h/{copy}/{n}"))).unwrap()))
                });
            }
        });
        assert_eq!(BookmarkFile::new(path, For::Going).load().0.iter().count(), 40);
    }
}
