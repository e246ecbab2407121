//! News: lists of groups, and groups by their overviews, in slices, with gaps or without overviews.

use super::client::{context, fetch, fetch_all, get, request};
use super::nntp_server::{Answers, Do, News, say};
use wayfarer::proto::{Kind, Request, Stage};

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

/// A server that advertises counts and has none loses nothing but them, and is not asked for them twice.
#[test]
fn counts_that_are_offered_and_refused_cost_no_list() {
    let capable = say("101 this\r\nVERSION 2\r\nLIST ACTIVE COUNTS NEWSGROUPS\r\n.\r\n");
    let server = News::start(&[("CAPABILITIES", capable), ("LIST COUNTS", say("503 no counts\r\n"))]);
    let outcomes = fetch_all(&[request(&server.url("")), request(&server.url(""))], &context());
    for outcome in outcomes {
        assert!(outcome.text().starts_with("a.b\t3\t9\t\ty\t\n"), "{:?} {}", outcome.failure, outcome.text());
    }
    let lists = ["LIST COUNTS", "LIST ACTIVE", "LIST NEWSGROUPS", "LIST ACTIVE", "LIST NEWSGROUPS"];
    let commands = server.commands();
    assert_eq!(commands.iter().filter(|line| line.starts_with("LIST ")).collect::<Vec<_>>(), lists);
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
