//! What left this machine, as the anatomy tells of it: kept with the page, with each redirect and with a failure.

use super::journey::{Journey, head, menu};
use wayfarer::app::{Effect, Msg};
use wayfarer::format::media;
use wayfarer::proto::{Again, Dispatch, End, FetchError, FetchEvent, Kind, Moved};

/// Lines to a place.
pub fn to(host: &str, port: u16, lines: &[&str]) -> Dispatch {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    Dispatch { host: host.into(), port, lines, ..Dispatch::default() }
}

trait Sent {
    fn sent(self, dispatches: &[Dispatch]) -> Self;
}

impl Sent for Journey {
    fn sent(self, dispatches: &[Dispatch]) -> Journey {
        self.event(FetchEvent::Sent(dispatches.to_vec()))
    }
}

fn gopher(selector: &str) -> Dispatch {
    to("h", 70, &[&format!("{selector}\\r\\n")])
}

#[test]
fn what_left_stands_in_the_anatomy_and_stays_with_its_page() {
    let said = |j: &Journey| j.over();
    let j = Journey::new().open("gopher://h/").sent(&[Dispatch { address: Some("192.0.2.1:70".into()), ..gopher("") }]);
    let j = j.answer(media::MENU, &menu("h", &["0|A|/a"])).keys("=");
    assert!(said(&j).contains("sent         to h:70 (192.0.2.1:70)\n             \\r\\n\n"), "{}", said(&j));
    let j = j.keys("Esc Enter").sent(&[gopher("/a")]).answer(media::PLAIN, b"x").keys("=");
    assert!(said(&j).contains("             /a\\r\\n\n"), "{}", said(&j));
    // There and back again, and within the document.
    let j = j.keys("Esc Left =");
    assert!(said(&j).contains("192.0.2.1:70") && !said(&j).contains(" /a\\r\\n\n"), "{}", said(&j));
    let j = j.keys("Esc M-Right =");
    assert!(said(&j).contains("             /a\\r\\n\n"), "{}", said(&j));
    // Asked for again, it is what was sent last.
    let j = j.keys("Esc R").sent(&[gopher("/anew")]).answer(media::PLAIN, b"x").keys("=");
    assert!(said(&j).contains("/anew") && !said(&j).contains(" /a\\r"), "{}", said(&j));
    // What is asked while the page comes belongs to it.
    let j = j.keys("Esc").open("gopher://h/0/b").sent(&[gopher("/b")]).head(media::PLAIN).body(b"x");
    let j = j.sent(&[to("h", 70, &["/b\\r\\n", "quit"])]).event(FetchEvent::End(End::default())).keys("=");
    assert!(said(&j).contains("/b\\r\\n\n             quit\n"), "{}", said(&j));
}

#[test]
fn the_anatomy_says_what_has_come_since_it_was_opened() {
    let j = Journey::new().open("gopher://h/0/b").keys("=");
    assert!(j.over().contains("would send") && j.over().contains("gopher://h/0/b"), "{}", j.over());
    let j = j.sent(&[gopher("/b")]).head(media::PLAIN).send(Msg::Rest);
    assert!(j.over().contains("sent         to h:70\n             /b\\r\\n\n"), "{}", j.over());
    assert!(!j.over().contains("charset"), "{}", j.over());
    // The row that was chosen stays so, wherever it stands.
    let mut j = j.keys("End Up y");
    let copied = |j: &mut Journey| j.effects.extract_if(.., |effect| matches!(effect, Effect::Copy(_))).last();
    let before = copied(&mut j);
    let j = j.body(b"\xe4").sent(&[to("h", 70, &["/b\\r\\n", "quit"])]).event(FetchEvent::End(End::default()));
    assert!(j.over().contains("/b\\r\\n\n             quit\n") && j.over().contains("charset"), "{}", j.over());
    let mut j = j.keys("y");
    assert_eq!(format!("{:?}", copied(&mut j)), format!("{before:?}"));
    assert!(before.is_some());
    // So it is where the page is asked for again.
    let j = j.keys("Esc R =").sent(&[gopher("/again")]).answer(media::PLAIN, b"y");
    assert!(j.over().contains("/again") && !j.over().contains("quit"), "{}", j.over());
}

