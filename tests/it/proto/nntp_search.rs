//! Words sought in a group: what the server is asked, what of its answers is believed, and what is found in what is kept.

use super::client::{Outcome, context, converse, fetch, request};
use super::nntp_server::{Answers, News, say};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use wayfarer::disk::Writer;
use wayfarer::proto::nntp::{Kept, Most};
use wayfarer::proto::{Context, Kind, Verdict};

const FOUND: &str = "224 here\r\n7\tTunnels\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<7@h>\t\t1\t1\tXref: h g:7\r\n.\r\n";

/// The URL of a search on a server.
fn at(server: &News, rest: &str) -> String {
    server.url(rest).replace("news://", "nntp://")
}

#[test]
fn a_server_is_asked_by_xpat_and_for_the_overview_of_what_it_finds() {
    let server = News::start(&[
        ("GROUP", say("211 900 1 900 g\r\n")),
        ("XPAT Subject 1-900 *=[?]*", say("221 none\r\n.\r\n")),
        ("XPAT", say("221 found\r\n7 Tunnels\r\n9 Re: Tunnels\r\n800 tunnels\r\n.\r\n")),
        ("OVER 800-800", say("423 none\r\n")),
        ("OVER 7-9", say(FOUND)),
    ]);
    let outcome = fetch(&request(&at(&server, "g/subject=tun%20a*b")), &context());
    assert_eq!(outcome.media(), "application/x-newsgroup");
    let text = outcome.text();
    assert!(text.starts_with("g\t1\t900\t\t\t-\tserver 0\n") && text.contains("7\tTunnels\t"), "{text}");
    let sent = &outcome.sent[0].lines;
    assert_eq!(sent[2], "XPAT Subject 1-900 *[Tt][Uu][Nn]?[Aa]?[Bb]*");
    let commands = server.commands();
    let xpat = "XPAT Subject 1-900 *[Tt][Uu][Nn]?[Aa]?[Bb]*";
    let encoded = "XPAT Subject 1-900 *=[?]*";
    assert_eq!(commands, ["MODE READER", "GROUP g", xpat, encoded, "OVER 800-800", "OVER 7-9"]);
}

/// "Tunnels" may stand in `=?UTF-8?B?VHVubmVscw==?=`, where no server sees it.
#[test]
fn what_is_encoded_is_looked_through_here() {
    let server = News::start(&[
        ("GROUP", say("211 900 1 900 g\r\n")),
        ("XPAT Subject 1-900 *=[?]*", say("221 found\r\n9 =?UTF-8?B?VHVubmVscw==?=\r\n7 =?x?\r\n40 =?y?\r\n.\r\n")),
        ("XPAT", say("221 found\r\n7 Tunnels =?x?\r\n.\r\n")),
        ("OVER 40-40", say("423 none\r\n")),
        ("OVER 7-9", say(FOUND)),
    ]);
    let outcome = fetch(&request(&at(&server, "g/subject=tunnels")), &context());
    assert!(outcome.text().starts_with("g\t1\t900\t\t\t-\tserver 2\n"), "{}", outcome.text());
    assert_eq!(server.commands()[4..], ["OVER 40-40", "OVER 7-9"]);
    // What the server found itself comes first; of the others as many as there is room for.
    let numbers = |of: std::ops::RangeInclusive<u32>| of.map(|number| format!("{number} x\r\n")).collect::<String>();
    let server = News::start(&[
        ("GROUP", say("211 90000 1 90000 g\r\n")),
        ("XPAT Subject 1-90000 *=[?]*", say(format!("221 found\r\n{}.\r\n", numbers(101..=30_100)))),
        ("XPAT", say(format!("221 found\r\n{}.\r\n", numbers(1..=100)))),
        ("OVER", say(FOUND)),
    ]);
    let outcome = fetch(&request(&at(&server, "g/subject=tunnels")), &context());
    assert!(outcome.text().starts_with("g\t1\t90000\t\t\t-\tserver 19900\n"), "{}", &outcome.text()[..60]);
    assert!(outcome.head().notices[0].contains("Of 30000 that are encoded the newest 19900"), "{:?}", outcome.head());
    assert_eq!(server.commands()[4..], ["OVER 10201-30100", "OVER 1-100"]);
}

#[test]
fn a_server_that_finds_nothing_is_believed() {
    for none in ["221 none\r\n.\r\n", "430 none\r\n", "423 none\r\n"] {
        let server = News::start(&[("XPAT", say(none))]);
        let outcome = fetch(&request(&at(&server, "g/author=smith")), &context());
        assert_eq!(outcome.text(), "g\t1\t2\t\t\t-\tserver 0\n");
        assert_eq!(server.commands()[2], "XPAT From 1-2 *[Ss][Mm][Ii][Tt][Hh]*");
    }
}

/// Where a server does not know how to look, and where words may stand there in any charset, its list is looked through.
#[test]
fn without_xpat_the_list_of_the_group_is_looked_through() {
    for (words, asked) in [("one", true), ("k%C3%B6ln", false)] {
        let server = News::start(&[]);
        let outcome = fetch(&request(&at(&server, &format!("g/subject={words}"))), &context());
        assert!(outcome.text().contains("1\tOne\t") && outcome.text().contains("2\tRe: One\t"), "{}", outcome.text());
        let commands = server.commands();
        assert_eq!(commands.iter().any(|line| line.starts_with("XPAT")), asked, "{commands:?}");
        assert_eq!(commands.last().unwrap(), "OVER 1-2");
    }
}

