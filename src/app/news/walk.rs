//! From article to article, by the order of the group's page, and past its end.

use super::groups::{next_place, row_behind};
use super::held::{Held, held, list};
use super::{Name, article, fresh, mailbox, passing, server_of};
use crate::app::hands::question::choice;
use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{Effect, Opening, Overlay, Pending, Sight, Way};
use crate::format::{Listed, Show, count, media};
use crate::url::Url;
use crate::url::scheme::news::{article_at, group_at};

/// What happens where nothing is unread in the group any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtEnd {
    /// The next group is offered.
    Ask,
    /// It is gone to.
    GoOn,
}

/// Opens the next unread article; on a list, the next group with any.
pub(in crate::app) fn next_unread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    on_from_here(cx, AtEnd::Ask)
}

/// The same, and from the last article on to the next group that the reader takes, without a word.
pub(in crate::app) fn go_on(cx: &mut Cx<'_>) -> Vec<Effect> {
    on_from_here(cx, AtEnd::GoOn)
}

/// What the key that goes on does on the page of a group, or on the list of the groups that the reader takes: it leads to what is
/// unread. `None` where nothing is.
pub(in crate::app) fn lead_on(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let sight = cx.sight();
    let leads = match is_list(sight) {
        true => is_narrowed(sight) && row_behind(cx, 0).is_some(),
        false => {
            let held = held(cx).filter(|held| held.is_in_view(cx.sight()))?;
            let some = unread(cx.sight(), &held, 0..held.articles.len()).next().is_some();
            some || fresh::is_done_away(cx.sight(), &held) && next_place(cx, &held).is_ok()
        }
    };
    // What it leads to is on its way.
    let awaited = cx.tab.loading.is_some();
    leads.then(|| if awaited { Vec::new() } else { go_on(cx) })
}

/// Whether a list shows no other groups than the reader's own.
fn is_narrowed(sight: Sight<'_>) -> bool {
    let page = sight.entry().and_then(|entry| entry.page.as_deref());
    page.is_some_and(|page| page.arrangement.wishes.reading.show != Show::All)
}

