//! HTTP by scripted servers: what is sent, what the answer means, how it breaks.

use super::client::{Outcome, context, fetch, fetch_all, get, impatient, refuse, request};
use super::server::{DeadPort, Server, Step, send};
use std::io::Write;
use wayfarer::proto::{Again, Content, Context, Kind, Request, Resume, Stage};

/// A server that answers one request.
pub(super) fn answering(answer: impl AsRef<[u8]>) -> Server {
    Server::start(vec![vec![Step::Head, send(answer)]])
}

pub(super) fn url(server: &Server, path: &str) -> String {
    format!("http://127.0.0.1:{}{path}", server.port)
}

/// What one answer becomes.
pub(super) fn given(answer: impl AsRef<[u8]>) -> Outcome {
    let server = answering(answer);
    get(&url(&server, "/"))
}

/// The head that a server was sent.
pub(super) fn sent(server: Server) -> String {
    server.line().to_lowercase()
}

pub(super) fn ok(fields: &str, body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn paths_are_sent_as_they_are_planned_and_fragments_never() {
    for (path, line) in [
        ("/a?b", "get /a?b http/1.1"),
        ("", "get / http/1.1"),
        ("?q", "get /?q http/1.1"),
        ("/a%2fb;c=1/~x#y", "get /a%2fb;c=1/~x http/1.1"),
        ("//a//b", "get //a//b http/1.1"),
        ("/a b?c d", "get /a%20b?c%20d http/1.1"),
        ("/%C3%A9/é", "get /%c3%a9/%c3%a9 http/1.1"),
    ] {
        let server = answering(ok("Content-Type: text/plain\r\n", "x"));
        let outcome = get(&url(&server, path));
        assert_eq!(outcome.text(), "x", "{path}: {:?}", outcome.failure);
        let sent = sent(server);
        assert_eq!(sent.lines().next(), Some(line));
        assert!(!sent.contains("referer") && !sent.contains("cookie"), "{sent}");
    }
}

#[test]
fn how_far_a_request_is_can_be_seen_until_its_answer_begins() {
    let steps = vec![Step::Head, send(ok("", "one")), Step::Head, send(ok("", "two"))];
    let server = Server::start(vec![steps]);
    let named = format!("http://localhost:{}/", server.port);
    let outcomes = fetch_all(&[request(&named), request(&named)], &context());
    assert_eq!(outcomes[0].stages, [Stage::Asking, Stage::Resolving, Stage::Connecting, Stage::Waiting]);
    assert_eq!(outcomes[1].stages, [Stage::Asking], "the connection was kept");
    let server = answering(ok("", "three"));
    assert_eq!(get(&url(&server, "/")).stages, [Stage::Asking, Stage::Connecting, Stage::Waiting]);
}

/// RFC 9110, 5.6.7: one form is written, three are read.
#[test]
fn the_last_change_is_read_in_all_three_forms_of_dates() {
    for date in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
        let head = given(ok(&format!("Content-Type: text/plain\r\nLast-Modified: {date}\r\n"), "hello")).head.unwrap();
        assert_eq!(head.modified.map(|time| time.to_string()).as_deref(), Some("1994-11-06T08:49:37Z"), "{date}");
    }
}

#[test]
fn the_head_says_what_the_answer_is() {
    let outcome = given(ok(
        "Content-Type: Text/HTML; foo=1; charset=\"koi8-r\"\r\nETag: \"v1\"\r\nLast-Modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n\
         Content-Disposition: attachment; filename=\"a \\\"b\\\".txt\"; filename*=UTF-8''%e2%82%ac.txt\r\nSet-Cookie: id=secret\r\n\
         Set-Cookie: secret\r\nSet-Cookie2: old=secret\r\n",
        "hello",
    ));
    let head = outcome.head.as_ref().unwrap();
    assert_eq!((head.media.as_str(), head.charset.as_deref()), ("text/html", Some("koi8-r")));
    assert_eq!((head.length, head.validator.as_deref()), (Some(5), Some("\"v1\"")));
    assert_eq!(head.modified.unwrap().to_string(), "2015-10-21T07:28:00Z");
    assert_eq!(head.filename.as_deref(), Some("€.txt"));
    assert_eq!(head.status, None);
    assert_eq!(head.lines[0], "HTTP/1.1 200 OK");
    for shown in ["set-cookie: id=***", "set-cookie: ***", "set-cookie2: old=***"] {
        assert!(head.lines.contains(&shown.into()), "{shown}: {:?}", head.lines);
    }
    assert!(!head.lines.iter().any(|line| line.contains("secret")), "{:?}", head.lines);
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("hello", None));
}

