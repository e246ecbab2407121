//! The times of files that were listed with their lengths: asked for while a data connection is being opened, and what of servers that
//! this confuses.

use super::client::{Outcome, context, fetch_all, impatient, request};
use super::ftp_server::{Answers, Do, Ftp, say, transfer};
use wayfarer::proto::{Context, Request, Resume};

fn home() -> (&'static str, Vec<Do>) {
    ("PWD", say("257 \"/home\" is where you are\r\n"))
}

const DATED: &str = "211-x\r\n MDTM\r\n SIZE\r\n211 End\r\n";

/// Files whose length was listed, one after the other on the connections that there are.
fn listed(context: &Context, server: &Ftp, names: &[&str]) -> Vec<Outcome> {
    let listed = Some(wayfarer::proto::Listed { length: 8, modified: None });
    let requests: Vec<Request> =
        names.iter().map(|name| Request { listed, ..request(&server.url(&format!("pub/{name}"))) }).collect();
    fetch_all(&requests, context)
}

fn time() -> (&'static str, Vec<Do>) {
    ("MDTM", say("213 20200102030405\r\n"))
}

/// A round trip for the time of each file was a quarter of the time of a tree far away.
#[test]
fn the_time_of_a_listed_file_is_asked_for_while_its_data_connection_is_opened() {
    // It is told when the connection is there: whoever waits for it before waits in vain.
    let told = vec![Do::Data(Vec::new()), Do::Say("213 20200102030405\r\n".into())];
    let server = Ftp::start(&[home(), ("FEAT", say(DATED)), ("MDTM", told)]);
    let context = context();
    for outcome in listed(&context, &server, &["a", "b"]) {
        assert_eq!((outcome.failure.as_ref(), outcome.cut(), outcome.text().as_str()), (None, None, "a text\r\n"));
        let head = outcome.head.as_ref().unwrap();
        assert_eq!(head.validator.as_deref(), Some("size=8;modify=20200102030405"));
        let lines = head.lines.join("|");
        assert!(lines.contains("|213 20200102030405|150 here it comes"), "{lines}");
    }
    drop(context);
    let commands = server.all_commands();
    assert_eq!(commands[commands.len() - 6..], ["EPSV", "MDTM a", "RETR a", "EPSV", "MDTM b", "RETR b"]);
}

/// Whatever is said of the time, the file comes on the same connection.
#[test]
fn a_file_comes_whatever_is_said_of_its_time() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let closed = format!("229 closed (|||{nobody}|)\r\n");
    let odd: &[(&str, Option<&str>, &Answers<'_>)] = &[
        ("refused", None, &[("MDTM b", say("550 no\r\n"))]),
        ("unknown", None, &[("MDTM b", say("500 what?\r\n"))]),
        ("several lines", Some("20200102030405"), &[("MDTM b", say("213-so\r\nand so\r\n213 20200102030405\r\n"))]),
        (
            "another code inside",
            Some("20200102030405"),
            &[("MDTM b", say("213-so\r\n150 in\r\n213 20200102030405\r\n"))],
        ),
        (
            "an address inside",
            Some("20200102030405"),
            &[("MDTM b", say("213-so\r\n221 Baker Street\r\n213 20200102030405\r\n"))],
        ),
        ("another code at the end", Some("20200102030405"), &[("MDTM b", say("211-so\r\n213 20200102030405\r\n"))]),
        ("a word before it", Some("20200102030405"), &[("MDTM b", say("120 wait\r\n213 20200102030405\r\n"))]),
        ("nonsense", None, &[("MDTM b", say("213 yesterday\r\n"))]),
        ("no EPSV", Some("20200102030405"), &[("EPSV", say("500 what?\r\n"))]),
        ("a port of a service", Some("20200102030405"), &[("EPSV", say("229 mail (|||25|)\r\n"))]),
        ("a closed port", Some("20200102030405"), &[("EPSV", say(closed.as_bytes()))]),
    ];
    for (what, modified, answers) in odd {
        let server = Ftp::start(&[answers, &[home(), ("FEAT", say(DATED)), time()][..]].concat());
        let context = context();
        let outcomes = listed(&context, &server, &["b"]);
        assert_eq!((outcomes[0].failure.as_ref(), outcomes[0].cut()), (None, None), "{what}");
        let wanted = modified.map_or("size=8".to_owned(), |time| format!("size=8;modify={time}"));
        assert_eq!(outcomes[0].head.as_ref().unwrap().validator.as_deref(), Some(wanted.as_str()), "{what}");
        drop(context);
        assert!(server.commands().ends_with(&["MDTM b".into(), "RETR b".into()]), "{what}");
    }
}

