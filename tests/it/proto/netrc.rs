//! The reader's file of logins: how it is read, who is told what of it, and when it is not used.

use super::client::{context, fetch, fetch_all, request};
use super::ftp_server::{Answers, Ftp, say};
use super::http::ok;
use super::server::{Server, Step, certificate, send};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use wayfarer::proto::netrc::{Entry, Netrc, login_of, parse};
use wayfarer::proto::{Context, Kind, Login, Request};
use wayfarer::url::Url;

fn entry(host: &str, user: &str, password: &str) -> Entry {
    let word = |word: &str| Some(word.to_owned()).filter(|word| !word.is_empty());
    Entry { host: word(host), user: word(user), password: word(password), ..Entry::default() }
}

/// A file that only its owner may read.
fn file(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("netrc");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
    path
}

/// An address on a server that names the user of [`line`].
fn named(server: &Ftp, path: &str) -> String {
    server.url(path).replace("ftp://", "ftp://me@")
}

fn with(path: &Path) -> Context {
    Context { netrc: Netrc::new(Some(path.into())), ..context() }
}

#[test]
fn every_form_of_the_file_is_read() {
    for (text, expected) in [
        ("machine h login me password pw", vec![entry("h", "me", "pw")]),
        ("machine h\n\tlogin me\n\tpassword pw\n", vec![entry("h", "me", "pw")]),
        ("machine h\r\nlogin me\r\npassword pw\r\n", vec![entry("h", "me", "pw")]),
        (
            "machine a login x password y\nmachine b login z password w",
            vec![entry("a", "x", "y"), entry("b", "z", "w")],
        ),
        ("default login anonymous password me@h", vec![entry("", "anonymous", "me@h")]),
        ("# machine no login x\nmachine h # a word\nlogin me password #pw\n", vec![entry("h", "me", "#pw")]),
        ("machine h login \"a b\" password \"p\\\"w\\\\\\t\\n\"", vec![entry("h", "a b", "p\"w\\\t\n")]),
        (
            "machine h login \"\" password \"\"",
            vec![Entry { user: Some(String::new()), password: Some(String::new()), ..entry("h", "", "") }],
        ),
        (
            "machine h login me password pw\nmacdef init\nmachine evil login x\npassword y\n\nmachine b login z password w",
            vec![entry("h", "me", "pw"), entry("b", "z", "w")],
        ),
        ("machine h macdef x\nno end", vec![entry("h", "", "")]),
        (
            "machine h login me account dept password pw port 2121",
            vec![Entry { account: Some("dept".into()), port: Some(2121), ..entry("h", "me", "pw") }],
        ),
        ("machine h port many login me", vec![Entry { port: Some(0), ..entry("h", "me", "") }]),
        ("login me password pw machine h", vec![entry("h", "", "")]),
        ("machine h protocol ftp login me", vec![entry("h", "me", "")]),
        ("machine", vec![]),
        ("machine h login \"me", vec![entry("h", "", "")]),
        ("machine h \"#x\" login me # \"x\npassword pw", vec![entry("h", "me", "pw")]),
        ("", vec![]),
    ] {
        assert_eq!(parse(text.as_bytes()).entries, expected, "{text:?}");
    }
    let hostile = [
        b"machine h login ".repeat(20_000),
        b"\"\\".repeat(100_000),
        b"macdef a\n".repeat(30_000),
        b"#\n".repeat(100_000),
    ];
    for text in hostile {
        parse(&text);
    }
    assert!(!format!("{:?}", parse(b"machine h login me password s3cret account d3pt")).contains("3"));
}

#[test]
fn a_login_is_for_its_own_host_port_and_user() {
    let entries = parse(
        b"machine h login me password pw\nmachine h login other password o\nmachine odd port 2121 login me password pw\n\
        machine any password all\nmachine b\xC3\xBCcher.example login me password pw\nmachine nobody login me\n\
        default login joe password everywhere\n",
    )
    .entries;
    let told = |url: &str| {
        let login = login_of(&entries, &Url::parse(url).unwrap())?;
        Some([login.user, login.password].map(|word| String::from_utf8(word).unwrap()).join(":"))
    };
    for (url, expected) in [
        ("ftp://h/", Some("me:pw")),
        ("ftp://H:21/x", Some("me:pw")),
        ("ftps://h/", Some("me:pw")),
        ("ftp://other@h/", Some("other:o")),
        ("https://h/", Some("me:pw")),
        ("ftp://any@any/", Some("any:all")),
        ("ftp://any/", None),
        ("ftp://odd:2121/", Some("me:pw")),
        ("ftp://xn--bcher-kva.example/", Some("me:pw")),
        ("ftp://h:2121/", None),
        ("ftp://odd/", None),
        ("ftp://third@h/", None),
        ("ftp://h.evil/", None),
        ("ftp://evil/", None),
        ("ftp://joe@evil/", None),
        ("ftp://nobody/", None),
        ("https://h:8443/", None),
    ] {
        assert_eq!(told(url).as_deref(), expected, "{url}");
    }
}

