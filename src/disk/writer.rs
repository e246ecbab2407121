//! One thread writes all that is kept, in order, so that neither a slow disk nor another copy that holds a lock is ever
//! waited for. What could not be written is tried again: when the same file is to be written next, now and then, at the end.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often what is owed is tried again.
const AGAIN: Duration = Duration::from_secs(10);
/// How long the end of the program waits for what is still to be written.
const PATIENCE: Duration = Duration::from_secs(10);

/// Writes something; what is wrong, in a sentence.
type Work = Box<dyn FnMut() -> Result<(), String> + Send>;

/// Who wants it written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The reader has just asked for it: a failure is told each time.
    ByReader,
    /// Nobody: a failure is told once, until something goes well again.
    ByNobody,
    /// Nobody, and it makes up for whatever of this file is still to be written.
    ForAll,
}

struct Job {
    path: PathBuf,
    asked: Asked,
    work: Work,
}

/// What is said to the thread.
enum Order {
    Do(Job),
    /// What the reader asked for is to be tried again, and told as far as it is still to be written.
    Owed(mpsc::Sender<Vec<String>>),
}

/// The thread. Dropped, it waits until all is written, within reason.
pub struct Writer {
    inner: Mutex<Inner>,
}

struct Inner {
    jobs: Option<mpsc::Sender<Order>>,
    ended: mpsc::Receiver<Vec<String>>,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

/// A file, and who writes it.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Where it is.
    pub file: PathBuf,
    /// Who writes it.
    pub writer: Arc<Writer>,
}

impl Writer {
    /// `tell` is given a sentence when a file cannot be written, and when it could be after all.
    ///
    /// # Errors
    /// No thread.
    pub fn new(tell: impl Fn(String) + Send + 'static) -> io::Result<Writer> {
        let (jobs, inbox) = mpsc::channel();
        let (done, ended) = mpsc::channel();
        thread::Builder::new().name("disk".into()).spawn(move || {
            // Nobody may be waiting.
            let _ = done.send(run(&inbox, &tell));
        })?;
        Ok(Writer { inner: Mutex::new(Inner { jobs: Some(jobs), ended }) })
    }

    /// Has work done on a file when all that was asked before is done. It may be done several times, until it succeeds.
    pub fn write(&self, path: &Path, asked: Asked, work: impl FnMut() -> Result<(), String> + Send + 'static) {
        if let Some(jobs) = &self.inner().jobs {
            // The other side ends only after this one.
            let _ = jobs.send(Order::Do(Job { path: path.into(), asked, work: Box::new(work) }));
        }
    }

    /// What the reader has asked for and could not be written so far, though it was tried once more; nothing where the disk does
    /// not say so in this time.
    pub fn owed_to_reader(&self, patience: Duration) -> Vec<String> {
        let (told, owed) = mpsc::channel();
        if let Some(jobs) = &self.inner().jobs {
            // The other side ends only after this one.
            let _ = jobs.send(Order::Owed(told));
        }
        owed.recv_timeout(patience).unwrap_or_default()
    }

    /// Waits until all is written; says what could not be. Afterwards nothing is written any more.
    pub fn finish(&self) -> Vec<String> {
        self.finish_within(PATIENCE)
    }

    /// The same, but waits no longer than this.
    pub fn finish_within(&self, patience: Duration) -> Vec<String> {
        let mut inner = self.inner();
        if inner.jobs.take().is_none() {
            return Vec::new();
        }
        // A disk that hangs must not keep the program from ending.
        inner.ended.recv_timeout(patience).unwrap_or_else(|_| vec!["the disk takes too long; not all is kept".into()])
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // A panic elsewhere leaves two plain channels behind.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.finish();
    }
}

/// What is owed to a file.
struct Owed {
    works: VecDeque<Work>,
    /// What was wrong at the last time.
    wrong: String,
    /// The reader has asked for some of it.
    by_reader: bool,
}

impl Owed {
    /// Tries again, in order; false while something is left.
    fn pay(&mut self) -> bool {
        while let Some(work) = self.works.front_mut() {
            if let Err(wrong) = work() {
                self.wrong = wrong;
                return false;
            }
            self.works.pop_front();
        }
        true
    }
}

