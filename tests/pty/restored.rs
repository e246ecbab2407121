//! The terminal is given back as it was, however the program ends.

use crate::terminal::{PROGRAM, Terminal};
use rustix::process::Signal;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// Started, and the terminal taken over.
fn started() -> Terminal {
    let mut terminal = Terminal::start(&["about:home"]);
    terminal.see("Where to go");
    assert_eq!(terminal.modes(), (true, true), "alternate screen and no cursor");
    assert!(terminal.is_raw());
    terminal
}

/// Ended, and the terminal as it was.
fn restored(terminal: &mut Terminal, status: u32) {
    assert_eq!(terminal.end(), status);
    // On this system the modes outlive the program as long as the other side is open.
    assert!(!terminal.is_raw());
    terminal.drained();
    assert_eq!(terminal.modes(), (false, false), "the reader's own screen with its cursor");
    assert!(!terminal.brackets_paste());
    assert!(terminal.screen().trim().is_empty(), "nothing is left behind: {}", terminal.screen());
}

#[test]
fn after_quitting() {
    for key in ["q", "Q", ":quit\r"] {
        let mut terminal = started();
        terminal.keys(key);
        restored(&mut terminal, 0);
    }
}

#[test]
fn after_signals() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let mut terminal = started();
        terminal.signal(signal);
        restored(&mut terminal, 0);
    }
}

/// Of these it dies, but not with the terminal in its hands.
#[test]
fn after_signals_that_are_for_nothing_else() {
    for signal in [Signal::USR1, Signal::USR2, Signal::ALARM, Signal::XCPU, Signal::ABORT] {
        let mut terminal = started();
        terminal.signal(signal);
        assert_ne!(terminal.end(), 0, "{signal:?}");
        terminal.drained();
        assert!(!terminal.is_raw(), "{signal:?}");
        assert_eq!(terminal.modes(), (false, false), "{signal:?}");
    }
}

/// C-\ in a program that has the terminal is for that program.
#[test]
fn not_after_a_signal_for_the_program_that_has_the_terminal() {
    let mut terminal = Terminal::start_with(&["about:help"], 80, 24, &[("EDITOR", "./editor")]);
    let editor = terminal.home().join("editor");
    std::fs::write(&editor, "#!/bin/sh\ntrap '' QUIT\necho editing\nread line\n").unwrap();
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o700)).unwrap();
    terminal.loaded().keys(":edit-source\r").see("editing").signal(Signal::QUIT);
    terminal.keys("\r").see("a copy").keys("q");
    assert_eq!(terminal.end(), 0);
    assert!(!terminal.is_raw());
}

/// A program that has the terminal meanwhile is told to end, too: nobody would take the terminal from it.
#[test]
fn after_signals_while_an_editor_has_the_terminal() {
    for signal in [Signal::TERM, Signal::HUP] {
        let mut terminal = Terminal::start_with(&["about:help"], 80, 24, &[("EDITOR", "./editor")]);
        let editor = terminal.home().join("editor");
        std::fs::write(
            &editor,
            "#!/bin/sh\ntrap '' HUP\ntrap 'echo told >told; exit 0' TERM\nstty raw -echo\necho editing\nwhile :; do sleep 0.05; done\n",
        )
        .unwrap();
        std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o700)).unwrap();
        terminal.loaded().keys(":edit-source\r").see("editing").signal(signal);
        assert_eq!(terminal.end(), 0);
        terminal.drained();
        assert!(!terminal.is_raw());
        let begun = Instant::now();
        while !terminal.home().join("told").exists() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the editor was left behind");
            std::thread::yield_now();
        }
        let session = terminal.home().join(".local/state/wayfarer/sessions/default.jsonl");
        assert!(std::fs::read_to_string(session).unwrap().contains("about:help"), "the tabs are kept");
    }
}

/// Whoever writes to a terminal that takes nothing hears no signal.
#[test]
fn after_signals_while_the_terminal_takes_nothing() {
    for signal in [Signal::TERM, Signal::HUP] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("large.txt");
        // More than a pseudo-terminal holds is on the screen.
        std::fs::write(&file, format!("{}\n", "x".repeat(580)).repeat(200)).unwrap();
        let mut terminal = Terminal::start_with(&["-o", "keys=emacs", file.to_str().unwrap()], 600, 200, &[]);
        // The whole screen again.
        terminal.see("xxx").loaded().deaf(true).burst("\x0c");
        let begun = Instant::now();
        while !is_writing(terminal.id()) {
            assert!(begun.elapsed() < Duration::from_secs(30), "it never waits for the terminal");
            std::thread::yield_now();
        }
        terminal.signal(signal);
        assert_eq!(terminal.end(), 1);
        assert!(!terminal.is_raw());
    }
}

