//! What is hidden in a recording, wherever it stands.

use super::{FILES, FORM, Run, replay, typed};
use std::time::Duration;
use wayfarer::app::{Msg, NotWritten, Overlay, Transfer};
use wayfarer::format::media;
use wayfarer::proto::{Again, Dispatch, End, FetchError, FetchEvent, Head, Kind, Moved};
use wayfarer::shell::record::screen;
use wayfarer::theme::Theme;

/// The end of a run in which a secret was said: it is not there, neither in one piece nor letter by letter, and with all
/// octets the run comes back all the same.
fn hides(secret: &str, run: Run) -> String {
    let text = run.end();
    let line = text.lines().find(|line| line.contains(secret));
    assert_eq!(line, None, "{secret}");
    assert!(!typed(&text).contains(secret), "{}", typed(&text));
    let mut replay = replay(&text);
    // Without the octets there is nothing to type into.
    if let Err(difference) = replay.check()
        && replay.has_octets()
    {
        panic!("{difference}");
    }
    text
}

#[test]
fn a_password_in_an_address_without_scheme_is_hidden_as_with_one() {
    for host in ["host", "host.example/x", "127.0.0.1:8080/"] {
        let address = format!("joe:hunter2@{host}");
        let typed_at_once = hides("hunter", Run::new(true).keys("g").text(&address).keys("Enter"));
        assert!(typed(&typed_at_once).contains(&format!("joe:*******@{host}")), "{}", typed(&typed_at_once));
        hides("hunter", Run::new(true).keys(":").text(&format!("open {address}")).keys("Enter"));
        hides("hunter", Run::new(true).tell(Msg::Command(format!("open {address}"))));
        hides("hunter", Run::new(true).keys("g").tell(Msg::Paste(address.clone())).keys("Enter"));
        let corrected = Run::new(true).keys("g").text(&format!("joe:@{host}")).keys("Home Right Right Right Right");
        hides("hunter", corrected.text("hunter2").keys("Enter"));
    }
}

#[test]
fn an_address_without_scheme_that_is_not_finished_hides_its_password_too() {
    hides("hunter", Run::new(true).keys("g").text("joe:hunter2").keys("Esc"));
    hides("hunter", Run::new(true).keys(":").text("open joe:hunter2").keys("Esc"));
}

#[test]
fn what_only_looks_like_a_login_stands_as_it_was_typed() {
    for address in ["host.example:8080/a@b", "mailto:joe@host.example", "news:12345@host", "about:home"] {
        let text = Run::new(true).keys("g").text(address).keys("Enter").end();
        assert!(typed(&text).contains(address), "{}", typed(&text));
    }
    let text = Run::new(true).open("gopher://h/7/find").text("note:more").keys("Enter").end();
    assert!(typed(&text).contains("note:more"), "{}", typed(&text));
}

/// What a server answers that says a secret again, wherever it can.
fn echoes(run: Run, secret: &str) -> Run {
    let echo = |of: &str| format!("{of} said {secret}, didn't it?");
    let (id, url) = run.asked.last().map(|(id, request)| (*id, request.url.clone())).unwrap();
    let mut head = Head::new(url.clone(), media::PLAIN);
    (head.status, head.title, head.filename) = (Some(echo("status")), Some(echo("title")), Some(echo("file")));
    (head.notices, head.lines) = (vec![echo("notice")], vec![echo("X-Line:")]);
    let run = run.event(FetchEvent::Head(Box::new(head)));
    // The page breaks off within the secret, and goes on.
    let body = echo("the page");
    let (first, second) = body.as_bytes().split_at(body.find(secret).unwrap() + 2);
    let run = run.event(FetchEvent::Body(first.into())).event(FetchEvent::Body(second.into()));
    let run = run.event(FetchEvent::End(End { cut: Some(echo("the end")) }));
    let mut wrong = FetchError::new(Kind::Said, echo("detail"));
    (wrong.tried, wrong.hint) = (echo("tried"), Some(echo("hint")));
    let (elapsed, again) = (Duration::ZERO, Again::Get);
    let moved = Moved { from: url, to: format!("/x/{secret}"), status: echo("moved"), again, unkept: false };
    let failed = Transfer::Failed(echo("failed"));
    [
        Msg::Complaint(echo("complaint")),
        Msg::Said(echo("said")),
        Msg::Ran { id, result: Err(echo("ran")) },
        Msg::Wrote { id, result: Err(NotWritten::Failed(echo("wrote"))) },
        Msg::Read { id, content: Ok(echo("read").into()) },
        Msg::Removed { id, result: Err(echo("removed")) },
        Msg::Summed { id, result: Err(echo("summed")) },
        Msg::SummedTree { id, result: Err(echo("summed tree")) },
        Msg::Cookies { host: "h".into(), names: vec![echo("cookie")] },
        Msg::Transfer { id, elapsed, transfer: failed },
        Msg::Fetch { id, elapsed, event: FetchEvent::Moved(Box::new(moved)) },
        Msg::Fetch { id, elapsed, event: FetchEvent::Failed(wrong) },
    ]
    .into_iter()
    .fold(run, Run::tell)
    .keys("Y y")
}

