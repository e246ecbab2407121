//! Gopher+: heads that count, end with a dot or with the connection, and lie; errors; forms; old servers.

use super::client::{Outcome, get};
use super::server::{Server, Step, send};
use wayfarer::format::media;
use wayfarer::proto::Kind;

/// The answer to one request for a path.
fn answer(path: &str, sent: impl AsRef<[u8]>) -> Outcome {
    let server = Server::start(vec![vec![Step::Line, send(sent)]]);
    let outcome = get(&server.url(path));
    server.received();
    outcome
}

#[test]
fn a_counted_answer_has_a_length() {
    let outcome = answer("0/x%09%09+", "+5\r\nhello");
    assert_eq!((outcome.text().as_str(), outcome.media(), outcome.cut()), ("hello", "text/plain", None));
    let head = outcome.head.unwrap();
    assert_eq!(head.length, Some(5));
    assert!(head.lines.contains(&"+5".to_owned()), "{:?}", head.lines);
}

#[test]
fn a_count_too_small_cuts_and_one_too_large_is_told() {
    let long = answer("0/x%09%09+", "+5\r\nhello and more");
    assert_eq!((long.text().as_str(), long.cut()), ("hello", None));
    let short = answer("0/x%09%09+", "+50\r\nhello");
    assert_eq!((short.text().as_str(), short.cut()), ("hello", Some("the server promised 50 octets and sent 5")));
    let none = answer("0/x%09%09+", "+0\r\n");
    assert_eq!((none.text().as_str(), none.cut()), ("", None));
}

#[test]
fn a_counted_answer_needs_no_close() {
    let server = Server::start(vec![vec![Step::Line, send("+5\r\nhello"), Step::Drain]]);
    assert_eq!(get(&server.url("0/x%09%09+")).text(), "hello");
    server.received();
}

#[test]
fn a_dotted_answer_ends_at_its_dot() {
    let outcome = answer("0/x%09%09+", "+-1\r\none\r\n..two\r\n.\r\nnot mine");
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("one\r\n.two\r\n", None));
    let outcome = answer("0/x%09%09+", "+-1\r\none\r\n");
    assert_eq!(outcome.cut(), Some("the server closed the connection before the end of its answer"));
}

#[test]
fn an_answer_until_close_is_not_touched() {
    let outcome = answer("9/x%09%09+", b"+-2\r\n\0\r\n..\r\n.\r\n");
    assert_eq!(outcome.body, b"\0\r\n..\r\n.\r\n");
}

#[test]
fn heads_with_a_lone_line_feed_and_in_pieces_count() {
    let server = Server::start(vec![vec![Step::Line, Step::Trickle(b"+7\nplus\r\n.".to_vec())]]);
    assert_eq!(get(&server.url("0/x%09%09+")).text(), "plus\r\n.");
    server.received();
}

#[test]
fn a_plain_answer_of_an_old_server_is_taken() {
    let outcome = answer("0/x%09%09+", "just text\r\n.\r\n");
    assert_eq!((outcome.text().as_str(), outcome.media(), outcome.cut()), ("just text\r\n", "text/plain", None));
    let outcome = answer("1/x%09%09+", "1a\tb\tc\t70\r\n.\r\n");
    assert_eq!(outcome.media(), media::MENU);
    for odd in ["+", "+ five\r\nx", "-dash list\r\n", "+99999999999999999999999999\r\nx", "+1+1=2\r\n"] {
        assert_eq!(answer("0/x%09%09+", odd).text(), odd);
    }
}

#[test]
fn attributes_have_their_own_type() {
    let block = "+INFO: 0x\t/x\th\t70\t+\r\n+ADMIN:\r\n Admin: A <a@b>\r\n";
    for (path, media) in [
        ("0/x%09%09!", media::ATTRIBUTES),
        ("1/x%09%09$", media::ATTRIBUTES),
        ("0/x%09%09!+ABSTRACT", media::ATTRIBUTES),
        ("0/x%09%09%3F", media::FORM),
    ] {
        let outcome = answer(path, format!("+-1\r\n{block}.\r\n"));
        assert_eq!((outcome.media(), outcome.text().as_str()), (media, block), "{path}");
        assert_eq!(outcome.head.unwrap().filename, None, "{path}");
        // Without a head, as some servers send them.
        let outcome = answer(path, block);
        assert_eq!((outcome.media(), outcome.text().as_str(), outcome.cut()), (media, block, None), "{path}");
    }
}

