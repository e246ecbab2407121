//! URLs of other schemes through an HTTP proxy.

use super::client::{Outcome, context, request};
use super::server::{DeadPort, Server, Step, send};
use wayfarer::proto::{self, Context, Exchange, FetchEvent, Kind, Login, Request, Verdict};

/// A context with this server as the proxy of a scheme.
fn by(scheme: &str, proxy: &str) -> Context {
    let mut context = context();
    context.http.settings.proxies.set(scheme, proxy).unwrap();
    context
}

fn fetch(request: &Request, context: &Context) -> Outcome {
    super::client::in_one(async {
        let (mut exchange, mut events, verdict) = Exchange::new(1);
        let running = async {
            let result = proto::fetch(request, &mut exchange, context).await;
            exchange.close(result).await;
        };
        let owner = async {
            let (mut outcome, mut verdict) = (Outcome::default(), Some(verdict));
            while let Some(event) = events.recv().await {
                match event {
                    FetchEvent::Head(head) => {
                        outcome.head = Some(*head);
                        verdict.take().unwrap().send(Verdict::Accept).unwrap();
                    }
                    FetchEvent::Body(octets) => outcome.body.extend(octets),
                    FetchEvent::Moved(moved) => outcome.moved = Some(*moved),
                    FetchEvent::End(end) => outcome.end = Some(end),
                    FetchEvent::Failed(failure) => outcome.failure = Some(failure),
                    FetchEvent::Stage(_) | FetchEvent::Sent(_) | FetchEvent::Unchanged => {}
                }
            }
            outcome
        };
        tokio::join!(running, owner).1
    })
}

const CHUNKED: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n\
                       5\r\n<p>Me\r\n3\r\nnu.\r\n0\r\n\r\n";

#[test]
fn the_whole_url_goes_on_the_request_line_and_the_page_keeps_it() {
    for (url, line, host) in [
        ("gopher://h.example/1/a b%09words#here", "GET gopher://h.example/1/a%20b%09words HTTP/1.1", "h.example"),
        (
            "ftp://me@h.example:2121/%2Fetc/motd;type=a",
            "GET ftp://me@h.example:2121/%2Fetc/motd;type=a HTTP/1.1",
            "h.example:2121",
        ),
        ("wais://h.example/db?q", "GET wais://h.example/db?q HTTP/1.1", "h.example"),
        ("news:comp.infosystems.gopher", "GET news:comp.infosystems.gopher HTTP/1.1", ""),
        ("news:1@h.example", "GET news:1@h.example HTTP/1.1", ""),
    ] {
        let server = Server::start(vec![vec![Step::Head, send(CHUNKED)]]);
        let scheme = url.split(':').next().unwrap();
        let context = by(scheme, &format!("http://127.0.0.1:{}", server.port));
        let outcome = fetch(&request(url), &context);
        assert_eq!(outcome.text(), "<p>Menu.", "{url}: {:?}", outcome.failure);
        let head = outcome.head.unwrap();
        assert_eq!((head.media.as_str(), head.url.as_str()), ("text/html", url.split('#').next().unwrap()));
        let sent = server.line();
        assert_eq!(sent.lines().next(), Some(line));
        let lower = sent.to_ascii_lowercase();
        assert!(
            lower.lines().any(|line| line.strip_prefix("host:").is_some_and(|named| named.trim() == host)),
            "{sent}"
        );
        assert!(lower.contains("user-agent: wayfarer/") && !lower.contains("authorization"), "{sent}");
    }
}

#[test]
fn a_password_never_goes_to_a_proxy_unasked() {
    let server = Server::start(vec![vec![
        Step::Head,
        send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"FTP h\"\r\nContent-Length: 0\r\n\r\n"),
    ]]);
    let context = by("ftp", &format!("http://127.0.0.1:{}", server.port));
    let refused = fetch(&request("ftp://me:secret@h/x"), &context);
    assert_eq!(refused.failure().kind, Kind::Unsafe, "{}", refused.words());
    assert!(refused.words().contains("clear text") && !refused.words().contains("secret"), "{}", refused.words());
    let asked = fetch(&request("ftp://me@h/x"), &context);
    assert_eq!(asked.failure().kind, Kind::NeedsLogin);
    assert!(asked.words().contains("to the proxy 127.0.0.1 port"), "{}", asked.words());
    assert!(!server.line().to_ascii_lowercase().contains("authorization"));
    // What the reader answered to that goes along.
    let wanted = "HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n";
    let hello = "HTTP/1.0 200 OK\r\n\r\nhello";
    let server = Server::start(vec![vec![Step::Head, send(wanted)], vec![Step::Head, send(hello)]]);
    let context = by("ftp", &format!("http://p:q@127.0.0.1:{}", server.port));
    let login = Some(Login { user: b"me".to_vec(), password: b"secret".to_vec(), account: None });
    let outcome = fetch(&Request { login, ..request("ftp://me@h/x") }, &context);
    assert_eq!(outcome.text(), "hello", "{:?}", outcome.failure);
    let sent = String::from_utf8(server.received()[1].clone()).unwrap().to_ascii_lowercase();
    assert!(sent.contains("\r\nauthorization: basic bwu6c2vjcmv0\r\n"), "{sent}");
    assert!(sent.contains("\r\nproxy-authorization: basic cdpx\r\n"), "{sent}");
}

#[test]
fn a_proxy_that_fails_is_blamed_itself() {
    let dead = DeadPort::new();
    for (proxy, words) in [
        (format!("http://127.0.0.1:{}", dead.port()), "The proxy 127.0.0.1 port {port} refused the connection"),
        (format!("socks5h://127.0.0.1:{}", dead.port()), "The proxy 127.0.0.1 port {port} does not answer."),
    ] {
        let mut context = context();
        context.http.settings.proxy = Some(proxy);
        let outcome = fetch(&request("http://far.invalid/"), &context);
        let words = words.replace("{port}", &dead.port().to_string());
        assert!(outcome.words().starts_with(&words), "{}", outcome.words());
    }
    for scheme in ["gopher", "http"] {
        let server = Server::start(vec![vec![Step::Reset]]);
        let proxy = format!("http://127.0.0.1:{}", server.port);
        let mut context = by("gopher", &proxy);
        context.http.settings.proxy = Some(proxy);
        let outcome = fetch(&request(&format!("{scheme}://far.invalid/")), &context);
        let said = outcome.words();
        assert!(said.starts_with("The proxy 127.0.0.1 port ") && said.contains("connection reset"), "{said}");
        assert!(!said.contains("os error"), "{said}");
    }
}

#[test]
fn what_a_proxy_says_wrong_is_said_of_the_proxy() {
    let server = Server::start(vec![vec![Step::Head, send("iWelcome\t\t\t\r\n.\r\n")]]);
    let outcome = fetch(&request("gopher://h/"), &by("gopher", &format!("http://127.0.0.1:{}", server.port)));
    assert!(outcome.words().contains("The proxy 127.0.0.1 port"), "{}", outcome.words());
    assert!(outcome.words().contains("GET gopher://h/"), "{}", outcome.words());
    let server = Server::start(vec![vec![
        Step::Head,
        send("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno"),
    ]]);
    let outcome = fetch(&request("gopher://h/"), &by("gopher", &format!("http://127.0.0.1:{}", server.port)));
    assert_eq!(outcome.head.unwrap().status.as_deref(), Some("407 Proxy Authentication Required"));
}
