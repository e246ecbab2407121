//! The end of the program: what asks for it, and what is said and kept before.

use super::Browser;
use crate::app::{Effect, Msg, Parting};
use std::io;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How long the reader who leaves waits for what they have asked to be kept to be tried once more.
const LAST_TRY: Duration = Duration::from_millis(300);

/// How long the end waits for pages that are being kept.
const LAST_PAGES: Duration = Duration::from_millis(500);

/// Signals that end the program.
pub(super) struct Ends {
    one: Signal,
    other: Signal,
}

impl Ends {
    pub(super) fn new(one: SignalKind, other: SignalKind) -> io::Result<Ends> {
        Ok(Ends { one: signal(one)?, other: signal(other)? })
    }

    /// Waits for one.
    pub(super) async fn told(&mut self) {
        tokio::select! {
            _ = self.one.recv() => {}
            _ = self.other.recv() => {}
        }
    }
}

impl Browser {
    /// The reader leaves; what they have asked to be kept and is not is said before, once.
    pub(super) fn leave(&mut self) -> Vec<Effect> {
        let (mut owed, mut still) = (Vec::new(), Vec::new());
        if !self.warned {
            owed = self.world.writer.owed_to_reader(LAST_TRY);
            still = self.world.pages.owed_to_reader(LAST_TRY);
        }
        if !owed.is_empty() {
            still.insert(0, format!("not kept: {}", owed.join("; ")));
        }
        let owed = still;
        self.quit = owed.is_empty();
        self.warned = !self.quit;
        match self.quit {
            true => Vec::new(),
            false => {
                let sentence = format!("{}; once more leaves all the same", owed.join("; "));
                self.update(Msg::Complaint(sentence))
            }
        }
    }

    /// Keeps the tabs for the next time, and waits until all is written; says what could not be. Whoever watches lets it take
    /// the time that a signal leaves.
    pub(super) fn end(mut self) -> Vec<String> {
        self.watched.end();
        self.inbox.close();
        if let Some((recorder, file)) = &mut self.recording {
            recorder.flush(&mut |line| file.add(line));
        }
        let parting = if self.terminated { Parting::Back } else { self.app.parting() };
        self.sessions.end(&self.app.session(), parting, &self.world.writer);
        self.world.pages.finish_within(LAST_PAGES);
        self.world.writer.finish()
    }
}
