//! What servers answer to LIST and NLST: every row of the table, and what a table cannot show.

use super::{dump::dump, input, parse};
use jiff::civil::{DateTime, date};
use wayfarer::doc::{Anchor, Layout, Marks, Wrap};
use wayfarer::format::listing::{Converter, Entry, Kind, Line, Listing, Precision};
use wayfarer::format::media;

const TABLE: &str = include_str!("../../data/ftp-list.tsv");

/// The moment that the table's years are inferred from.
const NOW: DateTime = date(2026, 11, 20).at(12, 0, 0, 0);

/// An entry in the words of the table, or a line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    Entry { name: Vec<u8>, size: Option<u64>, kind: &'static str, target: Option<Vec<u8>>, time: Option<String> },
    Text(Vec<u8>),
}

fn seen(line: &Line<'_>) -> Seen {
    let entry = match line {
        Line::Entry(entry) => entry,
        Line::Text(text) => return Seen::Text(text.to_vec()),
    };
    let Entry { kind, name, size, modified, target, .. } = entry;
    let kind = match kind {
        Kind::Directory => "dir",
        Kind::File => "file",
        Kind::Link => "link",
        Kind::Other => "other",
        Kind::Unknown => "unknown",
        Kind::Dots => "cdir",
    };
    let time = modified.map(|time| {
        let zone = if time.utc { "Z" } else { "" };
        match time.precision {
            Precision::Day => time.at.strftime("%Y-%m-%d").to_string() + zone,
            Precision::Minute => time.at.strftime("%Y-%m-%dT%H:%M").to_string() + zone,
            Precision::Second => time.at.strftime("%Y-%m-%dT%H:%M:%S").to_string() + zone,
        }
    });
    Seen::Entry { name: name.to_vec(), size: *size, kind, target: target.map(<[u8]>::to_vec), time }
}

fn read_by(mut listing: Listing, octets: &[u8], size: usize) -> Vec<Seen> {
    let mut all = Vec::new();
    octets.chunks(size).for_each(|piece| listing.feed(piece, &mut |line| all.push(seen(&line))));
    listing.finish(&mut |line| all.push(seen(&line)));
    all
}

/// Reads a listing whole, byte by byte and in pieces of seven.
fn read(octets: &[u8]) -> Vec<Seen> {
    let whole = read_by(Listing::new(NOW), octets, octets.len().max(1));
    for size in [1, 7] {
        assert_eq!(whole, read_by(Listing::new(NOW), octets, size), "in pieces of {size}");
    }
    whole
}

fn file(name: &[u8], size: impl Into<Option<u64>>, time: &str) -> Seen {
    entry("file", name, size, time)
}

fn entry(kind: &'static str, name: &[u8], size: impl Into<Option<u64>>, time: &str) -> Seen {
    let time = Some(time.to_owned()).filter(|time| !time.is_empty());
    Seen::Entry { name: name.to_vec(), size: size.into(), kind, target: None, time }
}

fn unescaped(field: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = field.as_bytes();
    while let [first, after @ ..] = rest {
        (out, rest) = match (first, after) {
            (b'\\', [b't', after @ ..]) => ([out, vec![b'\t']].concat(), after),
            (b'\\', [b'r', after @ ..]) => ([out, vec![b'\r']].concat(), after),
            (b'\\', [b'n', after @ ..]) => ([out, vec![b'\n']].concat(), after),
            (b'\\', [b'\\', after @ ..]) => ([out, vec![b'\\']].concat(), after),
            (b'\\', [b'x', after @ ..]) => {
                let octet = u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap();
                ([out, vec![octet]].concat(), &after[2..])
            }
            _ => ([out, vec![*first]].concat(), after),
        };
    }
    out
}

struct Row {
    id: &'static str,
    format: &'static str,
    line: Vec<u8>,
    /// `None` where the line gives no entry.
    expected: Option<Seen>,
}

fn rows() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#') && !line.starts_with("id\t"));
    let rows: Vec<Row> = lines.map(row).collect();
    assert!(rows.len() > 50);
    rows
}

fn row(line: &'static str) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, format, line, name, size, kind, target, time, precision, ..] = *fields.as_slice() else {
        panic!("{line}")
    };
    let known = |field: &'static str| Some(field).filter(|field| *field != "\\N");
    let kinds = ["dir", "file", "link", "other", "cdir", "unknown"];
    let expected = (name != "\\SKIP").then(|| Seen::Entry {
        name: unescaped(name),
        size: known(size).map(|size| size.parse().unwrap()),
        kind: kinds.into_iter().find(|known| *known == kind).unwrap(),
        target: known(target).map(unescaped),
        time: known(time).map(str::to_owned),
    });
    // The precision is told twice in the table.
    if let Some(time) = known(time) {
        let told = match time.trim_end_matches('Z').len() {
            10 => "day",
            16 => "min",
            _ => "sec",
        };
        assert_eq!(told, precision, "{id}");
    }
    Row { id, format, line: unescaped(line), expected }
}

