//! From article to article, by the order of the group's page; from group to group, by the reader's newsrc.

use super::held::{Held, given_focus, held, list};
use super::{Name, article, shown};
use crate::app::hands::question::choice;
use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{Effect, Opening, Overlay, Pending, Sight, Way};
use crate::doc::LinkId;
use crate::format::{GroupRow, count, media};
use crate::news::Subscription;
use crate::url::Url;
use crate::url::scheme::news::{article_at, group_at};

/// Opens the next unread article; on a list, the next group with any.
pub(in crate::app) fn next_unread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if is_list(cx.sight()) {
        return match next_group(cx) {
            Some(link) => {
                cx.intend(Intent::Follow(link));
                Vec::new()
            }
            None => nothing(cx, "nothing is unread in the groups that you take"),
        };
    }
    let Some(held) = held(cx) else { return offer_group(cx) };
    // On the group's own page the article under focus has not been seen yet.
    let after = held.here.map_or(0, |here| here + usize::from(!held.is_in_view(cx.sight())));
    let next = unread(cx.sight(), &held, after..held.articles.len()).next();
    let first = if next.is_none() { unread(cx.sight(), &held, 0..after).next() } else { None };
    match next {
        Some(next) => open(cx, &held, next),
        None => match first {
            Some(first) => {
                let effects = open(cx, &held, first);
                cx.say("end of the group; on from its top");
                effects
            }
            None => end_of_group(cx, &held),
        },
    }
}

/// Opens the unread article before this one.
pub(in crate::app) fn previous_unread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(held) = held(cx) else { return offer_group(cx) };
    let before = held.here.unwrap_or(held.articles.len());
    let previous = unread(cx.sight(), &held, (0..before).rev()).next();
    match previous {
        Some(at) => open(cx, &held, at),
        None => nothing(cx, "no unread article before this one"),
    }
}

/// Those of some articles that are unread.
fn unread<'a>(sight: Sight<'a>, held: &'a Held, among: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let newsrc = held.server.as_deref().and_then(|server| sight.news.newsrc(server));
    among.filter(move |at| held.is_unread(newsrc.map(AsRef::as_ref), *at))
}

/// Opens the next article of the thread, read or not.
pub(in crate::app) fn next_in_thread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    in_thread(cx, |here| here.checked_add(1), "this is the last article of the thread")
}

/// Opens the previous article of the thread, read or not.
pub(in crate::app) fn previous_in_thread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    in_thread(cx, |here| here.checked_sub(1), "this is the first article of the thread")
}

fn in_thread(cx: &mut Cx<'_>, step: fn(usize) -> Option<usize>, none: &str) -> Vec<Effect> {
    let Some(held) = held(cx) else { return offer_group(cx) };
    let Some(here) = held.here else {
        return nothing(cx, "no article is under focus, or it is not on its group's page");
    };
    let other = step(here).and_then(|at| Some((at, held.articles.get(at)?.thread)));
    match other.filter(|(_, thread)| *thread == held.articles[here].thread) {
        Some((at, _)) => open(cx, &held, at),
        None => nothing(cx, none),
    }
}

/// The next thread with something unread: its first such article is opened, or given the focus on the group's own page.
pub(in crate::app) fn next_thread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if is_list(cx.sight()) {
        match next_group(cx) {
            Some(link) => focus::go_to(cx, link),
            None => cx.say("nothing is unread in the groups that you take"),
        }
        return Vec::new();
    }
    let Some(held) = held(cx) else { return offer_group(cx) };
    let own = held.here.map(|here| held.articles[here].thread);
    let after = held.here.map_or(0, |here| here + 1);
    let around = (after..held.articles.len()).chain(0..after);
    let next = unread(cx.sight(), &held, around.clone()).find(|at| own != Some(held.articles[*at].thread));
    let more = unread(cx.sight(), &held, around).next().is_some();
    match next {
        Some(at) if held.is_in_view(cx.sight()) => look_at(cx, &held, at),
        Some(at) => open(cx, &held, at),
        None if own.is_some() && more => nothing(cx, "no other thread has unread articles"),
        None => end_of_group(cx, &held),
    }
}

/// The article that this one answers.
pub(in crate::app) fn parent_article(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let held = held(cx);
    if let Some(held) = held.as_ref().filter(|held| held.is_in_view(cx.sight())) {
        let Some(here) = held.here else { return nothing(cx, "no article is under focus") };
        let own = held.articles[here];
        return match (own.thread..here).rev().find(|at| held.articles[*at].depth < own.depth) {
            Some(at) => look_at(cx, held, at),
            None => nothing(cx, "this article begins its thread"),
        };
    }
    let Some(id) = article::parent(cx.sight()) else { return nothing(cx, "this article answers no other") };
    let of = held.map(|held| held.url).or_else(|| cx.entry().map(|entry| entry.url.clone()));
    match of.and_then(|of| article_at(&of, &id)) {
        Some(url) => {
            cx.open(Opening::followed(url));
            Vec::new()
        }
        None => nothing(cx, "the id of the article that this one answers is none"),
    }
}

/// From an article to the page of its group: the one in history, with the reader's place on it.
pub(in crate::app) fn up(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    Name::of(&cx.entry()?.url)?;
    match held(cx) {
        Some(held) => cx.intend(Intent::Visit(held.at)),
        None => {
            let of = cx.entry()?.url.clone();
            let group = group_at(&of, article::groups(cx.sight()).first()?)?;
            cx.open(Opening::followed(group));
        }
    }
    Some(Vec::new())
}

fn nothing(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    cx.say(words);
    Vec::new()
}

fn is_list(sight: Sight<'_>) -> bool {
    sight.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media::NEWSGROUPS)
}

