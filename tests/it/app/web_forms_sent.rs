//! Forms of web pages on their way: what is sent when, what is asked first, what the answer is.

use super::journey::Journey;
use super::web_forms::{Forms, URLENCODED, at};
use wayfarer::app::{Effect, Transfer};
use wayfarer::proto::{Again, FetchError, Kind};

#[test]
fn a_form_is_not_sent_without_what_it_must_have() {
    let body = "<form action=/x>Your name: <input name=a required> <input name=b>
        <input type=radio name=r required value=1>one <input type=radio name=r value=2>two
        <select name=s required><option value=''>choose<option>x</select> <button>Send</button></form>";
    at("http://h/", body)
        .says(0, "Your name · text · must be filled in")
        .says(5, "Send · GET http://h/x")
        .run("number 6")
        .keys("Enter")
        .notes("not sent: Your name must be filled in")
        .focus(0)
        .keys("Enter a Enter")
        .run("number 6")
        .keys("Enter")
        .notes("one must be filled in")
        .focus(2)
        .run("number 4")
        .keys("Enter")
        .run("number 6")
        .keys("Enter")
        .notes("must be filled in")
        .focus(4)
        .keys("Enter Down Enter")
        .run("number 6")
        .keys("Enter")
        .expect_fetch("http://h/x?a=a&b=&r=2&s=x");
}

#[test]
fn a_posted_form_is_never_sent_again_without_a_word() {
    let mut j = at("http://h/a", "<form method=post action=b#f><input name=q value='a b'><input type=submit></form>")
        .keys("Down Enter")
        .expect_fetch("http://h/b#f")
        .sends(URLENCODED, "q=a+b")
        .answer("text/html", b"<p>answer <p id=f>here")
        .at_url("http://h/b#f")
        .quiet()
        .keys("R")
        .quiet()
        .asks("the form is sent again")
        .text("n")
        .free()
        .quiet()
        .keys("R")
        .text("y")
        .expect_fetch("http://h/b#f")
        .sends(URLENCODED, "q=a+b")
        .answer("text/html", b"<p>again")
        .keys("Left")
        .at_url("http://h/a")
        .keys("L")
        .shows("again")
        .quiet()
        .keys("Left");
    j.app.tab.history[1].page = None;
    j.keys("L").quiet().asks("the form is sent again").text("n").at_url("http://h/a").quiet();
}

#[test]
fn an_answer_and_the_page_of_its_address_are_two() {
    let mut j = at("http://h/x", "<form method=post><input name=q></form>")
        .keys("Enter Enter")
        .expect_fetch("http://h/x")
        .sends(URLENCODED, "q=")
        .answer("text/html", b"<p>answer")
        .keys("Left");
    j.app.tab.history[1].page = None;
    j.keys("L").asks("the form is sent again");
}

#[test]
fn the_source_of_an_answer_is_what_came() {
    at("http://h/x", "<form method=post><input name=q></form>")
        .keys("Enter Enter")
        .expect_fetch("http://h/x")
        .answer("text/html", b"<p>answer")
        .keys("\\")
        .shows("<p>answer")
        .quiet()
        .keys("R")
        .asks("the form is sent again");
}

#[test]
fn redirects_of_a_posted_form() {
    let sent = || {
        at("http://h/", "<form method=post action=/p><input name=q value=1></form>")
            .keys("Enter Enter")
            .expect_fetch("http://h/p")
    };
    sent()
        .moved("/done", Again::Get)
        .expect_fetch("http://h/done")
        .look(|j| assert_eq!(j.fetches.last().unwrap().1.body, None))
        .answer("text/html", b"done")
        .keys("R")
        .expect_fetch("http://h/done");
    sent().moved("http://o/p", Again::Same).quiet().asks("307").asks("http://o/p").text("n").free().quiet();
    sent()
        .moved("http://o/p", Again::Same)
        .asks("h wants the form to be sent on")
        .text("y")
        .expect_fetch("http://o/p")
        .sends(URLENCODED, "q=1");
    // no other protocol gets it
    sent().moved("gopher://o/0/p", Again::Same).text("y").expect_fetch("gopher://o/0/p").look(|j| {
        assert_eq!(j.fetches.last().unwrap().1.body, None);
    });
}

