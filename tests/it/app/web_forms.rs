//! Forms of web pages: filled in where they stand, sent, kept.

use super::journey::{Journey, head};
use wayfarer::app::{Effect, NoteKind, Overlay, PromptKind, Transfer, describe_field};
use wayfarer::doc::LinkId;
use wayfarer::format::media;
use wayfarer::proto::{Again, Content, FetchError, FetchEvent, Head, Kind, Moved, Verdict};

/// Arrived at a page with this body.
fn at(page: &str, body: &str) -> Journey {
    Journey::new().open(page).answer("text/html", format!("<title>t</title>{body}").as_bytes()).quiet()
}

trait Forms {
    /// The body of the last fetch.
    fn sends(self, media: &str, body: &str) -> Self;
    fn moved(self, to: &str, again: Again) -> Self;
    fn says(self, link: u32, words: &str) -> Self;
}

impl Forms for Journey {
    #[track_caller]
    fn sends(self, media: &str, body: &str) -> Journey {
        let sent = self
            .fetches
            .last()
            .unwrap()
            .1
            .body
            .as_ref()
            .map(|Content { media, octets }| (media.clone(), String::from_utf8_lossy(octets).into_owned()));
        assert_eq!(sent, Some((media.to_owned(), body.to_owned())));
        self
    }

    fn moved(self, to: &str, again: Again) -> Journey {
        let from = self.fetches.last().unwrap().1.url.without_fragment();
        let status = if again == Again::Same { "307 Temporary Redirect" } else { "303 See Other" };
        self.event(FetchEvent::Moved(Box::new(Moved { from, to: to.into(), status: status.into(), again })))
    }

    #[track_caller]
    fn says(self, link: u32, words: &str) -> Journey {
        assert_eq!(describe_field(self.app.sight(), LinkId(link)).as_deref(), Some(words));
        self
    }
}

const URLENCODED: &str = "application/x-www-form-urlencoded";

const ALL: &str = "<form action=/go>
<p>Name: <input name=n value=Ada maxlength=8>
<p><input type=password name=p>
<p><input type=checkbox name=c value=1> one <input type=checkbox name=c value=2 checked> two
<p><input type=radio name=r value=a checked>left <input type=radio name=r value=b>right
<p><select name=s><optgroup label=G><option value=1>One<option selected>Two</optgroup><option disabled>No</select>
<p><select name=m multiple><option>x<option>y</select>
<p><textarea name=t>first
second</textarea>
<p><input type=hidden name=h value=v><input type=submit name=go value=Go><input type=reset></form>";

