//! Terminals that can do less: without colour, with sixteen, without Unicode, without a cursor.

use crate::server::{Server, whole};
use crate::terminal::Terminal;

fn server() -> Server {
    let menu =
        "iBox \u{2502} Καλημέρα ▸\t\tx\t1\r\n1Ünder\t/u\t127.0.0.1\t{port}\r\n0Text\t/t\t127.0.0.1\t{port}\r\n.\r\n";
    Server::start(vec![("", whole(menu)), ("/t", whole("déjà vu — “quoted”\r\n"))])
}

/// Walks about so that all looks are on the screen once; everything that was written.
fn walked(environment: &[(&str, &str)], arguments: &[&str]) -> String {
    let server = server();
    let url = server.url("1");
    let arguments: Vec<&str> = arguments.iter().copied().chain([url.as_str()]).collect();
    let mut terminal = Terminal::start_with(&arguments, 80, 24, environment);
    terminal.see("nder").keys("=").see("Anatomy").keys("\x1b").see_no("Anatomy").keys("?").see("Help");
    terminal.keys("\x1b").see_no("Help").keys("/nder\r").see("1/1").keys("f").see("hint:").keys("\x1b").see_no("hint:");
    terminal.keys("O").see("/ type").keys("\x1b").see_no("/ type").keys("2\r").see_no("nder").keys("q");
    assert_eq!(terminal.end(), 0);
    String::from_utf8(terminal.drained().raw()).unwrap()
}

/// The parameters of every SGR sequence.
fn looks(written: &str) -> Vec<&str> {
    let look = |sequence: &'_ str| sequence.find(|c: char| !c.is_ascii_digit() && c != ';' && c != ':');
    let sequences = written.split("\x1b[").skip(1);
    sequences
        .filter_map(|rest| look(rest).filter(|end| rest[*end..].starts_with('m')).map(|end| &rest[..end]))
        .collect()
}

/// Numbers of colours, other than the terminal's own (39, 49, 59).
fn colours(written: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for look in looks(written) {
        let numbers: Vec<u32> = look.split([';', ':']).filter_map(|n| n.parse().ok()).collect();
        let coloured = |n: &&u32| matches!(n, 30..=38 | 40..=48 | 58 | 90..=97 | 100..=107);
        found.extend(numbers.iter().find(coloured));
    }
    found
}

#[test]
fn no_colour_where_none_is_wanted() {
    for (environment, arguments) in [
        (&[("NO_COLOR", "1")][..], &[][..]),
        (&[("TERM", "vt100")], &[]),
        (&[], &["--no-color"]),
        (&[], &["-o", "colours=never"]),
    ] {
        let written = walked(environment, arguments);
        assert_eq!(colours(&written), [0; 0], "{environment:?} {arguments:?}");
        assert!(!looks(&written).is_empty(), "the focus is told by other looks");
    }
}

#[test]
fn sixteen_colours_and_more() {
    let written = walked(&[("TERM", "linux")], &[]);
    assert!(!colours(&written).is_empty());
    for look in looks(&written) {
        assert!(!look.contains("8;2;"), "true colour on a console: {look}");
        let indexed = look.split_once("8;5;").map(|(_, rest)| rest.split(';').next().unwrap().parse::<u32>().unwrap());
        assert!(indexed.is_none_or(|n| n < 16), "one of 256 colours on a console: {look}");
    }
    let written = walked(&[("COLORTERM", "truecolor")], &[]);
    assert!(looks(&written).iter().any(|look| look.contains("38;2;")));
}

#[test]
fn only_ascii_where_the_locale_says_nothing_else() {
    for environment in [&[("LANG", "C")][..], &[("LANG", "")], &[("LC_ALL", "POSIX")]] {
        let written = walked(environment, &[]);
        let bad = written.chars().find(|c| !c.is_ascii());
        assert_eq!(bad, None, "{environment:?}");
    }
}

#[test]
fn a_terminal_without_a_cursor_prints_the_page() {
    let server = server();
    let mut terminal = Terminal::start_with(&[&server.url("0/t")], 80, 24, &[("TERM", "dumb")]);
    assert_eq!(terminal.end(), 0);
    let raw = terminal.drained().raw();
    assert!(!raw.contains(&0x1b), "{:?}", String::from_utf8_lossy(&raw));
    assert!(String::from_utf8_lossy(&raw).contains("déjà vu"));
}
