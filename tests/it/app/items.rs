//! Going on along the list that one came from: which item it is, the next and the one before, Space at the end.

use super::journey::{Journey, menu};
use super::pointing::screen;
use wayfarer::format::media;

/// A list of three texts, a folder and another place, with words between.
fn list() -> Journey {
    Journey::at(&["0|First|/1", "i|2025|", "1|Folder|/d", "0|Second|/2", "h|Elsewhere|URL:http://w/", "0|Third|/3"])
}

fn among(at: u32, of: u32) -> impl FnOnce(&Journey) {
    move |j| {
        assert_eq!(
            j.app.entry().unwrap().among.map(|among| (among.at, among.of)),
            Some((at, of)),
            "{}",
            j.app.entry().unwrap().url
        )
    }
}

#[test]
fn the_items_of_a_menu_are_gone_through_and_back_is_the_menu() {
    let j =
        list().keys("Down Down Enter").expect_fetch("gopher://h/0/2").answer("text/plain", b"two").look(among(2, 3));
    let j = j.keys("M-n").expect_fetch("gopher://h/0/3").answer("text/plain", b"three").look(among(3, 3));
    let j = j.keys("M-n").notes("this is the last of 3").at_url("gopher://h/0/3");
    let j = j.keys("M-p").expect_fetch("gopher://h/0/2").answer("text/plain", b"two");
    let j = j.keys("M-p").expect_fetch("gopher://h/0/1").answer("text/plain", b"one").look(among(1, 3));
    let j = j.keys("M-p").notes("this is the first of 3");
    j.keys("Left").at_url("gopher://h/").focus(0).quiet();
}

#[test]
fn what_does_not_come_leaves_the_place_in_the_list() {
    let j = list().keys("Enter").answer("text/plain", b"one").keys("M-n").expect_fetch("gopher://h/0/2");
    let j = j.keys("Esc").at_url("gopher://h/0/1").look(among(1, 3));
    j.keys("M-n").expect_fetch("gopher://h/0/2").answer("text/plain", b"two").look(among(2, 3));
}

#[test]
fn at_its_end_space_goes_on_to_the_next_item() {
    let long = "line\n".repeat(60);
    let j = list().keys("Enter").answer("text/plain", long.as_bytes()).keys("Space").at_url("gopher://h/0/1");
    let j = j.keys("Space Space").at_url("gopher://h/0/1").look(|j| assert!(j.app.entry().unwrap().top.block > 30));
    let j = j.notes("the end; Space again goes on to the next").keys("Up Space Space").quiet().notes("again");
    let j = j.keys("Space").expect_fetch("gopher://h/0/2").answer("text/plain", b"two");
    // On the last item, and where no list led, it stays.
    let j = j.keys("Space Space").expect_fetch("gopher://h/0/3").answer("text/plain", b"three").keys("Space Space");
    let j = j.quiet();
    j.at_url("gopher://h/0/3");
    Journey::new().open("gopher://h/0/x").answer("text/plain", b"x").keys("Space").quiet().at_url("gopher://h/0/x");
}

#[test]
fn a_tab_of_its_own_takes_the_list_along() {
    let j = list().keys("Down Down t").expect_fetch("gopher://h/0/2").answer("text/plain", b"two").look(among(2, 3));
    let j = j.keys("M-n").expect_fetch("gopher://h/0/3").answer("text/plain", b"three").look(among(3, 3));
    let j = j.keys("M-n").notes("this is the last of 3").keys("M-p").expect_fetch("gopher://h/0/2");
    let j = j.answer("text/plain", b"two").keys("R").expect_fetch("gopher://h/0/2").answer("text/plain", b"2");
    let j = j.keys("M-p").expect_fetch("gopher://h/0/1").answer("text/plain", b"one").look(among(1, 3));
    // What is followed from there is another list's, or none's.
    let j = j.keys("M-p").notes("this is the first of 3").open("gopher://h/0/x").answer("text/plain", b"x");
    let j = j.keys("M-n").notes("neither this page").keys("Left M-n").expect_fetch("gopher://h/0/2");
    j.quiet();
    let j = list().keys("T").expect_fetch("gopher://h/0/1").answer("text/plain", b"one").keys("}");
    j.look(among(1, 3)).keys("M-n").expect_fetch("gopher://h/0/2").quiet();
}

