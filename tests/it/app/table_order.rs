//! Tables of web pages in another order, and narrowed, by the keys of a directory.

use super::journey::Journey;
use wayfarer::app::{Effect, Kept};
use wayfarer::format::media;

const PAGE: &str = "<p>before<table><caption>All</caption><thead><tr><th><a href=n>Name</a><th>Size<th>Modified</thead>\
    <tr><td><a href=b>beta</a><td>1,200<td>2024-02-01<tr><td><a href=a>Alpha</a><td>90<td>2023-12-31\
    <tr><td><a href=c>gamma</a><td><td>2024-01-15<tr><td><a href=d>delta 10</a><td>90<td>2024-01-02\
    <tr><td><a href=e>delta 9</a><td>-5.5<td>n/a</table><p>after";

fn at(page: &str) -> Journey {
    Journey::new().open("http://h/").answer(media::HTML, page.as_bytes()).quiet()
}

/// What the page shows, cells after each other.
fn text(j: &Journey) -> String {
    let document = j.app.entry().unwrap().document().unwrap();
    (0..u32::try_from(document.blocks().len()).unwrap())
        .map(|block| document.block_text(block))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The first words of its rows.
fn rows(j: &Journey) -> String {
    let document = j.app.entry().unwrap().document().unwrap();
    let rows = document.table_rows(0);
    assert!(!rows.is_empty(), "it is a table still");
    (0..rows.len()).map(|row| document.cell_text(0, row, 0)).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_table_is_sorted_by_the_keys_of_a_directory() {
    let j = at(PAGE);
    assert_eq!(rows(&j), "Name, beta, Alpha, gamma, delta 10, delta 9");
    let j = j.keys("s n").notes("sorted by Name");
    assert_eq!(rows(&j), "Name, Alpha, beta, delta 9, delta 10, gamma");
    assert!(text(&j).contains("All Name Size Modified Alpha 90 2023-12-31 beta"), "{}", text(&j));
    assert!(text(&j).starts_with("before") && text(&j).ends_with("after"), "{}", text(&j));
    // the same again turns it round
    let j = j.keys("s n").notes("sorted by Name, turned round");
    assert_eq!(rows(&j), "Name, gamma, delta 10, delta 9, beta, Alpha");
    // numbers as numbers, what is alike as it was, what is empty last
    let j = j.keys("s s").notes("sorted by Size");
    assert_eq!(rows(&j), "Name, delta 9, Alpha, delta 10, beta, gamma");
    let j = j.keys("s r");
    assert_eq!(rows(&j), "Name, beta, Alpha, delta 10, delta 9, gamma");
    let j = j.keys("s d").notes("sorted by Modified");
    assert_eq!(rows(&j), "Name, Alpha, delta 10, gamma, beta, delta 9");
    let j = j.run("sort 2 reverse").notes("sorted by Size, turned round").run("sort mod");
    assert_eq!(rows(&j), "Name, Alpha, delta 10, gamma, beta, delta 9");
    let j = j.keys("s o").notes("in the page's own order").quiet();
    assert_eq!(rows(&j), "Name, beta, Alpha, gamma, delta 10, delta 9");
    j.run("sort colour").notes("sort 1 (Name), sort 2 (Size), sort 3 (Modified); the same again turns it round");
}

/// What the link under focus says.
fn focus(j: &Journey) -> String {
    let entry = j.app.entry().unwrap();
    entry.document().unwrap().link_text(entry.focus.unwrap()).to_owned()
}

#[test]
fn the_reader_stays_with_the_row_they_look_at() {
    let j = at(PAGE).keys("Tab");
    assert_eq!(focus(&j), "beta");
    let j = j.keys("s c").notes("sorted by Name");
    assert_eq!((focus(&j), rows(&j).starts_with("Name, Alpha")), ("beta".into(), true));
    let j = j.keys("s s");
    assert_eq!((focus(&j), rows(&j).ends_with("beta, gamma")), ("beta".into(), true));
    j.keys("Enter").expect_fetch("http://h/b").quiet();
}

#[test]
fn a_filter_keeps_the_titles_of_what_it_shows() {
    let j = at(PAGE).run("filter delta");
    assert_eq!(text(&j), "Name Size Modified delta 10 90 2024-01-02 delta 9 -5.5 n/a");
    let j = j.keys("s s");
    assert_eq!(text(&j), "Name Size Modified delta 9 -5.5 n/a delta 10 90 2024-01-02");
    assert_eq!(rows(&j), "Name, delta 9, delta 10");
    assert_eq!(text(&j.run("filter before")), "before");
}

#[test]
fn what_holds_together_is_not_torn_apart() {
    let spanned = "<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3<tr><td>4<td>5</table>";
    at(spanned).keys("s n").notes("this table cannot be sorted: some of its cells stand in several rows").quiet();
    let nested = "<table><tr><th>a<th>b<tr><td>2<td><table><tr><th>x<th>y<tr><td>1<td>2</table><tr><td>1<td>z</table>";
    at(nested).keys("s n").notes("this table cannot be sorted: tables stand in its cells").quiet();
    // titles that stand in two rows are no obstacle, nor are titles within
    let heads = "<table><tr><th rowspan=2>a<th>b<tr><th>c<tr><td>9<td>x<tr><td>1<td>y<tr><th colspan=2>more<tr><td>7<td>z<tr><td>2<td>u</table>";
    let j = at(heads).keys("s n");
    assert_eq!(text(&j), "a b c 1 y 9 x more 2 u 7 z");
    at("<p>words").keys("s n").notes("no rows").keys("s c").notes("no rows").quiet();
    // without a link under focus there is no column under it
    let j = at(heads).keys("s c").notes("sort 1 (a), sort 2 (b); the same again turns it round");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Site { .. }))));
}

/// It is the page's order, not its host's; and a long table is arranged beside the keyboard.
#[test]
fn a_page_that_comes_after_is_as_it_was_written() {
    let j = at(PAGE).keys("s n").open("http://h/two").answer(media::HTML, PAGE.as_bytes());
    assert_eq!(rows(&j), "Name, beta, Alpha, gamma, delta 10, delta 9");
    let j = j.keys("Left");
    assert_eq!(rows(&j), "Name, Alpha, beta, delta 9, delta 10, gamma");
    let long: String = (0..5000).map(|n| format!("<tr><td>{}<td>x", n * 7919 % 5003)).collect();
    let j = at(&format!("<table><tr><th>n<th>x{long}</table>")).keys("s n");
    let first: Vec<String> = rows(&j).split(", ").take(4).map(Into::into).collect();
    assert_eq!(first, ["n", "0", "1", "2"]);
}
