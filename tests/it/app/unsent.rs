//! Forms that were filled in and not sent: what is kept of them for the next run, and what is put back.

use super::journey::{Journey, head};
use super::session::again;
use super::web_forms::{Forms, at};
use wayfarer::app::{Effect, FieldValue, Kept, KeptField, KeptValue, Msg, Overlay, Session};
use wayfarer::format::media;
use wayfarer::proto::{FetchEvent, Head};

const PAGE: &str = "<form action=/go method=post>
<p>Name: <input name=n value=Ada> <input type=password name=p>
<p><input type=checkbox name=c value=1>one <input type=checkbox name=c value=2 checked>two
<p><input type=radio name=r value=a checked>left <input type=radio name=r value=b>right
<p><select name=s><option value=1>One<option value=2 selected>Two</select>
<p><textarea name=t>first</textarea>
<p><input type=hidden name=h value=v><input type=submit></form>";

/// The page with something in every field; the focus is on the button.
fn filled() -> Journey {
    let j = at("http://h/f", PAGE).keys("Enter C-u").text("Bea").keys("Enter Down Enter").text("sesam").keys("Enter");
    let j = j.keys("Down Enter Down Enter").keys("Down Down Enter").keys("Down Enter Up Enter").keys("Down Enter Home");
    j.text("the ").keys("Tab Enter Down").free()
}

fn fields(j: &Journey) -> Vec<KeptField> {
    j.app.session().tabs.into_iter().flat_map(|tab| tab.places).flat_map(|place| place.fields).collect()
}

fn texts(j: &Journey) -> Vec<String> {
    let text = |field: KeptField| match field.value {
        KeptValue::Text(text) => text,
        KeptValue::On(on) => on.to_string(),
        KeptValue::Chosen(chosen) => chosen.join(","),
    };
    fields(j).into_iter().map(text).collect()
}

#[test]
fn a_form_that_was_not_sent_is_there_again_without_its_password() {
    let before = filled();
    assert_eq!(texts(&before), ["Bea", "true", "false", "false", "true", "1", "the first"]);
    assert_eq!(format!("{:?}", before.app.session()).matches("Bea").count(), 0, "values are not for logs");
    let j = again(before.app.session());
    // Before the page has come it is still kept.
    assert_eq!(fields(&j), fields(&before));
    let j =
        j.answer("text/html", PAGE.as_bytes()).shows("Name: [Bea").shows("[x] one [ ] two").shows("( ) left (*) right");
    let j = j.shows("[ One ▾]").shows("[the first").shows("[____________________]");
    assert_eq!(fields(&j), fields(&before));
    let j = j.keys("q").asks("A form is filled in and was not sent").keys("n").keys("End Enter");
    let j = j.expect_fetch("http://h/go");
    j.sends("application/x-www-form-urlencoded", "n=Bea&p=&c=1&r=b&s=1&t=the+first&h=v");
}

#[test]
fn what_a_page_says_now_stands_where_the_reader_changed_nothing() {
    let session = at("http://h/f", PAGE).keys("Enter C-u").text("Bea").keys("Enter").app.session();
    let now = PAGE.replace(">first<", ">another<").replace("value=2 selected", "value=2").replace("value=v", "value=w");
    let j = again(session).answer("text/html", now.as_bytes()).shows("[Bea").shows("[another").shows("[ One ▾]");
    j.keys("End Enter")
        .expect_fetch("http://h/go")
        .sends("application/x-www-form-urlencoded", "n=Bea&p=&c=2&r=a&s=1&t=another&h=w");
}

#[test]
fn a_field_is_known_by_its_form_its_name_and_its_kind() {
    let page = |fields: &str| format!("<form>{fields}<textarea name=z></textarea></form>");
    let session = |first: &str| {
        let j = at("http://h/f", &page(first)).keys("Enter");
        let j = if first.contains("select") { j.keys("Down Enter") } else { j.text("Bea").keys("Enter") };
        j.app.session()
    };
    let line = "<input name=n><input name=o>";
    // It may have moved within its form.
    let j = again(session(line)).answer("text/html", page(&format!("<input type=hidden name=x>{line}")).as_bytes());
    j.shows("[Bea").look(|j| assert!(!format!("{:?}", j.app.hands.note).contains("Error")));
    for other in [
        "<input name=m>",
        "<input name=n type=password>",
        "<input name=n type=hidden value=v>",
        "<input name=n disabled>",
        "<input name=n readonly>",
        "<textarea name=n></textarea>",
        "</form><form><input name=n>",
    ] {
        let j = again(session(line)).answer("text/html", page(other).as_bytes()).notes("has no field on this page");
        assert!(!j.page().contains("Bea") && !j.page().contains("***"), "{other}: {}", j.page());
        assert_eq!(fields(&j), [], "{other}");
    }
    // What was chosen is known by what is sent for it.
    let some = |options: &str| format!("<select name=n>{options}</select>");
    let chosen = session(&some("<option>a<option>b<option>c"));
    let j = again(chosen.clone()).answer("text/html", page(&some("<option>x<option>c<option>b")).as_bytes());
    j.shows("[ b ▾]");
    let j = again(chosen).answer("text/html", page(&some("<option>x<option>y")).as_bytes());
    j.shows("[ x ▾]").notes("has no field");
}

