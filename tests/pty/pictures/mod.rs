//! The pictures of `assets/screenshots`, as text and as SVG: what the real program shows of pages from servers on loopback.
//!
//! The tests fail when the pictures no longer show the program; `WAYFARER_PICTURES=draw cargo test --test pty pictures` draws them
//! anew. What differs from run to run, ports and times, is made the same before anything is compared.

mod grid;
mod servers;
mod svg;

use crate::server::{Server, whole};
use crate::terminal::Terminal;
use grid::Grid;
use std::path::Path;

const COLUMNS: u16 = 80;
const ROWS: u16 = 22;

/// A program in front of a page, with colours of 24 bits.
fn open(addresses: &[&str]) -> Terminal {
    Terminal::start_with(addresses, COLUMNS, ROWS, &[("COLORTERM", "truecolor"), ("TZ", "UTC")])
}

/// Compares the screen with a picture, or draws it as soon as `shown` is on the screen, which is what comes there last.
fn picture(screen: &mut Terminal, name: &str, ports: &[u16], shown: &str) {
    let file = |ending: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/screenshots/{name}.{ending}"));
    if std::env::var_os("WAYFARER_PICTURES").is_some() {
        screen.frame_that(shown, |screen| {
            if !screen.contents().contains(shown) {
                return false;
            }
            let grid = Grid::of(screen, ports);
            std::fs::write(file("txt"), grid.text()).unwrap();
            std::fs::write(file("svg"), svg::draw(&grid, name)).unwrap();
            true
        });
        return;
    }
    let read = |ending| std::fs::read_to_string(file(ending)).unwrap_or_default();
    let (text, drawn) = (read("txt"), read("svg"));
    let what = format!("the picture {name}.svg (WAYFARER_PICTURES=draw draws it anew) with the text\n{text}");
    screen.cells_that(&what, |screen| {
        let grid = Grid::of(screen, ports);
        grid.text() == text && svg::draw(&grid, name) == drawn
    });
}

fn burrow() -> Server {
    Server::start(vec![
        ("", whole(include_str!("burrow.menu"))),
        ("/search\twalking tours", whole(include_str!("found.menu"))),
        ("/maps", whole("iMaps\t\terror.host\t1\r\n.\r\n")),
        ("/about.txt", whole("The burrow has been digging since 1991.\r\nWhoever asks kindly is let in.\r\n")),
        ("/tours/lake.txt", whole(include_str!("lake.txt"))),
    ])
}

#[test]
fn a_menu_and_what_its_addresses_mean() {
    let server = burrow();
    let ports = [server.port()];
    let mut screen = open(&[&server.url("1")]);
    picture(screen.loaded(), "menu", &ports, "The library of the burrow");
    screen.keys(&format!("g{}\r", server.url("7/search%09walking%20tours"))).see("Round the lake").keys("=");
    picture(&mut screen, "anatomy", &ports, "Where the link leads");
}

#[test]
fn a_text_the_keys_of_here_letters_on_links_and_two_panes() {
    let server = burrow();
    let ports = [server.port()];
    let mut screen = open(&[&server.url("0/tours/lake.txt")]);
    picture(&mut screen, "text", &ports, "All  729 B");
    let mut screen = open(&[&server.url("1")]);
    screen.loaded().keys("?");
    picture(&mut screen, "help", &ports, "With the link under focus");
    screen.keys("\x1b").see_no("Help").keys("f");
    picture(&mut screen, "hints", &ports, "hint:");
    screen.keys("\x1b").see_no("hint:").keys("|").see("nothing opened yet").keys("\r");
    picture(&mut screen, "panes", &ports, "digging since 1991");
}

#[test]
fn a_directory() {
    let server = servers::ftp(include_str!("archive.mlsd"));
    let mut screen = open(&[&format!("ftp://127.0.0.1:{server}/pub/")]);
    picture(&mut screen, "directory", &[server], "All  603 B");
}

#[test]
fn a_newsgroup() {
    let server = servers::news(include_str!("group.overview"));
    let mut screen = open(&[&format!("news://127.0.0.1:{server}/rec.walking.hills")]);
    screen.see("4 threads new").keys("*").see("▾ • The ferry");
    picture(&mut screen, "newsgroup", &[server], "10 unread  All");
}

#[test]
fn a_page_with_a_table() {
    let server = servers::web(include_str!("ferries.html"));
    let mut screen = open(&[&format!("http://127.0.0.1:{server}/ferries.html")]);
    picture(screen.loaded(), "table", &[server], "Ferries");
}

#[test]
fn tabs_and_the_address_prompt() {
    let (gopher, web) = (burrow(), servers::web(include_str!("ferries.html")));
    let page = format!("http://127.0.0.1:{web}/ferries.html");
    let mut screen = open(&[&gopher.url("1"), &page, "about:urls"]);
    screen.loaded().keys("}").see("bicycles").keys(&format!("g{}", gopher.url("7/search%09walking%20tours")));
    picture(&mut screen, "prompt", &[gopher.port(), web], "walking%20tours");
}

/// Text and colours of a screen are the same whichever port and time it has.
#[test]
fn ports_and_times_leave_no_trace() {
    let grid = |port: u16, took: &str| {
        let mut parser = vt100::Parser::new(crate::terminal::cells(2), crate::terminal::cells(60), 0);
        let (left, right) = (format!(" gopher  h :{port}  menu"), format!("All  556 B  {took} "));
        parser.process(format!("gopher://h:{port}/1\r\n{left}{right:>width$}", width = 60 - left.len()).as_bytes());
        Grid::of(parser.screen(), &[port]).text()
    };
    let quick = grid(45678, "4 ms");
    assert_eq!(quick, grid(45679, "1.2 s"));
    assert_eq!(quick, grid(45680, "123 ms"));
    assert_eq!(quick, grid(45681, "1 s"));
    assert!(!quick.contains("45678"));
}
