//! What happens in tabs behind: the same code as for the tab in view, with hands that nobody has. What such a tab has to ask
//! waits in it; what it has to say is said when it comes to the front.

use crate::app::state::Cx;
use crate::app::{App, Effect, split};

/// Runs something in a tab behind, by its place among those.
pub(super) fn run(app: &mut App, place: usize, act: impl FnOnce(&mut Cx<'_>) -> Vec<Effect>) -> Vec<Effect> {
    let Some(tab) = app.tabs.behind.get_mut(place) else { return Vec::new() };
    let mut hands = std::mem::take(&mut tab.hands);
    let (loaded, places) = (tab.is_loading(), tab.history.len());
    let effects = app.cx_behind(place, &mut hands).map_or_else(Vec::new, |mut cx| act(&mut cx));
    app.hands.keep_complaints(&mut hands);
    let shown = app.tabs.behind.get(place).is_some_and(|tab| split::is_beside(app, tab.id));
    if let Some(tab) = app.tabs.behind.get_mut(place) {
        tab.unseen |= !shown && !tab.is_loading() && (loaded || tab.history.len() != places);
        tab.hands = hands;
    }
    effects
}
