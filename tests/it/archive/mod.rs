//! Archives: what is in them, what of it is given out, and what liars get.

mod bounds;
mod catalogue;
pub mod made;
mod names;
mod spaces;
mod sparse;

use made::{Zipped, ar, disc, gzip, tar, tar_member, tar_said, zip, zipped};
use std::io::{Cursor, Read};
use wayfarer::archive::{Archive, Fault, Form, Found, MOST_MEMBERS, Why};
use wayfarer::stop::Stop;
use wayfarer::unpack::Packing;

/// The clock of these tests.
fn now() -> jiff::civil::DateTime {
    jiff::civil::DateTime::constant(2025, 12, 1, 0, 0, 0, 0)
}

fn read(octets: &[u8]) -> Result<Archive, Fault> {
    Archive::read(&mut Cursor::new(octets), now(), &Stop::new())
}

/// The octets of a member, or why there are none.
fn member(octets: &[u8], path: &str) -> Result<Vec<u8>, Fault> {
    let archive = read(octets)?;
    let Found::Member(found) = archive.find(path.as_bytes())? else { panic!("{path} is a folder") };
    let mut out = Vec::new();
    archive.open(found, Box::new(Cursor::new(octets.to_vec())), &Stop::new())?.read_to_end(&mut out)?;
    Ok(out)
}

fn listing(octets: &[u8], folder: &str) -> String {
    String::from_utf8_lossy(&read(octets).unwrap().listing(folder.as_bytes())).into_owned()
}

fn small_tar() -> Vec<u8> {
    tar(&[
        tar_member(b'5', "d/", "", b""),
        tar_member(b'0', "d/a.txt", "", b"hello\n"),
        tar_member(b'2', "d/link", "../b", b""),
        tar_member(b'0', "b", "", b"bee"),
        tar_member(b'1', "same", "d/a.txt", b""),
        tar_member(b'0', "deep/er/c", "", b"c"),
    ])
}

fn small_zip() -> Vec<u8> {
    let stored = Zipped { octets: b"plain".into(), method: 0, ..zipped("s", b"plain") };
    let link = Zipped { mode: 0o120_777, ..zipped("l", b"d/a.txt") };
    zip(&[zipped("d/a.txt", b"hello\n"), stored, link, Zipped { host: 0, ..zipped("e\\f", b"f") }])
}

#[test]
fn tars_are_directories_however_they_are_packed() {
    let plain = small_tar();
    for (octets, form) in [(plain.clone(), None), (gzip(&plain), Some(Packing::Gzip))] {
        assert_eq!(read(&octets).unwrap().form(), Form::Tar(form));
        let list = listing(&octets, "").replace("unique=0000000000000a00;", "").replace("unique=0000000000000400;", "");
        assert_eq!(
            list,
            "type=dir;UNIX.mode=0644;modify=19991010025456; d\ntype=dir; deep\n\
             type=file;size=3;UNIX.mode=0644;modify=19991010025456; b\n\
             type=OS.unix=slink:d/a.txt;modify=19991010025456; same\n"
        );
        assert!(listing(&octets, "deep").starts_with("type=dir; er\n"));
        for (path, expected) in
            [("d/a.txt", "hello\n"), ("d/link", "bee"), ("same", "hello\n"), ("deep/er/c", "c"), ("d/../b", "bee")]
        {
            assert_eq!(member(&octets, path).unwrap(), expected.as_bytes(), "{path}");
        }
        assert_eq!(member(&octets, "d/none").unwrap_err().why, Why::Missing);
        assert!(read(&octets).unwrap().notes().is_empty());
    }
}

#[test]
fn long_names_of_tars_are_read() {
    let long = format!("{}/{}", "d".repeat(120), "f".repeat(90));
    let record = format!(" path={long}\n");
    let length = record.len() + 3;
    let pax = tar_member(b'x', "pax", "", format!("{length}{record}").as_bytes());
    let gnu = tar_member(b'L', "././@LongLink", "", format!("{long}2\0").as_bytes());
    let octets = tar(&[pax, tar_member(b'0', "short", "", b"1"), gnu, tar_member(b'0', "short", "", b"2")]);
    assert_eq!(member(&octets, &long).unwrap(), b"1");
    assert_eq!(member(&octets, &format!("{long}2")).unwrap(), b"2");
}

#[test]
fn zips_are_directories() {
    let octets = small_zip();
    let list = listing(&octets, "");
    assert_eq!(list.lines().map(|line| line.rsplit(' ').next().unwrap()).collect::<Vec<_>>(), ["d", "e", "l", "s"]);
    assert!(list.contains("type=file;size=5;UNIX.mode=0644;x.modify-local=20010101120000; s\n"), "{list}");
    for (path, expected) in [("d/a.txt", "hello\n"), ("s", "plain"), ("l", "hello\n"), ("e/f", "f")] {
        assert_eq!(member(&octets, path).unwrap(), expected.as_bytes(), "{path}");
    }
    let before = [b"PK\x03\x04 a program before it".as_slice(), &octets].concat();
    assert_eq!(member(&before, "d/a.txt").unwrap(), b"hello\n", "offsets count from where the zip begins");
}