#[test]
fn fields_show_what_is_filled_in_and_keep_it_while_the_reader_is_away() {
    at("http://h/a/", ALL)
        .focus(0)
        .keys("Enter")
        .prompts("Name", "Ada")
        .keys("C-u")
        .text("Bea & co")
        .keys("Enter")
        .quiet()
        .shows("Name: [Bea & co____________]")
        .focus(0)
        .keys("Down Enter")
        .look(|j| assert_eq!(j.app.hands.prompt().unwrap().kind, PromptKind::Password))
        .text("sesam")
        .keys("Enter")
        .shows("[*****_______________]")
        .keys("Down Enter Down Enter")
        .shows("[x] one [ ] two")
        .keys("Down Down Enter")
        .shows("( ) left (*) right")
        .keys("Down Enter")
        .look(|j| match j.app.hands.overlays().last() {
            Some(Overlay::List { items, selected, .. }) => {
                let rows: Vec<_> = items.iter().map(|i| (i.text, i.detail)).collect();
                let rows: Vec<_> = rows.iter().map(|(text, detail)| (text.as_str(), detail.as_str())).collect();
                assert_eq!(rows, [("( ) One", "G"), ("(*) Two", "G"), ("( ) No", "cannot be chosen")]);
                assert_eq!(*selected, 1);
            }
            other => panic!("{other:?}"),
        })
        .keys("Down Enter")
        .notes("cannot be chosen")
        .keys("Up Up Enter")
        .free()
        .shows("[ One ▾]")
        .keys("Down Enter Enter Down Enter Esc")
        .free()
        .shows("[ x, y ▾]")
        .keys("Down Enter")
        .keys("Down Home")
        .text("the ")
        .keys("Tab Enter")
        .free()
        .shows("[first (+1)______")
        .keys("Down Enter")
        // the password would stand in the address
        .asks("servers write into their logs")
        .asks("http://h/go?n=Bea+%26+co&p=***&c=1&r=b&s=1&m=x&m=y&t=first%0D%0Athe+second&h=v&go=Go")
        .text("y")
        .expect_fetch("http://h/go?n=Bea+%26+co&p=sesam&c=1&r=b&s=1&m=x&m=y&t=first%0D%0Athe+second&h=v&go=Go")
        .answer("text/html", b"<p>thanks")
        .at_url("http://h/go?n=Bea+%26+co&p=***&c=1&r=b&s=1&m=x&m=y&t=first%0D%0Athe+second&h=v&go=Go")
        .look(|j| assert!(!format!("{:?}", j.app.entry().unwrap().page).contains("sesam")))
        // again only after a question, and then as it was
        .keys("R")
        .asks("sent again")
        .text("y")
        .expect_fetch("http://h/go?n=Bea+%26+co&p=sesam&c=1&r=b&s=1&m=x&m=y&t=first%0D%0Athe+second&h=v&go=Go")
        .keys("Esc Left")
        .at_url("http://h/a/")
        .shows("Name: [Bea & co____________]")
        .shows("[x] one [ ] two")
        // reset
        .keys("Tab Enter")
        .notes("as the page wrote it")
        .shows("Name: [Ada_________________]")
        .shows("[____________________]")
        .shows("[ ] one [x] two")
        .shows("(*) left ( ) right")
        .shows("[ Two ▾]");
}

#[test]
fn what_was_filled_in_outlives_the_page_and_a_reload() {
    let page = b"<form><input name=a value=1> <input type=checkbox name=b> <p id=x>x</form><a href=http://o/>o</a>";
    let j = Journey::new().open("http://h/").answer("text/html", page).keys("Enter C-u").text("zwei").keys("Enter");
    // implicit submission: the only line of its form
    let j = j.expect_fetch("http://h/?a=zwei").keys("Esc").shows("[zwei");
    let mut j = j.keys("Down Enter").shows("[x]").keys("R").expect_fetch("http://h/").answer("text/html", page);
    j = j.shows("[zwei").shows("[x]").open("http://o/").answer("text/html", b"o");
    // memory was needed elsewhere
    j.app.tab.history[0].page = None;
    let j = j.keys("Left").expect_fetch("http://h/").answer("text/html", page).shows("[zwei").shows("[x]");
    // a step within the page takes the values along, and back
    let j = j.open("http://h/#x").at_url("http://h/#x").shows("[zwei").keys("Left").at_url("http://h/");
    // another page under the same address has other fields
    j.keys("R").answer("text/html", b"<form><input name=other value=own></form>").shows("[own");
}

#[test]
fn escape_leaves_a_field_as_it_was() {
    at("http://h/", ALL)
        .keys("Enter C-u")
        .text("x")
        .keys("Esc")
        .free()
        .quiet()
        .shows("[Ada____")
        .keys("Tab Tab Tab Tab Tab Tab Tab Tab Enter")
        .text("lost")
        .keys("Esc")
        .asks("without keeping what you typed")
        .keys("n Esc")
        .asks("without keeping what you typed")
        .keys("y")
        .free()
        .notes("stays as it was")
        .shows("[first (+1)");
}