#[test]
fn an_ftp_server_is_told_the_login_of_its_line_and_no_other_server_is() {
    let folder = tempfile::tempdir().unwrap();
    let server = Ftp::start(&[]);
    let text = format!(
        "machine 127.0.0.1 port {} login me password s3cret account dept\ndefault login joe password x",
        server.port
    );
    let own = with(&file(folder.path(), &text));
    assert!(fetch(&request(&named(&server, "x")), &own).failure.is_none());
    assert_eq!(server.commands()[..2], ["USER me", "PASS s3cret"]);
    // the user that the URL names, without a password
    let server = Ftp::start(&[]);
    let text = format!(
        "machine 127.0.0.1 port {0} login me password a\nmachine 127.0.0.1 port {0} login you password b",
        server.port
    );
    let path = file(folder.path(), &text);
    assert!(fetch(&request(&format!("ftp://you@127.0.0.1:{}/x", server.port)), &with(&path)).failure.is_none());
    assert_eq!(server.commands()[..2], ["USER you", "PASS b"]);
    // another server, and what the reader or the URL says, stay as they were
    for (url, login, expected) in [
        ("ftp://127.0.0.1:PORT/x", None, ["USER anonymous", "PASS anonymous@"]),
        ("ftp://u:p@127.0.0.1:PORT/x", None, ["USER u", "PASS p"]),
        (
            "ftp://127.0.0.1:PORT/x",
            Some(Login { user: b"typed".into(), password: b"t".into(), account: None }),
            ["USER typed", "PASS t"],
        ),
    ] {
        let server = Ftp::start(&[]);
        let url = url.replace("PORT", &server.port.to_string());
        if url.contains("u:p") || login.is_some() {
            file(folder.path(), &format!("machine 127.0.0.1 port {} login me password s3cret", server.port));
        }
        fetch(&Request { login, ..request(&url) }, &with(&path));
        assert_eq!(server.commands()[..2], expected, "{url}");
    }
}

#[test]
fn who_comes_as_anonymous_is_told_which_login_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let server = Ftp::start(&[("USER", say("530 Anonymous access is off.\r\n"))]);
    let own = with(&file(folder.path(), &line(server.port)));
    let outcome = fetch(&request(&server.url("x")), &own);
    let (said, expected) =
        (outcome.words(), format!(" has a login there: ftp://me@127.0.0.1:{}/x uses it.", server.port));
    assert_eq!((outcome.failure().kind, &*server.commands()[0]), (Kind::NeedsLogin, "USER anonymous"));
    assert!(said.contains(&expected), "{said}");
    assert!(!said.contains("s3cret"), "{said}");
    // a line that says no port is for the usual ones
    let server = Ftp::start(&[("USER", say("530 Anonymous access is off.\r\n"))]);
    let own = with(&file(folder.path(), "machine 127.0.0.1 login me password s3cret"));
    let said = fetch(&request(&server.url("x")), &own).words();
    let expected = format!("has a login for this host, and not for port {0}: \"port {0}\" in its line", server.port);
    assert!(said.contains(&expected) && !said.contains("s3cret"), "{said}");
    assert_eq!(server.commands()[0], "USER anonymous");
}

#[test]
fn a_login_that_is_refused_says_where_it_was_from_and_never_what() {
    let folder = tempfile::tempdir().unwrap();
    let server = Ftp::start(&[("PASS", say("530 Login me s3cret incorrect.\r\n"))]);
    let path = file(folder.path(), &format!("machine 127.0.0.1 port {} login me password s3cret", server.port));
    let outcome = fetch(&request(&named(&server, "x")), &with(&path));
    assert_eq!(outcome.failure().kind, Kind::NeedsLogin);
    let said = format!("{} {:?}", outcome.words(), outcome.sent);
    assert!(
        said.contains("those of /") && said.contains("530 Login me *** incorrect") && !said.contains("s3cret"),
        "{said}"
    );
    let server = Ftp::start(&[("PASS", say("332 Account?\r\n"))]);
    let path = file(folder.path(), &line(server.port));
    let outcome = fetch(&request(&named(&server, "x")), &with(&path));
    assert!(outcome.failure().kind == Kind::NeedsAccount && outcome.words().contains("those of /"), "{outcome:?}");
}

