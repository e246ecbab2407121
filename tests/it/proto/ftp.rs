//! FTP: what goes over the wire for every row of the table, what comes of it, and logins.

use super::client::{context, fetch, get, request};
use super::ftp_server::{Do, Ftp, say, transfer};
use super::server::certificate;
use std::net::{Ipv4Addr, TcpListener};
use wayfarer::config::FtpTls;
use wayfarer::format::media;
use wayfarer::proto::{Context, Kind, Listed, Login, Request, Stage, Trust};
use wayfarer::url::Url;

fn with_login(url: &str, user: &str, password: &str) -> Request {
    let login = Login { user: user.as_bytes().to_vec(), password: password.as_bytes().to_vec(), account: None };
    Request { login: Some(login), ..request(url) }
}

/// The rows of a table: no comments, no heading.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .skip(1)
        .map(|line| line.split('\t').collect())
}

/// The table's words for what depends on answers, as commands.
fn concrete(command: &str, password: &str, null: Null) -> Option<String> {
    Some(match command {
        "PASS <ask>" => format!("PASS {password}"),
        "PASS <email>" => "PASS anonymous@".into(),
        "TYPE <guess>" => "TYPE I".into(),
        "MLSD | LIST | NLST" => "LIST".into(),
        "CWD / (only if the null CWD was refused)" if null == Null::Taken => return None,
        "CWD / (only if the null CWD was refused)" => "CWD /".into(),
        "CWD  (null; skip if refused)" => "CWD ".into(),
        other => other.replace("<FF>", "\u{FF}"),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Null {
    Taken,
    Refused,
}

#[test]
fn every_row_of_the_table_goes_over_the_wire() {
    let mut seen = 0;
    for row in rows(include_str!("../../data/ftp-sequences.tsv")) {
        let [id, text, host, port, strict, practical, ..] = row[..] else { panic!("short row {row:?}") };
        seen += 1;
        let commands: Vec<String> = serde_json::from_str(if practical == "=" { strict } else { practical }).unwrap();
        if commands.is_empty() {
            // Nothing is sent, so that it does not matter that no such host exists.
            let outcome = get(text);
            assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::Unsafe, 0), "{id}");
            continue;
        }
        for null in [Null::Taken, Null::Refused] {
            let mut answers = vec![];
            if null == Null::Refused {
                answers.push(("CWD ", say("501 where?\r\n")));
            }
            let asks = commands.contains(&"PASS <ask>".into());
            let server = |answers| {
                let server = Ftp::start(answers);
                let written =
                    if text.contains(&format!("{host}:{port}")) { format!("{host}:{port}") } else { host.into() };
                let url = text.replacen(&written, &format!("127.0.0.1:{}", server.port), 1);
                (server, url)
            };
            if asks {
                let (server, url) = server(&answers);
                let outcome = get(&url);
                assert_eq!(outcome.failure().kind, Kind::NeedsLogin, "{id}");
                assert_eq!(server.commands(), commands[..1], "{id}: only a server that asks for it gets a password");
            }
            let (server, url) = server(&answers);
            let user = commands[0].trim_start_matches("USER ");
            let wish = if asks { with_login(&url, user, "asked") } else { request(&url) };
            let outcome = fetch(&wish, &context());
            assert_eq!(outcome.failure, None, "{id} {url}");
            let wanted: Vec<String> = commands.iter().filter_map(|c| concrete(c, "asked", null)).collect();
            assert_eq!(server.commands(), wanted, "{id} {url} {null:?}");
            let shown = outcome.head.unwrap().url;
            if wanted.last().unwrap() == "LIST" {
                assert!(shown.path().ends_with('/'), "{id}: {shown}");
            } else {
                assert_eq!(shown, Url::parse(&*url).unwrap().without_fragment(), "{id}");
            }
        }
    }
    assert_eq!(seen, 32);
}

#[test]
fn a_file_comes_with_its_length_and_the_servers_words() {
    let feat = "211-Features:\r\n MDTM\r\n SIZE\r\n UTF8\r\n REST STREAM\r\n211 End\r\n";
    let server = Ftp::start(&[
        ("", say("220-Welcome\r\n220 to the archive\r\n")),
        ("FEAT", say(feat)),
        ("OPTS", say("200 always\r\n")),
        ("CWD", say("250-In here:\r\n250 things\r\n")),
        ("SIZE", say("213 9\r\n")),
        ("MDTM", say("213 20250102030405\r\n")),
        ("RETR", transfer("some text")),
    ]);
    let outcome = get(&server.url("pub/motd"));
    assert_eq!(outcome.stages, [Stage::Connecting, Stage::Waiting]);
    assert_eq!((outcome.media(), outcome.text().as_str(), outcome.cut()), ("text/plain", "some text", None));
    let head = outcome.head.unwrap();
    assert_eq!((head.length, head.filename.as_deref()), (Some(9), Some("motd")));
    let lines = head.lines.join("|");
    assert!(lines.contains("|220-Welcome|220 to the archive|> USER anonymous|"), "{lines}");
    assert!(lines.contains("|> PASS ***|230 welcome|"), "{lines}");
    assert!(lines.contains("|> CWD pub|250-In here:|250 things|"), "{lines}");
    assert!(lines.contains("|> MDTM motd|213 20250102030405|"), "{lines}");
    assert_eq!(
        server.all_commands()[2..],
        ["FEAT", "OPTS UTF8 ON", "PWD", "CWD pub", "TYPE I", "SIZE motd", "MDTM motd", "EPSV", "RETR motd"]
    );
}

#[test]
fn a_file_that_is_as_it_was_is_not_fetched_again() {
    let known = "size=9;modify=20250102030405";
    let offers = |feat: &str, size: &str, time: &str| {
        Ftp::start(&[
            ("FEAT", say(format!("211-Features:\r\n{feat}211 End\r\n"))),
            ("SIZE", say(size)),
            ("MDTM", say(time)),
            ("RETR", transfer("some text")),
        ])
    };
    let both = " MDTM\r\n SIZE\r\n";
    for (feat, size, time, unchanged) in [
        (both, "213 9\r\n", "213 20250102030405\r\n", true),
        (both, "213 9\r\n", "213 20250102030406\r\n", false),
        (both, "213 10\r\n", "213 20250102030405\r\n", false),
        (both, "550 what?\r\n", "213 20250102030405\r\n", false),
        (both, "213 9\r\n", "550 what?\r\n", false),
        ("", "213 9\r\n", "213 20250102030405\r\n", false),
    ] {
        let server = offers(feat, size, time);
        let outcome = fetch(&Request { unless: Some(known.into()), ..request(&server.url("motd")) }, &context());
        assert_eq!((outcome.unchanged, outcome.failure.is_none()), (unchanged, true), "{size}{time}");
        assert_eq!(outcome.text(), if unchanged { "" } else { "some text" }, "{size}{time}");
        assert!(outcome.sent.iter().any(|sent| sent.lines.iter().any(|line| line == "USER anonymous")), "{size}{time}");
        assert_eq!(server.commands().contains(&"RETR motd".into()), !unchanged, "{size}{time}");
    }
    // What its length alone says is too little to go by, and what a listing said of it was said before.
    for (feat, wish) in [
        (" SIZE\r\n", Request { unless: Some("size=9".into()), ..request("ftp://h/") }),
        (both, {
            let listed = Listed { length: 9, modified: "2025-01-02T03:04:05Z".parse().ok() };
            Request { unless: Some(known.into()), listed: Some(listed), ..request("ftp://h/") }
        }),
    ] {
        let server = offers(feat, "213 9\r\n", "213 20250102030406\r\n");
        let outcome = fetch(&Request { url: Url::parse(server.url("motd")).unwrap(), ..wish }, &context());
        assert_eq!((outcome.unchanged, outcome.text().as_str()), (false, "some text"));
    }
}

#[test]
fn the_richest_listing_is_taken() {
    let mlsd = "type=cdir; .\r\ntype=dir; docs\r\ntype=file;size=4; a b.txt\r\n";
    let features = say("211-x\r\n MLST type*;size*;\r\n211 End\r\n");
    let server = Ftp::start(&[("FEAT", features.clone()), ("MLSD", transfer(mlsd))]);
    let outcome = get(&server.url("pub/"));
    assert_eq!((outcome.media(), outcome.text().as_str()), ("application/x-directory", mlsd));
    assert_eq!(outcome.head.unwrap().title.as_deref(), Some("127.0.0.1/pub/"));
    assert_eq!(server.commands().last().unwrap(), "MLSD");

    // What others list becomes the same kind of lines.
    let server = Ftp::start(&[("LIST", transfer("total 1\r\ndrwxr-xr-x   2 ftp  ftp  4096 Jan  2  2025 docs\r\n"))]);
    assert_eq!(
        get(&server.url("")).text(),
        "type=dir;x.modify-local=20250102;UNIX.mode=0755;UNIX.owner=ftp;UNIX.group=ftp; docs\r\n"
    );

    // A server that offers MLSD and does not know it, and does not know LIST either.
    let server = Ftp::start(&[("FEAT", features), ("LIST", say("502 no\r\n")), ("NLST", transfer("one\r\ntwo\r\n"))]);
    let outcome = get(&server.url(""));
    assert_eq!(outcome.text(), " one\r\n two\r\n");
    assert_eq!(server.commands()[2..], ["MLSD", "LIST", "NLST"]);
}

#[test]
fn hidden_files_are_asked_for_where_the_server_leaves_them_out() {
    let list = "-rw-r--r-- 1 a b 5 Jan 5 2001 .hidden\r\n";
    let refused = say("501 no options here\r\n");
    for (answers, commands) in [
        (vec![("LIST -a", transfer(list))], &["LIST -a"][..]),
        (vec![("LIST -a", refused), ("LIST", transfer(list))], &["LIST -a", "LIST"][..]),
        // It is taken for a name that nothing has.
        (vec![("LIST -a", transfer("")), ("LIST", transfer(list))], &["LIST -a", "LIST"][..]),
    ] {
        let server = Ftp::start(&answers);
        let outcome = fetch(&Request { hidden: true, ..request(&server.url("")) }, &context());
        assert!(outcome.text().contains(".hidden"), "{:?}", outcome.failure);
        assert_eq!(server.commands()[2..], *commands);
    }
}

#[test]
fn a_refused_listing_says_why_unless_the_directory_is_empty() {
    let server =
        Ftp::start(&[("LIST", say("550 Permission denied.\r\n")), ("NLST", say("550 Permission denied.\r\n"))]);
    let outcome = get(&server.url("secret/"));
    assert_eq!(outcome.failure().kind, Kind::Denied);
    assert!(outcome.words().contains("550 Permission denied."), "{}", outcome.words());

    let server = Ftp::start(&[("LIST", say("450 No files found\r\n")), ("NLST", say("450 No files found\r\n"))]);
    let outcome = get(&server.url("empty/"));
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("", None));
}

