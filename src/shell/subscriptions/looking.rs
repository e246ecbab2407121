//! Looking at sources: those that are due, from each host one at a time with a rest in between, a few hosts side by side; a source
//! that fails is told of once and waits longer each time.

use super::super::fetch::World;
use super::super::network::Network;
use super::super::unseen::{self, Came, Given, Reach};
use super::{lock, sources, tell_unread};
use crate::app::Msg;
use crate::doc::sanitise;
use crate::format::count;
use crate::proto::Request;
use crate::store::{LEASE, Looked};
use crate::subscriptions::{Difference, difference, first, offered};
use crate::url::Url;
use crate::url::scheme::{self, Family};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Octets of a source that are read.
const MOST: usize = 4 << 20;
/// Hosts that are asked side by side.
const HOSTS: usize = 4;
/// Between two sources of one host.
const REST: Duration = Duration::from_secs(1);
/// Between two times at which what was taken is held.
const HOLD: Duration = Duration::from_secs(LEASE.unsigned_abs() / 2);
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
        let wait = match world.pages.next_due().await {
            // Offline it is due all the time.
            Ok(Some(_)) if world.subscriptions.is_offline() => Some(every),
            Ok(Some(due)) => Some(Duration::from_secs(u64::try_from(due.saturating_sub(now())).unwrap_or(0))),
            Ok(None) => None,
            // A database that cannot be read now may be there again by then.
            Err(_) => Some(every),
        };
        // Something was subscribed to, or the reader is online again.
        let called = world.subscriptions.added.notified();
        match wait {
            Some(wait) => drop(tokio::time::timeout(wait.max(LEAST), called).await),
            None => called.await,
        }
    }
}

fn now() -> i64 {
    Timestamp::now().as_second()
}

/// Looks at sources, one look after the other; what came of it, in a sentence.
pub(super) async fn look(world: &Arc<World>, which: Which) -> Result<String, String> {
    let subscriptions = &world.subscriptions;
    let _turn = match subscriptions.turn.try_lock() {
        Ok(turn) => turn,
        Err(_) => {
            // A look at many takes long.
            let left = subscriptions.left.load(Ordering::Relaxed);
            if which == Which::All {
                let far = if left > 0 { format!("with {} left", count(left)) } else { "near its end".into() };
                let words = format!("a look goes on, {far}; all are looked at after that");
                subscriptions.say(Msg::Said(words)).await;
            }
            subscriptions.turn.lock().await
        }
    };
    look_now(world, which).await
}

/// Looks at those that are due beside a look that goes on: what that has taken is not due.
pub(super) async fn look_at_due(world: &Arc<World>) -> Result<String, String> {
    look_now(world, Which::Due).await
}

async fn look_now(world: &Arc<World>, which: Which) -> Result<String, String> {
    if world.subscriptions.is_offline() {
        return Err("nobody is asked while you are offline".into());
    }
    let (list, remark) = world.subscriptions.list().await;
    let all: Vec<Url> = sources(&list).into_iter().map(|(url, _)| url).collect();
    if all.is_empty() {
        return remark.map_or_else(|| Ok("you are subscribed to nothing".into()), Err);
    }
    let due = world.pages.take_due(all, now(), which == Which::All).await?;
    let taken: Taken = Arc::new(Mutex::new(due.iter().cloned().collect()));
    world.subscriptions.left.fetch_add(due.len(), Ordering::Relaxed);
    let said = tokio::select! {
        said = look_at_all(due, &taken, world) => said,
        never = hold(&taken, world) => match never {},
    };
    let odd = remark.map(|remark| format!("; {remark}")).unwrap_or_default();
    said.map(|said| said + &odd)
}

/// What was taken and not looked at yet.
type Taken = Arc<Mutex<HashSet<Url>>>;

/// No other copy looks at what was taken, however long that takes.
async fn hold(taken: &Taken, world: &Arc<World>) -> std::convert::Infallible {
    loop {
        tokio::time::sleep(HOLD).await;
        let left = lock(taken).iter().cloned().collect();
        // What cannot be written now is written with what comes of it.
        let _ = world.pages.hold(left, now()).await;
    }
}

