//! Pictures on terminals that say what they can, and on those that say nothing. What xterm says was taken down from one; what kitty
//! and foot are made to say has the form that they share with it (XTVERSION), and was not.

use crate::server::{Server, whole};
use crate::terminal::Terminal;
use image::{ImageFormat, Rgb, RgbImage};
use std::io::{Cursor, Read};

/// A red picture.
pub fn red(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut octets = Cursor::new(Vec::new());
    RgbImage::from_pixel(width, height, Rgb([255, 0, 0])).write_to(&mut octets, format).unwrap();
    octets.into_inner()
}

fn server() -> Server {
    let menu = "IPicture\t/p.png\t127.0.0.1\t{port}\r\n0Text\t/t\t127.0.0.1\t{port}\r\n.\r\n";
    Server::start(vec![
        ("", whole(menu)),
        ("/p.png", whole(red(16, 32, ImageFormat::Png))),
        ("/t", whole("a text\r\n")),
    ])
}

pub fn holds(raw: &[u8], what: &str) -> bool {
    raw.windows(what.len()).any(|here| here == what.as_bytes())
}

/// Opens the picture, and says these words when the terminal is asked.
fn opened(server: &Server, says: &[(&str, &str)]) -> Terminal {
    let mut terminal = Terminal::start_with(&[&server.url("1")], 80, 24, &[("COLORTERM", "truecolor")]);
    terminal.see("Picture").keys("\r");
    for (question, answer) in says {
        terminal.raw_that("the question", |raw| holds(raw, question)).burst(answer);
    }
    terminal
}

/// What was written from a mark to another, the first of them.
fn between<'a>(raw: &'a str, from: &str, to: &str) -> &'a str {
    let start = raw.find(from).unwrap();
    &raw[start..start + raw[start..].find(to).unwrap() + to.len()]
}

#[test]
fn a_terminal_that_says_nothing_is_shown_half_blocks() {
    let server = server();
    let mut terminal = opened(&server, &[]);
    // Cells of one colour are blanks on it.
    let red = vt100::Color::Rgb(255, 0, 0);
    terminal.see("PNG picture, 16 x 32");
    terminal.cells_that("the picture", |screen| screen.cell(5, 40).is_some_and(|cell| cell.bgcolor() == red));
    let raw = String::from_utf8(terminal.raw()).unwrap();
    assert!(!raw.contains("\x1b_G") && !raw.contains("\x1bP"), "{raw:?}");
    terminal.resize(40, 10).see("PNG picture, 16 x 32");
    terminal.cells_that("the picture", |screen| screen.cell(2, 20).is_some_and(|cell| cell.bgcolor() == red));
    terminal.keys("h").see("Text").keys("Q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn kitty_is_shown_pixels() {
    let server = server();
    let mut terminal = opened(&server, &[("\x1b[>q", "\x1bP>|kitty(0.35.2)\x1b\\")]);
    terminal.raw_that("the pixels", |raw| holds(raw, "\x1b_Gq=2,") && raw.ends_with(b"\x1b[?2026l"));
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let sequence = between(&raw, "\x1b_G", "\x1b\\");
    let (parameters, pixels) = sequence.trim_end_matches("\x1b\\").split_once(';').unwrap();
    assert!(parameters.ends_with(",a=T,U=1,f=32,o=z,t=d,s=16,v=32,c=2,r=2,m=0"), "{parameters}");
    let pixels = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, pixels).unwrap();
    let mut plain = Vec::new();
    flate2::read::ZlibDecoder::new(&*pixels).read_to_end(&mut plain).unwrap();
    assert_eq!(plain, [255, 0, 0, 255].repeat(16 * 32));
    assert!(raw.contains('\u{10EEEE}'), "placeholders");
    terminal.keys("h").see("Text").keys("Q");
    assert_eq!(terminal.end(), 0);
}

/// Of an `xterm -ti vt340`, and of foot: the same pixels.
#[test]
fn sixel_is_shown_pixels() {
    let xterm = [("\x1b[>q", "\x1bP>|XTerm(379)\x1b\\"), ("\x1bP$q\"p\x1b\\", "\x1bP1$r63;1\"p\x1b\\")];
    let foot = [("\x1b[>q", "\x1bP>|foot(1.16.2)\x1b\\")];
    for says in [&xterm[..], &foot[..]] {
        let server = server();
        let mut terminal = opened(&server, says);
        terminal.raw_that("the pixels", |raw| holds(raw, SIXEL));
        let before = terminal.raw().len();
        terminal.keys("?").see("Help");
        let cleared = |raw: &[u8]| holds(&raw[before..], "\x1b[2J");
        terminal.raw_that("the pixels go", cleared).keys("\x1b").see_no("Help").see("PNG picture");
        let again = |raw: &[u8]| holds(&raw[before..], SIXEL);
        terminal.raw_that("the pixels again", again).keys("h").see("Text").keys("Q");
        assert_eq!(terminal.end(), 0);
        let raw = terminal.drained().raw();
        assert!(!holds(&raw, "has no command"), "an answer was taken for keys");
    }
}

