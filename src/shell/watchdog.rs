//! Looks after the keyboard's thread from two threads that lay nothing out and ask nobody: what a signal wants happens within a
//! second, and a reader whose keys wait is told so, and can have the program begin again with their tabs.
//!
//! Refuses: touching the browser. What is kept of the tabs is what was last written.

use super::{keyboard, terminal};
use crate::disk::Writer;
use crate::doc::sanitise;
use crate::keys::{Code, Key};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How long a key may wait before the reader is told why.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long it must have waited for its wish to be something else than it is otherwise: a machine may be slow for a moment.
const HEARD_AFTER: Duration = Duration::from_secs(1);
/// How often it is looked, while there is something to do; that there is nothing is believed after so many times.
const TICK: Duration = Duration::from_millis(50);
const QUIET: u32 = 20;
/// How long the browser has to end by itself, and after that the disk.
const GRACE: Duration = Duration::from_millis(500);
const LAST_WRITES: Duration = Duration::from_millis(300);
/// So long after another program had the terminal C-c and C-\ may still be heard that were meant for it: a busy machine wakes the thread
/// that hears them late. For the browser itself they are keys, and no signals.
const LATE: Duration = Duration::from_secs(2);

/// Signals that nobody sends to end a program in order, and that end it all the same: it dies of them, once the terminal is given
/// back.
const DEADLY: [i32; 7] = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGABRT];

/// What the keyboard's thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// It waits for somebody, or has lent the terminal.
    Nothing,
    /// It works, since so many milliseconds after the beginning.
    Working(u64),
    /// It writes to a terminal that may be slow.
    Writing,
}

/// What both sides know. Copies are one.
#[derive(Clone)]
pub(super) struct Watched(Arc<Shared>);

struct Shared {
    begun: Instant,
    /// 0: nothing; 1: writing; else two more than the milliseconds.
    doing: AtomicU64,
    /// The browser waits for signals, too: it has rested once.
    listens: AtomicBool,
    /// When another program had the terminal last, in milliseconds after the beginning; 0: none had.
    lent: AtomicU64,
    /// Nobody looks; the thread that would is to be woken.
    asleep: AtomicBool,
    watching: Mutex<Option<Thread>>,
    /// Something stands on the screen that the browser did not draw.
    spoke: AtomicBool,
    /// Who waits for something to do hears that.
    noticed: Notify,
    /// Whose page is in view.
    host: Mutex<String>,
    /// The browser is about to end.
    ending: Mutex<bool>,
    ended: Condvar,
    kept: OnceLock<Kept>,
}

/// What is needed to end and to begin again.
struct Kept {
    writer: Arc<Writer>,
    again: Again,
}

/// How to begin again: the arguments, when the tabs of this run will come back.
pub(super) type Again = Option<Vec<std::ffi::OsString>>;

impl Watched {
    /// Nobody watches yet.
    pub(super) fn new() -> Watched {
        Watched(Arc::new(Shared {
            begun: Instant::now(),
            doing: AtomicU64::new(0),
            listens: AtomicBool::new(false),
            lent: AtomicU64::new(0),
            asleep: AtomicBool::new(false),
            watching: Mutex::new(None),
            spoke: AtomicBool::new(false),
            noticed: Notify::new(),
            host: Mutex::default(),
            ending: Mutex::new(false),
            ended: Condvar::new(),
            kept: OnceLock::new(),
        }))
    }

    /// The keyboard's thread begins something.
    pub(super) fn work(&self) {
        self.0.doing.store(self.now().saturating_add(2), SeqCst);
        if self.0.asleep.swap(false, SeqCst)
            && let Some(thread) = &*hold(&self.0.watching)
        {
            thread.unpark();
        }
    }

