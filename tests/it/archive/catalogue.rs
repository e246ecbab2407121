//! Recursive listings as trees: the shapes they come in, and what liars get.

use super::made::gzip;
use super::read;
use std::io::{Cursor, Read, Seek, SeekFrom};
use wayfarer::archive::{Archive, Form, MOST_MEMBERS, Top, Why, is_catalogue};
use wayfarer::stop::Stop;
use wayfarer::unpack::Packing;
use wayfarer::url::Url;
use wayfarer::url::scheme::archive::words;

/// What GNU's `ls -lR` wrote of a folder whose names are as odd as names get.
const GNU: &[u8] = b".:
total 24
-rw-r--r-- 1 root root    0 Nov 24 02:19  leading
drwxr-xr-x 2 root root 4096 Nov 24 02:19 -lead
-rw-r--r-- 1 root root    0 Nov 24 02:19 C: x
drwxr-xr-x 3 root root 4096 Nov 24 02:19 My Games
-rw-r--r-- 1 root root    0 Nov 24 02:19 a -> b
drwxr-xr-x 2 root root 4096 Nov 24 02:19 a:
lrwxrwxrwx 1 root root   11 Nov 24 02:19 abs -> /etc/passwd
-rw-r--r-- 1 root root    6 Nov 24 02:19 caf\xe9.txt
drwxr-xr-x 2 root root 4096 Nov 24 02:19 empty
-rw-r--r-- 1 root root    0 Feb  3  2001 foo:
lrwxrwxrwx 1 root root    8 Nov 24 02:19 link to -> My Games
-rw-r--r-- 1 root root    0 Nov 24 02:19 new?line
prw-r--r-- 1 root root    0 Nov 24 02:19 pipe

./-lead:
total 0

./My Games:
total 4
drwxr-xr-x 2 root root 4096 Nov 24 02:19 old stuff

./My Games/old stuff:
total 0
-rw-r--r-- 1 root root 5 Nov 24 02:19 Doom 2.zip

./a::
total 0
-rw-r--r-- 1 root root 0 Nov 24 02:19 x

./empty:
total 0
";

fn lines(octets: &[u8]) -> Vec<String> {
    let all = read(octets).unwrap().tree(b"", &[]);
    String::from_utf8_lossy(&all).lines().map(Into::into).collect()
}

/// The paths of all files.
fn paths(octets: &[u8]) -> Vec<String> {
    let path = |line: &String| line.split_once("; ").map_or_else(String::new, |(_, path)| path.to_owned());
    lines(octets).iter().map(path).collect()
}

/// What `dir /s` writes, in English and in German.
const WINDOWS: &str = " Volume in drive C has no label.\r
 Volume Serial Number is 1A2B-3C4D\r
\r
 Directory of C:\\pub\\My Games\r
\r
11/26/2020  11:00 AM    <DIR>          .\r
11/26/2020  11:00 AM    <DIR>          ..\r
11/26/2020  11:00 AM    <DIR>          old stuff\r
11/26/2020  11:00 PM            12,345 Doom 2.zip\r
               1 File(s)         12,345 bytes\r
\r
 Directory of C:\\pub\\My Games\\old stuff\r
\r
11/26/2020  11:00 AM                 5 a.txt\r
               1 File(s)              5 bytes\r
\r
     Total Files Listed:\r
               2 File(s)         12,350 bytes\r
               3 Dir(s)  1,234,567,890 bytes free\r
";

#[test]
fn what_windows_lists_is_a_tree_as_well() {
    let german = WINDOWS.replace("Directory of", "Verzeichnis von").replace("File(s)", "Datei(en)");
    for text in [WINDOWS, &german, &WINDOWS.replace("\r\n", "\n")] {
        let archive = read(text.as_bytes()).unwrap();
        assert_eq!(archive.top(), Some(&Top::default()));
        assert_eq!(archive.notes(), &[] as &[String]);
        assert_eq!(paths(text.as_bytes()), ["Doom 2.zip", "old stuff/a.txt"]);
        assert!(lines(text.as_bytes())[0].contains("size=12345;"), "{:?}", lines(text.as_bytes()));
    }
}

