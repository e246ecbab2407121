//! Where else an article may be found that is not where it was looked for, and what stands near it (NEWS-08).

use super::{Name, article, held, server_of};
use crate::app::state::Cx;
use crate::app::{Page, Sight};
use crate::config::NewsServer;
use crate::doc::LinkId;
use crate::format::media;
use crate::url::scheme::news::{article_at, at_server_of, group_at};
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};

/// Articles of its thread that are offered.
const NEAR: usize = 8;

/// A link for the page of a failure: URL and words.
type Offer = (String, String);

/// Links for the page of a failure.
pub(in crate::app) fn elsewhere(cx: &mut Cx<'_>, url: &Url) -> Vec<Offer> {
    let Some(name) = Name::of(url).filter(|_| super::is_scheme(url)) else { return Vec::new() };
    let mut offers = Vec::new();
    let held = held::with(cx, &name);
    let listed = held.as_ref().and_then(|held| id_of(cx.sight(), held));
    let id = match &name {
        Name::Id(id) => Some(id.clone()),
        Name::Number(..) | Name::Place(_) => listed,
    };
    if let Some(id) = &id {
        let coded = escape::encode(id, escape::NEWS_ID);
        if let (Name::Number(..), Some(by_id)) = (&name, at_server_of(url, &coded)) {
            offers.push((by_id.as_str().to_owned(), format!("the same by its id: {}", by_id.redacted())));
        }
        offers.extend(on_other_servers(cx.sight(), url, &coded));
        offers.extend(in_its_thread(cx, id));
    }
    let behind = cx.tab.history.iter().take(cx.tab.at + 1).rev();
    let page = behind.filter_map(|entry| entry.page.as_deref().map(|page| (entry, page)));
    let group = page.filter(|(_, page)| page.head.media == media::NEWSGROUP).map(|(entry, _)| entry.url.clone()).next();
    let own = if let Name::Number(group, _) = &name { group_at(url, group) } else { None };
    if let Some(group) = own.or(group) {
        offers.push((group.as_str().to_owned(), format!("its group: {}", group.redacted())));
    }
    offers
}

/// The reader's servers, each asked alone, but for the one that was asked.
fn on_other_servers(sight: Sight<'_>, url: &Url, id: &str) -> Vec<Offer> {
    let Ok(anywhere) = Url::parse(format!("news:{id}")) else { return Vec::new() };
    let servers = sight.desk.settings.news.servers_of(&anywhere);
    // Where the URL names none, all were asked.
    let asked = |server: &&NewsServer| match url.host() {
        Some(_) => server_of(sight, url) == Some(server.name()),
        None => scheme::family(url) != Family::Nntp || server_of(sight, url) == Some(server.name()),
    };
    let others = servers.into_iter().filter(|server| !asked(server));
    others
        .map(|server| {
            let scheme = scheme::of(Family::News, server.tls);
            let port = server.port.map(|port| format!(":{port}")).unwrap_or_default();
            (format!("{scheme}://{}{port}/{id}", server.host), format!("the same on {}", server.name()))
        })
        .collect()
}

/// The id of the article that a group's page was found by.
fn id_of(sight: Sight<'_>, held: &held::Held) -> Option<Vec<u8>> {
    let link = held.articles.get(held.here?)?.link;
    let reference = sight.tab.history.get(held.at)?.page.as_deref()?.given().reference(link)?;
    match Name::of(&Url::parse(reference).ok()?)? {
        Name::Id(id) => Some(id),
        Name::Number(..) | Name::Place(_) => None,
    }
}

/// What the pages behind know of an article's thread: the group's page, else the article that refers to it.
fn in_its_thread(cx: &mut Cx<'_>, id: &[u8]) -> Vec<Offer> {
    let mut offers = Vec::new();
    for at in (0..(cx.tab.at + 1).min(cx.tab.history.len())).rev() {
        let Some(page) = cx.tab.history[at].page.as_deref() else { continue };
        let Some(kin) = page.kin(id) else { continue };
        let given = page.given();
        let offer = |link: LinkId, what: &str| {
            let row = given.link_anchor(link).map_or("", |anchor| given.block_text(anchor.block));
            let mut cells = row.split('\t');
            let (subject, author) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
            Some((given.reference(link)?.to_owned(), format!("{what}: {subject}, {author}")))
        };
        offers.extend(kin.parent.and_then(|parent| offer(parent, "the article that it answers")));
        let others = kin.thread.iter().filter(|link| Some(**link) != kin.parent).take(NEAR);
        offers.extend(others.filter_map(|link| offer(*link, "in its thread")));
        return offers;
    }
    let entries = cx.tab.history.iter().take(cx.tab.at + 1).rev();
    let articles = entries.filter(|entry| entry.page.as_deref().is_some_and(Page::is_article));
    for entry in articles {
        let Some(source) = entry.page.as_deref().and_then(|page| page.source.as_deref()) else { continue };
        let Some(before) = article::refers_to(source, id) else { continue };
        if let Some(parent) = before.and_then(|parent| article_at(&entry.url, &parent)) {
            offers.push((parent.as_str().to_owned(), format!("the article before it: {}", parent.redacted())));
        }
        offers.push((entry.url.as_str().to_owned(), format!("the article that refers to it: {}", entry.title())));
        break;
    }
    offers
}
