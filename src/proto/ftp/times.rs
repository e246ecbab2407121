//! How servers are asked for the times of files whose lengths were listed, and what is thought of those that have stumbled over it.
//!
//! A connection that ends while it is asked need not have ended over that: the file is asked for once more, with a smaller question,
//! and only where it comes then the question was too much ([`Tries`]). Such a server is asked for times before its files, and where that
//! is too much, too, for none; after a while it is tried again. Refuses: taking connections that end together, or over the same file,
//! for more than one stumble.

use super::aside::NO_SUCH_FILE;
use super::facts::Facts;
use super::kept::Slot;
use super::reply::line;
use super::session::Session;
use crate::proto::{FetchError, Kind};
use tokio::time::Instant;

/// When a server is asked for the time of a file; the later ones cost less and are more to ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asking {
    Never,
    /// Before the file, which costs a round trip.
    Before,
    /// While its data connection is being opened.
    #[default]
    Aside,
}

impl Asking {
    fn less(self) -> Asking {
        match self {
            Asking::Aside => Asking::Before,
            Asking::Before | Asking::Never => Asking::Never,
        }
    }

    fn more(self) -> Asking {
        match self {
            Asking::Never => Asking::Before,
            Asking::Before | Asking::Aside => Asking::Aside,
        }
    }

    /// So many files that go well make up for a stumble: what it costs is a new connection, and less than a round trip for each of them.
    fn makes_up(self, silent: bool) -> u32 {
        match self {
            // It costs a whole silence.
            _ if silent => 500,
            Asking::Aside => 20,
            // Else there would be no times.
            Asking::Before | Asking::Never => 3,
        }
    }

    /// So many stumbles in a row, none of them made up for, show that the question was too much.
    fn too_many(self) -> u32 {
        if self == Asking::Aside { 1 } else { 2 }
    }
}

/// A connection that ended, as it seems, over what was asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stumble {
    asked: Asking,
    /// When the connection was opened.
    born: Instant,
    /// When it ended.
    at: Instant,
    /// It ended since the server said nothing any more.
    silent: bool,
}

/// What is thought of a server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thought {
    pub asking: Asking,
    /// Stumbles since the last one that was made up for.
    stumbles: u32,
    /// When the last one was.
    last: Option<Instant>,
    /// Files that have gone well since.
    well: u32,
    /// After so many it is asked for more again.
    patience: u32,
}

impl Default for Thought {
    fn default() -> Thought {
        Thought { asking: Asking::default(), stumbles: 0, last: None, well: 0, patience: 32 }
    }
}

impl Thought {
    /// It has stumbled. What ended a connection that was opened before the last time was the same.
    pub fn stumbled(&mut self, stumble: Stumble) {
        let Stumble { asked, born, at, silent } = stumble;
        if self.last.is_some_and(|last| born < last) {
            return;
        }
        let made_up = self.well >= asked.makes_up(silent);
        self.stumbles = if made_up { 0 } else { self.stumbles.saturating_add(1) };
        (self.last, self.well) = (Some(at), 0);
        if !made_up && self.stumbles >= asked.too_many() && asked <= self.asking {
            self.asking = asked.less();
            self.patience = self.patience.saturating_mul(2);
        }
    }

    /// A file has come, or was refused, as it should.
    pub fn went_well(&mut self, asked: Asking) {
        self.well = self.well.saturating_add(1);
        if asked == self.asking && asked != Asking::Aside && self.well >= self.patience {
            (self.asking, self.well) = (self.asking.more(), 0);
        }
    }
}

/// What is asked for the time of a file in one visit, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Visited {
    /// The most that is asked.
    pub asking: Asking,
    /// What was asked.
    pub asked: Option<Asking>,
    /// Whether that was answered.
    pub answered: bool,
    /// The time, where it was told in this visit or in an earlier try for the same file.
    pub told: Option<String>,
    /// Whether the server is known to have stumbled, without that the file is lost.
    pub stumbled: bool,
    /// When it began.
    began: Option<Instant>,
}

impl Session {
    /// The time of a file, asked for before it, unless that was too much, or was told in an earlier try.
    ///
    /// # Errors
    /// See [`Session::ask`].
    pub async fn time(&mut self, name: &[u8]) -> Result<Option<String>, FetchError> {
        let asks = self.times.asking != Asking::Never && self.times.told.is_none();
        let asked = if asks { Asking::Before } else { Asking::Never };
        self.times.asked = self.times.asked.max(Some(asked));
        if asks {
            let reply = self.ask(&line("MDTM", name)).await?;
            self.times.answered = true;
            let mut facts = Facts::default();
            facts.at(reply.value());
            // Whoever refuses it for each file would be asked for each in vain.
            self.times.stumbled |= reply.is_refusal() && reply.code != NO_SUCH_FILE;
            self.times.told = facts.time;
        }
        Ok(self.times.told.clone())
    }
}

/// The tries to have one file.
#[derive(Debug)]
pub(super) struct Tries {
    /// The most that is asked in the next one.
    most: Asking,
    /// Whether the time has to be known for a copy, or a part, that is here.
    dated: bool,
    told: Option<String>,
    /// The first connection that ended. What ends later ones may be the file: one bad name says little of the others.
    suspect: Option<Stumble>,
}

impl Tries {
    /// `copy` is the validator of what is here.
    pub fn new(copy: Option<&str>) -> Tries {
        Tries { most: Asking::Aside, dated: copy.is_some_and(Facts::date), told: None, suspect: None }
    }