#[test]
fn hostile_answers_are_bounded_and_put_in_order() {
    // Out of order, twice, not asked for, no numbers at all.
    let wild = "221 x\r\n9 a\r\n7 b\r\n9 a\r\n0 c\r\n99999 d\r\n-1 e\r\n\r\n99999999999999999999999 f\r\n7x g\r\n.\r\n";
    let server = News::start(&[("GROUP", say("211 9 1 9 g\r\n")), ("XPAT", say(wild)), ("OVER 7-9", say(FOUND))]);
    let outcome = fetch(&request(&at(&server, "g/subject=tunnels")), &context());
    assert!(outcome.cut().unwrap().contains("made no sense"), "{:?}", outcome.cut());
    assert_eq!(server.commands().last().unwrap(), "OVER 7-9");
    // Far too many.
    let numbers: String = (1..=1_000_200).map(|number| format!("{number}\r\n")).collect();
    let many = format!("221 x\r\n{numbers}.\r\n");
    let server = News::start(&[("GROUP", say("211 2000000 1 2000000 g\r\n")), ("XPAT", say(many))]);
    let outcome = fetch(&request(&at(&server, "g/subject=tunnels")), &context());
    assert_eq!(outcome.failure().kind, Kind::TooLarge);
    // No line break of the reader's words leaves.
    let server = News::start(&[]);
    let failure = fetch(&request(&at(&server, "g/subject=a%0D%0AQUIT")), &context());
    assert_eq!(failure.failure().kind, Kind::Unsafe);
    assert_eq!(server.visits(), Vec::<Vec<String>>::new());
}

#[test]
fn what_is_found_is_no_more_than_is_shown() {
    let numbers: String = (1..=30_000).map(|number| format!("{number} x\r\n")).collect();
    let answers: Answers = &[
        ("GROUP", say("211 30000 1 30000 g\r\n")),
        ("XPAT", say(format!("221 x\r\n{numbers}.\r\n"))),
        ("OVER 10001-30000", say(FOUND)),
    ];
    let server = News::start(answers);
    let outcome = fetch(&request(&at(&server, "g/subject=tunnels")), &context());
    assert!(outcome.head().notices[0].contains("found 30000 articles"), "{:?}", outcome.head().notices);
    assert_eq!(server.commands().last().unwrap(), "OVER 10001-30000");
}

/// A running copy with news in a folder.
fn ask(folder: &Path, urls: &[&str]) -> Vec<Outcome> {
    let writer = Arc::new(Writer::new(|sentence| panic!("{sentence}")).unwrap());
    let most = Most { overviews: 64 << 20, articles: 64 << 20 };
    let kept = Kept::new(folder.join("news"), Arc::clone(&writer), most);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let context = Context { kept, ..context() };
    let ask = |url: &&str| {
        let outcome = runtime.block_on(converse(&request(url), &context, Verdict::Accept, |_| {}));
        assert_eq!(writer.owed_to_reader(Duration::from_secs(60)), Vec::<String>::new());
        outcome
    };
    urls.iter().map(ask).collect()
}

#[test]
fn texts_and_all_groups_are_looked_through_in_what_is_kept_and_nobody_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let server = News::start(&[(
        "ARTICLE",
        say("220 1 <1@h>\r\nSubject: One\r\nMessage-ID: <1@h>\r\n\r\nWarm lamps.\r\n.\r\n"),
    )]);
    let url = |rest: &str| at(&server, rest);
    let news = |rest: &str| server.url(rest);
    let urls = [
        news("a.b"),
        news("a.c"),
        news("1@h"),
        url("a.b/body=warm%20LAMPS"),
        url("a.b/body=one"),
        url("a.*/subject=re"),
        url("x.y/body=lamps"),
    ];
    let outcomes = ask(folder.path(), &urls.each_ref().map(String::as_str));
    let text = outcomes[3].text();
    assert!(text.starts_with("a.b\t1\t0\t\t\t-\tkept\n1\tOne\t") && text.ends_with("=\t0\n\n"), "{text}");
    assert!(!text.contains("Re: One"), "no text of it is kept: {text}");
    assert_eq!(outcomes[4].text(), "a.b\t1\t0\t\t\t-\tkept\n=\t1\n\n", "a subject is no text");
    let text = outcomes[5].text();
    assert!(text.starts_with("a.*\t1\t0\t\t\t-\tkept\n\tRe: One\t"), "without a number: {text}");
    assert_eq!(text.matches("Re: One").count(), 2, "{text}");
    assert_eq!(outcomes[6].failure().kind, Kind::NotFound);
    assert!(outcomes[3].head().lines[0].contains("no server was asked"));
    let asked: Vec<String> = server.visits().concat();
    assert!(asked.iter().all(|line| !line.starts_with("XPAT")) && asked.len() < 9, "{asked:?}");
}

#[test]
fn where_nothing_is_kept_there_is_nothing_to_look_through() {
    let server = News::start(&[]);
    for rest in ["g/body=x", "*/subject=x"] {
        let outcome = fetch(&request(&at(&server, rest)), &context());
        assert_eq!(outcome.failure().kind, Kind::Unsupported, "a private tab has nothing kept");
    }
    assert_eq!(server.visits(), Vec::<Vec<String>>::new());
}