#[test]
fn of_a_group_one_is_on_whatever_the_page_says_now() {
    let now = PAGE
        .replace("value=a checked", "value=a")
        .replace("value=b>right", "value=b>right <input type=radio name=r value=c checked>");
    let j = again(filled().app.session()).answer("text/html", now.as_bytes()).shows("( ) left (*) right ( )");
    j.keys("End Enter").sends("application/x-www-form-urlencoded", "n=Bea&p=&c=1&r=b&s=1&t=the+first&h=v");
}

#[test]
fn what_the_page_does_not_want_to_be_kept_is_not() {
    for field in [
        "<input name=n autocomplete=off>",
        "<input name=n autocomplete='section-a cc-number'>",
        "<input name=n autocomplete=One-Time-Code>",
        "<input name=n autocomplete=new-password>",
        "<input name=n type=password>",
        "</form><form autocomplete=off><input name=n>",
        "</form><form autocomplete=off id=f></form><form><input name=n form=f>",
        "<textarea name=n autocomplete=off></textarea>",
    ] {
        let typed = |end: &str| {
            let j = at("http://h/f", &format!("<form>{field}<input name=o></form>")).keys("Enter").text("secret");
            if end.is_empty() { j } else { j.keys(end) }
        };
        let end = if field.contains("textarea") { "Tab Enter" } else { "Enter" };
        for end in ["", end] {
            assert_eq!(texts(&typed(end)), [""; 0], "{field}");
        }
    }
    let kept = "<form autocomplete=off><input name=n autocomplete=on><input name=o></form>";
    assert_eq!(texts(&at("http://h/f", kept).keys("Enter").text("kept").keys("Enter")), ["kept"]);
    // Files' names are not kept either.
    let j =
        at("http://h/f", "<form><input type=file name=n><input name=o></form>").keys("Enter").text("/a").keys("Enter");
    assert_eq!(texts(&j.shows("[ a ]")), [""; 0]);
}

#[test]
fn what_is_being_typed_is_kept_too_and_each_key_says_that_there_is_something_new() {
    let news = |mut j: Journey, text: &str| {
        j.choose(|choices| choices.keeps_session = true);
        let mut j = j.keys("? Esc");
        j.effects.clear();
        let j = j.text(text);
        let count = j.effects.iter().filter(|effect| **effect == Effect::Keep(Kept::Session)).count();
        (j, count)
    };
    let open = at("http://h/f", PAGE);
    let (j, count) = news(open, "");
    assert_eq!((texts(&j).len(), count), (0, 0));
    let j = j.keys("Enter");
    assert_eq!(texts(&j), [""; 0], "nothing was typed yet");
    let mut j = j.text("x");
    assert!(j.effects.contains(&Effect::Keep(Kept::Session)));
    assert_eq!(texts(&j), ["Adax"]);
    j = j.keys("Esc");
    assert_eq!(texts(&j), ["Adax"], "it stays in the field");
    // The box of several lines.
    let mut j = j.keys("End Up Enter Home");
    j.effects.clear();
    let j = j.text("a").keys("Enter").text("b");
    assert_eq!(j.effects.iter().filter(|effect| **effect == Effect::Keep(Kept::Session)).count(), 3);
    assert_eq!(texts(&j), ["Adax", "a\nbfirst"]);
    again(j.app.session()).answer("text/html", PAGE.as_bytes()).shows("[a (+1)");
}

#[test]
fn what_was_sent_is_not_put_back_and_another_form_of_the_page_is() {
    let two = "<form action=/go method=post><input name=a><input name=x><input type=submit></form>
        <form><input name=b><input name=y></form>";
    let j = at("http://h/f", two).keys("Enter").text("one").keys("Enter").keys("Down Down Down Enter").text("two");
    let j = j.keys("Enter Up Enter").expect_fetch("http://h/go");
    assert_eq!(texts(&j), ["one", "two"], "nobody has answered");
    let j = j.answer("text/html", b"thanks");
    assert_eq!(texts(&j), ["two"]);
    // What is changed again is not sent again.
    let j = j.keys("Left").at_url("http://h/f").keys("Up Up Enter").text("!").keys("Enter");
    assert_eq!(texts(&j), ["one!", "two"]);
}

#[test]
fn nothing_is_kept_of_private_tabs_and_of_what_is_forgotten() {
    let j = Journey::new().run("private").text("http://h/f").keys("Enter").answer("text/html", PAGE.as_bytes());
    let j = j.keys("Enter").text("x");
    assert_eq!(texts(&j), [""; 0]);
    assert_eq!(texts(&j.keys("Enter")), [""; 0]);
    let j = filled().run("forget host h").text("y");
    assert_eq!(j.app.session(), Session::default());
}

