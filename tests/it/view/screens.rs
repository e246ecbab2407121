//! Pictures of whole screens.

use super::stage::{anatomy, answered, browser, entry, form, list, menu, on_menu};
use super::{styles, text, themed};
use insta::assert_snapshot;
use wayfarer::app::{Choice, Hands, JobId, Loading, Note, NoteKind, Opening, Overlay};
use wayfarer::app::{Msg, PageState, Pending};
use wayfarer::doc::{BlockKind, LinkId};
use wayfarer::format::media;
use wayfarer::keys::Key;
use wayfarer::proto::{Request, Stage};
use wayfarer::role::Role;
use wayfarer::theme::{Depth, Theme};
use wayfarer::url::Url;
use wayfarer::visits::Visits;

/// Every kind of field, the one of this number under focus; then keys.
fn web_form(columns: u16, rows: u16, focus: u32, keys: &str) -> wayfarer::app::App {
    let page = b"<form method=post action=go><p>Name: <input required maxlength=20 name=n value=Ada> <p>Password <input name=p type=password>
        <p><input type=checkbox name=c checked> by mail <input type=radio name=r> never
        <p>Country: <select name=s><optgroup label=Europe><option>Here<option>There</optgroup><option disabled>Nowhere</select>
        <p>Words:<br><textarea name=t>one\ntwo\nthree</textarea><p><button name=go>Send it</button> <input type=reset></form>";
    web(columns, rows, page, focus, keys)
}

/// A page of the web, the link of this number under focus; then keys.
fn web(columns: u16, rows: u16, html: &[u8], focus: u32, keys: &str) -> wayfarer::app::App {
    let mut app = browser(columns, rows);
    let mut page = entry("http://h/a?b", "text/html", PageState::Complete, |out| {
        let media = "text/html".into();
        let url = Url::parse("http://h/a?b").unwrap();
        let input =
            wayfarer::format::Input { media, charset: None, url, groups: Default::default(), notices: Vec::new() };
        let mut parser = wayfarer::format::parser(&input).unwrap();
        parser.feed(html, out);
        parser.finish(out);
    });
    page.focus = Some(LinkId(focus));
    page.page.as_deref_mut().unwrap().head.status = Some("404 Not Found".into());
    app.tab.history.push(page);
    for key in keys.split_whitespace() {
        wayfarer::app::update(&mut app, wayfarer::app::Msg::Key(Key::named(key).unwrap()));
    }
    app
}

#[test]
fn tables_wider_than_the_screen() {
    let page = "<h1>Operators</h1><p>What they call:<table border=1><caption>Traits</caption><tr><th>Operator<th>Trait<th>For assignment<th>Notes
        <tr><td>*<td><a href=1>std::ops::Mul</a><td><a href=2>std::ops::MulAssign</a><td>multiplies numbers; what is too large for the type is an error
        <tr><td>/<td><a href=3>std::ops::Div</a><td><a href=4>std::ops::DivAssign</a><td>rounds towards zero<tr><td>日本<td>x<td>y<td>an_identifier_that_is_long</table>";
    pictures("wide_table", |columns, rows| web(columns, rows, page.as_bytes(), 0, ""));
    pictures("wide_table_right", |columns, rows| web(columns, rows, page.as_bytes(), 0, "Tab Tab Tab >"));
}

#[test]
fn forms_of_web_pages() {
    pictures("web_form", |columns, rows| web_form(columns, rows, 0, ""));
    pictures("web_form_line", |columns, rows| web_form(columns, rows, 0, "Enter s x"));
    pictures("web_form_secret", |columns, rows| web_form(columns, rows, 1, "Enter s x"));
    pictures("web_form_choice", |columns, rows| web_form(columns, rows, 4, "Enter"));
    pictures("web_form_lines", |columns, rows| web_form(columns, rows, 5, "Enter"));
    pictures("web_form_button", |columns, rows| web_form(columns, rows, 6, "= End"));
}

pub(super) const SIZES: [(&str, u16, u16); 2] = [("80x24", 80, 24), ("40x10", 40, 10)];