async fn look_at_all(due: Vec<Url>, taken: &Taken, world: &Arc<World>) -> Result<String, String> {
    let mut hosts: BTreeMap<String, Vec<Url>> = BTreeMap::new();
    for url in due {
        hosts.entry(url.host().unwrap_or_default().to_ascii_lowercase()).or_default().push(url);
    }
    let (places, mut looks) = (Arc::new(Semaphore::new(HOSTS)), JoinSet::new());
    for (_, urls) in hosts {
        let (world, places, taken) = (Arc::clone(world), Arc::clone(&places), Arc::clone(taken));
        looks.spawn(async move {
            let _place = places.acquire().await;
            let mut sums = Vec::new();
            for (at, url) in urls.into_iter().enumerate() {
                if at > 0 {
                    tokio::time::sleep(REST).await;
                }
                lock(&taken).remove(&url);
                sums.push(look_at(url, &world).await);
                world.subscriptions.left.fetch_sub(1, Ordering::Relaxed);
            }
            sums
        });
    }
    let (mut fresh, mut failed, mut first, mut unkept) = (0, 0, Vec::new(), None);
    for came in looks.join_all().await.into_iter().flatten() {
        match came {
            Look::Had(new) => fresh += new,
            Look::Unkept(why) => unkept = Some(why),
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
    let said = match fresh {
        0 => format!("nothing new{bad}"),
        1 => format!("1 item is new{bad}"),
        many => format!("{} items are new{bad}", count(many)),
    };
    match unkept {
        None => Ok(said),
        Some(why) if fresh == 0 => Err(format!("what was found cannot be kept: {why}")),
        Some(why) => Err(format!("{said}; of the rest nothing can be kept: {why}")),
    }
}

/// What came of one.
enum Look {
    /// So many items are new.
    Had(usize),
    /// What came of it cannot be kept, so it is found again the next time; in a sentence.
    Unkept(String),
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
    match (world.pages.looked(url, looked, now(), every).await, sum) {
        (Err(why), _) => Look::Unkept(why),
        (Ok(false), Look::Failed(_)) => Look::Failed(None),
        (_, sum) => sum,
    }
}

async fn looked(url: &Url, world: &Arc<World>) -> Result<Looked, String> {
    let (memory, validator) = match world.pages.memory(url.clone()).await? {
        Some((memory, validator)) => (Some(memory), validator),
        None => (None, None),
    };
    let seen = memory.is_some() || world.pages.has_begun(url.clone()).await?;
    // Where no copy is kept it is wanted, even if it is as it was.
    let wanted = world.pages.is_there() && world.pages.when(url).await.is_none();
    let since = validator.filter(|_| !wanted).and_then(|kept| Given::read(&kept));
    let request = Request { anew: true, ..Request::new(url.clone()) };
    let came = match unseen::changed(request, since, MOST, Reach::Space, world).await {
        Came::Page(came) => came,
        Came::Unchanged => return Ok(Looked::Unchanged),
        Came::Moved(to) => return Err(format!("It leads to {}.", to.redacted())),
        Came::Failed(error) => return Err(error.detail),
    };
    if let Some(status) = came.head.status.as_ref().or(came.head.nothing.as_ref()) {
        // Of news it is what the program says of what it kept.
        return Err(match scheme::family(url) {
            Family::News | Family::Nntp => format!("There is only what was {status}."),
            _ => format!("The server says \"{status}\"."),
        });
    }
    let asked = url.clone();
    // A long feed takes a while, and it is nobody's turn meanwhile.
    let compared = tokio::task::spawn_blocking(move || {
        let mut offer = offered(&came.head.url, &came.head.media, &came.page)?;
        offer.more |= !came.whole;
        let (title, looked_at) = (offer.title.clone(), offer.looked_at());
        let Difference { fresh, memory, older } = if seen { difference(memory.as_ref(), offer)? } else { first(offer) };
        // What is told of is there offline, too; what became something else takes the place of nothing.
        came.keep(&asked);
        Ok(Looked::Had {
            title,
            fresh,
            memory,
            older,
            looked_at,
            validator: Given::new(&came.head).map(|given| given.write()),
        })
    });
    compared.await.unwrap_or_else(|_| Err("It cannot be read.".into()))
}
