//! A hundred tabs: to begin with, to go from one to the next, to keep for the next time, to draw.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use wayfarer::app::{
    App, Choices, Effect, KeptPlace, KeptTab, Msg, Place, Remembered, Screen, Session, command_names, update,
};
use wayfarer::config::Settings;
use wayfarer::format::{Reader, media};
use wayfarer::keys::{Key, Keymap};
use wayfarer::proto::{End, FetchEvent, Head};
use wayfarer::theme::Theme;
use wayfarer::url::Url;

fn main() {
    divan::main();
}

const TABS: usize = 100;
/// Places in the history of each.
const PLACES: usize = 50;

fn session() -> Session {
    let place = |tab: usize, n: usize| {
        let url = Url::parse(format!("gopher://gopher{tab}.example.org/1/some/way/down/{n}")).ok()?;
        let title = Some(format!("Page {n} of a server"));
        Some(KeptPlace { url, title, media: None, place: Place::default(), fields: Vec::new(), asked: None })
    };
    let tab = |tab| KeptTab { at: PLACES - 1, places: (0..PLACES).filter_map(|n| place(tab, n)).collect() };
    Session { tabs: (0..TABS).map(tab).collect(), ..Session::default() }
}

fn browser() -> App {
    let keymap = Keymap::preset("default", &command_names(), &mut Vec::new()).unwrap_or_default();
    let mut app = App::new(Settings::default(), keymap, Screen { columns: 80, rows: 24 });
    let choices = Choices { keeps_session: true, ..app.choices().clone() };
    update(&mut app, Msg::Choices(Box::new(choices)));
    app
}

/// Answers what was asked for.
fn answer(app: &mut App, effects: Vec<Effect>) {
    for effect in effects {
        let Effect::Fetch { id, request } = effect else { continue };
        let text = "A line of some length, as pages have them.\n".repeat(500).into_bytes();
        let head = Box::new(Head::new(request.url, media::PLAIN));
        let elapsed = std::time::Duration::from_millis(9);
        for effect in update(app, Msg::Fetch { id, elapsed, event: FetchEvent::Head(head) }) {
            let Effect::Parse { id, intake } = effect else { continue };
            let Some(mut reader) = Reader::new(*intake) else { continue };
            reader.take(&text);
            update(app, Msg::Whole { id, elapsed, page: Box::new(reader.finish()), end: Ok(End::default()) });
        }
    }
}

fn remember(app: &mut App, session: Session) {
    let remembered = Remembered { session, ..Remembered::default() };
    update(app, Msg::Remembered(Box::new(remembered)));
}

/// A hundred tabs, each with its page.
fn full() -> App {
    let mut app = browser();
    remember(&mut app, session());
    for number in 1..=TABS {
        let effects = app.run(&format!("tab {number}"));
        answer(&mut app, effects);
    }
    app
}

/// The tabs of the last time, until the page in front is asked for.
#[divan::bench]
fn restore(bencher: divan::Bencher) {
    bencher.with_inputs(|| (browser(), session())).bench_values(|(mut app, session)| {
        remember(&mut app, session);
        if let Ok(home) = Url::parse("about:home") {
            update(&mut app, Msg::Resume { home });
        }
        app
    });
}

/// The key, and the frame after it.
#[divan::bench]
fn switch(bencher: divan::Bencher) {
    let (mut app, theme) = (full(), Theme::default());
    let (Ok(mut terminal), Some(key)) = (Terminal::new(TestBackend::new(80, 24)), Key::named("}")) else { return };
    bencher.bench_local(|| {
        update(&mut app, Msg::Key(key));
        terminal.draw(|frame| drop(wayfarer::view::draw(frame, &app, &theme))).map(|_| ())
    });
}

/// What goes into the file.
#[divan::bench]
fn keep(bencher: divan::Bencher) {
    let app = full();
    bencher.bench_local(|| app.session());
}