/// Pictures at both sizes.
pub fn pictures(name: &str, stage: impl Fn(u16, u16) -> wayfarer::app::App) {
    for (size, columns, rows) in SIZES {
        assert_snapshot!(format!("{name}_{size}"), text(&stage(columns, rows), &Theme::default()));
    }
}

#[test]
fn first_screen() {
    pictures("first", browser);
}

#[test]
fn gopher_menu() {
    pictures("menu", on_menu);
}

/// A directory as it comes from an FTP server, sorted as the reader left it.
fn directory(columns: u16, rows: u16, keys: &str) -> wayfarer::app::App {
    use wayfarer::app::{Effect, Msg, update};
    use wayfarer::proto::Head;
    let mut app = browser(columns, rows);
    let url = Url::parse("ftp://ftp.example.org/pub/gopher/").unwrap();
    let effects = app.open(url.clone());
    let id = effects.iter().find_map(|effect| if let Effect::Fetch { id, .. } = effect { Some(*id) } else { None });
    let notices =
        ["230-Welcome to the archive.", "Mirrors are", "at many places,", "be kind."].map(String::from).to_vec();
    let head = Head { notices, ..Head::new(url, media::DIRECTORY) };
    let listing = "type=file;size=31234;modify=19911202142000; gopher_protocol.txt\r\n\
        type=dir;modify=19940324000000; Gopher+\r\n\
        type=OS.unix=slink:menus.tar.Z;modify=19930811000000; latest\r\n\
        type=file;size=1200000;modify=19930811000000; menus.tar.Z\r\n";
    answered(&mut app, id.unwrap(), head, listing.as_bytes());
    for key in keys.split_whitespace() {
        update(&mut app, Msg::Key(Key::named(key).unwrap()));
    }
    app
}

#[test]
fn ftp_directory() {
    pictures("directory", |columns, rows| directory(columns, rows, "Down Down"));
    pictures("directory_filtered", |columns, rows| directory(columns, rows, "s s & m e n"));
    // two rows marked, the pointer at the second of them
    pictures("directory_marked", |columns, rows| directory(columns, rows, "Down Down Ins c Up"));
    pictures("directory_open", |columns, rows| directory(columns, rows, "Enter"));
}

#[test]
fn menu_with_numbers() {
    pictures("numbers", |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.desk.settings.numbers = true;
        app.tab.history[0].focus = Some(LinkId(7));
        app
    });
}

#[test]
fn loading_shows_the_new_url() {
    pictures("loading", |columns, rows| {
        let mut app = on_menu(columns, rows);
        let url = Url::parse("gophers://example.org:7443/1/a/long/way/to/go/before/anything/is/there").unwrap();
        let (opening, stage) = (Opening::typed(url.clone()), Some(Stage::Securing));
        app.tab.loading = Some(Loading { id: JobId(3), opening, request: Request::new(url), stage, head: None });
        app.hands.note = Some(Note { kind: NoteKind::Error, text: "A message that says what went wrong".into() });
        app
    });
}

#[test]
fn arriving_and_stopped_pages() {
    pictures("arriving", |columns, rows| {
        let mut app = browser(columns, rows);
        let mut entry = entry("ftp://joe:pw@ftp.example.org/pub/gopher/", media::MENU, PageState::Arriving, menu);
        entry.page.as_deref_mut().unwrap().elapsed = std::time::Duration::from_secs(2);
        app.tab.history.push(entry);
        app
    });
    pictures("stopped", |columns, rows| {
        let mut app = browser(columns, rows);
        app.tab.history.push(entry("gopher://example.org/", media::MENU, PageState::Stopped, |out| {
            out.block(BlockKind::Line, Role::Text);
            out.text("The first line");
            out.document_mut().notes = vec!["charset guessed: windows-1252".into(), "dot missing".into()];
        }));
        app
    });
}

#[test]
fn empty_pages() {
    pictures("empty", |columns, rows| {
        let mut app = browser(columns, rows);
        app.tab.history.push(entry("gopher://example.org/1/nothing", media::MENU, PageState::Complete, |_| {}));
        app
    });
}

