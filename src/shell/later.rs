//! What the reader puts by to be read later, and takes out again. What has no copy yet is fetched by `catch_up`.

use super::catch_up;
use super::fetch::World;
use super::pages::{self, said};
use crate::format::count;
use crate::proto::{DONE, End, Exchange, FetchError, KeptCopy, Kind, Request};
use crate::store::{Later, Store, Wanted};
use crate::url::Url;
use crate::url::scheme::about::{Kept, New};
use crate::url::scheme::is_of_network;
use jiff::Timestamp;
use std::sync::Arc;

/// Puts a page by, `links` with what it links to on its host.
pub(super) async fn put(
    url: Url,
    title: String,
    links: bool,
    request: &Request,
    exchange: &mut Exchange,
    world: &Arc<World>,
) -> Result<End, FetchError> {
    let offline = request.kept == KeptCopy::Only;
    if links && !request.private && New::of(&url).is_some_and(|new| !new.acts()) {
        let said = put_new(&url, offline, world).await?;
        return pages::done(request, exchange, url, said).await;
    }
    if request.private || !is_of_network(&url) || url.password().is_some() {
        let words = "Not put by: only pages of the network without a secret in their address are, and nothing from a private tab.";
        return Err(FetchError::new(Kind::Unsafe, words));
    }
    let (pages, time) = (&world.pages, Timestamp::now().as_second());
    let wanted = if links { Wanted::Links } else { Wanted::Page };
    put_by(pages, Later { url: url.clone(), title, time, here: false, wanted, gone: false }).await?;
    let is_here = pages.when(&url).await.is_some();
    let failing = if is_here { None } else { pages.failing().await };
    if let Some(why) = failing {
        return Err(FetchError::new(Kind::Broken, format!("Put by, but no copy of it is kept: {why}.")));
    }
    if links || !is_here {
        world.later.want(&url);
    }
    let said = match (links, offline) {
        (false, true) if !is_here => "put by, to be read later; it is fetched when you are online again",
        (false, _) => DONE,
        (true, false) => "put by, to be read later; what it links to on its host is being fetched",
        (true, true) => "put by, to be read later; what it links to is fetched when you are online again",
    };
    pages::done(request, exchange, Kept::Later.url()?, said.into()).await
}

/// All that is new is to be there when one is offline; what is to be told of it.
async fn put_new(page: &Url, offline: bool, world: &Arc<World>) -> Result<String, FetchError> {
    let found = world.pages.found(None).await.map_err(said)?;
    let fit = |url: &Url| is_of_network(url) && url.password().is_none();
    let mut rows = Vec::new();
    for item in found.into_iter().filter(|item| !item.read && fit(&item.url)) {
        if world.pages.when(&item.url).await.is_none() {
            rows.push(catch_up::linked(item.url, item.title, page));
        }
    }
    if rows.is_empty() {
        return Ok("of all that is new copies are kept already".into());
    }
    let many = count(rows.len());
    let urls: Vec<Url> = rows.iter().map(|row| row.url.clone()).collect();
    let put = world.pages.put_linked(page.clone(), rows).await;
    put.map_err(|words| FetchError::new(Kind::Broken, format!("Not put by: {words}.")))?;
    urls.iter().for_each(|url| world.later.want(url));
    Ok(match offline {
        false => format!("{many} of what is new is being fetched, to be read later"),
        true => format!("{many} of what is new is fetched when you are online again"),
    })
}

/// Takes one out, `links` with what is to be fetched because it links there.
pub(super) async fn drop_of(pages: &Store, url: Url, time: i64, links: bool) -> Result<(), FetchError> {
    let wanted = if links { Wanted::Links } else { Wanted::Page };
    put_by(pages, Later { url, title: String::new(), time, here: false, wanted, gone: true }).await
}

/// What was taken out of the list in this run comes back as it stood there; whether it was.
pub(super) async fn put_back(url: &Url, world: &Arc<World>) -> Result<bool, FetchError> {
    let rows = world.later.taken_back(url);
    for row in &rows {
        put_by(&world.pages, row.clone()).await?;
    }
    world.later.want(url);
    Ok(!rows.is_empty())
}

/// When this returns it is on the disk.
async fn put_by(pages: &Store, later: Later) -> Result<(), FetchError> {
    let (told, answer) = tokio::sync::oneshot::channel();
    pages.put_by(later, move |done| drop(told.send(done)));
    let done = answer.await.unwrap_or_else(|_| Err("the store has ended".into()));
    done.map_err(|words| FetchError::new(Kind::Broken, format!("Not put by: {words}.")))
}
