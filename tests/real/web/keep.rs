//! What is kept: downloads, whole and in two parts, and cookies as long as the session.

use super::content;
use super::servers::nginx;
use crate::packages;
use crate::quit;
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::fs;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_download_has_the_name_that_the_server_gives() {
    let packages = packages();
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.url("download")]);
    screen.see("This is no page").keys("s").see("save as: ~/Downloads/odd name.bin").keys("\r").see("saved ");
    assert!(fs::read(screen.home().join("Downloads/odd name.bin")).unwrap() == content::binary(), "byte for byte");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_broken_download_goes_on() {
    let packages = packages();
    let server = nginx(&packages);
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let url = server.url("slow/data.bin");
    let visit = || Terminal::start_with(&[&url], 80, 24, &environment);
    let file = home.path().join("Downloads/data.bin");
    let part = home.path().join("Downloads/data.bin.wayfarer-part");

    let mut first = visit();
    first.see("This is no page").keys("s").see("save as: ~/Downloads/data.bin").keys("\r");
    first.see_that("a part of the file", |_| fs::metadata(&part).is_ok_and(|part| part.len() > 300_000));
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
    assert!(log.contains(&format!("/slow/data.bin bytes={kept}-")), "only the rest was asked for:\n{log}");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn cookies_last_as_long_as_the_session() {
    let packages = packages();
    let server = nginx(&packages);
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let mut first = Terminal::start_with(&[&server.url("cookie")], 80, 24, &environment);
    first.see("cookie=taste=sweet").keys(&format!("g{}\r", server.url("echo?again")));
    first.see("/echo?again").see("cookie=taste=sweet");
    quit(&mut first);
    let mut second = Terminal::start_with(&[&server.url("echo")], 80, 24, &environment);
    second.see("GET /echo").see("cookie=").see_no("taste");
    quit(&mut second);
}
