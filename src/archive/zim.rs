//! ZIM (openzim.org, versions 5 and 6): an encyclopaedia in one file, whose entries stand in the order of their paths.
//!
//! Nothing of it is held but where its tables are: an entry is looked up by halving, and of what is packed together with it only
//! what stands before it is unpacked. So a file of gigabytes costs what is read of it. A namespace, one letter, is the first folder.
//!
//! Refuses: entries that lead to one another without end, places beyond the end of the file, and paths that lead out.

use super::unpacking::{Exactly, Unpacking, fill, skip, some};
use super::zip::{u16_at, u32_at, u64_at};
use super::{Fault, Kind, Member, Place, Said, Source, Why, name};
use crate::stop::Stop;
use crate::unpack::Packing;
use std::io::{Read, Seek, SeekFrom};

/// How one begins.
pub(super) const MAGIC: &[u8] = b"ZIM\x04";
/// Octets of its header.
const HEADER: usize = 80;
/// Octets of the list of media types.
const TYPES: usize = 64 * 1024;
/// Octets of an entry that are read at first; most are shorter.
const ENTRY: usize = 512;
/// Entries that lead on to others, on the way to one.
const MOST_STEPS: usize = 16;
/// Rows of a folder that are listed.
const MOST_ROWS: usize = 10_000;
/// Entries that are looked through for one list.
const MOST_SEEN: u32 = 500_000;
/// What stands for an entry that there is none.
const NONE: u32 = u32::MAX;

/// Where the tables of a ZIM are.
#[derive(Debug)]
pub struct Zim {
    entries: u32,
    clusters: u32,
    paths: u64,
    cluster_table: u64,
    media: Vec<String>,
    /// Where the last cluster may end at most.
    end: u64,
    /// The path of its main page.
    main: Option<Vec<u8>>,
}

/// An entry: what it is called, and what it is.
struct Entry {
    path: Vec<u8>,
    /// As far as it was read; empty where it is the path.
    title: Vec<u8>,
    what: What,
}

enum What {
    /// A blob of a cluster, and the number of its media type.
    Blob { media: u16, cluster: u32, blob: u32 },
    /// Another name of the entry with this number.
    Lead(u32),
    /// Nothing any more.
    Gone,
}

/// A blob among others that are packed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blob {
    at: u64,
    end: u64,
    packing: Packing,
    start: u64,
}

fn beyond(what: &str) -> Fault {
    Fault::broken(format!("{what} is beyond the end of this ZIM: it is broken, or cut short."))
}

/// Reads where everything is; says what is wrong with it.
pub(super) fn read(source: &mut dyn Source, stop: &Stop) -> Result<(Zim, Vec<String>), Fault> {
    let length = source.seek(SeekFrom::End(0))?;
    let header = some(source, 0, HEADER)?;
    if header.len() < HEADER {
        return Err(beyond("Its header"));
    }
    let (entries, clusters) = (u32_at(&header, 24), u32_at(&header, 28));
    let (paths, cluster_table, types) = (u64_at(&header, 32), u64_at(&header, 48), u64_at(&header, 56));
    let sum = u64_at(&header, 72);
    if paths.checked_add(u64::from(entries) * 8).is_none_or(|end| end > length) {
        return Err(beyond("The table of its entries"));
    }
    let mut notes = Vec::new();
    if cluster_table.checked_add(u64::from(clusters) * 8).is_none_or(|end| end > length) {
        notes.push("Its end is missing: some of its entries cannot be read.".into());
    } else if sum.checked_add(16).is_none_or(|end| end > length) {
        notes.push("It is shorter than it says.".into());
    }
    let list = some(source, types, TYPES)?;
    let names = list.split(|octet| *octet == 0).take_while(|name| !name.is_empty());
    let media = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let mut zim = Zim { entries, clusters, paths, cluster_table, media, end: length, main: None };
    let named = zim.number(b"W/mainPage", source)?;
    let main = named.or(Some(u32_at(&header, 64)).filter(|main| *main != NONE));
    match main.map(|main| zim.target(main, source, stop)) {
        Some(Ok(entry)) => zim.main = Some(entry.path),
        Some(Err(fault)) if fault.why == Why::Stopped => return Err(fault),
        Some(Err(fault)) => notes.push(format!("Its main page cannot be opened. {fault}")),
        None => notes.push("It names no main page.".into()),
    }
    Ok((zim, notes))
}

impl Zim {
    /// The path of the main page.
    pub fn main(&self) -> Option<&[u8]> {
        self.main.as_deref()
    }

    /// How much it holds, in octets.
    pub(super) fn memory(&self) -> usize {
        self.media.iter().map(|name| name.len() + size_of::<String>()).sum()
    }

