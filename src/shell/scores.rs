//! The score file, which slrn may share: read with what it includes, and added to at its end. What stands in it is never touched,
//! but for a rule that was added here and is taken back.
//!
//! A file that is included is one of the reader's own: of their home, or beside the settings. Another could hold anybody's rules.

use super::place::expand;
use crate::disk;
use crate::news::score::{MOST_OCTETS, ScoreFlaw, ScoreText, Scores, included};
use memchr::memmem;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// How many files are read, the included ones among them.
const MOST_FILES: usize = 32;

/// The file.
#[derive(Debug, Clone)]
pub(super) struct ScoreFile {
    path: PathBuf,
    /// The folders in which files that are included may be.
    roots: Vec<PathBuf>,
    /// What was read last, with what it includes, and how that was then.
    seen: Arc<Mutex<Vec<(PathBuf, Stamp)>>>,
}

/// By what a change of a file is seen: when it was changed, its length, its number; `None` of one that is not there.
type Stamp = Option<(SystemTime, u64, u64)>;

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len(), data.ino()))
}

impl ScoreFile {
    /// The file that the settings name, beside them if it is no path of its own; `None` where there is none.
    pub(super) fn of(name: &str, folder: Option<&Path>) -> Option<ScoreFile> {
        let named = expand(name.trim());
        let path = if named.is_absolute() { named } else { folder?.join(named) };
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let roots = folder.map(Path::to_path_buf).into_iter().chain(home).collect();
        (!name.trim().is_empty()).then_some(ScoreFile { path, roots, seen: Arc::default() })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The rules, and what is wrong with them; `None` where there is no file.
    pub(super) fn load(&self) -> Option<(Scores, Option<String>)> {
        match fs::metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.note(vec![(self.path.clone(), None)]);
                None
            }
            _ => Some(match self.read() {
                Ok(scores) => {
                    let remark = told(scores.flaws());
                    (scores, remark)
                }
                Err(sentence) => (Scores::default(), Some(sentence)),
            }),
        }
    }

    /// Whether it, or what it includes, is another one than was read last.
    pub(super) fn has_changed(&self) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        seen.iter().any(|(path, before)| stamp(path) != *before)
    }

    fn note(&self, seen: Vec<(PathBuf, Stamp)>) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }

    /// Adds lines at the end of the file as it is now; gives what it says then.
    pub(super) fn add(&self, lines: &str) -> Result<Scores, String> {
        let cannot = |error| format!("{}; the rule is not kept", disk::wrong(&self.path, &error));
        let _lock = disk::lock(&self.path).map_err(cannot)?;
        let octets = disk::read(&self.path).map_err(cannot)?;
        // A line that was cut off stays a line of its own.
        let end = if octets.last().is_none_or(|last| *last == b'\n') { "" } else { "\n" };
        disk::append(&self.path, format!("{end}{lines}").as_bytes()).map_err(cannot)?;
        self.read()
    }

    /// Takes lines that were added out of the file as it is now, the last that say so; gives what it says then.
    pub(super) fn take_out(&self, lines: &str) -> Result<Scores, String> {
        let cannot = |error| format!("{}; the rule stays", disk::wrong(&self.path, &error));
        let _lock = disk::lock(&self.path).map_err(cannot)?;
        let mut octets = disk::read(&self.path).map_err(cannot)?;
        let Some(at) = memmem::rfind(&octets, lines.as_bytes()).filter(|_| !lines.is_empty()) else {
            return Err(format!("the rule is not in {} any more, as it was made", disk::shown(&self.path)));
        };
        octets.drain(at..at + lines.len());
        disk::replace(&self.path, &octets).map_err(cannot)?;
        self.read()
    }

    fn read(&self) -> Result<Scores, String> {
        let mut paths = vec![(self.path.clone(), fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone()))];
        // Before they are read: what changes meanwhile is seen the next time.
        let mut seen = vec![(self.path.clone(), stamp(&self.path))];
        self.note(seen.clone());
        let mut files = vec![text(&self.path, &self.path)?];
        let mut at = 0;
        while let Some((path, _)) = paths.get(at).cloned() {
            let names: Vec<String> = included(&files[at].text).map(Into::into).collect();
            for name in names {
                let file = self.include(&path, &name, &mut paths, &mut files);
                seen.extend(paths[seen.len()..].iter().map(|(_, real)| (real.clone(), stamp(real))));
                files[at].includes.push(file);
            }
            at += 1;
        }
        self.note(seen);
        Ok(Scores::read(files))
    }

    /// The number of a file that another one includes.
    fn include(
        &self,
        by: &Path,
        name: &str,
        paths: &mut Vec<(PathBuf, PathBuf)>,
        files: &mut Vec<ScoreText>,
    ) -> Result<usize, String> {
        let path = by.parent().unwrap_or(Path::new(".")).join(name);
        let real =
            fs::canonicalize(&path).map_err(|error| format!("{}; it is not read", disk::wrong(&path, &error)))?;
        if let Some(known) = paths.iter().position(|(_, known)| *known == real) {
            return Ok(known);
        }
        let mut roots = self.roots.iter().filter_map(|root| fs::canonicalize(root).ok());
        if !roots.any(|root| real.starts_with(root)) {
            let path = disk::shown(&path);
            return Err(format!("{path} is neither in your home nor beside the settings; it is not read"));
        }
        if files.len() >= MOST_FILES {
            return Err(format!("more than {MOST_FILES} files are included; this one is not read"));
        }
        // What is read is what was looked at.
        files.push(text(&path, &real)?);
        paths.push((path, real));
        Ok(files.len() - 1)
    }
}

