//! Gopher+ forms: fetched, filled, confirmed, sent as a URL.

use super::journey::Journey;
use wayfarer::app::{Effect, FieldValue, Form, Overlay};
use wayfarer::config::NewsServer;
use wayfarer::format::media;
use wayfarer::proto::{FetchError, Kind, Verdict};
use wayfarer::url::scheme::PartKind;

const ASK: &[u8] = b"+INFO: 0Form\t/f\th\t70\t?\r\n+ASK:\r\n Note: welcome\r\n Ask: Your name?\tNobody\r\n AskL: Your words\r\n Choose: Colour?\tred\tgreen\r\n Select: Send a copy?:1\r\n";

/// Arrived at the form of `/f`.
fn form(ask: &[u8]) -> Journey {
    Journey::at(&["0|A|/a"])
        .open("gopher://h/0/f%09%09%3F")
        .expect_fetch("gopher://h/0/f%09%09%3F")
        .head(media::FORM)
        .expect_verdict(Verdict::Accept)
        .body(&ask[..20])
        .body(&ask[20..])
        .end()
        .quiet()
}

fn state(j: &Journey) -> &Form {
    match j.app.hands.overlays().last() {
        Some(Overlay::Form(state)) => state,
        other => panic!("expected a form, there is {other:?}"),
    }
}

#[test]
fn arrows_choose_among_the_options_before_they_leave_them() {
    let chosen = |j: &Journey| match &state(j).fields[1].value {
        FieldValue::Choose { chosen, .. } => *chosen,
        other => panic!("{other:?}"),
    };
    let j = form(b"+ASK:\r\n Ask: Name?\r\n Choose: Colour?\tred\tgreen\tblue\r\n Select: Mail me?:0\r\n");
    let j = j.keys("Down Down");
    assert_eq!((state(&j).focus, chosen(&j)), (1, 1));
    let j = j.keys("Down Down");
    assert_eq!((state(&j).focus, chosen(&j)), (2, 2), "past the last option");
    let j = j.keys("Up Up Up Up");
    assert_eq!((state(&j).focus, chosen(&j)), (0, 0), "past the first");
    assert_eq!(state(&j.keys("Tab Tab")).focus, 2, "Tab goes from field to field");
}

#[test]
fn a_password_that_goes_in_clear_text_is_told_before_it_goes() {
    let j = form(b"+ASK:\r\n AskP: Secret?\r\n").text("hush").keys("Enter Enter");
    j.asks("The password goes in clear text").text("n").quiet();
    let j = form(b"+ASK:\r\n AskP: Secret?\r\n").keys("Enter Enter").asks("Send the answers");
    assert!(!format!("{:?}", j.app.hands.overlays().last()).contains("clear text"), "there is none");
}

#[test]
fn a_filled_form_is_confirmed_and_sent_as_its_exact_url() {
    let url =
        "gopher://h/0/f%09%09+%091%0D%0A+-1%0D%0ANed%0D%0A2%0D%0Ahello%20there%0D%0Aq%0D%0Agreen%0D%0A0%0D%0A.%0D%0A";
    let j = form(ASK).at_url("gopher://h/");
    assert_eq!(state(&j).fields.len(), 5);
    assert!(matches!(state(&j).fields[0].value, FieldValue::Note));
    assert_eq!(state(&j).focus, 1, "the note is no field");
    j.keys("C-u")
        .text("Nod")
        .keys("Left Del Left Backspace")
        .look(|j| assert!(matches!(&state(j).fields[1].value, FieldValue::Line { input, .. } if input.value() == "o")))
        .keys("C-k C-u")
        .text("Ned")
        .keys("Enter")
        .text("hello there")
        .keys("Enter")
        .text("q")
        .keys("Tab Space Tab Space Tab")
        .look(|j| assert_eq!(state(j).focus, state(j).fields.len()))
        .keys("Enter")
        .quiet()
        .asks("Send the answers of this form to h port 70?")
        .text("y")
        .expect_fetch(url)
        .answer(media::PLAIN, b"thanks")
        .at_url(url)
        .shows("thanks")
        .keys("R")
        .quiet()
        .asks("Send the answers")
        .text("y")
        .expect_fetch(url);
}

