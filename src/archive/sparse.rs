//! Sparse files of tar: which octets are kept, and where they belong; what lies between them is zeros. Their maps stand in the
//! header and behind it (old GNU), or in a pax header (GNU 0.0, 0.1), or before the octets (GNU 1.0).
//!
//! Refuses: maps that do not fit their file, and holes that nothing but a bomb has.

use super::unpacking::{FREE, MOST, RATIO};
use super::{Fault, Why};
use std::io::{self, Read};

/// Pieces of one file.
pub(super) const PIECES: usize = 1 << 16;
/// What is said of a file whose map is broken.
pub(super) const BROKEN: &str = "The map of this sparse file is broken, so its octets cannot be put where they belong.";
/// What is said of a file whose map is too long.
pub(super) const TOO_MANY: &str = "This sparse file is in more pieces than are read here.";
/// What is said of a file that is hardly anything but holes.
const HOLES: &str = "This sparse file is almost nothing but holes, as those are that shall fill a disk.";

/// Where the octets of a sparse file belong, in order: from where on, and how many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Map(pub Vec<(u64, u64)>);

impl Map {
    /// One that fits no file.
    fn broken() -> Map {
        Map(vec![(u64::MAX, u64::MAX)])
    }

    /// Judges the map of a file of `size` octets of which `kept` are kept.
    pub(super) fn judge(&self, size: u64, kept: u64) -> Result<(), &'static str> {
        if self.0.len() >= PIECES {
            return Err(TOO_MANY);
        }
        let (mut end, mut sum) = (0, 0_u64);
        for (from, count) in &self.0 {
            let next = from.checked_add(*count).filter(|next| *from >= end && *next <= size);
            (end, sum) = (next.ok_or(BROKEN)?, sum + count);
        }
        let holes = size - sum;
        match () {
            () if sum != kept => Err(BROKEN),
            () if holes > MOST || size > FREE && size / RATIO > kept => Err(HOLES),
            () => Ok(()),
        }
    }
}

/// Octets with the holes between them.
pub(super) struct Filled<R> {
    kept: R,
    map: std::vec::IntoIter<(u64, u64)>,
    /// The piece that comes next, or is coming.
    piece: Option<(u64, u64)>,
    at: u64,
    size: u64,
}

impl<R: Read> Filled<R> {
    pub(super) fn new(kept: R, map: Map, size: u64) -> Filled<R> {
        let mut map = map.0.into_iter();
        let piece = map.next();
        Filled { kept, map, piece, at: 0, size }
    }
}

impl<R: Read> Read for Filled<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_some_and(|(from, count)| self.at >= from + count) {
            self.piece = self.map.next();
        }
        let (from, until) = self.piece.map_or((self.size, self.size), |(from, count)| (from, from + count));
        let hole = self.at < from;
        let left = if hole { from - self.at } else { until - self.at };
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(out.len());
        let out = &mut out[..most];
        let count = if hole { most } else { self.kept.read(out)? };
        if hole {
            out.fill(0);
        } else if count == 0 && most > 0 {
            return Err(Fault::new(Why::Broken, "The archive ends before the end of this sparse file.").into());
        }
        self.at += count as u64;
        Ok(count)
    }
}

/// Numbers in lines, as GNU 1.0 writes a map before the octets: how many pieces, and each with where and how many. `more` gives
/// the next block of them.
pub(super) fn lines(mut more: impl FnMut() -> Result<Option<Vec<u8>>, Fault>) -> Result<Option<Map>, Fault> {
    let (mut map, mut wanted, mut first) = (Map::default(), None, None);
    let mut number: Option<u64> = None;
    loop {
        let Some(block) = more()? else { return Ok(None) };
        for octet in block {
            match octet {
                b'0'..=b'9' => {
                    let next = number.unwrap_or(0).checked_mul(10).and_then(|n| n.checked_add(u64::from(octet - b'0')));
                    let Some(next) = next else { return Ok(Some(Map::broken())) };
                    number = Some(next);
                }
                b'\n' => {
                    let Some(said) = number.take() else { return Ok(Some(Map::broken())) };
                    match (wanted, first.take()) {
                        (None, _) => wanted = Some(said),
                        (Some(_), None) => first = Some(said),
                        (Some(_), Some(from)) => map.0.push((from, said)),
                    }
                    let whole = wanted.is_some_and(|wanted| map.0.len() as u64 >= wanted);
                    if whole || map.0.len() >= PIECES {
                        return Ok(Some(map));
                    }
                }
                _ => return Ok(Some(Map::broken())),
            }
        }
    }
}
