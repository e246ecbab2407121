//! What the reader is subscribed to: their list, changed on the thread that writes all files; what `about:new` does; when sources are
//! looked at (`looking`), the page itself (`page`), an item within its feed (`entry`), and lists of other programs (`command`).
//!
//! Nobody is asked but for what is in that list, in a browser that runs, online, and may write: not with `--safe`, not with `--dump`.

pub(super) mod command;
pub(super) mod entry;
mod looking;
mod page;

pub(super) use looking::keep_looking;

use super::bookmarks::BookmarkFile;
use super::fetch::World;
use super::pages::{self, said};
use crate::app::{Known, Msg};
use crate::bookmarks::{Bookmark, Bookmarks, Change, For};
use crate::config;
use crate::disk::{Asked, Writer};
use crate::doc::{flat, sanitise};
use crate::format::count;
use crate::proto::{DONE, End, Exchange, FetchError, Kind, Request};
use crate::store::{Marked, of_source};
use crate::subscriptions::{MOST, refusal};
use crate::url::Url;
use crate::url::scheme::about::New;
use entry::Led;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, mpsc, oneshot};

/// What can be taken back: unsubscribing, and marks.
const DROPPED: usize = 20;

/// The list, and how it is looked at.
pub(super) struct Subscriptions {
    /// `None` where nothing may be written, or there is no home.
    file: Option<BookmarkFile>,
    writer: Arc<Writer>,
    settings: config::Subscriptions,
    /// The browser that is told; without one nobody is asked.
    messages: Option<mpsc::Sender<Msg>>,
    /// Nobody is to be asked now.
    offline: AtomicBool,
    /// Another source is there to be looked at.
    added: Notify,
    /// One looks after the other.
    turn: tokio::sync::Mutex<()>,
    /// How many are left of the look that goes on.
    left: AtomicUsize,
    /// There is a list, or was one when it was looked for last.
    there: AtomicBool,
    /// What the reader did in this run and may take back, the last one last.
    done: Mutex<Vec<Done>>,
    /// Items to which the reader was led since all that is new was gone through last, by [`of_source`].
    passed: Mutex<HashSet<String>>,
    led: Arc<Led>,
}

/// What can be taken back.
enum Done {
    /// Unsubscribing, with what brings the row back.
    Dropped(Url, Box<Change>),
    /// Marks.
    Marked(Marked),
}

impl Subscriptions {
    pub(super) fn new(path: Option<PathBuf>, writer: Arc<Writer>, settings: config::Subscriptions) -> Subscriptions {
        let file = path.map(|path| BookmarkFile::new(path, For::News));
        let there = file.as_ref().is_some_and(|file| file.path().exists());
        Subscriptions {
            file,
            writer,
            settings,
            messages: None,
            offline: AtomicBool::new(true),
            added: Notify::new(),
            turn: tokio::sync::Mutex::default(),
            left: AtomicUsize::new(0),
            there: AtomicBool::new(there),
            done: Mutex::default(),
            passed: Mutex::default(),
            led: Arc::default(),
        }
    }

    /// A browser runs, to which what is found is told.
    pub(super) fn tell_to(&mut self, messages: mpsc::Sender<Msg>, offline: bool) {
        self.messages = Some(messages);
        self.be_offline(offline);
    }

    /// Whether there is a list, or was one. The disk is not asked: whoever wants a page waits for the answer.
    pub(super) fn are_there(&self) -> bool {
        self.there.load(Ordering::Relaxed)
    }

    /// What copies of feeds stand for, where there is a list.
    pub(super) fn led(&self) -> Option<Arc<Led>> {
        self.are_there().then(|| Arc::clone(&self.led))
    }

    /// Whether nobody is to be asked from now on; whether nobody was, and that ends now.
    pub(super) fn be_offline(&self, offline: bool) -> bool {
        let is_back = self.offline.swap(offline, Ordering::Relaxed) && !offline;
        if is_back {
            // What is due was due all the time.
            self.added.notify_one();
        }
        is_back
    }

    /// Whether nobody is to be asked now.
    pub(super) fn is_offline(&self) -> bool {
        self.offline.load(Ordering::Relaxed)
    }

    /// Says something to the browser.
    pub(super) async fn say(&self, message: Msg) {
        if let Some(messages) = &self.messages {
            // When the browser has gone there is nobody to tell.
            let _ = messages.send(message).await;
        }
    }

    /// The reader did something that they may take back.
    fn did(&self, what: Done) {
        let mut done = lock(&self.done);
        done.push(what);
        let over = done.len().saturating_sub(DROPPED);
        done.drain(..over);
    }

    /// They marked items; how many.
    fn marked(&self, marked: Marked) -> usize {
        let many = marked.len();
        if !marked.is_empty() {
            self.did(Done::Marked(marked));
        }
        many
    }