#[test]
fn answers_that_are_kept_back_stand_in_the_form_again() {
    let j = form(ASK).keys("C-u").text("Ned").keys("Tab Tab Tab Tab Enter").asks("Send the answers of this form");
    let j = j.keys("n");
    assert!(matches!(&state(&j).fields[1].value, FieldValue::Line { input, .. } if input.value() == "Ned"));
    let j = j.keys("Enter").asks("Send the answers").keys("Esc");
    assert!(matches!(&state(&j).fields[1].value, FieldValue::Line { input, .. } if input.value() == "Ned"));
    j.keys("Enter y").free();
}

#[test]
fn a_password_is_sent_and_never_stored() {
    let ask = b"+ASK:\r\n AskP: Password?\r\n Ask: Name?\r\n";
    let j = form(ask).text("hunter2").keys("Tab Tab Enter");
    let Some(Overlay::Question { text, .. }) = j.app.hands.overlays().last() else { panic!() };
    assert!(!text.join(" ").contains("hunter2"));
    let j = j.text("y");
    assert!(j.fetches.last().unwrap().1.url.as_str().contains("hunter2"), "it is sent");
    assert!(!wayfarer::app::status::url(j.app.sight()).unwrap().as_str().contains("hunter2"));
    let j = j.answer(media::PLAIN, b"in").at_url("gopher://h/0/f%09%09%3F");
    assert!(!format!("{:?}", j.app.entry().unwrap().bases).contains("hunter2"));
    j.keys("R").expect_fetch("gopher://h/0/f%09%09%3F");
}

#[test]
fn a_form_can_be_left() {
    form(ASK).keys("Esc").free().quiet().notes("not sent").at_url("gopher://h/");
    form(ASK).keys("Tab Tab Tab Tab Enter").text("n").keys("Esc").free().quiet();
}

#[test]
fn answers_go_to_the_server_that_asked_or_to_port_70() {
    let ask = b"+ASK:\r\n Ask: Name?\r\n";
    let j = Journey::new().open("gopher://h:7070/0/f%09%09%3F").head(media::FORM).body(ask).end().keys("Tab Enter");
    j.asks("h port 7070").text("y").look(|j| {
        assert!(j.fetches.last().unwrap().1.url.as_str().starts_with("gopher://h:7070/0/f%09%09+%091"));
    });
    Journey::new().open("gopher://h:7070/0/f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A").quiet().shows("Refused");
}

#[test]
fn no_file_goes_unless_it_is_named_and_answers_may_go_into_one() {
    let ask = b"+ASK:\r\n ChooseF: Your file?\t/etc/passwd\r\n AskF: Keep the answer in?\r\n";
    let j = form(ask);
    assert!(matches!(&state(&j).fields[0].value, FieldValue::File { input, sends: true } if input.value().is_empty()));
    let j = j.keys("Tab").text("~/answer.txt").keys("Tab Enter").text("y");
    assert!(!j.fetches.last().unwrap().1.url.as_str().contains("passwd"));
    let j = j.free().head(media::PLAIN);
    let id = j.last();
    let saves =
        |e: &Effect| matches!(e, Effect::Save { id: saved, into } if *saved == id && into.path == "~/answer.txt");
    assert!(j.effects.iter().any(saves), "{:?}", j.effects);
    j.at_url("gopher://h/");
}

#[test]
fn a_server_proposes_a_name_for_a_file_and_no_place() {
    for (said, there) in [
        ("answer.txt", "answer.txt"),
        ("/home/me/.bash_profile", ""),
        ("~/.bash_profile", ""),
        ("..\\x", ""),
        ("../x", ""),
        (".profile", ""),
        (" .profile", ""),
    ] {
        let j = form(format!("+ASK:\r\n AskF: Save where?\t{said}\r\n").as_bytes());
        let FieldValue::File { input, sends: false } = &state(&j).fields[0].value else { panic!("{said}") };
        assert_eq!(input.value().trim(), there, "{said}");
    }
}

