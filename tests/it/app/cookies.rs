//! Cookies: asked about once for each host, listed and forgotten.

use super::journey::Journey;
use wayfarer::app::{Effect, Msg};
use wayfarer::config::CookieRule;
use wayfarer::format::media;

fn asked() -> Journey {
    let j = Journey::at(&["1|One|/1"]);
    let j = j.send(Msg::Cookies { host: "h.example".into(), names: vec!["id".into(), "la\u{1b}ng".into()] });
    j.asks("h.example wants to set cookies: id, la")
}

#[test]
fn the_answer_is_kept_for_the_host() {
    for (key, rule) in [("k", CookieRule::Keep), ("s", CookieRule::Session), ("n", CookieRule::Never)] {
        asked().keys(key).free().expect(Effect::RuleCookies { host: "h.example".into(), rule }).quiet();
    }
    asked().keys("Esc").free().notes("no cookies of h.example are taken this time").quiet();
}

#[test]
fn the_question_waits_until_the_readers_hands_are_free() {
    let j = Journey::at(&["1|One|/1"]).keys("g");
    let j = j.send(Msg::Cookies { host: "h.example".into(), names: vec!["id".into()] });
    j.text("kiosk").prompts("open", "kiosk").keys("Esc").asks("a cookie: id");
}

#[test]
fn a_link_that_forgets_asks_first() {
    Journey::new()
        .run("cookies")
        .expect_fetch("about:cookies")
        .answer(media::OWN, b"=> about:cookies?forget=h%2Eexample Forget those of h.example\n")
        .keys("Enter")
        .asks("Forget the cookies of h.example?")
        .quiet()
        .keys("y")
        .expect_fetch("about:cookies?forget=h%2Eexample");
}

/// Cookies of private tabs are not asked about: the question is of another tab, whichever is in view when it is answered.
#[test]
fn the_answer_counts_in_a_private_tab_too() {
    let j = Journey::at(&["1|One|/1"]).run("private").keys("Esc");
    let j = j.send(Msg::Cookies { host: "h.example".into(), names: vec!["id".into()] }).asks("a cookie: id");
    j.keys("n").free().expect(Effect::RuleCookies { host: "h.example".into(), rule: CookieRule::Never });
}
