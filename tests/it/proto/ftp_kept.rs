//! FTP connections that are kept: when the next visit gets one, when it does not, and how many there are.

use super::client::{Outcome, context, converse, fetch_all, impatient, in_one, request};
use super::ftp_server::{Answers, Do, Ftp, say, transfer};
use std::time::Duration;
use wayfarer::proto::{Connections, Context, Exchange, FetchEvent, Kind, Request, Stage, Verdict};

const HOME: &str = "257 \"/home\" is where you are\r\n";

fn home() -> (&'static str, Vec<Do>) {
    ("PWD", say(HOME))
}

async fn get(url: &str, context: &Context) -> Outcome {
    converse(&request(url), context, Verdict::Accept, |_| {}).await
}

/// Fetches one after the other with one context.
fn visit(context: Context, urls: &[String]) -> Vec<Outcome> {
    in_one(async {
        let mut outcomes = Vec::new();
        for url in urls {
            outcomes.push(get(url, &context).await);
        }
        drop(context);
        outcomes
    })
}

#[test]
fn the_next_visit_goes_on_from_where_the_login_led() {
    let pwd = say(b"257 \"/a \"\"b\"\" \xE9\" is where you are\r\n");
    let server = Ftp::start(&[("PWD", pwd), ("", say("220-Hello\r\n220 you\r\n"))]);
    let outcomes = visit(context(), &[server.url("pub/x"), server.url("y"), server.url("docs/"), server.url("")]);
    for outcome in &outcomes {
        assert_eq!((outcome.failure.as_ref(), outcome.cut()), (None, None));
    }
    let lines = |at: usize| outcomes[at].head.as_ref().unwrap().lines.join("|");
    assert!(lines(0).contains("> USER anonymous|"), "{}", lines(0));
    let kept = "on the connection kept from the visit before|> CWD /a \"b\" \u{E9}|250 there you are|> RETR y|";
    assert!(lines(1).replace("> EPSV|", "").starts_with(kept), "{}", lines(1));
    assert_eq!(outcomes[0].head.as_ref().unwrap().notices, ["Hello"]);
    assert_eq!(outcomes[1].head.as_ref().unwrap().notices, [""; 0], "said once");
    assert_eq!(outcomes[1].stages, [Stage::Waiting]);
    assert_eq!(
        server.commands(),
        [
            &["USER anonymous", "PASS anonymous@", "CWD pub", "TYPE I", "RETR x"][..],
            &["CWD /a \"b\" \u{E9}", "RETR y"],
            &["CWD docs", "TYPE A", "LIST"],
            &["CWD /a \"b\" \u{E9}", "LIST"],
        ]
        .concat()
    );
}