/// A tree of files that may not be read ended where a server takes one visitor from each address.
#[test]
fn a_listed_file_that_is_refused_costs_no_connection() {
    for refusal in ["550 Failed to open file.\r\n", "450 Busy just now.\r\n"] {
        let refused = [("RETR x", say(refusal)), ("CWD x", say("550 no\r\n")), ("CWD /home/pub/x", say("550 no\r\n"))];
        let server = Ftp::start(&[&refused[..], &[home(), ("FEAT", say(DATED)), time()]].concat());
        let context = context();
        let names = ["a", "x", "b", "x", "x", "x", "x", "c"];
        let outcomes = listed(&context, &server, &names);
        let failed: Vec<bool> = outcomes.iter().map(|outcome| outcome.failure.is_some()).collect();
        assert_eq!(failed, names.map(|name| name == "x"), "{refusal}");
        drop(context);
        assert_eq!(server.commands().iter().filter(|line| line.starts_with("USER")).count(), 1);
    }
}

/// What ends a connection is asked for anew, once, and the time as well.
#[test]
fn a_connection_that_ends_over_the_time_of_a_file_is_replaced() {
    let odd: [(&str, Vec<Do>); 5] = [
        ("silence", vec![]),
        ("half an answer", say("213-so\r\n213-")),
        ("the end", vec![Do::Close]),
        ("421", say("421 Idle for too long\r\n")),
        ("no answer", say("what?\r\n")),
    ];
    for (what, steps) in odd {
        let whole = [home(), ("FEAT", say(DATED)), time()];
        let server = Ftp::several(&[&[&[("MDTM b", steps)], &whole[..]].concat(), &whole]);
        let context = impatient();
        for outcome in listed(&context, &server, &["a", "b"]) {
            assert_eq!((outcome.failure.as_ref(), outcome.cut()), (None, None), "{what}");
            assert_eq!(outcome.head.unwrap().validator.as_deref(), Some("size=8;modify=20200102030405"), "{what}");
        }
        drop(context);
        assert_eq!(server.connections()[1][2..], ["CWD pub", "TYPE I", "MDTM b", "RETR b"], "{what}");
    }
}

/// Whoever is confused by the question is asked for times before the files, and where that confuses, too, for the files alone.
#[test]
fn a_server_that_cannot_tell_times_meanwhile_is_asked_for_less() {
    let forgets = [
        ("EPSV", say("500 what?\r\n")),
        ("RETR a", vec![Do::Say("425 Use PASV first.\r\n".into()), Do::Then("RETR a", transfer("a text\r\n"))]),
    ];
    let told_and_silent = [Do::Say("213 20200102030405\r\n".into()), Do::Then("RETR a", vec![])].to_vec();
    let told_and_closed = [Do::Say("213 20200102030405\r\n".into()), Do::Close].to_vec();
    // So many connections, questions and times of three files.
    let odd: [(&str, &Answers<'_>, [usize; 3]); 9] = [
        ("the time, then the end", &[("MDTM", told_and_closed)], [3, 2, 2]),
        ("the time, then silence", &[("MDTM", told_and_silent)], [2, 3, 3]),
        ("silence", &[("MDTM", vec![])], [4, 3, 0]),
        ("no reply", &[("MDTM", say("what?\r\n"))], [4, 3, 0]),
        ("the end", &[("MDTM", vec![Do::Close])], [4, 3, 0]),
        ("421", &[("MDTM", say("421 Not so fast\r\n"))], [4, 3, 0]),
        ("two answers", &[("MDTM", say("213 20200102030405\r\n213 20200102030405\r\n"))], [3, 2, 2]),
        ("who are you", &[("MDTM", say("530 Please log in\r\n"))], [3, 2, 0]),
        ("the port forgotten", &forgets, [1, 3, 3]),
    ];
    for (what, answers, wanted) in odd {
        let all = [answers, &[home(), ("FEAT", say(DATED)), time()][..]].concat();
        let server = Ftp::several(&vec![&all[..]; wanted[0]]);
        let context = impatient();
        let outcomes = listed(&context, &server, &["a", "b", "c"]);
        for outcome in &outcomes {
            assert_eq!(outcome.failure.as_ref(), None, "{what}");
            assert_eq!((outcome.failure.as_ref(), outcome.cut()), (None, None), "{what}");
        }
        drop(context);
        let dated = outcomes.iter().filter(|outcome| outcome.head().modified.is_some()).count();
        let commands = server.all_commands();
        let [logins, questions] =
            ["USER", "MDTM"].map(|verb| commands.iter().filter(|line| line.starts_with(verb)).count());
        assert_eq!([logins, questions, dated], wanted, "{what}: {commands:?}");
    }
}

/// One connection that ended took the times of all files that came later.
#[test]
fn a_file_over_which_a_server_closes_takes_no_times_of_others() {
    let whole = [home(), ("FEAT", say(DATED)), time(), ("RETR x", vec![Do::Close])];
    let server = Ftp::several(&[&whole, &whole, &whole]);
    let context = context();
    let names = ["a", "x", "b", "c", "d"];
    let outcomes = listed(&context, &server, &names);
    let dated: Vec<bool> =
        outcomes.iter().map(|o| o.head.as_ref().is_some_and(|head| head.modified.is_some())).collect();
    assert_eq!(dated, names.map(|name| name != "x"));
    drop(context);
    // They are still asked for while the data connections are opened.
    let commands = server.all_commands();
    assert_eq!(commands[commands.len() - 6..], ["EPSV", "MDTM c", "RETR c", "EPSV", "MDTM d", "RETR d"]);
}

/// Both tries of one file counted, and 128 others had no times for one bad name.
#[test]
fn a_name_over_whose_time_a_server_ends_takes_no_times_of_others() {
    for ends in [vec![Do::Close], vec![]] {
        let server = Ftp::several(&[&[home(), ("FEAT", say(DATED)), ("MDTM x", ends), time()][..]; 3]);
        let context = impatient();
        let names = ["a", "x", "b", "c", "d"];
        let outcomes = listed(&context, &server, &names);
        assert_eq!(outcomes.iter().map(|o| (o.failure.as_ref(), o.cut())).collect::<Vec<_>>(), [(None, None); 5]);
        let dated: Vec<bool> = outcomes.iter().map(|outcome| outcome.head().modified.is_some()).collect();
        assert_eq!(dated, names.map(|name| name != "x"));
        drop(context);
    }
}

/// The time was told, and no data connection came about: that was held against the question.
#[test]
fn a_data_connection_that_fails_says_nothing_of_a_time_that_was_told() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (extended, passive) = (
        format!("229 closed (|||{nobody}|)\r\n"),
        format!("227 closed (127,0,0,1,{},{})\r\n", nobody >> 8, nobody & 255),
    );
    let closed = [("EPSV", say(extended.as_bytes())), ("PASV", say(passive.as_bytes()))];
    let whole = [home(), ("FEAT", say(DATED)), time()];
    let server = Ftp::several(&[&[&closed[..], &whole].concat(), &whole]);
    let context = context();
    let outcomes = listed(&context, &server, &["a", "b"]);
    assert_eq!(outcomes.iter().map(|o| o.head().modified.is_some()).collect::<Vec<_>>(), [true, true]);
    drop(context);
    let commands = server.all_commands();
    assert_eq!(commands[commands.len() - 3..], ["EPSV", "MDTM b", "RETR b"], "{commands:?}");
}

