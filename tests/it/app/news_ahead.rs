//! Groups that are shown as they were kept, before their servers have answered.

use super::journey::head;
use super::news::{GROUP, Reader, plain_reader};
use wayfarer::app::{Effect, PageState};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, Head, Kind};

/// The group comes as it was kept, and its server is asked.
fn ahead(marked: &str) -> Reader {
    plain_reader(marked).then(|j| {
        let j = j.open("news:g.one");
        let asked = |effect: &Effect| matches!(effect, Effect::Fetch { request, .. } if request.ahead);
        assert!(j.effects.iter().any(asked), "{:?}", j.effects);
        let kept = Head { ahead: Some(jiff::Timestamp::UNIX_EPOCH), ..head("news:g.one", media::NEWSGROUP) };
        j.event(FetchEvent::Head(Box::new(kept))).body(GROUP.as_bytes())
    })
}

#[test]
fn a_group_that_is_shown_ahead_of_its_server_is_read_meanwhile() {
    let r = ahead("g.one: 1-7\n").shows("Lamps").keys("m").file("g.one: 1-9\n");
    let r = r.then(|j| j.head(media::NEWSGROUP).body(b"=\t1\t9\t6\t\n").end().state(PageState::Complete));
    assert_eq!(r.j.app.entry().unwrap().page.as_ref().unwrap().head.ahead, None);
    r.file("g.one: 1-9\n");
}

#[test]
fn a_group_that_is_something_else_now_is_asked_for_again_where_it_is_in_view() {
    let fails = |r: Reader| r.then(|j| j.fail(FetchError::new(Kind::Malformed, "s port 119 has numbered g.one anew.")));
    let r = fails(ahead("g.one: 1-7\n").shows("Lamps")).notes("has numbered g.one anew");
    let again = |effect: &Effect| matches!(effect, Effect::Fetch { request, .. } if !request.ahead && request.anew);
    assert!(r.j.effects.iter().any(again), "{:?}", r.j.effects);
    // Who has left it meanwhile gets it on the way back.
    let r = ahead("g.one: 1-7\n").shows("Lamps");
    let id = r.j.last();
    let r = r.keys("Space").comes("8@x", "");
    let r = r.then(|j| j.event_of(id, FetchEvent::Failed(FetchError::new(Kind::Malformed, "anew"))));
    r.keys("Left").then(|j| j.expect_fetch("news:g.one"));
}
