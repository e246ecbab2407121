//! The thread on which fetches run: whatever servers send without end, keys are answered by another one.

use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// A runtime on a thread of its own.
pub(super) struct Network {
    handle: Handle,
    stop: oneshot::Sender<()>,
    ended: Receiver<()>,
}

impl Network {
    /// Starts it.
    ///
    /// # Errors
    /// The system gives no thread, or nothing to wait for sockets with.
    pub(super) fn start() -> io::Result<Network> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let (end, ended) = channel();
        std::thread::Builder::new().name("network".into()).spawn(move || {
            // Without a word the program has ended otherwise.
            let _ = runtime.block_on(stopped);
            // A blocked disk read or name lookup must not keep the program from ending.
            runtime.shutdown_background();
            let _ = end.send(());
        })?;
        Ok(Network { handle, stop, ended })
    }

    /// Where fetches are spawned.
    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Ends all fetches: what they hold is let go, for as long as the program may wait for that.
    pub(super) fn end(self) {
        const MOST: Duration = Duration::from_millis(500);
        if self.stop.send(()).is_ok() {
            let _ = self.ended.recv_timeout(MOST);
        }
    }
}
