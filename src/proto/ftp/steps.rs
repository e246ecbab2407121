//! The steps on the way to a data connection, each with the whole limit of time: a server that takes its time for every answer is not
//! silent.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Where it is on that way. Clones share.
#[derive(Debug, Clone)]
pub(super) struct Steps(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// When the last step began.
    since: Instant,
    /// Whether the data connection is open: what is left is the answer to the command.
    dialled: bool,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps(Arc::new(Mutex::new(State { since: Instant::now(), dialled: false })))
    }
}

impl Steps {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at(&self, dialled: bool) {
        *self.state() = State { since: Instant::now(), dialled };
    }

    /// The server has named a port.
    pub(super) fn dials(&self) {
        self.at(false);
    }

    /// Somebody is there.
    pub(super) fn dialled(&self) {
        self.at(true);
    }

    /// Goes the way; whether the data connection was opened, and what came of it unless a step took longer than the limit.
    pub(super) async fn within<T>(&self, limit: Duration, way: impl Future<Output = T>) -> (bool, Option<T>) {
        self.at(false);
        let mut way = std::pin::pin!(way);
        loop {
            let until = self.state().since + limit;
            match timeout_at(until, way.as_mut()).await {
                Ok(outcome) => return (self.state().dialled, Some(outcome)),
                Err(_) if self.state().since + limit > until => {}
                Err(_) => return (self.state().dialled, None),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;
    use std::time::Duration;
    use tokio::time::sleep;

    /// A server that took 1.5 s for MDTM and 1.7 s for RETR, where each may take 2 s, lost all its files.
    #[tokio::test(start_paused = true)]
    async fn each_step_has_the_whole_limit() {
        let (steps, limit) = (Steps::default(), Duration::from_secs(2));
        let slow = async || {
            sleep(Duration::from_millis(1500)).await;
            steps.dials();
            sleep(Duration::from_millis(1500)).await;
            steps.dialled();
        };
        let all = async {
            slow().await;
            sleep(Duration::from_millis(1700)).await;
        };
        assert_eq!(steps.within(limit, all).await, (true, Some(())));
        let begun = tokio::time::Instant::now();
        let silent = async {
            slow().await;
            std::future::pending::<()>().await;
        };
        assert_eq!(steps.within(limit, silent).await, (true, None));
        assert_eq!(begun.elapsed().as_millis(), 5000, "one limit after the last step");
        assert_eq!(steps.within(limit, std::future::pending::<()>()).await, (false, None));
    }
}
