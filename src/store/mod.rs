//! Pages that were read, as they came, in one database that all running copies share; and words in their text.
//!
//! A thread of its own has the database (`base`): it is begun by whoever may write files, opens the database when it is first
//! asked for something, and sleeps otherwise; what takes long goes on a step at a time between two answers (`work`). It can all be had
//! again, so what cannot be written is not kept and told once; but what the reader has put by to read later is there when that is said,
//! in a file of its own (`later`). `sources` is what was found new in what they are subscribed to. `room` holds all within what the
//! settings allow.
//! Refuses: what is the reader's alone ([`may_be_kept`]); fetching.

mod aside;
mod asked;
mod base;
mod calendar;
mod forgetting;
mod given_up;
mod index;
mod keep;
mod later;
mod led;
mod letters;
mod links;
mod mending;
mod opening;
mod page;
mod rewriting;
mod room;
mod schema;
mod search;
mod sources;
mod terms;
mod tokens;
mod work;

pub use later::{Later, Wanted};
pub use led::Led;
pub use page::{Copy, Seen, may_be_kept};
pub use room::{Forgotten, Most, Sum};
pub use search::{Found, Row, Sought};
pub use sources::{FoundItem, LEASE, Looked, Marked, Source, of_source};

use crate::disk::{Asked, Writer};
use crate::subscriptions::Memory;
use crate::url::Url;
use crate::visits::Forget;
use base::Base;
use jiff::Timestamp;
use later::List;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::oneshot;

/// Octets of pages that may wait for the disk; more are not kept.
const WAITING: u64 = 32 << 20;
/// So long the list of what was put by may take to say how much of it was forgotten.
const SOON: Duration = Duration::from_secs(2);
/// Why nothing is put by.
const NOTHING_KEPT: &str = "nothing is kept: the setting store.size is 0, or nothing may be written";

/// Octets of a page that waits; dropped, it does not any more.
struct Waits {
    octets: u64,
    of: Arc<AtomicU64>,
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.of.fetch_sub(self.octets, Ordering::Relaxed);
    }
}

/// Something to be done with the database.
type Job = Box<dyn FnOnce(&mut Base) + Send>;

/// The store, or none. Clones are one.
#[derive(Clone, Default)]
pub struct Store(Option<Arc<Inner>>);

struct Inner {
    /// Pages are kept; else what is there from earlier is looked at and forgotten, and nothing comes to it.
    keeps: bool,
    jobs: Sender<Job>,
    /// What is put by to be read later, and who writes that: it waits for nothing that is done with the database.
    list: List,
    writer: Arc<Writer>,
    /// What the thread begins with, until it has begun.
    begin: Mutex<Option<(Base, Receiver<Job>)>>,
    waiting: Arc<AtomicU64>,
    /// How much of what is to be forgotten is not.
    owed: Arc<AtomicUsize>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Store").field(&self.0.is_some()).finish()
    }
}

impl Store {
    /// The one in a file, which need not be there yet. `tell` is given a sentence when something is wrong with it.
    pub fn new(file: PathBuf, most: Most, writer: &Arc<Writer>, tell: impl Fn(String) + Send + 'static) -> Store {
        let (jobs, inbox) = mpsc::channel();
        let (list, writer) = (List::beside(&file), Arc::clone(writer));
        let base = Base::new(file, most, Box::new(tell));
        let owed = Arc::clone(&base.forgetting.owed);
        let begin = Mutex::new(Some((base, inbox)));
        Store(Some(Arc::new(Inner {
            keeps: most.octets > 0,
            jobs,
            list,
            writer,
            begin,
            waiting: Arc::default(),
            owed,
        })))
    }

    /// Whether pages are kept.
    pub fn is_there(&self) -> bool {
        self.0.as_ref().is_some_and(|inner| inner.keeps)
    }

    /// Begins its thread, which may do what the one may that calls this; once. Until then what is asked waits.
    pub fn wake(&self) {
        let Some(inner) = &self.0 else { return };
        let Some((base, inbox)) = inner.begin().take() else { return };
        thread::spawn(move || work::run(base, &inbox));
    }

    /// Keeps a page. Where there was another copy of it, `tell` is given the blocks of its document that were not in that.
    pub fn keep(&self, page: Seen, tell: impl FnOnce(Vec<u32>) + Send + 'static) {
        let Some(inner) = self.0.as_ref().filter(|inner| inner.keeps) else { return };
        let octets = page.octets.len() as u64;
        if inner.waiting.fetch_add(octets, Ordering::Relaxed) > WAITING {
            inner.waiting.fetch_sub(octets, Ordering::Relaxed);
            return;
        }
        let waits = Waits { octets, of: Arc::clone(&inner.waiting) };
        self.send(move |base| {
            let _waits = waits;
            let fresh = base.keep(&page);
            if !fresh.is_empty() {
                tell(fresh);
            }
        });
    }

