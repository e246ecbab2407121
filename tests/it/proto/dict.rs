//! DICT: a greeting, a command, its answer and the farewell; words that are near one that is not there; the lies.

use super::client::{context, fetch, get, impatient, request};
use super::server::{Server, Step, send};
use wayfarer::format::media;
use wayfarer::proto::Kind;

const HELLO: &str = "220 dict.example dictd 1.12 <auth.mime> <1@dict.example>\r\n";
const FOUND: &str = "150 1 definitions retrieved\r\n151 \"tea\" wn \"WordNet\"\r\ntea\r\n..250 is no answer\r\n250 nor is \
                     this\r\n.\r\n250 ok\r\n";

fn url(server: &Server, path: &str) -> String {
    format!("dict://127.0.0.1:{}{path}", server.port)
}

#[test]
fn a_word_is_looked_up_and_the_server_is_told_goodbye() {
    let server = Server::start(vec![vec![send(HELLO), Step::Line, Step::Trickle(FOUND.into()), Step::Line]]);
    let outcome = get(&url(&server, "/d:tea:wn"));
    assert_eq!((outcome.media(), outcome.text().as_str(), outcome.cut()), (media::DICT, FOUND, None));
    assert_eq!(outcome.sent[0].lines, ["DEFINE wn \"tea\"", "QUIT"]);
    assert_eq!(server.line(), "DEFINE wn \"tea\"\r\nQUIT\r\n");
}

#[test]
fn of_a_word_that_is_not_there_words_like_it_are_asked() {
    let near = "152 1 matches found\r\nwn \"tea\"\r\n.\r\n250 ok\r\n";
    let steps = vec![send(HELLO), Step::Line, send("552 no match\r\n"), Step::Line, send(near), Step::Line];
    let server = Server::start(vec![steps]);
    let outcome = get(&url(&server, "/d:teq"));
    assert_eq!((outcome.text(), outcome.cut()), (format!("552 no match\r\n{near}"), None));
    assert_eq!(server.line(), "DEFINE ! \"teq\"\r\nMATCH ! . \"teq\"\r\nQUIT\r\n");
    let steps = vec![send(HELLO), Step::Line, send("552 no\r\n"), Step::Line];
    let server = Server::start(vec![steps]);
    let outcome = get(&url(&server, "/m:teq:*:soundex"));
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("552 no\r\n", None));
    assert_eq!(server.line(), "MATCH * soundex \"teq\"\r\nQUIT\r\n");
}

#[test]
fn the_front_page_asks_what_there_is() {
    let (databases, strategies) = ("110 1\r\nwn \"WordNet\"\r\n.\r\n250 ok\r\n", "555 none\r\n");
    let steps = vec![send(HELLO), Step::Line, send(databases), Step::Line, send(strategies), Step::Line];
    let server = Server::start(vec![steps]);
    let outcome = get(&url(&server, "/"));
    assert_eq!((outcome.text(), outcome.cut()), (format!("{databases}{strategies}"), None));
    assert_eq!(server.line(), "SHOW DB\r\nSHOW STRAT\r\nQUIT\r\n");
}

#[test]
fn a_word_stays_within_its_quotation_marks() {
    for (path, line) in [
        ("/d:a%22%20b%5C", "DEFINE ! \"a\\\" b\\\\\""),
        ("/d:x:w%20n", "DEFINE \"w n\" \"x\""),
        ("/m:x:*:a%22b", "MATCH * \"a\\\"b\" \"x\""),
        ("/just%20words", "DEFINE ! \"just words\""),
    ] {
        let server = Server::start(vec![vec![send(HELLO), Step::Line, send("250 ok\r\n"), Step::Line]]);
        get(&url(&server, path));
        assert_eq!(server.line(), format!("{line}\r\nQUIT\r\n"), "{path}");
    }
    for smuggled in ["/d:a%0D%0AQUIT", "/d:a:b%0A", "/m:a:b:c%00", "/a%0D"] {
        let outcome = get(&format!("dict://127.0.0.1{smuggled}"));
        assert_eq!(outcome.failure().kind, Kind::Unsafe, "{smuggled}");
        assert!(outcome.sent.is_empty());
    }
    let long = get(&format!("dict://127.0.0.1/d:{}", "x".repeat(1100)));
    assert_eq!(long.failure().kind, Kind::Unsafe);
    for wrong in ["/d:a:b:c:d", "/x:a", "/d:a:b:0", "/d:a:b:x", "/m:a:b:c:1:e"] {
        assert_eq!(get(&format!("dict://127.0.0.1{wrong}")).failure().kind, Kind::Malformed, "{wrong}");
    }
}

#[test]
fn what_a_dictionary_refuses_is_told() {
    for (steps, words) in [
        (vec![send("420 later\r\n")], "The server says: 420 later."),
        (vec![send(HELLO), Step::Line, send("550 no such db\r\n")], "The server says: 550 no such db."),
        (vec![send("hello\r\n")], "does not answer as a dictionary server does."),
        (vec![send(HELLO), Step::Line, send("what?\r\n")], "does not answer as a dictionary server does."),
        (vec![send(HELLO), Step::Line], "closed the connection instead of answering."),
        (vec![], "closed the connection instead of greeting."),
        (vec![Step::Forever(b"220 ".to_vec())], "does not answer as a dictionary server does."),
    ] {
        let server = Server::start(vec![steps]);
        let outcome = get(&url(&server, "/d:tea"));
        assert!(outcome.failure().detail.ends_with(words), "{words}: {:?}", outcome.failure());
        assert!(outcome.failure().tried.ends_with("DEFINE ! \"tea\""), "{:?}", outcome.failure());
    }
}

#[test]
fn an_answer_of_a_dictionary_that_is_cut_is_kept_and_told() {
    let half = "150 1\r\n151 \"tea\" wn \"WordNet\"\r\ntea\r\n";
    let begin = || vec![send(HELLO), Step::Line, send(half)];
    let closed = Server::start(vec![begin()]);
    let outcome = get(&url(&closed, "/d:tea"));
    let cut = Some("the server closed the connection before the end of its answer");
    assert_eq!((outcome.text().as_str(), outcome.cut()), (half, cut));
    let middle = Server::start(vec![vec![send(HELLO), Step::Line, send(half), send("a drink of le")]]);
    let outcome = get(&url(&middle, "/d:tea"));
    assert_eq!((outcome.text(), outcome.cut()), (format!("{half}a drink of le"), cut));
    let silent = Server::start(vec![[begin(), vec![Step::Stall]].concat()]);
    let outcome = fetch(&request(&url(&silent, "/d:tea")), &impatient());
    assert_eq!((outcome.text().as_str(), outcome.cut()), (half, Some("nothing came for 0.2 s")));
    silent.received();
    let line = Server::start(vec![[begin(), vec![Step::Forever(b"x".to_vec())]].concat()]);
    assert_eq!(get(&url(&line, "/d:tea")).cut(), Some("a line of the answer is too long"));
    let mut small = context();
    small.limits.page = 1 << 20;
    let endless = Server::start(vec![[begin(), vec![Step::Forever(b"more of it\r\n".repeat(100))]].concat()]);
    let outcome = fetch(&request(&url(&endless, "/d:tea")), &small);
    assert_eq!((outcome.body.len(), outcome.cut()), (1 << 20, Some("cut at 1 MiB")));
    let nonsense = Server::start(vec![vec![send(HELLO), Step::Line, send("150 1\r\nwhat?\r\n")]]);
    assert_eq!(get(&url(&nonsense, "/d:tea")).cut(), Some("the server's answer makes no sense"));
}