#[test]
fn an_answer_without_a_form_is_explained() {
    Journey::at(&["0|A|/a"])
        .open("gopher://h/0/f%09%09%3F")
        .head(media::FORM)
        .body(b"nothing of the kind\r\n")
        .end()
        .shows("no form");
    Journey::at(&["0|A|/a"])
        .open("gopher://h/0/f%09%09%3F")
        .head(media::FORM)
        .fail(FetchError::new(Kind::Broken, "It went away."))
        .shows("It went away");
}

#[test]
fn esc_while_the_form_is_on_its_way() {
    Journey::at(&["0|A|/a"])
        .open("gopher://h/0/f%09%09%3F")
        .head(media::FORM)
        .keys("Esc")
        .expect_cancel(1)
        .notes("stopped")
        .body(ASK)
        .end()
        .free();
}

#[test]
fn lines_are_joined_and_pasted() {
    let j = form(b"+ASK:\r\n AskL: Words\r\n");
    let lines = |j: &Journey| match &state(j).fields[0].value {
        FieldValue::Lines { lines, at } => (lines.iter().map(|l| l.value().to_owned()).collect::<Vec<_>>(), *at),
        other => panic!("{other:?}"),
    };
    let j = j.text("ab").keys("Left Enter");
    assert_eq!(lines(&j), (vec!["a".into(), "b".into()], 1));
    let j = j.keys("Backspace").text("x");
    assert_eq!(lines(&j), (vec!["axb".into()], 0));
    let j = j.keys("End").send(wayfarer::app::Msg::Paste("1\n2\n3".into()));
    assert_eq!(lines(&j), (vec!["axb1".into(), "2".into(), "3".into()], 2));
    // Line breaks as terminals send them, in the middle of a line.
    let j = j.keys("Left").send(wayfarer::app::Msg::Paste("x\r\ry\r\nz".into()));
    assert_eq!(lines(&j), (["axb1", "2", "x", "", "y", "z3"].map(Into::into).into(), 5));
    let j = j.keys("Up Up Up Up Up");
    assert_eq!(lines(&j).1, 0);
    assert_eq!(state(&j.keys("Down Down Down Down Down Down")).focus, 1);
}

#[test]
fn a_file_is_read_when_the_form_is_sent_and_goes_after_a_question() {
    form(b"+ASK:\r\n ChooseF: A file?\r\n")
        .text("~/note")
        .keys("Tab Enter")
        .expect_read("~/note")
        .read(Ok(b"one\n.two\n".to_vec()))
        .asks("Send the answers of this form to h port 70?")
        .text("y")
        .expect_fetch("gopher://h/0/f%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A..two%0D%0A.%0D%0A");
}

#[test]
fn a_file_that_cannot_be_read_keeps_the_form_open() {
    let j = form(b"+ASK:\r\n ChooseF: A file?\r\n").text("/none").keys("Tab Enter");
    let j = j.read(Err("Cannot read /none: no such file.".into()));
    assert!(j.app.hands.note.as_ref().is_some_and(|note| note.text.contains("/none")));
    assert!(matches!(state(&j).fields[0].value, FieldValue::File { sends: true, .. }));
}

