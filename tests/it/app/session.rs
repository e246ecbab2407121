//! What is kept of tabs, and how they come back.

use super::journey::{Journey, head, lines, long_menu, menu, url};
use wayfarer::app::{Effect, Kept, KeptPlace, KeptTab, Msg, Place, Remembered, Session, update};
use wayfarer::doc::{Anchor, LinkId};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, KeptCopy, Kind};

fn keeping(mut j: Journey) -> Journey {
    j.choose(|choices| choices.keeps_session = true);
    j
}

/// A menu where the reader has gone down, a text two steps on in a second tab, a third on its way behind.
fn three() -> Journey {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 200)).keys("Space Space Down");
    let j = j.keys("t").answer(media::MENU, &menu("h", &["0|A|/a"]));
    let j = j.keys("Enter").answer(media::PLAIN, &lines(99)).keys("Space");
    j.keys("{ Down T")
}

#[test]
fn tabs_come_back_where_they_were_and_only_the_one_in_front_is_fetched() {
    let before = three();
    let session = before.app.session();
    assert_eq!(
        (session.front, session.tabs.iter().map(|tab| tab.places.len()).collect::<Vec<_>>()),
        (0, vec![1, 1, 2])
    );
    let place = |j: &Journey| {
        let entry = j.app.entry().unwrap();
        (entry.url.clone(), entry.top, entry.focus)
    };
    let mut j = Journey::new();
    j.remember(Remembered { session: session.clone(), ..Remembered::default() });
    assert_eq!(j.app.session(), session);
    let effects = update(&mut j.app, Msg::Resume { home: url("about:home") });
    assert!(matches!(&effects[..], [Effect::Fetch { .. }]), "{effects:?}");
    for effect in effects {
        let Effect::Fetch { id, request } = effect else { continue };
        j.fetches.push((id, request));
    }
    let j = j.head(media::MENU).body(&long_menu("h", 200)).end();
    assert_eq!(place(&j), place(&before));
    let (before, mut j) = (before.keys("{"), j.keys("{"));
    j.effects.retain(|effect| !matches!(effect, Effect::Parse { .. }));
    let j = j.expect_fetch("gopher://h/0/a").answer(media::PLAIN, &lines(99)).quiet();
    assert_eq!(place(&j), place(&before));
    // Its history is there as well.
    j.keys("h").expect_fetch(before.app.tabs().nth(2).unwrap().history[0].url.as_str());
}

/// "1 tab of the last time is back" was said of the start page.
#[test]
fn of_a_start_page_alone_nothing_is_said() {
    let before = Journey::new().open("about:home").answer(media::PLAIN, b"home");
    let mut j = Journey::new();
    j.remember(Remembered { session: before.app.session(), ..Remembered::default() });
    assert_eq!(j.app.entry().map(|entry| entry.url.as_str()), Some("about:home"));
    assert_eq!(j.app.hands.note, None);
    let before = before.open("gopher://h/").answer(media::MENU, &long_menu("h", 2));
    let mut j = Journey::new();
    j.remember(Remembered { session: before.app.session(), ..Remembered::default() });
    j.notes("1 tab of the last time is back");
}

#[test]
fn a_page_that_two_places_share_and_that_is_still_coming_brings_the_reader_where_they_were_when_it_has_come_that_far() {
    let text = lines(200);
    let before = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, &text).keys("PgDn PgDn");
    let top = before.app.entry().unwrap().top;
    let session = before.open("gopher://h/0/a").answer(media::PLAIN, &text).app.session();
    let mut j = Journey::new();
    j.remember(Remembered { session, ..Remembered::default() });
    for effect in update(&mut j.app, Msg::Resume { home: url("about:home") }) {
        let Effect::Fetch { id, request } = effect else { continue };
        j.fetches.push((id, request));
    }
    let j = j.head(media::PLAIN).body(&text[..20]).keys("h");
    assert_eq!((j.app.tab.at, j.app.entry().unwrap().top.block), (0, 0));
    let j = j.body(&text[20..]).end();
    assert_eq!(j.app.entry().unwrap().top, top);
}