/// What is saved of an archive was nothing to run.
#[test]
fn what_may_be_run_is_listed_as_that_where_the_archive_has_modes() {
    let with = |host, mode| listing(&zip(&[Zipped { mode, host, ..zipped("run", b"x") }]), "");
    assert!(with(3, 0o100_755).contains(";UNIX.mode=0755;"), "{}", with(3, 0o100_755));
    for (host, mode) in [(0, 0o100_755), (3, 0o100_000), (3, 0)] {
        assert!(!with(host, mode).contains("UNIX.mode"), "{host} {mode:o}");
    }
}

#[test]
fn discs_and_packages_are_directories() {
    assert_eq!(member(&disc(false), "DOC/A.TXT").unwrap(), b"disc\n");
    assert_eq!(member(&disc(true), "DOC/a longer name.txt").unwrap(), b"disc\n");
    assert!(read(&disc(false)).unwrap().members().len() < 10, "a folder within itself is walked once");
    let octets = ar(&[("debian-binary", b"2.0\n"), ("data.tar.gz/", &gzip(&small_tar()))]);
    assert_eq!(member(&octets, "debian-binary").unwrap(), b"2.0\n");
    assert_eq!(member(&member(&octets, "data.tar.gz").unwrap(), "b").unwrap(), b"bee");
}

#[test]
fn names_that_lead_out_are_left_out_and_told() {
    let names = ["../up", "/etc/passwd", "a/../../b", "C:/x", "a\nb"];
    let members: Vec<Vec<u8>> = names.iter().map(|name| tar_member(b'0', name, "", b"x")).collect();
    let tar = tar(&[members.concat(), tar_member(b'0', "good", "", b"x")]);
    let of_dos = |name: &str| Zipped { host: 0, ..zipped(name, b"x") };
    let zip = zip(&["..\\up", "/etc/passwd", "a/../../b", "C:/x", "a\nb", "good"].map(of_dos));
    for octets in [tar, zip] {
        let archive = read(&octets).unwrap();
        assert_eq!(archive.members().len(), 1);
        assert!(archive.notes().join(" ").contains("5 names are left out"), "{:?}", archive.notes());
    }
}

#[test]
fn links_stay_within_and_end() {
    let octets = tar(&[
        tar_member(b'2', "out", "../x", b""),
        tar_member(b'2', "root", "/etc/passwd", b""),
        tar_member(b'2', "a", "b", b""),
        tar_member(b'2', "b", "a", b""),
        tar_member(b'1', "hard", "../../etc/passwd", b""),
        tar_member(b'1', "self", "self", b""),
        tar_member(b'2', "here", "d", b""),
        tar_member(b'0', "d/x", "", b"x"),
    ]);
    for path in ["out", "root", "a", "hard", "self", "../x", "a/x"] {
        assert_eq!(member(&octets, path).unwrap_err().why, Why::Unsafe, "{path}");
    }
    assert_eq!(member(&octets, "here/x").unwrap(), b"x", "a link to a folder is a folder");
}

#[test]
fn links_have_an_end() {
    // Not in a circle, but from one to the next.
    let next = |n: usize| tar_member(b'2', &format!("{n}"), &format!("{}", n + 1), b"");
    let links: Vec<Vec<u8>> = (0..30).map(next).collect();
    let octets = tar(&[links.concat(), tar_member(b'0', "30", "", b"x")]);
    assert_eq!(member(&octets, "20").unwrap(), b"x");
    assert_eq!(member(&octets, "10").unwrap_err().why, Why::Unsafe);
}

#[test]
fn links_by_way_of_long_paths_have_an_end() {
    // Down three thousand folders that are none, up again, and to the next link.
    let next = |n: usize| {
        let target = format!("{}{}{n}\0", "a/".repeat(3000), "../".repeat(3000));
        let long = tar_member(b'K', "././@LongLink", "", target.as_bytes());
        [long, tar_member(b'2', &format!("{}", n - 1), "", b"")].concat()
    };
    let octets = gzip(&tar(&[(1..10).map(next).collect::<Vec<_>>().concat(), tar_member(b'0', "9", "", b"x")]));
    assert_eq!(member(&octets, "7").unwrap(), b"x");
    assert_eq!(member(&octets, "0").unwrap_err().why, Why::Unsafe);
    assert!(listing(&octets, "").matches("unique=").count() < 6, "a list goes through no more than one member");
}

