//! Tabs from one run to the next: killed, damaged, taken by another copy.

use crate::server::{Server, whole};
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn gopher() -> Server {
    let menu: String = (1..=60).map(|n| format!("0Entry {n}\t/e{n}\t127.0.0.1\t{{port}}\r\n")).collect();
    Server::start(vec![("", whole(menu)), ("/e2", whole("the second entry\r\n"))])
}

/// A page of the web, as often as it is asked for.
fn web() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.1:{}/page", listener.local_addr().unwrap().port());
    let lines: String = (1..=90).map(|n| format!("<p>Paragraph {n} of the web.")).collect();
    let page = format!("<title>A web page</title>{lines}");
    std::thread::spawn(move || {
        for visitor in listener.incoming() {
            let mut visitor = visitor.unwrap();
            let mut request = [0; 4096];
            let _ = visitor.read(&mut request);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            let _ = write!(visitor, "{head}\r\nContent-Length: {}\r\n\r\n{page}", page.len());
        }
    });
    url
}

fn file(home: &Path, session: &str) -> PathBuf {
    home.join(format!(".local/state/wayfarer/sessions/{session}.jsonl"))
}

/// Waits until a session's file has all the words.
fn kept(path: &Path, words: &[&str]) -> String {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let text = fs::read_to_string(path).unwrap_or_default();
        if words.iter().all(|word| text.contains(word)) {
            return text;
        }
        assert!(Instant::now() < deadline, "{words:?} are not kept: {text}");
        std::thread::yield_now();
    }
}

fn again(first: &Terminal, arguments: &[&str]) -> Terminal {
    Terminal::start_with(arguments, 80, 24, &[("HOME", first.home().to_str().unwrap())])
}

#[test]
fn three_tabs_over_three_protocols_outlive_a_kill() {
    let (server, web) = (gopher(), web());
    let mut first = Terminal::start(&[&server.url("1")]);
    let text: String = (1..=80).map(|n| format!("line {n} of the file\n")).collect();
    fs::write(first.home().join("long.txt"), text).unwrap();
    first.see("▸Entry 1").keys("  jj").see_no("Entry 20").see("▸Entry 41");
    first.keys("\x14").see("open:").keys(&web).keys("\r").see("Paragraph 1 of").see("│ 2 A web page");
    first.keys(" ").see_no("Paragraph 1 of").see("Paragraph 20 of");
    let long = first.home().join("long.txt");
    first.keys("\x14").see("open:").keys(long.to_str().unwrap()).keys("\r").see("line 1 of the file");
    first.keys("\x1b[F").see("line 80 of the file").keys("{").see("Paragraph 20 of");
    let screen = |terminal: &Terminal| {
        terminal.screen().lines().take(20).map(|line| line.trim_end().into()).collect::<Vec<String>>()
    };
    let page = screen(&first);
    let path = file(first.home(), "default");
    kept(&path, &["\"front\":1", "file://", "\"end\""]);
    first.signal(Signal::KILL).end();
    let asked = server.asked().len();

    let mut second = again(&first, &[]);
    // What was in view may have been the reason: it is not asked for again before a key says so.
    second.see("Paragraph 20 of").see("kept just now").keys("R").see_no("kept just now").loaded();
    assert_eq!(screen(&second), page, "the page in front, and the line of tabs");
    assert_eq!(server.asked().len(), asked, "nothing else is fetched yet");
    second.keys("{").see("▸Entry 41").see_no("Entry 20").keys("\x1b3").see("line 80 of the file").see_no("line 50 ");
    // Its history is there too, and what was closed comes back.
    second.keys("\x1b1").see("▸Entry 41").keys("\x17x").see_no("Entry 39").see("1 A web page");
    second
        .keys("\x17u")
        .see("▸Entry 41")
        .see("2 A web page")
        .keys("2\r")
        .see("the second entry")
        .keys("h")
        .see("▸Entry 2");
    // Quitting is no crash.
    second.keys("Q").end();
    let mut third = again(&first, &[]);
    third.see("Where to go").see("The tabs of the last time (C-w r").see("A web page, ").keys("q").end();
    let mut fourth = again(&first, &[]);
    fourth.see("The tabs of the last time").keys("\x17l").see("Bring all 3 back").see("A web page").keys("\x17r");
    fourth.see("3 tabs of the last time are back (C-w X closes them)").see("▸Entry 2").see("│ 2 ");
    // Asked for, they come back by themselves.
    fourth.keys("q").see("4 tabs are open").see("they come back next time").keys("q").end();
    let mut fifth = again(&first, &[]);
    fifth
        .see("4 tabs of the last time are back")
        .keys("\x17X")
        .see("4 tabs are closed")
        .see("Where to go")
        .keys("q")
        .end();
}