#[test]
fn an_anatomy_of_a_page_that_comes_begins_where_one_of_a_whole_page_does() {
    let menu = "0One\t/one\th\t70\r\n";
    let copied = |j: Journey| {
        let j = j.keys("y");
        j.effects.iter().find_map(|effect| if let Effect::Copy(words) = effect { Some(words.clone()) } else { None })
    };
    let early = Journey::new().open("gopher://h/1").head(media::MENU).keys("=").body(menu.as_bytes()).end();
    let late = Journey::new().open("gopher://h/1").answer(media::MENU, menu.as_bytes()).keys("=");
    assert_eq!(copied(early), copied(late));
    // Whoever has chosen a row stays there.
    let early = Journey::new().open("gopher://h/1").head(media::MENU).keys("= Down").body(menu.as_bytes()).end();
    assert_ne!(copied(early), Some("gopher://h/0/one".into()));
}

#[test]
fn a_failed_try_with_a_login_does_not_show_the_try_before() {
    let wants = || FetchError::new(Kind::NeedsLogin, "h asks for user and password.");
    let first = to("h", 80, &["GET /first HTTP/1.1"]);
    let j = Journey::new().open("http://h/x").sent(&[first]).fail(wants());
    let j = j.text("ada").keys("Enter").text("pw").keys("Enter");
    let j = j.fail(FetchError::new(Kind::Refused, "No.")).keys("=");
    assert!(!j.over().contains("GET /first"), "{}", j.over());
}

#[test]
fn without_a_record_it_is_said_what_would_be_sent() {
    let j = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, b"x").keys("=");
    assert!(
        j.over().contains("would send   \"/a\\r\\n\" to h:70") && !j.over().contains("sent         "),
        "{}",
        j.over()
    );
}

#[test]
fn each_redirect_each_try_and_a_failure_tell_what_left() {
    let refused = Dispatch { came: Some("h refused the connection.".into()), ..to("h", 70, &[]) };
    let mirror = Dispatch { why: Some("a mirror".into()), ..to("m", 70, &["/a\\r\\n"]) };
    let j = Journey::new().open("gopher://h/0/a").sent(&[refused.clone(), mirror]).answer(media::PLAIN, b"x").keys("=");
    let told = "sent         to h:70\n             → h refused the connection.\n             to m:70, a mirror\n             /a\\r\\n\n";
    assert!(j.over().contains(told), "{}", j.over());
    let j =
        Journey::new().open("gopher://h/0/a").sent(&[refused]).fail(FetchError::new(Kind::Refused, "No.")).keys("=");
    assert!(j.over().contains("→ h refused the connection."), "{}", j.over());
    let (from, status) = (super::journey::url("http://h/1"), "302 Found".to_owned());
    let moved = Moved { from, to: "/2".into(), status, again: Again::Get, unkept: false };
    let j = Journey::new().open("http://h/1").sent(&[to("h", 80, &["GET /1 HTTP/1.1"])]);
    let j = j.event(FetchEvent::Moved(Box::new(moved))).sent(&[to("h", 80, &["GET /2 HTTP/1.1"])]);
    let j = j.event(FetchEvent::Head(Box::new(head("http://h/2", media::PLAIN)))).body(b"x").end().keys("=");
    let (first, second) = (j.over().find("GET /1"), j.over().find("GET /2"));
    assert!(first.is_some() && first < second, "{}", j.over());
}

#[test]
fn a_form_that_went_to_another_port_than_gophers_own_is_told_as_it_went() {
    let ask = b"+ASK:\r\n Ask: Name?\r\n";
    let j = Journey::new().open("gopher://h:7070/0/f%09%09%3F").head(media::FORM).body(ask).end();
    let j = j.text("joe").keys("Enter Enter y").sent(&[to("h", 7070, &["/f\\t+\\t1\\r\\n+-1\\r\\njoe\\r\\n.\\r\\n"])]);
    let j = j.answer(media::PLAIN, b"in").keys("=");
    assert!(
        j.over().contains("/f\\t+\\t1\\r\\n+-1\\r\\njoe\\r\\n.\\r\\n") && !j.over().contains("refused"),
        "{}",
        j.over()
    );
}
