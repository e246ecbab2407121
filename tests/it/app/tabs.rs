//! Tabs: opened, closed, opened again, gone to; what comes in one behind stays there.

use super::journey::{Journey, head, lines, long_menu, menu, url};
use wayfarer::app::{Effect, JobId, Kept, Label, ListKind, Overlay, PageState, TabState};
use wayfarer::format::media;
use wayfarer::proto::{Again, End, FetchError, FetchEvent, Kind, Moved, Verdict};

/// Where each tab is, the one in view in brackets.
fn places(j: &Journey) -> String {
    let place = |(i, tab): (usize, &wayfarer::app::Tab)| {
        let place = match tab.label() {
            Some(Label::Title(text)) => text,
            Some(Label::Url(text)) => text.trim_start_matches("gopher://").into(),
            None => "-".into(),
        };
        if i == j.app.tab_at() { format!("[{place}]") } else { place }
    };
    j.app.tabs().enumerate().map(place).collect::<Vec<_>>().join(" ")
}

fn states(j: &Journey) -> Vec<TabState> {
    j.app.tabs().map(|tab| tab.state()).collect()
}

/// A menu in front, and its first two links on their way in tabs behind; the last two fetches.
fn two_behind() -> (Journey, JobId, JobId) {
    let j =
        Journey::at(&["0|A|/a", "0|B|/b", "1|C|/c", "7|Find|/f", "T|Tel|x"]).keys("T").expect_fetch("gopher://h/0/a");
    let a = j.last();
    let j = j.keys("Down T").expect_fetch("gopher://h/0/b");
    let b = j.last();
    (j, a, b)
}

fn whole(j: Journey, id: JobId, of: &str, text: &[u8]) -> Journey {
    j.event_of(id, FetchEvent::Head(Box::new(head(of, media::PLAIN))))
        .expect_verdict_of(id, Verdict::Accept)
        .event_of(id, FetchEvent::Body(text.to_vec()))
        .event_of(id, FetchEvent::End(End::default()))
}

#[test]
fn a_link_opens_in_front_or_behind_in_order() {
    let (j, ..) = two_behind();
    let j = j.at_url("gopher://h/").focus(1).notes("opened behind, tab 3");
    assert_eq!(places(&j), "[h/] h/0/a h/0/b", "in the order in which they were opened");
    let j = j.keys("Down t").expect_fetch("gopher://h/1/c");
    assert_eq!(places(&j), "h/ [h/1/c] h/0/a h/0/b");
    let j = j.answer(media::MENU, &menu("h", &["0|D|/d"])).at_url("gopher://h/1/c").quiet();
    // Each tab has its own history.
    j.keys("h").notes("first page").keys("{").at_url("gopher://h/").focus(2).keys("h").notes("first page");
}

#[test]
fn next_previous_by_number_and_moved() {
    let (j, ..) = two_behind();
    let at = |j: Journey, number: usize| {
        assert_eq!(j.app.tab_at() + 1, number);
        j
    };
    let j = at(j.keys("}"), 2);
    let j = at(j.keys("}"), 3);
    let j = at(j.keys("}"), 1);
    let j = at(j.keys("{"), 3);
    let j = at(j.keys("M-2"), 2).keys("M-9").notes("there is no tab 9");
    let j = at(j, 2).run("tab x").notes("number").run("tab 3");
    let j = at(j, 3).keys("C-w <");
    assert_eq!(places(&j), "h/ [h/0/b] h/0/a");
    let j = j.keys("C-w < C-w <");
    assert_eq!(places(&j), "[h/0/b] h/ h/0/a");
    let j = j.keys("C-w > C-w > C-w >");
    assert_eq!(places(&j), "h/ h/0/a [h/0/b]");
    Journey::at(&["0|A|/a"]).keys("}").notes("only tab").keys("{").notes("only tab").keys("C-w x").notes("q quits");
}

#[test]
fn closing_returns_to_the_tab_before_and_undo_brings_it_back_with_its_place() {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 200)).keys("t");
    let j = j.expect_fetch("gopher://h/0/1").answer(media::PLAIN, &lines(100)).keys("Space Space");
    let top = j.app.entry().unwrap().top;
    assert!(top.block > 20);
    let j = j.keys("C-w x").quiet().at_url("gopher://h/");
    assert_eq!(j.app.tab_count(), 1);
    let j = j.keys("Down Enter").expect_fetch("gopher://h/0/2").answer(media::PLAIN, b"two").keys("C-w u");
    let j = j.expect_fetch("gopher://h/0/1").at_url("gopher://h/0/1").answer(media::PLAIN, &lines(100));
    assert_eq!((j.app.entry().unwrap().top, places(&j).as_str()), (top, "Item number 2 [Item number 1]"));
    j.keys("C-w u")
        .notes("no tab was closed")
        .keys("{")
        .at_url("gopher://h/0/2")
        .keys("h")
        .quiet()
        .at_url("gopher://h/");
}

