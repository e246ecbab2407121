//! Redirects: what is followed, what asks, what is refused.

use super::journey::{Journey, head, url};
use wayfarer::app::redirect::MOST;
use wayfarer::format::media;
use wayfarer::proto::{Again, FetchError, FetchEvent, Head, Kind, Moved};

trait Redirected {
    fn moved(self, to: &str) -> Self;
}

impl Redirected for Journey {
    /// The last fetch's server says that it is elsewhere.
    fn moved(self, to: &str) -> Journey {
        let from = self.fetches.last().unwrap().1.url.without_fragment();
        let moved = Moved { from, to: to.into(), status: "302 Found".into(), again: Again::Get, unkept: false };
        self.event(FetchEvent::Moved(Box::new(moved)))
    }
}

#[test]
fn the_place_that_answers_at_last_is_the_page_and_its_base() {
    Journey::new()
        .open("http://h/a/b?c#there")
        .expect_fetch("http://h/a/b?c#there")
        .moved("../d/")
        .expect_fetch("http://h/d/#there")
        .moved("//other/x#here")
        .expect_fetch("http://other/x#here")
        .answer(media::PLAIN, b"text")
        .at_url("http://other/x#here")
        .look(|j| assert_eq!(j.app.tab.history.len(), 1));
}

/// By that address its copy is found, too.
#[test]
fn the_address_that_was_asked_for_goes_along_where_all_on_the_way_may_be_kept() {
    let led = |j: &Journey| {
        let led = j.fetches.last().unwrap().1.redirected.clone()?;
        Some((led.from.as_str().to_owned(), led.said.clone()))
    };
    let j = Journey::new().open("http://h/a");
    assert_eq!(led(&j), None);
    let j = j.moved("/b");
    assert_eq!(led(&j), Some(("http://h/a".into(), "302 Found".into())));
    let not_kept = |j: Journey| {
        let from = j.fetches.last().unwrap().1.url.clone();
        let (to, status) = ("/d".into(), "302 Found".into());
        j.event(FetchEvent::Moved(Box::new(Moved { from, to, status, again: Again::Get, unkept: true })))
    };
    let j = j.moved("/c");
    assert_eq!(led(&j), Some(("http://h/a".into(), "302 Found, then 302 Found".into())));
    for j in [
        not_kept(j),
        not_kept(Journey::new().open("http://h/a")).moved("/e"),
        Journey::new().open("http://you@h/a").moved("http://h/b"),
        Journey::new().run("private http://h/a").moved("/b"),
    ] {
        assert_eq!(led(&j), None);
    }
}

#[test]
fn a_redirect_out_of_the_web_asks_with_the_whole_target() {
    let asked = |typed: &str| Journey::new().open("http://h/").expect_fetch("http://h/").moved(typed);
    asked("gopher://h/0/x").asks("gopher://h/0/x").text("y").free().expect_fetch("gopher://h/0/x");
    asked("ftp://h/x").asks("ftp://h/x").asks("302 Found").text("n").free().quiet();
    // Nothing is fetched from a port of another protocol, asked or not.
    asked("http://h:25/").quiet().shows("port 25");
    asked("http://h:300/").asks("300").text("y").free().expect_fetch("http://h:300/");
}

#[test]
fn a_redirect_to_a_file_of_this_machine_is_refused() {
    Journey::new()
        .open("http://h/")
        .expect_fetch("http://h/")
        .moved("file:///etc/passwd")
        .quiet()
        .free()
        .shows("file of this machine")
        // What is tried again is the server.
        .at_url("http://h/")
        .keys("R")
        .expect_fetch("http://h/");
}

#[test]
fn a_redirect_to_anything_of_this_machine_is_refused() {
    for to in [
        "mbox:///tmp/x",
        "MBOX:/tmp/x#1@x",
        "url:file:///etc/passwd",
        "url:mbox:/tmp/x",
        "archive://file%3A%2F%2F%2Ftmp%2Fx.zip/a",
    ] {
        let j = Journey::new().open("gemini://h/").expect_fetch("gemini://h/").moved(to).quiet().free();
        j.shows("file of this machine").at_url("gemini://h/");
    }
}