#[test]
fn a_listing_is_a_tree_whatever_its_names() {
    let crlf = GNU.split(|octet| *octet == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
    for octets in [GNU.to_vec(), crlf, gzip(GNU)] {
        assert_eq!(
            lines(&octets),
            [
                "type=file;size=0;UNIX.mode=0644;x.modify-local=20251124021900;  leading",
                "type=file;size=0;UNIX.mode=0644;x.modify-local=20251124021900; C: x",
                "type=file;size=5;UNIX.mode=0644;x.modify-local=20251124021900; My Games/old stuff/Doom 2.zip",
                "type=file;size=0;UNIX.mode=0644;x.modify-local=20251124021900; a -> b",
                "type=file;size=0;UNIX.mode=0644;x.modify-local=20251124021900; a:/x",
                "type=OS.unix=slink:/etc/passwd;x.modify-local=20251124021900; abs",
                "type=file;size=6;UNIX.mode=0644;x.modify-local=20251124021900; caf\u{fffd}.txt",
                "type=file;size=0;UNIX.mode=0644;x.modify-local=20010203000000; foo:",
                "type=OS.unix=slink:My Games;x.modify-local=20251124021900;x.inside=1; link to",
                "type=file;size=0;UNIX.mode=0644;x.modify-local=20251124021900; new?line",
                "type=OS.unix=other;x.modify-local=20251124021900; pipe",
            ]
        );
    }
    let archive = read(GNU).unwrap();
    assert_eq!((archive.form(), archive.notes()), (Form::Catalogue(None), &[][..]));
    assert_eq!(archive.top(), Some(&Top::default()));
    assert_eq!(read(&gzip(GNU)).unwrap().form(), Form::Catalogue(Some(Packing::Gzip)));
    let folder = String::from_utf8(archive.listing(b"My Games")).unwrap();
    assert_eq!(folder, "type=dir;UNIX.mode=0755;x.modify-local=20251124021900; old stuff\n");
    assert!(archive.listing(b"empty").is_empty());
}

#[test]
fn listings_of_many_makers_are_read() {
    for (text, expected) in [
        // The first block without a heading, as BSD has it, headings without a prefix and with blanks.
        (
            "total 3\n-rw-r--r--  1 a  b  5 Jan  1  1999 x\n\nMy Games:\ntotal 1\n-rw-r--r--  1 a  b  5 Jan  1 1999 y\n\n\
             My Games/old stuff:\n-rw-r--r--  1 a  b  5 Jan  1  1999 z\n",
            "My Games/old stuff/z|My Games/y|x",
        ),
        // A first row that looks like a heading.
        ("-rw-r--r-- 1 a b 5 Jan  1 1999 x:\n\nd:\n-rw-r--r-- 1 a b 5 Jan  1 1999 y:\n", "d/y:|x:"),
        // No group; dates of ISO, to the minute and in full; busybox.
        (".:\n-rw-r--r-- 1 a 5 Jan  1 1999 x\n\n./d:\n-rw-r--r-- 1 a 5 Jan  1 1999 y\n", "d/y|x"),
        (".:\ntotal 0\n-rw-r--r-- 1 a b 5 1999-01-02 03:04 x y\n", "x y"),
        (".:\ntotal 0\n-rw-r--r-- 1 a b 5 1999-01-02 03:04:05.000000000 +0100 x\n", "x"),
        ("./d:\ntotal 4\n-rw-r--r--    1 root     root             5 Nov 24 02:19 x\n\n", "x"),
        // Blocks before the mode; a total of a foreign tongue.
        (".:\ninsgesamt 4\n4 -rw-r--r-- 1 a b 5 Jan  1 1999 x\n", "x"),
        // The way that was asked for goes from all paths, told from the root or not.
        ("/pub:\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\n\n/pub/d:\n-rw-r--r-- 1 a b 5 Jan  1 1999 y\n", "d/y|x"),
        ("pub/a:\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\n\npub/a/d:\n-rw-r--r-- 1 a b 5 Jan  1 1999 y\n", "d/y|x"),
        ("/b:\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\n\n/a:\n-rw-r--r-- 1 a b 5 Jan  1 1999 y\n", "a/y|b/x"),
        // The folder itself and the one above it; a name listed twice.
        (
            ".:\ndrwxr-xr-x 2 a b 5 Jan  1 1999 .\ndrwxr-xr-x 2 a b 5 Jan  1 1999 ..\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\n",
            "x",
        ),
        ("-rw-r--r-- 1 a b 5 Jan  1 1999 x\n-rw-r--r-- 1 a b 6 Jan  1 1999 x\n", "x"),
    ] {
        assert_eq!(paths(text.as_bytes()).join("|"), expected, "{text}");
    }
}

#[test]
fn what_is_no_row_is_counted() {
    let text =
        "ls: cannot open directory './locked': Permission denied\n.:\ntotal 0\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\nend\n";
    let archive = read(text.as_bytes()).unwrap();
    assert_eq!(
        archive.notes(),
        ["2 lines say nothing of a file: ls: cannot open directory './locked': Permission denied"]
    );
}

#[test]
fn years_are_seen_from_the_day_of_the_listing() {
    let mut octets = gzip(b".:\ntotal 0\n-rw-r--r-- 1 a b 5 Mar  3 12:00 x\n-rw-r--r-- 1 a b 5 Dec  3 12:00 y\n");
    assert!(lines(&octets)[0].contains("=20250303120000;"), "by the clock that was told: {:?}", lines(&octets));
    // The fifth of May 1998.
    octets[4..8].copy_from_slice(&894_326_400_u32.to_le_bytes());
    let rows = lines(&octets);
    assert!(rows[0].contains("=19980303120000;") && rows[1].contains("=19971203120000;"), "{rows:?}");
}

#[test]
fn words_are_looked_for_in_whole_paths() {
    let archive = read(GNU).unwrap();
    let found = |folder: &str, words: &[&str]| {
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        String::from_utf8_lossy(&archive.tree(folder.as_bytes(), &words)).lines().count()
    };
    assert_eq!(found("", &["games", "DOOM"]), 1);
    assert_eq!((found("My Games", &["doom"]), found("My Games", &["games"]), found("a:", &["doom"])), (1, 0, 0));
}

#[test]
fn names_of_listings_are_known() {
    for name in
        ["ls-lR", "ls-laR", "ls-lR.gz", "ls-lR.Z", "ls-lR.txt.xz", "ls-lRt.bz2", "ls-lR.2001-02-03.gz", "ls-alR"]
            .into_iter()
            .chain([
                "find.txt.gz",
                "find.txt",
                "find-ls",
                "find-ls.gz",
                "INDEX",
                "INDEX.gz",
                "INDEX.whole",
                "FILES",
                "FILES.Z",
            ])
    {
        assert!(is_catalogue(name), "{name}");
    }
    for name in
        ["ls-lr", "LS-LR", "ls-R", "ls-l", "ls-lR.gz.asc", "ls-lR.html", "ls-lR.tar", "als-lR", "ls-", "ls", "ls-lR/x"]
            .into_iter()
            .chain(["find", "find.gz", "index.txt", "INDEX.html", "INDEXES", "files.c", "PROFILES"])
    {
        assert!(!is_catalogue(name), "{name}");
    }
}

#[test]
fn a_listing_is_known_by_what_is_in_it() {
    for text in [
        "Dear Sir:\n\nyours:\n",
        "words\nand words\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\n",
        "",
        ".:\n\0-rw-r--r-- 1 a b 5 Jan  1 1999 x\n",
        "a.txt\nb.txt\n\n./d:\nc.txt\n",
    ] {
        assert_eq!(read(text.as_bytes()).unwrap_err().why, Why::Broken, "{text}");
        assert_eq!(read(&gzip(text.as_bytes())).unwrap_err().why, Why::Broken, "{text}");
    }
    // What names files has none of them in it.
    let archive = read(GNU).unwrap();
    let found = archive.members().iter().find(|member| member.path == b"foo:").unwrap();
    let opened = archive.open(found, Box::new(Cursor::new(GNU)), &Stop::new());
    assert_eq!(opened.err().unwrap().why, Why::Foreign);
}

#[test]
fn nothing_leads_above_the_listing() {
    let row = "-rw-r--r-- 1 a b 5 Jan  1 1999 ";
    let text = format!(
        "d:\n{row}good\n\n../..:\n{row}x\n\nd/../../e:\n{row}y\n\nd:\n{row}../z\n{row}a\0b\n{row}a\rb\n{row}\x1b[2J\n"
    );
    // An octet of zero is none of a listing's beginning.
    let text = text.replace("d:\n-rw", &format!("d:\n{}-rw", format!("{row}good\n").repeat(400)));
    let archive = read(text.as_bytes()).unwrap();
    let names: Vec<_> = archive.members().iter().map(|member| String::from_utf8_lossy(&member.path)).collect();
    assert_eq!(names, ["\x1b[2J", "good"]);
    assert!(archive.notes().join(" ").contains("5 names are left out"), "{:?}", archive.notes());
}

/// A beginning, and then the same again and again.
struct Endless {
    start: &'static [u8],
    /// Many times the piece that follows.
    pieces: Vec<u8>,
    at: usize,
    end: usize,
}

impl Read for Endless {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let next = match self.start.get(self.at..) {
            Some(rest) if !rest.is_empty() => rest,
            _ => &self.pieces[(self.at - self.start.len()) % self.pieces.len()..],
        };
        let count = room.len().min(self.end - self.at).min(next.len());
        room[..count].copy_from_slice(&next[..count]);
        self.at += count;
        Ok(count)
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => usize::try_from(at).unwrap().min(self.end),
            SeekFrom::End(back) => self.end.saturating_add_signed(isize::try_from(back).unwrap()),
            SeekFrom::Current(step) => self.at.saturating_add_signed(isize::try_from(step).unwrap()),
        };
        Ok(self.at as u64)
    }
}