#[test]
fn a_known_password_is_hidden_wherever_it_is_said_again() {
    for octets in [true, false] {
        let wants = || FetchEvent::Failed(FetchError::new(Kind::NeedsLogin, "h asks for a password."));
        // Typed into a login, and then again, as the first one was wrong.
        let run =
            Run::new(octets).open("ftp://h/").event(wants()).text("joanna").keys("Tab").text("hunter1").keys("Enter");
        let mut wrong = FetchError::new(Kind::NeedsLogin, "530 hunter1 is wrong for joanna");
        wrong.tried = "PASS hunter1".into();
        let run = run.event(FetchEvent::Failed(wrong)).text("hunter2").keys("Enter");
        let text = hides("hunter", echoes(echoes(run, "hunter1"), "hunter2"));
        assert!(!text.contains("joanna"));
        assert!(text.contains("530 ******* is wrong for ******"), "{text}");
        // In an address, typed or followed.
        let run = Run::new(octets).keys("g").text("ftp://joe:hunter2@h/x").keys("Enter");
        hides("hunter", echoes(run, "hunter2"));
        let run = Run::new(octets).keys("g").text("joe:hunter2@h.example").keys("Enter");
        hides("hunter", echoes(run, "hunter2"));
        let run = Run::new(octets).open("ftp://joe:hunter%402%20x@h/");
        hides("hunter", echoes(echoes(run, "hunter@2 x"), "hunter%402%20x"));
        let run = Run::new(octets).open("ftp://joe:h%C3%BCnter2@h/");
        hides("nter2", echoes(run, "h\u{fc}nter2"));
        // In a form.
        let run = Run::new(octets).open("http://h/").answer(media::HTML, FORM).keys("Down Enter").text("hunter<2");
        let run = run.keys("Enter Down Enter");
        hides("hunter", echoes(echoes(run, "hunter<2"), "hunter&lt;2"));
        // Not sent at all: what was being opened is none of the words to be kept.
        hides("hunter", Run::new(octets).keys("g").text("joe:hunter2").keys("Enter"));
    }
}

/// Such a run does not come back: the stars are as long as what stood between the letters too.
#[test]
fn a_password_that_is_torn_by_what_nobody_sees_is_hidden() {
    for octets in [true, false] {
        let run = Run::new(octets).keys("g").text("ftp://joe:hunter2@h/x").keys("Enter");
        let text = echoes(run, "hunt\u{200b}\u{1b}[1mer2").end();
        let line = text.lines().find(|line| line.contains("hunt") || line.contains("er2"));
        // But for the body, which breaks off within it.
        assert_eq!(line.filter(|line| !line.contains("body")), None);
    }
}

#[test]
fn a_password_that_is_a_word_of_ours_leaves_a_recording_that_can_be_read() {
    for secret in ["http", "html", "text/html", "needs-login", "Enter", "2026", "7070", "get", "said", "grown"] {
        let run = Run::new(true).open("http://h/").answer(media::HTML, FORM).keys("Down Enter").text(secret);
        let run = run.keys("Enter Down Enter").answer(media::HTML, "<p>in <a href=x>x</a>");
        let run = run.open("http://h:7070/html").answer(media::HTML, "<p>in <a href=x>x</a>").keys("Down Enter");
        let run = run.event(FetchEvent::Failed(FetchError::new(Kind::NeedsLogin, "get it")));
        let text = run.tell(Msg::Clock("2026-11-21T14:30:01Z[UTC]".parse().unwrap())).end();
        if let Err(difference) = replay(&text).check() {
            panic!("{secret}: {difference}");
        }
    }
}