#[test]
fn an_old_server_asked_for_attributes_is_hung_up_on_at_its_first_octet() {
    for item in ["the text itself\r\n", "0a menu\t/\th\t70\r\n", "x", "\u{0}ID3"] {
        let outcome = answer("0/x%09%09!", item);
        assert_eq!(outcome.failure().detail, "127.0.0.1 does not speak Gopher+: it tells no attributes.", "{item:?}");
    }
    let refuses = Server::start(vec![
        vec![Step::Line, send("3'x\t!' not found\t\terror.host\t1\r\n.\r\n")],
        vec![Step::Line, send("3not found\t\terror.host\t1\r\n.\r\n")],
    ]);
    let outcome = get(&refuses.url("0/x%09%09!"));
    assert_eq!(outcome.failure().detail, "127.0.0.1 does not speak Gopher+: it tells no attributes.");
    // Another way to show a menu is one all the same.
    let outcome = answer("1/x%09%09$", "0a menu\t/\th\t70\r\n");
    assert_eq!(outcome.cut(), Some("the server does not speak Gopher+: it sent no attributes, but the item itself"));
}

#[test]
fn each_view_has_its_own_type() {
    for (path, request, media) in [
        ("0/x%09%09+text/html", "/x\t+text/html\r\n", "text/html"),
        ("0/x%09%09+Application/Postscript%20Es_ES", "/x\t+Application/Postscript Es_ES\r\n", "application/postscript"),
        ("1/x%09%09+application/gopher+-menu%20De_DE", "/x\t+application/gopher+-menu De_DE\r\n", media::MENU),
        ("0/x%09%09+", "/x\t+\r\n", "text/plain"),
        ("0/x%09%09+plain", "/x\t+plain\r\n", "text/plain"),
    ] {
        let server = Server::start(vec![vec![Step::Line, send("+-2\r\nwhatever")]]);
        assert_eq!(get(&server.url(path)).media(), media, "{path}");
        assert_eq!(server.line(), request);
    }
}

#[test]
fn the_answers_of_a_form_arrive_to_the_octet() {
    let block = "/ask\t+text/plain De_DE\t1\r\n+-1\r\nA name\r\n2\r\nline one\r\n..dot\r\n1\r\n.\r\n";
    let server = Server::start(vec![vec![Step::Octets(block.len()), send("+-1\r\nThank you\r\n.\r\n")]]);
    let path = "0/ask%09%09+text/plain%20De_DE%091%0D%0A+-1%0D%0AA%20name%0D%0A2%0D%0Aline%20one%0D%0A..dot%0D%0A1%0D%0A.%0D%0A";
    let outcome = get(&server.url(path));
    assert_eq!((outcome.text().as_str(), outcome.media()), ("Thank you\r\n", "text/plain"));
    assert_eq!(server.line(), block);
}

#[test]
fn a_filled_form_is_sent_once_even_if_it_is_refused() {
    let block = "/ask\t+\t1\r\n+-1\r\nx\r\n.\r\n";
    let server = Server::start(vec![vec![Step::Octets(block.len()), send("--1\r\n1 A <a@b>\r\nNo.\r\n.\r\n")]]);
    let outcome = get(&server.url("0/ask%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A"));
    assert_eq!(outcome.failure().detail, "The server says that this item is not available: No.");
    assert!(outcome.failure().tried.ends_with("a filled form"), "answers stay hidden: {}", outcome.words());
    assert_eq!(server.line(), block);
}

#[test]
fn a_line_break_in_an_ordinary_request_never_leaves() {
    for path in ["0/x%09%09+%0D%0AQUIT", "0/x%09%09!%0A", "0/x%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0AQUIT%0D%0A"] {
        let outcome = get(&format!("gopher://127.0.0.1/{path}"));
        assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::Unsafe, 0), "{path}");
    }
}

#[test]
fn an_error_is_answered_with_a_second_try_with_two_tabs() {
    for refusal in ["--1\r\n1 A <a@b>\r\nno\r\n.\r\n", "3what?\t\terror.host\t1\r\n.\r\n"] {
        let server =
            Server::start(vec![vec![Step::Line, send(refusal)], vec![Step::Line, send("+-1\r\nhere\r\n.\r\n")]]);
        let outcome = get(&server.url("0/x%09%09+"));
        assert_eq!(outcome.text(), "here\r\n");
        assert!(outcome.head.unwrap().lines.iter().any(|line| line.contains("asked once more")));
        assert_eq!(server.received(), [b"/x\t+\r\n".to_vec(), b"/x\t\t+\r\n".to_vec()]);
    }
}

#[test]
fn a_form_is_asked_for_in_three_ways() {
    let refusal = vec![Step::Line, send("--1\r\n1 A\r\nno\r\n.\r\n")];
    let form = vec![Step::Line, send("+-1\r\n+INFO: 0x\tx\th\t70\t?\r\n+ASK:\r\n Ask: Name?\r\n.\r\n")];
    let server = Server::start(vec![refusal.clone(), refusal, form]);
    let outcome = get(&server.url("0/x%09%09%3F"));
    assert_eq!(outcome.media(), media::FORM);
    assert_eq!(server.received(), [b"/x\t!+ASK\r\n".to_vec(), b"/x\t!\r\n".to_vec(), b"/x\t\t!+ASK\r\n".to_vec()]);
}