    /// In milliseconds after the beginning.
    fn now(&self) -> u64 {
        u64::try_from(self.0.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Another program had the terminal until now.
    pub(super) fn retake(&self) {
        self.0.lent.store(self.now().max(1), SeqCst);
    }

    /// It writes to the terminal.
    pub(super) fn write(&self) {
        self.0.doing.store(1, SeqCst);
    }

    /// It has done what there was to do.
    pub(super) fn rest(&self) {
        self.0.doing.store(0, SeqCst);
        self.0.listens.store(true, SeqCst);
    }

    /// It ends; whether something takes too long from now on is for others to say.
    pub(super) fn end(&self) {
        self.rest();
        *hold(&self.0.ending) = true;
        self.0.ended.notify_all();
    }

    /// Whose page is in view from now on.
    pub(super) fn see(&self, host: &str) {
        let mut known = hold(&self.0.host);
        if *known != host {
            host.clone_into(&mut known);
        }
    }

    /// Whether the screen shows what the browser did not draw; it is told once.
    pub(super) fn spoke(&self) -> bool {
        self.0.spoke.swap(false, SeqCst)
    }

    /// Waits until the screen shows what the browser did not draw.
    pub(super) async fn noticed(&self) {
        self.0.noticed.notified().await;
    }

    /// Signals end the program from now on. Before the terminal is taken: whatever comes then has to give it back.
    ///
    /// # Errors
    /// No thread, or no signals.
    pub(super) fn guard(&self, writer: Arc<Writer>) -> io::Result<()> {
        let ends = [SIGTERM, SIGHUP, SIGINT, SIGQUIT];
        let mut signals = Signals::new(ends.into_iter().chain(DEADLY))?;
        let watched = self.clone();
        thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                if DEADLY.contains(&signal) {
                    depart(&writer, None);
                    // It does not come back from what the signal does to others.
                    let _ = emulate_default_handler(signal);
                }
                if watched.ends_by(signal, watched.now()) {
                    watched.end_soon(&writer);
                }
            }
        })?;
        Ok(())
    }

    /// Begins to watch.
    ///
    /// # Errors
    /// No thread.
    pub(super) fn watch(&self, writer: Arc<Writer>, again: Again) -> io::Result<()> {
        let watched = self.clone();
        // It is called once.
        let _ = self.0.kept.set(Kept { writer, again });
        let watch = move || watched.look(&terminal::overwrite);
        let thread = thread::Builder::new().name("watchdog".into()).spawn(watch)?;
        *hold(&self.0.watching) = Some(thread.thread().clone());
        Ok(())
    }

    fn doing(&self) -> Doing {
        match self.0.doing.load(SeqCst) {
            0 => Doing::Nothing,
            1 => Doing::Writing,
            since => Doing::Working(since - 2),
        }
    }

    /// Whether a signal that is heard now, in milliseconds after the beginning, is to end the program from here.
    fn ends_by(&self, signal: i32, now: u64) -> bool {
        if !matches!(signal, SIGINT | SIGQUIT) {
            return true;
        }
        // C-c and C-\ for a program that has the terminal reach us too; who waits takes them up by themselves.
        let waits = self.doing() == Doing::Nothing && self.0.listens.load(SeqCst);
        let lent = self.0.lent.load(SeqCst);
        let is_late = lent > 0 && Duration::from_millis(now.saturating_sub(lent)) < LATE;
        !waits && !is_late
    }

    /// The browser is given its time to end as it does, and the disk its own; afterwards the program is ended.
    fn end_soon(&self, writer: &Writer) {
        let asked = Instant::now();
        let ending = hold(&self.0.ending);
        let (ending, _) =
            self.0.ended.wait_timeout_while(ending, GRACE, |ending| !*ending).unwrap_or_else(PoisonError::into_inner);
        if *ending {
            // It writes what it owes, and is gone when it has done so.
            drop(ending);
            thread::sleep((GRACE + LAST_WRITES).saturating_sub(asked.elapsed()));
            terminal::give_back();
            terminal::complain_past("the disk takes too long; not all is kept");
        } else {
            drop(ending);
            let sentence =
                format!("ended while it was busy{}; its tabs are kept as they were last written", self.with());
            depart(writer, Some(sentence));
        }
        std::process::exit(1);
    }

    /// " with HOST".
    fn with(&self) -> String {
        match hold(&self.0.host).as_str() {
            "" => String::new(),
            host => format!(" with {}", sanitise(host)),
        }
    }

    /// Looks now and then while something is done, and sleeps while nothing is.
    fn look(&self, tell: &impl Fn(&str) -> bool) {
        let mut quiet = 0;
        while !*hold(&self.0.ending) {
            match self.doing() {
                Doing::Nothing => quiet += 1,
                Doing::Working(since) if self.lasts(since) >= PATIENCE => self.attend(since, tell),
                _ => quiet = 0,
            }
            if quiet < QUIET {
                thread::sleep(TICK);
                continue;
            }
            self.0.asleep.store(true, SeqCst);
            // What was begun just now has not seen that nobody looks.
            while self.doing() == Doing::Nothing && self.0.asleep.load(SeqCst) {
                thread::park();
            }
            self.0.asleep.store(false, SeqCst);
            quiet = 0;
        }
    }

    fn lasts(&self, since: u64) -> Duration {
        self.0.begun.elapsed().saturating_sub(Duration::from_millis(since))
    }

    /// Is there for the reader for as long as one thing takes.
    fn attend(&self, since: u64, tell: &impl Fn(&str) -> bool) {
        let mut told = false;
        while self.doing() == Doing::Working(since) && !*hold(&self.0.ending) {
            if !told {
                let keys =
                    if self.can_begin_again() { "Esc begins again with your tabs, C-c ends" } else { "C-c ends" };
                let sentence = format!(" Wayfarer is busy{}: {keys} ", self.with());
                told = tell(&sentence);
                // The work may have ended while it was said: it is taken from the screen all the same.
                self.0.spoke.store(true, SeqCst);
                self.0.noticed.notify_one();
            }
            thread::sleep(TICK);
        }
    }

    /// A key was pressed. If it waits for something that takes too long, and is one of those that the reader was told of, what
    /// it is for happens now.
    pub(super) fn hear(&self, key: &Key) {
        let Some((wish, kept)) = self.wish(key).zip(self.0.kept.get()) else { return };
        depart(&kept.writer, None);
        if wish == Wish::Again
            && let Some(arguments) = &kept.again
        {
            let error = match std::env::current_exe() {
                Ok(program) => {
                    let mut again = Command::new(program);
                    // What came in has been read.
                    if let Ok(terminal) = keyboard::terminal() {
                        again.stdin(terminal);
                    }
                    again.args(arguments).exec()
                }
                Err(error) => error,
            };
            terminal::complain_past(&format!("it could not begin again: {error}"));
        }
        std::process::exit(1);
    }

    /// What a key wishes that waits for too long.
    fn wish(&self, key: &Key) -> Option<Wish> {
        let waits = matches!(self.doing(), Doing::Working(since) if self.lasts(since) >= HEARD_AFTER);
        match key.code {
            _ if !waits => None,
            Code::Esc if self.can_begin_again() => Some(Wish::Again),
            Code::Char('c') if key.control => Some(Wish::End),
            _ => None,
        }
    }

    /// Whether the tabs would come back.
    fn can_begin_again(&self) -> bool {
        self.0.kept.get().is_some_and(|kept| kept.again.is_some())
    }
}