/// What a file says, by the name that the reader knows and by its own.
fn text(path: &Path, real: &Path) -> Result<ScoreText, String> {
    let wrong = |error| format!("{}; it is not read", disk::wrong(path, &error));
    let length = fs::metadata(real).map_err(wrong)?.len();
    if length > MOST_OCTETS as u64 {
        return Err(format!("{}: it is longer than a score file may be (1 MiB); it is not read", disk::shown(path)));
    }
    let text = String::from_utf8_lossy(&disk::read_file(real).map_err(wrong)?).into_owned();
    Ok(ScoreText { name: disk::shown(path), text, includes: Vec::new() })
}

/// What is wrong, in one line.
fn told(flaws: &[ScoreFlaw]) -> Option<String> {
    let first = flaws.first()?;
    Some(match flaws.len() {
        1 => first.to_string(),
        n => format!("{first} (and {} more)", n - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn file(folder: &Path) -> ScoreFile {
        ScoreFile { path: folder.join("scores"), roots: vec![folder.into()], seen: Arc::default() }
    }

    #[test]
    fn a_rule_is_added_and_what_was_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let scores = file(folder.path());
        assert!(scores.load().is_none());
        assert_eq!(scores.add("[*]\nScore: 1\nFrom: a\n").unwrap().rules().len(), 1);
        let mine = "% mine\n[*]\n  Score:   5 % kept as it is\n\tFrom: b\n\n  wrong\n% no end";
        fs::write(scores.path(), mine).unwrap();
        let (read, remark) = scores.load().unwrap();
        assert!(remark.unwrap().contains("scores:6: "), "{:?}", read.flaws());
        assert_eq!(scores.add("Score: 2\nFrom: c\n").unwrap().rules().len(), 1);
        assert_eq!(fs::read_to_string(scores.path()).unwrap(), format!("{mine}\nScore: 2\nFrom: c\n"));
    }

    #[test]
    fn a_change_by_another_program_is_seen_and_none_of_ones_own() {
        let folder = tempfile::tempdir().unwrap();
        let scores = file(folder.path());
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        assert!(scores.load().is_none() && !scores.has_changed());
        write("scores", "Score: 1\nFrom: a\n");
        assert!(scores.has_changed() && scores.clone().load().is_some() && !scores.has_changed());
        scores.add("Score: 2\nFrom: b\ninclude more\n").unwrap();
        assert!(!scores.has_changed());
        write("more", "Score: 3\nFrom: c\n");
        write("scores", "Score: 2\nFrom: b\ninclude more\n");
        assert_eq!(scores.load().unwrap().0.rules().len(), 2);
        assert!(!scores.has_changed());
        write("more", "Score: 3\nFrom: c\n\nScore: 4\nFrom: d\n");
        assert!(scores.has_changed(), "what it includes belongs to it");
        fs::remove_file(folder.path().join("more")).unwrap();
        assert!(scores.has_changed());
    }

    #[test]
    fn a_rule_is_taken_out_as_it_was_added() {
        let folder = tempfile::tempdir().unwrap();
        let scores = file(folder.path());
        let (mine, rule, later) = ("% mine\nScore: 5\nFrom: a\n", "\n% now\nScore: 1\nFrom: b\n", "% by slrn\n");
        fs::write(scores.path(), mine).unwrap();
        assert_eq!(scores.add(rule).unwrap().rules().len(), 2);
        disk::append(scores.path(), later.as_bytes()).unwrap();
        assert_eq!(scores.take_out(rule).unwrap().rules().len(), 1);
        assert_eq!(fs::read_to_string(scores.path()).unwrap(), format!("{mine}{later}"));
        assert!(scores.take_out(rule).unwrap_err().contains("not in"), "twice there is nothing to take");
        assert!(scores.take_out("").is_err());
        assert_eq!(fs::read_to_string(scores.path()).unwrap(), format!("{mine}{later}"));
    }

    #[test]
    fn copies_that_add_at_the_same_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for n in 0..8 {
                let scores = file(folder.path());
                scope.spawn(move || scores.add(&format!("[*]\nScore: {n}\nFrom: a{n}\n")).unwrap());
            }
        });
        assert_eq!(file(folder.path()).load().unwrap().0.rules().len(), 8);
    }

    #[test]
    fn what_is_included_is_the_readers_own() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |path: &Path, text: &str| fs::write(path, text).unwrap();
        let theirs = other.path().join("theirs");
        write(&theirs, "Score: 9\nFrom: x\n");
        symlink(&theirs, folder.path().join("link")).unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        write(&folder.path().join("sub/one"), "include two\ninclude ../scores\n");
        write(&folder.path().join("sub/two"), "Score: 2\nFrom: b\n");
        let main = format!("include sub/one\ninclude {}\ninclude link\ninclude gone\n", theirs.display());
        write(&folder.path().join("scores"), &main);
        let (scores, _) = file(folder.path()).load().unwrap();
        assert_eq!(scores.rules().len(), 1, "{:?}", scores.rules());
        let flaws: Vec<String> = scores.flaws().iter().map(ToString::to_string).collect();
        assert_eq!(flaws.len(), 4, "{flaws:?}");
        assert!(flaws[0].contains("one:2: this file was read before"), "{flaws:?}");
        assert!(flaws[1].contains("scores:2: ") && flaws[1].contains("neither in your home"), "{flaws:?}");
        assert!(flaws[2].contains("scores:3: ") && flaws[2].contains("neither in your home"), "{flaws:?}");
        assert!(flaws[3].contains("scores:4: ") && flaws[3].contains("not read"), "{flaws:?}");
    }
}
