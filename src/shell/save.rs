//! Files that the reader asked for: short ones are read; others are written under a temporary name beside the final one,
//! never over anything by accident.

use crate::app::Transfer;
use std::io;
use std::path::{Path, PathBuf};
use tokio::fs;
use tokio::io::AsyncWriteExt;

/// A file being written.
#[derive(Debug)]
pub(super) struct Saver {
    file: fs::File,
    partial: PathBuf,
    path: PathBuf,
    replace: bool,
    written: u64,
}

impl Saver {
    /// Opens a file for writing; `folder` is where relative paths begin, `None` forbids writing at all.
    pub(super) async fn open(folder: Option<&Path>, path: &str, replace: bool) -> Result<Saver, Transfer> {
        let Some(folder) = folder else {
            return Err(Transfer::Failed("Nothing was written: --safe forbids it.".into()));
        };
        let path = folder.join(expand(path));
        if fs::metadata(&path).await.is_ok_and(|facts| facts.is_dir()) {
            return Err(Transfer::Failed(format!("{} is a folder; a file in it needs a name.", path.display())));
        }
        if !replace && fs::symlink_metadata(&path).await.is_ok() {
            return Err(Transfer::Exists(path.display().to_string()));
        }
        match create_partial(&path).await {
            Ok((file, partial)) => Ok(Saver { file, partial, path, replace, written: 0 }),
            Err(error) => Err(Transfer::Failed(format!("Cannot write {}: {error}.", path.display()))),
        }
    }

    /// Octets written.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Writes the next octets.
    pub(super) async fn write(&mut self, octets: &[u8]) -> Result<(), String> {
        self.written += octets.len() as u64;
        let written = self.file.write_all(octets).await;
        written.map_err(|error| format!("Cannot write {}: {error}. What came is kept.", self.partial.display()))
    }

    /// Gives the file its name; says which, or why not in a sentence.
    pub(super) async fn finish(mut self) -> Result<String, String> {
        let flushed = match self.file.flush().await {
            Ok(()) => self.file.sync_all().await,
            Err(error) => Err(error),
        };
        if let Err(error) = flushed {
            return Err(format!("Cannot write {}: {error}.", self.partial.display()));
        }
        let (path, partial) = (self.path.display(), self.partial.display());
        match settle(&self.partial, &self.path, self.replace).await {
            Ok(()) => Ok(path.to_string()),
            Err(error) => Err(format!("Cannot name the file {path}: {error}. Its content is in {partial}.")),
        }
    }

    /// Ends a download that failed; what came is kept, nothing is left when nothing came.
    pub(super) async fn abandon(mut self, why: &str) -> String {
        let _ = self.file.flush().await;
        if self.written == 0 {
            let _ = fs::remove_file(&self.partial).await;
            return why.into();
        }
        format!("{why} What came is kept in {}.", self.partial.display())
    }
}

/// The temporary file beside the final one. One that is there already may be the reader's, or another download's.
async fn create_partial(path: &Path) -> io::Result<(fs::File, PathBuf)> {
    const TRIES: u32 = 100;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).await?;
    }
    let mut number = 1;
    loop {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(if number == 1 { ".part".into() } else { format!(".part-{number}") });
        let partial = path.with_file_name(name);
        match fs::File::create_new(&partial).await {
            Ok(file) => return Ok((file, partial)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < TRIES => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Renames without ever replacing a file that appeared meanwhile, unless the reader agreed.
async fn settle(partial: &Path, path: &Path, replace: bool) -> io::Result<()> {
    if replace {
        return fs::rename(partial, path).await;
    }
    match fs::hard_link(partial, path).await {
        Ok(()) => fs::remove_file(partial).await,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // File systems without hard links (FAT, some network mounts).
        Err(_) if fs::symlink_metadata(path).await.is_err() => fs::rename(partial, path).await,
        Err(error) => Err(error),
    }
}

/// Writes a whole file the same careful way.
pub(super) async fn write(
    folder: Option<&Path>,
    path: &str,
    content: &[u8],
    replace: bool,
) -> Result<String, Transfer> {
    let mut saver = Saver::open(folder, path, replace).await?;
    saver.write(content).await.map_err(Transfer::Failed)?;
    saver.finish().await.map_err(Transfer::Failed)
}

/// Octets of a file that is read whole.
const SHORT: u64 = 1024 * 1024;
/// Names in a folder.
const MOST: usize = 1000;

/// Reads a short text file, or the names of the files in a folder, the one changed last first; anything else is refused with
/// a sentence.
pub(super) async fn read(path: &Path) -> Result<Vec<u8>, String> {
    let shown = path.display();
    let facts = fs::metadata(path).await.map_err(|error| format!("Cannot read {shown}: {error}."))?;
    if facts.is_dir() {
        return names(path).await.map_err(|error| format!("Cannot read {shown}: {error}."));
    }
    if !facts.is_file() || facts.len() > SHORT {
        return Err(format!("{shown} is no file of at most 1 MiB."));
    }
    fs::read(path).await.map_err(|error| format!("Cannot read {shown}: {error}."))
}

async fn names(folder: &Path) -> io::Result<Vec<u8>> {
    let mut found = Vec::new();
    let mut entries = fs::read_dir(folder).await?;
    while let Some(entry) = entries.next_entry().await? {
        let facts = entry.metadata().await?;
        if facts.is_file() {
            found.push((facts.modified().ok(), entry.file_name()));
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    let names: Vec<String> = found.into_iter().filter_map(|(_, name)| name.into_string().ok()).take(MOST).collect();
    Ok(names.join("\n").into_bytes())
}

/// A folder of this run's own, for files that are opened with other programs; dropping it removes them.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Names the folder; it is made when the first file goes there.
    pub(super) fn new() -> Scratch {
        let folders = directories::ProjectDirs::from("", "", "wayfarer");
        let cache = folders.map_or_else(std::env::temp_dir, |folders| folders.cache_dir().to_path_buf());
        Scratch(cache.join(format!("outside-{}", std::process::id())))
    }

    /// The folder.
    pub(super) fn path(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Mostly it was never made.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `~/` at the beginning is the reader's home folder.
pub(super) fn expand(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work)
    }

    #[test]
    fn nothing_is_overwritten_unasked_not_even_the_part_of_another_download() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.part"), "mine").unwrap();
        std::fs::write(at("secret"), "mine").unwrap();
        std::os::unix::fs::symlink(at("secret"), at("a.part-2")).unwrap();
        run(async {
            let [mut one, mut other] = [
                Saver::open(Some(folder.path()), "a", false).await.unwrap(),
                Saver::open(Some(folder.path()), "a", false).await.unwrap(),
            ];
            one.write(b"one").await.unwrap();
            other.write(b"other").await.unwrap();
            one.finish().await.unwrap();
            let told = other.finish().await.unwrap_err();
            assert!(told.ends_with("a.part-4."), "{told}");
            let again = Saver::open(Some(folder.path()), "a", false).await.unwrap_err();
            assert!(matches!(again, Transfer::Exists(_)), "{again:?}");
            let folder = Saver::open(Some(folder.path()), ".", true).await.unwrap_err();
            assert!(matches!(folder, Transfer::Failed(_)), "{folder:?}");
        });
        for (name, content) in [("a.part", "mine"), ("secret", "mine"), ("a", "one"), ("a.part-4", "other")] {
            assert_eq!(std::fs::read_to_string(at(name)).unwrap(), content, "{name}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 5);
    }
}
