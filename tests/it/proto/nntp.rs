//! News: what goes over the wire for every row of the table, what comes of it, logins and posting.

use super::client::{context, fetch, get, request};
use super::nntp_server::{Do, News, say};
use super::server::certificate;
use wayfarer::config::NewsServer;
use wayfarer::proto::{Content, Context, Kind, Login, Request, Stage, Trust};

/// The rows of a table: no comments, no heading.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .skip(1)
        .map(|line| line.split('\t').collect())
}

fn configured(port: u16) -> Context {
    let mut context = context();
    context.news.server = Some(NewsServer::parse(&format!("127.0.0.1:{port}")).unwrap());
    context
}

fn with_login(url: &str, user: &str, password: &str) -> Request {
    let login = Login { user: user.as_bytes().to_vec(), password: password.as_bytes().to_vec(), account: None };
    Request { login: Some(login), ..request(url) }
}

/// A first visit. Before the whole list of groups, and nowhere else here, the server is asked what it can.
#[test]
fn every_row_of_the_table_goes_over_the_wire() {
    let mut seen = 0;
    for row in rows(include_str!("../../data/nntp-sequences.tsv")) {
        let [id, text, host, port, commands, ..] = row[..] else { panic!("short row {row:?}") };
        seen += 1;
        let commands: Vec<String> = serde_json::from_str(commands).unwrap();
        if commands.is_empty() {
            // Nothing is sent, so that it does not matter that no such host exists.
            let outcome = fetch(&request(text), &configured(1));
            assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::Unsafe, 0), "{id}");
            continue;
        }
        for old in [false, true] {
            let xover = [("OVER", say("500 what?\r\n"))];
            let answers = if old { &xover[..] } else { &[] };
            let server = match port {
                "563" => News::implicit(answers, certificate()),
                _ => News::start(answers),
            };
            let written = if text.contains(&format!("{host}:{port}")) { format!("{host}:{port}") } else { host.into() };
            let url = text.replacen(&format!("//{written}"), &format!("//127.0.0.1:{}", server.port), 1);
            let outcome = fetch(&request(&url), &configured(server.port));
            assert_eq!(outcome.failure, None, "{id} {url}");
            let mut sent = server.commands();
            sent.retain(|line| line != "CAPABILITIES" || id != "N003");
            if old {
                sent.retain(|line| line != "OVER 1-2");
            }
            let over = if old { "XOVER 1-2" } else { "OVER 1-2" };
            let wanted: Vec<&str> =
                commands.iter().map(|c| if c == "OVER low-high | XOVER low-high" { over } else { c }).collect();
            assert_eq!(sent, wanted, "{id} {url}");
        }
    }
    assert_eq!(seen, 9);
}

#[test]
fn an_article_is_its_octets() {
    let article = b"220 1 <a@b>\r\nSubject: caf\xE9\r\n\r\n..\r\n...x\r\n\0\x1b\rbare\nlf\n.\r\n..\r\nend\r\n.\r\n";
    let plain = b"Subject: caf\xE9\r\n\r\n.\r\n..x\r\n\0\x1b\rbare\nlf\n.\r\n.\r\nend\r\n";
    for step in [Do::Say(article.to_vec()), Do::Trickle(article.to_vec())] {
        let server = News::start(&[("ARTICLE", vec![step])]);
        let outcome = get(&server.url("a@b"));
        assert_eq!((outcome.media(), outcome.cut()), ("message/rfc822", None));
        assert_eq!(outcome.body, plain, "{}", outcome.text());
    }
    // A server whose lines end with LF alone.
    let server = News::start(&[("ARTICLE", say("220 1 <a@b>\nSubject: x\n\n..\n.\n"))]);
    assert_eq!(get(&server.url("a@b")).text(), "Subject: x\n\n.\n");
}

#[test]
fn odd_ids_go_out_as_they_are() {
    let server = News::start(&[]);
    get(&server.url("%25a%2Fb%3Fc%23d$\u{e9}@h"));
    assert_eq!(server.commands()[1], "ARTICLE <%a/b?c#d$\u{c3}\u{a9}@h>");
}

