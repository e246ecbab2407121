//! Reaching a host: mirrors, refusals, names without address, what the reader is told.

use super::client::{context, fetch, get, request};
use super::server::{DeadPort, Server, Step, certificate, send};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;
use wayfarer::proto::{Kind, Request, Stage};
use wayfarer::url::Url;

fn with_mirrors(url: &str, mirrors: &[&str]) -> Request {
    Request { mirrors: mirrors.iter().map(|m| Url::parse(*m).unwrap()).collect(), ..request(url) }
}

#[test]
fn a_refusal_says_what_was_tried() {
    let dead = DeadPort::new();
    let port = dead.port();
    let outcome = get(&format!("gopher://127.0.0.1:{port}/0/a%20text"));
    assert_eq!(outcome.failure().kind, Kind::Refused);
    let failure = outcome.failure();
    assert_eq!(failure.detail, format!("127.0.0.1 refused the connection on port {port}."));
    assert_eq!(failure.tried, format!("127.0.0.1 port {port}, selector \"/a text\""));
    assert!(failure.hint.is_some());
}

#[test]
fn a_name_without_address_is_told_of() {
    // A label of 64 letters is in no name service, so none is asked.
    let host = "x".repeat(64) + ".invalid";
    let outcome = get(&format!("gopher://{host}/"));
    assert_eq!(outcome.failure().kind, Kind::NoSuchHost);
    assert!(outcome.words().starts_with(&format!("No host is named {host}.")), "{}", outcome.words());
    assert_eq!(outcome.stages, [Stage::Resolving]);
}

#[test]
fn a_name_beyond_ascii_becomes_punycode_or_is_refused() {
    let server = Server::start(vec![vec![Step::Line, send("ok")]]);
    let outcome = get(&format!("gopher://ｌｏｃａｌｈｏｓｔ:{}/0", server.port));
    assert_eq!(outcome.text(), "ok", "{:?}", outcome.failure);
    server.received();
    let outcome = get("gopher://b%FCcher.example/");
    assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::NoSuchHost, 0), "{}", outcome.words());
}

#[test]
#[ignore = "needs a machine with the address ::1"]
fn an_ipv6_address_is_reached() {
    let listener = TcpListener::bind("[::1]:0").unwrap();
    let server = Server::run(listener, vec![vec![Step::Line, send("six")]], None);
    assert_eq!(get(&format!("gopher://[::1]:{}/0", server.port)).text(), "six");
    server.received();
}

#[test]
fn a_mirror_answers_for_a_server_that_is_down() {
    let server = Server::start(vec![vec![Step::Line, send("the same")]]);
    let nobody = DeadPort::new();
    let dead = format!("gopher://127.0.0.1:{}/0/first", nobody.port());
    let also_dead = format!("gopher://127.0.0.1:{}/0/second", nobody.port());
    let mirror = server.url("0/third");
    let outcome = fetch(&with_mirrors(&dead, &[&also_dead, &mirror]), &context());
    assert_eq!(outcome.text(), "the same");
    let head = outcome.head.unwrap();
    assert_eq!(head.url.as_str(), mirror);
    let lines = head.lines.join("\n");
    assert!(lines.contains(&format!("mirror 127.0.0.1 port {} answered in its place", server.port)), "{lines}");
    assert!(lines.contains("refused the connection"), "{lines}");
    assert_eq!(server.line(), "/third\r\n");
}