pub(super) fn on_from_here(cx: &mut Cx<'_>, at_end: AtEnd) -> Vec<Effect> {
    if is_list(cx.sight()) {
        // Who goes on from a group in which something is left goes into it.
        return match row_behind(cx, usize::from(at_end == AtEnd::Ask)) {
            Some(link) => {
                cx.intend(Intent::Follow(link));
                Vec::new()
            }
            None => nothing(cx, "nothing is unread in the groups that you take"),
        };
    }
    let Some(held) = held(cx) else { return offer_group(cx) };
    fresh::give_back(cx, &held);
    // On the group's own page the article under focus has not been seen yet.
    let after = held.here.map_or(0, |here| here + usize::from(!held.is_in_view(cx.sight())));
    let next = unread(cx.sight(), &held, after..held.articles.len()).next();
    let first = if next.is_none() { unread(cx.sight(), &held, 0..after).next() } else { None };
    match next {
        Some(next) => {
            passing::lead_to(cx, &held, next, at_end);
            open(cx, &held, next)
        }
        None => match first {
            Some(first) => {
                passing::lead_to(cx, &held, first, at_end);
                let effects = open(cx, &held, first);
                cx.say("end of the group; on from its top");
                effects
            }
            None => {
                fresh::pass(cx, &held);
                if at_end == AtEnd::GoOn { on_to_next_group(cx, &held) } else { end_of_group(cx, &held) }
            }
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
pub(super) fn unread<'a>(
    sight: Sight<'a>,
    held: &'a Held,
    among: impl Iterator<Item = usize>,
) -> impl Iterator<Item = usize> {
    let newsrc = held.server.as_deref().and_then(|server| sight.news.newsrc(server));
    let fresh = fresh::of(sight, held);
    let killed = move |at: &usize| fresh.as_ref().is_some_and(|fresh| fresh.kills(held.articles[*at].link));
    among.filter(move |at| held.is_unread(newsrc.map(AsRef::as_ref), *at) && !killed(at))
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
        match row_behind(cx, 1) {
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
    // No server has the messages of a mailbox: what its page shows them under is all that is known.
    if let Some(held) = held.as_ref().filter(|_| mailbox::is_here(cx.sight())) {
        let own = held.here.map(|here| (here, held.articles[here]));
        let over =
            |(here, own): (usize, Listed)| (own.thread..here).rev().find(|at| held.articles[*at].depth < own.depth);
        return match own.and_then(over) {
            Some(at) => open(cx, held, at),
            None => nothing(cx, "this message answers no other of its mailbox"),
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
    let url = cx.entry()?.url.clone();
    Name::of(&url)?;
    let message = mailbox::article(&url).is_some();
    match held(cx).filter(|held| !message || held.here.is_some()) {
        Some(held) => cx.intend(Intent::Visit(held.at)),
        None if message => cx.open(Opening::followed(mailbox::of(&url)?)),
        None => {
            let of = cx.entry()?.url.clone();
            let group = group_at(&of, article::groups(cx.sight()).first()?)?;
            cx.open(Opening::followed(group));
        }
    }
    Some(Vec::new())
}

/// From the page of a group to the list of its server's groups that is behind it in history.
pub(in crate::app) fn to_list(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let (at, _) = list(cx.sight()).filter(|_| is_group(cx.sight()))?;
    let server = |at: usize| server_of(cx.sight(), &cx.tab.history.get(at)?.url);
    let same = server(at).is_some() && server(at) == server(cx.tab.at);
    same.then(|| {
        cx.intend(Intent::Visit(at));
        Vec::new()
    })
}

pub(super) fn nothing(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    cx.say(words);
    Vec::new()
}

/// Whether the page in view is a group's, and the focus on an article of it.
pub(in crate::app) fn is_at_article(cx: &mut Cx<'_>) -> bool {
    is_group(cx.sight()) && held(cx).is_some_and(|held| held.here.is_some())
}

/// Whether the page in view is a group's.
pub(in crate::app) fn is_group(sight: Sight<'_>) -> bool {
    sight.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media::NEWSGROUP)
}

/// The place in history of an article that takes the place of the one in view: next to the page of its group, however many steps from
/// article to article led here.
pub(in crate::app) fn first_step(sight: Sight<'_>, url: &Url) -> usize {
    let at = sight.tab.at;
    let article = |at: &usize| sight.tab.history.get(*at).is_some_and(|entry| Name::of(&entry.url).is_some());
    if Name::of(url).is_none() {
        return at;
    }
    let first = (0..=at).rev().take_while(article).last().unwrap_or(at);
    let group = first.checked_sub(1).and_then(|before| sight.tab.history.get(before)?.page.as_deref());
    if group.is_some_and(|page| page.head.media == media::NEWSGROUP) { first } else { at }
}

/// Whether the page in view is a list of groups.
pub(in crate::app) fn is_list(sight: Sight<'_>) -> bool {
    sight.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media::NEWSGROUPS)
}

/// Opens an article; on the group's own page the focus goes to it first.
pub(super) fn open(cx: &mut Cx<'_>, held: &Held, at: usize) -> Vec<Effect> {
    let url = address(cx.sight(), held, at);
    let way = match held.is_in_view(cx.sight()) {
        true => {
            look_at(cx, held, at);
            Way::New
        }
        false => Way::Instead,
    };
    match url {
        Some(url) => {
            cx.open(Opening { way, ..Opening::followed(url) });
            Vec::new()
        }
        None => nothing(cx, "the article has no address"),
    }
}

/// The address of an article.
pub(super) fn address(sight: Sight<'_>, held: &Held, at: usize) -> Option<Url> {
    let page = sight.tab.history.get(held.at)?.page.as_deref()?;
    Url::parse(page.given().reference(held.articles.get(at)?.link)?).ok()
}

/// Gives an article of the page in view the focus, or the head under which it is folded away.
pub(super) fn look_at(cx: &mut Cx<'_>, held: &Held, at: usize) -> Vec<Effect> {
    if let Some(link) = held.in_sight(cx.sight(), at) {
        focus::go_to(cx, link);
    }
    Vec::new()
}

/// Nothing is unread in the group: the next one that the reader takes is offered.
pub(super) fn end_of_group(cx: &mut Cx<'_>, held: &Held) -> Vec<Effect> {
    match next_place(cx, held) {
        Ok((url, name, unread)) => {
            let more =
                unread.map(|unread| format!(", {} unread", count(usize::try_from(unread).unwrap_or(usize::MAX))));
            let next = format!("Next: {}{}", String::from_utf8_lossy(&name), more.unwrap_or_default());
            let group = String::from_utf8_lossy(&held.group);
            offer(cx, url, vec![format!("Nothing is unread in {group}."), next], "go there")
        }
        Err(words) => nothing(cx, &words),
    }
}

/// The same, and it is gone to.
fn on_to_next_group(cx: &mut Cx<'_>, held: &Held) -> Vec<Effect> {
    match next_place(cx, held) {
        Ok((url, ..)) => {
            cx.open(Opening::followed(url));
            Vec::new()
        }
        Err(words) => nothing(cx, &words),
    }
}

/// An article that came from no group's page has no next one: its group is offered.
fn offer_group(cx: &mut Cx<'_>) -> Vec<Effect> {
    let of = cx.entry().map(|entry| entry.url.clone());
    if let Some(mailbox) = of.as_ref().and_then(mailbox::of) {
        let text = vec!["This message was opened from no list, so there is no next one.".into()];
        return offer(cx, mailbox, text, "open its mailbox");
    }
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

fn offer(cx: &mut Cx<'_>, url: Url, mut text: Vec<String>, yes: &str) -> Vec<Effect> {
    text.extend(cx.hands.pressed.map(|key| format!("{key} again: {yes}.")));
    let clean = |text: &String| crate::doc::sanitise(text).into_owned();
    let question = Overlay::Question {
        text: text.iter().map(clean).collect(),
        choices: vec![choice('y', &clean(&yes.to_owned())), choice('q', "stay")],
        pending: Pending::GoOn(Box::new(Opening::followed(url))),
    };
    // The reader asked to go on: the same key again says that they do.
    cx.hands.raise(question);
    Vec::new()
}