#[test]
fn every_row_alone() {
    for row in rows() {
        let all: Vec<Seen> = read(&row.line).into_iter().filter(|seen| matches!(seen, Seen::Entry { .. })).collect();
        assert_eq!(all, Vec::from_iter(row.expected), "{}", row.id);
    }
}

#[test]
fn every_row_in_a_listing_of_its_kind() {
    let rows = rows();
    let family = |row: &Row| row.format.split('-').next().unwrap().to_owned();
    for row in &rows {
        let peers: Vec<&Row> = rows
            .iter()
            .filter(|peer| if row.format == "noise" { peer.format == "unix" } else { family(peer) == family(row) })
            .collect();
        let mut octets = Vec::new();
        let mut expected = Vec::new();
        for _ in 0..3 {
            for peer in peers.iter().chain([&row]) {
                octets.extend_from_slice(&peer.line);
                octets.extend_from_slice(b"\r\n");
                expected.extend(peer.expected.clone());
            }
        }
        let all: Vec<Seen> = read(&octets).into_iter().filter(|seen| matches!(seen, Seen::Entry { .. })).collect();
        assert_eq!(all, expected, "{}", row.id);
    }
}

#[test]
fn servers_beyond_the_table() {
    let cases: &[(&[u8], Seen)] = &[
        (b"-rw-r--r--   1 root other 531 Dec 29 03:26 old", file(b"old", 531, "2025-12-29T03:26")),
        (b"-rw-r--r--   1 root other 531 Feb 29 03:26 leap", file(b"leap", 531, "2024-02-29T03:26")),
        (b"-rw-r--r--. 1 root root 10 Jan  5 10:00 selinux", file(b"selinux", 10, "2026-01-05T10:00")),
        (b"-rw-r--r--@ 1 me  staff 10 Jan  5 10:00   mac", file(b"  mac", 10, "2026-01-05T10:00")),
        (b"-rw-r--r-- 1 me staff 10 Oct 10 12:34:56 2005 bsd", file(b"bsd", 10, "2005-10-10T12:34:56")),
        (
            b"-rw-r--r-- 1 a b 5 2005-06-07 21:22:33.000000000 +0200 full time",
            file(b"full time", 5, "2005-06-07T19:22:33Z"),
        ),
        (b"     4 -rw-r--r-- 1 a b 5 Jan  5 2001 with blocks", file(b"with blocks", 5, "2001-01-05")),
        (b"-r--r--r-- 0125039 12 Nov 11 2005 no owner", file(b"no owner", 12, "2005-11-11")),
        (b"-r-xr-xr-x longowner longgroup123456 Feb 12 17:20 glued", file(b"glued", None, "2026-02-12T17:20")),
        (b"-rwxr-xr-x    1 user group        9 Oct 08, 2002 09:47 vsh new", file(b"vsh new", 9, "2002-10-08T09:47")),
        (b"-rw-r--r-- 1 root other 531 09-26 13:45 md time", file(b"md time", 531, "2026-09-26T13:45")),
        (b"-r-xr-xr-x 2 root other 2235 26. Juli, 20:10 ger", file(b"ger", 2235, "2026-07-26T20:10")),
        (b"-rw-r--r-- 1 a b 7 14 f\xE9v. 2011 latin1", file(b"latin1", 7, "2011-02-14")),
        (b"-rw-r--r-- 1 a b 7 f\xC3\xA9v 14 2011 utf8", file(b"utf8", 7, "2011-02-14")),
        ("-rw-r--r-- 1 a b 7 11 янв 2009 x".as_bytes(), file(b"x", 7, "2009-01-11")),
        ("-rw-r--r-- 1 a b 7 ก.ค. 11 2009 thai".as_bytes(), file(b"thai", 7, "")),
        (b"-r-xr-xr-x 2 root other 2235 24-04-2003 17:12 dmy", file(b"dmy", 2235, "2003-04-24T17:12")),
        (b"-r-xr-xr-x 2 root root 96 2004.07.15   dotted", file(b"dotted", 96, "2004-07-15")),
        (b"-r-xr-xr-x 2 owner group 4512 01-jun-99 short", file(b"short", 4512, "1999-06-01")),
        (b"-rw-r--r-- 1 root sys 8473  4\x8c\x8e 18\x93\xfa 2003\x94\x4e sjis", file(b"sjis", 8473, "2003-04-18")),
        (b"-rwxrwxrwx 1 root staff 0 2003   3\xed\xef 20 asian", file(b"asian", 0, "2003-03-20")),
        (b"-r--r--r-- 1 root root 2096 8\xed 17 08:52 asian", file(b"asian", 2096, "2026-08-17T08:52")),
        ("drwxr-xr-x 5 root sys 512 2005년  1월  6일 korean".as_bytes(), entry("dir", b"korean", None, "2005-01-06")),
        (b"drwxrwxrwx 1 0 0 0 29 Jul 02:27 2014 Invoices", entry("dir", b"2014 Invoices", None, "2026-07-29T02:27")),
        (b"drwxr-xr-x 3 slopri devlab 512 dateless", entry("dir", b"dateless", None, "")),
        (b"-------r--         326  1391972  1392298 Nov 22  1995 presenz", file(b"presenz", 1392298, "1995-11-22")),
        (b"-C--E-----FTP B BCC3I1       7670  1294495 Jan 13 07:42 ce", file(b"ce", 1294495, "2026-01-13T07:42")),
        (b"-AR--M----TCP B ceunix      17570  2313708 Mar 29 08:56 ce", file(b"ce", 2313708, "2026-03-29T08:56")),
        (b"crw-r----- 1 root kmem 0, 27 Jan 29 2004 kmem", entry("other", b"kmem", None, "2004-01-29")),
        (b"srwxrwxrwx 1 root root 0 Jan 29 2004 socket", entry("other", b"socket", None, "2004-01-29")),
        (b"-rw-r--r-- 1 a b 5 Jan 5 2001 not -> a link", file(b"not -> a link", 5, "2001-01-05")),
        (b"drwxr-xr-x 1 a b 5 Jan 5 2001 slashed/", entry("dir", b"slashed", None, "2001-01-05")),
        (b"drwxr-xr-x 1 a b 5 Jan 5 2001 ..", entry("cdir", b"..", None, "2001-01-05")),
        (b"040755 500 101 4096 123456789 d", entry("dir", b"d", None, "1973-11-29T21:33:09Z")),
        (b"04-27-00  12:09PM       <DIR>          dos", entry("dir", b"dos", None, "2000-04-27T12:09")),
        (b"27-04-00  12:09 pm           9,730 dos", file(b"dos", 9730, "2000-04-27T12:09")),
        (b"05-26-1995  10:57               143712 $LDR$", file(b"$LDR$", 143_712, "1995-05-26T10:57")),
        (b"+i8388621.48594,m825718503,r,s280,up755\teplf", file(b"eplf", 280, "1996-03-01T22:15:03Z")),
        (b"CII-MANUAL.TEX;1  213/216  29-JAN-1996 03:33:12  [A,B]   (RWED,RWED,,)", {
            file(b"CII-MANUAL.TEX", 213 * 512, "1996-01-29T03:33:12")
        }),
        (b"NOTIME;1    6/8    15-JUI-2002    PRONAS   (RWED,RWED,RE,)", file(b"NOTIME", 3072, "2002-07-15")),
        (b"COMPLEX;1 2KB 23-SEP-2005 14:57:07.27", file(b"COMPLEX", 2048, "2005-09-23T14:57:07")),
        (b"ALT;1       17-JUN-1994 17:25:37     6308/13     (RWED,RWED,R,)", {
            file(b"ALT", 6308 * 512, "1994-06-17T17:25:37")
        }),
        (b"QPGMR           36864 18.09.06 14:21:26 *FILE      A.FILE", file(b"A.FILE", 36864, "2006-09-18T14:21:26")),
        (b"QSYS            77824 23/02/00 15:09:55 *FILE b", file(b"b", 77824, "2000-02-23T15:09:55")),
        (b"PEP                            *MEM       SRC.FILE/M.MBR", file(b"SRC.FILE/M.MBR", None, "")),
        (b"36611      A    04-23-103  10:57  os2 file", file(b"os2 file", 36611, "2003-04-23T10:57")),
        (b" 1123 DIR  A    10-05-100  23:38  os2 dir", entry("dir", b"os2 dir", None, "2000-10-05T23:38")),
        (b"206876  Apr 04, 2000 21:06 vsh file", file(b"vsh file", 206_876, "2000-04-04T21:06")),
        (b"2048    Feb-28-1998  05:23:30   vx dir <DIR>", entry("dir", b"vx dir", None, "1998-02-28T05:23:30")),
        (b"20.20 07/03/29 1026 d-ewrewr 2650 85920 os9 dir", entry("dir", b"os9 dir", None, "2007-03-29T10:26")),
        (b"HPFILE 101 528 6-Apr-07 14:21:18 255, 0 \"oooo\"", file(b"HPFILE", 528, "2007-04-06T14:21:18")),
        (b"NRP004 3390   **NONE**    1   15  NONE     0     0  PO  NO.DATE", entry("dir", b"NO.DATE", None, "")),
        (b"TSO005 3390   2005/06/06 213000 U 0 27998 PO A.DIR", entry("dir", b"A.DIR", None, "2005-06-06")),
        (b"GISBWI 3390   2011/08/25  2 ++++  FB     904 18080  PS  A.FILE", file(b"A.FILE", None, "2011-08-25")),
        (b"TSO004 3390   VSAM A.FILE", file(b"A.FILE", None, "")),
        (b"Migrated\t\t\t\tA.FILE", file(b"A.FILE", None, "")),
        (b"V43525 Tape                                             A.FILE", file(b"A.FILE", None, "")),
        (b"MEMBER2 00B308 000411  00 FO                31    ANY", file(b"MEMBER2", 45832, "")),
        (b"FILE  TRACE   V        65      107        2 2005-10-04 15:28:42 060191", {
            file(b"FILE.TRACE", None, "2005-10-04T15:28:42")
        }),
        (b"bin/                  -  Apr 28  1994", entry("dir", b"bin", None, "1994-04-28")),
        (b"ls-lR                 0   6 Aug 17:14", file(b"ls-lR", 0, "2026-08-06T17:14")),
        (b"TIMIT.mostlikely.Z\n                    79215  Jul 11 21:04", {
            file(b"TIMIT.mostlikely.Z", 79215, "2026-07-11T21:04")
        }),
        (b"type=file; \t leading and trailing\t ", file(b"\t leading and trailing\t ", None, "")),
        (b"type=file no semicolon", file(b"no semicolon", None, "")),
        (b"size=1;type=file;modify=20090722092510;\ttab", file(b"tab", 1, "2009-07-22T09:25:10Z")),
        (b"lonely", entry("unknown", b"lonely", None, "")),
    ];
    for (line, expected) in cases {
        assert_eq!(read(line), std::slice::from_ref(expected), "{}", line.escape_ascii());
    }
}

