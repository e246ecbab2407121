//! The one way in which the browser changes.

use crate::app::answers::prompts;
use crate::app::errands::Whose;
use crate::app::look::{anatomy, illustration, picture};
use crate::app::motion::{arrangement, changes, links, marking, scroll, search};
use crate::app::navigation::{cookies, destination, subscriptions};
use crate::app::state::Cx;
use crate::app::{
    App, Effect, Known, Msg, Opening, Screen, Tab, ahead, background, commands, completion, errands, handed, intents,
    internal, keyboard, marks, mouse, navigation, news, sequence, session, split, startup, tabs, tour, transfer,
};

/// Takes a message, changes the browser, and says what the shell must do.
pub fn update(app: &mut App, message: Msg) -> Vec<Effect> {
    let whose = errands::whose(app, &message);
    let tab = match whose {
        Whose::Front => &app.tab,
        Whose::Behind(place) => &app.tabs.behind[place],
        // Nothing at all happens.
        Whose::Nobody => return Vec::new(),
    };
    let traces = Traces::of(app, tab);
    let (by_reader, given) = (is_of_reader(&message), app.jobs.given());
    let from = by_reader.then(|| marks::stand(app));
    app.tab.handed &= !by_reader;
    app.hands.act(by_reader);
    let mut effects = match whose {
        Whose::Behind(place) => background::run(app, place, |cx| errands::take(cx, message)),
        Whose::Front | Whose::Nobody => take(app, message),
    };
    traces.keep_back(&mut effects);
    effects.extend(intents::serve(app));
    app.hands.act(false);
    tend(app, &mut effects);
    while let Some(line) = sequence::due(app) {
        effects.extend(step(app, &line, by_reader));
    }
    while let Some((line, key)) = ahead::due(app) {
        app.hands.pressed = key;
        effects.extend(step(app, &line, by_reader));
        app.hands.pressed = None;
    }
    from.into_iter().for_each(|from| marks::moved(app, from));
    if by_reader && app.jobs.given() > given {
        app.hands.await_an_answer();
    }
    effects
}

/// One step of a command of the reader's own, or what has waited.
fn step(app: &mut App, line: &str, by_reader: bool) -> Vec<Effect> {
    let traces = Traces::of(app, &app.tab);
    app.hands.act(true);
    let mut effects = commands::run_now(app, line);
    traces.keep_back(&mut effects);
    effects.extend(intents::serve(app));
    app.hands.act(false);
    tend(app, &mut effects);
    sequence::ran(app);
    if !by_reader && !app.hands.are_free() {
        // It has come while the reader did something else, perhaps.
        app.hands.come_unseen();
    }
    effects
}

/// What of a tab leaves no trace.
struct Traces {
    private: bool,
    touring: bool,
}

impl Traces {
    fn of(app: &App, tab: &Tab) -> Traces {
        Traces { private: tab.private, touring: tour::is_in(&app.desk.tour, tab) }
    }

    fn keep_back(&self, effects: &mut Vec<Effect>) {
        if self.private {
            effects.retain(|effect| !session::is_trace(effect));
        }
        if self.touring {
            effects.retain(|effect| !tour::is_choice(effect));
        }
    }
}

/// Whether the reader asks for something: by a key, or on the command line.
fn is_of_reader(message: &Msg) -> bool {
    let begins = matches!(message, Msg::Open { .. } | Msg::Resume { .. } | Msg::Go(_));
    begins || matches!(message, Msg::Key(_) | Msg::Mouse(..) | Msg::Paste(_) | Msg::Command(_))
}

/// What follows from whatever happened.
pub(super) fn tend(app: &mut App, effects: &mut Vec<Effect>) {
    internal::settings::themes::tend(&mut app.cx());
    effects.extend(intents::serve(app));
    effects.extend(tabs::tend(app));
    tabs::note_outgoing(app);
    effects.extend(transfer::start(&mut app.cx()));
    effects.extend(transfer::keep_for_later(&mut app.cx()));
    prompts::next(app);
    if let Some(beside) = split::place(app) {
        effects.extend(background::run(app, beside, tend_page));
    }
    effects.extend(split::tend_news(app));
    effects.extend(internal::history::look(&mut app.cx()));
    effects.extend(internal::tend(&mut app.cx()));
    navigation::service::tend(&mut app.cx());
    effects.extend(subscriptions::tend(&mut app.cx()));
    effects.extend(tend_page(&mut app.cx()));
    anatomy::tend(&mut app.cx());
    split::tend(app);
    effects.extend(news::settle(&mut app.cx()));
    effects.extend(intents::serve(app));
    effects.extend(completion::tend(app));
    effects.extend(session::tend(app));
    errands::settle(app, effects);
}

