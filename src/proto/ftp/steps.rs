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
    use tokio::task::yield_now;

    /// A server that took 1.5 s for MDTM and 1.7 s for RETR, where each may take 2 s, lost all its files.
    #[tokio::test]
    async fn each_step_has_the_whole_limit() {
        // None of them comes in no time at all, and a step that is begun gives more of it.
        let (steps, limit) = (Steps::default(), Duration::ZERO);
        let way = async || {
            steps.dials();
            yield_now().await;
            steps.dialled();
            yield_now().await;
        };
        assert_eq!(steps.within(limit, way()).await, (true, Some(())));
        let silent = async {
            way().await;
            std::future::pending::<()>().await;
        };
        assert_eq!(steps.within(limit, silent).await, (true, None));
        assert_eq!(steps.within(limit, std::future::pending::<()>()).await, (false, None));
    }
}