#[test]
fn a_server_that_wants_a_login_is_asked_again_with_it() {
    let wants = || FetchError::new(Kind::NeedsLogin, "h asks for the password of \"me\".");
    let j = Journey::new().open("ftp://me@h/").fail(wants()).shows("asks for the password");
    assert_eq!(state(&j).focus, 1, "the user is known");
    let j = j.text("hunter2").keys("Enter").expect_fetch("ftp://me@h/");
    let login = |j: &Journey| j.fetches.last().unwrap().1.login.clone();
    assert_eq!(login(&j).map(|login| (login.user, login.password)), Some((b"me".to_vec(), b"hunter2".to_vec())));
    assert!(!format!("{:?}", j.app).contains("hunter2"), "it is shown nowhere");
    let j = j.fail(wants());
    assert!(matches!(&state(&j).fields[1].value, FieldValue::Line { input, .. } if input.value().is_empty()));
    let j = j.text("right").keys("Enter").answer(media::PLAIN, b"in").shows("in");
    let j = j.open("ftp://me@h/b").expect_fetch("ftp://me@h/b");
    assert_eq!(login(&j).map(|login| login.password), Some(b"right".to_vec()), "it holds for the server");
    let j = j.open("ftp://other/").expect_fetch("ftp://other/");
    assert_eq!(login(&j), None);
}

/// The bar and the anatomy went on to say that an anonymous visitor was there.
#[test]
fn who_has_logged_in_is_who_the_bar_and_the_anatomy_name() {
    let wants = FetchError::new(Kind::NeedsLogin, "h does not let anonymous visitors in: 530 No.");
    let j = Journey::new().open("ftp://h/").fail(wants).text("joe").keys("Tab").text("hunter2").keys("Enter");
    let j = j.expect_fetch("ftp://h/").answer(media::DIRECTORY, b"type=file; a\r\n").keys("Esc");
    let user = |j: &Journey| {
        let parts = wayfarer::app::status::parts(j.app.sight()).into_iter();
        parts.filter(|part| part.kind == PartKind::User).map(|part| part.text).collect::<Vec<_>>()
    };
    assert_eq!(user(&j), ["joe"]);
    let j = j.keys("Down =");
    let said = j.over();
    assert!(said.contains("USER joe") && said.contains("PASS ***"), "{said}");
    assert!(!said.contains("anonymous") && !said.contains("hunter2"), "{said}");
    // What is in an archive there is asked for by the same user.
    let inside = "archive://ftp%3A%2F%2Fh%2Fa.zip/";
    let j = j.keys("Esc").open(inside).expect_fetch(inside).answer(media::DIRECTORY, b"type=file; a\r\n").keys("=");
    assert!(j.over().contains("USER joe") && !j.over().contains("anonymous"), "{}", j.over());
    // Another server has been told nothing.
    let j = j.keys("Esc").open("ftp://other/").expect_fetch("ftp://other/");
    assert_eq!(user(&j), ["anonymous"]);
}

#[test]
fn a_login_given_for_one_user_is_not_used_for_another() {
    let wants = FetchError::new(Kind::NeedsLogin, "h asks for the password of \"ada\".");
    let j = Journey::new().open("ftp://ada@h/").fail(wants).text("pw").keys("Enter").expect_fetch("ftp://ada@h/");
    let mut j = j.answer(media::PLAIN, b"in");
    for (url, user) in [("ftp://h/", None), ("ftp://bob@h/", None), ("ftp://ada@h/b", Some(&b"ada"[..]))] {
        j = j.open(url).expect_fetch(url);
        assert_eq!(j.fetches.last().unwrap().1.login.as_ref().map(|login| &*login.user), user, "{url}");
    }
}

/// Some servers ask for user, password, and an account (RFC 959, 4.1.1).
#[test]
fn an_account_is_asked_for_beside_user_and_password() {
    let wants = |kind| FetchError::new(kind, "h wants more.");
    let j = Journey::new().open("ftp://me@h/").fail(wants(Kind::NeedsLogin));
    assert_eq!(state(&j).fields.len(), 2);
    let j = j.text("pw").keys("Enter").expect_fetch("ftp://me@h/").fail(wants(Kind::NeedsAccount));
    let labels: Vec<String> = state(&j).fields.iter().map(|field| field.label.clone()).collect();
    assert_eq!(labels, ["User", "Password", "Account"]);
    let j = j.text("dep").keys("Enter").expect_fetch("ftp://me@h/");
    let login = j.fetches.last().unwrap().1.login.clone().unwrap();
    assert_eq!(
        (&login.user[..], &login.password[..], login.account.as_deref()),
        (&b"me"[..], &b"pw"[..], Some(&b"dep"[..]))
    );
    // A password that the address said is not asked for once more.
    let again = Journey::new().open("ftp://me:pw@h/").fail(wants(Kind::NeedsAccount)).text("dep").keys("Enter");
    let login = again.fetches.last().unwrap().1.login.clone().unwrap();
    assert_eq!((&login.password[..], login.account.as_deref()), (&b"pw"[..], Some(&b"dep"[..])));
    let j = j.answer(media::DIRECTORY, b"type=file; a\r\n").keys("Down =");
    let said = j.over();
    assert!(said.contains("PASS ***") && said.contains("ACCT ***") && !said.contains("dep\n"), "{said}");
}

