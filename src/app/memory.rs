//! Pages kept for going back, bounded in octets, over all tabs. The page in view stays; its neighbours are the last to go,
//! and those of the tab that was left the longest time ago the first.

use crate::app::{App, Effect, Page, Tab, TabId, split};

/// Forgets the pages farthest from the one in view until the rest fits, and some more, so that those of a long day are not counted
/// again for every one that comes. `tab` is where a page has come or gone.
pub(super) fn trim(app: &mut App, tab: TabId) -> Vec<Effect> {
    let mut effects = Vec::new();
    let most = usize::try_from(app.desk.settings.cache).unwrap_or(usize::MAX);
    let page = app.tabs().find(|other| other.id == tab).and_then(|tab| tab.entry()?.page.as_deref());
    // A page may be counted twice here, and none is left out.
    app.tabs.held = app.tabs.held.saturating_add(page.map_or(0, Page::memory));
    if app.tabs.held <= most {
        return effects;
    }
    let mut held: usize = pages(&app.tab) + app.tabs.behind.iter().map(pages).sum::<usize>();
    let beside = split::place(app).map(|at| app.tabs.behind[at].id);
    let least = if held > most { most - most / 8 } else { most };
    while held > least {
        let behind = app.tabs.behind.iter_mut().map(|tab| {
            let in_view = Some(tab.id) == beside;
            (tab, in_view)
        });
        let mut tabs: Vec<(&mut Tab, bool)> = [(&mut app.tab, true)].into_iter().chain(behind).collect();
        tabs.sort_by_key(|(tab, in_view)| (*in_view, tab.touched));
        let Some(freed) = tabs.into_iter().find_map(|(tab, in_view)| forget(tab, in_view, &mut effects)) else { break };
        held -= freed.min(held);
    }
    app.tabs.held = held;
    effects
}

fn pages(tab: &Tab) -> usize {
    tab.history.iter().filter_map(|entry| entry.page.as_deref()).map(Page::memory).sum()
}

/// Forgets the page of a tab that is farthest from its place; gives what it held. `None` when there is none to forget.
fn forget(tab: &mut Tab, in_view: bool, effects: &mut Vec<Effect>) -> Option<usize> {
    let kept = |i: &usize| tab.history[*i].page.is_some() && !(in_view && *i == tab.at);
    // Behind goes before ahead at the same distance: forward is the rarer way.
    let farthest = (0..tab.history.len()).filter(kept).max_by_key(|i| (i.abs_diff(tab.at), *i > tab.at))?;
    let freed = tab.history[farthest].lose()?.memory();
    if let Some(at) = tab.arriving.iter().position(|a| a.at == farthest) {
        effects.push(Effect::Cancel(tab.arriving.remove(at).id));
    }
    Some(freed)
}