#[test]
fn a_type_that_nobody_says_is_told_by_name_and_beginning() {
    for (path, fields, body, media) in [
        ("/a", "", "<!doctype html><p>x", "text/html"),
        ("/a.gmi", "", "# x", "text/gemini"),
        ("/a", "Content-Type: nonsense\r\n", "plain words", "text/plain"),
        ("/a", "", "\x00\x01\x02\x03", "application/octet-stream"),
        ("/a", "", "\n <h1>x", "text/html"),
        ("/a", "", "<!-- x", "text/html"),
        ("/a", "", "<a\nhref=x>", "text/html"),
        ("/a", "Content-Type: */*\r\n", "<P>x", "text/html"),
        ("/a", "", "<pre>x", "text/plain"),
        ("/a", "", "<h1x", "text/plain"),
        ("/a", "X-Content-Type-Options: nosniff\r\n", "<h1>x", "text/plain"),
        // What a server says is not doubted.
        ("/a.html", "Content-Type: text/plain\r\n", "<html>", "text/plain"),
    ] {
        let server = answering(ok(fields, body));
        assert_eq!(get(&url(&server, path)).media(), media, "{path} {fields} {body:?}");
    }
}

#[test]
fn a_page_of_an_error_is_shown_with_its_status() {
    let outcome =
        given("HTTP/1.1 404 Nope\r\nContent-Type: text/plain\r\nETag: \"e\"\r\nContent-Length: 4\r\n\r\ngone");
    let head = outcome.head.as_ref().unwrap();
    assert_eq!((head.status.as_deref(), head.validator.as_deref()), (Some("404 Not Found"), None));
    assert_eq!(outcome.text(), "gone");
}

#[test]
fn redirects_are_told_and_not_followed() {
    for (code, again) in [
        ("301 Moved Permanently", Again::Get),
        ("302 Found", Again::Get),
        ("303 See Other", Again::Get),
        ("307 Temporary Redirect", Again::Same),
        ("308 Permanent Redirect", Again::Same),
    ] {
        let outcome = given(format!("HTTP/1.1 {code}\r\nLocation: gopher://h/1/x\r\nContent-Length: 0\r\n\r\n"));
        let moved = outcome.moved.unwrap();
        assert_eq!((moved.to.as_str(), moved.status.as_str(), moved.again), ("gopher://h/1/x", code, again));
        assert!(outcome.head.is_none());
    }
    // One that says no place is a page like any other.
    let outcome = given("HTTP/1.1 302 Found\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhm");
    assert_eq!((outcome.text().as_str(), outcome.moved), ("hm", None));
    assert_eq!(outcome.head.unwrap().status.as_deref(), Some("302 Found"));
}

#[test]
fn servers_are_offered_the_compressions_that_are_read() {
    let server = answering(ok("Content-Type: text/plain\r\n", "x"));
    get(&url(&server, "/"));
    let sent = sent(server);
    let offer = sent.lines().find_map(|line| line.strip_prefix("accept-encoding: ")).unwrap_or_default();
    let mut offered: Vec<&str> = offer.split(',').map(str::trim).collect();
    offered.sort_unstable();
    assert_eq!(offered, ["br", "deflate", "gzip"]);
}

fn squeezed() -> Vec<u8> {
    let mut squeezer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    squeezer.write_all(&vec![b'a'; 8 << 20]).unwrap();
    squeezer.finish().unwrap()
}

