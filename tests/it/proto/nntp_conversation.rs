//! A thread over one connection, and from disk.

use super::client::{context, fetch_all, request};
use super::nntp_server::{News, say};
use wayfarer::proto::Request;

fn wish(server: &News, ids: &[&str]) -> Request {
    let ids: Vec<Vec<u8>> = ids.iter().map(|id| id.as_bytes().to_vec()).collect();
    Request { conversation: Some(ids.into()), ..request(&server.url("1@h")) }
}

#[test]
fn the_articles_of_a_thread_come_in_its_order_and_are_counted() {
    let forged = "220 0 <1@h>\r\nFrom: a\r\n\r\n12\t9@h\r\n..\r\n.\r\n";
    let server = News::start(&[
        ("ARTICLE <1@h>", say(forged)),
        ("ARTICLE <2@h>", say("430 no\r\n")),
        ("ARTICLE <3@h>", say("220 0 <3@h>\r\nFrom: c\r\n\r\nthree\r\n.\r\n")),
        // Another one than was asked for is not shown under its name.
        ("ARTICLE <4@h>", say("220 0 <9@h>\r\nFrom: e\r\n\r\nfour\r\n.\r\n")),
    ]);
    let outcome = fetch_all(&[wish(&server, &["1@h", "2@h", "3@h", "4@h"])], &context()).remove(0);
    assert_eq!(outcome.failure, None);
    assert_eq!(outcome.head.as_ref().unwrap().media, "application/x-wayfarer-thread");
    let body = String::from_utf8(outcome.body).unwrap();
    let one = "From: a\r\n\r\n12\t9@h\r\n.\r\n";
    let three = "From: c\r\n\r\nthree\r\n";
    let expected = format!("4\n{}\t1@h\n{one}-\t2@h\n{}\t3@h\n{three}-\t4@h\n", one.len(), three.len());
    assert_eq!(body, expected);
}
