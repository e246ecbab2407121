//! What was read of the web stays under every address by which it was asked for, with the pictures that were shown in its text; of
//! what is put by, one server that does not answer holds up no other.

use crate::door::Door;
use crate::terminal::Terminal;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;

fn start(home: &Path, arguments: &[&str]) -> Terminal {
    std::fs::create_dir_all(home.join(".local/state/wayfarer")).unwrap();
    Terminal::start_with(
        arguments,
        80,
        24,
        &[("HOME", home.to_str().unwrap()), ("TZ", "UTC"), ("COLORTERM", "truecolor")],
    )
}

/// A server of the web, until it is dropped.
fn web(answers: &[(&str, &str, &str, &[u8])]) -> (u16, Door) {
    let answers: Vec<(String, Vec<u8>)> = answers
        .iter()
        .map(|(path, status, fields, body)| {
            let head =
                format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            ((*path).to_owned(), [head.as_bytes(), body].concat())
        })
        .collect();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (door, visitors) = Door::open(listener);
    std::thread::spawn(move || {
        for visitor in visitors {
            let head: Vec<String> =
                BufReader::new(&visitor).lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
            if let Some((_, answer)) = answers.iter().find(|(name, _)| name == path) {
                let _ = (&visitor).write_all(answer);
            }
        }
    });
    (port, door)
}

const PLAIN: &str = "Content-Type: text/plain\r\n";

/// What was put by of one port was not fetched as nobody listened at another.
#[test]
fn a_server_that_does_not_answer_holds_up_no_other_of_its_host() {
    let (port, _door) = web(&[("/there", "200 OK", PLAIN, b"all of it")]);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".local/share/wayfarer");
    std::fs::create_dir_all(&folder).unwrap();
    let rows = [(nobody, "a"), (nobody, "b"), (port, "there")];
    let rows: String =
        rows.iter().map(|(port, path)| format!("1700000000\thttp://127.0.0.1:{port}/{path}\tT\n")).collect();
    std::fs::write(folder.join("later"), rows).unwrap();
    let mut terminal = start(home.path(), &["--no-session", "about:home"]);
    terminal.see("kept for later: 1 page; could not be had: ").keys(":open about:later\r");
    terminal.see("its server does not answer").keys("q").end();
}