#[test]
fn systems_that_are_gone_are_read_too() {
    let cases: &[(&[u8], Seen)] = &[
        (b"-rw-r--r--   1 root     other        531 3 29 03:26 02-unix-std file", {
            file(b"02-unix-std file", 531, "2026-03-29T03:26")
        }),
        (b"-rw-r--r--   1 root     other        531 29 3 03:26 day first", file(b"day first", 531, "2026-03-29T03:26")),
        (b"-rw-r--r-- 1 2 3 2004 May 18  2009 numbers", file(b"numbers", 2004, "2009-05-18")),
        (b"-r--r--r-- 1 root other 531 Apr   4 24:00 midnight", file(b"midnight", 531, "2026-04-05T00:00")),
        (b"-rw-r--r--    1 ftp      ftp           528 Foo 01  2007 README", file(b"README", 528, "")),
        (b"d-rwxrwxr-x M 8 glenda sys 0 Mar 12  2004 bin", entry("dir", b"bin", None, "2004-03-12")),
        (b"--rw-r--r-- M 116 glenda glenda 812 Mar  1 2004 lib", file(b"lib", 812, "2004-03-01")),
        (b"a-rw-rw-r-- M 116 glenda glenda 99 Nov 19 11:02 log", file(b"log", 99, "2026-11-19T11:02")),
        (b"alrw-rw-rw- M 116 glenda glenda 5 Nov 19 11:02 lock", file(b"lock", 5, "2026-11-19T11:02")),
        (b"--rwxrwxr-x M 8 glenda sys 70 Mar 12 2004 rc", file(b"rc", 70, "2004-03-12")),
        (b"2048    Feb-28-1998  05:23:30   vx file      ", file(b"vx file", 2048, "1998-02-28T05:23:30")),
        (b"LASTING  GLOBALV  A1 V         41         21          1  9/16/91 15:10:32", {
            file(b"LASTING.GLOBALV", None, "1991-09-16T15:10:32")
        }),
        (b"ALL      NOTEBOOK A0 F         80         10          2 12/28/99  1:15:09", {
            file(b"ALL.NOTEBOOK", 800, "1999-12-28T01:15:09")
        }),
        (b"INSTALL   <DIR>         Nov 16 1994 17:17   ", entry("dir", b"INSTALL", None, "1994-11-16T17:17")),
        (b"README.TXT         1045 May 10 1995 11:01", file(b"README.TXT", 1045, "1995-05-10T11:01")),
        (b"CMT.CSV               0 Jul 06 1995 14:56   RHA", file(b"CMT.CSV", 0, "1995-07-06T14:56")),
        (b"CATALOG            80B  FA        1234       1234   3      400  1  1", file(b"CATALOG", 98_720, "")),
        (b"EDITOR    PROG    128W  FB         561        561   1      576  1  8", file(b"EDITOR", 143_616, "")),
        (b"IBMUSER1  JOB01906  OUTPUT    3 Spool Files", file(b"JOB01906", None, "")),
        (b"IBMUSER1 JOB01906 IBMUSER  OUTPUT A        RC=0000 3 spool files", file(b"JOB01906", None, "")),
        (b"ALIAS1    00B308 000411 MEMBER2    00 FO                31    ANY", file(b"ALIAS1", 45832, "")),
        (
            b"QSYS           12288 02/23/00 15:09:55 *LIB  TOOLS.LIB/",
            entry("dir", b"TOOLS.LIB", None, "2000-02-23T15:09:55"),
        ),
        (b"QSYS                 *LIB       TOOLS.LIB/", entry("dir", b"TOOLS.LIB", None, "")),
    ];
    for (line, expected) in cases {
        assert_eq!(read(line), std::slice::from_ref(expected), "{}", line.escape_ascii());
        let twice = [line, &b"\r\n"[..], line].concat();
        assert_eq!(read(&twice), [expected.clone(), expected.clone()], "{}", line.escape_ascii());
    }
}

