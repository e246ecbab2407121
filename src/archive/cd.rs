//! ISO 9660 (ECMA-119): the directories of a disc, with the names and links of Rock Ridge (IEEE P1282), else those of Joliet, else
//! their own.

use super::unpacking::some;
use super::{Fault, Kind, Member, Members, Modified, Place, Source, Why};
use crate::stop::Stop;
use std::collections::{HashSet, VecDeque};
use std::io::SeekFrom;

const SECTOR: u64 = 2048;
/// Descriptors that are looked at.
const DESCRIPTORS: u64 = 64;
/// Octets of one directory.
const LARGEST: u64 = 64 << 20;
/// Directories within one another.
const DEEPEST: usize = 64;
/// Areas that the fields of one record go on in.
const AREAS: usize = 8;
/// Octets of a name, and of a path: no file system holds longer ones.
const NAME: usize = 255;
const PATH: usize = 4096;

/// A directory: where it is, its octets, which member it is (none is the root), and how deep it is.
type Folder = (u64, u64, Option<usize>, usize);

/// The image, and how many octets of directories may still be read of it: no more than it has, for those of a disc that nobody
/// made to do harm share none.
struct Disc<'a> {
    source: &'a mut dyn Source,
    left: u64,
}

impl Disc<'_> {
    /// The octets at a place; none where more were read than there are.
    fn read(&mut self, at: u64, count: u64, most: u64) -> Result<Vec<u8>, Fault> {
        let octets = some(self.source, at, usize::try_from(count.min(most).min(self.left)).unwrap_or_default())?;
        self.left -= (octets.len() as u64).min(self.left);
        Ok(octets)
    }
}

pub(super) fn read(source: &mut dyn Source, stop: &Stop, out: &mut Members) -> Result<(), Fault> {
    let mut own = None;
    let mut joliet = None;
    for number in 0..DESCRIPTORS {
        let descriptor = some(source, (16 + number) * SECTOR, 2048)?;
        if descriptor.len() < 2048 || &descriptor[1..6] != b"CD001" || descriptor[0] == 255 {
            break;
        }
        let root = extent(&descriptor[156..190]);
        match descriptor[0] {
            1 if own.is_none() => own = root,
            // ECMA-119, 8.5.6 with the escapes of UCS-2
            2 if matches!(&descriptor[88..91], b"%/@" | b"%/C" | b"%/E") => joliet = root,
            _ => {}
        }
    }
    let Some((start, length)) = own.or(joliet) else {
        return Err(Fault::broken("This disc has no directory."));
    };
    let first = some(source, start, 2048)?;
    let ridge = susp(&first).is_some();
    let (root, wide) = match joliet {
        Some(root) if !ridge => (root, true),
        _ => ((start, length), false),
    };
    walk(source, stop, root, wide, out)
}

fn walk(source: &mut dyn Source, stop: &Stop, root: (u64, u64), wide: bool, out: &mut Members) -> Result<(), Fault> {
    let left = source.seek(SeekFrom::End(0))?;
    let mut disc = Disc { source, left };
    let mut seen = HashSet::from([root.0]);
    let mut ahead: VecDeque<Folder> = VecDeque::from([(root.0, root.1, None, 0)]);
    while let Some((start, length, parent, depth)) = ahead.pop_front() {
        let octets = disc.read(start, length, LARGEST)?;
        if disc.left == 0 {
            out.note("Its directories share octets, as those of bombs do; not all of them are listed.");
            return Ok(());
        }
        if (octets.len() as u64) < length {
            out.note("Its end is missing, or a directory in it is too large.");
        }
        let path = parent.map(|at| out.all[at].path.clone()).unwrap_or_default();
        let mut at = 0;
        while at < octets.len() {
            if stop.is_given_up() {
                return Err(Fault::new(Why::Stopped, "stopped"));
            }
            let rest = &octets[at..];
            let length = usize::from(rest[0]);
            if length == 0 {
                // Records do not go over the end of a sector.
                at = (at + 1).next_multiple_of(2048);
                continue;
            }
            at += length;
            let Some(record) = rest.get(..length).filter(|record| record.len() > 33) else { continue };
            let Some(found) = entry(&mut disc, record, wide) else { continue };
            let Entry { name, kind, extent: (from, octets), pieces, moved } = found;
            // Names of 14 kB, each in the one before: nothing of that kind is kept or walked into.
            if name.len() > NAME || path.len() > PATH {
                out.leave("Names that no file system can hold are left out.");
                if out.is_full() {
                    return Ok(());
                }
                continue;
            }
            let mut full = path.clone();
            if !full.is_empty() {
                full.push(b'/');
            }
            full.extend(name);
            let place = match pieces {
                true => Place::Nowhere("This file lies on the disc in pieces; that is not read here."),
                false => Place::At(from),
            };
            let walked = kind == Kind::Folder && !moved && depth < DEEPEST;
            let size = if kind == Kind::File { octets } else { 0 };
            let member = Member { size, modified: modified(&record[18..25]), ..Member::new(kind, place) };
            let taken = out.take(&full, member);
            if taken.is_some() && walked && seen.insert(from) {
                ahead.push_back((from, octets, taken, depth + 1));
            }
            if out.is_full() {
                return Ok(());
            }
        }
    }
    Ok(())
}

