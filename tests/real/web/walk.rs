//! From page to page and back.

use super::servers::nginx;
use crate::packages;
use crate::terminal::Terminal;
use crate::{follow, quit};

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn there_and_back() {
    let packages = packages();
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.url("")]);
    screen.see("Wayfarer test site").see(&format!(":{}", server.address.port()));
    follow(&mut screen, "a table");
    screen.see("Ferries").see("North").see("140");
    follow(&mut screen, "Mill");
    screen.see("GET /echo").keys("h").focused("Mill").see("140");
    screen.keys("h").focused("a table");
    // Down to a named place, and back to the link.
    follow(&mut screen, "far down");
    screen.see("This is line 90.").see_no("This is line 60.").keys("h").focused("far down");
    follow(&mut screen, "moved");
    screen.see("from=302").see("Wayfarer test site");
    screen.keys("h").focused("moved");
    // The server's own page, and its number below.
    follow(&mut screen, "nothing");
    screen.see("404 Not Found").see("nginx/").keys("h").focused("nothing");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn redirects() {
    let packages = packages();
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.url("r/chain/1")]);
    screen.see("A plain text.").see("/plain.txt");
    screen.keys(&format!("g{}\r", server.url("r/loop"))).see("more than 20 times");
    screen.keys(&format!("g{}\r", server.url("r/file"))).see("that is not");
    screen.keys(&format!("g{}\r", server.url("r/gopher"))).see("gopher://127.0.0.1").see("n stay here");
    screen.keys("n").see_no("n stay here");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn bases_frames_and_nested_tables() {
    let packages = packages();
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.url("based.html")]);
    screen
        .see("By the base")
        .see("base: document")
        .keys("=")
        .see("Anatomy")
        .keys("\t")
        .see("in force")
        .keys("\x1b")
        .see_no("in force");
    follow(&mut screen, "By the base");
    screen.see("A plain text.").keys("h").focused("By the base");
    // A fragment alone stays on the page, whatever the base says, and nothing is asked for.
    let asked = server.log().lines().count();
    follow(&mut screen, "Below");
    screen.see("#below");
    assert_eq!(server.log().lines().count(), asked);
    screen.keys(&format!("g{}\r", server.url("frames.html"))).see("[frame: menu]").see("[frame: main]");
    screen.keys("\t\r");
    screen.see("Ferries");
    screen.keys(&format!("g{}\r", server.url("nested.html"))).see("Outer left").see("Inner two").see("Across both");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_slow_page_is_read_while_it_comes() {
    let packages = packages();
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.url("slow/page.html")]);
    // Line 11 is the last of the first screen.
    screen.see("Slowly, line 11.").keys(" ").see("Slowly, line 12.").keys("\x1b").see("stopped");
    quit(&mut screen);
}
