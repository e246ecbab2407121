//! What is kept on the reader's disk: a download that breaks and goes on, a directory with all that is below it.

use super::servers::{Server, proftpd, slow_vsftpd, vsftpd};
use super::{content, listed};
use crate::packages;
use crate::terminal::Terminal;
use crate::{focus, quit};
use rustix::process::Signal;
use std::fs;

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
    let part = home.path().join("Downloads/data.bin.part");

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
    // One more is in a directory below, and one is left out: a backslash is no part of a safe name.
    let all = content::ODD_NAMES.len();
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
    // A link is not followed on the way: this one leads into itself.
    focus(&mut screen, "links/");
    screen.keys("\x1bd").see("left out").see("links").keys("\x1b").see_no("left out");
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
