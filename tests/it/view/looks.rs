//! How pages look: marks that touch nothing, bars, bullets, the first new line; and where the terminal's cursor stands.

use super::stage::{anatomy, browser, entry, form, list, on_menu, prompt};
use super::{drawn, styles, text, themed};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use wayfarer::app::{App, Choice, Hands, Msg, Note, NoteKind, Overlay, PageState, Pending, PromptKind, update};
use wayfarer::doc::{BlockKind, Builder, LinkId};
use wayfarer::format::media;
use wayfarer::keys::Key;
use wayfarer::role::Role;
use wayfarer::theme::Theme;
use wayfarer::url::Url;

/// A page of some type, a link of it under focus.
fn page(columns: u16, media: &str, octets: &[u8], focus: Option<u32>) -> App {
    let mut app = browser(columns, 12);
    let mut page = entry("http://h/a", media, PageState::Complete, |out| {
        let url = Url::parse("http://h/a").unwrap();
        let input = wayfarer::format::Input {
            media: media.into(),
            charset: None,
            url,
            groups: Default::default(),
            notices: Vec::new(),
        };
        let mut parser = wayfarer::format::parser(&input).unwrap();
        parser.feed(octets, out);
        parser.finish(out);
    });
    page.focus = focus.map(LinkId);
    app.tab.history.push(page);
    app
}

/// The rows of the page, without blanks at their ends.
fn rows(app: &App) -> Vec<String> {
    text(app, &themed(true)).lines().map(|row| row.trim_matches('|').trim_end().to_owned()).collect()
}

fn press(app: &mut App, keys: &str) {
    for key in keys.split_whitespace() {
        update(app, Msg::Key(Key::named(key).unwrap()));
    }
}

/// The place that a key acts on, as the terminal's cursor has it.
fn focus(app: &App) -> (u16, u16) {
    let mut terminal = Terminal::new(TestBackend::new(app.desk.screen.columns, app.desk.screen.rows)).unwrap();
    let mut at = None;
    terminal.draw(|frame| at = wayfarer::view::draw(frame, app, &themed(true)).focus()).unwrap();
    at.map(|at| (at.x, at.y)).unwrap()
}

#[test]
fn the_mark_of_the_focus_touches_no_neighbour() {
    let links = b"<p><a href=1>Home</a> <a href=2>About</a> <a href=3>News</a><p>see the <a href=4>text</a> of it<p><a href=5>End</a>";
    let shown = |focus| rows(&page(60, "text/html", links, Some(focus)));
    assert_eq!(shown(0)[0], "Home About News", "no mark between Home and About");
    assert_eq!(shown(1)[0], "Home About News");
    assert_eq!(shown(2)[0], "Home About News◂");
    assert_eq!(shown(3)[2], "see the text of it");
    assert_eq!(shown(4)[4], "End◂");
    assert!(rows(&on_menu(60, 12)).iter().any(|row| row.starts_with("(ASK)▸Search")));
}

#[test]
fn letters_that_lead_to_links_stand_in_place_of_the_mark() {
    let mut app = on_menu(60, 12);
    press(&mut app, "f");
    let shown = rows(&app);
    assert!(shown.contains(&"    a Does this gopher menu look correct?".to_owned()), "{shown:?}");
    let mut app = page(60, "text/html", b"<p><a href=1>Home</a> <a href=2>About</a>", None);
    press(&mut app, "f");
    assert_eq!(rows(&app)[0], "a Home s About", "where the line has room the words move");
    let full = format!("<p><a href=1>Home</a> <a href=2>{}</a>", "About".repeat(11));
    let mut app = page(60, "text/html", full.as_bytes(), None);
    press(&mut app, "f");
    assert!(rows(&app)[0].starts_with("aome sbout"), "where there is none they stand over them");
    let mut app = on_menu(60, 12);
    press(&mut app, "2");
    let shown = rows(&app);
    assert!(shown.contains(&"    2 Super-Dimensional Fortress: SDF Gopherspace".to_owned()), "{shown:?}");
}

#[test]
fn quotes_have_bars_lists_bullets_and_program_text_an_indent() {
    let html = b"<p>Said:<blockquote><p>One.<p>Two.<blockquote>Inner.</blockquote></blockquote><ul><li>a<li>b</ul><pre>x = 1\n  y</pre>";
    let app = page(60, "text/html", html, None);
    let wanted =
        ["Said:", "", "  │ One.", "  │", "  │ Two.", "  │", "  │   │ Inner.", "", "  • a", "  • b", "", "  x = 1"];
    assert_eq!(rows(&app)[..10], wanted[..10]);
    let mut tall = page(60, "text/html", html, None);
    tall.desk.screen.rows = 24;
    assert_eq!(rows(&tall)[..13], [&wanted[..], &["    y"]].concat());
    // Every mark has one in ASCII.
    let shown = text(&tall, &themed(false));
    assert!(shown.is_ascii() && shown.contains("  | One.") && shown.contains("  * a"), "{shown}");
    let gemtext = page(60, "text/gemini", b"> a quote\n* item\n```\ncode\n```\n", None);
    assert_eq!(rows(&gemtext)[..3], ["│ a quote", "• item", "  code"]);
}

