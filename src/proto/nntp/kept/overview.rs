//! The overview of a group as a server gave it: a file of records that grows at its end, and is written anew when much of it has
//! expired, or when it is more than it may be.
//!
//! A record says of which numbers it holds all articles, so that it is known what was never asked for. No two are of the same
//! numbers.

use super::record::{self, Record, What};
use super::{Inner, OVERVIEW, file_name};
use crate::disk::{self, Lines};
use memchr::memchr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Octets of lines in a record.
const BATCH: usize = 256 << 10;
/// A longer record was not written here.
const LONGEST: u64 = 32 << 20;
/// A file that is shorter is not worth to be written anew.
const SHORT: u64 = 64 << 10;
/// Nor is one of fewer records.
const FEW: usize = 500;

/// The file of a group.
#[derive(Clone)]
pub(in crate::proto::nntp) struct Group {
    inner: Arc<Inner>,
    path: PathBuf,
    /// The server and the group, as a line of the file says them.
    owner: Vec<u8>,
}

/// What is known of a group.
pub(in crate::proto::nntp) enum Opened {
    Nothing,
    Known(Known),
    /// The file makes no sense: a sentence.
    Damaged(String),
}

/// The overview of a group, to be read piece by piece.
pub(in crate::proto::nntp) struct Known {
    file: Arc<File>,
    /// In ascending order.
    spans: Vec<Record>,
    /// The server's first number, as it was heard last.
    pub low: u64,
    /// When the server was heard last.
    pub time: SystemTime,
}

/// What a file turned out to be.
enum Look {
    /// Nothing, or half of its first lines.
    Empty,
    /// Of a newer version, or of another group of the same file name.
    Foreign,
    Damaged,
    Ours(Vec<Record>, u64),
}

impl Group {
    pub(super) fn new(inner: Arc<Inner>, server: &str, group: &[u8]) -> Group {
        let folder = inner.folder.join(file_name(server.as_bytes(), ""));
        let path = folder.join(file_name(group, OVERVIEW));
        Group { inner, path, owner: [server.as_bytes(), b"\t", group, b"\n"].concat() }
    }

    /// Looks what there is, without reading lines.
    pub async fn open(&self) -> Opened {
        let group = self.clone();
        let opened = tokio::task::spawn_blocking(move || group.look()).await;
        match opened {
            Ok(Ok(opened)) => opened,
            Ok(Err(error)) => {
                Opened::Damaged(format!("{}; the overview is fetched anew", disk::wrong(&self.path, &error)))
            }
            Err(_) => Opened::Nothing,
        }
    }