#[test]
fn listings_without_end_are_bounded() {
    let start = b".:\ntotal 0\n-rw-r--r-- 1 a b 5 Jan  1 1999 x\n";
    let long = b"-rw-r--r-- 1 a b 5 Jan  1 1999 x\n-rw-r--r-- 1 a b 5 Jan  1 1999 ";
    for (start, piece, end) in [
        // One line without an end, in a row and beside one; a million headings without rows, and of empty lines.
        (&start[..], &b"x"[..], 100 << 20),
        (long, b"y", 100 << 20),
        (start, b"\nd:\n", 4 << 20),
        (start, b"\n", 1 << 20),
    ] {
        let mut source = Endless { start, pieces: piece.repeat((64 << 10) / piece.len()), at: 0, end };
        let archive = Archive::read(&mut source, super::now(), &Stop::new()).unwrap();
        assert!(archive.members().len() <= 2 && archive.memory() < 64 << 10, "{}", archive.memory());
    }
    let mut rows = b".:\n".to_vec();
    for number in 0..MOST_MEMBERS + 10 {
        rows.extend(format!("-rw-r--r-- 1 a b 5 Jan  1 1999 {number}\n").bytes());
    }
    let archive = read(&rows).unwrap();
    assert_eq!(archive.members().len(), MOST_MEMBERS);
    assert!(archive.notes().join(" ").contains("Only the first"), "{:?}", archive.notes());
    let stop = Stop::new();
    stop.give_up();
    assert_eq!(Archive::read(&mut Cursor::new(&rows), super::now(), &stop).unwrap_err().why, Why::Stopped);
}

