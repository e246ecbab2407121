//! Work that takes long and may be given up: a flag that its owner raises and the work looks at. And work that may break: what others
//! wrote to read strangers' octets.
//!
//! The work looks at bounded distances and then ends with nothing, so that its memory is soon free again.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says whether work is still wanted. Copies are one flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// The work is wanted, until somebody says otherwise.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// The work is not wanted any more.
    pub fn give_up(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was given up.
    pub fn is_given_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `None` once the work was given up: `stop.go_on()?` ends it.
    pub fn go_on(&self) -> Option<()> {
        (!self.is_given_up()).then_some(())
    }
}

thread_local! {
    /// Somebody answers for a panic of this thread.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does work; `None` where that panicked, which nobody else notices.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    GUARDED.set(before);
    done
}

/// Whether a panic of this thread is answered for, and nothing to be told.
pub fn is_guarded() -> bool {
    GUARDED.get()
}
