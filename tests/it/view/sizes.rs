//! Any state at any size: no panic, nothing outside, no control character, no wide character cut in half.

use super::stage::{anatomy, browser, entry, form, list, on_menu, prompt};
use super::{drawn, themed};
use crate::random::search;
use proptest::prelude::*;
use tui_input::Input;
use wayfarer::app::{
    App, Choice, FieldValue, Hands, JobId, Loading, Note, NoteKind, Opening, Overlay, PageState, Pending, PromptKind,
    Screen,
};
use wayfarer::app::{Completion, Meaning, Origin};
use wayfarer::doc::{Anchor, BlockKind, LinkId, Marker, Search, columns};
use wayfarer::format::media;
use wayfarer::keys::Key;
use wayfarer::proto::Request;
use wayfarer::role::Role;
use wayfarer::theme::Theme;
use wayfarer::url::{Url, scheme};

/// Draws and looks at every cell.
fn sound(app: &App, theme: &Theme) {
    let (cells, cursor) = drawn(app, theme);
    for y in 0..cells.area.height {
        for x in 0..cells.area.width {
            let symbol = cells[(x, y)].symbol();
            assert!(!symbol.chars().any(char::is_control), "{symbol:?} at {x},{y}");
            let width = columns(symbol) as u16;
            assert!(x + width <= cells.area.width, "{symbol:?} sticks out at {x},{y}");
            for covered in x + 1..x + width {
                assert_eq!(cells[(covered, y)].symbol(), " ", "{symbol:?} at {x},{y} covers something");
            }
        }
    }
    if let Some(cursor) = cursor {
        assert!(cursor.x < cells.area.width.max(1) && cursor.y < cells.area.height.max(1), "{cursor:?}");
    }
}

/// The states worth drawing small, by number.
fn state(number: usize) -> App {
    let mut app = if number == 0 { browser(80, 24) } else { on_menu(80, 24) };
    match number {
        2 => app.hands = Hands::at(None, vec![anatomy()]),
        3 => app.hands = Hands::at(None, vec![list(50)]),
        4 => app.hands = Hands::at(None, vec![form()]),
        5 => {
            app.hands = Hands::at(
                Some(prompt(PromptKind::Open, "Open: ", "日本語 and more and more and more of it")),
                Vec::new(),
            )
        }
        6 => app.hands.pending_keys = vec![Key::named("g").unwrap()],
        7 => {
            app.hands.note =
                Some(Note { kind: NoteKind::Info, text: "日本語日本語日本語日本語 and so on".into() })
        }
        8 => app.tab.search = Search::new("e"),
        9 => app.desk.settings.numbers = true,
        10 => app.hands = Hands::at(Some(prompt(PromptKind::Number, "Link:", "1")), Vec::new()),
        11 => app.tab.history[0].page = None,
        12 => app.tab.history.clear(),
        _ => {}
    }
    app
}

#[test]
fn every_state_at_every_small_size() {
    for unicode in [true, false] {
        let theme = themed(unicode);
        for number in 0..=12 {
            let mut app = state(number);
            app.desk.keymap = wayfarer::keys::Keymap::preset("vi", &super::stage::commands(), &mut Vec::new()).unwrap();
            for columns in 0..=30 {
                for rows in 0..=12 {
                    app.desk.screen = Screen { columns, rows };
                    sound(&app, &theme);
                }
            }
        }
    }
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z ]{0,40}",
        "[日本e\u{301}\u{200D}👩🏽a \u{AD}ﷺ\u{0}\u{7}\u{1b}\t]{0,12}",
        Just("x".repeat(300)),
        any::<String>(),
    ]
}

