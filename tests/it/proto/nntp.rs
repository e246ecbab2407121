//! News: what goes over the wire for every row of the table, what comes of it, logins and posting.

use super::client::{context, fetch, get, request};
use super::nntp_server::{Answers, Do, News, say};
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
    let login = Login { user: user.as_bytes().to_vec(), password: password.as_bytes().to_vec() };
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
fn a_list_has_its_descriptions_at_the_end() {
    let server = News::start(&[]);
    let outcome = get(&server.url("*"));
    assert_eq!(outcome.media(), "application/x-newsgroups");
    assert_eq!(outcome.text(), "a.b\t3\t9\t\ty\t\na.c\t1\t0\t\tm\t\na.b\t\t\t\t\tAbout b.\na.c\t\t\t\t\tAbout  c.\n");
    assert_eq!(outcome.cut(), None);
    assert_eq!(outcome.stages, [Stage::Connecting, Stage::Waiting]);
}

#[test]
fn counts_are_used_where_they_are_offered() {
    let capable = say("101 this\r\nVERSION 2\r\nLIST ACTIVE COUNTS NEWSGROUPS\r\n.\r\n");
    let counts = say("215 x\r\na.b 90 3 17 y\r\n.\r\n");
    let server =
        News::start(&[("CAPABILITIES", capable), ("LIST COUNTS", counts), ("LIST NEWSGROUPS", say("503 none\r\n"))]);
    let outcome = get(&server.url(""));
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("a.b\t3\t90\t17\ty\t\n", None));
    assert_eq!(server.commands(), ["MODE READER", "CAPABILITIES", "LIST COUNTS", "LIST NEWSGROUPS"]);
}

/// Some servers know no wildmats, and some take no notice of them.
#[test]
fn a_wildmat_is_applied_here_too() {
    for refusal in ["501 no arguments\r\n", "503 no\r\n"] {
        let server = News::start(&[("LIST ACTIVE a.*,!*c", say(refusal))]);
        let outcome = get(&server.url("a.*,!*c"));
        assert_eq!(outcome.text(), "a.b\t3\t9\t\ty\t\na.b\t\t\t\t\tAbout b.\n");
        let commands = server.commands();
        assert_eq!(commands[2..], ["LIST ACTIVE a.*,!*c", "LIST ACTIVE", "LIST NEWSGROUPS a.*,!*c"]);
    }
}

#[test]
fn a_group_comes_with_its_numbers_and_its_overview() {
    let server = News::start(&[("", say("201 read only\r\n")), ("MODE", say("201 read only\r\n"))]);
    let outcome = get(&server.url("a.group"));
    assert_eq!(outcome.media(), "application/x-newsgroup");
    let wanted = "a.group\t1\t2\t2\tn\n\
        1\tOne\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t\t100\t3\th group:1\n\
        2\tRe: One\tyou@h\tThu, 2 Jan 2025 11:00:00 GMT\t<2@h>\t<1@h>\t200\t4\th group:2 other:7\n\n";
    assert_eq!((outcome.text().as_str(), outcome.cut()), (wanted, None));
    let head = outcome.head.unwrap();
    assert_eq!(head.title.as_deref(), Some("a.group"));
    assert!(head.lines.join("|").ends_with("|> GROUP a.group|211 2 1 2 group|> OVER 1-2|224 here"), "{:?}", head.lines);
}

/// Answers OVER with one line for each number asked for.
fn overviews(slices: &[(u64, u64)]) -> Vec<(String, Vec<Do>)> {
    let lines = |(first, last): (u64, u64)| {
        let lines: String = (first..=last).map(|n| format!("{n}\ts\tf\td\t<{n}@h>\t\t1\t1\r\n")).collect();
        say(format!("224 here\r\n{lines}.\r\n"))
    };
    slices.iter().map(|&slice| (format!("OVER {}-{}", slice.0, slice.1), lines(slice))).collect()
}

/// The first and last number of each slice of a page.
fn slices(text: &str) -> Vec<(u64, u64)> {
    let number = |line: Option<&str>| line.unwrap().split('\t').next().unwrap().parse().unwrap();
    let (_, lines) = text.split_once('\n').unwrap();
    let slices = lines.split("\n\n").filter(|slice| !slice.trim().is_empty());
    slices.map(|slice| (number(slice.lines().next()), number(slice.lines().last()))).collect()
}