    fn look(&self) -> io::Result<Opened> {
        let file = match disk::open(&self.path, File::options().read(true)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Opened::Nothing),
            file => file?,
        };
        let time = file.metadata()?.modified()?;
        let records = match look(&file, &self.path, &self.owner)? {
            Look::Empty | Look::Foreign => return Ok(Opened::Nothing),
            Look::Damaged => return Ok(self.damaged()),
            Look::Ours(records, _) => records,
        };
        let low = records.iter().filter(|record| record.what == What::Low).map(|record| record.first).max();
        let Some(spans) = spans(&records) else { return Ok(self.damaged()) };
        match spans.is_empty() {
            true => Ok(Opened::Nothing),
            false => Ok(Opened::Known(Known { file: Arc::new(file), spans, low: low.unwrap_or(0), time })),
        }
    }

    /// Puts a file aside that makes no sense.
    pub fn damaged(&self) -> Opened {
        let path = self.path.clone();
        self.inner.run(0, &self.path, move || {
            let _lock = disk::lock(&path)?;
            fs::rename(&path, path.with_extension("bad"))
        });
        let (path, aside) = (disk::shown(&self.path), self.path.with_extension("bad"));
        let aside = aside.file_name().unwrap_or_default().to_string_lossy();
        Opened::Damaged(format!("{path}: damaged; it is put aside as {aside}, and the overview is fetched anew"))
    }

    /// Keeps lines, each with its end, in ascending order: all that the server has of these numbers.
    pub fn add(&self, range: (u64, u64), lines: Vec<u8>) {
        let (group, octets) = (self.clone(), lines.len() as u64);
        self.inner.run(octets.max(1), &self.path, move || group.append(range, lines));
    }

    fn append(&self, (first, last): (u64, u64), lines: Vec<u8>) -> io::Result<()> {
        let file = disk::lock(&self.path)?;
        let mut fresh = Vec::new();
        let mut records = match look(&file, &self.path, &self.owner)? {
            Look::Foreign => return Ok(()),
            Look::Empty => {
                file.set_len(0)?;
                fresh = self.beginning();
                Vec::new()
            }
            // Whoever reads it next puts it aside, and says so.
            Look::Damaged => return Ok(()),
            Look::Ours(records, end) => {
                file.set_len(end)?;
                records
            }
        };
        let Some(range) = free(&records, (first, last)) else { return Ok(()) };
        let lines = if range == (first, last) { lines } else { within(&lines, range) };
        let record = record::written(What::Over, range, &lines);
        fresh.extend_from_slice(&record);
        disk::append(&self.path, &fresh)?;
        records = record::walk(&file, self.first_line())?.records;
        self.tidy(&file, &records)
    }

    /// Waits while much waits for the disk.
    pub async fn rest(&self) {
        self.inner.rest().await;
    }

    /// The server was heard: it has the group still, from this number on.
    pub fn heard(&self, low: u64) {
        let group = self.clone();
        self.inner.run(0, &self.path, move || {
            if !group.path.exists() {
                return Ok(());
            }
            let file = disk::lock(&group.path)?;
            let Look::Ours(records, end) = look(&file, &group.path, &group.owner)? else { return Ok(()) };
            if records.iter().any(|record| record.what == What::Low && record.first >= low) {
                return file.set_modified(SystemTime::now());
            }
            file.set_len(end)?;
            disk::append(&group.path, &record::written(What::Low, (low, 0), b""))?;
            let records = record::walk(&file, group.first_line())?.records;
            group.tidy(&file, &records)
        });
    }

    /// Nothing of it is right any more.
    pub fn throw_away(&self) {
        let path = self.path.clone();
        self.inner.run(0, &self.path, move || {
            let _lock = disk::lock(&path)?;
            fs::remove_file(&path)
        });
    }

    fn first_line(&self) -> u64 {
        kind(&self.path).first().len() as u64
    }

    /// What every file begins with.
    fn beginning(&self) -> Vec<u8> {
        [kind(&self.path).first().into_bytes(), record::written(What::Named, (0, 0), &self.owner)].concat()
    }

    /// Writes the file anew where much of it has expired, where it is too large, or in too many pieces. The lock is held.
    fn tidy(&self, file: &File, records: &[Record]) -> io::Result<()> {
        let low =
            records.iter().filter(|record| record.what == What::Low).map(|record| record.first).max().unwrap_or(0);
        let size = file.metadata()?.len();
        let expired: u64 = records.iter().filter(|record| record.last < low).map(|record| record.length).sum();
        // One server has no more than half of the room.
        let most = self.inner.most.overviews / 2;
        let scattered = records.len() > FEW && size / (records.len() as u64) < BATCH as u64 / 4;
        if size <= most.max(SHORT) && (size <= SHORT || expired < size / 2) && !scattered {
            return Ok(());
        }
        let Some(spans) = spans(records) else { return Ok(()) };
        let mut octets = 0;
        let newest = spans.iter().rev().take_while(|span| {
            octets += span.length;
            span.last >= low && octets <= (most / 2).max(SHORT)
        });
        let mut stays: Vec<&Record> = newest.collect();
        stays.reverse();
        disk::replace_by(&self.path, |out| {
            out.write_all(&self.beginning())?;
            out.write_all(&record::written(What::Low, (low, 0), b""))?;
            let mut held: Option<((u64, u64), Vec<u8>)> = None;
            for span in stays {
                let range = (span.first.max(low), span.last);
                let Some(lines) = record::octets(file, span, LONGEST)? else { continue };
                let lines = if span.first < low { within(&lines, range) } else { lines };
                match &mut held {
                    Some((so_far, octets)) if so_far.1 + 1 == range.0 && octets.len() + lines.len() <= BATCH => {
                        so_far.1 = range.1;
                        octets.extend_from_slice(&lines);
                    }
                    _ => {
                        if let Some((range, octets)) = held.replace((range, lines)) {
                            out.write_all(&record::written(What::Over, range, &octets))?;
                        }
                    }
                }
            }
            held.map_or(Ok(()), |(range, octets)| out.write_all(&record::written(What::Over, range, &octets)))
        })
    }
}

