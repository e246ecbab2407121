//! News servers that lie, stall, break off or never end.

use super::client::{Outcome, context, fetch, get, request};
use super::nntp_server::{Answers, Do, News, say};
use super::server::{Server, send};
use wayfarer::proto::{Context, FetchEvent, Kind};

/// A small page, so that its limit is reached soon.
fn small() -> Context {
    let mut context = context();
    context.limits.page = 100_000;
    context.limits.line = 2_000;
    context
}

/// Gives a server up soon, but not while a loaded machine gets round to the parts that work.
pub fn hasty() -> Context {
    let mut context = context();
    context.limits.silence = std::time::Duration::from_secs(1);
    context
}

fn with(answers: Answers, path: &str, context: &Context) -> Outcome {
    let server = News::start(answers);
    fetch(&request(&server.url(path)), context)
}

#[test]
fn strange_greetings_are_explained() {
    let cases = [
        ("220 ftp.example.org FTP\r\n", Kind::Said, "says: 220"),
        ("SSH-2.0-OpenSSH\r\n", Kind::Malformed, "does not greet as a news server does"),
        ("2000 x\r\n", Kind::Malformed, "does not greet"),
        ("\r\n", Kind::Malformed, "does not greet"),
        ("400 later\r\n", Kind::Said, "takes no visitors now: 400 later."),
        ("502 not you\r\n", Kind::Denied, "does not let you in: 502 not you."),
    ];
    for (greeting, kind, words) in cases {
        let outcome = with(&[("", say(greeting))], "g", &context());
        assert_eq!(outcome.failure().kind, kind, "{greeting}");
        assert!(outcome.words().contains(words), "{greeting}: {}", outcome.words());
    }
    let outcome = with(&[("", vec![Do::Close])], "g", &context());
    assert_eq!(outcome.failure().kind, Kind::Broken);
    let outcome = with(&[("", vec![Do::Wait])], "g", &hasty());
    assert_eq!(outcome.failure().kind, Kind::TimedOut);
    let outcome = with(&[("MODE", say("502 not you\r\n"))], "g", &context());
    assert_eq!(outcome.failure().kind, Kind::Denied);
}

#[test]
fn what_comes_in_place_of_a_greeting_is_not_denied() {
    let cases = [
        (vec![Do::Close], "closed the connection instead of greeting."),
        (vec![Do::Say(vec![0x80; 20_000]), Do::Close], "does not greet as a news server does: 20000 octets came"),
        (vec![Do::Say(b"SSH-2.0".to_vec()), Do::Wait], "does not greet as a news server does: 7 octets came"),
    ];
    for (steps, words) in cases {
        let outcome = with(&[("", steps)], "g", &hasty());
        assert!(outcome.words().contains(words) && !outcome.words().contains("anything"), "{}", outcome.words());
    }
}

#[test]
fn a_reply_without_an_end_is_given_up() {
    for (command, path) in [("", "g"), ("GROUP", "g"), ("OVER", "g"), ("CAPABILITIES", "*"), ("ARTICLE", "a@b")] {
        let outcome = with(&[(command, vec![Do::Forever(b"2".repeat(500))])], path, &small());
        assert_eq!(outcome.failure().kind, Kind::TooLarge, "{command}");
        assert!(outcome.words().contains("without an end"), "{}", outcome.words());
    }
    let endless = |code: &str, line: &[u8]| vec![Do::Say(code.into()), Do::Forever(line.repeat(100))];
    let outcome = with(&[("CAPABILITIES", endless("101 x\r\n", b"X\r\n"))], "*", &small());
    assert_eq!(outcome.failure().kind, Kind::TooLarge);
}

/// Lists, overviews and articles are cut at the limit of a page; lines that come to nothing count as well, and so does a
/// line that never ends.
#[test]
fn endless_blocks_are_cut() {
    let endless = |code: &str, line: &[u8]| vec![Do::Say(code.into()), Do::Forever(line.repeat(100))];
    let cases: [(&str, &str, &str, &[u8]); 9] = [
        ("LIST ACTIVE", "*", "215 x\r\n", b"a.b 9 1 y\r\n"),
        ("LIST ACTIVE", "*", "215 x\r\n", b"nonsense\r\n"),
        ("LIST ACTIVE", "*", "215 x\r\n", b"one line of ten gigabytes"),
        ("LIST NEWSGROUPS", "*", "215 x\r\n", b"a.b words\r\n"),
        ("OVER", "g", "224 x\r\n", b"1\ts\tf\td\t<a@b>\r\n"),
        ("OVER", "g", "224 x\r\n", b"\r\n"),
        ("OVER", "g", "224 x\r\n", b"1\t<a@b>\tanother\torder\tof fields\r\n"),
        ("OVER", "g", "224 x\r\n", b"1\ts"),
        ("ARTICLE", "a@b", "220 x\r\n", b"one line of ten gigabytes"),
    ];
    for (command, path, code, line) in cases {
        let outcome = with(&[(command, endless(code, line))], path, &small());
        assert!(outcome.cut().unwrap().starts_with("cut at "), "{command} {line:?}: {:?}", outcome.end);
        assert!(outcome.body.len() <= 100_000);
    }
}

