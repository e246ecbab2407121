//! The tour's own servers, by the crate's own clients and by raw lines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod crawl;
mod ftp;
mod gopher;
mod news;
mod web;
mod wire;
