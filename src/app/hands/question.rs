//! How a question with a few answers is made.

use super::overlay::{Choice, Overlay, Pending};

/// An answer.
pub(in crate::app) fn choice(key: char, label: &str) -> Choice {
    Choice { key, label: label.into() }
}

/// A yes-or-no question.
pub(in crate::app) fn confirm(text: Vec<String>, yes: &str, pending: Pending) -> Overlay {
    Overlay::Question { text, choices: vec![choice('y', yes), choice('n', "no")], pending }
}
