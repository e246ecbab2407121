//! Copies that are kept: what is asked for and offered, what is put by.

use super::journey::{Journey, head};
use wayfarer::app::{Effect, Overlay, RowAct, TextOwner};
use wayfarer::format::media;
use wayfarer::proto::{Again, End, FetchError, FetchEvent, Head, KeptCopy, Kind, Moved, Request};
use wayfarer::url::Url;

fn asked(j: &Journey) -> Vec<&Request> {
    let fetch = |effect: &'_ Effect| matches!(effect, Effect::Fetch { .. });
    j.effects
        .iter()
        .filter(|effect| fetch(effect))
        .filter_map(|effect| match effect {
            Effect::Fetch { request, .. } => Some(request),
            _ => None,
        })
        .collect()
}

#[test]
fn a_failure_offers_the_copy_and_only_its_own_page_has_that_link() {
    let failed = FetchError { kept: Some(jiff::Timestamp::UNIX_EPOCH), ..FetchError::new(Kind::Refused, "refused") };
    let j = Journey::new().open("gopher://h/0/a").fail(failed);
    // Also where the screen ends above the link.
    assert!(j.page().contains("M-K open its copy"), "{}", j.page());
    let j = j.keys("Tab Enter");
    let request = asked(&j).pop().unwrap();
    assert!(request.kept == KeptCopy::Only && request.url.as_str() == "gopher://h/0/a", "{:?}", j.effects);

    let j = Journey::new().open("gopher://h/0/a.gmi").answer(media::GEMTEXT, b"=> about:store?copy A copy\n").quiet();
    let j = j.keys("Tab Enter");
    assert!(asked(&j).iter().all(|request| request.kept == KeptCopy::Unwanted), "{:?}", j.effects);
}

#[test]
fn an_answer_that_is_none_offers_the_copy_on_the_line_by_a_key_and_in_the_anatomy() {
    let gone = || {
        let mut head = head("http://h/a", media::HTML);
        (head.status, head.offered) = (Some("410 Gone".into()), Some(jiff::Timestamp::UNIX_EPOCH));
        Journey::new().open("http://h/a").event(FetchEvent::Head(Box::new(head)))
    };
    let j = gone().notes("410 Gone; M-K opens the copy that was kept");
    let opens = |j: &Journey| {
        let request = asked(j).pop().unwrap();
        assert!(request.kept == KeptCopy::Only && request.url.as_str() == "http://h/a", "{:?}", j.effects);
    };
    opens(&j.keys("M-K"));
    let chosen = |j: &Journey| match j.app.hands.overlays().last() {
        Some(Overlay::Text { owner: TextOwner::Anatomy(rows), .. }) => rows.act().cloned(),
        _ => None,
    };
    let mut j = gone().keys("=");
    for _ in 0..40 {
        if chosen(&j) != Some(RowAct::Kept) {
            j = j.keys("Down");
        }
    }
    assert_eq!(chosen(&j), Some(RowAct::Kept));
    opens(&j.keys("Enter"));
}

#[test]
fn a_page_is_put_by_and_nothing_of_a_private_tab_is() {
    let j = Journey::new().open("gopher://h/0/a.gmi").answer(media::GEMTEXT, b"# Lanterns\n=> /0/b More\n").quiet();
    let j = j.keys("M-a");
    assert_eq!(asked(&j).pop().unwrap().url.as_str(), "about:later?put=gopher%3A%2F%2Fh%2F0%2Fa.gmi&title=Lanterns");
    let j = j.keys("Tab M-A");
    assert_eq!(asked(&j).pop().unwrap().url.as_str(), "about:later?put=gopher%3A%2F%2Fh%2F0%2Fb&title=More");
    let j = j.run("later links");
    let put = asked(&j).pop().unwrap().url.as_str().to_owned();
    assert_eq!(put, "about:later?put=gopher%3A%2F%2Fh%2F0%2Fa.gmi&title=Lanterns&links=host");
    // A page of somebody else's cannot have it done.
    let link = format!("=> {put} More\n");
    let other = Journey::new().open("gopher://h/0/b.gmi").answer(media::GEMTEXT, link.as_bytes()).quiet();
    other.keys("Tab Enter").asks("ask its host for all pages that it links to there?");
    let j = Journey::new().run("private gopher://h/0/a.gmi").answer(media::GEMTEXT, b"# Lanterns\n").quiet();
    j.keys("M-a").notes("nothing of a private tab is kept").quiet();
}

