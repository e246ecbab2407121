//! Find in page; long pages are looked through elsewhere.

use super::journey::{Journey, lines, menu};
use wayfarer::app::{Matches, Msg};
use wayfarer::format::media;
use wayfarer::work::{Product, Work};

fn text(count: usize) -> Journey {
    Journey::new().open("gopher://h/0t").answer(media::PLAIN, &lines(count)).quiet()
}

fn find(j: Journey, words: &str) -> Journey {
    j.keys("/").text(words).keys("Enter")
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
    let j = j.keys("n");
    assert_eq!(j.count(), "1 of 1");
}

#[test]
fn the_first_match_that_comes_late_takes_the_reader_along() {
    let rows = menu("h", &["1|One|/1", "1|Two|/2", "1|Three|/3"]);
    let begun = || Journey::new().open("gopher://h/").head(media::MENU).body(&rows[..20]);
    find(begun(), "three").body(&rows[20..]).end().focus(2).look(|j| assert_eq!(j.count(), "1 of 1"));
    // Who has moved meanwhile is left alone.
    let moved = find(begun(), "three").body(&rows[20..30]).keys("Down");
    moved.look(|j| assert!(j.app.tab.found.is_none())).body(&rows[30..]).end().focus(1);
    // What never came is said again, for the whole page.
    find(begun(), "four").body(&rows[20..]).end().focus(0).notes("\"four\" is not on this page");
}

#[test]
fn a_match_on_the_first_row_is_no_place_where_one_came_in() {
    let listing = |names: &[&str]| -> Vec<u8> {
        names.iter().map(|name| format!("type=file;size=1; {name}\r\n")).collect::<String>().into_bytes()
    };
    let j = Journey::new().open("ftp://h/").head(media::DIRECTORY).body(&listing(&["zebra"]));
    let j = find(j, "zebra").body(&listing(&["ant"])).end();
    let focus = j.app.entry().unwrap().focus.unwrap();
    let document = j.app.entry().unwrap().document().unwrap();
    assert_eq!(document.link_text(focus).trim(), "zebra");
}

#[test]
fn enter_on_nothing_repeats_the_last_words_on_another_page() {
    let j = find(text(100), "line 7").open("gopher://h/0u").answer(media::PLAIN, &lines(80));
    assert!(j.app.tab.search.is_none(), "a new page begins without highlights");
    let j = j.keys("n");
    assert_eq!(j.count(), "1 of 11");
    let j = j.keys("Esc");
    assert!(j.app.tab.search.is_none());
    let j = j.keys("/ Enter");
    assert_eq!(j.count(), "1 of 11");
}

#[test]
fn counting_goes_on_while_the_page_arrives() {
    let whole = lines(2000);
    let j = Journey::new().open("gopher://h/0t").head(media::PLAIN).body(&whole[..8000]);
    let j = find(j, "line");
    let before = j.app.tab.matches.clone().unwrap().starts.len();
    let j = j.body(&whole[8000..]).end();
    assert!(before > 300 && before < 2000);
    assert_eq!(j.count(), "1 of 2000");
}

#[test]
fn keys_that_come_while_a_long_page_is_looked_through_are_not_lost() {
    let whole = lines(60_000);
    let j = Journey::new().open("gopher://h/0t").answer(media::PLAIN, &whole).quiet().hold();
    let j = j.keys("/").text("line").keys("Enter n n n");
    assert_eq!(j.works.len(), 2, "a match is sought, and all are counted");
    assert_eq!(j.app.tab.found, None);
    let j = j.work();
    assert_eq!(j.count(), "4 of 60000");
    // All are known now.
    let j = j.hold().keys("N N N N").notes("from the end");
    assert_eq!((j.works.len(), j.count().as_str()), (0, "60000 of 60000"));
}

#[test]
fn who_goes_on_while_a_long_page_is_looked_through_is_not_carried_away() {
    let j = Journey::new().open("gopher://h/0t").answer(media::PLAIN, &lines(60_000)).quiet().hold();
    let j = j.keys("/").text("line 5").keys("Enter Space");
    let top = j.app.entry().unwrap().top;
    let j = j.work().notes("find-next goes there");
    assert_eq!(j.app.entry().unwrap().top, top);
    let j = j.keys("n").work();
    assert!(j.app.tab.found.is_some());
}

#[test]
fn who_gives_a_search_up_hears_nothing_more_of_it() {
    let j = Journey::new().open("gopher://h/0t").answer(media::PLAIN, &lines(60_000)).quiet().hold();
    let j = j.keys("/").text("line").keys("Enter").keys("Esc");
    assert!(j.works.is_empty() && j.app.tab.search.is_none());
    let j = j.keys("/").text("line 7").keys("Enter").open("gopher://h/").answer(media::PLAIN, &lines(3));
    assert!(j.works.is_empty() && j.app.tab.matches.is_none());
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

#[test]
fn a_search_that_a_fault_ended_is_waited_for_no_longer() {
    let mut j = find(text(100_000).hold(), "line 77");
    let sought = j.works.iter().position(|(_, work)| matches!(work, Work::Find(_))).expect("it is sought elsewhere");
    let (id, _) = j.works.remove(sought);
    let j = j.send(Msg::Worked { id, product: Product::Broken }).notes("A fault of this program stopped that");
    assert!(j.work().keys("n").app.tab.found.is_some());
}
