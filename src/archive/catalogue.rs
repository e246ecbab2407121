//! Catalogues: recursive listings of a server (`ls-lR`, `find.txt`, `INDEX`, compressed or not) as trees whose files lie on that server.
//!
//! Nothing of a file is in here: who asks for one is told where it is, by the place of the listing. Dates without a year are seen from
//! the day on which the listing was made, as far as it says so.

use super::members::Members;
use super::unpacking::{self, Unpacking};
use super::{Fault, Kind, Member, Modified, Place, Source, Why, name};
use crate::format::count;
use crate::format::listing::{self, Entry, Part, Recursive};
use crate::stop::Stop;
use crate::unpack::Packing;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::io::Read;

/// Octets that tell whether it is one.
const TELLING: usize = 16 * 1024;
/// The size of what is known of no size.
const UNKNOWN: u64 = u64::MAX;
/// Octets read at a time.
const PIECE: usize = 64 * 1024;
/// What may stand behind the name, between dots: endings, and words of which copy it is.
const ENDINGS: &[&str] = &[
    "gz", "z", "bz2", "xz", "zst", "txt", "text", "lst", "list", "new", "old", "latest", "current", "full", "all",
    "whole",
];
/// Names of lists of paths, to which the same may be added.
const LISTS: &[&str] = &["find.txt", "find.lst", "find-ls", "INDEX", "FILES"];

/// Whether a file's name is that of a recursive listing: `ls-lR`, `ls-laR.gz`, `ls-lR.2001-02-03.Z`, `find.txt.gz`, `INDEX`. What is in it
/// may be something else.
pub fn is_catalogue(name: &str) -> bool {
    let flags =
        |flags: &str| flags.bytes().all(|b| b.is_ascii_alphabetic()) && flags.contains('l') && flags.contains('R');
    let date = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'_'));
    let ending = |part: &str| date(part) || ENDINGS.contains(&part.to_ascii_lowercase().as_str());
    if let Some(rest) = name.strip_prefix("ls-") {
        let mut parts = rest.split('.');
        return parts.next().is_some_and(flags) && parts.all(ending);
    }
    let rest = LISTS.iter().find_map(|list| name.strip_prefix(list));
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(|rest| rest.split('.').all(ending)))
}

/// Which directory the top of a tree is, as the listing's first heading says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Top {
    /// Its path, without slashes at its ends; empty for the directory where the listing was made.
    pub path: Vec<u8>,
    /// Whether it is told from the root of the system.
    pub absolute: bool,
}

/// Whether octets begin as a recursive listing does.
pub(super) fn begins(source: &mut dyn Source) -> Result<bool, Fault> {
    Ok(listing::begins(&unpacking::some(source, 0, TELLING)?))
}

/// What is compressed: the beginning of it. Empty where it is broken; who reads it will say so.
pub(super) fn beginning(source: &mut dyn Source, packing: Packing, stop: &Stop) -> Result<Vec<u8>, Fault> {
    source.rewind()?;
    let mut start = Vec::new();
    let unpacking = Unpacking::new(source, packing, stop.clone());
    match unpacking.take(TELLING as u64).read_to_end(&mut start).map_err(Fault::from) {
        Err(fault) if fault.why == Why::Stopped => Err(fault),
        _ => Ok(start),
    }
}

/// Reads all rows. `now` is the latest day on which the listing may have been made, UTC.
pub(super) fn read(
    source: &mut dyn Source,
    packing: Option<Packing>,
    now: DateTime,
    stop: &Stop,
    out: &mut Members,
) -> Result<Top, Fault> {
    let made = match packing {
        Some(Packing::Gzip) => packed_on(&unpacking::some(source, 0, 8)?).filter(|made| *made < now),
        _ => None,
    };
    let start = match packing {
        Some(packing) => beginning(source, packing, stop)?,
        None => unpacking::some(source, 0, TELLING)?,
    };
    let mut rows = Recursive::new(made.unwrap_or(now), &start);
    source.rewind()?;
    let mut octets: Box<dyn Read + '_> = match packing {
        Some(packing) => Box::new(Unpacking::new(source, packing, stop.clone())),
        None => Box::new(source),
    };
    let mut reading = Reading { folder: b"./".to_vec(), top: None, windows: false, strays: 0, stray: Vec::new() };
    let mut piece = vec![0; PIECE];
    loop {
        if stop.is_given_up() {
            return Err(Fault::new(Why::Stopped, "stopped"));
        }
        let count = match octets.read(&mut piece) {
            Ok(count) => count,
            Err(error) => match Fault::from(error) {
                fault if fault.why == Why::Stopped || out.all.is_empty() => return Err(fault),
                fault => {
                    // What was read before it breaks is good.
                    out.note(fault.says);
                    0
                }
            },
        };
        match count {
            0 => rows.finish(&mut |part| reading.take(part, out)),
            count => rows.feed(&piece[..count], &mut |part| reading.take(part, out)),
        }
        if count == 0 || out.is_full() {
            break;
        }
    }
    if reading.strays > 0 {
        let first = String::from_utf8_lossy(&reading.stray).into_owned();
        let lines =
            if reading.strays == 1 { "One line says".into() } else { format!("{} lines say", count(reading.strays)) };
        out.note(format!("{lines} nothing of a file: {first}"));
    }
    let windows = reading.windows;
    let top = settle(reading.top.unwrap_or_default(), out);
    Ok(if windows { Top::default() } else { top })
}

