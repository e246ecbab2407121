//! What web pages ask for in secret: logins and passwords, and where they are never seen.

use super::journey::{Journey, head};
use super::web_forms::{Forms, at};
use ratatui::{Terminal, backend::TestBackend};
use wayfarer::app::Overlay;
use wayfarer::format::media;
use wayfarer::proto::{Again, FetchError, FetchEvent, Head, Kind, Moved, Verdict};
use wayfarer::theme::Theme;
use wayfarer::view::draw;

#[test]
fn a_login_belongs_to_one_origin() {
    let denied = || FetchError::new(Kind::NeedsLogin, "h asks for user and password for \"R\".").hint("Clear text.");
    let j = Journey::new().open("http://h/a").fail(denied()).look(|j| match j.app.hands.overlays().last() {
        Some(Overlay::Form(state)) => {
            assert_eq!(state.title, "Log in to http://h");
            let labels: Vec<_> = state.fields.iter().map(|field| field.label.as_str()).collect();
            let said = "h asks for user and password for \"R\".";
            assert_eq!(labels, [said, "Clear text.", "User", "Password"]);
        }
        other => panic!("{other:?}"),
    });
    let login = |j: &Journey| j.fetches.last().unwrap().1.login.clone();
    let mut j = j.text("ada").keys("Enter").text("pw").keys("Enter");
    assert_eq!(login(&j).map(|login| (login.user, login.password)), Some((b"ada".to_vec(), b"pw".to_vec())));
    for other in ["http://o/", "https://h/", "http://h:8080/"] {
        j = j.moved(other, Again::Get).expect_fetch(other);
        assert_eq!(login(&j), None, "{other}");
    }
    let j = j.moved("http://h/b", Again::Get);
    assert!(login(&j).is_some());
}

#[test]
fn an_error_page_of_the_web_tells_its_status_and_its_redirects() {
    let status = Some("404 Not Found".to_owned());
    let j = Journey::new().open("http://h/").moved("/1", Again::Get).moved("/2", Again::Get);
    let j = j.event(FetchEvent::Head(Box::new(Head { status, ..head("http://h/2", media::PLAIN) })));
    let j = j.expect_verdict(Verdict::Accept).body(b"gone").end().keys("=");
    assert!(j.over().contains("retrieval  http://h/2 (2 redirects)  ◀ in force"), "{}", j.over());
    let came = "came by      http://h/ said 303 See Other\n             http://h/1 said 303 See Other\n";
    assert!(j.over().contains(came), "{}", j.over());
}

#[test]
fn a_password_in_an_address_is_on_no_error_page() {
    let j = at("http://h/", "<form action=/x><input type=password name=p></form>").keys("Enter").text("geheim");
    let j = j.keys("Enter").text("y").expect_fetch("http://h/x?p=geheim");
    let j = j.fail(FetchError::new(Kind::TimedOut, "h is silent.").tried("h port 80: GET /x?p=geheim HTTP/1.1"));
    let j = j.shows("p=***").keys("=");
    assert!(!j.over().contains("geheim"), "{}", j.over());
    assert!(!j.keys("Esc").page().contains("geheim"));
}

#[test]
fn a_password_that_a_redirect_repeats_stays_hidden() {
    let page = "<form action=/go><input name=u value='a b'><input type=password name=p><input type=submit></form>";
    let sent = || {
        let j = at("http://h/", page).keys("Down Enter").text("hunter 2").keys("Enter Down Enter").text("y");
        j.expect_fetch("http://h/go?u=a+b&p=hunter+2")
    };
    for (to, shown) in [
        ("/go/?u=a+b&p=hunter+2", "http://h/go/?u=a+b&p=***"),
        ("/in?x=1&p=hunter%202#top", "http://h/in?x=1&p=***#top"),
        ("/in?x=1", "http://h/in?x=1"),
    ] {
        let j = sent().moved(to, Again::Get).expect_fetch(&format!("http://h{to}"));
        let mut j = j.answer("text/html", b"in").at_url(shown);
        let kept = format!("{:?} {:?}", j.effects, j.app.session());
        assert!(!kept.contains("hunter"), "{kept}");
        j.effects.clear();
    }
    let j = sent().moved("gopher://o/1/?p=hunter+2", Again::Get).asks("p=***");
    assert!(!format!("{:?}", j.app.hands.top()).contains("text: [\"hunter"));
}

#[test]
fn a_login_given_in_a_private_tab_is_that_tabs_alone() {
    let wants = || FetchError::new(Kind::NeedsLogin, "h asks for a password.");
    let j =
        Journey::new().open("http://o/").answer("text/html", b"other").run("private").text("http://h/").keys("Enter");
    let j = j.expect_fetch("http://h/").fail(wants()).text("joe").keys("Tab").text("hunter2").keys("Enter");
    let j = j.expect_fetch("http://h/");
    assert!(j.fetches.last().unwrap().1.login.is_some());
    let j = j.answer("text/html", b"in").keys("R").expect_fetch("http://h/");
    assert!(j.fetches.last().unwrap().1.login.is_some());
    // A tab that is not private asks for its own.
    let j = j.keys("{").at_url("http://o/").open("http://h/").expect_fetch("http://h/");
    assert_eq!(j.fetches.last().unwrap().1.login, None);
    // With the last private tab it is forgotten.
    let j = j.keys("} C-w x").run("private").text("http://h/").keys("Enter").expect_fetch("http://h/");
    assert_eq!(j.fetches.last().unwrap().1.login, None);
}

