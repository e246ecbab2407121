//! The one way in which the browser changes.

use super::{
    App, Effect, Msg, Screen, arranging, arrival, composing, editing, filling, news, pointing, press, question, saving,
    scroll, searching, web_form,
};

/// Takes a message, changes the browser, and says what the shell must do.
pub fn update(app: &mut App, message: Msg) -> Vec<Effect> {
    let mut effects = match message {
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
        Msg::Ran(result) if web_form::is_editing(app) => web_form::edited(app, result.map(|()| None)),
        Msg::Ran(result) if composing::is_editing(app) => composing::edited(app, result),
        Msg::Ran(result) if editing::is_open(app) => editing::edited(app, result),
        Msg::Ran(result) => {
            if let Err(sentence) = result {
                app.complain(sentence);
            }
            vec![Effect::Redraw]
        }
        Msg::Wrote(result) if web_form::is_written(app) => web_form::wrote(app, result),
        Msg::Wrote(result) if composing::is_writing(app) => composing::wrote(app, result),
        Msg::Wrote(result) if editing::is_writing(app) => editing::wrote(app, result),
        Msg::Wrote(result) => saving::wrote(app, result),
        Msg::Read(content) if app.listing.is_some() => web_form::listed(app, content),
        Msg::Read(content) if web_form::is_reading(app) => web_form::edited(app, content.map(Some)),
        Msg::Read(content) if web_form::is_uploading(app) => web_form::upload_read(app, content),
        Msg::Read(content) if composing::is_reading(app) => composing::read(app, content),
        Msg::Read(content) => filling::read(app, content),
        Msg::Newsrc { server, newsrc, remark } => news::synced(app, &server, newsrc, remark),
        Msg::Slice => searching::slice(app),
        Msg::Terminate => vec![Effect::Quit],
    };
    effects.extend(saving::start(app));
    question::next(app);
    effects.extend(news::tend(app));
    effects.extend(arranging::tend(app));
    effects.extend(news::seek_posted(app));
    effects.retain(|effect| !matches!(effect, Effect::Slice) || !std::mem::replace(&mut app.slicing, true));
    effects
}
