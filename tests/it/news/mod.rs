//! Overviews, threads, read articles, dates.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod articles;
mod compose;
mod newsrc;
mod overview;
mod subject;
mod thread;
