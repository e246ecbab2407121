//! zip (APPNOTE 6.3.10): the central directory at its end, 64 bits wide where that is needed; members stored, deflated, or by
//! bzip2, zstd or xz.
//!
//! Members that share octets of the file, as those of bombs do, are listed and not given out.

use super::fault::grouped;
use super::unpacking::{Exactly, Unpacking, fill, skip, some};
use super::{Fault, Kind, Member, Members, Modified, Place, Source, Why};
use crate::format::count;
use crate::stop::Stop;
use crate::unpack::Packing;
use flate2::Crc;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Where a member's octets are, and how they are packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packed {
    header: u64,
    /// Octets of its name, as they stand in its own header, too.
    name: u64,
    octets: u64,
    method: u16,
    crc: u32,
    locked: bool,
    overlaps: bool,
}

/// The longest comment, and the record before it.
const TAIL: u64 = 22 + 0xFFFF;
/// Octets of a record of the central directory, without its names.
const RECORD: usize = 46;
/// Octets of a link's target.
const TARGET: u64 = 4096;
/// Links whose targets are read with the table.
const LINKS: u64 = 10_000;
/// What says that the place of a number is elsewhere.
const WIDE: u32 = u32::MAX;

pub(super) fn u16_at(octets: &[u8], at: usize) -> u16 {
    octets.get(at..at + 2).map_or(0, |two| u16::from_le_bytes([two[0], two[1]]))
}

pub(super) fn u32_at(octets: &[u8], at: usize) -> u32 {
    octets.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |four| u32::from_le_bytes(*four))
}

pub(super) fn u64_at(octets: &[u8], at: usize) -> u64 {
    octets.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |eight| u64::from_le_bytes(*eight))
}

/// Where the central directory is.
struct Directory {
    start: u64,
    length: u64,
    entries: u64,
    /// What stands before the zip: a program that unpacks it, perhaps.
    before: u64,
    /// Whether its numbers are the wide ones.
    wide: bool,
}

impl Directory {
    /// Whether it says that it has so many members; where its number is narrow, those beyond it are not in it.
    fn has(&self, count: u64) -> bool {
        let narrow = !self.wide && (count & 0xFFFF == self.entries || self.entries == 0xFFFF && count > 0xFFFF);
        self.entries == count || narrow
    }
}

/// Finds the central directory by the record at the end (4.3.16), or by the wide one that this points to (4.3.14).
fn directory(source: &mut dyn Source) -> Result<Directory, Fault> {
    let end = source.seek(SeekFrom::End(0))?;
    let from = end.saturating_sub(TAIL);
    let tail = some(source, from, usize::try_from(end - from).unwrap_or_default())?;
    let fits = |at: &usize| at + 22 + usize::from(u16_at(&tail, at + 20)) <= tail.len();
    let at = memchr::memmem::rfind_iter(&tail, b"PK\x05\x06").find(fits);
    let missing =
        || Fault::broken("Its table of contents is missing, which stands at the end of a zip: it may be cut short.");
    let at = at.ok_or_else(missing)?;
    let record = &tail[at..];
    let here = from + at as u64;
    let (mut entries, mut length) = (u64::from(u16_at(record, 10)), u64::from(u32_at(record, 12)));
    let (mut start, mut ends) = (u64::from(u32_at(record, 16)), here);
    let mut is_wide = false;
    if entries == 0xFFFF || length == u64::from(WIDE) || start == u64::from(WIDE) {
        // Without a locator the numbers are what they are: a zip may have 65,535 members.
        let locator = some(source, here.saturating_sub(20), 20)?;
        if locator.starts_with(b"PK\x06\x07") {
            let wide = u64_at(&locator, 8);
            let record = some(source, wide, 56)?;
            if record.starts_with(b"PK\x06\x06") {
                (entries, length, start, ends) = (u64_at(&record, 32), u64_at(&record, 40), u64_at(&record, 48), wide);
                is_wide = true;
            }
        }
    }
    // Offsets count from where the zip begins, which need not be the file's beginning.
    let real = ends.checked_sub(length).ok_or_else(missing)?;
    let before = real.checked_sub(start).ok_or_else(missing)?;
    Ok(Directory { start: real, length, entries, before, wide: is_wide })
}