#[test]
fn without_a_session_home_is_opened_and_with_one_an_address_comes_in_a_tab_of_its_own() {
    let mut j = Journey::new();
    assert_eq!(update(&mut j.app, Msg::Resume { home: url("about:home") }).len(), 1);
    let mut j = Journey::new();
    j.remember(Remembered { session: three().app.session(), ..Remembered::default() });
    let effects = update(
        &mut j.app,
        Msg::Open {
            places: vec![url("gopher://x/"), url("gopher://y/")],
            media: Some(media::PLAIN.into()),
            charset: None,
        },
    );
    let fetched: Vec<&str> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Fetch { request, .. } => Some(request.url.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!((fetched, j.app.tab_count(), j.app.tab_at()), (vec!["gopher://x/", "gopher://y/"], 5, 3));
}

#[test]
fn there_is_something_to_keep_when_something_has_changed_and_only_then() {
    let changed = |mut j: Journey, keys: &str| {
        j.effects.clear();
        let j = if keys.is_empty() { j } else { j.keys(keys) };
        j.effects.iter().filter(|effect| **effect == Effect::Keep(Kept::Session)).count()
    };
    let page = || keeping(Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 99))).keys("? Esc");
    for (keys, times) in [("= Esc", 0), ("? Esc", 0), ("g x Esc", 0), ("Down", 1), ("Space", 1), ("t", 1), ("T", 1)] {
        assert_eq!(changed(page(), keys), times, "{keys}");
    }
    let two = || page().keys("T");
    for keys in ["}", "C-w >"] {
        assert_eq!(changed(two(), keys), 1, "{keys}");
    }
    // What comes behind, too.
    let mut j = two();
    let id = j.last();
    j.effects.clear();
    let j = j.event_of(id, FetchEvent::Head(Box::new(head("gopher://h/0/1", media::PLAIN))));
    assert!(j.effects.contains(&Effect::Keep(Kept::Session)));
    // Nothing where nothing is kept.
    let mut j = page();
    j.choose(|choices| choices.keeps_session = false);
    assert_eq!(changed(j, "Space t"), 0);
}

#[test]
fn neither_passwords_nor_what_forms_sent_are_kept() {
    let j = Journey::new().open("ftp://me:secret@h/").answer(media::PLAIN, b"a\n");
    let j = j.run("open gopher://h/1/f%09%09%2B%09Ask:%0D%0Asecret");
    let form = b"<form action=go method=post><input name=n value=secret><input type=submit></form>";
    let j = j.run("open http://h/form").answer("text/html", form).keys("Tab Enter").answer("text/html", b"thanks");
    let form = b"<form action=login><input type=password name=p value=secret><input type=submit></form>";
    let j = j.at_url("http://h/go").run("open http://h/form2").answer("text/html", form).keys("Tab Enter");
    let j = if j.app.hands.overlays().is_empty() { j } else { j.keys("y") }.answer("text/html", b"welcome");
    let session = j.app.session();
    let kept: Vec<&str> = session.tabs[0].places.iter().map(|place| place.url.as_str()).collect();
    assert_eq!(kept, ["ftp://me@h/", "http://h/form", "http://h/form2"]);
    assert!(!format!("{session:?}").contains("secret"));
    assert_eq!(session.tabs[0].at, 2, "the place before the one that is not kept");
}

#[test]
fn a_page_that_cannot_be_fetched_again_keeps_place_and_title_for_the_next_time() {
    let place = Place { top: Anchor { block: 70, offset: 0 }, focus: Some(LinkId(72)), left: 0 };
    let title = Some("All of it".to_owned());
    let place = KeptPlace { url: url("gopher://h/"), title, media: None, place, fields: Vec::new(), asked: None };
    let session = Session { front: 0, tabs: vec![KeptTab { at: 0, places: vec![place] }], ..Session::default() };
    let mut j = Journey::new();
    j.remember(Remembered { session: session.clone(), ..Remembered::default() });
    let effects = update(&mut j.app, Msg::Resume { home: url("about:home") });
    let [Effect::Fetch { id, .. }] = effects[..] else { panic!("{effects:?}") };
    let j = j.event_of(id, FetchEvent::Failed(FetchError::new(Kind::Refused, "nobody there"))).shows("nobody there");
    assert_eq!(j.app.session().tabs[0].places[0].place, session.tabs[0].places[0].place);
    let j = j.keys("R").answer(media::MENU, &long_menu("h", 99)).focus(72).top(70);
    assert_eq!(j.app.session().tabs[0].places[0].place, session.tabs[0].places[0].place);
}

