//! What features wanted and left to the top floor: done in the tab in which it was wanted, as long as that is there.

use crate::app::navigation::{arrival, follow, journey, programs};
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{App, Effect, TabId, background, commands, marks, memory, navigation, sequence, session, split, tabs};
use crate::keys::Keymap;

/// Does what was wanted, and what is wanted because of it.
pub(super) fn serve(app: &mut App) -> Vec<Effect> {
    let mut effects = Vec::new();
    while !app.intents.is_empty() {
        for (tab, intent) in std::mem::take(&mut app.intents) {
            effects.extend(one(app, tab, intent));
        }
    }
    effects
}

fn one(app: &mut App, tab: TabId, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Trim => memory::trim(app, tab),
        Intent::OpenTabs { urls, front } => tabs::opening::open_all(app, urls, front),
        Intent::Rekey => {
            rekey(app);
            Vec::new()
        }
        Intent::Steps(name, steps) if tab == app.tab.id => {
            sequence::steps(app, name, steps);
            Vec::new()
        }
        Intent::Steps(..) => Vec::new(),
        Intent::BringBack(number) => session::bring_back(app, number),
        Intent::GoMark(letter) if tab == app.tab.id => marks::go_mark(app, &letter.to_string()),
        Intent::GoMark(_) => Vec::new(),
        Intent::Open(opening) if tab == app.tab.id => match split::opens(app, opening) {
            Ok(effects) => effects,
            Err(opening) => navigation::go(&mut app.cx(), *opening),
        },
        Intent::Visit(at) if tab == app.tab.id => split::visit(app, at),
        intent if tab == app.tab.id => here(&mut app.cx(), intent),
        intent => match app.tabs.behind.iter().position(|behind| behind.id == tab) {
            Some(place) => background::run(app, place, |cx| here(cx, intent)),
            None => Vec::new(),
        },
    }
}

/// Reads the keys by the preset and the file that there are now. What is wrong is told where it was read first.
fn rekey(app: &mut App) {
    let (commands, mut errors) = (commands::names(), Vec::new());
    let preset = &app.desk.settings.keys;
    let file = app.desk.own.file.as_ref().and_then(|file| file.keys.as_ref());
    app.desk.keymap = match file {
        Some((name, text)) => Keymap::read(name, text, preset, &commands, &mut errors),
        None => Keymap::preset(preset, &commands, &mut errors).unwrap_or_default(),
    };
    if let Some(error) = errors.first() {
        app.complain(error.to_string());
    }
}

fn here(cx: &mut Cx<'_>, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Open(opening) => navigation::go(cx, *opening),
        Intent::HandOver(opening) => programs::hand_over(cx, &opening),
        Intent::Explain(opening, error) => navigation::explain(cx, &opening, *error),
        Intent::Follow(link) => follow::follow_link(cx, link),
        Intent::Reload => journey::reload(cx, ""),
        Intent::Again(url) => {
            let note = cx.hands.note.clone();
            let effects = navigation::go(cx, arrival::again(cx.sight(), url));
            cx.hands.note = note.or(cx.hands.note.take());
            effects
        }
        Intent::Visit(at) => journey::visit(cx, at),
        Intent::AskProgram(target, about) => {
            programs::ask_program(cx, target, about);
            Vec::new()
        }
        Intent::Arrived(path, program) => {
            programs::arrived(cx, path, &program);
            Vec::new()
        }
        // Served above.
        Intent::Trim
        | Intent::OpenTabs { .. }
        | Intent::BringBack(_)
        | Intent::Rekey
        | Intent::GoMark(_)
        | Intent::Steps(..) => Vec::new(),
    }
}