#[test]
fn a_missing_article_is_looked_for_on_every_configured_server() {
    let gone = [("ARTICLE", say("430 no\r\n"))];
    let (first, second) = (News::start(&gone), News::start(&[]));
    let mut context = configured(first.port);
    let named = NewsServer::parse(&format!("nntp://127.0.0.1:{}", second.port)).unwrap();
    context.news.servers = vec![("alt.*".into(), named)];
    assert_eq!(fetch(&request("news:a@b"), &context).text(), "Subject: x\r\n\r\n.dots\r\n");
    // A group is read from the server of its pattern.
    assert_eq!(fetch(&request("news:alt.test"), &context).failure, None);
    drop(context);
    assert_eq!(first.commands(), ["MODE READER", "ARTICLE <a@b>"]);
    assert_eq!(second.visits().concat(), ["MODE READER", "ARTICLE <a@b>", "MODE READER", "GROUP alt.test", "OVER 1-2"]);

    let (first, second) = (News::start(&gone), News::start(&gone));
    let mut context = configured(first.port);
    context.news.servers = vec![("*".into(), NewsServer::parse(&format!("127.0.0.1:{}", second.port)).unwrap())];
    let outcome = fetch(&request("news:a@b"), &context);
    assert_eq!(outcome.failure().kind, Kind::NotFound);
    for port in [first.port, second.port] {
        assert!(outcome.words().contains(&format!("127.0.0.1 port {port} does not have")), "{}", outcome.words());
    }
}

/// What was typed for one server is no other's business.
#[test]
fn a_login_goes_to_the_first_server_only() {
    let first = News::start(&[("ARTICLE", say("430 no\r\n"))]);
    let second = News::start(&[("ARTICLE", say("480 who?\r\n"))]);
    let mut context = configured(first.port);
    context.news.servers = vec![("*".into(), NewsServer::parse(&format!("127.0.0.1:{}", second.port)).unwrap())];
    let outcome = fetch(&with_login("news:a@b", "me", "s3cret"), &context);
    assert_eq!(outcome.failure().kind, Kind::Denied, "a form would ask for the first server's login again");
    assert!(outcome.words().contains("480 who?"), "{}", outcome.words());
    drop(context);
    assert_eq!(first.commands(), ["MODE READER", "AUTHINFO USER me", "AUTHINFO PASS s3cret", "ARTICLE <a@b>"]);
    assert_eq!(second.commands(), ["MODE READER", "ARTICLE <a@b>"]);

    let first = News::start(&[("ARTICLE", say("480 who?\r\n"))]);
    let second = News::start(&[]);
    let mut context = configured(first.port);
    context.news.servers = vec![("*".into(), NewsServer::parse(&format!("127.0.0.1:{}", second.port)).unwrap())];
    assert_eq!(fetch(&request("news:a@b"), &context).failure().kind, Kind::NeedsLogin);
    assert_eq!(second.visits().len(), 0);
}

#[test]
fn another_article_than_the_wanted_one_is_not_shown() {
    let server = News::start(&[("ARTICLE", say("220 0 <other@h> article\r\nSubject: x\r\n.\r\n"))]);
    let outcome = get(&server.url("a@b"));
    assert_eq!(outcome.failure().kind, Kind::Malformed);
    assert!(outcome.words().contains("<other@h>"), "{}", outcome.words());
}

#[test]
fn what_is_not_there_is_said_in_words() {
    let cases = [
        ("GROUP", "411 nope\r\n", "g", Kind::NotFound, "has no group \"g\": 411 nope."),
        ("ARTICLE", "430 nope\r\n", "a@b", Kind::NotFound, "expired or was never there: 430 nope."),
        ("LIST", "503 not now\r\n", "*", Kind::Unsupported, "cannot do that LIST ACTIVE: 503"),
        ("GROUP", "403 disk on fire\r\n", "g", Kind::Said, "has a fault of its own: 403 disk on fire."),
        ("GROUP", "299 huh\r\n", "g", Kind::Said, "says: 299 huh."),
    ];
    for (command, answer, path, kind, words) in cases {
        let outcome = get(&News::start(&[(command, say(answer))]).url(path));
        assert_eq!(outcome.failure().kind, kind, "{answer}");
        assert!(outcome.words().contains(words), "{answer}: {}", outcome.words());
    }
    let server = News::start(&[("ARTICLE", say("423 no\r\n"))]);
    let outcome = get(&server.url("g/7").replace("news:", "nntp:"));
    assert_eq!(outcome.failure().kind, Kind::NotFound);
    assert!(outcome.words().contains("number 7 of g"), "{}", outcome.words());
}