#[test]
fn a_file_that_others_may_read_or_that_is_none_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let server = Ftp::start(&[("USER", say("530 Anonymous access is off.\r\n"))]);
    let path = file(folder.path(), &format!("machine 127.0.0.1 port {} login me password s3cret", server.port));
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    let outcome = fetch(&request(&server.url("x")), &with(&path));
    assert_eq!(server.commands()[0], "USER anonymous");
    let page = || fetch(&request("about:netrc"), &with(&path)).text();
    assert!(page().contains("is not used: others may read it (chmod 600 "), "{}", page());
    assert!(outcome.failure().kind == Kind::NeedsLogin, "{}", outcome.words());
    file(folder.path(), &"machine h login me password pw\n".repeat(10_000));
    assert!(page().contains("is longer than 256 KiB"));
    std::fs::remove_file(&path).unwrap();
    assert!(page().contains("is not there"));
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).unwrap();
    assert!(page().contains("it is no plain file"));
    assert!(fetch(&request("about:netrc"), &context()).text().contains("None is read"));
}

#[test]
fn a_quotation_mark_without_its_other_one_is_told_of_with_its_line() {
    for (text, line) in [
        ("machine a\r\nlogin x\n\n  password \"p", Some(4)),
        ("# a\n\"machine", Some(2)),
        ("machine h login \"a\\", Some(1)),
        ("machine a login \"b\" # it's \" here", None),
        ("machine a login", None),
        ("machine a macdef x\n\"", None),
    ] {
        assert_eq!(parse(text.as_bytes()).open, line, "{text:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "machine a login x password y\nmachine b login \"z password w\nmachine c");
    let page = fetch(&request("about:netrc"), &with(&path)).text();
    assert!(page.contains("* a as x\n") && page.contains("From line 2 on it is not read"), "{page}");
}

#[test]
fn a_private_tab_is_told_nothing_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for (before, user) in [("", "anonymous"), ("me@", "me")] {
        let server = Ftp::start(&[]);
        let path = file(folder.path(), &line(server.port));
        let url = format!("ftp://{before}127.0.0.1:{}/x", server.port);
        fetch(&Request { private: true, ..request(&url) }, &with(&path));
        let commands = server.commands();
        assert_eq!(commands[0], format!("USER {user}"));
        assert!(commands.iter().all(|command| !command.contains("s3cret")));
    }
}

#[test]
fn a_proxy_is_told_nothing_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let asks = || vec![Step::Head, send(ASKS)];
    let server = Server::start(vec![asks()]);
    let mut own = with(&file(folder.path(), "machine h login me password s3cret\n"));
    own.http.settings.proxies.set("ftp", &format!("http://127.0.0.1:{}/", server.port)).unwrap();
    fetch(&request("ftp://h/x"), &own);
    let sent = String::from_utf8(server.received()[0].clone()).unwrap();
    assert!(sent.starts_with("GET ftp://h/x ") && !sent.contains("authorization"), "{sent}");
}

#[test]
fn somebody_elses_file_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "machine h login me password s3cret");
    // only who may do anything can give a file away
    if std::os::unix::fs::chown(&path, Some(12_345), None).is_err() {
        return;
    }
    let page = fetch(&request("about:netrc"), &with(&path)).text();
    assert!(page.contains("is not used: it is somebody else's") && !page.contains("* h"), "{page}");
}

#[test]
fn a_kept_connection_is_of_the_login_of_the_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mine: &Answers<'_> = &[("PWD", say("257 \"/home\" is where you are\r\n"))];
    let server = Ftp::several(&[mine, mine]);
    let own = with(&file(folder.path(), &line(server.port)));
    let [first, last] = ["x", "y"].map(|name| request(&named(&server, name)));
    let private = Request { private: true, ..request(&server.url("x")) };
    let outcomes = fetch_all(&[first, private, last], &own);
    drop(own);
    assert!(outcomes.iter().all(|outcome| outcome.failure.is_none()), "{outcomes:?}");
    let users: Vec<(String, bool)> = server
        .connections()
        .into_iter()
        .map(|said| (said[0].clone(), said.iter().any(|said| said == "RETR y")))
        .collect();
    assert_eq!(users, [("USER me".to_owned(), true), ("USER anonymous".to_owned(), false)]);
}

