//! Archives that are broken on purpose: reading them ends, their lists are lines with names, and members are given out or refused.

use super::dice;
use super::octets::{Witness, broken};
use std::io::{Cursor, Read};
use wayfarer::archive::Archive;
use wayfarer::stop::Stop;

#[path = "../it/archive/made.rs"]
mod made;

const CASES: u32 = 1500;
/// What is read of one member.
const MOST: u64 = 1 << 20;

#[test]
fn archives_hold_whatever_comes() {
    let tar = made::tar(&[
        made::tar_member(b'5', "d/", "", b""),
        made::tar_member(b'L', "././@LongLink", "", b"d/a long name\0"),
        made::tar_member(b'0', "d/a", "", b"text"),
        made::tar_member(b'x', "pax", "", b"15 path=d/../x\n"),
        made::tar_said(b'2', "link", "d/a", 0, b""),
        made::tar_member(b'1', "same", "link", b""),
    ]);
    let zip = made::zip(&[made::zipped("d/a", b"text"), made::zipped("link", b"d/a")]);
    let disc = made::disc(true).split_off(16 * 2048);
    let ar = made::ar(&[("a", b"b"), ("data.tar", b"x"), ("#1/4", b"namex")]);
    let listing = b".:\ntotal 1\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\nlrwxrwxrwx 1 a b 1 Jan  1 1999 l -> d\n\n./d e:\n\
        -rw-r--r-- 1 a b 5 Jan  1 10:00 y\n";
    let seeds = [tar.clone(), made::gzip(&tar), zip, ar, disc, listing.to_vec(), made::gzip(listing)];
    let words: &[&[u8]] = &[
        b"PK\x01\x02",
        b"PK\x05\x06",
        b"\xFF\xFF\xFF\xFF",
        b"CE",
        b"NM\x06",
        b"SL",
        b"../",
        b"ustar\0",
        b":\n\n",
        b" -> ",
    ];
    let now = jiff::civil::DateTime::constant(2025, 12, 1, 0, 0, 0, 0);
    let (mut dice, cases) = dice(CASES);
    for case in 0..cases {
        let octets = broken(&mut dice, &seeds, words);
        // A disc begins after sixteen sectors.
        let octets = if octets.starts_with(b"\x01CD001") { [vec![0; 16 * 2048], octets].concat() } else { octets };
        let _witness = Witness(case, "archives", &octets);
        let Ok(archive) = Archive::read(&mut Cursor::new(&octets), now, &Stop::new()) else { continue };
        for line in archive.listing(b"").split(|octet| *octet == b'\n').filter(|line| !line.is_empty()) {
            assert!(line.starts_with(b"type="), "{}", line.escape_ascii());
        }
        for member in archive.members() {
            assert!(!member.path.split(|octet| *octet == b'/').any(|step| step == b".." || step.is_empty()));
            let _ = archive.find(&member.path);
            let source = Box::new(Cursor::new(octets.clone()));
            if let Ok(found) = archive.open(member, source, &Stop::new()) {
                let _ = found.take(MOST).read_to_end(&mut Vec::new());
            }
        }
    }
}