#[test]
fn a_redirect_asks_whatever_a_link_there_would_ask() {
    let from = |to: &str| Journey::new().open("gemini://h/").expect_fetch("gemini://h/").moved(to).quiet();
    let j =
        from("sftp://u@o/tmp/").asks("A server of the network leads to u@o, where ssh would log in with your keys.");
    j.asks("sftp://u@o/tmp/").text("y").free().expect_fetch("sftp://u@o/tmp/");
    from("sftp://o:70/tmp/").asks("Port 70 is reserved").asks("where ssh would log in").text("n").free().quiet();
    from("gopher://o:300/1/x").asks("Port 300 is reserved").text("y").expect_fetch("gopher://o:300/1/x");
    from("spartan://o/x?words").asks("Words that you have not typed").text("y").expect_fetch("spartan://o/x?words");
    from("url:sftp://o/tmp/").text("y").quiet().asks("where ssh would log in").text("y").expect_fetch("sftp://o/tmp/");
    // Of two servers in a row it is the last that leads there, wherever the reader is.
    let j = Journey::new().open("sftp://o/").expect_fetch("sftp://o/").answer(media::PLAIN, b"x").open("gemini://h/");
    j.expect_fetch("gemini://h/").moved("sftp://o/tmp/").quiet().asks("where ssh would log in");
}

#[test]
fn redirects_without_end_are_given_up() {
    let mut journey = Journey::new().open("http://h/0").expect_fetch("http://h/0");
    for n in 1..=MOST {
        journey = journey.moved(&format!("/{n}")).expect_fetch(&format!("http://h/{n}"));
    }
    journey.moved("/more").quiet().shows("more than 20 times").look(|j| {
        let page = j.app.entry().unwrap().page.as_ref().unwrap();
        assert!(matches!(&page.state, wayfarer::app::PageState::Failed(e) if e.kind == Kind::TooManyRedirects));
    });
}

#[test]
fn a_redirect_to_nonsense_says_so() {
    Journey::new().open("http://h/").expect_fetch("http://h/").moved("http://[/").quiet().shows("302 Found");
}

#[test]
fn a_page_that_has_not_changed_stays_as_it_is() {
    let answered = Head { validator: Some("\"v1\"".into()), ..head("http://h/", media::PLAIN) };
    Journey::new()
        .open("http://h/")
        .event(FetchEvent::Head(Box::new(answered)))
        .body(b"the text")
        .end()
        .keys("R")
        .look(|j| {
            let request = &j.fetches.last().unwrap().1;
            assert_eq!((request.url.clone(), request.unless.as_deref()), (url("http://h/"), Some("\"v1\"")));
        })
        .event(FetchEvent::Unchanged)
        .notes("not changed")
        .shows("the text");
}

#[test]
fn a_typed_host_is_tried_over_tls_and_clear_text_is_only_offered() {
    let refused = || FetchEvent::Failed(FetchError::new(Kind::Refused, "www.h.org refused the connection."));
    Journey::new()
        .keys("g")
        .text("www.h.org/x")
        .keys("Enter")
        .expect_fetch("https://www.h.org/x")
        .event(refused())
        .shows("the same in clear text, readable on the way: http://www.h.org/x")
        .keys("Tab Enter")
        .expect_fetch("http://www.h.org/x");
    // What was said is taken at its word, and this machine needs no TLS.
    for typed in ["http://www.h.org/", "http://localhost/", "http://h.org:8000/"] {
        let words = typed.strip_prefix("http://").filter(|_| !typed.contains("www")).unwrap_or(typed);
        Journey::new().keys("g").text(words).keys("Enter").expect_fetch(typed);
    }
    Journey::new().open("https://u:p@h.org/").event(refused()).look(|j| assert!(!j.page().contains("clear text")));
}
