//! Pictures on the screen.

use super::stage::browser;
use super::{drawn, text, themed};
use crate::app::journey::Journey;
use crate::picture::png;
use ratatui::style::Color;
use wayfarer::app::{App, Effect, Msg, update};
use wayfarer::format::{Input, parse};
use wayfarer::picture::Protocol;
use wayfarer::stop::Stop;
use wayfarer::theme::Depth;
use wayfarer::url::Url;

/// A browser that shows a picture.
fn shows(columns: u16, rows: u16, width: u32, height: u32) -> App {
    let url = "gopher://h/I/p.png";
    let input = Input {
        media: "image/png".into(),
        charset: None,
        groups: Default::default(),
        url: Url::parse(url).unwrap(),
        notices: Vec::new(),
    };
    let document = parse(&input, &png(width, height)).unwrap();
    let mut app = browser(columns, rows);
    let entry = super::stage::entry(url, "image/png", wayfarer::app::PageState::Complete, |out| {
        *out.document_mut() = document;
    });
    app.tab.history.push(entry);
    told(&mut app, Msg::Resize(columns, rows));
    app
}

fn told(app: &mut App, message: Msg) {
    for effect in update(app, message) {
        if let Effect::Work { id, work } = effect {
            let product = work.run(&Stop::new()).unwrap();
            told(app, Msg::Worked { id, product });
        }
    }
}

#[test]
fn a_picture_in_half_blocks() {
    insta::assert_snapshot!("picture_80x24", text(&shows(80, 24, 64, 32), &themed(true)));
    insta::assert_snapshot!("picture_40x10", text(&shows(40, 10, 64, 32), &themed(true)));
}

/// A page of the web that shows a picture in its text.
fn illustrated(columns: u16, rows: u16, graphics: Option<Protocol>) -> App {
    let page = "<h1>A page</h1><p>Words before <img src=p.png alt='a picture'> and after it.<p>More words below.";
    let mut j = Journey::sized(columns, rows);
    if let Some(protocol) = graphics {
        j = j.send(Msg::Graphics(protocol, Some((10, 20))));
    }
    j.open("http://h/").answer("text/html", page.as_bytes()).keys("x").answer("image/png", &png(32, 12)).app
}

#[test]
fn a_picture_in_a_text_in_half_blocks() {
    insta::assert_snapshot!("illustrated_80x24", text(&illustrated(80, 24, None), &themed(true)));
    insta::assert_snapshot!("illustrated_40x10", text(&illustrated(40, 10, None), &themed(true)));
    let plain = text(&illustrated(40, 10, None), &themed(true).at(Depth::Mono));
    assert!(plain.contains("(a picture; no colours here)"), "{plain}");
}

#[test]
fn a_picture_in_a_text_goes_to_kitty_once_however_much_of_it_is_seen() {
    let draw = |app: &App| {
        let (cells, _) = drawn(app, &themed(true));
        cells.content.iter().map(|cell| cell.symbol().to_owned()).collect::<String>()
    };
    let page = format!("<p><img src=p.png alt=p>{}", "<p>Line.".repeat(40));
    let sent = |j: &Journey| {
        let screen = draw(&j.app);
        (screen.matches("\x1b_G").count() > 0, screen.matches('\u{10EEEE}').count())
    };
    let j = Journey::sized(80, 24).send(Msg::Graphics(Protocol::Kitty, Some((10, 20)))).open("http://h/");
    let j = j.answer("text/html", page.as_bytes()).keys("x").answer("image/png", &png(100, 100));
    assert_eq!(sent(&j), (true, 50), "five rows of ten columns");
    let j = j.keys("J J J");
    assert_eq!(sent(&j), (false, 30));
    // It was never seen whole: what is said once is said with what is seen.
    let j = Journey::sized(80, 24).open("http://h/").answer("text/html", page.as_bytes()).keys("x");
    let j = j.answer("image/png", &png(100, 100)).keys("J J J").send(Msg::Graphics(Protocol::Kitty, Some((10, 20))));
    assert!(sent(&j).0 && sent(&j).1 > 0);
}

#[test]
fn a_picture_in_a_text_is_painted_in_sixel_where_it_stands() {
    let app = illustrated(80, 24, Some(Protocol::Sixel));
    let painted = |app: &App| wayfarer::view::painted(app, ratatui::layout::Rect::new(0, 0, 80, 24));
    let (cells, _) = drawn(&app, &themed(true));
    let at = cells.content.iter().position(|cell| cell.symbol().contains("\x1bP")).unwrap();
    let (placed, left) = (app.sight().illustrations().remove(0), app.sight().page_left());
    assert_eq!(cells.pos_of(at), (placed.at.0 + left, placed.at.1));
    assert_eq!(painted(&app).len(), 1);
    let before = painted(&app);
    let mut app = app;
    told(&mut app, Msg::Key(wayfarer::keys::Key::named("?").unwrap()));
    assert!(painted(&app).is_empty() && !before.is_empty(), "what lies over it is seen");
}

#[test]
fn pixels_are_told_in_the_colours_that_there_are() {
    let app = shows(80, 24, 64, 32);
    let theme = themed(true);
    let colours = |theme: &wayfarer::theme::Theme| {
        let (cells, _) = drawn(&app, theme);
        let cell = &cells[(60, 4)];
        (cell.fg, cell.bg, cell.symbol().to_owned())
    };
    assert!(matches!(colours(&theme).0, Color::Rgb(..)));
    assert!(matches!(colours(&theme.at(Depth::Indexed)).0, Color::Indexed(_)));
    assert!(matches!(colours(&theme.at(Depth::Ansi16)).0, Color::Indexed(..16)));
    assert_eq!(colours(&theme.at(Depth::Mono)).2, " ", "without colours there is nothing to see");
    assert_eq!(colours(&themed(false)).2, " ", "nor without half blocks");
}
