//! The pages of telnet, rlogin and tn3270: which service, whom to log in as, which program runs, what to do where there is none.

use super::journey::{Journey, menu, url};
use wayfarer::app::{Effect, Overlay};
use wayfarer::format::media;

/// A browser with this program for `telnet:`.
fn with(program: &[&str]) -> Journey {
    let mut j = Journey::new();
    let program: Vec<String> = program.iter().map(|word| (*word).into()).collect();
    j.app.desk.settings.handlers.insert("telnet".into(), program);
    j
}

fn source(j: &Journey) -> String {
    let page = j.app.entry().unwrap().page.as_deref().unwrap();
    String::from_utf8_lossy(page.source.as_deref().unwrap()).into_owned()
}

#[test]
fn a_page_says_which_service_whom_to_log_in_as_and_what_runs() {
    let j = Journey::new().open("telnet://guest@bbs.example:2323/").quiet();
    let j = j.free();
    let page = j.page();
    for (label, value) in [
        ("service", "telnet"),
        ("host", "bbs.example"),
        ("port", "2323"),
        ("log in as", "guest"),
        ("runs", "telnet bbs.example 2323"),
    ] {
        let row = page.lines().find(|line| line.trim_start().starts_with(label)).unwrap_or_default();
        assert!(row.ends_with(value), "{label}: {page}");
    }
    assert!(!page.contains("password") && !page.contains("not installed"), "{page}");
    Journey::new().open("rlogin://h/").shows("513").shows("rlogin h").shows("advises nobody").quiet();
    Journey::new().open("rlogin://bob@h/").shows("rlogin -l bob h").quiet();
    Journey::new().open("tn3270://h/").shows("c3270 h:23").quiet();
}

#[test]
fn its_link_starts_the_program_after_a_yes_and_the_reader_is_back_on_it() {
    let rows = menu("bbs.example", &["8Board|guest"]);
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &rows).quiet();
    let j = j.open("telnet://guest@bbs.example/").keys("Enter").quiet().asks("telnet bbs.example 23");
    let j = j.asks("Log in as guest").text("n").free().quiet().keys("Enter").text("y");
    let j = j.expect_run(&["telnet", "bbs.example", "23"]).ran(Ok(())).shows("telnet bbs.example 23");
    j.keys("Left").shows("Board");
}

#[test]
fn an_advised_password_is_veiled_until_a_key_shows_it_and_never_sent() {
    let j = with(&["telnet", "{host}"]).open("telnet://guest:let%20me@h/").quiet().shows("***");
    assert!(!j.page().contains("let me") && !source(&j).contains("let%20me") && !source(&j).contains("let me"));
    let j = j.keys("Down").keys("Enter").asks("user guest, password let me").text("n").free().quiet();
    assert!(!j.page().contains("let me"), "it is hidden again");
    // The question shows it, too, on a key.
    let j = j.keys("Up").keys("Enter").asks("The address advises a password");
    let Some(Overlay::Question { text, .. }) = j.app.hands.overlays().last() else { panic!("no question") };
    assert!(!text.join(" ").contains("let me"), "{text:?}");
    let j = j.text("p").asks("user guest, password let me").text("y").expect_run(&["telnet", "h"]).ran(Ok(()));
    assert!(!j.page().contains("let me"));
    // Where no program is named it can be seen all the same.
    let j = with(&[]).open("telnet://guest:let%20me@h/").quiet().shows("[handlers]").keys("Enter");
    let j = j.asks("password let me").text("n").free().quiet();
    assert!(!j.page().contains("let me"));
}

#[test]
fn a_program_sees_the_password_only_where_its_row_says_so_and_the_reader_does_not() {
    let j = with(&["my telnet", "-l{user}", "{url}"]).open("telnet://me:pw4u@h/{host}").quiet();
    let j = j.shows("my telnet -lme telnet://me:***@h/{host}").keys("Enter").asks("telnet://me:***@h/{host}");
    j.text("y").expect_run(&["my telnet", "-lme", "telnet://me:pw4u@h/{host}"]);
}

#[test]
fn a_missing_program_is_told_of_with_its_package_and_a_row_for_the_settings() {
    let mut j = Journey::sized(80, 60);
    j.choose(|choices| choices.missing = vec!["telnet".into()]);
    let j = j.open("telnet://h/").quiet().shows("telnet is not installed here").shows("inetutils-telnet");
    let j = j.shows("[handlers]").shows("telnet = [\"telnet\", \"{host}\", \"{port}\"]");
    // It may be there by now.
    let j = j.keys("Enter").text("y").expect_run(&["telnet", "h", "23"]);
    drop(j);
    let mut j = Journey::sized(80, 60);
    j.app.desk.settings.handlers.insert("telnet".into(), Vec::new());
    let j = j.open("telnet://h/").quiet().shows("no program is named").shows("inetutils-telnet").shows("[handlers]");
    assert!(!j.page().contains("Start it"), "{}", j.page());
}

#[test]
fn with_safe_the_page_says_that_nothing_is_started() {
    let mut j = Journey::new();
    j.choose(|choices| choices.safe = true);
    let j = j.open("telnet://h/").quiet().shows("--safe forbids it").shows("telnet h 23");
    assert!(!j.page().contains("Start it"), "{}", j.page());
}

#[test]
fn nothing_of_a_page_elsewhere_starts_a_service() {
    for place in ["about:service?do=start", "about:service?do=show", "ABOUT:service?do=start"] {
        let html = format!("<a href='{place}'>go</a>");
        let j = Journey::new().open("http://h/").answer(media::HTML, html.as_bytes()).quiet();
        let j = j.keys("Enter").expect_fetch(place);
        j.free();
    }
    // What cannot be an argument is told of, with nothing to start.
    let j = with(&["telnet", "{host}"]).open("telnet://-oProxyCommand=x/").quiet();
    assert!(!j.page().contains("Start it"), "{}", j.page());
}

#[test]
fn lists_lead_to_the_page_and_new_settings_change_it() {
    let rows = b"8Board\tguest\tbbs.example\t2323\r\nTCatalogue\tx\tbbs.example\t2424\r\n.\r\n";
    let j = Journey::new().open("gopher://h/").answer(media::MENU, rows).quiet().keys("Enter").shows("guest").quiet();
    assert_eq!(j.app.entry().unwrap().url, url("telnet://guest@bbs.example:2323/"));
    let j = j.run("back").run("next-link").run("follow").shows("c3270 bbs.example:2424").quiet();
    let mut j = j;
    j.app.desk.settings.handlers.insert("tn3270".into(), vec!["x3270".into(), "{host}".into()]);
    let j = j.run("redraw");
    assert!(j.page().contains("x3270 bbs.example"), "{}", j.page());
    assert!(j.effects.iter().all(|effect| !matches!(effect, Effect::Run { .. })));
}