/// Neither did a data connection that could not be opened.
#[test]
fn a_refused_data_connection_takes_no_times_of_others() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let closed = format!("229 closed (|||{nobody}|)\r\n");
    let refuses = [("EPSV", say(closed.as_bytes())), ("PASV", say("425 no\r\n"))];
    let whole = [home(), ("FEAT", say(DATED)), time()];
    let refusing = [&refuses[..], &whole].concat();
    let server = Ftp::several(&[&refusing, &refusing, &whole]);
    let context = context();
    let outcomes = listed(&context, &server, &["a", "b", "c"]);
    let dated: Vec<bool> =
        outcomes.iter().map(|o| o.head.as_ref().is_some_and(|head| head.modified.is_some())).collect();
    assert_eq!(dated, [false, true, true]);
    drop(context);
    let commands = server.all_commands();
    assert_eq!(commands[commands.len() - 3..], ["EPSV", "MDTM c", "RETR c"]);
}

/// Where a question is refused between two others, it is asked before them.
#[test]
fn a_time_that_is_refused_meanwhile_is_asked_for_before_the_next_file() {
    let refuses = say("503 Bad sequence of commands\r\n");
    let whole = [home(), ("FEAT", say(DATED)), time()];
    let server = Ftp::several(&[&[&[("MDTM a", refuses)], &whole[..]].concat(), &whole]);
    let context = context();
    let outcomes = listed(&context, &server, &["a", "b", "c"]);
    assert_eq!(outcomes.iter().map(|o| o.head().modified.is_some()).collect::<Vec<_>>(), [false, true, true]);
    drop(context);
    let commands = server.all_commands();
    assert_eq!(commands[commands.len() - 6..], ["MDTM b", "EPSV", "RETR b", "MDTM c", "EPSV", "RETR c"]);
}

