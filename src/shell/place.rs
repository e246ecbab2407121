//! Where a file may be written: below what, over what, and never through a link that somebody planted.

use super::outside::{Outside, Threads};
use super::partial;
use super::save::Saver;
use crate::app::{Beginning, Destination, Existing, ListedFile, Transfer};
use crate::disk;
use crate::doc::{carried, carry};
use crate::format::listing::Time;
use crate::proto::validator;
use jiff::Timestamp;
use std::ffi::OsString;
use std::fs::{Metadata, Permissions};
use std::io::{self, BufRead, ErrorKind};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// How often, and how long in between, a file is looked at that is still being written.
const PATIENCE: u32 = 100;
const MOMENT: Duration = Duration::from_millis(50);

/// A file that may be written: its place is known, and nothing stands in its way.
#[derive(Debug)]
pub(super) struct Place {
    pub path: PathBuf,
    /// What becomes of a file that is there.
    existing: Existing,
    /// What a listing says of what comes.
    pub listed: ListedFile,
    beginning: Beginning,
    origin: Option<String>,
    /// The last change, when whoever asked knows it.
    pub modified: Option<Timestamp>,
    /// Whether whoever may read it may run it.
    pub runs: bool,
    /// Whether it is one of a saved directory.
    pub is_in_tree: bool,
    /// Whether it has to be on the disk for good before it has its name: else its size tells when it is not whole.
    pub settles: bool,
    /// Who writes it.
    pub threads: Threads,
}

impl Place {
    /// Looks whether a file may be written; without an outside none may.
    pub(super) async fn find(outside: Option<&Outside>, into: Destination) -> Result<Place, Transfer> {
        let Outside { folder, threads } = allowed(outside)?;
        on_disk(&threads.clone(), move || Place::look(&folder, threads, into)).await
    }

    /// Does both, [`Place::find`] and [`Place::claim`].
    pub(super) async fn claimed(outside: Option<&Outside>, into: Destination) -> Result<Saver, Transfer> {
        let Outside { folder, threads } = allowed(outside)?;
        on_disk(&threads.clone(), move || Place::look(&folder, threads, into)?.open()).await
    }

    fn look(folder: &Path, threads: Threads, into: Destination) -> Result<Place, Transfer> {
        let path = match &into.within {
            Some(within) => below(&folder.join(expand(within)), &on_the_disk(&into.path))?,
            None => folder.join(expand(&into.path)),
        };
        is_free(&path, &into.existing, into.listed)?;
        // Five thousand small files would wait for the disk five thousand times; saved again, what a crash cut is seen by
        // its size.
        let sized = into.within.is_some() && into.existing == Existing::Compare && into.listed.size.is_some();
        // A file gets no time that is only about right.
        let modified = into.listed.modified.filter(|_| into.existing == Existing::Compare).and_then(Time::exactly);
        Ok(Place {
            path,
            existing: into.existing,
            listed: into.listed,
            beginning: into.beginning,
            origin: into.origin.map(|url| url.redacted()),
            modified,
            runs: into.runs,
            is_in_tree: into.within.is_some(),
            settles: !sized,
            threads,
        })
    }

    /// The same for a text, which nobody goes on with.
    pub(super) async fn of_text(outside: Option<&Outside>, path: &str, replace: bool) -> Result<Place, Transfer> {
        let Outside { folder, threads } = allowed(outside)?;
        let path = folder.join(expand(path));
        on_disk(&threads.clone(), move || {
            let existing = if replace { Existing::Replace } else { Existing::Ask };
            let listed = ListedFile::default();
            is_free(&path, &existing, listed)?;
            let (beginning, runs, is_in_tree, settles) = (Beginning::Keep, false, false, true);
            Ok(Place {
                path,
                existing,
                listed,
                beginning,
                origin: None,
                modified: None,
                runs,
                is_in_tree,
                settles,
                threads,
            })
        })
        .await
    }