#[test]
fn closing_ends_what_was_on_its_way() {
    let (j, a, b) = two_behind();
    let j = j.keys("} C-w x").expect(Effect::Cancel(a)).quiet().at_url("gopher://h/");
    let j = whole(j.keys("}"), b, "gopher://h/0/b", b"b\n");
    // Half of a page.
    let j = j.keys("{ t").expect_fetch("gopher://h/0/b").head(media::PLAIN).body(b"half");
    let id = j.last();
    j.expect_verdict(Verdict::Accept).keys("C-w x").expect(Effect::Cancel(id)).quiet();
}

/// What comes, fails and asks in tabs behind changes neither page nor place nor anything that the reader is at.
#[test]
fn nothing_behind_disturbs_the_page_in_front() {
    for at in ["", "g w o r d s", "?", "O", "C-w", "/ A", "q"] {
        let (j, a, b) = two_behind();
        let j = if at == "q" { j.run("download").keys("Enter") } else { j };
        let mut j = if at.is_empty() { j } else { j.keys(at) };
        j.effects.clear();
        let front = |j: &Journey| {
            let entry = j.app.entry().unwrap();
            let prompt = j.app.hands.prompt().map(|prompt| prompt.input.value().to_owned());
            let overlays: Vec<String> = j.app.hands.overlays().iter().map(|overlay| format!("{overlay:?}")).collect();
            (
                entry.url.clone(),
                entry.top,
                entry.focus,
                prompt,
                overlays,
                j.app.hands.pending_keys.clone(),
                j.app.hands.note.clone(),
            )
        };
        let before = front(&j);
        let check = |j: Journey, step: &str| {
            assert_eq!(front(&j), before, "at {at:?}, {step}");
            j
        };
        let j = whole(j, a, "gopher://h/0/a", &lines(50));
        let j = check(j, "a page came");
        assert_eq!(states(&j)[1..], [TabState::Arrived, TabState::Loading]);
        let j = j.event_of(b, FetchEvent::Failed(FetchError::new(Kind::Refused, "nobody there")));
        let j = check(j, "a page failed").quiet();
        assert_eq!(states(&j)[2], TabState::Failed);
        // The same once more, for what asks.
        let (j, a, b) = {
            let (other, a, b) = two_behind();
            let mut other = if at == "q" { other.run("download").keys("Enter") } else { other };
            other = if at.is_empty() { other } else { other.keys(at) };
            other.effects.clear();
            (other, a, b)
        };
        let (from, to, status) = (url("gopher://h/0/a"), "ftp://elsewhere/".into(), "302 Found".into());
        let moved = FetchEvent::Moved(Box::new(Moved { from, to, status, again: Again::Get, unkept: false }));
        let j = check(j.event_of(a, moved), "a question came");
        let login = FetchError::new(Kind::NeedsLogin, "who are you");
        let j = check(j.event_of(b, FetchEvent::Failed(login)), "a login was asked for").quiet();
        assert_eq!(states(&j)[1..], [TabState::Asks, TabState::Asks]);
    }
}

#[test]
fn what_a_tab_behind_asks_is_asked_when_it_comes_to_the_front() {
    let (j, a, b) = two_behind();
    let zip = Box::new(head("gopher://h/0/a", "application/x-zoo"));
    let j = j.event_of(a, FetchEvent::Head(zip)).free();
    let login = FetchError::new(Kind::NeedsLogin, "who are you");
    let j = j.event_of(b, FetchEvent::Failed(login)).free();
    let j = j.keys("}").asks("This is no page: application/x-zoo").keys("c");
    let j = j.expect(Effect::Verdict { id: a, verdict: Verdict::Refuse });
    // Nothing came of it, so it has closed.
    assert_eq!(places(&j), "[h/] B");
    let j = j.keys("}");
    assert!(matches!(j.app.hands.overlays().last(), Some(Overlay::Form(_))), "{:?}", j.app.hands.overlays());
}

#[test]
fn words_for_a_search_are_asked_for_where_the_answer_goes() {
    let (j, ..) = two_behind();
    let j = j.keys("Down Down T").free().notes("tab 4");
    assert_eq!(states(&j)[3], TabState::Asks);
    let j = j.keys("M-4").prompts("search for (at h)", "").text("words").keys("Enter");
    let j = j.expect_fetch("gopher://h/7/f%09words");
    // Or nowhere.
    let j = j.keys("M-1 t").prompts("search for (at h)", "").keys("Esc").free().at_url("gopher://h/");
    assert_eq!(j.app.tab_count(), 4);
}