#[test]
fn an_address_that_is_open_in_a_tab_of_the_last_time_is_gone_to() {
    let server = gopher();
    let mut first = Terminal::start(&[&server.url("1")]);
    first.see("▸Entry 1").keys("jj").see("▸Entry 3");
    kept(&file(first.home(), "default"), &["\"focus\":2"]);
    // A closed window is no quitting.
    first.signal(Signal::HUP).end();
    for _ in 0..3 {
        let mut next = again(&first, &[&server.url("1")]);
        next.see("1 tab of the last time is back").see("▸Entry 3").see_no("│ 2 ").signal(Signal::HUP).end();
    }
}

#[test]
fn a_second_copy_that_keeps_no_session_leaves_its_tabs_beside_it() {
    let server = gopher();
    let mut first = Terminal::start(&[&server.url("1")]);
    first.see("▸Entry 1");
    let mut second = again(&first, &[&server.url("0/e2"), "about:help"]);
    second.see("the second entry").see("│ 2 ").keys("q").see("about:last keeps them").keys("q").end();
    first.keys("Q").end();
    let mut third = again(&first, &["about:last"]);
    third.see("The last time").see("Before that").see("/0/e2").keys("q").end();
}

#[test]
fn tabs_come_back_when_the_settings_or_a_name_say_so() {
    let server = gopher();
    let mut first = Terminal::start(&["-o", "session.restore=always", &server.url("1")]);
    first.see("▸Entry 1").keys("jj").see("▸Entry 3").keys("q").end();
    let mut second = again(&first, &["-o", "session.restore=always", &server.url("0/e2")]);
    second.see("the second entry").see("│ 2 ").keys("{").see("▸Entry 3").keys("Q").end();
    // Ended by the system, it is as if it had never ended.
    let mut ended = again(&first, &["-o", "session.restore=always"]);
    ended.see("▸Entry 3").signal(Signal::TERM).end();
    again(&first, &[]).see("▸Entry 3").keys("Q").end();
    let mut named = again(&first, &["--session", "work", &server.url("0/e2")]);
    named.see("the second entry").keys("q").end();
    again(&first, &["--session", "work"]).see("the second entry").keys("q").end();
    again(&first, &["--no-session"]).see("Where to go").keys("q").end();
    again(&first, &["-o", "session.restore=always"]).see("▸Entry 3").see("│ 2 ").keys("Q").end();
    let never = ["-o", "session.restore=never"];
    let before = kept(&file(first.home(), "default"), &["\"end\""]);
    again(&first, &never).see("Where to go").keys("q").end();
    assert_eq!(kept(&file(first.home(), "default"), &[]), before);
    // Several addresses, each in a tab.
    let (one, two) = (server.url("1"), server.url("0/e2"));
    again(&first, &["--no-session", &one, &two]).see("▸Entry 1").see("│ 2 ").keys("}").see("the second entry");
}

#[test]
fn a_second_copy_leaves_the_tabs_of_the_first_alone() {
    let server = gopher();
    let mut first = Terminal::start(&[&server.url("1")]);
    first.see("▸Entry 1").keys("j").see("▸Entry 2");
    let path = file(first.home(), "default");
    let before = kept(&path, &["\"focus\":1"]);
    let mut second = again(&first, &["about:help"]);
    second.see("another Wayfarer keeps these tabs").keys("q").end();
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    again(&first, &["--session", "mine", "about:help"]).loaded().see_no("another Wayfarer").keys("q").end();
    first.keys("j").see("▸Entry 3");
    kept(&path, &["\"focus\":2"]);
    // Whoever is killed holds nothing any more.
    first.signal(Signal::KILL).end();
    again(&first, &[]).see("▸Entry 3").see("kept just now").keys("q").end();
}