#[test]
fn more_than_fits_is_not_taken() {
    at("http://h/", ALL)
        .keys("Enter C-u")
        .text("123456789")
        .look(|j| assert_eq!(j.app.hands.prompt().unwrap().remark, "9 of 8"))
        .keys("Enter")
        .notes("at most 8 characters")
        .keys("Backspace Enter")
        .free()
        .shows("[12345678____________]");
}

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
fn files_are_read_only_after_a_yes() {
    let form = "<form method=post enctype=multipart/form-data action=https://o/up>
        <input type=file name=f><input type=submit></form>";
    let j = at("http://h/", form).keys("Enter").text("~/a/letter.txt").keys("Enter").shows("[ letter.txt ]").quiet();
    let j = j.keys("Down Enter").quiet().asks("send the content to o?").asks("~/a/letter.txt").text("n").free().quiet();
    let j = j.keys("Enter").text("y").expect_read("~/a/letter.txt").quiet();
    let j = j.read(Ok(b"wayfarer-00000000".to_vec())).expect_fetch("https://o/up");
    // the boundary occurs in no value
    let b = "wayfarer-e03af3f2954e357fe5cb8d4b00d196e4";
    let j = j.sends(
        &format!("multipart/form-data; boundary={b}"),
        &format!(
            "--{b}\r\nContent-Disposition: form-data; name=\"f\"; filename=\"letter.txt\"\r\n\
             Content-Type: text/plain\r\n\r\nwayfarer-00000000\r\n--{b}--\r\n"
        ),
    );
    // one that cannot be read ends it
    let j = j.answer("text/html", b"ok").keys("Left Enter").text("y").read(Err("gone.".into()));
    j.notes("Nothing was sent. gone.");
}

#[test]
fn lines_are_written_in_the_readers_editor() {
    let mut j = at("http://h/", "<form><textarea name=t>one\ntwo</textarea></form>");
    // It survives the program, where drafts do.
    j.choose(|choices| (choices.editor, choices.drafts) = (vec!["ed".into(), "-x".into()], "/s".into()));
    let j = j.keys("e");
    let Some(Effect::Write { path, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    let path = path.clone();
    assert!(path.starts_with("/s/field-"), "{path}");
    j.expect_write(&path, b"one\ntwo", false)
        .quiet()
        .wrote(Ok(path.clone()))
        .expect_run(&["ed", "-x", &path])
        .ran(Ok(()))
        .expect(Effect::Redraw)
        .expect_read(&path)
        .read(Ok(b"three\n".to_vec()))
        .expect(Effect::Redraw)
        .expect_remove(&path)
        .quiet()
        .shows("[three_")
        .keys("e");
}

#[test]
fn an_editor_that_fails_costs_no_text() {
    let mut j = at("http://h/", "<form><textarea name=t>one</textarea></form>");
    j.choose(|choices| (choices.editor, choices.drafts) = (vec!["ed".into()], "/s".into()));
    let j = j.keys("e").wrote(Ok("/s/field".into())).ran(Err("ed ended with signal: 15.".into()));
    let j = j.notes("What you wrote is in /s/field.");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Remove { .. })), "{:?}", j.effects);
}

#[test]
fn tab_leaves_a_field_with_what_was_typed_and_fills_in_the_next() {
    let page = "<form>Name <input name=n> Password <input type=password name=p> <input type=submit></form>";
    let j = at("http://h/", page).keys("Enter").text("ann").keys("Tab");
    let prompt = j.app.hands.prompt().expect("the next field");
    assert_eq!((prompt.kind, prompt.input.value()), (wayfarer::app::PromptKind::Password, ""));
    let j = j.text("pw").keys("Tab").free();
    assert_eq!(j.app.entry().unwrap().focus.map(|link| link.0), Some(2), "what sends has the focus");
    j.keys("Enter").text("y").expect_fetch("http://h/?n=ann&p=pw");
}

