//! Browsers in the states that the screen has to show, built by hand.

use std::sync::Arc;
use std::time::Duration;
use tui_input::Input;
use wayfarer::app::{
    App, Entry, FieldValue, Form, FormField, FormId, FormOwner, ListItem, ListKind, Opening, Overlay, Page, PageState,
    Purpose, TextOwner, Wants,
};
use wayfarer::app::{Effect, JobId, Msg, Prompt, PromptKind, Screen, update};
use wayfarer::config::Settings;
use wayfarer::doc::{Anchor, BlockKind, Builder, LinkId, Marker};
use wayfarer::format::{Reader, media};
use wayfarer::keys::Keymap;
use wayfarer::proto::{End, FetchEvent, Head};
use wayfarer::role::Role;
use wayfarer::url::{BaseStack, Url};

/// The names of all commands.
pub fn commands() -> Vec<&'static str> {
    wayfarer::app::COMMANDS.iter().map(|command| command.name).collect()
}

pub fn browser(columns: u16, rows: u16) -> App {
    let mut errors = Vec::new();
    let keymap = Keymap::preset("default", &commands(), &mut errors).unwrap();
    assert_eq!(errors, []);
    App::new(Settings::default(), keymap, Screen { columns, rows })
}

pub fn entry(url: &str, media: &str, state: PageState, build: impl FnOnce(&mut Builder)) -> Entry {
    let url = Url::parse(url).unwrap();
    let mut builder = Builder::new();
    build(&mut builder);
    let head = Head { length: Some(120_000), ..Head::new(url.clone(), media) };
    let page = Page {
        id: wayfarer::app::PageId(1),
        head,
        given: Arc::new(builder.finish()),
        rows: None,
        state,
        received: 12_400,
        elapsed: Duration::from_millis(80),
        source: None,
        arrangement: Default::default(),
        made_of: None,
        dispatched: Vec::new(),
        linked: Vec::new(),
        fresh: Vec::new(),
    };
    let bases = BaseStack::retrieved(url.without_fragment(), None);
    Entry {
        fresh: Default::default(),
        url,
        bases,
        top: Anchor::default(),
        focus: None,
        left: 0,
        page: Some(Box::new(page)),
        sent: None,
        hops: Vec::new(),
        veil: Default::default(),
        filled: Default::default(),
        origin: None,
        led: None,
        among: None,
        listed: None,
        titled: None,
        marked: Default::default(),
        wanted: None,
        forgotten: false,
        restored: false,
    }
}

/// What a fetch brings: a head, and a page if it is accepted as one.
pub fn answered(app: &mut App, id: JobId, head: Head, octets: &[u8]) {
    let elapsed = Duration::from_millis(80);
    let event = FetchEvent::Head(Box::new(head));
    for effect in update(app, Msg::Fetch { id, elapsed, event }) {
        if let Effect::Parse { id, intake } = effect {
            let mut reader = Reader::new(*intake).unwrap();
            reader.take(octets);
            update(app, Msg::Whole { id, elapsed, page: Box::new(reader.finish()), end: Ok(End::default()) });
        }
    }
}

pub fn menu(out: &mut Builder) {
    let info = |out: &mut Builder, text: &str| {
        out.marked(BlockKind::Entry, Role::Info, Marker::Blank, 0);
        out.text(text);
    };
    info(out, "Welcome to Floodgap Systems' official gopher server.");
    info(out, "Floodgap has served the gopher community since 1999");
    info(out, "(formerly gopher.ptloma.edu).");
    info(out, "");
    for (marker, text, reference) in [
        (Marker::Text, "Does this gopher menu look correct?", "gopher://gopher.floodgap.com/0/gopher/proxy"),
        (Marker::Menu, "Super-Dimensional Fortress: SDF Gopherspace", "gopher://sdf.org:7070/1"),
        (Marker::Search, "Search Gopherspace with Veronica-2", "gopher://gopher.floodgap.com/7/v2/vs"),
        (Marker::Image, "日本語のとても長い題名のついた画像、画面の幅よりもずっと長い", "gopher://example.org/I/a"),
        (Marker::Html, "Floodgap on the web", "http://www.floodgap.com/"),
        (Marker::Telnet, "A telnet service", "telnet://user:secret@example.org:2323/"),
        (Marker::Other, "Broken", "http://[::1/"),
        (Marker::Menu, "Relative", "/0/a?x#y"),
    ] {
        out.marked(BlockKind::Entry, Role::Text, marker, 0);
        out.link(text, if marker == Marker::Other { Role::LinkBroken } else { Role::Link }, reference);
    }
    info(out, "");
    info(out, "The gopher community is small and friendly; the gopher pages are many.");
}

