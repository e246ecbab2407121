//! Subscribing, and reading what is new.

use super::journey::Journey;
use wayfarer::app::{Effect, Known, Msg};
use wayfarer::format::media;
use wayfarer::proto::{Again, End, FetchError, FetchEvent, Kind, Moved};
use wayfarer::url::Url;

/// What the shell is asked last.
fn asked(j: &Journey) -> String {
    let fetched = |effect: &Effect| match effect {
        Effect::Fetch { request, .. } => Some(request.url.to_string()),
        _ => None,
    };
    j.effects.iter().filter_map(fetched).next_back().unwrap_or_default()
}

fn coded(url: &str) -> String {
    wayfarer::url::escape::encode(url.as_bytes(), b"")
}

#[test]
fn the_page_in_view_is_subscribed_to_a_web_page_by_its_feed() {
    let j = Journey::at(&["0|A text|/a"]).keys("A");
    assert_eq!(asked(&j), format!("about:new?add={}&title=", coded("gopher://h/")));
    let head = b"<title>A blog</title><link rel=alternate type='application/atom+xml' href=/atom.xml><h1>x</h1>";
    let j = Journey::new().open("http://h/").answer(media::HTML, head).keys("A");
    assert_eq!(asked(&j), format!("about:new?add={}&title=", coded("http://h/atom.xml")));
    // A feed that leads into this machine is none.
    let head = b"<title>A blog</title><link rel=alternate type='application/atom+xml' href='file:///etc/x'><h1>x</h1>";
    let j = Journey::new().open("http://h/").answer(media::HTML, head).keys("A");
    assert_eq!(asked(&j), format!("about:new?add={}&title=A%20blog", coded("http://h/")));
    // What it leads to, or what is typed.
    let j = Journey::at(&["0|A text|/a"]).run("subscribe link");
    assert_eq!(asked(&j), format!("about:new?add={}&title=A%20text", coded("gopher://h/0/a")));
    let j = Journey::new().run("subscribe gemini://h/log");
    assert_eq!(asked(&j), format!("about:new?add={}&title=", coded("gemini://h/log")));
    // By the name that it had when the reader was there.
    let visited = Journey::new().open("http://h/").answer(media::HTML, b"<title>A blog</title><p>x");
    let visited = visited.open("gopher://h/").answer(media::MENU, b"0A\t/a\th\t70\r\n").run("subscribe http://h/");
    assert_eq!(asked(&visited), format!("about:new?add={}&title=A%20blog", coded("http://h/")));
    let said = FetchEvent::Moved(Box::new(Moved {
        from: Url::parse("about:new?add=x").unwrap(),
        to: "about:new".into(),
        status: "subscribed to it".into(),
        again: Again::Get,
        unkept: false,
    }));
    let j = j.event(said).notes("subscribed to it");
    j.run("unsubscribe gemini://h/log")
        .event(FetchEvent::Failed(FetchError::new(Kind::Broken, "you are not subscribed to it")))
        .notes("you are not subscribed to it");
}

#[test]
fn a_group_is_taken_as_ever_and_told_of_with_the_rest_by_another_word() {
    let page = b"g.one\t1\t2\t2\ty\r\n1\tOne\tme\t1 Jan 2026 00:00:00 +0000\t<1@x>\t\t\t\t\r\n";
    let group = || Journey::new().open("news://h/g.one").answer(media::NEWSGROUP, page);
    assert!(!asked(&group().run("subscribe")).starts_with("about:new"));
    let j = group().run("subscribe new");
    assert_eq!(asked(&j), format!("about:new?add={}&title=g.one", coded("news://h/g.one")));
}

#[test]
fn the_rows_of_a_list_of_feeds_are_meant_and_not_the_list() {
    let list = b"<opml version='2.0'><head><title>Mine</title></head><body><outline text='Small'>\
        <outline text='A &amp; B' xmlUrl='http://h/feed'/><outline text='bad' xmlUrl='file:///etc/passwd'/></outline></body></opml>";
    let j = Journey::new().open("http://h/feeds.opml").answer("text/x-opml", list).quiet();
    let j = j.keys("A");
    assert_eq!(asked(&j), format!("about:new?add={}&title=A%20%26%20B", coded("http://h/feed")));
    j.keys("Tab A").notes("only what is of the network");
}