#[test]
fn bombs_are_broken_off() {
    let zeros = gzip(&vec![0; 140 << 20]);
    let header = tar_said(b'0', "zeros", "", 140 << 20, b"");
    let octets = [gzip(&header), zeros].concat();
    let archive = read(&octets).unwrap();
    assert!(archive.notes().join(" ").contains("made to fill memory"), "{:?}", archive.notes());
    assert_eq!(member(&octets, "zeros").unwrap_err().why, Why::TooLarge);
    let large = zip(&[zipped("zeros", &vec![0; 140 << 20])]);
    assert_eq!(member(&large, "zeros").unwrap_err().why, Why::TooLarge);
    // Two names for the same octets, as in the bombs that Fifield made.
    let twice = zip(&[zipped("one", b"x"), Zipped { at: Some(0), ..zipped("two", b"x") }, zipped("three", b"x")]);
    for (path, why) in [("one", Some(Why::Unsafe)), ("two", Some(Why::Unsafe)), ("three", None)] {
        assert_eq!(member(&twice, path).err().map(|fault| fault.why), why, "{path}");
    }
    let archive = read(&twice).unwrap();
    assert!(archive.notes().join(" ").contains("2 members share octets"));
    // What size they tell is not believed.
    let listing = String::from_utf8(archive.listing(b"")).unwrap();
    assert_eq!((listing.matches("size=").count(), listing.lines().count()), (1, 3), "{listing}");
    let again = (0..1_000).map(|_| Zipped { at: Some(0), ..zipped("m", b"x") });
    let many: Vec<Zipped> = std::iter::once(zipped("m", b"x")).chain(again).collect();
    assert!(read(&zip(&many)).unwrap().notes().join(" ").contains("1,001 members share octets"));
    // one alone that reaches into the table at the end
    let mut far = zip(&[zipped("one", b"x")]);
    let table = far.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    far[table + 20] += 2;
    assert!(read(&far).unwrap().notes().join(" ").contains("One member shares octets with others or with the table"));
}

#[test]
fn lies_on_sizes_and_sums_are_told() {
    let good = zipped("a", b"hello hello");
    for (liar, why) in [
        (Zipped { size: 12, ..good.clone() }, Why::Broken),
        (Zipped { size: 5, ..good.clone() }, Why::Broken),
        (Zipped { crc: 1, ..good.clone() }, Why::Broken),
        (Zipped { flags: 1, ..good.clone() }, Why::Foreign),
        (Zipped { method: 9, ..good.clone() }, Why::Foreign),
        (Zipped { at: Some(u32::MAX - 1), ..good.clone() }, Why::Unsafe),
    ] {
        let fault = member(&zip(&[zipped("first", b"x"), liar]), "a").unwrap_err();
        assert_eq!(fault.why, why, "{fault}");
    }
    let octets = tar(&[tar_said(b'0', "a", "", 1 << 40, b"x")]);
    assert!(read(&octets).unwrap().notes().join(" ").contains("end is missing"));
    assert_eq!(member(&octets, "a").unwrap_err().why, Why::Broken);
}

#[test]
fn archives_cut_anywhere_say_so_and_nothing_panics() {
    let package = ar(&[("debian-binary", b"2.0\n"), ("x", b"y")]);
    for whole in [small_tar(), gzip(&small_tar()), small_zip(), package, disc(true)[16 * 2048..].to_vec()] {
        let disc = whole.len() == 5 * 2048;
        for end in 0..whole.len() {
            let octets = if disc { [&[0; 16 * 2048], &whole[..end]].concat() } else { whole[..end].to_vec() };
            if disc && !end.is_multiple_of(7) {
                continue;
            }
            match read(&octets) {
                Ok(archive) => {
                    for found in archive.members() {
                        let source = Box::new(Cursor::new(octets.clone()));
                        let _ = archive.open(found, source, &Stop::new()).map(|mut it| it.read_to_end(&mut Vec::new()));
                        let _ = archive.find(&found.path);
                    }
                }
                Err(fault) => assert!(fault.says.ends_with('.'), "{end}: {fault}"),
            }
        }
    }
}

#[test]
fn a_million_members_are_bounded() {
    let mut members = Vec::new();
    let one = Zipped { octets: Vec::new(), method: 0, ..zipped("", b"") };
    for number in 0..MOST_MEMBERS + 10 {
        members.push(Zipped { name: format!("{}/{number}", number % 100).into(), ..one.clone() });
    }
    let octets = zip(&members);
    drop(members);
    let archive = read(&octets).unwrap();
    assert_eq!(archive.members().len(), MOST_MEMBERS);
    assert!(archive.notes().iter().any(|note| note.contains("Only the first")), "{:?}", archive.notes());
    assert_eq!(archive.listing(b"7").iter().filter(|b| **b == b'\n').count(), MOST_MEMBERS / 100);
}

#[test]
fn what_is_not_wanted_any_more_ends() {
    let stop = Stop::new();
    stop.give_up();
    for octets in [small_tar(), gzip(&small_tar()), small_zip(), ar(&[("a", b"b")]), disc(false)] {
        assert_eq!(Archive::read(&mut Cursor::new(octets), now(), &stop).unwrap_err().why, Why::Stopped);
    }
}

#[test]
fn what_is_no_archive_is_told() {
    for octets in [b"".as_slice(), b"words\n", &gzip(b"words\n"), &[0; 40_000], b"PK\x05\x06"] {
        let fault = read(octets).unwrap_err();
        assert_eq!(fault.why, Why::Broken, "{fault}");
    }
}
