//! A compressed tar on its way: whoever wants a member that comes later goes on from where the last one ended, so that all members
//! in their order cost one pass, not one each.

use super::unpacking::Unpacking;
use super::{Fault, Source, unpacking};
use crate::stop::Stop;
use crate::unpack::Packing;
use std::io::{self, BufRead, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// So many wait for whoever goes on: as many as are fetched at once from one place.
const WAITING: usize = 4;

/// Those that wait. Clones are one.
#[derive(Clone, Default)]
pub(super) struct Halts(Arc<Mutex<Vec<Way>>>);

impl std::fmt::Debug for Halts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Halts")
    }
}

/// An archive that was unpacked up to here.
struct Way {
    octets: Unpacking<Box<dyn Source>>,
    at: u64,
}

impl Halts {
    /// Lets all go: each holds what its form looks back at, up to 64 MiB.
    pub(super) fn end(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The octets from a place on, from the nearest halt before it, else from the beginning.
    pub(super) fn from(
        &self,
        start: u64,
        mut source: Box<dyn Source>,
        packing: Packing,
        stop: &Stop,
    ) -> Result<Onward, Fault> {
        let nearest = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let before = all.iter().enumerate().filter(|(_, way)| way.at <= start);
            let nearest = before.max_by_key(|(_, way)| way.at).map(|(number, _)| number);
            nearest.map(|number| all.remove(number))
        };
        let mut way = match nearest {
            Some(mut way) => {
                way.octets.wanted_by(stop.clone());
                way
            }
            None => {
                source.rewind()?;
                Way { octets: Unpacking::new(source, packing, stop.clone()), at: 0 }
            }
        };
        unpacking::skip(&mut way.octets, start - way.at)?;
        way.at = start;
        Ok(Onward { way: Some(way), halts: self.clone() })
    }
}

/// The octets from a place on; where their reader stops, they halt.
pub(super) struct Onward {
    way: Option<Way>,
    halts: Halts,
}

impl Read for Onward {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(way) = &mut self.way else { return Ok(0) };
        let read = way.octets.read(out);
        match &read {
            Ok(count) => way.at += *count as u64,
            // What is broken, or not wanted any more, leads nowhere.
            Err(_) => self.way = None,
        }
        read
    }
}

impl Drop for Onward {
    fn drop(&mut self) {
        let Some(way) = self.way.take() else { return };
        let mut all = self.halts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= WAITING {
            all.remove(0);
        }
        all.push(way);
    }
}

/// A reader that knows how far it has come.
pub(super) struct Counted<R> {
    pub(super) octets: R,
    pub(super) at: u64,
}

impl<R> Counted<R> {
    pub(super) fn new(octets: R) -> Counted<R> {
        Counted { octets, at: 0 }
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.octets.read(out)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.octets.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.octets.consume(count);
        self.at += count as u64;
    }
}
