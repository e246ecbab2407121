//! The parts of a file over one connection, joined.

use super::client::{context, fetch_all, request};
use super::nntp_server::{News, say};
use wayfarer::proto::{Kind, Request};

fn wish(server: &News, ids: &[&str]) -> Request {
    let ids: Vec<Vec<u8>> = ids.iter().map(|id| id.as_bytes().to_vec()).collect();
    Request { parts: Some(ids.into()), ..request(&server.url("1@h")) }
}

/// A part of a file of six letters, whose encoded ones are letters, too.
fn part(number: usize, begin: usize, text: &str) -> String {
    let letters: String = text.bytes().map(|octet| char::from(octet.wrapping_add(42))).collect();
    let end = begin + text.len() - 1;
    format!(
        "220 0 <{number}@h>\r\nFrom: a\r\n\r\n=ybegin part={number} total=2 line=128 size=6 name=note.bin\r\n\
         =ypart begin={begin} end={end}\r\n{}\r\n=yend size={} part={number}\r\n.\r\n",
        letters,
        text.len()
    )
}

#[test]
fn parts_come_joined_under_their_own_name() {
    let server = News::start(&[("ARTICLE <1@h>", say(part(1, 1, "ABC"))), ("ARTICLE <2@h>", say(part(2, 4, "DEF")))]);
    let outcome = fetch_all(&[wish(&server, &["1@h", "2@h"])], &context()).remove(0);
    assert_eq!(outcome.failure, None);
    let head = outcome.head.as_ref().unwrap();
    assert_eq!((head.filename.as_deref(), head.length), (Some("note.bin"), Some(6)));
    assert_eq!((outcome.body.as_slice(), outcome.end.and_then(|end| end.cut)), (&b"ABCDEF"[..], None));
}

#[test]
fn all_parts_that_are_not_there_are_named() {
    let yenc = say(part(1, 1, "ABC").replace("total=2", "total=6"));
    let uu = say("220 0 <1@h>\r\nFrom: a\r\n\r\nbegin 644 note.bin\r\n#04)#\r\n.\r\n");
    for first in [yenc, uu] {
        let server = News::start(&[
            ("ARTICLE <1@h>", first),
            ("ARTICLE <2@h>", say("430 no\r\n")),
            ("ARTICLE <3@h>", say("220 0 <3@h>\r\nFrom: a\r\n\r\nx\r\n.\r\n")),
            ("ARTICLE <4@h>", say("430 no\r\n")),
            ("STAT <5@h>", say("223 0 <5@h>\r\n")),
            ("STAT <6@h>", say("430 no\r\n")),
        ]);
        let outcome = fetch_all(&[wish(&server, &["1@h", "2@h", "3@h", "4@h", "5@h", "6@h"])], &context()).remove(0);
        assert_eq!(outcome.body, b"ABC");
        let cut = outcome.end.and_then(|end| end.cut);
        assert_eq!(cut.as_deref(), Some("Parts 2, 4, 6 of 6 are not on this server."));
    }
}

#[test]
fn a_part_that_is_not_there_is_named() {
    let server = News::start(&[("ARTICLE <1@h>", say(part(1, 1, "ABC"))), ("ARTICLE <2@h>", say("430 no\r\n"))]);
    let outcome = fetch_all(&[wish(&server, &["1@h", "2@h"])], &context()).remove(0);
    assert_eq!(outcome.body, b"ABC");
    assert_eq!(outcome.end.and_then(|end| end.cut).as_deref(), Some("Part 2 of 2 is not on this server."));
    let outcome = fetch_all(&[wish(&server, &["2@h", "1@h"])], &context()).remove(0);
    let failure = outcome.failure.unwrap();
    assert_eq!((failure.kind, failure.detail.as_str()), (Kind::NotFound, "Part 1 of 2 is not on this server."));
}