#[test]
fn a_password_that_a_server_says_again_stays_hidden_however_it_is_written() {
    let page = |method: &str| {
        let form = "action=/go><input name=u value=joe><input type=password name=p><input type=submit></form>";
        format!("<form method={method} {form}")
    };
    for (to, shown) in [
        ("/in?u=joe&p=p%C3%A4ss+w%26x", "http://h/in?u=joe&p=***"),
        ("/in?u=joe;p=p%c3%a4ss%20w%26x;z", "http://h/in?u=joe;p=***;z"),
        ("/in?next=%2Fx%3Fp%3Dp%25C3%25A4ss%2Bw%2526x%26y", "http://h/in?next=%2Fx%3Fp%3D***%26y"),
        ("/in/p%C3%A4ss%20w&x/end", "http://h/in/***/end"),
        ("/in?u=joe", "http://h/in?u=joe"),
    ] {
        for method in ["post", "get"] {
            let j = at("http://h/", &page(method)).keys("Tab Enter").text("päss w&x").keys("Enter Tab Enter");
            let j = if method == "get" { j.text("y") } else { j };
            let j = j.moved(to, Again::Get).expect_fetch(&format!("http://h{to}"));
            let j = j.answer("text/html", b"in").at_url(shown);
            let kept = format!("{:?} {:?}", j.app.session(), j.app.library.visits.newest().collect::<Vec<_>>());
            assert!(!kept.contains("ss") || !kept.contains("w%26x"), "{kept}");
        }
    }
    let sent = || {
        let j = at("http://h/", &page("post")).keys("Tab Enter").text("hunter2").keys("Enter Tab Enter");
        j.expect_fetch("http://h/go")
    };
    sent().moved("gopher://o/7/x%09p=hunter2", Again::Get).asks("gopher://o/7/x%09p=***");
    sent().moved("file:///tmp/x?p=hunter2", Again::Get).shows("file:///tmp/x?p=***");
    // What is short stands in most addresses by chance.
    let j = at("http://h/", &page("post")).keys("Tab Enter").text("h").keys("Enter Tab Enter");
    j.moved("/hh?p=h&q=hh", Again::Get).answer("text/html", b"in").at_url("http://h/hh?p=***&q=hh");
}

fn screen(j: &Journey) -> String {
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
    let frame = terminal.draw(|frame| drop(draw(frame, &j.app, &Theme::default()))).unwrap();
    frame.buffer.content.iter().map(|cell| cell.symbol()).collect()
}

#[test]
fn a_password_that_a_server_says_again_in_the_name_of_a_place_stays_hidden() {
    let page = "<form method=post action=/go><input type=password name=p><input type=submit></form>";
    let sent = |secret: &str| {
        at("http://h/", page).keys("Enter").text(secret).keys("Enter Tab Enter").expect_fetch("http://h/go")
    };
    let hides = |j: &Journey| {
        let visits: Vec<_> = j.app.library.visits.newest().collect();
        let kept = format!("{:?} {:?} {}", j.app.session(), visits, screen(j)).to_lowercase();
        assert!(!kept.contains("hunter") && !kept.contains("h%75nter"), "{kept}");
    };
    for (to, shown) in [
        ("http://Hunter2xyz@h/n", "http://***@h/n"),
        ("http://u:Hunter2xyz@h/n", "http://u:***@h/n"),
        ("http://hunter2xyz.localhost/", "http://***.localhost/"),
        ("http://h%75nter2xyz/", "http://***/"),
        ("//HUNTER2XYZ:8080/a?b", "http://***:8080/a?b"),
    ] {
        let j = sent("Hunter2xyz").moved(to, Again::Get);
        hides(&j);
        let j = j.fail(FetchError::new(Kind::NoSuchHost, "No host is named hunter2xyz.").tried("hunter2xyz port 80"));
        hides(&j);
        assert_eq!(j.app.entry().unwrap().url.redacted(), shown);
        let j = j.keys("=");
        hides(&j);
        let j = sent("Hunter2xyz").moved(to, Again::Get).answer("text/html", b"in");
        hides(&j.keys("="));
    }
    for to in [
        "gopher://hunter2xyz.h/0/Hunter2xyz",
        "file://Hunter2xyz/",
        "http://h:18080:Hunter2xyz/",
        "http://h:hunter2xyz/",
        "gopher://h/hURL:http://hunter2xyz/",
        "http://hunter2xyz:25/",
        "ftp://hunter2xyz:81/",
        "about:hunter2xyz",
    ] {
        let j = sent("Hunter2xyz").moved(to, Again::Get);
        hides(&j);
        hides(&j.keys("y"));
    }
    // As IDN writes it.
    let j = sent("h\u{fc}nterpass").moved("http://xn--hnterpass-q9a/", Again::Get);
    assert!(!screen(&j).contains("hnterpass"), "{}", screen(&j));
    // A page that says it again in its links: those do not keep it.
    let j = sent("Hunter2xyz").answer("text/html", b"<a href=http://hunter2xyz/>in</a>").keys("Tab");
    hides(&j);
    let j = j.keys("Enter").expect_fetch("http://hunter2xyz/").answer("text/html", b"in").at_url("http://***/");
    hides(&j);
}

#[test]
fn a_password_in_an_address_is_on_no_page_that_a_redirect_leads_to() {
    let j = at("http://h/", "<form action=/x><input type=password name=p></form>").keys("Enter").text("geheim");
    let j = j.keys("Enter").text("y").expect_fetch("http://h/x?p=geheim");
    let (from, status) = (j.fetches.last().unwrap().1.url.clone(), "302 Found".into());
    let j =
        j.event(FetchEvent::Moved(Box::new(Moved { from, to: "/y".into(), status, again: Again::Get, unkept: false })));
    let j = j.expect_fetch("http://h/y").answer("text/html", b"in").keys("=");
    assert!(j.over().contains("p=*** said 302 Found") && !j.over().contains("geheim"), "{}", j.over());
}