/// What a reader whose keys wait can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// The program from its beginning, with the tabs.
    Again,
    /// The end.
    End,
}

/// Leaves disk and terminal as they are to be; waits for neither as long as they like.
fn depart(writer: &Writer, sentence: Option<String>) {
    let owed = writer.finish_within(LAST_WRITES);
    terminal::give_back();
    sentence.iter().chain(&owed).for_each(|sentence| terminal::complain_past(sentence));
}

fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What a panic elsewhere left behind is a plain value.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    const ESC: Key = Key { code: Code::Esc, control: false, meta: false, shift: false };
    const INTERRUPT: Key = Key { code: Code::Char('c'), control: true, meta: false, shift: false };

    /// Watched by a thread that says what it tells the reader.
    fn watched() -> (Watched, mpsc::Receiver<String>, thread::JoinHandle<()>) {
        let (said, heard) = mpsc::channel();
        let watched = Watched::new();
        let _ = watched.0.kept.set(Kept { writer: Arc::new(Writer::new(|_| {}).unwrap()), again: Some(Vec::new()) });
        let watch = watched.clone();
        let thread = thread::spawn(move || watch.look(&|sentence: &str| said.send(sentence.into()).is_ok()));
        *hold(&watched.0.watching) = Some(thread.thread().clone());
        (watched, heard, thread)
    }

    /// On a busy machine C-c for an editor or pager was heard when the browser had gone on, and ended it.
    #[test]
    fn an_interrupt_for_another_program_that_is_heard_late_is_none_for_us() {
        let watched = Watched::new();
        watched.work();
        assert!(watched.ends_by(SIGINT, 1), "nobody else had the terminal");
        watched.retake();
        watched.work();
        let lent = watched.0.lent.load(SeqCst);
        assert!(!watched.ends_by(SIGINT, lent + 1_900) && !watched.ends_by(SIGQUIT, lent));
        assert!(watched.ends_by(SIGTERM, lent), "that is for nobody else");
        assert!(watched.ends_by(SIGINT, lent + 2_000), "somebody sends it to the browser, which is busy");
        watched.rest();
        assert!(!watched.ends_by(SIGINT, lent + 2_000), "it hears that by itself");
    }

    #[test]
    fn a_reader_whose_keys_wait_is_told_and_heard() {
        let (watched, heard, thread) = watched();
        watched.see("slow.example\u{1b}[31m");
        assert_eq!((watched.wish(&ESC), watched.wish(&INTERRUPT)), (None, None), "nothing is done");
        watched.work();
        assert_eq!((watched.wish(&ESC), watched.wish(&INTERRUPT)), (None, None), "it may be short");
        let told = heard.recv().unwrap();
        assert!(told.contains("busy with slow.example") && told.contains("Esc begins again"), "{told}");
        assert!(!told.contains('\u{1b}'), "{told:?}");
        while watched.wish(&ESC).is_none() {
            thread::yield_now();
        }
        assert!(watched.lasts(0) >= HEARD_AFTER, "the machine may be slow for a moment");
        assert_eq!((watched.wish(&ESC), watched.wish(&INTERRUPT)), (Some(Wish::Again), Some(Wish::End)));
        assert_eq!(watched.wish(&Key { code: Code::Char('q'), ..ESC }), None, "it waits as it did");
        assert!(watched.spoke() && !watched.spoke(), "told once");
        // It goes to sleep when nothing is done, and is woken by what is done next.
        watched.rest();
        assert_eq!(watched.wish(&ESC), None);
        while !watched.0.asleep.load(SeqCst) {
            thread::yield_now();
        }
        watched.work();
        assert!(heard.recv().unwrap().contains("busy"));
        watched.end();
        thread.join().unwrap();
    }

    #[test]
    fn nobody_is_told_of_what_is_short_or_of_a_slow_terminal() {
        let (watched, heard, thread) = watched();
        watched.write();
        let begun = Instant::now();
        while begun.elapsed() < 2 * PATIENCE {
            thread::yield_now();
        }
        assert_eq!(watched.wish(&ESC), None);
        watched.end();
        thread.join().unwrap();
        assert!(heard.recv().is_err(), "nothing was said");
    }
}