#[test]
fn a_login_belongs_to_one_origin() {
    let denied = || FetchError::new(Kind::NeedsLogin, "h asks for user and password for \"R\".").hint("Clear text.");
    let j = Journey::new().open("http://h/a").fail(denied()).look(|j| match j.app.hands.overlays().last() {
        Some(Overlay::Form(state)) => {
            assert_eq!(state.title, "Log in to http://h");
            let labels: Vec<_> = state.fields.iter().map(|field| field.label.as_str()).collect();
            let said = "h asks for user and password for \"R\".";
            assert_eq!(labels, [said, "Clear text.", "User", "Password"]);
        }
        other => panic!("{other:?}"),
    });
    let login = |j: &Journey| j.fetches.last().unwrap().1.login.clone();
    let mut j = j.text("ada").keys("Enter").text("pw").keys("Enter");
    assert_eq!(login(&j).map(|login| (login.user, login.password)), Some((b"ada".to_vec(), b"pw".to_vec())));
    for other in ["http://o/", "https://h/", "http://h:8080/"] {
        j = j.moved(other, Again::Get).expect_fetch(other);
        assert_eq!(login(&j), None, "{other}");
    }
    let j = j.moved("http://h/b", Again::Get);
    assert!(login(&j).is_some());
}

#[test]
fn an_error_page_of_the_web_tells_its_status_and_its_redirects() {
    let status = Some("404 Not Found".to_owned());
    let j = Journey::new().open("http://h/").moved("/1", Again::Get).moved("/2", Again::Get);
    let j = j.event(FetchEvent::Head(Box::new(Head { status, ..head("http://h/2", media::PLAIN) })));
    let j = j.expect_verdict(Verdict::Accept).body(b"gone").end().keys("=");
    assert!(j.over().contains("retrieval  http://h/2 (2 redirects)  ◀ in force"), "{}", j.over());
    let came = "came by      http://h/ said 303 See Other\n             http://h/1 said 303 See Other\n";
    assert!(j.over().contains(came), "{}", j.over());
}

#[test]
fn a_wrong_value_is_said_and_not_sent() {
    let form = |field: &str| {
        at("http://h/", &format!("<form action=/s><p>Told: <input name=v {field}></p><button>Go</button></form>"))
    };
    let refused = |field: &str, why: &str| {
        form(field).focus(0).keys("Down Enter").quiet().notes(&format!("not sent: Told {why}")).focus(0);
    };
    refused("type=email value=ada", "\"ada\" is no mail address (name@host)");
    refused("type=email multiple value='a@b, c'", "\"c\" is no mail address (name@host)");
    refused("type=url value=home.example", "\"home.example\" is no URL (https://…)");
    refused("type=number value=12x", "\"12x\" is no number");
    refused("type=number value=7 min=1 max=6", "must be from 1 to 6");
    refused("type=date value=2026-11-20 min=2026-11-21", "must be 2026-11-21 or more");
    refused("value=abc minlength=5", "has 3 characters, at least 5 are wanted");
    refused("required type=email", "must be filled in");
    form("type=number value=-1e3 max=0").keys("Down Enter").expect_fetch("http://h/s?v=-1e3");
    form("type=email multiple value='a@b, c@d'").keys("Down Enter").expect_fetch("http://h/s?v=a%40b%2C+c%40d");
    form("type=email").keys("Down Enter").expect_fetch("http://h/s?v=");
}

#[test]
fn a_page_may_send_its_form_unchecked() {
    let form = "<form action=/s novalidate><input name=v type=email value=x required><button>Go</button></form>";
    at("http://h/", form).keys("Down Enter").expect_fetch("http://h/s?v=x");
    let form = "<form action=/s><input name=v type=email value=x><button>Go</button><button formnovalidate>Draft</button></form>";
    at("http://h/", form).focus(0).keys("Down Enter").quiet().keys("Down Down Enter").expect_fetch("http://h/s?v=x");
}