/// A picture of eighty columns stays whole on eighty columns.
#[test]
fn program_text_gives_its_indent_up_before_it_wraps() {
    let line = "=".repeat(79);
    let app = page(80, "text/html", format!("<pre>{line}\nshort</pre>").as_bytes(), None);
    assert_eq!(rows(&app)[..2], [line, "  short".into()]);
}

#[test]
fn keys_that_begin_alike_are_told_where_they_mean_something() {
    let mut app = on_menu(80, 24);
    press(&mut app, "s");
    let shown = rows(&app).join(" ");
    assert!(shown.contains("nothing on this page") && !shown.contains("hidden"), "{shown}");
    press(&mut app, "Esc");
    press(&mut app, "W");
    let shown = rows(&app).join(" ");
    assert!(shown.contains("nothing on this page") && !shown.contains("article"), "{shown}");
    press(&mut app, "Esc");
    // While a word is unfinished, its line says which keys lead on.
    for key in [":", "q", "u"] {
        press(&mut app, key);
    }
    let last = rows(&app)[23].clone();
    assert!(last.contains("Enter takes") && last.contains("Esc leaves"), "{last}");
}

#[test]
fn the_mark_of_what_is_new_stands_on_words() {
    let mut app = browser(40, 10);
    let lines = |out: &mut Builder| {
        for n in 1..40 {
            out.block(BlockKind::Line, Role::Text);
            out.text(&if (9..11).contains(&n) { String::new() } else { format!("line {n}") });
        }
    };
    app.tab.history.push(entry("gopher://h/0/a", media::PLAIN, PageState::Complete, lines));
    app.desk.settings.mark_new = true;
    press(&mut app, "Space");
    let (cells, _) = drawn(&app, &Theme::default());
    let marked: Vec<u16> = (0..8).filter(|y| cells[(20, *y)].bg != ratatui::style::Color::Reset).collect();
    assert!(rows(&app)[4].starts_with("line 11"), "{:?}", rows(&app));
    assert_eq!(marked, [4]);
}

#[test]
fn the_first_new_line_is_marked_after_a_jump_until_the_next_key() {
    let mut app = browser(40, 10);
    let lines = |out: &mut Builder| {
        for n in 1..40 {
            out.block(BlockKind::Line, Role::Text);
            out.text(&format!("line {n}"));
        }
    };
    app.tab.history.push(entry("gopher://h/0/a", media::PLAIN, PageState::Complete, lines));
    app.desk.settings.mark_new = true;
    press(&mut app, "Space");
    let marked = |app: &App| {
        let (cells, _) = drawn(app, &Theme::default());
        let ground = |y: u16| cells[(20, y)].bg;
        (0..8).filter(|y| ground(*y) != ratatui::style::Color::Reset).collect::<Vec<_>>()
    };
    assert!(rows(&app)[2].starts_with("line 9"), "{:?}", rows(&app));
    assert_eq!(marked(&app), [2]);
    press(&mut app, "J");
    assert_eq!(marked(&app), [0; 0]);
    app.desk.settings.mark_new = false;
    press(&mut app, "Space");
    assert_eq!(marked(&app), [0; 0]);
    assert!(!styles(&app, &Theme::default(), 2).is_empty());
}

#[test]
fn what_is_new_in_a_page_is_marked_at_its_left_edge_also_without_colours() {
    let mut app = browser(40, 10);
    let lines = |out: &mut Builder| {
        for n in 1..40 {
            out.block(BlockKind::Line, Role::Text);
            out.text(&format!("line {n}"));
        }
    };
    let mut page = entry("gopher://h/0/a", media::PLAIN, PageState::Complete, lines);
    page.page.as_deref_mut().unwrap().fresh = vec![2, 3, 39];
    app.tab.history.push(page);
    let before = text(&app, &Theme::default());
    let plain = Theme::built_in("monochrome").unwrap();
    for theme in [Theme::default(), plain] {
        let (cells, _) = drawn(&app, &theme);
        let look = |x: u16, y: u16| (cells[(x, y)].bg, cells[(x, y)].modifier);
        let marked: Vec<u16> = (0..8).filter(|y| look(0, *y) != look(1, *y)).collect();
        assert_eq!(marked, [2, 3]);
    }
    app.tab.history[0].page.as_deref_mut().unwrap().fresh.clear();
    assert_eq!(text(&app, &Theme::default()), before, "a mark covers no text");
}