#[test]
fn names_are_octets() {
    let server = Ftp::start(&[("RETR caf\u{E9}.txt", transfer("latin"))]);
    assert_eq!(get(&server.url("caf%E9.txt")).text(), "latin");
    assert_eq!(server.commands().last().unwrap(), "RETR caf\u{E9}.txt");
    let server = Ftp::start(&[]);
    assert_eq!(get(&server.url("caf%C3%A9.txt")).text(), "a text\r\n");
    assert_eq!(server.commands().last().unwrap(), "RETR caf\u{C3}\u{A9}.txt");
}

#[test]
fn what_is_not_there_is_said_in_the_servers_words() {
    let gone = say("550 No such file or directory\r\n");
    let server = Ftp::start(&[("RETR", gone.clone()), ("CWD x", gone.clone())]);
    let outcome = get(&server.url("pub/x"));
    assert_eq!(outcome.failure().kind, Kind::NotFound);
    let words = outcome.words();
    assert!(words.contains("\"x\"") && words.contains("550 No such file or directory."), "{words}");
    assert!(words.contains("USER anonymous, PASS ***, CWD pub, TYPE I, RETR x, CWD x"), "{words}");

    let server = Ftp::start(&[("CWD", gone)]);
    assert_eq!(get(&server.url("no/x")).failure().kind, Kind::NotFound);
    assert_eq!(server.commands().last().unwrap(), "CWD no", "nothing is asked for in the wrong place");

    let server = Ftp::start(&[("RETR", say("550 Permission denied.\r\n")), ("CWD x", say("550 no\r\n"))]);
    assert_eq!(get(&server.url("x")).failure().kind, Kind::Denied);
}

