//! Threads that talk to servers, none of which is the keyboard's: whatever a server sends without end, keys are answered. They are
//! confined ([`super::sandbox`]).
//!
//! Refuses: files and programs of the reader's.

use super::pages;
use super::sandbox::Sandbox;
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::io;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};

/// Threads for what may take long. The HTTP library reads interim answers without end for seconds at a time before it looks up: one
/// server that sends them must not hold up the others.
pub(super) const SERVED_AT_ONCE: usize = 4;

/// So long the end waits for fetches that are given up: most need none of it.
const MOMENT: Duration = Duration::from_millis(200);

/// Threads that talk to servers.
pub(super) struct Network {
    sandbox: Sandbox,
    /// For what says little at a time and waits: of several threads each would wake another for every one of a thousand small
    /// files. A run begins with no more than this one.
    one: Runtime,
    /// Begun when they are wanted; nothing where the system has no threads for it.
    many: OnceLock<Option<Runtime>>,
}

impl Network {
    /// By the thread of the keyboard, which may do more than they.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn new(sandbox: &Sandbox) -> io::Result<Network> {
        Ok(Network { sandbox: sandbox.clone(), one: threads(1, sandbox)?, many: OnceLock::new() })
    }

    /// Those by which an address is asked for.
    pub fn of(&self, url: &Url) -> &Handle {
        match scheme::family(url) {
            Family::Web | Family::News | Family::Nntp | Family::Sftp | Family::Archive => self.many(),
            // Sources are asked for it, of whatever kind.
            _ if pages::is_own(url) => self.many(),
            _ => self.one.handle(),
        }
    }

    /// Those for what may take long, or belongs to no address.
    pub fn many(&self) -> &Handle {
        let many = self.many.get_or_init(|| threads(SERVED_AT_ONCE, &self.sandbox).ok());
        many.as_ref().unwrap_or(&self.one).handle()
    }

    /// Gives up what runs, and waits a moment for that: a blocked disk read or name lookup must not keep the program from ending.
    pub fn shutdown(self) {
        self.one.shutdown_timeout(MOMENT);
        self.many.into_inner().flatten().into_iter().for_each(|many| many.shutdown_timeout(MOMENT));
    }
}

fn threads(count: usize, sandbox: &Sandbox) -> io::Result<Runtime> {
    let confined = sandbox.clone();
    Builder::new_multi_thread().worker_threads(count).on_thread_start(move || confined.confine()).enable_all().build()
}
