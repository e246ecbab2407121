//! Fetching what was put by and has no copy yet, and what those pages link to on their hosts: when it is put by, when one is online
//! again, and once after the start, as all of it stands on the list (`store::Later`).
//!
//! One page at a time, with a rest in between, and nothing that would ask first. Whatever comes of it, a page is tried once, until the
//! reader is online again or puts it by again; what does not come, cannot be kept, or is not kept for long is told once. Refuses: links
//! of links.

use super::fetch::World;
use super::network::Network;
use super::unseen::{self, Came, Reach, is_beside};
use crate::app::Msg;
use crate::disk;
use crate::doc::{Document, LinkId, sanitise};
use crate::format::count;
use crate::proto::{Kind, Request};
use crate::store::{Later, Wanted, of_source};
use crate::url::scheme::{self, Family, gopher::Gopher};
use crate::url::{BaseStack, Url};
use crate::visits::Forget;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Notify;

/// Octets of a page that is fetched for later: what is longer is read when it is asked for.
const LONGEST: usize = 16 << 20;
/// Between two such pages.
const REST: Duration = Duration::from_secs(1);
/// After the start: the page that the reader wants comes first.
const START: Duration = Duration::from_secs(2);
/// Pages that are fetched of those that one links to.
const LINKS: usize = 100;
/// Links that are looked at.
const LOOKED_AT: u32 = 20_000;
/// What could not be had that is remembered.
const REMEMBERED: usize = 20_000;
/// What was taken off the list can be put back, so much of it.
const DROPPED: usize = 20;
/// How often it is looked whether another copy of the program is done with the list.
const TURN: Duration = Duration::from_secs(5);
/// How much of that is named in a sentence.
const NAMED: usize = 2;

/// What is yet to be fetched.
pub(super) struct CatchUp {
    /// The list.
    file: Option<PathBuf>,
    /// Something is to be fetched.
    wanted: Notify,
    /// What could not be had, by [`of_source`], and why.
    lacking: Mutex<BTreeMap<String, (Url, String)>>,
    /// What the reader took off the list in this run, each with what was wanted with it; the last one last.
    dropped: Mutex<Vec<Vec<Later>>>,
}

impl CatchUp {
    pub(super) fn new(file: Option<PathBuf>) -> CatchUp {
        CatchUp { file, wanted: Notify::new(), lacking: Mutex::default(), dropped: Mutex::default() }
    }