    /// One begins.
    pub fn begin(&self, slot: &Slot, session: &mut Session) {
        let thought = slot.asking(session);
        let wanted = if self.dated { thought.max(Asking::Before) } else { thought };
        session.times = Visited {
            asking: wanted.min(self.most),
            told: self.told.clone(),
            began: Some(Instant::now()),
            ..Visited::default()
        };
    }

    /// One has ended; whether the file is to be asked for once more, with a smaller question.
    pub fn ended(&mut self, slot: &Slot, session: &Session, failure: Option<&FetchError>) -> bool {
        let Visited { asked, answered, told, stumbled, began, .. } = &session.times;
        let Some(asked) = *asked else { return false };
        let silent = failure.is_some_and(|error| error.kind == Kind::TimedOut);
        let stumble = Stumble { asked, born: session.born, at: Instant::now(), silent };
        if failure.is_some() && session.is_dead() {
            self.told.clone_from(told);
            let goes_on = asked != Asking::Never;
            // Where only the data connection could not be opened, the question has no part in it.
            if goes_on && !(*answered && session.is_dialling()) {
                self.suspect.get_or_insert(stumble);
            }
            self.most = if told.is_some() { Asking::Never } else { asked.less() };
            return goes_on;
        }
        // The connection goes on, so the last stumble may be younger than it.
        let here = stumbled.then(|| Stumble { born: began.unwrap_or(stumble.born), ..stumble });
        slot.thinks(session, |thought| match self.suspect.take().or(here) {
            None => thought.went_well(asked),
            Some(stumble) => thought.stumbled(stumble),
        });
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A server whose connections are opened and end by a clock.
    struct Server(Thought, Instant);

    impl Server {
        fn new() -> Server {
            Server(Thought::default(), Instant::now())
        }

        fn stumbles(&mut self, asked: Asking, born: u64, at: u64) -> Asking {
            let [born, at] = [born, at].map(|second| self.1 + Duration::from_secs(second));
            self.0.stumbled(Stumble { asked, born, at, silent: false });
            self.0.asking
        }

        fn is_silent(&mut self, asked: Asking, at: u64) -> Asking {
            let at = self.1 + Duration::from_secs(at);
            self.0.stumbled(Stumble { asked, born: at, at, silent: true });
            self.0.asking
        }

        fn goes_well(&mut self, files: u32) -> Asking {
            (0..files).for_each(|_| self.0.went_well(self.0.asking));
            self.0.asking
        }
    }

    /// Four connections ended at once, and no file had its time any more.
    #[test]
    fn connections_that_end_together_are_one_stumble() {
        let mut server = Server::new();
        for (born, at) in [(0, 10), (1, 10), (2, 11), (3, 10)] {
            assert_eq!(server.stumbles(Asking::Aside, born, at), Asking::Before);
        }
        assert_eq!(server.stumbles(Asking::Before, 9, 12), Asking::Before);
        // Those that were opened since are others.
        assert_eq!(server.stumbles(Asking::Before, 12, 13), Asking::Never);
    }

    /// A server that fell silent over each fifth file was forgiven each time, and each cost a minute.
    #[test]
    fn a_silence_is_not_made_up_for_by_a_few_files() {
        let mut server = Server::new();
        server.goes_well(100);
        assert_eq!(server.is_silent(Asking::Aside, 9), Asking::Before);
        server.goes_well(50);
        assert_eq!(server.is_silent(Asking::Before, 19), Asking::Never);
    }

    /// Two silences were in a row however many thousand files came between them, and many more had no times for that.
    #[test]
    fn silences_far_apart_are_not_in_a_row() {
        let mut server = Server::new();
        assert_eq!(server.is_silent(Asking::Aside, 1), Asking::Before);
        server.0.patience = u32::MAX;
        for at in 2..5 {
            server.goes_well(10_000);
            assert_eq!(server.is_silent(Asking::Before, at), Asking::Before);
        }
        // And yet one that is silent over each question costs no more than this.
        assert_eq!(server.is_silent(Asking::Before, 6), Asking::Before);
        assert_eq!(server.is_silent(Asking::Before, 7), Asking::Never);
    }

    #[test]
    fn a_stumble_after_many_files_is_forgiven() {
        let mut server = Server::new();
        server.goes_well(20);
        assert_eq!(server.stumbles(Asking::Aside, 0, 10), Asking::Aside);
        assert_eq!(server.stumbles(Asking::Aside, 10, 11), Asking::Before);
        for at in 12..20 {
            server.goes_well(3);
            assert_eq!(server.stumbles(Asking::Before, at, at), Asking::Before);
        }
    }

    #[test]
    fn a_server_that_has_stumbled_is_tried_again_ever_later() {
        let mut server = Server::new();
        assert_eq!(server.stumbles(Asking::Aside, 0, 1), Asking::Before);
        assert_eq!((server.goes_well(63), server.goes_well(1)), (Asking::Before, Asking::Aside));
        assert_eq!(server.stumbles(Asking::Aside, 1, 2), Asking::Before);
        assert_eq!((server.goes_well(127), server.goes_well(1)), (Asking::Before, Asking::Aside));
        assert_eq!(server.stumbles(Asking::Aside, 2, 3), Asking::Before);
        assert_eq!(server.stumbles(Asking::Before, 3, 4), Asking::Never);
        assert_eq!((server.goes_well(511), server.goes_well(1)), (Asking::Never, Asking::Before));
        assert_eq!(server.stumbles(Asking::Before, 4, 5), Asking::Never);
    }
}
