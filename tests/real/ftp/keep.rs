//! What is kept on the reader's disk: a download that breaks and goes on, a directory with all that is below it.

use super::servers::{Server, proftpd, pure_ftpd, pyftpdlib, slow_vsftpd, vsftpd};
use super::{content, listed};
use crate::packages;
use crate::terminal::Terminal;
use crate::{focus, quit};
use rustix::process::Signal;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_broken_download_goes_on() {
    let packages = packages();
    let server = slow_vsftpd(&packages);
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let url = server.url("pub/bin/data.bin");
    let visit = || Terminal::start_with(&[&url], 80, 24, &environment);
    let file = home.path().join("Downloads/data.bin");
    let part = home.path().join("Downloads/data.bin.wayfarer-part");

    let mut first = visit();
    first.see("This is no page").keys("s").see("save as: ~/Downloads/data.bin").keys("\r");
    first.see_that("a part of the file", |_| fs::metadata(&part).is_ok_and(|part| part.len() > 500_000));
    first.signal(Signal::KILL);
    first.end();
    let kept = fs::metadata(&part).unwrap().len();
    assert!(kept < content::BINARY as u64, "it broke off half-way");

    let mut second = visit();
    second.see("This is no page").keys("s").see("save as: ~/Downloads/data.bin").keys("\r").see("saved ");
    assert!(fs::read(&file).unwrap() == content::binary(), "the file is byte for byte what the server has");
    assert!(!part.exists());
    quit(&mut second);
    let log = server.log();
    assert!(log.contains(&format!("REST {kept}")), "only the rest was asked for:\n{log}");
}

fn tree(server: &Server) {
    let mut screen = Terminal::start(&[&server.url("pub/")]);
    let downloads = screen.home().join("Downloads");
    listed(&mut screen, "/pub/  list").see("deep/");
    focus(&mut screen, "deep/");
    screen.keys("\x1bd").see("30 files in 3").see("into ~/Downloads/deep").keys("\r").see("saved 30 files into");
    let mut folder = downloads.join("deep");
    for level in 0..=content::DEPTH {
        folder.push(format!("level{level:02}"));
        assert_eq!(fs::read_to_string(folder.join("here.txt")).unwrap(), format!("level {level}\n"));
    }
    // Odd names stay inside the folder, and nothing that a terminal would obey is in them.
    focus(&mut screen, "names/");
    // One more is in a directory below.
    let all = content::ODD_NAMES.len() + 1;
    screen
        .keys("\x1bd")
        .see("Enter start")
        .see(&format!("{all} files in 2"))
        .keys("\r")
        .see(&format!("saved {all} files into"));
    let names = fs::read_dir(downloads.join("names")).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    assert_eq!(names.len(), all, "{names:?}");
    assert!(!names.iter().any(|name| name.contains(char::is_control)), "{names:?}");
    // Links are asked for as files; none is followed into a directory on the way: one leads into itself.
    focus(&mut screen, "links/");
    screen.keys("\x1bd").see("files in 1 directory").see("of unknown size").keys("\x1b").see_no("of unknown size");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn trees_from_vsftpd() {
    let packages = packages();
    tree(&vsftpd(&packages));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn trees_from_proftpd() {
    let packages = packages();
    tree(&proftpd(&packages));
}

/// A tree with twins, names that are long or of other charsets, and members with nothing in them: byte for byte and name for name
/// what it is on the server, or the note of the save lists what is not. Saved again it brings what is new and what has changed,
/// and tells what has gone.
fn source(url: &str) {
    let mut screen = Terminal::start_with(&[url], 200, 100, &[]);
    let folder = screen.home().join("Downloads/source");
    listed(&mut screen, "/pub/source/");
    screen.keys(":download-tree\r").see("Enter start").keys("\r").see_no("Enter start");
    screen.see_that("an end", |now| now.contains("saved ") || now.contains("could not be saved"));
    screen.keys("D").see("Enter choose").keys("\r").see("list what").keys("l");
    screen.see_that("the note", |now| now.contains("Otherwise in") || now.contains("Not saved into"));
    let note = screen.screen();
    for name in content::source() {
        // What is text stands in the note as it is.
        let known = name.iter().position(|octet| !octet.is_ascii() || *octet < b' ').unwrap_or(name.len());
        let begins = String::from_utf8_lossy(&name[..known]).into_owned();
        match fs::read(folder.join(OsStr::from_bytes(&name))) {
            Ok(there) => assert!(there == content::source_text(&name), "{begins}"),
            // pure-ftpd sends nothing whose name has a backslash, and does not list one with a control.
            Err(_) if name.contains(&0x1b) && url.contains("wayfarer:secret") => {}
            Err(_) => assert!(note.contains(&begins), "{begins} is not told of:\n{note}"),
        }
    }
    // Nothing that nobody has told of.
    let odd = |name: &[u8]| !content::source().iter().any(|known| known == name);
    for path in files(&folder, Path::new("")) {
        // An empty beginning goes as its fetch ends.
        let told = path.to_string_lossy().contains(".wayfarer-part")
            || path == Path::new("latest")
            || note.contains(path.to_str().unwrap());
        assert!(!odd(path.as_os_str().as_bytes()) || told, "{path:?}\n{note}");
    }
    assert_eq!(fs::read_dir(folder.join("empty/er")).unwrap().count(), 0);
    if folder.join("latest").exists() {
        assert_eq!(fs::read(folder.join("latest")).unwrap(), content::source_text(b"Makefile"));
    } else {
        assert!(note.contains("latest"), "{note}");
    }

    fs::remove_file(folder.join("net/xt_mark.h")).unwrap();
    fs::write(folder.join("Makefile"), "all:\n").unwrap();
    fs::write(folder.join("mine"), "mine").unwrap();
    // As long as the server's, and older: the one there was changed since.
    fs::write(folder.join("makefile"), "x".repeat(content::source_text(b"makefile").len())).unwrap();
    let older = fs::File::options().write(true).open(folder.join("makefile")).unwrap();
    older.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000)).unwrap();
    screen
        .keys("\x1b")
        .see_no("is saved as")
        .keys(":download-tree\r")
        .see("saved before")
        .see("Enter start")
        .keys("\r");
    // What stands for a link is compared as it comes, and is the same: nothing is asked about it.
    screen.see("2 files are there already");
    screen.keys("r");
    screen.see_that("an end", |now| now.contains("1 new, 2 changed, 1 gone") || now.contains("could not be saved"));
    for name in [&b"net/xt_mark.h"[..], b"Makefile", b"makefile"] {
        assert_eq!(fs::read(folder.join(OsStr::from_bytes(name))).unwrap(), content::source_text(name));
    }
    assert_eq!(fs::read(folder.join("mine")).unwrap(), b"mine");
    quit(&mut screen);
}

