//! Internal pages, made here from what is kept of the reader: `about:history`, `about:bookmarks`, `about:downloads`, `about:last`,
//! `about:marks`, `about:settings`, `about:schemes`, `about:scores`, `about:trail`; `home` adds a little of them to `about:home`. They are pages like any others, with a place in the path; their query holds the words
//! they are narrowed by (`?q=WORDS`). Refuses: files, and what is written about the program (`proto/about.rs`).
//!
//! After every message [`tend`] compares the page in view with what it shows and makes it anew when that has changed; the
//! link under focus keeps the focus and its row.

pub(super) mod bookmarks;
pub(super) mod downloads;
pub(super) mod history;
mod home;
pub(super) mod last;
pub(super) mod later;
pub(super) mod marks;
pub(super) mod schemes;
pub(super) mod scores;
pub(super) mod settings;
pub(super) mod trail;

use crate::app::motion::{arrangement, window};
use crate::app::state::Cx;
use crate::app::{Arrangement, Effect, Opening, Page, PageState, PromptKind, Sight};
use crate::doc::{Anchor, Document, LinkId, sanitise};
use crate::format::{Input, media, parse};
use crate::proto::Head;
use crate::url::scheme::about;
use crate::url::{Url, escape};
use std::sync::Arc;
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
    /// `about:last`.
    Last,
    /// `about:marks`.
    Marks,
    /// `about:settings`.
    Settings,
    /// `about:schemes`.
    Schemes,
    /// `about:scores`.
    Scores,
    /// `about:trail`.
    Trail,
}

/// What was made.
struct Made {
    document: Document,
    /// The same in lines, for whoever wants to see or keep it.
    source: String,
}

/// Which page a URL names, if it is one of these.
pub(super) fn of(url: &Url) -> Option<Which> {
    match url.is("about").then(|| about::page(url).ok())??.as_str() {
        "history" => Some(Which::History),
        "bookmarks" => Some(Which::Bookmarks),
        "downloads" => Some(Which::Downloads),
        "last" => Some(Which::Last),
        "marks" => Some(Which::Marks),
        "settings" => Some(Which::Settings),
        "schemes" => Some(Which::Schemes),
        "scores" => Some(Which::Scores),
        "trail" => Some(Which::Trail),
        _ => None,
    }
}

/// Which of them is in view.
fn open_one(sight: Sight<'_>) -> Option<Which> {
    let entry = sight.entry()?;
    entry.page.as_deref().filter(|page| page.head.media == media::OWN)?;
    of(&entry.url)
}

/// Whether one of them is in view.
pub(super) fn is_open(sight: Sight<'_>) -> bool {
    open_one(sight).is_some()
}

/// Does what a link of such a page stands for, when a URL is that of one of the page in view.
pub(super) fn act(cx: &mut Cx<'_>, url: &Url) -> Option<Vec<Effect>> {
    downloads::act(cx, url)
        .or_else(|| last::act(cx, url))
        .or_else(|| marks::act(cx, url))
        .or_else(|| settings::act(cx, url))
}

/// The page of a URL, on which nothing stands yet: [`tend`] writes it when it is in view.
pub(super) fn blank(cx: &mut Cx<'_>, opening: &Opening) -> Page {
    let url = opening.public();
    let head = Head { charset: Some("utf-8".into()), ..Head::new(url.without_fragment(), media::OWN) };
    Page {
        id: cx.page_id(),
        head,
        given: Arc::default(),
        rows: None,
        state: PageState::Complete,
        received: 0,
        elapsed: Duration::ZERO,
        source: None,
        arrangement: Arrangement::default(),
        made_of: None,
        dispatched: Vec::new(),
        linked: Vec::new(),
        fresh: Vec::new(),
    }
}

/// A page of the reader's own, as if they had typed its name.
pub(super) fn go(cx: &mut Cx<'_>, address: &str) -> Vec<Effect> {
    if let Ok(url) = Url::parse(address) {
        cx.open(Opening::typed(url));
    }
    Vec::new()
}

