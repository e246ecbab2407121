//! Opening, following, arriving, going back, stopping, failing.

use super::journey::{Journey, head, lines, long_menu, menu, url};
use wayfarer::app::{Effect, Msg, PageState, status};
use wayfarer::format::media;
use wayfarer::proto::{Again, End, FetchError, FetchEvent, Head, Kind, Moved, Stage, Verdict};
use wayfarer::url::Layer;

#[test]
fn open_follow_back_forward() {
    Journey::new()
        .open("gopher://h/")
        .expect_fetch("gopher://h/")
        .quiet()
        .stage(Stage::Connecting)
        .look(|j| assert_eq!(j.app.tab.loading.as_ref().unwrap().stage, Some(Stage::Connecting)))
        .answer(media::MENU, &menu("h", &["i|Welcome", "1|Sub|/sub", "0|About|/about"]))
        .quiet()
        .at_url("gopher://h/")
        .state(PageState::Complete)
        .focus(0)
        .keys("Down Enter")
        .expect_fetch("gopher://h/0/about")
        .quiet()
        .at_url("gopher://h/")
        .answer(media::PLAIN, b"About this.\r\n.\r\n")
        .at_url("gopher://h/0/about")
        .shows("About this.")
        .keys("Left")
        .quiet()
        .at_url("gopher://h/")
        .focus(1)
        .keys("L")
        .quiet()
        .at_url("gopher://h/0/about")
        .keys("L")
        .notes("last page");
}

#[test]
fn the_old_page_stays_until_the_head_is_accepted() {
    Journey::at(&["0|A|/a"])
        .keys("Enter")
        .stage(Stage::Waiting)
        .at_url("gopher://h/")
        .shows("A")
        .look(|j| assert_eq!(status::url(j.app.sight()).unwrap().as_str(), "gopher://h/0/a"))
        .head(media::PLAIN)
        .expect_verdict(Verdict::Accept)
        .at_url("gopher://h/0/a")
        .body(b"first line\nsec")
        .state(PageState::Arriving)
        .shows("first line")
        .body(b"ond\n")
        .end()
        .state(PageState::Complete);
}

#[test]
fn back_restores_place_focus_and_bases_without_fetching() {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 200)).quiet();
    let j = j.keys("Space Space Down Down");
    let entry = j.app.entry().unwrap();
    let (top, focus, bases) = (entry.top, entry.focus, entry.bases.clone());
    assert!(top.block > 30);
    j.keys("Enter").answer(media::PLAIN, &lines(100)).keys("Space").keys("h").quiet().look(|j| {
        let entry = j.app.entry().unwrap();
        assert_eq!((entry.top, entry.focus), (top, focus));
        assert_eq!(entry.bases, bases);
        assert_eq!(entry.bases.get(Layer::Retrieval).unwrap().as_str(), "gopher://h/");
    });
}

#[test]
fn a_new_step_forgets_the_places_ahead() {
    let j = Journey::at(&["0|A|/a", "0|B|/b"])
        .keys("Enter")
        .answer(media::PLAIN, b"a")
        .keys("h Down Enter")
        .answer(media::PLAIN, b"b")
        .quiet();
    let path: Vec<&str> = j.app.tab.history.iter().map(|entry| entry.url.as_str()).collect();
    assert_eq!(path, ["gopher://h/", "gopher://h/0/b"]);
}

#[test]
fn stale_events_fall_on_the_floor() {
    let j = Journey::at(&["0|A|/a", "0|B|/b"]).keys("Enter");
    let stale = j.last();
    j.keys("Down Enter")
        .expect_cancel(1)
        .event_of(stale, FetchEvent::Head(Box::new(head("gopher://h/0/a", media::PLAIN))))
        .event_of(stale, FetchEvent::Body(b"stale".to_vec()))
        .event_of(stale, FetchEvent::End(End::default()))
        .event_of(stale, FetchEvent::Failed(FetchError::new(Kind::Broken, "stale")))
        .at_url("gopher://h/")
        .answer(media::PLAIN, b"fresh")
        .at_url("gopher://h/0/b")
        .shows("fresh");
}

#[test]
fn stop_before_the_head_stays_where_it_was() {
    Journey::at(&["0|A|/a"]).keys("Enter").keys("Esc").expect_cancel(1).notes("stopped").at_url("gopher://h/").look(
        |j| {
            assert!(j.app.tab.loading.is_none());
        },
    );
}

#[test]
fn stop_in_the_middle_keeps_what_came() {
    let j = Journey::at(&["0|A|/a"]).keys("Enter").head(media::PLAIN).expect_verdict(Verdict::Accept);
    let id = j.last();
    j.body(b"half of")
        .body(b" it")
        .keys("Esc")
        .expect_enough(1)
        .state(PageState::Stopped)
        .shows("half of it")
        .event_of(id, FetchEvent::Body(b" and more".to_vec()))
        .shows("half of it\n");
}

