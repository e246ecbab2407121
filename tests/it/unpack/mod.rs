//! Compressed octets come out as they went in, however they are cut; broken ones end; none comes out without bound.

use std::io::Write;
use wayfarer::unpack::{Broken, Packing, STEP, Unpacker};

const PLAIN: &[u8] = include_bytes!("../../data/unpack/small.txt");
const FILES: &[(Packing, &[u8])] = &[
    (Packing::Gzip, include_bytes!("../../data/unpack/small.gz")),
    (Packing::Compress, include_bytes!("../../data/unpack/small.Z")),
    (Packing::Bzip2, include_bytes!("../../data/unpack/small.bz2")),
    (Packing::Xz, include_bytes!("../../data/unpack/small.xz")),
    (Packing::Zstd, include_bytes!("../../data/unpack/small.zst")),
];

/// The most that one step may give: what a code or a block of one is made of comes whole.
const MOST: usize = 2 * 128 * 1024;

fn drain(unpacker: &mut Unpacker, out: &mut Vec<u8>) -> Result<(), Broken> {
    loop {
        let octets = unpacker.step()?;
        assert!(octets.len() <= STEP + MOST, "{} at once", octets.len());
        if octets.is_empty() {
            return Ok(());
        }
        out.extend(octets);
        assert!(out.len() < 64 << 20, "it does not end");
    }
}

/// What comes out of pieces of a size, and whether nothing is missing.
fn unpacked(packing: Packing, octets: &[u8], size: usize) -> (Vec<u8>, Result<bool, Broken>) {
    let (mut unpacker, mut out) = (Unpacker::new(packing), Vec::new());
    for piece in octets.chunks(size.max(1)) {
        unpacker.feed(piece);
        if drain(&mut unpacker, &mut out).is_err() {
            return (out, Err(Broken));
        }
    }
    unpacker.end();
    let ended = drain(&mut unpacker, &mut out).map(|()| unpacker.is_whole());
    (out, ended)
}

#[test]
fn what_was_packed_comes_out() {
    for (packing, octets) in FILES {
        assert_eq!(Packing::of(octets), Some(*packing));
        for size in [1, 7, 1000, octets.len()] {
            let (out, whole) = unpacked(*packing, octets, size);
            assert!(out == PLAIN && whole == Ok(true), "{packing:?} in pieces of {size}: {} {whole:?}", out.len());
        }
    }
}

/// Files that were put together of several are one text, but for compress, which does not say where it ends.
#[test]
fn several_in_a_row_are_one() {
    for (packing, octets) in FILES.iter().filter(|(packing, _)| *packing != Packing::Compress) {
        let twice = [*octets, octets].concat();
        let (out, whole) = unpacked(*packing, &twice, 1000);
        assert!(out == [PLAIN, PLAIN].concat() && whole == Ok(true), "{packing:?}: {} {whole:?}", out.len());
    }
}

/// However many there are, with the zeros that xz allows between them, and wherever the pieces end.
#[test]
fn five_in_a_row_are_one() {
    for (packing, octets) in FILES.iter().filter(|(packing, _)| *packing != Packing::Compress) {
        let five = octets.repeat(5);
        for size in [1, 1000, octets.len(), five.len()] {
            let (out, whole) = unpacked(*packing, &five, size);
            assert!(out == PLAIN.repeat(5) && whole == Ok(true), "{packing:?} by {size}: {} {whole:?}", out.len());
        }
    }
    let (_, xz) = FILES.iter().find(|(packing, _)| *packing == Packing::Xz).unwrap();
    let padded = [xz, &[0; 4][..], xz, &[0; 8], xz, &[0; 4]].concat();
    for size in [1, 1000, padded.len()] {
        let (out, whole) = unpacked(Packing::Xz, &padded, size);
        assert!(out == PLAIN.repeat(3) && whole == Ok(true), "padded, by {size}: {} {whole:?}", out.len());
    }
}

