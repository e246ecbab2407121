//! Terminals that can do less: without colour, with sixteen, without Unicode, without a cursor.

use crate::server::{Server, whole};
use crate::terminal::{PROGRAM, Terminal};

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

const QUESTION: &[u8] = b"\x1b]11;?\x07";

/// Asked what its ground is, it says white.
fn white(terminal: &mut Terminal) -> &mut Terminal {
    terminal.raw_that("the question", |raw| raw.windows(QUESTION.len()).any(|here| here == QUESTION));
    terminal.burst("\x1b]11;rgb:ffff/ffff/ffff\x07")
}

/// The ground of the bar, which covers the terminal's own.
fn bar(screen: &vt100::Screen) -> vt100::Color {
    screen.cell(22, 40).map(vt100::Cell::bgcolor).unwrap_or_default()
}

#[test]
fn a_white_terminal_is_not_drawn_on_as_if_it_were_black() {
    let (dark, light) = (vt100::Color::Rgb(0x23, 0x27, 0x2f), vt100::Color::Rgb(0xe4, 0xe7, 0xec));
    let mut terminal = Terminal::start_with(&["about:home"], 80, 24, &[("COLORTERM", "truecolor")]);
    terminal.cells_that("the dark theme, as long as nothing is known", |screen| bar(screen) == dark);
    white(&mut terminal).cells_that("the light theme", |screen| bar(screen) == light);
    terminal.see("Where to go").keys("Q");
    assert_eq!(terminal.end(), 0);
    // The answer was no key: nothing was asked, nothing opened.
    assert!(!terminal.screen().contains("rgb"), "{}", terminal.screen());
    let known = std::fs::read_to_string(terminal.home().join(".local/state/wayfarer/grounds")).unwrap();
    assert!(known.contains("xterm-256color\tlight\t"), "{known}");
}

#[test]
fn the_ground_of_the_last_time_is_known_before_the_terminal_answers() {
    let script = format!("{PROGRAM} about:home; {PROGRAM} about:home");
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[("COLORTERM", "truecolor")]);
    let light = vt100::Color::Rgb(0xe4, 0xe7, 0xec);
    white(&mut terminal).cells_that("the light theme", |screen| bar(screen) == light);
    terminal.keys("Q");
    let again = |raw: &[u8]| raw.windows(8).filter(|here| *here == b"\x1b[?1049h").count() == 2;
    terminal
        .raw_that("the second run", again)
        .see("Where to go")
        .cells_that("its ground", |screen| bar(screen) == light);
    terminal.keys("Q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn the_environment_knows_the_ground_better_than_the_last_time_and_an_answer_best() {
    let script = format!("{PROGRAM} about:home; COLORFGBG='15;0' {PROGRAM} about:home");
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[("COLORTERM", "truecolor")]);
    let light = vt100::Color::Rgb(0xe4, 0xe7, 0xec);
    white(&mut terminal).cells_that("the light theme", |screen| bar(screen) == light);
    terminal.keys("Q");
    let again = |raw: &[u8]| raw.windows(8).filter(|here| *here == b"\x1b[?1049h").count() == 2;
    terminal.raw_that("the second run", again).see("Where to go");
    terminal.cells_that("the dark theme", |screen| bar(screen) != light && bar(screen) != vt100::Color::Default);
    let asked = |raw: &[u8]| raw.windows(QUESTION.len()).filter(|here| *here == QUESTION).count() == 2;
    terminal.raw_that("the second question", asked).burst("\x1b]11;rgb:ffff/ffff/ffff\x07");
    terminal.cells_that("what the terminal answers", |screen| bar(screen) == light);
    terminal.keys("Q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn an_answer_that_is_late_is_not_typed_at_the_shell() {
    let script = format!("stty echo; {PROGRAM} about:home; echo at the shell; read line; echo \"<$line>\"");
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]);
    terminal.raw_that("the question", |raw| raw.windows(QUESTION.len()).any(|here| here == QUESTION));
    terminal.burst("Q\x1b]11;rgb:ffff/ffff/ffff\x07");
    terminal.see("at the shell").burst("mine\r").see("<mine>");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_console_is_not_asked() {
    let written = walked(&[("TERM", "linux")], &[]);
    assert!(!written.contains("\x1b]11"), "{written:?}");
}

#[test]
fn a_white_terminal_of_sixteen_colours_gets_only_what_can_be_read_on_white() {
    let written = walked(&[("TERM", "xterm"), ("COLORFGBG", "0;15")], &[]);
    assert!(!colours(&written).is_empty());
    for look in looks(&written) {
        let bright =
            ["92", "93", "96", "38;5;10", "38;5;11", "38;5;14", "38;5;2", "38;5;3", "38;5;6", "32", "33", "36"];
        assert!(!bright.contains(&look), "{look} on white");
    }
}
