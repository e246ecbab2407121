//! Files that are kept, and what the reader types.

use super::{Row, row, text};
use std::hint::black_box;
use wayfarer::app::{App, Effect, Msg, Screen, command_names, update};
use wayfarer::bookmarks::{Bookmarks, Kind};
use wayfarer::config::{self, Settings, fits_wildmat};
use wayfarer::date;
use wayfarer::keys::{Key, Keymap};
use wayfarer::stop::Stop;
use wayfarer::theme::{Source, Theme};
use wayfarer::visits::{Visit, Visits};

const SIZE: usize = 6 * 1024;

/// What stands before, and again and again.
type Kept = (&'static str, &'static str, &'static str);

const SETTINGS: &[Kept] = &[
    ("rows", "", "x{} = 1\n"),
    ("rows of one name", "", "home = 'x'\n"),
    ("tables", "", "[x{}]\n"),
    ("shortcuts", "[shortcuts]\n", "s{} = 'http://h/%s'\n"),
    ("handlers", "[handlers]\n", "s{} = 'x'\n"),
    ("hosts", "[hosts]\n", "'h{}' = { charset = 'utf-8' }\n"),
    ("remarks", "", "# words\n"),
    ("a long remark", "# ", "words "),
    ("a long value", "home = '", "x"),
    ("a list", "home = [", "'x', "),
    ("lists in lists", "home = ", "["),
    ("tables in tables", "home = ", "{a = "),
    ("a dotted name", "", "a."),
    ("lines that are none", "", "words\n"),
    ("empty lines", "", "\n"),
];

const KEYS: &[Kept] = &[
    ("rows", "[page]\n", "'F{}' = 'quit'\n"),
    ("sequences", "[page]\n", "'a b c{}' = 'quit'\n"),
    ("a long sequence", "[page]\n'", "a "),
    ("rows of one key", "[page]\n", "'x' = 'quit'\n"),
    ("commands that nobody knows", "[page]\n", "'x{}' = 'quitt'\n"),
];

const THEMES: &[Kept] = &[
    ("rows", "", "'page.x{}' = 'red'\n"),
    ("palette", "[palette]\n", "x{} = '#ffffff'\n"),
    ("a long style", "'page.link' = '", "red "),
];

const BOOKMARKS: &[Kept] = &[
    ("bookmarks", "", "[[bookmark]]\nurl = 'http://h/{}'\ntitle = 'x'\n\n"),
    ("bookmarks of one URL", "", "[[bookmark]]\nurl = 'http://h/'\n\n"),
    ("headers", "", "[[bookmark]]\n"),
    ("tags", "[[bookmark]]\nurl = 'http://h/'\ntags = [", "'x{}', "),
    ("a long note", "[[bookmark]]\nurl = 'http://h/'\nnote = '", "words "),
    ("a deep folder", "[[bookmark]]\nurl = 'http://h/'\nfolder = '", "a/"),
    ("remarks", "", "# words\n"),
    ("broken", "", "[[bookmark]]\nurl = \n"),
];

const OTHERS: &[Kept] = &[
    ("html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL>", "<DT><A HREF='http://h/{}' TAGS='a,b'>x</A>\n"),
    ("html folders", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL>", "<DT><H3>x</H3><DL>\n"),
    ("html notes", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF='http://h/'>x</A>", "<DD>words "),
    ("html that opens", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n", "<A HREF='"),
    ("gophermap", "", "1x\t/{}\th\t70\r\n"),
];

const VISITS: &[Kept] = &[
    ("pages", "", "{}\thttp://h/{}\tTitle\n"),
    ("visits to one", "", "{}\thttp://h/\tTitle\n"),
    ("a long title", "1\thttp://h/\t", "words "),
    ("a long URL", "1\thttp://h/", "x"),
    ("broken", "", "words\n"),
    ("octets", "", "1\thttp://h/\t\u{9b}\n"),
    ("empty", "", "\n"),
];

/// What the reader types, and where.
const TYPED: &[Kept] = &[
    ("an address", "g", "x"),
    ("an address of words", "g", "words "),
    ("a path", "g", "/a"),
    ("a command", ":", "x "),
    ("an option", ":set ", "x"),
    ("a search", "/", "x"),
    ("an address beyond ASCII", "g", "\u{e9}"),
    ("marks", "g", "e\u{301}"),
];

fn of(kind: &'static str, table: &'static [Kept], work: fn(&str)) -> impl Iterator<Item = Row> {
    table.iter().map(move |&(name, before, piece)| {
        row(format!("{kind}: {name}"), SIZE, move |octets| {
            let text = text(octets, before, piece, "");
            Box::new(move || work(&text))
        })
    })
}

fn app() -> App {
    let keymap = Keymap::preset("default", &command_names(), &mut Vec::new()).unwrap_or_default();
    App::new(Settings::default(), keymap, Screen { columns: 80, rows: 24 })
}

/// Tells the browser something, and does the work that it asks for.
fn tell(app: &mut App, message: Msg) {
    for effect in update(app, message) {
        if let Effect::Work { id, work } = effect
            && let Some(product) = work.run(&Stop::new())
        {
            update(app, Msg::Worked { id, product });
        }
    }
}

/// A prompt, what is pasted into it, and one key after it.
fn typed(text: &str) {
    let mut app = app();
    let (opens, rest) = text.split_at(1);
    for key in Key::sequence(opens).unwrap_or_default() {
        tell(&mut app, Msg::Key(key));
    }
    tell(&mut app, Msg::Paste(rest.into()));
    for key in Key::sequence("a Left Backspace Tab").unwrap_or_default() {
        tell(&mut app, Msg::Key(key));
    }
    black_box(app.hands.line().map(|line| line.value().len()));
}

/// All of them.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(of("settings", SETTINGS, |text| drop(black_box(config::read("settings.toml", text)))));
    rows.extend(of("keys", KEYS, |text| {
        drop(black_box(Keymap::read("keys.toml", text, "default", &command_names(), &mut Vec::new())))
    }));
    rows.extend(of("theme", THEMES, |text| {
        let mut find = |name: &str| (name == "own").then(|| Source { file: "own.toml".into(), text: text.into() });
        black_box(Theme::named("own", &mut find, &mut Vec::new()));
    }));
    rows.extend(of("bookmarks", BOOKMARKS, |text| {
        if let Ok(bookmarks) = Bookmarks::read(text) {
            black_box((bookmarks.flaws(), bookmarks.write(), bookmarks.iter().count()));
            black_box(Kind::Browser.write(bookmarks.iter()));
        }
    }));
    rows.extend(of("bookmarks of others", OTHERS, |text| {
        let read = Kind::of_text(text).read(text).bookmarks;
        black_box((Kind::Browser.write(read.iter()), Kind::Browser.read(text)));
    }));
    rows.extend(of("visits", VISITS, |text| {
        if let Ok((mut visits, flaws)) = Visits::read(text.as_bytes().to_vec()) {
            visits.add(Visit { url: "http://other/", title: "x", time: 5, count: 1 });
            let listing = visits.pages().listing("zx", None, 100, &Stop::new());
            visits.keep_newest(10);
            black_box((visits.write(), flaws, listing));
        }
    }));
    rows.extend(of("typed", TYPED, typed));
    rows.extend(of(
        "date",
        &[
            ("words", "", "Fri "),
            ("digits", "", "1"),
            ("comments", "Fri, 15 Nov 2024 12:00:00 ", "("),
            ("blanks", "", " "),
        ],
        |text| {
            black_box(date::timestamp(text.as_bytes()));
        },
    ));
    rows.extend(of(
        "wildmat",
        &[("stars", "", "*"), ("stars and letters", "", "*a"), ("commas", "", "a,"), ("questions", "", "?")],
        |text| {
            black_box((
                fits_wildmat(text.as_bytes(), b"a.b.c"),
                fits_wildmat(text.as_bytes(), text.replace('*', "a").as_bytes()),
            ));
            black_box(fits_wildmat(b"*a*b", text.as_bytes()));
        },
    ));
    rows
}
