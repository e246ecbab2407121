//! Pages of the reader's own, made here from what is kept of them: `about:history`, `about:bookmarks`,
//! `about:downloads`; `home` adds a little of them to `about:home`. They are pages like any others, with a place in the path; their query holds the words they are
//! narrowed by (`?q=WORDS`).
//!
//! After every message [`tend`] compares the page in view with what it shows and makes it anew when that has changed; the
//! link under focus keeps the focus and its row.

pub(super) mod bookmarks;
pub(super) mod downloads;
pub(super) mod history;
mod home;

use super::opening::Opening;
use super::{App, Arrangement, Effect, Page, PageState, arrival, journey, reading};
use crate::doc::{Builder, LinkId};
use crate::format::media;
use crate::proto::Head;
use crate::url::scheme::about;
use crate::url::{Url, escape};
use std::time::Duration;

/// Which page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// `about:history`.
    History,
    /// `about:bookmarks`.
    Bookmarks,
    /// `about:downloads`.
    Downloads,
}

/// A page that is being made.
#[derive(Debug, Default)]
pub(super) struct Own {
    history: Option<history::Making>,
    /// Other running copies were asked of already.
    looked: bool,
    bookmarks: bookmarks::State,
}

/// What was made.
struct Made {
    builder: Builder,
    /// The same in lines, for whoever wants to see or keep it.
    source: String,
}

/// Which page a URL names, if it is one of these.
pub(super) fn of(url: &Url) -> Option<Which> {
    match url.is("about").then(|| about::page(url).ok())??.as_str() {
        "history" => Some(Which::History),
        "bookmarks" => Some(Which::Bookmarks),
        "downloads" => Some(Which::Downloads),
        _ => None,
    }
}

/// Which of them is in view.
fn open_one(app: &App) -> Option<Which> {
    let entry = app.entry()?;
    entry.page.as_deref().filter(|page| page.head.media == media::OWN)?;
    of(&entry.url)
}

/// Whether one of them is in view.
pub(super) fn is_open(app: &App) -> bool {
    open_one(app).is_some()
}

/// Puts the page of a URL before the reader.
pub(super) fn open(app: &mut App, opening: &Opening) -> Vec<Effect> {
    let mut effects = arrival::drop_loading(app);
    let url = opening.public().clone();
    let head = Head { charset: Some("utf-8".into()), ..Head::new(url.without_fragment(), media::OWN) };
    let page = Page {
        head,
        builder: Builder::new(),
        parser: None,
        state: PageState::Complete,
        received: 0,
        elapsed: Duration::ZERO,
        source: None,
        arrangement: Arrangement::default(),
    };
    let plain = Opening { media: None, ..opening.clone() };
    effects.extend(journey::arrive(app, &plain, url, page, None));
    // Nothing else may happen for a while.
    effects.extend(tend(app));
    effects
}

/// A page of the reader's own, as if they had typed its name.
pub(super) fn go(app: &mut App, address: &str) -> Vec<Effect> {
    match Url::parse(address) {
        Ok(url) => super::opening::go(app, Opening::typed(url)),
        Err(_) => Vec::new(),
    }
}

/// Makes the page in view anew when it does not show what it should.
pub(super) fn tend(app: &mut App) -> Vec<Effect> {
    match open_one(app) {
        Some(Which::History) => history::tend(app),
        Some(Which::Bookmarks) => bookmarks::tend(app),
        Some(Which::Downloads) => {
            downloads::tend(app);
            Vec::new()
        }
        None => {
            app.own.history = None;
            home::tend(app);
            Vec::new()
        }
    }
}

/// The words that the page in view is narrowed by; `None` when it is none of these.
pub(super) fn words(app: &App) -> Option<String> {
    open_one(app)?;
    Some(asked(&app.entry()?.url, "q").unwrap_or_default())
}

/// Narrows the page in view.
pub(super) fn narrow(app: &mut App, words: &str) {
    let (Some(which), Some(entry)) = (open_one(app), app.entry_mut()) else { return };
    let name = match which {
        Which::History => "history",
        Which::Bookmarks => "bookmarks",
        Which::Downloads => "downloads",
    };
    let query = if words.trim().is_empty() { String::new() } else { format!("?q={}", encoded(words)) };
    if let Ok(url) = Url::parse(format!("about:{name}{query}"))
        && url != entry.url
    {
        entry.url = url.clone();
        if let Some(page) = &mut entry.page {
            (page.head.url, page.head.validator) = (url, None);
        }
    }
}

/// Text as the value in a query.
fn encoded(text: &str) -> String {
    escape::encode(text.as_bytes(), b"").replace("%20", "+")
}

/// What the query of a URL says under a name.
fn asked(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query()?.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    Some(String::from_utf8_lossy(&escape::decode(&value.replace('+', " "))).into_owned())
}

/// What the page in view was made of.
fn made_of(app: &App) -> Option<&str> {
    app.entry()?.page.as_ref()?.head.validator.as_deref()
}

/// Shows what was made of something in the place of what is shown.
fn show(app: &mut App, made: Made, of: String) {
    let here = Here::of(app);
    let Some(page) = app.page_mut() else { return };
    page.received = made.source.len() as u64;
    page.head.length = Some(page.received);
    page.head.validator = Some(of);
    page.source = Some(made.source.into_bytes());
    page.builder = made.builder;
    page.builder.shrink();
    let toggled = std::mem::take(&mut page.arrangement.toggled);
    page.arrangement = Arrangement::by(Default::default());
    page.arrangement.toggled = toggled;
    here.restore(app);
    app.tab.found = None;
    app.tab.matches = app.tab.search.is_some().then(Default::default);
}

/// The link that the reader is at, by what it leads to and how many before it lead there, too; and its row on the screen.
struct Here {
    reference: Option<String>,
    before: usize,
    row: usize,
}

impl Here {
    fn of(app: &App) -> Here {
        let focus = reading::focus(app);
        let row = reading::on_screen(app).iter().find(|seen| Some(seen.link) == focus).map_or(0, |seen| seen.row);
        let reference = focus.and_then(|link| reference(app, link));
        let same = |before: &u32| self::reference(app, LinkId(*before)) == reference;
        let before = focus.map_or(0, |link| (0..link.0).filter(same).count());
        Here { reference, before, row }
    }

    fn restore(self, app: &mut App) {
        let layout = app.layout();
        let Some(document) = reading::document(app) else { return };
        let count = document.link_count();
        let same = |link: &LinkId| self.reference.is_some() && document.reference(*link) == self.reference.as_deref();
        let mut links = (0..count).map(LinkId).filter(same);
        let first = links.clone().next();
        let link = links.nth(self.before).or(first);
        let place = link.and_then(|link| document.link_anchor(link));
        let top = place.map_or_else(Default::default, |place| layout.up(document, place, self.row));
        let top = top.min(reading::bottom(app));
        if let Some(entry) = app.entry_mut() {
            (entry.top, entry.focus) = (top, link.filter(|_| place.is_some()));
        }
        reading::settle(app);
    }
}

/// What a link of the page in view leads to, as it is written.
fn reference(app: &App, link: LinkId) -> Option<String> {
    reading::document(app)?.reference(link).map(Into::into)
}

/// `remove`: the row under focus is to be gone.
pub(super) fn remove(app: &mut App, _: &str) -> Vec<Effect> {
    match open_one(app) {
        Some(Which::History) => history::forget(app, ""),
        Some(Which::Bookmarks) => bookmarks::remove(app),
        Some(Which::Downloads) => downloads::remove(app),
        None => Vec::new(),
    }
}
