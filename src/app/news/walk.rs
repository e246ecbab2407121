//! From article to article, by the order of the group's page; from group to group, by the reader's newsrc.

use super::held::{Held, given_focus, held, list};
use super::{Name, article, article_url, group_url, shown};
use crate::app::opening::{self, Opening, Way};
use crate::app::question::{self, choice};
use crate::app::{App, Effect, Overlay, Pending, focus, journey};
use crate::doc::LinkId;
use crate::format::{GroupRow, count, media};
use crate::news::Subscription;
use crate::url::Url;

/// Opens the next unread article; on a list, the next group with any.
pub(in crate::app) fn next_unread(app: &mut App, _: &str) -> Vec<Effect> {
    if is_list(app) {
        return match next_group(app) {
            Some(link) => focus::follow_link(app, link),
            None => nothing(app, "nothing is unread in the groups that you take"),
        };
    }
    let Some(held) = held(app) else { return offer_group(app) };
    // On the group's own page the article under focus has not been seen yet.
    let after = held.here.map_or(0, |here| here + usize::from(!held.is_in_view(app)));
    let next = unread(app, &held, after..held.articles.len()).next();
    let first = if next.is_none() { unread(app, &held, 0..after).next() } else { None };
    match next {
        Some(next) => open(app, &held, next),
        None => match first {
            Some(first) => {
                let effects = open(app, &held, first);
                app.say("end of the group; on from its top");
                effects
            }
            None => end_of_group(app, &held),
        },
    }
}

/// Opens the unread article before this one.
pub(in crate::app) fn previous_unread(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(held) = held(app) else { return offer_group(app) };
    let before = held.here.unwrap_or(held.articles.len());
    let previous = unread(app, &held, (0..before).rev()).next();
    match previous {
        Some(at) => open(app, &held, at),
        None => nothing(app, "no unread article before this one"),
    }
}

/// Those of some articles that are unread.
fn unread<'a>(app: &'a App, held: &'a Held, among: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let newsrc = held.server.as_deref().and_then(|server| app.news.newsrc(server));
    among.filter(move |at| held.is_unread(newsrc.map(AsRef::as_ref), *at))
}

/// Opens the next article of the thread, read or not.
pub(in crate::app) fn next_in_thread(app: &mut App, _: &str) -> Vec<Effect> {
    in_thread(app, |here| here.checked_add(1), "this is the last article of the thread")
}

/// Opens the previous article of the thread, read or not.
pub(in crate::app) fn previous_in_thread(app: &mut App, _: &str) -> Vec<Effect> {
    in_thread(app, |here| here.checked_sub(1), "this is the first article of the thread")
}

fn in_thread(app: &mut App, step: fn(usize) -> Option<usize>, none: &str) -> Vec<Effect> {
    let Some(held) = held(app) else { return offer_group(app) };
    let Some(here) = held.here else {
        return nothing(app, "no article is under focus, or it is not on its group's page");
    };
    let other = step(here).and_then(|at| Some((at, held.articles.get(at)?.thread)));
    match other.filter(|(_, thread)| *thread == held.articles[here].thread) {
        Some((at, _)) => open(app, &held, at),
        None => nothing(app, none),
    }
}

/// The next thread with something unread: its first such article is opened, or given the focus on the group's own page.
pub(in crate::app) fn next_thread(app: &mut App, _: &str) -> Vec<Effect> {
    if is_list(app) {
        match next_group(app) {
            Some(link) => focus::go_to(app, link),
            None => app.say("nothing is unread in the groups that you take"),
        }
        return Vec::new();
    }
    let Some(held) = held(app) else { return offer_group(app) };
    let own = held.here.map(|here| held.articles[here].thread);
    let after = held.here.map_or(0, |here| here + 1);
    let around = (after..held.articles.len()).chain(0..after);
    let next = unread(app, &held, around.clone()).find(|at| own != Some(held.articles[*at].thread));
    let more = unread(app, &held, around).next().is_some();
    match next {
        Some(at) if held.is_in_view(app) => look_at(app, &held, at),
        Some(at) => open(app, &held, at),
        None if own.is_some() && more => nothing(app, "no other thread has unread articles"),
        None => end_of_group(app, &held),
    }
}

/// The article that this one answers.
pub(in crate::app) fn parent_article(app: &mut App, _: &str) -> Vec<Effect> {
    let held = held(app);
    if let Some(held) = held.as_ref().filter(|held| held.is_in_view(app)) {
        let Some(here) = held.here else { return nothing(app, "no article is under focus") };
        let own = held.articles[here];
        return match (own.thread..here).rev().find(|at| held.articles[*at].depth < own.depth) {
            Some(at) => look_at(app, held, at),
            None => nothing(app, "this article begins its thread"),
        };
    }
    let Some(id) = article::parent(app) else { return nothing(app, "this article answers no other") };
    let of = held.map(|held| held.url).or_else(|| app.entry().map(|entry| entry.url.clone()));
    match of.and_then(|of| article_url(&of, &id)) {
        Some(url) => opening::go(app, Opening::followed(url)),
        None => nothing(app, "the id of the article that this one answers is none"),
    }
}

/// From an article to the page of its group: the one in history, with the reader's place on it.
pub(in crate::app) fn up(app: &mut App) -> Option<Vec<Effect>> {
    Name::of(&app.entry()?.url)?;
    match held(app) {
        Some(held) => Some(journey::visit(app, held.at)),
        None => {
            let of = app.entry()?.url.clone();
            let group = group_url(&of, article::groups(app).first()?)?;
            Some(opening::go(app, Opening::followed(group)))
        }
    }
}