struct Entry {
    name: Vec<u8>,
    kind: Kind,
    extent: (u64, u64),
    pieces: bool,
    moved: bool,
}

/// A record (ECMA-119, 9.1); `None` for the directory itself, the one above it, and what is broken.
fn entry(disc: &mut Disc<'_>, record: &[u8], wide: bool) -> Option<Entry> {
    let length = usize::from(record[32]);
    let own = record.get(33..33 + length)?;
    if matches!(own, [] | [0] | [1]) {
        return None;
    }
    let flags = record[25];
    let mut name = if wide { utf16(own) } else { own.to_vec() };
    if let Some(at) = memchr::memrchr(b';', &name) {
        name.truncate(at);
    }
    if name.last() == Some(&b'.') {
        name.pop();
    }
    let (mut kind, mut moved) = (if flags & 2 == 2 { Kind::Folder } else { Kind::File }, false);
    if !wide {
        let fields = ridge(disc, record, 33 + length + usize::from(length % 2 == 0));
        name = Some(fields.name).filter(|name| !name.is_empty()).unwrap_or(name);
        moved = fields.moved;
        if let Some(target) = fields.target {
            kind = Kind::Link(target);
        }
    }
    // A name with a slash in it would be a path.
    let name = name.into_iter().map(|b| if b == b'/' { b'_' } else { b }).collect();
    Some(Entry { name, kind, extent: extent(record)?, pieces: flags & 0x80 == 0x80, moved })
}

/// Where the octets of a record are, and how many.
fn extent(record: &[u8]) -> Option<(u64, u64)> {
    let number = |at: usize| record.get(at..).and_then(|rest| rest.first_chunk()).map(|four| u32::from_le_bytes(*four));
    Some((u64::from(number(2)?) * SECTOR, u64::from(number(10)?)))
}

/// What the root's first record says of the use of system fields (SUSP, 5.3): `Some` where there are some.
fn susp(root: &[u8]) -> Option<()> {
    let length = usize::from(*root.first()?);
    let record = root.get(..length).filter(|record| record.len() > 34)?;
    let fields = record.get(34..)?;
    fields.windows(2).any(|two| two == b"SP").then_some(())
}

#[derive(Default)]
struct Ridge {
    name: Vec<u8>,
    target: Option<Vec<u8>>,
    moved: bool,
}

/// The fields of Rock Ridge in a record, and in the areas where they go on.
fn ridge(disc: &mut Disc<'_>, record: &[u8], from: usize) -> Ridge {
    let mut out = Ridge::default();
    let mut fields = record.get(from..).unwrap_or_default().to_vec();
    let mut joined = true;
    for _ in 0..AREAS {
        let mut next = None;
        let mut rest = fields.as_slice();
        while rest.len() >= 4 {
            let length = usize::from(rest[2]);
            let Some(field) = rest.get(..length).filter(|field| field.len() >= 4) else { break };
            rest = &rest[length..];
            let number = |at: usize| {
                let four = field.get(at..).and_then(|rest| rest.first_chunk());
                four.map_or(0, |four| u64::from(u32::from_le_bytes(*four)))
            };
            match &field[..2] {
                b"NM" if field.len() > 5 && field[4] & 6 == 0 => out.name.extend_from_slice(&field[5..]),
                b"SL" if field.len() > 5 => link(&field[5..], out.target.get_or_insert_default(), &mut joined),
                b"CL" | b"RE" => out.moved = true,
                b"CE" => next = Some((number(4) * SECTOR + number(12), number(20))),
                b"ST" => break,
                _ => {}
            }
        }
        let Some((at, length)) = next else { break };
        match disc.read(at, length, SECTOR) {
            Ok(octets) => fields = octets,
            Err(_) => break,
        }
    }
    out
}

/// The components of a link's target (RRIP, 4.1.3).
fn link(components: &[u8], target: &mut Vec<u8>, joined: &mut bool) {
    let mut rest = components;
    while let [flags, length, octets @ ..] = rest {
        let Some(name) = octets.get(..usize::from(*length)) else { return };
        rest = &octets[name.len()..];
        if !*joined {
            target.push(b'/');
        }
        match flags & 0x0E {
            2 => target.push(b'.'),
            4 => target.extend(b".."),
            8 => target.push(b'/'),
            _ => target.extend_from_slice(name),
        }
        // A name may go on in the next one.
        *joined = flags & 1 == 1 || flags & 8 == 8;
    }
}

fn utf16(octets: &[u8]) -> Vec<u8> {
    let units = octets.as_chunks::<2>().0.iter().map(|two| u16::from_be_bytes(*two));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>().into_bytes()
}

/// A time (ECMA-119, 9.1.5), whose zone is told in quarters of an hour.
fn modified(field: &[u8]) -> Option<Modified> {
    let [year, month, day, hour, minute, second, zone] = *field.first_chunk::<7>()?;
    let small = |b: u8| i8::try_from(b).ok();
    let date = jiff::civil::Date::new(1900 + i16::from(year), small(month)?, small(day)?).ok()?;
    let at = date.at(small(hour)?.clamp(0, 23), small(minute)?.clamp(0, 59), small(second)?.clamp(0, 59), 0);
    let seconds = at.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second();
    Some(Modified { seconds: seconds - i64::from(zone.cast_signed()) * 15 * 60, local: false })
}
