//! The one way in which the browser changes.

use super::{
    App, Effect, Known, Msg, Screen, arranging, arrival, behind, composing, editing, filling, news, own, pointing,
    press, question, saving, scroll, searching, session, suggest, tabs, touring, web_form,
};

/// Takes a message, changes the browser, and says what the shell must do.
pub fn update(app: &mut App, message: Msg) -> Vec<Effect> {
    let behind = behind::whose(app, &message);
    let whose = behind.map_or(&app.tab, |tab| &app.tabs.behind[tab]);
    let (private, touring) = (whose.private, touring::is_in(&app.tour, whose));
    let mut effects = match behind {
        Some(tab) => behind::run(app, tab, |app| take(app, message)),
        None => take(app, message),
    };
    if private {
        effects.retain(|effect| !session::is_trace(effect));
    }
    if touring {
        effects.retain(|effect| !touring::is_choice(effect));
    }
    effects.extend(tabs::tend(app));
    effects.extend(saving::start(app));
    effects.extend(saving::keep_for_later(app));
    question::next(app);
    effects.extend(news::tend(app));
    effects.extend(own::history::look(app));
    effects.extend(own::tend(app));
    effects.extend(arranging::tend(app));
    effects.extend(news::seek_posted(app));
    effects.extend(suggest::tend(app));
    effects.extend(session::tend(app));
    effects.retain(|effect| !matches!(effect, Effect::Slice) || !std::mem::replace(&mut app.slicing, true));
    effects
}

/// Takes a message for the tab in view.
fn take(app: &mut App, message: Msg) -> Vec<Effect> {
    match message {
        Msg::Key(key) => press::press(app, key),
        Msg::Mouse(gesture, spot) => pointing::point(app, gesture, spot),
        Msg::Paste(text) => press::paste(app, &text),
        Msg::Resize(columns, rows) => {
            app.screen = Screen { columns, rows };
            scroll::keep_in_view(app);
            Vec::new()
        }
        Msg::Fetch { id, elapsed, event } => arrival::event(app, id, elapsed, event),
        Msg::Transfer { id, elapsed, transfer } => saving::transfer(app, id, elapsed, transfer),
        Msg::Ran(result) if web_form::is_editing(&app.tab) => web_form::edited(app, result.map(|()| None)),
        Msg::Ran(result) if composing::is_editing(app) => composing::edited(app, result),
        Msg::Ran(result) if editing::is_open(app) => editing::edited(app, result),
        Msg::Ran(result) => {
            if let Err(sentence) = result {
                app.complain(sentence);
            }
            vec![Effect::Redraw]
        }
        Msg::Wrote(result) if app.writing.is_none() && web_form::is_written(&app.tab) => web_form::wrote(app, result),
        Msg::Wrote(result) if composing::is_writing(app) => composing::wrote(app, result),
        Msg::Wrote(result) if editing::is_writing(app) => editing::wrote(app, result),
        Msg::Wrote(result) => saving::wrote(app, result),
        Msg::Read(content) if app.listing.is_some() => web_form::listed(app, content),
        Msg::Read(content) if web_form::is_reading(&app.tab) => web_form::edited(app, content.map(Some)),
        Msg::Read(content) if web_form::is_uploading(&app.tab) => web_form::upload_read(app, content),
        Msg::Read(content) if composing::is_reading(app) => composing::read(app, content),
        Msg::Read(content) if own::bookmarks::is_importing(app) => own::bookmarks::import(app, content),
        Msg::Read(content) => filling::read(app, content),
        Msg::Known { known, remark } => {
            match known {
                Known::Newsrc { server, newsrc } => news::synced(app, &server, newsrc),
                Known::Visits(visits) => own::history::read(app, *visits),
                Known::Others(visits) => own::history::others(app, &visits),
                Known::Words(words) => app.words = words,
                Known::Bookmarks(bookmarks) => own::bookmarks::read(app, *bookmarks),
                Known::Nothing => {}
            }
            if let Some(remark) = remark {
                app.complain(remark);
            }
            Vec::new()
        }
        Msg::Slice => {
            suggest::slice(app);
            searching::slice(app)
        }
        Msg::Terminate => vec![Effect::Quit],
    }
}
