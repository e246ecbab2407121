//! Forms of web pages: filled in where they stand, sent, kept.

use super::journey::{Journey, head};
use wayfarer::app::{Effect, NoteKind, Overlay, PromptKind, describe_field};
use wayfarer::doc::LinkId;
use wayfarer::proto::{Again, Content, FetchEvent, Head, Moved, Verdict};

/// Arrived at a page with this body.
pub(super) fn at(page: &str, body: &str) -> Journey {
    Journey::new().open(page).answer("text/html", format!("<title>t</title>{body}").as_bytes()).quiet()
}

pub(super) trait Forms {
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
        self.event(FetchEvent::Moved(Box::new(Moved {
            from,
            to: to.into(),
            status: status.into(),
            again,
            unkept: false,
        })))
    }

    #[track_caller]
    fn says(self, link: u32, words: &str) -> Journey {
        assert_eq!(describe_field(self.app.sight(), LinkId(link)).as_deref(), Some(words));
        self
    }
}

pub(super) const URLENCODED: &str = "application/x-www-form-urlencoded";

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
fn tab_goes_on_from_the_only_line_of_a_form_and_sends_nothing() {
    let page = b"<form method=post action=http://h/delete><input name=q> <textarea name=t>x</textarea>\
                 <input type=submit value=Delete></form>";
    let j = Journey::new().open("http://h/").answer("text/html", page).keys("Enter").text("secret").keys("Tab");
    let j = j.quiet().shows("[secret").keys("Up Enter").text("!").keys("Tab").quiet().shows("[secret!");
    let index =
        Journey::new().open("http://h/").answer("text/html", b"<isindex>").keys("Enter").text("words").keys("Tab");
    index.quiet();
    // Enter there sends, as everywhere.
    j.keys("Up Enter Enter").expect_fetch("http://h/delete");
}

/// What had been typed into a line was gone.
#[test]
fn escape_leaves_a_field_with_what_was_typed_and_sends_nothing() {
    at("http://h/", ALL)
        .keys("Enter")
        .text(" L")
        .keys("Esc")
        .free()
        .quiet()
        .shows("[Ada L__")
        .keys("Enter Esc")
        .quiet()
        .shows("[Ada L__")
        .keys("Enter")
        .text("ovelace")
        .keys("Esc")
        .notes("only 8 characters fit in here")
        .shows("[Ada Love__")
        .keys("Down Enter")
        .text("sesam")
        .keys("Esc")
        .free()
        .shows("[*****____")
        .keys("Up")
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