#[test]
fn names_of_files_are_completed() {
    let form = "<form method=post enctype=multipart/form-data><input type=file name=f>";
    let names = |text: &str| Ok(text.as_bytes().to_vec());
    let typed = |j: &Journey| j.app.hands.prompt().unwrap().input.value().to_owned();
    let j = at("http://h/", form).keys("Enter").text("~/do").keys("Tab").expect_read("~/");
    let j = j.read(names("docs/\ndownloads/\nabc.txt\n.dot\n"));
    assert_eq!((typed(&j).as_str(), j.offered()), ("~/do", vec!["~/docs/", "~/downloads/"]));
    // a folder that was taken is looked into
    let j = j.keys("Tab").quiet().keys("Tab").expect_read("~/docs/").read(names("a letter.txt\n"));
    assert_eq!(typed(&j), "~/docs/a letter.txt");
    let j = j.keys("C-u").text("x").keys("Tab").expect_read("./").read(names("x1a\nx1b\n"));
    assert_eq!(typed(&j), "x1");
    let j = j.text("/").keys("Enter").notes("this is a folder; a form sends files");
    // what comes too late changes nothing
    let j = j.keys("C-u").text("q/").keys("Tab").expect_read("q/").keys("C-u").text("w").read(names("late\n"));
    assert_eq!(typed(&j), "w");
}

#[test]
fn a_field_suggests_what_the_page_suggests() {
    let form = "<form><input name=v list=l><input name=w><datalist id=l><option value='gopher clients'><option>Usenet</datalist></form>";
    let j = at("http://h/", form).keys("Enter");
    assert_eq!(j.offered(), ["gopher clients", "Usenet"]);
    let j = j.text("use");
    assert_eq!(j.offered(), ["Usenet"]);
    j.keys("Tab Enter").shows("[Usenet______________]").keys("Down Enter").look(|j| assert!(j.offered().is_empty()));
}

#[test]
fn the_anatomy_of_a_button_is_what_it_would_send() {
    let form = "<base href=http://b/x/><form method=post action=../up><input name=u value=a><input type=password name=p
        value=geheim><button name=go value=1 formaction=other formenctype=multipart/form-data>Go</button></form>";
    let j = at("http://h/", form).keys("Down Down =");
    let said = j.over();
    for line in [
        "method       POST",
        "as           multipart/form-data",
        "action       other",
        "resolved     http://b/x/other",
        "base         document",
        "would send   POST /x/other HTTP/1.1 to b:80",
    ] {
        assert!(said.contains(line), "{line} is not in {said}");
    }
    assert!(said.contains("name=\"p\"") && said.contains("***") && !said.contains("geheim"), "{said}");
}

#[test]
fn hostile_forms() {
    // ten thousand fields
    let many: String = (0..10_000).map(|n| format!("<input type=checkbox name=c{n}>box {n}<br>")).collect();
    at("http://h/", &format!("<form action=/x method=post>{many}<input type=submit></form>"))
        .keys("Enter Down Enter O Esc End Enter")
        .expect_fetch("http://h/x")
        .sends(URLENCODED, "c0=on&c1=on");
    // a group of ten thousand that must be chosen from, whose last one is on
    let many = "<input type=radio name=r required value=0>".repeat(10_000);
    at(
        "http://h/",
        &format!("<form action=/x><button>Go</button>{many}<input type=radio name=r checked value=1></form>"),
    )
    .keys("Enter")
    .expect_fetch("http://h/x?r=1");
    // nested forms are one
    at("http://h/", "<form action=/a><form action=/b><input name=q></form><input name=r></form>")
        .keys("Enter Enter")
        .expect_fetch("http://h/a?q=");
    // names and values that would break out of their lines
    let crlf =
        "<form method=post enctype=multipart/form-data action=/x><input name='a\"&#13;&#10;X: y' value=v></form>";
    let j = at("http://h/", crlf).keys("Enter Enter").expect_fetch("http://h/x");
    let body = String::from_utf8(j.fetches.last().unwrap().1.body.clone().unwrap().octets).unwrap();
    assert!(body.contains("name=\"a%22%0D%0AX: y\""), "{body}");
    // a hidden megabyte, and controls in what is shown
    let mega = "m".repeat(1 << 20);
    let form = format!(
        "<form method=post action=/x><input type=hidden name=h value={mega}><input name=q value='\u{1b}[2J&#155;'></form>"
    );
    let j = at("http://h/", &form).keys("Enter");
    assert!(!j.app.hands.prompt().unwrap().input.value().contains(['\u{1b}', '\u{9b}']));
    let j = j.keys("Enter").expect_fetch("http://h/x");
    let body = String::from_utf8(j.fetches.last().unwrap().1.body.clone().unwrap().octets).unwrap();
    assert!(body.ends_with("mm&q=%1B%5B2J%E2%80%BA") && body.len() > mega.len(), "{}", &body[mega.len()..]);
}