    /// Whether anything was put by.
    pub(super) fn is_owed(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.exists())
    }

    /// The reader is online again: what could not be had may be there now.
    pub(super) fn online(&self) {
        self.lacking().clear();
        self.wanted.notify_one();
    }

    /// One is wanted, again or for the first time.
    pub(super) fn want(&self, url: &Url) {
        self.lacking().remove(&of_source(url));
        self.wanted.notify_one();
    }

    /// Why a page could not be had.
    pub(super) fn why(&self, url: &Url) -> Option<String> {
        self.lacking().get(&of_source(url)).map(|(_, why)| why.clone())
    }

    /// All that could not be had.
    pub(super) fn all_lacking(&self) -> Vec<(Url, String)> {
        self.lacking().values().cloned().collect()
    }

    /// The reader took one out of a list of these.
    pub(super) fn dropped(&self, url: &Url, mut rows: Vec<Later>) {
        let place = of_source(url);
        rows.retain(|row| {
            of_source(&row.url) == place || matches!(&row.wanted, Wanted::Beside(page) if of_source(page) == place)
        });
        let mut dropped = lock(&self.dropped);
        dropped.extend((!rows.is_empty()).then_some(rows));
        let over = dropped.len().saturating_sub(DROPPED);
        dropped.drain(..over);
    }

    /// What went with one that the reader took out last; nothing of what they did not.
    pub(super) fn taken_back(&self, url: &Url) -> Vec<Later> {
        let (place, mut dropped) = (of_source(url), lock(&self.dropped));
        let at = dropped.iter().rposition(|rows| rows.iter().any(|row| of_source(&row.url) == place));
        at.map(|at| dropped.remove(at)).unwrap_or_default()
    }

    /// Nothing is remembered of those; all of it is of this run.
    pub(super) fn forget(&self, what: &Forget) {
        self.lacking().retain(|_, (url, _)| !what.concerns(url.as_str(), Some(i64::MAX)));
        lock(&self.dropped).retain(|rows| !rows.iter().any(|row| what.concerns(row.url.as_str(), Some(i64::MAX))));
    }

    fn lacks(&self, url: &Url, why: String) {
        let mut lacking = self.lacking();
        if lacking.len() >= REMEMBERED {
            lacking.pop_first();
        }
        lacking.insert(of_source(url), (url.clone(), why));
    }

    fn lacking(&self) -> MutexGuard<'_, BTreeMap<String, (Url, String)>> {
        lock(&self.lacking)
    }

    /// Holds the list's turn: of all copies that run, one fetches at a time, so that no host is asked twice at the same moment. `None` while
    /// another has it. What cannot be held is as without others.
    fn turn(&self) -> Option<Option<File>> {
        let Some(list) = &self.file else { return Some(None) };
        let how = OpenOptions::new().read(true).append(true).create(true).mode(0o600).clone();
        match disk::open(&list.with_extension("turn"), &how) {
            Ok(file) if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) => None,
            turn => Some(turn.ok()),
        }
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fetches whatever is wanted, on threads that talk to servers; else it sleeps. Where nothing is kept there is nothing to fetch for.
pub(super) async fn keep_fetching(world: Arc<World>, network: Weak<Network>) {
    if !world.pages.is_there() {
        return;
    }
    if world.later.is_owed() {
        tokio::time::sleep(START).await;
    } else {
        world.later.wanted.notified().await;
    }
    loop {
        if !world.subscriptions.is_offline() {
            // When they have gone nobody is asked any more.
            let Some(threads) = network.upgrade().map(|network| network.many().clone()) else { return };
            let turn = turn(&world).await;
            let fetching = Arc::clone(&world);
            // It tells itself what came of it.
            let _ = threads.spawn(async move { fetch_all(&fetching).await }).await;
            drop(turn);
        }
        world.later.wanted.notified().await;
    }
}

/// Waits until no other copy of the program fetches what is on the list: what that has had is there then.
async fn turn(world: &World) -> Option<File> {
    loop {
        match world.later.turn() {
            Some(turn) => return turn,
            None => tokio::time::sleep(TURN).await,
        }
    }
}

/// What came of it.
#[derive(Default)]
struct Sum {
    kept: usize,
    lacking: Vec<(Url, String)>,
    left_out: usize,
}

/// Fetches one after the other until no more is wanted, and tells what came of it.
async fn fetch_all(world: &Arc<World>) {
    let (mut sum, mut silent, mut waiting) = (Sum::default(), BTreeSet::new(), 0);
    // What came and was kept, and the pages whose links were put by.
    let (mut came, mut linked) = (HashSet::new(), HashSet::new());
    loop {
        let all = match world.pages.later().await {
            Ok(all) => all,
            Err(why) => return complain(world, format!("what you put by cannot be read: {why}")).await,
        };
        let is_linked = |later: &&Later| linked.contains(&of_source(&later.url));
        if let Some(page) = all
            .iter()
            .find(|later| later.here && later.wanted == Wanted::Links && !was_tried(world, later) && !is_linked(later))
        {
            linked.insert(of_source(&page.url));
            if let Err(why) = put_links(page, &mut sum, world).await {
                world.later.lacks(&page.url, why.clone());
                return complain(world, format!("what {} links to is not put by: {why}", shown(&page.url))).await;
            }
            continue;
        }
        let (done, all): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|later| later.here && matches!(later.wanted, Wanted::Beside(_)));
        done.into_iter().for_each(|later| take_out(later, world));
        // To fetch them again would only put others out.
        for gone in all.iter().filter(|later| !later.here && came.remove(&of_source(&later.url))) {
            let why = "its copy gave way to others: there is no room for more (store.size)".to_owned();
            world.later.lacks(&gone.url, why.clone());
            sum.kept = sum.kept.saturating_sub(1);
            sum.lacking.push((gone.url.clone(), why));
        }
        let mut wanted = all.into_iter().filter(|later| !later.here && !was_tried(world, later));
        let Some(next) = wanted.next() else { break };
        if world.subscriptions.is_offline() {
            waiting = 1 + wanted.count();
            break;
        }
        let server = of_server(&next.url);
        let done = match silent.contains(&server) {
            true => Done::Lacking(Kind::TimedOut, "its server does not answer".into()),
            false => fetch(&next, world).await,
        };
        match done {
            Done::Kept => {
                came.insert(of_source(&next.url));
                sum.kept += 1;
            }
            Done::Lacking(kind, why) => {
                world.later.lacks(&next.url, why.clone());
                sum.lacking.push((next.url.clone(), why));
                if matches!(kind, Kind::NoSuchHost | Kind::Refused | Kind::TimedOut) {
                    silent.insert(server);
                } else if matches!(next.wanted, Wanted::Beside(_)) && kind != Kind::Broken {
                    // That is the answer, and will be tomorrow.
                    take_out(next, world);
                }
            }
            Done::Failing(why) => return complain(world, why).await,
        }
    }
    if let Some(said) = sum.told(waiting) {
        world.subscriptions.say(Msg::Said(said)).await;
    }
}

