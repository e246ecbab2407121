//! Where files that the reader asks for come about, and who writes them: threads that read from servers are confined and may not,
//! and a thread is confined as the one that begins it. So these are begun by the thread of the keyboard, when they are wanted,
//! and go again after a rest; whoever waits for one of thousands of files waits for one thread, not for the keyboard's on the way.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Where files that the reader asks for come about.
#[derive(Debug, Clone)]
pub(super) struct Outside {
    /// Where relative paths begin.
    pub folder: PathBuf,
    /// Threads that may write, and start programs.
    pub threads: Threads,
}

/// Threads for work on the disk at once: as many files as may come, and some for a disk that does not answer.
const MOST: usize = 8;
/// How long one stays that has nothing to do.
const REST: Duration = Duration::from_secs(10);

/// Threads that may write files and start programs.
#[derive(Clone)]
pub(super) struct Threads {
    /// The runtime of a thread that may: what takes no time is done there.
    pub main: Handle,
    pool: Arc<Pool>,
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Threads")
    }
}

#[derive(Default)]
struct Pool {
    desk: Mutex<Desk>,
    /// Something was put on the desk.
    ready: Condvar,
    /// A thread has gone, or left something on the desk, since nothing more is begun.
    gone: Condvar,
}

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Desk {
    waiting: VecDeque<Job>,
    threads: usize,
    idle: usize,
    /// Nothing more is begun: whoever has nothing to do goes.
    ended: bool,
}

impl Threads {
    /// Begun by the thread of a runtime.
    pub(super) fn of(main: Handle) -> Threads {
        Threads { main, pool: Arc::default() }
    }

    /// Has work done that may block and may write; `None` when it was given up.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (done, product) = oneshot::channel();
        self.begin(move || {
            // Nobody may wait for it any more.
            let _ = done.send(work());
        });
        product.await.ok()
    }

    /// Begins no more threads: what is put on the desk from now on is left for [`Threads::finish`].
    pub(super) fn end(&self) {
        self.pool.desk().ended = true;
        self.pool.ready.notify_all();
    }

    /// Does what is left, by a thread that may, and waits so long for what the others are at: what was begun of files is put in order
    /// as their fetches are given up.
    pub(super) fn finish(&self, within: Duration) {
        let end = Instant::now() + within;
        let mut desk = self.pool.desk();
        loop {
            if let Some(job) = desk.waiting.pop_front() {
                drop(desk);
                let _ = catch_unwind(AssertUnwindSafe(job));
                desk = self.pool.desk();
                continue;
            }
            let left = end.saturating_duration_since(Instant::now());
            if desk.threads == 0 || left.is_zero() {
                return;
            }
            desk = self.pool.gone.wait_timeout(desk, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Has work done for which nobody waits.
    pub(super) fn begin(&self, work: impl FnOnce() + Send + 'static) {
        let mut desk = self.pool.desk();
        desk.waiting.push_back(Box::new(work));
        let wants_one = desk.idle < desk.waiting.len() && desk.threads < MOST && !desk.ended;
        desk.threads += usize::from(wants_one);
        // Whoever is woken while the desk is held would go to sleep again.
        drop(desk);
        if wants_one {
            let thread = Thread { pool: Arc::clone(&self.pool), has_gone: false };
            self.main.spawn(async move {
                // A system that has no more threads, or a runtime that has ended, drops it.
                let _ = std::thread::Builder::new().name("files".into()).spawn(move || thread.work());
            });
        }
        self.pool.ready.notify_one();
    }
}

/// One of the threads, from when it is wanted until it goes.
struct Thread {
    pool: Arc<Pool>,
    /// It has taken itself from the count.
    has_gone: bool,
}

impl Thread {
    fn work(mut self) {
        while let Some(job) = self.pool.next() {
            // One that panics is given up, and this thread is there for the next.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
        self.has_gone = true;
        self.pool.gone.notify_one();
    }
}

/// It could not be begun.
impl Drop for Thread {
    fn drop(&mut self) {
        if !self.has_gone {
            // What is given up may have more work done as it goes.
            let given_up = self.pool.desk().is_one_less();
            self.pool.gone.notify_one();
            drop(given_up);
        }
    }
}

impl Pool {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        // A panic elsewhere leaves a list behind that is whole.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for what is to be done next; nothing after a rest.
    fn next(&self) -> Option<Job> {
        let mut desk = self.desk();
        loop {
            if let Some(job) = desk.waiting.pop_front() {
                return Some(job);
            }
            if desk.ended {
                desk.threads -= 1;
                return None;
            }
            desk.idle += 1;
            let (woken, rest) = self.ready.wait_timeout(desk, REST).unwrap_or_else(PoisonError::into_inner);
            desk = woken;
            desk.idle -= 1;
            if rest.timed_out() && desk.waiting.is_empty() {
                desk.threads -= 1;
                return None;
            }
        }
    }
}

impl Desk {
    /// A thread could not be begun: where there is none, nobody waits for ever.
    fn is_one_less(&mut self) -> VecDeque<Job> {
        self.threads -= 1;
        if self.threads == 0 && !self.ended { std::mem::take(&mut self.waiting) } else { VecDeque::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_and_a_panic_costs_nobody_else_anything() {
        let threads = Threads::of(Handle::current());
        let told: Vec<_> = (0..100).map(|n| threads.run(move || if n % 10 == 3 { panic!("{n}") } else { n })).collect();
        let mut done = Vec::new();
        for told in told {
            done.extend(told.await);
        }
        assert_eq!(done, (0..100).filter(|n| n % 10 != 3).collect::<Vec<_>>());
        assert!(threads.pool.desk().threads <= MOST);
    }

    /// The runtime that would begin a thread has ended.
    #[test]
    fn what_is_left_at_the_end_is_done() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (threads, done) = (Threads::of(runtime.handle().clone()), Arc::new(Mutex::new(Vec::new())));
        let work = |n: usize| {
            let done = Arc::clone(&done);
            move || done.lock().unwrap().push(n)
        };
        runtime.block_on(threads.run(work(0)));
        threads.end();
        threads.begin(work(1));
        runtime.shutdown_background();
        (2..20).for_each(|n| threads.begin(work(n)));
        threads.finish(Duration::from_secs(30));
        let mut done = done.lock().unwrap().clone();
        done.sort_unstable();
        assert_eq!(done, (0..20).collect::<Vec<_>>());
        assert_eq!(threads.pool.desk().threads, 0);
    }
}
