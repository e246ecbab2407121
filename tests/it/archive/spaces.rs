//! Spaces in a file: books, encyclopaedias, what was kept of the web; what they open with, and what liars get.

use super::made::{Lead, epub, gzip, kept, response, zim};
use super::{listing, member, read};
use std::io::Cursor;
use wayfarer::archive::{Archive, Begins, Form, Member, Why};
use wayfarer::stop::Stop;

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1";

fn web() -> [Vec<u8>; 6] {
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip";
    let packed = gzip(b"<p>packed");
    let chunks = [format!("{:x}\r\n", packed.len()).as_bytes(), &packed, b"\r\n0\r\n\r\n"].concat();
    [
        kept("warcinfo", "", "Content-Type: application/warc-fields\r\n", b"software: x\r\n"),
        response("http://h/", PAGE, b"<a href=a/b>b</a>"),
        response("http://h/a/b", chunked, &chunks),
        response("http://h/style.css", "HTTP/1.1 200 OK\r\nContent-Type: text/css", b"p {}"),
        response("http://h/old", "HTTP/1.1 302 Found\r\nLocation: /a/b", b""),
        kept("request", "http://h/", "Content-Type: application/http; msgtype=request\r\n", b"GET / HTTP/1.1\r\n\r\n"),
    ]
}

fn start(octets: &[u8]) -> String {
    match read(octets).unwrap().begins() {
        Some(Begins::Page(page)) => String::from_utf8(page).unwrap(),
        Some(Begins::Member(path)) => String::from_utf8(path).unwrap(),
        None => "nothing".into(),
    }
}

fn notes(octets: &[u8]) -> String {
    read(octets).unwrap().notes().join("\n")
}

#[test]
fn a_warc_is_a_list_of_its_pages_however_it_is_packed() {
    let plain = web().concat();
    let each = web().iter().map(|one| gzip(one)).collect::<Vec<_>>().concat();
    for (octets, packed) in [(plain.clone(), false), (each, true), (gzip(&plain), true)] {
        assert_eq!(read(&octets).unwrap().form(), Form::Warc { packed });
        assert_eq!(
            start(&octets),
            "3 pages, of 6 records, by address and date.\n\n## h\n=> ./2-index 2024-02-03 04:05  http://h/\n\
             => ./3-b 2024-02-03 04:05  http://h/a/b\n=> ./4-style.css 2024-02-03 04:05  http://h/style.css\n\n\
             => ?tree All records\n"
        );
        assert_eq!(member(&octets, "2-index").unwrap(), b"<a href=a/b>b</a>");
        assert_eq!(member(&octets, "3-b").unwrap(), b"<p>packed");
        assert_eq!(member(&octets, "1-warcinfo.txt").unwrap(), b"software: x\r\n");
        let archive = read(&octets).unwrap();
        let found = |name: &str| archive.members().iter().find(|member| member.path == name.as_bytes()).unwrap();
        let said = |name: &str| found(name).said.clone().unwrap();
        assert_eq!(
            (said("2-index").media.as_deref(), said("2-index").charset.as_deref()),
            (Some("text/html"), Some("latin1"))
        );
        assert_eq!(said("2-index").from, "WARC-Target-URI of record 2");
        assert_eq!(
            (said("5-old").status.as_deref(), said("5-old").moved.as_deref()),
            (Some("302 Found"), Some("/a/b"))
        );
        assert!(!said("6-request.txt").answers && archive.notes().is_empty());
    }
}

#[test]
fn a_record_that_is_as_an_earlier_one_is_that_one() {
    let fields = "Content-Type: application/http\r\nWARC-Payload-Digest: sha1:X\r\n";
    let first = kept("response", "http://h/", fields, format!("{PAGE}\r\n\r\nsame").as_bytes());
    let again = kept("revisit", "http://h/", fields, format!("{PAGE}\r\n\r\n").as_bytes());
    let lost = kept("revisit", "http://h/", "WARC-Payload-Digest: sha1:Y\r\n", b"");
    let octets = [first, again, lost].concat();
    assert_eq!(member(&octets, "2-index").unwrap(), b"same");
    assert!(member(&octets, "3-index").unwrap_err().says.contains("as an earlier one"));
}