    /// Whether a fetch from the beginning, which says `validator` of its content, had better go on from the end of what is
    /// there.
    pub(super) async fn has_beginning(&self, validator: Option<&str>) -> bool {
        let (Some(origin), Beginning::Keep) = (self.origin.clone(), self.beginning) else { return false };
        let path = self.path.clone();
        let noted = on_disk(&self.threads, move || Ok(partial::noted(&path, &origin))).await.ok().flatten();
        let there = noted.and_then(|noted| noted.validator);
        there.is_some_and(|there| validator.is_none_or(|now| validator::agree(now, &there)))
    }

    /// Whether a file that is there is replaced.
    pub(super) fn replace(&self) -> bool {
        self.existing == Existing::Replace
    }

    /// Whether what is there is looked at when it is known what comes: a file of a directory that may be replaced, or one of which
    /// nothing is listed.
    pub(super) fn compares(&self) -> bool {
        self.is_in_tree && (self.replace() || self.is_unlisted())
    }

    /// Whether it is a file of a directory whose listing does not say what would come.
    fn is_unlisted(&self) -> bool {
        self.existing == Existing::Compare && self.listed.size.is_none()
    }

    /// What is there of a file that is compared, as far as the server says of what comes; `None` where it may come.
    pub(super) fn stands(&self, length: Option<u64>, modified: Option<Timestamp>) -> Option<Transfer> {
        let facts = std::fs::symlink_metadata(&self.path).ok().filter(|_| self.compares())?;
        let changed = facts.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
        let shown = self.path.display().to_string();
        let other_time = modified.is_some_and(|modified| changed != Some(modified));
        match length {
            Some(length) if length == facts.len() && modified.is_some() && !other_time => {
                Some(Transfer::Present(shown))
            }
            _ if self.replace() => None,
            Some(length) if length != facts.len() => Some(Transfer::Exists(shown)),
            // Else its content tells, when all of it has come.
            _ => other_time.then_some(Transfer::Exists(shown)),
        }
    }

    /// The same of one that came whole and was not to replace anything, by its content.
    pub(super) fn is_another(&self, came: &Path) -> Option<Transfer> {
        if !self.is_unlisted() || std::fs::symlink_metadata(&self.path).is_err() {
            return None;
        }
        let shown = self.path.display().to_string();
        let same = is_same_content(&self.path, came).unwrap_or(false);
        Some(if same { Transfer::Present(shown) } else { Transfer::Exists(shown) })
    }

    /// That what was to be written stands there, if it does.
    pub(super) fn is_there_already(&self) -> Option<Transfer> {
        is_free(&self.path, &self.existing, self.listed).err().filter(|found| matches!(found, Transfer::Present(_)))
    }

    /// Opens the unfinished file.
    pub(super) async fn claim(self) -> Result<Saver, Transfer> {
        on_disk(&self.threads.clone(), move || self.open()).await
    }

    fn open(self) -> Result<Saver, Transfer> {
        // The folders of a directory are there: it was looked for links among them.
        let folder = if self.is_in_tree { Ok(()) } else { create_folder(&self.path) };
        let claimed = folder.and_then(|()| partial::claim(&self.path, self.origin.as_deref()));
        let mut claim = claimed.map_err(|error| cannot("write", &self.path, &error))?;
        if self.beginning == Beginning::Drop {
            claim.empty().map_err(|error| cannot("write", &self.path, &error))?;
        }
        if is_own(&self.path) {
            let modes = claim.file.set_permissions(Permissions::from_mode(0o600));
            modes.map_err(|error| cannot("write", &self.path, &error))?;
        }
        claim.partial.threads = Some(self.threads.clone());
        Ok(Saver { claim, place: self })
    }
}

fn allowed(outside: Option<&Outside>) -> Result<Outside, Transfer> {
    let forbidden = || Transfer::Failed("Nothing was written: --safe forbids it.".into());
    outside.cloned().ok_or_else(forbidden)
}