#[test]
fn a_field_is_no_link() {
    let j = at("http://h/", ALL).keys("Y").notes("this is a field of a form").quiet();
    assert_eq!(j.app.hands.note.as_ref().unwrap().kind, NoteKind::Error);
    let j = j.keys("O");
    let Some(Overlay::List { items, .. }) = j.app.hands.overlays().last() else { panic!() };
    let rows: Vec<_> = items.iter().map(|item| item.detail).collect();
    assert_eq!(rows, ["Name", "p", "one", "two", "left", "right", "s", "m", "t", "Go", "Reset"]);
}

#[test]
fn a_form_speaks_the_charset_of_its_page() {
    let page = "<meta charset=windows-1252><form><input name=q></form>";
    at("http://h/", page).keys("Enter").text("é").keys("Enter").expect_fetch("http://h/?q=%E9");
    let other = "<form accept-charset=iso-8859-2><input name=q></form>";
    at("http://h/", other).keys("Enter").text("ő").keys("Enter").expect_fetch("http://h/?q=%F5");
    at("http://h/", "<form><input name=q></form>")
        .keys("Enter")
        .text("ő")
        .keys("Enter")
        .expect_fetch("http://h/?q=%C5%91");
}

#[test]
fn a_page_that_would_go_on_by_itself_has_a_link_instead() {
    let notices = vec![format!("{}5; url=/next", wayfarer::format::html::GOES_ON)];
    let j = Journey::new().open("http://h/a/");
    let j = j.event(FetchEvent::Head(Box::new(Head { notices, ..head("http://h/a/", "text/html") })));
    let j = j.expect_verdict(Verdict::Accept).body(b"<p>wait").end().shows("Goes on after 5 s");
    j.expect_fetch("http://h/a/").quiet().keys("Enter").expect_fetch("http://h/next");
}

#[test]
fn a_file_that_answers_a_form_is_saved_without_sending_again() {
    let mut j = at("http://h/", "<form method=post action=/zip><input name=q></form>");
    j.app.desk.settings.downloads = "/d".into();
    let mut j = j.keys("Enter Enter").expect_fetch("http://h/zip").head("application/zip").asks("no page");
    // as many are under way as may be
    for n in 0..20 {
        j = j.text("c").open(&format!("http://h/{n}.zip")).head("application/zip").text("s").keys("Enter");
        j.effects.clear();
    }
    let j = j.open("http://h/").answer("text/html", b"<form method=post action=/zip><input name=q></form>");
    let mut j = j.keys("Enter Enter").expect_fetch("http://h/zip").head("application/zip");
    j.effects.clear();
    j.text("s").keys("Enter").look(|j| {
        let saved = |effect: &Effect| matches!(effect, Effect::Save { .. });
        assert!(j.effects.iter().any(saved), "{:?}", j.effects);
    });
}

