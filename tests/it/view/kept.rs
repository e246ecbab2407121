//! Pictures of the pages of what is kept of the reader.

use super::screens::pictures;
use super::stage::browser;
use wayfarer::app::Msg;
use wayfarer::keys::Key;

/// A reader's own pages, after some keys.
fn own(columns: u16, rows: u16, keys: &str) -> wayfarer::app::App {
    use wayfarer::visits::Visit;
    let mut app = browser(columns, rows);
    wayfarer::app::update(&mut app, Msg::Clock("2026-11-21T14:30:00Z[UTC]".parse().unwrap()));
    let noon = 1_795_269_000;
    for (url, title, time) in [
        ("gopher://old.example/0/far", "", noon - 40 * 86_400),
        ("http://www.example.org/a", "A page of the web", noon - 86_400),
        ("gopher://gopher.floodgap.com/1/world", "", noon - 7200),
        ("ftp://ftp.example.org/pub/", "Index of /pub/", noon - 3600),
        ("http://www.example.org/b", "日本語のとても長い題名のついたページ、画面の幅よりもずっと長い", noon - 60),
        ("http://www.example.org/b", "", noon),
    ] {
        app.library.visits.add(Visit { url, title, time, count: 1 });
    }
    for key in keys.split_whitespace() {
        wayfarer::app::update(&mut app, wayfarer::app::Msg::Key(Key::named(key).unwrap()));
    }
    app
}

#[test]
fn history() {
    pictures("history", |columns, rows| own(columns, rows, "C-h Down"));
    pictures("history_found", |columns, rows| own(columns, rows, "C-h & W E B"));
    pictures("history_forget", |columns, rows| own(columns, rows, "C-h Down x"));
    pictures("history_empty", |columns, rows| own(columns, rows, "C-h : f o r g e t Space a l l Enter y"));
}

/// The page of bookmarks, after some keys.
fn bookmarks(columns: u16, rows: u16, keys: &str) -> wayfarer::app::App {
    use wayfarer::bookmarks::{Bookmark, folder};
    let mut app = browser(columns, rows);
    let mark = |url: &str, title: &str, path: &str| Bookmark {
        url: url.into(),
        title: title.into(),
        folder: folder(path),
        ..Bookmark::default()
    };
    let mut veronica = mark("gopher://gopher.floodgap.com/1/v2", "Veronica-2", "Gopher/Search");
    (veronica.tags, veronica.note) =
        (vec!["search".into()], "Finds titles of gopher space, slowly, but it does.".into());
    app.library.bookmarks = [
        mark("http://www.example.org/", "An example", ""),
        mark("gopher://sdf.org/", "SDF, a public access system and its people", "Gopher"),
        veronica,
        mark("news:comp.infosystems.gopher", "", "News"),
    ]
    .into_iter()
    .collect();
    for key in keys.split_whitespace() {
        wayfarer::app::update(&mut app, wayfarer::app::Msg::Key(Key::named(key).unwrap()));
    }
    app
}

#[test]
fn bookmarks_and_their_form() {
    pictures("bookmarks", |columns, rows| bookmarks(columns, rows, "B Down Down"));
    pictures("bookmarks_form", |columns, rows| bookmarks(columns, rows, "B Down Down e"));
    pictures("bookmarks_closed", |columns, rows| bookmarks(columns, rows, "B Down Enter"));
    pictures("bookmarks_none", |columns, rows| {
        let mut app = browser(columns, rows);
        wayfarer::app::update(&mut app, wayfarer::app::Msg::Key(Key::named("B").unwrap()));
        app
    });
}