#[test]
fn a_listing_that_is_cut_tells_what_it_had() {
    let whole = gzip(&GNU.repeat(50));
    for end in (20..whole.len()).step_by(7) {
        if let Ok(archive) = read(&whole[..end]) {
            assert!(archive.notes().join(" ").contains("end is missing"), "{end}: {:?}", archive.notes());
        }
    }
}

#[test]
fn words_that_are_looked_for_are_few_and_each_counts_once() {
    let url = Url::parse(format!("archive://file%3A%2F%2F%2Fls-lR/?tree={}", "b%20a%20b%20".repeat(9))).unwrap();
    assert_eq!(words(&url), Some(vec![b"b".to_vec(), b"a".to_vec()]));
    let many: Vec<String> = (0..10_000).map(|n| n.to_string()).collect();
    let url = Url::parse(format!("archive://file%3A%2F%2F%2Fls-lR/?tree={}", many.join("%20"))).unwrap();
    assert_eq!(words(&url).map(|words| words.len()), Some(16));
}

/// What `find` prints, as GNU's `find.txt.gz` has it; the folders come before what is in them, and look no other.
const FOUND: &str = ".\n./gnu\n./gnu/emacs\n./gnu/emacs/emacs-18.59.tar.gz\n./gnu/emacs.README\n./gnu/My Games\n\
    ./gnu/My Games/Doom  2: the end.zip\n./gnu/a:\n./welcome.msg\n";
/// The same with all that is known of each; GNU's writes blanks and the like with a backslash.
const FOUND_LONG: &str = "   330678      4 drwxr-xr-x   3 root     root         4096 May 20  2024 .\n\
       330679      4 drwxr-xr-x   3 root     root         4096 May 20  2024 ./gnu\n\
       330680   1220 -rw-r--r--   1 ftp      ftp       1246540 Nov  3  1993 ./gnu/emacs-18.59.tar.gz\n\
       330681      0 lrwxrwxrwx   1 ftp      ftp            19 Nov  3  1993 ./gnu/emacs.tar.gz -> emacs-18.59.tar.gz\n\
       330682      4 -rw-r--r--   1 ftp      ftp             5 Nov  3  1993 ./gnu/My\\ Games\\\\caf\\351\\ ->\\ x\n";
/// Paths, and what they are, behind blanks; what takes more room goes on below.
const INDEX: &str = "apps/circuits/acs-0.19.tar.gz      A circuit simulator, with docs/examples\n\
    apps/circuits/spice-3f4-of-the-year.tgz Another one\n                                   by Berkeley\n\
    \nutils/disk/mtools.tgz\tDOS disks / floppies\nREADME\n";

