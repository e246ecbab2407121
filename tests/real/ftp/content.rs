//! The archive that the FTP servers serve: the same for each, so that a journey can be walked on all.

use crate::made;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Files of the big directory.
pub const FILES: usize = 10_000;

/// Files of it that differ.
const VARIETY: usize = 100;

/// Octets of the binary file.
pub const BINARY: usize = 5 << 20;

/// The deepest level of the deep path.
pub const DEPTH: usize = 29;

/// Names that somebody or something takes for something else: their octets, and how they stand on the screen.
pub const ODD_NAMES: &[(&[u8], &str)] = &[
    (b"with space.txt", "with space.txt"),
    (b" leading space.txt", " leading space.txt"),
    (b"-dash.txt", "-dash.txt"),
    (b"100%.txt", "100%.txt"),
    (b"100%25.txt", "100%25.txt"),
    (b"hash#tag.txt", "hash#tag.txt"),
    (b"question?mark.txt", "question?mark.txt"),
    (b"semi;type=a.txt", "semi;type=a.txt"),
    (b"colon:colon.txt", "colon:colon.txt"),
    (b"back\\slash.txt", "back\\slash.txt"),
    (b"quote\"d.txt", "quote\"d.txt"),
    (b"star*.txt", "star*.txt"),
    (b"br[ack]et.txt", "br[ack]et.txt"),
    (b"~tilde", "~tilde"),
    ("utf8-café.txt".as_bytes(), "utf8-café.txt"),
    ("utf8-日本語.txt".as_bytes(), "utf8-日本語.txt"),
    (b"latin1-caf\xe9.txt", "latin1-caf"),
    (b"sjis-\x93\xfa\x96\x7b.txt", "sjis-"),
    (b"windows1251-\xff\xe7\xff.txt", "windows1251-"),
    (b"esc-\x1b[31mred.txt", "esc-red.txt"),
];

/// Files of a source tree that must not be mistaken for each other, or lost: their octets below `pub/source`.
pub fn source() -> Vec<Vec<u8>> {
    let long = [vec![b'a'; 248], b".tar.gz".to_vec()].concat();
    let names: [&[u8]; 12] = [
        b"Makefile",
        b"makefile",
        b"net/xt_MARK.h",
        b"net/xt_mark.h",
        &long,
        b"latin1-caf\xe9.txt",
        b"sjis-\x93\xfa\x96\x7b.txt",
        "utf8-日本語.txt".as_bytes(),
        b"back\\slash.c",
        b"esc-\x1b[31mred.txt",
        b"with space.txt",
        b"nothing",
    ];
    names.map(<[u8]>::to_vec).to_vec()
}

/// What stands in a file of the source tree.
pub fn source_text(name: &[u8]) -> Vec<u8> {
    if name == b"nothing" { Vec::new() } else { [b"/* ", name, b" */\n"].concat() }
}

/// Archives below `pub/archives`.
pub const ARCHIVES: &[&str] = &["site.tar.gz", "site.zip"];

/// What stands in a member of an archive.
pub fn archived(archive: &str, member: &str) -> Vec<u8> {
    match member {
        "docs/guide.txt" => format!("The guide of {archive}.\n").into_bytes(),
        _ => format!("/* {member} of {archive} */\n").repeat(2_000).into_bytes(),
    }
}

fn archive(name: &str) -> Vec<u8> {
    let members = ["hello.c", "docs/guide.txt"].map(|member| (member, archived(name, member)));
    match name.ends_with(".zip") {
        true => made::zip(&members.map(|(member, octets)| made::zipped(member, &octets))),
        false => made::gzip(&made::tar(&members.map(|(member, octets)| made::tar_member(b'0', member, "", &octets)))),
    }
}

/// The binary file's content: every octet value, in an order that no text has.
pub fn binary() -> Vec<u8> {
    (0..BINARY).map(|i| (i * 7 + i / 256) as u8).collect()
}

/// What stands in the file of an odd name.
pub fn odd_text(number: usize) -> String {
    format!("This is odd name {number:02}.\n")
}

/// What stands in a file of the big directory: a hundred of them differ in content, size and day.
pub fn big_text(number: usize) -> String {
    format!("This is file {}.\n{}\n", number % VARIETY, "x".repeat(number % VARIETY * 100))
}

/// Writes the archive into `folder/ftp`.
pub fn write(folder: &Path) {
    let root = folder.join("ftp");
    let put = |path: &[u8], content: &[u8]| {
        let path = root.join(OsStr::from_bytes(path));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
    };
    put(b"welcome.msg", b"Welcome, archive user!\n");
    put(b"pub/.message", b"You are in pub.\n");
    put(b"pub/README", b"The pub folder.\n");
    put(b"pub/text/long.txt", long().as_bytes());
    put(b"pub/text/latin1.txt", b"Latin-1: caf\xe9, na\xefve\n");
    put(b"pub/text/crlf.txt", b"one\r\ntwo\r\n");
    put(b"pub/bin/data.bin", &binary());
    put(b"pub/bin/zero.bin", b"");
    put(b"pub/empty/.keep", b"");
    for (number, (name, _)) in ODD_NAMES.iter().enumerate() {
        put(&[b"pub/names/", *name].concat(), odd_text(number).as_bytes());
    }
    put(b"pub/names/dir with space/in side.txt", b"inside\n");
    let mut deep = "pub/deep".to_owned();
    for level in 0..=DEPTH {
        write!(deep, "/level{level:02}").unwrap();
        put(format!("{deep}/here.txt").as_bytes(), format!("level {level}\n").as_bytes());
    }
    for name in source() {
        put(&[b"pub/source/", &name[..]].concat(), &source_text(&name));
    }
    for name in ARCHIVES {
        put(&[b"pub/archives/", name.as_bytes()].concat(), &archive(name));
    }
    // For whoever is let in, as some servers have it.
    fs::create_dir(root.join("incoming")).unwrap();
    fs::set_permissions(root.join("incoming"), fs::Permissions::from_mode(0o777)).unwrap();
    fs::create_dir_all(root.join("pub/source/empty/er")).unwrap();
    symlink("Makefile", root.join("pub/source/latest")).unwrap();
    fs::create_dir(root.join("pub/links")).unwrap();
    for (target, name) in [("../README", "to-file"), ("../text", "to-dir"), (".", "loop"), ("nowhere", "broken")] {
        symlink(target, root.join("pub/links").join(name)).unwrap();
    }
    write_big(&root.join("pub/big"));
}

/// One file a day, backwards from 2025, and more names for them: names are made faster than files.
fn write_big(folder: &Path) {
    const DAY: u64 = 24 * 60 * 60;
    const START_OF_2025: u64 = 1_735_689_600;
    fs::create_dir(folder).unwrap();
    let path = |number: usize| folder.join(format!("file-{number:05}.txt"));
    for number in 0..VARIETY {
        let mut file = File::create(path(number)).unwrap();
        file.write_all(big_text(number).as_bytes()).unwrap();
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(START_OF_2025 - number as u64 * DAY);
        file.set_modified(modified).unwrap();
    }
    for number in VARIETY..FILES {
        fs::hard_link(path(number % VARIETY), path(number)).unwrap();
    }
}

fn long() -> String {
    let mut text = "About the archive\n\n".to_owned();
    for line in 0..60 {
        writeln!(text, "Line {line} of a text that is longer than any screen here.").unwrap();
    }
    text
}
