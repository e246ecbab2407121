//! What reading an archive costs: no more than the archive has, whatever it says of itself. Counted is what is read of it.

use super::made::{Zipped, ar, disc_of, gzip, record, tar, tar_member, zip, zipped};

use super::read;
use crate::sim::random::Random;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wayfarer::archive::{Archive, Found, MOST_MEMBERS, Near, Why};
use wayfarer::stop::Stop;

/// A source that counts.
struct Counted(Cursor<Vec<u8>>, Arc<AtomicU64>);

impl Counted {
    fn new(octets: &[u8]) -> (Counted, Arc<AtomicU64>) {
        let count = Arc::new(AtomicU64::new(0));
        (Counted(Cursor::new(octets.to_vec()), Arc::clone(&count)), count)
    }
}

impl Read for Counted {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(out)?;
        self.1.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// What an archive says, and how many octets of it were read for that.
fn cost(octets: &[u8]) -> (Archive, u64) {
    let (mut source, count) = Counted::new(octets);
    let archive = Archive::read(&mut source, super::now(), &Stop::new()).unwrap();
    (archive, count.load(Ordering::Relaxed))
}

/// Fields of a name that goes on in eight areas, which takes 14 kB: what each of them holds.
fn long_name(first: usize) -> (Vec<u8>, Vec<(usize, Vec<u8>)>) {
    let going_on = |sector: usize| {
        let number = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
        [b"CE\x1C\x01".as_slice(), &number(sector), &[0; 4], &[0; 4], &[0; 4], &number(2048), &[0; 4]].concat()
    };
    let name = [b"NM\xFA\x01\0".as_slice(), &[b'n'; 245]].concat();
    let areas = (0..7).map(|area| {
        let next = if area < 6 { going_on(first + area + 1) } else { Vec::new() };
        (first + area, [next, name.repeat(7)].concat())
    });
    (going_on(first), areas.collect())
}

#[test]
fn names_of_a_disc_that_grow_from_folder_to_folder_are_bounded() {
    // Each folder holds the next, under a name of 14 kB.
    let mut others = Vec::new();
    let folder = |sector: usize, first: usize, others: &mut Vec<_>| {
        let (fields, areas) = long_name(first);
        others.extend(areas);
        record(b"A", u32::try_from(sector).unwrap(), 2048, true, &fields)
    };
    let susp = record(b"\0", 18, 2048, true, b"SP\x07\x01\xBE\xEF\0");
    let root = [susp.clone(), folder(100, 200, &mut others)];
    for deep in 0..40 {
        let below = folder(101 + deep, 200 + 7 * (deep + 1), &mut others);
        others.push((100 + deep, [susp.clone(), below].concat()));
    }
    let (archive, _) = cost(&disc_of(500, &root, &others));
    assert!(archive.memory() < 64 << 10, "{}", archive.memory());
    assert_eq!(archive.notes(), ["Names that no file system can hold are left out."]);
}

#[test]
fn folders_of_a_disc_that_share_octets_are_read_once() {
    let sectors = 600;
    let rest = |sector: usize| u32::try_from((sectors - sector) * 2048).unwrap();
    let folders = (60..sectors).map(|sector| {
        let name = format!("F{sector}");
        record(name.as_bytes(), u32::try_from(sector).unwrap(), rest(sector), true, b"")
    });
    // No record goes over the end of a sector.
    let records: Vec<Vec<u8>> = folders.collect();
    let root: Vec<Vec<u8>> = records
        .chunks(40)
        .map(|some| {
            let mut sector = some.concat();
            sector.resize(2048, 0);
            sector
        })
        .collect();
    let octets = disc_of(sectors, &root, &[]);
    let (archive, count) = cost(&octets);
    assert!(count < 3 * octets.len() as u64, "{count} of {}", octets.len());
    assert_eq!(archive.notes(), ["Its directories share octets, as those of bombs do; not all of them are listed."]);
}

#[test]
fn what_many_folders_lack_is_told_once() {
    let folder = |n: u32| record(format!("F{n}").as_bytes(), 40 + n, 60 << 20, true, b"");
    let root: Vec<Vec<u8>> = (0..20).map(folder).collect();
    let (archive, _) = cost(&disc_of(2000, &root, &[]));
    assert_eq!(archive.notes().len(), 2, "{:?}", archive.notes());
}

#[test]
fn members_that_are_left_out_count_as_well() {
    let mut octets = ar(&[]);
    octets.extend(ar(&[("../x", b"")])[8..].repeat(MOST_MEMBERS + 10));
    let archive = read(&octets).unwrap();
    assert_eq!(archive.members().len(), 0);
    assert!(archive.notes()[0].starts_with("500,000 names are left out"), "{:?}", archive.notes());
    assert_eq!(archive.notes()[1], "Only the first 0 members are listed.");
}

#[test]
fn long_names_without_an_end_are_none() {
    let table = vec![b'x'; 1 << 20];
    let archive = read(&ar(&[("//", &table), ("/0", b""), ("/9", b""), ("/1048000", b"")])).unwrap();
    assert_eq!((archive.members().len(), archive.notes()), (0, &["Members without a name are left out.".into()][..]));
}

#[test]
fn names_without_end_are_bounded() {
    // Half a megabyte that would hold 144 MB: 9,000 members of one long name.
    let mut octets = ar(&[("//", &[[b'n'; 16_000].as_slice(), b"/\n"].concat())]);
    octets.extend(ar(&[("/0", b"")])[8..].repeat(9000));
    let archive = read(&octets).unwrap();
    assert_eq!(archive.notes(), ["Only the first 1 members are listed."]);
}

#[test]
fn members_of_a_compressed_tar_in_their_order_cost_one_pass() {
    let mut dice = Random::new(7);
    let members: Vec<Vec<u8>> = (0..200)
        .map(|n| {
            let octets: Vec<u8> = (0..3000).map(|_| dice.next().to_le_bytes()[3]).collect();
            tar_member(b'0', &format!("{n:03}"), "", &octets)
        })
        .collect();
    let octets = gzip(&tar(&members));
    let archive = read(&octets).unwrap();
    let (_, count) = Counted::new(&[]);
    for (n, made) in members.iter().enumerate() {
        let Found::Member(member) = archive.find(format!("{n:03}").as_bytes()).unwrap() else { panic!("{n}") };
        let source = Box::new(Counted(Cursor::new(octets.clone()), Arc::clone(&count)));
        let mut out = Vec::new();
        archive.open(member, source, &Stop::new()).unwrap().read_to_end(&mut out).unwrap();
        assert_eq!(out, made[512..3512], "{n}");
    }
    let read_once = count.load(Ordering::Relaxed);
    assert!(read_once <= octets.len() as u64, "{read_once} of {}", octets.len());
    // What was let go is unpacked again from the beginning.
    archive.rest();
    let Found::Member(member) = archive.find(b"199").unwrap() else { panic!() };
    let source = Box::new(Counted(Cursor::new(octets.clone()), Arc::clone(&count)));
    archive.open(member, source, &Stop::new()).unwrap().read_exact(&mut [0; 3000]).unwrap();
    let again = count.load(Ordering::Relaxed) - read_once;
    assert!(again > octets.len() as u64 / 2, "{again} of {}", octets.len());
    // Their order is in the list.
    let list = String::from_utf8(archive.listing(b"")).unwrap();
    let marks: Vec<&str> = list.lines().map(|line| line.split_once("unique=").unwrap().1).collect();
    assert!(marks.is_sorted() && marks[0].starts_with("0000000000000200;"), "{marks:?}");
}

#[test]
fn a_tar_of_small_members_is_read_once() {
    let members: Vec<Vec<u8>> = (0..500).map(|n| tar_member(b'0', &format!("{n}"), "", &[b'x'; 600])).collect();
    let octets = tar(&members);
    let (source, count) = Counted::new(&octets);
    let archive = Archive::read(&mut Near::new(source), super::now(), &Stop::new()).unwrap();
    assert_eq!(archive.members().len(), 500);
    let count = count.load(Ordering::Relaxed);
    assert!(count < 2 * octets.len() as u64, "{count} of {}", octets.len());
}

#[test]
fn a_zip_has_more_members_than_its_narrow_number_holds() {
    let one = Zipped { octets: Vec::new(), method: 0, ..zipped("", b"") };
    let members: Vec<Zipped> = (0..70_000).map(|n| Zipped { name: format!("{n}").into(), ..one.clone() }).collect();
    let mut octets = zip(&members);
    for number in [0xFFFF_u16, 4464] {
        let end = octets.len() - 22;
        octets[end + 8..end + 10].copy_from_slice(&number.to_le_bytes());
        octets[end + 10..end + 12].copy_from_slice(&number.to_le_bytes());
        let archive = read(&octets).unwrap();
        assert_eq!((archive.members().len(), archive.notes()), (70_000, &[][..]), "{number}");
    }
}

#[test]
fn a_link_that_was_not_read_does_not_lead_out() {
    let one = Zipped { mode: 0o120_777, octets: b"x".into(), method: 0, ..zipped("", b"x") };
    let members: Vec<Zipped> = (0..10_002).map(|n| Zipped { name: format!("{n:05}").into(), ..one.clone() }).collect();
    let archive = read(&zip(&[members.as_slice(), &[zipped("x", b"file")]].concat())).unwrap();
    assert!(matches!(archive.find(b"09999").unwrap(), Found::Member(_)));
    let fault = archive.find(b"10001").unwrap_err();
    assert_eq!((fault.why, fault.says.as_str()), (Why::Foreign, "Where the link 10001 leads could not be read."));
    assert_eq!(archive.notes(), ["Of its 10,002 links only the first 10,000 are read; the others lead nowhere here."]);
}
