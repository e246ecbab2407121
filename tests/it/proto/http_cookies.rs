//! Cookies over HTTP: to whom they go back, what is kept of them, and the reader's word.

use super::client::{context, fetch, request};
use super::http::{answering, get_with, ok, sent, url};
use super::server::{Server, Step, send};
use std::sync::Arc;
use wayfarer::config::{self, CookieRule};
use wayfarer::disk::{Kept, Writer};
use wayfarer::proto::Context;
use wayfarer::proto::http::Web;

/// A jar that is written by the time when whoever uses it is gone.
fn kept(jar: &std::path::Path) -> Kept {
    Kept { file: jar.into(), writer: Arc::new(Writer::new(|_| {}).unwrap()) }
}

fn with(settings: config::Http) -> Context {
    Context { http: Web::new(settings, None), ..context() }
}

#[test]
fn cookies_go_back_to_the_host_that_set_them_unless_the_reader_denies_it() {
    let visits = || {
        let set = ok("Set-Cookie: a=1; Path=/\r\nSet-Cookie: evil=1; Domain=com\r\nConnection: close\r\n", "x");
        Server::start(vec![vec![Step::Head, send(set)], vec![Step::Head, send(ok("Connection: close\r\n", "y"))]])
    };
    let second = |context: &Context| {
        let server = visits();
        let place = url(&server, "/");
        for _ in 0..2 {
            assert!(fetch(&request(&place), context).failure.is_none());
        }
        String::from_utf8(server.received()[1].clone()).unwrap().to_lowercase()
    };
    let sent = second(&with(config::Http::default()));
    assert!(sent.contains("cookie: a=1\r\n"), "{sent}");
    let never = config::Http { cookies: CookieRule::Never, ..config::Http::default() };
    assert!(!second(&with(never)).contains("cookie:"));
    let hosts = [("127.0.0.1".to_owned(), CookieRule::Never)].into();
    assert!(!second(&with(config::Http { cookie_hosts: hosts, ..config::Http::default() })).contains("cookie:"));
}

#[test]
fn cookies_that_may_be_kept_survive_the_program_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("deep/cookies");
    let keep = config::Http { cookies: CookieRule::Keep, ..config::Http::default() };
    let context = || Context { http: Web::new(keep.clone(), Some(kept(&jar))), ..context() };
    let set = ok("Set-Cookie: long=1; Max-Age=100000; Path=/\r\nSet-Cookie: short=1\r\n", "x");
    let server = answering(set);
    let place = url(&server, "/");
    assert!(fetch(&request(&place), &context()).failure.is_none());
    let port = server.port;
    server.received();
    assert_eq!(std::fs::metadata(&jar).unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&jar).unwrap();
    assert!(text.starts_with("# wayfarer cookies 1\nhttp://127.0.0.1/\tlong=1; ") && !text.contains("short"), "{text}");
    // Cookies whose end is lost: when they end, or a part of what they say.
    let cut = "http://127.0.0.1/\tcut=1; Path=/; Max-";
    let zeros = "http://127.0.0.1/\tzeros=1\0\0; Path=/; Max-Age=100000";
    std::fs::write(&jar, format!("{text}no cookie\n{cut}\n{zeros}\n")).unwrap();
    let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let server = Server::run(listener, vec![vec![Step::Head, send(ok("", "y"))]], None);
    let again = context();
    assert!(fetch(&request(&place), &again).failure.is_none());
    assert!(sent(server).contains("cookie: long=1\r\n"));
    let complaints = again.http.cookies.complaints();
    assert!(complaints.len() == 3 && complaints[0].ends_with("line 3: this is no cookie"), "{complaints:?}");
    drop(again);
    let server = answering(ok("Set-Cookie: more=1; Max-Age=100000; Path=/\r\n", "x"));
    assert!(fetch(&request(&url(&server, "/")), &context()).failure.is_none());
    let aside = std::fs::read_to_string(jar.with_extension("bad")).unwrap();
    assert_eq!(aside, format!("no cookie\n{cut}\n{zeros}\n"));
}