/// Whether a file may be written there.
fn is_free(path: &Path, existing: &Existing, listed: ListedFile) -> Result<(), Transfer> {
    // Nothing there is what thousands of files of a directory find.
    let Ok(facts) = std::fs::symlink_metadata(path) else { return Ok(()) };
    let shown = path.display().to_string();
    if std::fs::metadata(path).is_ok_and(|facts| facts.is_dir()) {
        return Err(Transfer::Failed(format!("{shown} is a folder; a file in it needs a name.")));
    }
    match existing {
        Existing::Replace => Ok(()),
        Existing::Compare if listed.size.is_none() && facts.is_file() => Ok(()),
        Existing::Compare if is_same(&facts, listed.size, listed.modified) => Err(Transfer::Present(shown)),
        Existing::Ask | Existing::Compare => Err(Transfer::Exists(shown)),
    }
}

/// Deletes the unfinished file for `path` from `origin`; a fetch that was just stopped has a moment to let go of it.
pub(super) async fn discard(path: PathBuf, origin: String) -> io::Result<()> {
    let mut left = PATIENCE;
    loop {
        let (path, origin) = (path.clone(), origin.clone());
        let done = tokio::task::spawn_blocking(move || partial::discard(&path, &origin)).await?;
        match done {
            Err(error) if error.kind() == ErrorKind::ResourceBusy && left > 0 => left -= 1,
            done => return done,
        }
        tokio::time::sleep(MOMENT).await;
    }
}

/// Runs disk work where it may block and may write.
pub(super) async fn on_disk<T: Send + 'static>(
    threads: &Threads,
    work: impl FnOnce() -> Result<T, Transfer> + Send + 'static,
) -> Result<T, Transfer> {
    threads.run(work).await.unwrap_or_else(|| Err(Transfer::Failed("The disk work was given up.".into())))
}

pub(super) fn cannot(verb: &str, path: &Path, error: &io::Error) -> Transfer {
    failed(error, format!("Cannot {verb} {}: {}.", path.display(), disk::reason(error)))
}

/// A sentence of what the disk refused: where there is no room left, others need not try.
pub(super) fn failed(error: &io::Error, sentence: String) -> Transfer {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Transfer::Full(sentence),
        _ => Transfer::Failed(sentence),
    }
}

fn create_folder(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    let mode = if is_own(path) { 0o700 } else { 0o777 };
    std::fs::DirBuilder::new().recursive(true).mode(mode).create(folder)
}

/// Whether it is nobody's but the reader's: drafts, and what is opened with other programs.
fn is_own(path: &Path) -> bool {
    let folders = directories::ProjectDirs::from("", "", "wayfarer");
    folders.is_some_and(|own| path.starts_with(own.data_dir()) || path.starts_with(own.cache_dir()))
}

/// Whether a folder is a link that neither the reader made nor whoever has the folder that it is in: its name was the server's, and
/// where many may write anybody could have been waiting for it.
fn is_planted(root: &Path) -> bool {
    let Ok(link) = std::fs::symlink_metadata(root) else { return false };
    let folder = root.parent().and_then(|folder| std::fs::metadata(folder).ok()).map(|folder| folder.uid());
    link.is_symlink() && is_of_another(link.uid(), folder, rustix::process::geteuid().as_raw())
}

/// As Linux has it in directories where many may write (`fs.protected_symlinks`).
fn is_of_another(link: u32, folder: Option<u32>, reader: u32) -> bool {
    link != reader && folder != Some(link)
}

/// A path below a folder that the reader chose. Its components are names, folders among them are made, and a link that
/// stands in their place is not followed: it could lead anywhere.
pub(super) fn below(root: &Path, path: &Path) -> Result<PathBuf, Transfer> {
    let mut at = root.to_path_buf();
    if is_planted(root) {
        let sentence = format!("{} is a link of another user; nothing is written through it.", root.display());
        return Err(Transfer::Failed(sentence));
    }
    if !root.is_dir() {
        std::fs::create_dir_all(root).map_err(|error| cannot("make", root, &error))?;
    }
    let mut components = path.components().peekable();
    while let Some(component) = components.next() {
        let Component::Normal(name) = component else {
            return Err(Transfer::Failed(format!("{} is no name below a folder.", path.display())));
        };
        at.push(name);
        if components.peek().is_none() {
            return Ok(at);
        }
        // Looked at again after it was made: another file of the same folder may be at it just now.
        let facts = std::fs::symlink_metadata(&at).or_else(|_| {
            let made = std::fs::create_dir(&at);
            std::fs::symlink_metadata(&at).map_err(|error| made.err().unwrap_or(error))
        });
        match facts {
            Ok(facts) if facts.is_dir() => {}
            Ok(facts) => {
                let what = match facts.is_symlink() {
                    true => "is a link; nothing is written through links.",
                    false => "is a file here and a folder on the server; move it away, and save again.",
                };
                return Err(Transfer::Failed(format!("{} {what}", at.display())));
            }
            Err(error) => return Err(cannot("make", &at, &error)),
        }
    }
    Err(Transfer::Failed("A file needs a name.".into()))
}