/// For who reads braille or listens the cursor is the focus, seen or not.
#[test]
fn the_cursor_stands_at_the_focus() {
    let mut app = on_menu(80, 24);
    assert_eq!(focus(&app), (6, 6), "at the link's first letter");
    press(&mut app, "Down");
    assert_eq!(focus(&app), (6, 7));
    assert_eq!(drawn(&app, &themed(true)).1, None, "it is there, but hidden");
    app.desk.settings.cursor = true;
    assert_eq!(drawn(&app, &themed(true)).1.map(|at| (at.x, at.y)), Some((6, 7)));
    let text = page(60, "text/html", b"<p>No link here.", None);
    assert_eq!(focus(&text), (0, 0), "at the first line in view");
    let with = |overlay: Overlay| {
        let mut app = on_menu(80, 24);
        app.hands = Hands::at(None, vec![overlay]);
        app
    };
    let shown_at = |app: &App, (x, y): (u16, u16)| {
        let row = rows(app)[usize::from(y)].chars().skip(usize::from(x)).collect::<String>();
        row.trim_end_matches(['│', ' ']).to_owned()
    };
    let chosen = with(list(50));
    assert!(shown_at(&chosen, focus(&chosen)).starts_with("Item 2 of"), "the chosen row");
    let choice = |key, label: &str| Choice { key, label: label.into() };
    let asks = with(Overlay::Question {
        text: vec!["Really?".into()],
        choices: vec![choice('y', "yes"), choice('n', "no")],
        pending: Pending::Discard,
    });
    assert_eq!(shown_at(&asks, focus(&asks)), "Really?");
    let filled = with(form());
    assert_eq!(Some(focus(&filled)), drawn(&filled, &themed(true)).1.map(|at| (at.x, at.y)));
    let taken_apart = with(anatomy());
    assert!(shown_at(&taken_apart, focus(&taken_apart)).starts_with("http://www.example.org"));
    let mut typing = on_menu(80, 24);
    typing.hands = Hands::at(Some(prompt(PromptKind::Open, "open", "gopher")), Vec::new());
    assert_eq!(focus(&typing), (12, 23), "where letters go");
}

/// One thing a row, words only, and what matters in full in the last rows.
#[test]
fn who_listens_gets_words_one_after_the_other() {
    let mut app = on_menu(60, 14);
    app.desk.settings.speech = true;
    let shown = rows(&app);
    assert_eq!(shown[6], "(ASK) Search Gopherspace with Veronica-2");
    assert_eq!(shown[11], "gopher://gopher.floodgap.com/1/world");
    assert_eq!(shown[12], "link 3 of 8: Search Gopherspace with Veronica-2, search, to");
    assert_eq!(shown[13], "gopher://gopher.floodgap.com/7/v2/vs");
    assert_eq!(drawn(&app, &themed(true)).1.map(|at| (at.x, at.y)), Some((6, 6)));
    let plain = |app: &App| {
        let shown = text(app, &themed(true));
        let drawn =
            shown.lines().map(|row| row.trim_matches('|')).any(|row| row.contains(['│', '─', '┌', '▸', '•', '→', '·']));
        assert!(!drawn, "{shown}");
    };
    plain(&app);
    app.hands = Hands::at(None, vec![list(5)]);
    plain(&app);
    let shown = rows(&app);
    assert!(shown.contains(&"Item 2 of the list 日本, gopher://example.org/1/2".to_owned()), "{shown:?}");
    app.hands = Hands::at(None, vec![form()]);
    plain(&app);
    app.hands = Hands::default();
    app.hands.note = Some(wayfarer::app::Note {
        kind: wayfarer::app::NoteKind::Error,
        text: "a long message that would be cut at the edge of a row of sixty columns is all there".into(),
    });
    let shown = rows(&app);
    assert_eq!(shown[12], "a long message that would be cut at the edge of a row of");
    assert_eq!(shown[13], "sixty columns is all there");
    let mut table = page(
        60,
        "text/html",
        b"<table><tr><td>one<td>two<tr><td>three<td>four</table><blockquote>q</blockquote><ul><li>i</ul><hr>",
        None,
    );
    table.desk.settings.speech = true;
    plain(&table);
    assert_eq!(rows(&table)[..4], ["one", "two", "three", "four"], "cells below each other");
}