/// The files below a folder, by their paths below it.
fn files(root: &Path, folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap());
    let below = |entry: fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => files(root, &folder.join(entry.file_name())),
        false => vec![folder.join(entry.file_name())],
    };
    entries.flat_map(below).collect()
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn source_trees_from_vsftpd() {
    source(&vsftpd(&packages()).url("pub/source/"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn source_trees_from_proftpd() {
    source(&proftpd(&packages()).url("pub/source/"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn source_trees_from_pure_ftpd() {
    source(&pure_ftpd(&packages()).url_of("wayfarer:secret", "pub/source/"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn source_trees_from_pyftpdlib() {
    source(&pyftpdlib(&packages()).url("pub/source/"));
}

/// Killed in the middle of a file, and begun anew: only what is missing is asked for.
#[test]
#[ignore = "needs the servers of tests/real/run"]
fn broken_trees_go_on() {
    let server = slow_vsftpd(&packages());
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let folder = home.path().join("Downloads/bin");
    let part = folder.join("data.bin.wayfarer-part");
    let mut first = Terminal::start_with(&[&server.url("pub/bin/")], 80, 24, &environment);
    listed(&mut first, "/pub/bin/").keys(":download-tree\r").see("Enter start").keys("\r").see_no("Enter start");
    first.see_that("a part of the file", |_| {
        folder.join("zero.bin").exists() && fs::metadata(&part).is_ok_and(|part| part.len() > 500_000)
    });
    first.signal(Signal::KILL);
    first.end();
    let kept = fs::metadata(&part).unwrap().len();

    let mut second = Terminal::start_with(&["about:home"], 80, 24, &environment);
    second.see("not whole").keys("D").see("broke off").keys("\r").see("go on").keys("g");
    second.see("Enter start").keys("\r").see("1 new, 0 changed, 0 gone, 1 as they were");
    assert!(fs::read(folder.join("data.bin")).unwrap() == content::binary(), "byte for byte what the server has");
    assert!(!part.exists());
    quit(&mut second);
    let log = server.log();
    assert!(log.contains(&format!("REST {kept}")), "only the rest was asked for:\n{log}");
    assert_eq!(log.matches("RETR zero.bin").count(), 1, "{log}");
}
