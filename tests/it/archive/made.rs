//! Archives as their makers write them, and as liars do.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use std::io::Write;

/// A header of tar and what follows it.
pub fn tar_member(kind: u8, name: &str, target: &str, octets: &[u8]) -> Vec<u8> {
    tar_said(kind, name, target, octets.len() as u64, octets)
}

/// The same with another size than it is.
pub fn tar_said(kind: u8, name: &str, target: &str, size: u64, octets: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 512];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"07000000000\0");
    put(148, b"        ");
    put(156, &[kind]);
    put(157, target.as_bytes());
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|b| u32::from(*b)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header.extend(octets);
    header.resize(header.len().next_multiple_of(512), 0);
    header
}

/// A tar of members and its end.
pub fn tar(members: &[Vec<u8>]) -> Vec<u8> {
    let mut out = members.concat();
    out.resize(out.len() + 1024, 0);
    out
}

pub fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(octets).unwrap();
    out.finish().unwrap()
}

/// A member of a zip.
#[derive(Clone)]
pub struct Zipped {
    pub name: Vec<u8>,
    pub octets: Vec<u8>,
    pub size: u64,
    pub crc: u32,
    pub method: u16,
    pub flags: u16,
    pub mode: u32,
    /// On what system it was made.
    pub host: u8,
    /// Further fields, of the table alone.
    pub extra: Vec<u8>,
    /// Where the table says that it begins, if not where it does.
    pub at: Option<u32>,
}

pub fn zipped(name: &str, octets: &[u8]) -> Zipped {
    let mut out = DeflateEncoder::new(Vec::new(), Compression::best());
    out.write_all(octets).unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(octets);
    let (packed, size) = (out.finish().unwrap(), octets.len() as u64);
    let (name, crc, host, extra) = (name.into(), crc.sum(), 3, Vec::new());
    Zipped { name, octets: packed, size, crc, method: 8, flags: 0, mode: 0o100_644, host, extra, at: None }
}

pub fn zip(members: &[Zipped]) -> Vec<u8> {
    let (mut out, mut table) = (Vec::new(), Vec::new());
    for member in members {
        let at = member.at.unwrap_or(u32::try_from(out.len()).unwrap());
        let mut facts = Vec::new();
        for number in [member.flags, member.method, 0x6000, 0x2A21] {
            facts.extend(number.to_le_bytes());
        }
        for number in [member.crc, u32::try_from(member.octets.len()).unwrap(), u32::try_from(member.size).unwrap()] {
            facts.extend(number.to_le_bytes());
        }
        facts.extend(u16::try_from(member.name.len()).unwrap().to_le_bytes());
        let many = u16::try_from(member.extra.len()).unwrap().to_le_bytes();
        if member.at.is_none() {
            out.extend([b"PK\x03\x04\x14\0".as_slice(), &facts, &[0, 0], &member.name, &member.octets].concat());
        }
        let mode = member.mode << 16;
        let rest = [[0; 6].as_slice(), &mode.to_le_bytes(), &at.to_le_bytes()].concat();
        let made = [0x14, member.host, 0x14, 0];
        table.extend([b"PK\x01\x02".as_slice(), &made, &facts, &many, &rest, &member.name, &member.extra].concat());
    }
    let count = u16::try_from(members.len()).unwrap_or(u16::MAX).to_le_bytes();
    let (start, length) = (u32::try_from(out.len()).unwrap(), u32::try_from(table.len()).unwrap());
    out.extend(table);
    let end = [&count[..], &count, &length.to_le_bytes(), &start.to_le_bytes(), &[0, 0]].concat();
    out.extend([b"PK\x05\x06\0\0\0\0".as_slice(), &end].concat());
    out
}

/// An ar of members.
pub fn ar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, octets) in members {
        out.extend(format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name, 0, 0, 0, 100_644, octets.len()).bytes());
        out.extend(*octets);
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    out
}

/// A record of a directory of a disc.
pub fn record(name: &[u8], sector: u32, size: u32, folder: bool, fields: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 33];
    out[2..6].copy_from_slice(&sector.to_le_bytes());
    out[10..14].copy_from_slice(&size.to_le_bytes());
    out[18..25].copy_from_slice(&[101, 2, 3, 4, 5, 6, 0]);
    out[25] = if folder { 2 } else { 0 };
    out[32] = u8::try_from(name.len()).unwrap();
    out.extend(name);
    if name.len().is_multiple_of(2) {
        out.push(0);
    }
    out.extend(fields);
    out.resize(out.len().next_multiple_of(2), 0);
    out[0] = u8::try_from(out.len()).unwrap();
    out
}

/// A disc with a folder `DOC` and a file `A.TXT;1` in it, which Rock Ridge calls `a longer name.txt`; and a folder that is its own.
pub fn disc(ridge: bool) -> Vec<u8> {
    let mut out = vec![0; 21 * 2048];
    let susp: &[u8] = if ridge { b"SP\x07\x01\xBE\xEF\0" } else { b"" };
    let named: &[u8] = if ridge { b"NM\x16\x01\0a longer name.txt" } else { b"" };
    let root = record(b"\0", 18, 2048, true, b"");
    out[16 * 2048..16 * 2048 + 6].copy_from_slice(b"\x01CD001");
    out[16 * 2048 + 156..16 * 2048 + 190].copy_from_slice(&root);
    out[17 * 2048..17 * 2048 + 6].copy_from_slice(b"\xFFCD001");
    let top = [
        record(b"\0", 18, 2048, true, susp),
        record(b"\x01", 18, 2048, true, b""),
        record(b"DOC", 19, 2048, true, b""),
        record(b"LOOP", 18, 2048, true, b""),
    ];
    let below = [record(b"\0", 19, 2048, true, b""), record(b"A.TXT;1", 20, 5, false, named)];
    for (sector, records) in [(18, top.concat()), (19, below.concat())] {
        out[sector * 2048..sector * 2048 + records.len()].copy_from_slice(&records);
    }
    out[20 * 2048..20 * 2048 + 5].copy_from_slice(b"disc\n");
    out
}

