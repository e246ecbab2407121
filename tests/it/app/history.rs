//! Where the reader has been: what is remembered, the page of it, and forgetting.

use super::journey::{Journey, lines, url};
use jiff::Zoned;
use wayfarer::app::{Effect, Gone, Kept, Known, Msg, PromptKind, Remembered};
use wayfarer::doc::LinkId;
use wayfarer::format::media;
use wayfarer::proto::{End, FetchEvent};
use wayfarer::visits::{Forget, Visit, Visits};

fn visit(url: &str, title: &str, time: i64) -> Effect {
    Effect::Keep(Kept::Visit { url: url.into(), title: title.into(), time, led: String::new() })
}

fn now() -> Zoned {
    "2026-11-21T14:30:00+01:00[Europe/Berlin]".parse().unwrap()
}

/// Pages of three days.
fn pages() -> Visits {
    let mut visits = Visits::default();
    let noon = now().timestamp().as_second();
    for (url, title, ago) in [
        ("gopher://old.example/0/far", "Far away", 40 * 24 * 3600),
        ("http://h.example/a", "A page", 24 * 3600),
        ("gopher://h.example/1/menu", "", 7200),
        ("ftp://f.example/pub/", "Files", 3600),
        ("http://h.example/b", "Another page", 60),
    ] {
        visits.add(Visit { url, title, time: noon - ago, count: 1 });
    }
    visits
}

fn reader() -> Journey {
    let mut j = Journey::new();
    j.app.library.visits = pages();
    j.send(Msg::Clock(now()))
}

#[test]
fn a_page_is_kept_when_it_comes_and_its_title_when_it_ends() {
    let j = Journey::new().send(Msg::Clock("1970-01-01T00:00:50Z[UTC]".parse().unwrap()));
    let j = j.open("http://me:geheim@h/a#part").head(media::HTML);
    let j = j.expect(visit("http://me@h/a#part", "", 50));
    let j = j.body(b"<title>A\n page</title>x").end().expect(visit("http://me@h/a#part", "A page", 50));
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Visit { .. }))), "once each");
    assert!(j.app.has_visited(&url("http://me:geheim@h/a")));
    assert!(j.app.library.visits.newest().all(|visit| !visit.url.contains("geheim")));
}

#[test]
fn what_was_sent_and_what_comes_from_nowhere_is_not_kept() {
    let j = Journey::new().open("about:home").answer(media::OWN, b"# x").open("data:,x").answer(media::PLAIN, b"x");
    let form = b"<form method=post action=go><input type=submit></form>";
    let j = j.open("http://h/").answer(media::HTML, form);
    let before = j.app.library.visits.len();
    let j = j.keys("Enter").answer(media::PLAIN, b"thanks");
    assert_eq!((before, j.app.library.visits.len()), (1, 1));
    let mut j = Journey::new();
    j.app.desk.settings.history = 0;
    let j = j.open("http://h/").answer(media::PLAIN, b"x").quiet();
    assert!(
        j.app.library.visits.is_empty() && j.app.has_visited(&url("http://h/")),
        "links of the session keep their colour"
    );
}

