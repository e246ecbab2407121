//! `about:home`: its text is the same for everyone and comes as any page does. As soon as it is there it has the reader's newest
//! bookmarks, where they were last, and how much is new in what they are subscribed to put in; what is known later is added when it
//! is, and the focus stays where it is. Nothing of the reader's is on it in a private tab.

use super::{Made, show};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::{PageState, Sight};
use crate::doc::{Anchor, sanitise};
use crate::format::{Input, count, media, parse};
use crate::proto::about;
use crate::url::Url;
use crate::url::scheme::about as scheme;

/// Rows of each kind.
const MOST: usize = 6;
/// The heading before which the tabs of the last time stand.
const FIRST: &str = "## Where to go";
/// The heading before which the others stand.
const NEXT: &str = "## The first keys";

/// Puts them in when they are not, or not any more, what the page in view shows.
pub(super) fn tend(cx: &mut Cx<'_>) {
    let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return };
    let is_home = page.head.media == media::OWN
        && page.head.url.is("about")
        && scheme::page(&page.head.url).is_ok_and(|name| name == "home");
    let (Some(source), PageState::Complete, true) = (&page.source, &page.state, is_home) else { return };
    let text = written(cx.sight(), about::text("home").unwrap_or_default());
    if **source == *text.as_bytes() {
        return;
    }
    let media = media::OWN.to_owned();
    let input =
        Input { media, charset: None, groups: Default::default(), url: page.head.url.clone(), notices: Vec::new() };
    let Some(document) = parse(&input, text.as_bytes()) else { return };
    // Whoever has not moved yet is at its beginning.
    let fresh = page.made_of.is_none() && cx.entry().is_some_and(|entry| entry.top == Anchor::default());
    show(cx, Made { document, source: text }, String::new());
    if let Some(entry) = cx.entry_mut().filter(|_| fresh) {
        entry.top = Anchor::default();
    }
}

/// The page with what is the reader's.
fn written(sight: Sight<'_>, text: &str) -> String {
    let (before, after) = text.split_at(text.find(NEXT).unwrap_or(text.len()));
    let (top, before) = before.split_at(before.find(FIRST).unwrap_or(before.len()));
    if sight.tab.private {
        return text.to_owned();
    }
    let bookmarks = sight.library.bookmarks.iter().rev().take(MOST).map(|bookmark| (&*bookmark.url, &*bookmark.title));
    let visits = sight.library.visits.newest().take(MOST).map(|visit| (visit.url, visit.title));
    let tabs = super::last::row(sight);
    let new = match usize::try_from(sight.library.new.unread).unwrap_or(usize::MAX) {
        0 => String::new(),
        1 => "=> about:new 1 item is new in what you are subscribed to\n\n".into(),
        many => format!("=> about:new {} items are new in what you are subscribed to\n\n", count(many)),
    };
    let kept = section("Your newest bookmarks", "=> about:bookmarks All your bookmarks\n", bookmarks);
    let last = section("Where you were last", "=> about:history All of your history\n", visits);
    format!("{top}{tabs}{new}{before}{kept}{last}{after}")
}

/// A heading and links in the notation of the program's own pages; nothing when there are no links.
fn section<'a>(heading: &str, all: &str, links: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let links: String = links.filter_map(|(url, title)| link(url, title)).collect();
    if links.is_empty() { links } else { format!("## {heading}\n\n{links}{all}\n") }
}

/// A link on one line, never with a password; `None` for what is no address.
fn link(url: &str, title: &str) -> Option<String> {
    let url = address::shareable(&Url::parse(url).ok()?);
    let title = sanitise(title).split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("=> {url} {}\n", if title.is_empty() { &url } else { &title }))
}
