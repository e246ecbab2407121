//! Fields that typing fills in as soon as they have the focus, as hands that know lynx expect it.

use super::journey::Journey;
use super::presets::preset;
use wayfarer::app::{Msg, Overlay, PromptKind, describe_field};
use wayfarer::doc::LinkId;
use wayfarer::keys::Keymap;

const PAGE: &[u8] = b"<form action=/go><p><label>Name <input name=n value=Ada></label>
<p><label>Word <input type=password name=p></label>
<p><label>Said <textarea name=t>first</textarea></label>
<p><input type=submit value=Go></form><p><a href=/x>on</a>";

fn with(keys: &str, page: &[u8]) -> Journey {
    let mut j = Journey::new();
    j.app.desk.keymap = preset(keys);
    j.open("http://h/").answer("text/html", page).quiet()
}

fn said(j: &Journey) -> String {
    let focus = j.app.entry().unwrap().focus.unwrap();
    describe_field(j.app.sight(), focus).unwrap_or_default()
}

#[test]
fn typing_fills_the_field_under_focus_in_and_arrows_lead_on() {
    let j = with("lynx", PAGE).focus(0);
    assert!(said(&j).contains("Name · type it in, Down leaves it · text"), "{}", said(&j));
    // What is a command elsewhere is text here.
    let j = j.text("q u").prompts("Name", "Adaq u").keys("Backspace Down").free().focus(1).shows("[Adaq ");
    let j = j.text("g?1").look(|j| assert_eq!(j.app.hands.prompt().unwrap().kind, PromptKind::Password));
    let j = j.keys("Up").free().focus(0).shows("[***").quiet();
    // As it stands, one can go over it, and what is there is edited from its end.
    let j = j.keys("Tab").focus(1).keys("S-Tab").focus(0).keys("Backspace").prompts("Name", "Adaq").keys("S-Tab");
    let j =
        j.free().focus(4).shows("[Adaq__").keys("Down").focus(0).keys("Left Left").text("b").prompts("Name", "Adbaq");
    // Enter sends nothing in one of several lines, and goes on.
    j.keys("Enter").quiet().free().focus(1).shows("[Adbaq_");
}

#[test]
fn a_field_of_lines_is_filled_in_by_typing_and_left_at_its_ends() {
    let lines = |j: &Journey| match j.app.hands.overlays() {
        [Overlay::Form(form)] => form.line().map(|line| line.value().to_owned()),
        other => panic!("{other:?}"),
    };
    let j = with("lynx", PAGE).keys("Down Down").focus(2).text("!q");
    assert_eq!(lines(&j).as_deref(), Some("first!q"));
    let j = j.keys("Enter").text("second").keys("Up").look(|j| assert_eq!(lines(j).as_deref(), Some("first!q")));
    let j = j.keys("Down Down").free().focus(3).shows("[first!q (+1)").keys("Up").focus(2);
    let j = j.text("x").keys("Up").free().focus(1).shows("[first!qx (+1)");
    let j = j.keys("Down").text("y").keys("Tab").free().focus(3).shows("[first!qxy (+1)").keys("Up");
    j.text("z").keys("Esc").free().focus(2).shows("[first!qxyz (+1)").quiet();
}

#[test]
fn esc_leaves_a_field_with_its_text_and_keys_are_commands_until_it_is_come_to_anew() {
    let j = with("lynx", PAGE).text("x").keys("Esc").free().focus(0).shows("[Adax_");
    assert!(said(&j).contains("Name · Enter fills it in"), "{}", said(&j));
    let j = j.text("=").look(|j| assert!(j.over().contains("field"), "{}", j.over())).keys("Esc").free();
    let j = j.keys("Enter").prompts("Name", "Adax").keys("Esc").free().text("/").prompts("find", "").keys("Esc");
    let j = j.keys("Down Up").focus(0).text("/").prompts("Name", "Adax/").keys("Esc");
    // So does Esc where nothing was typed.
    let j = j.keys("Down").focus(1).keys("Esc").text("/").prompts("find", "").keys("Esc");
    // Other pages know nothing of it.
    let j = j.open("http://o/").answer("text/html", PAGE).keys("Down").text("/");
    assert_eq!(j.app.hands.prompt().unwrap().kind, PromptKind::Password);
}

#[test]
fn keys_that_edit_nothing_mean_what_they_mean_on_any_page() {
    let page = b"<form action=/go><input name=n></form><p><a href=/x>on</a>";
    let j = with("lynx", page).open("http://o/").answer("text/html", page).focus(0);
    // In an empty field there is nothing to move about in.
    let j = j.keys("Left").at_url("http://h/").focus(0);
    let j = j.keys("F1").look(|j| assert!(!j.over().is_empty())).keys("Esc").free();
    // The only line of a form is sent by Enter.
    let j = j.text("go on").keys("Enter").expect_fetch("http://h/go?n=go+on").keys("Esc");
    // What is pasted is text, too.
    let j = j.keys("Down Up").send(Msg::Paste("\u{e9}t\u{e9}".into()));
    assert_eq!(j.app.hands.prompt().unwrap().input.value(), "go on\u{e9}t\u{e9}");
}

#[test]
fn what_is_for_reading_only_takes_no_text_and_other_presets_want_enter_first() {
    let j = with("lynx", b"<form><input name=n value=a readonly></form>").focus(0).text("=");
    assert!(j.over().contains("field"), "{}", j.over());
    let j = with("default", PAGE).focus(0).text("=");
    assert!(j.over().contains("field"), "{}", j.over());
    let j = j.keys("Esc Enter").prompts("Name", "Ada").keys("Down").prompts("Name", "Ada").keys("Esc");
    assert!(!said(&j).contains("type it in"), "{}", said(&j));
    assert_eq!(describe_field(j.app.sight(), LinkId(4)), None);
}

#[test]
fn key_files_say_whether_typing_fills_fields_in() {
    let read = |text: &str| {
        let mut errors = Vec::new();
        let map = Keymap::read("keys.toml", text, "default", &wayfarer::app::command_names(), &mut errors);
        (map.fields, errors.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(read(""), (false, vec![]));
    assert_eq!(read("fields = true\n"), (true, vec![]));
    assert_eq!(read("preset = \"lynx\"\n"), (true, vec![]));
    assert_eq!(read("fields = false\npreset = \"lynx\"\n"), (false, vec![]));
    assert_eq!(read("fields = 1\n"), (false, vec!["keys.toml:1: true or false is wanted".into()]));
}
