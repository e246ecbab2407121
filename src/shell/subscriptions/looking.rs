//! Looking at sources: those that are due, from each host one at a time with a rest in between, a few hosts side by side; a source
//! that fails is told of once and waits longer each time.

use super::super::fetch::World;
use super::super::network::Network;
use super::super::unseen::{self, Came, Reach};
use super::{sources, tell_unread};
use crate::app::Msg;
use crate::doc::sanitise;
use crate::format::count;
use crate::proto::Request;
use crate::store::Looked;
use crate::subscriptions::{difference, offered};
use crate::url::Url;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Octets of a source that are read.
const MOST: usize = 4 << 20;
/// Hosts that are asked side by side.
const HOSTS: usize = 4;
/// Between two sources of one host.
const REST: Duration = Duration::from_secs(1);
/// Before the first look after the start: the page that the reader wants comes first.
const START: Duration = Duration::from_secs(2);
/// Between two looks at the least.
const LEAST: Duration = Duration::from_secs(60);
/// How soon one is due again where the settings say that nobody is asked by interval, in seconds.
const AGAIN: i64 = 900;

/// Which sources are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those whose time has come.
    Due,
    /// All.
    All,
}

/// Looks at sources whenever they are due, as the settings say, on threads that talk to servers; without any it sleeps.
pub(in crate::shell) async fn keep_looking(world: Arc<World>, network: Weak<Network>) {
    let settings = &world.subscriptions.settings;
    if world.subscriptions.are_there() {
        tell_unread(&world, 0).await;
    }
    let every = Duration::from_secs(settings.every);
    tokio::time::sleep(if settings.start { START } else { every.max(LEAST) }).await;
    if !settings.start && settings.every == 0 {
        return;
    }
    loop {
        if !world.subscriptions.is_offline() {
            // When they have gone nobody is asked any more.
            let Some(network) = network.upgrade().map(|network| network.many().clone()) else { return };
            let looking = Arc::clone(&world);
            // What cannot be kept is told by the page.
            let _ = network.spawn(async move { look(&looking, Which::Due).await }).await;
        }
        if settings.every == 0 {
            return;
        }
        match wait(&world).await {
            // Offline it is due all the time.
            Some(wait) if world.subscriptions.is_offline() => tokio::time::sleep(wait.max(every)).await,
            Some(wait) => tokio::time::sleep(wait.max(LEAST)).await,
            None => world.subscriptions.added.notified().await,
        }
    }
}

/// How long it is until one is due; `None` where there is none.
async fn wait(world: &Arc<World>) -> Option<Duration> {
    let due = world.pages.next_due().await.ok().flatten()?;
    Some(Duration::from_secs(u64::try_from(due.saturating_sub(now())).unwrap_or(0)))
}

fn now() -> i64 {
    Timestamp::now().as_second()
}

/// Looks at sources; what came of it, in a sentence.
pub(super) async fn look(world: &Arc<World>, which: Which) -> Result<String, String> {
    if world.subscriptions.is_offline() {
        return Err("nobody is asked while you are offline".into());
    }
    let _turn = world.subscriptions.turn.lock().await;
    let (list, _) = world.subscriptions.list().await;
    let all: Vec<Url> = sources(&list).into_iter().map(|(url, _)| url).collect();
    if all.is_empty() {
        return Ok("you are subscribed to nothing".into());
    }
    let due = world.pages.take_due(all, now(), which == Which::All).await?;
    let mut hosts: BTreeMap<String, Vec<Url>> = BTreeMap::new();
    for url in due {
        hosts.entry(url.host().unwrap_or_default().to_ascii_lowercase()).or_default().push(url);
    }
    let (places, mut looks) = (Arc::new(Semaphore::new(HOSTS)), JoinSet::new());
    for (_, urls) in hosts {
        let (world, places) = (Arc::clone(world), Arc::clone(&places));
        looks.spawn(async move {
            let _place = places.acquire().await;
            let mut sums = Vec::new();
            for (at, url) in urls.into_iter().enumerate() {
                if at > 0 {
                    tokio::time::sleep(REST).await;
                }
                sums.push(look_at(url, &world).await);
            }
            sums
        });
    }
    let (mut fresh, mut failed, mut first) = (0, 0, Vec::new());
    for came in looks.join_all().await.into_iter().flatten() {
        match came {
            Look::Had(new) => fresh += new,
            Look::Failed(told) => {
                failed += 1;
                first.extend(told);
            }
        }
    }
    let told = match first.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        more => {
            Some(format!("{} places that you are subscribed to cannot be had: about:new says why", count(more.len())))
        }
    };
    if let Some(told) = told {
        world.subscriptions.say(Msg::Complaint(told)).await;
    }
    tell_unread(world, fresh as u64).await;
    let bad = if failed > 0 { format!("; {} cannot be had", count(failed)) } else { String::new() };
    Ok(match fresh {
        0 => format!("nothing new{bad}"),
        1 => format!("1 item is new{bad}"),
        many => format!("{} items are new{bad}", count(many)),
    })
}

/// What came of one.
enum Look {
    /// So many items are new.
    Had(usize),
    /// It cannot be had; with a sentence where that is new.
    Failed(Option<String>),
}

async fn look_at(url: Url, world: &Arc<World>) -> Look {
    let every = match world.subscriptions.settings.every {
        0 => AGAIN,
        every => i64::try_from(every).unwrap_or(i64::MAX / 4),
    };
    let looked = looked(&url, world).await.unwrap_or_else(Looked::Failed);
    let sum = match &looked {
        Looked::Unchanged => Look::Had(0),
        Looked::Had { fresh, .. } => Look::Had(fresh.len()),
        Looked::Failed(why) => {
            Look::Failed(Some(format!("{} cannot be had: {}", sanitise(&url.redacted()), sanitise(why))))
        }
    };
    let first = world.pages.looked(url, looked, now(), every).await;
    match sum {
        Look::Failed(_) if first != Ok(true) => Look::Failed(None),
        sum => sum,
    }
}

async fn looked(url: &Url, world: &Arc<World>) -> Result<Looked, String> {
    let (memory, validator) = match world.pages.memory(url.clone()).await? {
        Some((memory, validator)) => (Some(memory), validator),
        None => (None, None),
    };
    let request = Request { unless: validator, anew: true, ..Request::new(url.clone()) };
    let came = match unseen::followed(request, MOST, Reach::Space, world).await {
        Came::Page(came) => came,
        Came::Unchanged => return Ok(Looked::Unchanged),
        Came::Moved(to) => return Err(format!("It leads to {}.", to.redacted())),
        Came::Failed(error) => return Err(error.detail),
    };
    if let Some(status) = came.head.status.as_ref().or(came.head.nothing.as_ref()) {
        return Err(format!("The server says \"{status}\"."));
    }
    let asked = url.clone();
    // A long feed takes a while, and it is nobody's turn meanwhile.
    let compared = tokio::task::spawn_blocking(move || {
        let mut offer = offered(&came.head.url, &came.head.media, &came.page)?;
        offer.more |= !came.whole;
        let (title, looked_at) = (offer.title.clone(), offer.looked_at());
        let (fresh, memory) = difference(memory.as_ref(), offer)?;
        // What is told of is there offline, too; what became something else takes the place of nothing.
        came.keep(&asked);
        Ok(Looked::Had { title, fresh, memory, looked_at, validator: came.head.validator.clone() })
    });
    compared.await.unwrap_or_else(|_| Err("It cannot be read.".into()))
}