    /// The list, and what is wrong with its file.
    async fn list(&self) -> (Bookmarks, Option<String>) {
        let Some(file) = self.file.clone() else { return Default::default() };
        let path = file.path().to_path_buf();
        let read = self.on_disk(path, Asked::ByNobody, move || Ok((file.load(), file.path().exists()))).await;
        let (read, there) = read.unwrap_or_else(|sentence| ((Bookmarks::default(), Some(sentence)), false));
        self.there.fetch_or(there, Ordering::Relaxed);
        read
    }

    /// Makes a change, if it is one yet.
    async fn change(
        &self,
        change: impl Fn(&Bookmarks) -> Result<Change, String> + Send + 'static,
    ) -> Result<(), String> {
        let nowhere = "nothing is kept: nothing may be written, or there is no folder for it";
        let file = self.file.clone().ok_or(nowhere)?;
        let path = file.path().to_path_buf();
        let work = move || file.change(&change(&file.load().0)?).map(drop);
        self.on_disk(path, Asked::ByReader, work).await?;
        self.there.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Does something where files are read and written, and waits for it. What fails is told here, and not tried again.
    async fn on_disk<T: Send + 'static>(
        &self,
        path: PathBuf,
        asked: Asked,
        work: impl Fn() -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let (told, answer) = oneshot::channel();
        let mut told = Some(told);
        self.writer.write(&path, asked, move || {
            if let Some(told) = told.take() {
                // Whoever asked may have gone.
                let _ = told.send(work());
            }
            Ok(())
        });
        answer.await.unwrap_or_else(|_| Err("the program ends".into()))
    }
}

/// Addresses of the list that may be looked at, with the rows they are of.
fn sources(list: &Bookmarks) -> Vec<(Url, &Bookmark)> {
    let known = |row| Some((Url::parse(&*Bookmark::clone(row).url).ok()?, row));
    list.iter().filter_map(known).filter(|(url, _)| refusal(url).is_none()).take(MOST).collect()
}

/// Shows `about:new`, or does what its address says; that was agreed to before.
pub(super) async fn page(
    asked: New,
    request: &Request,
    exchange: &mut Exchange,
    world: &Arc<World>,
) -> Result<End, FetchError> {
    if !asked.acts() {
        let text = page::text(&asked, world).await.map_err(said)?;
        return pages::show(request, exchange, "New", text).await;
    }
    if world.subscriptions.messages.is_none() {
        let words = "Only a browser that runs does that; wayfarer subscriptions takes and gives lists.";
        return Err(FetchError::new(Kind::Unsafe, words));
    }
    let all = New::BySource.url()?;
    let words = match asked {
        New::Next(after) => {
            return match next(after.as_ref(), world).await.map_err(said)? {
                Next::Item(url) => pages::done(request, exchange, url, DONE.into()).await,
                Next::Nothing { passed } => pages::done(request, exchange, all, nothing_else(passed)).await,
            };
        }
        New::Add { .. } | New::Drop(_) | New::Undo | New::Read(_) | New::Mark { .. } if request.private => {
            return Err(FetchError::new(Kind::Unsafe, "Nothing of a private tab is kept."));
        }
        New::Add { url, title } => add(url, title, world).await.map_err(not_done)?,
        New::Drop(url) => drop_of(url, world).await.map_err(not_done)?,
        New::Undo => undo(world).await.map_err(not_done)?,
        New::Read(of) => {
            world.subscriptions.marked(world.pages.all_read(of).await.map_err(said)?);
            "all is marked read".into()
        }
        New::Mark { url, unread } => {
            let marked = world.pages.mark(url, unread).await.map_err(said)?;
            let read = marked.read;
            match world.subscriptions.marked(marked) {
                0 => return Err(not_done("it is unread, or no item that is new".into())),
                _ if read => "marked read".into(),
                _ => "marked unread".into(),
            }
        }
        New::Check => looking::look(world, looking::Which::All).await.map_err(not_done)?,
        _ => String::new(),
    };
    tell_unread(world, 0).await;
    pages::done(request, exchange, all, words).await
}

fn not_done(words: String) -> FetchError {
    FetchError::new(Kind::Broken, words)
}

/// Tells the browser what is unread now.
async fn tell_unread(world: &Arc<World>, fresh: u64) {
    let unread = world.pages.unread().await.unwrap_or_default();
    world.subscriptions.say(Msg::Known { known: Known::New { unread, fresh }, remark: None }).await;
}

/// Subscribes to an address.
async fn add(url: Url, title: String, world: &Arc<World>) -> Result<String, String> {
    let url = url.without_fragment();
    if let Some(why) = refusal(&url) {
        return Err(why.into());
    }
    let shown = sanitise(&url.redacted()).into_owned();
    let (new, name) = (url.clone(), shown.clone());
    world
        .subscriptions
        .change(move |list| {
            if list.of(&new).is_some() {
                return Err(format!("you are subscribed to {name} already"));
            }
            if list.iter().count() >= MOST {
                return Err(format!("you are subscribed to {} places already, and no more are looked at", count(MOST)));
            }
            let title = flat(&title).trim().to_owned();
            let bookmark = Bookmark { url: new.as_str().into(), title, ..Bookmark::default() };
            Ok(Change::Insert { bookmarks: vec![bookmark], before: None })
        })
        .await?;
    world.pages.begin(url).await?;
    world.subscriptions.added.notify_one();
    // What is there now is known, so that what comes next is new.
    let known = Arc::clone(world);
    tokio::spawn(async move {
        // What fails is told on the page.
        let _ = looking::look_at_due(&known).await;
    });
    Ok(format!("subscribed to {shown}: about:new tells what is new there"))
}

