//! Pictures of what the reader types into, and of what is offered there.

use super::screens::pictures;
use super::stage::{on_menu, prompt};
use super::{styles, text};
use crate::app::journey::Journey;
use insta::assert_snapshot;
use std::ops::Range;
use wayfarer::app::PromptKind;
use wayfarer::app::{App, Completion, Hands, Matches, Meaning, Note, NoteKind, Origin};
use wayfarer::doc::{LinkId, Search};
use wayfarer::format::media;
use wayfarer::keys::Key;
use wayfarer::theme::Theme;
use wayfarer::url::Url;

#[test]
fn find_shows_matches_and_their_count() {
    let stage = |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.tab.search = Search::new("gopher");
        let document = app.tab.history[0].page.as_ref().unwrap().document();
        let hits = app.tab.search.as_ref().unwrap().within(document, 0..document.text().len());
        app.tab.found = Some(hits[2].clone());
        let starts = hits.iter().map(|hit| hit.start as u32).collect();
        app.tab.matches = Some(Matches { starts, complete: true, ..Matches::default() });
        app
    };
    pictures("find", stage);
    assert_snapshot!("find_styles_row_4", styles(&stage(80, 24), &Theme::default(), 4));
    assert_snapshot!("find_styles_row_0", styles(&stage(80, 24), &Theme::default(), 0));
}

fn known(text: &str, title: &str, origin: Origin, matched: Range<usize>) -> Completion {
    let (text, title, origin) = (text.into(), title.into(), Some(origin));
    Completion { text, title, origin, matched: matched.collect(), matched_title: Vec::new() }
}

/// An address prompt with what is typed, what it means and what is offered.
fn asked(columns: u16, rows: u16, typed: &str, means: &str, note: Option<&str>) -> App {
    let mut app = on_menu(columns, rows);
    let mut prompt = prompt(PromptKind::Open, "open", typed);
    let (parts, note) = (wayfarer::url::scheme::parts(&Url::parse(means).unwrap()), note.map(Into::into));
    prompt.meaning = Some(Meaning::Url { parts, note });
    app.hands = Hands::at(Some(prompt), Vec::new());
    app
}

#[test]
fn prompts_with_completions() {
    let stage = |columns, rows| {
        let mut app = asked(columns, rows, "gopher.fl", "gopher://gopher.fl/", Some("gopher → gopher"));
        let mut prompt = app.hands.prompt().unwrap().clone();
        prompt.completions = vec![
            known("gopher://gopher.floodgap.com/", "Floodgap Systems", Origin::Bookmark, 9..18),
            known(
                "gopher://gopher.flatland.example/a/long/path/with/names",
                "Flatland\u{202e}, a 日本",
                Origin::Visited,
                9..18,
            ),
            known("gopher.fl/x", "", Origin::Typed, 0..9),
            known("http://gopher.fl/", "", Origin::Reading, 0..0),
        ];
        prompt.selected = Some(1);
        app.hands = Hands::at(Some(prompt), Vec::new());
        app
    };
    pictures("prompt", stage);
    assert_snapshot!("prompt_styles_meaning", styles(&stage(80, 24), &Theme::default(), 17));
    assert_snapshot!("prompt_styles_row", styles(&stage(80, 24), &Theme::default(), 18));
}

#[test]
fn what_a_typed_address_means_fits_the_screen() {
    let long = "gopher://joe:secret@gopher.floodgap.com:7070/7/v2/vs%09some%20words%20about%20a%20thing";
    pictures("meaning", |columns, rows| {
        let mut app = asked(columns, rows, "v some words", long, Some("shortcut v"));
        let shown = text(&app, &Theme::default());
        assert!(!shown.contains("secret"), "{shown}");
        let mut prompt = app.hands.prompt().unwrap().clone();
        prompt.completions = vec![known("ftp://joe:secret@h/", "", Origin::Reading, 0..0)];
        app.hands = Hands::at(Some(prompt), Vec::new());
        let shown = text(&app, &Theme::default());
        assert!(!shown.contains("secret") && shown.contains("ftp://joe:***@h/"), "{shown}");
        app
    });
    pictures("meaning_nothing", |columns, rows| {
        let mut app = on_menu(columns, rows);
        let mut prompt = prompt(PromptKind::Open, "open", "rust");
        prompt.meaning = Some(Meaning::Nothing("\"rust\" is no URL, host or file name".into()));
        app.hands = Hands::at(Some(prompt), Vec::new());
        app
    });
}

/// The sentence stood above what was typed and beside it.
#[test]
fn why_words_lead_nowhere_is_told_once() {
    let j = Journey::sized(120, 24).keys("g").text("rust").keys("Enter").prompts("open", "rust");
    let shown = text(&j.app, &Theme::default());
    assert_eq!(shown.matches("is no URL").count(), 1, "{shown}");
    assert!(shown.contains("type on, or Esc leaves"), "{shown}");
}

/// Octets of a name that are no text stood there as marks that are in no name.
#[test]
fn octets_in_what_is_typed_are_shown_as_on_a_page() {
    let mut app = on_menu(40, 10);
    let name = wayfarer::doc::carry(b"caf\xe9.txt");
    app.hands = Hands::at(Some(prompt(PromptKind::Save, "save as", &name)), Vec::new());
    let shown = text(&app, &Theme::default());
    assert!(shown.contains("save as: caf\u{2039}E9\u{203a}.txt "), "{shown}");
    assert!(shown.contains("cursor 20,9"), "{shown}");
}