#[test]
fn a_warc_that_is_broken_keeps_what_was_read() {
    let good = response("http://h/", PAGE, b"<p>good");
    let endless = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999999999999999\r\n\r\n";
    let huge = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9223372036854775807\r\n\r\n";
    for bad in [b"no record\r\n\r\n".as_slice(), endless, huge, b"WARC/1.0\r\nWARC-Type: x\r\n\r\n", &[b'\n'; 999]] {
        let octets = [good.as_slice(), bad].concat();
        for octets in [octets.clone(), gzip(&octets), [gzip(&good), gzip(bad)].concat()] {
            assert_eq!(member(&octets, "1-index").unwrap(), b"<p>good");
            assert!(notes(&octets).contains("What follows record"), "{}: {}", bad.escape_ascii(), notes(&octets));
        }
    }
    let cut = &good[..good.len() - 8];
    assert!(notes(cut).contains("Its end is missing"), "{}", notes(cut));
    assert_eq!(member(cut, "1-index").unwrap_err().why, Why::Broken);
    let torn = [gzip(&good), gzip(&good)].concat();
    assert!(notes(&torn[..torn.len() - 20]).contains("What follows record"));
    // It is said where the reader begins, too.
    let began = start(&torn[..torn.len() - 20]);
    assert!(began.starts_with("One page, of one record.\n\nWhat follows record 2 is not listed."), "{began}");
    assert!(start(cut).contains("\nIts end is missing.\n"));
    let chunks = response("http://h/", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", b"5\r\nab");
    assert_eq!(member(&chunks, "1-index").unwrap_err().why, Why::Broken);
}

#[test]
fn a_record_of_nothing_but_zeros_is_not_unpacked_without_end() {
    // 128 MiB of zeros, told as more than gzip could make of so few octets
    let said = format!("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {}\r\n\r\n", 1_u64 << 40);
    let octets =
        [gzip(&kept("resource", "http://h/", "", b"x")), gzip(&[said.as_bytes(), &[0; 1 << 16]].concat())].concat();
    assert!(notes(&octets).contains("longer than it can be"), "{}", notes(&octets));
}

fn small(kind: u8) -> Vec<u8> {
    let entries = [
        ("C/a/style.css", Lead::Octets(1, b"p {}")),
        ("C/main", Lead::Octets(0, b"<a href=a/style.css>css</a>")),
        ("C/other", Lead::To(1)),
        ("C/round", Lead::To(4)),
        ("C/round2", Lead::To(3)),
        ("W/mainPage", Lead::To(2)),
    ];
    zim(&entries, u32::MAX, kind)
}

fn look(octets: &[u8], path: &str) -> Result<Option<Member>, wayfarer::archive::Fault> {
    let archive = read(octets)?;
    archive.zim().unwrap().find(path.as_bytes(), &mut Cursor::new(octets), &Stop::new())
}

fn entry(octets: &[u8], path: &str) -> Result<Vec<u8>, wayfarer::archive::Fault> {
    let archive: Archive = read(octets)?;
    let found = look(octets, path)?.unwrap();
    let mut out = Vec::new();
    let source = Box::new(Cursor::new(octets.to_vec()));
    std::io::Read::read_to_end(&mut archive.open(&found, source, &Stop::new())?, &mut out)?;
    Ok(out)
}

#[test]
fn a_zim_opens_at_its_main_page_and_is_looked_up() {
    for kind in [1, 2, 5] {
        let octets = small(kind);
        assert_eq!((start(&octets).as_str(), notes(&octets).as_str()), ("C/main", ""));
        assert_eq!(entry(&octets, "C/other").unwrap(), b"<a href=a/style.css>css</a>");
        assert_eq!(entry(&octets, "C/a/style.css").unwrap(), b"p {}");
        let found = look(&octets, "C/other").unwrap().unwrap();
        assert_eq!((found.path.as_slice(), found.size), (b"C/main".as_slice(), 27));
        assert_eq!(found.said.unwrap().media.as_deref(), Some("text/html"));
        assert_eq!(look(&octets, "C/none").unwrap_err().why, Why::Missing);
        for folder in ["", "C", "C/a", "C/a/"] {
            assert_eq!(look(&octets, folder).unwrap(), None, "{folder}");
        }
        let rows = |folder: &str, words: Option<&[Vec<u8>]>| {
            let archive = read(&octets).unwrap();
            let zim = archive.zim().unwrap();
            let (rows, _) = zim.listing(folder.as_bytes(), words, &mut Cursor::new(&octets), &Stop::new()).unwrap();
            String::from_utf8(rows).unwrap()
        };
        assert_eq!(rows("", None), "type=dir; C\ntype=dir; W\n");
        assert!(rows("C", None).starts_with("type=dir; a\ntype=file; main\ntype=file; other\n"));
        assert_eq!(rows("", Some(&[b"STYLE".to_vec()])), "type=file; C/a/style.css\n");
    }
}

/// Where paths are numbers nothing was found by what it is called.
#[test]
fn an_entry_of_a_zim_is_found_by_its_title() {
    let page = |words: &'static [u8]| Lead::Octets(0, words);
    let entries = [("C/q42|Douglas Adams", page(b"him")), ("C/q5|Human", page(b"us")), ("C/q6|Douglas", Lead::To(1))];
    let octets = zim(&entries, 0, 1);
    let rows = |words: &[&str]| {
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let archive = read(&octets).unwrap();
        let found = archive.zim().unwrap().listing(b"", Some(&words), &mut Cursor::new(&octets), &Stop::new());
        String::from_utf8(found.unwrap().0).unwrap()
    };
    assert_eq!(rows(&["douglas"]), "type=file; C/q42\ntype=file; C/q6\n");
    assert_eq!(rows(&["adams", "q4"]), "type=file; C/q42\n");
    assert_eq!(rows(&["nobody"]), "");
}

#[test]
fn a_zim_that_lies_costs_a_sentence() {
    let octets = small(1);
    assert!(entry(&octets, "C/round").unwrap_err().says.contains("without end"));
    for path in ["C/../main", "../C/main", "C/./main", "C/ma\0in"] {
        assert_eq!(look(&octets, path).unwrap_err().why, Why::Unsafe, "{path}");
    }
    let changed = |at: usize, to: &[u8]| {
        let mut octets = octets.clone();
        octets[at..at + to.len()].copy_from_slice(to);
        octets
    };
    let clusters = usize::try_from(u64::from_le_bytes(octets[48..56].try_into().unwrap())).unwrap();
    // a cluster beyond the end, one of a kind that nobody knows, a list of places that leads out of it
    let beyond = changed(clusters, &u64::MAX.to_le_bytes());
    assert!(entry(&beyond, "C/main").unwrap_err().says.contains("beyond the end"));
    assert!(notes(&changed(clusters, &u64::MAX.to_le_bytes())).is_empty());
    assert_eq!(entry(&changed(clusters + 8, &[9]), "C/main").unwrap_err().why, Why::Foreign);
    for list in [&[0xFF; 4][..], &[0; 4], &[8, 0, 0, 0]] {
        assert_eq!(entry(&changed(clusters + 9, list), "C/main").unwrap_err().why, Why::Broken, "{list:?}");
    }
    // more entries than there can be
    assert!(read(&changed(24, &[0xFF; 4])).unwrap_err().says.contains("beyond the end"));
    // an entry at no place, and a main page that is none
    let paths = usize::try_from(u64::from_le_bytes(octets[32..40].try_into().unwrap())).unwrap();
    assert_eq!(entry(&changed(paths + 8, &u64::MAX.to_le_bytes()), "C/main").unwrap_err().why, Why::Broken);
    let none = zim(&[("C/a", Lead::To(9))], 7, 1);
    assert!(notes(&none).contains("main page cannot be opened"), "{}", notes(&none));
    for cut in [10, 79, 150, octets.len() - 20, octets.len() - 1] {
        if let Ok(archive) = read(&octets[..cut]) {
            assert!(!archive.notes().is_empty(), "{cut}");
        }
    }
}

#[test]
fn a_book_opens_at_its_contents() {
    let items = "<item id=a href='one%20a.xhtml' media-type='application/xhtml+xml'/>\
                 <item id='n' href='nav.html' media-type='application/xhtml+xml' properties='x nav'/>";
    let head = "<package xmlns:dc='d'><metadata><dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator></metadata>";
    let package = format!("{head}<manifest>{items}</manifest><spine><itemref idref='a'/></spine></package>")
        .replace("id=a", "id='a'");
    let files = [("OPS/one a.xhtml", "<html/>"), ("OPS/nav.html", "<html/>")];
    let book = epub(&package, &files);
    assert_eq!(start(&book), "OPS/nav.html");
    let archive = read(&book).unwrap();
    let nav = archive.members().iter().find(|member| member.path == b"OPS/nav.html").unwrap();
    assert_eq!(nav.said.as_ref().unwrap().media.as_deref(), Some("application/xhtml+xml"));
    // without one, at the order of reading
    assert_eq!(
        start(&epub(&package.replace("x nav", ""), &files)),
        "# A & B\nAda\n\n=> ./OPS/one%20a.xhtml OPS/one a.xhtml\n\n=> ?tree All its files\n"
    );
    // or at the table of an older book
    let old = package
        .replace("x nav", "")
        .replace("<spine>", "<item id='t' href='toc.ncx' media-type='x/y'/><spine toc='t'>");
    let table = "<ncx><navMap><navPoint><navLabel><text>First\n words</text></navLabel><content src='one%20a.xhtml#p'/>\
                 <navPoint><navLabel><text>Out</text></navLabel><content src='../../x'/></navPoint></navPoint></navMap></ncx>";
    let files = [files[0], files[1], ("OPS/toc.ncx", table)];
    assert_eq!(
        start(&epub(&old, &files)),
        "# A & B\nAda\n\n=> ./OPS/one%20a.xhtml#p First words\n\n=> ?tree All its files\n"
    );
    assert!(listing(&book, "OPS").contains("nav.html"));
}

/// In no chapter was it known which is the next one: the order of reading stands in the package alone.
#[test]
fn the_chapters_of_a_book_lead_to_the_next_and_the_one_before() {
    let item = |id: &str| format!("<item id='{id}' href='{id}' media-type='application/xhtml+xml'/>");
    let items = ["b", "a", "lost"].map(item).join("");
    let nav = "<item id='n' href='n' media-type='application/xhtml+xml' properties='nav'/>";
    let spine = ["b", "lost", "a", "unknown"].map(|id| format!("<itemref idref='{id}'/>")).join("");
    let package = format!("<package><manifest>{items}{nav}</manifest><spine>{spine}</spine></package>");
    let archive = read(&epub(&package, &[("OPS/a", "x"), ("OPS/b", "x"), ("OPS/n", "x")])).unwrap();
    let beside = |name: &str| {
        let said =
            archive.members().iter().find(|member| member.path == name.as_bytes()).unwrap().said.clone().unwrap();
        [said.previous, said.next].map(|path| path.map(|path| String::from_utf8(path).unwrap()).unwrap_or_default())
    };
    assert_eq!(beside("OPS/n"), ["", ""], "contents are as they were written");
    assert_eq!(beside("OPS/b"), ["", "OPS/a"]);
    assert_eq!(beside("OPS/a"), ["OPS/b", ""]);
}

/// Each place that a label stood for had the whole label looked through once more.
#[test]
fn a_label_is_cut_once_for_all_that_it_names() {
    let package =
        "<package><manifest><item id='t' href='t'/><item id='a' href='a'/></manifest><spine toc='t'/></package>";
    let label = format!("{}ä{}", "a b ".repeat(299), "ö ".repeat(500_000));
    let table = format!("<ncx><navLabel><text>{label}</text></navLabel>{}</ncx>", "<content src='a'/>".repeat(20_000));
    let page = start(&epub(package, &[("OPS/a", "x"), ("OPS/t", &table)]));
    let row = format!("=> ./OPS/a {}", "a b ".repeat(75));
    assert_eq!(page.lines().filter(|line| *line == row).count(), 20_000);
}

#[test]
fn a_book_that_leads_out_of_itself_is_a_zip() {
    for href in ["../../etc/passwd", "/etc/passwd", "http://h/x", "%2e%2e/%2e%2e/x", "a%00b"] {
        let package = format!(
            "<package><manifest><item id='a' href='{href}' properties='nav' media-type='text/html'/></manifest>\
             <spine><itemref idref='a'/></spine></package>"
        );
        assert_eq!(start(&epub(&package, &[("x", "y")])), "nothing", "{href}");
    }
    let torn = epub("<package><manifest><item id='a' hr", &[]);
    assert_eq!(start(&torn), "nothing");
    let lost = super::zip(&[super::zipped("META-INF/container.xml", b"<container/>")]);
    assert!(notes(&lost).contains("cannot be opened as a book"));
    let container = b"<container><rootfiles><rootfile full-path=\"../../../etc/passwd\"/></rootfiles></container>";
    let outside = super::zip(&[super::zipped("META-INF/container.xml", container)]);
    assert!(notes(&outside).contains("its package is outside of it"), "{}", notes(&outside));
}
