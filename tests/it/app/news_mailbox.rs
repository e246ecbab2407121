//! Mailboxes read as groups are: from message to message by the same keys, what was read known as long as the browser runs.

use super::news::{Reader, plain_reader};
use wayfarer::app::{Effect, Kept};
use wayfarer::format::media;
use wayfarer::format::message::conversation::{Framed, framed};

const BOX: &str = "box\t1\t0\t\tn\t-\n\
    1\tLamps\tA <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<1@x>\t\t1\t1\tfile:///m/box?message=0\n\
    2\tRe: Lamps\tB <b@x>\tTue, 03 Nov 2026 10:00:00 +0000\t<2@x>\t<1@x>\t1\t1\tfile:///m/box?message=90\n\
    3\tTunnels\tC <c@x>\tTue, 03 Nov 2026 11:00:00 +0000\t<3@x>\t\t1\t1\tfile:///m/box?message=180\n";

fn mailbox() -> Reader {
    plain_reader("").then(|j| j.open("file:///m/box").answer(media::NEWSGROUP, BOX.as_bytes()))
}

/// The message that was asked for comes.
#[track_caller]
fn comes(r: Reader, url: &str) -> Reader {
    let octets = b"From: a@x\r\nXref: s box:1 box:2 box:3\r\nSubject: S\r\n\r\nHello.\r\n";
    r.then(|j| j.expect_fetch(url).answer(media::MESSAGE, octets))
}

#[test]
fn one_key_leads_through_a_mailbox() {
    let r = comes(mailbox().keys("n"), "file:///m/box?message=180");
    // What the message itself says of numbers marks nothing.
    let r = comes(r.keys("n"), "file:///m/box?message=0");
    let r = comes(r.keys("n"), "file:///m/box?message=90");
    assert_eq!(wayfarer::app::status::article(r.j.app.sight()).as_deref(), Some("2 of 3"));
    let r = r.keys("n").notes("nothing is unread in box");
    // In the thread, and up to what is answered.
    let r = comes(r.keys("P"), "file:///m/box?message=0");
    let r = comes(r.keys("N"), "file:///m/box?message=90");
    let r = comes(r.keys("^"), "file:///m/box?message=0");
    let r = r.keys("^").notes("answers no other of its mailbox").keys("U").at("file:///m/box");
    r.file("");
}

#[test]
fn space_alone_reads_a_mailbox() {
    let r = comes(mailbox().keys("Space"), "file:///m/box?message=180");
    let r = comes(r.keys("Space"), "file:///m/box?message=0");
    let r = comes(r.keys("Space"), "file:///m/box?message=90");
    r.keys("Space").notes("nothing is unread in box").at("file:///m/box?message=90");
}

#[test]
fn marks_in_a_mailbox_are_kept_for_the_session_and_nowhere() {
    let r = mailbox().shows("3 unread").keys("K").notes("thread: 1 read").shows("2 unread");
    let r = r.keys("C-_").shows("3 unread").keys("c").shows(" 0 unread");
    // Opened again it is known.
    let r = r.then(|j| j.open("gopher://h/").answer(media::MENU, b""));
    let r = r.then(|j| j.open("file:///m/box").answer(media::NEWSGROUP, BOX.as_bytes())).shows(" 0 unread");
    let r = r.keys("s u").keys("u").notes("no newsgroup is in view");
    let r = r.file("");
    assert!(!r.j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Site { .. }))));
}

#[test]
fn a_maildir_is_walked_too() {
    let lines = BOX.replace("file:///m/box?message=0", "file:///m/d/cur/1:2,S").replace("box?message=90", "d/new/2");
    let lines = lines.replace("box?message=180", "d/new/3");
    let r = plain_reader("").then(|j| j.open("file:///m/d/").answer(media::NEWSGROUP, lines.as_bytes()));
    let r = comes(r.keys("n"), "file:///m/d/new/3");
    let r = comes(r.keys("n"), "file:///m/d/cur/1:2,S").keys("U").at("file:///m/d/");
    r.shows("1 unread");
}

