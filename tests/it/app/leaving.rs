//! Leaving with tabs, forms and files open, and how the tabs of the last times come back.

use super::journey::{Journey, lines, long_menu, menu, url};
use super::web_forms::at;
use wayfarer::app::{Effect, LastTabs, Msg, Parting, Remembered, Session};
use wayfarer::format::media;
use wayfarer::visits::Forget;

/// Two tabs: a menu, and a text that it leads to.
fn two() -> Journey {
    let mut j = Journey::at(&["0|A text|/a", "1|Another|/b"]);
    j.choose(|choices| (choices.keeps_session, choices.keeps_last) = (true, true));
    j.keys("t").answer(media::PLAIN, &lines(99))
}

/// A run that finds these tabs of earlier times, the last first.
fn after(times: &[Session]) -> Journey {
    let last = times.iter().map(|session| LastTabs { session: session.clone(), ended: None }).collect();
    let mut j = Journey::new();
    j.remember(Remembered { last, ..Remembered::default() });
    j
}

fn choices(j: &Journey) -> String {
    let Some(wayfarer::app::Overlay::Question { choices, .. }) = j.app.hands.top() else { panic!("nothing is asked") };
    choices.iter().map(|choice| format!("{} {}", choice.key, choice.label)).collect::<Vec<_>>().join("   ")
}

#[test]
fn q_with_two_tabs_asks_once_and_says_what_comes_back() {
    let j = two().keys("q").quiet().asks("2 tabs are open.");
    assert_eq!(choices(&j), "q leave, they come back next time   x leave and forget them   n stay");
    let j = j.keys("Esc").free().quiet();
    let j = j.keys("q q").expect(Effect::Quit);
    assert_eq!(j.app.parting(), Parting::Back);
    let j = two().keys("q x").expect(Effect::Quit);
    assert_eq!(j.app.parting(), Parting::Forget);
    // A yes is the usual answer.
    assert_eq!(two().keys("q y").expect(Effect::Quit).app.parting(), Parting::Back);
    // What was chosen once is not chosen for good.
    assert_eq!(two().keys("q q Q").expect(Effect::Quit).app.parting(), Parting::Quit);
    // One page is left at once.
    Journey::at(&["0|A|/a"]).keys("q").expect(Effect::Quit);
}

#[test]
fn q_says_where_nothing_comes_back() {
    let mut j = two();
    j.choose(|choices| (choices.keeps_session, choices.keeps_last) = (false, false));
    let j = j.keys("q").asks("None of it comes back.");
    assert_eq!(choices(&j), "x leave all the same   n stay");
    let j = j.keys("y").expect(Effect::Quit).keys("q");
    j.keys("q").quiet().keys("q").asks("2 tabs").keys("x").expect(Effect::Quit);
    let mut j = two();
    j.choose(|choices| choices.keeps_session = false);
    assert!(choices(&j.keys("q")).starts_with("q leave, about:last keeps them   x"));
    // Of private tabs nothing ever does.
    let j = two().run("private gopher://p/").answer(media::MENU, b"").keys("q");
    j.asks("3 tabs are open, one of them private: nothing of that is kept.");
}

#[test]
fn a_form_that_is_left_with_q_comes_back_filled_in() {
    let page = "<form method=post action=/p><input name=q><input name=r></form>";
    let mut j = at("http://h/", page);
    j.choose(|choices| (choices.keeps_session, choices.keeps_last) = (true, true));
    let j = j.keys("Down Enter").text("words").keys("Enter q");
    let j = j.asks("A form is filled in").asks("Forms come back filled in, but for passwords.");
    assert_eq!(choices(&j), "q leave, it comes back next time   x leave and forget it   n stay");
    assert_eq!(j.keys("q").expect(Effect::Quit).app.parting(), Parting::Back);
}

