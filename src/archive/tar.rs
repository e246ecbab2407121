//! tar: the headers of POSIX.1-2017 (ustar, pax), GNU's long names, and those of before both.
//!
//! A compressed one is read from its beginning, and members are found there again in the same way: it has no table.

use super::fault::grouped;
use super::sparse::{self, Map};
use super::unpacking::{self, Unpacking};
use super::{Fault, Kind, Member, Members, Modified, Place, Source};
use crate::stop::Stop;
use crate::unpack::Packing;
use std::io::{Read, Seek, SeekFrom};

const BLOCK: usize = 512;
/// Octets of a long name or of a pax header.
const LONGEST: u64 = 1 << 20;

/// Whether a beginning is that of a tar.
pub(super) fn begins(start: &[u8]) -> bool {
    start.first_chunk::<BLOCK>().is_some_and(|header| header[0] != 0 && is_header(header))
}

/// Octets of a tar, compressed or not.
enum Flow<'a> {
    Plain { source: &'a mut dyn Source, length: u64, at: u64 },
    Packed { octets: Unpacking<&'a mut dyn Source>, at: u64 },
}

impl Flow<'_> {
    fn new<'a>(source: &'a mut dyn Source, packing: Option<Packing>, stop: &Stop) -> Result<Flow<'a>, Fault> {
        let length = source.seek(SeekFrom::End(0))?;
        source.rewind()?;
        Ok(match packing {
            None => Flow::Plain { source, length, at: 0 },
            Some(packing) => Flow::Packed { octets: Unpacking::new(source, packing, stop.clone()), at: 0 },
        })
    }

    fn at(&self) -> u64 {
        match self {
            Flow::Plain { at, .. } | Flow::Packed { at, .. } => *at,
        }
    }

    /// The next octets, fewer at the end.
    fn next(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        let (count, at) = match self {
            Flow::Plain { source, at, .. } => (unpacking::fill(*source, room)?, at),
            Flow::Packed { octets, at } => (unpacking::fill(octets, room)?, at),
        };
        *at += count as u64;
        Ok(count)
    }

    /// Passes over octets; false where there are not so many.
    fn skip(&mut self, count: u64) -> Result<bool, Fault> {
        match self {
            Flow::Plain { source, length, at } => {
                let Some(next) = at.checked_add(count).filter(|next| next <= length) else { return Ok(false) };
                source.seek(SeekFrom::Start(next))?;
                *at = next;
                Ok(true)
            }
            Flow::Packed { octets, at } => {
                let skipped = std::io::copy(&mut octets.take(count), &mut std::io::sink())?;
                *at += skipped;
                Ok(skipped == count)
            }
        }
    }
}

/// What headers say of the member that follows them.
#[derive(Default)]
struct Told {
    path: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
    modified: Option<i64>,
    sparse: Sparse,
}

/// What a pax header says of a sparse file (GNU).
#[derive(Default)]
struct Sparse {
    /// Its name, where that in the header is one for those who know nothing of this.
    name: Option<Vec<u8>>,
    /// Its octets with the holes.
    size: Option<u64>,
    /// Whether the map stands before the octets.
    lines: bool,
    /// The map, number for number.
    map: Option<Vec<u64>>,
}

/// Reads all headers.
pub(super) fn read(
    source: &mut dyn Source,
    packing: Option<Packing>,
    stop: &Stop,
    out: &mut Members,
) -> Result<(), Fault> {
    let mut flow = Flow::new(source, packing, stop)?;
    let mut told = Told::default();
    let mut first = true;
    loop {
        if stop.is_given_up() {
            return Err(Fault::new(super::Why::Stopped, "stopped"));
        }
        let mut header = [0; BLOCK];
        let count = match flow.next(&mut header) {
            Ok(count) => count,
            // What was read before it breaks is good.
            Err(fault) if !first && fault.why != super::Why::Stopped => {
                out.note(fault.says);
                return Ok(());
            }
            Err(fault) => return Err(fault),
        };
        let ends = count == 0 || count == BLOCK && header.iter().all(|b| *b == 0);
        if first && (ends && count == 0 || !ends && (count < BLOCK || !is_header(&header))) {
            return Err(Fault::broken("There is no tar in it: it holds one file, or something else."));
        }
        if ends {
            if count == 0 {
                out.note("Its end is missing: more may have followed.");
            }
            return Ok(());
        }
        if count < BLOCK || !is_header(&header) {
            out.note(format!(
                "What stands at octet {} is no tar; what follows is not listed.",
                grouped(flow.at() - count as u64)
            ));
            return Ok(());
        }
        first = false;
        match step(&header, &mut flow, &mut told, out) {
            Ok(true) => {}
            Ok(false) => {
                out.note("Its end is missing: more may have followed.");
                return Ok(());
            }
            Err(fault) if fault.why == super::Why::Stopped => return Err(fault),
            Err(fault) => {
                out.note(fault.says);
                return Ok(());
            }
        }
        if out.is_full() {
            return Ok(());
        }
    }
}

