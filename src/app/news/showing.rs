//! Which threads of a group are in sight, and which groups of a list: at first as the settings have it, then as the reader says. What
//! they say of a group is kept for it.

use super::{group_of, mailbox, search, server_of};
use crate::app::state::Cx;
use crate::app::{Effect, Kept, Sight, SiteChoice};
use crate::config::NewsShow;
use crate::format::{Reading, Show, Wishes, media};
use crate::url::{Url, escape};

const ALL: &str = "all";
const UNREAD: &str = "unread";

/// The name under which the reader's choice for a group is kept.
fn kept_as(sight: Sight<'_>, url: &Url) -> Option<String> {
    let (server, group) = (server_of(sight, url).filter(|server| !mailbox::is_name(server))?, group_of(url)?);
    Some(format!("news://{server}/{}", escape::encode(&group, b"+")))
}

/// What of a group is shown when its page comes: as the reader chose for it; else what is unread, where they take it.
pub(super) fn at_first(sight: Sight<'_>, url: &Url) -> Show {
    if search::is_one(url) {
        return Show::All;
    }
    let chosen = kept_as(sight, url).and_then(|name| sight.news.shows.get(&name));
    let taken = || {
        let named = server_of(sight, url).zip(group_of(url));
        named.is_some_and(|(server, group)| sight.news.is_subscribed(&server, &group))
    };
    match chosen.map(String::as_str) {
        Some(UNREAD) => Show::Unread,
        Some(_) => Show::All,
        None if sight.desk.settings.news.show == NewsShow::Unread && taken() => Show::Unread,
        None => Show::All,
    }
}

/// Shows only what is unread, then all again, and keeps that for the group; on a list the groups that the reader takes come between.
pub(in crate::app) fn unread_only(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(url) = cx.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    let Some(page) = cx.page_mut() else { return Vec::new() };
    let Wishes { reading, .. } = &page.arrangement.wishes;
    let known = reading.read.is_some() || reading.newsrc.is_some();
    let (show, words) = match (page.head.media.as_str(), reading.show) {
        (media::NEWSGROUPS, Show::All) => (Show::Subscribed, "only groups that you take"),
        (media::NEWSGROUPS, Show::Subscribed) => (Show::Unread, "only groups with something unread"),
        (media::NEWSGROUPS, Show::Unread) => (Show::All, "all groups"),
        (media::NEWSGROUP, _)
            if page.arrangement.unread == Some(0) && page.arrangement.counts.0 == page.arrangement.counts.1 =>
        {
            (Show::Unread, "nothing is unread here, so that all is shown")
        }
        (media::NEWSGROUP, Show::All) => (Show::Unread, "only what is unread"),
        (media::NEWSGROUP, _) => (Show::All, "all articles"),
        _ => {
            cx.say("only lists and groups can be narrowed to what is unread");
            return Vec::new();
        }
    };
    if !known {
        cx.say("nothing is known of what was read here");
        return Vec::new();
    }
    let group = page.head.media == media::NEWSGROUP;
    let reading = Reading { show, narrowed: reading.read.clone(), ..reading.clone() };
    page.wish(Wishes { reading, ..page.arrangement.wishes.clone() });
    cx.say(words);
    let kept = kept_as(cx.sight(), &url).filter(|_| group);
    let keep = |host: String| {
        let words = if show == Show::All { ALL } else { UNREAD };
        cx.news.shows.insert(host.clone(), words.into());
        Effect::Keep(Kept::Site { host, choice: SiteChoice::Show(words.into()) })
    };
    kept.map(keep).into_iter().collect()
}