#[test]
fn two_jars_keep_each_others_cookies_and_what_one_forgets_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("cookies");
    let keep = config::Http { cookies: CookieRule::Keep, ..config::Http::default() };
    let context = || Context { http: Web::new(keep.clone(), Some(kept(&jar))), ..context() };
    let (one, other) = (context(), context());
    let set = |name: &str| {
        let answer = ok(&format!("Set-Cookie: {name}=1; Max-Age=100000; Path=/\r\nConnection: close\r\n"), "x");
        answering(answer)
    };
    // Both have read the file before anything is in it.
    assert!(one.http.cookies.sites().is_empty() && other.http.cookies.sites().is_empty());
    for (context, name) in [(&one, "a"), (&other, "b"), (&one, "c")] {
        let server = set(name);
        assert!(fetch(&request(&url(&server, "/")), context).failure.is_none());
    }
    drop((one, other));
    let text = || std::fs::read_to_string(&jar).unwrap();
    assert!(["a", "b", "c"].iter().all(|name| text().contains(&format!("\t{name}=1; "))), "{}", text());
    let (one, other) = (context(), context());
    assert_eq!((one.http.cookies.sites().len(), other.http.cookies.sites().len()), (1, 1));
    assert!(one.http.cookies.forget("127.0.0.1"));
    drop(one);
    let server = set("d");
    assert!(fetch(&request(&url(&server, "/")), &other).failure.is_none());
    drop(other);
    assert!(text().contains("\td=1; ") && !text().contains("\ta=1; "), "{}", text());
    // A newer file is told of, and left alone.
    std::fs::write(&jar, "# wayfarer cookies 9\nwhatever\n").unwrap();
    let newer = context();
    let server = set("e");
    assert!(fetch(&request(&url(&server, "/")), &newer).failure.is_none());
    assert!(newer.http.cookies.complaints()[0].contains("cookies:1: from a newer Wayfarer (version 9)"));
    drop(newer);
    assert_eq!(text(), "# wayfarer cookies 9\nwhatever\n");
}

#[test]
fn cookies_wait_for_the_readers_word_which_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("cookies");
    let ask = config::Http { cookies: CookieRule::Ask, ..config::Http::default() };
    let context = || Context { http: Web::new(ask.clone(), Some(kept(&jar))), ..context() };
    let set = || send(ok("Set-Cookie: id=hidden; Max-Age=100000\r\nSet-Cookie: s=1\r\nConnection: close\r\n", "x"));
    let server = Server::start((0..6).map(|_| vec![Step::Head, set()]).collect());
    let place = request(&url(&server, "/"));
    let (first, again) = (context(), context());
    assert!(fetch(&place, &first).failure.is_none());
    let wanting = first.http.cookies.wanting();
    assert_eq!(
        (wanting[0].host.as_str(), wanting[0].names.as_slice()),
        ("127.0.0.1", ["id".into(), "s".into()].as_slice())
    );
    assert_eq!(first.http.cookies.wanting(), [], "each host is asked about once");
    assert!(fetch(&place, &first).failure.is_none());
    first.http.cookies.choose("127.0.0.1", CookieRule::Keep);
    assert!(fetch(&place, &first).failure.is_none());
    // Another run knows the answer, and what is kept.
    drop(first);
    assert!(fetch(&place, &again).failure.is_none());
    assert_eq!(again.http.cookies.wanting(), []);
    let page = get_with("about:cookies", &again).text();
    assert!(
        page.contains("## 127.0.0.1") && page.contains("* id, until 2") && page.contains("* s, until Way"),
        "{page}"
    );
    assert!(!page.contains("hidden"), "{page}");
    let page = get_with("about:cookies?forget=127.0.0.1", &again).text();
    assert!(page.contains("are forgotten") && page.contains("No site has any"), "{page}");
    assert!(fetch(&place, &again).failure.is_none());
    assert_eq!(again.http.cookies.wanting().len(), 1, "what was answered is forgotten too");
    again.http.cookies.choose("127.0.0.1", CookieRule::Never);
    assert!(fetch(&place, &again).failure.is_none());
    drop(again);
    assert_eq!(std::fs::read_to_string(&jar).unwrap(), "# wayfarer cookies 1\n127.0.0.1\tnever\n");
    let sent: Vec<bool> = server
        .received()
        .iter()
        .map(|head| String::from_utf8_lossy(head).to_lowercase().contains("id=hidden"))
        .collect();
    assert_eq!(sent, [false, false, true, true, false, false]);
}
