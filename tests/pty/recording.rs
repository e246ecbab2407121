//! A run that is recorded, and shown again.

use crate::server::{Server, whole};
use crate::terminal::{PROGRAM, Terminal};
use ratatui::backend::TestBackend;
use std::collections::BTreeSet;
use std::path::Path;
use wayfarer::app::command_names;
use wayfarer::config::Settings;
use wayfarer::keys::Keymap;
use wayfarer::shell::record::{Replay, Tape};
use wayfarer::theme::Theme;
use wayfarer::view::draw;

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

/// Shows a recording again, message by message, on a screen of its size and on a small one: what is said on its last rows stands
/// there to its last word, or the rows say where its rest is. Gives what was said.
pub fn said_to_the_end(tape: &Path) -> BTreeSet<String> {
    let keymap = Keymap::preset("default", &command_names(), &mut Vec::new()).unwrap();
    let mut replay = Replay::new(Tape::read(&std::fs::read(tape).unwrap()[..]).unwrap(), Settings::default(), keymap);
    let (mut said, theme) = (BTreeSet::new(), Theme::default());
    for at in 0..replay.place().1 {
        replay.go(at);
        let Some(note) = &replay.app().hands.note else { continue };
        let note = wayfarer::doc::sanitise(&note.text).into_owned();
        if replay.app().hands.prompt().is_some() || replay.app().hands.is_mid_key() || !said.insert(note.clone()) {
            continue;
        }
        let last = note.split_whitespace().last().unwrap_or_default();
        for (columns, rows) in [(80, 24), (40, 10)] {
            let mut terminal = ratatui::Terminal::new(TestBackend::new(columns, rows)).unwrap();
            let frame = terminal.draw(|frame| drop(draw(frame, replay.app(), &theme))).unwrap();
            let shown: String = frame.buffer.content.iter().map(|cell| cell.symbol()).collect();
            assert!(shown.contains(last) || shown.contains(":complaints"), "{columns}x{rows}: {note:?} in\n{shown}");
        }
    }
    said
}

/// What a reader does in an hour, and what is said of it.
#[test]
fn an_hour_of_reading_cuts_no_message() {
    let menu = |from: usize| -> Vec<u8> {
        let item = |n| format!("0A text with quite a long name, number {n}\t/{n}\t127.0.0.1\t{{port}}\r\n");
        (from..from + 30).map(item).collect::<String>().into_bytes()
    };
    let text: String =
        (0..60).map(|n| format!("Line {n} of a text, with the word harbour in some of them.\n")).collect();
    let server =
        Server::start(vec![("", whole(menu(0))), ("/0", whole(&text)), ("/1", whole(&text)), ("/2", whole("short"))]);
    let mut terminal = Terminal::start(&["--record", "hour.jsonl", "--record-octets", &server.url("1")]);
    terminal.see("number 0").keys("\r").see("Line 0 of");
    // Each of these says something on the last rows, and the next key takes it away.
    for keys in [
        "/harbour\r",
        "/lighthouse\r",
        "a",
        "a\x1b[27u",
        "mq",
        "`q",
        "`w",
        "'zebra\x1b[27u",
        "y",
        "Y",
        "\x1bw",
        "\x1bl",
        "\x1bi",
        "\x1bn",
        "\x1bp",
        "z",
        "L",
        ":nosuch\r\x1b[27u",
        ":set nosuch 5\r\x1b[27u",
        ":set width many\r\x1b[27u",
        ":set theme nosuch\r\x1b[27u",
        ":sort 2\r",
        ":certificates nobody\r\x1b[27u",
        ":charset klingon\r\x1b[27u",
        ":undo\r",
        ":redo\r\x1b[27u",
        ":as nosuch/type\r\x1b[27u",
        ":trust\r\x1b[27u",
        ":subscribe\r\x1b[27u",
        ":catch-up\r\x1b[27u",
        ":next-in-thread\r\x1b[27u",
        "s",
        "\x1b*",
        "i",
        "\x1bC",
        "\x1br\x1b[27u",
        "|",
        "\x17o",
        "\x17u",
        "\x17x",
        "R",
        "gnosuch:thing\r\x1b[27u",
        "ghttp://h/%00\r\x1b[27u",
    ] {
        terminal.keys(keys).keys("\x1b[27u").keys("g").see("open:").keys("\x1b[27u").see_no("open:");
    }
    terminal.keys("Q").end();
    let said = said_to_the_end(&terminal.home().join("hour.jsonl"));
    assert!(said.len() > 20, "{} messages: {said:#?}", said.len());
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
