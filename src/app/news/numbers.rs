//! What the numbers of a group tell: those that have no article, and those above the last one. Refuses: what a page that is not whole, or
//! is of what is kept, does not tell.

use super::marks::shown_name;
use super::{group_of, held, is_scheme, search, server_of};
use crate::app::PageState;
use crate::app::state::Cx;
use crate::format::{count, media};

/// Numbers between the articles of a group that have none stand for articles that expired or never came: in a group that the
/// reader takes they count as read, as with other newsreaders, or its list would tell of articles that are not there. The group is the
/// one in view, or that whose articles are read.
pub(super) fn pass_gaps(cx: &mut Cx<'_>) {
    let group = |at: &usize| {
        let page = cx.tab.history[*at].page.as_deref();
        page.is_some_and(|page| page.head.media == media::NEWSGROUP)
    };
    let Some(at) = (0..(cx.tab.at + 1).min(cx.tab.history.len())).rev().find(group) else { return };
    let entry = &cx.tab.history[at];
    let Some(page) = entry.page.as_deref().filter(|page| page.state == PageState::Complete) else { return };
    let looked = (at, entry.url.clone(), page.given().blocks().len());
    // Between what was found stands what was not.
    if search::is_one(&entry.url) || cx.news.counted.as_ref() == Some(&looked) {
        return;
    }
    let (Some(server), Some(group)) = (server_of(cx.sight(), &entry.url), group_of(&entry.url)) else { return };
    if cx.tab.private || !cx.news.is_subscribed(&server, &group) {
        return;
    }
    let mut numbers: Vec<u64> = page.rows.as_ref().map(|rows| rows.numbers()).unwrap_or_default();
    numbers.sort_unstable();
    let gaps: Vec<(u64, u64)> =
        numbers.windows(2).filter(|pair| pair[1] > pair[0] + 1).map(|pair| (pair[0] + 1, pair[1] - 1)).collect();
    cx.news.counted = Some(looked);
    cx.news.change(&server, |newsrc| {
        newsrc.change(&group, |read| gaps.iter().for_each(|(first, last)| read.insert_range(*first, *last)));
    });
}

/// Cuts what is read of the group in view at the number of its last article, and says so: above it the server began to count anew, and
/// what was read there were other articles. New ones would count as read, as with no other newsreader, until the numbers were there
/// again. What is kept does not say what the server counts now.
pub(super) fn cut(cx: &mut Cx<'_>) {
    let at = cx.tab.at;
    let page = cx.entry().and_then(|entry| entry.page.as_deref());
    let said = page.is_some_and(|page| {
        let head = &page.head;
        head.media == media::NEWSGROUP && head.status.is_none() && head.ahead.is_none()
    });
    if !said || cx.tab.private {
        return;
    }
    let Some(held) = held::of(cx.sight(), at).filter(|held| is_scheme(&held.url) && !search::is_one(&held.url)) else {
        return;
    };
    let Some(server) = held.server.filter(|server| cx.news.servers.get(server).is_some_and(|server| server.known))
    else {
        return;
    };
    let read = cx.news.newsrc(&server).and_then(|newsrc| newsrc.read(&held.group));
    let top = read.and_then(|read| read.ranges().last().copied()).map_or(0, |(_, last)| last);
    // An empty group may say 0 of everything.
    if held.last == 0 || top <= held.last {
        return;
    }
    cx.news.change(&server, |newsrc| newsrc.change(&held.group, |read| read.remove_range(held.last + 1, top)));
    let last = count(usize::try_from(held.last).unwrap_or(usize::MAX));
    cx.say(format!("the server counts {} anew: what was read above {last} is forgotten", shown_name(&held.group)));
}
