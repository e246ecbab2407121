//! Files on their way into directories of servers: how much of each has gone at most, so that a part of one is known for what it is,
//! by later runs too.
//!
//! A line of the file: octets, length, time of the last change, octets of the file that it replaces, number of the process, directory,
//! path. Refuses: keeping passwords, and taking what another running copy sends for its own.

use super::put::Outgoing;
use crate::disk::{self, Asked, Fresh, Kept, Lines};
use crate::proto::There;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

/// Files that are remembered.
const REMEMBERED: usize = 64;
/// The disk is told so often of one that goes.
const STEPS: u64 = 16;

/// Them. Clones share.
#[derive(Debug, Clone, Default)]
pub struct Begun {
    all: Arc<Mutex<Vec<Row>>>,
    kept: Option<Kept>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// So much has gone at most; zero of one that has arrived.
    sent: u64,
    length: u64,
    /// The last change, in nanoseconds since 1970.
    modified: Option<u64>,
    /// The length of the file that it replaces.
    over: Option<u64>,
    /// The directory, without a password.
    place: String,
    path: String,
}

impl Row {
    fn of(file: &Outgoing, sent: u64) -> Row {
        let over = if let Some(There::Other(octets)) = file.put.agreed { octets } else { None };
        let since = file.modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since.and_then(|time| u64::try_from(time.as_nanos()).ok());
        let (place, path) = (file.place.clone(), file.put.path.clone());
        Row { sent, length: file.length, modified, over, place, path }
    }

    /// Whether it is the same file as it was then.
    fn is(&self, other: &Row) -> bool {
        let facts = |row: &Row| (row.length, row.modified);
        self.place == other.place && self.path == other.path && facts(self) == facts(other)
    }

    /// Whether it goes to the same place.
    fn replaces(&self, other: &Row) -> bool {
        self.place == other.place && Path::new(&self.path).file_name() == Path::new(&other.path).file_name()
    }

    /// Whether so many octets there can be its beginning.
    fn has(&self, octets: u64) -> bool {
        // A server may put a new file in the old one's place only when it is whole: until then the old one is there.
        octets > 0 && octets <= self.sent.min(self.length) && self.over != Some(octets)
    }

    fn line(&self, run: &str) -> Option<String> {
        let number = |number: Option<u64>| number.map_or("-".into(), |number| number.to_string());
        let Row { sent, length, modified, over, place, path } = self;
        let (modified, over) = (number(*modified), number(*over));
        let line = format!("{sent}\t{length}\t{modified}\t{over}\t{run}\t{place}\t{path}");
        (line.matches('\t').count() == 6 && !line.contains(['\n', '\r'])).then_some(line + "\n")
    }

    /// With the number of the process that sent it.
    fn read(line: &str) -> Option<(Row, &str)> {
        let mut words = line.split('\t');
        let mut word = || words.next();
        let some = |word: &str| if word == "-" { Some(None) } else { word.parse().ok().map(Some) };
        let (sent, length) = (word()?.parse().ok()?, word()?.parse().ok()?);
        let (modified, over, run) = (some(word()?)?, some(word()?)?, word()?);
        let (place, path) = (word()?.to_owned(), word()?.to_owned());
        words.next().is_none().then_some((Row { sent, length, modified, over, place, path }, run))
    }
}

impl Begun {
    /// Those of earlier runs are in this file.
    pub fn new(kept: Option<Kept>) -> Begun {
        Begun { all: Arc::default(), kept }
    }

    fn all(&self) -> MutexGuard<'_, Vec<Row>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So much of it has gone at most; zero forgets it.
    pub(super) fn note(&self, file: &Outgoing, sent: u64) {
        let mut row = Row::of(file, sent);
        let mut all = self.all();
        let before = all.iter().find(|other| other.is(&row)).map_or(0, |other| other.sent);
        row.sent = if sent == 0 { 0 } else { sent.max(before) };
        all.retain(|other| !other.replaces(&row));
        all.push(row.clone());
        let excess = all.len().saturating_sub(REMEMBERED);
        all.drain(..excess);
        drop(all);
        // The disk is told of a little more than has gone, so that it need not be told of each octet.
        let step = (file.length / STEPS).max(1);
        if sent == 0 || before == 0 || before.div_ceil(step) < sent.div_ceil(step) {
            row.sent = row.sent.div_ceil(step).saturating_mul(step).min(file.length);
            self.keep(row);
        }
    }

    fn keep(&self, row: Row) {
        let Some(Kept { file, writer }) = self.kept.clone() else { return };
        writer.write(&file.clone(), Asked::ByNobody, move || {
            let wrong =
                |error| format!("{}; a file that breaks off is not gone on with later", disk::wrong(&file, &error));
            write(&file, &row).map_err(wrong)
        });
    }

    /// Whether so many octets on the server can be the beginning of it, since they went there.
    pub(super) async fn has(&self, file: &Outgoing, octets: u64) -> bool {
        let wanted = Row::of(file, 0);
        if let Some(known) = self.all().iter().find(|row| row.is(&wanted)) {
            return known.has(octets);
        }
        let Some(path) = self.kept.as_ref().map(|kept| kept.file.clone()) else { return false };
        let earlier = tokio::task::spawn_blocking(move || earlier(path)).await.unwrap_or_default();
        earlier.iter().any(|row| row.is(&wanted) && row.has(octets))
    }
}

fn lines(file: PathBuf) -> Lines {
    Lines::new(file, "uploads")
}

fn rows(octets: &[u8]) -> impl Iterator<Item = (usize, Option<(Row, &str)>)> {
    let lines = octets.split(|octet| *octet == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"));
    lines.map(|(at, line)| (at + 1, std::str::from_utf8(line).ok().and_then(Row::read)))
}

/// What runs sent that have ended.
fn earlier(file: PathBuf) -> Vec<Row> {
    let (lines, own) = (lines(file), disk::own_run());
    // One that cannot be read is told of when it is to be written.
    let octets = lines.read().unwrap_or_default();
    if lines.newer(&octets).is_some() {
        return Vec::new();
    }
    let ended = |run: &str| run == own || disk::has_ended(run);
    rows(&octets).filter_map(|(_, row)| row).filter(|(_, run)| ended(run)).map(|(row, _)| row).collect()
}

/// Puts a row in the place of the one that goes to the same place.
fn write(file: &Path, row: &Row) -> io::Result<()> {
    let lines = lines(file.to_owned());
    lines.add("")?;
    lines.anew(|octets| {
        let (mut left, mut bad) = (Vec::new(), Vec::new());
        for (number, read) in rows(octets) {
            match read {
                Some((other, run)) if !other.replaces(row) => left.extend(other.line(run)),
                Some(_) => {}
                None => bad.push(number),
            }
        }
        left.extend(row.line(&disk::own_run()).filter(|_| row.sent > 0));
        let excess = left.len().saturating_sub(REMEMBERED);
        Some(Fresh { lines: left.split_off(excess).concat(), bad })
    })
}