#[test]
fn a_long_line_costs_only_itself() {
    let long = format!("224 x\r\n1\t{}\r\n2\tok\r\n.\r\n", "x".repeat(5_000));
    let outcome = with(&[("OVER", say(long))], "g", &small());
    let subject = "x".repeat(4 * 1024);
    assert_eq!(outcome.text(), format!("g\t1\t2\t2\t\n1\t{subject}\t\t\t\t\t\t\t\n2\tok\t\t\t\t\t\t\t\n\n"));
    assert_eq!(outcome.cut(), None);
    // Of a list, where half a name is none, it is left out.
    let long = format!("215 x\r\n{} 2 1 y\r\ng.two 2 1 y\r\n.\r\n", "x".repeat(5_000));
    let outcome = with(&[("LIST", say(long))], "*", &small());
    assert!(outcome.text().starts_with("g.two\t"), "{}", outcome.text());
}

/// An article with ten thousand references was left out of its group, and then counted as read.
#[test]
fn an_overview_line_with_too_many_references_is_listed_with_the_last_ones() {
    let references: String = (1..=10_000).map(|n| format!("<{n}@x> ")).collect();
    let line = format!("1\tDeep\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t{references}\t100\t3\tXref: h g:1");
    let outcome = with(&[("OVER", say(format!("224 x\r\n{line}\r\n.\r\n")))], "g", &context());
    assert_eq!(outcome.cut(), None);
    let text = outcome.text();
    let line = text.lines().nth(1).unwrap();
    assert!(line.starts_with("1\tDeep\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t<"), "{}", &line[..90]);
    assert!(line.ends_with("<9999@x> <10000@x>\t100\t3\th g:1"), "{}", &line[line.len() - 90..]);
    assert!(line.len() < 20_000);
}

#[test]
fn what_came_before_the_end_is_kept() {
    let closes = |octets: &str| vec![Do::Say(octets.into()), Do::Close];
    let outcome = with(&[("ARTICLE", closes("220 x\r\nSubject: x\r\n\r\nhalf of"))], "a@b", &context());
    assert_eq!(outcome.text(), "Subject: x\r\n\r\nhalf of");
    assert!(outcome.cut().unwrap().contains("the server closed it"), "{:?}", outcome.end);
    let outcome = with(&[("OVER", closes("224 x\r\n1\ts\r\n2\thal"))], "g", &context());
    assert_eq!(outcome.text(), "g\t1\t2\t2\t\n1\ts\t\t\t\t\t\t\t\n");
    assert!(outcome.cut().is_some());
    let outcome = with(&[("LIST NEWSGROUPS", vec![Do::Close])], "*", &context());
    assert!(outcome.text().starts_with("a.b\t3\t9\t") && outcome.cut().unwrap().contains("LIST NEWSGROUPS"));
    let stalls = vec![Do::Say("220 x\r\nSubject: x\r\n".into()), Do::Wait];
    let outcome = with(&[("ARTICLE", stalls)], "a@b", &hasty());
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("Subject: x\r\n", Some("nothing came for 1 s")));
    let outcome = with(&[("GROUP", vec![Do::Wait])], "g", &hasty());
    assert!(outcome.words().contains("did not answer GROUP within 1 s"), "{}", outcome.words());
}

#[test]
fn a_group_with_nonsense_numbers_is_no_loop() {
    for numbers in ["", "x", "1 2", "-1 -1 -1", "5 1 99999999999999999999999"] {
        let outcome = with(&[("GROUP", say(format!("211 {numbers}\r\n")))], "g", &context());
        assert_eq!(outcome.failure().kind, Kind::Malformed, "{numbers}");
    }
    for (numbers, first) in [
        ("0 0 0", "g\t0\t0\t0\t\n"),
        ("0 5 4", "g\t5\t4\t0\t\n"),
        ("7 18446744073709551615 1", "g\t18446744073709551615\t1\t7\t\n"),
        ("many 2 1", "g\t2\t1\t\t\n"),
    ] {
        let outcome = with(&[("GROUP", say(format!("211 {numbers} g\r\n")))], "g", &context());
        assert_eq!((outcome.text().as_str(), outcome.cut()), (first, None), "{numbers}");
    }
    let server = News::start(&[("GROUP", say("211 1 0 18446744073709551615 g\r\n")), ("OVER", say("420 none\r\n"))]);
    assert_eq!(get(&server.url("g")).cut(), None);
    assert!(server.commands().len() < 60);
}

