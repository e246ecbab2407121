//! Archives on servers, walked by keys as directories are, and one member of each saved.

use super::servers::{Server, proftpd, pure_ftpd, pyftpdlib, vsftpd};
use super::{content, listed};
use crate::packages;
use crate::terminal::Terminal;
use crate::{focus, follow, quit};
use std::fs;

fn walked(url: &str) {
    // Wide: in a narrow bar a login leaves no room for counts.
    let mut screen = Terminal::start_with(&[url], 160, 24, &[]);
    let downloads = screen.home().join("Downloads");
    for name in content::ARCHIVES {
        listed(&mut screen, "/pub/archives/  list").see(content::ARCHIVES[0]).see(content::ARCHIVES[1]);
        follow(&mut screen, name);
        screen.see("docs/").see("hello.c").focused("../");
        follow(&mut screen, "docs/");
        screen.see_no("hello.c").see("guide.txt").focused("../");
        follow(&mut screen, "guide.txt");
        screen.see(&format!("The guide of {name}.")).keys("h").focused("guide.txt");
        // Up by one key each: out of the folder, and out of the archive.
        screen.keys("U").see("hello.c").focused("docs/");
        focus(&mut screen, "hello.c");
        screen.keys("d").see("save as: ~/Downloads/hello.c").keys("\r").see("saved ~/Downloads/hello.c");
        let saved = downloads.join("hello.c");
        assert_eq!(fs::read(&saved).unwrap(), content::archived(name, "hello.c"), "{name}");
        fs::remove_file(saved).unwrap();
        screen.keys("U").focused(name);
    }
    quit(&mut screen);
}

fn server(start: fn(&std::path::Path) -> Server) -> Server {
    start(&packages())
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn archives_on_vsftpd() {
    walked(&server(vsftpd).url("pub/archives/"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn archives_on_proftpd() {
    walked(&server(proftpd).url("pub/archives/"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn archives_on_pure_ftpd() {
    walked(&server(pure_ftpd).url_of("wayfarer:secret", "pub/archives/"));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn archives_on_pyftpdlib() {
    walked(&server(pyftpdlib).url("pub/archives/"));
}
