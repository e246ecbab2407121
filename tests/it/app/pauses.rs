//! What comes by itself is laid over the page when the reader pauses, and takes no key before it can have been read.

use super::journey::Journey;
use std::time::Duration;
use wayfarer::app::{Msg, Overlay};
use wayfarer::proto::{End, FetchError, FetchEvent, Kind, Verdict};

const PAGE: &[u8] = b"<title>Fast</title><a href=/slow>slow</a> <a href=/other>other</a>\
                      <form><input name=u><input type=password name=p></form>";

fn wants_a_login() -> FetchError {
    FetchError::new(Kind::NeedsLogin, "h asks for a password.")
}

/// On the way to a page, at another with links and fields.
fn slow() -> Journey {
    let j = Journey::new().open("http://h/").answer("text/html", PAGE).quiet();
    j.hasty().keys("Enter").expect_fetch("http://h/slow")
}

fn is_at_login(j: &Journey) -> bool {
    matches!(j.app.hands.top(), Some(Overlay::Form(form)) if form.title.starts_with("Log in"))
}

#[test]
fn nothing_that_comes_is_answered_by_what_is_typed_into_two_fields() {
    let asked = Msg::Cookies { host: "h.example".into(), names: vec!["id".into()] };
    let j = slow().keys("Tab Tab Enter").text("joe").keys("Enter").send(asked).free();
    assert_eq!(j.app.rest(), Some(Duration::from_secs(4)));
    let j = j.keys("Tab Enter").text("hunter2").keys("Enter").free().shows("[joe").shows("[*******");
    j.pause().asks("h.example wants");
}

#[test]
fn a_login_that_comes_takes_nothing_of_what_is_being_typed() {
    let j = slow().keys("Tab").fail(wants_a_login()).text("jjj").free();
    assert_eq!(j.app.rest(), Some(Duration::from_millis(700)));
    let j = j.pause();
    assert!(is_at_login(&j));
    let j = j.text("j").notes("this has just come").pause().text("joe");
    assert_eq!(j.app.hands.line().unwrap().value(), "joe");
}

#[test]
fn a_key_for_the_page_does_not_answer_a_question_that_comes_just_then() {
    let asked = |names: &str| Msg::Cookies { host: "h.example".into(), names: vec![names.into()] };
    let j = slow().keys("Down").send(asked("id")).keys("k").free().keys("j").free();
    let j = j.pause().asks("h.example wants to set a cookie: id");
    // It is there, but nobody can have read it.
    assert_eq!(j.app.rest(), Some(Duration::from_millis(300)));
    let j = j.keys("a").asks("h.example wants").notes("this has just come");
    let j = j.send(Msg::Paste("y".into())).asks("h.example wants").notes("this has just come");
    j.pause().keys("Esc").free().notes("no cookies of h.example are taken this time");
}

#[test]
fn what_comes_while_nothing_is_pressed_is_there_at_once() {
    let j = slow().keys("Down").send(Msg::Rest).fail(wants_a_login());
    assert!(is_at_login(&j));
    // Whoever pressed Enter and nothing since waits for what comes of it.
    let j = slow().fail(wants_a_login());
    assert!(is_at_login(&j));
    assert_eq!(j.app.rest(), Some(Duration::from_millis(300)));
}

#[test]
fn the_login_of_a_page_that_was_given_up_does_not_come_over_the_next() {
    let j = slow().keys("Tab").fail(wants_a_login()).free();
    assert!(j.app.rest().is_some());
    let j = j.keys("Left").free().shows("slow other");
    assert_eq!(j.app.rest(), None);
    let j = j.keys("Enter").expect_fetch("http://h/other").answer("text/plain", b"The other page.\n").free();
    assert_eq!(j.app.rest(), None);
}

#[test]
fn a_page_that_was_left_while_it_came_can_be_stopped() {
    let j = Journey::new().open("http://h/0").answer("text/plain", b"The first page.\n");
    let j = j.open("http://h/1").head("text/plain").expect_verdict(Verdict::Accept).body(b"The beginning");
    let coming = j.fetches.len() - 1;
    let j = j.keys("Left").shows("The first page.").keys("Esc").expect_enough(coming);
    j.notes("stopped: a page that you left was still coming").event(FetchEvent::End(End::default())).free();
}