/// Where the central directory begins.
pub(super) fn table(source: &mut dyn Source) -> Result<u64, Fault> {
    directory(source).map(|directory| directory.start)
}

/// From where to where a member's octets stand at most, with its own header; `None` where it is not given out.
pub(super) fn span(packed: &Packed) -> Option<(u64, u64)> {
    let before = 30 + packed.name + 0xFFFF;
    let until = packed.header.saturating_add(before).saturating_add(packed.octets);
    (!packed.locked && !packed.overlaps).then_some((packed.header, until))
}

pub(super) fn read(source: &mut dyn Source, stop: &Stop, out: &mut Members) -> Result<(), Fault> {
    let directory = directory(source)?;
    let Directory { start, length, before, .. } = directory;
    source.seek(SeekFrom::Start(start))?;
    let mut table = BufReader::with_capacity(1 << 16, (&mut *source).take(length));
    let mut has = 0;
    let mut record = [0; RECORD];
    while fill(&mut table, &mut record)? == RECORD {
        if stop.is_given_up() {
            return Err(Fault::new(Why::Stopped, "stopped"));
        }
        if !record.starts_with(b"PK\x01\x02") {
            out.note("Its table of contents is broken: what follows is not listed.");
            break;
        }
        let lengths = [28, 30, 32].map(|at| usize::from(u16_at(&record, at)));
        let mut names = vec![0; lengths.iter().sum()];
        if fill(&mut table, &mut names)? < names.len() {
            out.note("Its table of contents ends too early.");
            break;
        }
        let (name, rest) = names.split_at(lengths[0]);
        take(&record, name, &rest[..lengths[1]], before, out);
        has += 1;
        if out.is_full() {
            break;
        }
    }
    drop(table);
    if !directory.has(has) && !out.is_full() {
        let (says, has) = (grouped(directory.entries), grouped(has));
        out.note(format!("It says that it has {says} members; its table of contents has {has}."));
    }
    let shared = match apart(&mut out.all, start) {
        0 => None,
        1 => Some("One member shares octets with others or with the table of contents".into()),
        many => Some(format!("{} members share octets with others or with the table of contents", count(many))),
    };
    if let Some(shared) = shared {
        out.note(format!(
            "{shared}, as those of bombs do: what size they tell is not believed, and nothing is unpacked."
        ));
    }
    links(source, stop, out);
    Ok(())
}