/// Takes a header and passes over what belongs to it; false where the archive ends within.
fn step(header: &[u8; BLOCK], flow: &mut Flow<'_>, told: &mut Told, out: &mut Members) -> Result<bool, Fault> {
    let size = number(&header[124..136]).unwrap_or(0);
    let mut long = || -> Result<Option<Vec<u8>>, Fault> {
        if size > LONGEST {
            return Err(Fault::broken("A header in it is longer than any is."));
        }
        let mut octets = vec![0; usize::try_from(padded(size)).unwrap_or_default()];
        let count = flow.next(&mut octets)?;
        let whole = count == octets.len();
        octets.truncate(usize::try_from(size).unwrap_or_default());
        Ok(whole.then_some(octets))
    };
    match header[156] {
        b'x' | b'X' => {
            let Some(octets) = long()? else { return Ok(false) };
            pax(&octets, told);
        }
        b'L' => {
            let Some(octets) = long()? else { return Ok(false) };
            told.path = Some(until_nul(&octets).to_vec());
        }
        b'K' => {
            let Some(octets) = long()? else { return Ok(false) };
            told.target = Some(until_nul(&octets).to_vec());
        }
        b'g' | b'V' | b'M' | b'N' => return flow.skip(padded(size)),
        kind => return member(header, kind, flow, std::mem::take(told), out),
    }
    Ok(true)
}

fn member(header: &[u8; BLOCK], kind: u8, flow: &mut Flow<'_>, told: Told, out: &mut Members) -> Result<bool, Fault> {
    let path = told.sparse.name.clone().or(told.path).unwrap_or_else(|| {
        let (name, prefix) = (until_nul(&header[..100]), until_nul(&header[345..500]));
        // GNU has other things there.
        let posix = &header[257..263] == b"ustar\0" && !prefix.is_empty();
        if posix { [prefix, b"/", name].concat() } else { name.to_vec() }
    });
    let size = told.size.or_else(|| number(&header[124..136])).unwrap_or(0);
    let target = told.target.unwrap_or_else(|| until_nul(&header[157..257]).to_vec());
    let modified = told.modified.or_else(|| number(&header[136..148]).and_then(|time| i64::try_from(time).ok()));
    let modified = modified.map(|seconds| Modified { seconds, local: false });
    let has_map = told.sparse.lines || told.sparse.map.is_some();
    let (kind, place, octets) = match kind {
        b'1' => (Kind::Same(super::name::clean(&target).unwrap_or_default()), Place::Nowhere(""), 0),
        b'2' => (Kind::Link(target), Place::Nowhere(""), 0),
        b'3' | b'4' | b'6' => (Kind::Other, Place::Nowhere(""), 0),
        b'5' => (Kind::Folder, Place::Nowhere(""), 0),
        b'D' => (Kind::Folder, Place::Nowhere(""), size),
        b'S' => {
            let Some(map) = old_map(header, flow)? else { return Ok(false) };
            return sparse(&path, number(&header[483..495]), map, (modified, size), flow, out);
        }
        b'0' | b'7' | 0 if has_map => {
            let from = flow.at();
            let map = match told.sparse.map {
                Some(numbers) => {
                    Some(Map(numbers.as_chunks::<2>().0.iter().map(|[at, count]| (*at, *count)).collect()))
                }
                None => sparse::lines(|| blocks(flow, from, size))?,
            };
            let Some(map) = map else { return Ok(false) };
            let kept = size.saturating_sub(flow.at() - from);
            return sparse(&path, told.sparse.size, map, (modified, kept), flow, out);
        }
        _ if path.ends_with(b"/") => (Kind::Folder, Place::Nowhere(""), size),
        _ => (Kind::File, Place::At(flow.at()), size),
    };
    let size = if kind == Kind::File { size } else { 0 };
    let mode = number(&header[100..108]).and_then(|mode| u16::try_from(mode & 0o7777).ok());
    out.take(&path, Member { size, modified, mode, ..Member::new(kind, place) });
    flow.skip(padded(octets))
}

fn padded(size: u64) -> u64 {
    size.checked_next_multiple_of(BLOCK as u64).unwrap_or(u64::MAX)
}

/// The next block of a member's octets that begin at `from`; an empty one, which ends every map, where they are over.
fn blocks(flow: &mut Flow<'_>, from: u64, size: u64) -> Result<Option<Vec<u8>>, Fault> {
    if flow.at() - from >= size {
        return Ok(Some(b"-".to_vec()));
    }
    let mut block = vec![0; BLOCK];
    let whole = flow.next(&mut block)? == BLOCK;
    Ok(whole.then_some(block))
}