#[test]
fn what_is_decompressed_counts_against_the_limit_of_a_page() {
    let body = squeezed();
    assert!(body.len() < 16 << 10);
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let answer = [head.as_bytes(), &body].concat();
    let whole = given(&answer);
    assert_eq!((whole.body.len(), whole.head.as_ref().unwrap().length, whole.cut()), (8 << 20, None, None));
    let server = answering(&answer);
    let mut small = context();
    small.limits.page = 1 << 20;
    let outcome = fetch(&request(&url(&server, "/")), &small);
    assert_eq!((outcome.body.len(), outcome.cut()), (1 << 20, Some("cut at 1 MiB")));
}

/// Servers call two things deflate, and put gzip on what is none.
#[test]
fn a_content_coding_that_is_not_what_it_says_is_seen_through() {
    let mut bare = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    bare.write_all(b"<p>deflated without its wrapping").unwrap();
    let answer = |coding: &str, body: &[u8]| {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        given([head.as_bytes(), body].concat())
    };
    assert_eq!(answer("deflate", &bare.finish().unwrap()).text(), "<p>deflated without its wrapping");
    let plain = answer("gzip", b"<p>as it is");
    assert_eq!((plain.text().as_str(), plain.cut()), ("<p>as it is", None));
    let lines = &plain.head.as_ref().unwrap().lines;
    assert!(lines.iter().any(|line| line.contains("the body is not gzip")), "{lines:?}");
    let whole = squeezed();
    assert!(answer("gzip", &whole[..whole.len() / 2]).cut().is_some_and(|cut| cut.contains("missing")));
    assert_eq!(answer("gzip", b"").text(), "");
    // Nor is the connection to blame.
    let torn = [&whole[..whole.len() / 2], &[0xFF; 4000][..]].concat();
    for (coding, body) in [("gzip", &torn[..]), ("br", b"no brotli at all, but words")] {
        let outcome = answer(coding, body);
        let said = format!("{:?} {:?}", outcome.failure, outcome.end);
        assert!(
            said.contains(&format!(
                "content-encoding (what came is no {}",
                if coding == "br" { "brotli" } else { coding }
            )),
            "{said}"
        );
    }
}

#[test]
fn a_text_behind_an_odd_path_is_unpacked_as_any_other() {
    let whole = squeezed();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        whole.len()
    );
    for path in ["/x?it's", "/a/../b"] {
        let server = answering([head.as_bytes(), &whole].concat());
        let outcome = get(&url(&server, path));
        assert!(
            outcome.failure.is_none() && outcome.cut().is_none() && !outcome.body.is_empty(),
            "{:?}",
            outcome.failure
        );
        let sent = sent(server);
        assert!(
            sent.contains("accept-encoding: gzip,deflate\r\n") && sent.starts_with(&format!("get {path} ")),
            "{sent}"
        );
    }
}

#[test]
fn a_text_that_is_packed_unasked_is_refused_and_a_file_is_kept() {
    let answer = |media: &str| {
        format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nContent-Encoding: zstd\r\nContent-Length: 3\r\n\r\nabc")
    };
    let outcome = fetch(&request(&url(&answering(answer("text/html")), "/a/../x")), &context());
    assert!(outcome.failure().detail.contains("(zstd) though it was asked not to"), "{}", outcome.failure().detail);
    let outcome = fetch(&request(&url(&answering(answer("application/x-tar")), "/a/../x")), &context());
    assert_eq!(outcome.text(), "abc");
}