/// Makes the page in view anew when it does not show what it should. While the reader chooses among its links by number, those
/// stay what they are.
pub(super) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    if made_of(cx.sight()).is_some() && arrangement::names_links(cx.sight()) {
        return Vec::new();
    }
    let which = open_one(cx.sight());
    let mut effects = Vec::new();
    if which != Some(Which::History) {
        effects.extend(history::give_up(cx));
    }
    if which != Some(Which::Trail) {
        effects.extend(trail::give_up(cx));
    }
    match which {
        Some(Which::History) => effects.extend(history::tend(cx)),
        Some(Which::Bookmarks) => effects.extend(bookmarks::tend(cx)),
        Some(Which::Downloads) => downloads::tend(cx),
        Some(Which::Last) => last::tend(cx),
        Some(Which::Marks) => marks::tend(cx),
        Some(Which::Settings) => effects.extend(settings::tend(cx)),
        Some(Which::Schemes) => schemes::tend(cx),
        Some(Which::Scores) => scores::tend(cx),
        Some(Which::Trail) => effects.extend(trail::tend(cx)),
        None => home::tend(cx),
    }
    effects
}

/// `filter` asks for words; `filter WORDS` shows only what holds them: on one of these pages by its query, on others by rows.
pub(super) fn filter(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    // The address of a trail holds no words that it is narrowed by.
    if !is_open(cx.sight()) || open_one(cx.sight()) == Some(Which::Trail) {
        return arrangement::filter(cx, words);
    }
    if words.trim().is_empty() {
        let now = self::words(cx.sight());
        cx.hands.ask(PromptKind::Filter, "only", &now, None);
    } else {
        narrow(cx, words);
    }
    Vec::new()
}

/// The words that the page in view is narrowed by.
fn words(sight: Sight<'_>) -> String {
    sight.entry().and_then(|entry| asked(&entry.url, "q")).unwrap_or_default()
}

/// Says that no row has the words that a page is narrowed by; what else is said of it stays behind that.
fn none_with(words: &str, said: &str) -> String {
    let none = format!("Nothing here has \"{}\".", sanitise(words.trim()));
    if said.is_empty() { none } else { format!("{none} {said}") }
}

/// Shows only what holds the words.
pub(super) fn narrow(cx: &mut Cx<'_>, words: &str) {
    let which = open_one(cx.sight()).filter(|which| *which != Which::Trail);
    let Some(which) = which else { return arrangement::narrow(cx, words) };
    let Some(entry) = cx.entry_mut() else { return };
    let name = match which {
        Which::History => "history",
        Which::Bookmarks => "bookmarks",
        Which::Downloads => "downloads",
        Which::Last => "last",
        Which::Marks => "marks",
        Which::Settings => "settings",
        Which::Schemes => "schemes",
        Which::Scores => "scores",
        Which::Trail => "trail",
    };
    let query = if words.trim().is_empty() { String::new() } else { format!("?q={}", encoded(words)) };
    if let Ok(url) = Url::parse(format!("about:{name}{query}"))
        && url != entry.url
    {
        entry.url = url.clone();
        if let Some(page) = &mut entry.page {
            (page.head.url, page.made_of) = (url, None);
        }
    }
}

/// Text as the value in a query.
fn encoded(text: &str) -> String {
    escape::encode(text.as_bytes(), b"").replace("%20", "+")
}

/// What the query of a URL says under a name.
pub(super) fn asked(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query()?.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    Some(String::from_utf8_lossy(&escape::decode(&value.replace('+', " "))).into_owned())
}

/// What the page in view was made of.
fn made_of(sight: Sight<'_>) -> Option<&str> {
    sight.entry()?.page.as_ref()?.made_of.as_deref()
}

/// Shows the page in view by another source, in the notation of [`media::OWN`], where that says something else.
pub(super) fn rewrite(cx: &mut Cx<'_>, source: String) {
    let Some(url) = cx.entry().map(|entry| entry.url.without_fragment()) else { return };
    let input = Input { media: media::OWN.into(), charset: None, groups: Default::default(), url, notices: Vec::new() };
    if let Some(document) = parse(&input, source.as_bytes()) {
        show_other(cx, Made { document, source });
    }
}

/// Shows a page made anew, where it says something else than the one in view.
fn show_other(cx: &mut Cx<'_>, made: Made) {
    let shown = cx.entry().and_then(|entry| entry.page.as_deref()).and_then(|page| page.source.as_deref());
    if shown != Some(made.source.as_bytes()) {
        show(cx, made, String::new());
    }
}