/// The map of an old GNU header, and of the blocks behind it in which it goes on; `None` where the archive ends within.
fn old_map(header: &[u8; BLOCK], flow: &mut Flow<'_>) -> Result<Option<Map>, Fault> {
    let mut map = Map::default();
    let mut take = |fields: &[u8]| {
        for field in fields.as_chunks::<24>().0 {
            if let Some((at, count)) = number(&field[..12]).zip(number(&field[12..]))
                && map.0.len() < sparse::PIECES
            {
                map.0.push((at, count));
            }
        }
    };
    take(&header[386..482]);
    let mut more = header[482] != 0;
    while more {
        let mut block = [0; BLOCK];
        if flow.next(&mut block)? < BLOCK {
            return Ok(None);
        }
        take(&block[..504]);
        more = block[504] != 0;
    }
    Ok(Some(map))
}

/// Takes a sparse file: what its octets are with the holes, else why there are none.
fn sparse(
    path: &[u8],
    size: Option<u64>,
    map: Map,
    (modified, kept): (Option<Modified>, u64),
    flow: &mut Flow<'_>,
    out: &mut Members,
) -> Result<bool, Fault> {
    let size = size.unwrap_or(0);
    let place = match map.judge(size, kept) {
        Ok(()) => Place::Sparse(flow.at(), Box::new(map)),
        Err(why) => Place::Nowhere(why),
    };
    out.take(path, Member { size, modified, ..Member::new(Kind::File, place) });
    flow.skip(padded(kept))
}

/// Records of a pax header: `LENGTH KEY=VALUE LF`. What is broken ends them.
fn pax(octets: &[u8], told: &mut Told) {
    let mut rest = octets;
    while let Some(space) = memchr::memchr(b' ', rest) {
        let length = std::str::from_utf8(&rest[..space]).ok().and_then(|digits| digits.parse::<usize>().ok());
        let Some(record) = length.filter(|length| *length > space + 1).and_then(|length| rest.get(..length)) else {
            return;
        };
        rest = &rest[record.len()..];
        let record = &record[space + 1..];
        let record = record.strip_suffix(b"\n").unwrap_or(record);
        let Some(equals) = memchr::memchr(b'=', record) else { return };
        let (key, value) = (&record[..equals], &record[equals + 1..]);
        let text = || std::str::from_utf8(value).ok();
        let digits = || text().and_then(|text| text.parse::<u64>().ok());
        match key {
            b"GNU.sparse.name" => told.sparse.name = Some(value.to_vec()),
            b"GNU.sparse.size" | b"GNU.sparse.realsize" => told.sparse.size = digits(),
            b"GNU.sparse.major" => told.sparse.lines = value != b"0",
            // A number that is none makes the map one that fits nothing.
            b"GNU.sparse.offset" | b"GNU.sparse.numbytes" => {
                told.sparse.map.get_or_insert_default().push(digits().unwrap_or(u64::MAX));
            }
            b"GNU.sparse.map" => {
                let numbers = |text: &str| text.split(',').map(|n| n.parse().unwrap_or(u64::MAX)).collect();
                told.sparse.map = text().map(numbers);
            }
            b"path" => told.path = Some(value.to_vec()),
            b"linkpath" => told.target = Some(value.to_vec()),
            b"size" => told.size = digits(),
            b"mtime" => told.modified = text().and_then(|text| text.split('.').next()?.parse().ok()),
            _ => {}
        }
    }
}

/// Whether the sum of a header is right, by octets with or without a sign.
fn is_header(header: &[u8; BLOCK]) -> bool {
    let Some(said) = number(&header[148..156]) else { return false };
    let octets = || header[..148].iter().chain(&header[156..]);
    let plain: u64 = octets().map(|b| u64::from(*b)).sum::<u64>() + 8 * 32;
    let signed: i64 = octets().map(|b| i64::from(b.cast_signed())).sum::<i64>() + 8 * 32;
    said == plain || i64::try_from(said) == Ok(signed)
}

/// A number: octal digits, or with the highest bit set the octets of a binary one (GNU).
fn number(field: &[u8]) -> Option<u64> {
    if field.first() == Some(&0x80) {
        let (high, low) = field[1..].split_last_chunk::<8>()?;
        return high.iter().all(|b| *b == 0).then_some(u64::from_be_bytes(*low));
    }
    let text = field.iter().skip_while(|b| **b == b' ').take_while(|b| !matches!(b, 0 | b' '));
    let mut any = None;
    for b in text {
        let digit = matches!(b, b'0'..=b'7').then(|| u64::from(b - b'0'))?;
        any = Some(any.unwrap_or(0_u64).checked_mul(8)? + digit);
    }
    any
}

fn until_nul(field: &[u8]) -> &[u8] {
    &field[..memchr::memchr(0, field).unwrap_or(field.len())]
}
