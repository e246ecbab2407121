//! Journeys through a small web server: downloads that go on after the program was killed, cookies, an HTTP proxy.

use crate::terminal::Terminal;
use rustix::process::Signal;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

/// What a server was asked, and whether it may send the second half of its files.
#[derive(Default)]
struct Shared {
    asked: Mutex<Vec<String>>,
    released: Mutex<bool>,
    changed: Condvar,
}

/// A server whose answers depend on the path; connections are closed after each.
pub struct Web {
    port: u16,
    shared: Arc<Shared>,
}

fn octets() -> Vec<u8> {
    (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect()
}

impl Web {
    pub fn start() -> Web {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let web = Web { port: listener.local_addr().unwrap().port(), shared: Arc::default() };
        let shared = Arc::clone(&web.shared);
        std::thread::spawn(move || {
            while let Ok((visitor, _)) = listener.accept() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || serve(visitor, &shared));
            }
        });
        web
    }

    /// The address of a path, which begins without a slash.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }

    fn release(&self) {
        *self.shared.released.lock().unwrap() = true;
        self.shared.changed.notify_all();
    }

    /// The heads of all requests.
    fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap().clone()
    }
}

/// Answers one request. A client that goes away ends it.
fn serve(visitor: TcpStream, shared: &Shared) {
    let mut reader = BufReader::new(visitor.try_clone().unwrap());
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|read| read > 2) {}
    let lower = head.to_ascii_lowercase();
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    shared.asked.lock().unwrap().push(head);
    let mut out = visitor;
    let mut page = |fields: &str, text: &str| {
        let length = text.len();
        let answer =
            format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n{fields}\r\n\r\n{text}");
        let _ = out.write_all(answer.as_bytes());
    };
    match target.as_str() {
        "/" => page("Content-Type: text/html", "<p><a href=/data.bin>A file</a> <a href=/cookie>A cookie</a>"),
        "/cookie" => page("Content-Type: text/plain\r\nSet-Cookie: id=7; Max-Age=100000", "It sets a cookie."),
        "/echo" => page("Content-Type: text/plain", if lower.contains("cookie: id=7") { "known" } else { "unknown" }),
        "/data.bin" => file(&mut out, &lower, shared),
        proxied if proxied.starts_with("gopher://") => {
            page("Content-Type: text/html", &format!("<title>Through</title><p>You want {proxied}"));
        }
        _ => page("Content-Type: text/plain", "nothing"),
    }
}

/// A file with a length and a tag; of the whole only the first half comes before the test releases it.
fn file(out: &mut TcpStream, head: &str, shared: &Shared) {
    let all = octets();
    let range =
        head.lines().find_map(|line| line.strip_prefix("range: bytes=")?.trim().strip_suffix('-')?.parse().ok());
    let from: usize = range.unwrap_or(0);
    let (status, range) = match from {
        0 => ("200 OK", String::new()),
        from => ("206 Partial Content", format!("Content-Range: bytes {from}-{}/{}\r\n", all.len() - 1, all.len())),
    };
    let length = all.len() - from;
    let answer = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nETag: \"v1\"\r\n\
         {range}Content-Length: {length}\r\n\r\n"
    );
    let half = all.len() / 2;
    let _ = out.write_all(answer.as_bytes());
    if from < half {
        let _ = out.write_all(&all[from..half]);
        let released = shared.released.lock().unwrap();
        drop(shared.changed.wait_while(released, |released| !*released).unwrap());
    }
    let _ = out.write_all(&all[from.max(half)..]);
}

fn run(arguments: &[&str], home: &Path) -> Terminal {
    Terminal::start_with(arguments, 80, 24, &[("HOME", home.to_str().unwrap())])
}

#[test]
fn a_download_killed_half_way_is_offered_again_and_goes_on() {
    let (web, home) = (Web::start(), tempfile::tempdir().unwrap());
    let downloads = home.path().join("Downloads");
    let mut first = run(&[&web.url("")], home.path());
    first.see("A file A cookie").keys("d").see("save as: ~/Downloads/data.bin").keys("\r").see("saving 50%");
    first.keys("D").see("Downloads  1").see("data.bin").see("[#####-----] 100 kB of 200 kB, 50%");
    first.signal(Signal::KILL);
    first.end();
    let kept = fs::metadata(downloads.join("data.bin.wayfarer-part")).unwrap().len();
    assert!(kept <= 100_000 && kept > 0, "{kept} octets");

    let mut second = run(&["about:home"], home.path());
    second.see("1 download of an earlier time is not whole (D)").keys("gabout:downloads\r");
    second.see("~/Downloads/data.bin").see("broke off: Wayfarer ended").keys("\r").see("go on").see("start anew");
    web.release();
    second.keys("g").see("saved ~/Downloads/data.bin");
    assert!(fs::read(downloads.join("data.bin")).unwrap() == octets(), "byte for byte");
    assert!(web.asked().last().unwrap().to_ascii_lowercase().contains(&format!("range: bytes={kept}-")));
    second.keys("q").see("2 tabs are open").keys("x");
    assert_eq!(second.end(), 0);

    // What is whole is still listed, and its folder is a page.
    let mut third = run(&["about:home"], home.path());
    third.see("start page").see_no("not whole").keys("D").see("Downloads  1").see("data.bin").see("done").keys("\r");
    third.see("show its folder").keys("d").see("../").keys("D").see("done").keys("\r").see("show its folder");
    third.keys("f").see_no("show its folder");
    third.keys("D").see("no downloads").keys("q");
    assert_eq!(third.end(), 0);
}