#[test]
fn overlays() {
    pictures("anatomy", |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.hands = Hands::at(None, vec![anatomy()]);
        app
    });
    pictures("list", |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.hands = Hands::at(None, vec![list(2000)]);
        app
    });
    pictures("narrowed", |columns, rows| {
        let mut app = on_menu(columns, rows);
        let mut list = list(2000);
        if let Overlay::List { filter, .. } = &mut list {
            *filter = tui_input::Input::new("LIST 日".into());
        }
        list.narrow();
        app.hands = Hands::at(None, vec![list]);
        app
    });
    pictures("question", |columns, rows| {
        let mut app = on_menu(columns, rows);
        let choice = |key, label: &str| Choice { key, label: label.into() };
        let question = Overlay::Question {
            text: vec![
                "gopher.tar.Z is application/octet-stream, 1.2 MB.".into(),
                "Save it, or open it with a program?".into(),
            ],
            choices: vec![choice('s', "save"), choice('o', "open with …"), choice('n', "neither")],
            pending: Pending::Quit,
        };
        app.hands = Hands::at(None, vec![question]);
        app
    });
    pictures("form", |columns, rows| {
        let mut app = on_menu(columns, rows);
        app.hands = Hands::at(None, vec![form()]);
        app
    });
}

#[test]
fn the_focused_links_line() {
    let mut app = on_menu(80, 24);
    let mut line = |focus: u32| {
        app.tab.history[0].focus = Some(LinkId(focus));
        text(&app, &Theme::default()).lines().last().unwrap().trim_matches('|').trim().to_string()
    };
    assert_eq!(line(1), "→ gopher://sdf.org:7070/1  menu");
    assert_eq!(line(5), "→ telnet://user:***@example.org:2323/", "a password is never shown");
    assert!(!line(6).starts_with('→'), "a broken link says what is wrong with it: {}", line(6));
    assert_eq!(line(7).split_once("  ").map(|(to, _)| to), Some("→ gopher://gopher.floodgap.com/0/a?x#y"));
    assert!(line(7).ends_with("written /0/a?x#y"), "{}", line(7));
}

#[test]
fn looks_of_the_bar_and_the_focus() {
    let mut app = on_menu(80, 24);
    app.tab.history[0].url = Url::parse("gopher://gopher.floodgap.com:7070/7/v2/vs%09words").unwrap();
    for name in ["dark", "16", "monochrome"] {
        let theme = Theme::built_in(name).unwrap();
        assert_snapshot!(format!("bar_styles_{name}"), styles(&app, &theme, 22));
        assert_snapshot!(format!("focus_styles_{name}"), styles(&app, &theme, 6));
    }
    let sixteen = Theme::default().at(Depth::Ansi16);
    assert_snapshot!("bar_styles_dark_in_16", styles(&app, &sixteen, 22));
}

#[test]
fn without_unicode_all_is_ascii() {
    let theme = themed(false);
    for overlay in [None, Some(anatomy()), Some(list(9)), Some(form())] {
        let mut app = on_menu(80, 24);
        app.hands = Hands::at(None, overlay.into_iter().collect());
        let shown = text(&app, &theme);
        assert!(shown.is_ascii(), "{shown}");
    }
    let mut app = on_menu(80, 24);
    app.hands = Hands::at(None, vec![anatomy()]);
    assert_snapshot!("ascii_anatomy", text(&app, &theme));
}