#[test]
fn a_page_goes_on_arriving_while_the_reader_reads_another() {
    let j = Journey::new().open("gopher://h/").head(media::MENU);
    let first = j.last();
    j.body(&menu("h", &["0|A|/a"])[..8])
        .body(b"\t/a\th\t70\r\n")
        .keys("Enter")
        .expect_fetch("gopher://h/0/a")
        .answer(media::PLAIN, b"text")
        .event_of(first, FetchEvent::Body(b"0B\t/b\th\t70\r\n".to_vec()))
        .event_of(first, FetchEvent::End(End::default()))
        .shows("text")
        .keys("h")
        .state(PageState::Complete)
        .shows("B");
}

#[test]
fn a_failure_is_a_page_that_can_be_tried_again() {
    let error = FetchError::new(Kind::TimedOut, "Nothing came within 60 seconds.").tried("h port 70, selector \"/a\"");
    Journey::at(&["0|A|/a"])
        .keys("Enter")
        .fail(error.clone())
        .at_url("gopher://h/0/a")
        .state(PageState::Failed(error))
        .shows("Nothing came within 60 seconds.")
        .shows("h port 70, selector \"/a\"")
        .shows("R try again")
        .keys("R")
        .expect_fetch("gopher://h/0/a")
        .answer(media::PLAIN, b"at last")
        .at_url("gopher://h/0/a")
        .shows("at last")
        .keys("h")
        .at_url("gopher://h/")
        .look(|j| assert_eq!(j.app.tab.history.len(), 2));
}

#[test]
fn a_failure_in_the_middle_keeps_the_part_and_marks_it() {
    Journey::new()
        .open("gopher://h/")
        .head(media::MENU)
        .body(b"0A\t/a\th\t70\r\n")
        .fail(FetchError::new(Kind::Broken, "The server closed the connection."))
        .state(PageState::Cut("The server closed the connection.".into()))
        .shows("A");
}

#[test]
fn a_cut_end_is_marked() {
    Journey::new()
        .open("gopher://h/")
        .head(media::MENU)
        .body(b"0A\t/a\th\t70\r\n")
        .event(FetchEvent::End(End { cut: Some("no final dot".into()) }))
        .state(PageState::Cut("no final dot".into()));
}

#[test]
fn an_end_without_a_head_is_a_failure() {
    Journey::new().open("gopher://h/0a").end().shows("ended before it began");
}

#[test]
fn reload_keeps_the_place_and_a_failing_reload_keeps_the_page() {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 300)).keys("Space Space Down");
    let (top, focus) = (j.app.entry().unwrap().top, j.app.entry().unwrap().focus);
    let whole = long_menu("h", 300);
    j.keys("R")
        .expect_fetch("gopher://h/")
        .head(media::MENU)
        .body(&whole[..200])
        .body(&whole[200..])
        .end()
        .look(|j| assert_eq!((j.app.entry().unwrap().top, j.app.entry().unwrap().focus), (top, focus)))
        .keys("R")
        .fail(FetchError::new(Kind::Refused, "h refused the connection."))
        .notes("refused the connection")
        .shows("Item number 300")
        .look(|j| assert_eq!(j.app.tab.history.len(), 1));
}

#[test]
fn a_reader_who_moves_on_during_a_reload_is_not_pulled_back() {
    let whole = long_menu("h", 300);
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &whole).keys("End R").head(media::MENU);
    j.body(&whole[..2000]).keys("Down Down").focus(2).body(&whole[2000..]).end().focus(2).top(0);
}

#[test]
fn the_cache_is_bounded_and_a_forgotten_page_is_fetched_again_at_its_place() {
    let mut j = Journey::new();
    j.app.desk.settings.cache = 200_000;
    let big = long_menu("h", 3000);
    let mut j = j.open("gopher://h/").answer(media::MENU, &big).keys("Space Space Space");
    let place = j.app.entry().unwrap().top;
    for n in 0..3 {
        j = j.open(&format!("gopher://h/1/{n}")).answer(media::MENU, &big);
    }
    let kept: Vec<bool> = j.app.tab.history.iter().map(|entry| entry.page.is_some()).collect();
    assert!(kept[3] && !kept[0], "{kept:?}");
    j.run("places")
        .run("top")
        .run("accept")
        .expect_fetch("gopher://h/")
        .at_url("gopher://h/1/2")
        .head(media::MENU)
        .at_url("gopher://h/")
        .body(&big)
        .end()
        .look(|j| {
            assert_eq!(j.app.entry().unwrap().top, place);
            assert_eq!(j.app.tab.history.len(), 4);
        })
        .keys("L")
        .expect_fetch("gopher://h/1/0");
}

