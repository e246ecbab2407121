//! What the numbers of a group tell: those that have no article, and those above the last one. Refuses: what a page that is not whole, or
//! is of what is kept, does not tell.

use super::marks::shown_name;
use super::{group_of, held, is_scheme, search, server_of};
use crate::app::PageState;
use crate::app::state::Cx;
use crate::format::{count, media};

/// Numbers between the articles of a group that have none stand for articles that expired or never came: in a group that the
/// reader takes they count as read, as with other newsreaders, or its list would tell of articles that are not there.
pub(super) fn pass_gaps(cx: &mut Cx<'_>) {
    let Some((url, page)) = cx.entry().and_then(|entry| Some((entry.url.clone(), entry.page.as_deref()?))) else {
        return;
    };
    // Between what was found stands what was not.
    if page.head.media != media::NEWSGROUP || page.state != PageState::Complete || search::is_one(&url) {
        return;
    }
    let (Some(server), Some(group)) = (server_of(cx.sight(), &url), group_of(&url)) else { return };
    let known = cx.news.servers.get(&server).is_some_and(|server| server.known);
    if !known || cx.tab.private || !cx.news.is_subscribed(&server, &group) {
        return;
    }
    let rows = page.arrangement.counts.1;
    let looked = (cx.tab.at, url, rows);
    if cx.news.counted.as_ref() == Some(&looked) {
        return;
    }
    cx.news.counted = Some(looked);
    let mut numbers: Vec<u64> = held::numbers(cx.sight());
    numbers.sort_unstable();
    let gaps: Vec<(u64, u64)> =
        numbers.windows(2).filter(|pair| pair[1] > pair[0] + 1).map(|pair| (pair[0] + 1, pair[1] - 1)).collect();
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
    let said = page.is_some_and(|page| page.head.media == media::NEWSGROUP && page.head.status.is_none());
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
