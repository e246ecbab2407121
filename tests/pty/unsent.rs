//! Forms that were filled in and not sent: what of them outlives a kill, and what is in no file.

use crate::forms::{filled, server};
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// Waits until the file of the tabs says so.
fn kept(path: &Path, fits: impl Fn(&str) -> bool) -> String {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let text = fs::read_to_string(path).unwrap_or_default();
        if fits(&text) {
            return text;
        }
        assert!(Instant::now() < deadline, "not so kept: {text}");
        std::thread::yield_now();
    }
}

/// All files below a folder, with what is in them.
fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => files(&entry.path(), found),
            kind if kind.is_file() => {
                found.push((entry.path().display().to_string(), fs::read(entry.path()).unwrap()));
            }
            _ => {}
        }
    }
}

fn again(first: &Terminal) -> Terminal {
    Terminal::start_with(&[], 80, 24, &[("HOME", first.home().to_str().unwrap())])
}

#[test]
fn a_form_that_was_not_sent_outlives_a_kill_and_its_password_is_in_no_file() {
    let url = format!("http://127.0.0.1:{}/post", server());
    let mut first = Terminal::start(&[&url]);
    filled(&mut first);
    // The box of several lines is still open.
    first.keys("\r").see("line two").keys("\x1b[H").keys("typed before ").see("typed before line one");
    let path = first.home().join(".local/state/wayfarer/sessions/default.jsonl");
    let text =
        kept(&path, |text| text.contains("Ann & co") && text.contains("typed before ") && text.contains("\"end\""));
    assert!(text.contains("second"), "{text}");
    first.signal(Signal::KILL).end();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let mut found = Vec::new();
    files(first.home(), &mut found);
    assert!(found.len() > 1);
    for (name, octets) in &found {
        assert!(!octets.windows(5).any(|word| word == b"sesam"), "{name} holds the password");
    }

    let mut second = again(&first);
    second.see("kept just now").see("Ann & co").see("[x] a box").see("(*) right");
    second.see("second ▾").see("y ▾").see("typed before line one").see_no("*****");
    // Once it was sent there is nothing to be put back.
    // Its size stands behind the place once all of it is there.
    second
        .see("All  5")
        .keys("\x1b[F\r")
        .see("name=Ann+%26+co&word=&box=1&side=r&one=second&many=y")
        .see("typed+before+line+one");
    kept(&path, |text| !text.contains("Ann & co") && !text.contains("typed before"));
    second.signal(Signal::KILL).end();
}

#[test]
fn what_a_private_tab_typed_is_in_no_file() {
    let url = format!("http://127.0.0.1:{}/post", server());
    let mut first = Terminal::start(&["about:help"]);
    first.loaded().keys(":private ").keys(&url).keys("\r");
    filled(&mut first);
    // Something else is kept after it.
    first.keys("{").keys(" ").keys("}").see("Ann & co").keys("{  ");
    let path = first.home().join(".local/state/wayfarer/sessions/default.jsonl");
    kept(&path, |text| text.contains("\"top\"") && text.contains("\"end\""));
    first.signal(Signal::KILL).end();
    let mut found = Vec::new();
    files(first.home(), &mut found);
    for (name, octets) in &found {
        assert!(!octets.windows(3).any(|word| word == b"Ann"), "{name} holds what was typed");
    }
}
