//! News that is kept on disk: the overview of groups (`overview`), articles (`article`), each as records (`record`) with sums, so
//! that whatever a kill or a bad disk leaves is seen. `room` holds all of it within what the settings allow.
//!
//! It can be had again at any time. So nothing is owed: what cannot be written is not kept, and the reader is told of it once.
//! Several running copies share the files: a group's file grows at its end under a lock, an article's is put there in one step.
//! It is read by whoever talks to servers and written by the thread that writes all files.
//! Refuses: what comes of a private tab, which is never handed here; deciding what is asked of a server.

mod article;
mod overview;
mod record;
mod room;

pub(in crate::proto::nntp) use article::Articles;
pub(in crate::proto::nntp) use overview::{Group, Known, Opened, number};

use super::Wanted;
use crate::disk::{Asked, Writer, wrong};
use crate::url::{Url, scheme};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// How the names of files end.
const OVERVIEW: &str = ".overview";
const ARTICLE: &str = ".article";
/// Octets that may wait for the disk.
const WAITING: u64 = 32 << 20;
/// How often, and how long in between, it is looked whether the disk has come after.
const PATIENCE: u32 = 250;
const MOMENT: Duration = Duration::from_millis(20);
/// The longest name of a file that is made of a group's or an article's.
const LONGEST_NAME: usize = 180;

/// What is kept of news, or nothing. Clones share.
#[derive(Clone, Default)]
pub struct Kept(Option<Arc<Inner>>);

/// How many octets are kept at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Of overviews; 0 keeps none.
    pub overviews: u64,
    /// Of articles; 0 keeps none.
    pub articles: u64,
}

struct Inner {
    folder: PathBuf,
    writer: Arc<Writer>,
    most: Most,
    waiting: AtomicU64,
    /// What was written since it was last looked whether there is too much.
    unswept: AtomicU64,
    /// Something could not be written, so nothing more is kept in this run.
    given_up: AtomicBool,
    complaints: Mutex<Vec<String>>,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kept").field(&self.0.as_ref().map(|inner| &inner.folder)).finish()
    }
}

impl Kept {
    /// What is kept in a folder, which need not be there yet.
    pub fn new(folder: PathBuf, writer: Arc<Writer>, most: Most) -> Kept {
        Kept(Some(Arc::new(Inner {
            folder,
            writer,
            most,
            waiting: AtomicU64::new(0),
            unswept: AtomicU64::new(u64::MAX / 2),
            given_up: AtomicBool::new(false),
            complaints: Mutex::default(),
        })))
    }

    /// A group of a server, by the server's name.
    pub(in crate::proto::nntp) fn group(&self, server: &str, group: &[u8]) -> Option<Group> {
        let inner = self.0.as_ref().filter(|inner| inner.most.overviews > 0)?;
        Some(Group::new(Arc::clone(inner), server, group))
    }

    /// The groups of a server of which something is kept, by name; `None` where nothing is kept at all.
    pub(in crate::proto::nntp) async fn groups(&self, server: &str) -> Option<Vec<Vec<u8>>> {
        let inner = self.0.as_ref().filter(|inner| inner.most.overviews > 0)?;
        let (folder, server) = (inner.folder.join(file_name(server.as_bytes(), "")), server.to_owned());
        tokio::task::spawn_blocking(move || overview::groups(&folder, &server)).await.ok()
    }

    /// The articles of a server.
    pub(in crate::proto::nntp) fn articles(&self, server: &str) -> Option<Articles> {
        let inner = self.0.as_ref().filter(|inner| inner.most.articles > 0)?;
        Some(Articles::new(Arc::clone(inner), server))
    }

    /// What could not be kept, in sentences; each once.
    pub fn complaints(&self) -> Vec<String> {
        self.0.as_ref().map(|inner| std::mem::take(&mut *inner.complaints())).unwrap_or_default()
    }

    /// Forgets what came from a host, or what came from a time on, in seconds since 1970; without both all of it.
    pub fn forget(&self, host: Option<&str>, since: Option<i64>) {
        if let Some(inner) = &self.0 {
            let (kept, host) = (Arc::clone(inner), host.map(str::to_ascii_lowercase));
            inner.run(0, &inner.folder, move || room::forget(&kept.folder, host.as_deref(), since, None));
        }
    }

