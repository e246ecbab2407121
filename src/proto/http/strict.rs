//! Hosts that want TLS and nothing else (HSTS, RFC 6797): what they said, for how long, and whom a URL in clear text is to be
//! asked for instead. Kept beside the cookies, a line each: the host, a TAB, until when, a TAB, whether hosts below it are meant.
//! Refuses what came in clear text, from an address, or under a certificate that no authority vouches for.

use super::site;
use crate::disk::{self, Asked, Kept, Lines};
use crate::url::Url;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Hosts in all; when there are more, no new ones are taken.
const MOST: usize = 5000;
/// Seconds that a promise holds at most: two years.
const LONGEST: i64 = 2 * 366 * 24 * 60 * 60;
/// The word for a promise that holds for the hosts below, too.
const BELOW: &str = "and-below";

/// What was promised.
#[derive(Default)]
pub struct Strict {
    kept: Option<Kept>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    read: bool,
    hosts: BTreeMap<String, Promise>,
    /// What is not in the file yet; `None` is forgotten.
    fresh: BTreeMap<String, Option<Promise>>,
    /// All that the file holds is forgotten, whoever wrote it.
    cleared: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Promise {
    until: Timestamp,
    below: bool,
}

impl fmt::Debug for Strict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Strict").field("kept", &self.kept).finish_non_exhaustive()
    }
}

impl Strict {
    /// What is kept in that file; nothing outlives the program without one.
    pub fn new(kept: Option<Kept>) -> Strict {
        Strict { kept, state: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves plain maps behind.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut state.read, true)
            && let Some(kept) = &self.kept
        {
            // Without the file nothing was promised; a redirect will say it again.
            state.hosts = disk::read(&kept.file).map(|octets| entries(&kept.file, &octets)).unwrap_or_default();
        }
        state
    }

    /// What a host said of itself over TLS that an authority vouches for (6.1); what is not to be kept counts for this run.
    pub fn learn(&self, host: &str, said: &str, now: Timestamp, keeps: bool) {
        let host = named(host);
        let Some((age, below)) = parsed(said).filter(|_| may_promise(&host)) else { return };
        let until = now.checked_add(SignedDuration::from_secs(age.min(LONGEST))).unwrap_or(now);
        let promise = (age > 0).then_some(Promise { until, below });
        let mut state = self.state();
        let before = state.hosts.get(&host).copied();
        // Said anew with every answer: what differs by less than a day is the same.
        let same = match (before, promise) {
            (None, None) => true,
            (Some(old), Some(new)) => {
                let day = SignedDuration::from_hours(24);
                old.below == new.below && old.until.duration_since(new.until).abs() < day
            }
            _ => false,
        };
        if same || before.is_none() && state.hosts.len() >= MOST {
            return;
        }
        match promise {
            Some(promise) => drop(state.hosts.insert(host.clone(), promise)),
            None => drop(state.hosts.remove(&host)),
        }
        if keeps {
            state.fresh.insert(host, promise);
            drop(state);
            self.write();
        }
    }

    /// Forgets what a host said: the next time it may be asked for in clear text.
    pub fn forget(&self, host: &str) {
        let host = host.to_ascii_lowercase();
        let mut state = self.state();
        state.hosts.remove(&host);
        // Another running copy may have kept it meanwhile.
        state.fresh.insert(host, None);
        drop(state);
        self.write();
    }

    /// Forgets what all hosts said.
    pub fn forget_all(&self) {
        let mut state = self.state();
        state.hosts.clear();
        state.fresh.clear();
        state.cleared = true;
        drop(state);
        self.write();
    }