/// The same of a page that is in view.
fn tend_page(cx: &mut Cx<'_>) -> Vec<Effect> {
    let mut effects = illustration::prepare(cx);
    effects.extend(arrangement::tend(cx));
    destination::settle_in(cx);
    effects.extend(search::tend(cx));
    effects.extend(links::tend(cx));
    effects.extend(marking::tend(cx));
    effects.extend(picture::tend(cx));
    effects.extend(illustration::tend(cx));
    effects
}

/// Takes a message for the tab in view.
fn take(app: &mut App, message: Msg) -> Vec<Effect> {
    match message {
        Msg::Choices(choices) => {
            app.desk.choices = *choices;
            Vec::new()
        }
        Msg::Remembered(remembered) => {
            startup::take(app, *remembered);
            Vec::new()
        }
        Msg::Open { places, media, charset } => session::open(app, places, media.as_deref(), charset.as_deref()),
        Msg::Handed(places) => handed::open(app, places),
        Msg::Resume { home } => session::resume(app, home),
        Msg::Go(url) => navigation::go(&mut app.cx(), Opening::typed(url)),
        Msg::Command(line) => commands::run(app, &line),
        Msg::Clock(now) => {
            app.desk.now = Some(now);
            Vec::new()
        }
        Msg::Tour(ports) => {
            tour::listen(app, ports);
            Vec::new()
        }
        Msg::Key(_) | Msg::Mouse(..) | Msg::Paste(_) if !app.hands.press() => {
            app.say("this has just come; press that again");
            Vec::new()
        }
        Msg::Rest => {
            app.hands.rest();
            Vec::new()
        }
        Msg::Key(key) => keyboard::press(app, key),
        Msg::Mouse(gesture, spot) => {
            ahead::forget(app);
            mouse::point(app, gesture, spot)
        }
        Msg::Paste(text) => keyboard::paste(app, &text),
        Msg::Resize(columns, rows) => {
            app.desk.screen = Screen { columns, rows };
            scroll::keep_in_view(&mut app.cx());
            Vec::new()
        }
        Msg::Graphics(protocol, cell) => {
            app.desk.graphics = (protocol, cell);
            Vec::new()
        }
        Msg::Cookies { host, names } => {
            cookies::ask(&mut app.cx(), &host, &names);
            Vec::new()
        }
        Msg::Said(sentence) => {
            app.say(sentence);
            Vec::new()
        }
        Msg::Complaint(sentence) => {
            app.hands.mention(sentence);
            Vec::new()
        }
        Msg::Known { known, remark } => {
            match known {
                Known::Newsrc { server, newsrc } => news::synced(&mut app.cx(), &server, newsrc),
                Known::Visits(visits) => internal::history::read(&mut app.cx(), *visits),
                Known::Others(visits) => internal::history::others(&mut app.cx(), &visits),
                Known::Words(words) => app.desk.words = words,
                Known::Bookmarks(bookmarks) => internal::bookmarks::read(&mut app.cx(), *bookmarks),
                Known::Scores(scores) => news::known(&mut app.cx(), scores),
                Known::New { unread, fresh } => subscriptions::known(&mut app.cx(), unread, fresh),
                Known::Fresh { url, octets, blocks } => {
                    let tabs = app.tabs.behind.iter_mut().chain([&mut app.tab]);
                    changes::known(tabs.flat_map(|tab| &mut tab.history), &url, octets, &blocks);
                }
                Known::Forgotten(gone) => internal::history::forgotten(&mut app.cx(), gone),
                Known::Settings(file) => internal::settings::known(&mut app.cx(), file, remark.is_none()),
            }
            if let Some(remark) = remark {
                app.hands.mention(remark);
            }
            Vec::new()
        }
        Msg::Terminate => vec![Effect::QuitNow],
        answer => errands::take(&mut app.cx(), answer),
    }
}