/// A page of text that shows the picture below the line that names it.
fn illustrated(says: &[(&str, &str)]) -> (Server, Terminal) {
    let server = server();
    let mut terminal = Terminal::start_with(&[&server.url("1")], 80, 24, &[("COLORTERM", "truecolor")]);
    terminal.see("Picture").keys("x");
    for (question, answer) in says {
        terminal.raw_that("the question", |raw| holds(raw, question)).burst(answer);
    }
    (server, terminal)
}

#[test]
fn a_text_shows_a_picture_by_whatever_the_terminal_can() {
    let red = vt100::Color::Rgb(255, 0, 0);
    let (_blocks, mut terminal) = illustrated(&[]);
    terminal.cells_that("the picture", |screen| screen.cell(1, 5).is_some_and(|cell| cell.bgcolor() == red));
    terminal
        .see("Text")
        .keys("x")
        .cells_that("no picture", |screen| screen.cell(1, 5).is_some_and(|c| c.bgcolor() != red));
    terminal.keys("Q");
    assert_eq!(terminal.end(), 0);
    let (_kitty, mut terminal) = illustrated(&[("\x1b[>q", "\x1bP>|kitty(0.35.2)\x1b\\")]);
    terminal.raw_that("the pixels", |raw| holds(raw, "\x1b_Gq=2,") && raw.ends_with(b"\x1b[?2026l"));
    terminal.see("Text").keys("Q");
    assert_eq!(terminal.end(), 0);
    let (_sixel, mut terminal) = illustrated(&[("\x1b[>q", "\x1bP>|foot(1.16.2)\x1b\\")]);
    terminal.raw_that("the pixels", |raw| holds(raw, SIXEL));
    let before = terminal.raw().len();
    terminal.keys("x").raw_that("the pixels go", |raw| holds(&raw[before..], "\x1b[2J"));
    terminal.see("Text").keys("Q");
    assert_eq!(terminal.end(), 0);
}

/// The picture in Sixel: one colour, five bands of six rows and one of two.
pub const SIXEL: &str = "\x1bP9;1;0q\"1;1;16;32#0;2;100;0;0#0!16~$-#0!16~$-#0!16~$-#0!16~$-#0!16~$-#0!16B$-\x1b\\";

/// The rows at which Sixel stands, as a terminal has it that was written this: what was painted since it was cleared last.
fn painted(raw: &[u8]) -> Vec<usize> {
    let raw = String::from_utf8_lossy(raw);
    let shown = raw.rfind("\x1b[2J").map_or(&*raw, |at| &raw[at..]);
    let row = |(at, _): (usize, &str)| {
        let place = shown[..at].rsplit("\x1b[").find_map(|text| text.split_once('H')?.0.split_once(';'));
        place.unwrap().0.parse().unwrap()
    };
    shown.match_indices("\x1bP9;1;0q").map(row).collect()
}

#[test]
fn sixel_that_moves_with_its_text_leaves_nothing_where_it_was() {
    let menu: String = (0..60).map(|n| format!("iLine {n}\t\t127.0.0.1\t{{port}}\r\n")).collect();
    let menu = format!("iAbove\t\t127.0.0.1\t1\r\nIPicture\t/p.png\t127.0.0.1\t{{port}}\r\n{menu}.\r\n");
    let server = Server::start(vec![("", whole(menu)), ("/p.png", whole(red(16, 32, ImageFormat::Png)))]);
    let mut terminal = Terminal::start_with(&[&server.url("1")], 80, 24, &[("COLORTERM", "truecolor")]);
    terminal.see("Line 0").keys("x");
    terminal.raw_that("the question", |raw| holds(raw, "\x1b[>q")).burst("\x1bP>|foot(1.16.2)\x1b\\");
    let mut stands = |keys: &str, rows: &[usize]| {
        let whole = |raw: &[u8]| raw.ends_with(b"\x1b[?2026l");
        terminal.keys(keys).raw_that(&format!("pixels at {rows:?}"), |raw| whole(raw) && painted(raw) == rows);
    };
    stands("", &[3]);
    // A line down, and half of it, and out; back, and out by a screen; over it, and on again.
    stands("J", &[2]);
    stands("J", &[1]);
    stands("J", &[1]);
    stands("J", &[]);
    stands("KKKK", &[3]);
    stands(" ", &[]);
    stands("b", &[3]);
    stands("?", &[]);
    stands("\x1b", &[3]);
    terminal.resize(70, 24);
    terminal.raw_that("pixels again", |raw| raw.ends_with(b"\x1b[?2026l") && painted(raw) == [3]);
    terminal.keys("Q").end();
}

#[test]
fn an_old_xterm_is_shown_half_blocks() {
    let server = server();
    let says = [("\x1b[>q", "\x1bP>|XTerm(379)\x1b\\"), ("\x1bP$q\"p\x1b\\", "\x1bP1$r64;1\"p\x1b\\")];
    let mut terminal = opened(&server, &says);
    let red = vt100::Color::Rgb(255, 0, 0);
    terminal.cells_that("the picture", |screen| screen.cell(5, 40).is_some_and(|cell| cell.bgcolor() == red));
    terminal.keys("+").see("150 %").keys("Q");
    assert_eq!(terminal.end(), 0);
}
