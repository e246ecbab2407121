//! Slow, broken, endless and stalled servers: the keyboard always answers, what came stays.

use crate::door::Door;
use crate::sandbox::threads;
use crate::server::{Answer, Server, whole};
use crate::terminal::Terminal;
use crate::web::Web;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::channel;

fn items(from: usize, to: usize) -> Vec<u8> {
    let item = |n| format!("0Entry {n}\t/e{n}\t127.0.0.1\t{{port}}\r\n");
    (from..to).map(item).collect::<String>().into_bytes()
}

#[test]
fn what_is_typed_before_the_first_page_is_done() {
    let server = Server::start(vec![("/0", whole("A text that was asked for early"))]);
    let mut terminal = Terminal::start(&["about:help"]);
    terminal.keys(&format!("g{}\r", server.url("0/0"))).see("A text that was asked for early").keys("Q").end();
}

#[test]
fn a_stalled_menu_is_read_used_and_stopped() {
    let server = Server::start(vec![("/stall", Answer::Stalled(items(0, 60), items(60, 61))), ("/e0", whole("zero"))]);
    let mut terminal = Terminal::start(&[&server.url("1/stall")]);
    terminal
        .see("Entry 21")
        .keys(" ")
        .see("Entry 40")
        .keys("\x1b[H")
        .focused("Entry 0")
        .keys("\x1b[B")
        .focused("Entry 1");
    terminal.keys("=").see("Anatomy").keys("\x1b").see_no("Anatomy");
    terminal.keys("z").see("stopped").keys("\x1b[F").see("Entry 59").see("stopped here");
    server.release();
    terminal.keys("\x1b[H").see("▸Entry 0").keys("\r").see("zero").keys("\x1b[D").see("stopped");
}

#[test]
fn a_stalled_menu_goes_on_when_the_server_does() {
    let server = Server::start(vec![("/stall", Answer::Stalled(items(0, 10), items(10, 12)))]);
    let mut terminal = Terminal::start(&[&server.url("1/stall")]);
    terminal.see("Entry 9").see("more is coming");
    server.release();
    terminal.see("Entry 11").see_no("more is coming");
}

#[test]
fn while_a_page_is_awaited_the_old_one_can_be_used() {
    let server = Server::start(vec![
        ("", whole([items(0, 60), b"1Silence\t/silent\t127.0.0.1\t{port}\r\n.\r\n".to_vec()].concat())),
        ("/silent", Answer::Stalled(Vec::new(), items(70, 71))),
    ]);
    let mut terminal = Terminal::start(&[&server.url("1")]);
    terminal.see("Entry 21").keys("61\r").see("waiting").see("/silent");
    terminal.keys("\x1b[H").see("▸Entry 0").keys("/entry 33\r").see("Entry 33").see("waiting");
    terminal.keys("z").see("stopped").see_no("waiting");
    terminal.keys("61\r").see("waiting");
    server.release();
    terminal.see("Entry 70");
}

#[test]
fn an_endless_menu_never_takes_the_keyboard() {
    let server = Server::start(vec![("/endless", Answer::Endless(items(0, 1000))), ("/e0", whole("zero"))]);
    let mut terminal = Terminal::start(&[&server.url("1/endless")]);
    terminal.see("▸Entry 0").keys("\x1b[B").see("▸Entry 1").keys(" ").see("Entry 30").keys("?").see("Help");
    terminal.keys("\x1b").see_no("Help").keys("\x1b[H").see("▸Entry 0").keys("z").see("stopped");
    terminal.keys("\r").see("zero").keys("q");
    assert_eq!(terminal.end(), 0);
}

/// The HTTP library reads interim answers without end for as long as they come at once, and looks up seldom.
#[test]
fn endless_interim_answers_hold_up_no_other_server() {
    /// So much has gone when they are being read.
    const UNDER_WAY: usize = 6 << 20;
    let web = Web::start();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let early = format!("http://{}/early", listener.local_addr().unwrap());
    let (_door, visitors) = Door::open(listener);
    let (begun, is_begun) = channel();
    std::thread::spawn(move || {
        let heads = b"HTTP/1.1 103 Early\r\nLink: </x>; rel=preload\r\n\r\n".repeat(1000);
        for mut visitor in visitors.take(1) {
            let mut sent = 0;
            let _ = visitor.read(&mut [0; 4096]);
            while visitor.write_all(&heads).is_ok() {
                sent += heads.len();
                if sent > UNDER_WAY {
                    let _ = begun.send(());
                }
            }
        }
    });
    let mut terminal = Terminal::start(&[&web.url("echo")]);
    terminal.see("unknown").keys("g\x15").keys(&format!("{early}\r"));
    is_begun.recv().unwrap();
    terminal.keys("\x1b").see("stopped").keys("g\x15").keys(&format!("{}\r", web.url(""))).see("A cookie");
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}

/// Each costs its time before the first page is seen.
#[test]
fn threads_for_many_servers_are_begun_with_the_first_that_may_take_long() {
    let server = Server::start(vec![("", whole(items(0, 3)))]);
    let web = Web::start();
    let mut terminal = Terminal::start(&[&server.url("1")]);
    terminal.see("Entry 2");
    let id = terminal.id();
    let talking = || threads(id).iter().filter(|(name, _)| name == "tokio-rt-worker").count();
    // The one that fetches, and the one that reads what comes.
    assert!(talking() <= 2, "{}", talking());
    terminal.keys("g\x15").keys(&format!("{}\r", web.url("echo"))).see("unknown");
    // A thread has its name a moment after it has begun.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while talking() < 5 {
        assert!(std::time::Instant::now() < deadline, "{}", talking());
        std::thread::yield_now();
    }
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_dropped_menu_keeps_what_came_and_says_so() {
    let server = Server::start(vec![("/drop", Answer::Dropped(items(0, 12)))]);
    let mut terminal = Terminal::start(&[&server.url("1/drop")]);
    terminal.see("Entry 11").see("cut short").see("the connection broke");
    server.answer("/drop", whole(items(0, 14)));
    terminal.keys("R").see("Entry 13").see_no("cut short");
}

#[test]
fn a_failure_is_a_page_and_reload_tries_again() {
    // A port on which nobody listens now.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let port = address.port();
    let mut terminal = Terminal::start(&["about:home"]);
    let url = format!("gopher://127.0.0.1:{port}/1/x");
    terminal.see("Where to go").keys("g").see("open:").keys(&url).keys("\r");
    terminal.see("refused the connection").see("tried").see("R try again").see(&port.to_string());
    terminal.keys("=").see("Anatomy").keys("\x1b").see_no("Anatomy");
    terminal.keys("\x1b[D").see("Where to go").keys("L").see("refused the connection");
    let _server = Server::on(std::net::TcpListener::bind(address).unwrap(), vec![("/x", whole(items(0, 3)))]);
    terminal.keys("R").see("Entry 2").see_no("tried");
    // Nothing is sent to a port that belongs to another protocol.
    terminal.keys("g").see("open:").keys("gopher://127.0.0.1:25/\r").see("belongs to another protocol");
}
