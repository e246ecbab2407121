//! The thread that has the database: what is asked comes in its turn, and between two answers what takes long goes on by one step.

use super::Job;
use super::base::Base;
use crate::stop::guarded;
use std::mem::take;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};

/// What goes on behind what is asked.
#[derive(Default)]
pub(super) struct Work {
    /// Who waits until all is done.
    pub(super) waiting: Vec<Sender<()>>,
}

/// Does what is asked, until nobody is left who asks.
pub(super) fn run(mut base: Base, inbox: &Receiver<Job>) {
    loop {
        let job = match base.rests() {
            true => base.wait(inbox),
            false => inbox.try_recv(),
        };
        let did = match job {
            Ok(job) => guarded(|| job(&mut base)),
            Err(TryRecvError::Empty) => Some(()),
            Err(TryRecvError::Disconnected) => return,
        };
        if did.and_then(|()| guarded(|| base.step())).is_none() {
            base.broke();
        }
    }
}

impl Base {
    /// Nothing is to be done but what is asked.
    fn rests(&self) -> bool {
        self.forgetting.rests() && self.sweep.is_none() && self.work.waiting.is_empty()
    }

    /// Waits for what is asked; idle means asleep, as long as nothing is to be tried again.
    fn wait(&self, inbox: &Receiver<Job>) -> Result<Job, TryRecvError> {
        let Some(left) = self.forgetting.due_in() else { return inbox.recv().map_err(|_| TryRecvError::Disconnected) };
        inbox.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => TryRecvError::Empty,
            RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
        })
    }

    /// One step of what is to be done: so little that whoever asks meanwhile does not notice.
    fn step(&mut self) {
        if self.rests() || self.forget_a_step() || self.sweep_a_step() {
            return;
        }
        let waiting = take(&mut self.work.waiting);
        if !waiting.is_empty() {
            self.close();
        }
        for waits in waiting {
            // Whoever leaves may have waited long enough.
            let _ = waits.send(());
        }
    }

    /// Something broke, and nobody knows how the connection stands: it goes on with another.
    fn broke(&mut self) {
        self.close();
        self.sweep = None;
        self.forgetting.broke();
        self.tell("the store of pages broke over what it was asked for, which was not done; it goes on".into());
    }
}