#[test]
fn a_damaged_file_costs_its_bad_lines_and_is_kept_aside() {
    let server = gopher();
    let mut first = Terminal::start(&[&server.url("1")]);
    first.see("▸Entry 1").keys("T").see("│ 2 ").keys("j").see("▸Entry 2");
    let path = file(first.home(), "default");
    let text = kept(&path, &["\"focus\":1", "/0/e1"]);
    first.signal(Signal::KILL).end();
    let lines: Vec<&str> = text.lines().collect();
    let damaged = [lines[..4].join("\n").as_bytes(), b"\n{\"url\":\"gopher://\xff"].concat();
    fs::write(&path, &damaged).unwrap();
    // Wide enough for the names of files, wherever temporary ones are.
    let wide = || Terminal::start_with(&[], 240, 24, &[("HOME", first.home().to_str().unwrap())]);
    let mut second = wide();
    second.see("What was wrong with the tabs").see("default.jsonl").see("jsonl:5: this is not").see("default.bad-1");
    second.keys("\x1b").see_no("jsonl").see("kept just now").see("▸Entry 2").keys("j").see("▸Entry 3");
    assert_eq!(fs::read(path.with_extension("bad-1")).unwrap(), damaged);
    kept(&path, &["\"focus\":2", "\"end\""]);
    second.signal(Signal::KILL).end();
    let newer = kept(&path, &[]).replace("\"session\":1", "\"session\":99");
    fs::write(&path, &newer).unwrap();
    let mut third = wide();
    third.see("jsonl:1: a newer").keys("\x1b").see_no("jsonl").keys("q").end();
    assert_eq!(fs::read_to_string(path.with_extension("bad-2")).unwrap(), newer);
}

#[test]
fn tabs_that_cannot_be_kept_are_told_of_and_cost_nothing_else() {
    let server = gopher();
    let first = Terminal::start(&["--no-session"]);
    let folder = first.home().join(".local/state/wayfarer");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("sessions"), "in the way").unwrap();
    let mut second = again(&first, &[&server.url("1")]);
    second
        .see("wayfarer/sessions: File exists; the tabs are not kept")
        .see("▸Entry 1")
        .keys("j")
        .see("▸Entry 2")
        .keys("q");
    assert_eq!(second.end(), 0);
    assert_eq!(fs::read_to_string(folder.join("sessions")).unwrap(), "in the way");
    // Taken away while it runs.
    fs::remove_file(folder.join("sessions")).unwrap();
    let mut third = again(&first, &[&server.url("1")]);
    third.see("▸Entry 1");
    kept(&file(first.home(), "default"), &["\"end\""]);
    fs::remove_dir_all(folder.join("sessions")).unwrap();
    third.keys("j").see("sessions/default.jsonl: No such file").keys("j").see("▸Entry 3").keys("q").end();
}

#[test]
fn tabs_come_back_from_what_is_kept_and_ask_nobody() {
    let server = gopher();
    let mut first = Terminal::start(&["-o", "session.restore=always", &server.url("1")]);
    first.see("▸Entry 1").keys("j").see("▸Entry 2").keys("T").see("│ 2 ").keys("}").see("the second entry");
    first.keys("{").see("▸Entry 2").keys("Q").end();
    drop(server);
    let mut second = again(&first, &["-o", "session.restore=always"]);
    second.see("▸Entry 2").see("kept just now").see_no("tried").keys("}").see("the second entry");
    second.see("kept just now").see_no("tried");
    kept(&file(first.home(), "default"), &["\"front\":1", "\"ended\":false", "\"end\""]);
    second.signal(Signal::KILL).end();
    // Also the one that is not asked for by itself; asked for by the reader it is.
    let mut third = again(&first, &[]);
    third
        .see("the second entry")
        .see("kept just now")
        .see_no("by force")
        .keys("R")
        .see("refused the connection")
        .keys("Q")
        .end();
}

/// A copy that killed the program came back with each start, and killed it again.
#[test]
fn what_was_coming_back_when_it_was_killed_is_not_opened_by_itself() {
    let server = gopher();
    let mut first = Terminal::start(&[&server.url("1")]);
    first.see("▸Entry 1").keys("j").see("▸Entry 2");
    let path = file(first.home(), "default");
    let text = kept(&path, &["\"focus\":1", "\"ended\":false"]);
    first.signal(Signal::KILL).end();
    fs::write(&path, text.replacen("\"ended\":false", "\"coming\":true,\"ended\":false", 1)).unwrap();
    for _ in 0..2 {
        let mut waits = again(&first, &[]);
        waits.see("by force while this page came back").see("the copy that is kept of it").see_no("Entry 1");
        waits.signal(Signal::KILL).end();
    }
    let mut last = again(&first, &[]);
    last.see("by force while this page came back").keys("\r").see("▸Entry 2").see("kept just now").keys("j");
    assert!(!kept(&path, &["\"focus\":2"]).contains("coming"));
    last.signal(Signal::KILL).end();
    again(&first, &[]).see("▸Entry 3").keys("q").end();
}
