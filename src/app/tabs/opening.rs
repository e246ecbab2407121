//! What is opened in a tab of its own: links, addresses, what comes from outside.

use super::{insert, show};
use crate::app::answers::prompts;
use crate::app::motion::focus;
use crate::app::navigation::{part, siblings};
use crate::app::{
    App, Consent, Effect, Opening, PromptKind, Purpose, Tab, Way, background, internal, navigation, news,
};
use crate::url::Url;

/// A tab of its own for a link, which closes by itself when nothing comes of it.
fn of_link(app: &App) -> Tab {
    let opener = app.tab.origin().filter(|_| app.entry().is_some());
    Tab { opener, private: app.tab.private, fresh: true, ..Tab::default() }
}

/// What the link under focus opens elsewhere than here.
///
/// # Errors
/// It opens nothing, and that is said; or it stands for a download, with which something is done here.
fn link(app: &mut App) -> Result<Opening, Vec<Effect>> {
    let link = crate::app::motion::window::focus(app.sight());
    let fold = |link| app.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.is_fold(link));
    if link.is_some_and(fold) {
        app.say("this opens and closes lines of the page, and no other page");
        return Err(Vec::new());
    }
    let url = focus::target(&mut app.cx()).ok_or_else(Vec::new)?;
    if let Some(effects) = internal::act(&mut app.cx(), &url) {
        return Err(effects);
    }
    let url = news::here(app.sight(), &url).unwrap_or(url);
    let opening = match link {
        Some(link) => {
            let listed = siblings::carried(app.sight(), link);
            Opening { listed, ..focus::opening(app.sight(), link, url) }
        }
        None => Opening::followed(url),
    };
    Ok(part::sought(app.sight(), opening))
}

/// The link under focus in a new tab, in front.
pub(in crate::app) fn follow(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = internal::bookmarks::open_folder(&mut app.cx(), true) {
        return effects;
    }
    let opening = match link(app) {
        Ok(opening) => opening,
        Err(effects) => return effects,
    };
    let tab = of_link(app);
    let mut effects = front(app, tab);
    effects.extend(navigation::go(&mut app.cx(), opening));
    effects
}

/// What was to be opened here, in a new tab in front.
pub(in crate::app) fn apart(app: &mut App, opening: Opening) -> Vec<Effect> {
    let (way, consent, item) = (Way::New, Consent::Agreed, None);
    let opening = part::sought(app.sight(), Opening { way, consent, item, ..opening });
    let tab = of_link(app);
    let mut effects = front(app, tab);
    effects.extend(navigation::go(&mut app.cx(), opening));
    effects
}

/// A tab for the link under focus, and what is opened in it.
///
/// # Errors
/// As [`link`].
pub(in crate::app) fn behind(app: &mut App) -> Result<(Tab, Opening), Vec<Effect>> {
    let opening = link(app)?;
    Ok((of_link(app), opening))
}

/// The link under focus in a new tab behind.
pub(in crate::app) fn follow_behind(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = internal::bookmarks::open_folder(&mut app.cx(), false) {
        return effects;
    }
    let opening = match link(app) {
        Ok(opening) => opening,
        Err(effects) => return effects,
    };
    let at = next_behind(app);
    app.say(format!("opened behind, tab {}", at + 2));
    open_behind(app, opening)
}

/// The place among the tabs behind of the next one that is opened from here: after those that were already.
fn next_behind(app: &App) -> usize {
    app.tabs.at + app.tabs.behind[app.tabs.at..].iter().take_while(|tab| tab.fresh).count()
}

fn open_behind(app: &mut App, opening: Opening) -> Vec<Effect> {
    let (at, tab) = (next_behind(app), of_link(app));
    insert(app, at + 1, tab);
    background::run(app, at, |cx| navigation::go(cx, opening))
}

/// Places in new tabs behind, in order; with `front` the first of them comes to the front.
pub(in crate::app) fn open_all(app: &mut App, urls: Vec<Url>, front: bool) -> Vec<Effect> {
    let (first, count) = (next_behind(app), urls.len());
    let mut effects: Vec<Effect> = Vec::new();
    for url in urls {
        effects.extend(open_behind(app, Opening::followed(url)));
    }
    if front {
        effects.extend(show(app, first + 1));
    }
    let behind = if front { "" } else { " behind" };
    match count {
        0 => app.say("there is nothing in it to open"),
        1 => app.say(format!("opened{behind}, tab {}", first + 2)),
        _ => app.say(format!("{count} opened{behind}, tabs {} to {}", first + 2, first + 1 + count)),
    }
    effects
}

/// Puts a new tab after the one in view and brings it to the front.
pub(in crate::app) fn front(app: &mut App, tab: Tab) -> Vec<Effect> {
    let at = app.tabs.at + 1;
    insert(app, at, tab);
    show(app, at)
}

/// An address from outside in a new tab behind the others.
pub(in crate::app) fn add_behind(app: &mut App, opening: Opening) -> Vec<Effect> {
    let at = app.tabs.behind.len();
    insert(app, at + 1, Tab { fresh: true, ..Tab::default() });
    background::run(app, at, |cx| navigation::go(cx, opening))
}

/// The same in front of all.
pub(in crate::app) fn add(app: &mut App, opening: Opening) -> Vec<Effect> {
    let at = app.tab_count();
    insert(app, at, Tab::default());
    let mut effects = show(app, at);
    effects.extend(navigation::go(&mut app.cx(), opening));
    effects
}

/// `new-tab`, or `new-tab ADDRESS`.
pub(in crate::app) fn new(app: &mut App, address: &str) -> Vec<Effect> {
    open(app, Tab::default(), "open", address)
}

/// `private`, or `private ADDRESS`: a tab of which nothing is kept.
pub(in crate::app) fn private(app: &mut App, address: &str) -> Vec<Effect> {
    open(app, Tab { private: true, ..Tab::default() }, "open in private", address)
}

fn open(app: &mut App, tab: Tab, label: &str, address: &str) -> Vec<Effect> {
    let mut effects = front(app, tab);
    app.hands.ask(PromptKind::Open, label, address, None);
    if !address.is_empty() {
        effects.extend(prompts::accept(app, ""));
    }
    effects
}

/// Letters on every link of the screen; the one they lead to opens in a new tab.
pub(in crate::app) fn hints(app: &mut App, _: &str) -> Vec<Effect> {
    let effects = focus::hints(&mut app.cx(), "");
    if let Some(prompt) = app.hands.prompt_mut().filter(|prompt| prompt.kind == PromptKind::Hint) {
        (prompt.label, prompt.purpose) = ("hint, new tab".into(), Purpose::NewTab);
    }
    effects
}
