//! Marks: a letter for a place, and the place before a jump.

use super::counts::with;
use super::journey::{Journey, lines, long_menu, menu};
use wayfarer::app::{Effect, Kept, KeptMark, Remembered};
use wayfarer::doc::Anchor;
use wayfarer::format::media;
use wayfarer::proto::{FetchError, Kind};

fn text(j: Journey, url: &str) -> Journey {
    j.open(url).answer(media::PLAIN, &lines(200)).quiet()
}

fn kept(letter: char, url: &str, block: u32) -> Effect {
    let mark = KeptMark { url: url.into(), top: Anchor { block, offset: 0 }, ..KeptMark::default() };
    Effect::Keep(Kept::Mark { letter, mark: Some(mark) })
}

/// Takes the effect of a mark, whose title the page has.
fn marked(mut j: Journey, letter: char) -> (Journey, Option<KeptMark>) {
    let is_it = |e: &Effect| matches!(e, Effect::Keep(Kept::Mark { letter: of, .. }) if *of == letter);
    let at = j.effects.iter().position(is_it).expect("a mark that is kept");
    match j.effects.remove(at) {
        Effect::Keep(Kept::Mark { mark, .. }) => (j, mark),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_mark_is_gone_to_within_its_page_and_back_undoes_it() {
    let j = text(Journey::new(), "gopher://h/0/a").run("goto 40").top(39).keys("m a").notes("mark a is here");
    let (j, mark) = marked(j, 'a');
    assert_eq!(mark.map(|mark| (mark.url, mark.top.block)), Some(("gopher://h/0/a".into(), 39)));
    let j = j.keys("Home").top(0).keys("` a").top(39).quiet().keys("Left").top(0).at_url("gopher://h/0/a");
    j.keys("L").top(39).quiet().keys("` b").notes("there is no mark b; there are a");
}

#[test]
fn a_mark_of_another_page_opens_it_at_its_place() {
    let j = text(Journey::new(), "gopher://h/0/a").run("goto 40").keys("m a");
    let (j, _) = marked(j, 'a');
    let j = j.open("gopher://o/").answer(media::MENU, &menu("o", &["0|A|/a"])).quiet();
    let j = j.keys("` a").expect_fetch("gopher://h/0/a").answer(media::PLAIN, &lines(200)).top(39).quiet();
    let j = j.keys("Left").at_url("gopher://o/").quiet();
    // In any tab.
    let j = j.run("new-tab gopher://n/").answer(media::MENU, b"").run("go-mark a").expect_fetch("gopher://h/0/a");
    j.answer(media::PLAIN, &lines(200)).at_url("gopher://h/0/a").top(39);
}

#[test]
fn marks_of_an_earlier_run_are_there_and_one_that_does_not_answer_is_told() {
    let mut j = Journey::new();
    let mark = KeptMark { url: "gopher://h/0/a".into(), top: Anchor { block: 20, offset: 0 }, ..KeptMark::default() };
    j.remember(Remembered { marks: [('q', mark)].into(), ..Remembered::default() });
    let j = j.keys("`").look(|j| assert_eq!(j.offered(), ["q"])).keys("q").expect_fetch("gopher://h/0/a");
    let j = j.fail(FetchError::new(Kind::Refused, "It does not answer."));
    assert!(j.page().contains("It does not answer."), "{}", j.page());
}

#[test]
fn nothing_that_is_secret_or_private_is_marked() {
    let j = text(Journey::new(), "ftp://me:secret@h/a").keys("m a");
    let (j, mark) = marked(j, 'a');
    assert!(!format!("{mark:?}").contains("secret"), "{mark:?}");
    let j = j.keys("m A").notes("a mark is a letter from a to z").quiet().keys("m Esc").free().quiet();
    let j = j.run("private gopher://p/").answer(media::MENU, b"").keys("m b").notes("nothing is kept of a private tab");
    assert!(!j.app.library.marks.contains_key(&'b'));
    j.quiet();
    Journey::new().keys("m a").notes("there is no page to mark").quiet();
}

#[test]
fn marks_are_listed_gone_to_and_deleted() {
    let j = text(Journey::new(), "gopher://h/0/a").run("goto 40").keys("m a").run("goto 80").keys("m b");
    let j = marked(marked(j, 'a').0, 'b').0.run("marks").at_url("about:marks").shows("gopher://h/0/a");
    let j = j.keys("Down Enter").expect_fetch("gopher://h/0/a").answer(media::PLAIN, &lines(200)).top(79).quiet();
    let j = j.keys("Left x").notes("is deleted (u takes that back)");
    let (j, gone) = marked(j, 'b');
    assert_eq!(gone, None);
    assert!(!j.page().contains("b  "), "{}", j.page());
    let j = marked(j.keys("u").notes("mark b is back"), 'b').0.shows("b  ");
    let j = marked(j.run("delete-mark a").notes("mark a is deleted"), 'a').0;
    let j = j.run("delete-mark a").notes("wants the letter of a mark").quiet();
    // A page of the network cannot go to marks by a link.
    let j = j.open("gopher://h/").answer(media::MENU, b"hX\tURL:about:marks?go=b\th\t70\r\n.\r\n").keys("Enter");
    j.at_url("about:marks?go=b").quiet();
    // What is forgotten is no mark any more.
    let j = text(Journey::new(), "gopher://h/0/a").keys("m a");
    let j = marked(j, 'a').0.run("forget host h").keys("y");
    assert!(j.app.library.marks.is_empty(), "{:?}", j.app.hands.overlays());
}

/// Lists of the reader's own were empty without a word.
#[test]
fn a_filter_that_leaves_nothing_says_so() {
    let j = text(Journey::new(), "gopher://h/0/a").run("goto 40").keys("m a");
    let j = marked(j, 'a').0.run("marks").keys("&").text("zebra").shows("Nothing here has \"zebra\".");
    let j = j.keys("Esc").shows("gopher://h/0/a");
    assert!(!j.page().contains("Nothing"), "{}", j.page());
    let session = j.app.session();
    let mut j = Journey::new();
    let last = vec![wayfarer::app::LastTabs { session, ended: None }];
    j.remember(Remembered { last, ..Remembered::default() });
    let j = j.run("last-tabs").run("filter zebra").shows("Nothing here has \"zebra\".");
    let j = j.open("about:schemes").run("filter Zebra").shows("Nothing here has \"Zebra\".");
    let j = j.run("settings").run("filter zebra").shows("No setting has \"zebra\".");
    let j = j.open("gopher://h/").answer(media::MENU, &menu("h", &["0|A|/a"])).run("filter zebra");
    let page = j.app.entry().and_then(|entry| entry.page.as_deref()).unwrap();
    let said = wayfarer::app::status::rows(page);
    assert_eq!(said, Some(wayfarer::app::status::RowCount::Some("0 of 1 shown".into())));
}

#[test]
fn a_mark_is_where_the_focus_is() {
    let rows: Vec<String> = (0..10).map(|row| format!("0|Row {row}|/{row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let j = with("preset = \"vi\"").open("gopher://h/").answer(media::MENU, &menu("h", &rows)).quiet();
    let j = j.keys("5 j").focus(5).keys("m a").notes("mark a is here");
    let (j, mark) = marked(j, 'a');
    assert_eq!(mark.map(|mark| mark.words), Some("Row 5".into()));
    let j = j.keys("j j j").focus(8).keys("' a").focus(5).top(0);
    let j = marked(j.keys("G").focus(9).keys("m b"), 'b').0.keys("g g").focus(0).keys("' b").focus(9).top(0);
    let j = j.quiet().keys("C-o").focus(0);
    // Two marks of one page are told apart.
    let j = j.run("marks").shows("Row 5").shows("Row 9").keys("Down Enter").expect_fetch("gopher://h/");
    j.answer(media::MENU, &menu("h", &rows)).focus(9).quiet();
}

#[test]
fn a_mark_of_a_long_menu_scrolls_only_where_it_must() {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 200)).quiet();
    let j = j.run("goto 100").top(99).keys("Down Down Down").focus(102).keys("m a");
    let j = marked(j, 'a').0.run("goto 95").top(94).keys("` a").top(94).focus(102);
    let j = j.keys("Home").top(0).keys("` a").top(99).focus(102);
    // On a screen that has become small the link is there all the same.
    let j = j.keys("Home").resize(80, 5).keys("` a").focus(102);
    let j = j.open("gopher://o/").answer(media::MENU, b"").keys("` a").expect_fetch("gopher://h/");
    j.answer(media::MENU, &long_menu("h", 200)).quiet();
}

#[test]
fn the_place_before_a_jump_is_gone_to_and_back() {
    let j = with("preset = \"vi\"");
    let j = text(j, "gopher://h/0/a").keys("' '").notes("nothing was jumped from");
    let j = j.keys("3 C-e").top(3).keys("G").top(178).keys("' '").top(3).keys("' '").top(178);
    // A step is no jump.
    let j = j.keys("C-y C-b").keys("' '").top(3);
    // Another page is one.
    let j = j.keys("2 C-e").top(5).open("gopher://o/").answer(media::MENU, b"").quiet();
    let j = j.keys("' '").at_url("gopher://h/0/a").top(5).quiet();
    j.keys("' '").at_url("gopher://o/").quiet();
}

#[test]
fn what_is_kept_of_a_mark_is_its_place_in_the_page_as_it_was_written() {
    let j = text(Journey::new(), "gopher://h/0/a").keys("m c");
    let (j, mark) = marked(j, 'c');
    let mark = mark.unwrap();
    assert_eq!(
        kept('c', "gopher://h/0/a", 0),
        Effect::Keep(Kept::Mark { letter: 'c', mark: Some(KeptMark { title: String::new(), ..mark }) })
    );
    // On pages of news "m" marks the article; the other key marks the place everywhere.
    j.keys("\" d").notes("mark d is here");
}

#[test]
fn a_mark_that_was_deleted_in_a_private_tab_comes_back_for_good() {
    let j = text(Journey::new(), "gopher://h/0/a").keys("m a");
    let j = marked(j, 'a').0.run("private gopher://p/").answer(media::MENU, b"").run("marks").shows("gopher://h/0/a");
    let (j, gone) = marked(j.keys("x").notes("mark a is deleted"), 'a');
    assert_eq!(gone, None);
    let (j, back) = marked(j.keys("u").notes("mark a is back"), 'a');
    assert_eq!(back.map(|mark| mark.url).as_deref(), Some("gopher://h/0/a"));
    j.quiet();
}

#[test]
fn as_many_marks_come_back_as_were_deleted_but_over_none_that_was_set_since() {
    let j = text(Journey::new(), "gopher://h/0/a").keys("m a").keys("m b").keys("m c").run("marks");
    let j = j.keys("x").keys("x").keys("x").notes("mark c is deleted").keys("u").notes("mark c is back");
    let mut j = j.keys("u").notes("mark b is back").keys("Home x").notes("mark b is deleted");
    j.effects.clear();
    let j = text(j, "gopher://h/0/other").keys("m a").run("marks").keys("u").notes("mark b is back");
    let j = j.keys("u").notes("nothing to take back");
    let (_, mark) = marked(j, 'a');
    assert_eq!(mark.map(|mark| mark.url).as_deref(), Some("gopher://h/0/other"));
}
