//! What the reader says of articles and groups: read, unread, all read, taken; threads and quoted text opened and closed.

use super::held::{Held, block_of, given_focus, held, list};
use super::several::Mark;
use super::{mailbox, score, search, server_of, several, shown, undo};
use crate::app::Effect;
use crate::app::motion::{arrangement, focus};
use crate::app::state::Cx;
use crate::format::{Order, count, media};
use crate::news::{Newsrc, Subscription};
use crate::url::Url;
use crate::url::scheme::news::group_at;

/// A group that a command is about.
struct About {
    server: String,
    group: Vec<u8>,
    /// The number of its last article.
    last: u64,
}

/// The group in view or under focus, by its name, and the URL of the page that shows it.
pub(super) fn named(cx: &mut Cx<'_>) -> Option<(Url, Vec<u8>)> {
    if cx.entry()?.page.as_ref()?.head.media == media::NEWSGROUPS {
        let (at, rows) = list(cx.sight())?;
        let link = given_focus(cx.sight(), at)?;
        let row = rows.iter().find(|row| row.link == link)?;
        return Some((cx.entry()?.url.clone(), row.name.clone()));
    }
    held(cx).map(|held| (held.url, held.group))
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

/// The group whose row on a list is under focus.
pub(in crate::app) fn group_under_focus(cx: &mut Cx<'_>) -> Option<String> {
    let on_list = cx.entry()?.page.as_ref()?.head.media == media::NEWSGROUPS;
    let group = on_list.then(|| about(cx)).flatten()?.group;
    Some(String::from_utf8_lossy(&group).into_owned())
}

fn no_group(cx: &mut Cx<'_>) -> Vec<Effect> {
    cx.say("no newsgroup is in view or under focus");
    Vec::new()
}

/// Marks all of the group read. What that changes can be taken back, so nothing is asked.
pub(in crate::app) fn catch_up(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if cx.entry().is_some_and(|entry| search::is_one(&entry.url)) {
        cx.say("this is not all of the group; x h marks what was found down to here");
        return Vec::new();
    }
    let Some(About { server, group, last }) = about(cx) else { return no_group(cx) };
    let what = format!("all of {} is read", shown_name(&group));
    let marked = undo::change(cx, &server, what.clone(), std::slice::from_ref(&group), |newsrc| {
        newsrc.change(&group, |read| read.insert_range(1, last));
    });
    if marked {
        // Whatever another program has written meanwhile: the reader has just said so.
        cx.news.insist(&server, &group, last);
        cx.say(undo::told(cx.sight(), what));
    }
    Vec::new()
}

pub(super) fn shown_name(group: &[u8]) -> String {
    crate::doc::sanitise(&String::from_utf8_lossy(group)).into_owned()
}

/// Marks the article in view, or under focus, unread; or read if it is unread. With a row goes what is folded away under it.
pub(in crate::app) fn mark(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    marked(cx, Mark::Turned)
}

/// `mark-unread`: the same unread, whatever it was.
pub(in crate::app) fn mark_unread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    marked(cx, Mark::Unread)
}

fn marked(cx: &mut Cx<'_>, mark: Mark) -> Vec<Effect> {
    let mut places = Vec::new();
    let mut server = None;
    if let Some(noted) = cx.tab.noted.as_ref().filter(|noted| noted.at == cx.tab.at) {
        server = noted.place.as_ref().map(|(server, ..)| server.clone());
        places.extend(noted.place.as_ref().map(|(_, group, number)| (group.clone(), *number)));
        places.extend(noted.xref.iter().flat_map(|xref| xref.places.clone()));
    } else if let Some(held) = held(cx).filter(|held| held.is_in_view(cx.sight()))
        && let Some(here) = held.here
    {
        let row = held.row(cx.sight(), here);
        return several::turn(cx, &held, row, mark);
    }
    let (Some(server), Some((group, number))) = (server, places.first().cloned()) else {
        cx.say("no article is in view or under focus");
        return Vec::new();
    };
    let was = cx.news.newsrc(&server).and_then(|newsrc| newsrc.read(&group)).is_some_and(|read| read.contains(number));
    if mark == Mark::Unread && !was {
        cx.say("it is unread");
        return Vec::new();
    }
    let what = if was { "marked unread" } else { "marked read" };
    let groups: Vec<Vec<u8>> = places.iter().map(|(group, _)| group.clone()).collect();
    let marked = undo::change(cx, &server, what.into(), &groups, |newsrc| {
        for (at, (group, number)) in places.into_iter().enumerate() {
            if at == 0 || newsrc.subscription(&group).is_some() {
                newsrc.change(&group, |read| if was { read.remove(number) } else { read.insert(number) });
            }
        }
    });
    if marked {
        cx.say(what);
    }
    Vec::new()
}

/// The row of the article in view is marked on the page of its group, or no longer; `None` where no article is in view whose group's
/// page is behind it.
pub(in crate::app) fn mark_its_row(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let held = held(cx).filter(|held| !held.is_in_view(cx.sight()))?;
    let link = held.articles[held.here?].link;
    let marked = &mut cx.tab.history.get_mut(held.at)?.marked;
    let words = match marked.remove(link) {
        true => "its row is marked no longer",
        false if marked.add(link, None) => "its row is marked",
        false => "no more rows can be marked",
    };
    let all = count(marked.len());
    cx.say(format!("{words}: {all} in {}", shown_name(&held.group)));
    Some(Vec::new())
}

/// Takes the group in view or under focus, or takes it no longer; `subscribe on` and `subscribe off` do the one or the other.
pub(in crate::app) fn subscribe(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let Some(About { server, group, .. }) = about(cx).filter(|about| !mailbox::is_name(&about.server)) else {
        return no_group(cx);
    };
    let taken = cx.news.is_subscribed(&server, &group);
    let wanted = match words.trim() {
        "" => !taken,
        "on" => true,
        "off" => false,
        _ => {
            cx.say("subscribe on takes the group, subscribe off no longer");
            return Vec::new();
        }
    };
    if wanted == taken {
        let words = if taken { "you take it already" } else { "you do not take it" };
        cx.say(format!("{}: {words}", shown_name(&group)));
        return Vec::new();
    }
    let (fresh, words) = match taken {
        true => (Subscription::Unsubscribed, "you no longer take"),
        false => (Subscription::Subscribed, "you take"),
    };
    let what = format!("{words} {}", shown_name(&group));
    let change = |newsrc: &mut Newsrc| newsrc.subscribe(&group, fresh);
    if undo::change(cx, &server, what.clone(), std::slice::from_ref(&group), change) {
        cx.say(undo::told(cx.sight(), what));
    }
    Vec::new()
}

/// Opens or closes what stands under the article under focus: its answers and theirs. Where nothing does, the whole thread.
pub(in crate::app) fn fold(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if score::fold_killed(cx).is_some() {
        return Vec::new();
    }
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
    let Some(first) =
        first.filter(|_| matches!(wishes.order, Order::Thread | Order::Score) && wishes.filter.trim().is_empty())
    else {
        cx.say("there is no thread to open or close here");
        return Vec::new();
    };
    let block = block_of(head.link);
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
        None => "nothing is quoted on this page",
    };
    cx.say(said);
    Vec::new()
}
