//! Find in page, counted in slices.

use super::journey::{Journey, lines, menu};
use wayfarer::app::{Effect, Matches};
use wayfarer::format::media;

fn text(count: usize) -> Journey {
    Journey::new().open("gopher://h/0t").answer(media::PLAIN, &lines(count)).quiet()
}

fn find(j: Journey, words: &str) -> Journey {
    j.keys("/").text(words).keys("Enter").settle()
}

#[test]
fn to_the_next_match_and_around() {
    let j = find(text(500), "line 4");
    assert_eq!(j.count(), "1 of 111");
    j.keys("n n")
        .look(|j| assert_eq!(j.count(), "3 of 111"))
        .keys("N N N")
        .notes("from the end")
        .look(|j| {
            assert_eq!(j.count(), "111 of 111");
            assert!(j.app.entry().unwrap().top.block > 400);
        })
        .keys("n")
        .notes("from the top")
        .top(0);
}

#[test]
fn search_begins_where_the_reader_looks() {
    let j = find(text(500).run("goto 200"), "line 2");
    assert_eq!(j.app.tab.found.clone().map(|found| found.len()), Some(6));
    let entry = j.app.entry().unwrap();
    let document = entry.document().unwrap();
    assert_eq!(document.anchor_at(j.app.tab.found.clone().unwrap().start).block, 199);
}

#[test]
fn nothing_found_says_so_and_stays() {
    find(text(100).keys("Space"), "absent").notes("\"absent\" is not on this page").top(20);
}

#[test]
fn what_is_not_there_yet_may_still_come() {
    let j = Journey::new().open("gopher://h/0t").head(media::PLAIN).body(&lines(40));
    let j = find(j, "line 77").notes("\"line 77\" is not in what has come so far").body(&lines(80)).end();
    let j = j.keys("n").settle();
    assert_eq!(j.count(), "1 of 1");
}

#[test]
fn the_first_match_that_comes_late_takes_the_reader_along() {
    let rows = menu("h", &["1|One|/1", "1|Two|/2", "1|Three|/3"]);
    let begun = || Journey::new().open("gopher://h/").head(media::MENU).body(&rows[..20]);
    find(begun(), "three").body(&rows[20..]).end().settle().focus(2).look(|j| assert_eq!(j.count(), "1 of 1"));
    // Who has moved meanwhile is left alone.
    let moved = find(begun(), "three").body(&rows[20..30]).keys("Down");
    moved.look(|j| assert!(j.app.tab.found.is_none())).body(&rows[30..]).end().settle().focus(1);
    // What never came is said again, for the whole page.
    find(begun(), "four").body(&rows[20..]).end().settle().focus(0).notes("\"four\" is not on this page");
}

#[test]
fn a_match_on_the_first_row_is_no_place_where_one_came_in() {
    let listing = |names: &[&str]| -> Vec<u8> {
        names.iter().map(|name| format!("type=file;size=1; {name}\r\n")).collect::<String>().into_bytes()
    };
    let j = Journey::new().open("ftp://h/").head(media::DIRECTORY).body(&listing(&["zebra"]));
    let j = find(j, "zebra").body(&listing(&["ant"])).settle().end().settle();
    let focus = j.app.entry().unwrap().focus.unwrap();
    let document = j.app.entry().unwrap().document().unwrap();
    assert_eq!(document.link_text(focus).trim(), "zebra");
}

#[test]
fn enter_on_nothing_repeats_the_last_words_on_another_page() {
    let j = find(text(100), "line 7").open("gopher://h/0u").answer(media::PLAIN, &lines(80));
    assert!(j.app.tab.search.is_none(), "a new page begins without highlights");
    let j = j.keys("n").settle();
    assert_eq!(j.count(), "1 of 11");
    let j = j.keys("Esc");
    assert!(j.app.tab.search.is_none());
    let j = j.keys("/ Enter").settle();
    assert_eq!(j.count(), "1 of 11");
}

#[test]
fn counting_goes_on_while_the_page_arrives() {
    let whole = lines(2000);
    let j = Journey::new().open("gopher://h/0t").head(media::PLAIN).body(&whole[..8000]);
    let j = find(j, "line");
    let before = j.app.tab.matches.clone().unwrap().starts.len();
    let j = j.body(&whole[8000..]).end().settle();
    assert!(before > 300 && before < 2000);
    assert_eq!(j.count(), "1 of 2000");
}

#[test]
fn one_slice_is_asked_for_at_a_time() {
    let whole = lines(60_000);
    let j = Journey::new().open("gopher://h/0t").answer(media::PLAIN, &whole).quiet();
    let j = j.keys("/").text("line").keys("Enter n n n");
    assert_eq!(j.effects.iter().filter(|effect| **effect == Effect::Slice).count(), 1);
    assert!(j.count().ends_with('+'), "{}", j.count());
    let j = j.settle();
    assert_eq!(j.count(), "4 of 60000");
}

#[test]
fn counting_has_an_end() {
    let j = Journey::new().open("gopher://h/0t").answer(media::PLAIN, "aaaaaaaaa\n".repeat(30_000).as_bytes());
    let j = find(j, "a");
    let matches = j.app.tab.matches.clone().unwrap();
    assert!(matches.complete && matches.starts.len() == Matches::MOST);
    assert_eq!(j.count(), "1 of 100000");
}

#[test]
fn a_match_in_a_link_gets_the_focus() {
    let rows = menu("h", &["0|Apples|/a", "0|Pears|/p"]);
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &rows);
    find(j, "pear").focus(1);
}

#[test]
fn highlights_are_where_the_match_is() {
    let j = find(text(50), "line 9.");
    let document = j.app.entry().unwrap().document().unwrap();
    assert_eq!(&document.text()[j.app.tab.found.clone().unwrap()], "line 9.");
}