/// A menu with its seventh line's link under focus.
pub fn on_menu(columns: u16, rows: u16) -> App {
    let mut app = browser(columns, rows);
    let mut entry = entry("gopher://gopher.floodgap.com/1/world", media::MENU, PageState::Complete, menu);
    entry.focus = Some(LinkId(2));
    app.tab.history.push(entry);
    app
}

pub fn prompt(kind: PromptKind, label: &str, text: &str) -> Prompt {
    Prompt {
        kind,
        label: label.into(),
        input: Input::new(text.into()),
        completions: Vec::new(),
        selected: None,
        draft: None,
        gives_way: false,
        meaning: None,
        remark: String::new(),
        about: None,
        purpose: Purpose::Kind,
    }
}

pub fn list(count: usize) -> Overlay {
    let item = |i: usize| ListItem {
        text: format!("Item {i} of the list 日本"),
        detail: format!("gopher://example.org/1/{i}"),
        key: i as u32,
    };
    Overlay::list(ListKind::Links, "Links", (0..count).map(item).collect::<Vec<_>>().into(), 2)
}

pub fn anatomy() -> Overlay {
    let mut out = Builder::new();
    for text in [
        "http://www.example.org:8080/Test/a/b/c?q=1#top",
        "scheme http · host www.example.org · port 8080 (default 80) · path /Test/a/b/c",
        "query q=1 · fragment top (never sent)",
        "Base URLs  document   http://www.example.org/Test/a/b/c   in force",
        "           retrieval  http://www.example.org:8080/Test/a/b/c?q=1",
    ] {
        out.block(BlockKind::Line, Role::Text);
        out.text(text);
    }
    out.block(BlockKind::Rule, Role::Rule);
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text("Where the link leads");
    Overlay::Text {
        owner: TextOwner::Anatomy(Box::default()),
        title: "Where you are".into(),
        document: Box::new(out.finish()),
        top: Anchor::default(),
        hint: "y copy · Enter follow · Esc close".into(),
    }
}

pub fn form() -> Overlay {
    let field = |label: &str, value| FormField { label: label.into(), value };
    let line = |text: &str, secret| FieldValue::Line { input: Input::new(text.into()), secret };
    let item = Opening::typed(Url::parse("gopher://example.org/1/form").unwrap());
    let owner = FormOwner::Login(Box::new(Wants::Place(Box::new(item))));
    Overlay::Form(Form {
        id: FormId(1),
        owner,
        touched: false,
        button: "Send".into(),
        url: Url::parse("gopher://example.org/1/form").unwrap(),
        title: "Register a server".into(),
        fields: vec![
            field(
                "Please tell us about your server. Everything you write here is sent in clear text.",
                FieldValue::Note,
            ),
            field("Your name:", line("Ursula", false)),
            field("Password:", line("geheim", true)),
            field(
                "Anything else that you would like to say to the people who keep this list:",
                FieldValue::Lines {
                    lines: vec![Input::new("One line".into()), Input::new("and another".into())],
                    at: 1,
                },
            ),
            field("Send me mail", FieldValue::Check(true)),
            field("Language:", FieldValue::Choose { options: vec!["Deutsch".into(), "日本語".into()], chosen: 1 }),
            field("Picture:", FieldValue::File { input: Input::new("~/me.gif".into()), sends: true }),
        ],
        focus: 1,
    })
}
