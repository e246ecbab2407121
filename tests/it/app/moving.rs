//! Focus, scrolling, numbers, hints.

use super::journey::{Journey, lines, long_menu, menu};
use wayfarer::doc::{Anchor, Line};
use wayfarer::format::media;

fn screen(j: &Journey) -> (u32, u32) {
    let entry = j.app.entry().unwrap();
    let lines = j.app.layout().lines(entry.document().unwrap(), entry.top, j.app.page_rows());
    (lines.first().unwrap().anchor.block, lines.last().unwrap().anchor.block)
}

#[test]
fn down_goes_from_link_to_link_on_the_screen() {
    Journey::at(&["0|A|/a", "i|words", "0|B|/b", "0|C|/c"])
        .focus(0)
        .keys("j")
        .focus(1)
        .keys("j j")
        .focus(2)
        .top(0)
        .keys("k k k")
        .focus(0);
}

/// No text passes by unseen: each screen begins at most where the last one ended.
#[test]
fn down_never_skips_text() {
    let mut rows = vec!["0|A|/a".to_owned()];
    rows.extend((0..90).map(|n| format!("i|text {n}")));
    rows.push("0|B|/b".into());
    rows.extend((0..90).map(|n| format!("i|more {n}")));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut j = Journey::at(&rows);
    let (mut seen, mut focused) = (screen(&j).1, false);
    for _ in 0..400 {
        j = j.keys("j");
        let (first, last) = screen(&j);
        assert!(first <= seen + 1, "skipped from {seen} to {first}");
        seen = seen.max(last);
        focused |= j.app.entry().unwrap().focus.map(|link| link.0) == Some(1);
    }
    assert!(focused, "the second link had its turn");
    assert_eq!(seen, 181, "the end was reached");
    for _ in 0..400 {
        j = j.keys("k");
    }
    j.top(0).focus(0);
}

#[test]
fn the_focus_is_always_a_link_that_can_be_seen() {
    let mut rows = vec!["0|A|/a".to_owned()];
    rows.extend((0..90).map(|n| format!("i|text {n}")));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    Journey::at(&rows).keys("Space").focus(None).keys("Enter").notes("no link").keys("b b").focus(0);
}

#[test]
fn tab_goes_to_any_link_and_around() {
    let mut rows = vec!["0|A|/a".to_owned()];
    rows.extend((0..90).map(|n| format!("i|text {n}")));
    rows.push("0|B|/b".into());
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    Journey::at(&rows)
        .keys("Tab")
        .focus(1)
        .look(|j| assert!(screen(j).1 >= 91))
        .keys("Tab")
        .focus(0)
        .notes("from the top")
        .top(0)
        .keys("S-Tab")
        .focus(1);
}

#[test]
fn pages_and_ends() {
    let j = Journey::new().open("gopher://h/0t").answer(media::PLAIN, &lines(500));
    j.keys("Space")
        .top(20)
        .keys("b")
        .top(0)
        .keys("C-d")
        .top(11)
        .keys("C-u")
        .top(0)
        .keys("End")
        .look(|j| assert_eq!(screen(j).1, 499))
        .keys("Space J Down PgDn")
        .look(|j| assert_eq!(screen(j).1, 499))
        .keys("Home J J K")
        .top(1);
}

#[test]
fn goto_a_share_a_line_an_end() {
    Journey::new()
        .open("gopher://h/0t")
        .answer(media::PLAIN, &lines(1000))
        .run("goto 50%")
        .look(|j| assert!((490..510).contains(&j.app.entry().unwrap().top.block)))
        .run("goto 34")
        .top(33)
        .run("goto top")
        .top(0)
        .run("goto nowhere")
        .notes("goto needs")
        .run("goto 100%")
        .look(|j| assert_eq!(screen(j).1, 999));
}

#[test]
fn a_number_shows_its_link_and_follows_it() {
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, &long_menu("h", 30))
        .keys("1")
        .prompts("link", "1")
        .look(|j| assert!(j.app.hands.prompt().unwrap().remark.contains("gopher://h/0/1")))
        .text("2x")
        .prompts("link", "12")
        .look(|j| assert!(j.app.hands.prompt().unwrap().remark.contains("Item number 12")))
        .keys("Enter")
        .expect_fetch("gopher://h/0/12")
        .keys("Esc")
        .keys("9 9 Enter")
        .notes("no link 99");
}

