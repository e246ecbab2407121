//! News as the reader reads it: what was read, from article to article, from group to group.
//!
//! What was read is in the newsrc of the server, which the shell keeps in step with its file. After every message [`tend`]
//! brings page and newsrc together: an article that is shown becomes read, pages show what is unread.
//! `walk` goes from article to article, `marks` changes what was read by the reader's word, `article` knows what an article
//! says of itself. Refuses: files, the clock, posting.

mod article;
mod held;
mod marks;
mod missing;
mod walk;

pub(super) use article::shareable;
pub(super) use marks::{catch_up, caught_up, fold, mark, quoted, subscribe, unread_only};
pub(super) use missing::elsewhere;
pub(super) use walk::{
    next_in_thread, next_thread, next_unread, parent_article, previous_in_thread, previous_unread, up,
};

use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::news::{News, Posted, Server};
use crate::app::tab::{Noted, Xref};
use crate::app::{Effect, Kept, Opening, Page, PageState, Sight, SiteChoice};
use crate::config::NewsServer;
use crate::doc::LinkId;
use crate::format::{Reading, Show, Wishes, media};
use crate::news::{Newsrc, Subscription};
use crate::url::Url;
use crate::url::scheme::news::News as Names;
use crate::url::scheme::news::group_at;
use crate::url::scheme::nntp::Nntp;
use crate::url::scheme::{self, Family, PartKind};
use jiff::Timestamp;
use std::sync::Arc;

/// Whether the page in view is one of news.
pub(super) fn is_news(sight: Sight<'_>) -> bool {
    let Some(entry) = sight.entry() else { return false };
    is_scheme(&entry.url) || entry.page.as_deref().is_some_and(Page::is_article)
}

fn is_scheme(url: &Url) -> bool {
    scheme::family(url).is_news()
}

/// The name of the server that a URL means; `None` where several could.
fn server_of(sight: Sight<'_>, url: &Url) -> Option<String> {
    if let Some(host) = url.host().filter(|host| !host.is_empty()) {
        let server = NewsServer { host: host.into(), port: url.port_text().and_then(|p| p.parse().ok()), tls: false };
        return Some(server.name());
    }
    match sight.desk.settings.news.servers_of(url).as_slice() {
        [server] => Some(server.name()),
        _ => None,
    }
}

/// Where news is asked for when neither its URL nor the reader names a server: where the page in view came from.
pub(super) fn here(sight: Sight<'_>, url: &Url) -> Option<Url> {
    let on = sight.entry().map(|entry| &entry.url).filter(|on| is_scheme(on) && on.host().is_some())?;
    let opaque = is_scheme(url) && !scheme::is_secure(url) && url.authority().is_none();
    let rest =
        url.as_str().split_once(':').filter(|_| opaque && sight.desk.settings.news.servers_of(url).is_empty())?.1;
    let scheme = scheme::of(scheme::family(url), scheme::is_secure(on));
    Url::parse(format!("{scheme}://{}/{rest}", on.authority()?)).ok()
}

/// The name of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    Id(Vec<u8>),
    Number(Vec<u8>, u64),
}

impl Name {
    fn of(url: &Url) -> Option<Name> {
        if scheme::family(url) == Family::Nntp {
            let nntp = Nntp::of(url).ok()?;
            return Some(Name::Number(nntp.group, nntp.number?));
        }
        match is_scheme(url).then(|| Names::of(url).ok())? {
            Some(Names::Article(id)) => Some(Name::Id(id)),
            _ => None,
        }
    }
}

/// Whether a URL names an article.
pub(super) fn is_article(url: &Url) -> bool {
    Name::of(url).is_some()
}

impl News {
    fn newsrc(&self, server: &str) -> Option<&Arc<Newsrc>> {
        self.servers.get(server).map(|server| &server.newsrc)
    }

    /// The server's newsrc, to be read by the shell if it is not here.
    fn server(&mut self, name: &str) -> &mut Server {
        let (newsrc, handed) = (Arc::default(), Arc::default());
        let fresh = || Server { newsrc, known: false, stale: true, handed, asked: 0 };
        self.servers.entry(name.into()).or_insert_with(fresh)
    }

    /// Changes what was read; the shell will hear of it.
    fn change(&mut self, server: &str, change: impl FnOnce(&mut Newsrc)) {
        let server = self.server(server);
        let before = Arc::clone(&server.newsrc);
        change(Arc::make_mut(&mut server.newsrc));
        server.stale |= before != server.newsrc;
    }

    fn is_subscribed(&self, server: &str, group: &[u8]) -> bool {
        self.newsrc(server).and_then(|newsrc| newsrc.subscription(group)) == Some(Subscription::Subscribed)
    }
}

