//! From group to group, by the reader's newsrc: which of those that they take is next with something unread.

use super::held::{Held, given_focus, held, list};
use super::walk::{is_list, nothing, unread};
use super::{mailbox, shown};
use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::{Effect, Opening, Sight};
use crate::doc::LinkId;
use crate::format::GroupRow;
use crate::news::Subscription;
use crate::url::Url;
use crate::url::scheme::news::group_at;

/// `next-group`: on to the next group with something unread, whatever is unread in this one; on a list, to its row.
pub(in crate::app) fn next_group(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    const NONE: &str = "no other group that you take has anything unread";
    if is_list(cx.sight()) {
        let Some(link) = row_behind(cx, 1) else { return nothing(cx, NONE) };
        focus::go_to(cx, link);
        return Vec::new();
    }
    let Some(held) = held(cx) else { return nothing(cx, "no newsgroup is in view") };
    let next = following(cx, &held).and_then(|(name, _)| group_at(&held.url, &name));
    let Some(url) = next else { return nothing(cx, NONE) };
    cx.open(Opening::followed(url));
    Vec::new()
}

/// The link of the next group with something unread that the reader takes, from so many rows behind the focus on and around.
pub(super) fn row_behind(cx: &mut Cx<'_>, behind: usize) -> Option<LinkId> {
    let (at, rows) = list(cx.sight()).filter(|(at, _)| *at == cx.tab.at)?;
    let focus = given_focus(cx.sight(), at);
    let here = focus.and_then(|link| rows.iter().position(|row| row.link == link)).map_or(0, |here| here + behind);
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

/// The next group: its URL, its name, and how much of it is unread if that is known.
///
/// # Errors
/// Why there is none, in words.
pub(super) fn next_place(cx: &mut Cx<'_>, held: &Held) -> Result<(Url, Vec<u8>, Option<u64>), String> {
    let page = cx.tab.history[held.at].page.as_deref();
    if page.is_some_and(|page| !page.is_settled()) {
        return Err("nothing unread in what has come of the group so far".into());
    }
    let Some((name, unread)) = following(cx, held) else {
        let group = crate::doc::sanitise(&String::from_utf8_lossy(&held.group)).into_owned();
        let others = if mailbox::is_here(cx.sight()) { "" } else { ", nor in other groups that you take" };
        return Err(format!("nothing is unread in {group}{others}"));
    };
    match group_at(&held.url, &name) {
        Some(url) => Ok((url, name, unread)),
        None => Err("nothing is unread in this group".into()),
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
        let seen = || unread_behind(cx.sight(), &server, name);
        (name.to_vec(), row.map(|row| unread_of(cx.sight(), &server, row)).or_else(seen))
    });
    known.find(|(_, unread)| *unread != Some(0))
}

/// How much is unread of a group whose page is behind the one in view.
fn unread_behind(sight: Sight<'_>, server: &str, group: &[u8]) -> Option<u64> {
    let mut pages = (0..=sight.tab.at).rev().filter_map(|at| super::held::of(sight, at));
    let held = pages.find(|held| held.server.as_deref() == Some(server) && held.group == group)?;
    let count = unread(sight, &held, 0..held.articles.len()).count();
    u64::try_from(count).ok()
}