#[test]
fn what_is_cut_off_is_missed() {
    for (packing, octets) in FILES.iter().filter(|(packing, _)| *packing != Packing::Compress) {
        let (out, whole) = unpacked(*packing, &octets[..octets.len() - 9], 100);
        assert!(PLAIN.starts_with(&out) && whole != Ok(true), "{packing:?}: {} {whole:?}", out.len());
    }
}

/// The head of an xz file says how much it will look back upon; one that names 4 GiB is whole and right.
#[test]
fn what_asks_for_gigabytes_of_memory_is_not_called_broken() {
    let (_, xz) = FILES.iter().find(|(packing, _)| *packing == Packing::Xz).unwrap();
    let mut vast = xz.to_vec();
    // The block's header: its size, flags, the filter LZMA2, one octet of properties, filling, a checksum.
    assert_eq!(vast[14..16], [0x21, 1]);
    vast[16] = 40;
    let size = (usize::from(vast[12]) + 1) * 4;
    let mut crc = flate2::Crc::new();
    crc.update(&vast[12..12 + size - 4]);
    vast[12 + size - 4..12 + size].copy_from_slice(&crc.sum().to_le_bytes());
    let window = [0x28, 0xB5, 0x2F, 0xFD, 0, 0xA8, 1, 0, 0];
    for (packing, octets) in [(Packing::Xz, &vast[..]), (Packing::Zstd, &window)] {
        let mut unpacker = Unpacker::new(packing);
        unpacker.feed(octets);
        assert_eq!(drain(&mut unpacker, &mut Vec::new()), Err(Broken), "{packing:?}");
        assert_eq!(unpacker.refusal(), Some("asks for more memory than it may have"), "{packing:?}");
    }
}

/// Each stream of an xz file costs as much as kilobytes of text; an empty one has 32 octets.
#[test]
fn an_xz_file_of_streams_without_end_is_given_up() {
    const EMPTY: &[u8] = b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4F\0\0\0\0\x1c\xdfD!\x1f\xb6\xf3}\x01\0\0\0\0\x04YZ";
    let (_, text) = FILES.iter().find(|(packing, _)| *packing == Packing::Xz).unwrap();
    for (streams, given_up) in [(1500, false), (2500, true)] {
        let mut unpacker = Unpacker::new(Packing::Xz);
        unpacker.feed(&[text, &EMPTY.repeat(streams)[..]].concat());
        unpacker.end();
        let mut out = Vec::new();
        assert_eq!(drain(&mut unpacker, &mut out).is_err(), given_up);
        assert_eq!((out == PLAIN, unpacker.refusal().is_some()), (true, given_up));
    }
}

#[test]
fn both_that_are_called_deflate() {
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    zlib.write_all(PLAIN).unwrap();
    let mut bare = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    bare.write_all(PLAIN).unwrap();
    for octets in [zlib.finish().unwrap(), bare.finish().unwrap()] {
        assert_eq!(unpacked(Packing::Deflate, &octets, 3), (PLAIN.to_vec(), Ok(true)));
    }
}

/// Octets that were changed on the way break, or come out otherwise; nothing else happens.
#[test]
fn damages_are_harmless() {
    let mut state = 11_u64;
    let mut roll = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % sides
    };
    for (packing, octets) in FILES {
        for _ in 0..400 {
            let mut damaged = octets.to_vec();
            for _ in 0..=roll(4) {
                let at = roll(damaged.len());
                damaged[at] = u8::try_from(roll(256)).unwrap();
            }
            damaged.truncate(1 + roll(damaged.len()));
            let (_, _) = unpacked(*packing, &damaged, 1 + roll(2000));
        }
    }
}

/// Some kilobytes of gzip that hold megabytes come out step by step.
#[test]
fn a_bomb_comes_out_step_by_step() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(&vec![0; 32 << 20]).unwrap();
    let bomb = gzip.finish().unwrap();
    let mut unpacker = Unpacker::new(Packing::Gzip);
    unpacker.feed(&bomb);
    let first = unpacker.step().unwrap();
    assert!((1..=STEP).contains(&first.len()), "{}", first.len());
    assert!(unpacker.memory() < 1 << 20);
}