#[test]
fn where_there_are_no_links_a_digit_says_so() {
    let j = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, b"A text.\n");
    j.keys("1").free().notes("no links here").run("number 3").free().notes("no links here").quiet();
}

#[test]
fn hints_name_the_links_of_the_screen() {
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, &long_menu("h", 40))
        .keys("f")
        .look(|j| assert_eq!(j.app.hands.hints.len(), 22))
        .text("d")
        .expect_fetch("gopher://h/0/3")
        .free()
        .look(|j| assert!(j.app.hands.hints.is_empty()));
}

#[test]
fn hints_of_two_letters_when_the_screen_has_many() {
    let j = Journey::sized(80, 60).open("gopher://h/").answer(media::MENU, &long_menu("h", 100)).keys("f").text("s");
    assert_eq!(j.app.hands.hints.len(), 58);
    assert!(j.app.hands.prompt().is_some());
    j.text("a").expect_fetch("gopher://h/0/27").free();
}

#[test]
fn a_wrong_hint_closes_them() {
    Journey::at(&["0|A|/a"]).keys("f").text("9").free().notes("no link 9");
}

#[test]
fn sideways_only_when_lines_run_on() {
    let long = "x".repeat(300);
    Journey::new()
        .open("gopher://h/0t")
        .answer(media::PLAIN, long.as_bytes())
        .keys(">")
        .notes("lines wrap")
        .keys("w > >")
        .look(|j| assert_eq!(j.app.entry().unwrap().left, 16))
        .keys("<")
        .look(|j| assert_eq!(j.app.entry().unwrap().left, 8))
        .keys("w")
        .look(|j| assert_eq!(j.app.entry().unwrap().left, 0));
}

#[test]
fn an_empty_page_takes_every_key() {
    Journey::new()
        .open("gopher://h/1/empty")
        .answer(media::MENU, b"")
        .keys("Down Up Space b End Home Tab S-Tab J K Enter f O # w C-d C-u / a Enter n N = Esc")
        .look(|j| assert_eq!(j.app.entry().unwrap().top, Anchor::default()));
}

#[test]
fn find_a_link_by_its_words() {
    Journey::at(&["0|Apples|/a", "0|Pears|/p", "0|More apples|/m"])
        .keys("'")
        .text("apple")
        .look(|j| assert!(j.app.hands.prompt().unwrap().remark.contains("2 links: More apples")))
        .keys("Enter")
        .focus(2)
        .keys("'")
        .text("quince")
        .keys("Enter")
        .notes("no link says")
        .focus(2);
}

#[test]
fn the_focus_survives_a_resize() {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &menu("h", &["i|x", "0|A|/a", "0|B|/b"]));
    j.keys("Down").focus(1).resize(20, 4).focus(1).resize(200, 60).focus(1);
}

#[test]
fn lines_that_run_on_are_scrolled_to_matches_and_links_and_no_further() {
    let mut text = "x".repeat(200) + " needle http://a.example/\nhttp://b.example/\n";
    text.push_str(&"y\n".repeat(60));
    let left = |expected: u16| move |j: &Journey| assert_eq!(j.app.entry().unwrap().left, expected);
    let j = Journey::new().open("gopher://h/0a").answer(media::PLAIN, text.as_bytes()).keys("w").focus(1);
    j.keys("/ n e e d l e Enter")
        .look(left(201 - 26))
        .focus(0)
        .keys("Tab")
        .focus(1)
        .look(left(0))
        .keys(["> "; 40].concat().trim_end())
        .look(|j| assert_eq!(j.app.entry().unwrap().left.div_ceil(8), (226u16 - 80).div_ceil(8)))
        .focus(0);
}

/// A table that is wider than sixty columns, between two paragraphs.
fn wide_table() -> Journey {
    let cells = |row: u32| (0..12).map(|n| format!("<td><a href=/{row}/{n}>link-{row}.{n}</a>")).collect::<String>();
    let rows: String = (0..3).map(|row| format!("<tr>{}", cells(row))).collect();
    let table = format!("<p>above<table><tr><th>Links{rows}</table><p>below <a href=/end>the end</a>");
    Journey::sized(60, 20).open("http://h/table").answer(media::HTML, table.as_bytes()).quiet()
}

