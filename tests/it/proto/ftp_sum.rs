//! The checksums that FTP servers reckon themselves.

use super::client::{Outcome, context, fetch, impatient, request};
use super::ftp_server::{Do, Ftp, say};
use wayfarer::proto::{Kind, Listed, Request};
use wayfarer::sums;

fn features(lines: &str) -> (&'static str, Vec<Do>) {
    ("FEAT", say(format!("211-x\r\n{lines}211 End\r\n")))
}

fn asked(server: &Ftp, path: &str) -> Outcome {
    fetch(&Request { sum: true, ..request(&server.url(path)) }, &context())
}

fn digits(kind: sums::Kind) -> String {
    sums::of(kind, b"abc")
}

#[test]
fn a_sum_is_asked_for_in_the_strongest_way_that_the_server_has() {
    use sums::Kind::{Md5, Sha1, Sha256, Sha512};
    let rows = [
        (" HASH SHA-256*;SHA-1;MD5;CRC32\r\n XMD5\r\n", "HASH", Sha256, &["OPTS HASH SHA-256", "HASH a.iso"][..]),
        (" HASH sha-1*;SHA-512;SHA3-256\r\n", "HASH", Sha512, &["OPTS HASH SHA-512", "HASH a.iso"]),
        (" HASH SHA-1*\r\n XSHA256 filename;start;end\r\n", "XSHA256", Sha256, &["XSHA256 a.iso"]),
        (" XCRC\r\n XMD5\r\n XSHA1\r\n", "XSHA1", Sha1, &["XSHA1 a.iso"]),
        (" XMD5 file\r\n", "XMD5", Md5, &["XMD5 a.iso"]),
    ];
    for (lines, verb, kind, wanted) in rows {
        let digits = digits(kind);
        let says = match verb {
            "HASH" => format!("213 {} 0-2 {digits} a.iso\r\n", kind.name()),
            _ => format!("250 {}\r\n", digits.to_uppercase()),
        };
        let server = Ftp::start(&[features(lines), ("OPTS", say("200 yes\r\n")), (verb, say(says))]);
        assert_eq!(asked(&server, "pub/a.iso").text(), digits, "{lines}");
        let commands = server.commands();
        let at = commands.iter().position(|command| command == "TYPE I").unwrap();
        assert_eq!(commands[at - 1], "CWD pub");
        assert_eq!(commands[at + 1..], *wanted, "{lines}");
    }
}

#[test]
fn a_name_with_a_blank_stands_in_quotation_marks_where_a_place_may_follow_it() {
    let says = || say(format!("250 {}\r\n", digits(sums::Kind::Md5)));
    let server = Ftp::start(&[features(" XMD5\r\n"), ("XMD5", says())]);
    asked(&server, "a%20b").text();
    assert_eq!(server.commands().last().unwrap(), "XMD5 \"a b\"");
    let server = Ftp::start(&[features(" HASH MD5\r\n"), ("OPTS", say("200 yes\r\n")), ("HASH", says())]);
    asked(&server, "a%20b").text();
    assert_eq!(server.commands().last().unwrap(), "HASH a b");
}

#[test]
fn what_is_no_sum_of_that_kind_is_none() {
    let failed = |lines: &str, answer: &str, path: &str| {
        let server = Ftp::start(&[features(lines), ("OPTS", say("501 no\r\n")), ("XSHA256", say(answer))]);
        let outcome = asked(&server, path);
        assert_eq!(outcome.failure().kind, Kind::Said);
        outcome.failure().detail.clone()
    };
    let other = format!("250 {}\r\n", digits(sums::Kind::Md5));
    let detail = failed(" XSHA256\r\n", &other, "a.iso");
    assert!(detail.starts_with("The server answers XSHA256 without a checksum: 250 900"), "{detail}");
    let detail = failed(" XSHA256\r\n", "550 No such file.\r\n", "a.iso");
    assert_eq!(detail, "The server answers XSHA256 without a checksum: 550 No such file.");
    // a refusal may have one in it
    let refusal = format!("550 {}\r\n", digits(sums::Kind::Sha256));
    assert!(failed(" XSHA256\r\n", &refusal, "a.iso").contains("without a checksum"));
    assert_eq!(failed(" SIZE\r\n XCRC\r\n", "", "a.iso"), "The server reckons no checksums.");
    assert_eq!(failed(" HASH SHA-1\r\n", "", "a.iso"), "The server does not reckon SHA-1: 501 no.");
    let detail = failed(" XSHA256\r\n", "", "a.txt;type=a");
    assert_eq!(detail, "A file that came as text has other octets there.");
    assert_eq!(failed(" XSHA256\r\n", "", "pub/"), "A directory has no checksum.");
}

/// The limit of silence alone was too short for a server that reads a whole disc for its answer.
#[test]
fn a_server_that_reckons_is_given_the_time_that_a_file_of_that_length_takes() {
    let waits = |length: u64| {
        let server = Ftp::start(&[features(" XSHA256\r\n"), ("XSHA256", vec![Do::Wait])]);
        let listed = Some(Listed { length, modified: None });
        let outcome = fetch(&Request { sum: true, listed, ..request(&server.url("a.iso")) }, &impatient());
        assert_eq!(outcome.failure().kind, Kind::TimedOut);
        outcome.failure().detail.rsplit_once("did not answer ").map(|(_, said)| said.to_owned())
    };
    assert_eq!(waits(0).as_deref(), Some("XSHA256 within 0.2 s."));
    assert_eq!(waits(1 << 20).as_deref(), Some("XSHA256 within 0.45 s."));
}