#[test]
fn fragments_of_this_document_make_places_without_a_fetch() {
    let mut page = String::from("# One\n=> #nowhere broken\n");
    (0..60).for_each(|n| page.push_str(&format!("line {n}\n")));
    let page = format!("{page}=> # up\n");
    Journey::new()
        .open("file:///a/p.gmi")
        .answer(media::GEMTEXT, page.as_bytes())
        .keys("Enter")
        .quiet()
        .notes("no place named \"nowhere\"")
        .at_url("file:///a/p.gmi")
        .keys("Tab")
        .look(|j| assert!(j.app.entry().unwrap().top.block > 30))
        .keys("Enter")
        .quiet()
        .at_url("file:///a/p.gmi#")
        .top(0)
        .shows("line 59")
        .keys("h")
        .quiet()
        .at_url("file:///a/p.gmi")
        .focus(1)
        .look(|j| assert!(j.app.entry().unwrap().top.block > 30))
        .shows("line 59")
        .keys("L")
        .quiet()
        .top(0)
        .shows("line 59")
        .keys("R")
        .expect_fetch("file:///a/p.gmi#");
}

#[test]
fn a_fragment_that_never_comes_is_said_at_the_end() {
    Journey::new()
        .open("file:///p.gmi#there")
        .head(media::GEMTEXT)
        .body(b"text\n")
        .look(|j| assert!(j.app.hands.note.is_none()))
        .end()
        .notes("no place named \"there\"");
}

#[test]
fn up_and_root() {
    Journey::new()
        .open("gopher://h/0/docs/deep/a.txt")
        .answer(media::PLAIN, b"x")
        .keys("U")
        .expect_fetch("gopher://h/1/docs/deep")
        .answer(media::MENU, &menu("h", &["0|A|/a"]))
        .keys("M-u")
        .look(|j| assert!(j.fetches.last().unwrap().1.url.as_str().starts_with("gopher://h")));
    Journey::at(&["0|A|/a"]).keys("M-u").notes("this is the root already").quiet();
}

#[test]
fn home_is_the_settings_home() {
    let mut j = Journey::new();
    j.app.desk.settings.home = "gopher.example.org".into();
    j.keys("H").expect_fetch("gopher://gopher.example.org/");
}

#[test]
fn resize_in_the_middle_keeps_the_place() {
    let text: String = (0..200).map(|n| format!("{n} {}\n", "many words that wrap ".repeat(8))).collect();
    let j = Journey::new().open("gopher://h/0t").head(media::PLAIN).body(&text.as_bytes()[..9000]).keys("Space Space");
    let before = j.app.entry().unwrap().top;
    j.resize(40, 10)
        .look(|j| assert_eq!(j.app.entry().unwrap().top.block, before.block))
        .body(&text.as_bytes()[9000..])
        .resize(120, 50)
        .end()
        .look(|j| assert_eq!(j.app.entry().unwrap().top.block, before.block))
        .state(PageState::Complete);
}

#[test]
fn screens_of_one_row_and_none_work() {
    for (columns, rows) in [(1, 1), (80, 1), (5, 2), (0, 0), (3, 3)] {
        Journey::sized(columns, rows)
            .open("gopher://h/")
            .answer(media::MENU, &menu("h", &["i|Welcome to a place", "1|Sub|/sub", "0|About|/about", "7|Find|/f"]))
            .keys("Down Down Up Space b C-d C-u End Home Tab S-Tab J K O Esc = Down Esc f Esc ? Space Esc D S Esc / x Enter")
            .resize(columns, rows)
            .keys("Home Tab")
            .look(|j| assert!(j.app.entry().unwrap().focus.is_some(), "{columns}×{rows}"));
    }
}

#[test]
fn terminate_quits_without_asking() {
    let j = Journey::at(&["9|Bin|/b"]).keys("d Enter").head("application/octet-stream");
    assert!(!j.app.transfers.downloads.is_empty());
    j.send(Msg::Terminate).expect(Effect::QuitNow);
}

#[test]
fn mirrors_travel_with_the_request() {
    let menu = b"0File\t/f\tone\t70\r\n+Mirror\t/g\ttwo\t70\r\n+Trap\t/g\ttwo\t25\r\n+Odd\t/g\ttwo\t300\r\n.\r\n";
    let j = Journey::new().open("gopher://one/").answer(media::MENU, menu).keys("Enter");
    assert_eq!(j.fetches[1].1.mirrors, [url("gopher://two/0/g")]);
}

