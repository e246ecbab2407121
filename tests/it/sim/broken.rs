//! Every invariant can fail: a world that is broken in one way is found out by the one that speaks of it.

use super::drive::Sim;
use wayfarer::app::{Effect, JobId, Kept};
use wayfarer::bookmarks::Bookmarks;
use wayfarer::proto::Verdict;

/// How a world is broken on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// An answer comes under the number of another one.
    WrongNumber,
    /// What is typed is said to somebody else.
    WrongHost,
    /// What is done in private is kept.
    KeepsPrivate,
    /// A password is kept.
    KeepsPassword,
    /// A password is shown.
    ShowsPassword,
    /// The focus is on a link that is not there.
    WrongFocus,
    /// A number is used that was never given.
    WrongCancel,
    /// A body is asked for twice.
    AcceptsTwice,
    /// An answer never comes.
    Silent,
    /// The last rows of the screen are not shown.
    CutsScreen,
}

impl Sim {
    /// The world is broken.
    pub fn damage(&mut self, effects: &mut Vec<Effect>) {
        let secret = self.secrets.first().map(|secret| secret.words.clone());
        match (self.broken, secret) {
            (Some(Break::AcceptsTwice), _) => {
                let verdict = Verdict::Accept;
                let accepted = self.asked.iter().find(|(_, asked)| asked.accepted).map(|(id, _)| *id);
                effects.extend(accepted.map(|id| Effect::Verdict { id, verdict }));
            }
            (Some(Break::WrongCancel), _) => effects.push(Effect::Cancel(JobId(77_777))),
            (Some(Break::WrongHost), Some(secret)) => effects.push(Effect::Copy(secret)),
            (Some(Break::KeepsPassword), Some(words)) => {
                self.app.library.bookmarks =
                    Bookmarks::read(&format!("[[bookmark]]\nurl = \"http://{words}/\"\n")).unwrap_or_default();
            }
            (Some(Break::ShowsPassword), Some(text)) => {
                self.app.hands.note = Some(wayfarer::app::Note { kind: wayfarer::app::NoteKind::Info, text });
            }
            (Some(Break::KeepsPrivate), _) if self.app.tab.private => {
                let url = self.app.entry().map(|entry| entry.url.to_string()).unwrap_or_default();
                effects.push(Effect::Keep(Kept::Visit { url, title: String::new(), time: 0, led: String::new() }));
            }
            (Some(Break::WrongFocus), _) => {
                if let Some(entry) = self.app.tab.history.first_mut() {
                    entry.focus = Some(wayfarer::doc::LinkId(99_999));
                }
            }
            _ => {}
        }
    }

    /// Whose mark a page carries that is asked for under a number, where it is another's.
    pub fn wrong_number(&self, id: JobId) -> Option<JobId> {
        let others = self.asked.keys().filter(|_| self.broken == Some(Break::WrongNumber));
        others.copied().find(|other| *other != id)
    }
}

/// What is found out in a broken world, and with which seed.
fn found(broken: Break) -> Option<String> {
    (0..30).find_map(|seed| {
        let mut sim = Sim::new(seed);
        sim.broken = Some(broken);
        let stepped = (0..300).find_map(|_| sim.step().err());
        stepped.or_else(|| sim.close().err())
    })
}

#[test]
fn each_invariant_goes_red_in_a_world_that_is_broken_for_it() {
    for (broken, name) in [
        (Break::WrongNumber, "answers_reach_their_askers"),
        (Break::WrongHost, "what_was_typed_goes_where_it_was_meant"),
        (Break::KeepsPrivate, "nothing_private_is_kept"),
        (Break::KeepsPassword, "no_password_is_kept"),
        (Break::ShowsPassword, "no_password_is_shown"),
        (Break::WrongFocus, "the_reader_stands_somewhere"),
        (Break::WrongCancel, "numbers_are_given_once"),
        (Break::AcceptsTwice, "what_is_asked_for_makes_sense"),
        (Break::Silent, "nothing_is_left"),
        (Break::CutsScreen, "no_message_loses_its_end"),
    ] {
        let wrong = found(broken).unwrap_or_else(|| panic!("{broken:?} is not found out"));
        assert!(wrong.starts_with(name), "{broken:?} is found out by another one: {wrong}");
    }
}
