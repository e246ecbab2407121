//! Archives that are broken on purpose: reading them ends, their lists are lines with names, and members are given out or refused.

use super::dice;
use super::octets::{Witness, broken};
use made::Lead;
use std::io::{Cursor, Read};
use wayfarer::archive::{Archive, Begins};
use wayfarer::stop::Stop;

#[allow(dead_code)]
#[path = "../it/archive/made.rs"]
mod made;

const CASES: u32 = 1500;
/// What is in a ZIM.
const ENTRIES: &[(&str, Lead)] = &[
    ("C/a", Lead::Octets(0, b"<p>text")),
    ("C/d/b", Lead::Octets(1, b"p {}")),
    ("C/e", Lead::To(3)),
    ("W/mainPage", Lead::To(0)),
];
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
    let map = b"34 GNU.sparse.map=0,2,9,2,20,0    \n20 GNU.sparse.size=20\n22 GNU.sparse.major=0\n";
    let sparse = made::tar(&[
        made::tar_member(b'x', "pax", "", map),
        made::tar_member(b'0', "a", "", b"text"),
        made::tar_member(b'x', "pax", "", b"22 GNU.sparse.major=1\n28 GNU.sparse.realsize=2000\n"),
        made::tar_member(b'0', "b", "", &[b"2\n0\n2\n99\n2\n".as_slice(), &[0; 500], b"text"].concat()),
        made::tar_member(b'S', "c", "", b""),
    ]);
    let zip = made::zip(&[made::zipped("d/a", b"text"), made::zipped("link", b"d/a")]);
    let disc = made::disc(true).split_off(16 * 2048);
    let ar = made::ar(&[("a", b"b"), ("data.tar", b"x"), ("#1/4", b"namex")]);
    let listing = b".:\ntotal 1\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\nlrwxrwxrwx 1 a b 1 Jan  1 1999 l -> d\n\n./d e:\n\
         -rw-r--r-- 1 a b 5 Jan  1 10:00 y\n";
    let web = [
        made::response("http://h/", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", b"4\r\ntext\r\n0\r\n\r\n"),
        made::kept("revisit", "http://h/", "WARC-Payload-Digest: sha1:X\r\n", b"HTTP/1.1 304 N\r\n\r\n"),
    ];
    let packed = web.iter().map(|record| made::gzip(record)).collect::<Vec<_>>().concat();
    let package = "<package><metadata><title>t</title></metadata><manifest><item id='a' href='x/../a.html' media-type='text/html'/>\
         <item id='t' href='toc.ncx'/></manifest><spine toc='t'><itemref idref='a'/></spine></package>";
    let table = "<navLabel><text>w</text></navLabel><content src='a.html#b'/>";
    let book = made::epub(package, &[("OPS/a.html", "text"), ("OPS/toc.ncx", table)]);
    let zims = [1, 2, 5].map(|kind| made::zim(ENTRIES, 1, kind));
    let seeds = [tar.clone(), made::gzip(&tar), sparse, zip, ar, disc, listing.to_vec(), made::gzip(listing)];
    let seeds = [&seeds[..], &[web.concat(), packed, book], &zims].concat();
    let words: &[&[u8]] = &[
        b"PK\x01\x02",
        b"PK\x05\x06",
        b"\xFF\xFF\xFF\xFF",
        b"CE",
        b"NM\x06",
        b"SL",
        b"../",
        b"ustar\0",
        b"GNU.sparse.major=1",
        b":\n\n",
        b" -> ",
        b"WARC/1.1\r\n",
        b"Content-Length: 99\r\n",
        b"ZIM\x04",
        b"\xFF\xFF",
        b"<item href='../../x'/>",
    ];
    let now = jiff::civil::DateTime::constant(2025, 12, 1, 0, 0, 0, 0);
    let (mut dice, cases) = dice(CASES);
    for case in 0..cases {
        let octets = broken(&mut dice, &seeds, words);
        // A disc begins after sixteen sectors.
        let octets = if octets.starts_with(b"\x01CD001") { [vec![0; 16 * 2048], octets].concat() } else { octets };
        let _witness = Witness(case, "archives", &octets);
        let Ok(archive) = Archive::read(&mut Cursor::new(&octets), now, &Stop::new()) else { continue };
        let source = &mut Cursor::new(&octets);
        if let Some(Begins::Page(page)) = archive.begins() {
            let page = String::from_utf8(page).unwrap();
            assert!(page.lines().all(|line| !line.contains(char::is_control)), "{page:?}");
        }
        for path in [b"C/a".as_slice(), b"C/d/b", b"W/mainPage", b"C", b""] {
            let found = archive.zim().map(|zim| zim.find(path, source, &Stop::new()));
            if let Some(Ok(Some(member))) = found {
                let held = Box::new(Cursor::new(octets.clone()));
                if let Ok(found) = archive.open(&member, held, &Stop::new()) {
                    let _ = found.take(MOST).read_to_end(&mut Vec::new());
                }
            }
            let rows = archive.zim().map(|zim| zim.listing(path, None, source, &Stop::new()));
            for line in rows.into_iter().flatten().flat_map(|(rows, _)| rows).collect::<Vec<_>>().split(|o| *o == b'\n')
            {
                assert!(line.is_empty() || line.starts_with(b"type="), "{}", line.escape_ascii());
            }
        }
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
