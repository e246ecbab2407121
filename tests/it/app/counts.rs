//! Digits before a key, and doing again what was done last.

use super::journey::{Journey, lines, long_menu};
use wayfarer::app::{COMMANDS, COUNTED, Effect, Kept, REPEATED, SiteChoice, command_names};
use wayfarer::format::media;
use wayfarer::keys::Keymap;

/// A journey with keys of one's own.
pub fn with(text: &str) -> Journey {
    let mut j = Journey::new();
    let mut errors = Vec::new();
    j.app.desk.keymap = Keymap::read("keys.toml", text, "default", &command_names(), &mut errors);
    assert_eq!(errors, []);
    j
}

fn vi() -> Journey {
    with("preset = \"vi\"")
}

#[test]
fn what_a_count_means_is_said_of_commands_that_there_are() {
    for name in COUNTED.iter().map(|(name, _)| name).chain(REPEATED) {
        assert!(COMMANDS.iter().any(|command| command.name == *name), "{name}");
    }
}

#[test]
fn digits_before_a_motion_repeat_it_and_lead_to_lines() {
    let j = vi().open("gopher://h/0/a").answer(media::PLAIN, &lines(200)).quiet();
    let j = j.keys("5 C-e").top(5).keys("1 0 C-e").top(15).keys("3 C-y").top(12).keys("C-e").top(13);
    let j = j.keys("1 2 0 G").top(119).keys("4 0 g g").top(39).keys("g g").top(0).keys("G").top(178);
    // No count is too large, and none is taken twice.
    let j = j.keys("g g").text("99999999").look(|j| assert_eq!(j.app.hands.count, Some(9_999)));
    let j = j.keys("C-y").top(0).text("99999").keys("C-e").top(178).keys("C-y").top(177);
    // Esc drops it, and a key that has no command.
    let j = j.keys("5 Esc").look(|j| assert_eq!(j.app.hands.count, None)).keys("C-y").top(176);
    let j = j.keys("5 M-k").notes("no command").keys("C-y").top(175);
    j.run("120").top(119).run("goto 10").top(9).text(":30").keys("Enter").top(29);
}

#[test]
fn a_count_before_enter_is_a_link_and_before_gt_a_tab() {
    let j = vi().open("gopher://h/").answer(media::MENU, &long_menu("h", 30)).quiet().focus(0);
    let j = j.keys("5 j").focus(5).keys("2 k").focus(3).keys("1 2 Enter").expect_fetch("gopher://h/0/12");
    let j = j.answer(media::PLAIN, b"twelve").keys("3 C-o").at_url("gopher://h/").keys("9 9 Enter").notes("no link 99");
    let j = j.run("new-tab gopher://h/0/1").answer(media::PLAIN, b"1").keys("1 g t");
    assert_eq!(j.app.tab_at(), 0);
    let j = j.keys("2 g t");
    assert_eq!(j.app.tab_at(), 1);
    // Without counts digits are links, as ever.
    Journey::at(&["0|A|/a", "0|B|/b"]).keys("2 Enter").expect_fetch("gopher://h/0/b");
}

#[test]
fn matches_are_gone_round_no_more_often_than_it_takes() {
    let text: String = (1..=9).map(|n| format!("word {n}\n")).collect();
    let j = vi().open("gopher://h/0/a").answer(media::PLAIN, text.as_bytes()).quiet();
    let at = |j: &Journey| j.app.tab.found.as_ref().unwrap().start;
    let j = j.keys("/").text("word").keys("Enter 3 n");
    assert_eq!(at(&j), 3 * 6);
    // 9,999 is 1111 times round.
    let j = j.text("9999n");
    assert_eq!(at(&j), 3 * 6);
    let j = j.text("9998n");
    assert_eq!(at(&j), 2 * 6);
    j.keys("2 N").look(|j| assert_eq!(at(j), 0));
}

#[test]
fn to_the_left_and_right_edge() {
    let mut long = "x".repeat(300);
    long.push('\n');
    let j = vi().open("gopher://h/0/a").answer(media::PLAIN, long.as_bytes()).quiet().run("set wrap off");
    let left = |j: &Journey| j.app.entry().unwrap().left;
    let j = j.keys("$");
    assert!(left(&j) >= 220, "{}", left(&j));
    let j = j.keys("0");
    assert_eq!(left(&j), 0);
    let j = j.keys("2 l");
    assert_eq!(left(&j), 16);
}

#[test]
fn what_was_done_last_is_done_again() {
    let listing = b"type=file;size=1; apple\r\ntype=file;size=2; berry\r\n";
    let open = |j: Journey, url: &str| j.open(url).answer(media::DIRECTORY, listing).quiet();
    let sorted = Effect::Keep(Kept::Site { host: "h".into(), choice: SiteChoice::Order("size".into()) });
    let j = open(vi(), "ftp://h/").keys(".").notes("nothing was done yet").quiet();
    let j = j.keys("s s").expect(sorted.clone()).quiet().keys("j k / Esc .").expect(sorted.clone()).quiet();
    // A line that was typed is one thing that was done; moving, following and looking are none.
    let j = j.text(":copy-url").keys("Enter").expect(Effect::Copy("ftp://h/".into())).keys("? Esc j");
    let j = j.keys(".").expect(Effect::Copy("ftp://h/".into())).quiet();
    let j = j.keys("&").text("berry").keys("Enter").run("filter").keys("Esc").run("repeat");
    assert!(!j.page().contains("apple") && j.page().contains("berry"), "{}", j.page());
    // A mark stays where it was set.
    let j = j.keys("m a").notes("mark a is here").keys("j k .");
    assert!(j.app.hands.note.as_ref().is_none_or(|note| !note.text.contains("mark")), "{:?}", j.app.hands.note);
    let mut j = j;
    j.effects.clear();
    // What was done in private is not done again elsewhere.
    let j = j.run("private gopher://p/").answer(media::MENU, b"").text(":open gopher://p/1/x").keys("Enter");
    let j = j.expect_fetch("gopher://p/1/x").answer(media::MENU, b"").keys("g T");
    j.keys(".").notes("nothing was done yet").quiet();
}
