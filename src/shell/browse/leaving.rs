//! The end of the program: what asks for it, and what is said and kept before.

use super::Browser;
use crate::app::{Effect, Msg, Parting};
use std::io;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How long the reader who leaves waits for what they have asked to be kept or forgotten to be tried once more.
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
    /// The reader leaves; what they have asked to be kept or forgotten and is not is said before, once.
    pub(super) fn leave(&mut self) -> Vec<Effect> {
        let owed = if self.warned { Vec::new() } else { self.owed() };
        self.quit = owed.is_empty();
        self.warned = !self.quit;
        match self.quit {
            true => Vec::new(),
            false => self.update(Msg::Complaint(format!("{}; once more leaves all the same", owed.join("; ")))),
        }
    }

    fn owed(&self) -> Vec<String> {
        let unwritten = self.world.writer.owed_to_reader(LAST_TRY);
        let unwritten = (!unwritten.is_empty()).then(|| format!("not kept: {}", unwritten.join("; ")));
        unwritten.into_iter().chain(self.world.pages.owed_to_reader(LAST_TRY)).collect()
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
