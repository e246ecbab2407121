//! One file of the reader's into a directory of a server, after a yes.

use super::listed;
use super::servers::{proftpd, pure_ftpd, pyftpdlib, vsftpd_with_a_place};
use crate::packages;
use crate::quit;
use crate::terminal::Terminal;
use std::fs;
use std::path::Path;

/// Puts a file there twice: into a place that has none of its name, and into one that has.
fn put(url: &str, place: &str, there: &Path) {
    let mut screen = Terminal::start(&[url]);
    let name = there.file_name().unwrap().to_str().unwrap().to_owned();
    let text = "a text of the reader's\n".repeat(40_000);
    fs::write(screen.home().join(&name), &text).unwrap();
    listed(&mut screen, place).keys(&format!(":put ~/{name}\r"));
    screen.see("Read this file (920 kB) and send it to").see("Nothing there is called").keys("n");
    screen.see("nothing was sent");
    assert!(!there.exists());
    screen.keys(&format!(":put ~/{name}\r")).see("Read this file").keys("y").see("the server has 920,000 octets of it");
    assert!(fs::read(there).unwrap() == text.as_bytes(), "byte for byte what was sent");
    // The listing has it, and who sends it again is told.
    screen.keys("R");
    listed(&mut screen, place).see(&name).keys(&format!(":put ~/{name}\r"));
    screen.see("Read this file").see_no("Nothing there is called").keys("n").see("nothing was sent");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn put_on_vsftpd() {
    let server = vsftpd_with_a_place(&packages());
    put(&server.url("incoming/"), "/incoming/", &server.incoming("to-vsftpd.txt"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn put_on_proftpd() {
    let server = proftpd(&packages());
    put(&server.url_of("wayfarer:secret", ""), " /  list", &server.home("to-proftpd.txt"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn put_on_pure_ftpd() {
    let server = pure_ftpd(&packages());
    put(&server.url_of("wayfarer:secret", "incoming/"), "/incoming/", &server.incoming("to-pure-ftpd.txt"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn put_on_pyftpdlib() {
    let server = pyftpdlib(&packages());
    put(&server.url("incoming/"), "/incoming/", &server.incoming("to-pyftpdlib.txt"));
}