#[test]
fn a_typecode_says_that_it_is_a_file() {
    let server = Ftp::start(&[("RETR", say("550 is a directory\r\n"))]);
    let outcome = get(&server.url("pub;type=i"));
    let refused = outcome.failure();
    assert_eq!((refused.kind, &*refused.detail), (Kind::NotFound, "\"pub\" is a directory there."));
    assert_eq!(server.commands().last().unwrap(), "CWD pub", "it is told, and not listed");

    let server = Ftp::start(&[("TYPE", say("504 not here\r\n"))]);
    let outcome = get(&server.url("x;type=L8"));
    assert!(outcome.words().contains("TYPE L 8") && outcome.words().contains("504 not here."), "{}", outcome.words());
}

#[test]
fn logins_are_asked_for_and_explained() {
    let server = Ftp::start(&[]);
    let outcome = get(&format!("ftp://foo@127.0.0.1:{}/x", server.port));
    assert_eq!(outcome.failure().kind, Kind::NeedsLogin);
    assert!(outcome.words().contains("port") && outcome.words().contains("\"foo\""), "{}", outcome.words());

    let wrong = say("530 Login incorrect.\r\n");
    let server = Ftp::start(&[("PASS", wrong.clone())]);
    let outcome = fetch(&with_login(&server.url("x"), "foo", "s3cret"), &context());
    assert_eq!(outcome.failure().kind, Kind::NeedsLogin);
    assert!(outcome.words().contains("530 Login incorrect.") && !outcome.words().contains("s3cret"));
    assert_eq!(server.commands(), ["USER foo", "PASS s3cret"]);

    // Some say again what they do not accept.
    let server = Ftp::start(&[("PASS", say("530 Login PASS s3cr t incorrect.\r\n"))]);
    let outcome = fetch(&with_login(&server.url("x"), "foo", "s3cr t"), &context());
    assert!(outcome.words().contains("530 Login PASS *** incorrect."), "{}", outcome.words());
    let server = Ftp::start(&[("PASS", say("530 Login PASS s3cr t incorrect.\r\n"))]);
    let outcome = get(&format!("ftp://foo:s3cr%20t@127.0.0.1:{}/x", server.port));
    assert!(outcome.words().contains("530 Login PASS *** incorrect."), "{}", outcome.words());

    let cases = [
        ("USER", "230 come in\r\n", None),
        ("PASS", "202 not needed\r\n", None),
        ("PASS", "332 which account?\r\n", Some((Kind::NeedsAccount, "account"))),
        ("USER", "332 which account?\r\n", Some((Kind::NeedsAccount, "account"))),
        ("USER", "421 Too many users, sorry.\r\n", Some((Kind::Crowded, "too many visitors"))),
        (
            "PASS",
            "530 Sorry, the maximum number of clients (5) is reached\r\n",
            Some((Kind::Crowded, "too many visitors")),
        ),
        ("USER", "530 Anonymous access is off.\r\n", Some((Kind::NeedsLogin, "anonymous visitors"))),
        ("USER", "530 Non-anonymous sessions must use encryption.\r\n", Some((Kind::Secure, "ftps://127.0.0.1"))),
    ];
    for (command, answer, wanted) in cases {
        let server = Ftp::start(&[(command, say(answer))]);
        let outcome = get(&server.url("x"));
        match wanted {
            None => assert_eq!(outcome.failure, None, "{answer}"),
            Some((kind, words)) => {
                assert_eq!(outcome.failure().kind, kind, "{answer}");
                assert!(outcome.words().contains(words), "{answer}: {}", outcome.words());
            }
        }
    }
}

