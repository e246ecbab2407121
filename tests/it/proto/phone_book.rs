//! CSO phone books: a query, numbered lines, the last line, the farewell.

use super::client::{fetch, get, impatient, request};
use super::server::{Server, Step, send};
use wayfarer::format::media;

const ENTRY: &str =
    "102:There was 1 match to your request.\r\n-200:1:   name: Ada\r\n-200:1:  email: ada@x\r\n200:Ok.\r\n";

#[test]
fn a_query_is_answered_and_the_server_is_told_goodbye() {
    let server = Server::start(vec![vec![Step::Line, Step::Trickle(ENTRY.into()), Step::Line]]);
    let outcome = get(&server.url("2%09name=ada%20phone=*"));
    assert_eq!((outcome.media(), outcome.text().as_str(), outcome.cut()), (media::PHONE_BOOK, ENTRY, None));
    assert_eq!(server.line(), "query name=ada phone=*\r\nquit\r\n");
}

#[test]
fn an_error_of_the_phone_book_ends_its_answer() {
    let server = Server::start(vec![vec![Step::Line, send("501:No matches to your query.\r\n"), Step::Line]]);
    let outcome = get(&server.url("2%09nobody"));
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("501:No matches to your query.\r\n", None));
    server.received();
}

#[test]
fn a_phone_book_that_closes_early_or_falls_silent_is_told_of() {
    let server = Server::start(vec![vec![Step::Line, send("-200:1: name: Ada\r\n")]]);
    let outcome = get(&server.url("2%09ada"));
    assert_eq!(outcome.cut(), Some("the server closed the connection before the end of its answer"));
    server.received();
    let server = Server::start(vec![vec![Step::Line, send("-200:1: name: Ada\r\n"), Step::Stall]]);
    let outcome = fetch(&request(&server.url("2%09ada")), &impatient());
    assert_eq!(outcome.cut(), Some("nothing came for 0.2 s"));
    server.received();
}

#[test]
fn words_are_sent_as_octets() {
    let server = Server::start(vec![vec![Step::Line, send("200:Ok.\r\n"), Step::Line]]);
    get(&server.url("2%09M%FCller"));
    assert_eq!(server.received(), [b"query M\xFCller\r\nquit\r\n".to_vec()]);
}

#[test]
fn a_line_without_end_is_cut() {
    let server = Server::start(vec![vec![Step::Line, Step::Forever(b"-200:1: name: Ada ".to_vec())]]);
    let outcome = get(&server.url("2%09ada"));
    assert_eq!(outcome.cut(), Some("a line of the answer is too long"));
}