#[test]
fn a_password_in_an_address_is_on_no_error_page() {
    let j = at("http://h/", "<form action=/x><input type=password name=p></form>").keys("Enter").text("geheim");
    let j = j.keys("Enter").text("y").expect_fetch("http://h/x?p=geheim");
    let j = j.fail(FetchError::new(Kind::TimedOut, "h is silent.").tried("h port 80: GET /x?p=geheim HTTP/1.1"));
    let j = j.shows("p=***").keys("=");
    assert!(!j.over().contains("geheim"), "{}", j.over());
    assert!(!j.keys("Esc").page().contains("geheim"));
}

#[test]
fn fields_of_a_page_with_folds_show_what_is_filled_in() {
    let body =
        "<details><summary>More</summary><p>hidden away</details><p><input name=a><p id=x>after <a href=/b>b</a>";
    let j = at("http://h/", body).keys("Down Enter").text("seen").keys("Enter").shows("[seen____");
    // open the fold, close it: the value stays, the link behind it is still that link
    let j = j.keys("Up Enter").shows("hidden away").shows("[seen____").keys("Enter").shows("[seen____");
    let j = j.keys("Down Enter C-u").text("a much longer value than before").keys("Enter");
    j.shows("[er value than before]").keys("Down Enter").expect_fetch("http://h/b");
}