#[test]
fn a_server_that_turns_from_a_proof_to_the_password_is_not_told_the_kept_one() {
    let folder = tempfile::tempdir().unwrap();
    let proof = ASKS.replace("Basic realm=x", "Digest realm=\"x\", nonce=\"one\", qop=\"auth\"");
    let [proof, asks] = [proof, ASKS.to_owned()].map(|says| vec![Step::Head, send(says)]);
    let fine = || vec![Step::Head, send(ok("Content-Type: text/plain\r\n", "in"))];
    // a proof is asked for, given and asked for anew: the file is first read when it has gone
    let (server, own, url) = secure(folder.path(), vec![proof, fine(), asks.clone(), asks.clone(), asks]);
    let path = folder.path().join("netrc");
    let visit = || fetch(&request(&url), &own);
    assert_eq!(visit().text(), "in");
    for _ in 0..3 {
        let outcome = visit();
        let words = outcome.words();
        assert_eq!(outcome.failure().kind, Kind::NeedsLogin);
        assert!(words.contains("A proof of the password was enough before"), "{words}");
        assert!(words.contains("were not sent") && words.contains(&*path.to_string_lossy()), "{words}");
    }
    let sent: Vec<String> = server.received().iter().map(|sent| String::from_utf8_lossy(sent).into_owned()).collect();
    assert!(sent.iter().any(|head| head.contains("authorization: Digest")), "{sent:?}");
    assert!(sent.iter().all(|head| !head.contains("Basic")), "{sent:?}");
}

#[test]
fn the_page_shows_hosts_and_users_and_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let text = "machine h login me password s3cret account d3pt\nmachine \"a\\nb\" login \"\u{1b}[2Jx\"\ndefault login joe password 3v3ry";
    let page = fetch(&request("about:netrc"), &with(&file(folder.path(), text))).text();
    assert!(page.contains("* h as me\n") && page.contains("* default, told to nobody as joe\n"), "{page}");
    assert!(["s3cret", "d3pt", "3v3ry", "\u{1b}"].iter().all(|secret| !page.contains(secret)), "{page}");
    assert!(page.contains("without a password"), "{page}");
}

const ASKS: &str =
    "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// A server of the web with a certificate that is trusted, the line of the file for it, and its address.
fn secure(folder: &Path, visits: Vec<Vec<Step>>) -> (Server, Context, String) {
    let server = Server::secure([vec![vec![Step::Head]], visits].concat(), certificate());
    let url = format!("https://127.0.0.1:{}/", server.port);
    let own = with(&file(folder, &line(server.port)));
    let fingerprint = fetch(&request(&url), &own).failure().certificate.clone().unwrap().certificate.fingerprint;
    own.tls.trust("127.0.0.1", &fingerprint);
    (server, own, url)
}

fn line(port: u16) -> String {
    format!("machine 127.0.0.1 port {port} login me password s3cret")
}

#[test]
fn a_server_of_the_web_is_told_over_tls_alone_and_when_it_asks() {
    let folder = tempfile::tempdir().unwrap();
    let shown = ok("Content-Type: text/plain\r\nX: s3cret\r\n", "in");
    let (server, own, url) = secure(folder.path(), vec![vec![Step::Head, send(ASKS)], vec![Step::Head, send(shown)]]);
    let outcome = fetch(&request(&url), &own);
    assert_eq!(outcome.text(), "in");
    assert!(!format!("{:?}", outcome.head()).contains("s3cret"));
    let received: Vec<String> =
        server.received().iter().map(|sent| String::from_utf8_lossy(sent).into_owned()).collect();
    assert!(!received[1].contains("authorization"), "nobody has asked yet");
    // me:s3cret
    assert!(received[2].contains("authorization: Basic bWU6czNjcmV0\r\n"), "{received:?}");
    // in clear text the reader is asked
    let server = Server::start(vec![vec![Step::Head, send(ASKS)]]);
    let own = with(&file(folder.path(), &line(server.port)));
    let outcome = fetch(&request(&format!("http://127.0.0.1:{}/", server.port)), &own);
    assert_eq!(outcome.failure().kind, Kind::NeedsLogin);
}

#[test]
fn a_redirect_that_says_the_kept_password_again_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    for to in ["/x?p=s3cret", "/x?p=s%33cret"] {
        let moved = format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        let visits = vec![vec![Step::Head, send(ASKS)], vec![Step::Head, send(moved)]];
        let (_server, own, url) = secure(folder.path(), visits);
        let outcome = fetch(&request(&url), &own);
        assert_eq!(outcome.failure().kind, Kind::Unsafe, "{:?}", outcome.moved);
        assert!(!outcome.words().contains("cret"));
    }
}