#[test]
fn a_message_that_came_from_no_list_offers_its_mailbox() {
    let r = plain_reader("").then(|j| j.open("file:///m/box?message=90"));
    let r = comes(r, "file:///m/box?message=90").keys("n").then(|j| j.asks("open its mailbox"));
    r.keys("y").then(|j| j.expect_fetch("file:///m/box"));
}

#[test]
fn an_mbox_url_opens_the_mailbox_that_it_names() {
    let r = plain_reader("").then(|j| j.open("mbox:/m/box").expect_fetch("file:/m/box").quiet());
    let r = r.then(|j| j.answer(media::NEWSGROUP, BOX.as_bytes())).shows("Tunnels").shows("3 unread");
    let r = r.then(|j| j.open("http://h/").answer(media::HTML, b"<a href=mbox:/m/box>box</a>"));
    let r = r.then(|j| j.keys("Enter").asks("A page from the network leads to a file of this machine."));
    let r = r.then(|j| j.text("n").free().quiet());
    // Typed on such a page it is the reader's own word.
    r.then(|j| j.open("mbox:/m/box").expect_fetch("file:/m/box"));
    for wrong in ["mbox:box", "mbox://host/m/box", "mbox:/m/box?message=0"] {
        plain_reader("").then(|j| j.open(wrong).quiet().shows("mbox"));
    }
}

#[test]
fn an_mbox_url_opens_the_message_that_it_names() {
    let named = |url: &str| {
        let r = plain_reader("").then(|j| j.open(url));
        r.then(|j| j.expect_fetch(&url.replace("mbox:", "file:")).answer(media::NEWSGROUP, BOX.as_bytes()))
    };
    // In a thread that is folded, and alone.
    let r = comes(named("mbox:/m/box#2@x"), "file:///m/box?message=90").at("file:///m/box?message=90");
    // Back from it the mailbox is there, and stays.
    let r = r.keys("Left").at("file:/m/box#2@x").then(|j| j.quiet()).on("file:///m/box?message=0");
    drop(r);
    comes(named("mbox:/m/box#3@x"), "file:///m/box?message=180");
    // One that is not there is told.
    named("mbox:/m/box#9@x").notes("no place named \"9@x\"").then(|j| j.quiet());
}

#[test]
fn a_thread_of_a_mailbox_is_one_page() {
    let r = mailbox().keys("j").keys("V");
    let wanted = r.j.effects.iter().rev().find_map(|effect| match effect {
        Effect::Fetch { request, .. } => request.conversation.clone(),
        _ => None,
    });
    let places = ["file:///m/box?message=0", "file:///m/box?message=90"];
    assert_eq!(wanted.unwrap().iter().map(|id| String::from_utf8_lossy(id)).collect::<Vec<_>>(), places);
    let message = |place: &str, name: &str, id: &str, references: &str| {
        let text = format!(
            "From: {name} <{id}>\r\nSubject: Lamps\r\nMessage-ID: <{id}>\r\nReferences: {references}\r\n\r\nYes.\r\n"
        );
        framed(place.as_bytes(), Framed::Article(text.as_bytes()))
    };
    let thread = [b"2\n".to_vec(), message(places[0], "Ann", "1@x", ""), message(places[1], "Bob", "2@x", "<1@x>")];
    let r = r.then(|j| j.expect_fetch(places[0]).answer(media::THREAD, &thread.concat())).shows("Bob to Ann");
    let page = r.j.app.entry().unwrap().document().unwrap();
    assert!((0..page.link_count()).any(|link| page.reference(wayfarer::doc::LinkId(link)) == Some(places[1])));
    let r = r.notes("thread: 2 read").keys("Left").at("file:///m/box").shows("1 unread");
    r.file("");
}
