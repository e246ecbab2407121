//! A thread as one page: all its articles one below the other, fetched at once (NEWS-09). Once the page is whole they are read.

use super::held::{Held, held};
use super::{Name, article, mailbox, several};
use crate::app::state::Cx;
use crate::app::{Effect, Opening, PageState, Sent, Sight};
use crate::format::{count, media};
use crate::url::Url;
use crate::url::scheme::news::article_at;
use std::collections::HashSet;

/// Articles that one page shows.
const MOST: usize = 500;

/// `conversation`: the thread of the article in view, or under focus.
pub(in crate::app) fn open(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let held = held(cx).and_then(|held| held.here.map(|here| (held, here)));
    let (of, mut ids) = match &held {
        Some((held, here)) => (Some(held.url.clone()), ids(cx.sight(), held, held.thread(*here))),
        None if mailbox::is_here(cx.sight()) => {
            cx.say("which messages are of its thread its mailbox tells: open that first");
            return Vec::new();
        }
        // Where no group's page tells of its thread, the article itself does.
        None => (cx.entry().map(|entry| entry.url.clone()), article::line(cx.sight())),
    };
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    let place = |id: &[u8]| Url::parse(std::str::from_utf8(id).ok()?).ok();
    let url = of.zip(ids.first()).and_then(|(of, first)| match mailbox::is_here(cx.sight()) {
        true => place(first),
        false => article_at(&of, first),
    });
    let Some(url) = url else {
        cx.say("no article is in view or under focus");
        return Vec::new();
    };
    if ids.len() > MOST {
        cx.say(format!("the first {} of {} articles of the thread", count(MOST), count(ids.len())));
        ids.truncate(MOST);
    }
    cx.open(Opening { sent: Some(Sent::Thread(ids.into())), ..Opening::followed(url) });
    Vec::new()
}

/// The ids of some articles of a group, or the places of messages.
fn ids(sight: Sight<'_>, held: &Held, places: impl Iterator<Item = usize>) -> Vec<Vec<u8>> {
    places.filter_map(|at| id(sight, held, at)).collect()
}

fn id(sight: Sight<'_>, held: &Held, at: usize) -> Option<Vec<u8>> {
    let page = sight.tab.history.get(held.at)?.page.as_deref()?;
    let reference = page.given().reference(held.articles.get(at)?.link)?;
    match Name::of(&Url::parse(reference).ok()?)? {
        Name::Id(id) => Some(id),
        Name::Place(url) => Some(url.into_bytes()),
        Name::Number(..) => None,
    }
}

/// The page of a thread has come whole: its articles are read, which can be taken back.
pub(super) fn note(cx: &mut Cx<'_>) {
    let Some(entry) = cx.entry() else { return };
    let (Some(Sent::Thread(ids)), Some(page)) = (entry.sent.clone(), entry.page.as_deref()) else { return };
    let whole = page.head.media == media::THREAD && page.state == PageState::Complete;
    let page = page.id;
    if !whole || cx.news.conversed == Some(page) || cx.tab.private {
        return;
    }
    let Some(held) = held(cx).filter(|held| held.here.is_some()) else { return };
    let Some(server) = held.server.clone() else { return };
    if !cx.news.server(&server).known {
        return;
    }
    cx.news.conversed = Some(page);
    let shown: HashSet<&[u8]> = ids.iter().map(Vec::as_slice).collect();
    let thread = held.here.map(|here| held.thread(here)).unwrap_or_default();
    let places: Vec<usize> =
        thread.filter(|at| id(cx.sight(), &held, *at).is_some_and(|id| shown.contains(id.as_slice()))).collect();
    several::read(cx, &held, places, "the thread");
}