    /// The copy of a page, the newest.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn copy(&self, url: &Url) -> Result<Option<Copy>, String> {
        let url = url.clone();
        self.ask(move |base| base.copy(&url)).await
    }

    /// Where an address led when the copy was kept to which it led; whoever has a copy of its own does not ask.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn led(&self, url: &Url) -> Result<Option<Led>, String> {
        let url = url.clone();
        self.ask(move |base| base.led(&url)).await
    }

    /// When the copy of a page came, or of that to which it led.
    pub async fn when(&self, url: &Url) -> Option<Timestamp> {
        let url = url.clone();
        self.ask(move |base| base.when(&url)).await.ok().flatten()
    }

    /// Why a page of which there is no copy may have none: the last that was to be kept could not be.
    pub async fn failing(&self) -> Option<String> {
        self.ask(|base| Ok(base.failing())).await.ok().flatten()
    }

    /// Pages and items of menus with these words.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn find(&self, sought: Sought) -> Result<Found, String> {
        self.ask(move |base| base.find(&sought)).await
    }

    /// Kept pages that link to one, those of other hosts first, the newest first.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn linking(&self, url: Url, most: usize) -> Result<Vec<Row>, String> {
        self.ask(move |base| base.linking(&url, most)).await
    }

    /// What is kept, by scheme.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn sums(&self) -> Result<Vec<Sum>, String> {
        self.ask(Base::sums).await
    }

    /// What is to be read later, the oldest first.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn later(&self) -> Result<Vec<Later>, String> {
        self.ask(Base::later).await
    }

    /// Puts a page by to be read later, or takes it out again; `tell` is given what came of it, a sentence where it failed. Until then
    /// the reader who leaves is waited for ([`Writer::finish`]).
    pub fn put_by(&self, later: Later, tell: impl FnOnce(Result<(), String>) + Send + 'static) {
        match &self.0 {
            Some(inner) if inner.keeps || later.gone => {
                let (list, mut tell) = (inner.list.clone(), Some(tell));
                inner.writer.write(inner.list.path(), Asked::ByReader, move || {
                    // What fails is told to whoever asked, and they ask again.
                    tell.take().map_or(Ok(()), |tell| {
                        tell(list.change(&later));
                        Ok(())
                    })
                });
            }
            _ => tell(Err(NOTHING_KEPT.into())),
        }
    }

    /// Puts by what a page links to, of which copies are wanted ([`Wanted::Beside`]): from now on that stands on the list.
    ///
    /// # Errors
    /// A sentence: it cannot be written, or nothing is kept.
    pub async fn put_linked(&self, page: Url, some: Vec<Later>) -> Result<(), String> {
        let Some(inner) = self.0.as_ref().filter(|inner| inner.keeps) else { return Err(NOTHING_KEPT.into()) };
        let (list, (told, answer)) = (inner.list.clone(), oneshot::channel());
        let mut told = Some(told);
        inner.writer.write(inner.list.path(), Asked::ByReader, move || {
            let done = list.put(&some, Some(&page));
            // What fails is told to whoever asked, and they ask again.
            told.take().map_or(Ok(()), |told| {
                let _ = told.send(done);
                Ok(())
            })
        });
        answer.await.unwrap_or_else(|_| Err("the store has ended".into()))
    }

    /// Since when there is this database, where it stands for one that was damaged not long before `now`: what was unread then is lost.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn begun_anew(&self, now: i64) -> Result<Option<i64>, String> {
        self.ask(move |base| base.begun_anew(now)).await
    }

    /// How sources stand, in the order in which they are named.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn sources(&self, all: Vec<Url>) -> Result<Vec<Source>, String> {
        self.ask(move |base| base.sources(&all)).await
    }

    /// What is remembered of a source, and as what it would send the same again.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn memory(&self, url: Url) -> Result<Option<(Memory, Option<String>)>, String> {
        self.ask(move |base| base.memory(&url)).await
    }

    /// The reader has seen what a source offers now: of its first look nothing is new.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn begin(&self, url: Url) -> Result<(), String> {
        self.ask(move |base| base.begin(&url)).await
    }

    /// Whether that is so.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn has_begun(&self, url: Url) -> Result<bool, String> {
        self.ask(move |base| base.has_begun(&url)).await
    }

    /// Takes those that are due, of `all` that there are, so that no other copy looks at them; with `now_all` every one.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn take_due(&self, all: Vec<Url>, now: i64, now_all: bool) -> Result<Vec<Url>, String> {
        self.ask(move |base| base.take_due(&all, now, now_all)).await
    }

    /// Has sources for [`LEASE`] seconds from now that were taken and not looked at yet.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn hold(&self, taken: Vec<Url>, now: i64) -> Result<(), String> {
        self.ask(move |base| base.hold(&taken, now)).await
    }

    /// Forgets what is known of a source, but for what [`Store::put_back`] brings back.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn give_up(&self, url: Url) -> Result<(), String> {
        self.ask(move |base| base.give_up(&url)).await
    }

    /// What was known of a source that was given up in this run is known again.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn put_back(&self, url: Url) -> Result<(), String> {
        self.ask(move |base| base.put_back(&url)).await
    }

    /// When the next source is due, in seconds since 1970; `None` where there is none.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn next_due(&self) -> Result<Option<i64>, String> {
        self.ask(Base::next_due).await
    }

    /// Keeps what came of looking at a source, which is due again after `every` seconds, later where it fails. Says whether it has
    /// failed for the first time.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn looked(&self, url: Url, looked: Looked, now: i64, every: i64) -> Result<bool, String> {
        self.ask(move |base| base.looked(&url, &looked, now, every)).await
    }

    /// What was found new, what is unread before the rest, the newest first; of one source, or of all.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn found(&self, of: Option<Url>) -> Result<Vec<FoundItem>, String> {
        self.ask(move |base| base.found(of.as_ref())).await
    }

    /// The feed that has an item which leads to a place, where a copy of it is kept.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn feed_of(&self, url: Url) -> Result<Option<Url>, String> {
        self.ask(move |base| base.feed_of(&url)).await
    }

    /// How many items are unread.
    ///
    /// # Errors
    /// A sentence: it cannot be read.
    pub async fn unread(&self) -> Result<u64, String> {
        self.ask(Base::unread).await
    }

    /// All items are read; of one source, or of all.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn all_read(&self, of: Option<Url>) -> Result<Marked, String> {
        self.ask(move |base| base.all_read(of.as_ref())).await
    }

    /// The items that lead to a place become read, or unread if they are; with `unread` that, whatever they are.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn mark(&self, url: Url, unread: bool) -> Result<Marked, String> {
        self.ask(move |base| base.mark(&url, unread)).await
    }

    /// What was marked is as it was before.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub async fn unmark(&self, marked: Marked) -> Result<(), String> {
        self.ask(move |base| base.unmark(&marked)).await
    }

    /// The reader was at a place: items that lead there are read. `tell` is called with how many are unread yet, where that changes
    /// anything.
    pub fn was_read(&self, url: Url, tell: impl FnOnce(u64) + Send + 'static) {
        self.send(move |base| {
            // What cannot be written is as it was.
            if base.was_read(&url).is_ok_and(|rows| rows > 0) {
                tell(base.unread().unwrap_or_default());
            }
        });
    }

    /// Forgets pages, items of menus, what was put by, and what was found new; what has gone is overwritten soon
    /// ([`Store::owed_to_reader`]). `tell` is given how much that was, where all of it is gone.
    pub fn forget(&self, what: &Forget, tell: impl FnOnce(Forgotten) + Send + 'static) {
        let Some(inner) = &self.0 else { return };
        let (list, listed) = (inner.list.clone(), what.clone());
        let (count, later) = mpsc::channel();
        inner.writer.write(inner.list.path(), Asked::ByReader, move || {
            let gone = list.forget(&listed)?;
            // Whoever counts may have waited long enough.
            let _ = count.send(gone);
            Ok(())
        });
        let what = what.clone();
        inner.owed.fetch_add(1, Ordering::Relaxed);
        self.send(move |base| {
            let forgotten = base.forget(&what);
            if let (Some(gone), Ok(later)) = (forgotten, later.recv_timeout(SOON)) {
                tell(Forgotten { later, ..gone });
            }
        });
    }

    /// What the reader wants to be forgotten and is not so far, though it was tried once more, a sentence each.
    pub fn owed_to_reader(&self, patience: Duration) -> Vec<String> {
        let Some(inner) = self.0.as_ref().filter(|inner| inner.owed.load(Ordering::Relaxed) > 0) else {
            return Vec::new();
        };
        let (told, owed) = mpsc::channel();
        // The other side ends only after this one.
        let _ = inner.jobs.send(Box::new(move |base| base.tell_what_is_owed(told)));
        let still = |_| vec!["kept pages are still being forgotten".to_owned()];
        owed.recv_timeout(patience).unwrap_or_else(still)
    }

    /// Waits until all is written that was asked for, what could not be forgotten was tried once more, and the database is closed, so
    /// long at most.
    pub fn finish_within(&self, patience: Duration) {
        let Some(inner) = &self.0 else { return };
        if inner.begin().is_some() {
            return;
        }
        let (done, ended) = mpsc::channel();
        self.send(move |base| {
            base.try_again_to_forget();
            base.work.waiting.push(done);
        });
        // Whoever leaves has waited long enough.
        let _ = ended.recv_timeout(patience);
    }

    fn send(&self, job: impl FnOnce(&mut Base) + Send + 'static) {
        if let Some(inner) = &self.0 {
            // The thread ends with the last of these.
            let _ = inner.jobs.send(Box::new(job));
        }
    }

    /// Without a store there is nothing.
    async fn ask<T: Default + Send + 'static>(
        &self,
        job: impl FnOnce(&mut Base) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        if self.0.is_none() {
            return Ok(T::default());
        }
        let (told, answer) = oneshot::channel();
        self.send(move |base| drop(told.send(job(base))));
        answer.await.unwrap_or_else(|_| Err("the store of pages broke over it".into()))
    }
}

impl Inner {
    fn begin(&self) -> MutexGuard<'_, Option<(Base, Receiver<Job>)>> {
        // Nothing is left half done here.
        self.begin.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
