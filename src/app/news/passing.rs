//! Articles to which reading on leads and which the server does not have any more: they count as read, and reading goes on over them,
//! which is said. Refuses: to go on where the reader asked for that very article, and where nothing else is unread.

use super::held::{self, Held};
use super::walk::{self, AtEnd};
use crate::app::Page;
use crate::app::state::Cx;
use crate::app::state::news::Onward;
use crate::format::count;

/// How many may be passed over before the reader is shown one: a server that has lost a group is not asked for all of it.
const MOST: usize = 20;

/// Reading on leads to an article.
pub(super) fn lead_to(cx: &mut Cx<'_>, held: &Held, at: usize, at_end: AtEnd) {
    let url = walk::address(cx.sight(), held, at);
    cx.news.onward = url.map(|url| Onward { url, asks: at_end == AtEnd::Ask, passed: 0 });
}

/// What is in view is the page of a failure in place of it: on to the next.
pub(super) fn pass(cx: &mut Cx<'_>) {
    let Some((entry, page)) = cx.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))) else { return };
    let is_it = cx.news.onward.as_ref().is_some_and(|onward| onward.url == entry.url);
    if !is_it || cx.tab.loading.is_some() {
        return;
    }
    let came = Page::is_article(page);
    let Some(Onward { asks, passed, .. }) = cx.news.onward.take().filter(|_| !came) else { return };
    let Some(held) = held::held(cx).filter(|_| held::is_gone(cx.sight())) else { return };
    let all = 0..held.articles.len();
    let is_read = held.here.is_some_and(|here| !walk::unread(cx.sight(), &held, all.clone()).any(|at| at == here));
    let more = walk::unread(cx.sight(), &held, all).next().is_some();
    if !is_read || !more || passed + 1 >= MOST {
        return;
    }
    cx.hands.note = None;
    walk::on_from_here(cx, if asks { AtEnd::Ask } else { AtEnd::GoOn });
    let passed = passed + 1;
    if let Some(onward) = &mut cx.news.onward {
        onward.passed = passed;
    }
    let words = match passed {
        1 => "an article that is not there any more was passed over; it counts as read".to_owned(),
        _ => format!("{} articles that are not there any more were passed over; they count as read", count(passed)),
    };
    let before = cx.hands.note.take();
    cx.say(before.map_or_else(|| words.clone(), |note| format!("{words} · {}", note.text)));
}