#[test]
fn a_junction_leads_to_its_target() {
    for line in [
        &b"07-17-19  02:08PM     <JUNCTION>     old data [D:\\new data]"[..],
        b"07-17-19  02:08PM     <JUNCTION>     old data -> D:\\new data",
        b"07-17-19  02:08PM     <SYMLINKD>     old data => D:\\new data",
        b"lrwxrwxrwx 1 a b 0 Jul 17 2019 old data => D:\\new data",
    ] {
        let Some(Seen::Entry { name, kind, target, .. }) = read(line).pop() else { panic!("{}", line.escape_ascii()) };
        assert_eq!((&*name, kind), (&b"old data"[..], "link"), "{}", line.escape_ascii());
        assert_eq!(target.as_deref(), Some(&b"D:\\new data"[..]), "{}", line.escape_ascii());
    }
}

#[test]
fn headings_of_old_systems_are_no_links() {
    let cms = b"Filename FileType Fm Format Lrecl Records Blocks Date     Time\r\n\
        LASTING  GLOBALV  A1 V         41         21          1  9/16/91 15:10:32\r\n\
        J43401   NETLOG   A0 V         77          1          1  9/12/91 12:36:04\r\n";
    assert_eq!(read(cms).len(), 2);
    let first = file(b"A.TXT", 1024, "2000-04-18T10:40:39");
    let long = file(b"CII-MANUAL-OF-SOME-LENGTH.TEX", 213 * 512, "1996-01-29T03:33:12");
    let torn: &[&[u8]] = &[
        b"                  213  29-JAN-1996 03:33:12  [ANONYMOU,ANONYMOUS]   (RWED,RWED,,)\r\n",
        b"213  29-JAN-1996 03:33:12  [ANONYMOU,ANONYMOUS]   (RWED,RWED,,)\r\n",
        b"                  213/216  29-JAN-1996 03:33:12\r\n  [ANONYMOU,ANONYMOUS]   (RWED,RWED,,)\r\n",
        b"  213 29-JAN-1996 03:33:12 [ANONYMOU,ANONYMOUS]\r\n  (RWED,RWED,,)\r\n",
    ];
    for heading in [&b"ACA:[ANONYMOUS]\r\n\r\n"[..], b"ANONYMOUS:[000000]\r\n", b"Directory ACA:[ANONYMOUS]\r\n", b""] {
        for torn in torn {
            for last in [true, false] {
                let a = &b"A.TXT;4  2  18-APR-2000 10:40:39.90\r\n"[..];
                let b = [&b"CII-MANUAL-OF-SOME-LENGTH.TEX;1\r\n"[..], torn].concat();
                let mut listing = heading.to_vec();
                listing.extend(if last { [a, &b].concat() } else { [&b, a].concat() });
                listing.extend_from_slice(b"\r\nTotal of 2 files, 215/224 blocks.\r\n");
                let found: Vec<Seen> =
                    read(&listing).into_iter().filter(|seen| matches!(seen, Seen::Entry { .. })).collect();
                let wanted = if last { [first.clone(), long.clone()] } else { [long.clone(), first.clone()] };
                assert_eq!(found, wanted, "{}", listing.escape_ascii());
            }
        }
    }
}