#[test]
fn tabs_of_the_last_time_are_listed_and_come_back() {
    let session = two().app.session();
    let other = Journey::new().open("gopher://o/").answer(media::MENU, b"").app.session();
    let j = after(&[session, other]).open("about:last").shows("The tabs of the last times");
    let j = j.shows("The last time").shows("Bring both back").shows("A text").shows("gopher://h/0/a");
    let j = j.shows("Before that").shows("Bring it back").shows("gopher://o/");
    // Rows lead to pages, as rows do.
    let j = j.keys("2 Enter").expect_fetch("gopher://h/").answer(media::MENU, &menu("h", &["0|A|/a"]));
    let j = j.keys("Left 1 Enter").notes("2 tabs of the last time are back (C-w X closes them)");
    let j = j.expect_fetch("gopher://h/0/a").answer(media::PLAIN, &lines(99)).at_url("gopher://h/0/a");
    assert_eq!((j.app.tab_count(), j.app.tab_at()), (3, 2));
    // They are no tabs of the last time any more.
    let j = j.keys("M-1 H").run("open about:last").shows("gopher://o/");
    assert!(!j.page().contains("/0/a"), "{}", j.page());
    let j = j.keys("C-w X").notes("2 tabs are closed");
    assert_eq!(j.app.tab_count(), 1);
    let j = j.keys("C-w u").expect_fetch("gopher://h/0/a");
    assert_eq!(j.app.tab_count(), 2);
}

/// Nothing brought them back but one after the other.
#[test]
fn tabs_of_the_last_time_that_were_closed_at_once_come_back_at_once() {
    let j = after(&[two().app.session()]).open("gopher://o/").answer(media::MENU, b"").keys("C-w r");
    let j = j.expect_fetch("gopher://h/0/a").answer(media::PLAIN, &lines(99)).keys("C-w X").notes("2 tabs are closed");
    let j = j.keys("C-w r").notes("2 tabs of the last time are back");
    assert_eq!(j.app.tab_count(), 3);
}

#[test]
fn the_start_page_has_a_row_and_a_key_for_them() {
    let session = two().app.session();
    let text = wayfarer::proto::about::text("home").unwrap();
    let j = after(&[session]).open("about:home").answer(media::OWN, text.as_bytes());
    let j = j.shows("The tabs of the last time (C-w r brings them back)").shows("gopher://h/, A text");
    let j = j.keys("C-w u").notes("no tab was closed; C-w r brings the tabs of the last time back");
    j.keys("C-w r").expect_fetch("gopher://h/0/a").notes("2 tabs of the last time are back");
    Journey::new().keys("C-w r").notes("no tabs of the last time: this run was begun without them").quiet();
    let mut j = Journey::new();
    j.choose(|choices| choices.keeps_session = true);
    j.keys("C-w r")
        .notes("no tabs of the last time that are not here")
        .keys("C-w X")
        .notes("no tab here came back")
        .quiet();
    Journey::new().run("open about:last").shows("There are none");
}

#[test]
fn what_is_open_in_a_tab_that_came_back_is_gone_to_and_not_opened_twice() {
    let session = two().app.session();
    let restored = || {
        let mut j = Journey::new();
        j.remember(Remembered { session: session.clone(), ..Remembered::default() });
        j
    };
    let open = |places: &[&str], media: Option<&str>| {
        let places = places.iter().map(|place| url(place)).collect();
        Msg::Open { places, media: media.map(Into::into), charset: None }
    };
    let j = restored().send(open(&["gopher://h/"], None)).expect_fetch("gopher://h/").quiet();
    assert_eq!((j.app.tab_count(), j.app.tab_at()), (2, 0));
    let j = restored().send(open(&["gopher://h/0/a"], None)).expect_fetch("gopher://h/0/a").quiet();
    assert_eq!((j.app.tab_count(), j.app.tab_at()), (2, 1));
    let j = restored().send(open(&["gopher://x/", "gopher://h/"], None)).expect_fetch("gopher://x/").quiet();
    assert_eq!((j.app.tab_count(), j.app.tab_at()), (3, 2));
    // As something else it is another page.
    let j = restored().send(open(&["gopher://h/"], Some(media::PLAIN))).expect_fetch("gopher://h/");
    assert_eq!(j.app.tab_count(), 3);
    // What is asked for by name is fetched, though it was in view when the program was killed.
    let killed = Session { killed: true, ..session.clone() };
    let mut j = Journey::new();
    j.remember(Remembered { session: killed, ..Remembered::default() });
    j.send(open(&["gopher://h/0/a"], None)).expect_fetch("gopher://h/0/a");
}