#[test]
fn a_secure_page_with_a_clear_form_says_so() {
    at("https://h/", "<form method=post action=http://h/p><input name=q></form>")
        .keys("Enter Enter")
        .quiet()
        .asks("in clear text")
        .text("y")
        .expect_fetch("http://h/p");
}

#[test]
fn forms_of_other_schemes_go_through_the_policy() {
    let form = |action: &str| {
        at("http://h/", &format!("<form action='{action}'><input name=q value='x y'></form>")).keys("Enter Enter")
    };
    form("gopher://o/0/x").asks("cannot be sent by gopher").text("y").expect_fetch("gopher://o/0/x");
    form("ftp://o/x").asks("cannot be sent by ftp").text("n").free().quiet();
    form("file:///etc/passwd").quiet().asks("file of this machine").text("n").free().quiet();
    form("javascript:alert(1)").quiet().free().shows("javascript");
    form("http://h:25/").quiet().shows("port 25");
    // a letter has no field of that name, and a link may not make one up
    form("mailto:a@h?subject=s").quiet().asks("left out, as no link may say it: q");
    let mail = |encoding: &str| {
        let body = format!(
            "<form method=post enctype='{encoding}' action='mailto:a@h?subject=s'><input name=q value='x y'></form>"
        );
        at("http://h/", &body).keys("Enter Enter").quiet()
    };
    mail("text/plain").asks("mailto:a@h?subject=s&body=q%3Dx%20y%0D%0A");
    mail("").asks("mailto:a@h?subject=s&body=q%3Dx%2520y");
}

#[test]
fn a_page_that_is_an_index_is_searched() {
    at("http://h/i?old", "<isindex prompt='Find: '>")
        .says(0, "Find · search")
        .keys("Enter")
        .prompts("Find", "")
        .text("two words+")
        .keys("Enter")
        .expect_fetch("http://h/i?two+words%2B");
}

#[test]
fn a_file_that_answers_a_form_is_saved_without_sending_again() {
    let mut j = at("http://h/", "<form method=post action=/zip><input name=q></form>");
    j.app.desk.settings.downloads = "/d".into();
    let mut j = j.keys("Enter Enter").expect_fetch("http://h/zip").head("application/x-zoo").asks("no page");
    // as many are under way as may be
    for n in 0..20 {
        j = j.text("c").open(&format!("http://h/{n}.zip")).head("application/x-zoo").text("s").keys("Enter");
        j.effects.clear();
    }
    let j = j.open("http://h/").answer("text/html", b"<form method=post action=/zip><input name=q></form>");
    let mut j = j.keys("Enter Enter").expect_fetch("http://h/zip").head("application/x-zoo");
    j.effects.clear();
    j.text("s").keys("Enter").look(|j| {
        let saved = |effect: &Effect| matches!(effect, Effect::Save { .. });
        assert!(j.effects.iter().any(saved), "{:?}", j.effects);
    });
}

#[test]
fn an_answer_that_broke_off_as_a_file_sends_the_form_again_only_when_the_reader_says_so() {
    let j =
        at("http://h/", "<form method=post action=/make><input type=hidden name=n value=1><input type=submit></form>");
    let j = j.focus(0).keys("Enter").sends(URLENCODED, "n=1").head("application/octet-stream").text("s").keys("Enter");
    let j = j.transfer(Transfer::Cut("The server went away.".into()));
    let sent = j.fetches.len();
    let j = j.keys("D Enter").asks("send the form again").text("g");
    assert_eq!(j.fetches.len(), sent);
    let j = j.text("c").keys("D Enter").asks("to have it anew is to send the form again").text("a");
    assert!(
        matches!(j.effects.last(), Some(Effect::Download { request, .. }) if request.body.is_some()),
        "{:?}",
        j.effects
    );
}