/// What the first visit's connection does so that the second visit gets a new one, and shows nothing of it.
#[test]
fn anything_odd_makes_a_new_connection() {
    let half = vec![Do::Say("150 here\r\n".into()), Do::Data(b"half".to_vec()), Do::EndData];
    let ended = |last: Do| [transfer("a text\r\n"), vec![last]].concat();
    let no = || ("CWD /home/there", say("550 Not so\r\n"));
    let odd: &[(&str, &Answers<'_>)] = &[
        ("no PWD", &[]),
        ("PWD without a directory", &[("PWD", say("257 somewhere\r\n"))]),
        ("the end", &[home(), ("RETR", ended(Do::Close))]),
        ("a farewell", &[home(), ("RETR", ended(Do::Say("421 bye\r\n".into())))]),
        // It would be taken for the answer to the next command, and so on.
        ("words that nobody asked for", &[home(), ("RETR", ended(Do::Say("250 and more\r\n".into())))]),
        ("421", &[home(), no(), ("CWD /home", say("421 Idle for too long\r\n"))]),
        ("421 in the chain", &[home(), no(), ("CWD there", say("421 Idle for too long\r\n"))]),
        ("530", &[home(), no(), ("CWD there", say("530 Please login with USER and PASS\r\n"))]),
        ("no way home", &[home(), no(), ("CWD /home", say("550 gone\r\n"))]),
        ("silence", &[home(), ("CWD /home/there", vec![Do::Wait])]),
        ("nonsense", &[home(), ("CWD /home/there", say("what?\r\n"))]),
        ("two codes", &[home(), ("TYPE", say("200-so\r\n250 be it\r\n"))]),
        ("not complete", &[home(), ("RETR", [half, say("426 Disk on fire\r\n")].concat())]),
        ("a closed port", &[home(), ("EPSV", say("229 closed (|||1|)\r\n"))]),
    ];
    for (what, answers) in odd {
        let server = Ftp::several(&[answers, &[]]);
        let urls = [server.url("here/x"), server.url("there/y")];
        let outcomes = visit(impatient(), &urls);
        let last = &outcomes[1];
        assert_eq!((last.failure.as_ref(), last.cut()), (None, None), "{what}");
        assert_eq!(last.text(), "a text\r\n", "{what}");
        // A connection that served in vain says so, beside the one that did better.
        let vain = &last.sent[..last.sent.len() - 1];
        assert!(
            vain.iter().all(|sent| sent.came.as_ref().is_some_and(|came| came.ends_with("Asked anew."))),
            "{vain:?}"
        );
        let connections = server.connections();
        assert_eq!(
            connections[1],
            ["USER anonymous", "PASS anonymous@", "CWD there", "TYPE I", "RETR y"],
            "{what}: {connections:?}"
        );
    }
}

#[test]
fn a_new_connection_is_tried_once() {
    let leaving: &Answers<'_> = &[home(), ("CWD there", say("421 Idle for too long\r\n"))];
    let server = Ftp::several(&[leaving, leaving]);
    let outcomes = visit(context(), &[server.url("x"), server.url("there/y")]);
    assert!(outcomes[1].words().contains("ends the session: 421 Idle for too long."), "{}", outcomes[1].words());
    assert_eq!(server.connections().len(), 2);
}

#[test]
fn what_is_not_there_is_believed_of_a_kept_connection_too() {
    let none = || say("550 No such directory\r\n");
    let server = Ftp::start(&[home(), ("CWD there", none()), ("CWD /home/there", none())]);
    let outcomes = visit(context(), &[server.url("here/x"), server.url("there/y")]);
    assert_eq!(outcomes[1].failure().kind, Kind::NotFound);
    assert_eq!(server.commands()[5..], ["CWD /home/there", "CWD /home", "CWD there"]);
}

/// Sixty files, six of which may not be read, from a server that takes one visitor from each address: each refusal closed the
/// connection, and what came next was one visitor too many.
#[test]
fn a_server_that_has_refused_a_file_is_asked_for_the_next_on_the_same_connection() {
    for refusal in ["550 Failed to open file.\r\n", "450 Busy just now.\r\n", "425 No data connection.\r\n"] {
        let server = Ftp::start(&[home(), ("RETR secret", say(refusal)), ("CWD secret", say("550 no\r\n"))]);
        let outcomes = visit(context(), &[server.url("a"), server.url("secret"), server.url("b")]);
        let failed: Vec<bool> = outcomes.iter().map(|outcome| outcome.failure.is_some()).collect();
        assert_eq!(failed, [false, true, false], "{refusal}");
        let commands = server.commands();
        assert_eq!(commands.iter().filter(|line| line.starts_with("USER")).count(), 1, "{commands:?}");
    }
}

#[test]
fn a_transfer_that_was_cut_ends_its_connection() {
    let server = Ftp::several(&[&[home(), ("RETR", transfer("x".repeat(5000)))], &[home()]]);
    let mut context = context();
    context.limits.page = 1024;
    in_one(async {
        assert!(get(&server.url("y.txt"), &context).await.cut().unwrap().contains("cut at 1 KiB"));
        assert!(get(&server.url("x"), &context).await.head.is_some());
    });
    drop(context);
    assert_eq!(server.connections().len(), 2);
}

#[test]
fn a_file_of_which_only_the_head_was_wanted_leaves_its_connection_to_the_next() {
    let (whole, broken) = ("226 all of it\r\n", "426 Transfer aborted.\r\n");
    for (word, connections) in [(whole, 1), (broken, 1), ("421 Good bye.\r\n", 2)] {
        let mut first = transfer("x".repeat(5000));
        first.splice(3.., say(word));
        let visits: [&Answers<'_>; 2] = [&[home(), ("RETR x", first)], &[home()]];
        let server = Ftp::several(&visits[..connections]);
        let context = context();
        in_one(async {
            let wish = request(&server.url("x"));
            assert!(converse(&wish, &context, Verdict::Refuse, |_| {}).await.head.is_some());
            assert!(get(&server.url("y.txt"), &context).await.cut().is_none());
        });
        drop(context);
        assert_eq!(server.connections().len(), connections, "{word}");
    }
}

#[test]
fn a_user_gets_nobody_elses_connection_and_idle_ones_make_room() {
    let mine: &Answers<'_> = &[home(), ("QUIT", say("221 bye\r\n"))];
    let server = Ftp::several(&[mine, mine, mine]);
    let of = |user: &str, path: &str| format!("ftp://{user}@127.0.0.1:{}/{path}", server.port);
    let urls = [of("a:1", "x"), of("b:2", "x"), of("c:3", "x"), of("b:2", "y"), of("b:other", "z")];
    let last = Ftp::several(&[mine]);
    let other = [last.url("w")];
    let mut few = context();
    few.ftp.connections = 1;
    let outcomes = visit(few, &[&urls[..4], &other].concat());
    assert!(outcomes.iter().all(|outcome| outcome.cut().is_none()), "ports of one host share its room");
    let connections = server.connections();
    assert_eq!(connections[0], ["USER a", "PASS 1", "TYPE I", "RETR x", "QUIT"]);
    assert_eq!(connections[1], ["USER b", "PASS 2", "TYPE I", "RETR x", "RETR y"]);
    assert_eq!(connections[2], ["USER c", "PASS 3", "TYPE I", "RETR x", "QUIT"]);
    assert_eq!(last.connections()[0][0], "USER anonymous");

    // The same user with another password has to prove it.
    let server = Ftp::several(&[&[home()], &[("PASS", say("530 Login incorrect.\r\n"))]]);
    let of = |user: &str| format!("ftp://{user}@127.0.0.1:{}/x", server.port);
    assert_eq!(visit(context(), &[of("b:2"), of("b:other")])[1].failure().kind, Kind::NeedsLogin);
}

/// A fetch that is stopped in the middle of its transfer.
async fn head_only(wish: &Request, context: &Context) {
    let (mut exchange, mut events, _verdict) = Exchange::new(1);
    let protocol = wayfarer::proto::find("ftp").unwrap();
    let running = (protocol.fetch)(wish, &mut exchange, context);
    let seen = async { while !matches!(events.recv().await.unwrap(), FetchEvent::Head(_)) {} };
    tokio::select! {
        outcome = running => panic!("{outcome:?}"),
        () = seen => {}
    }
}

#[test]
fn a_third_fetch_waits_and_a_stopped_one_makes_room() {
    let server = Ftp::several(&[&[home()], &[home()], &[home()]]);
    let mut context = context();
    context.ftp.connections = 1;
    in_one(async {
        let (first, second) = (request(&server.url("first")), request(&server.url("second")));
        let third = request(&server.url("third"));
        let start = |wish| {
            let (mut exchange, events, verdict) = Exchange::new(1);
            let context = &context;
            let running =
                Box::pin(
                    async move { (wayfarer::proto::find("ftp").unwrap().fetch)(wish, &mut exchange, context).await },
                );
            (running, events, verdict)
        };
        let (mut first, mut first_events, _first) = start(&first);
        let (mut second, mut second_events, _second) = start(&second);
        let head = async |events: &mut tokio::sync::mpsc::Receiver<FetchEvent>| {
            while !matches!(events.recv().await.unwrap(), FetchEvent::Head(_)) {}
        };
        tokio::select! { _ = &mut first => panic!(), () = head(&mut first_events) => {} }
        tokio::select! { _ = &mut second => panic!(), () = head(&mut second_events) => {} }

        // Stopped while it waits, a fetch leaves nothing behind.
        let (waiting, mut waiting_events, _waiting) = start(&third);
        tokio::select! {
            _ = waiting => panic!("two are under way"),
            stage = waiting_events.recv() => assert_eq!(stage, Some(FetchEvent::Stage(Stage::Queued))),
        }
        let third = converse(&third, &context, Verdict::Accept, |_| {});
        tokio::pin!(third);
        assert!(futures_util::FutureExt::now_or_never(&mut third).is_none());
        drop(first);
        let outcome = third.await;
        assert_eq!(outcome.stages[0], Stage::Queued);
        assert_eq!(outcome.text(), "a text\r\n");
    });
    drop(context);
    let connections = server.connections();
    assert_eq!(connections[2].last().unwrap(), "RETR third");
}

/// Whoever saves a directory has one more file made ready than may come: a page does not wait behind it.
#[test]
fn files_wait_for_their_turn_and_a_page_does_not() {
    let server = Ftp::several(&[&[home()], &[home()]]);
    let mut context = context();
    context.ftp.connections = 1;
    let saved = |name: &str| Request { saved: true, ..request(&server.url(name)) };
    in_one(async {
        let (first, second, page) = (saved("first"), saved("second"), request(&server.url("page")));
        let protocol = wayfarer::proto::find("ftp").unwrap();
        let (mut exchange, mut events, _verdict) = Exchange::new(1);
        let mut running = Box::pin((protocol.fetch)(&first, &mut exchange, &context));
        let head = async { while !matches!(events.recv().await.unwrap(), FetchEvent::Head(_)) {} };
        tokio::select! { _ = &mut running => panic!(), () = head => {} }

        let waiting = converse(&second, &context, Verdict::Accept, |_| {});
        tokio::pin!(waiting);
        assert!(futures_util::FutureExt::now_or_never(&mut waiting).is_none());
        let page = converse(&page, &context, Verdict::Accept, |_| {}).await;
        assert_eq!((page.text(), page.stages.contains(&Stage::Queued)), ("a text\r\n".into(), false));
        assert!(futures_util::FutureExt::now_or_never(&mut waiting).is_none(), "though there is a connection at rest");
        drop(running);
        let file = waiting.await;
        assert_eq!((file.text(), file.stages[0]), ("a text\r\n".into(), Stage::Queued));
    });
    drop(context);
    let sent = server.connections();
    assert_eq!((sent[0].last().unwrap().as_str(), sent[1].last().unwrap().as_str()), ("RETR first", "RETR second"));
}

#[test]
fn a_stopped_fetch_closes_both_connections() {
    let endless = vec![Do::Say("150 here\r\n".into()), Do::DataForever(vec![b'x'; 1000]), Do::Wait];
    let server = Ftp::start(&[home(), ("RETR", endless)]);
    let context = context();
    in_one(head_only(&request(&server.url("x")), &context));
    // The context lives on: what ends the script is that nothing was kept.
    assert_eq!(server.commands().last().unwrap(), "RETR x");
    drop(context);
}

#[test]
fn idle_connections_are_closed_with_a_farewell() {
    let mut context = context();
    context.connections = Connections::new(Duration::from_millis(1));
    let server = Ftp::start(&[home(), ("QUIT", say("221 bye\r\n"))]);
    let commands = in_one(async {
        get(&server.url("x"), &context).await;
        tokio::task::spawn_blocking(|| server.commands()).await.unwrap()
    });
    assert_eq!(commands.last().unwrap(), "QUIT");
}

#[test]
fn files_of_one_directory_cost_no_way_and_a_child_one_step() {
    let server = Ftp::start(&[home()]);
    let urls = ["pub/a", "pub/b", "pub/sub/c", "pub/sub/deep/d", "pub/e"].map(|path| server.url(path));
    for outcome in visit(context(), &urls) {
        assert_eq!((outcome.failure.as_ref(), outcome.cut()), (None, None));
    }
    let wanted = ["CWD pub", "TYPE I", "RETR a", "RETR b", "CWD sub", "RETR c", "CWD deep", "RETR d"];
    let commands = server.commands();
    assert_eq!(commands[2..10], wanted);
    assert_eq!(commands[10..], ["CWD /home/pub", "RETR e"]);
}

/// Each of a hundred directories beside each other cost the whole path again.
#[test]
fn directories_beside_each_other_cost_no_way() {
    let server = Ftp::start(&[home()]);
    let urls =
        ["pub/tree/a/x", "pub/tree/b/x", "pub/tree/c/x", "pub/tree/c/d/x", "pub/tree/e/x", "pub/f/x", "pub/h/x", "g/x"]
            .map(|path| server.url(path));
    for outcome in visit(context(), &urls) {
        assert_eq!((outcome.failure.as_ref(), outcome.cut()), (None, None));
    }
    let of = |directory: &'static str| [directory, "RETR x"];
    let wanted = [
        &["CWD pub", "CWD tree", "CWD a", "TYPE I", "RETR x"][..],
        &of("CWD /home/pub/tree/b"),
        &of("CWD /home/pub/tree/c"),
        &of("CWD d"),
        &of("CWD /home/pub/tree/e"),
        &of("CWD /home/pub/f"),
        &of("CWD /home/pub/h"),
        &of("CWD /home/g"),
    ];
    assert_eq!(server.commands()[2..], wanted.concat());
}

/// What looks like a path need not be one, and a name with a slash is more than one step.
#[test]
fn a_directory_that_has_no_path_is_gone_to_step_by_step() {
    let after = |answers: &Answers<'_>, paths: &[&str]| {
        let server = Ftp::start(answers);
        let urls: Vec<String> = paths.iter().map(|path| server.url(path)).collect();
        for outcome in visit(context(), &urls) {
            assert_eq!((outcome.failure.as_ref(), outcome.cut()), (None, None));
        }
        let commands = server.commands();
        let first = commands.iter().position(|command| command == "RETR x").unwrap();
        commands[first + 1..].iter().filter(|command| *command != "RETR x").cloned().collect::<Vec<_>>()
    };
    // Where it was refused it is not tried again; what the server calls a directory it is asked, once.
    let refuses = [home(), ("CWD /home/pub/b", say("501 Not a path here\r\n"))];
    let steps = ["CWD /home/pub/b", "CWD /home", "CWD pub", "CWD b", "CWD /home", "CWD c"];
    assert_eq!(after(&refuses, &["pub/a/x", "pub/b/x", "pub/c/x"]), steps);
    let steps = ["CWD DISK:[PUB]", "CWD /b", "CWD DISK:[PUB]", "CWD c/d"];
    assert_eq!(after(&[("PWD", say("257 \"DISK:[PUB]\"\r\n"))], &["a/x", "%2Fb/x", "c%2Fd/x"]), steps);
    let steps = ["CWD /home", "CWD /b", "CWD /home", "CWD c/d", "CWD e", "CWD /home", "CWD c/d", "CWD f"];
    assert_eq!(after(&[home()], &["a/x", "%2Fb/x", "c%2Fd/e/x", "c%2Fd/f/x"]), steps);
    assert_eq!(after(&[home()], &["a/b/c/x", "a/x", "x"]), ["CWD /home/a", "CWD /home"]);
}

/// One directory that was missing had each of a hundred others gone to step by step.
#[test]
fn a_directory_that_is_not_there_says_nothing_of_paths() {
    let none = || say("550 No such directory\r\n");
    let server = Ftp::start(&[home(), ("CWD /home/b", none()), ("CWD b", none())]);
    let urls = ["a/x", "b/x", "c/x", "d/x", "b/x", "e/x", "f/x"].map(|path| server.url(path));
    let failed: Vec<bool> = visit(context(), &urls).iter().map(|outcome| outcome.failure.is_some()).collect();
    assert_eq!(failed, [false, true, false, false, true, false, false]);
    let commands: Vec<String> = server.commands().into_iter().filter(|line| line.starts_with("CWD")).collect();
    let looked = ["CWD /home/b", "CWD /home", "CWD b"];
    let wanted = [&["CWD a"][..], &looked, &["CWD c", "CWD /home/d"], &looked, &["CWD e", "CWD /home/f"]];
    assert_eq!(commands, wanted.concat());
}

#[test]
fn a_file_that_was_listed_is_not_asked_for_its_size_and_time() {
    let features = say("211-x\r\n MDTM\r\n SIZE\r\n MLST size*;modify*;\r\n211 End\r\n");
    let server = Ftp::start(&[home(), ("FEAT", features)]);
    let modified = "2020-01-02T03:04:05Z".parse().unwrap();
    let listed = Some(wayfarer::proto::Listed { length: 8, modified: Some(modified) });
    let request = Request { listed, ..request(&server.url("pub/a")) };
    let context = context();
    let outcome = in_one(converse(&request, &context, Verdict::Accept, |_| {}));
    let head = outcome.head.as_ref().unwrap();
    assert_eq!((head.length, head.modified), (Some(8), Some(modified)));
    assert_eq!(head.validator.as_deref(), Some("size=8;modify=20200102030405"));
    drop(context);
    assert!(!server.commands().iter().any(|line| line.starts_with("SIZE") || line.starts_with("MDTM")));
}

/// The listings of ls tell the length to the octet, and the time to the minute, or to the day.
#[test]
fn a_file_whose_size_was_listed_is_asked_for_its_time_alone() {
    let features = say("211-x\r\n MDTM\r\n SIZE\r\n211 End\r\n");
    let mut server = vec![home(), ("FEAT", features), ("MDTM", say("213 20200102030405\r\n"))];
    server.push(("SIZE", say("213 8\r\n")));
    let server = Ftp::start(&server);
    let context = context();
    let listed = Some(wayfarer::proto::Listed { length: 8, modified: None });
    let requests: Vec<Request> =
        (0..20).map(|number| Request { listed, ..request(&server.url(&format!("pub/{number}"))) }).collect();
    for outcome in fetch_all(&requests, &context) {
        assert_eq!(outcome.failure, None);
        assert_eq!(outcome.head.unwrap().validator.as_deref(), Some("size=8;modify=20200102030405"));
    }
    drop(context);
    let commands = server.commands();
    let of = |verb: &str| commands.iter().filter(|line| line.starts_with(verb)).count();
    assert_eq!((of("SIZE"), of("MDTM"), of("RETR"), of("CWD")), (0, requests.len(), requests.len(), 1), "{commands:?}");
}

#[test]
fn a_server_that_refuses_a_second_connection_is_asked_on_the_first() {
    for refusal in [say("421 Too many connections from your address\r\n"), say("530 Sorry, one user only\r\n")] {
        let (one, other): (Vec<_>, Vec<_>) = (vec![home()], vec![("", refusal)]);
        let server = Ftp::several(&[&one, &other]);
        let context = context();
        in_one(async {
            let first = request(&server.url("first"));
            let (mut exchange, mut events, verdict) = Exchange::new(8);
            let fetch = wayfarer::proto::find("ftp").unwrap().fetch;
            let mut running = Box::pin(async { fetch(&first, &mut exchange, &context).await });
            let head = async { while !matches!(events.recv().await.unwrap(), FetchEvent::Head(_)) {} };
            tokio::select! { _ = &mut running => panic!("ended"), () = head => {} }
            let wish = request(&server.url("second"));
            let second = converse(&wish, &context, Verdict::Accept, |_| {});
            let end = async {
                // The refused one waits by now, or will.
                tokio::task::yield_now().await;
                let _ = verdict.send(Verdict::Accept);
                let drain = async { while events.recv().await.is_some() {} };
                tokio::select! { ended = &mut running => ended.unwrap(), () = drain => panic!("no end") };
                drop(running);
            };
            let (second, ()) = tokio::join!(second, end);
            assert_eq!(
                (second.failure.as_ref().map(|error| error.detail.clone()), second.text().as_str()),
                (None, "a text\r\n")
            );
        });
        drop(context);
        assert_eq!(server.connections()[0].last().unwrap(), "RETR second");
    }
}

/// ProFTPD leaves links that lead nowhere out of MLSD; a saved one was told of as gone.
#[test]
fn links_that_lead_nowhere_are_listed_once_a_server_has_hidden_where_one_leads() {
    let rows = "lrwxrwxrwx 1 u g 3 Jan 1 2020 gone -> nothing\r\n-rw-r--r-- 1 u g 3 Jan 1 2020 a\r\n";
    let [some, none] = ["type=OS.unix=symlink; b\r\ntype=file;size=1; a\r\n", "type=file;size=1; a\r\n"].map(transfer);
    let mlsd = [some, vec![Do::Then("MLSD", none)]].concat();
    let features = ("FEAT", say("211-x\r\n MLST type*;size*;\r\n211 End\r\n"));
    let server = Ftp::start(&[home(), features, ("MLSD", mlsd), ("LIST", transfer(rows))]);
    let context = context();
    in_one(async {
        for path in ["one/", "two/"] {
            let asked = Request { targets: true, ..request(&server.url(path)) };
            let outcome = converse(&asked, &context, Verdict::Accept, |_| {}).await;
            assert!(outcome.text().contains("type=OS.unix=slink:nothing;"), "{}", outcome.text());
            assert_eq!(outcome.text().matches(" a\r\n").count(), 1, "{}", outcome.text());
        }
    });
}