fn left(j: &Journey) -> u16 {
    j.app.entry().unwrap().left
}

/// What stands on the screen.
#[track_caller]
fn sees(j: Journey, words: &str) -> Journey {
    let entry = j.app.entry().unwrap();
    let lines = j.app.layout().lines_scrolled(entry.document().unwrap(), entry.top, j.app.page_rows(), entry.left);
    let text = |line: &Line<'_>| line.segments.iter().map(|segment| segment.text.as_ref()).collect::<String>() + "\n";
    let seen: String = lines.iter().map(text).collect();
    assert!(seen.contains(words), "{words:?} is not in\n{seen}");
    j
}

#[test]
fn a_wide_table_scrolls_sideways_although_lines_wrap() {
    let j = sees(sees(wide_table(), "link-0.4  link-0.5 ›"), "above");
    let j = sees(sees(j.keys(">").look(|j| assert_eq!(left(j), 30)), "‹ink-0.3"), "above");
    let j = j.keys("> > >");
    let end = left(&j);
    let j = sees(j, "link-0.10  link-0.11").keys(">").look(|j| assert_eq!(left(j), end));
    j.keys("<").look(|j| assert!(left(j) < end)).keys("< < < < < < < < <").look(|j| assert_eq!(left(j), 0));
}

#[test]
fn past_a_wide_table_the_next_one_is_seen_from_its_left_edge() {
    let wide =
        format!("<table><tr><th>a{}<tr><td>b{}</table>", "<th>some-words".repeat(20), "<td>more-words".repeat(20));
    let page = format!("{wide}{}{wide}", "<p>text".repeat(60));
    let j = Journey::sized(60, 20).open("http://h/").answer(media::HTML, page.as_bytes()).keys("> > >");
    let j = j.look(|j| assert_eq!(left(j), 90)).keys("J").look(|j| assert_eq!(left(j), 90));
    sees(j.keys("Space").look(|j| assert_eq!(left(j), 0)).keys("End"), "a  some-words");
}

#[test]
fn where_nothing_is_wide_there_is_nothing_to_the_right() {
    Journey::new()
        .open("http://h/")
        .answer(media::HTML, b"<table><tr><th>a<th>b</table>")
        .keys(">")
        .notes("nothing here is wider than the screen");
}

#[test]
fn a_link_in_a_hidden_column_comes_into_sight_with_the_focus() {
    let mut j = wide_table().focus(0);
    for link in 1..36 {
        j = j.keys(if link % 2 == 0 { "Tab" } else { "Down" }).focus(link).shows(&format!(
            "link-{}.{}",
            link / 12,
            link % 12
        ));
    }
    let far = left(&j);
    assert!(far > 0);
    // what stands outside of the table does not move it
    let mut j = j.keys("Tab").focus(36).look(|j| assert_eq!(left(j), far));
    for link in (0..36).rev() {
        j = sees(j.keys("Up").focus(link), &format!("link-{}.{}", link / 12, link % 12));
    }
    assert_eq!(left(&j), 0);
}

#[test]
fn a_match_in_a_hidden_column_comes_into_sight() {
    let j = sees(wide_table().keys("/").text("2.11").keys("Enter"), "link-2.11").focus(35);
    let j = sees(j.keys("/").text("0.0").keys("Enter"), "link-0.0");
    assert_eq!(left(&j), 0);
}

#[test]
fn the_focus_goes_to_the_top_the_middle_or_the_bottom_of_the_screen() {
    let items: String = (0..100).map(|n| format!("0item {n}\t/{n}\th\t70\r\n")).collect();
    let mut j = Journey::new().resize(80, 24).open("gopher://h/").answer(media::MENU, items.as_bytes());
    for _ in 0..40 {
        j = j.keys("Down");
    }
    let top = |j: &Journey| j.app.entry().unwrap().top.block;
    let focus = j.app.entry().unwrap().focus;
    for (to, block) in [("top", 40), ("bottom", 19), ("middle", 29)] {
        j = j.run(&format!("line-to {to}"));
        assert_eq!((top(&j), j.app.entry().unwrap().focus), (block, focus), "{to}");
    }
    let j = j.keys("Home").run("line-to bottom");
    assert_eq!(top(&j), 0, "there is nothing above the first");
}