#[test]
fn a_page_that_was_filled_in_stays_and_the_list_goes_on() {
    let html = b"<ul><li><a href=1>One</a><li><a href=2>Two</a><li><a href=3>Three</a></ul>";
    let form = b"<form action=s><input type=checkbox name=q><input type=submit></form>";
    let j = Journey::new().open("http://h/").answer("text/html", html).keys("Down Enter").expect_fetch("http://h/2");
    let j = j.answer("text/html", form).look(among(2, 3)).keys("Enter");
    let j = j.keys("M-p").notes("what you filled in is kept on the page before").expect_fetch("http://h/1");
    let j = j.answer("text/html", b"one").look(among(1, 3)).keys("M-n").expect_fetch("http://h/2");
    let j = j.answer("text/html", form).keys("M-n").expect_fetch("http://h/3").answer("text/html", b"three");
    j.look(among(3, 3)).keys("Left").at_url("http://h/2").quiet();
}

#[test]
fn what_a_page_names_itself_goes_before_the_list() {
    let html = b"<ol><li><a href=1>One</a> by <a href=a>A</a><li><a href=2>Two</a> by <a href=b>B</a></ol><p><a href=3>Three</a>";
    let j = Journey::new().open("http://h/x/").answer("text/html", html).keys("Enter").expect_fetch("http://h/x/1");
    let named = b"<link rel=next href=/named>words";
    let j = j.answer("text/html", named).look(among(1, 2)).keys("M-n").expect_fetch("http://h/named");
    let j = j.keys("Esc Left").at_url("http://h/x/").keys("Enter").answer("text/html", b"words");
    j.keys("M-n").expect_fetch("http://h/x/2").answer("text/html", b"two").look(among(2, 2));
}

#[test]
fn the_order_of_the_list_is_that_of_the_screen() {
    let rows = b"type=file;size=30; a\r\ntype=dir; d\r\ntype=file;size=10; b\r\ntype=file;size=20; c\r\n";
    let j =
        Journey::new().open("ftp://h/").answer(media::DIRECTORY, rows).run("sort size").keys("Home Down Down Enter");
    let url = j.app.tab.loading.as_ref().map(|loading| loading.opening.url.clone()).unwrap();
    let order: Vec<String> = ["c", "b"].iter().map(|name| format!("ftp://h/{name}")).collect();
    assert_eq!(url.as_str(), order[0]);
    j.answer("text/plain", b"c").look(among(2, 3)).keys("M-n").expect_fetch(&order[1]);
}

#[test]
fn space_does_not_leave_a_list_for_another_one() {
    let j = Journey::at(&["1|A|/a", "1|B|/b"]).keys("Enter").answer(media::MENU, b"0X\t/x\th\t70\r\n.\r\n");
    let j = j.look(among(1, 2)).keys("Space Space").quiet().at_url("gopher://h/1/a");
    j.keys("M-n").expect_fetch("gopher://h/1/b");
}

