//! What is written down of what is sent, beside the plan (`wayfarer url request`) and what servers on the loopback were sent, octet
//! by octet.

use super::client::{Outcome, context, fetch, fetch_all, request};
use super::ftp_server::{Do, Ftp, say, transfer};
use super::nntp_server::News;
use super::server::{DeadPort, Server, Step, certificate, send};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wayfarer::config::{self, CookieRule};
use wayfarer::proto::http::Web;
use wayfarer::proto::{Content, Context, Dispatch, Kind, Login, Request, Resume, Trust};
use wayfarer::url::Url;
use wayfarer::url::scheme::{on_the_wire, request_json};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx";

/// The rows of a table: no comments, no heading.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.skip(1).map(|line| line.split('\t').collect())
}

/// The text of a URL with a server of this machine for its own.
fn here(text: &str, port: u16) -> String {
    let (scheme, rest) = text.split_once("://").unwrap();
    let (site, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let login = site.rfind('@').map_or("", |at| &site[..=at]);
    format!("{scheme}://{login}127.0.0.1:{port}{path}")
}

fn plan(url: &str) -> Result<Value, Value> {
    request_json(&Url::parse(url).unwrap())
}

#[track_caller]
fn only(outcome: &Outcome) -> &Dispatch {
    assert_eq!(outcome.sent.len(), 1, "{:?}", outcome.sent);
    &outcome.sent[0]
}

/// A head as a set of its lines, names in small letters, what is secret as stars.
fn head(text: &str) -> (String, BTreeSet<String>) {
    let mut lines = text.split("\r\n").filter(|line| !line.is_empty());
    let first = lines.next().unwrap().to_owned();
    let line = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap();
        let name = name.to_lowercase();
        let secret = ["authorization", "cookie", "proxy-authorization"].contains(&name.as_str());
        format!("{name}: {}", if secret { "***" } else { value })
    };
    (first, lines.map(line).collect())
}

#[test]
fn gophers_requests_are_written_down_as_planned_and_sent() {
    let mut seen = 0;
    let table: Vec<String> =
        rows(include_str!("../../data/gopher-requests.tsv")).map(|row| row[1].to_owned()).collect();
    let pieces = ["a%20b", "%E9", "x/../y", "./z", "a?b=c", "%5C", "~u", "a%2Fb", "+x", "'q'", "\"", "[1]"];
    let made = pieces.iter().flat_map(|piece| ["0", "1", "7", "9"].map(|kind| format!("gopher://h/{kind}{piece}")));
    let searches = pieces.iter().map(|piece| format!("gopher://h/7find%09{piece}"));
    for text in table.into_iter().chain(made).chain(searches) {
        let Ok(Value::Object(plan)) = plan(&here(&text, 7070)) else { continue };
        let Some(bytes) = plan.get("bytes") else { continue };
        let (lines, secure) = (bytes.as_str().unwrap().matches("\\n").count(), text.starts_with("gophers"));
        let script = vec![[vec![Step::Line; lines], vec![send("+-1\r\nx\r\n.\r\n")]].concat()];
        let server = if secure { Server::secure(script, certificate()) } else { Server::start(script) };
        let outcome = fetch(&request(&here(&text, server.port)), &context());
        let (port, sent) = (server.port, only(&outcome));
        assert_eq!((sent.host.as_str(), sent.port, sent.tls), ("127.0.0.1", port, secure), "{text}");
        assert_eq!(sent.address.as_deref(), Some(format!("127.0.0.1:{port}").as_str()), "{text}");
        assert_eq!(sent.lines, [on_the_wire(&server.received().concat())], "{text}");
        assert_eq!(json!(sent.lines[0]), *bytes, "{text}");
        seen += 1;
    }
    assert!(seen > 70, "{seen}");
}