#[test]
fn visited_places_are_remembered_in_normal_form() {
    let j = Journey::at(&["0|A|/a"]);
    assert!(j.app.has_visited(&url("gopher://H:70/1#x")));
}

#[test]
fn pages_end_with_their_base_when_a_mirror_answered() {
    Journey::at(&["1|A|/a"])
        .keys("Enter")
        .event(FetchEvent::Head(Box::new(head("gopher://mirror/1/b", media::MENU))))
        .body(b"")
        .end()
        .at_url("gopher://h/1/a")
        .look(|j| {
            assert_eq!(j.app.entry().unwrap().bases.get(Layer::Retrieval).unwrap().as_str(), "gopher://mirror/1/b");
        });
}

#[test]
fn a_page_from_a_mirror_is_fetched_again_with_the_mirror_at_hand() {
    let head = head("gopher://mirror/1/b", media::MENU);
    let j =
        Journey::new().open("gopher://h/1/b").event(FetchEvent::Head(Box::new(head))).body(b".\r\n").end().keys("R");
    assert_eq!(j.fetches[1].1.url, url("gopher://h/1/b"));
    assert_eq!(j.fetches[1].1.mirrors, [url("gopher://mirror/1/b")]);
}

#[test]
fn an_answer_of_nothing_leaves_the_page() {
    let nothing = |j: Journey| {
        let head = Head { nothing: Some("204 No Content".into()), ..head("http://h/done", media::PLAIN) };
        j.event(FetchEvent::Head(Box::new(head)))
    };
    let j = Journey::new().open("http://h/").answer(media::HTML, b"<a href=/done>do it</a>").keys("Tab Enter");
    nothing(j.expect_fetch("http://h/done"))
        .expect_verdict(Verdict::Refuse)
        .quiet()
        .at_url("http://h/")
        .shows("do it")
        .notes("204 No Content")
        .look(|j| assert!(j.app.tab.loading.is_none()));
    nothing(Journey::new().open("http://h/done")).expect_verdict(Verdict::Accept);
}

#[test]
fn a_request_says_which_page_led_to_it() {
    let led = |j: &Journey| j.app.tab.loading.as_ref().unwrap().request.led.as_ref().map(ToString::to_string);
    let page = b"<a href=http://b/>b</a>";
    let j = Journey::new().open("http://a/").look(|j| assert_eq!(led(j), None)).answer(media::HTML, page);
    let j = j.keys("Tab Enter").look(|j| assert_eq!(led(j).as_deref(), Some("http://a/")));
    // A redirect leads no further from it, and asking again is no new step.
    let moved = |to: &str| Moved {
        from: url("http://b/"),
        to: to.into(),
        status: "302 Found".into(),
        again: Again::Get,
        unkept: false,
    };
    let j = j
        .event(FetchEvent::Moved(Box::new(moved("http://c/"))))
        .look(|j| assert_eq!(led(j).as_deref(), Some("http://a/")));
    let j = j.answer(media::HTML, page).run("reload").look(|j| assert_eq!(led(j).as_deref(), Some("http://a/")));
    j.answer(media::HTML, page).open("http://d/").look(|j| assert_eq!(led(j), None));
}

#[test]
fn a_second_name_that_is_not_found_is_the_network() {
    let nobody = |host: &str| FetchError::new(Kind::NoSuchHost, format!("No host is named {host}."));
    let j = Journey::new().open("gopher://a/").fail(nobody("a")).shows("No host is named a.");
    // The same one again is no news.
    let j = j.open("gopher://a/").fail(nobody("a")).shows("No host is named a.");
    let j = j.open("gopher://b/").fail(nobody("b")).shows("This machine seems to have no network");
    let j = j.shows("See whether it is connected");
    let j = j.open("gopher://h/").answer(media::MENU, b"").open("gopher://c/").fail(nobody("c"));
    j.shows("No host is named c.");
}

/// Left stayed at one article for ever: the place before it, at which no server had been known, took the server of the page in view.
#[test]
fn a_place_of_the_history_is_no_other_for_where_one_comes_from() {
    let mut j = Journey::new().open("gopher://h/1").answer(media::MENU, b"iA menu\t\tx\t1\r\n.\r\n");
    j = j.open("news:1@h").event(FetchEvent::Failed(FetchError::new(Kind::Unsupported, "No news server is set.")));
    j = j.open("news://h/1@h").answer(media::MESSAGE, b"Subject: One\r\n\r\nHello.\r\n");
    // As after a new start.
    j.app.tab.history[1].page = None;
    let j = j
        .keys("Left")
        .expect_fetch("news:1@h")
        .event(FetchEvent::Failed(FetchError::new(Kind::Unsupported, "No news server is set.")));
    j.keys("Left").at_url("gopher://h/1");
}
