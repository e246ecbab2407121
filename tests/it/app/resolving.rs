//! The playground: a base and a reference in two lines, and below them what becomes of them with each letter.

use super::journey::Journey;
use wayfarer::app::{Effect, FieldValue, Overlay};
use wayfarer::format::media;

/// The two lines, then all that is said below them.
fn form(j: &Journey) -> (String, String, String) {
    let Some(Overlay::Form(form)) = j.app.hands.top() else { panic!("no form is open") };
    let line = |at: usize| match &form.fields[at].value {
        FieldValue::Line { input, .. } => input.value().to_owned(),
        other => panic!("no line: {other:?}"),
    };
    let said = form.fields[2..].iter().map(|field| format!("{}\n", field.label)).collect();
    (line(0), line(1), said)
}

fn page() -> Journey {
    let html = b"<base href='http://h/x/y/'><p><a href='../z?q'>z</a>";
    Journey::new().open("http://h/a/b").answer(media::HTML, html).keys("Tab")
}

#[test]
fn it_begins_with_the_base_in_force_and_what_the_link_says() {
    let (base, reference, said) = form(&page().run("resolve"));
    assert_eq!((base.as_str(), reference.as_str()), ("http://h/x/y/", "../z?q"));
    assert!(said.starts_with("leads to     http://h/x/z?q\n"), "{said}");
    assert!(said.contains("all rules    http://h/x/z?q\n"), "{said}");
    assert!(said.contains("step 5.2.4   remove dot segments → /x/z\n"), "{said}");
    let (base, reference, said) = form(&page().keys("M-r").keys("Esc").run("resolve #there"));
    assert_eq!((base.as_str(), reference.as_str()), ("http://h/x/y/", "#there"));
    assert!(said.starts_with("leads to     http://h/x/y/#there\n"), "{said}");
}

#[test]
fn result_and_rules_move_with_each_letter() {
    let j = page().run("resolve ..").text("/../../g");
    let (.., said) = form(&j);
    for row in ["leads to     http://h/g\n", "rfc3986      http://h/g\n", "rfc2396      http://h/../g\n"] {
        assert!(said.contains(row), "{said}");
    }
    assert!(said.contains("whatwg       http://h/g\nthey part    at octet 10\n"), "{said}");
    let (.., said) = form(&j.keys("Backspace").text("k"));
    assert!(said.starts_with("leads to     http://h/k\n"), "{said}");
}

#[test]
fn tab_leads_to_the_base_and_a_base_that_is_none_says_why() {
    let j = page().run("resolve z").keys("S-Tab C-u").text("ftp://f/a/b");
    assert!(form(&j).2.starts_with("leads to     ftp://f/a/z\n"), "{:?}", form(&j));
    let j = j.keys("C-u").text("ftp://f:99999/");
    assert!(form(&j).2.starts_with("base         "), "{:?}", form(&j));
    let j = j.keys("Enter").quiet().notes("99999").keys("C-u");
    assert!(form(&j).2.starts_with("leads        nowhere: "), "{:?}", form(&j));
    let j = j.keys("Tab C-u").text("gopher://g/1/a");
    assert!(form(&j).2.starts_with("leads to     gopher://g/1/a\n"), "without a base it stands alone: {:?}", form(&j));
}

#[test]
fn enter_opens_the_result_a_key_copies_it_and_esc_leaves_without_a_question() {
    page().run("resolve w").keys("Enter").free().expect_fetch("http://h/x/y/w");
    let copied = "http://h/x/y/w".to_owned();
    page().run("resolve w").keys("M-y").expect(Effect::Copy(copied)).keys("Esc").free().at_url("http://h/a/b");
    page().run("resolve w").text("ord").keys("Esc").free().at_url("http://h/a/b");
    Journey::new().run("resolve gopher://g/").keys("Enter").free().expect_fetch("gopher://g/");
}

#[test]
fn what_it_opens_is_judged_as_a_link_of_the_page() {
    page().run("resolve file:///etc/passwd").keys("Enter").quiet();
}

#[test]
fn passwords_are_never_on_its_lines() {
    let html = b"<p><a href='ftp://u:geheim@f/x'>x</a>";
    let j = Journey::new().open("ftp://me:secret@h/a/").answer(media::HTML, html).keys("Tab").run("resolve");
    let all = format!("{:?}", form(&j));
    assert!(!all.contains("secret") && !all.contains("geheim"), "{all}");
    let j = j.run("cancel").keys("Esc").run("resolve ftp://u:geheim@f/x");
    assert!(!form(&j).2.contains("geheim"), "{}", form(&j).2);
}