#[test]
fn a_broken_list_of_downloads_is_told_of_and_nothing_else_is_lost() {
    let (web, home) = (Web::start(), tempfile::tempdir().unwrap());
    web.release();
    let state = home.path().join(".local/state/wayfarer");
    fs::create_dir_all(&state).unwrap();
    let good = "{\"path\":\"~/a\",\"url\":\"http://h/a\",\"state\":\"done\",\"received\":5,\"again\":true}";
    fs::write(state.join("downloads"), format!("{{\"downloads\":1}}\n{good}\n\u{0}\n{{\"path\":\"~/b\",\"ur")).unwrap();
    let mut terminal = run(&[&web.url("")], home.path());
    terminal.see("downloads, line 3 and 1 more").keys("D").see("~/a").keys("\x1b").see_no("~/a");
    terminal.see("A file A cookie").keys("d").see("save as:").keys("\r").see("saved ~/Downloads/data.bin").keys("q");
    assert_eq!(terminal.end(), 0);
    let text = fs::read_to_string(state.join("downloads")).unwrap();
    assert!(text.contains("\"~/a\"") && text.contains("\"~/Downloads/data.bin\"") && !text.contains('\0'), "{text}");
    assert!(fs::read_to_string(state.join("downloads.bad")).unwrap().ends_with("{\"path\":\"~/b\",\"ur\n"));
}

#[test]
fn cookies_are_asked_about_once_and_listed() {
    let (web, home) = (Web::start(), tempfile::tempdir().unwrap());
    let (page, echo) = (web.url("cookie"), web.url("echo"));
    let mut first = run(&["-o", "http.cookies=ask", &page], home.path());
    first.see("127.0.0.1 wants to set a cookie: id").keys("k").see_no("wants to set").keys(&format!("g{echo}\r"));
    first.see("known").see_no("unknown").keys("q");
    assert_eq!(first.end(), 0);
    let mut second = run(&["-o", "http.cookies=ask", &echo], home.path());
    second.see("known").see_no("unknown").keys(":cookies\r").see("127.0.0.1").see("id, until 2");
    second.keys("\r").see("Forget the cookies of 127.0.0.1?").keys("y").see("are forgotten").see("No site has any");
    second
        .keys(&format!("g{echo}\r"))
        .see("unknown")
        .keys(&format!("g{page}\r"))
        .see("wants to set a cookie")
        .keys("n");
    second.see_no("wants to set").keys("q");
    assert_eq!(second.end(), 0);
}

#[test]
fn gopher_goes_through_a_proxy_where_one_is_named() {
    let (web, home) = (Web::start(), tempfile::tempdir().unwrap());
    let proxy = format!("http://127.0.0.1:{}", web.port);
    let environment = [("HOME", home.path().to_str().unwrap()), ("gopher_proxy", &proxy)];
    let mut terminal = Terminal::start_with(&["gopher://burrow.invalid/1/maps"], 80, 24, &environment);
    terminal.see("You want gopher://burrow.invalid/1/maps").see("gopher  burrow.invalid").keys("=");
    terminal.see(", the proxy").see("GET gopher://burrow.invalid/1/maps HTTP/1.1").keys("\x1bq");
    let printed = crate::terminal::piped(home.path())
        .args(["--dump", "gopher://burrow.invalid/1/maps"])
        .env("gopher_proxy", &proxy)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&printed.stdout), "You want gopher://burrow.invalid/1/maps\n");
}

#[test]
fn what_came_of_a_download_is_deleted_when_it_is_given_up() {
    let (web, home) = (Web::start(), tempfile::tempdir().unwrap());
    let part = home.path().join("Downloads/data.bin.wayfarer-part");
    let mut terminal = run(&[&web.url("")], home.path());
    terminal.see("A file A cookie").keys("d").see("save as:").keys("\r").see("saving 50%");
    assert!(part.exists());
    terminal.keys("gabout:downloads\r").see("[#####-----] 100 kB of 200 kB, 50%").keys("\r");
    terminal.see("stays as data.bin.wayfarer-part").see("x delete what came").keys("x").see("There are none.");
    // The file goes as soon as its fetch has ended.
    let gone = || !part.exists() && !part.with_extension("wayfarer-part.toml").exists();
    terminal.keys("R").see_that("no unfinished file", |_| {
        std::thread::yield_now();
        gone()
    });
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}