#[test]
fn a_group_comes_in_slices_from_the_newest_to_the_oldest() {
    let wanted = [(9501, 10000), (7501, 9500), (3501, 7500), (1, 3500)];
    let answers = overviews(&wanted);
    let mut answers: Vec<_> = answers.iter().map(|(line, steps)| (line.as_str(), steps.clone())).collect();
    answers.push(("GROUP", say("211 10000 1 10000 g\r\n")));
    let server = News::start(&answers);
    let outcome = get(&server.url("g"));
    assert_eq!(slices(&outcome.text()), wanted);
    assert_eq!(outcome.cut(), None);
    let commands = server.commands();
    assert_eq!(
        commands[1..],
        ["GROUP g", "OVER 9501-10000", "CAPABILITIES", "OVER 7501-9500", "OVER 3501-7500", "OVER 1-3500"]
    );

    // A setting says how many.
    let mut context = context();
    context.news.articles = 600;
    let answers = overviews(&[(9501, 10000), (9401, 9500)]);
    let mut answers: Vec<_> = answers.iter().map(|(line, steps)| (line.as_str(), steps.clone())).collect();
    answers.push(("GROUP", say("211 10000 1 10000 g\r\n")));
    let server = News::start(&answers);
    let outcome = fetch(&request(&server.url("g")), &context);
    assert_eq!(slices(&outcome.text()), [(9501, 10000), (9401, 9500)]);
}

#[test]
fn a_range_is_that_range_only() {
    let group = ("GROUP", say("211 10000 50 10000 g\r\n"));
    for (written, asked) in [("g/60-70", "OVER 60-70"), ("g/1-60", "OVER 50-60"), ("g/9990-", "OVER 9990-10000")] {
        let server = News::start(std::slice::from_ref(&group));
        let outcome = get(&server.url(written));
        assert!(outcome.text().starts_with("g\t50\t10000\t10000\t\n"), "{}", outcome.text());
        assert_eq!(server.commands()[1..], ["GROUP g", asked]);
    }
    let server = News::start(&[group]);
    let outcome = get(&server.url("g/20000-30000"));
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("g\t50\t10000\t10000\t\n", None));
    assert_eq!(server.commands()[1..], ["GROUP g"]);
}

/// Most articles may have expired: a million empty numbers are not walked through in slices of a thousand.
#[test]
fn sparse_groups_are_asked_for_in_ever_larger_steps() {
    let server = News::start(&[("GROUP", say("211 3 1 9000000000000000 g\r\n")), ("OVER", say("423 none\r\n"))]);
    let outcome = get(&server.url("g"));
    assert_eq!(outcome.cut(), None);
    let commands = server.commands();
    assert!(commands.len() < 60, "{}", commands.len());
    assert!(commands.last().unwrap().starts_with("OVER 1-"), "{commands:?}");
}

