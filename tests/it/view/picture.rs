//! Pictures on the screen.

use super::stage::browser;
use super::{drawn, text, themed};
use crate::picture::png;
use ratatui::style::Color;
use wayfarer::app::{App, Effect, Msg, update};
use wayfarer::format::{Input, parse};
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