#[test]
fn a_long_input_scrolls_with_its_cursor() {
    let mut app = on_menu(40, 10);
    app.hands =
        Hands::at(Some(prompt(PromptKind::Open, "open", &"gopher://日本.example.org/1/".repeat(3))), Vec::new());
    let shown = text(&app, &Theme::default());
    assert!(shown.contains("cursor 39,9"), "{shown}");
    assert!(shown.contains("example.org/1/ |"), "{shown}");
}

#[test]
fn hints_and_typed_numbers() {
    pictures("hints", |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.hands = Hands::at(Some(prompt(PromptKind::Hint, "hint", "a")), Vec::new());
        app.hands.hints = (0..8)
            .map(|i| {
                (format!("{}{}", if i < 4 { 'a' } else { 's' }, "asdf".as_bytes()[i % 4] as char), LinkId(i as u32))
            })
            .collect();
        app
    });
    pictures("number", |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.hands = Hands::at(Some(prompt(PromptKind::Number, "link", "")), Vec::new());
        app
    });
}

/// In running text there are no blanks for them: what stands behind moves, as far as the line has room.
#[test]
fn hints_cover_no_letters_of_a_paragraph() {
    let words = "<p>Read about <a href=/one>lanterns</a> and <a href=/two>oil</a>, and see <a href=/three>this</a>.";
    let j = Journey::sized(80, 24).open("http://h/").answer(media::HTML, words.as_bytes());
    let row = |j: &Journey| text(&j.app, &Theme::default()).lines().next().unwrap().to_owned();
    let before = row(&j);
    let mut j = j.keys("f");
    let hinted = row(&j);
    for word in ["Read about ", "lanterns", "and", "oil", "see", "this"] {
        assert!(hinted.contains(word), "{word}: {hinted}");
    }
    let letters: Vec<String> = j.app.hands.hints.iter().map(|(letters, _)| letters.clone()).collect();
    assert!(hinted.contains(&format!("about {} lanterns and {} oil", letters[0], letters[1])), "{hinted}");
    // Numbers of all links make room for them, and nothing moves.
    j.app.desk.settings.numbers = true;
    let numbered = row(&j);
    assert_eq!(row(&j.keys("Esc")).find("lanterns"), numbered.find("lanterns"), "{before}");
}

#[test]
fn on_a_narrow_screen_a_visited_row_keeps_its_title_and_the_prompt_says_how_to_leave() {
    let j = Journey::sized(40, 10).open("gopher://gopher.example.org/1/phlog/2024/a-long-name");
    let j =
        j.answer(media::MENU, b"iWelcome to the lanterns\t\tnull\t1\r\n0A\t/a\th\t70\r\n").keys("g").text("gopher.ex");
    let shown = text(&j.app, &Theme::default());
    assert!(shown.contains("Welcome to"), "{shown}");
    assert!(shown.contains("Esc leaves"), "{shown}");
}

/// Words that are no address were said to be opened by Enter.
#[test]
fn the_last_row_says_what_enter_does_with_what_is_typed() {
    let last = |keys: &str, typed: &str| {
        let j = Journey::sized(100, 24).open("gopher://gopher.example.org/1/one").answer(media::MENU, b".\r\n");
        let shown = text(&j.keys(keys).text(typed).app, &Theme::default());
        shown.lines().rfind(|row| row.starts_with('|')).unwrap_or_default().to_owned()
    };
    for (keys, typed, says) in [
        ("g", "gopher.ex", "Enter opens it  Down next  Esc leaves"),
        ("g", "two words", "two words  Down searches  Esc leaves"),
    ] {
        let row = last(keys, typed).split_whitespace().collect::<Vec<_>>().join(" ");
        let says = says.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(row.contains(&says), "{typed:?}: {row}");
    }
}

#[test]
fn who_listens_hears_one_row_of_what_letters_may_mean() {
    let j = Journey::sized(80, 24).open("gopher://gopher.example.org/1/one").answer(media::MENU, b".\r\n");
    let mut j = j.open("gopher://gopher.example.org/1/two").answer(media::MENU, b".\r\n");
    j.app.desk.settings.speech = true;
    let j = j.keys("g").text("gopher.ex");
    let all = j.app.hands.prompt().unwrap().completions.len();
    assert!(all > 1);
    let rows = |j: &Journey| {
        let shown = text(&j.app, &Theme::default());
        shown.lines().filter(|row| row.contains(&format!(" of {all}: "))).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows(&j).len(), 1, "{:#?}", rows(&j));
    let next = j.keys("Down");
    assert!(rows(&next)[0].contains(&format!(" of {all}: ")), "{:#?}", rows(&next));
}

#[test]
fn a_prefix_shows_its_continuations() {
    pictures("prefix", |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.desk.keymap = wayfarer::keys::Keymap::preset("vi", &super::stage::commands(), &mut Vec::new()).unwrap();
        app.hands.pending_keys = vec![Key::named("g").unwrap()];
        app
    });
}

#[test]
fn a_complaint_on_a_small_screen_keeps_its_end_as_far_as_there_are_rows() {
    for (columns, rows, words) in [(40, 10, 17), (20, 5, 8)] {
        let mut app = on_menu(columns, rows);
        let said: String = (0..words).map(|n| format!("word {n}, ")).collect();
        app.hands.note = Some(Note { kind: NoteKind::Error, text: format!("{said}end.") });
        let shown = text(&app, &Theme::default());
        assert!(shown.contains("end.") && !shown.contains(":complaints"), "{shown}");
    }
}
