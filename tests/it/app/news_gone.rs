//! Articles that their group lists and the server does not have any more, and groups that a server counts anew.

use super::news::{GROUP, Reader, plain_reader, reader};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, Kind};

impl Reader {
    /// The article that was asked for was cancelled.
    #[track_caller]
    fn gone(self, id: &str) -> Reader {
        let error = FetchError::new(Kind::NotFound, "s port 119 does not have the article.");
        self.then(|j| j.expect_fetch(&format!("news:{id}")).fail(error))
    }
}

#[test]
fn reading_on_passes_over_articles_that_were_cancelled() {
    for key in ["Space", "n"] {
        let r = plain_reader("g.one: 1-7\ng.two: 1\n").group("news:g.one").keys(key).gone("8@x");
        let r = r.notes("an article that is not there any more was passed over").file("g.one: 1-8\ng.two: 1\n");
        let r = r.comes("9@x", "").notes("was passed over; it counts as read").file("g.one: 1-9\ng.two: 1\n");
        // Back from it the group is behind, and no page of a failure.
        r.keys("Left").at("news:g.one");
    }
    // Several, and one more after the end; the last one stays, and is left as any other.
    let r = plain_reader("g.one: 3-7\n").group("news:g.one").keys("n").gone("8@x").gone("9@x");
    let r = r.notes("2 articles that are not there any more were passed over").gone("2@x").notes("3 articles");
    let r = r.gone("1@x").notes("not there any more; it counts as read").file("g.one: 1-9\n").at("news:1@x");
    r.then(|j| j.quiet());
    // Who asks for one by itself is told.
    let r = plain_reader("g.one: 1-7\n").group("news:g.one").keys("Enter").gone("8@x").at("news:8@x");
    r.file("g.one: 1-8\n").then(|j| j.quiet());
}

#[test]
fn space_goes_on_from_an_article_that_was_cancelled() {
    // The only unread one, by n as well: the next group is offered, and m marks it as any other.
    let r = plain_reader("g.one: 1-7,9\ng.two: 1\n").group("news:g.one").keys("n").gone("8@x");
    let r =
        r.file("g.one: 1-9\ng.two: 1\n").keys("m").notes("marked unread").file("g.one: 1-7,9\ng.two: 1\n").keys("m");
    let r = r.file("g.one: 1-9\ng.two: 1\n").keys("n").then(|j| j.asks("Next: g.two"));
    r.keys("q Space").then(|j| j.expect_fetch("news:g.two"));
}

#[test]
fn an_article_that_could_not_be_asked_for_stays_unread() {
    let r = plain_reader("g.one: 1-7,9\n").group("news:g.one").keys("n");
    let r = r.then(|j| j.expect_fetch("news:8@x").fail(FetchError::new(Kind::TimedOut, "s port 119 says nothing.")));
    r.file("g.one: 1-7,9\n").keys("n").comes("8@x", "").file("g.one: 1-9\n");
    // Offline, where a later one is kept: both lead on to it.
    for key in ["Space", "n"] {
        let r = plain_reader("g.one: 1-7\n").group("news:g.one").keys(key);
        let none = FetchError::new(Kind::Stopped, "No copy of this page is kept, and nobody was asked for it.");
        let r = r.then(|j| j.expect_fetch("news:8@x").fail(none)).file("g.one: 1-7\n");
        r.keys(key).comes("9@x", "").file("g.one: 1-7,9\n");
    }
    // Nor is one read that no group led to.
    plain_reader("g.one: 1-7\n").then(|j| j.open("news:8@x")).gone("8@x").file("g.one: 1-7\n").keys("Space");
}

#[test]
fn what_was_read_above_the_last_number_of_a_group_is_forgotten_once() {
    let r = reader("g.one: 1-1100,1273\n").group("news:g.one").notes("counts g.one anew: what was read above 9");
    let r = r.file("g.one: 1-9\n").keys("R");
    let more = GROUP.replace("g.one\t1\t9\t6", "g.one\t1\t10\t7") + "10\tNew\tA <a@x>\t\t<10@x>\t\t1\t1\t\n";
    let r = r.then(|j| j.answer(media::NEWSGROUP, more.as_bytes())).shows("1 unread").file("g.one: 1-9\n");
    assert_eq!(r.j.app.hands.note, None);
    // An empty group may say 0 of everything.
    let r = reader("g.one: 1-20\n").then(|j| j.open("news:g.one").answer(media::NEWSGROUP, b"g.one\t0\t0\t0\t\n"));
    r.file("g.one: 1-20\n");
}

#[test]
fn what_another_newsreader_marked_is_seen_on_the_next_page() {
    let other = |mut r: Reader, file: &str| {
        r.file = file.into();
        r
    };
    let r = plain_reader("g.one: 1-3\ng.two: 1-17\n").group("news:g.one").shows("Lamps");
    // Both ways: read there, and unread again there.
    let r = other(r, "g.one: 1-7\ng.two: 1-17\n").keys("R").then(|j| j.answer(media::NEWSGROUP, GROUP.as_bytes()));
    let r = r.lacks("Tunnels").shows("Lamps").file("g.one: 1-7\ng.two: 1-17\n");
    let r = other(r, "g.one: 1-2,5-7\ng.two: 1-18\n").keys("R").then(|j| j.answer(media::NEWSGROUP, GROUP.as_bytes()));
    let r = r.shows("Tunnels").shows("Lamps").file("g.one: 1-2,5-7\ng.two: 1-18\n");
    let r = r.list("news:").shows("g.two  2 unread");
    let r = other(r, "g.one: 1-2,5-7\ng.two: 1-19\n").list("news:").shows("g.two  1 unread");
    r.file("g.one: 1-2,5-7\ng.two: 1-19\n");
}

#[test]
fn all_that_is_caught_up_is_written_whatever_another_newsreader_did() {
    let mut r = plain_reader("g.one: 1-9\n").group("news:g.one");
    r.file = "g.one: 1-3\n".into();
    r.keys("c").notes("all of g.one is read").file("g.one: 1-9\n");
}

/// The same article once more, from the same place: it was noted, and stayed unread.
#[test]
fn what_another_newsreader_made_unread_is_read_when_it_is_shown_again() {
    let mut r =
        plain_reader("g.one: 1-7,9\n").group("news:g.one").keys("n").comes("8@x", "").file("g.one: 1-9\n").keys("Left");
    r.file = "g.one: 1-7,9\n".into();
    let r = r.keys("R").then(|j| j.answer(media::NEWSGROUP, GROUP.as_bytes())).shows("1 unread").keys("n");
    r.comes("8@x", "").file("g.one: 1-9\n");
}

#[test]
fn an_article_that_breaks_off_in_its_header_shows_what_came() {
    let head = b"From: Ann <ann@h>\r\nSubject: Lamps\r\nNewsgroups: g.one\r\nRefer";
    let r = plain_reader("g.one: 1\n").then(|j| j.open("news:8@x").answer_cut(media::MESSAGE, head));
    r.shows("Lamps").shows("Ann");
}
