//! Questions with a few answers. One that comes by itself waits until the reader's hands are free, so that a key meant
//! for something else never answers it.

use super::outside::Target;
use super::saving::Purpose;
use super::{
    App, Choice, Effect, Overlay, Pending, arrival, composing, cookies, news, opening, outside, own, saving, tabs,
    trusting, web_form,
};

/// An answer.
pub(super) fn choice(key: char, label: &str) -> Choice {
    Choice { key, label: label.into() }
}

/// Asks, now or as soon as nothing else is being asked.
pub(super) fn raise(app: &mut App, question: Overlay) {
    app.tab.questions.push(question);
    next(app);
}

/// Asks what waits to be asked, when nothing else is.
pub(super) fn next(app: &mut App) {
    if app.prompt.is_none() && app.overlays.is_empty() && app.pending_keys.is_empty() && !app.tab.questions.is_empty() {
        let question = app.tab.questions.remove(0);
        app.overlays.push(question);
    }
}

/// The body in question is no more.
pub(super) fn withdraw_body(app: &mut App) {
    let Some(id) = app.tab.loading.as_ref().map(|loading| loading.id) else { return };
    let about = |overlay: &Overlay| matches!(overlay, Overlay::Question { pending: Pending::Body(b), .. } if *b == id);
    app.tab.questions.retain(|overlay| !about(overlay));
    app.overlays.retain(|overlay| !about(overlay));
    if matches!(app.purpose, Some(Purpose::Program(Target::Body(body, _))) if body == id) {
        (app.purpose, app.prompt) = (None, None);
    }
}

/// Answers the open question.
pub(super) fn answer(app: &mut App, key: char) -> Vec<Effect> {
    let Some(Overlay::Question { pending, .. }) = app.overlays.pop() else { return Vec::new() };
    match (pending, key) {
        (Pending::Open(url), key) => opening::answered(app, &url, key == 'y'),
        (Pending::Body(id), 's') => saving::keep(app, id),
        (Pending::Body(id), 'o') => outside::body(app, id),
        (Pending::Body(id), 't') => arrival::as_text(app, id),
        (Pending::Body(id), _) => arrival::refuse_body(app, id),
        (Pending::Replace(id, _), 'r') => saving::replace(app, id),
        (Pending::Replace(id, path), 'n') => rename(app, Purpose::Body(id), &path),
        (Pending::Replace(id, _), _) => saving::refuse(app, id),
        (Pending::Overwrite(path, content), 'r') => vec![Effect::Write { path, content: Some(content), replace: true }],
        (Pending::Overwrite(path, content), 'n') => rename(app, Purpose::Text(content), &path),
        (Pending::Run(arguments), 'y') => vec![Effect::Run(arguments)],
        (Pending::Stop(id), key) => saving::stop(app, id, key),
        (Pending::Upload, key) => web_form::upload_agreed(app, key == 'y'),
        (Pending::Discard, 'y') => composing::discard(app),
        (Pending::Resume(id), key) => saving::resume(app, id, key),
        (Pending::Forget(what), 'y') => own::history::forget_now(app, &what),
        (Pending::Tabs { urls, front }, 'y') => tabs::open_all(app, urls, front),
        (Pending::Tabs { .. }, _) => Vec::new(),
        (Pending::Quit, 'y') => vec![Effect::Quit],
        (Pending::CatchUp(server, group, last), 'y') => news::caught_up(app, &server, &group, last),
        (Pending::CatchUp(..), _) => Vec::new(),
        (Pending::Trust(host, fingerprint), 'y') => trusting::trusted(app, host, fingerprint),
        (Pending::Trust(..), _) => Vec::new(),
        (Pending::Cookies(host), key) => cookies::answered(app, host, key),
        (Pending::Overwrite(..) | Pending::Run(_) | Pending::Discard | Pending::Forget(_) | Pending::Quit, _) => {
            Vec::new()
        }
    }
}

/// Esc: the answer that changes nothing.
pub(super) fn dismiss(app: &mut App) -> Vec<Effect> {
    answer(app, '\u{1b}')
}

/// Enter answers nothing by itself: it is pressed too easily.
pub(super) fn accept(app: &mut App) -> Vec<Effect> {
    app.say("answer by its letter");
    Vec::new()
}

fn rename(app: &mut App, purpose: Purpose, path: &str) -> Vec<Effect> {
    saving::ask_name(app, purpose, &saving::another(path));
    Vec::new()
}

/// A yes-or-no question.
pub(super) fn confirm(text: Vec<String>, yes: &str, pending: Pending) -> Overlay {
    Overlay::Question { text, choices: vec![choice('y', yes), choice('n', "no")], pending }
}
