//! Finger, WHOIS and Whois++: a line out, a text back, the lies included.

use super::client::{context, fetch, get, impatient, request};
use super::server::{DeadPort, Server, Step, send};
use wayfarer::format::media;
use wayfarer::proto::Kind;

fn answered(text: &str) -> Vec<Vec<Step>> {
    vec![vec![Step::Line, send(text)]]
}

#[test]
fn finger_sends_one_line_and_shows_the_answer() {
    for (path, line) in [
        ("/joe", "joe\r\n"),
        ("/", "\r\n"),
        ("", "\r\n"),
        ("/W%20joe", "/W joe\r\n"),
        ("//W%20joe", "/W joe\r\n"),
        ("/joe@other", "joe@other\r\n"),
        ("/J%C3%B6e?x", "J\u{f6}e?x\r\n"),
    ] {
        let server = Server::start(answered("Login: joe\r\n"));
        let outcome = get(&format!("finger://127.0.0.1:{}{path}", server.port));
        assert_eq!((outcome.media(), outcome.text().as_str()), (media::PLAIN, "Login: joe\r\n"), "{path}");
        assert_eq!(server.line(), line, "{path}");
    }
    let server = Server::start(answered("Login: joe\r\n"));
    get(&format!("finger://joe@127.0.0.1:{}/", server.port));
    assert_eq!(server.line(), "joe\r\n");
}

#[test]
fn whois_sends_one_line_and_shows_the_answer() {
    let server = Server::start(vec![vec![Step::Line, Step::Trickle("domain: gopher.example.org\r\n".into())]]);
    let outcome = get(&format!("whois://127.0.0.1:{}/gopher.example.org", server.port));
    assert_eq!((outcome.media(), outcome.text().as_str()), (media::WHOIS, "domain: gopher.example.org\r\n"));
    assert_eq!(outcome.cut(), None);
    assert_eq!(server.line(), "gopher.example.org\r\n");
    let server = Server::start(answered("% 220 welcome\r\n# FULL USER x y z\r\n"));
    let outcome = get(&format!("whois++://127.0.0.1:{}/name=ada", server.port));
    assert!(outcome.text().contains("# FULL"));
    assert_eq!(server.line(), "name=ada\r\n");
}

#[test]
fn no_second_line_leaves() {
    for scheme in ["finger", "whois", "whois++"] {
        for smuggled in ["a%0D%0Ab", "a%0Ab", "a%0Db", "a%00b"] {
            let outcome = get(&format!("{scheme}://127.0.0.1/{smuggled}"));
            assert_eq!(outcome.failure().kind, Kind::Unsafe, "{scheme} {smuggled}");
            assert!(outcome.sent.is_empty(), "{scheme} {smuggled}");
        }
    }
    assert_eq!(get("finger://a%0Ab@127.0.0.1/").failure().kind, Kind::Unsafe);
}

#[test]
fn lies_of_servers_of_one_line_are_told() {
    for scheme in ["finger", "whois"] {
        let url = |port: u16| format!("{scheme}://127.0.0.1:{port}/x");
        let closed = Server::start(vec![vec![Step::Line]]);
        let outcome = get(&url(closed.port));
        assert!(outcome.failure().detail.ends_with("closed the connection without a word."), "{outcome:?}");
        assert!(outcome.failure().tried.ends_with(", \"x\""), "{outcome:?}");
        let silent = Server::start(vec![vec![Step::Line, Step::Stall]]);
        let outcome = fetch(&request(&url(silent.port)), &impatient());
        assert_eq!(outcome.failure().kind, Kind::TimedOut);
        silent.received();
        let midway = Server::start(vec![vec![Step::Line, send("half"), Step::Stall]]);
        let outcome = fetch(&request(&url(midway.port)), &impatient());
        assert_eq!((outcome.text().as_str(), outcome.cut()), ("half", Some("nothing came for 0.2 s")));
        midway.received();
        let mut small = context();
        small.limits.page = 1 << 20;
        let endless = Server::start(vec![vec![Step::Line, Step::Forever(b"x".repeat(1000))]]);
        let outcome = fetch(&request(&url(endless.port)), &small);
        assert_eq!((outcome.body.len(), outcome.cut()), (1 << 20, Some("cut at 1 MiB")));
        let dead = DeadPort::new();
        assert_eq!(get(&url(dead.port())).failure().kind, Kind::Refused);
    }
}

#[test]
fn words_that_are_missing_are_not_sent() {
    let outcome = get("whois://127.0.0.1/");
    assert_eq!(outcome.failure().detail, "This address has no words for the server.");
    assert!(outcome.sent.is_empty());
}