/// A server without overviews is asked about some articles only, the newest.
#[test]
fn articles_are_looked_at_one_by_one_within_reason() {
    let unknown = say("500 what?\r\n");
    let answers: Answers = &[
        ("GROUP", say("211 9 1 1000000 g\r\n")),
        ("OVER", unknown.clone()),
        ("XOVER", unknown),
        ("HEAD", say("423 gone\r\n")),
    ];
    let server = News::start(answers);
    assert_eq!(get(&server.url("g")).cut(), None);
    let commands = server.commands();
    assert_eq!((commands.len(), commands[7].as_str()), (207, "HEAD 999981"));
}

/// The server answers every slice with as much as it likes.
#[test]
fn more_lines_than_asked_for_are_cut() {
    let many: String = (0..3_000).map(|n| format!("{n}\tsubject subject\r\n")).collect();
    let outcome = with(
        &[("GROUP", say("211 9 1 99999999 g\r\n")), ("OVER", say(format!("224 x\r\n{many}.\r\n")))],
        "g",
        &small(),
    );
    assert!(outcome.cut().unwrap().starts_with("cut at "), "{:?}", outcome.end);
}

#[test]
fn a_login_in_the_middle_keeps_what_came() {
    let server = News::start(&[("GROUP", say("211 900 1 900 g\r\n")), ("OVER 1-400", say("480 log in\r\n"))]);
    let outcome = get(&server.url("g"));
    assert!(outcome.text().contains("Re: One"));
    assert!(outcome.cut().unwrap().contains("480 log in"), "{:?}", outcome.end);
}

#[test]
fn what_is_deflated_to_nothing_or_to_everything_is_bounded() {
    let capable = say("101 this\r\nCOMPRESS DEFLATE\r\n.\r\n");
    let bomb = vec![Do::Say("215 x\r\n".into()), Do::Forever(vec![b'a'; 1 << 20])];
    let compress = vec![Do::Say("206 go\r\n".into()), Do::Deflate];
    let outcome =
        with(&[("CAPABILITIES", capable.clone()), ("COMPRESS", compress), ("LIST ACTIVE", bomb)], "*", &small());
    assert!(outcome.cut().unwrap().starts_with("cut at "), "{:?}", outcome.end);

    let garbage = vec![Do::Say(b"206 go\r\n\xFF\xFF\xFF\xFF".to_vec()), Do::Wait];
    let outcome = with(&[("CAPABILITIES", capable), ("COMPRESS", garbage)], "*", &hasty());
    assert_eq!(outcome.failure().kind, Kind::Broken);
    assert!(outcome.words().contains("makes no sense"), "{}", outcome.words());
}

#[test]
fn tls_is_not_given_up() {
    // A server that speaks no TLS where it should.
    let server = Server::start(vec![vec![send("200 plain\r\n")]]);
    let outcome = get(&format!("nntps://127.0.0.1:{}/g", server.port));
    assert_eq!(outcome.failure().kind, Kind::Secure);
}

#[test]
fn names_too_long_for_a_command_are_not_sent() {
    let server = News::start(&[]);
    let outcome = get(&server.url(&"g".repeat(600)));
    assert_eq!(outcome.failure().kind, Kind::TooLarge);
    assert_eq!(server.commands(), ["MODE READER"]);
}

/// The reader leaves in the middle of an article.
#[test]
fn leaving_closes_the_connection() {
    let server = News::start(&[("ARTICLE", vec![Do::Say("220 x\r\n".into()), Do::Forever(b"text\r\n".repeat(1000))])]);
    let context = context();
    super::client::in_one(async {
        let wish = request(&server.url("a@b"));
        let (mut exchange, mut events, verdict) = wayfarer::proto::Exchange::new(1);
        let mut verdict = Some(verdict);
        let protocol = wayfarer::proto::find("news").unwrap();
        let owner = async {
            while let Some(event) = events.recv().await {
                match event {
                    FetchEvent::Head(_) => drop(verdict.take().unwrap().send(wayfarer::proto::Verdict::Accept)),
                    FetchEvent::Body(_) => return,
                    _ => {}
                }
            }
        };
        tokio::select! {
            _ = (protocol.fetch)(&wish, &mut exchange, &context) => panic!("it has no end"),
            () = owner => {}
        }
    });
    // The pool is still there; the visit ends all the same.
    assert_eq!(server.commands().len(), 2);
    drop(context);
}