#[test]
fn a_path_of_the_web_goes_out_as_it_is_written() {
    let paths = [
        "",
        "/",
        "?q",
        "/b/../b/x",
        "/./x",
        "/%2e%2e/x",
        "/.%2E/x",
        "/a/..",
        "/a/.",
        "/...",
        "//a//b",
        "/x?it's",
        "/it's",
        "/a'b?c'd",
        "/a b?c d",
        "/é?ü",
        "//é",
        "/%41%zz",
        "/a%0D%0Ab",
        "/~u;p=1",
        "/a|b^c`d",
        "/{x}",
        "/\"q\"",
        "/a\\b",
        "/<x>?<y>",
        "/a+b?c+d",
        "/a:b@c",
        "/[1]?[2]",
        "/?",
        "/??",
        "/a?b/../c",
        "/x#y",
        "/$&,;=!*()",
        "/%7Eu",
        "/a%2Fb",
    ];
    for path in paths {
        for host in ["127.0.0.1", "localhost"] {
            let server = Server::start(vec![vec![Step::Head, send(OK)]]);
            let url = format!("http://{host}:{}{path}", server.port);
            let outcome = fetch(&request(&url), &context());
            assert_eq!(outcome.text(), "x", "{url}: {:?}", outcome.failure);
            let (port, sent, received) = (server.port, only(&outcome), server.line());
            let (first, fields) = head(&received);
            let written: (String, BTreeSet<String>) = head(&sent.lines.join("\r\n"));
            assert_eq!(written, (first.clone(), fields), "{url}");
            let wanted = json!({ "host": host, "port": port, "request": first });
            assert_eq!(plan(&url), Ok(wanted), "{url}");
            assert_eq!((sent.host.as_str(), sent.port, sent.came.as_deref()), (host, port, Some("200 OK")), "{url}");
        }
    }
}

#[test]
fn a_host_of_the_web_is_written_down_as_it_was_asked_for() {
    for (host, name) in
        [("127.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f.0.0.1", "127.0.0.1"), ("LOCALHOST", "localhost")]
    {
        for path in ["/x", "/../x"] {
            let server = Server::start(vec![vec![Step::Head, send(OK)]]);
            let (port, url) = (server.port, format!("http://{host}:{}{path}", server.port));
            let outcome = fetch(&request(&url), &context());
            let sent = only(&outcome);
            let (_, fields) = head(&server.line());
            assert!(fields.contains(&format!("host: {name}:{port}")), "{fields:?}");
            assert!(sent.lines.contains(&format!("host: {name}:{port}")), "{sent:?}");
            assert_eq!((sent.host.as_str(), sent.address.as_deref()), (name, Some(&*format!("127.0.0.1:{port}"))));
        }
    }
}

#[test]
fn fields_of_a_request_are_written_down_and_its_secrets_are_not() {
    for path in ["/x", "/../x"] {
        let wanted = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        let visit = |answer: &str| vec![Step::Head, Step::Octets(14), send(answer)];
        let server = Server::start(vec![visit(wanted), visit(OK)]);
        let url = format!("http://joe:hunter2@127.0.0.1:{}{path}", server.port);
        let media = "application/x-www-form-urlencoded".to_owned();
        let body = Some(Content { media, octets: b"pw=hunter3&a=b".to_vec() });
        let outcome = fetch(&Request { body, ..request(&url) }, &context());
        let received = String::from_utf8(server.received().remove(1)).unwrap();
        let last = outcome.sent.last().unwrap();
        let (written, (first, fields)) =
            (head(&last.lines.join("\r\n")), head(received.split("\r\n\r\n").next().unwrap()));
        assert!(first.starts_with("POST /") && fields.contains("authorization: ***"), "{received}");
        assert_eq!(written, (first, fields));
        assert!(!format!("{:?}", outcome.sent).contains("hunter"), "{:?}", outcome.sent);
    }
    let server = Server::start(vec![vec![Step::Head, send(OK)]]);
    let url = format!("http://127.0.0.1:{}/in?it's&p=", server.port);
    let told = Some(Url::parse(format!("{url}***")).unwrap());
    let outcome = fetch(&Request { told, ..request(&format!("{url}geheim")) }, &context());
    assert!(server.line().starts_with("GET /in?it's&p=geheim HTTP/1.1"));
    assert_eq!(only(&outcome).lines[0], "GET /in?it's&p=*** HTTP/1.1");
}

#[test]
fn a_failed_form_was_no_get() {
    let dead = DeadPort::new();
    let body = Some(Content { media: "text/plain".into(), octets: b"x".to_vec() });
    let outcome = fetch(&Request { body, ..request(&format!("http://127.0.0.1:{}/f", dead.port())) }, &context());
    assert!(outcome.failure().tried.ends_with("POST /f HTTP/1.1"), "{}", outcome.failure().tried);
    // Nobody took it.
    assert!(outcome.sent.iter().all(|sent| sent.lines.is_empty()), "{:?}", outcome.sent);
    assert!(outcome.sent.last().unwrap().came.as_ref().unwrap().contains("nothing was sent"), "{:?}", outcome.sent);
}