#[test]
fn a_mirror_answers_for_a_server_that_has_not_got_the_item() {
    let without = Server::start(vec![vec![Step::Line, send("3Not here\t\terror.host\t1\r\n.\r\n")]]);
    let nor = Server::start(vec![vec![Step::Line, send("3Nor here\t\terror.host\t1\r\n.\r\n")]]);
    let with = Server::start(vec![vec![Step::Line, send("the same")]]);
    let outcome = fetch(&with_mirrors(&without.url("0/a"), &[&nor.url("0/b"), &with.url("0/c")]), &context());
    assert_eq!(outcome.text(), "the same");
    assert_eq!(outcome.head.unwrap().url.as_str(), with.url("0/c"));
    // Where none has it the first one's words are told.
    let [one, other] = ["One says", "Other says"]
        .map(|words| Server::start(vec![vec![Step::Line, send(format!("3{words}\t\terror.host\t1\r\n.\r\n"))]]));
    let outcome = fetch(&with_mirrors(&one.url("0/a"), &[&other.url("0/b")]), &context());
    assert!(outcome.failure().detail.contains("One says"), "{}", outcome.failure().detail);
}

#[test]
fn a_mirror_is_left_alone_while_the_first_answers() {
    let server = Server::start(vec![vec![Step::Line, send("--1\r\n1 A\r\nno\r\n")]]);
    let outcome = fetch(&with_mirrors(&server.url("0"), &["gopher://127.0.0.1:9/0"]), &context());
    assert_eq!(outcome.text(), "--1\r\n1 A\r\nno\r\n");
    server.received();
}

#[test]
fn mirrors_that_may_not_be_used_are_left_out_and_all_failures_are_told() {
    let nobody = DeadPort::new();
    let dead = format!("gopher://127.0.0.1:{}/0/first", nobody.port());
    let other = format!("gopher://127.0.0.1:{}/0/other", nobody.port());
    let outcome = fetch(
        &with_mirrors(&dead, &["gopher://127.0.0.1:25/0", "gopher://127.0.0.1:1000/0", "file:///etc/passwd", &other]),
        &context(),
    );
    let tried = &outcome.failure().tried;
    assert!(tried.contains("/first") && tried.contains("; then its mirror") && tried.contains("/other"), "{tried}");
    assert!(!tried.contains("port 25,") && !tried.contains("port 1000,"), "{tried}");
    assert!(outcome.head.is_none());
}

#[test]
fn a_mirror_in_clear_text_does_not_stand_in_for_tls() {
    let server = Server::start(vec![]);
    let nobody = DeadPort::new();
    let dead = format!("gophers://127.0.0.1:{}/0", nobody.port());
    let outcome = fetch(&with_mirrors(&dead, &[&server.url("0")]), &context());
    assert_eq!(outcome.failure().kind, Kind::Refused);
    assert!(server.received().is_empty());
    let server = Server::secure(vec![vec![Step::Line, send("ok")]], certificate());
    let outcome = fetch(&with_mirrors(&dead, &[&format!("gophers://127.0.0.1:{}/0", server.port)]), &context());
    assert_eq!(outcome.text(), "ok", "{:?}", outcome.failure);
    server.received();
}

#[test]
fn a_connection_that_nobody_takes_is_given_up() {
    // A queue of one that is full: the system answers no further knock.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        socket.listen(1).unwrap()
    });
    let address = listener.local_addr().unwrap();
    let _queue = [TcpStream::connect(address).unwrap(), TcpStream::connect(address).unwrap()];
    let mut context = context();
    context.limits.connect = Duration::from_millis(200);
    let outcome = fetch(&request(&format!("gopher://{address}/1")), &context);
    assert_eq!(outcome.failure().kind, Kind::TimedOut, "{}", outcome.words());
    assert!(outcome.words().contains("did not open a connection within 0.2 s"), "{}", outcome.words());
    assert_eq!(outcome.stages, [Stage::Connecting]);
}

#[test]
fn a_server_that_never_makes_it_secure_is_given_up() {
    let server = Server::start(vec![vec![Step::Stall]]);
    let mut context = context();
    context.limits.connect = Duration::from_millis(200);
    let outcome = fetch(&request(&format!("gophers://127.0.0.1:{}/1", server.port)), &context);
    assert_eq!(outcome.failure().kind, Kind::TimedOut, "{}", outcome.words());
    assert_eq!(outcome.stages, [Stage::Connecting, Stage::Securing]);
    server.received();
}