#[test]
fn names_are_octets() {
    for name in [
        &b"\xE9t\xE9"[..],
        b"\x83e\x83X\x83g",
        b"\xFF\xFE\x80",
        b"  two before",
        b"trailing ",
        b"a\0b",
        b"a\x1bb",
        b"../../x",
    ] {
        let line = [b"-rw-r--r-- 1 a b 5 Jan 5 2001 ", name, b"\r\n"].concat();
        assert_eq!(read(&line), [file(name, 5, "2001-01-05")]);
    }
}

#[test]
fn a_link_is_as_long_as_its_target() {
    let target = |line: &[u8]| match read(line).pop() {
        Some(Seen::Entry { name, target, .. }) => (name, target),
        other => panic!("{other:?}"),
    };
    let line = b"lrwxrwxrwx 1 a b 1 Jan 5 2001 a -> b -> c";
    assert_eq!(target(line), (b"a -> b".to_vec(), Some(b"c".to_vec())));
    let line = b"lrwxrwxrwx 1 a b 6 Jan 5 2001 a -> b -> c";
    assert_eq!(target(line), (b"a".to_vec(), Some(b"b -> c".to_vec())));
    assert_eq!(target(b"lrwxrwxrwx 1 a b 6 Jan 5 2001 a"), (b"a".to_vec(), None));
}