#[test]
fn going_back_and_reloading_are_no_visits() {
    let j = Journey::at(&["0|A|/a"]).keys("Enter").answer(media::PLAIN, b"x").keys("R").answer(media::PLAIN, b"y");
    assert_eq!(j.app.library.visits.newest().map(|visit| visit.count).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn the_page_lists_days_and_hosts_the_newest_first() {
    let j = reader().keys("C-h").at_url("about:history").quiet();
    let page = j.page();
    let places: Vec<usize> = [
        "History",
        "5 pages · & find · x forget · :forget hour",
        "Today",
        "h.example",
        "14:29  Another page",
        "12:30  gopher://h.example/1/menu",
        "f.example",
        "13:30  Files",
        "Yesterday, Friday 20 November 2026",
        "A page",
        "Monday 12 October 2026",
        "15:30  Far away",
    ]
    .iter()
    .map(|words| page.find(words).unwrap_or_else(|| panic!("{words:?} is not in {page}")))
    .collect();
    assert!(places.is_sorted(), "{places:?} {page}");
    j.keys("Enter").expect_fetch("http://h.example/b");
}

#[test]
fn typing_narrows_it_and_the_address_keeps_the_words() {
    let j = reader().keys("C-h &").text("PAGE h.ex").at_url("about:history?q=PAGE+h.ex");
    let j = j.shows("among 5 pages").shows("Another page  http://h.example/b").shows("A page");
    assert!(!j.page().contains("Files"));
    let j = j.keys("Enter Enter").answer(media::PLAIN, b"x").keys("h").at_url("about:history?q=PAGE+h.ex");
    let j = j.shows("\"PAGE h.ex\" among 5 pages").keys("&").prompts("only", "PAGE h.ex");
    j.keys("Esc").at_url("about:history").shows("Files").free();
}

#[test]
fn a_page_visited_since_is_there_on_coming_back_and_the_focus_stays() {
    let j = reader().keys("C-h").keys("Down Down");
    let focus = |j: &Journey| {
        let (entry, document) = (j.app.entry().unwrap(), j.app.entry().unwrap().document().unwrap());
        document.reference(entry.focus.unwrap()).unwrap().to_owned()
    };
    assert_eq!(focus(&j), "ftp://f.example/pub/");
    let j = j.open("http://new.example/").answer(media::PLAIN, b"x").keys("h").shows("new.example");
    assert_eq!(focus(&j), "ftp://f.example/pub/");
}

#[test]
fn one_page_is_forgotten_after_a_question() {
    let j = reader().keys("C-h").keys("x").asks("http://h.example/b").keys("n").quiet();
    let j = j.shows("Another page").keys("x y").notes("1 page is forgotten");
    assert!(!j.page().contains("Another page") && !j.app.has_visited(&url("http://h.example/b")));
    j.expect(Effect::Keep(Kept::Forget(Forget::Page(url("http://h.example/b"))))).quiet();
}

#[test]
fn a_host_a_span_and_everything_are_forgotten_after_a_question() {
    let since = |ago| Forget::Since(now().timestamp().as_second() - ago);
    for (words, asked, left, what) in [
        ("host H.example", "3 pages of h.example?", 2, Forget::Host("h.example".into())),
        ("host", "3 pages of h.example?", 2, Forget::Host("h.example".into())),
        ("hour", "2 pages, of the last hour?", 3, since(3600)),
        ("today", "3 pages, of today?", 2, since(14 * 3600 + 1800)),
        ("week", "4 pages, of the last seven days?", 1, since(7 * 24 * 3600)),
        ("all", "all of your history, 5 pages?", 0, Forget::All),
    ] {
        let j = reader().keys("C-h").run(&format!("forget {words}")).asks(asked).keys("y");
        assert_eq!(j.app.library.visits.len(), left, "{words}");
        j.expect(Effect::Keep(Kept::Forget(what))).quiet();
    }
    reader().run("forget host nowhere.example").asks("nowhere.example? No page of it was visited");
    reader().run("forget me").free().notes("forget hour|today");
    let mut j = reader();
    j.remember(Remembered { visits_coming: true, ..Remembered::default() });
    let j = j.run("forget all").free().notes("as soon as it is there");
    let known = Known::Visits(Box::new(pages()));
    j.send(Msg::Known { known, remark: None })
        .asks("all of your history, 5 pages?")
        .keys("y")
        .notes("5 pages are forgotten");
}

#[test]
fn what_is_forgotten_goes_from_tabs_words_choices_and_the_list_of_downloads_too() {
    let mut j = reader();
    j.choose(|choices| choices.keeps_session = true);
    let words = [(PromptKind::Open, vec!["h.example".into(), "www.h.example".into()])].into();
    let charsets = [("h.example".into(), "cp437".into())].into();
    j.remember(Remembered { words, charsets, ..Remembered::default() });
    let j =
        j.open("http://h.example/new").answer(media::PLAIN, b"x").open("http://b.example/").answer(media::PLAIN, b"y");
    let kept = |j: &Journey| {
        let session = j.app.session();
        session.tabs.iter().flat_map(|tab| &tab.places).any(|place| place.url.as_str().contains("//h.example"))
    };
    assert!(kept(&j));
    let j = j.run("forget host h.example").asks("of h.example?").keys("y").expect(Effect::Keep(Kept::Session));
    assert!(!kept(&j) && j.app.charsets().is_empty());
    assert_eq!(j.app.words()[&PromptKind::Open], ["www.h.example"]);
    // What is visited again is kept again.
    assert!(kept(&j.open("http://h.example/new").answer(media::PLAIN, b"x")));
}

#[test]
fn what_another_copy_visited_is_asked_for_once_whenever_it_may_be_wanted() {
    let mut j = reader();
    j.choose(|choices| choices.shares_history = true);
    let j = j.keys("g").expect(Effect::Keep(Kept::Others)).quiet().text("ab");
    assert!(!j.effects.contains(&Effect::Keep(Kept::Others)));
    let j = j.keys("Esc C-h").expect(Effect::Keep(Kept::Others));
    let theirs = Visits::read(b"1\thttp://theirs.example/\tTheirs\n".to_vec()).unwrap().0;
    j.send(Msg::Known { known: Known::Others(Box::new(theirs)), remark: None }).shows("Theirs");
}

#[test]
fn what_was_read_joins_what_was_visited_meanwhile() {
    let mut j = Journey::new();
    j.remember(Remembered { visits_coming: true, ..Remembered::default() });
    let j = j.send(Msg::Clock(now()));
    let j = j.keys("C-h").shows("It is being read.");
    let j = j.open("http://h.example/new").answer(media::PLAIN, b"x").keys("h");
    let known = Known::Visits(Box::new(pages()));
    let j = j.send(Msg::Known { known, remark: Some("history:3: odd".into()) }).notes("history:3: odd");
    let j = j.shows("6 pages").shows("http://h.example/new").shows("Far away");
    assert!(j.app.has_visited(&url("gopher://old.example:70/0/far")));
}

#[test]
fn many_pages_are_listed_in_steps_and_older_ones_on_their_own_pages() {
    let mut j = Journey::new().send(Msg::Clock(now()));
    let start = now().timestamp().as_second() - 2_000_000;
    let file: String =
        (0..50_000).map(|n| format!("{}\thttp://h{}.example/{n}\tPage {n}\n", start + n, n % 7)).collect();
    j.app.library.visits = Visits::read(file.into_bytes()).unwrap().0;
    let mut j = j.keys("C-h").shows("50,000 pages").shows("Page 49500").shows("Older pages");
    assert!(!j.page().contains("Page 49499"));
    j = j.keys("End Enter").at_url(&format!("about:history?before={}", start + 49_500));
    j = j.shows("Page 49499").shows("Page 49000");
    // Only the words that were typed last are looked for.
    j = j.hold().keys("&").text("page 123").shows("50,000 pages");
    assert_eq!(j.works.len(), 1);
    j = j.work();
    j.shows("Page 12345").shows("Page 123");
}

#[test]
fn stopping_keeps_the_title_that_has_come() {
    let j = Journey::new().open("http://h/").head(media::HTML).body(b"<title>T</title><p>x").keys("Esc");
    assert_eq!(j.app.library.visits.newest().next().unwrap().title, "T");
    let j = Journey::new().open("http://h/").head(media::PLAIN).body(&lines(3)).event(FetchEvent::End(End::default()));
    assert_eq!(j.app.library.visits.newest().next().unwrap().title, "");
}

/// The start page as the program has it.
fn home(j: Journey) -> Journey {
    let text = wayfarer::proto::about::text("home").unwrap();
    j.open("about:home").answer(media::OWN, text.as_bytes())
}

#[test]
fn the_home_page_has_the_newest_bookmarks_and_the_places_visited_last() {
    let plain = home(Journey::new());
    assert!(plain.page().contains("Where to go") && !plain.page().contains("Your newest"), "nothing, nothing");
    let mut j = Journey::new();
    let mark = |n: usize| wayfarer::bookmarks::Bookmark {
        url: format!("http://me:geheim@h/{n}"),
        title: format!("Mark\u{202e} {n}"),
        ..Default::default()
    };
    j.app.library.bookmarks = (0..9).map(mark).collect();
    let j = j.open("gopher://h/1/x").answer(media::MENU, &super::journey::menu("h", &["0|A|/a"]));
    let j = home(j);
    let page = j.page();
    for shown in [" 8\n", " 3\n", "All your bookmarks", "gopher://h/1/x", "All of your history"] {
        assert!(page.contains(shown), "{shown} is not in {page}");
    }
    assert!(!page.contains('\u{202e}') && !page.contains(" 2\n"), "{page}");
    let document = j.app.entry().unwrap().document().unwrap();
    let leads = |to: &str| (0..document.link_count()).any(|link| document.reference(LinkId(link)) == Some(to));
    assert!(leads("http://me@h/8") && !leads("http://me:geheim@h/8"));
    let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words} is not in {page}"));
    assert!(at("Where to go") < at("Your newest") && at("Where you were last") < at("The first keys"));
    // Nothing of the reader's is there in private.
    let j = home(j.run("private about:blank").answer(media::OWN, b""));
    assert!(!j.page().contains("Your newest") && !j.page().contains("gopher://h/1/x"), "{}", j.page());
}

#[test]
fn what_is_known_later_moves_neither_focus_nor_row() {
    let j = home(Journey::sized(40, 10)).keys("End");
    let focus = |j: &Journey| {
        let entry = j.app.entry().unwrap();
        let (document, link) = (entry.document().unwrap(), entry.focus.unwrap());
        let lines = j.app.layout().lines(document, entry.top, 10);
        let row = lines.iter().position(|line| line.segments.iter().any(|segment| segment.link == Some(link)));
        (document.link_text(link).to_owned(), row.unwrap())
    };
    let before = focus(&j);
    let mut visits = Visits::default();
    visits.add(Visit { url: "http://h/", title: "Aitch", time: 1, count: 1 });
    let known = Known::Visits(Box::new(visits));
    let j = j.send(Msg::Known { known, remark: None });
    assert!(j.page().contains("Aitch"), "{}", j.page());
    assert_eq!(focus(&j), before);
}

/// "0 pages are forgotten", while 200 copies went.
#[test]
fn what_the_store_has_forgotten_is_said_with_the_pages() {
    let gone = |copies, later, fresh| {
        let known = Known::Forgotten(Gone { copies, later, fresh });
        Msg::Known { known, remark: None }
    };
    let forget = |words: &str| reader().run(&format!("forget {words}")).keys("y");
    let said = "5 pages, 1,200 kept copies, 1 page to read later, 3 items that were new are forgotten";
    forget("all").send(gone(1_200, 1, 3)).notes(said);
    forget("all").send(gone(0, 0, 0)).notes("5 pages are forgotten");
    let j = forget("host g.example").notes("no page of your history is forgotten");
    j.send(gone(1, 0, 0)).notes("1 kept copy is forgotten");
}

#[test]
fn a_page_about_what_is_kept_shows_at_once_what_was_forgotten() {
    let gone =
        |copies, later, fresh| Msg::Known { known: Known::Forgotten(Gone { copies, later, fresh }), remark: None };
    let at = |address: &str| reader().open(address).answer(media::OWN, b"# Own\n\n=> http://h/a A\n").quiet();
    for (address, told) in [
        ("about:later", gone(0, 1, 0)),
        ("about:store", gone(1, 0, 0)),
        ("about:search?q=a", gone(1, 0, 0)),
        ("about:new", gone(0, 0, 1)),
    ] {
        at(address).send(told).expect_fetch(address);
        let asked = at(address).fetches.len();
        assert_eq!(at(address).send(gone(0, 0, 0)).fetches.len(), asked, "{address}");
    }
    // A page of the network is no such page.
    let j = reader().open("http://h/").answer(media::OWN, b"# Own\n").quiet();
    let asked = j.fetches.len();
    assert_eq!(j.send(gone(1, 1, 1)).fetches.len(), asked);
}

/// It was refused, since nothing of that was visited.
#[test]
fn a_page_that_was_put_by_and_never_visited_is_forgotten_by_itself() {
    for page in ["=> gopher://g.example/0/a A\n", "=> about:new?of=gopher%3A%2F%2Fg.example%2F0%2Fa A\n"] {
        let j = reader().open("about:later").answer(media::OWN, page.as_bytes()).quiet();
        let j = j.run("forget").asks("gopher://g.example/0/a").asks("kept of this").keys("y");
        j.expect(Effect::Keep(Kept::Forget(Forget::Page(url("gopher://g.example/0/a")))));
    }
    // Of what is never kept there is nothing.
    reader().open("file:///x").answer(media::PLAIN, b"x").run("forget").asks("that you were here").keys("y");
    reader().open("about:help").answer(media::OWN, b"x").run("forget").notes("no page under focus");
}

#[test]
fn who_forgets_is_told_that_marks_go_and_certificates_stay() {
    for words in ["", "hour", "host h.example", "all"] {
        let j = reader().open("http://h.example/new").answer(media::PLAIN, b"x");
        let j = j.run(&format!("forget {words}")).asks("marks").asks("read later").asks("new");
        let j = if words.is_empty() { j.asks("kept copy") } else { j.asks("ept copies") };
        j.asks("certificates of servers and your own");
    }
}