#[test]
fn the_beginning_of_a_file_is_not_fetched_again() {
    let rest = "HTTP/1.1 206 Partial Content\r\nContent-Type: application/x-x\r\nETag: \"v1\"\r\n\
                Content-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\n456789";
    let resume = Resume { from: 4, validator: "\"v1\"".into(), as_listed: false };
    let server = answering(rest);
    let outcome = fetch(&Request { resume: Some(resume.clone()), ..request(&url(&server, "/f")) }, &context());
    let head = outcome.head.as_ref().unwrap();
    assert_eq!((head.start, head.length, head.status.as_deref()), (4, Some(10), None));
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("456789", None));
    let sent = sent(server);
    for line in ["range: bytes=4-\r\n", "if-range: \"v1\"\r\n", "accept-encoding: identity\r\n"] {
        assert!(sent.contains(line), "{line} in {sent}");
    }
    // Another part would be put where it does not belong.
    let server = answering(rest.replace("4-9/10", "0-5/10"));
    let outcome = fetch(&Request { resume: Some(resume.clone()), ..request(&url(&server, "/f")) }, &context());
    assert!(outcome.words().contains("another part of the file"), "{}", outcome.words());
    // Nor is a part of which nobody can tell where it belongs, or whether it is all that was missing.
    for (range, words) in [
        ("", "does not say which"),
        ("Content-Range: bytes 4-3/10\r\n", "does not say which"),
        ("Content-Range: bytes 4-10/10\r\n", "does not say which"),
        ("Content-Range: bytes 4-9/*\r\n", "does not say how long all of it is"),
        ("Content-Range: bytes 4-9/10\r\nContent-Encoding: gzip\r\n", "in another coding"),
    ] {
        let server = answering(rest.replace("Content-Range: bytes 4-9/10\r\n", range));
        let outcome = fetch(&Request { resume: Some(resume.clone()), ..request(&url(&server, "/f")) }, &context());
        assert!(outcome.words().contains(words), "{range} {}", outcome.words());
        assert!(outcome.body.is_empty());
    }
    // A file that is packed itself comes as it is.
    let packed = rest.replace("application/x-x\r\n", "application/gzip\r\nContent-Encoding: x-gzip\r\n");
    let server = answering(packed);
    let outcome = fetch(&Request { resume: Some(resume.clone()), ..request(&url(&server, "/f")) }, &context());
    assert_eq!(outcome.text(), "456789");
    // Another file now, or a server without ranges: all of it comes.
    let server = answering(ok("Content-Type: application/x-x\r\nETag: \"v2\"\r\n", "0123456789"));
    let outcome = fetch(&Request { resume: Some(resume), ..request(&url(&server, "/f")) }, &context());
    assert_eq!((outcome.head.as_ref().unwrap().start, outcome.body.len()), (0, 10));
}

#[test]
fn a_copy_that_is_still_right_is_not_sent_again() {
    for (known, line) in [
        ("\"v1\"", "if-none-match: \"v1\"\r\n"),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "if-modified-since: wed, 21 oct 2015 07:28:00 gmt\r\n"),
    ] {
        let server = answering("HTTP/1.1 304 Not Modified\r\n\r\n");
        let outcome = fetch(&Request { unless: Some(known.into()), ..request(&url(&server, "/")) }, &context());
        assert!(outcome.unchanged && outcome.head.is_none());
        assert!(sent(server).contains(line));
    }
}

pub(super) fn get_with(url: &str, context: &Context) -> Outcome {
    fetch(&request(url), context)
}

#[test]
fn a_body_that_ends_early_is_kept_and_marked() {
    let short = given("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nabc");
    assert_eq!(short.text(), "abc");
    assert!(short.cut().unwrap().starts_with("3 of 10 octets came: the connection broke"), "{:?}", short.cut());
    let chunked =
        given("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    assert_eq!(chunked.text(), "abc");
    assert!(chunked.cut().unwrap().contains("broke"), "{:?}", chunked.cut());
    // RFC 9112, 6.3: without a length the end of the connection is the end.
    assert_eq!(given("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nabc").cut(), None);
}

#[test]
fn a_server_that_stalls_is_given_up() {
    let server = Server::start(vec![vec![
        Step::Head,
        send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nabc"),
        Step::Stall,
    ]]);
    let outcome = fetch(&request(&url(&server, "/")), &impatient());
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("abc", Some("nothing came for 0 s")));
    server.release();
    let server = Server::start(vec![vec![Step::Head, Step::Stall]]);
    let mut context = impatient();
    context.limits.connect = std::time::Duration::from_millis(200);
    let outcome = fetch(&request(&url(&server, "/")), &context);
    assert_eq!(outcome.failure().kind, Kind::TimedOut, "{}", outcome.words());
    server.release();
}