impl Known {
    /// The last number that is known.
    pub fn top(&self) -> u64 {
        self.spans.last().map_or(0, |span| span.last)
    }

    /// The first number from which on all are known.
    pub fn bottom(&self) -> u64 {
        let mut bottom = self.top().saturating_add(1);
        for span in self.spans.iter().rev().take_while(|span| span.last.saturating_add(1) == self.following(span)) {
            bottom = span.first;
        }
        bottom
    }

    /// Where the span after one begins.
    fn following(&self, span: &Record) -> u64 {
        let next = self.spans.partition_point(|other| other.first <= span.first);
        self.spans.get(next).map_or(self.top().saturating_add(1), |next| next.first)
    }

    /// Whether all of these numbers are known.
    pub fn covers(&self, (first, last): (u64, u64)) -> bool {
        let mut wanted = first;
        for span in self.spans.iter().filter(|span| span.last >= first) {
            if span.first > wanted {
                return false;
            }
            wanted = span.last.saturating_add(1);
            if span.last >= last {
                return true;
            }
        }
        first > last
    }

    /// The places of the spans that touch these numbers, the newest first.
    pub fn places(&self, (first, last): (u64, u64)) -> Vec<usize> {
        let touches = |at: &usize| self.spans[*at].last >= first && self.spans[*at].first <= last;
        (0..self.spans.len()).rev().filter(touches).collect()
    }

    /// The first number of a span.
    pub fn first_of(&self, at: usize) -> u64 {
        self.spans.get(at).map_or(0, |span| span.first)
    }

    /// The lines of a span; `None` where they are damaged.
    pub async fn lines(&self, at: usize) -> Option<Vec<u8>> {
        let (file, span) = (Arc::clone(&self.file), *self.spans.get(at)?);
        tokio::task::spawn_blocking(move || record::octets(&file, &span, LONGEST).ok().flatten()).await.ok().flatten()
    }

    /// The line of a number.
    pub async fn line(&self, wanted: u64) -> Option<Vec<u8>> {
        let lines = self.lines(*self.places((wanted, wanted)).first()?).await?;
        lines.split_inclusive(|octet| *octet == b'\n').find(|line| number(line) == Some(wanted)).map(<[u8]>::to_vec)
    }

    /// Three numbers that have an article, as far apart as they are: by them it is seen whether a server has numbered anew.
    pub async fn samples(&self) -> Vec<(u64, Vec<u8>)> {
        let mut samples: Vec<(u64, Vec<u8>)> = Vec::new();
        for at in [self.spans.len().saturating_sub(1), self.spans.len() / 2, 0] {
            let lines = self.lines(at).await.unwrap_or_default();
            let last = lines.trim_ascii_end().rsplit(|octet| *octet == b'\n').next().unwrap_or_default();
            let id = last.split(|octet| *octet == b'\t').nth(4).unwrap_or_default();
            if let Some(number) = number(last)
                && id.starts_with(b"<")
                && samples.iter().all(|(other, _)| *other != number)
            {
                samples.push((number, id.to_vec()));
            }
        }
        samples
    }
}