/// RFC 959, 4.1.1: what some mainframes want besides, behind the password or in its place.
#[test]
fn an_account_is_told_where_the_server_asks_for_it() {
    for (asks, commands) in
        [("PASS", &["USER foo", "PASS pw", "ACCT dep t"][..]), ("USER", &["USER foo", "ACCT dep t"])]
    {
        let asked = (asks, say("332 which account?\r\n"));
        for (answer, wanted) in [("230 in\r\n", None), ("530 no dep t here\r\n", Some(Kind::NeedsAccount))] {
            let server = Ftp::start(&[asked.clone(), ("ACCT", say(answer))]);
            let mut request = with_login(&server.url("x"), "foo", "pw");
            let account = Some(b"dep t".to_vec());
            request.login = request.login.map(|login| Login { account, ..login });
            let outcome = fetch(&request, &context());
            assert_eq!(outcome.failure.as_ref().map(|failure| failure.kind), wanted, "{asks} {answer}");
            assert_eq!(server.commands()[..commands.len()], *commands);
            let said = format!("{:?} {:?}", outcome.failure, outcome.head);
            assert!(!said.contains("dep t"), "{said}");
            assert_eq!(said.contains("with that account: 530 no *** here"), wanted.is_some(), "{said}");
        }
    }
}

#[test]
fn the_anonymous_password_is_a_setting() {
    let mut context: Context = context();
    context.ftp.anonymous_password = "me@example.org".into();
    let server = Ftp::start(&[]);
    fetch(&request(&server.url("x")), &context);
    assert_eq!(server.commands()[1], "PASS me@example.org");
}

#[test]
fn a_login_with_a_line_break_is_not_sent() {
    let outcome = fetch(&with_login("ftp://127.0.0.1:1025/", "foo\r\nDELE x", ""), &context());
    assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::Unsafe, 0));
}

#[test]
fn ftps_secures_both_connections_before_the_login() {
    let auth = vec![Do::Say("234 go on\r\n".into()), Do::Secure];
    let server = Ftp::secure(&[("AUTH", auth)], certificate());
    let outcome = get(&server.url("x").replace("ftp:", "ftps:"));
    assert_eq!(outcome.stages, [Stage::Connecting, Stage::Securing, Stage::Waiting]);
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("a text\r\n", None));
    assert_eq!(outcome.head.unwrap().security.unwrap().trust, Trust::FirstUse);
    assert_eq!(server.commands()[..5], ["AUTH TLS", "PBSZ 0", "PROT P", "USER anonymous", "PASS anonymous@"]);
}

/// The port of implicit TLS on an address of loopback that no other run has; `None` where the system lets nobody listen there.
fn implicit_port() -> Option<TcpListener> {
    let [.., a, b] = std::process::id().to_be_bytes();
    TcpListener::bind((Ipv4Addr::new(127, 99, a, b), 990)).inspect_err(|error| eprintln!("SKIPPED: {error}")).ok()
}

#[test]
fn implicit_tls_begins_on_the_only_connection_that_is_dialled() {
    let Some(listener) = implicit_port() else { return };
    let url = format!("ftps://{}/x", listener.local_addr().unwrap().ip());
    let server = Ftp::implicit(listener, &[], certificate());
    let outcome = get(&url);
    assert_eq!(outcome.stages, [Stage::Connecting, Stage::Securing, Stage::Waiting], "{:?}", outcome.failure);
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("a text\r\n", None));
    let head = outcome.head.unwrap();
    assert_eq!(head.security.unwrap().trust, Trust::FirstUse);
    assert!(head.lines.contains(&"220 ready".into()), "{:?}", head.lines);
    assert_eq!(server.commands()[..4], ["PBSZ 0", "PROT P", "USER anonymous", "PASS anonymous@"]);
}