#[test]
fn without_a_server_the_page_says_how_to_name_one() {
    let outcome = get("news:a@b");
    assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::Unsupported, 0));
    assert!(outcome.words().contains("NNTPSERVER") && outcome.words().contains("settings.toml"));
}

#[test]
fn logins_are_asked_for_and_given() {
    let login = say("480 who are you?\r\n");
    for (command, path) in
        [("GROUP", "g"), ("OVER", "g"), ("ARTICLE", "a@b"), ("LIST", "*"), ("MODE", "g"), ("CAPABILITIES", "*")]
    {
        let server = News::start(&[(command, login.clone())]);
        let outcome = get(&server.url(path));
        assert_eq!((outcome.failure().kind, outcome.head), (Kind::NeedsLogin, None), "{command}");
    }
    let server = News::start(&[]);
    let outcome = fetch(&with_login(&server.url("g"), "me", "s3cret word"), &context());
    assert!(!outcome.head.unwrap().lines.join("|").contains("s3cret"));
    assert_eq!(server.commands()[..4], ["MODE READER", "AUTHINFO USER me", "AUTHINFO PASS s3cret word", "GROUP g"]);

    // The URL's own.
    let server = News::start(&[]);
    get(&format!("news://me:p%40w@127.0.0.1:{}/g", server.port));
    assert_eq!(server.commands()[1..3], ["AUTHINFO USER me", "AUTHINFO PASS p@w"]);
    let server = News::start(&[]);
    let outcome = get(&format!("news://me@127.0.0.1:{}/g", server.port));
    assert_eq!(outcome.failure().kind, Kind::NeedsLogin);
    assert_eq!(server.commands(), ["MODE READER", "AUTHINFO USER me"]);

    // One that wants it before everything.
    let first = News::start(&[("MODE READER", login)]);
    let outcome = fetch(&with_login(&first.url("g"), "me", "x"), &context());
    assert_eq!(outcome.failure, None);
    assert_eq!(first.commands()[..4], ["MODE READER", "AUTHINFO USER me", "AUTHINFO PASS x", "MODE READER"]);
}

#[test]
fn refused_logins_say_why() {
    let cases = [
        ("AUTHINFO PASS", "481 wrong\r\n", Some((Kind::NeedsLogin, "does not accept the password: 481 wrong."))),
        ("AUTHINFO PASS", "481 s3c\x1b[1mret\r\n", Some((Kind::NeedsLogin, "does not accept the password: 481 ***."))),
        ("AUTHINFO PASS", "502 wrong\r\n", Some((Kind::NeedsLogin, "does not accept the password: 502 wrong."))),
        ("AUTHINFO USER", "482 order\r\n", Some((Kind::NeedsLogin, "does not accept the user: 482 order."))),
        ("AUTHINFO USER", "483 tls\r\n", Some((Kind::Secure, "nntps:"))),
        ("AUTHINFO USER", "281 come in\r\n", None),
        ("AUTHINFO USER", "500 what?\r\n", None),
        ("AUTHINFO USER", "502 known already\r\n", None),
    ];
    for (command, answer, wanted) in cases {
        let server = News::start(&[(command, say(answer))]);
        let outcome = fetch(&with_login(&server.url("g"), "me", "s3cret"), &context());
        let sent = server.commands().join("|");
        assert_eq!(sent.contains("s3cret"), command == "AUTHINFO PASS", "{answer}: {sent}");
        match wanted {
            None => assert_eq!(outcome.failure, None, "{answer}"),
            Some((kind, words)) => {
                assert_eq!(outcome.failure().kind, kind, "{answer}");
                assert!(outcome.words().contains(words), "{answer}: {}", outcome.words());
                assert!(!outcome.words().contains("s3cret"));
            }
        }
    }
    let outcome = fetch(&with_login("news://127.0.0.1:1025/g", "a\r\nQUIT", ""), &context());
    assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::Unsafe, 0));
}

