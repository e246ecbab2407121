//! Where the octets of an archive are: held, on this machine's disk, or on a server, of which parts are held.

use super::far::Far;
use crate::archive::{Archive, Fault, Found, Near, Source, Why};
use crate::format::human;
use crate::proto::{FetchError, Kind, net};
use crate::stop::Stop;
use jiff::Timestamp;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

/// Where the octets of an archive are.
#[derive(Clone)]
pub(super) enum Octets {
    Held(Arc<[u8]>),
    /// On this machine, with what told it from others of its name.
    Disk(PathBuf, Stamp),
    /// On a server, from which each member is fetched by itself.
    Far(Far),
    /// Some of those.
    Parts(Parts),
}

/// Length and time of a file.
pub(super) type Stamp = (u64, Option<SystemTime>);

impl Octets {
    pub fn source(&self) -> Result<Box<dyn Source>, Fault> {
        match self {
            Octets::Held(octets) => Ok(Box::new(Cursor::new(Arc::clone(octets)))),
            Octets::Disk(path, _) => Ok(Box::new(Near::new(File::open(path)?))),
            Octets::Far(far) => Ok(Box::new(Parts::new(far.length()))),
            Octets::Parts(parts) => Ok(Box::new(parts.clone())),
        }
    }

    /// When a file of this machine was changed last.
    pub fn modified(&self) -> Option<Timestamp> {
        match self {
            Octets::Disk(_, (_, modified)) => Timestamp::try_from((*modified)?).ok(),
            _ => None,
        }
    }

    /// What tells whether they are still what they were, without them.
    pub fn left(self) -> Octets {
        match self {
            Octets::Held(_) => Octets::Held(Arc::default()),
            _ => self,
        }
    }

    /// How many of them are held.
    pub fn memory(&self) -> usize {
        match self {
            Octets::Held(octets) => octets.len(),
            Octets::Parts(parts) => parts.parts.iter().map(|(_, octets)| octets.len()).sum(),
            Octets::Disk(..) | Octets::Far(_) => 0,
        }
    }

    /// Whether it is still what it was.
    pub fn stands(&self) -> bool {
        match self {
            // Of what is elsewhere each part tells.
            Octets::Held(_) | Octets::Far(_) | Octets::Parts(_) => true,
            Octets::Disk(path, stamp) => std::fs::metadata(path).is_ok_and(|facts| self::stamp(&facts) == *stamp),
        }
    }
}

/// Parts of a file, as a source of it: what is not there is missed.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    length: u64,
    parts: Vec<(u64, Arc<[u8]>)>,
    at: u64,
    missed: Option<u64>,
}

impl Parts {
    /// None yet, of so many octets.
    pub fn new(length: u64) -> Parts {
        Parts { length, parts: Vec::new(), at: 0, missed: None }
    }

    pub fn add(&mut self, from: u64, octets: Vec<u8>) {
        self.parts.push((from, octets.into()));
    }

    /// The first place that was looked for in vain.
    pub fn missed(&self) -> Option<u64> {
        self.missed
    }
}

impl Read for Parts {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.length || out.is_empty() {
            return Ok(0);
        }
        let found = self.parts.iter().find_map(|(from, octets)| {
            let at = usize::try_from(self.at.checked_sub(*from)?).ok()?;
            octets.get(at..).filter(|rest| !rest.is_empty())
        });
        let Some(rest) = found else {
            self.missed.get_or_insert(self.at);
            let says = "This part of the archive was not fetched: its table of contents is wrong.".into();
            return Err(Fault { why: Why::Broken, says }.into());
        };
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Parts {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

fn stamp(facts: &std::fs::Metadata) -> Stamp {
    (facts.len(), facts.modified().ok())
}

/// A file of this machine.
pub(super) async fn on_disk(path: Vec<u8>) -> Result<Octets, FetchError> {
    let path = crate::proto::file::path(path)?;
    let own = path.clone();
    let facts = tokio::task::spawn_blocking(move || std::fs::metadata(own)).await;
    let facts = facts.unwrap_or_else(|error| Err(std::io::Error::other(error)));
    match facts {
        Ok(facts) if facts.is_file() => Ok(Octets::Disk(path, stamp(&facts))),
        Ok(_) => Err(FetchError::new(Kind::Unsupported, format!("{} is no file.", path.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(FetchError::new(Kind::NotFound, format!("There is no {}.", path.display())))
        }
        Err(error) => {
            let detail = format!("{} cannot be read ({}).", path.display(), net::words(&error));
            Err(FetchError::new(Kind::Broken, detail))
        }
    }
}

/// An archive within another one, held.
pub(super) fn within(
    archive: &Archive,
    member: &[u8],
    octets: &Octets,
    most: usize,
    stop: &Stop,
) -> Result<Octets, Fault> {
    let Found::Member(member) = archive.find(member)? else {
        return Err(Fault { why: Why::Broken, says: "This is a folder, no archive.".into() });
    };
    let too_large = || Fault { why: Why::TooLarge, says: too_large(most) };
    if member.size > most as u64 {
        return Err(too_large());
    }
    let mut inside = Vec::new();
    let mut source = archive.open(member, octets.source()?, stop)?;
    (&mut source).take(most as u64 + 1).read_to_end(&mut inside)?;
    if inside.len() > most { Err(too_large()) } else { Ok(Octets::Held(inside.into())) }
}

/// What is said of more than may be held.
pub(super) fn too_large(most: usize) -> String {
    format!("This archive is larger than {}, the most that is held of one (limits.memory).", human(most as u64))
}