/// Opens an article; on the group's own page the focus goes to it first.
fn open(cx: &mut Cx<'_>, held: &Held, at: usize) -> Vec<Effect> {
    let link = held.articles[at].link;
    let reference =
        cx.tab.history[held.at].page.as_ref().and_then(|page| page.given().reference(link)).map(str::to_owned);
    let way = match held.is_in_view(cx.sight()) {
        true => {
            look_at(cx, held, at);
            Way::New
        }
        false => Way::Instead,
    };
    match reference.map(Url::parse) {
        Some(Ok(url)) => {
            cx.open(Opening { way, ..Opening::followed(url) });
            Vec::new()
        }
        _ => nothing(cx, "the article has no address"),
    }
}

/// Gives an article of the page in view the focus, or the head under which it is folded away.
fn look_at(cx: &mut Cx<'_>, held: &Held, at: usize) -> Vec<Effect> {
    if let Some(link) = held.in_sight(cx.sight(), at) {
        focus::go_to(cx, link);
    }
    Vec::new()
}

/// The link of the next group with something unread that the reader takes, from the focus on and around.
fn next_group(cx: &mut Cx<'_>) -> Option<LinkId> {
    let (at, rows) = list(cx.sight()).filter(|(at, _)| *at == cx.tab.at)?;
    let focus = given_focus(cx.sight(), at);
    let here = focus.and_then(|link| rows.iter().position(|row| row.link == link)).map_or(0, |here| here + 1);
    let server = super::server_of(cx.sight(), &cx.tab.history[at].url)?;
    let (before, after) = rows.split_at(here);
    let next = after.iter().chain(before).find(|row| unread_of(cx.sight(), &server, row) > 0)?;
    shown(cx.sight(), next.link)
}

/// How much of a group that the reader takes is unread, as far as its numbers tell.
fn unread_of(sight: Sight<'_>, server: &str, row: &GroupRow) -> u64 {
    let Some(newsrc) = sight.news.newsrc(server).filter(|_| sight.news.is_subscribed(server, &row.name)) else {
        return 0;
    };
    newsrc.read(&row.name).zip(row.span).map_or(0, |(read, (low, high))| read.unread_within(low, high))
}

/// Nothing is unread in the group: the next one that the reader takes is offered.
fn end_of_group(cx: &mut Cx<'_>, held: &Held) -> Vec<Effect> {
    let group = String::from_utf8_lossy(&held.group).into_owned();
    let arriving =
        cx.tab.history[held.at].page.as_ref().is_some_and(|page| page.state == crate::app::PageState::Arriving);
    if arriving {
        return nothing(cx, "nothing unread in what has come of the group so far");
    }
    match following(cx, held) {
        Some((name, unread)) => {
            let more =
                unread.map(|unread| format!(", {} unread", count(usize::try_from(unread).unwrap_or(usize::MAX))));
            let next = format!("Next: {}{}", String::from_utf8_lossy(&name), more.unwrap_or_default());
            match group_at(&held.url, &name) {
                Some(url) => offer(cx, url, vec![format!("Nothing is unread in {group}."), next], "go there"),
                None => nothing(cx, "nothing is unread in this group"),
            }
        }
        None => nothing(cx, &format!("nothing is unread in {group}, nor in other groups that you take")),
    }
}

/// The group after this one in the reader's newsrc that may have something unread, and how much if that is known.
fn following(cx: &mut Cx<'_>, held: &Held) -> Option<(Vec<u8>, Option<u64>)> {
    let server = held.server.clone()?;
    let listed = list(cx.sight())
        .filter(|(at, _)| super::server_of(cx.sight(), &cx.tab.history[*at].url).as_ref() == Some(&server));
    let rows = listed.map(|(_, rows)| rows).unwrap_or_default();
    let newsrc = cx.news.newsrc(&server)?;
    let taken = newsrc.groups().filter(|(_, subscription)| *subscription == Subscription::Subscribed);
    let taken: Vec<&[u8]> = taken.map(|(name, _)| name).collect();
    let here = taken.iter().position(|name| *name == held.group).map_or(0, |here| here + 1);
    let (before, after) = taken.split_at(here);
    let others = after.iter().chain(before).filter(|name| **name != held.group);
    let mut known = others.map(|name| {
        let row = rows.iter().find(|row| row.name == **name);
        (name.to_vec(), row.map(|row| unread_of(cx.sight(), &server, row)))
    });
    known.find(|(_, unread)| *unread != Some(0))
}

/// An article that came from no group's page has no next one: its group is offered.
fn offer_group(cx: &mut Cx<'_>) -> Vec<Effect> {
    let of = cx.entry().map(|entry| entry.url.clone());
    let named = match of.as_ref().and_then(Name::of) {
        Some(Name::Number(group, _)) => Some(group),
        _ => article::groups(cx.sight()).into_iter().next(),
    };
    let url = of.zip(named.as_ref()).and_then(|(of, name)| group_at(&of, name));
    match url.zip(named) {
        Some((url, name)) => {
            let name = String::from_utf8_lossy(&name).into_owned();
            offer(
                cx,
                url,
                vec!["This article was opened from no group, so there is no next one.".into()],
                &format!("open {name}"),
            )
        }
        None => nothing(cx, "this article was opened from no group, so there is no next one"),
    }
}

fn offer(cx: &mut Cx<'_>, url: Url, text: Vec<String>, yes: &str) -> Vec<Effect> {
    let clean = |text: &String| crate::doc::sanitise(text).into_owned();
    let question = Overlay::Question {
        text: text.iter().map(clean).collect(),
        choices: vec![choice('y', &clean(&yes.to_owned())), choice('n', "stay")],
        pending: Pending::Open(Box::new(Opening::followed(url))),
    };
    cx.hands.queue(question);
    Vec::new()
}
