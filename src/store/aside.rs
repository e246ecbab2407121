//! A damaged database under another name, with the log beside it, which may hold what was kept last; an earlier one stays.

use crate::disk::{self, wrong};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// So many stay.
const MOST: usize = 9;
/// The files that belong together: the database goes last, so that it never stands there with the log of another.
const PARTS: &[&str] = &["-wal", "-shm", ""];

/// The names that they have.
fn names(file: &Path) -> impl Iterator<Item = PathBuf> {
    let name = |n| file.with_extension(if n == 1 { "bad".into() } else { format!("bad{n}") });
    (1..=MOST).map(name)
}

/// What belongs to a database.
pub(super) fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Puts it aside while nobody opens it, if it is still to be; gives its new name.
pub(super) fn put(file: &Path, is_still_there: impl Fn() -> bool) -> Result<Option<PathBuf>, String> {
    // Where it cannot be locked nobody else is kept from opening it, and what is damaged is put aside all the same.
    let _turn = turn(file);
    if !is_still_there() || !file.exists() {
        return Ok(None);
    }
    let free = |name: &PathBuf| !PARTS.iter().any(|end| beside(name, end).exists());
    let aside = names(file).find(free).unwrap_or_else(|| file.with_extension(format!("bad{MOST}")));
    for end in PARTS {
        match fs::rename(beside(file, end), beside(&aside, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(wrong(file, &error)),
            _ => {}
        }
    }
    Ok(Some(aside))
}

/// Nobody else opens it, or puts it aside, for as long as this lives.
pub(super) fn turn(file: &Path) -> Option<fs::File> {
    // The folder: to close the file itself would give up what the library has locked in it.
    disk::lock(file.parent()?).ok()
}

/// Takes away all that was put aside.
pub(super) fn remove(file: &Path) -> Result<(), String> {
    let all = names(file).flat_map(|name| PARTS.iter().map(move |end| beside(&name, end)));
    all.map(|name| remove_file(&name)).fold(Ok(()), Result::and)
}

/// Takes a file away; what is not there is away.
pub(super) fn remove_file(name: &Path) -> Result<(), String> {
    match fs::remove_file(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(wrong(name, &error)),
        _ => Ok(()),
    }
}
