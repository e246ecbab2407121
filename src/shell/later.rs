//! What the reader puts by to be read later: the list, and fetching what there is no copy of, or what a page links to on its host.
//!
//! A server is asked for one page at a time, with a rest in between, and never for what would ask first. Refuses: links of links.

use super::fetch::World;
use super::pages;
use super::unseen::{self, Came, Reach, is_beside};
use crate::app::Msg;
use crate::doc::{Document, LinkId, sanitise};
use crate::format::count;
use crate::proto::{DONE, End, Exchange, FetchError, KeptCopy, Kind, Request};
use crate::store::{Later, Store, of_source};
use crate::url::scheme::about::Kept;
use crate::url::scheme::{self, Family, gopher::Gopher, is_of_network};
use crate::url::{BaseStack, Url};
use jiff::Timestamp;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// Octets of a page that is fetched for later: what is longer is read when it is asked for.
const LONGEST: usize = 16 << 20;
/// Between two such pages.
const REST: Duration = Duration::from_secs(1);
/// Pages that are fetched of those that one links to.
const LINKS: usize = 100;
/// Of how many it is said which.
const NAMED: usize = 3;
/// Links that are looked at.
const LOOKED_AT: u32 = 20_000;

/// Puts a page by, `links` with what it links to on its host.
pub(super) async fn put(
    url: Url,
    title: String,
    links: bool,
    request: &Request,
    exchange: &mut Exchange,
    world: &Arc<World>,
) -> Result<End, FetchError> {
    if request.private || !is_of_network(&url) || url.password().is_some() {
        let words = "Not put by: only pages of the network without a secret in their address are, and nothing from a private tab.";
        return Err(FetchError::new(Kind::Unsafe, words));
    }
    let (pages, time) = (&world.pages, Timestamp::now().as_second());
    put_by(pages, Later { url: url.clone(), title, time, here: false, gone: false }).await?;
    let is_here = pages.when(&url).await.is_some();
    let failing = if is_here { None } else { pages.failing().await };
    let asks = request.kept != KeptCopy::Only && (links || !is_here);
    if asks {
        let (told, world, url) = (failing.is_some(), Arc::clone(world), url.clone());
        tokio::spawn(async move {
            let came = is_here || keep(&url, Reach::Space, told, &world).await == Done::Kept;
            if links && came {
                keep_links(&url, &world).await;
            }
        });
    }
    if let Some(why) = failing {
        return Err(FetchError::new(Kind::Broken, format!("Put by, but no copy of it is kept: {why}.")));
    }
    let said = match (links, asks) {
        (false, _) => DONE,
        (true, true) => "put by, to be read later; what it links to on its host is being fetched",
        (true, false) => "put by, to be read later; what it links to is not fetched while you are offline",
    };
    pages::done(request, exchange, Kept::Later.url()?, said.into()).await
}

/// Takes one out.
pub(super) async fn drop_of(pages: &Store, url: Url, time: i64) -> Result<(), FetchError> {
    put_by(pages, Later { url, title: String::new(), time, here: false, gone: true }).await
}

/// When this returns it is on the disk.
async fn put_by(pages: &Store, later: Later) -> Result<(), FetchError> {
    let (told, answer) = tokio::sync::oneshot::channel();
    pages.put_by(later, move |done| drop(told.send(done)));
    let done = answer.await.unwrap_or_else(|_| Err("the store has ended".into()));
    done.map_err(|words| FetchError::new(Kind::Broken, format!("Not put by: {words}.")))
}

/// What came of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// There is a copy.
    Kept,
    /// It did not come, or no copy of such a page is kept.
    Lacking,
    /// Nothing can be kept.
    Failing,
}

/// Fetches what was put by, so that it is there when it is wanted: that page alone, and nothing that asks first. What does not come is
/// asked for when it is read; what comes and cannot be kept is told of, unless it was `told` already that nothing can.
async fn keep(url: &Url, reach: Reach, told: bool, world: &Arc<World>) -> Done {
    let _turn = world.later.lock().await;
    let came = unseen::followed(Request::new(url.clone()), LONGEST, reach, world).await;
    let mut done = Done::Lacking;
    if let Came::Page(came) = came
        && came.keep(url)
    {
        done = Done::Kept;
        if let Some(why) = world.pages.failing().await {
            done = Done::Failing;
            if !told {
                let shown = sanitise(&url.redacted()).into_owned();
                world.subscriptions.say(Msg::Complaint(format!("no copy of {shown} is kept: {why}"))).await;
            }
        }
    }
    tokio::time::sleep(REST).await;
    done
}

/// Fetches what a kept page links to on its host, and tells what came of it.
async fn keep_links(url: &Url, world: &Arc<World>) {
    let Ok(Some(copy)) = world.pages.copy(url).await else { return };
    let (head, memory) = (copy.head, world.context.limits.memory);
    let Some(page) = unseen::whole(&head, copy.octets, (LONGEST, memory)).await else { return };
    let found = beside(&page.page.document, &head.url);
    let (mut kept, mut lacking) = (Vec::new(), Vec::new());
    for link in found.iter().take(LINKS) {
        let done = match world.pages.when(link).await {
            Some(_) => Done::Kept,
            // They asked to be left alone, and come back to it.
            None if world.subscriptions.is_offline() => Done::Lacking,
            None => keep(link, Reach::Host, false, world).await,
        };
        match done {
            Done::Kept => kept.push(link),
            Done::Lacking => lacking.push(link),
            Done::Failing => return,
        }
    }
    let (many, shown) = (count(kept.len()), url.redacted());
    let mut said = format!("{many} of the pages that {} links to are kept{}", sanitise(&shown), first(&kept));
    if !lacking.is_empty() {
        said.push_str(&format!("; {} could not be had{}", count(lacking.len()), first(&lacking)));
    }
    if found.len() > LINKS {
        said.push_str(&format!("; {} more were left out", count(found.len() - LINKS)));
    }
    world.subscriptions.say(Msg::Said(said)).await;
}

/// The first of them by where they are on their host, in brackets.
fn first(urls: &[&Url]) -> String {
    let mut names: Vec<_> = urls.iter().take(NAMED).map(|url| sanitise(url.path()).into_owned()).collect();
    if urls.len() > NAMED {
        names.push(format!("and {} more", count(urls.len() - NAMED)));
    }
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

/// What a page links to on its host, each once, but for what asks, or would be an answer.
fn beside(page: &Document, at: &Url) -> Vec<Url> {
    let at = at.without_fragment();
    let mut bases = BaseStack::retrieved(at.clone(), None);
    if let Some(base) = &page.base {
        // One that is none leaves the address of the page.
        let _ = bases.set_document_base(base);
    }
    let mut known = HashSet::from([of_source(&at)]);
    let links = (0..page.link_count().min(LOOKED_AT)).map(LinkId).filter(|link| !page.is_long(*link, &bases));
    let urls = links.filter_map(|link| page.link_url(link, &bases)).map(|url| url.without_fragment());
    let urls = urls.filter(|url| is_beside(&at, url) && url.user().is_none() && !asks(url));
    urls.filter(|url| known.insert(of_source(url))).collect()
}

/// Whether an address asks the reader, or says something for them.
fn asks(url: &Url) -> bool {
    let searches =
        || Gopher::of(url).is_ok_and(|gopher| matches!(gopher.item, b'7' | b'8' | b'T') || gopher.search.is_some());
    url.query().is_some() || scheme::family(url) == Family::Gopher && searches() || unseen::refusal(url).is_some()
}