#[test]
fn attributes_are_asked_for_without_names_where_names_are_unknown() {
    for (path, first, second, media) in [
        ("0/x%09%09%3F", "/x\t!+ASK\r\n", "/x\t!\r\n", media::FORM),
        ("0/x%09%09!+ABSTRACT", "/x\t!+ABSTRACT\r\n", "/x\t!\r\n", media::ATTRIBUTES),
        ("1/x%09%09$+VIEWS", "/x\t$+VIEWS\r\n", "/x\t$\r\n", media::ATTRIBUTES),
        ("7/x%09word%09!+ASK", "/x\tword\t!+ASK\r\n", "/x\tword\t!\r\n", media::ATTRIBUTES),
    ] {
        let server = Server::start(vec![
            vec![Step::Line, send("the item itself\r\n")],
            vec![Step::Line, send("+-2\r\n+INFO: 0x\tx\th\t70\t+\r\n")],
        ]);
        let outcome = get(&server.url(path));
        assert_eq!((outcome.media(), outcome.cut()), (media, None), "{path}");
        assert_eq!(server.received(), [first.as_bytes(), second.as_bytes()], "{path}");
    }
}

#[test]
fn a_form_that_was_not_read_is_told_of() {
    let block = "/ask\t+\t1\r\n+-1\r\nx\r\n.\r\n";
    let server = Server::start(vec![vec![Step::Octets(block.len()), send("the item itself\r\n")]]);
    let outcome = get(&server.url("0/ask%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A"));
    assert_eq!(outcome.cut(), Some("the answer is not one of Gopher+, so the server may not have read the form"));
    assert_eq!(server.line(), block);
}

#[test]
fn errors_carry_the_servers_words() {
    let twice = |sent: &str| {
        let visit = vec![Step::Line, send(sent)];
        let server = Server::start(vec![visit.clone(), visit]);
        let outcome = get(&server.url("0/x%09%09+"));
        server.received();
        outcome
    };
    let gone = twice("--1\r\n1 John <a@b>\r\nThe item does not exist.\r\n.\r\n");
    assert_eq!(gone.failure().kind, Kind::NotFound);
    assert_eq!(gone.failure().detail, "The server says that this item is not available: The item does not exist.");
    assert_eq!(gone.failure().hint.as_deref(), Some("Whoever looks after it: John <a@b>"));
    let counted = twice("-9\r\n9 x\r\nOdd.and what follows");
    assert_eq!(counted.failure().detail, "The server answered with an error: Odd.");
    let nothing = twice("--1\r\n");
    assert_eq!(nothing.failure().kind, Kind::Said);
    assert!(nothing.failure().hint.as_deref().unwrap().ends_with("/0/x"), "the plain way: {}", nothing.words());
}

#[test]
fn an_error_that_another_wording_cannot_cure_is_final() {
    let later = answer("0/x%09%09+", "--2\r\n2 John <a@b>\r\nToo many readers.\r\nReally.");
    assert_eq!(later.failure().detail, "The server says to try again later: Too many readers. Really.");
    let moved = answer("0/x%09%09+", "--1\r\n3 John <a@b>\r\n0A text\t/new place\tnew.example.org\t70\t+\r\n.\r\n");
    assert_eq!(moved.failure().hint.as_deref(), Some("It is now at gopher://new.example.org/0/new%20place"));
}

#[test]
fn an_endless_error_is_cut() {
    let server = Server::start(vec![vec![Step::Line, send("--2\r\n2 A\r\n"), Step::Forever(b"no! ".repeat(1000))]]);
    let outcome = get(&server.url("0/x%09%09+"));
    assert!(outcome.failure().detail.len() < 10_000);
    server.received();
}

#[test]
fn a_search_keeps_its_words_before_the_string() {
    let server = Server::start(vec![vec![Step::Line, send("+-2\r\n1a\tb\tc\t70\r\n")]]);
    assert_eq!(get(&server.url("7/find%09two%20words%09+")).media(), media::MENU);
    assert_eq!(server.line(), "/find\ttwo words\t+\r\n");
}

#[test]
fn a_refusal_without_end_is_cut() {
    let endless = || vec![Step::Line, send("--1\r\n"), Step::Forever(b"1 no no no no ".to_vec())];
    let server = Server::start(vec![endless(), endless(), endless()]);
    let error = get(&server.url("0/x%09%09+")).failure.unwrap();
    assert!(error.detail.len() < 100_000, "{} octets", error.detail.len());
}

#[test]
fn of_an_error_without_end_a_sentence_is_told() {
    let answer = format!("--1\r\n2 {}\r\n{}\r\n.\r\n", "a".repeat(5000), "words ".repeat(1000));
    let server = Server::start(vec![vec![Step::Line, send(answer)]]);
    let outcome = get(&server.url("0/x%09%09+"));
    let failure = outcome.failure();
    assert!(failure.detail.ends_with('…') && failure.detail.chars().count() < 500, "{}", failure.detail);
    assert!(failure.hint.as_ref().is_some_and(|hint| hint.chars().count() < 500), "{:?}", failure.hint);
}