/// The groups whose files are in a server's folder, in order. What cannot be read is none.
pub(super) fn groups(folder: &Path, server: &str) -> Vec<Vec<u8>> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let of = |path: PathBuf| path.to_string_lossy().ends_with(OVERVIEW).then(|| owner(&path).ok().flatten()).flatten();
    let its = [server.as_bytes(), b"\t"].concat();
    let mut groups: Vec<Vec<u8>> = files
        .filter_map(of)
        .filter_map(|owner| Some(owner.strip_prefix(its.as_slice())?.strip_suffix(b"\n")?.to_vec()))
        .collect();
    groups.sort_unstable();
    groups
}

/// Whose file it is, as a line of it says.
fn owner(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = disk::open(path, File::options().read(true))?;
    let walk = record::walk(&file, kind(path).first().len() as u64)?;
    match walk.records.first().filter(|named| named.what == What::Named) {
        Some(named) => record::octets(&file, named, LONGEST),
        None => Ok(None),
    }
}

/// What such a file is called in its first line.
fn kind(path: &Path) -> Lines {
    Lines::new(path.into(), "overview")
}

/// What a file turns out to be.
fn look(file: &File, path: &Path, owner: &[u8]) -> io::Result<Look> {
    let kind = kind(path);
    let (first, mut begins) = (kind.first(), [0; 64]);
    let count = record::read_some(file, &mut begins, 0)?;
    let begins = &begins[..count];
    if kind.newer(begins).is_some() {
        return Ok(Look::Foreign);
    }
    if !begins.starts_with(first.as_bytes()) {
        return Ok(if first.as_bytes().starts_with(begins) { Look::Empty } else { Look::Damaged });
    }
    let walk = record::walk(file, first.len() as u64)?;
    if walk.damaged {
        return Ok(Look::Damaged);
    }
    let Some((named, rest)) = walk.records.split_first() else { return Ok(Look::Empty) };
    match (named.what, record::octets(file, named, LONGEST)?) {
        (What::Named, Some(name)) if name == owner => Ok(Look::Ours(rest.to_vec(), walk.end)),
        (What::Named, Some(_)) => Ok(Look::Foreign),
        _ => Ok(Look::Damaged),
    }
}

/// The records of lines in ascending order; `None` where two are of the same number, which none of our runs has written.
fn spans(records: &[Record]) -> Option<Vec<Record>> {
    let mut spans: Vec<Record> = records.iter().copied().filter(|record| record.what == What::Over).collect();
    spans.sort_unstable_by_key(|span| span.first);
    let sound =
        spans.iter().all(|span| span.first <= span.last) && spans.windows(2).all(|pair| pair[0].last < pair[1].first);
    sound.then_some(spans)
}

/// What of some numbers no record has yet: the first such piece.
fn free(records: &[Record], (mut first, mut last): (u64, u64)) -> Option<(u64, u64)> {
    for span in spans(records)? {
        if span.last < first || span.first > last {
            continue;
        }
        match span.first <= first {
            true => first = span.last.checked_add(1)?,
            false => last = span.first - 1,
        }
    }
    (first <= last).then_some((first, last))
}

/// The lines of some numbers.
fn within(lines: &[u8], (first, last): (u64, u64)) -> Vec<u8> {
    let wanted = |line: &&[u8]| number(line).is_some_and(|number| (first..=last).contains(&number));
    lines.split_inclusive(|octet| *octet == b'\n').filter(wanted).flatten().copied().collect()
}

/// The number that a line begins with.
pub(in crate::proto::nntp) fn number(line: &[u8]) -> Option<u64> {
    let digits = &line[..memchr(b'\t', line).unwrap_or(line.len())];
    let digits = std::str::from_utf8(digits).ok()?;
    digits.parse().ok().filter(|_| digits.bytes().all(|octet| octet.is_ascii_digit()))
}
