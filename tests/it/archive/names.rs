//! In which charset the names of a zip are.

use super::made::{Zipped, zip, zipped};
use super::{listing, member, read};
use wayfarer::format::charset::known;

fn named(name: &[u8], host: u8) -> Zipped {
    Zipped { name: name.into(), host, ..zipped("", b"x") }
}

#[test]
fn names_that_dos_wrote_are_in_its_code_page() {
    // Made on DOS and on Windows, without the flag of UTF-8.
    for host in [0, 11] {
        let octets = zip(&[named(b"\x81ber.txt", host), named(b"plain", host)]);
        let archive = read(&octets).unwrap();
        assert_eq!(archive.charset(), Some("cp437"), "{host}");
        assert!(
            archive.listing(b"").windows(8).any(|name| name == b"\x81ber.txt"),
            "octets stay: another charset may be chosen"
        );
    }
    // On UNIX octets are octets, and UTF-8 is UTF-8 whoever wrote it.
    for one in
        [named(b"\x81ber.txt", 3), named("über".as_bytes(), 0), Zipped { flags: 0x800, ..named("ü".as_bytes(), 0) }]
    {
        assert_eq!(read(&zip(&[one])).unwrap().charset(), None);
    }
}

/// A Shift-JIS name was torn at the second octet of a letter, and a backslash of UNIX became a folder.
#[test]
fn a_backslash_parts_a_name_where_the_system_that_wrote_it_does() {
    let list =
        |name: &[u8], host: u8| read(&zip(&[named(name, host)])).unwrap().listing(b"").escape_ascii().to_string();
    let is_folder = |name: &[u8], host: u8| list(name, host).starts_with("type=dir");
    assert!(!is_folder(b"back\\slash.txt", 3) && is_folder(b"back\\slash.txt", 0) && is_folder(b"back\\slash.txt", 11));
    let sjis = b"\x95\x5c\x8e\xa6.txt";
    assert!(!is_folder(sjis, 3) && !is_folder(sjis, 0), "{}", list(sjis, 0));
    let within = b"d\\\x95\x5c\x8e\xa6.txt";
    assert!(list(within, 0).ends_with(" d\\n"), "{}", list(within, 0));
    assert!(!is_folder(b"a\\b", 3) && list(b"d/a\\b", 0).ends_with(" d\\n"));
    assert_eq!(member(&zip(&[named(b"d/a\\b", 0)]), "d/a\\b").unwrap(), b"x", "slashes are there");
}

#[test]
fn as_many_members_as_the_field_of_their_number_holds_are_read() {
    let octets = zip(&(0..0xFFFF).map(|n| zipped(&n.to_string(), b"")).collect::<Vec<_>>());
    assert_eq!(read(&octets).unwrap().members().len(), 0xFFFF);
}

#[test]
fn names_in_two_charsets_become_one_list() {
    let octets = zip(&[named(b"\x81ber.txt", 0), Zipped { flags: 0x800, ..named("日本".as_bytes(), 0) }]);
    let cp437 = known("cp437").unwrap();
    let archive = read(&octets).unwrap().in_one_charset(|name| cp437.decode(name).into_owned());
    let list = String::from_utf8(archive.listing(b"")).unwrap();
    assert!(list.contains(" über.txt\n") && list.contains(" 日本\n"), "{list}");
    assert!(archive.find("über.txt".as_bytes()).is_ok());
}

#[test]
fn a_name_of_its_own_in_utf8_counts_where_its_sum_is_right() {
    let mut crc = flate2::Crc::new();
    crc.update(b"_ber");
    let field = |sum: u32| [b"\x75\x70\x0A\0\x01".as_slice(), &sum.to_le_bytes(), "über".as_bytes()].concat();
    for (sum, name) in [(crc.sum(), "über"), (crc.sum() ^ 1, "_ber")] {
        let octets = zip(&[Zipped { extra: field(sum), ..named(b"_ber", 0) }]);
        assert!(listing(&octets, "").ends_with(&format!(" {name}\n")));
        assert_eq!(member(&octets, name).unwrap(), b"x");
    }
}