/// Tabs of the last time brought an address a second time that had just been opened.
#[test]
fn what_is_open_already_is_not_brought_back_a_second_time() {
    let session = two().keys("Enter").app.session();
    let menu = menu("h", &["0|A text|/a", "1|Another|/b"]);
    let j = after(&[session]).open("gopher://h/").answer(media::MENU, &menu).keys("Down C-w r");
    let j = j.expect_fetch("gopher://h/0/a").notes("1 tab of the last time is back");
    assert_eq!((j.app.tab_count(), j.app.tab_at()), (2, 1));
    j.keys("M-1").at_url("gopher://h/").focus(1).quiet();
    // The path that led there comes along, and the page stays as it is.
    let path = Journey::at(&["0|A text|/a"]).keys("Enter").answer(media::PLAIN, &lines(99)).app.session();
    let j = after(std::slice::from_ref(&path))
        .open("gopher://h/0/a")
        .answer(media::PLAIN, &lines(99))
        .keys("Space C-w r")
        .quiet();
    let j = j.notes("the tabs of the last time are here already").at_url("gopher://h/0/a");
    assert!(j.app.tab_count() == 1 && j.app.entry().unwrap().top.block > 0);
    j.keys("Left").expect_fetch("gopher://h/");
    // What is still on its way is there, too, unless a path would be lost so; in private nothing is.
    let alone = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, &lines(99)).app.session();
    for (session, tabs) in [(&alone, 1), (&path, 2)] {
        let j = after(std::slice::from_ref(session)).open("gopher://h/0/a").expect_fetch("gopher://h/0/a");
        assert_eq!(j.keys("C-w r").app.tab_count(), tabs);
    }
    // Neither is what was filled in.
    let form = b"<form action=/a><input name=a></form>";
    let typed =
        Journey::new().open("http://h/f").answer("text/html", form).keys("Tab Enter").text("words").keys("Enter");
    let typed = typed.app.session();
    let j = after(&[typed]).open("http://h/f").answer("text/html", form).keys("C-w r");
    assert_eq!(j.app.tab_count(), 2);
    let j = after(&[path]).run("private gopher://h/0/a").answer(media::PLAIN, &lines(99)).keys("C-w r");
    assert_eq!(j.expect_fetch("gopher://h/0/a").app.tab_count(), 3);
    // Two that were the same are two again.
    let same = two().keys("C-w n").text("gopher://h/0/a").keys("Enter").answer(media::PLAIN, &lines(99)).app.session();
    let j = after(&[same]).open("gopher://h/0/a").answer(media::PLAIN, &lines(99)).keys("C-w r");
    assert_eq!(j.app.tab_count(), 3);
}

#[test]
fn forgetting_forgets_in_the_tabs_of_the_last_times_too() {
    let session = Journey::at(&["0|A|/a"]).keys("Enter").answer(media::PLAIN, &lines(9)).app.session();
    let other = Journey::new().open("gopher://o/").answer(media::MENU, &long_menu("o", 3)).app.session();
    let j = after(&[session.clone(), other]).run("open about:last").shows("gopher://h/0/a");
    let j = j.run("forget host h").keys("y").shows("gopher://o/");
    assert!(!j.page().contains("gopher://h"), "{}", j.page());
    let mut tabs = after(&[session]);
    let what = Forget::Page(url("gopher://h/0/a"));
    tabs = tabs.open("gopher://h/0/a").head(media::PLAIN).body(&lines(9)).end().run("forget").keys("y");
    assert!(
        tabs.app.library.last[0].session.tabs[0].places.iter().all(|place| !what.concerns(place.url.as_str(), None))
    );
}

#[test]
fn a_page_that_is_left_while_a_file_comes_comes_back_by_the_settings_alone() {
    let mut j = Journey::at(&["9|Archive|/pub/a.tar"]);
    j.choose(|choices| (choices.keeps_session, choices.keeps_last) = (true, true));
    let j = j.keys("d").head("application/octet-stream").keys("Enter q").asks("1 download is not finished.");
    assert_eq!(choices(&j), "q leave   n stay");
    assert_eq!(j.keys("q").expect(Effect::Quit).app.parting(), Parting::Quit);
}
