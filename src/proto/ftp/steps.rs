//! The steps on the way to a data connection, each with the whole limit of time: a server that takes its time for every answer is not
//! silent.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Where it is on that way. Clones share.
#[derive(Debug, Clone)]
pub(super) struct Steps(Arc<Mutex<State>>);

#[derive(Debug, Clone, Copy)]
struct State {
    /// When the last step began.
    since: Instant,
    step: Step,
}

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The port.
    Port,
    /// The data connection, and the answer to what is asked meanwhile.
    Dial,
    /// The answer to the command: the data connection is open.
    Answer,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps(Arc::new(Mutex::new(State { since: Instant::now(), step: Step::Port })))
    }
}

impl Steps {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at(&self, step: Step) {
        *self.state() = State { since: Instant::now(), step };
    }

    /// The server has named a port.
    pub(super) fn dials(&self) {
        self.at(Step::Dial);
    }

    /// Somebody is there.
    pub(super) fn dialled(&self) {
        self.at(Step::Answer);
    }

    /// Whether the data connection is being opened, or was not.
    pub(super) fn is_dialling(&self) -> bool {
        self.state().step == Step::Dial
    }

    /// Goes the way; the last step, and what came of it unless that took longer than its limit.
    pub(super) async fn within<T>(
        &self,
        limit: impl Fn(Step) -> Duration,
        way: impl Future<Output = T>,
    ) -> (Step, Option<T>) {
        let until = || {
            let State { since, step } = *self.state();
            since + limit(step)
        };
        self.at(Step::Port);
        let mut way = std::pin::pin!(way);
        loop {
            let end = until();
            match timeout_at(end, way.as_mut()).await {
                Ok(outcome) => return (self.state().step, Some(outcome)),
                Err(_) if until() > end => {}
                Err(_) => return (self.state().step, None),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, Steps};
    use std::time::Duration;
    use tokio::task::yield_now;

    /// A server that took 1.5 s for MDTM and 1.7 s for RETR, where each may take 2 s, lost all its files.
    #[tokio::test]
    async fn each_step_has_the_whole_limit() {
        // None of them comes in no time at all, and a step that is begun gives more of it.
        let (steps, limit) = (Steps::default(), |_| Duration::ZERO);
        let way = async || {
            steps.dials();
            yield_now().await;
            steps.dialled();
            yield_now().await;
        };
        assert_eq!(steps.within(limit, way()).await, (Step::Answer, Some(())));
        let silent = async {
            way().await;
            std::future::pending::<()>().await;
        };
        assert_eq!(steps.within(limit, silent).await, (Step::Answer, None));
        assert_eq!(steps.within(limit, std::future::pending::<()>()).await, (Step::Port, None));
    }
}