#[test]
fn a_tab_of_which_nothing_came_closes() {
    let j = Journey::at(&["9|Z|/z", "T|Tel|x"]).keys("t").expect_fetch("gopher://h/9/z").head("application/x-zoo");
    let j = j.asks("no page").keys("s").prompts("save as", "~/Downloads/z").keys("Enter").at_url("gopher://h/");
    assert_eq!((j.app.tab_count(), j.app.transfers.downloads.len()), (1, 1));
    let j = j.keys("Down t").asks("Connect all the same?").keys("n").at_url("gopher://h/");
    assert_eq!(j.app.tab_count(), 1);
    // Stopped before anything came.
    let j = j.keys("Up t").expect_fetch("gopher://h/9/z").keys("Esc").at_url("gopher://h/");
    assert_eq!(j.app.tab_count(), 1);
}

#[test]
fn a_new_tab_asks_for_an_address() {
    let j = Journey::at(&["0|A|/a"]).keys("C-t").prompts("open", "").text("gopher://o/").keys("Enter");
    let j = j.expect_fetch("gopher://o/").answer(media::MENU, &menu("o", &["0|X|/x"])).quiet();
    assert_eq!(places(&j), "h/ [o/]");
    // One without an address stays, empty, as long as the reader likes.
    let j = j.keys("C-t Esc").free();
    assert_eq!(places(&j), "h/ o/ [-]");
    let j = j.run("new-tab gopher://p/").expect_fetch("gopher://p/");
    assert_eq!(places(&j), "h/ o/ - [p/]");
    let j = j.keys("M-2 { } } C-w x");
    assert_eq!(places(&j), "h/ [o/] p/", "back to where the reader was before");
}

#[test]
fn hints_lead_to_a_new_tab() {
    let j = Journey::at(&["0|A|/a", "0|B|/b"]).keys("F").prompts("hint, new tab", "").keys("s");
    let j = j.expect_fetch("gopher://h/0/b");
    assert_eq!(places(&j), "h/ [h/0/b]");
    // A prompt that was closed leads nowhere later.
    let j = j.keys("{ F Esc f a").expect_fetch("gopher://h/0/a");
    assert_eq!(j.app.tab_count(), 2);
}

#[test]
fn the_list_of_tabs_narrows_and_leads() {
    let (j, a, _) = two_behind();
    let j = whole(j, a, "gopher://h/0/a", b"a\n").keys("C-w t");
    let Some(Overlay::List { kind: ListKind::Tabs, items, selected: 0, .. }) = j.app.hands.overlays().last() else {
        panic!("{:?}", j.app.hands.overlays());
    };
    let rows: Vec<String> = items.iter().map(|item| item.text).collect();
    assert_eq!(rows, ["1 gopher://h/", "2 (new) A", "3 (loading) gopher://h/0/b"]);
    j.text("/0/a").keys("Enter").free().at_url("gopher://h/0/a").quiet();
}

#[test]
fn a_page_of_the_network_leads_to_no_file_through_a_tab() {
    let j = Journey::at(&["h|F|URL:file:///etc/passwd"]).keys("t").asks("leads to a file of this machine").keys("n");
    let j = j.quiet().at_url("gopher://h/");
    let j = j.keys("T").free();
    j.keys("}").asks("leads to a file of this machine").keys("Esc").quiet().at_url("gopher://h/");
}

#[test]
fn pages_behind_make_way_and_come_back_with_their_places() {
    let mut j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 60));
    j.app.desk.settings.cache = 1;
    let j = j.keys("Space Down Down").quiet();
    let place = |j: &Journey| (j.app.entry().unwrap().top, j.app.entry().unwrap().focus);
    let before = place(&j);
    assert!(before.0.block > 10);
    let j = j.keys("t").answer(media::PLAIN, &lines(50));
    assert_eq!(j.app.tabs().map(|tab| tab.entry().unwrap().page.is_some()).collect::<Vec<_>>(), [false, true]);
    let j = j.keys("{").expect_fetch("gopher://h/").answer(media::MENU, &long_menu("h", 60));
    assert_eq!(place(&j), before);
    // One that cannot be fetched again keeps its place for when it can.
    let j = j.keys("}").expect_fetch("gopher://h/0/23").fail(FetchError::new(Kind::Refused, "no"));
    let j = j.keys("{").expect_fetch("gopher://h/").fail(FetchError::new(Kind::Refused, "no")).shows("no");
    let j = j.keys("R").expect_fetch("gopher://h/").answer(media::MENU, &long_menu("h", 60));
    assert_eq!(place(&j), before);
}

