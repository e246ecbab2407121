//! Sparse files, as GNU tar 1.35 writes them (`tar --sparse --format=gnu`, `--format=pax --sparse-version=0.0`, `0.1`, `1.0`), and
//! as liars do.

use super::made::{tar, tar_member};
use super::{listing, member, read};
use wayfarer::archive::Why;

const MADE: [(&str, &[u8]); 4] = [
    ("gnu", include_bytes!("../../data/archive/sparse-gnu.tar.gz")),
    ("0.0", include_bytes!("../../data/archive/sparse-pax0.0.tar.gz")),
    ("0.1", include_bytes!("../../data/archive/sparse-pax0.1.tar.gz")),
    ("1.0", include_bytes!("../../data/archive/sparse-pax1.0.tar.gz")),
];

#[test]
fn sparse_files_have_their_names_and_their_holes() {
    let mut holes = vec![0; 31 * 64 * 1024 + 100];
    for n in 0..30_usize {
        holes[n * 64 * 1024 + 32_768..][..4096].fill(b'A' + u8::try_from(n % 26).unwrap());
    }
    for (format, octets) in MADE {
        let list = listing(octets, "s");
        assert!(!listing(octets, "").contains("Sparse") && !list.contains("Sparse"), "{format}: {list}");
        assert!(list.contains(&format!("size={};", holes.len())), "{format}: {list}");
        assert!(member(octets, "s/holes.bin").unwrap() == holes, "{format}");
        assert_eq!(member(octets, "s/all-hole").unwrap(), vec![0; 300_000], "{format}");
        assert_eq!(member(octets, "s/plain.txt").unwrap(), b"after\n", "{format}");
        assert!(read(octets).unwrap().notes().is_empty(), "{format}");
    }
}

/// A pax header of records.
fn pax(records: &[&str]) -> Vec<u8> {
    let mut out = String::new();
    for record in records {
        let length = record.len() + 5;
        out.push_str(&format!("{length:03} {record}\n"));
    }
    tar_member(b'x', "pax", "", out.as_bytes())
}

#[test]
fn maps_that_lie_and_holes_of_bombs_are_refused() {
    for (size, map) in [
        ("100", "0,5,3,5"),
        ("9", "0,5,5,5"),
        ("100", "0,5"),
        ("100", "0,5,x,5"),
        ("100", "18446744073709551615,10"),
        ("1125899906842624", "0,10"),
        ("200000000", "0,10"),
    ] {
        let head = pax(&[&format!("GNU.sparse.size={size}"), &format!("GNU.sparse.map={map}"), "GNU.sparse.name=real"]);
        let octets =
            tar(&[head, tar_member(b'0', "GNUSparseFile.1/real", "", b"0123456789"), tar_member(b'0', "b", "", b"b")]);
        let fault = member(&octets, "real").unwrap_err();
        assert_eq!(fault.why, Why::Foreign, "{map}");
        assert!(fault.says.contains("sparse file"), "{map}: {fault}");
        assert_eq!(member(&octets, "b").unwrap(), b"b", "{map}");
    }
    // A map before the octets that is none.
    for map in ["", "x", "1\n0\n", "99999999999999999999\n"] {
        let head = pax(&["GNU.sparse.major=1", "GNU.sparse.minor=0", "GNU.sparse.realsize=10"]);
        let octets = tar(&[head, tar_member(b'0', "a", "", map.as_bytes()), tar_member(b'0', "b", "", b"b")]);
        assert!(member(&octets, "a").is_err(), "{map:?}");
        assert_eq!(member(&octets, "b").unwrap(), b"b", "{map:?}");
    }
}