    /// What a path leads to; `None` is a folder. Names that stand for others are followed.
    ///
    /// # Errors
    /// There is nothing, it leads on without end, or to a place beyond the end of the file.
    pub fn find(&self, path: &[u8], source: &mut dyn Source, stop: &Stop) -> Result<Option<Member>, Fault> {
        let shown = || String::from_utf8_lossy(path).into_owned();
        if !is_path(path) {
            return Err(Fault::outside(&shown()));
        }
        if let Some(number) = self.number(path, source)? {
            let entry = self.target(number, source, stop)?;
            return self.member(entry, source, stop).map(Some);
        }
        let folder = folder(path);
        let first = self.first(&folder, source)?;
        let inside = first < self.entries && self.entry(first, source)?.path.starts_with(&folder);
        if inside { Ok(None) } else { Err(Fault::new(Why::Missing, format!("There is no {} in this ZIM.", shown()))) }
    }

    /// What is in a folder, as lines of MLSD; or all below it that has these words in its path or its title. With a word for the reader where
    /// more is there.
    ///
    /// # Errors
    /// Its tables are broken.
    pub fn listing(
        &self,
        path: &[u8],
        words: Option<&[Vec<u8>]>,
        source: &mut dyn Source,
        stop: &Stop,
    ) -> Result<(Vec<u8>, Option<String>), Fault> {
        let folder = folder(path);
        let words = words.map(|words| words.iter().map(|word| word.to_ascii_lowercase()).collect::<Vec<_>>());
        let (mut out, mut rows, mut seen) = (Vec::new(), 0, 0);
        let mut last = Vec::new();
        let mut at = self.first(&folder, source)?;
        while at < self.entries {
            if stop.is_given_up() {
                return Err(Fault::new(Why::Stopped, "stopped"));
            }
            let entry = self.entry(at, source)?;
            let Some(rest) = entry.path.strip_prefix(folder.as_slice()) else { break };
            if rows >= MOST_ROWS || seen >= MOST_SEEN {
                return Ok((out, Some(format!("Only the first {rows} of them are listed."))));
            }
            (at, seen) = (at + 1, seen + 1);
            if !is_path(&entry.path) || rest.is_empty() {
                continue;
            }
            let end = memchr::memchr(b'/', rest).filter(|_| words.is_none());
            let name = &rest[..end.unwrap_or(rest.len())];
            let lower = match words.as_ref().is_none_or(Vec::is_empty) {
                true => Vec::new(),
                false => [rest, &entry.title].join(&b'\n').to_ascii_lowercase(),
            };
            let wanted = |word: &Vec<u8>| memchr::memmem::find(&lower, word).is_some();
            if name.is_empty() || name == last || !words.iter().flatten().all(wanted) {
                continue;
            }
            last = name.to_vec();
            rows += 1;
            out.extend(if end.is_some() { b"type=dir; ".as_slice() } else { b"type=file; " });
            out.extend(name);
            out.push(b'\n');
            if let Some(end) = end {
                // All that is in that folder is passed over in one step.
                let inner = [&folder, &rest[..end], b"0"].concat();
                at = at.max(self.first(&inner, source)?);
            }
        }
        Ok((out, None))
    }

    /// The number of the entry with a path.
    fn number(&self, path: &[u8], source: &mut dyn Source) -> Result<Option<u32>, Fault> {
        let at = self.first(path, source)?;
        Ok(if at < self.entries && self.entry(at, source)?.path == path { Some(at) } else { None })
    }

