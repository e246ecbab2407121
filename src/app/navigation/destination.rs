//! Where the reader wants to be in a page that comes: at the place they left, or at one that a fragment names; a fold that holds
//! it opens. A message that the fragment of a mailbox names is opened itself.

use crate::app::motion::focus;
use crate::app::page::Place;
use crate::app::state::Cx;
use crate::app::{Opening, Page};
use crate::doc::{Anchor, Document, Layout, LinkId};
use crate::format::media;
use crate::url::Url;
use crate::url::scheme::{self, Family, archive::Archive};

/// Pages whose rows lead to what lies below them.
const LISTS: [&str; 3] = [media::DIRECTORY, media::HTML, media::NEWSGROUPS];

/// Brings the reader of the page in view to the place that they want to be at, once it has come.
pub(in crate::app) fn settle_in(cx: &mut Cx<'_>) {
    unfold(cx);
    let (at, layout, rows) = (cx.tab.at, cx.layout(), cx.page_rows().max(1));
    let (Some(entry), Some(wait)) =
        (cx.tab.history.get_mut(at), cx.tab.arriving.iter_mut().find(|arriving| arriving.at == at))
    else {
        return;
    };
    let Some(page) = entry.page.as_deref() else { return };
    let last = wait.ended && page.is_arranged();
    let message = wait.fragment.as_deref().filter(|_| last).and_then(|name| message(page, name));
    let document = page.document();
    if let Some(place) = wait.wanted.and_then(|place| reached(&layout, page, place, rows, last)) {
        (entry.top, entry.left) = (place.top, place.left);
        entry.focus = place.focus.filter(|link| link.0 < document.link_count());
        wait.wanted = None;
    }
    // In a closed fold it is not there yet: what opens it is on its way. While a page is put in order anew, readers stay where
    // there is a screenful.
    let in_sight = |name: &&str| fragment(page.given(), name).is_none_or(|anchor| page.shows(anchor));
    let ordered = page.arrangement.shown.is_some();
    let held = |anchor: &Anchor| !ordered || *anchor <= layout.bottom(document, rows);
    // A mailbox is gone through for its message once it is whole.
    let waits = page.head.media == media::NEWSGROUP && !last;
    let name = wait.fragment.as_deref().filter(|name| !waits && (last || in_sight(name)));
    if let Some(anchor) = name.and_then(|name| fragment(document, name)).filter(|anchor| last || held(anchor)) {
        entry.top = layout.line_start(document, anchor);
        wait.fragment = None;
    }
    if message.is_some() {
        wait.fragment = None;
    }
    if last {
        let missing = wait.fragment.take();
        let below = wait.below.take().filter(|_| LISTS.contains(&page.head.media.as_str()));
        let row = below.and_then(|below| row_of(document, &below));
        cx.tab.arriving.retain(|arriving| arriving.at != at);
        if let Some(row) = row {
            focus::go_to(cx, row);
        }
        if let Some(name) = missing {
            cx.complain(format!("this page has no place named \"{name}\""));
        }
    }
    if let Some(url) = message {
        cx.open(Opening::followed(url));
    }
}

/// The message that a fragment names on the page of a mailbox, where it stands for that and for no place on the page.
fn message(page: &Page, name: &str) -> Option<Url> {
    let given = Some(page.given()).filter(|_| page.head.media == media::NEWSGROUP)?;
    let link = given.link_from(given.block_range(fragment(given, name)?.block).start);
    Url::parse(given.reference(link)?).ok()
}

/// The row of a directory, of a page of the web that is one's index, or of a list of newsgroups, that leads to what lies in it.
fn row_of(document: &Document, below: &Url) -> Option<LinkId> {
    // Names of groups have neither, and stand behind a colon alone where no server is named.
    let ends: &[char] = if scheme::family(below).is_news() { &['/', ':'] } else { &['/'] };
    let name = |path: &str| {
        let path = path.split(";type=").next().unwrap_or_default().trim_end_matches('/');
        crate::url::escape::decode(path.rsplit(ends).next().unwrap_or_default())
    };
    // What lies at the root of an archive lies in the archive, whose row it is.
    let below = match scheme::family(below) {
        Family::Archive if matches!(below.path(), "" | "/") => Archive::of(below).ok()?.file,
        _ => below.clone(),
    };
    let wanted = name(below.path());
    let mut links = (0..document.link_count()).map(LinkId);
    links
        .find(|link| !wanted.is_empty() && document.reference(*link).is_some_and(|reference| name(reference) == wanted))
}

/// Opens the fold that a named place of the page in view is in, and brings the reader there once it is open.
fn unfold(cx: &mut Cx<'_>) {
    let (at, layout) = (cx.tab.at, cx.layout());
    let Some(page) = cx.tab.history.get_mut(at).and_then(|entry| entry.page.as_deref_mut()) else { return };
    let wanted = cx.tab.arriving.iter().find(|arriving| arriving.at == at).and_then(|wait| wait.fragment.as_deref());
    if let Some(anchor) = wanted.and_then(|name| fragment(page.given(), name))
        && !page.shows(anchor)
    {
        page.unfold(&[anchor.block]);
    }
    let Some(name) = cx.tab.opened.take_if(|_| page.is_arranged()) else { return };
    if let Some(anchor) = fragment(page.document(), &name) {
        let top = layout.line_start(page.document(), anchor);
        cx.tab.history[at].top = top;
    }
}

/// The place itself once a screenful from it has come and is shown, or what is nearest to it when nothing more will come.
fn reached(layout: &Layout, page: &Page, place: Place, rows: usize, whole: bool) -> Option<Place> {
    if !whole && !page.shows(place.top) {
        return None;
    }
    let document = page.given();
    let blocks = document.blocks().len();
    let there = (place.top.block as usize) < blocks;
    let last = if blocks == 0 { Anchor::default() } else { layout.bottom(document, rows) };
    let top = if there { layout.line_start(document, place.top).min(last) } else { last };
    let place = (whole || there && place.top <= last).then_some(Place { top, ..place })?;
    Some(page.shown(place))
}

/// The place that a fragment names, as written or decoded.
pub(in crate::app) fn fragment(document: &Document, name: &str) -> Option<Anchor> {
    let decoded = crate::url::escape::decode(name);
    document.anchor(name).or_else(|| document.anchor(std::str::from_utf8(&decoded).ok()?))
}