#[test]
fn of_a_login_only_letters_are_hidden_and_it_comes_back_to_the_same_state() {
    let wants = || FetchEvent::Failed(FetchError::new(Kind::NeedsLogin, "h asks for a password."));
    let asked = || Run::new(true).open("ftp://h/").event(wants());
    // Corrected on the way, and sent by the button.
    let run = asked().text("jeannx").keys("Backspace Home Right Del Tab").text("hunter3").keys("Backspace").text("2");
    let text = hides("hunter", run.keys("Up Down Tab Enter").answer(media::DIRECTORY, FILES));
    for key in ["Backspace", "Home", "Right", "Del", "Tab", "Up", "Down", "Enter"] {
        assert!(text.contains(&format!("{{\"key\":\"{key}\"")), "{key}");
    }
    let mut replay = replay(&text);
    replay.go(usize::MAX);
    assert_eq!(replay.app().entry().unwrap().url.as_str(), "ftp://h/");
    assert!(replay.app().hands.top().is_none());
    // What is pressed at the button is no letter of anything.
    let run = asked().text("joanna").keys("Tab Tab q");
    assert!(
        matches!(run.app.hands.top(), Some(Overlay::Question { .. })),
        "it asks whether to throw away what was typed"
    );
    let (there, text) = (run.shown().replace("joanna", "******"), run.end());
    assert!(text.contains("{\"key\":\"q\""), "{text}");
    let mut replay = super::replay(&text);
    replay.go(usize::MAX);
    assert_eq!(screen(replay.app(), &Theme::default()).unwrap(), there);
}

#[test]
fn a_password_of_a_gopher_form_is_hidden_however_short_it_is() {
    for secret in ["hunter2", "qz"] {
        let run = Run::new(true).open("gopher://h/0/f%09%09%3F");
        let ask = b"+ASK:\r\n Ask: Name?\r\n AskP: Password?\r\n".to_vec();
        let head = Head::new(run.asked.last().unwrap().1.url.clone(), media::FORM);
        let run = run.event(FetchEvent::Head(Box::new(head))).event(FetchEvent::Body(ask));
        let run = run.event(FetchEvent::End(End::default())).text("joe").keys("Tab").text(secret);
        let run = run.keys("Tab Enter y");
        assert!(run.asked.last().unwrap().1.url.as_str().contains(secret), "it is sent");
        hides(secret, run.answer(media::PLAIN, "in").keys("="));
    }
}

#[test]
fn what_left_comes_back_as_it_was_and_tells_no_secret() {
    let lines = vec!["GET /x HTTP/1.1".into(), "authorization: ***".into()];
    let (address, came) = (Some("192.0.2.1:80".into()), Some("200 OK".into()));
    let why = Some("the proxy (http:)".into());
    let sent = Dispatch { host: "h".into(), port: 80, address, tls: true, why, lines, more: 3, came };
    let run = Run::new(true).open("http://h/x").event(FetchEvent::Sent(vec![sent.clone()]));
    let text = run.answer(media::PLAIN, "x").keys("=").end();
    assert!(replay(&text).check().is_ok());
    assert!(text.contains("\"192.0.2.1:80\"") && text.contains("the proxy (http:)"), "{text}");
    // Once a password was typed into a form, nothing after a question mark is told.
    let run =
        Run::new(true).open("http://h/").answer(media::HTML, FORM).keys("Down Enter").text("hunter2").keys("Enter");
    let lines = vec!["GET /in?pw=hunter2 HTTP/1.1".into()];
    let run = run.open("http://h/y").event(FetchEvent::Sent(vec![Dispatch { lines, ..sent }]));
    hides("hunter2", run.answer(media::PLAIN, "x"));
}

#[test]
fn a_letter_offered_after_a_password_comes_back_as_it_was() {
    let run =
        Run::new(true).open("http://h/").answer(media::HTML, FORM).keys("Down Enter").text("hunter2").keys("Enter");
    let run = run.open("mailto:ann@h.example?subject=hunter2").keys("y");
    let text = hides("hunter2", run);
    assert!(text.contains("\"run\"") && text.contains("mailto:ann@h.example"), "{text}");
}