/// Subscribes no longer.
async fn drop_of(url: Url, world: &Arc<World>) -> Result<String, String> {
    let shown = sanitise(&url.redacted()).into_owned();
    let (name, gone) = (shown.clone(), url.clone());
    let (told, restoring) = oneshot::channel();
    let told = Mutex::new(Some(told));
    world
        .subscriptions
        .change(move |list| {
            let known = list.of(&gone).ok_or_else(|| format!("you are not subscribed to {name}"))?;
            if let Some(told) = lock(&told).take() {
                let _ = told.send(list.restoring(known));
            }
            Ok(Change::Remove(known.clone()))
        })
        .await?;
    if let Ok(restoring) = restoring.await {
        world.subscriptions.did(Done::Dropped(url.clone(), Box::new(restoring)));
    }
    let (list, _) = world.subscriptions.list().await;
    // It may stand there twice.
    if list.of(&url).is_none() {
        world.pages.give_up(url).await?;
    }
    Ok(format!("not subscribed to {shown} any more"))
}

/// What was marked last is as before; what was dropped last is subscribed to again, where it stood, with what is known of it.
async fn undo(world: &Arc<World>) -> Result<String, String> {
    let last = lock(&world.subscriptions.done).pop();
    let (url, restoring) = match last {
        Some(Done::Dropped(url, restoring)) => (url, *restoring),
        Some(Done::Marked(marked)) => {
            let (many, read) = (marked.len(), marked.read);
            world.pages.unmark(marked).await?;
            let (items, are) = if many == 1 { ("item", "is") } else { ("items", "are") };
            let before = if read { "unread" } else { "read" };
            return Ok(format!("taken back: {} {items} {are} {before} again", count(many)));
        }
        None => return Err("nothing to take back".into()),
    };
    let shown = sanitise(&url.redacted()).into_owned();
    let (back, name) = (url.clone(), shown.clone());
    world
        .subscriptions
        .change(move |list| match list.of(&back) {
            Some(_) => Err(format!("you are subscribed to {name} already")),
            None => Ok(restoring.clone()),
        })
        .await?;
    world.pages.put_back(url).await?;
    world.subscriptions.added.notify_one();
    Ok(format!("subscribed to {shown} again"))
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the reader goes on.
enum Next {
    /// To an item.
    Item(Url),
    /// Nowhere: they were led to all that is unread, of which so many items are unread yet.
    Nothing { passed: usize },
}

fn nothing_else(passed: usize) -> String {
    match passed {
        0 => DONE.into(),
        passed => format!("nothing else is new; {} could not be had", count(passed)),
    }
}

/// How many items are looked at for one that can be read offline: a key waits for the answer.
const LOOKED_AT: usize = 100;

/// The next unread item, after the one that the reader looks at; that of the source whose news is the newest first. What they were led
/// to and is unread yet could not be had: it is passed over until they were led to all of them. Who is offline is led to what there is a
/// copy of first.
async fn next(after: Option<&Url>, world: &Arc<World>) -> Result<Next, String> {
    let found = world.pages.found(None).await?;
    let unread: Vec<_> =
        page::by_source(found.iter().filter(|item| !item.read)).into_iter().flat_map(|(_, items)| items).collect();
    let places: Vec<String> = unread.iter().map(|item| of_source(&item.url)).collect();
    let here = after.map(of_source).filter(|here| places.contains(here));
    let from = here.as_ref().and_then(|here| places.iter().position(|place| place == here)).map_or(0, |at| at + 1);
    let in_turn: Vec<usize> = {
        let mut passed = lock(&world.subscriptions.passed);
        passed.retain(|place| places.contains(place));
        passed.extend(here);
        (from..places.len()).chain(0..from).filter(|at| !passed.contains(&places[*at])).collect()
    };
    let mut next = in_turn.first().copied();
    if world.subscriptions.is_offline() {
        for at in in_turn.into_iter().take(LOOKED_AT) {
            if world.pages.when(&unread[at].url).await.is_some()
                || entry::of(&unread[at].url, &world.pages).await.is_some()
            {
                next = Some(at);
                break;
            }
        }
    }
    let mut passed = lock(&world.subscriptions.passed);
    Ok(match next.map(|at| (unread[at], &places[at])) {
        Some((item, place)) => {
            passed.insert(place.clone());
            Next::Item(item.url.clone())
        }
        None => Next::Nothing { passed: std::mem::take(&mut *passed).len() },
    })
}
