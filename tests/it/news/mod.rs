//! Overviews, threads, read articles, dates.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod articles;
mod compose;
mod journal;
mod mailbox;
mod newsrc;
mod overview;
mod posting;
mod score;
mod subject;
mod thread;
