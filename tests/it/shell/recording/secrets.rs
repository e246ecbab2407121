//! What is hidden in a recording, wherever it stands.

use super::{Run, replay, typed};
use wayfarer::app::Msg;

/// The end of a run in which a secret was said: it is not there, neither in one piece nor letter by letter, and the run comes back
/// all the same.
fn hides(secret: &str, run: Run) -> String {
    let text = run.end();
    let line = text.lines().find(|line| line.contains(secret));
    assert_eq!(line, None, "{secret}");
    assert!(!typed(&text).contains(secret), "{}", typed(&text));
    if let Err(difference) = replay(&text).check() {
        panic!("{difference}");
    }
    text
}

#[test]
fn a_password_in_an_address_without_scheme_is_hidden_as_with_one() {
    for host in ["host", "host.example/x", "127.0.0.1:8080/"] {
        let address = format!("joe:hunter2@{host}");
        let typed_at_once = hides("hunter", Run::new(true).keys("g").text(&address).keys("Enter"));
        assert!(typed(&typed_at_once).contains(&format!("joe:*******@{host}")), "{}", typed(&typed_at_once));
        hides("hunter", Run::new(true).keys(":").text(&format!("open {address}")).keys("Enter"));
        hides("hunter", Run::new(true).tell(Msg::Command(format!("open {address}"))));
        hides("hunter", Run::new(true).keys("g").tell(Msg::Paste(address.clone())).keys("Enter"));
        let corrected = Run::new(true).keys("g").text(&format!("joe:@{host}")).keys("Home Right Right Right Right");
        hides("hunter", corrected.text("hunter2").keys("Enter"));
    }
}

#[test]
fn an_address_without_scheme_that_is_not_finished_hides_its_password_too() {
    hides("hunter", Run::new(true).keys("g").text("joe:hunter2").keys("Esc"));
    hides("hunter", Run::new(true).keys(":").text("open joe:hunter2").keys("Esc"));
}

#[test]
fn what_only_looks_like_a_login_stands_as_it_was_typed() {
    for address in ["host.example:8080/a@b", "mailto:joe@host.example", "news:12345@host", "about:home"] {
        let text = Run::new(true).keys("g").text(address).keys("Enter").end();
        assert!(typed(&text).contains(address), "{}", typed(&text));
    }
    let text = Run::new(true).open("gopher://h/7/find").text("note:more").keys("Enter").end();
    assert!(typed(&text).contains("note:more"), "{}", typed(&text));
}