/// The day on which a file of gzip was made (RFC 1952, 2.3.1), where it says so.
fn packed_on(start: &[u8]) -> Option<DateTime> {
    let seconds = u32::from_le_bytes(*start.get(4..)?.first_chunk()?);
    let time = jiff::Timestamp::from_second(i64::from(seconds)).ok().filter(|_| seconds > 0)?;
    Some(TimeZone::UTC.to_datetime(time))
}

struct Reading {
    /// The way to the rows that follow, with a slash at its end.
    folder: Vec<u8>,
    top: Option<Top>,
    /// Whether it is one of Windows.
    windows: bool,
    /// Lines that say nothing of a file, and the first of them.
    strays: usize,
    stray: Vec<u8>,
}

impl Reading {
    fn take(&mut self, part: Part<'_>, out: &mut Members) {
        match part {
            Part::Heading(name) => {
                // Blanks, drives and the like are names here. Where a drive is on a server nobody knows: the first directory is that of
                // the listing.
                let windows = name.get(1..3) == Some(b":\\");
                let turned: Vec<u8> = name.iter().map(|b| if windows && *b == b'\\' { b'/' } else { *b }).collect();
                let inner = turned.strip_prefix(b"/").unwrap_or(&turned);
                self.folder = [b"./", inner, b"/"].concat();
                self.windows |= windows;
                let absolute = inner.len() < turned.len();
                self.top.get_or_insert_with(|| Top { path: name::clean(&self.folder).unwrap_or_default(), absolute });
            }
            // Told from the root, the first line of a flat list is its top.
            Part::Entry(entry) if self.top.is_none() && entry.name.starts_with(b"/") => {
                let folder = entry.kind == listing::Kind::Directory;
                let path =
                    if folder { name::clean(&[b".", &*entry.name].concat()).unwrap_or_default() } else { Vec::new() };
                self.top = Some(Top { path, absolute: true });
                if !folder {
                    self.take(Part::Entry(entry), out);
                }
            }
            Part::Entry(entry) => {
                self.top.get_or_insert_default();
                // The full table of a hostile list costs no more than reading it.
                if !out.full && !matches!(entry.kind, listing::Kind::Dots) {
                    out.take(&[&self.folder, &*entry.name].concat(), member(&entry));
                    out.is_full();
                }
            }
            Part::Count => {}
            Part::Stray(line) => {
                self.strays += 1;
                if self.stray.is_empty() {
                    self.stray = line[..line.len().min(200)].to_vec();
                }
            }
        }
    }
}

/// What a list of paths says no more of than its name is a folder where something lies below it. They stand in the order of their
/// paths.
pub(super) fn see_folders(members: &mut [Member]) {
    for at in 0..members.len() {
        let Some((member, after)) = members[at..].split_first_mut() else { continue };
        if member.kind == Kind::File && member.size == UNKNOWN {
            let below = [member.path.as_slice(), b"/"].concat();
            let first = after.partition_point(|other| other.path < below);
            if after.get(first).is_some_and(|other| other.path.starts_with(&below)) {
                member.kind = Kind::Folder;
            }
        }
    }
}

fn member(entry: &Entry<'_>) -> Member {
    let kind = match entry.kind {
        listing::Kind::Directory => Kind::Folder,
        listing::Kind::Link => Kind::Link(entry.target.unwrap_or_default().to_vec()),
        listing::Kind::Other => Kind::Other,
        listing::Kind::File | listing::Kind::Unknown | listing::Kind::Dots => Kind::File,
    };
    let modified = entry.modified.and_then(|time| {
        let seconds = TimeZone::UTC.to_timestamp(time.at).ok()?.as_second();
        Some(Modified { seconds, local: !time.utc })
    });
    let size = entry.size.unwrap_or(UNKNOWN);
    Member { size, modified, mode: entry.access.mode, ..Member::new(kind, Place::Elsewhere) }
}

/// The way to the first heading's directory goes from all paths where it begins them all.
fn settle(top: Top, out: &mut Members) -> Top {
    let below = [top.path.as_slice(), b"/"].concat();
    let all = !top.path.is_empty() && !out.all.is_empty();
    if !all || !out.all.iter().all(|member| member.path.starts_with(&below)) {
        return Top { path: Vec::new(), ..top };
    }
    for member in &mut out.all {
        member.path.drain(..below.len());
    }
    top
}
