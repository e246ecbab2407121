//! What is read of an archive, in its own order, up to a bound: all forms hand in their members here.

use super::onward::Halts;
use super::{Archive, Form, Kind, MOST_MEMBERS, Member, Place, Start, name};
use crate::format;

/// Octets of all names together, targets of links and maps of sparse files among them.
const MOST_NAMES: usize = 128 << 20;
/// Names that are told of those that are left out.
const TOLD: usize = 5;

/// What is read of an archive, in its own order.
#[derive(Default)]
pub(super) struct Members {
    pub(super) all: Vec<Member>,
    names: usize,
    /// How many were left out, for whatever reason.
    left: usize,
    /// How many names of them lead out of the archive or could not be shown, and the first of them.
    unsafe_names: usize,
    first: Vec<String>,
    pub(super) full: bool,
    notes: Vec<String>,
}

impl Members {
    /// Takes a member whose name is as the archive has it; says which one it is then.
    pub(super) fn take(&mut self, raw: &[u8], mut member: Member) -> Option<usize> {
        let path = match name::clean(raw) {
            Some(path) => path,
            None => {
                (self.unsafe_names, self.left) = (self.unsafe_names + 1, self.left + 1);
                if self.first.len() < TOLD {
                    self.first.push(String::from_utf8_lossy(&raw[..raw.len().min(200)]).into_owned());
                }
                return None;
            }
        };
        // The root itself.
        if path.is_empty() || self.is_full() {
            return None;
        }
        let held = match (&member.kind, &member.place) {
            (Kind::Link(target) | Kind::Same(target), _) => target.len(),
            (_, Place::Sparse(_, map)) => map.0.len() * 16,
            _ => 0,
        };
        self.names += path.len() + held;
        member.path = path;
        self.all.push(member);
        Some(self.all.len() - 1)
    }

    /// Leaves one out, for a reason that is told once.
    pub(super) fn leave(&mut self, why: &str) {
        self.left += 1;
        self.note(why);
    }

    /// Whether no more is taken: what is left out takes time, too. What asks says so to the reader.
    pub(super) fn is_full(&mut self) -> bool {
        self.full = self.all.len() + self.left >= MOST_MEMBERS || self.names >= MOST_NAMES;
        self.full
    }

    /// Says something, once.
    pub(super) fn note(&mut self, words: impl Into<String>) {
        let words = words.into();
        if !self.notes.contains(&words) {
            self.notes.push(words);
        }
    }

    pub(super) fn archive(mut self, form: Form) -> Archive {
        // What comes later under the same name is what counts.
        self.all.reverse();
        self.all.sort_by(|a, b| a.path.cmp(&b.path));
        self.all.dedup_by(|later, kept| later.path == kept.path);
        if self.unsafe_names > 0 {
            let (count, more) = (self.unsafe_names, self.unsafe_names - self.first.len());
            let names = if count == 1 { "One name is".into() } else { format!("{} names are", format::count(count)) };
            let more = if more > 0 { format!(" and {} more", format::count(more)) } else { String::new() };
            let first = self.first.join(", ");
            self.notes
                .push(format!("{names} left out that would lead out of the archive or break a line: {first}{more}"));
        }
        if self.full {
            self.notes.push(format!("Only the first {} members are listed.", format::count(self.all.len())));
        }
        let (halts, start) = (Halts::default(), Start::None);
        Archive { form, members: self.all, notes: self.notes, halts, top: None, zim: None, start }
    }
}
