//! Questions with a few answers, and what each answer does.

use super::forms;
use crate::app::forms::web;
use crate::app::look::illustration;
use crate::app::navigation::{answer, cookies, programs, sending, trust, upload};
use crate::app::state::jobs::Errand;
use crate::app::transfer::recursive;
use crate::app::{
    App, Choice, Consent, Effect, Opening, Overlay, Pending, Purpose, Text, commands, internal, leaving, letters,
    navigation, news, tabs, transfer,
};
use crate::keys::{Code, Key, Lookup, Mode};

/// Answers the open question.
pub(in crate::app) fn answer(app: &mut App, key: char) -> Vec<Effect> {
    if !matches!(app.hands.top(), Some(Overlay::Question { .. })) {
        return Vec::new();
    }
    let Some(Overlay::Question { pending, .. }) = app.hands.drop_top() else { return Vec::new() };
    match (pending, key) {
        (Pending::Open(opening), 'y') => {
            navigation::go(&mut app.cx(), Opening { consent: Consent::Agreed, ..*opening })
        }
        (Pending::GoOn(opening), 'y') => navigation::go(&mut app.cx(), *opening),
        (Pending::Leave(opening), 'y') => sending::leave(&mut app.cx(), *opening),
        (Pending::Leave(opening), 't') => tabs::opening::apart(app, *opening),
        (Pending::Open(_) | Pending::GoOn(_) | Pending::Leave(_), _) => Vec::new(),
        (Pending::Body(id), 's' | 'o') if app.desk.choices.safe => {
            app.complain("Nothing is written and no program started: --safe forbids it.");
            app.tab.refuse_loading(id)
        }
        (Pending::Body(id), 's') => transfer::keep(&mut app.cx(), id),
        (Pending::Body(id), 'o') => programs::body(&mut app.cx(), id),
        (Pending::Body(id), 't') => answer::as_text(&mut app.cx(), id),
        (Pending::Body(id), _) => app.tab.refuse_loading(id),
        (Pending::Replace(id, _), 'r') => transfer::replace(&mut app.cx(), id),
        (Pending::Replace(id, path), 'n') => rename(app, Purpose::Body(id), &path),
        (Pending::Replace(id, _), _) => transfer::refuse(&mut app.cx(), id),
        (Pending::Overwrite(path, content), 'r') => {
            let id = app.cx().job(Errand::Text(path.clone(), content.clone()));
            vec![Effect::Write { id, path, content, replace: true }]
        }
        (Pending::Overwrite(path, content), 'n') => rename(app, Purpose::Text(Text::Octets(content)), &path),
        (Pending::Run(arguments), 'y') => vec![Effect::Run { id: app.cx().job(Errand::Program), arguments }],
        (Pending::Mail(arguments, url), 'y') => {
            vec![Effect::Run { id: app.cx().job(Errand::MailProgram(url)), arguments }]
        }
        (Pending::WriteMail(url), 'y') => letters::mail(&mut app.cx(), &url),
        (Pending::Mail(..) | Pending::WriteMail(_), _) => Vec::new(),
        (Pending::Advised(arguments, _), 'y') => vec![Effect::Run { id: app.cx().job(Errand::Program), arguments }],
        (Pending::Advised(arguments, url), 'p') => programs::advise(&mut app.cx(), arguments, &url),
        (Pending::Advised(..), _) => Vec::new(),
        (Pending::Stop(id), key) => transfer::stop(&mut app.cx(), id, key),
        (Pending::Send(sending), key) => upload::agreed(&mut app.cx(), *sending, key),
        (Pending::Upload(uploading), key) => web::upload_agreed(&mut app.cx(), *uploading, key == 'y'),
        (Pending::Discard, 'y') => letters::discard(&mut app.cx()),
        (Pending::Post, 'y') => letters::send_all_the_same(&mut app.cx()),
        (Pending::Post, _) => Vec::new(),
        (Pending::Abandon(form), 'y') => forms::abandon(&mut app.cx(), form),
        (Pending::Abandon(_), _) => Vec::new(),
        (Pending::Resume(id), key) => transfer::resume(&mut app.cx(), id, key),
        (Pending::Signature(id), key) => transfer::verify::agreed(&mut app.cx(), id, key == 'y'),
        (Pending::SignedText(id), key) => transfer::article::agreed(&mut app.cx(), id, key == 'y'),
        (Pending::Changed(id), key) => recursive::answered(&mut app.cx(), id, key),
        (Pending::Forget(what), 'y') => {
            tabs::forget(app, &what);
            internal::history::forget_now(&mut app.cx(), &what)
        }
        (Pending::Tabs { urls, front }, 'y') => tabs::opening::open_all(app, urls, front),
        (Pending::Tabs { .. }, _) => Vec::new(),
        (Pending::Picture(page, link, url), 'y') => illustration::agreed(&mut app.cx(), page, link, *url),
        (Pending::Picture(..), _) => Vec::new(),
        (Pending::Quit, key) => leaving::answered(app, key),
        (Pending::Score(named, about), key) => news::answered(&mut app.cx(), *named, about, key),
        (Pending::Trust { server, certificate, pinned, private }, 'y') => {
            trust::trusted(&mut app.cx(), Effect::Trust { server, certificate, pinned, private })
        }
        (Pending::Trust { .. }, _) => Vec::new(),
        (Pending::Cookies(host), key) => cookies::answered(&mut app.cx(), host, key),
        (Pending::Overwrite(..) | Pending::Run(_) | Pending::Discard | Pending::Forget(_), _) => Vec::new(),
    }
}