#[test]
fn a_server_that_waits_for_tls_gets_it_on_any_port() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("ftps://{}/x", listener.local_addr().unwrap());
    let server = Ftp::implicit(listener, &[], certificate());
    let outcome = get(&url);
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("a text\r\n", None), "{:?}", outcome.failure);
    assert_eq!(server.commands()[..4], ["PBSZ 0", "PROT P", "USER anonymous", "PASS anonymous@"]);
}

#[test]
fn a_line_with_another_code_does_not_end_a_greeting() {
    let greeting =
        "220-Welcome to the archive of\r\n221 Baker Street\r\n123 files\r\nof all kinds\r\n\r\n220 ready\r\n";
    let welcome = "230-Welcome to\r\n221 Baker Street\r\n123 files\r\n230 in\r\n";
    let server = Ftp::start(&[("", say(greeting)), ("PASS", say(welcome))]);
    let outcome = get(&server.url("x"));
    assert_eq!(outcome.failure, None);
    let head = outcome.head.unwrap();
    let wanted = ["Welcome to the archive of", "221 Baker Street", "123 files", "of all kinds"];
    assert_eq!(head.notices[..4], wanted, "{:?}", head.notices);
    assert_eq!(head.notices[4..], ["Welcome to", "221 Baker Street", "123 files"], "{:?}", head.notices);
    assert_eq!(server.commands()[..2], ["USER anonymous", "PASS anonymous@"]);
}

#[test]
fn a_greeting_that_turns_into_a_refusal_is_said() {
    for greeting in ["220-Welcome\r\n421 Too many users.\r\n", "421-Sorry\r\n421 Too many users.\r\n"] {
        let server = Ftp::start(&[("", vec![Do::Say(greeting.into()), Do::Close])]);
        let outcome = get(&server.url(""));
        assert!(outcome.words().contains("takes no visitors now"), "{}", outcome.words());
        assert!(outcome.words().contains("Too many users."), "{}", outcome.words());
    }
}

#[test]
fn a_file_whose_size_was_told_is_not_called_missing() {
    let feat = say("211-x\r\n SIZE\r\n211 end\r\n");
    let answers = [("FEAT", feat), ("SIZE", say("213 20\r\n")), ("RETR", say("550 Failed to open file.\r\n"))];
    let answers = [&answers[..], &[("CWD", say("550 Failed to change directory.\r\n"))]].concat();
    let server = Ftp::start(&answers);
    let outcome = get(&server.url("noread.txt"));
    assert_eq!(outcome.failure().kind, Kind::Denied);
    assert!(outcome.words().contains("\"noread.txt\" is there, but may not be read: 550"), "{}", outcome.words());
}

/// It was said to be there, and not to be readable.
#[test]
fn a_file_that_is_listed_and_not_found_is_said_to_be_that() {
    let feat = say("211-x\r\n SIZE\r\n211 end\r\n");
    let answers = [("FEAT", feat), ("SIZE", say("213 20\r\n")), ("RETR", say("550 No such file or directory.\r\n"))];
    let answers = [&answers[..], &[("CWD", say("550 No such directory.\r\n"))]].concat();
    let outcome = get(&Ftp::start(&answers).url("caf%E9.txt"));
    assert_eq!(outcome.failure().kind, Kind::NotFound);
    let words = outcome.words();
    assert!(words.contains("lists \"caf") && words.contains("does not find it when asked for it: 550"), "{words}");
    assert!(!words.contains("may not be read"), "{words}");
}

/// `There is no directory ".git" there: 553 Prohibited file name`.
#[test]
fn a_directory_that_is_prohibited_is_not_said_to_be_missing() {
    let answers = [("CWD", say("553 Prohibited file name: .git\r\n"))];
    let outcome = get(&Ftp::start(&answers).url(".git/"));
    assert_eq!(outcome.failure().kind, Kind::Denied);
    assert!(outcome.words().contains("does not let you into \".git\": 553"), "{}", outcome.words());
    let outcome = get(&Ftp::start(&[("CWD", say("501 What?\r\n"))]).url("x/"));
    assert!(outcome.words().contains("does not go into \"x\": 501"), "{}", outcome.words());
}

/// Such a name was somebody's home: the server's own root was listed in place of a file.
#[test]
fn a_file_whose_name_begins_as_a_home_does_is_fetched() {
    let answers = [("RETR ~", say("550 Failed to open file.\r\n")), ("RETR ./~", transfer("a tilde"))];
    let server = Ftp::start(&answers);
    let outcome = get(&server.url("~"));
    assert_eq!(outcome.body, b"a tilde");
    assert!(!server.commands().iter().any(|line| line.starts_with("CWD")));
    // A home is still one.
    let listing = transfer("drwxr-xr-x 1 a a 0 Jan 1 2020 x\r\n");
    let answers = [("RETR", say("550 Failed to open file.\r\n")), ("CWD ~a", say("250 ok\r\n")), ("LIST", listing)];
    let outcome = get(&Ftp::start(&answers).url("~a"));
    assert_eq!(outcome.head().media, media::DIRECTORY);
}

