//! A run that is recorded, and shown again.

use crate::terminal::{PROGRAM, Terminal};

#[test]
fn a_recorded_run_is_shown_again_screen_by_screen_without_its_server() {
    let script = format!(
        "{PROGRAM} --no-session --record run.jsonl --record-octets about:home && {PROGRAM} replay --check run.jsonl \
         && echo the same && read line && exec {PROGRAM} replay --step run.jsonl"
    );
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]);
    terminal.see("Where to go").keys("jQ");
    terminal.see("the same").keys("\r");
    terminal.see("1 of ").see("choices");
    terminal.keys("n").see("2 of ").keys("\x1b[F").see("key \"Q\"").keys("p").keys("\x1b[H").see("0 of ").keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_recording_is_never_written_over() {
    let script =
        format!("echo mine >run.jsonl; {PROGRAM} --record run.jsonl about:home; echo status $?; cat run.jsonl");
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]);
    terminal.see("status 1").see("mine");
    terminal.end();
}

/// Shows a recording again whose lines after the first one are made by a command of the shell.
fn replay(lines: &str) -> Terminal {
    let header = r#"{"recording":1,"screen":[80,24],"settings":"","octets":true}"#;
    let script = format!("(echo '{header}'; {lines}) >run.jsonl; exec {PROGRAM} replay run.jsonl");
    Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[])
}

#[test]
fn a_recorded_key_that_no_keyboard_has_reaches_no_terminal() {
    let keys = "printf '{\"key\":\"%s\"}\\n' g a '\u{9b}' '\\u001b' b";
    let mut terminal = replay(keys);
    terminal.see("5 of 5").see_that("what was typed", |screen| screen.lines().any(|line| line.contains("open")));
    terminal.keys("q").end();
    terminal.drained();
    let raw = terminal.raw();
    assert!(!raw.windows(2).any(|octets| octets == b"\xc2\x9b"), "{}", String::from_utf8_lossy(&raw));
    assert!(!raw.windows(2).any(|octets| octets == b"\x1bb"), "{}", String::from_utf8_lossy(&raw));
}

#[test]
fn a_recording_that_takes_long_is_left_at_once() {
    // A page that is copied each time it grows by an octet.
    let lines = r#"echo '{"go":"http://h/"}'
        echo '{"fetch":{"id":1,"ns":1,"head":{"url":"http://h/","media":"text/html"}}}'
        page="<p>one<p>zebra$(yes '<p><a href=x>y</a>' | head -n 50000 | tr -d '\n')"
        echo '{"grown":{"id":1,"ns":1,"received":900000,"more":"'"$page"'"}}'
        for size in $(seq 900001 904700); do echo '{"grown":{"id":1,"ns":1,"received":'$size',"more":"<"}}'; done"#;
    let mut terminal = replay(lines);
    terminal.see("0 of 4703").keys("q");
    assert_eq!(terminal.end(), 0);
    terminal.drained();
    assert!(!String::from_utf8_lossy(&terminal.raw()).contains("zebra"), "it was left before");
}
