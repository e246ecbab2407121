//! Octets on their way out of an archive, counted: a compressed stream as a reader, and readers that keep to what was said.

use super::fault::grouped;
use super::{Fault, Source, Why};
use crate::stop::Stop;
use crate::unpack::{Packing, Unpacker};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// What is unpacked of one stream at most.
pub(super) const MOST: u64 = 4 << 30;
/// From here on the ratio counts.
pub(super) const FREE: u64 = 128 << 20;
/// How many octets may come out for one that goes in: somewhat less than gzip could make of nothing but zeros.
pub(super) const RATIO: u64 = 500;
/// Octets read at a time.
const PIECE: usize = 64 * 1024;

/// Compressed octets as what is inside. It ends with an error where they are broken, where they unpack to more than `MOST` octets
/// or to more than `RATIO` times what they are, and where nobody wants them any more.
pub struct Unpacking<R> {
    source: R,
    packing: Packing,
    unpacker: Unpacker,
    stop: Stop,
    ready: Vec<u8>,
    at: usize,
    ended: bool,
    taken: u64,
    given: u64,
}

impl<R: Read> Unpacking<R> {
    /// Unpacks what a reader gives.
    pub fn new(source: R, packing: Packing, stop: Stop) -> Unpacking<R> {
        let unpacker = Unpacker::new(packing);
        Unpacking { source, packing, unpacker, stop, ready: Vec::new(), at: 0, ended: false, taken: 0, given: 0 }
    }

    /// Somebody else wants what follows.
    pub(super) fn wanted_by(&mut self, stop: Stop) {
        self.stop = stop;
    }

    fn more(&mut self) -> Result<(), Fault> {
        loop {
            if self.stop.is_given_up() {
                return Err(Fault::new(Why::Stopped, "stopped"));
            }
            let name = self.packing.name();
            let octets = self.unpacker.step().map_err(|_| match self.unpacker.refusal() {
                Some(why) => Fault::new(Why::TooLarge, format!("This cannot be unpacked here: its {name} {why}.")),
                None => Fault::broken(format!("What follows is no {name}: it is broken here.")),
            })?;
            if !octets.is_empty() {
                self.given += octets.len() as u64;
                (self.ready, self.at) = (octets, 0);
                return self.judge();
            }
            if self.ended {
                return match self.unpacker.is_whole() {
                    true => Ok(()),
                    false => Err(Fault::broken(format!("Its end is missing: {name} says more follows."))),
                };
            }
            let mut piece = vec![0; PIECE];
            let count = fill(&mut self.source, &mut piece)?;
            self.taken += count as u64;
            match count {
                0 => {
                    self.ended = true;
                    self.unpacker.end();
                }
                count => self.unpacker.feed(&piece[..count]),
            }
        }
    }

    fn judge(&self) -> Result<(), Fault> {
        let too_much = self.given > MOST || self.given > FREE && self.given / RATIO > self.taken;
        let says = || {
            let (taken, given) = (grouped(self.taken), grouped(self.given));
            format!("{taken} octets unpack to more than {given}: this is made to fill memory.")
        };
        if too_much { Err(Fault::new(Why::TooLarge, says())) } else { Ok(()) }
    }
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.ready.len() {
            self.ready.clear();
            self.more()?;
        }
        let left = self.ready.get(self.at..).unwrap_or_default();
        let count = left.len().min(out.len());
        out[..count].copy_from_slice(&left[..count]);
        self.at += count;
        Ok(count)
    }
}

/// As many octets as were said, no more; an error where there are fewer.
pub(super) struct Exactly<R> {
    source: R,
    left: u64,
}

impl<R: Read> Exactly<R> {
    pub(super) fn new(source: R, left: u64) -> Exactly<R> {
        Exactly { source, left }
    }
}

impl<R: Read> Read for Exactly<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(out.len());
        if most == 0 {
            return Ok(0);
        }
        let count = self.source.read(&mut out[..most])?;
        if count == 0 {
            let left = grouped(self.left);
            return Err(Fault::broken(format!("The archive ends {left} octets before the end of this member.")).into());
        }
        self.left -= count as u64;
        Ok(count)
    }
}

/// A file as a source, whose buffer stays where a jump is short.
pub struct Near<R> {
    octets: BufReader<R>,
    at: u64,
}

impl<R: Read + Seek> Near<R> {
    /// Begins at the beginning.
    pub fn new(octets: R) -> Near<R> {
        Near { octets: BufReader::with_capacity(PIECE, octets), at: 0 }
    }
}

impl<R: Read + Seek> Read for Near<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.octets.read(out)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl<R: Read + Seek> Seek for Near<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(to) if let Some(by) = to.checked_signed_diff(self.at) => {
                self.octets.seek_relative(by)?;
                self.at = to;
            }
            to => self.at = self.octets.seek(to)?,
        }
        Ok(self.at)
    }
}

/// Reads as much as there is room for, or as there is.
pub(super) fn fill(source: &mut dyn Read, room: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while count < room.len() {
        match source.read(&mut room[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

/// The octets at a place, fewer where it ends.
pub(super) fn some(source: &mut dyn Source, at: u64, count: usize) -> Result<Vec<u8>, Fault> {
    // No file has so many.
    if i64::try_from(at).is_err() {
        return Ok(Vec::new());
    }
    source.seek(SeekFrom::Start(at))?;
    let mut octets = vec![0; count];
    let count = fill(source, &mut octets)?;
    octets.truncate(count);
    Ok(octets)
}

/// Reads octets away.
pub(super) fn skip(source: &mut dyn Read, count: u64) -> Result<(), Fault> {
    let skipped = io::copy(&mut source.take(count), &mut io::sink())?;
    if skipped == count { Ok(()) } else { Err(Fault::broken("The archive ends too early.")) }
}
