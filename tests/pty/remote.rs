//! Addresses handed to a copy that runs (`--remote`), and what comes through a pipe.

use crate::server::{Server, whole};
use crate::terminal::{PROGRAM, Terminal, piped};
use rustix::process::Signal;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

fn gopher() -> Server {
    Server::start(vec![("", whole("0One\t/one\t127.0.0.1\t{port}\r\n")), ("/one", whole("the first text\r\n"))])
}

fn remote(home: &Path, arguments: &[&str]) -> Output {
    piped(home).arg("--remote").args(arguments).output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn again(first: &Terminal, arguments: &[&str]) -> Terminal {
    Terminal::start_with(arguments, 80, 24, &[("HOME", first.home().to_str().unwrap())])
}

fn sockets(home: &Path) -> Vec<PathBuf> {
    let folder = fs::read_dir(home.join(".local/state/wayfarer/remote"));
    folder.into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn an_address_opens_in_the_copy_that_runs() {
    let server = gopher();
    let mut first = Terminal::start(&["about:help"]);
    first.see("Following links");
    let [socket] = &sockets(first.home())[..] else { panic!("{:?}", sockets(first.home())) };
    assert_eq!(fs::metadata(socket).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(socket.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
    let handed = remote(first.home(), &[&server.url("0/one")]);
    assert_eq!(said(&handed), (Some(0), String::new()));
    first.see("the first text").see("│ 2 ").see("another program opens");
    first.raw_that("a window's title that says so", |raw| String::from_utf8_lossy(raw).contains("\x1b]0;New: "));
    // As a mail reader does it, with a pipe as standard input; and a file only with the reader's word.
    fs::write(first.home().join("own.txt"), "words of a file\n").unwrap();
    let mut reader = piped(first.home());
    let mut child = reader.args(["--remote", "own.txt"]).stdin(Stdio::piped()).spawn().unwrap();
    assert!(child.wait().unwrap().success());
    first.see("Another program leads to a file").keys("y").see("words of a file").see("│ 3 ");
    first.keys("Q").end();
    assert_eq!(sockets(first.home()), [] as [PathBuf; 0]);
    let (status, words) = said(&remote(first.home(), &[&server.url("0/one")]));
    assert_eq!(status, Some(1));
    assert!(words.contains("no Wayfarer runs that could open it: start one in a terminal"), "{words}");
}

#[test]
fn the_newest_copy_gets_it_or_the_one_of_a_name() {
    let server = gopher();
    let mut first = Terminal::start(&["--session", "work", "about:help"]);
    first.see("Following links");
    let mut second = again(&first, &["about:urls"]);
    second.see("What can be typed");
    assert_eq!(said(&remote(first.home(), &[&server.url("0/one")])).0, Some(0));
    second.see("the first text");
    assert_eq!(said(&remote(first.home(), &["--session", "work", &server.url("1")])).0, Some(0));
    first.see("One").see("│ 2 ");
    assert_eq!(said(&remote(first.home(), &["--session", "other", &server.url("1")])).0, Some(1));
    // One that was killed is passed by, and its socket goes.
    second.signal(Signal::KILL).end();
    assert_eq!(sockets(first.home()).len(), 2);
    assert_eq!(said(&remote(first.home(), &[&server.url("0/one")])).0, Some(0));
    first.see("the first text");
    assert_eq!(sockets(first.home()).len(), 1);
}

#[test]
fn without_a_running_copy_one_starts_on_a_terminal() {
    let server = gopher();
    let mut first = Terminal::start(&["--remote", &server.url("1")]);
    first.see("▸One").see_no("│ 2 ").keys("q");
    assert_eq!(first.end(), 0);
}

#[test]
fn what_is_no_address_changes_nothing() {
    let mut first = Terminal::start(&["about:help"]);
    first.see("Following links");
    let [socket] = &sockets(first.home())[..] else { panic!() };
    for line in ["quit\n".to_owned(), "\0\n".into(), "x".repeat(200_000), "{\"open\":[\"javascript\"]}\n".into()] {
        let mut stream = UnixStream::connect(socket).unwrap();
        // It may be refused before all of it was said.
        let _ = stream.write_all(line.as_bytes());
        let mut answer = String::new();
        let _ = std::io::Read::read_to_string(&mut stream, &mut answer);
        assert!(answer.is_empty() || answer.contains("refused"), "{answer}");
    }
    // Somebody who says nothing holds nobody up for long.
    let _silent = UnixStream::connect(socket).unwrap();
    assert_eq!(said(&remote(first.home(), &["about:urls"])).0, Some(0));
    first.see("What can be typed").keys("Q");
    assert_eq!(first.end(), 0);
}

#[test]
fn a_pipe_is_a_page_on_a_terminal_and_keys_are_keys() {
    let script = format!("echo 'words from a pipe' | '{PROGRAM}'");
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]);
    terminal.see("words from a pipe").keys("?").see("Help").keys("\x1b").see_no("Help").keys("q").end();
    let script = format!("echo 'words of a file' >f; '{PROGRAM}' <f");
    Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]).see("words of a file").keys("q").end();
    let script = format!("'{PROGRAM}' </dev/null");
    Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]).see("Where to go").keys("q").end();
}

#[test]
fn a_pipe_into_a_pipe_is_printed() {
    let home = tempfile::tempdir().unwrap();
    let mut command = piped(home.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"words from a pipe\n").unwrap();
    let printed = child.wait_with_output().unwrap();
    assert_eq!((printed.status.code(), &*printed.stdout), (Some(0), &b"words from a pipe\n"[..]));
}