#[test]
fn tls_comes_before_everything_that_matters() {
    let server = News::implicit(&[], certificate());
    let outcome = get(&server.url("g").replace("news:", "snews:"));
    assert_eq!(outcome.stages, [Stage::Connecting, Stage::Securing, Stage::Waiting]);
    assert_eq!(outcome.head.unwrap().security.unwrap().trust, Trust::FirstUse);

    let mut context = context();
    context.news.starttls = true;
    let starttls = vec![Do::Say("382 go on\r\n".into()), Do::Secure];
    let server = News::run(&[&[("STARTTLS", starttls)]], Some(certificate()));
    let outcome = fetch(&with_login(&server.url("g"), "me", "x"), &context);
    assert_eq!(outcome.failure, None);
    assert!(outcome.head.unwrap().security.is_some());
    drop(context);
    assert_eq!(server.commands()[..4], ["MODE READER", "STARTTLS", "AUTHINFO USER me", "AUTHINFO PASS x"]);
}

#[test]
fn starttls_never_goes_on_in_clear_text() {
    for (answer, words) in [("500 what?\r\n", "offers no TLS: 500 what?"), ("382 go\r\n281 injected\r\n", "REFUSED")] {
        let mut context = context();
        context.news.starttls = true;
        let server = News::start(&[("STARTTLS", say(answer))]);
        let outcome = fetch(&with_login(&server.url("g"), "me", "s3cret"), &context);
        assert_eq!(outcome.failure().kind, Kind::Secure, "{answer}");
        assert!(outcome.words().contains(words), "{}", outcome.words());
        drop(context);
        assert_eq!(server.commands(), ["MODE READER", "STARTTLS"]);
    }
}

#[test]
fn long_answers_are_deflated_where_that_is_offered() {
    let capable = say("101 this\r\nVERSION 2\r\nCOMPRESS DEFLATE\r\n.\r\n");
    let compress = vec![Do::Say("206 go\r\n".into()), Do::Deflate];
    let server = News::start(&[("CAPABILITIES", capable.clone()), ("COMPRESS", compress)]);
    let outcome = get(&server.url("*"));
    assert!(outcome.text().ends_with("a.c\t\t\t\t\tAbout  c.\n"), "{}", outcome.text());
    assert_eq!(server.commands()[1..], ["CAPABILITIES", "COMPRESS DEFLATE", "LIST ACTIVE", "LIST NEWSGROUPS"]);

    // Offered, and refused after all.
    let server = News::start(&[("CAPABILITIES", capable), ("COMPRESS", say("403 not today\r\n"))]);
    assert_eq!(get(&server.url("*")).failure, None);
}

fn article(url: &str, octets: &[u8]) -> Request {
    let body = Content { media: "message/rfc822".into(), octets: octets.to_vec() };
    Request { body: Some(body), ..request(url) }
}

#[test]
fn an_article_is_posted_dot_stuffed() {
    let server = News::start(&[]);
    let outcome = fetch(&article(&server.url("a.b"), b"Date: x\nSubject: x\n\n.\n..two\r\nlast"), &context());
    assert_eq!(outcome.media(), "text/plain");
    assert_eq!(outcome.text(), "Posted to a.b.\n\nThe server says: 240 taken.\n");
    assert_eq!(server.commands(), ["MODE READER", "POST", "Date: x\r\nSubject: x\r\n\r\n..\r\n...two\r\nlast"]);
}

#[test]
fn a_refused_article_says_why() {
    let cases = [
        ("POST", "440 read only\r\n", Kind::Denied, "440 read only."),
        ("POST", "480 who are you?\r\n", Kind::NeedsLogin, "480"),
        (".", "441 no From\r\n", Kind::Said, "did not take the article: 441 no From."),
    ];
    for (command, answer, kind, words) in cases {
        let server = News::start(&[(command, say(answer))]);
        let outcome = fetch(&article(&server.url("a.b"), b"x"), &context());
        assert_eq!(outcome.failure().kind, kind, "{answer}");
        assert!(outcome.words().contains(words), "{answer}: {}", outcome.words());
    }
    let server = News::start(&[(".", vec![Do::Close])]);
    let outcome = fetch(&article(&server.url("a.b"), b"x"), &context());
    assert!(outcome.words().contains("not known whether"), "{}", outcome.words());
    assert_eq!(server.visits().len(), 1, "an article is never sent twice");
    let server = News::start(&[]);
    let outcome = fetch(&article(&server.url("a@b"), b"x"), &context());
    assert_eq!(outcome.failure().kind, Kind::Unsupported);
}