    /// The URL that is to be asked for in place of one in clear text (8.3); `None` where nothing was promised.
    pub fn instead(&self, url: &Url, now: Timestamp) -> Option<Url> {
        let host = named(url.host().filter(|_| url.is("http"))?);
        let state = self.state();
        let holds = |name: &str| state.hosts.get(name).filter(|promise| promise.until > now);
        let above = std::iter::successors(host.split_once('.'), |(_, above)| above.split_once('.'));
        let own = holds(&host).is_some();
        if !may_promise(&host) || !own && !above.map(|(_, name)| name).any(|name| holds(name).is_some_and(|p| p.below))
        {
            return None;
        }
        let (_, rest) = url.as_str().split_once(':')?;
        let port = url.port_text().filter(|_| url.port() == Some(80)).map(|port| format!(":{port}"));
        let secure = match port.filter(|port| rest.contains(port.as_str())) {
            Some(port) => format!("https:{}", rest.replacen(&port, "", 1)),
            None => format!("https:{rest}"),
        };
        Url::parse(secure).ok().filter(|secure| secure.host() == url.host() && secure.path() == url.path())
    }

    fn write(&self) {
        let Some(Kept { file, writer }) = &self.kept else { return };
        let (path, state) = (file.clone(), Arc::clone(&self.state));
        writer.write(file, Asked::ForAll, move || {
            merge(&path, &state)
                .map_err(|error| format!("{}; which hosts want TLS is not kept yet", disk::wrong(&path, &error)))
        });
    }
}

/// Writes what is new over what the file holds; the state is not held while the disk works.
fn merge(path: &Path, state: &Mutex<State>) -> io::Result<()> {
    let held = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let _lock = disk::lock(path)?;
    let octets = disk::read(path)?;
    if let Some(version) = lines(path).newer(&octets) {
        return Err(io::Error::other(format!("from a newer Wayfarer (version {version})")));
    }
    let (fresh, cleared) = {
        let mut state = held();
        (state.fresh.clone(), std::mem::take(&mut state.cleared))
    };
    let mut merged = if cleared { BTreeMap::new() } else { entries(path, &octets) };
    for (host, promise) in &fresh {
        match promise {
            Some(promise) => drop(merged.insert(host.clone(), *promise)),
            None => drop(merged.remove(host)),
        }
    }
    let line = |(host, promise): (&String, &Promise)| {
        let below = if promise.below { format!("\t{BELOW}") } else { String::new() };
        format!("{host}\t{}{below}\n", promise.until)
    };
    let text: String = [lines(path).first()].into_iter().chain(merged.iter().map(line)).collect();
    if let Err(error) = disk::replace(path, text.as_bytes()) {
        held().cleared |= cleared;
        return Err(error);
    }
    held().fresh.retain(|host, promise| fresh.get(host) != Some(promise));
    Ok(())
}

fn lines(path: &Path) -> Lines {
    Lines::new(path.into(), "hsts")
}

/// The promises of a file; a line that makes no sense is none.
fn entries(path: &Path, octets: &[u8]) -> BTreeMap<String, Promise> {
    if lines(path).newer(octets).is_some() {
        return BTreeMap::new();
    }
    let entry = |line: &str| {
        let mut pieces = line.split('\t');
        let (host, until) = (pieces.next().filter(|host| may_promise(host))?, pieces.next()?.parse().ok()?);
        Some((host.to_owned(), Promise { until, below: pieces.next() == Some(BELOW) }))
    };
    String::from_utf8_lossy(octets).lines().filter_map(entry).take(MOST).collect()
}

/// A host by its name; a dot behind it changes nothing in whom it names.
fn named(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// Addresses promise nothing, nor does this machine (8.1.1).
fn may_promise(host: &str) -> bool {
    !host.is_empty() && !host.starts_with('#') && !site::is_numeric(host) && !site::is_this_machine(host)
}

/// Seconds, and whether hosts below are meant (6.1).
fn parsed(said: &str) -> Option<(i64, bool)> {
    let directives = || {
        said.split(';').map(|one| {
            let (name, value) = one.split_once('=').unwrap_or((one, ""));
            (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"'))
        })
    };
    let (_, age) = directives().find(|(name, _)| name == "max-age")?;
    let digits = !age.is_empty() && age.bytes().all(|b| b.is_ascii_digit());
    let age = digits.then(|| age.parse().unwrap_or(LONGEST))?;
    Some((age, directives().any(|(name, _)| name == "includesubdomains")))
}
