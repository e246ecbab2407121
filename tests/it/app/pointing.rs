//! The mouse: what it presses is found on the screen as it is drawn.

use super::journey::{Journey, lines};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use wayfarer::app::{Gesture, Msg, Overlay, Spot};
use wayfarer::format::media;
use wayfarer::theme::Theme;
use wayfarer::view::draw;

pub(super) trait Mouse: Sized {
    /// Does something where a text stands on the screen.
    fn over(self, gesture: Gesture, text: &str) -> Self;
    fn press(self, text: &str) -> Self {
        self.over(Gesture::Press, text)
    }
    /// Does something at a cell.
    fn at_cell(self, gesture: Gesture, column: u16, row: u16) -> Self;
}

impl Mouse for Journey {
    #[track_caller]
    fn over(self, gesture: Gesture, text: &str) -> Journey {
        let rows = screen(&self);
        let row =
            rows.iter().rposition(|row| row.contains(text)).unwrap_or_else(|| panic!("{text} is not in {rows:#?}"));
        let column = rows[row].split(text).next().unwrap().chars().count();
        self.at_cell(gesture, column as u16, row as u16)
    }

    fn at_cell(self, gesture: Gesture, column: u16, row: u16) -> Journey {
        let spot = spot(&self, column, row).unwrap();
        self.send(Msg::Mouse(gesture, spot))
    }
}

pub(super) fn screen(j: &Journey) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(j.app.desk.screen.columns, j.app.desk.screen.rows)).unwrap();
    let frame = terminal
        .draw(|frame| {
            draw(frame, &j.app, &Theme::default());
        })
        .unwrap();
    let width = usize::from(j.app.desk.screen.columns);
    frame.buffer.content.chunks(width).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
}

fn spot(j: &Journey, column: u16, row: u16) -> Option<Spot> {
    let mut terminal = Terminal::new(TestBackend::new(j.app.desk.screen.columns, j.app.desk.screen.rows)).unwrap();
    let mut spots = None;
    terminal.draw(|frame| spots = Some(draw(frame, &j.app, &Theme::default()))).unwrap();
    spots.unwrap().at(column, row)
}

#[test]
fn a_press_on_a_link_follows_it() {
    Journey::at(&["1|One|/one", "1|Two|/two"]).press("Two").focus(1).expect_fetch("gopher://h/1/two");
}

#[test]
fn a_press_on_a_name_in_the_path_leads_to_that_directory() {
    let at = |url: &str, columns| Journey::sized(columns, 24).open(url).answer("text/plain", b"text").quiet();
    at("http://h/docs/std/iter.html", 80).press("std/").expect_fetch("http://h/docs/std/");
    at("http://h/docs/std/iter.html", 80).press("docs/").expect_fetch("http://h/docs/");
    at("ftp://h/pub/gopher/", 80).press("pub").expect_fetch("ftp://h/pub/");
    at("ftp://h/pub/gopher/a.txt", 80).press("gopher").expect_fetch("ftp://h/pub/gopher/");
    at("ftp://h/pub/gopher/a.txt", 80).press("pub").expect_fetch("ftp://h/pub/");
    at("http://h/docs/std/iter.html", 80).press("h :80").expect_fetch("http://h/");
    // where it stands already, it is taken apart
    at("http://h/docs/std/iter.html", 80).press("iter.html").look(|j| assert!(j.over().contains("  scheme     http")));
}

#[test]
fn a_path_without_its_middle_still_leads_where_it_says() {
    let url = "http://h/alpha/bravo/charlie/delta/echo/foxtrot/golf/hotel.html";
    let j = Journey::sized(40, 24).open(url).answer("text/plain", b"text").quiet();
    let bar = screen(&j)[22].clone();
    assert!(bar.contains('…') && bar.contains("/alpha/") && bar.contains("hotel"), "{bar}");
    j.press("alpha").expect_fetch("http://h/alpha/");
}

#[test]
fn the_wheel_scrolls_the_page_or_what_lies_over_it() {
    let j = Journey::new().open("gopher://h/0/long").answer("text/plain", &lines(200)).quiet();
    let j = j.at_cell(Gesture::WheelDown, 5, 5).top(3).at_cell(Gesture::WheelDown, 5, 5).top(6);
    let j = j.at_cell(Gesture::WheelUp, 5, 5).top(3).keys("?").at_cell(Gesture::WheelDown, 5, 5).top(3);
    assert!(!j.app.hands.overlays().is_empty());
}

#[test]
fn a_list_is_chosen_from_and_closed_by_a_press_beside_it() {
    let menu = || Journey::at(&["1|One|/one", "1|Two|/two"]).keys("O");
    menu().press("Two").free().expect_fetch("gopher://h/1/two");
    menu().at_cell(Gesture::Press, 0, 0).free().quiet();
}

