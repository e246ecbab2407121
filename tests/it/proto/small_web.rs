//! Spartan and nex: what is asked, and what comes of the answer.

use super::client::{Outcome, get};
use super::server::{Server, Step, send};
use wayfarer::proto::Kind;
use wayfarer::url::Url;

/// What a server was sent for a path, and what became of its answer.
fn asked(scheme: &str, path: &str, reads: Step, answer: &str) -> (String, Outcome) {
    let server = Server::start(vec![vec![reads, send(answer)]]);
    let outcome = get(&format!("{scheme}://127.0.0.1:{}{path}", server.port));
    (server.line(), outcome)
}

#[test]
fn spartan_sends_host_path_length_and_what_the_query_says() {
    let (line, outcome) = asked("spartan", "", Step::Line, "2 text/gemini\r\n# Hi\n");
    assert_eq!(
        (line.as_str(), outcome.media(), outcome.text().as_str()),
        ("127.0.0.1 / 0\r\n", "text/gemini", "# Hi\n")
    );
    let sent = "127.0.0.1 /a%20b 7\r\ntwo wö";
    let reads = Step::Octets(sent.len());
    let (line, outcome) = asked("spartan", "/a b?two%20w%C3%B6#f", reads, "2 text/plain; charset=utf-8\r\n");
    assert_eq!((line.as_str(), outcome.head.unwrap().charset.as_deref()), (sent, Some("utf-8")));
}

/// A server of another protocol takes each line for a command.
#[test]
fn nothing_that_spartan_sends_has_lines() {
    for query in ["%0d%0aFLUSHALL%0d%0a", "%0aQUIT", "a%00b"] {
        let outcome = get(&format!("spartan://127.0.0.1:6379/?{query}"));
        assert_eq!(outcome.failure().kind, Kind::Unsafe, "{query}");
    }
}

#[test]
fn nobody_but_the_program_writes_its_own_pages() {
    let (_, outcome) = asked("spartan", "/", Step::Line, "2 text/x-wayfarer\r\n! An error\n");
    assert_eq!(outcome.media(), "text/gemini");
}

#[test]
fn spartans_statuses_are_told() {
    let of = |answer: &str| asked("spartan", "/x", Step::Line, answer).1;
    assert_eq!(of("3 /there\r\n").moved.unwrap().to, "/there");
    for (answer, kind, says) in [
        ("3 //evil/x\r\n", Kind::Malformed, "not by a path"),
        ("3 gopher://evil/\r\n", Kind::Malformed, "not by a path"),
        ("4 no such thing\r\n", Kind::NotFound, "this address is wrong: no such thing"),
        ("5\r\n", Kind::Said, "could not do what was asked."),
        ("6 x\r\n", Kind::Malformed, "no status"),
        ("20 text/gemini\r\n", Kind::Malformed, "no status"),
        ("2 a\x1bb\r\n", Kind::Malformed, "control characters"),
        ("2 text", Kind::Malformed, "within its first line"),
        ("", Kind::Broken, "without an answer"),
    ] {
        let outcome = of(answer);
        assert_eq!(outcome.failure().kind, kind, "{answer}");
        assert!(outcome.words().contains(says), "{answer}: {}", outcome.words());
    }
}

#[test]
fn nex_sends_a_path_and_directories_have_links() {
    for (path, line, answer, media) in [
        ("", "/\n", "hello\n", "text/x-nex"),
        ("/dir/", "/dir/\n", "=> a.txt A\n", "text/x-nex"),
        ("/a%20b.txt", "/a b.txt\n", "text\n", "text/plain"),
        ("/x.gmi", "/x.gmi\n", "# x\n", "text/gemini"),
        ("/none", "/none\n", "words\n", "text/plain"),
    ] {
        let (sent, outcome) = asked("nex", path, Step::Line, answer);
        assert_eq!((sent.as_str(), outcome.media(), outcome.cut()), (line, media, None), "{path}");
    }
    assert!(asked("nex", "/x", Step::Line, "").1.cut().unwrap().contains("without sending anything"));
    for text in ["nex://127.0.0.1/a%0d%0ab", "nex://127.0.0.1/a%0ab", "nex://127.0.0.1/a%00b", "spartan://u@127.0.0.1/"]
    {
        assert!(wayfarer::url::scheme::plan(&Url::parse(text).unwrap()).is_err(), "{text}");
    }
}