/// A form was one line, and what is filled in stood side by side.
#[test]
fn who_listens_gets_one_field_a_line() {
    let form = b"<form>Name: <input name=n size=5> Mail: <input name=m size=5>. <label><input type=checkbox name=c> I \
        agree</label> <input type=radio name=r> red <input type=radio name=r> green <select name=s><option>One</select> \
        <input type=submit value=Go><input type=reset value=No></form>";
    let mut app = page(60, "text/html", form, None);
    app.desk.settings.speech = true;
    let shown: Vec<String> = rows(&app).iter().map(|row| row.replace('\u{a0}', " ")).collect();
    let told =
        ["Name: [_____]", "Mail: [_____].", "[ ] I agree", "( ) red", "( ) green", "[ One ]", "[ Go ]", "[ No ]"];
    assert_eq!(shown[..8], told);
}

/// A browser on a page, with a message for the reader.
fn told(columns: u16, complains: bool, words: &str) -> App {
    let mut app =
        page(columns, "text/plain", b"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven", None);
    let kind = if complains { NoteKind::Error } else { NoteKind::Info };
    app.hands.note = Some(Note { kind, text: words.into() });
    app
}

#[test]
fn a_message_has_the_rows_that_it_needs() {
    let words = "the server closed the connection before the whole of the article had come; R asks for it again";
    let (short, long) = (rows(&told(40, false, "saved")), rows(&told(40, false, words)));
    assert_eq!(
        long[9..],
        [" the server closed the connection before", " the whole of the article had come; R", " asks for it again"]
    );
    assert_eq!(long[8], short[10], "the bar stands above");
    assert_eq!(long[..8], short[..8], "and the page where it was");
    assert_eq!(rows(&told(140, false, words))[11].trim(), words, "a wide screen needs one row");
}

#[test]
fn what_was_asked_for_is_all_there_on_a_small_screen() {
    let mut app = told(40, false, "");
    app.run("what base");
    let shown = rows(&app).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("entity, retrieval or default; = shows it."), "{shown}");
    let words = "one word and another ".repeat(30);
    let shown = rows(&told(40, false, &words));
    assert!(!shown[0].contains("word"), "a row of the rest stays: {shown:?}");
}

#[test]
fn a_message_leaves_most_of_the_screen_and_says_where_the_rest_is() {
    let words = "no way to it: ".repeat(30);
    let shown = rows(&told(40, true, &words));
    assert!(shown[..7].iter().all(|row| !row.contains("no way")), "{shown:?}");
    assert!(shown[8..].iter().all(|row| row.contains("no way")), "{shown:?}");
    assert!(shown[11].ends_with("… :complaints"), "{shown:?}");
    let mut app = told(40, true, &words);
    press(&mut app, "j");
    assert!(rows(&app)[..10].iter().all(|row| !row.contains("no way")), "gone with the next key");
}

/// Where there is no room for what is asked and its answers together, all of it comes in parts, word for word.
#[test]
fn on_the_smallest_screen_a_question_is_read_in_parts() {
    let mut app = browser(20, 5);
    for url in ["gopher://h/0/a", "gopher://h/0/b"] {
        app.tab.history.push(entry(url, media::PLAIN, PageState::Complete, |_| {}));
    }
    press(&mut app, "C-t");
    press(&mut app, "Esc");
    press(&mut app, "q");
    let Some(Overlay::Question { text, choices, .. }) = app.hands.top() else { panic!("nothing is asked") };
    let asked = text.iter().cloned().chain(choices.iter().map(|choice| format!("{} {}", choice.key, choice.label)));
    let words: Vec<String> =
        asked.flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    let mut seen = String::new();
    for _ in 0..12 {
        seen.push_str(&rows(&app)[..3].join(" "));
        seen.push(' ');
        press(&mut app, "Space");
    }
    let missing: Vec<&String> = words.iter().filter(|word| !seen.contains(word.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?} in {seen}");
}

#[test]
fn what_is_in_an_archive_is_told_on_a_narrow_screen() {
    let mut app = browser(40, 10);
    let lines = |out: &mut Builder| {
        out.block(BlockKind::Line, Role::Text);
        out.link("other.txt", Role::Link, "other.txt");
    };
    let member = "archive://ftp%3A%2F%2Fftp.example.org%2Fpub%2Fold%2Fx.zip/good/readme.txt";
    app.tab.history.push(entry(member, media::PLAIN, PageState::Complete, lines));
    let bar = rows(&app)[8].clone();
    assert!(bar.contains("archive  …") && bar.trim_end().ends_with("adme.txt"), "{bar}");
    press(&mut app, "Tab");
    let line = rows(&app)[9].clone();
    assert!(line.contains("archive://") && line.trim_end().ends_with("good/other.txt"), "{line}");
}