/// The one that was left the longest time ago gives its pages up first.
#[test]
fn the_tab_unseen_for_longest_gives_its_pages_up_first() {
    let mut j = Journey::new().open("gopher://h/").answer(media::PLAIN, &lines(2000));
    let one = j.app.entry().unwrap().page.as_ref().unwrap().memory() as u64;
    j.app.desk.settings.cache = one * 5 / 2;
    let page = |j: Journey, of: &str| j.run(&format!("new-tab {of}")).answer(media::PLAIN, &lines(2000));
    let j = page(page(j, "gopher://i/"), "gopher://j/");
    let kept = |j: &Journey| j.app.tabs().map(|tab| tab.entry().unwrap().page.is_some()).collect::<Vec<_>>();
    assert_eq!(kept(&j), [false, true, true]);
    let j = j.keys("M-1").answer(media::PLAIN, &lines(2000));
    assert_eq!(kept(&j), [true, false, true]);
}

#[test]
fn a_hundred_tabs() {
    let mut j = Journey::at(&["0|A|/a"]);
    for n in 0..99 {
        j = j.keys("T");
        let (id, of) = (j.last(), format!("gopher://h/0/{n}"));
        j.effects.clear();
        j = whole(j, id, &of, b"text\n");
    }
    assert_eq!(j.app.tab_count(), 100);
    for number in (0..100).rev() {
        j = j.run(&format!("tab {}", number + 1)).quiet();
        assert_eq!(j.app.tab_at(), number);
    }
    for _ in 0..99 {
        j = j.keys("C-w x");
    }
    assert_eq!(j.app.tab_count(), 1);
}

#[test]
fn a_private_tab_leaves_nothing_behind() {
    let mut j = Journey::at(&["0|A|/a"]);
    j.effects.clear();
    j.choose(|choices| choices.keeps_session = true);
    let seen =
        |j: &Journey| ["gopher://h/", "gopher://secret/", "gopher://secret/0/s"].map(|u| j.app.has_visited(&url(u)));
    let words = j.app.words().clone();
    let j = j.keys("C-w p").prompts("open in private", "").text("gopher://secret/").keys("Enter");
    let j = j.expect_fetch("gopher://secret/").answer(media::MENU, &menu("secret", &["0|S|/s"]));
    let mut j = j.keys("/ S Enter : c h a r s e t Space c p 4 3 7 Enter");
    assert!(j.app.tab.private);
    let kept =
        |j: &Journey| j.effects.iter().filter(|e| matches!(e, Effect::Keep(kept) if *kept != Kept::Session)).count();
    assert_eq!((kept(&j), seen(&j), j.app.words()), (0, [true, false, false], &words));
    j.effects.clear();
    // What its links open is private too, and in the session there is none of it.
    let j = j.keys("t").expect_fetch("gopher://secret/0/s").answer(media::PLAIN, b"s\n").quiet();
    assert!(j.app.tab.private);
    assert_eq!(seen(&j), [true, false, false]);
    let session = format!("{:?}", j.app.session());
    assert!(session.contains("gopher://h/") && !session.contains("secret"), "{session}");
    // Nor can it be opened again.
    j.keys("C-w x C-w x").at_url("gopher://h/").keys("C-w u").notes("no tab was closed").quiet();
}

#[test]
fn editors_write_into_the_tab_that_called_them() {
    let form = b"<form action=go><textarea name=t>one</textarea></form>";
    let j = Journey::new().open("http://h/").answer("text/html", form).keys("e");
    let j = j.keys("C-t Esc").wrote(Ok("/tmp/field".into()));
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Run { .. })), "{:?}", j.effects);
    let j = j.ran(Ok(())).expect_read("/tmp/field").read(Ok(b"two\n".to_vec()));
    assert!(j.app.entry().is_none());
    j.keys("{").shows("two").state(PageState::Complete);
}

#[test]
fn a_tab_that_was_closed_while_its_first_page_was_on_its_way_comes_back() {
    let j = Journey::at(&["0|A|/a"]).run("new-tab gopher://slow/").expect_fetch("gopher://slow/");
    let j = j.keys("C-w x").at_url("gopher://h/").expect_cancel(1).quiet();
    let j = j.keys("C-w u").expect_fetch("gopher://slow/").answer(media::MENU, &menu("slow", &["0|S|/s"]));
    j.at_url("gopher://slow/").quiet();
}
