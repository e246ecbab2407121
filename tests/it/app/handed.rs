//! Addresses that another program hands over.

use super::journey::{Journey, lines, menu, url};
use wayfarer::app::Msg;
use wayfarer::format::media;

fn handed(places: &[&str]) -> Msg {
    Msg::Handed(places.iter().map(|place| url(place)).collect())
}

fn reading() -> Journey {
    Journey::at(&["0|A text|/a", "1|Another|/b"])
}

#[test]
fn an_address_comes_to_the_front_and_no_key_that_was_meant_for_the_page_before_acts_on_it() {
    let j = reading().hasty().send(handed(&["gopher://x/", "gopher://y/"]));
    let j = j.expect_fetch("gopher://x/").expect_fetch("gopher://y/").notes("another program opens gopher://x/");
    assert_eq!((j.app.tab_count(), j.app.tab_at(), j.app.tab.handed), (3, 1, true));
    let j = j.keys("Enter").notes("this has just come").quiet().send(Msg::Rest).keys("J");
    assert!(!j.app.tab.handed, "the reader is there");
}

#[test]
fn whoever_is_typing_goes_on_typing() {
    let j = reading().keys("g").text("gopher://ty").send(handed(&["gopher://x/"])).expect_fetch("gopher://x/");
    assert_eq!((j.app.tab_count(), j.app.tab_at()), (2, 0));
    j.text("pes/").prompts("open", "gopher://types/");
}

#[test]
fn what_is_open_already_is_gone_to() {
    let j = reading().keys("t").answer(media::PLAIN, &lines(9)).send(handed(&["gopher://h/"])).quiet();
    assert_eq!((j.app.tab_count(), j.app.tab_at()), (2, 0));
    // But nothing is shown of private tabs.
    let j = reading().run("private gopher://p/").answer(media::MENU, &menu("p", &["0|A|/a"]));
    let j = j.send(handed(&["gopher://p/"])).expect_fetch("gopher://p/");
    assert!(!j.app.tab.private);
}

#[test]
fn what_leads_to_this_machine_asks_first() {
    let j = reading().send(handed(&["file:///etc/passwd"])).quiet();
    let j = j.asks("Another program leads to a file of this machine.").send(Msg::Rest).keys("n");
    assert_eq!((j.app.tab_count(), j.app.entry().unwrap().url.as_str()), (1, "gopher://h/"));
    for (place, words) in [
        ("about:tour", "starts small servers"),
        ("about:cookies?forget=h", "Forget the cookies"),
        ("gopher://h:25/", "25"),
    ] {
        let j = reading().send(handed(&[place])).quiet();
        assert!(format!("{:?} {:?}", j.app.hands.overlays(), j.app.hands.note).contains(words), "{place}");
    }
    // A service is told of; nothing is started.
    reading().send(handed(&["telnet://h/"])).shows("runs").quiet().keys("Enter").asks("telnet h 23").quiet();
    for place in ["file:/etc/passwd", "FILE:///etc/passwd", "file://localhost/etc/passwd", "url:file:///etc/passwd"] {
        reading().send(handed(&[place])).quiet();
        reading().keys("g").send(handed(&["gopher://x/", place])).expect_fetch("gopher://x/").quiet();
    }
    // What the pages of this program would do stays undone elsewhere.
    reading().send(handed(&["about:last?bring=1"])).shows("There are none");
}

#[test]
fn the_first_page_of_a_run_takes_the_tab_that_is_there_and_a_refused_one_leaves_the_home_page() {
    let j = Journey::new().send(handed(&["gopher://x/"])).expect_fetch("gopher://x/");
    assert_eq!(j.app.tab_count(), 1);
    let j = Journey::new().send(handed(&["file:///etc/passwd"])).asks("Another program").send(Msg::Rest).keys("n");
    j.expect_fetch("about:home");
}
