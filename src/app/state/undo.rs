//! What takes the reader's changes back, the last one first, as deep as there were changes since; the oldest go when there are
//! too many. Refuses: knowing what a change is.

use std::collections::VecDeque;

/// Changes of one kind that can be taken back.
const MOST: usize = 200;

/// What takes changes back, the last one last.
#[derive(Debug)]
pub(in crate::app) struct Undo<T>(VecDeque<T>);

impl<T> Default for Undo<T> {
    fn default() -> Undo<T> {
        Undo(VecDeque::new())
    }
}

impl<T> Undo<T> {
    /// Something was changed, which this takes back.
    pub(in crate::app) fn push(&mut self, change: T) {
        self.0.push_back(change);
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// What takes the last change back that was not taken back yet.
    pub(in crate::app) fn pop(&mut self) -> Option<T> {
        self.0.pop_back()
    }

    /// Only some of it can be taken back from now on.
    pub(in crate::app) fn retain(&mut self, stays: impl FnMut(&T) -> bool) {
        self.0.retain(stays);
    }
}
