//! The screen as it is heard: what stands in fields, which of how many a thing is, one thing a line, nothing that is only drawn.

use super::{text, themed};
use crate::app::journey::{Journey, menu};
use crate::app::news::{GROUP, reader};
use wayfarer::format::media;

fn heard(columns: u16, rows: u16) -> Journey {
    let mut j = Journey::sized(columns, rows);
    j.app.desk.settings.speech = true;
    j
}

/// The rows of the screen, without blanks at their ends.
fn rows(j: &Journey) -> Vec<String> {
    let screen = text(&j.app, &themed(true)).replace('\u{a0}', " ");
    screen.lines().filter(|row| row.starts_with('|')).map(|row| row.trim_matches('|').trim_end().to_owned()).collect()
}

/// What the last rows tell.
#[track_caller]
fn told(j: Journey, words: &str) -> Journey {
    let rows = rows(&j);
    let foot = rows[rows.len() - 2..].join(" ");
    assert!(foot.contains(words), "{words:?} is not in {foot:?}");
    j
}

const FORM: &[u8] = b"<form action=/go><p><label>Name <input name=n value=Ada></label> <p><label>Word <input type=password \
    name=p></label><p><label><input type=checkbox name=c> I agree</label><p><label><input type=radio name=r checked> red\
    </label><p><label>Size <select name=s><option>Small<option selected>Large</select></label><p><label>Said <textarea name=t>\
    one\ntwo</textarea></label><p><input type=submit value=Go></form>";

#[test]
fn fields_tell_which_they_are_and_what_stands_in_them() {
    let j = told(heard(100, 24).open("http://h/").answer("text/html", FORM), "field 1 of 7: Name, text, holds Ada");
    let j = told(j.keys("Enter C-u Enter"), "field 1 of 7: Name, text, empty");
    let j = told(j.keys("Tab"), "field 2 of 7: Word, password, empty");
    let j = told(j.keys("Enter").text("sesam").keys("Enter"), "password, filled in");
    assert!(!rows(&j).join("\n").contains("sesam"));
    let j = told(j.keys("Tab"), "I agree, box, not checked");
    let j = told(j.keys("Enter"), "I agree, box, checked");
    let j = told(j.keys("Tab"), "red, one of several, chosen");
    let j = told(j.keys("Tab"), "Size, list, Large chosen of 2");
    let j = told(j.keys("Tab"), "holds 2 lines from one");
    let j = told(j.keys("Tab"), "field 7 of 7: Go");
    assert!(rows(&j).iter().all(|row| !row.contains('·')), "{:?}", rows(&j));
}

/// "last link; on from the top" stood in its place.
#[test]
fn who_comes_round_to_the_first_link_hears_which_it_is() {
    let j = heard(80, 24).open("gopher://h/").answer(media::MENU, &menu("h", &["0|One|/1", "0|Two|/2"]));
    let j = told(j.keys("Tab Tab"), "last link; on from the top: link 1 of 2: One");
    told(j.keys("S-Tab"), "first link; on from the bottom: link 2 of 2: Two");
}

#[test]
fn a_row_of_a_list_says_which_of_how_many_it_is() {
    let j = heard(80, 24).open("gopher://h/").answer(media::MENU, &menu("h", &["0|One|/1", "0|Two|/2"]));
    let j = told(j.keys("O"), "1 of 2: One");
    told(told(j.keys("Down"), "2 of 2: Two").text("one"), "1 of 1: One");
}

/// Name, size and date were lines of their own.
#[test]
fn a_file_of_a_directory_is_one_line() {
    let files = b"type=file;size=31234;modify=19911202142000; README\r\ntype=dir;modify=19940324000000; gopher\r\n";
    let j = heard(80, 24).open("ftp://h/").answer(media::DIRECTORY, files);
    let shown = rows(&j);
    let line = |name: &str| shown.iter().find(|row| row.contains(name)).cloned().unwrap_or_default();
    assert_eq!(
        (line("README"), line("gopher")),
        ("  README, 31.2 kB, 1991-12-02 14:20".into(), "  gopher/, dir, 1994-03-24".into())
    );
}

/// "unread 2 unread Lamps": the mark and the count said it both.
#[test]
fn a_thread_says_once_that_it_is_unread() {
    let mut r = reader("g.one: 1-3\n");
    r.j.app.desk.settings.speech = true;
    let mut j = r.then(|j| j.open("nntp://s/g.one").answer(media::NEWSGROUP, GROUP.as_bytes())).j;
    for _ in 0..2 {
        let shown = rows(&j);
        let doubled = |row: &&String| row.matches("unread").count() > 1 && !row.contains("articles");
        assert_eq!(shown.iter().find(doubled), None, "{shown:?}");
        assert!(shown.iter().any(|row| row.contains("unread") && !row.contains("articles")), "{shown:?}");
        j = j.keys("*");
    }
}

#[test]
fn strokes_before_folded_lines_are_not_said() {
    let quoted: String = (1..=30).map(|n| format!("> line {n} that was quoted\r\n")).collect();
    let article = format!("From: a@h\r\nSubject: S\r\nMessage-ID: <1@h>\r\nNewsgroups: a.b\r\n\r\n{quoted}Yes.\r\n");
    let j = heard(80, 24).open("nntp://h/a.b/7").answer(media::MESSAGE, article.as_bytes());
    let shown = rows(&j);
    assert!(!shown.iter().any(|row| row.contains('┄')), "{shown:?}");
    assert!(shown.iter().any(|row| row.contains("30 quoted") || row.contains("headers")), "{shown:?}");
}

#[test]
fn the_bar_begins_with_what_the_page_is_called_and_where_tells_the_rest() {
    let items: Vec<String> = (1..=43).map(|n| format!("0|Letter {n}|/{n}")).collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let long: String = (1..=90).map(|n| format!("line {n}\n")).collect();
    let j = heard(80, 24).open("gopher://h/").answer(media::MENU, &menu("h", &items)).keys("Tab Tab Enter");
    let j = j.answer("text/plain", long.as_bytes());
    let bar = rows(&j)[21].clone();
    assert!(bar.starts_with("Letter 3, 3 of 43, gopher://h/0/3"), "{bar}");
    let j = told(j.keys("Space C-g"), "Letter 3, gopher://h/0/3, 26% down, 3 of 43 of the list before");
    told(j.keys("End C-g"), "at the end");
}

#[test]
fn what_has_no_room_ends_in_words_and_an_item_s_place_comes_before_its_address() {
    let long = "a-name-that-goes-on".repeat(5);
    let row = format!("0|One|/{long}");
    let j = heard(60, 24).open("gopher://h/").answer(media::MENU, &menu("h", &[&row, "0|Two|/2"])).keys("Enter");
    let bar = rows(&j.answer("text/plain", b"x\n"))[21].clone();
    assert!(bar.contains("1 of 2, gopher://h/0/") && bar.contains("...") && !bar.contains('…'), "{bar}");
}

#[test]
fn dots_between_short_facts_are_commas() {
    let shown = rows(&heard(80, 24).open("about:settings"));
    assert!(shown.iter().any(|row| row.contains("Left and Right set, ")), "{shown:?}");
    let mut r = reader("g.one: 1-3\n");
    r.j.app.desk.settings.speech = true;
    let shown = rows(&r.then(|j| j.open("nntp://s/g.one").answer(media::NEWSGROUP, GROUP.as_bytes())).j);
    assert!(shown[0].starts_with("g.one, 6 articles"), "{shown:?}");
    assert!(!shown.iter().any(|row| row.contains('·')), "{shown:?}");
}
