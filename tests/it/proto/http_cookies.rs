//! Cookies over HTTP: to whom they go back, what is kept of them, and the reader's word.

use super::client::{context, fetch, request};
use super::http::{answering, get_with, ok, sent, url};
use super::server::{Server, Step, send};
use reqwest::cookie::CookieStore;
use reqwest::header::HeaderValue;
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

/// A subscription that was looked at had set one, and the next look sent it.
#[test]
fn where_nobody_watches_cookies_are_given_and_none_is_taken_or_asked_about() {
    let set = |name: &str| send(ok(&format!("Set-Cookie: {name}=1; Path=/\r\nConnection: close\r\n"), "x"));
    for rule in [CookieRule::Session, CookieRule::Ask] {
        let server = Server::start(["a", "b", "c"].map(|name| vec![Step::Head, set(name)]).to_vec());
        let context = with(config::Http { cookies: rule, ..config::Http::default() });
        for unwatched in [true, false, true] {
            let asked = wayfarer::proto::Request { unwatched, ..request(&url(&server, "/")) };
            assert!(fetch(&asked, &context).failure.is_none());
            assert!(!unwatched || context.http.cookies.wanting().iter().all(|host| host.names == ["b"]));
        }
        let sent = server.received().into_iter().map(|head| String::from_utf8(head).unwrap().to_lowercase());
        let given: Vec<bool> = sent.map(|head| head.contains("cookie: b=1\r\n")).collect();
        assert_eq!(given, [false, false, rule == CookieRule::Session], "{rule:?}");
        let names = context.http.cookies.sites().into_iter().flat_map(|site| site.cookies);
        assert!(names.into_iter().all(|(name, _)| name == "b"), "{rule:?}");
    }
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

/// Nobody reads a hundred thousand sentences, and no store holds as many cookies.
#[test]
fn a_long_file_of_cookies_is_read_and_what_is_wrong_with_it_told_in_a_few_words() {
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("cookies");
    let keep = config::Http { cookies: CookieRule::Keep, ..config::Http::default() };
    let lines = |n: usize| format!("http://h{}.example/\tc{n}=1; Path=/; Max-Age=100000\nno cookie {n}\n", n / 2);
    std::fs::write(&jar, (0..20_000).map(lines).collect::<String>()).unwrap();
    let web = Web::new(keep, Some(kept(&jar)));
    let complaints = web.cookies.complaints();
    assert_eq!(complaints.len(), 11, "{complaints:?}");
    assert!(complaints[10].ends_with("19990 more lines are no cookies"), "{complaints:?}");
    assert_eq!(web.cookies.sites().iter().map(|site| site.cookies.len()).sum::<usize>(), 3000);
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

/// A jar in which a place has set cookies.
fn jar(place: &str, cookies: &[&str]) -> Web {
    let web = Web::new(config::Http::default(), None);
    let fields: Vec<HeaderValue> = cookies.iter().map(|cookie| HeaderValue::from_str(cookie).unwrap()).collect();
    web.cookies.set_cookies(&mut fields.iter(), &place.parse().unwrap());
    web
}

/// How many cookies a jar gives to a place.
fn count(web: &Web, place: &str) -> usize {
    let given = web.cookies.given(&place.parse().unwrap(), None, false);
    given.map_or(0, |given| given.to_str().unwrap().split("; ").count())
}

fn set(web: &Web, place: &str, cookies: impl Iterator<Item = String>) {
    let fields: Vec<HeaderValue> = cookies.map(|cookie| HeaderValue::from_str(&cookie).unwrap()).collect();
    web.cookies.set_cookies(&mut fields.iter(), &place.parse().unwrap());
}

#[test]
fn an_answer_with_thousands_of_cookies_shuts_the_jar_for_nobody() {
    let web = jar("https://good.example/", &["before=1"]);
    set(&web, "https://greedy.example/", (0..3200).map(|at| format!("c{at}=1")));
    assert_eq!(count(&web, "https://greedy.example/"), 200, "a site has a share");
    set(&web, "https://greedy.example/", ["c3199=2".into(), "c3198=; Max-Age=0".into()].into_iter());
    let given = web.cookies.given(&"https://greedy.example/".parse().unwrap(), None, false).unwrap();
    let given = given.to_str().unwrap();
    assert!(given.contains("c3199=2") && !given.contains("c3198="), "what is full can be changed");
    set(&web, "https://other.example/", ["after=1".into()].into_iter());
    assert_eq!((count(&web, "https://good.example/"), count(&web, "https://other.example/")), (1, 1));
    // Names below one site are one site.
    for host in 0..40 {
        set(&web, &format!("https://h{host}.greedy.example/"), (0..180).map(|at| format!("c{at}=1")));
    }
    assert_eq!((count(&web, "https://good.example/"), count(&web, "https://h0.greedy.example/")), (1, 0));
}

#[test]
fn a_full_jar_loses_the_oldest_of_the_site_that_has_most() {
    let web = jar("https://good.example/", &["before=1"]);
    for host in 0..30 {
        set(&web, &format!("https://greedy{host}.example/"), (0..180).map(|at| format!("c{at}=1")));
    }
    let all: usize = (0..30).map(|host| count(&web, &format!("https://greedy{host}.example/"))).sum();
    assert_eq!((all, count(&web, "https://good.example/")), (2999, 1));
    assert!(count(&web, "https://greedy29.example/") > 50, "the newest are taken");
}

#[test]
fn cookies_go_along_from_other_sites_only_as_they_say() {
    let set = ["s=1; SameSite=Strict", "l=1; SameSite=Lax", "d=1", "n=1; SameSite=None; Secure", "x=1; SameSite=None"];
    let web = jar("https://www.bank.example/", &set);
    let given = |led: Option<&str>, changes| {
        let led = led.map(|page| wayfarer::url::Url::parse(page).unwrap());
        let given = web.cookies.given(&"https://pay.bank.example/".parse().unwrap(), led.as_ref(), changes);
        assert_eq!(given, None, "a host's cookies are no other's");
        let given = web.cookies.given(&"https://www.bank.example/pay".parse().unwrap(), led.as_ref(), changes);
        let mut names: Vec<String> =
            given.unwrap().to_str().unwrap().split("; ").map(|pair| pair.replace("=1", "")).collect();
        names.sort();
        names.join(" ")
    };
    for changes in [false, true] {
        assert_eq!(given(None, changes), "d l n s", "what the reader names is of no other site");
        assert_eq!(given(Some("https://pay.Bank.example/x"), changes), "d l n s");
    }
    for other in ["https://evil.example/", "http://www.bank.example/", "file:///home/x.html", "gopher://h/1/"] {
        assert_eq!(given(Some(other), false), "d l n", "{other}");
        assert_eq!(given(Some(other), true), "n", "{other}");
    }
}

#[test]
fn a_site_is_what_somebody_has_registered() {
    let strict = |place: &str, led: &str| {
        let web = jar(place, &["s=1; SameSite=Strict"]);
        web.cookies.given(&place.parse().unwrap(), Some(&wayfarer::url::Url::parse(led).unwrap()), false).is_some()
    };
    assert!(strict("http://a.b.org/", "http://c.b.org/") && strict("http://b.org/", "http://a.b.org/"));
    assert!(strict("http://a.b.co.uk/", "http://b.co.uk/") && !strict("http://a.co.uk/", "http://b.co.uk/"));
    assert!(!strict("http://10.0.0.1/", "http://10.1.0.1/") && strict("http://10.0.0.1/", "http://10.0.0.1:81/"));
    assert!(!strict("http://[::1]/", "http://[::2]/"));
}

#[test]
fn cookies_keep_the_promises_of_their_names() {
    let taken =
        |place: &str, cookie: &str| jar(place, &[cookie]).cookies.given(&place.parse().unwrap(), None, false).is_some();
    for (cookie, secure, clear) in [
        ("a=1", true, true),
        ("a=1; Secure", true, false),
        ("__Secure-a=1", false, false),
        ("__Secure-a=1; Secure", true, false),
        ("__host-a=1; Secure", false, false),
        ("__Host-a=1; Secure; Path=/", true, false),
        ("__Host-a=1; Secure; Path=/; Domain=b.example", false, false),
        ("__Host-a=1; Secure; Path=/x", false, false),
        ("__Host-a=1; Path=/", false, false),
        ("a=1; SameSite=None", false, false),
    ] {
        assert_eq!(taken("https://b.example/x/y", cookie), secure, "{cookie} over TLS");
        assert_eq!(taken("http://b.example/x/y", cookie), clear, "{cookie} in clear text");
    }
}

/// RFC 6265bis, 5.7, steps 9 to 16: who reads along may not put another one in the place of a secure cookie, or before it.
#[test]
fn no_cookie_in_clear_text_stands_in_for_a_secure_one() {
    let given = |web: &Web, place: &str| {
        let given = web.cookies.given(&place.parse().unwrap(), None, false);
        given.map(|given| given.to_str().unwrap().to_owned()).unwrap_or_default()
    };
    for (from, cookie) in [
        ("http://b.example/", "a=evil"),
        ("http://b.example/", "a=; Max-Age=0"),
        ("http://b.example/", "a=evil; Domain=b.example"),
        ("http://b.example/x/", "a=evil; Path=/x"),
        ("http://www.b.example/", "a=evil; Domain=b.example"),
    ] {
        let web = jar("https://b.example/", &["a=1; Secure; Path=/"]);
        set(&web, from, [cookie.to_owned()].into_iter());
        assert_eq!(given(&web, "https://b.example/x/"), "a=1", "{from} {cookie}");
    }
    // One of another name or place is nobody's.
    let web = jar("https://b.example/", &["a=1; Secure; Path=/x"]);
    set(&web, "http://b.example/", ["b=2".to_owned(), "a=2; Path=/".into()].into_iter());
    assert_eq!(count(&web, "http://b.example/"), 2);
}

/// Names and domains that look like another host's.
#[test]
fn cookies_go_to_no_host_or_path_that_only_looks_like_theirs() {
    for (place, cookie, to, goes) in [
        ("http://b.example/", "a=1; Domain=b.example", "http://evilb.example/", false),
        ("http://evilb.example/", "a=1; Domain=b.example", "http://b.example/", false),
        ("http://b.example/", "a=1; Domain=.example", "http://c.example/", false),
        ("http://b.example/", "a=1; Domain=c.b.example", "http://c.b.example/", false),
        ("http://b.example/", "a=1", "http://c.b.example/", false),
        ("http://127.0.0.1/", "a=1; Domain=0.0.1", "http://9.0.0.1/", false),
        ("http://b.example/p/", "a=1; Path=/p", "http://b.example/pq", false),
        ("http://b.example/p/", "a=1; Path=/p", "http://b.example/p/q", true),
        ("http://b.example/p/", "a=1; Path=p", "http://b.example/p/", true),
        ("http://b.example/", "=__Host-a=1", "http://b.example/", false),
    ] {
        assert_eq!(count(&jar(place, &[cookie]), to) > 0, goes, "{place} {cookie:?} {to}");
    }
}

#[test]
fn a_form_from_another_site_brings_no_cookies() {
    let set = ok("Set-Cookie: a=1; Path=/\r\nConnection: close\r\n", "x");
    let closing = || send(ok("Connection: close\r\n", "y"));
    let server =
        Server::start(vec![vec![Step::Head, send(set)], vec![Step::Head, closing()], vec![Step::Head, closing()]]);
    let (place, context) = (url(&server, "/"), context());
    let led = |page: &str| Some(wayfarer::url::Url::parse(page).unwrap());
    let body = Some(wayfarer::proto::Content { media: "text/plain".into(), octets: Vec::new() });
    assert!(fetch(&request(&place), &context).failure.is_none());
    for (led, body) in [(led("http://evil.example/"), body), (led("http://evil.example/"), None)] {
        let asked = wayfarer::proto::Request { led, body, ..request(&place) };
        assert!(fetch(&asked, &context).failure.is_none());
    }
    let came: Vec<bool> =
        server.received().iter().map(|head| String::from_utf8_lossy(head).contains("cookie: a=1")).collect();
    assert_eq!(came, [false, false, true]);
}
