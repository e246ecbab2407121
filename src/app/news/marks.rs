//! What the reader says of articles and groups: read, unread, all read, taken; threads and quoted text opened and closed.

use super::held::{Held, given_focus, held, list};
use super::{server_of, shown};
use crate::app::hands::question::confirm;
use crate::app::motion::{arrangement, focus};
use crate::app::state::Cx;
use crate::app::{Effect, Pending};
use crate::format::{Order, Reading, Show, Wishes, media};
use crate::news::Subscription;
use crate::url::scheme::news::group_at;
use std::sync::Arc;

/// A group that a command is about.
struct About {
    server: String,
    group: Vec<u8>,
    /// The number of its last article.
    last: u64,
}

/// The group in view or under focus.
fn about(cx: &mut Cx<'_>) -> Option<About> {
    if cx.entry()?.page.as_ref()?.head.media == media::NEWSGROUPS {
        let (at, rows) = list(cx.sight())?;
        let link = given_focus(cx.sight(), at)?;
        let row = rows.iter().find(|row| row.link == link)?.clone();
        let server = server_of(cx.sight(), &group_at(&cx.entry()?.url, &row.name)?)?;
        return Some(About { server, group: row.name, last: row.span.map_or(0, |(_, high)| high) });
    }
    let held = held(cx)?;
    Some(About { server: held.server?, group: held.group, last: held.last })
}

fn no_group(cx: &mut Cx<'_>) -> Vec<Effect> {
    cx.say("no newsgroup is in view or under focus");
    Vec::new()
}

/// Asks whether all of the group is to be marked read.
pub(in crate::app) fn catch_up(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(About { server, group, last }) = about(cx) else { return no_group(cx) };
    let text = vec![format!("Mark all articles of {} read?", shown_name(&group))];
    cx.hands.queue(confirm(text, "all are read", Pending::CatchUp(server, group, last)));
    Vec::new()
}

/// They are.
pub(in crate::app) fn caught_up(cx: &mut Cx<'_>, server: &str, group: &[u8], last: u64) -> Vec<Effect> {
    cx.news.change(server, |newsrc| newsrc.change(group, |read| read.insert_range(1, last)));
    cx.say(format!("all of {} is read", shown_name(group)));
    Vec::new()
}

fn shown_name(group: &[u8]) -> String {
    crate::doc::sanitise(&String::from_utf8_lossy(group)).into_owned()
}

/// Marks the article in view, or under focus, unread; or read if it is unread.
pub(in crate::app) fn mark(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let mut places = Vec::new();
    let mut server = None;
    if let Some(noted) = cx.tab.noted.as_ref().filter(|noted| noted.at == cx.tab.at) {
        server = noted.place.as_ref().map(|(server, ..)| server.clone());
        places.extend(noted.place.as_ref().map(|(_, group, number)| (group.clone(), *number)));
        places.extend(noted.xref.iter().flat_map(|xref| xref.places.clone()));
    } else if let Some(held) = held(cx).filter(|held| held.is_in_view(cx.sight())) {
        let number = held.here.and_then(|here| held.articles[here].number);
        places.extend(number.map(|number| (held.group.clone(), number)));
        server = held.server;
    }
    let (Some(server), Some((group, number))) = (server, places.first().cloned()) else {
        cx.say("no article is in view or under focus");
        return Vec::new();
    };
    let was = cx.news.newsrc(&server).and_then(|newsrc| newsrc.read(&group)).is_some_and(|read| read.contains(number));
    cx.news.change(&server, |newsrc| {
        for (at, (group, number)) in places.into_iter().enumerate() {
            if at == 0 || newsrc.subscription(&group).is_some() {
                newsrc.change(&group, |read| if was { read.remove(number) } else { read.insert(number) });
            }
        }
    });
    cx.say(if was { "marked unread" } else { "marked read" });
    Vec::new()
}

/// Takes the group in view or under focus, or takes it no longer.
pub(in crate::app) fn subscribe(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(About { server, group, .. }) = about(cx) else { return no_group(cx) };
    let (fresh, words) = match cx.news.is_subscribed(&server, &group) {
        true => (Subscription::Unsubscribed, "you no longer take"),
        false => (Subscription::Subscribed, "you take"),
    };
    cx.news.change(&server, |newsrc| newsrc.subscribe(&group, fresh));
    cx.say(format!("{words} {}", shown_name(&group)));
    Vec::new()
}

/// Opens or closes what stands under the article under focus: its answers and theirs. Where nothing does, the whole thread.
pub(in crate::app) fn fold(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(Held { articles, here: Some(here), .. }) = held(cx).filter(|held| held.is_in_view(cx.sight())) else {
        cx.say("threads open and close on their group's page");
        return Vec::new();
    };
    let below = |at: usize| articles.get(at + 1).filter(|next| next.thread == articles[at].thread);
    let answered = below(here).is_some_and(|next| next.depth > articles[here].depth);
    let at = if answered { here } else { articles[here].thread };
    let (head, first) = (articles[at], below(at));
    let Some(page) = cx.page_mut() else { return Vec::new() };
    let wishes = &page.arrangement.wishes;
    let Some(first) = first.filter(|_| wishes.order == Order::Thread && wishes.filter.trim().is_empty()) else {
        cx.say("there is no thread to open or close here");
        return Vec::new();
    };
    // Articles are known by their given blocks: the first block is the heading.
    let block = head.link.0 + 1;
    let mut wishes = wishes.clone();
    let open = wishes.reading.folds.get(&block).copied().unwrap_or(page.shown_link(first.link).is_some());
    wishes.reading.folds.insert(block, !open);
    page.wish(wishes);
    if let Some(link) = shown(cx.sight(), head.link) {
        focus::go_to(cx, link);
    }
    Vec::new()
}

/// Shows or hides what this article and those after it quote.
pub(in crate::app) fn quoted(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let said = match arrangement::turn_quotes(cx) {
        Some(true) => "quoted text is shown",
        Some(false) => "quoted text is hidden",
        None => "no quote on this page is long enough to be hidden",
    };
    cx.say(said);
    Vec::new()
}

/// Shows only what is unread, then all again; on a list the groups that the reader takes come between.
pub(in crate::app) fn unread_only(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(page) = cx.page_mut() else { return Vec::new() };
    let Wishes { reading, .. } = &page.arrangement.wishes;
    let known = reading.read.is_some() || reading.newsrc.is_some();
    let (show, words) = match (page.head.media.as_str(), reading.show) {
        (media::NEWSGROUPS, Show::All) => (Show::Subscribed, "only groups that you take"),
        (media::NEWSGROUPS, Show::Subscribed) => (Show::Unread, "only groups with something unread"),
        (media::NEWSGROUPS, Show::Unread) => (Show::All, "all groups"),
        (media::NEWSGROUP, Show::All) => (Show::Unread, "only what is unread"),
        (media::NEWSGROUP, _) => (Show::All, "all articles"),
        _ => {
            cx.say("only lists and groups can be narrowed to what is unread");
            return Vec::new();
        }
    };
    if known {
        let reading = Reading { show, newsrc: reading.newsrc.as_ref().map(Arc::clone), ..reading.clone() };
        page.wish(Wishes { reading, ..page.arrangement.wishes.clone() });
        cx.say(words);
    } else {
        cx.say("nothing is known of what was read here");
    }
    Vec::new()
}