fn moved() -> FetchEvent {
    let from = Url::parse("http://h/a").unwrap();
    FetchEvent::Moved(Box::new(Moved {
        from,
        to: "/b".into(),
        status: "302 Found".into(),
        again: Again::Get,
        unkept: false,
    }))
}

/// The page that `next-later` says was read.
fn read(j: &Journey) -> String {
    asked(j).pop().unwrap().url.as_str().to_owned()
}

#[test]
fn what_was_put_by_has_been_read_where_it_led_and_not_where_it_could_not_be_had() {
    let j = Journey::new().open("http://h/a").event(moved()).answer(media::PLAIN, b"words\n");
    assert_eq!(read(&j.keys("M-o")), "about:later?next=http%3A%2F%2Fh%2Fa");
    let j = Journey::new().open("gopher://h/0/a").fail(FetchError::new(Kind::Refused, "refused"));
    assert_eq!(
        read(&j.keys("M-o")),
        "about:later?next=gopher%3A%2F%2Fh%2F0%2Fa&as=missed",
        "it stays, and is passed over"
    );
}

/// A server that says nothing took a minute before the copy was offered, and stopping led to none at all.
#[test]
fn the_copy_of_what_is_awaited_is_had_without_waiting_and_after_stopping() {
    let only = |j: &Journey| asked(j).pop().filter(|request| request.kept == KeptCopy::Only).map(|r| r.url.to_string());
    let at = || Journey::at(&["0|A|/a", "0|B|/b"]).keys("Enter");
    assert_eq!(only(&at().keys("M-K")).as_deref(), Some("gopher://h/0/a"));
    let stopped = || at().keys("Esc").notes("stopped; M-K shows its copy, if one was kept");
    assert_eq!(only(&stopped().keys("M-K")).as_deref(), Some("gopher://h/0/a"));
    // Of what was seen since, it is that one's.
    let later = stopped().keys("Tab Enter").answer(media::PLAIN, b"words\n");
    assert_eq!(only(&later.keys("M-K")).as_deref(), Some("gopher://h/0/b"));
    // The link on the page of a failure is that page's, whatever was stopped since.
    let failed = FetchError { kept: Some(jiff::Timestamp::UNIX_EPOCH), ..FetchError::new(Kind::Refused, "refused") };
    let there = Journey::new().open("gopher://h/0/x").fail(failed).open("gopher://h/0/y").keys("Esc Tab Enter");
    assert_eq!(only(&there).as_deref(), Some("gopher://h/0/x"));
    let there = Journey::new().open("about:home").keys("Esc");
    assert!(!there.app.hands.note.as_ref().is_some_and(|note| note.text.contains("copy")));
}

#[test]
fn offline_is_said_and_taken_back() {
    let j = Journey::new().run("offline");
    assert!(j.app.choices().offline);
    let j = j.notes("offline: kept copies of pages are shown, and nobody is asked").run("offline");
    assert!(!j.app.choices().offline);
}

#[test]
fn a_page_that_answers_a_form_or_a_secret_is_not_for_keeping() {
    let j = Journey::new().open("gopher://h/0/a");
    assert!(!asked(&j)[0].unkept);
    let j = Journey::new().open("ftp://me:word@h/a");
    assert!(asked(&j)[0].unkept, "{:?}", j.effects);
    // Of that server nothing more is kept, of others all.
    let j = j.answer(media::PLAIN, b"words\n").open("ftp://h/b");
    assert!(asked(&j).pop().unwrap().unkept, "{:?}", j.effects);
    let j = j.answer(media::PLAIN, b"words\n").open("gopher://other/0/word");
    assert!(asked(&j).pop().unwrap().unkept, "the secret may stand in its address");
    let j = j.answer(media::PLAIN, b"words\n").open("gopher://third/0/a");
    assert!(!asked(&j).pop().unwrap().unkept, "{:?}", j.effects);
}

