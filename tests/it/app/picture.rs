//! A picture as a page: opened, looked at, left.

use super::journey::Journey;
use crate::picture::png;
use wayfarer::app::{Effect, Msg};
use wayfarer::picture::{Graphics, Protocol};
use wayfarer::proto::Verdict;
use wayfarer::work::Work;

fn opened() -> Journey {
    let j = Journey::at(&["I|Picture|/p.png", "0|Text|/t.txt"]).keys("Enter").expect_fetch("gopher://h/I/p.png");
    j.answer("image/png", &png(800, 600))
}

fn cells(j: &Journey) -> (u16, u16) {
    j.app.sight().pictured().unwrap().drawing.as_ref().unwrap().frame.cells
}

fn part(j: &Journey) -> [u32; 4] {
    j.app.sight().pictured().unwrap().drawing.as_ref().unwrap().frame.part
}

#[test]
fn a_picture_is_a_page_that_says_what_it_is() {
    let j = opened().shows("PNG picture, 800 x 600, ").at_url("gopher://h/I/p.png");
    assert_eq!(cells(&j), (80, 21), "all rows below its words");
    let drawn = j.app.sight().pictured().unwrap().drawing.as_ref().unwrap().graphics;
    assert_eq!(drawn, Graphics::default(), "half blocks, as long as the terminal says nothing");
}

#[test]
fn a_picture_is_drawn_beside_the_keyboard_and_again_for_another_size() {
    let j = opened().hold().resize(40, 10);
    let works = |j: &Journey| {
        let drawn = |effect: &&Effect| matches!(effect, Effect::Work { work: Work::Draw(_), .. });
        j.effects.iter().filter(drawn).count()
    };
    let before = works(&j);
    let j = j.resize(60, 20).keys("+");
    assert_eq!(works(&j), before, "one after the other");
    let j = j.work();
    let j = j.work();
    assert_eq!(cells(&j), (60, 17));
}

#[test]
fn a_terminal_that_can_show_more_is_given_more() {
    let j = opened().send(Msg::Graphics(Protocol::Kitty, Some((10, 20))));
    let drawing = j.app.sight().pictured().unwrap().drawing.clone().unwrap();
    assert_eq!(drawing.graphics, Graphics { protocol: Protocol::Kitty, cell: (10, 20) });
    assert_eq!((drawing.frame.cells, drawing.frame.pixels), ((80, 21), (800, 420)));
}

#[test]
fn keys_enlarge_and_pan() {
    let j = opened().keys("+").notes("150 %");
    assert!(part(&j)[2] < 800);
    let (x, y) = (part(&j)[0], part(&j)[1]);
    let j = j.keys("Right Down");
    assert!(part(&j)[0] > x && part(&j)[1] > y);
    let j = j.keys("0").notes("as wide as there is room");
    assert_eq!(part(&j)[..3], [0, 0, 800]);
    let j = j.keys("- - - -").notes("25 %");
    assert_eq!(part(&j), [0, 0, 800, 600]);
    j.run("pan sideways").notes("pan left, right, up, down, page-up, page-down, top, bottom");
}

#[test]
fn the_bar_says_how_far_down_a_picture_one_is() {
    let place = |j: &Journey| j.app.sight().position().unwrap().to_string();
    let j = opened();
    assert_eq!(place(&j), "Top");
    let j = j.keys("+ Down");
    assert!(place(&j).ends_with('%'), "{}", place(&j));
    let j = j.keys("Down Down Down Down");
    assert_eq!(place(&j), "Bot");
    assert_eq!(place(&j.keys("- - - - -")), "All");
}

#[test]
fn keys_that_move_in_a_page_move_along_a_picture() {
    let place = |j: &Journey| j.app.sight().position().unwrap().to_string();
    let tall = || {
        let j = Journey::at(&["I|Picture|/p.png", "0|Text|/t.txt"]).keys("Enter").expect_fetch("gopher://h/I/p.png");
        j.answer("image/png", &png(10, 3000))
    };
    let j = tall().keys("End");
    assert_eq!((place(&j).as_str(), part(&j)[1] + part(&j)[3]), ("Bot", 3000));
    let j = j.keys("Home");
    assert_eq!((place(&j).as_str(), part(&j)[1]), ("Top", 0));
    for (forth, back) in [("Space", "b"), ("C-f", "PgUp"), ("C-d", "C-u"), ("J", "K"), ("j", "k")] {
        let j = tall().keys(forth);
        assert!(part(&j)[1] > 0, "{forth}");
        assert_eq!(place(&j.keys(back)), "Top", "{back}");
    }
    // Behind its end it goes on.
    tall().keys("End Space").notes("the end; Space again").keys("Space").expect_fetch("gopher://h/0/t.txt");
    for keys in ["vi", "lynx", "emacs"] {
        let mut j = Journey::new();
        j.app.desk.keymap = super::presets::preset(keys);
        let j = j.open("http://h/p.png").answer("image/png", &png(10, 3000)).keys("Space");
        assert!(part(&j)[1] > 0, "{keys}");
    }
}

#[test]
fn left_is_the_way_back_where_all_of_the_width_is_seen() {
    let j = opened().keys("+ Left").at_url("gopher://h/I/p.png");
    j.keys("0 Left").at_url("gopher://h/");
    Journey::at(&["0|Text|/t.txt"]).run("enlarge").notes("enlarge does nothing here");
}

#[test]
fn a_picture_that_breaks_off_says_so() {
    let octets = png(300, 300);
    let j = Journey::new().open("http://h/p.png").answer("image/png", &octets[..octets.len() / 2]);
    j.shows("It breaks off: what came of it is shown.");
    let j = Journey::new().open("http://h/p.png").answer("image/jpeg", b"no picture");
    let j = j.shows("This is no picture of a kind that is shown here");
    assert!(j.app.sight().picture().is_none());
}

#[test]
fn a_reader_may_want_no_pictures() {
    let j = Journey::at(&["I|Picture|/p.png"]).run("set pictures never").keys("Enter").head("image/png");
    j.asks("This is no page: image/png").text("c").expect_verdict(Verdict::Refuse);
    let mut j = Journey::at(&["I|Picture|/p.png"]);
    j.app.desk.settings.speech = true;
    let j = j.keys("Enter").answer("image/png", &png(80, 60)).shows("PNG picture, 80 x 60");
    assert!(j.app.sight().picture().is_none(), "nothing is drawn for who listens");
}

/// A page of the web with pictures of its own host and of another.
const PAGE: &[u8] = b"<p>Words <img src=one.png alt=one> and <img src=http://elsewhere/two.png alt=two>";

#[test]
fn a_page_asks_for_no_picture_by_itself() {
    let j = Journey::new().open("http://h/").answer("text/html", PAGE).shows("[one]").shows("[two]");
    assert_eq!(j.fetches.len(), 1, "{:?}", j.fetches);
}

#[test]
fn one_key_shows_the_picture_of_a_link_beside_its_page() {
    let j = Journey::new().open("http://h/").answer("text/html", PAGE).keys("M-v").expect_fetch("http://h/one.png");
    let j = j.answer("image/png", &png(80, 60)).at_url("http://h/");
    let beside = j.app.beside().unwrap();
    assert!(beside.picture().is_some() && beside.pictured().unwrap().drawing.is_some());
    // Another one takes its place.
    let j = j.keys("Tab M-v").expect_fetch("http://elsewhere/two.png").answer("image/png", &png(40, 30));
    assert_eq!(j.app.beside().unwrap().picture().unwrap().width(), 40);
    assert_eq!(j.app.tab_count(), 2);
}
