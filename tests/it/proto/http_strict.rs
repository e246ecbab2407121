//! Hosts that want TLS alone (RFC 6797).

use super::client::{context, fetch, request};
use super::http::{get_with, ok};
use super::server::{Server, Step, send};
use wayfarer::proto::{Again, Context};

#[test]
fn a_host_that_wants_tls_is_asked_without_it_no_more() {
    let web = wayfarer::proto::http::Web::default();
    let now = jiff::Timestamp::now();
    let instead = |text: &str| {
        let url = wayfarer::url::Url::parse(text).unwrap();
        web.strict.instead(&url, now).map(|url| url.as_str().to_owned()).unwrap_or_default()
    };
    web.strict.learn("Bank.example", "max-age=\"1000\"; includeSubDomains; preload", now, true);
    web.strict.learn("alone.example", "MAX-AGE=1000", now, true);
    assert_eq!(instead("http://bank.example/a?b#c"), "https://bank.example/a?b#c");
    assert_eq!(instead("http://u@www.bank.example:80/"), "https://u@www.bank.example/");
    assert_eq!(instead("http://alone.example:8080/"), "https://alone.example:8080/");
    assert_eq!(instead("http://bank.example./"), "https://bank.example./", "with its dot it is the same host");
    for other in ["http://www.alone.example/", "http://xbank.example/", "https://bank.example/", "ftp://bank.example/"]
    {
        assert_eq!(instead(other), "", "{other}");
    }
    for (host, said) in
        [("127.0.0.1", "max-age=9"), ("[::1]", "max-age=9"), ("localhost", "max-age=9"), ("x.example", "max-age=soon")]
    {
        web.strict.learn(host, said, now, true);
        assert_eq!(instead(&format!("http://{host}/")), "", "{host} {said}");
    }
    assert_eq!(
        web.strict.instead(
            &wayfarer::url::Url::parse("http://bank.example/").unwrap(),
            now + std::time::Duration::from_secs(1001)
        ),
        None
    );
    // It is told as a redirect, and nothing leaves.
    let moved = get_with("http://bank.example/x", &Context { http: web.clone(), ..context() }).moved.unwrap();
    assert_eq!((moved.to.as_str(), moved.again), ("https://bank.example/x", Again::Same));
    assert!(moved.status.starts_with("HSTS"), "{}", moved.status);
    web.strict.learn("bank.example", "max-age=0", now, true);
    assert_eq!(instead("http://bank.example/"), "");
}

#[test]
fn what_a_host_says_of_tls_is_kept_beside_the_cookies() {
    let folder = tempfile::tempdir().unwrap();
    let web = || {
        let writer = std::sync::Arc::new(wayfarer::disk::Writer::new(|_| {}).unwrap());
        let jar = wayfarer::disk::Kept { file: folder.path().join("cookies"), writer };
        wayfarer::proto::http::Web::new(wayfarer::config::Http::default(), Some(jar))
    };
    let (one, other, now) = (web(), web(), jiff::Timestamp::now());
    let place = |host: &str| wayfarer::url::Url::parse(format!("http://{host}/")).unwrap();
    assert_eq!(other.strict.instead(&place("a.example"), now), None);
    one.strict.learn("a.example", "max-age=100000; includeSubDomains", now, true);
    drop(one);
    other.strict.learn("b.example", "max-age=100000", now, true);
    drop(other);
    let third = web();
    for host in ["a.example", "x.a.example", "b.example"] {
        assert!(third.strict.instead(&place(host), now).is_some(), "{host}");
    }
    third.strict.learn("a.example", "max-age=0", now, true);
    drop(third);
    let text = std::fs::read_to_string(folder.path().join("hsts")).unwrap();
    assert!(text.starts_with("# wayfarer hsts 1\nb.example\t") && !text.contains("a.example"), "{text}");
}

#[test]
fn what_a_host_says_of_tls_is_forgotten_with_the_host_and_nothing_of_a_private_tab_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let web = || {
        let writer = std::sync::Arc::new(wayfarer::disk::Writer::new(|_| {}).unwrap());
        let jar = wayfarer::disk::Kept { file: folder.path().join("cookies"), writer };
        wayfarer::proto::http::Web::new(wayfarer::config::Http::default(), Some(jar))
    };
    let now = jiff::Timestamp::now();
    let holds = |web: &wayfarer::proto::http::Web, host: &str| {
        let url = wayfarer::url::Url::parse(format!("http://{host}/")).unwrap();
        web.strict.instead(&url, now).is_some()
    };
    let kept = || {
        let text = std::fs::read_to_string(folder.path().join("hsts")).unwrap();
        text.lines().skip(1).filter_map(|line| Some(line.split_once('\t')?.0.to_owned())).collect::<Vec<_>>()
    };
    let (one, other) = (web(), web());
    assert!(!holds(&one, "c.example"), "read before the other copy writes");
    for host in ["a.example", "b.example", "x.a.example"] {
        other.strict.learn(host, "max-age=100000", now, true);
    }
    drop(other);
    one.strict.learn("private.example", "max-age=100000", now, false);
    one.strict.learn("c.example", "max-age=100000", now, true);
    assert!(holds(&one, "private.example"), "it counts for this run");
    one.strict.forget("A.example");
    assert!(!holds(&one, "a.example"));
    drop(one);
    assert_eq!(kept(), ["b.example", "c.example", "x.a.example"]);
    let last = web();
    last.strict.forget_all();
    last.strict.learn("d.example", "max-age=100000", now, true);
    assert!(!holds(&last, "b.example"));
    drop(last);
    assert_eq!(kept(), ["d.example"]);
}

#[test]
fn a_host_that_only_the_reader_trusts_promises_nothing() {
    let answer = ok("Strict-Transport-Security: max-age=1000\r\nContent-Type: text/plain\r\n", "x");
    let visits = vec![vec![Step::Head], vec![Step::Head, send(answer)]];
    let server = Server::secure(visits, super::server::certificate());
    let (url, context) = (format!("https://127.0.0.1:{}/", server.port), context());
    let fingerprint = fetch(&request(&url), &context).failure().certificate.clone().unwrap().certificate.fingerprint;
    context.tls.trust("127.0.0.1", &fingerprint);
    assert_eq!(fetch(&request(&url), &context).text(), "x");
    let clear = wayfarer::url::Url::parse("http://127.0.0.1/").unwrap();
    assert_eq!(context.http.strict.instead(&clear, jiff::Timestamp::now()), None);
}
