//! What the reader answers, each to the feature that asked: prompts, lists, questions, forms over the page.

pub(super) mod forms;
pub(super) mod lists;
pub(super) mod prompts;
pub(super) mod questions;