#[test]
fn a_search_in_the_page_goes_on_with_what_was_filled_in() {
    let body = "<p>one word<p><input name=a> <input name=b><p>word";
    let j = at("http://h/", body).keys("/").text("word").keys("Enter").look(|j| assert_eq!(j.count(), "1 of 2"));
    let j = j.keys("Enter").text("word").keys("Enter").keys("n");
    j.look(|j| assert_eq!(j.app.tab.matches.as_ref().unwrap().starts.len(), 3));
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
fn a_password_that_a_redirect_repeats_stays_hidden() {
    let page = "<form action=/go><input name=u value='a b'><input type=password name=p><input type=submit></form>";
    let sent = || {
        let j = at("http://h/", page).keys("Down Enter").text("hunter 2").keys("Enter Down Enter").text("y");
        j.expect_fetch("http://h/go?u=a+b&p=hunter+2")
    };
    for (to, shown) in [
        ("/go/?u=a+b&p=hunter+2", "http://h/go/?u=a+b&p=***"),
        ("/in?x=1&p=hunter%202#top", "http://h/in?x=1&p=***#top"),
        ("/in?x=1", "http://h/in?x=1"),
    ] {
        let j = sent().moved(to, Again::Get).expect_fetch(&format!("http://h{to}"));
        let mut j = j.answer("text/html", b"in").at_url(shown);
        let kept = format!("{:?} {:?}", j.effects, j.app.session());
        assert!(!kept.contains("hunter"), "{kept}");
        j.effects.clear();
    }
    let j = sent().moved("gopher://o/1/?p=hunter+2", Again::Get).asks("p=***");
    assert!(!format!("{:?}", j.app.hands.top()).contains("text: [\"hunter"));
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
    j.keys("q y").expect(Effect::Quit);
    // Of another place, or of a tab behind, all the same.
    let j = filled().open("http://o/").answer("text/html", b"other").keys("q");
    j.asks("A form is filled in").text("y").expect(Effect::Quit);
    // What was sent is not asked about, nor what was taken back.
    let j = at("http://h/", page).keys("Down Down Down Enter").text("x").keys("Enter").expect_fetch("http://h/?s=x");
    j.answer("text/html", b"found").keys("q").expect(Effect::Quit);
    filled().keys("Enter C-u Enter q").expect(Effect::Quit);
}

#[test]
fn a_login_given_in_a_private_tab_is_that_tabs_alone() {
    let wants = || FetchError::new(Kind::NeedsLogin, "h asks for a password.");
    let j =
        Journey::new().open("http://o/").answer("text/html", b"other").run("private").text("http://h/").keys("Enter");
    let j = j.expect_fetch("http://h/").fail(wants()).text("joe").keys("Tab").text("hunter2").keys("Enter");
    let j = j.expect_fetch("http://h/");
    assert!(j.fetches.last().unwrap().1.login.is_some());
    let j = j.answer("text/html", b"in").keys("R").expect_fetch("http://h/");
    assert!(j.fetches.last().unwrap().1.login.is_some());
    // A tab that is not private asks for its own.
    let j = j.keys("{").at_url("http://o/").open("http://h/").expect_fetch("http://h/");
    assert_eq!(j.fetches.last().unwrap().1.login, None);
    // With the last private tab it is forgotten.
    let j = j.keys("} C-w x").run("private").text("http://h/").keys("Enter").expect_fetch("http://h/");
    assert_eq!(j.fetches.last().unwrap().1.login, None);
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
    sent().head("application/zip").asks("no page").keys("c q").expect(Effect::Quit);
    sent().moved("/done", Again::Get).expect_fetch("http://h/done").keys("q").expect(Effect::Quit);
}

#[test]
fn a_password_that_a_server_says_again_stays_hidden_however_it_is_written() {
    let page = |method: &str| {
        let form = "action=/go><input name=u value=joe><input type=password name=p><input type=submit></form>";
        format!("<form method={method} {form}")
    };
    for (to, shown) in [
        ("/in?u=joe&p=p%C3%A4ss+w%26x", "http://h/in?u=joe&p=***"),
        ("/in?u=joe;p=p%c3%a4ss%20w%26x;z", "http://h/in?u=joe;p=***;z"),
        ("/in?next=%2Fx%3Fp%3Dp%25C3%25A4ss%2Bw%2526x%26y", "http://h/in?next=%2Fx%3Fp%3D***%26y"),
        ("/in/p%C3%A4ss%20w&x/end", "http://h/in/***/end"),
        ("/in?u=joe", "http://h/in?u=joe"),
    ] {
        for method in ["post", "get"] {
            let j = at("http://h/", &page(method)).keys("Tab Enter").text("päss w&x").keys("Enter Tab Enter");
            let j = if method == "get" { j.text("y") } else { j };
            let j = j.moved(to, Again::Get).expect_fetch(&format!("http://h{to}"));
            let j = j.answer("text/html", b"in").at_url(shown);
            let kept = format!("{:?} {:?}", j.app.session(), j.app.library.visits.newest().collect::<Vec<_>>());
            assert!(!kept.contains("ss") || !kept.contains("w%26x"), "{kept}");
        }
    }
    let sent = || {
        let j = at("http://h/", &page("post")).keys("Tab Enter").text("hunter2").keys("Enter Tab Enter");
        j.expect_fetch("http://h/go")
    };
    sent().moved("gopher://o/7/x%09p=hunter2", Again::Get).asks("gopher://o/7/x%09p=***");
    sent().moved("file:///tmp/x?p=hunter2", Again::Get).shows("file:///tmp/x?p=***");
    // What is short stands in most addresses by chance.
    let j = at("http://h/", &page("post")).keys("Tab Enter").text("h").keys("Enter Tab Enter");
    j.moved("/hh?p=h&q=hh", Again::Get).answer("text/html", b"in").at_url("http://h/hh?p=***&q=hh");
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

#[test]
fn a_password_in_an_address_is_on_no_page_that_a_redirect_leads_to() {
    let j = at("http://h/", "<form action=/x><input type=password name=p></form>").keys("Enter").text("geheim");
    let j = j.keys("Enter").text("y").expect_fetch("http://h/x?p=geheim");
    let (from, status) = (j.fetches.last().unwrap().1.url.clone(), "302 Found".into());
    let j = j.event(FetchEvent::Moved(Box::new(Moved { from, to: "/y".into(), status, again: Again::Get })));
    let j = j.expect_fetch("http://h/y").answer("text/html", b"in").keys("=");
    assert!(j.over().contains("p=*** said 302 Found") && !j.over().contains("geheim"), "{}", j.over());
}