/// The newsrc of a server and its file are one again, as far as the shell had been told. While it was at work the reader
/// may have gone on reading: then a later answer has all.
pub(super) fn synced(cx: &mut Cx<'_>, server: &str, newsrc: Arc<Newsrc>) {
    let server = cx.news.server(server);
    server.asked = server.asked.saturating_sub(1);
    if server.asked == 0 {
        (server.newsrc, server.handed) = (Arc::clone(&newsrc), newsrc);
        (server.known, server.stale) = (true, false);
    }
}

/// Brings the page in view and what was read together.
pub(super) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    note(cx);
    pass_gaps(cx);
    show(cx);
    refocus(cx);
    let stale = cx.news.servers.iter_mut().filter(|(_, server)| server.stale);
    let keep = |(name, server): (&String, &mut Server)| {
        server.stale = false;
        server.asked += 1;
        let (base, ours) =
            (std::mem::replace(&mut server.handed, Arc::clone(&server.newsrc)), Arc::clone(&server.newsrc));
        Effect::SyncNewsrc { server: name.clone(), ours, base }
    };
    stale.map(keep).collect()
}

/// An article that is shown is read, in its group and where else it was posted to.
fn note(cx: &mut Cx<'_>) {
    let Some(entry) = cx.entry() else { return };
    if !entry.page.as_deref().is_some_and(Page::is_article) || !is_scheme(&entry.url) {
        return;
    }
    let (at, url) = (cx.tab.at, entry.url.clone());
    if cx.tab.noted.as_ref().is_none_or(|noted| noted.at != at || noted.url != url) {
        let place = held::by_group(cx);
        if let Some((server, group, number)) = &place {
            if !cx.tab.private {
                cx.news.change(server, |newsrc| newsrc.change(group, |read| read.insert(*number)));
            }
        } else if let Some(server) = server_of(cx.sight(), &url) {
            cx.news.server(&server);
        }
        cx.news.last = Some(url.clone());
        cx.tab.noted = Some(Noted { at, url, xref: None, place });
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
    if let Some(server) = server {
        if noted.place.is_none() {
            noted.place = xref.places.first().map(|(group, number)| (server.clone(), group.clone(), *number));
        }
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

/// Lists and groups show what is unread.
fn show(cx: &mut Cx<'_>) {
    let Some((entry, page)) = cx.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))) else { return };
    let lists = match page.head.media.as_str() {
        media::NEWSGROUPS => true,
        media::NEWSGROUP => false,
        _ => return,
    };
    let url = entry.url.clone();
    let Some(server) = server_of(cx.sight(), &url) else { return };
    let server = cx.news.server(&server);
    if !server.known {
        return;
    }
    let newsrc = Arc::clone(&server.newsrc);
    let now = cx.desk.now.clone();
    let Some(page) = cx.page_mut() else { return };
    let before = &page.arrangement.wishes.reading;
    let reading = if lists {
        if before.newsrc.as_ref().is_some_and(|known| Arc::ptr_eq(known, &newsrc)) {
            return;
        }
        let first = before.newsrc.is_none() && url.path().trim_matches('/').is_empty();
        let taken = newsrc.groups().any(|(_, subscription)| subscription == Subscription::Subscribed);
        let show = if first && taken { Show::Subscribed } else { before.show };
        Reading { now, newsrc: Some(newsrc), show, ..before.clone() }
    } else {
        let group = group_of(&url).unwrap_or_default();
        let read = newsrc.read(&group).cloned().unwrap_or_default();
        if before.read.as_ref() == Some(&read) {
            return;
        }
        Reading { now, read: Some(read), ..before.clone() }
    };
    page.wish(Wishes { reading, ..page.arrangement.wishes.clone() });
}

/// The group that a group's page shows.
fn group_of(url: &Url) -> Option<Vec<u8>> {
    if scheme::family(url) == Family::Nntp {
        return Nntp::of(url).ok().map(|nntp| nntp.group);
    }
    match Names::of(url).ok()? {
        Names::Group(group) | Names::Part(group, _) => Some(group),
        Names::All | Names::Groups(_) | Names::Article(_) => None,
    }
}

/// Back on the group's page the focus is on the article that was read last.
fn refocus(cx: &mut Cx<'_>) {
    let here = cx.entry().and_then(|entry| entry.page.as_deref());
    if here.is_none_or(|page| page.head.media != media::NEWSGROUP) || cx.news.last.is_none() {
        return;
    }
    let Some(last) = cx.news.last.take() else { return };
    if let Some(shown) = Name::of(&last).and_then(|name| held::shown_at(cx, &name)) {
        focus::go_to(cx, shown);
    }
}

