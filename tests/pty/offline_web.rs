//! What was read of the web stays under every address by which it was asked for, with the pictures that were shown in its text; of
//! what is put by, one server that does not answer holds up no other.

use crate::door::Door;
use crate::graphics::red;
use crate::terminal::Terminal;
use image::ImageFormat;
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

const HTML: &str = "Content-Type: text/html\r\n";
const PLAIN: &str = "Content-Type: text/plain\r\n";

/// It was kept under the address alone to which it had come.
#[test]
fn a_page_that_was_reached_by_a_redirect_is_read_by_the_same_link_when_its_server_has_gone() {
    let page = b"<p><a href=/go/e3.html>the third</a> <a href=/gone>for now</a>";
    let (port, door) = web(&[
        ("/", "200 OK", HTML, page),
        ("/go/e3.html", "301 Moved Permanently", "Location: /half\r\n", b""),
        ("/half", "302 Found", "Location: /e3.html\r\n", b""),
        ("/e3.html", "200 OK", PLAIN, b"all of the third"),
        ("/gone", "302 Found", "Location: /e3.html\r\nCache-Control: no-store\r\n", b""),
    ]);
    let home = tempfile::tempdir().unwrap();
    let url = format!("http://127.0.0.1:{port}/");
    let mut terminal = start(home.path(), &["--no-session", &url]);
    terminal.see("the third").keys("1\r").see("all of the third").keys("h").see("the third");
    terminal.keys("2\r").see("all of the third").keys("q").end();
    drop(door);

    let mut terminal = start(home.path(), &["--no-session", "--offline", &url]);
    terminal.see("the third").keys("1\r").see("all of the third").see("/e3.html").see("301 Moved Permanently");
    terminal.see("kept just now").keys("=").see("─ Anatomy").see("/go/e3.html").keys("\x1b").see_no("─ Anatomy");
    // What is not to be kept is not.
    terminal.keys("h").see("for now").keys("2\r").see("No copy of this page is kept").keys("q").end();

    // The failure leads there as well.
    let mut terminal = start(home.path(), &["--no-session", &format!("{url}go/e3.html")]);
    terminal.see("tried").see("the copy that was kept").keys("\x1bK").see("all of the third").see("kept just now");
    terminal.keys("q").end();
}

/// Cells of red below the link.
fn is_shown(terminal: &mut Terminal) -> &mut Terminal {
    let red = vt100::Color::Rgb(255, 0, 0);
    terminal.cells_that("the picture", |screen| {
        (1..12).any(|row| screen.cell(row, 1).is_some_and(|cell| cell.bgcolor() == red))
    })
}

/// It was shown, and was not there an hour later in the train.
#[test]
fn a_picture_that_was_shown_in_the_text_is_kept_as_pages_are() {
    let picture = red(16, 32, ImageFormat::Png);
    let page = b"<p><a href=/go.png>A boat</a> and words";
    let (port, door) = web(&[
        ("/", "200 OK", HTML, page),
        ("/go.png", "302 Found", "Location: /p/a.png\r\n", b""),
        ("/p/a.png", "200 OK", "Content-Type: image/png\r\n", &picture),
    ]);
    let (home, private) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let url = format!("http://127.0.0.1:{port}/");
    let mut terminal = start(home.path(), &["--no-session", &url]);
    terminal.focused("A boat").keys("x");
    is_shown(&mut terminal).keys("q").end();
    let mut terminal = start(private.path(), &["--no-session", "about:home"]);
    terminal.see("Wayfarer").keys(&format!(":private {url}\r")).see("A boat").keys("x");
    is_shown(&mut terminal).keys("Q").end();
    drop(door);
    let mut terminal = start(home.path(), &["--no-session", "--offline", &url]);
    terminal.focused("A boat").keys("x");
    is_shown(&mut terminal).keys(&format!("g{url}p/a.png\r")).see("PNG picture, 16 x 32").see("kept just now");
    terminal.keys("q").end();
    let mut terminal = start(private.path(), &["--no-session", "--offline", &format!("{url}p/a.png")]);
    terminal.see("No copy of this page is kept").keys("q").end();
}

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