#[test]
fn a_question_is_answered_only_by_its_answers() {
    let asked = || {
        Journey::at(&["9|Archive|/pub/a.tar"])
            .keys("Enter")
            .expect_fetch("gopher://h/9/pub/a.tar")
            .head("application/x-zoo")
    };
    let j = asked().at_cell(Gesture::Press, 0, 0).asks("application/x-zoo");
    j.press("save").prompts("save as", "~/Downloads/a.tar");
}

#[test]
fn what_is_being_typed_is_not_lost_by_a_press() {
    Journey::at(&["1|One|/one"]).keys("g").text("abc").press("One").prompts("open", "abc").quiet();
}

#[test]
fn the_scrollbar_is_there_for_the_mouse_only_and_moves_the_page() {
    let j = Journey::new().open("gopher://h/0/long").answer("text/plain", &lines(200)).quiet();
    assert_eq!((j.app.layout().width, spot(&j, 79, 21)), (80, Some(Spot::Page)));
    let j = j.run("set mouse on");
    assert_eq!((j.app.layout().width, spot(&j, 79, 21)), (79, Some(Spot::Scrollbar(1000))));
    assert!(screen(&j)[0].ends_with('█') && screen(&j)[21].ends_with('│'), "{:#?}", screen(&j));
    let j = j.at_cell(Gesture::Press, 79, 21).top(178);
    assert!(screen(&j)[21].ends_with('█'));
    let j = j.at_cell(Gesture::Drag, 79, 0).top(0);
    // dragged away from the bar nothing moves
    j.at_cell(Gesture::Drag, 40, 20).top(0);
}

#[test]
fn a_press_on_a_tab_brings_it_to_the_front() {
    let j = Journey::at(&["1|One|/one", "1|Two|/two"]).keys("T Down T").press("2 h/1/one");
    assert_eq!(j.app.tab_at(), 1);
    let j = j.press("1 h").at_url("gopher://h/").focus(1);
    // What lies over the page comes first.
    let j = j.keys("?").press("2 h/1/one");
    assert_eq!((j.app.tab_at(), j.app.hands.overlays().len()), (0, 0));
}

#[test]
fn the_middle_button_opens_a_link_in_a_tab_behind() {
    let j = Journey::at(&["1|One|/one", "1|Two|/two"]).over(Gesture::Middle, "Two").expect_fetch("gopher://h/1/two");
    let j = j.at_url("gopher://h/").focus(1);
    assert_eq!((j.app.tab_at(), j.app.tab_count()), (0, 2));
    // Beside links it does nothing, and no more while something lies over the page.
    let j = j.at_cell(Gesture::Middle, 60, 10).keys("O").over(Gesture::Middle, "One");
    assert_eq!((j.app.tab_count(), j.app.hands.overlays().len()), (2, 1));
}

#[test]
fn a_row_that_the_prompt_offers_can_be_pressed() {
    let visited = || {
        let j = Journey::new().open("gopher://first/").answer("text/plain", b"x");
        j.open("gopher://second/").answer("text/plain", b"x").quiet().keys("g").text("first")
    };
    visited().press("gopher://first/").free().expect_fetch("gopher://first/");
    // A command may want more words.
    let j = visited().keys("Esc :").text("bookmar").press("bookmarks").prompts(":", "bookmarks");
    j.press("x  ").prompts(":", "bookmarks").notes("type on");
}

#[test]
fn the_wheel_goes_through_what_the_prompt_offers_and_stops_at_its_ends() {
    let j = Journey::at(&["1|One|/one"]).keys(":").text("move-tab ");
    assert_eq!(j.offered(), ["move-tab left", "move-tab right"]);
    let j = j.at_cell(Gesture::WheelDown, 5, 5).prompts(":", "move-tab left");
    let j = j.at_cell(Gesture::WheelDown, 5, 5).at_cell(Gesture::WheelDown, 5, 5).prompts(":", "move-tab right");
    j.at_cell(Gesture::WheelUp, 5, 5).at_cell(Gesture::WheelUp, 5, 5).prompts(":", "move-tab left").quiet();
}

#[test]
fn options_and_lines_of_a_form_can_be_pressed() {
    let ask: &[u8] =
        b"+INFO: 0Form\t/f\th\t70\t?\r\n+ASK:\r\n Choose: Colour?\tred\tgreen\tblue\r\n Select: A copy?:0\r\n";
    let j = Journey::new().open("gopher://h/0/f%09%09%3F").head(media::FORM).body(ask).end();
    let chosen = |j: &Journey| match j.app.hands.overlays().last() {
        Some(Overlay::Form(state)) => format!("{:?}", state.fields.iter().map(|f| &f.value).collect::<Vec<_>>()),
        other => panic!("{other:?}"),
    };
    let j = j.press("blue");
    assert!(chosen(&j).contains("chosen: 2"), "{}", chosen(&j));
    let j = j.press("red").press("A copy?");
    assert!(chosen(&j).contains("chosen: 0") && chosen(&j).contains("Check(true)"), "{}", chosen(&j));
}