/// A disc of so many sectors, with a root of these records in sector 18, and what else stands in which sector.
pub fn disc_of(sectors: usize, root: &[Vec<u8>], others: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut out = disc(true);
    out.truncate(18 * 2048);
    out.resize(sectors * 2048, 0);
    let length = root.concat().len().next_multiple_of(2048);
    out[16 * 2048 + 156 + 10..16 * 2048 + 156 + 14].copy_from_slice(&u32::try_from(length).unwrap().to_le_bytes());
    for (sector, octets) in others.iter().chain(&[(18, root.concat())]) {
        out[sector * 2048..sector * 2048 + octets.len()].copy_from_slice(octets);
    }
    out
}

/// A record of a WARC.
pub fn kept(kind: &str, target: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let target = if target.is_empty() { String::new() } else { format!("WARC-Target-URI: {target}\r\n") };
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\n{target}WARC-Date: 2024-02-03T04:05:06Z\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// The record of an answer of the web.
pub fn response(target: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let block = [head.as_bytes(), b"\r\n\r\n", body].concat();
    kept("response", target, "Content-Type: application/http; msgtype=response\r\n", &block)
}

/// What an entry of a ZIM is.
#[derive(Clone, Copy)]
pub enum Lead<'a> {
    /// Octets, of the media type with this number.
    Octets(u16, &'a [u8]),
    /// The entry with this number.
    To(u32),
}

/// A ZIM of one cluster, its entries in their order; `kind` says how the cluster is packed (1 not, 2 zlib, 5 zstd).
pub fn zim(entries: &[(&str, Lead)], main: u32, kind: u8) -> Vec<u8> {
    let (mut dirents, mut blobs): (Vec<Vec<u8>>, Vec<&[u8]>) = (Vec::new(), Vec::new());
    for (path, lead) in entries {
        let (space, path) = path.split_once('/').unwrap();
        let mut entry = match lead {
            Lead::Octets(media, octets) => {
                blobs.push(octets);
                let blob = u32::try_from(blobs.len()).unwrap() - 1;
                [&media.to_le_bytes()[..], &[0, space.as_bytes()[0]], &[0; 8], &blob.to_le_bytes()].concat()
            }
            Lead::To(number) => [&[0xFF, 0xFF, 0, space.as_bytes()[0], 0, 0, 0, 0][..], &number.to_le_bytes()].concat(),
        };
        // Behind a stroke stands a title that is not the path.
        let (path, title) = path.split_once('|').unwrap_or((path, ""));
        entry.extend([path.as_bytes(), b"\0", title.as_bytes(), b"\0"].concat());
        dirents.push(entry);
    }
    let mut place = u32::try_from(4 * (blobs.len() + 1)).unwrap();
    let mut inside = Vec::new();
    for blob in &blobs {
        inside.extend(place.to_le_bytes());
        place += u32::try_from(blob.len()).unwrap();
    }
    inside.extend(place.to_le_bytes());
    inside.extend(blobs.concat());
    let cluster = match kind {
        2 => {
            let mut out = flate2::write::ZlibEncoder::new(Vec::new(), Compression::best());
            out.write_all(&inside).unwrap();
            out.finish().unwrap()
        }
        5 => ruzstd::encoding::compress_to_vec(inside.as_slice(), ruzstd::encoding::CompressionLevel::Fastest),
        _ => inside,
    };
    let types = b"text/html\0text/css\0\0";
    let number = |at: usize| u64::try_from(at).unwrap();
    let paths = 80 + types.len();
    let table = paths + 8 * dirents.len();
    let (mut offsets, mut at) = (Vec::new(), table);
    for entry in &dirents {
        offsets.extend(number(at).to_le_bytes());
        at += entry.len();
    }
    let clusters = at;
    let sum = clusters + 8 + 1 + cluster.len();
    let mut out = [b"ZIM\x04\x06\0\x01\0".as_slice(), &[0; 16]].concat();
    out.extend(u32::try_from(entries.len()).unwrap().to_le_bytes());
    out.extend(1_u32.to_le_bytes());
    for at in [paths, paths, clusters, 80] {
        out.extend(number(at).to_le_bytes());
    }
    out.extend([main.to_le_bytes(), u32::MAX.to_le_bytes()].concat());
    out.extend(number(sum).to_le_bytes());
    out.extend(types);
    out.extend(offsets);
    out.extend(dirents.concat());
    out.extend(number(clusters + 8).to_le_bytes());
    out.push(kind);
    out.extend(cluster);
    out.extend([0; 16]);
    out
}

/// A book: its package, and what else is in it.
pub fn epub(package: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let container = b"<container><rootfiles><rootfile full-path=\"OPS/package.opf\"/></rootfiles></container>";
    let mut all = vec![zipped("mimetype", b"application/epub+zip"), zipped("META-INF/container.xml", container)];
    all.push(zipped("OPS/package.opf", package.as_bytes()));
    all.extend(files.iter().map(|(name, text)| zipped(name, text.as_bytes())));
    zip(&all)
}
