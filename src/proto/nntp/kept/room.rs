//! Room for what is kept: the oldest files go first, and one server never has more than half.

use super::Most;
use crate::disk;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

struct Entry {
    path: PathBuf,
    server: OsString,
    size: u64,
    time: SystemTime,
    is_article: bool,
}

/// Removes the oldest files while there is too much.
pub(super) fn sweep(folder: &Path, most: &Most) -> io::Result<()> {
    let mut entries = all(folder)?;
    entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.time));
    for (articles, most) in [(false, most.overviews), (true, most.articles)] {
        let (mut sum, mut sums) = (0, HashMap::<&OsString, u64>::new());
        for entry in entries.iter().filter(|entry| entry.is_article == articles) {
            let own = sums.entry(&entry.server).or_default();
            if sum + entry.size > most || *own + entry.size > most / 2 {
                remove(&entry.path)?;
                continue;
            }
            sum += entry.size;
            *own += entry.size;
        }
    }
    Ok(())
}

/// Removes what came from a host, or from a time on, or has a name, or all.
pub(super) fn forget(folder: &Path, host: Option<&str>, since: Option<i64>, name: Option<&str>) -> io::Result<()> {
    let since = since.map(|since| SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(since).unwrap_or(0)));
    for entry in all(folder)? {
        let server = entry.server.to_string_lossy();
        let is_its = host.is_none_or(|host| host_of(&server) == host);
        let is_named = name.is_none_or(|name| entry.path.file_name().is_some_and(|own| own == name));
        if is_its && is_named && since.is_none_or(|since| entry.time >= since) {
            remove(&entry.path)?;
        }
    }
    Ok(())
}

/// The host of a server's folder: `user@host:port+tls`.
fn host_of(server: &str) -> &str {
    let place = server.rsplit_once('@').map_or(server, |(_, place)| place);
    place.rsplit_once(':').map_or(place, |(host, _)| host)
}

fn remove(path: &Path) -> io::Result<()> {
    // Whoever adds to it just now does so before or after.
    let _lock = disk::lock(path)?;
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// All files that are kept, those that were put aside too.
fn all(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for server in names(folder)? {
        let own = folder.join(&server);
        add(&own, &server, false, &mut entries)?;
        let articles = own.join("articles");
        for part in names(&articles)? {
            add(&articles.join(part), &server, true, &mut entries)?;
        }
    }
    Ok(entries)
}

fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.map(|entry| entry.file_name())).collect(),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn add(folder: &Path, server: &OsString, is_article: bool, entries: &mut Vec<Entry>) -> io::Result<()> {
    for name in names(folder)? {
        let path = folder.join(name);
        // What another copy has removed meanwhile is no failure.
        let Ok(facts) = fs::symlink_metadata(&path) else { continue };
        if facts.is_file() {
            let (size, time) = (facts.len(), facts.modified()?);
            entries.push(Entry { path, server: server.clone(), size, time, is_article });
        }
    }
    Ok(())
}