#[test]
fn what_cannot_be_had_again_is_not_kept() {
    let j = Journey::new().open("about:stdin").answer(media::PLAIN, b"a\n");
    assert_eq!(j.app.session(), Session::default());
    let long = format!("data:,{}", "x".repeat(20_000));
    let j =
        j.run(&format!("open {long}")).answer(media::PLAIN, b"x\n").run("open gopher://h/").answer(media::MENU, b"");
    assert_eq!(j.app.session().tabs[0].places.len(), 1);
}

/// A file that somebody wrote by hand may say anything.
#[test]
fn nonsense_is_put_up_with() {
    let place = |block| KeptPlace {
        url: url("gopher://h/"),
        title: Some("\u{1b}[31m".into()),
        media: None,
        place: Place { top: Anchor { block, offset: 9 }, focus: Some(LinkId(block)), left: 9 },
        fields: Vec::new(),
        asked: None,
    };
    let tabs = vec![KeptTab { at: 7, places: vec![place(u32::MAX)] }, KeptTab::default()];
    let mut j = Journey::new();
    j.remember(Remembered { session: Session { front: 99, tabs, ..Session::default() }, ..Remembered::default() });
    let effects = update(&mut j.app, Msg::Resume { home: url("about:home") });
    let [Effect::Fetch { id, .. }] = effects[..] else { panic!("{effects:?}") };
    assert!(!j.app.entry().unwrap().title().contains('\u{1b}'));
    j.fetches.push((id, wayfarer::proto::Request::new(url("gopher://h/"))));
    let j = j.head(media::MENU).body(&menu("h", &["0|A|/a"])).end().keys("Down Up Space").focus(0);
    assert_eq!(j.app.tab_count(), 1);
}

/// A run that begins with these tabs.
pub(super) fn again(session: Session) -> Journey {
    let mut j = Journey::new();
    j.remember(Remembered { session, ..Remembered::default() });
    for effect in update(&mut j.app, Msg::Resume { home: url("about:home") }) {
        let Effect::Fetch { id, request } = effect else { continue };
        j.fetches.push((id, request));
    }
    j
}

/// Its copy killed the program at each start.
#[test]
fn a_page_that_was_coming_back_when_the_program_was_killed_waits_for_the_reader() {
    let page = |j: Journey| j.open("http://h/").answer(media::HTML, b"<p>words of it");
    let session = page(Journey::new()).app.session();
    assert!(!session.coming);
    // Until it has been seen whole it is on its way, be it fetched or a copy.
    for killed in [false, true] {
        let j = again(Session { killed, ..session.clone() });
        assert!(j.app.session().coming);
        let j = j.head(media::HTML);
        assert!(j.app.session().coming);
        let j = j.body(b"<p>words of it").end().shows("words of it");
        assert_eq!(j.app.session(), session);
    }
    let coming = Session { coming: true, ..session.clone() };
    assert_eq!(again(coming.clone()).fetches.len(), 1, "a run that came to its end is no sign of that");
    let j = again(Session { killed: true, ..coming.clone() }).shows("came back by itself").shows("the copy");
    assert_eq!(j.fetches.len(), 0);
    assert_eq!(j.app.session(), coming, "the next run opens it no more than this one");
    let j = j.keys("t }").keys("}");
    assert_eq!(j.fetches.iter().filter(|(_, request)| request.url == url("http://h/")).count(), 0);
    let j = again(Session { killed: true, ..coming }).keys("Enter");
    assert_eq!(
        j.fetches.last().map(|(_, request)| (request.url.as_str(), request.kept)),
        Some(("http://h/", KeptCopy::Only))
    );
    let j = j.answer(media::HTML, b"<p>words of it").shows("words of it");
    assert_eq!(j.app.session(), session);
}
