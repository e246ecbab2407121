//! Pages kept for going back, bounded in octets. The page in view stays; its neighbours are the last to go.

use super::{App, Effect, Page};

/// Forgets the pages farthest from the place in view until the rest fits.
pub(super) fn trim(app: &mut App) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut held: usize = app.tab.history.iter().filter_map(|entry| entry.page.as_ref()).map(Page::memory).sum();
    let most = usize::try_from(app.settings.cache).unwrap_or(usize::MAX);
    while held > most {
        let kept = (0..app.tab.history.len()).filter(|i| *i != app.tab.at && app.tab.history[*i].page.is_some());
        // Behind goes before ahead at the same distance: forward is the rarer way.
        let Some(farthest) = kept.max_by_key(|i| (i.abs_diff(app.tab.at), *i > app.tab.at)) else { break };
        app.tab.history[farthest].as_given();
        if let Some(page) = app.tab.history[farthest].page.take() {
            held -= page.memory().min(held);
        }
        if let Some(at) = app.tab.arriving.iter().position(|a| a.at == farthest) {
            effects.push(Effect::Cancel(app.tab.arriving.remove(at).id));
        }
    }
    effects
}

impl Page {
    /// Octets it holds.
    pub fn memory(&self) -> usize {
        let arranged = self.arrangement.shown.as_ref().map_or(0, |shown| shown.memory());
        let parser = self.parser.as_ref().map_or(0, |parser| parser.memory());
        self.given().memory() + arranged + parser + self.source.as_ref().map_or(0, Vec::capacity)
    }
}
