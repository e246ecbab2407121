//! Threads that talk to servers, none of which is the keyboard's: whatever a server sends without end, keys are answered. They are
//! confined ([`super::sandbox`]).
//!
//! Refuses: files and programs of the reader's.

use super::sandbox::Sandbox;
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::io;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};

/// Threads for what is not FTP. The HTTP library reads interim answers without end for seconds at a time before it looks up: one
/// server that sends them must not hold up the others.
pub(super) const SERVED_AT_ONCE: usize = 4;

/// So long the end waits for fetches that are given up: most need none of it.
const MOMENT: Duration = Duration::from_millis(200);

/// Threads that talk to servers.
pub(super) struct Network {
    sandbox: Sandbox,
    many: Runtime,
    /// FTP says little at a time and waits: of several threads each would wake another for every one of a thousand small files.
    /// Begun when it is wanted; nothing where the system has no thread for it.
    one: OnceLock<Option<Runtime>>,
}

impl Network {
    /// By the thread of the keyboard, which may do more than they.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn new(sandbox: &Sandbox) -> io::Result<Network> {
        Ok(Network { sandbox: sandbox.clone(), many: threads(SERVED_AT_ONCE, sandbox)?, one: OnceLock::new() })
    }

    /// Those for what belongs to no address.
    pub fn handle(&self) -> &Handle {
        self.many.handle()
    }

    /// Those by which an address is asked for. By the thread of the keyboard.
    pub fn of(&self, url: &Url) -> &Handle {
        let one = (scheme::family(url) == Family::Ftp)
            .then(|| self.one.get_or_init(|| threads(1, &self.sandbox).ok()).as_ref())
            .flatten();
        one.unwrap_or(&self.many).handle()
    }

    /// Gives up what runs, and waits a moment for that: a blocked disk read or name lookup must not keep the program from ending.
    pub fn shutdown(self) {
        self.many.shutdown_timeout(MOMENT);
        self.one.into_inner().flatten().into_iter().for_each(|one| one.shutdown_timeout(MOMENT));
    }
}

fn threads(count: usize, sandbox: &Sandbox) -> io::Result<Runtime> {
    let confined = sandbox.clone();
    Builder::new_multi_thread().worker_threads(count).on_thread_start(move || confined.confine()).enable_all().build()
}