prop_compose! {
    fn states()(
        (columns, rows) in (0u16..=30, 0u16..=12),
        lines in prop::collection::vec((texts(), any::<bool>()), 0..6),
        typed in texts(),
        cursor in 0usize..20,
        (kind, focus, left, selected) in (0usize..9, 0u32..9, 0u16..40, 0usize..9),
        (numbers, wrap, top) in (any::<bool>(), any::<bool>(), 0u32..9),
    ) -> App {
        let mut app = browser(columns, rows);
        app.desk.settings.numbers = numbers;
        app.desk.settings.wrap = wrap;
        let mut entry = entry("gopher://[::1]:7070/7/%FF%00%09a%09b#c", media::MENU, PageState::Arriving, |out| {
            for (text, link) in &lines {
                let text = wayfarer::doc::sanitise(text).replace('\n', " ");
                if *link {
                    out.marked(BlockKind::Entry, Role::Text, Marker::Menu, 0);
                    out.link(&text, Role::Link, &typed);
                } else {
                    out.block(BlockKind::Line, Role::Text);
                    out.text(&text);
                }
            }
        });
        entry.focus = Some(LinkId(focus));
        entry.left = left;
        entry.top = Anchor { block: top, offset: 3 };
        app.tab.history.push(entry);
        let input = Input::new(typed.clone()).with_cursor(cursor);
        match kind {
            0 => app.tab.search = Search::new(&typed),
            1 => app.hands = Hands::at(Some(wayfarer::app::Prompt {
                input,
                selected: Some(selected),
                completions: lines
                    .iter()
                    .map(|(text, known)| Completion {
                        title: typed.clone(),
                        origin: known.then_some(Origin::Visited),
                        matched: vec![0, selected, cursor],
                        ..Completion::from(text.clone())
                    })
                    .collect(),
                meaning: Some(match Url::parse(typed.as_str()) {
                    Ok(url) => Meaning::Url { parts: scheme::parts(&url), note: Some(typed.clone()) },
                    Err(error) => Meaning::Nothing(error.to_string()),
                }),
                remark: typed.clone(),
                ..prompt(PromptKind::Command, &typed, "")
            }), Vec::new()),
            2 => app.hands.note = Some(Note { kind: NoteKind::Error, text: typed.clone() }),
            3 => app.hands = Hands::at(None, vec![Overlay::Question {
                text: lines.iter().map(|(text, _)| text.clone()).collect(),
                choices: typed.chars().map(|key| Choice { key, label: typed.clone() }).take(4).collect(),
                pending: Pending::Quit,
            }]),
            4 => {
                let mut list = list(selected);
                if let Overlay::List { items, filter, selected: at, .. } = &mut list {
                    *filter = Input::new(typed.chars().take(1).collect());
                    *at = selected * 2;
                    let named = items.iter().map(|item| wayfarer::app::ListItem { text: typed.clone(), ..item });
                    *items = named.collect::<Vec<_>>().into();
                }
                list.narrow();
                app.hands = Hands::at(None, vec![list]);
            }
            5 | 6 => {
                let mut form = form();
                if let Overlay::Form(state) = &mut form {
                    state.focus = selected;
                    state.title = typed.clone();
                    for field in &mut state.fields {
                        field.label = typed.clone();
                        if let FieldValue::Line { input: field, .. } | FieldValue::File { input: field, .. } = &mut field.value {
                            *field = input.clone();
                        }
                    }
                }
                app.hands = Hands::at(None, vec![form]);
            }
            7 => {
                let url = Url::parse("http://u:p@example.org:81/a/b?c").unwrap();
                let opening = Opening::typed(url.clone());
                app.tab.loading = Some(Loading { id: JobId(1), opening, request: Request::new(url), stage: None, head: None });
            }
            _ => {
                app.hands = Hands::at(None, vec![anatomy(), list(3)]);
            }
        }
        app
    }
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn any_state_is_drawn_soundly(app in states(), unicode in any::<bool>()) {
        sound(&app, &themed(unicode));
    }
}

#[test]
fn a_prompt_longer_than_the_screen_can_count_is_drawn() {
    for typed in [0xfff0, 0xffff, 0x10010] {
        let mut app = browser(80, 24);
        let mut asked = prompt(PromptKind::Open, "open", &"x".repeat(typed));
        asked.remark = "y".repeat(0xfff0);
        app.hands = Hands::at(Some(asked), Vec::new());
        sound(&app, &Theme::default());
    }
}

#[test]
fn no_cell_holds_more_marks_than_a_language_writes() {
    let zalgo = format!("<title>t</title><p>x{0} and y{0}", "\u{301}".repeat(8192));
    let mut app = browser(80, 24);
    let page = entry("http://h/", "text/html", PageState::Complete, |out| {
        let input = wayfarer::format::Input {
            media: "text/html".into(),
            charset: None,
            url: Url::parse("http://h/").unwrap(),
            groups: Default::default(),
            notices: Vec::new(),
        };
        let mut parser = wayfarer::format::parser(&input).unwrap();
        parser.feed(zalgo.as_bytes(), out);
        parser.finish(out);
    });
    app.tab.history.push(page);
    let (cells, _) = drawn(&app, &themed(true));
    let symbols: Vec<&str> = cells.content().iter().map(|cell| cell.symbol()).collect();
    assert!(symbols.iter().any(|symbol| symbol.starts_with("x\u{301}")), "the letter is shown");
    assert!(symbols.iter().all(|symbol| symbol.chars().count() <= 31));
}
