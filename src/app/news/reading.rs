//! What was read: the newsrc of each server, which the shell keeps in step with its file, and the article in view, which becomes read
//! in its group and where else it was posted to.

use super::{held, is_scheme, mailbox, server_of};
use crate::app::state::Cx;
use crate::app::state::news::{Last, News, Server};
use crate::app::tab::{Noted, Xref};
use crate::app::{Page, PageState};
use crate::format::media;
use crate::news::{Newsrc, Subscription};
use std::sync::Arc;

impl News {
    pub(super) fn newsrc(&self, server: &str) -> Option<&Arc<Newsrc>> {
        self.servers.get(server).map(|server| &server.newsrc)
    }

    /// The server's newsrc, to be read by the shell if it is not here; a mailbox has none on disk.
    pub(super) fn server(&mut self, name: &str) -> &mut Server {
        let (newsrc, handed, known) = (Arc::default(), Arc::default(), mailbox::is_name(name));
        let fresh = || Server { newsrc, known, stale: !known, handed, asked: 0 };
        self.servers.entry(name.into()).or_insert_with(fresh)
    }

    /// Changes what was read; the shell will hear of it.
    pub(super) fn change(&mut self, server: &str, change: impl FnOnce(&mut Newsrc)) {
        let kept = !mailbox::is_name(server);
        let server = self.server(server);
        let before = Arc::clone(&server.newsrc);
        change(Arc::make_mut(&mut server.newsrc));
        server.stale |= before != server.newsrc && kept;
    }

    /// What is read of a group up to a number is written, even where another program has made some of it unread meanwhile.
    pub(super) fn insist(&mut self, server: &str, group: &[u8], last: u64) {
        let kept = !mailbox::is_name(server);
        let server = self.server(server);
        if kept && server.newsrc.read(group).is_some() {
            Arc::make_mut(&mut server.handed).change(group, |read| read.remove_range(1, last));
            server.stale = true;
        }
    }

    pub(super) fn is_subscribed(&self, server: &str, group: &[u8]) -> bool {
        self.newsrc(server).and_then(|newsrc| newsrc.subscription(group)) == Some(Subscription::Subscribed)
    }
}

/// The newsrc of a server and its file are one again, as far as the shell had been told. While it was at work the reader
/// may have gone on reading: then a later answer has all.
pub(in crate::app) fn synced(cx: &mut Cx<'_>, server: &str, newsrc: Arc<Newsrc>) {
    let server = cx.news.server(server);
    server.asked = server.asked.saturating_sub(1);
    if server.asked == 0 {
        // Pages that were made of the same have nothing new to show.
        if *server.newsrc != *newsrc {
            server.newsrc = newsrc;
        }
        server.handed = Arc::clone(&server.newsrc);
        (server.known, server.stale) = (true, false);
    }
}

/// For each page of a group, or of groups, that comes into view, anew or again, the newsrc is read before it says what is unread: other
/// newsreaders, and other copies of this one, write it.
pub(super) fn look_again(cx: &mut Cx<'_>) {
    let groups = |page: &&Page| matches!(page.head.media.as_str(), media::NEWSGROUP | media::NEWSGROUPS);
    let page = cx.entry().and_then(|entry| entry.page.as_deref()).filter(groups).map(|page| page.id);
    if page == std::mem::replace(&mut cx.tab.looked, page) || page.is_none() {
        return;
    }
    let server = cx.entry().and_then(|entry| server_of(cx.sight(), &entry.url));
    let Some(server) = server.filter(|server| !mailbox::is_name(server)) else { return };
    let server = cx.news.server(&server);
    (server.known, server.stale) = (false, true);
}

/// An article that is shown is read, in its group and where else it was posted to.
pub(super) fn note(cx: &mut Cx<'_>) {
    let Some(entry) = cx.entry() else { return };
    let gone = held::is_gone(cx.sight());
    let message = mailbox::article(&entry.url).is_some();
    // Where the head has come alone nothing of it is shown yet.
    let begun = |page: &Page| page.is_article() && (page.received > 0 || page.state != PageState::Arriving);
    let is_one = gone || entry.page.as_deref().is_some_and(begun);
    if !is_one || !message && !is_scheme(&entry.url) {
        // The reader has left it: shown again it is read again.
        if entry.page.is_some() {
            cx.tab.noted = None;
        }
        return;
    }
    let (at, url) = (cx.tab.at, entry.url.clone());
    if cx.tab.noted.as_ref().is_none_or(|noted| noted.at != at || noted.url != url) {
        let place = held::by_group(cx);
        if gone && place.is_some() && !cx.tab.private {
            cx.say("the article is not there any more; it counts as read");
        }
        if let Some((server, group, number)) = &place {
            if !cx.tab.private {
                cx.news.change(server, |newsrc| newsrc.change(group, |read| read.insert(*number)));
            }
        } else if let Some(server) = server_of(cx.sight(), &url).filter(|_| !message) {
            cx.news.server(&server);
        }
        // Where an earlier rule was made is past.
        (cx.news.last, cx.news.stand) = (Some(Last { url: url.clone(), opens: false }), None);
        // What a message says of numbers in groups says nothing of a mailbox, and the page of a failure says nothing of any.
        let xref = (message || gone).then(Xref::default);
        cx.tab.noted = Some(Noted { at, url, xref, place });
    }
    cross_posts(cx);
}

/// The header of the article in view says where else it was posted to.
fn cross_posts(cx: &mut Cx<'_>) {
    if cx.tab.noted.as_ref().is_none_or(|noted| noted.xref.is_some()) {
        return;
    }
    let Some((entry, page)) = cx.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))) else { return };
    let whole = page.state != PageState::Arriving;
    let Some(xref) = Xref::of(page.source.as_deref().unwrap_or_default(), whole) else { return };
    let own = server_of(cx.sight(), &entry.url);
    let Some(noted) = &mut cx.tab.noted else { return };
    let server = noted.place.as_ref().map(|(server, ..)| server.clone()).or(own);
    let place = xref.places.first().zip(server.as_ref());
    noted.place =
        noted.place.take().or(place.map(|((group, number), server)| (server.clone(), group.clone(), *number)));
    // Which groups the reader knows is not known before their newsrc was read: it is asked for by now.
    if server.as_ref().is_some_and(|name| cx.news.servers.get(name).is_some_and(|server| !server.known)) {
        return;
    }
    if let Some(server) = server {
        let places = xref.places.clone();
        noted.xref = Some(xref);
        // A group that the reader knows nothing of is not put down because of a cross-post, and none because of a private tab.
        let private = cx.tab.private;
        let known = |newsrc: &Newsrc, group: &[u8]| !private && newsrc.subscription(group).is_some();
        cx.news.change(&server, |newsrc| {
            for (group, number) in places {
                if known(newsrc, &group) {
                    newsrc.change(&group, |read| read.insert(number));
                }
            }
        });
    } else {
        noted.xref = Some(xref);
    }
}