fn nothing(app: &mut App, words: &str) -> Vec<Effect> {
    app.say(words);
    Vec::new()
}

fn is_list(app: &App) -> bool {
    app.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media::NEWSGROUPS)
}

/// Opens an article; on the group's own page the focus goes to it first.
fn open(app: &mut App, held: &Held, at: usize) -> Vec<Effect> {
    let link = held.articles[at].link;
    let reference =
        app.tab.history[held.at].page.as_ref().and_then(|page| page.given().reference(link)).map(str::to_owned);
    let way = match held.is_in_view(app) {
        true => {
            look_at(app, held, at);
            Way::New
        }
        false => Way::Instead,
    };
    match reference.map(Url::parse) {
        Some(Ok(url)) => opening::go(app, Opening { way, ..Opening::followed(url) }),
        _ => nothing(app, "the article has no address"),
    }
}

/// Gives an article of the page in view the focus, or the head under which it is folded away.
fn look_at(app: &mut App, held: &Held, at: usize) -> Vec<Effect> {
    if let Some(link) = held.in_sight(app, at) {
        focus::go_to(app, link);
    }
    Vec::new()
}

/// The link of the next group with something unread that the reader takes, from the focus on and around.
fn next_group(app: &mut App) -> Option<LinkId> {
    let (at, rows) = list(app).filter(|(at, _)| *at == app.tab.at)?;
    let focus = given_focus(app, at);
    let here = focus.and_then(|link| rows.iter().position(|row| row.link == link)).map_or(0, |here| here + 1);
    let server = super::server_of(app, &app.tab.history[at].url)?;
    let (before, after) = rows.split_at(here);
    let next = after.iter().chain(before).find(|row| unread_of(app, &server, row) > 0)?;
    shown(app, next.link)
}

/// How much of a group that the reader takes is unread, as far as its numbers tell.
fn unread_of(app: &App, server: &str, row: &GroupRow) -> u64 {
    let Some(newsrc) = app.news.newsrc(server).filter(|_| app.news.is_subscribed(server, &row.name)) else { return 0 };
    newsrc.read(&row.name).zip(row.span).map_or(0, |(read, (low, high))| read.unread_within(low, high))
}

/// Nothing is unread in the group: the next one that the reader takes is offered.
fn end_of_group(app: &mut App, held: &Held) -> Vec<Effect> {
    let group = String::from_utf8_lossy(&held.group).into_owned();
    let arriving =
        app.tab.history[held.at].page.as_ref().is_some_and(|page| page.state == crate::app::PageState::Arriving);
    if arriving {
        return nothing(app, "nothing unread in what has come of the group so far");
    }
    match following(app, held) {
        Some((name, unread)) => {
            let more =
                unread.map(|unread| format!(", {} unread", count(usize::try_from(unread).unwrap_or(usize::MAX))));
            let next = format!("Next: {}{}", String::from_utf8_lossy(&name), more.unwrap_or_default());
            match group_url(&held.url, &name) {
                Some(url) => offer(app, url, vec![format!("Nothing is unread in {group}."), next], "go there"),
                None => nothing(app, "nothing is unread in this group"),
            }
        }
        None => nothing(app, &format!("nothing is unread in {group}, nor in other groups that you take")),
    }
}

/// The group after this one in the reader's newsrc that may have something unread, and how much if that is known.
fn following(app: &mut App, held: &Held) -> Option<(Vec<u8>, Option<u64>)> {
    let server = held.server.clone()?;
    let listed = list(app).filter(|(at, _)| super::server_of(app, &app.tab.history[*at].url).as_ref() == Some(&server));
    let rows = listed.map(|(_, rows)| rows).unwrap_or_default();
    let newsrc = app.news.newsrc(&server)?;
    let taken = newsrc.groups().filter(|(_, subscription)| *subscription == Subscription::Subscribed);
    let taken: Vec<&[u8]> = taken.map(|(name, _)| name).collect();
    let here = taken.iter().position(|name| *name == held.group).map_or(0, |here| here + 1);
    let (before, after) = taken.split_at(here);
    let others = after.iter().chain(before).filter(|name| **name != held.group);
    let mut known = others.map(|name| {
        let row = rows.iter().find(|row| row.name == **name);
        (name.to_vec(), row.map(|row| unread_of(app, &server, row)))
    });
    known.find(|(_, unread)| *unread != Some(0))
}

/// An article that came from no group's page has no next one: its group is offered.
fn offer_group(app: &mut App) -> Vec<Effect> {
    let of = app.entry().map(|entry| entry.url.clone());
    let named = match of.as_ref().and_then(Name::of) {
        Some(Name::Number(group, _)) => Some(group),
        _ => article::groups(app).into_iter().next(),
    };
    let url = of.zip(named.as_ref()).and_then(|(of, name)| group_url(&of, name));
    match url.zip(named) {
        Some((url, name)) => {
            let name = String::from_utf8_lossy(&name).into_owned();
            offer(
                app,
                url,
                vec!["This article was opened from no group, so there is no next one.".into()],
                &format!("open {name}"),
            )
        }
        None => nothing(app, "this article was opened from no group, so there is no next one"),
    }
}

fn offer(app: &mut App, url: Url, text: Vec<String>, yes: &str) -> Vec<Effect> {
    let clean = |text: &String| crate::doc::sanitise(text).into_owned();
    let question = Overlay::Question {
        text: text.iter().map(clean).collect(),
        choices: vec![choice('y', &clean(&yes.to_owned())), choice('n', "stay")],
        pending: Pending::Open(url.clone()),
    };
    opening::hold(app, Opening::followed(url));
    question::raise(app, question);
    Vec::new()
}