#[test]
fn ftps_never_goes_on_in_clear_text() {
    let server = Ftp::start(&[]);
    let outcome = get(&server.url("x").replace("ftp:", "ftps:"));
    assert_eq!(outcome.failure().kind, Kind::Secure);
    assert!(outcome.words().contains("offers no TLS: 500 what?"), "{}", outcome.words());
    assert_eq!(server.commands(), ["AUTH TLS"]);
}

fn with_tls(tls: FtpTls) -> Context {
    let mut context = context();
    context.ftp.tls = tls;
    context
}

/// Lists AUTH TLS in its own way.
fn offering(line: &str) -> (&'static str, Vec<Do>) {
    ("FEAT", say(format!("211-x\r\n {line}\r\n211 End\r\n")))
}

#[test]
fn tls_is_taken_where_it_is_offered_and_wanted() {
    let auth = || ("AUTH", vec![Do::Say("234 go on\r\n".into()), Do::Secure]);
    for feature in ["AUTH TLS", "AUTH SSL;TLS-P;TLS", "auth tls"] {
        let server = Ftp::secure(&[offering(feature), auth()], certificate());
        let outcome = fetch(&request(&server.url("x")), &with_tls(FtpTls::Offered));
        assert_eq!((outcome.text().as_str(), outcome.cut()), ("a text\r\n", None), "{feature}");
        let head = outcome.head.unwrap();
        assert!(head.security.is_some() && head.notices.is_empty());
        assert!(head.lines.contains(&"> AUTH TLS".into()), "{:?}", head.lines);
        let commands = server.all_commands();
        assert_eq!(commands[..6], ["FEAT", "AUTH TLS", "PBSZ 0", "PROT P", "USER anonymous", "PASS anonymous@"]);
    }
    let server = Ftp::secure(&[auth()], certificate());
    let outcome = fetch(&request(&server.url("x")), &with_tls(FtpTls::Always));
    assert!(outcome.head.unwrap().security.is_some());
    assert_eq!(server.commands()[0], "AUTH TLS");
    // The scheme alone promises nothing.
    let server = Ftp::start(&[offering("AUTH TLS")]);
    assert_eq!(get(&server.url("x")).head.unwrap().security, None);
    assert!(!server.commands().contains(&"AUTH TLS".into()));
}

#[test]
fn nothing_goes_in_clear_text_unless_that_is_said() {
    for feature in ["AUTH GSSAPI", "AUTH SSL", "SIZE"] {
        let server = Ftp::start(&[offering(feature)]);
        let outcome = fetch(&request(&server.url("y")), &with_tls(FtpTls::Offered));
        let head = outcome.head.unwrap();
        assert_eq!(head.security, None, "{feature}");
        assert!(head.notices[0].contains("offers no TLS"), "{:?}", head.notices);
        assert!(!server.commands().contains(&"AUTH TLS".into()));
    }
    // Once it is offered there is no way back, and with "always" never one.
    for (tls, answers) in [(FtpTls::Offered, vec![offering("AUTH TLS")]), (FtpTls::Always, vec![])] {
        let server = Ftp::start(&answers);
        let outcome = fetch(&request(&server.url("x")), &with_tls(tls));
        assert_eq!(outcome.failure().kind, Kind::Secure, "{tls:?}");
        assert!(outcome.words().contains("offers no TLS: 500 what?"), "{}", outcome.words());
        assert_eq!(server.commands(), ["AUTH TLS"]);
    }
    let server = Ftp::start(&[]);
    let outcome = fetch(&request(&server.url("x")), &with_tls(FtpTls::Always));
    assert!(outcome.words().contains("ftp.tls = \"never\""), "{}", outcome.words());
}

#[test]
fn a_password_that_a_welcome_repeats_is_hidden_and_changes_no_place() {
    let welcome = say("230-Hello, your password is s3cr t\r\n230 in\r\n");
    let server = Ftp::start(&[("PASS", welcome), ("PWD", say("257 \"/home/s3cr t\"\r\n"))]);
    let outcome = fetch(&with_login(&server.url(""), "foo", "s3cr t"), &context());
    let head = outcome.head.as_ref().unwrap();
    assert!(head.notices.iter().any(|line| line.ends_with("your password is ***")), "{:?}", head.notices);
    assert!(head.lines.iter().all(|line| !line.contains("s3cr t")), "{:?}", head.lines);
    assert!(!server.commands().iter().any(|line| line.contains("***")));
}

