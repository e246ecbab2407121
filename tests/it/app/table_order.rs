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

/// A page that begins with a table has no line above it.
#[test]
fn a_table_without_titles_that_begins_the_page_is_sorted() {
    let page = "<title>q</title><table><tr><td><a href=q>b</a><td>2<td>x<tr><td><a href=r>a</a><td>1<td>y</table><p>e";
    let j = at(page).keys("s n");
    assert_eq!((rows(&j), text(&j)), ("a, b".into(), "a 1 y b 2 x  e".into()));
    let document = j.app.entry().unwrap().document().unwrap();
    assert_eq!((document.row_of(0), document.row_of(5)), (0..3, 3..6), "rows are whole");
}

/// The cells of a column in the order in which it is sorted.
fn column(title: &str, cells: &str) -> String {
    let cells: String =
        cells.split_whitespace().map(|cell| format!("<tr><td>{}<td>x", cell.replace('_', " "))).collect();
    let j = at(&format!("<table><tr><th>{title}<th>b{cells}</table>")).keys("s n");
    rows(&j).split(", ").skip(1).map(|cell| cell.replace(' ', "_")).collect::<Vec<_>>().join(" ")
}

#[test]
fn rows_at_the_foot_stay_there() {
    let page = "<table><thead><tr><th>n<th>x<tbody><tr><td>3<td>c<tr><td>1<td>a<tfoot><tr><td>2<td>sum</table>";
    assert_eq!(rows(&at(page).keys("s n")), "n, 1, 3, 2");
    assert_eq!(rows(&at(page).keys("s n s n")), "n, 3, 1, 2");
}

#[test]
fn columns_are_sorted_by_what_is_meant() {
    for (title, given, sorted) in [
        ("When", "3_Mar_2021 1_Apr_2020 2021-01-05 12.12.2019", "12.12.2019 1_Apr_2020 2021-01-05 3_Mar_2021"),
        ("When", "02/03/2021 13/02/2021 01/04/2020", "01/04/2020 13/02/2021 02/03/2021"),
        ("When", "03/02/2021 02/13/2021", "02/13/2021 03/02/2021"),
        ("n", "1.10 1.9 1.2", "1.2 1.9 1.10"),
        ("n", "1.10.1 1.9 1.10", "1.9 1.10 1.10.1"),
        ("Version", "1.11 1.9", "1.9 1.11"),
        ("n", "1.11 1.9", "1.11 1.9"),
        ("Size", "2M 1.5K 900 3_kB", "900 1.5K 3_kB 2M"),
        ("Name", "Zoo Ärger Apfel Über bald", "Apfel Ärger bald Über Zoo"),
    ] {
        assert_eq!(column(title, given), sorted, "{title}: {given}");
    }
}

#[test]
fn the_table_with_the_focus_is_sorted_or_else_the_first_in_view() {
    let rows = |name: &str| format!("<tr><td>{name}2<td>2<tr><td><a href={name}>{name}1</a><td>1");
    let plain = "<table><tr><th>p<th>q<tr><td>p2<td>2<tr><td>p1<td>1</table>";
    let page = format!(
        "<p><a href=x>x</a><p>{plain}<table><tr><th>a<th>n{}</table><table><tr><th>b<th>n{}</table>",
        rows("a"),
        rows("b")
    );
    let j = at(&page).keys("s n").notes("table 1 of 3 sorted by p");
    assert!(text(&j).contains("p1 1 p2 2"), "{}", text(&j));
    let j = j.keys("Tab Tab s n").notes("table 3 of 3 sorted by b");
    assert!(text(&j).contains("b1 1 b2 2"), "{}", text(&j));
}