#[test]
fn the_order_of_a_date_is_found_from_the_whole_listing() {
    let times = |octets: &[u8]| -> Vec<String> {
        let time = |seen| match seen {
            Seen::Entry { time, .. } => time.unwrap(),
            Seen::Text(text) => panic!("{}", text.escape_ascii()),
        };
        read(octets).into_iter().map(time).collect()
    };
    let of = |dates: &[&str]| -> Vec<u8> {
        dates.iter().flat_map(|date| format!("OWNER 3 {date} 12:00:00 *STMF a\r\n").into_bytes()).collect()
    };
    assert_eq!(times(&of(&["04/03/02", "04/12/06", "99/12/24"]))[0], "2004-03-02T12:00:00");
    assert_eq!(times(&of(&["04/03/02", "04/12/06", "24/12/04"]))[0], "2002-03-04T12:00:00");
    assert_eq!(times(&of(&["04/03/02", "04/12/06", "12/24/04"]))[0], "2002-04-03T12:00:00");
    // Day first would be to come.
    assert_eq!(times(&of(&["25/03/02", "24/12/30"]))[0], "2025-03-02T12:00:00");
    // One that contradicts the others is read by itself, and changes nothing.
    let mixed = times(&of(&["12/24/04", "04/03/02", "24/12/04", "04/03/02"]));
    assert_eq!(mixed[1..], ["2002-04-03T12:00:00", "2004-12-24T12:00:00", "2002-04-03T12:00:00"]);
    // What never tells is not waited for without end.
    let mut listing = Listing::new(NOW);
    let mut given = 0;
    listing.feed(&of(&["04/03/02"; 100]), &mut |_| given += 1);
    assert_eq!(given, 100);
}

#[test]
fn entries_come_as_soon_as_two_lines_agree() {
    let mut listing = Listing::new(NOW);
    let mut given = Vec::new();
    listing.feed(b"total 2\r\n-rw-r--r-- 1 a b 5 Jan 5 2001 a\r\n", &mut |line| given.push(seen(&line)));
    assert_eq!((given.len(), listing.dialect()), (0, None));
    listing.feed(b"-rw-r--r-- 1 a b 5 Jan 5 2001 b\r\n", &mut |line| given.push(seen(&line)));
    assert_eq!((given.len(), listing.dialect()), (2, Some("unix")));
    listing.feed(b"-rw-r--r-- 1 a b 5 Jan 5 2001 c\r\n", &mut |line| given.push(seen(&line)));
    assert_eq!(given.len(), 3);
}

#[test]
fn a_line_that_waits_for_the_next_is_given_when_that_does_not_come() {
    let mut listing = Listing::new(NOW);
    let mut given = Vec::new();
    listing.settle(&mut |line| given.push(seen(&line)));
    listing.feed(b"11-02-03  10:15AM  12 a\r\n11-02-03", &mut |line| given.push(seen(&line)));
    assert_eq!(given, []);
    listing.settle(&mut |line| given.push(seen(&line)));
    assert_eq!((given.len(), listing.dialect()), (1, Some("DOS")));
    listing.feed(b"  10:15AM  12 b\r\n", &mut |line| given.push(seen(&line)));
    assert_eq!(given, [file(b"a", 12, "2003-11-02T10:15"), file(b"b", 12, "2003-11-02T10:15")]);
}

#[test]
fn a_name_is_not_read_in_another_form() {
    let octets = b"type=file; a\r\ntype=file; -rw-r--r-- 1 a b 5 Jan 5 2001 b\r\n";
    assert_eq!(read(octets)[1], file(b"-rw-r--r-- 1 a b 5 Jan 5 2001 b", None, ""));
    let octets = b"-rw-r--r-- 1 a b 5 Jan 5 2001 a\n-rw-r--r-- 1 a b 5 Jan 5 2001 A.B;1 2 18-APR-2000 10:40\n";
    assert_eq!(read(octets)[1], file(b"A.B;1 2 18-APR-2000 10:40", 5, "2001-01-05"));
}

#[test]
fn what_is_no_entry_is_text_in_its_place() {
    let octets = b"total 3\r\n\r\n-rw-r--r-- 1 a b 5 Jan 5 2001 a\r\nls: b: Permission denied\r\n\
        -rw-r--r-- 1 a b 5 Jan 5 2001 c\r\nlonely\r\nsub:\r\n";
    let all = read(octets);
    assert_eq!(all[0], file(b"a", 5, "2001-01-05"));
    assert_eq!(all[1], Seen::Text(b"ls: b: Permission denied".to_vec()));
    assert_eq!(all[2], file(b"c", 5, "2001-01-05"));
    assert_eq!(all[3], entry("unknown", b"lonely", None, ""));
    assert_eq!(all[4], Seen::Text(b"sub:".to_vec()));
    assert_eq!(read(b"ftpd: /x: No such file or directory\r\n").len(), 1);
    assert_eq!(read(b""), []);
}