#[test]
fn a_form_on_its_way_is_not_sent_twice() {
    let page = "<form method=post action=/p><input name=q value=1><input name=r><input type=submit></form>";
    let j = at("http://h/", page).keys("Down Down Down Enter").expect_fetch("http://h/p").sends(URLENCODED, "q=1&r=");
    let j = j.keys("Enter").notes("on its way already").quiet();
    // With other answers it is another one.
    let j = j.keys("Up Enter").text("x").keys("Enter Down Enter");
    let j = j.expect_cancel(1).expect_fetch("http://h/p").sends(URLENCODED, "q=1&r=x");
    // When it has been answered it may be sent again.
    j.answer("text/html", b"done").keys("Left Enter").expect_fetch("http://h/p").sends(URLENCODED, "q=1&r=x");
}

#[test]
fn quitting_asks_when_a_form_is_filled_in_and_was_not_sent() {
    let page = "<form method=post action=/p><input name=q><input name=r></form><form><input name=s></form>";
    at("http://h/", page).keys("q").expect(Effect::Quit);
    let filled = || at("http://h/", page).keys("Down Enter").text("words").keys("Enter");
    let j = filled()
        .keys("q")
        .quiet()
        .asks("A form is filled in and was not sent, or has no answer yet.")
        .text("n")
        .free()
        .quiet();
    j.keys("q x").expect(Effect::Quit);
    // Of another place, or of a tab behind, all the same.
    let j = filled().open("http://o/").answer("text/html", b"other").keys("q");
    j.asks("A form is filled in").text("x").expect(Effect::Quit);
    // What was sent is not asked about, nor what was taken back.
    let j = at("http://h/", page).keys("Down Down Down Enter").text("x").keys("Enter").expect_fetch("http://h/?s=x");
    j.answer("text/html", b"found").keys("q").expect(Effect::Quit);
    filled().keys("Enter C-u Enter q").expect(Effect::Quit);
}

#[test]
fn a_form_is_sent_when_a_server_has_answered_it() {
    let page = "<form method=post action=/p><input name=q><input name=r><input type=submit></form>";
    let filled = || at("http://h/", page).keys("Down Enter").text("words").keys("Enter Down Down Enter");
    let sent = || filled().expect_fetch("http://h/p");
    let asks = |j: Journey| drop(j.keys("q").asks("A form is filled in").text("n").free().quiet());
    // On its way, stopped, refused.
    asks(sent());
    asks(sent().keys("Esc").expect_cancel(1).notes("stopped"));
    asks(sent().fail(FetchError::new(Kind::Refused, "Nobody listens.")));
    asks(sent().fail(FetchError::new(Kind::Refused, "Nobody listens.")).keys("Left").shows("[words"));
    // The reader left it at the question.
    let secret = "<form action=/p><input type=password name=q><input type=submit></form>";
    asks(at("http://h/", secret).keys("Enter").text("words").keys("Enter").text("n").quiet());
    // Answered by a page, a file, a redirect.
    sent().answer("text/html", b"done").keys("q").expect(Effect::Quit);
    sent().head("application/x-zoo").asks("no page").keys("c q").expect(Effect::Quit);
    sent().moved("/done", Again::Get).expect_fetch("http://h/done").keys("q").expect(Effect::Quit);
}

#[test]
fn no_value_makes_a_search_of_the_boundary_of_a_form() {
    let values: String = (0..200_000).map(|number| format!("wayfarer-{number:08x} ")).collect();
    let form = format!(
        "<form method=post enctype=multipart/form-data action=/p><textarea name=t>{values}</textarea><input type=submit></form>"
    );
    let j = at("http://h/", &form).keys("Tab Enter").expect_fetch("http://h/p");
    let body = j.fetches.last().unwrap().1.body.clone().unwrap();
    let (_, boundary) = body.media.split_once("boundary=").unwrap();
    assert_eq!(memchr::memmem::find_iter(&body.octets, boundary.as_bytes()).count(), 2, "one at each end");
}