#[test]
fn what_is_no_http_is_said_in_a_sentence() {
    for (answer, kind) in [
        ("", Kind::Broken),
        ("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", Kind::Malformed),
        ("HTTP/1.1 999999 x\r\n\r\n", Kind::Malformed),
    ] {
        let outcome = given(answer);
        assert_eq!(outcome.failure().kind, kind, "{answer:?}: {}", outcome.words());
    }
    // A page leads nowhere but to the web.
    let server = answering("SSH-2.0-OpenSSH_9\r\n");
    let led = Some(wayfarer::url::Url::parse("http://h/").unwrap());
    let outcome = fetch(&Request { led, ..request(&url(&server, "/")) }, &context());
    assert_eq!(outcome.failure().kind, Kind::Malformed, "{}", outcome.words());
    let endless =
        Server::start(vec![vec![Step::Head, send("HTTP/1.1 200 OK\r\n"), Step::Forever(b"A: b\r\n".to_vec())]]);
    assert_eq!(get(&url(&endless, "/")).failure().kind, Kind::Malformed);
}

#[test]
fn a_head_of_hundreds_of_fields_is_read_and_a_longer_one_called_so() {
    let many = |count| "A: b\r\n".repeat(count);
    let page = given(format!("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n{}\r\nx", many(500)));
    assert_eq!(page.text(), "x", "{}", page.failure.map(|error| error.detail).unwrap_or_default());
    let more = given(format!("HTTP/1.1 200 OK\r\n{}\r\n", many(600)));
    assert!(more.words().contains("a head that is too long"), "{}", more.words());
    assert!(!more.words().contains("not in HTTP"), "{}", more.words());
}

#[test]
fn servers_older_than_the_rules_are_shown() {
    for (answer, media, text, line) in [
        ("<html><h1>Old</h1>", "text/html", "<html><h1>Old</h1>", "HTTP/0.9: the answer has no head"),
        ("just words\n", "text/plain", "just words\n", "HTTP/0.9: "),
        ("IC", "text/plain", "IC", "HTTP/0.9: "),
        (
            "ICY 200 OK\r\nicy-name: x\r\nContent-Type: text/plain\r\n\r\nradio",
            "text/plain",
            "radio",
            "HTTP/1.0 200 OK",
        ),
    ] {
        let server = Server::start(vec![vec![Step::Head, send(answer)], vec![Step::Head, send(answer)]]);
        let outcome = get(&url(&server, "/"));
        assert_eq!((outcome.media(), outcome.text().as_str()), (media, text), "{answer:?}");
        let lines = outcome.head.unwrap().lines;
        assert!(lines[0].starts_with(line), "{lines:?}");
    }
}