#[test]
fn there_is_a_bound_for_a_field_and_for_all() {
    let page = |fields: usize| (0..fields).map(|n| format!("<textarea name=t{n}></textarea>")).collect::<String>();
    let typed = |mut j: Journey, text: &str, times: usize| {
        for _ in 0..times {
            j = j.keys("Enter").send(Msg::Paste(text.into())).keys("Tab Enter Down");
        }
        j
    };
    let j = typed(at("http://h/f", &format!("<form>{}", page(2))), &"x".repeat(64 << 10), 1);
    assert_eq!(texts(&j), [""; 0]);
    let text = "x".repeat(60 << 10);
    let j = typed(at("http://h/f", &format!("<form>{}", page(20))), &text, 20);
    let kept: usize = texts(&j).iter().map(String::len).sum();
    assert!((1 << 19..=1 << 20).contains(&kept), "{kept}");
    // What is in view comes before what is not.
    let j = typed(j.open("http://h/g").answer("text/html", format!("<form>{}", page(3)).as_bytes()), &text, 3);
    let session = j.app.session();
    assert_eq!(session.tabs[0].places[1].fields.len(), 3);
    assert!(session.tabs[0].places[0].fields.len() < 17);
}

#[test]
fn a_page_that_cannot_be_had_now_loses_nothing() {
    let session = filled().app.session();
    let j = again(Session { killed: true, ..session.clone() }).shows("by force");
    assert_eq!(texts(&j).len(), 7);
    let j = j.keys("R").event(FetchEvent::Head(Box::new(Head {
        status: Some("503 Service Unavailable".into()),
        ..head("http://h/f", "text/html")
    })));
    let j = j.body(b"<p>later").end().shows("later");
    assert_eq!(texts(&j).len(), 7);
    let j = j.keys("R").answer_cut("text/html", b"<form><input name=n>");
    assert_eq!(texts(&j.shows("[Bea")).len(), 7);
}

const ASK: &[u8] = b"+INFO: 0Form\t/f\th\t70\t?\r\n+ASK:\r\n Note: welcome\r\n Ask: Your name?\tNobody\r\n AskP: Word\r\n AskL: Your words\r\n AskF: File\r\n Choose: Colour?\tred\tgreen\r\n Select: Send a copy?:1\r\n";

/// The form of `/f` over a menu.
fn asked(j: Journey, ask: &[u8]) -> Journey {
    j.open("gopher://h/0/f%09%09%3F").head(media::FORM).body(ask).end()
}

fn values(j: &Journey) -> Vec<String> {
    let Some(Overlay::Form(form)) = j.app.hands.overlays().last() else { panic!("no form") };
    let value = |value: &FieldValue| match value {
        FieldValue::Note => String::new(),
        FieldValue::Line { input, .. } | FieldValue::File { input, .. } => input.value().into(),
        FieldValue::Lines { lines, .. } => lines.iter().map(|line| line.value()).collect::<Vec<_>>().join("/"),
        FieldValue::Check(on) => on.to_string(),
        FieldValue::Choose { options, chosen } => options[*chosen].clone(),
    };
    form.fields.iter().map(|field| value(&field.value)).collect()
}

#[test]
fn a_form_of_gopher_is_there_again_when_it_is_opened_again() {
    let menu = || Journey::at(&["0|A|/a"]);
    let j = asked(menu(), ASK);
    assert!(j.app.session().tabs[0].places[0].asked.is_none(), "nothing was typed yet");
    let j = j.keys("C-u").text("Ned").keys("Enter").text("sesam").keys("Enter").text("a").keys("Enter").text("b");
    let j = j.keys("Tab").text("file").keys("Tab Space Tab Space");
    assert_eq!(values(&j), ["", "Ned", "sesam", "a/b", "file", "green", "false"]);
    let session = j.app.session();
    let kept = |session: &Session| session.tabs[0].places[0].asked.clone().map(|asked| asked.fields.len());
    assert_eq!(kept(&session), Some(4));
    let values_of = |session: &Session| {
        let asked = session.tabs[0].places[0].asked.clone().unwrap();
        asked.fields.into_iter().map(|field| field.value).collect::<Vec<_>>()
    };
    assert!(!values_of(&session).contains(&KeptValue::Text("sesam".into())));
    let next = || again(session.clone()).answer(media::MENU, b"0A\t/a\th\t70\r\n");
    assert_eq!(kept(&next().app.session()), Some(4), "it waits for the form");
    let j = asked(next(), ASK);
    assert_eq!(values(&j), ["", "Ned", "", "a/b", "", "green", "false"]);
    // It is as if the reader had just typed it: kept again, and not lost by a key.
    assert_eq!(kept(&j.app.session()), Some(4));
    let j = j.keys("Esc").asks("without keeping what you typed").text("y");
    assert_eq!(kept(&j.app.session()), None);
    // Other questions get nothing.
    let other = b"+ASK:\r\n Note: welcome\r\n Ask: Your age?\r\n AskP: Your words\r\n";
    assert_eq!(values(&asked(next(), other)), ["", "", ""]);
    // In a private tab nothing is kept.
    let j = asked(Journey::new().run("private").text("gopher://h/").keys("Enter").answer(media::MENU, b""), ASK);
    assert_eq!(j.text("x").app.session(), Session::default());
}