#[test]
fn a_password_that_is_torn_by_what_is_never_shown_is_hidden_too() {
    for torn in
        ["hunter\x1b[1m2xyz", "hunter\u{9b}1m2xyz", "\x1bhunter2xyz", "hun\u{200b}ter2\u{202e}xyz", "Hunter\x002XYZ"]
    {
        let welcome = say(format!("230-Hello, your password is {torn}\r\n230 in\r\n"));
        let server = Ftp::start(&[("PASS", welcome)]);
        let outcome = fetch(&with_login(&server.url(""), "foo", "hunter2xyz"), &context());
        let head = outcome.head.as_ref().unwrap();
        let hidden = |line: &String| line.contains("your password is ") && line.ends_with("***");
        assert!(head.notices.iter().any(hidden), "{torn:?} {:?}", head.notices);
        assert!(head.lines.iter().any(hidden), "{torn:?} {:?}", head.lines);
        let server = Ftp::start(&[("PASS", say(format!("530 Login PASS {torn} incorrect\r\n")))]);
        let outcome = fetch(&with_login(&server.url(""), "foo", "hunter2xyz"), &context());
        assert!(outcome.failure().detail.ends_with("*** incorrect."), "{}", outcome.words());
    }
    // Cut short it is most of it.
    let server = Ftp::start(&[("PASS", say(format!("530 {} hunter2xyz\r\n", "x".repeat(387))))]);
    let outcome = fetch(&with_login(&server.url(""), "foo", "hunter2xyz"), &context());
    assert!(outcome.words().contains("x ***…"), "{}", outcome.words());
}

/// It stands in every other line by chance, so that nobody looks for it; the command is written down without it.
#[test]
fn a_password_of_two_letters_is_in_no_command() {
    let server = Ftp::start(&[]);
    let outcome = fetch(&with_login(&server.url(""), "foo", "zq"), &context());
    let said = format!("{:?}", outcome.head);
    assert!(said.contains("PASS ***") && !said.contains("zq"), "{said}");
}

#[test]
fn a_crowd_is_not_a_wrong_password() {
    let crowds = [
        "421 There are too many connected users, please try later.",
        "421 There are too many connections from your internet address.",
        "421 1 users (the maximum) are already logged in, sorry",
        "530 Sorry, the maximum number of clients (5) for this user are already connected.",
        "530 Sorry, maximum users 50 -- try again later",
        "530 User limit reached",
        "530-There are too many users now\r\n530 Login incorrect.",
        "530 Connection limit.",
        "421 The server is full, come again.",
    ];
    for words in crowds {
        let server = Ftp::start(&[("PASS", say(format!("{words}\r\n")))]);
        let outcome = get(&server.url("x"));
        assert_eq!(outcome.failure().kind, Kind::Crowded, "{words}");
        assert!(outcome.words().contains("has too many visitors now"), "{words}: {}", outcome.words());
        assert!(outcome.words().contains("Reload in a minute"), "{words}");
    }
    let refusals = [
        "530 Too many failed login attempts.",
        "530 Maximum login attempts exceeded",
        "530 Authentication failed too many times",
        "530 Anonymous access is limited to guests of the house",
        "530 Login not successful",
    ];
    for words in refusals {
        let server = Ftp::start(&[("PASS", say(format!("{words}\r\n")))]);
        assert_eq!(get(&server.url("x")).failure().kind, Kind::NeedsLogin, "{words}");
    }
}

#[test]
fn what_a_server_says_to_people_stands_above_the_page() {
    let server = Ftp::start(&[
        (
            "",
            say(
                "220---------- Welcome ----------\r\n220-\r\n220-\r\n  You are number 5\r\n220-\r\n220 Bye after 15 min\r\n",
            ),
        ),
        ("PASS", say(b"230-Hello caf\xE9\r\n230-caf\xC3\xA9 \x1B[31m\r\n230 Login successful.\r\n")),
        ("CWD pub", say("250-You are in pub.\r\n250 done\r\n")),
        ("CWD gnu", say("250-You are in gnu.\r\n250-  -- 1 --\r\n250 done\r\n")),
    ]);
    let notices = get(&server.url("pub/gnu/")).head.unwrap().notices;
    assert_eq!(
        notices,
        [
            "--------- Welcome ----------",
            "",
            " You are number 5",
            "Hello caf\u{E9}",
            "caf\u{E9} \u{1B}[31m",
            "You are in gnu.",
            " -- 1 --"
        ]
    );
    // The greeting's octets too are kept as they are.
    let server = Ftp::start(&[("", say(b"220-Gr\xFC\xDFe\r\n220 ready\r\n"))]);
    let head = get(&server.url("")).head.unwrap();
    assert_eq!(head.notices, ["Gr\u{FC}\u{DF}e"]);
    assert!(head.lines.contains(&"220-Gr\u{FC}\u{DF}e".into()), "{:?}", head.lines);
    // One-liners say nothing.
    let server = Ftp::start(&[("CWD", say("250-\r\n250-  \r\n250 Directory successfully changed.\r\n"))]);
    assert_eq!(get(&server.url("pub/")).head.unwrap().notices, [""; 0]);
    let long = format!("250-{}\r\n", "x".repeat(1000)).repeat(100);
    let server = Ftp::start(&[("CWD", say(format!("{long}250 done\r\n")))]);
    let notices = get(&server.url("pub/")).head.unwrap().notices;
    assert_eq!((notices.len(), notices.last().unwrap().as_str()), (17, "…"));
}

#[test]
fn the_settings_may_not_smuggle_commands() {
    let (_, errors) = wayfarer::config::read("s", "[ftp]\nanonymous_password = \"a\\r\\nDELE x\"\n");
    assert_eq!(errors.len(), 1);
}