/// Each new connection was asked for the time of its second file, which ended it: forty logins for forty files, and as many waits.
#[test]
fn a_server_that_tells_one_time_for_each_connection_is_forgiven_once() {
    for then in [vec![], vec![Do::Close]] {
        let once = [time().1, vec![Do::Then("MDTM", then)]].concat();
        let answers = [home(), ("FEAT", say(DATED)), ("MDTM", once)];
        let server = Ftp::several(&[&answers, &answers, &answers]);
        let context = impatient();
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let outcomes = listed(&context, &server, &names);
        for outcome in &outcomes {
            assert_eq!((outcome.failure.as_ref(), outcome.cut()), (None, None));
        }
        let dated = outcomes.iter().filter(|outcome| outcome.head.as_ref().unwrap().modified.is_some()).count();
        drop(context);
        let connections = server.connections();
        let asked: Vec<_> =
            connections.iter().map(|lines| lines.iter().filter(|line| line.starts_with("MDTM")).count()).collect();
        assert_eq!((asked, dated), (vec![2, 2, 0], 2), "{connections:?}");
    }
}

/// Parts of files were taken for those of other files, and given up, since their times were not asked for any more, or had not been.
#[test]
fn a_part_of_a_file_is_gone_on_with_after_a_server_has_stumbled() {
    let features = say("211-x\r\n MDTM\r\n SIZE\r\n REST STREAM\r\n211 End\r\n");
    let whole = [home(), ("FEAT", features), ("SIZE", say("213 8\r\n")), time()];
    let on = [&[("REST", say("350 go on\r\n")), ("RETR b", transfer("ext\r\n"))], &whole[..]].concat();
    let confused = [&[("MDTM", vec![Do::Close])], &on[..]].concat();
    let dated = "size=8;modify=20200102030405";
    for (validator, as_listed) in [(dated, false), ("size=8", false), (dated, true), ("size=8", true)] {
        for (stumbles, known) in [(true, "size=8"), (false, dated)] {
            let server = Ftp::several(&[if stumbles { &confused[..] } else { &on }; 4]);
            let context = context();
            let listed = Some(wayfarer::proto::Listed { length: 8, modified: None });
            let wish = |name: &str| Request { listed, ..request(&server.url(&format!("pub/{name}"))) };
            let resume = Some(Resume { from: 3, validator: validator.into(), as_listed });
            let part = Request { resume, ..wish("b") };
            let outcomes = fetch_all(&[wish("a"), part], &context);
            assert_eq!((outcomes[0].failure.as_ref(), outcomes[0].cut()), (None, None), "{validator}");
            let head = outcomes[1].head();
            // Where the time is known of one alone, it may be that of another version of the same length.
            let start = if known == validator || as_listed && known == dated { 3 } else { 0 };
            assert_eq!((head.start, head.validator.as_deref()), (start, Some(known)), "{validator}");
        }
    }
}

/// A copy that is known by its time is asked for by that.
#[test]
fn a_copy_is_known_by_its_time_after_a_server_has_stumbled() {
    let whole = [home(), ("FEAT", say(DATED)), ("SIZE", say("213 8\r\n")), time()];
    let confused = [&[("MDTM a", vec![Do::Close])], &whole[..]].concat();
    let server = Ftp::several(&[&confused, &confused, &whole]);
    let context = context();
    let listed = Some(wayfarer::proto::Listed { length: 8, modified: None });
    let wish = |name: &str| Request { listed, ..request(&server.url(&format!("pub/{name}"))) };
    let copy = Request { unless: Some("size=8;modify=20200102030405".into()), ..wish("b") };
    let outcomes = fetch_all(&[wish("a"), copy], &context);
    assert!(outcomes[1].unchanged && outcomes[1].head.is_none(), "a copy is as it was: {:?}", outcomes[1].head);
}

/// Another server on the same host told no times any more.
#[test]
fn a_server_that_stumbles_says_nothing_of_another_port() {
    let whole = [home(), ("FEAT", say(DATED)), time()];
    let confused = [&[("MDTM", vec![Do::Close])], &whole[..]].concat();
    let (one, other) = (Ftp::several(&[&confused, &confused, &whole]), Ftp::start(&whole));
    let context = context();
    let modified = |server: &Ftp| listed(&context, server, &["a"])[0].head.as_ref().unwrap().modified.is_some();
    assert_eq!([modified(&one), modified(&other)], [false, true]);
    drop(context);
}

#[test]
fn a_name_like_a_home_is_asked_for_its_time_alone_where_that_has_confused() {
    let answers = [
        home(),
        ("FEAT", say(DATED)),
        time(),
        ("EPSV", say("500 what?\r\n")),
        ("RETR ~x", vec![Do::Say("425 Use PASV first.\r\n".into()), Do::Then("RETR ~x", say("550 no home\r\n"))]),
    ];
    let server = Ftp::start(&answers);
    let context = context();
    assert_eq!(listed(&context, &server, &["~x"])[0].text(), "a text\r\n");
    drop(context);
    assert_eq!(server.commands()[4..], ["MDTM ~x", "RETR ~x", "RETR ~x", "MDTM ./~x", "RETR ./~x"]);
}