/// Whether a file is what would come, by size and, as far as it is known, by time.
pub(super) fn is_same(facts: &Metadata, size: Option<u64>, modified: Option<Time>) -> bool {
    let changed = facts.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    let same_time = |known: Time| changed.is_some_and(|changed| known.may_be(changed));
    facts.is_file() && size == Some(facts.len()) && modified.is_none_or(same_time)
}

/// Whether two files hold the same.
fn is_same_content(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (std::fs::File::open(one)?, std::fs::File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let [mut one, mut other] = [one, other].map(std::io::BufReader::new);
    loop {
        let (here, there) = (one.fill_buf()?, other.fill_buf()?);
        let octets = here.len().min(there.len());
        if octets == 0 || here[..octets] != there[..octets] {
            return Ok(here.is_empty() && there.is_empty());
        }
        one.consume(octets);
        other.consume(octets);
    }
}

/// Whether small and capital letters are the same in names below a folder. It is looked for under another spelling; nothing is
/// written.
pub(super) fn folds_case(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    folder.ancestors().find_map(|at| {
        let name = at.file_name()?.to_str().filter(|name| name.bytes().any(|b| b.is_ascii_alphabetic()))?;
        let here = std::fs::metadata(at).ok()?;
        let other = std::fs::metadata(at.with_file_name(name.chars().map(swap).collect::<String>())).ok();
        Some(other.is_some_and(|other| (other.dev(), other.ino()) == (here.dev(), here.ino())))
    }) == Some(true)
}

/// A path with the octets that its names carry.
pub(super) fn on_the_disk(path: &str) -> PathBuf {
    OsString::from_vec(carried(path).into_owned()).into()
}

/// The other way round.
pub(super) fn in_a_text(path: &Path) -> String {
    carry(path.as_os_str().as_bytes())
}

/// `~/` at the beginning is the reader's home folder.
pub(super) fn expand(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(on_the_disk(rest)),
        _ => on_the_disk(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_somebody_else_made_where_many_may_write_is_none_of_the_readers() {
        let (reader, other, root) = (1000, 1001, 0);
        for (link, folder, planted) in [
            (reader, root, false),
            (reader, reader, false),
            (root, root, false),
            (other, other, false),
            (other, root, true),
            (other, reader, true),
            (root, reader, true),
        ] {
            assert_eq!(is_of_another(link, Some(folder), reader), planted, "{link} {folder}");
        }
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("own")).unwrap();
        assert!(!is_planted(&folder.path().join("own")) && !is_planted(folder.path()));
    }

    #[test]
    fn what_stands_where_a_folder_should_be_is_told_by_what_it_is() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("file"), "").unwrap();
        std::os::unix::fs::symlink("file", root.path().join("link")).unwrap();
        for (name, words) in [("file", "is a file here and a folder on the server"), ("link", "is a link; nothing")] {
            let Err(Transfer::Failed(said)) = below(root.path(), &Path::new(name).join("x")) else { panic!("{name}") };
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn files_of_one_new_folder_may_come_at_the_same_time() {
        let root = tempfile::tempdir().unwrap();
        for round in 0..50 {
            let path = format!("{round}/deep/file");
            std::thread::scope(|scope| {
                let at_once = [(); 8].map(|()| scope.spawn(|| below(root.path(), Path::new(&path))));
                for one in at_once {
                    assert_eq!(one.join().unwrap().unwrap(), root.path().join(&path));
                }
            });
        }
    }
}