#[test]
fn welcome_texts_do_not_decide() {
    let octets = b"Hello 5 files are here\r\nThere 7 more of them\r\n-rw-r--r-- 1 a b 5 Jan 5 2001 a\r\n";
    let all = read(octets);
    assert_eq!(all[2], file(b"a", 5, "2001-01-05"));
    assert!(matches!(all[..2], [Seen::Text(_), Seen::Text(_)]));
}

#[test]
fn names_of_nlst() {
    let octets = b"a file\r\npub/x y\r\n./sub/\r\n../../z\r\n\r\n/\r\ntotal 5\r\nA.TXT;1\r\n.\r\n\xE9";
    let all = read_by(Listing::names(), octets, 3);
    let names: Vec<&[u8]> = all
        .iter()
        .filter_map(|seen| match seen {
            Seen::Entry { name, .. } => Some(name.as_slice()),
            Seen::Text(_) => None,
        })
        .collect();
    assert_eq!(names, [&b"a file"[..], b"x y", b"sub", b"z", b"total 5", b"A.TXT;1", b".", b"\xE9"]);
    assert_eq!(all[2], entry("dir", b"sub", None, ""));
}

fn converted(octets: &[u8]) -> Vec<u8> {
    let mut converter = Converter::new(NOW);
    let mut out = Vec::new();
    octets.chunks(5).for_each(|piece| converter.feed(piece, &mut out));
    converter.finish(&mut out);
    out
}

#[test]
fn a_listing_becomes_a_directory_page() {
    let octets = b"total 9\r\ndrwxr-xr-x 1 a b 5 Jan 5 2001 ..\r\ndrwxr-xr-x 1 a b 5 Jan 5 2001 sub\r\n\
        -rw-r--r-- 1 a b 531 Jan 29 00:00  a; b=c\r\nlrwxrwxrwx 1 a b 4 Jan 5 2001 l -> a; b\r\n\
        lrwxrwxrwx 1 a b 3 Jan 5 2001 m -> x y\r\nls: size=5; odd\r\nwhat\r\n";
    let lines = converted(octets);
    let expected = "type=dir;x.modify-local=20010105;UNIX.mode=0755;UNIX.owner=a;UNIX.group=b; sub\r\n\
        type=file;size=531;x.modify-local=202601290000;UNIX.mode=0644;UNIX.owner=a;UNIX.group=b;  a; b=c\r\n\
        type=OS.unix=symlink;size=4;x.modify-local=20010105;UNIX.mode=0777;UNIX.owner=a;UNIX.group=b; l\r\n\
        type=OS.unix=slink:x y;size=3;x.modify-local=20010105;UNIX.mode=0777;UNIX.owner=a;UNIX.group=b; m\r\n\
        type=x.text; ls: size=5; odd\r\n what\r\n";
    assert_eq!(lines.escape_ascii().to_string(), expected.escape_default().to_string());
    let page = dump(&parse(&input(media::DIRECTORY, "ftp://h.example/"), &lines));
    for part in ["sub/", " a; b=c", "531 B", "2026-01-29 00:00", "ls: size=5; odd", "what", " → x y"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("x.modify"), "{page}");
}

#[test]
fn permissions_and_owners_are_columns_of_their_own() {
    let octets = b"drwxr-sr-t 1 root wheel 5 Jan 5 2001 sub\r\n-rwSr--r-T 1 joe 531 Jan 29 00:00 alone\r\n\
        -rw-r----- 1 Domain Users staff 531 Jan 29 00:00 blanks\r\n-rw-r----- 1 me 100 9 Jan 29 00:00 ids\r\n\
        type=file;UNIX.uid=5;UNIX.ownername=ann;UNIX.mode=4711;UNIX.gid=7; mlsd\r\n\
        type=file;UNIX.owner=\x1b[31mred;UNIX.mode=9; odd\r\n";
    let lines = converted(octets);
    let long = parse(&input(media::DIRECTORY_LONG, "ftp://h.example/"), &lines);
    let rows: Vec<&str> = (0..6).map(|block| long.block_text(block)).collect();
    assert!(rows[0].ends_with("\trwxr-sr-t\troot:wheel"), "{rows:?}");
    assert!(rows[1].ends_with("\trwSr--r-T\tjoe"), "{rows:?}");
    assert!(rows[2].ends_with("\trw-r-----\t"), "an owner of two words is not known: {rows:?}");
    assert!(rows[3].ends_with("\trw-r-----\tme:100"), "{rows:?}");
    assert!(rows[4].ends_with("\trws--x--x\tann:7"), "{rows:?}");
    assert!(rows[5].starts_with("odd") && !rows[5].contains('\u{1b}'), "{rows:?}");
    let seen = |width| {
        let layout = Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words };
        let lines = layout.lines(&long, Anchor::default(), 10);
        lines.iter().flat_map(|line| &line.segments).map(|segment| segment.text.as_ref()).collect::<String>()
    };
    assert!(seen(80).contains("root:wheel") && seen(80).contains("rwxr-sr-t"), "{}", seen(80));
    assert!(!seen(70).contains("root:wheel") && seen(70).contains("rwxr-sr-t"), "{}", seen(70));
    assert!(!seen(40).contains("rwxr") && seen(40).contains("alone"), "{}", seen(40));
    let short = parse(&input(media::DIRECTORY, "ftp://h.example/"), &lines);
    assert!(!short.text().contains("root") && short.columns.len() == 3);
}

