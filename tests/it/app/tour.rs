//! The tour is there for a time, on ports of this run: what is kept of it, and when it is over.

use super::journey::{Journey, menu, url};
use wayfarer::app::{Effect, Kept, Msg, SiteChoice};
use wayfarer::format::media;
use wayfarer::proto::FetchEvent;

const STOP: &str = "gopher://127.0.0.1:4001/";

fn touring() -> Journey {
    let j = Journey::new().open("about:home").answer(media::OWN, b"=> about:tour The tour\n");
    let j = j.send(Msg::Tour(vec![4001, 4002]));
    let page = format!("=> {STOP} Begin\n=> ftp://127.0.0.1:4002/ FTP\n");
    j.run("open about:tour").answer(media::OWN, page.as_bytes())
}

fn visits(j: &Journey) -> usize {
    j.effects.iter().filter(|effect| matches!(effect, Effect::Keep(Kept::Visit { .. }))).count()
}

#[test]
fn no_visit_of_its_places_is_kept_and_they_count_as_visited_all_the_same() {
    let j = touring().keys("Enter").answer(media::MENU, &menu("127.0.0.1", &["0|A|/a"])).at_url(STOP);
    assert_eq!(visits(&j), 0, "{:?}", j.effects);
    assert!(j.app.has_visited(&url(STOP)));
    let j = j.run("open gopher://127.0.0.1:4003/").answer(media::MENU, b"");
    assert_eq!(visits(&j), 1, "another server of this machine");
}

#[test]
fn a_session_has_the_first_page_in_the_place_of_its_places() {
    let j = touring().keys("Enter").answer(media::MENU, &menu("127.0.0.1", &["0|A|/a"]));
    let j = j
        .run("open ftp://127.0.0.1:4002/")
        .answer(media::PLAIN, b"a\n")
        .run("open http://h/")
        .answer(media::HTML, b"x");
    let places = |j: &Journey, tab: usize| {
        let session = j.app.session();
        let tab = &session.tabs[tab];
        (tab.at, tab.places.iter().map(|place| place.url.to_string()).collect::<Vec<_>>())
    };
    let own = |urls: &[&str]| urls.iter().map(|url| (*url).to_owned()).collect::<Vec<_>>();
    assert_eq!(places(&j, 0), (2, own(&["about:home", "about:tour", "http://h/"])));
    let j = j.keys("h").at_url("ftp://127.0.0.1:4002/");
    assert_eq!(places(&j, 0), (1, own(&["about:home", "about:tour", "http://h/"])));
    // A tab of its own, before and after its page has come.
    let j = j.run(&format!("new-tab {STOP}"));
    assert_eq!(places(&j, 1), (0, own(&["about:tour"])));
    let j = j.answer(media::MENU, b"");
    assert_eq!(places(&j, 1), (0, own(&["about:tour"])));
}

#[test]
fn it_is_over_when_no_tab_leads_back() {
    let j = Journey::new().open("about:home").answer(media::OWN, b"");
    assert!(!j.app.is_touring());
    let j = j.run("open about:tour");
    assert!(j.app.is_touring(), "on its way");
    let j = j.send(Msg::Tour(vec![4001]));
    let j = j.answer(media::OWN, b"=> gopher://127.0.0.1:4001/ Begin\n").keys("T").run("home").answer(media::OWN, b"");
    assert!(j.app.is_touring(), "one step back");
    let id = j.last();
    let j = j.run("close-tab").event_of(id, FetchEvent::End(Default::default()));
    assert!(j.app.is_touring(), "in the tab behind");
    let j = j.run("new-tab http://h/").answer(media::HTML, b"x").run("tab 1").run("close-tab");
    assert!(!j.app.is_touring(), "{:?}", j.app.session());
}

#[test]
fn what_is_chosen_there_is_not_kept() {
    let chosen = |of: &str| {
        let mut j = touring().run(&format!("open {of}")).answer(media::PLAIN, b"caf\xe9\n");
        j.effects.clear();
        let j = j.keys(":").text("charset latin1").keys("Enter");
        let choice =
            |effect: &Effect| matches!(effect, Effect::Keep(Kept::Site { choice: SiteChoice::Charset(_), .. }));
        j.effects.iter().any(choice)
    };
    assert!(!chosen("gopher://127.0.0.1:4001/0/x"));
    assert!(chosen("gopher://127.0.0.1:4003/0/x"));
}

#[test]
fn nothing_there_is_put_by_or_subscribed_to() {
    let asked = |j: &Journey| {
        let own = |effect: &Effect| matches!(effect, Effect::Fetch { request, .. } if request.url.is("about"));
        j.effects.iter().filter(|effect| own(effect)).count()
    };
    let mut j = touring().keys("Enter").answer(media::MENU, &menu("127.0.0.1", &["0|A|/a"])).quiet();
    j.effects.clear();
    let j = j.keys("M-a").notes("its address is of this run only, so it is not put by").quiet();
    let j = j.keys("A").notes("its address is of this run only, so it is not subscribed to").quiet();
    let j = j.run(&format!("subscribe {STOP}1/x")).notes("its address is of this run only").quiet();
    assert_eq!(asked(&j), 0, "{:?}", j.effects);
    // What it leads to may be of the world.
    let j = j.open("gopher://h/").answer(media::MENU, &menu("127.0.0.1:4001", &["0|A|/a"])).quiet().keys("M-a");
    assert_eq!(asked(&j), 1, "{:?}", j.effects);
}
