//! What happens in tabs behind: the same code as for the tab in view, which they take the place of for as long as it runs,
//! while the reader's hands, and what lies under them, stay as they are. What such a tab has to ask waits in it; what it has
//! to say is said when it comes to the front.

use super::saving::Purpose;
use super::{App, Effect, Msg, Note, Overlay, Prompt, Tab, composing, web_form};
use crate::doc::LinkId;
use crate::keys::Key;

/// What the reader is at.
#[derive(Default)]
struct Hands {
    overlays: Vec<Overlay>,
    prompt: Option<Prompt>,
    pending_keys: Vec<Key>,
    note: Option<Note>,
    hints: Vec<(String, LinkId)>,
    purpose: Option<Purpose>,
    recalled: Option<(usize, String)>,
}

impl Hands {
    /// Puts other hands in the place of the browser's.
    fn change(app: &mut App, hands: Hands) -> Hands {
        use std::mem::replace;
        Hands {
            overlays: replace(&mut app.overlays, hands.overlays),
            prompt: replace(&mut app.prompt, hands.prompt),
            pending_keys: replace(&mut app.pending_keys, hands.pending_keys),
            note: replace(&mut app.note, hands.note),
            hints: replace(&mut app.hints, hands.hints),
            purpose: replace(&mut app.purpose, hands.purpose),
            recalled: replace(&mut app.recalled, hands.recalled),
        }
    }
}

/// The tab behind that a message is for, by its place among those behind.
pub(super) fn whose(app: &App, message: &Msg) -> Option<usize> {
    let waits = |tab: &Tab| match message {
        Msg::Fetch { id, .. } => tab.awaits(*id),
        Msg::Ran(_) => web_form::is_editing(tab),
        Msg::Wrote(_) => web_form::is_written(tab) && app.writing.is_none(),
        Msg::Read(_) => web_form::is_reading(tab) || web_form::is_uploading(tab),
        _ => false,
    };
    let taken = matches!(message, Msg::Read(_)) && (composing::is_reading(app) || app.listing.is_some());
    if taken || waits(&app.tab) { None } else { app.tabs.behind.iter().position(waits) }
}

/// Runs something in a tab behind.
pub(super) fn run(app: &mut App, tab: usize, act: impl FnOnce(&mut App) -> Vec<Effect>) -> Vec<Effect> {
    let hands = Hands::change(app, Hands::default());
    std::mem::swap(&mut app.tab, &mut app.tabs.behind[tab]);
    app.tabs.away = Some(tab);
    let (loaded, places) = (app.tab.is_loading(), app.tab.history.len());
    let mut effects = act(app);
    // What is found is counted in the page in view.
    effects.retain(|effect| *effect != Effect::Slice);
    app.tab.unseen |= !app.tab.is_loading() && (loaded || app.tab.history.len() != places);
    app.tabs.away = None;
    std::mem::swap(&mut app.tab, &mut app.tabs.behind[tab]);
    let left = Hands::change(app, hands);
    let tab = &mut app.tabs.behind[tab];
    tab.questions.splice(0..0, left.overlays);
    if let Some(prompt) = left.prompt {
        tab.asked = Some((prompt, left.purpose));
    }
    if left.note.is_some() {
        tab.said = left.note;
    }
    effects
}