#[test]
fn the_bar_says_that_a_page_is_a_copy_whatever_else_finds_no_room() {
    let bar = |columns: u16, url: &str, change: &dyn Fn(&mut wayfarer::app::App)| {
        let mut app = on_menu(columns, 10);
        app.tab.history[0] = entry(url, media::HTML, PageState::Complete, |_| {});
        app.tab.at = 0;
        change(&mut app);
        let text = super::text(&app, &super::themed(true));
        text.lines().find(|line| line.contains("127.0.0.1")).unwrap_or(&text).to_owned()
    };
    let copy = |app: &mut wayfarer::app::App| {
        app.tab.history[0].page.as_mut().unwrap().head.kept = Some(jiff::Timestamp::UNIX_EPOCH);
    };
    let offline = |app: &mut wayfarer::app::App| {
        copy(app);
        let mut choices = app.choices().clone();
        choices.offline = true;
        wayfarer::app::update(app, wayfarer::app::Msg::Choices(Box::new(choices)));
    };
    let url = "http://127.0.0.1:27080/a.html";
    assert!(bar(80, url, &copy).contains("/a.html"));
    let narrow = bar(40, url, &offline);
    assert!(["kept now", "offline"].iter().all(|words| narrow.contains(words)), "{narrow}");
    assert!(bar(40, "http://127.0.0.1:27080/a/b/c/much/longer.html", &copy).contains("kept now"));
    assert!(bar(30, url, &offline).contains("kept now"));
    // Who one is, and that rows are marked, says more than how many rows there are.
    let user = bar(40, "ftp://reader@127.0.0.1:2121/pub/tools/", &|_| {});
    assert!(user.contains("reader@127.0.0.1 :2121"), "{user}");
}

#[test]
fn marked_rows_are_counted_where_what_they_come_to_finds_no_room() {
    let marked = |columns| super::text(&directory(columns, 10, "Down Down Ins c Up"), &super::themed(true));
    assert!(marked(60).contains("2 marked"), "{}", marked(60));
    assert!(marked(80).contains("2 marked") && marked(80).contains(":21"), "{}", marked(80));
}

#[test]
fn the_bar_never_gives_up_scheme_and_host() {
    let url = "ftp://anonymous@a-very-long-host-name.ftp.example.org:2121/pub/some/where/file.txt;type=a#here";
    for columns in 24..120 {
        let mut app = browser(columns, 10);
        app.tab.history.push(entry(url, media::PLAIN, PageState::Cut("x".into()), menu));
        let bar = text(&app, &Theme::default()).lines().nth(8).unwrap().to_string();
        assert!(bar.contains("ftp "), "{columns}: {bar}");
        assert!(bar.contains(".org"), "{columns}: {bar}");
        if columns >= 60 {
            assert!(bar.contains("a-very-long-host-name.ftp.example.org"), "{columns}: {bar}");
            assert!(bar.contains(":2121"), "an odd port is a warning: {columns}: {bar}");
        }
    }
}

#[test]
fn pages_seen_before_look_visited() {
    let mut app = on_menu(80, 24);
    for name in Theme::BUILT_IN {
        let theme = Theme::built_in(name).unwrap();
        app.library.visits = Visits::default();
        let fresh = [4, 5].map(|row| styles(&app, &theme, row));
        let seen = Url::parse("GOPHER://gopher.floodgap.com:70/0/gopher/proxy").unwrap();
        app.library.visits.see(&seen);
        assert_ne!(styles(&app, &theme, 4), fresh[0], "{name}");
        assert_eq!(styles(&app, &theme, 5), fresh[1], "{name}");
    }
}

#[test]
fn a_choice_is_pointed_at_where_a_key_would_act() {
    let mut app = browser(80, 24);
    let mut form = form();
    let Overlay::Form(state) = &mut form else { panic!() };
    state.focus = 5;
    app.hands = Hands::at(None, vec![form]);
    let screen = text(&app, &Theme::default());
    let pointed: Vec<&str> = screen.lines().filter(|line| line.contains('▸')).collect();
    assert!(matches!(pointed[..], [row] if row.contains("日")), "{pointed:?}");
    assert!(screen.contains("Space choose"), "{screen}");
}

#[test]
fn the_link_line_says_what_escapes_stand_for() {
    let mut app = browser(80, 24);
    let build = |out: &mut wayfarer::doc::Builder| {
        out.link("x", Role::Link, "gopher://h/7caf%C3%A9%20x%09two%20words");
    };
    let mut entry = entry("gopher://h/", media::MENU, PageState::Complete, build);
    entry.focus = Some(LinkId(0));
    app.tab.history.push(entry);
    let screen = text(&app, &Theme::default());
    assert!(screen.contains("→ gopher://h/7caf%C3%A9%20x%09two%20words  search  café x  two words"), "{screen}");
}

