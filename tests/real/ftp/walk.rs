//! What all servers can do for anonymous visitors: directories large and deep, links, odd names, texts, a download.

use super::content::{self, ODD_NAMES};
use super::servers::{Server, proftpd, pyftpdlib, vsftpd};
use super::{listed, shows};
use crate::packages;
use crate::terminal::Terminal;
use crate::{arrived, focus, follow, quit};

/// A journey on each server.
macro_rules! journeys {
    ($($journey:ident)*) => {$(
        mod $journey {
            #[test]
            #[ignore = "needs the servers of tests/real/run"]
            fn vsftpd() {
                super::$journey(&super::vsftpd(&super::packages()));
            }

            #[test]
            #[ignore = "needs the servers of tests/real/run"]
            fn proftpd() {
                super::$journey(&super::proftpd(&super::packages()));
            }

            #[test]
            #[ignore = "needs the servers of tests/real/run"]
            fn pyftpdlib_listing_as_dos() {
                super::$journey(&super::pyftpdlib(&super::packages()));
            }
        }
    )*};
}

journeys! { there_and_back odd_names download }

fn there_and_back(server: &Server) {
    let mut screen = Terminal::start(&[&server.url("")]);
    listed(&mut screen, " /  list")
        .see("welcome.msg")
        .see("ftp  ")
        .see("127.0.0.1")
        .see(&format!(":{}", server.address.port()));
    follow(&mut screen, "pub/");
    listed(&mut screen, "/pub/  list").see("README").see("big/");
    follow(&mut screen, "big/");
    listed(&mut screen, "/pub/big/  list").see("10,000 entries, ");
    // To the last entry and back, whatever order the server has.
    screen.keys("\x1b[F").see("Bot").keys("\x1b[H").focused("../");
    focus(&mut screen, "file-09876.txt");
    screen.keys("\r").see("This is file 76.").keys("h").focused("file-09876.txt");
    screen.keys("h").focused("big/");
    // Thirty directories down, one by one, and up again by one key each.
    follow(&mut screen, "deep/");
    listed(&mut screen, "/deep/  list");
    for level in 0..=content::DEPTH {
        follow(&mut screen, &format!("level{level:02}/"));
        let next = if level == content::DEPTH { "here.txt".into() } else { format!("level{:02}/", level + 1) };
        // Until then the old page stays, with the focus on the way down.
        shows(screen.focused("../"), &format!("level{level:02}/  list"), &next);
    }
    follow(&mut screen, "here.txt");
    screen.see(&format!("level {}", content::DEPTH));
    shows(screen.keys("U"), &format!("/level{}/  list", content::DEPTH), "here.txt");
    shows(screen.keys("U"), &format!("/level{}/  list", content::DEPTH - 1), &format!("level{}/", content::DEPTH));
    quit(&mut screen);
}

fn odd_names(server: &Server) {
    let mut screen = Terminal::start(&[&server.url("pub/names/")]);
    listed(&mut screen, "/pub/names/  list");
    for (number, (name, shown)) in ODD_NAMES.iter().enumerate() {
        if !server.has(name) {
            continue;
        }
        follow(&mut screen, shown);
        screen.see(content::odd_text(number).trim_end()).keys("h").focused(shown);
    }
    follow(&mut screen, "dir with space/");
    shows(screen.focused("../"), "/dir with space/  list", "in side.txt");
    follow(&mut screen, "in side.txt");
    screen.see("inside");
    quit(&mut screen);
}

fn download(server: &Server) {
    let mut screen = Terminal::start(&[&server.url("pub/bin/")]);
    listed(&mut screen, "/pub/bin/  list").see("data.bin").see("5.2 MB");
    follow(&mut screen, "data.bin");
    screen.see("This is no page").see("s save").keys("s");
    screen.see("save as: ~/Downloads/data.bin").keys("\r").see("saved ");
    let saved = std::fs::read(screen.home().join("Downloads/data.bin")).unwrap();
    assert!(saved == content::binary(), "the file is byte for byte what the server has");
    quit(&mut screen);
}

/// Links are told apart in vsftpd's and proftpd's listings; pyftpdlib's shows what they lead to.
fn links(server: &Server) {
    let mut screen = Terminal::start(&[&server.url("pub/links/")]);
    listed(&mut screen, "/pub/links/  list").see("to-file");
    follow(&mut screen, "to-file");
    screen.see("The pub folder.").keys("h").focused("to-file");
    follow(&mut screen, "to-dir");
    shows(screen.focused("../"), "/pub/links/to-dir/  list", "latin1.txt");
    follow(&mut screen, "latin1.txt");
    screen.see("Latin-1: café, naïve").keys("h").focused("latin1.txt").keys("h").focused("to-dir");
    for place in ["/links/loop/  list", "/links/loop/loop/  list", "/links/loop/loop/loop/  list"] {
        follow(&mut screen, "loop");
        shows(screen.focused("../"), place, "loop");
    }
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn links_on_vsftpd() {
    let packages = packages();
    let server = vsftpd(&packages);
    links(&server);
    let mut screen = Terminal::start(&[&server.url("pub/links/")]);
    listed(&mut screen, "/pub/links/  list").see("to-file → ../README");
    follow(&mut screen, "broken");
    screen.see("has no \"broken\"");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn links_on_proftpd() {
    let packages = packages();
    links(&proftpd(&packages));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn texts() {
    let packages = packages();
    let server = vsftpd(&packages);
    let mut screen = Terminal::start(&[&server.url("pub/text/")]);
    listed(&mut screen, "/pub/text/  list");
    follow(&mut screen, "long.txt");
    arrived(screen.see("About the archive"))
        .keys(" ")
        .see("Line 22 of")
        .keys(" ")
        .see("Line 41 of")
        .see_no("Line 19 of")
        .keys("h")
        .focused("long.txt");
    screen.keys("L").see("Line 41 of").keys("h").focused("long.txt");
    screen.keys(&format!("g{}\r", server.url("pub/text/crlf.txt;type=a"))).see("one").see("two");
    screen.keys(&format!("g{}\r", server.url("pub/nothing"))).see("has no \"nothing\"").see("R try again").see("tried");
    screen.keys(&format!("g{}\r", server.url("pub"))).see("README").see("/pub/  list");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn sorted_and_narrowed() {
    let packages = packages();
    let server = proftpd(&packages);
    let mut screen = Terminal::start(&[&server.url("pub/big/")]);
    listed(&mut screen, "/pub/big/  list");
    let first = |screen: &str| screen.lines().find(|row| row.contains("file-")).unwrap_or_default().to_owned();
    screen.keys("sn").see_that("the first name first", |now| first(now).contains("file-00000.txt"));
    screen
        .keys("ss")
        .see_that("sizes in order", |now| !first(now).contains("file-00000.txt") || first(now).contains("9.9"));
    screen
        .keys("sd")
        .see_that("days in order", |now| first(now).contains("2024-09-24") || first(now).contains("2025-01-01"));
    screen.keys("&file-012").see("file-01200.txt").keys("\r").see("100 of 10,000");
    quit(&mut screen);
}