impl Sum {
    /// What is told of it; nothing of the one page that was just put by and has come.
    fn told(&self, waiting: usize) -> Option<String> {
        if self.lacking.is_empty() && waiting == 0 && self.left_out == 0 && self.kept < 2 {
            return None;
        }
        let many = |number: usize| if number == 1 { "1 page".into() } else { format!("{} pages", count(number)) };
        let mut said = format!("kept for later: {}", many(self.kept));
        if waiting > 0 {
            said.push_str(&format!("; {} to come when you are online again", count(waiting)));
        }
        if !self.lacking.is_empty() {
            let named: Vec<_> = self.lacking.iter().take(NAMED).map(|(url, _)| shown(url)).collect();
            said.push_str(&format!("; could not be had: {}", named.join(", ")));
            match self.lacking.len() - named.len() {
                0 => {}
                more => said.push_str(&format!(" and {} more", count(more))),
            }
            said.push_str(" (about:later says why)");
        }
        if self.left_out > 0 {
            said.push_str(&format!("; left out: {} more links", count(self.left_out)));
        }
        Some(said)
    }
}

/// What came of a page.
enum Done {
    /// There is a copy.
    Kept,
    /// It did not come, or no copy of such a page is kept.
    Lacking(Kind, String),
    /// Nothing can be kept.
    Failing(String),
}

/// Fetches a page, so that it is there when it is wanted: that page alone, and nothing that asks first.
async fn fetch(later: &Later, world: &Arc<World>) -> Done {
    // An item that is new may be anywhere, what a page links to is where that is.
    let beside = matches!(&later.wanted, Wanted::Beside(page) if scheme::is_of_network(page));
    let reach = if beside { Reach::Host } else { Reach::Space };
    let came = unseen::followed(Request::new(later.url.clone()), LONGEST, reach, world).await;
    let done = match came {
        Came::Page(came) if came.keep(&later.url) => match world.pages.failing().await {
            Some(why) => Done::Failing(format!("no copy of {} is kept: {why}", shown(&later.url))),
            None => Done::Kept,
        },
        Came::Page(came) => {
            let status = came.head.status.as_ref().or(came.head.nothing.as_ref());
            let why = match status {
                Some(status) => format!("the server says \"{}\"", sanitise(status)),
                None if !came.whole => "it did not come whole, or is too long".into(),
                None if came.page.cut.is_some() => came.page.cut.unwrap_or_default(),
                None if came.keeping.is_some() => "it is too long for a copy".into(),
                None => "of such pages no copies are kept".into(),
            };
            Done::Lacking(Kind::Said, why)
        }
        Came::Failed(error) => Done::Lacking(error.kind, sanitise(&error.detail).into_owned()),
        Came::Moved(_) | Came::Unchanged => Done::Lacking(Kind::Malformed, "no page came".into()),
    };
    tokio::time::sleep(REST).await;
    done
}