#[test]
fn a_password_in_a_link_is_not_shown_as_it_was_written() {
    let mut app = on_menu(120, 24);
    app.tab.history[0].focus = Some(LinkId(5));
    let screen = text(&app, &Theme::default());
    assert!(screen.contains("telnet://user:***@example.org:2323/") && !screen.contains("secret"), "{screen}");
}

#[test]
fn the_focus_is_seen_without_colour_where_no_room_is_before_it() {
    let mut app = browser(40, 10);
    let mut page = entry("http://h/", "text/html", PageState::Complete, |out| {
        out.link("first", Role::Link, "a");
        out.text(" and (");
        out.link("second", Role::Link, "b");
        out.text(") and ");
        out.link("third", Role::Link, "c");
        out.block(BlockKind::Paragraph, Role::Text);
        out.link("alone", Role::Link, "d");
    });
    let mut seen = Vec::new();
    for link in 0..4 {
        page.focus = Some(LinkId(link));
        app.tab.history = vec![page];
        let screen = text(&app, &Theme::built_in("monochrome").unwrap());
        seen.push(screen.lines().take(2).map(|line| line.trim_matches(['|', ' ']).to_owned()).collect::<Vec<_>>());
        page = app.tab.history.pop().unwrap();
    }
    // a mark would touch its neighbour
    assert_eq!(seen[0][0], "first and (second) and third");
    // where neither side has room, the look alone tells
    assert_eq!(seen[1][0], "first and (second) and third");
    assert_eq!(seen[2][0], "first and (second) and third◂");
    assert_eq!(seen[3][1], "alone◂");
}

#[test]
fn the_anatomy_of_a_link_and_of_its_page() {
    use wayfarer::app::update;
    use wayfarer::proto::{Dispatch, FetchEvent, Head};
    let stage = |columns, rows, keys: &str| {
        let mut app = browser(columns, rows);
        let url = Url::parse("http://joe:hunter2@www.example.org:8080/Test/a/b/c?q=1#top").unwrap();
        app.open(url.clone());
        let id = app.tab.loading.as_ref().unwrap().id;
        let lines = ["GET /Test/a/b/c?q=1 HTTP/1.1", "host: www.example.org:8080", "authorization: ***"];
        let sent = Dispatch {
            host: "www.example.org".into(),
            port: 8080,
            address: Some("192.0.2.7:8080".into()),
            lines: lines.map(Into::into).into(),
            came: Some("200 OK".into()),
            ..Dispatch::default()
        };
        let (elapsed, event) = (std::time::Duration::from_millis(80), FetchEvent::Sent(vec![sent]));
        update(&mut app, Msg::Fetch { id, elapsed, event });
        let mut head = Head::new(url.without_fragment(), "text/html");
        head.lines = (1..=9).map(|n| format!("X-Line-{n}: said")).collect();
        answered(&mut app, id, head, "<base href='../'><a href=' ../x%20y?it&#39;s\n'>on</a>".as_bytes());
        for key in ["Down", "="].into_iter().chain(keys.split_whitespace()) {
            update(&mut app, Msg::Key(Key::named(key).unwrap()));
        }
        app
    };
    pictures("anatomy_of_link", |columns, rows| stage(columns, rows, ""));
    pictures("anatomy_of_page", |columns, rows| stage(columns, rows, "Tab"));
    pictures("anatomy_at_its_end", |columns, rows| stage(columns, rows, "End"));
}

#[test]
fn a_user_in_an_address_of_the_web_has_the_look_of_a_warning() {
    let mut app = browser(80, 10);
    app.tab.history.push(entry("http://joe:x@h/", media::PLAIN, PageState::Complete, menu));
    assert_snapshot!("bar_styles_login", styles(&app, &Theme::default(), 8));
}
