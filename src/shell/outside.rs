//! Where files that the reader asks for come about, and who writes them: threads that read from servers are confined and may not,
//! and a thread is confined as the one that begins it. So these are begun by the thread of the keyboard, when they are wanted,
//! and go again after a rest; whoever waits for one of thousands of files waits for one thread, not for the keyboard's on the way.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
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
}

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Desk {
    waiting: VecDeque<Job>,
    threads: usize,
    idle: usize,
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

    /// Has work done for which nobody waits.
    pub(super) fn begin(&self, work: impl FnOnce() + Send + 'static) {
        let mut desk = self.pool.desk();
        desk.waiting.push_back(Box::new(work));
        if desk.idle < desk.waiting.len() && desk.threads < MOST {
            desk.threads += 1;
            let pool = Arc::clone(&self.pool);
            self.main.spawn(async move {
                let works = Arc::clone(&pool);
                if std::thread::Builder::new().name("files".into()).spawn(move || works.work()).is_err() {
                    // What is given up may have more work done as it goes.
                    let given_up = pool.desk().is_one_less();
                    drop(given_up);
                }
            });
        }
        // Whoever is woken while the desk is held would go to sleep again.
        drop(desk);
        self.pool.ready.notify_one();
    }
}

impl Pool {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        // A panic elsewhere leaves a list behind that is whole.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            // One that panics is given up, and this thread is there for the next.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
        }
    }

    /// Waits for what is to be done next; nothing after a rest.
    fn next(&self) -> Option<Job> {
        let mut desk = self.desk();
        loop {
            if let Some(job) = desk.waiting.pop_front() {
                return Some(job);
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
        if self.threads == 0 { std::mem::take(&mut self.waiting) } else { VecDeque::new() }
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
}