/// The answer that a letter gives. Who wants to leave may say yes, too: that is the usual way, which is offered first.
pub(in crate::app) fn meant(choices: &[Choice], pending: &Pending, letter: char) -> Option<char> {
    let usual = choices.first().filter(|_| letter == 'y' && *pending == Pending::Quit);
    choices.iter().find(|choice| choice.key == letter).or(usual).map(|choice| choice.key)
}

/// The key that asked, pressed again: yes, where that is a step like others and no letter of an answer.
pub(in crate::app) fn again(app: &mut App, key: Key) -> Option<Vec<Effect>> {
    if !matches!(app.hands.top(), Some(Overlay::Question { .. })) {
        return None;
    }
    // Who types something else answers by letters: what they type ahead is no yes.
    app.hands.ask_by_letters(key);
    let Some(Overlay::Question { pending, choices, .. }) = app.hands.top() else { return None };
    let is_letter = choices.iter().any(|choice| key.code == Code::Char(choice.key) && !key.control && !key.meta);
    let says_yes = pending.is_a_step() && !is_letter && app.hands.prompt().is_none() && app.hands.asks_again(key);
    says_yes.then(|| answer(app, 'y'))
}

/// Esc: the answer that changes nothing.
pub(in crate::app) fn dismiss(app: &mut App) -> Vec<Effect> {
    answer(app, '\u{1b}')
}

/// Enter answers nothing by itself, it is pressed too easily; but it stops a download or lets it go on, which can be taken back.
pub(in crate::app) fn accept(app: &mut App) -> Vec<Effect> {
    if let Some(Overlay::Question { choices, .. }) = app.hands.top()
        && let Some(key) = transfer::obvious(choices)
    {
        return answer(app, key);
    }
    app.say("answer by its letter");
    Vec::new()
}

fn rename(app: &mut App, purpose: Purpose, path: &str) -> Vec<Effect> {
    transfer::ask_name(&mut app.cx(), purpose, &transfer::another(path));
    Vec::new()
}

/// The key that takes marks back, where the question is whether to go on: no, and what was marked is as it was.
pub(in crate::app) fn undone(app: &mut App, key: Key) -> Option<Vec<Effect>> {
    let Some(Overlay::Question { pending: Pending::GoOn(_), .. }) = app.hands.top() else { return None };
    let takes_back = app.desk.keymap.lookup(Mode::News, &[key]) == Lookup::Command("undo".into());
    if !takes_back || app.hands.prompt().is_some() || !news::is_news(app.sight()) {
        return None;
    }
    app.hands.drop_top();
    Some(commands::run(app, "undo"))
}