/// Takes a record of the central directory (4.3.12).
fn take(record: &[u8; RECORD], name: &[u8], extra: &[u8], before: u64, out: &mut Members) {
    let (flags, method) = (u16_at(record, 8), u16_at(record, 10));
    let (mut octets, mut size) = (u64::from(u32_at(record, 20)), u64::from(u32_at(record, 24)));
    let mut header = u64::from(u32_at(record, 42));
    let (mut seconds, mut better) = (None, None);
    let mut rest = extra;
    while rest.len() >= 4 {
        let (id, length) = (u16_at(rest, 0), usize::from(u16_at(rest, 2)));
        let Some(field) = rest.get(4..4 + length) else { break };
        rest = &rest[4 + length..];
        match id {
            // 4.5.3: only what has no room in the record, in this order
            1 => {
                let mut at = 0;
                for number in [&mut size, &mut octets, &mut header] {
                    if *number == u64::from(WIDE) && at + 8 <= field.len() {
                        *number = u64_at(field, at);
                        at += 8;
                    }
                }
            }
            // the time of UNIX
            0x5455 if field.first().is_some_and(|flags| flags & 1 == 1) && field.len() >= 5 => {
                seconds = Some(i64::from(u32_at(field, 1).cast_signed()));
            }
            // 4.6.9: the name in UTF-8, of the one that stands in the record
            0x7075 if field.first() == Some(&1) && field.len() > 5 => {
                let mut crc = Crc::new();
                crc.update(name);
                better = Some(&field[5..]).filter(|_| crc.sum() == u32_at(field, 1));
            }
            _ => {}
        }
    }
    // 4.4.2: made on DOS, OS/2 or Windows. Those write their code page where no flag says UTF-8 (4.4.4), as Info-ZIP's unzip reads
    // them, too; only that some write UTF-8 and do not say so.
    let length = name.len() as u64;
    let name = better.unwrap_or(name);
    let says_so = flags & 0x800 != 0 || better.is_some();
    let foreign = !says_so && matches!(record[5], 0 | 6 | 10 | 11) && std::str::from_utf8(name).is_err();
    let modified = match seconds {
        Some(seconds) => Some(Modified { seconds, local: false }),
        None => dos_time(u16_at(record, 14), u16_at(record, 12)).map(|seconds| Modified { seconds, local: true }),
    };
    let name = slashed(name, matches!(record[5], 0 | 6 | 10 | 11));
    let unix = record[5] == 3;
    let bits = if unix { u32_at(record, 38) >> 16 } else { 0 };
    let mode = u16::try_from(bits & 0o7777).ok().filter(|mode| *mode != 0);
    let kind = match bits & 0xF000 {
        _ if name.ends_with(b"/") => Kind::Folder,
        // its target is read later
        0xA000 => Kind::Link(Vec::new()),
        0x2000 | 0x6000 | 0x1000 | 0xC000 => Kind::Other,
        _ => Kind::File,
    };
    let packed = Packed {
        header: header.saturating_add(before),
        name: length,
        octets,
        method,
        crc: u32_at(record, 16),
        locked: flags & 1 == 1,
        overlaps: false,
    };
    let size = if kind == Kind::File || matches!(kind, Kind::Link(_)) { size } else { 0 };
    out.take(&name, Member { size, modified, mode, foreign, ..Member::new(kind, Place::Zip(packed)) });
}

/// A name with slashes between its parts. 4.4.17.1 wants those; some programs on DOS, OS/2 and Windows write what their system has, and
/// elsewhere a backslash is a letter like others, as it is where it is the second octet of one (Shift-JIS).
fn slashed(name: &[u8], of_dos: bool) -> Vec<u8> {
    let mut out = name.to_vec();
    if !of_dos || name.contains(&b'/') {
        return out;
    }
    let is_text = std::str::from_utf8(name).is_ok();
    let mut is_second = false;
    for octet in &mut out {
        let begins = !is_text && !is_second && matches!(*octet, 0x81..=0x9F | 0xE0..=0xFC);
        if *octet == b'\\' && !is_second {
            *octet = b'/';
        }
        is_second = begins;
    }
    out
}

/// Marks the members that share octets with others or with the table of contents; says how many.
fn apart(members: &mut [Member], table: u64) -> usize {
    let mut places: Vec<(u64, u64, usize)> = Vec::with_capacity(members.len());
    for (at, member) in members.iter().enumerate() {
        if let Place::Zip(packed) = &member.place {
            places.push((
                packed.header,
                packed.header.saturating_add(30 + packed.name).saturating_add(packed.octets),
                at,
            ));
        }
    }
    places.sort_unstable();
    let mut marked = vec![false; members.len()];
    let mut last: Option<(u64, usize)> = None;
    for (start, end, at) in places {
        if let Some((until, other)) = last
            && start < until
        {
            (marked[at], marked[other]) = (true, true);
        }
        marked[at] |= end > table;
        if last.is_none_or(|(until, _)| end > until) {
            last = Some((end, at));
        }
    }
    for (member, marked) in members.iter_mut().zip(&marked) {
        if let Place::Zip(packed) = &mut member.place {
            packed.overlaps = *marked;
            if *marked {
                member.size = u64::MAX;
            }
        }
    }
    marked.iter().filter(|marked| **marked).count()
}