    /// The number of the first entry whose path does not stand before one. It is found in as many steps as its number has bits, in
    /// whatever order they stand.
    fn first(&self, path: &[u8], source: &mut dyn Source) -> Result<u32, Fault> {
        let (mut from, mut to) = (0, self.entries);
        while from < to {
            let middle = from + (to - from) / 2;
            match self.entry(middle, source)?.path.as_slice() < path {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        Ok(from)
    }

    fn entry(&self, number: u32, source: &mut dyn Source) -> Result<Entry, Fault> {
        let at = u64_at(&some(source, self.paths + u64::from(number) * 8, 8)?, 0);
        let broken = || Fault::broken(format!("Entry {number} of this ZIM is broken."));
        let mut octets = some(source, at, ENTRY)?;
        let media = u16_at(&octets, 0);
        let (skip, what) = match media {
            0xFFFF => (12, What::Lead(u32_at(&octets, 8))),
            0xFFFE | 0xFFFD => (8, What::Gone),
            media => (16, What::Blob { media, cluster: u32_at(&octets, 8), blob: u32_at(&octets, 12) }),
        };
        if octets.len() < skip {
            return Err(beyond(&format!("Entry {number}")));
        }
        if memchr::memchr(0, &octets[skip..]).is_none() {
            octets = some(source, at, skip + name::LONGEST)?;
        }
        let names = octets.get(skip..).unwrap_or_default();
        let (path, title) = names.split_at(memchr::memchr(0, names).ok_or_else(broken)?);
        let title = title[1..].split(|octet| *octet == 0).next().unwrap_or_default().to_vec();
        Ok(Entry { path: [&[octets[3], b'/'], path].concat(), title, what })
    }

    /// What an entry leads to in the end.
    fn target(&self, number: u32, source: &mut dyn Source, stop: &Stop) -> Result<Entry, Fault> {
        let mut number = number;
        for _ in 0..=MOST_STEPS {
            if stop.is_given_up() {
                return Err(Fault::new(Why::Stopped, "stopped"));
            }
            if number >= self.entries {
                return Err(Fault::broken("It leads to an entry that is not in this ZIM."));
            }
            let entry = self.entry(number, source)?;
            match entry.what {
                What::Lead(to) => number = to,
                What::Blob { .. } | What::Gone => return Ok(entry),
            }
        }
        Err(Fault::new(Why::Unsafe, "It leads from entry to entry without end."))
    }

    /// An entry as a member: how long it is stands in its cluster.
    fn member(&self, entry: Entry, source: &mut dyn Source, stop: &Stop) -> Result<Member, Fault> {
        let What::Blob { media, cluster, blob } = entry.what else {
            return Err(Fault::new(Why::Missing, "This entry has nothing in it any more."));
        };
        if cluster >= self.clusters {
            return Err(Fault::broken("It leads to a cluster that is not in this ZIM."));
        }
        let at = some(source, self.cluster_table + u64::from(cluster) * 8, 8)?;
        let at = Some(u64_at(&at, 0)).filter(|place| at.len() == 8 && *place < self.end);
        let at = at.ok_or_else(|| beyond(&format!("Cluster {cluster}")))?;
        let info = *some(source, at, 1)?.first().unwrap_or(&0);
        let packing = packing(info)?;
        let wide = info & 0x10 != 0;
        let (start, size) = {
            let mut octets = inside(at, self.end, packing, &mut *source, stop)?;
            place(&mut octets, wide, blob)?
        };
        let place = match packing {
            None => Place::At(at + 1 + start),
            Some(packing) => Place::Blob(Blob { at, end: self.end, packing, start }),
        };
        let media = self.media.get(usize::from(media)).map(|media| media.split(';').next().unwrap_or_default());
        let said = Said { media: media.map(|media| media.trim().to_ascii_lowercase()), ..Said::default() };
        let said = Some(Box::new(said));
        Ok(Member { path: entry.path, size, said, ..Member::new(Kind::File, place) })
    }
}

/// The octets of a blob that is packed with others.
pub(super) fn open(
    blob: &Blob,
    size: u64,
    source: Box<dyn Source>,
    stop: &Stop,
) -> Result<Box<dyn Read + Send>, Fault> {
    let mut octets = inside(blob.at, blob.end, Some(blob.packing), source, stop)?;
    skip(&mut octets, blob.start)?;
    Ok(Box::new(Exactly::new(octets, size)))
}

fn packing(info: u8) -> Result<Option<Packing>, Fault> {
    match info & 0x0F {
        0 | 1 => Ok(None),
        2 => Ok(Some(Packing::Deflate)),
        3 => Ok(Some(Packing::Bzip2)),
        4 => Ok(Some(Packing::Xz)),
        5 => Ok(Some(Packing::Zstd)),
        other => {
            let says = format!("This is compressed in a way that is not known here (cluster of kind {other}).");
            Err(Fault::new(Why::Foreign, says))
        }
    }
}

/// What is in a cluster, from its list of places on.
fn inside<'a>(
    at: u64,
    end: u64,
    packing: Option<Packing>,
    mut source: impl Read + Seek + Send + 'a,
    stop: &Stop,
) -> Result<Box<dyn Read + Send + 'a>, Fault> {
    source.seek(SeekFrom::Start(at + 1))?;
    let octets = source.take(end.saturating_sub(at + 1));
    Ok(match packing {
        None => Box::new(octets),
        Some(packing) => Box::new(Unpacking::new(octets, packing, stop.clone())),
    })
}

/// Where a blob begins in its cluster, and how long it is, by the list at the cluster's beginning.
fn place(octets: &mut dyn Read, wide: bool, blob: u32) -> Result<(u64, u64), Fault> {
    let width = if wide { 8 } else { 4 };
    let broken = || Fault::broken("The list of what is in its cluster is broken.");
    let number = |octets: &mut dyn Read| -> Result<u64, Fault> {
        let mut number = [0; 8];
        let count = fill(octets, &mut number[..if wide { 8 } else { 4 }])?;
        if count < if wide { 8 } else { 4 } { Err(broken()) } else { Ok(u64::from_le_bytes(number)) }
    };
    let first = number(octets)?;
    let (count, blob) = (first / width, u64::from(blob));
    if blob + 1 >= count {
        return Err(broken());
    }
    let start = match blob {
        0 => first,
        blob => {
            skip(octets, (blob - 1) * width)?;
            number(octets)?
        }
    };
    let end = number(octets)?;
    let size = end.checked_sub(start).filter(|_| start >= first && i64::try_from(end).is_ok());
    size.map(|size| (start, size)).ok_or_else(broken)
}

/// Whether it may be the path of an entry: no list could hold the others, or they would lead out.
fn is_path(path: &[u8]) -> bool {
    let odd = path.len() > name::LONGEST || path.iter().any(|octet| matches!(octet, 0 | b'\r' | b'\n'));
    !odd && path.split(|octet| *octet == b'/').all(|step| !matches!(step, b"." | b".."))
}

/// What the paths of all that is in a folder begin with.
fn folder(path: &[u8]) -> Vec<u8> {
    match path.is_empty() || path.ends_with(b"/") {
        true => path.to_vec(),
        false => [path, b"/"].concat(),
    }
}