#[test]
fn back_from_far_along_the_list_is_where_the_reader_stands_in_it_and_forward_too() {
    let rows: Vec<String> = (0..60).map(|at| format!("0|Text {at}|/{at}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut j = Journey::at(&rows).keys("Enter").answer("text/plain", b"words");
    for at in 1..41 {
        j = j.keys("M-n").expect_fetch(&format!("gopher://h/0/{at}")).answer("text/plain", b"words");
    }
    let j = j.keys("Left").at_url("gopher://h/").focus(40);
    // Whatever has the focus of the list meanwhile.
    let j = j.keys("Home L").at_url("gopher://h/0/40").look(among(41, 60));
    j.keys("M-p").expect_fetch("gopher://h/0/39");
}

#[test]
fn what_stands_around_a_list_is_none_of_its_items() {
    let html = b"<p><a href=h>Home</a> <a href=a>About</a><ul><li><a href=1>One</a> <a href=x>x</a><li><a href=2>Two</a></ul>\
        <p>See <a href=p>prose</a>.<ul><li><a href=3>Three</a><li><a href=4>Four</a></ul><table><tr><td><a href=t>T</a><td>1<tr><td>\
        <a href=u>U</a><td>2</table>";
    let opened = |link: usize| {
        let keys = format!("Home {}Enter", "Tab ".repeat(link));
        let j = Journey::new().open("http://h/").answer("text/html", html).keys(&keys);
        let j = j.answer("text/html", b"words");
        (j.app.entry().unwrap().url.to_string(), j.app.entry().unwrap().among.map(|among| (among.at, among.of)))
    };
    let found: Vec<_> = (0..9).map(opened).collect();
    let among = |path: &str| found.iter().find(|(url, _)| url.ends_with(path)).unwrap_or_else(|| panic!("{found:?}")).1;
    assert_eq!(
        ["/a", "/1", "/x", "/2", "/p", "/3", "/4", "/t"].map(among),
        [None, Some((1, 2)), None, Some((2, 2)), None, Some((1, 2)), Some((2, 2)), None],
        "{found:?}"
    );
}

#[test]
fn the_place_in_the_list_outlives_base_size_and_time_on_a_narrow_screen() {
    for columns in [70, 80, 90, 100] {
        let j = Journey::sized(columns, 24).open("gopher://gopher.example.org/").answer(
            media::MENU,
            &menu("gopher.example.org", &["0|One|/phlog/2024/one.txt", "0|Two|/phlog/2024/two.txt", "0|Three|/three"]),
        );
        let j = j.keys("Enter").answer(media::PLAIN, b"One.");
        let bar = screen(&j)[22].clone();
        assert!(bar.contains("1 of 3"), "{columns}: {bar}");
        let kept = ["base:", "ms", " B "].map(|note| bar.contains(note));
        assert!(columns == 100 || kept.contains(&false), "{columns}: {bar}");
    }
}

/// The stops of the tour, chapters of a book: whatever list they were reached by.
#[test]
fn a_page_that_has_a_number_leads_on_to_the_one_with_the_next() {
    let stop = |n: u32| {
        let beside = [format!("1|Stop {}: more|/{}", n + 1, n + 1), format!("1|Stop {}, again|/{}", n - 1, n - 1)];
        let rows = [format!("i|Stop {n} of 23. A menu|"), "0|Stop 1x|/x".into(), "0|Stop 40|/y".into()];
        let rows: Vec<String> = rows.into_iter().chain(beside).collect();
        menu("h", &rows.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let j = Journey::new().open("gopher://h/1/3").answer(media::MENU, &stop(3)).keys("M-n");
    let j = j.expect_fetch("gopher://h/1/4").answer(media::MENU, &stop(4)).keys("M-n").expect_fetch("gopher://h/1/5");
    j.keys("Esc M-p").expect_fetch("gopher://h/1/3");
    // Where two links have it, neither is meant.
    let rows = ["i|Part 1. One|", "1|Part 2|/a", "1|Part 2|/b"];
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &menu("h", &rows)).keys("M-n").quiet();
    j.notes("which page is the next one");
}

#[test]
fn the_only_menu_among_texts_has_what_stands_around_it() {
    let j =
        Journey::at(&["0|A|/a", "1|B|/b", "7|Search|/s", "0|C|/c"]).keys("Down Enter").expect_fetch("gopher://h/1/b");
    let j = j.answer(media::MENU, b"iwords\t\tx\t1\r\n").quiet().keys("M-n").expect_fetch("gopher://h/0/c");
    let j = j.answer(media::PLAIN, b"c").quiet().keys("Left").at_url("gopher://h/");
    let j = j.keys("Up Up Enter").expect_fetch("gopher://h/1/b").answer(media::MENU, b"iwords\t\tx\t1\r\n");
    j.quiet().keys("M-p").expect_fetch("gopher://h/0/a");
}

/// A mark on the same page, and a place of it by its name: the reader is still at the same item.
#[test]
fn a_jump_within_an_item_loses_no_list() {
    let long = "line\n".repeat(60);
    let j = list().keys("Down Down Enter").answer("text/plain", long.as_bytes()).look(among(2, 3));
    let j = j.run("goto 50").keys("m a Home ` a").look(|j| assert!(j.app.entry().unwrap().top.block > 30));
    let j = j.at_url("gopher://h/0/2").look(among(2, 3));
    let j = j.keys("M-n").expect_fetch("gopher://h/0/3").answer("text/plain", b"three").look(among(3, 3));
    j.keys("Left")
        .at_url("gopher://h/0/2")
        .look(|j| assert!(j.app.tab.loading.is_none()))
        .keys("Left")
        .top(0)
        .keys("Left")
        .at_url("gopher://h/");

    let page = b"<a href=#end>on</a><p id=end>the end";
    let j = list().keys("Enter").answer("text/html", page).look(among(1, 3)).keys("Enter");
    let j = j.at_url("gopher://h/0/1#end").look(among(1, 3));
    j.keys("M-n").expect_fetch("gopher://h/0/2");
}
