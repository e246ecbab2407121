//! How `url check` asks: as nobody in particular, no more than it may, and not where robots are not wanted.

use super::command_line::Place;
use super::server::{Server, whole};
use super::url_check::{results, rows};
use super::web::Web;

/// Runs it without pauses; the exit status and what became of each link.
fn check(arguments: &[&str]) -> (i32, Vec<String>) {
    let (status, out, err) = Place::new().run(&[&["url", "check", "--json", "--pause", "0"], arguments].concat());
    assert_eq!(err, "", "{out}");
    (status, results(&out))
}

#[test]
fn the_readers_cookies_stay_at_home_unless_asked_for() {
    let web = Web::start(&[
        ("/", "200 OK", "<a href=a>x</a>"),
        ("/a", "200 OK", ""),
        ("/set", "200 OK\r\nSet-Cookie: name=value; Max-Age=3600", "set"),
        ("/other", "200 OK\r\nSet-Cookie: other=value; Max-Age=3600", "<a href=a>x</a>"),
    ]);
    let place = Place::new();
    place.write(".config/wayfarer/settings.toml", "[http]\ncookies = \"keep\"\n");
    assert_eq!(place.run(&["--dump", &web.url("/set")]).0, 0);
    let cookies = |arguments: &[&str]| {
        let before = web.heads().len();
        let (status, _, err) = place.run(&[&["url", "check", "--pause", "0"], arguments].concat());
        assert_eq!((status, err.as_str()), (0, ""));
        web.heads()[before..].iter().map(|head| head.to_ascii_lowercase().contains("\ncookie: name=value")).collect()
    };
    let (page, other): (String, String) = (web.url("/"), web.url("/other"));
    let all: [Vec<bool>; 3] = [cookies(&[&page]), cookies(&[&other]), cookies(&["--cookies", &page])];
    assert_eq!(all, [vec![false, false], vec![false, false], vec![true, true]]);
    let kept = std::fs::read_to_string(place.path().join(".local/share/wayfarer/cookies")).expect("the jar");
    assert!(kept.contains("name") && !kept.contains("other"), "{kept}");
}

#[test]
fn every_step_of_a_redirect_counts_and_is_held_against_the_robots_of_its_host() {
    let other = Web::start(&[
        ("/robots.txt", "200 OK", "User-agent: *\nDisallow: /private"),
        ("/private", "200 OK", ""),
        ("/open", "200 OK", "<a href=/further>x</a>"),
    ]);
    let to = |path: &str| format!("302 Found\r\nLocation: {}", other.url(path));
    let web = Web::start(&[
        ("/", "200 OK", "<a href=go>x</a> <a href=open>x</a>"),
        ("/go", &to("/private"), ""),
        ("/open", &to("/open"), ""),
    ]);
    assert_eq!(check(&["--depth", "3", &web.url("/")]), (0, vec!["unchecked".into(), "moved".into()]));
    // A page of another host is no page of those that are read deeper.
    assert_eq!(other.asked(), ["/robots.txt", "/open"]);
    let before = other.asked().len();
    assert_eq!(check(&["--max", "2", &web.url("/")]), (0, vec!["unchecked".into(), "unchecked".into()]));
    assert_eq!(other.asked().len(), before, "the page and the first step are two");
    // A page given that is elsewhere makes that host one of those given.
    let (status, out, _) =
        Place::new().run(&["url", "check", "--json", "--depth", "2", "--pause", "0", &web.url("/open")]);
    assert_eq!((status, rows(&out).len(), results(&out)), (1, 1, vec!["gone".to_owned()]), "{out}");
}

/// What becomes of links to `/a` and `/private/b.pdf?x` on a host with these rules, where robots may read on.
fn with_rules(status: &str, rules: &str) -> Vec<String> {
    let web = Web::start(&[
        ("/", "200 OK", "<a href=/a>x</a> <a href=/private/b.pdf?x>x</a>"),
        ("/a", "200 OK", ""),
        ("/private/b.pdf?x", "200 OK", ""),
        ("/robots.txt", status, rules),
        ("/rules", "200 OK", rules),
    ]);
    let (status, results) = check(&["--depth", "2", &web.url("/")]);
    assert_eq!(status, 0);
    let asked = web.asked().iter().filter(|path| *path != "/robots.txt" && *path != "/rules").count() - 1;
    assert_eq!(asked, results.iter().filter(|result| *result == "ok").count());
    results
}

#[test]
fn rules_for_robots_are_read_as_rfc_9309_says() {
    let (may, not) = (["ok", "ok"], ["ok", "unchecked"]);
    assert_eq!(with_rules("200 OK", "User-agent: *\nDisallow: /*.pdf"), not);
    assert_eq!(with_rules("200 OK", "User-agent: *\nDisallow: /*.pdf$"), may);
    assert_eq!(with_rules("200 OK", "User-agent: *\nDisallow: /*?x$"), not);
    assert_eq!(with_rules("200 OK", "User-agent: *\nDisallow: /p%72ivate/"), not);
    // An own group that forbids nothing is for us all the same.
    assert_eq!(with_rules("200 OK", "User-agent: *\nDisallow: /\n\nUser-agent: wayfarer\nDisallow:\n"), may);
    assert_eq!(
        with_rules("200 OK\r\nContent-Type: application/octet-stream", "User-agent: *\nDisallow: /private"),
        not
    );
    // Nobody knows the rules, or there are none (2.3.1.3, 2.3.1.4).
    assert_eq!(with_rules("503 Service Unavailable", ""), ["unchecked", "unchecked"]);
    assert_eq!(with_rules("403 Forbidden", "User-agent: *\nDisallow: /"), may);
    assert_eq!(with_rules("302 Found\r\nLocation: /rules", "User-agent: *\nDisallow: /private"), not);
    assert_eq!(with_rules("302 Found\r\nLocation: /robots.txt", ""), may);
}

#[test]
fn gopher_servers_say_the_same_of_their_selectors() {
    let menu = "0A\t/a\t127.0.0.1\t{port}\r\n0B\t/private/b\t127.0.0.1\t{port}\r\n.\r\n";
    let rules = whole("User-agent: *\r\nDisallow: /private\r\n");
    let server = Server::start(vec![("", whole(menu)), ("/a", whole("text\r\n.\r\n")), ("/robots.txt", rules)]);
    assert_eq!(check(&["--depth", "2", &server.url("1")]), (0, vec!["ok".into(), "unchecked".into()]));
    assert_eq!(server.asked(), ["", "/robots.txt", "/a"]);
}
