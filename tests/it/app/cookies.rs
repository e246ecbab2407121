//! Cookies: asked about once for each host, listed and forgotten.

use super::journey::Journey;
use wayfarer::app::{Effect, Kept, SiteChoice};
use wayfarer::config::CookieRule;
use wayfarer::format::media;

fn asked() -> Journey {
    let mut j = Journey::at(&["1|One|/1"]);
    j.app.ask_cookies("h.example", &["id".into(), "la\u{1b}ng".into()]);
    j.asks("h.example wants to set cookies: id, la")
}

#[test]
fn the_answer_is_kept_for_the_host() {
    for (key, rule) in [("k", CookieRule::Keep), ("s", CookieRule::Session), ("n", CookieRule::Never)] {
        let choice = SiteChoice::Cookies(rule);
        asked().keys(key).free().expect(Effect::Keep(Kept::Site { host: "h.example".into(), choice })).quiet();
    }
    asked().keys("Esc").free().notes("no cookies of h.example are taken this time").quiet();
}

#[test]
fn the_question_waits_until_the_readers_hands_are_free() {
    let mut j = Journey::at(&["1|One|/1"]).keys("g");
    j.app.ask_cookies("h.example", &["id".into()]);
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