/// Reads the targets of links, which are what such members hold. One that cannot be read leads nowhere.
fn links(source: &mut dyn Source, stop: &Stop, out: &mut Members) {
    let is_link = |member: &&mut Member| matches!(member.kind, Kind::Link(_));
    let mut count = 0;
    for member in out.all.iter_mut().filter(is_link) {
        let size = std::mem::take(&mut member.size);
        count += 1;
        let Place::Zip(packed) = &member.place else { continue };
        if count > LINKS {
            continue;
        }
        let mut target = Vec::new();
        let octets = reader(packed, size, &mut *source, stop);
        if octets.is_ok_and(|octets| octets.take(TARGET).read_to_end(&mut target).is_ok()) {
            member.kind = Kind::Link(target);
        }
    }
    if count > LINKS {
        let (all, first) = (grouped(count), grouped(LINKS));
        out.note(format!("Of its {all} links only the first {first} are read; the others lead nowhere here."));
    }
}

/// The octets of a member.
pub(super) fn open(
    packed: &Packed,
    size: u64,
    source: Box<dyn Source>,
    stop: &Stop,
) -> Result<Box<dyn Read + Send>, Fault> {
    reader(packed, size, source, stop)
}

pub(super) fn reader<'a>(
    packed: &Packed,
    size: u64,
    mut source: impl Read + Seek + Send + 'a,
    stop: &Stop,
) -> Result<Box<dyn Read + Send + 'a>, Fault> {
    if packed.locked {
        return Err(Fault::new(Why::Foreign, "This member is encrypted; encrypted members are not read here."));
    }
    if packed.overlaps {
        return Err(Fault::new(
            Why::Unsafe,
            "This member shares octets with others or with the table of contents, as those of bombs do.",
        ));
    }
    if i64::try_from(packed.header).is_err() {
        return Err(Fault::broken("The archive ends before this member."));
    }
    source.seek(SeekFrom::Start(packed.header))?;
    let mut header = [0; 30];
    if fill(&mut source, &mut header)? < 30 || !header.starts_with(b"PK\x03\x04") {
        return Err(Fault::broken("There is no member where the table of contents says one is."));
    }
    skip(&mut source, u64::from(u16_at(&header, 26)) + u64::from(u16_at(&header, 28)))?;
    let octets = source.take(packed.octets);
    let packing = match packed.method {
        0 => None,
        8 => Some(Packing::Deflate),
        12 => Some(Packing::Bzip2),
        93 => Some(Packing::Zstd),
        95 => Some(Packing::Xz),
        other => {
            let says = format!("This member is compressed in a way that is not known here (method {other}).");
            return Err(Fault::new(Why::Foreign, says));
        }
    };
    let plain: Box<dyn Read + Send + 'a> = match packing {
        None => Box::new(octets),
        Some(packing) => Box::new(Unpacking::new(octets, packing, stop.clone())),
    };
    Ok(Box::new(Checked { octets: Exactly::new(plain, size), left: size, crc: Crc::new(), said: packed.crc }))
}

/// As many octets as the table says, with the sum that it says.
struct Checked<R> {
    octets: R,
    left: u64,
    crc: Crc,
    said: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.octets.read(out)?;
        self.crc.update(&out[..count]);
        let before = self.left;
        self.left -= count as u64;
        if self.left == 0 && (before > 0 || count == 0) && self.crc.sum() != self.said {
            return Err(
                Fault::broken("This member is broken: its octets are not those that its checksum is of.").into()
            );
        }
        Ok(count)
    }
}

/// A time of DOS (4.4.6), as seconds since 1970 by the same clock.
fn dos_time(date: u16, time: u16) -> Option<i64> {
    let part = |value: u16, shift: u32, bits: u32| i8::try_from(value >> shift & ((1 << bits) - 1)).ok();
    let year = 1980 + i16::try_from(date >> 9).ok()?;
    let day = jiff::civil::Date::new(year, part(date, 5, 4)?, part(date, 0, 5)?).ok()?;
    let at = day.at(part(time, 11, 5)?.min(23), part(time, 5, 6)?.min(59), (part(time, 0, 5)? * 2).min(59), 0);
    Some(at.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second())
}