#[test]
fn nothing_of_a_private_tab_and_nothing_of_this_machine_is_subscribed_to() {
    let j = Journey::new().run("private gopher://h/").answer(media::MENU, b"0A\t/a\th\t70\r\n").quiet();
    j.keys("A").notes("nothing of a private tab is kept").quiet();
    Journey::new()
        .open("file:///tmp/x.txt")
        .answer(media::PLAIN, b"x")
        .quiet()
        .keys("A")
        .notes("only what is of the network");
    Journey::new()
        .open("about:home")
        .answer(media::OWN, b"# x\n")
        .quiet()
        .run("subscribe")
        .notes("only what is of the network");
}

const NEW: &[u8] = b"# New since Mon \xC2\xB7 2 items\n\n=| about:new?of=gopher%3A%2F%2Fh%2F gopher\tA place\t2\tMon\n\
    =* gopher://h/0/a One\n=* gopher://h/0/b Two\t5 kB\n\n=> about:new?read=all Mark all read\n=> about:new?check Look now\n";

fn new() -> Journey {
    Journey::new().run("new").expect_fetch("about:new").answer(media::OWN, NEW).quiet()
}

fn done(status: &str) -> FetchEvent {
    let from = Url::parse("about:new?read=all").unwrap();
    FetchEvent::Moved(Box::new(Moved {
        from,
        to: "about:new".into(),
        status: status.into(),
        again: Again::Get,
        unkept: false,
    }))
}

#[test]
fn what_is_new_is_read_by_one_key_and_marked_by_another() {
    let j = new().shows("A place").shows("One").keys("n");
    assert_eq!(asked(&j), "about:new?next");
    let j = new().keys("c");
    assert_eq!(asked(&j), "about:new?read=all");
    let j = new().keys("c").event(done("all is marked read")).notes("all is marked read; u takes it back").keys("u");
    assert_eq!(asked(&j), "about:new?undo");
    let item = |name: &str| format!("about:new?{name}={}", coded("gopher://h/0/a"));
    let j = new().keys("Tab m").event(done("marked read")).notes("marked read; u takes it back");
    assert_eq!(asked(&j), item("mark"));
    assert_eq!(asked(&new().keys("Tab Z")), item("unread"));
    // The row of a source is no item.
    new().keys("m").notes("no item is under focus");
    let j = new().keys("r").notes("looking for what is new");
    assert_eq!(asked(&j), "about:new?check");
    let j = new().keys("x");
    assert_eq!(asked(&j), format!("about:new?drop={}", coded("gopher://h/")));
    // From a page that could not be had on to the next one; elsewhere by another key.
    let j = Journey::at(&["0|A text|/a"]).keys("M-j");
    assert_eq!(asked(&j), format!("about:new?next={}", coded("gopher://h/")));
    // What could not be had is passed over, also where about:new has led there.
    let from = Url::parse("about:new?next").unwrap();
    let moved_on =
        Moved { from, to: "gopher://h/0/gone".into(), status: "done".into(), again: Again::Get, unkept: false };
    let j = new().keys("n").event(FetchEvent::Moved(Box::new(moved_on))).expect_fetch("gopher://h/0/gone");
    let j = j.fail(FetchError::new(Kind::NotFound, "gone")).keys("M-j");
    assert_eq!(asked(&j), format!("about:new?next={}", coded("gopher://h/0/gone")));
    let from = Url::parse("about:new?next").unwrap();
    let status = "nothing else is new; 2 could not be had".to_owned();
    let all = Moved { from, to: "about:new".into(), status, again: Again::Get, unkept: false };
    j.event(FetchEvent::Moved(Box::new(all))).expect_fetch("about:new").notes("nothing else is new; 2 could not");
    // It leads on without a question, and never into this machine.
    let moved = |to: &str| {
        FetchEvent::Moved(Box::new(Moved {
            from: Url::parse("about:new?next").unwrap(),
            to: to.into(),
            status: "done".into(),
            again: Again::Get,
            unkept: false,
        }))
    };
    new().keys("n").event(moved("gemini://h/x")).expect_fetch("gemini://h/x");
    let j = new().keys("n").event(moved("file:///etc/passwd"));
    assert!(!asked(&j).starts_with("file:"), "{:?}", j.effects);
}

#[test]
fn its_own_links_ask_nothing_and_those_of_others_do() {
    let j = new().keys("Tab Tab Tab Enter");
    assert_eq!(asked(&j), "about:new?read=all");
    let text =
        format!("=> about:new?read=all Mark\n=> about:new?add={} Add\n=> about:new?check Look\n", coded("http://h/"));
    for (keys, words) in [
        ("Enter", "Mark all that is new read?"),
        ("Tab Enter", "Subscribe to http://h/?"),
        ("Tab Tab Enter", "Look now at all"),
    ] {
        let j = Journey::new().open("gemini://h/").answer(media::GEMTEXT, text.as_bytes()).quiet().keys(keys);
        assert!(!asked(&j).starts_with("about:"), "{:?}", j.effects);
        j.asks(words);
    }
}

