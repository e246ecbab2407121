//! Moving about a page: its window on the screen, the link under focus, search, order, folds, marked rows, the clipboard.
//!
//! Refuses to leave the page.

pub(super) mod arrangement;
pub(super) mod changes;
pub(super) mod clipboard;
pub(super) mod content;
pub(super) mod focus;
pub(super) mod links;
pub(super) mod marking;
pub(super) mod scroll;
pub(super) mod search;
pub(super) mod window;
