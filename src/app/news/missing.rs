//! Where else an article may be found that is not where it was looked for (NEWS-08).

use super::{Name, group_url, server_of};
use crate::app::App;
use crate::config::NewsServer;
use crate::format::media;
use crate::url::{Url, escape};

/// Links for the page of a failure: URL and words.
pub(in crate::app) fn elsewhere(app: &App, url: &Url) -> Vec<(String, String)> {
    let Some(name) = Name::of(url) else { return Vec::new() };
    let mut links: Vec<(String, String)> = match &name {
        Name::Id(id) => on_other_servers(app, url, &escape::encode(id, escape::NEWS_ID)),
        Name::Number(..) => Vec::new(),
    };
    let behind = app.tab.history.iter().take(app.tab.at + 1).rev();
    let page = behind.filter_map(|entry| entry.page.as_ref().map(|page| (entry, page)));
    let group = page.filter(|(_, page)| page.head.media == media::NEWSGROUP).map(|(entry, _)| entry.url.clone()).next();
    let own = if let Name::Number(group, _) = &name { group_url(url, group) } else { None };
    if let Some(group) = own.or(group) {
        links.push((group.as_str().to_owned(), format!("the rest of the thread, in its group: {}", group.redacted())));
    }
    links
}

/// The reader's servers, each asked alone, but for the one that was asked.
fn on_other_servers(app: &App, url: &Url, id: &str) -> Vec<(String, String)> {
    let Ok(anywhere) = Url::parse(format!("news:{id}")) else { return Vec::new() };
    let servers = app.settings.news.servers_of(&anywhere);
    // Where the URL names none, all were asked.
    let asked = |server: &&NewsServer| url.host().is_none() || server_of(app, url) == Some(server.name());
    let others = servers.into_iter().filter(|server| !asked(server));
    others
        .map(|server| {
            let scheme = if server.tls { "snews" } else { "news" };
            let port = server.port.map(|port| format!(":{port}")).unwrap_or_default();
            (format!("{scheme}://{}{port}/{id}", server.host), format!("the same on {}", server.name()))
        })
        .collect()
}