#[test]
fn nothing_is_sent_to_a_server_of_the_web_whose_certificate_is_refused() {
    let server = Server::secure(vec![vec![Step::Head, send(OK)]], certificate());
    let outcome = fetch(&request(&format!("https://127.0.0.1:{}/x", server.port)), &context());
    assert_eq!(outcome.failure().kind, wayfarer::proto::Kind::Secure);
    assert!(outcome.sent.iter().all(|sent| sent.lines.is_empty()), "{:?}", outcome.sent);
}

#[test]
fn ftps_commands_are_written_down_as_planned_and_sent() {
    const ASIDE: &[&str] = &["SYST", "FEAT", "OPTS UTF8 ON", "PWD", "EPSV", "PASV"];
    let table = rows(include_str!("../../data/ftp-sequences.tsv")).map(|row| row[1].to_owned());
    let made = ["a/b/", "a%20b/c", "%2Fetc/x", "%C3%A9", "a;type=i", "a;type=a", "x/y;type=d", "~u/z", "a?b", "'q'"];
    let made = made.iter().map(|path| format!("ftp://h/{path}"));
    let mut seen = 0;
    for text in table.chain(made).filter(|text| text.starts_with("ftp://")) {
        let Ok(plan) = plan(&here(&text, 2121)) else { continue };
        let server = Ftp::start(&[("FEAT", say("500 what?\r\n"))]);
        let user = Url::parse(&*text).unwrap().user().map(wayfarer::url::escape::decode);
        let login = user.map(|user| Login { user, password: b"asked".to_vec(), account: None });
        let url = here(&text, server.port);
        let outcome = fetch(&Request { login, ..request(&url) }, &context());
        assert_eq!(outcome.failure, None, "{url}");
        let (port, sent) = (server.port, only(&outcome));
        assert_eq!((sent.host.as_str(), sent.port, sent.tls), ("127.0.0.1", port, false), "{url}");
        let stars = |line: &String| if line.starts_with("PASS ") { "PASS ***".to_owned() } else { spelled(line) };
        let wire: Vec<String> = server.all_commands().iter().map(stars).collect();
        assert_eq!(sent.lines, wire, "{url}");
        let planned: Vec<&str> =
            plan["commands"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        let mut went = sent.lines.iter().filter(|line| !ASIDE.contains(&line.as_str()));
        for line in planned.into_iter().filter(|line| !line.starts_with("CWD / (")) {
            let line = match line {
                "MLSD | LIST | NLST" => "LIST",
                "TYPE <guess>" => "TYPE I",
                "CWD  (null; skip if refused)" => "CWD ",
                line if line.starts_with("PASS ") => "PASS ***",
                line => line,
            };
            assert_eq!(went.next().map(String::as_str), Some(line), "{url}: {:?}", sent.lines);
        }
        assert_eq!(went.next(), None, "{url}");
        seen += 1;
    }
    assert!(seen > 25, "{seen}");
}

#[test]
fn what_ftp_does_not_say_after_a_refusal_is_not_written_down() {
    let wire = |server: Ftp| -> Vec<String> {
        let stars = |line: String| if line.starts_with("PASS ") { "PASS ***".to_owned() } else { line };
        server.all_commands().into_iter().map(stars).collect()
    };
    // No RETR goes after a REST that is refused.
    let features = say("211-x\r\n MDTM\r\n SIZE\r\n REST STREAM\r\n211 End\r\n");
    let facts = [("SIZE", say("213 9\r\n")), ("MDTM", say("213 20250102030405\r\n")), ("REST", say("502 no\r\n"))];
    let server = Ftp::start(&[&[("FEAT", features)][..], &facts].concat());
    let resume = Some(Resume { from: 5, validator: "size=9;modify=20250102030405".into(), as_listed: false });
    let outcome = fetch(&Request { resume, ..request(&server.url("motd")) }, &context());
    let sent = only(&outcome).lines.clone();
    assert_eq!(sent.iter().filter(|line| *line == "RETR motd").count(), 1, "{sent:?}");
    assert_eq!(sent, wire(server));
    // No PROT goes after a PBSZ that is refused.
    let auth = vec![Do::Say("234 go on\r\n".into()), Do::Secure];
    let server = Ftp::secure(&[("AUTH", auth), ("PBSZ", say("502 no\r\n"))], certificate());
    let outcome = fetch(&request(&server.url("x").replace("ftp:", "ftps:")), &context());
    assert_eq!(outcome.failure().kind, Kind::Secure);
    assert_eq!(only(&outcome).lines, ["AUTH TLS", "PBSZ 0"]);
    assert!(only(&outcome).came.as_ref().is_some_and(|came| came.contains("502 no")), "{:?}", outcome.sent);
    assert_eq!(wire(server), ["AUTH TLS", "PBSZ 0"]);
}

/// A command as plans spell it.
fn spelled(line: &str) -> String {
    wayfarer::url::scheme::command_text(line)
}

#[test]
fn commands_to_a_news_server_are_written_down_as_planned_and_sent() {
    let table = rows(include_str!("../../data/nntp-sequences.tsv")).map(|row| row[1].to_owned());
    let made =
        ["nntp://h/a.b/1", "nntp://h/a.b", "news://h/x%40y", "news://h/a.b", "news://h/*", "nntp://joe:pw@h/a.b"];
    let mut seen = 0;
    for text in table.chain(made.map(Into::into)).filter(|text| text.contains("://") && plan(text).is_ok()) {
        let secure = text.starts_with("nntps");
        let server = if secure { News::implicit(&[], certificate()) } else { News::start(&[]) };
        let (port, url) = (server.port, here(&text, server.port));
        let outcome = fetch(&request(&url), &context());
        let sent = only(&outcome);
        assert_eq!((sent.host.as_str(), sent.port, sent.tls), ("127.0.0.1", port, secure), "{url}");
        let secret = |line: &String| match line.starts_with("AUTHINFO PASS ") {
            true => "AUTHINFO PASS ***".to_owned(),
            false => spelled(line),
        };
        assert_eq!(sent.lines, server.commands().iter().map(secret).collect::<Vec<_>>(), "{url}");
        let planned = plan(&url).unwrap();
        for line in planned["commands"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()) {
            let line = line.split(" | ").next().unwrap().replace("low-high", "");
            let went = |went: &&String| went.starts_with(&line) || line.starts_with("AUTHINFO PASS");
            assert!(sent.lines.iter().any(|sent| went(&sent)), "{url}: {line} {:?}", sent.lines);
        }
        seen += 1;
    }
    assert!(seen >= 9, "{seen}");
}

#[test]
fn what_was_tried_in_vain_is_written_down_too() {
    // A mirror in the place of a server that does not listen.
    let (dead, server) = (DeadPort::new(), Server::start(vec![vec![Step::Line, send("x\r\n.\r\n")]]));
    let mirrors = vec![Url::parse(server.url("0/m")).unwrap()];
    let asked = request(&format!("gopher://127.0.0.1:{}/0/a", dead.port()));
    let outcome = fetch(&Request { mirrors, ..asked }, &context());
    let [first, second] = &outcome.sent[..] else { panic!("{:?}", outcome.sent) };
    assert!(first.lines.is_empty() && first.came.as_ref().unwrap().contains("refused"), "{first:?}");
    assert_eq!((second.lines.as_slice(), second.why.as_deref()), (&["/m\\r\\n".to_owned()][..], Some("a mirror")));
    // A request that is made once more in other words (D13).
    let visits = ["--1\r\n1 What?\r\n.\r\n", "+-1\r\nx\r\n.\r\n"].map(|said| vec![Step::Line, send(said)]);
    let server = Server::start(visits.to_vec());
    let outcome = fetch(&request(&server.url("0/a%09%09+")), &context());
    let lines: Vec<&str> = outcome.sent.iter().flat_map(|sent| &sent.lines).map(String::as_str).collect();
    assert_eq!(lines, ["/a\\t+\\r\\n", "/a\\t\\t+\\r\\n"]);
    assert!(outcome.sent[0].came.as_ref().unwrap().contains("not available"), "{:?}", outcome.sent);
    drop(server.received());
    // A login that fails.
    let server = Ftp::start(&[("PASS", say("530 no\r\n"))]);
    let outcome = fetch(&request(&here("ftp://joe:hunter2@h/x", server.port)), &context());
    assert_eq!(only(&outcome).lines, ["USER joe", "PASS ***"], "{:?}", outcome.failure);
}

#[test]
fn a_form_of_gopher_is_written_down_without_its_password() {
    let form = |password: &str| format!("0/f%09%09+%091%0D%0A+-1%0D%0Ajoe%0D%0A{password}%0D%0A.%0D%0A");
    let server = Server::start(vec![[vec![Step::Line; 5], vec![send("+-1\r\nin\r\n.\r\n")]].concat()]);
    let told = Some(Url::parse(server.url(&form("***"))).unwrap());
    let outcome = fetch(&Request { told, ..request(&server.url(&form("hunter2"))) }, &context());
    assert_eq!(only(&outcome).lines, ["/f\\t+\\t1\\r\\n+-1\\r\\njoe\\r\\n***\\r\\n.\\r\\n"]);
    assert!(server.line().contains("joe\r\nhunter2\r\n"));
}

#[test]
fn what_goes_over_a_kept_connection_says_so() {
    let answers = [("RETR", transfer("x")), ("PWD", say("257 \"/home\" is here\r\n"))];
    let server = Ftp::start(&answers);
    let context =
        Context { connections: wayfarer::proto::Connections::new(std::time::Duration::from_secs(60)), ..context() };
    let requests = ["a", "b"].map(|name| request(&server.url(name)));
    let outcomes = fetch_all(&requests, &context);
    assert_eq!(outcomes[1].sent[0].why.as_deref(), Some("on the connection kept from the visit before"));
    assert!(outcomes[1].sent[0].lines.contains(&"RETR b".into()), "{:?}", outcomes[1].sent);
    assert!(!outcomes[1].sent[0].lines.contains(&"USER anonymous".into()));
    drop(context);
}

#[test]
fn a_path_in_its_own_words_goes_over_tls_by_the_rules_of_the_web() {
    let config = certificate();
    let server = || Server::secure(vec![vec![Step::Head, send(OK)]], config.clone());
    let url = |server: &Server| format!("https://127.0.0.1:{}/a/../b?it's", server.port);
    let (first, context) = (server(), context());
    // Nobody vouches for this certificate.
    let outcome = fetch(&request(&url(&first)), &context);
    let refused = outcome.failure().certificate.as_ref().expect("a certificate that can be trusted");
    assert!(outcome.sent.iter().all(|sent| sent.lines.is_empty() && !sent.tls), "{:?}", outcome.sent);
    context.tls.trust("127.0.0.1", &refused.certificate.fingerprint);
    let second = server();
    let outcome = fetch(&request(&url(&second)), &context);
    assert_eq!(outcome.text(), "x", "{:?}", outcome.failure);
    let security = outcome.head.as_ref().unwrap().security.as_ref().unwrap();
    assert_eq!((security.trust, &security.certificate.fingerprint), (Trust::Reader, &refused.certificate.fingerprint));
    assert!(only(&outcome).tls && only(&outcome).lines[0] == "GET /a/../b?it's HTTP/1.1", "{:?}", outcome.sent);
    assert!(second.line().starts_with("GET /a/../b?it's HTTP/1.1\r\n"));
}

#[test]
fn cookies_go_with_a_path_in_its_own_words_too() {
    let set = OK.replace("Content-Type", "Set-Cookie: id=secret; Path=/\r\nContent-Type");
    let server = Server::start(vec![vec![Step::Head, send(set)], vec![Step::Head, send(OK)]]);
    let url = |path: &str| format!("http://127.0.0.1:{}{path}", server.port);
    let context = with_cookies();
    let outcomes = fetch_all(&[request(&url("/a/../b")), request(&url("/c/./d"))], &context);
    assert!(outcomes[1].sent[0].lines.contains(&"cookie: ***".into()), "{:?}", outcomes[1].sent);
    assert!(String::from_utf8_lossy(&server.received()[1]).to_lowercase().contains("cookie: id=secret"));
}

/// With a jar for all hosts.
fn with_cookies() -> Context {
    let settings = config::Http { cookies: CookieRule::Session, ..config::Http::default() };
    Context { http: Web::new(settings, None), ..context() }
}