#[test]
fn what_was_found_is_said_and_the_page_in_view_says_it_too() {
    let known = |unread, fresh| Msg::Known { known: Known::New { unread, fresh }, remark: None };
    Journey::at(&["0|A text|/a"]).send(known(3, 2)).notes("2 items are new: about:new").quiet();
    let j = new().send(known(1, 0));
    assert_eq!(asked(&j), "about:new");
    // Once.
    let j = j
        .answer(media::OWN, b"# New\n")
        .quiet()
        .send(known(1, 0))
        .expect_fetch("about:new")
        .answer(media::OWN, b"# New\n");
    assert!(j.app.hands.note.is_none(), "{:?}", j.app.hands.note);
}

#[test]
fn a_key_between_the_head_and_the_text_of_the_page_fetched_by_itself_finds_it_as_it_was() {
    let known = Msg::Known { known: Known::New { unread: 1, fresh: 0 }, remark: None };
    let j = new().keys("End").send(known).expect_fetch("about:new").head(media::OWN).shows("Two").keys("Home x");
    assert_eq!(asked(&j), format!("about:new?drop={}", coded("gopher://h/")));
    // Where the reader went meanwhile they are when it has come.
    let id = j.fetches[1].0;
    j.event_of(id, FetchEvent::Body(NEW.to_vec())).event_of(id, FetchEvent::End(End::default())).focus(0);
    // Who has narrowed it has it narrowed when it comes.
    let known = Msg::Known { known: Known::New { unread: 1, fresh: 0 }, remark: None };
    let j = new().keys("&").text("Two").keys("Enter").send(known).expect_fetch("about:new").answer(media::OWN, NEW);
    assert!(!j.page().contains("One"), "{}", j.page());
}

#[test]
fn where_a_copy_of_the_feed_stands_for_the_page_that_is_said_and_nothing_asked() {
    let from = Url::parse("gemini://h/a").unwrap();
    let moved = |again| {
        let (to, status) = ("http://h/feed#entry-1".into(), "this is its entry in the kept feed".into());
        FetchEvent::Moved(Box::new(Moved { from: from.clone(), to, status, again, unkept: false }))
    };
    let j = Journey::new().open("gemini://h/a").event(moved(Again::Kept)).expect_fetch("http://h/feed#entry-1");
    j.notes("this is its entry in the kept feed");
    // A server's word is asked about as ever.
    Journey::new().open("gemini://h/a").event(moved(Again::Get)).asks("is elsewhere");
}

#[test]
fn the_home_page_says_how_much_is_new() {
    let known = |unread| Msg::Known { known: Known::New { unread, fresh: 0 }, remark: None };
    let home = |j: Journey| j.open("about:home").answer(media::OWN, b"# Home\n\n## Where to go\n\nx\n").quiet();
    let j = home(Journey::new()).send(known(2)).shows("2 items are new in what you are subscribed to").send(known(0));
    assert!(!j.page().contains("subscribed"), "{}", j.page());
    // Nothing of the reader's is on it in a private tab.
    let j =
        Journey::new().send(known(2)).run("private about:home").answer(media::OWN, b"# Home\n\n## Where to go\n\nx\n");
    assert!(!j.page().contains("subscribed"), "{}", j.page());
}

#[test]
fn offline_nobody_is_asked() {
    let j = Journey::new().run("offline").run("check-new").notes("nobody is asked while you are offline");
    assert_eq!(asked(&j), "");
}

#[test]
fn what_was_unsubscribed_from_is_brought_back_by_one_key() {
    let moved = |status: &str| {
        FetchEvent::Moved(Box::new(Moved {
            from: Url::parse("about:new?drop=x").unwrap(),
            to: "about:new".into(),
            status: status.into(),
            again: Again::Get,
            unkept: false,
        }))
    };
    let j = new().keys("x").event(moved("not subscribed to gopher://h/ any more"));
    let j = j.notes("not subscribed to gopher://h/ any more; u on about:new brings it back").keys("u");
    assert_eq!(asked(&j), "about:new?undo");
    j.event(moved("subscribed to gopher://h/ again")).notes("subscribed to gopher://h/ again");
    // Others ask first.
    let j = Journey::new().open("gemini://h/").answer(media::GEMTEXT, b"=> about:new?undo Back\n").quiet();
    j.keys("Enter").asks("Subscribe again to what you unsubscribed from last, or");
}