    /// Forgets a group or an article, wherever it came from where the URL names no server.
    pub fn forget_page(&self, url: &Url) {
        let Some(inner) = &self.0 else { return };
        let name = match Wanted::of(url).ok().filter(|_| scheme::family(url).is_news()) {
            Some(Wanted::Group(group, _)) => file_name(&group, OVERVIEW),
            Some(Wanted::Article(id)) => file_name(&id, ARTICLE),
            _ => return,
        };
        let host = url.host().filter(|host| !host.is_empty()).map(str::to_ascii_lowercase);
        let kept = Arc::clone(inner);
        inner.run(0, &inner.folder, move || room::forget(&kept.folder, host.as_deref(), None, Some(&name)));
    }
}

impl Inner {
    fn complaints(&self) -> MutexGuard<'_, Vec<String>> {
        // Whoever panicked left a plain list behind.
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the disk's thread do something about a file, for which so many octets wait.
    fn run(self: &Arc<Inner>, octets: u64, path: &Path, work: impl FnOnce() -> io::Result<()> + Send + 'static) {
        let waiting = self.waiting.load(Ordering::Relaxed);
        if self.given_up.load(Ordering::Relaxed) || waiting > 0 && waiting.saturating_add(octets) > WAITING {
            return;
        }
        self.waiting.fetch_add(octets, Ordering::Relaxed);
        let (kept, place, mut work) = (Arc::clone(self), path.to_path_buf(), Some(work));
        self.writer.write(path, Asked::ByNobody, move || {
            let Some(work) = work.take() else { return Ok(()) };
            if !kept.given_up.load(Ordering::Relaxed)
                && let Err(error) = work().and_then(|()| kept.sweep(octets))
            {
                kept.given_up.store(true, Ordering::Relaxed);
                let why = wrong(&place, &error);
                kept.complaints().push(format!("{why}; nothing more of news is kept on disk in this run"));
            }
            kept.waiting.fetch_sub(octets, Ordering::Relaxed);
            Ok(())
        });
    }

    /// Waits while much waits for the disk, within reason: else a fast server would have holes kept of what it sends.
    async fn rest(&self) {
        for _ in 0..PATIENCE {
            if self.given_up.load(Ordering::Relaxed) || self.waiting.load(Ordering::Relaxed) < WAITING / 2 {
                return;
            }
            tokio::time::sleep(MOMENT).await;
        }
    }

    /// Makes room now and then, for the first time in a run at once.
    fn sweep(&self, octets: u64) -> io::Result<()> {
        let enough = (self.most.overviews.saturating_add(self.most.articles) / 64).max(64 << 10);
        if octets > 0 && self.unswept.fetch_add(octets, Ordering::Relaxed).saturating_add(octets) > enough {
            self.unswept.store(0, Ordering::Relaxed);
            room::sweep(&self.folder, &self.most)?;
        }
        Ok(())
    }
}

/// A name for a file, of octets that somebody else chose: what is no plain letter is written as its number, and what becomes too long
/// ends in a sum. The file itself says whose it is.
fn file_name(octets: &[u8], end: &str) -> String {
    let mut name = String::new();
    for (at, octet) in octets.iter().enumerate() {
        match octet {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'+' | b'@' | b':' | b'[' | b']' => {
                name.push(char::from(*octet));
            }
            b'.' if at > 0 => name.push('.'),
            _ => name.push_str(&format!("%{octet:02x}")),
        }
    }
    if name.len() > LONGEST_NAME {
        name.truncate(LONGEST_NAME - 20);
        name.push_str(&format!("%%{:016x}", fnv(octets)));
    }
    name + end
}

/// FNV-1a: it need only tell most names apart.
fn fnv(octets: &[u8]) -> u64 {
    octets.iter().fold(0xCBF2_9CE4_8422_2325, |sum, octet| (sum ^ u64::from(*octet)).wrapping_mul(0x100_0000_01B3))
}

/// How long ago something was kept, in words.
pub(in crate::proto::nntp) fn ago(time: SystemTime) -> String {
    let seconds = SystemTime::now().duration_since(time).unwrap_or_default().as_secs();
    crate::format::ago(i64::try_from(seconds).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_one_safe_name() {
        assert_eq!(file_name(b"comp.lang.c++", ".overview"), "comp.lang.c++.overview");
        assert_eq!(file_name(b"../../etc/x", ""), "%2e.%2f..%2fetc%2fx");
        assert_eq!(file_name(b"\xFF\0", ""), "%ff%00");
        let (long, other) = (file_name(&[b'x'; 500], ".a"), file_name(&[b'x'; 501], ".a"));
        assert!(long.len() < 200 && long != other, "{long}");
    }
}
