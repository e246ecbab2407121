//! Pictures of two panes.

use super::stage::{answered, on_menu};
use super::{styles, text, themed};
use insta::assert_snapshot;
use wayfarer::app::{App, Effect, Msg, update};
use wayfarer::format::media;
use wayfarer::keys::Key;
use wayfarer::proto::Head;
use wayfarer::theme::{Depth, Theme};

const SIZES: [(&str, u16, u16); 4] = [("80x24", 80, 24), ("40x10", 40, 10), ("160x50", 160, 50), ("20x5", 20, 5)];

fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    keys.split_whitespace().flat_map(|key| update(app, Msg::Key(Key::named(key).unwrap()))).collect()
}

/// A page comes for whatever was fetched.
fn comes(app: &mut App, effects: Vec<Effect>, media: &str, octets: &[u8]) {
    for effect in effects {
        if let Effect::Fetch { id, request } = effect {
            answered(app, id, Head::new(request.url, media), octets);
        }
    }
}

/// A menu with a text of its own beside it; then keys.
fn article(columns: u16, rows: u16, keys: &str) -> App {
    let mut app = on_menu(columns, rows);
    app.tab.history[0].focus = Some(wayfarer::doc::LinkId(0));
    press(&mut app, "|");
    let effects = press(&mut app, "Enter");
    let said: String = (1..40).map(|n| format!("This is line {n} of what the menu names.\n")).collect();
    comes(&mut app, effects, media::PLAIN, said.as_bytes());
    press(&mut app, keys);
    app
}

fn pictures(name: &str, stage: impl Fn(u16, u16) -> App) {
    for (size, columns, rows) in SIZES {
        assert_snapshot!(format!("{name}_{size}"), text(&stage(columns, rows), &Theme::default()));
    }
}

#[test]
fn a_list_and_what_it_names() {
    pictures("panes_list", |columns, rows| article(columns, rows, ""));
    pictures("panes_article", |columns, rows| article(columns, rows, "C-w w Space"));
    pictures("panes_awaiting", |columns, rows| {
        let mut app = on_menu(columns, rows);
        press(&mut app, "|");
        app
    });
    assert_snapshot!("panes_ascii", text(&article(100, 24, ""), &themed(false)));
}

#[test]
fn a_page_beside_its_anatomy() {
    pictures("panes_anatomy", |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.run("split anatomy");
        app
    });
}

/// The heads of both panes, and the line of the link under focus in each.
#[test]
fn the_pane_with_the_focus_is_known_without_colours() {
    for (name, depth) in [("dark", Depth::True), ("16", Depth::Ansi16), ("monochrome", Depth::Mono)] {
        let theme = Theme::built_in(name).unwrap().at(depth);
        let rows = ["", "C-w w"].map(|keys| {
            let app = article(100, 24, keys);
            [0, 7].map(|y| styles(&app, &theme, y)).join("\n")
        });
        assert_snapshot!(format!("panes_styles_{name}"), rows.join("\n\n"));
    }
}

#[test]
fn every_size_is_drawn() {
    let theme = Theme::default();
    for columns in [1, 2, 3, 5, 10, 20, 40, 79, 80, 81, 82, 100, 160, 300] {
        for rows in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 24, 60] {
            let mut app = article(columns, rows, "");
            text(&app, &theme);
            press(&mut app, "C-w w");
            text(&app, &theme);
            // What was drawn for another size holds in this one.
            update(&mut app, Msg::Resize(81, 24));
            text(&app, &theme);
            update(&mut app, Msg::Resize(columns, rows));
            text(&app, &theme);
        }
    }
}

/// Titles, and addresses where there are none, go through the sanitiser on their way into a head.
#[test]
fn nothing_in_a_title_reaches_the_terminal() {
    for title in ["a\u{1b}]0;b\u{7}c", "a\u{202e}b", "a\u{9b}31mb"] {
        let mut app = on_menu(160, 24);
        app.tab.history[0].titled = Some(title.into());
        press(&mut app, "|");
        let said = text(&app, &Theme::default());
        let head = said.lines().next().unwrap();
        assert!(head.contains('▸') && head.contains('a'), "{head}");
        assert!(!head.contains(|c: char| c.is_control() || c == '\u{202e}'), "{head:?}");
    }
}
