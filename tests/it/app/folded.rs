//! What is folded away is found, and a link into it leads there.

use super::journey::{Journey, lines};
use super::pointing::screen;
use wayfarer::format::media;

fn at(url: &str, body: &str) -> Journey {
    Journey::new().open(url).answer(media::HTML, body.as_bytes()).quiet()
}

fn find(j: Journey, words: &str) -> Journey {
    j.keys("/").text(words).keys("Enter")
}

/// The line at the top of the screen.
fn first(j: &Journey) -> &str {
    let entry = j.app.entry().unwrap();
    entry.document().unwrap().block_text(entry.top.block)
}

const PAGE: &str = "<h1>Head</h1><details><summary>First</summary><p>a pear</details><p>an apple\
    <details><summary>Second</summary><p>a plum<p id=deep>the deep place</details><div hidden>an apple, hidden</div>\
    <p><a href=#deep>down</a>";

#[test]
fn find_opens_the_folds_that_hold_the_words_and_no_others() {
    let j = at("http://h/", PAGE).look(|j| assert!(!j.page().contains("a plum")));
    let j = find(j, "plum").shows("a plum").look(|j| assert_eq!(j.count(), "1 of 1"));
    assert!(!j.page().contains("a pear"));
    let j = find(j, "apple").shows("an apple, hidden").look(|j| assert_eq!(j.count(), "1 of 2"));
    j.keys("n").look(|j| assert_eq!(j.count(), "2 of 2"));
}

#[test]
fn what_is_in_no_fold_either_is_not_on_the_page() {
    let j = find(at("http://h/", PAGE), "cherry").notes("\"cherry\" is not on this page");
    assert!(!j.page().contains("a plum"));
}

/// The keyboard does not wait for it.
#[test]
fn folds_of_a_long_page_are_looked_through_elsewhere() {
    let body = format!("<pre>{}</pre><details><summary>More</summary><p>the plum</details>", "line\n".repeat(200_000));
    let j = find(at("http://h/", &body).hold(), "plum");
    assert!(!j.page().contains("the plum"));
    let j = j.work().work().work().shows("the plum");
    assert_eq!(j.count(), "1 of 1");
}

#[test]
fn a_filter_shows_what_it_finds_in_folds() {
    let j = at("http://h/", PAGE).run("filter plum").look(|j| assert_eq!(j.page().trim(), "a plum"));
    let j = j.run("filter pear").look(|j| assert_eq!(j.page().trim(), "a pear"));
    let j = j.run("filter apple").shows("an apple, hidden").keys("&").keys("C-u Enter");
    assert!(j.page().contains("Second (") && !j.page().contains("a plum"), "{}", j.page());
}

#[test]
fn a_fragment_opens_the_fold_it_is_in() {
    let filler = String::from_utf8_lossy(&lines(60)).into_owned();
    let page = format!("{PAGE}<pre>{filler}</pre>");
    let j = at("http://h/#deep", &page).shows("the deep place");
    assert_eq!(first(&j), "the deep place");
    let j = at("http://h/", &page).look(|j| assert!(!j.page().contains("the deep place"))).run("goto 1");
    let j = j.run("open #deep").shows("the deep place").at_url("http://h/#deep");
    assert_eq!(first(&j), "the deep place");
    // back and forth it stays open
    j.keys("h").shows("Head").keys("l").shows("the deep place");
}

/// What is opened in the last row would be below the edge.
#[test]
fn lines_that_open_at_the_edge_of_the_screen_come_into_view() {
    let at = |before: usize, inside: usize| {
        let body = format!(
            "<pre>{}</pre><details><summary>More</summary><pre>{}</pre></details><p>end",
            "line\n".repeat(before),
            (1..=inside).map(|n| format!("inner {n}\n")).collect::<String>()
        );
        Journey::new().open("http://h/").answer(media::HTML, body.as_bytes())
    };
    for before in 14..=22 {
        let j = at(before, 5).keys("Down");
        assert!(!screen(&j).iter().any(|row| row.contains("inner")));
        let shown = screen(&j.keys("Enter"));
        assert!(shown.iter().any(|row| row.contains("inner 5")), "{before}: {shown:#?}");
        assert!(shown.iter().any(|row| row.contains("More")), "the head stays in view: {shown:#?}");
    }
    // Of more lines than there is room for the first; what is in view already moves nothing.
    let shown = screen(&at(20, 50).keys("Down Enter"));
    assert!(shown[0].contains("More") && shown[21].contains("inner"), "{shown:#?}");
    let before = screen(&at(3, 5).keys("Down"));
    let after = screen(&at(3, 5).keys("Down Enter"));
    assert_eq!(before[..4], after[..4]);
}
