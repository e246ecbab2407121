//! Places that another program wants opened (`wayfarer --remote`). They are judged as links of somebody else's page, and no key
//! that was meant for the page before acts on them.

use crate::app::navigation::journey;
use crate::app::{App, Effect, Opening, Tab, background, navigation, tabs};
use crate::url::Url;

/// Opens them in new tabs, the first in front where the reader is not at something else.
pub(super) fn open(app: &mut App, places: Vec<Url>) -> Vec<Effect> {
    let free = app.hands.are_free();
    let told = places.first().map(Url::redacted).unwrap_or_default();
    let effects = places.into_iter().enumerate().flat_map(|(n, url)| one(app, url, free && n == 0)).collect();
    if free {
        app.tab.handed = true;
        app.hands.come_unseen();
        app.say(format!("another program opens {told}"));
    } else {
        app.say(format!("another program has opened, behind: {told}"));
    }
    effects
}

fn one(app: &mut App, url: Url, front: bool) -> Vec<Effect> {
    let shows = |tab: &Tab| !tab.private && tab.entry().is_some_and(|entry| entry.url == url);
    let opener = Url::parse(navigation::HANDED).ok();
    let opening = Opening::followed(url.clone());
    let here = app.tabs().position(shows);
    match here {
        Some(at) if front => tabs::show(app, at),
        Some(_) => Vec::new(),
        None if front => {
            // The first page of a run needs no tab of its own.
            let mut effects = if app.tab.is_empty() { Vec::new() } else { tabs::opening::front(app, Tab::default()) };
            app.tab.opener = opener;
            effects.extend(navigation::go(&mut app.cx(), opening));
            effects
        }
        None => {
            let at = app.tabs.behind.len();
            tabs::put_behind(app, Tab { opener, fresh: true, ..Tab::default() });
            background::run(app, at, |cx| navigation::go(cx, opening))
        }
    }
}

/// Where nothing came of the only page of a run, the home page does.
pub(super) fn tend(app: &mut App) -> Vec<Effect> {
    let idle = app.hands.are_free() && app.hands.waiting().next().is_none() && app.tab.is_empty();
    let handed = app.tab.opener.as_ref().is_some_and(|opener| opener.as_str() == navigation::HANDED);
    if !idle || !handed {
        return Vec::new();
    }
    app.tab.opener = None;
    journey::home(&mut app.cx(), "")
}