/// Shows what was made of something in the place of what is shown.
fn show(cx: &mut Cx<'_>, made: Made, of: String) {
    let here = Here::of(cx.sight());
    let Some(page) = cx.page_mut() else { return };
    page.received = made.source.len() as u64;
    page.head.length = Some(page.received);
    page.made_of = Some(of);
    page.source = Some(made.source.into_bytes().into());
    page.given = Arc::new(made.document);
    let toggled = std::mem::take(&mut page.arrangement.toggled);
    page.arrangement = Arrangement::by(Default::default());
    page.arrangement.toggled = toggled;
    here.restore(cx);
    cx.tab.found = None;
    cx.tab.matches = cx.tab.search.is_some().then(Default::default);
}

/// The link that the reader is at, by what it leads to and how many before it lead there, too; and its row on the screen.
struct Here {
    reference: Option<String>,
    before: usize,
    row: usize,
    /// The page's first line is the screen's.
    at_top: bool,
}

impl Here {
    fn of(sight: Sight<'_>) -> Here {
        let focus = window::focus(sight);
        let row = window::on_screen(sight).iter().find(|seen| Some(seen.link) == focus).map_or(0, |seen| seen.row);
        let reference = focus.and_then(|link| reference(sight, link));
        let same = |before: &u32| self::reference(sight, LinkId(*before)) == reference;
        let before = focus.map_or(0, |link| (0..link.0).filter(same).count());
        let at_top = sight.entry().is_some_and(|entry| entry.top == Anchor::default());
        Here { reference, before, row, at_top }
    }

    fn restore(self, cx: &mut Cx<'_>) {
        let layout = cx.layout();
        let Some(document) = window::document(cx.sight()) else { return };
        let count = document.link_count();
        let same = |link: &LinkId| self.reference.is_some() && document.reference(*link) == self.reference.as_deref();
        let mut links = (0..count).map(LinkId).filter(same);
        let first = links.clone().next();
        let link = links.nth(self.before).or(first);
        let place = link.and_then(|link| document.link_anchor(link));
        let top = place.map_or_else(Default::default, |place| layout.up(document, place, self.row));
        let last_row = window::rows(cx.sight()).saturating_sub(1);
        let fits = place.is_some_and(|place| layout.up(document, place, last_row) == Anchor::default());
        // Its head stays in view when more than before is said there.
        let top = if self.at_top && fits { Anchor::default() } else { top.min(window::bottom(cx.sight())) };
        if let Some(entry) = cx.entry_mut() {
            (entry.top, entry.focus) = (top, link.filter(|_| place.is_some()));
        }
        window::settle(cx);
    }
}

/// What a link of the page in view leads to, as it is written.
fn reference(sight: Sight<'_>, link: LinkId) -> Option<String> {
    window::document(sight)?.reference(link).map(Into::into)
}

/// `remove`: the row under focus is to be gone.
pub(super) fn remove(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if later::is_open(cx.sight()) {
        return later::remove(cx);
    }
    match open_one(cx.sight()) {
        Some(Which::History | Which::Trail) => history::forget(cx, ""),
        Some(Which::Bookmarks) => bookmarks::remove(cx),
        Some(Which::Downloads) => downloads::remove(cx),
        Some(Which::Last) => last::remove(cx),
        Some(Which::Marks) => marks::remove(cx),
        Some(Which::Settings) => settings::remove(cx),
        Some(Which::Schemes | Which::Scores) | None => Vec::new(),
    }
}

/// `edit`: what is under focus is to be changed.
pub(super) fn edit(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    match open_one(cx.sight()) {
        Some(Which::Settings) => settings::edit(cx),
        _ => bookmarks::edit(cx, words),
    }
}

/// `undo`: the last change is taken back.
pub(super) fn undo(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    match open_one(cx.sight()) {
        Some(Which::Marks) => marks::undo(cx),
        Some(Which::Settings) => settings::undo(cx),
        None if later::is_open(cx.sight()) => later::undo(cx),
        _ => bookmarks::undo(cx, words),
    }
}