#[test]
fn a_server_without_overviews_gives_headers() {
    let head = "221 1 <1@h>\r\nsubject: a\r\n\tfolded\ttext\r\nFROM: me\r\nMessage-ID: <1@h>\r\nXref: h g:1\r\n.\r\n";
    let server = News::start(&[
        ("OVER", say("500 what?\r\n")),
        ("XOVER", say("500 what?\r\n")),
        ("HEAD 1", say(head)),
        ("HEAD 2", say("423 gone\r\n")),
    ]);
    let outcome = get(&server.url("g"));
    assert_eq!(outcome.text(), "g\t1\t2\t2\t\n1\ta folded text\tme\t\t<1@h>\t\t\t\th g:1\n\n");
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

#[test]
fn a_server_tells_its_time_and_its_new_groups() {
    let capable = say("101 this\r\nVERSION 2\r\nREADER\r\nLIST ACTIVE\r\n.\r\n");
    let new = say("231 new\r\na.new 3 1 y\r\nnonsense\r\na.newer 0 1 m\r\n.\r\n");
    let ask = |answers: Answers, path: &str, since: Option<&str>| {
        let server = News::start(answers);
        let since = since.map(|time| time.parse().unwrap());
        let outcome = fetch(&Request { since, ..request(&server.url(path)) }, &context());
        assert_eq!((outcome.failure.clone(), outcome.cut()), (None, None));
        (outcome.head.as_ref().unwrap().clock.map(|t| t.to_string()), outcome.text(), server.commands())
    };
    let answers = [("CAPABILITIES", capable), ("NEWGROUPS", new)];
    let (clock, text, commands) = ask(&answers, "*", Some("2024-12-24T17:00:00Z"));
    assert_eq!(clock.as_deref(), Some("2025-01-02T03:04:05Z"));
    assert!(text.contains("a.c\t1\t0\t\tm\t\n\ta.new\n\ta.newer\na.b\t\t"), "{text}");
    let new = "NEWGROUPS 20241224 170000 GMT";
    let wanted = ["MODE READER", "CAPABILITIES", "DATE", "LIST ACTIVE", new, "LIST NEWSGROUPS"];
    assert_eq!(commands, wanted, "the clock is read before the list, or a group could come between them");
    // On a first visit nothing is new, and of some groups nothing is told.
    let (clock, _, commands) = ask(&answers, "", None);
    assert!(clock.is_some() && !commands.iter().any(|line| line.starts_with("NEWGROUPS")));
    let (clock, _, commands) = ask(&answers, "a.*", Some("2024-12-24T17:00:00Z"));
    assert!(clock.is_none() && !commands.iter().any(|line| line.starts_with("NEWGROUPS") || line == "DATE"));
    for date in ["111 2025\r\n", "500 what?\r\n"] {
        let answers = [answers[0].clone(), ("DATE", say(date))];
        let (clock, text, _) = ask(&answers, "*", Some("2024-12-24T17:00:00Z"));
        assert!(clock.is_none() && text.starts_with("a.b"), "{text}");
    }
}

#[test]
fn what_a_server_says_to_everybody_comes_with_its_groups() {
    let capable = say("101 this\r\nVERSION 2\r\nLIST ACTIVE MOTD\r\n.\r\n");
    let motd = say("215 x\r\n\r\nWelcome. \r\n\r\n\r\n..Café\r\n\r\n.\r\n");
    let server = News::start(&[("CAPABILITIES", capable.clone()), ("LIST MOTD", motd)]);
    let outcome = get(&server.url("*"));
    assert_eq!(outcome.head.as_ref().unwrap().notices, ["Welcome.", "", ".Café"]);
    assert!(outcome.text().starts_with("a.b\t3"));
    let server = News::start(&[("CAPABILITIES", capable), ("LIST MOTD", say("503 none\r\n"))]);
    let outcome = get(&server.url("*"));
    assert!(outcome.text().starts_with("a.b\t3") && outcome.head.unwrap().notices.is_empty());
}

/// Numbers have gaps: most articles of this group have expired.
#[test]
fn a_sparse_group_is_asked_which_numbers_it_has() {
    let group = ("GROUP", say("211 700 1 900000 g\r\n"));
    let numbers: String = (1..=700).map(|n| format!("{}\r\n", n * 1000)).collect();
    let all = ("LISTGROUP", say(format!("211 700 1 900000 g\r\n{numbers}.\r\n")));
    let ask = |answers: Answers, path: &str| {
        let server = News::start(answers);
        let mut context = context();
        context.news.articles = 600;
        let outcome = fetch(&request(&server.url(path)), &context);
        assert_eq!((outcome.failure.clone(), outcome.cut()), (None, None));
        drop(context);
        let line = outcome.text().lines().next().unwrap().to_owned();
        (line, server.commands().into_iter().filter(|line| line.starts_with("OVER")).collect::<Vec<_>>())
    };
    let answers = [group.clone(), all];
    let (line, over) = ask(&answers, "g");
    assert_eq!(over, ["OVER 201000-700000", "OVER 101000-200000"], "no slice is asked for in vain");
    assert_eq!(line, "g\t1\t900000\t700\t\t1000-100000");
    let (line, over) = ask(&answers, "g/101000-300500");
    assert_eq!((line.as_str(), over[0].as_str()), ("g\t1\t900000\t700\t\t1000-100000", "OVER 101000-300000"));
    let (line, over) = ask(&answers, "g/1-900");
    assert_eq!((line.as_str(), over.len()), ("g\t1\t900000\t700\t\t-", 0), "nothing is there");
    let (line, over) = ask(&[group], "g");
    assert_eq!((line.as_str(), over[0].as_str()), ("g\t1\t900000\t700\t", "OVER 899501-900000"), "not told");
}

#[test]
fn a_server_without_overviews_is_asked_for_single_headers() {
    for (command, good) in [("HDR", 225), ("XHDR", 221)] {
        let rows = |rows: &str| say(format!("{good} here\r\n{rows}.\r\n"));
        let names = ["Subject", "From", "Date", "Message-ID", "References"].map(|name| format!("{command} {name}"));
        let [subject, from, date, id, references] = names.each_ref().map(String::as_str);
        let mut answers = vec![
            (subject, rows("1 One\r\n2 Re:\tOne\r\n9 elsewhere\r\nnonsense\r\n")),
            (from, rows("1 me@h\r\n2 you@h\r\n")),
            (date, rows("1 Thu, 2 Jan 2025 10:00:00 GMT\r\n")),
            (id, rows("1 <1@h>\r\n2 <2@h>\r\n")),
            (references, rows("1 (none)\r\n2 <1@h>\r\n")),
        ];
        for refusal in ["500 what?\r\n", "502 not for you\r\n", "503 no\r\n"] {
            answers.retain(|(line, _)| !line.ends_with("OVER"));
            answers.extend([("OVER", say(refusal)), ("XOVER", say(refusal))]);
            let server = News::start(&answers);
            let outcome = get(&server.url("g"));
            let wanted = "g\t1\t2\t2\t\n\
                1\tOne\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t\t\t\t\n\
                2\tRe: One\tyou@h\t\t<2@h>\t<1@h>\t\t\t\n\n";
            assert_eq!((outcome.text().as_str(), outcome.cut()), (wanted, None), "{command} {refusal}");
            let notices = outcome.head.unwrap().notices;
            assert!(notices.len() == 1 && notices[0].contains("sizes are not known"), "{notices:?}");
            let sent: Vec<String> = server.commands().into_iter().filter(|line| line.starts_with(command)).collect();
            assert_eq!(sent, names.each_ref().map(|name| format!("{name} 1-2")));
        }
    }
    // Whom no way is open to may see nothing here.
    let no = || say("502 not for you\r\n");
    let server = News::start(&[("OVER", no()), ("XOVER", no()), ("HDR", no()), ("XHDR", no())]);
    let outcome = get(&server.url("g"));
    assert_eq!(outcome.failure().kind, Kind::Denied);
    assert!(outcome.words().contains("502 not for you"), "{}", outcome.words());
}

#[test]
fn overview_lines_come_in_one_shape() {
    let shaped = |format: Option<&str>, lines: &str| {
        let format = format.map_or(say("503 none\r\n"), |format| say(format!("215 x\r\n{format}.\r\n")));
        let server = News::start(&[("OVER", say(format!("224 x\r\n{lines}.\r\n"))), ("LIST OVERVIEW.FMT", format)]);
        let outcome = get(&server.url("g"));
        (
            outcome.text().lines().skip(1).collect::<Vec<_>>().join("\n"),
            outcome.cut().map(str::to_owned),
            server.commands().len(),
        )
    };
    // Fields that are missing, or more than usual.
    assert_eq!(shaped(None, "5\ts\r\n").0, "5\ts\t\t\t\t\t\t\t\n");
    assert_eq!(shaped(None, "5\r\n").0, "5\t\t\t\t\t\t\t\t\n");
    assert_eq!(
        shaped(None, "5\ts\tf\td\t<i@h>\t\t1\t2\tLines: 9\tXREF: h g:5\tX: y\r\n").0,
        "5\ts\tf\td\t<i@h>\t\t1\t2\th g:5\n"
    );
    // CR and NUL become spaces; octets stay octets.
    assert_eq!(shaped(None, "5\ta\rb\0c\tf\td\t<i@h>\t\t1\t2\r\n").0, "5\ta b c\tf\td\t<i@h>\t\t1\t2\t\n");
    // Lines that are none.
    let (text, cut, _) = shaped(None, "x\ts\r\n\r\n-5\ts\r\n99999999999999999999\ts\r\n7\ts\r\n");
    assert_eq!(text, "7\ts\t\t\t\t\t\t\t\n");
    assert_eq!(cut.as_deref(), Some("4 lines of the answer made no sense"));
    // Another order, and the format that tells it; it is not asked for where the order is the usual one.
    let odd = "5\t<i@h>\ts\tf\td\tg:5\t77\r\n";
    let format = "Message-ID:\r\nSubject:\r\nFrom:\r\nDate:\r\nXref:full\r\nBytes:\r\n";
    assert_eq!(shaped(Some(format), odd), ("5\ts\tf\td\t<i@h>\t\t77\t\tg:5\n".into(), None, 4));
    assert_eq!(shaped(Some(format), "5\ts\tf\td\t<i@h>\r\n").2, 3);
    // A format that is none.
    for wrong in [None, Some(""), Some("nonsense\r\n\0\r\nSubject:\r\n")] {
        assert_eq!(shaped(wrong, odd).0, "5\t<i@h>\ts\tf\td\tg:5\t77\t\t\n");
    }
}
