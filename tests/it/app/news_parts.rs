//! Files in several articles: found by subject and author among those of the group, and opened as one.

use super::news::{Reader, reader};
use std::fmt::Write;
use wayfarer::app::Effect;
use wayfarer::format::media;
use wayfarer::proto::Head;

/// Parts of a file, of another one, and of the same by somebody else.
fn group(parts: &[u32]) -> Reader {
    let mut text = String::from("g.bin\t1\t99\t9\t\n");
    let mut row = |number: u32, subject: &str, author: &str| {
        let _ =
            writeln!(text, "{number}\t{subject}\t{author}\tMon, 02 Nov 2026 10:00:00 +0000\t<{number}@x>\t\t1\t1\t");
    };
    for part in parts {
        row(10 + part, &format!("photo.jpg ({part}/3)"), "A <a@x>");
    }
    row(21, "other.jpg (1/3)", "A <a@x>");
    row(32, "photo.jpg (2/3)", "B <b@x>");
    row(43, "photo.jpg (3/4)", "A <a@x>");
    reader("").then(|j| j.open("news:g.bin").answer(media::NEWSGROUP, text.as_bytes()))
}

/// The article of a part opens, and the link to the whole file is followed.
fn followed(r: Reader, number: u32, key: &str) -> Reader {
    let part = number - 10;
    let body = format!(
        "=ybegin part={part} total=3 line=128 size=9 name=photo.jpg\r\n=ypart begin=4 end=6\r\nkkk\r\n=yend size=3 part={part}\r\n"
    );
    followed_of(r, number, key, &body)
}

/// The same, of whatever encoding.
fn followed_of(r: Reader, number: u32, key: &str, body: &str) -> Reader {
    let part = number - 10;
    let article = format!("From: A <a@x>\r\nSubject: photo.jpg ({part}/3)\r\nMessage-ID: <{number}@x>\r\n\r\n{body}");
    let r = r.then(|j| j.open(&format!("news:{number}@x")).answer(media::MESSAGE, article.as_bytes()));
    let r = r.shows("join all 3 parts: photo.jpg").lacks("joined");
    let wanted = format!("mid:{number}@x/joined");
    let link = |r: &Reader| {
        let entry = r.j.app.entry().unwrap();
        entry.focus.and_then(|link| entry.document().unwrap().reference(link).map(str::to_owned))
    };
    let mut r = r;
    for _ in 0..20 {
        if link(&r).as_deref() == Some(&wanted) {
            return r.keys(key);
        }
        r = r.then(|j| j.keys("j"));
    }
    panic!("no link {wanted}");
}

fn wanted(r: &Reader) -> Option<Vec<String>> {
    r.j.effects.iter().rev().find_map(|effect| match effect {
        Effect::Fetch { request, .. } => {
            let ids = request.parts.as_ref()?.iter();
            Some(ids.map(|id| String::from_utf8_lossy(id).into_owned()).collect())
        }
        _ => None,
    })
}

#[test]
fn the_parts_of_a_file_are_asked_for_in_their_order() {
    let r = followed(group(&[3, 1, 2]), 12, "Enter");
    assert_eq!(wanted(&r).unwrap(), ["11@x", "12@x", "13@x"]);
    let r = r.then(|j| {
        let head = Head {
            filename: Some("photo.jpg".into()),
            length: Some(9),
            ..Head::new(super::journey::url("news:11@x"), "audio/basic")
        };
        j.expect_fetch("news:11@x").event(wayfarer::proto::FetchEvent::Head(Box::new(head)))
    });
    r.then(|j| j.asks("audio/basic, 9 B").text("c"));
}

#[test]
fn parts_that_the_group_lacks_are_named_and_nothing_is_asked_for() {
    let r = followed(group(&[2]), 12, "Enter")
        .notes("parts 1, 3 of 3 are not on this server, as far as its group's page goes");
    assert_eq!(wanted(&r), None);
    let r = followed(group(&[1, 2]), 12, "Enter").notes("part 3 of 3 is not on this server");
    assert_eq!(wanted(&r), None);
}

#[test]
fn parts_of_a_uuencoded_file_that_the_group_lacks_are_named_too() {
    let body = "begin 644 photo.jpg\r\n#0V%T\r\n`\r\nend\r\n";
    let r = followed_of(group(&[1]), 11, "Enter", body).notes("parts 2, 3 of 3 are not on this server");
    assert_eq!(wanted(&r), None);
    let r = followed_of(group(&[1, 2, 3]), 11, "Enter", body);
    assert_eq!(wanted(&r).unwrap(), ["11@x", "12@x", "13@x"]);
}

#[test]
fn without_the_groups_page_nobody_knows_the_other_parts() {
    let r = followed(reader(""), 12, "Enter").notes("which articles the other parts are its group's page tells");
    assert_eq!(wanted(&r), None);
}