const NAMED: &[u8] = b"Date: x\r\nMessage-ID: <1@example.org>\r\nSubject: x\r\n\r\nx\r\n";

#[test]
fn an_article_that_was_taken_before_is_told_as_taken() {
    for code in ["441 435 Duplicate", "435 not wanted", "437 duplicate"] {
        let answers = [(".", say(format!("{code}\r\n"))), ("STAT", say("223 0 <1@example.org>\r\n"))];
        let server = News::start(&answers);
        let outcome = fetch(&article(&server.url("a.b"), NAMED), &context());
        assert_eq!(outcome.head().title.as_deref(), Some(wayfarer::proto::nntp::TAKEN_BEFORE), "{code}");
        assert!(outcome.text().contains("from an earlier try"), "{}", outcome.text());
        assert_eq!(server.commands().last().unwrap(), "STAT <1@example.org>");
        // One that is not there was refused for another reason.
        let server = News::start(&[(".", say(format!("{code}\r\n"))), ("STAT", say("430 no\r\n"))]);
        let outcome = fetch(&article(&server.url("a.b"), NAMED), &context());
        assert!(outcome.words().contains(code), "{}", outcome.words());
    }
    // Without an id of its own nothing can be looked for.
    let server = News::start(&[(".", say("441 no\r\n"))]);
    fetch(&article(&server.url("a.b"), b"Subject: x\r\n\r\nMessage-ID: <1@example.org>\r\n"), &context());
    assert!(server.commands().iter().all(|line| !line.starts_with("STAT")));
    let server = News::start(&[(".", vec![Do::Close])]);
    let outcome = fetch(&article(&server.url("a.b"), NAMED), &context());
    assert!(outcome.words().contains("cannot be there twice"), "{}", outcome.words());
}

/// The secret goes into keys and locks, and nowhere else.
#[test]
fn articles_are_locked_and_only_a_cancel_has_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cancel-secret");
    let writer = std::sync::Arc::new(wayfarer::disk::Writer::new(|_| {}).unwrap());
    let locks = wayfarer::proto::nntp::Locks::new(Some(wayfarer::disk::Kept { file: file.clone(), writer }));
    let post = |octets: &[u8]| {
        let server = News::start(&[]);
        let locked = Context { locks: locks.clone(), ..context() };
        let outcome = fetch(&article(&server.url("a.b"), octets), &locked);
        drop(locked);
        assert_eq!(outcome.failure, None);
        server.commands().last().unwrap().clone()
    };
    let (first, again) = (post(NAMED), post(NAMED));
    assert!(first.starts_with("Cancel-Lock: sha256:") && !first.contains("Cancel-Key"), "{first}");
    assert_eq!(first, again, "the same secret");
    let other = post(b"Date: x\r\nMessage-ID: <2@example.org>\r\n\r\nControl: cancel <1@example.org>\r\n");
    assert!(!other.contains("Cancel-Key") && other.lines().next() != first.lines().next(), "{other}");
    let cancel = post(b"Date: x\r\nMessage-ID: <3@example.org>\r\nControl: cancel <1@example.org>\r\n\r\nx\r\n");
    let key = cancel.lines().find_map(|line| line.strip_prefix("Cancel-Key: sha256:")).unwrap();
    let digest = ring::digest::digest(&ring::digest::SHA256, key.as_bytes());
    let lock = first.lines().next().unwrap().strip_prefix("Cancel-Lock: sha256:").unwrap();
    assert_eq!(unbase64(lock), digest.as_ref(), "the key opens the lock");
    let secret = std::fs::read_to_string(&file).unwrap();
    for sent in [&first, &other, &cancel] {
        assert!(!sent.contains(secret.trim()), "{sent}");
    }
}

fn unbase64(text: &str) -> Vec<u8> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = text.trim_end_matches('=').chars().map(|c| LETTERS.find(c).unwrap() as u8).collect();
    let bits: String = bits.iter().map(|six| format!("{six:06b}")).collect();
    bits.as_bytes().chunks_exact(8).map(|b| u8::from_str_radix(std::str::from_utf8(b).unwrap(), 2).unwrap()).collect()
}