fn run(inbox: &mpsc::Receiver<Order>, tell: &impl Fn(String)) -> Vec<String> {
    let mut owed: BTreeMap<PathBuf, Owed> = BTreeMap::new();
    let pay = |owed: &mut BTreeMap<PathBuf, Owed>| {
        for (path, _) in owed.extract_if(.., |_, owed| owed.pay()) {
            tell(format!("{}: all is written now", super::shown(&path)));
        }
    };
    loop {
        // Idle means asleep, as long as nothing is owed.
        let next = match owed.is_empty() {
            true => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => inbox.recv_timeout(AGAIN),
        };
        match next {
            Ok(Order::Owed(asker)) => {
                pay(&mut owed);
                let wrong = owed.values().filter(|owed| owed.by_reader).map(|owed| owed.wrong.clone());
                // Who asked may have waited long enough.
                let _ = asker.send(wrong.collect());
            }
            Ok(Order::Do(job)) => {
                let Job { path, asked, mut work } = job;
                if let Some(earlier) = owed.get_mut(&path) {
                    if asked == Asked::ForAll {
                        earlier.works.clear();
                    }
                    earlier.works.push_back(work);
                    earlier.by_reader |= asked == Asked::ByReader;
                    pay(&mut owed);
                    if let Some(still) = owed.get(&path).filter(|_| asked == Asked::ByReader) {
                        tell(still.wrong.clone());
                    }
                } else if let Err(wrong) = work() {
                    tell(wrong.clone());
                    owed.insert(path, Owed { works: [work].into(), wrong, by_reader: asked == Asked::ByReader });
                }
            }
            Err(RecvTimeoutError::Timeout) => pay(&mut owed),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    pay(&mut owed);
    owed.into_values().map(|owed| owed.wrong).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    /// What is told, and what is written, when the disk is full and has room in turn.
    fn with(script: &[(Asked, &'static str, bool)], at_the_end: bool) -> (Vec<String>, Vec<&'static str>, Vec<String>) {
        let (told, written) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
        let room = Arc::new(AtomicBool::new(true));
        let writer = Writer::new({
            let told = Arc::clone(&told);
            move |sentence| told.lock().unwrap().push(sentence)
        })
        .unwrap();
        let file = Path::new("/f");
        for (asked, word, has_room) in script {
            let (seen, done) = mpsc::channel();
            let (room, written, word) = (Arc::clone(&room), Arc::clone(&written), *word);
            room.store(*has_room, SeqCst);
            writer.write(file, *asked, move || {
                let tried = if room.load(SeqCst) {
                    written.lock().unwrap().push(word);
                    Ok(())
                } else {
                    Err(format!("{word}: no room"))
                };
                // The script goes on.
                let _ = seen.send(());
                tried
            });
            let other = Path::new("/other");
            writer.write(other, Asked::ByNobody, || Ok(()));
            if *has_room {
                done.recv().unwrap();
            } else {
                // What is behind others that are owed is not tried.
                let (passed, gone) = mpsc::channel();
                writer.write(other, Asked::ByNobody, move || {
                    let _ = passed.send(());
                    Ok(())
                });
                gone.recv().unwrap();
            }
        }
        room.store(at_the_end, SeqCst);
        let left = writer.finish();
        let (told, written) = (told.lock().unwrap().clone(), written.lock().unwrap().clone());
        (told, written, left)
    }

    #[test]
    fn what_is_owed_is_written_in_order_when_there_is_room_and_told_once() {
        use Asked::ByNobody;
        let script = [(ByNobody, "a", true), (ByNobody, "b", false), (ByNobody, "c", false), (ByNobody, "d", true)];
        let (told, written, left) = with(&script, true);
        assert_eq!(written, ["a", "b", "c", "d"]);
        assert_eq!(told, ["b: no room", "/f: all is written now"]);
        assert!(left.is_empty());
    }

    #[test]
    fn what_is_owed_at_the_end_is_tried_once_more_and_else_told() {
        use Asked::ByNobody;
        let (_, written, left) = with(&[(ByNobody, "a", false), (ByNobody, "b", false)], true);
        assert_eq!((written, left), (vec!["a", "b"], vec![]));
        let (_, written, left) = with(&[(ByNobody, "a", false)], false);
        assert_eq!((written, left), (vec![], vec!["a: no room".to_owned()]));
    }

    #[test]
    fn what_the_reader_asked_for_is_told_as_long_as_it_is_not_written() {
        let writer = Writer::new(|_| {}).unwrap();
        let owed = || writer.owed_to_reader(PATIENCE);
        let room = Arc::new(AtomicBool::new(false));
        let write = |asked: Asked, path: &str| {
            let (room, path) = (Arc::clone(&room), path.to_owned());
            let work = move || if room.load(SeqCst) { Ok(()) } else { Err(format!("{path}: no room")) };
            writer.write(Path::new("/f"), asked, work);
        };
        assert_eq!(owed(), Vec::<String>::new());
        write(Asked::ByNobody, "visits");
        assert_eq!(owed(), Vec::<String>::new(), "nobody has asked for it");
        write(Asked::ByReader, "bookmarks");
        assert_eq!(owed().len(), 1);
        room.store(true, SeqCst);
        assert_eq!(owed(), Vec::<String>::new(), "it was tried again");
    }

    #[test]
    fn the_reader_hears_of_each_thing_that_they_asked_for() {
        use Asked::{ByReader, ForAll};
        let (told, ..) = with(&[(ByReader, "a", false), (ByReader, "b", false)], false);
        assert_eq!(told.len(), 2, "{told:?}");
        let (told, written, _) = with(&[(ForAll, "a", false), (ForAll, "b", true)], true);
        assert_eq!((told.len(), written), (2, vec!["b"]), "the later holds what the earlier held");
    }
}