/// News URLs name no server, but the settings do, and what was typed for one server goes to no other.
#[test]
fn a_login_for_news_holds_for_the_server_that_the_settings_name() {
    let mut j = Journey::new();
    j.app.desk.settings.news.server = NewsServer::parse("news.example.org").ok();
    j.app.desk.settings.news.servers = vec![("alt.*".into(), NewsServer::parse("nntps://a.example").unwrap())];
    let wants = FetchError::new(Kind::NeedsLogin, "news.example.org wants to know who you are.");
    let j = j.open("news:comp.x").fail(wants).shows("wants to know who you are");
    assert_eq!(state(&j).title, "Log in to news.example.org port 119");
    let j = j.text("me").keys("Enter").text("pw").keys("Enter").expect_fetch("news:comp.x");
    let login = |j: &Journey| j.fetches.last().unwrap().1.login.as_ref().map(|login| login.user.clone());
    assert_eq!(login(&j), Some(b"me".to_vec()));
    let j = j
        .answer(media::PLAIN, b"in")
        .open("nntp://news.example.org/comp.y")
        .expect_fetch("nntp://news.example.org/comp.y");
    assert_eq!(login(&j), Some(b"me".to_vec()));
    let j = j.open("news:alt.x").expect_fetch("news:alt.x");
    assert_eq!(login(&j), None);
}

/// The answers of a form with a password, sent to another port than gopher's own.
fn sent_with_a_password(secret: &str) -> Journey {
    let ask = b"+ASK:\r\n Ask: Name?\r\n AskP: Password?\r\n";
    let j = Journey::new().open("gopher://h:7070/0/f%09%09%3F").head(media::FORM).body(ask).end();
    j.text("joe").keys("Tab").text(secret).keys("Tab Enter").asks("h port 7070").text("y").free()
}

#[test]
fn a_password_of_a_form_is_shown_nowhere() {
    for secret in ["hunter2", "h t", "q%"] {
        let escaped = wayfarer::url::escape::encode(secret.as_bytes(), b"");
        let hidden = |words: &str| assert!(!words.contains(secret) && !words.contains(&escaped), "{words}");
        let j = sent_with_a_password(secret);
        assert!(j.fetches.last().unwrap().1.url.as_str().contains(&escaped), "it is sent");
        hidden(&format!("{:?}", wayfarer::app::status::parts(j.app.sight())));
        let j = j.answer(media::PLAIN, b"in").keys("=");
        hidden(&j.over());
        let j = j.keys("Esc C-h");
        hidden(&j.page());
        hidden(&format!("{:?}", j.app.tab.history.iter().map(|entry| (&entry.url, &entry.bases)).collect::<Vec<_>>()));
        // An answer that is no page is asked about.
        let j = sent_with_a_password(secret).head("audio/basic");
        let Some(Overlay::Question { text, .. }) = j.app.hands.overlays().last() else { panic!() };
        hidden(&text.join(" "));
        let j = j.text("t").body(b".snd").end().keys("=");
        hidden(&j.over());
        let j = sent_with_a_password(secret).fail(FetchError::new(Kind::TimedOut, "h is silent."));
        hidden(&j.page());
        let j = j.keys("=");
        hidden(&j.over());
    }
}