#[test]
fn an_answer_of_nothing_says_so() {
    for status in ["204 No Content", "205 Reset Content"] {
        let said = given(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n")).head.unwrap().nothing;
        assert_eq!(said.as_deref(), Some(status));
    }
    assert_eq!(given(ok("", "")).head.unwrap().nothing, None);
}

#[test]
fn hosts_that_are_not_there_are_told_apart() {
    let closed = DeadPort::new();
    assert_eq!(get(&format!("http://127.0.0.1:{}/", closed.port())).failure().kind, Kind::Refused);
    let nowhere = get("http://nowhere.invalid/");
    assert_eq!(nowhere.failure().kind, Kind::NoSuchHost, "{}", nowhere.words());
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_refused() {
    let server = Server::secure(vec![vec![Step::Head]], super::server::certificate());
    let outcome = get(&format!("https://127.0.0.1:{}/", server.port));
    assert_eq!(outcome.failure().kind, Kind::Secure, "{}", outcome.words());
    assert!(outcome.words().contains("REFUSED"), "{}", outcome.words());
    assert!(outcome.words().contains("nobody who is known vouches"), "{}", outcome.words());
    // Clear text where TLS is expected: nothing was sent.
    let server = Server::start(vec![vec![Step::Octets(5), send("HTTP/1.1 400 Bad Request\r\n\r\n")]]);
    let outcome = get(&format!("https://127.0.0.1:{}/secret", server.port));
    assert_eq!(outcome.failure().kind, Kind::Secure, "{}", outcome.words());
    assert!(!server.received()[0].windows(6).any(|octets| octets == b"secret"));
}

#[test]
fn a_page_cut_over_tls_is_told_in_words_for_readers() {
    let cut = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 900\r\n\r\nA beginning";
    let visits = vec![vec![Step::Head], vec![Step::Head, send(cut), Step::Abandon]];
    let server = Server::secure(visits, super::server::certificate());
    let (url, context) = (format!("https://127.0.0.1:{}/", server.port), context());
    let fingerprint = fetch(&request(&url), &context).failure().certificate.clone().unwrap().certificate.fingerprint;
    context.tls.trust("127.0.0.1", &fingerprint);
    let outcome = fetch(&request(&url), &context);
    assert_eq!(outcome.text(), "A beginning");
    let said = outcome.cut().unwrap();
    assert!(said.contains("the server ended TLS without its goodbye") && !said.contains("docs.rs"), "{said}");
}

#[test]
fn a_refused_body_is_not_read() {
    let server = answering(ok("Content-Type: application/x-x\r\n", "x"));
    assert!(refuse(&request(&url(&server, "/")), &context()).body.is_empty());
}

#[test]
fn a_kept_connection_that_the_server_has_just_closed_is_replaced() {
    replaced(vec![Step::Head]);
}

#[test]
fn a_kept_connection_that_the_server_has_just_reset_is_replaced() {
    replaced(vec![Step::Line, Step::Reset]);
}

/// A second request over a kept connection, to which the server does this.
fn replaced(end: Vec<Step>) {
    let first = [vec![Step::Head, send(ok("Content-Type: text/plain\r\n", "one"))], end].concat();
    let server = Server::start(vec![first, vec![Step::Head, send(ok("Content-Type: text/plain\r\n", "two"))]]);
    let context = context();
    let place = request(&url(&server, "/"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // Connections are kept as long as the runtime that drives them.
    let texts = runtime
        .block_on(async { [super::client::read(&place, &context).await, super::client::read(&place, &context).await] });
    assert_eq!(texts, ["one", "two"]);
    assert_eq!(server.received().len(), 2);
}

#[test]
fn a_body_is_posted_once() {
    let taken = send(ok("Content-Type: text/plain\r\n", "taken"));
    let server = Server::start(vec![vec![Step::Head, Step::Octets(9), taken]]);
    let content = Content { media: "application/x-www-form-urlencoded".into(), octets: b"a=1&b=%20".to_vec() };
    let outcome = fetch(&Request { body: Some(content), ..request(&url(&server, "/form?x")) }, &context());
    assert_eq!(outcome.text(), "taken");
    let sent = server.line();
    assert!(sent.starts_with("POST /form?x HTTP/1.1\r\n"), "{sent}");
    assert!(sent.contains("content-type: application/x-www-form-urlencoded\r\n"), "{sent}");
    assert!(sent.ends_with("content-length: 9\r\n\r\na=1&b=%20"), "{sent}");
}

/// Found by fuzzing: it is shown, and kept with the session.
#[test]
fn a_media_type_with_control_characters_is_none() {
    let odd = given(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\x9b2J\r\nContent-Length: 5\r\n\r\nhello");
    assert_eq!(odd.media(), "text/plain", "as it looks");
}

#[test]
fn what_a_server_forbids_to_keep_or_gave_to_one_reader_alone_is_not_for_keeping() {
    for (fields, unkept) in [
        ("", false),
        ("Cache-Control: private, max-age=0\r\n", false),
        ("Cache-Control: no-cache\r\n", false),
        ("Cache-Control: no-store\r\n", true),
        ("Cache-Control: private,  No-Store\r\n", true),
        ("Cache-Control: private\r\nCache-Control: no-store\r\n", true),
    ] {
        assert_eq!(given(ok(fields, "x")).head.unwrap().unkept, unkept, "{fields}");
    }
    let steps = vec![
        vec![Step::Head, send(ok("Set-Cookie: id=7\r\nConnection: close\r\n", "one"))],
        vec![Step::Head, send(ok("Connection: close\r\n", "two"))],
    ];
    let server = Server::start(steps);
    let place = url(&server, "/");
    let context = context();
    let unkept = [(), ()].map(|()| fetch(&request(&place), &context).head.unwrap().unkept);
    assert_eq!(unkept, [false, true], "the second one was sent the cookie");
}