#[test]
fn a_page_that_is_the_same_when_it_is_asked_for_again_says_so() {
    let text: &[u8] = b"# Lanterns\n";
    let j = Journey::new().open("gopher://h/0/a.gmi").answer(media::GEMTEXT, text).quiet();
    let j = j.keys("R").answer(media::GEMTEXT, text).notes("not changed since it was fetched");
    let j = j.keys("R").answer(media::GEMTEXT, b"# Others\n");
    assert!(!format!("{:?}", j.app.hands.note).contains("not changed"));
}

#[test]
fn offline_a_page_that_is_asked_for_again_is_not_said_to_be_unchanged() {
    let text: &[u8] = b"# Lanterns\n";
    let j = Journey::new().open("gopher://h/0/a.gmi").answer(media::GEMTEXT, text).quiet();
    let j = j.run("offline").keys("R");
    let kept = Head { kept: Some(jiff::Timestamp::UNIX_EPOCH), ..head("gopher://h/0/a.gmi", media::GEMTEXT) };
    let j = j.event(FetchEvent::Head(Box::new(kept))).event(FetchEvent::Body(text.to_vec()));
    let j = j.event(FetchEvent::End(End::default()));
    j.notes("you are offline: nobody was asked; this copy came");
    // What is of this machine was read again.
    let j = Journey::new().open("file:///a.gmi").answer(media::GEMTEXT, text).quiet().run("offline");
    j.keys("R").answer(media::GEMTEXT, text).notes("not changed since it was fetched");
}

#[test]
fn the_next_of_what_was_put_by_is_asked_for_without_a_password_of_the_page_in_view() {
    let j = Journey::new().open("http://me:pw@h/").answer("text/plain", b"words\r\n").run("next-later");
    assert_eq!(j.fetches.last().unwrap().1.url.as_str(), "about:later?next");
}

#[test]
fn a_row_is_taken_off_what_is_to_be_read_later_and_put_back() {
    let j = Journey::new().open("about:later").answer(media::OWN, b"# To read later\n\n=> http://h/a An article\n");
    let j = j.keys("Tab x");
    assert_eq!(read(&j), "about:later?drop=http%3A%2F%2Fh%2Fa");
    let moved = || {
        let (from, to) = (Url::parse("about:later?drop").unwrap(), "about:later".into());
        FetchEvent::Moved(Box::new(Moved { from, to, status: "done".into(), again: Again::Get, unkept: false }))
    };
    let j =
        j.event(moved()).notes("not among what you read later any more; u puts it back").expect_fetch("about:later");
    let j = j.answer(media::OWN, b"# To read later\n").keys("u");
    assert_eq!(read(&j), "about:later?put=http%3A%2F%2Fh%2Fa&title=An%20article&as=before");
    j.event(moved()).expect_fetch("about:later").answer(media::OWN, b"# Nothing\n").keys("u").notes("nothing to take");
}

#[test]
fn all_that_is_new_is_taken_along() {
    let j = Journey::new().open("about:new").answer(media::OWN, b"# New\n\n=> http://h/a An item\n").run("later links");
    assert_eq!(read(&j), "about:later?put=about%3Anew&title=New&links=host");
    let j = Journey::new().open("about:new").answer(media::OWN, b"# New\n").run("later");
    j.notes("only pages are put by of which copies may be kept");
}

#[test]
fn a_page_is_saved_as_what_is_named_and_an_unknown_word_is_said() {
    let page = || Journey::new().open("http://h/a").answer(media::HTML, b"<p>words");
    for (line, path) in [("save text ~/a.txt", "~/a.txt"), ("save mhtml b c.mht", "b c.mht"), ("save source d", "d")] {
        let j = page().run(line);
        let written = j.effects.iter().find_map(|effect| match effect {
            Effect::Write { path, .. } => Some(path.as_str()),
            _ => None,
        });
        assert_eq!(written, Some(path), "{line}");
    }
    page().run("save foo").notes("save, save text, save source, save mhtml").quiet();
}
