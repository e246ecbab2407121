//! Pictures of the line of tabs.

use super::screens::pictures;
use super::stage::{answered, browser, on_menu};
use super::{styles, text, themed};
use insta::assert_snapshot;
use wayfarer::app::Remembered;
use wayfarer::keys::Key;
use wayfarer::theme::{Depth, Theme};
use wayfarer::url::Url;

/// `count` tabs in many states; the first is in view.
fn tabbed(columns: u16, rows: u16, count: usize) -> wayfarer::app::App {
    use wayfarer::app::{KeptPlace, KeptTab, Msg, Place, Session, update};
    use wayfarer::proto::{FetchError, FetchEvent, Head, Kind};
    let mut app = browser(columns, rows);
    let titles = [
        None,
        Some("Floodgap\u{1b}[0m"),
        Some("comp.infosystems.gopher"),
        Some("日本語のとても長い題名"),
        Some("/pub/archive/of/all/kinds/"),
    ];
    let tab = |i: usize| {
        let url = Url::parse(format!("ftp://ftp.example.org/pub/{i}/archive/")).unwrap();
        let place = KeptPlace {
            url,
            title: titles[i % titles.len()].map(Into::into),
            media: None,
            place: Place::default(),
            fields: Vec::new(),
            asked: None,
        };
        KeptTab { at: 0, places: vec![place] }
    };
    let session = Session { tabs: (0..count.saturating_sub(5).max(1)).map(tab).collect(), ..Session::default() };
    update(&mut app, Msg::Remembered(Box::new(Remembered { session, ..Remembered::default() })));
    // One that has come, one that has failed, one that asks, one on its way.
    for answer in [Some("text/plain"), None, Some("application/x-zoo"), Some("")].into_iter().take(count - 2) {
        let effects = app.run("new-tab gopher://gopher.example.org/1/a/very/long/way/down/to/the/files");
        let fetch = |effect: &wayfarer::app::Effect| match effect {
            wayfarer::app::Effect::Fetch { id, request } => Some((*id, request.url.clone())),
            _ => None,
        };
        let (id, url) = effects.iter().filter_map(fetch).next_back().unwrap();
        app.run("tab 1");
        let elapsed = std::time::Duration::from_millis(80);
        match answer {
            Some("") => {}
            Some(media) => answered(&mut app, id, Head::new(url, media), b"text\n"),
            None => {
                let event = FetchEvent::Failed(FetchError::new(Kind::Refused, "nobody there"));
                update(&mut app, Msg::Fetch { id, elapsed, event });
            }
        }
    }
    app.run("private");
    update(&mut app, Msg::Key(Key::named("Esc").unwrap()));
    app.run("tab 1");
    app.tab.history = on_menu(columns, rows).tab.history;
    app.tab.loading = None;
    app.hands.note = None;
    app
}

#[test]
fn the_line_of_tabs() {
    pictures("tabs_two", |columns, rows| tabbed(columns, rows, 2));
    pictures("tabs_six", |columns, rows| tabbed(columns, rows, 6));
    pictures("tabs_many", |columns, rows| tabbed(columns, rows, 30));
    let last = |columns, rows| {
        let mut app = tabbed(columns, rows, 30);
        app.run("tab 30");
        app
    };
    pictures("tabs_last", last);
    pictures("tabs_private", |columns, rows| {
        let mut app = tabbed(columns, rows, 6);
        app.run("tab 2");
        app
    });
    pictures("tabs_list", |columns, rows| {
        let mut app = tabbed(columns, rows, 6);
        app.run("tabs");
        app
    });
    assert_snapshot!("tabs_ascii", text(&tabbed(80, 24, 6), &themed(false)));
    for (name, depth) in [("dark", Depth::True), ("16", Depth::Ansi16), ("monochrome", Depth::Mono)] {
        let theme = Theme::built_in(name).unwrap().at(depth);
        assert_snapshot!(format!("tabs_styles_{name}"), styles(&tabbed(80, 24, 6), &theme, 0));
    }
}

#[test]
fn the_line_of_tabs_takes_a_row_from_the_page_and_none_from_a_small_screen() {
    for (rows, line) in [(24, 1), (6, 1), (5, 0), (3, 0), (1, 0)] {
        let app = tabbed(80, rows, 4);
        assert_eq!((app.tab_rows(), app.page_rows()), (line, usize::from(rows.saturating_sub(2 + line))));
        assert_eq!(text(&app, &Theme::default()).lines().count(), usize::from(rows));
    }
}