#[test]
fn lists_of_paths_are_trees_as_well() {
    let shown = |text: &str| (lines(text.as_bytes()).join("\n"), lines(&gzip(text.as_bytes())).join("\n"));
    let file = |paths: &[&str]| paths.iter().map(|path| format!("type=file; {path}")).collect::<Vec<_>>().join("\n");
    let found = ["gnu/My Games/Doom  2: the end.zip", "gnu/a:", "gnu/emacs.README", "gnu/emacs/emacs-18.59.tar.gz"];
    let found = file(&[&found[..], &["welcome.msg"]].concat());
    let bare = FOUND.replace(".\n./", "./").replace("./", "").replace("Doom  2: the end", "Doom").replace("My ", "My");
    let bare_found = found.replace("Doom  2: the end", "Doom").replace("My ", "My");
    let index = ["README", "apps/circuits/acs-0.19.tar.gz", "apps/circuits/spice-3f4-of-the-year.tgz"];
    let index = file(&[&index[..], &["utils/disk/mtools.tgz"]].concat());
    for (text, expected) in
        [(FOUND, &found), (&FOUND.replace('\n', "\r\n"), &found), (&bare, &bare_found), (INDEX, &index)]
    {
        assert_eq!(shown(text), (expected.clone(), expected.clone()), "{text}");
        let archive = read(text.as_bytes()).unwrap();
        assert_eq!((archive.form(), archive.notes()), (Form::Catalogue(None), &[][..]));
        assert_eq!(archive.top(), Some(&Top::default()));
    }
    let root = String::from_utf8(read(FOUND.as_bytes()).unwrap().listing(b"")).unwrap();
    assert_eq!(root, "type=dir; gnu\ntype=file; welcome.msg\n");
    // An empty folder looks like a file, but for a slash at its end.
    let marked = read(b"a/\na/b/\na/c\n").unwrap();
    assert_eq!(String::from_utf8(marked.listing(b"a")).unwrap(), "type=dir; b\ntype=file; c\n");
}

#[test]
fn what_find_tells_of_files_is_known() {
    let expected = [
        "type=file;size=5;UNIX.mode=0644;x.modify-local=19931103000000; gnu/My Games\\caf\u{fffd} -> x",
        "type=file;size=1246540;UNIX.mode=0644;x.modify-local=19931103000000; gnu/emacs-18.59.tar.gz",
        "type=OS.unix=slink:emacs-18.59.tar.gz;x.modify-local=19931103000000; gnu/emacs.tar.gz",
    ];
    assert_eq!(lines(FOUND_LONG.as_bytes()), expected);
    // From the root: its first line is the top.
    let absolute = FOUND_LONG.replace(" ./", " /pub/mirror/").replace(" .\n", " /pub/mirror\n");
    assert_eq!(lines(absolute.as_bytes()), expected);
    let top = Top { path: b"pub/mirror".to_vec(), absolute: true };
    assert_eq!(read(absolute.as_bytes()).unwrap().top(), Some(&top));
}

#[test]
fn texts_that_mention_paths_are_none() {
    for text in [
        "See gnu/emacs/README for more.\nThe files are in ./gnu and ./pub.\n./configure; make\n",
        "./gnu/emacs\n./gnu/gcc\nand many more\n",
        "./gnu/emacs\n\n./gnu/gcc\n./gnu/bash\n",
        "apple\nbanana\ncherry\n",
        "apple      a fruit\nbanana     another\nTCP/IP     none\n",
        "http://h/a\nhttp://h/b\nhttp://h/c\n",
        "/etc/passwd\n/etc/shadow\n/etc/group\n",
        "The files/folders of this server\n\na/b      one\nc/d      two\n",
        "./a\n./b\0\n./c\n",
        "./a\n",
        "ftp/pub/x,\tsee above\n   and a long\n   paragraph of\n   words that\n   goes on\n",
    ] {
        assert_eq!(read(text.as_bytes()).unwrap_err().why, Why::Broken, "{text}");
    }
}

#[test]
fn nothing_leads_above_a_list_of_paths() {
    let text = format!("{}../x\n./a/../../y\n./z/..\n./a\0b\n./\x1b[2J\nC:/x\n//h/x\n", "./good\n".repeat(3000));
    let archive = read(text.as_bytes()).unwrap();
    let names: Vec<_> = archive.members().iter().map(|member| String::from_utf8_lossy(&member.path)).collect();
    // A drive is a name here, as in any listing.
    assert_eq!(names, ["\x1b[2J", "C:/x", "good"]);
    assert!(archive.notes().join(" ").contains("4 names are left out"), "{:?}", archive.notes());
    assert!(archive.notes().join(" ").contains("One line says nothing of a file: //h/x"), "{:?}", archive.notes());
}
