//! Logins over HTTP: when they leave, in which form, and how often one is asked for.

use super::client::{context, fetch, fetch_all, get, request};
use super::http::{given, ok, url};
use super::server::{Server, Step, send};
use wayfarer::proto::{Kind, Login, Request};

#[test]
fn a_user_goes_to_a_server_only_as_basic_authentication() {
    let wanted = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    let shown = ok("Content-Type: text/plain\r\n", "in");
    let server = Server::start(vec![vec![Step::Head, send(wanted)], vec![Step::Head, send(shown)]]);
    let outcome = get(&format!("http://odd%40name:p%3Aw@127.0.0.1:{}/", server.port));
    assert_eq!(outcome.text(), "in");
    assert!(!outcome.head.unwrap().lines.iter().any(|line| line.contains("p:w")));
    let visits = server.received();
    let text = |at: usize| String::from_utf8(visits[at].clone()).unwrap();
    assert!(!text(0).contains("authorization"), "nobody has asked yet");
    let sent = text(1);
    // odd@name:p:w
    assert!(sent.contains("authorization: Basic b2RkQG5hbWU6cDp3\r\n"), "{sent}");
    assert!(sent.to_lowercase().contains("\r\nhost: 127.0.0.1:") && !sent.contains('@'), "{sent}");
}

#[test]
fn a_password_that_a_head_says_again_is_hidden() {
    let wanted = "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    for (words, echo) in [("404 s3cret", "X-Pass: s3cret"), ("404 s3\u{9b}1mcret", "X-Pass: S3\u{200b}CRET")] {
        let shown = format!(
            "HTTP/1.1 {words}\r\nContent-Type: text/plain\r\n{echo}\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"
        );
        let server = Server::start(vec![vec![Step::Head, send(wanted)], vec![Step::Head, send(shown)]]);
        let outcome = get(&format!("http://u:s3cret@127.0.0.1:{}/", server.port));
        let said = format!("{:?}", outcome.head.unwrap()).to_lowercase();
        assert!(said.contains("x-pass: ***") && !said.contains("cret"), "{said}");
    }
}

#[test]
fn a_login_is_asked_for_and_answered() {
    let challenge = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"no\"\r\n\
                     WWW-Authenticate: Basic realm=\"The Vault\"\r\nContent-Length: 0\r\n\r\n";
    let asked = given(challenge);
    assert_eq!(asked.failure().kind, Kind::NeedsLogin);
    assert!(asked.words().contains("\"The Vault\"") && asked.words().contains("clear text"), "{}", asked.words());

    let visit = || vec![Step::Head, send(challenge), Step::Drain];
    let server = Server::start(vec![visit(), visit()]);
    let login = Login { user: b"u".to_vec(), password: b"p".to_vec(), account: None };
    let outcome = fetch(&Request { login: Some(login), ..request(&url(&server, "/")) }, &context());
    assert!(outcome.words().contains("does not accept"), "{}", outcome.words());
    assert!(server.received()[1].windows(27).any(|sent| sent == b"authorization: Basic dTpw\r\n"));
    // Where nothing is offered that can be given, the server's page is all there is; Basic is not put in Digest's place.
    let both = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest nonce=1, algorithm=ROT13, Basic realm=x\r\n\
                Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nno";
    assert_eq!(given(both).text(), "no");
    let digest = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"x\"\r\nContent-Type: text/plain\r\n\
                  Content-Length: 2\r\n\r\nno";
    assert_eq!(given(digest).text(), "no");
}

#[test]
fn a_digest_is_given_counted_and_renewed() {
    let wanted = |nonce: &str, more: &str| {
        let digest =
            format!("Digest realm=\"a, \\\"b\", nonce=\"{nonce}\", qop=\"auth,auth-int\", algorithm=SHA-256{more}");
        send(format!(
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"b\", {digest}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        ))
    };
    let fine = || send(ok("Content-Type: text/plain\r\nConnection: close\r\n", "in"));
    let steps = [
        wanted("one", ""),
        fine(),
        fine(),
        wanted("two", ", stale=true"),
        fine(),
        wanted("three", ""),
        wanted("four", ""),
    ];
    let server = Server::start(steps.into_iter().map(|step| vec![Step::Head, step]).collect());
    let context = context();
    let login = Some(Login { user: b"u".to_vec(), password: b"secret".to_vec(), account: None });
    let asked = Request { login, ..request(&url(&server, "/a?b")) };
    assert_eq!(fetch(&asked, &context).text(), "in");
    assert_eq!(fetch(&asked, &context).text(), "in");
    assert_eq!(fetch(&asked, &context).text(), "in");
    // A nonce that was right and is no more may have grown old; a fresh one was not.
    let refused = fetch(&asked, &context);
    assert_eq!(refused.failure().kind, Kind::NeedsLogin);
    assert!(
        refused.words().contains("does not accept") && refused.words().contains("only a proof"),
        "{}",
        refused.words()
    );
    let sent: Vec<String> = server.received().into_iter().map(|head| String::from_utf8(head).unwrap()).collect();
    let said: Vec<Option<(&str, &str)>> = sent
        .iter()
        .map(|head| {
            let line = head.lines().find(|line| line.starts_with("authorization: "))?;
            assert!(line.starts_with("authorization: Digest ") && line.contains("uri=\"/a?b\""), "{line}");
            let of = |name: &str| line.split(", ").find_map(|piece| piece.strip_prefix(name)).unwrap_or("-");
            Some((of("nonce="), of("nc=")))
        })
        .collect();
    let first = "00000001";
    assert_eq!(
        said,
        [
            None,
            Some(("\"one\"", first)),
            Some(("\"one\"", "00000002")),
            Some(("\"one\"", "00000003")),
            Some(("\"two\"", first)),
            Some(("\"two\"", "00000002")),
            Some(("\"three\"", first))
        ]
    );
    assert!(sent.iter().all(|head| !head.contains("secret") && !head.contains("Basic")));
}

#[test]
fn a_server_that_turns_from_a_proof_to_the_password_is_told_of() {
    let wants = |offer: &str| {
        send(format!("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: {offer}\r\nContent-Length: 0\r\n\r\n"))
    };
    let (proof, password) = ("Digest realm=\"x\", nonce=\"one\", qop=\"auth\"", "Basic realm=\"x\"");
    let steps = [proof, password].iter().flat_map(|offer| [Step::Head, wants(offer)]).collect();
    let server = Server::start(vec![steps]);
    let asked = request(&url(&server, "/"));
    let outcomes = fetch_all(&[asked.clone(), asked], &context());
    assert!(outcomes[0].words().contains("only a proof"), "{}", outcomes[0].words());
    assert!(outcomes[1].words().contains("A proof of the password was enough before"), "{}", outcomes[1].words());
}