/// Whether a program waits until somebody takes what it writes.
fn is_writing(id: u32) -> bool {
    let looked = |what: &str| std::fs::read_to_string(format!("/proc/{id}/{what}")).unwrap_or_default();
    let (function, call) = (looked("wchan"), looked("syscall"));
    let writes = if cfg!(target_arch = "x86_64") { "1 0x1 " } else { "64 0x1 " };
    function.contains("tty_write") || function.contains("wait_woken") || call.starts_with(writes)
}

#[test]
fn after_the_terminal_has_gone() {
    let mut terminal = started();
    terminal.close().end();
}

#[test]
fn after_the_terminal_has_gone_without_a_signal() {
    // The shell, which alone is told, ignores it.
    let script = format!("trap '' HUP; '{PROGRAM}' about:home; echo $? >ended");
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]);
    terminal.see("Where to go").close().end();
    assert_eq!(std::fs::read_to_string(terminal.home().join("ended")).unwrap(), "0\n");
}

#[test]
fn while_stopped_as_a_job() {
    let mut terminal = Terminal::start_program("/bin/sh", &["-i"], 80, 24, &[("PS1", "ready> ")]);
    terminal.see("ready>").keys(&format!("'{PROGRAM}' about:home\r")).see("Where to go");
    assert_eq!(terminal.modes(), (true, true));
    terminal.keys("\x1a").see("Stopped").see_that("a prompt", |screen| screen.matches("ready>").count() == 2);
    terminal.keys("stty -a\r").see(" icanon").see(" echo ");
    assert_eq!(terminal.modes(), (false, false));
    terminal.resize(60, 20).keys("fg\r").see("Where to go");
    assert_eq!(terminal.modes(), (true, true));
    // While the page is drawn anew the prompt is not there for a moment.
    terminal.keys("g").see("open:").keys("\x1b").frame_that("the page alone", |screen| {
        screen.contents().contains("Where to go") && !screen.contents().contains("open:")
    });
    terminal.keys("q");
    terminal.see_no("Where to go").see_that("a prompt", |screen| screen.trim_end().ends_with("ready>"));
    assert_eq!(terminal.modes(), (false, false));
    terminal.keys("exit\r").end();
}

#[test]
fn after_being_stopped_by_somebody_else() {
    let mut terminal = started();
    let file = format!("/proc/{}/stat", terminal.id());
    let state = || std::fs::read_to_string(&file).unwrap().rsplit(')').next().unwrap().trim().chars().next();
    terminal.signal(Signal::STOP);
    while state() != Some('T') {
        std::thread::yield_now();
    }
    let before = terminal.raw().len();
    terminal.signal(Signal::CONT);
    terminal.raw_that("the whole page again", |raw| {
        String::from_utf8_lossy(&raw[before..]).contains("Veronica") && raw[before..].ends_with(b"l")
    });
    terminal.keys("q");
    restored(&mut terminal, 0);
}

#[test]
fn around_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let (script, settings) = (folder.path().join("script"), folder.path().join("settings.toml"));
    std::fs::write(&script, "echo other program; read word; echo got $word; read word").unwrap();
    std::fs::write(&settings, format!("[handlers]\ntelnet = [\"sh\", {script:?}]\n")).unwrap();
    let mut terminal = Terminal::start(&["-c", settings.to_str().unwrap(), "about:home"]);
    terminal
        .see("Where to go")
        .keys("g")
        .see("open:")
        .keys("telnet://host.example/\r")
        .see("Start it in this terminal")
        .keys("\r")
        .see("run it")
        .keys("y");
    terminal.see("other program");
    assert_eq!(terminal.modes(), (false, false));
    assert!(!terminal.is_raw());
    terminal.keys("hello\r").see("got hello");
    // C-c ends the other program only.
    terminal.keys("\x03").see("Start it in this terminal").keys("h").see("Where to go");
    assert_eq!(terminal.modes(), (true, true));
    terminal.keys("?").see("Help").keys("\x1b").see_no("Help").keys("q");
    assert_eq!(terminal.end(), 0);
    assert!(!terminal.is_raw());
    assert_eq!(terminal.drained().modes(), (false, false));
}