#[test]
fn a_vms_file_is_fetched_by_its_version() {
    let page = converted(b"CORE.DIR;1 1 8-SEP-1996 16:09\r\nREADME.TXT;4  2  18-APR-2000 10:40:39.90\r\n");
    let document = parse(&input(media::DIRECTORY, "ftp://h.example/"), &page);
    let references: Vec<&str> =
        (0..document.link_count()).map(|link| document.reference(wayfarer::doc::LinkId(link)).unwrap()).collect();
    assert_eq!(references, ["CORE/", "README.TXT%3B4"]);
    assert!(document.text().contains("README.TXT\t") && !document.text().contains(";4"));
}

/// xorshift64: the same broken listings on every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

#[test]
fn broken_listings_do_no_harm() {
    let rows = rows();
    let mut random = Random(0x0F7B_1157_1465);
    for round in 0..20_000 {
        let mut octets = Vec::new();
        for _ in 0..=random.next(6) {
            octets.extend_from_slice(&rows[random.next(rows.len())].line);
            octets.extend_from_slice(if random.next(4) == 0 { b"\n" } else { b"\r\n" });
        }
        for _ in 0..=random.next(8) {
            let at = random.next(octets.len() + 1);
            match random.next(4) {
                0 => octets.truncate(at),
                1 => drop(octets.drain(at..(at + random.next(9)).min(octets.len()))),
                2 if at < octets.len() => octets[at] = random.next(256) as u8,
                _ => {
                    let odd: &[&[u8]] = &[
                        b"\0",
                        b" ",
                        b"\t",
                        b"\r",
                        b"\n",
                        b"99999999999999999999",
                        b";",
                        b"/",
                        b"-",
                        b"\xFF",
                        b"[",
                        b":",
                    ];
                    drop(octets.splice(at..at, odd[random.next(odd.len())].iter().copied()));
                }
            }
        }
        let whole = read_by(Listing::new(NOW), &octets, octets.len().max(1));
        for seen in &whole {
            if let Seen::Entry { name, target, .. } = seen {
                assert!(!name.is_empty() && !name.contains(&b'\n'), "round {round}: {octets:?}");
                assert!(!target.as_ref().is_some_and(|target| target.contains(&b'\n')));
            }
        }
        if round % 10 == 0 {
            assert_eq!(whole, read_by(Listing::new(NOW), &octets, 1 + random.next(9)), "round {round}: {octets:?}");
            let page = parse(&input(media::DIRECTORY, "ftp://h.example/"), &converted(&octets));
            let shown = whole
                .iter()
                .filter(|seen| matches!(seen, Seen::Entry { kind, .. } if *kind != "cdir" && *kind != "other"));
            assert_eq!(page.link_count() as usize, shown.count(), "round {round}: {octets:?}");
        }
    }
}

#[test]
fn a_line_without_end_is_cut() {
    let mut octets = b"-rw-r--r-- 1 a b 5 Jan 5 2001 ".to_vec();
    octets.resize(1 << 20, b'x');
    octets.extend_from_slice(b"\r\n-rw-r--r-- 1 a b 5 Jan 5 2001 next\r\n");
    for size in [octets.len(), 1000] {
        let all = read_by(Listing::new(NOW), &octets, size);
        assert_eq!(all.len(), 2);
        assert!(matches!(&all[0], Seen::Entry { name, .. } if name.len() <= 32 * 1024));
        assert_eq!(all[1], file(b"next", 5, "2001-01-05"));
    }
    let page = parse(&input(media::DIRECTORY, "ftp://h.example/"), &converted(&octets));
    assert_eq!(page.link_count(), 2);
    // Whatever a line is made of.
    for odd in [b' ', b';', b'-', b'9', b':', b'+', b'=', b'/', 0, 0xFF, b'[', b'.'] {
        assert!(read_by(Listing::new(NOW), &vec![odd; 1 << 20], 1 << 16).len() <= 1);
    }
}