/// An article was posted: the page of its group that is in view or behind it lacks it.
pub(super) fn posted(cx: &mut Cx<'_>, to: &Url, groups: &[&str], id: Option<Vec<u8>>) {
    let server = server_of(cx.sight(), to);
    let is_its = |url: &Url| {
        server_of(cx.sight(), url) == server
            && group_of(url).is_some_and(|name| groups.iter().any(|group| group.as_bytes() == name))
    };
    let behind = cx.tab.history.iter().enumerate().take(cx.tab.at + 1).rev();
    let page = behind.filter(|(_, entry)| entry.page.as_deref().is_some_and(|p| p.head.media == media::NEWSGROUP));
    let page = page.map(|(at, entry)| (at, entry.url.clone())).find(|(_, url)| is_its(url));
    cx.news.posted = page.map(|(at, url)| Posted { at, url, id, asked: false });
}

/// Back on the group's page it is fetched again, and the focus goes to the reader's own article.
pub(super) fn seek_posted(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let (here, own) = (cx.tab.at, entry.url.clone());
    // Until the page is arranged a new article has no line on it.
    let arriving = entry.page.as_deref().is_none_or(|page| page.state == PageState::Arriving || !page.is_arranged());
    if arriving || cx.tab.loading.is_some() || cx.hands.mode() != crate::keys::Mode::Page {
        return Vec::new();
    }
    let Some(posted) = cx.news.posted.as_mut().filter(|posted| posted.at == here && posted.url == own) else {
        return Vec::new();
    };
    if !std::mem::replace(&mut posted.asked, true) {
        let url = posted.url.clone();
        cx.intend(Intent::Again(url));
        return Vec::new();
    }
    let at = posted.at;
    let Some(id) = cx.news.posted.take().and_then(|posted| posted.id) else { return Vec::new() };
    match held::link_of(cx, at, &Name::Id(id)).map(|link| shown(cx.sight(), link)) {
        Some(Some(link)) => focus::go_to(cx, link),
        // Narrowed to what it is not among.
        Some(None) => {}
        None => cx.say("the server does not list your article yet"),
    }
    Vec::new()
}

/// Numbers between the articles of a group that have none stand for articles that expired or never came: in a group that the
/// reader takes they count as read, as with other newsreaders, or its list would tell of articles that are not there.
fn pass_gaps(cx: &mut Cx<'_>) {
    let Some((url, page)) = cx.entry().and_then(|entry| Some((entry.url.clone(), entry.page.as_deref()?))) else {
        return;
    };
    if page.head.media != media::NEWSGROUP || page.state != PageState::Complete {
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

/// When the groups of a server were listed in an earlier run, by its own clock, where a URL names all of its groups.
pub(super) fn since(sight: Sight<'_>, url: &Url) -> Option<Timestamp> {
    let all = matches!(is_scheme(url).then(|| Names::of(url))?, Ok(Names::All));
    all.then(|| sight.news.listed.get(&server_of(sight, url)?).copied()).flatten()
}

/// All groups of a server were listed: next time those that came since are marked.
pub(super) fn listed(sight: Sight<'_>, at: usize) -> Option<Effect> {
    let entry = sight.tab.history.get(at)?;
    let page = entry.page.as_deref().filter(|page| page.head.media == media::NEWSGROUPS)?;
    let choice = SiteChoice::Visit(page.head.clock?);
    Some(Effect::Keep(Kept::Site { host: server_of(sight, &entry.url)?, choice }))
}

/// Where a given link is shown on the page in view.
fn shown(sight: Sight<'_>, given: LinkId) -> Option<LinkId> {
    let page = sight.entry()?.page.as_ref()?;
    page.arrangement.shown.as_ref().map_or(Some(given), |shown| shown.shown_link(given))
}

/// Opens the groups that the reader takes, of the server in view or else of their own.
pub(super) fn subscribed(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let of = cx.entry().map(|entry| entry.url.clone()).filter(is_scheme);
    match of.and_then(|url| group_at(&url, b"")).or_else(|| Url::parse("news:").ok()) {
        Some(url) => {
            cx.open(Opening::typed(url));
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Where the article in view stands: "wf.test 17", with the server where the URL names none.
pub(super) fn place(sight: Sight<'_>) -> Option<String> {
    let noted = sight.tab.noted.as_ref().filter(|noted| noted.at == sight.tab.at)?;
    let entry = sight.entry().filter(|entry| entry.url == noted.url)?;
    let (server, group, number) = noted.place.as_ref()?;
    let group = crate::doc::sanitise(&String::from_utf8_lossy(group)).into_owned();
    // What the address says itself stands in the bar already.
    let parts = scheme::parts(&entry.url);
    let says = |text: &str| parts.iter().any(|part| part.kind == PartKind::Name && part.text == text);
    if says(&group) && says(&number.to_string()) {
        return entry.url.host().is_none_or(str::is_empty).then(|| server.clone());
    }
    Some(match entry.url.host().is_some_and(|host| !host.is_empty()) {
        true => format!("{group} {number}"),
        false => format!("{server} {group} {number}"),
    })
}
