//! `[commands]`: commands of the reader's own, and sequences of them.

use super::counts::with;
use super::journey::{Journey, lines, menu};
use wayfarer::app::{Effect, Kept};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, Kind};

const KEYS: &str = r#"
[page]
"M-a" = "phlog today"
[commands]
phlog = "open gopher://h/; find-link {}; follow"
twice = "open gopher://h/; open gopher://o/"
go = "open {}"
hide = "private"
login = "open ftp://me:{}@h/"
ask = "save; top; copy-url"
leave = "save text; quit"
again = "top; repeat"
aside = "follow; copy-url"
wrong = "find-link nothing; copy-url"
"#;

fn own() -> Journey {
    with(KEYS)
}

#[test]
fn a_step_waits_for_the_page_that_the_one_before_asked_for() {
    let j = own().keys("M-a").expect_fetch("gopher://h/").quiet();
    let j = j.answer(media::MENU, &menu("h", &["0|yesterday|/y", "0|today|/t"])).expect_fetch("gopher://h/0/t").quiet();
    j.answer(media::PLAIN, b"Words.").at_url("gopher://h/0/t").quiet();
    let j = own().run("twice").expect_fetch("gopher://h/").quiet().answer(media::MENU, b"").expect_fetch("gopher://o/");
    j.answer(media::MENU, b"").at_url("gopher://o/").quiet();
}

#[test]
fn a_step_that_fails_ends_it_and_is_named() {
    let j = own().keys("M-a").answer(media::MENU, &menu("h", &["0|yesterday|/y"])).quiet();
    j.notes("no link says \"today\"").notes("phlog ends at step 2 of 3, find-link today");
    let j = own().run("twice").expect_fetch("gopher://h/").fail(FetchError::new(Kind::Refused, "It does not answer."));
    j.notes("twice ends at step 1 of 2, open gopher://h/").quiet();
    let j = own().open("gopher://h/").answer(media::MENU, &menu("h", &["0|A|/a"])).quiet().run("wrong");
    j.notes("wrong ends at step 1 of 2").quiet();
}

#[test]
fn esc_and_what_the_reader_does_themselves_end_it() {
    let j = own().run("twice").expect_fetch("gopher://h/").keys("Esc").notes("twice ends after step 1 of 2");
    j.expect_cancel(0).quiet();
    let j = own().run("twice").expect_fetch("gopher://h/").keys("M-a").expect_cancel(0).expect_fetch("gopher://h/");
    let j = j.answer(media::MENU, &menu("h", &["0|today|/t"])).expect_fetch("gopher://h/0/t");
    j.answer(media::PLAIN, b"").at_url("gopher://h/0/t").quiet();
    // Moving about is not that.
    let j = own().open("gopher://x/0/a").answer(media::PLAIN, &lines(99)).quiet().run("twice").keys("Space");
    j.answer(media::MENU, b"").expect_fetch("gopher://o/").quiet();
    // Another tab is.
    let j = own().run("twice").expect_fetch("gopher://h/").run("new-tab gopher://n/").expect_fetch("gopher://n/");
    j.answer(media::MENU, b"").at_url("gopher://n/").quiet();
}

#[test]
fn a_step_that_asks_waits_for_the_answer() {
    let page = |j: Journey| j.open("gopher://h/0/a").answer(media::PLAIN, &lines(99)).quiet().keys("End");
    let j = page(own()).run("ask").quiet().top(77).keys("Enter").free().wrote(Ok("~/a".into()));
    let is_there = |e: &Effect| matches!(e, Effect::Copy(_));
    let mut j = j.top(0);
    let at = j.effects.iter().position(is_there).expect("what was to be copied");
    j.effects.remove(at);
    // What is written is written before anything else is done.
    let j = page(own()).run("leave").keys("Enter").free();
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Quit)), "{:?}", j.effects);
    j.wrote(Ok("~/a".into())).expect(Effect::Quit);
    page(own()).run("ask").keys("Esc").free().notes("ask ends after step 1 of 3").top(77).quiet();
}

#[test]
fn they_are_typed_completed_and_explained() {
    let j = own().keys(":").text("phl").look(|j| assert_eq!(j.offered(), ["phlog"]));
    let j = j.keys("Tab").look(|j| {
        assert_eq!(j.app.hands.prompt().unwrap().remark, "open gopher://h/; find-link {}; follow");
    });
    let j = j.keys("Esc").text(":go gopher://o/").keys("Enter").expect_fetch("gopher://o/");
    let j = j.run("twice words").notes("twice takes no words after it");
    let j = j.text(":twoce").keys("Enter").prompts(":", "twoce").keys("Esc").keys("? ?");
    let text = j.over();
    assert!(text.contains("Commands of keys.toml"), "{text}");
    assert!(text.lines().any(|line| line.contains("M-a") && line.contains("find-link {}; follow  phlog")), "{text}");
}

#[test]
fn neither_where_a_private_tab_goes_nor_a_password_is_kept_by_another_name() {
    let j = own().text(":hide gopher://p/").keys("Enter").expect_fetch("gopher://p/");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Words { .. }))), "{:?}", j.effects);
    let j = own().text(":login secret").keys("Enter").expect_fetch("ftp://me:secret@h/");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Words { .. }))), "{:?}", j.effects);
    let j = own().text(":go gopher://p/").keys("Enter").expect_fetch("gopher://p/");
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Words { .. }))));
}

#[test]
fn none_can_run_itself_by_repeat() {
    let j = own().open("gopher://h/").answer(media::MENU, b"").quiet().text(":again").keys("Enter");
    j.notes("repeat is no step").quiet();
}

#[test]
fn a_step_waits_for_what_it_opened_in_the_other_pane() {
    let list = || own().open("gopher://h/").answer(media::MENU, &menu("h", &["0|A|/a", "0|B|/b"])).run("split list");
    let j = list().quiet().run("aside").expect_fetch("gopher://h/0/a").quiet();
    let j = j.answer(media::PLAIN, b"A").expect(Effect::Copy("gopher://h/".into())).quiet();
    // What was on its way there before is not waited for.
    let j = j.keys("Down Enter").expect_fetch("gopher://h/0/b").quiet().run("ask");
    j.keys("Enter").free().wrote(Ok("~/a".into())).expect(Effect::Copy("gopher://h/".into()));
    let j = list().run("aside").expect_fetch("gopher://h/0/a");
    let j = j.fail(FetchError::new(Kind::Refused, "It does not answer.")).quiet();
    j.notes("aside ends at step 1 of 2, follow");
}