/// Puts what a kept page links to on its host on the list, once.
async fn put_links(page: &Later, sum: &mut Sum, world: &Arc<World>) -> Result<(), String> {
    let mut rows = Vec::new();
    if let Some(copy) = world.pages.copy(&page.url).await? {
        let (head, memory) = (copy.head, world.context.limits.memory);
        let read = unseen::whole(&head, copy.octets, (LONGEST, memory)).await;
        let found = read.map(|read| beside(&read.page.document, &head.url)).unwrap_or_default();
        // Where it is fetched again it may lead to any host: that is not the one whose pages the reader has asked for.
        let most = if is_beside(&page.url, &head.url) { LINKS } else { 0 };
        sum.left_out += found.len().saturating_sub(most);
        for url in found.into_iter().take(most) {
            match world.pages.when(&url).await {
                Some(_) => sum.kept += 1,
                None => rows.push(linked(url, String::new(), &page.url)),
            }
        }
    }
    world.pages.put_linked(page.url.clone(), rows).await
}

/// A page of which a copy is wanted, as another one links to it.
pub(super) fn linked(url: Url, title: String, page: &Url) -> Later {
    let time = Timestamp::now().as_second();
    Later { url, title, time, here: false, wanted: Wanted::Beside(page.clone()), gone: false }
}

/// No more of it is wanted. What cannot be written is fetched once more one day.
fn take_out(later: Later, world: &World) {
    world.pages.put_by(Later { gone: true, ..later }, drop);
}

fn was_tried(world: &World, later: &Later) -> bool {
    world.later.why(&later.url).is_some()
}

async fn complain(world: &World, words: String) {
    world.subscriptions.say(Msg::Complaint(words)).await;
}

fn shown(url: &Url) -> String {
    sanitise(&url.redacted()).into_owned()
}

/// Who answers for an address, or does not: another port of its host may.
fn of_server(url: &Url) -> (String, Option<u16>) {
    let port = url.port().or_else(|| scheme::default_port(url.scheme()));
    (url.host().unwrap_or_default().to_ascii_lowercase(), port)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(address: &str, wanted: Wanted) -> Later {
        let url = Url::parse(address).unwrap();
        Later { url, title: String::new(), time: 5, here: false, wanted, gone: false }
    }

    /// Both asked for the same page at the same moment.
    #[test]
    fn one_copy_of_the_program_fetches_what_was_put_by_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let of = |file: Option<&str>| CatchUp::new(file.map(|file| folder.path().join(file)));
        let (one, other) = (of(Some("later")), of(Some("later")));
        let turn = one.turn();
        assert!(turn.as_ref().is_some_and(Option::is_some) && other.turn().is_none());
        drop(turn);
        assert!(other.turn().is_some_and(|turn| turn.is_some()));
        // Where nothing can be held nobody waits.
        assert!(of(Some("no/later")).turn().is_some_and(|turn| turn.is_none()));
        assert!(of(None).turn().is_some());
    }

    #[test]
    fn what_was_taken_off_comes_back_with_its_time_and_what_was_wanted_with_it() {
        let list = CatchUp::new(None);
        let page = row("http://h/a", Wanted::Links);
        let beside = row("http://h/b", Wanted::Beside(page.url.clone()));
        list.dropped(&page.url, vec![row("http://h/", Wanted::Page), page.clone(), beside.clone()]);
        assert_eq!(list.taken_back(&beside.url.with_fragment(Some("x"))), [page.clone(), beside]);
        assert_eq!(list.taken_back(&page.url), []);
        list.lacks(&page.url, "refused".into());
        list.dropped(&page.url, vec![page.clone()]);
        list.forget(&Forget::Page(page.url.clone()));
        assert_eq!((list.all_lacking().len(), list.taken_back(&page.url).len()), (0, 0));
        list.dropped(&page.url, vec![row("http://h/other", Wanted::Page)]);
        assert_eq!(lock(&list.dropped).len(), 0, "it was none of them");
        (0..50).for_each(|_| list.dropped(&page.url, vec![page.clone()]));
        assert_eq!(lock(&list.dropped).len(), DROPPED);
    }
}