/// vsftpd and Pure-FTPd take two octets FF for two; in Windows-1251 it is the letter я.
#[test]
fn a_name_with_the_octet_ff_is_asked_for_once_more_as_it_is() {
    let server = Ftp::start(&[
        ("FEAT", say("211-Features:\r\n SIZE\r\n211 End\r\n")),
        ("CWD \u{FF}\u{FF}", say("550 no such directory\r\n")),
        ("SIZE", say("550 no such file\r\n")),
        ("SIZE \u{FF}z\u{FF}", say("213 4\r\n")),
        ("RETR", say("550 no such file\r\n")),
        ("RETR \u{FF}z\u{FF}", transfer("text")),
    ]);
    let outcome = get(&server.url("%FF/%FFz%FF"));
    assert_eq!((outcome.failure.clone(), outcome.text().as_str()), (None, "text"));
    let once = ["CWD \u{FF}\u{FF}", "CWD \u{FF}", "TYPE I", "SIZE \u{FF}z\u{FF}", "RETR \u{FF}z\u{FF}"];
    assert_eq!(server.commands()[2..], once, "what was found out holds");
}

#[test]
fn a_name_with_the_octet_ff_is_asked_for_both_ways_by_retr_too() {
    let server = Ftp::start(&[("RETR", say("550 no such file\r\n")), ("RETR \u{FF}a", transfer("text"))]);
    let outcome = get(&server.url("%FFa"));
    assert_eq!((outcome.failure.clone(), outcome.text().as_str()), (None, "text"));
    assert_eq!(server.commands()[3..], ["RETR \u{FF}\u{FF}a", "RETR \u{FF}a"]);
}

#[test]
fn a_server_that_wants_the_octet_ff_doubled_is_asked_so_alone() {
    let server =
        Ftp::start(&[("RETR \u{FF}\u{FF}b", say("550 no such file\r\n")), ("CWD \u{FF}\u{FF}b", say("550 no\r\n"))]);
    assert_eq!(get(&server.url("%FFa/%FFb")).failure().kind, Kind::NotFound);
    let commands = ["CWD \u{FF}\u{FF}a", "TYPE I", "RETR \u{FF}\u{FF}b", "CWD \u{FF}\u{FF}b"];
    assert_eq!(server.commands()[2..], commands);
}

/// ProFTPD and Pure-FTPd name links in MLSD, and not where they lead.
#[test]
fn where_links_lead_is_asked_once_where_it_is_wanted_and_not_said() {
    let feat = ("FEAT", say("211-Features:\r\n MLST type*;\r\n211 End\r\n"));
    let facts = "type=file;size=1; a\r\nType=OS.unix=symlink;UNIX.mode=0777; to b\r\ntype=OS.unix=slink:x; c\r\n\
        type=OS.unix=symlink; lost\r\n";
    let rows = "lrwxrwxrwx 1 u g 3 Jan 1 2020 to b -> ../b\r\nlrwxrwxrwx 1 u g 3 Jan 1 2020 c -> other\r\n\
        -rw-r--r-- 1 u g 3 Jan 1 2020 a\r\nlrwxrwxrwx 1 u g 3 Jan 1 2020 gone -> nothing\r\n";
    let server = || Ftp::start(&[feat.clone(), ("MLSD", transfer(facts)), ("LIST", transfer(rows))]);
    let asked = server();
    let outcome = fetch(&Request { hidden: true, targets: true, ..request(&asked.url("")) }, &context());
    let told = "type=file;size=1; a\r\ntype=OS.unix=slink:x; c\r\n\
        type=OS.unix=slink:../b;UNIX.mode=0777; to b\r\ntype=OS.unix=symlink; lost\r\n\
        type=OS.unix=slink:nothing;size=3;x.modify-local=20200101;UNIX.mode=0777;UNIX.owner=u;UNIX.group=g; gone\r\n";
    assert_eq!((outcome.text().as_str(), outcome.cut()), (told, None));
    assert_eq!(asked.commands()[2..], ["MLSD", "LIST -a"]);
    // Nobody wants to know.
    let asked = server();
    assert_eq!(get(&asked.url("")).text(), facts);
    assert_eq!(asked.commands()[2..], ["MLSD"]);
    // There is nothing to ask.
    let asked = Ftp::start(&[feat.clone(), ("MLSD", transfer("type=OS.unix=slink:x; c\r\n"))]);
    let outcome = fetch(&Request { targets: true, ..request(&asked.url("")) }, &context());
    assert_eq!(outcome.text(), "type=OS.unix=slink:x; c\r\n");
    assert_eq!(asked.commands()[2..], ["MLSD"]);
    // A server without LIST leaves all as it was.
    let asked = Ftp::start(&[feat, ("MLSD", transfer(facts)), ("LIST", say("502 no\r\n"))]);
    let outcome = fetch(&Request { targets: true, ..request(&asked.url("")) }, &context());
    assert_eq!((outcome.failure.clone(), outcome.text().len()), (None, facts.len()));
}
