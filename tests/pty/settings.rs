//! Settings from inside, with the file that they are kept in.

use crate::terminal::{PROGRAM, Terminal};
use std::fs;
use std::path::Path;

const FILE: &str = ".config/wayfarer/settings.toml";

fn folder(home: &Path) {
    fs::create_dir_all(home.join(".config/wayfarer")).unwrap();
}

/// The ground of the bar.
fn bar(screen: &vt100::Screen) -> vt100::Color {
    screen.cell(22, 40).map(vt100::Cell::bgcolor).unwrap_or_default()
}

const DARK: vt100::Color = vt100::Color::Rgb(0x23, 0x27, 0x2f);
const LIGHT: vt100::Color = vt100::Color::Rgb(0xe4, 0xe7, 0xec);

/// Runs the program again and again, in one home, with a file of settings.
fn twice(text: &str, arguments: &str) -> Terminal {
    let script = format!(
        "mkdir -p .config/wayfarer; printf '%s' '{text}' > {FILE}; {PROGRAM} {arguments}; {PROGRAM} about:settings"
    );
    Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[("COLORTERM", "truecolor")])
}

#[test]
fn a_theme_that_is_tried_is_kept_with_the_comments_of_the_file() {
    let mut terminal = twice("# mine\ntheme = \"dark\" # at night\n", "about:home");
    terminal.see("Where to go").keys("%").see("~/.config/wayfarer/settings.toml").keys("\x27theme\r");
    terminal.cells_that("the dark theme", |screen| bar(screen) == DARK);
    // Right.
    terminal.keys("\x1b[C").cells_that("the light theme", |screen| bar(screen) == LIGHT).see("theme is \"light\"");
    terminal.see("line 2 of the file").keys("Q");
    let again = |raw: &[u8]| raw.windows(8).filter(|here| *here == b"\x1b[?1049h").count() == 2;
    terminal.raw_that("the second run", again).see("~/.config/wayfarer/settings.toml").see("line 2 of the file");
    terminal.cells_that("the light theme", |screen| bar(screen) == LIGHT);
    let text = fs::read_to_string(terminal.home().join(FILE)).unwrap();
    assert_eq!(text, "# mine\ntheme = \"light\" # at night\n");
    terminal.keys("Q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn themes_are_shown_while_one_is_chosen() {
    let mut terminal = Terminal::start_with(&["-o", "theme=dark", "about:home"], 80, 24, &[("COLORTERM", "truecolor")]);
    terminal.see("Where to go").keys(":theme\r").see("Themes").keys("light");
    terminal.cells_that("the light theme", |screen| bar(screen) == LIGHT).keys("\x1b");
    terminal.cells_that("the dark theme again", |screen| bar(screen) == DARK).keys("Q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn what_was_written_into_the_file_is_taken_over_when_the_reader_says_so() {
    let mut terminal = Terminal::start_with(&["about:home"], 80, 24, &[("COLORTERM", "truecolor")]);
    terminal.see("Where to go");
    folder(terminal.home());
    fs::write(terminal.home().join(FILE), "theme = \"light\"\n[limits]\nconnect = \"5 s\"\n").unwrap();
    terminal.keys(":reload-settings\r").see("taken over: theme · from the next start on: limits.connect");
    terminal.cells_that("the light theme", |screen| bar(screen) == LIGHT).keys("Q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn nothing_is_written_where_nothing_may_be() {
    let mut terminal = Terminal::start(&["--safe", "about:settings"]);
    terminal.see("which is not there yet").keys("\x27wrap\r\x1b[C").see("--safe forbids to keep settings").keys("Q");
    assert_eq!(terminal.end(), 0);
    assert!(!terminal.home().join(FILE).exists());
}
